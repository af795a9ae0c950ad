#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sentences in every form that docs/calculations.md names, and what becomes of each.

    calc_forms.py [--seed N] [--times N] [--only WORD] [--show]

A form writes sentences with numbers that the seed draws: right ones, rounded ones, wrong ones and undecided ones, at the
limits of the rules where there are some. It works out what the documentation promises: which bytes are a calculation, its
outcome, `value`, `of` and `note`. All go through `rederive check` in one run, a record each, and every member of the
evidence must be as expected, and the verdict that of the table of verdicts.
Program: RDV_PROGRAM, or build/rederive. Exits with 1 if a sentence differs."""
import argparse
import json
import random
import sys

import calc_forms_equations
import calc_forms_numbers
import calc_forms_units
import calc_forms_words
from calc_form import ANY
from records import records

MEMBERS = ["text", "outcome", "start", "end", "value", "of", "note"]
FORMS = [form for module in (calc_forms_numbers, calc_forms_words, calc_forms_equations, calc_forms_units)
         for form in module.FORMS]


def verdict_of(expected, unread):
    outcomes = {e["outcome"] for e in expected}
    if "wrong" in outcomes:
        return "contradict"
    if "undecided" in outcomes or unread:
        return "unknown"
    return "support" if outcomes & {"right", "rounded"} else "unrelated"


def checked(cases):
    """The verdicts of each case, as the program gives them."""
    inputs = [{"question": c.question, "steps": c.steps} for c in cases]
    return [r["verdicts"] for r in records(["check", "--quiet", "--json", "--method", "calculations"], inputs)]


def settled(note, got):
    """The note that is expected, where several will do."""
    return got if note is ANY or (isinstance(note, list) and got in note) else note


def value_of(want, got, steps):
    """What the value is of: where a note says how it was found, a part of the text that the form does not name."""
    named = got["of"] is not None and any(got["of"] in s for s in steps)
    return got["of"] if want["of"] is None and want["note"] and got["outcome"] == "wrong" and named else want["of"]


def differences(case, verdicts):
    """A line for each thing that is not as expected."""
    for expected, found in zip(case.expected, verdicts):
        calculations = found.get("evidence", {}).get("calculations", [])
        got = [{name: c.get(name) for name in MEMBERS} for c in calculations]
        want = [{name: e[name] for name in MEMBERS} for e in expected]
        for a, b in zip(want, got):
            if a["note"] is ANY and b["outcome"] == "self_corrected":
                a["outcome"] = b["outcome"]  # what is taken back, and then said rightly
            a["note"] = settled(a["note"], b["note"])
            a["of"] = value_of(a, b, case.steps)
        verdict = verdict_of(want, "not_read" in found.get("evidence", {}))
        if found["verdict"] != verdict:
            yield f"{found['verdict']}, not {verdict}"
        if got != want:
            yield f"found    {json.dumps(got, ensure_ascii=False)}\n    expected {json.dumps(want, ensure_ascii=False, default=str)}"


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--times", type=int, default=1, help="as many sentences as usual, times this")
    parser.add_argument("--only", default="", help="forms whose name holds this")
    parser.add_argument("--show", action="store_true", help="print the sentences")
    args = parser.parse_args()
    cases = []
    for form in FORMS:
        if args.only in form.__name__:
            rng = random.Random(f"{args.seed} {form.__name__}")
            for _ in range(args.times):
                cases += form(rng)
    faults = 0
    for case, verdicts in zip(cases, checked(cases)):
        lines = list(differences(case, verdicts))
        if lines or args.show:
            print(f"{case.form}: {' || '.join(case.steps)!r}" + "".join("\n    " + line for line in lines))
        faults += bool(lines)
    print(f"{len(cases)} chains of {len(FORMS)} forms, {faults} not as expected")
    return 1 if faults or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
