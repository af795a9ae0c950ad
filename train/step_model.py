# SPDX-License-Identifier: Apache-2.0
"""The built-in model with a head that judges steps, computed for chains of different lengths without padding.

The chains of a batch stand one after another; only attention treats them one by one. The lower blocks can be left as
they are: their states are computed once, and a training step then computes only the upper ones. Of the last block only
the states at the ends of the steps are needed, about a twentieth of all."""
import torch
import torch.nn.functional as F

from model import FUSED_FROM, Config, Llama, rotate


def attention(q, k, v, at):
    """Attention of the tokens at the places `at` (None: of all) to those up to each. q: [heads, m, size]; k, v: [key
    heads, n, size]. Returns [m, heads * size]."""
    (heads, m, size), (kinds, n, _) = q.shape, k.shape
    groups = heads // kinds
    if at is None and (n > FUSED_FROM or not torch.is_grad_enabled()):
        k, v = (x.repeat_interleave(groups, 0)[None] for x in (k, v))
        out = F.scaled_dot_product_attention(q[None], k, v, is_causal=True)[0]
    else:
        later = torch.arange(n)[None, :] > (torch.arange(n) if at is None else at)[:, None]
        scores = q.reshape(kinds, groups * m, size) @ k.transpose(1, 2) * size ** -0.5
        scores = scores.view(kinds, groups, m, n).masked_fill(later, float("-inf"))
        out = torch.softmax(scores, -1).view(kinds, groups * m, n) @ v
    return out.reshape(heads, m, size).transpose(0, 1).reshape(m, heads * size)


class Chains:
    """Which rows belong to which chain, and where in each chain the steps end."""

    def __init__(self, lengths, ends):
        self.lengths = lengths
        begins = [sum(lengths[:i]) for i in range(len(lengths))]
        self.places = torch.cat([torch.arange(n) for n in lengths])
        self.ends = [torch.tensor(e) for e in ends]
        self.end_rows = torch.cat([e + b for e, b in zip(self.ends, begins)])


class StepModel(torch.nn.Module):
    """The logit of P(wrong) of each step: a head on the language model's last states at the ends of the steps.

    blocks: how many of the upper blocks are trained; all of them: the embeddings too."""

    def __init__(self, file, blocks=None):
        super().__init__()
        self.llama = Llama(Config(**file.config()))
        tensors = {name: torch.from_numpy(value.copy()) for name, value in file.tensors.items()}
        self.llama.load_state_dict(tensors)
        self.head = torch.nn.Linear(self.llama.config.embedding_length, 1)
        torch.nn.init.zeros_(self.head.weight)
        torch.nn.init.zeros_(self.head.bias)
        count = self.llama.config.block_count
        self.first = 0 if blocks is None else count - blocks
        for kept in [self.llama.token_embd, *self.llama.blk[:self.first]] if self.first else []:
            kept.requires_grad_(False)

    def block(self, block, x, chains, last):
        """One block, of all tokens, or if it is the last one of the ends of the steps."""
        c, llama, h = block.c, self.llama, block.attn_norm(x)
        rows = chains.end_rows if last else slice(None)
        counts, at = ([len(e) for e in chains.ends], chains.ends) if last else (chains.lengths, [None] * len(chains.lengths))

        def heads(x, n, places=None):
            x = x.view(len(x), n, -1).transpose(0, 1)
            return x if places is None else rotate(x, llama.cos[places], llama.sin[places])

        q = heads(block.attn_q(h[rows]), c.head_count, chains.places[rows]).split(counts, 1)
        k = heads(block.attn_k(h), c.head_count_kv, chains.places).split(chains.lengths, 1)
        v = heads(block.attn_v(h), c.head_count_kv).split(chains.lengths, 1)
        x = x[rows] + block.attn_output(torch.cat([attention(*one) for one in zip(q, k, v, at)]))
        h = block.ffn_norm(x)
        return x + block.ffn_down(F.silu(block.ffn_gate(h)) * block.ffn_up(h))

    def lower(self, tokens):
        """The states of all tokens of a chain below the blocks that are trained."""
        x = self.llama.token_embd(torch.tensor(tokens))
        chains = Chains([len(tokens)], [[len(tokens) - 1]])
        for block in self.llama.blk[:self.first]:
            x = self.block(block, x, chains, False)
        return x

    def states(self, batch):
        """The last states at the ends of the steps of all chains, one after another. A chain is (the tokens, or the
        states that lower() returns, the places of the ends)."""
        lower = [x if torch.is_tensor(x) else self.lower(x) for x, _ in batch]
        chains, x = Chains([len(s) for s in lower], [ends for _, ends in batch]), torch.cat(lower).float()
        for block in self.llama.blk[self.first:]:
            x = self.block(block, x, chains, block is self.llama.blk[-1])
        if self.first == len(self.llama.blk):
            x = x[chains.end_rows]
        return self.llama.output_norm(x)

    def forward(self, batch):
        return self.head(self.states(batch))[:, 0]
