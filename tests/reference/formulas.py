#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Formulas that are made by a generator, rewritten so that their value stays, or changed so that it
does not, against exact arithmetic of our own here: numbers are sums of rational multiples of
products of square roots of 2, 3 and 5, and letters take several such values. Equal formulas must
never be called different, unequal ones never the same; nearly all must be decided; and keys must
agree with the verdicts.

    formulas.py ASKER [N [SEED]]
"""
import random
import subprocess
import sys
from fractions import Fraction

PRIMES = (2, 3, 5)
LETTERS = "xyn"
POINTS = 6


class Undefined(Exception):
    """A division by zero, or a number that this arithmetic does not have."""


class Number:
    """A rational combination of products of square roots: {frozenset of primes: Fraction}."""

    def __init__(self, parts):
        self.parts = {roots: c for roots, c in parts.items() if c}

    @staticmethod
    def of(value):
        return Number({frozenset(): Fraction(value)})

    def __add__(self, other):
        parts = dict(self.parts)
        for roots, c in other.parts.items():
            parts[roots] = parts.get(roots, 0) + c
        return Number(parts)

    def __neg__(self):
        return Number({roots: -c for roots, c in self.parts.items()})

    def __mul__(self, other):
        parts = {}
        for a, x in self.parts.items():
            for b, y in other.parts.items():
                c = x * y
                for p in a & b:
                    c *= p
                parts[a ^ b] = parts.get(a ^ b, 0) + c
        return Number(parts)

    def conjugate(self, prime):
        return Number({roots: -c if prime in roots else c for roots, c in self.parts.items()})

    def inverse(self):
        if not self.parts:
            raise Undefined
        top, bottom = Number.of(1), self
        for prime in PRIMES:
            other = bottom.conjugate(prime)
            top, bottom = top * other, bottom * other
        return top * Number.of(1 / bottom.parts[frozenset()])

    def __eq__(self, other):
        return self.parts == other.parts

    def power(self, e):
        base = self.inverse() if e < 0 else self
        out = Number.of(1)
        for _ in range(abs(e)):
            out = out * base
        return out


# ---- formulas as trees: ("number", Fraction), ("root", prime), ("letter", name), (operator, a, b) --

def make(rng, depth, letters):
    if depth == 0 or rng.random() < 0.15:
        kind = rng.random()
        if kind < 0.5:
            return ("number", Fraction(rng.randint(1, 9), rng.choice((1, 1, 1, 2, 3, 4))))
        if kind < 0.7 or not letters:
            return ("root", rng.choice(PRIMES))
        return ("letter", rng.choice(LETTERS))
    operator = rng.choice("+-*/+-*^")
    a = make(rng, depth - 1, letters)
    if operator == "^":
        return ("^", a, rng.choice((2, 3, 2, -1)))
    return (operator, a, make(rng, depth - 1, letters))


def value(tree, point):
    kind = tree[0]
    if kind == "number":
        return Number.of(tree[1])
    if kind == "root":
        return Number({frozenset((tree[1],)): Fraction(1)})
    if kind == "letter":
        return Number.of(point[tree[1]])
    a = value(tree[1], point)
    if kind == "^":
        return a.power(tree[2])
    b = value(tree[2], point)
    return a + b if kind == "+" else a + -b if kind == "-" else a * b if kind == "*" else a * b.inverse()


def rewrite(rng, tree):
    """A tree of the same value, by rules of algebra at random places."""
    if tree[0] not in "+-*/^":
        return rewrite_leaf(rng, tree)
    operator, a, b = tree
    a = rewrite(rng, a)
    if operator == "^":
        if rng.random() < 0.5 and b > 0:
            out = a
            for _ in range(b - 1):
                out = ("*", out, a)
            return out
        return ("^", a, b)
    b = rewrite(rng, b)
    pick = rng.random()
    if operator in "+*" and pick < 0.5:
        return (operator, b, a)
    if operator == "-" and pick < 0.3:
        return ("+", a, ("*", ("number", Fraction(-1)), b))
    if operator == "-" and pick < 0.5:
        return ("*", ("number", Fraction(-1)), ("-", b, a))
    if operator == "/" and pick < 0.4:
        return ("*", a, ("^", b, -1))
    if operator == "*" and pick < 0.8 and b[0] in ("+", "-"):
        return (b[0], ("*", a, b[1]), ("*", a, b[2]))
    if operator == "/" and pick < 0.8 and a[0] in ("+", "-"):
        return (a[0], ("/", a[1], b), ("/", a[2], b))
    return (operator, a, b)


def rewrite_leaf(rng, tree):
    pick = rng.random()
    if tree[0] == "number" and pick < 0.3:
        part = Fraction(rng.randint(1, 5), rng.choice((1, 2)))
        return ("+", ("number", tree[1] - part), ("number", part))
    if tree[0] == "number" and pick < 0.5:
        p = rng.choice(PRIMES)
        return ("/", ("*", ("number", tree[1]), ("^", ("root", p), 2)), ("number", Fraction(p)))
    if tree[0] == "root" and pick < 0.5:
        return ("/", ("number", Fraction(tree[1])), tree)
    return tree


def change(rng, tree):
    """The tree with one number, root, letter or sign changed."""
    if tree[0] not in "+-*/^":
        if tree[0] == "number":
            return ("number", tree[1] + Fraction(1, rng.choice((1, 2, 10**6, 10**25))))
        return ("number", Fraction(rng.randint(1, 9)))
    if rng.random() < 0.3 and tree[0] in "+-*/":
        return (rng.choice("+-*/".replace(tree[0], "")),) + tree[1:]
    if tree[0] == "^" or rng.random() < 0.5:
        return (tree[0], change(rng, tree[1]), tree[2])
    return (tree[0], tree[1], change(rng, tree[2]))


# ---- notation -------------------------------------------------------------------------------------

def write(rng, tree):
    kind = tree[0]
    if kind == "number":
        return write_number(rng, tree[1])
    if kind == "root":
        return rng.choice((r"\sqrt{%d}", r"\sqrt%d ", "√%d ", "sqrt(%d)", "%d^{1/2}")) % tree[1]
    if kind == "letter":
        return tree[1]
    a = write(rng, tree[1])
    if kind == "^":
        return "(%s)^{%d}" % (a, tree[2])
    b = write(rng, tree[2])
    if kind == "/":
        return rng.choice((r"\frac{%s}{%s}", "(%s)/(%s)", r"\left(%s\right) \div (%s)")) % (a, b)
    if kind == "*":
        return rng.choice(("(%s)(%s)", r"(%s) \cdot (%s)", r"\left(%s\right)\times (%s)")) % (a, b)
    return "(%s) %s (%s)" % (a, kind, b)


def write_number(rng, x):
    if x.denominator == 1:
        return str(x.numerator)
    if x.denominator in (2, 4) and rng.random() < 0.3:
        return str(float(x)) if abs(x) < 100 else r"\frac{%d}{%d}" % (x.numerator, x.denominator)
    return rng.choice((r"\frac{%d}{%d}", "(%d/%d)")) % (x.numerator, x.denominator)


# ---- trials ---------------------------------------------------------------------------------------

def points(rng):
    return [{name: Fraction(rng.randint(-50, 50), rng.randint(1, 20)) for name in LETTERS}
            for _ in range(POINTS)]


def relation(rng, a, b):
    """True: equal wherever both are defined; False: not; None: never defined together."""
    met = False
    for point in points(rng):
        try:
            same = value(a, point) == value(b, point)
        except Undefined:
            continue
        met = True
        if not same:
            return False
    return True if met else None


def trials(rng, n):
    while n:
        tree = make(rng, rng.randint(1, 4), rng.random() < 0.5)
        other = rewrite(rng, tree) if rng.random() < 0.5 else change(rng, tree)
        equal = relation(rng, tree, other)
        if equal is not None:
            yield write(rng, tree), write(rng, other), equal
            n -= 1


def main():
    asker = sys.argv[1]
    n, seed = (int(x) for x in sys.argv[2:] + ["3000", "1"][len(sys.argv) - 2:])
    cases = list(trials(random.Random(seed), n))
    text = "".join("%s\t%s\n" % (a, b) for a, b, _ in cases)
    lines = subprocess.run([asker], input=text.encode(), capture_output=True, check=True)
    wrong, counts, keys, longest = 0, {}, {"joined": 0, "split": 0}, 0.0
    answers = lines.stdout.decode().splitlines()
    assert len(answers) == len(cases)
    for (a, b, equal), line in zip(cases, answers):
        verdict, why, took, key_a, key_b = line.split("\t")
        longest = max(longest, float(took))
        counts[(equal, verdict)] = counts.get((equal, verdict), 0) + 1
        joined = key_a != "" and key_a == key_b
        if equal:
            keys["joined" if joined else "split"] += 1
        if verdict == ("different" if equal else "same") or (joined and not equal):
            wrong += 1
            print("WRONG: %s and %s: %s (%s), keys %s %s, and they are %s"
                  % (a, b, verdict, why, key_a, key_b, "equal" if equal else "not equal"))
    for (equal, verdict), count in sorted(counts.items()):
        print("%-9s %-9s %6d" % ("equal" if equal else "unequal", verdict, count))
    print("keys of equal formulas: %(joined)d one, %(split)d two" % keys)
    print("longest %.3f ms" % longest)
    decided = counts.get((True, "same"), 0) + counts.get((False, "different"), 0)
    if wrong or decided < 0.97 * n:
        sys.exit("%d wrong, %d of %d decided" % (wrong, decided, n))


if __name__ == "__main__":
    main()
