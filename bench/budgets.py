#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a run spends of its budget: by the server's own count, of all that it was asked.

    bench/budgets.py PROGRAM [PROGRAM ...] [--runs N]

Prints a row for each program, budget, number of calls in flight, and kind of run: replies of which the
request states the limit, plain and streamed, and replies of any length (prompts without max_tokens).
Prompts have a token for four bytes. Replies have 20 to 400 tokens, most of them few, and without a
limit one of fifty has ten times as many. The figures are the least and the most of the runs; of what is spent
beyond a budget, the most.
"""
import argparse
import asyncio
import json
import pathlib
import random
import re
import subprocess
import tempfile
import threading

PROMPTS = pathlib.Path(__file__).resolve().parent.parent / "prompts"
IN_FLIGHT = (1, 8, 64, 500)
PRICE_IN, PRICE_OUT = 2.5, 10.0


class Model:
    """A server in a thread of its own, while the `with` block lasts."""

    def __init__(self, seed, usual, first):
        """usual, first: seconds that a reply takes, and the first of all."""
        self.random, self.usual, self.first = random.Random(seed), usual, first
        self.prompt = self.completion = self.calls = self.streams = 0

    def tokens(self, body):
        limit = body.get("max_tokens")
        drawn = int(min(400, 20 + self.random.expovariate(1 / 60)))
        if limit is None and self.random.random() < 0.02:
            drawn *= 10
        if limit is not None and self.random.random() < 0.05:
            drawn = limit
        return drawn if limit is None else min(drawn, limit)

    def reply(self, body, written):
        used = {"prompt_tokens": written // 4, "completion_tokens": self.tokens(body)}
        self.prompt += used["prompt_tokens"]
        self.completion += used["completion_tokens"]
        self.calls += 1
        text = "The step adds two numbers. It follows from Information 0. support"
        if not body.get("stream"):
            choice = {"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}
            return "application/json", json.dumps({"choices": [choice], "usage": used}).encode()
        self.streams += 1
        events = [{"choices": [{"index": 0, "delta": {"content": text}, "finish_reason": "stop"}]},
                  {"choices": [], "usage": used}]
        data = "".join(f"data: {json.dumps(event)}\n\n" for event in events) + "data: [DONE]\n\n"
        return "text/event-stream", data.encode()

    async def serve(self, reader, writer):
        try:
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = re.search(rb"(?i)content-length: (\d+)", head)
                data = await reader.readexactly(int(length.group(1))) if length else b""
                status, kind, said = 404, "application/json", b"{}"
                if data:
                    kind, said = self.reply(json.loads(data), len(data))
                    status = 200
                    await asyncio.sleep(self.first if self.calls == 1 else self.usual)
                writer.write(f"HTTP/1.1 {status} X\r\nContent-Type: {kind}\r\n"
                             f"Content-Length: {len(said)}\r\n\r\n".encode() + said)
                await writer.drain()
        except (asyncio.IncompleteReadError, asyncio.CancelledError, ConnectionError):
            writer.close()

    def __enter__(self):
        self.loop, begun = asyncio.new_event_loop(), threading.Event()

        async def listen():
            server = await asyncio.start_server(self.serve, "127.0.0.1", 0, backlog=1000)
            self.port = server.sockets[0].getsockname()[1]
            begun.set()

        def run():
            asyncio.set_event_loop(self.loop)
            self.loop.create_task(listen())
            self.loop.run_forever()

        self.thread = threading.Thread(target=run, daemon=True)
        self.thread.start()
        begun.wait()
        return self

    def __exit__(self, *_):
        def stop():
            for task in asyncio.all_tasks(self.loop):
                task.cancel()
            self.loop.call_soon(self.loop.stop)

        self.loop.call_soon_threadsafe(stop)
        self.thread.join()


def chains():
    for i in range(400):
        steps = [f"{i} + {k} = {i + k}, so there are {i + k} of them." for k in range(5)]
        yield json.dumps({"id": f"c{i}", "question": f"What is the sum of {i} and four more?", "steps": steps})


def without_limits(folder):
    """SelfCheck's prompts, which then state no limit."""
    for prompt in (PROMPTS / "selfcheck").glob("*.md"):
        text = re.sub(r"(?m)^max_tokens: .*\n", "", prompt.read_text(), count=1)
        (folder / "selfcheck").mkdir(exist_ok=True)
        (folder / "selfcheck" / prompt.name).write_text(text)


def spent(program, budget, in_flight, kind, seed, folder):
    """What the server counted, of the budget: tokens, or millionths of a dollar."""
    name, value = budget
    usual, first = 0.05, 0.05
    if kind == "streamed":  # once a reply took a fourth of the time limit
        usual, first = 0.05 if in_flight == 1 else 0.4, 0.6
    with Model(seed, usual, first) as model:
        command = [program, "check", "-m", "selfcheck", "-M", f"http://127.0.0.1:{model.port}/v1#m", "-j",
                   str(in_flight), f"--max-{name}", str(value), "--price-in", str(PRICE_IN), "--price-out",
                   str(PRICE_OUT), "--json", "-o", "/dev/null"]
        command += ["--timeout", "2"] if kind == "streamed" else []
        command += ["--prompt-dir", str(folder)] if kind == "no limit" else []
        done = subprocess.run(command, input="\n".join(chains()), capture_output=True, text=True)
        if done.returncode != 1 or "the budget of" not in done.stderr:
            raise SystemExit(f"{' '.join(command)}: {done.returncode}: {done.stderr[-400:]}")
        if kind == "streamed" and not model.streams:
            raise SystemExit("nothing was streamed")
        if name == "tokens":
            return model.prompt + model.completion
        return (model.prompt * PRICE_IN + model.completion * PRICE_OUT) / 1e6


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("programs", nargs="+")
    parser.add_argument("--runs", type=int, default=5)
    a = parser.parse_args()
    print("| program | replies | budget | " + " | ".join(f"-j {j}" for j in IN_FLIGHT) + " | most beyond it |")
    print("| --- " * (4 + len(IN_FLIGHT)) + "|")
    with tempfile.TemporaryDirectory() as folder:
        without_limits(pathlib.Path(folder))
        for kind in ("plain", "streamed", "no limit"):
            for budget in (("tokens", 5000), ("tokens", 100000), ("cost", 0.02), ("cost", 0.4)):
                for program in a.programs:
                    cells, beyond = [], 0.0
                    for in_flight in IN_FLIGHT:
                        all_spent = [spent(program, budget, in_flight, kind, seed, folder) for seed in range(a.runs)]
                        figure = "{:.0f}" if budget[0] == "tokens" else "{:.4f}"
                        least, most = (figure.format(s) for s in (min(all_spent), max(all_spent)))
                        cells.append(least if least == most else f"{least} to {most}")
                        beyond = max(beyond, max(all_spent) / budget[1] - 1)
                    print(f"| {program} | {kind} | {budget[0]} {budget[1]} | " + " | ".join(cells) +
                          f" | {100 * beyond:.1f} % |", flush=True)


if __name__ == "__main__":
    main()
