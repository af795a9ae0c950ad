#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Calculations whose result is then compared, with a sign or in words: where the comparison is false, the step is no support.

    comparisons.py [--number N] [--seed S] [--show]

Draws a right calculation, what it is compared with, and a sign or words; whether that is so is known by exact arithmetic. A true one
is never wrong, a false one never support. The share of the drawn that is decided is printed. Program: RDV_PROGRAM, or
build/rederive."""
import argparse
import collections
import fractions
import math
import operator
import random
import sys

from records import records

SIGNS = {"<": operator.lt, ">": operator.gt, "<=": operator.le, ">=": operator.ge, "≤": operator.le, "≥": operator.ge,
         "≠": operator.ne, "!=": operator.ne, "\\leq": operator.le, "\\geq": operator.ge, "\\lt": operator.lt,
         "\\gt": operator.gt, "\\neq": operator.ne, "\\le": operator.le, "\\ge": operator.ge}
WORDS = {"greater than": operator.gt, "more than": operator.gt, "larger than": operator.gt, "bigger than": operator.gt,
         "higher than": operator.gt, "less than": operator.lt, "smaller than": operator.lt, "lower than": operator.lt,
         "at least": operator.ge, "at most": operator.le, "greater than or equal to": operator.ge,
         "less than or equal to": operator.le}


def is_whole(x):
    return x.denominator == 1


KINDS = {"even": lambda x: is_whole(x) and x % 2 == 0, "odd": lambda x: is_whole(x) and x % 2 == 1,
         "a perfect square": lambda x: is_whole(x) and x >= 0 and math.isqrt(int(x)) ** 2 == x, "positive": lambda x: x > 0,
         "negative": lambda x: x < 0, "an integer": is_whole, "a whole number": is_whole}
OF_WHOLE = ("even", "odd", "a perfect square")


def written(x):
    """As a decimal, which it has."""
    return str(int(x)) if is_whole(x) else str(float(x))


def calculation(rng):
    """(text, value)"""
    a, b = rng.randint(2, 60), rng.randint(2, 60)
    sign, value = rng.choice([("+", a + b), ("-", a - b), ("*", a * b), ("/", None)])
    if value is None:
        b = rng.choice([2, 4, 5, 8, 10])
        value = fractions.Fraction(a, b)
    return f"{a} {sign} {b}", fractions.Fraction(value)


def draw(rng):
    """(text, is it so)"""
    left, value = calculation(rng)
    other = value + rng.choice([-3, -2, -1, 0, 1, 2, 3]) * rng.choice([1, fractions.Fraction(1, 2), 10])
    kind = rng.choice(["sign", "sign of the calculation", "words", "kind"])
    if kind.startswith("sign"):
        sign = rng.choice(sorted(SIGNS))
        text = f"{left} {sign} {written(other)}" if "of" in kind else f"{left} = {written(value)} {sign} {written(other)}"
        if "\\" in sign or rng.random() < 0.3:
            text = f"${text}$"
        return "So we have " + text + ".", SIGNS[sign](value, other)
    denied = rng.random() < 0.3
    verb = rng.choice(["is", ", which is"]) + (" not" if denied else "")
    if kind == "words" and other >= 0 and rng.random() < 0.2:
        further = other + rng.randint(1, 9)
        holds, said = other < value < further, f"between {written(other)} and {written(further)}"
    elif kind == "words" and other >= 0:
        words = rng.choice(sorted(WORDS))
        holds, said = WORDS[words](value, other), f"{words} {written(other)}"
    else:
        said = rng.choice([k for k in sorted(KINDS) if k not in OF_WHOLE or (is_whole(value) and value >= 0)])
        holds = KINDS[said](value)
    text = f"{left} = {written(value)}{'' if verb[0] == ',' else ' '}{verb} {said}"
    return f"{rng.choice(['', 'Then ', 'We get '])}{text}.", holds != denied


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--number", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print each fault")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    drawn = [draw(rng) for _ in range(args.number)]
    checked = records(["check", "--quiet", "--json", "--method", "calculations"],
                      [{"question": "How much is it?", "steps": [text]} for text, _ in drawn])
    counts = collections.Counter()
    faults = 0
    for (text, holds), record in zip(drawn, checked):
        verdict = record["verdicts"][0]["verdict"]
        counts[holds, verdict] += 1
        if verdict == ("contradict" if holds else "support"):
            faults += 1
            if args.show or faults <= 20:
                print(f"{'true' if holds else 'false'}, {verdict}: {text}")
    for (holds, verdict), n in sorted(counts.items()):
        print(f"{'true' if holds else 'false'} comparisons: {n} {verdict}")
    print(f"{faults} faults of {args.number}")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
