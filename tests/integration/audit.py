# SPDX-License-Identifier: Apache-2.0
"""rederive audit: labels that contradict what is proven, and none that does not."""
import json
import unittest

from support import Case, chain, lines, rederive

EARLIER = chain(id="a", steps=["17 * 24 = 398", "So 398 - 58 = 330."], label=1)
MISSING = chain(id="b", steps=["2 + 3 = 5", "Zo\u00eb gets 5 * 4 = 21"], label=None)
FITTING = chain(id="c", steps=["2 + 3 = 5", "5 * 4 = 21"], label=1)
LATER = chain(id="d", steps=["There are 7 of them.", "5 * 4 = 21"], label=0)  # no calculation proves the first
NO_LABEL = chain(id="e", steps=["2 + 3 = 6"])
BY_STEP = chain(id="f", steps=["2 + 3 = 6", "So 4 * 4 = 15."], label=0,
                step_labels=[{"annotator": "ann", "criterion": "correct", "labels": [False, True]}])
UNDECIDED = chain(id="g", steps=["9^9^9^9 = 3"], label=None)
SWAPS = "Ann has a cup and Ben has a jug. First, Ann and Ben swap things. At the end of it, Ben has the"
HOLDS = chain(id="h", question=SWAPS, steps=["At the start: Ann: cup, Ben: jug.", "Ann and Ben swap: Ann: jug, Ben: cup."],
              answer="cup", gold="cup", label=1)
UNREAD = dict(HOLDS, id="i", steps=["They look at each other in silence.", HOLDS["steps"][1]], label=1)


def audit(*records, args=()):
    return rederive("audit", *args, stdin=lines(*records))


def at(line, record, step, text=""):
    """Where the text of the step stands in the record's line."""
    written = json.dumps(record["steps"][step])
    column = json.dumps(record).index(written) + 1 + (written.index(text) if text else 1)
    return f"standard input:{line}:{column}"


class Audit(Case):
    def test_lists_the_earlier_ones_first_with_their_proof(self):
        ended = audit(MISSING, FITTING, BY_STEP, EARLIER, HOLDS)
        self.assert_ended(ended, 0)
        self.assertEqual(ended.out.splitlines(), [
            at(4, EARLIER, 0) + ": a step 0: the label names step 1, but 17 * 24 = 398, should be 408",
            at(5, HOLDS, 1) + ": h step 1: the label names this step, which holds: Ann and Ben swap: Ann: jug, Ben: cup.",
            at(1, MISSING, 1, "5 * 4") + ": b step 1: the label names no wrong step, but 5 * 4 = 21, should be 20",
            at(3, BY_STEP, 1, "4 * 4") + ": f step 1: the step is labelled as right, but 4 * 4 = 15, should be 16"])
        self.assertIn("5 chains, 5 with labels; 4 conflicts: 1 earlier than the label, 1 labelled steps that hold, "
                      "1 in chains labelled right, 1 in steps labelled right; 0 records failed", ended.err)

    def test_nothing_undecided_or_unread_is_a_conflict(self):
        ended = audit(FITTING, LATER, UNDECIDED, UNREAD, NO_LABEL)
        self.assertEqual((ended.status, ended.out), (0, ""))
        self.assertIn("5 chains, 4 with labels; 0 conflicts", ended.err)

    def test_a_custom_is_no_proof(self):
        """A list that leaves a person out is a mistake as the labels of such traces understand it, and not false."""
        question = "Ann has a cup, Ben has a jug, Cleo has a bowl, and Dan has a pan. First, Ann and Ben swap. At the end, Ann has the"
        start, short = "At the start: Ann: cup, Ben: jug, Cleo: bowl, Dan: pan.", "Ann and Ben swap: Ann: jug, Ben: cup, Cleo: bowl."
        left_out = dict(question=question, steps=[start, short], label=None, id="l")
        follow = ["-m", "shuffled-objects"]
        self.assertEqual((audit(left_out, args=follow).status, audit(left_out, args=follow).out), (0, ""))
        checked, = rederive("check", "-q", "-m", "shuffled-objects", stdin=lines(left_out)).records
        self.assertEqual((checked["verdicts"][1]["verdict"], checked["verdicts"][1]["evidence"]), ("contradict", {"custom": True}))
        wrong = dict(left_out, steps=[start, short.replace("bowl", "pan")])
        self.assertIn('Cleo should have "bowl", not "pan"', audit(wrong, args=follow).out)

    def test_records(self):
        ended = audit(EARLIER, MISSING, args=["--json"])
        first, second = ended.records
        self.assertEqual(first, {
            "rederive_schema": 1, "conflict": "earlier", "file": "standard input", "line": 1, "id": "a", "label": 1, "step": 0,
            "method": "calculations", "text": "17 * 24 = 398", "explanation": "17 * 24 is 408, not 398",
            "calculations": [{"text": "17 * 24 = 398", "value": "408", "start": 0, "end": 13}]})
        self.assertEqual((second["conflict"], second["label"], second["step"]), ("missing", None, 1))
        self.assertEqual(json.loads(ended.err)["n_conflicts"], 2)

    def test_methods(self):
        self.assertEqual(audit(HOLDS, args=["-m", "calculations"]).out, "")
        self.assertIn("holds", audit(HOLDS, args=["-m", "shuffled-objects"]).out)
        self.assertIn("--method", audit(HOLDS, args=["-m", "selfcheck"]).err)
        self.assertEqual(audit(HOLDS, args=["-m", "selfcheck"]).status, 2)

    def test_chains_without_labels(self):
        ended = audit(NO_LABEL)
        self.assertEqual((ended.status, ended.out), (3, ""))
        self.assertIn("no chain has a label; --assume-right", ended.err)
        ended = audit(NO_LABEL, args=["--assume-right"])
        self.assertEqual(ended.status, 0)
        self.assertIn("2 + 3 = 6, should be 5", ended.out)

    def test_worked_solutions_are_labelled_right(self):
        # GSM8K's solutions are read as chains labelled free of errors: no option is needed for them.
        ended = rederive("audit", stdin=json.dumps({"question": "How many pens?", "answer": "2+3=<<2+3=6>>6 pens\n#### 6"}))
        self.assertEqual(ended.status, 0)
        self.assertIn("the label names no wrong step, but 2+3=<<2+3=6>>6, should be 5", ended.out)

    def test_exit_status(self):
        self.assertEqual(audit(EARLIER, args=["--fail-on-wrong"]).status, 4)
        self.assertEqual(audit(FITTING, args=["--fail-on-wrong"]).status, 0)
        self.assertEqual(rederive("audit", stdin="nonsense\n" + lines(FITTING)).status, 1)
        self.assertEqual(rederive("audit", stdin="").status, rederive("check", stdin="").status)

    def test_hostile_text_stays_on_its_line(self):
        ended = audit(dict(MISSING, id="a\n\x1b[2Jb", steps=["2 + 3 = 5", "\x1b[2J\n5 * 4 = 21"]))
        self.assertEqual(len(ended.out.splitlines()), 1)
        self.assertNotIn("\x1b", ended.out)


if __name__ == "__main__":
    unittest.main()
