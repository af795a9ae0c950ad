#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""SelfCheck's tables and figures, and fitted settings, computed apart from the C code.

    recipes.py --recipe NAME [--fit FILE] [--split K|half] [--scores NAME] [--seed N] FILE
                            one JSON object, with the members "series" and "fits" of
                            rederive eval --json --recipe NAME that docs/recipes.md describes
    recipes.py --self-test  checks itself on cases worked out by hand

Reads chain records whose answers are plain whole numbers (null: unreadable), such as those of chains.py.
Python's standard library only. Sums of weights are fractions, so ties are exact. Random subsets come from
the generator and the hash that src/base documents, written again here."""

import argparse
import itertools
import json
import math
import sys
from fractions import Fraction

import paired

MASK = (1 << 64) - 1
ALL_SUBSETS, DRAWS, Z = 10000, 200, 1.959963984540054
VARIANTS = ("selfcheck", "global", "single-stage", "error-check", "error-check-1shot")
COUNTS = {"table1": [2], "fig2": range(1, 11), "fig6": range(1, 11), "fig5": [*range(1, 11), 15, 20, 30, 40, 50]}
AGGREGATIONS = ("min", "product", "geometric", "mean", "last")
CURVES = {"fig3": ("precision_accepted",), "v2fig3": ("tpr", "tnr", "balanced_accuracy"),
          "v2fig4": ("precision_accepted", "precision_rejected")}

# ---- randomness ------------------------------------------------------------------------------------


def mix(x):
    """The last steps of splitmix64."""
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9 & MASK
    x = (x ^ (x >> 27)) * 0x94d049bb133111eb & MASK
    return x ^ (x >> 31)


def hash_of(text, seed):
    data = text.encode()
    h = mix(seed ^ (len(data) * 0x9e3779b97f4a7c15 & MASK))
    for i in range(0, len(data), 8):
        h = mix(h ^ int.from_bytes(data[i:i + 8], "little")) + 0x9e3779b97f4a7c15 & MASK
    return h


class Xoshiro:
    """xoshiro256**, seeded by splitmix64."""

    def __init__(self, seed):
        self.s = []
        for _ in range(4):
            seed = seed + 0x9e3779b97f4a7c15 & MASK
            self.s.append(mix(seed))

    def next(self):
        s = self.s
        result = rotl(s[1] * 5 & MASK, 7) * 9 & MASK
        t = s[1] << 17 & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= t
        s[3] = rotl(s[3], 45)
        return result

    def below(self, n):
        limit = MASK - MASK % n
        while (x := self.next()) >= limit:
            pass
        return x % n


def rotl(x, k):
    return (x << k | x >> (64 - k)) & MASK


def subsets(chains, n, question, seed):
    """All sets of n chains, or drawn ones where there are too many."""
    if math.comb(len(chains), n) <= ALL_SUBSETS:
        return [list(c) for c in itertools.combinations(chains, n)]
    rng = Xoshiro(hash_of(question, seed) + n & MASK)
    drawn = []
    for _ in range(DRAWS):
        taken = []
        for i, chain in enumerate(chains):
            if len(taken) < n and rng.below(len(chains) - i) < n - len(taken):
                taken.append(chain)
        drawn.append(taken)
    return drawn


# ---- estimates -------------------------------------------------------------------------------------


def unknown(n):
    return {"value": None, "stderr": None, "ci_low": None, "ci_high": None, "n": n}


def unit(value, se, n, units):
    """A figure in [0,1] with Wilson's interval for the observations that its error amounts to."""
    if value is None:
        return unknown(n)
    spread = max(value * (1 - value), 0)
    size = spread / se ** 2 if se and spread > 0 else units
    z2 = Z * Z / size
    middle = (value + z2 / 2) / (1 + z2)
    half = math.sqrt(z2 * (spread + z2 / 4)) / (1 + z2)
    return {"value": value, "stderr": se, "ci_low": max(min(middle - half, value), 0),
            "ci_high": min(max(middle + half, value), 1), "n": n}


def mean(values):
    n = len(values)
    if n == 0:
        return unknown(0)
    m = math.fsum(values) / n
    se = math.sqrt(math.fsum((x - m) ** 2 for x in values) / (n - 1) / n) if n > 1 else None
    return unit(m, se, n, n)


def linear(rows, numerators, n):
    """The mean of ratios of sums over questions, given as (a, b) of a row, and its error to first order: of
    each question what it moves the figure by. rows: one a question."""
    sums = [(sum(a(row) for row in rows), sum(b(row) for row in rows)) for a, b, _ in numerators]
    if any(b <= 0 for _, b in sums):
        return unknown(n)
    value = sum(a / b for a, b in sums) / len(sums)
    size = sum(any(takes_part(row) for _, _, takes_part in numerators) for row in rows)
    moves = [sum((a(row) - sa / sb * b(row)) / sb for (a, b, _), (sa, sb) in zip(numerators, sums)) / len(sums)
             for row in rows]
    se = math.sqrt(math.fsum(m * m for m in moves) * size / (size - 1)) if size > 1 else None
    return unit(value, se, n, size)


# ---- votes -----------------------------------------------------------------------------------------


def vote(chains, weight):
    """The expected share of right answers in the first place."""
    sums = {}
    for c in chains:
        w = weight(c)
        if c["answer"] is not None and w is not None:
            sums[c["answer"]] = sums.get(c["answer"], Fraction(0)) + Fraction(w)
    if not sums:
        return 0.0
    best = max(sums.values())
    tied = [answer for answer, s in sums.items() if s == best]
    return sum(answer == chains[0]["gold"] for answer in tied) / len(tied)


def votes_of_question(chains, n, question, seed):
    sets = subsets(chains, n, question, seed)
    out = {}
    rows = []
    for some in sets:
        right = sum(c["right"] for c in some)
        rows.append({"correct.none": right == 0, "correct.some": 0 < right < n, "correct.all": right == n,
                     "accuracy.majority": vote(some, lambda c: 1),
                     "accuracy.weighted": vote(some, lambda c: c["confidence"])})
    for name in rows[0]:
        out[name] = math.fsum(row[name] for row in rows) / len(rows)
    return out


def vote_rows(name, questions, seed):
    names = ["accuracy.majority", "accuracy.weighted"]
    if name == "table1":
        names = ["correct.none", "correct.some", "correct.all"] + names
    rows = []
    for n in COUNTS[name]:
        values = [votes_of_question(chains, n, q, seed) for q, chains in questions.items() if len(chains) >= n]
        if values:
            majority, weighted = ([v["accuracy." + c] for v in values] for c in ("majority", "weighted"))
            rows.append({"n_chains": n, **{c: mean([v[c] for v in values]) for c in names}, "gain.weighted": paired.gain(majority, weighted)})
    return rows


# ---- verification ----------------------------------------------------------------------------------

# A row has: right and accepted, right, wrong and rejected, wrong.
TPR = (lambda c: c[0], lambda c: c[1], lambda c: c[1])
TNR = (lambda c: c[2], lambda c: c[3], lambda c: c[3])
RATES = {
    "tpr": [TPR], "tnr": [TNR], "balanced_accuracy": [TPR, TNR],
    "precision_accepted": [(lambda c: c[0], lambda c: c[0] + c[3] - c[2], lambda c: c[0] or c[3] - c[2])],
    "precision_rejected": [(lambda c: c[2], lambda c: c[2] + c[1] - c[0], lambda c: c[2] or c[1] - c[0])],
}


def rates(chains, threshold):
    """All rates; threshold: a function of the chain."""
    rows = {}
    for c in chains:
        row = rows.setdefault(c["question"], [0, 0, 0, 0])
        accepted = c["confidence"] >= threshold(c)
        row[1 if c["right"] else 3] += 1
        row[0 if c["right"] else 2] += accepted == c["right"]
    ra, r, wr, w = (sum(row[i] for row in rows.values()) for i in range(4))
    counted = {"tpr": r, "tnr": w, "balanced_accuracy": r + w, "precision_accepted": ra + w - wr,
               "precision_rejected": wr + r - ra}
    return {name: linear(list(rows.values()), parts, counted[name]) for name, parts in RATES.items()}


def auc(chains):
    """The share of pairs in order, and Obuchowski's clustered error, by comparing all pairs."""
    right = [c for c in chains if c["right"]]
    wrong = [c for c in chains if not c["right"]]
    if not right or not wrong:
        return unknown(len(chains))

    def ordered(a, b):
        return 1 if a["confidence"] > b["confidence"] else 0.5 if a["confidence"] == b["confidence"] else 0

    v10 = [math.fsum(ordered(a, b) for b in wrong) / len(wrong) for a in right]
    v01 = [math.fsum(ordered(a, b) for a in right) / len(right) for b in wrong]
    value = math.fsum(v10) / len(v10)
    by = {}
    for chain, component in [*zip(right, v10), *zip(wrong, v01)]:
        sums = by.setdefault(chain["question"], [[], []])
        sums[0 if chain["right"] else 1].append(component - value)
    with_right = sum(bool(s[0]) for s in by.values())
    with_wrong = sum(bool(s[1]) for s in by.values())
    se = None
    if with_right > 1 and with_wrong > 1:
        m, k, n = len(right), len(wrong), len(by)
        s10 = math.fsum(math.fsum(s[0]) ** 2 for s in by.values())
        s01 = math.fsum(math.fsum(s[1]) ** 2 for s in by.values())
        s11 = math.fsum(math.fsum(s[0]) * math.fsum(s[1]) for s in by.values())
        variance = (with_right / (with_right - 1) * s10 / m ** 2 + with_wrong / (with_wrong - 1) * s01 / k ** 2
                    + 2 * n / (n - 1) * s11 / (m * k))
        se = math.sqrt(max(variance, 0))
    return unit(value, se, len(chains), len(by))


def roc(chains):
    """(threshold, fpr, tpr) for each distinct confidence, the highest first."""
    right = sum(c["right"] for c in chains)
    wrong = len(chains) - right
    points = [(None, 0.0, 0.0)]
    for t in sorted({c["confidence"] for c in chains}, reverse=True):
        accepted = [c["right"] for c in chains if c["confidence"] >= t]
        points.append((t, (len(accepted) - sum(accepted)) / wrong, sum(accepted) / right))
    return points


def verification_rows(name, chains):
    if name == "table2":
        found = rates(chains, lambda c: c["threshold"])
        return [{c: found[c] for c in ("tpr", "tnr", "balanced_accuracy")}]
    if name == "fig4":
        def bare(value):
            return {**unknown(len(chains)), "value": value}
        points = roc(chains)
        if len(points) > 101:
            points = [points[i * (len(points) - 1) // 100] for i in range(101)]
        return [{"threshold": t, "fpr": bare(f), "tpr": bare(p)} for t, f, p in points]
    rows = []
    for i in range(21):
        t = i / 20
        found = rates(chains, lambda c: t)
        rows.append({"threshold": t, **{c: found[c] for c in CURVES[name]}})
    return rows


# ---- settings --------------------------------------------------------------------------------------


def integrate(l1, l0, counts):
    contradict, unrelated, support, unread = counts
    if contradict + unrelated + support == 0:
        return None
    cost = l1 * contradict + l0 * unrelated
    if unread:
        cost += (l0 if l0 > 0 else min(0.3, l1)) * unread
    return 2 / (1 + math.exp(cost)) if cost < 700 else 0.0


def likelihood(cells, l1, l0):
    """Mean log-likelihood of "right with chance a * w", and the best a."""
    scored = [(integrate(l1 / 100, l0 / 100, counts), r, w) for counts, (r, w) in cells.items()]
    right, wrong = sum(r for _, r, _ in scored), sum(w for _, _, w in scored)
    low, high = 0.0, 1.0
    for _ in range(50):
        a = (low + high) / 2
        if right - sum(w * a * s / (1 - a * s) for s, _, w in scored) >= 0:
            low = a
        else:
            high = a
    total = right * math.log(low)
    for s, r, w in scored:
        total += (r * math.log(max(s, sys.float_info.min)) if r else 0) + (w * math.log1p(-low * s) if w else 0)
    return total / (right + wrong), low


def fit_weights(chains):
    """All of the grid of hundredths near the best of a coarse one: the same maximum, found by the rule that
    docs/recipes.md states."""
    cells = {}
    for c in chains:
        if c["counts"] and integrate(1, 0.3, c["counts"]) is not None:
            cells.setdefault(c["counts"], [0, 0])[0 if c["right"] else 1] += 1
    if not all(any(cell[i] for cell in cells.values()) for i in (0, 1)):
        return None

    def worth(point):
        steps = math.floor(likelihood(cells, *point)[0] / 1e-10 + 0.5)
        return steps, -((point[0] - 100) ** 2 + (point[1] - 30) ** 2)

    best = max([(100, 30)] + [(l1, l0) for l1 in range(64, 801, 64) for l0 in range(0, l1, 64)], key=worth)
    step = 32
    while step:
        near = [(best[0] + i, best[1] + k) for i in (-step, 0, step) for k in (-step, 0, step)]
        found = max([best] + [p for p in near if 0 <= p[1] < p[0] <= 800], key=worth)
        if found == best:
            step //= 2
        best = found
    mean_log, scale = likelihood(cells, *best)
    return {"lambda_contradict": best[0] / 100, "lambda_unrelated": best[1] / 100, "log_likelihood": mean_log, "scale": scale,
            "lambda_at_limit": best[0] == 800}


def aggregate(name, scores):
    if name == "geometric":
        return 0.0 if min(scores) <= 0 else math.exp(sum(math.log(s) for s in scores) / len(scores))
    return {"min": min, "product": math.prod, "mean": lambda s: sum(s) / len(s), "last": lambda s: s[-1]}[name](scores)


def fit_threshold(chains):
    points = roc(chains)
    best = max(range(1, len(points)), key=lambda i: (points[i][2] - points[i][1], i))
    t = points[best][0]
    if best + 1 < len(points):
        below = points[best + 1][0]
        t = below + (t - below) / 2
    return t


def usable(chain):
    return chain["checked"] and not chain["skipped"] and chain["confidence"] is not None


def fit(chains):
    """Settings from the chains that take part; their confidences are as recorded."""
    chains = [c for c in chains if c["checked"] and not c["skipped"]]
    out = {"confidence_model": "recorded", "lambda_at_limit": False}
    if any(c["scores"] for c in chains):
        aucs = {name: auc(with_settings(chains, {"confidence_model": "scores", "aggregate": name}))["value"]
                for name in AGGREGATIONS}
        out.update(confidence_model="scores", aggregate=max(AGGREGATIONS, key=lambda name: aucs[name]))
    elif (weights := fit_weights(chains)) is not None:
        out.update(confidence_model="verdicts", **weights)
    chains = [c for c in with_settings(chains, out) if usable(c)]
    out["threshold"] = fit_threshold(chains)
    out["n_questions"], out["n_chains"] = len({c["question"] for c in chains}), len(chains)
    out["auc"] = auc(chains)["value"]
    out["balanced_accuracy"] = rates(chains, lambda c: out["threshold"])["balanced_accuracy"]["value"]
    return out


def with_settings(chains, settings):
    """The chains with the confidence and the threshold that the settings give them."""
    out = []
    for c in chains:
        confidence = c["confidence"]
        if settings["confidence_model"] == "verdicts":
            confidence = integrate(settings["lambda_contradict"], settings["lambda_unrelated"], c["counts"]) if c["counts"] else None
        elif settings["confidence_model"] == "scores":
            confidence = aggregate(settings["aggregate"], c["scores"]) if c["scores"] else None
        out.append({**c, "confidence": confidence, "threshold": settings.get("threshold", c["threshold"])})
    return out


# ---- all of it -------------------------------------------------------------------------------------


def counts_of(check):
    said = [v["verdict"] for v in check["verdicts"]]
    return tuple(said.count(v) for v in ("contradict", "unrelated", "support", "unknown"))


SOURCE = ("group", "generator", "checker", "profile")


def source_of(record, check=None, group="dataset"):
    """The source of a chain, in the order of SOURCE; a check may name who made it."""
    own = check if check and check.get("checker") is not None else record
    return record.get(group), record.get("generator"), own.get("checker"), own.get("profile")


def chain_of(record, method, scores):
    check = record.get("checks", {}).get(method)
    values = record.get("scores", {}).get(scores) if scores else None
    return {"question": record["question_id"], "answer": record["answer"], "gold": record["gold"],
            "right": record["answer"] == record["gold"], "scores": values, "threshold": 0.5 if scores else 0.55,
            "checked": values is not None if scores else check is not None,
            "skipped": bool(check and check.get("skipped")) and not scores,
            "counts": counts_of(check) if check and not scores else None,
            "confidence": check.get("confidence") if check and not scores else None,
            "source": source_of(record, check if not scores else None)}


def studied(chains, learned, split, seed):
    """The chains to report, with their settings, and the fits."""
    if not learned and not split:
        return chains, []
    if not split:
        found = fit(learned)
        return with_settings(chains, found), [found]
    parts = 2 if split == "half" else int(split)

    def part(chain):
        return hash_of(chain["question"], seed) % parts

    out, fits = [], {}
    for k in [1] if split == "half" else range(parts):
        fits[k] = {**fit([c for c in (learned or chains) if part(c) != k]), "fold": k}
    for c in chains:
        if part(c) in fits:
            out += with_settings([c], fits[part(c)])
    return out, list(fits.values())


def series(name, method, chains, seed):
    out = {"check": method, **dict(zip(SOURCE, chains[0]["source"])),
           "n_chains": len(chains), "n_unparsed": sum(c["answer"] is None for c in chains),
           "n_unchecked": sum(not c["checked"] for c in chains), "n_skipped": sum(c["skipped"] for c in chains),
           "n_null_confidence": sum(c["checked"] and not c["skipped"] and c["confidence"] is None for c in chains)}
    questions = {}
    for c in chains:
        questions.setdefault(c["question"], []).append(c)
    out["n_questions"] = len(questions)
    if name in COUNTS:
        full = {q: some for q, some in questions.items() if all(c["checked"] and not c["skipped"] for c in some)}
        out["n_questions_unchecked"] = len(questions) - len(full)
        out["rows"] = vote_rows(name, full, seed)
    else:
        kept = [c for c in chains if usable(c)]
        out["rows"] = verification_rows(name, kept)
        if name == "fig4":
            out["auc"] = auc(kept)
    return out


def compute(name, records, learned=(), split=None, scores=None, seed=0):
    """The recipe of that name ("table1") on records; learned: those of --fit."""
    out = {"recipe": "selfcheck:" + name, "series": [], "fits": []}
    methods = [None] if scores else VARIANTS if name in ("table2", "fig6") else ["selfcheck"]
    for method in methods:
        chains = [chain_of(r, method, scores) for r in records]
        if not any(c["checked"] for c in chains):
            continue
        label = "scores:" + scores if scores else method
        chains, fits = studied(chains, [chain_of(r, method, scores) for r in learned], split, seed)
        out["fits"] += [{"check": label, **found} for found in fits]
        for source in dict.fromkeys(c["source"] for c in chains):
            some = [c for c in chains if c["source"] == source]
            if any(c["checked"] for c in some):
                out["series"].append(series(name, label, some, seed))
    return out


def self_test():
    assert [Xoshiro(1).below(10) for _ in range(3)] == [Xoshiro(1).below(10)] * 3
    assert vote([{"answer": "1", "gold": "1", "w": 0.1}, {"answer": "2", "gold": "1", "w": 0.1}],
                lambda c: c["w"]) == 0.5
    assert abs(integrate(1, 0.3, (1, 0, 7, 0)) - 0.5378828427) < 1e-9
    assert integrate(1, 0.3, (0, 0, 0, 3)) is None
    chains = [{"question": i, "right": right, "confidence": c} for i, (right, c) in
              enumerate([(True, 1), (True, .9), (True, .9), (False, .5), (True, .2), (False, .3), (False, .4),
                         (False, .1)])]
    assert auc(chains)["value"] == 13 / 16
    assert rates(chains, lambda c: 0.5)["balanced_accuracy"]["value"] == 0.75
    assert fit_threshold(chains) == 0.7
    # 80 of 100 right without a fault, 40 of 100 with a contradiction: a = .8, l1 = ln 3
    cells = [{"counts": (k, 0, 5, 0), "right": right} for k, right, n in
             ((0, True, 80), (0, False, 20), (1, True, 40), (1, False, 60)) for _ in range(n)]
    weights = fit_weights(cells)
    assert (weights["lambda_contradict"], weights["lambda_unrelated"]) == (1.1, 0.3), weights


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    for name in ("recipe", "fit", "split", "scores"):
        parser.add_argument("--" + name)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("file", nargs="?")
    options = parser.parse_args()
    if options.self_test:
        self_test()
        return

    def read(path):
        with open(path, encoding="utf-8") as file:
            return [json.loads(line) for line in file]

    name = options.recipe.removeprefix("selfcheck:")
    print(json.dumps(compute(name, read(options.file), read(options.fit) if options.fit else (), options.split,
                             options.scores, options.seed)))


if __name__ == "__main__":
    main()
