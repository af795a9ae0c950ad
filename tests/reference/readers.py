#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How the readers of conclusions read texts whose meaning is known.

    RDV_SHARED=../shared/data tests/reference/readers.py READER [--show READER-NAME ...]

READER is the program reply_reader. A false support is a text that endorses nothing and is read as an
endorsement; a missed one is a text that endorses and is not read so. Fails when a reader has more than
1 % of the one or 3 % of the other, in the texts that it was written on or in those kept apart."""
import collections
import hashlib
import json
import os
import pathlib
import subprocess
import sys

import reader_boxes
import reader_texts

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("RDV_SHARED", ROOT / "../shared/data"))
# Labelled by hand: written by one who had not seen the rules, written by one who had, and replies of
# SmolLM2-135M-Instruct (Apache-2.0) to the project's prompts.
BY_HAND = {"written": ROOT / "tests/golden/replies-written.jsonl",
           "adversarial": ROOT / "tests/golden/replies-adversarial.jsonl",
           "real": ROOT / "tests/golden/replies-smollm2.jsonl"}
READERS = reader_texts.READERS + ["box"]
FALSE_SUPPORTS, MISSED = 0.01, 0.03
# What the paper's profile reads of all texts without recorded ones: it follows the papers, and stays.
PAPER = "5df0ecbbd288c2d75c0cd6377b19b39939f300e7c480027da8d4925e5d4f787a"


def read_all(reader, cases):
    asked = "".join(json.dumps({k: c[k] for k in ("as", "reply", "steps")}) + "\n" for c in cases)
    done = subprocess.run([reader], input=asked, capture_output=True, text=True, check=True)
    return [line.split("\t") for line in done.stdout.splitlines()]


def endorses(reader, said):
    """A location says that all steps before it hold."""
    return said != "?" if reader in ("location", "box") else said == "right"


def is_endorsement(case):
    return case["want"] not in (None, "wrong")


def is_false(case, said):
    if "not" in case:  # what is said behind it is a location, too
        return said == case["not"]
    return not is_endorsement(case) and endorses(case["as"], said)


def is_missed(case, said):
    return is_endorsement(case) and said != case["want"]


def by_hand():
    """A third is kept apart, by a hash of the reply."""
    for source, path in BY_HAND.items():
        for line in path.read_text(encoding="utf-8").splitlines():
            c = json.loads(line)
            unseen = hashlib.sha256(c["reply"].encode()).digest()[0] % 3 == 0
            yield {"kind": source, "unseen": unseen, "steps": 5, **c}


class Count:
    def __init__(self):
        self.texts = self.false = self.others = self.missed = self.endorsing = 0
        self.accusing = self.accused = 0

    def add(self, case, said):
        self.texts += 1
        self.others += not is_endorsement(case)
        self.endorsing += is_endorsement(case)
        self.accusing += case["want"] == "wrong"
        self.accused += case["want"] == said == "wrong"
        self.false += is_false(case, said)
        self.missed += is_missed(case, said)

    def row(self):
        return (f"{self.texts} | {self.false} of {self.others} ({share(self.false, self.others)}) | "
                f"{self.missed} of {self.endorsing} ({share(self.missed, self.endorsing)})")

    def holds(self):
        return self.false <= FALSE_SUPPORTS * self.others and self.missed <= MISSED * self.endorsing


def share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


HEAD = "texts | false supports | missed"


def table(counts):
    lines = [f"| reader | {HEAD} | texts kept apart | false supports | missed |", "|---|" + "--:|" * 6]
    for reader in READERS:
        lines.append(f"| {reader} | {counts[reader, False].row()} | {counts[reader, True].row()} |")
    return "\n".join(lines)


def table_by_hand(counts):
    lines = [f"| labelled by hand | part | {HEAD} | contradictions read |", "|---|---|" + "--:|" * 4]
    for source in BY_HAND:
        for unseen in (False, True):
            c = counts[source, unseen]
            lines.append(f"| {source} | {'kept apart' if unseen else 'seen'} | {c.row()} "
                         f"| {c.accused} of {c.accusing} |")
    return "\n".join(lines)


def main():
    cases = reader_texts.texts() + reader_boxes.texts(SHARED) + list(by_hand())
    counts = collections.defaultdict(Count)
    kinds = collections.defaultdict(Count)
    show = sys.argv[sys.argv.index("--show") + 1:] if "--show" in sys.argv else []
    read = read_all(sys.argv[1], cases)
    for case, said in zip(cases, read):
        counts[case["as"], case["unseen"]].add(case, said[0])
        kinds[case["kind"], case["unseen"]].add(case, said[0])
        if {case["as"], case["kind"]} & set(show) and not case["unseen"] and \
                (is_false(case, said[0]) or is_missed(case, said[0])):
            print(said[0], case["want"], case["as"], case["kind"], json.dumps(case["reply"], ensure_ascii=False))
    print(table(counts), table_by_hand(kinds), sep="\n\n")
    paper = hashlib.sha256()
    for case, said in zip(cases, read):
        if not case["kind"].startswith("recorded"):
            paper.update(f'{case["as"]}\t{case["reply"]}\t{said[1].strip()}\n'.encode())
    few = [reader for reader in READERS
           if counts[reader, False].texts + counts[reader, True].texts < 500]
    bad = [f"{reader}{', kept apart' if unseen else ''}" for (reader, unseen), c in counts.items()
           if not c.holds()]
    for name in bad:
        print(f"{name}: more false supports or missed endorsements than may be")
    for name in few:
        print(f"{name}: fewer than 500 texts")
    if paper.hexdigest() != PAPER:
        print(f"the profile paper reads otherwise than before: {paper.hexdigest()}")
    return 1 if bad or few or paper.hexdigest() != PAPER else 0


if __name__ == "__main__":
    sys.exit(main())
