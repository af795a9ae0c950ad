#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of the Python package, and ends with "N passed, N failed".

    tests/python/run.py RESULTS [NAME...]

It is run by the Python of a clean virtual environment that has the wheel. RESULTS gets a line of JSON
for each test, which tools/summary.py reads. NAME: only tests whose names contain one of these.
"""
import importlib
import os
import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE)]
sys.path.append(os.path.join(os.environ['RDV_SOURCE'], 'tests/integration'))  # the last: it has a datasets.py

from results import run_suite, sum_up


def main(results, *names):
    modules = [importlib.import_module(path.stem) for path in sorted(HERE.glob('test_*.py'))]
    with open(results, 'w', encoding='utf-8') as file:
        return sum_up(run_suite(modules, names, file))


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
