#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a Python program would do in place of the calculation checker, with sympy.

    bench/sympy_checker.py [--runs N] FILE

Finds equalities of arithmetic with one regular expression, turns LaTeX, percent and currency into
sympy's notation by a few substitutions, and evaluates both sides as exact rationals. It reads fewer
forms than Rederive (no letters, no roots, no rounding but to the digits shown), so the comparison
leans to its side. Prints one JSON line with the members of bench_calculations --json.
"""
import argparse
import json
import re
import statistics
import time

from sympy import Rational, nsimplify
from sympy.parsing.sympy_parser import parse_expr, rationalize, standard_transformations

NUMBER = r"\$?-?\d+(?:,\d{3})*(?:\.\d+)?%?"
FRACTION = r"\\frac\{-?\d+\}\{-?\d+\}"
OPERAND = rf"(?:[(\s-])*(?:{FRACTION}|{NUMBER})[)\s]*"
SIDE = rf"{OPERAND}(?:(?:[-+*/x×÷^]|\\times|\\cdot|of)\s*{OPERAND})*"
EQUALITY = re.compile(rf"{SIDE}(?:=\s*(?:<<[^>]*>>)?{SIDE})+")
MARK = re.compile(r"<<([^<>]*)>>")

SUBSTITUTIONS = [
    (re.compile(r"\\frac\{([^{}]*)\}\{([^{}]*)\}"), r"((\1)/(\2))"),
    (re.compile(r"\\times|\\cdot|×|\bx\b"), "*"),
    (re.compile(r"÷"), "/"),
    (re.compile(r"\^"), "**"),
    (re.compile(r"\$"), ""),
    (re.compile(r"(?<=\d),(?=\d{3})"), ""),
    (re.compile(r"%\s*of"), "/100*"),
    (re.compile(r"(\d)%"), r"\1"),
]
TRANSFORMATIONS = standard_transformations + (rationalize,)


def value_of(side):
    """The exact value of one side, or None when it cannot be read."""
    for pattern, replacement in SUBSTITUTIONS:
        side = pattern.sub(replacement, side)
    try:
        value = parse_expr(side.strip(), transformations=TRANSFORMATIONS)
        if value.is_Rational:
            return value
        return nsimplify(value, rational=True) if value.is_number else None
    except Exception:  # pylint: disable=broad-except; sympy raises what Python's parser does
        return None


def decimals_of(side):
    """How many digits after the point a plain number shows."""
    match = re.search(r"\.(\d+)\s*%?\s*$", side)
    return len(match.group(1)) if match else 0


def decide(left, right):
    """right, rounded, wrong or undecided, for one equality of two sides."""
    a, b = value_of(left), value_of(right)
    if a is None or b is None:
        return "undecided"
    if a == b:
        return "right"
    half = Rational(1, 2 * 10 ** decimals_of(right))
    return "rounded" if decimals_of(right) and abs(a - b) <= half else "wrong"


def check(text):
    """Count the equalities of the text by what they are."""
    found = {"right": 0, "rounded": 0, "wrong": 0, "undecided": 0}
    for line in text.splitlines():
        claims = [match.group() for match in EQUALITY.finditer(MARK.sub("", line))]
        claims += [match.group(1) for match in MARK.finditer(line)]
        for claim in claims:
            sides = claim.split("=")
            for left, right in zip(sides, sides[1:]):
                found[decide(left, right)] += 1
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("file")
    options = parser.parse_args()
    with open(options.file, encoding="utf-8", errors="replace") as file:
        text = file.read()

    check(text[:10000])  # imports and caches are not what is measured
    times = []
    for _ in range(options.runs):
        start = time.process_time()
        found = check(text)
        times.append(time.process_time() - start)
    size = len(text.encode("utf-8"))
    seconds = statistics.median(times)
    print(json.dumps({"checker": "sympy", "bytes": size, "runs": options.runs,
                      "seconds": seconds, "mb_per_s": size / 1e6 / seconds, **found}))


if __name__ == "__main__":
    main()
