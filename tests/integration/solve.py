# SPDX-License-Identifier: Apache-2.0
"""solve: questions in, answers out, and the chains behind them."""
import json
import signal
import subprocess
import time
import unittest

from scripted import GENERATE, SELFCHECK, SOLVE, Server
from support import PROGRAM, Case, chain, lines, rederive

QUESTIONS = lines({"question_id": "q1", "question": "What is 2 + 3?", "gold": "5"},
                  {"question_id": "q2", "question": "What is 2 + 2?", "gold": "4"})


def summary(ended):
    return json.loads(ended.err.splitlines()[-1])


def solution(answer, **more):
    return {"contains": "Solve the following problem",
            "reply": f"Step 1: 2 + 3 = {answer}\n\nStep 2: So the answer is {answer}.", **more}


class Solve(Case):
    def test_a_text_is_a_question(self):
        self.write("one.txt", "Question: What is 2 + 3?\n")
        self.write("two.md", "\nWhat is 2 + 2?\nGive a number.\n")
        with Server(rules=SOLVE) as server:
            ended = rederive("solve", "-M", server.url, "--json", self.path("one.txt"), self.path("two.md"))
            self.assert_ended(ended, 0)
        self.assertEqual([r["question_id"] for r in ended.records], ["What is 2 + 3?", "What is 2 + 2?\nGive a number."])

    def test_stops_when_the_vote_is_settled(self):
        with Server(rules=SOLVE) as server:
            ended = rederive("solve", "--separate-samples", "-M", server.url, "--json", stdin=QUESTIONS)
            self.assert_ended(ended, 0)
            self.assertEqual(len(server.asked()), 12)
        first, second = ended.records
        self.assertEqual([first["question_id"], first["answer"], first["correct"]],
                         ["q1", "5", True])
        self.assertEqual([first["n_chains"], first["n_chains_used"], first["n_calls"]], [10, 6, 6])
        self.assertEqual([second["question_id"], second["correct"]], ["q2", False])
        told = summary(ended)
        self.assertEqual([told["n_questions"], told["n_chains"], told["n_chains_used"], told["n_correct"],
                          told["n_graded"], told["n_calls"], told["n_calls_saved"]],
                         [2, 20, 12, 1, 2, 12, 8])

    def test_no_answer_and_why(self):
        """What the model did not answer and what the provider failed are apart, and neither is a wrong
        answer; both lower the accuracy over all questions."""
        failed = [{"do": "content_filter"}, {"do": "error"}, {"do": "tool_calls"}, {"reply": ""},
                  {"status": 400, "body": {"error": {"message": "no"}}}]
        unparsed = [{"reply": "I cannot solve this."}, {"reply": "It is 1", "do": "length"},
                    {"reply": "It is 1", "do": "max_tokens"}]
        for rule, why in [(r, "failed") for r in failed] + [(r, "unparsed") for r in unparsed]:
            rules = [solution(5, contains="2 + 3"), {"reply": "So the answer is 7."} | rule | {"regex": ""}]
            args = ("-n", "2", "--retries", "0", "--chains-out", self.path("chains.jsonl"))
            with self.subTest(rule=rule), Server(rules=rules) as server:
                ended = rederive("solve", "-M", server.url, "--json", *args, stdin=QUESTIONS)
                self.assert_ended(ended, 1 if why == "failed" else 0)
                voted = rederive("vote", "--json", stdin=self.read("chains.jsonl"))
                self.assert_ended(voted, 1 if why == "failed" else 0)
            for made in (ended, voted):
                first, second = made.records
                self.assertNotIn("no_answer", first)
                self.assertEqual([first["correct"], first["expected_correct"]], [True, 1])
                self.assertEqual([second["answer"], second["correct"], second["no_answer"],
                                  second["expected_correct"]], [None, None, why, 0])
                self.assertEqual([second["n_unparsed"], second.get("n_unanswered")],
                                 [0, 2] if why == "failed" else [2, None])
                told = summary(made)
                self.assertEqual([told["n_correct"], told["n_graded"], told["accuracy"], told["accuracy_answered"]],
                                 [1, 2, 0.5, 1])
                self.assertEqual([told["n_unanswered"], told["n_without_answer"]],
                                 [1, 0] if why == "failed" else [0, 1])
                self.assertEqual(told["n_failed"], 0)

    def test_a_vote_without_weights_has_no_answer(self):
        chains = [chain(id=f"q/{i}", question_id="q", gold="5", steps=["So the answer is 5."]) for i in range(2)]
        [record] = rederive("vote", "--weight", "confidence", stdin=lines(*chains)).records
        self.assertEqual([record["answer"], record["no_answer"], record["correct"], record["expected_correct"]],
                         [None, "unweighed", None, 0])

    def test_a_solution_that_was_cut_off_casts_no_vote(self):
        """Its steps are shown; "the answer is 1" may be the half of 18. Also in `paper`, and when the
        records are read again."""
        for more in ([], ["--profile", "paper"], ["-g", "zero-shot"], ["-m", "calculations"]):
            rules = [{"regex": "", "reply": "2 + 16 = 18\n\nSo the answer is 1", "do": "length"}]
            with Server(rules=rules) as server:
                ended = rederive("solve", "-M", server.url, "-n", "2", "--chains-out",
                                 self.path("chains.jsonl"), *more, stdin=QUESTIONS)
            self.assert_ended(ended, 0)
            self.assertEqual([r["answer"] for r in ended.records], [None, None])
            self.assertEqual([r["n_unparsed"] for r in ended.records], [2, 2])
            text = self.read("chains.jsonl")
            for c in map(json.loads, text.splitlines()):
                self.assertEqual(c["steps"], ["2 + 16 = 18", "So the answer is 1"])
                self.assertIsNone(c["answer"])
                self.assertEqual(c["incomplete_reason"], "the reply was cut off before its end")
            for how in ([], ["--answer-source", "read"]):
                voted = rederive("vote", *how, stdin=text)
                self.assertEqual([r["answer"] for r in voted.records], [None, None])
            again = rederive("check", "--json", stdin=text)
            self.assertEqual({r["incomplete_reason"] for r in again.records},
                             {"the reply was cut off before its end"})

    def test_a_solution_that_broke_off_casts_no_vote(self):
        rules = [{"regex": "Thought 1:$", "reply": "The answer so far is 12."},
                 {"regex": "", "reply": "2 + 3 = 5", "do": "content_filter"}]
        with Server(rules=rules) as server:
            ended = rederive("solve", "-M", server.url, "-n", "1", "-g", "thoughts", "--chains-out",
                             self.path("chains.jsonl"), stdin=QUESTIONS)
        self.assert_ended(ended, 1)
        self.assertEqual([[r["answer"], r["no_answer"]] for r in ended.records], [[None, "failed"]] * 2)
        for c in map(json.loads, self.read("chains.jsonl").splitlines()):
            self.assertEqual(c["steps"], ["The answer so far is 12."])
            self.assertEqual([c["answer"], c["incomplete_reason"]],
                             [None, "the server does not call the reply whole: content_filter"])

    def test_all_chains_are_wanted_where_nothing_stops_it(self):
        with Server(rules=SOLVE) as server:
            ended = rederive("solve", "-M", server.url, "-n", "4", "--stop", "none", stdin=QUESTIONS)
            self.assert_ended(ended, 0)
            self.assertEqual(len(server.asked()), 8)
        self.assertEqual(ended.records[0]["answers"], {"5": {"weight": 4, "n_chains": 4}})

    def test_chains_and_their_checks(self):
        with Server(rules=SOLVE) as server:
            ended = rederive("solve", "-M", server.url, "-m", "calculations,selfcheck", "-n", "3",
                             "--chains-out", self.path("chains.jsonl"), stdin=QUESTIONS)
        self.assert_ended(ended, 0)
        text = self.read("chains.jsonl")
        chains = [json.loads(line) for line in text.splitlines()]
        self.assertEqual([c["id"] for c in chains],
                         ["q1/0", "q1/1", "q1/2", "q2/0", "q2/1", "q2/2"])
        for i, c in enumerate(chains):
            self.assertEqual(c["steps"], ["2 + 3 = 5", "So the answer is 5."])
            self.assertEqual(c["answer"], "5")
            self.assertEqual(c["method"], "selfcheck")
            # All three say 5, so the first one's check settles the vote.
            self.assertEqual(c.get("skipped", False), i % 3 > 0)
            self.assertEqual(c["confidence"], None if i % 3 else 1)
        self.assertEqual(set(chains[0]["checks"]), {"calculations", "selfcheck"})
        voted = rederive("vote", "-w", "confidence", stdin=text)
        self.assert_ended(voted, 0)
        self.assertEqual([r["answer"] for r in voted.records], ["5", "5"])

    def test_calls_saved_are_those_of_chains_and_checks_left_out(self):
        args = ("solve", "-m", "selfcheck", "-n", "3", "--json", "-M")
        with Server(rules=SOLVE) as server:
            early = summary(rederive(*args, server.url, stdin=QUESTIONS))
            whole = summary(rederive(*args, server.url, "--stop", "none", stdin=QUESTIONS))
        self.assertEqual(early["n_calls"] + early["n_calls_saved"], whole["n_calls"])
        self.assertEqual(whole["n_calls_saved"], 0)

    def test_no_calls_are_saved_where_something_else_ended_the_run(self):
        """A budget's end is no saving, nor is a chain that has no answer to be checked for."""
        silent = dict(GENERATE, reply="I do not know.")
        with Server(rules=SOLVE) as server:
            spent = rederive("solve", "-m", "selfcheck", "-n", "6", "--stop", "none", "--max-calls",
                             "12", "-j", "4", "--json", "-M", server.url, stdin=QUESTIONS)
        with Server(rules=[silent]) as server:
            unread = rederive("solve", "-m", "selfcheck", "-n", "3", "--stop", "none", "-M", server.url,
                              "--json", stdin=QUESTIONS)
        self.assertEqual(summary(spent)["n_calls_saved"], 0)
        self.assertEqual(summary(unread)["n_calls_saved"], 0)

    def test_another_checker(self):
        with Server(rules=[GENERATE]) as solver, Server(rules=SELFCHECK) as checker:
            ended = rederive("solve", "-M", solver.url, "--checker", checker.base + "/v1#judge",
                             "-m", "selfcheck", "-n", "2", stdin=QUESTIONS)
            self.assert_ended(ended, 0)
            self.assertTrue(all("Solve the following" in p for p in solver.asked()))
            self.assertFalse(any("Solve the following" in p for p in checker.asked()))
            self.assertEqual({r["body"]["model"] for r in checker.requests()}, {"judge"})

    def test_chains_say_who_made_and_checked_them(self):
        """So that a recipe can give each pair of models rows of its own."""
        out = self.path("chains.jsonl")
        for method, checker in (("selfcheck", "judge"), ("calculations", None), ("none", None)):
            with Server(rules=SOLVE) as server:
                ended = rederive("solve", "-M", server.url, "--checker", server.base + "/v1#judge",
                                 "-m", method, "-n", "2", "--stop", "none", "--chains-out", out,
                                 stdin=lines({"question": "What is 2 + 3?", "gold": "5",
                                              "generator": "another"}))
                self.assert_ended(ended, 0)
            for line in self.read("chains.jsonl").splitlines():
                record = json.loads(line)
                self.assertEqual([record["generator"], record.get("checker")], ["fake", checker])

    def test_checked_chains_make_rows_of_a_table(self):
        text = lines(*[chain(question_id="q", id=f"q/{i}", generator="maker") for i in range(2)])
        with Server(rules=SELFCHECK) as server:
            checked = rederive("check", "-m", "selfcheck", "-M", server.url, stdin=text)
        self.assert_ended(checked, 0)
        self.assertEqual([(r["generator"], r["checker"]) for r in checked.records],
                         [("maker", "fake")] * 2)
        again = rederive("check", "-q", stdin=checked.out)
        self.assertEqual([r["checker"] for r in again.records], ["fake"] * 2)
        table = rederive("eval", "--recipe", "selfcheck:table1", "--json", stdin=checked.out)
        self.assert_ended(table, 0)
        series, = table.records[0]["series"]
        self.assertEqual([series["generator"], series["checker"]], ["maker", "fake"])

    def test_what_an_early_stop_skipped_is_checked_later(self):
        """check, with solve's journal, asks only for the chains that were skipped; then no question is excluded."""
        questions = self.write("questions.jsonl", rederive("tasks", "-q", "-t", "coin_flip", "-n", "6").out)
        asked = rederive("solve", "-q", "-m", "selfcheck", "-n", "2", "-M", "builtin", "--chains-out", self.path("chains.jsonl"),
                         "--journal", self.path("journal"), questions)
        self.assert_ended(asked, 0)
        skipped = sum(json.loads(line).get("skipped", False) for line in self.read("chains.jsonl").splitlines())
        self.assertGreater(skipped, 0)
        table = ["eval", "-q", "--json", "--recipe", "selfcheck:table1"]
        series, = json.loads(rederive(*table, self.path("chains.jsonl")).out)["series"]
        self.assertEqual((series["n_skipped"], series["n_questions_unchecked"]), (skipped, skipped))
        again = rederive("check", "--json", "-m", "selfcheck", "-M", "builtin", "--journal", self.path("journal"),
                         "-o", self.path("checked.jsonl"), self.path("chains.jsonl"))
        self.assert_ended(again, 0)
        fresh = rederive("check", "--json", "-m", "selfcheck", "-M", "builtin", self.path("chains.jsonl"))
        self.assertLess(summary(again)["n_calls"], summary(fresh)["n_calls"])
        series, = json.loads(rederive(*table, self.path("checked.jsonl")).out)["series"]
        self.assertEqual((series["n_skipped"], series["n_questions_unchecked"]), (0, 0))

    def test_wrong_calculations_weigh_less(self):
        rules = [solution("6", times=2), solution("5")]
        for args, answer in ((("-m", "none"), "6"), (("--lambda", "3,0"), "5"),
                             (("--select", "majority"), "6"), (("--select", "best"), "5")):
            with Server(rules=rules) as server:
                ended = rederive("solve", "-M", server.url, "-n", "3", "-j", "1", "--stop", "none",
                                 *args, stdin=QUESTIONS.splitlines()[0] + "\n")
            self.assert_ended(ended, 0)
            self.assertEqual(ended.records[0]["answer"], answer, args)

    def test_the_order_of_arrival_changes_nothing(self):
        rules = [solution(str(i % 3), times=1, delay=0.01 * (i * 7 % 5)) for i in range(12)]
        outs = set()
        for jobs in ("1", "2", "8"):
            with Server(rules=rules) as server:
                journal = self.path("journal")
                ended = rederive("solve", "-M", server.url, "-j", jobs, "--journal", journal,
                                 "--stop", "none", stdin=QUESTIONS.splitlines()[0] + "\n")
                self.assert_ended(ended, 0)
            outs.add(rederive("solve", "-M", "transcript:" + journal, "-j", jobs,
                              stdin=QUESTIONS.splitlines()[0] + "\n").out)
        self.assertEqual(len(outs), 1)

    def test_questions_of_chains_and_what_has_none(self):
        text = lines(chain(question_id="c"), {"steps": ["a"], "question_id": "x"},
                     {"question_id": "q", "answer": "5", "answers": {"5": {"weight": 1, "n_chains": 1}},
                      "n_chains": 1})
        with Server(rules=SOLVE) as server:
            ended = rederive("solve", "-M", server.url, stdin=text)
        self.assert_ended(ended, 1)
        self.assertEqual([r.get("answer") for r in ended.records][0], "5")
        self.assertIn("no question", ended.records[1]["error"])
        self.assertEqual(len(ended.records), 3)

    def test_answers_and_chains_go_apart(self):
        for args, why in ((("--chains-out", "-"), "the answers are written there"),
                          (("-o", "x", "--chains-out", "x"), "--out and --chains-out name one file")):
            ended = rederive("solve", "-M", "openai:m", *args, stdin=QUESTIONS, cwd=self.folder)
            self.assert_ended(ended, 2)
            self.assertIn(why, ended.err)

    def test_no_model(self):
        ended = rederive("solve", stdin=QUESTIONS)
        self.assert_ended(ended, 2)
        self.assertIn("solve needs a model", ended.err)

    def test_unread_solutions_cast_no_vote(self):
        nothing = dict(GENERATE, reply="I do not know.")
        with Server(rules=[nothing]) as server:
            ended = rederive("solve", "-M", server.url, "-n", "3", stdin=QUESTIONS)
        self.assertIn(ended.status, (0, 1))
        self.assertEqual([ended.records[0]["answer"], ended.records[0]["n_unparsed"]], [None, 3])


class Models(Case):
    def test_table_and_json(self):
        with Server(differences=["no-logprobs", "no-system"], models=["fake", "more"]) as server:
            ended = rederive("models", "-M", server.url)
            self.assert_ended(ended, 0)
            self.assertRegex(ended.out, r"(?m)^logprobs +no ")
            self.assertIn("it serves fake, more", ended.out)
            ended = rederive("models", "-M", server.url, "--json")
            self.assert_ended(ended, 0)
            record = ended.records[0]
        self.assertEqual([record["model"], record["models"]], ["fake", ["fake", "more"]])
        self.assertEqual([record["capabilities"][a] for a in ("chat", "logprobs", "system_role", "stop")],
                         ["yes", "no", "no", "yes"])

    def test_what_a_server_says_is_shown_escaped(self):
        with Server(models=["fake", "\x1b[31mred\x07"]) as server:
            ended = rederive("models", "-M", server.url)
        self.assert_ended(ended, 0)
        self.assertIn("it serves fake, \\x1b[31mred", ended.out)
        self.assertNotIn("\x1b", ended.out)

    def test_of_a_transcript(self):
        with Server(rules=SOLVE) as server:
            rederive("solve", "-M", server.url, "--journal", self.path("j"), stdin=QUESTIONS)
        self.assertEqual(rederive("models", "-M", "transcript:" + self.path("j")).out,
                         "it has replies of fake\n")
        ended = rederive("models", "-M", "transcript:" + self.path("j"), "--json")
        self.assertEqual(ended.records, [{"models": ["fake"]}])

    def test_of_a_server_that_answers_nothing(self):
        """What it said is shown, and a script learns that there is no use in asking it."""
        for status in (429, 500, 404):
            with Server(rules=[{"status": status, "body": {"error": {"message": "Not now"}}}]) as s:
                ended = rederive("models", "-M", s.url, "--retries", "0")
            self.assert_ended(ended, 3)
            self.assertEqual(ended.out, "")
            self.assertIn(f"answered none of the requests; it said: HTTP {status}: Not now", ended.err)

    def test_of_a_server_that_forbids_some_things(self):
        """A 403 is about the key only where the key was not taken before."""
        no = {"status": 403, "body": {"error": {"message": "Not for you"}}}
        with Server(rules=[{"times": 2}, no]) as server:
            ended = rederive("models", "-M", server.url, "--json")
        self.assert_ended(ended, 0)
        self.assertEqual([ended.records[0]["capabilities"][a] for a in ("chat", "completions")], ["yes", "no"])
        with Server(rules=[no]) as server:
            ended = rederive("models", "-M", server.url)
        self.assert_ended(ended, 3)
        self.assertRegex(ended.err, "wants an API key: HTTP 403: Not for you")

    def test_an_interrupt_does_not_wait_for_the_server(self):
        with Server(rules=[{"do": "stall"}]) as server:
            process = subprocess.Popen([PROGRAM, "models", "-M", server.url], stderr=subprocess.PIPE, text=True)
            while not server.asked():
                time.sleep(0.02)
            began = time.monotonic()
            process.send_signal(signal.SIGINT)
            _, err = process.communicate(timeout=60)
            self.assertEqual((process.returncode, err), (130, ""))
            self.assertLess(time.monotonic() - began, 20)

    def test_a_server_on_this_machine_is_not_asked_through_a_proxy(self):
        """The key is only for it, and the way to the proxy is open to all."""
        with Server(rules=SOLVE) as server, Server(rules=SOLVE) as proxy:
            ended = rederive("models", "-M", server.url, env={
                "http_proxy": proxy.base, "no_proxy": "", "OPENAI_API_KEY": "sk-0123456789"})
            self.assert_ended(ended, 0)
            self.assertEqual(proxy.requests(), [])

    def test_nobody_there(self):
        ended = rederive("models", "-M", "http://127.0.0.1:9/v1#m", "--retries", "0")
        self.assert_ended(ended, 3)
        self.assertEqual(len(ended.err.splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
