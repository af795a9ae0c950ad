# SPDX-License-Identifier: Apache-2.0
"""What other labels bring to a step classifier of boosted trees: the table of docs/reward.md.

    RDV_PROGRAM=build/rederive RDV_SHARED=../shared/data python3 tests/reference/reward_sources.py

A third of ProcessBench's questions, by a hash of their letters, is kept aside: no chain of such a question is trained on,
from whatever source. Exits 77 where there is no recorded data."""
import gzip
import hashlib
import json
import os
import pathlib
import random
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("RDV_SHARED", ROOT.parent / "shared/data"))
PROGRAM = os.environ.get("RDV_PROGRAM", str(ROOT / "build/rederive"))
SUBSETS = ["gsm8k", "math", "olympiadbench", "omnimath"]
OPTIONS = ["--rule", "fitted", "--post-error-labels", "fitted", "--objective", "f1", "--no-cross-validation", "-q"]


def key_of(text):
    """The same for a question in other signs or numbers."""
    return re.sub(r"[^a-z]", "", text.lower())[:45]


def is_aside(key):
    return int(hashlib.sha256(key.encode()).hexdigest(), 16) % 3 == 0


def question_of(record):
    return next((record[name] for name in ("problem", "original_question", "question", "Question") if record.get(name)), "")


def records(path):
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def first_wrong(record):
    """PRM800K's ratings of all steps as the first wrong one."""
    labels = record["labels"]
    return {"question": record["question"], "steps": record["steps"], "label": labels.index("-") if "-" in labels else None}


def write(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return str(path)


def prepare(folder):
    """{source: its files for training}, and the files of ProcessBench kept aside and trained on."""
    parts, aside = {}, set()
    for name in SUBSETS:
        rows = records(SHARED / f"processbench/code/dataset/{name}.jsonl")
        aside |= {key_of(row["problem"]) for row in rows if is_aside(key_of(row["problem"]))}
        for part in (True, False):
            parts[name, part] = write(folder / f"{name}.{'aside' if part else 'train'}.jsonl",
                                      [row for row in rows if is_aside(key_of(row["problem"])) == part])
    sources = {"ProcessBench": [parts[name, False] for name in SUBSETS]}
    found = {"PARC": sorted(SHARED.glob("parc/datasets/*/*.jsonl")), "Mr-Ben": [SHARED / "mr-ben/data/math.jsonl.gz"],
             "PRM800K": [SHARED / "prm800k/validation-part.jsonl.gz"], "PRMBench": sorted(SHARED.glob("prmbench/train/*.gz"))}
    for source, paths in found.items():
        made = []
        for path in paths:
            rows = [row for row in records(path) if key_of(question_of(row)) not in aside]
            made.append(write(folder / f"{source}-{path.parent.name}-{path.name.split('.')[0]}.jsonl",
                              map(first_wrong, rows) if source == "PRM800K" else rows))
        sources[source] = made
    return sources, parts


def checked(model, path):
    ended = subprocess.run([PROGRAM, "check", "-q", "-m", "reward:" + model, path], stdout=subprocess.PIPE, check=True, text=True)
    return [(row["question"], row["label"], row.get("first_error")) for row in map(json.loads, ended.stdout.splitlines())]


def f1(rows):
    wrong = [label == found for _, label, found in rows if label is not None]
    right = [found is None for _, label, found in rows if label is None]
    a, b = (sum(part) / max(1, len(part)) for part in (wrong, right))
    return 2 * a * b / (a + b) if a + b else 0.0


def mean(subsets):
    return 100 * sum(map(f1, subsets)) / len(subsets)


def resampled(rows, rng):
    by = {}
    for row in rows:
        by.setdefault(row[0], []).append(row)
    names = list(by)
    return [row for _ in names for row in by[rng.choice(names)]]


def figure(model, parts, aside):
    subsets = [checked(model, parts[name, aside]) for name in SUBSETS]
    rng = random.Random(1)
    draws = sorted(mean([resampled(rows, rng) for rows in subsets]) for _ in range(1000))
    return f"{mean(subsets):.1f} [{draws[25]:.1f}, {draws[974]:.1f}]"


def main():
    if not (SHARED / "processbench").is_dir():
        print(f"reward_sources: no recorded data in {SHARED}", file=sys.stderr)
        return 77
    with tempfile.TemporaryDirectory() as room:
        folder = pathlib.Path(room)
        sources, parts = prepare(folder)
        print("| trained on | chains kept aside | the other two thirds |\n| --- | --- | --- |")
        shipped = str(ROOT / "models/reward-math.rdvm")
        print(f"| `reward-math.rdvm` | {figure(shipped, parts, True)} | {figure(shipped, parts, False)} |", flush=True)
        for names in (["PARC", "Mr-Ben"], ["PRM800K"], ["PARC", "Mr-Ben", "PRM800K"], ["PARC", "Mr-Ben", "PRMBench"],
                      ["PARC", "Mr-Ben", "PRM800K", "PRMBench"], ["ProcessBench"], ["ProcessBench", "PARC", "Mr-Ben"],
                      ["ProcessBench", "PARC", "Mr-Ben", "PRM800K", "PRMBench"]):
            model = str(folder / "model.rdvm")
            subprocess.run([PROGRAM, "train", *OPTIONS, "--out", model, *(f for name in names for f in sources[name])],
                           check=True, stdout=subprocess.DEVNULL)
            other = "trained on" if "ProcessBench" in names else figure(model, parts, False)
            print(f"| {', '.join(names)} | {figure(model, parts, True)} | {other} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
