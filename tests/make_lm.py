#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write a tiny language model with random weights, for tests: the same file for the same arguments.

    make_lm.py [--kind f32|f16|q8_0] [--seed N] [--separate] [--space] [--steps] OUT

--separate gives it an output matrix of its own; --space sets add_space_prefix; --steps adds a step head. Standard
library only."""
import argparse
import pathlib
import random
import struct
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "train"))
import gguf  # noqa: E402

CONFIG = {"context_length": 160, "embedding_length": 64, "block_count": 2, "feed_forward_length": 96,
          "head_count": 4, "head_count_kv": 2, "rope_freq_base": 10000.0, "rms_epsilon": 1e-5}

# Pieces longer than a character. Some are parts of the names of control tokens, which text must never become.
PIECES = ("th he in er an re on at en nd st or te es is it ar al le ed ing the and ion ent app les apple apples om Tom "
          "\u2581t \u2581a \u2581the \u2581and \u2581apples \u2581\u2581 \u2581\u2581\u2581\u2581 ll ss <s s> </ </s <| |> "
          "<|e <|end <|end| end| nd|> <0 x4 <0x <0x4 1> \n\n .\n \u2581= \u00e9t caf\u00e9 \u65e5\u672c").split(" ")


def vocabulary():
    vocab = [("<unk>", 0.0, gguf.UNKNOWN), ("<s>", 0.0, gguf.CONTROL), ("</s>", 0.0, gguf.CONTROL)]
    vocab += [(f"<0x{b:02X}>", 0.0, gguf.BYTE) for b in range(256)]
    vocab += [(name, 0.0, gguf.CONTROL) for name in ("<|system|>", "<|user|>", "<|assistant|>", "<|end|>")]
    letters = [chr(c) for c in range(33, 127)] + ["\n", "\u2581", "\u00e9", "\u65e5", "\u672c"]
    # Equal scores, in threes, so that ties are met.
    vocab += [(piece, -float(i // 3), gguf.NORMAL) for i, piece in enumerate([*PIECES, *letters])]
    return vocab


def q8_0(row):
    """Not as accurate as it could be, but exact to read back: that is all a test needs."""
    out = []
    for i in range(0, len(row), gguf.BLOCK):
        block = row[i:i + gguf.BLOCK]
        half = struct.pack("<e", max(map(abs, block)) / 127)
        scale = struct.unpack("<e", half)[0]
        out.append(half + struct.pack("<32b", *(max(-127, min(127, round(w / scale))) for w in block)))
    return b"".join(out)


def encode(rows, kind):
    if kind == "q8_0":
        return b"".join(map(q8_0, rows))
    letter = {"f32": "f", "f16": "e"}[kind]
    return b"".join(struct.pack(f"<{len(row)}{letter}", *row) for row in rows)


def tensors(config, kind, separate, rng):
    shapes = gguf.expected_shapes(config)
    if separate:
        shapes["output.weight"] = shapes["token_embd.weight"]
    for name, shape in shapes.items():
        if len(shape) == 1:
            rows, used = [[rng.gauss(1, 0.1) for _ in range(shape[0])]], "f32"
        else:
            spread = 0.5 if "token_embd" in name or name.startswith("output.") else 1.2 / shape[1] ** 0.5
            rows, used = [[rng.gauss(0, spread) for _ in range(shape[1])] for _ in range(shape[0])], kind
        yield name, shape, used, encode(rows, used)


def step_head(config, rng):
    """A head whose logits are small enough to tell its scores apart."""
    row = [rng.gauss(0, 0.2) for _ in range(config["embedding_length"])]
    return "step_head.weight", (len(row),), "f32", encode([row], "f32")


def make(kind="f32", seed=1, separate=False, space=False, steps=False, **changes):
    """The bytes of a model. `changes` replace entries of CONFIG."""
    vocab = vocabulary()
    config = CONFIG | {"vocab_size": len(vocab)} | changes
    metadata = gguf.model_metadata(config, kind) | gguf.tokenizer_metadata(vocab)
    metadata |= {"general.name": "tiny", "tokenizer.chat_template": gguf.CHAT_TEMPLATE,
                 "tokenizer.ggml.add_space_prefix": space}
    listed = list(tensors(config, kind, separate, random.Random(seed)))
    if steps:
        metadata |= gguf.step_head_metadata(0.25)
        listed.append(step_head(config, random.Random(seed + 1)))
    return gguf.container(metadata, listed)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--kind", default="f32", choices=gguf.TENSOR_TYPES)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--separate", action="store_true")
    parser.add_argument("--space", action="store_true")
    parser.add_argument("--steps", action="store_true")
    parser.add_argument("out", type=pathlib.Path)
    options = parser.parse_args()
    options.out.write_bytes(make(options.kind, options.seed, options.separate, options.space, options.steps))


if __name__ == "__main__":
    main()
