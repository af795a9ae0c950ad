#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Steps that make two claims, a right calculation and one more that is false: none may be support (docs/adr/0084).

    two_claims.py [--number N] [--show N]    N steps of each pair of forms (1); supported ones listed (10)

The numbers are drawn. A false number stands nowhere else in the step or its question, as that of a slip of the pen does; one that
repeats a number that is there is not what this test is about. Each list of forms was
written before the rules were tried on it, and then mended for: of LATER, 65 % were noticed at first, of CONTINUED 82 %. Exits with 1 if a step is supported. RDV_PROGRAM is the program."""

import argparse
import json
import os
import random
import subprocess
import sys
from collections import Counter

PROGRAM = os.environ.get("RDV_PROGRAM", "build/rederive")

# (text, value, unit): {a} and {b} are drawn, {v} is the value
FIRST = [
    ("{a} + {b} = {v}", lambda a, b: a + b, ""),
    ("{a} * {b} = {v}", lambda a, b: a * b, ""),
    ("${a} \\times {b} = {v}$", lambda a, b: a * b, ""),
    ("\\({a} \\cdot {b} = {v}\\)", lambda a, b: a * b, ""),
    ("{a} + {b} = {v} dollars", lambda a, b: a + b, "dollars"),
    ("{a} minutes + {b} minutes = {v} minutes", lambda a, b: a + b, "minutes"),
    ("She pays {a} + {b} = ${v}", lambda a, b: a + b, ""),
    ("The sum of {a} and {b} is {v}", lambda a, b: a + b, ""),
    ("{a} times {b} is {v}", lambda a, b: a * b, ""),
    ("He bought {a} + {b} = <<{a}+{b}={v}>>{v} pens", lambda a, b: a + b, "pens"),
]
# {w}: the false number; {unit}: the first claim's
SECOND = [
    ", so he has {w} left.", ", so the answer is {w}.", ", which is {w} in total.", ", which leaves {w}.", ", or {w} altogether.",
    ". The total is {w}.", ". So there are {w} of them.", ". That makes {w}.", ". It costs ${w}.", ", i.e. {w}.", ", that is, {w}.",
    ", so she needs {w} more.", " > {w2}.", " < {w1}.", " = {w}.", ", more than {w2}.", ", which is more than {w2}.",
    ", which is less than {w1}.", ", and the other is {w}.", " and the rest is about {w}.", ". Therefore he gets {w}.",
    ". Her change will be {w}.", " and x = {w}.", ", at least {w2}.", ". Answer: the number equals {w}.", ", giving {w}.",
    ". Now they have only {w}.", " and then it takes {w} days.", ". Thus the result is $\\boxed{{{w}}}$.", ". Total cost = {w}.",
]
SECOND_AGAIN = [
    ", so in the end there were {w}.", ". We are left with exactly {w}.", ". This comes to {w} per head.", ", hence the bill was ${w}.",
    ". In all that gives us {w}.", ". The remaining amount is {w}.", ", and the price becomes {w}.", ", so Tom earned {w}.",
    " and the width is {w}.", ". Their mean is {w}.", ", which equals {w}.", ". It follows that everyone got {w}.",
    ", so at most {w1} of them fit.", ". The number of boxes is therefore {w}.", ". The final amount is {w} euros.",
    ", das macht {w}.", ". Also bleiben {w} Euro.", "，所以一共是{w}。", "，等于{w}。", ", and she still has {w}.",
]

LATER = [
    ". In the end she paid {w} dollars.", ", meaning {w} are missing.", ". Subtracting the rest, {w} remain.", ". Each child receives {w}.",
    ", for a grand total of {w}.", ". The difference between them is {w}.", ", bringing the sum to {w}.", ". Thus {w} is the answer.",
    ". We need {w} buses.", ", twice that is {w}.", ". It weighs {w} kg.", ", so they finish after {w} hours.", ". He is {w} years old.",
    ", rounded to {w}.", ". Final answer: {w}", ". The price per item was {w} cents.", ", so only {w} fit in.",
    ". This means that the train has {w} cars.", ". Hence there must be {w}.", " → {w}",
]

# What goes on with the first result, by an operation in words. The last seven were kept aside until the rows were written.
CONTINUED = [
    ", half of which is {w}.", ". Divided by 2, that is {w}.", ", minus 6 is {w}.", "; subtracting 6 leaves {w}.",
    ", and tripling it gives {w}.", ", 10% of which is {w}.", ". Half of that is {w}.", ". Doubled, this is {w}.",
    ", plus 5 makes {w}.", ". Adding 4 to it gives {w}.", ". Take away 3 and {w} are left.", ". After a 10% discount it is {w}.",
    ", times 3 is {w}.", ". Multiplying by 4, we obtain {w}.", ", and a third of it is {w}.", ", squared is {w}.",
    ". Splitting this between 2 people is {w} each.", ". Dividing this by 2 results in {w}.", ", less 5 is {w}.",
    ", of which {w} are red.", ". If we halve it we obtain {w}.", ". That number doubled comes out as {w}.",
    ". Increased by 5 it yields {w}.", ", a quarter of which went to Ann: {w}.", ", whose double is {w}.",
    ". Removing 4 from these leaves her with {w}.", ". The half of it equals {w}.", ", which, doubled, makes {w}.",
    ". Cut in half, it is {w}.", ", three times which is {w}.", ". Take 7 off and you have {w}.", ", and 20% of this comes to {w}.",
    ". Reducing it by 5 leaves us {w}.", ". Together with the other 6 that is {w}.",
]


def drawn(first, second, rng):
    """(the step, the question) with a false second claim."""
    a, b = rng.randint(13, 88), rng.randint(13, 88)
    text, value, unit = first
    v = value(a, b)
    near = {a, b, v, 0, 1, a - 1, a + 1, b - 1, b + 1, v - 1, v + 1}
    pick = lambda low, high: rng.choice([n for n in range(low, high) if n not in near])
    numbers = dict(a=a, b=b, v=v, w=pick(2, 99), w1=pick(2, 13), w2=v + rng.randint(2, 60), unit=unit)
    return text.format(**numbers) + second.format(**numbers), f"There are {a} red pens and {b} blue pens. How many are there?"


def verdicts(cases):
    lines = "".join(json.dumps({"question": q, "steps": [s]}) + "\n" for s, q in cases)
    done = subprocess.run([PROGRAM, "check", "--json", "--quiet"], input=lines.encode(), stdout=subprocess.PIPE, check=False)
    return [json.loads(line)["verdicts"][0]["verdict"] for line in done.stdout.split(b"\n") if line]


def count(name, forms, number, show):
    rng = random.Random(name)
    cases = [drawn(f, s, rng) for f in FIRST for s in forms for _ in range(number)]
    said = verdicts(cases)
    assert len(said) == len(cases)
    print(f"{name:9} {len(cases):6} steps: {dict(Counter(said).most_common())}")
    supported = [step for (step, _), verdict in zip(cases, said) if verdict == "support"]
    for step in supported[:show]:
        print("   support: " + step)
    return len(supported)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=1)
    parser.add_argument("--show", type=int, default=10)
    args = parser.parse_args()
    alone = [(f[0].format(a=21, b=34, v=f[1](21, 34)) + ".", "?") for f in FIRST]
    assert set(verdicts(alone)) == {"support"}, "the first claims alone are support"
    bad = sum(count(name, forms, args.number, args.show) for name, forms in (("first", SECOND), ("again", SECOND_AGAIN), ("later", LATER), ("continued", CONTINUED)))
    print(f"{bad} supported")
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
