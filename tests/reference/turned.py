#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Answers with words beside the number that turn its value: halves of the day, eras, directions, rises, falls, rates.

    turned.py [--seed N] [--pairs N]

Of each kind N pairs (3,000) of one number with words are drawn. With the same word, in another spelling, the pair may be the
same or not told; with the opposite word it never is the same; with a word that makes another number of it, such as "below
zero", on one side alone it is neither the same nor different. A date or time in a reply that is a bound, "after 5 pm", never is the same. Program: RDV_PROGRAM, or build/rederive. Exits with 1 if
one differs."""
import argparse
import json
import os
import random
import subprocess
import sys
from collections import Counter

# Of each kind: what stands behind the number, in the spellings of one side, then of the other.
KINDS = {
    "day": ([" am", " a.m.", " AM", " in the morning"], [" pm", " p.m.", " PM", " in the evening"]),
    "era": ([" BC", " BCE", " B.C."], [" AD", " CE", " A.D."]),
    "east": ([" m east", " m eastward", " metres to the east"], [" m west", " m westward", " metres to the west"]),
    "north": ([" km north", " miles north of it"], [" km south", " miles south of it"]),
    "height": ([" m above sea level", " m upward", " m up"], [" m below sea level", " m downward", " m down"]),
    "change": (["% increase", " percent increase", "% rise", "% gain", "% more", "% higher"],
               ["% decrease", " percent decrease", "% fall", "% loss", "% less", "% lower"]),
    "money": ([" dollars profit", " dollars more", " dollars gain"], [" dollars loss", " dollars less", " dollars lost"]),
    "rate": ([" dollars per hour", " dollars per hours"], [" dollars per day", " dollars per week", " dollars per item"]),
    "turn": ([" degrees clockwise"], [" degrees counterclockwise", " degrees anticlockwise"]),
    "time": ([" years ago", " years earlier"], [" years later"]),
}
ALONE = [" below zero", " degrees below zero", " degrees below freezing", " per mille", "‰"]


# A date or time, {} in each, as a bound or the end of a span; and by itself.
BOUNDS = ["before {}", "after {}", "It happened before {}.", "It must be after {}.", "It was by {}.", "We know that it was until {}.", "It has been so since {}.", "Not later than {}.",
          "The answer is after {}.", "Between {other} and {}.", "The answer is between {other} and {}.", "It is {} or later.", "The answer is {} or earlier.", "It is some time past {}.",
          "It took place shortly before {}.", "between {other} and {}"]
STATED = ["It is {}.", "So it was {}.", "The answer is {}.", "{}", "After that, it was {}.", "It began on {}.", "Before we start: the answer is {}."]


def moment(rng):
    if rng.random() < 0.5:
        return f"{rng.randint(1, 11)} {rng.choice(['am', 'pm'])}"
    return f"{rng.choice(['May', 'July', 'March'])} {rng.randint(1, 28)}, {rng.randint(1700, 2020)}"


def pairs(rng, name):
    if name == "bounds":
        gold, stated = moment(rng), rng.random() < 0.3
        other = moment(rng)
        while other[0].isdigit() != gold[0].isdigit() or other == gold:
            other = moment(rng)
        shown = rng.choice(STATED if stated else BOUNDS).format(gold, other=other)
        yield shown, gold, (True, ) if stated else (False, None)
        return
    number = rng.choice([str(rng.randint(1, 12)), str(rng.randint(13, 99)), f"{rng.randint(1, 9)}.{rng.randint(1, 9)}"])
    number = str(rng.randint(1, 12)) if name == "day" else number
    if name == "alone":
        word = rng.choice(ALONE)
        yield (number + word, number, (None,)) if rng.random() < 0.5 else (number, number + word, (None,))
        return
    sides = list(KINDS[name])
    rng.shuffle(sides)
    if rng.random() < 0.3:
        yield number + rng.choice(sides[0]), number + rng.choice(sides[0]), (True, None, False)
    else:
        yield number + rng.choice(sides[0]), number + rng.choice(sides[1]), (False, None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=3000)
    parser.add_argument("--show", type=int, default=3)
    given = parser.parse_args()
    bad = 0
    for name in [*KINDS, "alone", "bounds"]:
        rng = random.Random(f"{given.seed} {name}")
        made = [each for _ in range(given.pairs) for each in pairs(rng, name)]
        lines = "".join(json.dumps({"text" if name == "bounds" else "answer": answer, "gold": gold}) + "\n" for answer, gold, _ in made)
        done = subprocess.run([os.environ.get("RDV_PROGRAM", "build/rederive"), "grade", "-q"], capture_output=True, text=True,
                              check=True, input=lines)
        told, wrong = Counter(), []
        for (answer, gold, may), graded in zip(made, map(json.loads, done.stdout.splitlines())):
            found = graded.get("correct", "error")
            told["one side" if True in may else "opposed", found] += 1
            if found not in may:
                wrong.append(f"    {answer!r} gold {gold!r}: {found}, {graded.get('why')}")
        print(f"{name}: {len(made)} pairs, {len(wrong)} wrong; "
              + ", ".join(f"{truth} called {found}: {n}" for (truth, found), n in sorted(told.items(), key=str)))
        print("\n".join(wrong[:given.show]), end="\n" if wrong else "")
        bad += len(wrong)
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
