# SPDX-License-Identifier: Apache-2.0
"""A server over TLS: it is asked only where the user's file of certificates, or the system's, vouches for it."""
import http.server
import json
import shutil
import ssl
import subprocess
import threading
import unittest

from support import Case, chain, lines, rederive

CHAIN = lines(chain())
REPLY = json.dumps({"choices": [{"message": {"content": "Step 1 is wrong.\n\nNo mistake: the solution is correct."}, "finish_reason": "stop"}]})


class Answers(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.server.asked += 1
        self.send_response(200)
        self.send_header("Content-Length", str(len(REPLY)))
        self.end_headers()
        self.wfile.write(REPLY.encode())

    def log_message(self, *_):
        pass


@unittest.skipUnless(shutil.which("openssl"), "openssl is not installed")
class Tls(Case):
    def setUp(self):
        super().setUp()
        key, self.certificate = self.path("key.pem"), self.path("certificate.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", self.certificate, "-days", "2",
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, key)
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        self.server.asked = 0
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.server.server_close)
        self.addCleanup(self.server.shutdown)

    def check(self, **environment):
        url = f"https://localhost:{self.server.server_port}/v1#m"
        return rederive("check", "-q", "-m", "global", "--retries", "0", "-M", url, stdin=CHAIN, env=environment)

    def test_the_file_that_the_user_names(self):
        ended = self.check(SSL_CERT_FILE=self.certificate)
        self.assertEqual(ended.err, "")
        self.assertNotEqual(ended.status, 3)
        self.assertGreater(self.server.asked, 0)

    def test_a_server_that_speaks_none_is_named(self):
        plain = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Answers)
        threading.Thread(target=plain.serve_forever, daemon=True).start()
        self.addCleanup(plain.server_close)
        self.addCleanup(plain.shutdown)
        ended = rederive("models", "-M", f"https://127.0.0.1:{plain.server_port}/v1#m", seconds=120)
        self.assertEqual(ended.status, 3)
        self.assertIn("; if the server speaks no TLS, its address begins with http://", ended.err)

    def test_nobody_else_vouches_for_it(self):
        for environment in ({}, {"SSL_CERT_FILE": ""}, {"SSL_CERT_FILE": self.path("not-there.pem")}):
            ended = self.check(**environment)
            self.assertEqual((ended.status, self.server.asked), (3, 0), ended.err)
            self.assertRegex(ended.err, "certificate|CA cert")
            self.assertEqual([one["verdict"] for one in ended.records[0]["verdicts"]], ["unknown"])


if __name__ == "__main__":
    unittest.main()
