# SPDX-License-Identifier: Apache-2.0
"""Endpoints that answer nothing: the cause is told, few calls are made, and no answer is called wrong."""
import json
import time
import unittest

from scripted import SOLVE, Server
from support import Case, chain, lines, rederive

QUESTIONS = lines(*({"question_id": f"q{i}", "question": f"What is {i} + 3?", "gold": str(i + 3)} for i in range(20)))
BUSY = {"status": 503, "body": {"error": {"message": "overloaded"}}}
PAGE = {"status": 200, "body": "<html><body>Welcome</body></html>"}


class Dead(Case):
    def dead(self, cause, rules, *args, stdin=QUESTIONS):
        with Server(rules=rules) as server:
            ended = rederive(*args, "--json", "-M", server.url, "--retries", "2", stdin=stdin)
            asked = len(server.asked())
        self.assertEqual(ended.status, 3, ended.err)
        self.assertIn(cause, ended.err)
        self.assertIn("answers no call", ended.err)
        self.assertLess(asked, 80, "calls for a server that answers none")
        return ended

    def test_solve(self):
        for cause, rule in (("HTTP 503: overloaded", BUSY), ("a web page, not JSON", PAGE)):
            for way in ("steps", "thoughts"):
                with self.subTest(cause=cause, way=way):
                    ended = self.dead(cause, [rule], "solve", "-g", way)
                    self.assertTrue(ended.records)
                    for record in ended.records:
                        self.assertIsNone(record["correct"])
                        # the end of the run is no answer to be counted
                        wanted = (None, None) if record.get("partial") and not record["n_chains_used"] else ("failed", 0)
                        self.assertEqual((record.get("no_answer"), record["expected_correct"]), wanted)
                        self.assertEqual(record["n_unparsed"], 0)
                    told = json.loads(ended.err.splitlines()[-1])
                    self.assertEqual([told["n_correct"], told["accuracy_answered"]], [0, None])
                    if rule is BUSY:  # a web page ends the run before any call has failed for good
                        self.assertGreater(told["n_unanswered"], 0)

    def test_beam_search(self):
        with Server(rules=[BUSY]) as server:
            ended = rederive("solve", "-q", "--beam-search", "-m", "calculations", "-M", server.url, "--retries", "0",
                             stdin=QUESTIONS.splitlines()[0])
        self.assertIsNone(ended.records[0]["correct"])

    def test_check_and_repair(self):
        chains = lines(*(chain(id=str(i), steps=["2 + 3 = 6", "So it is 6."], label=0) for i in range(40)))
        ended = self.dead("HTTP 503: overloaded", [BUSY], "check", "-m", "global", stdin=chains)
        for record in ended.records:
            self.assertEqual([v["verdict"] for v in record["verdicts"]], ["unknown"])
            self.assertIsNone(record["confidence"])
        ended = self.dead("HTTP 503: overloaded", [BUSY], "repair", "-l", "gold", stdin=chains)
        for record in ended.records:
            self.assertEqual(record["steps"], ["2 + 3 = 6", "So it is 6."])
            self.assertFalse(any(r["accepted"] for r in record["repairs"]))

    def test_some_calls_fail(self):
        """A question of which nothing was answered is neither right nor wrong, and lowers the accuracy over all."""
        fails = {"contains": "What is 7", "status": 500, "body": {"error": {"message": "broken"}}}
        with Server(rules=[fails] + SOLVE) as server:
            ended = rederive("solve", "--json", "-n", "2", "-M", server.url, "--retries", "0",
                             stdin=lines({"question": "What is 2 + 3?", "gold": "5"}, {"question": "What is 7 + 3?", "gold": "10"}))
        self.assertEqual(ended.status, 1)
        self.assertEqual([r["correct"] for r in ended.records], [True, None])
        self.assertEqual([r.get("n_unanswered") for r in ended.records], [None, 2])
        self.assertIn("a call failed: HTTP 500: broken", ended.err)
        accuracy = json.loads(rederive("eval", "--json", stdin=ended.out).out)["figures"]["vote.accuracy"]
        self.assertEqual([accuracy["value"], accuracy["n"]], [0.5, 2])

    def test_refused_requests(self):
        """A server that takes no such requests at all is asked once; one that refuses each prompt, to the end."""
        page = "<!DOCTYPE HTML>\n<html lang=\"en\"><title>Error response</title></html>"
        chains = lines(*(chain(id=str(i)) for i in range(30)))
        for status in (405, 501):
            with self.subTest(status=status), Server(rules=[{"status": status, "body": page}]) as server:
                for args in (["--json"], ["-q", "--list", "--fail-on-wrong"]):
                    server.forget()
                    ended = rederive("check", "-m", "global", "-M", server.url, *args, stdin=chains)
                    self.assertEqual(ended.status, 3, ended.err)
                    self.assertEqual(ended.err.count(f"HTTP {status}: a web page\n"), 1)
                    self.assertNotIn("<", ended.out + ended.err)
                    self.assertLess(len(server.asked()), 10)
        with Server(rules=[{"status": 400, "body": page}]) as server:
            ended = rederive("check", "-m", "global", "-M", server.url, "--json", stdin=chains)
            self.assertEqual(len(server.asked()), 30)
        self.assertEqual(ended.status, 1, ended.err)
        self.assertEqual(ended.err.count("a call failed: HTTP 400: a web page"), 1)
        self.assertEqual(json.loads(ended.err.splitlines()[-1])["n_unknown"], 30)

    def test_unknown_steps_are_counted_where_calls_fail(self):
        with Server(rules=[{"contains": "What is 7", "status": 400, "body": {"error": {"message": "no"}}}, {"reply": "correct"}]) as server:
            ended = rederive("check", "-q", "-m", "global", "-M", server.url, "--list", "--fail-on-wrong",
                             stdin=lines(chain(question="What is 7 + 3?"), chain(question="What is 2 + 3?")))
        self.assertEqual(ended.status, 1, ended.err)
        self.assertRegex(ended.err, r"check: \d unknown steps?; --fail-on-unknown fails on")

    def test_web_pages_are_not_asked_again(self):
        with Server(rules=[PAGE]) as server:
            ended = rederive("check", "-m", "global", "-M", server.url, "--json", stdin=lines(chain()))
            self.assertEqual(len(server.asked()), 1)
            models = rederive("models", "-M", server.url)
        self.assertEqual(ended.status, 3, ended.err)
        self.assertEqual(ended.err.count("answers no call: the reply is a web page, not JSON"), 1)
        self.assertEqual(models.status, 3, models.err)
        self.assertIn("it said: the reply is a web page, not JSON", models.err)

    def test_unreachable_hosts_fail_fast(self):
        chains = lines(*(chain(id=str(i)) for i in range(60)))
        for url in ("http://127.0.0.1:1/v1", "http://no-such-host.invalid/v1"):
            for command in (["solve"], ["check", "-m", "selfcheck"], ["check", "-m", "global"], ["repair", "-l", "gold"]):
                with self.subTest(url=url, command=command):
                    begun = time.monotonic()
                    ended = rederive(*command, "-M", url + "#m", "--json", stdin=QUESTIONS if command == ["solve"] else chains)
                    if command[0] != "repair":
                        self.assertEqual(ended.status, 3, ended.err)
                        self.assertEqual(ended.err.count("cannot be reached"), 1)
                    self.assertLess(time.monotonic() - begun, 10)
                    self.assertLess(json.loads(ended.err.splitlines()[-1])["n_calls"], 10)

    def test_a_server_that_comes_back_is_used(self):
        with Server(rules=[dict(BUSY, times=12)] + SOLVE) as server:
            ended = rederive("solve", "-q", "-M", server.url, "--retries", "20", stdin=QUESTIONS.splitlines()[0])
        self.assert_ended(ended, 0)
        self.assertIsNotNone(ended.records[0]["answer"])


if __name__ == "__main__":
    unittest.main()
