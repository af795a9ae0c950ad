# SPDX-License-Identifier: Apache-2.0
"""Every method that asks a model, with a real one."""
import os

from asked import CHAINS, SECONDS, Asked, ask_methods
from evidence import Claims, read_lines, replies_kept
from support import rederive

# A server that speaks chat has no such routes: the methods that need them judge nothing.
WITHOUT_ROUTE = ("prm:pooling-pairs", "prm:embeddings-token-values")


class Methods(Asked, Claims):
    def check(self, method):
        # What combines others asks as much of one chain as they of two.
        chains = CHAINS.splitlines()[:1] if method == "general" else CHAINS.splitlines()
        source, out = self.write("chains.jsonl", "\n".join(chains)), self.path("out.jsonl")
        rubric = ("--rubric", os.path.join(os.environ["RDV_SOURCE"], "examples/rubric.txt")) if method == "rubric" else ()
        command = ("check", "-m", method, *rubric, "--samples", "1", "--prompt-dir", self.prompts, source)
        ended = rederive(*command, "-j", "1", "-M", self.wire.url, "-o", out, seconds=SECONDS)
        return ended, command, out

    def hold(self, method):
        ended, command, out = self.check(method)
        self.assert_ended(ended, 0)
        rows = replies_kept(out + ".journal")
        self.assertTrue(rows, "nothing was answered")
        for record in read_lines(out):
            self.assertNotIn("error", record)
            self.assertEqual(record["checker"], "smollm2")
            self.assert_claims(record, rows)
        self.assert_replies_are_written(rows, self.exchanges())
        self.assert_plays_again(command, out, out + ".journal", "smollm2")

    def hold_unavailable(self, method):
        ended, _, out = self.check(method)
        self.assertIn(ended.status, (1, 3), ended.err)
        self.assertNotIn("Sanitizer", ended.err)
        self.assertLessEqual(len(self.wire.exchanges), 24, "asked again and again")
        partial = out + ".partial" if ended.status == 3 else out
        for record in read_lines(partial) if os.path.exists(partial) else []:
            self.assert_claims(record, [])

    def hold_scores(self, method):
        """llama.cpp gives the log-probabilities of a text that it is told to write."""
        self.hold(method)
        for record in read_lines(self.path("out.jsonl")):
            self.assertIsNotNone(record["confidence"], record)
            for verdict in record["verdicts"]:
                self.assertGreater(verdict["evidence"]["perplexity"], 1, record)


def add_tests():
    for method in ask_methods():
        def test(self, method=method):
            hold = (self.hold_unavailable if method in WITHOUT_ROUTE else
                    self.hold_scores if method == "perplexity" else self.hold)
            hold(method)
        name = "test_" + method.replace(":", "_").replace("-", "_")
        test.__name__ = name
        setattr(Methods, name, test)


add_tests()
