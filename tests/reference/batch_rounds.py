#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How many rounds of files the methods need, for docs/batch.md: the built-in model, served by `rederive
serve`, answers the same requests directly and by files of OpenAI's Batch format.

    RDV_PROGRAM=build/rederive RDV_SOURCE=. tests/reference/batch_rounds.py [CHAINS]

Without a seed the server draws anew for each request, so a proxy adds one that follows from the
request's messages: then both ways get the same replies, and their records must be the same bytes."""
import hashlib
import http.client
import http.server
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading

PROGRAM = os.path.abspath(os.environ["RDV_PROGRAM"])
sys.path.insert(0, str(pathlib.Path(os.environ["RDV_SOURCE"]) / "tests/fake"))
import batch_runner

WAITING = 6
ROUNDS_MOST = 40
TASKS = ["--task", "coin_flip", "--max-size", "3"]
METHODS = [("SelfCheck", "check", "-m", "selfcheck"),
           ("general (relevance, math, consistency)", "check", "-m", "general", "--verifiers", "relevance,math,consistency"),
           ("direct-trace", "check", "-m", "direct-trace"),
           ("direct-step", "check", "-m", "direct-step"),
           ("direct-step, `--lookahead 100`", "check", "-m", "direct-step", "--lookahead", "100"),
           ("cot-step", "check", "-m", "cot-step"),
           ("solve, 3 solutions, SelfCheck", "solve", "-n", "3", "-m", "selfcheck", "--stop", "none")]


def seeded(body):
    """The body of a request with a seed that follows from its messages."""
    said = json.dumps(body.get("messages", body.get("prompt"))).encode()
    return dict(body, seed=int.from_bytes(hashlib.sha256(said).digest()[:4], "big"))


class Listener(http.server.ThreadingHTTPServer):
    request_queue_size = 128  # as many as may connect at a time

    def handle_error(self, *_):
        """A run cancels calls that it no longer needs, which is no fault."""


class Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    port = asked = 0

    def log_message(self, *_):
        pass

    def forward(self, body):
        server = http.client.HTTPConnection("127.0.0.1", self.port, timeout=600)
        server.request(self.command, self.path, body, {"Content-Type": "application/json"})
        reply = server.getresponse()
        text = reply.read()
        self.send_response(reply.status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def do_GET(self):
        self.forward(None)

    def do_POST(self):
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.forward(json.dumps(seeded(body)))


def run(*args, statuses=(0,)):
    done = subprocess.run([PROGRAM, *args], capture_output=True, text=True)
    if done.returncode not in statuses:
        raise SystemExit(f"{args} ended with {done.returncode}: {done.stderr}")
    return done


def measure(command, base, inputs, folder):
    out, direct = folder / "out.jsonl", folder / "direct.jsonl"
    command = [*command, "-M", base + "/v1#rederive", inputs]
    ended = run(*command, "--out", direct, "--json", statuses=(0, 1))
    calls = json.loads(ended.stderr.splitlines()[-1])["n_calls"]
    written, number = [], 0
    for number in range(ROUNDS_MOST):
        before = set(folder.glob("requests-*"))
        ended = run(*command, "--batch-out", folder / "requests.jsonl", "--batch-server", "vllm", "--out", out,
                    statuses=(0, 1, WAITING))
        if ended.returncode != WAITING:
            break
        files = sorted(set(folder.glob("requests-*")) - before)
        made = batch_runner.run(base, files, jobs=16)
        written.append(len(made))
        (folder / "results.jsonl").write_text("".join(json.dumps(r) + "\n" for r in made))
        run("journal", "import", "--batch", f"{out}.journal", folder / "results.jsonl")
    return {"rounds": number, "written": written, "calls": calls, "same": out.read_bytes() == direct.read_bytes()}


def main(chains="50"):
    server = subprocess.Popen([PROGRAM, "serve", "--listen", "127.0.0.1:0"], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
    Proxy.port = int(re.search(r":(\d+)", server.stdout.readline()).group(1))
    proxy = Listener(("127.0.0.1", 0), Proxy)
    threading.Thread(target=proxy.serve_forever, daemon=True).start()
    base = f"http://127.0.0.1:{proxy.server_port}"
    print("| method | rounds | requests in each | records as directly |\n| --- | --- | --- | --- |", flush=True)
    for name, *command in METHODS:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            (folder / "in.jsonl").write_text(run("tasks", *TASKS, "--number", chains, "--seed", "1", "--traces").stdout)
            got = measure(command, base, folder / "in.jsonl", folder)
            print(f"| {name} | {got['rounds']} | {', '.join(map(str, got['written']))} | "
                  f"{'the same bytes' if got['same'] else 'DIFFERENT'} |", flush=True)
    server.terminate()
    server.wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
