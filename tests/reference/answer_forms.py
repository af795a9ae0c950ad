#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pairs of answers in every form that docs/answers.md names, and whole replies, through `rederive grade`.

    answer_forms.py [--seed N] [--only WORD] [--show]

A form draws values and writes them; so it knows whether answer and gold are the same, and what a reply says. `correct` must
be as expected, and `reason`, `why` and `answer_read` where a form states them. Where the documentation does not name a direction, both
are tried. Program: RDV_PROGRAM, or build/rederive. Exits with 1 if a pair differs."""
import argparse
import datetime
import itertools
import json
import random
import sys
from fractions import Fraction

from records import records

WORDS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
         "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


class Pair:
    def __init__(self, form, record, correct, options=(), **members):
        self.form, self.record, self.options = form, record, tuple(options)
        self.expected = {"correct": correct, **members}


def both(form, a, b, correct, options=(), **record):
    """The pair in both directions. Gold in words does not say its kind."""
    if form in ("numbers", "collections"):
        record = {"kind": "latex", **record}
    yield Pair(form, {"answer": a, "gold": b, **record}, correct, options)
    yield Pair(form, {"answer": b, "gold": a, **record}, correct, options)


def spelled(n):
    if n < 20:
        return WORDS[n]
    if n < 100:
        return TENS[n // 10] + ("-" + WORDS[n % 10] if n % 10 else "")
    return WORDS[n // 100] + " hundred" + (" and " + spelled(n % 100) if n % 100 else "")


def decimal(x, places):
    digits = str(round(abs(x) * 10 ** places)).rjust(places + 1, "0")
    return ("-" if x < 0 else "") + (digits[:-places] + "." + digits[-places:] if places else digits)


def ways_of_whole(rng, n):
    """Ways of writing a whole number from 0 to 999, or a thousand times one."""
    out = [str(n), f"{n}.0", f"${n}$", rf"\boxed{{{n}}}", f"x = {n}", f"{n * 3}/3", rf"\frac{{{n * 2}}}{{2}}", f"{n} ", f"**{n}**",
           f"{n}.", rf"\text{{{n}}}", rf"\sqrt{{{n * n}}}", f"{n}^1", f"{n}e0", rf"{n} \text{{ apples}}", f"({n})"]
    if n < 1000:
        out += [spelled(n), f"{n} apples"]
    if n >= 1000:
        out += [f"{n:,}", f"{n // 1000} thousand", f"{n / 1000:g}e3", rf"{n // 1000}{{,}}{n % 1000:03d}", rf"{n // 1000} \times 10^3"]
    return rng.sample(out, 7) + [str(n)]


def ways_of_fraction(rng, x):
    p, q = x.numerator, x.denominator
    k = rng.randint(2, 5)
    out = [f"{p}/{q}", rf"\frac{{{p}}}{{{q}}}", rf"\dfrac{{{p * k}}}{{{q * k}}}", f"{p * k}/{q * k}", f"${p}/{q}$", rf"\frac {{{p}}} {{{q}}}",
           f"{p} / {q}", f"({p})/({q})"]
    if x > 1 and q > 1:
        out += [f"{p // q} {p % q}/{q}", rf"{p // q}\frac{{{p % q}}}{{{q}}}", f"{p // q} + {p % q}/{q}"]
    places = next((n for n in range(8) if (x * 10 ** n).denominator == 1), None)
    if places is not None:
        out += [decimal(x, places), decimal(x, places) + "0", f"{float(x * 100):g}%", rf"{float(x * 100):g}\%"]
    return rng.sample(out, min(8, len(out)))


def numbers(rng):
    for _ in range(6):
        n = rng.choice([rng.randint(2, 999), rng.randint(2, 99), rng.randint(2, 99) * 1000])
        ways = ways_of_whole(rng, n)
        others = ways_of_whole(rng, n + rng.choice([1, -1, 10]) * (1000 if n >= 1000 else 1))
        for a, b in rng.sample(list(itertools.combinations(ways, 2)), 12):
            yield from both("numbers", a, b, True)
        for a, b in rng.sample(list(itertools.product(ways, others)), 8):
            yield from both("numbers", a, b, False)
        for a, b in ((f"-{n}", f"−{n}"), (f"-{n}", f"negative {n}"), (f"-{n}", f"minus {n}"), (f"-{n}", f"$-{n}$"), (f"-{n}", f"-{n}.00")):
            yield from both("numbers", a, b, True)
            yield from both("numbers", a[1:], b, False)
    for _ in range(8):
        x = Fraction(rng.randint(1, 60), rng.choice([2, 3, 4, 5, 7, 8, 9, 12, 20, 25]))
        if x.denominator == 1:
            continue
        ways = ways_of_fraction(rng, x)
        others = [w for w in ways_of_fraction(rng, x + Fraction(1, x.denominator)) if "%" not in w]
        for a, b in rng.sample(list(itertools.combinations(ways, 2)), 10):
            if "%" in a and "%" in b:
                continue
            yield from both("numbers", a, b, True)
        for a, b in itertools.product(ways[:3], others[:3]):
            yield from both("numbers", a, b, False)
    for n in (2, 5, 15):
        yield from both("numbers", f"{n} million", f"{n}000000", True)
        yield from both("numbers", f"${n}.5M", f"{n}500000", True)
        yield from both("numbers", f"{n} and a half", f"{n}.5", True)
        yield from both("numbers", f"{n} billion", f"{n}000000", False)
    yield from both("numbers", "0.333...", r"0.\overline{3}", True)
    yield from both("numbers", "0.333...", "1/3", True)
    yield from both("numbers", r"0.\overline{142857}", "1/7", True)
    yield from both("numbers", r"0.1\overline{6}", "1/6", True)
    yield from both("numbers", r"0.1\overline{6}", "1/7", False)


def surds(rng):
    """Roots, powers, logarithms, trigonometric values and factorials, by the laws that they obey."""
    for _ in range(10):
        a, b, c = rng.randint(2, 9), rng.choice([2, 3, 5, 6, 7]), rng.randint(2, 9)
        same = [(rf"\sqrt{{{a * a * b}}}", rf"{a}\sqrt{{{b}}}"), (rf"\frac{{{a}}}{{\sqrt{{{b}}}}}", rf"\frac{{{a}\sqrt{{{b}}}}}{{{b}}}"),
                (rf"\frac{{1}}{{{c}+\sqrt{{{b}}}}}", rf"\frac{{{c}-\sqrt{{{b}}}}}{{{c * c - b}}}") if c * c != b else ("1", "1"),
                (rf"(1+\sqrt{{{b}}})^2", rf"{1 + b}+2\sqrt{{{b}}}"), (rf"\sqrt[3]{{{a ** 3 * b}}}", rf"{a}\sqrt[3]{{{b}}}"),
                (rf"{b}^{{1/2}}", rf"\sqrt{{{b}}}"), (rf"{b}^{{1/3}}", rf"\sqrt[3]{{{b}}}"), (rf"{a}^{{-2}}", f"1/{a * a}"), (rf"\log_{{{a}}} {a ** 3}", "3"),
                (rf"\ln {a} + \ln {c}", rf"\ln {a * c}"), (rf"{c}\ln {a}", rf"\ln({a}^{{{c}}})"), (rf"e^{{\ln {a}}}", f"{a}"),
                (rf"{a}\pi + {c}\pi", rf"{a + c}\pi"), (rf"\frac{{{a * c}\pi}}{{{c}}}", rf"{a}\pi"), (f"{c}!", str(product(c))),
                (rf"\binom{{{a + 2}}}{{2}}", str((a + 2) * (a + 1) // 2)), (rf"{a}\sin 30^\circ", f"{a}/2"), (rf"{a}\cos\frac{{\pi}}{{3}}", f"{a}/2"),
                (rf"{a}\tan 60^\circ", rf"{a}\sqrt{{3}}"), (rf"({a}+{c}i)({a}-{c}i)", str(a * a + c * c)), (rf"{a}+{c}i", rf"{c}i+{a}"),
                (rf"i^2 \cdot {a}", f"-{a}"), (rf"|{a}-{a + c}|", str(c))]
        for x, y in same:
            yield from both("surds", x, y, True)
            if x != y:
                yield from both("surds", x, rf"{y} + {rng.choice(['1', '1/7'])}", False)


def product(n):
    return 1 if n < 2 else n * product(n - 1)


def formulas(rng):
    """Polynomials and rational functions, in other arrangements, and with one number changed."""
    for _ in range(10):
        a, b, c = rng.sample(range(2, 12), 3)
        x, y = rng.sample("xyzt", 2)
        square = f"{x}^2+{a + b}{x}+{a * b}"
        same = [(f"({x}+{a})({x}+{b})", square), (f"{a * b}+{x}^2+{a + b}{x}", square), (f"({x}+{b})({x}+{a})", square),
                (f"{x}({x}+{a + b})+{a * b}", square), (rf"\frac{{{x}^2-{a * a}}}{{{x}-{a}}}", f"{x}+{a}"), (f"{a}{x}{y}", f"{a}{y}{x}"),
                (rf"{a} \cdot {x} \cdot {y}", f"{a}{x}{y}"), (f"({x}+{y})^2", f"{x}^2+2{x}{y}+{y}^2"), (rf"\frac{{{a}}}{{{x}}}+\frac{{{b}}}{{{x}}}", rf"\frac{{{a + b}}}{{{x}}}"),
                (rf"\frac{{1}}{{{x}}}-\frac{{1}}{{{x}+1}}", rf"\frac{{1}}{{{x}({x}+1)}}"), (f"{x}^{{{a}}}{x}^{{{b}}}", f"{x}^{{{a + b}}}"),
                (rf"\sin^2 {x} + \cos^2 {x}", "1"), (f"({x}^2+{a})^{{1/3}}", rf"\sqrt[3]{{{x}^2+{a}}}"),
                (f"({x}^2+{a})^{{3/2}}", rf"({x}^2+{a})\sqrt{{{x}^2+{a}}}"), (f"(e^{x}+{a})^{{1/2}}", rf"\sqrt{{e^{x}+{a}}}"), (rf"2\sin {x} \cos {x}", rf"\sin(2{x})"), (rf"e^{{{a}{x}}}e^{{{b}{x}}}", f"e^{{{a + b}{x}}}"),
                (f"y = {a}x + {b}", f"y = {b} + {a}x"), (f"y = {a}x + {b}", f"{a}x + {b}"), (f"f(x) = {a}x - {b}", f"{a}x - {b}")]
        for p, q in same:
            yield from both("formulas", p, q, True)
        for p, q in ((square, f"{x}^2+{a + b}{x}+{a * b + c}"), (square, f"{x}^2-{a + b}{x}+{a * b}"), (square, f"{x}^2+{a + b + 1}{x}+{a * b}"),
                     (f"{a}{x}", f"{b}{x}"), (f"{a}{x}", f"{a}{x}^2"), (f"{x}^{a}", f"{x}^{b}"), (f"{a}{x}", f"{a}"), (f"({x}+{y})^2", f"{x}^2+{y}^2"),
                     (rf"\frac{{{a}}}{{{x}}}", rf"\frac{{{x}}}{{{a}}}"), (rf"\sin {x}", rf"\cos {x}"), (f"({x}^2+{a})^{{1/3}}", f"({x}^2+{a})^{{1/2}}"), (f"(e^{x}+{a})^{{1/3}}", f"(e^{x}+{a})^{{1/2}}"), (f"y = {a}x + {b}", f"y = {a}x - {b}")):
            yield from both("formulas", p, q, False)


def collections_(rng):
    """Tuples, sets, lists, matrices, intervals, unions and inequalities."""
    for _ in range(10):
        a, b, c = rng.sample(range(-9, 20), 3)
        low, high = sorted((a, b))
        order = rng.sample([a, b, c], 3)
        same = [(f"({a}, {b})", f"({a},{b})"), (rf"\left({a}, {b}\right)", f"({a}, {b})"), (f"({a}, {b}, {c})", rf"({a},\, {b},\, {c})"),
                (f"({a}, {2 * b}/2)", f"({a}, {b})"), (rf"\{{{a}, {b}, {c}\}}", rf"\{{{order[0]}, {order[1]}, {order[2]}\}}"),
                (f"{a}, {b}", f"{b}, {a}"), (f"{a} and {b}", f"{a}, {b}"), (f"{a}, {b}, and {c}", f"{c}, {b}, {a}"),
                (f"x = {a}, x = {b}", f"{a}, {b}"), (f"x = {a} or x = {b}", f"{b}, {a}"), (rf"[{low}, {high})", rf"[{low},{high})"),
                (rf"({low}, {high}) \cup ({high + 1}, \infty)", rf"({high + 1}, \infty) \cup ({low}, {high})"),
                (f"x > {a}", f"{a} < x"), (rf"x \ge {a}", rf"{a} \le x"), (f"x + 1 > {a + 1}", f"x > {a}"), (f"2x < {2 * a}", f"x < {a}"),
                (rf"\begin{{pmatrix}}{a}&{b}\\{c}&0\end{{pmatrix}}", rf"\begin{{bmatrix}}{a}&{b}\\{c}&0\end{{bmatrix}}"),
                (rf"\begin{{pmatrix}}{a}\\{b}\end{{pmatrix}}", rf"\begin{{bmatrix}} {a} \\ {b} \end{{bmatrix}}"),
                (f"x = {a}, y = {b}", f"y = {b}, x = {a}"), (f"x = {a}, y = {b}", f"x={a} and y={b}"), (rf"\pm {abs(a) + 1}", f"{abs(a) + 1}, -{abs(a) + 1}")]
        for p, q in same:
            yield from both("collections", p, q, True)
        for p, q in ((f"({a}, {b})", f"({b}, {a})"), (f"({a}, {b})", f"({a}, {b}, {c})"), (f"({a}, {b}, {c})", f"({a}, {b}, {c + 1})"),
                     (rf"\{{{a}, {b}\}}", rf"\{{{a}, {c}\}}"), (rf"\{{{a}, {b}\}}", rf"\{{{a}, {b}, {c}\}}"), (f"{a}, {b}", f"{a}, {c}"),
                     (f"{a}, {b}", f"{a}"), (rf"[{low}, {high}]", rf"[{low}, {high})"), (rf"({low}, {high}]", rf"({low}, {high + 1}]"),
                     (rf"({low}, {high}]", rf"({low - 1}, {high}]"), (f"x > {a}", f"x < {a}"), (f"x > {a}", rf"x \ge {a}"), (f"x > {a}", f"x > {b}"),
                     (rf"\begin{{pmatrix}}{a}&{b}\\{c}&0\end{{pmatrix}}", rf"\begin{{pmatrix}}{a}&{c}\\{b}&0\end{{pmatrix}}"),
                     (f"x = {a}, y = {b}", f"x = {b}, y = {a}")):
            yield from both("collections", p, q, False)
        for text, interval in ((f"x > {a}", rf"({a}, \infty)"), (rf"x \le {a}", rf"(-\infty, {a}]"), (rf"{low} \le x < {high}", f"[{low}, {high})"),
                               (f"x < {low} or x > {high}", rf"(-\infty, {low}) \cup ({high}, \infty)")):
            yield Pair("collections", {"answer": interval, "gold": text}, True)
            yield Pair("collections", {"answer": interval, "gold": text.replace(str(low if str(low) in text else a), str(low - 50))}, False)
        yield Pair("collections", {"answer": f"{a}, {b}", "gold": f"({a}, {b})"}, True)
        yield Pair("collections", {"answer": f"{a}, {a}, {b}", "gold": f"{a}, {b}"}, None)
        yield Pair("collections", {"answer": f"y = {a}", "gold": f"x = {a}"}, None)
        yield Pair("collections", {"answer": f"({a}, {b})", "gold": f"p = {a}, q = {b}"}, True)


# (symbol, size, dimension), by definition
UNITS = [("mm", Fraction(1, 1000), "m"), ("cm", Fraction(1, 100), "m"), ("m", Fraction(1), "m"), ("km", Fraction(1000), "m"),
         ("inches", Fraction(254, 10000), "m"), ("feet", Fraction(3048, 10000), "m"), ("yards", Fraction(9144, 10000), "m"),
         ("miles", Fraction(1609344, 1000), "m"), ("seconds", Fraction(1), "s"), ("minutes", Fraction(60), "s"), ("hours", Fraction(3600), "s"),
         ("mg", Fraction(1, 1000), "g"), ("g", Fraction(1), "g"), ("kg", Fraction(1000), "g"), ("mL", Fraction(1, 1000), "L"),
         ("liters", Fraction(1), "L"), ("J", Fraction(1), "J"), ("kJ", Fraction(1000), "J"), ("N", Fraction(1), "N"), ("W", Fraction(1), "W"),
         ("kW", Fraction(1000), "W"), ("Pa", Fraction(1), "Pa"), ("kPa", Fraction(1000), "Pa"), ("V", Fraction(1), "V"), ("Hz", Fraction(1), "Hz")]


def units(rng):
    for a, b in itertools.combinations(UNITS, 2):
        n = rng.randint(2, 40)
        first = rf"{n}\text{{ {a[0]}}}"
        if a[2] != b[2]:
            if rng.random() < 0.3:
                yield from both("units", first, rf"{n}\text{{ {b[0]}}}", False)
            continue
        other = n * a[1] / b[1]
        number = str(other) if other.denominator == 1 else rf"\frac{{{other.numerator}}}{{{other.denominator}}}"
        yield from both("units", first, rf"{number}\text{{ {b[0]}}}", True)
        yield from both("units", first, rf"{n}\text{{ {b[0]}}}", False)
    for name, _, _ in UNITS:
        n = rng.randint(2, 40)
        yield from both("units", rf"{n}\text{{ {name}}}", str(n), True)
        yield from both("units", rf"{n}\text{{ {name}}}", str(n + 1), False)
        yield from both("units", rf"{n}\,\mathrm{{{name}}}", rf"{n}\text{{ {name}}}", True)
        yield from both("units", f"{n} {name}", f"{n + 1} {name}", False)
    for a, b, same in (("36 km/h", "10 m/s", True), ("36 km/h", "11 m/s", False), (r"49\text{ N}", r"49\text{ kg m/s}^2", True), ("5 J", "5 N", False),
                       (r"49\text{ J}", r"49\text{ N}\cdot\text{m}", True), (r"10\text{ L}", r"10000\text{ cm}^3", True), ("€5", "$5", False),
                       (r"3\text{ m}^2", r"30000\text{ cm}^2", True), (r"3\text{ m}^2", r"300\text{ cm}^2", False),
                       ("1.5 hours", "90 minutes", True), ("1.5 hours", "91 minutes", False)):
        yield from both("units", a, b, same)


def kinds(rng):
    """Options, yes and no, phrases, dates, times and money."""
    texts = ["red", "blue", "green wine", "42"]
    for i, letter in enumerate("ABCD"):
        for answer in (letter, f"({letter})", letter.lower(), f"{letter}.", f"{letter}) {texts[i]}", texts[i], f"Option {letter}", rf"\text{{{letter}}}", f"**{letter}**"):
            for gold in (letter, i, texts[i]):
                yield Pair("kinds", {"answer": answer, "gold": gold, "options": texts}, True, answer_as=letter, gold_as=letter)
            wrong = "ABCD"[(i + 1) % 4]
            yield Pair("kinds", {"answer": answer, "gold": wrong, "options": texts}, False)
        for answer in (f"not {letter}", f"{letter} and {'ABCD'[i - 1]}", f"{letter} or {'ABCD'[i - 1]}"):
            yield Pair("kinds", {"answer": answer, "gold": letter, "options": texts}, False)
    yes = ["yes", "Yes", "YES", "true", "True", "yep", "correct", "yes.", "是"]
    no = ["no", "No", "false", "False", "nope", "wrong", "no.", "否"]
    for a, b in itertools.product(yes, yes + no):
        yield from both("kinds", a, b, b in yes, kind="yesno")
    for a, b in itertools.product(no, no):
        yield from both("kinds", a, b, True, kind="yesno")
    for a, b, same in (("The Beatles", "beatles", True), ("beatles!", "Beatles", True), ("rock-et", "planet", False), ("-5", "5", False), ("an apple", "apple", True)):
        yield from both("kinds", a, b, same, kind="phrase")
    for _ in range(6):
        day = datetime.date(rng.randint(1900, 2100), rng.randint(1, 12), rng.randint(13, 28))
        ways = [day.isoformat(), day.strftime("%m/%d/%Y"), day.strftime("%B %d, %Y"), day.strftime("%d %B %Y"), day.strftime("%b %d, %Y"),
                day.strftime("%Y/%m/%d"), f"{day:%B} {day.day}, {day.year}", day.strftime("%d.%m.%Y"), day.strftime("%A, %B %d, %Y")]
        near = day + datetime.timedelta(days=rng.choice([1, -1, 31, 366]))
        for a, b in itertools.combinations(ways, 2):
            yield from both("kinds", a, b, True, kind="date")
        for a in ways:
            yield from both("kinds", a, near.isoformat(), False, kind="date")
        minutes = rng.randint(13 * 60, 23 * 60 + 59)
        hour, minute = divmod(minutes, 60)
        clock = [f"{hour}:{minute:02}", f"{hour - 12}:{minute:02} pm", f"{hour - 12}:{minute:02} p.m.", f"{hour - 12}:{minute:02}PM", f"{hour}:{minute:02}:00"]
        for a, b in itertools.combinations(clock, 2):
            yield from both("kinds", a, b, True, kind="time")
        for a in clock:
            yield from both("kinds", a, f"{hour}:{(minute + 1) % 60:02}", False, kind="time")
            yield from both("kinds", a, f"{hour - 12}:{minute:02} am", False, kind="time")
        cents = rng.randint(101, 99999)
        dollars, rest = divmod(cents, 100)
        money = [f"${dollars}.{rest:02}", f"{dollars}.{rest:02} dollars", f"{cents} cents", f"USD {dollars}.{rest:02}", f"${dollars:,}.{rest:02}"]
        for a, b in itertools.combinations(money, 2):
            yield from both("kinds", a, b, True, kind="money")
        for a in money:
            yield from both("kinds", a, f"${dollars}.{(rest + 1) % 100:02}", False, kind="money")
            yield from both("kinds", a, f"€{dollars}.{rest:02}", False, kind="money")
    for nation, code in (("US", "USD"), ("U.S.", "USD"), ("Canadian", "CAD"), ("Australian", "AUD"), ("Singapore", "SGD"), ("Hong Kong", "HKD"), ("New Zealand", "NZD")):
        for amount in (3, 40):
            yield from both("kinds", f"{amount} {nation} dollars", f"{code} {amount}", True, kind="money")
            yield from both("kinds", f"{amount} {nation} dollars", f"{code} {amount + 1}", False, kind="money")
            yield from both("kinds", f"{amount} {nation} dollars", f"{'EUR' if code != 'EUR' else 'USD'} {amount}", False, kind="money")


# What a reply says: {} is its number, and what is read.
SAYS = ["The answer is {}.", "So the answer is {}", "the final answer is: {}", "Therefore, the answer is **{}**.", "Answer: {}", "**Answer:** {}",
        "Final Answer: {}", r"\boxed{{{}}}", r"So we get $\boxed{{{}}}$.", "#### {}", "The answer is ${}$.", "The correct answer is {}.",
        "First 3 + 4 = 7.\nThen the answer is {}.", "The answer is {}, not 99.", "The answer is {} because 2 + 3 = 5.",
        "The answer is 99. Wait, no, the answer is {}.", r"\boxed{{99}}. No, I made a slip: \boxed{{{}}}", "I think the answer is {}.",
        "Probably the answer is {}.", "答案是 {}。", "The answer is {} of the 99 apples.", "The answer is {} in 2021."]
# Without an announcement: the last number.
BARE = ["{}", " {} ", "\n{}\n", "99\n{}", "{} pens", "8 - 8 + {0} = {0}", "2 + 97 = {}\nDone", "So the total is {} pens.", "We had 99 pens. Now we have {} books.",
        "There remain {}.", "= {}", "We have 99 pens. Wait, no, {} pens."]
POWERS = ["{}e3", "{} x 10^3", "{}*10^3", "{} × 10^3", r"{} \times 10^3", r"{} \cdot 10^{{3}}", r"{} \times 10^{{3}}"]
DOUBTED = ["The answer is about {}.", "The answer is approximately {}.", "The answer is ~{}.", "The answer might be {}.", "Maybe the answer is {}.",
           "I guess the answer is {}.", "The answer is not {}.", "The answer cannot be {}.", "The answer is {} or so.",
           "The answer is {}ish.", "The answer is {} or thereabouts.", "The answer is {}, give or take.", "{} more or less", "Is the answer {}?", "Not {}.", "Between {} and 1000.", "Never {}.",
           "About {} pens."]
OTHER = ["The answer is at least {}.", "The answer is half of {}.", "The answer is between {} and 1000.", "The answer is {} or 1000.", "The answer is {}x.",
         "The answer is {}^2.", "The answer is {} + x.", "The answer is {}k.", r"The answer is {}\pi.", "The answer is sqrt({}).", "The answer is {}/x.",
         "The answer is {} more than x.", "The answer is {} less than $y$.", "So y is {} times x.", "So x = {} times the width", "We get - {} as the result."]
# A minus with a blank after it; the same mark of an item or of a pause.
NEGATES = ["The answer is - {}.", "The answer is: - {}", "Answer: - {}", "So x = - {}.", "Thus $x = - {}$.", "The answer is $- {}$.", r"\boxed{{- {}}}", "The answer is − {}.",
           "Hence x = − {}"]
NO_MINUS = ["Answer:\n- {}", "Answer - {}", "We have pens - {} books.", "- There are {} pens."]
# Words that change a number, and places where a reply ends with it.
CHANGES = ["at least {}", "at most {}", "more than {}", "less than {}", "up to {}", "nearly {}", "twice {}", "double {}", "half of {}", "half the {}", "a third of {}",
           "the square of {}", "the sum of {} and 1000", "between 1 and {}"]
ENDS = ["{}", "It takes {}.", "So she has {} pens.", "2 + 97 = 99.\nTherefore, he needs {}", "We have 99 pens. In all, {} books."]
# Near such words, and not changed by them.
UNCHANGED = ["Half of 100 is {}.", "She paid 12 more than 37, so {}.", "She reads an average of {} pages.", "That adds up to {}.", "Therefore, he has $<<97+2={0}>>{0} left."]
# The same for a letter, {0}, and its option's text, {1}.
CHOOSES = ["{0}", "{0}.", "({0})", "{0})", "**{0}**", "The answer is {0}.", "The answer is ({0}).", "The answer is {0}", "Answer: {0}", "Answer: {0}.",
           "Answer: {0}. {1}", "Answer: {0}) {1}", "The correct option is {0}.", "So the answer is {0}: {1}", r"\boxed{{{0}}}", r"\boxed{{\text{{{0}}}}}",
           "Option {0} is correct.", "The answer is {1}.", "The answer is **{0}**.", "The final answer is {0}, not E.", "Answer: {0}, because the others are wrong."]
REFUSES = ["The answer is not {0}.", "The answer cannot be {0}.", "It is not {0}.", "{0} is wrong.", "Maybe the answer is {0}.", "The answer is anything but {0}."]


def replies(rng):
    for way, say in itertools.product(POWERS, ["The answer is {}.", "There are {} pens.", "Answer: {}"]):
        n = rng.randint(2, 98)
        text = say.format(way.format(n))
        yield Pair("replies", {"text": text, "gold": f"{n}000"}, True)
        yield Pair("replies", {"text": text, "gold": str(n)}, False)
    for say in SAYS + BARE + UNCHANGED:
        for _ in range(3):
            n = rng.choice([rng.randint(2, 98), rng.randint(1000, 9999), Fraction(rng.randint(11, 99), 10)])
            text = say.format(float(n) if isinstance(n, Fraction) else n)
            number = f"{float(n):g}"
            yield Pair("replies", {"text": text, "gold": number}, True)
            yield Pair("replies", {"text": text, "gold": f"{float(n) + 1:g}"}, False)
    for say in NEGATES:
        n = rng.randint(2, 98)
        yield Pair("replies", {"text": say.format(n), "gold": f"-{n}"}, True)
        yield Pair("replies", {"text": say.format(n), "gold": str(n)}, False)
    for say in NO_MINUS:
        n = rng.randint(2, 98)
        yield Pair("replies", {"text": say.format(n), "gold": str(n)}, True)
        yield Pair("replies", {"text": say.format(n), "gold": f"-{n}"}, False)
    for say in ("The answer is {} quarters.", "So she has {} quarters.", "{} quarters"):
        n = rng.randint(1, 24) * 4
        yield Pair("replies", {"text": say.format(n), "gold": str(n)}, True)
        yield Pair("replies", {"text": say.format(n), "gold": str(n // 4)}, False)
    changed = [end.format(change).capitalize() for end, change in itertools.product(ENDS, CHANGES)]
    for say in DOUBTED + OTHER + changed + ["{} or more", "{} squared.", "The answer is 7 {}^2."]:
        n = rng.randint(11, 98)
        yield Pair("replies", {"text": say.format(n), "gold": str(n)}, "not true")
    texts = ["a red hat", "a blue hat", "a green hat", "a grey hat"]
    for say, (i, letter) in itertools.product(CHOOSES, enumerate("ABCD")):
        text = say.format(letter, texts[i])
        yield Pair("replies", {"text": text, "gold": letter, "options": texts}, True)
        yield Pair("replies", {"text": text, "gold": "ABCD"[i - 1], "options": texts}, False)
    for say, letter in itertools.product(REFUSES, "ABCD"):
        yield Pair("replies", {"text": say.format(letter), "gold": letter, "options": texts}, "not true")
    for text in ("", "I do not know.", "There is nothing to say here."):
        yield Pair("replies", {"text": text, "gold": "5"}, "not true")
    for text, gold, correct in ((r"\boxed{4} and \boxed{5}", "4, 5", True), (r"\boxed{4} or \boxed{5}", "5", False), ("The answer is 180 minutes, which is 3 hours.", "3 hours", True),
                                ("Yes... wait, no. The answer is no.", "no", True), ("The answer is 1,234,567.", "1234567", True), ("The answer is 1.234.567.", "1234567", True),
                                ("The answer is one of 1, 2, 3.", "1", "not true"), ("The answer is 5 (or 6).", "5", "not true")):
        yield Pair("replies", {"text": text, "gold": gold}, correct)


def named(rng):
    """A value with a name: the names of both sides are the same, or the grader does not know what they stand for."""
    names = ["x", "y", "n", "the width", "the height", "the total"]
    for a, b in itertools.product(names, names):
        n = rng.randint(2, 98)
        for answer, gold, correct in ((f"{a} = {n}", f"{b} = {n}", True if a == b else None), (f"{a} = {n}", f"{b} = {n + 1}", False), (f"{a} = {n}", str(n), True),
                                      (str(n), f"{b} = {n}", True), (f"{a} = {n + 1}", str(n), False)):
            yield Pair("named", {"answer": answer, "gold": gold, "kind": "latex"}, correct)
    for _ in range(8):  # the interval of an inequality's numbers answers it, and the other way where gold is no point
        low, high = sorted(rng.sample(range(-9, 40), 2))
        for shown, interval in ((f"x > {low}", rf"({low}, \infty)"), (f"x \\leq {low}", rf"(-\infty, {low}]"), (f"{low} < x < {high}", f"({low}, {high})"),
                                (f"{low} \\le x < {high}", f"[{low}, {high})"), (f"x < {low} or x > {high}", rf"(-\infty, {low}) \cup ({high}, \infty)")):
            yield Pair("named", {"answer": interval, "gold": shown, "kind": "latex"}, True)
            point = interval == f"({low}, {high})"  # what is no point can only be a set of numbers
            yield Pair("named", {"answer": shown, "gold": interval, "kind": "latex"}, None if point else True, **({"why": "assumption"} if point else {}))
            yield from both("named", shown, interval.replace(str(low), str(low - 1)), False, kind="latex")
            yield from both("named", shown, rf"\{{{low}\}}", False, kind="latex")
    for over, under in (("dy", "dx"), ("d", "dx"), ("ds", "dt")):  # a derivative is no quotient
        yield from both("named", rf"\frac{{{over}}}{{{under}}}", over[1:] + "/" + under[1:] if over[1:] else "1/x", "not true", kind="latex")


def tolerances(rng):
    """Numbers at the limit of a tolerance, absolute or of gold, and decimals as they are shown."""
    for _ in range(8):
        gold, places = rng.randint(2, 900), rng.randint(1, 3)
        for tolerance in ("0.01", "0.1"):
            margin = max(Fraction(tolerance), Fraction(tolerance) * gold)
            ulp = Fraction(1, 10 ** 4)
            for sign in (1, -1):
                for off, same in ((margin, True), (margin + ulp, False), (margin - ulp, True)):
                    yield Pair("tolerances", {"answer": decimal(gold + sign * off, 4), "gold": str(gold)}, same, ["--tolerance", tolerance])
        x = Fraction(rng.randint(1, 50), rng.choice([3, 7, 9, 11]))
        if x.denominator > 1:
            digits = round(x * 10 ** places)
            for step in (0, 1, -1):
                shown = Fraction(digits + step, 10 ** places)
                if shown:
                    options = ["--decimals-as-shown"]
                    yield Pair("tolerances", {"answer": f"{x.numerator}/{x.denominator}", "gold": decimal(shown, places)}, step == 0, options)


def places(rng):
    """One item of several is another, or one is missing: the reason says which, and what it is."""
    for _ in range(12):
        items = rng.sample(range(2, 99), rng.choice([4, 4, 6]))
        k = rng.randrange(len(items))
        other = rng.choice([n for n in range(2, 99) if n not in items])
        gold = [*items[:k], other, *items[k + 1:]]
        half, at = len(items) // 2, k + 1
        inner = at if at <= half else at - half
        named = f"element {at}: {items[k]} is not {other}"
        for write, reason in (
                (lambda x: f"({', '.join(map(str, x))})", named),
                (lambda x: rf"\begin{{pmatrix}}{' & '.join(map(str, x[:half]))}\\{' & '.join(map(str, x[half:]))}\end{{pmatrix}}", named),
                (lambda x: rf"\langle {', '.join(map(str, x))} \rangle", named),
                (lambda x: f"(({', '.join(map(str, x[:half]))}), ({', '.join(map(str, x[half:]))}))",
                 f"element {1 + (at > half)}: element {inner}: {items[k]} is not {other}"),
                (lambda x: rf"\{{{', '.join(map(str, x))}\}}", f"the answer has no {other}"),
                (lambda x: ", ".join(f"{'abcdfg'[i]} = {n}" for i, n in enumerate(x)), f"{'abcdfg'[k]}: {items[k]} is not {other}")):
            yield Pair("places", {"answer": write(items), "gold": write(gold), "kind": "latex"}, False, reason=reason)
        yield Pair("places", {"answer": f"({', '.join(map(str, items[1:]))})", "gold": f"({', '.join(map(str, items))})", "kind": "latex"}, False,
                   reason=f"{len(items) - 1} elements, not {len(items)}")
        low, high = sorted(items[:2])
        yield Pair("places", {"answer": f"[{low}, {high})", "gold": f"[{low}, {high + 1})", "kind": "latex"}, False, reason=f"element 2: {high} is not {high + 1}")


FORMS = [numbers, surds, formulas, collections_, units, kinds, replies, tolerances, places, named]


def graded(pairs, options):
    return records(["grade", "--quiet", *options], [p.record for p in pairs])


def agrees(expected, got):
    return got is not True if expected == "not true" else got == expected


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="forms whose name holds this")
    parser.add_argument("--show", action="store_true", help="print the pairs")
    args = parser.parse_args()
    pairs = [p for form in FORMS if args.only in form.__name__ for p in form(random.Random(f"{args.seed} {form.__name__}"))]
    faults = 0
    for options in dict.fromkeys(p.options for p in pairs):
        these = [p for p in pairs if p.options == options]
        for pair, got in zip(these, graded(these, options)):
            fault = not all(agrees(want, got.get(name)) for name, want in pair.expected.items())
            faults += fault
            if fault or args.show:
                told = {name: got.get(name) for name in ("correct", "why", "reason", "answer_read", "answer_as", "gold_as")}
                print(f"{pair.form}: {json.dumps(pair.record, ensure_ascii=False)} {' '.join(options)}\n    found {json.dumps(told, ensure_ascii=False)}, "
                      f"expected {pair.expected}")
    print(f"{len(pairs)} pairs of {len(FORMS)} forms, {faults} not as expected")
    return 1 if faults or not pairs else 0


if __name__ == "__main__":
    sys.exit(main())
