# SPDX-License-Identifier: Apache-2.0
"""Two real servers of one model, of which one is killed in the middle."""
import json
import threading

from asked import SECONDS, Asked
from faults import SUMS
from served import Model, Recorder
from support import rederive


class Afresh(Recorder):
    """A server that reads each prompt from its beginning: llama.cpp rounds otherwise after one that it has in its cache,
    and the same server writes another reply to the same request."""

    def ask_the_model(self, handler, data):
        if data:
            data = json.dumps({**json.loads(data), "cache_prompt": False}).encode()
        return super().ask_the_model(handler, data)


class Two(Asked):
    """Replies are greedy and each server has one call at a time, so that both write the same."""

    AFTER = 2  # calls to the second server before it is killed

    def setUp(self):
        super().setUp()
        self.second = Model(self.path("second.log"))
        self.addCleanup(self.second.kill)
        self.second.start()
        self.second.wait()
        self.one, self.other = Afresh(self.model), Afresh(self.second)

    def check(self, spec, out):
        source = self.write("chains.jsonl", SUMS)
        return rederive("check", "-m", "single-stage", "--prompt-dir", self.prompts, "--temperature", "0", "--json", "-j", "1",
                        "-M", spec, source, "-o", self.path(out), seconds=SECONDS)

    def test_one_is_killed_in_the_middle(self):
        killed = threading.Event()

        def before(number):
            if number >= self.AFTER and not killed.is_set():
                killed.set()
                self.second.kill()

        alone = self.check(self.one.url, "alone.jsonl")
        self.assert_ended(alone, 0)
        self.other.before = before
        both = self.check(f"{self.one.url},{self.other.url}", "both.jsonl")
        self.assertTrue(killed.is_set())
        self.assert_ended(both, 0)
        self.assertEqual(self.read("both.jsonl"), self.read("alone.jsonl"))
        summary = json.loads(both.err.splitlines()[-1])
        first, second = summary["servers"]
        self.assertGreater(first["n_answered"], 0)
        self.assertEqual(second["n_answered"], self.AFTER)
        self.assertGreater(second["n_failed_calls"], 0)
        self.assertEqual((first["state"], second["state"]), ("working", "set aside"))
