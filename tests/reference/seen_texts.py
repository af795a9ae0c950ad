#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Of the calculations that a person sees in texts of five kinds, how many are read and decided.

    seen_texts.py [--show N]    N calculations of each kind that are not (10)

The texts are seen_texts.txt: 40 of each kind (word problems, physics, finance, German, Chinese), each calculation marked by hand.
One is read if a calculation that the program decides overlaps it. Exits with 1 if less than 85 % of a kind are read, or one is called
wrong: all are right. RDV_PROGRAM is the program."""

import argparse
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from pathlib import Path

PROGRAM = os.environ.get("RDV_PROGRAM", "build/rederive")
LEAST = 0.85


def texts():
    """(kind, text, [(begin, end) in bytes of each calculation]) of each line."""
    for line in (Path(__file__).parent / "seen_texts.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            continue
        kind, marked = line.split("|", 1)
        text, spans = b"", []
        for part in re.split("(«[^»]*»)", marked):
            alone = part.strip("«»").encode()
            if part.startswith("«"):
                spans.append((len(text), len(text) + len(alone)))
            text += alone
        yield kind, text, spans


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--show", type=int, default=10)
    args = parser.parse_args()
    cases = list(texts())
    lines = b"".join(json.dumps({"question": "?", "steps": [text.decode()]}).encode() + b"\n" for _, text, _ in cases)
    done = subprocess.run([PROGRAM, "check", "--json", "--quiet"], input=lines, stdout=subprocess.PIPE, check=False)
    seen, read, missed, wrong = defaultdict(int), defaultdict(int), defaultdict(list), []
    for (kind, text, spans), line in zip(cases, done.stdout.splitlines(), strict=True):
        found = (json.loads(line)["verdicts"][0].get("evidence") or {}).get("calculations") or []
        wrong += [text.decode() for c in found if c["outcome"] == "wrong"]
        for begin, end in spans:
            seen[kind] += 1
            said = [c["outcome"] for c in found if c["start"] < end and begin < c["end"]]
            if any(outcome != "undecided" for outcome in said):
                read[kind] += 1
            else:
                missed[kind].append(("undecided: " if said else "not read: ") + text[begin:end].decode() + "   in " + text.decode())
    for kind in seen:
        print(f"{kind:8} {read[kind]:3} of {seen[kind]:3} read  {100 * read[kind] / seen[kind]:.1f} %")
        for text in missed[kind][:args.show]:
            print("    " + text)
    print(f"all      {sum(read.values()):3} of {sum(seen.values()):3} read  {100 * sum(read.values()) / sum(seen.values()):.1f} %")
    for text in wrong:
        print("called wrong: " + text)
    return bool(wrong) or any(read[kind] < LEAST * seen[kind] for kind in seen)


if __name__ == "__main__":
    sys.exit(main())
