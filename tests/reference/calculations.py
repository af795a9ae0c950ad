#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How well calculations are found and decided, on recorded data, through `rederive check`.

    calculations.py [bbm] [marks] [claims] [clean] [right] [found] [values]    what to measure; default: all
        bbm      location of the first error, BIG-Bench Mistake multistep arithmetic
        marks    the <<...>> marks of GSM8K
        claims   lines of arithmetic in tree-of-thoughts logs, FacTool's claims
        clean    false alarms on chains known to have no mistake
        right    steps called wrong in chains that are right by their answer, or that people wrote
        found    the share of known first errors that are found, by source and kind of error
        values   numbers that come from nowhere, as the method `values` says
    --list       print every single case behind the figures too
    --unseen     the third that is kept aside (sha256 of the question, modulo 3, is 2): counts alone,
                 with 95 % Wilson intervals; without it only the other two thirds are read
    --before PROGRAM   a second program beside ours: found, decided and accused, by source and kind of calculation
    --accused FILE     write every equality called wrong in a right chain, for people to look at;
                       with --unseen only once all rules are written
    --self-test  check the second evaluator on cases worked out by hand; needs no data

Data: RDV_SHARED, or ../shared/data beside the project. Program: RDV_PROGRAM, or build/rederive.
Exits with 1 when a floor is missed, with 77 when the data is not there."""

import argparse
import sys

import calc_bbm
import calc_before
import calc_chains
import calc_claims
import calc_exact
import calc_kinds
import calc_report
import calc_sources
import calc_values
from calc_report import Report


def measure_marks(report):
    calc_claims.measure_marks(report, "gsm8k-human")
    calc_claims.measure_marks(report, "gsm8k-models")


def measure_claims(report):
    calc_claims.measure_lines(report)
    calc_claims.measure_factool(report)


MEASURES = {"bbm": calc_bbm.measure, "marks": measure_marks, "claims": measure_claims,
            "clean": calc_chains.measure_clean, "right": calc_chains.measure_right,
            "found": calc_chains.measure_found, "values": calc_values.measure}


def main():
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    parser.add_argument("what", nargs="*")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--unseen", action="store_true")
    parser.add_argument("--before", metavar="PROGRAM")
    parser.add_argument("--accused", metavar="FILE")
    parser.add_argument("--self-test", action="store_true")
    args = parser.parse_args()
    unknown = set(args.what) - set(MEASURES)
    if unknown:
        parser.error(f"no such measure: {', '.join(sorted(unknown))}")
    if args.self_test:
        calc_exact.self_test()
        calc_kinds.self_test()
        calc_report.self_test()
        return 0
    if args.list and args.unseen:
        parser.error("of the part kept aside only counts are printed: no --list with --unseen")
    report = Report(args.list, args.unseen)
    if args.before or args.accused:
        if args.before:
            calc_before.compare(report, args.before)
        if args.accused:
            calc_before.write_accused(args.accused, args.unseen)
        return 0
    for name in args.what or MEASURES:
        MEASURES[name](report)
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(calc_sources.status(main))
