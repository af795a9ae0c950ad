# SPDX-License-Identifier: Apache-2.0
"""A reproduction that is killed in each of its stages, or whose server goes away, and goes on."""
import hashlib
import os
import subprocess
import time
import unittest

from reproduce import LONG, QUESTIONS, VARIANTS, figures
from scripted import SOLVE, Server
from support import PROGRAM, Case, lines, rederive


class Faults(Case):
    def begin(self, command):
        return subprocess.Popen([PROGRAM, *command], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                cwd=self.folder)

    def results(self, out):
        """The hash of each file, as if the folder had another name."""
        found = figures(self.path(out))
        self.assertFalse([name for name in found if name.endswith(".incomplete")])
        return {name: hashlib.sha256(text.replace(out.encode(), b"out")).hexdigest() for name, text in found.items()
                if not name.endswith((".html", ".partial"))}  # pages state the time


class Killed(Faults):
    def traces(self):
        for task in ("word_sorting", "dyck_languages"):
            self.write(task + ".jsonl", rederive("tasks", "-q", "-t", task, "-n", "30", "--mistakes", "0.85").out)
        return [word for task in ("word_sorting", "dyck_languages") for word in ("--data", task + ".jsonl")]

    def test_in_every_stage(self):
        """Of table 7 and 8: samples, classifiers with what they print, prompted and computed checks, and the tables."""
        with Server(rules=[{"contains": "", "reply": "No"}]) as server:
            command = ["reproduce", "mistakes:table7", "mistakes:table8", *self.traces(), "-M", server.url, "-j", "2", "--out"]
            whole = rederive(*command, "folder-1", cwd=self.folder, seconds=LONG)
            self.assert_ended(whole, 0)
            asked = len(server.requests())
            stages = [line for line in whole.err.splitlines() if line.startswith("stage ")]
            self.assertEqual(len(stages), 15)  # in both profiles
            server.forget()
            for i, stage in enumerate(stages):
                for delay in (0, 0.01 * (i + 1)):
                    with self.begin([*command, "folder-2"]) as process:
                        for line in process.stderr:
                            if line.startswith(stage):
                                break
                        time.sleep(delay)
                        process.kill()
            self.assert_ended(rederive(*command, "folder-2", cwd=self.folder, seconds=LONG), 0)
            self.assertEqual(self.results("folder-2"), self.results("folder-1"))
            # Two calls may have been in flight at each kill of one of the two stages that ask.
            self.assertLessEqual(len(server.requests()), asked + 2 * 2 * 2)


class Deleted(Faults):
    def test_what_rests_on_a_file_that_is_made_again(self):
        command = ["reproduce", "mistakes:table2", "--limit", "4", "--out", "folder-1", "-q"]
        self.assert_ended(rederive(*command, cwd=self.folder), 0)
        whole = self.results("folder-1")
        self.write("folder-1/table.json", "{}")  # of another work/traces
        os.remove(self.path("folder-1/work/traces-4-word_sorting.jsonl"))
        self.assert_ended(rederive(*command, cwd=self.folder), 0)
        self.assertEqual(self.results("folder-1"), whole)


class ServerGone(Faults):
    """Calls that failed are asked again, those that were answered are not, and the results are those of a run in which nothing failed."""

    def setUp(self):
        super().setUp()
        self.write("test.jsonl", lines(*QUESTIONS))

    def command(self, server, out):
        return ["reproduce", "selfcheck:table2", "--data", "test.jsonl", "--limit", "3", "--chains", "2", "--no-fit",
                "--retries", "0", "-j", "2", "-M", server.url, "--out", out]

    def test_in_mid_run(self):
        """In the first stage that asks, where the next finds no server either, and twice in the second."""
        rules, asked = [*SOLVE, *VARIANTS], 0
        with Server(rules=rules) as server:
            self.assert_ended(rederive(*self.command(server, "folder-1"), cwd=self.folder, seconds=LONG), 0)
            calls = len(server.requests())
        for after, status in ((3, 3), (20, 1), (60, 1), (None, 0)):
            dies = {"dies_at": after} if after else {}
            with Server(rules=rules, listen_at=server.port, **dies) as again:
                self.assert_ended(rederive(*self.command(server, "folder-2"), cwd=self.folder, seconds=LONG), status)
                asked += len(again.requests())
        self.assertEqual(self.results("folder-2"), self.results("folder-1"))
        self.assertLessEqual(asked, calls + 3 * 2)  # two may have been in flight each time


if __name__ == "__main__":
    unittest.main()
