# SPDX-License-Identifier: Apache-2.0
"""The llama architecture in plain PyTorch: RMSNorm, rotary positions, SwiGLU, tied embeddings.

Rotary positions turn neighbouring pairs of a head (0,1), (2,3), ..., as llama.cpp does for this
architecture, so that the weights are exported without a permutation."""
from dataclasses import asdict, dataclass

import torch
import torch.nn as nn
import torch.nn.functional as F


# PyTorch's fused attention takes several times as long for shorter sequences, and much less memory for longer ones.
FUSED_FROM = 768


@dataclass
class Config:
    vocab_size: int
    context_length: int = 1024
    embedding_length: int = 256
    block_count: int = 6
    feed_forward_length: int = 704
    head_count: int = 8
    head_count_kv: int = 4
    rope_freq_base: float = 10000.0
    rms_epsilon: float = 1e-5

    def as_dict(self):
        return asdict(self)


class RMSNorm(nn.Module):
    def __init__(self, size, epsilon):
        super().__init__()
        self.weight = nn.Parameter(torch.ones(size))
        self.epsilon = epsilon

    def forward(self, x):
        x32 = x.float()
        scale = torch.rsqrt(x32.pow(2).mean(-1, keepdim=True) + self.epsilon)
        return (x32 * scale).to(x.dtype) * self.weight.to(x.dtype)


def rotary_table(config, length):
    head = config.embedding_length // config.head_count
    inverse = config.rope_freq_base ** (-torch.arange(0, head, 2).float() / head)
    angles = torch.arange(length).float()[:, None] * inverse[None, :]
    return torch.cos(angles), torch.sin(angles)


def rotate(x, cos, sin):
    """x: [batch, heads, length, head]; cos, sin: [length, head/2]."""
    even, odd = x[..., 0::2], x[..., 1::2]
    turned = torch.stack((even * cos - odd * sin, even * sin + odd * cos), dim=-1)
    return turned.flatten(-2).to(x.dtype)


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.c = c
        head = c.embedding_length // c.head_count
        self.attn_norm = RMSNorm(c.embedding_length, c.rms_epsilon)
        self.attn_q = nn.Linear(c.embedding_length, c.head_count * head, bias=False)
        self.attn_k = nn.Linear(c.embedding_length, c.head_count_kv * head, bias=False)
        self.attn_v = nn.Linear(c.embedding_length, c.head_count_kv * head, bias=False)
        self.attn_output = nn.Linear(c.head_count * head, c.embedding_length, bias=False)
        self.ffn_norm = RMSNorm(c.embedding_length, c.rms_epsilon)
        self.ffn_gate = nn.Linear(c.embedding_length, c.feed_forward_length, bias=False)
        self.ffn_up = nn.Linear(c.embedding_length, c.feed_forward_length, bias=False)
        self.ffn_down = nn.Linear(c.feed_forward_length, c.embedding_length, bias=False)

    def attend(self, x, cos, sin, mask):
        c, (b, n, _) = self.c, x.shape
        q = self.attn_q(x).view(b, n, c.head_count, -1).transpose(1, 2)
        k = self.attn_k(x).view(b, n, c.head_count_kv, -1).transpose(1, 2)
        v = self.attn_v(x).view(b, n, c.head_count_kv, -1).transpose(1, 2)
        q, k = rotate(q, cos, sin), rotate(k, cos, sin)
        groups = c.head_count // c.head_count_kv
        if groups > 1:
            k, v = k.repeat_interleave(groups, 1), v.repeat_interleave(groups, 1)
        if n > FUSED_FROM:
            out = F.scaled_dot_product_attention(q, k, v, is_causal=True)
        else:
            scores = q @ k.transpose(-1, -2) * q.shape[-1] ** -0.5
            out = torch.softmax(scores + mask, -1) @ v
        return self.attn_output(out.transpose(1, 2).reshape(b, n, -1))

    def forward(self, x, cos, sin, mask):
        x = x + self.attend(self.attn_norm(x), cos, sin, mask)
        h = self.ffn_norm(x)
        return x + self.ffn_down(F.silu(self.ffn_gate(h)) * self.ffn_up(h))


class Llama(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.config = config
        self.token_embd = nn.Embedding(config.vocab_size, config.embedding_length)
        self.blk = nn.ModuleList(Block(config) for _ in range(config.block_count))
        self.output_norm = RMSNorm(config.embedding_length, config.rms_epsilon)
        cos, sin = rotary_table(config, config.context_length)
        self.register_buffer("cos", cos, persistent=False)
        self.register_buffer("sin", sin, persistent=False)
        self.apply(self.start)
        for name, p in self.named_parameters():
            if name.endswith(("attn_output.weight", "ffn_down.weight")):
                nn.init.normal_(p, std=(2 * config.block_count * p.shape[1]) ** -0.5)

    @staticmethod
    def start(module):
        # The embedding is the output, too: with small rows all names get alike before the model can
        # tell them apart, and then it never learns to copy one.
        if isinstance(module, nn.Embedding):
            nn.init.normal_(module.weight, std=0.1)
        elif isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, std=module.in_features ** -0.5)

    def hidden(self, tokens):
        length = tokens.shape[1]
        cos, sin = self.cos[:length], self.sin[:length]
        mask = torch.full((length, length), float("-inf")).triu(1)
        x = self.token_embd(tokens)
        for block in self.blk:
            x = block(x, cos, sin, mask)
        return self.output_norm(x)
