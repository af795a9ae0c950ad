# SPDX-License-Identifier: Apache-2.0
"""Writes a trained model as a GGUF file with its tokenizer inside.

    python export.py CHECKPOINT.pt TOKENIZER.model OUT.gguf [--kind f32|f16|q8_0]"""
import argparse

import torch
from sentencepiece import sentencepiece_model_pb2 as pb

from examples import PROMPT_IDS
from gguf import write_gguf


def vocabulary(path):
    model = pb.ModelProto()
    with open(path, "rb") as f:
        model.ParseFromString(f.read())
    return [(p.piece, p.score, p.type) for p in model.pieces]


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("checkpoint")
    a.add_argument("tokenizer")
    a.add_argument("out")
    a.add_argument("--kind", default="q8_0", choices=["f32", "f16", "q8_0"])
    a.add_argument("--name", default="rederive-small")
    a.add_argument("--version", default="1")
    args = a.parse_args()
    saved = torch.load(args.checkpoint, weights_only=False)
    tensors = {name: value.float().numpy() for name, value in saved["model"].items()}
    metadata = {
        "general.name": args.name,
        "general.version": args.version,
        "general.author": "the Rederive developers",
        "general.license": "apache-2.0",
        "general.description": "A small model of step-by-step reasoning, for Rederive's tests and demo",
        "rederive.prompts": PROMPT_IDS,
        "rederive.trained_tokens": int(saved["seen"]),
    }
    write_gguf(args.out, saved["config"], tensors, vocabulary(args.tokenizer), kind=args.kind,
               metadata=metadata)


if __name__ == "__main__":
    main()
