# SPDX-License-Identifier: Apache-2.0
"""check, vote and eval, alone and joined by pipes: what the records hold."""
import json
import unittest

from support import Case, chain, lines, rederive


class Check(Case):
    def test_writes_what_it_found_and_keeps_what_it_does_not_know(self):
        text = ('{"question":"What is 2 + 3?","steps":["2 + 3 = 5","5 * 2 = 11","Done."],'
                '"answer":"11","gold":"10","mine":1.50,"deep":{"a":[1e3]}}\n')
        record = rederive("check", "-q", stdin=text)
        self.assert_ended(record, 0)
        self.assertIn('"mine":1.50', record.out)
        self.assertIn('"deep":{"a":[1e3]}', record.out)
        record = record.records[0]
        self.assertEqual([v["verdict"] for v in record["verdicts"]],
                         ["support", "contradict", "unrelated"])
        self.assertEqual(record["first_error"], 1)
        self.assertEqual(record["method"], "calculations")
        self.assertEqual(record["n_unknown"], 0)
        self.assertGreater(record["confidence"], 0.5)
        self.assertLess(record["confidence"], 0.6)
        calculation = record["verdicts"][1]["evidence"]["calculations"][0]
        self.assertEqual("5 * 2 = 11", "5 * 2 = 11"[calculation["start"]:calculation["end"]])
        self.assertEqual(calculation["value"], "10")

    def test_again_gives_the_same_bytes(self):
        text = lines(*[chain(steps=[f"{i} + 1 = {i + i % 3}"]) for i in range(50)])
        first = rederive("check", "-q", stdin=text).out
        self.assertEqual(first, rederive("check", "-q", stdin=text).out)
        self.assertEqual(len(first.splitlines()), 50)

    def test_lambda_changes_the_confidence(self):
        text = lines(chain(steps=["2 + 3 = 6"]))
        soft = rederive("check", "-q", "--lambda", "0.5,0", stdin=text).records[0]["confidence"]
        hard = rederive("check", "-q", "--lambda", "5,0", stdin=text).records[0]["confidence"]
        self.assertLess(hard, soft)

    def test_threshold_says_accepted(self):
        text = lines(chain(), chain(steps=["2 + 3 = 6"]), chain(steps=[]))
        ended = rederive("check", "--threshold", "0.9", "--json", stdin=text)
        self.assert_ended(ended, 0)
        self.assertEqual([r["accepted"] for r in ended.records], [True, False, None])
        self.assertEqual([r["confidence"] for r in ended.records][2], None)

    def test_an_earlier_conclusion_does_not_stay_beside_a_new_check(self):
        earlier = {"accepted": True, "acceptance": {"rule": "no_error"}, "certificate": {"method": "dyck", "certified": True, "gaps": []}}
        text = lines(chain(steps=["2 + 3 = 6"], **earlier))
        record = rederive("check", "-q", stdin=text).records[0]
        self.assertEqual(set(earlier) & set(record), set())
        self.assertEqual(record["verdicts"][0]["verdict"], "contradict")
        self.assertIs(rederive("check", "-q", "--accepted", stdin=text).records[0]["accepted"], False)

    def test_nothing_proven_wrong_is_accepted(self):
        """One wrong calculation leaves a confidence of 0.538, which is above the threshold."""
        text = lines(chain(), chain(steps=["2 + 3 = 6"]), chain(steps=["I think so."]))
        for args in (["-t", "0.5"], ["-t", "0"], ["--accepted"], ["-t", "0.5", "-m", "calculations,dyck"]):
            with self.subTest(args=args):
                ended = rederive("check", *args, "--json", stdin=text)
                self.assert_ended(ended, 0)
                self.assertIs(ended.records[1]["accepted"], False)
                self.assertIsNot(ended.records[2]["accepted"], True)
        self.assertEqual(rederive("check", "-q", "--accepted", stdin=text).records[0]["acceptance"], {"rule": "no_error"})
        self.assertEqual(rederive("check", "-q", "-t", "0.5", stdin=text).records[0]["acceptance"],
                         {"rule": "confidence_without_error", "threshold": 0.5})

    def test_what_was_not_read_says_why(self):
        ended = rederive("check", "-q", stdin=lines(chain(steps=["100 -6 60 = 40", "Well, 5 it is."])))
        self.assertEqual([(v["verdict"], v.get("explanation")) for v in ended.records[0]["verdicts"]],
                         [("unknown", "not read: 100 -6 60 = 40"), ("unrelated", None)])
        self.assertIsNone(ended.records[0]["confidence"])
        self.assertEqual(ended.records[0]["coverage"],
                         {"n_calculations": 1, "n_checked": 0, "n_undecided": 0, "n_not_read": 1,
                          "not_read": {"other": 1}})
        shown = rederive("check", "-q", "--view", stdin=lines(chain(steps=["100 -6 60 = 40"]))).out
        self.assertIn("not read: 100 -6 60 = 40", shown)
        for step in ("45 + 20 + 90 = 155 min = 2.35 h.", "30 + 25 = 55 cm = 5.5 m long.", "3 × 50 = 150 cm ≈ 15 m"):
            verdict = rederive("check", "-q", stdin=lines(chain(steps=[step]))).records[0]["verdicts"][0]
            self.assertEqual(verdict["verdict"], "unknown", step)  # the sum alone is right

    def test_eval_says_which_chains_it_accepts(self):
        text = lines(chain(gold="5"), chain(steps=["2 + 3 = 6", "The answer is 6."], answer="6", gold="5"),
                     chain(steps=["The answer is 6."], answer="6", gold="5"))
        checked = rederive("check", "-q", stdin=text).out
        ended = rederive("eval", stdin=checked)
        self.assertIn("1 checked chain without a confidence, excluded from AUC and rates", ended.out)
        self.assertIn("accepted: no step contradicted or unknown, and one supported", ended.out)
        self.assertIn("best threshold for these chains, chosen on them: 1,", ended.out)
        report = json.loads(rederive("eval", "--json", stdin=checked).out)
        self.assertEqual(report["figures"]["tnr"]["value"], 1)
        self.assertEqual(report["acceptance"], {
            "rule": "no_error", "threshold": None, "n_accepted": 1, "n_rejected": 1, "n_undecided": 0, "best_threshold": 1,
            "best_balanced_accuracy": 1})
        self.assertEqual(report["n_null_confidence"], 1)
        report = json.loads(rederive("eval", "--json", "-t", "0.5", stdin=checked).out)
        self.assertEqual(report["acceptance"]["rule"], "confidence_without_error")
        self.assertEqual(report["figures"]["tnr"]["value"], 1)

    def test_what_failed_before_keeps_its_reason(self):
        first = rederive("check", stdin="nonsense\n" + lines({"question": "q", "id": "7"}, chain()))
        self.assert_ended(first, 1)
        again = rederive("check", stdin=first.out)
        self.assert_ended(again, 1)
        self.assertEqual([r.get("error") for r in first.records],
                         [r.get("error") for r in again.records])
        self.assertIn("failed before", again.err)

    def test_a_failed_sample_keeps_its_reason(self):
        """Its record has the question beside the error, but no steps."""
        first = rederive("check", stdin=json.dumps(
            {"id": 1, "epoch": 1, "input": "q", "target": "4", "scores": {}, "output": {"choices": []},
             "error": {"message": "boom"}}))
        self.assert_ended(first, 3)
        for command in ("check", "vote", "eval"):
            again = rederive(command, stdin=first.out)
            self.assert_ended(again, 3)
            self.assertIn("standard input:1: failed before: the sample failed in inspect_ai: boom\n", again.err, command)
            self.assertNotIn("question without steps", again.err)
        self.assertEqual(rederive("check", "-q", stdin=first.out).records[0]["error"], first.records[0]["error"])

    def test_solution_is_split(self):
        text = json.dumps({"question": "q", "solution": "Step 1: 2 + 2 = 4\nStep 2: 4 + 1 = 6"})
        record = rederive("check", "-q", stdin=text).records[0]
        self.assertEqual([v["verdict"] for v in record["verdicts"]], ["support", "contradict"])


class Vote(Case):
    def vote(self, *records, args=()):
        ended = rederive("vote", "-q", *args, stdin=lines(*records))
        self.assert_ended(ended, 0)
        return ended.records

    def test_groups_chains_that_stand_apart_in_order_of_appearance(self):
        out = self.vote(chain(question_id="b", answer="1"), chain(question_id="a", answer="5"),
                        chain(question_id="b", answer="1"), chain(question_id="a", answer="6"),
                        chain(question_id="b", answer="2"))
        self.assertEqual([r["question_id"] for r in out], ["b", "a"])
        self.assertEqual([r["answer"] for r in out], ["1", "5"])
        self.assertEqual(out[0]["answers"]["1"], {"weight": 2, "n_chains": 2})
        self.assertEqual([r["correct"] for r in out], [False, True])
        self.assertEqual(out[1]["expected_correct"], 0.5)
        self.assertEqual(out[1]["tied_answers"], ["5", "6"])

    def test_question_text_groups_where_there_is_no_id(self):
        out = self.vote(chain("p"), chain("q"), chain("p"))
        self.assertEqual([r["n_chains"] for r in out], [2, 1])

    def test_equal_answers_are_one(self):
        out = self.vote(chain(answer="0.5", gold="1/2"), chain(answer="\\frac{1}{2}", gold="1/2"),
                        chain(answer="2", gold="1/2"))
        self.assertEqual([out[0]["correct"], out[0]["answer"]], [True, "0.5"])
        self.assertEqual(sorted(a["n_chains"] for a in out[0]["answers"].values()), [1, 2])

    def test_options_are_their_letters(self):
        out = self.vote(*[chain(answer=a, gold="B", options=["1", "2", "3"])
                          for a in ("(B)", "B)", "(C)")])
        self.assertEqual([out[0]["answer"], list(out[0]["answers"])], ["B", ["B", "C"]])

    def test_unread_answers_count_as_wrong_and_cast_none(self):
        out = self.vote(chain(steps=["I do not know."], answer=None), chain())
        self.assertEqual([out[0]["n_unparsed"], out[0]["n_chains"], out[0]["answer"]], [1, 2, "5"])

    def test_scores_and_how_they_are_aggregated(self):
        records = (chain(answer="5", steps=["a", "b"], scores={"prm": [0.9, 0.1]}),
                   chain(answer="6", steps=["a", "b"], scores={"prm": [0.4, 0.4]}))
        for how, answer in (("min", "6"), ("mean", "5"), ("last", "6")):
            out = self.vote(*records, args=("-w", "scores:prm", "-a", how))
            self.assertEqual(out[0]["answer"], answer, how)

    def test_best_and_perplexity(self):
        records = (chain(answer="5", scores={"prm": [0.9]}, logprobs=[[-2.0]]),
                   chain(answer="6", scores={"prm": [0.5]}, logprobs=[[-0.1]]),
                   chain(answer="6", scores={"prm": [0.5]}, logprobs=[[-0.2]]))
        self.assertEqual(self.vote(*records, args=("-s", "best", "-w", "scores:prm"))[0]["answer"],
                         "5")
        self.assertEqual(self.vote(*records, args=("-s", "perplexity",))[0]["answer"], "6")

    def test_random_is_drawn_by_seed_and_question(self):
        records = [chain(question_id=f"q{i}", answer=a) for i in range(30) for a in "567"]
        args = ("--select", "random", "--seed", "7")
        first = self.vote(*records, args=args)
        self.assertEqual(first, self.vote(*records, args=args))
        self.assertNotEqual(first, self.vote(*records, args=("--select", "random", "--seed", "8")))
        self.assertEqual(first[29:], self.vote(*records[87:], args=args))
        self.assertEqual(len({r["answer"] for r in first}), 3)
        self.assertAlmostEqual(first[0]["expected_correct"], 1 / 3)

    def test_stop_uses_a_prefix_and_keeps_the_answer(self):
        records = [chain(answer=a) for a in "5565556655"]
        whole = self.vote(*records)[0]
        certain = self.vote(*records, args=("--stop", "certain"))[0]
        posterior = self.vote(*records, args=("--stop", "posterior:0.2"))[0]
        self.assertEqual(certain["answer"], whole["answer"])
        self.assertLess(certain["n_chains_used"], 10)
        self.assertEqual(certain["n_chains"], 10)
        self.assertLessEqual(posterior["n_chains_used"], certain["n_chains_used"])

    def test_weight_beyond_its_bounds_fails_its_question_only(self):
        text = lines(chain(question_id="a", scores={"prm": [7]}),
                     chain(question_id="a", scores={"prm": [0]}),
                     chain(question_id="b", scores={"prm": [0.5]}))
        ended = rederive("vote", "-q", "-w", "scores:prm", "--stop", "certain", stdin=text)
        self.assert_ended(ended, 1)
        self.assertIn("error", ended.records[0])
        self.assertEqual(ended.records[1]["answer"], "5")

    def test_says_when_checks_are_not_used(self):
        checked = rederive("check", "-q", stdin=lines(chain())).out
        self.assertIn("--weight confidence", rederive("vote", stdin=checked).err)
        self.assertNotIn("--weight confidence", rederive("vote", stdin=lines(chain())).err)

    def test_answers_that_look_alike_are_one_member(self):
        """Kinds differ, and so do the answers; what is written can be read again all the same."""
        text = lines(*({"question_id": "q", "answer_type": kind, "steps": ["."], "answer": "Yes"}
                       for kind in ("text", "latex")))
        vote = rederive("vote", "-q", stdin=text)
        self.assertEqual(vote.out.count('"Yes":'), 1)
        self.assertEqual(vote.records[0]["answers"], {"Yes": {"weight": 2, "n_chains": 2}})
        self.assert_ended(rederive("eval", stdin=vote.out), 0)

    def test_says_when_nobody_has_a_weight(self):
        for weight, hint in (("confidence", "rederive check"), ("scores:typo", "--join")):
            ended = rederive("vote", "-q", "-w", weight, stdin=lines(chain()))
            self.assert_ended(ended, 0)
            self.assertIsNone(ended.records[0]["answer"])
            self.assertIn("no chain has a weight", ended.err)
            self.assertIn(hint, ended.err)
        self.assertEqual(rederive("vote", "-q", stdin=lines(chain())).err, "")

    def test_chains_are_wanted(self):
        for command in ("check", "vote", "eval"):
            ended = rederive(command, stdin=lines({"question": "only a question"}))
            self.assert_ended(ended, 3)
            self.assertIn("standard input:1: a question without steps", ended.err)


class Judging(Case):
    """The record says 41, its steps 42; what is right is said by gold or by the source."""

    def verdict(self, *options, **more):
        text = lines(chain(steps=["6 * 7 = 42.", "The answer is 42."], answer="41", **more))
        ended = rederive("vote", "-q", *options, stdin=text)
        self.assert_ended(ended, 0)
        return ended.records[0]["answer"], ended.records[0]["correct"]

    def test_which_answer_counts(self):
        self.assertEqual(self.verdict(gold="42"), ("41", False))
        self.assertEqual(self.verdict("--answer-source", "read", gold="42"), ("42", True))
        text = lines({"question": "q", "answer": "41", "gold": "41", "steps": []})
        kept = rederive("vote", "-q", "--answer-source", "read", stdin=text).records[0]
        self.assertEqual((kept["answer"], kept["correct"]), ("41", True))

    def test_who_says_what_is_right(self):
        self.assertEqual(self.verdict(gold="42", correct=True), ("41", False))
        self.assertEqual(self.verdict("--correct-from", "source", gold="42", correct=True), ("41", True))
        self.assertEqual(self.verdict("--correct-from", "source", gold="42"), ("41", False))

    def test_an_opinion_is_of_the_answer_given(self):
        read = ("--answer-source", "read")
        self.assertEqual(self.verdict(*read, gold=None, correct=True), ("42", None))
        self.assertEqual(self.verdict(*read, "--correct-from", "source", gold="42", correct=False), ("42", True))
        same = lines(chain(steps=["The answer is 41.0"], answer="41", gold="7", correct=True))
        for options, right in ((read, False), ((*read, "--correct-from", "source"), True)):
            self.assertEqual(rederive("vote", "-q", *options, stdin=same).records[0]["correct"], right)

    def test_eval_judges_alike(self):
        text = lines(chain(steps=["6 * 7 = 42."], answer="41", gold="42"))
        for options, right in ((), 0), (("--answer-source", "read"), 1):
            figures = json.loads(rederive("eval", "--json", *options, stdin=text).out)["figures"]
            self.assertEqual(figures["accuracy.chain"]["value"], right)


class Stopping(Case):
    def test_checks_that_no_longer_matter(self):
        """Three of five answers are read as 5: two checks decide between them and the rest."""
        text = lines(*(chain(question_id="q", answer=a, confidence=1, method="m", verdicts=[])
                       for a in "55567"))
        used = [rederive("vote", "-q", "--stop", "certain", *more, stdin=text).records[0]["n_chains_used"]
                for more in ((), ("-w", "confidence"))]
        self.assertEqual(used, [3, 2])


class Eval(Case):
    TEXT = lines(*[chain(question_id=f"q{i % 10}", id=str(i), answer="5" if i % 3 else "6",
                         steps=["2 + 3 = 5" if i % 3 else "2 + 3 = 6"], label=None if i % 3 else 0)
                   for i in range(60)])

    def test_pipe_of_all_three(self):
        checked = rederive("check", stdin=self.TEXT)
        self.assert_ended(checked, 0)
        voted = rederive("vote", "-w", "confidence", stdin=checked.out)
        self.assert_ended(voted, 0)
        self.assertEqual(len(voted.records), 10)
        ended = rederive("eval", "--json", stdin=voted.out)
        self.assert_ended(ended, 0)
        figure = ended.records[0]["figures"]["vote.accuracy"]
        self.assertEqual([figure["n"], figure["value"]], [10, 1])

    def test_figures_of_checked_chains(self):
        checked = rederive("check", "-q", stdin=self.TEXT).out
        ended = rederive("eval", "--json", stdin=checked)
        self.assert_ended(ended, 0)
        figures = ended.records[0]["figures"]
        self.assertEqual(ended.records[0]["n_chains"], 60)
        self.assertAlmostEqual(figures["auc"]["value"], 1)
        self.assertAlmostEqual(figures["location"]["value"], 1)
        for figure in figures.values():
            self.assertEqual(set(figure), {"value", "stderr", "ci_low", "ci_high", "n", "unit"})
        for curve in ended.records[0]["curves"].values():
            self.assertTrue(curve["points"])

    def test_table_and_curves(self):
        checked = rederive("check", "-q", stdin=self.TEXT).out
        table = rederive("eval", stdin=checked).out
        self.assertIn("10 questions, 60 chains", table)
        self.assertRegex(table, r"accuracy\.majority +0\.\d{4}|accuracy\.majority +1\.0000")
        self.assertGreater(len(rederive("eval", "--curves", stdin=checked).out), len(table))

    def test_nothing_known_is_no_failure(self):
        ended = rederive("eval", "--json", stdin=lines({"question": "q", "steps": ["a"]}))
        self.assert_ended(ended, 0)
        self.assertEqual(ended.records[0]["n_ungraded"], 1)

    def test_the_same_seed_gives_the_same_bytes(self):
        args = ("eval", "--json", "--seed", "3")
        self.assertEqual(rederive(*args, stdin=self.TEXT).out, rederive(*args, stdin=self.TEXT).out)


class Lists(Case):
    def test_methods_and_formats(self):
        self.assertRegex(rederive("methods").out, r"(?m)^calculations +\w")
        formats = rederive("formats")
        self.assert_ended(formats, 0)
        for line in formats.out.splitlines():
            self.assertRegex(line, r"^\S+ +\S")


if __name__ == "__main__":
    unittest.main()
