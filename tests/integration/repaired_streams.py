# SPDX-License-Identifier: Apache-2.0
"""Streams by the mode `strict` whose rejected steps are repaired: the model is asked for another step and for those behind it, each is
judged before it is sent, and the client gets one stream of its protocol."""
import json
import re
import threading
import time
import unittest
from itertools import product

from strict import CUTS, Strict, has_ended, is_error, text_of, thoughts
from support import rederive
from tiny import SECONDS
from verifying import (ALL, CHAT, MESSAGES, QUESTION, RESPONSES, RIGHT, TEXT, UNREAD, WRONG, Reply, chat_chunk, data, events, judgement_of,
                       parsed, typed, whole)

GOOD = "So 3 + 4 = 7."
END = "The answer is 7."


def said(text, **more):
    return Reply.json(whole(CHAT, text, **more))


def repair_of(path, answer):
    """What was done, of a stream or of the error that ends it or takes its place."""
    said_last = answer[-1] if isinstance(answer, list) else answer
    return (said_last["rederive"] if is_error(said_last) else judgement_of(path, answer))["repair"]


class Repaired(Strict):
    """`self.stream_of` is what the model streams, `self.draw` what it says of a step: of the steps before it, and whether another one was
    rejected in its place."""
    RULE = {"plain": "judge", "mode": "strict", "repair": 2}

    def setUp(self):
        super().setUp()
        self.draw = lambda steps, again: GOOD if again else END
        self.stream_of = lambda request: Reply.stream(events(request.path, WRONG))
        self.upstream.answer(self.reply)

    def reply(self, request):
        if request.path.endswith("/models"):
            return Reply.json({"object": "list", "data": [{"id": "m", "object": "model"}]})
        steps = thoughts(request)
        if steps is None:
            return self.stream_of(request) if request.body.get("stream") else said("yes")
        drawn = self.draw(steps, request.body.get("temperature", 0) > 0)
        return said(drawn) if isinstance(drawn, str) else drawn

    def got(self, path, text, cut="token", **members):
        """The events, or the body of a refusal, for a stream of that text."""
        self.stream_of = lambda request: Reply.stream(events(request.path, text, pieces=CUTS[cut](text)))
        status, answer = self.ask(path, "big", True, **members)
        self.assertEqual(status, 200 if isinstance(answer, list) else 422, answer)
        return answer

    def drawn(self):
        """How many requests for steps the model got."""
        return sum(thoughts(r) is not None for r in self.upstream.requests)


class Steps(Repaired):
    def test_a_step_is_repaired(self):
        self.serve_strict()
        for path, cut, bad in product(ALL, CUTS, (WRONG, UNREAD)):
            with self.subTest(path=path, cut=cut, bad=bad):
                answer = self.got(path, f"1 + 1 = 2.\n\n{bad}\n\nSo it is 8.", cut)
                self.admitted(path, answer, f"1 + 1 = 2.\n\n{GOOD}\n\n{END}")
                self.assertNotIn(bad, json.dumps(answer))
                repair = repair_of(path, answer)
                self.assertEqual([(r["step"], r["outcome"]) for r in repair["rounds"]], [(1, "repaired")])
                self.assertEqual((repair["n_steps_after"], repair["rounds"][0]["n_samples"]), (1, 8))
                self.assertEqual([v["verdict"] for v in judgement_of(path, answer)["choices"][0]["verdicts"]],
                                 ["support", "support", "unrelated"])

    def test_the_first_and_the_last_step(self):
        self.serve_strict()
        for path in ALL:
            self.admitted(path, self.got(path, WRONG), f"{GOOD}\n\n{END}")
            self.admitted(path, self.got(path, "1 + 1 = 2.\n\n2 + 2 = 4.\n\n" + WRONG), f"1 + 1 = 2.\n\n2 + 2 = 4.\n\n{GOOD}\n\n{END}")

    def test_steps_look_like_those_before(self):
        self.serve_strict()
        for text, wanted in (("Step 1: 1 + 1 = 2.\nStep 2: 3 + 4 = 8.\nStep 3: Yes.", f"Step 1: 1 + 1 = 2.\nStep 2: {GOOD}\nStep 3: {END}"),
                             ("1. 1 + 1 = 2.\n\n2. 3 + 4 = 8.\n\n3. Yes.", f"1. 1 + 1 = 2.\n\n2. {GOOD}\n\n3. {END}"),
                             ("1 + 1 = 2.\n3 + 4 = 8.\nYes.", f"1 + 1 = 2.\n{GOOD}\n{END}")):
            for path in ALL:
                answer = self.got(path, text)
                self.admitted(path, answer, wanted)
                alone = rederive("check", "-q", stdin=json.dumps({"question": "How many?", "solution": wanted})).records[0]
                self.assertEqual(len(alone["verdicts"]), 3)

    def test_a_repair_ends_where_the_answer_is_announced(self):
        """In whatever way: no further step is asked for. What says that there is none, or announces another thing, does not end it."""
        self.serve_strict()
        before, after = f"1 + 1 = 2.\n\n{GOOD}\n\n", ("The answer is unknown.", "Suppose the answer is 7.", "Then 7 + 1 = 8.")
        for end in ("The final answer is 8.", "**Answer:** 8", "\\[ \\boxed{8} \\]", "#### 8", "Final answer: 8 pens",
                    "So the answer is 8. Let me check: 7 + 1 = 8.", "Die Antwort lautet 8."):
            steps = [*after, end]
            self.draw = lambda done, again, steps=steps: GOOD if again else steps[len(done) - 2] if len(done) - 2 < len(steps) else "And on."
            for path in ALL:
                with self.subTest(end=end, path=path):
                    self.upstream.requests.clear()
                    self.admitted(path, self.got(path, "1 + 1 = 2.\n\n" + WRONG), before + "\n\n".join(steps))
                    self.assertEqual(self.drawn(), 8 + len(steps))

    def test_an_answer_in_several_steps(self):
        """The step that is announced ends the repair, displayed maths whole."""
        self.serve_strict()
        for steps in (["The final answer is:", "8 pens"], ["### Answer", "8"], ["The answer is:", "\\[", "\\boxed{8}", "\\]"]):
            self.draw = lambda done, again, steps=steps: GOOD if again else [*steps, "And on."][len(done) - 1]
            for path in ALL:
                with self.subTest(steps=steps, path=path):
                    self.admitted(path, self.got(path, WRONG), "\n\n".join([GOOD, *steps]))

    def test_all_the_rest_in_one_reply(self):
        """Of a server that stops at no line: each step is the first line of its reply, and judged before the next one is asked for."""
        self.serve_strict()
        steps = [GOOD, "Then 7 + 1 = 8.", "Final answer: 8"]
        self.draw = lambda done, again: "\n".join(f"Thought {n}: {step}" for n, step in enumerate([*steps, "And on."], 1) if n > len(done))
        for path in ALL:
            with self.subTest(path=path):
                self.upstream.requests.clear()
                self.admitted(path, self.got(path, WRONG), "\n\n".join(steps))
                self.assertEqual(self.drawn(), 8 + 2)

    def test_a_sample_has_a_length_like_the_rejected_step(self):
        self.serve_strict()
        long = "So we add them, " + "and add them, " * 20 + WRONG
        for bad, most in ((WRONG, 150), (long, 300)):
            self.upstream.requests.clear()
            self.got(CHAT, bad)
            limits = [r.body.get("max_tokens") or r.body["max_completion_tokens"] for r in self.upstream.requests if thoughts(r) is not None]
            self.assertEqual(limits, [most] * 8 + [300] * (len(limits) - 8))
            self.assertGreater(len(limits), 8)

    def test_what_the_model_is_asked(self):
        """For the steps as a repair does: those that stand, eight samples of the one that is rejected, and one of each that follows."""
        self.serve_strict()
        asked = []
        self.draw = lambda steps, again: asked.append((steps, again)) or (GOOD if again else "Then 7 + 1 = 8." if len(steps) < 3 else END)
        self.admitted(CHAT, self.got(CHAT, "1 + 1 = 2.\n\n" + WRONG), f"1 + 1 = 2.\n\n{GOOD}\n\nThen 7 + 1 = 8.\n\n{END}")
        self.assertEqual(asked, [(["1 + 1 = 2."], True)] * 8 + [(["1 + 1 = 2.", GOOD], False), (["1 + 1 = 2.", GOOD, "Then 7 + 1 = 8."], False)])
        self.assertIn("Q: How many?", self.upstream.requests[-1].raw.decode().replace("\\n", "\n"))

    def test_each_step_is_judged_before_the_next_is_asked_for(self):
        """The client has a repaired step while the one behind it is not written."""
        self.serve_strict()
        for path in ALL:
            had = threading.Event()
            wait = Reply([had, *said(END).pieces])
            self.draw = lambda steps, again, wait=wait: GOOD if again else wait
            text = "1 + 1 = 2.\n\n" + WRONG
            self.stream_of = lambda request, text=text: Reply.stream(events(request.path, text))
            connection = self.server.connect()
            connection.request("POST", path, json.dumps({"model": "big", "stream": True, **QUESTION[path]}),
                               {"Content-Type": "application/json"})
            response = connection.getresponse()
            came = b""
            while GOOD.encode() not in came:
                came += response.read1()
            had.set()
            came += response.read()
            connection.close()
            self.admitted(path, parsed(came), f"1 + 1 = 2.\n\n{GOOD}\n\n{END}")

    def test_the_next_step_is_rejected_too(self):
        """Each is a round; when they are used up, the stream ends, and no byte of a rejected step was sent."""
        self.serve_strict()
        bad = "Then 7 + 1 = 9."
        for path in ALL:
            self.draw = lambda steps, again: (GOOD if len(steps) < 2 else "Then 7 + 1 = 8.") if again else bad if len(steps) < 3 else END
            answer = self.got(path, "1 + 1 = 2.\n\n" + WRONG)
            self.admitted(path, answer, f"1 + 1 = 2.\n\n{GOOD}\n\nThen 7 + 1 = 8.\n\n{END}")
            self.assertEqual([(r["step"], r["outcome"]) for r in repair_of(path, answer)["rounds"]],
                             [(1, "repaired"), (2, "repaired")])
            self.draw = lambda steps, again: GOOD if again and len(steps) < 2 else bad
            answer = self.got(path, "1 + 1 = 2.\n\n" + WRONG)
            self.rejected(path, answer, f"1 + 1 = 2.\n\n{GOOD}")
            self.assertNotIn("7 + 1", json.dumps(answer))
            self.assertEqual([(r["step"], r["outcome"]) for r in repair_of(path, answer)["rounds"]],
                             [(1, "repaired"), (2, "all equal")])

    def test_what_is_drawn_is_rejected(self):
        self.serve_strict()
        draws = iter(f"No, 3 + 4 = {n}." for n in range(10, 10000))
        for path in ALL:
            self.draw = lambda steps, again: next(draws)
            answer = self.got(path, "1 + 1 = 2.\n\n" + WRONG)
            self.rejected(path, answer, "1 + 1 = 2.\n\n")
            self.assertNotIn("No, 3", json.dumps(answer))
            self.assertEqual([r["outcome"] for r in repair_of(path, answer)["rounds"]], ["rejected", "rejected"])
            for drawn, outcome in ((WRONG, "all equal"), ("", "failed")):
                self.draw = lambda steps, again, drawn=drawn: drawn
                answer = self.got(path, WRONG)
                self.rejected(path, answer, "")
                self.assertEqual({r["outcome"] for r in repair_of(path, answer)["rounds"]}, {outcome})

    def test_a_model_that_fails(self):
        """What is missing is no support: the stream ends with an error."""
        self.serve_strict("--timeout", "5", seconds_per_check=5)
        refused = Reply.json({"error": {"message": "no"}}, 400)
        for path in ALL:
            self.draw = lambda steps, again: refused
            self.rejected(path, self.got(path, "1 + 1 = 2.\n\n" + WRONG), "1 + 1 = 2.\n\n")
            self.draw = lambda steps, again: GOOD if again else refused
            answer = self.got(path, "1 + 1 = 2.\n\n" + WRONG)
            self.assertEqual(text_of(path, answer), f"1 + 1 = 2.\n\n{GOOD}")
            self.assertTrue(is_error(answer[-1]))
            self.assertIn("could not be continued", json.dumps(answer[-1]))
            self.assertFalse(has_ended(path, answer))

    def test_a_repair_without_an_answer_ends(self):
        self.serve_strict(repair=1)
        numbers = iter(range(2, 10000))
        self.draw = lambda steps, again: GOOD if again else f"And {(n := next(numbers))} + 1 = {n + 1}."
        for path in ALL:
            answer = self.got(path, WRONG)
            self.assertTrue(is_error(answer[-1]))
            self.assertFalse(answer[-1]["rederive"]["admitted"])
            self.assertLess(text_of(path, answer).count("And"), 10)


class Rules(Repaired):
    def test_no_request_loosens_the_rule(self):
        self.serve_strict(repair=1)
        for wish, status in (({"repair": 2}, 400), ({"repair": 1}, 200), ({"repair": 0}, 200), ({"repair": -1}, 400), ({"repair": True}, 400),
                             ({"repair": 0.5}, 400), ({"repair": "1"}, 400)):
            got, answer = self.ask(CHAT, "big", True, rederive=wish)
            self.assertIn(got, (200, 422) if status == 200 else (400,), answer)
            if status == 200:
                self.assertEqual(is_error((answer if isinstance(answer, list) else [answer])[-1]), not wish["repair"])

    def test_without_a_rule_nothing_is_repaired(self):
        self.serve(*self.policy(plain="judge", mode="strict"))
        for path in ALL:
            self.rejected(path, self.got(path, WRONG), "")
        self.assertEqual(self.drawn(), 0)

    def test_what_is_not_repaired(self):
        """A form that the rest of the text could not keep to, and thinking."""
        self.serve_strict()
        tool = {"type": "function", "function": {"name": "f", "parameters": {}}}
        for members in ({"tools": [tool]}, {"response_format": {"type": "json_object"}}):
            answer = self.got(CHAT, "1 + 1 = 2.\n\n" + WRONG, **members)
            self.rejected(CHAT, answer, "1 + 1 = 2.\n\n")
            self.assertIn("form", repair_of(CHAT, answer)["why"])
        self.stream_of = lambda request: Reply.stream(events(RESPONSES, WRONG))
        self.rejected(RESPONSES, self.ask(RESPONSES, "big", True, text={"format": {"type": "json_schema"}})[1], "")
        for path in ALL:
            answer = self.got(path, f"<think>1 + 1 = 2.\n\n{WRONG}</think>\n\nYes.")
            self.rejected(path, answer, "<think>1 + 1 = 2.\n\n")
            self.assertIn("thinking", repair_of(path, answer)["why"])
        wrong = [chat_chunk({"content": RIGHT + "\n\n"}, None, 1), chat_chunk({"content": WRONG + "\n\nYes"})]
        self.stream_of = lambda request: Reply.stream(wrong)
        self.assertIn("several choices", json.dumps(self.ask(CHAT, "big", True, n=2)[1]))
        self.assertEqual(self.drawn(), 0)
        for path in ALL:
            self.upstream.answer(Reply.json(whole(path, WRONG)))
            self.assertEqual(self.ask(path, "big")[0], 422)
        self.assertEqual(self.drawn(), 0)

    def test_the_limits_of_a_key(self):
        """A repair reserves its tokens, and counts what it used."""
        self.serve_strict(tokens_per_day=60000, tokens_per_check=50000)
        limits = {"max_tokens": 10}
        self.admitted(CHAT, self.got(CHAT, WRONG, **limits), f"{GOOD}\n\n{END}")
        self.serve_strict(tokens_per_day=40000, tokens_per_check=50000)
        answer = self.got(CHAT, WRONG, **limits)
        self.rejected(CHAT, answer, "")
        self.assertIn("leave no tokens", repair_of(CHAT, answer)["why"])

    def test_tokens_of_a_repair_end(self):
        self.serve_strict(tokens_per_check=100)
        answer = self.got(CHAT, WRONG)
        self.rejected(CHAT, answer, "")
        self.assertIn("no more tokens", repair_of(CHAT, answer)["why"])


class Carried(Repaired):
    """What a stream carries beside its text, where a step was repaired."""

    def test_the_server_of_the_stream_is_left(self):
        self.serve_strict()
        left = []
        text = WRONG + "\n\nThen"
        self.stream_of = lambda request: left.append(request) or Reply.stream([*events(CHAT, text)[:-2], 60.0])
        status, answer = self.ask(CHAT, "big", True)
        self.assertEqual(status, 200)
        self.admitted(CHAT, answer, f"{GOOD}\n\n{END}")
        end = time.monotonic() + SECONDS
        while not left[0].left and time.monotonic() < end:
            time.sleep(0.02)
        self.assertTrue(left[0].left)

    def test_usage_is_what_was_counted(self):
        """What the model's server counted of the stream that was left, and of each step."""
        self.serve_strict()
        answer = self.got(MESSAGES, WRONG)
        delta = next(e for e in answer if e["type"] == "message_delta")
        self.assertEqual(delta["delta"]["stop_reason"], "end_turn")
        repair = repair_of(MESSAGES, answer)
        self.assertEqual(repair["prompt_tokens"], repair["n_calls"])  # a token each
        self.assertEqual(delta["usage"], {"input_tokens": 1 + repair["prompt_tokens"], "output_tokens": 2 + repair["completion_tokens"]})
        answer = self.got(RESPONSES, WRONG)
        usage = answer[-1]["response"]["usage"]
        repair = repair_of(RESPONSES, answer)
        self.assertEqual(usage["total_tokens"], usage["input_tokens"] + usage["output_tokens"])
        self.assertGreaterEqual(usage["output_tokens"], repair["completion_tokens"])
        for asked in (False, True):
            answer = self.got(CHAT, WRONG, **({"stream_options": {"include_usage": True}} if asked else {}))
            counts = [e["usage"] for e in answer if e != "[DONE]" and e.get("usage")]
            self.assertEqual(len(counts), asked)
            repair = repair_of(CHAT, answer)
            if asked:
                self.assertEqual((counts[0]["prompt_tokens"], counts[0]["completion_tokens"]),
                                 (repair["prompt_tokens"], repair["completion_tokens"]))

    def test_a_stream_of_responses_is_whole(self):
        """Numbers count up, the parts are closed with their text, and the last event has all items."""
        self.serve_strict()
        text = "1 + 1 = 2.\n\n2 + 2 = 4.\n\n" + WRONG
        made = [json.loads(e.split("data: ")[1]) for e in events(RESPONSES, text, pieces=[text])]
        item = {"type": "reasoning", "id": "x", "summary": [], "encrypted_content": "gAAA="}
        made[1:1] = [{"type": "response.output_item.added", "output_index": 0, "item": item},
                     {"type": "response.output_item.done", "output_index": 0, "item": item}]
        self.stream_of = lambda request: Reply.stream([typed({**e, "sequence_number": i}) for i, e in enumerate(made)])
        answer = self.ask(RESPONSES, "big", True)[1]
        wanted = f"1 + 1 = 2.\n\n2 + 2 = 4.\n\n{GOOD}\n\n{END}"
        self.admitted(RESPONSES, answer, wanted)
        self.assertEqual([e["sequence_number"] for e in answer], list(range(len(answer))))
        kinds = [e["type"].removeprefix("response.") for e in answer]
        self.assertEqual(kinds[-4:], ["output_text.done", "content_part.done", "output_item.done", "completed"])
        self.assertEqual((answer[-4]["text"], answer[-3]["part"]["text"], answer[-2]["item"]["content"][0]["text"]), (wanted,) * 3)
        self.assertEqual([i["type"] for i in answer[-1]["response"]["output"]], ["reasoning", "message"])
        self.assertEqual(answer[-1]["response"]["status"], "completed")

    def test_reasoning_that_is_held(self):
        self.serve_strict(reasoning="hold")
        for path, mark in ((CHAT, '"hm"'), (MESSAGES, "signature")):
            answer = self.got(path, WRONG)
            self.admitted(path, answer, f"{GOOD}\n\n{END}")
            self.assertIn(mark, json.dumps(answer))
            self.draw = lambda steps, again: WRONG
            self.assertNotIn(mark, json.dumps(self.got(path, WRONG)))
            self.draw = lambda steps, again: GOOD if again else END

    def test_calls_of_tools_are_not_sent(self):
        """A model that calls a tool which the request does not have, behind a step that is rejected."""
        self.serve_strict()
        call = {"tool_calls": [{"index": 0, "id": "t", "type": "function", "function": {"name": "f", "arguments": "{}"}}]}
        made = [chat_chunk({"content": WRONG}), chat_chunk(call), chat_chunk({}, "tool_calls"), "data: [DONE]\n\n"]
        self.stream_of = lambda request: Reply.stream(made)
        answer = self.ask(CHAT, "big", True)[1]
        self.admitted(CHAT, answer, f"{GOOD}\n\n{END}")
        self.assertNotIn('"function"', json.dumps(answer))

    def test_the_last_event(self):
        """The end is said once, as a stream that was not repaired says it."""
        self.serve_strict()
        for path in ALL:
            answer = self.got(path, "1 + 1 = 2.\n\n" + WRONG)
            self.assertTrue(has_ended(path, answer))
            ends = re.findall(r'"(?:finish_reason|stop_reason)": "(\w+)"', json.dumps(answer))
            self.assertEqual(ends, [] if path == RESPONSES else ["end_turn" if path == MESSAGES else "stop"])
        chunks = [e for e in self.got(CHAT, WRONG) if e != "[DONE]"]
        self.assertEqual({(e["id"], e["created"], e["model"], e["object"]) for e in chunks}, {("c1", 5, "m", "chat.completion.chunk")})
        self.assertEqual(sum("role" in c["delta"] for e in chunks for c in e["choices"]), 1)
        one = [data({"id": "c1", "object": "chat.completion.chunk", "created": 5, "model": "m", "choices": [
            {"index": 0, "delta": {"role": "assistant", "content": WRONG}, "finish_reason": "stop"}]}), "data: [DONE]\n\n"]
        self.stream_of = lambda request: Reply.stream(one)
        chunks = [e for e in self.ask(CHAT, "big", True)[1] if e != "[DONE]"]
        self.assertEqual([c["delta"].get("role") for e in chunks for c in e["choices"]], ["assistant", None, None])

    def test_in_front_of_a_server_of_another_protocol(self):
        """One that speaks chat completions too is asked for the steps; another one is not."""
        for path, words, repairs in ((MESSAGES, "chat", True), (RESPONSES, "chat", True), (CHAT, "messages+chat", True),
                                     (CHAT, "messages", False), (TEXT, "chat", True)):
            self.serve_strict(model=f"big={words}+{self.upstream.url}#m")
            answer = self.got(path, "1 + 1 = 2.\n\n" + WRONG)
            if repairs:
                self.admitted(path, answer, f"1 + 1 = 2.\n\n{GOOD}\n\n{END}")
            else:
                self.rejected(path, answer, "1 + 1 = 2.\n\n")
                self.assertIn("do not speak chat completions", repair_of(path, answer)["why"])

    def test_a_client_that_leaves(self):
        """The model is asked for no further steps."""
        self.serve_strict()
        asked = threading.Event()
        self.draw = lambda steps, again: GOOD if again else asked.set() or Reply([60.0])
        text = "1 + 1 = 2.\n\n" + WRONG
        self.stream_of = lambda request: Reply.stream(events(request.path, text))
        connection = self.server.connect()
        connection.request("POST", CHAT, json.dumps({"model": "big", "stream": True, **QUESTION[CHAT]}), {"Content-Type": "application/json"})
        connection.getresponse().read1()
        asked.wait()
        connection.close()
        self.assertEqual(self.server.stop()[0], 0)

    def test_the_built_in_model(self):
        """It repairs its own replies, as far as it can; nothing rejected is sent."""
        self.serve_strict("-M", "builtin", repair=3)
        for path in ALL:
            status, answer = self.ask(path, "rederive", True, **({} if path == RESPONSES else {"max_tokens": 60}))
            self.assertIn(status, (200, 422))


if __name__ == "__main__":
    unittest.main()
