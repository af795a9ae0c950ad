# SPDX-License-Identifier: Apache-2.0
"""The words for people: the sentence first, proven and judged, of what a right value is the value, and what would help."""
import re
import unittest

from scripted import Server
from support import Case, chain, lines, rederive

UNREAD = "100 -6 60 = 40"  # garbled: nobody can read it
SURE = chain(id="q/0", steps=["2 + 3 = 5"])
WRONG = chain(id="q/1", steps=["2 + 3 = 6", "5 * 2 = 10", "Well."])
PASSED_OVER = chain(id="q/2", steps=[UNREAD])
PAPERS = re.compile(r"\b(support|contradict|unrelated|unknown)")


class Sentence(Case):
    def test_comes_first_and_says_what_was_checked(self):
        told = rederive("check", stdin=lines(SURE, WRONG, PASSED_OVER)).err.splitlines()
        self.assertEqual(told[:2], ["1 wrong step in 1 of 3 solutions; 3 of 4 calculations checked.",
                                    "calculations: 1 not read: 1 other; --list-unread lists them"])
        self.assertRegex(told[2], r"^5 steps: 1 wrong, 2 right, 1 nothing to check, 1 not read; \d+\.\d\d s$")
        self.assertEqual(told[3:], ["The exit status is 0; with --fail-on-wrong it is 4 where a step is wrong."])
        self.assertNotIn("exit status", rederive("check", "--fail-on-wrong", stdin=lines(WRONG)).err)
        self.assertNotIn("exit status", rederive("check", stdin=lines(SURE)).err)

    def test_nothing_checked_is_not_nothing_wrong(self):
        self.assertIn("Nothing was decided in 1 solution; 0 of 1 calculation checked.\n",
                      rederive("check", stdin=lines(PASSED_OVER)).err)
        self.assertIn("Nothing to check in 1 solution.\n", rederive("check", stdin=lines(chain(steps=["Well."]))).err)

    def test_each_method_has_its_own(self):
        told = rederive("check", "-m", "calculations,values", stdin=lines(WRONG)).err
        for method in ("calculations", "values"):
            self.assertIn(f"{method}: 1 wrong step in 1 of 1 solution; 2 of 2 calculations checked.\n", told)

    def test_a_solution_without_steps_is_told(self):
        told = rederive("check", stdin=lines(WRONG, chain(id="q/3", steps=[]))).err
        self.assertIn("1 wrong step in 1 of 2 solutions; 2 of 2 calculations checked; 1 solution has no step.\n", told)

    def test_a_check_that_a_later_one_replaces_is_not_shown(self):
        once = rederive("check", stdin=lines(WRONG)).out
        for args in ((), ("-m", "calculations,values")):
            again = rederive("check", *args, "--view", stdin=once).out
            self.assertEqual(again.count("proven wrong"), 1 + len(args) // 2, again)

    def test_no_term_of_the_papers_is_shown(self):
        for args in (["--view"], ["--list", "--fail-on-unknown"], []):
            ended = rederive("check", *args, stdin=lines(SURE, WRONG, PASSED_OVER))
            shown = ended.err + (ended.out if args else "")
            self.assertIsNone(PAPERS.search(shown.replace("fail-on-unknown", "")), shown)
        record, = rederive("check", "-q", stdin=lines(SURE)).records
        self.assertEqual(record["verdicts"][0]["verdict"], "support")


class Views(Case):
    def view(self, *args, stdin):
        return " ".join(rederive("check", "-q", "--view", *args, stdin=stdin).out.split())

    def test_a_proof_is_no_matter_of_degree(self):
        shown = self.view(stdin=lines(WRONG))
        self.assertIn("step 0 (counted from 0) is proven wrong 2 of 2 calculations checked", shown)
        self.assertNotIn("confidence", shown)
        self.assertIn("no wrong step found confidence 1.00 1 of 1 calculation checked", self.view(stdin=lines(SURE)))

    def test_a_judgement_is_not_called_a_proof(self):
        with Server(rules=[{"reply": "The sum is off.\nWrong"}]) as server:
            shown = self.view("-m", "single-stage", "-M", server.url, stdin=lines(SURE))
            told = rederive("check", "-m", "single-stage", "-M", server.url, stdin=lines(SURE)).err
        self.assertIn("step 0 (counted from 0) is judged wrong confidence 0.5", shown)
        self.assertIn("1 step judged wrong in 1 of 1 solution; 1 of 1 step decided.\n", told)

    def test_what_a_model_says_is_right_is_judged_right(self):
        with Server(rules=[{"reply": "Correct"}]) as server:
            args = ["check", "-m", "single-stage", "-M", server.url, "--html", self.path("r.html")]
            ended = rederive(*args, "--view", stdin=lines(SURE))
        shown, report = " ".join(ended.out.split()), self.read("r.html")
        for says in ("no step judged wrong confidence", "judged right: the check judged the step right; this is no proof"):
            self.assertIn(says, shown)
        self.assertIn("No step judged wrong in 1 solution; 1 of 1 step decided.", ended.err)
        self.assertIn("1 step: 1 judged right", ended.err)
        for says in ('<span class="badge right judged">', '<span class="word">judged right</span>', "all that was checked judged right"):
            self.assertIn(says, report)
        self.assertNotRegex(report, r'class="verdict right"')

    def test_a_right_value_names_what_it_is_the_value_of(self):
        for step, says in (("4x - 4 = 20. So x = 7.", "4x - 4 is 24 (the value put into the equation)"),
                           ("3x = 15, so x = 6", "3x is 18 (the value put into the equation)"),
                           ("2k + 1 = 9. So k = 5", "2k + 1 is 11 (the value put into the equation)")):
            solved = lines(chain(steps=[step]))
            self.assertIn(": " + says, self.view(stdin=solved), step)
            self.assertIn(": " + says, rederive("check", "-q", "--list", stdin=solved).out)
        self.assertIn("2 + 3 = 6, should be 5", self.view(stdin=lines(WRONG)))

    def test_an_answer_that_cannot_be_told_is_not_called_wrong(self):
        told = lines(chain(id="t/0", answer="may be 12", gold="12"), chain(id="t/1", answer="13", gold="12"))
        shown = self.view(stdin=told)
        self.assertIn("answer may be 12 gold 12 cannot be told", shown)
        self.assertIn("answer 13 gold 12 wrong", shown)
        rederive("check", "-q", "--html", self.path("r.html"), stdin=told)
        report = self.read("r.html")
        self.assertIn('<span class="badge undecided">? cannot be told</span>', report)
        self.assertIn("<b>0</b> of 2 right", report)
        self.assertEqual(report.count('<span class="badge wrong">✗ wrong</span>'), 1)

    def test_a_reply_that_was_cut_off_is_said_to_be(self):
        cut = {"id": "a", "choices": [{"message": {"role": "assistant", "content": "2 + 3 = 5. Then"}, "finish_reason": "length"}]}
        self.assertIn("incomplete: the reply was cut off before its end answer none read", self.view(stdin=lines(cut)))

    def test_all_methods_are_shown(self):
        counted = chain(question="What is 7 + 3?", steps=["7 + 4 = 11", "11 - 1 = 10"])
        shown = self.view("-m", "values,calculations", stdin=lines(counted))
        self.assertIn("values: undecided: 4 is not in the question", shown)
        self.assertIn("values, calculations What is 7 + 3? ?✓ 0 7 + 4 = 11", shown)
        self.assertRegex(shown, r"values: no wrong step.*calculations: no wrong step found")
        self.assertIn("? undecided: the check could not decide", shown)  # in the legend: the mark of the other method

    def test_the_report_says_a_proof_of_another_method_without_a_number(self):
        rederive("check", "-q", "-m", "calculations,values", "--html", self.path("r.html"), stdin=lines(WRONG))
        others = re.findall(r'<span class="other">calculations (.*?)</span></p>', self.read("r.html"))
        self.assertTrue(others)
        for said in others:
            self.assertNotRegex(said, r"[01]\.00")

    def test_the_legend_tells_proofs_from_judgements(self):
        with Server(rules=[{"reply": "Correct"}]) as server:
            shown = self.view("-m", "calculations,single-stage", "-M", server.url, stdin=lines(SURE))
        self.assertIn("✓ right: the check found the step right ✓ judged right: the check judged the step right; this is no proof", shown)
        self.assertNotIn(" 1 calls", shown)

    def test_a_check_that_was_cancelled_says_so(self):
        late = chain(id="t/0", method="selfcheck", confidence=0.86, first_error="unknown", n_unknown=1, verdicts=[
            {"step": 0, "verdict": "unknown", "score": None, "explanation": "timed out: no reply within 1 s"}])
        shown = self.view("-m", "calculations", stdin=lines(late))
        self.assertIn("selfcheck: nothing was decided 1 of 1 undecided: the check did not end (timed out)", shown)


class OwnMethod(Case):
    """A member `method` of the user's own, beside no check, is no check: it is carried along."""

    def test_is_no_check(self):
        own = chain(method="cot", id="m/0")
        record, = rederive("check", "-q", stdin=lines(own)).records
        self.assertEqual((record["method"], record["own_method"], record.get("checks")), ("calculations", "cot", None))
        again, = rederive("check", "-q", stdin=lines(record)).records
        self.assertEqual(again, record)
        kept, = rederive("sample", "-q", "--limit", "1", stdin=lines(own)).records
        self.assertEqual((kept["method"], kept.get("own_method")), ("cot", None))
        self.assertNotIn("have been checked", rederive("vote", stdin=lines(own)).err)
        self.assertNotIn("cot", rederive("check", "-q", "--view", stdin=lines(own)).out)

    def test_a_check_still_is_one(self):
        record, = rederive("check", "-q", "-m", "values", stdin=rederive("check", "-q", stdin=lines(SURE)).out).records
        self.assertEqual(sorted(record["checks"]), ["calculations", "values"])


class Texts(Case):
    def test_a_text_in_place_of_a_file(self):
        self.assertIn("2 + 2 = 5: cannot be opened: No such file or directory; a text is given on standard input\n", rederive("check", "2 + 2 = 5").err)
        self.assertIn("given by --answer and --gold\n", rederive("grade", "1/2", "0.5").err)
        self.assertTrue(rederive("check", "missing.jsonl").err.startswith("rederive: missing.jsonl: cannot be opened: No such file or directory\n"))


    def test_a_question_of_a_data_set_is_said_to_be_one(self):
        told = rederive("check", stdin=lines({"problem": "2 + 2?", "solution": "2 + 2 = 5.", "answer": "4"})).err
        self.assertIn("a question without steps (read as math), where a chain is wanted; --steps-from names the member", told)


    def test_a_gold_answer_that_is_named_is_of_no_kind_of_the_format(self):
        own = lines({"problem": "How much flour?", "solution": "75 g * 10 = 750 g. So it is 750 g.", "answer": "750 g"})
        record, = rederive("check", "-q", "--steps-from", "solution", "--gold-from", "answer", "--question-from", "problem", stdin=own).records
        self.assertNotIn("answer_type", record)


class Evaluation(Case):
    def test_a_sentence_of_one_figure_is_whole(self):
        checked = rederive("check", "-q", stdin=lines(chain(steps=["2 + 3 = 6"], gold="5", answer="6"))).out
        self.assertIn("Of the solutions that the check accepts or rejects, it rejects 100.0 % of the wrong ones.", rederive("eval", stdin=checked).out)

    def test_nothing_to_measure(self):
        out = rederive("eval", stdin=lines(chain(gold=None))).out
        self.assertTrue(out.startswith("Nothing can be measured: no solution has a gold answer"), out)
        self.assertNotIn("figure", out)


class Remedies(Case):
    def told(self, reply, *args, **how):
        with Server(rules=[dict({"reply": reply}, **how)]) as server:
            return rederive("check", "-m", "single-stage", "-M", server.url, *args, stdin=lines(WRONG)).err

    def test_where_most_replies_could_not_be_read(self):
        told = self.told("Who knows.")
        undecided = "3 of 3 steps are undecided because replies could not be read (3): "
        self.assertIn(undecided + "try a larger model\n", told)  # the server was found to take no JSON schema
        self.assertIn(undecided + "add --structured, if the server takes a JSON schema, or try a larger model\n",
                      self.told("Who knows.", "--profile", "paper"))
        self.assertIn(undecided + "leave out --no-structured, or try a larger model\n", self.told("Who knows.", "--no-structured"))
        self.assertIn("Nothing was decided in 1 solution; 0 of 3 steps decided.\n", told)

    def test_where_they_were_cut_off(self):
        self.assertIn("3 of 3 steps are undecided because replies were cut off (3): allow longer ones, by a larger max_tokens",
                      self.told("The sum of", do="length"))

    def test_none_where_they_were_read(self):
        self.assertNotIn("undecided because", self.told("The sum is right.\nCorrect"))


if __name__ == "__main__":
    unittest.main()
