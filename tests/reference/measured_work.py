# SPDX-License-Identifier: Apache-2.0
"""What measurements with the built-in model share: a folder that keeps what was made, questions that
the model was not taught, recorded traces, tables."""
import json
import math
import os
import random
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
REWARD = ROOT / "models/reward-traces.rdvm"

# Each task's program, and the sizes that the built-in model was taught (train/traces.sh).
TASKS = {"word_sorting": ("sorting", 4, 7), "tracking_shuffled_objects": ("shuffled-objects", 3, 4),
         "logical_deduction": ("deduction", 3, 4), "multistep_arithmetic": ("arithmetic", 2, 3),
         "dyck_languages": ("dyck", 3, 10)}
TAUGHT = ("-n", 4000, "--seed", 41)  # what the model was taught of each task
JUDGED = ("-n", 200, "--seed", 1)  # what models/reward-traces.rdvm was


def program_of(task):
    return TASKS[task][0]


def lines_of(path):
    with open(path, encoding="utf-8") as file:
        return [json.loads(line) for line in file]


def write_lines(path, records):
    with open(path, "w", encoding="utf-8") as out:
        for record in records:
            print(json.dumps(record), file=out)
    return path


class Work:
    """A folder of journals and records: what is there is not made again."""

    def __init__(self, args):
        self.args = args
        self.folder = Path(args.work)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.seconds = {}

    def rederive(self, *arguments, stdin=None):
        done = subprocess.run([self.args.program, *map(str, arguments)], input=stdin, text=True,
                              stdout=subprocess.PIPE, check=False)
        if done.returncode not in (0, 1):
            sys.exit(f"rederive {' '.join(map(str, arguments))}: status {done.returncode}")
        return done.stdout

    def kept(self, name, make):
        """The file of that name, written by make(path) where it is not there yet."""
        path = self.folder / name
        if not path.exists():
            began = time.time()
            part = self.folder / (name + ".part")
            make(part)
            os.replace(part, path)
            self.seconds[name] = time.time() - began
            print(f"{self.seconds[name]:6.1f} s {name}", file=sys.stderr)
        return path

    def once(self, name, *arguments):
        """The same, of what the program prints."""
        return self.kept(name, lambda part: part.write_text(self.rederive(*arguments), encoding="utf-8"))

    def asks(self, kind):
        return ("-q", "-M", self.args.model, "--journal", self.folder / f"{kind}.journal",
                "-j", self.args.jobs)

    def made(self, task, n, *more):
        """n questions of the task, of the sizes that were taught, without those that were."""
        path = self.folder / f"made-{task}.jsonl"
        if not path.exists():
            _, least, most = TASKS[task]
            sizes = ("--min-size", least, "--max-size", most)

            def make(*options):
                out = self.rederive("tasks", "-q", "-t", task, *options)
                return [json.loads(line) for line in out.splitlines()]

            taught = {r["question"] for r in make(*TAUGHT, *sizes) + make(*JUDGED)}
            fresh = [r for r in make("-n", 4 * n, "--seed", self.args.seed, *sizes, *more)
                     if r["question"] not in taught]
            write_lines(path, [{**r, "task": task} for r in fresh[:n]])
        return path

    def recorded(self, task):
        """A draw of the released traces, as many with a right answer as with a wrong one."""
        path = self.folder / f"recorded-{task}.jsonl"
        if not path.exists():
            shared = Path(os.environ.get("RDV_SHARED") or ROOT.parent / "shared/data")
            numbered = list(enumerate(lines_of(shared / "big-bench-mistake" / f"{task}.jsonl")))
            random.Random(self.args.seed).shuffle(numbered)
            half = self.args.recorded // 2
            right = [x for x in numbered if x[1]["answer"] == x[1]["target"]][:half]
            wrong = [x for x in numbered if x[1]["answer"] != x[1]["target"]]
            wrong = wrong[:self.args.recorded - len(right)]
            write_lines(path, [{"id": f"{task}/{k}", "question_id": f"{task}/{k}", "task": task,
                                "question": r["input"], "gold": r["target"], "steps": r["steps"],
                                "answer": r["answer"], "label": r["mistake_index"]}
                               for k, r in sorted(right + wrong, key=lambda x: x[0])])
        return path

    def rows(self, recipe, records):
        """The recipe's rows, those of drawn traces left out."""
        text = "".join(json.dumps(r) + "\n" for r in records)
        out = self.rederive("eval", "-q", "--json", "--recipe", "mistakes:" + recipe, stdin=text)
        return [r for r in json.loads(out)["rows"] if not r["subsampled"]] if out else []


def together(records):
    """The records as those of one task, so that a recipe's row is of all of them."""
    return [{**r, "task": "all"} for r in records]


def shown(cell, sign=False):
    """A share in percent with its 95 % interval."""
    if not cell or cell["value"] is None:
        return "-"
    value, low, high = (100 * cell[k] + 0.0 for k in ("value", "ci_low", "ci_high"))
    return f"{value:{'+' if sign else ''}.1f} ({low:.1f} to {high:.1f})"


def paired(won, lost, n):
    """The difference of two shares of the same n things, with its 95 % interval (Bonett and Price
    2012: one is added to either count)."""
    if not n:
        return "-"
    up, down = (won + 1) / (n + 2), (lost + 1) / (n + 2)
    half = 1.96 * math.sqrt((up + down - (up - down) ** 2) / (n + 2))
    low, high = up - down - half, up - down + half
    return f"{100 * (won - lost) / n:+.1f} ({100 * low:.1f} to {100 * high:.1f})"


def print_table(heads, rows):
    print("| " + " | ".join(heads) + " |")
    print("|" + " --- |" * len(heads))
    for row in rows:
        print("| " + " | ".join(str(x) for x in row) + " |")
    print()


def add_options(parser, n, recorded, seed):
    parser.add_argument("program")
    parser.add_argument("work", help="folder of journals and records: a run that is cut goes on")
    parser.add_argument("--model", default="builtin")
    parser.add_argument("--n", type=int, default=n, help=f"questions made of each task [{n}]")
    parser.add_argument("--recorded", type=int, default=recorded,
                        help=f"recorded traces of each task [{recorded}]")
    parser.add_argument("--seed", type=int, default=seed)
    parser.add_argument("--jobs", type=int, default=64)
    parser.add_argument("--task", action="append", choices=TASKS)
