# SPDX-License-Identifier: Apache-2.0
"""Two programs beside each other on the same chains: what they find, decide and accuse, by source and by kind of
calculation; and every equality that ours calls wrong in a right chain, for people to look at."""

import json
from collections import Counter

import calc_chains
import calc_kinds
import calc_right
import calc_sources

DECIDED = ("right", "rounded", "wrong")
SOURCES = ("bbm", calc_chains.HUMAN, *calc_chains.LABELLED, *calc_right.SOURCES)


def is_right(chain):
    """Is the chain known to have no error (by its labels, or as a whole)?"""
    return chain.source == calc_chains.HUMAN or chain.source in calc_right.SOURCES or \
        (chain.labelled and chain.label is None)


def counts(chains):
    """first errors found, of how many; decided steps, of how many; right chains accused, of how many"""
    wrong = [c for c in chains if c.labelled and c.label is not None]
    right = [c for c in chains if is_right(c)]
    decided = sum(len({calc.step for calc in c.calculations if calc.verdict in DECIDED}) for c in chains)
    return {"found": (sum(c.first_error == c.label for c in wrong), len(wrong)),
            "decided": (decided, sum(len(c.steps) for c in chains)),
            "accused": (sum(c.first_error is not None for c in right), len(right))}


def count_kinds(chains, kinds):
    """Add to `kinds`, (what, kind) -> how many: calculations decided; first errors by the kind that shows them, and
    right chains accused by the kind that accuses them, each by the first wrong calculation of the step."""
    for chain in chains:
        kinds.update(("decided", calc_kinds.kind_of(c)) for c in chain.calculations if c.verdict in DECIDED)
        first = next((c for c in chain.wrong() if c.step == chain.first_error), None)
        if first is None:
            continue
        if chain.labelled and chain.label is not None and chain.label == chain.first_error:
            kinds["found", calc_kinds.kind_of(first)] += 1
        if is_right(chain):
            kinds["accused", calc_kinds.kind_of(first)] += 1


def show_kinds(report, sides):
    for kind in calc_kinds.KINDS:
        report.title(kind)
        for what, name in (("decided", "calculations decided"), ("found", "first errors found"),
                           ("accused", "right chains accused")):
            print(f"{name:<64} {sides[0][what, kind]:>6} before, {sides[1][what, kind]} now")


def compare(report, before):
    """Each figure before and now, for each source, for all, and for each kind of calculation."""
    total, kinds = {}, (Counter(), Counter())
    for source in SOURCES:
        both = [calc_sources.chains(source, report.unseen, program) for program in (before, None)]
        for chains, counter in zip(both, kinds):
            count_kinds(chains, counter)
        sides = [counts(chains) for chains in both]
        show(report, source, sides)
        for side, found in enumerate(sides):
            for name, (part, whole) in found.items():
                old = total.get((side, name), (0, 0))
                total[side, name] = old[0] + part, old[1] + whole
    show(report, "all", [{name: total[side, name] for name in ("found", "decided", "accused")}
                         for side in (0, 1)])
    show_kinds(report, kinds)


def show(report, source, sides):
    report.title(source)
    for name, what in (("found", "first errors found"), ("decided", "steps with a decided calculation"),
                       ("accused", "right chains with a step called wrong")):
        if sides[1][name][1]:
            for side, when in enumerate(("before", "now")):
                report.figure(f"{what}, {when}", *sides[side][name])


def write_accused(path, aside):
    with open(path, "w", encoding="utf-8") as file:
        for source in SOURCES:
            for chain in filter(is_right, calc_sources.chains(source, aside)):
                for c in chain.wrong():
                    row = {"source": source, "file": chain.file, "kind": chain.kind, "record": chain.record,
                           "equality": " ".join(c.text.split()), "left": c.value, "step": c.step,
                           "text": chain.steps[c.step]}
                    file.write(json.dumps(row, ensure_ascii=False) + "\n")
