# SPDX-License-Identifier: Apache-2.0
"""What a run finds out about its server before it asks, and what it says of that."""
import json
import socket
import time
import unittest

from scripted import Server
from support import Case, chain, lines, rederive

CHAIN = lines(chain(steps=["2 + 3 = 5", "So the answer is 5"]))


def listing(*names):
    return {"path": "/v1/models", "status": 200, "body": {"data": [{"id": n} for n in names]}}


class Surveys(Case):
    def check(self, spec, *args):
        return rederive("check", "-m", "global", "-M", spec, *args, stdin=CHAIN)

    def test_a_model_that_is_not_listed_is_said_once(self):
        names = ["a", "b", "c", "d", "e", "f", "g"]
        with Server(rules=[listing(*names), {"reply": "Correct"}]) as server:
            ended = self.check(server.url)
            quiet = self.check(server.url, "-q")
        self.assert_ended(ended, 0)
        self.assertEqual(ended.err.count('lists no model "fake"; it lists a, b, c, d, e and 2 more'), 1)
        self.assertEqual(quiet.err, "")

    def test_a_listed_one_is_not(self):
        with Server(rules=[listing("other", "fake"), {"reply": "Correct"}]) as server:
            self.assertNotIn("lists", self.check(server.url).err)

    def test_a_long_one_shows_where_it_is(self):
        """Without a terminal each ten seconds; `models` is no longer silent either."""
        with Server(rules=[{"delay": 1.5, "reply": "OK"}]) as server:
            told = rederive("models", "-M", server.url, seconds=120).err
        self.assertRegex(told, r"rederive: asking http://127\.0\.0\.1:\d+ what it can do: call \d+ of about a dozen\n")

    def test_an_address_without_a_name_lists_the_names(self):
        """As --model takes them; no model is asked anything."""
        with Server(rules=[listing("a", "b \x1b[31m"), {"reply": "Correct"}]) as server:
            address = server.url.split("#")[0]
            told = rederive("models", "-M", address)
            told_json = rederive("models", "-M", address, "--json")
            asked = [r["path"] for r in server.requests() if r["path"] != "/v1/models"]
        self.assert_ended(told, 0)
        self.assertEqual(told.out.splitlines()[0], address + "#a")
        self.assertEqual(len(told.out.splitlines()), 2)
        self.assertNotIn("\x1b", told.out)
        self.assertEqual(json.loads(told_json.out)["models"], ["a", "b \x1b[31m"])
        self.assertEqual(asked, [])
        with Server(rules=[{"path": "/v1/models", "status": 404}]) as server:
            address = server.url.split("#")[0]
            ended = rederive("models", "-M", address)
        self.assert_ended(ended, 3)
        self.assertIn(f"{address} lists no models; name one: --model {address}#NAME", ended.err)

    def test_a_model_that_no_method_asks_is_said(self):
        ended = rederive("check", "-M", "openai:m", stdin=CHAIN)
        self.assert_ended(ended, 0)
        self.assertIn("check: --model is not asked: no method here asks a model", ended.err)
        self.assertEqual(rederive("check", "-q", "-M", "openai:m", stdin=CHAIN).err, "")

    def test_names_are_made_harmless(self):
        with Server(rules=[listing("\x1b[31mred\x07"), {"reply": "Correct"}]) as server:
            ended = self.check(server.url)
        self.assertIn("it lists", ended.err)
        self.assertNotIn("\x1b", ended.err)

    def test_a_list_that_cannot_be_had_stops_nothing(self):
        for rule in ({"status": 404}, {"status": 500}, {"status": 401}, {"status": 403},
                     {"do": "malformed"}, {"do": "reset"}, {"status": 200, "body": [1, {"data": 2}]}):
            rule = dict(rule, path="/v1/models")
            with self.subTest(rule=rule), Server(rules=[rule, {"reply": "Correct"}]) as server:
                ended = self.check(server.url)
                self.assert_ended(ended, 0)
                self.assertEqual(ended.records[0]["confidence"], 1)

    def test_a_key_that_may_not_list_models_may_ask_them(self):
        for status in (401, 403):
            rule = {"path": "/v1/models", "status": status}
            with Server(rules=[rule, {"reply": "OK"}]) as server:
                ended = rederive("models", "-M", server.url, "--json")
            self.assert_ended(ended, 0)
            self.assertEqual(ended.records[0]["capabilities"]["chat"], "yes")

    def test_models_names_the_likely_cause_in_one_line_when_nothing_answers(self):
        missing = {"status": 404, "body": {"error": {"message": "The model 'x' does not exist"}}}
        with Server(rules=[listing("small", "large"), missing]) as server:
            ended = rederive("models", "-M", server.base + "/v1#x")
        self.assertEqual((ended.status, ended.out), (3, ""))
        self.assertIn('/v1 has no model "x"; it has small, large; it said: HTTP 404', ended.err)
        self.assertEqual(ended.err.count("\n"), 1)
        with Server(rules=[{"status": 404, "body": "<html>nginx</html>"}]) as server:
            ended = rederive("models", "-M", server.base + "#x")
        self.assertEqual((ended.status, ended.out), (3, ""))
        self.assertIn(f"{server.base} does not answer; try --model {server.base}/v1#x; it said: HTTP 404", ended.err)

    def test_nobody_there_ends_the_run_at_once(self):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        for url in (f"http://127.0.0.1:{port}/v1#m", "http://no-such-host.invalid/v1#m"):
            began = time.monotonic()
            ended = self.check(url)
            self.assertLess(time.monotonic() - began, 15)  # calls that are tried again take 31 s
            self.assertEqual(ended.status, 3)
            self.assertRegex(ended.err, r"cannot be reached: .*; is the server started\?")

    def test_an_address_without_a_version(self):
        with Server(rules=[{"status": 404, "body": {"error": {"message": "Not Found"}}}]) as server:
            ended = self.check(server.base + "#fake")
            self.assertLessEqual(len(server.requests()), 1)
        self.assertEqual(ended.status, 3)
        self.assertIn("does it lack /v1?", ended.err)

    def test_what_was_found_is_one_line(self):
        for difference, said in (("gives-back", "gives back the turn that it continues"),
                                 ("restarts", "does not continue the assistant's turn"),
                                 ("no-prefix", "does not continue the assistant's turn")):
            with Server(rules=[{"reply": "consistent."}], differences=[difference]) as server:
                ended = rederive("check", "-m", "consistency", "-M", server.url, stdin=CHAIN)
                surveys = [r for r in server.surveys() if "messages" in r["body"]]
            self.assert_ended(ended, 0)
            self.assertEqual(ended.err.count(said), 1, difference)
            self.assertLessEqual(len(surveys), 3, difference)  # one of them for several replies to one call
            self.assertEqual(ended.records[0]["verdicts"][1]["verdict"], "support")

    def test_a_run_that_the_journal_answers_asks_nobody(self):
        with Server(rules=[{"reply": "Correct"}]) as server:
            self.assert_ended(self.check(server.url, "--journal", self.path("j")), 0)
            url = server.url
        self.assert_ended(self.check(url, "--journal", self.path("j")), 0)


class BaseModels(Case):
    """A server that says that its model has no chat template."""

    def check(self, server, *args, method="global"):
        return rederive("check", "-m", method, "-M", server.url, *args, stdin=CHAIN)

    def test_is_asked_nothing_by_chat(self):
        with Server(server="llama.cpp", chat_template="", rules=[{"reply": "Correct"}]) as server:
            ended = self.check(server)
            asked = [r for r in server.requests() if r["path"].endswith("/chat/completions")]
        self.assertEqual((ended.status, asked), (3, []))
        self.assertIn("the model has no chat template: nothing was asked; use a model that is tuned for chat, or --anyway", ended.err)
        self.assertEqual([r["n_unknown"] for r in ended.records], [1] if ended.records else [])

    def test_is_asked_anyway(self):
        with Server(server="llama.cpp", chat_template="", rules=[{"reply": "Correct"}]) as server:
            ended = self.check(server, "--anyway")
        self.assert_ended(ended, 0)
        self.assertEqual(ended.records[0]["verdicts"][0]["verdict"], "support")

    def test_what_needs_no_chat_is_not_affected(self):
        with Server(server="llama.cpp", chat_template="", rules=[{"reply": "Correct"}]) as server:
            ended = self.check(server, method="perplexity")
        self.assertNotIn("nothing was asked", ended.err)
        self.assertEqual(ended.status, 0)

    def test_one_with_a_template_is_asked(self):
        with Server(server="llama.cpp", rules=[{"reply": "Correct"}]) as server:
            self.assert_ended(self.check(server), 0)


if __name__ == "__main__":
    unittest.main()
