#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measure the built-in model's engine, beside llama.cpp on the same file, in one run.

    bench/lm.py BENCH_LM MODEL.gguf [--threads 2] [--rounds 5] [--prompt 256] [--steps 128]

For one sequence and for 32 together: tokens a second of prompts and of generation, the median of the rounds and their
range, and the ratio of the medians; the two take turns, so that what else runs on the machine meets both. On a busy
machine compare with --threads 1 and look at the tokens per second of processor time. llama.cpp is left out where the Python package llama-cpp-python is not installed. Its cache is f16, its default; ours is f32."""
import argparse
import ctypes
import json
import statistics
import subprocess
import time

try:
    import llama_cpp
except ImportError:
    llama_cpp = None

PROMPT_CHUNK = 256  # tokens in a call, as ours


def ours(program, model, threads, sequences, prompt, steps):
    done = subprocess.run([program, model, str(threads), str(sequences), str(prompt), str(steps)],
                          stdout=subprocess.PIPE, check=True, text=True)
    return json.loads(done.stdout)


class Llama:
    """The C interface, greedy sampling included, so that Python's part is a loop over sequences."""

    def __init__(self, path, threads):
        self.log = llama_cpp.llama_log_callback(lambda *_: None)  # has to live as long as it may be called
        llama_cpp.llama_log_set(self.log, ctypes.c_void_p(0))
        llama_cpp.llama_backend_init()
        self.model = llama_cpp.llama_load_model_from_file(path.encode(), llama_cpp.llama_model_default_params())
        self.vocab = llama_cpp.llama_model_get_vocab(self.model)
        self.n_vocab = llama_cpp.llama_vocab_n_tokens(self.vocab)
        self.threads = threads
        self.greedy = llama_cpp.llama_sampler_init_greedy()

    def context(self, sequences, length):
        settings = llama_cpp.llama_context_default_params()
        settings.n_ctx = sequences * (length + 32)
        settings.n_batch = settings.n_ubatch = max(PROMPT_CHUNK, sequences)
        settings.n_seq_max = sequences
        settings.n_threads = settings.n_threads_batch = self.threads
        return llama_cpp.llama_new_context_with_model(self.model, settings)

    def decode(self, context, batch, entries):
        """entries: (token, place, sequence, wants logits)."""
        for i, (token, place, sequence, wanted) in enumerate(entries):
            batch.token[i], batch.pos[i], batch.n_seq_id[i] = token, place, 1
            batch.seq_id[i][0], batch.logits[i] = sequence, wanted
        batch.n_tokens = len(entries)
        if llama_cpp.llama_decode(context, batch) != 0:
            raise RuntimeError("llama_decode failed")

    def measure(self, sequences, prompt, steps):
        context = self.context(sequences, prompt + steps)
        batch = llama_cpp.llama_batch_init(max(PROMPT_CHUNK, sequences), 0, 1)
        text = b"Tom has 12 apples and buys 30 more, so 12 + 30 = 42. "
        room = (llama_cpp.llama_token * 64)()
        n = llama_cpp.llama_tokenize(self.vocab, text, len(text), room, 64, False, False)
        tokens = [room[i % n] for i in range(prompt)]
        entries = [(self.n_vocab - 1 - s if i == 0 else tokens[i], i, s, i == prompt - 1)
                   for s in range(sequences) for i in range(prompt)]
        begin = clocks()
        now = {}
        for at in range(0, len(entries), PROMPT_CHUNK):
            some = entries[at:at + PROMPT_CHUNK]
            self.decode(context, batch, some)
            for i, (_, _, sequence, wanted) in enumerate(some):
                if wanted:
                    now[sequence] = llama_cpp.llama_sampler_sample(self.greedy, context, i)
        read = clocks()
        for step in range(steps):
            self.decode(context, batch, [(now[s], prompt + step, s, True) for s in range(sequences)])
            for s in range(sequences):
                now[s] = llama_cpp.llama_sampler_sample(self.greedy, context, s)
        end = clocks()
        llama_cpp.llama_batch_free(batch)
        llama_cpp.llama_free(context)
        return rates("prompt", sequences * prompt, begin, read) | rates("generated", sequences * steps, read, end)


def clocks():
    return time.perf_counter(), time.process_time()


def rates(what, tokens, begin, end):
    wall, cpu = (e - b for b, e in zip(begin, end))
    return {f"{what}_per_s": tokens / wall, f"{what}_per_cpu_s": tokens / cpu}


def spread(values):
    return f"{statistics.median(values):.0f} ({min(values):.0f} to {max(values):.0f})"


def report(sequences, mine, theirs):
    for key, what in (("prompt_per_s", "prompt tokens/s"), ("prompt_per_cpu_s", "prompt tokens/s of processor time"),
                      ("generated_per_s", "generated tokens/s"),
                      ("generated_per_cpu_s", "generated tokens/s of processor time")):
        us = [m[key] for m in mine]
        line = f"{sequences:2} sequences, {what}: {spread(us)}"
        if theirs:
            them = [t[key] for t in theirs]
            line += f"; llama.cpp {spread(them)}; ratio {statistics.median(us) / statistics.median(them):.2f}"
        print(line, flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bench_lm")
    parser.add_argument("model")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--prompt", type=int, default=256)
    parser.add_argument("--steps", type=int, default=128)
    options = parser.parse_args()
    llama = Llama(options.model, options.threads) if llama_cpp else None
    starts, cpu_starts = [], []
    for sequences in (1, 32):
        mine, theirs = [], []
        for _ in range(options.rounds):
            mine.append(ours(options.bench_lm, options.model, options.threads, sequences, options.prompt,
                             options.steps))
            if llama:
                theirs.append(llama.measure(sequences, options.prompt, options.steps))
        report(sequences, mine, theirs)
        starts += [m["start_up_ms"] for m in mine]
        cpu_starts += [m["start_up_cpu_ms"] for m in mine]
        last = mine[-1]
        print(f"{sequences:2} sequences, memory: file {last['file_mb']} MB, weights laid out {last['packed_mb']} MB, "
              f"activations {last['work_mb']} MB, keys and values {last['cache_mb']} MB; peak {last['peak_mb']} MB")
    print(f"start-up: {statistics.median(starts):.1f} ms ({min(starts):.1f} to {max(starts):.1f}), "
          f"{statistics.median(cpu_starts):.1f} ms of processor time; kernels {last['kernels']}, "
          f"{options.threads} threads")


if __name__ == "__main__":
    main()
