# SPDX-License-Identifier: Apache-2.0
"""Streams by the mode `strict`: no byte of a step that is rejected reaches the client, and what is sent before it arrives whole.

RDV_STREAMS says how many streams are drawn; without it, few."""
import concurrent.futures
import http.client
import json
import os
import random
import re
import sys
import threading
import time
import unittest
from itertools import product
from pathlib import Path

from tiny import SECONDS
from verifying import (ALL, CHAT, MESSAGES, QUESTION, RESPONSES, RIGHT, TEXT, UNREAD, WRONG, Reply, Verifying, chat_chunk, data, events,
                       judgement_of, parsed, typed, whole)

sys.path.append(str(Path(__file__).parents[1] / "clients"))
from replies import full_events  # noqa: E402

SANITIZED = os.environ.get("RDV_SANITIZE", "none") != "none"
STREAMS = int(os.environ.get("RDV_STREAMS", 60 if SANITIZED else 400))
WORDS = {CHAT: "chat", TEXT: "chat", RESPONSES: "responses", MESSAGES: "messages"}
CUTS = {"byte": lambda text: list(text), "token": lambda text: re.findall(r"\s*\S{1,4}|\s+$", text), "whole": lambda text: [text]}
STYLES = {"paragraphs": lambda steps: [step + "\n\n" for step in steps],
          "headings": lambda steps: [f"Step {i + 1}: {step}\n" for i, step in enumerate(steps)],
          "numbers": lambda steps: [f"{i + 1}. {step}\n\n" for i, step in enumerate(steps)],
          "lines": lambda steps: [step + "\n" for step in steps],
          "maths": lambda steps: [f"Now\n\\[\n{i} = {i}\n\n\\]\nand {step}\n\n" for i, step in enumerate(steps)]}


def text_of(path, answer):
    """The text that a client has read of the events of a stream."""
    def of(event):
        if path in (CHAT, TEXT):
            choices = [c for c in event.get("choices", ()) if c["index"] == 0]
            return "".join((c.get("delta", {}).get("content") if path == CHAT else c["text"]) or "" for c in choices)
        if path == RESPONSES:
            return event["delta"] if event["type"] == "response.output_text.delta" else ""
        return event.get("delta", {}).get("text", "")
    return "".join(of(event) for event in answer if event != "[DONE]")


def thoughts(request):
    """The steps that a request for a step shows, and None if it is no such request."""
    if not request.path.endswith("/chat/completions") or b"Thought" not in request.raw:
        return None
    asked = "\n".join(m["content"] for m in request.body["messages"]).rpartition("\nQ: ")[2]
    return re.findall(r"^Thought \d+: (.+)$", asked, re.MULTILINE)


def is_error(event):
    return event != "[DONE]" and ("error" in event or event.get("type") == "error")


def has_ended(path, answer):
    """Whether the stream has its last event, as one that went well has."""
    last = answer[-1]
    return last == "[DONE]" if path in (CHAT, TEXT) else last.get("type") in ("response.completed", "message_stop")


class Strict(Verifying):
    RULE = {"plain": "judge", "mode": "strict"}

    def serve_strict(self, *options, model=None, **rule):
        self.serve(*self.policy(**self.RULE | rule), *options, model=model)

    def stream(self, path, reply, **members):
        """The events, or the body of a refusal."""
        self.upstream.answer(reply)
        status, answer = self.ask(path, "big", True, **members)
        self.assertEqual(status, 200 if isinstance(answer, list) else 422, answer)
        return answer

    def rejected(self, path, answer, text):
        """The client has that text, and an error that says why there is no more."""
        events_ = answer if isinstance(answer, list) else [answer]
        self.assertEqual(text_of(path, events_) if isinstance(answer, list) else "", text)
        self.assertTrue(is_error(events_[-1]), events_[-1])
        self.assertEqual([is_error(e) for e in events_[:-1]], [False] * (len(events_) - 1))
        said = events_[-1]
        self.assertIn("not_admitted", json.dumps(said) if path != MESSAGES else "not_admitted")
        self.assertFalse(said["rederive"]["admitted"])
        self.assertEqual(said["rederive"]["rule"]["mode"], "strict")

    def admitted(self, path, answer, text):
        self.assertIsInstance(answer, list)
        self.assertEqual(text_of(path, answer), text)
        self.assertTrue(has_ended(path, answer), answer[-1])
        self.assertFalse(any(map(is_error, answer)))
        self.assertTrue(judgement_of(path, answer)["admitted"])


class Steps(Strict):
    def test_a_step_is_sent_before_the_next_one_is_there(self):
        """The upstream does not go on before the client has the step."""
        self.serve_strict()
        for path in ALL:
            had = threading.Event()
            first, second = "3 + 4 = 7.\n\n", "So 7 + 1 = 8."
            made = events(path, first + second, pieces=[first, "So", *second[2:]])
            at = next(i for i, event in enumerate(made) if '"So"' in event) + 1
            self.upstream.answer(Reply.stream([*made[:at], had, *made[at:]]))
            connection = http.client.HTTPConnection(self.server.host, self.server.port, timeout=SECONDS)
            connection.request("POST", path, json.dumps({"model": "big", "stream": True, **QUESTION[path]}),
                               {"Content-Type": "application/json"})
            response = connection.getresponse()
            came = b""
            while b"3 + 4 = 7." not in came:
                came += response.read1()
            self.assertNotIn(b"So", came)
            had.set()
            came += response.read()
            connection.close()
            self.admitted(path, parsed(came), first + second)

    def test_nothing_of_a_rejected_step(self):
        self.serve_strict()
        for path, cut, bad in product(ALL, CUTS, (WRONG, UNREAD)):
            with self.subTest(path=path, cut=cut, bad=bad):
                text = f"1 + 1 = 2.\n\n{bad}\n\n2 + 2 = 4."
                answer = self.stream(path, Reply.stream(events(path, text, pieces=CUTS[cut](text))))
                self.rejected(path, answer, "1 + 1 = 2.\n\n")
                self.assertNotIn(bad[:4], json.dumps([e for e in answer if not is_error(e)]))
                self.assertNotIn("1 + 1", json.dumps(answer[-1]))

    def test_the_first_step_is_rejected(self):
        self.serve_strict()
        for path in ALL:
            self.rejected(path, self.stream(path, Reply.stream(events(path, WRONG))), "")

    def test_the_last_step_is_rejected(self):
        self.serve_strict()
        for path, cut in product(ALL, CUTS):
            text = "1 + 1 = 2.\n\n2 + 2 = 4.\n\n" + WRONG
            self.rejected(path, self.stream(path, Reply.stream(events(path, text, pieces=CUTS[cut](text)))), text[:-len(WRONG)])

    def test_an_admitted_unknown(self):
        self.serve_strict(unknown="admit")
        for path in ALL:
            self.admitted(path, self.stream(path, Reply.stream(events(path, UNREAD + "\n\n" + RIGHT))), UNREAD + "\n\n" + RIGHT)

    def test_a_reply_that_is_no_stream(self):
        self.serve_strict()
        for path in ALL:
            for text, status in ((RIGHT, 200), ("1 + 1 = 2.\n\n" + WRONG, 422)):
                self.upstream.answer(Reply.json(whole(path, text)))
                got, answer = self.ask(path, "big")
                self.assertEqual(got, status, answer)
                self.assertEqual(answer["rederive"]["admitted"], status == 200)
                self.assertEqual("1 + 1" in json.dumps(answer), False)

    def test_what_is_known_at_the_end_alone(self):
        """A reply that is cut off, or whose confidence is too low, ends with an error; its last step is not sent."""
        self.serve_strict()
        for path, end in ((CHAT, "length"), (TEXT, "length"), (RESPONSES, "incomplete"), (MESSAGES, "max_tokens")):
            text = "1 + 1 = 2.\n\nSo 2 + 2"
            self.rejected(path, self.stream(path, Reply.stream(events(path, text, end))), "1 + 1 = 2.\n\n")
        for path in ALL:
            self.rejected(path, self.stream(path, Reply.stream(events(path, "We have 3.\n\nYes.")), rederive={"threshold": 0.9}),
                          "We have 3.\n\n")


class Drawn(Strict):
    """Streams that slip, become unreadable, stall, break off or report an error at a known step, over all fronts; and such whose rejected
    steps are repaired, at once or with the second round, or cannot be."""
    KINDS = ("right", "slip", "unread", "stall", "break", "error", "repaired", "late", "equal", "hopeless")
    ENDS = [["So the answer is 5."], ["The final answer is 5 pens."], ["**Answer:** 5"], ["\\[ \\boxed{5} \\]"], ["#### 5"], ["Final answer:", "5"],
            ["The answer is:", "\\[", "\\boxed{5}", "\\]"]]
    HEADS = {"headings": "Step {}: ", "numbers": "{}. "}

    @staticmethod
    def sums(draw, name, n):
        """Right steps and wrong ones."""
        numbers = [(draw.randint(2, 90), draw.randint(2, 90)) for _ in range(n)]
        return [[f"{name}{i} gives {a} + {b} = {a + b + more}." for i, (a, b) in enumerate(numbers)] for more in (0, 1)]

    def make(self, draw, number):
        path, cut, style, kind = (draw.choice(among) for among in (ALL, sorted(CUTS), sorted(STYLES), self.KINDS))
        n = draw.randint(2, 6)  # with the longest end no more than the most steps of a repair
        at = draw.randrange(n)
        steps, slips = self.sums(draw, f"w{number}x", n)
        if kind not in ("right", "stall", "break", "error"):
            steps[at] = f"By w{number}x{at}, 12 / 5 is approximately 3." if kind == "unread" else slips[at]
        pieces = STYLES[style](steps)
        text = "".join(pieces)
        it = {"number": number, "path": path, "kind": kind, "cut": cut, "style": style, "text": text, "at": at, "n": n,
              "starts": [len("".join(pieces[:i])) for i in range(n + 1)], "rejected": steps[at],
              "drawn": self.sums(draw, f"r{number}y", n + 1), "n_drawn": 0,
              "end": draw.choice(self.ENDS)}
        made = events(path, text, pieces=CUTS[cut](text))
        ends = "whole"
        if kind == "stall":
            made.insert(draw.randrange(len(made)), 0.1)
        elif kind in ("break", "error"):
            made = made[:draw.randrange(1, max(2, len(made) - 2))]
            ends = "close" if kind == "break" else "whole"
            if kind == "error":
                error = {"error": {"message": "overloaded", "type": "x"}}
                made.append(typed({"type": "error", "message": "overloaded", **error}) if path in (RESPONSES, MESSAGES) else data(error))
        return it | {"reply": Reply.stream(made, ends=ends)}

    @staticmethod
    def step(it, n_steps, again):
        """What the model says in place of step n_steps."""
        right, wrong = it["drawn"]
        it["n_drawn"] += 1
        if again and it["kind"] in ("slip", "unread", "equal"):
            return it["rejected"]
        if it["kind"] == "hopeless":
            return f"No z{it['number']}z, 1 + 1 = {it['n_drawn'] + 2}."
        if n_steps >= it["n"]:
            return it["end"][n_steps - it["n"]]
        return wrong[n_steps] if it["kind"] == "late" and not again and n_steps == it["at"] + 1 else right[n_steps]

    def answer(self, drawn, request):
        if request.path.endswith("/models"):
            return Reply.json({"object": "list", "data": [{"id": "m", "object": "model"}]})
        it = re.findall(rb"number (\d+) ", request.raw)
        it = drawn[int(it[-1])] if it else None
        steps = thoughts(request)
        if steps is None:
            return it["reply"] if it else Reply.json(whole(CHAT, "yes"))
        return Reply.json(whole(CHAT, self.step(it, len(steps), request.body.get("temperature", 0) > 0)))

    def repaired_text(self, it):
        """What stood, and the steps that were drawn, which look like those."""
        stood = it["text"][:it["starts"][it["at"]]]
        steps = [*it["drawn"][0][it["at"]:it["n"]], *it["end"]]
        head = self.HEADS.get(it["style"], "")
        between = "\n" if stood.endswith("\n") and not stood.endswith("\n\n") else "\n\n"
        return stood + between.join(head.format(it["at"] + 1 + i) + step for i, step in enumerate(steps))

    def look(self, it):
        question = json.loads(json.dumps(QUESTION[it["path"]]).replace("How many?", f"number {it['number']} How many?"))
        status, raw = self.server.ask("POST", it["path"], {"model": "big", "stream": True, **question}, raw=True)
        answer = parsed(raw) if raw[:1] != b"{" else [json.loads(raw)]
        got = text_of(it["path"], answer) if raw[:1] != b"{" else ""
        if it["kind"] in ("right", "stall"):
            return self.admitted(it["path"], answer, it["text"])
        begins = it["starts"][it["at"]]
        if it["kind"] in ("break", "error"):
            self.assertTrue(is_error(answer[-1]), answer[-1])  # what came before is whole steps
            self.assertIn(len(got), it["starts"])
            return self.assertTrue(it["text"].startswith(got))
        bad = [f"w{it['number']}x{i}" for i in range(it["at"], it["n"])] + [f"z{it['number']}z"] + it["drawn"][1]
        self.assertEqual([text for text in bad if text.encode() in raw], [])
        if it["kind"] in ("repaired", "late"):
            self.admitted(it["path"], answer, self.repaired_text(it))
            late = it["kind"] == "late" and it["at"] + 1 < it["n"]
            rounds = judgement_of(it["path"], answer)["repair"]["rounds"]
            return self.assertEqual([r["outcome"] for r in rounds], ["repaired"] * (1 + late))
        self.assertFalse(has_ended(it["path"], answer) and "error" not in answer[-1])
        return self.rejected(it["path"], answer if raw[:1] != b"{" else answer[0], it["text"][:begins])

    def test_streams(self):
        self.serve_strict(repair=2)
        draw = random.Random(50)
        drawn = [self.make(draw, number) for number in range(STREAMS)]
        self.upstream.answer(lambda request: self.answer(drawn, request))

        def look(it):
            try:
                self.look(it)
            except Exception as e:  # pylint: disable=broad-except
                return f"{ {k: it[k] for k in ('number', 'path', 'kind', 'cut', 'style', 'at', 'text')} }: {e!r}"
            return None
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            wrong = [why for why in pool.map(look, drawn) if why]
        if wrong:
            self.fail(f"{len(wrong)} of {STREAMS}:\n" + "\n".join(wrong[:5]))


class Rules(Strict):
    def test_the_order_of_modes(self):
        """By what of a rejected reply reaches the client: all, all with the verdict, the steps before, nothing."""
        order = [{"mode": "after"}, {"mode": "whole", "not_admitted": "mark"}, {"mode": "strict"},
                 {"mode": "whole", "not_admitted": "refuse"}]
        for least, rule in enumerate(order):
            self.serve(*self.policy(plain="judge", **rule))
            for i, wish in enumerate(order):
                self.upstream.answer(Reply.json(whole(CHAT, RIGHT)))
                status, answer = self.ask(CHAT, "big", rederive=wish)
                self.assertEqual(status, 200 if i >= least else 400, (rule, wish, answer))

    def test_no_request_loosens_the_rule(self):
        self.serve_strict(reasoning="hold")
        tries = [{}, {"rederive": {}}, {"n": 1}, {"n": 3}, {"tools": []}, {"rederive": {"mode": "whole"}}, {"stream_options": {}},
                 {"rederive": {"reasoning": "hold"}}, {"metadata": {"rederive": {"mode": "after"}}}]
        for path, members in product(ALL, tries):
            with self.subTest(path=path, members=members):
                answer = self.stream(path, Reply.stream(events(path, "1 + 1 = 2.\n\n" + WRONG)), **members)
                self.assertNotIn("3 + 4", json.dumps(answer))
        for wish in ({"mode": "after"}, {"mode": "whole", "not_admitted": "mark"}, {"not_admitted": "mark"}, {"unknown": "admit"},
                     {"reasoning": "pass"}, {"mode": "strict", "not_admitted": "mark"}, {"repair": True}):
            self.assertEqual(self.ask(CHAT, "big", True, rederive=wish)[0], 400, wish)


class Carried(Strict):
    """What a stream carries beside its text."""

    def test_a_stream_that_is_admitted_has_all_events(self):
        """Those of the upstream, in their order, but for pieces of text that were cut."""
        self.serve_strict()
        for path in (CHAT, RESPONSES, MESSAGES):
            made = full_events(path, "1 + 1 = 2.\n\n" + RIGHT)
            answer = self.stream(path, Reply.stream(made))
            sent = parsed("".join(made).encode())
            kinds = [e if e == "[DONE]" else e.get("type") for e in answer if e == "[DONE]" or "rederive" not in e or path != CHAT]
            self.assertEqual(kinds, [e if e == "[DONE]" else e.get("type") for e in sent])

    def test_an_event_that_is_cut(self):
        """What begins a reply goes with the first part, what ends it with the last; nothing is there twice."""
        self.serve_strict()
        text = "1 + 1 = 2.\n\n2 + 2 = 4.\n\nCaf\u00e9 \U0001f600 \"so\" 3 + 4 = 7."
        logprobs = {"content": [{"token": "t", "logprob": -0.10, "bytes": [116], "top_logprobs": []}]}
        chunk = {"id": "c1", "object": "chat.completion.chunk", "created": 5, "model": "m", "odd": 1.50, "choices": [
            {"index": 0, "delta": {"role": "assistant", "content": text}, "logprobs": logprobs, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1, "completion_tokens": 2, "total_tokens": 3}}
        answer = self.stream(CHAT, Reply.stream([data(chunk), "data: [DONE]\n\n"]))
        self.admitted(CHAT, answer, text)
        chunks = [e for e in answer if e != "[DONE]" and e["choices"]]
        for member, of in (("role", lambda e: e["choices"][0]["delta"]), ("finish_reason", lambda e: e["choices"][0]),
                           ("logprobs", lambda e: e["choices"][0]), ("usage", lambda e: e)):
            self.assertEqual(sum(bool(of(e).get(member)) for e in chunks), 1, member)
        rejected = self.stream(CHAT, Reply.stream([data(chunk).replace("4 = 7", "4 = 8"), "data: [DONE]\n\n"]))
        self.rejected(CHAT, rejected, text[:24])
        self.assertFalse({"usage", "stop"} & set(re.findall(r"\w+", json.dumps(rejected[:-1]))))

    def test_sequence_numbers_of_responses(self):
        """They count up by one, though events were cut."""
        self.serve_strict()
        text = "1 + 1 = 2.\n\n2 + 2 = 4.\n\n3 + 3 = 6."
        made = [json.loads(e.split("data: ")[1]) for e in events(RESPONSES, text, pieces=[text])]
        numbered = [typed({**e, "sequence_number": i}) for i, e in enumerate(made)]
        numbers = [e["sequence_number"] for e in self.stream(RESPONSES, Reply.stream(numbered))]
        self.assertEqual(numbers, list(range(len(made) + 1)))

    def test_each_of_several_choices(self):
        """A choice whose steps are right goes on while another is behind; one that is wrong ends the stream."""
        self.serve_strict()
        pieces = [*"1 + 1 = 2.\n\n2 + 2 = 4."]
        chunks = [chat_chunk({"content": piece}, None, 1) for piece in pieces]
        behind = [chat_chunk({"content": "1 + 1"}, None, 0), *chunks]
        end = [chat_chunk({}, "stop", 0), chat_chunk({}, "stop", 1), "data: [DONE]\n\n"]
        had = threading.Event()
        self.upstream.answer(Reply.stream([*behind, had, chat_chunk({"content": " = 2."}, None, 0), *end]))
        connection = http.client.HTTPConnection(self.server.host, self.server.port, timeout=SECONDS)
        connection.request("POST", CHAT, json.dumps({"model": "big", "stream": True, "n": 2, **QUESTION[CHAT]}),
                           {"Content-Type": "application/json"})
        response = connection.getresponse()
        came = b""
        while came.count(b'"index": 1') < 12:
            came += response.read1()
        self.assertEqual(text_of(CHAT, parsed(came)), "")
        had.set()
        answer = parsed(came + response.read())
        connection.close()
        self.admitted(CHAT, answer, "1 + 1 = 2.")
        wrong = [chat_chunk({"content": WRONG}, None, 0), *chunks, *end]
        self.rejected(CHAT, self.stream(CHAT, Reply.stream(wrong), n=2), "")

    def test_several_choices_in_one_event(self):
        self.serve_strict()
        both = lambda texts: data({"id": "c1", "object": "chat.completion.chunk", "created": 5, "model": "m", "choices": [  # noqa: E731
            {"index": i, "delta": {"content": text}, "finish_reason": None} for i, text in enumerate(texts)]})
        end = [chat_chunk({}, "stop", 0), chat_chunk({}, "stop", 1), "data: [DONE]\n\n"]
        self.admitted(CHAT, self.stream(CHAT, Reply.stream([both((RIGHT, RIGHT)), *end]), n=2), RIGHT)
        for texts in ((RIGHT, WRONG), (WRONG, RIGHT), (RIGHT, UNREAD)):
            answer = self.stream(CHAT, Reply.stream([both(texts), *end]), n=2)
            self.rejected(CHAT, answer, "")

    def test_tool_calls_wait_for_the_text_before_them(self):
        self.serve_strict()
        call = {"tool_calls": [{"index": 0, "id": "t", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}
        for text in (RIGHT, WRONG):
            made = [chat_chunk({"content": text}), chat_chunk(call), chat_chunk({}, "tool_calls"), "data: [DONE]\n\n"]
            answer = self.stream(CHAT, Reply.stream(made))
            self.assertEqual('"function"' in json.dumps(answer), text == RIGHT)
        block = {"type": "content_block_start", "index": 2, "content_block": {"type": "tool_use", "id": "t", "name": "f", "input": {}}}
        for text in (RIGHT, WRONG):
            made = events(MESSAGES, text, "tool_use")
            answer = self.stream(MESSAGES, Reply.stream([*made[:-2], typed(block), *made[-2:]]))
            self.assertEqual("tool_use" in json.dumps(answer), text == RIGHT)
        item = {"type": "function_call", "id": "f", "call_id": "t", "name": "f", "arguments": "{}", "status": "completed"}
        for text in (RIGHT, WRONG):
            made = events(RESPONSES, text)
            answer = self.stream(RESPONSES, Reply.stream([*made[:-1], typed({"type": "response.output_item.added", "item": item}), made[-1]]))
            self.assertEqual("function_call" in json.dumps(answer), text == RIGHT)

    def test_reasoning(self):
        """By the rule it passes at once, or is held until the first step behind it was judged."""
        for reasoning, seen in (("pass", True), ("hold", False)):
            self.serve_strict(reasoning=reasoning)
            for path, mark in ((CHAT, '"hm"'), (MESSAGES, "signature")):
                self.assertEqual(mark in json.dumps(self.stream(path, Reply.stream(events(path, WRONG)))), seen)
                self.assertIn(mark, json.dumps(self.stream(path, Reply.stream(events(path, RIGHT)))))
                text = "1 + 1 = 2.\n\n" + WRONG
                self.assertIn(mark, json.dumps(self.stream(path, Reply.stream(events(path, text)))))

    def test_reasoning_is_dropped(self):
        """Nothing of it is sent, streamed or not, converted or not, whatever the mode; what follows counts on."""
        thoughts = ("hm", "thinking", "signature", "EqQB", "encrypted_content", "gAAA", '"reasoning_', "\"type\": \"reasoning", "sealed")
        for path, server, mode in product((CHAT, RESPONSES, MESSAGES), (CHAT, RESPONSES, MESSAGES), ("strict", "whole", "after")):
            if mode != "strict" and path != server:
                continue
            self.serve_strict(model=f"big={WORDS[server]}+{self.upstream.url}#m", mode=mode, reasoning="drop")
            text = "1 + 1 = 2.\n\n" + RIGHT
            for stream in (True, False):
                with self.subTest(path=path, server=server, mode=mode, stream=stream):
                    more = {"reasoning_content": "hm"} if server == CHAT else {}
                    self.upstream.answer(Reply.stream(self.thinking(server, text)) if stream else Reply.json(whole(server, text, **more)))
                    status, answer = self.ask(path, "big", stream)
                    self.assertEqual(status, 200, answer)
                    found = judgement_of(path, answer)
                    self.assertEqual((found["admitted"], found["rule"]["reasoning"]), (True, "drop"))
                    said = json.dumps([{**e, "rederive": 0, "response": {**e.get("response", {}), "rederive": 0, "reasoning": 0}}
                                       for e in (answer if stream else [answer]) if e != "[DONE]"])
                    self.assertEqual([thought for thought in thoughts if thought in said.replace('"reasoning_tokens"', "")], [])
                    if stream:
                        self.admitted(path, answer, text)
                        numbers = [e.get("output_index" if path == RESPONSES else "index") for e in answer if e != "[DONE]"]
                        self.assertEqual({n for n in numbers if n is not None}, {0} if path != CHAT else set())
                    if stream and path == RESPONSES and server == RESPONSES:
                        self.assertEqual([e["sequence_number"] for e in answer], list(range(len(answer))))
                        self.assertEqual([i["type"] for i in answer[-1]["response"]["output"]], ["message"])

    @staticmethod
    def thinking(path, text):
        """The events of a stream that thinks first."""
        made = events(path, text)
        if path == MESSAGES:
            thought = {"type": "content_block_delta", "index": 0, "delta": {"type": "thinking_delta", "thinking": "hm"}}
            return [*made[:3], typed(thought), *made[3:]]
        if path == RESPONSES:
            made = [json.loads(e.split("data: ")[1]) for e in made]
            item = {"type": "reasoning", "id": "x", "summary": [], "encrypted_content": "gAAA="}
            part = {"item_id": "x", "output_index": 0, "summary_index": 0}
            done = {**item, "summary": [{"type": "summary_text", "text": "hm"}]}
            made[-1]["response"]["output"][0] = done
            made[1:1] = [{"type": "response.output_item.added", "output_index": 0, "item": item},
                         {"type": "response.reasoning_summary_part.added", **part, "part": {"type": "summary_text", "text": ""}},
                         {"type": "response.reasoning_summary_text.delta", **part, "delta": "hm"},
                         {"type": "response.output_item.done", "output_index": 0, "item": done}]
            return [typed({**e, "sequence_number": i}) for i, e in enumerate(made)]
        tokens = {"content": [{"token": "hm", "logprob": -0.1, "bytes": None, "top_logprobs": []}]}
        spelt = json.loads(chat_chunk({"reasoning": "hm", "reasoning_details": [{"type": "reasoning.text", "text": "hm"}]}).split("data: ")[1])
        spelt["choices"][0]["logprobs"] = tokens
        return [made[0], data(spelt), *made[1:]]

    def test_reasoning_in_an_odd_place(self):
        """What is read as reasoning and was not dropped ends the reply before it is sent."""
        self.serve_strict(reasoning="drop")
        odd = chat_chunk({"x": "hm"}).replace('"x"', '"reasoning\\u005fcontent"')
        answer = self.stream(CHAT, Reply.stream([odd, *events(CHAT, RIGHT)]))
        self.assertNotIn("hm", json.dumps(answer))
        odd = events(CHAT, RIGHT)[1].replace('"delta"', '"d\\u0065lta"').replace('{"content"', '{"reasoning": "hm", "content"')
        self.upstream.answer(Reply.stream([odd, *events(CHAT, RIGHT)]))
        answer = self.ask(CHAT, "big", True)[1]
        self.assertNotIn("hm", json.dumps(answer))

    def test_thinking_within_the_text(self):
        self.serve_strict()
        for path in ALL:
            text = f"<think>1 + 1 = 2.\n\n{WRONG}</think>\n\n{RIGHT}"
            self.rejected(path, self.stream(path, Reply.stream(events(path, text))), "<think>1 + 1 = 2.\n\n")
            text = f"<think>1 + 1 = 2.\n\n{RIGHT}</think>\n\n{RIGHT}"
            self.admitted(path, self.stream(path, Reply.stream(events(path, text))), text)

    @unittest.skipIf(SANITIZED, "it takes ten seconds, and the clock is no matter of sanitizers")
    def test_heartbeats(self):
        self.serve_strict()
        made = events(CHAT, "1 + 1 = 2.\n\n2 + 2 = 4.")
        self.upstream.answer(Reply.stream([*made[:-4], 11.0, *made[-4:]]))
        raw = self.server.ask("POST", CHAT, {"model": "big", "stream": True, **QUESTION[CHAT]}, raw=True)[1]
        self.assertIn(b"\n\n: the reply is being checked\n\n", raw)
        self.admitted(CHAT, parsed(raw), "1 + 1 = 2.\n\n2 + 2 = 4.")

    def test_limits(self):
        self.serve_strict()
        for path in ALL:
            for text, why in (("1 + 1 = 2.\n\n" + "x" * 66000 + "\n\nThe end.", "a step of more than 65536 bytes"),
                              ("1 + 1 = 2.\n\n" + ("1 " + "x" * 60000 + "\n\n") * 18, "text beyond 1 MiB")):
                answer = self.stream(path, Reply.stream(events(path, text, pieces=[text[i:i + 5000] for i in range(0, len(text), 5000)])))
                self.assertTrue(is_error(answer[-1]))
                self.assertIn(why, json.dumps(answer[-1]))
                self.assertTrue(text.startswith(text_of(path, answer)))

    def test_what_an_upstream_smuggles(self):
        """Text where none is expected ends the stream, and none of it is sent."""
        self.serve_strict()
        bad = "3 + 4 = 8"
        lies = {
            CHAT: [chat_chunk({"odd": bad}), chat_chunk({"audio": {"transcript": bad}}), data({"choices": [{"index": 0, "message": {"content": bad}}]}),
                   data({"error": {"message": "x"}, "choices": [{"index": 0, "delta": {"content": bad}}]}),
                   chat_chunk({"content": [{"type": "odd", "text": bad}]}), chat_chunk({"content": [{"type": "text", "text": bad}]})],
            TEXT: [data({"choices": [{"index": 0, "text": "", "odd": bad}]}), data({"choices": [{"index": 0, "text": {"a": bad}}]})],
            RESPONSES: [typed({"type": "response.output_item.added", "item": whole(RESPONSES, bad)["output"][1]}),
                        typed({"type": "response.in_progress", "response": whole(RESPONSES, bad)}),
                        typed({"type": "response.odd.delta", "delta": bad}), typed({"type": "response.output_text.done", "text": bad}),
                        typed({"type": "response.output_item.done", "item": whole(RESPONSES, bad)["output"][1]}),
                        typed({"type": "response.completed", "response": whole(RESPONSES, bad)})],
            MESSAGES: [typed({"type": "content_block_start", "index": 2, "content_block": {"type": "text", "text": bad}}),
                       typed({"type": "content_block_delta", "index": 2, "delta": {"type": "odd_delta", "text": bad}}),
                       typed({"type": "odd", "text": bad})]}
        for path, inserted in lies.items():
            for lie, first in product(inserted, ("", "1 + 1 = 2.\n\n2 + 2 = 4.")):
                with self.subTest(path=path, lie=lie, first=first):
                    made = events(path, first)
                    at = next(i for i, e in enumerate(made) if "finish_reason\": \"stop" in e or "block_stop\", \"index\": 1" in e
                              or "output_text.done" in e or "\"text\": \"\", \"finish_reason\": \"stop" in e)
                    answer = self.stream(path, Reply.stream([*made[:at], lie, *made[at:]])) if "\"error\"" not in lie else None
                    if answer is None:
                        self.upstream.answer(Reply.stream([*made[:at], lie, *made[at:]]))
                        answer = self.ask(path, "big", True)[1]
                    self.assertNotIn(bad, json.dumps(answer))
                    self.assertTrue(is_error(answer[-1] if isinstance(answer, list) else answer))

    def test_after_a_rejection_the_upstream_is_left(self):
        self.serve_strict()
        self.upstream.answer(Reply.stream([*events(CHAT, WRONG + "\n\nThen")[:-2], 60.0]))
        self.ask(CHAT, "big", True)
        end = time.monotonic() + SECONDS
        while not self.upstream.requests[-1].left and time.monotonic() < end:
            time.sleep(0.02)
        self.assertTrue(self.upstream.requests[-1].left)


class Converted(Strict):
    """In front of a server of another protocol."""

    def test_conversions(self):
        for path, server in product((CHAT, RESPONSES, MESSAGES), repeat=2):
            if path == server:
                continue
            self.serve_strict(model=f"big={WORDS[server]}+{self.upstream.url}#m")
            for cut in CUTS:
                with self.subTest(path=path, server=server, cut=cut):
                    right = "1 + 1 = 2.\n\n2 + 2 = 4."
                    self.admitted(path, self.stream(path, Reply.stream(events(server, right, pieces=CUTS[cut](right)))), right)
                    wrong = "1 + 1 = 2.\n\n" + WRONG
                    self.rejected(path, self.stream(path, Reply.stream(events(server, wrong, pieces=CUTS[cut](wrong)))), "1 + 1 = 2.\n\n")


class Guardrail(Strict):
    """The address that LiteLLM asks whether a reply may be sent."""
    GUARD = "/beta/litellm_basic_guardrail_api"

    def guard(self, *texts, key=None, **members):
        body = {"input_type": "response", "texts": texts, **members}
        return self.server.ask("POST", self.GUARD, body, {"x-api-key": key} if key else None)

    def test_by_the_rule_of_the_key(self):
        path = Path(self.path("policy.json"))
        path.write_text(json.dumps({"default": {"mode": "strict"}}), encoding="utf-8")
        self.serve("--policy", str(path), "--api-key-env", "KEY", env={"KEY": "guard-secret-1"})
        for key in (None, "guard-secret-2"):
            self.assertEqual(self.guard(RIGHT, key=key)[0], 401)
        self.assertEqual(self.guard(RIGHT, key="guard-secret-1"), (200, {"action": "NONE", "stream_holdback_chars": [len(RIGHT)]}))
        status, answer = self.guard(f"{WRONG}\n\nSo", key="guard-secret-1")
        self.assertEqual((status, answer["action"]), (200, "BLOCKED"))
        self.assertNotIn("3 + 4", json.dumps(answer))
        for wish in ({"mode": "after"}, {"unknown": "admit"}, {"odd": 1}, None):
            status, answer = self.guard(RIGHT, key="guard-secret-1", additional_provider_specific_params={"rederive": wish})
            self.assertEqual((status, "action" in answer), (400, False), wish)
        self.assertEqual(self.server.ask("GET", self.GUARD, headers={"x-api-key": "guard-secret-1"})[0], 405)

    def test_texts_that_take_long(self):
        self.serve()
        status, answer = self.guard(" ".join(f"{i} + {i} = {2 * i}," for i in range(30000)))
        self.assertEqual((status, answer["action"]), (200, "BLOCKED"))


if __name__ == "__main__":
    unittest.main()
