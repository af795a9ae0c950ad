#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""PRMBench's score (PRMScore), computed apart from the C code, from the formulas of the paper (arXiv 2501.03124).

    prmbench.py [FILE...]    checked records; rows of check, type, score, both F1, steps

Steps are right or wrong by their label. What a check says of a step: support is right, contradict and unrelated are wrong, and a step
without a verdict that was read is told falsely. Python's standard library only."""
import json
import math
import sys

CATEGORIES = {"simplicity": ("redundency", "circular"),
              "soundness": ("counterfactual", "step_contradiction", "domain_inconsistency", "confidence"),
              "sensitivity": ("missing_condition", "deception", "multi_solutions")}


def says(verdicts, step, threshold):
    found = [v for v in verdicts if v["step"] == step and v["verdict"] != "unknown"]
    if not found:
        return None
    if threshold and found[-1].get("score") is not None:
        return found[-1]["score"] >= threshold
    return found[-1]["verdict"] == "support"


def judged(record, check, threshold=None):
    """(the step is right, the check is right about it) of each step that is labelled."""
    labels = next(m["labels"] for m in record["step_labels"] if m["criterion"] == "correct")
    return [(right, says(check["verdicts"], i, threshold) is right) for i, right in enumerate(labels) if right is not None]


def harmonic(steps, kind):
    """The F1 of the steps of that kind; None: there is none."""
    hit = sum(told for right, told in steps if right is kind)
    missed = sum(not told for right, told in steps if right is kind)
    wrongly = sum(not told for right, told in steps if right is not kind)
    if hit + missed == 0 and kind is False:
        return None
    return 2 * hit / (2 * hit + missed + wrongly) if hit + missed + wrongly else 0.0


def score(steps):
    right, wrong = harmonic(steps, True), harmonic(steps, False)
    return right if wrong is None else (right + wrong) / 2


def types_of(records, method, threshold=None):
    """{type: {problem: its steps}}; None: all."""
    found = {}
    for record in records:
        check = record.get("checks", {}).get(method) or (record if record.get("method") == method else None)
        if check and "step_labels" in record:
            steps = judged(record, check, threshold)
            for of in dict.fromkeys((record.get("error_type"), None)):
                found.setdefault(of, {}).setdefault(record.get("source_id", record["question"]), []).extend(steps)
    return found


def total(by_problem, left_out=None):
    return [s for problem, steps in by_problem.items() if problem != left_out for s in steps]


def rows(records, method, threshold=None):
    types = types_of(records, method, threshold)
    out = {}
    for of, by in types.items():
        steps = total(by)
        out[of or "all"] = {"prm_score": score(steps), "f1.right": harmonic(steps, True), "f1.wrong": harmonic(steps, False),
                            "n_steps": len(steps)}
    for name, wanted in CATEGORIES.items():
        if all(of in types for of in wanted):
            out[name] = {"prm_score": sum(out[of]["prm_score"] for of in wanted) / len(wanted)}
    return out


def jackknife(records, method, wanted):
    """The standard error of the mean score of the types, leaving out each problem in turn."""
    types = types_of(records, method)
    problems = sorted(types[None])
    means = [sum(score(total(types[of], problem)) for of in wanted) / len(wanted) for problem in problems]
    n, centre = len(means), sum(means) / len(means)
    return math.sqrt((n - 1) / n * sum((m - centre) ** 2 for m in means))


def main():
    records = [json.loads(line) for name in sys.argv[1:] for line in open(name, encoding="utf-8")]
    methods = dict.fromkeys(m for r in records for m in (*r.get("checks", {}), *([r["method"]] if "method" in r else [])))
    for method in methods:
        for name, row in rows(records, method).items():
            print(method, name, *(f"{k}={v:.4f}" if isinstance(v, float) else f"{k}={v}" for k, v in row.items()))


if __name__ == "__main__":
    main()
