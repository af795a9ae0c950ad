#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Where a step of a stream ends does not depend on where its pieces end: over the recorded solutions.

    stream_steps.py PROGRAM [--mode bytes|cuts|cost|judge] [--each N]      PROGRAM: built from stream_steps.c

Each recorded text of several lines (of each source N that are drawn; 0: all) is cut into pieces: `bytes`, into single bytes, and at each
byte into two; `cuts`, the default, into single bytes and pieces of up to 4, 16, 64 and 256. The steps are compared with those of the text
that comes whole. Prints also how many texts have the steps of rdv_split_steps(), of which nearly all must, and how many are held to the
end. `cost`: processor time a byte; `judge`: of each judgement of a strict stream. Exits with 77 without recorded data."""
import argparse
import gzip
import json
import os
import random
import re
import subprocess
import sys
from pathlib import Path

SHARED = Path(os.environ.get("RDV_SHARED", ""))
NO_SOLUTIONS = ("math", "mathqa", "aqua")
ASKED = ("input", "prompt", "question", "problem", "context", "passage", "options")   # parts of names of members that are no solution
SAME = 0.97    # of the texts have the steps of rdv_split_steps() at least; 0.977 of all that are recorded do
LONGEST = 60_000


def strings(value, name=""):
    """The texts of several lines in a record that may be solutions."""
    if isinstance(value, str):
        if "\n" in value and 40 <= len(value) <= LONGEST and not any(word in name.lower() for word in ASKED):
            yield value
    elif isinstance(value, (list, dict)):
        for key, each in value.items() if isinstance(value, dict) else ((name, each) for each in value):
            yield from strings(each, key)


def records(path):
    """The values of a file of JSON or of lines of it."""
    with gzip.open(path, "rt", errors="replace") if path.suffix == ".gz" else open(path, errors="replace", encoding="utf-8") as file:
        text = file.read()
    for part in (text,), text.splitlines():
        try:
            return [json.loads(each) for each in part if each.strip()]
        except ValueError:
            pass
    return []


def texts(each):
    """Recorded texts, `each` of each source."""
    draw = random.Random(1)
    for folder in sorted(path for path in SHARED.iterdir() if path.is_dir() and path.name not in NO_SOLUTIONS):
        found = {text for path in sorted(folder.rglob("*.json*")) for record in records(path) for text in strings(record)}
        found = sorted(found)
        draw.shuffle(found)
        yield from found[:each or None]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--mode", default="cuts", choices=("bytes", "cuts", "cost", "judge"))
    parser.add_argument("--each", type=int, default=40)
    options = parser.parse_args()
    if not (SHARED / "processbench").is_dir():
        print("RDV_SHARED has no recorded solutions: skipped")
        return 77
    with subprocess.Popen([options.program, options.mode], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        try:
            for text in texts(options.each):
                data = text.encode("utf-8", "replace")
                program.stdin.write(b"%d\n%s" % (len(data), data))
            program.stdin.close()
        except BrokenPipeError:
            pass
        said = program.stdout.read().decode(errors="replace")
    print(said, end="")
    if program.returncode != 0:
        return 1
    n = {name: float(value) for name, value in re.findall(r"(\w+) ([\d.]+)", said)}
    if n["same"] < SAME * n["texts"]:
        print(f"fewer than {SAME:.0%} have the steps of rdv_split_steps()")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
