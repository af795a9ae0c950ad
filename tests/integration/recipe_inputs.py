# SPDX-License-Identifier: Apache-2.0
"""Chains for every recipe, made by chance from seeds, and which file each recipe reads."""
import os
import sys

import prm_score
from mistake_tables import traces
from support import lines, rederive

sys.path.insert(0, os.path.join(os.environ["RDV_SOURCE"], "tests", "reference"))
import chains as simulation  # noqa: E402
import general_chains  # noqa: E402

SIMULATED = [f"simulated:{accuracy}" for accuracy in ("0.2", "0.5", "0.65", "0.9")]
FILES = {"general:table6": (), "mistakes:table6": ("repaired.jsonl",), "mistakes:fig2": ("repaired.jsonl",),
         "mistakes:table8": ("training.jsonl",)}


def recipes():
    """Every recipe that the program lists, with the files that it reads."""
    names = [line.split()[0] for line in rederive("eval", "--recipe", "list").out.splitlines()]
    return {name: FILES.get(name, (name.split(":")[0] + ".jsonl",)) for name in names}


RECIPES = recipes()


def repaired():
    """Traces of which each locator repaired a part."""
    for i, locator in enumerate(SIMULATED):
        yield from (trace for trace in traces(20 + i, (locator,)) if "repair" in trace)


def training():
    """What 'train --json' prints where each of three tasks is held out, as far as the recipe reads it."""
    for i, held_out in enumerate("abc"):
        yield {"n_trees": 100 + i, "tasks": [{"task": task, "held_out": task == held_out, "n_chains": 20 + ord(task)} for task in "abc"]}


def write_inputs(folder):
    """Write selfcheck.jsonl, general.jsonl, mistakes.jsonl, repaired.jsonl, training.jsonl and prmbench.jsonl."""
    mistakes = list(traces(3))
    for i, record in enumerate(mistakes):
        n = len(record["steps"])
        record["step_labels"] = [{"annotator": by, "criterion": "correct", "labels": [(i + k + s) % 7 != 0 for s in range(n)]}
                                 for k, by in enumerate(("ann", "ben"))]
    for name, records in (("selfcheck", simulation.records(questions=30)), ("general", general_chains.records(questions=12)),
                          ("mistakes", mistakes), ("repaired", repaired()), ("training", training()), ("prmbench", prm_score.records(problems=6))):
        with open(os.path.join(folder, name + ".jsonl"), "w", encoding="utf-8") as file:
            file.write(lines(*records))
