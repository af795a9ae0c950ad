# SPDX-License-Identifier: Apache-2.0
"""How likely the built-in model itself finds the tokens of each step, without any training for it.

    python step_surprise.py MODEL.gguf STATES NAME=CHAINS.jsonl... > SURPRISE.jsonl

STATES: the folder of steps.py --states, with those of --blocks 1.
A line has the task, the id, and for each step the mean and the least log-probability of its tokens, in the layout of
step_chains.py; null: beyond the context. A step that does not follow surprises a model that can solve the task."""
import json
import sys

import torch

import gguf_read
import step_chains
import step_states
from step_model import Chains, StepModel


@torch.no_grad()
def of_chain(model, lower, tokens, ends):
    """[(mean, least)] of the steps' tokens, their <|end|> included. lower: the states below the last block."""
    states = model.block(model.llama.blk[-1], lower.float(), Chains([len(tokens)], [ends]), False)
    begin, found = tokens.index(tokens[ends[0]]) + 2, []  # after the question's <|end|> and <|assistant|>
    for end in ends:
        logits = model.llama.output_norm(states[begin - 1:end]) @ model.llama.token_embd.weight.T
        said = torch.log_softmax(logits, -1)[range(end + 1 - begin), tokens[begin:end + 1]]
        found.append((said.mean().item(), said.min().item()))
        begin = end + 1
    return found


def main():
    path, folder, *sources = sys.argv[1:]
    file = gguf_read.File(path)
    torch.set_num_threads(1)
    model = StepModel(file, blocks=1)
    layout = step_chains.Layout(gguf_read.tokenizer(file.vocabulary()), file.config()["context_length"])
    for source in sources:
        name, chains_path = source.split("=", 1)
        chains = step_chains.read(chains_path, name)
        for chain, lower in zip(chains, step_states.of_source(folder, path, chains_path, model, layout, chains)):
            tokens, ends = layout.tokens(chain.question, chain.steps)
            found = of_chain(model, lower, tokens, ends) if ends else []
            known = [[round(x, 4) for x in s] for s in found] + [None] * (len(chain.steps) - len(found))
            json.dump({"task": chain.task, "id": chain.id, "surprise": known}, sys.stdout)
            print()


if __name__ == "__main__":
    main()
