# SPDX-License-Identifier: Apache-2.0
"""The kinds of calculations that the measurements count apart, told from what the program quotes and notes.

A calculation is of the first kind that fits it, in the order of KINDS; the last fits all."""

import re

NOTES = re.compile(r"equation|both sides|root|solution|put into")
OPERATIONS = re.compile(
    r"\b(plus|minus|times|divided|multiplied|subtract\w*|add(ed|ing)?|sum|product|difference|quotient|average|mean|half|"
    r"third|quarters?|twice|double[ds]?|tripled?|squared|cubed|more than|less than|out of|increased|decreased|prime|"
    r"divisible|factors?|multiple|remainder|dozen|of)\b|[加减乘除]", re.I)
FUNCTIONS = re.compile(r"\\(sum|prod|binom|dbinom|tbinom|sqrt|log|ln|sin|cos|tan|gcd|lfloor|lceil|pmod|bmod)\b|"
                       r"\b(gcd|lcm|max|min|floor|ceil|sqrt|log|mod|sin|cos|tan)\b|[√∑∏]|\d!")
COMMANDS = re.compile(r"\\(text|mathrm|mathbf|mbox)\b|\\[a-zA-Z]+")
LETTERS = re.compile(r"(?<![A-Za-z])[A-Za-z](?![A-Za-z])")
NAMES = re.compile(r"[^\W\d_]|[$€£¥°]")

KINDS = ("calculator marks", "equations solved or derived", "functions", "percentages", "in words", "letters",
         "units, money and names", "plain numbers")


def kind_of(calculation):
    """One of KINDS."""
    text = calculation.text
    bare = COMMANDS.sub(" ", text)
    fits = (calculation.marked, NOTES.search(calculation.note), FUNCTIONS.search(text),
            "%" in text or "percent" in text, OPERATIONS.search(bare), LETTERS.search(bare), NAMES.search(bare), True)
    return next(kind for kind, fit in zip(KINDS, fits) if fit)


def self_test():
    """A calculation of each kind."""
    from calc_sources import Calculation

    texts = {"2x is 16": KINDS[5], "3 + 4 = 8": KINDS[7], "48 plus 24 is 71": KINDS[4], "20% of 50 is 12": KINDS[3],
             "5! = 125": KINDS[2], r"\frac{1}{2} + 1 = 2": KINDS[7], "60 km/h * 2 h = 110 km": KINDS[5],
             "3 hours = 160 minutes": KINDS[6], "$3 + $4 = $8": KINDS[6]}
    for text, kind in texts.items():
        assert kind_of(Calculation(0, 0, 0, text, "wrong")) == kind, (text, kind_of(Calculation(0, 0, 0, text, "wrong")))
    assert kind_of(Calculation(0, 0, 0, "2+2=5", "wrong", marked=True)) == KINDS[0]
    assert kind_of(Calculation(0, 0, 0, "x = 7", "wrong", note="the value put into the equation")) == KINDS[1]
