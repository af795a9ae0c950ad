#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much memory commands need, by the number of chains that they read.

    bench/memory.py PROGRAM [--before OTHER_PROGRAM] [--chains 10000,100000,1000000] [--steps 2] [--svg FILE]

Generated chains of two steps, or of one with --steps 1, four a question, three in ten wrong, are checked; then `check`, `eval` and `vote` read them, each in a process
of its own with one thread. Prints the bytes of a checked record, the most memory of each process in MB (VmHWM) and its processor time, and draws the memory with --svg:
both axes are logarithmic, so memory in proportion to the input is a line of slope 1, and memory that does not grow a flat one.
"""
import argparse
import json
import math
import os
import random
import subprocess
import sys
import tempfile

CHAINS_A_QUESTION = 4
WRONG = 0.3
COLOURS = {"check -q": "#1f6fb4", "eval -q": "#c44e20", "vote -q": "#2e8540"}


def chain(number, draw, steps):
    """One chain as a line; those of a question calculate the same."""
    question = random.Random(number // CHAINS_A_QUESTION)
    a, b, c = question.randint(2, 99), question.randint(2, 99), question.randint(2, 9)
    product = a * b + (draw.choice((1, 10, -1)) if draw.random() < WRONG else 0)
    return json.dumps({
        "id": f"c{number}", "question_id": f"q{number // CHAINS_A_QUESTION}", "gold": str(a * b + c), "answer": str(product + c),
        "question": f"What is {a} * {b} + {c}?" if steps == 1 else f"A shop sells {a} boxes of {b} pens and {c} more. How many pens are that?",
        "steps": [f"The shop sells {a} * {b} + {c} = {product + c} pens."] if steps == 1 else
                 [f"The boxes hold {a} * {b} = {product} pens.", f"With the others these are {product} + {c} = {product + c} pens."]}) + "\n"


def write_chains(path, count, steps):
    draw = random.Random(7)
    with open(path, "w", encoding="utf-8") as out:
        out.writelines(chain(number, draw, steps) for number in range(count))


def run(program, command, path):
    """The most memory in MB, and the processor time in seconds."""
    with open(os.devnull, "w", encoding="ascii") as nowhere, subprocess.Popen(
            [program, *command.split(), path, "--threads", "1"], stdout=nowhere, stderr=nowhere) as process:
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        sys.exit(f"{program} {command}: exit status {process.returncode}")
    return usage.ru_maxrss / 1000, usage.ru_utime + usage.ru_stime


def measure(programs, counts, steps):
    """(program's name, command) -> a list of (chains, MB, seconds)."""
    found = {(name, command): [] for name in programs for command in COLOURS}
    with tempfile.TemporaryDirectory() as folder:
        for count in counts:
            chains, checked = (os.path.join(folder, name) for name in ("chains.jsonl", "checked.jsonl"))
            write_chains(chains, count, steps)
            subprocess.run([programs["now"], "check", "-q", chains, "-o", checked], check=False)
            print(f"{count:,} records of {os.path.getsize(checked) / count:.0f} bytes", file=sys.stderr)
            for (name, command), points in found.items():
                points.append((count, *run(programs[name], command, chains if command == "check -q" else checked)))
            os.remove(checked)
    return found


def table(found, counts):
    print("| command | program | " + " | ".join(f"{count:,} chains" for count in counts) + " |")
    print("| --- | --- |" + " --- |" * len(counts))
    for (name, command), points in found.items():
        print(f"| `{command}` | {name} | " + " | ".join(f"{mb:.0f} MB, {seconds:.1f} s" for _, mb, seconds in points) + " |")


def draw(found, counts):
    """The plot, as SVG."""
    width, height, left, bottom, top, right = 640, 400, 60, 50, 20, 120
    x0, x1 = math.log10(counts[0]), math.log10(counts[-1])
    y0, y1 = 0, math.ceil(math.log10(max(mb for points in found.values() for _, mb, _ in points)))

    def at(count, mb):
        return (left + (math.log10(count) - x0) / (x1 - x0 or 1) * (width - left - right),
                height - bottom - (math.log10(mb) - y0) / (y1 - y0) * (height - bottom - top))

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="12">',
             f'<rect width="{width}" height="{height}" fill="#fff"/>']
    for power in range(y0, y1 + 1):
        _, y = at(counts[0], 10 ** power)
        parts.append(f'<path d="M{left} {y:.1f}H{width - right}" stroke="#ddd"/><text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{10 ** power:,}</text>')
    for count in counts:
        x, y = at(count, 1)
        parts.append(f'<path d="M{x:.1f} {top}V{y:.1f}" stroke="#ddd"/><text x="{x:.1f}" y="{y + 18:.1f}" text-anchor="middle">{count:,}</text>')
    parts.append(f'<text x="{(left + width - right) / 2}" y="{height - 10}" text-anchor="middle">chains</text><text x="{left}" y="14" text-anchor="middle">MB</text>')
    for (name, command), points in found.items():
        places = [at(count, mb) for count, mb, _ in points]
        dash = ' stroke-dasharray="5 4"' if name == "before" else ""
        line = " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
        parts.append(f'<polyline points="{line}" fill="none" stroke="{COLOURS[command]}" stroke-width="2"{dash}/>')
        parts.append(f'<text x="{places[-1][0] + 6:.1f}" y="{places[-1][1] + 4:.1f}" fill="{COLOURS[command]}">{command[:-3]}, {name}</text>')
    return "\n".join([*parts, "</svg>", ""])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--before")
    parser.add_argument("--chains", default="10000,100000,1000000")
    parser.add_argument("--steps", type=int, choices=(1, 2), default=2)
    parser.add_argument("--svg")
    args = parser.parse_args()
    counts = sorted(int(count) for count in args.chains.split(","))
    programs = {"now": args.program, **({"before": args.before} if args.before else {})}
    found = measure(programs, counts, args.steps)
    table(found, counts)
    if args.svg:
        with open(args.svg, "w", encoding="utf-8") as out:
            out.write(draw(found, counts))


if __name__ == "__main__":
    main()
