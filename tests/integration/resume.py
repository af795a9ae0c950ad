# SPDX-License-Identifier: Apache-2.0
"""Runs that are killed go on where they were, and runs that were recorded can be played again."""
import json
import os
import random
import signal
import subprocess
import time
import unittest

from scripted import COLLECT, COMPARE, REGENERATE, SELFCHECK, SOLVE, TARGET, VARIABLES, Server
from support import PROGRAM, SECONDS, Case, chain, lines, rederive

# Every prompt differs from every other, so that a call is known by its prompt.
UNIQUE = [dict(COMPARE), dict(REGENERATE, reply="2 + 3 = 5, by {hash}"), COLLECT,
          dict(TARGET, reply="The step adds {hash}."), VARIABLES]
CHAINS = lines(*[chain(id=f"c{i}", question=f"What is 2 + 3, asked {i} times?",
                       steps=[f"{i} times 2 + 3 = 5", f"So the answer of {i} is 5."])
                 for i in range(5)])
CALLS = 5 * 9
QUESTIONS = lines(*[{"question_id": f"q{i}", "question": f"What is 2 + {i}?"} for i in range(5)])


class Killed(Case):
    KILLS_A_ROUND = 10
    ROUNDS = 5
    DELAY = 0.01

    def command(self, server):
        return ["check", "-q", "-m", "selfcheck", "-M", server.url, "-j", "3", "--in",
                self.path("chains.jsonl"), "--out", self.path("out.jsonl")]

    def kill_after(self, server, calls):
        """When it has asked so often: how long it takes to begin depends on the machine."""
        process = subprocess.Popen([PROGRAM, *self.command(server)], stderr=subprocess.DEVNULL)
        before = len(server.asked())
        while process.poll() is None and len(server.asked()) < before + calls:
            time.sleep(0.002)
        process.kill()
        process.wait()

    def kept(self):
        """The prompts whose replies are in the journal."""
        journal = self.path("out.jsonl.journal")
        if not os.path.exists(journal):
            return set()
        ended = rederive("journal", "export", journal)
        self.assert_ended(ended, 0)
        return {r["request"]["messages"][-1]["content"] for r in ended.records}

    def test_at_random_moments(self):
        rng = random.Random(7)
        self.write("chains.jsonl", CHAINS)
        kept_at = []
        with Server(rules=UNIQUE, delay=self.DELAY) as server:
            self.assert_ended(rederive(*self.command(server)), 0)
            expected = self.read("out.jsonl")
            for _ in range(self.ROUNDS):
                self.start_again(server)
                for _ in range(self.KILLS_A_ROUND):
                    self.kill_after(server, rng.randint(1, 9))
                    kept_at.append(self.check_kept(server))
                self.assert_ended(rederive(*self.command(server)), 0)
                self.assertEqual(self.read("out.jsonl"), expected)
                self.check_kept(server)
        self.assertGreater(len({n for n in kept_at if 0 < n < CALLS}), 5, kept_at)

    def start_again(self, server):
        for name in os.listdir(self.folder):
            if name != "chains.jsonl":
                os.remove(self.path(name))
        server.forget()
        self.seen, self.before = 0, set()

    def check_kept(self, server):
        """Nothing that was kept before was asked since."""
        asked = server.asked()
        self.assertEqual(set(asked[self.seen:]) & self.before, set())
        self.seen, self.before = len(asked), self.kept()
        return len(self.before)


class Interrupted(Case):
    def test_ctrl_c_says_how_to_go_on(self):
        name = self.write("chains.jsonl", CHAINS)
        out = self.path("out.jsonl")
        with Server(rules=SELFCHECK, delay=0.05) as server:
            args = ["check", "-m", "selfcheck", "-M", server.url, "-j", "2", name, "-o", out]
            process = subprocess.Popen([PROGRAM, *args], stderr=subprocess.PIPE, text=True)
            while len(server.asked()) < 12:
                time.sleep(0.02)
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=SECONDS)
            self.assertEqual(process.returncode, 130, err)
            self.assertRegex(err, r"run the same command again to resume: \d+ replies are in")
            self.assertFalse(os.path.exists(out))
            for line in self.read("out.jsonl.partial").splitlines():
                record = json.loads(line)
                self.assertEqual(record["n_unknown"] > 0, record.get("partial", False))
            n = len(server.asked())
            self.assert_ended(rederive(*args), 0)
            self.assertLessEqual(len(server.asked()), CALLS + 2)  # those that were out
            self.assertLess(len(server.asked()) - n, CALLS)
        whole = rederive("check", "-m", "selfcheck", "-M", "transcript:" + out + ".journal", name)
        self.assertEqual(self.read("out.jsonl"), whole.out)
        self.assertFalse(os.path.exists(out + ".partial"), "what the interrupted run left is complete now")

    def test_two_runs_do_not_share_a_journal(self):
        journal = self.path("journal")
        with Server(rules=SELFCHECK, delay=0.3) as server:
            args = ["check", "-m", "selfcheck", "-M", server.url, "--journal", journal]
            first = subprocess.Popen([PROGRAM, *args, self.write("chains.jsonl", CHAINS)],
                                     stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            while not server.asked():
                time.sleep(0.02)
            ended = rederive(*args, stdin=CHAINS)
            first.kill()
            first.wait()
        self.assert_ended(ended, 3)
        self.assertIn("journal", ended.err)
        self.assertEqual(ended.out, "")


class Replayed(Case):
    def run_both(self, server):
        checked = rederive("check", "-m", "selfcheck", "-M", server.url, "-o",
                           self.path("checked.jsonl"), stdin=CHAINS)
        self.assert_ended(checked, 0)
        solved = rederive("solve", "-m", "selfcheck", "-M", server.url, "-n", "3", "--journal",
                          self.path("solve.journal"), "-o", self.path("solved.jsonl"),
                          "--chains-out", self.path("solutions.jsonl"), stdin=QUESTIONS)
        self.assert_ended(solved, 0)

    def replay(self, check, solve):
        ended = rederive("check", "-m", "selfcheck", "-M", check, stdin=CHAINS)
        self.assert_ended(ended, 0)
        self.assertEqual(ended.out, self.read("checked.jsonl"))
        ended = rederive("solve", "-m", "selfcheck", "-n", "3", "-M", solve, "--chains-out",
                         self.path("again.jsonl"), stdin=QUESTIONS)
        self.assert_ended(ended, 0)
        self.assertEqual(ended.out, self.read("solved.jsonl"))
        self.assertEqual(self.read("again.jsonl"), self.read("solutions.jsonl"))

    def export(self, journal, name):
        self.assert_ended(rederive("journal", "export", self.path(journal), "-o", self.path(name)),
                          0)
        return self.path(name)

    def test_with_no_server_the_same_bytes(self):
        with Server(rules=SOLVE) as server:
            self.run_both(server)
        check, solve = self.path("checked.jsonl.journal"), self.path("solve.journal")
        self.replay("transcript:" + check, "transcript:" + solve)
        self.replay("transcript:" + check + "#fake", "transcript:" + solve + "#fake")
        self.replay("transcript:" + self.export("checked.jsonl.journal", "a.jsonl"),
                    "transcript:" + self.export("solve.journal", "b.jsonl"))

    def test_export_and_import_round_trip(self):
        with Server(rules=SOLVE) as server:
            self.run_both(server)
        first = self.export("checked.jsonl.journal", "first.jsonl")
        imported = rederive("journal", "import", self.path("copy.journal"), first)
        self.assert_ended(imported, 0)
        self.assertEqual(imported.err, f"{CALLS} replies added, 0 already present, 0 invalid lines\n")
        second = self.export("copy.journal", "second.jsonl")
        self.assertEqual(self.read("first.jsonl"), self.read("second.jsonl"))
        again = rederive("journal", "import", self.path("copy.journal"), second)
        self.assertIn(f"0 replies added, {CALLS} already present", again.err)
        self.replay("transcript:" + self.path("copy.journal"),
                    "transcript:" + self.path("solve.journal"))

    def test_bad_lines_are_said_and_passed_over(self):
        with Server(rules=SELFCHECK) as server:
            rederive("check", "-m", "selfcheck", "-M", server.url, "-o", self.path("x"),
                     stdin=CHAINS.splitlines()[0] + "\n")
        text = self.read(os.path.basename(self.export("x.journal", "lines.jsonl")))
        ended = rederive("journal", "import", self.path("new.journal"),
                         stdin="nonsense\n" + text + '{"key": "00"}\n')
        self.assert_ended(ended, 1)
        self.assertIn("standard input:1: ", ended.err)
        self.assertIn("9 replies added, 0 already present, 2 invalid lines", ended.err)

    def test_what_is_missing_is_unknown_and_said(self):
        with Server(rules=SELFCHECK) as server:
            rederive("check", "-m", "selfcheck", "-M", server.url, "-o", self.path("x"),
                     stdin=CHAINS.splitlines()[0] + "\n")
        ended = rederive("check", "-m", "selfcheck", "-M", "transcript:" + self.path("x.journal"),
                         "--json", stdin=CHAINS)
        self.assert_ended(ended, 1)
        self.assertEqual([r["n_unknown"] for r in ended.records], [0, 2, 2, 2, 2])
        self.assertIn("the transcript has no such reply", ended.records[1]["verdicts"][0]["explanation"])
        self.assertGreater(json.loads(ended.err)["failed_calls"]["missing"], 0)

    def test_another_seed_is_not_in_it(self):
        with Server(rules=SELFCHECK) as server:
            args = ("check", "-m", "selfcheck", "-M", server.url, "-o", self.path("x"), "--seed")
            rederive(*args, "1", stdin=CHAINS)
            rederive(*args, "2", stdin=CHAINS)
            self.assertEqual(len(server.asked()), 2 * CALLS)
            rederive(*args, "1", stdin=CHAINS)
            self.assertEqual(len(server.asked()), 2 * CALLS)

    def test_info(self):
        with Server(rules=SELFCHECK) as server:
            rederive("check", "-m", "selfcheck", "-M", server.url, "-o", self.path("x"),
                     stdin=CHAINS)
        ended = rederive("journal", "info", self.path("x.journal"))
        self.assert_ended(ended, 0)
        self.assertRegex(ended.out, r"(?m)^selfcheck/compare +fake +10 +\d+ +\d+$")
        self.assertRegex(ended.out, rf"(?m)^all +{CALLS} ")
        account = rederive("journal", "info", self.path("x.journal"), "--json").records[0]
        self.assertEqual([account["n_responses"], len(account["stages"])], [CALLS, 5])

    def test_mistakes(self):
        for args, status, says in (
                (("journal",), 2, "journal export FILE"),
                (("journal", "import"), 2, "journal export FILE"),
                (("journal", "exprot", "x"), 2, "journal export FILE"),
                (("journal", "export", "a", "b"), 2, "journal export FILE"),
                (("journal", "export", self.path("missing")), 3, "missing"),
                (("journal", "info", self.write("junk", "junk")), 3, "junk"),
                (("check", "-m", "selfcheck", "-M", "transcript:" + self.path("none")), 3, "none")):
            ended = rederive(*args, stdin=CHAINS)
            self.assert_ended(ended, status)
            self.assertIn(says, ended.err)


if __name__ == "__main__":
    unittest.main()
