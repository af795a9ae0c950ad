# SPDX-License-Identifier: Apache-2.0
"""One model at several servers: the records are those of one server, whatever the servers do; calls go where
they are answered, and the summary says by whom."""
import contextlib
import json
import resource
import subprocess
import time
import unittest

from scripted import COLLECT, COMPARE, REGENERATE, TARGET, VARIABLES, Server
from support import PROGRAM, Case, chain, lines, rederive

# Every prompt differs from every other, so that a call is known by its prompt.
RULES = [dict(COMPARE), dict(REGENERATE, reply="2 + 3 = 5, by {hash}"), COLLECT,
         dict(TARGET, reply="The step adds {hash}."), VARIABLES]

CALLS = 9  # of a chain


def chains(n):
    return lines(*(chain(id=f"c{i}", question=f"What is 2 + 3, asked {i} times?",
                         steps=[f"{i} times 2 + 3 = 5", f"So the answer of {i} is 5."]) for i in range(n)))


class Several(Case):
    def serve(self, *scripts):
        """Servers with these scripts, until the test ends."""
        stack = contextlib.ExitStack()
        self.addCleanup(stack.close)
        return [stack.enter_context(Server(**({"rules": RULES} | script))) for script in scripts]

    @staticmethod
    def spec(servers):
        return ",".join(s.url for s in servers)

    def check(self, spec, stdin, *args, status=0):
        ended = rederive("check", "-m", "selfcheck", "--no-structured", "--json", "-M", spec, *args, stdin=stdin)
        self.assert_ended(ended, status)
        return ended, json.loads(ended.err.splitlines()[-1])

    def expected(self, stdin):
        """The records of one server that does as it should."""
        with Server(rules=RULES) as server:
            return self.check(server.url, stdin)[0].out

    def assert_sums(self, summary):
        """What the servers did adds up to what the run did."""
        for name in ("n_calls", "prompt_tokens", "completion_tokens"):
            self.assertEqual(sum(s[name] for s in summary["servers"]), summary[name], summary)

    def assert_asked_once(self, servers, extra=0):
        """Of all prompts, at most so many were sent more than once."""
        asked = [prompt for server in servers for prompt in server.asked()]
        self.assertLessEqual(len(asked) - len(set(asked)), extra)

    def test_shares_follow_speed(self):
        """Two servers, one four times as fast, then eight; each works on one call at a time."""
        for delays, n in (((0.02, 0.08), 20), ((0.01, 0.02, 0.02, 0.04, 0.04, 0.04, 0.08, 0.08), 40)):
            with self.subTest(servers=len(delays)):
                text = chains(n)
                servers = self.serve(*({"delay": d, "slots": 1} for d in delays))
                ended, summary = self.check(self.spec(servers), text)
                self.assertEqual(ended.out, self.expected(text))
                self.assert_sums(summary)
                self.assert_asked_once(servers)
                calls = [s["n_answered"] for s in summary["servers"]]
                self.assertEqual(sum(calls), CALLS * n)
                fast, slow = calls[0], calls[-1]
                self.assertGreater(fast, 2 * slow, calls)
                self.assertGreater(slow, 0, calls)

    def test_fewer_calls_than_room(self):
        """Calls one after another go to the server that replies sooner."""
        servers = self.serve({"delay": 0.1}, {"delay": 0.01})
        _, summary = self.check(self.spec(servers), chains(4), "-j", "1")
        calls = [s["n_answered"] for s in summary["servers"]]
        self.assertGreater(calls[1], 2 * calls[0], calls)

    def test_one_is_dead(self):
        text = chains(10)
        servers = self.serve({})
        ended, summary = self.check("http://127.0.0.1:1/v1#fake," + servers[0].url, text)
        self.assertEqual(ended.out, self.expected(text))
        self.assertIn("http://127.0.0.1:1 is set aside and tried again later; the other servers go on", ended.err)
        self.assertEqual([s["state"] for s in summary["servers"]], ["set aside", "working"])
        self.assertEqual(summary["n_failed_calls"], 0)

    def test_all_are_dead(self):
        begun = time.monotonic()
        ended, summary = self.check("http://127.0.0.1:1/v1#m,http://127.0.0.1:2/v1#m", chains(20), status=3)
        self.assertIn("none of the 2 servers can be reached", ended.err)
        self.assertLess(summary["n_calls"], 10)
        self.assertLess(time.monotonic() - begun, 10)

    def test_one_fails_always(self):
        """Its calls are answered by the other; it is tried again, seldom."""
        text = chains(30)
        for broken in ({"status": 500}, {"do": "reset"}, {"do": "truncated"}):
            with self.subTest(broken=broken):
                servers = self.serve({"rules": [broken]}, {"delay": 0.01, "slots": 4})
                ended, summary = self.check(self.spec(servers), text, "--retries", "0")
                self.assertEqual(ended.out, self.expected(text))
                self.assertEqual(summary["n_failed_calls"], 0)
                self.assertEqual(summary["servers"][0]["n_answered"], 0)
                self.assertLess(summary["servers"][0]["n_calls"], 12)
                self.assert_sums(summary)

    def test_all_fail_always(self):
        """As one server: the run ends once 20 tries were in vain, and names the cause."""
        servers = self.serve({"rules": [{"status": 500}]}, {"rules": [{"status": 500}]})
        ended, summary = self.check(self.spec(servers), chains(40), "--retries", "2", status=3)
        self.assertIn("answers no call: HTTP 500", ended.err)
        self.assertLess(summary["n_calls"], 80)

    def test_a_prompt_that_no_server_answers(self):
        """It fails alone, after one try at each server and the retries."""
        poison = {"contains": "asked 3 times", "status": 500}
        servers = self.serve(*[{"rules": [poison] + RULES}] * 3)
        with Server(rules=[poison] + RULES) as one:
            expected = self.check(one.url, chains(8), "--retries", "1", status=1)[0].records
            asked = len([p for p in one.asked() if "asked 3 times" in p])
        ended, summary = self.check(self.spec(servers), chains(8), "--retries", "1", status=1)
        self.assertEqual(ended.records, expected)
        self.assertLessEqual(len([p for s in servers for p in s.asked() if "asked 3 times" in p]), 2 * asked)
        self.assertGreater(summary["failed_calls"]["unreachable"], 0)

    def test_one_has_a_shorter_context(self):
        """What one server refuses, another may answer."""
        text = chains(10)
        short = {"regex": "asked [5-9] times", "status": 400, "body": {"error": {"message": "maximum context length"}}}
        servers = self.serve({"rules": [short] + RULES}, {})
        ended, summary = self.check(self.spec(servers), text)
        self.assertEqual(ended.out, self.expected(text))
        self.assertEqual([s["state"] for s in summary["servers"]], ["working"] * 2)
        self.assertLess(summary["n_retries"], 5 * CALLS + 1)

    def test_a_long_pause_of_one_holds_up_no_call(self):
        busy = {"times": 8, "status": 429, "headers": {"Retry-After": "3600"}}
        moment = {"times": 8, "status": 429}
        servers = self.serve({"rules": [busy] + RULES}, {"rules": [moment] + RULES})
        begun = time.monotonic()
        ended, _ = self.check(self.spec(servers), chains(5))
        self.assertEqual(ended.out, self.expected(chains(5)))
        self.assertLess(time.monotonic() - begun, 25)

    def test_one_is_overloaded_for_some_seconds(self):
        """Its 429 with Retry-After holds it alone, and it is asked again after that time."""
        text = chains(100)
        busy = {"times": 1, "status": 429, "headers": {"Retry-After": "3"}}
        servers = self.serve({"rules": [busy] + RULES, "delay": 0.01, "slots": 1}, {"delay": 0.01, "slots": 1})
        ended, summary = self.check(self.spec(servers), text)
        self.assertEqual(ended.out, self.expected(text))
        self.assertEqual(summary["n_failed_calls"], 0)
        first, second = (s["n_answered"] for s in summary["servers"])
        self.assertGreater(first, 0, "it was asked again")
        self.assertGreater(second, first)
        self.assertLess(summary["servers"][0]["n_failed_calls"], 10)

    def test_one_dies_and_comes_back(self):
        text = chains(120)
        expected = self.expected(text)
        survivor, = self.serve({"delay": 0.02, "slots": 2})
        mortal = Server(rules=RULES, delay=0.02, slots=2).__enter__()
        spec = self.spec([mortal, survivor])
        command = [PROGRAM, "check", "-m", "selfcheck", "--no-structured", "--json", "-M", spec, self.write("in.jsonl", text)]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.wait_for(mortal, 30)
        before = [prompt for prompt in mortal.asked()]
        port = mortal.port
        mortal.__exit__()
        time.sleep(1)
        with Server(rules=RULES, delay=0.02, slots=2, listen_at=port) as again:
            out, err = process.communicate(timeout=60)
            after = again.asked()
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual(out, expected)
        summary = json.loads(err.splitlines()[-1])
        self.assertGreater(len(after), 0, "it is asked again")
        self.assertIn("answers again", err)
        self.assertEqual(summary["n_failed_calls"], 0)
        self.assert_sums(summary)
        asked = before + after + survivor.asked()
        lost = summary["servers"][0]["n_failed_calls"]  # in flight, or sent while it was away
        self.assertLessEqual(len(asked) - len(set(asked)), lost)
        self.assertEqual(sum(s["n_answered"] for s in summary["servers"]), CALLS * 120)
        self.assertEqual(summary["n_calls"], CALLS * 120 + summary["n_retries"])

    @staticmethod
    def wait_for(server, calls):
        deadline = time.monotonic() + 20
        while len(server.asked()) < calls and time.monotonic() < deadline:
            time.sleep(0.005)

    def test_one_refuses_every_request(self):
        """A wrong key, or a model that it lacks: it is left out, and the run goes on without it."""
        text = chains(10)
        for script in ({"key": "sk-other-key-0123456789"}, {"models": ["other"]}):
            with self.subTest(script=script):
                servers = self.serve(script, {})
                ended, summary = self.check(self.spec(servers), text)
                self.assertEqual(ended.out, self.expected(text))
                self.assertEqual(ended.err.count("it is left out, and the other servers go on"), 1)
                server = summary["servers"][0]
                self.assertEqual((server["state"], server["n_answered"]), ("left out", 0))
                self.assertGreater(server["n_failed_calls"], 0)
                self.assertLessEqual(server["n_failed_calls"], server["n_calls"])
        servers = self.serve({"models": ["other"]}, {"models": ["other"]})
        ended, _ = self.check(self.spec(servers), text, status=3)
        self.assertIn("does not know this address or model", ended.err)

    def test_kill_and_resume(self):
        """Nothing is asked again but what was in flight, and the records are the same."""
        text = chains(30)
        expected = self.expected(text)
        servers = self.serve({"delay": 0.02, "slots": 2}, {"delay": 0.02, "slots": 2})
        source, out = self.write("in.jsonl", text), self.path("out.jsonl")
        command = ["check", "-q", "-m", "selfcheck", "-M", self.spec(servers), "-j", "4", "--in", source, "--out", out]
        kills = 0
        for calls in (40, 90, 140):
            process = subprocess.Popen([PROGRAM, *command], stderr=subprocess.DEVNULL)
            while process.poll() is None and sum(len(s.asked()) for s in servers) < calls:
                time.sleep(0.005)
            process.kill()
            process.wait()
            kills += 1
        self.assert_ended(rederive(*command), 0)
        self.assertEqual(self.read("out.jsonl"), expected)
        self.assert_asked_once(servers, extra=kills * 2 * 4)
        # the key names the model and not the server, so a reply of one serves all
        alone = rederive("check", "--json", "-m", "selfcheck", "-M", "http://127.0.0.1:1/v1#fake",
                         "--journal", out + ".journal", stdin=text)
        self.assert_ended(alone, 0)
        self.assertEqual(json.loads(alone.err.splitlines()[-1])["n_calls"], 0)

    def test_budget_is_one(self):
        servers = self.serve({}, {}, {})
        _, summary = self.check(self.spec(servers), chains(30), "--max-calls", "50", status=1)
        self.assertEqual(summary["n_calls"], 50)
        self.assert_sums(summary)

    def test_one_lacks_a_capability(self):
        """Requests that need it go to the server that has it. The other is asked only until it has refused."""
        replies = [{"reply": "+"}]
        for method, lacks in (("prm:chat-plus-minus", ["no-logprobs"]), ("prm:chat-plus-minus", ["ignore-logprobs"]),
                              ("perplexity", ["no-echo", "no-prompt-logprobs"])):
            with self.subTest(method=method, lacks=lacks):
                servers = self.serve({"rules": replies, "differences": lacks}, {"rules": replies, "delay": 0.02})
                text = chains(20)
                with Server(rules=replies) as one:
                    expected = rederive("check", "-q", "-m", method, "-M", one.url, stdin=text).out
                ended = rederive("check", "--json", "-m", method, "-M", self.spec(servers), stdin=text)
                self.assert_ended(ended, 0)
                self.assertEqual(ended.out, expected)
                self.assertNotIn('"unknown"', ended.out)
                self.assertLess(len(servers[0].asked()), 10)
                self.assertGreater(len(servers[1].asked()), 15)

    def test_other_requests_do_not_wait_for_the_capable_server(self):
        """While one server works on what only it can do, the other answers the rest."""
        rules = [{"path": "/v1/completions", "delay": 0.2}] + RULES
        servers = self.serve({"rules": rules, "slots": 1}, {"rules": RULES, "differences": ["no-echo", "no-prompt-logprobs"]})
        ended = rederive("check", "--json", "-m", "selfcheck,perplexity", "-M", self.spec(servers), stdin=chains(15))
        self.assert_ended(ended, 0)
        summary = json.loads(ended.err.splitlines()[-1])
        self.assertGreater(summary["servers"][1]["n_answered"], CALLS * 15 / 2, summary)

    def test_who_serves_the_checker(self):
        """Generator and checker may share servers, wholly or in part."""
        rules = [{"contains": "Solve the following problem step by step",
                  "reply": "Step 1: 2 + 3 = 5\n\nStep 2: So the answer is 5."}] + RULES
        a, b, c = self.serve(*[{"rules": rules}] * 3)
        text = lines(*({"question_id": f"q{i}", "question": f"What is 2 + {i}?"} for i in range(6)))
        with Server(rules=rules) as one:
            expected = rederive("solve", "-q", "-M", one.url, "--checker", one.base + "/v1#other", stdin=text).out
        for generators, checkers in (((a, b), (a, b)), ((a, b), (b, c)), ((a,), (b, c))):
            checker = ",".join(s.base + "/v1#other" for s in checkers)
            ended = rederive("solve", "--json", "-M", self.spec(generators), "--checker", checker, stdin=text)
            self.assert_ended(ended, 0)
            self.assertEqual(ended.out, expected)
            self.assert_sums(json.loads(ended.err.splitlines()[-1]))

    def test_names_of_servers(self):
        """A model that one server calls by another name; the journal and the records have the one name."""
        text = chains(4)
        one, two = self.serve({"models": ["fake"], "delay": 0.1}, {"models": ["FAKE"]})  # the other one is surveyed meanwhile
        spec = f"{one.url},{two.base}/v1#fake=FAKE"
        ended, summary = self.check(spec, text, "--journal", self.path("j"))
        self.assertEqual(ended.out, self.expected(text))
        self.assertEqual({r["body"]["model"] for r in two.requests()}, {"FAKE"})
        self.assertEqual([s["state"] for s in summary["servers"]], ["working", "working"])
        exported = rederive("journal", "export", self.path("j")).records
        self.assertEqual({line["model"] for line in exported}, {"fake"})

    def test_as_many_connections_as_calls(self):
        """The usual limit on open files is too low for several servers, and is raised as far as it may be."""
        servers = self.serve(*[{"delay": 0.3}] * 4)
        done = subprocess.run([PROGRAM, "check", "-m", "selfcheck", "--no-structured", "--json", "-M", self.spec(servers)], text=True,
                              input=chains(60), capture_output=True, timeout=60,
                              preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (60, 4096)))
        self.assertEqual(done.returncode, 0, done.stderr)
        summary = json.loads(done.stderr.splitlines()[-1])
        self.assertEqual([summary["n_retries"], summary["n_calls"]], [0, 60 * CALLS])

    def test_what_is_refused(self):
        for spec, why in (
                ("http://a/v1#m,http://a/v1/#m", "the server http://a/v1 is given twice"),
                ("http://a/v1#m,HTTP://A:80/v1#m", "the server http://a/v1 is given twice"),
                ("http://a/v1#m,b:80/v1#m", "is no model's name, because it has a comma"),
                ("http://a/v1#m,http://b/v1", "the server http://b/v1 has no model; write http://b/v1#NAME"),
                ("http://a/v1,http://b/v1#m", "the server http://a/v1 has no model; write http://a/v1#NAME"),
                ("http://a/v1#m,http://b/v1#n", "where a server calls it by another name, write #m=n"),
                ("http://a/v1?x=1,2#m", "no spaces and no question mark"),
                ("http://a/v1?x=1,http://b/v1#m", "http://a/v1?x=1 has no model"),
                ("http://a/v1#m,builtin", "is no model's name, because it has a comma"),
                ("http://a/v1#m,", "is no model's name, because it has a comma"),
                ("http://a/v1#m,,http://b/v1#m", "is no model's name, because it has a comma"),
                ("http://a/v1#m,http://b/v1#m=", "a name is missing in http://b/v1#m="),
                (",".join(f"http://h{i}/v1#m" for i in range(65)), "65 servers for one model; at most 64")):
            with self.subTest(spec=spec[:60]):
                ended = rederive("check", "-m", "selfcheck", "-M", spec, stdin=chains(1))
                self.assert_ended(ended, 2)
                self.assertIn(why, ended.err)
                self.assertEqual(ended.err.count("\n"), 1, ended.err)

    def test_estimate_and_capabilities(self):
        one, two = self.serve({"models": ["fake"]}, {"models": ["fake"], "differences": ["no-logprobs"]})
        both = self.spec([one, two])
        dry = [rederive("check", "-m", "selfcheck", "--dry-run", "--json", "-M", spec, stdin=chains(3))
               for spec in (one.url, both)]
        self.assertEqual(dry[0].out, dry[1].out)
        self.assertEqual(one.lines() + two.lines(), [])
        ended = rederive("models", "--json", "-M", both)
        self.assert_ended(ended, 0)
        self.assertEqual([r["url"] for r in ended.records], [one.base + "/v1", two.base + "/v1"])
        self.assertEqual([r["capabilities"]["logprobs"] for r in ended.records], ["yes", "no"])
        partly = rederive("models", "-M", one.url + ",http://127.0.0.1:1/v1#fake")
        self.assert_ended(partly, 1)
        self.assertIn("http://127.0.0.1:1: ", partly.err)
        self.assertIn("fake at " + one.base, partly.out)

    def test_summary_for_people(self):
        servers = self.serve({}, {})
        ended = rederive("check", "-m", "selfcheck", "-M", self.spec(servers), stdin=chains(5))
        for server in servers:
            self.assertRegex(ended.err, server.base + r"/v1: \d+ calls?, \d+ answered, 0 failed; \d+\.\d\d s a reply; "
                             r"\d+ prompt tokens, \d+ completion tokens\n")
        with Server(rules=RULES) as one:
            alone = rederive("check", "-m", "selfcheck", "-M", one.url, stdin=chains(5))
        self.assertNotIn(one.base + "/v1: ", alone.err)


if __name__ == "__main__":
    unittest.main()
