# SPDX-License-Identifier: Apache-2.0
"""`rederive serve` in front of a server that speaks another protocol than the client: what a request and a reply say is there on
the other side, what cannot be said there is refused by name, and a converted reply is judged as one that passes."""
import copy
import json
import random
import sys
import unittest
from itertools import permutations
from pathlib import Path

from tiny import Serve
from verifying import (CHAT, MESSAGES, QUESTION, RESPONSES, RIGHT, UNREAD, WRONG, Reply, Upstream, Verifying, chat_chunk, data,
                       events, judgement_of, parsed, typed, whole)

sys.path.append(str(Path(__file__).parents[1] / "clients"))
from replies import THOUGHT, full, full_events  # noqa: E402

WORDS = {CHAT: "chat", MESSAGES: "messages", RESPONSES: "responses"}
PAIRS = list(permutations((CHAT, RESPONSES, MESSAGES), 2))  # (the client's protocol, the server's)
PAST_LIMIT = {CHAT: "length", RESPONSES: "incomplete", MESSAGES: "max_tokens"}
LIMITS = {RESPONSES: "max_output_tokens"}
PNG = "iVBORw0KGgo="
SCHEMA = {"type": "object", "properties": {"at": {"type": "number", "default": 1.50}}, "required": ["at"]}

# A request that says the same in each protocol: all that can be said in all of them.
REQUESTS = {
    CHAT: {"model": "m", "messages": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "caf\u00e9 \U0001f600"},
                                     {"type": "image_url", "image_url": {"url": f"data:image/png;base64,{PNG}"}},
                                     {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}]},
        {"role": "assistant", "content": "Let me look.", "reasoning_content": "hm", "reasoning_details": [
            {"type": "reasoning.text", "text": "hm", "signature": "EqQB"}, {"type": "reasoning.encrypted", "data": "c2VjcmV0"}],
         "tool_calls": [{"id": "call_1", "type": "function", "function": {"name": "look", "arguments": '{"at": 1.5}'}},
                        {"id": "call_2", "type": "function", "function": {"name": "look", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "call_1", "content": "5"},
        {"role": "tool", "tool_call_id": "call_2", "content": "6"},
        {"role": "user", "content": "And now?"}],
        "max_tokens": 99, "temperature": 0.10, "top_p": 0.5, "user": "u1", "reasoning_effort": "low",
        "tools": [{"type": "function", "function": {"name": "look", "description": "Look.", "parameters": SCHEMA, "strict": True}}],
        "tool_choice": {"type": "function", "function": {"name": "look"}}, "parallel_tool_calls": False,
        "response_format": {"type": "json_schema", "json_schema": {"name": "reply", "schema": SCHEMA, "strict": True}}},
    RESPONSES: {"model": "m", "input": [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": [{"type": "input_text", "text": "caf\u00e9 \U0001f600"},
                                     {"type": "input_image", "image_url": f"data:image/png;base64,{PNG}"},
                                     {"type": "input_image", "image_url": "https://example.org/a.png"}]},
        {"type": "reasoning", "summary": [{"type": "summary_text", "text": "hm"}], "encrypted_content": "EqQB"},
        {"type": "reasoning", "summary": [], "encrypted_content": "c2VjcmV0"},
        {"role": "assistant", "content": "Let me look."},
        {"type": "function_call", "call_id": "call_1", "name": "look", "arguments": '{"at": 1.5}'},
        {"type": "function_call", "call_id": "call_2", "name": "look", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "call_1", "output": "5"},
        {"type": "function_call_output", "call_id": "call_2", "output": "6"},
        {"role": "user", "content": "And now?"}],
        "max_output_tokens": 99, "temperature": 0.10, "top_p": 0.5, "user": "u1", "reasoning": {"effort": "low"}, "store": False,
        "text": {"format": {"type": "json_schema", "name": "reply", "schema": SCHEMA, "strict": True}},
        "tools": [{"type": "function", "name": "look", "description": "Look.", "parameters": SCHEMA, "strict": True}],
        "tool_choice": {"type": "function", "name": "look"}, "parallel_tool_calls": False},
    MESSAGES: {"model": "m", "system": [{"type": "text", "text": "Be brief."}], "messages": [
        {"role": "user", "content": [{"type": "text", "text": "caf\u00e9 \U0001f600"},
                                     {"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": PNG}},
                                     {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}]},
        {"role": "assistant", "content": [
            {"type": "thinking", "thinking": "hm", "signature": "EqQB"}, {"type": "redacted_thinking", "data": "c2VjcmV0"},
            {"type": "text", "text": "Let me look."}, {"type": "tool_use", "id": "call_1", "name": "look", "input": {"at": 1.50}},
            {"type": "tool_use", "id": "call_2", "name": "look", "input": {}}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "call_1", "content": "5"},
                                     {"type": "tool_result", "tool_use_id": "call_2", "content": "6"},
                                     {"type": "text", "text": "And now?"}]}],
        "max_tokens": 99, "temperature": 0.10, "top_p": 0.5, "metadata": {"user_id": "u1"},
        "output_config": {"effort": "low", "format": {"type": "json_schema", "schema": SCHEMA}},
        "tools": [{"name": "look", "description": "Look.", "input_schema": SCHEMA, "strict": True}],
        "tool_choice": {"type": "tool", "name": "look", "disable_parallel_tool_use": True}},
}

# What Responses have no place for.
MORE = {CHAT: {"top_k": 20, "stop": ["END", "\n"], "thinking": {"type": "enabled", "budget_tokens": 1024}},
        MESSAGES: {"top_k": 20, "stop_sequences": ["END", "\n"], "thinking": {"type": "enabled", "budget_tokens": 1024}}}

# What is refused of Responses in front of either, and in front of Responses.
OF_RESPONSES = [
    ({"previous_response_id": "r"}, "previous_response_id"), ({"store": True}, "store"), ({"background": True}, "background"),
    ({"conversation": "c"}, "conversation"), ({"include": ["reasoning.encrypted_content"]}, "include"), ({"odd": 1}, "odd"),
    ({"tools": [{"type": "web_search"}]}, "web_search"), ({"tools": [{"type": "mcp", "server_url": "https://example.org"}]}, "mcp"),
    ({"input": [{"type": "item_reference", "id": "x"}]}, "item_reference"), ({"truncation": "auto"}, "truncation"),
    ({"prompt": {"id": "p"}}, "prompt"), ({"max_tool_calls": 5}, "max_tool_calls"), ({"text": {"verbosity": "low"}}, "verbosity"),
    ({"reasoning": {"summary": "auto"}}, "summary"), ({"top_logprobs": 5}, "top_logprobs"), ({"metadata": {"a": "b"}}, "metadata"),
    ({"input": [{"role": "user", "content": [{"type": "input_file", "file_id": "f"}]}]}, "file_id"),
    ({"text": {"format": {"type": "json_object"}}}, "json_schema"), ({"safety_identifier": "x"}, "safety_identifier"),
    ({"input": [{"type": "function_call", "call_id": "1", "name": "f", "arguments": "[1]"}]}, "arguments")]

# What cannot be said in the other protocol: the request's members, and the name that the refusal must have.
REFUSED = {
    (RESPONSES, CHAT): OF_RESPONSES, (RESPONSES, MESSAGES): OF_RESPONSES,
    (CHAT, RESPONSES): [({name: value}, name) for name, value in MORE[CHAT].items()] + [({"n": 2}, "n"), ({"odd": 1}, "odd")],
    (MESSAGES, RESPONSES): [({name: value}, name.split("_")[0] if "stop" in name else name) for name, value in MORE[MESSAGES].items()] + [
        ({"tools": [{"type": "bash_20250124", "name": "bash"}]}, "bash_20250124")],
    (CHAT, MESSAGES): [
        ({"n": 2}, "n"), ({"seed": 5}, "seed"), ({"logprobs": True}, "logprobs"), ({"logit_bias": {"5": 1}}, "logit_bias"),
        ({"presence_penalty": 0.5}, "presence_penalty"), ({"store": True}, "store"), ({"metadata": {"a": "b"}}, "metadata"),
        ({"web_search_options": {}}, "web_search_options"), ({"response_format": {"type": "json_object"}}, "json_schema"),
        ({"tools": [{"type": "custom", "custom": {"name": "x"}}]}, "custom"), ({"odd": 1}, "odd"), ({"functions": []}, "functions"),
        ({"modalities": ["text", "audio"]}, "modalities"), ({"stop": "a", "prediction": {}}, "prediction"),
        ({"messages": [{"role": "user", "content": [{"type": "input_audio", "input_audio": {}}]}]}, "input_audio"),
        ({"messages": [{"role": "user", "content": "a", "name": "Tom"}]}, "name"),
        ({"messages": [{"role": "user", "content": "a"}, {"role": "system", "content": "b"}]}, "system"),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": "a", "refusal": "b"}]}]}, "refusal"),
        ({"messages": [{"role": "assistant", "tool_calls": [
            {"id": "1", "type": "function", "function": {"name": "f", "arguments": "[1]"}}]}]}, "arguments"),
        ({"max_tokens": 5, "max_completion_tokens": 6}, "max_tokens")],
    (MESSAGES, CHAT): [
        ({"tools": [{"type": "web_search_20250305", "name": "web_search"}]}, "web_search_20250305"), ({"odd": 1}, "odd"),
        ({"container": "c"}, "container"), ({"mcp_servers": [{}]}, "mcp_servers"), ({"service_tier": "standard_only"}, "service_tier"),
        ({"context_management": {}}, "context_management"), ({"metadata": {"user_id": "u", "more": 1}}, "more"),
        ({"messages": [{"role": "user", "content": [{"type": "document", "source": {}}]}]}, "document"),
        ({"messages": [{"role": "user", "content": [{"type": "thinking", "thinking": "a", "signature": "b"}]}]}, "role"),
        ({"messages": [{"role": "user", "content": [{"type": "text", "text": "a", "data": "b"}]}]}, "data"),
        ({"messages": [{"role": "assistant", "content": [{"type": "tool_use", "id": "1", "name": "f", "input": {}},
                                                         {"type": "text", "text": "a"}]}]}, "behind the call"),
        ({"tools": [{"name": "f", "input_schema": {}, "defer_loading": True}]}, "defer_loading"),
        ({"messages": [{"role": "user", "content": [{"type": "tool_result", "tool_use_id": "1", "content": [
            {"type": "image", "source": {"type": "url", "url": "https://example.org/a.png"}}]}]}]}, "texts only")],
}


def said(path, reply):
    """What a reply says, whole or as events, in a form that is the same for all protocols."""
    if isinstance(reply, list):
        reply = joined(path, [copy.deepcopy(event) for event in reply if event != "[DONE]"])
    if path == CHAT:
        choice = reply["choices"][0]
        message = choice["message"]
        details = [d for d in message.get("reasoning_details") or () if d.get("signature") or d.get("data")]
        return {"text": message.get("content") or "", "reasoning": message.get("reasoning_content", ""),
                "sealed": [d.get("signature") or d.get("data") for d in details],
                "calls": [(c["id"], c["function"]["name"], parsed_or_text(c["function"]["arguments"])) for c in message.get("tool_calls", ())],
                "end": {"stop": "stop", "tool_calls": "calls", "length": "length", "content_filter": "filter"}.get(
                    choice["finish_reason"], choice["finish_reason"]),
                "sequence": choice.get("stop_reason"), "usage": usage_of(reply.get("usage"), "prompt_tokens", "completion_tokens")}
    if path == RESPONSES:
        items = reply["output"]
        parts = [part for item in items if item["type"] == "message" for part in item["content"]]
        thoughts = [item for item in items if item["type"] == "reasoning"]
        texts = lambda item: "\n\n".join(p["text"] for p in [*item.get("content", ()), *item["summary"]])  # noqa: E731
        calls = [(i["call_id"], i["name"], parsed_or_text(i["arguments"])) for i in items if i["type"] == "function_call"]
        end = (reply.get("incomplete_details") or {}).get("reason", reply["status"])
        return {"text": "\n\n".join(p["text"] for p in parts), "reasoning": "\n\n".join(t for i in thoughts if (t := texts(i))),
                "sealed": [i["encrypted_content"] for i in thoughts if i.get("encrypted_content")], "calls": calls,
                "end": {"completed": "calls" if calls else "stop", "max_output_tokens": "length", "content_filter": "filter"}.get(end, end),
                "sequence": None, "usage": usage_of(reply.get("usage"), "input_tokens", "output_tokens")}
    blocks = reply["content"]
    return {"text": "\n\n".join(b["text"] for b in blocks if b["type"] == "text"),
            "reasoning": "\n\n".join(b["thinking"] for b in blocks if b["type"] == "thinking"),
            "sealed": [s for b in blocks if (s := b.get("signature") or b.get("data"))],
            "calls": [(b["id"], b["name"], b["input"]) for b in blocks if b["type"] == "tool_use"],
            "end": {"end_turn": "stop", "stop_sequence": "stop", "tool_use": "calls", "max_tokens": "length", "refusal": "filter"}.get(
                reply["stop_reason"], reply["stop_reason"]),
            "sequence": reply.get("stop_sequence"), "usage": usage_of(reply["usage"], "input_tokens", "output_tokens")}


def parsed_or_text(text):
    try:
        return json.loads(text)
    except ValueError:
        return text


def usage_of(usage, read, written):
    if not usage:
        return None
    details = usage.get("prompt_tokens_details") or usage.get("input_tokens_details") or {}
    cached = usage.get("cache_read_input_tokens", 0) + usage.get("cache_creation_input_tokens", 0)
    thought = usage.get("completion_tokens_details", {}).get("reasoning_tokens") or usage.get("output_tokens_details", {}).get(
        "thinking_tokens") or usage.get("output_tokens_details", {}).get("reasoning_tokens")
    return (usage[read] + cached, usage[written], details.get("cached_tokens") or usage.get("cache_read_input_tokens") or None, thought or None)


def joined(path, items):
    """The whole reply that a stream says."""
    if path == CHAT:
        message, end, usage = {"content": "", "reasoning_content": "", "reasoning_details": [], "tool_calls": []}, {}, None
        for chunk in items:
            usage = chunk.get("usage") or usage
            for choice in chunk["choices"]:
                for name, value in choice["delta"].items():
                    if name == "tool_calls":
                        for call in value:
                            if "id" in call:
                                message[name].append({"id": call["id"], "function": dict(call["function"])})
                            else:
                                message[name][call["index"]]["function"]["arguments"] += call["function"]["arguments"]
                    elif name != "role":
                        message[name] += value
                end |= {k: v for k, v in choice.items() if k not in ("delta", "index") and v is not None}
        return {"choices": [{"message": message, **end}], "usage": usage}
    if path == RESPONSES:
        return joined_response(items)
    reply = {}
    for event in items:
        kind = event["type"]
        if kind == "message_start":
            reply = event["message"]
        elif kind == "content_block_start":
            assert event["index"] == len(reply["content"])
            reply["content"].append(dict(event["content_block"]) | ({"json": ""} if "input" in event["content_block"] else {}))
        elif kind == "content_block_delta":
            block, delta = reply["content"][event["index"]], event["delta"]
            for name in ("text", "thinking", "signature", "partial_json"):
                if name in delta:
                    block[{"partial_json": "json"}.get(name, name)] += delta[name]
        elif kind == "message_delta":
            reply |= event["delta"]
            reply["usage"] |= event["usage"]
    for block in reply["content"]:
        if "json" in block:
            block["input"] = parsed_or_text(block.pop("json"))
    return reply


def joined_response(items):
    """The last event's response, after the pieces, of which each must be in its place."""
    made = []
    for n, event in enumerate(items):
        assert event["sequence_number"] == n
        kind = event["type"].removeprefix("response.")
        if kind == "output_item.added":
            assert event["output_index"] == len(made)
            made.append({k: v for k, v in event["item"].items() if k not in ("content", "status")} | {"text": ""})
        elif kind.endswith(".delta"):
            item = made[event["output_index"]]
            assert item["id"] == event["item_id"]
            item["text"] += event["delta"]
        elif kind in ("completed", "incomplete"):
            response = event["response"]
            assert n == len(items) - 1 and len(response["output"]) == len(made)
            for item, whole_ in zip(made, response["output"]):
                text = whole_["arguments"] if "arguments" in whole_ else "".join(
                    p.get("text", p.get("refusal", "")) for p in whole_.get("content", ()))
                assert (item["text"], item["id"], item["type"]) == (text, whole_["id"], whole_["type"]), (item, whole_)
            return response
    raise AssertionError("no end")


class Converting(Verifying):
    maxDiff = None

    def serve(self, path, *options, **more):
        """In front of the upstream, which speaks that protocol; the model `same` passes."""
        super().serve("-M", f"same={self.upstream.url}#m", *options, **more, model=f"big={WORDS[path]}+{self.upstream.url}#m")

    def reply_with(self, stream, path, text, end=None):
        self.upstream.answer(Reply.stream(events(path, text, end)) if stream else Reply.json(whole(path, text, end)))


class Requests(Converting):
    def test_all_of_a_request_is_there(self):
        for client, server in PAIRS:
            self.serve(server)
            self.reply_with(False, server, "hi")
            both = {client, server} == {CHAT, MESSAGES}
            wanted = REQUESTS[server] | (MORE[server] if both else {})
            body = json.dumps(REQUESTS[client] | (MORE[client] if both else {}) | {"model": "big"}).replace('"default": 1.5', '"default": 1.50').encode()
            status, answer = self.server.ask("POST", client, body)
            self.assertEqual(status, 200, answer)
            request = self.upstream.requests[-1]
            self.assertEqual(request.path, server)
            self.assertEqual(request.body, wanted)
            self.assertIn(b'"default": 1.50', request.raw)  # numbers as they were written
            self.assertEqual(request.header("anthropic-version"), "2023-06-01" if server == MESSAGES else None)

    def test_there_and_back(self):
        """Through two servers a request comes out as it went in, and the reply too."""
        for client, server in PAIRS:
            with Upstream() as far, Serve(None, "-M", f"big={WORDS[client]}+{far.url}#m") as inner, \
                    Serve(None, "-M", f"big={WORDS[server]}+http://{inner.host}:{inner.port}/v1#big") as outer:
                for stream in (False, True):
                    far.answer(Reply.stream(full_events(client, RIGHT)) if stream else Reply.json(full(client, RIGHT)))
                    asked = REQUESTS[client] | {"model": "big"} | ({"stream": True} if stream else {})
                    status, raw = outer.ask("POST", client, asked, raw=True)
                    self.assertEqual(status, 200, raw)
                    came = dict(far.requests[-1].body)
                    came.pop("stream_options", None)
                    self.assertEqual(came, asked | {"model": "m"})
                    answer = self.read(raw)
                    self.assertEqual(said(client, answer), said(client, full(client, RIGHT)))

    @staticmethod
    def read(raw):
        if raw[:1] == b"{":
            return json.loads(raw)
        lines = [line[6:] for line in raw.decode().split("\n") if line.startswith("data: ")]
        return [line if line == "[DONE]" else json.loads(line) for line in lines]

    def test_what_cannot_be_said_is_refused_by_name(self):
        for client, server in PAIRS:
            self.serve(server)
            self.reply_with(False, server, "hi")
            del self.upstream.requests[:]
            for members, name in REFUSED[client, server]:
                with self.subTest(client=client, server=server, members=members):
                    status, answer = self.ask(client, **members)
                    self.assertEqual(status, 400, answer)
                    self.assertIn(name, answer["error"]["message"])
            self.assertEqual(self.upstream.requests, [])
            self.assertEqual(self.ask(client, odd=None)[0], 200)

    def test_which_protocol_a_server_speaks(self):
        self.serve(CHAT)
        for path, status in ((CHAT, 200), ("/v1/completions", 200), (MESSAGES, 200)):
            self.upstream.answer(lambda request: Reply.json(whole(request.path, "hi")))
            self.assertEqual(self.ask(path)[0] if path in QUESTION else self.ask(path, prompt="a")[0], status)
        self.assertEqual([r.path for r in self.upstream.requests], [CHAT, "/v1/completions", CHAT])
        self.serve(MESSAGES)
        status, answer = self.ask("/v1/completions")
        self.assertEqual(status, 400)
        self.assertIn("Messages", answer["error"]["message"])
        Verifying.serve(self, model=f"big=messages+chat+{self.upstream.url}#m")
        for path in (CHAT, MESSAGES):
            self.assertEqual(self.ask(path)[0], 200)
            self.assertEqual(self.upstream.requests[-1].path, path)

    def test_the_key_goes_in_the_servers_header(self):
        for client, server in PAIRS:
            self.serve(server, "--upstream-key-env", "big=KEY", env={"KEY": "upstream-secret-1"})
            self.upstream.answer(Reply.json(whole(server, "the key is upstream-secret-1")))
            status, answer = self.ask(client, headers={"anthropic-beta": "x-1", "x-request-id": "q"})
            request = self.upstream.requests[-1]
            name, value = ("x-api-key", "upstream-secret-1") if server == MESSAGES else ("authorization", "Bearer upstream-secret-1")
            self.assertEqual((status, request.header(name)), (200, value))
            self.assertEqual((request.header("x-request-id"), request.header("anthropic-beta")), ("q", None))
            self.assertNotIn("upstream-secret-1", json.dumps(answer))


class Replies(Converting):
    def test_all_of_a_reply_is_there(self):
        for client, server in PAIRS:
            self.serve(server)
            for stream in (False, True):
                for pieces in ((7, 10_000) if stream else (0,)):
                    with self.subTest(client=client, server=server, stream=stream, pieces=pieces):
                        events_ = "".join(full_events(server, RIGHT)).encode()
                        self.upstream.answer(Reply.stream([events_[i:i + pieces] for i in range(0, len(events_), pieces)]) if stream
                                             else Reply.json(full(server, RIGHT)))
                        status, answer = self.ask(client, "big", stream)
                        self.assertEqual(status, 200, answer)
                        self.assertEqual(said(client, answer), said(server, full(server, RIGHT)))
                        self.assertEqual(said(client, answer)["reasoning"], THOUGHT)

    def test_stop_reasons_and_usage(self):
        ends = {RESPONSES: [("completed", None), ("max_output_tokens", None), ("content_filter", None), ("odd_word", None)], CHAT: [("stop", None), ("length", None), ("content_filter", None), ("stop", "END"), ("odd_word", None)],
                MESSAGES: [("end_turn", None), ("max_tokens", None), ("refusal", None), ("stop_sequence", "END"), ("pause_turn", None)]}
        usage = {CHAT: {"prompt_tokens": 9, "completion_tokens": 5, "total_tokens": 14, "prompt_tokens_details": {"cached_tokens": 4},
                        "completion_tokens_details": {"reasoning_tokens": 3}},
                 RESPONSES: {"input_tokens": 9, "output_tokens": 5, "total_tokens": 14, "input_tokens_details": {"cached_tokens": 4},
                             "output_tokens_details": {"reasoning_tokens": 3}},
                 MESSAGES: {"input_tokens": 5, "output_tokens": 5, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 0,
                            "output_tokens_details": {"thinking_tokens": 3}}}
        for client, server in PAIRS:
            self.serve(server)
            for end, sequence in ends[server]:
                reply = whole(server, "hi", end) | {"usage": usage[server]}
                if server == RESPONSES and end != "completed":
                    reply |= {"status": "incomplete", "incomplete_details": {"reason": end}}
                if server == CHAT and sequence:
                    reply["choices"][0]["stop_reason"] = sequence
                elif sequence:
                    reply["stop_sequence"] = sequence
                self.upstream.answer(Reply.json(reply))
                wanted = said(server, reply)
                if client == RESPONSES:  # it has no word for that
                    wanted["sequence"] = None
                self.assertEqual(said(client, self.ask(client)[1]), wanted)
        self.assertEqual(said(MESSAGES, {"content": [], "stop_reason": "end_turn", "usage": usage[MESSAGES]})["usage"], (9, 5, 4, 3))

    def test_usage_in_a_chunk_of_its_own_where_it_is_asked_for(self):
        self.serve(MESSAGES)
        self.upstream.answer(Reply.stream(full_events(MESSAGES, RIGHT)))
        for members, choices in (({"stream_options": {"include_usage": True}}, []), ({}, 1)):
            chunks = [c for c in self.ask(CHAT, "big", True, **members)[1] if c != "[DONE]"]
            last = [c for c in chunks if "usage" in c]
            self.assertEqual((len(last), len(last[0]["choices"])), (1, choices and 1 or 0))
            self.assertEqual(last[0]["usage"]["completion_tokens"], 7)

    def test_a_call_without_arguments_has_an_empty_object(self):
        call = {"id": "c", "type": "function", "function": {"name": "now", "arguments": ""}}
        self.serve(CHAT)
        self.upstream.answer(Reply.json(whole(CHAT, None, "tool_calls", tool_calls=[call])))
        self.assertEqual(said(MESSAGES, self.ask(MESSAGES)[1])["calls"], [("c", "now", {})])
        self.upstream.answer(Reply.stream([chat_chunk({"tool_calls": [{"index": 0, **call}]}), chat_chunk({}, "tool_calls"), "data: [DONE]\n\n"]))
        self.assertEqual(said(MESSAGES, self.ask(MESSAGES, "big", True)[1])["calls"], [("c", "now", {})])
        self.serve(MESSAGES)
        body = whole(MESSAGES, "hi", "tool_use")
        body["content"].append({"type": "tool_use", "id": "c", "name": "now", "input": {}})
        self.upstream.answer(Reply.json(body))
        self.assertEqual(said(CHAT, self.ask(CHAT)[1])["calls"], [("c", "now", {})])

    def test_what_has_text_and_is_not_known_is_an_error(self):
        chat = lambda **message: whole(CHAT, RIGHT, **message)  # noqa: E731
        message = whole(MESSAGES, RIGHT)
        block = lambda more: message | {"content": [*message["content"], more]}  # noqa: E731
        odd = {(MESSAGES, CHAT): [chat(audio={"transcript": "x"}), chat(odd="x"), chat(function_call={"name": "f"}),
                                  {**chat(), "choices": chat()["choices"] * 2}, {"choices": []},
                                  chat(tool_calls=[{"id": "1", "type": "custom", "custom": {"input": "x"}}]),
                                  chat(tool_calls=[{"id": "1", "type": "function", "function": {"name": "f", "arguments": "[1"}}])],
               (CHAT, MESSAGES): [block({"type": "odd", "text": "x"}), block({"type": "text", "text": "x", "citations": [{}]}),
                                  block({"type": "web_search_tool_result", "content": []}), {**message, "content": "x"},
                                  {**message, "stop_reason": None}]}
        for (client, server), replies in odd.items():
            self.serve(server)
            for reply in replies:
                for model in ("big", "rederive/check/big"):
                    with self.subTest(reply=reply, model=model):
                        self.upstream.answer(Reply.json(reply))
                        status, answer = self.ask(client, model)
                        self.assertEqual(status, 502, answer)
                        self.assertIn("converted", answer["error"]["message"])

    def test_errors_of_the_server(self):
        for client, server in PAIRS:
            self.serve(server)
            for status in (400, 401, 404, 429, 500, 503, 529):
                error = {"error": {"message": "slow down", "type": "t"}} | ({"type": "error"} if server == MESSAGES else {})
                self.upstream.answer(Reply.json(error, status, {"retry-after": "7"}))
                got, answer = self.ask(client)
                self.assertEqual(got, status)
                self.assertIn("slow down", answer["error"]["message"])
                self.assertEqual(answer.get("type"), "error" if client == MESSAGES else None)
                self.assertIn("code" if client == CHAT else "type", answer["error"])


class Judging(Converting):
    """A converted reply is judged as one that passes."""

    def judge(self, path, stream, model="big", **rule):
        status, answer = self.ask(path, "rederive/check/" + model, stream, **({"rederive": rule} if rule else {}))
        return status, answer, judgement_of(path, answer) if status == 200 else answer.get("rederive")

    @staticmethod
    def in_words_of(client, server, judgement):
        """The judgement with the client's word for the limit."""
        word = PAST_LIMIT[RESPONSES if RESPONSES in (client, server) else client]  # the scripted server does not say why
        words = json.dumps(judgement).replace(f"'{PAST_LIMIT[server]}'", f"'{word}'")
        return json.loads(words)

    def test_the_same_judgement(self):
        for client, server in PAIRS:
            self.serve(server)
            for text, end in ((RIGHT, None), (WRONG, None), (UNREAD, None), ("Hello there.", None), ("", None),
                              ("So:\n\n1. 2 + 3 = 5.\n\n2. 5 * 5 = 26.", None), (RIGHT, PAST_LIMIT[server])):
                for stream in (False, True):
                    for rule in ({}, {"mode": "whole"}, {"mode": "whole", "not_admitted": "refuse"}):
                        with self.subTest(client=client, server=server, text=text, stream=stream, rule=rule, end=end):
                            self.reply_with(stream, server, text, end)
                            passed = self.judge(server, stream, "same", **rule)
                            converted = self.judge(client, stream, **rule)
                            self.assertEqual(converted[0], passed[0])
                            self.assertEqual(converted[2], self.in_words_of(client, server, passed[2]))
                            if rule.get("not_admitted") and not passed[2]["admitted"]:
                                self.assertEqual(converted[0], 422 if not stream else converted[0])
                                self.assertNotIn(text or "no text", json.dumps(converted[1]))

    def test_a_verdict_of_the_server_is_none(self):
        for client, server in PAIRS:
            self.serve(server)
            self.upstream.answer(Reply.json(whole(server, WRONG) | {"rederive": {"admitted": True}}))
            self.assertNotIn("rederive", self.ask(client)[1])
            self.assertFalse(self.judge(client, False)[2]["admitted"])

    def test_a_limit_that_is_reached(self):
        for client, server in PAIRS:
            self.serve(server)
            for stream in (False, True):
                for most, admitted in ((7, False), (8, True)):  # that reply has seven tokens
                    reply = Reply.stream(full_events(server, RIGHT)) if stream else Reply.json(full(server, RIGHT))
                    self.upstream.answer(reply)
                    answer = self.ask(client, "rederive/check/big", stream, **{LIMITS.get(client, "max_tokens"): most})[1]
                    self.assertEqual(judgement_of(client, answer)["admitted"], admitted, (client, stream, most))


class Faults(Converting):
    """A server that fails or lies is told as that, and nothing of it is admitted."""

    def never_admitted(self, client, status, answer):
        said_ = json.dumps(answer)
        self.assertNotIn('"admitted": true', said_)
        self.assertIn("error", said_)
        if isinstance(answer, list):
            last = answer[-1]
            self.assertTrue(last != "[DONE]" and "error" in json.dumps(last), last)
            self.assertNotIn("message_stop", said_)

    def test_in_streams(self):
        for client, server in PAIRS:
            self.serve(server, "--timeout", "2")
            good = full_events(server, RIGHT)
            for model in ("big", "rederive/check/big"):
                for at in (0, 1, 3, len(good) - 4, len(good) - 2, len(good) - 1):
                    faults = {"ended": good[:at], "garbled": [*good[:at], 'data: {"choices":\n\n', *good[at:]],
                              "no object": [*good[:at], "data: [5]\n\n", *good[at:]],
                              "no UTF-8": [*(e.encode() for e in good[:at]), b'data: {"id":"\xff"}\n\n', *(e.encode() for e in good[at:])],
                              "deep": [*good[:at], "data: " + '{"a":' * 600 + "5" + "}" * 600 + "\n\n", *good[at:]]}
                    replies = {name: Reply.stream(pieces) for name, pieces in faults.items()}
                    replies |= {ends: Reply.stream(good[:at], ends=ends) for ends in ("close", "reset")}
                    if at >= len(good) - 2:  # when the client has all that came
                        replies["late close"] = Reply.stream([*good[:at], 0.2], ends="close")
                    for name, reply in replies.items():
                        if server == CHAT and at >= len(good) - 2 and name == "ended":
                            continue  # it lacks its usage and [DONE] alone
                        with self.subTest(client=client, server=server, model=model, at=at, fault=name):
                            self.upstream.answer(reply)
                            status, answer = self.ask(client, model, True)
                            self.assertIn(status, (200, 502))
                            self.never_admitted(client, status, answer)

    def test_wrong_types(self):
        """A value of a whole reply or of an event has another type: an error, or a reply that is not admitted if it is wrong."""
        draw = random.Random(49)
        for client, server in PAIRS:
            self.serve(server)
            good = full_events(server, WRONG)
            bad = [Reply.json(wrong) for wrong in draw.sample(list(mutations(full(server, WRONG))), 60)]
            for n in draw.choices([n for n, event in enumerate(good) if "[DONE]" not in event], k=60):
                head, _, payload = good[n].partition("data: ")
                wrong = json.dumps(draw.choice(list(mutations(json.loads(payload)))))
                bad.append(Reply.stream([*good[:n], f"{head}data: {wrong}\n\n", *good[n + 1:]]))
            for reply in bad:
                with self.subTest(client=client, server=server, reply=reply):
                    self.upstream.answer(reply)
                    status, answer = self.ask(client, "rederive/check/big", b"event-stream" in reply.pieces[0])
                    self.assertIn(status, (200, 502))
                    self.not_admitted_if_wrong(client, status, answer)

    def not_admitted_if_wrong(self, client, status, answer):
        if status == 200 and '"error"' not in json.dumps(answer) and WRONG in said(client, answer)["text"]:
            self.assertFalse(judgement_of(client, answer)["admitted"])

    def test_an_error_in_a_stream(self):
        for client, server in PAIRS:
            self.serve(server)
            error = {MESSAGES: typed({"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}})}
            for model in ("big", "rederive/check/big"):
                self.upstream.answer(Reply.stream([*events(server, RIGHT)[:4], error.get(server, data({"error": {"message": "overloaded"}}))]))
                status, answer = self.ask(client, model, True)
                self.never_admitted(client, status, answer)
                self.assertIn("overloaded", json.dumps(answer[-1]))

    def test_a_text_that_differs_from_its_pieces(self):
        """Responses say each text more than once: all must be the same."""
        good = full_events(RESPONSES, WRONG)
        lie = json.dumps(RIGHT)
        changed = {"the item": [n for n, e in enumerate(good) if "output_item.done" in e and WRONG in e],
                   "the response": [len(good) - 1], "no message": [], "no function_call": []}
        for client in (CHAT, MESSAGES):
            self.serve(RESPONSES)
            for name, places in changed.items():
                events_ = [e.replace(json.dumps(WRONG), lie) if n in places else e for n, e in enumerate(good)]
                if not places:  # the response lacks an item
                    last = json.loads(good[-1].split("data: ")[1])
                    last["response"]["output"] = [i for i in last["response"]["output"] if i["type"] != name[3:]]
                    events_[-1] = typed(last)
                for model in ("big", "rederive/check/big"):
                    with self.subTest(client=client, changed=name, model=model):
                        self.upstream.answer(Reply.stream(events_))
                        status, answer = self.ask(client, model, True)
                        self.never_admitted(client, status, answer)

    def test_text_behind_the_end_is_not_passed_on(self):
        for client, server in PAIRS:
            self.serve(server)
            for model in ("big", "rederive/check/big"):
                self.upstream.answer(Reply.stream([*full_events(server, RIGHT), *events(server, WRONG)[:-1]]))
                status, answer = self.ask(client, model, True)
                self.assertEqual(status, 200)
                self.assertNotIn("= 8", json.dumps(answer))


def mutations(value):
    """The value with one of its parts in another type, each in turn."""
    for other in (None, 5, "x", [], {}):
        yield other
    if isinstance(value, dict):
        for name in value:
            for wrong in mutations(value[name]):
                yield {**value, name: wrong}
    if isinstance(value, list):
        for i, item in enumerate(value):
            for wrong in mutations(item):
                yield [*value[:i], wrong, *value[i + 1:]]


class BuiltIn(unittest.TestCase):
    def test_it_serves_clients_of_each_protocol(self):
        """What it says is the same, whole and as a stream; what it cannot do is refused by name in the client's protocol."""
        with Serve(None) as server:
            texts = []
            for path, limit in ((CHAT, "max_tokens"), (MESSAGES, "max_tokens"), (RESPONSES, "max_output_tokens")):
                body = {"model": "rederive/check/rederive", **QUESTION[path], "temperature": 0, limit: 40}
                status, whole_reply = server.ask("POST", path, body)
                self.assertEqual(status, 200, whole_reply)
                streamed = parsed(server.ask("POST", path, {**body, "stream": True}, raw=True)[1])
                for answer in (whole_reply, streamed):
                    texts.append(text_of(path, answer))
                    self.assertIn("admitted", judgement_of(path, answer))
                status, answer = server.ask("POST", path, {**body, "tools": [TOOLS[path]]})
                self.assertEqual((status, answer["error"]["message"]), (400, "'tools' is not supported by this server."))
                status, answer = server.ask("POST", path, {**body, limit: 5})
                said = {CHAT: lambda a: a["choices"][0]["finish_reason"], MESSAGES: lambda a: a["stop_reason"], RESPONSES: lambda a: a["status"]}[path]
                self.assertEqual(said(answer), PAST_LIMIT[path])
                self.assertFalse(judgement_of(path, answer)["admitted"])
            self.assertTrue(texts[0])
            self.assertEqual(len(set(texts)), 1, texts)


TOOLS = {CHAT: {"type": "function", "function": {"name": "look", "parameters": SCHEMA}},
         MESSAGES: {"name": "look", "input_schema": SCHEMA}, RESPONSES: {"type": "function", "name": "look", "parameters": SCHEMA}}


def text_of(path, answer):
    """The text of a whole response, or of the events of a stream."""
    if isinstance(answer, dict):
        return {CHAT: lambda a: a["choices"][0]["message"]["content"], MESSAGES: lambda a: a["content"][0]["text"],
                RESPONSES: lambda a: a["output"][0]["content"][0]["text"]}[path](answer)
    rest = [e for e in answer if e != "[DONE]"]
    if path == CHAT:
        return "".join(c["delta"].get("content") or "" for e in rest for c in e["choices"])
    if path == MESSAGES:
        return "".join(e["delta"]["text"] for e in rest if e["type"] == "content_block_delta")
    return "".join(e["delta"] for e in rest if e["type"] == "response.output_text.delta")


if __name__ == "__main__":
    unittest.main()
