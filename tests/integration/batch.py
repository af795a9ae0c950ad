# SPDX-License-Identifier: Apache-2.0
"""Runs in rounds by OpenAI's Batch format: --batch-out, and journal import --batch. A provider is
tests/fake/batch_runner.py at a scripted server; the same run with that server gives what is expected."""
import gzip
import json
import os
import pathlib
import random
import signal
import sqlite3
import subprocess
import sys
import time
import unittest

sys.path.insert(0, str(pathlib.Path(os.environ["RDV_SOURCE"]) / "tests/fake"))
import batch_runner
from scripted import COMPARE, SELFCHECK, SOLVE, Server
from support import PROGRAM, Case, chain, lines, rederive

WAITING = 6
NOT_SENT = "http://127.0.0.1:9/v1#fake"  # nothing listens there
CHAINS = lines(*[chain(id=f"c{i}", question=f"What is {i} + 3?", answer=str(i + 3), gold=str(i + 3),
                       steps=[f"{i} + 3 = {i + 3}.", f"So the answer is {i + 3}."]) for i in range(8)])
QUESTIONS = lines(*[{"question_id": f"q{i}", "question": f"What is {i} + 3?", "gold": "5"} for i in range(3)])


def replies_in(journal):
    """Every reply in a journal, without its time and its checksum."""
    rows = [json.loads(line) for line in rederive("journal", "export", journal).out.splitlines()]
    return sorted(json.dumps({n: v for n, v in row.items() if n not in ("created_ms", "sha256")}) for row in rows)


class Batch(Case):
    """A run in rounds. `self.results` changes the results of each round before they are imported."""

    def setUp(self):
        super().setUp()
        self.write("chains.jsonl", CHAINS)
        self.write("questions.jsonl", QUESTIONS)
        self.out, self.journal = self.path("out.jsonl"), self.path("out.jsonl.journal")
        self.files, self.errors, self.asked = [], [], 0

    def round(self, *command, status=None):
        """Run the command once. The files that it wrote are the new ones; if it wrote none although results
        are needed, all results of a file were lost, and only a person can know that."""
        before = set(self.request_files())
        ended = rederive(*command, "--batch-out", self.path("requests.jsonl"), "--out", self.out)
        if status is not None:
            self.assert_ended(ended, status)
        self.assertNotIn("Sanitizer", ended.err)
        self.files = sorted(set(self.request_files()) - before)
        self.errors.append(ended.err)
        return ended

    def round_again(self, *command):
        ended = self.round(*command)
        if ended.status == WAITING and not self.files:
            ended = self.round(*command, "--batch-again")
        return ended

    def request_files(self):
        return [str(path) for path in pathlib.Path(self.folder).glob("requests-*.jsonl")]

    def import_results(self, results, status=0, name="results.jsonl"):
        path = self.write(name, results if isinstance(results, (str, bytes)) else lines(*results))
        ended = rederive("journal", "import", "--batch", self.journal, path)
        if status is not None:
            self.assert_ended(ended, status)
        return ended

    def run_rounds(self, server, *command, results=lambda made, round: made, most=12, status=0, import_status=0):
        """Round by round until the command is done. Returns the number of rounds that wrote requests."""
        for number in range(most):
            ended = self.round_again(*command)
            if ended.status != WAITING:
                self.assert_ended(ended, status)
                return number
            self.assertFalse(os.path.exists(self.out), "there is output before all is done")
            made = batch_runner.run(server.base, self.files)
            self.asked += len(made)
            changed = results(made, number)
            self.import_results(changed, import_status)
        self.fail(f"not done after {most} rounds: {ended.err}")

    def directly(self, server, *command, status=0):
        """The same at the server itself: its records, and the requests that it sent for them."""
        server.forget()
        out = self.path("direct.jsonl")
        # A batch offers no form of replies and asks for each sample alone, because nothing is found out before it.
        plain = () if "--structured" in command or command[0] == "solve" and "-m" not in command else (
            "--no-structured",)
        self.assert_ended(rederive(*command, *plain, "--separate-samples", "-M", server.url, "--out", out, "-q"), status)
        return self.read("direct.jsonl"), len(server.requests())


class Rounds(Batch):
    def compare(self, rules, rounds, *command, form=None, **script):
        with Server(rules=rules, server=form or "openai", **script) as server:
            told = ("--batch-server", form) if form else ()
            found = self.run_rounds(server, *command, "-M", server.url, *told)
            direct, sent = self.directly(server, *command)
        self.assertEqual(self.read("out.jsonl"), direct)
        self.assertEqual(replies_in(self.journal), replies_in(self.path("direct.jsonl.journal")))
        self.assertEqual(self.asked, sent)
        self.assertEqual(found, rounds)

    def test_selfcheck_takes_three(self):
        self.compare(SELFCHECK, 3, "check", "-m", "selfcheck", self.path("chains.jsonl"))
        self.assertRegex(self.errors[0], r"round 1: \d+ requests written to 1 file, 0 of them again; 0 more expected "
                                         r"from earlier rounds; 0 of 8 records done")
        self.assertIn(f"journal import --batch {self.journal} RESULTS...", self.errors[0])

    def test_locators(self):
        rules = [{"contains": "Is Thought", "reply": "Yes"}, {"contains": "", "reply": "No mistake."}]
        for method in ("direct-trace", "direct-step", "cot-step"):
            with self.subTest(method=method):
                self.setUp()
                rounds = {"direct-trace": 1, "direct-step": 2, "cot-step": 2}[method]
                self.compare_loosely(rules, rounds, "check", "-m", method, self.path("chains.jsonl"))

    def compare_loosely(self, rules, rounds, *command):
        """Replies that no reader understands are asked for again, so there may be more rounds."""
        with Server(rules=rules, server="openai") as server:
            found = self.run_rounds(server, *command, "-M", server.url)
            direct, sent = self.directly(server, *command)
        self.assertEqual(self.read("out.jsonl"), direct)
        self.assertEqual(self.asked, sent)
        self.assertGreaterEqual(found, rounds)

    def test_general_on_vllm(self):
        rules = [{"contains": "relevant information", "reply": "Yes, the draft solution adds relevant information."},
                 {"contains": "python list", "reply": "[]"},
                 {"contains": "we can conclude that the Last Step is", "reply": " not a contradiction, since it agrees."}]
        # the lists of calculations cannot be read, so they are asked for once more
        self.compare(rules, 2, "check", "-m", "general", self.path("chains.jsonl"), form="vllm")
        self.assertIn("score", {json.loads(row)["operation"] for row in replies_in(self.journal)})

    def test_perplexity_has_no_scores_at_openai(self):
        with Server(server="openai") as server:
            self.assertEqual(self.run_rounds(server, "check", "-m", "perplexity", "-M", server.url,
                                             self.path("chains.jsonl"), status=1), 0)
            direct, _ = self.directly(server, "check", "-m", "perplexity", self.path("chains.jsonl"), status=1)
        self.assertEqual(self.read("out.jsonl"), direct)

    def test_solve(self):
        self.compare(SOLVE, 4, "solve", "-n", "3", "-m", "selfcheck", "--stop", "none", self.path("questions.jsonl"))

    def test_repair(self):
        self.write("wrong.jsonl", lines(chain(id="w", steps=["2 + 3 = 6", "So it is 6."], answer="6", label=0)))
        rules = [{"contains": "", "reply": "2 + 3 = 5. So the answer is 5."}]
        with Server(rules=rules, server="openai") as server:
            command = ("repair", "-l", "calculations", self.path("wrong.jsonl"))
            self.run_rounds(server, *command, "-M", server.url)
            direct, sent = self.directly(server, *command)
        self.assertEqual((self.read("out.jsonl"), self.asked), (direct, sent))

    def test_two_models_have_files_of_their_own(self):
        with Server(rules=[SOLVE[0]], server="openai") as solver, \
                Server(rules=SELFCHECK, server="openai", models=["other"]) as checker:
            command = ("solve", "-n", "2", "-m", "selfcheck", "--stop", "none", "-M", solver.url, "--checker",
                       checker.base + "/v1#other", self.path("questions.jsonl"))
            direct = rederive(*command, "-q")
            for number in range(6):
                ended = self.round(*command)
                if ended.status != WAITING:
                    break
                results = []
                for path in self.files:
                    model, = {r["body"]["model"] for r in batch_runner.requests_of(path)}
                    results += batch_runner.run((solver if model == "fake" else checker).base, [path])
                self.import_results(results)
        self.assert_ended(ended, 0)
        self.assertEqual((number, self.read("out.jsonl")), (4, direct.out))


class Faults(Batch):
    """Whatever happens to results, the records are those of a run without faults."""

    def worsen(self, seed):
        draw = random.Random(seed)

        def change(results, number):
            kept = []
            for result in results:
                fate = draw.random()
                if fate < 0.1:
                    continue  # lost
                if fate < 0.2:
                    result = dict(result, **draw.choice([
                        {"response": {"status_code": 429, "request_id": "r",
                                      "body": {"error": {"message": "Rate limit reached", "code": "rate_limit"}}}},
                        {"response": {"status_code": 500, "request_id": "r",
                                      "body": {"error": {"message": "The server had an error"}}}},
                        {"response": None, "error": {"code": "batch_expired", "message": "It expired."}}]))
                    result["id"] += f"-{number}"
                kept += [result] * draw.choice([1, 1, 1, 2])
            draw.shuffle(kept)
            return lines(*kept)[:-20] if len(kept) > 1 else lines(*kept)  # the last line is cut off

        return change

    def test_lost_failed_doubled_shuffled_and_cut_off(self):
        command = ("check", "-m", "selfcheck", self.path("chains.jsonl"))
        with Server(rules=SELFCHECK, server="openai") as server:
            direct, sent = self.directly(server, *command)
            for seed in range(3):
                self.setUp()
                rounds = self.run_rounds(server, *command, "-M", server.url, results=self.worsen(seed), import_status=None)
                self.assertEqual(self.read("out.jsonl"), direct)
                self.assertGreater(rounds, 3)
                self.assertGreater(self.asked, sent)
                self.assertEqual(len(replies_in(self.journal)), sent)

    def test_killed_between_rounds_and_imports(self):
        draw = random.Random(5)
        command = ("check", "-m", "selfcheck", self.path("chains.jsonl"))
        with Server(rules=SELFCHECK, server="openai") as server:
            direct, _ = self.directly(server, *command)
            for number in range(40):
                self.killed(draw, *command, "-M", server.url, "--batch-out", self.path("requests.jsonl"), "--out", self.out)
                ended = self.round(*command, "-M", server.url)
                if ended.status != WAITING:
                    break
                made = batch_runner.run(server.base, self.request_files())
                path = self.write("results.jsonl", lines(*made))
                self.killed(draw, "journal", "import", "--batch", self.journal, path)
                self.import_results(made)
        self.assertEqual(self.read("out.jsonl"), direct)

    def killed(self, draw, *command):
        process = subprocess.Popen([PROGRAM, *command], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(draw.uniform(0, 0.05))
        process.send_signal(signal.SIGKILL)
        process.wait()

    def test_a_file_that_never_got_its_name_is_written_again(self):
        """As if the run had been killed between the journal's commit and the renaming."""
        command = ("check", "-m", "selfcheck", "-M", NOT_SENT, self.path("chains.jsonl"))
        self.round(*command, status=WAITING)
        first = {r["custom_id"] for r in batch_runner.requests_of(self.files[0])}
        os.rename(self.files[0], self.files[0] + ".writing")
        with sqlite3.connect(self.journal) as journal:
            journal.execute("UPDATE batch_files SET named = 0")
        journal.close()
        self.round(*command, status=WAITING)
        self.assertEqual({r["custom_id"] for r in batch_runner.requests_of(self.files[0])}, first)

    def test_the_name_of_a_file_holds_in_another_folder(self):
        """A run that was killed right after the renaming, and the next one in another folder: nothing is lost."""
        command = ("check", "-m", "selfcheck", "-M", NOT_SENT, self.path("chains.jsonl"), "--out", self.out)
        self.assert_ended(rederive(*command, "--batch-out", "requests.jsonl", cwd=self.folder), WAITING)
        with sqlite3.connect(self.journal) as journal:
            journal.execute("UPDATE batch_files SET named = 0")
        journal.close()
        os.mkdir(self.path("other"))
        ended = rederive(*command, "--batch-out", "requests.jsonl", cwd=self.path("other"))
        self.assert_ended(ended, WAITING)
        self.assertIn("round 2: 0 requests written", ended.err)

    def test_what_the_journal_says_of_a_batch(self):
        """Counted independently: the requests of the files, less those whose results are there."""
        command = ("check", "-m", "selfcheck", "-M", NOT_SENT, self.path("chains.jsonl"))
        self.round(*command, "--batch-size", "10", status=WAITING)
        written = [r["custom_id"] for path in self.files for r in batch_runner.requests_of(path)]
        fault = {"status_code": 500, "body": {"error": {"message": "no"}}}
        self.import_results([{"id": f"r{i}", "custom_id": name, "response": fault} for i, name in enumerate(written[:3])],
                            status=None)
        info = json.loads(rederive("journal", "info", "--json", self.journal).out)
        counts = info["batch"]
        self.assertEqual((counts["n_files"], counts["n_rounds"]), (len(self.files), 1))
        self.assertEqual(counts["n_failed"], 3)
        self.assertEqual(sum(counts[n] for n in ("n_expected", "n_lost", "n_failed", "n_refused")), len(written))
        self.assertIn(f"batch: files {len(self.files)}, rounds 1; requests without a reply: expected "
                      f"{counts['n_expected']}, lost", rederive("journal", "info", self.journal).out)

    def test_results_in_two_files_and_packed(self):
        command = ("check", "-m", "selfcheck", self.path("chains.jsonl"))
        with Server(rules=SELFCHECK, server="openai") as server:
            direct, _ = self.directly(server, *command)
            while self.round(*command, "-M", server.url).status == WAITING:
                made = batch_runner.run(server.base, self.files)
                a = self.write("a.jsonl.gz", gzip.compress(lines(*made[::2]).encode()))
                b = self.write("b.jsonl", lines(*made[1::2]).replace("\n", "\r\n"))
                ended = rederive("journal", "import", "--batch", self.journal, a, b)
                self.assert_ended(ended, 0)
                self.assertIn(" 0 without a result", ended.err)
        self.assertEqual(self.read("out.jsonl"), direct)


class Failures(Batch):
    def expired(self, results, number):
        return [dict(r, id=f"{r['custom_id'][:8]}-{number}", response=None,
                     error={"code": "batch_expired", "message": "This request could not be executed in time."})
                for r in results]

    def test_fail_for_good_after_their_tries(self):
        command = ("check", "-m", "direct-trace", "--retries", "2", self.path("chains.jsonl"))
        with Server(server="openai") as server:
            rounds = self.run_rounds(server, *command, "-M", server.url, results=self.expired, status=1)
        self.assertEqual((rounds, self.asked), (3, 24))
        for line in self.read("out.jsonl").splitlines():
            record = json.loads(line)
            self.assertEqual({v["verdict"] for v in record["verdicts"]}, {"unknown"})
            self.assertIn("could not be executed in time", record["verdicts"][0]["explanation"])
        self.round(*command, "-M", NOT_SENT, "--batch-again", status=WAITING)
        self.assertEqual(len(batch_runner.requests_of(self.files[0])), 8)

    def test_the_same_failure_counts_once(self):
        command = ("check", "-m", "direct-trace", "--retries", "1", "-M", NOT_SENT, self.path("chains.jsonl"))
        self.round(*command, status=WAITING)
        failed = self.expired([{"custom_id": r["custom_id"]} for r in batch_runner.requests_of(self.files[0])], 0)
        self.assertIn("to be asked again: 8 failed", self.import_results(failed).err)
        self.assertIn(" 8 already present; to be asked again: 0 failed", self.import_results(failed).err)
        self.round(*command, status=WAITING)
        self.assertIn(" 8 already present; to be asked again: 0 failed, 0 without a result",
                      self.import_results(failed).err)
        ended = self.round(*command, status=WAITING)  # what the second file has is still expected
        self.assertEqual(self.files, [])
        self.assertIn("if they will never come, add --batch-again", ended.err)

    def test_late_results_of_an_earlier_file_lose_none_of_the_next(self):
        """The results of one file come in two parts; what was taken as lost is in the next file meanwhile."""
        command = ("check", "-m", "selfcheck", self.path("chains.jsonl"))
        with Server(rules=SELFCHECK, server="openai") as server:
            self.round(*command, "-M", server.url, status=WAITING)
            first = batch_runner.run(server.base, self.files)
            self.assertIn(" 10 without a result", self.import_results(first[:-10]).err)
            self.round(*command, "-M", server.url, status=WAITING)
            second = batch_runner.run(server.base, self.files)
            self.assertGreater(len(second), 10)
            self.assertIn("10 replies added, 0 already present; to be asked again: 0 failed, 0 without a result",
                          self.import_results(first[-10:]).err)
            self.assertIn(f"{len(second) - 10} replies added, 10 already present", self.import_results(second).err)

    def test_a_refused_request_fails_as_it_does_directly(self):
        rules = [{"contains": "What is 3 + 3?", "status": 400,
                  "body": {"error": {"message": "blocked by a policy", "code": "content_policy"}}}]
        command = ("check", "-m", "direct-trace", self.path("chains.jsonl"))
        with Server(rules=rules, server="openai") as server:
            self.run_rounds(server, *command, "-M", server.url, status=1)
            direct, sent = self.directly(server, *command, status=1)
        self.assertEqual((self.read("out.jsonl"), self.asked), (direct, sent))

    def test_what_a_model_refuses_is_written_in_another_form(self):
        """A model that takes max_completion_tokens and no temperature; each costs a round."""
        differences = ["max-completion-tokens", "no-temperature"]
        command = ("check", "-m", "selfcheck", self.path("chains.jsonl"))
        with Server(rules=SELFCHECK, server="openai", differences=differences) as server:
            direct, _ = self.directly(server, *command)
            self.assertEqual(self.run_rounds(server, *command, "-M", server.url), 5)
        self.assertEqual(self.read("out.jsonl"), direct)
        last = batch_runner.requests_of(sorted(self.request_files())[-1])
        self.assertTrue(all("max_completion_tokens" in r["body"] and "temperature" not in r["body"] for r in last))
        self.setUp()
        with Server(rules=SELFCHECK, server="openai", differences=differences) as server:
            self.assertEqual(self.run_rounds(server, *command, "-M", server.url, "--batch-server", "openai-reasoning"), 3)
        self.assertEqual(self.read("out.jsonl"), direct)

    def test_an_unreadable_reply_is_asked_for_again(self):
        def spoil(results, number):
            return [dict(r, id=f"{number}-{i}", response=dict(r["response"], body={"choices": []})) if number == 0
                    else r for i, r in enumerate(results)]
        command = ("check", "-m", "selfcheck", self.path("chains.jsonl"))
        with Server(rules=SELFCHECK, server="openai") as server:
            direct, _ = self.directly(server, *command)
            self.assertEqual(self.run_rounds(server, *command, "-M", server.url, results=spoil), 4)
        self.assertEqual(self.read("out.jsonl"), direct)

    def test_forms_of_failures(self):
        """As OpenAI and vLLM write them: in the body, beside it, twice nested, as a text."""
        command = ("check", "-m", "direct-trace", "-M", NOT_SENT, self.path("chains.jsonl"))
        self.round(*command, status=WAITING)
        ids = [r["custom_id"] for r in batch_runner.requests_of(self.files[0])]
        inner = {"message": "too long for it", "type": "BadRequestError", "param": None, "code": 400}
        forms = [{"response": {"status_code": 400, "request_id": "r", "body": {"error": inner}}, "error": None},
                 {"response": {"status_code": 400, "request_id": "r", "body": None}, "error": inner},
                 {"response": {"status_code": 400, "request_id": "r"}, "error": {"error": inner}},
                 {"response": {"status_code": 400, "request_id": "r"}, "error": "too long for it"}]
        ended = self.import_results([{"id": f"x{i}", "custom_id": ids[i], **form} for i, form in enumerate(forms[:3])])
        self.assertEqual(ended.err.count("HTTP 400: too long for it"), 3)
        ended = self.import_results([{"id": "x3", "custom_id": ids[3], **forms[3]}])
        self.assertEqual(ended.err.count("HTTP 400: too long for it"), 1)
        self.assertIn("1 failed for good", ended.err)


class Files(Batch):
    def test_are_split_and_never_replaced(self):
        command = ("check", "-m", "selfcheck", "-M", NOT_SENT, "--batch-size", "7", self.path("chains.jsonl"))
        self.round(*command, status=WAITING)
        sizes = [len(batch_runner.requests_of(path)) for path in self.files]
        self.assertEqual(set(sizes[:-1]), {7})
        self.assertEqual([os.path.basename(path) for path in self.files],
                         [f"requests-{i + 1:03d}.jsonl" for i in range(len(sizes))])
        ids = [r["custom_id"] for path in self.files for r in batch_runner.requests_of(path)]
        self.assertEqual(len(set(ids)), len(ids))
        os.remove(self.journal)
        self.assert_ended(self.round(*command), 3)
        self.assertIn("requests-001.jsonl exists, and is not one that this journal knows", self.errors[-1])
        self.assertEqual([], [p for p in os.listdir(self.folder) if p.endswith(".writing")])

    def test_what_is_expected_is_not_written_again(self):
        command = ("check", "-m", "selfcheck", "-M", NOT_SENT, self.path("chains.jsonl"))
        self.round(*command, status=WAITING)
        first = {r["custom_id"] for r in batch_runner.requests_of(self.files[0])}
        self.round(*command, status=WAITING)
        self.assertEqual(self.files, [])
        self.assertIn(f"0 requests written to 0 files, 0 of them again; {len(first)} more expected", self.errors[-1])
        ended = self.round(*command, "--batch-again", "--json", status=WAITING)
        self.assertEqual({r["custom_id"] for r in batch_runner.requests_of(self.files[0])}, first)
        self.assertEqual(json.loads(ended.err.splitlines()[-1])["batch"],
                         {"round": 2, "n_files": 1, "n_written": len(first), "n_again": len(first), "n_expected": 0})

    def test_nothing_is_done_before_its_results_came(self):
        """However often the command is run meanwhile."""
        command = ("check", "-m", "selfcheck", "-M", NOT_SENT, self.path("chains.jsonl"))
        self.round(*command, status=WAITING)
        first = len(batch_runner.requests_of(self.files[0]))
        for _ in range(4):
            self.round(*command, status=WAITING)
            self.assertIn(f"round 2: 0 requests written to 0 files, 0 of them again; {first} more expected", self.errors[-1])
            self.assertFalse(os.path.exists(self.out))

    def test_a_part_of_the_files_may_come_first(self):
        command = ("check", "-m", "selfcheck", self.path("chains.jsonl"))
        with Server(rules=SELFCHECK, server="openai") as server:
            direct, sent = self.directly(server, *command)
            self.round(*command, "-M", server.url, "--batch-size", "20", status=WAITING)
            waiting = self.files
            self.assertGreater(len(waiting), 1)
            for _ in range(8):  # always the oldest file only
                self.asked += len(batch_runner.requests_of(waiting[0]))
                self.import_results(batch_runner.run(server.base, waiting[:1]))
                ended = self.round(*command, "-M", server.url, "--batch-size", "20")
                waiting = waiting[1:] + self.files
                if ended.status != WAITING:
                    break
        self.assertEqual((self.read("out.jsonl"), self.asked), (direct, sent))

    def test_max_calls_limits_a_round(self):
        self.round("check", "-m", "selfcheck", "-M", NOT_SENT, "--max-calls", "5", self.path("chains.jsonl"), status=WAITING)
        self.assertEqual(len(batch_runner.requests_of(self.files[0])), 5)

    def test_nothing_is_sent(self):
        with Server(rules=SELFCHECK, server="openai") as server:
            self.round("check", "-m", "selfcheck", "-M", server.url, self.path("chains.jsonl"), status=WAITING)
            self.assertEqual(server.lines(), [])

    def test_the_rest_can_be_asked_directly(self):
        with Server(rules=SELFCHECK, server="openai") as server:
            command = ("check", "-m", "selfcheck", "-M", server.url, self.path("chains.jsonl"))
            self.round(*command, status=WAITING)
            made = batch_runner.run(server.base, self.files)
            self.import_results(made)
            server.forget()
            ended = rederive(*command, "--out", self.out)
            self.assert_ended(ended, 0)
            self.assertNotIn("of a batch", ended.err)
            self.assertEqual(len(server.requests()) + len(made), len(replies_in(self.journal)))
            # a result that comes later is known
            self.assertIn("0 replies added", self.import_results(made).err)

    def test_a_direct_run_tells_that_a_batch_is_expected(self):
        with Server(rules=SELFCHECK, server="openai") as server:
            command = ("check", "-m", "selfcheck", "-M", server.url, self.path("chains.jsonl"))
            self.round(*command, status=WAITING)
            n = len(batch_runner.requests_of(self.files[0]))
            ended = rederive(*command, "--out", self.out, "--max-calls", "1")
            self.assertIn(f"{n} requests of a batch wait for results in {self.journal}", ended.err)
            ended = rederive(*command, "--out", self.out)
            self.assertIn(f"{n - 1} requests of a batch wait for results in {self.journal}", ended.err)
            self.assertNotIn("of a batch", rederive(*command, "--out", self.out).err)

    def test_records_that_are_done_are_kept_aside(self):
        """The record of a chain that needs no model is in FILE.partial, and on standard output."""
        mixed = self.write("mixed.jsonl", "no json\n" + CHAINS)
        ended = self.round("check", "-m", "selfcheck", "-M", NOT_SENT, mixed, status=WAITING)
        self.assertFalse(os.path.exists(self.out))
        self.assertEqual(len(self.read("out.jsonl.partial").splitlines()), 1)
        self.assertIn("mixed.jsonl:1:", ended.err)


class Hostile(Batch):
    def test_each_line_gets_one_line(self):
        self.round("check", "-m", "selfcheck", "-M", NOT_SENT, self.path("chains.jsonl"), status=WAITING)
        good = batch_runner.requests_of(self.files[0])[0]["custom_id"]
        whole = {"status_code": 200, "request_id": "r", "body": {}}
        bad = ["{", "[]", "7", '"x"', "null", "\xff", "{}", '{"custom_id": 7, "response": {}}',
               json.dumps({"custom_id": good}), json.dumps({"custom_id": good, "response": None, "error": None}),
               json.dumps({"custom_id": "x", "response": whole}), json.dumps({"custom_id": "0" * 64, "response": whole}),
               json.dumps({"custom_id": "z" * 5000, "response": whole}), "[" * 5000, '{"a":' * 3000]
        text = b"\n".join(line.encode("latin-1") for line in bad) + b"\n\n\n"
        ended = self.import_results(text, status=1)
        told = ended.err.splitlines()
        self.assertEqual(len(told), len(bad) + 1)
        for number, line in enumerate(told[:-1], 1):
            self.assertIn(f"results.jsonl:{number}: ", line)
            self.assertLess(len(line), 400)
        self.assertIn("3 of other runs, 12 invalid lines", told[-1])

    def test_many_results_of_another_run(self):
        self.round("check", "-m", "selfcheck", "-M", NOT_SENT, self.path("chains.jsonl"), status=WAITING)
        whole = {"status_code": 200, "request_id": "r", "body": {}}
        ended = self.import_results([{"custom_id": f"{i:064x}", "response": whole} for i in range(100)], status=1)
        told = ended.err.splitlines()
        self.assertEqual(len(told), 5)
        self.assertIn("97 more results of other runs", told[3])
        self.assertIn(" 0 without a result", told[4])

    def test_bodies_that_are_no_replies(self):
        self.round("check", "-m", "selfcheck", "-M", NOT_SENT, self.path("chains.jsonl"), status=WAITING)
        ids = [r["custom_id"] for r in batch_runner.requests_of(self.files[0])]
        bodies = [None, [], {}, "x", {"choices": []}, {"choices": [{"message": {}}]}, {"choices": [7]},
                  {"error": {"message": "a\nb\x1b[2J"}}]
        results = [{"id": f"i{i}", "custom_id": ids[i], "response": {"status_code": 200, "body": body}}
                   for i, body in enumerate(bodies)]
        results.append({"custom_id": ids[8], "response": {"status_code": "200", "body": {
            "choices": [{"message": {"content": "ok"}, "finish_reason": "stop"}]}}})
        ended = self.import_results(results)
        self.assertIn("2 replies added", ended.err)  # a message without a text is an empty reply, as directly
        self.assertNotIn("\x1b", ended.err)

    def test_no_journal_and_no_requests(self):
        results = self.write("results.jsonl", "{}\n")
        ended = rederive("journal", "import", "--batch", self.path("none.journal"), results)
        self.assert_ended(ended, 3)
        self.assertFalse(os.path.exists(self.path("none.journal")))
        self.assertEqual(ended.err.count("\n"), 1)

    def test_a_request_that_changed_in_the_journal_is_not_used(self):
        self.round("check", "-m", "selfcheck", "-M", NOT_SENT, self.path("chains.jsonl"), status=WAITING)
        with sqlite3.connect(self.journal) as journal:
            journal.execute("UPDATE batch_requests SET reading = reading || ' '")
        journal.close()
        request = batch_runner.requests_of(self.files[0])[0]
        body = {"choices": [{"message": {"content": "x"}, "finish_reason": "stop"}]}
        path = self.write("r.jsonl", lines({"custom_id": request["custom_id"], "response": {"status_code": 200, "body": body}}))
        ended = rederive("journal", "import", "--batch", self.journal, path)
        self.assert_ended(ended, 3)
        self.assertIn("does not match its checksum", ended.err)

    def test_a_line_of_65_megabytes(self):
        self.round("check", "-m", "selfcheck", "-M", NOT_SENT, self.path("chains.jsonl"), status=WAITING)
        ended = self.import_results(b'{"a":"' + b"x" * (65 << 20) + b'"}\n{}\n', status=1)
        self.assertIn("results.jsonl:1: longer than 64 MB: left out\n", ended.err)
        self.assertIn("results.jsonl:2: ", ended.err)


class Settings(Batch):
    CASES = [
        (["check", "-m", "selfcheck", "--batch-server", "vllm", "-M", NOT_SENT], "--batch-server has no effect without --batch-out"),
        (["check", "-m", "selfcheck", "--batch-again", "-M", NOT_SENT], "--batch-again has no effect without --batch-out"),
        (["check", "-m", "selfcheck", "--batch-out", "x", "-M", NOT_SENT], "--batch-out needs a journal"),
        (["check", "-m", "selfcheck", "--batch-out", "-", "-o", "o", "-M", NOT_SENT], "writes numbered files, and not to standard output"),
        (["check", "-m", "selfcheck", "--batch-out", "x", "-o", "o", "-M", "builtin"], "--batch-out needs the model of a provider"),
        (["check", "-m", "selfcheck", "--batch-out", "x", "-o", "o", "-M", "transcript:t"], "--batch-out needs the model of a provider"),
        (["check", "-m", "selfcheck", "--batch-out", "x", "-o", "o", "-j", "4", "-M", NOT_SENT], "--jobs has no effect on --batch-out"),
        (["check", "-m", "selfcheck", "--batch-out", "x", "-o", "o", "--max-tokens", "4", "-M", NOT_SENT], "--max-tokens has no effect"),
        (["check", "-m", "selfcheck", "--batch-out", "x", "-o", "o", "--max-seconds", "1", "-M", NOT_SENT], "--max-seconds has no effect"),
        (["check", "-m", "selfcheck", "--batch-out", "x", "-o", "o", "--batch-discount", "0.5", "-M", NOT_SENT], "add --price-in"),
        (["check", "-m", "selfcheck", "--batch-out", "x", "-o", "o", "-M", NOT_SENT + "," + NOT_SENT.replace(":9/", ":8/")],
         "several servers of a model have no effect"),
        (["check", "--batch-out", "x"], "--batch-out has no effect: no method here asks a model"),
        (["journal", "info", "--batch", "x"], "--batch has no effect on 'info'"),
    ]

    def test_mistakes_are_one_line(self):
        for args, says in self.CASES:
            with self.subTest(args=args):
                ended = rederive(*args, cwd=self.folder)
                self.assert_ended(ended, 2)
                self.assertIn(says, ended.err)
                self.assertEqual(ended.err.count("\n"), 1, ended.err)

    def test_a_reward_model_is_not_for_a_batch(self):
        ended = self.round("check", "-m", "prm:pooling-pairs", "-M", NOT_SENT, self.path("chains.jsonl"), status=3)
        self.assertIn("a batch takes no requests to /pooling", ended.err)

    def test_dry_run_has_the_discount(self):
        def cost(*more):
            ended = rederive("check", "-m", "selfcheck", "--dry-run", "--json", "--price-in", "1", "--price-out", "4",
                             self.path("chains.jsonl"), *more)
            self.assert_ended(ended, 0)
            return json.loads(ended.out)["cost_usd"]
        half = cost("--batch-out", self.path("r.jsonl"), "--batch-discount", "0.5")
        self.assertAlmostEqual(half, cost() / 2, places=6)
        self.assertEqual(cost("--batch-out", self.path("r.jsonl")), cost())
        self.assertEqual(sorted(os.listdir(self.folder)), ["chains.jsonl", "questions.jsonl"])


if __name__ == "__main__":
    unittest.main()
