#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sum the results of the last `meson test` of each build directory given, in one line.

Instead of a directory a file may be given: a line of JSON a test, with its "name" and "result". Each failed test
is named before that line, with the end of what it printed where that is kept, so that the end of a long log says
what is wrong. What has no results counts as one failure: it did not compile, or its tests never ran. The exit
status is 0 when something passed and nothing failed.
"""
import json
import pathlib
import sys

PASSED = {"OK", "EXPECTEDFAIL"}
SKIPPED = {"SKIP"}
LINES = 20  # of each output of a failed test


def tests_of(place):
    """The tests of one build, or in one file; empty when there are none."""
    log = pathlib.Path(place)
    if log.suffix != ".jsonl":
        log = log / "meson-logs" / "testlog.json"
    try:
        lines = log.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    return [json.loads(line) for line in lines if line.strip()]


def tell(place, test):
    """Name a failed test, with the end of its outputs."""
    print(f"{test['result']}: {test.get('name', '?')} ({place})")
    for stream in ("stdout", "stderr"):
        for line in test.get(stream, "").splitlines()[-LINES:]:
            print(f"    {line}")


def main(places):
    passed = failed = skipped = 0
    for place in places:
        tests = tests_of(place)
        if not tests:
            print(f"{place}: no test results")
            failed += 1
        for test in tests:
            if test["result"] in PASSED:
                passed += 1
            elif test["result"] in SKIPPED:
                skipped += 1
            else:
                failed += 1
                tell(place, test)
    line = f"{passed} passed, {failed} failed"
    if skipped:
        line += f", {skipped} skipped"
    print(line)
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
