# SPDX-License-Identifier: Apache-2.0
"""Writes docs/measured/reward.md: what learned verifiers of steps reach, row by row.

    python step_table.py PROGRAM FOLDER > docs/measured/reward.md

FOLDER is what steps.sh made: chains as JSON Lines, and the scores and notes of steps.py."""
import collections
import json
import os
import sys

import numpy as np

import step_chains
import step_rows as rows
from step_chains import REPORT

TASKS = ["word_sorting", "tracking_shuffled_objects", "logical_deduction", "multistep_arithmetic", "dyck_languages"]
MATH = ["gsm8k", "math", "parc", "mr-ben", "stepverify"]
# The paper's Table 4 (PaLM 2's best column), Table 7 (difference of its reward model to a zero-shot prompt), Table 8.
PALM = dict(zip(TASKS, (16.33, 55.67, 38.00, 23.67, 17.91)))
TABLE7 = dict(zip(TASKS, (11.66, 19.67, -0.67, 4.00, 22.59)))
TABLE8 = dict(zip(TASKS, (6800, 8000, 9000, 10000, 10000)))

GENERAL = ("calculation", "agreement", "form", "position", "probability")
LM_FROZEN, LM_TUNED = "language model, head on frozen states", "language model, fine-tuned"


def note(folder, name):
    path = os.path.join(folder, name)
    if os.path.exists(path) and os.path.getsize(path):
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    return {}


class Setting:
    """Chains to learn from, to validate on, and to measure, and what each scorer says of them."""

    def __init__(self, program, folder, training, validation, measured):
        self.program, self.folder = program, folder
        self.training, self.validation, self.measured = training, validation, measured
        self.judged = validation + measured
        self.scores = {}

    def learn(self, name, scorer):
        self.scores[name] = scorer(self.training, self.judged)

    def trees(self, name, families):
        self.learn(name, rows.Trees(self.program, self.folder, families))

    def read(self, name, path):
        said = rows.written(os.path.join(self.folder, path))
        if said is not None and all(rows.key(c) in said for c in self.judged):
            self.scores[name] = said

    def mix(self, name, first, second):
        if first in self.scores and second in self.scores:
            self.scores[name] = rows.mixed(self.scores[first], self.scores[second], self.validation, self.judged)

    def all_rows(self, lm):
        """lm: {name: path of scores}."""
        self.learn("position alone", rows.numbers_alone(rows.position))
        self.learn("length alone", rows.numbers_alone(rows.length))
        self.learn("bag of words alone", rows.words_alone)
        self.trees("written features, general ones", GENERAL)
        for name, path in lm.items():
            self.read(name, path)
        best = LM_TUNED if LM_TUNED in self.scores else LM_FROZEN
        self.mix("language model + general features", best, "written features, general ones")
        self.trees("rule checks alone (`consistency`)", ("consistency",))
        self.trees("written features, all", rows.FAMILIES)
        self.mix("language model + all features", best, "written features, all")

    def found(self, name, measure):
        """The threshold that the validation questions choose, and the location in each measured chain."""
        scores = self.scores[name]
        at, _ = step_chains.fit_threshold(self.validation, [scores[rows.key(c)] for c in self.validation], measure)
        return [step_chains.locate(scores[rows.key(c)], at) for c in self.measured]


def constant(chains):
    return collections.Counter(c.label for c in chains).most_common(1)[0][1]


def cell(right, n):
    p, low, high = rows.wilson(right, n)
    return f"{p:.1f} ({low:.0f} to {high:.0f})"


def put_table(head, body):
    print("| " + " | ".join(head) + " |")
    print("|" + " --- |" * len(head))
    for row in body:
        print("| " + " | ".join(row) + " |")
    print()


# ---- BIG-Bench Mistake ---------------------------------------------------------------------------

def location_table(settings, wanted):
    """A row for each scorer, a column for each task. settings: {task: its setting}; wanted(chain): is it measured?"""
    measured = {t: [i for i, c in enumerate(s.measured) if c.task == t and wanted(c)] for t, s in settings.items()}
    head = ["scorer", *(f"{t} ({len(measured[t])})" for t in TASKS), "mean", "above the constant", "AUC"]
    constants = {t: 100 * constant([settings[t].measured[i] for i in measured[t]]) / len(measured[t]) for t in TASKS}
    body = [["best constant location", *(f"{constants[t]:.1f}" for t in TASKS),
             f"{sum(constants.values()) / len(TASKS):.1f}", "-", "-"]]
    for name in dict.fromkeys(name for s in settings.values() for name in s.scores):
        cells, shares, areas = [], {}, []
        for t in TASKS:
            if name not in settings[t].scores:
                cells.append("-")
                continue
            found = settings[t].found(name, step_chains.accuracy)
            right = sum(found[i] == settings[t].measured[i].label for i in measured[t])
            shares[t] = 100 * right / len(measured[t])
            areas.append(rows.area([settings[t].measured[i] for i in measured[t]], settings[t].scores[name]))
            cells.append(cell(right, len(measured[t])))
        whole = len(shares) == len(TASKS)
        body.append([name, *cells, f"{sum(shares.values()) / len(shares):.1f}" if whole else "-",
                     f"{sum(shares[t] > constants[t] for t in shares)} of {len(shares)}",
                     f"{sum(areas) / len(areas):.2f}" if whole else "-"])
    put_table(head, body)


def held_out(program, folder, chains, task):
    others = [c for c in chains if c.task != task]
    setting = Setting(program, folder, *rows.parts(others), [c for c in chains if c.task == task])
    setting.all_rows({LM_FROZEN: f"rec-{task}.frozen", LM_TUNED: f"rec-{task}.scores",
                      "the same, with generated traces": f"made-{task}.scores"})
    return setting


def mistakes(program, folder):
    chains = [c for task in TASKS for c in step_chains.read(os.path.join(folder, task + ".jsonl"), task)]
    settings = {task: held_out(program, folder, chains, task) for task in TASKS}
    print("### The third that was kept aside\n")
    location_table(settings, lambda c: c.part == REPORT)
    print("### The other two thirds, which were looked at during development\n")
    location_table(settings, lambda c: c.part != REPORT)


def in_task(program, folder):
    """Other questions of the same tasks: how much is learned at all."""
    chains = [c for task in TASKS for c in step_chains.read(os.path.join(folder, task + ".jsonl"), task)]
    setting = Setting(program, folder, *rows.parts(chains), [c for c in chains if c.part == REPORT])
    setting.all_rows({LM_FROZEN: "all.frozen", LM_TUNED: "all.scores"})
    location_table({task: setting for task in TASKS}, lambda c: True)
    said = note(folder, "all.json")
    if said:
        print(f"The fine-tuned model's checkpoint is step {said['chosen_steps']} of {said['steps']}.\n")


def paper(folder):
    body = []
    for t in TASKS:
        said, made = note(folder, f"rec-{t}.json"), note(folder, f"made-{t}.json")

        def chosen(of):
            return f"{of['chosen_steps']} of {of['steps']}" if "chosen_steps" in of else "-"
        body.append([t, f"{PALM[t]:.2f}", f"{TABLE7[t]:+.2f}", str(TABLE8[t]), chosen(said), chosen(made)])
    put_table(["held-out task", "PaLM 2's best column (Table 4)", "the paper's reward model, difference (Table 7)",
               "its training steps (Table 8)", "ours", "ours, with generated traces"], body)


# ---- GSM8K's part of ProcessBench ----------------------------------------------------------------

def mathematics(program, folder):
    chains = [c for name in MATH for c in step_chains.read(os.path.join(folder, name + ".jsonl"), name)]
    training, validation = rows.parts(chains)
    measured = [c for c in chains if c.task == "gsm8k" and c.part == REPORT]
    setting = Setting(program, folder, training, validation, measured)
    setting.all_rows({LM_FROZEN: "math.frozen", LM_TUNED: "math.scores"})
    rng = np.random.default_rng(1)
    body = []
    for name, scores in setting.scores.items():
        found = setting.found(name, rows.f1)
        low, high = rows.f1_interval(measured, found, rng)
        hits = {k: [at == c.label for c, at in zip(measured, found) if (c.label >= 0) == k] for k in (True, False)}
        a, b = (100 * sum(x) / len(x) for x in hits.values())
        body.append([name, f"{2 * a * b / (a + b) if a + b else 0:.1f} ({low:.0f} to {high:.0f})", f"{a:.1f}", f"{b:.1f}"])
    say = note(folder, "math.json")
    print(f"Trained on {len(training)} chains of ProcessBench's GSM8K and MATH parts, PARC, MR-Ben's mathematics and stepverify; "
          f"{len(validation)} chains validate; {len(measured)} chains of the GSM8K part are measured"
          + (f". The fine-tuned model's checkpoint is step {say['chosen_steps']} of {say['steps']}" if say else "")
          + ". A constant location has an F1 of 0.\n")
    put_table(["scorer", "F1 (95 % interval)", "erroneous located", "error-free left alone"], body)


def main():
    program, folder = sys.argv[1:3]
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "step_table.md"), encoding="utf-8") as file:
        texts = iter(file.read().split("<!-- table -->\n"))
    print(next(texts), end="")
    for table in (lambda: mistakes(program, folder), lambda: paper(folder), lambda: in_task(program, folder),
                  lambda: mathematics(program, folder)):
        table()
        print(next(texts), end="")


if __name__ == "__main__":
    main()
