#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A scripted OpenAI-compatible server over real HTTP, that misbehaves as it is told.

    tests/fake/server.py SCRIPT [--log FILE] [--sent FILE] [--port N]

Prints "PORT n" when it listens, and serves until its standard input ends. The log gets a line of
JSON for each request: path, the number of the rule that matched, the body, "at" (seconds of the
monotonic clock), and "survey" where a run only found out what the server can do; the other file one for each whole response: its status, and
the usage that it states, if any. SCRIPT is JSON:

    {"key": "sk-...",              wanted of everybody; absent: none
     "models": ["m"],              those it knows; absent: any
     "server": "llama.cpp",        answers as that one does, see forms.py; absent or "plain": as here
     "context": 100, "slots": 4,   of such a server: tokens that a text may have, texts at a time
     "differences": ["no-system"], see DIFFERENCES
     "slots": 1,                   works on so many at a time, the others wait; absent: on all
     "pieces": 0.1,                streams a reply that is asked for so, a token every 0.1 s; absent:
                                   passes over that
     "dies_at": 20,                its process ends when that request comes, unanswered
     "rules": [{
         "contains": "text",       in the last message or the prompt, or
         "regex": "text",          ... found there; neither: always
         "path": "/v1/completions",
         "times": 2,               applies so often, then the next rule that matches does
         "reply": "text",          {last} and {hash} stand for the last message and its hash
         "delay": 0.5,             seconds
         "do": "reset",            see MISBEHAVIOUR
         "status": 429, "headers": {"Retry-After": "1"}, "body": ...}]}

The first rule that matches is followed; of one with a "pool", a list of rules, that which a hash of the
last message falls on. Without a rule the reply is "reply to {hash}".
"""
import argparse
import asyncio
import hashlib
import json
import os
import re
import struct
import socket
import sys
import time

from forms import FORMS, Refused, openai_error

HUGE = 100 << 20  # bytes
LLAMA_CPP_ONLY = ("/props", "/slots", "/health", "/tokenize", "/detokenize", "/apply-template",
                  "/completion")


def refused(message, param=None, status=400, code=None):
    """The request is refused, as the servers that differ so say it."""
    return openai_error(status, message, param=param, code=code)


# ---- how servers differ ---------------------------------------------------------------------------

def no_system(body):
    if any(m["role"] == "system" for m in body.get("messages", [])):
        raise refused("System role not supported")


def alternate(body):
    roles = [m["role"] for m in body.get("messages", []) if m["role"] != "system"]
    if any(a == b for a, b in zip(roles, roles[1:])) or roles[:1] == ["assistant"]:
        raise refused("Conversation roles must alternate user/assistant/user/assistant/...")


def max_completion_tokens(body):
    if "max_tokens" in body:
        raise refused("Unsupported parameter: 'max_tokens' is not supported with this model. "
                      "Use 'max_completion_tokens' instead.", "max_tokens")


def refuses(name, message):
    def check(body):
        if name in body:
            raise refused(message, name)
    return check


def no_prefix(body):
    if "continue_final_message" in body:
        raise refused("Unrecognized request argument supplied: continue_final_message")


def no_zero_tokens(body):
    if body.get("max_tokens") == 0:
        raise refused("max_tokens must be at least 1, got 0.", "max_tokens")


DIFFERENCES = {
    "no-system": no_system,
    "alternate": alternate,
    "max-completion-tokens": max_completion_tokens,
    "no-temperature": refuses("temperature", "Unsupported value: 'temperature' does not support "
                              "0.5 with this model. Only the default (1) value is supported."),
    "no-top-p": refuses("top_p", "Unsupported parameter: 'top_p'"),
    "no-stop": refuses("stop", "Unsupported parameter: 'stop' is not supported with this model."),
    "no-logprobs": refuses("logprobs", "You are not allowed to request logprobs from this model."),
    "no-prefix": no_prefix,
    "no-echo": refuses("echo", "This model does not support echo"),
    "no-prompt-logprobs": refuses("prompt_logprobs", "Unrecognized argument: prompt_logprobs"),
    "no-zero-tokens": no_zero_tokens,
    "no-stream": refuses("stream", "Unrecognized request argument supplied: stream_options"),
}
# And without a complaint: "ignore-n", "ignore-logprobs", "ignore-stop", "think", "no-usage",
# "no-completions" (404), "restarts" (an open turn is answered, not continued), "gives-back" (it is
# said again before what continues it), "no-finish" (no reply says how it ended), "schema" (replies are held to a schema; else it is passed over).


# ---- replies --------------------------------------------------------------------------------------

def tokens_of(text):
    """A word and what stands before it is a token."""
    return re.findall(r"\s*\S+|\s+$", text)


def chat_logprobs(text):
    return {"content": [{"token": t, "logprob": -0.5, "bytes": list(t.encode()),
                         "top_logprobs": [{"token": t, "logprob": -0.5},
                                          {"token": "?", "logprob": -1.5}]}
                        for t in tokens_of(text)]}


def completion_logprobs(text):
    tokens = tokens_of(text)
    return {"tokens": tokens, "token_logprobs": [None] + [-0.25] * (len(tokens) - 1),
            "top_logprobs": [None] + [{t: -0.25} for t in tokens[1:]],
            "text_offset": [0] * len(tokens)}


def prompt_logprobs(text):
    tokens = tokens_of(text)
    places = [{str(i): {"logprob": -0.125, "rank": 1, "decoded_token": t},
               "9999": {"logprob": -3.0, "rank": 2, "decoded_token": "?"}}
              for i, t in enumerate(tokens)]
    return [None] + places[1:]


# With what a run finds out what it needs to know; only rules that name the path apply to it. The end
# of a turn that is left open, with how it goes on, and a text to be scored.
QUESTIONS = ("/models", "/props")
CHAT = "/v1/chat/completions"
HELLO = "Say OK."
COUNTED = ("3, 4, 5, 6, 7, 8, 9, 1", "0, 11, 12, 13")
SCORED = "1 2 3 4"


def held(schema, text):
    """The text as the schema wants it: the answer that stands in it, else the first one."""
    answers = schema["properties"]["answer"]["enum"]
    answer = next((a for a in answers if a in text), answers[0])
    reasoning = {"reasoning": text} if "reasoning" in schema["properties"] else {}
    return json.dumps(reasoning | {"answer": answer})


class Server:
    def __init__(self, script, log):
        self.script = script
        self.asked = 0
        self.log = log
        self.differences = set(script.get("differences", []))
        self.used = [0] * len(script.get("rules", []))
        self.slots = asyncio.Semaphore(script.get("slots", 1 << 20))
        name = script.get("server", "plain")
        self.form = None if name == "plain" else FORMS[name](script)

    def find_rule(self, path, last, survey):
        for number, rule in enumerate(self.script.get("rules", [])):
            if survey and rule.get("path") != path:
                continue
            matches = (rule.get("contains", "") in last and rule.get("path", path) == path
                       and re.search(rule.get("regex", ""), last))
            if matches and self.used[number] < rule.get("times", 1 << 60):
                self.used[number] += 1
                return number, self.drawn(rule, last)
        return None, {}

    @staticmethod
    def drawn(rule, last):
        number = int(hashlib.sha256(last.encode()).hexdigest()[:8], 16)
        return rule["pool"][number % len(rule["pool"])] if "pool" in rule else rule

    def check(self, path, headers, body):
        if "key" in self.script and headers.get("authorization") != "Bearer " + self.script["key"]:
            given = headers.get("authorization", "").removeprefix("Bearer ")
            raise refused(f"Incorrect API key provided: {given}.", None, 401, "invalid_api_key")
        if self.form:
            self.form.check(path, body)
        elif "models" in self.script and body.get("model") not in self.script["models"] + [None]:
            raise refused(f"The model `{body.get('model')}` does not exist", None, 404,
                          "model_not_found")
        if path.endswith("/completions") and not path.endswith("/chat/completions"):
            if "no-completions" in self.differences:
                raise refused("Not Found", None, 404)
        for name in self.differences & set(DIFFERENCES):
            DIFFERENCES[name](body)

    def text_for(self, rule, body, last):
        digest = hashlib.sha256(last.encode()).hexdigest()[:12]
        text = rule.get("reply", "reply to {hash}").replace("{last}", last)
        text = text.replace("{hash}", digest)
        turns = body.get("messages") or [{"role": None}]
        if "response_format" in body and "schema" in self.differences:
            text = held(body["response_format"]["json_schema"]["schema"], text)
        if turns[-1]["role"] == "assistant":
            text = self.continued(turns[-1]["content"], text)
        if "think" in self.differences:
            text = "<think>First the other thing: no.</think>\n\n" + text
        if "ignore-stop" not in self.differences:
            for stop in body.get("stop") or []:
                text = text.split(stop)[0]
        return text

    def continued(self, turn, text):
        """How an open turn of the assistant's goes on."""
        if "restarts" in self.differences:
            return "Here it is from the start. " + text
        text = COUNTED[1] if turn.endswith(COUNTED[0]) else text
        return turn + text if "gives-back" in self.differences else text

    def chat(self, rule, body, last):
        text = self.text_for(rule, body, last)
        logprobs = body.get("logprobs") and "ignore-logprobs" not in self.differences
        n = 1 if "ignore-n" in self.differences else body.get("n", 1)
        texts = [text] + [self.text_for(self.find_rule(CHAT, last, False)[1], body, last) for _ in range(1, n)]
        choices = [{"index": i, "message": {"role": "assistant", "content": text},
                    "logprobs": chat_logprobs(text) if logprobs else None, "finish_reason": self.finish()}
                   for i, text in enumerate(texts)]
        return self.envelope(body, choices, *texts)

    def complete(self, rule, body, last):
        if body.get("echo") and "ignore-logprobs" not in self.differences:
            text = last + ("" if body.get("max_tokens") == 0 else " more")
            choice = {"index": 0, "text": text, "logprobs": completion_logprobs(text)}
        else:
            text = self.text_for(rule, body, last)
            choice = {"index": 0, "text": text, "logprobs": None}
            if body.get("logprobs") is not None and "ignore-logprobs" not in self.differences:
                choice["logprobs"] = completion_logprobs(text)
        return self.envelope(body, [choice | {"finish_reason": self.finish()}], text)

    def finish(self):
        return None if "no-finish" in self.differences else "stop"

    def envelope(self, body, choices, *texts):
        reply = {"id": "x", "object": "chat.completion", "created": 1, "model": body.get("model"),
                 "choices": choices}
        if "no-usage" not in self.differences:
            prompt = len(json.dumps(body)) // 4
            completion = sum(len(tokens_of(text)) for text in texts)
            reply["usage"] = {"prompt_tokens": prompt, "completion_tokens": completion,
                              "total_tokens": prompt + completion}
        return reply

    def own(self, path, body):
        """The answer to a path that asks about the server; None: it asks the model."""
        if self.form:
            return self.form.answer(path, body)
        if path.endswith("/models"):
            return {"data": [{"id": name} for name in self.script.get("models", [])]}
        if path in LLAMA_CPP_ONLY:
            raise refused("Not Found", None, 404)
        return None

    def written(self, rule, last):
        """What the model writes after these words, whatever the server makes of it."""
        return COUNTED[1] if last.endswith(COUNTED[0]) else self.text_for(rule, {}, last)

    def reply(self, path, rule, body, last):
        if self.form:
            make = self.form.chat if path.endswith("/chat/completions") else self.form.complete
            return make(body, lambda: self.written(rule, last))
        reply = (self.chat if path.endswith("/chat/completions") else self.complete)(
            rule, body, last)
        if "prompt_logprobs" in body and "ignore-logprobs" not in self.differences:
            joined = "\n".join(m["content"] for m in body.get("messages", [])) or last
            reply["prompt_logprobs"] = prompt_logprobs(joined)
        return reply


# ---- streams --------------------------------------------------------------------------------------

def events_of(reply):
    """The reply as the events of a stream, a token in each, and its usage at the end."""
    choice = reply["choices"][0]
    head = {k: v for k, v in reply.items() if k not in ("choices", "usage")}
    is_chat = "message" in choice
    text = choice["message"]["content"] if is_chat else choice["text"]
    for piece in tokens_of(text):
        said = {"delta": {"content": piece}} if is_chat else {"text": piece}
        yield head | {"choices": [{"index": 0, "finish_reason": None} | said]}
    last = {"delta": {}} if is_chat else {"text": ""}
    yield head | {"choices": [{"index": 0, "finish_reason": choice["finish_reason"]} | last]}
    if "usage" in reply:
        yield head | {"choices": [], "usage": reply["usage"]}


async def send_stream(writer, reply, seconds):
    writer.write(b"HTTP/1.1 200 Said\r\nContent-Type: text/event-stream\r\n"
                 b"Transfer-Encoding: chunked\r\n\r\n")
    for line in [json.dumps(event) for event in events_of(reply)] + ["[DONE]"]:
        data = f"data: {line}\n\n".encode()
        writer.write(b"%x\r\n%s\r\n" % (len(data), data))
        await writer.drain()
        await asyncio.sleep(seconds)
    note_sent(200, reply.get("usage"))
    writer.write(b"0\r\n\r\n")


# ---- misbehaviour ---------------------------------------------------------------------------------

async def reset(writer, _):
    """Nothing comes, and the connection is reset."""
    linger = struct.pack("ii", 1, 0)
    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, linger)
    writer.transport.abort()


async def reset_mid_body(writer, data):
    send_head(writer, 200, len(data))
    writer.write(data[:len(data) // 2])
    await writer.drain()
    await asyncio.sleep(0.05)
    await reset(writer, data)


async def stall(writer, _):
    await asyncio.sleep(3600)


async def stall_mid_body(writer, data):
    send_head(writer, 200, len(data))
    writer.write(data[:len(data) // 2])
    await writer.drain()
    await asyncio.sleep(3600)


async def huge(writer, _):
    send_head(writer, 200, HUGE)
    writer.write(b'{"choices":[{"message":{"content":"')
    for _ in range(HUGE >> 20):
        writer.write(b"a" * (1 << 20))
        await writer.drain()


def instead(make):
    """A whole response with another body."""
    async def act(writer, data):
        send_whole(writer, 200, make(data))
        await writer.drain()
    return act


def changed(change):
    """The reply with one thing changed."""
    def make(data):
        reply = json.loads(data)
        change(reply)
        return json.dumps(reply).encode()
    return instead(make)


def set_content(content):
    def change(reply):
        reply["choices"][0]["message"]["content"] = content
    return change


def set_choice(**members):
    return changed(lambda reply: reply["choices"][0].update(members))


MISBEHAVIOUR = {
    "reset": reset,
    "reset-mid-body": reset_mid_body,
    "stall": stall,
    "stall-mid-body": stall_mid_body,
    "huge": huge,
    "html": instead(lambda _: b"<html><body>Bad gateway</body></html>"),
    "truncated": instead(lambda data: data[:len(data) // 2]),
    "malformed": instead(lambda data: data.replace(b":", b";", 1)),
    "deep": instead(lambda _: b"[" * 100000),
    "empty-body": instead(lambda _: b""),
    "invalid-utf8": instead(lambda data: data.replace(b"reply", b"r\xff\xfeply")),
    "error-in-200": instead(lambda _: b'{"error":{"message":"upstream is busy","code":502}}'),
    "no-choices": changed(lambda reply: reply.update(choices=[])),
    "null-content": changed(set_content(None)),
    "empty-content": changed(set_content("")),
    "other-choice": set_choice(index=1),
    "error-beside": changed(lambda reply: reply.update(error={"message": "upstream is busy"})),
    "error-in-choice": set_choice(error={"message": "upstream is busy"}),
    "refusal": changed(lambda reply: reply["choices"][0]["message"].update(refusal="I cannot.")),
    "thinking": changed(lambda reply: set_content([{
        "type": "thinking", "text": reply["choices"][0]["message"]["content"]}])(reply)),
    "usage-only": changed(lambda reply: reply.pop("choices")),
    "no-reason": changed(lambda reply: reply["choices"][0].pop("finish_reason")),
    "null-reason": set_choice(finish_reason=None),
} | {reason: set_choice(finish_reason=reason)
     for reason in ("length", "max_tokens", "content_filter", "error", "tool_calls")}


# ---- HTTP -----------------------------------------------------------------------------------------

def send_head(writer, status, length, headers=None):
    lines = [f"HTTP/1.1 {status} Said", f"Content-Length: {length}"]
    headers = {"Content-Type": "application/json"} | (headers or {})
    lines += [f"{name}: {value}" for name, value in headers.items()]
    writer.write("\r\n".join(lines + ["", ""]).encode())


sent = None  # where to note what was sent


def note_sent(status, usage):
    """Before the last byte: the client may end, and a test read the notes, as soon as that is out."""
    if sent:
        sent.write(json.dumps({"status": status, "usage": usage}) + "\n")
        sent.flush()


def usage_of(data):
    try:
        return json.loads(data).get("usage")
    except (ValueError, AttributeError, RecursionError):
        return None


def send_whole(writer, status, data, headers=None):
    note_sent(status, usage_of(data))
    send_head(writer, status, len(data), headers)
    writer.write(data)


async def read_request(reader):
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").split("\r\n")
    headers = {}
    for line in head[1:]:
        name, _, value = line.partition(":")
        headers[name.lower()] = value.strip()
    data = await reader.readexactly(int(headers.get("content-length", 0)))
    return head[0].split(" ")[1], headers, json.loads(data) if data else {}


def last_of(body):
    messages = body.get("messages") or []
    return messages[-1]["content"] if messages else body.get("prompt", "")


def spell_prompt(server, body):
    """A prompt may be given as the ids of its tokens."""
    if server.form and isinstance(body.get("prompt"), list):
        body["prompt"] = server.form.spelled(body["prompt"])


def is_survey(path, body, last):
    """Is it asked to find out what the server can do, and not for a result?"""
    return (path.endswith(QUESTIONS) or last.endswith(COUNTED[0]) or (last == HELLO and body.get("n") == 2)
            or (body.get("prompt") == SCORED and ("echo" in body or "prompt_logprobs" in body))
            or body.get("content") == SCORED or "Reykjavik" in str(body.get("response_format"))
            or "Reykjavik" in body.get("grammar", ""))


async def answer(server, writer, path, headers, body):
    spell_prompt(server, body)
    last = last_of(body)
    survey = is_survey(path, body, last)
    number, rule = server.find_rule(path, last, survey)
    if server.log:
        line = {"path": path, "rule": number, "body": body, "at": time.monotonic()}
        server.log.write(json.dumps(line | ({"survey": True} if survey else {})) + "\n")
        server.log.flush()
    server.asked += 1
    if server.asked == server.script.get("dies_at"):
        os._exit(1)
    delay = rule.get("delay", server.script.get("delay", 0))
    streams = body.get("stream") and "pieces" in server.script
    if not streams:
        async with server.slots:
            await asyncio.sleep(delay)
    try:
        server.check(path, headers, body)
        if "status" in rule:
            said = rule.get("body", {"error": {"message": f"said {rule['status']}"}})
            data = said if isinstance(said, str) else json.dumps(said)
            send_whole(writer, rule["status"], data.encode(), rule.get("headers"))
            return
        reply = server.own(path, body) or server.reply(path, rule, body, last)
    except Refused as why:
        send_whole(writer, why.status, json.dumps(why.body).encode())
        return
    data = json.dumps(reply).encode()
    if streams:
        async with server.slots:
            await asyncio.sleep(delay)
            await send_stream(writer, reply, server.script["pieces"])
    elif "do" in rule:
        await MISBEHAVIOUR[rule["do"]](writer, data)
    else:
        send_whole(writer, 200, data, rule.get("headers"))


async def serve(server, reader, writer):
    try:
        while True:
            path, headers, body = await read_request(reader)
            await answer(server, writer, path, headers, body)
            await writer.drain()
    except (asyncio.IncompleteReadError, ConnectionError):
        pass
    finally:
        writer.close()


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("script")
    parser.add_argument("--log")
    parser.add_argument("--sent")
    parser.add_argument("--port", type=int, default=0)
    options = parser.parse_args()
    with open(options.script, encoding="utf-8") as file:
        script = json.load(file)
    global sent
    log = open(options.log, "a", encoding="utf-8") if options.log else None
    sent = open(options.sent, "a", encoding="utf-8") if options.sent else None
    server = Server(script, log)
    listening = await asyncio.start_server(
        lambda reader, writer: serve(server, reader, writer), "127.0.0.1", options.port,
        backlog=4096)
    print("PORT", listening.sockets[0].getsockname()[1], flush=True)
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main())
