#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/measured/votes.md, from the program itself on the recorded pools.

    votes_measured.py REDERIVE > tables.md

Reads the strictprmbench pools and the MATH problems under RDV_SHARED, or ../shared/data beside the project. The
right answers of the MATH-500 pool are taken from MATH, by the question's text: its own are damaged."""
import gzip
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

BESIDE = Path(__file__).resolve().parents[2] / "../shared/data"
DATA = Path(os.environ.get("RDV_SHARED", BESIDE))
POOLS = DATA / "strictprmbench/pools/bon_candidates"
SCORES = DATA / "strictprmbench/scores/aggregation_sweep_cache/step_scores_cache"
SETS = {"gsm8k": ("math_shepherd", "qwen_prm", "rlhflow_prm", "skywork_prm"), "math500": ("qwen_prm",)}
AGGREGATIONS = ("min", "product", "geometric", "mean", "last")
ANSWERS = ("given", "read")
RULES = ("certain", "posterior:0.05", "posterior:0.1")


def lines_of(path):
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def plain(text):
    return " ".join(text.split())


def golds_of_math():
    paths = [path for path in (DATA / "math/data").rglob("*.jsonl*") if "svamp" not in path.parts]
    problems = (problem for path in paths for problem in lines_of(path))
    return {plain(p["problem"]): p["answer"] for p in problems if p.get("answer") is not None}


def with_golds(path, out):
    """Write the MATH-500 pool with the right answers of MATH."""
    golds = golds_of_math()
    changed = 0
    with open(out, "w", encoding="utf-8") as file:
        for row in lines_of(path):
            for candidate in row["candidates"]:
                problem = candidate["problem"]
                gold = golds[plain(problem["question"])]
                changed += gold != problem["ground_truth"] and candidate is row["candidates"][0]
                problem["ground_truth"] = gold
            print(json.dumps(row), file=file)
    print(f"MATH-500: {changed} of the right answers differ from MATH's as texts\n")


def rederive(*args):
    done = subprocess.run([sys.argv[1], *map(str, args)], stdout=subprocess.PIPE, check=True)
    return done.stdout.decode()


def vote(*args):
    return [json.loads(line) for line in rederive("vote", "-q", *args).splitlines()]


def weighing(name, scorer, aggregation):
    return ("--join", SCORES / f"{scorer}_{name}.jsonl.gz", "-w", f"scores:{scorer}", "-a", aggregation)


def percent(figure, signed=False):
    form = "{:+.1f}" if signed else "{:.1f}"
    value, low, high = (form.format(100 * figure[k]) for k in ("value", "ci_low", "ci_high"))
    return f"{value} [{low}, {high}]"


def accuracy_tables(name, pool):
    for answers in ANSWERS:
        rows = []
        for scorer in SETS[name]:
            for aggregation in AGGREGATIONS:
                out = rederive("eval", "--json", "--answer-source", answers, *weighing(name, scorer, aggregation), pool)
                figures = json.loads(out)["figures"]
                rows.append((scorer, aggregation, figures))
        plain_figures = rows[0][2]
        print(f"### {name}, answers {answers}\n")
        print(f"{plain_figures['accuracy.majority']['n']} questions. " + ", ".join(
            f"{word} {percent(plain_figures['accuracy.' + key])}"
            for word, key in (("a chain", "chain"), ("majority", "majority"), ("any chain right", "oracle"))) + ".\n")
        print("| scorer | aggregation | weighted | best of N | weighted - majority | best - majority |")
        print("| --- | --- | --- | --- | --- | --- |")
        for scorer, aggregation, f in rows:
            print(f"| {scorer} | {aggregation} | {percent(f['accuracy.weighted'])} | {percent(f['accuracy.best'])} "
                  f"| {percent(f['gain.weighted'], True)} | {percent(f['gain.best'], True)} |")
        print(flush=True)


def accuracy(results):
    return 100 * statistics.fmean(r["expected_correct"] for r in results)


def stopping_tables(name, pool):
    weights = {"majority": ()}
    for scorer in SETS[name]:
        weights[f"{scorer} product"] = weighing(name, scorer, "product")
    weights[f"{SETS[name][-1]} min"] = weighing(name, SETS[name][-1], "min")
    print(f"### {name}\n")
    print("| answers | weights | rule | saved | answers changed | accuracy, all chains | accuracy, stopped |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for answers in ANSWERS:
        for weight, options in weights.items():
            whole = vote("--answer-source", answers, *options, pool)
            for rule in RULES:
                stopped = vote("--answer-source", answers, *options, "--stop", rule, pool)
                saved = [1 - r["n_chains_used"] / r["n_chains"] for r in stopped]
                se = statistics.stdev(saved) / len(saved) ** 0.5
                changed = sum(a["answer"] != b["answer"] for a, b in zip(whole, stopped, strict=True))
                print(f"| {answers} | {weight} | {rule} | {100 * statistics.fmean(saved):.1f} ± {100 * se:.1f} % "
                      f"| {changed} of {len(whole)} | {accuracy(whole):.1f} | {accuracy(stopped):.1f} |", flush=True)
    print()


def chains_alone(pool, answers, folder):
    """Whether each chain is right, by letting each vote alone."""
    path = Path(folder) / "alone.jsonl"
    with open(path, "w", encoding="utf-8") as file:
        for row in lines_of(Path(pool)):
            for i, candidate in enumerate(row["candidates"]):
                print(json.dumps(row | {"problem_id": f"{row['problem_id']}/{i}", "candidates": [candidate]}), file=file)
    return [r["correct"] is True for r in vote("--answer-source", answers, path)]


def reading_table(pools, folder):
    print("| pool | chains | right, given | right, read | wrong -> right | right -> wrong |")
    print("| --- | --- | --- | --- | --- | --- |")
    for name, pool in pools.items():
        given, read = (chains_alone(pool, answers, folder) for answers in ANSWERS)
        better = sum(not g and r for g, r in zip(given, read, strict=True))
        worse = sum(g and not r for g, r in zip(given, read, strict=True))
        print(f"| {name} | {len(given)} | {sum(given)} | {sum(read)} | {better} | {worse} |", flush=True)
    print()


def main():
    with tempfile.TemporaryDirectory() as folder:
        pools = {"gsm8k": POOLS / "gsm8k_full_500.jsonl.gz", "math500": Path(folder) / "math500.jsonl"}
        with_golds(POOLS / "math500_full_500.jsonl.gz", pools["math500"])
        print("## Reading\n")
        reading_table(pools, folder)
        print("## Accuracies\n")
        for name, pool in pools.items():
            accuracy_tables(name, pool)
        print("## Stopping\n")
        for name, pool in pools.items():
            stopping_tables(name, pool)


if __name__ == "__main__":
    main()
