# SPDX-License-Identifier: Apache-2.0
"""One file of replies of all kinds: grade, check's records graded, check --view, vote, eval and the report say the same of each."""
import json
import unittest

from support import Case, lines, rederive

# (reply, gold, kind or None for gold's own)
REPLIES = [
    ("The area is 12 cm.", "12 cm^2", None), ("The energy is 49 J.", "49 N", None), ("It costs 5 dollars.", "5 euros", None),
    ("It is 5 degrees below zero.", "5", None), ("It is 5 degrees below zero.", "-5", None), ("The mass is 2500 g.", "2.5 kg", None),
    ("It takes 1 hour and 30 minutes.", "90 minutes", None), ("It takes 1 hour and 30 minutes.", "30 minutes", None),
    ("The length is 3 m 20 cm.", "3.2 m", None), ("The time is 5/2 = 2.5 hours, which is 2 hours 30 minutes.", "2.5 hours", None),
    ("Seven", "7", None), ("zero", "0", None), ("a dozen", "12", None), ("Seven.", "8", None), ("two thirds", "2/3", None),
    ("3 + 4 = 7\nSo there are 7 apples.", "7", None), ("3 + 4 = 7\n\nSo the answer is \\boxed{7}.", "7", None),
    ("The answer is 7 apples.", "7 pears", None), ("I think B fits.\n\nThe answer is (B).", "B", None), ("I would say C.", "B", None),
    ("We look at it. No, it is not.", "yes", None), ("Yes.", "yes", None), ("The price is $12.50.", "$12.50", None),
    ("That is 60 miles per hour.", "60 km/h", None), ("That is 36 km/h.", "10 m/s", None), ("So half of it, 50%, is left.", "0.5", None),
    ("It begins at 5 pm.", "5 am", None), ("x = 2 or x = 3", "{2, 3}", None), ("The pair is (1, 2).", "(1,2)", None),
    ("Thus $f(x) = 2x + 1$.", "2x+1", None), ("Thus $x = \\frac{1}{2}$.", "0.5", None),
    ("The answer is 12. However, that is wrong; it is 14.", "14", None), ("about 5", "5", None), ("at least 5 of them", "5", None),
    ("It fell by 12.", "-12", None), ("He made a loss of $5.", "a profit of $5", None), ("The capital is Paris.", "Paris", None),
    ("The capital is Rome.", "Paris", None), ("**Answer**: 14", "14", None), ("#### 1,234", "1234", None),
    ("It takes two and a half hours.", "2.5 hours", None), ("The angle is 60°.", "\\frac{\\pi}{3}", None), ("He has 5 dozen eggs.", "60", None),
    ("3 and -3", "-3, 3", None), ("3 + 4 = 7\nCheck: 7 - 4 = 3.", "7", None), ("The cat sat on the mat.", "7", None),
    ("I do not know.", "7", None), ("The answer is 19.", "19", "money"), ("It was July 4, 1776.", "1776-07-04", "date"),
]
SAID = {True: "right", False: "wrong", None: "cannot be told"}


def records(replies):
    out = []
    for i, (reply, gold, kind) in enumerate(replies):
        record = {"id": f"r{i}", "question": f"What is number {i}?", "response": reply, "gold": gold}
        out.append({**record, "answer_type": kind} if kind else record)
    return lines(*out)


class Agreement(Case):
    def setUp(self):
        super().setUp()
        self.file = self.write("replies.jsonl", records(REPLIES))
        self.graded = rederive("grade", "-q", self.file).records
        self.says = [record["correct"] for record in self.graded]
        self.assertEqual(len(self.says), len(REPLIES))
        for one in (True, False, None):
            self.assertGreater(self.says.count(one), 3)

    def differ(self, other):
        return [(REPLIES[i], mine, theirs) for i, (mine, theirs) in enumerate(zip(self.says, other, strict=True)) if mine != theirs]

    def test_records_of_check(self):
        checked = rederive("check", "-q", self.file)
        again = rederive("grade", "-q", stdin=checked.out).records
        self.assertEqual(self.differ([record["correct"] for record in again]), [])
        read = rederive("grade", "-q", "--answer-source", "read", stdin=checked.out).records
        self.assertEqual(self.differ([record["correct"] for record in read]), [])

    def test_view(self):
        shown = rederive("check", "-q", "--view", self.file)
        answers = [line for line in shown.out.splitlines() if line.startswith("  answer ")]
        self.assertEqual(len(answers), len(REPLIES))
        wrong = [(line, SAID[is_]) for line, is_ in zip(answers, self.says) if not line.endswith("  " + SAID[is_])]
        self.assertEqual(wrong, [])

    def test_vote(self):
        """Each is the only reply to its question. What cannot be told is not right, and what is not read has no vote."""
        votes = {record["question_id"]: record["correct"] for record in rederive("vote", "-q", self.file).records if "question_id" in record}
        self.assertEqual(len(votes), len(REPLIES))
        said = [votes[f"What is number {i}?"] for i in range(len(REPLIES))]
        self.assertLess(said.count(None), 6)
        unlike = [(REPLIES[i], is_, said[i]) for i, is_ in enumerate(self.says) if said[i] not in (None, is_ is True)]
        self.assertEqual(unlike, [])

    def test_measurements(self):
        """eval's accuracy of single chains is grade's, but for answers in words that no vote counts."""
        figures = json.loads(rederive("eval", "-q", "--json", self.file).out)["figures"]
        self.assertAlmostEqual(figures["accuracy.chain"]["value"] * len(REPLIES), self.says.count(True) - 2, places=6)

    def test_given_answers_count_as_given(self):
        """An answer that the steps do not end with is the record's own, and null says that there is none."""
        given = lines({"question": "?", "steps": ["It is 12 cm."], "answer": "13 cm", "gold": "12 cm"},
                      {"question": "?", "steps": ["It is 12 cm."], "answer": None, "gold": "12 cm"},
                      {"question": "?", "steps": ["It is 12 cm."], "gold": "12 cm"})
        self.assertEqual([record["correct"] for record in rederive("grade", "-q", stdin=given).records], [False, False, True])


if __name__ == "__main__":
    unittest.main()
