# SPDX-License-Identifier: Apache-2.0
"""Running a suite so that each test is a line, and a line of JSON that tools/summary.py reads."""
import json
import sys
import time
import unittest


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
        calls = getattr(test, "calls", None)
        word = "FAIL" if self.bad else "OK"
        self.failed += self.bad
        record = {"name": name, "result": word, "seconds": seconds}
        told = ""
        if calls is not None:  # where a model is asked
            record["calls"] = calls
            told = f" {calls:4} calls"
        print(f"{word:4} {seconds:6.1f} s{told}  {name}", flush=True)
        self.file.write(json.dumps(record) + "\n")
        self.file.flush()


def wanted(suite, names):
    """The tests of `suite` whose names contain one of `names`, or all."""
    for test in suite:
        if isinstance(test, unittest.TestSuite):
            yield from wanted(test, names)
        elif not names or any(name in test.id() for name in names):
            yield test


def run_suite(modules, names, file):
    """Run the tests of `modules`; how many passed, and how many failed."""
    loader = unittest.TestLoader()
    suite = [loader.loadTestsFromModule(module) for module in modules]
    runner = unittest.TextTestRunner(stream=sys.stdout, verbosity=0,
                                     resultclass=lambda *args, **more: Results(file, *args))
    done = runner.run(unittest.TestSuite(wanted(suite, names)))
    return done.testsRun - done.failed, done.failed
