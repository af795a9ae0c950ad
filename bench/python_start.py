#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a start of the Python package and of its command costs, beside a bare start of Python: processor time.

  bench/python_start.py VENV [--runs N] [--most-command RATIO] [--most-module RATIO] [--most-grade RATIO]

VENV has the wheel. All take turns, so that what else the machine does counts for all. A row has the median of the runs'
processor times (user and system) and how many times that of `python -c pass` it is. Exit status 1: the command, itself or by a
link as uv and pipx make it, `python -m rederive` or the import of `grade` takes more times that than it may. The aim for the
command is Python's own start and 5 ms: 1.3 times it, where that is 14 ms."""
import argparse
import statistics
import sys
import tempfile
from pathlib import Path

from start import milliseconds


def measure(runs, rows):
    """The processor times in ms of each row's command, by turns."""
    times = {name: [] for name in rows}
    for _ in range(runs):
        for name, words in rows.items():
            times[name].append(milliseconds(words))
    return times


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("venv", type=Path)
    parser.add_argument("--runs", type=int, default=40)
    parser.add_argument("--most-command", type=float, default=1.0)
    parser.add_argument("--most-module", type=float, default=2.5)
    parser.add_argument("--most-grade", type=float, default=4.5)
    options = parser.parse_args()
    python = str(options.venv / "bin/python")
    [program] = (options.venv / "lib").glob("python3.*/site-packages/rederive_llm/rederive")
    bare, grade, module = "pass", "from rederive import grade", "python -m rederive version"
    command, linked = "rederive version", "rederive version, by a link"
    with tempfile.TemporaryDirectory() as folder:
        link = Path(folder, "rederive")
        link.symlink_to(options.venv.resolve() / "bin/rederive")
        times = measure(options.runs, {
            bare: [python, "-P", "-c", bare],
            "import rederive": [python, "-P", "-c", "import rederive"],
            grade: [python, "-P", "-c", grade],
            "import rederive.api": [python, "-P", "-c", "import rederive.api"],
            "the wheel's program, version": [str(program), "version"],
            command: [str(options.venv / "bin/rederive"), "version"],
            linked: [str(link), "version"],
            module: [python, "-P", "-m", "rederive", "version"],
        })
    ratio = {name: statistics.median(some) / statistics.median(times[bare]) for name, some in times.items()}
    print("| | ms | times `python -c pass` |\n| --- | --- | --- |")
    for name, some in times.items():
        print(f"| `{name}` | {statistics.median(some):.1f} | {ratio[name]:.2f} |")
    most = {command: options.most_command, linked: options.most_command, module: options.most_module, grade: options.most_grade}
    return 1 if any(ratio[name] > some for name, some in most.items()) else 0


if __name__ == "__main__":
    sys.exit(main())
