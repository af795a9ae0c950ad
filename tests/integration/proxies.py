# SPDX-License-Identifier: Apache-2.0
"""The examples of `rederive serve` behind a proxy and under systemd, with the programs that they are for: nginx, Caddy,
systemd-analyze. What is not installed here is skipped, and said."""
import json
import os
import pathlib
import re
import shutil
import socket
import ssl
import subprocess
import threading
import time
import unittest
import urllib.request

from support import Case
from tiny import SECONDS, Serve
from verifying import CHAT, QUESTION, RIGHT, Reply, Upstream, events, judgement_of, parsed

EXAMPLES = pathlib.Path(os.environ["RDV_SOURCE"]) / "examples" / "serve"


def needs(program):
    return unittest.skipUnless(shutil.which(program), f"{program} is not installed")


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


NAME = "models.example.org"


class Proxies(Case):
    def serve(self):
        self.upstream = self.enterContext(Upstream())
        return self.enterContext(Serve(None, "-M", f"big={self.upstream.url}#m", "--allow-host", NAME))

    def example(self, name, **changes):
        text = (EXAMPLES / name).read_text()
        for old, new in changes.items():
            self.assertIn(old, text)
            text = text.replace(old, new)
        return text

    def start(self, *command, env=None):
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=env)
        self.addCleanup(process.wait)
        self.addCleanup(process.terminate)

    def connected(self, port):
        until = time.monotonic() + SECONDS
        while True:
            try:
                return socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
            except OSError:
                self.assertLess(time.monotonic(), until)
                time.sleep(0.05)

    def secured(self, port, context):
        """Caddy makes its certificate when it listens already."""
        until = time.monotonic() + SECONDS
        while True:
            try:
                return context.wrap_socket(self.connected(port), server_hostname=NAME)
            except ssl.SSLError:
                self.assertLess(time.monotonic(), until)
                time.sleep(0.05)

    def stream_passes(self, port, context):
        """A stream over TLS: its first event is there before the server has the others."""
        stream = events(CHAT, RIGHT)
        arrived = threading.Event()
        self.upstream.answer(Reply.stream([*stream[:2], arrived, *stream[2:]]))
        body = json.dumps({"model": "rederive/check/big", "stream": True, **QUESTION[CHAT]}).encode()
        with self.secured(port, context) as client:
            client.settimeout(SECONDS)
            client.sendall(b"POST %s HTTP/1.0\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                           % (CHAT.encode(), NAME.encode(), len(body), body))
            data = b""
            while stream[0].encode() not in data:
                data += client.recv(65536)
            arrived.set()
            while (piece := client.recv(65536)):
                data += piece
        self.assertTrue(judgement_of(CHAT, parsed(data.partition(b"\r\n\r\n")[2]))["admitted"])

    @needs("nginx")
    @needs("openssl")
    def test_nginx_with_tls(self):
        """The example as it is, but for its port, names and files."""
        server = self.serve()
        port, key, certificate = free_port(), self.path("key.pem"), self.path("certificate.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
                        "-subj", f"/CN={NAME}", "-addext", f"subjectAltName=DNS:{NAME}"], check=True, capture_output=True)
        site = self.example("nginx.conf", **{"127.0.0.1:8080": f"{server.host}:{server.port}", "listen 443 ssl": f"listen 127.0.0.1:{port} ssl",
                                             "/etc/ssl/certs/models.example.org.pem": certificate, "/etc/ssl/private/models.example.org.key": key})
        paths = "".join(f"{kind}_temp_path {self.path(kind)};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        conf = self.write("nginx.conf", f"daemon off; error_log stderr; pid {self.path('pid')}; events {{}} http {{ access_log off; {paths} {site} }}")
        self.start("nginx", "-c", conf, "-p", self.folder)
        self.connected(port).close()
        context = ssl.create_default_context(cafile=certificate)
        self.stream_passes(port, context)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))
        with self.assertRaises(urllib.error.URLError):  # another name than the certificate's
            opener.open(f"https://127.0.0.1:{port}/health", timeout=SECONDS)

    @needs("caddy")
    def test_caddy_with_tls(self):
        """The example as it is, but for its port and who signs its certificate: Caddy itself."""
        env = {**os.environ, "XDG_DATA_HOME": self.folder, "XDG_CONFIG_HOME": self.folder}
        run = subprocess.run(["caddy", "validate", "--adapter", "caddyfile", "--config", EXAMPLES / "Caddyfile"], capture_output=True, text=True, env=env)
        self.assertEqual(run.returncode, 0, run.stderr)
        server, port = self.serve(), free_port()
        site = self.example("Caddyfile", **{"127.0.0.1:8080": f"{server.host}:{server.port}",
                                            "models.example.org {": f"https://{NAME}:{port} {{\n    tls internal"})
        conf = self.write("Caddyfile", "{\n    admin off\n    auto_https disable_redirects\n    skip_install_trust\n}\n" + site)
        self.start("caddy", "run", "--adapter", "caddyfile", "--config", conf, env=env)
        self.connected(port).close()
        root = pathlib.Path(self.folder) / "caddy/pki/authorities/local/root.crt"
        until = time.monotonic() + SECONDS
        while not root.exists() and time.monotonic() < until:
            time.sleep(0.05)
        self.stream_passes(port, ssl.create_default_context(cafile=root))

    @needs("systemd-analyze")
    def test_systemd(self):
        """It verifies, where the program is; and it is exposed little."""
        unit = (EXAMPLES / "rederive.service").read_text().replace("/usr/local/bin/rederive", os.environ["RDV_PROGRAM"])
        path = self.write("rederive.service", unit)
        run = subprocess.run(["systemd-analyze", "verify", "--man=no", path], capture_output=True, text=True)
        self.assertEqual((run.returncode, run.stderr), (0, ""))
        run = subprocess.run(["systemd-analyze", "security", "--offline=true", path], capture_output=True, text=True)
        exposure = float(re.search(r"exposure level for \S+: ([\d.]+)", run.stdout)[1])
        self.assertLessEqual(exposure, 2.0)


if __name__ == "__main__":
    unittest.main()
