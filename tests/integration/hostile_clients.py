# SPDX-License-Identifier: Apache-2.0
"""`rederive serve` and clients that mean ill: requests that are no HTTP or that a proxy could read otherwise, clients that
leave, that are slow, that are many, and pages that were led here by name."""
import json
import os
import re
import resource
import signal
import socket
import time
import unittest

import http_corpus as corpus
from support import SANITIZED, Case, rederive
from tiny import SECONDS, Serve, write_model

FEW_MS = 2000 if SANITIZED else 1000  # /health, on a machine that tests other things at the same time


def statuses(data):
    """Of the responses in what a server sent."""
    found = []
    while data:
        match = re.match(rb"HTTP/1\.1 (\d{3}) [A-Za-z ]+\r\n(.*?)\r\n\r\n", data, re.S)
        if not match:
            raise AssertionError(f"no response: {data[:200]}")
        found.append(int(match[1]))
        data = data[match.end():]
        length = re.search(rb"^Content-Length: (\d+)\r?$", match[2], re.M)
        if not data.startswith(b"HTTP/1.1"):  # else that was the answer to HEAD
            data = data[int(length[1]):]
    return found


class WithServer(Case):
    options = ()

    def setUp(self):
        super().setUp()
        self.server = self.enterContext(Serve(write_model(self.path("tiny.gguf"), context=384), *self.options))

    def connect(self, data=b""):
        client = socket.create_connection((self.server.host, self.server.port), timeout=SECONDS)
        client.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.addCleanup(client.close)
        if data:
            client.sendall(data)
        return client

    def answers(self, data, piece=None):
        """The statuses that come back until the server closes."""
        client = self.connect()
        received = []
        try:
            for i in range(0, len(data), piece or len(data)):
                client.sendall(data[i:i + (piece or len(data))])
        except ConnectionError:  # refused, and closed while we still send
            pass
        try:
            while received[-1:] != [b""]:
                received.append(client.recv(1 << 16))
        except ConnectionError as e:
            raise AssertionError(f"reset before the response was read: {received}") from e
        client.close()
        return statuses(b"".join(received))

    def health_ms(self):
        """The quickest of three: places that are held make all of them slow, other tests on this machine one."""
        times = []
        for _ in range(3):
            began = time.monotonic()
            self.assertEqual(self.server.ask("GET", "/health"), (200, {"status": "ok"}))
            times.append((time.monotonic() - began) * 1000)
        return min(times)

    def open_files(self):
        return len(os.listdir(f"/proc/{self.server.process.pid}/fd"))

    def wait_for_files(self, most, seconds=SECONDS):
        end = time.monotonic() + seconds
        while (n := self.open_files()) > most and time.monotonic() < end:
            time.sleep(0.05)
        self.assertLessEqual(n, most)


class Corpus(WithServer):
    options = ("--log",)

    def check(self, cases, after=b"", piece=None):
        for name, (data, wanted) in cases.items():
            with self.subTest(name=name):
                self.assertEqual(self.answers(data + after, piece), wanted)

    def logged(self):
        """The statuses in the log, and that nothing smuggled is there."""
        status, err = self.server.stop()
        self.assertEqual(status, 0)
        self.assertNotIn("smuggled", err)
        return [int(line) for line in re.findall(r"^rederive: \S+Z \S+ .*?: (\d{3}), ", err, re.M)]

    def test_good_requests_are_answered_once_each(self):
        self.check(corpus.GOOD)
        wanted = [s for _, all in corpus.GOOD.values() for s in all if s != 100]
        self.assertEqual(sorted(self.logged()), sorted(wanted))

    def test_what_could_be_two_requests_is_refused(self):
        self.check(corpus.SMUGGLING, corpus.SMUGGLED)
        wanted = [s for _, all in corpus.SMUGGLING.values() for s in all]
        self.assertEqual(sorted(self.logged()), sorted(wanted))

    def test_the_same_byte_by_byte(self):
        self.check({name: case for name, case in corpus.GOOD.items() if len(case[0]) < 2000}, piece=1)
        self.check(corpus.SMUGGLING, corpus.SMUGGLED, piece=1)

    def test_what_is_too_long(self):
        self.check(corpus.TOO_LONG)

    def test_a_body_that_is_held_back_is_asked_for(self):
        client = self.connect(corpus.post(corpus.LENGTH, b"Expect: 100-continue", body=b""))
        self.assertEqual(client.recv(1 << 16), b"HTTP/1.1 100 Continue\r\n\r\n")
        client.sendall(corpus.BODY + corpus.LAST)
        self.assertEqual(statuses(client.makefile("rb").read()), [200, 200])

    def test_a_refusal_reaches_a_client_that_still_sends(self):
        for _ in range(5):
            client = self.connect()
            client.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 4096)
            client.sendall(corpus.TOO_LONG["a body of more than 1 MiB"][0])
            self.assertEqual(statuses(client.makefile("rb").read()), [413])

    def test_errors_are_json(self):
        client = self.connect(corpus.SMUGGLING["two lengths"][0])
        data = client.makefile("rb").read()
        error = json.loads(data.partition(b"\r\n\r\n")[2])["error"]
        self.assertEqual((error["type"], error["param"]), ("invalid_request_error", None))
        self.assertIn("Content-Length", error["message"])


class Hosts(WithServer):
    def ask(self, host):
        return self.answers(corpus.get(b"Host: " + host, b"Connection: close", host=b""))

    def test_without_a_key(self):
        for status, hosts in corpus.HOSTS.items():
            for host in hosts:
                with self.subTest(host=host):
                    self.assertEqual(self.ask(host), [status])


class AllowedHosts(Hosts):
    options = ("--allow-host", "gpu7.example", "--allow-host", "evil.example")

    def test_without_a_key(self):
        for host, status in ((b"gpu7.example", 200), (b"GPU7.example:8080", 200), (b"evil.example", 200),
                             (b"example", 403), (b"x.gpu7.example", 403), (b"localhost", 200)):
            with self.subTest(host=host):
                self.assertEqual(self.ask(host), [status])


class AnyAddress(Hosts):
    options = ("--listen", "0.0.0.0:0")

    def test_without_a_key(self):
        for host, status in ((b"10.0.0.1", 200), (b"[2001:db8::1]:80", 200), (b"evil.example", 403)):
            with self.subTest(host=host):
                self.assertEqual(self.ask(host), [status])


class Options(Case):
    def test_hosts_that_have_no_effect(self):
        model = "builtin:" + write_model(self.path("tiny.gguf"))
        for words, env in ((["--allow-host", "a:80"], {}), (["--allow-host", ""], {}), (["--allow-host", "http://a"], {}),
                           (["--allow-host", "a", "--api-key-env", "K"], {"K": "k"})):
            ended = rederive("serve", "-M", model, "-l", "127.0.0.1:0", *words, env=env)
            self.assert_ended(ended, 2)
            self.assertIn("--allow-host", ended.err)


class WithKey(WithServer):
    def setUp(self):
        Case.setUp(self)
        self.server = self.enterContext(Serve(write_model(self.path("tiny.gguf")), "--api-key-env", "K", env={"K": "k"}))

    def test_the_key_is_enough(self):
        ask = corpus.get(b"Host: evil.example", b"Authorization: Bearer k", b"Connection: close", host=b"", target=b"/v1/models")
        self.assertEqual(self.answers(ask), [200])
        self.assertEqual(self.answers(ask.replace(b"Bearer k", b"Bearer x")), [401])


class Many(WithServer):
    """Clients that hold on to connections. The limit on open files is as the system has it."""

    def setUp(self):
        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))
        self.addCleanup(resource.setrlimit, resource.RLIMIT_NOFILE, (soft, hard))
        super().setUp()
        self.files = self.open_files()

    HALF = corpus.post(b"Content-Length: 1000", body=b"{")

    def test_requests_that_are_aborted(self):
        """Data and end arrive together."""
        for _ in range(1500):
            with socket.create_connection((self.server.host, self.server.port), timeout=SECONDS) as client:
                client.sendall(self.HALF)
        self.assertLess(self.health_ms(), FEW_MS)
        self.wait_for_files(self.files)

    def test_requests_that_are_reset(self):
        for _ in range(500):
            with socket.create_connection((self.server.host, self.server.port), timeout=SECONDS) as client:
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                client.sendall(corpus.post(b"Content-Length: " + corpus.SIZE))
        self.assertLess(self.health_ms(), FEW_MS)
        self.wait_for_files(self.files)

    def test_more_bodies_than_are_received_at_a_time(self):
        """The oldest one ends with 408; a new request is served."""
        clients = [self.connect(self.HALF) for _ in range(400)]
        self.assertEqual(self.server.chat(max_tokens=1)[0], 200)
        self.assertEqual(statuses(clients[0].makefile("rb").read()), [408])
        self.assertLess(self.health_ms(), FEW_MS)
        for client in clients:
            client.close()
        self.wait_for_files(self.files)

    def test_idle_connections(self):
        n = min(2000, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - 100)
        clients = [self.connect() for _ in range(n)]
        self.assertLess(self.health_ms(), FEW_MS)
        self.assertEqual(self.server.chat(max_tokens=1)[0], 200)
        for client in clients:
            client.close()
        self.wait_for_files(self.files)

    def test_slow_clients_lose_their_place(self):
        """A byte a second, no byte, and a connection that was used once: they end after 10, 10 and 15 seconds."""
        began = time.monotonic()
        slow = self.connect(b"GET /")
        silent, used = self.connect(), self.connect(corpus.get())
        ended = {}
        used.recv(1 << 16)
        for client in (slow, silent, used):
            client.setblocking(False)
        while len(ended) < 3 and time.monotonic() - began < 2 * SECONDS:
            time.sleep(0.5)
            for name, client in (("slow", slow), ("silent", silent), ("used", used)):
                try:
                    data = client.recv(1 << 16)
                except BlockingIOError:
                    continue
                except ConnectionError:
                    data = b""
                ended.setdefault(name, (time.monotonic() - began, data))
            try:
                slow.send(b"T")
            except OSError:
                pass
        self.assertEqual(set(ended), {"slow", "silent", "used"})
        self.assertEqual(statuses(ended["slow"][1]), [408])
        self.assertEqual((ended["silent"][1], ended["used"][1]), (b"", b""))
        for name, least in (("slow", 9), ("silent", 9), ("used", 14)):
            self.assertGreater(ended[name][0], least, name)
            self.assertLess(ended[name][0], least + SECONDS / 2, name)

    def test_responses_that_nobody_reads(self):
        """The system holds little of them, so that thousands of such clients do not take its memory for connections."""
        client = socket.socket()
        self.addCleanup(client.close)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.connect((self.server.host, self.server.port))
        client.setblocking(False)
        client.send(corpus.get(target=b"/v1/models") * 1000)
        held, before, end = 0, -1, time.monotonic() + SECONDS
        while (held == 0 or held != before) and time.monotonic() < end:
            before = held
            time.sleep(0.5)
            held = self.held_for(client)
        self.assertGreater(held, 0)
        self.assertLess(held, 100_000)

    def held_for(self, client):
        """Bytes of responses to this client that the system holds."""
        ends = f":{self.server.port:04X}", f":{client.getsockname()[1]:04X}"
        with open("/proc/net/tcp", encoding="ascii") as file:
            rows = [row.split() for row in file]
        return sum(int(row[4].partition(":")[0], 16) for row in rows if (row[1][-5:], row[2][-5:]) == ends)

    def test_requests_ahead(self):
        """Thousands in one connection, whose responses are read late: all come, in order."""
        client = self.connect()
        n = 5000
        asked = corpus.get(target=b"/health") * (n - 1) + corpus.LAST
        client.setblocking(False)
        sent, received, end = 0, b"", time.monotonic() + 2 * SECONDS
        while time.monotonic() < end:
            try:
                sent += client.send(asked[sent:sent + 65536]) if sent < len(asked) else 0
            except BlockingIOError:
                pass
            try:
                piece = client.recv(4096)
                received += piece
                if not piece:
                    break
            except BlockingIOError:
                time.sleep(0.001)
        self.assertEqual(received.count(b"HTTP/1.1 200 OK"), n)


class FewFiles(WithServer):
    """A limit of 192 open files leaves 128 connections: the oldest one that is idle makes room for the next."""

    def setUp(self):
        Case.setUp(self)
        server = Serve(write_model(self.path("tiny.gguf")))
        server.command = ["prlimit", "--nofile=192:192", *server.command]
        self.server = self.enterContext(server)

    def test_new_requests_are_served(self):
        clients = [self.connect() for _ in range(400)]
        for _ in range(20):
            self.assertLess(self.health_ms(), FEW_MS)
        self.assertEqual(clients[0].recv(1), b"")  # the oldest was closed
        clients[-1].sendall(corpus.LAST)
        self.assertEqual(statuses(clients[-1].makefile("rb").read()), [200])
        self.assertLess(self.open_files(), 192)


class HangUp(WithServer):
    options = ("--log",)

    def setUp(self):
        signal.signal(signal.SIGHUP, signal.SIG_DFL)  # below `nohup` the server would ignore it too
        super().setUp()

    def test_it_drains_as_with_sigterm(self):
        connection = self.server.connect()
        body = {"messages": [{"role": "user", "content": "Tom"}], "n": 64, "stream": True}
        connection.request("POST", corpus.CHAT, json.dumps(body), {"Content-Type": "application/json"})
        response = connection.getresponse()
        self.assertTrue(response.readline().startswith(b"data: "))
        self.server.process.send_signal(signal.SIGHUP)
        rest = response.read()
        self.assertTrue(rest.rstrip().endswith(b"[DONE]") or b'"error"' in rest, rest[-300:])
        connection.close()
        self.assertEqual(self.server.process.wait(SECONDS), 0)

    def test_it_is_ignored_under_nohup(self):
        server = Serve(write_model(self.path("other.gguf")))
        server.command = ["nohup", *server.command]
        with server:
            server.process.send_signal(signal.SIGHUP)
            time.sleep(0.5)
            self.assertEqual(server.ask("GET", "/health")[0], 200)


if __name__ == "__main__":
    unittest.main()
