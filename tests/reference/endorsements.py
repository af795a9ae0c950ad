#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Do replies that endorse nothing support nothing, and are endorsements read?

    endorsements.py READER [--list]

READER is the program reply_reader. A line of tests/golden/replies-endorsements*.tsv is a reader, what a person sees in the
reply (endorses, denies, neither) and the reply, with "\\n" for a line break. The texts of the first file were written by
somebody who had seen the prompts and nothing else, those of the second by one who knew the rows of rules/replies.rules, those of
the third to the eighth by writers who were told what is asked and nothing else; each was read once to measure, and seen since. Fails when more
than 1 % of what endorses nothing (2 % of one reader) is support, or more than 3 % of the endorsements of a file are missed.
--list prints what is read otherwise."""
import collections
import json
import pathlib
import subprocess
import sys

FILES = sorted((pathlib.Path(__file__).resolve().parents[1] / "golden").glob("replies-endorsements*.tsv"))
AS = {"yes-no": "yesno", "correctness": "conclusion"}  # the others have their own names
FALSE, FALSE_OF_ONE = 0.01, 0.02
MISSED = 0.03
SUPPORT = {"right", "none"}


def plain(text):
    return "\\".join(part.replace("\\n", "\n") for part in text.split("\\\\"))


def texts():
    for file in FILES:
        for line in file.read_text(encoding="utf-8").splitlines():
            reader, truth, text = line.split("\t", 2)
            yield file.stem.rpartition("-")[2], reader, truth, plain(text)


def main(program, listing):
    rows = list(texts())
    asked = "".join(json.dumps({"as": AS.get(reader, reader), "reply": text, "steps": 12}) + "\n" for _, reader, _, text in rows)
    said = subprocess.run([program], input=asked, capture_output=True, text=True, check=True).stdout.splitlines()
    counts = collections.defaultdict(collections.Counter)
    for (file, reader, truth, text), line in zip(rows, said, strict=True):
        supports, endorses = line.split("\t")[0] in SUPPORT, truth == "endorses"
        for name in (reader, file, "all"):
            counts[name]["endorsements" if endorses else "others"] += 1
            counts[name]["missed" if endorses else "false"] += supports != endorses
        if listing and supports != endorses:
            print(f"{reader}: {truth}, read as {line.split(chr(9))[0]}: {text!r}")
    bad, names = False, {file for file, *_ in rows}
    for name, n in counts.items():
        false, missed = n["false"] / n["others"], n["missed"] / n["endorsements"]
        print(f"{name}: {n['false']} of {n['others']} are support that must not be ({false:.1%}); "
              f"{n['missed']} of {n['endorsements']} endorsements missed ({missed:.1%})")
        bad |= false > (FALSE if name == "all" else FALSE_OF_ONE) or (name in names and missed > MISSED)
    return bad


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], "--list" in sys.argv[2:]))
