# SPDX-License-Identifier: Apache-2.0
"""Traces that `rederive tasks` made: right ones, and beside them the same with a mistake.

    rederive tasks --task NAME --n N --seed S --traces              the right ones
    rederive tasks --task NAME --n N --seed S --traces --mistakes   the same questions

A file holds both kinds; records of one id belong together."""
import json
from dataclasses import dataclass, field


@dataclass
class Trace:
    task: str
    question: str
    options: list
    right: list = field(default_factory=list)
    wrong: list = field(default_factory=list)
    label: int = None  # of the first wrong step


def read(path):
    out = {}
    with open(path) as f:
        for line in f:
            r = json.loads(line)
            name = r["id"].split("-")[0]
            t = out.setdefault(r["id"], Trace(name, r["question"], r.get("options", [])))
            if r.get("label") is None:
                t.right = r["steps"]
            else:
                t.wrong, t.label = r["steps"], r["label"]
    return [t for t in out.values() if t.right]
