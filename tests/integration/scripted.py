# SPDX-License-Identifier: Apache-2.0
"""The scripted server (tests/fake/server.py) for tests."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

SERVER = pathlib.Path(os.environ["RDV_SOURCE"]) / "tests/fake/server.py"


class Server:
    """A scripted server while the `with` block lasts. It gives one reply to each call unless `gives_n`."""

    def __init__(self, listen_at=0, gives_n=False, **script):
        differences = script.get("differences", []) + ([] if gives_n else ["ignore-n"])
        self.listen_at, self.script = listen_at, script | {"differences": differences}

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        script = pathlib.Path(self.folder.name) / "script.json"
        self.log = pathlib.Path(self.folder.name) / "log.jsonl"
        script.write_text(json.dumps(self.script))
        self.sent = pathlib.Path(self.folder.name) / "sent.jsonl"
        command = [sys.executable, SERVER, script, "--log", self.log, "--sent", self.sent,
                   "--port", str(self.listen_at)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline().split()[1])
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()
        self.folder.cleanup()

    @property
    def base(self):
        return f"http://127.0.0.1:{self.port}"

    @property
    def url(self):
        return self.base + "/v1#fake"

    def lines(self):
        if not self.log.exists():
            return []
        text = self.log.read_text()
        whole = text[:text.rfind("\n") + 1]  # the server may be writing a line just now
        return [json.loads(line) for line in whole.splitlines()]

    def requests(self):
        """Those for a result."""
        return [line for line in self.lines() if "survey" not in line]

    def surveys(self):
        """Those that find out what the server can do."""
        return [line for line in self.lines() if "survey" in line]

    def tokens_said(self):
        """What it said that it used, of all that it sent."""
        said = [json.loads(line)["usage"] or {} for line in self.sent.read_text().splitlines()]
        return sum(usage.get("prompt_tokens", 0) + usage.get("completion_tokens", 0)
                   for usage in said)

    def forget(self):
        """As if nothing had been asked so far."""
        os.truncate(self.log, 0)

    def asked(self):
        """The last message or prompt of every request, in the order they came."""
        bodies = [request["body"] for request in self.requests()]
        return [body["messages"][-1]["content"] if "messages" in body else body.get("prompt")
                for body in bodies]


# Replies to each stage of SelfCheck that every reader understands, and to the generation of a chain.
VARIABLES = {"contains": "Are there variables in the solution?",
             "reply": "Yes.\n1. x is defined as the number of apples."}
TARGET = {"contains": "What specific action does the step", "reply": "The step adds two numbers."}
COLLECT = {"contains": "directly follow from?", "reply": "It follows from Information 0."}
REGENERATE = {"contains": "Please try to achieve the target", "reply": "2 + 3 = 5"}
COMPARE = {"contains": "The following are 2 solutions",
           "reply": "Both add the same numbers.\nSolution 1 supports the conclusion in Solution 2."}
GENERATE = {"contains": "Solve the following problem step by step",
            "reply": "Step 1: 2 + 3 = 5\n\nStep 2: So the answer is 5."}
# The next step of a solution that is searched for.
STEP = {"regex": "Step [0-9]+:$", "reply": " 2 + 3 = 5. So the answer is 5."}
# Comparison and regeneration quote what other stages said, so they are looked for first.
SELFCHECK = [COMPARE, REGENERATE, COLLECT, TARGET, VARIABLES]
SOLVE = [GENERATE] + SELFCHECK + [STEP]
