#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of "LLMs cannot find reasoning errors, but can correct them", computed a second time:
from records as check and repair write them, or as the data set was released.

    tests/reference/mistakes.py mistakes:table4 FILE...

Prints {"rows": [...]} like `rederive eval --recipe ... --json`, figures as {"value", "n"} and plain
numbers. Standard errors are held to formulas elsewhere (tests/unit/score), not here. Which traces
are drawn is read from the program's own hash, written again below.
"""
import json
import os
import sys

MASK = (1 << 64) - 1


# ---- the hash of ids ------------------------------------------------------------------------------

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from recipes import hash_of  # noqa: E402


# ---- traces ---------------------------------------------------------------------------------------

def released(record, name, number):
    """A line of the release as a record."""
    index = record["mistake_index"]
    return {"id": f"{name}/{number}", "task": name, "dataset": "big-bench-mistake", "question": record["input"],
            "steps": record["steps"], "answer": record["answer"], "gold": record["target"],
            "label": index}


def right(answer, gold):
    return answer is not None and answer.strip() == gold.strip()


def source_of(record, check):
    """Who checked, in which profile, and who generated; a check may name its own maker."""
    own = check if check.get("checker") is not None else record
    return own.get("checker"), own.get("profile"), record.get("generator")


def trace_of(record):
    repair = record.get("repair")
    checks = dict(record.get("checks") or {})
    if "method" in record and record["method"] not in checks:
        checks[record["method"]] = record
    checks = {(name, *source_of(record, check)): check for name, check in checks.items()}
    return {"task": (record.get("task") or record["id"].split("/")[0], record.get("dataset")),
            "id": record["id"], "origin": record.get("generator"),
            "repairer": repair and (repair["locator"], record.get("checker"), repair.get("profile"),
                                    repair.get("generator")),
            "steps": len(record["steps"]), "labelled": "label" in record,
            "label": record.get("label"),
            "right": right(record.get("answer"), record["gold"]), "checks": checks,
            "repair": repair,
            "before": right(repair["answer_before"], record["gold"]) if repair else None}


def read(paths):
    for path in paths:
        name = os.path.basename(path).split(".")[0]
        with open(path, encoding="utf-8") as file:
            for number, line in enumerate(file):
                record = json.loads(line)
                yield trace_of(released(record, name, number) if "mistake_index" in record
                               else record)


def unique(values):
    return list(dict.fromkeys(values))


def drawn(traces, seed):
    """Those that stand for Dyck languages with more than a fifth of right answers; None: it is another task, or has no more."""
    before = [t["right"] if t["repair"] is None else t["before"] for t in traces]
    wrong = sum(not b for b in before)
    if traces[0]["task"][0] != "dyck_languages" or sum(before) * 5 <= len(traces):
        return None
    wanted = wrong * 15 // 85
    order = sorted((i for i, b in enumerate(before) if b),
                   key=lambda i: (hash_of(traces[i]["id"], seed), i))
    keep = set(order[:wanted]) | {i for i, b in enumerate(before) if not b}
    return [t for i, t in enumerate(traces) if i in keep]


# ---- figures --------------------------------------------------------------------------------------

def share(hits):
    hits = list(hits)
    return {"value": sum(hits) / len(hits) if hits else None, "n": len(hits)}


def found(check, n_steps):
    """A step, None for no mistake, or "nothing" where no verdict was read."""
    if all(v["verdict"] == "unknown" for v in check["verdicts"]):
        return "nothing"
    return check["first_error"]


def f1(pairs, positive):
    hit = sum(truth == positive and said == positive for truth, said in pairs)
    total = sum(truth == positive for truth, _ in pairs) + sum(said == positive for _, said in pairs)
    return 2 * hit / total if total else 0.0


def weighted_f1(pairs):
    value = sum(f1(pairs, kind) * sum(truth == kind for truth, _ in pairs)
                for kind in (True, False))
    return {"value": value / len(pairs), "n": len(pairs)}


def auc(scored):
    above = sum((a > b) + (a == b) / 2 for a, is_right in scored if is_right
                for b, other in scored if not other)
    pairs = sum(r for _, r in scored) * sum(not r for _, r in scored)
    return {"value": above / pairs if pairs else None, "n": len(scored)}


def counts_row(traces, _):
    return {"n_correct": sum(t["right"] for t in traces), "n_incorrect": sum(not t["right"] for t in traces),
            "n_with_mistake": sum(t["label"] is not None for t in traces), "n_traces": len(traces),
            "mean_steps": sum(t["steps"] for t in traces) / len(traces)}


def with_check(traces, name):
    return [(t, found(t["checks"][name], t["steps"])) for t in traces
            if name in t["checks"] and t["labelled"]]


def difference(traces, name, baseline):
    """Of the shares of located traces, both checks on the same traces; questions are traces here."""
    both = [t for t in traces if t["labelled"] and name in t["checks"] and baseline in t["checks"]]
    change = [sum((found(t["checks"][c], t["steps"]) == t["label"]) * sign for c, sign in ((name, 1), (baseline, -1)))
              for t in both]
    n = len(change)
    mean = sum(change) / n
    return {"value": mean, "n": n, "stderr": (sum((c - mean) ** 2 for c in change) / (n - 1) / n) ** 0.5}


def location_row(traces, name, baseline=None):
    pairs = with_check(traces, name)
    return pairs and {"location": share(f == t["label"] for t, f in pairs),
                      "n_no_prediction": sum(f == "nothing" for _, f in pairs),
                      **({"baseline": baseline[0], "delta.location": difference(traces, name, baseline)} if baseline else {})}


def answers_row(traces, name):
    said = [(t["right"], None if f == "nothing" else f is None) for t, f in with_check(traces, name)]
    return said and {"weighted_f1": weighted_f1(said),
                     "always_wrong": weighted_f1([(truth, False) for truth, _ in said])}


def rewards_row(traces, name):
    pairs = with_check(traces, name)
    if not pairs:
        return None
    labels = [t["label"] for t, _ in pairs]
    scored = [(v["score"], t["label"] is None or v["step"] < t["label"]) for t, _ in pairs
              for v in t["checks"][name]["verdicts"]
              if v["score"] is not None and (t["label"] is None or v["step"] <= t["label"])]
    return {"location": location_row(traces, name)["location"],
            "weighted_f1": answers_row(traces, name)["weighted_f1"],
            "best_constant": {"value": max(labels.count(x) for x in set(labels)) / len(labels),
                              "n": len(labels)}, "step_auc": auc(scored)}


def split_row(traces, name):
    pairs = with_check(traces, name)
    return pairs and {
        "without_mistake": share(f is None for t, f in pairs if t["label"] is None),
        "with_mistake": share(f == t["label"] for t, f in pairs if t["label"] is not None)}


def repairs_row(traces, locator):
    some = [t for t in traces if t["repairer"] == locator]
    if not some:
        return None
    lost = share(not t["right"] for t in some if t["before"])
    return {"delta.correct": {**lost, "value": None if lost["value"] is None else -lost["value"]},
            "delta.incorrect": share(t["right"] for t in some if not t["before"]),
            "n_correct": sum(t["before"] for t in some), "n_incorrect": sum(not t["before"] for t in some),
            "mean_steps": sum(t["repair"]["n_steps_before"] for t in some) / len(some),
            "mean_calls": sum(t["repair"]["n_calls"] for t in some) / len(some)}


def accuracy_of(locator):
    text = locator.removeprefix("simulated:")
    return float(text.rstrip("%")) / (100 if text.endswith("%") else 1)


# ---- tables ---------------------------------------------------------------------------------------

ROWS = {"table2": counts_row, "table4": location_row, "table5": answers_row, "table6": repairs_row,
        "table7": rewards_row, "table9": split_row, "fig1": split_row, "fig2": repairs_row}
MEANS = {"table4", "table6", "table7", "fig1"}


LABELS = ("check", "locator", "task", "group", "generator", "checker", "profile", "subsampled")


def mean_of(rows):
    out = {}
    for name, value in rows[0].items():
        if isinstance(value, dict):
            values = [row[name]["value"] for row in rows]
            out[name] = {"value": None if None in values else sum(values) / len(values),
                         "n": sum(row[name]["n"] for row in rows)}
        elif name not in LABELS:
            out[name] = sum(row[name] for row in rows) / len(rows)
    return out


def labelled(kind, of, task, subsampled):
    """The labels of a row of a maker: its name, who checked, in which profile, who generated."""
    name, checker, profile, generator = of
    return {kind: name, "checker": checker, "profile": profile, "generator": generator,
            "task": task[0], "group": task[1], "subsampled": subsampled}


def merged(traces):
    """The checks of a trace may come in several records."""
    out = {}
    for t in traces:
        key = (t["id"], t["task"], t["origin"], t["repairer"])
        if t["repairer"] is None and key in out:
            assert not set(out[key]["checks"]) & set(t["checks"]) and t["checks"], key
            out[key]["checks"].update(t["checks"])
        else:
            out[key] = {**t, "checks": dict(t["checks"])}
    return list(out.values())


def task_rows(traces, task, kind, of, row, seed):
    """The whole task, and what is drawn of it. What a locator left is drawn among its own."""
    if kind == "locator":
        some = [t for t in traces if t["task"] == task and t["repairer"] == of]
    else:
        some = [t for t in traces if t["task"] == task and t["origin"] == of[3]]
    groups = [[t for t in some if t["repairer"] == by] for by in unique(t["repairer"] for t in some)]
    parts = [drawn(group, seed) for group in groups]
    rows = [(False, row(some, of))] if some else []
    if any(part is not None for part in parts):
        rows.append((True, row([t for group, part in zip(groups, parts)
                                for t in (group if part is None else part)], of)))
    return [{**labelled(kind, of, task, d), **cells} for d, cells in rows if cells]


def compute(recipe, traces, seed=0):
    name = recipe.removeprefix("mistakes:")
    traces = merged(traces)
    row, tasks = ROWS[name], unique(t["task"] for t in traces)
    repairers = unique(t["repairer"] for t in traces if t["repair"])
    kind = "locator" if name in ("table6", "fig2") else "check"
    if name == "table2":
        ofs = [(None, None, None, origin) for origin in unique(t["origin"] for t in traces)]
    elif name in ("table6", "fig2"):
        ofs = repairers
    else:
        ofs = unique(m for t in traces for m in t["checks"])
    if name == "fig2":
        ofs = sorted((x for x in repairers if x[0].startswith("simulated:")), key=lambda x: accuracy_of(x[0]))
        return [{**r, "accuracy": accuracy_of(of[0])} for task in tasks for of in ofs
                for r in task_rows(traces, task, kind, of, row, seed)]
    out = []
    names = unique(of[0] for of in ofs)
    for of in sorted(ofs, key=lambda of: names.index(of[0])):
        all_rows, whole, small = [], [], []
        for task in tasks:
            rows = task_rows(traces, task, kind, of, row, seed)
            all_rows += rows
            whole += [r for r in rows if not r["subsampled"]]
            small += [r for r in rows if r["subsampled"] == any(r["subsampled"] for r in rows)]
        groups = unique(r["group"] for r in all_rows)
        task, means = (None, groups[0] if len(groups) == 1 else None), []
        if name in MEANS and len(all_rows) > 1:
            means.append({**labelled(kind, of, task, False), **mean_of(whole)})
            if any(r["subsampled"] for r in all_rows) and len(all_rows) > 2:
                means.append({**labelled(kind, of, task, True), **mean_of(small)})
        out += means if name == "fig1" and means else all_rows + means
    return out


if __name__ == "__main__":
    print(json.dumps({"rows": compute(sys.argv[1], list(read(sys.argv[2:])))}))
