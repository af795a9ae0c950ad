#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What each rule of language does on recorded data: a table of the rules that withhold verdicts, and one of the rows that read
calculations in words.

    rules.py [--number N] [--source S]
        --number N   steps with a changed digit (20000; 0: all)
        --source S   only sources whose name contains S

    fired     calculations that are undecided by the rule
    right     of these, right or rounded when no rule holds: support that was withheld
    excused   of these, wrong when no rule holds
    found     excused ones in the first wrong step of a chain, by its label: what the rule costs
    digits    changed digits (promise.py) that the rule excuses: what it costs where nothing is excused by right

For rows that read, what they read by outcome, and

    accused   wrong ones in chains whose answer is right: the false alarms among them
    found     wrong ones in the first wrong step of a chain, by its label

A rule that withholds nothing by itself (effects nothing, clause, equation and the like) is not listed. Data: RDV_SHARED; a source
that is missing is named."""

import argparse
import collections
import json
import multiprocessing
import subprocess
import tempfile
from pathlib import Path

import calc_sources
import promise
from two_programs import PROCESSES, calculations_of, drawn

COLUMNS = ("fired", "right", "excused", "found")
RIGHT = ("right", "rounded")
OF_CALCULATIONS = ("context.rules", "explanations.rules")  # those of replies and answers are none of `check`
READ = ("read", "right", "rounded", "wrong", "undecided", "accused", "found")


def rules_of(program):
    """The program's rules, in their order."""
    done = subprocess.run([program, "rules", "--json"], stdout=subprocess.PIPE, check=True)
    return json.loads(done.stdout)["rules"]


def by_place(chain):
    """The outcome of each calculation, by step and place."""
    return {(i, c["start"], c["end"]): c["outcome"] for i, verdict in enumerate(chain.verdicts) for c in calculations_of(verdict)}


def counts_of(chain, plain):
    """(rule, column) of each calculation that a rule decides; plain: the chain without rules."""
    outcomes = by_place(plain)
    for i, verdict in enumerate(chain.verdicts):
        for c in calculations_of(verdict):
            if "rule" not in c:
                continue
            was = outcomes.get((i, c["start"], c["end"]))
            yield c["rule"], "fired"
            if was in RIGHT:
                yield c["rule"], "right"
            if was == "wrong":
                yield c["rule"], "excused"
                if chain.labelled and chain.label == i:
                    yield c["rule"], "found"


def read_counts_of(chain):
    """(row, column) of each calculation in words."""
    for i, verdict in enumerate(chain.verdicts):
        for c in calculations_of(verdict):
            if "read_by" not in c:
                continue
            yield c["read_by"], "read"
            yield c["read_by"], c["outcome"]
            if c["outcome"] == "wrong" and chain.right:
                yield c["read_by"], "accused"
            if c["outcome"] == "wrong" and chain.labelled and chain.label == i:
                yield c["read_by"], "found"


def results_of(chain, source):
    for step in range(len(chain.verdicts)):
        place = promise.result_of(chain, step)
        if place:
            yield {"source": source, "question": chain.question, "steps": list(chain.steps), "at": step, "place": place}


def measure(job):
    """(source, its calculations, its counts, its right results); None in place of the counts: it is missing."""
    source, off, number = job
    counts, made, n = collections.Counter(), [], 0
    try:
        chains = calc_sources.chains(source, aside=None)
        plain = calc_sources.chains(source, aside=None, options=off)
    except calc_sources.Missing:
        return source, 0, None, []
    for chain, without in zip(chains, plain, strict=True):
        counts.update(counts_of(chain, without))
        counts.update((row, f"{column} in words") for row, column in read_counts_of(chain))
        n += len(chain.calculations)
        made += results_of(chain, source)
    return source, n, counts, drawn(made, number or None, promise.key_of)


def excused_digits(made):
    """How many changed digits each rule excuses."""
    counts = collections.Counter()
    for each in made:
        each["steps"][each["at"]] = promise.change_digit(each["steps"][each["at"]], *each["place"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "changed.jsonl"
        path.write_text("".join(json.dumps({"question": m["question"], "steps": m["steps"]}) + "\n" for m in made))
        for record, each in zip(calc_sources.check(path), made, strict=True):
            for c in calculations_of(record["verdicts"][each["at"]]):
                if c["start"] <= each["place"][0] < c["end"] and "rule" in c:
                    counts[c["rule"]] += 1
    return counts


def table(rules, counts, digits):
    print(f"\n| rule | effect | {' | '.join(COLUMNS)} | digits |\n| --- | --- |{' --- |' * (len(COLUMNS) + 1)}")
    for rule in rules:
        if "reason" in rule:
            row = [counts[rule["id"], column] for column in COLUMNS] + [digits[rule["id"]]]
            print(f"| {rule['id']} | {rule['effect']} | {' | '.join(map(str, row))} |")
    print(f"| all | | {' | '.join(str(sum(n for (_, c), n in counts.items() if c == column)) for column in COLUMNS)} | {digits.total()} |")


def table_of_readers(rules, counts):
    print(f"\n| row | {' | '.join(READ)} |\n| --- |{' --- |' * len(READ)}")
    for rule in rules:
        if rule["effect"] == "read":
            print(f"| {rule['id']} | {' | '.join(str(counts[rule['id'], f'{column} in words']) for column in READ)} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=20000)
    parser.add_argument("--source", default="")
    args = parser.parse_args()
    rules = rules_of(calc_sources.PROGRAM)
    off = [f"--disable-rule={rule['id']}" for rule in rules if Path(rule["file"]).name in OF_CALCULATIONS]
    jobs = [(source, off, args.number) for source in calc_sources.SOURCES if args.source in source]
    counts, made, n, missing = collections.Counter(), [], 0, []
    with multiprocessing.Pool(PROCESSES) as pool:
        for source, found, more, results in pool.imap(measure, jobs):
            if more is None:
                missing.append(source)
                continue
            counts.update(more)
            made, n = drawn(made + results, args.number or None, promise.key_of), n + found
    if not n:
        raise calc_sources.Missing(f"{calc_sources.SHARED}: no recorded data")
    digits = excused_digits(made)
    print(f"{n} calculations of {len(jobs) - len(missing)} sources; {len(made)} right results with one digit changed.")
    if missing:
        print(f"Missing: {', '.join(missing)}.")
    table(rules, counts, digits)
    table_of_readers(rules, counts)
    return 0


if __name__ == "__main__":
    raise SystemExit(calc_sources.status(main))
