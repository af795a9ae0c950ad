# SPDX-License-Identifier: Apache-2.0
"""How the servers that people use answer: what differs between them, on the wire.

llama.cpp: recorded from its own server (tests/real/serve.py). The others from their sources:
    vLLM    vllm-project/vllm, vllm/entrypoints/openai/chat_completion/{protocol,serving}.py,
            completion/serving.py, engine/protocol.py; vllm/entrypoints/serve/utils/api_utils.py
    Ollama  ollama/ollama, openai/openai.go, middleware/openai.go, server/prompt.go,
            model/renderers/qwen3vl.go (an open turn is continued), llm/llama_server.go
    SGLang  sgl-project/sglang, python/sglang/srt/entrypoints/openai/serving_{base,chat,completions}.py
    OpenAI  openai/openai-openapi, openapi.yaml, and the error messages of its API
    a proxy like OpenAI behind it; what it drops: BerriAI/litellm,
            docs/my-website/docs/completion/drop_params.md

What the model "writes" comes from the script. Here is what each server makes of it: what it does
with a turn that is left open, with parameters that it does not know, with a text that is too long,
and the shape of log-probabilities and errors.
"""
import hashlib
import json
import re

LOGPROB = -0.25  # of every token, so that scores do not depend on the server
END = "<|im_end|>"
ANEW = "Is there anything else that I can help you with?"  # a new turn after one that was not open


class Refused(Exception):
    """The request is answered with this status and body."""

    def __init__(self, status, body):
        super().__init__(body)
        self.status, self.body = status, body


def openai_error(status, message, kind="invalid_request_error", param=None, code=None):
    return Refused(status, {"error": {"message": message, "type": kind, "param": param,
                                      "code": code}})


def tokens_of(text):
    """A word with the space before it is a token, and so is each line end."""
    return re.findall(r"\n|[^\S\n]*\S+|[^\S\n]+", text)


def token_id(token):
    return int(hashlib.sha256(token.encode()).hexdigest()[:7], 16)


def entry(token, **more):
    return {"token": token, "bytes": list(token.encode()), "logprob": LOGPROB} | more


def classic_logprobs(tokens, first_unknown):
    """As OpenAI's completions had them: parallel lists."""
    known = [LOGPROB] * len(tokens)
    tops = [{token: LOGPROB} for token in tokens]
    if first_unknown and tokens:
        known[0], tops[0] = None, None
    offsets = [sum(len(t) for t in tokens[:i]) for i in range(len(tokens))]
    return {"tokens": tokens, "token_logprobs": known, "top_logprobs": tops,
            "text_offset": offsets}


def prompt_of(body):
    if "messages" not in body:
        return body.get("prompt", "")
    return "\n".join(message["content"] for message in body["messages"])


class Form:
    """What they have in common: OpenAI's protocol as the servers of open models speak it."""

    owner = "owner"
    echoes = False  # whether /v1/completions knows `echo`
    ends_with_token = None  # the text of the end's token among the log-probabilities
    counts_one_choice = False

    def __init__(self, script):
        self.context = script.get("context", 1 << 20)  # tokens
        self.slots = script.get("slots", 4)
        self.chat_template = script.get("chat_template", "{% for message in messages %}...{% endfor %}")
        self.names = script.get("models", ["fake"])
        self.known = {}  # token of an id

    # ---- what is asked of the server itself

    def models(self):
        return {"object": "list", "data": [self.card(name) for name in self.names]}

    def card(self, name):
        return {"id": name, "object": "model", "created": 1, "owned_by": self.owner}

    def answer(self, path, body):
        """The answer to a path that asks about the server. None: it asks the model."""
        if path.endswith("/models"):
            return self.models()
        if path in ("/v1/chat/completions", "/v1/completions"):
            return None
        raise self.unknown_path(path)

    def unknown_path(self, path):
        return Refused(404, {"detail": "Not Found"})

    # ---- refusals

    def refuse(self, status, message, param=None):
        return openai_error(status, message, "BadRequestError" if status == 400 else
                            "NotFoundError", param, status)

    def check(self, path, body):
        if not path.endswith("completions"):
            return
        self.check_model(body.get("model"))
        self.check_parameters(body)
        tokens = len(tokens_of(prompt_of(body)))
        if tokens > self.context:
            raise self.too_long(tokens)

    def check_model(self, name):
        pass

    def check_parameters(self, body):
        pass

    def spelled(self, ids):
        """A prompt that was given as the ids of its tokens."""
        return "".join(self.known.get(i, "?") for i in ids)

    # ---- an open turn

    def continues(self, body):
        """Whether the model is to go on with the last message; else it begins a new turn."""
        return bool(body.get("continue_final_message"))

    def gives_back(self, body):
        """Whether what the model went on with stands before its words in the reply."""
        return False

    # ---- replies

    def chat(self, body, write):
        messages = body.get("messages") or [{"role": "user", "content": ""}]
        is_open = messages[-1]["role"] == "assistant"
        if is_open and not self.continues(body):
            written, reason = self.limit(ANEW, body)
        else:
            written, reason = self.limit(self.forced(body) or self.chosen(body, write()), body)
        text = written
        if is_open and self.continues(body) and self.gives_back(body):
            text = messages[-1]["content"] + text
        choice = {"index": 0, "message": {"role": "assistant", "content": text},
                  "finish_reason": reason}
        self.add_chat_logprobs(choice, body, written, reason)
        reply = self.envelope(body, "chat.completion", choice, written)
        self.add_prompt_logprobs(reply, choice, body)
        return reply

    def complete(self, body, write):
        prompt = body.get("prompt", "")
        none = body.get("max_tokens") == 0
        written, reason = self.limit(self.forced(body) or ("" if none else write()), body)
        echo = self.echoes and body.get("echo")
        choice = {"index": 0, "text": (prompt if echo else "") + written, "logprobs": None,
                  "finish_reason": reason}
        if body.get("logprobs") is not None:
            tokens = (tokens_of(prompt) if echo else []) + tokens_of(written)
            choice["logprobs"] = self.completion_logprobs(tokens, echo)
        reply = self.envelope(body, "text_completion", choice, written)
        self.add_prompt_logprobs(reply, choice, body)
        return reply

    def forced(self, body):
        """What a grammar leaves no choice about."""
        return None

    def choices(self, body):
        """The texts of which the reply is to be one; none: it is free."""
        return []

    def chosen(self, body, text):
        choices = self.choices(body)
        return next((c for c in choices if c in text), choices[0]) if choices else text

    def limit(self, text, body):
        """The text up to a stop or the limit, and why it ends."""
        for stop in body.get("stop") or []:
            text = text.split(stop)[0]
        most = body.get("max_tokens", body.get("max_completion_tokens"))
        tokens = tokens_of(text)
        if most is None or len(tokens) <= most or (most == 0 and not tokens):
            return text, "stop"
        return "".join(tokens[:self.least(most)]), "length"

    def least(self, most):
        return most

    def completion_logprobs(self, tokens, echo):
        return classic_logprobs(tokens, echo)

    def add_chat_logprobs(self, choice, body, written, reason):
        choice["logprobs"] = None
        if not body.get("logprobs"):
            return
        entries = [self.chat_entry(token, body) for token in tokens_of(written)]
        if self.ends_with_token is not None and reason == "stop" and not body.get("stop"):
            entries.append(self.chat_entry(self.ends_with_token, body))
        choice["logprobs"] = {"content": entries}

    def chat_entry(self, token, body):
        others = [entry(token), entry("?") | {"logprob": -1.5}][:body.get("top_logprobs", 0)]
        return entry(token, top_logprobs=others)

    def add_prompt_logprobs(self, reply, choice, body):
        pass

    def envelope(self, body, kind, choice, written):
        n = self.how_many(body)
        prompt = len(tokens_of(prompt_of(body)))
        completion = max(1, len(tokens_of(written))) * (1 if self.counts_one_choice else n)
        return {"id": "x", "object": kind, "created": 1, "model": self.named(body),
                "choices": [choice | {"index": i} for i in range(n)],
                "usage": {"prompt_tokens": prompt, "completion_tokens": completion,
                          "total_tokens": prompt + completion}}

    def named(self, body):
        return body.get("model") or self.names[0]

    def how_many(self, body):
        return body.get("n", 1)


class LlamaCpp(Form):
    owner = "llamacpp"
    ends_with_token = ""
    counts_one_choice = True

    def card(self, name):
        return super().card(name) | {"meta": {"n_ctx": self.context, "n_ctx_train": 8192}}

    def answer(self, path, body):
        if path == "/props":
            return {"default_generation_settings": {
                        "params": {"temperature": 0.8, "top_k": 40, "top_p": 0.95, "min_p": 0.05},
                        "n_ctx": self.context},
                    "total_slots": self.slots, "model_path": self.names[0],
                    "chat_template": self.chat_template,
                    "bos_token": "<|im_start|>", "eos_token": END, "build_info": "b0-unknown"}
        if path == "/health":
            return {"status": "ok"}
        if path == "/slots":
            return [{"id": i, "n_ctx": self.context, "is_processing": False}
                    for i in range(self.slots)]
        if path == "/tokenize":
            return self.tokenize(body)
        return super().answer(path, body)

    def tokenize(self, body):
        tokens = tokens_of(body.get("content", ""))
        if body.get("with_pieces"):
            return {"tokens": [{"id": self.learn(t), "piece": t} for t in tokens]}
        return {"tokens": [self.learn(token) for token in tokens]}

    def learn(self, token):
        """Remembers the token of an id, so that a grammar of ids can be followed."""
        self.known[token_id(token)] = token
        return token_id(token)

    def unknown_path(self, path):
        return self.refuse(404, "File Not Found")

    def refuse(self, status, message, param=None):
        kind = {400: "invalid_request_error", 404: "not_found_error", 500: "server_error"}[status]
        return Refused(status, {"error": {"code": status, "message": message, "type": kind}})

    def too_long(self, tokens):
        message = (f"request ({tokens} tokens) exceeds the available context size "
                   f"({self.context} tokens), try increasing it")
        return Refused(400, {"error": {"code": 400, "message": message,
                                       "type": "exceed_context_size_error",
                                       "n_prompt_tokens": tokens, "n_ctx": self.context}})

    def check_parameters(self, body):
        roles = [message["role"] for message in body.get("messages", [])]
        if body.get("continue_final_message") and body.get("add_generation_prompt", False):
            raise self.refuse(400, "Cannot set both add_generation_prompt and "
                              "continue_final_message to true.")
        if roles[-2:] == ["assistant", "assistant"]:
            raise self.refuse(400, "Cannot have 2 or more assistant messages at the end of the "
                              "list.")
        if not 1 <= body.get("n", 1) <= self.slots:
            raise self.refuse(400, f"Field 'n': Value must be between 1 <= value <= {self.slots}, "
                              f"but got {body['n']}")
        if body.get("top_logprobs") and not body.get("logprobs"):
            raise self.refuse(400, "top_logprobs requires logprobs to be set to true")

    def named(self, body):
        return self.names[0]

    def continues(self, body):
        return True  # whatever the flags say

    def gives_back(self, body):
        return True

    def forced(self, body):
        ids = re.findall(r"<\[(\d+)\]>", body.get("grammar", ""))
        if not ids:
            return None
        if any(int(i) not in self.known for i in ids):
            raise self.refuse(500, "got exception: Unexpected empty grammar stack after accepting "
                              "piece: 6 (38)")
        return self.spelled(map(int, ids))

    def choices(self, body):
        return [json.loads(c) for c in re.findall(r'"(?:[^"\\]|\\.)*"', body.get("grammar", ""))]

    def least(self, most):
        return max(most, 1)

    def limit(self, text, body):
        # Even without tokens to write it writes one; and what has no end of its own is cut off.
        text, reason = super().limit(text, body)
        if self.forced(body) and len(tokens_of(text)) >= body.get("max_tokens", 1 << 30):
            reason = "length"
        return text, reason

    def complete(self, body, write):
        return super().complete(body | {"max_tokens": max(body.get("max_tokens", 1 << 30), 1)},
                                write)

    def completion_logprobs(self, tokens, echo):
        return {"content": [self.chat_entry(token, {"top_logprobs": 1}) for token in tokens]}

    def chat_entry(self, token, body):
        return super().chat_entry(token, body) | {"id": token_id(token)}

    def add_chat_logprobs(self, choice, body, written, reason):
        super().add_chat_logprobs(choice, body, written, reason)
        if choice["logprobs"] is None:
            del choice["logprobs"]


class VLLM(Form):
    owner = "vllm"
    echoes = True
    ends_with_token = END

    def card(self, name):
        return super().card(name) | {"root": name, "parent": None, "max_model_len": self.context,
                                     "permission": []}

    def check_model(self, name):
        if name is not None and name not in self.names:
            raise self.refuse(404, f"The model `{name}` does not exist.", "model")

    def check_parameters(self, body):
        if body.get("continue_final_message") and body.get("add_generation_prompt", False):
            raise self.refuse(400, "Cannot set both `continue_final_message` and "
                              "`add_generation_prompt` to True.")
        if body.get("temperature", 0) < 0:
            raise self.refuse(400, f"temperature must be non-negative, got {body['temperature']}.",
                              "temperature")

    def too_long(self, tokens):
        return self.refuse(400, f"This model's maximum context length is {self.context} tokens. "
                           "However, you requested 0 output tokens and your prompt contains at "
                           f"least {tokens} input tokens, for a total of at least {tokens} tokens. "
                           "Please reduce the length of the input prompt or the number of "
                           "requested output tokens.", "input_tokens")

    def continues(self, body):
        return (bool(body.get("continue_final_message")) and
                not body.get("add_generation_prompt", True))

    def gives_back(self, body):
        return bool(body.get("echo"))

    def choices(self, body):
        return body.get("structured_outputs", {}).get("choice", [])

    def add_prompt_logprobs(self, reply, choice, body):
        if "prompt_logprobs" not in body:
            return
        places = [{str(token_id(token)): {"logprob": LOGPROB, "rank": 1, "decoded_token": token}}
                  for token in tokens_of(prompt_of(body))]
        # Beside the choices of a conversation, in the choice of a completion.
        where = reply if "messages" in body else reply["choices"][0]
        where["prompt_logprobs"] = [None] + places[1:]


class SGLang(Form):
    owner = "sglang"
    echoes = True
    ends_with_token = END

    def refuse(self, status, message, param=None):
        # Not within "error".
        return Refused(status, {"object": "error", "message": message, "type": "BadRequestError",
                                "param": param, "code": status})

    def too_long(self, tokens):
        return self.refuse(400, f"The input ({tokens} tokens) is longer than the model's context "
                           f"length ({self.context} tokens).")

    def check_parameters(self, body):
        if body.get("temperature", 0) < 0:
            raise self.refuse(400, f"temperature must be non-negative, got {body['temperature']}.")


class Ollama(Form):
    owner = "library"

    def unknown_path(self, path):
        return Refused(404, "404 page not found")

    def refuse(self, status, message, param=None):
        kind = {400: "invalid_request_error", 404: "not_found_error"}[status]
        return openai_error(status, message, kind)

    def check_model(self, name):
        if name not in self.names:
            raise self.refuse(404, f"model '{name}' not found")

    def check(self, path, body):
        # Earlier turns are left out without a word until the rest fits; system turns stay.
        messages = body.get("messages") or []
        while len(messages) > 1 and len(tokens_of(prompt_of(body))) > self.context:
            first = next((i for i, m in enumerate(messages[:-1]) if m["role"] != "system"), None)
            if first is None:
                break
            del messages[first]
        super().check(path, body)

    def too_long(self, tokens):
        return self.refuse(400, f"request ({tokens} tokens) exceeds the available context size "
                           f"({self.context} tokens), try increasing it")

    def continues(self, body):
        return True  # by most models' templates

    def how_many(self, body):
        return 1

    def completion_logprobs(self, tokens, echo):
        return {"content": [entry(token) for token in tokens]}

    def add_chat_logprobs(self, choice, body, written, reason):
        super().add_chat_logprobs(choice, body, written, reason)
        if choice["logprobs"] is None:
            del choice["logprobs"]

    def chat_entry(self, token, body):
        made = super().chat_entry(token, body)
        return made if made["top_logprobs"] else entry(token)


class OpenAI(Form):
    owner = "openai"
    KNOWN = {"messages", "model", "max_tokens", "max_completion_tokens", "temperature", "top_p",
             "stop", "logprobs", "top_logprobs", "n", "seed", "response_format", "stream",
             "stream_options", "frequency_penalty", "presence_penalty", "logit_bias", "user"}

    def refuse(self, status, message, param=None, code=None):
        return openai_error(status, message, param=param, code=code)

    def check_model(self, name):
        if name not in self.names:
            raise self.refuse(404, f"The model `{name}` does not exist or you do not have access "
                              "to it.", None, "model_not_found")

    def unknown_path(self, path):
        return self.refuse(404, f"Invalid URL ({path})")

    def check(self, path, body):
        if path.endswith("completions") and "messages" not in body:
            raise self.refuse(404, "This is a chat model and not supported in the v1/completions "
                              "endpoint. Did you mean to use v1/chat/completions?", "model")
        super().check(path, body)

    def check_parameters(self, body):
        for name in body:
            if name not in self.KNOWN:
                raise self.refuse(400, f"Unrecognized request argument supplied: {name}")
        if body.get("temperature", 0) < 0:
            raise self.refuse(400, "Invalid 'temperature': decimal below minimum value. Expected a "
                              f"value >= 0, but got {body['temperature']} instead.", "temperature",
                              "decimal_below_min_value")

    def too_long(self, tokens):
        return self.refuse(400, f"This model's maximum context length is {self.context} tokens. "
                           f"However, your messages resulted in {tokens} tokens. Please reduce the "
                           "length of the messages.", "messages", "context_length_exceeded")

    def continues(self, body):
        return False


class Proxy(OpenAI):
    """A gateway that takes away what it does not know and asks OpenAI: the turn that was to be
    continued is closed, and nothing says so."""

    def check_parameters(self, body):
        for name in set(body) - self.KNOWN:
            del body[name]
        super().check_parameters(body)


FORMS = {"llama.cpp": LlamaCpp, "vllm": VLLM, "sglang": SGLang, "ollama": Ollama,
         "openai": OpenAI, "proxy": Proxy}
