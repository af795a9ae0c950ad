#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/measured/repair.md: backtracking with a generator of one's own.

    repair_measured.py REDERIVE WORK [--model builtin] [--n 40] [--recorded 40] > tables.md

On the generator's own traces: questions are made (rederive tasks; none that the built-in model was
taught), solved stepwise at temperature 0, and their first mistakes labelled by the task's
program, which is "gold" here. On recorded traces: a seeded draw of BIG-Bench Mistake's, with the
released labels, continued by the generator. Each is repaired from gold, random and simulated
locations; then in the loop, with the task's program and with the shipped reward model as locators.
Data: RDV_SHARED, or ../shared/data beside the project."""
import argparse
import json
import sys

from measured_work import (REWARD, TASKS, Work, add_options, lines_of, paired, print_table,
                           program_of, shown, together, write_lines)

SWEEP = ("0", "0.25", "0.5", "0.65", "0.75", "0.9")
ROUNDS = (1, 2, 4)
KEPT = ("id", "question_id", "task", "question", "options", "answer_type", "gold", "steps")


def own(work, task):
    """Traces of the generator, labelled by the task's program as far as it can follow them."""
    path = work.folder / f"own-{task}.jsonl"
    if path.exists():
        return path
    questions = work.made(task, work.args.n)
    solved = work.folder / f"solved-{task}.jsonl"
    work.once(f"answers-{task}.jsonl", "solve", *work.asks("own"), "-g", "thoughts", "-n", 1, "-m",
              "none", "--max-steps", 40, "--chains-out", solved, questions)
    text = "".join(json.dumps(r) + "\n" for r in lines_of(solved) if r.get("steps"))
    checked = work.rederive("check", "-q", "--json", "-m", program_of(task), stdin=text)
    records = [json.loads(line) for line in checked.splitlines()]
    return write_lines(path, [{**{k: r[k] for k in KEPT if k in r}, "task": task,
                               "answer": announced(r), "label": r["first_error"]}
                              for r in records
                              if r["n_unknown"] < len(r["steps"]) and r["first_error"] != "unknown"])


def announced(record):
    """The answer as the trace has it: a solution's record has an option's bare letter, a repair's the
    words that were written."""
    answer = record.get("answer")
    return f"({answer})" if record.get("answer_type") == "option" and len(answer or "") == 1 else answer


def repaired(work, kind, task, locator, *more):
    traces = own(work, task) if kind == "own" else work.recorded(task)
    named = "reward" if locator.startswith("reward:") else locator.replace(":", "_")
    name = "-".join([kind, task, named, *map(str, more)]).replace("--", "")
    return lines_of(work.once(name + ".jsonl", "repair", *work.asks(kind), "-l", locator,
                              "--max-steps", 40 if kind == "own" else 60, *more, traces))


class Runs:
    """All the repairs of one kind of traces: of[locator, rounds][task], without the traces that were
    too long for the generator's context in any of them."""

    def __init__(self, work, kind, tasks):
        self.tasks, self.rounds = tasks, work.args.rounds
        self.sweep = [f"simulated:{x}" for x in work.args.sweep] + ["gold"]
        wanted = [(locator, None) for locator in ("random", *self.sweep)]
        wanted += [(judge, rounds) for judge in ("rule-based verifier", "step classifier") for rounds in self.rounds
                   if judge == "rule-based verifier" or REWARD.exists()]
        self.of = {}
        for locator, rounds in wanted:
            options = ("--rounds", rounds) if rounds else ()
            self.of[locator, rounds] = {
                task: repaired(work, kind, task, {"rule-based verifier": program_of(task), "step classifier":
                                                  f"reward:{REWARD}"}.get(locator, locator), *options)
                for task in tasks}
        long = {r["id"] for by_task in self.of.values() for records in by_task.values()
                for r in records if too_long(r)}
        self.too_long = {}
        for by_task in self.of.values():
            for task in tasks:
                self.too_long[task] = sum(r["id"] in long for r in by_task[task])
                by_task[task] = [r for r in by_task[task] if r["id"] not in long]

    def all(self, locator, rounds=None):
        return [r for records in self.of[locator, rounds].values() for r in records]


def too_long(record):
    """Could not even the first step that was to be written again be asked for?"""
    first = (record.get("repairs") or [{}])[0]
    return (first.get("explanation") or "").startswith("refused") and not first.get("n_samples")


def unfinished(records):
    return sum(r["repair"]["stop_reason"] == "failed" for r in records)


def is_right(answer, gold):
    return (answer or "").strip() == gold.strip()


def row_of(work, records):
    rows = work.rows("table6", together(records)) if records else []
    return rows[0] if rows else {}


def table6(work, runs):
    out = []
    for task in [*runs.tasks, None]:
        gold, chance = (runs.of[k, None][task] if task else runs.all(k) for k in ("gold", "random"))
        a, b = row_of(work, gold), row_of(work, chance)
        if not a:
            continue
        out.append([task or "all traces", shown(a["delta.right"], True), shown(a["delta.wrong"], True),
                    shown(b["delta.right"], True), shown(b["delta.wrong"], True),
                    f"{a['n_correct']:.0f}", f"{a['n_incorrect']:.0f}", f"{unfinished(gold)}, {unfinished(chance)}",
                    f"{a['mean_steps']:.1f}", f"{a['mean_calls']:.1f}, {b['mean_calls']:.1f}"])
    print_table(["task", "gold Δ✓", "gold Δ✗", "random Δ✓", "random Δ✗", "right before", "wrong before",
                 "left as they were for want of an end (gold, random)", "steps", "calls a trace (gold, random)"], out)


def changes(records):
    """(won, lost): answers that became right, and that were."""
    before = [is_right(r["repair"]["answer_before"], r["gold"]) for r in records]
    after = [is_right(r.get("answer"), r["gold"]) for r in records]
    return (sum(a and not b for a, b in zip(after, before)),
            sum(b and not a for a, b in zip(after, before)))


def figure2(work, runs):
    out = []
    for locator in runs.sweep:
        records = runs.all(locator)
        row = row_of(work, records)
        if row:
            out.append(["1 (gold)" if locator == "gold" else locator.split(":")[1],
                        shown(row["delta.right"], True), shown(row["delta.wrong"], True),
                        paired(*changes(records), len(records)), f"{row['mean_calls']:.1f}"])
    print_table(["accuracy of the locator", "Δ✓", "Δ✗", "accuracy of all", "calls a trace"], out)


def loop_row(name, rounds, records):
    n = len(records)
    won, lost = changes(records)
    before = sum(is_right(r["repair"]["answer_before"], r["gold"]) for r in records)
    return [name, rounds, n, before, f"+{won} -{lost}", paired(won, lost, n),
            sum(r["repair"]["stop_reason"] == "passed" for r in records),
            f"{sum(r['repair']['n_calls'] for r in records) / n:.1f}"]


def loop(runs):
    out = []
    for (locator, rounds), by_task in runs.of.items():
        if rounds and runs.all(locator, rounds):
            out.append(loop_row(f"{locator}, all traces", rounds, runs.all(locator, rounds)))
    for task in runs.tasks:
        out += [loop_row(task, rounds, runs.of["rule-based verifier", rounds][task]) for rounds in runs.rounds
                if runs.of["rule-based verifier", rounds][task]]
    print_table(["locator", "rounds", "traces", "right before", "won, lost", "accuracy",
                 "end without a mistake", "calls a trace"], out)


def print_counts(work, kind, tasks, runs):
    rows = []
    for task in tasks:
        if kind == "own":
            solved = lines_of(work.folder / f"solved-{task}.jsonl")
            right = sum(is_right(announced(r), r["gold"]) for r in solved)
            rows.append([task, work.args.n, len(solved), right, len(lines_of(own(work, task))),
                         runs.too_long.get(task, 0)])
        else:
            rows.append([task, len(lines_of(work.recorded(task))), runs.too_long.get(task, 0)])
    heads = ["task", "questions", "solutions", "of them right", "followed by the program"]
    print_table([*(heads if kind == "own" else ["task", "drawn"]), "too long for the context"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser, n=40, recorded=40, seed=700)
    parser.add_argument("--sweep", nargs="*", default=SWEEP, help="accuracies of simulated locators")
    parser.add_argument("--rounds", nargs="*", type=int, default=ROUNDS, help="of the loop")
    work = Work(parser.parse_args())
    tasks = work.args.task or list(TASKS)
    for kind, title in (("own", "The generator's own traces"), ("recorded", "Recorded traces")):
        if not (work.args.n if kind == "own" else work.args.recorded):
            continue
        print(f"## {title}\n")
        some = [task for task in tasks
                if lines_of(own(work, task) if kind == "own" else work.recorded(task))]
        runs = Runs(work, kind, some)
        print_counts(work, kind, tasks, runs)
        if not runs.all("gold"):
            print("None is left.\n")
            continue
        print("### Table 6\n")
        table6(work, runs)
        print("### Figure 2\n")
        figure2(work, runs)
        print("### The loop\n")
        loop(runs)
    print(f"{sum(work.seconds.values()):.0f} s for what was not there yet.", file=sys.stderr)


if __name__ == "__main__":
    main()
