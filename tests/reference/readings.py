#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Equalities whose truth is known by construction, in every way of reading them that docs/calculations.md names.

    readings.py [--seed N] [--number N] [--kinds NAME,...] [--list] [--unseen] [--expect]

false: false under every usual reading; never support. right: right in all usual readings; never contradict. either: right
under one usual reading and wrong under another, right only under an unusual one, or near but more than 1 % away; unknown.
odd: right but odd texts, never contradict. plain: plainly wrong sums among words that excuse nothing; contradict.
certificates: chains whose last step asserts no answer, or whose calculation is false; never certified (confirmed: the mirror).
N texts of the first part are drawn, and in proportion of the others. Expressions and values are built together, with
fractions; no text is read back. A third of the templates (sha256 of the id modulo 3 is 2) is kept aside while rules are
written: --unseen prints figures of that third only, all else shows the other two. --expect: exit with 1 if, in any third,
a false or undecidable equality is support or a certificate is given that must not be.
Program: RDV_PROGRAM, or build/rederive."""

import argparse
import hashlib
import random
import re
import sys
from collections import Counter, defaultdict
from fractions import Fraction as F
from math import gcd, isqrt

import readings_prose as prose
from records import records

PI = F("3.14159265358979323846264338327950288419716939937510582")
ALMOST, TIMES, DIVIDED, MINUS = "\N{ALMOST EQUAL TO}", "\N{MULTIPLICATION SIGN}", "\N{DIVISION SIGN}", "\N{MINUS SIGN}"
QUESTION = "How many are there?"
RESULTS = "ruewz"
SHARES = {"false": 1.0, "right": 0.6, "either": 0.25, "odd": 0.2, "plain": 0.15, "certificates": 0.15, "confirmed": 0.03}


# ---- numbers: a value and how it is written ----

def root(value):
    """The square root of a value, to 60 digits."""
    return F(isqrt(value.numerator * value.denominator * 10 ** 120), value.denominator * 10 ** 60)


def units(value, places):
    return abs(value) * 10 ** places


def written(sign, count, places):
    digits = f"{count:0{places + 1}d}"
    return ("-" if sign < 0 and count else "") + (digits[:-places] + "." + digits[-places:] if places else digits)


def nearest(value, places):
    return written(value, int(units(value, places) + F(1, 2)), places)


def cut(value, places):
    return written(value, int(units(value, places)), places)


def off(text, value):
    """How far a number as it is written is from a value, as a share of it."""
    return abs(F(text) - value) / abs(value)


def shown(value):
    """A value exactly: as a decimal where it ends, else as a fraction."""
    value = F(value)
    for places in range(7):
        if (value * 10 ** places).denominator == 1:
            return cut(value, places)
    return f"{value.numerator}/{value.denominator}"


def money(value):
    """A value with two places, unless it is whole."""
    return nearest(value, 2) if F(value).denominator > 1 else shown(value)


def wrong(rng, value, places=None, avoid=()):
    """A number near the value that is none of its readings: more than a unit of its last digit away."""
    value = F(value)
    if places is None:
        places = next((n for n in range(5) if (value * 10 ** n).denominator == 1), 0)
    while True:
        count = int(units(value, places)) + rng.choice([-1, 1]) * rng.choice([1, 2, 3, 4, 5, 6, 8, 9, 11, 20, 30, 90])
        number = written(value, count, places)
        if count > 0 and abs(F(number) - value) * 10 ** places > F(99, 100) + (units(value, places).denominator > 1) and F(number) not in map(F, avoid):
            return number


def far(rng, value, places=0):
    """More than 3 % and more than six units of the last digit away."""
    while True:
        number = nearest(value + rng.choice([-1, 1, 1]) * max(value * F(rng.randint(5, 60), 100), F(rng.randint(7, 9), 10 ** places)), places)
        if F(number) > 0 and off(number, value) > F(3, 100) and abs(F(number) - value) * 10 ** places > 6:
            return number


def grouped(text, mark=","):
    whole, point, rest = text.partition(".")
    return f"{int(whole):,}".replace(",", mark) + point + rest


def comma(text, group="."):
    """A number as it is written with a decimal comma."""
    whole, point, rest = text.partition(".")
    return f"{int(whole):,}".replace(",", group) + (point and ",") + rest


def several(make, n=3):
    return [make() for _ in range(n)]


# ---- kinds: their numbers, and results (r right, u right only in an unusual reading or near but far, e in one usual, w in none) ----

def simple(rng, sign=None):
    """A calculation with one or two signs that comes to a whole number above 0."""
    sign = sign or rng.choice("++--**/()")
    a, b, c = rng.randint(12, 480), rng.randint(11, 99), rng.randint(3, 12)
    if sign == "+":
        return f"{a} + {b}", a + b
    if sign == "-":
        return f"{a + b} - {b}", a
    if sign == "*":
        return f"{b} * {c}", b * c
    if sign == "/":
        return f"{b * c} / {c}", b
    return rng.choice([(f"({b} + {c}) * {c}", (b + c) * c), (f"{b} * {c} + {a}", b * c + a), (f"{a + b * c} - {b} * {c}", a), (f"{b} * {c} * 2", b * c * 2)])


def whole(rng, sign=None):
    left, value = simple(rng, sign)
    return {"left": left, "r": [str(value)], "w": several(lambda: wrong(rng, value))}


def roughly(rng):
    """A quotient that does not end; the digits shown are right, or it is far away."""
    while True:
        b = rng.choice([3, 6, 7, 9, 11, 13, 17, 19, 23])
        a = rng.randint(3 * b, 60 * b)
        if a % b and F(a, b).denominator > 2:
            break
    value = F(a, b)
    places = rng.choice([1, 2, 3])
    return {"left": f"{a} / {b}", "r": [nearest(value, places), cut(value, places), nearest(value, 0)],
            "w": [far(rng, value, places), far(rng, value, places), far(rng, value, 1)]}


def over_percent(rng):
    """A quotient whose percent sign may belong to the whole of it."""
    p, k = rng.choice([5, 10, 20, 25, 40, 50, 80]), rng.randint(3, 40)
    a = p * k
    return {"a": a, "p": p, "r": [str(100 * k)], "u": [shown(F(k, 100))], "w": several(lambda: wrong(rng, 100 * k, 0, [k]))}


def small_percent(rng):
    """A part of a percent: the sign may belong to the divisor alone."""
    q, b = rng.choice([2, 4, 5]), 100 * rng.randint(2, 60)
    value = F(b, 100 * q)
    return {"q": q, "b": b, "r": [shown(value)], "u": [str(100 * b // q)], "w": several(lambda: wrong(rng, value, avoid=[F(b, q)]))}


def amount_aside(rng):
    """A bracket that holds an amount is a factor, or says once more what stands before it."""
    a, b = rng.randint(3, 30), rng.randint(2, 12)
    return {"a": a, "b": b, "unit": rng.choice(["days", "km", "hours", "kg"]), "e": [str(a * b), str(a)]}


def in_bracket(rng):
    n, q = rng.randint(2, 12), rng.choice([2, 4, 5, 8, 10])
    p = rng.choice([x for x in range(1, q) if gcd(x, q) == 1])
    r, u = n * F(p, q), n + F(p, q)
    return {"n": n, "p": p, "q": q, "r": [shown(r)], "u": [shown(u), f"{u.numerator}/{u.denominator}"], "w": [] if r == u else several(lambda: wrong(rng, r, avoid=[u]))}


def part_of(rng):
    """The part of a number; and a fraction equal to that alone, whatever it is said to be a part of."""
    p, q = rng.choice([(1, 2), (1, 3), (2, 3), (1, 4), (3, 4), (2, 5)])
    k, b = rng.randint(2, 12), rng.randint(2, 9)
    a = p * q * k
    return {"p": p, "q": q, "a": a, "left": a + b, "b": b, "pk": p * k, "qk": q * k, "r": [str(q * q * k)], "w": several(lambda: wrong(rng, q * q * k)),
            "all": [str(q * rng.randint(2, 20))]}


def power_of_ten(rng):
    """Both ways of reading such a divisor are usual."""
    b, n = rng.randint(2, 9), rng.randint(2, 4)
    a = b * rng.randint(2, 12)
    return {"a": a, "b": b, "n": n, "e": [shown(F(a, b) * 10 ** n), shown(F(a, b * 10 ** n))]}


def scientific(rng):
    """The divisor is written as one number with its power of ten."""
    b, n, k = F(rng.choice([15, 25, 35, 45]), 10), rng.randint(2, 4), rng.randint(2, 12)
    a = b * 2 * k
    return {"a": shown(a), "b": shown(b), "n": n, "r": [shown(F(2 * k, 10 ** n))], "u": [shown(2 * k * 10 ** n)]}


def rest(rng):
    """A difference that decimals make rough: "leaves about"."""
    a, b = F(rng.randint(2000, 9000), 100), F(rng.randint(300, 1500), 100)
    return {"left": f"{nearest(a, 2)} - {nearest(b, 2)}", "r": [nearest(a - b, 1), nearest(a - b, 0)], "w": several(lambda: far(rng, a - b, 1))}


def by_fraction(rng):
    q = rng.choice([2, 3, 4, 5, 6, 8, 10])
    p = rng.choice([n for n in (1, 1, 1, 2, 3, 5) if n < q and gcd(n, q) == 1])
    a, name = rng.choice([(F(rng.randint(2, 40)),) * 2, (F(rng.randint(1, 4), 5),) * 2, (F(2, 3), "2/3"), (F(3, 4), "3/4"), (F(7, 8), "7/8")])
    return {"a": name, "p": p, "q": q, "r": [frac(a * q / p)], "u": [frac(a / p / q)], "w": [wrong(rng, max(1, a * q / p), 0, [a * q / p, a / p / q]), *[frac(x) for x in (a * p / q, p / (a * q)) if x not in (a * q / p, a / p / q)]]}


def frac(value):
    value = F(value)
    return str(value.numerator) + (f"/{value.denominator}" if value.denominator > 1 else "")


def latex_fraction(rng):
    one = by_fraction(rng)
    return certain(one) | {"a": re.sub(r"(\d+)/(\d+)", r"\\frac{\1}{\2}", str(one["a"]))}


def beside(rng, touching):
    a, b = rng.choice([(a, b) for a in range(1, 10) for b in range(2, 13) if gcd(a, b) == 1])
    c = b * rng.randint(2, 9)
    first, second = F(a, b) * c, F(a, b * c)
    other = several(lambda: wrong(rng, first, None, [second]), 2)
    values = {"a": a, "b": b, "c": c, "d": rng.randint(1, c - 1)} | {"w": other}
    values["c1"] = c - values["d"]
    return values | ({"r": [frac(first)], "w": other + [frac(second)]} if touching else {"e": [frac(first), frac(second)]})


def percent(rng, sign):
    p, a = rng.choice([5, 10, 15, 20, 25, 30, 40, 50]), 20 * rng.randint(3, 30)
    of, number, hundredth = (a + sign * x for x in (F(a * p, 100), p, F(p, 100)))
    return {"a": a, "p": p, "r": [shown(of)], "u": [x for x in (shown(number), shown(hundredth)) if x != shown(of)], "w": several(lambda: wrong(rng, of, None, [number, hundredth]), 2)}


def changed_by(rng, sign):
    one = percent(rng, sign)
    part = F(int(one["a"]) * one["p"], 100)
    return one | {"u": [], "w": [w for w in one["w"] + one["u"] if F(w) not in (part, one["a"] + part, one["a"] - part)]}


def aside(rng):
    a, b, c = rng.randint(3, 15), rng.randint(2, 9), rng.randint(2, 9)
    return {"a": a, "b": b, "c": c, "r": [str(a * (b + c))], "u": [str(a)], "w": several(lambda: wrong(rng, a * (b + c), 0, [a]), 2)}


def certain(one):
    """Where a notation leaves no doubt, the unusual result is as wrong as any."""
    return one | {"w": one["w"] + one["u"], "u": []}


def aside_one(rng):
    one = aside(rng)
    a, b = one["a"], one["b"]
    return one | {"r": [str(a * b)], "w": several(lambda: wrong(rng, a * b, 0, [a]), 2)}


def negative_power(rng):
    a, n, c = rng.randint(2, 12), rng.choice([2, 2, 4]), rng.randint(2, 20)
    power = a ** n
    return {"a": a, "n": n, "c": c, "r": [str(-power)], "u": [str(power)], "w": several(lambda: wrong(rng, -power)), "rc": [str(c - power)], "uc": [str(c + power)]}


def negative_sum(rng):
    one = negative_power(rng)
    right, unusual = F(one["rc"][0]), F(one["uc"][0])
    return one | {"r": one["rc"], "u": one["uc"], "w": several(lambda: wrong(rng, right or 1, 0, [right, unusual]), 2)}


def mixed(rng, use):
    q = rng.choice([2, 4, 5, 8])
    p, n, c = rng.choice([x for x in range(1, q) if gcd(x, q) == 1]), rng.randint(1, 12), rng.randint(2, 9)
    usual, unusual = use(n + F(p, q), c), use(n * F(p, q), c)
    return {"n": n, "p": p, "q": q, "c": c, "r": [shown(usual)], "u": [shown(unusual)] if usual != unusual else [], "w": several(lambda: wrong(rng, usual, None, [unusual]), 2)}


def tower(rng):
    a, b, c = rng.choice([(2, 3, 2), (2, 2, 3), (3, 2, 2), (3, 2, 3), (2, 3, 3), (2, 4, 2), (3, 3, 2), (4, 2, 3), (5, 2, 3), (10, 2, 3), (4, 3, 2), (10, 3, 2)])
    right, left = a ** b ** c, (a ** b) ** c
    return {"a": a, "b": b, "c": c, "r": [str(right)], "u": [str(left)] if left != right else [], "w": [wrong(rng, right, 0, [left]), *[str(x) for x in (a ** (b + c), a ** b * c) if x not in (right, left)]]}


def bracketed_tower(rng):
    return certain(tower(rng))


def running(rng):
    a, b, c = rng.randint(5, 60), rng.randint(5, 60), rng.randint(3, 40)
    s, t = a + b, a + b + c
    return {"a": a, "b": b, "c": c, "k": c % 7 + 2, "s": s, "p": s * (c % 7 + 2), "t": t, "u": [str(t)], "w": several(lambda: wrong(rng, t), 2), "x": s - a % 5 - 1, "y": a % 5 + 1}


def running_product(rng):
    one = running(rng)
    return one | {"u": [str(one["p"])], "w": several(lambda: wrong(rng, one["p"], 0, [one["s"]]), 2)}


def linked(rng):
    one = running(rng)
    return one | {"u": [], "r": [str(one["s"])], "w": several(lambda: wrong(rng, one["s"]))}


SIZES = [("cents", "dollars", 100), ("cm", "m", 100), ("mm", "cm", 10), ("m", "km", 1000), ("g", "kg", 1000), ("mg", "g", 1000), ("ml", "L", 1000), ("minutes", "hours", 60),
         ("seconds", "minutes", 60), ("inches", "feet", 12), ("feet", "yards", 3), ("ounces", "pounds", 16), ("grams", "kilograms", 1000), ("meters", "kilometers", 1000),
         ("centimeters", "meters", 100)]


def sized(rng, use, cents=False):
    """A calculation in the small unit: right in it, or in the large one after conversion; its number with the large one is false."""
    small, large, size = ("cents", "$", 100) if cents else rng.choice(SIZES)
    a, b, c = rng.randint(4, 90), rng.randint(3, 60), rng.choice([k for k in range(2, 13) if k != size])
    value = use(a, b, c)  # not times or over the size, which converts
    name = (lambda v: f"${v}") if cents else (lambda v: f"{v} {large}")
    right = [f"{value} {small}"] + [name(money(F(value, size)))] * (size in (10, 100) or value % size == 0)
    return {"a": a, "b": b, "ab": a + b, "c": c, "ac": a * c, "s": small, "r": right, "w": [name(value), name(value), f"{wrong(rng, value)} {small}"]}


def sized_down(rng):
    """The other way: the large unit's number with the small unit."""
    small, large, size = rng.choice([s for s in SIZES if s[2] in (10, 100, 1000)])
    a, c = F(rng.randint(11, 99), 10), rng.randint(2, 9)
    return {"a": shown(a), "l": large, "c": c, "r": [f"{shown(a * c)} {large}", f"{shown(a * c * size)} {small}"], "w": [f"{shown(a * c)} {small}", f"{shown(a * c * size)} {large}"]}


def left_over(rng):
    d = rng.randint(4, 19)
    q, k = rng.randint(2, 40), rng.randint(1, d - 1)
    other = rng.choice([x for x in range(1, d) if x != k])
    return {"n": q * d + k, "d": d, "q": q, "k": k, "r": [(q, k)], "w": [(q, other), (q + 1, k), (q, other)]}


LEFT_OVER = [" with {} left over", " with {} left", " with {} remaining", " remainder {}", " with a remainder of {}", " R {}", " r {}", " R{}", " with {} to spare", ", remainder {}", ", with {} left over",
             " and {} left over", ", leaving {}", ", leaving a remainder of {}", " rem {}", " (remainder {})", " full groups and {} left", " boxes with {} pens left over", " (with {} left over)", ", {} left over",
             " with rest {}", " and a remainder of {}", " each, with {} spare", ". Remainder: {}", " groups, {} remaining"]


def over(wording):
    def values(rng):
        one = left_over(rng)
        return one | {key: [f"{q}{wording.format(k)}" for q, k in one[key]] for key in "rw"}
    return values


def remainder_only(rng):
    one = left_over(rng)
    return one | {"r": [str(one["k"])], "w": [str(k) for q, k in one["w"] if k != one["k"]]}


def inverses(rng):
    """1/a +- 1/b of decimals; a fraction near the value is false, whatever rounding makes of decimals."""
    a, b = rng.sample([2, 3, 4, 5, 6, 7, 8, 9, 12, 15], 2)
    a, b = min(a, b), max(a, b)
    value = F(10, a) - F(10, b)
    near = [F(n, d) for d in range(2, 14) for n in (round(value * d) - 1, round(value * d), round(value * d) + 1) if n > 0 and F(n, d).denominator > 1 and F(n, d) != value]
    near = [x for x in near if F(1, 200) < abs(x - value) / value < F(1, 10)] or [value + F(1, 2)]
    return {"a": shown(F(a, 10)), "b": shown(F(b, 10)), "r": [frac(value)], "w": [frac(rng.choice(near)) for _ in range(3)]}


def irrational(rng, make):
    """A root or a multiple of pi: right to three digits and more, undecided where the digits are near but few, else wrong."""
    values, value = make(rng)
    few = [x for x in (nearest(value, 0), cut(value, 0), nearest(value, 1), cut(value, 1)) if off(x, value) > F(11, 1000) and F(x)]
    right = [x for x in (nearest(value, 2), nearest(value, 3), cut(value, 3)) if off(x, value) < F(9, 1000)]
    return values | {"r": right, "u": few, "w": [far(rng, value, 2), wrong(rng, value, 0), far(rng, value, 1)]}


def a_root(rng):
    while True:
        n = rng.randint(2, 120)
        if isqrt(n) ** 2 != n:
            return {"n": n}, root(F(n))


def half_root(rng):
    n, k = rng.choice([2, 3, 5, 6, 7, 10]), rng.randint(2, 5)
    return {"n": n, "k": k}, root(F(n)) / k


def pi_times(rng):
    k = rng.randint(2, 9)
    return {"k": k}, PI * k


def pi_square(rng):
    k = rng.randint(2, 9)
    return {"k": k}, PI * k * k


def tenths(rng):
    """A sum of tenths against a whole number: near, but more than 1 % away; or not near."""
    while True:
        a, b, c = (rng.randint(1, 19) for _ in range(3))
        value = F(a + b + c, 10)
        few = {x for x in (nearest(value, 0), cut(value, 0)) if F(x) and off(x, value) > F(11, 1000)}
        if few:
            return {"a": shown(F(a, 10)), "b": shown(F(b, 10)), "c": shown(F(c, 10)), "r": [shown(value)], "u": sorted(few), "w": [wrong(rng, value, 0), wrong(rng, value, 1)]}


def quotient(rng, few):
    """A quotient of whole numbers that does not end: its last digit, right or wrong."""
    while True:
        a, b = rng.randint(1, 400), rng.choice([3, 6, 7, 9, 11, 12, 13, 14, 17, 19, 21, 23, 29, 31])
        value = F(a, b)
        if shown(value).count("/"):
            break
    if few:
        near = [x for n in (0, 1, 2) for x in (nearest(value, n), cut(value, n)) if F(x) and off(x, value) > F(11, 1000)]
        return {"a": a, "b": b, "z": near}
    places = rng.choice([n for n in (1, 2, 3, 4, 5) if value * 10 ** n > 120])
    unit = F(1, 10 ** places)
    low = F(cut(value, places))
    return {"a": a, "b": b, "r": [nearest(value, places), cut(value, places)], "w": [nearest(low - unit, places), nearest(low + 2 * unit, places), nearest(low + 4 * unit, places), nearest(low - 3 * unit, places)]}


def far_whole(rng):
    """A quotient that is shown as a whole number that is not near."""
    while True:
        b, a = rng.randint(3, 29), rng.randint(30, 900)
        if a % b and a // b > 3:
            value = F(a, b)
            return {"a": a, "b": b, "r": [nearest(value, 2)] if value > 2 else [], "w": [str(a // b - 1), str(a // b + 2), str(a // b - 2)]}


def round_number(rng):
    """A whole result against the round number near it, without a word that says so."""
    while True:
        a, b = rng.randint(101, 999), rng.randint(3, 19)
        c = a * b - a
        places = [10 ** n for n in (1, 2) if a * b % 10 ** n and 10 ** n * 10 < a * b]
        if places:
            return {"a": a, "b": b, "c": c, "r": [str(a * b)], "w": [str(round(F(a * b, n)) * n) for n in places]}


def undecided_about(rng):
    """Neither nearest nor cut off, but within 1 % or five units of the last digit: with a sign of rounding undecided."""
    one = quotient(rng, False)
    value = F(one["a"], one["b"])
    return {"a": one["a"], "b": one["b"], "z": [x for x in one["w"][:2] if off(x, value) < F(9, 1000)]}


def printed(rng, sign):
    """What a program prints of a sum or product of decimals, and the same with an earlier digit changed."""
    while True:
        a, b = F(rng.randint(1, 99), 10), F(rng.randint(1, 999), 100)
        value = a + b if sign == "+" else a * b
        text = repr(float(a) + float(b) if sign == "+" else float(a) * float(b))
        if len(text.partition(".")[2]) >= 12 and off(text, value) < F(1, 10 ** 14):
            break
    at = text.index(".") + rng.randint(4, 8)
    return {"a": shown(a), "b": shown(b), "s": sign, "r": [text], "w": [text[:at] + str((int(text[at]) + rng.randint(2, 8)) % 10) + text[at + 1:]]}


def printed_third(rng):
    while True:
        a, b = rng.randint(1, 50), rng.choice([3, 7, 9, 11, 13])
        if a % b:
            break
    text = nearest(F(a, b), 15)
    at = text.index(".") + rng.randint(4, 8)
    return {"a": a, "b": b, "r": [text], "w": [text[:at] + str((int(text[at]) + rng.randint(2, 8)) % 10) + text[at + 1:]]}


def rounded_inputs(rng, digits):
    """A product of two decimals, with a result that it has only if they were rounded: wrong, but from three digits on, and
    within one percent, undecided."""
    places = digits - 1
    while True:
        a, b = (rng.choice([n for n in range(10 ** places + 1, 10 ** digits) if n % 10]) for _ in range(2))
        value = F(a * b, 100 ** places)
        low, high = (F((2 * a + d) * (2 * b + d), 4 * 100 ** places) for d in (-1, 1))
        inside = [written(1, n, places) for n in range(int(low * 10 ** places) + 2, int(high * 10 ** places) - 1)]
        inside = [x for x in inside if abs(F(x) - value) * 10 ** places > 1 and off(x, value) < F(1, 100)]
        if inside:
            one = {"a": shown(F(a, 10 ** places)), "b": shown(F(b, 10 ** places)), "r": [shown(value)], "u": inside[:1] + inside[-1:],
                   "w": [nearest(value * F(rng.randint(130, 190), 100), places)]}
            return one if digits >= 3 else certain(one)


def rounded_before(rng):
    """A product of a rounded quotient: from the quotient, or from the digits shown."""
    while True:
        a, b, k = rng.randint(10, 99), rng.choice([3, 6, 7, 9]), rng.choice([6, 7, 9, 12])
        if a % b and (a * k) % b == 0:
            first = nearest(F(a, b), 2)
            return {"a": a, "b": b, "k": k, "first": first, "r": [str(a * k // b), shown(F(first) * k)], "w": several(lambda: far(rng, F(a * k, b), 1))}


def german(rng, make):
    """Numbers with a decimal comma. Whole results are shown as whole numbers."""
    values, value, places, unit = make(rng)
    places = 0 if value.denominator == 1 else places
    return values | {"r": [comma(nearest(value, places)) + unit], "w": several(lambda: comma(wrong(rng, value, places)) + unit, 2)}


def price(rng):
    n, a = rng.randint(3, 240), F(rng.randint(11, 499), 10)
    return {"n": n, "a": comma(nearest(a, 2))}, n * a, 2, " \N{EURO SIGN}"


def price_thousands(rng):
    n, a = rng.randint(1001, 4000), F(rng.randint(22, 99), 20)
    return {"n": comma(str(n)), "a": comma(nearest(a, 2))}, n * a, 2, " \N{EURO SIGN}"


def prices(rng):
    a, b = F(rng.randint(101, 99999), 100), F(rng.randint(101, 9999), 100)
    return {"a": comma(nearest(a, 2)), "b": comma(nearest(b, 2))}, a + b, 2, " \N{EURO SIGN}"


def area(rng):
    a, b = F(rng.randint(15, 99), 10), F(rng.randint(15, 99), 10)
    return {"a": comma(nearest(a, 1)), "b": comma(nearest(b, 1))}, a * b, 2, " m\N{SUPERSCRIPT TWO}"


def thousands(rng, mark):
    a, b = rng.randint(1010, 9990), rng.randint(1010, 9990)
    result = several(lambda: grouped(wrong(rng, a + b, 0), mark), 2)
    return {"a": grouped(str(a), mark), "b": grouped(str(b), mark), "r": [grouped(str(a + b), mark)], "w": result}


def other_convention(rng):
    """Three digits behind each point: right only if the point divides thousands."""
    a, b = 10 * rng.randint(101, 450) + 5, rng.randint(101, 450)
    return {"a": grouped(str(a), "."), "b": b, "u": [grouped(str(a + b), ".")]}


def lettered(rng):
    a, b, c, d = rng.randint(3, 60), rng.randint(3, 20), rng.randint(11, 90), rng.choice([F(21, 10), F(42, 10), F(15, 10), F(49, 10), F(3), F(8)])
    left, value = rng.choice([(f"{a} * {shown(d)} * ({b * c} - {c})", a * d * (b * c - c)), (f"{a} * {b} - {c}", F(a * b - c)), (f"{a * b} / {b} + {c}", F(a + c)), (f"({a} + {b}) * {shown(d)}", (a + b) * d)])
    if value <= 20:
        return lettered(rng)
    return {"left": left, "r": [shown(value)], "w": several(lambda: wrong(rng, value))}


def millions(rng):
    a, b, c = rng.randint(12, 480), rng.randint(12, 480), rng.randint(12, 480)
    return {"a": a, "b": b, "c": c, "r": [str(a + b + c)], "w": several(lambda: wrong(rng, a + b + c))}


def formula(value):
    def values(rng):
        a, b, c = 2 * rng.randint(2, 15), rng.randint(2, 12), rng.randint(2, 9)
        v = F(value(a, b, c))
        return {"a": a, "b": b, "c": c, "ab": a * b, "h": shown(F(a, 10)), "r": [shown(v)], "w": several(lambda: wrong(rng, v))}
    return values


def circle(rng):
    one = irrational(rng, pi_square)
    return one | {"w": one["w"][:1]}


FORMULAS = [  # half, as a fraction of ten, is h
    ("E = \N{VULGAR FRACTION ONE HALF}mv\N{SUPERSCRIPT TWO} = 0.5 * {a} kg * ({b} m/s)\N{SUPERSCRIPT TWO} = @ J", lambda a, b, c: F(a * b * b, 2)),
    ("E = \N{VULGAR FRACTION ONE HALF}mv\N{SUPERSCRIPT TWO} = 0.5 * {a} kg * {b} m\N{SUPERSCRIPT TWO}/s\N{SUPERSCRIPT TWO} = @ J", lambda a, b, c: F(a * b, 2)),
    ("KE = 1/2 m v^2 = 0.5 * {a} * {b}^2 = @ J", lambda a, b, c: F(a * b * b, 2)), ("F = E/d = {ab} J / {b} m = @ N", lambda a, b, c: a),
    ("p = mv = {h} kg * {b} m/s = @ kg\N{MIDDLE DOT}m/s", lambda a, b, c: F(a * b, 10)), ("V = I*R = {a} A * {b} \N{GREEK CAPITAL LETTER OMEGA} = @ V", lambda a, b, c: a * b),
    ("V = IR = {a} * {b} = @ V", lambda a, b, c: a * b), ("P = VI = {a} V * {b} A = @ W", lambda a, b, c: a * b), ("W = Fd = {a} N * {b} m = @ J", lambda a, b, c: a * b),
    ("E = mgh = {a} * 9.8 * {b} = @ J", lambda a, b, c: a * b * F(98, 10)),
    ("F = ma = {a} kg * {b} m/s\N{SUPERSCRIPT TWO} = @ N", lambda a, b, c: a * b),
    ("a = F/m = {ab} N / {b} kg = @ m/s\N{SUPERSCRIPT TWO}", lambda a, b, c: a),
    ("d = vt = {a} m/s * {b} s = @ m", lambda a, b, c: a * b),
    ("v = d/t = {ab} m / {b} s = @ m/s", lambda a, b, c: a),
    ("t = d/v = {ab} / {b} = @ s", lambda a, b, c: a),
    ("A = lw = {a} cm * {b} cm = @ cm\N{SUPERSCRIPT TWO}", lambda a, b, c: a * b),
    ("V = lwh = {a} * {b} * {c} = @", lambda a, b, c: a * b * c),
    ("P = 2(l + w) = 2({a} + {b}) = @ cm", lambda a, b, c: 2 * (a + b)),
    ("E = mc^2 = {a} * {b}^2 = @", lambda a, b, c: a * b * b),
    ("I = Prt = {ab}00 * 0.0{c} * {b} = @", lambda a, b, c: a * b * b * c),
    ("Q = mc\N{GREEK CAPITAL LETTER DELTA}T = {a} * {b} * {c} = @ J", lambda a, b, c: a * b * c),
    ("\N{GREEK SMALL LETTER RHO} = m/V = {ab} kg / {b} m\N{SUPERSCRIPT THREE} = @ kg/m\N{SUPERSCRIPT THREE}", lambda a, b, c: a),
    ("$F = ma = {a} \\times {b} = @$", lambda a, b, c: a * b),
    ("\\[ P = \\frac{{W}}{{t}} = \\frac{{{ab}}}{{{b}}} = @ \\text{{ W}} \\]", lambda a, b, c: a),
    ("$A = \\frac{{1}}{{2}} b h = \\frac{{1}}{{2}} \\cdot {a} \\cdot {b} = @$", lambda a, b, c: F(a * b, 2)),
    ("Area = base * height / 2 = {a} * {b} / 2 = @", lambda a, b, c: F(a * b, 2)),
    ("Profit = revenue - cost = {ab} - {b} = @", lambda a, b, c: a * b - b),
    ("C = F + vn = {a} + {b} * {c} = @", lambda a, b, c: a + b * c)]


def minus_first(rng):
    a, b = rng.randint(11, 60), rng.randint(2, 10)
    return {"a": a, "b": b, "p": F(a * b), "r": [str(b - a)], "w": [str(a - b), wrong(rng, b - a), str(-a - b)]}


def minus_product(rng):
    a, b = rng.randint(3, 40), rng.randint(3, 15)
    return {"a": a, "b": b, "r": [str(-a * b)], "w": [str(a * b), wrong(rng, -a * b)]}


def minus_quotient(rng):
    a, b = F(rng.randint(2, 99), 1000), rng.choice([2, 4, 5, 8])
    return {"a": shown(a), "b": b, "r": [nearest(-a / b, 6).rstrip("0")], "w": [nearest(a / b, 6).rstrip("0"), nearest(-2 * a / b, 6).rstrip("0")]}


def nothing(rng):
    return {"a": rng.randint(3, 40), "b": rng.randint(3, 40), "w": [str(rng.randint(3, 90))]}


# ---- the table of kinds: name, dialects, numbers, templates ("@" is the result) ----

PLAIN, WORDS, ALL, ASIS = "plain signs bold", "plain", "plain tight signs times bold code dollar paren display double power", "as it is"
EXACT = [f"{{left}} {verb} @" for verb in ("=", "is", "equals", "is equal to", "gives", "gives us", "makes", "comes to", "comes out to")]
LEAVES = [f"{{left}} {verb} @" for verb in ("leaves", "leaves us with")]
ROUGHLY = ("about", "approximately", "roughly", "around", "nearly")
ABOUT = [f"{{left}} {verb} {word} @" for verb in ("is", "=", "equals", "gives", "gives us", "makes", "comes to") for word in ROUGHLY] + [f"{{left}} {sign} @" for sign in (ALMOST, "~=")]
MEASURES = "\u4e2a \u5143 \u672c \u4eba \u652f \u9875 \u5343\u514b \u5c0f\u65f6 \u5757 \u68f5 \u5f20 \u7c73".split()
CHINESE = ["{left}=@%s", "\u6240\u4ee5\u4e00\u5171\u6709{left}=@%s\u3002", "\u7b54\uff1a{left}=@\uff08%s\uff09", "{left} = @ %s"]

KINDS = [
    ("sum with =", ALL, whole, ["{left} = @", "{left} = @."]), ("verb", WORDS, whole, EXACT), ("verb", WORDS, lambda rng: whole(rng, "-"), LEAVES),
    ("about", WORDS, roughly, ABOUT), ("about", WORDS, rest, [f"{{left}} {verb} {word} @" for verb in ("leaves", "leaves us with") for word in ROUGHLY]),
    ("about, LaTeX", ASIS, roughly, ["${left} \\approx @$", "\\({left} \\approx @\\)"]),
    ("by a fraction", PLAIN, by_fraction,
     ["{a} / {p}/{q} = @", "So {a} / {p}/{q} = @ pieces", f"{{a}} {DIVIDED} {{p}}/{{q}} = @", f"{{a}} {DIVIDED}{{p}}/{{q}} = @", f"{{a}} {DIVIDED} {{p}}/{{q}} is @"]),
    ("by a fraction in words", WORDS, by_fraction, ["{a} divided by {p}/{q} is @", "{a} divided by {p}/{q} equals @"]),
    ("by a fraction, LaTeX", ASIS, latex_fraction, ["${a} \\div \\frac{{{p}}}{{{q}}} = @$", "\\[ {a} \\div \\tfrac{{{p}}}{{{q}}} = @ \\]", "${a} \\div ({p}/{q}) = @$"]),
    ("a / b%", "plain signs", over_percent, ["{a} / {p}% = @", "So {a} / {p}% = @"]),
    ("1/2%", "plain", small_percent, ["1/{q}% of {b} = @", "So 1/{q}% of {b} is @"]),
    ("a / b * 10^n", "plain signs", power_of_ten, ["{a} / {b} * 10^{n} = @", "So {a}/{b} * 10^{n} = @"]),
    ("a / 2.5 * 10^n", "plain signs", scientific, ["{a} / {b} * 10^{n} = @"]),
    ("7 (1/4)", PLAIN, in_bracket, ["{n} ({p}/{q}) = @", "So {n} ({p}/{q}) = @ cups"]),
    ("a (b days)", PLAIN, amount_aside, ["{a} ({b} {unit}) = @", "So {a} ({b} {unit}) = @"]),
    ("1/3 of b", PLAIN, part_of, ["{left} - {b} = {p}/{q} of @"]),
    ("1/3 of b", PLAIN, lambda rng: (lambda one: one | {"r": [], "w": [], "u": one["all"]})(part_of(rng)), ["{pk} / {qk} = {p}/{q} of @"]),
    ("a/b(c)", PLAIN, lambda rng: beside(rng, True), ["{a}/{b}({c}) = @", "{a}/{b}({d} + {c1}) = @", "\\frac{{{a}}}{{{b}}}({c}) = @"]),
    ("a/b (c)", PLAIN, lambda rng: beside(rng, False), ["{a}/{b} ({c}) = @", "{a} / {b} ({c}) = @", "{a} / {b}({c}) = @", "{a} / {b}({d} + {c1}) = @"]),
    ("a + p%", ALL, lambda rng: percent(rng, 1), ["{a} + {p}% = @"]), ("a - p%", ALL, lambda rng: percent(rng, -1), ["{a} - {p}% = @"]),
    ("a + p%, money", PLAIN, lambda rng: percent(rng, 1), ["${a} + {p}% = $@", "The price is now {a} + {p}% = @", "{a}+{p}%=@", "{a} plus {p}% is @"]),
    ("percents with a word", WORDS, lambda rng: changed_by(rng, -1), ["{p}% off ${a} is $@", "${a} with a {p}% discount is $@", "{a} decreased by {p}% is @"]),
    ("percents with a word", WORDS, lambda rng: changed_by(rng, 1), ["{a} increased by {p}% is @", "${a} + {p}% tax = $@"]),
    ("a (b)", PLAIN, aside_one, ["{a} ({b}) = @", "So we have {a} ({b}) = @"]),
    ("a(b)", ALL, lambda rng: certain(aside_one(rng)), ["{a}({b}) = @"]),
    ("a(b)", PLAIN, lambda rng: certain(aside(rng)), ["{a} ({b} + {c}) = @", "{a}({b} + {c}) = @"]),
    ("-a^2", "plain bold dollar paren display power", negative_power, ["-{a}^{n} = @", f"{MINUS}{{a}}^{{n}} = @"]), ("-a^2", ALL, negative_sum, ["-{a}^{n} + {c} = @"]),
    ("2 1/2", PLAIN, lambda rng: mixed(rng, lambda x, c: x), ["{n} {p}/{q} = @", "So {n} {p}/{q} = @ cups"]),
    ("2 1/2", PLAIN, lambda rng: mixed(rng, lambda x, c: x * c), ["{n} {p}/{q} * {c} = @", "{c} * {n} {p}/{q} = @"]),
    ("2 1/2", PLAIN, lambda rng: mixed(rng, lambda x, c: x + c), ["{n} {p}/{q} + {c} = @"]),
    ("2 1/2, LaTeX", ASIS, lambda rng: mixed(rng, lambda x, c: x * c), ["${n}\\frac{{{p}}}{{{q}}} \\times {c} = @$", "${n} \\frac{p}{q} \\cdot {c} = @$"]),
    ("a^b^c", "plain bold power", tower, ["{a}^{b}^{c} = @"]),
    ("a^(b^c)", ALL, bracketed_tower, ["{a}^({b}^{c}) = @"]),
    ("a^(b^c)", ASIS, bracketed_tower, ["${a}^{{{b}^{c}}} = @$", "\\[ {a}^{{{b}^{{{c}}}}} = @ \\]"]),
    ("running", PLAIN, running, ["{a} + {b} = {s} + {c} = @"]),
    ("running", PLAIN, running_product, ["{a} + {b} = {s} * {k} = @"]),
    ("running", ALL, linked, ["{a} + {b} = {x} + {y} = @"]),
    ("cents and $", PLAIN, lambda rng: sized(rng, lambda a, b, c: a * c, True), ["{a} cents * {c} = @", "{c} * {a} cents = @", "{c} pens * {a} cents = @", "{a} cents times {c} is @"]),
    ("cents and $", PLAIN, lambda rng: sized(rng, lambda a, b, c: a + b, True), ["{a} cents + {b} cents = @", "The total is {a} cents + {b} cents = @"]),
    ("units of one kind", PLAIN, lambda rng: sized(rng, lambda a, b, c: a * c), ["{a} {s} * {c} = @", "{c} * {a} {s} = @", "So {a} {s} * {c} = @ in all"]),
    ("units of one kind", PLAIN, lambda rng: sized(rng, lambda a, b, c: a + b), ["{a} {s} + {b} {s} = @"]),
    ("units of one kind", PLAIN, lambda rng: sized(rng, lambda a, b, c: a), ["{ab} {s} - {b} {s} = @", "{ac} {s} / {c} = @"]),
    ("units of one kind", PLAIN, sized_down, ["{a} {l} * {c} = @", "{c} * {a} {l} = @"]),
    ("units, LaTeX", "dollar paren display", lambda rng: sized(rng, lambda a, b, c: a * c), ["{a} {s} * {c} = @"]),
    ("units, LaTeX", "dollar paren display", lambda rng: sized(rng, lambda a, b, c: a + b, True), ["{a} cents + {b} cents = @"]),
    *[("left over", "plain signs", over(wording), ["{n} / {d} = @", "{n} divided by {d} is @"][at % 2:][:1] + [f"{{n}} {DIVIDED} {{d}} = @"]) for at, wording in enumerate(LEFT_OVER)],
    ("left over", WORDS, remainder_only,
     ["{n} mod {d} = @", "The remainder when {n} is divided by {d} is @", "{d} goes into {n} {q} times with @ left over", "{n} = {d} * {q} + @", "Dividing {n} by {d} gives {q}, remainder @",
                                          "When we divide {n} by {d}, we get {q} with @ left over", "{n} divided by {d} has a remainder of @", "The quotient is {q} and the remainder @, since {n} = {q} * {d} + @"]),
    ("1/a - 1/b", "plain signs tight dollar paren", inverses, ["1/{a} - 1/{b} = @"]),
    ("root as a whole", "plain code dollar paren power", lambda rng: irrational(rng, a_root), ["{n}^0.5 = @", "sqrt({n}) = @", "\N{SQUARE ROOT}{n} = @", "the square root of {n} is @"]),
    ("root as a whole", ALL, lambda rng: irrational(rng, half_root), ["sqrt({n})/{k} = @"]),
    ("root as a whole, LaTeX", ASIS, lambda rng: irrational(rng, half_root), ["$\\frac{{\\sqrt{{{n}}}}}{{{k}}} = @$", "\\[ \\dfrac{{\\sqrt {{{n}}}}}{{{k}}} = @ \\]"]),
    ("multiples of pi", ALL, lambda rng: irrational(rng, pi_times), ["pi * {k} = @", "{k} * pi = @"]),
    ("multiples of pi", ALL, circle, ["pi * {k}^2 = @", "A = \N{GREEK SMALL LETTER PI}r^2 = pi * {k}^2 = @"]),
    ("tenths as a whole", ALL, tenths, ["{a} + {b} + {c} = @"]), ("last digit", ALL, lambda rng: quotient(rng, False), ["{a} / {b} = @", "{a}/{b} = @"]),
    ("too few digits", ALL, lambda rng: quotient(rng, True), ["{a} / {b} = @", "{a}/{b} = @"]),
    ("far whole", ALL, far_whole, ["{a} / {b} = @"]),
    ("round number", ALL, round_number, ["{a} * {b} = @", "{a} + {c} = @"]),
    ("nearly within a sign of rounding", "plain signs", undecided_about, [f"{{a}} / {{b}} {ALMOST} @", "{a} / {b} is about @", "{a} / {b} is approximately @"]),
    ("floating point", "plain tight code", lambda rng: printed(rng, "+"), ["{a} + {b} = @"]),
    ("floating point", "plain tight code signs", lambda rng: printed(rng, "*"), ["{a} * {b} = @"]),
    ("floating point", ALL, printed_third, ["{a} / {b} = @"]),
    ("rounded inputs", ALL, lambda rng: rounded_inputs(rng, 3), ["{a} * {b} = @"]),
    ("inputs of two digits", ALL, lambda rng: rounded_inputs(rng, 2), ["{a} * {b} = @"]),
    ("rounded before", WORDS, rounded_before,
     ["{a} / {b} = {first}, and {first} * {k} = @", "{a}/{b} = {first}. Then {first} * {k} = @", f"{{a}} / {{b}} {ALMOST} {{first}}. So {{first}} * {{k}} = @"]),
    ("decimal comma", PLAIN, lambda rng: german(rng, price), ["{n} * {a} \N{EURO SIGN} = @", "Kosten: {n} * {a} \N{EURO SIGN} = @", "El precio es {n} * {a} \N{EURO SIGN} = @", "{n} * {a} = @"]),
    ("decimal comma", PLAIN, lambda rng: german(rng, price_thousands), ["{n} * {a} \N{EURO SIGN} = @", "Das macht {n} * {a} \N{EURO SIGN} = @"]),
    ("decimal comma", PLAIN, lambda rng: german(rng, prices), ["{a} \N{EURO SIGN} + {b} \N{EURO SIGN} = @", "Le total est {a} + {b} = @"]),
    ("decimal comma", PLAIN, lambda rng: german(rng, area), ["{a} m * {b} m = @", "Fl\u00e4che: {a} m * {b} m = @"]),
    ("thousands", ALL, lambda rng: thousands(rng, ","), ["{a} + {b} = @", "The two cities have {a} + {b} = @ people"]),
    ("thousands, LaTeX", ASIS, lambda rng: thousands(rng, "{,}"), ["${a} + {b} = @$"]),
    ("thousands, LaTeX", ASIS, lambda rng: thousands(rng, "\\,"), ["${a} + {b} = @$", "\\({a} + {b} = @\\)"]), ("other convention", WORDS, other_convention, ["{a} + {b} = @"]),
    ("letter behind", "plain signs tight", lettered,
     [f"{{left}} = @ {letter}" for letter in ("J", "W", "N", "K", "C", "V", "A", "kJ", "Pa", "Hz")] + ["{left} = @J", "The heat is {left} = @ J", "{left} = @ frobs"]),
    ("scale word", PLAIN, millions, ["{a} million + {b} million + {c} million = @ million", "{a} + {b} + {c} = @ thousand thousand"][:1]),
    *[("formula in front", ASIS if "\\" in template else "plain signs", formula(value), [template]) for template, value in FORMULAS],
    *[("Chinese", "plain signs" if at % 3 else "tight", whole, [CHINESE[at % 4] % measure]) for at, measure in enumerate(MEASURES)],
    ("leading minus", ASIS, minus_first,
     ["Profit: -{a} + {b} = @", "- -{a} + {b} = @", "\u2022 -{a} + {b} = @", "(-{a} + {b}) = @", "$-{a} + {b} = @$", "1. -{a} + {b} = @", "[-{a} + {b}] = @", f"Change: {MINUS}{{a}} + {{b}} = @"]),
    ("leading minus", ASIS, minus_product,
     ["* -{a} \N{MULTIPLICATION SIGN} {b} = @", "$-{a} \\times {b} = @$", "\\[ -{a} \\cdot {b} = @ \\]", "Third term: -({a})({b}) = @", "Second term: - ({a} * {b}) = @"]),
    ("leading minus", ASIS, minus_quotient, ["Third term: -({a})/{b} = @"]),
    ("bullet", ASIS, whole,
     ["- {left} = @", "* {left} = @", "\u2022 {left} = @", "1) {left} = @", "(a) {left} = @", "+ {left} = @", "> {left} = @", "### Step 2: {left} = @", "- **Total**: {left} = @", "2. **{left} = @**"]),
    ("table", ASIS, whole,
     ["| {left} = @ |", "| pens | {left} = @ |", "| Item | Cost |\n|---|---|\n| pens | {left} = @ |", "Item\tCost\npens\t{left} = @", "| Total | **{left} = @** |", "\\begin{{tabular}}{{l}} ${left} = @$ \\\\ \\end{{tabular}}"]),
    ("environment", ASIS, whole,
     ["\\begin{{aligned}} x &= {left} \\\\ &= @ \\end{{aligned}}", "\\begin{{align*}}\n{left} &= @\n\\end{{align*}}", "\\boxed{{{left} = @}}", "\\text{{Total}} = {left} = @", "$\\text{{Total}} = {left} = @ \\text{{ pens}}$", "$${left} = \\boxed{{@}}$$"]),
    ("counted things", PLAIN, lambda rng: whole(rng, "+"),
     ["{left} = @ pens", "{left} = @ (pens)", "{left} = @ pens in all", "Total: {left} = @ dollars", "{left} = $@", "Ann has {left} = @ pens, and Bob has some too"]),
]
NOTHING = ["Next, the total.", "We know that there are {a} boxes of {b} pens.", "Let x = {a}.", "{a} + {b}", "{a} = {a}", "Now we add {a} and {b}.", "Thus the answer: @", "= @", "The total is @.", "Total =", "He has {a} + {b} pens.", "x + {a} = @"]
UNFRAMED = {"Chinese", "decimal comma", "bullet", "leading minus", "table", "environment"}
FRAMES = ["{}", "{}.", "So {}.", "Thus, {}.", "Therefore {}.", "Next, {}.", "Step 2: {}", "Hence {}.", "We have {}.", "First, {}, and then we go on.", "Calculating: {}", "Now {}.", "This means that {}."]


def latex(text):
    """The notation of LaTeX: signs, fractions, roots; words as text."""
    text = re.sub(r"sqrt\(([^()]*)\)", r"\\sqrt{\1}", text.replace("%", "\\%").replace("$", "\\$"))
    text = re.sub(r"(?<![\\A-Za-z])(?!pi\b)[A-Za-z]{2,}(?: [A-Za-z]{2,})*(?: (?=\d))?|(?<=\d) [A-Za-z]\b", r"\\text{\g<0>}", text)
    text = re.sub(r"(?<![\d.])(\d[\d.]*)/(\d[\d.]*)", r"\\frac{\1}{\2}", text)
    text = re.sub(r"\^\((\d+\^\d+)\)", r"^{\1}", text)
    text = re.sub(r"\^([\d.]+)(?!\})", r"^{\1}", text)
    for sign, name in ((" * ", " \\times "), (" / ", " \\div "), ("pi", "\\pi"), (ALMOST, "\\approx")):
        text = text.replace(sign, name)
    return re.sub(r"(?<=\d),(?=\d{3})", "{,}", text)


DIALECTS = {
    "plain": lambda s: s, "tight": lambda s: re.sub(r"(?<=[\w)%]) ([-+*=]) (?=[-\w($])", r"\1", s), "times": lambda s: s.replace(" * ", " x "),
    "signs": lambda s: s.replace(" * ", f" {TIMES} ").replace(" / ", f" {DIVIDED} ").replace(" - ", f" {MINUS} ").replace("pi ", "\N{GREEK SMALL LETTER PI} "),
    "bold": lambda s: f"**{s.replace(' * ', f' {TIMES} ')}**", "code": lambda s: f"`{s}`", "power": lambda s: s.replace("^", "**"),
    "dollar": lambda s: f"${latex(s)}$", "paren": lambda s: "\\(" + latex(s).replace("\\times", "\\cdot") + "\\)", "display": lambda s: f"\\[ {latex(s)} \\]", "double": lambda s: f"$${latex(s)}$$", ASIS: lambda s: s}


# ---- drawing ----

class Text:
    """One text of a kind; its question and steps, and the id of its template."""

    def __init__(self, part, kind, template, steps, question=QUESTION):
        self.part, self.kind, self.steps, self.question = part, kind, steps, question
        self.id = f"{kind}: {template}"
        self.aside = int(hashlib.sha256(self.id.encode()).hexdigest(), 16) % 3 == 2
        self.verdict = None


def body(values, template, results, rng):
    """An equality with one of the results; None where no numbers that are drawn have one."""
    for _ in range(20):
        numbers = values(rng)
        choice = [x for key in results for x in numbers.get(key, [])]
        if choice:
            return filled(template, numbers, rng.choice(choice))
    return None


def filled(template, numbers, result):
    return re.sub("@", lambda _: result, template.format(**{k: v for k, v in numbers.items() if k not in RESULTS}))


def framed(kind, text, rng):
    plain = kind not in UNFRAMED and re.match(r"[\d(]", text) and "\n" not in text and not text.endswith(".")
    return rng.choice(FRAMES).format(text) if plain else text


def equalities(part, results, rng):
    """The rows of the table, kind after kind: of each a few templates, each in one dialect."""
    rows = defaultdict(list)
    for name, dialects, values, templates in KINDS:
        rows[name] += [(values, template, DIALECTS if dialects == ASIS else dialects.split()) for template in templates]
    while True:
        for name, of_kind in rows.items():
            for values, template, dialects in rng.sample(of_kind * 4, 4 if len(of_kind) < 20 else 12):
                dialect = ASIS if dialects is DIALECTS else rng.choice(dialects)
                text = body(values, template, results, rng)
                if text:
                    yield Text(part, name, f"{template} ({dialect})", [framed(name, DIALECTS[dialect](text), rng)])
        if part != "either":
            for template in rng.sample(prose.PLAIN, 12):
                yield told(part, "words that excuse nothing", template, prose.claims(rng, part == "false"))
        if part == "false":
            for template in rng.sample(NOTHING, 4):
                yield Text(part, "says nothing", template, [body(nothing, template, "w", rng)])


def told(part, kind, template, numbers):
    question, bar, text = template.format(**numbers).rpartition(" || ")
    return Text(part, kind, template, [text], question[2:] if bar else QUESTION)


def telling(part, templates, numbers, rng):
    while True:
        for template in templates:
            yield told(part, part, template, numbers(rng))


def certificates(part, rng):
    """Right chains whose last step asserts no answer, and false equalities whose results the last step asserts."""
    rows = [(name, values, template) for name, dialects, values, templates in KINDS for template in templates if dialects != ASIS]
    while True:
        for template in prose.NO_ANSWER if part == "certificates" else prose.ANSWER:
            numbers = prose.bought(rng)
            lines = [line.format(**numbers) for line in prose.WORK]
            steps = rng.choice([lines, [lines[0], f"{lines[1]}. Then {lines[2]}."], [". ".join(lines) + "."]])
            yield Text(part, "last step" if part == "certificates" else part, template, [*steps, template.format(**numbers)], prose.QUESTION.format(**numbers))
        for name, values, template in rng.sample(rows, len(prose.NO_ANSWER)) if part == "certificates" else []:
            numbers = values(rng)
            choice = numbers.get("u", []) + numbers.get("w", [])
            if choice and template.endswith("@"):
                result = rng.choice(choice)
                left = filled(template, numbers, "").rstrip(" =")
                yield Text(part, "false equality", template, [filled(template, numbers, result), f"The answer is {result}."], f"What is {left}?")


def drawn(part, number, rng):
    source = {"false": lambda: equalities(part, "wu", rng), "right": lambda: equalities(part, "r", rng), "either": lambda: equalities(part, "uez", rng), "odd": lambda: telling(part, prose.ODD, prose.odd, rng),
              "plain": lambda: telling(part, prose.PLAIN, lambda r: prose.claims(r, True), rng)}.get(part, lambda: certificates(part, rng))()
    texts, tries = {}, 0
    for text in source:
        tries += 1
        texts.setdefault(tuple(text.steps), text)
        if len(texts) >= number or tries > 8 * number:
            return list(texts.values())
    return []


# ---- what the program says ----

def whole_verdict(text, verdict):
    """Of a running chain the step may be supported by its second link; of the whole it is not while a link is undecided."""
    undecided = any(c["outcome"] == "undecided" for c in verdict.get("evidence", {}).get("calculations", []))
    return "unknown" if text.kind == "running" and verdict["verdict"] == "support" and undecided else verdict["verdict"]


def ask(texts):
    found = records(["check", "--quiet", "--json", "--certify"], [{"question": text.question, "steps": text.steps} for text in texts])
    for text, record in zip(texts, found):
        if text.part in ("certificates", "confirmed"):
            text.verdict = "certified" if record["certificate"]["certified"] else "not certified"
        else:
            text.verdict = whole_verdict(text, record["verdicts"][0])


BAD = {"false": ("support",), "right": ("contradict",), "either": ("support", "contradict"), "odd": ("contradict",), "plain": ("support", "unknown", "unrelated"), "certificates": ("certified",), "confirmed": ("not certified",)}
FORBIDDEN = {"false": "support", "either": "support", "certificates": "certified"}


def report(texts, show):
    groups = defaultdict(list)
    for text in texts:
        groups[text.part, text.kind].append(text)
    for part in SHARES:
        rows = [(kind, group) for (name, kind), group in groups.items() if name == part]
        for kind, group in [*rows, *([("all", [t for _, group in rows for t in group])] if rows else [])]:
            counts = Counter(text.verdict for text in group)
            names = ("certified", "not certified") if part in ("certificates", "confirmed") else ("support", "contradict", "unknown", "unrelated")
            bad = sum(counts[verdict] for verdict in BAD[part])
            print(f"{part:12} {kind:32} {len(group):5} " + " ".join(f"{name} {counts[name]:4}" for name in names) + f"  failures {bad:4} ({bad / len(group):.1%})")
    for text in texts if show else []:
        if text.verdict in BAD[text.part]:
            print(f"{text.part}: {text.kind}: {text.verdict}: {' || '.join(text.steps)!r}" + (f" [{text.question}]" if text.question != QUESTION else ""))


def main():
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--number", type=int, default=4000)
    parser.add_argument("--kinds", default="", help="parts or kinds, separated by commas")
    for name in ("list", "unseen", "expect"):
        parser.add_argument(f"--{name}", action="store_true")
    given = parser.parse_args()
    texts = [text for part, share in SHARES.items() for text in drawn(part, round(given.number * share), random.Random(f"{part} {given.seed}"))]
    wanted = set(filter(None, given.kinds.split(",")))
    texts = [text for text in texts if not wanted or wanted & {text.part, text.kind}]
    ask(texts)
    shown_ones = [text for text in texts if text.aside == given.unseen]
    report(shown_ones, given.list and not given.unseen)
    bad = [text for text in texts if FORBIDDEN.get(text.part) == text.verdict]
    print(f"{len(shown_ones)} texts of {len({t.id for t in shown_ones})} templates; of all {len(texts)}, {len(bad)} are support or certified that must not be")
    return 1 if given.expect and bad else 0


if __name__ == "__main__":
    sys.exit(main())
