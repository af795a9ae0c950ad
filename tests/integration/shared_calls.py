# SPDX-License-Identifier: Apache-2.0
"""Samples of equal prompts in one call, at a server that takes `n`: what is asked, kept and told."""
import json
import re
import unittest

import golden_methods as golden
from scripted import Server
from support import Case, chain, lines, rederive

CHAINS = lines(*[chain(id=f"c{i}", steps=["2 + 3 = 5", f"{i} + 1 = {i + 1}"]) for i in range(4)])
RULES = golden.RULES + [{"regex": end, "pool": [{"reply": reply} for reply in replies]} for end, replies in golden.FORMS]
METHOD = ("check", "-m", "relevance,consistency", "--samples", "5", "--no-structured", "--json")
SURVEY = 2  # calls: n, and whether an open turn is continued


def summary(ended):
    return json.loads(ended.err.splitlines()[-1])


def without_tokens(text):
    return re.sub(r'_tokens":\d+', '_tokens":0', text)


class SharedCalls(Case):
    def check(self, server, *more):
        ended = rederive(*METHOD, "-M", server.url, "--journal", self.path("journal"), *more, stdin=CHAINS)
        return ended, summary(ended)

    def test_prompts_are_paid_once(self):
        with Server(rules=RULES, gives_n=True) as server:
            ended, told = self.check(server)
            self.assert_ended(ended, 0)
            asked = [call["body"].get("n", 1) for call in server.requests()]
        said = json.loads(rederive(*METHOD, "--dry-run", "-M", "http://localhost:1/v1#m", stdin=CHAINS).out)
        self.assertEqual(told["n_calls"], said["shared"]["n_calls"] + SURVEY)
        self.assertEqual(sum(asked), said["n_calls"])
        self.assertEqual(5 * said["shared"]["prompt_tokens"], said["prompt_tokens"])
        self.assertIn("shared: where the server gives several replies to one call (n)",
                      rederive(*METHOD[:-1], "--dry-run", "-M", "http://localhost:1/v1#m", stdin=CHAINS).err)

    def test_records_and_journal_are_those_of_single_calls(self):
        with Server(rules=RULES, gives_n=True) as server:
            shared, _ = self.check(server)
            n = len(server.asked())
            again, told = self.check(server, "--separate-samples")
            self.assertEqual((told["n_calls"], len(server.asked())), (0, n))
            self.assertEqual(again.out, shared.out)
            alone = rederive(*METHOD, "-M", server.url, "--separate-samples", stdin=CHAINS)
        self.assertEqual(without_tokens(alone.out), without_tokens(shared.out))

    def test_interrupted_and_resumed(self):
        with Server(rules=RULES, gives_n=True) as server:
            whole, told = self.check(server, "--journal", self.path("whole"))
            calls = told["n_calls"]
            for most in range(2, calls):
                with self.subTest(calls=most):
                    self.check(server, "--journal", self.path(f"part{most}"), "--max-calls", str(most))
                    resumed, told = self.check(server, "--journal", self.path(f"part{most}"))
                    self.assertEqual(resumed.out, whole.out)
                    self.assertLessEqual(told["n_calls"], calls - most + SURVEY)

    def test_a_server_that_passes_over_it_is_asked_one_by_one(self):
        with Server(rules=RULES) as server:
            ended, told = self.check(server)
            self.assert_ended(ended, 0)
            self.assertEqual([call["body"].get("n", 1) for call in server.requests()].count(1), told["n_calls"] - SURVEY)


if __name__ == "__main__":
    unittest.main()
