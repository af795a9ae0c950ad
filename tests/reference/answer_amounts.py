#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Amounts of known truth, kind by kind: chains of equalities, money, units in words, times, percents, and what goes up or down.

    answer_amounts.py [--seed N] [--pairs N] [--only KIND]

Of each kind N pairs (3,000) are drawn, half of them the same; each is an answer or a whole reply, by chance. No two values are
"the same", and no answer that is gold's is "different". Of the kinds in TOLD each pair must be told. Program: RDV_PROGRAM, or
build/rederive. Exits with 1 if one differs."""
import sys

import answer_ends
from answer_sentences import another, posed, words

CHAINS = [("A", "πr²", "cm²"), ("A", "\\pi r^2", "m²"), ("V", "s³", "m³"), ("W", "F·d", "J"), ("F", "m·a", "N"), ("E", "mgh", "J"), ("P", "U·I", "W"), ("v", "s/t", "m/s"), ("Q", "m·c·T", "kJ"), ("t", "d/v", "h")]
# What an amount of one currency is called, and what a hundredth of it is.
CENTS = {"dollar": ("$", "cent"), "euro": ("€", "cent"), "pound": ("£", "penny")}
UNITS = {"gram": "g", "kilogram": "kg", "meter": "m", "kilometer": "km", "centimeter": "cm", "mile": "mi", "newton": "N", "liter": "L"}
RATES = [("gram", "cubic centimeter", "g/cm³", "g/cm²"), ("kilogram", "cubic meter", "kg/m³", "kg/m²"), ("kilogram", "square meter", "kg/m²", "kg/m"), ("newton", "square meter", "N/m²", "N/m"),
         ("meter", "second", "m/s", "m/s²"), ("meter", "second squared", "m/s²", "m/s"), ("kilometer", "hour", "km/h", "m/s"), ("gram", "liter", "g/L", "g/mL"), ("liter", "minute", "L/min", "L/h")]
LISTS = "apple banana cherry date elm fig grape hazel iris jasmine".split()
FORMULAS = ["{a}x^2 + {b}", "-\\cos({a}x) + {b}", "\\frac{{x}}{{{a}}} - {b}", "{a}e^{{{b}x}}", "{a}(x + {b})", "\\sqrt{{x + {a}}} + {b}", "{a}\\ln x - {b}"]
SUBJECTS = "demand output supply pressure volume temperature speed cost population".split()


def plural(n, noun):
    return f"{n} {noun}" if n == 1 else f"{n} " + ("pence" if noun == "penny" else noun + "s")


def chains(rng, same):
    """The value of a chain of equalities is its last side."""
    name, formula, unit = rng.choice(CHAINS)
    value = rng.choice([str(rng.randint(2, 900)), f"{rng.randint(1, 90)}.{rng.randint(1, 99):02}".rstrip("0")])
    a, b = rng.randint(2, 29), rng.randint(2, 29)  # whose product is no other gold
    middle = rng.choice([f" = {formula}", f" = {formula} = {a} × {b}", f" = {formula} = {a}·{b}"])
    sign = rng.choice([" = ", " ≈ ", " \\approx "])
    answer = name + middle + sign + value + rng.choice(["", " " + unit])
    if same:
        gold = value + rng.choice(["", " " + unit] if unit in answer else [""])
    else:
        gold = rng.choice([str(another(rng, value, 901, 999)), str(another(rng, a, 901, 999)) + " " + unit, f"{value}1"])
    return posed(rng, answer + rng.choice(["", "."] if value.isdigit() else [""]), gold, rng.choice([None, "What is it?"]))


def roundings(rng, same):
    """An exact value with what it is near, and with what it is far from, of which neither is told."""
    k = rng.randint(2, 60)
    value = k * 3.14159265
    near = f"{value * (1 if same else rng.choice([1.3, 0.6, 2])):.{rng.choice([1, 2])}f}"
    return {"answer": rng.choice(["{}π ≈ {}", "{}\\pi \\approx {}", "A = {}π ≈ {}", "x = {}\\pi \\approx {} cm"]).format(k, near), "gold": f"{k}\\pi"}


def compounds(rng, same):
    """An amount in two units of money."""
    whole, part = rng.randint(1, 90), rng.randint(1, 99)
    currency = rng.choice(list(CENTS))
    sign, cent = CENTS[currency]
    answer = rng.choice(["{} and {}", "{} {}", "{}, {}"][:2]).format(plural(whole, currency), plural(part, cent)) + rng.choice(["", "."])
    if same:
        return posed(rng, answer, rng.choice([f"{sign}{whole}.{part:02}", f"{whole}.{part:02} {currency}s", f"{whole}.{part:02}"]))
    other = rng.choice([f"{whole}.{part % 99 + 1:02}", f"{whole + 1}.{part:02}"] + ([f"{whole}.{part // 10}"] if part > 9 and part % 10 else []))
    wrong = rng.choice([f"{sign}{other}", other, f"{'€£$'.replace(sign, '')[rng.randint(0, 1)]}{whole}.{part:02}"])
    return posed(rng, answer, wrong)


def rated_cents(rng, same):
    """Cents for each thing, beside an amount or a rate."""
    part, (thing, other) = rng.randint(2, 98), rng.sample(["pen", "book", "apple", "ticket", "hour", "mile"], 2)
    question = rng.choice([None, f"What does one {thing} cost?", f"How much is it per {thing}?"])
    answer = rng.choice(["{}¢ per {}", "{} cents per {}", "{} cents a {}".replace(" a ", " per ")]).format(part, thing)
    if same:
        return posed(rng, answer, rng.choice([f"$0.{part:02}", f"$0.{part:02} per {thing}", f"{part} cents per {thing}"]), question)
    return posed(rng, answer, rng.choice([f"$0.{part + 1:02}", f"$0.{part:02} per {other}", f"${part}", f"${part} per {thing}"]), question)


def thousands(rng, same):
    """Amounts in thousands and millions by a letter, with what they are of."""
    number, letter = rng.randint(2, 990), rng.choice("kKM")
    sign, name, code = rng.choice([("$", "dollars", "USD"), ("€", "euros", "EUR"), ("", "people", ""), ("", "views", "")])
    shown = f"{number}{letter}" if number % 3 else f"{number / 10:g}{letter}"
    value = (number if number % 3 else number / 10) * (1000000 if letter == "M" else 1000)
    value = round(value)
    answer = rng.choice([f"{shown} {name}", f"{sign}{shown}" if sign else f"{shown} {name}"])
    if not same:
        value = rng.choice([value * 10, value + 1000, value // 1000 + 1, value * 1000])
    gold = rng.choice([f"{sign}{value:,}", f"{value:,} {name}", f"{sign}{value}"])
    return posed(rng, answer, gold)


def worded_units(rng, same):
    """Units in words beside signs."""
    number = rng.choice([str(rng.randint(2, 900)), f"{rng.randint(1, 90)}.{rng.randint(1, 9)}"])
    above, below, sign, other = rng.choice(RATES)
    spelled = below.replace("meter", "metre") if rng.random() < 0.2 else below
    answer = rng.choice(["{} {}s per {}", "{} {}s per {}.", "The result is {} {}s per {}."]).format(number, above, spelled)
    if same:
        return posed(rng, answer, rng.choice([f"{number} {sign}", f"{number} {above}s per {below}", f"{number}"]))
    wrong = rng.choice([f"{another(rng, number, 901, 999)} {sign}", f"{number} {other}", f"{another(rng, number, 901, 999)}"])
    return posed(rng, *((answer, wrong) if rng.random() < 0.7 else (wrong, f"{number} {above}s per {below}")))


def crowds(rng, same):
    """Things for a unit with its power, of which the unit is not in any table."""
    number, thing = rng.randint(2, 900), rng.choice(["people", "trees", "birds"])
    unit, other = rng.sample(["square mile", "mile", "cubic mile", "square kilometer", "kilometer", "square meter", "meter"], 2)
    return posed(rng, f"{number} {thing} per {unit}", f"{number} {thing} per {unit if same else other}")


def two_units(rng, same):
    """One time in two units, and in the ways of writing hours with minutes."""
    hours, minutes = rng.randint(1, 9), rng.randint(1, 59)
    total, minutes = hours * 60 + minutes, minutes
    sums = [f"{hours} h {minutes} min", f"{hours} hours {minutes} minutes", f"{hours} hours and {minutes} minutes"]
    joins = [", which is {}", ", i.e. {}", " or {}", " ({})", ", that is {}"]
    off = 0 if same or rng.random() < 0.5 else rng.randint(1, 9)
    both = f"{total + off} minutes" + rng.choice(joins).format(rng.choice(sums))
    answer = rng.choice([both, f"{hours}h{minutes:02}", rng.choice(sums)])
    if same:
        return posed(rng, answer, rng.choice([f"{total} minutes", f"{hours} h {minutes} min", f"{total} min"]))
    wrong = rng.choice([total + 10, total * 2, hours * 100 + minutes + 1000])
    return posed(rng, answer, rng.choice([f"{wrong} minutes", f"{hours + 1} h {minutes} min", f"{wrong} h"]))


def asked_sums(rng, same):
    """A sum of measures where the question asks for the number of one of them."""
    hours, minutes = rng.randint(1, 9), rng.randint(1, 59)
    answer = f"It takes {plural(hours, 'hour')} and {plural(minutes, 'minute')}."
    gold = hours * 60 + minutes + (0 if same else rng.choice([1, 10, 60, -hours * 60]))
    return posed(rng, answer, str(gold), "How many minutes does it take?")


def contracted(rng, same):
    """A formula behind "It's", "That's"."""
    a, b = rng.sample(range(2, 30), 2)
    formula = rng.choice(FORMULAS)
    lead = rng.choice(["It's {}.", "That's {}", "It's {}", "it’s {}", "It's ${}$.", "That's ${}$."])
    gold = formula.format(a=a, b=b if same else b + rng.randint(1, 9))
    if not same and rng.random() < 0.3:
        return posed(rng, rng.choice(["It's not {}.", "That's no longer {}."]).format(formula.format(a=a, b=b)), formula.format(a=a, b=b))
    return posed(rng, lead.format(formula.format(a=a, b=b)), gold)


def operands(rng, same):
    """A number in words that ends a calculation in words, or an amount, "a dollar fifty", is no answer."""
    number = rng.randint(11, 90)
    if rng.random() < 0.3:
        text = rng.choice(["It costs a {} {}.", "So she pays a {} {}.", "That makes a {} {}."]).format(rng.choice(["dollar", "euro", "pound"]), words(number))
        return {"text": text, "gold": f"1.{number}" if same else str(number)}
    things = ["mass times velocity squared", "the height", "base times height", "the sum of both sides", "all of them"]
    thing = rng.choice(things if same else [*things, "ten"])
    sign = rng.choice(["divided by", "multiplied by", "times", "all divided by", ", divided by"])
    text = rng.choice(["It's {}{} {}.", "It is {}{} {}.", "{}{} {}.", "So one takes {}{} {}."]).format(thing, sign if sign[0] == "," else " " + sign, words(number))
    gold = str(number) if not same else rng.choice(["\\frac{1}{2}mv^2", "\\frac{ab}{2}", "\\frac{h}{3}"])
    return {"text": text, "gold": gold}


def labelled(rng, same):
    """A list of words with commas or without, behind a label."""
    items = sorted(rng.sample(LISTS, rng.randint(3, 5)))
    said = items[:]
    while not same and said == items:
        rng.shuffle(said)
    mixed = items[:]
    rng.shuffle(mixed)
    label = rng.choice(["Sorted: ", "Sorted list: ", "", "The sorted list: ", "Answer: "])
    return posed(rng, label + rng.choice([", ", " "]).join(said), rng.choice([" ", ", "]).join(items), f"Sort the words alphabetically: {' '.join(mixed)}")


def trends(rng, same):
    """What rises and what falls, in other words."""
    up = ["rises", "increases", "goes up", "grows"]
    down = ["falls", "decreases", "drops", "goes down", "declines"]
    subject, cause = rng.sample(SUBJECTS, 2)
    own, other = rng.sample([up, down], 2)
    question = f"If the {cause} {rng.choice(['rises', 'falls'])}, does the {subject} increase or decrease?"
    verb = rng.choice(own)
    answer = rng.choice(["It {v}.", "{S} {v}.", "The {s} {v}.", "When the {c} changes, the {s} {v}.", "The {s} {v} when the {c} rises.", "it {v}"])
    if not same and rng.random() < 0.3:
        verb = rng.choice(["does not {}", "doesn't {}", "never {}"]).format(verb.split()[0].removesuffix("s").removesuffix("e") + ("e" if verb in ("rises", "increases", "decreases", "declines") else ""))
        other = own
    shown = answer.format(v=verb, S=subject.capitalize(), s=subject, c=cause)
    return posed(rng, shown, rng.choice([rng.choice(own if same else other)]), question)


def small_shares(rng, same):
    """One in so many, in words."""
    below = rng.randint(3, 99)
    gold = below if same else another(rng, below, 3, 99)
    return posed(rng, rng.choice(["one in {}", "One in {}", "one out of {}", "One in {}."]).format(words(below)), rng.choice([f"1/{gold}", f"\\frac{{1}}{{{gold}}}"]))


def after_times(rng, same):
    """A time after which something happens, and one that is a time of the day."""
    number = f"{rng.randint(1, 20)}.{rng.randint(1, 99):02}"
    unit, long, other = rng.choice([("s", "seconds", "min"), ("min", "minutes", "h"), ("h", "hours", "days")])
    answer = rng.choice(["after {} {}", "After about {} {}", "The ball lands after {} {}.", "It stops after about {} {}."]).format(number, rng.choice([unit, long]))
    gold = f"{number} {rng.choice([unit, long])}" if same else rng.choice([f"{number}1 {unit}", f"{number} {other}"])
    return posed(rng, answer, gold)


KINDS = {f.__name__.replace("_", " "): f for f in (chains, roundings, compounds, rated_cents, thousands, worded_units, crowds, two_units, asked_sums, contracted, operands, labelled, trends, small_shares, after_times)}
TOLD = {"compounds", "crowds", "asked sums"}

if __name__ == "__main__":
    sys.exit(answer_ends.main(KINDS, TOLD, __doc__))
