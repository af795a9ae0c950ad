#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Label conflicts that `rederive audit` lists in recorded data, counted by their kind: docs/measured/label-audit.md.

    audit_measured.py [--list] [--unseen]

Each source's chains are converted to Rederive's own records, and those of the two thirds at hand audited. --list prints each
conflict with its proof. --unseen audits the third that is kept aside (answers_measured.py says which), and prints counts alone."""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from answers_measured import kept_aside
from calc_sources import GSM8K, PROGRAM, SHARED

SOURCES = {
    "BIG-Bench Mistake, all five tasks": ("bbm", "big-bench-mistake/*.jsonl"),
    "ProcessBench": ("processbench", "processbench/code/dataset/*.jsonl*"),
    "PRMBench, which has PRM800K's solutions": ("prmbench", "prmbench/mr_eval/tasks/prmtest_classified/data/*.jsonl*"),
    "PARC": ("parc", "parc/datasets/*/*.jsonl*"),
    "StepVerify": ("stepverify", "stepverify/dataset/dataset.jsonl*"),
    "MR-Ben, mathematics": ("mr-ben-math", "mr-ben/data/math.jsonl*"),
    "MR-Ben, physics and chemistry": ("mr-ben-science", "mr-ben/data/[pc]h*.jsonl*"),
    "EIC": ("eic", "eic/data/generated_cases_*/*/*/*.jsonl*"),
    "GSM8K's solutions": ("gsm8k", f"{GSM8K}/t*.jsonl*"),
}
KINDS = ("earlier", "right", "missing", "step")


def run(*args):
    """The lines of standard output, and those of standard error."""
    done = subprocess.run([PROGRAM, *map(str, args)], capture_output=True, check=False)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{PROGRAM} {args[0]}: status {done.returncode}: {done.stderr.decode()[-300:]}")
    return done.stdout.decode().split("\n")[:-1], done.stderr.decode().split("\n")[:-1]


def chains_of(pattern, unseen):
    """The source's chains of one part, a line each."""
    files = sorted(SHARED.glob(pattern))
    if not files:
        raise SystemExit(f"{SHARED}/{pattern}: no data")
    return [line for line in run("convert", "--to", "jsonl", *files)[0] if kept_aside(json.loads(line)["question"]) == unseen]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--unseen", action="store_true")
    options = parser.parse_args()
    if options.list and options.unseen:
        parser.error("the third that is kept aside is counted, and not listed")
    print(f"| data | chains | {' | '.join(f'`{kind}`' for kind in KINDS)} |\n|{' --- |' * 6}")
    listed = []
    with tempfile.TemporaryDirectory() as folder:
        for name, (short, pattern) in SOURCES.items():
            chains = chains_of(pattern, options.unseen)
            path = Path(folder) / f"{short}.jsonl"
            path.write_text("".join(line + "\n" for line in chains))
            summary = json.loads(run("audit", "--json", path)[1][-1])
            print(f"| {name} | {summary['n_chains']} | {' | '.join(str(summary['n_' + kind]) for kind in KINDS)} |")
            if options.list:
                listed += run("audit", "-q", path)[0]
    for line in listed:
        print(line.replace(folder + "/", ""))
    return 0


if __name__ == "__main__":
    sys.exit(main())
