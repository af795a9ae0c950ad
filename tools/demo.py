#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Show on a terminal what Rederive does: first on our examples, then, where recorded solutions of
real models lie in ../shared/data (or RDV_SHARED), on some of those.

    tools/demo.py BUILD

Runs the program as a user would and prints each command before its output. Nothing is written
outside a temporary folder.
"""
import gzip
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import textwrap

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = pathlib.Path("examples/chains.jsonl")
SHARED = pathlib.Path(os.environ.get("RDV_SHARED", ROOT / "../shared/data"))
WIDTH = min(shutil.get_terminal_size((96, 24)).columns, 96)


class Demo:
    """Runs the program's commands in the project's root, as they would be typed."""

    def __init__(self, build, scratch):
        self.program = build / "rederive"
        self.scratch = scratch

    def run(self, *arguments, show=None, quiet=False):
        """Print the command, run it, and return its standard output; the program's standard error
        goes where ours goes. `show` is how the command is printed when it would be too long."""
        words = [str(word) for word in arguments]
        print(f"\n$ rederive {show or ' '.join(words)}", flush=True)
        done = subprocess.run([self.program, *words], cwd=ROOT, text=True, check=False,
                              stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL if quiet else None)
        if done.returncode > 1:
            sys.exit(f"demo: rederive ended with status {done.returncode}")
        return done.stdout

    def records(self, *arguments, **options):
        """The JSON records that a command writes."""
        return [json.loads(line) for line in self.run(*arguments, **options).splitlines()]

    def file_of(self, records, name):
        """The path of a file in the scratch folder that holds the records."""
        path = self.scratch / name
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return path


def say(text):
    print("\n" + textwrap.fill(" ".join(text.split()), WIDTH))


def title(text):
    print(f"\n{'=' * WIDTH}\n{text}\n{'=' * WIDTH}")


def outcome(vote):
    """An answer of a vote with a word on whether it is right."""
    answer = vote["answer"] if vote["answer"] is not None else "none"
    word = {True: "right", False: "WRONG", None: "?"}[vote["correct"]]
    return answer, word


def votes_table(votes):
    """Print votes side by side; `votes` is a list of (heading, records in the same order)."""
    print("\n" + f"{'question':12}" + "".join(f"{heading:26}" for heading, _ in votes))
    for row in zip(*(records for _, records in votes)):
        cells = [outcome(vote) for vote in row]
        turned = "  <- turned" if len({word for _, word in cells}) > 1 else ""
        print(f"{row[0]['question_id']:12}" +
              "".join(f"{answer:18}{word:8}" for answer, word in cells) + turned)
    totals = [sum(vote["correct"] is True for vote in records) for _, records in votes]
    print(f"{'':12}" + "".join(f"{f'{total} of {len(votes[0][1])} right':26}" for total in totals))


def example_checks(demo):
    title("1. Which calculations in these solutions are wrong?")
    say("""examples/chains.jsonl holds ten questions with a handful of solutions each, written the way
        language models write them. One of them, step by step:""")
    chains = [json.loads(line) for line in (ROOT / EXAMPLES).read_text().splitlines()]
    shown = next(chain for chain in chains if chain["id"] == "signs/1")
    one = demo.file_of([shown], "signs-1.jsonl")
    print(demo.run("check", "--view", "--quiet", one, show="check --view signs-1.jsonl"))
    say("And all 47 of them; the records go to a file, the summary is what you see:")
    checked = demo.scratch / "checked.jsonl"
    demo.run("check", EXAMPLES, "--out", checked, show=f"check {EXAMPLES} --out checked.jsonl")
    return checked


def example_votes(demo, checked):
    title("2. What is the answer, when the solutions disagree?")
    say("""Every solution votes for its answer. By majority each counts the same; by confidence one
        with a wrong calculation counts less.""")
    majority = demo.records("vote", "-q", checked, show="vote checked.jsonl")
    confident = demo.records("vote", "-q", "-w", "confidence", checked,
                             show="vote -w confidence checked.jsonl")
    votes_table([("by majority", majority), ("by confidence", confident)])
    say("""The question 'book' stays wrong: each of its sums is right, and the plan is not. That
        takes a judge that reads, such as a reward model, whose step scores may stand in the records
        (here made up, under the name prm):""")
    book = [json.loads(line) for line in checked.read_text().splitlines()]
    book = demo.file_of([chain for chain in book if chain["question_id"] == "book"], "book.jsonl")
    scored = demo.records("vote", "-q", "-w", "scores:prm", book,
                          show="vote -w scores:prm book.jsonl")
    votes_table([("by majority", [vote for vote in majority if vote["question_id"] == "book"]),
                 ("by step scores", scored)])


def real_mistakes(demo, path):
    title("3. Real solutions, with mistakes that people have marked")
    say(f"""{path.name} of BIG-Bench Mistake: a language model's solutions to nested sums. People
        have marked the first wrong step of each.""")
    lines = [line for line in path.read_text().splitlines() if line.strip()]
    first_wrong = next(line for line in lines if json.loads(line)["mistake_index"] is not None)
    one = demo.scratch / "first.jsonl"
    one.write_text(first_wrong + "\n")
    print(demo.run("check", "--view", "--quiet", one, show="check --view first.jsonl"))
    marked = json.loads(first_wrong)["mistake_index"]
    print(f"People have marked step {marked}.")
    checked = demo.scratch / "arithmetic.jsonl"
    demo.run("check", path, "--out", checked,
             show=f"check {path.name} --out arithmetic.jsonl")
    print(demo.run("eval", "-q", checked, show="eval arithmetic.jsonl"))


def real_votes(demo, pool, scores):
    title("4. Real votes, turned by a reward model")
    say(f"""{pool.name}: 32 solutions to each of some hundreds of grade-school questions, and the
        step scores that the reward model 'skywork_prm' gave them. One question of them:""")
    with gzip.open(pool, "rt", encoding="utf-8") as lines:
        one = next((line for line in lines if '"gsm8k_172"' in line[:200]), None)
    if one is None:
        return
    path = demo.scratch / "gsm8k_172.jsonl"
    path.write_text(one)
    majority = demo.records("vote", "-q", path, show="vote gsm8k_172.jsonl")
    weighted = demo.records("vote", "-q", "-w", "scores:skywork_prm", "-a", "product", "--join",
                            scores, path,
                            show=f"vote -w scores:skywork_prm -a product --join {scores.name} "
                            "gsm8k_172.jsonl")
    for vote in majority[0], weighted[0]:
        counts = ", ".join(f"{answer} (weight {said['weight']:.2f}, {said['chains']} chains)"
                           for answer, said in vote["answers"].items())
        print(f"  {outcome(vote)[0]} is {outcome(vote)[1]}: {counts}")


def real_data(demo):
    mistakes = SHARED / "big-bench-mistake/multistep_arithmetic.jsonl"
    if mistakes.exists():
        real_mistakes(demo, mistakes)
    prm = SHARED / "strictprmbench"
    pool = prm / "pools/bon_candidates/gsm8k_full_500.jsonl.gz"
    scores = prm / "scores/aggregation_sweep_cache/step_scores_cache/skywork_prm_gsm8k.jsonl.gz"
    if pool.exists() and scores.exists():
        real_votes(demo, pool, scores)


def main(build):
    with tempfile.TemporaryDirectory(prefix="rederive-demo-") as scratch:
        demo = Demo(build.resolve(), pathlib.Path(scratch))
        checked = example_checks(demo)
        example_votes(demo, checked)
        if SHARED.is_dir():
            real_data(demo)
    say("""Next: README.md has the commands in a table, 'rederive check --help' the options, and
        examples/README.md what is in the examples.""")


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else "build"))
