#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests of the Python package in other tools, and ends with "N passed, N failed".

    tests/python_tools/run.py RESULTS [--in FOLDER] [NAME...]

FOLDER of tests/, python_tools unless another is named. RESULTS gets a line of JSON for each test, which tools/summary.py reads. NAME: only tests whose names contain
one of these. RDV_SOURCE and RDV_PROGRAM are set.
"""
import importlib.util
import os
import sys
from pathlib import Path

sys.path.append(os.path.join(os.environ['RDV_SOURCE'], 'tests/integration'))  # the last: it has a datasets.py
HERE = Path(__file__).parent
if sys.path[0] == str(HERE):
    del sys.path[0]  # a test is named after the module that it tests

from results import run_suite, sum_up


def test_module(path):
    spec = importlib.util.spec_from_file_location('test_' + path.stem, path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def main(results, *names):
    folder = HERE
    if names[:1] == ('--in',):
        folder, names = HERE.parent / names[1], names[2:]
    modules = [test_module(path) for path in sorted(folder.glob('*.py')) if path.name != 'run.py']
    with open(results, 'w', encoding='utf-8') as file:
        return sum_up(run_suite(modules, names, file))


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
