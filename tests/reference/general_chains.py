#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Chains with the checks of general-purpose verification's verifiers, made by chance from a seed.

    general_chains.py [--questions N] [--chains N] [--seed N]    chain records, one a line

Steps are right or wrong; a wrong one makes the answer wrong with some chance. Each verifier scores a step by a
mean of five yes or no, with error rates of its own; math only in the data set "sums". Some chains lack
a verifier, some scores are unknown, some answers unreadable; a few questions have no right answer given. Token
probabilities stand in the chain, or only in what the check by perplexity says, or nowhere. Three annotators mark
some chains, on four criteria. Python's standard library only."""

import argparse
import json
import math
import random

SAMPLES = 5
RATES = {"relevance": (0.85, 0.65), "math": (0.95, 0.55), "consistency": (0.9, 0.5)}
CRITERIA = ("relevance", "math", "consistency", "correct")


def check(method, steps, said):
    scores = [s for s in said if s is not None]
    return {"method": method, "confidence": sum(scores) / len(scores) if scores else None, "first_error": None,
            "n_unknown": said.count(None), "n_calls": SAMPLES * len(steps), "prompt_tokens": 0, "completion_tokens": 0,
            "verdicts": [{"step": i, "verdict": "unknown" if s is None else "support" if s >= 0.5 else "contradict",
                          "score": s} for i, s in enumerate(said)]}


def sampled(rng, right, rates):
    if rng.random() < 0.02:
        return None
    return sum(rng.random() < rates[0 if right else 1] for _ in range(SAMPLES)) / SAMPLES


def likely(rng, right):
    mean = 0.3 if right else 0.45
    return [-rng.expovariate(1 / mean) for _ in range(rng.randint(1, 6))]


def perplexity_check(steps, tokens):
    found = check("perplexity", steps, [math.exp(sum(t) / len(t)) for t in tokens])
    for verdict, t in zip(found["verdicts"], tokens):
        verdict["evidence"] = {"perplexity": math.exp(-sum(t) / len(t)), "logprob": sum(t), "n_tokens": len(t)}
    return found


def labels(rng, steps):
    """Three annotators, each with an ear for some errors, who now and then cannot say."""
    out = []
    for by in ("ann", "ben", "cat"):
        for of in CRITERIA:
            is_ = []
            for right in steps:
                yes = right if of == "correct" else right or rng.random() < 0.6
                is_.append(None if rng.random() < 0.05 else yes if rng.random() < 0.9 else not yes)
            out.append({"annotator": by, "criterion": of, "labels": is_})
    return out


def chain(rng, dataset, question, number, hardness):
    steps = [rng.random() > hardness for _ in range(rng.randint(1, 7))]
    wrong = not all(steps) and rng.random() < 0.8
    answer = str(rng.choice((90, 90, 91, 92))) if wrong else "100"
    if rng.random() < 0.02:
        answer = None
    record = {"id": f"{question}/{number}", "question_id": question, "question": f"Question {question}?",
              "answer_type": "number", "gold": "100", "dataset": dataset,
              "steps": [f"Step {i}." for i in range(len(steps))], "answer": answer}
    if question.endswith("7"):
        del record["gold"]
    checks = {}
    for method, rates in RATES.items():
        if (method != "math" or dataset == "sums") and rng.random() > 0.02:
            checks[method] = check(method, steps, [sampled(rng, right, rates) for right in steps])
    tokens = [likely(rng, right) for right in steps]
    where = rng.random()
    if where < 0.5:
        record["logprobs"] = tokens
    elif where < 0.95:
        checks["perplexity"] = perplexity_check(steps, tokens)
    if checks:
        record.update(list(checks.values())[-1])
        record["checks"] = checks
    if rng.random() < 0.3:
        record["step_labels"] = labels(rng, steps)
    return record


def records(questions=30, chains=12, seed=0, prefix=""):
    for dataset in ("sums", "dates"):
        for q in range(questions):
            rng = random.Random(f"{seed}/{dataset}/{q}")
            hardness = rng.uniform(0.05, 0.35)
            for i in range(chains if q % 5 else chains // 2):
                yield chain(rng, dataset, f"{prefix}{dataset}{q}", i, hardness)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    for name, default in (("questions", 30), ("chains", 12), ("seed", 0)):
        parser.add_argument("--" + name, type=int, default=default)
    for record in records(**vars(parser.parse_args())):
        print(json.dumps(record))


if __name__ == "__main__":
    main()
