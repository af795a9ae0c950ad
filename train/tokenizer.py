# SPDX-License-Identifier: Apache-2.0
"""The tokenizer: SentencePiece BPE over what the model is taught, and phrases of the prompts.

    python tokenizer.py OUT.model [SEED]

Digits stand alone, so that numbers are read digit by digit. Pieces that join whole words of the
prompts' fixed texts come after all others in merging: what is said around every question costs few
tokens. Everything is an ordinary "llama" vocabulary: llama.cpp splits texts the same way."""
import io
import random
import sys

import sentencepiece as spm
from sentencepiece import sentencepiece_model_pb2 as pb

import prompts
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


def add_phrases(model):
    """Line breaks and the fixed texts of prompts, word by word, as further merges."""
    have = {p.piece for p in model.pieces}
    letters = {c for p in model.pieces for c in p.piece}
    score = min(p.score for p in model.pieces)
    for piece in ("\n", "\n\n"):
        score -= 1
        add(model, piece, score)
        have.add(piece)
    words = spm.SentencePieceProcessor(model_proto=model.SerializeToString())
    for name in PHRASES:
        for line in prompts.literals(name):
            pieces = words.encode(line, out_type=str)
            whole = pieces[0] if pieces else ""
            for piece in pieces[1:]:
                whole += piece
                if len(whole) > 80 or not set(whole) <= letters or any(c.isdigit() for c in whole):
                    whole = piece
                elif whole not in have:
                    score -= 1
                    add(model, whole, score)
                    have.add(whole)
    while len(model.pieces) % 32:  # rows of the embedding come in blocks of 32
        score -= 1
        entry = model.pieces.add()
        entry.piece, entry.score = "<unused%d>" % len(model.pieces), score
        entry.type = pb.ModelProto.SentencePiece.UNUSED


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


if __name__ == "__main__":
    learned = learn(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    add_phrases(learned)
    with open(sys.argv[1], "wb") as f:
        f.write(learned.SerializeToString())
    print(len(learned.pieces), "pieces")
