#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measure the processor time of a call, all in: `check -m global` on chains of two steps against the
canned server, with a journal, beside a plain httpx client that sends as many requests of that size.

    bench/check.py PROGRAM CANNED [--chains N] [--in-flight N] [--client PYTHON]

A call of ours reads a chain, fills in a prompt, and writes a record and a row of the journal; one of
the client's is its request and its reply. Prints microseconds of user and system time a call, the
median of three runs, and the ratio. PYTHON has httpx (tests/reference/real_requirements.txt);
without it the client is left out.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile

from load import canned

CLIENT = pathlib.Path(__file__).parent.parent / "tests/reference/real_client.py"
RUNS = 3


def chain(i):
    return {"id": f"c{i}", "question": f"How many eggs are 6 boxes of {i}?", "answer": str(6 * i),
            "steps": [f"6 boxes of {i} eggs are 6 * {i} eggs.", f"So the answer is {6 * i}."]}


def request():
    return {"path": "/v1/chat/completions", "body": {
        "model": "canned", "max_tokens": 300, "messages": [{"role": "user", "content": "x" * 1024}]}}


def write(path, records):
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def microseconds(calls, command):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=os.environ | {"no_proxy": "127.0.0.1"})
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e6 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / calls


def ours(options, port, folder):
    source = write(folder / "chains.jsonl", map(chain, range(options.chains)))
    out = folder / "out.jsonl"
    for path in (out, folder / "out.jsonl.journal"):
        path.unlink(missing_ok=True)
    # In the paper's profile the canned reply, which says nothing, is not asked for again.
    return microseconds(options.chains, [
        options.program, "check", "-q", "-m", "global", "--profile", "paper", "-j", str(options.in_flight),
        "-M", f"http://127.0.0.1:{port}/v1#canned", "-o", out, source])


def theirs(options, port, folder):
    requests = write(folder / "requests.jsonl", [request()] * options.chains)
    return microseconds(options.chains, [options.client, CLIENT, f"http://127.0.0.1:{port}",
                                         str(options.in_flight), requests])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("canned")
    parser.add_argument("--chains", type=int, default=20000)
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--client")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name, canned(options.canned, 0) as port:
        folder = pathlib.Path(name)
        mine = statistics.median(ours(options, port, folder) for _ in range(RUNS))
        print(f"rederive: {mine:.0f} us of processor time a call")
        if options.client:
            client = statistics.median(theirs(options, port, folder) for _ in range(RUNS))
            print(f"httpx: {client:.0f} us; {client / mine:.1f} times as much")


if __name__ == "__main__":
    main()
