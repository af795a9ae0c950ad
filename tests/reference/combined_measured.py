#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of scorers fitted together in docs/measured/votes.md, from the program on the recorded pools.

    combined_measured.py REDERIVE [--dev] [POOL]... > tables.md

A third of each pool's questions, those whose text has a SHA-256 divisible by 3, is kept aside. What is fitted is
fitted on the other questions and reported on the third (--fit). With --dev nothing of the third is read: the other
questions are reported by five folds (--split 5), which is what the features were chosen with."""
import hashlib
import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from votes_measured import DATA, POOLS, SCORES, SETS, golds_of_math, lines_of, percent, plain  # noqa: E402

HIRT = DATA / "cot-uq-hirt/Results_Analysis/Data/CoT/raw"
QWEN = DATA / "qwen25-math-rm"


def is_aside(question):
    return int(hashlib.sha256(plain(question).encode()).hexdigest(), 16) % 3 == 0


def write(path, rows):
    with open(path, "w", encoding="utf-8") as file:
        for row in rows:
            print(json.dumps(row), file=file)
    return path


def parts(name, rows, question, folder):
    """The rows to develop on, and those kept aside, as two files."""
    kept = {True: [], False: []}
    for row in rows:
        kept[is_aside(question(row))].append(row)
    return [write(Path(folder) / f"{name}-{part}.jsonl", kept[part == "aside"]) for part in ("dev", "aside")]


def strict_rows(name):
    golds = golds_of_math() if name == "math500" else {}
    for row in lines_of(POOLS / f"{name}_full_500.jsonl.gz"):
        for candidate in row["candidates"]:
            problem = candidate["problem"]
            problem["ground_truth"] = golds.get(plain(problem["question"]), problem["ground_truth"])
        yield row


def hirt_rows():
    """Five runs of one model over the same questions; the recorded confidences become scores of the whole chain."""
    kinds = {"probas-mean": "probas_mean", "p-true-allsteps": "p_true", "self-probing-allsteps": "self_probing"}
    for run in range(5):
        folder = HIRT / f"run_{run}/llama3-1_8B/gsm8k"
        by_kind = {}
        for kind, name in kinds.items():
            path = next(folder.glob(f"confidences/output_v1_{kind}.jsonl*"))
            for row in lines_of(path):
                by_kind.setdefault(plain(row["question"]), {})[name] = row["confidence"]
        for row in lines_of(folder / "output_v1_w_labels.jsonl.gz"):
            scores = {name: [value] for name, value in by_kind.get(plain(row["question"]), {}).items() if value is not None}
            steps = [line for line in row["llm response"].splitlines() if line.strip()]
            if scores and steps:
                yield {"question": row["question"], "id": f"{row['id']}/{run}", "steps": steps, "answer": row["llm answer"],
                       "gold": f"{row['correct answer']:g}", "scores": scores}


def pool(name, folder):
    options = []
    if name in SETS:
        rows, question = strict_rows(name), lambda row: row["candidates"][0]["problem"]["question"]
        scorers = [f"scores:{s}" for s in SETS[name]]
        for scorer in SETS[name]:
            options += ["--join", SCORES / f"{scorer}_{name}.jsonl.gz"]
    elif name == "cot-uq-hirt":
        rows, question = list(hirt_rows()), lambda row: row["question"]
        scorers = [f"scores:{s}" for s in ("probas_mean", "p_true", "self_probing")]
    else:
        rows = [row for path in sorted(QWEN.rglob("*.jsonl*")) for row in lines_of(path)]
        question, scorers = lambda row: row["question"], ["scores:reward"]
    dev, aside = parts(name, rows, question, folder)
    return dev, aside, options, scorers


def main():
    dev_only = "--dev" in sys.argv
    names = [word for word in sys.argv[2:] if not word.startswith("-")]
    for name in (*SETS, "qwen25-math-rm", "cot-uq-hirt"):
        if names and name not in names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            dev, aside, options, scorers = pool(name, folder)
            for answers, more in (("given", []), ("read", []), ("read", ["majority", "length"])):
                part = ["--split", "5", dev] if dev_only else ["--fit", dev, aside]
                done = subprocess.run(
                    [sys.argv[1], "eval", "--json", "-q", "--answer-source", answers, "--scorers", ",".join(scorers + more), *options, *part],
                    stdout=subprocess.PIPE, check=True)
                out = json.loads(done.stdout)
                fitted = out["fits"][-1]
                print(f"### {name}, answers {answers}, {'five folds of the other questions' if dev_only else 'the third kept aside'}\n")
                print(f"Reported on {out['n_questions']} questions; "
                      f"{fitted['n_chains']} chains of {fitted['n_questions']} questions "
                      f"with right and wrong answers to fit on. Fitted together: {', '.join(scorers + more)}.\n")
                print("| scorer | best of N | best - majority | weighted | weighted - majority |")
                print("| --- | --- | --- | --- | --- |")
                for row in out["scorers"]:
                    how = f" {row['aggregate']}" if row.get("aggregate") else ""
                    plain_row = row["scorer"] == "majority"
                    best = ["", ""] if plain_row else [percent(row["accuracy.best"]), percent(row["gain.best"], True)]
                    gain = "" if plain_row else percent(row["gain.weighted"], True)
                    print(f"| {row['scorer']}{how} | " + " | ".join([*best, percent(row["accuracy.weighted"]), gain]) + " |")
                print(flush=True)


if __name__ == "__main__":
    main()
