# SPDX-License-Identifier: Apache-2.0
"""Questions of the kinds that the model was taught, as records for `rederive solve`.

    python questions.py --task stories --split test --seed 900 --n 50 > questions.jsonl

The split "test" words them in ways that training never saw. A question's id says how it was made
(task-split-seed-number), so that judge.py can make it again and knows its solution. --chains writes
solutions too, half of them with a slip and the label of the first wrong step."""
import argparse
import json
import random

from examples import MAKE, TASKS


def make(name, slip=False):
    """The problem of an id."""
    task, split, seed, number = name.rsplit("-", 3)
    rng = random.Random("%s/%s/%s/%s" % (task, split, seed, number))
    return MAKE[task](rng, split, slip=slip)


def record(name):
    p = make(name)
    out = {"id": name, "question_id": name, "question": p.question, "answer_type": p.kind, "gold": p.gold,
           "task": p.task}
    if p.options:
        out["options"] = p.options
    return out


def chain(name, slip):
    p = make(name, slip)
    out = {"id": name, "question_id": name, "question": p.question, "answer_type": p.kind, "gold": p.gold,
           "task": p.task, "steps": p.texts, "answer": p.answer, "label": p.first_slip}
    if p.options:
        out["options"] = p.options
    return out


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("--task", choices=TASKS, action="append")
    a.add_argument("--split", default="test", choices=["train", "test"])
    a.add_argument("--seed", type=int, default=900)
    a.add_argument("--n", type=int, default=50, help="of each task")
    a.add_argument("--chains", action="store_true")
    args = a.parse_args()
    for task in args.task or TASKS:
        for k in range(args.n):
            name = "%s-%s-%d-%d" % (task, args.split, args.seed, k)
            print(json.dumps(chain(name, k % 2 == 1) if args.chains else record(name)))


if __name__ == "__main__":
    main()
