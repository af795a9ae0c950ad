#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gold answers as data sets have them: whole solutions with a box, `####` or an announcement, under the usual names.

    gold_forms.py [--seed N] [--pairs N]

A value is drawn and written as gold in one of these forms; the answer is the same value in another notation, or another
number of the solution. The first is right, the second never is. A solution that announces nothing is no value: nothing
is the same as one of its numbers. Program: RDV_PROGRAM, or build/rederive. Exits with 1 if one differs."""
import argparse
import json
import os
import random
import subprocess
import sys
from collections import Counter
from fractions import Fraction

NAMES = ["gold", "gold_answer", "gold_solution", "ground_truth", "reference_answer", "reference_solution", "reference", "target",
         "expected_answer", "expected_output", "expected", "correct_answer", "ideal", "solution"]
WORK = ["We see {a}+{b}={c}, so ", "First, {a} times {b} is {c}. ", "There are {a} boxes of {b} pens, in all {c}.\n", "Let $x={a}$. Then $x+{b}={c}$. ",
        "\\[ {a} + {b} = {c} \\] Therefore ", ""]
ENDS = ["so \\boxed{{{}}}", "It is \\boxed{{{}}}.", "the answer is \\boxed{{{}}}.", "$x = \\boxed{{{}}}$ and this is all.", "we find that the value is $\\boxed{{{}}}$.", "\n#### {}",
        "the answer is ${}$.", "the final answer is {}.", "the total is found.\nAnswer: {}", "die Antwort lautet {}.", "la respuesta es {}."]
NOTHING = ["we are done.", "it follows.", "this proves the claim that was made above.", "nothing is left to do."]


def value(rng):
    """A value in two notations, of which one stands in gold."""
    way = rng.random()
    if way < 0.5:
        n = rng.randint(20, 9999)
        return str(n), rng.choice([str(n), f"{n:,}", f"{n}.0", f"\\text{{{n}}}"])
    if way < 0.8:
        share = Fraction(rng.randint(1, 40), rng.choice([2, 4, 5, 8, 25]))
        latex = f"\\frac{{{share.numerator}}}{{{share.denominator}}}" if share.denominator > 1 else str(share)
        return latex, str(float(share)) if way < 0.65 else str(share)
    if way < 0.9:
        n = rng.choice([2, 3, 5, 7])
        return f"\\sqrt{{{n}}}", f"\\frac{{{n}}}{{\\sqrt{{{n}}}}}"
    a, b = rng.randint(1, 30), rng.randint(1, 30)
    return f"({a}, {b})", f"({a},{b})"


def pairs(rng):
    a, b = rng.randint(2, 19), rng.randint(2, 19)
    shown, other = value(rng)
    work = rng.choice(WORK).format(a=a, b=b, c=a + b)
    name = rng.choice(NAMES)
    reply = rng.random() < 0.5 or name == "solution"

    def pair(gold, given, right):
        answer = {"text": f"So \\boxed{{{given}}}"} if reply else {"answer": given}
        return {**answer, name: gold, **({"question": "?"} if rng.random() < 0.3 else {})}, right
    yield pair(work + rng.choice(ENDS).format(shown), other, True)
    numbers = [n for n in (a, b, a + b) if str(n) != shown]
    yield pair(work + rng.choice(ENDS).format(shown), str(rng.choice(numbers)), False)
    yield pair(work + rng.choice(NOTHING), str(rng.choice([a, b, a + b])), False)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=3000)
    parser.add_argument("--show", type=int, default=5)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    made = [each for _ in range((given.pairs + 2) // 3) for each in pairs(rng)]
    done = subprocess.run([os.environ.get("RDV_PROGRAM", "build/rederive"), "grade", "-q"], capture_output=True, text=True, check=False,
                          input="".join(json.dumps(record) + "\n" for record, _ in made))
    told, wrong = Counter(), []
    for (record, right), graded in zip(made, map(json.loads, done.stdout.splitlines())):
        found = graded.get("correct", "error")
        told["same" if right else "not the same", found] += 1
        if (found is True) != right or found == "error":
            wrong.append(f"    {record}: {found}, {graded.get('why')}, {graded.get('reason') or graded.get('error')}")
    print(f"{len(made)} pairs, {len(wrong)} wrong; " + ", ".join(f"{truth} called {found}: {n}"
                                                             for (truth, found), n in sorted(told.items(), key=str)))
    print("\n".join(wrong[:given.show]), end="\n" if wrong else "")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
