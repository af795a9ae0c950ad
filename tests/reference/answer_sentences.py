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
             "There are no such integers.", "The system has no solution.", "It has no real roots.", "There are no real numbers x for which this holds.", "No value of $x$ works.",
             "Nothing satisfies both conditions.", "The two lines are parallel, so the system has none.", "As for real roots, there are none.", "The system is inconsistent.", "\\text{no real solutions}"]
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
    name = {2: "two", 8: "eight", 16: "sixteen"}[base]
    ways += ["{n}_{{\\text{{" + name + "}}}}", "\\boxed{{{n}_{{\\text{{" + name + "}}}}}}", "{n} base " + name]
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


def parts_of_one(rng, same):
    """An ordinal in words, which is a part of one where "one" stands before it."""
    place = rng.randint(4, 12)
    if same:
        return posed(rng, f"{PLACES[place - 1]} century {rng.choice(['BC', 'BCE'])}", f"{place}th century BC")
    return posed(rng, rng.choice(["one {} of it", "one {}", "a {} of them"]).format(PLACES[place - 1]), PLACES[place - 1], "In which grade is she?")


def names(rng, same):
    """Sentences that repeat the question with a name."""
    gold, other = rng.sample(NAMES, 2)
    thing = rng.choice(THINGS)
    said, rest = (gold, other) if same else (other, gold)
    form = rng.choice(["{s} has the most {t}.", "{s} has more {t} than {r}.", "The answer is {s}.", "It is {s}.", "It's {s}!", "So it must be {s}.", "The one who has most {t} is {s}."]
                      if same else ["{s} has the most {t}.", "{s} has more {t} than {r}.", "{s} has most, not {r}.", "It is not {r}.", "{r} has fewer {t} than {s}.",
                                    "{s} and {r} have the most {t}.", "It is {s} or {r}.", "Only {s} does."])
    return posed(rng, form.format(s=said, r=rest, t=thing), gold, f"Who has the most {thing}, and more than the others?")


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
    if rng.random() < 0.4:
        shown, thing = rng.choice([f"{number}%", f"{number} percent"]), rng.choice(["share price", "water level", "number of birds"])
        down = rng.choice([f"The {thing} fell by {{}}.", f"The {thing} went down by {{}}.", f"The {thing} dropped {{}}."])
        up = rng.choice([f"The {thing} rose by {{}}.", f"The {thing} went up by {{}}.", f"The {thing} did not fall by {{}}.", f"The {thing} never dropped {{}}."])
        return posed(rng, (down if same else up).format(shown), rng.choice([f"-{number}%", f"{number}% decrease"]), f"How did the {thing} change?")
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
    b = rng.choice([b, b, 0])
    style, letters = rng.choice([("{}", "ijk"), ("\\mathbf{{{}}}", "ijk"), ("\\hat{{{}}}", "ijk"), ("\\vec {}", "ijk"), ("\\hat{{{}}}", ["\\imath", "\\jmath", "k"])])
    term = lambda n, letter, first: ("" if first and n > 0 else " + " if n > 0 else "-" if first else " - ") + ("" if abs(n) == 1 else str(abs(n))) + style.format(letter)
    written = rng.choice(["", "\\vec{v} = "]) + term(a, letters[0], True) + (term(b, letters[1], False) if b else "") + term(c if same else c + 10, letters[2], False)
    gold = rng.choice(["({}, {}, {})", "\\langle {}, {}, {} \\rangle", "\\begin{{pmatrix}}{}\\\\{}\\\\{}\\end{{pmatrix}}", "⟨{}, {}, {}⟩"]).format(a, b, c)
    return posed(rng, written, gold)


def bounds(rng, same):
    """Inequalities in words."""
    number = rng.randint(2, 90)
    sign, phrase = rng.choice([(">", "greater than"), ("<", "less than"), ("\\ge", "at least"), ("\\le", "at most"), (">", "more than")])
    form = rng.choice(["x must be {} {}", "x is {} {}", "all x {} {}", "x is {} {}."])
    shown = number if same else another(rng, number, 2, 90)
    return posed(rng, form.format(phrase, rng.choice([shown, words(shown)])), f"x {sign} {number}")


PEOPLE = ("Johann Bernoulli,Emmy Noether,Sofia Kovalevskaya,Felix Hausdorff,Hermann Weyl,Paul Dirac,Lise Meitner,Otto Hahn,Ada Lovelace,Grace Hopper").split(",")
DAYS = "Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split()
MONTHS = "January February March April May June July August September October November December".split()
ROSE = "N,north NE,north-east E,east SE,south-east S,south SW,south-west W,west NW,north-west".split()
FORMS = ("gray,grey;colour,color;the USA,the United States of America;diverges,It is divergent.;Marie Curie,Maria Curie;Mt. Etna,Mount Etna;St. Gallen,Saint Gallen;"
         "equilateral,an equilateral triangle;Carla and Bruno,Bruno and Carla;Leonhard Euler,Euler;München,Munich;C and A,Statements A and C are correct.").split(";")


def initials(rng, same):
    """A name in a sentence, shortened to its initials or its last word."""
    gold, other = rng.sample(PEOPLE, 2)
    said = gold if same else other
    first, last = said.split()
    shown = rng.choice([said, f"{first[0]}. {last}", f"{first[0]}.{last}", last, f"Prof. {last}"])
    form = rng.choice(["It was {}.", "That is {}.", "It must be {}.", "The proof is by {}.", "So it was {}.", "It was found by {}.", "{}"])
    return posed(rng, form.format(shown), gold, "Who found it first?")


def wording(rng, same):
    """One thing in two spellings: nothing proves that they differ."""
    pair = rng.choice(FORMS).split(",")
    rng.shuffle(pair)
    if same:
        return posed(rng, rng.choice(["{}", "It is {}.", "So the answer is {}."]).format(pair[0].rstrip(".")), pair[1].rstrip("."), "Which is it?")
    return posed(rng, rng.choice(["{}", "It is {}."]).format(rng.choice(NAMES)), pair[1].rstrip("."), "Which is it?")


def calendar_names(rng, same):
    """A day of the week or a month, whole or short, in a sentence."""
    names, word = rng.choice([(DAYS, "day"), (MONTHS, "month")])
    gold, other = rng.sample(names, 2)
    short = lambda name: rng.choice([name, name[:3], name[:3] + "."])
    form = rng.choice(["The party is in {}.", "It is {}.", "So the {w} is {}.", "The party will be in the {w} of {}.", "It was a {}."])
    return posed(rng, form.format(short(gold if same else other), w=word), short(gold), f"In which {word} will the party be?")


def days_reached(rng, same):
    """A sentence that names the question's day or month, and the one that is reached from it."""
    names, word = rng.choice([(DAYS, "day of the week"), ([name for name in MONTHS if name not in ("May", "March")], "month")])
    gold, other, begin = rng.sample(names, 3)
    form = rng.choice(["Counting on from {b}, we land on a {d}.", "Since 365 = 52·7 + 1, it moves from {b} to {d}.", "It is {b} again at first; but 30 = 28 + 2, hence {d}.", "So from {b} one comes to {d}."]
                      if same or rng.random() < 0.5 else ["It can't be {g}.", "It is {d} or {g}.", "It comes after {g}.", "Maybe it is {g}.", "Before {g} it ends.", "From {b} one never comes to {g}."])
    return posed(rng, form.format(b=begin, d=gold if same else other, g=gold), gold, f"If it starts in {begin}, which {word} is it at the end?")


def parted(rng, same):
    """Two values in a sentence, of which gold has both."""
    a, b = rng.sample(range(2, 40), 2)
    first, second = (a, b) if same else (b, a)
    form, gold, question = rng.choice([("The quotient is {} and the remainder is {}.", "{} R {}", "Divide with remainder."), ("So a = {} and b = {}.", "({}, {})", "Find the ordered pair (a, b)."),
                                       ("x is {} and y is {}.", "x = {}, y = {}", "Find x and y.")])
    return posed(rng, form.format(first, second), gold.format(a, b), question)


def durations(rng, same):
    """Minutes and seconds by signs and words."""
    minutes, seconds = rng.randint(2, 12), rng.randint(10, 59)
    shown = seconds if same else another(rng, seconds, 10, 58)
    form = rng.choice(["{} minutes {} seconds", "{} min {} s", "{} minutes and {} seconds", "{}:{}"])
    return posed(rng, form.format(minutes, shown), f"{minutes}:{seconds}", rng.choice(["How long did she swim (min:sec)?", "How long was the song?"]))


def agents(rng, same):
    """Who made it, behind "by", and a name with an article or title."""
    gold, other = rng.sample(PEOPLE, 2)
    said = gold if same else other
    form = rng.choice(["The proof was written by {}.", "It was first discovered by {}.", "This law was formulated by {}.", "Sir {}", "Professor {}", "Dr. {}"])
    return posed(rng, form.format(said), gold, "Who found it first?")


def dated(rng, same):
    """Dates in LaTeX."""
    year, month, day = rng.randint(1900, 2030), rng.randint(1, 12), rng.randint(1, 28)
    shown = day if same else day % 28 + 1
    form = rng.choice(["{d} \\text{{ {m} }} {y}", "\\text{{{m} }}{d},\\ {y}", "{d}\\,\\text{{{m}}}\\,{y}", "\\text{{{m} {d}, {y}}}", "{d}\\ \\mathrm{{{m}}}\\ {y}", "\\text{{{m}}}\\ {d}, {y}"])
    text = form.format(d=shown, m=MONTHS[month - 1], y=year)
    return posed(rng, rng.choice(["\\boxed{{{}}}", "${}$", "It is \\boxed{{{}}}.", "The answer is ${}$."]).format(text), f"{year}-{month:02}-{day:02}", "What is the date?")


def roots(rng, same):
    """Two roots in a sentence, beside the sign of both."""
    a, b = rng.randint(1, 20), rng.choice([2, 3, 5, 7, 11])
    c = b if same else b + 2
    gold = rng.choice([f"{a} \\pm \\sqrt{{{b}}}", f"{a}\\pm\\sqrt{b}" if b < 10 else f"{a}\\pm\\sqrt{{{b}}}"])
    form = rng.choice(["The roots are ${}$ and ${}$.", "So the solutions are ${}$ and ${}$.", "The zeros are {} and {}.", "We get two values, ${}$ and ${}$.", "Its roots: ${}$ and ${}$"])
    return posed(rng, form.format(f"{a}+\\sqrt{{{c}}}", f"{a}-\\sqrt{{{c}}}"), gold, "Find the roots.")


def denials(rng, same):
    """A value, and behind it what it is not, or why."""
    gold, other = rng.sample(range(3, 300), 2)
    said, rest = (gold, other) if same else (other, gold)
    thing = rng.choice(THINGS)
    form = rng.choice(["{}, not {}", "It's {} and not {}.", "It has {} {t}, not {}.", "There are {} {t} instead of {}.", "{} {t} rather than {}", "So {}, because {} is too far off."])
    return posed(rng, form.format(said, rest, t=thing), str(gold), f"How many {thing} are there?")


def asides(rng, same):
    """Another value in an aside or a reason at the end of a sentence."""
    gold, other = rng.sample(range(3, 300), 2)
    said, rest = (gold, other) if same else (other, gold)
    form = rng.choice(["The inner angle is {}°, the outer one being {}°.", "P = 1/{}, since the rest has 1/{}", "Her share is {}, while his is {}.", "The base measures {} cm, because the sides take {} cm.",
                       "It ended in {}; another one came in {}.", "The first number is {} and the second is {}.", "The first number is {}; the mean is {}.", "It is {} of the {} in the box",
                       "The small one costs ${}, with ${} for the larger.", "The first number is {}, so the second is {}."])
    if "ended" in form:
        said, rest, gold = 1500 + said, 1500 + rest, 1500 + gold
    return posed(rng, form.format(said, rest), f"1/{gold}" if "P" in form else str(gold), "What is the first number?" if "first" in form else "How much is it?")


def spaced_units(rng, same):
    """A quantity whose unit is a letter, beside a bare number, as formulas."""
    number = rng.randint(3, 900)
    letter, word = rng.choice([("g", "grams"), ("m", "metres"), ("s", "seconds"), ("L", "litres")])
    pair = [f"{number} {letter}", str(number if same else another(rng, number))]
    rng.shuffle(pair)
    return {"answer": pair[0], "gold": pair[1], "answer_type": "latex", "question": f"How many {word} is it?"}


def sequences(rng, same):
    """Lists where the question asks for their order."""
    values = rng.sample(range(2, 60), rng.randint(3, 5))
    shown = values if same else values[::-1]
    return posed(rng, rng.choice([", ", ","]).join(map(str, shown)), ", ".join(map(str, values)), rng.choice(["Write the first terms in order.", "Write the terms of the sequence.", "Sort them.", f"Find the first {words(len(values))} terms.",
                                                                                                 "What are the next numbers in the row?", "Continue the pattern."]))


def other_rates(rng, same):
    """A rate beside a bare number: by what the question asks for, or by another thing."""
    number, thing = rng.randint(2, 90), rng.choice(THINGS + ["miles", "pages"])
    asked, other = rng.sample("hour day week month year minute".split(), 2)
    per = asked if same else other
    form = rng.choice(["{n} {t} per {p}", "{n} {t} {a} {p}", "She makes {n} {t} {a} {p}.", "It is {n} {t} each {p}.", "So there are {n} {t} every {p}."])
    question = rng.choice(["How many {t} is that per {p}?", "How many {t} does she make each {p}?", "At which rate per {p} does she make {t}?"]).format(t=thing, p=asked)
    return posed(rng, form.format(n=number, t=thing, p=per, a="an" if per == "hour" else "a"), str(number), question)


def eras(rng, same):
    """A year with its era, beside one of our era that has none."""
    year = rng.randint(40, 1900)
    before, after = rng.choice(["{y} BC", "{y} BCE", "{y} B.C."]), rng.choice(["{y} AD", "{y} CE", "{y}"])
    form = rng.choice(["{}", "It fell in {}.", "That was in {}.", "The year was {}."])
    return posed(rng, form.format((after if same else before).format(y=year)), str(year), rng.choice(["In which year did it fall?", "When was it founded?"]))


def other_letters(rng, same):
    """The value of a letter, in a sentence: of gold's or of another."""
    number, (letter, other) = rng.randint(-90, 90), rng.sample("xyznkt", 2)
    form = rng.choice(["It is the line {} = {}.", "So we get ${} = {}$.", "Thus {} = {}", "We find that {} = {}.", "{}={}"])
    return posed(rng, form.format(letter if same else other, number), f"{letter} = {number}", "What is the equation of the line?")


def probabilities(rng, same):
    """A percentage where a share of one is asked for."""
    percent = rng.choice([1, 100, 50, 25, 20, 10, 5])
    gold = rng.choice([f"{percent / 100:g}", f"{percent}/100"]) if same else str(percent)
    return posed(rng, rng.choice(["{}%", "It is {}%.", "{} percent", "${}\\%$"]).format(percent), gold,
                 rng.choice(["What is the probability of rain?", "What fraction of them is red?", "Find the proportion that is lost."]))


def unstated(rng, same):
    """A number that is denied, supposed, a mere reason, or read where the reply breaks off."""
    number, thing = rng.randint(3, 90), rng.choice(THINGS)
    form = rng.choice(["There are {n} {t}.", "So it is {n}.", "Because half of them are gone, there are {n}.", "She has {n} of them.", "It leaves {n} {t}."] if same else
                      ["It is not true that there are {n}.", "Nobody has {n}.", "because {n} is odd", "because of {n}", "Let a = {n} be a trial value. Step 2:", "{n}! of them", "{n} (mod 3)",
                       "We try {n} first, and then:", "If it were {n} then it would fit.", "which leaves {n} {t}", "We have {n} +"])
    return {"text": form.format(n=number, t=thing), "gold": str(number), "question": f"How many {thing} are there?"}


def parts_left(rng, same):
    """Two shares, of which the question asks for the one that stands with its words."""
    share = rng.choice([10, 20, 30, 40, 60, 70, 80, 90])
    asked, form = rng.choice([("By what percent was the coat marked down?", "It was marked down {}%, so that {}% of the old price is paid."),
                              ("What percent of the water was spilled?", "The water spilled was {}%, so that {}% stays inside."),
                              ("How many percent of the wall were painted?", "The wall painted was {}%, which keeps {}% bare.")])
    said = share if same else 100 - share
    return {"text": form.format(said, 100 - said), "gold": f"{share}%", "question": asked}


def ratios(rng, same):
    """Ratios in words and in signs."""
    a, b = rng.sample(range(1, 13), 2)
    first, second = (a, b) if same else (b, a)
    form = rng.choice(["{} to {}", "It is {} to {}.", "The ratio is {} to {}."])
    write = rng.choice([words, str])
    return posed(rng, form.format(write(first), write(second)), f"{a}:{b}", "What is the ratio of sand to lime?")


def lakhs(rng, same):
    """Digits in Indian groups, beside the number in words or in groups of three."""
    count = rng.randint(1, 99)
    gold = f"{count},00,00,000"
    other = count if same else another(rng, count, 2, 99)
    answer = rng.choice([f"{words(other)} crore", f"{other} crore", f"{other}0000000", f"{other}0,000,000", f"{other * 10} million", f"{other},00,00,000"])
    return posed(rng, answer, gold, "How many rupees did it earn?")


def phasors(rng, same):
    """Complex numbers with j, and by their parts in words."""
    a, b = rng.randint(1, 9), rng.randint(1, 9)
    other = b if same else b + 1
    form = rng.choice(["{a}+{b}j", "j{b}+{a}", "{a}+j{b}", "Its real part is {a} and its imaginary part is {b}.", "The real part is {a}, the imaginary one {b}."])
    letter = "i" if "part" in form else "j"
    if rng.random() < 0.3:
        return posed(rng, f"\\sqrt{{2}}e^{{j\\pi/4}}", "1+j" if same else "1-j")
    return posed(rng, form.format(a=a, b=other), f"{a}+{b}{letter}")


def charges(rng, same):
    """Powers of ten with a unit behind the formula."""
    first, power = rng.randint(11, 99) / 10, rng.randint(2, 30)
    unit, name = rng.choice([("C", "e"), ("m", "d"), ("J", "E"), ("N", "F"), ("s", "t")])
    shown = first if same else first + 1
    form = rng.choice(["${x} = {m:.1f}\\cdot10^{{-{p}}}$ {u}", "${m:.1f}\\times 10^{{-{p}}}$ {u}", "{m:.1f}\\cdot 10^{{-{p}}}"])
    return posed(rng, form.format(x=name, m=shown, p=power, u=unit), f"{first}E-{power}", "Give it in SI units.")


def exceptions(rng, same):
    """Options of which all but one are ruled out."""
    gold, other = rng.sample("ABCD", 2)
    form = rng.choice(["Every option except {} is false.", "All of them other than {} are wrong.", "No statement except {} holds."])
    return posed(rng, form.format(gold if same else other), gold, "Which of the statements A to D is true?")


def directions(rng, same):
    """Directions by their letters and words."""
    gold, other = (pair.split(",") for pair in rng.sample(ROSE, 2))
    said = gold if same else other
    shown = rng.choice([said[0], said[1], said[1].replace("-", ""), f"It faces {said[1]}."])
    return posed(rng, shown, rng.choice(gold[gold[0] == "E":]), "Which way does it face now?")


def worded(rng, same):
    """A number in words within a sentence, with a half, in dozens or as a part of a larger one."""
    whole, thing = rng.randint(2, 19), rng.choice(THINGS)
    other = whole if same else whole + 1
    verb = rng.choice(["It took them", "They need", "He used", "She has", "The whole lasts"])
    form, gold = rng.choice([(f"{verb} {words(other)} and a half hours.", f"{whole}.5 hours"), (f"{verb} {words(other)} dozen {thing}.", str(12 * whole)),
                             (f"They sold {words(other)} and a half dozen {thing}.", str(12 * whole + 6)), (f"There are {words(other)} of them left.", str(whole)),
                             (f"He borrowed {'half' if same else 'a quarter of'} a million dollars.", "$500,000"),
                             (f"It lasts {'an hour and a half' if same else words(whole) + ' hours'}.", "90 minutes"), (f"He signed a {words(other)}-month lease.", f"{whole} months")])
    return posed(rng, form, gold)


def relations(rng, same):
    """A relation in a sentence: of the same letter and bound, with the same sign or another."""
    bound, letter = rng.randint(-30, 30), rng.choice("xyntk")
    sign, other = rng.choice([("<", ">"), (">", "<"), ("\\le", "<"), ("\\ge", ">")])
    form = rng.choice(["So ${}$.", "Hence ${}$", "The inequality holds for all ${}$.", "It is true for {}.", "Therefore the solution is ${}$."])
    return posed(rng, form.format(f"{letter} {sign if same else other} {bound}"), f"{letter} {sign} {bound}", "Solve the inequality.")


def limits(rng, same):
    """Infinity as what something is."""
    gold, other = rng.choice([("\\infty", "-\\infty"), ("-\\infty", "\\infty")])
    said = {"\\infty": ["infinity", "positive infinity", "$\\infty$"], "-\\infty": ["negative infinity", "-infinity", "$-\\infty$"]}[gold if same else other]
    return posed(rng, rng.choice(["The limit is {}.", "So it is {}.", "The value of the limit is {}."]).format(rng.choice(said)), gold, "Find the limit.")


def small_money(rng, same):
    """An amount in the smaller unit of gold's money, or of other money."""
    parts = rng.randint(2, 99)
    other = parts if same else another(rng, parts, 2, 99)
    sign, small = rng.choice([("{} €", ["ct", "Cent", "cents"]), ("€{}", ["cents", "ct"]), ("${}", ["cents", "¢"]), ("£{}", ["pence", "p"]), ("{} CHF", ["Rappen", "centimes"])])
    unit = rng.choice(small)
    amount = f"{other}{'' if unit in 'p¢' else ' '}{unit}"
    if unit in ("cents", "pence") and rng.random() < 0.3:
        amount = f"{words(other)} {unit}"
    elif not same and rng.random() < 0.3:
        amount = f"{parts} {'cents' if unit in ('pence', 'p', 'Rappen', 'centimes') else 'pence'}"
    forms = ["Each costs {}.", "It costs {}."] + ["{}"] * amount[0].isdigit()
    return posed(rng, rng.choice(forms).format(amount), sign.format(f"{parts / 100:.2f}"))


def accounts(rng, same):
    """A loss in brackets, as accounts write it, beside one with a sign or in words."""
    amount = f"{rng.randint(1, 99)},{rng.randint(0, 999):03}"
    gold = rng.choice(["({})", "(${})", "-{}"]).format(amount)
    losses = ["-{}", "({})", "(${})", "a loss of {}", "There is a net loss of ${}."]
    form = rng.choice(losses if same or gold[0] == "(" else losses[:3] + ["There is a net loss of ${}."])
    if not same:
        form = rng.choice(["There is a net profit of ${}.", "a profit of {}"]) if rng.random() < 0.4 else form
        amount = amount if "profit" in form else f"{rng.randint(100, 199)},{amount[-3:]}"
    return posed(rng, form.format(amount), gold, "What is the net income?")


def temperatures(rng, same):
    """Degrees in words, above and below zero, and the same number or another of the other scale."""
    number = rng.randint(2, 19)
    scale, other = rng.sample([("Celsius", "C"), ("Fahrenheit", "F")], 2)
    said = rng.choice([words(number), str(number)])
    if rng.random() < 0.4:
        celsius = rng.randint(1, 30) * 5
        gold, answer = f"{celsius} °C", f"{celsius * 9 // 5 + 32 if same else celsius} {rng.choice(['°F', 'degrees Fahrenheit'])}"
        return {"answer": answer, "gold": gold}
    place, name = ("below", scale[0]) if same else rng.choice([("above", scale[0]), ("below", other[0])])
    form = rng.choice(["It was {n} degrees {s} {p} zero.", "It is {n} degrees {p} zero {s}.", "The temperature fell to {n} degrees {p} zero {s}."])
    return posed(rng, form.format(n=said, s=name, p=place), f"-{number} °{scale[1]}", "What was the temperature?")


def option_texts(rng, same):
    """Gold is an option with its text; the answer has its letter, its text or both."""
    gold, other = rng.sample("ABCDE", 2)
    value, wrong = rng.sample(range(3, 400), 2)
    text = rng.choice(["{} km", "{}", "{} pupils", "{}/7"])
    golds = [f"({gold}) ", f"\\text{{({gold})}}\\ ", f"\\textbf{{({gold})}}~", f"{gold}) ", f"{gold}. "]
    said = gold if same else other
    answer = rng.choice([said, f"({said})", f"The answer is ({said}).", f"({said}) {text.format(value if same else wrong)}", f"It is {text.format(value if same else wrong)}, so the answer is {said}.",
                         f"\\boxed{{{said}}}"] + [text.format(value)] * same)
    return posed(rng, answer, rng.choice(golds) + text.format(value))


def labelled(rng, same):
    """Numbers with their names: in another order, or with the numbers exchanged."""
    first, second = rng.sample(range(2, 90), 2)
    kind = rng.randrange(5)
    names = rng.sample([NAMES, THINGS, ["mean", "median", "mode", "range"], ["(a)", "(b)", "(c)"], list("abkm")][kind], 2)
    gold, said = [("{a} {x}, {b} {y}", ["{a} has {x} and {b} has {y}.", "{b}: {y}, {a}: {x}", "{a} gets ${x} and {b} gets ${y}."]), ("{x} {a} and {y} {b}", ["She bought {y} {b} and {x} {a}.", "{x} {a}, {y} {b}", "There are {x} {a} and {y} {b}."]),
                  ("{a} {x}, {b} {y}", ["The {b} is {y} and the {a} is {x}.", "The {a} is {x}; the {b} is {y}."]), ("{a} {x}; {b} {y}", ["Part {a}: {x}. Part {b}: {y}.", "{a} {x}, {b} {y}"]),
                  ("{a} = {x}, {b} = {y}", ["We get {a} = {x} and {b} = {y}.", "{b} = {y}, {a} = {x}"])][kind]
    values = {"a": names[0], "b": names[1]}
    shown = rng.choice(said).format(**values, x=first if same else second, y=second if same else rng.choice([first, second + 1]))
    return posed(rng, shown, gold.format(**values, x=first, y=second), "How many of each are there?" if kind == 1 else None)


def scores(rng, same):
    """A score in a sentence."""
    a, b = sorted(rng.sample(range(0, 40), 2), reverse=True)
    gold = rng.choice(["{}-{}", "{}–{}", "{}:{}"]).format(a, b)
    form = rng.choice(["The home side won {} to {}.", "They won the game {}–{}.", "{} to {}", "The final score was {}-{}.", "It ended {}:{}."])
    return posed(rng, form.format(a, b if same else b + 1), gold, "What was the final score?")


def titles(rng, same):
    """A name in a sentence that also describes it, and a title in quotes."""
    gold, other = rng.sample(["Jupiter", "Saturn", "Mercury", "Neptune"], 2) if rng.random() < 0.5 else rng.sample(["The Silent Harbor", "Winter Garden", "A Distant Mirror", "Blue Lantern"], 2)
    said = gold if same else other
    if " " in gold:
        form = rng.choice(["It is from \"{}\" by Ada Quill.", "Ada Quill's novel *{}*", "It comes from **{}**, of course."])
        return posed(rng, form.format(said), gold, "From which novel is the line?")
    form = rng.choice(["It's {}, the planet with the largest moon.", "It is {}, not {o}.", "{}, a planet of our system"])
    return posed(rng, form.format(said, o=other if same else gold), gold, "Which planet is it?")


def numbered(rng, same):
    """Names with a number: decades, centuries, grades."""
    form, low, high = rng.choice([("the {}0s", 150, 202), ("grade {}", 2, 9), ("the {}th century", 11, 19), ("Apollo {}", 10, 17), ("Room {}", 100, 400)])
    number = rng.randint(low, high)
    other = number if same else another(rng, number, low, high - 1)
    return posed(rng, form.format(other), form.format(number), "Which one is it?")


def stated_values(rng, same):
    """A sentence that states a value where gold says that there is none."""
    gold = rng.choice(["no solution", "undefined", "infinitely many solutions", "Does not exist"])
    said = {"no solution": ["There is no solution.", "The equation has no solutions."], "undefined": ["It is undefined."], "infinitely many solutions": ["There are infinitely many solutions."],
            "Does not exist": ["The limit does not exist."]}[gold]
    value = rng.choice(["The only solution is x = {}.", "So the value is {}.", "It has exactly one solution, x = {}.", "The limit exists and is {}."])
    return posed(rng, rng.choice(said) if same else value.format(rng.randint(2, 90)), gold)


def denied_verbs(rng, same):
    """A number that a denied verb has, or one beside a clause that only describes."""
    number, thing = rng.randint(3, 90), rng.choice(THINGS)
    if rng.random() < 0.3:
        verb = "holds for" if same else rng.choice(["does not hold for", "fails for all"])
        return posed(rng, f"The inequality {verb} x < {number}.", f"x < {number}", "Solve the inequality.")
    form = rng.choice(["She needs {n} {t}.", "The one that does not fit is {n}.", "They won't be able to place {n} {t}.", "Those who did not pass got {n} {t}."] if same else
                      ["She does not need {n} {t}.", "He didn't buy {n} {t}.", "Nobody has {n}.", "It is not true that there are {n}."])
    return posed(rng, form.format(n=number, t=thing), str(number), f"How many {thing} are there?")


def superseded(rng, same):
    """A final answer in words behind a box."""
    a, b = rng.sample(range(2, 90), 2)
    end = rng.choice(["Final Answer: The final answer is ${}$. I hope it is correct.", "So the final answer is {}.", "Answer: {}"])
    return posed(rng, f"Half of it is \\boxed{{{a}}}. The rest is added. " + end.format(b if same else b + 1), str(b))


def sums(rng, same):
    """Sums over one index whose factors are exchanged, or of which a bound or factor is another one."""
    f, g = rng.sample("FGabc", 2)
    low, sign = rng.randint(0, 2), rng.choice("+-")
    gold = f"\\sum_{{k={low}}}^{{n{sign}1}} {f}_k {g}_{{n-k}}"
    if same:
        return {"answer": gold[:gold.index("} ") + 2] + rng.choice([f"{g}_{{n-k}} {f}_k", f"{f}_{{k}} {g}_{{n-k}}", f"{f}_k \\cdot {g}_{{n-k}}"]), "gold": gold}
    return {"answer": rng.choice([f"\\sum_{{k={low + 1}}}^{{n{sign}1}} {g}_{{n-k}} {f}_k", f"\\sum_{{k={low}}}^{{n{sign}1}} {g}_{{n-k}} {g}_k", f"\\sum_{{k={low}}}^{{n{sign}1}} {g}_{{n-k}} + {f}_k"]), "gold": gold}


def calculated(rng, same):
    """A product, a root, a power or a quotient in words, and the formula, or that of another one; a number out of it is another one, too."""
    n, m, k = rng.randint(2, 19), rng.choice([2, 3, 5, 6, 7, 10, 11]), rng.randint(2, 9)
    number = rng.choice([str(n), words(n)])
    said, formula, other = rng.choice([
        (f"{number} times the square root of {m}", f"{n}\\sqrt{{{m}}}", f"{n}\\sqrt{{{m + 1}}}"),
        (f"{number} times the cube root of {m}", f"{n}\\sqrt[3]{{{m}}}", f"{n}\\sqrt{{{m}}}"),
        (f"{n} root {m}", f"{n}\\sqrt{{{m}}}", f"{n + 1}\\sqrt{{{m}}}"),
        (f"{n} times pi", f"{n}\\pi", str(n)),
        (f"{n} pi over {2 * n + 1}", f"\\frac{{{n}\\pi}}{{{2 * n + 1}}}", f"{n}\\pi"),
        (f"{n} plus the square root of {m}", f"{n}+\\sqrt{{{m}}}", str(n)),
        (f"{n} minus root {m}", f"{n}-\\sqrt{{{m}}}", f"{n}+\\sqrt{{{m}}}"),
        (f"{k} to the power of {n}", f"{k}^{{{n}}}", str(k)),
        (f"{number} squared", str(n * n), str(n * n + n)),
        (f"{k} cubed", str(k ** 3), str(3 * k)),
        (f"twice the square root of {m}", f"2\\sqrt{{{m}}}", f"\\sqrt{{{m}}}"),
        (f"{n} divided by the square root of {m}", f"\\frac{{{n}}}{{\\sqrt{{{m}}}}}", f"{n}\\sqrt{{{m}}}"),
    ])
    answer = said if rng.random() < 0.5 else rng.choice([f"The answer is {said}.", f"So the answer is {said}."])
    return posed(rng, answer, formula if same else other)


def unread_words(rng, same):
    """A number beside words that name a factor, or say two things: of them nothing is told, and never "the same" or "different"."""
    n = rng.randint(2, 40)
    answer, gold = rng.choice([
        (f"The answer is {n} times the speed of light.", f"{n}c"), (f"The answer is {n} times the golden ratio.", f"{n}\\phi"), (f"The answer is {n} plus root 5 over 2.", f"\\frac{{{n}+\\sqrt5}}{{2}}"),
        (f"The total is {n} dollars times the number of guests.", f"{n}p"), (f"The answer is {n} choose 2.", str(n * (n - 1) // 2)), (f"The answer is {n} less than a dozen dozen.", str(144 - n)),
    ])
    return posed(rng, answer, gold if same else answer.split()[3])


def orders(rng, same):
    """A list of names, letters or numbers whose order the question asks for, with signs or words between."""
    low, high = rng.choice([("shortest", "tallest"), ("smallest", "largest"), ("slowest", "fastest"), ("lowest", "highest"), ("least", "greatest")])
    rising = rng.random() < 0.5
    first, last = (low, high) if rising else (high, low)
    what = rng.random()
    items = rng.sample(NAMES, rng.randint(3, 5)) if what < 0.4 else rng.sample("ABCDEFG", rng.randint(3, 5)) if what < 0.8 else [str(n) for n in rng.sample(range(2, 90), 4)]
    said = items[:]
    while not same and said == items:
        rng.shuffle(said)
    sign = "<" if rising else ">"
    turned = {"<": ">", ">": "<"}[sign].join(f" {name} " for name in reversed(said)).strip()
    texts = [", ".join(said)] if what >= 0.8 else [", ".join(said), ", then ".join(said), f" {sign} ".join(said), turned, f"From the {first} to the {last}: {', '.join(said)}."]
    question = rng.choice([f"List them from {first} to {last}.", f"Order the entries from the {first} to the {last}."])
    return {"answer": rng.choice(texts), "gold": ", ".join(items), "question": question}


def unit_vectors(rng, same):
    """Two vectors in unit vectors of two styles."""
    styles = ["{}", "\\hat{{{}}}", "\\mathbf{{{}}}", "\\vec{{{}}}"]
    parts = [rng.choice([-1, 1]) * rng.randint(2, 20) for _ in range(rng.choice([2, 3]))]
    other = parts[:]
    other[rng.randrange(len(parts))] += 0 if same else rng.choice([21, -21])

    def written(numbers, style):
        return "".join(f"{n:+d}" + style.format(c) for n, c in zip(numbers, "ijk")).lstrip("+")

    style, of_gold = rng.sample(styles, 2)
    name = rng.choice(["", "", "\\vec{v} = "])
    return posed(rng, f"${name}{written(other, style)}$", written(parts, of_gold), "Find the vector.")


def signed_items(rng, same):
    """Both signs of one item of a set."""
    n, m = rng.sample(range(1, 40), 2)
    root = rng.random() < 0.4
    item = f"\\sqrt{{{n * n + 1}}}" if root else str(n)
    gold = [str(m if same else m + 40), f"-{item}", item]
    rng.shuffle(gold)
    said = [str(m), rng.choice(["\\pm ", "±"]) + item]
    rng.shuffle(said)
    return posed(rng, rng.choice(["${}$", "$x \\in {}$", "$S = {}$"]).format("\\{" + ", ".join(said) + "\\}"), ", ".join(gold))


def factors(rng, same):
    """A factor with the sign of "times", where one is asked for."""
    n = rng.choice([rng.randint(2, 90), rng.randint(11, 99) / 10])
    other = n if same else n + rng.randint(1, 9)
    answer, gold = rng.choice([(f"{other}", f"{n}x"), (f"{other}x", f"{n}"), (f"{other} times", f"{n}"), (f"It is {other} times larger.", f"{n}")])
    return posed(rng, answer, gold, rng.choice(["How many times larger is the lake?", "By what factor is the lake larger?", "How many times as large is the lake?"]))


KINDS = {f.__name__.replace("_", " "): f for f in (nothing, bases, ordinals, parts_of_one, names, fragments, spelled, changes, commas, exchanged, areas, exponents, asked_units, vectors, bounds,
                                                   initials, wording, calendar_names, days_reached, parted, durations, agents, dated, roots, denials, asides, spaced_units, sequences, other_rates, eras, other_letters,
                                                   probabilities, unstated, parts_left, ratios, lakhs, phasors, charges, exceptions,
                                                   directions, worded, relations, limits, small_money, accounts,
                                                   temperatures, option_texts, labelled, scores, titles, numbered, stated_values, denied_verbs,
                                                   superseded, sums, calculated, unread_words, orders, unit_vectors, signed_items, factors)}
TOLD = {"exponents", "bases", "ordinals", "vectors", "bounds", "calendar names", "dated", "denials", "spaced units", "directions", "worded", "relations", "limits", "small money", "option texts", "labelled", "scores", "titles",
        "numbered", "calculated", "orders", "unit vectors", "signed items", "factors"}

if __name__ == "__main__":
    sys.exit(answer_ends.main(KINDS, TOLD, __doc__))
