# SPDX-License-Identifier: Apache-2.0
"""A server that asks to be left alone for long is not waited for in silence."""
import signal
import subprocess
import time
import unittest

from scripted import SELFCHECK, Server
from support import PROGRAM, SECONDS, Case, chain, lines, rederive

CHAINS = lines(*[chain(id=str(i), question=f"What is 2 + 3, asked {i} times?") for i in range(8)])
SAYS = "asks to be left alone for 1 h 0 min (HTTP "


class Waits(Case):
    def run_for(self, seconds, status, after, *args):
        """Standard error of a run that is interrupted so long after it began to ask."""
        refuse = {"status": status, "headers": {"Retry-After": after}}
        with Server(rules=[refuse]) as server:
            command = [PROGRAM, "check", "-m", "selfcheck", "-M", server.url, "-o",
                       self.path("out.jsonl"), self.write("in.jsonl", CHAINS), *args]
            with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as process:
                while not server.asked():
                    time.sleep(0.01)
                time.sleep(seconds)
                process.send_signal(signal.SIGINT)
                began = time.monotonic()
                _, err = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, 130, err)
        self.assertLess(time.monotonic() - began, 10)
        return err

    def test_a_long_one_is_said_once(self):
        for status in (429, 503):
            err = self.run_for(2, status, "3600")
            self.assertEqual(err.count(SAYS + str(status)), 1, err)
            self.assertIn("Ctrl-C ends it, and the same command goes on later", err)

    def test_a_short_one_is_not(self):
        self.assertNotIn("left alone", self.run_for(2, 429, "3"))

    def test_nor_any_where_quiet_is_wanted(self):
        self.assertEqual(self.run_for(1, 429, "3600", "--quiet").count("left alone"), 0)

    def test_without_a_journal_nothing_goes_on_later(self):
        refuse = {"status": 429, "headers": {"Retry-After": "60"}}
        with Server(rules=[refuse]) as server:
            ended = rederive("check", "-m", "selfcheck", "-M", server.url, "--max-seconds", "1",
                             stdin=CHAINS)
        self.assertIn("left alone for 60 s", ended.err)
        self.assertNotIn("the same command goes on later", ended.err)

    def test_progress_shows_it(self):
        err = self.run_for(12, 429, "3600", "--progress")
        self.assertRegex(err, r"waiting to be retried, the server accepts no call for "
                              r"(1:00:00|59:[45][0-9])")

    def test_models_says_it(self):
        refuse = {"path": "/v1/chat/completions", "status": 429, "headers": {"Retry-After": "3600"}}
        with Server(rules=[refuse]) as server:
            with subprocess.Popen([PROGRAM, "models", "-M", server.url], stderr=subprocess.PIPE,
                                  stdout=subprocess.PIPE, text=True) as process:
                line = process.stderr.readline()
                process.send_signal(signal.SIGINT)
                process.communicate(timeout=SECONDS)
        self.assertIn("left alone for 1 h 0 min (HTTP 429); Ctrl-C ends the wait", line)
        self.assertEqual(process.returncode, 130)

    def test_after_it_the_run_goes_on(self):
        refuse = {"status": 429, "headers": {"Retry-After": "11"}, "times": 1}
        with Server(rules=[refuse, *SELFCHECK]) as server:
            ended = rederive("check", "-m", "selfcheck", "-M", server.url, stdin=lines(chain()))
        self.assert_ended(ended, 0)
        self.assertEqual(ended.err.count("left alone for 11 s"), 1)


if __name__ == "__main__":
    unittest.main()
