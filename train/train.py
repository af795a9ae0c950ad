# SPDX-License-Identifier: Apache-2.0
"""Trains the built-in model from a seed.

    python train.py TOKENIZER OUT.pt [--tokens N] [--fall FROM,TO] [--resume OUT.pt] ...

Replies are learned, prompts are not. The learning rate rises, stays, and falls to zero where --fall
says. --resume goes on from a checkpoint's weights with fresh examples.

Matrices between the embedding and the output are trained by Muon, the rest by AdamW. Each process
has one thread and examples of its own, and all use the mean of their gradients: on few cores that
is faster than one process with as many threads."""
import argparse
import json
import os
import random
import tempfile
import time

import torch
import torch.distributed as dist
import torch.multiprocessing as mp
import torch.nn.functional as F

import examples
import thoughts
import traces
from model import Config, Llama
from tokenizer import Tokenizer


def arguments():
    a = argparse.ArgumentParser(description=__doc__)
    a.add_argument("tokenizer")
    a.add_argument("out")
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--tokens", type=float, default=16e6, help="tokens to train on, padding aside")
    a.add_argument("--fall", default="inf,inf", metavar="FROM,TO",
                   type=lambda text: tuple(map(float, text.split(","))),
                   help="tokens between which the rates fall to zero")
    a.add_argument("--batch", type=int, default=2048, help="tokens a step, of a process")
    a.add_argument("--rate", type=float, default=2e-3, help="of AdamW")
    a.add_argument("--matrix-rate", type=float, default=5e-3, help="of Muon, in AdamW's measure")
    a.add_argument("--warmup", type=int, default=100, help="steps")
    a.add_argument("--width", type=int, default=192)
    a.add_argument("--layers", type=int, default=6)
    a.add_argument("--bf16", action="store_true", help="products in bfloat16")
    a.add_argument("--processes", type=int, default=os.cpu_count())
    a.add_argument("--resume")
    a.add_argument("--traces", nargs="*", default=[], help="files of `rederive tasks`")
    a.add_argument("--mixture", help="JSON object of weights that replace those of examples.py")
    a.add_argument("--tasks", help="JSON object of weights of tasks that replace those, too")
    a.add_argument("--only", action="store_true", help="nothing but what --mixture names")
    a.add_argument("--save-every", type=int, default=200, help="steps")
    return a.parse_args()


def stream(tokenizer, rng, mixture, known):
    """Examples as (tokens, length of the prompt), in groups sorted by length."""
    while True:
        group = []
        for _ in range(512):
            _, _, messages, reply = examples.draw(rng, mixture, traces=known)
            prompt = tokenizer.prompt(messages)
            group.append((prompt + tokenizer.reply(reply), len(prompt)))
        group.sort(key=lambda e: len(e[0]))
        yield group


def batches(tokenizer, rng, mixture, known, size):
    """Padded batches of about `size` tokens, of like lengths, in a random order, and which of the
    tokens are of a reply."""
    for group in stream(tokenizer, rng, mixture, known):
        out, rows = [], []
        for e in group:
            if rows and (len(rows) + 1) * len(e[0]) > size:
                out.append(rows)
                rows = []
            rows.append(e)
        out.append(rows)
        rng.shuffle(out)
        for rows in out:
            longest = max(len(t) for t, _ in rows)
            x = torch.zeros(len(rows), longest, dtype=torch.long)
            told = torch.zeros(len(rows), longest, dtype=torch.bool)
            for i, (tokens, n_prompt) in enumerate(rows):
                x[i, :len(tokens)] = torch.tensor(tokens)
                told[i, n_prompt:len(tokens)] = True
            yield x, told, sum(len(t) for t, _ in rows)


def share_of_rate(args, steps, seen):
    """Of the whole rate, after so many steps of this run."""
    begin, end = args.fall
    falling = 1.0 if seen < begin else max(0.0, (end - seen) / (end - begin))
    return min(falling, (steps + 1) / args.warmup)


class Training:
    """A model with its two optimisers, in one of several processes that keep the same weights."""

    def __init__(self, args, rank, config):
        torch.manual_seed(args.seed)
        self.args, self.rank = args, rank
        self.model = Llama(config)
        self.step = self.seen = 0
        self.parameters = list(self.model.parameters())
        hidden = [p for name, p in self.model.named_parameters()
                  if p.dim() == 2 and name != "token_embd.weight"]
        # Muon costs more than AdamW, so that each process does it for its share, and tells the others.
        self.shares = [hidden[r::args.processes] for r in range(args.processes)]
        self.muon = torch.optim.Muon(self.shares[rank], lr=args.matrix_rate, weight_decay=0.04,
                                     adjust_lr_fn="match_rms_adamw")
        norms = [p for p in self.parameters if p.dim() == 1]
        self.adam = torch.optim.AdamW([{"params": [self.model.token_embd.weight]},
                                       {"params": norms, "weight_decay": 0.0}],
                                      lr=args.rate, betas=(0.9, 0.98), eps=1e-9, weight_decay=0.1)

    def load(self, path):
        """Weights and counts; what the optimisers remember of the last steps they learn again."""
        saved = torch.load(path, weights_only=False)
        self.model.load_state_dict(saved["model"])
        self.step, self.seen = saved["step"], saved["seen"]

    def save(self, path):
        if self.rank == 0:
            torch.save({"model": self.model.state_dict(), "step": self.step, "seen": self.seen,
                        "config": self.model.config.as_dict()}, path + ".new")
            os.replace(path + ".new", path)

    def learn(self, x, told, tokens, share):
        """One step. The mean loss, over all processes."""
        told = told[:, 1:]
        with torch.autocast("cpu", torch.bfloat16, enabled=self.args.bf16):
            logits = self.model.hidden(x[:, :-1])[told] @ self.model.token_embd.weight.T
        loss = F.cross_entropy(logits.float(), x[:, 1:][told])
        loss.backward()
        sums = torch.cat([p.grad.flatten() for p in self.parameters]
                         + [torch.tensor([loss.item(), float(tokens)])])
        dist.all_reduce(sums)
        *grads, said = sums.split([p.numel() for p in self.parameters] + [2])
        for p, grad in zip(self.parameters, grads):
            p.grad.copy_(grad.view_as(p.grad) / self.args.processes)
        torch.nn.utils.clip_grad_norm_(self.parameters, 1.0)
        for optimiser, rate in ((self.muon, self.args.matrix_rate), (self.adam, self.args.rate)):
            for group in optimiser.param_groups:
                group["lr"] = rate * share
            optimiser.step()
        self.tell()
        self.model.zero_grad()
        self.step += 1
        self.seen += int(said[1])
        return said[0].item() / self.args.processes

    @torch.no_grad()
    def tell(self):
        """What each process made of its share of the matrices, for all."""
        for rank, share in enumerate(self.shares):
            flat = torch.cat([p.flatten() for p in share])
            dist.broadcast(flat, rank)
            for p, values in zip(share, flat.split([p.numel() for p in share])):
                p.copy_(values.view_as(p))


def mixture_of(args, known):
    mixture = {} if args.only else dict(examples.MIXTURE)
    if known:
        mixture.update(thoughts.MIXTURE)
    mixture.update(json.loads(args.mixture or "{}"))
    return mixture


def run(rank, args, meeting):
    """One of the processes."""
    torch.set_num_threads(1)
    dist.init_process_group("gloo", init_method="file://" + meeting, rank=rank,
                            world_size=args.processes)
    tokenizer = Tokenizer(args.tokenizer)
    config = Config(vocab_size=len(tokenizer), context_length=2048, embedding_length=args.width,
                    block_count=args.layers, feed_forward_length=args.width * 8 // 3 // 32 * 32,
                    head_count=args.width // 32, head_count_kv=args.width // 64)
    t = Training(args, rank, config)
    if args.resume:
        t.load(args.resume)
    known = [trace for path in args.traces for trace in traces.read(path)]
    examples.WEIGHT.update(json.loads(args.tasks or "{}"))
    rng = random.Random("%d/%d/%d" % (args.seed, t.step, rank))
    if rank == 0:
        print("%d weights, %s" % (sum(p.numel() for p in t.parameters), config), flush=True)
    began, begun, first, total, n = time.time(), t.step, t.seen, 0.0, 0
    for x, told, tokens in batches(tokenizer, rng, mixture_of(args, known), known, args.batch):
        share = share_of_rate(args, t.step - begun, t.seen)
        total, n = total + t.learn(x, told, tokens, share), n + 1
        done = t.seen >= args.tokens
        if rank == 0 and (t.step % 50 == 0 or done):
            print("step %d, %.2f M tokens, loss %.4f, rate %.2f, %.0f tokens/s" % (
                t.step, t.seen / 1e6, total / n, share,
                (t.seen - first) / (time.time() - began)), flush=True)
            total, n = 0.0, 0
        if t.step % args.save_every == 0 or done:
            t.save(args.out)
        if done:
            break
    dist.barrier()  # one that ends while another still talks to it is aborted now and then
    dist.destroy_process_group()


def main():
    args = arguments()
    with tempfile.TemporaryDirectory() as folder:
        mp.spawn(run, (args, os.path.join(folder, "meeting")), args.processes)


if __name__ == "__main__":
    main()
