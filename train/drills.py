# SPDX-License-Identifier: Apache-2.0
"""Exercises that no prompt of the program asks for, and that all of them rest on: saying words
again, small sums, spelling. A few tokens each; the first half of the training draws many."""
from tasks.tracking_shuffled_objects import COLOURS
from tasks.words import NAMES, PLAYERS, SORTED, THINGS

NUMBERS = [str(n) for n in range(100)]


def repeat(rng):
    words = [rng.choice(rng.choice((NAMES, THINGS, SORTED, COLOURS, NUMBERS, PLAYERS)))
             for _ in range(rng.randint(10, 50))]
    text = " ".join(words)
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


DRILLS = {"repeat": repeat, "sums": sums, "spell": spell}
