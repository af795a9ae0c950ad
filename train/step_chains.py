# SPDX-License-Identifier: Apache-2.0
"""Labelled chains for the step classifier: read, split by question, and written as tokens.

A chain is a record of `rederive convert --to jsonl`: question, steps, and label: the index of the first wrong step,
or null if there is none. The layout of the tokens is the one that the program uses (docs/model-engine.md):

    <s><|user|>QUESTION<|end|><|assistant|>STEP<|end|>STEP<|end|>...

The score of a step is read at its <|end|>, which no text can contain."""
import hashlib
import json
import math
from dataclasses import dataclass

TRAINING, VALIDATION, REPORT = "training", "validation", "report"


@dataclass
class Chain:
    task: str
    id: str
    question: str
    steps: list
    label: int  # the first wrong step; -1: none
    made: bool  # by `rederive tasks`, not recorded
    part: str

    def wrong(self, step):
        """The steps after the first mistake count as wrong, too (appendix C)."""
        return self.label >= 0 and step >= self.label


def part_of(question):
    """A third of the questions is kept for the report, a fifth of the others for validation."""
    words = " ".join(question.lower().split())
    digest = hashlib.sha256(words.encode()).digest()
    if digest[0] % 3 == 0:
        return REPORT
    return VALIDATION if digest[1] % 5 == 0 else TRAINING


def read(path, task=None, made=False):
    """The chains with a label. Generated ones are only trained on."""
    chains = []
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            if "label" not in record or not record["steps"]:
                continue
            label = -1 if record["label"] is None else record["label"]
            part = TRAINING if made else part_of(record["question"])
            name = task or record.get("task") or record["id"].rsplit("/", 1)[0]
            chains.append(Chain(name, str(record["id"]), record["question"], record["steps"], label, made, part))
    return chains


class Layout:
    """Chains as tokens."""

    def __init__(self, pieces, context):
        self.pieces, self.context = pieces, context
        self.begin, self.end, self.user, self.assistant = (
            pieces.piece_to_id(name) for name in ("<s>", "<|end|>", "<|user|>", "<|assistant|>"))

    def tokens(self, question, steps):
        """(tokens, the place of each step's end). Steps beyond the context are left out."""
        tokens = [self.begin, self.user, *self.pieces.encode(question), self.end, self.assistant]
        ends = []
        for step in steps:
            tokens += [*self.pieces.encode(step), self.end]
            if len(tokens) > self.context:
                break
            ends.append(len(tokens) - 1)
        return tokens[:ends[-1] + 1] if ends else [], ends


def locate(wrong, at):
    """The first step with P(wrong) >= at; -1: none. A step without a score is passed over."""
    return next((i for i, p in enumerate(wrong) if not math.isnan(p) and p >= at), -1)


def accuracy(chains, scores, at):
    """Exact location, the mean over tasks, in per cent."""
    right = {}
    for chain, wrong in zip(chains, scores):
        right.setdefault(chain.task, []).append(locate(wrong, at) == chain.label)
    return 100 * sum(sum(x) / len(x) for x in right.values()) / len(right)


def fit_threshold(chains, scores, measure=accuracy):
    """(threshold, what it reaches): the threshold in the middle of those that reach the most."""
    seen = sorted({p for wrong in scores for p in wrong if not math.isnan(p)})
    if len(seen) > 400:
        seen = [seen[i * (len(seen) - 1) // 399] for i in range(400)]
    between = [(a + b) / 2 for a, b in zip(seen, seen[1:])] + [math.inf]
    reached = [measure(chains, scores, at) for at in between]
    best = max(reached)
    ties = [at for at, value in zip(between, reached) if value == best]
    return ties[len(ties) // 2], best
