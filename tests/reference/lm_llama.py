#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The built-in model's engine against llama.cpp (the Python package llama-cpp-python; exit status 77 without it).

    lm_llama.py MODEL.gguf [--f32 FILE]

With weights in f32 and a cache in f32 (FILE, or the same weights converted here): the same tokens for varied text, the
same greedy text for 100 prompts, log-probabilities that differ by less than 1e-3. On MODEL itself: how much they
differ, which is what llama.cpp loses by computing with activations of 8 bits. The program RDV_LM_ASKER runs the
engine."""
import argparse
import pathlib
import random
import sys
import tempfile

import lm_engine
from lm import Reader, varied_texts

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "train"))
import gguf  # noqa: E402

try:
    import llama_cpp
    import numpy as np
except ImportError as error:
    print(f"skipped: {error}")
    sys.exit(77)

TOLERANCE = 1e-3
PROMPTS = 100
NEW_TOKENS = 64


def as_f32(path, out):
    """The same model with all weights in f32."""
    reader = Reader(path)
    metadata = {key: gguf.U64Value(value) if isinstance(value, int) and value >= 1 << 32 else value
                for key, value in reader.metadata.items()} | {"general.file_type": 0}
    tensors = []
    for name, rows in reader.tensors.items():
        array = np.array(rows, dtype="<f4")
        array = array[0] if name.endswith("norm.weight") else array
        tensors.append((name, array.shape, "f32", array.tobytes()))
    out.write_bytes(gguf.container(metadata, tensors))


class Llama:
    """llama.cpp with all log-probabilities."""

    def __init__(self, path, context, f32_cache):
        cache = {"type_k": 0, "type_v": 0} if f32_cache else {}
        self.model = llama_cpp.Llama(str(path), n_ctx=context, n_threads=1, n_threads_batch=1, logits_all=True,
                                     verbose=False, **cache)

    def tokens(self, text):
        return self.model.tokenize(text, add_bos=False, special=False)

    def control(self, name):
        return self.model.tokenize(name, add_bos=False, special=True)[-1]

    def odds(self, tokens):
        """Log-probabilities of the token after each of these."""
        self.model.reset()
        self.model.eval(tokens)
        logits = np.array(self.model.scores[:len(tokens)], dtype=np.float64)
        logits -= logits.max(axis=1, keepdims=True)
        return logits - np.log(np.exp(logits).sum(axis=1, keepdims=True))

    def greedy(self, prompt, ends):
        """Tokens until one of `ends`, which is not among them."""
        self.model.reset()
        self.model.eval(prompt)
        made = []
        while len(made) < NEW_TOKENS:
            token = int(np.argmax(self.model.scores[self.model.n_tokens - 1]))
            if token in ends:
                break
            made.append(token)
            self.model.eval([token])
        return made


def questions(rng):
    """Word problems, and other text that a prompt may hold."""
    names, things = ("Tom", "Mia", "Ravi", "Lena"), ("apples", "books", "stamps", "marbles")
    for i in range(PROMPTS):
        a, b, c = (rng.randrange(2, 90) for _ in range(3))
        name, thing = rng.choice(names), rng.choice(things)
        yield rng.choice((
            f"{name} has {a} {thing} and buys {b} more. Then {name} gives away {c}. How many are left?",
            f"A box holds {a} {thing}. How many {thing} do {b} boxes hold? Let's think step by step.",
            f"Sort the following words alphabetically: List: {thing} {rng.choice(things)} {rng.choice(things)}",
            f"({a} + {b}) * {c} =", f"Step {i}: {name} has {a} - {b} = {a - b} {thing}.\nIs this step right?"))


def chat(engine, llama, text):
    # Special tokens in the middle are told apart from text by being added as numbers.
    return [llama.model.token_bos(), llama.control(b"<|user|>"), *engine.tokens(text.encode()),
            llama.control(b"<|end|>"), llama.control(b"<|assistant|>")]


def difference(llama, prompt, reply):
    """Of the log-probabilities of the prompt's and the reply's tokens; and where llama.cpp would choose another."""
    tokens = prompt + [token for token, _ in reply.made]
    given = np.array([logprob for _, logprob in reply.scored[1:] + reply.made])
    odds = llama.odds(tokens)
    theirs = odds[np.arange(len(tokens) - 1), tokens[1:]]
    first = len(prompt) - 1
    other = [t for t, row in zip(tokens[first + 1:], odds[first:-1]) if row.argmax() != t]
    return np.abs(given - theirs), len(other), len(reply.made)


def compare(path, f32_cache, exact):
    """Prints what differs; the number of failures where it has to be `exact`."""
    kinds = Reader(path).metadata["tokenizer.ggml.token_type"]
    ends = {i for i, kind in enumerate(kinds) if kind in (2, 3, 5)}
    rng, bad = random.Random(3), 0
    with lm_engine.Engine(path) as engine:
        llama = Llama(path, engine.context, f32_cache)
        texts = varied_texts(rng, 1000) + [q.encode() for q in questions(rng)]
        same = sum(engine.tokens(text) == llama.tokens(text) for text in texts)
        prompts = [chat(engine, llama, q) for q in questions(rng)]
        replies = engine.run([{"prompt": p, "score": 1, "max_tokens": NEW_TOKENS} for p in prompts])
        alike = sum([t for t, _ in r.made] == llama.greedy(p, ends) for p, r in zip(prompts, replies))
        each = [difference(llama, p, r) for p, r in zip(prompts, replies)]
    gaps = np.concatenate([gap for gap, _, _ in each])
    other, made = sum(o for _, o, _ in each), sum(n for _, _, n in each)
    print(f"{pathlib.Path(path).name}, cache in {'f32' if f32_cache else 'f16'}: "
          f"{same} of {len(texts)} texts have the same tokens; {alike} of {len(prompts)} greedy texts are the same; "
          f"of {len(gaps)} log-probabilities the mean difference is {gaps.mean():.1e}, the largest {gaps.max():.1e}; "
          f"at {other} of {made} places the choice is another")
    if exact:
        bad = (same < len(texts)) + (alike < len(prompts)) + (gaps.max() >= TOLERANCE)
    return bad


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model", type=pathlib.Path)
    parser.add_argument("--f32", type=pathlib.Path)
    options = parser.parse_args()
    if not options.model.exists():
        print(f"skipped: {options.model} is not there")
        return 77
    with tempfile.TemporaryDirectory() as folder:
        f32 = options.f32 or pathlib.Path(folder) / "f32.gguf"
        if not options.f32:
            as_f32(options.model, f32)
        bad = compare(f32, True, True)
    compare(options.model, True, False)
    compare(options.model, False, False)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
