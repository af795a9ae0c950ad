#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole commands on a file of chains, beside other programs that read the same file.

    bench/whole.py PROGRAM [CHAINS.jsonl] [--rounds 5] [--threads 1,2] [--before OTHER_PROGRAM]

Without CHAINS the file is every sixth of the recorded chains that the tests read (RDV_SHARED, or ../shared/data beside the project), else
the chains of our examples, repeated. Its SHA-256 is printed: figures of one sum are of one file. Prints, for each command, the median over
the rounds of processor time (user and system), of time by the clock, and of the processor time divided by that of `jq -c .` in the same
round. A round runs every command once, one after the other, so a ratio
compares runs that stand beside each other; times by the clock mean something on an idle machine only. Output goes to /dev/null.
"""
import argparse
import hashlib
import json
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PART = 6            # of the recorded chains, every so many
EXAMPLE_MB = 10     # of our examples, repeated
LOADS = "import json, sys\nfor line in open(sys.argv[1], 'rb'): json.loads(line)"


def recorded(program):
    """The recorded chains, a line each; none where there is no recorded data."""
    os.environ.setdefault("RDV_SHARED", str(ROOT.parent / "shared/data"))
    if not os.path.isdir(os.environ["RDV_SHARED"]):
        return []
    sys.path.insert(0, str(ROOT / "tests/reference"))
    import calc_sources
    import two_programs
    chains = [chain for source in calc_sources.SOURCES for chain in two_programs.chains(source, program)]
    return [json.dumps({"question": chain.question, "steps": chain.steps}) + "\n" for chain in chains[::PART]]


def examples():
    """The chains of our examples, repeated."""
    lines = [line for path in sorted(ROOT.glob("examples/**/*.jsonl")) for line in path.read_text().splitlines(True) if '"steps"' in line]
    return lines * (1 + EXAMPLE_MB * 1_000_000 // sum(map(len, lines)))


def run(command):
    """Processor and clock seconds of one run."""
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    with open(os.devnull, "w", encoding="ascii") as nowhere:
        done = subprocess.run(command, stdout=nowhere, stderr=nowhere, check=False)
    after, ended = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    if done.returncode not in (0, 1):
        sys.exit(f"{' '.join(command)}: exit status {done.returncode}")
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime, ended - began


def commands(args, checked, page):
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
            rows[f"check -q --html{name}{which}"] = [program, "check", "-q", args.chains, "--html", page, *words]
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("chains", nargs="?")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--threads", default="1,2")
    parser.add_argument("--before")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        checked = os.path.join(folder, "checked.jsonl")
        if not args.chains:
            args.chains = os.path.join(folder, "chains.jsonl")
            Path(args.chains).write_text("".join(recorded(args.program) or examples()), encoding="utf-8")
        chains = Path(args.chains).read_bytes()
        subprocess.run([args.program, "check", "-q", args.chains, "-o", checked], check=False)
        rows = commands(args, checked, os.path.join(folder, "page.html"))
        taken = {name: [] for name in rows}
        for _ in range(args.rounds):
            for name, command in rows.items():
                taken[name].append(run(command))
    print(f"{chains.count(10)} chains, {len(chains) / 1e6:.2f} MB, SHA-256 {hashlib.sha256(chains).hexdigest()[:16]}; {args.rounds} rounds; "
          f"load {os.getloadavg()[0]:.1f}; {os.cpu_count()} processors\n")
    print("| command | processor time, s | by the clock, s | times `jq -c .` |\n| --- | --- | --- | --- |")
    for name, times in taken.items():
        ratios = [mine[0] / jq[0] for mine, jq in zip(times, taken.get("jq -c .", []))]
        ratio = f"{statistics.median(ratios):.2f}" if ratios else "–"
        print(f"| `{name}` | {statistics.median(t[0] for t in times):.2f} | {statistics.median(t[1] for t in times):.2f} | {ratio} |")


if __name__ == "__main__":
    main()
