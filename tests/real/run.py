#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the tests with a real model, and ends with "N passed, N failed".

    tests/real/run.py RESULTS [NAME...]

RESULTS gets a line of JSON for each test, which tools/summary.py reads. NAME: only tests whose
names contain one of these.
"""
import os
import sys
import tempfile
import time

import served  # noqa: F401  (it also makes the helpers of tests/integration known)
import batches
import faults
import forms_hold
import methods
import two_servers
import solving
from asked import Shared
from results import run_suite, sum_up


def main(results, *names):
    with tempfile.TemporaryDirectory(prefix="rederive-real-") as folder, \
            open(results, "w", encoding="utf-8") as file:
        began = time.monotonic()
        Shared.start(folder)
        print(f"the server took {time.monotonic() - began:.1f} s to start", flush=True)
        try:
            told = run_suite((forms_hold, methods, solving, batches, faults, two_servers), names, file)
        finally:
            Shared.stop()
    used = os.times()
    print(f"{time.monotonic() - began:.0f} s; the server and the program computed for "
          f"{used.children_user + used.children_system:.0f} s")
    return sum_up(told)


if __name__ == "__main__":
    os.environ.setdefault("no_proxy", "127.0.0.1")
    sys.exit(main(*sys.argv[1:]))
