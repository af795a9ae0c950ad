# SPDX-License-Identifier: Apache-2.0
"""Who has what after some swaps, in the manner of BIG-bench's tracking_shuffled_objects."""
from .problem import Problem, Step, chosen, letter
from .words import PLAYERS

COLOURS = "red blue green yellow black white orange purple pink brown".split()
BOOKS = ["Dune", "Emma", "Ulysses", "Hamlet", "Walden", "Candide", "Faust", "Dracula"]
FRAMES = [
    ("{p} are playing a game.", "At the start of the game, they are each holding a ball: {s}.",
     "{n} has a {c} ball", "{a} and {b} swap balls.", "What does {n} have at the end of the game?",
     "{c} ball"),
    ("{p} are holding a gift exchange.", "At the start, they each have a present: {s}.",
     "{n} has a {c} present", "{a} and {b} swap their gifts.", "What does {n} have at the end?",
     "{c} present"),
    ("{p} trade books.", "At the start of the year, they each have one book: {s}.",
     "{n} has {c}", "{a} and {b} swap books.", "What does {n} have at the end of the year?", "{c}"),
    ("{p} trade presents.", "At first they each have one present: {s}.",
     "{n} has a {c} present", "{a} and {b} swap presents.", "What does {n} have now?",
     "{c} present"),
    ("{p} play ball.", "In the beginning they each have a ball: {s}.",
     "{n} has a {c} ball", "{a} and {b} swap.", "Which ball does {n} have in the end?",
     "{c} ball"),
    ("~{p} trade balls.", "At the start of the game, they each have one ball: {s}.",
     "{n} has a {c} ball", "{a} and {b} swap balls.", "What does {n} have at the end?",
     "{c} ball"),
]
FIRST = ["At the start: {s}."]
FIRST_AIM = ["It lists who has what at the start.", "Find what each one has at the start."]
SWAP_AIM = ["It finds who has what after {a} and {b} swap.",
            "Find what each one has once {a} and {b} have swapped."]
LAST = ["At the end {n} has {c}."]
LAST_AIM = ["It finds what {n} has at the end.", "Find what {n} has in the end."]


def listed(items, word="and"):
    return ", ".join(items[:-1]) + ("," if len(items) > 2 else "") + " %s " % word + items[-1]


def holding(people, has):
    return ", ".join("%s: %s" % (p, has[p]) for p in people)


def held(text):
    """The other way round; nothing where it does not say who has what."""
    return dict(part.split(": ", 1) for part in text.split(", ") if ": " in part)


def redo_swap(people, i, a, b):
    def redo(results):
        has = held(results[i])
        if any(p not in has for p in people):
            return ""
        return holding(people, swapped(has, a, b))
    return redo


def swapped(has, a, b):
    out = dict(has)
    out[a], out[b] = has[b], has[a]
    return out


def spoil(rng, has, a, b, right):
    """A state as a small model would get it wrong."""
    people = list(right)
    while True:
        kind = rng.randrange(3)
        if kind == 0:
            out = dict(has)  # the swap is forgotten
        elif kind == 1:
            out = swapped(has, *rng.sample(people, 2))
        else:
            out = dict(right)
            out[rng.choice(people)] = right[rng.choice(people)]
        if out != right:
            return out


def make(rng, split="train", slip=False, steps=None):
    # Tests ask for the largest sizes that are taught: of the smaller ones hardly a solution is wrong.
    n = 5 if split == "test" else rng.choice([3, 3, 4, 5])
    swaps = (steps - 2) if steps else rng.randint(4 if split == "test" else 2, n + 1)
    frame = rng.choice([f for f in FRAMES if f[0].startswith("~") == (split == "test")])
    intro, start, holds, swap, ask, thing = frame
    people = PLAYERS[:n]
    items = rng.sample(BOOKS if thing == "{c}" else COLOURS, n)
    has = dict(zip(people, items))
    true = dict(has)
    slip_at = rng.randrange(swaps + 1) if slip else None
    sentences = [intro.lstrip("~").format(p=listed(people)),
                 start.format(s=listed([holds.format(n=p, c=has[p]) for p in people]))]
    made = [Step("At the start: %s." % holding(people, has),
                 "At the start: %s." % holding(people, has), rng.choice(FIRST_AIM), [1], [],
                 holding(people, has), holding(people, has),
                 lambda results, right=holding(people, has): right)]
    for i in range(swaps):
        a, b = rng.sample(people, 2)
        lead = "First, " if i == 0 else "Finally, " if i == swaps - 1 else "Then, "
        sentences.append(lead + swap.format(a=a, b=b))
        right = swapped(has, a, b)
        said = spoil(rng, has, a, b, right) if i == slip_at else right
        step = "%s and %s swap: " % (a, b)
        made.append(Step(step + holding(people, said) + ".", step + holding(people, right) + ".",
                         rng.choice(SWAP_AIM).format(a=a, b=b), [i + 2], [i],
                         holding(people, said), holding(people, right), redo_swap(people, i, a, b),
                         contradicts=len(set(said.values())) < n))
        true, has = swapped(true, a, b), said
    who = rng.choice(people)
    sentences.append(ask.format(n=who))
    right = has[who]
    said = rng.choice([i for i in items if i != right]) if slip_at == swaps else right
    made.append(Step("At the end %s has %s." % (who, said), "At the end %s has %s." % (who, right),
                     rng.choice(LAST_AIM).format(n=who), [swaps + 2], [swaps], said, right,
                     lambda results: held(results[swaps]).get(who, ""),
                     contradicts=slip_at == swaps))
    options = [thing.format(c=c) + "." for c in items]
    return Problem("tracking_shuffled_objects", sentences, made,
                   letter(items, said),
                   letter(items, true[who]), "option", options,
                   ending=chosen(items, said))
