# SPDX-License-Identifier: Apache-2.0
"""Words in alphabetical order, in the manner of BIG-bench's word_sorting: by the first letters, and
where they agree by the next ones."""
import re

from .problem import Problem, Step, pick
from .words import SORTED

ASK = ["Sort the following words alphabetically: List: {w}",
       "Put these words in alphabetical order: {w}",
       "Put the following words in alphabetical order: List: {w}",
       "Sort these words alphabetically: {w}",
       "List the following words in alphabetical order: {w}",
       "~Sort these words in alphabetical order: List: {w}"]
ORDINAL = ["first", "second", "third", "fourth", "fifth"]


def rank(letter):
    return ord(letter) - 96


def letters(said):
    return " ".join('"%s": "%s" (%d).' % (w, c, rank(c)) for w, c in said.items())


def at_place(words, at):
    return {w: w[at] for w in words}


def misread(rng, said):
    """One of the letters is another one."""
    out = dict(said)
    out[rng.choice(list(said))] = rng.choice("abcdefghijklmnopqrstuvwxyz")
    return out


def groups(said):
    out = {}
    for w, c in said.items():
        out.setdefault(c, []).append(w)
    return sorted(out.items())


def group_text(members):
    quoted = ['"%s"' % m for m in members]
    return quoted[0] if len(quoted) == 1 else "[" + " ? ".join(quoted) + "]"


def ordered(parts, with_rank):
    return " < ".join(("(%d) " % rank(c) if with_rank else "") + group_text(m) for c, m in parts)


def first_letters(rng, n, tied):
    """So many words, each with a first letter of its own; if `tied`, but for two of them."""
    while True:
        words = rng.sample(SORTED, n)
        if len({w[0] for w in words}) == n - tied:
            return words


def draw(rng, n):
    while True:
        words = first_letters(rng, n, rng.random() < 0.2)
        if any(a != b and a[:3] == b[:3] for a in words for b in words):
            continue
        if any(a != b and (a.startswith(b) or b.startswith(a)) for a in words for b in words):
            continue
        return words


def make(rng, split="train", slip=False, steps=None):
    n = steps or rng.randint(3, 5)
    words = draw(rng, n)
    gold = sorted(words)
    made = []
    state = []

    def add(say, said, right, aim, info, prev, redo):
        made.append(Step(say.format(said), say.format(right), aim, info, prev, said, right, redo))

    tied = [m for _, m in groups(at_place(words, 0)) if len(m) > 1]
    total = 2 + (2 if tied else 0) + 1
    slip_at = rng.randrange(total) if slip else None

    def spoiled(right, make_wrong):  # the step that is made next may be the one that slips
        if slip_at != len(made):
            return right
        for _ in range(50):
            wrong = make_wrong()
            if wrong != right:
                return wrong
        return right

    shown = spoiled(at_place(words, 0), lambda: misread(rng, at_place(words, 0)))
    add("I should start by looking at the first letter of the words in the list. The first "
        "letter: {}", letters(shown), letters(at_place(words, 0)),
        "It looks at the first letters of the words.", [0], [],
        lambda results: letters(at_place(words, 0)))
    parts = groups(shown)  # what was said is what the chain goes on with
    tied = [m for _, m in parts if len(m) > 1]
    if len(tied) > 1 or any(len({w[:3] for w in m}) < len(m) for m in tied):
        return make(rng, split, slip, steps)
    right = ordered(parts, True)

    def wrong_order(parts, with_rank):
        def wrong():
            moved = list(parts)
            i = rng.randrange(len(moved))
            kind = rng.random()
            if kind < 0.7 and len(moved) > 1:
                moved.insert(rng.randrange(len(moved)), moved.pop(i))
            elif len(moved) > 1:
                moved.pop(i)
            else:
                c, m = moved[0]
                moved[0] = (c, list(reversed(m)))
            return ordered(moved, with_rank)
        return wrong

    said = spoiled(right, wrong_order(parts, True))
    add("We now have: {}.", said, right, "It orders the words by their first letters.", [], [0],
        lambda results: ordered(groups(shown_in(results[0])), True))
    final = [w for _, m in parts for w in sorted(m)]
    if said != right:
        final = settle(said_words(said), tied)
    if tied and said == right:
        group = tied[0]
        at = 1
        while at < min(map(len, group)) and len({w[at] for w in group}) == 1:
            at += 1
        if at == min(map(len, group)):
            return make(rng, split, slip, steps)
        shown = spoiled(at_place(group, at), lambda: misread(rng, at_place(group, at)))
        add("Now let's sort this subpart %s by looking at their %s letters. The %s letter: {}" % (
            group_text(group), ORDINAL[at], ORDINAL[at]), letters(shown),
            letters(at_place(group, at)),
            "It looks at the %s letters of %s." % (ORDINAL[at], " and ".join(group)), [], [1],
            lambda results: letters(at_place(group, at)))
        sub = groups(shown)
        if len(sub) < len(group):
            return make(rng, split, slip, steps)
        right = ordered(sub, True)
        said = spoiled(right, wrong_order(sub, True))
        add("We now have: {} for the subpart.", said, right, "It orders the subpart.", [], [2],
            lambda results: ordered(groups(shown_in(results[2])), True))
        order = said_words(said)
        order += [w for w in group if w not in order]
        final = [w for _, m in parts for w in (order if m == group else m)]
    right = " ".join(final)

    def wrong_list():
        out = list(final)
        i, k = rng.sample(range(len(out)), 2) if len(out) > 1 else (0, 0)
        if rng.random() < 0.7:
            out[i], out[k] = out[k], out[i]
        else:
            out.pop(i)
        return " ".join(out)
    said = spoiled(right, wrong_list)
    last = len(made)
    add("I have now sorted all the words. The order is {}.", said, right,
        "It puts all the words in order.", [], [1] + ([3] if last == 4 else []),
        lambda results: put_together(results[1], results[3] if last == 4 else ""))
    if slip and not any(s.slips for s in made):
        return make(rng, split, slip, steps)
    question = pick(rng, ASK, split).format(w=" ".join(words))
    return Problem("word_sorting", [question], made, said, " ".join(gold), "text",
                   ending="So the answer is {}")


def shown_in(text):
    return dict(re.findall(r'"(\w+)": "(\w)"', text))


def put_together(order, sub):
    """The words of an order, those of its one open group as the order of that group has them."""
    out, inside = [], said_words(sub)
    for part in order.split(" < "):
        words = said_words(part)
        if len(words) > 1:
            words = [w for w in inside if w in words] + sorted(w for w in words if w not in inside)
        out += words
    return " ".join(out)


def said_words(text):
    return [w for w in text.replace('"', " ").replace("[", " ").replace("]", " ").split()
            if w.isalpha()]


def settle(words, tied):
    """Tied words in order among themselves, at the places where they stand."""
    out = list(words)
    for group in tied:
        places = [i for i, w in enumerate(out) if w in group]
        for i, w in zip(places, sorted(out[i] for i in places)):
            out[i] = w
    return out
