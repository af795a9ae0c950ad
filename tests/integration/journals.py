# SPDX-License-Identifier: Apache-2.0
"""Journals of several workers: merged into one, and written by many processes at the same time."""
import gzip
import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import time
import unittest

from journal_v3 import make_journal_v3
from scripted import COLLECT, COMPARE, REGENERATE, TARGET, VARIABLES, Server
from support import PROGRAM, Case, chain, lines, rederive

RULES = [dict(COMPARE), dict(REGENERATE, reply="2 + 3 = 5, by {hash}"), COLLECT,
         dict(TARGET, reply="The step adds {hash}."), VARIABLES]
OTHER_RULES = [dict(rule, reply=rule["reply"] + " So it is.") for rule in RULES]
CALLS = 9  # of a chain


def chains(first, last):
    return lines(*(chain(id=f"c{i}", question=f"What is 2 + 3, asked {i} times?",
                         steps=[f"{i} times 2 + 3 = 5", f"So the answer of {i} is 5."]) for i in range(first, last)))


class Journals(Case):
    def check(self, server, text, journal, *args, status=0):
        ended = rederive("check", "--json", "-m", "selfcheck", "-M", getattr(server, "url", server), "--journal",
                         self.path(journal), *args, stdin=text)
        self.assert_ended(ended, status)
        return ended, json.loads(ended.err.splitlines()[-1])

    def merge(self, out, *names, status=0):
        ended = rederive("journal", "merge", "--json", self.path(out), *map(self.path, names))
        self.assert_ended(ended, status)
        return json.loads(ended.out) if status == 0 else ended

    def rows(self, name):
        """Key to response and time, read by SQLite itself."""
        with sqlite3.connect(self.path(name)) as base:
            return {key: (response, at) for key, response, at in
                    base.execute("SELECT key, response, created_ms FROM responses")}

    def tokens(self, *names):
        """Of all replies in these journals."""
        responses = [json.loads(response) for name in names for response, _ in self.rows(name).values()]
        return [sum(r[member] for r in responses) for member in ("prompt_tokens", "completion_tokens")]


class Lines(Journals):
    """Exports, and what is imported."""

    def setUp(self):
        super().setUp()
        with Server(rules=RULES) as server:
            self.check(server, chains(0, 1), "a")
        self.assert_ended(rederive("journal", "export", self.path("a"), "--out", self.path("a.jsonl")), 0)

    def imported(self, name, status=0):
        ended = rederive("journal", "import", self.path("new"), self.path(name))
        self.assert_ended(ended, status)
        return ended.err

    def test_blank_lines_and_gzip(self):
        text = self.read("a.jsonl")
        self.write("blank.jsonl", "\n" + text.replace("\n", "\r\n") + " \n\n" + text.rstrip("\n"))
        self.write("packed.jsonl.gz", gzip.compress(text.encode()))
        self.assertEqual(self.imported("blank.jsonl"), f"{CALLS} replies added, {CALLS} already present, 0 invalid lines\n")
        self.assertEqual(self.imported("packed.jsonl.gz"), f"0 replies added, {CALLS} already present, 0 invalid lines\n")
        self.assertEqual(self.rows("new"), self.rows("a"))

    def test_a_line_of_65_megabytes(self):
        self.write("long.jsonl", "x" * (65 << 20) + "\n" + self.read("a.jsonl"))
        told = self.imported("long.jsonl", status=1)
        self.assertIn("long.jsonl:1: longer than 64 MB: left out\n", told)
        self.assertIn(f"{CALLS} replies added, 0 already present, 1 invalid lines", told)

    def test_a_journal_is_not_lines(self):
        told = self.imported("a", status=3)
        self.assertIn("a is a journal, and no lines of one: write 'journal merge NEW OLD...'", told)
        self.assertEqual(told.count("\n"), 1)

    def test_an_export_does_not_replace_its_journal(self):
        before = self.rows("a")
        os.link(self.path("a"), self.path("b"))
        for name in ("a", "b"):
            ended = rederive("journal", "export", self.path("a"), "--out", self.path(name))
            self.assert_ended(ended, 2)
            self.assertIn("would replace", ended.err)
        self.assertEqual(self.rows("a"), before)


class Merged(Journals):
    def test_two_workers(self):
        """No reply is lost, and the merged journal answers everything of both runs."""
        with Server(rules=RULES) as server:
            for name, first, last in (("a", 0, 6), ("b", 6, 10)):
                self.check(server, chains(first, last), name)
            expected = rederive("check", "-q", "-m", "selfcheck", "-M", server.url, stdin=chains(0, 10)).out
        counts = self.merge("all", "a", "b")
        self.assertEqual(counts, {"n_journals": 2, "n_responses": 10 * CALLS, "n_copies": 0, "n_repeated": 0,
                                  "n_conflicts": 0, "prompt_tokens": self.tokens("a", "b")[0],
                                  "completion_tokens": self.tokens("a", "b")[1]})
        self.assertEqual(self.rows("all"), self.rows("a") | self.rows("b"))
        ended, summary = self.check("http://127.0.0.1:1/v1#fake", chains(0, 10), "all")
        self.assertEqual([ended.out, summary["n_calls"]], [expected, 0])
        info = json.loads(rederive("journal", "info", "--json", self.path("all")).out)
        self.assertEqual([info["n_responses"], info["prompt_tokens"]], [10 * CALLS, self.tokens("a", "b")[0]])
        self.assertEqual(sorted(os.listdir(self.folder)), ["a", "all", "b"])

    def test_the_same_reply_once(self):
        """A copy of a reply was paid for once; one that was received again, twice."""
        with Server(rules=RULES) as server:
            self.check(server, chains(0, 3), "a")
            shutil.copy(self.path("a"), self.path("copy"))
            time.sleep(0.01)
            self.check(server, chains(2, 4), "again")
        counts = self.merge("all", "a", "copy", "again")
        self.assertEqual([counts[n] for n in ("n_responses", "n_copies", "n_repeated", "n_conflicts")],
                         [4 * CALLS, 3 * CALLS, CALLS, 0])
        self.assertEqual([counts["prompt_tokens"], counts["completion_tokens"]], self.tokens("a", "again"))

    def test_other_replies_to_the_same_request(self):
        """The journal named first wins, in any number of merges."""
        for name, rules in (("a", RULES), ("b", OTHER_RULES)):
            with Server(rules=rules) as server:
                self.check(server, chains(0, 2), name)
        counts = self.merge("ab", "a", "b")
        self.assertEqual([counts["n_repeated"], counts["n_conflicts"]], [len(set(self.rows("a")) & set(self.rows("b")))] * 2)
        self.assertGreater(counts["n_conflicts"], 0)
        self.assertEqual(self.rows("ab"), self.rows("b") | self.rows("a"))
        self.merge("ba", "b", "a")
        self.assertEqual(self.rows("ba"), self.rows("a") | self.rows("b"))
        self.merge("aba", "ab", "ba")
        self.assertEqual(self.rows("aba"), self.rows("ab"))

    def test_exports_and_logs_of_killed_runs(self):
        """A journal that a killed worker left is read with its log, and an export like a journal."""
        with Server(rules=RULES, delay=0.02) as server:
            self.check(server, chains(0, 2), "a")
            process = subprocess.Popen([PROGRAM, "check", "-q", "-m", "selfcheck", "-j", "2", "-M", server.url, "--journal", self.path("b"),
                                        self.write("in", chains(2, 40))], stdout=subprocess.DEVNULL)
            while len(server.asked()) < 2 * CALLS + 40:
                time.sleep(0.005)
            process.kill()
            process.wait()
        self.assertTrue(os.path.exists(self.path("b-wal")))
        self.assert_ended(rederive("journal", "export", self.path("a"), "-o", self.path("a.jsonl")), 0)
        counts = self.merge("all", "a.jsonl", "b")
        self.assertEqual(self.rows("all"), self.rows("a") | self.rows("b"))
        self.assertGreater(counts["n_responses"], 2 * CALLS + 20)

    def test_what_is_refused(self):
        with Server(rules=RULES) as server:
            self.check(server, chains(0, 1), "a")
        self.write("text", "not a journal\n")
        with open(self.path("a"), "rb") as file:
            old = bytearray(file.read())
        old[60:64] = (2).to_bytes(4, "big")  # SQLite's user_version
        self.write("old", bytes(old))
        bad = bytes(old[:60]) + (3).to_bytes(4, "big") + bytes(old[64:])
        self.write("bad", bad.replace(b'"finish_reason":"stop"', b'"finish_reason":"xtop"', 1))
        for names, why in ((("a", "text"), "text line 1"), (("a", "missing"), "No such file"), (("a", "old"), "is of version 2"),
                           (("a", "bad"), "is damaged")):
            ended = self.merge("all", *names, status=3)
            self.assertIn(why, ended.err)
            self.assertEqual(ended.err.count("\n"), 1, ended.err)
            self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("all")], [])
        before = self.rows("a")
        self.assertIn("exists; name a new file", self.merge("a", "old", status=3).err)
        self.assertEqual(self.rows("a"), before)
        self.assertIn("no journals to merge", self.merge("all", status=3).err)

    def test_a_journal_of_the_working_name_is_not_written_over(self):
        with Server(rules=RULES) as server:
            self.check(server, chains(0, 1), "a.partial")
        os.symlink(self.path("a.partial"), self.path("b"))
        for name in ("a.partial", "b"):
            ended = self.merge("a", name, status=3)
            self.assertIn(f"{name} would be written over", ended.err)
            self.assertEqual(len(self.rows("a.partial")), CALLS)
        self.assertFalse(os.path.exists(self.path("a")))
        ended = rederive("journal", "merge", "", self.path("b"), cwd=self.folder)
        self.assert_ended(ended, 3)
        self.assertIn("needs a name", ended.err)
        self.assertEqual(sorted(os.listdir(self.folder)), ["a.partial", "b"])

    def test_requests_that_wait_for_results_are_told(self):
        self.check("http://127.0.0.1:9/v1#fake", chains(0, 2), "a", "--batch-out", self.path("r.jsonl"), status=6)
        with open(self.path("r-001.jsonl"), encoding="utf-8") as file:
            n = len(file.readlines())
        for name, told in (("all", 1), ("again", 0)):
            ended = rederive("journal", "merge", self.path(name), self.path("a"))
            self.assert_ended(ended, 0)
            self.assertEqual(ended.err.count(f"{n} requests of a batch wait for results"), told)
            with sqlite3.connect(self.path("a")) as journal:
                journal.execute("UPDATE batch_requests SET state = 1")
            journal.close()

    def test_it_appears_when_it_is_complete(self):
        """Ctrl-C leaves nothing, a kill what the next merge writes over, and a journal in use is refused."""
        with Server(rules=RULES) as server:
            self.check(server, chains(0, 3), "a")
        rows = rederive("journal", "export", self.path("a")).out.splitlines()
        many = []  # so that the merge takes some time
        for i in range(30000):
            line = json.loads(rows[i % len(rows)])
            line["key"] = f"{i:064x}"
            del line["sha256"]
            many.append(json.dumps(line))
        self.write("many.jsonl", "\n".join(many) + "\n")
        self.assert_ended(rederive("journal", "import", "-q", self.path("many"), self.path("many.jsonl")), 0)
        command = [PROGRAM, "journal", "merge", self.path("all"), self.path("many"), self.path("a")]
        rng = random.Random(5)
        for how in [signal.SIGINT] * 3 + [signal.SIGKILL] * 3:
            process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
            deadline = time.monotonic() + 20
            while not os.path.exists(self.path("all.partial")) and process.poll() is None and time.monotonic() < deadline:
                time.sleep(0.001)
            time.sleep(rng.uniform(0, 0.1))
            process.send_signal(how)
            err = process.communicate(timeout=60)[1]
            if os.path.exists(self.path("all")):  # it was complete already
                self.assertEqual(len(self.rows("all")), 30000 + 3 * CALLS)
                os.remove(self.path("all"))
                continue
            if how == signal.SIGINT:
                self.assertEqual(process.returncode, 130, err)
                self.assertFalse(os.path.exists(self.path("all.partial")))
        self.assertEqual(self.merge("all", "many", "a")["n_responses"], 30000 + 3 * CALLS)
        self.assertFalse(os.path.exists(self.path("all.partial")))

    def test_a_journal_in_use(self):
        with Server(rules=RULES, delay=0.05) as server:
            process = subprocess.Popen([PROGRAM, "check", "-q", "-m", "selfcheck", "-M", server.url, "--journal", self.path("a"),
                                        self.write("in", chains(0, 40))], stdout=subprocess.DEVNULL)
            while len(server.asked()) < 10:
                time.sleep(0.005)
            ended = self.merge("all", "a", status=3)
            self.assertIn("is in use by another process", ended.err)
            process.kill()
            process.wait()


class Compacted(Journals):
    """What requests share is stored once, also in a journal of before; nothing of it is seen."""

    def made(self, name, version):
        """A journal of that version with the replies of 20 chains."""
        if version == 3:
            make_journal_v3(self.path(name))
        with Server(rules=RULES) as server:
            self.check(server, chains(0, 20), name)
        self.assertEqual(self.version(name), version)
        return self.exported(name)

    def version(self, name):
        with sqlite3.connect(self.path(name)) as base:
            return base.execute("PRAGMA user_version").fetchone()[0]

    def exported(self, name):
        ended = rederive("journal", "export", self.path(name))
        self.assert_ended(ended, 0)
        return [{member: value for member, value in json.loads(line).items() if member not in ("created_ms", "sha256")}
                for line in ended.out.splitlines()]

    def compact(self, name):
        ended = rederive("journal", "compact", "--json", self.path(name))
        self.assert_ended(ended, 0)
        return json.loads(ended.out)

    def test_both_versions_have_the_same_lines(self):
        self.assertEqual(self.made("new", 4), self.made("old", 3))
        before = rederive("journal", "export", self.path("old")).out
        size = os.path.getsize(self.path("old"))
        counts = self.compact("old")
        self.assertEqual(counts, {"n_responses": 20 * CALLS, "n_parts_removed": 0, "bytes_before": size,
                                  "bytes_after": os.path.getsize(self.path("old"))})
        self.assertLess(counts["bytes_after"], size)
        self.assertEqual(self.version("old"), 4)
        self.assertEqual(rederive("journal", "export", self.path("old")).out, before)
        ended, summary = self.check("http://127.0.0.1:1/v1#fake", chains(0, 20), "old")
        self.assertEqual(summary["n_calls"], 0)
        self.assertEqual(self.compact("old")["bytes_after"], counts["bytes_after"])

    def test_what_is_refused(self):
        ended = rederive("journal", "compact", self.path("missing"))
        self.assert_ended(ended, 3)
        self.assertIn("missing: No such file", ended.err)
        self.assertEqual(os.listdir(self.folder), [])
        self.write("text", "not a journal, but a text that is longer than the head of a database\n" * 3)
        ended = rederive("journal", "compact", self.path("text"))
        self.assert_ended(ended, 3)
        self.assertIn("is not a journal", ended.err)
        self.assertEqual(ended.err.count("\n"), 1)

    def test_a_kill_leaves_all_replies(self):
        self.made("a", 4)
        rows = [json.loads(line) for line in rederive("journal", "export", self.path("a")).out.splitlines()]
        many = []  # so that it takes some time
        for i in range(20000):
            line = dict(rows[i % len(rows)], key=f"{i:064x}")
            del line["sha256"]
            many.append(json.dumps(line))
        self.write("many.jsonl", "\n".join(many) + "\n")
        make_journal_v3(self.path("many"))
        self.assert_ended(rederive("journal", "import", "-q", self.path("many"), self.path("many.jsonl")), 0)
        before, rng = self.rows("many"), random.Random(3)
        for how in [signal.SIGKILL] * 6 + [signal.SIGINT] * 2:
            shutil.copy(self.path("many"), self.path("old"))
            process = subprocess.Popen([PROGRAM, "journal", "compact", "-q", self.path("old")], stderr=subprocess.DEVNULL)
            time.sleep(rng.uniform(0.05, 1))
            process.send_signal(how)
            process.wait()
            self.assert_ended(rederive("journal", "info", self.path("old")), 0)
            self.assertEqual(self.rows("old"), before)
            self.assertIn(self.version("old"), (3, 4))
            for end in ("", "-wal", "-shm", "-journal"):
                if os.path.exists(self.path("old" + end)):
                    os.remove(self.path("old" + end))


class ManyWriters(Journals):
    def test_one_at_a_time(self):
        """Of eight processes at once one has the journal; the others end at once, and ask nothing."""
        with Server(rules=RULES, delay=0.02) as server:
            command = [PROGRAM, "check", "-q", "-m", "selfcheck", "-M", server.url, "--journal", self.path("j"),
                       self.write("in", chains(0, 12))]
            workers = [subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) for _ in range(8)]
            ended = [(*worker.communicate(timeout=60), worker.returncode) for worker in workers]
            asked = server.asked()
        done = [out for out, _, status in ended if status == 0]
        self.assertGreaterEqual(len(done), 1)
        self.assertEqual(len(set(done)), 1)
        for _, err, status in ended:
            self.assertIn(status, (0, 3))
            if status == 3:
                self.assertEqual(err, f"rederive: journal {self.path('j')} is in use by another process\n")
        self.assertEqual(len(asked), 12 * CALLS, "nobody asked what another had asked")
        self.assertEqual(len(self.rows("j")), 12 * CALLS)

    def test_eight_with_a_journal_each_and_kills(self):
        """Workers with a journal each share the chains; half are killed and started again; merged, nothing is lost,
        and what was asked twice is exactly what was in flight."""
        jobs, kills = 2, 0
        rng = random.Random(3)
        with Server(rules=RULES, delay=0.01) as server:
            def start(i):
                return subprocess.Popen([PROGRAM, "check", "-q", "-m", "selfcheck", "-j", str(jobs), "-M", server.url, "-o",
                                         self.path(f"w{i}.jsonl"), self.path(f"in{i}")], stderr=subprocess.DEVNULL)
            for i in range(8):
                self.write(f"in{i}", chains(5 * i, 5 * i + 5))
            workers = [start(i) for i in range(8)]
            while len(server.asked()) < 60:
                time.sleep(0.005)
            for i in rng.sample(range(8), 4):
                kills += workers[i].poll() is None
                workers[i].kill()
                workers[i].wait()
                workers[i] = start(i)
            self.assertEqual([worker.wait(timeout=60) for worker in workers], [0] * 8)
            asked = server.asked()
        self.assertGreater(kills, 0)
        counts = self.merge("all", *(f"w{i}.jsonl.journal" for i in range(8)))
        self.assertEqual([counts["n_responses"], counts["n_repeated"], counts["n_copies"]], [40 * CALLS, 0, 0])
        repeated = len(asked) - len(set(asked))
        self.assertEqual(len(asked) - repeated, 40 * CALLS)
        self.assertLessEqual(repeated, kills * jobs)
        ended, summary = self.check("http://127.0.0.1:1/v1#fake", chains(0, 40), "all")
        self.assertEqual(ended.out, "".join(self.read(f"w{i}.jsonl") for i in range(8)))
        self.assertEqual(summary["n_calls"], 0)


if __name__ == "__main__":
    unittest.main()
