#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a call of the Python package costs, in microseconds of processor time.

  VENV/bin/python bench/python.py [--pairs N] [--threads N] [--math-verify PYTHON]

VENV has the wheel. The pairs are generated (tests/reference/rewritten.py). "beyond C" is the time of `grade` less that of the C function
that it calls, through cffi. Math-Verify grades the same pairs, in one process of PYTHON."""
import argparse
import json
import os
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.append(os.path.join(HERE, "..", "tests", "reference"))
import rewritten  # noqa: E402

import rederive  # noqa: E402
from rederive._core import lib  # noqa: E402

RUNS = 5
MATH_VERIFY_PAIRS = 40  # in each thread: it takes a tenth of a second for one
MATH_VERIFY = """
import json, sys, time
from math_verify import parse, verify
pairs = json.load(sys.stdin)
for answer, gold in pairs[:20]:
    verify(parse(gold), parse(answer))
began = time.process_time()
for answer, gold in pairs:
    verify(parse(gold), parse(answer))
print((time.process_time() - began) / len(pairs))
"""
MATH_VERIFY_THREADS = """
import collections, json, logging, sys, threading, time
from math_verify import parse, verify
logging.disable(logging.CRITICAL)
pairs, n = json.load(sys.stdin), int(sys.argv[1])
def outcomes(**limits):
    made = []
    for answer, gold in pairs:
        try:
            made.append(verify(parse(gold, **limits.get("parse", {})), parse(answer, **limits.get("parse", {})),
                               **limits.get("verify", {})))
        except Exception as error:
            made.append("raised " + type(error).__name__)
    return made
wanted = outcomes()
off = {"parse": {"parsing_timeout": None}, "verify": {"timeout_seconds": None}}
for name, limits in (("as it is", {}), ("with its time limits off", off)):
    made = [None] * n
    def work(i):
        made[i] = outcomes(**limits)
    threads = [threading.Thread(target=work, args=(i,)) for i in range(n)]
    began = time.perf_counter()
    for thread in threads: thread.start()
    for thread in threads: thread.join()
    took = time.perf_counter() - began
    other = collections.Counter(str(is_) for one in made for is_, right in zip(one, wanted) if is_ != right)
    print(f"Math-Verify {name} in {n} threads: {n * len(pairs) / took:.1f} pairs a second; other than in one thread: "
          f"{sum(other.values())} of {n * len(pairs)}", dict(other))
"""


def generated(n):
    """In dollars, as Math-Verify wants its mathematics."""
    made = [(r["answer"], r["gold"]) for r, _, name in rewritten.pairs(2 * n, 11, dress="${}$")
            if name not in ("option", "yes or no")]
    return made[:n]


def best(work, n):
    """Seconds of processor time for one of `n`, the least of several runs."""
    taken = []
    for _ in range(RUNS):
        began = time.process_time()
        work()
        taken.append((time.process_time() - began) / n)
    return min(taken)


def overhead(pairs):
    """Of one call of grade(), and of the C function under it, called through cffi; both in seconds. Each pair is
    measured with both after one another, in both orders, and once before: what is in the processor's caches is alike."""
    grader = lib.binding_grader_new()
    called, direct = [float("inf")] * len(pairs), [float("inf")] * len(pairs)
    clock = time.perf_counter
    for run in range(4 * RUNS):
        for i, (answer, gold) in enumerate(pairs):
            a, g = answer.encode(), gold.encode()
            lib.binding_grade_plain(grader, a, len(a), False, g, len(g))
            for turn in ((0, 1) if run % 2 else (1, 0)):
                began = clock()
                if turn:
                    rederive.grade(answer, gold)
                    called[i] = min(called[i], clock() - began)
                else:
                    lib.binding_grade_plain(grader, a, len(a), False, g, len(g))
                    direct[i] = min(direct[i], clock() - began)
    lib.binding_grader_free(grader)
    return sum(called) / len(pairs), sum(direct) / len(pairs)


def in_threads(pairs, n):
    """Wall seconds for a pair where n threads grade all of them each."""
    def work():
        for answer, gold in pairs:
            rederive.grade(answer, gold)

    threads = [threading.Thread(target=work) for _ in range(n)]
    began = time.perf_counter()
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return (time.perf_counter() - began) / (n * len(pairs))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--pairs", type=int, default=2000)
    parser.add_argument("--threads", type=int, default=8)
    parser.add_argument("--math-verify", metavar="PYTHON")
    given = parser.parse_args()
    pairs = generated(given.pairs)
    chain = {"id": "a/0", "question": "What is 12 boxes of 48?", "steps": ["12 × 48 = 576.", "The answer is 576."]}
    for name, some in (("1 and 1", [("1", "1")] * 5000), ("generated pairs", pairs)):
        called, direct = overhead(some)
        print(f"{name}: {called * 1e6:.2f} us by grade(), {direct * 1e6:.2f} us in C with its call, "
              f"{(called - direct) * 1e6:.2f} us beyond")
    checked = best(lambda: [rederive.check(chain) for _ in range(300)], 300)
    print(f"check() of a chain of two steps: {checked * 1e6:.1f} us")
    print(f"{given.threads} threads: {1 / in_threads(pairs, given.threads):.0f} pairs a second (wall), "
          f"one: {1 / in_threads(pairs, 1):.0f}")
    if given.math_verify:
        done = subprocess.run([given.math_verify, "-c", MATH_VERIFY], input=json.dumps(pairs), text=True,
                              capture_output=True, check=True)
        theirs, ours = float(done.stdout), best(lambda: [rederive.grade(a, g) for a, g in pairs], len(pairs))
        print(f"Math-Verify: {theirs * 1e6:.0f} us a pair, {theirs / ours:.1f} times of ours ({ours * 1e6:.1f} us)")
        done = subprocess.run([given.math_verify, "-c", MATH_VERIFY_THREADS, str(given.threads)],
                              input=json.dumps(pairs[:MATH_VERIFY_PAIRS]), text=True, capture_output=True, check=True)
        print(done.stdout, end="")


if __name__ == "__main__":
    main()
