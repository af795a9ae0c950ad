# SPDX-License-Identifier: Apache-2.0
"""What the integration tests share: running the program, and making chains."""
import collections
import json
import os
import resource
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["RDV_PROGRAM"]
SANITIZED = os.environ.get("RDV_SANITIZE", "none") not in ("", "none")
MEMORY = 1 << 30  # bytes of address space that any input must do with
SECONDS = 120 if SANITIZED else 30
NEAR = 1e-9  # figures that two programs compute


def limit_memory(process):
    """Sanitizers reserve terabytes of addresses, so only plain builds can be held to a limit. It is set once the program runs:
    a start that calls Python in between (preexec_fn) takes 2 ms more of processor time, of 8."""
    if not SANITIZED:
        try:
            resource.prlimit(process.pid, resource.RLIMIT_AS, (MEMORY, MEMORY))
        except ProcessLookupError:
            pass  # it has ended


class Ended:
    """How a run of the program ended."""

    def __init__(self, status, out, err):
        self.status, self.out, self.err = status, out, err

    @property
    def records(self):
        return [json.loads(line) for line in self.out.splitlines()]


# Starts of a command, by one test file, that end with a look for leaks: it takes two fifths of a short run's time.
LEAK_CHECKS = 20
_starts = collections.Counter()


def _environment(command, env):
    _starts[command] += 1
    whole = {**os.environ, **(env or {})}
    if SANITIZED and _starts[command] > LEAK_CHECKS and "ASAN_OPTIONS" in whole:
        whole["ASAN_OPTIONS"] += ":detect_leaks=0"
    return whole


def rederive(*args, stdin=b"", env=None, cwd=None, seconds=SECONDS):
    if isinstance(stdin, str):
        stdin = stdin.encode()
    with subprocess.Popen([PROGRAM, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          env=_environment(args[0] if args else "", env), cwd=cwd) as process:
        limit_memory(process)
        try:
            out, err = process.communicate(stdin, timeout=seconds)
        except BaseException:
            process.kill()
            raise
    return Ended(process.returncode, out.decode("utf-8"), err.decode("utf-8"))


def place_of(name, line, text):
    """FILE:LINE:COLUMN of the first such text in that line of the file, as a list of findings names it."""
    with open(name, encoding="utf-8", newline="") as file:
        return f"{name}:{line}:{file.read().split(chr(10))[line - 1].index(text) + 1}"


def chain(question="What is 2 + 3?", steps=("2 + 3 = 5",), answer="5", gold="5", **more):
    return {"question": question, "steps": list(steps), "answer": answer, "gold": gold, **more}


def lines(*records):
    return "".join((r if isinstance(r, str) else json.dumps(r)) + "\n" for r in records)


class Case(unittest.TestCase):
    """A test with a folder of its own, that shows what the program said when it fails."""

    def setUp(self):
        self.folder = tempfile.mkdtemp(prefix="rederive-test-")
        self.addCleanup(shutil.rmtree, self.folder)

    def path(self, name):
        return os.path.join(self.folder, name)

    def write(self, name, text):
        with open(self.path(name), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        return self.path(name)

    def read(self, name):
        with open(self.path(name), encoding="utf-8") as file:
            return file.read()

    def assert_has(self, ours, theirs, where):
        """What the reference has is the same in ours; ours may have more members."""
        if isinstance(theirs, dict):
            for name, value in theirs.items():
                self.assertIn(name, ours, where)
                self.assert_has(ours[name], value, f"{where}.{name}")
        elif isinstance(theirs, list):
            self.assertEqual(len(ours), len(theirs), where)
            for i, (a, b) in enumerate(zip(ours, theirs)):
                self.assert_has(a, b, f"{where}[{i}]")
        elif isinstance(theirs, (int, float)) and not isinstance(theirs, bool):
            self.assertIsNotNone(ours, where)
            self.assertAlmostEqual(ours, theirs, delta=NEAR, msg=where)
        else:
            self.assertEqual(ours, theirs, where)

    def assert_ended(self, ended, status):
        self.assertEqual(ended.status, status, ended.err[-2000:])
        self.assertNotIn("Sanitizer", ended.err)
