#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/measured/repair.md: backtracking with a generator of one's own.

    repair_measured.py REDERIVE WORK --model SPEC [--n 40] [--recorded 40] [--seed 700] > tables.md

On the generator's own traces: questions are made (rederive tasks), solved thought by thought at
temperature 0, and their first mistakes labelled by the task's program, which is "gold" here. On
recorded traces: a seeded draw of BIG-Bench Mistake's, with the released labels, continued by the
generator. Each is repaired from gold, random and simulated locations; then in the loop, with the
program as locator. WORK keeps journals and records: a run that is cut goes on."""
import argparse
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

TASKS = {"word_sorting": "sorting", "tracking_shuffled_objects": "shuffled-objects",
         "logical_deduction": "deduction", "multistep_arithmetic": "arithmetic",
         "dyck_languages": "dyck"}
SWEEP = ("0", "0.25", "0.5", "0.65", "0.75", "0.9")


class Work:
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

    def once(self, name, *arguments):
        """The file of that name, written by the program where it is not there yet."""
        path = self.folder / name
        if not path.exists():
            began = time.time()
            part = self.folder / (name + ".part")
            part.write_text(self.rederive(*arguments), encoding="utf-8")
            os.replace(part, path)
            self.seconds[name] = time.time() - began
        return path

    def asks(self, kind):
        return ("-q", "-M", self.args.model, "--journal", self.folder / f"{kind}.journal",
                "-j", self.args.jobs)

    def sizes(self):
        least, most = self.args.least, self.args.most
        return (*(("--least", least) if least else ()), *(("--most", most) if most else ()))

    # ---- traces ----

    def own(self, task):
        """Traces of the generator, labelled by the task's program."""
        path = self.folder / f"own-{task}.jsonl"
        if path.exists():
            return path
        a = self.args
        questions = self.once(f"questions-{task}.jsonl", "tasks", "-q", "-t", task, "-n", a.n,
                              "--seed", a.seed, *self.sizes())
        solved = self.folder / f"solved-{task}.jsonl"
        if not solved.exists():
            self.once(f"answers-{task}.jsonl", "solve", *self.asks("own"), "-g", "thoughts", "-n", 1,
                      "-m", "none", "--max-steps", 40, "--chains-out", solved, questions)
        lines = [line for line in solved.read_text(encoding="utf-8").splitlines(keepends=True)
                 if json.loads(line).get("steps")]
        checked = self.rederive("check", "-q", "--json", "-m", TASKS[task],
                                stdin="".join(lines)) if lines else ""
        with open(path, "w", encoding="utf-8") as out:
            for line in checked.splitlines():
                record = json.loads(line)
                if record["unknown"] < len(record["steps"]):
                    keep = {k: record.get(k) for k in ("id", "question_id", "question", "options",
                                                       "kind", "gold", "steps", "answer")}
                    keep = {k: v for k, v in keep.items() if v is not None or k == "answer"}
                    print(json.dumps({**keep, "task": task, "label": record["first_error"]}), file=out)
        return path

    def recorded(self, task):
        """A draw of the released traces, those with a right and a wrong answer alike."""
        path = self.folder / f"recorded-{task}.jsonl"
        if path.exists():
            return path
        source = Path(os.environ["RDV_SHARED"]) / "big-bench-mistake" / f"{task}.jsonl"
        records = [json.loads(line) for line in source.read_text(encoding="utf-8").splitlines()]
        numbered = list(enumerate(records))
        rng = random.Random(self.args.seed)
        rng.shuffle(numbered)
        right = [x for x in numbered if x[1]["answer"] == x[1]["target"]]
        wrong = [x for x in numbered if x[1]["answer"] != x[1]["target"]]
        half = self.args.recorded // 2
        with open(path, "w", encoding="utf-8") as out:
            for number, r in sorted(right[:half] + wrong[:half], key=lambda x: x[0]):
                print(json.dumps({"id": f"{task}/{number}", "question_id": f"{task}/{number}",
                                  "task": task, "question": r["input"], "gold": r["target"],
                                  "steps": r["steps"], "answer": r["answer"],
                                  "label": r["mistake_index"]}), file=out)
        return path

    def repair(self, kind, task, locator, *more):
        traces = self.own(task) if kind == "own" else self.recorded(task)
        name = "-".join([kind, task, locator.replace(":", "_"), *map(str, more)]).replace("--", "")
        return self.once(name + ".jsonl", "repair", *self.asks(kind), "-l", locator, "--max-steps", 60,
                         *more, traces)

    def rows(self, recipe, paths):
        return json.loads(self.rederive("eval", "-q", "--json", "--recipe", "mistakes:" + recipe,
                                        *paths))["rows"]


def shown(cell, sign=True):
    if cell["value"] is None:
        return "-"
    text = f"{100 * cell['value']:+.1f}" if sign else f"{100 * cell['value']:.1f}"
    low, high = 100 * cell["low"], 100 * cell["high"]
    return f"{text} ({low:.1f} to {high:.1f})"


def print_table(heads, rows):
    print("| " + " | ".join(heads) + " |")
    print("|" + " --- |" * len(heads))
    for row in rows:
        print("| " + " | ".join(str(x) for x in row) + " |")
    print()


def table6(work, kind, tasks):
    paths = [work.repair(kind, task, locator) for locator in ("gold", "random") for task in tasks]
    rows = [r for r in work.rows("table6", paths) if not r["drawn"]]
    by = {(r["of"], r["task"]): r for r in rows}
    out = []
    for task in [*tasks, None] if len(tasks) > 1 else tasks:
        gold, chance = by[("gold", task)], by[("random", task)]
        out.append([task or "mean of tasks", shown(gold["delta.right"]), shown(gold["delta.wrong"]),
                    shown(chance["delta.right"]), shown(chance["delta.wrong"]),
                    f"{gold['right']:.0f}" if task else "", f"{gold['wrong']:.0f}" if task else "",
                    f"{gold['steps']:.1f}", f"{gold['calls']:.1f}"])
    print_table(["task", "gold Δ✓", "gold Δ✗", "random Δ✓", "random Δ✗", "right before",
                 "wrong before", "steps", "calls a trace"], out)


def figure2(work, kind, tasks):
    out = []
    for x in (*SWEEP, "1"):
        paths = [work.repair(kind, task, "gold" if x == "1" else f"simulated:{x}") for task in tasks]
        rows = [r for r in work.rows("table6", paths) if not r["drawn"]]
        mean = next((r for r in rows if r["task"] is None), rows[0])
        out.append([x, shown(mean["delta.right"]), shown(mean["delta.wrong"])])
    print_table(["accuracy of the locator", "Δ✓", "Δ✗"], out)


def loop(work, kind, tasks):
    out = []
    for rounds in (1, 2, 4):
        for task in tasks:
            path = work.repair(kind, task, TASKS[task], "--rounds", rounds)
            records = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
            right = sum((r.get("answer") or "").strip() == r["gold"].strip() for r in records)
            before = sum((r["repair"]["answer_before"] or "").strip() == r["gold"].strip()
                         for r in records)
            passed = sum(r["repair"]["end"] == "passed" for r in records)
            calls = sum(r["repair"]["calls"] for r in records)
            out.append([task, rounds, len(records), before, right, passed,
                        f"{calls / len(records):.1f}"])
    out.sort(key=lambda r: r[0])
    print_table(["task", "rounds", "traces", "right before", "right after", "end without a mistake",
                 "calls a trace"], out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("work")
    parser.add_argument("--model", required=True)
    parser.add_argument("--n", type=int, default=40)
    parser.add_argument("--recorded", type=int, default=40)
    parser.add_argument("--seed", type=int, default=700)
    parser.add_argument("--least", type=int, help="size of the questions that are made")
    parser.add_argument("--most", type=int)
    parser.add_argument("--jobs", type=int, default=16)
    parser.add_argument("--task", action="append", choices=TASKS)
    work = Work(parser.parse_args())
    tasks = work.args.task or list(TASKS)
    for kind, title in (("own", "The generator's own traces"), ("recorded", "Recorded traces")):
        if kind == "recorded" and not work.args.recorded:
            continue
        print(f"## {title}\n")
        some = [task for task in tasks if (work.own if kind == "own" else work.recorded)(task)
                .stat().st_size]
        if len(some) < len(tasks):
            print("No trace that its program can follow:", ", ".join(sorted(set(tasks) - set(some))),
                  end=".\n\n")
        if not some:
            continue
        for make in (table6, figure2, loop):
            make(work, kind, some)
    print(f"{sum(work.seconds.values()):.0f} s for what was not there yet.", file=sys.stderr)


if __name__ == "__main__":
    main()
