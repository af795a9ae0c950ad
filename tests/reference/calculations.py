#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How well calculations are found and decided, on recorded data, through `rederive check`.

    calculations.py [bbm] [marks] [claims] [clean] [found]    what to measure; default: all
        bbm      location of the first error, BIG-Bench Mistake multistep arithmetic
        marks    the <<...>> marks of GSM8K
        claims   lines of arithmetic in tree-of-thoughts logs, FacTool's claims
        clean    false alarms on chains known to have no mistake
        found    the share of known first errors that are found, by source and kind of error
    --list       print every single case behind the figures too
    --unseen     the data is not that of calc_bbm_labels.json and calc_alarms.json: figures only
    --self-test  check the second evaluator on cases worked out by hand; needs no data

Data: RDV_SHARED, or ../shared/data beside the project. Program: RDV_PROGRAM, or build/rederive.
Exits with 1 when a floor is missed, with 77 when the data is not there."""

import argparse
import sys

import calc_bbm
import calc_chains
import calc_claims
import calc_exact
import calc_sources
from calc_report import Report


def measure_marks(report):
    calc_claims.measure_marks(report, "gsm8k-human")
    calc_claims.measure_marks(report, "gsm8k-models")


def measure_claims(report):
    calc_claims.measure_lines(report)
    calc_claims.measure_factool(report)


MEASURES = {"bbm": calc_bbm.measure, "marks": measure_marks, "claims": measure_claims,
            "clean": calc_chains.measure_clean, "found": calc_chains.measure_found}


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("what", nargs="*")
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--unseen", action="store_true")
    parser.add_argument("--self-test", action="store_true")
    args = parser.parse_args()
    unknown = set(args.what) - set(MEASURES)
    if unknown:
        parser.error(f"no such measure: {', '.join(sorted(unknown))}")
    if args.self_test:
        calc_exact.self_test()
        return 0
    report = Report(args.list, args.unseen)
    try:
        for name in args.what or MEASURES:
            MEASURES[name](report)
    except calc_sources.Missing as missing:
        print(f"skipped: {missing}")
        return 77
    return 1 if report.missed else 0


if __name__ == "__main__":
    sys.exit(main())
