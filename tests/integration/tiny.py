# SPDX-License-Identifier: Apache-2.0
"""A tiny model with random weights, and the server on it, for tests: what it says means nothing, and is the same
every time."""
import functools
import http.client
import json
import os
import pathlib
import random
import resource
import signal
import subprocess
import sys

from support import PROGRAM, SANITIZED

ROOT = pathlib.Path(os.environ["RDV_SOURCE"])
sys.path[:0] = [str(ROOT / "tests"), str(ROOT / "train")]
import gguf  # noqa: E402
import make_lm  # noqa: E402

SECONDS = 120 if SANITIZED else 30


def write_model(path, seed=1, context=512, prompts=()):
    """A model file; `prompts` are the ids that it says it was trained on."""
    vocab = make_lm.vocabulary()
    config = make_lm.CONFIG | {"vocab_size": len(vocab), "context_length": context}
    metadata = gguf.model_metadata(config, "f32") | gguf.tokenizer_metadata(vocab)
    metadata |= {"general.name": "tiny", "tokenizer.chat_template": gguf.CHAT_TEMPLATE}
    if prompts:
        metadata["rederive.prompts"] = list(prompts)
    tensors = list(make_lm.tensors(config, "f32", False, random.Random(seed)))
    pathlib.Path(path).write_bytes(gguf.container(metadata, tensors))
    return str(path)


class Serve:
    """`rederive serve` while the `with` block lasts; it has to end well. files: its limits of open files, soft and
    hard."""

    def __init__(self, model, *options, env=None, files=None):
        served = [] if "-M" in options else ["--model", "builtin:" + model if model else "builtin"]
        self.command = [PROGRAM, "serve", *served, *options]
        if "--listen" not in options and "--port" not in options:
            self.command += ["--listen", "127.0.0.1:0"]
        self.env = {**os.environ, **(env or {})}
        self.limit = files and functools.partial(resource.setrlimit, resource.RLIMIT_NOFILE, files)

    def __enter__(self):
        self.process = subprocess.Popen(self.command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                        env=self.env, preexec_fn=self.limit)
        line = self.process.stdout.readline()
        if not line.startswith("listening on http://"):
            self.process.kill()
            raise AssertionError(line + self.process.communicate()[1])
        self.url = line.split()[2]
        self.host, _, port = self.url.removeprefix("http://").removesuffix("/v1").rpartition(":")
        self.host = self.host.strip("[]")
        self.port = int(port)
        return self

    def stop(self, number=signal.SIGTERM):
        """End it; its exit status and what it said."""
        self.process.send_signal(number)
        err = self.process.communicate(timeout=SECONDS)[1]
        return self.process.returncode, err

    def __exit__(self, kind, *_):
        if self.process.poll() is None:
            status, err = self.stop()
            if kind is None and (status != 0 or "Sanitizer" in err):
                raise AssertionError(f"the server ended with {status}: {err[-3000:]}")

    def connect(self):
        return http.client.HTTPConnection(self.host, self.port, timeout=SECONDS)

    def ask(self, method, path, body=None, headers=None, raw=False):
        """(status, body): JSON unless `raw`; body: bytes, or anything that becomes JSON."""
        connection = self.connect()
        headers = dict(headers or {})
        if body is not None and not isinstance(body, bytes):
            body = json.dumps(body).encode()
        if body is not None:
            headers.setdefault("Content-Type", "application/json")
        try:
            connection.request(method, path, body, headers)
            response = connection.getresponse()
            data = response.read()
            return response.status, data if raw else json.loads(data)
        finally:
            connection.close()

    def chat(self, words="Tom and the apples", **members):
        return self.ask("POST", "/v1/chat/completions",
                        {"messages": [{"role": "user", "content": words}], "max_tokens": 20} | members)

    def text(self, prompt="the apples", **members):
        return self.ask("POST", "/v1/completions", {"prompt": prompt} | members)

    def stream(self, path, body):
        """The events of a stream, as JSON; the last is "[DONE]"."""
        status, data = self.ask("POST", path, body | {"stream": True}, raw=True)
        if status != 200:
            raise AssertionError(data)
        lines = [line for line in data.decode().split("\n\n") if line]
        assert all(line.startswith("data: ") for line in lines), lines
        return [line[6:] if line == "data: [DONE]" else json.loads(line[6:]) for line in lines]
