#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No step, solution, question or answer takes more than linear time, whatever it repeats.

    growth.py PROGRAM [--show]        PROGRAM: built from growth.c

Counts instructions with valgrind, which other work on the machine does not change: a text that is four times as long may take LIMIT times
as many. Where a search goes on to the end of the text at each place, it takes up to sixteen times as many. Reading a record, grading an
answer, and each method that needs no model are counted apart, in each place and with each pattern of repeated_patterns.h.
--show prints the largest.
"""
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

SHORT, LONG = 2000, 8000  # characters
LIMIT = 5.2               # of LONG, times SHORT; 5.1 is measured: words near an equality are looked for up to some hundred characters away
LITTLE = 250              # instructions a character, below which the counting itself is a part of what is counted
# Instructions a character at most. An equality that looks wrong has every reason looked for why it may be right.
MOST, MOST_WRONG = 20_000, 300_000
WRONG = ("=3", "is 3")
MOST_OF = {"\\xe2\\x89\\x88 1 ": 2500}
PATTERNS = Path(__file__).parent.parent / "repeated_patterns.h"


def counted(program):
    """Instructions by (what, place, pattern, size), without those of what comes before."""
    with tempfile.TemporaryFile("w+") as said:
        command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", program, str(SHORT), str(LONG)]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=said, text=True, check=False)
        said.seek(0)
        text = said.read()
    if done.returncode != 0:
        sys.exit(f"growth: exit status {done.returncode}\n{text[-2000:]}")
    executed = {found[1]: int(found[2].replace(",", "")) for found in re.finditer(r"==(\d+)== I\s+refs:\s+([\d,]+)", text)}
    patterns = re.findall(r'^    "((?:[^"\\]|\\.)*)",$', PATTERNS.read_text(), re.M)
    result, nothing, read = {}, 0, 0
    for line in done.stdout.splitlines():
        process, what, place, pattern, size = line.split("\t")
        here = executed[process]
        if what == "nothing":
            nothing = here
            continue
        own = what in ("read", "grade")
        if what == "read":
            read = here
        result[what, place, patterns[int(pattern)], int(size)] = here - (nothing if own else read)
    return result


def faults(counts):
    """What grows too fast or takes too much, a line each."""
    for (what, place, pattern, size), long in counts.items():
        if size != LONG or long < LITTLE * LONG:
            continue
        name = f'{what}, "{pattern}" as {place}'
        times, most = long / counts[what, place, pattern, SHORT], MOST_WRONG if any(wrong in pattern for wrong in WRONG) else MOST
        if times > LIMIT:
            yield f"{name}: {LONG // SHORT} times the text takes {times:.1f} times as many instructions"
        if long > most * LONG:
            yield f"{name}: {long // LONG} instructions a character, more than {most}"
    for pattern, most in MOST_OF.items():
        both = sum(counts[what, "step", pattern, LONG] for what in ("read", "calculations")) // LONG
        if both > most:
            yield f'"{pattern}" as a step, read and checked: {both} instructions a character, more than {most}'


def show(counts):
    rows = [(long / LONG, long / counts[what, place, pattern, SHORT], f'{what}, "{pattern}" as {place}')
            for (what, place, pattern, size), long in counts.items() if size == LONG and long >= LITTLE * LONG]
    for title, by in (("instructions a character", 0), (f"times as many for {LONG // SHORT} times the text", 1)):
        print(title)
        for row in sorted(rows, key=lambda row: -row[by])[:20]:
            print(f"  {row[by]:10.2f}  {row[2]}")


def main():
    if not shutil.which("valgrind"):
        print("growth: skipped: there is no valgrind to count instructions with")
        return 77
    counts = counted(sys.argv[1])
    if "--show" in sys.argv:
        show(counts)
    found = list(faults(counts))
    print("\n".join(found) or f"growth: {len(counts) // 2} pairs, none grows too fast")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
