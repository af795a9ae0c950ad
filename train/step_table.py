# SPDX-License-Identifier: Apache-2.0
"""Writes docs/measured/reward.md: what learned verifiers of steps reach, row by row.

    python step_table.py PROGRAM FOLDER > docs/measured/reward.md

FOLDER is what steps.sh made: chains as JSON Lines, and the scores and notes of steps.py."""
import contextlib
import io
import json
import math
import os
import random
import sys

import step_chains
import step_figures as figures
import step_rows as rows
from step_chains import REPORT

TASKS = ["word_sorting", "tracking_shuffled_objects", "logical_deduction", "multistep_arithmetic", "dyck_languages"]
MATH = ["gsm8k", "math", "parc", "mr-ben", "stepverify"]
# The paper's Table 4 (PaLM 2's best column), Table 7 (difference of its reward model to a zero-shot prompt), Table 8.
PALM = dict(zip(TASKS, (16.33, 55.67, 38.00, 23.67, 17.91)))
TABLE7 = dict(zip(TASKS, (11.66, 19.67, -0.67, 4.00, 22.59)))
TABLE8 = dict(zip(TASKS, (6800, 8000, 9000, 10000, 10000)))

GENERAL = ("calculation", "agreement", "form", "position", "probability")
WRITTEN, WRITTEN_MADE = "written features, general ones", "written features, general ones, generated traces too"
LM_PERPLEXITY, LM_TOKENS = "language model, perplexity of the step", "language model, place and token probabilities"
LM_FROZEN = "language model, head on frozen states"
LM_TUNED, LM_WHOLE = "language model, last block fine-tuned", "language model, the whole fine-tuned"
LM_MADE = "language model, last block fine-tuned, generated traces too"


def note(folder, name):
    path = os.path.join(folder, name)
    if os.path.exists(path) and os.path.getsize(path):
        with open(path, encoding="utf-8") as file:
            return json.load(file)
    return {}


class Setting:
    """Chains to learn from, to validate on, and to measure, and what each scorer says of them."""

    def __init__(self, program, folder, training, validation, measured, made=()):
        self.program, self.folder, self.made = program, folder, list(made)
        self.training, self.validation, self.measured = training, validation, measured
        self.judged = validation + measured
        self.scores = {}

    def learn(self, name, scorer, made=()):
        self.scores[name] = scorer(self.training + list(made), self.judged)

    def trees(self, name, families, made=()):
        self.learn(name, rows.Trees(self.program, self.folder, families), made)

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
        self.trees(WRITTEN, GENERAL)
        if self.made:
            self.trees(WRITTEN_MADE, GENERAL, self.made)
        surprise = rows.records(os.path.join(self.folder, "surprise.jsonl"), "surprise")
        if surprise and all(rows.key(c) in surprise for c in self.training + self.judged):
            self.learn(LM_PERPLEXITY, rows.perplexity(surprise))
            self.learn(LM_TOKENS, rows.surprise(surprise))
        for name, path in lm.items():
            self.read(name, path)
        best = next((name for name in (LM_TUNED, LM_WHOLE) if name in self.scores), LM_FROZEN)
        self.mix("language model + general features", best, WRITTEN)
        self.mix("language model + general features, generated traces too", LM_MADE, WRITTEN_MADE)
        self.trees("rule checks alone (`consistency`)", ("consistency",))
        self.trees("written features, all", rows.FAMILIES)
        self.mix("language model + all features", best, "written features, all")

    def of(self, name, chains):
        return [self.scores[name][rows.key(c)] for c in chains]

    def threshold(self, name, measure=step_chains.accuracy):
        """The threshold that the validation questions choose."""
        return step_chains.fit_threshold(self.validation, self.of(name, self.validation), measure)[0]

    def found(self, name, measure):
        """The location in each measured chain."""
        at = self.threshold(name, measure)
        return [step_chains.locate(wrong, at) for wrong in self.of(name, self.measured)]


def cell(right, n):
    p, low, high = figures.wilson(right, n)
    return f"{p:.1f} ({low:.0f} to {high:.0f})"


def put_table(head, body):
    print("| " + " | ".join(head) + " |")
    print("|" + " --- |" * len(head))
    for row in body:
        print("| " + " | ".join(row) + " |")
    print()


# ---- BIG-Bench Mistake ---------------------------------------------------------------------------

def share_right(found, chains):
    return 100 * mean(at == c.label for at, c in zip(found, chains))


def location_table(settings, wanted):
    """A row for each scorer, a column for each task. settings: {task: its setting}; wanted(chain): is it measured?"""
    measured = {t: [i for i, c in enumerate(s.measured) if c.task == t and wanted(c)] for t, s in settings.items()}
    head = ["scorer", *(f"{t} ({len(measured[t])})" for t in TASKS), "mean", "above the constant"]
    chains = {t: [settings[t].measured[i] for i in measured[t]] for t in TASKS}
    constants = {t: share_right([figures.constant(chains[t])] * len(chains[t]), chains[t]) for t in TASKS}
    body = [["best constant location", *(f"{constants[t]:.1f}" for t in TASKS), f"{mean(constants.values()):.1f}", "-"],
            constant_row(settings, chains, constants)]
    for name in dict.fromkeys(name for s in settings.values() for name in s.scores):
        cells, shares = [], {}
        for t in TASKS:
            if name not in settings[t].scores:
                cells.append("-")
                continue
            found = settings[t].found(name, step_chains.accuracy)
            right = sum(found[i] == settings[t].measured[i].label for i in measured[t])
            shares[t] = 100 * right / len(measured[t]) if measured[t] else math.nan
            cells.append(cell(right, len(measured[t])))
        body.append([name, *cells, f"{mean(shares.values()):.1f}" if len(shares) == len(TASKS) else "-",
                     f"{sum(shares[t] > constants[t] for t in shares)} of {len(shares)}"])
    put_table(head, body)


def mean(values):
    """NaN of nothing, as in a trial with few chains."""
    values = list(values)
    return sum(values) / len(values) if values else math.nan


def constant_row(settings, chains, constants):
    """The most frequent label of the chains that are learnt from."""
    learnt = {t: figures.constant(settings[t].training + settings[t].validation) for t in TASKS}
    right = {t: sum(c.label == learnt[t] for c in chains[t]) for t in TASKS}
    shares = {t: 100 * right[t] / len(chains[t]) if chains[t] else math.nan for t in TASKS}
    return ["the training chains' most frequent location", *(cell(right[t], len(chains[t])) for t in TASKS),
            f"{mean(shares.values()):.1f}", f"{sum(shares[t] > constants[t] for t in TASKS)} of {len(TASKS)}"]


def ranking_table(settings, wanted):
    """What the scorers know whatever the threshold; means over the tasks."""
    chains = {t: [c for c in s.measured if c.task == t and wanted(c)] for t, s in settings.items()}
    mistaken = {t: [c for c in chains[t] if c.label >= 0] for t in TASKS}
    oracle, given = (mean(share_right([figures.constant(of[t])] * len(of[t]), of[t]) for t in TASKS)
                     for of in (chains, mistaken))
    chance = 100 * mean(mean(1 / len(c.steps) for c in mistaken[t]) for t in TASKS)
    body = [["best constant location", "-", "-", f"{given:.1f}", f"{oracle:.1f}"],
            ["a step at random", "0.50", "0.50", f"{chance:.1f}", "-"]]
    for name in dict.fromkeys(name for s in settings.values() for name in s.scores):
        if all(name in settings[t].scores for t in TASKS):
            lines = [ranking(settings[t], name, chains[t], mistaken[t]) for t in TASKS]
            area, equal, error, given, own = zip(*lines)
            half = 1.96 * math.sqrt(sum(e * e for e in error)) / len(TASKS)
            body.append([name, f"{mean(area):.2f}", f"{mean(equal):.2f} ± {half:.2f}", f"{mean(given):.1f}", f"{mean(own):.1f}"])
    put_table(["scorer", "AUC", "AUC at equal place", "located, given a mistake", "located, the measured chains' own threshold"],
              body)


def ranking(setting, name, chains, mistaken):
    """The figures of one task, in the order of the columns, the second one's standard error after it."""
    scores = setting.of(name, chains)
    return (figures.area(chains, scores), figures.area_at_equal_place(chains, scores),
            figures.standard_error(figures.area_at_equal_place, chains, scores),
            share_right(map(figures.most_likely, setting.of(name, mistaken)), mistaken),
            step_chains.fit_threshold(chains, scores)[1])


def held_out(program, folder, chains, task):
    others = [c for c in chains if c.task != task]
    made = [c for t in TASKS if t != task for c in made_chains(folder, t)]
    setting = Setting(program, folder, *rows.parts(others), [c for c in chains if c.task == task], made)
    setting.all_rows({LM_FROZEN: f"rec-{task}.frozen", LM_WHOLE: f"whole-{task}.scores", LM_TUNED: f"rec-{task}.scores",
                      LM_MADE: f"made-{task}.scores"})
    return setting


def made_chains(folder, task):
    path = os.path.join(folder, f"made-{task}.jsonl")
    return step_chains.read(path, task, made=True) if os.path.exists(path) else []


def recorded(folder):
    return [c for task in TASKS for c in step_chains.read(os.path.join(folder, task + ".jsonl"), task)]


def mistakes(program, folder):
    chains = recorded(folder)
    settings = {task: held_out(program, folder, chains, task) for task in TASKS}
    for name, wanted in (("The third that was kept aside", lambda c: c.part == REPORT),
                         ("The other two thirds, which were looked at during development", lambda c: c.part != REPORT)):
        print(f"### {name}\n")
        location_table(settings, wanted)
        ranking_table(settings, wanted)


def curves(folder):
    """The validation loss by step, of each run that there is."""
    runs = [(label, note(folder, name)) for label, name in (
        *((f"without {t}", f"rec-{t}.json") for t in TASKS),
        *((f"without {t}, generated traces too", f"made-{t}.json") for t in TASKS), ("all five tasks", "all.json"),
        *((f"without {t}, the whole model", f"whole-{t}.json") for t in TASKS),
        ("all five tasks, the whole model", "whole-all.json"), ("mathematics, the whole model", "whole-math.json"))]
    shown = [0, 20, 40, 80, 120, 160, 200, 240, 280]
    body = []
    for label, said in runs:
        if said.get("losses"):
            at = {step: f"{loss:.3f}" for step, _, loss in said["losses"]}
            body.append([label, *(at.get(step, "-") for step in shown), f"{min(loss for _, _, loss in said['losses']):.3f}",
                         f"{said['chosen_steps']} of {said['steps']}", str(said["seconds"])])
    put_table(["trained on", *(f"step {step}" for step in shown), "least", "at step", "seconds"], body)


def in_task(program, folder):
    """Other questions of the same tasks: how much is learned at all."""
    chains = recorded(folder)
    setting = Setting(program, folder, *rows.parts(chains), [c for c in chains if c.part == REPORT])
    setting.all_rows({LM_FROZEN: "whole-all.frozen", LM_WHOLE: "whole-all.scores", LM_TUNED: "all.scores"})
    settings = {task: setting for task in TASKS}
    location_table(settings, lambda c: True)
    ranking_table(settings, lambda c: True)


def paper(folder):
    body = []
    for t in TASKS:
        said, made, whole = (note(folder, f"{kind}-{t}.json") for kind in ("rec", "made", "whole"))

        def chosen(of):
            return f"{of['chosen_steps']} of {of['steps']}" if "chosen_steps" in of else "-"
        body.append([t, f"{PALM[t]:.2f}", f"{TABLE7[t]:+.2f}", str(TABLE8[t]), chosen(said), chosen(made), chosen(whole)])
    put_table(["held-out task", "PaLM 2's best column (Table 4)", "the paper's reward model, difference (Table 7)",
               "its training steps (Table 8)", "ours: last block", "with generated traces", "the whole model"], body)


# ---- GSM8K's part of ProcessBench ----------------------------------------------------------------

def mathematics(program, folder):
    chains = [c for name in MATH for c in step_chains.read(os.path.join(folder, name + ".jsonl"), name)]
    training, validation = rows.parts(chains)
    measured = [c for c in chains if c.task == "gsm8k" and c.part == REPORT]
    setting = Setting(program, folder, training, validation, measured)
    setting.all_rows({LM_FROZEN: "whole-math.frozen", LM_WHOLE: "whole-math.scores"})
    rng = random.Random(1)
    body = []
    for name, scores in setting.scores.items():
        found = setting.found(name, figures.f1)
        low, high = figures.f1_interval(measured, found, rng)
        hits = {k: [at == c.label for c, at in zip(measured, found) if (c.label >= 0) == k] for k in (True, False)}
        a, b = (100 * mean(x) for x in hits.values())
        body.append([name, f"{2 * a * b / (a + b) if a + b else 0:.1f} ({low:.0f} to {high:.0f})", f"{a:.1f}", f"{b:.1f}"])
    print(f"Trained on {len(training)} chains of ProcessBench's GSM8K and MATH parts, PARC, MR-Ben's mathematics and stepverify; "
          f"{len(validation)} chains validate; {len(measured)} chains of the GSM8K part are measured. "
          "A constant location has an F1 of 0.\n")
    put_table(["scorer", "F1 (95 % interval)", "erroneous located", "error-free left alone"], body)


def put_page(program, folder):
    here = os.path.dirname(os.path.abspath(__file__))
    with open(os.path.join(here, "step_table.md"), encoding="utf-8") as file:
        texts = iter(file.read().split("<!-- table -->\n"))
    print(next(texts), end="")
    for table in (lambda: mistakes(program, folder), lambda: curves(folder), lambda: paper(folder),
                  lambda: in_task(program, folder), lambda: mathematics(program, folder)):
        table()
        print(next(texts), end="")


def main():
    page = io.StringIO()
    with contextlib.redirect_stdout(page):
        put_page(*sys.argv[1:3])
    print(page.getvalue().rstrip("\n"))


if __name__ == "__main__":
    main()
