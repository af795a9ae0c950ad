#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Answers that are words, of known truth, kind by kind: who did what to whom, what something is, parts of names, options of the question, lists of words, directions, labels and marks.

    answer_words.py [--seed N] [--pairs N] [--only KIND]

Of each kind N pairs (3,000) are drawn, half of them the same; each is an answer or a whole reply, by chance. No two values are
"the same", and no answer that is gold's is "different". Program: RDV_PROGRAM, or build/rederive. Exits with 1 if one differs."""
import sys

import answer_ends
from answer_sentences import posed

TEAMS = "Norway Chile Ghana Latvia Peru Qatar Malta Kenya".split()
PEOPLE = ["Olga Brandt", "Samuel Otieno", "Lucia Ferrante", "Henrik Aalto", "Priya Raman", "Tomas Vesely", "Ingrid Solberg", "Rafael Quiroga"]
TERMS = "erosion diffusion inflation pollination evaporation refraction migration combustion".split()
WORDS = "kettle marble lantern pebble saddle turnip walnut zipper anchor bonnet".split()
DEFINED = {"erosion": "wearing away of soil", "diffusion": "spreading of particles", "inflation": "rise of prices", "pollination": "transfer of pollen", "evaporation": "change from liquid to vapour",
           "refraction": "bending of light", "migration": "movement of herds", "combustion": "burning of fuel"}


def roles(rng, same):
    """Who did it, and to whom: both names may stand in the sentence, and the question gives one."""
    agent, patient, third = rng.sample(TEAMS, 3)
    verb, past = rng.choice([("beat", "beat"), ("defeat", "defeated"), ("follow", "followed"), ("help", "helped")])
    done = "beaten" if verb == "beat" else past
    told = rng.choice([f"{agent} {past} {patient}.", f"{patient} was {done} by {agent}.", f"So {agent} {past} {patient}.", f"In the end {agent} {past} {patient}.", f"It was {agent} who {past} {patient}.", f"It was {agent} that {past} {patient}"])
    if rng.random() < 0.5:
        question, gold = rng.choice([f"Who {past} {patient}?", f"Which team {past} {patient}?", f"By whom was {patient} {done}?"]), agent
        wrong = [f"{patient} {past} {agent}.", f"{agent} was {done} by {patient}.", f"{third} {past} {patient}.", f"{agent} lost to {patient}.", f"{patient} was not {done} by {agent}.", f"{agent} did not {verb} {patient}.",
                 f"{agent} never {past} {patient}.", f"{third}, not {agent}, {past} {patient}.", f"{agent} or {third} {past} {patient}.", f"{agent} could have {past} {patient}.", f"{third} {past} {agent}.",
                 f"Many think it is {agent}, but it is {third}.", f"{agent} might have {past} {patient}", f"It was {patient} who {past} {agent}.", f"{agent} and {third} {past} {patient}.", f"It was {third} and not {agent} that {past} {patient}.",
                 f"A friend of {agent} {past} {patient}.", f"It was {agent}'s rival who {past} {patient}.", f"It wasn't {agent} who {past} {patient}.", f"Nobody but {third} {past} {patient}; {agent} was late."]
    else:
        question, gold = rng.choice([f"Who did {agent} {verb}?", f"Which team did {agent} {verb}?", f"Whom did {agent} {verb}?"]), patient
        wrong = [f"{patient} {past} {agent}.", f"{agent} was {done} by {patient}.", f"{agent} {past} {third}.", f"{agent} did not {verb} {patient}.", f"{agent} {past} {third}, not {patient}.", f"{agent} {past} {patient} or {third}.",
                 f"{third} {past} {patient}."]
    return posed(rng, told if same else rng.choice(wrong), gold, question)


def places(rng, same):
    """Where a place lies beside another one."""
    first, second, third = rng.sample(TEAMS, 3)
    way, back = rng.choice([("north", "south"), ("east", "west")])
    question = f"Which country is {way} of {first}?"
    told = [f"{second} is {way} of {first}.", f"It is {second}.", f"{second}", f"The country {way} of {first} is {second}.", f"So {second} lies {way} of {first}."]
    wrong = [f"{first} is {way} of {second}.", f"{second} is {back} of {first}.", f"{third} is {way} of {first}.", f"{second} is not {way} of {first}.", f"It is {third}, {way} of {second}.", f"{first} is {back} of {third}, and {second} is {back} of {first}."]
    return posed(rng, rng.choice(told if same else wrong), second, question)


def definitions(rng, same):
    """The term for a thing."""
    gold, other, third = rng.sample(TERMS, 3)
    what = DEFINED[gold]
    question = rng.choice([f"What is the {what} called?", f"Which term names the {what}?", f"By what process does the {what} take place?", None])
    told = ["The {d} is called {}.", "This is {}.", "It is called {}.", "The {d} is known as {}.", "{} is the {d}.", "The term is {}.", "That is called {}", "It is **{}**.", "It takes place through the process of {}.", "The answer is \"{}\"."]
    if question is None:
        told = ["It is called {}.", "The {d} is called {}.", "This is called {}", "{}."]
    refused = ["The opposite of {} is {o}.", "It is not {}.", "It isn't called {}, it is called {o}.", "It is {o} rather than {}.", "It is {o} and not {}.", "It is {} or {o}.", "It is no longer {}.", "It is {o} instead of {}.", "It would be {} if it were slow.",
               "Some call it {}, but it is {o}.", "The contrary of {} is meant.", "{} is wrong.", "\"{}\" is wrong.", "It is neither {} nor {o}.", "Unlike {}, it is {o}.", "It is less than {}.", "Bad answer: {}", "Wrong: {}", "Not this: {}", "The {d} was formerly called {}, now {o}.",
               "It is the opposite of {}.", "It is almost {}.", "It is a kind of {}, namely {o}.", "The cause of {} is {o}.", "It comes before {}.", "It leads to {}.", "Without {} it stops.", "A mistaken guess: {}", "Is it {}?", "It is {}, no, {o}.", "It is the reverse of {}."]
    if same:
        return posed(rng, rng.choice(told).format(gold, d=what), gold, question)
    if rng.random() < 0.3:
        return posed(rng, rng.choice(told).format(other, d=what), gold, question)
    return posed(rng, rng.choice(refused).format(gold, o=other, d=what), gold, question)


def families(rng, same):
    """A family name for a full name, and the other way; a place whose name is a part of another one's is no such name."""
    gold, other = rng.sample(PEOPLE, 2)
    first, last = gold.split()
    verb = rng.choice(["wrote", "painted", "founded", "discovered"])
    thing = rng.choice(["the opera", "the old school", "the blue comet", "the bank"])
    question = f"Who {verb} {thing}?"
    done = "written" if verb == "wrote" else verb
    told = ["{}", "{} {v} {t}.", "It was {}.", "{T} was {d} by {}.", "So it was {}.", "That was {}, a teacher.", "It must have been {}.", "It was the young poet {}."]
    fill = {"v": verb, "t": thing, "T": thing[0].upper() + thing[1:], "d": done}
    if same:
        said, known = rng.choice([(last, gold), (gold, last), (gold, gold), (f"{first} Maria {last}", gold)])
        return posed(rng, rng.choice(told).format(said, **fill), known, question)
    kind = rng.randrange(5)
    if kind == 0:
        part = rng.choice(TEAMS)
        said, known = rng.sample([part, rng.choice(["New", "South", "West", "Upper", "North"]) + " " + part], 2)
        return posed(rng, rng.choice(["{}", "It is {}.", "The country is {}."]).format(said), known, rng.choice(["Which country is it?", "What is the name of the state?", None]))
    if kind == 1:
        return posed(rng, rng.choice(told).format(f"{other.split()[0]} {last}", **fill), gold, question)
    if kind == 2:
        return posed(rng, rng.choice(told).format(other, **fill), rng.choice([gold, last]), question)
    if kind == 3:
        return posed(rng, last, gold, f"Who was the brother of {other.split()[0]} {last}?" if rng.random() < 0.5 else f"Which {last} {verb} {thing}?")
    near = ["It was a pupil of {}.", "{}'s wife {v} {t}.", "It wasn't {}.", "It was {} or {o}.", "The sister of {} {v} {t}.", "It was a friend of {}.", "It was the son of {}.", "{T} was {d} after {}.", "{T} was {d} for {} by {o}.", "{} never {v} {t}.", "It was {}'s mother.",
            "It was somebody like {}.", "People say {} {v} {t}, but it was {o}.", "Before {}, {o} {v} {t}.", "It was {o}, who taught {}.", "If not {}, who {v} {t}?", "It was {o}, not {}."]
    return posed(rng, rng.choice(near).format(rng.choice([gold, last]), o=other, **fill), rng.choice([gold, last]), question)


def options(rng, same):
    """Choices that the question names, in different ways."""
    kind = rng.randrange(4)
    if kind == 0:
        first, second = rng.choice([("rent", "buy"), ("walk", "ride"), ("repair", "replace"), ("stay", "leave")])
        subject = rng.choice(["she", "he"])
        question = f"Should {subject} {first} or {second}?"
        gold, other = rng.sample([first, second], 2)
        told = [f"{subject.title()} should {{}}.", "{}", f"So {subject} should {{}}.", f"{subject.title()} should {{}} rather than {{o}}.", f"It costs less, so {subject} should {{}}.", f"{subject.title()} should {{}}, not {{o}}.", f"{subject.title()} should {{}} because it is faster."]
        refused = [f"{subject.title()} should not {{}}.", f"{subject.title()} should {{}} or {{o}}.", f"{subject.title()} shouldn't {{}}.", f"{subject.title()} should never {{}}.", f"Why should {subject} {{}}?", f"{subject.title()} should {{o}} rather than {{}}.",
                   f"{subject.title()} should {{o}} instead of {{}}.", f"{subject.title()} could {{}}.", f"If it rains, {subject} should {{}}.", f"Some say {subject} should {{}}, but {subject} should {{o}}."]
    elif kind == 1:
        gold, other, third = rng.sample(["their", "there", "where"] if rng.random() < 0.5 else ["accept", "except", "expect"], 3)
        question = f"Fill in: The students ___ the bags. ({gold}/{other}/{third})" if rng.random() < 0.5 else f"Fill in: The students ___ the bags. ({other}/{third}/{gold})"
        told = ["{}", "The students {} the bags.", "\"{}\"", "Use \"{}\".", "Use \"{}\" here, as it fits.", "The right word is \"{}\".", "It is \"{}\"."]
        refused = ["Not \"{}\".", "\"{}\" is wrong.", "Never \"{}\".", "\"{}\" or \"{o}\"", "Don't use \"{}\".", "Use \"{o}\", not \"{}\".", "Avoid \"{}\" here.", "Use \"{o}\" instead of \"{}\"."]
    elif kind == 2:
        word = rng.choice(["durable", "stable", "solvable", "legal"])
        question = f"Is the {{}} {word} or not {word}?".format(rng.choice(["plan", "sentence", "system"]))
        gold, other = rng.sample([word, f"not {word}"], 2)
        noun = question.split()[2]
        told = [f"The {noun} is {{}}.", "{}", "It is {}.", f"Nobody can know all, so the {noun} is {{}}.", "So it is {}.", "It's {}."]
        refused = [f"Is the {noun} {{}}?", f"If so, the {noun} is {{}}.", f"Some say the {noun} is {{}}.", f"The other {noun} is {{}}.", "It is said to be {}, which is wrong.", f"I doubt that the {noun} is {{}}."]
    else:
        gold, other, third = rng.sample(["even", "odd", "neither"], 3)
        if gold == "neither" or other == "neither":
            gold, other = "even", "odd"
        question = rng.choice(["Is f(x) = x^2 + 1 even, odd or neither?", "Is f even, odd, or neither?"])
        told = ["f is {}.", "It is {}.", "f is an {} function.", "{}", "Since f(-x) = f(x), f is {}.", "Therefore f is {}.", "f is {}, as the graph shows."]
        refused = ["f is not {}.", "The derivative of f is {}.", "f is {} or {o}.", "f is neither {} nor {o}.", "f would be {} without the 1.", "The other function is {}.", "f is not an {} function.", "If a were 0, f would be {}.", "f is never {}.", "f is almost {}."]
    if same:
        return posed(rng, rng.choice(told).format(gold, o=other), gold, question)
    if rng.random() < 0.4:
        return posed(rng, rng.choice(told).format(other, o=gold), gold, question)
    return posed(rng, rng.choice(refused).format(gold, o=other), gold, question)


def lists(rng, same):
    """Lists of words, numbered, in a sentence or alone; the order counts where the question asks for one."""
    members = rng.sample(WORDS, rng.randint(3, 5))
    ordered = rng.random() < 0.6
    gold = sorted(members) if ordered else members
    said = gold[:]
    if not same and ordered and rng.random() < 0.5:
        i, k = rng.sample(range(len(said)), 2)
        said[i], said[k] = said[k], said[i]
    elif not same:
        i = rng.randrange(len(said))
        if rng.random() < 0.4:
            del said[i]
        else:
            said[i] = rng.choice([word for word in WORDS if word not in gold])
    elif not ordered:
        rng.shuffle(said)
    question = rng.choice([f"Sort the words: {' '.join(members)}", f"Sort alphabetically: {', '.join(members)}", f"Put these in alphabetical order: {', '.join(members)}."]) if ordered else rng.choice(["Which things are in the box?", "Name the things that she sold."])
    comma = ", ".join(said)
    last = ", ".join(said[:-1]) + rng.choice([" and ", ", and "]) + said[-1]
    told = [comma, last, "Here is the sorted list: " + comma + ".", "Sorted: " + comma, "\n".join(f"{i}. {word}" for i, word in enumerate(said, 1)), "\n".join(f"{i}) {word}" for i, word in enumerate(said, 1)), "The order is " + comma + ".", " ".join(said)]
    free = [comma, last, "She sold " + last + ".", "They are " + last + ".", "The box holds " + last + ".", "The things are " + comma + ".", "Answer: " + last]
    return posed(rng, rng.choice(told if ordered else free), rng.choice([", ".join(gold), " ".join(gold) if ordered else ", ".join(gold)]), question)


def days(rng, same):
    """Days of the week in lists and sentences."""
    names = rng.sample("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split(), 3)
    gold = names[:2]
    said = rng.sample(gold, 2) if same else rng.sample([rng.choice(gold), names[2]], 2)
    plural = rng.choice(["s", ""])
    told = rng.choice(["On {} and {}", "{} and {}", "The shop is shut on {} and {}.", "They meet on {} and {}.", "on {} and {}", "They are {} and {}."]).format(*[day + plural for day in said])
    return posed(rng, told, " and ".join(gold), rng.choice([None, "On which two days is the shop shut?"]))


def directions(rng, same):
    """Compass directions in sentences."""
    names = ["north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west"]
    gold, other = rng.sample(names, 2)
    told = ["He is facing {}.", "In the end he is facing {}.", "She ends up walking {}.", "It points {}.", "{}", "due {}", "So the wind blows {}.", "He now looks {}."]
    refused = ["He is not facing {}.", "It points away from {}.", "He first goes {}, then {o}.", "The opposite of {} is {o}.", "He is facing {} or {o}.", "Anything but {}.", "He never looks {}.", "He would look {} if he turned."]
    question = rng.choice(["Which way is he facing?", "In which direction does it point?", None])
    spelled = lambda name: name.replace("-", rng.choice(["-", "", " "]))
    if not same and rng.random() < 0.4:
        return posed(rng, rng.choice(refused).format(gold, o=other), gold, question)
    return posed(rng, rng.choice(told).format(spelled(gold if same else other)), gold, question)


def labels(rng, same):
    """A word behind a label, or in marks."""
    gold, other = rng.sample(WORDS, 2)
    told = ["Answer: {}", "The word: {}", "Correct spelling: {}", "Final word: {}", "Result: {}", "The word is \"{}\".", "The word is **{}**.", "My answer is '{}'.", "You should write \"{}\"."]
    refused = ["Bad answer: {}", "Wrong answer: {}", "Wrong: {}", "Wrong spelling: {}", "Not the answer: {}", "Rejected: {}", "The word isn't \"{}\".", "The word \"{}\" is misspelled.", "Instead of \"{}\" write \"{o}\".", "False: {}", "Opposite: {}", "Old answer: {}",
               "Example: {}", "Question: {}", "The word is \"{o}\", not \"{}\".", "The word **{}** is wrong.", "First guess: {}", "Don't write \"{}\"."]
    question = rng.choice([None, "Which word is meant?", "What is the correct spelling of the word?"])
    if not same and rng.random() < 0.6:
        return posed(rng, rng.choice(refused).format(gold, o=other), gold, question)
    return posed(rng, rng.choice(told).format(gold if same else other), gold, question)


def trends(rng, same):
    """A phrase of two words of which one has an opposite."""
    pair = rng.choice([("positive", "negative"), ("strong", "weak"), ("direct", "indirect"), ("high", "low")])
    noun = rng.choice(["correlation", "feedback", "relation", "pressure"])
    gold, other = rng.sample(pair, 2)
    told = ["It is a {} {n}.", "The plot shows a {} {n}.", "There is a {} {n}.", "{} {n}", "a {} {n}", "The two have a {} {n}."]
    refused = ["It shows no {} {n}.", "It is not a {} {n}.", "It is a {o} {n}, not a {} one.", "There is never a {} {n}.", "A {} {n} would be odd.", "It is a {} or a {o} {n}.", "It shows {o} {n} instead of {} {n}."]
    if not same and rng.random() < 0.4:
        return posed(rng, rng.choice(refused).format(gold, o=other, n=noun), f"{gold} {noun}")
    return posed(rng, rng.choice(told).format(gold if same else other, n=noun), f"{gold} {noun}")


def further_names(rng, same):
    """A thing by two names, of which gold is the second."""
    gold, first, other = rng.sample(WORDS, 3)
    told = ["It's a {o} {f}, whose short name is {}.", "That is the {o} {f}, which is also called {}.", "It is a {f}, in other words {}."]
    return posed(rng, rng.choice(told).format(gold if same else "cardigan", f=first, o=other), gold)


KINDS = {f.__name__: f for f in (roles, places, definitions, families, options, lists, days, directions, labels, trends, further_names)}

if __name__ == "__main__":
    sys.exit(answer_ends.main(KINDS, set(), __doc__))
