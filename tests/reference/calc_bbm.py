# SPDX-License-Identifier: Apache-2.0
"""First-error location on BIG-Bench Mistake's multistep arithmetic, and what its labels are worth.

calc_bbm_labels.json holds the records in which program and released label disagree, each with the
equality that decides. It is not believed: both sides are computed again here, the whole chain is read
a second time, and a label counts as wrong only when this second reading says so too."""

import json
import re
from pathlib import Path

import calc_sources
from calc_exact import NotArithmetic, value_of

LABELS = Path(__file__).with_name("calc_bbm_labels.json")
LETTERS = re.compile(r"([A-Z](?:[ ()*+/-]|[A-Z])*)$")  # "A * B", at the end of a text
SENTENCE = re.compile(r"\.(?:\s|$)")


def value_or_none(text):
    try:
        return value_of(text)
    except NotArithmetic:
        return None


# ---- the second reading --------------------------------------------------------------------------

def terms_of(step):
    """The sides of the step's one chain of equalities; the first is what stands before the sign."""
    return [SENTENCE.split(side.strip())[0] for side in step.split("=")]


def put_in(text, letters):
    """"the final equation is A - B" with the values of A and B; "" when there is nothing to put in."""
    found = LETTERS.search(text.strip())
    if not found or len(found.group()) < 2 or not set(re.findall("[A-Z]", found.group())) <= set(letters):
        return ""
    start = found.start()
    while start and text.strip()[start - 1] in "( ":
        start -= 1
    return re.sub("[A-Z]", lambda m: f"({letters[m.group()]})", text.strip()[start:])


def read_again(steps):
    """The first step with two sides that differ, or None. Step 0 names the parts: it claims nothing."""
    letters = {}
    for i, step in enumerate(steps[1:], 1):
        first, *sides = terms_of(step)
        values = [value_or_none(side) for side in [put_in(first, letters), *sides] if side]
        values = [value for value in values if value is not None]
        if len(set(values)) > 1:
            return i
        if values and re.search(r"\b[A-Z]$", first):
            letters[first[-1]] = values[-1]
    return None


# ---- slips that cancel out -----------------------------------------------------------------------

def equality_chains(calculations):
    """The links of a step that stand in one chain of equalities: each begins inside the one before."""
    out = []
    for link in sorted(calculations, key=lambda c: c.begin):
        if out and link.begin < out[-1][-1].end:
            out[-1].append(link)
        else:
            out.append([link])
    return out


def cancels_out(links):
    """Do both ends of the chain have one value, whatever stands between?"""
    first, last = links[0].text.split(" = ")[0], links[-1].text.split(" = ")[-1]
    begin = value_or_none(first)
    if begin is None and links[0].value:  # letters: the program says what it put in
        begin = value_or_none(links[0].value)
    return begin is not None and begin == value_or_none(last)


def first_lasting_error(chain):
    """The program's first wrong step that is wrong from end to end."""
    for i in range(len(chain.steps)):
        for links in equality_chains([c for c in chain.calculations if c.step == i]):
            if any(c.verdict == "wrong" for c in links) and not cancels_out(links):
                return i
    return None


# ---- the adjudications ---------------------------------------------------------------------------

def faults_of(entry, chain):
    """What is not as the entry says: [] when both its equality and its label's fault are confirmed."""
    faults = []
    if (entry["label"], entry["found"]) != (chain.label, chain.first_error):
        faults.append(f"label {chain.label} and found {chain.first_error} in the data")
    if "equality" in entry:
        sides = [value_of(side) for side in entry["equality"].split(" = ")]
        if [str(v) for v in sides] != [entry["left"], entry["right"]] or sides[0] == sides[1]:
            faults.append(f"the sides are {sides}")
        if entry["equality"] not in chain.steps[entry["found"]]:
            faults.append("the equality does not stand in the step")
    if "marked" in entry:
        sides = entry["marked"].split(" = ")
        if len({value_of(side) for side in sides}) != 1:
            faults.append("the marked step has sides that differ")
        if not all(side in chain.steps[entry["label"]] for side in sides):
            faults.append("the marked sides do not stand in the step")
    if read_again(chain.steps) != chain.first_error:
        faults.append(f"the second reading finds {read_again(chain.steps)}")
    return faults


def adjudicate(report, chains):
    """The labels put right: {record: first wrong step}. In the part that is kept aside the second reading
    decides alone, wherever it agrees with the program."""
    wrong = [c for c in chains if c.first_error != c.label]
    if report.unseen:
        return {c.record: c.first_error for c in wrong if read_again(c.steps) == c.first_error}
    read = {c.record for c in chains}
    entries = {entry["record"]: entry for entry in json.loads(LABELS.read_text()) if entry["record"] in read}
    report.floor("every disagreement is adjudicated", set(entries) == {c.record for c in wrong})
    put_right = {}
    for chain in wrong:
        faults = faults_of(entries[chain.record], chain) if chain.record in entries else ["not seen"]
        if not faults:
            put_right[chain.record] = chain.first_error
        report.case(f"{chain.record}: label {chain.label}, found {chain.first_error}: "
                    f"{'; '.join(faults) or entries[chain.record]['why']}")
    return put_right


def measure(report):
    report.title("BIG-Bench Mistake, multistep arithmetic: where is the first wrong step?")
    chains = calc_sources.chains("bbm", report.unseen)
    n = len(chains)
    agree = sum(c.first_error == c.label for c in chains)
    lasting = sum(first_lasting_error(c) == c.label for c in chains)
    again = sum(read_again(c.steps) == c.first_error for c in chains)
    report.figure("released labels, every link counted", agree, n)
    for parity in (0, 1):
        half = [c for c in chains if c.record % 2 == parity]
        report.figure(f"    {('even', 'odd')[parity]} records",
                      sum(c.first_error == c.label for c in half), len(half))
    marked = [c for c in chains if c.label is not None]
    report.figure("    chains with a mistake", sum(c.first_error == c.label for c in marked), len(marked))
    report.figure("    chains without one", agree - sum(c.first_error == c.label for c in marked),
                  n - len(marked))
    report.figure("released labels, slips that cancel out not counted", lasting, n)
    report.figure("the second program finds the same step", again, n)
    put_right = adjudicate(report, chains)
    right = sum(c.first_error == put_right.get(c.record, c.label) for c in chains)
    report.figure("labels put right", right, n, f"{len(put_right)} labels")
    report.floor("at least 92 % against the released labels (cancelled slips not counted)",
                 lasting >= 0.92 * n)
    report.floor("at least 99 % once labels are put right", right >= 0.99 * n)
    report.floor("the second program agrees on every chain", again == n)
