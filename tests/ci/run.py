#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Judges what `check --list=sarif` writes, and the workflow of examples/ci, with the programs of others: Microsoft's
SARIF Multitool, with the rules of the schema and of GitHub, and actionlint. Ends with "N passed, N failed[, N skipped]".

    tests/ci/run.py RESULTS [NAME...]

RESULTS gets a line of JSON for each test. RDV_SOURCE and RDV_PROGRAM are set; RDV_NODE_CI is a folder with node_modules of
package-lock.json.
"""
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

SOURCE = Path(os.environ["RDV_SOURCE"])
NODE = Path(os.environ["RDV_NODE_CI"])
MULTITOOL = NODE / "node_modules/@microsoft/sarif-multitool-linux/Sarif.Multitool"
sys.path[:0] = [str(SOURCE / "tests/integration")]

from results import run_suite, sum_up
from support import Case, rederive


class Sarif(Case):
    def errors(self, log):
        """What the validator calls an error."""
        MULTITOOL.chmod(0o755)
        name, said = self.write("a.sarif", log), self.path("said.sarif")
        subprocess.run([MULTITOOL, "validate", name, "--rule-kind", "Sarif;Ghas", "--output", said, "--log", "ForceOverwrite"],
                       env={**os.environ, "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT": "1"}, check=False, capture_output=True, timeout=120)
        [run] = json.loads(Path(said).read_text(encoding="utf-8-sig"))["runs"]
        return [r for r in run.get("results", []) if r.get("level") == "error"]

    def log_of(self, *names):
        return rederive("check", "--list=sarif", "--list-unread", "--fail-on-unknown", "-q", *names, cwd=SOURCE).out

    def test_the_notes(self):
        log = self.log_of("examples/notes")
        self.assertEqual(len(json.loads(log)["runs"][0]["results"]), 2)
        self.assertEqual(self.errors(log), [])

    def test_files_of_every_tool(self):
        log = self.log_of("tests/golden/tool-files", "tests/golden/formats", "examples")
        self.assertGreater(len(json.loads(log)["runs"][0]["results"]), 30)
        self.assertEqual(self.errors(log), [])

    def test_a_wrong_log_is_told(self):
        log = json.loads(self.log_of("examples/notes"))
        log["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"]["startLine"] = 0
        self.assertNotEqual(self.errors(json.dumps(log)), [])


class Workflow(Case):
    def lint(self, text):
        shutil.copy(Path(__file__).parent / "lint.mjs", NODE)
        ended = subprocess.run(["node", "lint.mjs", self.write("workflow.yml", text)], cwd=NODE, text=True, capture_output=True, timeout=120)
        self.assertEqual(ended.returncode, 0, ended.stderr)
        return json.loads(ended.stdout)

    def test_the_example(self):
        text = (SOURCE / "examples/ci/workflow.yml").read_text()
        self.assertEqual(self.lint(text), [])
        self.assertNotEqual(self.lint(text.replace("runs-on", "run-on")), [])


def main(results, *names):
    with open(results, "w", encoding="utf-8") as file:
        return sum_up(run_suite([sys.modules[__name__]], names, file))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
