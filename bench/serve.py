#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""`rederive serve` in front of a server, beside nginx in front of the same one: time to the end of a reply, processor time, and
the memory that a thousand slow streams take. Needs nginx and wrk.

    RDV_PROGRAM=build/cli/rederive bench/serve.py [SECONDS]

The server behind both is a third nginx, which answers each request with the same 8 KB of events. A request has 4 KB. The two
are asked in turns, so that what else the machine does hits both. The last part asks for a thousand replies at once, of
which each takes two seconds, and meanwhile for `/health`; a fourth nginx, which nobody else asks, is asked for a file of the
same length in turns with it: what that takes is the machine's. Then the same with 9,000 further connections open. With
`LITELLM=FILE`, the program `litellm` of LiteLLM's proxy, that stands in front of the same server too. Prints tables in Markdown.
"""
import json
import os
import pathlib
import re
import resource
import socket
import statistics
import subprocess
import sys
import tempfile
import time

PROGRAM = os.environ["RDV_PROGRAM"]
ROUNDS = 3
TICKS = os.sysconf("SC_CLK_TCK")
BODY = json.dumps({"model": "big", "stream": True, "messages": [{"role": "user", "content": "How many? " + "x" * 3900}]})
TEXT = " ".join(f"First, {i} + {i} = {2 * i}." for i in range(12))

UPSTREAM = """daemon off; master_process off; error_log stderr; pid {folder}/{name}.pid;
events {{ worker_connections 8192; }}
http {{ access_log off; client_body_temp_path {folder}/{name}-body; proxy_temp_path {folder}/{name}-proxy;
  fastcgi_temp_path {folder}/f; uwsgi_temp_path {folder}/u; scgi_temp_path {folder}/s; keepalive_requests 1000000;
  {upstream}
  server {{ listen 127.0.0.1:{port}; client_body_buffer_size 64k; {server} }} }}
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def nginx(folder, name, port, server, upstream=""):
    path = folder / f"{name}.conf"
    path.write_text(UPSTREAM.format(folder=folder, name=name, port=port, server=server, upstream=upstream))
    return subprocess.Popen(["nginx", "-c", str(path), "-p", str(folder)], stderr=subprocess.DEVNULL)


def wait_for(port):
    for _ in range(1500):
        try:
            socket.create_connection(("127.0.0.1", port), 1).close()
            return
        except OSError:
            time.sleep(0.04)
    raise SystemExit(f"nothing listens on {port}")


def events():
    """8 KB of chunks, as a model's server sends them."""
    chunk = lambda delta, end=None: "data: " + json.dumps({"id": "c1", "object": "chat.completion.chunk", "created": 5, "model": "m",  # noqa: E731
                                                           "choices": [{"index": 0, "delta": delta, "finish_reason": end}]}) + "\n\n"
    words = re.findall(r"\S+ ?", TEXT)
    return "".join(chunk({"content": w}) for w in words) + chunk({}, "stop") + "data: [DONE]\n\n"


def seconds_of(pid):
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / TICKS


def kib_of(pid):
    return int(re.search(r"VmRSS:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1])


def wrk(url, connections, seconds, script):
    """(p50, p99 in ms, requests, failures)"""
    out = subprocess.run(["wrk", "-t1", f"-c{connections}", f"-d{seconds}s", "-s", script, "--timeout", "30s", url],
                         capture_output=True, text=True, check=True).stdout
    found = json.loads(out[out.index("RESULT") + 6:].strip())
    return found["p50"] / 1000, found["p99"] / 1000, found["requests"], found["errors"]


def script_of(folder, model):
    path = folder / f"{model.replace('/', '-')}.lua"
    path.write_text(f"""wrk.method = "POST"
wrk.body = [==[{BODY.replace('"big"', json.dumps(model))}]==]
wrk.headers["Content-Type"] = "application/json"
function done(summary, latency, requests)
  local e = summary.errors
  print(string.format('RESULT {{"p50":%d,"p99":%d,"requests":%d,"errors":%d}}', latency:percentile(50), latency:percentile(99),
    summary.requests, e.connect + e.read + e.write + e.status + e.timeout))
end
""")
    return str(path)


def measure(ways, connections, seconds):
    """Each way in turns; the medians over the rounds."""
    found = {name: [] for name in ways}
    for _ in range(ROUNDS):
        for name, (url, script, pids) in ways.items():
            before = sum(map(seconds_of, pids))
            p50, p99, requests, errors = wrk(url, connections, seconds, script)
            found[name].append((p50, p99, (sum(map(seconds_of, pids)) - before) / max(requests, 1) * 1e6, requests / seconds, errors))
    return {name: [statistics.median(column) for column in zip(*rows)] for name, rows in found.items()}


def quantile(values, q):
    return sorted(values)[min(int(len(values) * q), len(values) - 1)]


def ask_ms(port, path):
    began = time.monotonic()
    with socket.create_connection(("127.0.0.1", port), 10) as s:
        s.sendall(f"GET {path} HTTP/1.0\r\n\r\n".encode())
        while s.recv(4096):
            pass
    return (time.monotonic() - began) * 1000


def crowd(url, script, pid, beside):
    """A thousand clients at once for eight seconds; `beside`: the paths, by port, that are asked meanwhile, in turns."""
    load = subprocess.Popen(["wrk", "-t1", "-c1000", "-d8s", "--timeout", "30s", "-s", script, url], stdout=subprocess.PIPE, text=True)
    most, files, times = 0, 0, {port: [] for port in beside}
    while load.poll() is None:
        for port, path in beside.items():
            times[port].append(ask_ms(port, path))
        most = max(most, kib_of(pid))
        files = max(files, len(os.listdir(f"/proc/{pid}/fd")))
        time.sleep(0.01)
    found = json.loads(load.stdout.read().rpartition("RESULT")[2])
    return {**found, "most": most, "files": files, "times": list(times.values())}


def first_byte(ports, script_bodies, n=40):
    """Milliseconds to the first byte of a reply and to its end, one request at a time, each way in turns."""
    sockets = {way: socket.create_connection(("127.0.0.1", port), 30) for way, port in ports.items()}
    times = {way: ([], []) for way in ports}
    for _ in range(n):
        for way, s in sockets.items():
            body = script_bodies[way]
            head = f"POST /v1/chat/completions HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
            began = time.monotonic()
            s.sendall(head.encode() + body)
            got = s.recv(65536)
            first = (time.monotonic() - began) * 1000
            while not whole_response(got):
                more = s.recv(65536)
                if not more:
                    raise SystemExit(f"{way}: a reply broke off: {got[:300]} ... {got[-100:]}")
                got += more
            times[way][0].append(first)
            times[way][1].append((time.monotonic() - began) * 1000)
    for s in sockets.values():
        s.close()
    return times


def whole_response(got):
    head, _, body = got.partition(b"\r\n\r\n")
    length = re.search(rb"(?im)^content-length: (\d+)", head)
    return len(body) >= int(length[1]) if length else got.endswith(b"0\r\n\r\n")


def open_many(port, n):
    """Connections that have had an answer, and stay open."""
    opened = []
    for _ in range(n):
        s = socket.create_connection(("127.0.0.1", port), 30)
        s.sendall(b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
        s.recv(4096)
        opened.append(s)
    return opened


def litellm(folder, program, port, fast):
    config = folder / "litellm.yaml"
    config.write_text(json.dumps({"model_list": [{"model_name": "big", "litellm_params": {
        "model": "openai/m", "api_base": f"http://127.0.0.1:{fast}/v1", "api_key": "none"}}],
        "litellm_settings": {"telemetry": False, "num_retries": 0}}))
    return subprocess.Popen([program, "--config", str(config), "--port", str(port), "--host", "127.0.0.1", "--num_workers", "1"],
                            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env={
        **os.environ, "LITELLM_LOG": "ERROR", "LITELLM_DANGEROUSLY_PERMIT_WEAK_OR_UNSET_MASTER_KEY": "true"})


def main(seconds=2):
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(limit, 65536), limit))
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "events").write_text(events())
        (folder / "health").write_text('{"status":"ok"}')
        fast, slow, proxy, idle, ours = (free_port() for _ in range(5))
        static = "location / {{ root {0}; default_type text/event-stream; error_page 405 =200 @events; try_files /none @events; {1} }} " \
                 "location @events {{ root {0}; default_type text/event-stream; {1} error_page 405 =200 /events; rewrite ^ /events break; }}"
        rate = f"limit_rate {len(events()) // 2};"
        lent = "upstream up { server 127.0.0.1:%d; keepalive 256; }" % fast
        through = 'location / { proxy_pass http://up; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_buffering off; }'
        running = [nginx(folder, "fast", fast, static.format(folder, "")), nginx(folder, "slow", slow, static.format(folder, rate)),
                   nginx(folder, "proxy", proxy, through, lent),
                   subprocess.Popen([PROGRAM, "serve", "-q", "-M", f"big=http://127.0.0.1:{fast}/v1#m", "-M",
                                     f"slow=http://127.0.0.1:{slow}/v1#m", "--port", str(ours)], stdout=subprocess.DEVNULL),
                   nginx(folder, "idle", idle, f"location / {{ root {folder}; }}")]
        other = os.environ.get("LITELLM") and free_port()
        if other:
            running.append(litellm(folder, os.environ["LITELLM"], other, fast))
        try:
            for port in (fast, slow, proxy, idle, ours, *([other] if other else [])):
                wait_for(port)
            path = "/v1/chat/completions"
            to_us, to_nginx = f"http://127.0.0.1:{ours}{path}", f"http://127.0.0.1:{proxy}{path}"
            ways = {"nginx, passing through": (to_nginx, script_of(folder, "big"), [running[2].pid]),
                    "rederive, passing through": (to_us, script_of(folder, "big"), [running[3].pid]),
                    "rederive, checked": (to_us, script_of(folder, "rederive/check/big"), [running[3].pid])}
            if other:
                ways["LiteLLM, passing through"] = (f"http://127.0.0.1:{other}{path}", script_of(folder, "big"), [running[-1].pid])
            print(f"Load of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors; a reply has {len(events())} bytes.\n")
            print("| connections | way | p50 ms | p99 ms | processor µs a request | requests/s | failed |")
            print("| --- | --- | --- | --- | --- | --- | --- |")
            for connections in (1, 16):
                for way, row in measure(ways, connections, seconds).items():
                    print(f"| {connections} | {way} | {row[0]:.2f} | {row[1]:.2f} | {row[2]:.0f} | {row[3]:.0f} | {row[4]:.0f} |")
            ports = {"nginx, passing through": proxy, "rederive, passing through": ours, "rederive, checked": ours}
            ports |= {"LiteLLM, passing through": other} if other else {}
            bodies = {way: BODY.replace('"big"', '"rederive/check/big"' if "checked" in way else '"big"').encode() for way in ports}
            print("\n| one at a time | first byte p50 ms | p99 | to the end p50 ms | p99 |\n| --- | --- | --- | --- | --- |")
            for way, columns in first_byte(ports, bodies).items():
                print(f"| {way} | " + " | ".join(f"{quantile(c, 0.5):.2f} | {quantile(c, 0.99):.2f}" for c in columns) + " |")
            print("\n| 1,000 at once | replies | failed | MiB above the empty server | open files | /health p50 ms | p99 | a file of nginx p50 ms | p99 |")
            print("| --- | --- | --- | --- | --- | --- | --- | --- | --- |")
            empty = kib_of(running[3].pid)
            for model, way, n in (("slow", "passing through", 0), ("rederive/check/slow", "checked", 0),
                                  ("slow", "passing through, beside 9,000 open connections", 9000)):
                opened = open_many(ours, n)
                found = crowd(to_us, script_of(folder, model), running[3].pid, {ours: "/health", idle: "/health"})
                times = " | ".join(f"{quantile(t, 0.5):.1f} | {quantile(t, 0.99):.1f}" for t in found["times"])
                print(f"| {way} | {found['requests']} | {found['errors']} | {(found['most'] - empty) / 1024:.0f} | {found['files']} | {times} |")
                for s in opened:
                    s.close()
            print(f"\nLoad of the machine at the end: {os.getloadavg()[0]:.1f}.")
        finally:
            for one in running:
                one.terminate()
            for one in running:
                one.wait()


if __name__ == "__main__":
    main(*(int(a) for a in sys.argv[1:]))
