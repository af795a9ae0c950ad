# SPDX-License-Identifier: Apache-2.0
"""The states of chains below the blocks that are trained, computed once and kept in a folder.

A file is named by what its states depend on: the model, the chains, how many blocks are below, and the context."""
import hashlib
import os

import torch


def digest(*parts):
    h = hashlib.sha256()
    for part in parts:
        h.update(hashlib.sha256(part).digest())
    return h.hexdigest()[:16]


def read(path):
    with open(path, "rb") as file:
        return file.read()


@torch.no_grad()
def computed(model, layout, chains):
    """Of each chain the states of its tokens, in 16 bits: 400 bytes a token."""
    return [model.lower(tokens).half() if tokens else None
            for tokens, _ in (layout.tokens(c.question, c.steps) for c in chains)]


def of_source(folder, model_path, source_path, model, layout, chains):
    """The states of all chains of a file, in their order, from the folder if they are there."""
    if folder is None:
        return computed(model, layout, chains)
    name = digest(read(model_path), read(source_path), b"%d %d" % (model.first, layout.context))
    path = os.path.join(folder, name + ".states")
    if not os.path.exists(path):
        os.makedirs(folder, exist_ok=True)
        part = "%s.%d" % (path, os.getpid())
        torch.save(computed(model, layout, chains), part)
        os.replace(part, path)
    return torch.load(path, mmap=True, weights_only=True)
