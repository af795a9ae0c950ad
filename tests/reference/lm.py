#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The built-in model's engine against a plain second implementation: double precision, no cache, no batch, one token
after another, written from the definition of the architecture. Python's standard library only.

    lm.py MODEL.gguf...     tokens of varied text must be the same; log-probabilities of given and of generated tokens
                            may differ by what single precision costs (1e-4), and greedy choices not at all

The program RDV_LM_ASKER runs the engine."""
import math
import operator
import pathlib
import random
import struct
import sys

import lm_engine

TOLERANCE = 1e-4
SPACE = "\u2581".encode()
SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
NORMAL, CONTROL, BYTE = 1, 3, 6


class Reader:
    """A GGUF file: `metadata` by key, `tensors` by name, as lists of rows."""

    def __init__(self, path):
        self.data, self.at = pathlib.Path(path).read_bytes(), 8
        n_tensors, n_values = self.take("QQ")
        self.metadata = {}
        for _ in range(n_values):
            key = self.text().decode()
            self.metadata[key] = self.value(self.take("I")[0])
        heads = [self.head() for _ in range(n_tensors)]
        begin = (self.at + 31) // 32 * 32
        self.tensors = {name: self.rows(dims, kind, begin + offset) for name, dims, kind, offset in heads}

    def take(self, fields):
        values = struct.unpack_from("<" + fields, self.data, self.at)
        self.at += struct.calcsize("<" + fields)
        return values

    def text(self):
        n, = self.take("Q")
        self.at += n
        return self.data[self.at - n:self.at]

    def value(self, kind):
        if kind == 8:
            return self.text()
        if kind == 9:
            item, n = self.take("IQ")
            return [self.value(item) for _ in range(n)]
        return self.take(SCALARS[kind])[0]

    def head(self):
        name = self.text().decode()
        dims = self.take(f"{self.take('I')[0]}Q")
        kind, offset = self.take("IQ")
        return name, dims, kind, offset

    def rows(self, dims, kind, begin):
        cols, n = dims[0], dims[1] if len(dims) > 1 else 1
        if kind == 8:
            return [self.q8_0(cols, begin + r * cols // 32 * 34) for r in range(n)]
        letter, size = {0: ("f", 4), 1: ("e", 2)}[kind]
        return [struct.unpack_from(f"<{cols}{letter}", self.data, begin + r * cols * size) for r in range(n)]

    def q8_0(self, cols, at):
        row = []
        for block in range(cols // 32):
            scale, *weights = struct.unpack_from("<e32b", self.data, at + 34 * block)
            row += [scale * w for w in weights]
        return row


class Tokenizer:
    """Joins the best pair of neighbours until there is none: quadratic, and plainly right."""

    def __init__(self, metadata):
        self.texts = metadata["tokenizer.ggml.tokens"]
        kinds = metadata["tokenizer.ggml.token_type"]
        self.scores = metadata["tokenizer.ggml.scores"]
        self.number = {t: i for i, t in enumerate(self.texts) if kinds[i] == NORMAL}
        self.byte = {int(t[3:5], 16): i for i, t in enumerate(self.texts) if kinds[i] == BYTE}
        self.ends = {i for i in range(len(kinds)) if kinds[i] not in (NORMAL, BYTE)}
        self.space = metadata["tokenizer.ggml.add_space_prefix"]

    def encode(self, text):
        text = (b" " if self.space and text else b"") + text
        text, parts = text.replace(b" ", SPACE), []
        while text:
            first = text[0]
            n = 4 if first >= 0xF0 else 3 if first >= 0xE0 else 2 if first >= 0xC0 else 1
            parts.append(text[:n])
            text = text[n:]
        while True:
            pairs = [(-self.scores[self.number[a + b]], i) for i, (a, b) in enumerate(zip(parts, parts[1:]))
                     if a + b in self.number]
            if not pairs:
                break
            i = min(pairs)[1]
            parts[i:i + 2] = [parts[i] + parts[i + 1]]
        out = []
        for part in parts:
            out += [self.number[part]] if part in self.number else [self.byte[b] for b in part]
        return out


def dot(a, b):
    return sum(map(operator.mul, a, b))


def times(rows, x):
    return [dot(row, x) for row in rows]


def softmax(x):
    most = max(x)
    e = [math.exp(v - most) for v in x]
    total = sum(e)
    return [v / total for v in e]


class Model:
    def __init__(self, reader):
        m, self.t = reader.metadata, reader.tensors
        self.layers = m["llama.block_count"]
        self.heads, self.kv = m["llama.attention.head_count"], m["llama.attention.head_count_kv"]
        self.size = m["llama.embedding_length"] // self.heads
        self.epsilon, self.base = m["llama.attention.layer_norm_rms_epsilon"], m["llama.rope.freq_base"]
        self.output = self.t.get("output.weight", self.t["token_embd.weight"])
        self.keys = [[[] for _ in range(self.kv)] for _ in range(self.layers)]
        self.values = [[[] for _ in range(self.kv)] for _ in range(self.layers)]

    def weight(self, layer, name):
        return self.t[f"blk.{layer}.{name}.weight"]

    def norm(self, x, weight):
        scale = 1 / math.sqrt(dot(x, x) / len(x) + self.epsilon)
        return [v * scale * w for v, w in zip(x, weight[0])]

    def heads_of(self, x, at, turned):
        out = []
        for begin in range(0, len(x), self.size):
            head = list(x[begin:begin + self.size])
            for i in range(0, self.size if turned else 0, 2):
                angle = at * self.base ** (-i / self.size)
                even, odd = head[i:i + 2]
                head[i] = even * math.cos(angle) - odd * math.sin(angle)
                head[i + 1] = even * math.sin(angle) + odd * math.cos(angle)
            out.append(head)
        return out

    def attend(self, layer, h, at):
        q = self.heads_of(times(self.weight(layer, "attn_q"), h), at, True)
        k = self.heads_of(times(self.weight(layer, "attn_k"), h), at, True)
        v = self.heads_of(times(self.weight(layer, "attn_v"), h), at, False)
        for head in range(self.kv):
            self.keys[layer][head].append(k[head])
            self.values[layer][head].append(v[head])
        out = []
        for head in range(self.heads):
            shared = head // (self.heads // self.kv)
            shares = softmax([dot(q[head], key) / math.sqrt(self.size) for key in self.keys[layer][shared]])
            out += [dot(shares, column) for column in zip(*self.values[layer][shared])]
        return times(self.weight(layer, "attn_output"), out)

    def state(self, token, at):
        """The last state at this token, normalised."""
        x = list(self.t["token_embd.weight"][token])
        for layer in range(self.layers):
            h = self.norm(x, self.weight(layer, "attn_norm"))
            x = list(map(operator.add, x, self.attend(layer, h, at)))
            h = self.norm(x, self.weight(layer, "ffn_norm"))
            gate, up = times(self.weight(layer, "ffn_gate"), h), times(self.weight(layer, "ffn_up"), h)
            act = [g / (1 + math.exp(-g)) * u for g, u in zip(gate, up)]
            x = list(map(operator.add, x, times(self.weight(layer, "ffn_down"), act)))
        return self.norm(x, self.t["output_norm.weight"])

    def step(self, token, at):
        """The log-probabilities of the token after this one."""
        logits = times(self.output, self.state(token, at))
        return [math.log(p) for p in softmax(logits)]


def varied_texts(rng, n):
    parts = [b"Tom has 12 apples. ", b" ", b"  ", b"\n", b"<|end|>", b"<s>", b"<0x41>", b"\xff", b"\xe2\x82", b"the ",
             "caf\u00e9 \u65e5\u672c".encode(), b"th", b"he", b"$4.50", b"\x00", b"and the ", b"lll", b"apple"]
    return [b"".join(rng.choice(parts) for _ in range(rng.randrange(12))) for _ in range(n)]


def check_tokens(reader, engine, rng):
    tokenizer, wrong = Tokenizer(reader.metadata), 0
    for text in varied_texts(rng, 400):
        if tokenizer.encode(text) != engine.tokens(text):
            print(f"tokens of {text!r}: {engine.tokens(text)}, not {tokenizer.encode(text)}")
            wrong += 1
    return wrong


def check_job(reader, engine, prompt, job):
    """The worst difference of a log-probability, and how many generated tokens are not the greedy ones."""
    reply = engine.run([{"prompt": prompt, "score": 1, **job}])[0]
    model, worst, wrong = Model(reader), 0.0, 0
    tokens = prompt + [token for token, _ in reply.made]
    given = [logprob for _, logprob in reply.scored[1:] + reply.made]
    assert len(given) == len(tokens) - 1 and math.isnan(reply.scored[0][1])
    for at, (token, logprob) in enumerate(zip(tokens[1:], given)):
        odds = model.step(tokens[at], at)
        worst = max(worst, abs(odds[token] - logprob))
        if at + 1 >= len(prompt) and not job.get("temperature"):
            wrong += odds[token] < max(odds) - TOLERANCE
    return worst, wrong


def check(path):
    reader, rng = Reader(path), random.Random(5)
    with lm_engine.Engine(path) as engine:
        bad = check_tokens(reader, engine, rng)
        worst = 0.0
        for n, job in ((1, {"max_tokens": 30}), (37, {"max_tokens": 12}), (20, {"max_tokens": 20, "temperature": 1.0})):
            prompt = [1] + [rng.randrange(engine.vocab) for _ in range(n - 1)]
            difference, wrong = check_job(reader, engine, prompt, job)
            worst, bad = max(worst, difference), bad + wrong
        print(f"{pathlib.Path(path).name}: {engine.kernels}; log-probabilities differ by at most {worst:.1e}")
    return bad + (worst > TOLERANCE)


if __name__ == "__main__":
    sys.exit(1 if sum(map(check, sys.argv[1:])) else 0)
