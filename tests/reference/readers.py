#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How the readers of conclusions read texts whose meaning is known.

    tests/reference/readers.py READER [--write | --show READER-NAME]

READER is the program reply_reader. A false support is a text that endorses nothing and is read as an
endorsement; a missed one is a text that endorses and is not read so. Fails when a reader has more than
1 % of the one or 2 % of the other, in the texts that it was written on or in those kept apart."""
import collections
import json
import pathlib
import subprocess
import sys

import reader_texts

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs/measured/readers.md"
REAL = ROOT / "tests/golden/replies-smollm2.jsonl"
FALSE_SUPPORTS, MISSED = 0.01, 0.02


def read_all(reader, cases):
    asked = "".join(json.dumps({k: c[k] for k in ("as", "reply", "steps")}) + "\n" for c in cases)
    done = subprocess.run([reader], input=asked, capture_output=True, text=True, check=True)
    return [line.split("\t") for line in done.stdout.splitlines()]


def endorses(reader, said):
    """A location says that all steps before it hold."""
    return said not in ("?",) if reader == "location" else said == "right"


def is_false(case, said):
    if "not" in case:  # what is said behind it is a location, too
        return said == case["not"]
    return case["want"] is None and endorses(case["as"], said)


def is_missed(case, said):
    return case["want"] is not None and said != case["want"]


def real():
    """Replies of SmolLM2-135M-Instruct (Apache-2.0) to the project's prompts, labelled by hand."""
    for line in REAL.read_text(encoding="utf-8").splitlines() if REAL.exists() else ():
        c = json.loads(line)
        yield {"kind": "real", "unseen": reader_texts.apart(c["reply"], c["as"]), "steps": 5, **c}


class Count:
    def __init__(self):
        self.texts = self.false = self.others = self.missed = self.endorsing = 0

    def add(self, case, said):
        self.texts += 1
        self.others += case["want"] is None
        self.endorsing += case["want"] is not None
        self.false += is_false(case, said)
        self.missed += is_missed(case, said)

    def row(self):
        return (f"{self.texts} | {self.false} of {self.others} ({share(self.false, self.others)}) | "
                f"{self.missed} of {self.endorsing} ({share(self.missed, self.endorsing)})")

    def holds(self):
        return self.false <= FALSE_SUPPORTS * self.others and self.missed <= MISSED * self.endorsing


def share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def table(counts):
    lines = ["| reader | texts | false supports | missed | texts kept apart | false supports | missed |",
             "|---|--:|--:|--:|--:|--:|--:|"]
    for reader in reader_texts.READERS:
        lines.append(f"| {reader} | {counts[reader, False].row()} | {counts[reader, True].row()} |")
    return "\n".join(lines)


def main():
    cases = reader_texts.texts() + list(real())
    counts = collections.defaultdict(Count)
    show = sys.argv[sys.argv.index("--show") + 1:] if "--show" in sys.argv else []
    for case, said in zip(cases, read_all(sys.argv[1], cases)):
        counts[case["as"], case["unseen"]].add(case, said[0])
        if case["as"] in show and not case["unseen"] and (is_false(case, said[0]) or is_missed(case, said[0])):
            print(said[0], case["want"], case["kind"], json.dumps(case["reply"], ensure_ascii=False))
    print(table(counts))
    few = [reader for reader in reader_texts.READERS
           if counts[reader, False].texts + counts[reader, True].texts < 500]
    bad = [f"{reader}{', kept apart' if unseen else ''}" for (reader, unseen), c in counts.items()
           if not c.holds()]
    for name in bad:
        print(f"{name}: more false supports or missed endorsements than may be")
    for name in few:
        print(f"{name}: fewer than 500 texts")
    return 1 if bad or few else 0


if __name__ == "__main__":
    sys.exit(main())
