#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Show on a terminal what Rederive does, on one screen: a solution with a wrong step, and the vote that the check turns.

    tools/demo.py [--all] PROGRAM [REPORT]      REPORT: where the report is written; beside PROGRAM

--all goes on: all examples, then, where recorded solutions of real models lie in ../shared/data (or RDV_SHARED), some of
those, and last a language model of its own, where its file is.

Runs the program as a user would and prints each command before its output. Nothing is written
outside a temporary folder, but for a report to look at beside the program.
"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
EXAMPLES = "examples/chains.jsonl"
PROBLEMS = "examples/problems.jsonl"
MODEL = pathlib.Path(os.environ.get("RDV_MODEL", ROOT / "models/rederive.gguf"))
SHARED = pathlib.Path(os.environ.get("RDV_SHARED", ROOT / "../shared/data"))
WIDTH = 96
COLOR = "always" if os.environ.get("FORCE_COLOR") or (sys.stdout.isatty() and not os.environ.get("NO_COLOR")) else "never"


class Demo:
    """Runs the program's commands in the project's root, as they would be typed, and remembers
    what was found for the picture at the end."""

    def __init__(self, program, scratch, report):
        self.program = program
        self.report = report
        self.scratch = scratch
        self.found = []  # (what, how many, of how many)

    def run(self, *arguments, show, ends=(0,)):
        """Print the command as `show`, run it, and return its standard output. `ends`: how it may."""
        print(f"\n$ rederive {show}", flush=True)
        done = subprocess.run([self.program, *map(str, arguments)], cwd=ROOT, encoding="utf-8",
                              stdout=subprocess.PIPE, check=False)
        if done.returncode not in ends:
            sys.exit(f"demo: rederive ended with status {done.returncode}")
        return done.stdout

    def view(self, *arguments, show):
        """What `check --view` prints."""
        return self.run("check", "--view", "--color", COLOR, *arguments, show=show)

    def votes(self, *arguments, show, what, by, only_turned=False):
        """Print a vote's table, beside that of the majority, and remember how many of each are right."""
        lines = self.run("vote", "-q", "--view", "--color", COLOR, *arguments, show=show).splitlines()
        shown = lines
        if only_turned:
            rows = lines.index("")
            shown = [lines[0], *(line for line in lines[1:rows] if "turned" in line), *lines[rows:]]
        print("\n" + "\n".join(shown))
        majority, total, chosen = map(int, re.search(r"right: (\d+) of (\d+) by majority, (\d+)", "\n".join(lines)).groups())
        self.found.append((f"{what}: right by majority", majority, total))
        self.found.append((f"{what}: right by {by}", chosen, total))

    def keep(self, name, lines):
        """The path of a file in the scratch folder with these lines."""
        path = self.scratch / name
        path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        return path


def title(text):
    print(f"\n{'=' * WIDTH}\n{text}\n{'=' * WIDTH}")


def say(text):
    print("\n" + textwrap.fill(" ".join(text.split()), WIDTH))


def lines_of(path):
    return [line for line in (ROOT / path).read_text(encoding="utf-8").splitlines() if line]


def picture_of(view):
    """The bars at the end of a view of many chains."""
    return view[list(re.finditer(r"\n(\x1b\[[0-9;]*m)*steps(\x1b\[[0-9;]*m)*\n", view))[-1].start():].rstrip()


def example_checks(demo):
    title("1. Which steps of these solutions are wrong?")
    say(f"""{EXAMPLES} holds ten questions with a handful of solutions each, written the way
        language models write them. One of the solutions, step by step:""")
    one = demo.keep("one.jsonl", [line for line in lines_of(EXAMPLES) if '"signs/1"' in line])
    print("\n" + demo.view("-q", one, show="check --view one.jsonl").strip())
    say("All 47 of them; each record goes to a file with its verdicts added, and the end of the "
        "view shows what was found:")
    print(picture_of(demo.view("-q", EXAMPLES, show=f"check --view {EXAMPLES}")))
    checked = demo.scratch / "checked.jsonl"
    demo.run("check", EXAMPLES, "-o", checked, show=f"check {EXAMPLES} -o checked.jsonl")
    records = [json.loads(line) for line in lines_of(checked)]
    wrong = sum(isinstance(record["first_error"], int) for record in records)
    demo.found.append(("examples: solutions with a wrong calculation", wrong, len(records)))
    return checked


def example_votes(demo, checked):
    title("2. What is the answer, when solutions disagree?")
    say("""Every solution votes for its answer. By majority each counts the same; by confidence, a
        solution with a wrong calculation counts less.""")
    demo.votes("-w", "confidence", checked, "--html", demo.report, what="examples", by="confidence",
               show="vote -w confidence checked.jsonl --html demo-report.html")
    say("""The question 'book' stays wrong: each of its sums is right, but the plan is not. That
        takes a judge that reads, such as a reward model. Its step scores may stand in the records
        (here made up, under the name prm):""")
    book = demo.keep("book.jsonl", [line for line in lines_of(checked) if '"book/' in line])
    demo.votes("-w", "scores:prm", book, show="vote -w scores:prm book.jsonl", what="book", by="step scores")


def real_mistakes(demo, path):
    title("3. Real solutions, with mistakes that people have marked")
    say(f"""{path.name} of BIG-Bench Mistake: a language model's solutions to nested sums. People
        have marked the first wrong step of each.""")
    wrong = next(line for line in lines_of(path) if json.loads(line)["mistake_index"] is not None)
    print("\n" + demo.view("-q", demo.keep("one.jsonl", [wrong]),
                           show="check --view one.jsonl").strip())
    checked = demo.scratch / "arithmetic.jsonl"
    demo.run("check", path, "-o", checked, show=f"check {path.name} -o arithmetic.jsonl")
    said = json.loads(demo.run("eval", "-q", "--json", checked, show="eval --json arithmetic.jsonl"))
    for figure, what in (("location.with_mistake", "same step as people, where there is a mistake"),
                         ("location.without_mistake", "none found, where people found none")):
        value = said["figures"][figure]
        demo.found.append((f"real sums: {what}", round(value["value"] * value["n"]), value["n"]))
    say(f"""The step that people have marked first is the one found in
        {said['figures']['location']['value']:.1%} of the solutions.""")


def real_votes(demo, pool, scores):
    title("4. Real votes, turned by a reward model")
    say(f"""{pool.name}: 32 solutions to each of some hundreds of grade-school questions, and the
        step scores that the reward model 'skywork_prm' gave them.""")
    demo.votes("-w", "scores:skywork_prm", "-a", "product", "--join", scores, pool,
               show=f"vote -w scores:skywork_prm -a product --join {scores.name} {pool.name}",
               what="real votes", by="step scores", only_turned=True)


def real_data(demo):
    mistakes = SHARED / "big-bench-mistake/multistep_arithmetic.jsonl"
    if mistakes.exists():
        real_mistakes(demo, mistakes)
    prm = SHARED / "strictprmbench"
    pool = prm / "pools/bon_candidates/gsm8k_full_500.jsonl.gz"
    scores = prm / "scores/aggregation_sweep_cache/step_scores_cache/skywork_prm_gsm8k.jsonl.gz"
    if pool.exists() and scores.exists():
        real_votes(demo, pool, scores)


def built_in_model(demo):
    title("A language model of our own, and SelfCheck on every step it writes")
    say(f"""{PROBLEMS} holds word problems of the kind that the model in this repository was trained on, in
        wordings that it has not seen. It runs inside the program. Ten solutions are sampled for each
        problem, and the same model then checks every step with SelfCheck: what the step wants to do, what
        it rests on, the step done again from that alone, and whether the two agree.""")
    chains, journal = demo.scratch / "solutions.jsonl", demo.scratch / "solutions.journal"
    asked = ("-M", "builtin", "-m", "selfcheck")
    began = time.monotonic()
    demo.run("solve", *asked, "-n", "10", "--stop", "none", "--journal", journal, "--chains-out", chains,
             "-o", demo.scratch / "answers.jsonl", PROBLEMS, ends=(0, 1),
             show=f"solve -M builtin -m selfcheck -n 10 --stop none {PROBLEMS} --chains-out solutions.jsonl")
    seconds = time.monotonic() - began
    records = [json.loads(line) for line in lines_of(chains)]
    steps = sum(len(record.get("verdicts", [])) for record in records)
    say(f"{len(records)} solutions with {steps} steps were written and checked in {seconds:.0f} s.")
    show_a_rejected_solution(demo, records, asked)
    demo.votes("-w", "confidence", chains, show="vote -w confidence solutions.jsonl", what="own model",
               by="SelfCheck's weights")
    show_figures(demo, chains)


def show_a_rejected_solution(demo, records, asked):
    """The first solution that has a contradicted step and the wrong answer."""
    wrong = [r for r in records
             if isinstance(r.get("first_error"), int) and r.get("answer") != r["gold"]]
    if not wrong:
        return
    say("One that SelfCheck rejects, step by step:")
    fields = ("id", "question_id", "question", "answer_type", "gold", "steps", "answer")
    one = demo.keep("rejected.jsonl", [json.dumps({name: wrong[0][name] for name in fields})])
    print("\n" + demo.view("-q", *asked, one, show="check --view -M builtin -m selfcheck rejected.jsonl").strip())


def show_figures(demo, chains):
    figures = json.loads(demo.run("eval", "-q", "--json", chains, show="eval --json solutions.jsonl"))["figures"]
    print()
    for name, what in (("accuracy.chain", "one solution is right"), ("accuracy.majority", "the majority of ten is"),
                       ("accuracy.weighted", "the vote weighted by SelfCheck is"),
                       ("auc", "AUC of SelfCheck's confidence, right against wrong")):
        value = figures.get(name, {}).get("value")
        print(f"  {what:52}" + ("not to be had" if value is None else f"{value:.3f}"))
    say("So few problems say little of a method: docs/measured/ has the figures on hundreds, with their errors.")


def what_was_found(demo):
    title("What was found")
    print()
    for what, count, total in demo.found:
        bar = "█" * round(24 * count / total)
        print(f"  {what:58}{bar:·<24}{count:5} of {total}")
    say("""Next: README.md has the commands in a table, 'build/rederive check --help' the options,
        and examples/README.md what is in the examples.""")


def one_screen(demo):
    """In 24 lines, what this is for."""
    one = demo.keep("one.jsonl", [line for line in lines_of(EXAMPLES) if '"bakery/1"' in line])
    view = demo.view("-q", one, show="check one.jsonl      # a model's solution: which step is wrong?")
    print(view[:view.index("\n\n", view.index("answer "))].strip())
    checked = demo.scratch / "checked.jsonl"
    demo.run("check", "-q", EXAMPLES, "-o", checked, show=f"check {EXAMPLES} -o checked.jsonl      # all 47 solutions of 10 questions")
    print(demo.run("vote", "-q", "--view", "--color", COLOR, "-w", "confidence", checked, "--html", demo.report,
                   show="vote -w confidence checked.jsonl      # the vote without what is wrong").split("\n\n")[1].splitlines()[0])
    print("\nYour own files: build/rederive check FILE... --html page.html    More: tools/demo.py --all build/rederive")


def main(arguments):
    everything = "--all" in arguments
    program, *report = [pathlib.Path(argument) for argument in arguments if argument != "--all"]
    report = report[0] if report else None
    with tempfile.TemporaryDirectory(prefix="rederive-demo-") as scratch:
        report = (report or program.parent / "demo-report.html").absolute()
        demo = Demo(program.resolve(), pathlib.Path(scratch), report)
        if everything:
            example_votes(demo, example_checks(demo))
            real_data(demo)
            if MODEL.exists():
                built_in_model(demo)
            what_was_found(demo)
        else:
            one_screen(demo)
        if not demo.report.exists():
            sys.exit(f"demo: there is no report {demo.report}")
        print(f"The report of the vote, to look at in a browser: {demo.report.as_uri()}")


if __name__ == "__main__":
    main(sys.argv[1:] or ["build/rederive"])
