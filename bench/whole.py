#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole commands on a file of chains, beside other programs that read the same file.

    bench/whole.py PROGRAM CHAINS.jsonl [--rounds 5] [--threads 1,2] [--before OTHER_PROGRAM]

Prints, for each command, the median over the rounds of processor time (user and system), of time by the clock, and of the
processor time divided by that of `jq -c .` in the same round. A round runs every command once, one after the other, so a ratio
compares runs that stand beside each other; times by the clock mean something on an idle machine only. Output goes to /dev/null.
"""
import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

LOADS = "import json, sys\nfor line in open(sys.argv[1], 'rb'): json.loads(line)"


def run(command):
    """Processor and clock seconds of one run."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with open(os.devnull, "w", encoding="ascii") as nowhere:
        done = subprocess.run(command, stdout=nowhere, stderr=nowhere, check=False)
    after, ended = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, ended - began


def commands(args, checked):
    """What is run, by its name in the table."""
    rows = {}
    if shutil.which("jq"):
        rows["jq -c ."] = ["jq", "-c", ".", args.chains]
    rows["Python's json.loads, each line"] = [sys.executable, "-c", LOADS, args.chains]
    programs = {"": args.program, **({", before": args.before} if args.before else {})}
    for which, program in programs.items():
        for threads in (args.threads.split(",") if not which else [""]):
            words = ["--threads", threads] if threads else []
            name = f", {threads} threads" if threads else ""
            rows[f"check -q{name}{which}"] = [program, "check", "-q", args.chains, *words]
            rows[f"eval -q of the checked{name}{which}"] = [program, "eval", "-q", checked, *words]
            rows[f"vote -q of the checked{name}{which}"] = [program, "vote", "-q", checked, *words]
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("chains")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--before")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        checked = os.path.join(folder, "checked.jsonl")
        subprocess.run([args.program, "check", "-q", args.chains, "-o", checked], check=False)
        rows = commands(args, checked)
        taken = {name: [] for name in rows}
        for _ in range(args.rounds):
            for name, command in rows.items():
                taken[name].append(run(command))
    print(f"{args.chains}: {os.path.getsize(args.chains) / 1e6:.2f} MB; {args.rounds} rounds; "
          f"load {os.getloadavg()[0]:.1f}; {os.cpu_count()} processors\n")
    print("| command | processor time, s | by the clock, s | times `jq -c .` |\n| --- | --- | --- | --- |")
    for name, times in taken.items():
        ratios = [mine[0] / jq[0] for mine, jq in zip(times, taken.get("jq -c .", []))]
        ratio = f"{statistics.median(ratios):.2f}" if ratios else "–"
        print(f"| `{name}` | {statistics.median(t[0] for t in times):.2f} | {statistics.median(t[1] for t in times):.2f} | {ratio} |")


if __name__ == "__main__":
    main()
