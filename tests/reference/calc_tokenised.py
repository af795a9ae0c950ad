# SPDX-License-Identifier: Apache-2.0
"""Right formulas with brackets, fraction lines and exponents, as a tokeniser leaves them that loses their typesetting, and
whole claims of one operation that are wrong, in the same text."""

import re
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


# ---- is a text tokenised? (as src/decide/tokenised.c says, written again) ---------------------------

MARKS = set(".,:;?!%()[]'\"$=+*/^")
WORD = re.compile(r"[A-Za-z](?:.*[A-Za-z])?", re.S)


def runs_on(text):
    """A result runs into the name of the next one: "= 34 area of square ="."""
    if "\n" in text:
        return False
    words, result, last = 0, False, ""
    for field in text.split():
        if field == "=" and result and words >= 2:
            return True
        number = field[-1].isdigit() and not re.search("[A-Za-z]", field) and (field[0].isdigit() or field[0] == ".")
        word = len(field) >= 2 and bool(WORD.fullmatch(field))
        if number and last == "=":
            result, words = True, 0
        words += word
        result &= number or word
        last = field
    return False


def is_tokenised(text):
    """No capital letter; every mark and sign between blanks, and one of punctuation among them, or no sign where a sentence ends."""
    if re.search("[A-Z]", text) or not re.search("[A-Za-z]{2}", text) or re.search(r"(?<=\S)-\d", text):
        return False
    marks = False
    for i, c in enumerate(text):
        before, after = text[i - 1:i], text[i + 1:i + 2]
        if c not in MARKS or (c in ".," and after.isdigit() and (not before.strip() or before.isdigit())):
            continue
        if before.strip() or after.strip():
            return False
        marks |= c not in "=+*/^"
    return marks or runs_on(text)
