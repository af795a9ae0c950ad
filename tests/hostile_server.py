#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Thousands of hostile connections to `rederive serve`, for a time; what a client that means well sees meanwhile.

    hostile_server.py [--connections N] [--seconds N] [--health-ms N] [--mebibytes N]

RDV_PROGRAM is the program; `make hostile-server` runs this for ten minutes, `make check` for some seconds. The connections, which are opened again whenever the server closes one, are of five kinds: silent
ones, ones that send a byte of their headers now and then, the same of a body, ones that ask a thousand times and read nothing,
and ones that were used once. Besides, requests are aborted, data and end together. Another process asks for /health every
tenth of a second and for a completion every second, each over a new connection. At the end all leave.

Fails if a request of that client fails, if 99 of 100 answers of /health did not come within --health-ms, if the server's
memory grew by more than --mebibytes, or if its open files are not as many afterwards as before."""
import argparse
import collections
import json
import multiprocessing
import os
import pathlib
import random
import resource
import selectors
import socket
import statistics
import sys
import tempfile
import time

sys.path[:0] = [str(pathlib.Path(__file__).parent / "integration")]
os.environ.setdefault("RDV_SOURCE", str(pathlib.Path(__file__).parent.parent))
import http_corpus as corpus  # noqa: E402
from support import SANITIZED  # noqa: E402
from tiny import Serve, write_model  # noqa: E402

EACH = 5  # seconds between two bytes of a slow client
FIRST = {"silent": b"", "used once": corpus.get(), "slow head": b"GET /", "unread": corpus.get(target=b"/v1/models") * 1000,
         "slow body": corpus.post(b"Content-Length: 100000", body=b"{")}
DEAF = 35  # seconds after which a client that reads nothing is replaced; the server closes it before
ABORTED = 20  # requests, each round
ROUND = 0.05  # seconds


class Crowd:
    """Connections of all kinds."""

    def __init__(self, address, n):
        self.address, self.n = address, n
        self.selector = selectors.DefaultSelector()
        self.clients = {}  # socket: its kind
        self.deaf = collections.deque()  # those that read nothing: when it began, and the socket
        self.opened = self.closed = self.aborted = 0
        self.random = random.Random(1)

    def open(self):
        kind = self.random.choice(list(FIRST))
        client = socket.socket()
        client.setblocking(False)
        if kind == "unread":
            client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect_ex(self.address)
        self.selector.register(client, selectors.EVENT_WRITE, kind)
        self.clients[client] = kind
        self.opened += 1

    def close(self, client):
        if client in self.selector.get_map():
            self.selector.unregister(client)
        del self.clients[client]
        client.close()
        self.closed += 1

    def abort(self):
        with socket.create_connection(self.address, timeout=30) as client:
            client.sendall(FIRST["slow body"])
        self.aborted += 1

    def send(self, client, data):
        try:
            client.send(data)
        except BlockingIOError:
            pass
        except OSError:
            self.close(client)

    def take(self, key, events):
        client = key.fileobj
        try:
            if events & selectors.EVENT_WRITE:  # connected, or not
                self.selector.modify(client, selectors.EVENT_READ, key.data)
                client.send(FIRST[key.data])
            elif key.data == "unread":
                self.selector.unregister(client)
                self.deaf.append((time.monotonic(), client))
            elif not client.recv(1 << 16):
                self.close(client)
        except BlockingIOError:
            pass
        except OSError:
            self.close(client)

    def run(self, seconds):
        end, turn = time.monotonic() + seconds, 0
        while time.monotonic() < end:
            began = time.monotonic()
            for _ in range(min(self.n - len(self.clients), 500)):
                self.open()
            for _ in range(ABORTED):
                self.abort()
            for key, events in self.selector.select(0):
                self.take(key, events)
            while self.deaf and began - self.deaf[0][0] > DEAF:
                self.close(self.deaf.popleft()[1])
            slow = [c for c, kind in self.clients.items() if kind.startswith("slow")]
            rounds = int(EACH / ROUND)
            for client in slow[turn % rounds::rounds]:
                self.send(client, b"a")
            turn += 1
            time.sleep(max(0, ROUND - (time.monotonic() - began)))

    def leave(self):
        for client in list(self.clients):
            self.close(client)


def ask(address, data):
    """Seconds until the response ended."""
    began = time.monotonic()
    with socket.create_connection(address, timeout=30) as client:
        client.sendall(data)
        received = client.makefile("rb").read()
    if not received.startswith(b"HTTP/1.1 200 OK"):
        raise AssertionError(received[:300])
    return time.monotonic() - began


def probe(address, wait, seconds, out):
    """A client that means well: its times, and what failed, to `out`."""
    time.sleep(wait)
    times, failures = {"health": [], "chat": []}, []
    end, turn = time.monotonic() + seconds, 0
    while time.monotonic() < end:
        for name, data, due in (("health", corpus.LAST, True),
                                ("chat", corpus.post(corpus.LENGTH, b"Connection: close"), turn % 10 == 0)):
            try:
                if due:
                    times[name].append(ask(address, data))
            except (OSError, AssertionError) as e:
                failures.append(f"{name} {turn}: {e!r}")
        turn += 1
        time.sleep(0.1)
    out.put((times, failures))


def memory_of(pid):
    """Resident bytes."""
    return int(pathlib.Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")


def files_of(pid):
    return len(os.listdir(f"/proc/{pid}/fd"))


def attack(server, options):
    """The figures."""
    address, pid = (server.host, server.port), server.process.pid
    ask(address, corpus.post(corpus.LENGTH, b"Connection: close"))
    before = {"files": files_of(pid), "mebibytes": memory_of(pid) >> 20}
    alone = [ask(address, corpus.LAST) for _ in range(100)]
    out = multiprocessing.Queue()
    seen, most_open = [], 0
    # It is started first: else it would hold the crowd's connections open too.
    prober = multiprocessing.Process(target=probe, args=(address, options.seconds / 10, options.seconds, out))
    prober.start()
    crowd = Crowd(address, options.connections)
    crowd.run(options.seconds / 10)
    for _ in range(10):
        crowd.run(options.seconds / 10)
        most_open = max(most_open, len(crowd.clients))
        seen.append({"files": files_of(pid), "mebibytes": memory_of(pid) >> 20})
    times, failures = out.get(timeout=60)
    prober.join()
    closed = crowd.closed
    crowd.leave()
    end = time.monotonic() + 30
    while files_of(pid) > before["files"] and time.monotonic() < end:
        time.sleep(0.1)
    after = {"files": files_of(pid), "mebibytes": memory_of(pid) >> 20}
    return {"connections": options.connections, "seconds": options.seconds, "opened": crowd.opened,
            "closed": closed, "aborted": crowd.aborted,
            "open_most": most_open, "health_ms_alone": {"median": round(statistics.median(alone) * 1000, 1),
                                                        "of_100_99": round(sorted(alone)[98] * 1000, 1)},
            "before": before, "most": {name: max(s[name] for s in seen) for name in before}, "after": after,
            "requests": {name: len(t) for name, t in times.items()},
            "ms": {name: {"median": round(statistics.median(t) * 1000, 1),
                          "of_100_99": round(sorted(t)[int(len(t) * 0.99)] * 1000, 1), "most": round(max(t) * 1000, 1)}
                   for name, t in times.items() if t}, "failures": failures}


def faults(figures, options):
    grown = figures["most"]["mebibytes"] - figures["before"]["mebibytes"]
    if figures["failures"]:
        yield f"{len(figures['failures'])} requests failed, the first: {figures['failures'][0]}"
    if figures["ms"]["health"]["of_100_99"] > options.health_ms:
        yield f"/health took {figures['ms']['health']['of_100_99']} ms, more than {options.health_ms}"
    if grown > options.mebibytes:
        yield f"the memory grew by {grown} MiB, more than {options.mebibytes}"
    if figures["after"]["files"] > figures["before"]["files"]:
        yield f"{figures['after']['files']} files are open, {figures['before']['files']} were"


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--connections", type=int, default=10000)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--health-ms", type=float, default=50)
    parser.add_argument("--mebibytes", type=int, default=512)
    options = parser.parse_args()
    if SANITIZED:  # its memory is not the server's own, and it is several times slower
        options.connections //= 5
        options.mebibytes *= 8
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
    options.connections = min(options.connections, hard - 200)
    with tempfile.TemporaryDirectory() as folder:
        with Serve(write_model(folder + "/tiny.gguf")) as server:
            figures = attack(server, options)
    print(json.dumps(figures, indent=1))
    wrong = list(faults(figures, options))
    for fault in wrong:
        print("hostile_server:", fault, file=sys.stderr)
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
