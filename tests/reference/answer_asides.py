#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a reply says beside its answer, of known truth, kind by kind: options that others choose, what was before, remarks in brackets, what is taken back, orders, letters that differ by their capitals, losses, rates, intervals, dates, points, chemistry.

    answer_asides.py [--seed N] [--pairs N] [--only KIND]

Of each kind N pairs (3,000) are drawn, half of them the same. No two values are "the same", and no answer that is gold's is
"different". Of the kinds in TOLD each pair must be told. Program: RDV_PROGRAM, or build/rederive. Exits with 1 if one differs."""
import sys

import answer_ends
from answer_conclusions import reply
from answer_sentences import NAMES, THINGS, another

OTHERS = ["somebody", "someone", "a friend", "some people", "a student", "others", "a colleague", "a hasty reader", "the textbook"]
CHOOSES = ["picks {}", "would pick {}", "chooses {}", "might take {}", "says {}", "could argue for {}", "went with {}"]


def options_of_others(rng, same):
    """A letter that others choose, that nobody does, or that would be chosen, beside the author's own."""
    letter = rng.choice("ABCDE")
    shown = rng.choice([letter, f"({letter})", f"option {letter}"])
    if same:
        said = rng.choice(["I would pick {}.", "So I choose {}.", "That leaves {}.", "None of the other options fits, so {}.", "Since somebody has to win, it is {}.", "If n is even, so is the sum, hence {}.",
                           "The best choice would be {}.", "If I had to choose, I'd say {}."])
        return reply(said.format(shown), letter)
    other = rng.choice(CHOOSES).format(shown)
    who = rng.choice(OTHERS)
    said = rng.choice([f"{who.capitalize()} {other}.", f"None of the listed options seems right to me, although {who} {other}.", f"If forced, I could imagine that {who} {other}.",
                       f"No option fits, but {who} {other}.", f"If the sign were another one, the best choice would be {shown}.", f"Had x been positive, {shown} would be right."])
    return reply(said, letter)


WORDS = ["Paris", "photosynthesis", "Jane Austen", "osmosis", "Canberra", "iron", "the heart", "Monday", "blue", "Isaac Newton", "a triangle", "erosion"]
REPORTS = ["Nobody says that it is {}.", "Nobody thinks it is {}.", "Her guess was {}.", "A common mistake is {}.", "Some say it is {}.", "The textbook says it is {}.", "It could be {}.",
           "One might think of {}.", "The wrong answer is {}.", "A friend would say {}.", "If it were old, it would be {}.", "The opposite is {}.", "It was {}, they claim.", "It is not {}.", "Perhaps it is {}."]


def words_of_others(rng, same):
    """A name or word that others say, that is a mistake, or that nobody says."""
    word = rng.choice(WORDS)
    said = rng.choice(["It is {}.", "So it is {}.", "That is {}.", "The answer is {}.", "It was {}.", "{}"]) if same else rng.choice(REPORTS)
    return reply(said.format(word), word)


VALUES = ["17", "5 kg", "1/2", "05/07/2021", "5 May 2021", "9:30 pm", "yes", "no"]


def values_of_others(rng, same):
    """The same of numbers, dates, times and yes or no."""
    value = rng.choice(VALUES)
    said = rng.choice(["It is {}.", "So it is {}.", "The answer is {}.", "{}"]) if same else rng.choice(REPORTS[:6] + REPORTS[8:9] + REPORTS[10:11])
    return reply(said.format(value), value)


BEFORE = ["up from", "down from", "compared with", "compared to", "instead of", "rather than", "versus", "not"]


def what_was_before(rng, same):
    """The number behind "up from" and its like is another one than the sentence states."""
    now = rng.randint(20, 900)
    then = another(rng, now, 20, 900)
    join = rng.choice(BEFORE)
    said = rng.choice(["{p} now has {n} {t}, {j} {k}.", "The total is {n}, {j} {k}.", "So it costs {n} dollars, {j} {k} dollars.", "It weighs {n} kg, {j} {k} kg."])
    return reply(said.format(p=rng.choice(NAMES), n=now, k=then, t=rng.choice(THINGS), j=join), str(now if same else then))


def remarks(rng, same):
    """The number of a sentence in brackets behind the answer."""
    now = rng.randint(20, 900)
    then = another(rng, now, 20, 900)
    thing, person = rng.choice(THINGS), rng.choice(NAMES)
    remark = rng.choice(["(With {m} there would only be {k} {t}.)", "({p} had {k} at first.)", "(Without the last ones we would get {k}.)", "(The other value, {k}, is too large.)"])
    said = rng.choice([f"So {person} needs {now} {thing}.", f"That makes {now} {thing} in all.", f"Hence x = {now}."])
    return reply(f"{said} {remark.format(m=rng.randint(2, 9), k=then, t=thing, p=person)}", str(now if same else then))


WITHDRAWS = ["My earlier {} was mistaken.", "My first result of {} was wrong.", "The {} from before was an error.", "My initial {} was too low.", "I said {} before, which was wrong.", "My previous {} is not right.",
             "Forget my earlier {}.", "Ignore the {} I wrote before.", "The earlier value of {} was a slip.", "I had miscounted {}.", "At first I got {}.", "That gives {}. This was a mistake.", "I get {}. No, that is incorrect."]


def withdrawn(rng, same):
    """What the reply takes back is no answer; what it says instead is."""
    now = rng.randint(20, 900)
    then = another(rng, now, 20, 900)
    unit = rng.choice(["{}", "{}", "${}", "{} dollars"])
    said = rng.choice(WITHDRAWS).format(unit.format(then))
    if same:
        return reply(f"{said} The answer is {unit.format(now)}.", str(now))
    return reply(rng.choice(["", f"Let us count again: that makes {now}. ", "We check this. "]) + said, str(then))


def orders(rng, same):
    """A list that a sentence gives in an order is another one in another order."""
    gold = rng.sample(range(1, 60), rng.randint(3, 5))
    told = gold if same else rng.sample(gold, len(gold))
    if not same and told == gold:
        told = gold[::-1]
    said = rng.choice(["They happened in this order: {}.", "The correct order is {}.", "Sequence: {}", "The ranking is {}.", "In descending order: {}"])
    return reply(said.format(", ".join(map(str, told))), ", ".join(map(str, gold)))


PARTS = {"a half": "5", "a quarter": "25", "three quarters": "75", "a fifth": "2", "three fifths": "6"}


def mixed(rng, same):
    """A number in digits and a fraction in words are one number."""
    whole, part = rng.randint(2, 40), rng.choice(list(PARTS))
    gold = f"{whole}.{PARTS[part]}" if same else rng.choice([f"0.{PARTS[part]}", str(whole), f"{whole + 1}.{PARTS[part]}"])
    said = rng.choice(["It takes {} {} hours.", "{p} ran {} {} miles.", "So the bag weighs {} {} pounds.", "That leaves {} {} liters."])
    return reply(said.format(f"{whole} and", part, p=rng.choice(NAMES)), gold)


def restated(rng, same):
    """Behind a value, the brackets hold it once more: as a calculation, a percentage or a fraction."""
    a, b = rng.randint(2, 9), rng.randint(2, 90)
    said, right, wrong = rng.choice([(f"The volume is {a * b} L ({a} × {b} L).", f"{a * b} L", f"{b} L"), (f"x = {a * b} ({a} × {b})", str(a * b), str(a)),
                                     (f"P = **{b / 100}** ({b}%).", f"{b}/100", f"{b + 1}/100")])
    return reply(said, right if same else wrong)


def capitals(rng, same):
    """Letters that capitals tell apart are not the same; words are, however they are written."""
    if same:
        word = rng.choice("red no paris monday increase dna acid oxygen usa anna it up ok true".split())
        return reply(rng.choice([word, word.capitalize(), word.upper()]), rng.choice([word, word.capitalize(), word.upper()]))
    letter = rng.choice("pqrtwxyz")
    pairs = [(letter * 2, letter.upper() + letter), (letter.upper() * 2, letter.upper() + letter), (letter, letter.upper()), (f"{letter.upper()}{letter}Bb", f"{letter * 2}Bb"),
             (rng.choice([("mW", "MW"), ("Mg", "mg"), ("Mm", "mm"), ("CO", "Co"), ("NO2", "No2"), ("MHz", "mHz")])), (f"{letter * 2} and {letter.upper()}{letter}", f"{letter * 2} and {letter.upper() * 2}")]
    answer, gold = rng.sample(rng.choice(pairs), 2)
    question = rng.choice([None, "What is the genotype?", "Which symbol is it?"])
    return reply(rng.choice(["{}", "{}.", "The answer is {}."]).format(answer), gold, question)


def losses(rng, same):
    """A loss is no profit of as much."""
    number = rng.randint(3, 900)
    sign = rng.choice(["$", ""])
    said = rng.choice(["made a loss of", "had a loss of", "ended with a loss of"])
    return reply(f"The shop {said} {sign}{number} that day.", f"-{number if same else another(rng, number)}", rng.choice([None, "What was the profit? Use a negative number for a loss."]))


def for_each(rng, same):
    """A rate with "for each"."""
    number = rng.randint(2, 900)
    (word, unit), (of, per) = rng.choice([("kilojoules", "kJ"), ("grams", "g"), ("metres", "m"), ("litres", "L")]), rng.choice([("mole", "mol"), ("second", "s"), ("hour", "h"), ("minute", "min")])
    way = rng.choice(["for each", "for every", "per"])
    return reply(rng.choice([f"It comes to {number} {word} {way} {of}.", f"{number} {word} {way} {of}", f"So we get {number} {unit} {way} {of}."]),
                 f"{number if same else another(rng, number)} {unit}/{per}")


def intervals(rng, same):
    """A value with its margin, beside the interval."""
    middle, margin = rng.randint(200, 900), rng.randint(2, 99)
    other = margin if same else another(rng, margin, 2)
    opens, closes = rng.choice(["()", "[]"])
    answer, gold = f"{middle / 10} {rng.choice(['±', chr(92) + 'pm'])} {margin / 10}", f"{opens}{(middle - other) / 10}, {(middle + other) / 10}{closes}"
    return reply(*rng.sample([answer, gold], 2), rng.choice([None, "Give the 95% confidence interval for the mean."]))


def dates(rng, same):
    """A date before a dash, and another one in its explanation."""
    day, month = rng.randint(1, 28), rng.randint(1, 12)
    date, other = f"{month:02}/{day:02}/2021", f"{month:02}/{day:02}/2020"
    return reply(f"{date} {rng.choice(['—', '-', '–'])} that is a year after {other}.", date if same else f"{month:02}/{day:02}/2019")


def points(rng, same):
    """A point in words beside one in digits."""
    x, y = rng.randint(1, 9), rng.randint(1, 9)
    said = rng.choice(["They meet at the origin and at {}.", "They meet at {} and the origin.", "They cross at the origin and again at {}."])
    return reply(said.format(f"({x}, {y})"), f"(0,0) and ({x},{y})" if same else f"({x},{y})")


SYMBOLS = ["Na", "Cl", "Ca", "Fe", "C", "H", "O", "N", "S", "Mg", "K", "P"]
RAISED, LOWERED = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"), str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
STATES = ["{}", "{}", "It is {}.", "The formula is {}.", "The product is {}.", "Answer: {}", "The compound has the formula {}."]
DENIES = ["It is not {}.", "Perhaps {}.", "It could be {}.", "Nobody says that it is {}.", "If x were 2, it would be {}.", "The wrong formula is {}.", "It reacts with {} first."]


def molecule(rng):
    """Symbols with their counts."""
    return [(element, rng.randint(1, 12)) for element in rng.sample(SYMBOLS, rng.randint(2, 3))]


def shown(rng, atoms):
    """A formula in one of its notations."""
    way = rng.choice(["{}{}", "{}{}", "{}_{}", "{}_{{{}}}", "low"])
    text = "".join(element + ("" if n == 1 else str(n).translate(LOWERED) if way == "low" else way[2:].format(n) if way == "{}{}" else way.format("", n)) for element, n in atoms)
    return rng.choice([text, f"$\\mathrm{{{text}}}$"]) if way not in ("low", "{}{}") else text


def plain(atoms):
    return "".join(element + ("" if n == 1 else str(n)) for element, n in atoms)


def compounds(rng, same):
    """Formulas of compounds and ions, beside other counts or charges, and in sentences that deny them."""
    atoms = molecule(rng)
    if rng.random() < 0.3:
        number, sign = rng.randint(2, 4), rng.choice("+-")
        element = rng.choice(["Ca", "Fe", "Mg", "Al", "S", "N"])
        other = f"{number}{sign}" if same else rng.choice([f"{number + 1}{sign}", f"{number}{'-' if sign == '+' else '+'}"])
        return reply(rng.choice(STATES).format(element + rng.choice([other.translate(RAISED), f"^{{{other}}}"])), f"{element}^{{{number}{sign}}}")
    if not same and rng.random() < 0.3:
        return reply(rng.choice(DENIES).format(plain(atoms)), plain(atoms))
    told = list(atoms)
    if not same:
        k = rng.randrange(len(atoms))
        told[k] = (atoms[k][0], atoms[k][1] + rng.choice([1, 2]))
    return reply(rng.choice(STATES).format(shown(rng, told)), plain(atoms))


def reactions(rng, same):
    """Equations of reactions, in another order or with another count or term."""
    terms = [(rng.randint(1, 6), plain(molecule(rng))) for _ in range(rng.randint(3, 4))]
    told = list(terms)
    if not same:
        k = rng.randrange(len(terms))
        told[k] = rng.choice([(terms[k][0] + 1, terms[k][1]), (terms[k][0], plain(molecule(rng)))])
    left, right = told[:2], told[2:]
    if rng.random() < 0.5:
        left = left[::-1]
    arrow, gap = rng.choice(["->", "→", "\\rightarrow", "⟶"]), rng.choice(["", " "])
    sides = [" + ".join(("" if n == 1 else f"{n}{gap}") + text for n, text in side) for side in (left, right)]
    gold = [" + ".join(("" if n == 1 else str(n)) + text for n, text in side) for side in (terms[:2], terms[2:])]
    said = rng.choice(["{}", "Balanced: {}", "The balanced equation is {}.", "So we get {}.", "{} is the balanced equation."])
    return reply(said.format(f"{sides[0]} {arrow} {sides[1]}"), f"{gold[0]} -> {gold[1]}")


def shells(rng, same):
    """Electron configurations."""
    order = ["1s2", "2s2", "2p6", "3s2", "3p6", "4s2", "3d10", "4p6"]
    n = rng.randint(2, len(order))
    gold = order[:n]
    gold[-1] = gold[-1][:2] + str(rng.randint(1, int(gold[-1][2:])))
    told = list(gold) if same else gold[:-1] + [gold[-1][:2] + str(int(gold[-1][2:]) % 10 + 1)]
    ways = [lambda s: s, lambda s: f"{s[:2]}^{s[2:]}", lambda s: s[:2] + s[2:].translate(RAISED), lambda s: f"{s[:2]}^{{{s[2:]}}}"]
    answer, written = rng.choice(ways), rng.choice(ways)
    said = rng.choice(["{}", "The configuration is {}.", "Its electrons: {}"])
    return reply(said.format(" ".join(map(answer, told))), " ".join(map(written, gold)))


KINDS = {f.__name__.replace("_", " "): f for f in (options_of_others, words_of_others, values_of_others, what_was_before, remarks, withdrawn, orders, mixed, restated, capitals, losses, for_each, intervals, dates, points, compounds, reactions, shells)}
TOLD = {"what was before", "remarks", "shells"}


if __name__ == "__main__":
    sys.exit(answer_ends.main(KINDS, TOLD, __doc__))
