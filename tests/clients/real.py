#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Ten questions to a real model, SmolLM2 of 135 million parameters on llama.cpp's server, through `rederive serve` with the
official clients, streamed and not. The verdict that each way reads must be that of `rederive check` on the same text.

    tests/clients/real.py

RDV_SOURCE, RDV_PROGRAM and RDV_REAL_PYTHON (a Python with the wheels of tests/real/requirements.txt) are set.
"""
import json
import os
import sys
import tempfile
import unittest
from pathlib import Path

os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
HERE = Path(__file__).parent
ROOT = Path(os.environ["RDV_SOURCE"])
sys.path[:0] = [str(HERE), str(ROOT / "tests/integration"), str(ROOT / "tests/real")]

import anthropic  # noqa: E402
import openai  # noqa: E402
from served import Model  # noqa: E402
from support import rederive  # noqa: E402
from tiny import Serve  # noqa: E402
from ways import of_chat, of_chat_chunks, of_message, of_message_events, of_response, of_response_events  # noqa: E402

QUESTIONS = [f"{text} Show the calculation." for text in (
    "What is 12 + 30?", "What is 7 * 8?", "Tom has 3 boxes with 4 pens each. How many pens has he?", "What is 100 - 37?",
    "A book costs 5 dollars. What do 6 books cost?", "What is 81 / 9?", "Ann has 15 apples and eats 6. How many are left?",
    "What is 2 + 3 * 4?", "A train goes 60 km in an hour. How far does it go in 3 hours?", "What is half of 50?")]
CHECKED = "rederive/check/smollm2"
MOST = 60  # tokens of a reply
ROUNDS = 4  # of repairs


class Real(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = cls.enterClassContext(tempfile.TemporaryDirectory())
        cls.model = Model(os.path.join(cls.folder, "server.log"))
        cls.addClassCleanup(cls.model.kill)
        cls.model.start()
        cls.model.wait()
        policy = os.path.join(cls.folder, "policy.json")
        Path(policy).write_text(json.dumps({"default": {"repair": ROUNDS, "seconds_per_check": 300}}), encoding="utf-8")
        cls.server = cls.enterClassContext(Serve(None, "-M", f"smollm2=http://127.0.0.1:{cls.model.port}/v1#smollm2", "--policy", policy))
        cls.openai = openai.OpenAI(base_url=cls.server.url, api_key="none", max_retries=0)
        cls.anthropic = anthropic.Anthropic(base_url=cls.server.url.removesuffix("/v1"), api_key="none", max_retries=0)

    def ways(self, question):
        turns = [{"role": "user", "content": question}]
        chat = {"model": CHECKED, "messages": turns, "max_tokens": MOST, "extra_body": {"temperature": 0}}
        yield "chat", of_chat(self.openai.chat.completions.create(**chat))
        yield "chat, stream", of_chat_chunks(self.openai.chat.completions.create(stream=True, **chat))
        yield "messages", of_message(self.anthropic.messages.create(**chat))
        yield "messages, stream", of_message_events(self.anthropic.messages.create(stream=True, **chat))
        response = {"model": CHECKED, "input": question, "max_output_tokens": MOST, "extra_body": {"temperature": 0}}
        yield "responses", of_response(self.openai.responses.create(**response))
        yield "responses, stream", of_response_events(self.openai.responses.create(stream=True, **response))

    def test_ten_questions(self):
        told = {}
        for question in QUESTIONS:
            for way, found in self.ways(question):
                with self.subTest(question=question, way=way):
                    it = found["verdict"]
                    self.assertIsNotNone(it)
                    choice = it["choices"][0]
                    self.assertEqual(it["admitted"], choice["admitted"])
                    record = json.dumps({"question": question, "solution": found["text"]})
                    alone = rederive("check", "-q", stdin=record).records[0]
                    whole = "unknown" not in choice  # it may be cut off
                    if whole:
                        self.assertEqual([v["verdict"] for v in choice["verdicts"]], [v["verdict"] for v in alone["verdicts"]])
                    wrong = any(v["verdict"] == "contradict" for v in choice["verdicts"])
                    unknown = any(v["verdict"] == "unknown" for v in choice["verdicts"]) or not whole
                    self.assertEqual(it["admitted"], not wrong and not unknown)
                    key = (way, "wrong" if wrong else "cut off" if not whole else "unknown" if unknown else "admitted")
                    told[key] = told.get(key, 0) + 1
        for (way, kind), n in sorted(told.items()):
            print(f"{way}: {n} {kind}")

    def strict_streams(self, question, rounds=0):
        """(way, text that came, whether the client raised) of each stream by the mode `strict`."""
        turns, more = [{"role": "user", "content": question}], {"temperature": 0, "rederive": {"mode": "strict", "repair": rounds}}
        chat = {"model": CHECKED, "messages": turns, "max_tokens": MOST, "extra_body": more, "stream": True}
        response = {"model": CHECKED, "input": question, "max_output_tokens": MOST, "extra_body": more, "stream": True}
        texts = {"chat": lambda: (c.delta.content or "" for chunk in self.openai.chat.completions.create(**chat) for c in chunk.choices),
                 "messages": lambda: (getattr(event.delta, "text", "") for event in self.anthropic.messages.create(**chat)
                                      if event.type == "content_block_delta"),
                 "responses": lambda: (event for event in self.openai.responses.create(**response)
                                       if event.type in ("response.output_text.delta", "error"))}
        for way, pieces in texts.items():
            text, raised = "", False
            try:
                for piece in pieces():
                    if getattr(piece, "type", "") == "error":  # which openai gives and does not raise
                        raise openai.APIError(piece.message, None, body=None)
                    text += getattr(piece, "delta", piece)
            except (openai.APIError, anthropic.APIError) as error:
                raised = True
                self.assertIn("not admitted", str(error))
            yield way, text, raised

    def test_ten_questions_strict(self):
        """What is admitted comes as a whole; else the steps before what is not, and then an error."""
        for question in QUESTIONS:
            whole = dict(self.ways(question))
            for way, text, raised in self.strict_streams(question):
                with self.subTest(question=question, way=way):
                    found = whole[way + ", stream"]
                    self.assertTrue(found["text"].startswith(text))
                    self.assertEqual(raised, not found["verdict"]["admitted"])
                    self.assertEqual(text == found["text"], not raised)
                    print(f"{way}: {len(text)} of {len(found['text'])} bytes{', then an error' if raised else ''}")

    def repaired_streams(self, question):
        """(way, the client's own final text or pieces, what it says of the repair) of each client; an error is None."""
        turns, more = [{"role": "user", "content": question}], {"temperature": 0, "rederive": {"mode": "strict"}}
        chat = {"model": CHECKED, "messages": turns, "max_tokens": MOST, "extra_body": more, "stream": True}
        response = {"model": CHECKED, "input": question, "max_output_tokens": MOST, "extra_body": more, "stream": True}
        for way, ask, read in (("chat", lambda: self.openai.chat.completions.create(**chat), of_chat_chunks),
                               ("responses", lambda: self.openai.responses.create(**response), of_response_events),
                               ("messages", lambda: self.anthropic.messages.create(**chat), of_message_events)):
            seen = []
            try:
                found = read(seen.append(event) or event for event in ask())
            except (openai.APIError, anthropic.APIError, AssertionError):
                found = None
            yield way, found, seen

    def test_ten_questions_repaired(self):
        """No step that came is wrong; where a step was repaired, each client reads one whole reply."""
        n = {"admitted": 0, "repaired": 0, "ended": 0}
        for question in QUESTIONS:
            for way, found, seen in self.repaired_streams(question):
                with self.subTest(question=question, way=way):
                    if found is None:
                        n["ended"] += 1
                        continue
                    self.assertTrue(found["verdict"]["admitted"])
                    repaired = any(r["outcome"] == "repaired" for r in found["verdict"].get("repair", {"rounds": []})["rounds"])
                    n["repaired" if repaired else "admitted"] += 1
                    self.assertIn(found["end"], ("stop", "completed", "end_turn"))
                    record = json.dumps({"question": question, "solution": found["text"]})
                    self.assertNotIn("contradict", [v["verdict"] for v in rederive("check", "-q", stdin=record).records[0]["verdicts"]])
                    if repaired:
                        kinds = [getattr(event, "type", None) or type(event).__name__ for event in seen]
                        print(f"{way}: {question}\n  {found['text']!r}\n  {', '.join(dict.fromkeys(kinds))}\n  {found['verdict']['repair']}")
        print(n)
        self.assertGreater(n["repaired"], 0)


if __name__ == "__main__":
    unittest.main()
