# SPDX-License-Identifier: Apache-2.0
"""A journal that is removed, replaced or cut off while a run writes to it ends the run with a fault,
and what was written to the output before is kept."""
import json
import os
import shutil
import subprocess
import time
import unittest

from scripted import SELFCHECK, Server
from support import PROGRAM, SECONDS, Case, chain, lines, rederive

N = 6
CHAINS = lines(*[chain(id=f"c{i}", question=f"What is 2 + 3, asked {i} times?",
                       steps=[f"{i} times 2 + 3 = 5", f"So the answer of {i} is 5."])
                 for i in range(N)])
CALLS = 9  # of a chain; at most, since some are asked by several


def remove(path):
    os.remove(path)


def replace(path):
    shutil.copyfile(path, path + ".copy")
    os.rename(path + ".copy", path)


def cut_off(path):
    os.truncate(path, 100)


class TakenAway(Case):
    def run_and(self, act, name):
        """Do that to the file when some records are done; how the run ended."""
        args = ["check", "-m", "selfcheck", "-j", "1", "-o", self.path("out.jsonl"),
                self.write("in.jsonl", CHAINS)]
        with Server(rules=SELFCHECK, delay=0.03) as server:
            with subprocess.Popen([PROGRAM, *args, "-M", server.url], stderr=subprocess.PIPE,
                                  text=True) as process:
                while len(server.asked()) < 3 * CALLS and process.poll() is None:
                    time.sleep(0.01)
                act(self.path(name))
                _, err = process.communicate(timeout=SECONDS)
            asked = len(server.asked())
        return process.returncode, err, asked

    def check(self, act, name, says):
        status, err, asked = self.run_and(act, name)
        self.assertEqual(status, 3, err)
        self.assertNotIn("Sanitizer", err)
        self.assertEqual(err.count(says), 1, err)
        self.assertIn("lost", err)
        self.assertLess(asked, N * CALLS - 2)  # it was noticed at once
        self.assertFalse(os.path.exists(self.path("out.jsonl")))
        records = [json.loads(line) for line in self.read("out.jsonl.partial").splitlines()]
        whole = [r["id"] for r in records if not r.get("partial")]
        self.assertGreaterEqual(len(whole), 1)
        self.assertEqual(whole, [f"c{i}" for i in range(len(whole))])

    def test_the_journal(self):
        for act, word in ((remove, "removed"), (replace, "replaced by another file"),
                          (cut_off, "cut off")):
            with self.subTest(word):
                self.check(act, "out.jsonl.journal", "out.jsonl.journal was " + word)
                self.start_again()

    def test_its_log(self):
        for act, word in ((remove, "removed"), (replace, "replaced by another file"),
                          (cut_off, "cut off")):
            with self.subTest(word):
                self.check(act, "out.jsonl.journal-wal", "the log of a journal, was " + word)
                self.start_again()

    def start_again(self):
        for name in os.listdir(self.folder):
            os.remove(self.path(name))

    def test_where_the_log_alone_is_removed_the_same_command_goes_on(self):
        self.run_and(remove, "out.jsonl.journal-wal")
        with Server(rules=SELFCHECK) as server:
            ended = rederive("check", "-m", "selfcheck", "-M", server.url, "-o",
                             self.path("out.jsonl"), self.path("in.jsonl"))
            self.assert_ended(ended, 0)
            self.assertLess(len(server.asked()), (N - 1) * CALLS)
        self.assertEqual(len(self.read("out.jsonl").splitlines()), N)

    def test_after_the_last_call(self):
        """All was answered from the journal, and nothing is written to it."""
        with Server(rules=SELFCHECK) as server:
            args = ["check", "-q", "-m", "selfcheck", "-M", server.url, "-o",
                    self.path("out.jsonl")]
            self.assert_ended(rederive(*args, stdin=CHAINS), 0)
            with subprocess.Popen([PROGRAM, *args], stdin=subprocess.PIPE, stderr=subprocess.PIPE,
                                  text=True) as process:
                process.stdin.write(CHAINS)
                process.stdin.flush()
                while not os.path.exists(self.path("out.jsonl.journal-wal")):
                    time.sleep(0.01)
                time.sleep(0.5)
                os.remove(self.path("out.jsonl.journal"))
                _, err = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, 3, err)
        self.assertIn("was removed while it was in use", err)


if __name__ == "__main__":
    unittest.main()
