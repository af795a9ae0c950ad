# SPDX-License-Identifier: Apache-2.0
"""Exercises that no prompt of the program asks for, and that all of them rest on: saying words
again, small sums, spelling, telling what is the same, putting in order. A few tokens each; the
first half of the training draws many."""
from tasks import tracking_shuffled_objects as tracking
from tasks import word_sorting
from tasks.logical_deduction import BIRDS
from tasks.problem import chosen, told_apart
from tasks.tracking_shuffled_objects import BOOKS, COLOURS
from tasks.words import NAMES, PLAYERS, SORTED, THINGS

NUMBERS = [str(n) for n in range(100)]
WORDS = list(dict.fromkeys(NAMES + THINGS + SORTED + COLOURS + PLAYERS))
LETTERS = list("abcdefghijklmnopqrstuvwxyz")
SIGNS = LETTERS + list("([{<")


def repeat(rng):
    """No word twice: what follows a word is told by the word alone."""
    text = " ".join(rng.sample(WORDS, rng.randint(5, 40)))
    return [("user", "Say it again: " + text)], text


def one_sum(rng):
    kind = rng.randrange(6)
    if kind == 0:
        a, b = rng.randint(2, 99), rng.randint(1, 20)
        return a, "+", b, a + b
    if kind == 1:
        b = rng.randint(1, 20)
        a = b + rng.randint(0, 80)
        return a, "-", b, a - b
    if kind == 2:
        a, b = rng.randint(2, 24), rng.randint(2, 5)
        return a, "*", b, a * b
    if kind == 3:
        b, r = rng.randint(2, 10), rng.randint(2, 20)
        return b * r, "/", b, r
    a, b = rng.randint(-30, 30), rng.randint(-30, 30)
    if kind == 4:
        a, b = rng.randint(-5, 5), rng.randint(-5, 5)
    op = rng.choice("+-*" if kind == 4 else "+-")
    return a, op, b, a + b if op == "+" else a - b if op == "-" else a * b


def sums(rng):
    made = [one_sum(rng) for _ in range(8)]
    return ([("user", "Compute: " + ", ".join("%d %s %d" % s[:3] for s in made))],
            " " + ", ".join("%d %s %d = %d" % s for s in made))


def spell(rng):
    words = [w.capitalize() if rng.random() < 0.4 else w for w in rng.sample(SORTED + NAMES, 5)]
    return ([("user", "Spell: " + " ".join(words))],
            " " + ", ".join('"%s": %s' % (w, " ".join('"%s"' % c for c in w.lower()))
                            for w in words))


def same(rng):
    """Pairs of short lists, half of them alike; where they differ, in one word."""
    said = []
    for _ in range(8):
        kind = rng.choice((NAMES, THINGS, COLOURS, NUMBERS, NUMBERS, PLAYERS, SIGNS))
        one = [rng.choice(kind) for _ in range(rng.choice((1, 1, 1, 2, 3)))]
        two = one[:]
        if rng.random() < 0.5:
            two[rng.randrange(len(two))] = rng.choice(kind)
        said.append((" ".join(one), " ".join(two)))
    return ([("user", "Compare: " + ", ".join("%s and %s" % pair for pair in said))],
            " " + ", ".join(told_apart(one, two) for one, two in said))


def order(rng):
    """Words by their first letters, as word_sorting says it; in half of the draws two begin alike."""
    words = word_sorting.first_letters(rng, rng.randint(3, 5), rng.random() < 0.5)
    said = {w: w[0] for w in words}
    return [("user", "Order: " + word_sorting.letters(said))], \
        " " + word_sorting.ordered(word_sorting.groups(said), True)


def sort(rng):
    """The same in the steps of a solution, behind a short prompt."""
    p = word_sorting.make(rng)
    return [("user", "Sort: " + p.question.split(": ")[-1])], p.written


def swaps(rng):
    """Who has what, swap by swap."""
    people = PLAYERS[:rng.randint(3, 5)]
    start = has = dict(zip(people, rng.sample(rng.choice((COLOURS, THINGS)), len(people))))
    asked, said = [], []
    for _ in range(5):
        a, b = rng.sample(people, 2)
        has = tracking.swapped(has, a, b)
        asked.append("%s and %s swap" % (a, b))
        said.append("%s and %s swap: %s." % (a, b, tracking.holding(people, has)))
    return ([("user", "%s. %s." % (tracking.holding(people, start), ", ".join(asked)))],
            " ".join(said))


def join(rng):
    lists = [rng.choices(LETTERS, k=rng.randint(2, 4)) for _ in range(8)]
    return ([("user", "Join: " + ", ".join(" ".join('"%s"' % c for c in l) for l in lists))],
            " " + ", ".join('"%s"' % "".join(l) for l in lists))


def choose(rng):
    """Which of some options something is, as a solution ends."""
    wording, pool = rng.choice((("%s ball.", COLOURS), ("%s present.", COLOURS), ("%s.", BOOKS),
                                ("The %s book.", COLOURS[:8]), ("The %s.", BIRDS)))
    options = rng.sample(pool, rng.randint(3, 5))
    said = rng.choice(options)
    listed = "\n".join("(%s) %s" % option for option in zip("ABCDE", (wording % o for o in options)))
    return [("user", "Options:\n%s\nIt is %s." % (listed, said))], " " + chosen(options, said)


DRILLS = {"repeat": repeat, "sums": sums, "spell": spell, "same": same, "order": order,
          "sort": sort, "swaps": swaps, "join": join, "choose": choose}
