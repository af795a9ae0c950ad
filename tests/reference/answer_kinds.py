#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Pairs of answers of known truth, kind by kind: words that make another value, and one value in many notations.

    answer_kinds.py [--seed N] [--pairs N] [--only KIND] [--replies]

Of each kind N pairs (3,000) are drawn. Two values are never "the same", one value never "different"; what is told besides is
counted. --replies: the answer stands in a reply that announces it, boxes it, or has it last; what is true of the pair stays
true of the reply. The pairs are written by grammars of their own, which share nothing with the rules. Program: RDV_PROGRAM, or
build/rederive. Exits with 1 if one differs."""
import argparse
import json
import math
import os
import random
import re
import subprocess
import sys
from collections import Counter
from fractions import Fraction

SMALL = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen",
         "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]
TENS = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]


def spelled(n):
    if n < 20:
        return SMALL[n]
    if n < 100:
        return TENS[n // 10] + ("-" + SMALL[n % 10] if n % 10 else "")
    return SMALL[n // 100] + " hundred" + (" and " + spelled(n % 100) if n % 100 else "")


def some(rng):
    return rng.choice([str(rng.randint(2, 12)), str(rng.randint(13, 400)), f"{rng.randint(1, 30)}.{rng.randint(1, 9)}"])


# ---- two values: words that do not agree --------------------------------------------------------

THINGS = [("boys", "girls"), ("wins", "losses"), ("cats", "dogs"), ("heads", "tails"), ("apples sold", "apples left"), ("red balls", "blue balls"),
          ("adults", "children"), ("right answers", "wrong answers"), ("plates", "cups"), ("teachers", "students"), ("hits", "misses")]
SIDES = [("a profit of {} dollars", "a loss of {} dollars"), ("an increase of {}%", "a decrease of {}%"), ("{} km to the left", "{} km to the right"),
         ("{} m above sea level", "{} m below sea level"), ("{} points ahead", "{} points behind"), ("{} steps forward", "{} steps backward"),
         ("{} minutes early", "{} minutes late"), ("{} days ago", "{} days from now"), ("{} kg heavier", "{} kg lighter"), ("{} years older", "{} years younger"),
         ("{} km northeast", "{} km northwest"), ("{}° N", "{}° S"), ("AD {}", "{} BC"), ("a rise of {}", "a fall of {}"), ("gained {} pounds", "lost {} pounds"),
         ("{} dollars over budget", "{} dollars under budget"), ("{}% off", "{}% of it"), ("${} owed", "${} paid"), ("{} from the top", "{} from the bottom"),
         ("{} more than before", "{} fewer than before"), ("{} o'clock in the morning", "{} o'clock in the evening")]
RATES = ["hour", "day", "week", "month", "year", "person", "item", "page", "trip"]
SCALES = [("", ""), ("%", " percentage points"), ("%", "‰"), (" percent", " per mille"), ("%", " basis points"), (" ppm", " ppb"), (" thousand", " million"),
          (" million", " billion"), ("k", "M"), (" lakh", " crore"), (" dozen", " hundred"), (" Millionen", " Milliarden"), (" mil", " millones")]
UNITS = [("kg", "g"), ("m", "cm"), ("m/s", "km/h"), ("square meters", "cubic meters"), ("hours", "minutes"), ("°C", "°F"), ("miles", "km"), ("dollars", "cents"),
         ("euros", "dollars"), ("J", "N"), ("liters", "kg"), ("feet", "inches"), ("USD", "CAD"), ("degrees", "rad")]


ASKED = [("hours", "minutes", 60), ("kilometers", "meters", 1000), ("dollars", "cents", 100), ("feet", "inches", 12), ("weeks", "days", 7),
         ("kilograms", "grams", 1000), ("liters", "milliliters", 1000), ("minutes", "seconds", 60), ("yards", "feet", 3)]


def different(rng, kind):
    n = some(rng)
    if kind == "things":
        a, b = rng.choice(THINGS)
        form = rng.choice(["{} {}", "There are {} {}.", "{} {} in all", "She has {} {}"])
        return form.format(n, a), form.format(n, b)
    if kind == "sides":
        a, b = rng.choice(SIDES)
        return a.format(n), b.format(n)
    if kind == "rates":
        a, b = rng.sample(RATES, 2)
        form = rng.choice(["${} per {}", "{} dollars per {}", "{} pages per {}", "{} per {}", "{} km per {}"])
        return form.format(n, a), form.format(n, b)
    if kind == "scales":
        a, b = rng.choice(SCALES[1:])
        return n + a, n + b
    if kind == "units":
        a, b = rng.choice(UNITS)
        name = rng.choice(["", "", "", "x = ", "P = ", "v="])  # a name does not take the unit away
        if name and rng.random() < 0.5:
            return rf"{name}{n}\text{{ {a}}}", f"{n} {b}"
        return f"{name}{n} {a}", f"{n} {b}"
    if kind == "made":  # another number by a word beside it
        form = rng.choice(["half of {}", "{} squared", "{} factorial", "the reciprocal of {}", "twice {}", "{} dozen", "{} million", "{} below zero", "{} per mille",
                           "not {}", "at least {}", "at most {}", "more than {}", "less than {}", "{} or more", "{} percentage points", "-{}", "{}^2", "1/{}",
                           "{} millones", "{} Milliarden", "{} тысяч", "{}万", "{} lakh", "{} and a half", "{} + 1", "\\sqrt{{{}}}", "{} under par", "{} in debt"])
        return form.format(n), n
    if kind == "sums":  # an equation whose sides differ is neither
        a, b = rng.randint(2, 60), rng.randint(2, 60)
        wrong = a + b + rng.choice([1, -1, 2, 10])
        form = rng.choice(["{a} + {b} = {c}", "{a}+{b}={c}", "${a} + {b} = {c}$", "{b} + {a} = {c}"])
        if rng.random() < 0.3:
            return f"{a} = {wrong}", rng.choice([str(a), str(wrong)])
        return form.format(a=a, b=b, c=wrong), str(wrong)
    if kind == "order":
        a, b = rng.sample(range(2, 60), 2)
        pairs = [("({}, {})", "({}, {})"), ("{}:{}", "{}:{}"), ("[{}, {})", "[{}, {})"), ("x = {}, y = {}", "x = {}, y = {}"), ("{} cats, {} dogs", "{} cats, {} dogs"),
                 ("{} wins and {} losses", "{} wins and {} losses"), ("{} + {}i", "{} + {}i"), ("{}/{}", "{}/{}"), ("{} - {}", "{} - {}")]
        form, other = rng.choice(pairs)
        return form.format(a, b), other.format(b, a)
    if kind == "ends":
        a = rng.randint(1, 30)
        b = a + rng.randint(1, 30)
        one, two = rng.sample([f"({a}, {b})", f"[{a}, {b}]", f"({a}, {b}]", f"[{a}, {b})"], 2)
        if rng.random() < 0.4:
            one, two = rng.sample([f"x < {a}", f"x > {a}", f"x \\le {a}", f"x \\ge {a}", f"x = {a}", f"x \\ne {a}"], 2)
        return one, two
    if kind == "signs":
        a, b = rng.randint(2, 40), rng.randint(2, 40)
        return rng.choice([(f"{a}+{b}i", f"{a}-{b}i"), (f"\\pm {a}", f"{a}"), (f"-{a}", f"{a}"), (f"x^{{{a}}}", f"x^{{-{a}}}"), (f"y = {a}x", f"y = -{a}x"),
                           (f"{a} \\pm {b}", f"{a} + {b}"), (f"negative {spelled(a)}", spelled(a)), (f"minus {a}", f"{a}"), (f"{a} - {b}", f"{a} + {b}")])
    if kind == "asked":  # another unit than the question asks for, or the other way
        few, many, factor = rng.choice(ASKED)
        value = rng.randint(2, 90)
        if rng.random() < 0.3:
            one, two, what = rng.choice([("profit", "loss", "dollars"), ("increase", "decrease", "units"), ("gain", "loss", "points")])
            return f"a {two} of {value} {what}", str(value), f"How many {what} of {one} was it?"
        return rng.choice([(f"{value} {many}", str(value), f"How many {few} is it?"), (f"{value} {few}", str(value), f"How many {many} is it?"),
                           (f"{value * factor + 1} {many}", str(value), f"How many {few} is it?")])
    if kind == "commas":  # of a decimal comma nothing is left out
        whole, part = rng.randint(1, 99), rng.randint(1, 99)
        comma, unit = f"{whole},{part}", rng.choice(["", "", " km", " €"])
        return rng.choice([(f"{comma}{unit}", f"{whole}{part}{unit}"), (f"{comma}{unit}", f"{whole}{unit}"), (f"{comma}{unit}", f"{part}{unit}"),
                           (f"{whole}{{,}}{part}", f"{whole}{part}.5"), (f"({whole}, {part})", f"{whole}.{part}"), (f"{comma} km", f"{whole}.{part} kg"),
                           (f"0{{,}}{whole:03}", str(whole)), (f"{whole}.{part:03},5", f"{part:03}.5")])
    raise ValueError(kind)


DIFFERENT = ["things", "sides", "rates", "scales", "units", "made", "sums", "order", "ends", "signs", "commas", "asked"]

# ---- one value in two notations -----------------------------------------------------------------

MANY = {1000: ["thousand", "tausend", "mil", "mille", "mila", "duizend", "tusen", "ribu", "tysięcy", "tisíc", "ezer", "elfu", "тысяч", "тыс.", "nghìn", "k"],
        10**6: ["million", "millones", "Millionen", "millions", "milioni", "milhões", "miljoen", "miljoner", "milionów", "juta", "milyon", "miljoonaa", "millió",
                "млн", "миллионов", "мільйонів", "mln", "triệu", "M"],
        10**9: ["billion", "Milliarden", "milliards", "miliardi", "miljard", "miliardów", "miliar", "milyar", "млрд", "миллиардов", "bn"],
        10**5: ["lakh", "lakhs"], 10**7: ["crore", "crores"], 10**4: ["万", "萬", "만"], 10**8: ["億", "亿", "억"], 12: ["dozen", "dozens"]}


def number_forms(value):
    """Ways to write a fraction."""
    p, q = value.numerator, value.denominator
    forms = [f"{p}/{q}" if q > 1 else str(p), rf"\frac{{{p}}}{{{q}}}", f"{3 * p}/{3 * q}", f"({p})/({q})", rf"\dfrac{{{2 * p}}}{{{2 * q}}}"]
    places = next((k for k in range(7) if (value * 10**k).denominator == 1), None)
    if places is not None:
        decimal = f"{float(value):.{places}f}"
        forms += [decimal, decimal + ("0" if "." in decimal else ".0"), f"{float(value * 100):.{max(places - 2, 0)}f}%",
                  f"{float(value * 100):.{max(places - 2, 0)}f} percent", rf"{float(value * 100):.{max(places - 2, 0)}f}\%"]
    if q == 1 and 0 <= p < 1000:
        forms += [spelled(p), f"+{p}", f"{p}e0", f"{p}.", rf"\text{{{p}}}", f"${p}$", rf"\boxed{{{p}}}"]
    if q > 1 and p > q:
        forms += [f"{p // q} {p % q}/{q}", rf"{p // q}\frac{{{p % q}}}{{{q}}}", f"{p // q} + {p % q}/{q}"]
    if (p, q) == (1, 2):
        forms += ["half", "a half", "one half", "½"]
    if (p, q) == (3, 4):
        forms += ["three quarters", "three fourths", "¾"]
    return forms


def same(rng, kind):
    if kind == "numbers":
        value = rng.choice([Fraction(rng.randint(1, 999)), Fraction(rng.randint(1, 60), rng.choice([2, 4, 5, 8, 10, 20, 25])), Fraction(1, 2), Fraction(3, 4)])
        return tuple(rng.sample(number_forms(value), 2))
    if kind == "asked unit":  # gold without the unit that the question names
        few, many, factor = rng.choice(ASKED)
        value = rng.randint(2, 90)
        return rng.choice([(f"{value * factor} {many}", str(value), f"How many {few} is it?"), (f"{value} {few}", str(value), f"How many {few} is it?"),
                           (f"{value} {few}", str(value * factor), f"How many {many} is it?")])
    if kind == "decimal comma":  # a gold answer with a point, an answer with the comma of other countries
        whole, part, more = rng.randint(0, 999), f"{rng.randint(1, 99):02}".rstrip("0"), rng.randint(1000, 99999)
        unit, other = rng.choice([("", ""), ("", ""), (" km", " km"), (" €", " €"), (" m", " m"), ("%", "%")]), (f"{rng.randint(1, 9)},{part}", "")
        return rng.choice([(f"{whole},{part}{unit[0]}", f"{whole}.{part}{unit[1]}"), (f"{whole}{{,}}{part}", f"{whole}.{part}"),
                           (f"-{whole},{part}", f"-{whole}.{part}"), (f"{more:,}".replace(",", ".") + f",{part}", f"{more}.{part}"),
                           (f"({whole},{part}; {other[0]})", f"({whole}.{part}, {other[0].replace(',', '.')})"),
                           (f"0{{,}}{whole:03}", f"0.{whole:03}"), (f"{whole},{part} km", f"{whole}.{part} kilometers")])
    if kind == "powers":
        base, power = rng.randint(2, 9), rng.randint(2, 5)
        value = base**power
        ways = [f"{base}**{power}", f"{base}^{power}", f"{base}^{{{power}}}", str(value), f"{value:,}", rf"{base} \times {base ** (power - 1)}",
                f"{base}*{base ** (power - 1)}", rf"\sqrt{{{value * value}}}", rf"{value}.0", f"{base}^{power - 1} \\cdot {base}"]
        n, e = rng.randint(1, 9), rng.randint(2, 8)
        more = [rf"{n} \times 10^{{{e}}}", f"{n}e{e}", f"{n}*10**{e}", f"{n} × 10^{e}", f"{n} x 10^{e}", str(n * 10**e), f"{n * 10 ** e:,}"]
        return tuple(rng.sample(rng.choice([ways, more]), 2))
    if kind == "world":
        factor = rng.choice(list(MANY))
        n = rng.choice([str(rng.randint(2, 99)), f"{rng.randint(1, 9)}.5"])
        word = rng.choice(MANY[factor])
        value = Fraction(n) * factor
        digits = str(value) if value.denominator == 1 else str(float(value))
        one = n + ("" if word in ("k", "M", "万", "萬", "만", "億", "亿", "억") else " ") + word
        return tuple(rng.sample([one, rng.choice([digits, f"{int(value):,}" if value.denominator == 1 else digits])], 2))
    if kind == "durations":
        minutes = rng.choice([15, 20, 30, 45, 60, 90, 120, 150, 180, 10, 40])
        hours = Fraction(minutes, 60)
        ways = [f"{minutes} minutes", f"{minutes} min", f"{minutes * 60} seconds", f"{spelled(minutes)} minutes", f"{hours} hours" if hours.denominator > 1 or hours > 1 else "an hour"]
        ways += {15: ["a quarter of an hour"], 20: ["a third of an hour"], 30: ["half an hour"], 45: ["three quarters of an hour"], 60: ["one hour", "1 h"],
                 90: ["an hour and a half", "one and a half hours", "1 hour 30 minutes", "1 hour and 30 minutes", "1.5 h"], 120: ["two hours", "2 h"],
                 150: ["two and a half hours", "2 hours 30 minutes", "2.5 hours"], 180: ["three hours"], 10: ["a sixth of an hour"], 40: ["two thirds of an hour"]}[minutes]
        days = rng.randint(1, 9)
        weeks = [f"{7 * days} days", f"{spelled(7 * days)} days", f"{days} weeks", f"{spelled(days)} weeks", f"{days * 168} hours"]
        dozen = [f"{12 * days}", f"{days} dozen", f"{spelled(days)} dozen", spelled(12 * days)]
        length = [f"{12 * days} inches", f"{days} feet", f"{spelled(days)} feet", f"{days} ft", f"{12 * days} in"]
        money = [f"${days}.50", f"{days} dollars and 50 cents", f"{days * 100 + 50} cents", f"{days}.50 dollars"]
        return tuple(rng.sample(rng.choice([ways, weeks, dozen, length, money]), 2))
    if kind == "letters":
        letters = rng.sample("abcdghkmnpqruvwxyz", rng.choice([1, 2, 3, 4]))
        one = letters[0]
        plain = "".join(letters)
        ways = [plain, " ".join(letters), "*".join(letters), r" \cdot ".join(letters), r" \times ".join(letters), " · ".join(letters), " × ".join(letters),
                "".join(letters[::-1]) if len(letters) < 3 else plain, plain + "+0", f"{one}^1" + "".join(letters[1:]), f"2{plain}/2",
                rf"\frac{{{one}^2{''.join(letters[1:])}}}{{{one}}}", rf"\frac{{2{plain}}}{{2}}", f"1 \\cdot {r' * '.join(letters)}", f"-(-{plain})"]
        return tuple(rng.sample(sorted(set(ways)), 2))
    if kind == "algebra":
        x, y = rng.sample("abkmxyz", 2)
        a, b = rng.randint(2, 9), rng.randint(2, 9)
        pairs = [(f"({x}+{a})({x}+{b})", f"{x}^2+{a + b}{x}+{a * b}"), (rf"\sqrt{{{x}^2}}", f"|{x}|"), (rf"\frac{{{x}!}}{{({x}-1)!}}", x), (f"{x}!/({x}-1)!", x),
                 (rf"\frac{{({x}+1)!}}{{{x}!}}", f"{x}+1"), (f"{a}{x}+{b}{x}", f"{a + b}{x}"), (f"{x}/{y}", rf"\frac{{{x}}}{{{y}}}"), (f"{x}^{{-1}}", f"1/{x}"),
                 (f"{x}**{a}", f"{x}^{a}"), (f"{x}²", f"{x}^2"), (rf"\ln e^{{{a}}}", str(a)), ("e", r"\exp(1)"), (f"e^{x}", rf"\exp({x})"), (f"{a}({x}+{b})", f"{a}{x}+{a * b}"),
                 (f"({x}-{a})({x}+{a})", f"{x}^2-{a * a}"), (f"{x}+{y}", f"{y}+{x}"), (f"{x}·{y}", f"{x}{y}"), (f"{a}-{x}", f"-({x}-{a})"), (rf"\tan {x}", rf"\frac{{\sin {x}}}{{\cos {x}}}"),
                 (f"½{x}", f"{x}/2"), (f"{x}^0", "1"), (f"{x}-{x}", "0"), (f"0.5{x}", rf"\frac{{{x}}}{{2}}"), (f"sqrt({x})", rf"\sqrt{{{x}}}"), ("π", "pi"), ("2π", r"2\pi"),
                 (rf"\binom{{{a + 2}}}{{2}}", str(math.comb(a + 2, 2))), (f"{a}!", str(math.factorial(a))), (rf"\frac{{{a + 1}!}}{{{a}!}}", str(a + 1)), ("∞", r"\infty"),
                 (f"{x}={a}", f"{x} = {a}.0"), (f"{a}={x}", f"{x}={a}"), (f"{x}<{a}", f"{a}>{x}"), (f"{x}≤{a}", rf"{a} \ge {x}")]
        return tuple(rng.sample(rng.choice(pairs), 2))
    if kind == "bases":
        n, base = rng.randint(17, 400), rng.choice([2, 3, 5, 8, 16])
        digits, rest = "", n
        while rest:
            digits, rest = "0123456789ABCDEF"[rest % base] + digits, rest // base
        ways = [str(n), rf"{digits}_{{{base}}}", f"{digits}_{base}"]
        return tuple(rng.sample(ways if digits[0].isdigit() else ways[:2], 2))
    if kind == "dates":
        import datetime
        day = datetime.date(rng.randint(1900, 2030), rng.randint(1, 12), rng.randint(1, 28))
        name = day.strftime("%B")
        ways = [day.isoformat(), f"{name} {day.day}, {day.year}", f"{day.day} {name} {day.year}", f"{name[:3]} {day.day}, {day.year}", f"{day.month}/{day.day}/{day.year}",
                f"{day.day}/{day.month}/{day.year}", f"{day.day} {name[:3]} {day.year}"]
        hour = rng.randint(1, 11)
        times = [f"{hour + 12}:00", f"{hour} pm", f"{hour}:00 PM", f"{hour} p.m.", f"{hour}:00 p.m."]
        names = rng.choice([["January", "Jan", "Jan."], ["Tuesday", "Tue", "tuesday"], ["September", "Sept."], ["noon", "12:00"], ["midnight", "12 am"]])
        return tuple(rng.sample(rng.choice([ways, times, names]), 2))
    if kind == "words":
        n, d = rng.randint(1, 99), rng.choice(["apples", "books", "days", "students", "pages", "dollars", "km", "points"])
        ways = [f"{n}", f"{spelled(n)}", f"{n} {d}", f"{spelled(n)} {d}", f"There are {n} {d}.", f"{n} {d} in all", f"the answer is {n}", f"{n}.0", f"exactly {n} {d}"]
        return tuple(rng.sample(ways, 2))
    raise ValueError(kind)


SAME = ["numbers", "decimal comma", "asked unit", "powers", "world", "durations", "letters", "algebra", "bases", "dates", "words"]

# ---- replies ------------------------------------------------------------------------------------

FRAMES = ["The answer is {}.", "We add them up first.\n\nSo the final answer is {}.", "First she buys 3 of 778 items.\n#### {}", "**Answer:** {}",
          "Answer: {}\nI hope this helps.", "<answer>{}</answer>", "We know that 250 + 528 = 778.\nThen we get {}.", "Therefore, it is {}.",
          "There were 778 at first. At the end it was {}, as asked.", "The final answer is $\\boxed{{{}}}$."]
BOXES = ["{before}$\\boxed{{{number}}}${behind}.", "We conclude: {before}$\\boxed{{{number}}}${behind}", "So it is {before}\\(\\boxed{{{number}}}\\){behind}.",
         "The answer is {before}**{number}**{behind}."]
LONE = re.compile(r"^(?P<before>[A-Za-z ]*[ -])??(?P<number>\d+(?:\.\d+)?)(?P<behind> [A-Za-z' ]+|)$")
# One number in digits, with words, signs and units: what is not so is read, or is not, for other reasons.
QUANTITY = re.compile(r"^[A-Za-z ]*[-$]?\d[\d,]*(\.\d+)?(e\d+)?(\\?%| ?[^\d()^*/_\\=+]*)$")
IN_REPLIES = [*(kind for kind in DIFFERENT if kind != "sums"), "numbers", "decimal comma", "asked unit", "world", "durations", "words"]


def in_reply(rng, answer):
    """A reply that gives this answer; of one number with words, sometimes only the number in the box."""
    answer = answer.removesuffix(".")
    lone = LONE.match(answer)
    if lone and rng.random() < 0.3:
        return rng.choice(BOXES).format(**{name: part or "" for name, part in lone.groupdict().items()})
    return rng.choice(FRAMES).format(answer)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--pairs", type=int, default=3000)
    parser.add_argument("--only")
    parser.add_argument("--show", type=int, default=4)
    parser.add_argument("--replies", action="store_true")
    given = parser.parse_args()
    bad = 0
    for name in [*DIFFERENT, *SAME]:
        if given.only not in (None, name) or (given.replies and name not in IN_REPLIES):  # "2 + 3 = 6" gives 6
            continue
        rng = random.Random(f"{given.seed} {name}")
        draw, truth = (different, False) if name in DIFFERENT else (same, True)
        made = [draw(rng, name) for _ in range(given.pairs)]
        made = [(*pair, None)[:3] for pair in made if pair[0] != pair[1]]
        if given.replies:
            made = [(in_reply(rng, answer), gold, question) for answer, gold, question in made
                    if re.search(r"\d", answer) and (not truth or (QUANTITY.match(answer) and re.match(r"[$\d]", gold)))]
        member = "text" if given.replies else "answer"
        lines = "".join(json.dumps({member: answer, "gold": gold, "question": question}) + "\n" for answer, gold, question in made)
        done = subprocess.run([os.environ.get("RDV_PROGRAM", "build/rederive"), "grade", "-q"], capture_output=True, text=True, check=False, input=lines)
        told, wrong = Counter(), {}
        for (answer, gold, question), graded in zip(made, map(json.loads, done.stdout.splitlines())):
            found = graded.get("correct", "error")
            told[found] += 1
            if found not in (truth, None):
                shape = "".join("9" if c.isdigit() else c for c in answer + " gold " + gold)
                wrong.setdefault(shape, f"    {answer!r} gold {gold!r} {question or ''}: {found}, {graded.get('why')}, {graded.get('reason') or graded.get('error')}")
        told_wrong = told[not truth] + told["error"] + len(made) - sum(told.values())
        print(f"{'same' if truth else 'different'}, {name}: {len(made)} pairs, {told_wrong} wrong, {told[truth]} told, {told[None]} not told")
        print("\n".join(list(wrong.values())[:given.show]), end="\n" if wrong else "")
        bad += told_wrong
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
