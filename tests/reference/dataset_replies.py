#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Answers read from recorded replies, held against what the sources' own readers made of them.

    dataset_replies.py            a table: set, replies, read, equal to the source's reading, right
    dataset_replies.py --check    fail where less is read, or agrees, than is stated below

Zero-shot chain-of-thought logs (Kojima and others 2022: GSM8K, MultiArith, last letters, shuffled objects),
Faithful CoT's chain-of-thought runs on Date Understanding, ESC's samples of last letters. The program reads
(`vote --answer-source read`); the logs say what their authors' reader found. Exits 77 where RDV_SHARED has no such data."""

import argparse
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys

SHARED = pathlib.Path(os.environ.get("RDV_SHARED", "."))
PROGRAM = os.environ.get("RDV_PROGRAM", "rederive")
BLOCK = re.compile(r"^Q: (?P<question>.*?)\nA: (?P<reply>.*?)\npred_before : .*?\npred_mode : (?P<read>[^\n]*)\n"
                   r"GT : (?P<gold>[^\n]*)$", re.DOTALL | re.MULTILINE)
LOGS = (("GSM8K", "gsm8k_zero_shot_cot.log.gz", "number"), ("MultiArith", "multiarith_zero_shot_cot.log", "number"),
        ("last letters", "last_letters_zero_shot_cot.log", "text"),
        ("shuffled objects", "shuffled_objects_zero_shot_cot.log.gz", "option"))
# set: least share of replies read, least share that agrees with the source's reading where both read something.
# GSM8K's log takes the first number behind its last prompt, ours is the last one announced: they part where a reply
# goes on calculating there (ours is the right answer more often).
# Of the replies to questions about dates nine say that the date cannot be known, or give no date, and eight only dates that bound
# it, "10 days before 04/09/1969": they are unread.
# Sixteen of GSM8K's 789 announce an answer and give none behind it ("the answer (arabic numerals) is _____."): they are unread.
LEAST = {"GSM8K": (0.979, 0.88), "MultiArith": (0.99, 0.97), "last letters": (0.98, 0.98),
         "shuffled objects": (0.98, 0.98), "dates": (0.98, 0.97), "last letters, sampled": (0.98, None)}


def text_of(path):
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as file:
        return file.read()


def options_of(question):
    marked = re.split(r"\(([A-Z])\) ", question.partition("Answer Choices:")[2])
    return [option.strip() for option in marked[2::2]]


def log_chains(name, kind):
    """A chain for each block of a log, with what the log's own reader found."""
    for found in BLOCK.finditer(text_of(SHARED / "zero-shot-cot/log" / name)):
        chain = {"question": found["question"], "answer_type": kind, "gold": found["gold"],
                 "steps": found["reply"].split("\n")}
        if kind == "option":
            chain["options"] = options_of(found["question"])
        yield chain, found["read"]


def date_chains():
    questions = {q["id"]: q for q in map(json.loads, text_of(SHARED / "faithful-cot/data/date/test.jsonl").splitlines())}
    for path in sorted((SHARED / "faithful-cot/output_dir/date/test").glob("*_COT/predictions.jsonl")):
        for line in text_of(path).splitlines():
            given = json.loads(line)
            question = questions[given["id"]]
            yield ({"question": question["question"], "gold": question["answer"].removeprefix("#### "),
                    "steps": given["completion"].split("\n")}, given["answer"])


def sampled_chains():
    for line in text_of(SHARED / "esc/GPT3.5_result/last_letters/T0.7.jsonl.gz").splitlines():
        given = json.loads(line)
        for reply in given["generated_answer"]:
            if reply:
                yield {"question": given["question"], "answer_type": "text", "gold": given["answer"],
                       "steps": reply.split("\n")}, None


def read(chains):
    """The program's reading of each: (answer or None, right)"""
    lines = "".join(json.dumps({**chain, "question_id": str(i)}) + "\n" for i, chain in enumerate(chains))
    done = subprocess.run([PROGRAM, "vote", "-q", "--answer-source", "read"], input=lines, capture_output=True, text=True,
                          check=True)
    return [(r["answer"], r["correct"]) for r in map(json.loads, done.stdout.splitlines())]


def plain(answer):
    """Letters and digits only; numbers without what stands after a point when that is nothing."""
    answer = re.sub(r"[^0-9a-z.\-]", "", answer.lower()).strip(".")
    return re.sub(r"\.0+$", "", answer)


def figures(pairs):
    chains, theirs = zip(*pairs)
    ours = read(chains)
    both = [(a, b) for (a, _), b in zip(ours, theirs) if a is not None and b and b != "[invalid]"]
    equal = sum(plain(a) == plain(b) for a, b in both)
    return {"replies": len(ours), "read": sum(a is not None for a, _ in ours) / len(ours),
            "equal": equal / len(both) if both else None, "right": sum(bool(r) for _, r in ours) / len(ours)}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--check", action="store_true")
    given = parser.parse_args()
    if not (SHARED / "zero-shot-cot/log").is_dir():
        print("RDV_SHARED has no recorded replies of these sets: skipped")
        sys.exit(77)
    sets = {name: figures(list(log_chains(file, kind))) for name, file, kind in LOGS}
    sets["dates"] = figures(list(date_chains()))
    sets["last letters, sampled"] = figures(list(sampled_chains()))
    failed = False
    print("set                    replies    read   equal   right")
    for name, f in sets.items():
        equal = "      -" if f["equal"] is None else f"{100 * f['equal']:7.2f}"
        print(f"{name:22} {f['replies']:7} {100 * f['read']:7.2f} {equal} {100 * f['right']:7.2f}")
        least = LEAST[name]
        if f["read"] < least[0] or (least[1] is not None and f["equal"] < least[1]):
            print(f"  less than {least}")
            failed = True
    sys.exit(1 if failed and given.check else 0)


if __name__ == "__main__":
    main()
