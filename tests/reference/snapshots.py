#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether the program says of the inputs in tests/golden/snapshots what it said before.

    snapshots.py calculations|answers [--write | --seeds FOLDER | --replay PROGRAM]

A snapshot is a file of inputs, each with what the program made of it, a line of JSON each. It asserts that nothing changes
unseen; it does not assert that what it holds is right. --write writes the file again with what the program says now, so that
a change of behaviour is a difference that a person reads. draw_snapshots.py draws the inputs. They are inputs of the fuzz
targets `calculations` and `grade` too: --seeds writes them as files, and --replay runs such a target, built without
libFuzzer, on them.
Program: RDV_PROGRAM, or build/rederive. Exits with 1 if an input has another result."""
import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

from records import records

FOLDER = Path(__file__).resolve().parents[1] / "golden/snapshots"
FILES = {"calculations": "calculations.jsonl", "answers": "answers.jsonl"}
SHOWN = 20  # differences that are printed
KINDS = ["auto", "number", "option", "yesno", "text", "latex", "date", "date-day-first", "time", "money", "yesno-maybe",
         "phrase"]  # in the order of rdv_kind


def calculation_line(c):
    """One calculation as text: its bytes, its outcome, and what is said of it."""
    said = [f"{name} {c[name]}" for name in ("value", "of", "note", "from") if name in c]
    return "; ".join([f"{c['start']}-{c['end']} {c['outcome']}", *said])


def calculations(inputs):
    """For each chain, for each step, its verdict and a text for each of its calculations."""
    return [[[v["verdict"], *map(calculation_line, v.get("evidence", {}).get("calculations", []))] for v in r["verdicts"]]
            if "verdicts" in r else r["error"]
            for r in records(["check", "--quiet", "--json", "--method", "calculations"], inputs)]


def answers(inputs):
    """For each pair, whether it is the same, why, and how both were read. An input may name options of the command."""
    results = [None] * len(inputs)
    for options in dict.fromkeys(tuple(each.get("with", [])) for each in inputs):
        these = [i for i, each in enumerate(inputs) if tuple(each.get("with", [])) == options]
        pairs = [{name: value for name, value in inputs[i].items() if name != "with"} for i in these]
        for i, r in zip(these, records(["grade", "--quiet", *options], pairs)):
            results[i] = [r.get(name) for name in ("correct", "why", "reason", "answer_read", "answer_as", "gold_as")] \
                if "correct" in r else r["error"]
    return results


MADE = {"calculations": calculations, "answers": answers}


def calculations_bytes(each):
    """The input as fuzz/calculations.c reads it."""
    return "\0".join([each["question"], *each["steps"]]).encode()


def answers_bytes(each):
    """The input as fuzz/grade.c reads it."""
    options, kind = each.get("with", []), each.get("kind", "auto")
    flags = (1 if "--tolerance" in options else 0) | (2 if "--decimals-as-shown" in options else 0) | \
        (4 if "--relations-as-sets" in options else 0) | (8 if "options" in each else 0) | \
        KINDS.index(kind) << 4
    return bytes([flags]) + f"{each.get('text', each.get('answer'))}\n%%\n{each['gold']}".encode()


FUZZ_INPUTS = {"calculations": calculations_bytes, "answers": answers_bytes}


def write_seeds(kind, inputs, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for i, each in enumerate(inputs):
        (folder / f"snapshot-{i:04}").write_bytes(FUZZ_INPUTS[kind](each))


def load(kind):
    """(inputs, results) of a snapshot."""
    lines = [json.loads(line) for line in (FOLDER / FILES[kind]).read_text(encoding="utf-8").splitlines()]
    return [{name: value for name, value in line.items() if name != "gives"} for line in lines], [line["gives"] for line in lines]


def write(kind, inputs, results):
    FOLDER.mkdir(parents=True, exist_ok=True)
    lines = sorted(json.dumps({**each, "gives": result}, ensure_ascii=False) for each, result in zip(inputs, results))
    (FOLDER / FILES[kind]).write_text("".join(line + "\n" for line in lines), encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("kind", choices=sorted(FILES))
    parser.add_argument("--write", action="store_true", help="write the file again")
    parser.add_argument("--seeds", type=Path, metavar="FOLDER", help="write the inputs as those of a fuzz target, a file each")
    parser.add_argument("--replay", type=Path, metavar="PROGRAM", help="run a fuzz target on the inputs")
    args = parser.parse_args()
    inputs, before = load(args.kind)
    if args.seeds:
        write_seeds(args.kind, inputs, args.seeds)
        return 0
    if args.replay:
        with tempfile.TemporaryDirectory() as folder:
            write_seeds(args.kind, inputs, Path(folder))
            return 0 if subprocess.run([str(args.replay), folder], check=False).returncode == 0 else 1
    now = MADE[args.kind](inputs)
    differ = [each for each in zip(inputs, before, now) if each[1] != each[2]]
    for each, was, is_ in differ[:SHOWN]:
        print(f"{json.dumps(each, ensure_ascii=False)}\n    was {json.dumps(was, ensure_ascii=False)}\n    now {json.dumps(is_, ensure_ascii=False)}")
    if args.write:
        write(args.kind, inputs, now)
    print(f"{len(inputs)} inputs, {len(differ)} with another result" +
          ("; if that is as it should be: snapshots.py " + args.kind + " --write" if differ and not args.write else ""))
    return 1 if not inputs or differ and not args.write else 0


if __name__ == "__main__":
    sys.exit(main())
