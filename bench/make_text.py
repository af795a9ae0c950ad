#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write solutions like those of language models, the same ones for the same arguments.

    bench/make_text.py [--kilobytes N] [--seed N] > FILE

A line is a step, an empty line ends a solution. About one calculation in ten is wrong, and about
two thirds of the text is prose without any.
"""
import argparse
import random
import sys
from fractions import Fraction

NAMES = ["Ana", "Bo", "Chen", "Dana", "Emil", "Farah"]
THINGS = ["apples", "pages", "tickets", "boxes", "metres of rope", "litres of paint"]
PROSE = [
    "Let us think about what the question asks before calculating anything.",
    "Next we use what was found above to see how many {things} {name} has now.",
    "Since {name} cannot use a part of one, only whole {things} count here.",
    "We know that the number of {things} must be positive, so this is plausible.",
    "Therefore we go on with the second half of the problem.",
]


def plain(value):
    """A number as people write it: whole, or with at most four decimals."""
    if value.denominator == 1:
        return f"{value.numerator:,}" if value.numerator > 9999 else str(value.numerator)
    return f"{float(value):.4f}".rstrip("0")


def slip(rng, value):
    """The value, or with one chance in ten another one near it."""
    return value + rng.choice([-10, -1, 1, 2, 10]) if rng.random() < 0.1 else value


def product(rng):
    a, b = rng.randint(3, 99), rng.randint(3, 99)
    sign = rng.choice(["×", "*", "x", "\\times"])
    return f"{a} {sign} {b} = {plain(slip(rng, Fraction(a * b)))}"


def chain_of_sums(rng):
    a, b, c = (rng.randint(2, 500) for _ in range(3))
    return f"{a} + {b} - {c} = {a + b} - {c} = {plain(slip(rng, Fraction(a + b - c)))}"


def quotient(rng):
    b, c = rng.randint(2, 40), rng.randint(2, 200)
    return f"{b * c} / {b} = {plain(slip(rng, Fraction(c)))}"


def rounded_quotient(rng):
    a, b = rng.randint(100, 999), rng.choice([3, 7, 11, 13])
    return f"{a} / {b} = {float(slip(rng, Fraction(a, b))):.2f}"


def percentage(rng):
    p, a = 5 * rng.randint(1, 19), 20 * rng.randint(1, 50)
    return f"{p}% of {a} = {plain(slip(rng, Fraction(p * a, 100)))}"


def money(rng):
    a, b = rng.randint(100, 9999), rng.randint(2, 12)
    return f"${a / 100:.2f} * {b} = ${float(slip(rng, Fraction(a * b, 100))):.2f}"


def latex_fraction(rng):
    a, b, c, d = (rng.randint(1, 12) for _ in range(4))
    value = slip(rng, Fraction(a, b) * Fraction(c, d))
    return (f"$\\frac{{{a}}}{{{b}}} \\cdot \\frac{{{c}}}{{{d}}} = "
            f"\\frac{{{value.numerator}}}{{{value.denominator}}}$")


def mark(rng):
    a, b = rng.randint(2, 90), rng.randint(2, 90)
    value = slip(rng, Fraction(a + b))
    return f"{a}+{b}=<<{a}+{b}={value}>>{value}"


def brackets(rng):
    a, b, c, d = (rng.randint(-9, 9) for _ in range(4))
    value = slip(rng, Fraction((a + b) * (c - d)))
    return f"({a} + {b}) * ({c} - {d}) = {a + b} * {c - d} = {value}"


CALCULATIONS = [product, chain_of_sums, quotient, rounded_quotient, percentage, money,
                latex_fraction, mark, brackets]


def step(rng, number):
    name, things = rng.choice(NAMES), rng.choice(THINGS)
    head = rng.choice([f"Step {number}: ", f"**Step {number}:** ", f"{number}. ", ""])
    if rng.random() < 0.5:
        return head + rng.choice(PROSE).format(name=name, things=things)
    calculation = rng.choice(CALCULATIONS)(rng)
    return head + rng.choice([
        f"So {name} has {calculation} {things} at this point.",
        f"The number of {things} is {calculation}.",
        calculation,
    ])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kilobytes", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()

    rng = random.Random(options.seed)
    left = options.kilobytes * 1000
    while left > 0:
        solution = "".join(step(rng, n) + "\n" for n in range(1, rng.randint(3, 9))) + "\n"
        sys.stdout.write(solution)
        left -= len(solution.encode("utf-8"))


if __name__ == "__main__":
    main()
