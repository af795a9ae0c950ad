# SPDX-License-Identifier: Apache-2.0
"""eval --recipe selfcheck:v2bound: how often majority voting fails, against all outcomes counted one by one."""
import itertools
import json
import math
import unittest
from collections import Counter

from support import Case, chain, lines, rederive


def failure(p, wrong, n):
    """The chance that a majority of n chains is wrong: every list of n answers, a tie by its share of wrong ones."""
    chances = {"right": p} | {i: q for i, q in enumerate(wrong)} | {None: max(1 - p - sum(wrong), 0)}
    total = 0
    for outcome in itertools.product(chances, repeat=n):
        counts = Counter(a for a in outcome if a is not None)
        top = [a for a, c in counts.items() if c == max(counts.values())]
        total += math.prod(chances[a] for a in outcome) * (1 - ("right" in top) / len(top) if top else 1)
    return total


def stated(p, q, n):
    return min(1, math.ceil((1 - p) / q) * (q / p) ** math.ceil(n / 2)) if q < p else 1


class Majority(Case):
    def rows(self, *options, stdin=b""):
        ended = rederive("eval", "-q", "--json", "--recipe", "selfcheck:v2bound", *options, stdin=stdin)
        self.assert_ended(ended, 0)
        return json.loads(ended.out)["rows"]

    def test_given_chances(self):
        for p, wrong in ((0.6, [0.4]), (0.5, [0.3, 0.1]), (0.3, [0.35, 0.35]), (0.7, [0.1, 0.1, 0.1]), (1, [0])):
            for row in self.rows("--p", str(p), "--q", ",".join(map(str, wrong)), "--n", "1:6"):
                exact = failure(p, wrong, row["n_chains"])
                self.assertAlmostEqual(row["failure"]["value"], exact, delta=1e-9)
                self.assertGreaterEqual(row["bound"]["value"], exact - 1e-12)
                self.assertEqual(row["q"]["value"], max(wrong))
                if max(wrong):
                    self.assertAlmostEqual(row["stated_bound"]["value"], stated(p, max(wrong), row["n_chains"]), delta=1e-12)
                    self.assertEqual(row["stated_holds"]["value"], row["stated_bound"]["value"] >= exact)
                else:
                    self.assertIsNone(row["stated_bound"]["value"])

    def test_the_papers_bound_does_not_hold(self):
        row, = self.rows("--p", "0.6", "--q", "0.4", "--n", "11")
        self.assertAlmostEqual(row["stated_bound"]["value"], 0.0878, delta=5e-5)
        self.assertAlmostEqual(row["failure"]["value"], 0.2465, delta=5e-5)
        self.assertEqual(row["stated_holds"]["value"], 0)

    def test_chances_from_chains(self):
        answers = {"a": ["5", "5", "6", "7"], "b": ["5", "6", "6", "x"], "c": ["5", "5", "5", "5"]}
        given = lines(*(chain(question_id=q, question=f"What is {q}?", answer=answer if answer != "x" else None,
                              steps=["It follows."])
                        for q, list_ in answers.items() for answer in list_))
        chances = [(0.5, [0.25, 0.25]), (0.25, [0.5]), (1, [])]
        for row in self.rows("--n", "1:5", stdin=given):
            exact = [failure(p, wrong, row["n_chains"]) for p, wrong in chances]
            self.assertAlmostEqual(row["failure"]["value"], sum(exact) / 3, delta=1e-9)
            self.assertEqual(row["failure"]["n"], 3)
            self.assertAlmostEqual(row["p"]["value"], 1.75 / 3, delta=1e-12)
            # the third question has no wrong answer, for which no bound is stated
            told = [stated(p, max(wrong), row["n_chains"]) for p, wrong in chances[:2]]
            self.assertAlmostEqual(row["stated_bound"]["value"], sum(told) / 2, delta=1e-12)

    def test_mistakes_are_told(self):
        recipe = ["--recipe", "selfcheck:v2bound"]
        for options, why in ((["--p", "0.6"], "--p and --q are given together"),
                             (["--p", "0.6", "--q", "0.4,0.1"], "add up to 1.1"),
                             (["--p", "0.6", "--q", "0.4;"], "must be chances from 0 to 1"),
                             (["--p", "0.6", "--q", "0.4", "--n", "3:2"], "a number of chains, or a range"),
                             (["--p", "0.6", "--q", "0.4", "--n", "0"], "a number of chains, or a range")):
            ended = rederive("eval", *recipe, *options)
            self.assertEqual(ended.status, 2, ended.err)
            self.assertIn(why, ended.err)
        ended = rederive("eval", "--recipe", "selfcheck:table1", "--n", "2", stdin=lines(chain()))
        self.assertEqual(ended.status, 2)
        self.assertIn("--n has no effect without --recipe selfcheck:v2bound", ended.err)
        ended = rederive("eval", *recipe, stdin=lines(chain(gold=None)))
        self.assertEqual(ended.status, 3)
        self.assertIn("give the chances by --p and --q", ended.err)


if __name__ == "__main__":
    unittest.main()
