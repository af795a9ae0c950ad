# SPDX-License-Identifier: Apache-2.0
"""What calc_forms.py expects of a sentence, and how the documentation says that numbers are rounded and shown.

Nothing here is shared with the C code: values are fractions of Python's, and where a value has no end, decimals of 60
digits."""
import math
import re
from decimal import Decimal, getcontext
from fractions import Fraction

getcontext().prec = 80
PLACES = 12  # decimals of a value that ends; with more it is shown as a fraction, or cut off
# Where a calculation begins and ends. Of those that overlap, the first to begin ends first; one within another has marks
# of its own.
BEGIN, END = "\N{MATHEMATICAL LEFT WHITE SQUARE BRACKET}", "\N{MATHEMATICAL RIGHT WHITE SQUARE BRACKET}"
BEGIN_WITHIN, END_WITHIN = "\N{LEFT DOUBLE ANGLE BRACKET}", "\N{RIGHT DOUBLE ANGLE BRACKET}"
PI = Fraction(Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899"))
ANY = object()  # a note that a form does not state


class Expected:
    """What becomes of one calculation. A note may be a list of notes, of which any will do."""

    def __init__(self, outcome, value=None, of=None, note=None):
        self.members = {"outcome": outcome, "value": value, "of": of, "note": note}


def right(value=None, note=None):
    return Expected("right", value, note=note)


def rounded(value, note=None):
    return Expected("rounded", value, note=note)


def wrong(value, note=None, of=None):
    return Expected("wrong", value, of, note)


def undecided(note, value=None):
    return Expected("undecided", value, note=note)


def mark(text):
    """The part of a step that is a calculation."""
    return BEGIN + text + END


def mark_within(text):
    """The part of a calculation that is one too."""
    return BEGIN_WITHIN + text + END_WITHIN


def mark_chain(sides, sign=" = "):
    """The links of a = b = c: each goes from its left side to its right one."""
    last = len(sides) - 1
    return sign.join((BEGIN if i < last else "") + side + (END if i else "") for i, side in enumerate(sides))


def without_marks(marked):
    """The text, and the bytes where each calculation begins and ends, in the order in which they begin."""
    text, found, open_ = b"", [], {END: [], END_WITHIN: []}
    for part in re.split(f"([{BEGIN}{END}{BEGIN_WITHIN}{END_WITHIN}])", marked):
        if part in (BEGIN, BEGIN_WITHIN):
            open_[END if part == BEGIN else END_WITHIN].append(len(found))
            found.append([len(text), None])
        elif part in open_:
            found[open_[part].pop(0)][1] = len(text)
        else:
            text += part.encode()
    return text.decode(), [tuple(ends) for ends in found]


class Case:
    """The steps of a chain, each with its calculations marked, and what is expected of these in their order."""

    def __init__(self, form, steps, expected, question="How much is it?"):
        self.form, self.question = form, question
        self.steps, self.expected = [], []
        left = list(expected)
        for step in [steps] if isinstance(steps, str) else steps:
            text, ranges = without_marks(step)
            self.steps.append(text)
            data = text.encode()
            self.expected.append([{**left.pop(0).members, "start": a, "end": b, "text": data[a:b].decode()}
                                  for a, b in ranges])
        assert not left, steps


# ---- numbers as they are written ----

def decimals_of(x):
    """How many decimals write x exactly; None: no number of them does."""
    for n in range(400):
        if (x * 10 ** n).denominator == 1:
            return n
        if n == PLACES and math.gcd(x.denominator, 10 ** 400) != x.denominator:
            return None
    return None


def cut(x, places):
    """x >= 0 with so many decimals, the rest cut off."""
    digits = str(x.numerator * 10 ** places // x.denominator).rjust(places + 1, "0")
    return digits[:-places] + "." + digits[-places:] if places else digits


def decimal(x, places):
    """x >= 0 rounded to the nearest, halves upwards."""
    return cut(x + Fraction(1, 2 * 10 ** places), places)


def plain(x):
    """A value by itself: a decimal where it ends, else a fraction."""
    places = decimals_of(x)
    if places is None or places > PLACES:
        return f"{x.numerator}/{x.denominator}" if x.denominator > 1 else str(x.numerator)
    return ("-" if x < 0 else "") + cut(abs(x), places)


def real(x):
    """A value without an end: 12 digits, the last one rounded."""
    e = math.floor(math.log10(float(abs(x))))
    return ("-" if x < 0 else "") + decimal(abs(x), 11 - e)


def grouped(digits):
    whole, point, rest = digits.partition(".")
    return f"{int(whole):,}" + point + rest


def beside(x, claim, groups=False, money=False, endless=False):
    """x written as the claimed number is: as many decimals as it needs, or until it differs from the claim, with "..." """
    sign, size = "-" if x < 0 else "", abs(x)
    claimed = len(claim.partition(".")[2])
    places = None if endless else decimals_of(size)
    if places is not None and places <= PLACES:
        if money and places < 2 and (places == 1 or claimed == 2):
            places = 2
        text, more = cut(size, places), ""
    else:
        places, number = claimed + 1 if claimed else 2, Fraction(claim.replace(",", ""))
        while places < 48 and (cut(size, places) == cut(number, places) or not Fraction(cut(size, places))):
            places += 1
        text, more = cut(size, places), "..."
    return sign + (grouped(text) if groups else text) + more


FAR, LOOSE, ROUGH = "rounded by more than one percent", "right only if its decimals were rounded", "a rough approximation"
PRINTED = 12  # decimals from which a number is the print of floating point


def rounds_to(x, claim, ulp):
    """Is a claim whose last digit weighs `ulp` the nearest to x, a half either way, or x cut off?"""
    difference = abs(x - claim)
    return 2 * difference <= ulp or (difference < ulp and abs(claim) < abs(x))


def near(x, claim, share=Fraction(1, 100)):
    return abs(x - claim) <= share * abs(x)


def unrounded(text):
    """The numbers of which a decimal of three or more significant digits may be the rounded or cut off one."""
    x, places = Fraction(text), len(text.partition(".")[2])
    ulp = Fraction(1, 10 ** places)
    return (x - ulp / 2, x + ulp) if places and len(text.replace(".", "").lstrip("0")) >= 3 else (x, x)


def loosely(x, number, between):
    """`between`: the least and the greatest that x may be if its decimals were rounded."""
    return between and between[0] <= number <= between[1] and near(x, number)


def judged(x, claim, value_beside, exact=None, between=None):
    """What is expected of "... = claim", a plain number, if the left side is x. `exact`: how x is written by itself."""
    number, decimals = Fraction(claim.replace(",", "")), len(claim.partition(".")[2])
    exact = exact or plain(x)
    if x == number:
        return right()
    if decimals >= PRINTED and abs(x - number) * 10 ** PRINTED <= abs(number):
        return rounded(exact)
    if rounds_to(x, number, Fraction(1, 10 ** decimals)):
        return rounded(exact) if near(x, number) else undecided(FAR, exact)
    if loosely(x, number, between):
        return undecided(LOOSE, exact)
    return wrong(value_beside)


def judged_about(x, claim, value_beside, between=None):
    """What is expected of "... \N{ALMOST EQUAL TO} claim": zeros that end a whole number may stand for digits."""
    number, decimals = Fraction(claim), len(claim.partition(".")[2])
    ulp, apart = Fraction(1, 10 ** decimals), abs(x - number)
    at_zeros = ulp if decimals else Fraction(10 ** (len(claim) - len(claim.rstrip("0"))))
    if x == number:
        return right()
    if rounds_to(x, number, ulp) or (near(x, number) and rounds_to(x, number, at_zeros)):
        return rounded(plain(x))
    if loosely(x, number, between):
        return undecided(LOOSE, plain(x))
    if near(x, number) or apart <= 5 * ulp or (apart <= 5 * at_zeros and near(x, number, Fraction(1, 10))):
        return undecided(ROUGH, plain(x))
    return wrong(value_beside)
