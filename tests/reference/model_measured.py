#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/measured/model.md: the built-in model as generator and checker on questions
worded in ways that its training never saw (train/questions.py).

    model_measured.py REDERIVE WORK [--n 25] [--chains 10] [--seed 900] [--task NAME]... > tables.md

WORK keeps journals and records, so that a run can be cut and continued. Truth is what programs know
of each step (train/judge.py): the outcome it should have, given what the earlier steps say."""
import argparse
import json
import os
import random
import sys
from bisect import bisect_left, bisect_right
from collections import Counter, defaultdict
from pathlib import Path
from statistics import stdev

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "train"))
from examples import TASKS  # noqa: E402
from judge import first_error, judge, outcome  # noqa: E402
from measured_work import Work, lines_of, print_table, write_lines  # noqa: E402
from questions import make, record  # noqa: E402

METHODS = ["selfcheck", "global", "single-stage", "error-check", "error-check-1shot"]


class Checks(Work):
    def checked(self, task):
        """Chains of the task with every check, labelled by what programs know."""
        a = self.args
        questions = self.kept(f"{task}.questions.jsonl", lambda out: write_lines(
            out, (record(f"{task}-test-{a.seed}-{k}") for k in range(a.n))))
        common = ["-q", "--model", "builtin", "--seed", a.seed]

        def solve(out):
            self.rederive("solve", *common, "--chains", a.chains, "--stop", "none", "--journal",
                          self.folder / f"{task}.journal", "--out", self.folder / f"{task}.votes.jsonl",
                          "--chains-out", out, "--in", questions)

        chains = self.kept(f"{task}.chains.jsonl", solve)

        def check(out):
            self.rederive("check", *common, "--method", ",".join(METHODS), "--journal",
                          self.folder / f"{task}.check.journal", "--out", out, "--in", chains)

        checked = self.kept(f"{task}.checked.jsonl", check)
        return self.kept(f"{task}.labelled.jsonl", lambda out: label(checked, out))

    def figures(self, path, *arguments):
        return json.loads(self.rederive("eval", "-q", "--json", *arguments, path))["figures"]


def problem_of(chain):
    return make(chain["question_id"])


def label(checked, out):
    write_lines(out, ({**chain, "label": first_error(problem_of(chain), chain["steps"]) if chain["steps"] else None}
                      for chain in lines_of(checked)))


def percent(figure, digits=1):
    if figure is None or figure.get("value") is None:
        return "-"
    text = f"{100 * figure['value']:.{digits}f}"
    return text if figure.get("stderr") is None else f"{text} ± {100 * figure['stderr']:.{digits}f}"


def pool(work, paths):
    """The chains of all tasks in one file."""
    return write_lines(work.folder / "all.labelled.jsonl", (chain for path in paths.values() for chain in lines_of(path)))


def answers(work, paths):
    print("## Answers\n")
    rows = []
    for task, path in paths.items():
        f = work.figures(path, "-w", "confidence:selfcheck")
        rows.append([task] + [percent(f.get(k)) for k in (
            "accuracy.chain", "accuracy.majority", "accuracy.weighted", "accuracy.best", "accuracy.oracle",
            "gain.weighted", "gain.best")])
    print_table(["task", "one chain", "majority", "SelfCheck-weighted", "best by SelfCheck", "any chain right",
                 "gain of weighing", "gain of the best"], rows)


def checks(work, paths, pooled):
    print("## Checks: is the answer correct?\n\nThe area under the ROC curve of each method's confidence.\n")
    rows = []
    for task, path in paths.items():
        rows.append([task] + [percent(work.figures(path, "-w", f"confidence:{m}").get("auc")) for m in METHODS])
    print_table(["task"] + METHODS, rows)
    against_global(paths)
    roc(work, pooled)


def area(pairs):
    """Under the ROC curve of (confidence, is it right); None where all are right, or none. By ranks: the
    bootstrap asks for 12,000 of them, too many to compare all pairs, as mistakes.py does."""
    order = sorted(confidence for confidence, _ in pairs)
    below = {c: (bisect_left(order, c) + bisect_right(order, c) - 1) / 2 for c in set(order)}
    right = [c for c, is_right in pairs if is_right]
    wrong = len(pairs) - len(right)
    if not right or not wrong:
        return None
    return (sum(below[c] for c in right) - len(right) * (len(right) - 1) / 2) / (len(right) * wrong)


def confidences(paths):
    """[questions of a task as lists of ({method: confidence}, is it right)], task by task."""
    tasks = []
    for path in paths.values():
        questions = defaultdict(list)
        for chain in lines_of(path):
            if chain["steps"]:
                right = str(chain.get("answer")).strip("().").lower() == chain["gold"].strip("().").lower()
                questions[chain["question_id"]].append(
                    ({m: chain["checks"][m]["confidence"] for m in METHODS}, right))
        tasks.append(list(questions.values()))
    return tasks


def against_global(paths, draws=300):
    """Mean over the tasks of each method's area, less that of global on the same chains."""
    rng = random.Random(1)

    def means(tasks):
        out = {}
        for method in METHODS:
            areas = [area([(c[method], right) for question in task for c, right in question if c[method] is not None])
                     for task in tasks]
            areas = [a for a in areas if a is not None]
            out[method] = sum(areas) / max(1, len(areas))
        return out

    tasks = confidences(paths)
    found = means(tasks)
    drawn = [means([rng.choices(task, k=len(task)) for task in tasks]) for _ in range(draws)]
    rows = []
    for method in METHODS:
        less = [d[method] - d["global"] for d in drawn]
        rows.append([method, f"{100 * found[method]:.1f} ± {100 * stdev(d[method] for d in drawn):.1f}",
                     "" if method == "global" else
                     f"{100 * (found[method] - found['global']):+.1f} ± {100 * stdev(less):.1f}"])
    print("The mean of the tasks, and the difference from `global` on the same chains, with standard errors from "
          f"{draws} draws of the questions:\n")
    print_table(["method", "area", "less that of global"], rows)


def roc(work, pooled):
    """The curves of all tasks together, by the share of wrong chains that is accepted."""
    at = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9]
    rows = []
    for method in METHODS:
        said = json.loads(work.rederive("eval", "-q", "--json", "--recipe", "selfcheck:fig4", "-w",
                                        f"confidence:{method}", pooled))["series"][0]
        points = [(row["fpr"]["value"], row["tpr"]["value"]) for row in said["rows"]] + [(1, 1)]
        row = [method, percent(said["auc"])]
        for x in at:
            between = [(a, b) for a, b in zip(points, points[1:]) if a[0] <= x <= b[0]]
            if between:  # there is none where no chain is wrong
                (x0, y0), (x1, y1) = between[0]
                row.append(f"{100 * (y0 + (y1 - y0) * (x - x0) / (x1 - x0 or 1)):.0f}")
            else:
                row.append("-")
        rows.append(row)
    print("The curves of all tasks together (`--recipe selfcheck:fig4`): "
          "the share of correct chains that is accepted at each share of accepted wrong chains.\n")
    print_table(["method", "area"] + [f"{100 * x:.0f} %" for x in at], rows)


def locations(paths):
    print("## The first wrong step\n\nShare of chains whose first error is located exactly; in brackets, "
          "the share of chains with an error and of chains without one.\n")
    rows = []
    for task, path in paths.items():
        row = [task]
        for method in ["selfcheck"] + METHODS[2:]:
            right, n = Counter(), Counter()
            for chain in lines_of(path):
                check = chain["checks"].get(method)
                if not check or not chain["steps"]:
                    continue
                wrong = chain["label"] is not None
                n[wrong] += 1
                right[wrong] += check["first_error"] == chain["label"]
            share = {w: f"{100 * right[w] / n[w]:.1f}" if n[w] else "-" for w in (True, False)}
            both = (right[True] + right[False]) / max(1, n[True] + n[False])
            row.append(f"{100 * both:.1f} ({share[True]}, {share[False]})")
        rows.append(row + [sum(n.values()), n[True]])
    print_table(["task", "selfcheck"] + METHODS[2:] + ["chains", "with an error"], rows)


def stages(paths):
    """What each stage of SelfCheck did, against what programs know of the step."""
    print("## The stages of SelfCheck\n")
    rows, confusion = [], Counter()
    for task, path in paths.items():
        c = Counter()
        for chain in lines_of(path):
            problem = problem_of(chain)
            judged = judge(problem, chain["steps"])
            for verdict in chain["checks"]["selfcheck"]["verdicts"]:
                i, evidence = verdict["step"], verdict.get("evidence", {})
                c["steps"] += 1
                c["read"] += verdict["verdict"] != "unknown"
                if i >= len(problem.steps) or judged[i][1] is None:
                    continue
                true = {("information", k) for k in problem.steps[i].info} | {("steps", k) for k in problem.steps[i].prev}
                named = {(kind, k) for kind in ("information", "steps") for k in evidence.get("collected", {}).get(kind, [])}
                c["named"] += len(named)
                c["true"] += len(true)
                c["both"] += len(named & true)
                if "regenerated" not in evidence:
                    continue
                due, redone = judged[i][1], outcome(task, evidence["regenerated"])
                c["regenerated"] += 1
                c["redone"] += redone == due
                if verdict["verdict"] != "unknown":
                    confusion[(redone == judged[i][0], verdict["verdict"])] += 1
        rows.append([task, c["steps"], f"{100 * c['read'] / max(1, c['steps']):.1f}",
                     f"{100 * c['both'] / max(1, c['named']):.1f}", f"{100 * c['both'] / max(1, c['true']):.1f}",
                     f"{100 * c['redone'] / max(1, c['regenerated']):.1f}"])
    print_table(["task", "steps", "verdicts read %", "collect: precision %", "collect: recall %", "regenerated right %"], rows)
    print("Comparison over all tasks, for outcomes that are the same and outcomes that differ:\n")
    verdicts = ["support", "unrelated", "contradict"]
    print_table(["outcomes"] + verdicts, [[name] + [confusion[(same, v)] for v in verdicts]
                                          for same, name in ((True, "the same"), (False, "different"))])


def curves(work, pooled):
    print("## More chains\n\nAll tasks pooled, by `eval --recipe selfcheck:fig2`.\n")
    said = json.loads(work.rederive("eval", "-q", "--json", "--recipe", "selfcheck:fig2", pooled))
    rows = [[row.get("n_chains"), percent(row["accuracy.majority"]), percent(row["accuracy.weighted"]),
             percent(row["gain.weighted"])] for row in said["series"][0]["rows"]]
    print_table(["chains", "majority", "weighted", "gain"], rows)
    said = json.loads(work.rederive("eval", "-q", "--json", "--recipe", "selfcheck:table2", "--split", "2", pooled))
    print("The variants, with weights and thresholds fitted on the other half (`--recipe selfcheck:table2 --split 2`):\n")
    rows = [[s["check"], percent(s["rows"][0]["tpr"]), percent(s["rows"][0]["tnr"]),
             percent(s["rows"][0]["balanced_accuracy"])] for s in said["series"]]
    print_table(["method", "right chains accepted", "wrong chains rejected", "mean"], rows)
    parts = defaultdict(float)
    for name, seconds in work.seconds.items():
        parts[name.split(".")[1]] += seconds
    if parts:
        print("Seconds: " + ", ".join(f"{k} {v:.0f}" for k, v in parts.items()) + ".\n")


def premises(work):
    """What the collect stage names, against the premises that PARC's annotators name. A chain of the recorded
    ones is longer than anything the model was taught; those whose prompts fit its context are asked of."""
    folder = Path(os.environ.get("RDV_SHARED", ROOT / "../shared/data")) / "parc/datasets/gsm8k"
    if not folder.is_dir():
        print("PARC is not at hand: its premises were not compared.\n")
        return
    chains = []
    for path in sorted(folder.glob("*.jsonl")):
        for n, row in enumerate(lines_of(path)):
            if len(row["steps"]) <= 5 and sum(map(len, row["steps"])) < 900:
                chains.append((f"{path.stem}-{n}", row))
    chains = chains[:work.args.premises]

    source = work.kept("parc.chains.jsonl", lambda out: write_lines(
        out, ({"id": name, "question": row["question"], "steps": row["steps"]} for name, row in chains)))
    checked = work.kept("parc.checked.jsonl", lambda out: work.rederive(
        "check", "-q", "--model", "builtin", "--method", "error-check", "--journal", work.folder / "parc.journal", "--out",
        out, "--in", source))
    c = Counter()
    rows = dict(chains)
    for chain in lines_of(checked):
        said = {p["step_number"]: {k for k, _ in p["premises"]} for p in
                rows[chain["id"]]["premise_annotation"]["steps"]}
        for verdict in chain["verdicts"]:
            true = {k for k in said.get(verdict["step"] + 1, set()) if k <= verdict["step"]}
            collected = verdict.get("evidence", {}).get("collected")
            c["steps"] += 1
            if not true or not collected or collected.get("all_items"):
                continue
            named = {k + 1 for k in collected.get("steps", [])} | ({0} if collected.get("information") else set())
            c["read"] += 1
            c["named"] += len(named)
            c["true"] += len(true)
            c["both"] += len(named & true)
    print("## Premises of recorded chains\n")
    print(f"PARC, GSM8K part, {len(chains)} short chains: {c['read']} of {c['steps']} steps had a readable collection. "
          f"{100 * c['both'] / max(1, c['named']):.1f} % of the collected items are premises according to the annotators, and they cover "
          f"{100 * c['both'] / max(1, c['true']):.1f} % of the premises (any sentence of the question counts as the question).\n")


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("program")
    a.add_argument("work")
    a.add_argument("--n", type=int, default=25)
    a.add_argument("--chains", type=int, default=10)
    a.add_argument("--seed", type=int, default=900)
    a.add_argument("--premises", type=int, default=60, help="PARC's chains to look at")
    a.add_argument("--task", action="append", choices=TASKS)
    work = Checks(a.parse_args())
    paths = {task: work.checked(task) for task in work.args.task or TASKS}
    pooled = pool(work, paths)
    answers(work, paths)
    checks(work, paths, pooled)
    locations(paths)
    stages(paths)
    curves(work, pooled)
    premises(work)


if __name__ == "__main__":
    main()
