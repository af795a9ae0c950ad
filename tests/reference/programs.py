#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How well the programs that follow a trace locate the first mistake, on BIG-Bench Mistake, through
`rederive check`.

    programs.py              figures and floors
    --list                   every disagreement with a label too, with the verdict on it
    --markdown               the tables of docs/measured/rule-based-verifiers.md
    --unseen                 other traces than those of programs_labels.json: figures only
    --speed                  traces a second of the whole command, each file 40 times over

The traces are split by a bit of the SHA-256 of their question: rules were made on the half `made`, the
half `other` is for reporting. programs_labels.json holds a verdict for each disagreement, by task and the
first 12 digits of that hash.

Data: RDV_SHARED, or ../shared/data beside the project. Program: RDV_PROGRAM, or build/rederive.
Exits with 1 when a floor is missed, with 77 when the data is not there."""

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
DATA = Path(os.environ.get("RDV_SHARED") or PROJECT.parent / "shared/data") / "big-bench-mistake"
PROGRAM = os.environ.get("RDV_PROGRAM") or str(PROJECT / "build/rederive")
LABELS = Path(__file__).with_name("programs_labels.json")

# Method, file, and the best location accuracy of the paper's Table 4 (GPT-4 direct step is best overall).
TASKS = {"dyck": "dyck_languages", "sorting": "word_sorting",
         "shuffled-objects": "tracking_shuffled_objects", "arithmetic": "multistep_arithmetic",
         "deduction": "logical_deduction"}
PAPERS_BEST = 52.87
KINDS = {"label": "the label is wrong", "first": "the first step, which no label marks",
         "ours": "we misread", "debatable": "debatable"}


@dataclass
class Trace:
    task: str
    key: str
    half: str
    label: object  # step or None
    found: object
    why: str
    unread: bool  # a step up to the first mistake
    right_answer: object  # None: the trace has no answer


def key_of(question):
    return hashlib.sha256(question.encode()).hexdigest()


def checked(task):
    path = DATA / f"{TASKS[task]}.jsonl"
    run = subprocess.run([PROGRAM, "check", "-q", "--json", "--method", task, str(path)],
                         capture_output=True, check=True)
    for line in run.stdout.decode().splitlines():
        yield json.loads(line)


def trace_of(task, record):
    found = record["first_error"]
    verdicts = record["verdicts"]
    end = len(verdicts) if found is None else found
    key = key_of(record["question"].removeprefix(record.get("question_prefix", "")).lstrip())  # the file's own input
    return Trace(task, key[:12], "other" if int(key[:2], 16) & 1 else "made", record["label"], found,
                 verdicts[found].get("explanation", "") if found is not None else "",
                 any(v["verdict"] == "unknown" for v in verdicts[:end]),
                 record.get("correct"))


def share(traces):
    right = sum(t.found == t.label for t in traces)
    return right, len(traces), 100 * right / len(traces) if traces else float("nan")


def mean(all_traces, keep):
    shares = [share([t for t in traces if keep(t)])[2] for traces in all_traces.values()]
    return sum(shares) / len(shares)


COLUMNS = {"all": lambda t: True, "made": lambda t: t.half == "made",
           "other": lambda t: t.half == "other",
           "with a mistake": lambda t: t.label is not None,
           "without": lambda t: t.label is None,
           "answer right": lambda t: t.right_answer is True,
           "answer wrong": lambda t: t.right_answer is False,
           "first step set aside": lambda t: t.found != 0}


def cell(traces):
    right, n, percent = share(traces)
    return f"{percent:.2f} ({right}/{n})" if n else "-"


def print_figures(all_traces):
    print("| task | " + " | ".join(COLUMNS) + " | unread |")
    print("| --- |" + " --- |" * (len(COLUMNS) + 1))
    for task, traces in all_traces.items():
        cells = [cell([t for t in traces if keep(t)]) for keep in COLUMNS.values()]
        print(f"| {task} | {' | '.join(cells)} | {sum(t.unread for t in traces)} |")
    means = [f"**{mean(all_traces, keep):.2f}**" for keep in COLUMNS.values()]
    print(f"| **mean** | {' | '.join(means)} | |")


def adjudicated():
    return {(e["task"], e["key"]): e for e in json.loads(LABELS.read_text())}


def print_disagreements(all_traces, verdicts):
    print("\n| task | trace | half | label | found | | |\n| --- | --- | --- | --- | --- | --- | --- |")
    for task, traces in all_traces.items():
        for t in traces:
            if t.found == t.label:
                continue
            e = verdicts.get((task, t.key), {"is": "?", "why": t.why})
            label, found = ("none" if x is None else x for x in (t.label, t.found))
            print(f"| {task} | {t.key} | {t.half} | {label} | {found} | "
                  f"{KINDS.get(e['is'], e['is'])} | {e['why']} |")


def print_kinds(all_traces, verdicts):
    print("\n| task | disagreements | " + " | ".join(KINDS.values()) + " |")
    print("| --- |" + " --- |" * (len(KINDS) + 1))
    total = Counter()
    for task, traces in all_traces.items():
        wrong = [t for t in traces if t.found != t.label]
        kinds = Counter(verdicts[(task, t.key)]["is"] for t in wrong if (task, t.key) in verdicts)
        total += kinds
        print(f"| {task} | {len(wrong)} | " + " | ".join(str(kinds[k]) for k in KINDS) + " |")
    print(f"| all | {sum(total.values())} | " + " | ".join(str(total[k]) for k in KINDS) + " |")


def floors(all_traces, verdicts, unseen):
    wrong = {(t.task, t.key): t for traces in all_traces.values() for t in traces if t.found != t.label}
    dyck = share(all_traces["dyck"])
    held = {"mean of the five tasks at least 90 %": mean(all_traces, COLUMNS["all"]) >= 90,
            "dyck: as the released labels": dyck[0] == dyck[1]}
    if not unseen:
        held["the half that rules were not made on at least 90 %"] = mean(all_traces, COLUMNS["other"]) >= 90
        held["every disagreement has a verdict, and no other trace"] = set(wrong) == set(verdicts)
        held["the verdicts are on what label and program say"] = all(
            (e["label"], e["found"]) == (wrong[k].label, wrong[k].found)
            for k, e in verdicts.items() if k in wrong)
    for name, ok in held.items():
        print(f"{'reached' if ok else 'MISSED '} {name}", file=sys.stderr)
    return all(held.values())


def print_speed(times=40):
    print("| task | traces | seconds of one core | traces a second |\n| --- | --- | --- | --- |")
    for task, name in TASKS.items():
        text = (DATA / f"{name}.jsonl").read_text() * times
        with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
            file.write(text)
            file.flush()
            before = os.times()
            subprocess.run([PROGRAM, "check", "-q", "--json", "--format", "big-bench-mistake",
                            "--method", task, file.name], stdout=subprocess.DEVNULL, check=True)
            after = os.times()
        seconds = sum(after[2:4]) - sum(before[2:4])  # of the command, user and system
        n = text.count("\n")
        print(f"| {task} | {n} | {seconds:.2f} | {n / seconds:,.0f} |")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for option in ("--list", "--markdown", "--unseen", "--speed"):
        parser.add_argument(option, action="store_true")
    args = parser.parse_args()
    if not (DATA / "dyck_languages.jsonl").exists() or not Path(PROGRAM).exists():
        print(f"skipped: {DATA} or {PROGRAM} is not there")
        return 77
    if args.speed:
        print_speed()
        return 0
    all_traces = {task: [trace_of(task, r) for r in checked(task)] for task in TASKS}
    verdicts = {} if args.unseen else adjudicated()
    print_figures(all_traces)
    print(f"\nThe paper's best, GPT-4 asked step by step, over all: {PAPERS_BEST}")
    if args.markdown or args.list:
        if not args.unseen:
            print_kinds(all_traces, verdicts)
        print_disagreements(all_traces, verdicts)
    return 0 if floors(all_traces, verdicts, args.unseen) else 1


if __name__ == "__main__":
    sys.exit(main())
