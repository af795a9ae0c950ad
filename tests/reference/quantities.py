#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Calculations with units in many notations, made and worked out by pint, through `rederive check`.

    quantities.py [--cases N] [--seed N] [--list]

Half of them are right; in the other half the result is changed by a sixth to five times. None that is right
may be contradicted, none that is changed may be supported, and of the kinds in SPOKEN none may pass without a word:
each is decided, or undecided with its reason. The kinds: stated conversions, temperatures, angles, amounts in several
units, an amount times what converts its unit, things with a price, rates, mixed numbers, letters of electricity, signs of money behind numbers, powers of ten below a line, sums of different
units, speeds times times and back, areas, forces and energies, prices."""
import argparse
import random
import sys
from collections import Counter
from fractions import Fraction

import with_pint
from records import records

# By dimension: pint's name, the words (singular, plural) and the symbol.
UNITS = {
    "length": [("meter", "meter", "meters", "m"), ("kilometer", "kilometer", "kilometers", "km"),
               ("centimeter", "centimeter", "centimeters", "cm"), ("millimeter", "millimetre", "millimetres", "mm"),
               ("foot", "foot", "feet", "ft"), ("inch", "inch", "inches", "in"), ("yard", "yard", "yards", "yd"),
               ("mile", "mile", "miles", "mi")],
    "time": [("second", "second", "seconds", "s"), ("minute", "minute", "minutes", "min"),
             ("hour", "hour", "hours", "h"), ("day", "day", "days", None), ("week", "week", "weeks", None)],
    "mass": [("kilogram", "kilogram", "kilograms", "kg"), ("gram", "gram", "grams", "g"),
             ("milligram", "milligram", "milligrams", "mg"), ("metric_ton", "tonne", "tonnes", None),
             ("pound", "pound", "pounds", "lb"), ("ounce", "ounce", "ounces", "oz")],
    "volume": [("liter", "liter", "liters", "L"), ("milliliter", "milliliter", "milliliters", "mL"),
               ("gallon", "gallon", "gallons", "gal"), ("quart", "quart", "quarts", None),
               ("cup", "cup", "cups", None)],
    "data": [("megabyte", "megabyte", "megabytes", "MB"), ("kilobyte", "kilobyte", "kilobytes", "kB"),
             ("byte", "byte", "bytes", None)],
}
LATEX = [lambda s: rf"\text{{ {s}}}", lambda s: rf"\,\mathrm{{{s}}}", lambda s: rf"~\text{{{s}}}"]
SPOKEN = {"conversion", "temperature", "angle", "amount", "converted", "mixed", "electric", "money", "scientific", "counted", "rate"}
AMOUNTS = [("hour", "minute", 60), ("minute", "second", 60), ("foot", "inch", 12), ("kilogram", "gram", 1000),
           ("meter", "centimeter", 100), ("pound", "ounce", 16)]
PLURAL = {"foot": "feet", "inch": "inches"}
TIMES = {"plain": ["*", "x", "×", "·"], "latex": [r"\times", r"\cdot"]}


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.units = with_pint.registry()

    def number(self):
        r = self.random
        return Fraction(r.choice([r.randint(2, 60), r.randint(2, 400) * 5, r.randint(1, 99) * 10]),
                        r.choice([1, 1, 1, 2, 4, 10]))

    def shown(self, value):
        """`value` as a decimal, exact or rounded to nearest, and what it is then."""
        value = Fraction(value)
        for places in range(7):
            if (value * 10 ** places).denominator == 1:
                break
        else:
            while places < 12 and abs(value) * 10 ** places < 1000:
                places += 1
            places = max(2, places - 4) if abs(value) >= 1 else places
        digits = round(value * 10 ** places)
        text = str(digits) if not places else f"{Fraction(digits, 10 ** places).__float__():.{places}f}"
        if "." in text:
            whole, _, rest = text.partition(".")
            text = whole + "." + rest.rstrip("0") if rest.rstrip("0") else whole
        return text

    def unit(self, dimension, but=None):
        return self.random.choice([u for u in UNITS[dimension] if u is not but])

    # -- notation

    def style(self):
        self.words = self.random.random() < 0.4
        self.latex = not self.words and self.random.random() < 0.4
        self.wrap = self.random.choice(LATEX)
        self.slash = self.random.choice(["/", " per ", "frac", "-1"])
        self.times = self.random.choice(TIMES["latex" if self.latex else "plain"])

    def written(self, text, *parts):
        """A number with a product of units, each (unit, power); a power below 0 divides."""
        above = [self.factor(u, p, text) for u, p in parts if p > 0]
        below = [(u, -p) for u, p in parts if p < 0]
        if self.words or any(u[3] is None for u, _ in parts):
            names = " ".join(above) + "".join(" per " + self.word(u, p, one=True) for u, p in below)
            return f"{text} {names}" if not self.latex else f"{text} \\text{{ {names}}}"
        if self.latex:
            if below and self.slash == "frac":
                under = "".join(rf"\text{{{self.symbol(u, p)}}}" for u, p in below)
                return rf"{text} \frac{{\text{{{' '.join(above)}}}}}{{{under}}}"
            if below and self.slash == "-1":
                return text + self.wrap(" ".join(above + [f"{u[3]}^{{-{p}}}" for u, p in below]))
            return text + self.wrap(" ".join(above) + "".join("/" + self.symbol(u, p) for u, p in below))
        return text + " " + "·".join(above) + "".join("/" + self.symbol(u, p) for u, p in below)

    def symbol(self, unit, power):
        return unit[3] + ("" if power == 1 else f"^{power}" if self.latex or self.slash == "-1" else "²³"[power - 2])

    def word(self, unit, power, one=False):
        return {1: "", 2: "square ", 3: "cubic "}[power] + unit[1 if one else 2]

    def factor(self, unit, power, text):
        if self.words or unit[3] is None:
            return self.word(unit, power, one=text == "1")
        return self.symbol(unit, power)

    # -- the kinds: (left side, pint's value of it, the unit of the result as parts)

    def conversion(self):
        dimension = self.random.choice(list(UNITS))
        a = self.unit(dimension)
        n = self.number()
        return self.written(self.shown(n), (a, 1)), self.q(n, (a, 1)), ((self.unit(dimension, a), 1),)

    def sum(self):
        dimension = self.random.choice(["length", "time", "mass", "volume"])
        a, b, c = (self.unit(dimension) for _ in range(3))
        m, n = self.number(), self.number()
        sign = self.random.choice("+-")
        value = self.q(m, (a, 1)) + self.q(n if sign == "+" else -n, (b, 1))
        return f"{self.written(self.shown(m), (a, 1))} {sign} {self.written(self.shown(n), (b, 1))}", value, ((c, 1),)

    def way(self):
        length, time, u = self.unit("length"), self.unit("time"), self.unit("time")
        m, n = self.number(), self.number()
        left = f"{self.written(self.shown(m), (length, 1), (time, -1))} {self.times} {self.written(self.shown(n), (u, 1))}"
        return left, self.q(m, (length, 1), (time, -1)) * self.q(n, (u, 1)), ((length, 1),)

    def speed(self):
        length, time = self.unit("length"), self.unit("time")
        m, n = self.number(), self.number()
        left = f"{self.written(self.shown(m), (length, 1))} / {self.written(self.shown(n), (time, 1))}"
        return left, self.q(m, (length, 1)) / self.q(n, (time, 1)), ((length, 1), (time, -1))

    def area(self):
        a = self.unit("length")
        b = a if self.random.random() < 0.7 else self.unit("length")
        m, n = self.number(), self.number()
        left = f"{self.written(self.shown(m), (a, 1))} {self.times} {self.written(self.shown(n), (b, 1))}"
        return left, self.q(m, (a, 1)) * self.q(n, (b, 1)), ((a, 2),)

    def force(self):
        kg, m, s = UNITS["mass"][0], UNITS["length"][0], UNITS["time"][0]
        newton = ("newton", "newton", "newtons", "N")
        x, y = self.number(), self.number()
        left = f"{self.written(self.shown(x), (kg, 1))} {self.times} {self.written(self.shown(y), (m, 1), (s, -2))}" \
            if not self.words else None
        if left is None:
            return self.energy()
        return left, self.q(x, (kg, 1)) * self.q(y, (m, 1), (s, -2)), ((newton, 1),)

    def energy(self):
        newton, joule = ("newton", "newton", "newtons", "N"), ("joule", "joule", "joules", "J")
        m = self.random.choice(UNITS["length"][:3])
        x, y = self.number(), self.number()
        left = f"{self.written(self.shown(x), (newton, 1))} {self.times} {self.written(self.shown(y), (m, 1))}"
        return left, self.q(x, (newton, 1)) * self.q(y, (m, 1)), ((joule, 1),)

    def q(self, number, *parts):
        out = self.units.Quantity(Fraction(number), "dimensionless")
        for u, p in parts:
            for _ in range(abs(p)):
                one = self.units.Quantity(Fraction(1), u[0])
                out = out * one if p > 0 else out / one
        return out

    def price(self):
        """No unit of pint's: dollars per unit times an amount in another unit."""
        a, b = self.unit("time"), self.unit("time")
        m, n = self.number(), self.number()
        left = f"${self.shown(m)}{self.random.choice(['/', ' per '])}{a[1]} * {self.shown(n)} {b[1 if n == 1 else 2]}"
        return left, m * self.q(n, (b, 1)).to(a[0]).magnitude, None

    # -- kinds that are written out: (left side, its sign, the true right side, a wrong one)

    def temperature(self):
        r, zero = self.random, Fraction(27315, 100)
        celsius = r.randint(-40, 400)
        scales = {"°C": Fraction(celsius), "°F": Fraction(celsius * 9, 5) + 32, "K": celsius + zero}
        a, b = r.sample(sorted(scales), 2)
        off = r.choice([-30, -10, 10, 15, 40])
        return f"{self.shown(scales[a])} {a}", "=", f"{self.shown(scales[b])} {b}", f"{self.shown(scales[b] + off)} {b}"

    def angle(self):
        r = self.random
        d = r.choice([1, 2, 3, 4, 5, 6, 9, 10, 12])
        n = r.choice([n for n in range(1, 2 * d + 2)])
        degrees = r.choice([f"{n * 180 // d}°", f"{n * 180 // d} degrees"])
        unit = r.choice(["rad", "radians"])
        other = r.choice([m for m in range(1, 2 * d + 3) if m != n])

        def radians(k):
            part = Fraction(k, d)
            over = f"/{part.denominator}" if part.denominator > 1 else ""
            return f"{part.numerator if part.numerator > 1 else ''}\N{GREEK SMALL LETTER PI}{over} {unit}"
        if r.random() < 0.5:
            return degrees, "=", radians(n), radians(other)
        return radians(n), "=", f"{n * 180 // d}°", f"{other * 180 // d}°"

    def amount(self):
        r = self.random
        large, small, ratio = r.choice(AMOUNTS)
        m, n = r.randint(1, 9), r.randint(1, ratio - 1)
        wrong = r.choice([k for k in range(1, ratio) if k != n])
        joined = r.choice([" ", " and "])

        def count(k, unit):
            return f"{k} {unit if k == 1 else PLURAL.get(unit, unit + 's')}"

        def parts(k):
            return count(m, large) + joined + count(k, small)
        whole, sign = m * ratio + n, r.choice(["=", "is", "is"])
        if r.random() < 0.5:
            return count(whole, small), sign, parts(n), parts(wrong)
        return parts(n), sign, count(whole, small), count(m * ratio + wrong, small)

    def converted(self):
        """An amount times what one of its unit comes to: the result is in the other unit."""
        r = self.random
        large, small, ratio = r.choice(AMOUNTS)
        large, small = PLURAL.get(large, large + "s"), PLURAL.get(small, small + "s")
        n, times = r.randint(2, 40), r.choice(TIMES["plain"])
        factors = [f"{n} {large}", f"{ratio} {small}"]
        if r.random() < 0.3:
            factors.reverse()
        return f" {times} ".join(factors), "=", f"{n * ratio} {small}", f"{n * ratio} {large}"

    def mixed(self):
        r = self.random
        large, small, ratio = r.choice(AMOUNTS)
        d = r.choice([d for d in (2, 3, 4, 5) if ratio % d == 0])
        m, n = r.randint(1, 9), r.randint(1, d - 1)
        wrong = m + r.choice([1, 2])
        plural = PLURAL.get(large, large + "s")
        small = PLURAL.get(small, small + "s")
        part = f"{n}/{d}" if r.random() < 0.7 else rf"\frac{{{n}}}{{{d}}}"
        space = "" if "frac" in part else " "
        return f"{m * ratio + n * ratio // d} {small}", "=", f"{m}{space}{part} {plural}", f"{wrong}{space}{part} {plural}"

    def electric(self):
        """Two quantities whose product is a third: it is calculated, or one of them from it."""
        r = self.random
        a, b, c = r.choice([("V", "A", "W"), ("A", "\N{GREEK CAPITAL LETTER OMEGA}", "V"), ("A", "s", "C"), ("W", "s", "J"),
                            ("N", "m", "J"), ("Pa", "m^2", "N"), ("F", "V", "C"), ("C", "V", "J")])
        x, y = r.randint(2, 40), r.randint(2, 40)
        off = r.randint(1, 9)
        times = r.choice(["*", "x", "×", "·"])
        if r.random() < 0.5:
            return f"{x} {a} {times} {y} {b}", "=", f"{x * y} {c}", f"{x * y + off} {c}"
        return f"{x * y} {c} / {x} {a}", "=", f"{y} {b}", f"{y + off} {b}"

    def money(self):
        r = self.random
        sign = r.choice(["\N{EURO SIGN}", "\N{POUND SIGN}", "\N{YEN SIGN}"])
        blank, off = r.choice(["", " "]), r.randint(1, 9)
        x, y = r.randint(2, 90), r.randint(2, 90)

        def sum_of(k):
            return f"{k}{blank}{sign}"
        if r.random() < 0.5:
            return f"{sum_of(x)} + {sum_of(y)}", "=", sum_of(x + y), sum_of(x + y + off)
        return f"{sum_of(x)} * {y}", "=", sum_of(x * y), sum_of(x * y + off)

    def counted(self):
        """Things that are read as units, and what one of them costs or, for coins, is."""
        r = self.random
        n, thing = r.randint(2, 90), r.choice([("dimes", 10), ("nickels", 5), ("quarters", 25), ("pennies", 1), "pairs", "bars",
                                               "kWh", "pounds", "yards"])
        worth = thing[1] if isinstance(thing, tuple) else r.randint(2, 2000)
        false = r.choice([c for c in (1, 5, 10, 25, 50) if c != worth])
        if not isinstance(thing, tuple):
            return f"{n} {thing} * ${worth / 100:.2f}", "=", f"${n * worth / 100:.2f}", f"${n * (worth + false) / 100:.2f}"
        return f"{n} {thing[0]} *", "", *(f"${cents / 100:.2f} = ${n * cents / 100:.2f}" for cents in (worth, false))

    def rate(self):
        """What converts, and a number of other things that does not."""
        r = self.random
        large, small, ratio = r.choice([a for a in AMOUNTS if a[0] not in ("pound", "meter")])
        n, false = r.randint(2, 40), r.choice([k for k in (8, 10, 20, 30, 50, 100, 500) if abs(k - ratio) * 20 > ratio])
        plural, per = PLURAL.get(small, small + "s"), r.choice(["/", " per "])
        right, wrong = (f"{k} rows. {n} {PLURAL.get(large, large + 's')} * {k} {plural}{per}{large} = {n * k} {plural}"
                        for k in (ratio, false))
        return "There are", "", right, wrong

    def scientific(self):
        r = self.random
        x, y, e, f = r.randint(2, 9), r.randint(2, 9), r.randint(-9, 12), r.randint(-9, 12)
        while f in (0, 1) or e in (0, 1) or e - f in (0, 1):
            e, f = r.randint(-9, 12), r.randint(-9, 12)
        times = r.choice(["x", "*", "×", r"\times"])

        def number(n, power):
            return rf"{n} {times} 10^{{{power}}}" if "times" in times else f"{n} {times} 10^{power}"
        left = f"{number(x * y, e)} / {number(y, f)}"
        return left, "=", number(x, e - f), number(x % 9 + 1, e - f)

    def case(self, changed):
        kind = self.random.choice(["conversion", "sum", "way", "speed", "area", "force", "energy", "price"] + sorted(SPOKEN))
        self.style()
        if kind in SPOKEN - {"conversion"}:
            left, sign, right, wrong = getattr(self, kind)()
            return kind, f"{left} {sign} {wrong if changed else right}"
        left, value, parts = getattr(self, kind)()
        target = self.q(1, *parts) if parts else None
        result = Fraction(value.to(target.units).magnitude) if parts else Fraction(value)
        true = result
        if changed:
            result *= self.random.choice([Fraction(5, 6), Fraction(6, 5), Fraction(3, 2), Fraction(1, 5), 5, 3])
        text = self.shown(result)
        right = self.written(text, *parts) if parts else f"${text}"
        ulp = Fraction(1, 10 ** len(text.partition(".")[2]))
        rounds = changed and abs(Fraction(text) - true) <= ulp  # 15 s is 0.25 min, or 0.3
        if not result or rounds or text in ("0", "-0") or len(text) > 12:
            return self.case(changed)
        return kind, f"{left} = {right}"


def verdicts(steps):
    inputs = [{"question": "How much is it?", "steps": [s]} for s in steps]
    firsts = [r["verdicts"][0] for r in records(["check", "--quiet", "--json"], inputs)]
    return [(v["verdict"], v.get("explanation", "")) for v in firsts]


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--cases", type=int, default=20000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--list", action="store_true")
    args = parser.parse_args()
    maker = Maker(args.seed)
    cases = [(i % 2 == 1, *maker.case(i % 2 == 1)) for i in range(args.cases)]
    counts, faults = Counter(), 0
    for (changed, kind, step), (verdict, why) in zip(cases, verdicts([c[2] for c in cases])):
        counts[changed, kind, verdict] += 1
        fault = verdict == ("support" if changed else "contradict") or (kind in SPOKEN and verdict == "unrelated")
        faults += fault
        if fault or (args.list and verdict in ("unknown", "unrelated")):
            print(f"{'FAULT ' if fault else ''}{'changed' if changed else 'right'} {kind} {verdict}: {step}  [{why}]")
    for changed in (False, True):
        print("changed" if changed else "right")
        for kind in sorted({k for c, k, _ in counts if c == changed}):
            of = {v: counts[changed, kind, v] for v in ("support", "contradict", "unknown", "unrelated")}
            print(f"    {kind:<12}" + "".join(f"{n:>7} {v}" for v, n in of.items()))
    half = args.cases / 2
    supported = sum(n for (c, _, v), n in counts.items() if not c and v == "support")
    contradicted = sum(n for (c, _, v), n in counts.items() if c and v == "contradict")
    print(f"right ones supported {supported / half:.3f}, changed ones contradicted {contradicted / half:.3f}, {faults} faults")
    return 1 if faults or supported < 0.97 * half or contradicted < 0.7 * half else 0


if __name__ == "__main__":
    sys.exit(main())
