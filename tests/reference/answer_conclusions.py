#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the last sentence of a reply comes to, of known truth, kind by kind: numbers in words, values behind labels, several equations, sums of quantities, Greek letters, chains, durations, times.

    answer_conclusions.py [--seed N] [--pairs N] [--only KIND]

Of each kind N pairs (3,000) are drawn, half of them the same. No two values are "the same", and no answer that is gold's is
"different". Of the kinds in TOLD each pair must be told. Program: RDV_PROGRAM, or build/rederive. Exits with 1 if one differs."""
import sys

import answer_ends
from answer_sentences import NAMES, THINGS, another, words

GREEK = {"λ": "\\lambda", "θ": "\\theta", "α": "\\alpha", "β": "\\beta", "μ": "\\mu", "ω": "\\omega", "ρ": "\\rho", "σ": "\\sigma"}
SUBSCRIPTS = "₀₁₂₃₄₅₆₇₈₉"
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
MEASURED = [("dollars", "dollars"), ("feet", "ft"), ("kilometres", "km"), ("minutes", "minutes"), ("kilograms", "kg"), ("percent", "%"), ("degrees Fahrenheit", "°F"), ("litres", "L")]


def reply(text, gold, question=None):
    return {"text": text, "gold": gold} | ({"question": question} if question else {})


def measured_words(rng, same):
    """A quantity in words that a sentence with another number in words states."""
    number, weeks, (unit, sign) = rng.randint(13, 999), rng.randint(2, 12), rng.choice(MEASURED)
    person = rng.choice(NAMES)
    said = rng.choice(["After {w} weeks {p} has {n} {u}.", "In {w} days it comes to {n} {u}.", "The {w} parts make {n} {u}.", "{p} measured {n} {u}.", "So the total is {n} {u}.",
                       "Altogether that makes {n} {u}.", "The {w} of them weigh and cost alike, so the sum is {n} {u}."])
    return reply(said.format(w=words(weeks), n=words(number), u=unit, p=person), f"{number if same else another(rng, number, 13)} {sign}")


def decimals_in_words(rng, same):
    """A decimal in words: "ninety-eight point six"."""
    whole, digits = rng.randint(13, 99), [rng.randint(1, 9) for _ in range(rng.randint(1, 3))]
    unit, sign = rng.choice(MEASURED[1:])
    gold = f"{whole if same else whole + rng.choice([-1, 1])}.{''.join(map(str, digits))}"
    said = rng.choice(["The mean is {} {u}.", "It comes to {} {u}.", "So the result is {} {u}."])
    return reply(said.format(f"{words(whole)} point {' '.join(map(words, digits))}", u=unit), f"{gold} {sign}")


def counted_in_words(rng, same):
    """A number in words at the end, behind numbers in digits that are not what is asked for."""
    number, groups, thing = rng.randint(2, 99), rng.randint(2, 9), rng.choice(THINGS)
    said = rng.choice(["The {g} groups hold {k} each; that makes {n} {t}.", "From {k} and {g} we get {n} {t}.", "Take {k} away, which leaves {n} {t}.", "With {k} packed, {n} {t} are left.",
                       "There were {k} people, so {n} {t} are needed."])
    other = another(rng, number, 2, 99)
    given = next(k for k in range(rng.randint(100, 300), 400) if k not in (number, other))
    return reply(said.format(g=groups, k=given, n=words(number), t=thing), str(number if same else other), rng.choice([None, f"How many {thing} are there?"]))


def words_that_are_no_values(rng, same):
    """Words that name a number and are none, or one that a word turns: gold is never what they say."""
    number = rng.randint(2, 12)
    word, person = words(number), rng.choice(NAMES)
    said = rng.choice(["The {w} of them met again.", "She bought a {w}-way ticket.", "Twice {w} is what they paid.", "It is not {w}.", "More than {w} people came.", "If it were {w}, they would go.",
                       "It is {w} more than he has.", "Nobody says that it is {w}.", "It is less than {w}.", "Half of {w} is the result.", "The result is double {w}.", "Her guess was {w}.",
                       "Those {w} left early.", "It is at least {w}.", "{p} has {w} too many.", "They met {w} hours later.", "The wrong answer is {w}.", "A mistake gives {w}.", "Each of the {w} is blue.",
                       "The result minus {w} is known.", "It isn't {w}.", "It never was {w}.", "Three times {w} is the result.", "One of the {w} is missing."])
    return reply(said.format(w=word, p=person), str(number)) if not same else reply(f"So {person} has {word} {rng.choice(THINGS)}.", str(number))


def parted_in_words(rng, same):
    """Fractions and ratios in words."""
    part, whole = sorted(rng.sample(range(2, 10), 2))
    names = {3: "third", 4: "quarter", 5: "fifth", 6: "sixth", 7: "seventh", 8: "eighth", 9: "ninth"}
    told = [(f"There's a {words(part)} in {words(whole * 11)} chance.", f"{part}/{whole * 11}", f"{part + 1}/{whole * 11}"),
            (f"There's a one in {words(whole * 12)} chance.", f"1/{whole * 12}", f"1/{whole * 12 + 1}"),
            (f"The chance is {words(part)} out of {words(whole * 11)}.", f"{part}/{whole * 11}", f"{part}/{whole * 11 + 1}"),
            (f"So the share is {words(part)} {names[whole]}s.", f"{part}/{whole}", f"{part}/{whole + 1}"),
            (f"The probability is one {names[whole]}.", f"1/{whole}", f"{part}/{whole}"),
            (f"It takes {words(whole)} and a half hours.", f"{whole}.5 hours", f"{whole} hours"),
            (f"That makes {words(whole)} dozen.", str(whole * 12), str(whole))]
    said, gold, other = rng.choice(told)
    return reply(said, gold if same else other)


def drawn_object(rng):
    """A value that is no single number, as shown, gold and another gold."""
    a, b, c = rng.sample(range(2, 60), 3)
    low, high = sorted((a, b))
    return rng.choice([(f"({low}, {high}]", f"({low},{high}]", f"[{low},{high})"), (f"{{{a}, {b}, {c}}}", f"\\{{{c},{a},{b}\\}}", f"\\{{{a},{b},{c + 1}\\}}"), (f"({a}, -{b})", f"({a},-{b})", f"({a},{b})"),
                       (f"x^{low} + {b}", f"{b} + x^{low}", f"x^{low} - {b}"), (f"{a} h {b % 50 + 5} min", f"{a * 60 + b % 50 + 5} minutes", f"{a * 60 + b % 50 + 6} minutes"),
                       (f"{a}.{b} km/h", f"{a}.{b} km/h", f"{a}.{b} mph"), (f"{a}/{a + b}", f"\\frac{{{a}}}{{{a + b}}}", f"\\frac{{{a + 1}}}{{{a + b}}}")])


def labels(rng, same):
    """A value behind a label."""
    shown, gold, other = drawn_object(rng)
    label = rng.choice(["Domain", "Output", "Average", "Total", "Interval of increase", "Sum of the parts", "Result of the second run", "Speed", "Answer set", "Value in the end", "What is left"])
    return reply(f"{label}: {shown}{rng.choice(['', '.'])}", gold if same else other)


def labels_of_others(rng, same):
    """A label of what is not the answer, as "Opposite: 8"."""
    shown, gold, other = drawn_object(rng)
    refused = ["Opposite", "Example", "Counterexample", "Question", "First guess", "Her guess", "Hint", "Given", "Wrong", "Not the result", "Bad answer", "Old answer", "Rejected", "Inverse", "Reciprocal", "Complement",
               "Previously", "Source, page", "A common mistake", "False", "Incorrect value"]
    number = rng.randint(2, 90)
    if rng.random() < 0.4:
        shown, gold, other = str(number), str(number), str(number + 1)
    return reply(f"Result: {shown}", gold) if same else reply(f"{rng.choice(refused)}: {shown}", gold)


def names_of(rng):
    """Two names, as they are written and in LaTeX."""
    greek = rng.choice(list(GREEK))
    return rng.choice([("x", "x"), ("a", "b"), ("p", "q"), ("m", "n"), (greek, greek)] + [(f"{letter}{SUBSCRIPTS[1]}", f"{letter}{SUBSCRIPTS[2]}") for letter in (greek, "x", "t")])


def values_of_one_name(rng, same):
    """Two equations that a sentence ends with, against a list of values."""
    (first, second), (a, b) = names_of(rng), rng.sample(range(-40, 60), 2)
    joined = rng.choice([" and ", ", ", " and ", ", and "])
    lead = rng.choice(["The matrix is diagonal, so ", "The equation has the solutions ", "Factoring shows that ", "We find ", "Thus ", "It follows that ", "In the end we get ", "", "Solutions: "])
    values = [a, b] if same else [a, another(rng, b, -40, 60)]
    if values[0] == values[1]:
        values[1] += 101
    rng.shuffle(values)
    return reply(f"{lead}{first} = {a}{joined}{second} = {b}{rng.choice(['', '.'])}".replace("-", rng.choice("-−")), rng.choice(["{} and {}", "{}, {}", "\\{{{}, {}\\}}"]).format(*values))


def points(rng, same):
    """Equations with x and y, in any order, against a point with or without their names."""
    a, b, c = rng.sample(range(-40, 60), 3)
    lead = rng.choice(["The midpoint lies at ", "The lines cross where ", "Adding both gives ", "Back substitution gives ", "The vertex sits at ", "So ", "Solving the system, we get "])
    if rng.random() < 0.4:
        told = [f"z = {c}", f"y = {b}", f"x = {a}"]
        other = rng.choice([(b, a, c), (a, b, c + 1), (c, b, a)])
        return reply(lead + f"{told[0]}, {told[1]}, and {rng.choice(['finally ', 'then ', ''])}{told[2]}.", "(x, y, z) = ({}, {}, {})".format(*((a, b, c) if same else other)))
    told = [f"x = {a}", f"y = {b}"]
    named = rng.random() < 0.5
    if named:
        rng.shuffle(told)
    gold = (a, b) if same else rng.choice([(b, a), (a, b + 1), (a, -b or 1)])
    return reply(f"{lead}{told[0]}{rng.choice([' and ', ', '])}{told[1]}.", ("(x, y) = " if named else "") + "({}, {})".format(*gold))


def lone_greek(rng, same):
    """A Greek letter, as a character or in LaTeX, is a name as x is."""
    letter, value = rng.choice(list(GREEK)), rng.randint(2, 90)
    said = rng.choice([f"{letter} = {value}", f"So {letter} = {value}.", f"${GREEK[letter]} = {value}$"])
    gold = value if same else value + 1
    return reply(said, rng.choice([f"{gold}", f"{letter} = {gold}", f"${GREEK[letter]} = {gold}$"]))


def closing_formulas(rng, same):
    """A formula with letters that a sentence ends with, behind a verb."""
    (a, b), n = rng.sample("pqruvwyz", 2), rng.randint(2, 60)
    shown, gold, other = rng.choice([(f"{a}/{b}", f"\\frac{{{a}}}{{{b}}}", f"\\frac{{{b}}}{{{a}}}"), (f"({a} + {n})({a} + {n + 3})", f"({a}+{n + 3})({a}+{n})", f"({a}+{n + 1})({a}+{n + 2})"),
                                     (f"{n} cos({a})", f"{n}\\cos {a}", f"{n}\\sin {a}"), (f"{a}² + {b}²", f"{b}^2 + {a}^2", f"{a}^2 - {b}^2"), (f"−{a}", f"-{a}", a), (f"{n}{a}{b}", f"{n}{b}{a}", f"{n}{a}")])
    said = rng.choice(["The expression simplifies to {}.", "Cancelling the common factor leaves {}.", "By the chain rule you get {}.", "The derivative is {}.", "This reduces to {}.", "That gives {}.", "So we obtain {}.",
                       "Everything is equal to {}."])
    return reply(said.format(shown), gold if same else other)


def values_in_brackets(rng, same):
    """A fraction and the same value as a decimal in brackets behind it: no product of both."""
    below = rng.choice([4, 5, 8, 20, 25, 40])
    above = rng.choice([k for k in range(1, 3 * below) if k % below])
    decimal = f"{above / below:.4f}".rstrip("0")
    shown = rng.choice(["{}/{} ({})", "x = {}/{} ({})", "\\frac{{{}}}{{{}}} ({})"]).format(above, below, decimal)
    value, product = f"{above}/{below}", f"{above * above}/{below * below}"
    return reply(shown, rng.choice([value, decimal]) if same else rng.choice([product, f"{above + below}/{below}"]))


def one_of_several(rng, same):
    """A lone equation where gold has two values."""
    a = rng.choice([n for n in range(-30, 40) if n])
    b = rng.choice([n for n in range(-30, 40) if n not in (0, a, -a)])
    said = rng.choice(["The solution is x = {}.", "Taking roots on both sides, x = {}.", "The equation factors nicely, and we get x = {}.", "So x = {}."])
    gold = rng.choice(["x = {} or x = {}", "{}, {}"])
    return reply(f"So x = {a} or x = {b}.", gold.format(b, a)) if same else reply(said.format(a), gold.format(*rng.sample([a, b], 2)))


def parts_of_the_result(rng, same):
    """A value of which the sentence says that it is another one's: "The root of the result is 8."""
    shown, gold, other = drawn_object(rng)
    number, noun = rng.randint(2, 90), rng.choice(["result", "answer", "solution"])
    if rng.random() < 0.5:
        shown, gold, other = rng.choice([str(number), words(number)]), str(number), str(number + 1)
    turned = ["The square root of the {n} is {v}.", "The square of the {n} is {v}.", "One third of the {n} is {v}.", "1/{k} of the {n} is {v}.", "A fifth of this {n} is {v}.", "Two more than the {n} is {v}.", "{k} less than the {n} is {v}.",
              "Three times the {n} is {v}.", "The {n} plus {k} is {v}.", "The {n} times {k} equals {v}.", "The {n} divided by {k} gives {v}.", "One of the {n}s is {v}.", "The last digit of that {n} is {v}.", "The {n} squared is {v}."]
    if same:
        return reply(f"The {noun} is {shown}.", gold)
    return reply(rng.choice(turned).format(n=noun, v=shown, k=rng.randint(2, 9)), gold)


SUMS = [("hours", "minutes", 60, "hours"), ("feet", "inches", 12, "ft"), ("minutes", "seconds", 60, "minutes"), ("days", "hours", 24, "days"), ("pounds", "ounces", 16, "pounds"), ("metres", "centimetres", 100, "m")]


def sums_of_quantities(rng, same):
    """A sum of two quantities with words behind it, against one quantity."""
    large, small, times, unit = rng.choice(SUMS)
    a, parts = rng.randint(2, 30), rng.choice([4, 2])
    gold = f"{a}.{'5' if parts == 2 else '25'} {unit}" if same else rng.choice([f"{times // parts} {small}", f"{a} {unit}", f"{a + 1}.5 {unit}"])
    said = rng.choice(["It takes {} of work.", "It is {} tall.", "That's {} in all.", "The answer comes out as {} here.", "So we need {} to get there.", "{}", "They measured {} again.", "In all that is {}."])
    return reply(said.format(f"{a} {large}{rng.choice([' ', ' and '])}{times // parts} {small}"), gold)


def turned_sums(rng, same):
    """A sum of two quantities that a word before or behind it turns."""
    large, small, times, unit = rng.choice(SUMS)
    a = rng.randint(2, 30)
    shown = f"{a} {large}{rng.choice([' ', ' and '])}{times // 2} {small}"
    said = rng.choice(["It took twice {}.", "It is at least {}.", "It is not {}.", "It is more than {}.", "It was {} more than that.", "It took half of {}.", "They had {} less than we had.", "It is longer than {}.",
                       "It never took {}.", "The wrong answer is {}.", "It would be {} if it were whole."])
    return reply(f"It is {shown}.", f"{a}.5 {unit}") if same else reply(said.format(shown), f"{a}.5 {unit}")


def chains(rng, same):
    """A chain of equalities that ends in a number with a power of ten and its unit."""
    unit = rng.choice(["J", "N", "m", "W", "Pa", "kg", "s"])
    lead, power = rng.choice(["E = hf", "λ = c/f", "F = ma", "d = vt", "W = Fd", "x = a/b", "θ = s/r", "P = W/t"]), rng.choice([-19, -12, -9, -7, -4, 4, 5, 6, 8])
    number = rng.randint(11, 99) / 10
    text = rng.choice([f"{number} × 10{str(power).translate(SUPERSCRIPTS)} {unit}", f"{number} \\times 10^{{{power}}} {unit}", f"{number}e{power} {unit}"])
    gold = number if same else round(number + rng.choice([-1, 1]) * 0.8, 1)
    return reply(f"{lead} = {text}", f"{gold} \\times 10^{{{power}}} {unit}")


def durations(rng, same):
    """Months and years against days and weeks: different where no month is so long."""
    number, long, short = rng.randint(2, 90), rng.choice(["months", "years"]), rng.choice(["days", "weeks", "hours", "minutes"])
    if same:
        days = {"months": 30.4, "years": 365.2}[long]
        near = {"days": days, "weeks": days / 7, "hours": days * 24, "minutes": days * 1440}[short]
        return reply(f"It takes {number} {long}.", f"{round(number * near)} {short}")
    pair = [f"{number} {long}", f"{number} {short}"]
    rng.shuffle(pair)
    return reply(rng.choice(["It takes {}.", "{}", "So it lasts {} in all."]).format(pair[0]), pair[1])


def midnights(rng, same):
    """Minutes past and to midnight and noon."""
    minute, side, (middle, hour) = rng.choice([5, 10, 15, 20, 25]), rng.choice(["past", "to"]), rng.choice([("midnight", 0), ("noon", 12), ("midday", 12)])
    count = rng.choice([words(minute), words(minute) + " minutes"]) if minute != 15 else "a quarter"
    at = (hour * 60 + (minute if side == "past" else -minute)) % 1440
    other = at if same else (at + rng.choice([720, 5, 60])) % 1440
    clock = lambda t: rng.choice([f"{t // 60:02}:{t % 60:02}", f"{(t // 60 + 11) % 12 + 1}:{t % 60:02} {'AM' if t < 720 else 'PM'}"])
    gold = clock(other) if other >= 780 or other < 60 else f"{(other // 60 + 11) % 12 + 1}:{other % 60:02} {'AM' if other < 720 else 'PM'}"
    return reply(rng.choice(["It landed at {}.", "{}", "The train leaves at {}."]).format(f"{count} {side} {middle}"), gold)


KINDS = {f.__name__.replace("_", " "): f for f in (measured_words, decimals_in_words, counted_in_words, words_that_are_no_values, parted_in_words, labels, labels_of_others, values_of_one_name, points, lone_greek, closing_formulas, values_in_brackets,
                                                   one_of_several, parts_of_the_result,
                                                   sums_of_quantities, turned_sums, chains, durations, midnights)}
TOLD = {"decimals in words", "parted in words", "points", "lone greek", "values in brackets", "one of several", "chains", "midnights"}

if __name__ == "__main__":
    sys.exit(answer_ends.main(KINDS, TOLD, __doc__))
