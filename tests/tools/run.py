#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests with other tools' libraries, and ends with "N passed, N failed".

    tests/tools/run.py RESULTS [NAME...]

RESULTS gets a line of JSON for each test, which tools/summary.py reads. NAME: only tests whose
names contain one of these.
"""
import sys

import converted  # (it also makes the helpers of tests/integration known)
from results import run_suite, sum_up


def main(results, *names):
    with open(results, "w", encoding="utf-8") as file:
        return sum_up(run_suite((converted,), names, file))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
