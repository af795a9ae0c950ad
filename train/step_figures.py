# SPDX-License-Identifier: Apache-2.0
"""The figures of the tables in docs/measured/reward.md: what is computed from P(wrong) of steps and the labels.

chains: of step_chains.py; scores: P(wrong) of the steps of each of them, NaN where a step has none."""
import bisect
import collections
import math

import step_chains


def wilson(right, n):
    """The share and its 95 % interval, in per cent."""
    if not n:
        return math.nan, math.nan, math.nan
    z, p = 1.959964, right / n
    middle, half = p + z * z / (2 * n), z * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 100 / (1 + z * z / n)
    return 100 * p, max(0.0, scale * (middle - half)), min(100.0, scale * (middle + half))


def f1(chains, scores, at):
    """ProcessBench's: the harmonic mean of the shares located and left alone, in per cent."""
    right = {True: [], False: []}
    for c, wrong in zip(chains, scores):
        right[c.label >= 0].append(step_chains.locate(wrong, at) == c.label)
    if not right[True] or not right[False]:
        return 0.0
    a, b = (sum(x) / len(x) for x in right.values())
    return 100 * 2 * a * b / (a + b) if a + b else 0.0


def f1_interval(chains, found, rng, n=2000):
    """95 % over questions, by drawing questions anew."""
    questions = {}
    for c, at in zip(chains, found):
        questions.setdefault(c.question, []).append((c.label >= 0, at == c.label))
    rows = list(questions.values())
    drawn = []
    for _ in range(n):
        sums = {True: [0, 0], False: [0, 0]}
        for row in rng.choices(rows, k=len(rows)):
            for kind, right in row:
                sums[kind][0] += right
                sums[kind][1] += 1
        a, b = (x[0] / x[1] if x[1] else 0 for x in sums.values())
        drawn.append(100 * 2 * a * b / (a + b) if a + b else 0.0)
    drawn.sort()
    return drawn[round(0.025 * (n - 1))], drawn[round(0.975 * (n - 1))]


def larger(wrong, right):
    """The share of pairs in which the first is the larger one, ties as halves: the area under the ROC curve."""
    right = sorted(right)
    won = sum(bisect.bisect_left(right, p) + bisect.bisect_right(right, p) for p in wrong)
    return won / (2 * len(wrong) * len(right)) if wrong and right else math.nan


def up_to_mistake(chains, scores):
    """[(P(wrong), the step's place, is it the first mistake)] of the steps up to the first mistake."""
    return [(p, i, i == c.label) for c, wrong in zip(chains, scores) for i, p in enumerate(wrong)
            if not math.isnan(p) and (c.label < 0 or i <= c.label)]


def area(chains, scores):
    """The area under the ROC curve of P(wrong)."""
    steps = up_to_mistake(chains, scores)
    return larger([p for p, _, wrong in steps if wrong], [p for p, _, wrong in steps if not wrong])


def area_at_equal_place(chains, scores):
    """The same, but a first mistake is only compared with right steps at its place in other chains: what a scorer knows
    beyond the place."""
    places = collections.defaultdict(lambda: ([], []))
    for p, place, wrong in up_to_mistake(chains, scores):
        places[place][wrong].append(p)
    weighed = [(len(r) * len(w), larger(w, r)) for r, w in places.values() if r and w]
    pairs = sum(n for n, _ in weighed)
    return sum(n * won for n, won in weighed) / pairs if pairs else math.nan


def standard_error(figure, chains, scores, groups=10):
    """Of figure(chains, scores), by leaving out each of some groups of questions in turn (a grouped jackknife)."""
    place = {q: i % groups for i, q in enumerate(dict.fromkeys(c.question for c in chains))}
    values = []
    for out in range(min(groups, len(place))):
        kept = [(c, wrong) for c, wrong in zip(chains, scores) if place[c.question] != out]
        values.append(figure([c for c, _ in kept], [wrong for _, wrong in kept]))
    mean = sum(values) / len(values)
    return math.sqrt((len(values) - 1) / len(values) * sum((v - mean) ** 2 for v in values))


def most_likely(wrong):
    """The step that is most likely the first mistake if there is one; no threshold is needed. P(wrong) is read as the
    probability of a mistake if there was none before."""
    none_before, best = 1.0, (-1.0, -1)
    for i, p in enumerate(wrong):
        if not math.isnan(p):
            best = max(best, (none_before * p, -i))
            none_before *= 1 - p
    return -best[1]


def constant(chains):
    """The most frequent label."""
    return collections.Counter(c.label for c in chains).most_common(1)[0][0] if chains else -1
