#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""PRMScore of the step classifiers that come with the program: the table of docs/reward.md.

    RDV_PROGRAM=build/rederive RDV_SHARED=../shared/data python3 tests/reference/prmbench_measured.py

Texts whose problem is in ProcessBench are left out, since one of the models learnt from it; so are the untouched solutions, as in the
authors' program. Exits 77 where there is no recorded data."""
import json
import pathlib
import subprocess
import sys
import tempfile

import prmbench
from reward_sources import PROGRAM, ROOT, SHARED, SUBSETS, key_of, records

MODELS = ("reward-math", "reward-traces", "reward-processbench")
DATA = SHARED / "prmbench/mr_eval/tasks/prmtest_classified/data"


def texts():
    """One of each problem and type."""
    learnt = {key_of(row["problem"]) for name in SUBSETS for row in records(SHARED / f"processbench/code/dataset/{name}.jsonl")}
    found = {}
    for path in sorted(DATA.iterdir()):
        for row in records(path):
            if key_of(row["original_question"]) not in learnt:
                found.setdefault((row["classification"], row["idx"]), row)
    return list(found.values())


def main():
    if not DATA.is_dir():
        print(f"prmbench_measured: no recorded data in {SHARED}", file=sys.stderr)
        return 77
    with tempfile.TemporaryDirectory() as room:
        given, checked = pathlib.Path(room, "prmbench.jsonl"), pathlib.Path(room, "checked.jsonl")
        given.write_text("".join(json.dumps(row) + "\n" for row in texts()), encoding="utf-8")
        methods = ",".join(f"reward:{ROOT}/models/{name}.rdvm#{name}" for name in MODELS)
        subprocess.run([PROGRAM, "check", "-q", "-m", methods, "-o", checked, given], check=True)
        ended = subprocess.run([PROGRAM, "eval", "-q", "--json", "--recipe", "prmbench:table3", checked], check=True, stdout=subprocess.PIPE)
        made = [json.loads(line) for line in checked.read_text(encoding="utf-8").splitlines()]
    rows = {(row["check"], row["error_type"]): row for row in json.loads(ended.stdout)["rows"]}
    columns = ["all", *prmbench.CATEGORIES, *(of for types in prmbench.CATEGORIES.values() for of in types)]
    print("| model | F1 of wrong steps | " + " | ".join(columns) + " |\n|" + " --- |" * (len(columns) + 2))
    for name in MODELS:
        cells = [rows[f"reward:{name}", of]["prm_score"] for of in columns]
        print(f"| `{name}` | {100 * rows[f'reward:{name}', 'all']['f1.wrong']['value']:.1f} | " +
              " | ".join(f"{100 * cell['value']:.1f} ± {100 * cell['stderr']:.1f}" for cell in cells) + " |")
    every = [(right, right) for record in made for right in next(m["labels"] for m in record["step_labels"]) if right is not None]
    print(f"\n{len(made)} texts; every step called right: {100 * prmbench.score(every):.1f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
