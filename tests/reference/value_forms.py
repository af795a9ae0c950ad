#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Chains whose numbers come from the question, from a step before, from a unit, or from nowhere, through --method values.

    value_forms.py [--seed N] [--chains N]

A chain is drawn step by step; what docs/certificates.md says of where numbers come from is worked out beside it: each
verdict and its explanation must be as expected. Program: RDV_PROGRAM, or build/rederive. Exits with 1 if one differs."""
import argparse
import json
import random
import sys

from records import records

WORDS = {2: "two", 3: "three", 5: "five", 7: "seven", 9: "nine", 12: "twelve", 15: "fifteen", 20: "twenty"}
# What a question speaks of, and the number that belongs to it.
UNITS = [("weeks", 7), ("hours", 60), ("days", 24), ("percent", 100), ("minutes", 60), ("pairs", 2), ("half of the boxes", 2),
         ("thirds", 3), ("dozen eggs", 12), ("feet", 12), ("years", 12)]
SIGNS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b}


def from_nowhere(number, latest):
    found = "" if latest is None else f", and was not found; the latest result before is {latest}"
    return "unrelated", f"{number} is not in the question{found}"


class Walk:
    """A chain as it grows: what is found so far, and what is expected of each step."""

    def __init__(self, rng):
        self.rng, self.latest, self.steps, self.expected = rng, None, [], []
        given = rng.sample(list(WORDS) + [33, 41, 58, 64, 77, 250, 1200], 3)
        written = [rng.choice([str(n), f"{n:,}", f"{n}.0", WORDS.get(n, str(n))]) for n in given]
        self.question = f"Ann has {written[0]} pens, {written[1]} books and {written[2]} coins. What is left?"
        self.found = {1, *given}

    def foreign(self):
        while True:
            n = self.rng.choice([self.rng.randint(2, 99), self.rng.randint(100, 5000)])
            if n not in self.found and -n not in self.found:
                return n

    def number(self):
        return self.rng.choice(sorted(self.found)) if self.rng.random() < 0.85 else self.foreign()

    def step(self):
        a, b, sign = self.number(), self.number(), self.rng.choice("+-*")
        result = SIGNS[sign](a, b)
        while a == 1 or b in (0, 1) or abs(result) > 10 ** 6 or b < 0 or result in (0, a, b):
            a, b, sign = self.number(), self.number(), self.rng.choice("+-*")
            result = SIGNS[sign](a, b)
        claim = result + 1 if self.rng.random() < 0.1 else result
        nowhere = [n for n in (a, b) if n not in self.found]
        if not nowhere and claim == result and result > 0 and self.rng.random() < 0.2:  # its result is on the left
            self.steps.append(f"{self.rng.choice(['', 'So '])}{result} = {a} {sign} {b}")
            self.expected.append(("support", None))
            self.found.add(result)
            self.latest = result
            return
        label = self.rng.choice(["", "", "So ", f"Step {len(self.steps) + 2}: "])
        self.steps.append(f"{label}{a} {sign} {b} = {claim}")
        if claim != result:
            self.expected.append(("contradict", f"{a} {sign} {b} is {result}, not {claim}"))
        elif nowhere:
            self.expected.append(from_nowhere(nowhere[0], self.latest))
        else:
            self.expected.append(("support", None))
        self.found.add(claim)
        self.latest = claim

    def say(self):
        """A number that is only stated."""
        n = self.number()
        while n < 2:
            n = self.number()
        self.steps.append(f"She has {n} things.")
        self.expected.append(from_nowhere(n, self.latest) if n not in self.found else None)


def walks(rng, n):
    for _ in range(n):
        walk = Walk(rng)
        for _ in range(rng.randint(1, 6)):
            walk.step() if rng.random() < 0.85 else walk.say()
        yield walk.question, walk.steps, walk.expected


def of_units(rng):
    """The number of a unit is found where it multiplies or divides and the unit is spoken of, and nowhere else."""
    for unit, number in UNITS:
        n = rng.choice([33, 41, 58])
        yield f"How many are {n} {unit}?", [f"{n} * {number} = {n * number}"], [("support", None)]
        yield f"How many are {n} {unit}?", [f"{number} * {n} = {n * number}"], [("support", None)]
        yield f"How many are {n} {unit}?", [f"{n} + {number} = {n + number}"], [from_nowhere(number, None)]
        yield f"{unit.capitalize()}: how many are {n}?", [f"{n} * {number} = {n * number}"], [("support", None)]
        yield f"What are {n} times this in {unit}", [f"{n} * {number} = {n * number}"], [("support", None)]
        yield f"How many are {n} pens?", [f"{n} * {number} = {n * number}"], [from_nowhere(number, None)]
    yield "What are 20% of 50?", ["50 * 0.2 = 10"], [("support", None)]
    yield "What are 20% of 50?", ["50 * 0.3 = 15"], [from_nowhere("0.3", None)]
    yield "What are 3/4 of 40?", ["40 * 3 = 120", "120 / 4 = 30"], [("support", None)] * 2
    yield "What are 3/4 of 40?", ["40 * 0.75 = 30"], [from_nowhere("0.75", None)]
    for number, written in ((1200, "1,200"), (2500000, "2.5 million"), (1000, "1e3"), (2000, "two thousand")):
        yield f"Ann has {written} pens.", [f"{number} + {number} = {2 * number}"], [("support", None)]
        yield f"Ann has {written} pens.", [f"{number + 1} + {number} = {2 * number + 1}"], [from_nowhere(number + 1, None)]


def checked(cases):
    inputs = [{"question": question, "steps": steps} for question, steps, _ in cases]
    return [r["verdicts"] for r in records(["check", "--quiet", "--json", "--method", "values"], inputs)]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--chains", type=int, default=400)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    cases = [*walks(rng, args.chains), *of_units(rng)]
    faults = 0
    for (question, steps, expected), verdicts in zip(cases, checked(cases)):
        for step, want, got in zip(steps, expected, verdicts):
            if want and want != (got["verdict"], got.get("explanation")):
                faults += 1
                print(f"{question} {steps}\n    {step}: found {got['verdict']}, {got.get('explanation')}\n    expected {want}")
    print(f"{len(cases)} chains, {faults} steps not as expected")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
