#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measure the driver against the canned server, beside wrk on the same server.

    bench/load.py BENCH_LOAD CANNED [--calls N] [--in-flight N]

Prints a line of JSON a measurement: calls at once with a server that answers at once; the same with
a journal; with a server that takes 200 ms, where each call is in flight for long; and what wrk does.
wrk is left out where it is not installed.

wrk writes a prepared request and looks for the end of a response; a call here is written as JSON,
goes through libcurl, and its response is read. Of the 40 us a call on the machine where this was
written, the kernel's sockets take 35%, libcurl 25%, memory (mostly libcurl's and jansson's) 20%,
jansson 12%, and our own code 6%: `perf record` with bench_load shows it. A server of real models is
some hundred times slower than either.
"""
import argparse
import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile


@contextlib.contextmanager
def canned(program, delay):
    server = subprocess.Popen([program, str(delay)], stdin=subprocess.PIPE,
                              stdout=subprocess.PIPE, text=True)
    try:
        yield int(server.stdout.readline().split()[1])
    finally:
        server.communicate()


def load(program, port, calls, in_flight, *journal):
    done = subprocess.run([program, f"http://127.0.0.1:{port}/v1#canned", str(calls),
                           str(in_flight), *journal], stdout=subprocess.PIPE, text=True,
                          check=True, env=os.environ | {"no_proxy": "127.0.0.1"})
    return json.loads(done.stdout)


def wrk(port, in_flight, folder):
    """The same request, as wrk's script."""
    script = pathlib.Path(folder) / "post.lua"
    body = json.dumps({"model": "canned", "max_tokens": 300,
                       "messages": [{"role": "user", "content": "x" * 1024}]})
    script.write_text(f"wrk.method = 'POST'\nwrk.body = '{body}'\n"
                      "wrk.headers['Content-Type'] = 'application/json'\n")
    done = subprocess.run(["wrk", "-t1", f"-c{in_flight}", "-d3s", "-s", script,
                           f"http://127.0.0.1:{port}/v1/chat/completions"],
                          stdout=subprocess.PIPE, text=True, check=True)
    return float(re.search(r"Requests/sec:\s+([\d.]+)", done.stdout).group(1))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("bench_load")
    parser.add_argument("canned")
    parser.add_argument("--calls", type=int, default=20000)
    parser.add_argument("--in-flight", type=int, default=1000)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        with canned(options.canned, 0) as port:
            at_once = load(options.bench_load, port, options.calls, options.in_flight)
            print("at once", json.dumps(at_once))
            journal = str(pathlib.Path(folder) / "journal.db")
            print("with a journal", json.dumps(
                load(options.bench_load, port, options.calls, options.in_flight, journal)))
            if shutil.which("wrk"):
                theirs = wrk(port, options.in_flight, folder)
                share = at_once["calls_per_s"] / theirs
                print("wrk", json.dumps({"calls_per_s": round(theirs), "our share": round(share, 2)}))
        with canned(options.canned, 200) as port:
            print("after 200 ms", json.dumps(
                load(options.bench_load, port, options.calls, options.in_flight)))


if __name__ == "__main__":
    main()
