# SPDX-License-Identifier: Apache-2.0
"""Write a model of the plain llama architecture, with its tokenizer, as a GGUF file (version 3).

    write_gguf("m.gguf", config, tensors, vocab, CHAT_TEMPLATE, kind="q8_0", metadata={"general.name": "m"})

Tensors have llama.cpp's names and their rows the order of its rotary positions for this architecture (neighbouring
pairs). numpy is needed by write_gguf() only; container() writes what is encoded already."""
import os
import struct

ALIGNMENT = 32
BLOCK = 32  # weights of q8_0 that share a scale

# Types of metadata, and of tensors.
U32, I32, F32, BOOL, STRING, ARRAY, U64 = 4, 5, 6, 7, 8, 9, 10
TENSOR_TYPES = {"f32": 0, "f16": 1, "q8_0": 8}
FILE_TYPES = {"f32": 0, "f16": 1, "q8_0": 7}

# Types of tokens.
NORMAL, UNKNOWN, CONTROL, UNUSED, BYTE = 1, 2, 3, 5, 6

CHAT_TEMPLATE = (
    "{{ bos_token }}{% for message in messages %}{{ '<|' + message['role'] + '|>' + message['content'] + '<|end|>' }}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|assistant|>' }}{% endif %}")


class U64Value(int):
    """A number to be written as an unsigned 64-bit one."""


def text_bytes(text):
    data = text if isinstance(text, bytes) else text.encode("utf-8")
    return struct.pack("<Q", len(data)) + data


def value_type(value):
    if isinstance(value, bool):
        return BOOL
    if isinstance(value, U64Value):
        return U64
    if isinstance(value, int):
        return U32 if value >= 0 else I32
    if isinstance(value, float):
        return F32
    if isinstance(value, (str, bytes)):
        return STRING
    raise TypeError(f"no metadata type for {type(value).__name__}")


def scalar_bytes(kind, value):
    if kind == STRING:
        return text_bytes(value)
    return struct.pack({BOOL: "<?", U64: "<Q", U32: "<I", I32: "<i", F32: "<f"}[kind], value)


def value_bytes(value):
    """A metadata value with its type before it. A list is an array of its first member's type, whole numbers being
    signed ones."""
    if not isinstance(value, (list, tuple)):
        kind = value_type(value)
        return struct.pack("<I", kind) + scalar_bytes(kind, value)
    kind = value_type(value[0]) if value else U32
    kind = I32 if kind == U32 else kind
    return b"".join([struct.pack("<IIQ", ARRAY, kind, len(value)), *(scalar_bytes(kind, v) for v in value)])


def padding(length):
    return b"\0" * (-length % ALIGNMENT)


def container(metadata, tensors):
    """The bytes of a file. metadata: {key: value}; tensors: [(name, shape as numpy has it, kind, bytes)]."""
    out = [b"GGUF", struct.pack("<IQQ", 3, len(tensors), len(metadata))]
    for key, value in metadata.items():
        out += [text_bytes(key), value_bytes(value)]
    offset = 0
    for name, shape, kind, data in tensors:
        out += [text_bytes(name), struct.pack("<I", len(shape)), struct.pack(f"<{len(shape)}Q", *reversed(shape)),
                struct.pack("<IQ", TENSOR_TYPES[kind], offset)]
        offset += len(data) + len(padding(len(data)))
    head = b"".join(out)
    return b"".join([head, padding(len(head)), *(part for *_, data in tensors for part in (data, padding(len(data))))])


def tokenizer_metadata(vocab):
    """What the file says of its tokens. vocab: [(piece, score, type)], in the order of their numbers."""
    pieces = [piece if isinstance(piece, bytes) else piece.encode("utf-8") for piece, _, _ in vocab]
    number = {piece: i for i, piece in enumerate(pieces)}
    if len(number) != len(pieces):
        raise ValueError("two tokens have the same text")
    missing = [b for b in range(256) if b"<0x%02X>" % b not in number]
    if missing:
        raise ValueError(f"no token for the byte {missing[0]:#04x}: any text must be writable")
    ends = [name for name in (b"</s>", b"<|end|>") if name in number]
    if b"<s>" not in number or not ends:
        raise ValueError("the vocabulary needs <s>, and </s> or <|end|>")
    metadata = {
        "tokenizer.ggml.model": "llama",
        "tokenizer.ggml.tokens": pieces,
        "tokenizer.ggml.scores": [float(score) for _, score, _ in vocab],
        "tokenizer.ggml.token_type": [int(kind) for _, _, kind in vocab],
        "tokenizer.ggml.bos_token_id": number[b"<s>"],
        "tokenizer.ggml.eos_token_id": number[ends[0]],
        "tokenizer.ggml.add_bos_token": True,
        "tokenizer.ggml.add_eos_token": False,
        "tokenizer.ggml.add_space_prefix": False,
    }
    unknown = [i for i, (_, _, kind) in enumerate(vocab) if kind == UNKNOWN]
    if unknown:
        metadata["tokenizer.ggml.unknown_token_id"] = unknown[0]
    if b"<|end|>" in number:
        metadata["tokenizer.ggml.eot_token_id"] = number[b"<|end|>"]
    return metadata


def model_metadata(config, kind):
    heads = int(config["head_count"])
    return {
        "general.architecture": "llama",
        "general.file_type": FILE_TYPES[kind],
        "general.quantization_version": 2,
        "llama.vocab_size": int(config["vocab_size"]),
        "llama.context_length": int(config["context_length"]),
        "llama.embedding_length": int(config["embedding_length"]),
        "llama.block_count": int(config["block_count"]),
        "llama.feed_forward_length": int(config["feed_forward_length"]),
        "llama.attention.head_count": heads,
        "llama.attention.head_count_kv": int(config.get("head_count_kv", heads)),
        "llama.rope.dimension_count": int(config["embedding_length"]) // heads,
        "llama.rope.freq_base": float(config.get("rope_freq_base", 10000.0)),
        "llama.attention.layer_norm_rms_epsilon": float(config.get("rms_epsilon", 1e-5)),
    }


def expected_shapes(config):
    """The tensors that a model of this configuration has."""
    width, ff, heads = (int(config[key]) for key in ("embedding_length", "feed_forward_length", "head_count"))
    kv = int(config.get("head_count_kv", heads)) * (width // heads)
    shapes = {"token_embd.weight": (int(config["vocab_size"]), width), "output_norm.weight": (width,)}
    for n in range(int(config["block_count"])):
        for name, shape in {"attn_norm": (width,), "attn_q": (width, width), "attn_k": (kv, width),
                            "attn_v": (kv, width), "attn_output": (width, width), "ffn_norm": (width,),
                            "ffn_gate": (ff, width), "ffn_up": (ff, width), "ffn_down": (width, ff)}.items():
            shapes[f"blk.{n}.{name}.weight"] = shape
    return shapes


def optional_shapes(config):
    """The tensors that it may have besides: an output matrix of its own, and a step head."""
    width = int(config["embedding_length"])
    return {"output.weight": (int(config["vocab_size"]), width), "step_head.weight": (width,)}


def step_head_metadata(bias):
    """What the file says of a step head: the layout of a chain that it was trained on (docs/model-engine.md), and what
    is added to the product of the head and a state: together, the logit of "this step is wrong"."""
    return {"rederive.step_head.layout": "turn", "rederive.step_head.bias": float(bias)}


def check_tensors(config, tensors):
    shapes, optional = expected_shapes(config), optional_shapes(config)
    for name, array in tensors.items():
        wanted = shapes.get(name) or optional.get(name)
        if wanted is None:
            raise ValueError(f"{name}: a model of the llama architecture has no such tensor")
        if tuple(array.shape) != wanted:
            raise ValueError(f"{name}: its shape is {tuple(array.shape)}, not {wanted}")
    missing = sorted(set(shapes) - set(tensors))
    if missing:
        raise ValueError(f"{missing[0]}: missing")


def quantize_q8_0(array):
    """Blocks of 32 weights: their largest magnitude / 127 as a half, then 32 signed bytes, as ggml rounds them."""
    import numpy as np
    blocks = array.reshape(-1, BLOCK)
    scale = np.abs(blocks).max(axis=1, keepdims=True) / np.float32(127)
    inverse = np.divide(np.float32(1), scale, out=np.zeros_like(scale), where=scale > 0)
    scaled = blocks * inverse
    out = np.empty(len(blocks), dtype=[("scale", "<f2"), ("weights", "i1", BLOCK)])
    out["scale"] = scale[:, 0].astype("<f2")
    out["weights"] = (np.sign(scaled) * np.floor(np.abs(scaled) + np.float32(0.5))).astype(np.int8)
    return out.tobytes()


def encode(name, array, kind):
    """(kind, bytes) of a tensor; norms, the only ones of one dimension, stay f32."""
    import numpy as np
    array = np.ascontiguousarray(array, dtype=np.float32)
    if not np.isfinite(array).all():
        raise ValueError(f"{name}: a weight is not finite")
    if array.ndim == 1:
        kind = "f32"
    if kind != "f32" and np.abs(array).max() > 60000:
        raise ValueError(f"{name}: a weight is too large for {kind}")
    if kind == "q8_0":
        if array.shape[-1] % BLOCK:
            raise ValueError(f"{name}: rows of {array.shape[-1]} weights are not a multiple of {BLOCK}")
        return kind, quantize_q8_0(array)
    return kind, array.astype({"f32": "<f4", "f16": "<f2"}[kind]).tobytes()


def write_gguf(path, config, tensors, vocab, chat_template=CHAT_TEMPLATE, kind="q8_0", metadata=None):
    """Write the file, whole or not at all. config: vocab_size, context_length, embedding_length, block_count,
    feed_forward_length, head_count, head_count_kv, rope_freq_base, rms_epsilon. tensors: {name: array}. metadata is
    added to what these say, or replaces it; a value None takes a key away. Returns the size in bytes."""
    if kind not in TENSOR_TYPES:
        raise ValueError(f"kind '{kind}': not one of {', '.join(TENSOR_TYPES)}")
    if len(vocab) != int(config["vocab_size"]):
        raise ValueError(f"{len(vocab)} tokens, but vocab_size is {config['vocab_size']}")
    check_tensors(config, tensors)
    said = model_metadata(config, kind) | tokenizer_metadata(vocab)
    if chat_template:
        said["tokenizer.chat_template"] = chat_template
    said |= metadata or {}
    said = {key: value for key, value in said.items() if value is not None}
    encoded = []
    for name in [*expected_shapes(config), *(name for name in optional_shapes(config) if name in tensors)]:
        used, data = encode(name, tensors[name], kind)
        encoded.append((name, tensors[name].shape, used, data))
    data = container(said, encoded)
    part = f"{path}.part"
    with open(part, "wb") as file:
        file.write(data)
    os.replace(part, path)
    return len(data)
