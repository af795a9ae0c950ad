#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""HTTP to `rederive serve`: requests that are right, nearly right and broken, from several clients at a time.

    http_requests.py [--seconds N] [--from SEED] [--seed SEED]

RDV_PROGRAM is the program: of a build with sanitizers, of memory or of threads, RDV_SANITIZE says so. A seed makes up to eight
clients. Each sends requests whose headers have any order and case and whose bodies are of the right and of wrong shapes, with a
length or in chunks with extensions, one behind the other, in pieces split at any byte; in some, one request is such that a
proxy could read it otherwise (tests/integration/http_corpus.py), or any bytes are changed; some clients leave before the end,
with and without a reset, or close one side. Then this holds:

- right requests are all answered, in order, with 200, and wrong bodies with an error in OpenAI's form;
- behind a request that could be read otherwise nothing is answered, and the connection is closed;
- whatever comes back is well-formed: whole responses of documented statuses, JSON, streams that end;
- /health answers over a new connection within the time, after each seed; the open files do not grow;
- upon SIGTERM the server ends with 0 while clients are connected, and no sanitizer complains."""
import json
import os
import re
import socket
import sys
import tempfile
import threading
import time

from seeds import Broken, read_options, require, run_seeds

import http_corpus as corpus  # noqa: E402  (of tests/integration, which seeds has put on the path)
from records import break_bytes, break_tree  # noqa: E402
from support import SANITIZED  # noqa: E402
from tiny import Serve, write_model  # noqa: E402

SECONDS = 60 if SANITIZED else 20
HEALTH_SECONDS = 10 if SANITIZED else 5  # on a machine that does other things at the same time
SEEDS_OF_A_SERVER = 50
STATUSES = {100, 200, 400, 401, 403, 404, 405, 408, 413, 414, 415, 417, 429, 431, 501, 503, 505}
FAULTS = STATUSES - {100, 200}
CHAT, TEXT = "/v1/chat/completions", "/v1/completions"
BODIES = ((CHAT, {"messages": [{"role": "user", "content": "a"}], "max_tokens": 2, "seed": 1}),
          (CHAT, {"messages": [{"role": "system", "content": "the"}, {"role": "user", "content": [{"type": "text", "text": "apples"}]}],
                  "max_tokens": 3, "logprobs": True, "top_logprobs": 2, "n": 2}),
          (CHAT, {"messages": [{"role": "user", "content": "Tom"}], "max_tokens": 3, "stream": True, "stream_options": {"include_usage": True}}),
          (TEXT, {"prompt": ["the", "Tom"], "max_tokens": 2, "temperature": 0, "stop": ["x"]}),
          (TEXT, {"prompt": "the", "max_tokens": 0, "echo": True, "logprobs": 1}))
EXTRA = (b"Accept: */*", b"User-Agent: fuzz/1", b"X-A: ", b"X-B: \xe9", b"Cookie: a=b; c=d", b"Accept-Encoding: gzip", b"Referer: http://localhost/")

counts = {"requests": 0, "clients": 0, "slowest": 0.0}


# ---- requests ------------------------------------------------------------------------------------


def any_case(rng, name):
    return bytes(b ^ 32 if chr(b).isalpha() and rng.random() < 0.2 else b for b in name)


def in_chunks(rng, body):
    out, at = b"", 0
    while at < len(body):
        n = rng.randrange(1, len(body) - at + 1)
        extension = rng.choice((b"", b"", b";a=b", b";a", b';a="b c"'))
        out += (b"%x" if rng.random() < 0.5 else b"%X") % n + extension + b"\r\n" + body[at:at + n] + b"\r\n"
        at += n
    return out + b"0" * rng.randrange(1, 4) + b"\r\n\r\n"


def write_request(rng, method, target, body=None, last=False):
    headers = [b"Host: localhost", *rng.sample(EXTRA, rng.randrange(3))]
    data = b""
    if body is not None:
        headers.append(b"Content-Type: application/json")
        if rng.random() < 0.5:
            headers.append(b"Transfer-Encoding: chunked")
            data = in_chunks(rng, body)
        else:
            headers.append(b"Content-Length: %d" % len(body))
            data = body
    if last:
        headers.append(b"Connection: close")
    rng.shuffle(headers)
    lines = b""
    for header in headers:
        name, _, value = header.partition(b": ")
        lines += any_case(rng, name) + b":" + rng.choice((b" ", b"", b"  ", b" \t")) * (value != b"") + value + b"\r\n"
    return method + b" " + target.encode() + b" HTTP/1.1\r\n" + lines + b"\r\n" + data


def make_request(rng, last=False):
    """A request and the statuses that it may have."""
    kind = rng.randrange(10)
    if kind < 3:
        return write_request(rng, b"GET", rng.choice(("/health", "/v1/models", "/v1/models/rederive", "/health?a=b", "/%68ealth", "http://localhost/health")), last=last), {200}
    if kind == 3:
        method, target, status = rng.choice(((b"GET", "/nothing", 404), (b"DELETE", "/health", 405), (b"GET", CHAT, 405),
                                             (b"GET", "/v1/models/gpt", 404), (b"OPTIONS", "/v1/models", 405), (b"OPTIONS", "*", 405), (b"GET", "http://evil.example/health", 403)))
        return write_request(rng, method, target, last=last), {status}
    target, body = rng.choice(BODIES)
    if kind < 7:
        return write_request(rng, b"POST", target, json.dumps(body).encode(), last=last), {200}
    body = break_tree(rng, body) if rng.random() < 0.7 else break_bytes(rng, json.dumps(body).encode())
    return write_request(rng, b"POST", target, body, last=last), {200, 400, 404, 429}


# ---- responses -----------------------------------------------------------------------------------


def take_chunks(data):
    """The body that the chunks hold, and what is behind it; the body is None if the data end before."""
    body = b""
    while True:
        size, mark, rest = data.partition(b"\r\n")
        if not mark:
            return None, b""
        require(re.fullmatch(rb"[0-9a-f]+", size), "a chunk's size:", size)
        n = int(size, 16)
        if len(rest) < n + 2:
            return None, b""
        require(rest[n:n + 2] == b"\r\n", "a chunk has no end:", rest[:100])
        if n == 0:
            return body, rest[2:]
        body += rest[:n]
        data = rest[n + 2:]


def judge_body(status, head, body):
    if b"text/event-stream" in head:
        events = body.decode().split("\n\n")
        require(events[-1] == "" and all(e.startswith("data: ") for e in events[:-1]), "a stream:", body[-300:])
        require(events[-2] == "data: [DONE]" or '"error"' in events[-2], "a stream has no end:", body[-300:])
    elif body:
        value = json.loads(body)
        require(status == 200 or set(value["error"]) == {"message", "type", "param", "code"}, "no error in OpenAI's form:", body[:300])


def read_responses(data, whole):
    """The statuses of the responses; whole: the last one must not be cut off."""
    statuses = []
    while data:
        match = re.match(rb"HTTP/1\.1 (\d{3}) [A-Za-z ]+\r\n((?:[A-Za-z-]+: [^\r\n]*\r\n)*)\r\n", data)
        if not match:
            require(not whole and b"\r\n\r\n" not in data, "no response:", data[:300])
            return statuses
        status, head, rest = int(match[1]), match[2], data[match.end():]
        require(status in STATUSES, "status", status, data[:300])
        length = re.search(rb"^Content-Length: (\d+)\r$", head, re.M)
        if status == 100:
            body = b""
        elif length:
            n = int(length[1])
            body, rest = (rest[:n], rest[n:]) if len(rest) >= n else (None, b"")
        else:
            require(b"Transfer-Encoding: chunked" in head, "neither a length nor chunks:", head)
            body, rest = take_chunks(rest)
        if body is None:
            require(not whole, "the last response is cut off:", data[-300:])
            return statuses
        judge_body(status, head, body)
        statuses.append(status)
        require(b"Connection: close" not in head or not rest, "something behind the last response:", rest[:300])
        data = rest
    return statuses


# ---- clients -------------------------------------------------------------------------------------


def send_in_pieces(rng, client, data):
    at = 0
    many = rng.choice((1, 1, 2, 5, 20))
    while at < len(data):
        n = len(data) if many == 1 else rng.randrange(1, 2 * len(data) // many + 2)
        client.sendall(data[at:at + n])
        at += n
        if rng.random() < 0.1:
            time.sleep(rng.random() * 0.01)


def read_to_end(client):
    """What the server sends until it closes, and whether it did."""
    received = b""
    try:
        while piece := client.recv(1 << 16):
            received += piece
        return received, True
    except TimeoutError:
        return received, False
    except ConnectionError as e:
        raise Broken(f"reset behind {received[-200:]!r}") from e


def talk(rng, address, data, seconds=SECONDS):
    """Send all, and read until the server closes."""
    with socket.create_connection(address, timeout=seconds) as client:
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        try:
            send_in_pieces(rng, client, data)
        except ConnectionError:  # refused and closed, while more was to come
            pass
        client.settimeout(seconds)
        return read_to_end(client)


def make_requests(rng, last):
    requests = [make_request(rng, last and i == 0) for i in range(rng.randrange(1, 6), -1, -1)]
    counts["requests"] += len(requests)
    return b"".join(data for data, _ in requests), [allowed for _, allowed in requests]


def require_answered(statuses, allowed, what):
    require(len(statuses) == len(allowed) and all(s in a for s, a in zip(statuses, allowed)), what, statuses, "of", allowed)


def right_client(rng, address):
    data, allowed = make_requests(rng, True)
    received, closed = talk(rng, address, data)
    require(closed, "the connection stays open behind Connection: close:", data[-300:])
    require_answered(read_responses(received, True), allowed, "a right client gets")


def smuggling_client(rng, address):
    first, allowed = make_requests(rng, False)
    name = rng.choice(sorted(corpus.SMUGGLING))
    data, refusal = corpus.SMUGGLING[name]
    received, closed = talk(rng, address, first + data + corpus.SMUGGLED)
    require(closed, "the connection stays open:", name)
    require_answered(read_responses(received, True), allowed + [set(refusal)], f"behind {name}:")


def broken_client(rng, address):
    data = make_requests(rng, True)[0]
    received, closed = talk(rng, address, break_bytes(rng, data), seconds=0.3)
    read_responses(received, closed)


def leaving_client(rng, address):
    """It goes away in the middle."""
    data = make_requests(rng, False)[0]
    with socket.create_connection(address, timeout=SECONDS) as client:
        if rng.random() < 0.4:
            client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        try:
            send_in_pieces(rng, client, data[:rng.randrange(len(data) + 1)])
            if rng.random() < 0.3:
                client.shutdown(socket.SHUT_WR)
                read_responses(read_to_end(client)[0], False)
            elif rng.random() < 0.5:
                client.settimeout(0.3)
                client.recv(rng.choice((1, 100, 10000)))
        except (ConnectionError, TimeoutError):
            pass
        except Broken as e:
            if "reset" not in str(e):
                raise


CLIENTS = (right_client, right_client, right_client, smuggling_client, broken_client, broken_client, leaving_client)


# ---- the server ----------------------------------------------------------------------------------


class Site:
    """The server, which is ended and started again now and then, clients or not."""

    def __init__(self, folder):
        self.model = write_model(os.path.join(folder, "tiny.gguf"), context=384)
        self.server, self.seeds = None, 0

    def start(self):
        self.server = Serve(self.model).__enter__()
        self.seeds = 0
        self.check_health()
        self.files = self.open_files()

    def open_files(self):
        return len(os.listdir(f"/proc/{self.server.process.pid}/fd"))

    def check_health(self):
        began = time.monotonic()
        try:
            with socket.create_connection((self.server.host, self.server.port), timeout=HEALTH_SECONDS) as client:
                client.sendall(corpus.LAST)
                received = client.makefile("rb").read()
        except OSError as e:
            raise Broken(f"/health: {e!r}; the server's status is {self.server.process.poll()}") from e
        require(read_responses(received, True) == [200], "/health:", received)
        counts["slowest"] = max(counts["slowest"], time.monotonic() - began)

    def check_files(self):
        end = time.monotonic() + SECONDS
        while (n := self.open_files()) > self.files and time.monotonic() < end:
            time.sleep(0.05)
        require(n <= self.files, f"{n} files are open, {self.files} were")

    def end(self):
        """With clients that are connected, and a reply that is being written."""
        if not self.server:
            return
        address = self.server.host, self.server.port
        kept = [socket.create_connection(address, timeout=SECONDS) for _ in range(3)]
        kept[0].sendall(corpus.post(corpus.LENGTH))
        kept[1].sendall(b"GET /hea")
        server, self.server = self.server, None
        status, err = server.stop()
        for client in kept:
            client.close()
        require(status == 0 and "Sanitizer" not in err and "runtime error" not in err, f"the server ended with {status}:", err[-3000:])

    def run(self, seed, rng):
        if self.seeds >= SEEDS_OF_A_SERVER:
            self.end()
        if not self.server:
            self.start()
        self.seeds += 1
        faults = []

        def client(act, own):
            try:
                act(own, (self.server.host, self.server.port))
            except Exception as e:  # a thread says so to the one that started it
                faults.append(f"{act.__name__}: {e!r}")

        clients = [threading.Thread(target=client, args=(rng.choice(CLIENTS), type(rng)(rng.random()))) for _ in range(rng.randrange(1, 9))]
        counts["clients"] += len(clients)
        for thread in clients:
            thread.start()
        for thread in clients:
            thread.join()
        try:
            if self.server.process.poll() is not None:
                raise Broken(f"the server ended with {self.server.process.returncode}: {self.server.process.communicate()[1][-3000:]}")
            require(not faults, "; ".join(faults))
            self.check_health()
            if self.seeds % 10 == 0:
                self.check_files()
        except Broken:
            if self.server.process.poll() is None:
                self.server.process.kill()
            self.server = None  # the next seed has a new one
            raise


def main():
    with tempfile.TemporaryDirectory(prefix="rederive-fuzz-") as folder:
        site = Site(folder)
        failed = run_seeds(read_options(__doc__.partition("\n")[0]), site.run,
                           lambda: f"{counts['requests']} requests, {counts['clients']} clients, the slowest /health {counts['slowest'] * 1000:.0f} ms")
        try:
            site.end()
        except Broken as e:
            print(f"at the end: {e}", file=sys.stderr)
            failed += 1
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
