#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `check --certify` certifies of recorded chains: the tables of docs/measured/certificates.md.

    certificates_measured.py            the two thirds that may be looked at
    certificates_measured.py --unseen   the third that is kept aside: counts, with intervals
    certificates_measured.py --show     certified chains that the second program does not confirm

1. What the certificate says, by a second program that shares nothing with the C code: each equality of two
   plain sides in a certified chain is computed again, and each number of its left side must stand in the
   question, before it in the chain, or among the numbers of units.
2. How often the answer of a certified chain is right, which the certificate does not say.
3. Chains with a labelled error, by kind of error.
4. GSM8K's own solutions with one planted wrong calculation: none may be certified.

Exits with 1 when a floor is missed, with 77 when the data is not there."""

import argparse
import json
import random
import re
import sys
import tempfile
from collections import Counter
from pathlib import Path

import calc_right
import calc_sources
from answers_measured import kept_aside, model_solutions
from calc_claims import decide
from calc_exact import NotArithmetic
from calc_report import Report, wilson

PLANTED = 10000
ANSWERED = ("zeroeval", "mot-cascade", "faithful-gsm8k", "faithful-multiarith", "cot-uq", "strictprmbench-gsm8k")
LABELLED = ("eic-GSM8K", "parc-gsm8k", "processbench-gsm8k")
DENIED = ("calculation_error", "Mathematical_Error", "referencing_context_value_error")
NUMBER = r"\d[\d,]*(?:\.\d+)?|\.\d+"
EQUALITY = re.compile(rf"(?<![\w.)%/*+=-])((?:{NUMBER})(?:\s*[-+*/]\s*(?:{NUMBER}))+)\s*=\s*\$?({NUMBER})(?![\w%]*\s*[-+*/(%])")
WORDS = {word: i for i, word in enumerate(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty".split())}
WORDS |= {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90,
          "hundred": 100, "half": 2, "twice": 2, "double": 2, "third": 3, "thirds": 3, "triple": 3, "quarter": 4,
          "quarters": 4, "fourth": 4, "fourths": 4, "fifth": 5, "fifths": 5, "dozen": 12, "pair": 2, "couple": 2}
OF_UNITS = {0.25, 0.5, 1, 2, 3, 4, 5, 7, 10, 12, 16, 24, 25, 30, 52, 60, 100, 365, 1000, 2000, 5280}


def checked(records):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chains.jsonl"
        path.write_text("".join(json.dumps(record) + "\n" for record in records))
        return [r for r in calc_sources.check(path, "--certify") if "steps" in r]


def value(text):
    return float(text.replace(",", ""))


def values(text):
    return {value(n) for n in re.findall(NUMBER, text)}


# ---- the second program --------------------------------------------------------------------------

def doubts(record):
    """What the second program finds against a certificate."""
    question = record["question"]
    found = values(question) | {WORDS[w] for w in re.findall("[a-z]+", question.lower()) if w in WORDS}
    found |= {WORDS[tens] + WORDS[ones] for tens, ones in re.findall("([a-z]+)-([a-z]+)", question.lower())
              if tens in WORDS and ones in WORDS}
    found |= {v / 100 for v in found} | OF_UNITS
    for step in record["steps"]:
        for equality in EQUALITY.finditer(step):
            left, right = equality.groups()
            before = step[:equality.start()].rstrip(" $(")[-1:]
            if before and before in "+-*/x×÷·)%,":
                continue  # the end of a longer side
            try:
                if decide(left, right) == "wrong":
                    yield f"{equality.group()}: wrong"
            except NotArithmetic:
                continue
            missing = values(left) - found - values(step[:equality.start()])
            if missing and before != "=":  # else it was worked out from the side before
                yield f"{equality.group()}: {missing} from nowhere"
            found |= values(right)
        found |= values(step)


def measure_answers(report, aside, show):
    report.title("Certified, by source; and whether the answer is right")
    read = confirmed = 0
    for source in (*ANSWERED, "gsm8k-models"):
        rows = model_solutions() if source == "gsm8k-models" else calc_right.SOURCES[source]()
        records = checked(row for row in rows if kept_aside(row["question"]) == aside)
        certified = [r for r in records if r["certificate"]["certified"]]
        right = sum(map(calc_right.is_right, records))
        report.figure(f"{source}: certified", len(certified), len(records))
        report.figure("    answer right, of all", right, len(records))
        report.figure("    answer right, of the certified", sum(map(calc_right.is_right, certified)), len(certified))
        read += len(certified)
        for record in certified:
            against = list(doubts(record))
            confirmed += not against
            if against and show:
                print("    ", source, record["id"], against)
    people = [r for path in calc_sources.files_of("gsm8k-human") for r in calc_sources.check(path, "--certify")
              if kept_aside(r["question"]) == aside]
    certified = [r for r in people if r["certificate"]["certified"]]
    report.figure("gsm8k-human: certified", len(certified), len(people))
    confirmed += sum(not list(doubts(r)) for r in certified)
    read += len(certified)
    report.figure("what the certificate says, confirmed by the second program", confirmed, read)
    report.floor("at least 99 % confirmed, with a lower bound of 98 %",
                 confirmed >= 0.99 * read and wilson(confirmed, read)[0] >= 0.98)
    return certified


def measure_labels(report, aside):
    report.title("Certified chains with a labelled error, by kind")
    denied = total = 0
    for source in LABELLED:
        kinds, certified = Counter(), Counter()
        for path in calc_sources.files_of(source):
            for record in calc_sources.check(path, "--certify"):
                if "label" not in record or kept_aside(record["question"]) != aside:
                    continue
                kind = record.get("error_type") or record.get("pair_error_type") or "an error"
                kind = "no error" if record["label"] is None else kind if isinstance(kind, str) else kind[0]
                kinds[kind] += 1
                certified[kind] += record["certificate"]["certified"]
        for kind in sorted(kinds):
            report.figure(f"{source}: {kind}", certified[kind], kinds[kind])
        denied += sum(certified[kind] for kind in DENIED)
        total += sum(certified.values())
    report.figure("certified with an error of the kinds that it denies", denied, total)


# ---- planted errors ------------------------------------------------------------------------------

def planted(rng, steps):
    """One calculator mark made wrong, in its number, its operator or its result, and the result beside it."""
    marks = [(i, m) for i, step in enumerate(steps)
             for m in re.finditer(rf"<<({NUMBER})([-+*/])({NUMBER})=({NUMBER})>>({NUMBER})?", step)]
    if not marks:
        return None
    i, m = rng.choice(marks)
    a, op, b, c, _ = m.groups()
    kind = rng.choice(("number", "operator", "result"))
    if kind == "number":
        b = str(int(value(b)) + rng.choice((1, 2, 10)))
    elif kind == "operator":
        op = rng.choice([o for o in "+-*/" if o != op])
    else:
        c = str(int(value(c)) + rng.choice((1, 2, 10)))
    try:
        if decide(f"{a}{op}{b}", c) != "wrong" or abs(eval_two(a, op, b) - value(c)) < 1:
            return None
    except (NotArithmetic, ZeroDivisionError):
        return None
    step = steps[i][:m.start()] + f"<<{a}{op}{b}={c}>>{c}" + steps[i][m.end():]
    return [*steps[:i], step, *steps[i + 1:]]


def eval_two(a, op, b):
    a, b = value(a), value(b)
    return a + b if op == "+" else a - b if op == "-" else a * b if op == "*" else a / b


def measure_planted(report, certified):
    report.title("GSM8K's certified solutions with one planted wrong calculation")
    rng, made = random.Random(18), []
    while len(made) < PLANTED:
        record = rng.choice(certified)
        steps = planted(rng, record["steps"])
        if steps:
            made.append({"question": record["question"], "steps": steps, "answer": record.get("answer")})
    passed = [r for r in checked(made) if r["certificate"]["certified"]]
    report.figure("certified", len(passed), PLANTED)
    report.floor("none is certified", not passed)
    return passed


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--unseen", action="store_true")
    parser.add_argument("--show", action="store_true")
    args = parser.parse_args()
    if args.unseen and args.show:
        parser.error("of the part kept aside only counts are printed")
    report = Report(unseen=args.unseen)
    certified = measure_answers(report, args.unseen, args.show)
    measure_labels(report, args.unseen)
    passed = measure_planted(report, certified)
    if args.show:
        for record in passed[:20]:
            print("    ", record["steps"])
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(calc_sources.status(main))
