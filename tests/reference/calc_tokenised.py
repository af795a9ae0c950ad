# SPDX-License-Identifier: Apache-2.0
"""Right formulas with brackets, fraction lines and exponents, as a tokeniser leaves them that loses their typesetting, and
whole claims of one operation that are wrong, in the same text."""

from fractions import Fraction

BEFORE = ["so the total is", "average =", "explanation : the required number =", "hence , we get", "x =", "then the cost is"]
AFTER = [". answer : b", "answer is c .", "km / hr answer : a", "so option d is correct .", ", which is option ( b )", ""]
JOINED = ["now speed of train", "number of men", "and area of floor"]


def formula(rng, depth):
    """(text without its typesetting, value) of a random formula."""
    if depth == 0:
        n = rng.randint(2, 60)
        return str(n), Fraction(n)
    kind = rng.choice(["sum", "difference", "product", "line", "power", "inline"])
    if kind == "power":
        base, exponent = rng.randint(2, 30), rng.randint(2, 3)
        return f"{base}{exponent}", Fraction(base) ** exponent
    if kind == "inline":  # a fraction whose line is lost
        num, den = rng.randint(1, 30), rng.randint(2, 30)
        return f"{num}{den}", Fraction(num, den)
    (a, x), (b, y) = formula(rng, depth - 1), formula(rng, depth - 1)
    if kind == "line" and y:
        return f"{a} / {b}", x / y
    sign = {"sum": "+", "difference": "-"}.get(kind, "*")
    return f"{a} {sign} {b}", x + y if sign == "+" else x - y if sign == "-" else x * y


def shown(rng, value):
    return str(value.numerator) if value.denominator == 1 else f"{value.numerator} / {value.denominator}" \
        if rng.random() < 0.5 else f"{float(value):.2f}"


def right(rng):
    """A right text of one to three equalities, whose sentences may run on."""
    out = []
    for _ in range(rng.randint(1, 3)):
        text, value = formula(rng, rng.randint(1, 3))
        out.append(f"{text} = {shown(rng, value)}")
    joint = rng.choice([f" {rng.choice(JOINED)} = ", " . " + rng.choice(BEFORE) + " "])
    before = rng.choice(BEFORE)  # a text without a word is no tokenised one
    return {"text": joint.join(out), "before": before, "after": rng.choice(AFTER[:-1] if before == "x =" else AFTER)}


def wrong(rng):
    """One operation on two numbers with a result of other digits."""
    a, b, sign = rng.randint(101, 900), rng.randint(11, 99), rng.choice("+-*")
    value = a + b if sign == "+" else a - b if sign == "-" else a * b
    return {"text": f"{a} {sign} {b} = {value + rng.choice([-100, -10, -1, 1, 10, 100])}", "before": rng.choice(BEFORE)}
