# SPDX-License-Identifier: Apache-2.0
"""`rederive serve` with methods that ask a model about a reply: what it says decides, within the limits of the key, and
nothing that it did not say, that was not read or not decided counts as support, whatever the model that checks does."""
import concurrent.futures
import json
import pathlib
import random
import signal
import threading
import time
import unittest

from strict import text_of
from support import rederive
from tiny import SECONDS, Serve
from verifying import ALL, CHAT, MESSAGES, QUESTION, RESPONSES, TEXT, Reply, Upstream, Verifying, events, judgement_of, parsed, whole

STEPS = "First, Tom has 3 apples.\n\nThen he buys 4 more.\n\nSo the answer is seven."
RIGHT, WRONG = "It follows.\n\nCorrect", "It does not follow.\n\nWrong"
METHOD = "single-stage"


def said(text, end=None):
    return Reply.json(whole(CHAT, text, end))


class Checkers(Verifying):
    def setUp(self):
        super().setUp()
        self.judge = self.enterContext(Upstream())
        self.says(RIGHT)
        self.upstream.answer(Reply.json(whole(CHAT, STEPS)))

    def says(self, reply):
        """What the model that checks says: a text, a Reply, or a function of the request."""
        reply = said(reply) if isinstance(reply, str) else reply
        answer = reply if callable(reply) else lambda request: reply
        listed = Reply.json({"object": "list", "data": [{"id": "k", "object": "model"}]})
        self.judge.answer(lambda request: listed if request.path.endswith("/models") else answer(request))

    def asked(self):
        return sum(not r.path.endswith("/models") for r in self.judge.requests)

    def serve_judged(self, *options, env=None, **rule):
        rule = {"method": METHOD, "checker": "judge", "mode": "whole", "seconds_per_check": 60} | rule
        self.serve("-M", f"judge={self.judge.url}#k", *self.policy(**rule), *options, env=env)

    def serve_limited(self, **rule):
        self.file = self.path("keys")
        self.key = {"x-api-key": rederive("serve", "--keys", self.file, "--new-key", "one").out.strip()}
        self.serve_judged("--keys", self.file, "--log-json", **rule)

    def send(self, **members):
        return self.ask(CHAT, "rederive/check/big", headers=self.key, max_tokens=100, **members)

    def tokens(self):
        text = self.server.ask("GET", "/metrics", None, self.key, raw=True)[1].decode()
        return [int(float(line.rpartition(" ")[2])) for line in text.splitlines() if line.startswith("rederive_key_tokens_total")]

    def verdict(self, path=CHAT, stream=False, **members):
        self.upstream.answer(Reply.stream(events(path, STEPS)) if stream else Reply.json(whole(path, STEPS)))
        status, answer = self.ask(path, "rederive/check/big", stream, **members)
        self.assertEqual(status, 200, answer)
        return judgement_of(path, answer)


class Deciding(Checkers):
    def test_what_the_model_says_decides_on_every_front(self):
        self.serve_judged()
        for path in ALL:
            for stream in (False, True):
                for text, admitted, kind in ((RIGHT, True, "support"), (WRONG, False, "contradict")):
                    with self.subTest(path=path, stream=stream, text=text):
                        self.says(text)
                        found = self.verdict(path, stream)
                        self.assertEqual((found["admitted"], found["rule"]["method"], found["rule"]["checker"]), (admitted, METHOD, "judge"))
                        choice = found["choices"][0]
                        self.assertEqual([v["verdict"] for v in choice["verdicts"]], [kind] * 3)
                        self.assertEqual((choice["n_calls"], choice["prompt_tokens"], choice["completion_tokens"]), (3, 3, 6))
        self.assertEqual(self.judge.requests[-1].body["model"], "k")
        self.assertIn("How many?", self.judge.requests[-1].raw.decode())

    def test_a_wrong_step_is_refused_without_the_text(self):
        self.serve_judged(not_admitted="refuse")
        self.says(lambda request: said(WRONG if "buys 4 more" in request.raw.decode().rpartition("next step")[2] else RIGHT))
        for path in ALL:
            for stream in (False, True):
                self.upstream.answer(Reply.stream(events(path, STEPS)) if stream else Reply.json(whole(path, STEPS)))
                status, answer = self.ask(path, "rederive/check/big", stream)
                self.assertNotIn("apples", json.dumps(answer))
                self.assertIn("not_admitted", json.dumps(answer))
                self.assertIn('"n_contradicted": 1', json.dumps(answer))

    def test_the_model_that_replied_checks_where_none_is_named(self):
        path = self.path("policy.json")
        pathlib.Path(path).write_text(json.dumps({"default": {"method": METHOD, "mode": "whole"}}))
        self.serve("--policy", path)
        checks = lambda request: b"Check the correctness" in request.raw  # noqa: E731
        self.upstream.answer(lambda request: said(RIGHT) if checks(request) else Reply.json(whole(CHAT, STEPS)))
        status, answer = self.ask(CHAT, "rederive/check/big")
        self.assertEqual((status, answer["rederive"]["admitted"], answer["rederive"]["rule"]["checker"]), (200, True, "big"))

    def test_each_choice_is_checked(self):
        self.serve_judged()
        reply = whole(CHAT, STEPS)
        reply["choices"].append({"index": 1, "message": {"role": "assistant", "content": "Bad step."}, "finish_reason": "stop"})
        self.upstream.answer(Reply.json(reply))
        self.says(lambda request: said(WRONG if b"Bad step" in request.raw else RIGHT))
        found = judgement_of(CHAT, self.ask(CHAT, "rederive/check/big", n=2)[1])
        self.assertEqual([c["admitted"] for c in found["choices"]], [True, False])
        self.assertFalse(found["admitted"])

    def test_keys_go_to_their_servers_only(self):
        self.serve_judged("--upstream-key-env", "judge=JUDGE", "--upstream-key-env", "big=BIG",
                          env={"JUDGE": "secret-of-judge", "BIG": "secret-of-big"})
        self.assertTrue(self.verdict()["admitted"])
        self.assertEqual({r.header("authorization") for r in self.judge.requests}, {"Bearer secret-of-judge"})
        self.assertEqual({r.header("authorization") for r in self.upstream.requests}, {"Bearer secret-of-big"})

    def test_the_built_in_model(self):
        path = self.path("policy.json")
        pathlib.Path(path).write_text(json.dumps({"default": {"method": "selfcheck", "checker": "rederive", "mode": "whole",
                                                              "seconds_per_check": 20 if SECONDS < 100 else 60}}))
        self.serve("-M", "builtin", "--policy", path)
        found = self.verdict()
        self.assertEqual(found["rule"]["method"], "selfcheck")
        self.assertEqual(found["choices"][0]["n_steps"], 3)
        self.assertGreater(found["choices"][0]["n_calls"], 0)
        status, answer = self.ask(CHAT, "rederive/check/rederive", max_tokens=20)  # its own reply, checked by itself
        self.assertEqual(status, 200)
        self.assertIn("admitted", answer["rederive"])


class Stepwise(Checkers):
    """By the mode `strict` each step is asked about once, when it has come, and sent when it was found right."""

    def stream(self, path=CHAT, text=STEPS, **members):
        self.upstream.answer(Reply.stream(events(path, text)))
        status, answer = self.ask(path, "rederive/check/big", True, **members)
        self.assertEqual(status, 200 if isinstance(answer, list) else 422, answer)
        return answer if isinstance(answer, list) else [answer]

    def text(self, path, answer):
        return "" if "error" in answer[0] else text_of(path, answer)

    def test_each_step_is_asked_about_once(self):
        self.serve_judged(mode="strict")
        for path in ALL:
            before = self.asked()
            answer = self.stream(path)
            self.assertEqual(self.text(path, answer), STEPS)
            found = judgement_of(path, answer)
            self.assertEqual((found["admitted"], found["rule"]["mode"], found["rule"]["checker"]), (True, "strict", "judge"))
            self.assertEqual([v["verdict"] for v in found["choices"][0]["verdicts"]], ["support"] * 3)
            asked = [r.raw for r in self.judge.requests[-(self.asked() - before):] if b"Check the correctness" in r.raw]
            self.assertEqual((len(asked), len(set(asked))), (3, 3))

    def test_a_wrong_step(self):
        self.serve_judged(mode="strict")
        self.says(lambda request: said(WRONG if "buys 4 more" in request.raw.decode().rpartition("next step")[2] else RIGHT))
        for path in ALL:
            answer = self.stream(path)
            self.assertEqual(self.text(path, answer), STEPS[:STEPS.index("Then")])
            self.assertNotIn("buys", json.dumps(answer))
            self.assertIn("not_admitted" if path != MESSAGES else "not admitted", json.dumps(answer[-1]))

    def test_a_step_is_sent_before_the_next_one_is_there(self):
        self.serve_judged(mode="strict")
        for path in ALL:
            had = threading.Event()
            made = events(path, STEPS)
            at = next(i for i in range(len(made)) if "Then" in text_of(path, parsed("".join(made[:i]).encode()))) + 1
            self.upstream.answer(Reply.stream([*made[:at], had, *made[at:]]))
            connection = self.server.connect()
            connection.request("POST", path, json.dumps({"model": "rederive/check/big", "stream": True, **QUESTION[path]}),
                               {"Content-Type": "application/json"})
            response, came = connection.getresponse(), b""
            while b"app" not in came.replace(b'", "', b"") and "apples." not in text_of(path, parsed(came[:came.rfind(b"\n\n") + 2])):
                came += response.read1()
            self.assertNotIn("Then", text_of(path, parsed(came[:came.rfind(b"\n\n") + 2])))
            had.set()
            self.assertEqual(text_of(path, parsed(came + response.read())), STEPS)
            connection.close()

    def test_a_step_that_waits_too_long(self):
        """Each step has the seconds of the rule; one that waits longer is unknown, and the next has its own again."""
        slow = Reply([3.0, *said(RIGHT).pieces])
        late = lambda request: slow if "buys 4 more" in request.raw.decode().rpartition("next step")[2] else said(RIGHT)  # noqa: E731
        self.serve_judged(mode="strict", seconds_per_check=1)
        self.says(late)
        answer = self.stream()
        self.assertEqual(self.text(CHAT, answer), STEPS[:STEPS.index("Then")])
        self.assertIn("took too long", json.dumps(answer[-1]))

    def test_what_is_not_decided_is_not_sent(self):
        self.serve_judged(mode="strict", seconds_per_check=5)
        for name, reply in Undecided.FAULTS.items():
            with self.subTest(name=name):
                self.says(reply)
                self.assertEqual(self.text(CHAT, self.stream()), "")

    def test_other_methods(self):
        """One that says nothing of single steps sends them at the end; none sends what it does not accept."""
        for method in ("selfcheck", "error-check", "relevance", "direct-step-0shot", "direct-trace-0shot", "single-stage"):
            self.serve_judged(mode="strict", method=method, seconds_per_check=20)
            for text in (RIGHT, WRONG, "Yes", "No", "Perhaps"):
                self.says(text)
                answer = self.stream()
                ended = "error" not in answer[-1]
                self.assertEqual(ended, self.text(CHAT, answer) == STEPS, (method, text))
                if ended:
                    self.assertTrue(judgement_of(CHAT, answer)["admitted"])

    def test_a_verdict_on_all_steps_lets_none_pass(self):
        """That the steps so far are right together says nothing of one of them."""
        self.serve_judged(mode="strict", method="global")
        for last, text in ((RIGHT, STEPS), (WRONG, "")):
            self.says(lambda request, last=last: said(last if b"seven" in request.raw else RIGHT))
            answer = self.stream()
            self.assertEqual(self.text(CHAT, answer), text)

    def test_the_tokens_of_a_check_end(self):
        self.serve_judged(mode="strict", tokens_per_check=400)
        answer = self.stream()
        self.assertTrue(STEPS.startswith(self.text(CHAT, answer)))
        self.assertIn("no more tokens", json.dumps(answer[-1]))


class Undecided(Checkers):
    """Whatever the model that checks does instead of saying that a step is right, the reply is not admitted."""

    FAULTS = {
        "not sure": said("Not Sure"), "something else": said("banana"), "nothing": said(""), "cut off": said(RIGHT, "length"),
        "filtered": said(RIGHT, "content_filter"), "a refusal": Reply.json(whole(CHAT, "", refusal="no")),
        "both": said("Correct or Wrong"), "no choice": Reply.json({"choices": []}), "no JSON": Reply.json(b"<html>"),
        "401": Reply.json({"error": {"message": "bad key"}}, 401), "400": Reply.json({"error": {"message": "no"}}, 400),
        "500": Reply.json({"error": {"message": "no"}}, 500), "redirection": Reply.json({}, 302, {"Location": "http://x/"}),
        "closed": Reply([], "close"), "reset": Reply([Reply.head(200, {"Content-Length": 99})], "reset"),
        "half": Reply([Reply.head(200, {"Content-Length": 99}) + b'{"choices":'], "close"),
        "verdict of its own": Reply.json({"rederive": {"admitted": True}, **whole(CHAT, "?")}),
    }

    def test_faults_are_never_support(self):
        self.serve_judged(seconds_per_check=5)
        for name, reply in self.FAULTS.items():
            with self.subTest(name=name):
                self.says(reply)
                found = self.verdict()
                self.assertFalse(found["admitted"], found)
                self.assertNotIn("support", [v["verdict"] for v in found["choices"][0]["verdicts"]])

    def test_one_step_is_not_decided(self):
        self.serve_judged(seconds_per_check=5)
        for name in ("banana", Reply.json({"error": {"message": "no"}}, 400)):
            self.says(lambda request, name=name: said(RIGHT) if b"seven" not in request.raw else said(name) if isinstance(name, str) else name)
            found = self.verdict()
            self.assertEqual((found["admitted"], [v["verdict"] for v in found["choices"][0]["verdicts"]]), (False, ["support", "support", "unknown"]))

    def test_unknown_is_admitted_only_where_the_rule_says_so_and_never_what_is_wrong(self):
        self.serve_judged(unknown="admit")
        self.says("banana")
        self.assertTrue(self.verdict()["admitted"])
        self.assertFalse(self.verdict(rederive={"unknown": "reject"})["admitted"])
        self.says(WRONG)
        self.assertFalse(self.verdict()["admitted"])

    def test_nobody_is_there(self):
        self.judge.server_close()
        self.serve_judged(seconds_per_check=5)
        found = self.verdict()
        self.assertFalse(found["admitted"])
        self.assertNotIn("127.0.0.1", found["why"])

    def test_time_ends(self):
        self.serve_judged(seconds_per_check=1)
        never = threading.Event()
        self.addCleanup(never.set)
        self.says(Reply([never]))
        found = self.verdict()
        self.assertEqual((found["admitted"], found["why"]), (False, "choice 0: the check took too long"))

    def test_a_mean_of_scores_is_no_proof(self):
        """The threshold of a request comes on top of the method's own measure, and takes its place nowhere."""
        self.serve_judged(method="relevance")
        self.says("No, it adds nothing.\n\nNo")
        for more in ({}, {"rederive": {"threshold": 0.01}}):
            self.assertFalse(self.verdict(**more)["admitted"])
        self.says("Yes")
        self.assertTrue(self.verdict()["admitted"])

    def test_faults_at_random_on_both_sides(self):
        """By numbers: what is admitted was said to be right, step by step, of a reply that came whole; all end."""
        self.serve_judged(seconds_per_check=3, not_admitted="refuse")
        rng = random.Random(4)
        faults = list(self.FAULTS.values())
        scripts = [(rng.random() < 0.7, [rng.choice([None, None, None, rng.randrange(len(faults))]) for _ in range(3)], rng.random() < 0.5,
                    rng.choice((CHAT, MESSAGES, RESPONSES))) for _ in range(60 if SECONDS < 100 else 24)]

        def number(request):
            return int(request.raw.decode().rpartition("number ")[2].split()[0].strip('".,\\')) if b"number " in request.raw else None

        def check(request):
            if number(request) is None:  # what the server can do
                return said(RIGHT)
            script = scripts[number(request)]
            step = next(i for i, word in reversed(list(enumerate(("apples", "buys", "seven")))) if word in request.raw.decode())
            fault = script[1][step]
            return said(RIGHT) if fault is None else faults[fault]

        def reply(request):
            right, _, stream, path = scripts[number(request)]
            text = STEPS if right else STEPS[:40]
            end = {CHAT: "length", MESSAGES: "max_tokens", RESPONSES: "incomplete"}[path]
            return Reply.stream(events(path, text, None if right else end)) if stream else Reply.json(whole(path, text, None if right else end))

        def one(i):
            _, _, stream, path = scripts[i]
            ask = {CHAT: {"messages": [{"role": "user", "content": f"number {i} ."}]}, RESPONSES: {"input": f"number {i} ."},
                   MESSAGES: {"max_tokens": 900, "messages": [{"role": "user", "content": f"number {i} ."}]}}[path]
            return self.ask(path, "rederive/check/big", stream, **ask)

        self.says(check)
        self.upstream.answer(reply)
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            answers = list(pool.map(one, range(len(scripts))))
        for (right, steps, _, path), (status, answer) in zip(scripts, answers):
            sent = status == 200 and '"code": "not_admitted"' not in json.dumps(answer)
            if sent:
                self.assertTrue(judgement_of(path, answer)["admitted"])
            self.assertEqual(sent, right and steps == [None] * 3, (right, steps, answer))


class Limits(Checkers):
    def test_what_a_check_uses_counts_for_the_key(self):
        self.serve_limited(tokens_per_day=1000000)
        self.says(Reply.json(whole(CHAT, RIGHT) | {"usage": {"prompt_tokens": 100, "completion_tokens": 11, "total_tokens": 111}}))
        status, answer = self.send()
        self.assertTrue(answer["rederive"]["admitted"])
        self.assertEqual(answer["rederive"]["choices"][0]["n_calls"], 3)
        self.assertEqual(sum(self.tokens()), 3 + 111 * self.asked())

    def test_without_room_nothing_is_asked(self):
        self.serve_limited(tokens_per_day=10000, tokens_per_check=9900)
        status, answer = self.send()
        self.assertEqual((status, answer["rederive"]["admitted"]), (200, False))
        self.assertIn("limits of this key", answer["rederive"]["why"])
        self.assertEqual(self.judge.requests, [])

    def test_a_check_keeps_to_its_tokens(self):
        """What it may use is reserved before each call: where the next does not fit, the rest is unknown."""
        self.serve_limited(tokens_per_day=1000000, tokens_per_check=2500)
        self.says(Reply.json(whole(CHAT, RIGHT) | {"usage": {"prompt_tokens": 500, "completion_tokens": 1000, "total_tokens": 1500}}))
        status, answer = self.send()
        self.assertEqual((status, answer["rederive"]["admitted"]), (200, False))
        self.assertLess(self.asked(), 3)
        self.assertLessEqual(sum(self.tokens()), 2500 + 3)

    def test_dollars(self):
        prices = self.path("prices.json")
        pathlib.Path(prices).write_text(json.dumps({"big": {"input": 0, "output": 0}, "judge": {"input": 1, "output": 100}}))
        path = self.path("policy.json")
        rule = {"method": METHOD, "checker": "judge", "mode": "whole", "tokens_per_check": 20000}
        for dollars, fits in ((1.9, False), (2.1, True)):
            pathlib.Path(path).write_text(json.dumps({"default": rule | {"dollars_per_day": dollars}}))
            with Serve(None, "-M", f"big={self.upstream.url}#m", "-M", f"judge={self.judge.url}#k", "--policy", path, "--prices", prices) as server:
                answer = server.ask("POST", CHAT, {"model": "rederive/check/big", **QUESTION[CHAT]})[1]
                self.assertEqual(answer["rederive"]["admitted"], fits, answer)


class Waiting(Checkers):
    """A check that waits for its model holds up nobody else."""

    def stall(self):
        never = threading.Event()
        self.addCleanup(never.set)
        self.says(Reply([never], "close"))
        return never

    def until(self, holds):
        end = time.monotonic() + SECONDS
        while not holds():
            self.assertLess(time.monotonic(), end)
            time.sleep(0.02)

    def test_a_check_that_is_given_up_before_its_turn_costs_nothing(self):
        self.serve_limited(tokens_per_day=1000000, tokens_per_check=20000, methods=["calculations"])
        self.send(rederive={"method": "calculations"})  # libuv's threads are there now
        tasks = pathlib.Path(f"/proc/{self.server.process.pid}/task")
        before = len(list(tasks.iterdir()))
        never = self.stall()
        body = json.dumps({"model": "rederive/check/big", "max_tokens": 100, **QUESTION[CHAT]})
        with concurrent.futures.ThreadPoolExecutor(16) as pool:
            running = [pool.submit(self.send) for _ in range(16)]  # as many as are checked at a time
            self.until(lambda: len(list(tasks.iterdir())) >= before + 16)
            waiting = [self.server.connect() for _ in range(3)]
            for client in waiting:
                client.request("POST", CHAT, body, self.key | {"Content-Type": "application/json"})
            self.until(lambda: len(self.upstream.requests) == 20)
            for client in waiting:
                client.sock.close()
            self.until(lambda: sum(self.tokens()) == 3 * 4)  # what the replies took; what is reserved for one counts until then
            never.set()
            self.says(RIGHT)
            self.assertEqual({r.result(SECONDS)[0] for r in running}, {200})

    def test_others_are_answered_meanwhile(self):
        self.serve_judged(methods=["calculations"])
        never = self.stall()
        with concurrent.futures.ThreadPoolExecutor(20) as pool:  # more than threads for checks, and than libuv has
            waiting = [pool.submit(self.ask, CHAT, "rederive/check/big") for _ in range(20)]
            until = time.monotonic() + SECONDS
            while len(self.upstream.requests) < 20 and time.monotonic() < until:
                time.sleep(0.02)
            self.assertEqual(self.server.ask("GET", "/health")[0], 200)
            found = judgement_of(CHAT, self.ask(CHAT, "rederive/check/big", rederive={"method": "calculations"})[1])
            self.assertEqual((found["admitted"], found["rule"]["method"]), (True, "calculations"))
            self.assertEqual([w.done() for w in waiting], [False] * 20)
            self.says(RIGHT)
            never.set()
            self.assertEqual({w.result(SECONDS)[0] for w in waiting}, {200})

    def test_a_client_that_leaves_ends_what_is_asked(self):
        self.serve_judged()
        self.says(Reply([60.0]))
        client = self.server.connect()
        client.request("POST", CHAT, json.dumps({"model": "rederive/check/big", **QUESTION[CHAT]}), {"Content-Type": "application/json"})
        until = time.monotonic() + SECONDS
        while not self.asked() and time.monotonic() < until:
            time.sleep(0.02)
        client.sock.close()
        while not any(r.left for r in self.judge.requests) and time.monotonic() < until:
            time.sleep(0.02)
        self.assertTrue(any(r.left for r in self.judge.requests))

    def test_a_server_that_ends_does_not_wait(self):
        self.serve_judged()
        self.stall()
        with concurrent.futures.ThreadPoolExecutor(20) as pool:
            waiting = [pool.submit(self.ask, CHAT, "rederive/check/big") for _ in range(20)]
            until = time.monotonic() + SECONDS
            while len(self.upstream.requests) < 20 or not self.asked():
                self.assertLess(time.monotonic(), until)
                time.sleep(0.02)
            status, err = self.server.stop()
            self.assertEqual((status, "Sanitizer" in err), (0, False), err)
            self.assertEqual({w.result()[0] for w in waiting}, {503})


class Records(Checkers):
    """/rederive/check by a method that asks a model, as `rederive check` writes it."""

    CHAINS = [{"id": "a", "question": "How many?", "steps": ["Tom has 3 apples.", "So 3 + 4 is seven."], "odd": 1.50},
              {"id": "b", "question": "What?", "steps": ["A bad step."], "dataset": "word_sorting"},
              {"id": "c", "question": "How many?", "solution": "He buys 4.\n\nThe answer is 7.", "checker": "older",
               "checks": [{"method": "error-check", "verdicts": [{"step": 0, "verdict": "support", "score": 1}], "n_calls": 2}]}]

    def records(self, text, headers=None, **named):
        named = {"rederive-method": METHOD} | {"rederive-" + name: value for name, value in named.items()}
        status, raw = self.server.ask("POST", "/rederive/check", text.encode(), (headers or {}) | {k: v for k, v in named.items() if v}, raw=True)
        return status, [json.loads(line) for line in raw.splitlines()]

    def text(self):
        return "".join(json.dumps(chain) + "\n" for chain in self.CHAINS)

    def test_as_the_command(self):
        self.serve_judged()
        self.says(lambda request: said(WRONG if b"A bad step" in request.raw else RIGHT))
        text = self.text()
        status, out = self.records(text)
        alone = rederive("check", "-q", "-m", METHOD, "-M", self.judge.url + "#k", stdin=text).records
        self.assertEqual((status, len(out)), (200, len(self.CHAINS)))
        self.assertEqual(out, alone)
        self.assertEqual([[v["verdict"] for v in record["verdicts"]] for record in out], [["support"] * 2, ["contradict"], ["support"] * 2])
        self.assertEqual({record["checker"] for record in out}, {"k"})

    def test_lines_that_cannot_be_used_stand_in_their_place(self):
        self.serve_judged()
        one, two, _ = (json.dumps(chain) for chain in self.CHAINS)
        status, out = self.records("\n".join((one, "nonsense", two, '{"question":"q"}', "")))
        self.assertEqual((status, [record.get("id") for record in out]), (200, ["a", None, "b", None]))
        self.assertEqual([record["error"][:7] for record in out if "error" in record], ["line 2,", "line 4:"])
        status, out = self.records("nonsense\n")
        self.assertEqual((status, [record["error"][:7] for record in out], self.judge.requests[len(self.judge.requests):]), (200, ["line 1,"], []))

    def test_faults_are_never_support(self):
        self.serve_judged(seconds_per_check=5)
        for name, reply in Undecided.FAULTS.items():
            with self.subTest(name=name):
                self.says(reply)
                status, out = self.records(self.text())
                if status != 200:
                    self.assertEqual((status, out[0]["error"]["code"]), (502, "upstream_failed"))
                    continue
                self.assertNotIn("support", [v["verdict"] for record in out for v in record["verdicts"]])

    def test_only_what_the_rule_allows(self):
        self.serve_judged(methods=["selfcheck"])
        text = self.text()
        for named, word in (({"method": "relevance"}, "relevance"), ({"model": "big"}, "judge"), ({"method": "nonsense"}, "nonsense"),
                            ({"method": None, "model": "judge"}, "rederive-method")):
            status, answer = self.records(text, **named)
            self.assertEqual(status, 400, named)
            self.assertIn(word, answer[0]["error"]["message"])
        self.assertEqual(self.judge.requests, [])
        status, out = self.records(text, method="selfcheck", model="judge")
        self.assertEqual((status, out[0]["method"]), (200, "selfcheck"))
        for named in ({"method": "calculations"}, {"method": None}):
            calls = len(self.judge.requests)
            status, out = self.records(text, **named)
            self.assertEqual((status, out[0]["method"], len(self.judge.requests)), (200, "calculations", calls))

    def test_the_model_is_named_where_the_rule_names_none(self):
        path = self.path("policy.json")
        pathlib.Path(path).write_text(json.dumps({"default": {"method": METHOD, "mode": "whole"}}))
        self.serve("-M", f"judge={self.judge.url}#k", "--policy", path)
        for model, status in ((None, 400), ("nobody", 404), ("rederive/check/judge", 404), ("judge", 200)):
            self.assertEqual(self.records(self.text(), model=model)[0], status, model)
        self.assertEqual(self.upstream.requests, [])

    def test_limits_of_the_key(self):
        file = self.path("keys")
        key = {"x-api-key": rederive("serve", "--keys", file, "--new-key", "one").out.strip()}
        self.serve_judged("--keys", file, tokens_per_day=40000, tokens_per_check=15000)
        status, answer = self.records(self.text(), key)  # three records of 15,000
        self.assertEqual((status, answer[0]["error"]["code"], self.judge.requests), (429, "insufficient_quota", []))
        self.says(Reply.json(whole(CHAT, RIGHT) | {"usage": {"prompt_tokens": 100, "completion_tokens": 11, "total_tokens": 111}}))
        text = "".join(json.dumps(chain) + "\n" for chain in self.CHAINS[:2])
        self.assertEqual(self.records(text, key)[0], 200)
        told = self.server.ask("GET", "/metrics", None, key, raw=True)[1].decode()
        used = sum(int(float(line.rpartition(" ")[2])) for line in told.splitlines() if line.startswith("rederive_key_tokens_total"))
        self.assertEqual(used, 111 * self.asked())

    def test_what_the_tokens_do_not_allow_is_unknown(self):
        self.serve_judged(tokens_per_check=1500)
        self.says(Reply.json(whole(CHAT, RIGHT) | {"usage": {"prompt_tokens": 500, "completion_tokens": 1000, "total_tokens": 1500}}))
        status, out = self.records(self.text())
        self.assertEqual((status, len(out)), (200, len(self.CHAINS)))
        self.assertTrue(any(record.get("partial") for record in out))
        found = [v["verdict"] for record in out for v in record["verdicts"]]
        self.assertLessEqual(found.count("support"), self.asked())
        self.assertIn("unknown", found)

    def test_a_client_that_leaves_ends_what_is_asked(self):
        self.serve_judged()
        self.says(Reply([60.0]))
        client = self.server.connect()
        client.request("POST", "/rederive/check", self.text(), {"Content-Type": "application/json", "rederive-method": METHOD})
        until = time.monotonic() + SECONDS
        while not self.asked() and time.monotonic() < until:
            time.sleep(0.02)
        client.sock.close()
        while not any(r.left for r in self.judge.requests) and time.monotonic() < until:
            time.sleep(0.02)
        self.assertTrue(any(r.left for r in self.judge.requests))


class Surveys(Checkers):
    """What a server can do is asked once, by one check for all, and again after SIGHUP."""

    def surveys(self):
        return sum(r.path.endswith("/models") for r in self.judge.requests)

    def check_at_once(self, n=12):
        with concurrent.futures.ThreadPoolExecutor(n) as pool:
            answers = list(pool.map(lambda _: self.ask(CHAT, "rederive/check/big"), range(n)))
        self.assertEqual({(status, answer["rederive"]["admitted"]) for status, answer in answers}, {(200, True)})

    def test_one_for_all(self):
        self.serve_judged()
        self.check_at_once()
        self.assertEqual(self.surveys(), 1)
        calls = self.asked()
        self.assertTrue(self.verdict()["admitted"])
        self.assertEqual((self.surveys(), self.asked() - calls), (1, 3))  # a call for each step, and no other
        self.server.process.send_signal(signal.SIGHUP)
        until = time.monotonic() + SECONDS
        while self.surveys() < 2 and time.monotonic() < until:
            self.assertTrue(self.verdict()["admitted"])
        self.check_at_once()
        self.assertEqual(self.surveys(), 2)

    def test_what_a_server_that_fails_said_is_not_remembered(self):
        self.serve_judged(seconds_per_check=5)
        self.judge.answer(Reply.json({"error": {"message": "starting"}}, 500))
        self.assertFalse(self.verdict()["admitted"])
        came = self.surveys()
        self.assertGreater(came, 0)
        self.says(RIGHT)
        self.assertTrue(self.verdict()["admitted"])
        self.assertEqual(self.surveys(), came + 1)
        self.assertTrue(self.verdict()["admitted"])
        self.assertEqual(self.surveys(), came + 1)

    def test_who_leaves_while_it_asks_leaves_it_to_another(self):
        self.serve_judged()
        asked = threading.Event()
        listed = Reply.json({"object": "list", "data": [{"id": "k", "object": "model"}]})

        def survey(request):
            if not request.path.endswith("/models"):
                return said(RIGHT)
            first, _ = not asked.is_set(), asked.set()
            return Reply([60.0]) if first else listed

        self.judge.answer(survey)
        client = self.server.connect()
        client.request("POST", CHAT, json.dumps({"model": "rederive/check/big", **QUESTION[CHAT]}), {"Content-Type": "application/json"})
        self.assertTrue(asked.wait(SECONDS))
        with concurrent.futures.ThreadPoolExecutor(1) as pool:
            other = pool.submit(self.ask, CHAT, "rederive/check/big")
            while len(self.upstream.requests) < 2:
                time.sleep(0.02)
            time.sleep(0.2)
            self.assertEqual((self.surveys(), other.done()), (1, False))
            client.sock.close()
            self.assertTrue(other.result(SECONDS)[1]["rederive"]["admitted"])
        self.assertEqual(self.surveys(), 2)


class Rules(Checkers):
    def refused(self, *words, **rule):
        got = rederive("serve", "-M", "big=http://127.0.0.1:1/v1#m", "-M", "odd=messages+http://127.0.0.1:1/v1#o", *self.policy(**rule))
        self.assertEqual((got.status, got.out), (2, ""))
        for word in words:
            self.assertIn(word, got.err)

    def test_rules_that_cannot_be_kept(self):
        for method in ("perplexity", "rubric", "dyck", "values", "nothing", 7, None):
            self.refused("'method' must be", method=method)
        self.refused("'methods' must be", methods="selfcheck")
        self.refused("'methods' must be", methods=["selfcheck", "perplexity"])
        self.refused("no model that is served", method="selfcheck", checker="nobody")
        self.refused("'checker' must be", method="selfcheck", checker="")
        self.refused("speak no chat completions", method="selfcheck", checker="odd")
        self.refused("speak no chat completions", method="selfcheck")
        for name in ("tokens_per_check", "seconds_per_check"):
            for value in (0, -1, 1.5, "x", 1e13):
                self.refused(f"'{name}' must be a whole number", **{name: value})

    def test_a_request_chooses_among_what_is_offered(self):
        self.serve_judged(method="calculations", methods=[METHOD])
        self.assertEqual(self.verdict()["rule"]["method"], "calculations")
        self.assertEqual(self.judge.requests, [])
        self.assertEqual(self.verdict(rederive={"method": METHOD})["rule"]["method"], METHOD)
        rule = self.verdict(rederive={"method": METHOD, "mode": "strict"})["rule"]
        self.assertEqual((rule["method"], rule["mode"]), (METHOD, "strict"))
        for member in ({"method": "selfcheck"}, {"method": METHOD, "checker": "big"}, {"tokens_per_check": 1}, {"methods": ["selfcheck"]},
                       {"seconds_per_check": 1}, {"method": "perplexity"}):
            with self.subTest(member=member):
                status, answer = self.ask(CHAT, "big", rederive=member)
                self.assertEqual((status, answer["error"]["param"]), (400, "rederive"))


if __name__ == "__main__":
    unittest.main()
