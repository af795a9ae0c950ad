#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measure what a call costs, all in: `check -m global` on chains of two steps against the canned
server, with a journal, beside Python clients that send requests of that size to the same server.

    bench/check.py PROGRAM CANNED [--chains N] [--in-flight N] [--client PYTHON] [--client-calls N]

A call of ours reads a chain, fills in a prompt, asks, and writes a record and a row of the journal.
One of a client's is its request and its reply; inspect_ai also writes its log, as it always does.
Prints microseconds of user and system time a call, the median of runs that take turns, and how many
times ours that is. Of the clients the time that Python needs to start is left out. PYTHON has
tests/reference/clients_requirements.txt, or a part of it; a client that it lacks is left out.

Then the memory of an open chain with its call in flight: how much more the program needs at most
with 1024 jobs than with 64, on a server that takes 200 ms for a reply.
"""
import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import tempfile
import time

from load import canned

CLIENTS = pathlib.Path(__file__).parent / "clients.py"
NAMES = "httpx", "openai", "inspect_ai"
RUNS = 3
FEW, MANY = 64, 1024  # jobs
CHAINS = {FEW: 2000, MANY: 16000}  # until as many calls are in flight as may be, and then some
DELAY = 200  # ms


def chain(i):
    return {"id": f"c{i}", "question": f"How many eggs are 6 boxes of {i}?", "answer": str(6 * i),
            "steps": [f"6 boxes of {i} eggs are 6 * {i} eggs.", f"So the answer is {6 * i}."]}


def write_chains(path, n):
    path.write_text("".join(json.dumps(chain(i)) + "\n" for i in range(n)), encoding="utf-8")
    return path


def check(program, port, folder, chains, jobs):
    """The check, started anew, with nothing in the journal."""
    out = folder / "out.jsonl"
    for path in (out, folder / "out.jsonl.journal"):
        path.unlink(missing_ok=True)
    # In the paper's profile the canned reply, which says nothing, is not asked for again.
    return subprocess.Popen(
        [program, "check", "-q", "-m", "global", "--profile", "paper", "-j", str(jobs), "-M",
         f"http://127.0.0.1:{port}/v1#canned", "-o", out, write_chains(folder / "chains.jsonl", chains)],
        env=os.environ | {"no_proxy": "127.0.0.1"})


def succeed(process):
    if process.wait() != 0:
        raise SystemExit(f"{process.args[0]}: exit status {process.returncode}")


def ours(options, port, folder):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    succeed(check(options.program, port, folder, options.chains, options.in_flight))
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1e6 * (after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime) / options.chains


def theirs(options, port, folder, name):
    """None: the client is not installed."""
    calls = options.client_calls
    done = subprocess.run(
        [options.client, CLIENTS, name, f"http://127.0.0.1:{port}/v1", str(options.in_flight), str(calls),
         folder], check=True, stdout=subprocess.PIPE, text=True, cwd=folder,
        env=os.environ | {"no_proxy": "127.0.0.1"})
    # inspect_ai has told its progress on the lines before.
    return 1e6 * float(done.stdout.split()[-1]) / calls if done.stdout else None


def measure_time(options, port, folder):
    """Microseconds a call, by name, one a run; runs of all take turns."""
    times = {"rederive": []} | {name: [] for name in NAMES if options.client}
    for _ in range(RUNS):
        times["rederive"].append(ours(options, port, folder))
        for name in NAMES:
            took = theirs(options, port, folder, name) if name in times else None
            if took:
                times[name].append(took)
            elif times.pop(name, None) is not None:
                print(f"{name} is not installed")
    return times


def print_times(times):
    mine = statistics.median(times["rederive"])
    print(f"{'':12} {'us a call':>10} {'least':>7} {'most':>7} {'times ours':>10}")
    for name, took in times.items():
        middle = statistics.median(took)
        print(f"{name:12} {middle:10.0f} {min(took):7.0f} {max(took):7.0f} {middle / mine:10.1f}")


def peak(process):
    """The most memory that it has resident until its end, in KiB."""
    most = 0
    while process.poll() is None:
        status = pathlib.Path(f"/proc/{process.pid}/status").read_text(encoding="utf-8")
        # A process that has ended, and was not waited for, has no memory.
        most = max([most] + [int(line.split()[1]) for line in status.splitlines()
                             if line.startswith("VmHWM:")])
        time.sleep(0.01)
    succeed(process)
    return most


def print_memory(options, folder):
    with canned(options.canned, DELAY) as port:
        few, many = (peak(check(options.program, port, folder, CHAINS[jobs], jobs))
                     for jobs in (FEW, MANY))
    print(f"memory: {few} KiB with {FEW} jobs, {many} KiB with {MANY}: "
          f"{(many - few) / (MANY - FEW):.1f} KiB an open chain with its call in flight")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("canned")
    parser.add_argument("--chains", type=int, default=20000)
    parser.add_argument("--in-flight", type=int, default=64)
    parser.add_argument("--client")
    parser.add_argument("--client-calls", type=int, default=500)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with canned(options.canned, 0) as port:
            print_times(measure_time(options, port, folder))
        print_memory(options, folder)


if __name__ == "__main__":
    main()
