#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Answers that are sentences, and short replies that are none, of known truth, kind by kind.

    answer_sentences.py [--seed N] [--pairs N] [--only KIND]

Of each kind N pairs (3,000) are drawn, half of them the same; each is an answer or a whole reply, by chance. No two values are
"the same", and no answer that is gold's is "different". Of the kinds in TOLD each pair must be told. Program: RDV_PROGRAM, or
build/rederive. Exits with 1 if one differs."""
import sys

import answer_ends

NAMES = "Marta Ivo Selma Pedro Yusuf Greta Lionel Aiko Bruno Carla".split()
THINGS = "stamps tickets bricks kites spoons ladders".split()
SMALL = ("one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen").split()
TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split()
PLACES = "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth".split()


def words(n):
    if n < 20:
        return SMALL[n - 1]
    if n < 100:
        return TENS[n // 10 - 2] + ("-" + SMALL[n % 10 - 1] if n % 10 else "")
    return SMALL[n // 100 - 1] + " hundred" + (" and " + words(n % 100) if n % 100 else "")


def posed(rng, answer, gold, question=None):
    record = {rng.choice(["answer", "text"]): answer, "gold": gold}
    return {**record, "question": question} if question else record


def another(rng, number, least=2, most=400):
    other = rng.randint(least, most)
    return other if other != number else other + 1


def nothing(rng, same):
    """What says that there is no value, or no one value."""
    empty = ["no solution", "No solutions.", "There is no solution.", "The equation has no real solutions.", "none", "∅", "\\emptyset", "the empty set",
             "There are no such integers.", "The system has no solution.", "It has no real roots."]
    undefined = ["undefined", "It is undefined.", "does not exist", "DNE", "The limit does not exist.", "not defined"]
    endless = ["infinitely many", "There are infinitely many solutions.", "infinitely many solutions", "an infinite number of solutions", "infinite"]
    unknown = ["It cannot be determined.", "Not enough information.", "unknown", "I don't know."]
    groups = [empty, undefined, endless]
    group = rng.choice(groups)
    if same:
        return posed(rng, rng.choice(group), rng.choice(group))
    number = rng.choice([str(rng.randint(2, 90)), f"x = {rng.randint(1, 90)}", f"{rng.randint(1, 8)}/9", f"x = {rng.randint(2, 9)} or x = -{rng.randint(2, 9)}"])
    other = rng.choice([empty + undefined, endless][group is not endless:][0]) if rng.random() < 0.4 else number
    other = rng.choice(unknown) if rng.random() < 0.2 else other
    return posed(rng, other, rng.choice(group)) if rng.random() < 0.5 or other in unknown else posed(rng, rng.choice(group), number)


def bases(rng, same):
    """A number with its base, in the ways of writing it."""
    base = rng.choice([2, 8, 16])
    number = rng.randint(40, 255) * 10 + 1 if base != 16 else rng.randint(2, 255) * 16 + rng.randint(0, 9)
    digits = {2: "b", 8: "o", 16: "X"}[base]
    ways = ["{n}_{b}", "{n}_{{{b}}}", "({n})_{{{b}}}", "({n})_{b}", "{n} (base {b})", "{n} base {b}", "{n} in base {b}", "{p}{n}", "{n}{s}", "$({n})_{b}$"]
    if base == 2:
        ways += ["{n} in binary", "{n} (binary)"]
    low = str(base).translate({48 + k: 0x2080 + k for k in range(10)})
    write = lambda n, way: way.format(n=format(n, digits), b=base, p={2: "0b", 8: "0o", 16: "0x"}[base], s=low)
    gold = write(number, rng.choice(ways[:4]))
    return posed(rng, write(number if same else number + 16, rng.choice(ways)), gold)


def ordinals(rng, same):
    """Places in an order."""
    place = rng.randint(1, 12)
    said = place if same else place % 12 + 1
    digits = lambda n: f"{n}{ {1: 'st', 2: 'nd', 3: 'rd'}.get(n, 'th')}"
    gold = rng.choice([digits(place), PLACES[place - 1]])
    shown = rng.choice([digits(said), PLACES[said - 1]])
    name = rng.choice(NAMES)
    form = rng.choice(["{s}", "{n} came {s}.", "She finished {s}.", "{n} is in {s} place.", "It was the {s}.", "the {s}", "{s} place"])
    return posed(rng, form.format(s=shown, n=name), gold, f"In which place did {name} finish?")


def names(rng, same):
    """Sentences that repeat the question with a name."""
    gold, other = rng.sample(NAMES, 2)
    thing = rng.choice(THINGS)
    said, rest = (gold, other) if same else (other, gold)
    form = rng.choice(["{s} has the most {t}.", "{s} has more {t} than {r}.", "The answer is {s}.", "It is {s}.", "It's {s}!", "So it must be {s}.", "The one who has most {t} is {s}."]
                      if same else ["{s} has the most {t}.", "{s} has more {t} than {r}.", "{s} has most, not {r}.", "It is not {r}.", "{r} has fewer {t} than {s}.",
                                    "{s} and {r} have the most {t}.", "It is {s} or {r}.", "Only {s} does."])
    return posed(rng, form.format(s=said, r=rest, t=thing), gold, f"Who has the most {thing}, and more than the others?")


def verdicts(rng, same):
    """Sentences that answer a question of yes or no by its own words."""
    number = rng.randint(30, 99)
    what = rng.choice(["prime", "even", "odd", "a square number", "divisible by 7", "a multiple of 6"])
    yes = rng.random() < 0.5
    form = rng.choice(["{n} is {v}{w}.", "So {n} is {v}{w}.", "It is {v}{w}.", "Its digits give {m}, hence it is {v}{w}.", "{n} is {v}{w}"])
    said = yes if same else not yes
    return posed(rng, form.format(n=number, w=what, m=number % 9, v="" if said else "not "), "Yes" if yes else "No", f"Is {number} {what}?")


def fragments(rng, same):
    """Short replies that are no sentence: all of them is the answer."""
    a, b = rng.sample(range(2, 60), 2)
    c = rng.choice([n for n in range(2, 60) if n not in (a, b)])
    way = rng.randrange(5)
    if way == 0:
        gold, parts = f"{{{a}, {b}}}", (a, b if same else c)
        return posed(rng, rng.choice(["{} and {}", "{}, {}", "{1} and {0}"]).format(*parts), gold)
    if way == 1:
        return posed(rng, f"x = {a} and y = {b if same else c}", f"x = {a}, y = {b}")
    if way == 2:
        top, bottom = sorted((a, b))
        return posed(rng, f"{top} {rng.choice(['out of', 'in'])} {bottom if same else bottom + 61}", f"{top}/{bottom}")
    if way == 3:
        top = rng.randint(1, 4)
        return posed(rng, f"{a} and {top}/5{rng.choice(['', ' cups', ' litres'])}", f"{a if same else c} {top}/5")
    return posed(rng, f"x equals {a} and y equals {b if same else c}", f"x = {a}, y = {b}")


def spelled(rng, same):
    """One number in words within a sentence."""
    number = rng.randint(2, 999)
    said = words(number if same else another(rng, number))
    thing = rng.choice(THINGS)
    form = rng.choice(["{c} {t} were sold.", "There were {s} {t} in the box.", "She ends with {s} {t} in her bag.", "The total comes to {s}.", "Marta now owns {s} {t} that work."])
    return posed(rng, form.format(s=said, c=said.capitalize(), t=thing), str(number), f"How many {thing} are there?")


def changes(rng, same):
    """Rises and falls in words, beside a number with a sign."""
    number = rng.randint(2, 90)
    unit = rng.choice(["", "%"])
    down = rng.choice(["a loss of {}", "a decrease of {}", "It dropped by {}.", "down {}", "It fell by {}.", "a drop of {}", "-{}"])
    up = rng.choice(["a gain of {}", "an increase of {}", "It rose by {}.", "up {}", "{}"])
    return posed(rng, (down if same else up).format(f"{number}{unit}"), f"-{number}{unit}", "What is the net change?")


def commas(rng, same):
    """Decimal commas of gold, with a unit or in a question of such a language."""
    whole, part = rng.randint(1, 400), rng.randint(11, 99)
    shown = whole if same else another(rng, whole)
    unit, long = rng.choice([("m", "Meter"), ("km", "Kilometer"), ("kg", "Kilogramm"), ("m²", "Quadratmeter"), ("cm", "Zentimeter")])
    answer = rng.choice([f"{shown},{part} {unit}", f"{shown}.{part} {unit}", f"{shown},{part}", f"{shown},{part} {long}", f"{shown},{part}0 {unit}", f"Die Antwort ist {shown},{part} {unit}."])
    return posed(rng, answer, f"{whole},{part} {unit}", "Wie groß ist das und wie viel fehlt?")


def exchanged(rng, same):
    """Two numbers with a comma, which may stand before decimals: in another order they are another number, or two; amounts have cents."""
    whole, part = rng.sample(range(10, 99), 2)
    unit = rng.choice(["", "", " m", " kg", " Liter", "€"])
    answer, gold, question = f"{whole},{part}{unit}", f"{whole},{part}{unit}", rng.choice([None, "Wie groß ist das und wie viel fehlt?"])
    if not same:
        answer = rng.choice([f"{part},{whole}{unit}", f"{part},{whole}"] + [f"{part}, {whole}"] * (not unit))
    elif rng.random() < 0.3:
        gold, answer = rng.choice([(f"({whole},{part})", f"({whole}, {part})"), (f"{whole}, {part}", f"{part}, {whole}"), (f"{{{whole},{part}}}", f"{{{part},{whole}}}")])
        question = None
    record = posed(rng, answer, gold, question)
    if rng.random() < 0.3:
        kind = {"answer_type": "money", "question": "q"}
        answer, gold = rng.choice([f"{whole},{part} €", f"Das macht {whole},{part} €."]), rng.choice([f"{whole}.{part} €", f"{whole},{part} €", f"€{whole}.{part}"])
        record = posed(rng, answer, gold if same else rng.choice([f"{part} €", f"{whole} €", f"{part},{whole} €"]))
        record.update(kind)
    return record


def areas(rng, same):
    """Square and cubic metres, whose sign is a letter."""
    number = rng.randint(2, 900)
    power = rng.choice("²³")
    shown = number if same else another(rng, number)
    ways = [f"{shown} m{power}", f"{shown}", f"{shown} m^{'23'['²³'.index(power)]}", f"The result is {shown} m{power}.", f"{shown} {'square' if power == '²' else 'cubic'} metres"]
    return posed(rng, rng.choice(ways), f"{number} m{power}")


def exponents(rng, same):
    """Units with an exponent in ASCII, which belongs to them."""
    number = rng.randint(2, 900)
    base, powers = rng.choice([("cm{}", "123"), ("m{}", "123"), ("km{}", "12"), ("m/s{}", "12"), ("N/m{}", "12"), ("g/cm{}", "123"), ("kg/m{}", "23"), ("J/m{}", "23")])
    power = rng.choice(powers)
    shown = power if same else rng.choice([other for other in powers if other != power])
    write = lambda n: base.format("" if n == "1" else rng.choice(["^" + n, "^{" + n + "}", "²³"["23".index(n)]]))
    reply = rng.choice(["The answer is {} {}.", "It is {} {}", "So we get {} {}.", "$\\boxed{{{}}}$ {}", "Answer: {} {}", "x = {} {}", "The total is {} {} in all."])
    return {"text": reply.format(number, write(shown)), "gold": f"{number} {write(power)}"}


def asked_units(rng, same):
    """The question asks for another unit than the answer has."""
    number = rng.randint(2, 90)
    small, large, ratio = rng.choice([("minutes", "hours", 60), ("metres", "kilometres", 1000), ("days", "weeks", 7), ("grams", "kilograms", 1000)])
    answer = rng.choice(["{n} {u}", "It takes {n} {u}.", "The result is {n} {u}."])
    if rng.random() < 0.5:
        return posed(rng, answer.format(n=number, u=large), str(number * ratio if same else number), f"How many {small} is it?")
    return posed(rng, answer.format(n=number * ratio if same else number, u=small), str(number), f"How many {large} is it?")


def vectors(rng, same):
    """Vectors by their parts, and by unit vectors."""
    a, b, c = (rng.choice([-1, 1]) * rng.randint(1, 9) for _ in range(3))
    style = rng.choice(["{}", "\\mathbf{{{}}}", "\\hat{{{}}}"])
    term = lambda n, letter, first: ("" if first and n > 0 else " + " if n > 0 else "-" if first else " - ") + ("" if abs(n) == 1 else str(abs(n))) + style.format(letter)
    written = term(a, "i", True) + term(b, "j", False) + term(c if same else c + 10, "k", False)
    gold = rng.choice(["({}, {}, {})", "\\langle {}, {}, {} \\rangle", "\\begin{{pmatrix}}{}\\\\{}\\\\{}\\end{{pmatrix}}", "⟨{}, {}, {}⟩"]).format(a, b, c)
    return posed(rng, written, gold)


def bounds(rng, same):
    """Inequalities in words."""
    number = rng.randint(2, 90)
    sign, phrase = rng.choice([(">", "greater than"), ("<", "less than"), ("\\ge", "at least"), ("\\le", "at most"), (">", "more than")])
    form = rng.choice(["x must be {} {}", "x is {} {}", "all x {} {}", "x is {} {}."])
    return posed(rng, form.format(phrase, number if same else another(rng, number)), f"x {sign} {number}")


KINDS = {f.__name__.replace("_", " "): f for f in (nothing, bases, ordinals, names, verdicts, fragments, spelled, changes, commas, exchanged, areas, exponents, asked_units, vectors, bounds)}
TOLD = {"exponents", "bases", "ordinals", "vectors", "bounds"}

if __name__ == "__main__":
    sys.exit(answer_ends.main(KINDS, TOLD, __doc__))
