# SPDX-License-Identifier: Apache-2.0
"""The data sets of general-purpose verification: read as published, answers read by the right rule.

tests/golden/datasets.json: a record in each published form, and replies with the answer to be read in them."""
import json
import os
import unittest

from support import Case, lines, rederive

GOLDEN = os.path.join(os.environ["RDV_SOURCE"], "tests/golden/datasets.json")
TABLE = os.path.join(os.environ["RDV_SOURCE"], "docs/datasets.md")


def question_of(record, cwd):
    """What the reader makes of a published question: check writes it, with the error that it has no steps;
    or with the steps of its worked solution."""
    ended = rederive("check", "-q", record, cwd=cwd)
    found = json.loads(ended.out.splitlines()[0])
    return {name: found[name] for name in ("question", "options", "answer_type", "gold") if name in found}


class DataSets(Case):
    def setUp(self):
        super().setUp()
        with open(GOLDEN, encoding="utf-8") as file:
            self.sets = json.load(file)

    def test_answers(self):
        for one in self.sets:
            self.write("published.json", one["record"])
            question = question_of("published.json", self.folder)
            chains = [{**question, "question_id": f"{i}", "steps": reply.split("\n")}
                      for i, (reply, _, _) in enumerate(one["replies"])]
            ended = rederive("vote", "-q", stdin=lines(*chains))
            self.assert_ended(ended, 0)
            for (reply, answer, right), found in zip(one["replies"], ended.records):
                with self.subTest(set=one["set"], reply=reply):
                    self.assertEqual(found["answer"], answer)
                    self.assertEqual(found["correct"], right)

    def test_rules(self):
        """The kind that the reader states, or that the options and the right answer give."""
        for one in self.sets:
            with self.subTest(set=one["set"]):
                self.write("published.json", one["record"])
                question = question_of("published.json", self.folder)
                gold = question["gold"].lower()
                kind = question.get("answer_type", "option" if question.get("options") else
                                    "yesno" if gold in ("yes", "no") else "text")
                self.assertEqual(kind, one["rule"])

    def test_documented_examples(self):
        self.write("coin_flip.json", next(one["record"] for one in self.sets if one["set"] == "Coin flip"))
        self.write("recorded.jsonl", lines({"question": "Is it?", "gold": "no", "steps": ["So the answer is no."]}))
        with open(TABLE, encoding="utf-8") as file:
            examples = [line.split() for line in file if line.startswith("rederive ")]
        self.assertEqual(len(examples), 2)
        for example in examples:
            ended = rederive(*example[1:], cwd=self.folder)
            self.assert_ended(ended, 0)
            self.assertTrue(ended.out)

    def test_the_documentation_has_each(self):
        with open(TABLE, encoding="utf-8") as file:
            table = file.read()
        for one in self.sets:
            self.assertIn(one["set"].split(" (")[0], table)


if __name__ == "__main__":
    unittest.main()
