#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Sum the results of the last `meson test` of each build directory given, in one line.

Instead of a directory a file may be given: a line of JSON a test, with its "result". What has no
results counts as one failure: it did not compile, or its tests never ran. The exit status is 0 when
something passed and nothing failed.
"""
import json
import pathlib
import sys

PASSED = {"OK", "EXPECTEDFAIL"}
SKIPPED = {"SKIP"}


def results_of(place):
    """The result words of the tests of one build, or in one file; empty when there are none."""
    log = pathlib.Path(place)
    if log.suffix != ".jsonl":
        log = log / "meson-logs" / "testlog.json"
    try:
        lines = log.read_text(encoding="utf-8").splitlines()
    except OSError:
        return []
    return [json.loads(line)["result"] for line in lines if line.strip()]


def main(places):
    passed = failed = skipped = 0
    for place in places:
        results = results_of(place)
        if not results:
            print(f"{place}: no test results", file=sys.stderr)
            failed += 1
        for result in results:
            if result in PASSED:
                passed += 1
            elif result in SKIPPED:
                skipped += 1
            else:
                failed += 1
    line = f"{passed} passed, {failed} failed"
    if skipped:
        line += f", {skipped} skipped"
    print(line)
    return 0 if passed and not failed else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
