#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What an old and a new program keep of the promise "right is right, wrong is wrong", on recorded data.

    promise.py OLD NEW kept|digits|unread|found|speed ... [options]     default: all but found and speed
        kept     of the steps that OLD supports in chains labelled right, the share that NEW supports
        digits   one digit of the number behind the last "=" of a right result changed: the share called wrong, by both
        unread   samples of what NEW says was not read, and of what becomes of the steps of which OLD says so, to read
        found    first errors found, right chains accused, certificates confirmed, rule-based verifiers, of both
        speed    processor time a byte, runs of both in turn
    --unseen     the third that is kept aside: counts alone
    --number N   changed steps of `digits` (6000); texts of each sample of `unread` (200); runs of each in `speed` (7)
    --show N     texts listed of each kind (20)
    --out FOLDER where samples are written (promise-samples)
    --source S   only sources whose name contains S

Data: RDV_SHARED. A figure that has a gate says whether it is reached; exits with 1 if one is missed."""

import argparse
import json
import os
import random
import re
import resource
import statistics
import subprocess
import sys
import tempfile
from collections import Counter, defaultdict
from pathlib import Path

import calc_before
import calc_chains
import calc_kinds
import calc_right
import calc_sources
import two_programs
from calc_report import Report
from calc_tokenised import is_tokenised
from two_programs import beside, drawn, reason, said, shorten, unread_of

HERE = Path(__file__).resolve().parent
KEPT, DIGITS, SPEED = 0.985, 0.96, 1.03  # the gates
NEW_SOURCES = ("reasoningflow", "mmlu-pro", "gsm-plus", "mathcheck", "cogtutorbugs")
RESULT = re.compile(r"[\s$€£\\(\[{*~-]*(\d[\d,]*(?:\.\d+)?|\.\d+)\D*")  # behind "=": one number
LINE = "-" * 100


def of_sources(work, args, *more):
    for source, result in two_programs.over_sources(work, (args, *more)):
        yield source, result


def chosen(source, args):
    """The pairs of chains of a source on the side of the split that is asked for."""
    if args.source not in source:
        return []
    return [pair for pair in two_programs.pairs(source, args.old, args.new) if pair[0].aside == args.unseen]


def list_by(report, title, items, args):
    """Counts by what items[i][0] says, most frequent first, with texts."""
    groups = defaultdict(list)
    for name, text in items:
        groups[name].append(text)
    if items:
        report.title(title)
    for name, texts in sorted(groups.items(), key=lambda g: -len(g[1])):
        report.figure(name[:64], len(texts), len(items))
        for text in drawn(texts, 0 if args.unseen else args.show, str):
            print("      " + text.replace("\n", "\n      "))


# ---- kept ----------------------------------------------------------------------------------------

def kept_of(source, args):
    """(steps supported by the old program, [(group, text) of those that the new one does not support])"""
    supported, lost = 0, []
    for old, new in chosen(source, args):
        for step, a, b in beside(old, new) if old.right else []:
            if a["verdict"] == "support":
                supported += 1
                if b["verdict"] != "support":
                    lost.append((f"{b['verdict']}, {reason(b)}", f"{source} {old.id or old.record}: {shorten(step)}\n"
                                 f"    was {said(a)}\n    now {said(b)}"))
    return supported, lost


def kept(report, args):
    report.title("Steps supported by OLD in chains labelled right, that NEW supports")
    total, lost = 0, []
    for source, (supported, missing) in of_sources(kept_of, args):
        if supported:
            report.figure(source, supported - len(missing), supported)
        total, lost = total + supported, lost + missing
    report.figure("all", total - len(lost), total)
    report.floor(f"at least {100 * KEPT} %", total - len(lost) >= KEPT * total)
    list_by(report, "Those lost, by what NEW says", lost, args)


# ---- digits --------------------------------------------------------------------------------------

def result_of(chain, step):
    """(begin, end) in bytes of the number behind the last "=" of the last calculation of a step; None: it has none that is right
    without a note, or stands in a calculator's mark, or in a text that is tokenised."""
    found = [c for c in chain.calculations if c.step == step]
    text = chain.steps[step]
    if not found or "<<" in text or is_tokenised(text):
        return None
    last = max(found, key=lambda c: (c.end, c.begin))
    head, sign, tail = last.text.rpartition("=")
    number = RESULT.fullmatch(tail)
    if last.verdict != "right" or last.note or not sign or not number:
        return None
    begin = last.begin + len((head + sign + tail[:number.start(1)]).encode())
    return begin, begin + len(number[1])


def change_digit(text, begin, end):
    """The text with one digit changed, never to a 0 at the number's beginning."""
    rng, number = random.Random(text), text.encode()[begin:end].decode()
    places = [i for i, c in enumerate(number) if c.isdigit()]
    at = rng.choice(places)
    digit = rng.choice([d for d in "0123456789" if d != number[at] and (d != "0" or at != places[0])])
    return (text.encode()[:begin + at] + digit.encode() + text.encode()[begin + at + 1:]).decode()


def digits_of(source, args):
    """The chains with one digit changed that a source gives."""
    if args.source not in source:
        return []
    made = []
    for chain in two_programs.chains(source, args.old):
        if chain.aside != args.unseen:
            continue
        for step in range(len(chain.verdicts)):
            place = result_of(chain, step)
            if place:
                made.append({"source": source, "question": chain.question, "steps": list(chain.steps), "at": step, "place": place})
    return drawn(made, args.number or 6000, lambda m: m["question"] + m["steps"][m["at"]])


def outcome(record, made):
    """What is said of the calculation whose result was changed."""
    verdict = record["verdicts"][made["at"]]
    found = [c for c in two_programs.calculations_of(verdict) if c["start"] <= made["place"][0] < c["end"]]
    for name in ("wrong", "undecided", "rounded", "right"):
        for c in found:
            if c["outcome"] == name:
                return name, c.get("note") or "no note"
    return ("not read" if unread_of(verdict) else "nothing said"), ""


def digits(report, args):
    made = [each for _, found in of_sources(digits_of, args) for each in found]
    made = drawn(made, args.number or 6000, lambda m: m["question"] + m["steps"][m["at"]])
    for each in made:
        each["was"] = each["steps"][each["at"]]
        each["steps"][each["at"]] = change_digit(each["was"], *each["place"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "changed.jsonl"
        path.write_text("".join(json.dumps({"question": m["question"], "steps": m["steps"]}) + "\n" for m in made))
        both = [calc_sources.check(path, program=program) for program in (args.old, args.new)]
    report.title("One digit of a right result changed")
    for name, records in zip(("OLD", "NEW"), both):
        counts = Counter(outcome(*each)[0] for each in zip(records, made))
        report.figure(f"{name}: called wrong", counts["wrong"], len(made), ", ".join(f"{n} {k}" for k, n in counts.most_common() if k != "wrong"))
    report.floor(f"at least {100 * DIGITS} %", counts["wrong"] >= DIGITS * len(made))
    for name, records in zip(("OLD", "NEW") if args.old != args.new else ("NEW",), both[-1:] if args.old == args.new else both):
        missed = [(", ".join(filter(None, outcome(r, m))), f"{m['source']}: {shorten(m['steps'][m['at']], 400)}")
                  for r, m in zip(records, made) if outcome(r, m)[0] != "wrong"]
        list_by(report, f"Not called wrong by {name}", missed, args)


# ---- unread --------------------------------------------------------------------------------------

def unread_in(source, args):
    """(samples by class, counts by class): what NEW says was not read; what becomes of that of which OLD says so."""
    classes = defaultdict(list)
    for old, new in chosen(source, args):
        where = f"{source} {old.id or old.record}"
        for step, verdict in zip(new.steps, new.verdicts):
            for text in unread_of(verdict):
                classes["NEW says not read"].append(f"{where} [{verdict['verdict']}]\nNOT READ: {text}\n{shorten(step)}")
        for step, a, b in beside(old, new):
            for text in unread_of(a)[:1]:
                name = f"OLD says not read, NEW: {b['verdict']}" + (", not read" if unread_of(b) else "")
                classes[name].append(f"{where}\nNOT READ BY OLD: {text}\nNEW: {b['verdict']}, {said(b)}\n{shorten(step)}")
    number = args.number or 200
    return {name: drawn(texts, number, str) for name, texts in classes.items()}, Counter({n: len(t) for n, t in classes.items()})


def unread(report, args):
    samples, counts = defaultdict(list), Counter()
    for _, (found, more) in of_sources(unread_in, args):
        counts += more
        for name, texts in found.items():
            samples[name] += texts
    report.title("What is said not to be read")
    new, total = counts.pop("NEW says not read", 0), sum(counts.values())
    print(f"{'texts of which NEW says so':<64} {new:>6}")
    print(f"{'steps of which OLD says so':<64} {total:>6}")
    for name, n in counts.most_common():
        report.figure(f"    {name.partition(', ')[2]}", n, total)
    still = sum(n for name, n in counts.items() if "unknown" in name or name.endswith("not read"))
    report.floor("at most half of them still unknown", 2 * still <= total)
    if args.unseen:
        return
    args.out.mkdir(parents=True, exist_ok=True)
    for name, texts in samples.items():
        path = args.out / (re.sub(r"\W+", "-", name).lower() + ".txt")
        texts = drawn(texts, args.number or 200, str)
        path.write_text("".join(f"{LINE}\n{i}. {text}\n" for i, text in enumerate(texts, 1)), encoding="utf-8")
        print(f"{path}: {len(texts)} of {counts[name] or new}")


WHAT = {"kept": kept, "digits": digits, "unread": unread}
DEFAULT = ("kept", "digits", "unread")


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("what", nargs="*")
    parser.add_argument("--unseen", action="store_true")
    parser.add_argument("--at-hand", action="store_false", dest="unseen", help="the other two thirds: the default")
    parser.add_argument("--number", type=int)
    parser.add_argument("--show", type=int, default=20)
    parser.add_argument("--source", default="")
    parser.add_argument("--out", type=Path, default=Path("promise-samples"))
    args = parser.parse_args()
    if set(args.what) - set(WHAT):
        parser.error(f"no such measure: {', '.join(sorted(set(args.what) - set(WHAT)))}")
    report = Report(not args.unseen, args.unseen)
    try:
        for name in args.what or DEFAULT:
            WHAT[name](report, args)
    except calc_sources.Missing as missing:
        print(f"skipped: {missing}")
        return 77
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
