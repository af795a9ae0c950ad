# SPDX-License-Identifier: Apache-2.0
"""Replies of a server that says of none how it ended, and of one that says it of some."""
import unittest

from scripted import Server
from support import Case, chain, lines, rederive

CHAIN = lines(chain(steps=["2 + 3 = 5", "So the answer is 5"]))
SAYS = {"reply": "Correct"}


class Unfinished(Case):
    def check(self, server, *args):
        return rederive("check", "-m", "single-stage", "-M", server.url, *args, stdin=CHAIN)

    def verdicts(self, ended):
        return [v["verdict"] for v in ended.records[0]["verdicts"]]

    def never(self):
        return Server(rules=[SAYS], differences=["no-finish"])

    def stored(self, path):
        ended = rederive("journal", "export", path)
        return {record["response"]["finish_reason"] for record in ended.records}

    def test_a_server_that_never_says_is_told_of_once_and_not_read(self):
        with self.never() as server:
            ended = self.check(server)
        self.assertEqual(self.verdicts(ended), ["unknown"] * 2)
        self.assertEqual(ended.err.count("gives no reply a finish_reason"), 1)
        self.assertIn("--trust-unfinished", ended.err)
        self.assertIn("--trust-unfinished", ended.records[0]["verdicts"][0]["explanation"])

    def test_its_replies_count_with_the_option(self):
        with self.never() as server:
            ended = self.check(server, "--trust-unfinished")
        self.assert_ended(ended, 0)
        self.assertEqual(self.verdicts(ended), ["support"] * 2)
        self.assertEqual(ended.err.count("gives no reply a finish_reason"), 1)

    def test_the_journal_keeps_what_came_and_serves_both(self):
        journal = self.path("j")
        with self.never() as server:
            first = self.check(server, "--journal", journal)
            server.forget()
            trusted = self.check(server, "--trust-unfinished", "--journal", journal)
            again = self.check(server, "--journal", journal)
            asked = server.requests()
        self.assertEqual(self.verdicts(first), ["unknown"] * 2)
        self.assertEqual(self.verdicts(trusted), ["support"] * 2)
        self.assertEqual(self.verdicts(again), ["unknown"] * 2)
        self.assertEqual(asked, [])
        self.assertEqual(self.stored(journal), {"unsaid"})

    def test_a_server_that_says_it_of_others_is_not_trusted(self):
        """The reply that lacks a reason is asked for again; if it lacks one again, it failed."""
        at = {"contains": "So the answer is 5"}
        for times, verdict in ((1, "support"), (100, "unknown")):
            rules = [at | SAYS | {"do": "null-reason", "times": times}, SAYS]
            with self.subTest(times), Server(rules=rules) as server:
                ended = self.check(server, "--trust-unfinished", "-j", "1")
                self.assertEqual(self.verdicts(ended), ["support", verdict])
                self.assertNotIn("gives no reply", ended.err)

    def test_models_shows_it(self):
        for differences, can in ((["no-finish"], "no"), ([], "yes")):
            with Server(rules=[SAYS], differences=differences) as server:
                ended = rederive("models", "-M", server.url, "--json")
            self.assert_ended(ended, 0)
            self.assertEqual(ended.records[0]["capabilities"]["finish_reason"], can)


if __name__ == "__main__":
    unittest.main()
