#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/measured/general.md: the verifier `math --math native` against labels of steps on
recorded chains, perplexity as a vote weight, and what both cost.

    general_native.py [REDERIVE] > tables.md      default: build/rederive; data: RDV_SHARED

Nothing here is fitted. A step's score is 0 when a calculation in it is wrong, else 1, and null where only
undecided ones stand in it; a label is 1 for a right step and 0 for a wrong one. Where only the first wrong
step of a chain is known, the steps behind it take no part."""
import gzip
import json
import math
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from pathlib import Path

import calc_sources

PROGRAM = sys.argv[1] if len(sys.argv) > 1 else calc_sources.PROGRAM
LABELLED = ["parc-gsm8k", "parc-math", "parc-metamathqa", "parc-orca_math", "eic-GSM8K", "eic-MathQA",
            "factool", "processbench-gsm8k", "processbench-math", "processbench-olympiadbench",
            "processbench-omnimath"]
RUNS = "cot-uq-hirt/Results_Analysis/Data/CoT/raw/run_*/llama3-1_8B/gsm8k/output_v1_w_labels.jsonl*"


def files_of(source):
    found = [str(p) for pattern in calc_sources.SOURCES[source]
             for p in sorted(calc_sources.SHARED.glob(pattern))]
    if not found:
        raise calc_sources.Missing(source)
    return found


def rederive(*args, stdin=None):
    done = subprocess.run([PROGRAM, *args], input=stdin, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(done.stderr.decode())
    return [json.loads(line) for line in done.stdout.splitlines()]


# ---- steps against labels -------------------------------------------------------------------------

def labels_of(record):
    """1, 0 or None (not known) for each step."""
    for labels in record.get("step_labels") or []:
        if labels["criterion"] == "correct":
            return [None if x is None else int(x) for x in labels["labels"]]
    n = len(record["steps"])
    if "label" not in record:
        return [None] * n
    first = record["label"]
    return [1] * n if first is None else [1] * first + [0] + [None] * (n - first - 1)


def kind_of(record, step):
    kinds = record.get("error_types")
    if kinds and step < len(kinds) and kinds[step]:
        return kinds[step] if isinstance(kinds[step], str) else kinds[step][0]
    return record.get("error_type") or "wrong step"


def pairs_of(source):
    """(label, score, kind) of every step whose label is known, and the number of chains."""
    pairs, chains = [], 0
    for record in rederive("check", "-q", "-m", "math", "--math", "native", *files_of(source)):
        if "error" in record:
            continue
        chains += 1
        for verdict, label in zip(record["verdicts"], labels_of(record)):
            if label is not None:
                kind = kind_of(record, verdict["step"]) if label == 0 else None
                pairs.append((label, verdict["score"], kind))
    return pairs, chains


def pearson(pairs):
    known = [(label, score) for label, score, _ in pairs if score is not None]
    n = len(known)
    mean_x, mean_y = (sum(p[i] for p in known) / n for i in (0, 1))
    xy = sum((x - mean_x) * (y - mean_y) for x, y in known)
    xx, yy = (sum((p[i] - m) ** 2 for p in known) for i, m in ((0, mean_x), (1, mean_y)))
    return xy / math.sqrt(xx * yy) if xx and yy else None


def share(part, whole):
    return f"{part} of {whole}, {100 * part / whole:.1f} %" if whole else "none"


def measure_source(source):
    pairs, chains = pairs_of(source)
    accused = [p for p in pairs if p[1] == 0]
    wrong = [p for p in pairs if p[0] == 0]
    r = pearson(pairs)
    found = sum(p[0] == 0 for p in accused)
    print(f"| {source} | {chains} | {len(pairs)} | {len(wrong)} | {sum(p[1] is None for p in pairs)} | "
          f"{'not to be had' if r is None else f'{r:.3f}'} | {share(found, len(accused))} | "
          f"{share(found, len(wrong))} |")
    return pairs


def measure_kinds(name, pairs):
    by_kind = defaultdict(list)
    for label, score, kind in pairs:
        if label == 0:
            by_kind[kind].append(score)
    for kind, scores in sorted(by_kind.items()):
        print(f"| {name} | {kind} | {share(sum(s == 0 for s in scores), len(scores))} |")


def measure_labels():
    print("| source | chains | labelled steps | wrong | undecided | Pearson r | precision of \"wrong\" | "
          "recall of \"wrong\" |\n| --- | --- | --- | --- | --- | --- | --- | --- |")
    kinds = defaultdict(list)
    everything = []
    for source in LABELLED:
        pairs = measure_source(source)
        everything += pairs
        kinds[source.split("-")[0]] += pairs
    found = sum(p[0] == 0 and p[1] == 0 for p in everything)
    accused = sum(p[1] == 0 for p in everything)
    print(f"| all | | {len(everything)} | {sum(p[0] == 0 for p in everything)} | "
          f"{sum(p[1] is None for p in everything)} | {pearson(everything):.3f} | "
          f"{share(found, accused)} | {share(found, sum(p[0] == 0 for p in everything))} |\n")
    print("| source | kind of error | of these steps called wrong |\n| --- | --- | --- |")
    for name in ("parc", "eic"):
        measure_kinds(name, kinds[name])
    print()


# ---- what it costs --------------------------------------------------------------------------------

def measure_cost():
    files = [f for source in LABELLED for f in files_of(source)]
    runs = []
    for _ in range(5):
        began = time.monotonic()
        chains = len(rederive("check", "-q", "-m", "math", "--math", "native", *files))
        runs.append(time.monotonic() - began)
    seconds = sorted(runs)[2]
    print(f"{chains} chains in {seconds:.2f} s, reading, writing and starting included (the middle one of five "
          f"runs): {chains / seconds:.0f} chains a second on one core.\n")


# ---- perplexity as a weight -----------------------------------------------------------------------

def opened(path):
    return gzip.open(path, "rt") if path.suffix == ".gz" else open(path, encoding="utf-8")


def log(p):
    return math.log(max(p, 1e-12))


def keyword_chain(record, run):
    """A chain whose "tokens" are those with a recorded probability: key words of each step."""
    lines = [line for line in record["llm response"].splitlines() if line.strip()]
    steps = [line.split(":", 1)[1].strip() for line in lines if line.startswith("Step ") and ":" in line]
    key = record.get("keyword token probability") or {}
    probabilities = [[log(p) for ps in key.get(f"Step {i + 1}", {}).values() for p in ps]
                     for i in range(len(steps))]
    answer = [log(p) for ps in (record.get("llm answer token probability") or {}).values() for p in ps]
    if not steps:
        return None
    probabilities[-1] += answer
    return {"id": f"{record['id']}/{run}", "question_id": record["question"],
            "question": record["question"], "answer_type": "number", "gold": str(record["correct answer"]),
            "steps": steps, "answer": str(record["llm answer"]), "logprobs": probabilities}


def pools():
    paths = sorted(calc_sources.SHARED.glob(RUNS))
    if not paths:
        raise calc_sources.Missing("cot-uq-hirt")
    questions = defaultdict(list)
    for run, path in enumerate(paths):
        with opened(path) as file:
            for line in file:
                chain = keyword_chain(json.loads(line), run)
                if chain and any(chain["logprobs"]):
                    questions[chain["question_id"]].append(chain)
    return {q: chains for q, chains in questions.items() if len(chains) == len(paths)}, len(paths)


def accuracy(results):
    values = [r["expected_correct"] for r in results if r.get("expected_correct") is not None]
    mean = sum(values) / len(values)
    spread = sum((v - mean) ** 2 for v in values) / (len(values) - 1)
    return mean, math.sqrt(spread / len(values)), values


def measure_perplexity():
    questions, runs = pools()
    text = "".join(json.dumps(c) + "\n" for chains in questions.values() for c in chains).encode()
    with tempfile.TemporaryDirectory() as folder:
        checked = Path(folder) / "checked.jsonl"
        rederive("check", "-q", "-m", "perplexity", "-o", str(checked), stdin=text)
        ways = [("majority", []), ("weighted by the score", ["-w", "confidence:perplexity"]),
                ("best score", ["-s", "best", "-w", "confidence:perplexity"]),
                ("lowest perplexity", ["-s", "perplexity"]), ("a random chain", ["-s", "random"]),
                ("majority of the 3 of lowest perplexity", ["--subset-size", "3", "--subset-by", "perplexity"]),
                ("majority of 3 random ones", ["--subset-size", "3"])]
        figures = {name: accuracy(rederive("vote", "-q", *args, str(checked))) for name, args in ways}
    print(f"{len(questions)} questions with {runs} chains each.\n")
    print("| the answer of | right | less majority |\n| --- | --- | --- |")
    base = figures["majority"][2]
    for name, (mean, se, values) in figures.items():
        gains = [a - b for a, b in zip(values, base)]
        gain = sum(gains) / len(gains)
        error = math.sqrt(sum((g - gain) ** 2 for g in gains) / (len(gains) - 1) / len(gains))
        paired = "" if name == "majority" else f"{100 * gain:+.1f} ± {100 * error:.1f}"
        print(f"| {name} | {100 * mean:.1f} ± {100 * se:.1f} % | {paired} |")


def main():
    measure_labels()
    measure_cost()
    measure_perplexity()


if __name__ == "__main__":
    try:
        main()
    except calc_sources.Missing as missing:
        print(f"{missing}: not there; set RDV_SHARED", file=sys.stderr)
        sys.exit(77)
