#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What grading a pair costs, beside Math-Verify, on the same pairs in one run.

  bench/grade.py PROGRAM BENCH_GRADE [--math-verify PYTHON] [--pairs N] [--replies FILE]
  bench/grade.py PROGRAM --suite FILE --math-verify PYTHON [--before PROGRAM]

FILE of --suite has the pairs of Math-Verify's own tests (tests/reference/math_verify_suite.py --pairs FILE): they are graded by
Math-Verify and by both programs by turns, by the commands with their start, and without it.

Pairs are generated (tests/reference/rewritten.py), so that it is known which are the same. FILE has records of sampled solutions with
"gt" and "code" (Qwen2.5-Math's format); each solution is a whole reply. All times are of processors, but for the threads'."""
import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(HERE, "..", "tests", "reference"))
import rewritten  # noqa: E402

RUNS = 3
SUITE_RUNS = 11
TRUTHS = {True: "same", False: "different"}


def generated(n):
    """In dollars, as Math-Verify wants its mathematics."""
    found = []
    for record, same, name in rewritten.pairs(2 * n, 11, dress="${}$"):
        if name not in ("option", "yes or no"):
            found.append(({"id": len(found), "answer": record["answer"], "gold": record["gold"], "answer_type": "latex"}, same))
    return found[:n]


def replies(path):
    found = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            record = json.loads(line)
            found += [({"id": len(found) + i, "text": text, "gold": "$" + record["gt"] + "$", "answer_type": "latex"}, None)
                      for i, text in enumerate(record["code"])]
    return found


def children_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def command_seconds(program, path, n):
    """Of the whole command with its JSON, per pair, without its start: with the pairs n times less one time."""
    def once(times):
        with open(path, "rb") as file:
            data = file.read() * times
        began = children_seconds()
        done = subprocess.run([program, "grade", "-q", "-j", "1"], input=data, capture_output=True, check=True)
        return children_seconds() - began, done.stdout
    few, out = once(1)
    many, _ = once(11)
    return (many - few) / (10 * n), [json.loads(line)["correct"] for line in out.splitlines()]


def library(bench, path, threads, rounds):
    return json.loads(subprocess.run([bench, path, str(threads), str(rounds)], capture_output=True, check=True).stdout)


def tell(name, verdicts, truths):
    for truth, word in TRUTHS.items():
        of = [v for v, t in zip(verdicts, truths) if t is truth]
        if of:
            print(f"{name}: of {len(of)} pairs that are {word}: {of.count(True)} called right, {of.count(False)} wrong, {of.count(None)} cannot tell")


def measure(title, pairs, options):
    print(f"== {title}: {len(pairs)} pairs")
    truths = [t for _, t in pairs]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pairs.jsonl")
        text = "".join(json.dumps(p) + "\n" for p, _ in pairs)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        ours, commands, theirs, verdicts, others = [], [], [], [], []
        for _ in range(RUNS):
            found = library(options.bench_grade, path, 1, 10)
            ours.append(found["processor_seconds"] / found["n_pairs"])
            seconds, verdicts = command_seconds(options.program, path, len(pairs))
            commands.append(seconds)
            if options.math_verify:
                done = subprocess.run([options.math_verify, os.path.join(HERE, "math_verify_grader.py")], input=text, text=True,
                                      capture_output=True, check=True)
                found = json.loads(done.stdout.splitlines()[-1])
                theirs.append(found["seconds"] / len(pairs))
                others = found["verdicts"]
        print(f"rederive, the function: {median(ours) * 1e6:.1f} us a pair (runs {spread(ours, 1e6)})")
        print(f"rederive grade, with its JSON: {median(commands) * 1e6:.1f} us a pair (runs {spread(commands, 1e6)})")
        if theirs:
            print(f"Math-Verify: {median(theirs) * 1e3:.2f} ms a pair (runs {spread(theirs, 1e3)})")
            print(f"ratio: {median(theirs) / median(ours):.0f} to the function, {median(theirs) / median(commands):.0f} to the command")
        for threads in (1, 8):
            found = library(options.bench_grade, path, threads, 30)
            print(f"{threads} thread{'s' * (threads > 1)}: {found['n_pairs'] / found['seconds']:.0f} pairs a second by the clock "
                  f"({os.cpu_count()} processors)")
        tell("rederive", verdicts, truths)
        if others:
            tell("Math-Verify", others, truths)
            both = sum(a == b for a, b in zip(verdicts, others))
            print(f"the two agree on {both} of {len(pairs)}; only rederive calls right: {sum(a is True and b is False for a, b in zip(verdicts, others))}, "
                  f"only Math-Verify: {sum(a is not True and b is True for a, b in zip(verdicts, others))}")


def suite(options):
    """The file once, and 41 times less once; what loads sympy is no part of Math-Verify's time, but for the last row."""
    with open(options.suite, "rb") as file:
        once = file.read()
    n = once.count(b"\n")
    programs = [options.program] + ([options.before] if options.before else [])
    times = {row: [] for row in ["Math-Verify", "Math-Verify, with its start", *programs, *(p + ", without its start" for p in programs)]}

    def seconds(command, data):
        began = children_seconds()
        done = subprocess.run(command, input=data, capture_output=True, check=True)
        return children_seconds() - began, done.stdout
    for _ in range(SUITE_RUNS):
        took, out = seconds([options.math_verify, os.path.join(HERE, "math_verify_grader.py")], once)
        times["Math-Verify"].append(json.loads(out.splitlines()[-1])["seconds"])
        times["Math-Verify, with its start"].append(took)
        for program in programs:
            command = [program, "grade", "-q", "--threads", "1"]
            few = seconds(command, once)[0]
            times[program].append(few)
            times[program + ", without its start"].append((seconds(command, once * 41)[0] - few) / 40)
    theirs = median(times["Math-Verify"])
    print(f"{n} pairs, {SUITE_RUNS} runs\n| | us a pair | times as fast as Math-Verify |\n| --- | --- | --- |")
    for row, found in times.items():
        print(f"| {row} | {median(found) / n * 1e6:.1f} ({min(found) / n * 1e6:.1f} to {max(found) / n * 1e6:.1f}) | {theirs / median(found):.0f} |")


def median(values):
    return sorted(values)[len(values) // 2]


def spread(values, unit):
    return ", ".join(f"{v * unit:.1f}" for v in sorted(values))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("bench_grade", nargs="?")
    parser.add_argument("--suite", metavar="FILE")
    parser.add_argument("--before", metavar="PROGRAM")
    parser.add_argument("--math-verify", metavar="PYTHON")
    parser.add_argument("--pairs", type=int, default=1000)
    parser.add_argument("--replies", metavar="FILE")
    options = parser.parse_args()
    if options.suite:
        suite(options)
        return
    measure("generated pairs", generated(options.pairs), options)
    if options.replies:
        measure("whole replies", replies(options.replies), options)


if __name__ == "__main__":
    main()
