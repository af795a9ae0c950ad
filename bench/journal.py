#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a call takes in a journal: bytes of the file, and processor time to write and to replay it.

    bench/journal.py PROGRAM [--before OTHER_PROGRAM] [--chains 300] [--rounds 5]

Methods check generated chains of two steps, and where there is recorded data (RDV_SHARED, or ../shared/data beside the project) the first 60
traces of each task of BIG-Bench Mistake, with a server whose replies are scripted. A round runs every program once for every method, so the
programs stand beside each other. Processor times are medians, and of the whole command.
"""
import argparse
import json
import os
import resource
import sqlite3
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
os.environ.setdefault("RDV_SOURCE", str(ROOT))
sys.path.insert(0, str(ROOT / "tests/integration"))
from scripted import SOLVE, Server  # noqa: E402

METHODS = ("direct-trace", "direct-step", "cot-step", "math", "global", "selfcheck")
RULES = SOLVE + [{"contains": "", "reply": "No."}]
TASKS = ("dyck_languages", "logical_deduction", "multistep_arithmetic", "tracking_shuffled_objects", "word_sorting")
TRACES = 60  # of a task


def generated(n):
    """Chains of two steps."""
    return [{"id": f"c{i}", "question": f"What is {i} + 3, plus 5 more apples that Ann bought?",
             "steps": [f"{i} + 3 = {i + 3}.", f"{i + 3} + 5 = {i + 8}, so the answer is {i + 8}."]} for i in range(n)]


def recorded():
    """Traces of BIG-Bench Mistake; none where there is no recorded data."""
    folder = Path(os.environ.get("RDV_SHARED", ROOT.parent / "shared/data")) / "big-bench-mistake"
    if not folder.is_dir():
        return []
    traces = [(task, i, json.loads(line)) for task in TASKS
              for i, line in enumerate((folder / f"{task}.jsonl").read_text(encoding="utf-8").splitlines()[:TRACES])]
    return [{"id": f"{task}{i}", "question": trace["input"], "steps": trace["steps"]} for task, i, trace in traces]


def seconds(command):
    """Processor time of a command."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


def run(program, method, chains, folder, url):
    """Bytes a call, and microseconds of processor time a call: asked, and replayed."""
    journal = os.path.join(folder, "journal")
    command = [program, "check", "-q", "-m", method, chains]
    asked = seconds([*command, "-M", url, "--journal", journal])
    replayed = seconds([*command, "-M", f"transcript:{journal}"])
    base = sqlite3.connect(journal)
    calls = base.execute("SELECT count(*) FROM responses").fetchone()[0]
    base.close()
    size = os.path.getsize(journal)
    os.unlink(journal)
    return calls, size / calls, 1e6 * asked / calls, 1e6 * replayed / calls


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--before")
    parser.add_argument("--chains", type=int, default=300)
    parser.add_argument("--rounds", type=int, default=5)
    args = parser.parse_args()
    programs = [("now", args.program)] + ([("before", args.before)] if args.before else [])
    found = {}
    with tempfile.TemporaryDirectory() as folder, Server(rules=RULES) as server:
        files = {name: os.path.join(folder, name) for name in ("two steps", "BIG-Bench Mistake")}
        Path(files["two steps"]).write_text("".join(json.dumps(c) + "\n" for c in generated(args.chains)), encoding="utf-8")
        Path(files["BIG-Bench Mistake"]).write_text("".join(json.dumps(c) + "\n" for c in recorded()), encoding="utf-8")
        cases = [(m, "two steps") for m in METHODS] + ([("direct-trace", "BIG-Bench Mistake")] if recorded() else [])
        for _ in range(args.rounds):
            for method, name in cases:
                for which, program in programs:
                    found.setdefault((method, name, which), []).append(run(program, method, files[name], folder, server.url))
    print(f"{args.rounds} rounds; load {os.getloadavg()[0]:.1f}; {os.cpu_count()} processors\n")
    print("| method | chains | program | calls | bytes a call | us a call, asked | us a call, replayed |\n| --- | --- | --- | --- | --- | --- | --- |")
    for (method, name, which), rows in found.items():
        middle = [statistics.median(column) for column in zip(*rows)]
        print(f"| `{method}` | {name} | {which} | {middle[0]:.0f} | {middle[1]:.0f} | {middle[2]:.0f} | {middle[3]:.0f} |")


if __name__ == "__main__":
    main()
