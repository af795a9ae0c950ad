#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Products, quotients and sums of amounts whose numbers agree and whose units do not: none is support.

    derived_units.py [--number N] [--seed S] [--show]

Draws two units of mechanics and electricity and a third that the operation does not come to, by the powers of their base
units, in words and in LaTeX. It differs in its mass or current, which nobody leaves out, as "per hour" or "per meter". As many
draws have the unit that it comes to; those may be right, and none of them is wrong. In a sum some numbers leave their unit out,
"500 + 300 km", and the other side has it, or is another kind of thing. Program: RDV_PROGRAM, or build/rederive."""
import argparse
import random
import sys

from records import records

# name: symbol, powers of meter, kilogram, second, ampere
UNITS = {
    "meters": ("m", (1, 0, 0, 0)), "kilograms": ("kg", (0, 1, 0, 0)), "seconds": ("s", (0, 0, 1, 0)),
    "amperes": ("A", (0, 0, 0, 1)), "newtons": ("N", (1, 1, -2, 0)), "joules": ("J", (2, 1, -2, 0)),
    "watts": ("W", (2, 1, -3, 0)), "volts": ("V", (2, 1, -3, -1)), "ohms": ("\\Omega", (2, 1, -3, -2)),
    "coulombs": ("C", (0, 0, 1, 1)), "pascals": ("Pa", (-1, 1, -2, 0)), "square meters": ("m^2", (2, 0, 0, 0)),
    "cubic meters": ("m^3", (3, 0, 0, 0)), "meters per second": ("m/s", (1, 0, -1, 0)),
    "meters per second squared": ("m/s^2", (1, 0, -2, 0)), "hertz": ("Hz", (0, 0, -1, 0)),
}


def powers_of(name):
    return UNITS[name][1]


def comes_to(a, sign, b):
    over = -1 if sign == "/" else 1
    return tuple(x + over * y for x, y in zip(powers_of(a), powers_of(b)))


def may_leave_out(a, b, powers, result):
    """Are mass and current the same, or "per kilogram" and "per ampere" left out where that is the unit of a factor? Or does the
    result alone leave out "per kilogram"?"""
    missing = [y - x for x, y in zip(powers, result)]
    return missing == [0, 1, 0, 0] or all(missing[i] == 0 or (missing[i] == -1 and name in (a, b)) for i, name in ((1, "kilograms"), (3, "amperes")))


def said(number, name, latex):
    return f"{number}\\ \\text{{{UNITS[name][0]}}}" if latex else f"{number} {name}"


def draw(rng):
    """(text, does the unit fit)"""
    while True:
        a, b = rng.sample(sorted(UNITS), 2)
        sign = rng.choice("*/")
        powers = comes_to(a, sign, b)
        fits = rng.random() < 0.5
        left = [n for n in UNITS if n not in (a, b) and
                (powers_of(n) == powers if fits else not may_leave_out(a, b, powers, powers_of(n)))]
        latex = rng.random() < 0.5
        if left and any(powers) and not (latex and "\\Omega" in UNITS[a][0] + UNITS[b][0]):
            break
    y, z = rng.randint(2, 12), rng.randint(2, 12)
    x, result = (y * z, z) if sign == "/" else (z, y * z)
    operator = sign if not latex else {"*": "\\cdot", "/": "/"}[sign]
    is_said = said(result, rng.choice(left), latex)
    return f"{said(x, a, latex)} {operator} {said(y, b, latex)} = {is_said}", fits


EVERYDAY = ["{} km", "{} kilograms", "{} hours", "{} liters", "${}", "{} dollars", "{} square feet", "{} degrees", "{} volts"]


def draw_sum(rng):
    """(text, does the unit fit)"""
    n = rng.randint(2, 4)
    first, other = rng.choice([pair for a in EVERYDAY for b in EVERYDAY if a != b and {a, b} != {"${}", "{} dollars"} for pair in [(a, b)]])
    numbers = [rng.randint(2, 400) for _ in range(n)]
    measured = set(rng.sample(range(n), rng.randint(1, n - 1)))
    fits = rng.random() < 0.5
    terms = [first.format(x) if i in measured else str(x) for i, x in enumerate(numbers)]
    return f"{' + '.join(terms)} = {(first if fits else other).format(sum(numbers))}", fits


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--number", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print each text with its verdict")
    args = parser.parse_args()
    rng = random.Random(args.seed)
    drawn = [(draw, draw_sum)[i % 2](rng) for i in range(args.number)]
    checked = records(["check", "--quiet", "--json", "--method", "calculations"],
                      [{"question": "How much is it?", "steps": [text]} for text, _ in drawn])
    counts, faults = {}, 0
    for (text, fits), record in zip(drawn, checked):
        verdict = record["verdicts"][0]["verdict"]
        counts[fits, verdict] = counts.get((fits, verdict), 0) + 1
        bad = verdict == "contradict" if fits else verdict == "support"
        faults += bad
        if bad or args.show:
            print(f"{verdict}{' (the unit fits)' if fits else ''}: {text}")
    for (fits, verdict), n in sorted(counts.items()):
        print(f"{'fits' if fits else 'does not fit'}: {verdict} {n}")
    if counts.get((True, "support"), 0) < args.number // 10:
        sys.exit("too few that fit are right to say anything")
    return faults > 0


if __name__ == "__main__":
    sys.exit(main())
