#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables and figures of general-purpose verification, computed apart from the C code.

    general.py --recipe NAME [--seed N] [--floor X] [--weights W] FILE    one JSON object: {"rows": [...]}
    general.py --self-test                                               cases worked out by hand

NAME: table1, table2, table4, table5, fig3, fig4, fig5, fig7, fig8, fig9, errors. Reads chain records whose
answers are whole numbers (null: unreadable), such as those of general_chains.py. Draws are those of
recipes.py's generator; sums of weights are fractions. Python's standard library only."""

import argparse
import itertools
import json
import math
import statistics
import sys
from fractions import Fraction

import paired
from recipes import Xoshiro, hash_of, mean, unit, unknown

VERIFIERS = ("relevance", "math", "consistency", "perplexity")
WEIGHTS = WEIGHTS_OF_FOUR = {"relevance": 1, "math": 1, "consistency": 1, "perplexity": 2}
VERDICTS = {"support": 1.0, "unrelated": 0.5, "contradict": 0.0}  # of a check of one's own that gives no score
DRAWS, MOST, SUBSETS, Z = 200, 10, 10_000, 1.959963984540054

# ---- chains ----------------------------------------------------------------------------------------


def read_chain(record):
    """Scores of steps by verifier, tokens by step (logprob, n), what is known of the answer."""
    n = len(record["steps"])
    checks = record.get("checks", {})
    step, whole = {}, {}
    for v in VERIFIERS:
        said = [None] * n
        for verdict in checks.get(v, {"verdicts": []})["verdicts"]:
            if verdict["step"] is None and verdict["verdict"] != "unknown" and checks[v]["confidence"] is not None:
                whole[v] = checks[v]["confidence"]
            elif verdict["step"] is not None and verdict["verdict"] != "unknown":
                given = verdict["score"]
                said[verdict["step"]] = VERDICTS[verdict["verdict"]] if given is None and v not in WEIGHTS_OF_FOUR else given
        if any(s is not None for s in said):
            step[v] = said
    tokens = None
    if "logprobs" in record:
        tokens = [(math.fsum(t), len(t)) for t in record["logprobs"]]
    elif "perplexity" in checks:
        tokens = [(v["evidence"]["logprob"], v["evidence"]["n_tokens"]) for v in checks["perplexity"]["verdicts"]]
    answer = None if record["answer"] is None else int(record["answer"])
    right = None if "gold" not in record else answer == int(record["gold"])
    return {"question": record["question_id"], "answer": answer, "right": right, "steps": n, "step": step,
            "tokens": tokens, "labels": record.get("step_labels", []), "whole": whole}


SOURCE = ("group", "generator", "checker", "profile")


def source_of(record):
    """In the order of SOURCE; the latest check by a verifier may name who made it."""
    checks = {**record.get("checks", {}), **({record["method"]: record} if "method" in record else {})}
    own = [c for name, c in checks.items() if name in VERIFIERS and c is not record and "checker" in c]
    maker = own[-1] if own and record.get("method") not in VERIFIERS else record
    return record.get("dataset"), record.get("generator"), maker.get("checker"), maker.get("profile")


def groups_of(records, source=source_of):
    """The chains by their source, which the rows begin with."""
    out = {}
    for record in records:
        chain = read_chain(record)
        out.setdefault(source(record), []).append(chain)
    return out


def labels_of(source):
    return dict(zip(SOURCE, source)) if isinstance(source, tuple) else {"group": source}


def questions_of(chains):
    """Those of which it is known which chains are right, in order of appearance."""
    by = {}
    for chain in chains:
        by.setdefault(chain["question"], []).append(chain)
    return {q: some for q, some in by.items()
            if all(c["right"] is not None or c["answer"] is None for c in some)}


def available(chains):
    return [v for v in VERIFIERS if any(v in c["step"] or v in c["whole"] or (v == "perplexity" and c["tokens"]) for c in chains)]


# ---- scores ----------------------------------------------------------------------------------------


NEITHER = 0.5  # what a step counts as of which nothing was read


def geometric(scores, floor, missing=NEITHER):
    if all(s is None for s in scores):
        return None
    scores = [missing if s is None else s for s in scores if s is not None or missing is not None]
    if any(max(s, floor) == 0 for s in scores):
        return 0.0
    return math.exp(math.fsum(math.log(max(s, floor)) for s in scores) / len(scores))


def verifier_score(chain, verifier, n, floor, over="tokens"):
    if verifier in chain["whole"]:
        return chain["whole"][verifier] if n == chain["steps"] else None
    if verifier == "perplexity" and chain["tokens"] and over == "steps":
        return geometric([math.exp(min(t / k, 0)) if k else None for t, k in chain["tokens"][:n]], floor, None)
    if verifier == "perplexity" and chain["tokens"]:
        logprob = math.fsum(t for t, _ in chain["tokens"][:n])
        return math.exp(min(logprob / sum(k for _, k in chain["tokens"][:n]), 0))
    missing = None if verifier == "perplexity" else NEITHER
    return geometric(chain["step"][verifier][:n], floor, missing) if verifier in chain["step"] else None


def weighted_mean(scores, weights):
    known = [(weights[v], s) for v, s in scores.items() if s is not None]
    total = sum(w for w, _ in known)
    return sum(w * s for w, s in known) / total if total > 0 else None


def score(chain, verifiers, options, steps=None, share=None):
    n = chain["steps"]
    if share is not None:
        n = min(n, math.ceil(Fraction(share).limit_denominator(100) * n))
    if steps is not None:
        n = min(n, steps)
    return weighted_mean({v: verifier_score(chain, v, n, options["floor"], options.get("over", "tokens"))
                          for v in verifiers}, options["weights"])


# ---- one chain -------------------------------------------------------------------------------------


def chance_right(chains, scores):
    known = [s for s in scores if s is not None]
    best = max(known) if known else None
    chosen = [c for c, s in zip(chains, scores) if s == best]
    return sum(bool(c["right"]) and c["answer"] is not None for c in chosen) / len(chosen)


def single(questions, scored):
    return [chance_right(chains, [scored(c) for c in chains]) for chains in questions.values()]


def single_row(data, name, what, values, random):
    return {**labels_of(data), name: what, "accuracy": mean(values),
            "std": math.sqrt(math.fsum(p * (1 - p) for p in values)) / len(values),
            "gain": paired.gain(random, values)}


def nothing(_):
    return None


def rows_of_choices(data, questions, there, options):
    random = single(questions, nothing)
    lowest = single(questions, lambda c: verifier_score(c, "perplexity", c["steps"], 0))
    best = single(questions, lambda c: score(c, there, options))
    return [single_row(data, "selection", what, values, random) for what, values in
            (("random", random), ("lowest perplexity", lowest), ("best score", best))]


def rows_of_subsets(data, questions, there, options, singles):
    random = single(questions, nothing)
    rows = []
    for size in range(len(there) + 1):
        if singles and 1 < size < len(there):
            continue
        by_mask = sorted(itertools.combinations(there, size), key=lambda some: sum(1 << VERIFIERS.index(v) for v in some))
        for some in by_mask:
            values = single(questions, lambda c, some=some: score(c, some, options)) if some else random
            rows.append(single_row(data, "verifiers", " + ".join(some) or "none", values, random))
    return rows


def rows_of_steps(data, questions, there, options, most):
    random = single(questions, nothing)
    rows = [single_row(data, "first_steps", "0", random, random)]
    for k in [*range(1, most + 1), None]:
        values = single(questions, lambda c, k=k: score(c, there, options, steps=k))
        rows.append(single_row(data, "first_steps", "all" if k is None else str(k), values, random))
    return rows


def rows_of_shares(data, questions, there, options):
    random = single(questions, nothing)
    rows = [single_row(data, "first_share", 0, random, random)]
    for tenths in range(1, 11):
        values = single(questions, lambda c, t=tenths: score(c, there, options, share=Fraction(t, 10)))
        rows.append(single_row(data, "first_share", tenths / 10, values, random))
    return rows


# ---- votes -----------------------------------------------------------------------------------------


def vote(chains, weights):
    sums = {}
    for c, w in zip(chains, weights):
        if c["answer"] is not None and w is not None:
            sums[c["answer"]] = sums.get(c["answer"], Fraction(0)) + Fraction(w)
    if not sums:
        return 0.0
    tied = [a for a, s in sums.items() if s == max(sums.values())]
    right = {c["answer"]: c["right"] for c in chains}
    return sum(bool(right[a]) for a in tied) / len(tied)


def shuffles(n, question, seed):
    rng = Xoshiro(hash_of(question, seed))
    order = list(range(n))
    for _ in range(DRAWS):
        for i in range(n, 1, -1):
            j = rng.below(i)
            order[i - 1], order[j] = order[j], order[i - 1]
        yield list(order)


def votes(questions, by, weight, seed):
    """votes[question][m - 1]: the votes of all subsets of m chains, or of draws of them."""
    out = {}
    for q, chains in questions.items():
        values = [by(c) for c in chains] if by else None
        weights = [weight(c) if weight else 1 for c in chains]
        orders = list(shuffles(len(chains), q, seed))
        if values:
            for order in orders:
                order.sort(key=lambda i: (values[i] is None, -(values[i] or 0)))
        out[q] = []
        for m in range(1, min(MOST, len(chains)) + 1):
            every = not values and math.comb(len(chains), m) <= SUBSETS
            chosen = itertools.combinations(range(len(chains)), m) if every else (order[:m] for order in orders)
            out[q].append([vote([chains[i] for i in some], [weights[i] for i in some]) for some in chosen])
    return out


def vote_rows(data, questions, ways, seed):
    found = {name: votes(questions, by, weight, seed) for name, by, weight in ways}
    first, last = ways[0][0], ways[-1][0]
    rows = []
    for m in range(max(min(MOST, len(c)) for c in questions.values())):
        row = {**labels_of(data), "n_chains": m + 1}
        at = {name: [right[m] for right in by.values() if len(right) > m] for name, by in found.items()}
        for name, values in at.items():
            row["accuracy." + name] = mean([math.fsum(v) / len(v) for v in values])
            row["std." + name] = math.sqrt(math.fsum(statistics.pvariance(v) for v in values)) / len(values)
        row["gain." + last] = paired.gain(*([math.fsum(v) / len(v) for v in at[way]] for way in (first, last)))
        rows.append(row)
    return rows


# ---- people ----------------------------------------------------------------------------------------

PRINCIPLES = VERIFIERS[:3]


def subjects():
    """Each score, the criterion it is compared with, and its verifiers."""
    own = VERIFIERS[4:]
    return ([(v, v, (v,)) for v in PRINCIPLES] + [(v, "correct", (v,)) for v in own]
            + [("all but perplexity", "correct", (*PRINCIPLES, *own)), ("all", "correct", VERIFIERS),
               ("perplexity", "correct", ("perplexity",))])


def step_score(chain, verifiers, k, options):
    scores = {}
    for v in verifiers:
        if v == "perplexity" and chain["tokens"]:
            scores[v] = math.exp(min(chain["tokens"][k][0] / chain["tokens"][k][1], 0))
        else:
            scores[v] = chain["step"][v][k] if v in chain["step"] else None
    return weighted_mean(scores, options["weights"])


def people(chain, criterion, k):
    said = [label["labels"][k] for label in chain["labels"] if label["criterion"] == criterion and label["labels"][k] is not None]
    return sum(said) / len(said) if said else None


def pearson(pairs):
    """r, and its error over questions by their influence on it."""
    n = len(pairs)
    mx, my = math.fsum(p[0] for p in pairs) / n, math.fsum(p[1] for p in pairs) / n
    sx = math.sqrt(math.fsum((p[0] - mx) ** 2 for p in pairs))
    sy = math.sqrt(math.fsum((p[1] - my) ** 2 for p in pairs))
    r = math.fsum((p[0] - mx) * (p[1] - my) for p in pairs) / sx / sy
    by = {}
    for x, y, question in pairs:
        zx, zy = (x - mx) / sx, (y - my) / sy
        by[question] = by.get(question, 0) + zx * zy - r / 2 * (zx * zx + zy * zy)
    q = len(by)
    se = math.sqrt(math.fsum(m * m for m in by.values()) * q / (q - 1))
    half = Z * se / (1 - r * r)
    return {"value": r, "stderr": se, "ci_low": math.tanh(math.atanh(r) - half), "ci_high": math.tanh(math.atanh(r) + half),
            "n": n}


def correlation_rows(data, chains, options):
    rows = []
    for name, criterion, verifiers in subjects():
        pairs = []
        for c in chains:
            for k in range(c["steps"]):
                x, y = step_score(c, verifiers, k, options), people(c, criterion, k)
                if x is not None and y is not None:
                    pairs.append((x, y, c["question"]))
        if pairs:
            rows.append({**labels_of(data), "score": name, "criterion": criterion, "annotator": "mean",
                         "pearson_r": pearson(pairs), "n_steps": len(pairs), "n_questions": len({p[2] for p in pairs})})
    return rows


def covered(judgements):
    """False among yes and no; None where nothing was said."""
    return None if not judgements else not all(judgements)


def share_row(data, what, found):
    """found: (question, whether it is covered)"""
    by = {}
    for question, is_covered in found:
        row = by.setdefault(question, [0, 0])
        row[0] += not is_covered
        row[1] += 1
    total, n = sum(r[1] for r in by.values()), len(by)
    share = sum(r[0] for r in by.values()) / total
    squares = math.fsum(((r[0] - share * r[1]) / total) ** 2 for r in by.values())
    se = math.sqrt(squares * n / (n - 1)) if n > 1 else None
    return {**labels_of(data), "detector": what, "miss_rate": unit(share, se, total, n), "n_errors": total}


def error_rows(data, chains, options):
    by_people, by_verifiers = [], []
    for c in chains:
        for label in c["labels"]:
            for k, right in enumerate(label["labels"]):
                if label["criterion"] != "correct" or right is not False:
                    continue
                said = [other["labels"][k] for other in c["labels"] if other["annotator"] == label["annotator"]
                        and other["criterion"] in PRINCIPLES and other["labels"][k] is not None]
                scores = [step_score(c, (v,), k, options) for v in VERIFIERS if v != "perplexity"]
                passed = [s >= 0.5 for s in scores if s is not None]
                for found, judged in ((by_people, said), (by_verifiers, passed)):
                    if covered(judged) is not None:
                        found.append((c["question"], covered(judged)))
    return [share_row(data, what, found) for what, found in
            (("people's principles", by_people), ("verifiers", by_verifiers)) if found]


def agreement_rows(data, chains):
    """Each two annotators: the share of equal judgements of steps, and Cohen's kappa."""
    criteria = {}
    for c in chains:
        for label in c["labels"]:
            criteria.setdefault(label["criterion"], {}).setdefault(label["annotator"], None)
    rows = []
    for of, annotators in criteria.items():
        for a, b in itertools.combinations(annotators, 2):
            both = []
            for c in chains:
                said = {label["annotator"]: label["labels"] for label in c["labels"] if label["criterion"] == of}
                both += [(x, y) for x, y in zip(said.get(a, []), said.get(b, [])) if None not in (x, y)]
            n = len(both)
            if not n:
                continue
            equal = sum(x == y for x, y in both) / n
            chance = sum(sum(p[0] == v for p in both) * sum(p[1] == v for p in both) for v in (True, False)) / n ** 2
            rows.append({**labels_of(data), "criterion": of, "annotator": a, "other_annotator": b, "n_steps": n,
                         "agreement": unit(equal, math.sqrt(equal * (1 - equal) / n), n, n),
                         "kappa": {"value": (equal - chance) / (1 - chance),
                                   "stderr": math.sqrt(equal * (1 - equal) / n) / (1 - chance)}})
    return rows


# ---- weights ---------------------------------------------------------------------------------------

TRIED = (0, 0.25, 0.5, 1, 2, 4)


def in_order(questions, weights):
    """Of each question's pairs of a right and a wrong chain the share in order, ties half; their mean."""
    shares = []
    for chains in questions:
        scores = [(weighted_mean(by, weights), right) for by, right in chains]
        pairs = [(a, b) for a, right in scores if right for b, wrong in scores if not wrong]
        shares.append(sum(0.5 if a == b else (b is None or (a is not None and a > b)) for a, b in pairs) / len(pairs))
    return math.fsum(shares) / len(shares)


def fit(records, floor=0.01):
    groups = groups_of(records)
    there = [v for v in VERIFIERS if any(v in available(chains) for chains in groups.values())]
    questions = []
    for chains in groups.values():
        for some in questions_of(chains).values():
            known = [({v: verifier_score(c, v, c["steps"], floor) for v in there}, bool(c["right"])
                      and c["answer"] is not None) for c in some]
            known = [k for k in known if any(s is not None for s in k[0].values())]
            if 0 < sum(right for _, right in known) < len(known):
                questions.append(known)
    best = None
    for tried in itertools.product(TRIED, repeat=len(there)):
        if not any(tried):
            continue
        weights = {**WEIGHTS, **dict(zip(there, tried))}
        worth = in_order(questions, weights)
        near = -sum((weights[v] - WEIGHTS[v]) ** 2 for v in VERIFIERS)
        if best is None or worth > best[0] + 1e-12 or (worth > best[0] - 1e-12 and near > best[1]):
            best = worth, near, weights
    return best[2]


# ---- all -------------------------------------------------------------------------------------------


CRITERIA = {"fig9": "relevance", "fig10": "math", "fig11": "consistency", "fig12": "correct"}


def rows_of(name, data, chains, options):
    if name in ("fig5", "fig14"):
        return [row for row in correlation_rows(data, chains, options) if name == "fig5" or row["score"] != "perplexity"]
    if name == "errors":
        return error_rows(data, chains, options)
    if name in CRITERIA:
        return [row for row in agreement_rows(data, chains) if row["criterion"] == CRITERIA[name]]
    there, questions, seed = available(chains), questions_of(chains), options["seed"]

    def best(c):
        return score(c, there, options)

    if name == "fig3":
        return vote_rows(data, questions, [
            ("random", None, None), ("perplexity", lambda c: verifier_score(c, "perplexity", c["steps"], 0), None),
            ("best", best, best)], seed)
    if name == "fig7":
        return vote_rows(data, questions, [("majority", None, None), ("weighted", None, best)], seed)
    if name in ("table2", "table4"):
        return rows_of_subsets(data, questions, there, options, name == "table2")
    if name in ("table5", "fig8"):
        return rows_of_steps(data, questions, there, options, 5 if name == "table5" else 10)
    return {"table1": rows_of_choices, "fig4": rows_of_shares}[name](data, questions, there, options)


def compute(name, records, seed=0, floor=0.01, weights=None, over="tokens"):
    options = {"seed": seed, "floor": floor, "over": over, "weights": {**WEIGHTS, **(weights or {})}}
    source = (lambda record: record.get("dataset")) if name in CRITERIA else source_of
    return {"rows": [row for data, chains in groups_of(records, source).items()
                     for row in rows_of(name, data, chains, options)]}


def self_test():
    def chain(answer, **step):
        return {"question": "q", "answer": answer, "right": answer == 1, "steps": 2, "step": step, "tokens": None, "whole": {}}

    options = {"floor": 0.01, "weights": WEIGHTS, "seed": 0}
    one = chain(1, relevance=[1, 0.25], math=[1, 0])
    assert math.isclose(score(one, ("relevance", "math"), options), (0.5 + 0.1) / 2)
    assert score(one, ("consistency",), options) is None
    one["tokens"] = [(-3 * math.log(2), 3), (-math.log(8), 1)]
    assert math.isclose(score(one, ("relevance", "perplexity"), options), (0.5 + 2 * 2 ** -1.5) / 3)
    assert math.isclose(score(one, ("perplexity",), options, steps=1), 0.5)
    assert chance_right([chain(1), chain(2), chain(1)], [0.5, 0.5, 0.1]) == 0.5
    assert chance_right([chain(1), chain(2)], [None, 0.1]) == 0
    assert chance_right([chain(1), chain(2)], [None, None]) == 0.5
    assert vote([chain(1), chain(2), chain(2)], [0.9, 0.5, 0.4]) == 0.5
    assert vote([chain(1), chain(2)], [1, None]) == 1
    assert vote([chain(None)], [1]) == 0
    assert math.isclose(pearson([(1, 2, 0), (2, 4, 1), (3, 5, 2)])["value"], 3 / math.sqrt(2 * 14 / 3))
    assert covered([]) is None and covered([True]) is False and covered([True, False]) is True
    assert unknown(0)["value"] is None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--recipe")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--floor", type=float, default=0.01)
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("file", nargs="?")
    given = parser.parse_args()
    if given.self_test:
        self_test()
        return
    with open(given.file, encoding="utf-8") as file:
        json.dump(compute(given.recipe, [json.loads(line) for line in file], given.seed, given.floor), sys.stdout)


if __name__ == "__main__":
    main()
