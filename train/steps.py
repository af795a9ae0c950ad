# SPDX-License-Identifier: Apache-2.0
"""Trains a step classifier from the built-in model: a head on its states, then the whole model.

    python steps.py MODEL.gguf --out STEPS.gguf [--scores FILE] [--hold-out TASK] [--made NAME=FILE] NAME=CHAINS.jsonl...

The chains are records of `rederive convert --to jsonl`, a file a task. First a logistic head is fitted to the frozen
states at the ends of the steps, its L2 penalty by the validation questions. Then the upper blocks are fine-tuned, or
the whole model, and the checkpoint with the best validation loss is kept (appendix C of "LLMs cannot find reasoning
errors"). The threshold of P(wrong) is fitted to the validation questions. The task that is held out is neither trained
on nor validated on, nor are its generated traces."""
import argparse
import copy
import json
import math
import random
import sys
import time

import torch
import torch.nn.functional as F

import gguf_read
import step_chains
import step_file
import step_states
from step_model import StepModel
from step_chains import REPORT, TRAINING, VALIDATION

PENALTIES = [1e-5, 1e-4, 1e-3, 1e-2, 1e-1]


class Examples:
    """Chains, what the model gets of them, and a target and a weight for each step: each chain weighs the same.

    known(chain): the states below the trained blocks, or None."""

    def __init__(self, chains, layout, known):
        self.chains, self.inputs, self.cut = [], [], 0
        for c in chains:
            tokens, ends = layout.tokens(c.question, c.steps)
            self.cut += len(ends) < len(c.steps)
            if ends:
                states = known(c)
                self.chains.append(c)
                self.inputs.append((tokens if states is None else states[:len(tokens)], ends))

    def __len__(self):
        return len(self.chains)

    def batches(self, indices, most):
        """Chains of at most so many tokens together."""
        group, tokens = [], 0
        for i in indices:
            length = len(self.inputs[i][0])
            if group and tokens + length > most:
                yield group
                group, tokens = [], 0
            group.append(i)
            tokens += length
        if group:
            yield group

    def targets(self, indices):
        wrong = [float(self.chains[i].wrong(s)) for i in indices for s in range(len(self.inputs[i][1]))]
        weight = [1 / len(self.inputs[i][1]) for i in indices for _ in self.inputs[i][1]]
        return torch.tensor(wrong), torch.tensor(weight)


def loss_of(logits, examples, indices):
    wrong, weight = examples.targets(indices)
    return (F.binary_cross_entropy_with_logits(logits, wrong, reduction="none") * weight).sum()


@torch.no_grad()
def over_all(function, examples, most):
    """[(indices, function(their inputs))] of all examples."""
    return [(group, function([examples.inputs[i] for i in group]))
            for group in examples.batches(range(len(examples)), most)]


def validation_loss(model, examples, args):
    with torch.autocast("cpu", torch.bfloat16, enabled=args.bf16):
        told = over_all(model, examples, args.tokens)
    return sum(loss_of(logits.float(), examples, group).item() for group, logits in told) / len(examples)


@torch.no_grad()
def score(model, examples, most):
    """P(wrong) of each step of each chain; NaN: beyond the context."""
    scores = [[] for _ in examples.chains]
    for group, logits in over_all(model, examples, most):
        said = iter(torch.sigmoid(logits).tolist())
        for i in group:
            known = [next(said) for _ in examples.inputs[i][1]]
            scores[i] = known + [math.nan] * (len(examples.chains[i].steps) - len(known))
    return scores


# ---- the head ------------------------------------------------------------------------------------

def stacked(model, examples, most):
    """The states of all steps, with targets and weights."""
    parts = over_all(model.states, examples, most)
    told = [examples.targets(group) for group, _ in parts]
    return torch.cat([s for _, s in parts]), torch.cat([w for w, _ in told]), torch.cat([w for _, w in told])


def fit_head(states, wrong, weight, penalty):
    """A logistic regression on standardised states; (weight, bias) for the states as they are."""
    mean, spread = states.mean(0), states.std(0) + 1e-6
    x = (states - mean) / spread
    w = torch.zeros(x.shape[1] + 1, requires_grad=True)
    optimiser = torch.optim.LBFGS([w], max_iter=200, line_search_fn="strong_wolfe")
    total = weight.sum()

    def closure():
        optimiser.zero_grad()
        fit = F.binary_cross_entropy_with_logits(x @ w[:-1] + w[-1], wrong, reduction="none")
        loss = (fit * weight).sum() / total + penalty * w[:-1].pow(2).sum()
        loss.backward()
        return loss

    optimiser.step(closure)
    w = w.detach()
    return w[:-1] / spread, w[-1] - (w[:-1] * mean / spread).sum()


def learn_head(model, training, validation, most):
    """Set the head; the penalty is the one with the least loss on validation. Returns (penalty, loss)."""
    known, checked = stacked(model, training, most), stacked(model, validation, most)
    best = None
    for penalty in PENALTIES:
        weight, bias = fit_head(*known, penalty)
        fit = F.binary_cross_entropy_with_logits(checked[0] @ weight + bias, checked[1], reduction="none")
        loss = ((fit * checked[2]).sum() / len(validation)).item()
        if best is None or loss < best[1]:
            best = penalty, loss, weight, bias
    with torch.no_grad():
        model.head.weight.copy_(best[2][None])
        model.head.bias.fill_(best[3].item())
    return best[:2]


# ---- the whole model -----------------------------------------------------------------------------

def rate_at(step, args):
    """A linear ramp and a cosine decay, as in appendix C."""
    if step < args.ramp:
        return args.rate * (step + 1) / args.ramp
    return args.rate * 0.5 * (1 + math.cos(math.pi * (step - args.ramp) / max(1, args.steps - args.ramp)))


def learn_step(model, optimiser, training, indices, args):
    total = 0.0
    for group in training.batches(indices, args.tokens):
        with torch.autocast("cpu", torch.bfloat16, enabled=args.bf16):
            logits = model([training.inputs[i] for i in group])
        loss = loss_of(logits.float(), training, group) / len(indices)
        loss.backward()
        total += loss.item()
    torch.nn.utils.clip_grad_norm_(model.parameters(), 1.0)
    optimiser.step()
    optimiser.zero_grad(set_to_none=True)
    return total


def chains_for(training, made_share, rng, batch):
    """Batches of chains without end: recorded and generated ones, each kind in a new order every round."""
    kinds = [[i for i, c in enumerate(training.chains) if c.made == made] for made in (False, True)]
    orders = [[], []]
    while True:
        batch_now = []
        for _ in range(batch):
            kind = int(bool(kinds[1]) and (not kinds[0] or rng.random() < made_share))
            if not orders[kind]:
                orders[kind] = rng.sample(kinds[kind], len(kinds[kind]))
            batch_now.append(orders[kind].pop())
        yield batch_now


def fine_tune(model, training, validation, args):
    """Train the upper blocks and keep the best checkpoint. Returns what there is to tell: its step, the losses."""
    learned = [p for p in model.parameters() if p.requires_grad]
    optimiser = torch.optim.AdamW([{"params": [p for p in learned if p.dim() == 2], "weight_decay": 0.05},
                                   {"params": [p for p in learned if p.dim() != 2], "weight_decay": 0.0}],
                                  lr=args.rate, betas=(0.9, 0.98))
    best = validation_loss(model, validation, args), 0, copy.deepcopy(model.state_dict())
    losses, total, began = [(0, None, best[0])], 0.0, time.process_time()
    batches = chains_for(training, args.made_share, random.Random(args.seed), args.batch)
    for step in range(1, args.steps + 1):
        for group in optimiser.param_groups:
            group["lr"] = rate_at(step - 1, args)
        total += learn_step(model, optimiser, training, next(batches), args)
        if step % args.every and step < args.steps:
            continue
        loss = validation_loss(model, validation, args)
        losses.append((step, total / (step - losses[-1][0]), loss))
        total = 0.0
        if loss < best[0]:
            best = loss, step, copy.deepcopy(model.state_dict())
        print("%s step %d: training loss %.4f, validation loss %.4f, %.0f s of processor time" % (
            time.strftime("%H:%M:%S"), *losses[-1], time.process_time() - began), file=sys.stderr, flush=True)
        if step - best[1] >= args.patience:
            break
    model.load_state_dict(best[2])
    return {"chosen_steps": best[1], "steps": losses[-1][0], "of": args.steps, "batch": args.batch, "rate": args.rate,
            "seconds": round(time.process_time() - began), "losses": losses}


# ---- the program ---------------------------------------------------------------------------------

def arguments():
    a = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    a.add_argument("model", help="a GGUF file of the built-in model's kind")
    a.add_argument("chains", nargs="+", metavar="NAME=CHAINS.jsonl")
    a.add_argument("--made", action="append", default=[], metavar="NAME=CHAINS.jsonl",
                   help="traces of `rederive tasks`, which are trained on only")
    a.add_argument("--made-share", type=float, default=0.5, help="of the chains of a batch")
    a.add_argument("--hold-out", metavar="NAME", help="the task that is only scored")
    a.add_argument("--blocks", type=int, help="the upper blocks that are fine-tuned, 0: the head alone; else the whole model")
    a.add_argument("--states", metavar="FOLDER", help="where the states below these blocks are kept for the next run")
    a.add_argument("--bf16", action="store_true", help="products of the fine-tuning in bfloat16")
    a.add_argument("--steps", type=int, default=300)
    a.add_argument("--batch", type=int, default=32, help="chains a step")
    a.add_argument("--rate", type=float, default=3e-4)
    a.add_argument("--ramp", type=int, default=30, help="steps in which the rate rises")
    a.add_argument("--every", type=int, default=25, help="steps between two validations")
    a.add_argument("--patience", type=int, default=math.inf, help="stop after so many steps without a lower validation loss")
    a.add_argument("--tokens", type=int, default=4096, help="computed together")
    a.add_argument("--cut", type=int, default=1024, help="tokens of a chain in training; scores are of whole chains")
    a.add_argument("--threads", type=int, default=1)
    a.add_argument("--seed", type=int, default=1)
    a.add_argument("--out", help="the model file to write")
    a.add_argument("--scores", help="the file for P(wrong) of the steps of the chains that are not trained on")
    a.add_argument("--frozen-scores", help="the same by the head on the frozen states")
    return a.parse_args()


def read_all(args, model, layout):
    """(the chains, the function that tells the states of a chain below the trained blocks, or None)."""
    chains, states = [], {}
    for made, sources in ((False, args.chains), (True, args.made)):
        for source in sources:
            name, path = source.split("=", 1)
            read = step_chains.read(path, name, made)
            chains += read
            if model.first:
                found = step_states.of_source(args.states, args.model, path, model, layout, read)
                states.update(zip(map(id, read), found))
    return chains, lambda chain: states.get(id(chain))


def scored(chains, args):
    """The recorded chains whose steps are scored: those of the validation questions, and with --scores those of the task
    that is held out, or else of the questions kept for the report."""
    return [c for c in chains if not c.made and (c.part == VALIDATION or (args.scores and (
        c.task == args.hold_out or (c.part == REPORT and not args.hold_out))))]


def write_scores(path, examples, scores):
    with open(path, "w", encoding="utf-8") as out:
        for chain, wrong in zip(examples.chains, scores):
            json.dump({"task": chain.task, "id": chain.id, "part": chain.part, "label": chain.label,
                       "wrong": [None if math.isnan(p) else round(p, 6) for p in wrong]}, out)
            out.write("\n")


def main():
    args = arguments()
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    file = gguf_read.File(args.model)
    layout = step_chains.Layout(gguf_read.tokenizer(file.vocabulary()), file.config()["context_length"])
    model = StepModel(file, args.blocks)
    chains, known = read_all(args, model, layout)
    seen = [c for c in chains if c.task != args.hold_out]
    short = step_chains.Layout(layout.pieces, min(args.cut, layout.context))
    training = Examples([c for c in seen if c.part == TRAINING], short, known)
    checked = Examples([c for c in seen if c.part == VALIDATION], short, known)
    unseen = Examples(scored(chains, args), layout, known)
    penalty, loss = learn_head(model, training, checked, args.tokens)
    said = {"hold_out": args.hold_out, "blocks": args.blocks, "training_chains": len(training),
            "made_chains": sum(c.made for c in training.chains), "validation_chains": len(checked),
            "cut": unseen.cut, "penalty": penalty, "head_loss": loss}
    if args.frozen_scores:
        write_scores(args.frozen_scores, unseen, score(model, unseen, args.tokens))
    if args.blocks != 0:
        said |= fine_tune(model, training, checked, args)
    scores = score(model, unseen, args.tokens)
    validated = [(c, s) for c, s in zip(unseen.chains, scores) if c.part == VALIDATION and c.task != args.hold_out]
    said["threshold"], said["validation_location"] = step_chains.fit_threshold(*zip(*validated))
    if args.scores:
        write_scores(args.scores, unseen, scores)
    if args.out:
        step_file.write(args.out, file, model, said["threshold"])
    print(json.dumps(said))


if __name__ == "__main__":
    main()
