# SPDX-License-Identifier: Apache-2.0
"""The engine of the built-in model, asked through lm_asker.c, the program that RDV_LM_ASKER names."""
import os
import subprocess


class Reply:
    """What a job ended with; `scored` and `made` are lists of (token, log-probability)."""

    def __init__(self, line):
        stopped, scored, made, text = line[2:].split("|")
        self.stopped = stopped.strip() == "1"
        self.scored, self.made = self.pairs(scored), self.pairs(made)
        self.text = bytes.fromhex(text.strip())

    @staticmethod
    def pairs(text):
        words = text.split()
        return [(int(token), float.fromhex(logprob)) for token, logprob in zip(words[::2], words[1::2])]


class Engine:
    def __init__(self, path, threads=1):
        self.process = subprocess.Popen([os.environ["RDV_LM_ASKER"], str(path), str(threads)], text=True,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        _, context, vocab, self.threads, self.kernels = self.ask("A").split()
        self.context, self.vocab = int(context), int(vocab)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.communicate()

    def send(self, line):
        print(line, file=self.process.stdin)

    def line(self):
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"lm_asker ended with status {self.process.wait()}")
        return line

    def ask(self, line):
        self.send(line)
        return self.line()

    def tokens(self, text):
        """The tokens of bytes, without one for the beginning."""
        return [int(token) for token in self.ask(f"T {text.hex()}")[1:].split()]

    def run(self, jobs):
        """The replies to jobs, in their order: dicts of prompt (a list of tokens), and score, max_tokens, temperature,
        top_p, seed where they are not 0."""
        for job in jobs:
            settings = [job.get(key, 0) for key in ("score", "max_tokens", "temperature", "top_p", "seed")]
            self.send(" ".join(map(str, ["J", *settings, len(job["prompt"]), *job["prompt"]])))
        self.send("R")
        return [Reply(self.line()) for _ in jobs]
