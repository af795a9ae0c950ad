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


class Proxies(Case):
    @needs("nginx")
    @needs("openssl")
    def test_nginx_with_tls(self):
        """The example as it is, but for its port, names and files: a stream passes event by event, over TLS."""
        upstream = self.enterContext(Upstream())
        server = self.enterContext(Serve(None, "-M", f"big={upstream.url}#m", "--allow-host", "models.example.org"))
        port, key, certificate = free_port(), self.path("key.pem"), self.path("certificate.pem")
        subprocess.run(["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", certificate, "-days", "2",
                        "-subj", "/CN=models.example.org", "-addext", "subjectAltName=DNS:models.example.org"], check=True, capture_output=True)
        site = (EXAMPLES / "nginx.conf").read_text()
        for old, new in (("127.0.0.1:8080", f"{server.host}:{server.port}"), ("listen 443 ssl", f"listen 127.0.0.1:{port} ssl"),
                         ("/etc/ssl/certs/models.example.org.pem", certificate), ("/etc/ssl/private/models.example.org.key", key)):
            self.assertIn(old, site)
            site = site.replace(old, new)
        paths = "".join(f"{kind}_temp_path {self.path(kind)};" for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi"))
        conf = self.write("nginx.conf", f"daemon off; error_log stderr; pid {self.path('pid')}; events {{}} http {{ access_log off; {paths} {site} }}")
        nginx = subprocess.Popen(["nginx", "-c", conf, "-p", self.folder], stderr=subprocess.DEVNULL)
        self.addCleanup(nginx.wait)
        self.addCleanup(nginx.terminate)
        context = ssl.create_default_context(cafile=certificate)
        until = time.monotonic() + SECONDS
        while True:
            try:
                plain = socket.create_connection(("127.0.0.1", port), timeout=SECONDS)
                break
            except OSError:
                self.assertLess(time.monotonic(), until)
                time.sleep(0.05)
        stream = events(CHAT, RIGHT)
        arrived = threading.Event()  # the rest comes when the client has the first event
        upstream.answer(Reply.stream([*stream[:2], arrived, *stream[2:]]))
        body = json.dumps({"model": "rederive/check/big", "stream": True, **QUESTION[CHAT]}).encode()
        with context.wrap_socket(plain, server_hostname="models.example.org") as client:
            client.settimeout(SECONDS)
            client.sendall(b"POST %s HTTP/1.0\r\nHost: models.example.org\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s"
                           % (CHAT.encode(), len(body), body))
            data = b""
            while stream[0].encode() not in data:
                data += client.recv(65536)
            arrived.set()
            while (piece := client.recv(65536)):
                data += piece
        self.assertTrue(judgement_of(CHAT, parsed(data.partition(b"\r\n\r\n")[2]))["admitted"])
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), urllib.request.HTTPSHandler(context=context))
        with self.assertRaises(urllib.error.URLError):  # another name than the certificate's
            opener.open(f"https://127.0.0.1:{port}/health", timeout=SECONDS)

    @needs("caddy")
    def test_caddy(self):
        run = subprocess.run(["caddy", "validate", "--adapter", "caddyfile", "--config", EXAMPLES / "Caddyfile"], capture_output=True,
                             text=True, env={**os.environ, "XDG_DATA_HOME": self.folder, "XDG_CONFIG_HOME": self.folder})
        self.assertEqual(run.returncode, 0, run.stderr)

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
