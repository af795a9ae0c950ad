# SPDX-License-Identifier: Apache-2.0
"""A second, independent evaluator of plain arithmetic, to hold the program's verdicts against.

Exact values of expressions of numbers, + - * / ^ and round brackets, by recursive descent over
fractions; nothing is shared with the C code, and text is never executed. What it cannot read is no
expression: it never guesses."""

import re
from fractions import Fraction

TOKEN = re.compile(r"\s*(?:(\d[\d,]*(?:\.\d+)?|\.\d+)|(\*\*|[-+*/^()x×·÷−]))")
SAME = {"x": "*", "×": "*", "·": "*", "÷": "/", "−": "-", "**": "^"}
MAX_DEPTH = 60
MAX_EXPONENT = 64


class NotArithmetic(Exception):
    """The text is not an expression that this evaluator reads."""


def tokens_of(text):
    out, at = [], 0
    text = text.rstrip()
    while at < len(text):
        found = TOKEN.match(text, at)
        if not found:
            raise NotArithmetic(text)
        number, sign = found.groups()
        out.append(Fraction(number.replace(",", "")) if number else SAME.get(sign, sign))
        at = found.end()
    return out


class Parser:
    """sum = product (+|- product)*; product = power (*|/ power)*; power = atom [^ power]"""

    def __init__(self, text):
        self.tokens, self.at, self.depth = tokens_of(text), 0, 0

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else None

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1] if self.at <= len(self.tokens) else None

    def sum(self):
        value = self.product()
        while self.peek() in ("+", "-"):
            value = value + self.product() if self.take() == "+" else value - self.product()
        return value

    def product(self):
        value = self.power()
        while self.peek() in ("*", "/"):
            divides, factor = self.take() == "/", self.power()
            if divides and factor == 0:
                raise NotArithmetic("a division by zero")
            value = value / factor if divides else value * factor
        return value

    def power(self):
        if self.peek() == "-":  # -2^2 is -(2^2)
            self.take()
            return -self.deeper(self.power)
        base = self.atom()
        if self.peek() != "^":
            return base
        self.take()
        exponent = self.deeper(self.power)
        if exponent.denominator != 1 or abs(exponent) > MAX_EXPONENT or (base == 0 and exponent < 0):
            raise NotArithmetic("a power that is not exact")
        return base ** int(exponent)

    def atom(self):
        token = self.take()
        if isinstance(token, Fraction):
            return token
        if token != "(":
            raise NotArithmetic(token)
        value = self.deeper(self.sum)
        if self.take() != ")":
            raise NotArithmetic("a bracket that is not closed")
        return value

    def deeper(self, rule):
        self.depth += 1
        if self.depth > MAX_DEPTH:
            raise NotArithmetic("brackets too deep")
        value = rule()
        self.depth -= 1
        return value


def value_of(text):
    """The exact value of an expression; NotArithmetic when it is none."""
    parser = Parser(text)
    value = parser.sum()
    if parser.peek() is not None:
        raise NotArithmetic(text)
    return value


def values_of(equality):
    """The values of all sides of "a = b = c"."""
    return [value_of(side) for side in equality.split("=")]


def self_test():
    right = {"1 + 2 * 3": 7, "(1 + 2) * 3": 9, "2 - 3 - 4": -5, "8 / 4 / 2": 1, "-2^2": -4,
             "2 - -3": 5, "1,200 ÷ 7": Fraction(1200, 7), "2^3^2": 512, "-10 - (-32)": 22,
             "0.5 × .5": Fraction(1, 4), "2 * -3": -6}
    for text, value in right.items():
        assert value_of(text) == value, text
    for text in ("", "1 +", "(1", "1)", "a + 1", "1 / 0", "1 2", "2^0.5", "(" * 99 + "1" + ")" * 99):
        try:
            value_of(text)
        except NotArithmetic:
            continue
        raise AssertionError(text)
