#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What the papers quote of the figures of verification, from the records alone: rates at a few thresholds, and where
the verdicts stand that tell wrong chains from right ones, or mislead. Python's standard library only.

    quoted.py FILE    both, as JSON
"""
import json
import sys

import recipes

QUOTED = ("fig3", "fig4", "v2fig3", "v2fig4")


def opposite(figure):
    """One minus a figure."""
    low, high = figure["ci_high"], figure["ci_low"]
    return {"value": None if figure["value"] is None else 1 - figure["value"], "stderr": figure["stderr"],
            "ci_low": None if low is None else 1 - low, "ci_high": None if high is None else 1 - high, "n": figure["n"]}


def point(chains, name, threshold):
    found = recipes.rates(chains, lambda c: threshold)
    return {"point": name, "threshold": threshold, "fpr": opposite(found["tnr"]), "tpr": found["tpr"],
            "balanced_accuracy": found["balanced_accuracy"], "precision_accepted": found["precision_accepted"],
            "precision_rejected": found["precision_rejected"],
            "n_accepted": sum(c["confidence"] >= threshold for c in chains),
            "n_rejected": sum(c["confidence"] < threshold for c in chains)}


def best(chains):
    """The threshold with the largest mean of the rates of right chains accepted and wrong ones rejected."""
    right = sum(c["right"] for c in chains)
    best_value, best_threshold = -1, None
    for threshold in sorted({c["confidence"] for c in chains}, reverse=True):
        accepted = [c["right"] for c in chains if c["confidence"] >= threshold]
        value = (sum(accepted) / right + 1 - (len(accepted) - sum(accepted)) / (len(chains) - right)) / 2
        if value > best_value + 1e-12:
            best_value, best_threshold = value, threshold
    return best_threshold


def points(name, records):
    """The member "quoted" of the recipe of that name."""
    out = []
    for method in recipes.VARIANTS if name == "fig4" else ["selfcheck"]:
        chains = [c for c in (recipes.chain_of(record, method, None) for record in records) if recipes.usable(c)]
        if not chains:
            continue
        rows = [point(chains, "own rule", 0.55)]
        if method == "selfcheck":
            confidences = [c["confidence"] for c in chains]
            rows = [point(chains, "all accepted", min(confidences)), point(chains, "threshold 0.5", 0.5),
                    point(chains, "best mean of rates", best(chains)), point(chains, "highest confidence", max(confidences)), *rows]
        out += [{"check": method, **row} for row in rows]
    return out


def places(n):
    """(scale, position) of each step of a chain of n steps."""
    return [(("step", str(i) if i < 10 else "10+"),
             ("share of the chain", f"{100 * (5 * i // n) // 5} to {100 * (5 * i // n + 1) // 5} %")) for i in range(n)]


def positions(records, method="selfcheck"):
    """The member "verdict_positions"."""
    seen = {}
    for record in records:
        check = record.get("checks", {}).get(method)
        if not check or check.get("skipped") or not check["verdicts"]:
            continue
        right = record["answer"] == record["gold"]
        said = {v["step"]: v["verdict"] for v in check["verdicts"]}
        contradicted = "contradict" in said.values()
        for step, both in enumerate(places(len(record["steps"]))):
            verdict = said.get(step, "unknown")
            if verdict == "unknown":
                continue
            for place in both:
                row = seen.setdefault(place, {}).setdefault(record["question_id"], [0] * 5)
                row[0 if right else 1] += 1
                row[2] += not right and verdict == "contradict"
                row[3] += right and verdict == "contradict"
                row[4] += not right and verdict == "support" and not contradicted
    out = []
    for place in sorted(seen, key=lambda p: (p[0] != "step", int(p[1].split()[0].rstrip("+")))):
        rows = list(seen[place].values())
        right, wrong, told, contradict, support = (sum(row[i] for row in rows) for i in range(5))

        def share(i, of, n, rows=rows):
            return recipes.linear(rows, [(lambda row: row[i], lambda row: row[of], lambda row: row[of] > 0)], n)

        out.append({"check": method, "scale": place[0], "position": place[1], "distinguishing": share(2, 1, wrong),
                    "misleading.contradict": share(3, 0, right), "misleading.support": share(4, 1, wrong),
                    "n_distinguishing": told, "n_misleading.contradict": contradict, "n_misleading.support": support,
                    "n_wrong": wrong, "n_right": right})
    return out


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        records = [json.loads(line) for line in file]
    print(json.dumps({"quoted": points("fig4", records), "verdict_positions": positions(records)}, indent=1))


if __name__ == "__main__":
    main()
