#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every word and symbol of the table of units against pint: dimension, and size to the last digit. A size that is no
fraction is computed from its definition.

    units.py UNIT_ASKER"""
import subprocess
import sys
from fractions import Fraction

import with_pint

BASES = ["second", "meter", "gram", "ampere", "mole", "candela", "cent", "euro", "penny", "bit", "becquerel", "sievert",
         "gray", "decibel", "unit", "month", "kelvin", "celsius", "fahrenheit", "one", "degree", "radian", "turn"]
PINT_BASES = {"second": "[time]", "meter": "[length]", "gram": "[mass]", "ampere": "[current]", "mole": "[substance]",
              "candela": "[luminosity]", "kelvin": "[temperature]"}
# What the spelling is called in pint, where that is not its own name.
NAMES = {
    "sec": "second", "min": "minute", "hr": "hour", "yr": "year", "h": "hour", "s": "second", "m": "meter",
    "centurie": "century", "km": "kilometer", "in": "inch", "ft": "foot", "yd": "yard", "mi": "mile",
    "AU": "astronomical_unit", "pc": "parsec", "Å": "angstrom", "light": "speed_of_light", "ha": "hectare",
    "L": "liter", "l": "liter", "gal": "gallon", "qt": "quart", "pt": "pint", "tbsp": "tablespoon", "tsp": "teaspoon",
    "g": "gram", "kg": "kilogram", "kilo": "kilogram", "t": "metric_ton", "ton": "metric_ton", "tonne": "metric_ton",
    "lb": "pound", "oz": "ounce", "mph": "mile/hour", "kph": "kilometer/hour", "kmh": "kilometer/hour",
    "mps": "meter/second", "rpm": "turn/minute", "rev": "turn", "revolution": "turn", "N": "newton", "dyn": "dyne",
    "lbf": "force_pound", "J": "joule", "eV": "electron_volt", "electronvolt": "electron_volt", "cal": "calorie",
    "Cal": "kilocalorie", "btu": "international_british_thermal_unit", "BTU": "international_british_thermal_unit",
    "Wh": "watt_hour", "W": "watt", "hp": "horsepower", "Pa": "pascal", "atm": "standard_atmosphere",
    "atmosphere": "standard_atmosphere", "mmHg": "torr", "psi": "pound_force_per_square_inch", "A": "ampere",
    "amp": "ampere", "C": "coulomb", "Ah": "ampere*hour", "V": "volt", "Ω": "ohm", "F": "farad", "H": "henry",
    "henrie": "henry", "T": "tesla", "G": "tesla/10000", "gauss": "tesla/10000", "Wb": "weber", "mol": "mole", "cd": "candela",
    "Hz": "hertz", "b": "bit", "B": "byte", "K": "kelvin", "rad": "radian", "molar": "mole/liter", "feet": "foot",
    "century": "century", "acre": "4840*yard**2"}
SECOND = {"m": "minute", "calorie": "kilocalorie", "ounce": "fluid_ounce", "oz": "fluid_ounce", "ton": "short_ton", "t": "short_ton"}
# Money, counts and what pint has no unit for: numerator, denominator of the base named.
OURS = {"dollar": (100, "cent"), "buck": (100, "cent"), "USD": (100, "cent"), "usd": (100, "cent"),
        "quarter": (25, "cent"), "dime": (10, "cent"), "nickel": (5, "cent"), "cent": (1, "cent"),
        "pence": (1, "penny"), "pennie": (1, "cent"), "penny": (1, "cent"), "euro": (100, "euro"), "dozen": (12, "one"), "pair": (2, "one"),
        "percent": (Fraction(1, 100), "one"), "unit": (1, "unit"), "point": (1, "unit"), "month": (1, "month"),
        "year": (12, "month"), "yr": (12, "month"), "decade": (120, "month"), "centurie": (1200, "month"),
        "century": (1200, "month"), "becquerel": (1, "becquerel"), "Bq": (1, "becquerel"), "sievert": (1, "sievert"),
        "Sv": (1, "sievert"), "gray": (1, "gray"), "Gy": (1, "gray"), "decibel": (1, "decibel"), "dB": (1, "decibel"),
        "celsius": (1, "celsius"), "centigrade": (1, "celsius"), "fahrenheit": (1, "fahrenheit"),
        "degree": (1, "degree"), "deg": (1, "degree"), "radian": (1, "radian"), "rad": (1, "radian"),
        "revolution": (1, "turn"), "rev": (1, "turn"), "bit": (1, "bit"), "b": (1, "bit"), "byte": (8, "bit"),
        "B": (8, "bit"), "lumen": (1, "candela"), "lm": (1, "candela")}
OURS_SECOND = {"cent": (1, "euro"), "penny": (1, "penny"), "pennie": (1, "penny")}
# Whose size no fraction is: the definition, to more digits than the table has.
PI = Fraction("3.14159265358979323846264338327950288419716939937510")
DEFINED = {"parsec": 648000 / PI * 149597870700, "pc": 648000 / PI * 149597870700}
IRRATIONAL = Fraction(1, 10 ** 16)  # as near as the table has them, of their size
IN_RADIANS = {"rpm", "lux", "lx"}  # a turn and a steradian are no numbers here, as they are in pint


def meanings(asker):
    """(spelling, 0 for its first meaning, 1 for its second, exact size, powers of the bases that are not 0)"""
    for line in subprocess.run([asker], stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines():
        word, meaning, num, den, ten, *powers = line.split("\t")
        assert len(powers) == len(BASES)
        size = Fraction(int(num), int(den)) * Fraction(10) ** int(ten)
        yield word, int(meaning), size, {b: int(p) for b, p in zip(BASES, powers) if int(p)}


def fault_of(word, meaning, size, powers, units):
    ours = (OURS_SECOND if meaning else OURS).get(word)
    if ours:
        return None if (size, powers) == (ours[0], {ours[1]: 1}) else f"is {size} {powers}"
    name = SECOND[word] if meaning else NAMES.get(word, word)
    if word in IN_RADIANS:
        return None
    theirs = units(name).to_base_units()
    expected = DEFINED.get(word) or Fraction(theirs.magnitude) * Fraction(1000) ** round(theirs.dimensionality.get("[mass]", 0))
    dimension = {b: round(theirs.dimensionality[p]) for b, p in PINT_BASES.items() if theirs.dimensionality.get(p)}
    if powers != dimension:
        return f"has the dimension {powers}, not {dimension}"
    near = IRRATIONAL if word in DEFINED else 1e-14 if "/" in name else 0  # pint divides with floating point
    if abs(size / expected - 1) > Fraction(near):
        return f"is {float(size)!r}, not {float(expected)!r}"
    return None


def main():
    units = with_pint.registry()
    found = list(meanings(sys.argv[1]))
    faults = [(word, fault) for word, *rest in found if (fault := fault_of(word, *rest, units))]
    for word, fault in faults:
        print(f"{word} {fault}")
    print(f"{len(found)} meanings, {len(faults)} not as in pint")
    return 1 if faults or len(found) < 150 else 0


if __name__ == "__main__":
    sys.exit(main())
