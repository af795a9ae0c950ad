# SPDX-License-Identifier: Apache-2.0
"""The scripted server's llama.cpp (tests/fake/forms.py) answers as the real one does."""
import http.client
import json
import sys

from asked import Asked
from served import CONTEXT, SLOTS, SOURCE

sys.path.insert(0, str(SOURCE / "tests/fake"))
import forms  # noqa: E402

CHAT, TEXT = "/v1/chat/completions", "/v1/completions"
USER = {"role": "user", "content": "What is 2 + 3?"}
OPEN = {"role": "assistant", "content": "The sum of 2 and "}
# Of what only the length or the value differs: lists are compared by their first item.
OPTIONAL = {"timings", "system_fingerprint", "prompt_tokens_details", "aliases", "tags",
            "architecture", "models", "meta"}

REQUESTS = [
    (CHAT, {"messages": [USER], "max_tokens": 3}),
    (CHAT, {"messages": [USER], "max_tokens": 0}),
    (CHAT, {"messages": [USER], "max_tokens": 3, "logprobs": True, "top_logprobs": 1}),
    (CHAT, {"messages": [USER], "max_tokens": 3, "n": 2}),
    (CHAT, {"messages": [USER], "max_tokens": 3, "n": SLOTS + 1}),
    (CHAT, {"messages": [USER], "max_tokens": 3, "top_logprobs": 2}),
    (CHAT, {"messages": [USER], "max_tokens": 3, "prompt_logprobs": 1}),
    (CHAT, {"messages": [USER], "max_tokens": 3, "model": "another"}),
    (CHAT, {"messages": [USER], "max_tokens": 3, "temperature": -1}),
    (CHAT, {"messages": [USER, OPEN], "max_tokens": 3}),
    (CHAT, {"messages": [USER, OPEN], "max_tokens": 3, "continue_final_message": True,
            "add_generation_prompt": False}),
    (CHAT, {"messages": [USER, OPEN], "max_tokens": 3, "continue_final_message": True,
            "add_generation_prompt": True}),
    (CHAT, {"messages": [USER, OPEN, OPEN], "max_tokens": 3}),
    (CHAT, {"messages": [{"role": "user", "content": "apple " * 2 * CONTEXT}], "max_tokens": 3}),
    (TEXT, {"prompt": "2 + 3 =", "max_tokens": 3}),
    (TEXT, {"prompt": "2 + 3 =", "max_tokens": 3, "logprobs": 1}),
    (TEXT, {"prompt": "2 + 3 =", "max_tokens": 0, "logprobs": 1, "echo": True}),
    ("/tokenize", {"content": "2 + 3"}),
    ("/tokenize", {"content": "2 + 3", "with_pieces": True}),
    ("/v1/nothing", {"a": 1}),
]
FACTS = ["/v1/models", "/health", "/slots"]


def shape(value):
    """The names and kinds of what stands in a value."""
    if isinstance(value, dict):
        return {name: shape(item) for name, item in sorted(value.items()) if name not in OPTIONAL}
    if isinstance(value, list):
        return [shape(value[0])] if value else []
    if isinstance(value, bool) or value is None:
        return value
    return "number" if isinstance(value, (int, float)) else "text"


def has(larger, smaller):
    """Whether a shape has all that another has."""
    if isinstance(smaller, dict):
        return isinstance(larger, dict) and all(
            name in larger and has(larger[name], smaller[name]) for name in smaller)
    if isinstance(smaller, list) and smaller:
        return isinstance(larger, list) and bool(larger) and has(larger[0], smaller[0])
    return larger == smaller


class Forms(Asked):
    def real(self, method, path, body=None):
        connection = http.client.HTTPConnection("127.0.0.1", self.model.port, timeout=120)
        try:
            connection.request(method, path, json.dumps(body) if body else None,
                               {"Content-Type": "application/json"})
            reply = connection.getresponse()
            return reply.status, json.loads(reply.read())
        finally:
            connection.close()

    @staticmethod
    def scripted(path, body):
        form = forms.LlamaCpp({"context": CONTEXT, "slots": SLOTS, "models": ["smollm2"]})
        body = json.loads(json.dumps(body or {}))
        try:
            form.check(path, body)
            make = form.chat if "messages" in body else form.complete
            return 200, form.answer(path, body) or make(body, lambda: "3 is 5 and more is more")
        except forms.Refused as refused:
            return refused.status, refused.body

    def test_shapes(self):
        for method, path, body in ([("POST", *request) for request in REQUESTS] +
                                   [("GET", path, None) for path in FACTS]):
            with self.subTest(path=path, body=str(body)[:200]):
                real, said = self.real(method, path, body)
                ours, scripted = self.scripted(path, body)
                self.assertEqual(ours, real, said)
                self.assertTrue(has(shape(said), shape(scripted)), (said, scripted))
                if real == 200 and body and "messages" in body:
                    self.compare_choices(body, said, scripted)
                if real != 200:
                    self.assertEqual(said["error"]["type"], scripted["error"]["type"])

    def compare_choices(self, body, said, scripted):
        self.assertEqual(len(said["choices"]), len(scripted["choices"]))
        last = body["messages"][-1]
        for one, two in zip(said["choices"], scripted["choices"]):
            self.assertEqual("logprobs" in one, "logprobs" in two)
            for choice in one, two:
                if last["role"] == "assistant":
                    self.assertTrue(choice["message"]["content"].startswith(last["content"]))
                self.assertEqual(choice["finish_reason"], "length")
