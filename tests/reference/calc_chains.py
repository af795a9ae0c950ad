# SPDX-License-Identifier: Apache-2.0
"""False alarms on chains known to have no mistake, and the share of known mistakes that are found.

calc_alarms.json holds every equality that the program calls wrong in a chain labelled as free of errors,
or in a human solution, with what looking at it showed: "slip" (the text is wrong there, whatever the
label says) or "misread" (the program is)."""

import json
from collections import Counter, defaultdict
from pathlib import Path

import calc_right
import calc_sources

ALARMS = Path(__file__).with_name("calc_alarms.json")
FLOOR_SOURCES = ("processbench", "parc", "eic")  # of which fewer than 1 in 1,000 may be misread
HUMAN = "gsm8k-human"
LABELLED = ("processbench-gsm8k", "processbench-math", "processbench-olympiadbench",
            "processbench-omnimath", "parc-gsm8k", "parc-math", "parc-metamathqa", "parc-orca_math",
            "eic-GSM8K", "eic-MathQA", "stepverify", "mr-gsm8k", "mr-ben-math", "mr-ben-physics",
            "mr-ben-chemistry", "reasoneval", "prmbench")


# ---- chains without a mistake --------------------------------------------------------------------

def key_of(chain, equality):
    return chain.source, chain.file, chain.kind, chain.record, " ".join(equality.split())


def adjudications():
    entries = json.loads(ALARMS.read_text())
    return {(e["source"], e["file"], e.get("kind", ""), e["record"], e["equality"]): e for e in entries}


def judge(chain, known):
    """The verdict on an accused chain: the best of those on its equalities."""
    found = {known.get(key_of(chain, c.text), {"is": "not looked at"})["is"] for c in chain.wrong()}
    return next(v for v in ("not looked at", "slip", "misread") if v in found)


def list_accused(report, chain, known):
    for c in chain.wrong():
        entry = known.get(key_of(chain, c.text), {"is": "not looked at"})
        report.case(f"{chain.file} {chain.kind} {chain.record}: {' '.join(c.text.split())} "
                    f"(left: {c.value}): {entry['is']}{', ' + entry['why'] if 'why' in entry else ''}")


def measure_clean_source(report, source, known, totals):
    clean = [c for c in calc_sources.chains(source, report.unseen) if c.labelled and c.label is None]
    accused = [c for c in clean if c.first_error is not None]
    verdicts = Counter(judge(c, known) for c in accused)
    even = sum(c.record % 2 == 0 for c in accused)
    report.figure(source, len(accused), len(clean),
                  f"{verdicts['slip']} slips, {verdicts['misread']} misread; "
                  f"{even} in even, {len(accused) - even} in odd records")
    for chain in accused:
        list_accused(report, chain, known)
    if source.startswith(FLOOR_SOURCES):
        totals["clean"] += len(clean)
        totals["accused"] += len(accused)
        totals["misread"] += len(accused) - verdicts["slip"]
    totals["not looked at"] += verdicts["not looked at"]
    return len(accused), len(clean)


def measure_clean(report):
    report.title("Chains without a mistake that have a step called wrong")
    known, totals = adjudications(), Counter()
    accused, total = measure_clean_source(report, HUMAN, known, totals)
    for source in LABELLED:
        if any(c.labelled and c.label is None for c in calc_sources.chains(source, report.unseen)):
            measure_clean_source(report, source, known, totals)
    report.figure("ProcessBench, PARC and EIC's originals", totals["accused"], totals["clean"])
    report.floor("fewer than 1 in 1,000 of these without a slip of the text",
                 1000 * totals["misread"] < totals["clean"])
    report.floor("fewer than 1 in 100 human solutions", 100 * accused < total)
    if not report.unseen:
        report.floor("every alarm was looked at", not totals["not looked at"])


def measure_right(report):
    """Right by a person's hand or by their answer, with steps that nobody labelled."""
    report.title("Chains that are right as a whole, with a step called wrong")
    known, all_accused, all_chains, misread = adjudications(), 0, 0, 0
    for source in calc_right.SOURCES:
        chains = calc_sources.chains(source, report.unseen)
        accused = [c for c in chains if c.first_error is not None]
        verdicts = Counter(judge(c, known) for c in accused)
        report.figure(source, len(accused), len(chains),
                      ", ".join(f"{verdicts[v]} {v}" for v in ("slip", "misread", "not looked at")))
        for chain in accused:
            list_accused(report, chain, known)
        all_accused, all_chains = all_accused + len(accused), all_chains + len(chains)
        misread += verdicts["misread"]
    report.figure("all of these", all_accused, all_chains)
    report.figure("of these misread, as far as they were looked at", misread, all_chains)


# ---- chains with a mistake -----------------------------------------------------------------------

def outcome(chain):
    if chain.first_error is None:
        return "silent"
    if chain.first_error == chain.label:
        return "found"
    return "earlier" if chain.first_error < chain.label else "later"


def figure_of(report, name, chains):
    """One line: the share found, elsewhere accused, and both halves."""
    counts = Counter(outcome(c) for c in chains)
    halves = []
    for parity in (0, 1):
        half = [c for c in chains if c.record % 2 == parity]
        halves.append(f"{sum(outcome(c) == 'found' for c in half)}/{len(half)}")
    report.figure(name, counts["found"], len(chains),
                  f"earlier {counts['earlier']}, later {counts['later']}; even {halves[0]}, odd {halves[1]}")


def measure_found(report):
    report.title("Chains with a mistake whose first wrong step is found")
    for source in LABELLED:
        wrong = [c for c in calc_sources.chains(source, report.unseen) if c.labelled and c.label is not None]
        figure_of(report, source, wrong)
        kinds = defaultdict(list)
        for chain in wrong:
            kinds[chain.kind].append(chain)
        for kind in sorted(kinds) if len(kinds) > 1 else []:
            figure_of(report, f"    {kind or 'no kind given'}", kinds[kind])
        for chain in wrong:
            if outcome(chain) == "earlier":
                report.case(f"earlier: {chain.file} {chain.record}, label {chain.label}: " + "; ".join(
                    f"step {c.step}: {' '.join(c.text.split())} (left: {c.value})"
                    for c in chain.wrong() if c.step < chain.label))
