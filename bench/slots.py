#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How busy the slots of a server are while `check` asks it.

    bench/slots.py PROGRAM [--slots 4] [--calls 600] [--seconds 0.02,0.08] [--jobs 64]

A server of our own says in /props, as llama.cpp does, that it works on so many calls at a time, and takes a random time for each, a new
connection in five 5 ms later. `check -m global` sends it a call a chain. Prints the share of the slots' time that was used, from the first
call's begin to the last one's end, and how long it took until all slots were busy.
"""
import argparse
import asyncio
import json
import os
import pathlib
import random
import sys
import tempfile

from check import write_chains

REPLY = {"object": "chat.completion", "model": "canned", "usage": {"prompt_tokens": 9, "completion_tokens": 3},
         "choices": [{"index": 0, "finish_reason": "stop", "message": {"role": "assistant", "content": "Yes."}}]}


class Server:
    def __init__(self, slots, seconds):
        self.n, self.slots, self.seconds = slots, asyncio.Semaphore(slots), seconds
        self.draw, self.worked = random.Random(1), []

    async def body_of(self, path):
        if path.endswith("/props"):
            return {"total_slots": self.n, "chat_template": "x"}
        if path.endswith("/models"):
            return {"object": "list", "data": [{"id": "canned", "object": "model", "owned_by": "llamacpp"}]}
        async with self.slots:
            begin = asyncio.get_running_loop().time()
            await asyncio.sleep(self.draw.uniform(*self.seconds))
            self.worked.append((begin, asyncio.get_running_loop().time()))
        return REPLY

    async def serve(self, reader, writer):
        try:
            if self.draw.random() < 0.2:
                await asyncio.sleep(0.005)
            while True:
                head = await reader.readuntil(b"\r\n\r\n")
                length = [int(line.split(b":")[1]) for line in head.splitlines() if line.lower().startswith(b"content-length:")]
                await reader.readexactly(length[0] if length else 0)
                body = json.dumps(await self.body_of(head.split()[1].decode())).encode()
                writer.write(b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\nserver: llama.cpp\r\ncontent-length: %d\r\n\r\n" % len(body)
                             + body)
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            writer.close()


async def measure(args):
    seconds = [float(part) for part in args.seconds.split(",")]
    server = Server(args.slots, seconds)
    listening = await asyncio.start_server(server.serve, "127.0.0.1", 0)
    port = listening.sockets[0].getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        chains = write_chains(pathlib.Path(folder) / "chains.jsonl", args.calls)
        check = await asyncio.create_subprocess_exec(
            args.program, "check", "-q", "-m", "global", "--profile", "paper", "-j", str(args.jobs), "-M",
            f"http://127.0.0.1:{port}/v1#canned", "-o", f"{folder}/out.jsonl", chains, env=os.environ | {"no_proxy": "127.0.0.1"})
        if await check.wait() != 0:
            sys.exit("slots: check failed")
    listening.close()
    return server.worked


def report(args, worked):
    first, last = min(begin for begin, _ in worked), max(end for _, end in worked)
    used = sum(end - begin for begin, end in worked) / (args.slots * (last - first))
    full = sorted(begin for begin, _ in worked)[args.slots - 1] - first
    print(f"{len(worked)} calls, {args.slots} slots: busy {used:.4f} of the time; all of them after {1e3 * full:.1f} ms")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("program")
    parser.add_argument("--slots", type=int, default=4)
    parser.add_argument("--calls", type=int, default=600)
    parser.add_argument("--seconds", default="0.02,0.08")
    parser.add_argument("--jobs", type=int, default=64)
    args = parser.parse_args()
    report(args, asyncio.run(measure(args)))


if __name__ == "__main__":
    main()
