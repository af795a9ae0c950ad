# SPDX-License-Identifier: Apache-2.0
"""What is for coding agents: the hook, the skill and the settings of examples/agents."""
import json
import os
import re
import subprocess
import unittest

from support import PROGRAM, SECONDS, Case

FOLDER = os.path.join(os.environ["RDV_SOURCE"], "examples", "agents")
HOOK = os.path.join(FOLDER, "check_written.py")


def example(name):
    with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
        return file.read()


class Hook(Case):
    def run_hook(self, call, program=PROGRAM):
        return subprocess.run([HOOK], input=json.dumps(call), capture_output=True, text=True, timeout=SECONDS,
                              env={**os.environ, "REDERIVE": program}, check=False)

    def written(self, name, text):
        return {"tool_name": "Write", "tool_input": {"file_path": self.write(name, text), "content": text}}

    def test_what_is_wrong_is_shown_to_the_model(self):
        ended = self.run_hook(self.written("report.md", "Fine.\n\nIn all 12 * 48 = 586.\n"))
        self.assertEqual((ended.returncode, ended.stdout), (2, ""))
        self.assertRegex(ended.stderr, r"report\.md:3:.*: 12 \* 48 = 586, should be 576 \[calculations\]\n$")

    def test_silence_where_nothing_is_proven_wrong(self):
        for name, text in (("right.md", "12 * 48 = 576."), ("plain.tex", "Nothing."), ("code.py", "12 * 48 = 586")):  # no text
            ended = self.run_hook(self.written(name, text))
            self.assertEqual((ended.returncode, ended.stdout, ended.stderr), (0, "", ""), name)

    def test_what_is_undecided_is_told_to_the_user(self):
        ended = self.run_hook(self.written("undecided.txt", "8 / 1/4 = 2."))
        self.assertEqual((ended.returncode, ended.stdout), (0, ""))
        self.assertIn("1 unknown step", ended.stderr)

    def test_calls_that_wrote_nothing(self):
        for call in ({}, {"tool_input": {"command": "ls"}}, {"tool_input": {"file_path": "/nowhere/a.md"}},
                     {"tool_input": {"file_path": 7}}):
            self.assertEqual(self.run_hook(call).returncode, 0)

    def test_without_the_program_the_user_is_told(self):
        ended = self.run_hook(self.written("report.md", "12 * 48 = 586"), "/nowhere/rederive")
        self.assertEqual(ended.returncode, 1)
        self.assertIn("/nowhere/rederive", ended.stderr)


class Files(Case):
    def test_the_skill_says_when_it_is_for(self):
        found = re.match(r"---\nname: ([a-z-]+)\ndescription: (.+)\n---\n", example("skills/rederive/SKILL.md"))
        self.assertTrue(os.path.isdir(os.path.join(FOLDER, "skills", found.group(1))))
        self.assertLessEqual(len(found.group(2)), 1024)

    def test_the_client_starts_the_server(self):
        server = json.loads(example("mcp.json"))["mcpServers"]["rederive"]
        self.assertEqual(server["command"], "rederive")
        ended = subprocess.run([PROGRAM, *server["args"]], input=b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
                               capture_output=True, timeout=SECONDS, check=True)
        self.assertEqual(json.loads(ended.stdout)["result"], {})

    def test_the_settings_name_the_hook(self):
        [after] = json.loads(example("settings.json"))["hooks"]["PostToolUse"]
        self.assertTrue(after["hooks"][0]["command"].endswith("/check_written.py"))
        self.assertIn("Write", after["matcher"].split("|"))


if __name__ == "__main__":
    unittest.main()
