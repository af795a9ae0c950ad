# SPDX-License-Identifier: Apache-2.0
"""The driver on its own (tests/fake/asker.c) against the scripted server (tests/fake/server.py)."""
import os
import re
import subprocess
import unittest

from scripted import Server

ASKER = os.environ["RDV_ASKER"]
JOBS = 8  # calls in flight, where a test says nothing else
KEY = "sk-not-a-key-0123456789"


class Outcome:
    """What an asker printed."""

    def __init__(self, text):
        self.text = text
        lines = text.splitlines()
        self.works = [line.split(": | ", 1)[1].split(" | ")
                      for line in lines if re.match(r"\d+: \| ", line)]
        ends = [line for line in lines if line.startswith("end ")]
        self.end = ends[0].split(" ")[1].rstrip(":") if ends else None
        self.why = ends[0].split(": ", 1)[1] if ends else None
        totals = [line for line in lines if line.startswith("answered ")]
        words = totals[0].split() if totals else []
        self.totals = dict(zip(words[::2], map(int, words[1::2])))
        self.fault = next((line[7:] for line in lines if line.startswith("fault: ")), None)


def environment():
    return os.environ | {"no_proxy": "127.0.0.1"}


def command(works, asks, **settings):
    defaults = {"backoff": 10, "jobs": JOBS}
    words = [f"{name}={value}" for name, value in (defaults | settings).items()]
    return [ASKER, str(works), str(asks)] + words


def ask(works, asks, **settings):
    done = subprocess.run(command(works, asks, **settings), capture_output=True, text=True,
                          timeout=60, env=environment())
    if done.returncode not in (0, 3) or done.stderr:
        raise AssertionError(f"asker ended with {done.returncode}: {done.stderr[-2000:]}")
    return Outcome(done.stdout)


main = unittest.main
TestCase = unittest.TestCase
