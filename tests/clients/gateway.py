#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""LiteLLM's proxy, with `rederive serve` as its guard: right and wrong replies over chat completions, Responses and Messages,
streamed and not. No text of a rejected step comes, and a guard that cannot be asked lets nothing through.

    tests/clients/gateway.py [TEST]       with the Python that gateway_requirements.txt is installed in; RDV_SOURCE, RDV_PROGRAM

LiteLLM takes half a minute to start.
"""
import http.client
import json
import os
import socket
import subprocess
import sys
import time
import unittest
from itertools import product
from pathlib import Path

ROOT = Path(os.environ["RDV_SOURCE"])
sys.path.insert(0, str(ROOT / "tests/integration"))

from strict import text_of  # noqa: E402
from support import Case  # noqa: E402
from tiny import Serve  # noqa: E402
from verifying import CHAT, MESSAGES, QUESTION, RESPONSES, RIGHT, WRONG, Reply, Upstream, events, parsed, whole  # noqa: E402

LITELLM = Path(sys.executable).with_name("litellm")
MASTER, GUARD = "sk-" + os.urandom(24).hex(), "guard-" + os.urandom(8).hex()
WHOLE = {"streaming_buffer_until_moderated": True, "streaming_end_of_stream_only": True}
STEPS = {"streaming_transform_mode": "incremental_diff", "streaming_sampling_rate": 1}
STARTS, FIRST = 180, "1 + 1 = 2.\n\n"
TEXTS = {"right": FIRST + RIGHT, "wrong at its end": FIRST + WRONG, "wrong within": FIRST + WRONG + "\n\nSo 2 + 2 = 4."}


class Gateway(Case):
    def setUp(self):
        super().setUp()
        self.upstream = self.enterContext(Upstream())
        self.guard = None

    def start(self, rule, params, key=GUARD):
        policy = Path(self.path("policy.json"))
        policy.write_text(json.dumps({"default": rule}), encoding="utf-8")
        self.guard = self.enterContext(Serve(None, "-M", f"big={self.upstream.url}#m", "--policy", str(policy), "--api-key-env", "KEY",
                                             env={"KEY": GUARD}))
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        model = {"model_name": "big", "litellm_params": {"model": "openai/m", "api_base": self.upstream.url, "api_key": "none"}}
        guard = {"guardrail": "generic_guardrail_api", "mode": ["post_call"], "default_on": True, "api_key": key,
                 "api_base": self.guard.url.removesuffix("/v1"), **params}
        config = Path(self.path("config.yaml"))
        config.write_text(json.dumps({"model_list": [model], "guardrails": [{"guardrail_name": "rederive", "litellm_params": guard}]}),
                          encoding="utf-8")
        with open(self.path("log"), "w", encoding="utf-8") as log:
            proxy = subprocess.Popen([LITELLM, "--config", config, "--host", "127.0.0.1", "--port", str(self.port)], stdout=log, stderr=log,
                                     env=os.environ | {"LITELLM_MASTER_KEY": MASTER, "LITELLM_LOCAL_MODEL_COST_MAP": "True"})
        self.addCleanup(proxy.wait)
        self.addCleanup(proxy.terminate)
        end = time.monotonic() + STARTS
        while time.monotonic() < end and proxy.poll() is None:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                time.sleep(0.2)
        self.fail(Path(self.path("log")).read_text(encoding="utf-8")[-2000:])

    def ask(self, path, text, streams):
        """(status, all that came, the text of a stream or of a body)."""
        def reply(request):
            front = "/v1" + request.path.split("/v1", 1)[1]
            spaced = [piece for event in events(front, text) for piece in (event, 0.002)]
            return Reply.stream(spaced) if request.body.get("stream") else Reply.json(whole(front, text))
        self.upstream.answer(reply)
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request("POST", path, json.dumps({"model": "big", **QUESTION[path]} | ({"stream": True} if streams else {})),
                           {"Content-Type": "application/json", "Authorization": "Bearer " + MASTER})
        response = connection.getresponse()
        raw = response.read()
        connection.close()
        got = "" if not streams or raw[:1] == b"{" else text_of(path, [e for e in parsed(raw) if e != "[DONE]"])
        return response.status, raw.decode(), got

    def test_whole_replies(self):
        """The gateway holds a stream until it was judged."""
        self.start({"mode": "whole"}, WHOLE)
        for path, streams, (kind, text) in product((CHAT, RESPONSES, MESSAGES), (False, True), TEXTS.items()):
            with self.subTest(path=path, streams=streams, kind=kind):
                status, raw, got = self.ask(path, text, streams)
                if kind == "right":
                    self.assertEqual(status, 200, raw)
                    self.assertTrue(got == text if streams else "4 = 7" in raw, raw)
                else:
                    self.assertEqual(got, "")
                    self.assertNotIn("3 + 4", raw)
                    self.assertIn("not admitted", raw)

    def test_steps(self):
        """Of a stream of chat completions the gateway sends the steps before the one that is rejected."""
        self.start({"mode": "strict"}, STEPS)
        for streams, (kind, text) in product((False, True), TEXTS.items()):
            with self.subTest(streams=streams, kind=kind):
                status, raw, got = self.ask(CHAT, text, streams)
                if kind == "right":
                    self.assertEqual(status, 200, raw)
                    self.assertTrue(got == text if streams else "4 = 7" in raw, raw)
                else:
                    self.assertNotIn("3 + 4", raw)
                    self.assertIn(got, ("", FIRST))
                    self.assertEqual("not admitted" in raw, kind == "wrong within", raw)

    def test_a_guard_that_does_not_answer(self):
        """With another key, and when it has gone: nothing passes."""
        self.start({"mode": "whole"}, WHOLE, key="guard-other")
        for gone, path, streams in product((False, True), (CHAT, RESPONSES, MESSAGES), (False, True)):
            if gone and self.guard.process.poll() is None:
                self.guard.stop()
            with self.subTest(gone=gone, path=path, streams=streams):
                _, raw, got = self.ask(path, TEXTS["right"], streams)
                self.assertEqual(got, "")
                self.assertNotIn("4 = 7", raw)


if __name__ == "__main__":
    unittest.main()
