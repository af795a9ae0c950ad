#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A side is whole or undecided: a right formula into which a word, a letter or a command is put is never wrong.

    whole_sides.py [--number N] [--seed S] [--show N]

Right equalities of numbers are drawn, plain and in LaTeX, alone and within words, and one thing is put at each of their borders:
between two tokens, before the first and behind the last, with a blank beside it and without. Whatever it is, the equality is not
called wrong, since the side that it stands in has another value now. A Greek letter, a command or the name of a function in a
formula makes no step right either: what it stands for is not known.
Program: RDV_PROGRAM, or build/rederive. Exits with 1 if one is called wrong, or right."""
import argparse
import random
import sys
from collections import Counter
from fractions import Fraction

from records import records

GREEK = ["θ", "α", "λ", "Δ", "ω", "β", "theta", "alpha", "gamma", "lambda", "sigma", "phi", "omega"]
COMMANDS = ["\\theta", "\\alpha", "\\lambda", "\\hbar", "\\cos", "\\sin \\theta", "\\vec v", "\\Delta", "\\frac{x}{y}", "\\rho_0",
            "\\sqrt{k}", "\\log"]
FUNCTIONS = ["cos", "sin", "tan", "ln", "log", "exp", "cos(angle B)", "sin θ", "f(x)", "g'(2)", "ln(k)"]
LETTERS = ["k", "Q", "AB", "v_0", "t", "N", "B_z", "\\mathbf{u}", "\\text{arc } AB", "\\operatorname{foo}"]
WORDS = ["days", "foo", "widgets", "and", "perhaps", "of the", "men", "angle", "length", "rate", "probability of heads", "per day"]
KNOWN = GREEK + COMMANDS + FUNCTIONS  # what is no word of prose, and counts nothing
FRAMES = ["{}", "So {}.", "We find ${}$.", "\\[ {} \\]", "Now we compute {}, as it should be.", "x: {}\nThat is all."]
PLAIN = {"*": "*", "/": "/"}
LATEX = {"*": "\\cdot", "/": "/"}


def drawn(rng):
    """The tokens of a right equality of whole numbers or decimals."""
    while True:
        n = rng.choice([2, 2, 2, 3, 3, 4])
        numbers = [Fraction(rng.randint(2, 99)) / rng.choice([1, 1, 1, 10]) for _ in range(n)]
        signs = [rng.choice("++-**/") for _ in range(n - 1)]
        text = "".join(f"Fraction('{a}'){s}" for a, s in zip(numbers, signs + [""]))
        value = eval(text)  # numbers and signs that were drawn here
        shown = float(value)
        if value > 1 and Fraction(repr(shown)) == value and len(repr(shown)) < 9:
            break
    names = rng.choice([PLAIN, LATEX])
    show = lambda x: repr(float(x)).removesuffix(".0")
    tokens = [show(numbers[0])]
    for s, a in zip(signs, numbers[1:]):
        tokens += [names.get(s, s), show(a)]
    return tokens + ["=", show(value)]


def insertions(rng, number):
    """(text, what was put in, is it put within the formula?), and the texts without it."""
    for _ in range(number):
        tokens, frame = drawn(rng), rng.choice(FRAMES)
        for at in range(len(tokens) + 1):
            put = rng.choice([GREEK, COMMANDS, FUNCTIONS, LETTERS, WORDS])
            what = rng.choice(put)
            before, after = " ".join(tokens[:at]), " ".join(tokens[at:])
            left, right = rng.choice([" ", " ", ""]), rng.choice([" ", " ", ""])
            # a touching letter would be another token: only marks and digits may touch
            formula = (before + (left if before else "") + what + (right if after else "") + after).strip()
            yield frame.format(formula), what, what in KNOWN, frame.format(" ".join(tokens))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--number", type=int, default=1500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=10)
    args = parser.parse_args()
    made = list(insertions(random.Random(args.seed), args.number))
    inputs = [{"question": "?", "steps": [text]} for each in made for text in (each[0], each[3])]
    verdicts = [r["verdicts"][0]["verdict"] for r in records(["check", "--quiet", "--json"], inputs)]
    faults, read = Counter(), 0
    for (text, what, known, _), now, plain in zip(made, verdicts[::2], verdicts[1::2]):
        if plain != "support":
            continue
        read += 1
        fault = "wrong" if now == "contradict" else "right" if known and now == "support" else None
        if fault:
            faults[fault] += 1
            if faults[fault] <= args.show:
                print(f"{fault}: {what!r} in {text!r}")
    print(f"{read} of {len(made)} formulas with something put in; called wrong {faults['wrong']}, right {faults['right']}")
    return 1 if faults or read < len(made) / 2 else 0


if __name__ == "__main__":
    sys.exit(main())
