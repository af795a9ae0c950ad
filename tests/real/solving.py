# SPDX-License-Identifier: Apache-2.0
"""Solutions that a real model writes: every way of generating, the search, and repair."""
import json

from asked import CHAINS, QUESTIONS, SECONDS, Asked
from evidence import Claims, read_lines, replies_kept
from support import rederive


class Solving(Asked, Claims):
    def solve(self, *args):
        """Solutions to the questions. Returns them, and the rows of the journal."""
        source, out = self.write("questions.jsonl", QUESTIONS), self.path("out.jsonl")
        kept = self.path("chains.jsonl")
        command = ("solve", *args, "--prompt-dir", self.prompts, source)
        ended = rederive(*command, "-j", "4", "-M", self.wire.url, "-o", out, "--chains-out", kept,
                         seconds=SECONDS)
        # A reply without text is a failed call, after which a question may be left unanswered.
        empty = any(not text.strip() for text in self.written())
        self.assert_ended(ended, ended.status if empty and ended.status == 1 else 0)
        rows = replies_kept(out + ".journal")
        self.assertTrue(rows, "nothing was answered")
        self.assert_replies_are_written(rows, self.exchanges())
        chains = read_lines(kept)
        for made in chains:
            self.assert_steps_are_of_replies(made, self.written())
            if made.get("verdicts"):
                self.assert_claims(made, rows)
        self.assert_plays_again(command, out, out + ".journal", "smollm2", ended.status)
        self.assertEqual([json.loads(line)["question_id"] for line in self.read("out.jsonl")
                          .splitlines()], ["sum", "apples"])
        return chains, rows

    def test_steps(self):
        chains, _ = self.solve("-g", "steps", "-n", "2", "--stop", "none", "-m", "single-stage")
        self.assertEqual(len(chains), 4)

    def test_zero_shot(self):
        chains, _ = self.solve("-g", "zero-shot", "-n", "2", "--stop", "none", "-m", "none")
        self.assertEqual(len(chains), 4)

    def test_thoughts(self):
        chains, rows = self.solve("-g", "thoughts", "-n", "1", "--max-steps", "4", "-m", "none")
        self.assertEqual(len(chains), 2)
        self.assert_prefixes_grow(rows)
        for made in chains:
            self.assertLessEqual(len(made["steps"]), 4)

    def test_online(self):
        _, rows = self.solve("--beam-search", "--beam-width", "2", "--expansions", "2", "--max-steps", "2",
                             "-m", "calculations")
        self.assert_prefixes_grow(rows)

    def assert_prefixes_grow(self, rows):
        """What a step's request gives the model has each earlier step once."""
        for row in rows:
            messages = row["request"].get("messages") or [{}]
            if row["operation"] != "continue" or messages[-1].get("role") != "assistant":
                continue
            heads = [line.split(":")[0] for line in messages[-1]["content"].splitlines()
                     if line.startswith(("Thought ", "Step "))]
            self.assertEqual(len(heads), len(set(heads)),
                             f"{row['sample_id']}: the prefix repeats itself: {messages[-1]['content']}")

    def test_repair(self):
        self.repair("calculations")

    def test_repair_with_a_locator_that_asks(self):
        self.repair("direct-step")

    def repair(self, locator):
        source, out = self.write("chains.jsonl", CHAINS), self.path("out.jsonl")
        command = ("repair", "-l", locator, "--resamples", "3", "--max-steps", "4", "--prompt-dir",
                   self.prompts, source)
        ended = rederive(*command, "-j", "4", "-M", self.wire.url, "-o", out, seconds=SECONDS)
        self.assert_ended(ended, 0)
        rows = replies_kept(out + ".journal")
        self.assertTrue(rows, "nothing was answered")
        self.assert_replies_are_written(rows, self.exchanges())
        self.assert_prefixes_grow(rows)
        before = {c["id"]: c for c in map(json.loads, CHAINS.splitlines())}
        for record in read_lines(out):
            old = before[record["id"]]["steps"]
            fresh = [step for step in record["steps"] if step not in old]
            self.assert_steps_are_of_replies({"steps": fresh}, self.written())
            for step in record["steps"]:
                self.assertLessEqual(record["steps"].count(step), old.count(step) +
                                     sum(step in text for text in self.written()), record)
        self.assert_plays_again(command, out, out + ".journal", "smollm2")
