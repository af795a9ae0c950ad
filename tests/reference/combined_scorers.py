# SPDX-License-Identifier: Apache-2.0
"""Scorers fitted together (docs/voting.md), computed independently of src/score and src/study: the features, the
penalised regression on pairs by gradient steps of another kind, and votes. Chains are records with "scores" of
probabilities or log-odds, "steps", "answer" and "correct"."""
import math
from collections import Counter, defaultdict

EDGE = math.log((1 - 1e-6) / 1e-6)
N_FEATURES = {"scores": 4, "majority": 1, "length": 1}


def log_odds(p):
    if p <= 0 or p >= 1:
        return math.copysign(EDGE, p - 0.5)
    return max(-EDGE, min(EDGE, math.log(p / (1 - p))))


def sigmoid(z):
    return 1 / (1 + math.exp(-z)) if z > -700 else 0.0


def questions_of(chains):
    by_id = defaultdict(list)
    for chain in chains:
        by_id[chain["question_id"]].append(chain)
    return by_id


def features(scorer, chain, same, read, logits):
    """The values of a scorer for a chain, or None."""
    if scorer == "majority":
        return [log_odds((same + 0.5) / (read + 1))]
    if scorer == "length":
        return [math.log(len(chain["steps"]))]
    steps = chain.get("scores", {}).get(scorer.removeprefix("scores:"))
    if not steps:
        return None
    if scorer in logits:
        steps = [sigmoid(z) for z in steps]
    return [log_odds(x) for x in (min(steps), math.fsum(steps) / len(steps), steps[-1], math.prod(steps))]


def table_of(scorers, chains):
    """(question, right, answer, values) of each chain, in order; the scorers that hold log-odds."""
    logits = {s for s in scorers if s.startswith("scores:") for c in chains
              if any(not 0 <= x <= 1 for x in c.get("scores", {}).get(s[7:], []))}
    rows = []
    for question, of_question in questions_of(chains).items():
        answers = Counter(c["answer"] for c in of_question)
        for c in of_question:
            rows.append((question, c["correct"], c["answer"],
                         [features(s, c, answers[c["answer"]], len(of_question), logits) for s in scorers]))
    return rows


def standards(scorers, rows):
    out = []
    for i, scorer in enumerate(scorers):
        present = [values[i] for *_, values in rows if values[i] is not None]
        columns = []
        for column in zip(*present):
            mean = math.fsum(column) / len(column)
            deviation = math.sqrt(math.fsum((x - mean) ** 2 for x in column) / len(column))
            columns.append((mean, deviation if deviation > 1e-9 else 1))
        out.append(columns)
    return out


def row_of(values, standard):
    row = []
    for value, columns in zip(values, standard):
        row += [(x - mean) / deviation for x, (mean, deviation) in zip(value, columns)] if value else [0.0] * len(columns)
        row.append(0.0 if value else 1.0)
    return row


def bounds(standard):
    """Which columns are never positive: those of missing values."""
    return [flag for columns in standard for flag in [False] * len(columns) + [True]]


def pairs_of(rows, standard):
    by_question = defaultdict(lambda: ([], []))
    for question, right, _, values in rows:
        if any(v is not None and len(v) > 1 for v in values):  # a scorer that looks at the steps
            by_question[question][0 if right else 1].append(row_of(values, standard))
    pairs = []
    for rights, wrongs in by_question.values():
        for a in rights:
            for b in wrongs:
                pairs.append(([x - y for x, y in zip(a, b)], 1 / (len(rights) * len(wrongs))))
    return pairs


def gradient(pairs, strength, coefficients):
    total = math.fsum(w for _, w in pairs)
    out = [strength * c for c in coefficients]
    for row, weight in pairs:
        wrong = sigmoid(-sum(c * x for c, x in zip(coefficients, row)))
        for j, x in enumerate(row):
            out[j] -= weight / total * wrong * x
    return out


def optimality(pairs, strength, coefficients, never_positive):
    """How far the coefficients are from the minimum: the largest part of the gradient that is free to fall."""
    worst = 0
    for c, g, bound in zip(coefficients, gradient(pairs, strength, coefficients), never_positive):
        worst = max(worst, max(g, 0) if bound and c >= 0 else abs(g))
    return worst


def weight(model, values):
    z = 0.0
    for scorer, value in zip(model["scorers"], values):
        if value is None:
            z += scorer["missing"]
        else:
            z += math.fsum(f["coefficient"] * (x - f["mean"]) / f["deviation"] for f, x in zip(scorer["features"], value))
    return sigmoid(z) if any(v is not None and len(v) > 1 for v in values) else None


def vote(ballots, best=False):
    """The expected correctness of a vote among (weight, right, answer)."""
    cast = [b for b in ballots if b[0] is not None]
    if not cast:
        return 0.0
    if best:
        top = max(b[0] for b in cast)
        tied = [b[1] for b in cast if b[0] == top]
    else:
        sums, right = defaultdict(list), {}
        for w, is_right, answer in cast:
            sums[answer].append(w)
            right[answer] = is_right
        total = {answer: math.fsum(ws) for answer, ws in sums.items()}
        tied = [right[a] for a, s in total.items() if abs(s - max(total.values())) < 1e-13]
    return sum(tied) / len(tied)
