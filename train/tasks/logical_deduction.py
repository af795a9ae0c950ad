# SPDX-License-Identifier: Apache-2.0
"""The order of three or four things from statements about it, in the manner of
logical_deduction. Each step takes one statement and says what is known of every place."""
from itertools import permutations

from .problem import Problem, Step, chosen, letter

BOOKS = ["red", "blue", "green", "black", "white", "brown", "orange", "purple"]
BIRDS = ["owl", "eagle", "crow", "robin", "hawk", "swan", "duck", "falcon"]
FRAMES = [
    ("On a shelf, there are {n} books: {s}.", "book", BOOKS, "the {x} book"),
    ("On a table, there are {n} books: {s}.", "book", BOOKS, "the {x} book"),
    ("In a box, there are {n} books: {s}.", "book", BOOKS, "the {x} book"),
    ("On a branch, there are {n} birds: {s}.", "bird", BIRDS, "the {x}"),
    ("In a tree, there are {n} birds: {s}.", "bird", BIRDS, "the {x}"),
    ("In a row, there are {n} birds: {s}.", "bird", BIRDS, "the {x}"),
    ("~On a shelf, there are {n} birds: {s}.", "bird", BIRDS, "the {x}"),
]
COUNT = {3: "three", 4: "four"}
PLACE = {3: ["leftmost", "second from the left", "rightmost"],
         4: ["leftmost", "second from the left", "second from the right", "rightmost"]}
FIRST = ["first", "second", "third", "fourth"]


def orders(items, facts):
    out = []
    for order in permutations(items):
        if all(fact(order) for fact in facts):
            out.append(order)
    return out


def known(items, facts):
    """What is certain of each place: an item, or None."""
    left = orders(items, facts)
    if not left:
        return None
    return [o if all(x[i] == o for x in left) else None for i, o in enumerate(left[0])]


def state_text(state, noun, name):
    return ", ".join("%s %s" % (FIRST[i], "is " + name.format(x=x) if x else "can be any " + noun)
                     for i, x in enumerate(state))


def state_of(text, items):
    """The other way round: what a state says of each place."""
    return [next((x for x in items if x in part.split() and " is " in part), None)
            for part in text.split(", ")]


def redo_state(i, items, facts, noun, name):
    def redo(results):
        right = known(items, facts[:i + 1])
        if i:
            before = state_of(results[i - 1], items)
            if before != known(items, facts[:i]) and len(before) == len(right):
                right = merge(right, before)
        return state_text(right, noun, name)
    return redo


def statement(rng, items, name, n, order):
    kind = rng.random()
    if kind < 0.6:
        i = rng.randrange(n)
        x = order[i]
        text = "%s is the %s." % (name.format(x=x).capitalize(), PLACE[n][i])
        return text, (lambda o, x=x, i=i: o[i] == x)
    i, k = sorted(rng.sample(range(n), 2))
    a, b = order[i], order[k]
    if rng.random() < 0.5:
        text = "%s is to the left of %s." % (name.format(x=a).capitalize(), name.format(x=b))
    else:
        text = "%s is to the right of %s." % (name.format(x=b).capitalize(), name.format(x=a))
    return text, (lambda o, a=a, b=b: o.index(a) < o.index(b))


def facts_for(rng, items, name, n, order):
    """Statements that leave one order, none of them idle."""
    texts, facts = [], []
    for _ in range(40):
        text, fact = statement(rng, items, name, n, order)
        if text in texts:
            continue
        if len(orders(items, facts + [fact])) < len(orders(items, facts)):
            texts.append(text)
            facts.append(fact)
        if len(orders(items, facts)) == 1:
            return texts, facts
    return None


def spoil(rng, state, items):
    while True:
        out = list(state)
        i = rng.randrange(len(out))
        kind = rng.randrange(3)
        if kind == 0:
            k = rng.randrange(len(out))
            out[i], out[k] = out[k], out[i]
        else:
            out[i] = rng.choice(list(items) + [None])
        if out != state and (out[i] is None or out.count(out[i]) == 1):
            return out


def make(rng, split="train", slip=False, steps=None):
    n = 3 if steps == 3 or rng.random() < 0.75 else 4
    intro, noun, pool, name = rng.choice(
        [f for f in FRAMES if f[0].startswith("~") == (split == "test")])
    items = rng.sample(pool, n)
    order = rng.sample(items, n)
    told = facts_for(rng, items, name, n, order)
    if not told or len(told[0]) > 4:
        return make(rng, split, slip, steps)
    texts, facts = told
    named = [name.format(x=x).replace("the ", "an " if x[0] in "aeiou" else "a ", 1)
             for x in items]
    asked = rng.randrange(n)
    sentences = [intro.lstrip("~").format(n=COUNT[n], s=", ".join(named[:-1]) + ", and " + named[-1])]
    sentences += texts + ["Which %s is the %s?" % (noun, PLACE[n][asked])]
    slip_at = rng.randrange(len(facts) + 1) if slip else None
    made, seen, off = [], [], False
    state = [None] * n
    for i, fact in enumerate(facts):
        seen.append(fact)
        right = known(items, seen)
        if off:  # what an earlier slip left: the chain takes it over
            right = merge(right, state)
        said = spoil(rng, right, items) if i == slip_at else right
        say = texts[i] + " So from left to right: %s."
        made.append(Step(say % state_text(said, noun, name), say % state_text(right, noun, name),
                         "It finds what %s says about the order." % ("the statement that " +
                         texts[i][0].lower() + texts[i][1:-1]),
                         [0, i + 1] if i == 0 else list(range(1, i + 2)), [i - 1] if i else [],
                         state_text(said, noun, name), state_text(right, noun, name),
                         redo_state(i, items, facts, noun, name)))
        off = off or i == slip_at
        state = said
    if state[asked] is None:
        return make(rng, split, slip, steps)
    right = state[asked]
    said = rng.choice([x for x in items if x != right]) if slip_at == len(facts) else right
    say = "According to this ordering, the %s %s is %s."
    made.append(Step(say % (PLACE[n][asked], noun, name.format(x=said)),
                     say % (PLACE[n][asked], noun, name.format(x=right)),
                     "It finds the %s %s." % (PLACE[n][asked], noun), [len(facts) + 1],
                     [len(facts) - 1], said, right,
                     lambda results: state_of(results[len(facts) - 1], items)[asked] or "?",
                     contradicts=slip_at == len(facts)))
    options = ["%s." % name.format(x=x).capitalize() for x in items]
    return Problem("logical_deduction", sentences, made, letter(items, said),
                   letter(items, order[asked]), "option", options,
                   ending=chosen(items, said))


def merge(right, said):
    """What a chain goes on with that believes `said`: its places stay, the rest is filled in."""
    out = list(said)
    for i, x in enumerate(right):
        if out[i] is None and x is not None and x not in out:
            out[i] = x
    return out
