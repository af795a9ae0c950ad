# SPDX-License-Identifier: Apache-2.0
"""A small language model on llama.cpp's server, and what passes between it and the program."""
import http.client
import http.server
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import threading
import time

SOURCE = pathlib.Path(os.environ["RDV_SOURCE"])
PYTHON = os.environ["RDV_REAL_PYTHON"]
CONTEXT = 2048
SLOTS = 4
LOADING = 120  # seconds until a started server must answer
ANSWERING = 120  # seconds that one reply may take
REPLY_TOKENS = 32  # a reply of the prompts in use has no more


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


class Model:
    """The server, with more options of serve.py. It can be killed and started again at the same
    address."""

    def __init__(self, log, *options):
        self.port = free_port()
        self.options = [str(option) for option in options]
        self.log = log
        self.process = None

    def start(self):
        command = [PYTHON, SOURCE / "tests/real/serve.py", str(self.port), "--context",
                   str(CONTEXT), "--slots", str(SLOTS), *self.options]
        with open(self.log, "ab") as log:
            self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log)

    def wait(self):
        end = time.monotonic() + LOADING
        while not self.answers():
            if self.process.poll() is not None or time.monotonic() > end:
                raise RuntimeError("the model's server did not start: " + self.last_words())
            time.sleep(0.1)

    def last_words(self):
        with open(self.log, encoding="utf-8", errors="replace") as log:
            return log.read()[-2000:]

    def answers(self):
        try:
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=5)
            connection.request("GET", "/health")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def kill(self):
        """SIGKILL, as when the machine runs out of memory."""
        if self.process:
            self.process.kill()
            self.process.wait()


# ---- what passes ----------------------------------------------------------------------------------

class Exchange:
    """One request and its reply as they were on the wire."""

    def __init__(self, path, body, status, reply):
        self.path, self.body, self.status, self.reply = path, body, status, reply

    @property
    def asks(self):
        """Whether it asks the model for words, and not the server for facts."""
        return self.path.endswith("completions") or self.path.endswith("/completion")

    @property
    def prefix(self):
        """The beginning of the reply that the request gave; empty where it gave none."""
        messages = self.body.get("messages") or [{}]
        return messages[-1]["content"] if messages[-1].get("role") == "assistant" else ""

    @property
    def asked(self):
        """What the request ended with."""
        messages = self.body.get("messages")
        prompt = self.body.get("prompt", "")
        if messages:
            return messages[-1]["content"]
        return prompt if isinstance(prompt, str) else ""  # else the ids of its tokens

    @property
    def written(self):
        """What the model wrote in each choice, without what it was given to begin with."""
        if self.status != 200 or not self.asks:
            return []
        if "content" in self.reply:
            return [self.reply["content"]]
        texts = [choice.get("text") or (choice.get("message") or {}).get("content") or ""
                 for choice in self.reply.get("choices", [])]
        return [text.removeprefix(self.prefix) for text in texts]


class Recorder:
    """Stands between the program and the server, passes everything on and keeps it.

    `before(number)` is called before the asking request of that number, from 0, goes on.
    """

    def __init__(self, model):
        self.model = model
        self.exchanges = []
        self.before = None
        self.lock = threading.Lock()
        recorder = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def pass_on(self):
                recorder.pass_on(self)

            do_GET = do_POST = pass_on

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.server.server_port}/v1#smollm2"

    def forget(self):
        with self.lock:
            self.exchanges = []
            self.before = None

    def asked(self):
        with self.lock:
            return [e for e in self.exchanges if e.asks]

    def pass_on(self, handler):
        data = handler.rfile.read(int(handler.headers.get("Content-Length", 0)))
        exchange = Exchange(handler.path, json.loads(data) if data else {}, None, {})
        with self.lock:
            number = sum(e.asks for e in self.exchanges)
            self.exchanges.append(exchange)
            before = self.before
        if before and exchange.asks:
            before(number)
        try:
            status, said = self.ask_the_model(handler, data)
        except (OSError, http.client.HTTPException):
            # As the program would see it without us: the connection breaks.
            handler.close_connection = True
            return
        exchange.status = status
        try:
            exchange.reply = json.loads(said)
        except ValueError:
            exchange.reply = {}
        try:
            handler.send_response(status)
            handler.send_header("Content-Type", "application/json")
            handler.send_header("Content-Length", str(len(said)))
            handler.end_headers()
            handler.wfile.write(said)
        except OSError:
            handler.close_connection = True

    def ask_the_model(self, handler, data):
        connection = http.client.HTTPConnection("127.0.0.1", self.model.port, timeout=ANSWERING)
        try:
            connection.request(handler.command, handler.path, data or None,
                               {"Content-Type": "application/json"})
            reply = connection.getresponse()
            return reply.status, reply.read()
        finally:
            connection.close()


# ---- prompts --------------------------------------------------------------------------------------

def short_prompts(folder, most=REPLY_TOKENS, solution=None):
    """Our prompts with replies of at most so many tokens, so that a slow machine is enough; `solution`: those of the prompt that
    generates solutions."""
    source = SOURCE / "prompts"
    for path in source.rglob("*.md"):
        limit = solution if solution and path.name == "generate.md" else most
        text = re.sub(r"^max_tokens: (\d+)$",
                      lambda m, limit=limit: f"max_tokens: {min(int(m[1]), limit)}",
                      path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        copy = pathlib.Path(folder) / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")


sys.path.insert(0, str(SOURCE / "tests/integration"))
