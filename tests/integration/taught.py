# SPDX-License-Identifier: Apache-2.0
"""What the built-in model is taught (train/) are the prompts that the program sends, to the letter;
and what it is tested on is worded as nothing that it was taught."""
import importlib
import itertools
import json
import os
import random
import re
import sys
import unittest

from scripted import Server
from support import Case, lines, rederive

sys.path.insert(0, os.path.join(os.environ["RDV_SOURCE"], "train"))
import examples  # noqa: E402
import questions  # noqa: E402
import thoughts  # noqa: E402
import traces  # noqa: E402
from tasks import problem  # noqa: E402

METHODS = "selfcheck,global,single-stage,relevance,consistency,math"
REPLY = [{"reply": "It follows from Information 0."}]


def prompt_of(body):
    return [(m["role"], m["content"]) for m in body["messages"]]


def every(wording):
    """All that a wording with (this|that) in it can say."""
    parts = problem.CHOICE.split(wording)  # text and choices in turn
    return map("".join, itertools.product(*(part.split("|") if i % 2 else [part]
                                            for i, part in enumerate(parts))))


def wordings(task):
    """(name, taught, held out) of each list of a module of train/tasks that holds some out."""
    for name, items in vars(importlib.import_module("tasks." + task)).items():
        if isinstance(items, list) and any(isinstance(i, str) and i.startswith("~") for i in items):
            yield (name, {text for i in items if i[0] != "~" for text in every(i)},
                   {text for i in items if i[0] == "~" for text in every(i[1:])})


class HeldOut(unittest.TestCase):
    def test_wordings(self):
        lists = 0
        for task in examples.TASKS:
            for name, taught, held in wordings(task):
                lists += 1
                self.assertFalse(taught & held, f"{task}.{name}")
        self.assertGreater(lists, 15)

    def test_questions(self):
        """None of the test's sentences with a number in it is one of the training's."""
        def sentences(split):
            return {s for k in range(400) for s in questions.make(f"stories-{split}-3-{k}").sentences}
        self.assertFalse(sentences("train") & {s for s in sentences("test") if not s.endswith("?")})


class Taught(Case):
    def asked(self, command, records, *options):
        """Every prompt that the program sends."""
        with Server(rules=REPLY) as server:
            ended = rederive(command, "-q", "--model", server.url, *options, "--journal",
                             self.path("journal"), stdin=lines(*records))
            self.assertIn(ended.status, (0, 1), ended.err)
            return [prompt_of(request["body"]) for request in server.requests()
                    if "messages" in request["body"]]

    def assert_sent(self, prompt, sent):
        """The prompt is among those sent; its open turn may have become a user's, and the program quotes a step's line that begins
        as an option does."""
        text = [t for _, t in prompt]
        for other in sent:
            said = [re.sub(r"^> (?=\([A-Z]\))", "", t, flags=re.MULTILINE) for _, t in other]
            if said == text or "\n".join(said).startswith("\n".join(text)):
                return
        self.fail("never sent: " + json.dumps(prompt[-1:]))

    def test_checks(self):
        for task in examples.TASKS:
            record = questions.chain(f"{task}-train-5-1", True)
            problem = questions.make(record["id"], True)
            sent = self.asked("check", [record], "--method", METHODS, "--samples", "1",
                              "--question-type", examples.KIND)
            rng = random.Random(1)
            self.assert_sent(examples.variables(problem, rng)[0], sent)
            self.assert_sent(examples.whole(problem, rng)[0], sent)
            for i in range(len(problem.steps)):
                for ask in (examples.target, examples.collect, examples.single_stage):
                    self.assert_sent(ask(problem, rng, i)[0], sent)

    def test_solutions(self):
        for task in examples.TASKS:
            record = questions.record(f"{task}-train-5-2")
            problem = questions.make(record["id"])
            sent = self.asked("solve", [record], "--chains", "1")
            self.assert_sent(examples.generate(problem, random.Random(1))[0], sent)

    def test_traces(self):
        rng = random.Random(1)
        for task in ("word_sorting", "coin_flip"):
            made = []
            for kind in (["--traces"], ["--mistakes", "1"]):
                made += rederive("tasks", "-q", "-t", task, "-n", "1", "--seed", "6", *kind).records
            path = self.write("traces.jsonl", lines(*made))
            trace, = traces.read(path)
            wrong = made[-1]
            sent = self.asked("check", [wrong], "--method", "direct-trace,direct-step,cot-step")
            while True:
                prompt, reply = thoughts.direct_trace(trace, rng)
                if reply != "No":
                    break
            self.assert_sent(prompt, sent)
            for ask in (thoughts.direct_step, thoughts.cot_step):
                while True:
                    prompt, reply = ask(trace, rng)
                    if reply.endswith("No"):
                        break
                self.assert_sent(prompt, sent)


if __name__ == "__main__":
    unittest.main()
