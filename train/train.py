# SPDX-License-Identifier: Apache-2.0
"""Trains the built-in model from a seed.

    python train.py TOKENIZER OUT.pt [--tokens N] [--decay N] [--resume OUT.pt] ...

Each token is learned, those of prompts with --prompt-weight: they repeat the question and its
sentences, and from that a small model learns to copy. The learning rate rises, stays, and falls to zero over the last --decay tokens, so that a run may be
made longer: --resume goes on from a checkpoint's weights and optimiser with fresh examples."""
import argparse
import json
import random
import time

import torch
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
    a.add_argument("--decay", type=float, default=4e6, help="of these, tokens of the falling rate")
    a.add_argument("--batch", type=int, default=2048, help="tokens a step")
    a.add_argument("--prompt-weight", type=float, default=0.99, help="less than 1; 0: not learned")
    a.add_argument("--rate", type=float, default=2e-3)
    a.add_argument("--warmup", type=int, default=100, help="steps")
    a.add_argument("--width", type=int, default=192)
    a.add_argument("--layers", type=int, default=6)
    a.add_argument("--threads", type=int, default=2)
    a.add_argument("--bf16", action="store_true")
    a.add_argument("--resume")
    a.add_argument("--traces", nargs="*", default=[], help="files of `rederive tasks`")
    a.add_argument("--mixture", help="JSON object of weights that replace those of examples.py")
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


def batches(tokenizer, rng, mixture, known, size, prompt_weight):
    """Padded batches of about `size` tokens, of like lengths, in a random order."""
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
            weight = torch.zeros(len(rows), longest)
            for i, (tokens, n_prompt) in enumerate(rows):
                x[i, :len(tokens)] = torch.tensor(tokens)
                weight[i, 1:n_prompt] = prompt_weight
                weight[i, n_prompt:len(tokens)] = 1
            yield x, weight, sum(len(t) for t, _ in rows)


def share_of_rate(args, steps, seen):
    """Of the whole rate, after so many steps of this run."""
    if steps < args.warmup:
        return (steps + 1) / args.warmup
    return max(0.0, min(1.0, (args.tokens - seen) / max(1, args.decay)))


def grow(saved, vocab):
    """New tokens get small embeddings and no history."""
    name = "token_embd.weight"
    old = saved["model"][name]
    more = vocab - old.shape[0]
    if more == 0:
        return
    saved["model"][name] = torch.cat([old, torch.randn(more, old.shape[1]) * 0.1])
    for state in saved["optimiser"]["state"].values():
        for key in ("exp_avg", "exp_avg_sq"):
            if state[key].shape == old.shape:
                state[key] = torch.cat([state[key], torch.zeros(more, old.shape[1])])


def main():
    args = arguments()
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    tokenizer = Tokenizer(args.tokenizer)
    config = Config(vocab_size=len(tokenizer), context_length=2048, embedding_length=args.width,
                    block_count=args.layers, feed_forward_length=args.width * 8 // 3 // 32 * 32,
                    head_count=args.width // 32, head_count_kv=args.width // 64)
    model = Llama(config)
    decayed = [p for p in model.parameters() if p.dim() > 1]
    plain = [p for p in model.parameters() if p.dim() < 2]
    optimiser = torch.optim.AdamW([{"params": decayed, "weight_decay": 0.1},
                                   {"params": plain, "weight_decay": 0.0}],
                                  lr=args.rate, betas=(0.9, 0.98), eps=1e-9)
    step = seen = 0
    if args.resume:
        saved = torch.load(args.resume, weights_only=False)
        grow(saved, config.vocab_size)
        model.load_state_dict(saved["model"])
        if "optimiser" in saved:
            optimiser.load_state_dict(saved["optimiser"])
        step, seen = saved["step"], saved["seen"]
    mixture = dict(examples.MIXTURE)
    known = [t for path in args.traces for t in traces.read(path)]
    if known:
        mixture.update(thoughts.MIXTURE)
    mixture.update(json.loads(args.mixture or "{}"))
    rng = random.Random("%d/%d" % (args.seed, step))
    print("%d parameters, %s" % (sum(p.numel() for p in model.parameters()), config), flush=True)
    began, begun, first, total, n = time.time(), step, seen, 0.0, 0
    for x, weight, tokens in batches(tokenizer, rng, mixture, known, args.batch,
                                     args.prompt_weight):
        for g in optimiser.param_groups:
            g["lr"] = args.rate * share_of_rate(args, step - begun, seen)
        with torch.autocast("cpu", torch.bfloat16, enabled=args.bf16):
            told = weight[:, 1:] > 0
            logits = model.hidden(x[:, :-1])[told] @ model.token_embd.weight.T
            losses = F.cross_entropy(logits.float(), x[:, 1:][told], reduction="none")
            w = weight[:, 1:][told]
            loss = (losses * w).sum() / w.sum()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        optimiser.zero_grad(set_to_none=True)
        step, seen, total, n = step + 1, seen + tokens, total + losses[w == 1].mean().item(), n + 1
        done = seen >= args.tokens
        if step % 50 == 0 or done:
            print("step %d, %.2f M tokens, loss of replies %.4f, rate %.2f, %.0f tokens/s" % (
                step, seen / 1e6, total / n, share_of_rate(args, step - begun, seen),
                (seen - first) / (time.time() - began)), flush=True)
            total, n = 0.0, 0
        if step % args.save_every == 0 or done:
            torch.save({"model": model.state_dict(), "optimiser": optimiser.state_dict(),
                        "config": config.as_dict(), "step": step, "seen": seen}, args.out)
        if done:
            break


if __name__ == "__main__":
    main()
