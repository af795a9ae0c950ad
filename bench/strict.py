#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How much later a step of a stream reaches the client by the mode `strict` than where the stream passes through.

    RDV_PROGRAM=build/cli/rederive bench/strict.py [STREAMS]

One stream at a time, of twelve steps in pieces of a token, from a scripted server: it sends the piece that ends a step, notes the time, and
goes on when the client has that step. Prints the median and what 99 of 100 took, of both ways, in turns, and their difference."""
import http.client
import json
import os
import random
import re
import sys
import tempfile
import threading
import time
from pathlib import Path

ROOT = Path(__file__).parents[1]
os.environ.setdefault("RDV_SOURCE", str(ROOT))
sys.path[:0] = [str(ROOT / "tests/integration"), str(ROOT / "tests/fake")]
from tiny import Serve  # noqa: E402
from upstream import Handler, Reply, Upstream  # noqa: E402
from verifying import CHAT, chat_chunk  # noqa: E402

STEPS = 12
WAYS = {"passing through": "big", "strict": "rederive/check/big"}


class Step:
    """A place in the stream: when its end was sent, and whether the client has it."""
    def __init__(self, end):
        self.end, self.sent, self.had = end, 0.0, threading.Event()


class Slow(Handler):
    disable_nagle_algorithm = True  # else a piece may wait 40 ms for the receipt of the one before

    def send(self, reply, request):
        for piece in reply.pieces:
            if isinstance(piece, Step):
                piece.sent = time.perf_counter()
                piece.had.wait(10)
            else:
                self.wfile.write(piece)
                self.wfile.flush()
        return True


def sentence(draw):
    a, b, c = draw.randint(2, 90), draw.randint(2, 90), draw.randint(2, 9)
    return f"There are {a} boxes and {b} bags, which makes {a} + {b} = {a + b} things, and {c} times as many are {c} * {a + b} = {c * (a + b)}."


def stream(draw, strict):
    """The pieces that are sent, and the steps. A strict stream decides a step with the first piece of the next one."""
    text, pieces, steps = "", [chat_chunk({"role": "assistant"})], []
    for i in range(STEPS):
        tokens = re.findall(r"\s*\S{1,4}|\s+$", sentence(draw) + "\n\n")
        for k, token in enumerate(tokens):
            pieces.append(chat_chunk({"content": token}))
            if i and k == 0 and strict:
                steps.append(Step(len(text)))
                pieces.append(steps[-1])
            text += token
            if k == len(tokens) - 1 and not strict and i < STEPS - 1:
                steps.append(Step(len(text)))
                pieces.append(steps[-1])
    return [*pieces, chat_chunk({}, "stop"), "data: [DONE]\n\n"], steps


def ask(server, model, steps):
    """The seconds that each step took."""
    connection = http.client.HTTPConnection(server.host, server.port, timeout=30)
    connection.request("POST", CHAT, json.dumps({"model": model, "stream": True, "messages": [{"role": "user", "content": "How many?"}]}),
                       {"Content-Type": "application/json"})
    response, n, took, left = connection.getresponse(), 0, [], list(steps)
    while (line := response.readline()):
        if b'"content"' not in line:
            continue
        n += sum(len(c["delta"].get("content") or "") for c in json.loads(line[6:])["choices"])
        if left and n >= left[0].end:
            took.append(time.perf_counter() - left[0].sent)
            left.pop(0).had.set()
    connection.close()
    assert not left, "not all steps came"
    return took


def chunked(piece):
    return piece if isinstance(piece, Step) else b"%x\r\n%s\r\n" % (len(piece.encode()), piece.encode())


def main():
    sys.setswitchinterval(1e-4)
    draw, took = random.Random(1), {way: [] for way in WAYS}
    with tempfile.TemporaryDirectory() as folder, Upstream() as upstream:
        policy = Path(folder, "policy.json")
        policy.write_text('{"default":{"mode":"strict"}}', encoding="utf-8")
        upstream.RequestHandlerClass = Slow
        with Serve(None, "-M", f"big={upstream.url}#m", "--policy", str(policy)) as server:
            for _ in range(int(sys.argv[1]) if len(sys.argv) > 1 else 100):
                for way, model in WAYS.items():
                    pieces, steps = stream(draw, way == "strict")
                    reply = Reply.stream([])
                    reply.pieces[1:1] = [chunked(piece) for piece in pieces]
                    upstream.answer(reply)
                    took[way] += ask(server, model, steps)
    load = os.getloadavg()[0]
    print(f"{len(took['strict'])} steps each, a load of {load:.1f}\n\n| way | p50 ms | p99 ms |\n| --- | --- | --- |")
    at = {way: [sorted(times)[int(len(times) * q)] * 1000 for q in (0.5, 0.99)] for way, times in took.items()}
    for way, (p50, p99) in at.items():
        print(f"| {way} | {p50:.2f} | {p99:.2f} |")
    print("| added | " + " | ".join(f"{b - a:.2f}" for a, b in zip(*at.values())) + " |")


if __name__ == "__main__":
    main()
