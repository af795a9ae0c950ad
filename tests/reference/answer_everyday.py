#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Everyday answers of known truth, kind by kind: temperatures, rates and amounts, sizes, names, constants of integration, what a sentence says of two or of the tallest, conclusions, bounds.

    answer_everyday.py [--seed N] [--pairs N] [--only KIND]

Of each kind N pairs (3,000) are drawn, half of them the same; each is an answer or a whole reply, by chance. No two values are
"the same", and no answer that is gold's is "different". Of the kinds in TOLD each pair must be told. Program: RDV_PROGRAM, or
build/rederive. Exits with 1 if one differs."""
import sys

import answer_ends
from answer_sentences import DAYS, NAMES, THINGS, another, posed

LETTERS = "C c K k A B".split()


def scales(rng, same):
    """Temperatures with and without the sign of degrees before the letter of the scale."""
    number, letter = rng.randint(-39, 400), rng.choice("CF")
    ways = {"C": ["°C", " °C", " C", "C", "^\\circ C", "^\\circ\\text{C}", " degrees C", " degrees Celsius", "° Celsius", " celsius"],
            "F": ["°F", " °F", " F", "F", "^\\circ F", "^{\\circ}\\text{F}", " degrees F", " degrees Fahrenheit", "° Fahrenheit", " fahrenheit"]}
    gold = f"{number}{rng.choice(ways[letter])}"
    if same:
        return posed(rng, f"{number}{rng.choice(ways[letter])}", gold)
    other = "CF"["FC".index(letter)]
    return posed(rng, rng.choice([f"{another(rng, number)}{rng.choice(ways[letter])}", f"{number}{rng.choice(ways[other][:2] + ways[other][6:])}"]), gold)


def rates(rng, same):
    """An amount with its unit, beside gold that is a rate: the question may say that it is one."""
    number = rng.randint(2, 900)
    (sign, name), (per, other) = rng.choice([("$", "dollars"), ("€", "euros"), ("¥", "yen"), ("CHF ", "francs")]), rng.sample(["day", "hour", "week", "month", "ticket", "year"], 2)
    rate = rng.choice(["{s}{n} per {p}", "{n} {w} per {p}", "{s}{n}/{p}", "{n} {w} a {p}", "{n} {w} each {p}", "{n} {w} every {p}"])
    amount = rng.choice(["{s}{n}", "{n} {w}", "{n}.00 {w}", "It is {s}{n}.", "The answer is {n} {w}."])
    form = {"s": sign, "n": number, "w": name}
    gold = rate.format(p=per, **form)
    question = f"How much does she get {rng.choice(['per', 'a', 'each', 'every'])} {per}?"
    if same:
        answer = rng.choice([amount, rate, rate]).format(p=per, **form)
        return posed(rng, answer, gold, question)
    if rng.random() < 0.4:
        return posed(rng, rate.format(p=other, **form), gold, rng.choice([None, question]))
    return posed(rng, amount.format(**form), gold, rng.choice([None, "How much does she get in all?"]))


def nearly(rng, same):
    """A number that a word before the verb makes approximate."""
    number, thing = rng.randint(2, 900), rng.choice(THINGS)
    adverb = rng.choice("nearly almost practically virtually barely hardly roughly approximately".split())
    verb, person = rng.choice("has pays sells gets makes".split()), rng.choice(NAMES)
    if same:
        return posed(rng, f"{person} {verb} {number} {thing}.", str(number), f"How many {thing}?")
    answer = rng.choice([f"{person} {adverb} {verb} {number} {thing}.", f"He {adverb} {verb} ${number}.", f"It {adverb} comes to {number} {thing}.", f"{person} {verb} {adverb} {number} {thing}.",
                         f"It is {adverb} {number}.", f"So {person} {adverb} {verb} a total of {number}."])
    return posed(rng, answer, str(number), rng.choice([None, f"How many {thing}?"]))


def constants(rng, same):
    """A general solution with a clause that says that a letter is any constant."""
    k, m, letter, gold_letter = rng.randint(2, 9), rng.randint(2, 9), rng.choice(LETTERS[:5]), rng.choice("CK")
    body = rng.choice(["y = {c}e^{{{k}x}}", "y = {c}x^{k} + {m}", "\\frac{{x^{k}}}{{{m}}} + {c}", "{m}\\sin({k}x) + {c}", "y = {m}e^{{{k}x}} + {c}", "y = {k}x + {c}"])
    fill = lambda c, n: body.format(c=c, k=n, m=m)
    clause = rng.choice([", where {} is a constant", " where {} is any constant", " with {} an arbitrary constant", ", with {} constant", ", {} any constant", ", {} is an arbitrary constant.", " ({} is a constant)",
                         ", where {} is the constant of integration", ", {} being any real constant", " for any constant {}", " for some constant {}", ", {} \\in \\mathbb{{R}}", " ({} = constant)", ", for arbitrary {}"])
    dollar = rng.choice(["", "$"])
    own = fill(letter, k if same else k + 1)
    clause = clause.format(dollar + letter + dollar)
    gold = fill(gold_letter, k) + rng.choice(["", "", clause.replace(letter, gold_letter, 1) if letter not in clause.replace(letter, "", 1) else ""])
    return posed(rng, dollar + own + dollar + clause, gold, rng.choice([None, "Find the general solution."]))


def identities(rng, same):
    """An equation whose sides are equal for all values: both are the answer."""
    a, b = rng.randint(2, 19), rng.randint(2, 19)
    x = rng.choice("xyt")
    left, right, other = rng.choice([
        (f"\\sqrt{{{x}^2}}", f"|{x}|", f"{x}"), (f"({x}+{a})^2", f"{x}^2+{2 * a}{x}+{a * a}", f"{x}^2+{a * a}"), (f"({x}-{a})({x}+{a})", f"{x}^2-{a * a}", f"{x}^2+{a * a}"),
        (f"{a}({x}+{b})", f"{a}{x}+{a * b}", f"{a}{x}+{b}"), (f"\\sqrt{{{a * a}{x}^2}}", f"{a}|{x}|", f"{a}{x}"), (f"\\ln({x}^{{{a}}})", f"{a}\\ln({x})", f"\\ln({a}{x})"),
        (f"\\frac{{{x}^2-{a * a}}}{{{x}-{a}}}", f"{x}+{a}", f"{x}-{a}"), (f"\\sin^2({x})+\\cos^2({x})", "1", "2")])
    form = rng.choice(["{} = {}", "${} = {}$", "$${} = {}$$", "{}={}"])
    if same:
        return {"answer": form.format(left, right), "gold": rng.choice([right, left])}
    return {"answer": form.format(left, right), "gold": other} if rng.random() < 0.5 else {"answer": form.format(left, other), "gold": right}


def sizes(rng, same):
    """Dimensions: "3 by 4", "3 x 4 cm", "3 cm × 4 cm"; of a rectangle in either order."""
    numbers = rng.sample(range(2, 60), rng.choice([2, 2, 3]))
    unit = rng.choice(["cm", "m", "feet", "inches", ""])
    said = numbers[:] if same else numbers[:-1] + [another(rng, numbers[-1], 60, 99)]
    joins = [" by ", " x ", " × ", "x", "×", " \\times "]

    def written(of, bare):
        join, each = rng.choice(joins), rng.random() < 0.4
        if not unit or bare:
            return join.join(map(str, of))
        if each:
            return rng.choice([" by ", " x ", " × "]).join(f"{n} {unit}" for n in of)
        return join.join(map(str, of)) + " " + unit

    answer = written(said, rng.random() < 0.2)
    return posed(rng, rng.choice(["{}", "{}", "It is {}.", "The dimensions are {}."]).format(answer), written(numbers, False), rng.choice([None, "What are the dimensions of the box?"]))


def named_values(rng, same):
    """Values by their letters against a tuple, and the other way."""
    values = [rng.randint(-30, 30) for _ in range(rng.choice([2, 2, 3]))]
    said = values[:]
    said[rng.randrange(len(said))] += 0 if same else rng.choice([-1, 1]) * rng.randint(1, 9)
    letters = rng.choice(["xyz", "abc"])[:len(values)]
    named = lambda of: rng.choice([", ", " and ", "; ", ",\\ "] if len(of) == 2 else [", "]).join(f"{c} = {n}" for c, n in zip(letters, of))
    plain = lambda of: "(" + rng.choice([", ", ","]).join(map(str, of)) + ")"
    first, second = rng.choice([(named, plain), (plain, named)])
    if first is named and len(values) == 2 and rng.random() < 0.3: # in the order of the text, behind a word
        told = [f"{c} = {n}" for c, n in zip(letters, said)]
        return posed(rng, rng.choice(["Thus {} and {}.", "So {} and {}.", "Hence {} and {}"]).format(*rng.sample(told, 2)), second(values), "Solve the system." if rng.random() < 0.5 else None)
    return posed(rng, rng.choice(["{}", "${}$"]).format(first(said)), second(values), rng.choice([None, "Solve the system."]))


def scaled_maps(rng, same):
    """Ratios with large numbers in words and signs."""
    number = rng.choice([rng.randint(2, 999), rng.randint(1, 99) * 1000, rng.randint(1, 9) * 1000000])
    shown = number if same else number * rng.choice([2, 10])
    write = lambda n: rng.choice(["1 to {}", "1:{}", "1 : {}", "1 to {:,}", "1:{:,}", "1/{}"][:5]).format(n)
    form = rng.choice(["{}", "The scale is {}.", "{}."])
    return posed(rng, form.format(write(shown)), write(number), rng.choice([None, "What is the scale of the map?"]))


def bare_names(rng, same):
    """A name alone beside a sentence that says it of a name, where the question asks for one."""
    gold, other = rng.sample(NAMES, 2)
    way = rng.choice(["taller", "older", "faster"])
    question = f"Who is {way}, {gold} or {other}?"
    said = gold if same else other
    sentence = rng.choice(["{} is {w}.", "{} is {w}", "{} is the {w} one."])
    first, second = rng.choice([(said, sentence.format(gold, w=way)), (sentence.format(said, w=way), gold), (sentence.format(said, w=way), sentence.format(gold, w=way))])
    return posed(rng, first, second, question)


def prefixed(rng, same):
    """One word with an article or a preposition that changes nothing, or with its noun from the question."""
    day, other = rng.sample(DAYS, 2)
    shape, second = rng.sample("triangle square circle pentagon cube sphere".split(), 2)
    gold, said, wrong = rng.choice([(day, rng.choice([f"on {day}", f"on a {day}", f"It is {day}.", f"a {day}"]), f"on {other}"), (f"on {day}", day, other),
                                    (shape, rng.choice([f"a {shape}", f"the {shape}", f"A {shape}."]), f"a {second}"), (f"a {shape}", shape, second)])
    return posed(rng, said if same else wrong, gold, rng.choice([None, "What is it?"]))


def lists_of_names(rng, same):
    """Names and things in a list, in any order where the question asks for none."""
    items = rng.sample(NAMES + THINGS, rng.randint(2, 4))
    said = items[:]
    rng.shuffle(said)
    if not same:
        said[0] = rng.choice([item for item in NAMES + THINGS if item not in items])
    join = lambda of: rng.choice([", ".join(of), ", ".join(of[:-1]) + " and " + of[-1], ", ".join(of[:-1]) + ", and " + of[-1] if len(of) > 2 else " and ".join(of)])
    return posed(rng, join(said) + rng.choice(["", "."]), join(items), rng.choice([None, "Which ones did she buy?"]))


def both_signs(rng, same):
    """Pairs of points or values with both signs."""
    a, b = rng.sample(range(1, 40), 2)
    other = a if same else a + 1
    gold = rng.choice([f"({b}, \\pm {a})", f"({b}, ±{a})"])
    answer = rng.choice(["({b}, {a}) and ({b}, -{a})", "({b}, -{a}), ({b}, {a})", "({b}, {a}), ({b}, -{a})", "({b},{a}) or ({b},-{a})"]).format(a=other, b=b)
    return posed(rng, *((answer, gold) if rng.random() < 0.5 else (gold if same else gold.replace(str(a), str(a + 1)), answer.replace(str(other), str(a)))))


def refusals(rng, same):
    """Yes and no as a sentence that says it of what is asked."""
    thing = rng.choice(["tile the board", "colour the map", "cross the bridge", "win the game"])
    question = f"Is it possible to {thing}?"
    gold = rng.choice(["yes", "no", "Yes", "No"])
    yes = rng.choice(["Yes, it is possible.", "It is possible.", "Yes, she can.", "Yes.", "It's possible."])
    no = rng.choice(["It is not possible.", "No, it is not possible.", "It's not possible.", "It isn't possible.", "No, because the sum is odd.", "It is impossible.", "No."])
    is_yes = (gold.lower() == "yes") == same
    return posed(rng, yes if is_yes else no, gold, question)


CHOICES = [("up", "down", "Does the parabola open {} or {}?", "graph opens"), ("exothermic", "endothermic", "Is the reaction {} or {}?", "process is"), ("even", "odd", "Is the product {} or {}?", "result is"),
           ("valid", "invalid", "Is the argument {} or {}?", "conclusion is"), ("increase", "decrease", "Does the demand {} or {}?", "quantity does"), ("acidic", "basic", "Is the liquid {} or {}?", "solution is")]


def choices(rng, same):
    """The question asks which of two, and a sentence says it."""
    one, other, question, subject = rng.choice(CHOICES)
    if rng.random() < 0.5:
        one, other = other, one
    said = one if same else other
    told = ["It is {}.", "So it is {}.", "The {s} {}.", "{}", "Thus the {s} {}.", "Some values are given, so the {s} {}."]
    refused = ["It is not {}.", "If a were 1, it would be {}.", "The opposite is {}.", "Is it {}?", "It is never {}.", "The other one is {}.", "It is less {} than before.", "The book claims {}.", "The student guessed {}.", "It was supposed to be {}.", "It is {}, no, {}."]
    if not same and rng.random() < 0.5:
        told, said = refused, one
    answer = rng.choice(told).format(said, other, s=subject)
    return posed(rng, answer, one, question.format(*rng.sample([one, other], 2)))


def the_tallest(rng, same):
    """Who or what is the first of several, as the subject or behind the verb."""
    gold, other, third = rng.sample(NAMES, 3)
    most, least = rng.choice([("tallest", "shortest"), ("oldest", "youngest"), ("fastest", "slowest"), ("richest", "poorest")])
    question = rng.choice([f"Who is the {most}?", f"{gold}, {other} and {third} meet. Who is the {most} of them?", None])
    told = ["{} is the {w} of the three.", "So {} is the {w}.", "The {w} is {}.", "{} is the {w}.", "Everything is known, so {} is the {w}."]
    if same:
        return posed(rng, rng.choice(told).format(gold, w=most), gold, question)
    question = question or f"Who is the {most}?"
    refused = ["{} is not the {w} of the three.", "{} is the {l} of the three.", "The {l} is {}.", "{} is the second {w} of the three.", "If so, {} is the {w}.", "{} is one of the {w}.", "Is {} the {w}?",
               "The {w} is not {}.", "{} was the {w} until May.", "{} was never the {w}.", "The loser is {}."]
    return posed(rng, rng.choice(refused).format(gold, w=most, l=least) if rng.random() < 0.6 else rng.choice(told).format(other, w=most), gold, question)


def verbs(rng, same):
    """What a thing does, or is, without a question."""
    gold, other = rng.choice([("converges", "diverges"), ("diverges", "converges"), ("increases", "decreases"), ("decreases", "increases")])
    thing = rng.choice("series sequence sum integral product amount".split())
    told = ["The {t} {}.", "It {}.", "So the {t} {}.", "The {t} {}, by the ratio test.", "The terms shrink, so it {}.", "Hence the {t} {}."]
    refused = ["The {t} never {}.", "Suppose the {t} {}.", "If the {t} {}, so does this.", "They claim the {t} {}.", "The {t} {} or not.", "I doubt that the {t} {}.", "The {t} {}?", "The opposite {}.", "The other {t} {}."]
    if same or rng.random() < 0.5:
        return posed(rng, rng.choice(told).format(gold if same else other, t=thing), gold)
    return posed(rng, rng.choice(refused).format(gold, t=thing), gold)


def opposites(rng, same):
    """Words that are each other's opposite by how they begin."""
    pairs = [("valid", "invalid"), ("possible", "impossible"), ("rational", "irrational"), ("stable", "unstable"), ("linear", "nonlinear"), ("legal", "illegal"), ("exothermic", "endothermic"), ("convergent", "divergent"),
             ("upward", "downward"), ("maximum", "minimum"), ("import", "export"), ("continuous", "discontinuous"), ("overestimate", "underestimate"), ("include", "exclude")]
    gold, other = rng.sample(rng.choice(pairs), 2)
    return posed(rng, rng.choice(["{}", "It is {}.", "So it is {}", "{}."]).format(gold if same else other), gold)


def reasons(rng, same):
    """The value that is asked for, and another one beside it as its reason."""
    (asked, of), (first, second) = rng.sample([("median", "mean"), ("radius", "diameter"), ("width", "height"), ("cost", "weight")], 1)[0], rng.sample(range(2, 300), 2)
    join = rng.choice(["as", "since", "because"])
    answer = f"The {asked} is {first}, {join} the {of} is {second}."
    if same:
        return posed(rng, answer, str(first), rng.choice([None, f"What is the {asked}?"]))
    return posed(rng, answer, *rng.choice([(str(second), f"What is the {asked}?"), (str(first), f"What is the {of}?"), (str(second + first), None)]))


def concluded(rng, same):
    """A number in words that a sentence comes to, behind one in digits."""
    tens = "twenty thirty forty fifty sixty seventy eighty ninety".split()
    number, given = rng.randint(20, 99), rng.randint(2, 400)
    word = tens[number // 10 - 2] + ("-" + "one two three four five six seven eight nine".split()[number % 10 - 1] if number % 10 else "")
    person, other = rng.sample(NAMES, 2)
    question = f"How old is {person}?"
    if given == number:
        given += 1
    answer = rng.choice([f"{other} is {given}, so {person} is {word}.", f"{other} is {given} years old. So {person} is {word}.", f"We know that {other} is {given}, thus {person} is {word}."])
    if same:
        return posed(rng, answer, str(number), rng.choice([None, question]))
    wrong = [(answer, str(given), question), (answer, str(number + 1), question), (answer.replace(f"{person} is", f"{person} is not"), str(number), question), (answer.replace(word, f"more than {word}"), str(number), question),
             (answer.replace(word, f"twice {word}"), str(number), question), (answer, str(number), f"How old is {other}?")]
    return posed(rng, *rng.choice(wrong))


RELATIONS = {"[": "\\ge", "(": ">"}


def bounds(rng, same):
    """Bounds in words against relations and intervals."""
    low, high = sorted(rng.sample(range(-40, 60), 2))
    lows, highs = {"[": ["at least", "no less than", "greater than or equal to"], "(": ["greater than", "more than", "larger than"]}, {"]": ["at most", "no more than", "less than or equal to"], ")": ["less than", "smaller than"]}
    begin, end = rng.choice("[("), rng.choice("])")
    said_begin, said_low = (begin, low) if same else rng.choice([("[("["([".index(begin)], low), (begin, low - 1)])
    kind = rng.randrange(4)
    if kind == 0:
        answer = f"{rng.choice(['x is', 'The solution is all x', 'all x', 'all real numbers'])} {rng.choice(lows[said_begin])} {said_low} and {rng.choice(highs[end])} {high}"
        return posed(rng, answer + rng.choice(["", "."]), f"{begin}{low}, {high}{end}")
    if kind == 1:
        gold = f"x {RELATIONS[begin]} {low}"
        told = rng.choice(["Any number that is {} works.", "x must be {}.", "all numbers {}"]).format(f"{rng.choice(lows[said_begin])} {said_low}")
        return posed(rng, told if same or rng.random() < 0.7 else told.replace("Any", "No").replace("must be", "is not").replace("all", "no"), gold)
    if kind == 2:
        kept = begin if same else "[("["([".index(begin)]
        word = {"[": ["between {} and {} inclusive", "from {} to {}, inclusive"], "(": ["strictly between {} and {}", "between {} and {}, exclusive"]}[kept]
        return posed(rng, rng.choice(word).format(low, high), f"{begin}{low}, {high}{dict(zip('[(', '])'))[begin]}")
    words = "two three four five six seven eight nine ten eleven twelve".split()
    of = rng.randrange(11)
    return posed(rng, rng.choice(["One in {}", "one in {}", "One in {}."]).format(words[of if same else (of + 1) % 11]), rng.choice(["\\frac{{1}}{{{}}}", "1/{}"]).format(of + 2))


def not_said(rng, same):
    """Sentences that say that there is no answer, some with a number, beside gold that is a value: none is the same."""
    number, thing = rng.randint(2, 900), rng.choice(THINGS)
    answer = rng.choice([f"There aren't enough facts given to count the {thing}.", "As an AI model I can't do this task.", f"The number of {thing} is unknown.", f"I'd rather not say {number} or anything else.", "I can't do this.",
                         "There are not enough facts.", "The third side is unknown, as two alone tell nothing.", f"The total price is unknown: {number} {thing} were sold."])
    return posed(rng, answer, f"{number} {thing}" if rng.random() < 0.3 else str(number)) if not same else posed(rng, f"{number} {thing}", str(number), f"How many {thing}?")


def joined(rng, same):
    """Gold that joins two values by "and": they are a list, whatever their order and the words beside them."""
    values = rng.sample(range(-40, 90), 3)
    kind = rng.choice(["number", "point", "fraction"])
    shown = {"number": str, "point": lambda n: f"({n}, {n // 2 + 3})", "fraction": lambda n: f"{n}/97" if n else "1/97"}[kind]
    first, second, third = (shown(value) for value in values)
    told = rng.sample([first, second] if same else [rng.choice([first, second]), third], 2)
    says = ["{} and {}", "The {w} are {} and {}.", "{}, {}", "So they are {} and {}."] + (["x = {} or x = {}"] if kind != "point" else ["They meet at {} and {}."])
    return posed(rng, rng.choice(says).format(*told, w=rng.choice(["roots", "values", "solutions"])), f"{first} and {second}", rng.choice([None, "Find both solutions."]))


KINDS = {f.__name__.replace("_", " "): f for f in (scales, rates, nearly, constants, identities, sizes, named_values, scaled_maps, bare_names, prefixed, lists_of_names, both_signs, refusals,
                                                       choices, the_tallest, verbs, opposites, reasons, concluded, bounds, not_said, joined)}
TOLD = {"opposites"}

if __name__ == "__main__":
    sys.exit(answer_ends.main(KINDS, TOLD, __doc__))
