# SPDX-License-Identifier: Apache-2.0
"""Running a suite so that each test is a line, and a line of JSON that tools/summary.py reads."""
import json
import sys
import time
import unittest


class Results(unittest.TextTestResult):
    """A line a test, as it ends, and one in the file of results; also for a module or class that cannot begin."""

    def __init__(self, file, *args):
        super().__init__(*args)
        self.file = file
        self.told = {"OK": 0, "FAIL": 0, "SKIP": 0}
        self.running = False

    def startTest(self, test):
        self.began = time.monotonic()
        self.word = "OK"
        self.running = True
        super().startTest(test)

    def addFailure(self, test, err):
        self.found(test, "FAIL")
        super().addFailure(test, err)

    def addError(self, test, err):
        self.found(test, "FAIL")
        super().addError(test, err)

    def addSkip(self, test, reason):
        self.found(test, "SKIP")
        print(f"skipped: {reason}", flush=True)
        super().addSkip(test, reason)

    def addUnexpectedSuccess(self, test):
        self.found(test, "FAIL")
        super().addUnexpectedSuccess(test)

    def addSubTest(self, test, subtest, err):
        if err is not None:
            self.found(test, "FAIL")
        super().addSubTest(test, subtest, err)

    def found(self, test, word):
        if self.running:
            self.word = "FAIL" if "FAIL" in (self.word, word) else word
        else:  # setUpModule or setUpClass: no test of it runs
            self.tell({"name": test.id(), "result": word, "seconds": 0})

    def stopTest(self, test):
        super().stopTest(test)
        self.running = False
        record = {"name": test.id(), "result": self.word, "seconds": time.monotonic() - self.began}
        calls = getattr(test, "calls", None)
        if calls is not None:  # where a model is asked
            record["calls"] = calls
        self.tell(record)

    def tell(self, record):
        self.told[record["result"]] += 1
        calls = f" {record['calls']:4} calls" if "calls" in record else ""
        print(f"{record['result']:4} {record['seconds']:6.1f} s{calls}  {record['name']}", flush=True)
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
    """Run the tests of `modules`: how many ended with each word."""
    loader = unittest.TestLoader()
    suite = [loader.loadTestsFromModule(module) for module in modules]
    runner = unittest.TextTestRunner(stream=sys.stdout, verbosity=0,
                                     resultclass=lambda *args, **more: Results(file, *args))
    return runner.run(unittest.TestSuite(wanted(suite, names))).told


def sum_up(told):
    """Say how many passed, failed and were skipped; the exit status."""
    print(f"{told['OK']} passed, {told['FAIL']} failed" + (f", {told['SKIP']} skipped" if told["SKIP"] else ""))
    return 0 if not told["FAIL"] and (told["OK"] or told["SKIP"]) else 1
