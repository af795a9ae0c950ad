#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Formulas with functions, each with one that an identity makes equal to it, or with one that is not, through `rederive grade`
and `rederive check`.

    functions.py [--seed N] [--pairs N]

The identities are those of school books: of sines, arcs, exponentials, logarithms, roots, complex numbers, factorials, sums,
letters. Each formula is written beside its value, which Python's complex numbers give (letters at several points); so what is
equal and what is not is known. Formulas that are equal are never called different, others never the same, and most are decided;
an equation of equal ones is never called wrong, and one of others right only if one side may be the other one rounded.
Program: RDV_PROGRAM, or build/rederive. Exits with 1 if one differs."""
import argparse
import cmath
import json
import math
import random
import re
import sys

from records import records

POINTS = [(0.7, 1.9), (2.3, -0.4), (-1.3, 0.6), (-0.35, -2.2)]  # values of x and y
CLOSE = 1e-9
ROUNDED = 0.5
DECIDED = 0.9
PI = cmath.pi
# The sine of each of these parts of pi.
SINES = {(1, 6): r"\frac{1}{2}", (1, 4): r"\frac{\sqrt{2}}{2}", (1, 3): r"\frac{\sqrt{3}}{2}", (1, 12): r"\frac{\sqrt{6}-\sqrt{2}}{4}",
         (5, 12): r"\frac{\sqrt{6}+\sqrt{2}}{4}", (1, 10): r"\frac{\sqrt{5}-1}{4}", (3, 10): r"\frac{1+\sqrt{5}}{4}",
         (1, 5): r"\frac{\sqrt{10-2\sqrt{5}}}{4}", (1, 8): r"\frac{\sqrt{2-\sqrt{2}}}{2}", (1, 2): "1", (1, 1): "0"}


def constant(value):
    return [complex(value)] * len(POINTS)


def at_points(f):
    return [complex(f(x, y)) for x, y in POINTS]


def fraction(a, b):
    return str(a) if b == 1 else rf"\frac{{{a}}}{{{b}}}"


def of_pi(p, q):
    return (r"\pi" if p == 1 else rf"{p}\pi") if q == 1 else rf"\frac{{{'' if p == 1 else p}\pi}}{{{q}}}"


# An identity: ([text, ...] of formulas that are equal, their value at each of the points).

def sines(rng):
    (p, q), text = rng.choice(list(SINES.items()))
    same = [rf"\sin {of_pi(p, q)}", rf"\sin\left({of_pi(p + 2 * q, q)}\right)", rf"\sin({of_pi(q - p, q)})" if p < q else rf"\sin(0)", text,
            rf"\cos\left(\frac{{\pi}}{{2}} - {of_pi(p, q)}\right)", rf"-\sin\left(-{of_pi(p, q)}\right)"]
    if 180 * p % q == 0:
        same.append(rf"\sin {180 * p // q}^\circ")
    return same, constant(math.sin(PI * p / q))


def quotients(rng):
    p, q = rng.choice([(1, 6), (1, 4), (1, 3), (1, 5), (2, 5), (1, 8), (3, 8), (1, 12), (2, 7)])
    t = of_pi(p, q)
    if rng.random() < 0.5:
        return [rf"\tan {t}", rf"\frac{{\sin {t}}}{{\cos {t}}}", rf"\frac{{1}}{{\cot {t}}}", rf"\tan\left({of_pi(p + q, q)}\right)",
                rf"\frac{{\sec {t}}}{{\csc {t}}}"], constant(math.tan(PI * p / q))
    return [rf"\sec {t}", rf"\frac{{1}}{{\cos {t}}}", rf"\sqrt{{1 + \tan^2 {t}}}"], constant(1 / math.cos(PI * p / q))


def arcs(rng):
    return rng.choice([
        ([r"\arcsin\frac{1}{2}", r"\frac{\pi}{6}", r"\sin^{-1}(0.5)", r"\frac{\pi}{2}-\arccos\frac12"], constant(PI / 6)),
        ([r"\arccos\left(-\frac{1}{2}\right)", r"\frac{2\pi}{3}", r"\pi - \arccos\frac{1}{2}"], constant(2 * PI / 3)),
        ([r"\arctan 1", r"\frac{\pi}{4}", r"\arctan\frac{1}{2} + \arctan\frac{1}{3}"], constant(PI / 4)),
        ([r"\arctan\sqrt{3}", r"\frac{\pi}{3}", r"\tan^{-1}(\sqrt{3})"], constant(PI / 3)),
        ([r"\sin(\arccos\frac{3}{5})", r"\frac{4}{5}", r"\cos(\arcsin\frac{3}{5})", "0.8"], constant(0.8)),
        ([r"\cos(2\arctan 2)", r"-\frac{3}{5}"], constant(-0.6))])


def exponentials(rng):
    a, b, c = rng.randint(1, 5), rng.randint(1, 5), rng.randint(2, 9)
    return rng.choice([
        ([f"e^{{{a}}} e^{{{b}}}", f"e^{{{a + b}}}", rf"\exp({a + b})", rf"(e^{{{a + b}}})^1"], constant(math.exp(a + b))),
        ([rf"e^{{{a}\ln {c}}}", str(c ** a), f"{c}^{{{a}}}"], constant(c ** a)),
        ([rf"\frac{{e^{{{a}}}}}{{e^{{{b}}}}}", f"e^{{{a - b}}}", f"e^{{{a}}} \\cdot e^{{-{b}}}"], constant(math.exp(a - b))),
        ([rf"e^{{\frac{{{a}}}{{2}}}}", rf"\sqrt{{e^{{{a}}}}}"], constant(math.exp(a / 2))),
        ([rf"\sinh(\ln {c})", rf"\frac{{{c * c - 1}}}{{{2 * c}}}", rf"\frac{{e^{{\ln {c}}} - e^{{-\ln {c}}}}}{{2}}"], constant((c - 1 / c) / 2)),
        ([rf"\cosh(\ln {c})", rf"\frac{{{c * c + 1}}}{{{2 * c}}}"], constant((c + 1 / c) / 2)),
        ([rf"\tanh(\ln {c})", rf"\frac{{{c * c - 1}}}{{{c * c + 1}}}"], constant((c * c - 1) / (c * c + 1)))])


def logarithms(rng):
    a, b, k, n = rng.randint(2, 9), rng.randint(2, 9), rng.randint(2, 4), rng.randint(2, 5)
    return rng.choice([
        ([rf"\ln {a * b}", rf"\ln {a} + \ln {b}", rf"\ln({a} \cdot {b})"], constant(math.log(a * b))),
        ([rf"\ln\frac{{{a}}}{{{b}}}", rf"\ln {a} - \ln {b}", rf"-\ln\frac{{{b}}}{{{a}}}"], constant(math.log(a / b))),
        ([rf"\ln {a ** k}", rf"{k}\ln {a}", rf"\ln({a}^{{{k}}})"], constant(k * math.log(a))),
        ([rf"\log_{{{a}}} {a ** k}", str(k), rf"\frac{{\ln {a ** k}}}{{\ln {a}}}"], constant(k)),
        ([rf"\log_{{{a}}} {b}", rf"\frac{{\ln {b}}}{{\ln {a}}}", rf"\frac{{1}}{{\log_{{{b}}} {a}}}"], constant(math.log(b) / math.log(a))),
        ([rf"\log_{{{2 ** k}}} {2 ** n}", fraction(n, k)], constant(n / k)),
        ([rf"\log_{{10}} {10 ** k}", str(k), rf"\log {10 ** k}"], constant(k)),
        ([rf"\ln\sqrt{{{a}}}", rf"\frac{{\ln {a}}}{{2}}"], constant(math.log(a) / 2)),
        ([rf"\ln(e^{{{a}}})", str(a)], constant(a))])


def roots(rng):
    a, b, k = rng.randint(2, 7), rng.choice([2, 3, 5, 6, 7, 10]), rng.choice([3, 4, 5])
    c = rng.choice([n for n in (2, 3, 5, 7, 11) if n != b])
    return rng.choice([
        ([rf"\sqrt{{{a * a * b}}}", rf"{a}\sqrt{{{b}}}", rf"\frac{{{a * b}}}{{\sqrt{{{b}}}}}"], constant(a * math.sqrt(b))),
        ([rf"\sqrt{{{b + c} + 2\sqrt{{{b * c}}}}}", rf"\sqrt{{{b}}}+\sqrt{{{c}}}"], constant(math.sqrt(b) + math.sqrt(c))),
        ([rf"\sqrt[{k}]{{{a ** k * b}}}", rf"{a}\sqrt[{k}]{{{b}}}", rf"{a} \cdot {b}^{{1/{k}}}"], constant(a * b ** (1 / k))),
        ([rf"\frac{{1}}{{\sqrt{{{b}}}-\sqrt{{{c}}}}}", rf"\frac{{\sqrt{{{b}}}+\sqrt{{{c}}}}}{{{b - c}}}"], constant(1 / (math.sqrt(b) - math.sqrt(c)))),
        ([rf"\sqrt[6]{{{b ** 3}}}", rf"\sqrt{{{b}}}", rf"{b}^{{\frac{{1}}{{2}}}}"], constant(math.sqrt(b))),
        ([rf"\sqrt[3]{{{b}}}\sqrt[3]{{{b * b}}}", str(b), rf"\sqrt[3]{{{b ** 3}}}"], constant(b)),
        ([rf"\sqrt{{-{a * a * b}}}", rf"{a}i\sqrt{{{b}}}", rf"{a}\sqrt{{{b}}}i"], constant(1j * a * math.sqrt(b))),
        ([rf"(\sqrt{{{b}}}+{a})^2", rf"{b + a * a}+{2 * a}\sqrt{{{b}}}"], constant((math.sqrt(b) + a) ** 2)),
        ([r"\frac{1+\sqrt{5}}{2}", r"2\cos\frac{\pi}{5}", r"\frac{2}{\sqrt{5}-1}"], constant((1 + math.sqrt(5)) / 2))])


def complex_numbers(rng):
    a, b, c, d = (rng.randint(1, 6) for _ in range(4))
    z, w, n = complex(a, b), complex(c, d), rng.randint(2, 9)
    p, q = rng.choice([(1, 3), (2, 3), (1, 4), (1, 6), (5, 6), (1, 2), (2, 5)])
    product, norm, power = z * w, c * c + d * d, (1 + 1j) ** n
    over = z * w.conjugate()
    plain = lambda v: f"{round(v.real)}{'+' if v.imag >= 0 else '-'}{abs(round(v.imag))}i"
    return rng.choice([
        ([f"({a}+{b}i)({c}+{d}i)", plain(product), f"{round(product.imag)}i+({round(product.real)})"], constant(product)),
        ([rf"\frac{{{a}+{b}i}}{{{c}+{d}i}}", rf"\frac{{{plain(over)}}}{{{norm}}}"], constant(z / w)),
        ([f"|{a}+{b}i|", rf"\sqrt{{{a * a + b * b}}}"], constant(abs(z))),
        ([rf"\overline{{{a}+{b}i}}", f"{a}-{b}i"], constant(z.conjugate())),
        ([f"(1+i)^{{{n}}}", plain(power)], constant(power)),
        ([f"i^{{{n}}}", ["1", "i", "-1", "-i"][n % 4]], constant(1j ** n)),
        ([f"e^{{i{of_pi(p, q)}}}", rf"\cos {of_pi(p, q)} + i\sin {of_pi(p, q)}", rf"\exp\left(i{of_pi(p + 2 * q, q)}\right)"],
         constant(cmath.exp(1j * PI * p / q)))])


def whole_numbers(rng):
    n, k = rng.randint(3, 9), rng.randint(1, 3)
    a, b = rng.randint(4, 40), rng.randint(4, 40)
    return rng.choice([
        ([rf"\binom{{{n}}}{{{k}}}", rf"\frac{{{n}!}}{{{k}!({n - k})!}}", str(math.comb(n, k)), rf"\binom{{{n}}}{{{n - k}}}"], constant(math.comb(n, k))),
        ([f"{n}!", rf"{n} \cdot {n - 1}!", str(math.factorial(n)), rf"\prod_{{j=1}}^{{{n}}} j"], constant(math.factorial(n))),
        ([f"{n}!!", str(math.prod(range(n, 0, -2))), rf"\frac{{{n}!}}{{{n - 1}!!}}"], constant(math.prod(range(n, 0, -2)))),
        ([f"({k}!)!", str(math.factorial(math.factorial(k))), f"{math.factorial(k)}!"], constant(math.factorial(math.factorial(k)))),
        ([rf"\sum_{{k=1}}^{{{n}}} k", rf"\frac{{{n}({n}+1)}}{{2}}", str(n * (n + 1) // 2)], constant(n * (n + 1) // 2)),
        ([rf"\sum_{{j=1}}^{{{n}}} j^2", str(n * (n + 1) * (2 * n + 1) // 6)], constant(n * (n + 1) * (2 * n + 1) // 6)),
        ([rf"\gcd({a}, {b})", str(math.gcd(a, b)), rf"\frac{{{a * b}}}{{\operatorname{{lcm}}({a}, {b})}}"], constant(math.gcd(a, b))),
        ([rf"\left\lfloor\frac{{{a}}}{{{n}}}\right\rfloor", str(a // n)], constant(a // n)),
        ([rf"\lceil \frac{{{a}}}{{{n}}} \rceil", str(-(-a // n))], constant(-(-a // n))),
        ([rf"\max({a}, {b})", str(max(a, b)), rf"\frac{{{a}+{b}+|{a}-{b}|}}{{2}}"], constant(max(a, b))),
        ([rf"({a} \bmod {n})", str(a % n)], constant(a % n))])


def letters(rng):
    n = rng.randint(2, 5)
    return rng.choice([
        (["(x+y)^2", "x^2+2xy+y^2", "(y+x)(x+y)"], at_points(lambda x, y: (x + y) ** 2)),
        ([r"\sin^2 x + \cos^2 x", "1"], constant(1)),
        ([r"\sin 2x", r"2\sin x\cos x"], at_points(lambda x, y: math.sin(2 * x))),
        ([r"\cos 2x", r"1 - 2\sin^2 x", r"\cos^2 x - \sin^2 x"], at_points(lambda x, y: math.cos(2 * x))),
        ([r"\sin(x+y)", r"\sin x\cos y + \cos x\sin y"], at_points(lambda x, y: math.sin(x + y))),
        (["e^x e^y", "e^{x+y}", r"\exp(y+x)"], at_points(lambda x, y: math.exp(x + y))),
        ([r"\frac{x^2-y^2}{x-y}", "x+y"], at_points(lambda x, y: x + y)),
        ([r"\frac{1}{x}+\frac{1}{y}", r"\frac{x+y}{xy}"], at_points(lambda x, y: 1 / x + 1 / y)),
        ([r"\sqrt{x^2}", "|x|"], at_points(lambda x, y: abs(x))),
        ([r"\cosh^2 x - \sinh^2 x", "1"], constant(1)),
        ([r"\tan x", r"\frac{\sin x}{\cos x}"], at_points(lambda x, y: math.tan(x))),
        ([rf"(e^x)^{n}", f"e^{{{n}x}}"], at_points(lambda x, y: math.exp(n * x))),
        ([rf"\frac{{x^{n + 1}}}{{x}}", f"x^{n}"], at_points(lambda x, y: x ** n)),
        ([rf"({n}x-1)(x+{n})", f"{n}x^2+{n * n - 1}x-{n}"], at_points(lambda x, y: (n * x - 1) * (x + n)))])


IDENTITIES = [sines, quotients, arcs, exponentials, logarithms, roots, complex_numbers, whole_numbers, letters]
SIGNS = [("({})+({})", lambda a, b: a + b), ("({})-({})", lambda a, b: a - b), (r"\left({}\right)\left({}\right)", lambda a, b: a * b),
         (r"\frac{{{}}}{{{}}}", lambda a, b: a / b)]


def joined(rng, texts, values, others, other_values):
    """Each of the formulas joined with one of the others by one operation."""
    sign, f = rng.choice(SIGNS)
    if any(abs(v) < CLOSE for v in other_values):
        sign, f = SIGNS[0]
    return [sign.format(text, rng.choice(others)) for text in texts], [f(a, b) for a, b in zip(values, other_values)]


def formula(rng):
    texts, values = rng.choice(IDENTITIES)(rng)
    if rng.random() < 0.5:
        texts, values = joined(rng, texts, values, *rng.choice(IDENTITIES)(rng))
    return texts, values


def gap(a, b):
    """By how much values differ; 0: not at all."""
    return max((abs(x - y) for x, y in zip(a, b) if abs(x - y) > CLOSE * max(1, abs(x), abs(y))), default=0)


def pairs(rng, n):
    """[(formula, another, by how much they differ), ...]"""
    found = []
    while len(found) < n:
        texts, values = formula(rng)
        a, b = rng.sample(texts, 2)
        way = rng.random()
        if way < 0.5:
            found.append((a, b, 0))
        elif way < 0.75:
            k = rng.choice([2, 3, 10, 1000])
            found.append((a, rf"{b} + \frac{{1}}{{{k}}}", 1 / k))
        else:
            others, other_values = rng.choice(IDENTITIES)(rng)
            found.append((a, rng.choice(others), gap(values, other_values)))
    return found


def graded_otherwise(drawn):
    """(the pairs that are called the same and are not, or the other way round, how many were decided)"""
    results = records(["grade", "--quiet"], [{"kind": "latex", "gold": a, "answer": b} for a, b, _ in drawn])
    decided = [(each, r["correct"]) for each, r in zip(drawn, results) if r.get("correct") is not None]
    return [(each, correct) for each, correct in decided if correct != (each[2] == 0)], len(decided)


def checked_otherwise(drawn):
    """The equations that are called wrong and hold, or are supported and miss by more than what rounding to a whole number
    explains; those that are read in another way, of which a note tells, are not looked at."""
    equations = [each for each in drawn if not re.search("[xy]", re.sub(r"\\[a-z]+", "", each[0] + each[1]))]
    results = records(["check", "--quiet", "--json", "--method", "calculations"],
                      [{"question": "", "steps": [f"{a} = {b}"]} for a, b, _ in equations])
    found = [(each, r["verdicts"][0]["verdict"]) for each, r in zip(equations, results)
             if not any("note" in c for c in r["verdicts"][0].get("evidence", {}).get("calculations", []))]
    return [(each, verdict) for each, verdict in found
            if verdict == "contradict" and not each[2] or verdict == "support" and each[2] > ROUNDED]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=2000)
    args = parser.parse_args()
    drawn = pairs(random.Random(args.seed), args.pairs)
    graded, decided = graded_otherwise(drawn)
    faults = graded + checked_otherwise(drawn)
    for (a, b, by), found in faults:
        print(f"{json.dumps(a)} and {json.dumps(b)} differ by {by:g}; found {found}")
    print(f"{len(drawn)} pairs, {decided} decided, {len(faults)} wrong")
    return 1 if faults or decided < DECIDED * len(drawn) else 0


if __name__ == "__main__":
    sys.exit(main())
