#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests with a real model, and ends with "N passed, N failed".

    tests/real/run.py RESULTS [NAME...]

RESULTS gets a line of JSON for each test, which tools/summary.py reads. NAME: only tests whose
names contain one of these.
"""
import json
import os
import sys
import tempfile
import time
import unittest

import served  # noqa: F401  (it also makes the helpers of tests/integration known)
import faults
import forms_hold
import methods
import solving
from asked import Shared


class Results(unittest.TextTestResult):
    """A line a test, as it ends, and one in the file of results."""

    def __init__(self, file, *args):
        super().__init__(*args)
        self.file = file
        self.failed = 0

    def startTest(self, test):
        self.began = time.monotonic()
        self.bad = False
        super().startTest(test)

    def addFailure(self, test, err):
        self.bad = True
        super().addFailure(test, err)

    def addError(self, test, err):
        self.bad = True
        super().addError(test, err)

    def addSubTest(self, test, subtest, err):
        self.bad = self.bad or err is not None
        super().addSubTest(test, subtest, err)

    def stopTest(self, test):
        super().stopTest(test)
        name, seconds = test.id(), time.monotonic() - self.began
        calls = getattr(test, "calls", 0)
        word = "FAIL" if self.bad else "OK"
        self.failed += self.bad
        print(f"{word:4} {seconds:6.1f} s {calls:4} calls  {name}", flush=True)
        self.file.write(json.dumps({"name": name, "result": word, "seconds": seconds,
                                    "calls": calls}) + "\n")
        self.file.flush()


def wanted(suite, names):
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from wanted(test, names)
        elif not names or any(name in test.id() for name in names):
            yield test


def main(results, *names):
    loader = unittest.TestLoader()
    suite = [loader.loadTestsFromModule(module) for module in (forms_hold, methods, solving, faults)]
    with tempfile.TemporaryDirectory(prefix="rederive-real-") as folder, \
            open(results, "w", encoding="utf-8") as file:
        began = time.monotonic()
        Shared.start(folder)
        print(f"the server took {time.monotonic() - began:.1f} s to start", flush=True)
        try:
            runner = unittest.TextTestRunner(
                stream=sys.stdout, verbosity=0,
                resultclass=lambda *args: Results(file, *args))
            done = runner.run(unittest.TestSuite(wanted(suite, names)))
        finally:
            Shared.stop()
    failed = done.failed
    used = os.times()
    print(f"{time.monotonic() - began:.0f} s; the server and the program computed for "
          f"{used.children_user + used.children_system:.0f} s")
    print(f"{done.testsRun - failed} passed, {failed} failed")
    return 1 if failed or not done.testsRun else 0


if __name__ == "__main__":
    os.environ.setdefault("no_proxy", "127.0.0.1")
    sys.exit(main(*sys.argv[1:]))
