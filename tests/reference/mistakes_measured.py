#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/measured/mistakes-model.md: how well a model of one's own finds the first
mistake when asked in the three ways of BIG-Bench Mistake, next to the rule-based verifiers and the step classifier.

    mistakes_measured.py REDERIVE WORK [--model builtin] [--n 60] [--recorded 40] > tables.md

Generated traces: `rederive tasks --mistakes 0.6` of the sizes that the built-in model was taught, without
the questions that it was. Recorded ones: a seeded draw of BIG-Bench Mistake's; those of which a
prompt is longer than the model's context are left out of every row, and counted. Data: RDV_SHARED,
or ../shared/data beside the project."""
import argparse
import sys
from collections import Counter

from measured_work import (REWARD, TASKS, Work, add_options, lines_of, print_table, program_of, shown,
                           together)

PROMPTED = ("direct-trace", "direct-step", "cot-step")
NOT_ASKED = "after the first mistake"


def checked(work, kind, task):
    traces = work.recorded(task) if kind == "recorded" else work.made(task, work.args.n,
                                                                      "--mistakes", 0.6)
    methods = [*PROMPTED, program_of(task), *([f"reward:{REWARD}"] if REWARD.exists() else [])]
    return lines_of(work.once(f"{kind}-{task}-checked.jsonl", "check", *work.asks(kind), "--json",
                              "-m", ",".join(methods), traces))


def renamed(record):
    """The record with the rule-based verifiers under one name, the step classifier under another."""
    names = {program: "rule-based verifiers" for program, _, _ in TASKS.values()}
    names[f"reward:{REWARD}"] = "step classifier"
    checks = {names.get(k, k): v for k, v in record["checks"].items()}
    return {**record, "method": names.get(record["method"], record["method"]), "checks": checks}


def verdicts(record, method):
    return record["checks"][method]["verdicts"]


def too_long(record):
    return any((v.get("explanation") or "").startswith("refused")
               for method in PROMPTED for v in verdicts(record, method))


def replies(records, method):
    """Of the replies that were asked for: how many there were, and why those unread were not."""
    asked, unread = 0, Counter()
    for record in records:
        all_of = verdicts(record, method)
        if method == "direct-trace":  # one reply for the whole trace
            known = any(v["verdict"] != "unknown" for v in all_of)
            all_of = [{"verdict": "support"}] if known else all_of[:1]
        for v in all_of:
            if not (v.get("explanation") or "").startswith(NOT_ASKED):
                asked += 1
                unread[v.get("explanation")] += v["verdict"] == "unknown"
    return asked, unread


def print_replies(records):
    out = []
    for method in PROMPTED:
        asked, unread = replies(records, method)
        lost = sum(unread.values())
        why = "; ".join(f"{why}: {n}" for why, n in unread.most_common() if n)
        calls = sum(r["checks"][method]["n_calls"] for r in records)
        out.append([method, asked, f"{100 * (asked - lost) / asked:.1f} %" if asked else "-",
                    why or "-", f"{calls / len(records):.1f}"])
    print_table(["method", "judgements", "read", "the others", "calls a trace"], out)


def answered(records):
    """What the model says when asked: the share of "mistake" where one was and was not shown."""
    out = []
    for method in ("direct-step", "cot-step"):
        said = {True: Counter(), False: Counter()}
        for r in records:
            for v in verdicts(r, method):
                # Later steps have no label of their own.
                if r["label"] is None or v["step"] <= r["label"]:
                    if not (v.get("explanation") or "").startswith(NOT_ASKED):
                        said[v["step"] == r["label"]][v["verdict"]] += 1
        row = [method]
        for wrong in (False, True):
            n = said[wrong]["support"] + said[wrong]["contradict"]
            row += [n, f"{100 * said[wrong]['contradict'] / n:.1f} %" if n else "-"]
        out.append(row)
    print_table(["method", "right steps asked of", "called wrong", "first mistakes asked of",
                 "called wrong"], out)


def of_check(rows):
    return {(r.get("check", r.get("locator")), r["task"]): r for r in rows}


def table4(work, records, tasks):
    rows = of_check(work.rows("table7", records))
    unread = of_check(work.rows("table4", records))
    out = []
    for method in (*PROMPTED, "rule-based verifiers", "step classifier"):
        # One task is its own mean.
        mean = rows.get((method, None)) or rows.get((method, tasks[0]))
        if mean:
            missing = unread.get((method, None)) or unread[method, tasks[0]]
            n = len(records) if len(tasks) == 1 else len(records) / len(tasks)
            out.append([method, *(shown(rows[method, task]["location"]) for task in tasks),
                        shown(mean["location"]), f"{100 * missing['no_prediction'] / n:.0f} %"])
    best = [rows[PROMPTED[0], task]["best_constant"] for task in tasks]
    mean = sum(x["value"] for x in best) / len(best)
    out.append(["best constant location", *(shown(x) for x in best), f"{100 * mean:.1f}", "-"])
    print_table(["located by", *tasks, "mean of tasks", "no prediction"], out)


def table5(work, records, tasks):
    rows = of_check(work.rows("table5", records))
    whole = of_check(work.rows("table5", together(records)))
    out = [[method, *(shown(rows[method, task]["weighted_f1"]) for task in tasks),
            shown(whole[method, "all"]["weighted_f1"])]
           for method in (*PROMPTED, "rule-based verifiers", "step classifier") if (method, "all") in whole]
    one = PROMPTED[0]
    out.append(["always wrong", *(shown(rows[one, task]["always_wrong"]) for task in tasks),
                shown(whole[one, "all"]["always_wrong"])])
    print_table(["located by", *tasks, "all traces"], out)


def table9(work, records, tasks):
    rows = of_check(work.rows("table9", records))
    whole = of_check(work.rows("table9", together(records)))
    out = []
    for method in (*PROMPTED, "rule-based verifiers", "step classifier"):
        if (method, "all") in whole:
            cells = [*(rows[method, task] for task in tasks), whole[method, "all"]]
            for name, column in (("without", "without_mistake"), ("with", "with_mistake")):
                out.append([method, name, *(shown(c[column]) for c in cells)])
    print_table(["located by", "mistake", *tasks, "all traces"], out)


def print_counts(drawn, left):
    rows = []
    for task, records in drawn.items():
        kept = [r for r in left if r["task"] == task]
        rows.append([task, len(records), len(records) - len(kept),
                     sum(r["label"] is not None for r in kept),
                     sum(r["answer"] is None or r["answer"].strip() != r["gold"].strip()
                         for r in kept),
                     f"{sum(len(r['steps']) for r in kept) / len(kept):.1f}" if kept else "-"])
    print_table(["task", "traces", "too long for the context", "of the others with a mistake",
                 "with a wrong answer", "steps"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser, n=60, recorded=40, seed=900)
    work = Work(parser.parse_args())
    for kind, title in (("made", "Generated traces"), ("recorded", "Recorded traces")):
        if not (work.args.n if kind == "made" else work.args.recorded):
            continue
        drawn = {task: [renamed(r) for r in checked(work, kind, task)]
                 for task in work.args.task or TASKS}
        left = [r for records in drawn.values() for r in records if not too_long(r)]
        tasks = [task for task in drawn if any(r["task"] == task for r in left)]
        print(f"## {title}\n")
        print_counts(drawn, left)
        if not tasks:
            print("None is left.\n")
            continue
        print("### Replies\n")
        print_replies(left)
        answered(left)
        print("### Table 4: first error located exactly\n")
        table4(work, left, tasks)
        print("### Table 5: weighted F1 of an error as a predictor of a wrong answer\n")
        table5(work, left, tasks)
        print("### Table 9: location accuracy of traces without and with an error\n")
        table9(work, left, tasks)
    print(f"{sum(work.seconds.values()):.0f} s for what was not there yet.", file=sys.stderr)


if __name__ == "__main__":
    main()
