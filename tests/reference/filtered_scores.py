#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Recorded step scores of reward models before and after an exact filter: a step that is proven wrong gets
the score 0 (NS-PRM, arXiv 2608.26329, re-executes calculations in the same place).

    filtered_scores.py            votes (StrictPRMBench) and first errors (MR-GSM8K, MR-MATH)
    filtered_scores.py --unseen   the third that is kept aside (sha256 of the question, modulo 3, is 2)

A chain's score is the least of its steps'. Votes: best of N, and the answers weighted by the score; a tie
counts as the share of it that is right. First errors: the first step below 0.5, which was not tuned; F1 is
the harmonic mean of the accuracies on wrong and on right chains, as in ProcessBench. Intervals: 95 %, by a
paired bootstrap over questions. Exits with 77 where the data is not there."""

import argparse
import json
import random
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

import calc_sources
from answers_measured import SHARED, kept_aside, rows

DRAWS, SEED, THRESHOLD = 2000, 0, 0.5
POOLS = {"gsm8k": ("math_shepherd", "qwen_prm", "skywork_prm", "rlhflow_prm"), "math500": ("qwen_prm",)}


def proven_wrong(chains):
    """For each (question, steps): the set of steps that the program proves wrong."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chains.jsonl"
        path.write_text("".join(json.dumps({"question": q, "steps": steps}) + "\n" for q, steps in chains))
        return [{v["step"] for v in record["verdicts"] if v["verdict"] == "contradict"}
                for record in calc_sources.check(path)]


def filtered(scores, wrong):
    return [0.0 if i in wrong else score for i, score in enumerate(scores)]


# ---- votes ---------------------------------------------------------------------------------------

def pool(name, aside):
    """{question: candidates} of one side, each candidate with what is proven of its steps."""
    questions, chains = {}, []
    for row in rows(SHARED / f"strictprmbench/pools/bon_candidates/{name}_full_500.jsonl"):
        question = row["candidates"][0]["problem"]["question"]
        if kept_aside(question) == aside:
            questions[row["problem_id"]] = row["candidates"]
            chains += [(question, [s["text"] for s in c["steps"]]) for c in row["candidates"]]
    wrong = iter(proven_wrong(chains))
    for candidates in questions.values():
        for candidate in candidates:
            candidate["wrong"] = next(wrong)
    return questions


def best_of(candidates):
    most = max(score for score, _, _ in candidates)
    tied = [right for score, _, right in candidates if score == most]
    return sum(tied) / len(tied)


def weighted(candidates):
    weight, right = defaultdict(float), {}
    for score, answer, is_right in candidates:
        if answer is not None:
            weight[answer] += score
            right[answer] = is_right
    most = max(weight.values(), default=0)
    tied = [right[answer] for answer, w in weight.items() if w == most]
    return sum(tied) / len(tied) if tied else 0.0


def interval(before, after, figure):
    """The bootstrap's 95 % interval of the difference of a figure over paired lists."""
    rng, n, found = random.Random(SEED), len(before), []
    for _ in range(DRAWS):
        drawn = [rng.randrange(n) for _ in range(n)]
        found.append(figure([after[i] for i in drawn]) - figure([before[i] for i in drawn]))
    found.sort()
    return found[int(0.025 * DRAWS)], found[int(0.975 * DRAWS) - 1]


def line(name, before, after, figure, note=""):
    low, high = interval(before, after, figure)
    print(f"| {name} | {len(before)} | {100 * figure(before):.2f} | {100 * figure(after):.2f} | "
          f"{100 * (figure(after) - figure(before)):+.2f} [{100 * low:+.2f}, {100 * high:+.2f}] | {note} |")


def mean(values):
    return sum(values) / len(values)


def votes(aside):
    print("| pool, scores, vote | questions | before | after | difference, 95 % | |\n| --- | --- | --- | --- | --- | --- |")
    for name, models in POOLS.items():
        candidates = pool(name, aside)
        hit = sum(bool(c["wrong"]) for cs in candidates.values() for c in cs)
        total = sum(len(cs) for cs in candidates.values())
        for model in models:
            scored = {"before": defaultdict(list), "after": defaultdict(list)}
            cache = SHARED / f"strictprmbench/scores/aggregation_sweep_cache/step_scores_cache/{model}_{name}.jsonl"
            for row in rows(cache):
                if row["problem_id"] not in candidates:
                    continue
                candidate, scores = candidates[row["problem_id"]][row["candidate_index"]], row["step_scores"]
                if not scores:
                    continue
                for side, found in (("before", scores), ("after", filtered(scores, candidate["wrong"]))):
                    scored[side][row["problem_id"]].append(
                        (min(found), candidate["extracted_answer"], row["is_correct"]))
            for vote, how in (("best of N", best_of), ("weighted", weighted)):
                sides = [[how(scored[side][q]) for q in sorted(scored["before"])] for side in ("before", "after")]
                line(f"{name}, {model}, {vote}", *sides, mean, f"{hit} of {total} chains have a step proven wrong")


# ---- first errors --------------------------------------------------------------------------------

def first_below(scores):
    return next((i for i, score in enumerate(scores) if score < THRESHOLD), None)


def f1(found):
    """found: (is the chain wrong, is the location right)"""
    shares = []
    for wrong in (True, False):
        part = [right for is_wrong, right in found if is_wrong == wrong]
        shares.append(sum(part) / len(part) if part else 0.0)
    return 2 * shares[0] * shares[1] / sum(shares) if sum(shares) else 0.0


def valid(score):
    """ReasonEval has three shares: wrong, neutral, right."""
    return 1 - score[0] if isinstance(score, list) else score


def scores_of(path):
    return {str(row["id"]): [valid(s) for s in row["scores"]]
            for row in rows(SHARED / "reasoneval/eval_results" / path)}


def location_accuracy(found):
    return mean([right for _, right in found])


def locations(aside):
    """MR-GSM8K's chains here are all wrong, so there is no F1 of them: the accuracy of the location."""
    print("\n| chains, scores | chains | before | after | difference, 95 % | |\n| --- | --- | --- | --- | --- | --- |")
    ids = [str(row["id"]) for row in rows(SHARED / "reasoneval/dataset/mr-math_invalid_errors.jsonl")]
    for name, source, figure, path in (
            ("MR-GSM8K, Math-Shepherd, accuracy", "mr-gsm8k", location_accuracy, "mr-gsm8k/math-shepherd_mistral-7b_eval_results.jsonl"),
            ("MR-MATH, Math-Shepherd, F1", "reasoneval", f1,
             "mr-math_invalid_errors/math-shepherd_mistral-7b_eval_results.jsonl"),
            ("MR-MATH, ReasonEval-7B, F1", "reasoneval", f1,
             "mr-math_invalid_errors/reasoneval_mistral-7b_eval_results.jsonl")):
        scores, before, after, proven = scores_of(path), [], [], 0
        for chain in calc_sources.chains(source, aside):
            found = scores.get(chain.id if source == "mr-gsm8k" else ids[chain.record])
            if not chain.labelled or not found or len(found) != len(chain.steps):
                continue
            wrong = {c.step for c in chain.wrong()}
            proven += bool(wrong)
            for side, each in ((before, found), (after, filtered(found, wrong))):
                side.append((chain.label is not None, first_below(each) == chain.label))
        if before:
            line(name, before, after, figure, f"{proven} chains have a step proven wrong")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--unseen", action="store_true")
    args = parser.parse_args()
    if not (SHARED / "strictprmbench").is_dir():
        print(f"skipped: {SHARED} has no step scores")
        return 77
    votes(args.unseen)
    locations(args.unseen)
    return 0


if __name__ == "__main__":
    sys.exit(calc_sources.status(main))
