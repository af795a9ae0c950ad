#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How servers and models differ: asked in another way, and said so in the reply's `adapted`."""
from driver_support import Server, TestCase, ask, main


class Differences(TestCase):
    def check(self, difference, adapted, wasted=1, reply=r"reply to \w+", **settings):
        """One call at a time: what was found out is not asked again."""
        with Server(differences=difference.split()) as server:
            outcome = ask(3, 1, url=server.url, jobs=1, **settings)
            bodies = [request["body"] for request in server.requests()]
        self.assertEqual(outcome.totals["failed"], 0)
        for work in outcome.works:
            self.assertRegex(work[0], "^" + reply + (r" \{" + adapted + r"\}$" if adapted else "$"))
        self.assertEqual(len(bodies), 3 + wasted)
        return bodies[-1]

    def test_plain(self):
        body = self.check("", "", wasted=0, temperature=0.5, system=1, twice=1, stop=1,
                          max_tokens=100)
        self.assertEqual([m["role"] for m in body["messages"]], ["system", "user", "user"])
        self.assertEqual(body["temperature"], 0.5)
        self.assertEqual(body["max_tokens"], 100)
        self.assertEqual(body["stop"], ["STOP"])
        self.assertNotIn("n", body)

    def test_no_temperature(self):
        body = self.check("no-temperature", "temperature left out", temperature=0.5)
        self.assertNotIn("temperature", body)

    def test_no_stop(self):
        body = self.check("no-stop", "stop left out and applied to the reply", stop=1)
        self.assertNotIn("stop", body)

    def test_no_stop_is_applied_by_us(self):
        with Server(differences=["no-stop"], rules=[{"reply": "before STOP after"}]) as server:
            outcome = ask(1, 1, url=server.url, stop=1)
        self.assertRegex(outcome.works[0][0], r"^before  \{stop left out")

    def test_ignored_stop_is_applied_by_us(self):
        with Server(differences=["ignore-stop"], rules=[{"reply": "before STOP after"}]) as server:
            outcome = ask(1, 1, url=server.url, stop=1)
        self.assertRegex(outcome.works[0][0], r"^before  \{cut at a stop text that the server")

    def test_max_completion_tokens(self):
        body = self.check("max-completion-tokens", "max_completion_tokens for max_tokens",
                          max_tokens=50)
        self.assertEqual(body["max_completion_tokens"], 50)
        self.assertNotIn("max_tokens", body)

    def test_no_system_turn(self):
        body = self.check("no-system", "system turn put into the user's", system=1)
        self.assertEqual(len(body["messages"]), 1)
        self.assertRegex(body["messages"][0]["content"], r"^Be brief\.\n\nwork 2 ask 0$")

    def test_strict_alternation(self):
        body = self.check("alternate", "turns of one role joined", twice=1)
        self.assertEqual([m["content"] for m in body["messages"]], ["Hello.\n\nwork 2 ask 0"])

    def test_several_at_once(self):
        """A reasoning model behind a strict template: each refusal teaches one thing."""
        adapted = ("system turn put into the user's; turns of one role joined; "
                   "max_completion_tokens for max_tokens; temperature left out; "
                   "stop left out and applied to the reply; thinking taken out")
        self.check("no-system alternate max-completion-tokens no-temperature no-stop think",
                   adapted, wasted=5, system=1, twice=1, temperature=0.5, stop=1, max_tokens=9)

    def test_thinking(self):
        self.check("think", "thinking taken out", wasted=0)

    def test_logprobs(self):
        self.check("", "", wasted=0, logprobs=1,
                   reply=r"reply to \w+ \[3 tokens: reply -0.5  to -0.5  \w+ -0.5\]")

    def test_logprobs_refused(self):
        self.check("no-logprobs", "logprobs left out", logprobs=1)

    def test_logprobs_ignored(self):
        self.check("ignore-logprobs", "no log-probabilities came", wasted=0, logprobs=1)

    def test_logprobs_after_thinking_belong_to_the_reply(self):
        self.check("think", "thinking taken out", wasted=0, logprobs=1,
                   reply=r"reply to \w+ \[2 tokens:  to -0.5  \w+ -0.5\]")

    def test_no_usage_is_estimated(self):
        with Server(differences=["no-usage"]) as server:
            self.assertGreater(ask(3, 1, url=server.url).totals["tokens"], 10)


class Continuing(TestCase):
    def ask(self, kind, *differences, works=2):
        with Server(differences=list(differences)) as server:
            outcome = ask(works, 1, url=server.url, kind=kind, jobs=1, max_tokens=5)
            requests = server.requests()
        return outcome.works[-1][0], requests

    def test_text(self):
        reply, requests = self.ask("continue")
        self.assertRegex(reply, r"^reply to \w+$")
        self.assertEqual(requests[0]["path"], "/v1/completions")
        self.assertEqual(requests[0]["body"]["prompt"], "work 0 ask 0")

    def test_text_without_completions(self):
        reply, requests = self.ask("continue", "no-completions")
        self.assertRegex(reply, r"\{asked in a user's turn to continue\}$")
        self.assertEqual([r["path"] for r in requests],
                         ["/v1/completions", "/v1/chat/completions", "/v1/chat/completions"])
        self.assertTrue(requests[-1]["body"]["messages"][-1]["content"].endswith("work 1 ask 0"))

    def test_prefix(self):
        reply, requests = self.ask("prefix")
        self.assertRegex(reply, r"^reply to \w+$")
        body = requests[0]["body"]
        self.assertEqual(body["messages"][-1], {"role": "assistant", "content": "work 0 ask 0"})
        self.assertIs(body["continue_final_message"], True)
        self.assertIs(body["add_generation_prompt"], False)

    def test_prefix_given_back(self):
        """llama.cpp's way: what comes is the turn and what continues it."""
        reply, requests = self.ask("prefix", "gives-back")
        self.assertRegex(reply, r"^reply to \w+$")
        self.assertEqual(requests[0]["body"]["messages"][-1]["role"], "assistant")

    def test_prefix_answered_from_the_start(self):
        reply, requests = self.ask("prefix", "restarts")
        self.assertRegex(reply, r"\{asked in a user's turn to continue\}$")
        self.assertEqual([m["role"] for m in requests[0]["body"]["messages"]], ["user"])

    def test_prefix_refused(self):
        reply, requests = self.ask("prefix", "no-prefix")
        self.assertRegex(reply, r"\{asked in a user's turn to continue\}$")
        self.assertEqual(len(requests), 2)  # that it is refused was found out before
        self.assertEqual([m["role"] for m in requests[-1]["body"]["messages"]], ["user"])


class Scoring(TestCase):
    WORDS = r"work nan  0 {0}  ask {0}  0 {0}"

    def ask(self, *differences):
        with Server(differences=list(differences)) as server:
            outcome = ask(1, 1, url=server.url, kind="score")
            return outcome, [request["body"] for request in server.requests()]

    def check(self, logprob, calls, *differences):
        outcome, bodies = self.ask(*differences)
        words = self.WORDS.format(logprob)
        self.assertRegex(outcome.works[0][0], rf"^work 0 ask 0 \[4 tokens: {words}\]$")
        self.assertEqual(len(bodies), calls)

    def test_echo(self):
        self.check("-0.25", 1)

    def test_echo_that_must_write_a_token(self):
        self.check("-0.25", 1, "no-zero-tokens")

    def test_prompt_logprobs(self):
        self.check("-0.125", 1, "no-echo")

    def test_refused(self):
        outcome, _ = self.ask("no-echo", "no-prompt-logprobs")
        self.assertRegex(outcome.works[0][0], "^failed: unavailable: ")
        self.assertEqual(outcome.totals["retries"], 0)

    def test_ignored(self):
        outcome, bodies = self.ask("ignore-logprobs")
        self.assertRegex(outcome.works[0][0], "^failed: unavailable: ")
        self.assertEqual(len(bodies), 0)  # that it gives none was found out before

    def test_no_completions(self):
        outcome, _ = self.ask("no-completions")
        self.assertRegex(outcome.works[0][0], "^failed: unavailable: ")


class Probing(TestCase):
    def probe(self, *differences, **settings):
        with Server(gives_n="ignore-n" not in differences, differences=list(differences), models=["fake", "other"]) as server:
            outcome = ask(1, 1, url=server.url, mode="probe", **settings)
            self.calls = len(server.lines())
        return dict(line.split(" ", 1) for line in outcome.text.splitlines()), outcome

    def test_a_server_that_can_do_all(self):
        found, outcome = self.probe()
        self.assertIn("model fake\nmodel other\n", outcome.text)
        self.assertEqual({name for name, can in found.items() if can != "yes"},
                         {"model", "token_grammar", "prefill_echo", "top_k", "response_format",
                          "choice", "stream"})
        self.assertLessEqual(self.calls, 18)

    def test_a_server_that_can_do_little(self):
        found, _ = self.probe("no-system", "alternate", "max-completion-tokens", "no-temperature",
                              "no-top-p", "no-stop", "no-logprobs", "no-prefix", "ignore-n",
                              "no-completions")
        self.assertEqual({name for name, can in found.items() if can == "yes"}, {"chat", "finish_reason"})
        self.assertEqual(found["zero_max_tokens"], "unknown")
        self.assertLessEqual(self.calls, 24)

    def test_what_is_ignored_is_not_had(self):
        found, _ = self.probe("ignore-logprobs", "ignore-n")
        for name in "logprobs", "n", "echo", "prompt_logprobs":
            self.assertEqual(found[name], "no", name)

    def test_an_unknown_model(self):
        with Server(models=["other"]) as server:
            text = ask(1, 1, url=server.url, mode="probe").text
        self.assertIn("model other\n", text)
        self.assertIn("chat no\n", text)
        self.assertIn("why HTTP 404: The model `fake` does not exist", text)

    def test_a_wrong_key(self):
        with Server(key="sk-right-0123456789") as server:
            outcome = ask(1, 1, url=server.url, mode="probe", key="sk-wrong-0123456789")
        self.assertRegex(outcome.fault, "refuses the API key: HTTP 401")
        self.assertNotIn("sk-wrong", outcome.text)

    def test_nobody_listens(self):
        outcome = ask(1, 1, url="http://127.0.0.1:1/v1#fake", mode="probe", retries=1)
        self.assertRegex(outcome.fault, "^http://127.0.0.1:1: ")


if __name__ == "__main__":
    main()
