# SPDX-License-Identifier: Apache-2.0
"""Claims that need no label, because the arithmetic is the label: the <<...>> marks of GSM8K, the
`a op b = c` lines of tree-of-thoughts logs, FacTool's claims. The second program decides each of them
again."""

import gzip
import json
import re
from collections import Counter
from fractions import Fraction

import calc_sources
from answers_measured import kept_aside
from calc_exact import NotArithmetic, value_of

MARK = re.compile(rb"<<(.*?)>>", re.S)
NUMBER = r"-?\d+(?:\.\d+)?"
LINE = re.compile(rf"\s*({NUMBER} ?[-+*/] ?{NUMBER}) ?= ?({NUMBER})(?=$|\s*$|\s+[^-+*/\s])")


def shown_unit(text):
    """The weight of the last digit of a number as shown."""
    return Fraction(1, 10 ** len(text.partition(".")[2]))


def decide(left, right):
    """right, rounded, wrong or undecided, by the rules of docs/calculations.md: a number is rounded to the nearest or cut off
    in the last digit shown, by at most one percent; further away it is undecided. 12 or more decimals may carry the error of
    binary arithmetic."""
    value, claim, unit = value_of(left), value_of(right), shown_unit(right)
    if value == claim:
        return "right"
    off = abs(value - claim)
    near = 2 * off <= unit or (off < unit and abs(claim) < abs(value))
    if unit <= Fraction(1, 10**12) and off * 10**12 <= abs(claim):
        return "rounded"
    return "wrong" if not near else "rounded" if 100 * off <= abs(value) else "undecided"


# ---- calculator marks ----------------------------------------------------------------------------

def raw_marks(path, aside):
    """How many marks one side of the file itself holds, whatever reader stands between."""
    data = gzip.open(path).read() if path.suffix == ".gz" else path.read_bytes()
    total = 0
    for line in data.splitlines():
        record = json.loads(line)
        if kept_aside(record["question"]) != aside:
            continue
        texts = [record.get("answer", "")]
        texts += [member["solution"] for member in record.values() if isinstance(member, dict)]
        total += sum(len(MARK.findall(text.encode())) for text in texts)
    return total


def mark_verdicts(chain):
    """(mark, verdict of the worst calculation in it or "unread") for each mark of a chain."""
    worst = ["wrong", "undecided", "rounded", "right"]
    marked = [c for c in chain.calculations if c.marked]
    for i, step in enumerate(chain.steps):
        for mark in MARK.finditer(step.encode()):
            inside = {c.verdict for c in marked if c.step == i and mark.start() <= c.begin < mark.end()}
            verdict = next((v for v in worst if v in inside), "unread")
            yield mark.group(1).decode(), verdict


def second_opinion(text):
    left, sign, right = text.rpartition("=")
    try:
        if sign and "=" not in left:
            return decide(left.replace("//", "/"), right.strip())
    except NotArithmetic:
        pass
    return None


def measure_marks(report, source):
    report.title(f"Calculator marks of {source}")
    verdicts, agree, read, raw = Counter(), 0, 0, sum(
        raw_marks(path, report.unseen) for path in calc_sources.files_of(source))
    for chain in calc_sources.chains(source, report.unseen):
        for text, verdict in mark_verdicts(chain):
            verdicts[verdict] += 1
            opinion = second_opinion(text)
            read += opinion is not None
            agree += opinion == verdict
            if verdict not in ("right", "rounded") or opinion not in (None, verdict):
                report.case(f"{chain.file} {chain.record}: <<{text}>> {verdict}; second program: {opinion}")
    total = sum(verdicts.values())
    for verdict in ("right", "rounded", "wrong", "undecided", "unread"):
        report.figure(f"    {verdict}", verdicts[verdict], total)
    report.figure("the second program reads them, and agrees", agree, read)
    if source == "gsm8k-human":
        report.floor("every mark is read", raw == total and not verdicts["unread"] + verdicts["undecided"])
        report.floor("fewer than 1 in 500 marks called wrong", 500 * verdicts["wrong"] < total)
        report.floor("the second program agrees", agree == read)


# ---- lines of arithmetic -------------------------------------------------------------------------

def verdict_at(chain, step, text):
    """What the program says of the equality that begins the step."""
    found = [c for c in chain.calculations if c.step == step]
    return found[0] if found and found[0].text.replace(" ", "") == text.replace(" ", "") else None


def measure_lines(report):
    report.title("Lines `a op b = c` of the tree-of-thoughts logs (game of 24, chains of thought)")
    seen, agree, withdrawn = Counter(), 0, 0
    for chain in calc_sources.chains("tree-of-thoughts", report.unseen):
        for i, step in enumerate(chain.steps):
            line = LINE.match(step)
            if not line:
                continue
            try:
                truth = decide(line.group(1), line.group(2))
            except NotArithmetic:
                truth = "undecided"  # a division by zero
            said = verdict_at(chain, i, line.group().strip())
            verdict = said.verdict if said else "unread"
            seen[truth] += 1
            agree += verdict == truth
            back = verdict == "undecided" and said.note in ("the step itself takes it back", "the text after it takes it back")
            withdrawn += back
            if verdict != truth:
                report.case(f"{chain.record}: {line.group().strip()} {verdict}, {truth}"
                            f"{' (' + step[line.end():].strip() + ')' if back else ''}")
    total = sum(seen.values())
    for truth in ("right", "rounded", "wrong", "undecided"):
        report.figure(f"    {truth}, by the second program", seen[truth], total)
    report.figure("the program says the same", agree, total)
    report.figure("undecided, as the line itself takes its equality back", withdrawn, total)
    report.floor("every line is decided rightly", agree + withdrawn == total)


# ---- FacTool -------------------------------------------------------------------------------------

def claim_verdict(chain, step):
    verdicts = {c.verdict for c in chain.calculations if c.step == step}
    return next((v for v in ("wrong", "undecided", "rounded", "right") if v in verdicts), "nothing said")


def measure_factool(report):
    report.title("FacTool's claims (mathematics)")
    labels, agree, read, accused = Counter(), 0, 0, 0
    for chain in calc_sources.chains("factool", report.unseen):
        for i, (step, label) in enumerate(zip(chain.steps, chain.step_labels)):
            verdict, opinion = claim_verdict(chain, i), second_opinion(step)
            fits = {"right": True, "rounded": True, "wrong": False}.get(verdict)
            if label is None:
                accused += verdict == "wrong"
            else:
                labels[fits == label] += 1
            same = opinion == verdict or (opinion == "right" and verdict == "nothing said")
            read += opinion is not None
            agree += opinion is not None and same
            if (label is not None and fits != label) or (opinion and not same):
                report.case(f"{chain.record}: {step}: label {label}, {verdict}; second program: {opinion}")
    report.figure("labelled claims on which the program says what the label says",
                  labels[True], sum(labels.values()))
    report.figure("the second program reads them, and agrees", agree, read)
    report.figure("claims without a label (equations with letters) called wrong", accused, read)
    report.floor("every claim of arithmetic is decided rightly", agree == read and accused == 0)
