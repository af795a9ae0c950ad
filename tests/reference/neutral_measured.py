#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The weight of a chain of which a check without a model decided nothing: the tables of docs/measured/neutral-weight.md.

    neutral_measured.py REDERIVE [BEFORE] > tables.md

Checks the chains of recorded pools by `calculations`, gives those without a confidence each weight of a list, and lets
the program vote. The weight is chosen on the questions whose sha256 modulo 3 is not 2, and reported on the others.
BEFORE is a program of before, whose confidences are the row "before". Reads RDV_SHARED, or ../shared/data beside the
project."""
import json
import math
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

PROGRAM = sys.argv[1]
BEFORE = sys.argv[2] if len(sys.argv) > 2 else None
os.environ.setdefault("RDV_PROGRAM", PROGRAM)

import answers_measured
import combined_measured
from answers_measured import kept_aside

answers_measured.SAMPLES = 32
POOLS = {
    "strictprmbench GSM8K": lambda: combined_measured.strict_rows("gsm8k"),
    "strictprmbench MATH": lambda: combined_measured.strict_rows("math500"),
    "cot-uq-hirt": answers_measured.cot_uq,
    "Faithful CoT GSM8K": lambda: answers_measured.faithful("GSM8K"),
    "Faithful CoT AQuA": lambda: answers_measured.faithful("AQUA"),
    "MoT cascade GSM8K": answers_measured.cascade_gsm8k,
}
WEIGHTS = (0.1, 0.2, 0.3, 0.4, 0.45, 0.49, 0.55, 0.6, 0.7, 0.8, 0.9)


def checked(program, path):
    done = subprocess.run([program, "check", "-q", path], stdout=subprocess.PIPE, check=False)
    return [r for r in map(json.loads, done.stdout.splitlines()) if "verdicts" in r]


def slim(record, weight):
    keep = {name: record[name] for name in ("id", "question_id", "question", "gold", "answer", "options", "answer_type")
            if record.get(name) is not None}
    return {**keep, "steps": record["steps"][-1:], "method": "weights", "verdicts": [], "confidence": weight}


def voted(records, weight):
    """The chance of a right answer for each question, in order."""
    text = "".join(json.dumps(slim(r, weight(i, r))) + "\n" for i, r in enumerate(records))
    done = subprocess.run([PROGRAM, "vote", "-q", "-s", "weighted", "-w", "confidence"], input=text.encode(),
                          stdout=subprocess.PIPE, check=False)
    return [r["expected_correct"] for r in map(json.loads, done.stdout.splitlines()) if r.get("expected_correct") is not None]


def kind(record):
    kinds = [v["verdict"] for v in record["verdicts"]]
    return "contradicted" if "contradict" in kinds else "supported" if "support" in kinds else "undecided"


def plain(neutral):
    """Decided chains weigh their confidence."""
    return lambda i, r: neutral if r["confidence"] is None else r["confidence"]


def around(neutral):
    """As the program does it: a supported chain weighs more than an undecided one, a contradicted one less, whatever
    was not read."""
    def weight(i, r):
        if r["confidence"] is None:
            return neutral
        if kind(r) == "contradicted":
            return neutral * r["confidence"]
        return neutral + (1 - neutral) * r["confidence"]
    return weight


def main():
    sums = {}
    for name, rows in POOLS.items():
        try:
            rows = [dict(row) for row in rows()]
        except (OSError, StopIteration) as error:
            print(f"{name}: {error}", file=sys.stderr)
            continue
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "rows.jsonl"
            path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
            records = checked(PROGRAM, path)
            before = {r["id"]: r["confidence"] for r in checked(BEFORE, path)} if BEFORE else {}
        for part, aside in (("fitted on", False), ("reported on", True)):
            chains = [r for r in records if kept_aside(r["question"]) == aside]
            if not chains:
                continue
            kinds = [kind(r) for r in chains]
            majority = voted(chains, lambda i, r: 1)
            settings = [("before", lambda i, r: before.get(r["id"]))] if BEFORE else []
            settings += [("casts none", lambda i, r: r["confidence"])]
            settings += [(f"{w:g}", plain(w)) for w in WEIGHTS] + [(f"{w:g}, around", around(w)) for w in WEIGHTS]
            print(f"### {name}, {part}\n\n{len(majority)} questions, {len(chains)} chains: "
                  + ", ".join(f"{kinds.count(k)} {k}" for k in ("supported", "undecided", "contradicted"))
                  + f". Majority {100 * statistics.mean(majority):.2f}.\n\n| weight | right | against majority |\n| --- | --- | --- |")
            for label, weight in settings:
                right = voted(chains, weight)
                if len(right) != len(majority):
                    print(f"| {label} | {len(right)} of {len(majority)} questions | - |")
                    continue
                gains = [a - b for a, b in zip(right, majority)]
                error = statistics.stdev(gains) / math.sqrt(len(gains))
                sums.setdefault((part, label), []).append(statistics.mean(gains))
                print(f"| {label} | {100 * statistics.mean(right):.2f} | {100 * statistics.mean(gains):+.2f} ± {100 * error:.2f} |")
            print(flush=True)
    for part in ("fitted on", "reported on"):
        print(f"### Mean of all pools, {part}\n\n| weight | against majority |\n| --- | --- |")
        for (of, label), gains in sums.items():
            if of == part:
                print(f"| {label} | {100 * statistics.mean(gains):+.3f} |")
        print()


if __name__ == "__main__":
    main()
