# SPDX-License-Identifier: Apache-2.0
"""Writes a step classifier as a GGUF file: the language model, and a head on its last states."""
import math

import gguf

SAME = ("general.name", "general.version", "general.author", "general.license")


def write(path, file, model, threshold, kind="f16"):
    """file: the language model's, for its vocabulary; model: steps.StepModel. The logit of the threshold is taken from
    the bias, so that the score 0.5 is where a step counts as wrong."""
    tensors = {name: value.detach().float().numpy() for name, value in model.llama.state_dict().items()}
    at = math.log(threshold / (1 - threshold)) if 0 < threshold < 1 else 0.0
    tensors["step_head.weight"] = model.head.weight.detach()[0].numpy()
    metadata = {key: file.metadata[key] for key in SAME if key in file.metadata}
    metadata["general.name"] = metadata.get("general.name", b"model") + b"-steps"
    metadata |= gguf.step_head_metadata(model.head.bias.item() - at)
    gguf.write_gguf(path, file.config(), tensors, file.vocabulary(), kind=kind, metadata=metadata)
