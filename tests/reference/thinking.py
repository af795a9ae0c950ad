#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What is accused in long reasoning, in MMLU-Pro and in students' algebra, on recorded data.

    thinking.py [reasoning] [mmlu-pro] [algebra] [carried]    what to measure; default: all
        reasoning   chains of reasoningflow, with --check-reasoning: right and wrong ones that have a wrong step, by model
        mmlu-pro    the same of MMLU-Pro
        algebra     wrong steps of students (CogTutorBugs): found, supported
        carried     one digit of a right result of reasoning changed, there alone or wherever the number stands behind it
    --unseen     the third that is kept aside (calc_sources.py): counts alone
    --list FILE  write the first accusation of each chain, in its context, and each self-correction and each slip that is not used, for people to read

Data: RDV_SHARED. Program: RDV_PROGRAM, or build/rederive. A text that two files of reasoningflow have is counted once."""

import argparse
import ast
import json
import math
import random
import re
import sys
import tempfile
from collections import Counter, defaultdict
from fractions import Fraction
from pathlib import Path

import calc_sources
from calc_report import Report
from two_programs import calculations_of

SLIPS = 6  # results of a chain that are changed
CONTEXT = 500  # characters shown on each side of an accusation
LINE = "-" * 100


def chains_of(sources, unseen):
    """Chains, each text once."""
    seen, out = set(), []
    for source in sources:
        for chain in calc_sources.chains(source, unseen, None, True):
            key = chain.question, "".join("".join(chain.steps).split())
            if key not in seen:
                seen.add(key)
                out.append(chain)
    return out


def model_of(chain):
    return chain.rest.get("generator", "")


def is_right(chain):
    """Is it, by its label or its answer? None: nobody knows. Where the source does not say, the answer is held against its gold."""
    said = chain.rest.get("answer_is_right")
    if said is None and chain.rest.get("gold") is not None:
        answer = chain.rest.get("answer")
        return answer is not None and str(answer).strip() == str(chain.rest["gold"]).strip()
    return said


# ---- students' equations -------------------------------------------------------------------------

def solution_of(equation):
    """The value of the letter in a linear equation, exactly; None: it is none, or was not read."""
    text = re.sub(r"(?<=[0-9)])\s*(?=[a-zA-Z(])|(?<=[a-zA-Z])\s*(?=[0-9(])", "*", equation.replace("^", "**"))
    names = set(re.findall("[a-zA-Z]", text))
    if len(names) != 1 or not re.fullmatch(r"[-+*/().=0-9a-zA-Z ]*", text):
        return None
    text = re.sub(r"\d+\.?\d*|\.\d+", lambda m: f"F('{m[0]}')", text)
    sides = [ast.parse(side.strip(), mode="eval") for side in text.split("=")]
    at = []
    for x in (Fraction(0), Fraction(1), Fraction(2)):
        values = [eval(compile(side, "", "eval"), {"F": Fraction, names.copy().pop(): x}) for side in sides]  # digits, signs and one letter
        at.append(values[0] - values[1])
    if at[1] == at[0] or at[2] - at[1] != at[1] - at[0]:
        return None
    return -at[0] / (at[1] - at[0])


def is_invalid(chain):
    """Does the second equation of a record not follow from the first, at more than rounding? Where the equations are not linear, as the source says."""
    try:
        first, second = solution_of(chain.rest["eq1"]), solution_of(chain.rest["eq2"])
    except (SyntaxError, TypeError, IndexError, NameError, ZeroDivisionError):
        first = second = None
    if first is None or second is None:
        return not chain.rest["kind"].startswith("SIMPLIFY")
    return abs(first - second) > abs(first) / 100


def shown(chain, step, calculation):
    """A calculation marked in the text around it."""
    raw = chain.steps[step].encode()
    begin, end = calculation["start"], calculation["end"]
    before = ("\n".join(chain.steps[max(0, step - 8):step]) + "\n" + raw[:begin].decode(errors="replace"))[-CONTEXT:]
    after = (raw[end:].decode(errors="replace") + "\n" + "\n".join(chain.steps[step + 1:step + 9]))[:CONTEXT]
    return f"{before}>>>{raw[begin:end].decode(errors='replace')}<<<{after}"


def first_of(chain, outcome):
    for verdict in chain.verdicts:
        for calculation in calculations_of(verdict):
            if calculation["outcome"] == outcome:
                yield verdict["step"], calculation
                break


def listed(chain, label):
    """The first accusation of a chain, and all that it corrects or does not use, to read."""
    texts = []
    for step, c in list(first_of(chain, "wrong"))[:1]:
        texts.append(("wrong", step, c))
    texts += [("self-corrected", step, c) for step, c in first_of(chain, "self_corrected")]
    texts += [("unused", step, c) for step, c in first_of(chain, "unused")]
    for outcome, step, c in texts:
        value = f" value {c['value']}" if "value" in c else ""
        place = f" corrected in step {c['corrected_step']}" if "corrected_step" in c else ""
        yield outcome, f"{LINE}\n{outcome}, chain {label}: {chain.source} {chain.id or chain.record}, step {step}{value}{place}\n" \
            f"Q: {chain.question[:1000]}\n\n{shown(chain, step, c)}\n"


def interval(k, n):
    """Of a ratio's two shares: see ratio()."""
    return (k, n, 1 / k - 1 / n) if k else (k, n, math.inf)


def ratio(report, wrong, right):
    """Share of wrong chains accused over share of right ones, with its 95 % interval (log of the ratio, Katz)."""
    (a, n, va), (b, m, vb) = interval(*wrong), interval(*right)
    if not a or not b:
        print(f"{'wrong over right':<64} {a} of {n} and {b} of {m}")
        return
    middle, width = math.log(a / n * m / b), 1.96 * math.sqrt(va + vb)
    print(f"{'share of wrong chains accused over share of right ones':<64} {math.exp(middle):.2f} "
          f"[{math.exp(middle - width):.2f}, {math.exp(middle + width):.2f}]")


def accused(report, title, sources, args, group_of=None):
    report.title(title)
    counts, corrected, unused, groups, texts = {True: [0, 0], False: [0, 0]}, 0, 0, defaultdict(lambda: [0, 0]), []
    for chain in chains_of(sources, args.unseen):
        right = is_right(chain)
        if right is None:
            continue
        side = counts[right]
        side[0] += chain.first_error is not None
        side[1] += 1
        corrected += sum(1 for _ in first_of(chain, "self_corrected"))
        unused += sum(1 for _ in first_of(chain, "unused"))
        if group_of:
            group = groups[group_of(chain), right]
            group[0] += chain.first_error is not None
            group[1] += 1
        texts += [t for _, t in listed(chain, "right" if right else "wrong")]
    for (name, right), (k, n) in sorted(groups.items()):
        report.figure(f"    {name}, {'right' if right else 'wrong'} chains accused", k, n)
    report.figure("right chains accused", *counts[True])
    report.figure("wrong chains accused", *counts[False])
    ratio(report, counts[False], counts[True])
    print(f"{'steps with a self-correction':<64} {corrected}")
    print(f"{'steps with a slip that is not used':<64} {unused}")
    return texts


def reasoning(report, args):
    return accused(report, "Reasoning of today's models, --check-reasoning", ["reasoningflow-answers", "reasoningflow-thinking"], args, model_of)


def mmlu_pro(report, args):
    return accused(report, "MMLU-Pro", ["mmlu-pro"], args)


def algebra(report, args):
    """Every record is an equation and one that a student derived from it. Some only simplify too late: those do not count as wrong."""
    report.title("Students' algebra")
    counts, kinds, texts, valid = defaultdict(int), defaultdict(lambda: [0, 0]), [], [0, 0]
    for chain in chains_of(["cogtutorbugs"], args.unseen):
        invalid, wrong = is_invalid(chain), chain.first_error is not None
        if not invalid:
            valid[0] += wrong
            valid[1] += 1
            continue
        said = "found" if wrong else chain.verdicts[-1]["verdict"]
        counts[said] += 1
        kind = kinds[chain.rest.get("kind", "")]
        kind[0] += wrong
        kind[1] += 1
        if not wrong:
            texts.append(f"{LINE}\n{said}: {chain.id} {chain.rest.get('kind')}: {' -> '.join(chain.steps)}\n  {chain.verdicts[-1]}\n")
    for name in ("found", "support", "unknown", "unrelated"):
        report.figure(f"wrong steps, {name}", counts[name], sum(counts.values()))
    for name, (k, n) in sorted(kinds.items(), key=lambda item: item[1][0] - item[1][1])[:0 if args.unseen else 20]:
        report.figure(f"    {name}, found", k, n)
    report.figure("steps that are right or rounded, accused", *valid)
    return texts


# ---- slips that are carried on ------------------------------------------------------------------

def places_of(number):
    return re.compile(rf"(?<![\d.,]){re.escape(number)}(?!\d|[.,]\d)")


def slips_of(chain, rng):
    """A chain twice for each of some right results of its reasoning: with one digit of it changed, and so wherever it is used."""
    thought = chain.rest.get("n_reasoning_steps") or 0
    right = [(v["step"], c) for v in chain.verdicts for c in calculations_of(v) if v["step"] < thought and c["outcome"] == "right"]
    made = []
    for step, c in rng.sample(right, len(right)) if 0 < thought < len(chain.steps) else []:
        raw = chain.steps[step].encode()
        said = re.fullmatch(r"([^=]*=\s*)(\d{3,6}(?:\.\d+)?)", raw[c["start"]:c["end"]].decode(errors="replace"))
        if not said or said[2] in said[1]:
            continue
        number, at = said[2], rng.choice([i for i in range(1, len(said[2])) if said[2][i] != "."])
        changed = number[:at] + str((int(number[at]) + rng.randrange(2, 8)) % 10) + number[at + 1:]
        head, tail = raw[:c["start"]].decode(errors="replace") + said[1] + changed, raw[c["end"]:].decode(errors="replace")
        steps, places = chain.steps, places_of(number)
        replied = any(map(places.search, steps[thought:]))
        for carried in (False, True):
            after = [places.sub(changed, text) if carried else text for text in (tail, *steps[step + 1:])]
            made.append({"question": chain.question, "steps": [*steps[:step], head + after[0], *after[1:]], "n_reasoning_steps": thought,
                         "at": (step, c["start"]), "kind": (carried, replied)})
        if len(made) == 2 * SLIPS:
            break
    return made


def carried(report, args):
    report.title("One digit of a right result of reasoning changed")
    rng, counts = random.Random(41), defaultdict(Counter)
    made = [m for chain in chains_of(["reasoningflow-answers", "reasoningflow-thinking"], args.unseen) for m in slips_of(chain, rng)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "slips.jsonl"
        path.write_text("".join(json.dumps(m) + "\n" for m in made))
        for m, record in zip(made, calc_sources.check(path, "--check-reasoning")):
            step, start = m["at"]
            said = [c["outcome"] for c in calculations_of(record["verdicts"][step]) if c["start"] == start]
            counts[m["kind"]][said[0] if said else "not read"] += 1
    for (everywhere, replied), said in sorted(counts.items()):
        report.figure(f"changed {'wherever it stands' if everywhere else 'there alone'}, {'' if replied else 'not '}in the reply: wrong",
                      said["wrong"], said.total(), ", ".join(f"{n} {name}" for name, n in said.most_common() if name != "wrong"))
    return []


MEASURES = {"reasoning": reasoning, "mmlu-pro": mmlu_pro, "algebra": algebra, "carried": carried}


def main():
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    parser.add_argument("what", nargs="*")
    parser.add_argument("--unseen", action="store_true")
    parser.add_argument("--list", metavar="FILE")
    args = parser.parse_args()
    if set(args.what) - set(MEASURES):
        parser.error(f"no such measure: {', '.join(sorted(set(args.what) - set(MEASURES)))}")
    report, texts = Report(False, args.unseen), []
    for name in args.what or MEASURES:
        texts += MEASURES[name](report, args)
    if args.list:
        with open(args.list, "w", encoding="utf-8") as out:
            out.writelines(texts)
    return 0


if __name__ == "__main__":
    sys.exit(calc_sources.status(main))
