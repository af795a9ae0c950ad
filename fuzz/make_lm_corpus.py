#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Write fuzz/corpus/lm: the smallest models that can be run, one of each kind of weights, and files that are wrong in
one way each, from which a fuzzer finds more.

    fuzz/make_lm_corpus.py [FOLDER]"""
import pathlib
import random
import struct
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "tests"))
import make_lm  # noqa: E402

gguf = make_lm.gguf

SMALL = {"context_length": 32, "embedding_length": 32, "block_count": 1, "feed_forward_length": 32, "head_count": 2,
         "head_count_kv": 1, "rope_freq_base": 10000.0, "rms_epsilon": 1e-5}
# Weights of one value compress well and make a corpus that a repository can hold.
VOCAB = ([("<unk>", 0.0, gguf.UNKNOWN), ("<s>", 0.0, gguf.CONTROL), ("</s>", 0.0, gguf.CONTROL)] +
         [(f"<0x{b:02X}>", 0.0, gguf.BYTE) for b in range(256)] +
         [("\u2581", -1.0, gguf.NORMAL), ("a", -1.0, gguf.NORMAL), ("\u2581a", -2.0, gguf.NORMAL)])


def model(kind="q8_0", changes=None, drop=(), tensors=None, weight=0.5):
    """A model; `changes` replaces metadata, `drop` leaves tensors out, `tensors` changes the list of them."""
    config = SMALL | {"vocab_size": len(VOCAB)}
    metadata = gguf.model_metadata(config, kind) | gguf.tokenizer_metadata(VOCAB) | (changes or {})
    rng = random.Random(1)
    listed = []
    for name, shape in gguf.expected_shapes(config).items():
        if name in drop:
            continue
        rows = shape[0] if len(shape) > 1 else 1
        used = kind if len(shape) > 1 else "f32"
        row = [weight * rng.choice((-1, 1)) for _ in range(shape[-1])]
        listed.append((name, shape, used, make_lm.encode([row] * rows, used)))
    return gguf.container({key: value for key, value in metadata.items() if value is not None},
                          tensors(listed) if tensors else listed)


def inputs():
    for kind in gguf.TENSOR_TYPES:
        yield f"{kind}.gguf", model(kind)
    whole = model()
    yield "cut-head.gguf", whole[:700]
    yield "cut-data.gguf", whole[:-100]
    yield "version.gguf", whole[:4] + struct.pack("<I", 2) + whole[8:200]
    yield "many.gguf", whole[:8] + struct.pack("<QQ", 1 << 60, 1 << 60) + whole[24:200]
    yield "heads.gguf", model(changes={"llama.attention.head_count": 3})
    yield "context.gguf", model(changes={"llama.context_length": 32768})
    yield "experts.gguf", model(changes={"llama.expert_count": 8})
    yield "types.gguf", model(changes={"llama.block_count": "one", "tokenizer.ggml.scores": [1, 2]})
    yield "missing.gguf", model(drop=("blk.0.ffn_up.weight",))
    yield "extra.gguf", model(tensors=lambda listed: listed + [("rope_freqs.weight", (8,), "f32", b"\0" * 32)])
    yield "shape.gguf", model(tensors=lambda listed: [
        (name, (7, 32) if name == "blk.0.attn_k.weight" else shape, *rest) for name, shape, *rest in listed])
    yield "no-number.gguf", model("f32", weight=float("nan"))
    yield "overflow.gguf", model("f32", weight=3e38)
    head = [("step_head.weight", (32,), "f32", struct.pack("<32f", *[0.5] * 32))]
    said = gguf.step_head_metadata(-1.5)
    yield "steps.gguf", model(changes=said, tensors=lambda listed: listed + head)
    yield "steps-layout.gguf", model(changes=said | {"rederive.step_head.layout": "line"},
                                     tensors=lambda listed: listed + head)
    yield "steps-bias.gguf", model(changes=said | {"rederive.step_head.bias": float("nan")},
                                   tensors=lambda listed: listed + head)
    yield "steps-no-head.gguf", model(changes=said)


def main(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, data in inputs():
        (folder / name).write_bytes(data)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "corpus/lm")
