#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""An empty answer is unread in every vote and evaluation, except where the gold answer is empty itself."""
import json
import os
import subprocess
import unittest

PROGRAM = os.environ.get("RDV_PROGRAM", "rederive")


def chains(answers, **question):
    return "".join(json.dumps({"question_id": "q", "question": "Which?", "steps": ["Thus."], "answer": answer, **question})
                   + "\n" for answer in answers)


def run(command, records):
    done = subprocess.run([PROGRAM, *command], input=records, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


class Empty(unittest.TestCase):
    def test_vote(self):
        for kind in ("text", "latex", "number", "yesno", "option"):
            with self.subTest(kind):
                right = {"yesno": "yes", "option": "B"}.get(kind, "5")
                result, = run(["vote", "-q"], chains([""] * 20 + [right], answer_type=kind, gold=right))
                self.assertEqual((result["answer"], result["weight_share"], result["n_unparsed"]), (right, 1, 20))
                self.assertIs(result["correct"], True)

    def test_vote_of_empty_answers_alone(self):
        result, = run(["vote", "-q"], chains(["", " ", "."], answer_type="text", gold="five"))
        self.assertEqual((result["answer"], result["answers"], result["n_unparsed"]), (None, {}, 3))

    def test_vote_on_brackets_that_need_no_closing(self):
        result, = run(["vote", "-q"], chains(["", " ", "]"], answer_type="text", gold=""))
        self.assertEqual((result["answer"], result["n_unparsed"], result["correct"]), ("", 0, True))

    def test_drawn_subsets(self):
        """Where two of three chains vote, the empty ones never do so with a share of the vote."""
        for seed in range(5):
            with self.subTest(seed):
                result, = run(["vote", "-q", "--subset-size", "2", "--seed", str(seed)],
                              chains(["", "", "x"], answer_type="text", gold="x"))
                self.assertIn((result["answer"], result["n_unparsed"]), ((None, 2), ("x", 1)))

    def test_eval(self):
        report, = run(["eval", "-q", "--json"], chains(["", "x", ""], answer_type="text", gold="x"))
        self.assertEqual(report["n_unparsed"], 2)
        self.assertEqual(report["figures"]["accuracy.majority"]["value"], 1)


if __name__ == "__main__":
    unittest.main()
