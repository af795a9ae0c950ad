#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Calls `rederive mcp` with the SDKs that agents use, and ends with "N passed, N failed[, N skipped]".

    tests/agents/run.py RESULTS [NAME...]

RESULTS gets a line of JSON for each test. RDV_SOURCE and RDV_PROGRAM are set; RDV_NODE_CLIENTS is a folder with
node_modules of package-lock.json, or the reason why there is none, behind "!".
"""
import json
import os
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), os.path.join(os.environ["RDV_SOURCE"], "tests/integration")]

import python_client
import twenty
from tiny import Serve
from results import run_suite, sum_up


class Npm(unittest.TestCase):
    def test_both_packages(self):
        folder = os.environ["RDV_NODE_CLIENTS"]
        if folder.startswith("!"):
            self.skipTest(folder[1:])
        shutil.copy(HERE / "node_client.mjs", folder)
        with Serve(None) as server:
            url = server.url.removesuffix("/v1") + "/mcp"
            ended = subprocess.run(["node", "node_client.mjs", json.dumps(twenty.calls()), url], cwd=folder, text=True,
                                   capture_output=True, timeout=240)
        print(ended.stdout, end="")
        self.assertEqual(ended.returncode, 0, ended.stderr)
        self.assertEqual(ended.stdout.count("median"), 8)


def main(results, *names):
    with open(results, "w", encoding="utf-8") as file:
        return sum_up(run_suite([python_client, sys.modules[__name__]], names, file))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
