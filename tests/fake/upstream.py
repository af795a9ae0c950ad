# SPDX-License-Identifier: Apache-2.0
"""A scripted server of models, in this process, for tests of a server in front of it: it gives the bytes that a test
says, in pieces, and keeps the requests that came.

    with Upstream() as upstream:
        upstream.answer(Reply.json({...}))     for every request from now on
        upstream.requests[-1].body             what came
"""
import dataclasses
import json
import socket
import socketserver
import threading
import time


@dataclasses.dataclass
class Request:
    path: str
    headers: list  # (name in small letters, value)
    raw: bytes
    left: float = 0  # when its client had left, by the monotonic clock; 0: it had not

    @property
    def body(self):
        return json.loads(self.raw)

    def header(self, name):
        values = [value for key, value in self.headers if key == name]
        return values[0] if len(values) == 1 else values or None


@dataclasses.dataclass
class Reply:
    """pieces: bytes, seconds to wait, or an event to wait for; then the connection stays open, unless `ends` is "close" or "reset"."""
    pieces: list
    ends: str = "open"

    @staticmethod
    def head(status, headers):
        lines = [f"HTTP/1.1 {status} Scripted", *(f"{name}: {value}" for name, value in headers.items())]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()

    @classmethod
    def json(cls, body, status=200, headers=None, kind="application/json"):
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return cls([cls.head(status, {"Content-Type": kind, "Content-Length": len(data), **(headers or {})}) + data])

    @classmethod
    def stream(cls, pieces, headers=None, ends="whole"):
        """pieces: texts or bytes, each a chunk, or what is waited for. ends: "whole", with the last chunk, or as above."""
        out = [cls.head(200, {"Content-Type": "text/event-stream", "Transfer-Encoding": "chunked", **(headers or {})})]
        for piece in pieces:
            if isinstance(piece, str):
                piece = piece.encode()
            out.append(piece if isinstance(piece, (float, threading.Event)) else b"%x\r\n%s\r\n" % (len(piece), piece))
        if ends == "whole":
            out.append(b"0\r\n\r\n")
        return cls(out, "open" if ends == "whole" else ends)


class Handler(socketserver.StreamRequestHandler):
    def read_request(self):
        line = self.rfile.readline()
        if not line:
            return None
        headers = []
        while (header := self.rfile.readline().strip()):
            name, _, value = header.decode().partition(":")
            headers.append((name.lower(), value.strip()))
        request = Request(line.split()[1].decode(), headers, b"")
        request.raw = self.rfile.read(int(request.header("content-length") or 0))
        return request

    def has_left(self):
        self.connection.setblocking(False)
        try:
            return self.connection.recv(1, socket.MSG_PEEK) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True
        finally:
            self.connection.setblocking(True)

    def wait(self, seconds, request):
        end = time.monotonic() + seconds
        while time.monotonic() < end and not request.left:
            time.sleep(min(0.01, seconds))
            if self.has_left():
                request.left = time.monotonic()

    def send(self, reply, request):
        for piece in reply.pieces:
            if isinstance(piece, threading.Event):
                piece.wait()
            elif isinstance(piece, float):
                self.wait(piece, request)
            else:
                self.wfile.write(piece)
                self.wfile.flush()
            if request.left:
                return False
        if reply.ends == "reset":
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        return reply.ends == "open"

    def handle(self):
        request = None
        try:
            while (request := self.read_request()):
                self.server.requests.append(request)
                if not self.send(self.server.reply_to(request), request):
                    return
        except OSError:
            if request:
                request.left = time.monotonic()


class Upstream(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True
    request_queue_size = 128

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.requests = []
        self.reply_to = lambda request: Reply.json({"error": {"message": "nothing is scripted"}}, 500)
        self.url = f"http://127.0.0.1:{self.server_address[1]}/v1"

    def answer(self, reply):
        """A Reply, or a function of the request that gives one."""
        self.reply_to = reply if callable(reply) else lambda request: reply

    def __enter__(self):
        self.thread = threading.Thread(target=self.serve_forever, args=(0.02,), daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.shutdown()
        self.server_close()
