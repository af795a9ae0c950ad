#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Gold answers of plain letters, "mgh", beside the same product in another notation, another product, or a word.

    letters.py [--seed N] [--pairs N]

N pairs (3,000) are drawn. The same product is never different, and another one never the same; of one word and another it
is told. The kind of the answer is guessed from gold. Program: RDV_PROGRAM, or build/rederive. Exits with 1 if one differs."""
import argparse
import json
import os
import random
import subprocess
import sys
from collections import Counter

LETTERS = "abcdghkmnpqruvwxyz"  # no order of them is the name of a function
WORDS = ["blue", "red", "Paris", "Berlin", "even", "odd", "cat", "dog", "north", "yellow", "helium", "never"]


def written(rng, letters):
    """The product of letters with a sign, a blank or a command of LaTeX in it."""
    order = rng.sample(letters, len(letters))
    one = order[0]
    ways = [" ".join(order), "*".join(order), " \\cdot ".join(order), "\\,".join(order), f"{one}^1" + "".join(order[1:]),
            "".join(order) + "+0", f"\\frac{{{one}^2{''.join(order[1:])}}}{{{one}}}", f"2{''.join(order)}/2", "1 \\cdot " + " \\cdot ".join(order),
            " \\times ".join(order), f"{{{one}}}" + "".join(f" {{{letter}}}" for letter in order[1:]), "".join(order) + "^{1}"]
    return rng.choice(ways if len(order) > 1 else [way for way in ways if way != one])


def pair(rng):
    letters = rng.sample(LETTERS, rng.choice([1, 1, 2, 2, 3, 3, 4]))
    gold, way = "".join(letters), rng.random()
    if way < 0.5:
        answer, same = written(rng, letters), True
    elif way < 0.7:
        answer, same = rng.choice(["2({})", "({})+1", "({})^2", "-({})", "\\frac{{{}}}{{2}}", "\\sqrt{{{}}}"]).format(written(rng, letters)), False
    elif way < 0.85:
        other = rng.choice([c for c in LETTERS if c not in letters])
        answer, same = written(rng, [other, *letters[1:]]), False
    else:
        gold, answer = rng.sample(WORDS, 2)
        return {"answer": answer, "gold": gold}, (False, )
    return {"answer": answer, "gold": gold}, (True, None) if same else (False, None)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=3000)
    parser.add_argument("--show", type=int, default=5)
    given = parser.parse_args()
    rng = random.Random(given.seed)
    made = [pair(rng) for _ in range(given.pairs)]
    done = subprocess.run([os.environ.get("RDV_PROGRAM", "build/rederive"), "grade", "-q"], capture_output=True, text=True, check=True,
                          input="".join(json.dumps(record) + "\n" for record, _ in made))
    told, wrong = Counter(), []
    for (record, may), graded in zip(made, map(json.loads, done.stdout.splitlines())):
        found = graded.get("correct", "error")
        told["same" if True in may else "words" if len(may) == 1 else "another", found] += 1
        if found not in may:
            wrong.append(f"    {record}: {found}, {graded.get('why')}")
    print(f"{len(made)} pairs, {len(wrong)} wrong; " + ", ".join(f"{truth} called {found}: {n}"
                                                             for (truth, found), n in sorted(told.items(), key=str)))
    print("\n".join(wrong[:given.show]), end="\n" if wrong else "")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
