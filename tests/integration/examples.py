# SPDX-License-Identifier: Apache-2.0
"""Every example that --help and the man pages show is run."""
import json
import os
import re
import shutil
import subprocess
import unittest
import zipfile

import combined
from scripted import SOLVE, Server
from support import PROGRAM, SECONDS, Case, chain, lines, rederive
from tiny import write_model

COMMANDS = ["check", "solve", "repair", "vote", "eval", "annotate", "convert", "models", "serve", "mcp", "tasks", "grade", "audit", "sample", "reproduce", "train", "journal", "methods", "rules", "formats",
            "completion"]

CHAINS = lines(
    chain(id="q1/0", question_id="q1", steps=["2 + 3 = 5", "So it is 5."], scores={"prm": [0.9, 0.8]}),
    chain(id="q1/1", question_id="q1", steps=["2 + 3 = 6"], answer="6", scores={"prm": [0.2]}, label=0),
    chain(id="q2/0", question_id="q2", question="What is 4 * 4?", steps=["4 * 4 = 16"], answer="16",
          gold="16", scores={"prm": [0.7]}, label=None))


QUESTIONS = lines({"question_id": "q1", "question": "What is 2 + 3?", "gold": "5"},
                  {"question_id": "q2", "question": "What is 4 * 4?"})

FEWER = "10"  # questions of each task to train on: with the examples' number, training takes a third of all examples' time
# Where a model is asked, the examples say that it is served here.
SERVED = "http://localhost:8000"
SERVED_TOO = "http://localhost:8001"


def examples_of(command):
    """The lines of the section that begin after a comment, as a person would copy them."""
    inside = False
    for line in rederive("help", command).out.splitlines():
        if line == "Examples:":
            inside = True
        elif inside and not line:
            return
        elif inside and line.startswith("  ") and line[2] not in "# ":
            yield line.strip()


class Examples(Case):
    def setUp(self):
        super().setUp()
        self.write("chains.jsonl", CHAINS)
        self.write("questions.jsonl", QUESTIONS)
        scored = combined.chains(20)
        for one in scored:
            one["scores"] = {"prm": one["scores"]["good"], "orm": one["scores"]["weak"]}
        self.write("scored.jsonl", lines(*scored))
        self.write("others.jsonl", lines(*scored))
        self.write("ann.csv", "id,annotator,step,label\nq1/0,ann,0,y\nq1/0,ann,1,y\nq1/1,ann,0,n\n")
        self.write("ben.csv", "id,annotator,first_error\nq1/0,ben,none\nq1/1,ben,0\n")
        self.write("marks.jsonl", lines({"id": "q1/0", "annotator": "cat", "first_error": 1},
                                        {"id": "q1/1", "annotator": "cat", "labels": [True]}))
        self.write("results.jsonl", "")  # of no request
        self.write("errors.jsonl", "")
        self.write("batch_requests.jsonl", lines(
            {"custom_id": "a", "method": "POST", "url": "/v1/chat/completions",
             "body": {"messages": [{"role": "user", "content": "What is 2 + 3?"}]}}))
        reply = {"role": "assistant", "content": "<think>2 + 3 is 5.</think>2 + 3 = 5"}
        body = {"object": "chat.completion", "choices": [{"index": 0, "message": reply}]}
        self.write("batch_output.jsonl", lines(
            {"custom_id": "a", "response": {"status_code": 200, "body": body}, "error": None}))
        self.write("responses.jsonl", lines({"prompt": "What is 2 + 3?", "response": reply}))
        self.write("traces.jsonl", rederive("tasks", "-t", "dyck_languages", "-n", "8", "--mistakes", "0.5").out)
        self.write("pairs.jsonl", lines({"answer": "1/2", "gold": "0.5"}, {"answer": "7", "gold": ["8", "9"]}))
        self.write("replies.jsonl", lines({"completion": "So the answer is 7.", "target": 7}))
        self.write("answers.csv", "prediction,gold\n0.333,1/3\n")
        self.write("solutions.txt", "2 + 3 = 5\n---\n2 + 3 = 6\n")
        with zipfile.ZipFile(self.path("my-run.eval"), "w") as log:
            log.writestr("samples/1_epoch_1.json", json.dumps(
                {"id": 1, "epoch": 1, "input": "What is 2 + 3?", "target": "5", "messages": [{**reply, "content": "2 + 3 = 6"}]}))
        shutil.copy(os.path.join(os.environ["RDV_SOURCE"], "tests/golden/tool-files/otel-genai.jsonl"), self.path("spans.jsonl"))
        self.write("agent.jsonl", lines({"task": {"text": "What is 2 + 3?"}, "runs": [{"log": ["2 + 3 = 5"]}]}))
        os.mkdir(self.path("examples"))
        os.symlink(os.path.join(os.environ["RDV_SOURCE"], "examples/methods"), self.path("examples/methods"))
        os.symlink(os.path.join(os.environ["RDV_SOURCE"], "examples/rules"), self.path("examples/rules"))
        self.server = self.enterContext(Server(rules=SOLVE))
        self.second = self.enterContext(Server(rules=SOLVE))
        os.mkdir(self.path("bin"))
        os.symlink(PROGRAM, self.path("bin/rederive"))
        for i in (1, 2):
            rederive("check", "-q", "-m", "global", "-M", self.server.url, "--journal", self.path(f"worker-{i}.journal"),
                     stdin=CHAINS)
        self.env = {**os.environ, "PATH": self.path("bin") + ":" + os.environ["PATH"],
                    "RDV_MODEL": write_model(self.path("tiny.gguf"))}

    def test_each_runs(self):
        for command in COMMANDS:
            examples = list(examples_of(command))
            self.assertTrue(examples, command)
            for example in examples:
                if "jq" in example and not shutil.which("jq"):
                    continue
                with self.subTest(example=example):
                    if command == "serve":  # until Ctrl-C, and where nobody else listens
                        where = "" if "--listen" in example else " --listen 127.0.0.1:0"
                        example = "timeout --preserve-status -s INT 3 " + example + where
                    example = example.replace(SERVED, self.server.base).replace(SERVED_TOO, self.second.base)
                    example = re.sub(r"(?<=^rederive tasks -n )\d+(?=.* train )", FEWER, example)
                    done = subprocess.run(["bash", "-o", "pipefail", "-c", example], text=True,
                                          cwd=self.folder, env=self.env, capture_output=True,
                                          timeout=SECONDS, check=False)
                    self.assertEqual(done.returncode, 0, done.stderr)
                    notes = re.sub(r"(?m)^rederive: .* not checked; --check-reasoning checks it too$", "", done.stderr)
                    self.assertNotIn("rederive: ", notes)

    def test_man_pages_show_the_same(self):
        for command in COMMANDS:
            name = os.path.join(os.environ["RDV_BUILD"], "docs", f"rederive-{command}.1.scd")
            if not os.path.exists(name):
                self.skipTest("the man pages were not built")
            with open(name, encoding="utf-8") as file:
                page = file.read()
            for example in examples_of(command):
                self.assertIn("\n" + example + "\n", page)


if __name__ == "__main__":
    unittest.main()
