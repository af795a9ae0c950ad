# SPDX-License-Identifier: Apache-2.0
"""The rows of the tables in docs/measured/reward.md: scorers of steps, all judged in the same way.

Every scorer learns from the training questions, its threshold and its mixture with another scorer are fitted to the
validation questions, and the figures are of chains that neither had. See steps.py for the parts."""
import json
import math
import os
import subprocess

import numpy as np
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import step_chains
from step_chains import TRAINING, VALIDATION

FAMILIES = ("calculation", "agreement", "consistency", "form", "position", "probability")


def key(chain):
    return chain.task, chain.id


def steps_of(chains):
    """(the steps with all that is before them, 1 for wrong and 0 for right, weights: each chain weighs the same)."""
    return ([(c, i) for c in chains for i in range(len(c.steps))],
            np.array([c.wrong(i) for c in chains for i in range(len(c.steps))], dtype=int),
            np.array([1 / len(c.steps) for c in chains for _ in c.steps]))


def by_chain(chains, values):
    values = iter(values)
    return {key(c): [float(next(values)) for _ in c.steps] for c in chains}


# ---- scorers by features of one kind -------------------------------------------------------------

def position(chain, i):
    return [i, math.log1p(i), math.log1p(sum(len(s) for s in chain.steps[:i]))]


def length(chain, i):
    step, before = chain.steps[i], chain.steps[:i]
    mean = sum(map(len, before)) / len(before) if before else len(step)
    return [math.log1p(len(step)), math.log1p(len(step.split())), math.log((len(step) + 1) / (mean + 1))]


def numbers_alone(features):
    """A logistic regression on a few numbers of a step."""
    def learn(training, chains):
        steps, wrong, weight = steps_of(training)
        model = make_pipeline(StandardScaler(), LogisticRegression(C=1.0, max_iter=1000))
        model.fit([features(*s) for s in steps], wrong, logisticregression__sample_weight=weight)
        return by_chain(chains, model.predict_proba([features(*s) for s in steps_of(chains)[0]])[:, 1])
    return learn


def words_alone(training, chains):
    """A logistic regression on which words a step has."""
    steps, wrong, weight = steps_of(training)
    words = CountVectorizer(binary=True, min_df=3, token_pattern=r"[A-Za-z]+|\d|[^\sA-Za-z\d]")
    x = words.fit_transform([c.steps[i] for c, i in steps])
    model = LogisticRegression(C=0.3, max_iter=2000).fit(x, wrong, sample_weight=weight)
    x = words.transform([c.steps[i] for c, i in steps_of(chains)[0]])
    return by_chain(chains, model.predict_proba(x)[:, 1])


# ---- written features: `rederive train` ----------------------------------------------------------

class Trees:
    """Boosted trees on families of written features, by the program itself."""

    def __init__(self, program, folder, families):
        self.program, self.folder = program, folder
        self.without = ",".join(f for f in FAMILIES if f not in families)

    def file(self, name, chains):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as out:
            for n, c in enumerate(chains):
                json.dump({"id": str(n), "task": c.task, "question": c.question, "steps": c.steps,
                           "label": c.label if c.label >= 0 else None}, out)
                out.write("\n")
        return path

    def run(self, *args):
        done = subprocess.run([self.program, *args], capture_output=True, text=True, check=False)
        if done.returncode:
            raise RuntimeError(done.stderr[-1000:])
        return done.stdout

    def __call__(self, training, chains):
        model = os.path.join(self.folder, "row.rdvm")
        without = ["--without", self.without] if self.without else []
        self.run("train", "-q", "--no-cross-validation", *without, "--out", model, self.file("row.jsonl", training))
        checked = self.run("check", "-q", "--method", "reward:" + model, self.file("seen.jsonl", chains))
        found = {int(r["id"]): [v["evidence"]["error_probability"] for v in r["verdicts"]]
                 for r in map(json.loads, checked.splitlines())}
        return {key(c): found[n] for n, c in enumerate(chains)}


# ---- language models: what steps.py and step_surprise.py wrote -----------------------------------

def records(path, member):
    """{key of a chain: its steps' values, None where there is none}, or None without the file."""
    if not os.path.exists(path) or not os.path.getsize(path):
        return None
    with open(path, encoding="utf-8") as lines:
        return {(r["task"], r["id"]): r[member] for r in map(json.loads, lines)}


def written(path):
    """The scores in a file of steps.py, or None."""
    known = records(path, "wrong")
    return known and {k: [math.nan if p is None else p for p in wrong] for k, wrong in known.items()}


def perplexity(known):
    """Not learned: 1 - the geometric mean of the probabilities of a step's tokens. known: of step_surprise.py."""
    def learn(_, chains):
        return {key(c): [math.nan if s is None else 1 - math.exp(s[0]) for s in known[key(c)]] for c in chains}
    return learn


def surprise(known):
    """A logistic regression on the place of a step, on the mean and the least log-probability of its tokens, and on both
    less those of the steps before, on average: tasks differ in how likely their texts are."""
    def features(chain, i):
        said = known[key(chain)]
        if said[i] is None:
            return None
        before = said[:i] or [said[i]]
        mean = [sum(s[k] for s in before) / len(before) for k in (0, 1)]
        return [*position(chain, i), *said[i], said[i][0] - mean[0], said[i][1] - mean[1]]

    def learn(training, chains):
        steps, wrong, weight = steps_of(training)
        x = [features(*s) for s in steps]
        use = [r is not None for r in x]
        model = make_pipeline(StandardScaler(), LogisticRegression(C=1.0, max_iter=1000))
        model.fit([r for r in x if r], wrong[use], logisticregression__sample_weight=weight[use])
        x = [features(*s) for s in steps_of(chains)[0]]
        said = iter(model.predict_proba([r for r in x if r])[:, 1])
        return by_chain(chains, [next(said) if r else math.nan for r in x])
    return learn


def logit(p):
    return math.log(max(p, 1e-6) / max(1 - p, 1e-6))


def mixed(first, second, validation, chains):
    """The logistic combination of two scorers that fits the validation questions best."""
    def rows(of):
        return [[logit(a), logit(b)] for c in of for a, b in zip(first[key(c)], second[key(c)])]

    def known(of):
        return [not math.isnan(x[0]) and not math.isnan(x[1]) for x in rows(of)]
    x, use = np.array(rows(validation)), np.array(known(validation))
    _, wrong, weight = steps_of(validation)
    model = LogisticRegression(C=1.0).fit(x[use], wrong[use], sample_weight=weight[use])
    x, use = np.array(rows(chains)), np.array(known(chains))
    p = np.full(len(x), math.nan)
    p[use] = model.predict_proba(x[use])[:, 1]
    return by_chain(chains, p)


def parts(chains):
    return [c for c in chains if c.part == TRAINING], [c for c in chains if c.part == VALIDATION]
