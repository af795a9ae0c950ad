#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A chain is checked, and a checked one graded, at no more than MOST instructions a byte, and its reply is read once by each.

    cost.py PROGRAM [--show]        PROGRAM: rederive

Counts with valgrind, which other work on the machine does not change, on the solutions of bench/make_text.py. Those of one run are taken
from those of a run with twice the chains, so the start of the program is no part. --show prints the counts.
"""
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

CHAINS = 60
MOST = {"check": 588, "eval": 129}  # instructions a byte of the records that are read; 511 and 112 are measured, with gcc -O2
READER = "answer_read_steps"
SOLUTIONS = Path(__file__).parents[2] / "bench" / "make_text.py"


def records(n):
    """A record a line: a solution and the sentence that announces its answer."""
    text = subprocess.run([sys.executable, SOLUTIONS, "--kilobytes", str(n)], capture_output=True, text=True, check=True).stdout
    solutions = [part.splitlines() for part in text.split("\n\n") if part.strip()]
    lines = []
    for i, steps in enumerate(solutions[:n]):
        steps = [step for step in steps if step.strip()] + [f"So the answer is {i + 7}."]
        lines.append(json.dumps({"question": f"How many pages are there on day {i}?", "gold": str(i + 7), "steps": steps}) + "\n")
    assert len(lines) == n, f"{len(lines)} solutions in {n} kB"
    return "".join(lines)


def counted(command, folder):
    """All instructions, and how often the reader of replies was called."""
    counts = folder / "counts"
    run = ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}", *command]
    alone = {**os.environ, "MALLOC_PERTURB_": "0"}  # what the tests' runner sets to fill memory costs instructions
    done = subprocess.run(run, capture_output=True, text=True, check=False, env=alone)
    if done.returncode != 0:
        sys.exit(f"cost: exit status {done.returncode} of {' '.join(map(str, command))}\n{done.stderr[-2000:]}")
    text = counts.read_text()
    named = re.search(rf"^c?fn=(\(\d+\)) {READER}(?:\.\w+)*$", text, re.M)  # a number stands for a name from its first place on
    if not named:
        sys.exit(f"cost: {READER}() is no function of the program: name the one that reads a reply")
    calls = re.findall(rf"^cfn={re.escape(named[1])}.*\ncalls=(\d+)", text, re.M)
    return int(re.search(r"^(?:summary|totals): (\d+)", text, re.M)[1]), sum(map(int, calls))


def measured(program, folder):
    """By command: instructions a byte, and how often it reads the reply of a chain."""
    costs, reads, sizes = {"check": [], "eval": []}, {}, {"check": [], "eval": []}
    chains, checked = folder / "chains.jsonl", folder / "checked.jsonl"
    for n in (CHAINS, 2 * CHAINS):
        chains.write_text(records(n))
        for command, file, words in (("check", chains, ["-o", checked]), ("eval", checked, [])):
            cost, reads[command] = counted([program, command, "-q", "--threads", "1", *words, file], folder)
            costs[command].append(cost)
            sizes[command].append(file.stat().st_size)
        checked.unlink()
    a_byte = {command: (cost[1] - cost[0]) / (sizes[command][1] - sizes[command][0]) for command, cost in costs.items()}
    return a_byte, {command: times / (2 * CHAINS) for command, times in reads.items()}


def main():
    if not shutil.which("valgrind"):
        print("cost: skipped: there is no valgrind to count instructions with")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        costs, reads = measured(sys.argv[1], Path(folder))
    if "--show" in sys.argv:
        print(f"instructions a byte: { {command: round(cost) for command, cost in costs.items()} }; replies read a chain: {reads}")
    faults = [f"{command} reads a chain's reply {times:g} times, not once" for command, times in reads.items() if times != 1]
    faults += [f"{command} takes {cost:.0f} instructions a byte, more than {MOST[command]}"
               for command, cost in costs.items() if cost > MOST[command]]
    print("\n".join(faults) or "cost: each reply is read once, and no chain costs more than it did")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
