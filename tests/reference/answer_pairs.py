#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Replies, answers and gold answers of known truth that graders meet, of tests/golden/answers/pairs*.jsonl.

    answer_pairs.py [--show]

They were written before their writers, three of them, had read a rule or the documentation of answers. `truth` says whether the reply gives
gold's answer. `known` is what the program says of a pair that it calls wrongly; of every other pair it says the truth, or
that it cannot be told. A `known` that does not hold any more is an error too, so that the file stays a list of what is left.
Program: RDV_PROGRAM, or build/rederive. Exits with 1 if a pair differs; --show lists the pairs that cannot be told."""
import argparse
import json
import os
import pathlib
import subprocess
import sys
from collections import Counter

FILES = sorted((pathlib.Path(__file__).resolve().parents[1] / "golden/answers").glob("pairs*.jsonl"))
SAID = {True: "same", False: "different", None: "cannot tell"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--show", action="store_true")
    given = parser.parse_args()
    pairs = [json.loads(line) for file in FILES for line in file.read_text(encoding="utf-8").splitlines()]
    asked = [{name: pair[name] for name in ("text", "answer", "gold", "question") if name in pair} for pair in pairs]
    done = subprocess.run([os.environ.get("RDV_PROGRAM", "build/rederive"), "grade", "-q"], capture_output=True, text=True,
                          check=True, input="".join(json.dumps(pair) + "\n" for pair in asked))
    records = [json.loads(line) for line in done.stdout.splitlines()]
    counts, bad = Counter(), len(records) != len(pairs)
    for pair, record in zip(pairs, records):
        said = SAID[record["correct"]] if "correct" in record else "an error"
        counts[f"{pair['truth']}, called {said}"] += 1
        wrong = said not in (pair["truth"], "cannot tell")
        if said != pair.get("known", said if not wrong else None) or ("known" in pair and not wrong):
            bad += 1
            print(f"{pair.get('text', pair.get('answer'))!r} for gold {pair['gold']!r}: {said}, and not {pair.get('known', pair['truth'])}")
        elif given.show and said == "cannot tell":
            print(f"    {pair.get('text', pair.get('answer'))!r} for gold {pair['gold']!r}: {record.get('reason')}")
    print(f"{len(pairs)} pairs: " + "; ".join(f"{what} {n}" for what, n in sorted(counts.items())))
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
