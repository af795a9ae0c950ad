# SPDX-License-Identifier: Apache-2.0
"""Requests for a server, and the statuses of the responses that each has to have before the connection ends. Those that a
proxy in front could read as other requests than the server does end with one refusal: what follows is never answered.
Each holds SMUGGLED, a request that a lenient server answers."""
import json

CHAT = "/v1/chat/completions"
SMUGGLED = b"GET /smuggled HTTP/1.1\r\nHost: localhost\r\n\r\n"
LAST = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
BODY = json.dumps({"messages": [{"role": "user", "content": "a"}], "max_tokens": 1, "seed": 1}).encode()
SIZE = str(len(BODY)).encode()
CHUNKED = b"%x\r\n%s\r\n0\r\n\r\n" % (len(BODY), BODY)


def post(*headers, body=BODY, version=b"1.1", host=b"Host: localhost\r\n"):
    lines = b"".join(h + b"\r\n" for h in headers)
    return (b"POST " + CHAT.encode() + b" HTTP/" + version + b"\r\n" + host + b"Content-Type: application/json\r\n" +
            lines + b"\r\n" + body)


def get(*headers, target=b"/health", version=b"1.1", host=b"Host: localhost\r\n", method=b"GET"):
    lines = b"".join(h + b"\r\n" for h in headers)
    return method + b" " + target + b" HTTP/" + version + b"\r\n" + host + lines + b"\r\n"


def head(data):
    """A request for /health whose head is given after its first line."""
    return b"GET /health HTTP/1.1\r\nHost: localhost\r\n" + data


LENGTH = b"Content-Length: " + SIZE
TE = b"Transfer-Encoding: chunked"

# name: (bytes, the statuses)
GOOD = {
    "plain": (LAST, [200]),
    "two in one packet": (get() + LAST, [200, 200]),
    "four, with a body": (get() + post(LENGTH) + get(target=b"/v1/models") + LAST, [200, 200, 200, 200]),
    "chunked": (post(TE, body=CHUNKED) + LAST, [200, 200]),
    "chunked, in small pieces": (post(TE, body=b"".join(b"1\r\n%c\r\n" % c for c in BODY) + b"0\r\n\r\n") + LAST,
                                 [200, 200]),
    "a chunk's extension": (post(TE, body=CHUNKED.replace(b"\r\n", b";a=b\r\n", 1)) + LAST, [200, 200]),
    "names in any case": (post(b"cONTENT-lENGTH: " + SIZE) + LAST, [200, 200]),
    "spaces around a value": (post(b"Content-Length:  " + SIZE + b"  ") + LAST, [200, 200]),
    "an empty line before": (b"\r\n" + LAST, [200]),
    "a query": (get(target=b"/health?a=%20b") + LAST, [200, 200]),
    "an escaped path": (get(target=b"/%68ealth") + LAST, [200, 200]),
    "a whole address": (get(target=b"http://localhost:80/health?a") + LAST, [200, 200]),
    "a whole address in capitals": (get(target=b"HTTP://LOCALHOST/health") + LAST, [200, 200]),
    "a whole address, of which the host counts": (get(b"Host: evil.example", host=b"", target=b"http://[::1]/health") + LAST,
                                                  [200, 200]),
    "a whole address of another host": (get(target=b"http://evil.example/health") + LAST, [403, 200]),
    "a whole address of another host in HTTP/1.0": (get(target=b"http://evil.example/health", version=b"1.0", host=b""), [403]),
    "a whole address without a path": (get(target=b"http://localhost") + LAST, [404, 200]),
    "the whole server": (get(method=b"OPTIONS", target=b"*") + LAST, [405, 200]),
    "two slashes before a path": (get(target=b"//v1/models") + LAST, [404, 200]),
    "an escaped slash": (get(target=b"/v1%2Fmodels") + LAST, [404, 200]),
    "a path with dots": (get(target=b"/v1/../health") + LAST, [404, 200]),
    "a body that is not compressed": (post(LENGTH, b"Content-Encoding: identity") + LAST, [200, 200]),
    "an offer of a WebSocket, with a body": (post(b"Connection: Upgrade", b"Upgrade: websocket", LENGTH) + LAST, [200, 200]),
    "an offer of HTTP/2, with chunks": (post(b"Connection: Upgrade", b"Upgrade: h2c", TE, body=CHUNKED) + LAST, [200, 200]),
    "an offer of trailers": (get(b"TE: trailers", b"Connection: TE") + LAST, [200, 200]),
    "a quoted extension": (post(TE, body=CHUNKED.replace(b"\r\n", b';a="b;c"\r\n', 1)) + LAST, [200, 200]),
    "closed by the client, among other words": (get(b"Connection: keep-alive, Close") + SMUGGLED, [200]),
    "closed by the client, in a second line": (get(b"Connection: keep-alive", b"Connection: close") + SMUGGLED, [200]),
    "HEAD": (get(method=b"HEAD") + LAST, [200, 200]),
    "HTTP/1.0 without Host": (get(version=b"1.0", host=b""), [200]),
    "HTTP/1.0 closes": (get(b"Connection: keep-alive", version=b"1.0") + SMUGGLED, [200]),
    "an offer of HTTP/2": (get(b"Connection: Upgrade, HTTP2-Settings", b"Upgrade: h2c", b"HTTP2-Settings: AAMAAA") +
                           LAST, [200, 200]),
    "no such address, then another": (get(target=b"/nothing") + LAST, [404, 200]),
    "closed by the client": (get(b"Connection: close") + SMUGGLED, [200]),
    "latin-1 in a header": (head(b"A: \xe9\r\n\r\n") + LAST, [200, 200]),
    "30 KiB of headers": (head(b"".join(b"A%d: %s\r\n" % (i, b"x" * 90) for i in range(300)) + b"\r\n") + LAST,
                          [200, 200]),
}

SMUGGLING = {
    "length and chunked": (post(LENGTH, TE, body=CHUNKED), [400]),
    "chunked and length": (post(TE, LENGTH, body=CHUNKED), [400]),
    "length 0 and chunked": (post(b"Content-Length: 0", TE, body=CHUNKED), [400]),
    "two lengths": (post(LENGTH, b"Content-Length: 0"), [400]),
    "two equal lengths": (post(LENGTH, LENGTH), [400]),
    "a list of lengths": (post(LENGTH + b", " + SIZE), [400]),
    "a space before the colon": (post(b"Content-Length : " + SIZE), [400]),
    "a tab before the colon": (post(b"Content-Length\t: " + SIZE), [400]),
    "a folded line": (head(b"A: b\r\n c: d\r\n\r\n"), [400]),
    "a folded line with a tab": (head(b"A: b\r\n\tc: d\r\n\r\n"), [400]),
    "a folded length": (post(b"Content-Length:\r\n " + SIZE), [400]),
    "a first header with a space": (b"GET /health HTTP/1.1\r\n Host: localhost\r\n\r\n", [400]),
    "lines end with LF": (b"GET /health HTTP/1.1\nHost: localhost\n\n", [400]),
    "one line ends with LF": (head(b"A: b\nB: c\r\n\r\n"), [400]),
    "one line ends with CR": (head(b"A: b\rB: c\r\n\r\n"), [400]),
    "the head ends with LF": (head(b"A: b\r\n\n"), [400]),
    "the head ends with CR": (head(b"A: b\r\n\r"), [400]),
    "CR in a value": (head(b"A: b\rc\r\n\r\n"), [400]),
    "NUL in a value": (head(b"A: b\0c\r\n\r\n"), [400]),
    "NUL in a name": (head(b"A\0: b\r\n\r\n"), [400]),
    "a control character in a value": (head(b"A: \x0bb\r\n\r\n"), [400]),
    "a vertical tab before chunked": (post(b"Transfer-Encoding: \x0bchunked", body=CHUNKED), [400]),
    "a tab after a length": (post(b"Content-Length: " + SIZE + b"\t"), [400]),
    "a signed length": (post(b"Content-Length: +" + SIZE), [400]),
    "a negative length": (post(b"Content-Length: -1"), [400]),
    "a hexadecimal length": (post(b"Content-Length: 0x10"), [400]),
    "a length with a letter": (post(b"Content-Length: 5a"), [400]),
    "two numbers as a length": (post(b"Content-Length: 1 2"), [400]),
    "an empty length": (post(b"Content-Length: "), [400]),
    "a length beyond 64 bits": (post(b"Content-Length: 18446744073709551617"), [400]),
    "chunked twice": (post(TE, TE, body=CHUNKED), [400]),
    "chunked, chunked": (post(b"Transfer-Encoding: chunked, chunked", body=CHUNKED), [400]),
    "chunked not last": (post(b"Transfer-Encoding: chunked, identity", body=CHUNKED), [400]),
    "gzip, chunked": (post(b"Transfer-Encoding: gzip, chunked", body=CHUNKED), [501]),
    "identity": (post(b"Transfer-Encoding: identity", LENGTH), [400]),
    "xchunked": (post(b"Transfer-Encoding: xchunked", body=CHUNKED), [501]),
    "quoted chunked": (post(b'Transfer-Encoding: "chunked"', body=CHUNKED), [501]),
    "chunked in HTTP/1.0": (post(TE, body=CHUNKED, version=b"1.0"), [400]),
    "a chunk's size with 0x": (post(TE, body=b"0x" + CHUNKED), [400]),
    "a signed chunk size": (post(TE, body=b"+" + CHUNKED), [400]),
    "a chunk's size with a space": (post(TE, body=CHUNKED.replace(b"\r\n", b" \r\n", 1)), [400]),
    "a chunk's size beyond 64 bits": (post(TE, body=b"ffffffffffffffff" + CHUNKED), [400]),
    "no chunk size": (post(TE, body=b"\r\n" + CHUNKED), [400]),
    "a chunk's size ends with LF": (post(TE, body=CHUNKED.replace(b"\r\n", b"\n", 1)), [400]),
    "a chunk ends with LF": (post(TE, body=CHUNKED.replace(b"\r\n0", b"\n0", 1)), [400]),
    "a chunk is longer than its size": (post(TE, body=CHUNKED.replace(b"\r\n0", b"x\r\n0", 1)), [400]),
    "a chunk's extension ends with LF": (post(TE, body=CHUNKED.replace(b"\r\n", b";a=b\n", 1)), [400]),
    "LF in a chunk's extension": (post(TE, body=CHUNKED.replace(b"\r\n", b';a="\n"\r\n', 1)), [400]),
    "the body ends with LF": (post(TE, body=CHUNKED[:-2] + b"\n"), [400]),
    "the last chunk ends with LF": (post(TE, body=CHUNKED.replace(b"0\r\n\r\n", b"0\n\r\n")), [400]),
    "the body ends with CR": (post(TE, body=CHUNKED[:-1]), [400]),
    "headers after the body": (post(TE, body=CHUNKED[:-2] + b"A: b\r\n\r\n"), [400]),
    "a length after the body": (post(TE, body=CHUNKED[:-2] + b"Content-Length: 5\r\n\r\n"), [400]),
    "two hosts": (get(b"Host: other"), [400]),
    "no host": (get(host=b""), [400]),
    "two keys": (get(b"Authorization: a", b"Authorization: b"), [400]),
    "two types": (post(LENGTH, b"Content-Type: text/plain"), [400]),
    "a header without a colon": (head(b"A\r\n\r\n"), [400]),
    "a header without a name": (head(b": b\r\n\r\n"), [400]),
    "a separator in a name": (head(b"A(: b\r\n\r\n"), [400]),
    "a name with a letter beyond ASCII": (head(b"\xc3\xa4: b\r\n\r\n"), [400]),
    "two spaces before the path": (b"GET  /health HTTP/1.1\r\nHost: localhost\r\n\r\n", [400]),
    "a tab before the path": (b"GET\t/health HTTP/1.1\r\nHost: localhost\r\n\r\n", [400]),
    "a space after the version": (b"GET /health HTTP/1.1 \r\nHost: localhost\r\n\r\n", [505]),
    "a space in the path": (get(target=b"/health a"), [400]),
    "a whole address with a user": (get(target=b"http://me@localhost/health"), [400]),
    "a whole address with a user and a host in it": (get(target=b"http://localhost:80@evil.example/health"), [400]),
    "a whole address without a host": (get(target=b"http:///health"), [400]),
    "a whole address without a name": (get(target=b"http://:80/health"), [400]),
    "a whole address with two ports": (get(target=b"http://localhost:80:80/health"), [400]),
    "a whole address without Host": (get(host=b"", target=b"http://localhost/health"), [400]),
    "a whole address with a faulty Host": (get(host=b"Host: a b\r\n", target=b"http://localhost/health"), [400]),
    "an address of HTTPS": (get(target=b"https://localhost/health"), [400]),
    "an address of another scheme": (get(target=b"ftp://localhost/health"), [400]),
    "a proxy's address": (get(target=b"localhost:80"), [400]),
    "a star": (get(target=b"*"), [400]),
    "a star and more": (get(method=b"OPTIONS", target=b"*/health"), [400]),
    "a query alone": (get(target=b"?a"), [400]),
    "a fragment": (get(target=b"/health#a"), [400]),
    "a fragment behind a query": (get(target=b"/health?a#b"), [400]),
    "a backslash in the path": (get(target=b"/\\health"), [400]),
    "a quote in the path": (get(target=b'/"health'), [400]),
    "braces in the path": (get(target=b"/{health}"), [400]),
    "RTSP": (b"GET /health RTSP/1.0\r\nHost: localhost\r\n\r\n", [400]),
    "RTSP's method": (b"PLAY /health RTSP/1.0\r\nHost: localhost\r\n\r\n", [400]),
    "ICE": (b"SOURCE /health ICE/1.0\r\nHost: localhost\r\n\r\n", [400]),
    "a word before HTTP": (b"GET /health XHTTP/1.1\r\nHost: localhost\r\n\r\n", [400]),
    "two versions": (b"GET /health HTTP/1.1 RTSP/1.0\r\nHost: localhost\r\n\r\n", [505]),
    "a space in Host": (get(host=b"Host: local host\r\n"), [400]),
    "two hosts in one line": (get(host=b"Host: localhost, other\r\n"), [400]),
    "a path in Host": (get(host=b"Host: localhost/health\r\n"), [400]),
    "a letter beyond ASCII in Host": (get(host=b"Host: h\xc3\xa9\r\n"), [400]),
    "NUL in a chunk's extension": (post(TE, body=CHUNKED.replace(b"\r\n", b";a=\0\r\n", 1)), [400]),
    "CR in a chunk's extension": (post(TE, body=CHUNKED.replace(b"\r\n", b";a=\rb\r\n", 1)), [400]),
    "a compressed body": (post(LENGTH, b"Content-Encoding: gzip"), [415]),
    "a body that is compressed twice": (post(LENGTH, b"Content-Encoding: identity, br"), [415]),
    "a Content-Encoding for two": (post(LENGTH, b"Content-Encoding: identity", b"Content-Encoding: gzip"), [400]),
    "NUL, escaped, in the path": (get(target=b"/health%00"), [400]),
    "a line end, escaped, in the path": (get(target=b"/health%0d%0aA:b"), [400]),
    "half an escape": (get(target=b"/health%2"), [400]),
    "a letter beyond ASCII in the path": (get(target=b"/h\xc3\xa9"), [400]),
    "a proxy's method": (b"CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n", [405]),
    "a method in lower case": (get(method=b"get"), [400]),
    "no method": (b" /health HTTP/1.1\r\nHost: localhost\r\n\r\n", [400]),
    "HTTP/0.9": (b"GET /health\r\n\r\n", [505]),
    "HTTP/0.9 by name": (get(version=b"0.9"), [505]),
    "HTTP/1.2": (get(version=b"1.2"), [505]),
    "HTTP/2.0": (get(version=b"2.0"), [505]),
    "HTTP/9.9": (get(version=b"9.9"), [505]),
    "HTTP/1.10": (get(version=b"1.10"), [505]),
    "http/1.1": (b"GET /health http/1.1\r\nHost: localhost\r\n\r\n", [400]),
    "HTTP/2's preface": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [505]),
    "TLS": (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + bytes(100), [400]),
    "NULs": (b"\0" * 100, [400]),
    "a length with a body that nobody wants": (b"GET /nothing HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\n\r\nabcd",
                                               [404]),
    "an unknown expectation": (post(LENGTH, b"Expect: cookies"), [417]),
    "another type": (b"POST " + CHAT.encode() + b" HTTP/1.1\r\nHost: localhost\r\n" + LENGTH + b"\r\n\r\n" + BODY, [415]),
}

TOO_LONG = {
    "33 KiB in one header": (head(b"A: " + b"x" * 33 * 1024 + b"\r\n\r\n"), [431]),
    "33 KiB of headers": (head(b"A: b\r\n" * 6000 + b"\r\n"), [431]),
    "a key of 5 KiB": (get(b"Authorization: Bearer " + b"x" * 5000), [431]),
    "a path of 33 KiB": (get(target=b"/" + b"x" * 33 * 1024), [414]),
    "a whole address of 5 KiB": (get(target=b"http://" + b"x" * 5000), [414]),
    "a query of 5 KiB": (get(target=b"/health?" + b"x" * 5000), [414]),
    "a body of more than 1 MiB": (post(b"Content-Length: 1048577", body=b"x" * 1048577), [413]),
    "a body of a stated 1 TiB": (post(b"Content-Length: 1099511627776", body=b"x" * 1000), [413]),
    "a chunk of more than 1 MiB": (post(TE, body=b"100001\r\n" + b"x" * 1048577 + b"\r\n0\r\n\r\n"), [413]),
    "a body that is all extensions": (post(TE, body=(b"1;" + b"a" * 60000 + b"\r\nx\r\n") * 150), [413]),
}

# Hosts, with which a server that has no key answers, and those which it refuses.
HOSTS = {200: [b"localhost", b"LocalHost:80", b"127.0.0.1", b"127.0.0.1:99", b"127.9.9.9", b"[::1]", b"[::1]:80",
               b"a.localhost", b"localhost."],
         403: [b"evil.example", b"localhost.evil.example", b"xlocalhost", b"127.0.0.1.evil.example", b"10.0.0.1",
               b"[::2]", b"evil.example:80", b"", b":80", b"[localhost]", b"127.1", b"0", b"x" * 1000],
         400: [b"localhost:evil", b"localhost:80:80", b"[::1", b"localhost@evil.example", b"localhost/", b"local host"]}
