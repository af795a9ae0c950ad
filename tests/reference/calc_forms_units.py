# SPDX-License-Identifier: Apache-2.0
"""Forms of calc_forms.py: units, their conversions, money and counts. The factors are those of the definitions."""
from fractions import Fraction

from calc_form import Case, beside, mark, mark_within, plain, right, undecided, wrong

# Of each dimension: (singular, plural, symbol, size) of units that people count in one way only.
UNITS = {
    "a length": [("millimeter", "millimeters", "mm", Fraction(1, 1000)), ("centimeter", "centimeters", "cm", Fraction(1, 100)),
                 ("meter", "meters", "m", Fraction(1)), ("kilometer", "kilometers", "km", Fraction(1000))],
    "a customary length": [("inch", "inches", "in", Fraction(254, 10000)), ("foot", "feet", "ft", Fraction(3048, 10000)),
                           ("yard", "yards", "yd", Fraction(9144, 10000)), ("mile", "miles", "mi", Fraction(1609344, 1000))],
    "a time": [("second", "seconds", "s", Fraction(1)), ("minute", "minutes", "min", Fraction(60)), ("hour", "hours", "h", Fraction(3600))],
    "a mass": [("milligram", "milligrams", "mg", Fraction(1, 1000)), ("gram", "grams", "g", Fraction(1)),
               ("kilogram", "kilograms", "kg", Fraction(1000))],
    "a volume": [("milliliter", "milliliters", "mL", Fraction(1, 1000)), ("liter", "liters", "L", Fraction(1))],
}
SYSTEM = [("meters", "a length"), ("seconds", "a time"), ("kg", "a mass"), ("newtons", "a force"), ("joules", "an energy"),
          ("watts", "a power"), ("m^2", "an area"), ("m^3", "a volume"), ("dollars", "an amount of money"), ("bytes", "an amount of data"), ("pascals", None), ("volts", None)]
UNNAMED = "units of different kinds"
HOW_MANY = "how many of one unit make another"


def unit_pair(rng):
    kind = rng.choice(list(UNITS))
    small, large = sorted(rng.sample(UNITS[kind], 2), key=lambda u: u[3])
    return small, large


def stated(rng):
    """A number in one unit and in another, in words and in symbols, in both directions."""
    cases = []
    for _ in range(20):
        small, large = unit_pair(rng)
        n = rng.randint(2, 12)
        many = n * large[3] / small[3]
        for words in (True, False):
            a, b = (large[1], small[1]) if words else (large[2], small[2])
            if "in" in (a, b) or many.denominator != 1 or min(len(a), len(b)) == 1:
                continue
            for left, claim, unit in ((f"{n} {a}", many, b), (f"{many} {b}", Fraction(n), a)):
                cases.append(Case("stated", mark(f"{left} = {claim} {unit}"), [right(note="units converted")]))
                off = claim + max(1, claim // 10)  # much more might be a scale
                cases.append(Case("stated", mark(f"{left} = {off} {unit}"), [wrong(f"{beside(claim, str(off))} {unit}")]))
    return cases


def factors(rng):
    """How many of one unit make another, in each wording."""
    cases = []
    for units in UNITS.values():
        for i, small in enumerate(units):
            for large in units[i + 1:]:
                many = large[3] / small[3]
                if many.denominator != 1:
                    continue
                off = many + 10 if many < 100 else many * 11 // 10
                an = ("an " if large[0] == "hour" or large[0] == "inch" else "a ") + large[0]
                for number in (many, off):
                    want = [right(note=HOW_MANY) if number == many else wrong(f"{many} {small[1]}", HOW_MANY)]
                    for before, text in (("There are ", f"{number} {small[1]} in {an}"), ("", f"{an.capitalize()} has {number} {small[1]}"),
                                         ("", f"In 1 {large[0]} there are {number} {small[1]}"), ("", f"One {large[0]} is {number} {small[1]}")):
                        cases.append(Case("factors", before + mark(text) + ".", want))
    for _ in range(6):
        n, claim = rng.randint(2, 9), rng.choice([40, 50, 70, 80])
        cases.append(Case("factors", "It takes " + mark(f"{n} hours * {mark_within(f'{claim} minutes/hour')} = {n * claim} minutes") + ".",
                          [right(), wrong("60 minutes", HOW_MANY)]))
        cases.append(Case("factors", "It takes " + mark(f"{n} hours * {mark_within(f'{claim} minutes')} = {n * claim} minutes") + ".",
                          [right(), wrong("60 minutes", HOW_MANY)]))
        cases.append(Case("factors", "It takes " + mark(f"{n} hours * 60 minutes/hour = {n * 60} minutes") + ".", [right()]))
        cases.append(Case("factors", f"The rate is {claim} minutes/hour. It takes " + mark(f"{n} hours * {claim} minutes/hour = {n * claim} minutes")
                          + ".", [right()]))
        minutes = n * 50
        amount = [f"It takes {minutes} minutes.", f"In hours, {mark(mark_within(f'{minutes}/50 = {n} hours'))}."]
        cases.append(Case("factors", amount, [right(), wrong(f"{plain(Fraction(minutes, 60))} hours",
                                                             "the amount converted that stands before")]))
    return cases


def quantities(rng):
    """Sums, products and quotients of units, with the unit of the result, a label, or one that does not fit."""
    cases = []

    def both(left, value, unit, note=None):
        cases.append(Case("quantities", mark(f"{left} = {plain(value)} {unit}"), [right(note=note)]))
        off = value * 3 + Fraction(15, 2)  # whole numbers may happen to be a fraction without its line
        cases.append(Case("quantities", mark(f"{left} = {plain(off)} {unit}"), [wrong(f"{beside(value, plain(off))} {unit}")]))

    for _ in range(12):
        a, b, n = rng.randint(2, 30), rng.randint(2, 30), rng.randint(2, 6)
        both(f"{a} km/h * {n * 30} min", Fraction(a * n, 2), "km", "units converted")
        both(f"{a} km/h * {n} h", Fraction(a * n), "km")
        both(f"{a * n} km / {n} h", Fraction(a), "km/h")
        both(f"{a} m * {b} m", Fraction(a * b), "m^2")
        both(f"{a} m + {b} m", Fraction(a + b), "m")
        both(f"{a} N * {b} m", Fraction(a * b), "J")
        both(f"{a} kg * {b} m/s^2", Fraction(a * b), "N")
        both(f"{a * b} J / {b} s", Fraction(a), "W")
        both(f"{n} hours + {a} minutes", Fraction(60 * n + a), "minutes", "units converted")
        both(f"{n} hours {a} minutes", Fraction(60 * n + a), "minutes", "units converted")
        both(f"{a} km + {b * 100} m", a * 1000 + Fraction(b * 100), "m", "units converted")
        both(f"{a} m * {b} cm", Fraction(a * b, 100), "m^2", "units converted")
        both(rf"\sqrt{{{a * a} km^2}}", Fraction(a), "km")
        both(rf"\sqrt{{{a * a} km^2}}", Fraction(a * 1000), "m", "units converted")
        both(rf"\sqrt{{{9 * a * a} km^2 + {16 * a * a} km^2}}", Fraction(5 * a), "km")
        both(f"({n} km)^2", Fraction(n * n), "km^2")
        both(f"({n} cm)^3", Fraction(n ** 3), "cm^3")
        both(f"|{a} km - {a + b} km|", Fraction(b), "km")
        both(f"½ km + {a * 10} m", Fraction(500 + a * 10), "m", "units converted")
        both(f"{n} 1/2 km + {a * 10} m", Fraction(n * 1000 + 500 + a * 10), "m", "units converted")
        both(f"{a + b} km - ({a} km)", Fraction(b), "km")
        for (x, kind), (y, other) in [rng.sample(SYSTEM, 2) for _ in range(3)]:
            cases.append(Case("quantities", mark(f"{a} {x} + {b} {x} = {a + b} {y}"), [misfit(a, b, x, y, kind, other)]))
            note = f"{kind} and {other} are added" if kind and other else UNNAMED
            cases.append(Case("quantities", mark(f"{a} {x} + {b} {y} = {a + b}"), [undecided(note)]))
        celsius = rng.randint(-8, 40) * 5
        degrees = celsius * 9 // 5 + 32
        temperature = "a temperature converted"
        if celsius > 0:
            cases.append(Case("quantities", mark(f"{celsius} °C = {degrees} °F"), [right(f"{degrees} °F", temperature)]))
            cases.append(Case("quantities", mark(f"{celsius} °C = {degrees + 1} °F"), [wrong(f"{degrees} °F", temperature)]))
            cases.append(Case("quantities", mark(f"{degrees} °F = {celsius} °C"), [right(f"{celsius} °C", temperature)]))
            cases.append(Case("quantities", mark(f"{celsius} °C = {celsius * 9 // 5} °F"),
                              [undecided("a temperature, or a difference of temperatures", f"{degrees} °F")]))
    return cases


def misfit(a, b, x, y, kind, other):
    if (x, y) == ("meters", "m^2"):
        return wrong(f"{a + b}, a length", "a length is not an area")
    return undecided(f"{kind} is not {other}" if kind and other else UNNAMED)


# (a factor's unit, the result's where the other factor has none, why such a result does not fit)
LEFT_OUT = [("km/h", "km", None), ("hours", "dollars", None), ("kg", "hours", None), ("meters", "square meters", None),
            ("km/h", "kg", "a speed is not a mass"), ("km/h", "dollars", "a speed is not an amount of money"),
            ("kg/m^3", "bytes", UNNAMED), ("newtons", "bytes", "a force is not an amount of data")]


# (what is worked, what is paid for it, the result's unit, why it does not fit)
PAID = [("hours", "per hour", "hours", "an amount of money is not a time"), ("kg", "per kg", "kg", "an amount of money is not a mass"),
        ("miles", "per mile", "miles", "an amount of money is not a length"), ("hours", "per hour", "dollars", None), ("kg", "per kg", "dollars", None),
        ("hours", "", "dollars", None)]


def products(rng):
    """A factor without a unit, where some unit makes the product that of the result, and where none does; amounts that are paid."""
    cases = []
    for x, per, y, why in PAID:
        a, n = rng.randint(2, 40), rng.randint(2, 9)
        paid = f"${n} {per}".strip()
        for left in (f"{a} {x} * {paid}", f"{paid} * {a} {x}"):
            sign, rest = ("$", left[1:]) if left[0] == "$" else ("", left)
            cases.append(Case("products", sign + mark(f"{rest} = {a * n} {y}"), [undecided(why) if why else right()]))
    for x, y, why in LEFT_OUT * 3:
        a, n = rng.randint(2, 40), rng.randint(2, 9)
        for left in (f"{a} {x} * {n}", f"{n} * {a} {x}"):
            cases.append(Case("products", mark(f"{left} = {a * n} {y}"), [undecided(why) if why else right()]))
        off = a * n * 5 + 1  # near no factor between units
        cases.append(Case("products", mark(f"{a} {x} * {n} = {off} {y}"), [wrong(f"{beside(Fraction(a * n), str(off))} {y}")]))
    return cases


def counts(rng):
    """Money and things: the sign stands before the number, what is counted after it."""
    cases = []
    for _ in range(10):
        a, b, n = rng.randint(2, 90), rng.randint(2, 90), rng.randint(2, 9)
        cents = rng.randint(101, 4000)
        price, times = Fraction(cents, 100), n * Fraction(cents, 100)
        shown = f"{float(price):.2f}"
        for sign in "$€£":
            exact = f"{float(times):.2f}"
            off = f"{float(times + 1):.2f}"
            value = beside(times, off, money=True)
            cases.append(Case("counts", f"It costs {mark(f'{n} * {sign}{shown} = {sign}{exact}')}.", [right()]))
            cases.append(Case("counts", f"It costs {mark(f'{n} * {sign}{shown} = {sign}{off}')}.", [wrong(sign + value)]))
        things = rng.choice(["pens", "red apples", "boxes of chalk", "students"])
        for claim, want in ((a + b, right()), (a + b + 1, wrong(str(a + b)))):
            cases.append(Case("counts", f"So {mark(f'{a} {things} + {b} {things} = {claim}')} {things}.", [want]))
            cases.append(Case("counts", f"{mark(f'{a} (Ann) + {b} (Bob) = {claim}')}.", [want]))
        for claim, want in ((n * b, right()), (n * b + 1, wrong(str(n * b)))):
            cases.append(Case("counts", f"She has {mark(f'{n} boxes * {b} pens = {claim}')} pens.", [want]))
    return cases


FORMS = [stated, factors, quantities, products, counts]
