#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What reasoning does not claim as it stands: residues of a modulus that an earlier step names, values of functions that are not known,
products of letters, what is supposed and refuted, and what is corrected.

    thought_branches.py [--number N] [--seed S] [--show N]

Chains of reasoning are drawn in pairs: in one the calculation is no slip, for the text says why, and it is not called wrong; in its
twin it is one, and is called wrong. A false calculation makes no step right, and one that nobody can know does not either.
Program: RDV_PROGRAM, or build/rederive. Exits with 1 if a chain of one kind is told as one of another."""
import argparse
import random
import sys
from collections import Counter

from records import records

FILLERS = ["Let us go on with the plan.", "That is the first part.", "Now to the next one.", "This is what the question asks for.", "We keep this in mind."]
MODULI = ["We work modulo {n}.", "We count mod {n} from now on.", "So a ≡ b (mod {n}).", "Hence $x \\equiv 1 \\pmod{{{n}}}$.",
          "The modulus is {n}.", "In $\\mathbb{{Z}}_{{{n}}}$ this is easy.", "Take it modulo ${n}$."]
LEADS = ["So ", "Then ", "Thus ", "", "We get ", "Here ", "Hence "]
SUPPOSE = ["Suppose x = {x}.", "Assume that x = {x}.", "If x = {x}, we go on.", "Now suppose x = {x}.", "But suppose that x is {x}.",
           "Case x = {x}.", "Setting x = {x} is a choice.", "Let's suppose that x = {x}.", "Imagine that x = {x}."]
REFUTE = ["This is a contradiction.", "That is impossible.", "But this is false.", "So x ≠ {x}.", "Not equal.", "This does not hold.",
          "Contradiction.", "No solution.", "This cannot be.", "That is not true.", "Not satisfied.", "So it is not possible."]
GO_ON = ["This is what we need.", "So that is done.", "Good, that fits well.", "We keep x = {x}."]
DOUBTS = ["Wait, that is not right.", "No, that is wrong.", "Hmm, that is not right.", "Scratch that.", "Oops."]
NAMES = ["f", "g", "h", "u", "S", "V", "p", "y", "F"]
ARGUMENTS = ["π/3", "2·3", "1 + 1", "3/2", "\\pi/4", "2 * 5", "4 - 1", "π/2"]
PRODUCTS = ["bc", "ab", "ca", "abc", "xy", "mn", "mgh", "a^2b", "b·c"]
LETTERS = "The numbers a, b, c, m, n, x, y, g and h are positive, and a + b + c = 30."


def apart(rng, first, last, most=3):
    """Steps with others between them."""
    return [first, *rng.sample(FILLERS, rng.randint(0, most)), last]


def residue(rng):
    n = rng.choice([5, 7, 9, 11, 13, 17, 19, 23])
    a, b = rng.randint(2, 40), rng.randint(2, 40)
    kind = rng.choice(["product", "sum", "reduced", "inverse"])
    named = rng.choice(MODULI).format(n=n)
    if kind == "inverse":
        p, q = rng.randint(1, n - 1), rng.choice([q for q in range(2, n) if n % 3 or q % 3])
        shown, value = f"{p}/{q}", p * pow(q, -1, n) % n
        if p % q == 0 or (p / q * 4) % 1 == 0:
            return None  # a fraction of another kind
    else:
        sign, of = ("*", a * b) if kind != "sum" else ("+", a + b)
        shown, value = f"{a} {sign} {b}" + (f" = {of}" if kind == "reduced" else ""), of % n
        if of < n or of > 999:
            return None
    slip = value + rng.randint(1, n - 1)
    slip -= n if slip >= n else 0
    return [apart(rng, named, f"{rng.choice(LEADS)}{shown} = {v}.") for v in (value, slip)] + ["wrong"]


def unknown_function(rng):
    mark = rng.choice(["'", "’", "′", "’’", "''"])
    text = f"{rng.choice(LEADS)}{rng.choice(NAMES)}{mark}({rng.choice(ARGUMENTS)}) = {rng.choice([0, 0, 1, 6, 12])}."
    slip = f"{rng.choice(LEADS)}2 * 7 = {rng.choice([13, 15, 16])}."
    return [apart(rng, "The function is smooth.", text), apart(rng, "The function is smooth.", slip), "wrong"]


def letters(rng):
    p, (a, b, c) = rng.choice(PRODUCTS), rng.sample(range(2, 60), 3)
    # three letters may be a thing that is counted: beside a right number they are no fault
    side = rng.choice([f"{a} - {b} {p}", f"{a} + {b}{p}", f"{a}/{b} {p}", f"{a} {p} + {b}", f"{a}({p}) - {b}", f"{a} * {b} - {p}"])
    known = rng.choice([f"{c}", f"{c} + 1", f"{c} * 2"])
    sides = [side, known] if rng.random() < 0.6 else [known.replace(f"{c}", f"{c} + 4", 1), side]
    slip = f"{rng.choice(LEADS)}{a} * {b} = {a * b + rng.choice([1, 2, -3])}."
    return [apart(rng, LETTERS, f"{rng.choice(LEADS)}{sides[0]} = {sides[1]}."), apart(rng, LETTERS, slip), "wrong"]


def supposition(rng):
    x = rng.randint(2, 9)
    a, b = rng.sample(range(11, 60), 2)
    begun, claim = rng.choice(SUPPOSE).format(x=x), f"Then {a} + {b} = {a + b + rng.randint(2, 9)}."
    between = rng.sample(FILLERS, rng.randint(0, 1))
    return [[begun, claim, *(rng.sample(FILLERS, rng.randint(0, 1))), rng.choice(REFUTE).format(x=x)],
            [begun, *between, claim, rng.choice(GO_ON).format(x=x)], "wrong"]


def correction(rng):
    a, b = rng.randint(12, 98), rng.randint(12, 98)
    slip, doubt = f"So {a} * {b} = {a * b + rng.choice([10, -10, 20, 100])}.", rng.choice(DOUBTS)
    other = next(x for x in iter(lambda: rng.randint(1000, 9999), None) if x != a * b)
    told = rng.choice([f"It is {a * b}.", f"{a} * {b} is {a * b}, of course.", f"It should be {a * b}.", f"{a} * {b} = {a * b}."])
    chance = f"Of {other} items the others are {a * b} in all."
    return [[slip, f"{doubt} {told}"], [slip, "Hmm, the other case does not match.", chance], "wrong"]


def goes_on(rng):
    """The sentence goes on to the right value, or the next one has it by chance."""
    a, b = rng.randint(2, 9), rng.randint(11, 60)
    n = 2 * rng.randint(11, 60)
    first, total = rng.choice([(f"{a} (the middle) plus {n}/2 = {n // 2}", a + n // 2),
                               (f"{b}^2 is {b}*{b - 1}", b * b),
                               (f"{b}*{a + 1} is {b}*{a}", b * (a + 1))])
    told = rng.choice([f", so {total} in all", f", then {total}", f", for a total of {total}", f"; that makes {total}"])
    chance = rng.choice([f". Of {total} things nobody speaks", f".\n{total} is another number"])
    slip = f"{b} * {a} = {b * a + 1}"
    return [[f"Here it is {first}{told}."], [f"So {slip}{chance}."], "wrong"]


def checked(rng):
    """A side that a check puts in and finds false, and a result that the same check gives."""
    x, a = rng.randint(2, 9), rng.randint(2, 9)
    side = rng.choice([f"\\sqrt{{{a * a}}} + {x}", f"{a} \\cdot {x + 3} - {x}", f"2^{a} + {x}"])
    begun = rng.choice(["Check x = {x}.", "Next, we verify x = {x}.", "Substitute x = {x}.", "Try x = {x}.", "Plug in x = {x}."]).format(x=x)
    return [[begun, f"\\[{x} = {side}\\]", rng.choice(REFUTE).format(x=x)],
            [begun, f"So {a * 7} + {x} = {a * 7 + x + 1}.", rng.choice(GO_ON).format(x=x)], "wrong"]


def left_out(rng):
    """Points, functions in words, prefixes and factors that are not read; the same claim without them."""
    a, n = rng.randint(2, 9), rng.randint(3, 9)
    p = rng.choice([5, 7, 11, 13])
    q = rng.choice([q for q in range(2, p) if pow(q, -1, p) != q])
    unit = rng.choice(["kJ/mol", "kW/m", "kJ", "km"])
    kind = rng.randrange(4)
    if kind == 0:
        return [[f"Then ({a})({a})...({a}) = {a}^{n + 1}."], [f"Then ({a})({a})({a}) = {a}^{n + 1}."], "wrong"]
    if kind == 1:
        word = rng.choice(["inverse", "order", "reciprocal"])
        return [[f"The {word} of {q} mod {p}, which is {(q + 1) % p}, is known."], [f"So {p + q} mod {p} is {(q + 1) % p}."], "wrong"]
    if kind == 2:
        return [[f"So {a} * {n}000 = {a * n} {unit}."], [f"So {a} * {n}000 = {a * n + 1} {unit}."], "wrong"]
    name = rng.choice(["AK^2", "BC^2", "PQ+1"])
    return [[f"So ${a} + {n} = {a + n + 1} ({name} + 4)$."], [f"So ${a} + {n} = {a + n + 1}$ (as it was)."], "wrong"]


KINDS = {"goes on": goes_on, "checked": checked, "left out": left_out, "residue": residue, "function": unknown_function, "letters": letters, "supposition": supposition, "correction": correction}
LEAST = {"goes on": 1, "checked": 0.9, "left out": 0.9, "residue": 0.9, "function": 0.95, "letters": 0.9, "supposition": 0.9, "correction": 0.9}  # of the twins that are slips


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--number", type=int, default=400, help="pairs of each kind")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", type=int, default=10)
    args = parser.parse_args()
    rng, made = random.Random(args.seed), []
    for kind, draw in KINDS.items():
        pairs = [pair for pair in (draw(rng) for _ in range(args.number)) if pair]
        made += [(kind, i == 1, pair[i]) for pair in pairs for i in (0, 1)]
    inputs = [{"question": "?", "steps": [*steps, "It is so."], "n_reasoning_steps": len(steps)} for _, _, steps in made]
    found, all_of, faults = Counter(), Counter(), 0
    for (kind, slip, steps), record in zip(made, records(["check", "--quiet", "--json", "--check-reasoning"], inputs)):
        said = {v["verdict"] for v in record["verdicts"]}
        all_of[kind, slip] += 1
        found[kind, slip] += "contradict" in said
        unread = kind in ("function", "letters") and not slip and not any(p in steps[-1] for p in PRODUCTS if len(p) == 3 and p.isalpha())
        if ("contradict" in said and not slip) or (unread and "support" in said):
            faults += 1
            if faults <= args.show:
                print(f"{kind}: {sorted(said)} in {steps}")
    for kind in KINDS:
        print(f"{kind}: called wrong {found[kind, False]} of {all_of[kind, False]}, of slips {found[kind, True]} of {all_of[kind, True]}")
    missed = [kind for kind in KINDS if found[kind, True] < LEAST[kind] * all_of[kind, True]]
    return 1 if faults or missed else 0


if __name__ == "__main__":
    sys.exit(main())
