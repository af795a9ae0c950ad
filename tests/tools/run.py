#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests with other tools' libraries, and ends with "N passed, N failed".

    tests/tools/run.py RESULTS [NAME...]

RESULTS gets a line of JSON for each test, which tools/summary.py reads. NAME: only tests whose
names contain one of these.
"""
import sys

import converted  # (it also makes the helpers of tests/integration known)
from results import run_suite


def main(results, *names):
    with open(results, "w", encoding="utf-8") as file:
        passed, failed = run_suite((converted,), names, file)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
