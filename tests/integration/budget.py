# SPDX-License-Identifier: Apache-2.0
"""What a run may spend, and what is told beforehand."""
import json
import os
import unittest

from scripted import SELFCHECK, SOLVE, Server
from support import Case, chain, lines, rederive

CHAINS = lines(*[chain(id=f"c{i}", steps=["2 + 3 = 5", f"{i} + 1 = {i + 1}"]) for i in range(12)])
CALLS = 12 * 9  # one for the variables and four for each of two steps
JOBS = 4
SLOW = 0.02  # seconds a reply takes


def summary(ended):
    return json.loads(ended.err.splitlines()[-1])


class Budgets(Case):
    def check(self, server, *args):
        return rederive("check", "-m", "selfcheck", "--no-structured", "--separate-samples", "-M", server.url, "-j", str(JOBS), "--json",
                        "-o", self.path("out.jsonl"), *args, stdin=CHAINS)

    def records(self):
        return [json.loads(line) for line in self.read("out.jsonl").splitlines()]

    def assert_ended_early(self, ended, budget):
        self.assert_ended(ended, 1)
        self.assertIn(f"the budget of {budget} is used up", ended.err)
        self.assertRegex(ended.err, r"run the same command again to resume: \d+ replies are in "
                                    r"\S+out\.jsonl\.journal")
        records = self.records()
        self.assertEqual([r["id"] for r in records], [f"c{i}" for i in range(12)])
        self.assertTrue(any(r.get("partial") for r in records))
        for record in records:
            undecided = [v for v in record["verdicts"] if v["verdict"] == "unknown"]
            self.assertEqual(bool(record.get("partial")), bool(undecided), record)
            self.assertEqual(record["n_unknown"], len(undecided))

    def assert_goes_on(self, server, spent):
        """The same command without the budget asks only what is left, and ends with the same output
        as one that was never ended."""
        ended = self.check(server)
        self.assert_ended(ended, 0)
        self.assertEqual(summary(ended)["n_calls"], CALLS - spent)
        self.assertEqual(summary(ended)["n_cached"], spent)
        with Server(rules=SELFCHECK) as another:
            whole = rederive("check", "-m", "selfcheck", "-M", another.url, stdin=CHAINS)
        self.assertEqual(self.read("out.jsonl"), whole.out)

    def test_calls(self):
        with Server(rules=SELFCHECK, delay=SLOW) as server:
            ended = self.check(server, "--max-calls", "20")
            self.assert_ended_early(ended, "calls")
            self.assertLessEqual(len(server.asked()), 20)
            self.assert_goes_on(server, summary(ended)["n_calls"])
            self.assertEqual(len(server.asked()), CALLS)

    def test_tokens(self):
        with Server(rules=SELFCHECK, delay=SLOW) as server:
            ended = self.check(server, "--max-tokens", "3000")
            self.assert_ended_early(ended, "tokens")
            told = summary(ended)
            spent = told["prompt_tokens"] + told["completion_tokens"]
            self.assertLessEqual(spent, 3000)
            self.assertGreater(spent, 3000 - 1300)  # no call of these may use more
            self.assert_goes_on(server, told["n_calls"])

    def test_cost(self):
        with Server(rules=SELFCHECK, delay=SLOW) as server:
            ended = self.check(server, "--max-cost", "0.03", "--price-in", "10", "--price-out",
                               "20")
            self.assert_ended_early(ended, "cost")
            told = summary(ended)
            self.assertAlmostEqual(told["cost_usd"], (told["prompt_tokens"] * 10 +
                                                  told["completion_tokens"] * 20) / 1e6, places=5)
            self.assertLessEqual(told["cost_usd"], 0.03)
            self.assert_goes_on(server, told["n_calls"])

    def test_seconds(self):
        with Server(rules=SELFCHECK, delay=0.1) as server:
            ended = self.check(server, "--max-seconds", "0.5")
            self.assert_ended_early(ended, "seconds")
            self.assertLess(summary(ended)["seconds"], 30)
            self.assertLessEqual(len(server.asked()), (0.5 / 0.1 + 2) * JOBS)

    def test_seconds_end_a_run_that_waits_for_its_rate(self):
        with Server(rules=SELFCHECK) as server:
            ended = self.check(server, "--max-seconds", "0.5", "--rpm", "1")
            self.assert_ended_early(ended, "seconds")
            self.assertLess(summary(ended)["seconds"], 50)
            self.assertEqual(len(server.asked()), 1)

    def test_a_used_up_budget_ends_nothing_that_is_done(self):
        with Server(rules=SELFCHECK) as server:
            ended = self.check(server, "--max-calls", str(CALLS))
            self.assert_ended(ended, 0)
            self.assertEqual(len(server.asked()), CALLS)

    def test_solve_ends_too(self):
        questions = lines(*[{"question_id": f"q{i}", "question": f"What is {i}?"} for i in range(9)])
        with Server(rules=SOLVE, delay=SLOW) as server:
            args = ("solve", "-M", server.url, "-j", "2", "-o", self.path("out.jsonl"))
            ended = rederive(*args, "--max-calls", "20", stdin=questions)
            self.assert_ended(ended, 1)
            records = self.records()
            self.assertEqual(len(records), 9)
            self.assertTrue(records[-1]["partial"])
            self.assertNotIn("partial", records[0])
            self.assertEqual([records[-1]["n_chains_used"], records[-1]["answer"]], [0, None])
            self.assert_ended(rederive(*args, stdin=questions), 0)
            self.assertEqual(len(server.asked()), 9 * 6)
            self.assertFalse([r for r in self.records() if "partial" in r])

    def test_without_a_journal_it_is_said_that_nothing_was_kept(self):
        with Server(rules=SELFCHECK) as server:
            ended = rederive("check", "-m", "selfcheck", "-M", server.url, "--max-calls", "5",
                             stdin=CHAINS)
        self.assert_ended(ended, 1)
        self.assertIn("no reply was kept", ended.err)


USAGE = {"usage": {"prompt_tokens": 900, "completion_tokens": 100}}
# Failed replies: what the server does, by name, or with which status and body. Each is whole JSON, so
# that what it says of its usage can be read.
FAILED = [{"do": name} for name in (
    "no-choices", "null-content", "empty-content", "other-choice", "error-beside",
    "error-in-choice", "refusal", "thinking", "usage-only", "no-reason", "null-reason", "length",
    "max_tokens", "content_filter", "error", "tool_calls")]
FAILED += [{"status": status, "body": {"error": {"message": "busy"}} | USAGE}
           for status in (202, 206, 400, 404, 408, 429, 500, 503)]
FAILED += [{"status": 200, "body": {"error": "busy"} | USAGE},
           {"status": 200, "body": {"choices": []} | USAGE},
           {"status": 200, "body": {"choices": [{"index": 0, "message": {}}]} | USAGE}]
# And without usage, or without any that could be read.
SILENT = [{"do": name} for name in ("html", "truncated", "malformed", "empty-body", "reset",
                                    "error-in-200", "deep")]


class Charged(Case):
    """What a server says that it used counts, whether or not it could be read."""

    def check(self, server, *args, chains=1):
        return rederive("check", "-m", "global,relevance", "--no-structured", "--samples", "1", "-M", server.url,
                        "-j", "1", "--json", "--retries", "1", *args,
                        stdin=lines(*[chain(id=f"c{i}") for i in range(chains)]))

    def assert_charged(self, server, ended):
        told = summary(ended)
        self.assertEqual(told["prompt_tokens"] + told["completion_tokens"], server.tokens_said())

    def test_to_the_token_under_every_kind_of_failure(self):
        for rule in FAILED + SILENT:
            with self.subTest(rule=rule), Server(rules=[rule]) as server:
                ended = self.check(server)
                self.assertNotIn("Sanitizer", ended.err)
                self.assert_charged(server, ended)
                self.assertEqual(server.tokens_said() > 0, rule in FAILED)

    def test_failures_between_replies(self):
        rules = [dict(rule, times=1) for rule in FAILED if rule.get("status") not in (400, 404)]
        with Server(rules=rules) as server:
            ended = self.check(server, "--retries", "40", chains=6)
            self.assert_charged(server, ended)
            self.assertGreaterEqual(len(server.asked()), len(rules))

    def test_a_score_that_is_lacking(self):
        """A server that passes over `echo` is asked in another way, and both count."""
        with Server(differences=["ignore-logprobs"]) as server:
            ended = rederive("check", "-m", "perplexity", "-M", server.url, "--json",
                             stdin=lines(chain()))
            self.assert_charged(server, ended)
            self.assertGreater(len(server.lines()), 2)

    def test_the_budget_ends_a_run_of_which_nothing_is_read(self):
        with Server(rules=[{"status": 200, "body": {"choices": []} | USAGE}]) as server:
            ended = rederive("check", "-m", "relevance", "--no-structured", "-M", server.url, "-j", "1", "--json",
                             "--max-tokens", "2500", "--separate-samples", "--retries", "3", stdin=lines(chain()))
            self.assert_ended(ended, 1)
            self.assertIn("the budget of tokens is used up: 500 of 2500 are left", ended.err)
            self.assert_charged(server, ended)
            self.assertEqual(len(server.asked()), 2)


class DryRun(Case):
    def estimate(self, *args, stdin):
        ended = rederive(*args, "--dry-run", "--json", stdin=stdin)
        self.assert_ended(ended, 0)
        return json.loads(ended.out)

    def test_calls_are_those_that_are_made(self):
        with Server(rules=SELFCHECK) as server:
            for method in ("selfcheck", "global", "single-stage", "error-check",
                           "error-check-1shot", "selfcheck,global"):
                args = ("check", "-m", method, "-M", server.url, "--json")
                estimate = self.estimate(*args, stdin=CHAINS)
                self.assertEqual(server.asked(), [])
                if "selfcheck" != method:
                    continue
                self.assertEqual({s["stage"].split("/")[1]: s["n_calls"] for s in estimate["stages"]},
                                 {"variables": 12, "target": 24, "collect": 24, "regenerate": 24,
                                  "compare": 24})
                told = summary(rederive(*args, stdin=CHAINS))
                self.assertAlmostEqual(estimate["n_calls"], told["n_calls"], delta=0.05 * told["n_calls"])
                asked = sum(len(prompt) for prompt in server.asked()) / 4
                self.assertAlmostEqual(estimate["prompt_tokens"], asked, delta=0.25 * asked)
                server.forget()

    def test_calls_that_methods_share_are_counted_once(self):
        """In the paper's profile nothing is asked again, so each method asks what it says."""
        listed = [line.split()[0] for line in rederive("methods").out.splitlines() if line.strip()]
        mine = [name for name in listed
                if name.startswith(("selfcheck", "global", "single-stage", "error-"))]
        verifiers = ["relevance", "math", "consistency", "perplexity", "general"]
        by_step = ["direct-trace", "direct-step", "cot-step", "prm:chat-plus-minus"]
        with Server(rules=[{"reply": "+ Yes"}]) as server:
            for methods in (mine, verifiers, by_step, mine[:3] + verifiers[-2:] + by_step[:3]):
                args = ("check", "-m", ",".join(methods), "--profile", "paper", "-M", server.url)
                estimate = self.estimate(*args, stdin=CHAINS)
                # The journal answers for whichever method comes second.
                rederive(*args, "--journal", self.path("+".join(methods)[:40]), stdin=CHAINS)
                self.assertEqual(estimate["n_calls"], len(server.requests()), methods)
                server.forget()

    def test_solve(self):
        questions = lines(*[{"question": f"What is {i}?"} for i in range(7)])
        with Server(rules=SOLVE) as server:
            for args in (("--stop", "none"), (), ("-n", "3"), ("-m", "selfcheck", "-n", "2")):
                args = ("solve", "--separate-samples", "-M", server.url, *args, "--json")
                estimate = self.estimate(*args, stdin=questions)
                told = summary(rederive(*args, stdin=questions))
                if "selfcheck" not in args:  # what a solution's length is cannot be known before
                    self.assertEqual(estimate["n_calls"], told["n_calls"], args)

    def test_writes_nothing_and_needs_no_model(self):
        before = os.listdir(self.folder)
        ended = rederive("check", "-m", "selfcheck", "--dry-run", "-o", self.path("out.jsonl"),
                         "--price-in", "1", "--price-out", "2", stdin=CHAINS)
        self.assert_ended(ended, 0)
        self.assertRegex(ended.out, rf"(?m)^all +{CALLS} +\d+ +\d+ +\d+\.\d+$")
        self.assertIn("cost ($)", ended.out)
        self.assertEqual(os.listdir(self.folder), before)

    def test_what_the_journal_answers_is_not_counted(self):
        first = "".join(CHAINS.splitlines(True)[:3])
        args = ("-m", "selfcheck", "-o", self.path("out.jsonl"))
        with Server(rules=SELFCHECK) as server:
            self.assert_ended(rederive("check", "-M", server.url, *args, stdin=first), 0)
            estimate = self.estimate("check", "-M", server.url, *args, stdin=CHAINS)
        self.assertEqual(estimate["n_calls"], CALLS - 3 * 9)


if __name__ == "__main__":
    unittest.main()
