#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Kinds of answer in records: dates, times, money, maybe, phrases, and gold answers of several ways of writing."""
import datetime
import json
import os
import random
import subprocess
import unittest

PROGRAM = os.environ.get("RDV_PROGRAM", "rederive")


def vote(chains):
    lines = "".join(json.dumps({"question_id": "q", "question": "Which?", **chain}) + "\n" for chain in chains)
    done = subprocess.run([PROGRAM, "vote", "-q"], input=lines, capture_output=True, text=True, check=True)
    result, = [json.loads(line) for line in done.stdout.splitlines()]
    return result


def read(solutions, kind, gold=None):
    """The classes that the answers of these solutions fall into: how many chains each."""
    result = vote([{"solution": s, "answer_type": kind, **({"gold": gold} if gold else {})} for s in solutions])
    return sorted(a["n_chains"] for a in result["answers"].values()), result


class Forms(unittest.TestCase):
    """A value that is written in any of its forms is read back the same: one class of votes."""

    def test_dates(self):
        rng = random.Random(16)
        for _ in range(12):
            day = datetime.date(rng.randint(1900, 2100), rng.randint(1, 12), rng.randint(1, 28))
            forms = [day.isoformat(), day.strftime("%m/%d/%Y"), day.strftime("%B %d, %Y"), day.strftime("%d %b %Y"),
                     f"{day.day}.{day.month}.{day.year}", f"the {day.day}th of {day:%B}, {day.year}", day.strftime("%Y/%m/%d")]
            with self.subTest(day):
                classes, result = read([f"One day after it. So the answer is {f}." for f in forms], "date", day.isoformat())
                self.assertEqual((classes, result["correct"]), ([len(forms)], True))

    def test_times(self):
        for minutes in range(0, 24 * 60, 97):
            hour, minute = divmod(minutes, 60)
            half, short = "am" if hour < 12 else "p.m.", (hour - 1) % 12 + 1
            forms = [f"{short}:{minute:02} {half}", f"{short}.{minute:02}{half}", f"{hour:02}{minute:02} hours"]
            if hour not in (10, 11, 12):  # of these, "11:19" does not say which half of the day it means
                forms += [f"{hour:02}:{minute:02}", f"{hour:02}:{minute:02}:00"]
            with self.subTest(f"{hour}:{minute}"):
                self.assertEqual(read([f"The answer is {f}" for f in forms], "time")[0], [len(forms)])

    def test_money(self):
        for cents in range(101, 500000, 33333):
            dollars, rest = divmod(cents, 100)
            forms = [f"${dollars}.{rest:02}", f"{dollars}.{rest:02} dollars", f"{cents} cents", f"USD {dollars:,}.{rest:02}",
                     f"{dollars} dollars and {rest} cents"]
            with self.subTest(cents):
                self.assertEqual(read([f"So the answer is {f}." for f in forms], "money")[0], [len(forms)])


class Several(unittest.TestCase):
    def test_gold_is_a_list(self):
        gold = ["New York City", "NYC", "the Big Apple"]
        result = vote([{"solution": f"The answer is {a}.", "gold": gold} for a in ("NYC", "big apple!", "New York", "New York city")])
        self.assertEqual(sorted(a["n_chains"] for a in result["answers"].values()), [1, 3])
        self.assertIs(result["correct"], True)

    def test_gold_stays_a_list(self):
        line = json.dumps({"question": "Where?", "steps": ["There."], "answer": "x", "gold": ["x", "y"]}) + "\n"
        done = subprocess.run([PROGRAM, "check", "-q"], input=line, capture_output=True, text=True, check=True)
        self.assertEqual(json.loads(done.stdout)["gold"], ["x", "y"])

    def test_maybe(self):
        classes, result = read(["The answer is unknown."] * 2 + ["The answer is yes."], "yesno-maybe", "maybe")
        self.assertEqual((classes, result["correct"]), ([1, 2], True))
        classes, result = read(["Yes and no. The answer is unknown."] * 2 + ["The answer is yes."], "yesno")
        self.assertEqual((classes, result["n_unparsed"]), ([1], 2))


if __name__ == "__main__":
    unittest.main()
