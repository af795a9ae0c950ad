# SPDX-License-Identifier: Apache-2.0
"""Reads a GGUF file that gguf.py has written: its metadata, its tensors as numpy arrays, its vocabulary."""
import struct

import numpy as np

ALIGNMENT = 32
SCALARS = {0: "B", 1: "b", 2: "H", 3: "h", 4: "I", 5: "i", 6: "f", 7: "?", 10: "Q", 11: "q", 12: "d"}
STRING, ARRAY = 8, 9
F32, F16, Q8_0 = 0, 1, 8


class File:
    """metadata: {key: value}, texts as bytes; tensors: {name: float32 array}."""

    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = f.read()
        if self.data[:4] != b"GGUF":
            raise ValueError(f"{path}: not a GGUF file")
        self.at = 4
        _, n_tensors, n_values = self.take("IQQ")
        self.metadata = {}
        for _ in range(n_values):
            key = self.text().decode()
            self.metadata[key] = self.value(self.take("I")[0])
        heads = [self.head() for _ in range(n_tensors)]
        begin = -(-self.at // ALIGNMENT) * ALIGNMENT
        self.tensors = {name: self.tensor(shape, kind, begin + offset) for name, shape, kind, offset in heads}

    def take(self, fields):
        values = struct.unpack_from("<" + fields, self.data, self.at)
        self.at += struct.calcsize("<" + fields)
        return values

    def text(self):
        n, = self.take("Q")
        self.at += n
        return self.data[self.at - n:self.at]

    def value(self, kind):
        if kind == STRING:
            return self.text()
        if kind == ARRAY:
            item, n = self.take("IQ")
            return [self.value(item) for _ in range(n)]
        return self.take(SCALARS[kind])[0]

    def head(self):
        name = self.text().decode()
        dims = self.take(f"{self.take('I')[0]}Q")
        kind, offset = self.take("IQ")
        return name, tuple(reversed(dims)), kind, offset

    def tensor(self, shape, kind, begin):
        n = int(np.prod(shape))
        if kind == Q8_0:
            blocks = np.frombuffer(self.data, [("scale", "<f2"), ("weights", "i1", 32)], n // 32, begin)
            return (blocks["scale"].astype(np.float32)[:, None] * blocks["weights"]).reshape(shape)
        return np.frombuffer(self.data, {F32: "<f4", F16: "<f2"}[kind], n, begin).astype(np.float32).reshape(shape)

    def config(self):
        """The sizes, as gguf.write_gguf() takes them."""
        m = self.metadata
        return {"vocab_size": len(m["tokenizer.ggml.tokens"]), "context_length": m["llama.context_length"],
                "embedding_length": m["llama.embedding_length"], "block_count": m["llama.block_count"],
                "feed_forward_length": m["llama.feed_forward_length"], "head_count": m["llama.attention.head_count"],
                "head_count_kv": m["llama.attention.head_count_kv"], "rope_freq_base": m["llama.rope.freq_base"],
                "rms_epsilon": m["llama.attention.layer_norm_rms_epsilon"]}

    def vocabulary(self):
        """[(piece, score, type)], in the order of their numbers."""
        m = self.metadata
        return list(zip(m["tokenizer.ggml.tokens"], m["tokenizer.ggml.scores"], m["tokenizer.ggml.token_type"]))


def tokenizer(vocabulary):
    """SentencePiece's own tokenizer, made of the vocabulary in the file."""
    import sentencepiece as spm
    from sentencepiece import sentencepiece_model_pb2 as pb
    model = pb.ModelProto()
    model.trainer_spec.model_type = pb.TrainerSpec.BPE
    model.trainer_spec.byte_fallback = True
    model.trainer_spec.pad_id = -1
    model.normalizer_spec.name = "identity"
    model.normalizer_spec.add_dummy_prefix = False
    model.normalizer_spec.remove_extra_whitespaces = False
    for piece, score, kind in vocabulary:
        model.pieces.add(piece=piece.decode(), score=score, type=int(kind))
    return spm.SentencePieceProcessor(model_proto=model.SerializeToString())
