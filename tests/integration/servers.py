#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The same work on every server that people use (tests/fake/forms.py): the model writes the same
words, so the records are the same, whatever a server makes of an open turn and of scores."""
import json
import unittest

from evidence import Claims, read_lines, replies_kept
from scripted import Server
from support import Case, chain, lines, rederive

SERVERS = ("llama.cpp", "vllm", "sglang", "ollama", "openai", "proxy")
SCORING = ("llama.cpp", "vllm", "sglang")  # those that give the scores of a text, in some way
QUESTION = lines({"question_id": "q", "gold": "6", "question": "What is 1 + 2 + 3?"})
THOUGHTS = [{"regex": r"Thought 1:$", "reply": " 1 + 2 = 3.\nThought 2: not wanted"},
            {"regex": r"Thought 2:$", "reply": " 3 + 3 = 6."},
            {"regex": r"Thought 3:$", "reply": " So the answer is 6."}]
CHAIN = chain(id="c", question="What is 1 + 2 + 3?", answer="7", gold="6",
              steps=["1 + 2 = 3.", "3 + 3 = 7.", "So the answer is 7."])
JUDGED = [{"contains": "Is Thought 1 right?", "reply": "Yes"},
          {"contains": "Is Thought 2 right?", "reply": "No"}]
AGREED = {"contains": "we can conclude that the Last Step is",
          "reply": " not a contradiction, since it agrees with what was said."}
RELEVANT = {"contains": "relevant information",
            "reply": "Yes, the draft solution adds relevant information."}
LISTED = {"contains": "python list", "reply": "[]"}


def without_accounts(record):
    """Without what servers count, which differs: tokens, and calls that found out how to ask."""
    if isinstance(record, list):
        return [without_accounts(item) for item in record]
    if isinstance(record, dict):
        return {name: without_accounts(value) for name, value in record.items()
                if name not in ("prompt_tokens", "completion_tokens", "n_calls", "generator_completion_tokens",
                                "checker_completion_tokens")}
    return record


class Servers(Case, Claims):
    def on(self, name, rules, *command, stdin, status=0, **script):
        """The records that a command writes with this server, asked for free text, which is what all of
        them give. Its journal is kept, too."""
        out = self.path(f"{name}.jsonl")
        with Server(server=name, rules=rules, **script) as server:
            ended = rederive(*command, *([] if "--structured" in command else ["--no-structured"]), "-M", server.url,
                             "-o", out, stdin=stdin)
            self.assert_ended(ended, status)
            self.requests = server.requests()
        self.err = ended.err
        self.rows = replies_kept(out + ".journal")
        self.assert_no_prefix_kept(name)
        return [without_accounts(record) for record in read_lines(out)]

    def assert_no_prefix_kept(self, name):
        for row in self.rows:
            messages = row["request"].get("messages") or [{}]
            if row["operation"] == "continue" and messages[-1].get("role") == "assistant":
                given = messages[-1]["content"]
                self.assertFalse(row["response"]["content"].startswith(given),
                                 f"{name}: the prefix stands in the reply: {row['response']}")
                first = given.splitlines()[0]
                self.assertFalse(row["response"]["content"].startswith(first),
                                 f"{name}: the prefix's first line is the reply: {row['response']}")

    def assert_same(self, rules, *command, stdin, names=SERVERS):
        first = None
        for name in names:
            with self.subTest(server=name):
                records = self.on(name, rules, *command, stdin=stdin)
                first = first or records
                self.assertEqual(records, first)
        return first

    def test_thoughts(self):
        record, = self.assert_same(THOUGHTS, "solve", "-g", "thoughts", "-n", "1", "-m", "none",
                                   "--chains-out", self.path("chains.jsonl"), stdin=QUESTION)
        made, = read_lines(self.path("chains.jsonl"))
        self.assertEqual(made["steps"], ["1 + 2 = 3.", "3 + 3 = 6.", "So the answer is 6."])
        self.assertEqual([record["answer"], record["correct"]], ["6", True])

    def test_online(self):
        rules = [{"regex": r"Step 1:$", "reply": " 1 + 2 = 3.\nStep 2: not wanted"},
                 {"regex": r"Step 2:$", "reply": " 3 + 3 = 6. So the answer is 6."}]
        record, = self.assert_same(rules, "solve", "--beam-search", "--beam-width", "1", "--expansions", "1",
                                   "-m", "calculations", stdin=QUESTION)
        self.assertEqual([record["answer"], record["correct"]], ["6", True])

    def test_direct_step(self):
        record, = self.assert_same(JUDGED, "check", "-m", "direct-step", stdin=lines(CHAIN))
        self.assertEqual(record["first_error"], 1)

    def test_consistency(self):
        record, = self.assert_same([AGREED], "check", "-m", "consistency", "--samples", "1",
                                   stdin=lines(CHAIN))
        said = [v["evidence"]["samples"][0]["conclusion"] for v in record["verdicts"][1:]]
        self.assertTrue(all(text.startswith("not a contradiction") for text in said), said)

    def test_perplexity(self):
        record, = self.assert_same([], "check", "-m", "perplexity", stdin=lines(CHAIN),
                                   names=SCORING)
        self.assertIsNotNone(record["confidence"])

    def test_perplexity_that_cannot_be_had(self):
        for name in sorted(set(SERVERS) - set(SCORING)):
            with self.subTest(server=name):
                record, = self.on(name, [], "check", "-m", "perplexity", stdin=lines(CHAIN),
                                  status=1)
                self.assertIsNone(record["confidence"])
                self.assertEqual({v["verdict"] for v in record["verdicts"]}, {"unknown"})
                self.assertTrue(all(v["explanation"] for v in record["verdicts"]))

    def test_general(self):
        record, = self.assert_same([AGREED, RELEVANT, LISTED], "check", "-m", "general",
                                   "--samples", "1", stdin=lines(CHAIN), names=SCORING)
        self.assertIsNotNone(record["checks"]["perplexity"]["confidence"])

    def test_repair(self):
        rules = [{"regex": r"Thought 2:$", "reply": " 3 + 3 = 6."},
                 {"regex": r"Thought 3:$", "reply": " So the answer is 6."}]
        record, = self.assert_same(rules, "repair", "-l", "calculations", "--resamples", "2",
                                   stdin=lines(CHAIN))
        self.assertEqual(record["steps"], ["1 + 2 = 3.", "3 + 3 = 6.", "So the answer is 6."])
        self.assertEqual(record["answer"], "6")

    def test_a_text_that_is_too_long(self):
        """One request each, and one line that says why. Ollama leaves earlier turns out unasked."""
        stdin = lines(chain(id="long", question="apple " * 400, steps=["There are 400."]))
        for name in SERVERS:
            with self.subTest(server=name):
                record, = self.on(name, [{"reply": "correct"}], "check", "-m", "global",
                                  stdin=stdin, context=300, status=None)
                asked = [r for r in self.requests if "apple apple" in json.dumps(r["body"])]
                self.assertEqual(len(asked), 1, name)
                self.assertIn("context", self.err + json.dumps(record))
                self.assertNotIn("support", json.dumps(record))

    def test_a_model_that_is_not_there(self):
        """llama.cpp and SGLang answer with what they have; the others' refusal is said as it is."""
        for name in ("vllm", "ollama", "openai", "proxy"):
            with self.subTest(server=name):
                with Server(server=name, models=["other"]) as server:
                    ended = rederive("check", "-m", "global", "-M", server.url,
                                     stdin=lines(CHAIN))
                    self.assertLessEqual(len(server.requests()), 4)
                self.assertIn(ended.status, (1, 3), ended.err)
                self.assertIn("fake", ended.err)
                self.assertRegex(ended.err, "does not exist|not found")

    def assert_ended(self, ended, status):
        if status is not None:
            super().assert_ended(ended, status)


if __name__ == "__main__":
    unittest.main()
