# SPDX-License-Identifier: Apache-2.0
"""What the fuzzers of the whole program share: seeds, one after the other, for a time; a failing one prints the command that
repeats it. Imported first: it sets what the modules of tests/integration need."""
import argparse
import os
import pathlib
import random
import resource
import shlex
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
os.environ.setdefault("RDV_SOURCE", str(ROOT))
os.environ.setdefault("RDV_SHARED", str(ROOT.parent / "shared" / "data"))
sys.path.insert(0, str(ROOT / "tests" / "integration"))


class Broken(AssertionError):
    """A promise that did not hold."""


def require(holds, *what):
    if not holds:
        raise Broken(" ".join(str(w) for w in what)[:4000])


def read_options(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--from", dest="first", type=int, default=1, metavar="SEED")
    parser.add_argument("--seed", type=int, help="this one alone")
    return parser.parse_args()


def repeat(seed):
    return (f"RDV_PROGRAM={shlex.quote(os.environ['RDV_PROGRAM'])} "
            f"RDV_SANITIZE={shlex.quote(os.environ.get('RDV_SANITIZE', 'none'))} python3 {shlex.quote(sys.argv[0])} --seed {seed}")


def run_seeds(options, run, count):
    """run(seed, random numbers) until the time is over, each seed at least once; prints count() and how it went. The number of
    seeds that failed; ends after ten."""
    began = time.monotonic()
    seed, failed, ran = options.seed if options.seed is not None else options.first, 0, 0
    while ran == 0 or options.seed is None and time.monotonic() - began < options.seconds and failed < 10:
        try:
            run(seed, random.Random(seed))
        except Exception as e:  # also one of ours, which the judges did not expect
            failed += 1
            print(f"seed {seed}: {e if isinstance(e, Broken) else repr(e)}\n  again: {repeat(seed)}", file=sys.stderr)
        seed += 1
        ran += 1
    of_children = resource.getrusage(resource.RUSAGE_CHILDREN)
    print(f"{ran} seeds from {seed - ran}, {failed} failed; {count()}; {time.monotonic() - began:.0f} s, "
          f"{of_children.ru_utime + of_children.ru_stime:.0f} s of the program's processor time")
    return failed
