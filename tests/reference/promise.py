#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What an old and a new program keep of the promise "right is right, wrong is wrong", on recorded data.

    promise.py OLD NEW kept|digits|unread|found|speed ... [options]     default: all but found and speed
        kept     of the steps that OLD decides whole and supports in chains labelled right, the share that NEW supports
        digits   one digit of the number behind the last "=" of a right result changed: the share called wrong, by both
        unread   samples of what NEW says was not read, and of what becomes of the steps of which OLD says so, to read
        found    first errors found, right chains accused, certificates confirmed, rule-based verifiers, of both
        speed    processor time a byte, runs of both in turn
    --unseen     the third that is kept aside: counts alone
    --number N   changed steps of `digits` (all); texts of each sample of `unread` (200); pairs of runs in `speed` (60)
    --show N     texts listed of each kind (20)
    --out FOLDER where samples are written (promise-samples)
    --source S   only sources whose name contains S

Data: RDV_SHARED. A figure that has a gate says whether it is reached; exits with 1 if one is missed."""

import argparse
import json
import multiprocessing.pool
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
import calc_right
import calc_sources
import two_programs
from calc_report import Report
from calc_tokenised import is_tokenised
from two_programs import beside, drawn, is_decided, reason, said, shorten, unread_of

HERE = Path(__file__).resolve().parent
KEPT, DIGITS, SPEED = 0.985, 0.96, 1.03  # the gates
NEW_SOURCES = ("reasoningflow", "mmlu-pro", "gsm-plus", "mathcheck", "cogtutorbugs")
RESULT = re.compile(r"[\s$€£\\(\[{*~-]*(\d[\d,]*(?:\.\d+)?|\.\d+)\D*")  # behind "=": one number
TEMPLATES = ("bbm", "tree-of-thoughts")
BEFORE = "sources of before, without templates"  # those of the figure in docs and reviews
ACCUSED = {"mathqa-people": "MathQA's people accused", "reasoningflow": "right reasoningflow chains accused",
           **dict.fromkeys(NEW_SOURCES, "right chains accused, MMLU-Pro, GSM-Plus, MathCheck")}  # by the beginning of a source's name
RUNS, PART = 60, 20  # of `speed`: pairs of runs; one chain in so many
TEXTS = 200  # of a sample to read
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
    """(steps that the old program decides whole and supports, [(group, text) of those that the new one does not support]). A step
    with anything undecided beside what is right is no support (docs/adr/0084)."""
    supported, lost = 0, []
    for old, new in chosen(source, args):
        for step, a, b in beside(old, new) if old.right else []:
            if a["verdict"] == "support" and is_decided(a):
                supported += 1
                if b["verdict"] != "support":
                    lost.append((f"{b['verdict']}, {reason(b)}", f"{source} {old.id or old.record}: {shorten(step)}\n"
                                 f"    was {said(a)}\n    now {said(b)}"))
    return supported, lost


def kept(report, args):
    report.title("Steps decided whole and supported by OLD in chains labelled right, that NEW supports")
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


def key_of(made):
    return made["question"] + made["steps"][made["at"]]


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
    return drawn(made, args.number, key_of)


def outcome(record, made):
    """What is said of the calculation whose result was changed."""
    verdict = record["verdicts"][made["at"]]
    found = [c for c in two_programs.calculations_of(verdict) if c["start"] <= made["place"][0] < c["end"]]
    for name in ("wrong", "undecided", "rounded", "right"):
        for c in found:
            if c["outcome"] == name:
                return name, c.get("note") or "no note"
    return ("not read" if unread_of(verdict) else "nothing said"), ""


def group_of(source):
    return "made by templates" if source in TEMPLATES else "the five new sources" if source.startswith(NEW_SOURCES) else BEFORE


def number_of(made):
    """The number that was changed, as it was."""
    return made["was"].encode()[slice(*made["place"])].decode()


def digits(report, args):
    made = [each for _, found in of_sources(digits_of, args) for each in found]
    made = drawn(made, args.number, key_of)
    for each in made:
        each["was"] = each["steps"][each["at"]]
        each["steps"][each["at"]] = change_digit(each["was"], *each["place"])
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "changed.jsonl"
        path.write_text("".join(json.dumps({"question": m["question"], "steps": m["steps"]}) + "\n" for m in made))
        with multiprocessing.pool.ThreadPool(two_programs.PROCESSES) as pool:
            both = pool.map(lambda program: calc_sources.check(path, program=program), [args.old, args.new])
    said_of = [[outcome(*each) for each in zip(records, made)] for records in both]
    for group in (BEFORE, "the five new sources", "made by templates"):
        report.title(f"One digit of a right result changed: {group}")
        for name, outcomes in zip(("OLD", "NEW"), said_of):
            counts = Counter(o[0] for o, m in zip(outcomes, made) if group_of(m["source"]) == group)
            report.figure(f"{name}: called wrong", counts["wrong"], counts.total(),
                          ", ".join(f"{n} {k}" for k, n in counts.most_common() if k != "wrong"))
        if group == BEFORE:
            report.floor(f"at least {100 * DIGITS:.0f} %", counts["wrong"] >= DIGITS * counts.total())
    missed = [(", ".join(filter(None, o)), f"{m['source']}: {shorten(m['steps'][m['at']], 400)}\n    was {number_of(m)}")
              for o, m in zip(said_of[1], made) if o[0] != "wrong"]
    list_by(report, "Not called wrong by NEW", missed, args)
    lost = [(", ".join(filter(None, b)), f"{m['source']}: {shorten(m['steps'][m['at']], 400)}")
            for a, b, m in zip(*said_of, made) if a[0] == "wrong" != b[0]]
    list_by(report, "Called wrong by OLD, not by NEW", lost, args)


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
    return {name: drawn(texts, args.number or TEXTS, str) for name, texts in classes.items()}, Counter({n: len(t) for n, t in classes.items()})


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
        texts = drawn(texts, args.number or TEXTS, str)
        path.write_text("".join(f"{LINE}\n{i}. {text}\n" for i, text in enumerate(texts, 1)), encoding="utf-8")
        print(f"{path}: {len(texts)} of {counts[name] or new}")


# ---- found ---------------------------------------------------------------------------------------

def found_of(source, args):
    """For each program what calc_before.counts() says of the chains that it counts, and the steps that NEW alone accuses."""
    both = [(old, new) for old, new in chosen(source, args) if source not in calc_right.SOURCES or old.right]
    accused = [(reason(b), f"{source} {old.id or old.record}: {shorten(step)}\n    now {said(b)}")
               for old, new in both if old.right and old.first_error is None and new.first_error is not None
               for step, _, b in beside(old, new) if b["verdict"] == "contradict"]
    counts = []
    for side in (0, 1):
        side = [pair[side] for pair in both]
        right = [c for c in side if c.right or calc_before.is_right(c)]
        counts.append({**calc_before.counts(side), "accused": (sum(c.first_error is not None for c in right), len(right))})
    return counts, accused


def programs_say(report, name, script, line, args):
    """The lines of another measurement that begin with `line`, by both programs at once."""
    command = [sys.executable, str(HERE / script), *(["--unseen"] if args.unseen else [])]
    runs = [subprocess.Popen(command, env={**os.environ, "RDV_PROGRAM": program, "RDV_SHARED": str(calc_sources.SHARED)},
                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) for program in (args.old, args.new)]
    for when, run in zip(("OLD", "NEW"), runs):
        said_by = [text for text in run.communicate()[0].split("\n") if text.startswith(line)]
        print(f"{name}, {when}: {' '.join((said_by or ['-'])[-1].split())}")


def found(report, args):
    totals, accused = {}, []
    report.title("First errors found, and right chains accused")
    for source, (counts, more) in of_sources(found_of, args):
        accused += more
        group = "found, the five new sources" if source.startswith(NEW_SOURCES) else "found, sources of before" \
            if source in calc_before.SOURCES else "found, FacTool"
        right = next((name for begin, name in ACCUSED.items() if source.startswith(begin)), "short right chains accused, sources of before")
        for what, name in (("found", group), ("accused", right)):
            if counts[0][what][1]:
                texts = [f"{part} of {whole}" for part, whole in (side[what] for side in counts)]
                print(f"    {source + ', ' + what:<50} {texts[0]:>16} -> {texts[1]}")
            for when, side in zip(("OLD", "NEW"), counts):
                part, whole = totals.get((name, when), (0, 0))
                totals[name, when] = part + side[what][0], whole + side[what][1]
    for (name, when), figures in sorted(totals.items(), key=lambda t: (t[0][0], t[0][1] == "NEW")):
        report.figure(f"{name}, {when}", *figures)
    programs_say(report, "certificates", "certificates_measured.py", "what the certificate says", args)
    programs_say(report, "rule-based verifiers", "programs.py", "| **mean**", args)
    list_by(report, "Right chains that NEW alone accuses", accused, args)


# ---- speed ---------------------------------------------------------------------------------------

def speed(report, args):
    """Processor time of both in turn, now the one first and now the other; the median of the ratios of neighbours. A run takes a part
    of the chains, for half a second: other work on the machine weighs on both runs of a pair. The first is not counted. Where there is
    valgrind, the instructions are counted too, which other work does not change."""
    with tempfile.TemporaryDirectory() as folder:
        path, few, times = Path(folder) / "part.jsonl", Path(folder) / "few.jsonl", []
        lines = [json.dumps({"question": chain.question, "steps": chain.steps}) + "\n" for source in calc_sources.SOURCES
                 for chain in (two_programs.chains(source, args.old)[::PART] if args.source in source else [])]
        path.write_text("".join(lines))
        few.write_text("".join(lines[::10]))
        for i in range((args.number or RUNS) + 1):
            turns = [(side, processor_time((args.old, args.new)[side], path)) for side in ((0, 1) if i % 2 else (1, 0))]
            times.append([seconds for _, seconds in sorted(turns)])
        size = path.stat().st_size
        counts = [instructions(program, few) for program in (args.old, args.new)]
    report.title("Processor time")
    for name, values in zip(("OLD", "NEW"), zip(*times[1:])):
        low, median, _ = statistics.quantiles(values, n=4)
        print(f"{name}: median {median:.2f} s, {1e9 * median / size:.1f} ns a byte of {size / 1e6:.1f} MB; lower quartile {low:.2f} s")
    ratios = sorted(new / old for old, new in times[1:])
    low, median, high = statistics.quantiles(ratios, n=4)
    error = 1.25 * 1.4826 * (high - low) / 2 / len(ratios) ** 0.5  # of a median, from the quartiles
    print(f"NEW / OLD: {median:.3f}, +- {2 * error:.3f}; of the lower quartiles "
          f"{statistics.quantiles([t[1] for t in times[1:]], n=4)[0] / statistics.quantiles([t[0] for t in times[1:]], n=4)[0]:.3f}")
    if all(counts):
        print(f"instructions, NEW / OLD: {counts[1] / counts[0]:.4f}")
    report.floor(f"at most {SPEED}", (counts[1] / counts[0] if all(counts) else median) <= SPEED)


def instructions(program, path):
    """How many a run takes; None: there is no valgrind."""
    command = ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null", program, "check", "--quiet", "--json", str(path)]
    try:
        done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    except FileNotFoundError:
        return None
    found = re.search(r"I\s+refs:\s+([\d,]+)", done.stderr)
    return int(found[1].replace(",", "")) if found else None


def processor_time(program, path):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([program, "check", "--quiet", "--json", str(path)], stdout=subprocess.DEVNULL, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


WHAT = {"kept": kept, "digits": digits, "unread": unread, "found": found, "speed": speed}
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
    for name in args.what or DEFAULT:
        WHAT[name](report, args)
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(calc_sources.status(main))
