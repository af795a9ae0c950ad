#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The time of a call of `rederive mcp`, and of its start, on the twenty texts of tests/integration/mcp_server.py.

    bench/mcp.py PROGRAM [ROUNDS]
"""
import ast
import json
import pathlib
import statistics
import subprocess
import sys
import time

TEST = pathlib.Path(__file__).resolve().parent.parent / "tests/integration/mcp_server.py"


def texts():
    for node in ast.parse(TEST.read_text(encoding="utf-8")).body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "TEXTS":
            return [text for text, _ in ast.literal_eval(node.value)]
    raise SystemExit("there are no TEXTS")


def main(program, rounds="50"):
    took = {"ping": [], "check": [], "grade": [], "calculate": []}
    begun = time.perf_counter()
    with subprocess.Popen([program, "mcp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as server:
        def ask(method, **params):
            begun = time.perf_counter()
            server.stdin.write(json.dumps({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).encode() + b"\n")
            server.stdin.flush()
            server.stdout.readline()
            return 1000 * (time.perf_counter() - begun)

        ask("ping")
        print(f"start to the first answer: {1000 * (time.perf_counter() - begun):.0f} ms")
        for _ in range(int(rounds)):
            took["ping"].append(ask("ping"))
            for text in texts():
                for tool, arguments in (("check", {"text": text}), ("grade", {"gold": "42", "reply": text}),
                                        ("calculate", {"expression": text})):
                    took[tool].append(ask("tools/call", name=tool, arguments=arguments))
        server.stdin.close()
    for tool, times in took.items():
        times.sort()
        print(f"{tool}: median {statistics.median(times):.3f} ms, 99 % {times[len(times) * 99 // 100]:.3f} ms, n {len(times)}")


if __name__ == "__main__":
    main(*sys.argv[1:])
