# SPDX-License-Identifier: Apache-2.0
"""`rederive serve`: OpenAI's protocol over a model of random weights, clients that misbehave, and our own driver as
a client."""
import contextlib
import json
import os
import pathlib
import re
import resource
import signal
import socket
import time
import unittest

from support import Case, lines, rederive
from tiny import SECONDS, Serve, write_model

CHAT = "/v1/chat/completions"
HELLO = {"messages": [{"role": "user", "content": "Tom and the apples"}]}


class WithServer(Case):
    def setUp(self):
        super().setUp()
        self.model = write_model(self.path("tiny.gguf"), context=384)

    def serve(self, *options, **more):
        return self.enterContext(Serve(self.model, *options, **more))

    def assert_refused(self, answer, status, param=None, code=None):
        self.assertEqual(answer[0], status, answer)
        error = answer[1]["error"]
        self.assertEqual((error["param"], error["code"]), (param, code), error)
        self.assertTrue(error["message"] and error["type"])


class BuiltIn(WithServer):
    """The built-in model, which knows eight kinds of small tasks, says so: at its start, and in each reply."""

    def serve(self, *options, **more):
        return self.enterContext(Serve(None, *options, env={"RDV_MODEL": self.model}, **more))

    def test_says_what_it_is(self):
        server = self.serve()
        for reply in (server.chat()[1], server.text()[1]):
            self.assertIn("built-in model", reply["warning"])
            self.assertIn("do not rely on this reply", reply["warning"])
        for path, body in ((CHAT, HELLO), ("/v1/completions", {"prompt": "Tom"})):
            *events, done = server.stream(path, body | {"max_tokens": 3})
            self.assertEqual(["warning" in event for event in events], [True] + [False] * (len(events) - 1))
        status, error = server.ask("GET", "/")
        self.assertEqual(status, 404)
        self.assertIn("This is 'rederive serve'", error["error"]["message"])
        self.assertRegex(server.stop()[1], "it answers nothing else.*name it: rederive check -M")

    def test_a_model_of_ones_own_has_no_warning(self):
        server = self.enterContext(Serve(self.model, "--port", "0"))
        self.assertNotIn("warning", server.chat()[1])
        self.assertEqual(server.host, "127.0.0.1")
        self.assertNotIn("answers nothing else", server.stop()[1])


class Replies(WithServer):
    def setUp(self):
        super().setUp()
        self.server = self.serve()

    def test_a_chat(self):
        status, reply = self.server.chat(temperature=0, logprobs=True, top_logprobs=3)
        self.assertEqual(status, 200)
        self.assertEqual(reply["object"], "chat.completion")
        choice = reply["choices"][0]
        self.assertEqual(choice["message"]["role"], "assistant")
        self.assertEqual(choice["finish_reason"], "length")
        tokens = choice["logprobs"]["content"]
        self.assertEqual(len(tokens), reply["usage"]["completion_tokens"])
        self.assertEqual("".join(t["token"] for t in tokens), choice["message"]["content"])
        for token in tokens:  # greedy: the most probable of the three
            self.assertEqual(token["logprob"], token["top_logprobs"][0]["logprob"])
            self.assertEqual(len(token["top_logprobs"]), 3)

    def test_greedy_and_seeded_replies_are_the_same_again(self):
        for members in ({"temperature": 0}, {"seed": 7}, {"seed": -1, "top_p": 0.5}):
            first, second = self.server.chat(**members)[1], self.server.chat(**members)[1]
            self.assertEqual(first["choices"], second["choices"])
        self.assertNotEqual(self.server.chat(seed=7)[1]["choices"], self.server.chat(seed=8)[1]["choices"])
        self.assertNotEqual(self.server.chat()[1]["choices"], self.server.chat()[1]["choices"])

    def test_many_choices(self):
        reply = self.server.chat(n=5, seed=3)[1]
        self.assertEqual([c["index"] for c in reply["choices"]], list(range(5)))
        self.assertGreater(len({c["message"]["content"] for c in reply["choices"]}), 1)
        self.assertEqual(reply["choices"][0]["message"], self.server.chat(seed=3)[1]["choices"][0]["message"])
        self.assertLessEqual(reply["usage"]["completion_tokens"], 100)
        self.assertLess(reply["usage"]["prompt_tokens"], 30)  # not five times

    def test_stops(self):
        whole = self.server.chat(temperature=0, max_tokens=40)[1]["choices"][0]["message"]["content"]
        stop = next(whole[i:i + 2] for i in range(1, len(whole)) if whole[i:i + 2].isascii())
        choice = self.server.chat(temperature=0, max_tokens=40, stop=[stop, "\x1e"])[1]["choices"][0]
        self.assertEqual(choice["message"]["content"], whole[:whole.index(stop)])
        self.assertEqual(choice["finish_reason"], "stop")

    def test_a_stream_says_the_same(self):
        whole = self.server.chat(temperature=0, n=2)[1]
        body = HELLO | {"temperature": 0, "n": 2, "max_tokens": 20, "logprobs": True,
                        "stream_options": {"include_usage": True}}
        events = self.server.stream(CHAT, body)
        self.assertEqual(events.pop(), "[DONE]")
        usage = events.pop()
        self.assertEqual(usage["choices"], [])
        for name in ("prompt_tokens", "completion_tokens", "total_tokens"):
            self.assertEqual(usage["usage"][name], whole["usage"][name])
        for index in (0, 1):
            own = [e["choices"][0] for e in events if e["choices"][0]["index"] == index]
            self.assertEqual(own[0]["delta"]["role"], "assistant")
            said = "".join(c["delta"].get("content", "") for c in own)
            self.assertEqual(said, whole["choices"][index]["message"]["content"])
            self.assertEqual(own[-1]["finish_reason"], "length")
            self.assertEqual(sum(len((c["logprobs"] or {}).get("content", [])) for c in own), 20)

    def test_an_echo_scores_the_prompt(self):
        status, reply = self.server.text(prompt="Tom and the apples", echo=True, logprobs=2, max_tokens=0)
        self.assertEqual(status, 200)
        choice = reply["choices"][0]
        self.assertEqual(choice["text"], "Tom and the apples")
        logprobs = choice["logprobs"]
        self.assertEqual("".join(logprobs["tokens"]), choice["text"])
        self.assertEqual({len(v) for v in logprobs.values()}, {len(logprobs["tokens"])})
        for token, value, top in zip(logprobs["tokens"], logprobs["token_logprobs"], logprobs["top_logprobs"]):
            if value is not None:
                self.assertLess(value, 0)
                self.assertIn(token, top)
        self.assertEqual(reply["usage"]["completion_tokens"], 0)

    def test_an_echo_and_a_reply(self):
        choice = self.server.text(echo=True, logprobs=1, max_tokens=5, temperature=0)[1]["choices"][0]
        self.assertTrue(choice["text"].startswith("the apples"))
        self.assertEqual("".join(choice["logprobs"]["tokens"]), choice["text"])
        offsets = choice["logprobs"]["text_offset"]
        self.assertEqual(offsets, sorted(offsets))

    def test_several_prompts(self):
        reply = self.server.text(prompt=["the", "Tom"], n=2, temperature=0, max_tokens=4)[1]
        texts = [c["text"] for c in reply["choices"]]
        self.assertEqual((texts[0], texts[2]), (texts[1], texts[3]))
        self.assertEqual(texts[2], self.server.text(prompt="Tom", temperature=0, max_tokens=4)[1]["choices"][0]["text"])

    def test_vllms_prompt_logprobs_and_continuation(self):
        messages = HELLO["messages"] + [{"role": "assistant", "content": "the apples"}]
        reply = self.server.ask("POST", CHAT, {
            "messages": messages, "continue_final_message": True, "add_generation_prompt": False,
            "prompt_logprobs": 1, "max_tokens": 1})[1]
        places = reply["prompt_logprobs"]
        self.assertIsNone(places[0])
        self.assertEqual(len(places), reply["usage"]["prompt_tokens"])
        spelt = "".join(next(iter(place.values()))["decoded_token"] for place in places[1:])
        self.assertTrue(spelt.endswith("the apples"))

    def test_models_and_health(self):
        models = self.server.ask("GET", "/v1/models")[1]["data"]
        self.assertIn("rederive", [m["id"] for m in models])
        self.assertRegex(models[0]["id"], r"^tiny@[0-9a-f]{12}$")
        for model in models:
            self.assertEqual(self.server.ask("GET", "/v1/models/" + model["id"])[0], 200)
            self.assertEqual(self.server.chat(model=model["id"], max_tokens=1)[1]["model"],
                             model["id"].removeprefix("rederive/check/"))
        self.assertEqual(self.server.ask("GET", "/health"), (200, {"status": "ok"}))


class Refusals(WithServer):
    def test_in_openais_form(self):
        s = self.serve()
        self.assert_refused(s.ask("GET", "/v2/models"), 404)
        self.assert_refused(s.ask("GET", "/v1/models/gpt"), 404, "model", "model_not_found")
        self.assert_refused(s.ask("GET", CHAT), 405)
        self.assert_refused(s.ask("POST", "/v1/models", {}), 405)
        self.assert_refused(s.chat(model="gpt"), 404, "model", "model_not_found")
        for other in ("text/plain", "application/jsonx", "application/json-seq"):
            self.assert_refused(s.ask("POST", CHAT, b"a=b", {"Content-Type": other}), 415)
        self.assertEqual(s.ask("POST", CHAT, HELLO | {"max_tokens": 1},
                               {"Content-Type": "application/json; charset=utf-8"})[0], 200)
        said = s.ask("POST", CHAT, b"{}", {"Content-Type": "application/x-www-form-urlencoded"})  # as curl says
        self.assertIn("add -H 'Content-Type: application/json'", said[1]["error"]["message"])
        said = s.ask("POST", "/chat/completions", {})
        self.assertIn("begin with /v1", said[1]["error"]["message"])
        self.assert_refused(s.ask("POST", CHAT, b" " * (1 << 20) + b"{}"), 413)
        self.assert_refused(s.chat(n=0), 400, "n")
        self.assert_refused(s.chat(tools=[{"type": "function"}]), 400, "tools")
        self.assert_refused(s.chat(response_format={"type": "json_schema"}), 400, "response_format")
        self.assert_refused(s.chat("word " * 2000), 400, "messages", "context_length_exceeded")
        self.assert_refused(s.text(prompt="word " * 2000, stream=True), 400, "prompt", "context_length_exceeded")

    def test_a_key(self):
        s = self.serve("--api-key-env", "TEST_KEY", env={"TEST_KEY": "open-sesame"})
        self.assert_refused(s.chat(), 401, None, "invalid_api_key")
        self.assert_refused(s.ask("GET", "/nothing"), 401, None, "invalid_api_key")
        self.assertEqual(s.ask("GET", "/health")[0], 200)
        for key, status in (("Bearer wrong", 401), ("open-sesame", 401), ("Bearer open-sesame", 200)):
            self.assertEqual(s.ask("GET", "/v1/models", headers={"Authorization": key})[0], status)

    def test_no_key(self):
        ended = rederive("serve", "--model", "builtin:" + self.model, "--listen", "127.0.0.1:0",
                         "--api-key-env", "TEST_KEY", env={"TEST_KEY": "  "})
        self.assert_ended(ended, 2)

    def test_addresses(self):
        for where in ("8080", "localhost", "256.0.0.1:80", "127.0.0.1:99999"):
            ended = rederive("serve", "--model", "builtin:" + self.model, "--listen", where)
            self.assert_ended(ended, 2)
            self.assertIn("no address to listen at", ended.err)
        with socket.socket() as default:  # nobody listens at the default address while this does, or another
            with contextlib.suppress(OSError):
                default.bind(("127.0.0.1", 8080))
            ended = rederive("serve", "--model", "builtin:" + self.model)
        self.assert_ended(ended, 3)
        self.assertIn("127.0.0.1:8080", ended.err)
        status, err = self.serve("--listen", "0.0.0.0:0").stop()
        self.assertEqual(status, 0)
        self.assertIn("everyone who can reach", err)
        taken = f"127.0.0.1:{self.serve().port}"
        ended = rederive("serve", "--model", "builtin:" + self.model, "--listen", taken)
        self.assert_ended(ended, 3)
        self.assertEqual(ended.out, "")

    def test_ipv6(self):
        try:
            socket.create_server(("::1", 0), family=socket.AF_INET6).close()
        except OSError:
            self.skipTest("no IPv6 here")
        s = self.serve("--listen", "[::1]:0")
        self.assertIn("http://[::1]:", s.url)
        self.assertEqual(s.ask("GET", "/health")[0], 200)


class Hostile(WithServer):
    def setUp(self):
        super().setUp()
        self.server = self.serve()

    def tearDown(self):
        self.assertEqual(self.server.chat(max_tokens=1)[0], 200)
        super().tearDown()

    def raw(self, data):
        """What comes back for these bytes and their end. Half a request may be waited for: not here."""
        with socket.create_connection((self.server.host, self.server.port), timeout=2) as s:
            s.sendall(data)
            s.shutdown(socket.SHUT_WR)
            return s.recv(65536)

    def test_bodies(self):
        deep = b"[" * 100000
        for body in (b"", b"{", b"[]", b"null", b"5", b"\xff\xfe", b'{"messages":', deep, b'{"messages":' + deep,
                     b'{"messages":[{"role":"user","content":"' + b"\\u0000" * 1000, b'{"n":1e999}', b"\0" * 1000):
            for path in (CHAT, "/v1/completions"):
                self.assertEqual(self.server.ask("POST", path, body)[0], 400, body[:40])

    def test_wrong_types_everywhere(self):
        members = ["messages", "n", "stop", "seed", "temperature", "top_p", "max_tokens", "max_completion_tokens",
                   "logprobs", "top_logprobs", "stream", "stream_options", "model", "prompt_logprobs",
                   "continue_final_message", "best_of", "tools", "response_format"]
        values = [-1, 1e308, 10 ** 30, "x", True, {}, {"a": []}, [[]], [{}], [None], ""]
        connection = self.server.connect()
        for name in members:
            for value in values:
                connection.request("POST", CHAT, json.dumps(HELLO | {"max_tokens": 1} | {name: value}),
                                   {"Content-Type": "application/json"})
                response = connection.getresponse()
                self.assertIn(response.status, (200, 400, 404), (name, value))
                response.read()
        connection.close()

    def test_what_is_no_http(self):
        for data in (b"\0" * 100 + b"\r\n\r\n", b"GET\r\n\r\n", b"HELLO\r\n\r\n", b"GET / HTTP/9.9\r\n\r\n",
                     b"GET / HTTP/1.1\r\nA: " + b"x" * 100000 + b"\r\n\r\n",
                     b"POST " + CHAT.encode() + b" HTTP/1.1\r\nHost: localhost\r\nContent-Length: -5\r\n\r\n",
                     b"POST " + CHAT.encode() + b" HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"):
            try:
                self.raw(data)
            except OSError:  # closed while we still send, or waiting for more
                pass

    def test_an_endless_body_is_dropped(self):
        head = b"POST " + CHAT.encode() + (b" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                                           b"Transfer-Encoding: chunked\r\n\r\n")
        chunk = b"10000\r\n" + b"x" * 65536 + b"\r\n"
        with socket.create_connection((self.server.host, self.server.port), timeout=SECONDS) as s:
            s.sendall(head)
            with self.assertRaises(ConnectionError):
                for _ in range(1000):
                    s.sendall(chunk)

    def test_slow_clients_hold_up_nobody(self):
        slow = [socket.create_connection((self.server.host, self.server.port)) for _ in range(50)]
        for s in slow:
            s.sendall(b"POST " + CHAT.encode() + b" HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
        began = time.monotonic()
        self.assertEqual(self.server.chat(max_tokens=1)[0], 200)
        self.assertLess(time.monotonic() - began, SECONDS / 4)
        for s in slow:
            s.close()

    def test_clients_that_go_away_free_their_sequences(self):
        body = json.dumps(HELLO | {"n": 64, "stream": True}).encode()
        head = (f"POST {CHAT} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                f"Content-Length: {len(body)}\r\n\r\n").encode()
        gone = [socket.create_connection((self.server.host, self.server.port), timeout=SECONDS) for _ in range(9)]
        for s in gone:
            s.sendall(head + body)
        refused = gone[-1].recv(4096)  # 8 times 64 replies are all that are written at a time
        self.assertIn(b"429", refused.split(b"\r\n")[0])
        for s in gone:
            s.close()
        end = time.monotonic() + SECONDS
        while (status := self.server.chat(n=64, max_tokens=1)[0]) == 429 and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(status, 200)


class Ends(WithServer):
    def seconds_to_stop(self, number):
        s = self.serve()
        idle = s.connect()  # a connection that is kept does not keep the server
        idle.request("GET", "/health")
        idle.getresponse().read()
        began = time.monotonic()
        self.assertEqual(s.stop(number)[0], 0)
        idle.close()
        return time.monotonic() - began

    def test_at_once_when_nothing_is_under_way(self):
        """One of some: a busy machine makes one long, and what waits for the connection takes five seconds each time."""
        for number in (signal.SIGINT, signal.SIGTERM):
            self.assertTrue(any(self.seconds_to_stop(number) < 4 for _ in range(5)))

    def test_streams_under_way_are_ended(self):
        s = self.serve()
        connection = s.connect()
        connection.request("POST", CHAT, json.dumps(HELLO | {"n": 64, "stream": True}),
                           {"Content-Type": "application/json"})
        response = connection.getresponse()
        self.assertTrue(response.readline().startswith(b"data: "))
        s.process.send_signal(signal.SIGTERM)
        rest = response.read()  # to its end: the chunks are closed as they should be
        self.assertTrue(rest.rstrip().endswith(b"[DONE]") or b'"error"' in rest, rest[-300:])
        connection.close()
        self.assertEqual(s.process.wait(SECONDS), 0)
        self.assertEqual(s.process.communicate()[1], "")

    def test_a_client_that_does_not_read_is_cut(self):
        s = self.serve()
        body = json.dumps(HELLO | {"n": 64, "logprobs": True, "top_logprobs": 20}).encode()  # some 30 MB come back
        with socket.create_connection((s.host, s.port), timeout=SECONDS) as client:
            client.sendall((f"POST {CHAT} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
                            f"Content-Length: {len(body)}\r\n\r\n").encode() + body)
            self.assertEqual(client.recv(12), b"HTTP/1.1 200")
            began = time.monotonic()
            for _ in range(2):  # twice within half a second is once (cli/terminal.c)
                s.process.send_signal(signal.SIGTERM)
                time.sleep(0.2)
            self.assertIsNone(s.process.poll())
            self.assertEqual(s.process.wait(30), 0)
            self.assertLess(time.monotonic() - began, 20)

    def test_log(self):
        s = self.serve("--log")
        s.chat(max_tokens=3, seed=1)  # without a seed a reply may end before its third token
        s.ask("GET", "/nothing")
        status, err = s.stop()
        self.assertEqual(status, 0)
        self.assertRegex(err, r"POST /v1/chat/completions: 200, 1 reply, \d+ \+ 3 tokens, ")
        self.assertIn("GET /nothing: 404", err)


class OpenFiles(WithServer):
    """The limit of open files, and how many connections are held within it."""

    def need(self, hard):
        before = resource.getrlimit(resource.RLIMIT_NOFILE)
        if before[1] != resource.RLIM_INFINITY and before[1] < hard:
            self.skipTest(f"at most {before[1]} open files are allowed here")

    def limited(self, soft, hard):
        self.need(hard)
        return self.serve(files=(soft, hard))

    def hold(self, server, n):
        """Idle connections, n of them, and after them one that asks."""
        with contextlib.ExitStack() as kept:
            for _ in range(n):
                kept.enter_context(socket.create_connection((server.host, server.port), timeout=SECONDS))
            self.assertEqual(server.ask("GET", "/health")[0], 200)

    def test_the_limit_is_raised_as_far_as_allowed(self):
        for hard in (1024, 16384):
            s = self.limited(128, hard)
            limits = pathlib.Path(f"/proc/{s.process.pid}/limits").read_text()
            soft = int(re.search(r"Max open files +(\d+)", limits)[1])
            self.assertEqual(soft, min(hard, 12 * 1024 + 64))
            self.hold(s, 300)

    def test_those_to_the_servers_of_models_have_their_place(self):
        """12,288 connections of clients, 64 other files, 1,200 requests that are passed on, 256 kept, and 16 checks of 16 files."""
        self.need(16384)
        for hard, wanted in ((1024, 1024), (16384, 12288 + 64 + 1200 + 256 + 256)):
            with Serve(None, "-M", "big=http://127.0.0.1:1/v1#m", files=(128, hard)) as s:
                limits = pathlib.Path(f"/proc/{s.process.pid}/limits").read_text()
                self.assertEqual(int(re.search(r"Max open files +(\d+)", limits)[1]), wanted)
                self.hold(s, 300)

    def test_few_files(self):
        self.hold(self.limited(100, 100), 150)


class OurDriver(WithServer):
    """The driver asks the server, and the model directly: greedy replies are the same."""

    def setUp(self):
        super().setUp()
        self.server = self.serve()
        self.url = self.server.url + "#rederive"

    def test_models_says_yes_to_all(self):
        """But to what is another way for the same, or llama.cpp's own."""
        ended = rederive("models", "--model", self.url, "--json")
        self.assert_ended(ended, 0)
        found = json.loads(ended.out)
        self.assertEqual(found["software"], "rederive")
        self.assertEqual({name for name, can in found["capabilities"].items() if can != "yes"},
                         {"prefill_echo", "token_grammar", "top_k", "response_format", "choice"})

    def test_greedy_solutions_and_checks_are_the_same(self):
        self.write("q.jsonl", lines({"question_id": "q1", "question": "2 + 3?", "gold": "5"},
                                    {"question_id": "q2", "question": "4 * 4?"}))
        outs = {}
        for name, model in (("here", "builtin:" + self.model), ("http", self.url)):
            ended = rederive("solve", "-M", model, "-n", "2", "--stop", "none", "--temperature", "0", "-m",
                             "global", "--chains-out", self.path(name), self.path("q.jsonl"))
            self.assertIn(ended.status, (0, 1), ended.err)
            self.assertNotIn("Sanitizer", ended.err)
            outs[name] = [json.loads(line) for line in self.read(name).splitlines()]
        self.assertEqual(len(outs["here"]), 4)
        for here, http in zip(outs["here"], outs["http"]):
            self.assertEqual(here["steps"], http["steps"])
            self.assertEqual([v.get("evidence") for v in here["verdicts"]],
                             [v.get("evidence") for v in http["verdicts"]])


if __name__ == "__main__":
    unittest.main()
