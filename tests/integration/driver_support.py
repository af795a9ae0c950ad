# SPDX-License-Identifier: Apache-2.0
"""The driver on its own (tests/fake/asker.c) against the scripted server (tests/fake/server.py)."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ASKER = os.environ["RDV_ASKER"]
SERVER = pathlib.Path(os.environ["RDV_SOURCE"]) / "tests/fake/server.py"
KEY = "sk-not-a-key-0123456789"


class Server:
    """A scripted server while the `with` block lasts."""

    def __init__(self, **script):
        self.script = script

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        script = pathlib.Path(self.folder.name) / "script.json"
        self.log = pathlib.Path(self.folder.name) / "log.jsonl"
        script.write_text(json.dumps(self.script))
        self.process = subprocess.Popen([sys.executable, SERVER, script, "--log", self.log],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().split()[1])
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()
        self.folder.cleanup()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/v1#fake"

    def requests(self):
        if not self.log.exists():
            return []
        return [json.loads(line) for line in self.log.read_text().splitlines()]

    def asked(self):
        """The last message or prompt of every request, in the order they came."""
        bodies = [request["body"] for request in self.requests()]
        return [body["messages"][-1]["content"] if "messages" in body else body.get("prompt")
                for body in bodies]


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
    defaults = {"backoff": 10, "jobs": 8}
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
