# SPDX-License-Identifier: Apache-2.0
"""The tokenizer: SentencePiece BPE over what the model is taught, and phrases of the prompts.

    python tokenizer.py OUT.model [--seed N]
    python tokenizer.py OUT.model --extend OLD.model TRACES.jsonl...

Digits stand alone, so that numbers are read digit by digit. Pieces that join whole words of the
prompts' fixed texts come after all others in merging: what is said around every question costs few
tokens. Everything is an ordinary "llama" vocabulary: llama.cpp splits texts the same way.

--extend adds the words of some traces to a vocabulary that keeps its numbers, so that training can
go on with it."""
import argparse
import collections
import io
import random
import re

import sentencepiece as spm
from sentencepiece import sentencepiece_model_pb2 as pb

import prompts
import traces
from examples import MIXTURE, draw

ROLES = ["<|system|>", "<|user|>", "<|assistant|>", "<|end|>"]
WORDS = 2600  # pieces before the phrases
PHRASES = ["generate", "general/step", "selfcheck/target", "selfcheck/collect",
           "selfcheck/regenerate", "selfcheck/compare", "selfcheck/variables", "single-stage",
           "error-check", "global", "general/relevance", "general/consistency", "error-check-1shot",
           "general/math"]
SPACE = "\u2581"


def corpus(seed, n):
    rng = random.Random(seed)
    even = {name: 1 for name in MIXTURE if name not in ("math", "error-check-1shot")}
    for k in range(n):
        _, _, messages, reply = draw(rng, even, "test" if k % 10 == 0 else "train")
        for _, text in messages:
            yield from text.split("\n")
        yield from reply.split("\n")


def learn(seed, n=40000):
    """A BPE model of the corpus, as a protocol buffer."""
    out = io.BytesIO()
    spm.SentencePieceTrainer.train(
        sentence_iterator=(line for line in corpus(seed, n) if line), model_writer=out,
        model_type="bpe", vocab_size=WORDS, split_digits=True, byte_fallback=True,
        normalization_rule_name="identity", add_dummy_prefix=False, remove_extra_whitespaces=False,
        character_coverage=1.0, user_defined_symbols="", control_symbols=",".join(ROLES),
        unk_id=0, bos_id=1, eos_id=2, pad_id=-1, num_threads=1, minloglevel=2,
        allow_whitespace_only_pieces=True)
    model = pb.ModelProto()
    model.ParseFromString(out.getvalue())
    return model


def add(model, piece, score):
    entry = model.pieces.add()
    entry.piece, entry.score, entry.type = piece, score, pb.ModelProto.SentencePiece.NORMAL


def add_joined(model, lines, longest=80):
    """What joins the pieces of each line from the left, as further merges."""
    have = {p.piece for p in model.pieces}
    letters = {c for p in model.pieces for c in p.piece if len(p.piece) < 40}
    score = min(p.score for p in model.pieces)
    words = spm.SentencePieceProcessor(model_proto=model.SerializeToString())
    for line in lines:
        pieces = words.encode(line, out_type=str)
        whole = pieces[0] if pieces else ""
        for piece in pieces[1:]:
            whole += piece
            if len(whole) > longest or not set(whole) <= letters or any(c.isdigit() for c in whole):
                whole = piece
            elif whole not in have:
                score -= 1
                add(model, whole, score)
                have.add(whole)


def fill_up(model):
    """Rows of the embedding come in blocks of 32."""
    score = min(p.score for p in model.pieces)
    while len(model.pieces) % 32:
        score -= 1
        entry = model.pieces.add()
        entry.piece, entry.score = "<unused%d>" % len(model.pieces), score
        entry.type = pb.ModelProto.SentencePiece.UNUSED


def add_phrases(model):
    """Line breaks, and the fixed texts of prompts word by word."""
    score = min(p.score for p in model.pieces)
    for k, piece in enumerate(("\n", "\n\n")):
        add(model, piece, score - 1 - k)
    add_joined(model, [line for name in PHRASES for line in prompts.literals(name)])
    fill_up(model)


def extend(old, paths):
    """Words that the traces have often and the vocabulary only in parts."""
    model = pb.ModelProto()
    with open(old, "rb") as f:
        model.ParseFromString(f.read())
    counts = collections.Counter()
    for trace in (t for path in paths for t in traces.read(path)):
        text = "\n".join([trace.question] + trace.options + trace.right)
        counts.update(re.findall(r" ?(?<!\w)[A-Za-z]{2,}", text))
    add_joined(model, sorted(w for w, n in counts.items() if n >= 300))
    fill_up(model)
    return model


class Tokenizer:
    def __init__(self, path):
        self.sp = spm.SentencePieceProcessor(model_file=path)
        self.bos, self.end = self.sp.bos_id(), self.sp.piece_to_id("<|end|>")
        self.role = {r: self.sp.piece_to_id("<|%s|>" % r) for r in ("system", "user", "assistant")}

    def __len__(self):
        return len(self.sp)

    def text(self, text):
        return self.sp.encode(text)

    def prompt(self, messages):
        """The tokens before the reply; an assistant's turn at the end is left open."""
        ids = [self.bos]
        for k, (role, text) in enumerate(messages):
            ids += [self.role[role]] + self.text(text)
            if role != "assistant" or k + 1 < len(messages):
                ids.append(self.end)
        if messages[-1][0] != "assistant":
            ids.append(self.role["assistant"])
        return ids

    def reply(self, text):
        return self.text(text) + [self.end]


def main():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("out")
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--extend", nargs="+", metavar=("OLD.model", "TRACES.jsonl"))
    args = a.parse_args()
    if args.extend:
        model = extend(args.extend[0], args.extend[1:])
    else:
        model = learn(args.seed)
        add_phrases(model)
    with open(args.out, "wb") as f:
        f.write(model.SerializeToString())
    print(len(model.pieces), "pieces")


if __name__ == "__main__":
    main()
