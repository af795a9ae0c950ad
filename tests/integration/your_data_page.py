# SPDX-License-Identifier: Apache-2.0
"""The examples of docs/your-data.md: each command is run among the files of the tools, and prints what stands there."""
import os
import re
import shutil
import subprocess
import unittest

from support import PROGRAM, SECONDS, Case

SOURCE = os.environ["RDV_SOURCE"]
# Files that no tool has to write.
WRITTEN = {
    "answer.txt": "First, the rolls: 24 × 17 = 398.\n\nThe answer is 398.\n",
    "answers.md": "24 × 17 = 408\n---\n24 × 17 = 398\n---\n24 × 17 is 408.\n",
    "agent.jsonl": '{"task":{"prompt":"What is 24 times 17?","expected":408},'
                   '"runs":[{"log":["I guess.","24 * 17 = 398"]}],"model":"m1"}\n',
    "table.parquet": b"PAR1" + bytes(100),
    "unknown.csv": "q,a1,a2\nWhat?,this,that\nWho?,she,he\n",
}


def examples(page):
    """(command, what it prints) of each example in the page's console blocks."""
    with open(page, encoding="utf-8") as file:
        for block in re.findall(r"```console\n(.*?)```", file.read(), re.S):
            for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
                command, printed = part.split("\n", 1)
                yield command, printed


def same_time(text):
    return re.sub(r"\d+\.\d\d s$", "... s", text, flags=re.M)


class Page(Case):
    def setUp(self):
        super().setUp()
        shutil.copytree(os.path.join(SOURCE, "tests", "golden", "tool-files"), self.folder, dirs_exist_ok=True)
        for name, content in WRITTEN.items():
            self.write(name, content)
        os.mkdir(self.path("bin"))
        os.symlink(PROGRAM, self.path("bin/rederive"))

    def test_examples(self):
        environment = {**os.environ, "PATH": self.path("bin") + ":" + os.environ["PATH"]}
        found = list(examples(os.path.join(SOURCE, "docs", "your-data.md")))
        self.assertGreater(len(found), 5)
        for command, printed in found:
            with self.subTest(command):
                ended = subprocess.run(command, shell=True, cwd=self.folder, env=environment, capture_output=True,
                                       timeout=SECONDS, check=False)
                out = ended.stdout.decode() + ended.stderr.decode()
                self.assertEqual(same_time(out), same_time(printed))


if __name__ == "__main__":
    unittest.main()
