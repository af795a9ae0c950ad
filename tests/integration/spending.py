# SPDX-License-Identifier: Apache-2.0
"""`rederive serve`: limits of requests, tokens and dollars by key. What the model's server really wrote never passes a limit,
where requests state theirs, whatever it says of it and whenever clients leave."""
import concurrent.futures
import json
import pathlib
import random
import signal
import threading
import time
import unittest

from support import rederive
from verifying import ALL, CHAT, MESSAGES, QUESTION, RESPONSES, RIGHT, TEXT, Reply, Verifying, data, events, whole

LIMIT_OF = {CHAT: "max_completion_tokens", TEXT: "max_tokens", RESPONSES: "max_output_tokens", MESSAGES: "max_tokens"}
PRICES = {"big": {"input": 2.0, "output": 8.0}}


def used(path, into, out):
    if path in (CHAT, TEXT):
        return {"prompt_tokens": into, "completion_tokens": out, "total_tokens": into + out}
    return {"input_tokens": into, "output_tokens": out}


def reply_of(path, stream, usage):
    """A reply that says that usage; None: it says none."""
    if not stream:
        body = whole(path, RIGHT)
        del body["usage"]
        return Reply.json(body | ({"usage": usage} if usage else {}))
    out = []
    for event in events(path, RIGHT):
        parsed = None if "[DONE]" in event else json.loads(event[event.index("data: ") + 6:])
        for holder in (parsed or {}, (parsed or {}).get("response", {}), (parsed or {}).get("message", {})):
            if holder.pop("usage", None) and usage:
                holder["usage"] = usage
        if parsed is None and usage:
            out.append(data({"id": "c1", "object": "chat.completion.chunk", "created": 5, "model": "m", "choices": [], "usage": usage}))
        out.append(event if parsed is None else data(parsed, parsed.get("type")))
    return Reply.stream(out)


class Spending(Verifying):
    def serve_with(self, *options, **rule):
        self.file = self.path("keys")
        self.key = rederive("serve", "--keys", self.file, "--new-key", "one").out.strip()
        prices = self.path("prices.json")
        pathlib.Path(prices).write_text(json.dumps(PRICES))
        self.serve("--keys", self.file, *self.policy(**rule), "--prices", prices, "--log-json", *options)

    def send(self, path, stream=False, **members):
        return self.ask(path, "big", stream, {"x-api-key": self.key}, **members)

    def counted(self):
        """(tokens by the server, tokens estimated, dollars) of the key, once nothing is being answered."""
        until = time.monotonic() + 10
        while time.monotonic() < until:
            text = self.server.ask("GET", "/metrics", None, {"x-api-key": self.key}, raw=True)[1].decode()
            values = dict(line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#"))
            if values["rederive_open_model_requests"] == "0":
                break
        return (int(values['rederive_key_tokens_total{key="one",counted="server"}']),
                int(values['rederive_key_tokens_total{key="one",counted="estimate"}']),
                float(values['rederive_key_cost_dollars_total{key="one"}']))


class Counting(Spending):
    def test_as_the_server_counts(self):
        self.serve_with()
        n = 0
        for path in ALL:
            for stream in (False, True):
                self.upstream.answer(reply_of(path, stream, used(path, 100, 10)))
                self.assertEqual(self.send(path, stream)[0], 200)
                n += 1
                self.assertEqual(self.counted()[:2], (110 * n, 0), (path, stream))
        self.assertAlmostEqual(self.counted()[2], n * (100 * 2 + 10 * 8) / 1e6)
        err = self.server.stop()[1]
        told = [json.loads(line) for line in err.splitlines() if '"big"' in line]
        self.assertEqual({(e["prompt_tokens"], e["completion_tokens"], e["tokens_estimated"]) for e in told}, {(100, 10, False)})

    def test_streams_are_counted_for_limits(self):
        """Where a limit needs it the server is asked to count, and the client gets the stream as it asked for it."""
        self.serve_with(tokens_per_day=100000)
        for path in (CHAT, TEXT):
            self.upstream.answer(lambda request: reply_of(request.path, True, used(request.path, 9, 1)))  # noqa: B023
            for members in ({}, {"stream_options": {"include_usage": True}}, {"stream_options": {"include_usage": False}}):
                status, got = self.send(path, True, **members)
                self.assertEqual(status, 200)
                sent = self.upstream.requests[-1].body["stream_options"]
                self.assertEqual(sent, members.get("stream_options", {"include_usage": True}))
                counts = [e for e in got if e != "[DONE]" and e["choices"] == []]
                self.assertEqual(len(counts), 1 if members else 0)
        self.assertEqual(self.counted()[:2], (60, 0))

    def test_tokens_of_a_cache(self):
        self.serve_with()
        usage = {"input_tokens": 5, "cache_creation_input_tokens": 20, "cache_read_input_tokens": 300, "output_tokens": 7}
        self.upstream.answer(reply_of(MESSAGES, False, usage))
        self.send(MESSAGES)
        self.assertEqual(self.counted()[0], 332)

    def test_an_estimate_says_so(self):
        """What the server does not count is at least what it can have been."""
        self.serve_with()
        for path in ALL:
            for stream in (False, True):
                before = self.counted()
                self.upstream.answer(reply_of(path, stream, None))
                self.assertEqual(self.send(path, stream, **{LIMIT_OF[path]: 50})[0], 200)
                after = self.counted()
                size = len(self.upstream.requests[-1].raw)
                self.assertEqual(after[0], before[0])
                self.assertGreaterEqual(after[1] - before[1], 50 + size - 30, (path, stream))  # the name is another
                self.assertLessEqual(after[1] - before[1], 50 + size + 30)
        told = [json.loads(line) for line in self.server.stop()[1].splitlines() if '"big"' in line]
        self.assertEqual({e["tokens_estimated"] for e in told}, {True})

    def test_a_refused_request_costs_nothing(self):
        self.serve_with(tokens_per_day=6000)
        self.upstream.answer(Reply.json({"error": {"message": "no"}}, 500))
        for _ in range(20):
            self.assertEqual(self.send(CHAT, max_tokens=5000)[0], 500)
        self.assertEqual(self.counted(), (0, 0, 0))


class Limits(Spending):
    def refused(self, status, answer, code="insufficient_quota"):
        self.assertEqual((status, answer["error"]["code"]), (429, code), answer)
        return answer["error"]["message"]

    def test_tokens(self):
        self.serve_with(tokens_per_day=1000)
        self.upstream.answer(reply_of(CHAT, False, used(CHAT, 300, 100)))
        self.refused(*self.send(CHAT, max_tokens=1000))
        self.refused(*self.send(CHAT))  # 4,096 are reserved for a reply without a limit
        self.refused(*self.send(CHAT, max_tokens=300, n=4))
        self.refused(*self.send(CHAT, max_tokens=10, max_completion_tokens=1000))
        self.refused(*self.send(CHAT, max_completion_tokens=10, max_tokens=1000))
        self.refused(*self.send(TEXT, prompt=["a"] * 5, max_tokens=200, best_of=2))
        self.assertEqual(self.upstream.requests, [])
        self.upstream.answer(reply_of(TEXT, False, used(TEXT, 0, 0)))
        self.assertEqual(self.send(TEXT, prompt=[7] * 50, max_tokens=200)[0], 200)  # one prompt, of fifty tokens
        self.upstream.answer(reply_of(CHAT, False, used(CHAT, 300, 100)))
        for _ in range(2):
            self.assertEqual(self.send(CHAT, max_tokens=100)[0], 200)
        says = self.refused(*self.send(CHAT, max_tokens=200))
        self.assertIn("of the 1000 of a day (UTC), 800 are used", says)
        connection = self.server.connect()
        connection.request("POST", MESSAGES, json.dumps({"model": "big", **QUESTION[MESSAGES], "max_tokens": 500}),
                           {"Content-Type": "application/json", "x-api-key": self.key})
        response = connection.getresponse()
        self.assertEqual(json.loads(response.read())["error"]["type"], "rate_limit_error")
        self.assertLessEqual(int(response.getheader("Retry-After")), 86400)
        connection.close()

    def test_dollars(self):
        self.serve_with(dollars_per_day=0.01)
        self.upstream.answer(reply_of(CHAT, False, used(CHAT, 1000, 900)))
        self.assertEqual(self.send(CHAT, max_tokens=1000)[0], 200)  # 0.0092 dollars
        self.assertIn("0.0092 are spent", self.refused(*self.send(CHAT, max_tokens=100)))

    def test_requests_of_a_day(self):
        self.serve_with(per_day=2)
        self.upstream.answer(reply_of(CHAT, False, used(CHAT, 1, 1)))
        self.assertEqual([self.send(CHAT)[0] for _ in range(3)], [200, 200, 429])

    def test_what_is_reserved(self):
        """A request waits for those that are being answered, and says that it may come again at once."""
        self.serve_with(tokens_per_day=1000)
        self.upstream.answer(Reply.stream([events(CHAT, RIGHT)[0], 20.0], ends="close"))
        connection = self.server.connect()
        connection.request("POST", CHAT, json.dumps({"model": "big", "stream": True, "max_tokens": 700, **QUESTION[CHAT]}),
                           {"Content-Type": "application/json", "x-api-key": self.key})
        self.assertTrue(connection.getresponse().readline())
        self.refused(*self.send(CHAT, max_tokens=700), "rate_limit_exceeded")
        connection.close()

    def test_reload_forgets_nothing(self):
        self.serve_with(tokens_per_day=1000)
        self.upstream.answer(reply_of(CHAT, False, used(CHAT, 500, 100)))
        self.assertEqual(self.send(CHAT, max_tokens=100)[0], 200)
        for _ in range(3):
            self.server.process.send_signal(signal.SIGHUP)
            time.sleep(0.1)
        self.refused(*self.send(CHAT, max_tokens=400))
        self.assertEqual(self.counted()[0], 600)
        self.assertIn("read again", self.server.stop()[1])

    def test_what_cannot_be_used(self):
        url, policy, prices = self.upstream.url, self.path("policy.json"), self.path("prices.json")
        for rule, text, why in (({"dollars_per_day": 1}, "{}", "needs the price of the model 'big'"),
                                ({"dollars_per_day": 0}, "{}", "above 0"), ({"tokens_per_day": 1.5}, "{}", "whole number"),
                                ({"tokens_per_day": "9"}, "{}", "whole number"), ({"tokens_per_day": -1}, "{}", "whole number"),
                                ({}, '{"small":{"input":1,"output":1}}', "no model 'small'"), ({}, '{"big":{"input":1}}', "'output'"),
                                ({}, '{"big":{"input":-1,"output":1}}', "'input' must"), ({}, "[]", "object"), ({}, "", "prices.json"),
                                ({}, '{"big":{"input":1,"input":0,"output":1}}', "twice")):
            pathlib.Path(policy).write_text(json.dumps({"default": rule}))
            pathlib.Path(prices).write_text(text)
            run = rederive("serve", "-M", f"big={url}#m", "--port", "0", "--policy", policy, "--prices", prices)
            self.assertEqual(run.status, 2, (rule, text))
            self.assertIn(why, run.err)


class Never(Spending):
    """Random requests at once: what the model's server wrote, by its own count, stays within the limit."""
    ROUNDS, REQUESTS, TOKENS = 4, 120, 40000

    def reply_to(self, request):
        rng = random.Random(request.raw)
        body, path = request.body, request.path
        if rng.random() < 0.1:
            return Reply.json({"error": {"message": "no"}}, rng.choice((400, 429, 500)))
        into = len(request.raw) // rng.randint(1, 4)
        out = rng.randint(0, body[LIMIT_OF[path]] * body.get("n", 1))
        with self.lock:  # it writes all of that, whatever becomes of its client
            self.wrote += into + out
            self.cost += (into * PRICES["big"]["input"] + out * PRICES["big"]["output"]) / 1e6
        reply = reply_of(path, body.get("stream"), used(path, into, out) if rng.random() < 0.6 else None)
        if rng.random() < 0.2:  # it breaks off
            del reply.pieces[-1:]
            reply.ends = "close"
        if rng.random() < 0.3:
            reply.pieces.insert(1, 0.02)
        return reply

    def one(self, seed):
        rng = random.Random(seed)
        path = rng.choice(ALL)
        members = {LIMIT_OF[path]: rng.randint(1, 900)} | ({"n": rng.randint(1, 3)} if path in (CHAT, TEXT) else {})
        body = {"model": rng.choice(("big", "rederive/check/big")), **QUESTION[path], "stream": rng.random() < 0.5, "seed": seed} | members
        connection = self.server.connect()
        try:
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json", "x-api-key": self.key})
            if rng.random() < 0.2:
                connection.sock.settimeout(rng.random() * 0.05)  # leaves soon
            response = connection.getresponse()
            response.read()
            return response.status
        except OSError:
            return 0
        finally:
            connection.close()

    def test_no_limit_is_passed(self):
        self.lock = threading.Lock()
        for k in range(self.ROUNDS):
            self.wrote = self.cost = 0
            limit = {"tokens_per_day": self.TOKENS} if k % 2 else {"dollars_per_day": 0.2}
            pathlib.Path(self.path("keys")).unlink(missing_ok=True)
            self.serve_with(**limit)
            self.upstream.answer(self.reply_to)
            with concurrent.futures.ThreadPoolExecutor(16) as pool:
                statuses = list(pool.map(self.one, range(k * 1000, k * 1000 + self.REQUESTS)))
            server, estimate, dollars = self.counted()
            with self.subTest(limit=limit, wrote=self.wrote, cost=self.cost, counted=(server, estimate, dollars)):
                self.assertGreater(statuses.count(200), 10)
                self.assertGreater(statuses.count(429), 10)  # else nothing was limited
                if k % 2:
                    self.assertLessEqual(self.wrote, self.TOKENS)
                    self.assertLessEqual(server + estimate, self.TOKENS)
                else:
                    self.assertLessEqual(self.cost, 0.2)
                    self.assertLessEqual(dollars, 0.2)
                self.assertGreaterEqual(server + estimate, self.wrote)
            self.server.stop()


if __name__ == "__main__":
    unittest.main()
