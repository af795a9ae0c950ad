#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Chains whose checks err at known rates, made by chance from a seed.

    chains.py [--questions N] [--chains N] [--seed N] [--first N]    chain records, one a line

A question has a right answer and some wrong ones, and a difficulty of its own. A chain's steps are right or
wrong; one wrong step makes the answer wrong. Each method then says of each step support, unrelated or
contradict (of the whole chain, for "global"), with error rates of its own; a few verdicts are unknown, a few
answers unreadable. Confidences are 2 sigmoid(-l1 contradicted - l0 unrelated), l1 = 1, l0 = 0.3, an unknown
counting as unrelated. Some options make what a real run may leave: --skip S and --unchecked S, the shares
of chains that "selfcheck" skipped and never saw. Python's standard library only."""

import argparse
import json
import math
import random

STEPS = (2, 7)
# method: of a right step, the shares of contradict and unrelated; the same of a wrong one
METHODS = {
    "selfcheck": ((0.06, 0.12), (0.55, 0.15)),
    "global": ((0.05, 0.03), (0.15, 0.05)),
    "single-stage": ((0.05, 0.05), (0.25, 0.05)),
    "error-check": ((0.10, 0.05), (0.45, 0.05)),
    "error-check-1shot": ((0.08, 0.05), (0.48, 0.05)),
}
UNKNOWN, UNREADABLE = 0.01, 0.01


def verdict(rng, right, rates):
    if rng.random() < UNKNOWN:
        return "unknown"
    contradict, unrelated = rates[0] if right else rates[1]
    x = rng.random()
    return "contradict" if x < contradict else "unrelated" if x < contradict + unrelated else "support"


def confidence(verdicts):
    if all(v == "unknown" for v in verdicts):
        return None
    cost = sum(1 if v == "contradict" else 0.3 if v in ("unrelated", "unknown") else 0 for v in verdicts)
    return 2 / (1 + math.exp(cost))


def check(rng, method, steps):
    whole = method == "global"
    judged = [all(steps)] if whole else steps
    said = [verdict(rng, right, METHODS[method]) for right in judged]
    wrong = [i for i, v in enumerate(said) if v == "contradict"]
    return {
        "method": method,
        "verdicts": [{"step": None if whole else i, "verdict": v,
                      "score": {"support": 1.0, "unrelated": 0.5, "contradict": 0.0, "unknown": None}[v]}
                     for i, v in enumerate(said)],
        "confidence": confidence(said),
        "first_error": None if whole or not wrong else wrong[0],
        "n_unknown": said.count("unknown"),
        "n_calls": 4 * len(said) + 1, "prompt_tokens": 0, "completion_tokens": 0,
    }


def chain(rng, question, number, hardness, options):
    steps = [rng.random() > hardness for _ in range(rng.randint(*STEPS))]
    answer = "100" if all(steps) else str(rng.choice((90, 90, 91, 92, 93)))
    if rng.random() < UNREADABLE:
        answer = None
    checks = {method: check(rng, method, steps) for method in METHODS}
    scores = [min(1.0, max(0.0, rng.gauss(0.8 if right else 0.55, 0.15))) for right in steps]
    if rng.random() < options.skip:
        checks["selfcheck"] = {"method": "selfcheck", "verdicts": [], "confidence": None, "first_error": None,
                               "n_unknown": 0, "n_calls": 0, "prompt_tokens": 0, "completion_tokens": 0,
                               "skipped": True}
    if rng.random() < options.unchecked:
        del checks["selfcheck"]
    record = {"id": f"{question}/{number}", "question_id": question, "question": f"Question {question}?",
              "answer_type": "number", "gold": "100", "generator": "simulated", "checker": "simulated-checker",
              "steps": [f"Step {i}." for i in range(len(steps))], "answer": answer,
              "scores": {"prm": scores}}
    record.update(list(checks.values())[-1])
    record["checks"] = checks
    return record


def records(questions=60, chains=10, seed=0, first=0, skip=0.0, unchecked=0.0):
    """The chains of questions first .. first + questions - 1, which depend on the seed and their number."""
    options = argparse.Namespace(skip=skip, unchecked=unchecked)
    for q in range(first, first + questions):
        rng = random.Random(f"{seed}/{q}")
        hardness = rng.uniform(0.02, 0.35)
        for i in range(chains):
            yield chain(rng, f"q{q}", i, hardness, options)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    for name, kind, default in (("questions", int, 60), ("chains", int, 10), ("seed", int, 0), ("first", int, 0),
                                ("skip", float, 0.0), ("unchecked", float, 0.0)):
        parser.add_argument("--" + name, type=kind, default=default)
    for record in records(**vars(parser.parse_args())):
        print(json.dumps(record))


if __name__ == "__main__":
    main()
