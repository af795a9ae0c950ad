#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a start of the Python package and of its command costs, beside a bare start of Python: processor time.

  bench/python_start.py VENV [--runs N] [--most-command RATIO] [--most-grade RATIO]

VENV has the wheel. All take turns, so that what else the machine does counts for all. A row has the median of the runs'
processor times (user and system) and how many times that of `python -c pass` it is. Exit status 1: the command, or the import
of `grade`, takes more times that than it may."""
import argparse
import statistics
import sys
from pathlib import Path

from start import milliseconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("venv", type=Path)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--most-command", type=float, default=2.5)
    parser.add_argument("--most-grade", type=float, default=4.5)
    options = parser.parse_args()
    python = str(options.venv / "bin/python")
    [program] = (options.venv / "lib").glob("python3.*/site-packages/rederive_llm/rederive")
    command, grade, bare = "python -m rederive version", "from rederive import grade", "pass"
    rows = {
        bare: [python, "-P", "-c", bare],
        "import rederive": [python, "-P", "-c", "import rederive"],
        grade: [python, "-P", "-c", grade],
        "import rederive.api": [python, "-P", "-c", "import rederive.api"],
        "the wheel's program, version": [str(program), "version"],
        command: [python, "-P", "-m", "rederive", "version"],
        "rederive version, pip's script": [str(options.venv / "bin/rederive"), "version"],
    }
    times = {name: [] for name in rows}
    for _ in range(options.runs):
        for name, words in rows.items():
            times[name].append(milliseconds(words))
    ratio = {name: statistics.median(some) / statistics.median(times[bare]) for name, some in times.items()}
    print("| | ms | times `python -c pass` |\n| --- | --- | --- |")
    for name, some in times.items():
        print(f"| `{name}` | {statistics.median(some):.1f} | {ratio[name]:.2f} |")
    return 1 if ratio[command] > options.most_command or ratio[grade] > options.most_grade else 0


if __name__ == "__main__":
    sys.exit(main())
