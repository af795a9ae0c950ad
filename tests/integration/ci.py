# SPDX-License-Identifier: Apache-2.0
"""The examples for CI: the script of the action, the problem matcher and the hook of pre-commit, on examples/notes."""
import json
import os
import re
import shlex
import subprocess
import unittest

from support import PROGRAM, SECONDS, Case, rederive

SOURCE = os.environ["RDV_SOURCE"]
EXAMPLES = os.path.join(SOURCE, "examples/ci")
NOTES = "examples/notes"


def read(name):
    with open(os.path.join(EXAMPLES, name), encoding="utf-8") as file:
        return file.read()


class Script(Case):
    def check(self, *args, **environment):
        return subprocess.run([os.path.join(EXAMPLES, "check.sh"), *args], cwd=SOURCE, text=True, capture_output=True, timeout=SECONDS,
                              env={**os.environ, "REDERIVE": PROGRAM, **environment}, check=False)

    def test_annotates_and_fails(self):
        log = self.path("a.sarif")
        ended = self.check(FILES=NOTES, SARIF=log)
        self.assertEqual(ended.returncode, 4, ended.stderr)
        self.assertEqual(ended.stdout.splitlines(), [
            "::error file=examples/notes/bakery.md,line=5,col=28,title=calculations::bakery/0 step 1: 17 \u00d7 24 = 398, should be 408",
            "::error file=examples/notes/tank.tex,line=6,col=20,title=calculations::"
            "tank/0 step 0: 150 - 18 = 142 litres, should be 132 litres"])
        uris = [r["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] for r in json.loads(self.read(log))["runs"][0]["results"]]
        self.assertEqual(uris, ["examples/notes/bakery.md", "examples/notes/tank.tex"])

    def test_passes_where_nothing_is_wrong(self):
        ended = self.check(NOTES + "/right.md")
        self.assertEqual((ended.returncode, ended.stdout), (0, ""), ended.stderr)

    def test_never_passes_what_cannot_be_read(self):
        for names in ("/nowhere.md", f"/nowhere.md {NOTES}/right.md"):
            self.assertNotEqual(self.check(FILES=names, SARIF=self.path("b.sarif")).returncode, 0, names)
            self.assertNotEqual(self.check(FILES=names).returncode, 0, names)


class Editors(Case):
    def test_the_problem_matcher_finds_each_line(self):
        [matcher] = json.loads(read("problem-matcher.json"))["problemMatcher"]
        [pattern] = matcher["pattern"]
        listed = rederive("check", "-q", "--list", NOTES, "tests/golden/tool-files", cwd=SOURCE).out.splitlines()
        self.assertGreater(len(listed), 30)
        for line in listed:
            match = re.match(pattern["regexp"], line)
            self.assertIsNotNone(match, line)
            self.assertTrue(os.path.isfile(os.path.join(SOURCE, match[pattern["file"]])), line)
            self.assertEqual((match[pattern["line"]].isdigit(), match[pattern["column"]].isdigit()), (True, True))
        self.assertEqual(re.match(pattern["regexp"], listed[0]).groups()[1:], ("5", "28", "bakery/0 step 1: 17 \u00d7 24 = 398, should be 408", "calculations"))

    def test_the_hook_stops_a_commit(self):
        text = read("pre-commit-config.yaml")
        [entry], [files] = re.findall(r"entry: rederive (.*)", text), re.findall(r"files: (.*)", text)
        names = [name for name in ("bakery.md", "right.md", "tank.tex") if re.search(files, name)]
        self.assertEqual(len(names), 3)
        for name, status in (("bakery.md", 4), ("right.md", 0)):
            self.assertEqual(rederive(*shlex.split(entry), os.path.join(SOURCE, NOTES, name)).status, status)


if __name__ == "__main__":
    unittest.main()
