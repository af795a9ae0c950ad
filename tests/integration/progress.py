# SPDX-License-Identifier: Apache-2.0
"""Progress: done of how much, the time left, and what it has cost."""
import re
import subprocess
import time
import unittest

from scripted import SELFCHECK, Server
from support import PROGRAM, SECONDS, Case, chain, lines
from terminal import on_terminal


class Progress(Case):
    def run_checks(self, *args, n=40, delay=0.12, columns=200):
        """The lines of progress of a run that takes about six seconds."""
        name = self.write("in.jsonl", lines(*[chain(id=str(i), steps=[f"2 + {i} = {2 + i}"]) for i in range(n)]))
        with Server(rules=SELFCHECK, delay=delay) as server:
            status, out = on_terminal("check", "-m", "selfcheck", "-M", server.url, "-j", "4", name, *args,
                                      "-o", self.path("out.jsonl"), columns=columns)
        self.assertEqual(status, 0, out)
        return [line.split("\x1b")[0] for line in out.split("\r") if " done" in line]

    def test_of_calls_counts_to_the_end(self):
        told = self.run_checks("--price-in", "100", "--price-out", "100")
        self.assertGreater(len(told), 5)
        shares = []
        for line in told:
            match = re.match(r"(\d+) of 40(?: \((\d+) %\))? done(, \d:\d\d left)?, (\d+) calls? answered, (\d+) in flight, "
                             r"\$(\d+\.\d\d), (\d+) tokens$", line)
            self.assertTrue(match, line)
            self.assertEqual(int(match[2] or 0), 100 * int(match[1]) // 40)
            self.assertAlmostEqual(float(match[6]), int(match[7]) / 1e4, delta=0.006)  # 100 dollars a million
            shares.append(int(match[1]))
        self.assertEqual(shares, sorted(shares))

    def test_of_records_that_advance_together_shows_their_calls(self):
        """One chain of many steps: nothing is done until the end, but calls are answered."""
        steps = [f"2 + {i} = {2 + i}" for i in range(6)]
        name = self.write("in.jsonl", lines(chain(steps=steps)))
        with Server(rules=SELFCHECK, delay=0.3) as server:
            _, out = on_terminal("check", "-m", "selfcheck", "-M", server.url, "-j", "2", name, "-o", self.path("out"), columns=200)
        told = [re.match(r"0 of 1 done, (\d+) calls? answered, \d+ in flight", line) for line in out.split("\r")]
        answered = [int(match[1]) for match in told if match]
        self.assertEqual(answered, sorted(answered))
        self.assertGreater(answered[-1], answered[0])

    def test_where_the_views_come_to_the_terminal_too(self):
        """The line is there while calls are waited for, and removed before a view."""
        name = self.write("in.jsonl", lines(*[chain(id=str(i)) for i in range(3)]))
        with Server(rules=SELFCHECK, delay=0.3) as server:
            _, out = on_terminal("check", "-m", "selfcheck", "-M", server.url, "-j", "1", name, columns=200)
        self.assertRegex(out, r"\r\d of 3[^\r\n]* done, \d+ calls? answered")
        for line in out.split("\n"):  # what stands on a line in the end is what came behind the last return
            self.assertNotRegex(line.split("\r")[-1], "answered, |what it can do")

    def test_time_left_is_shown_once_it_is_known_and_falls(self):
        told = self.run_checks()
        self.assertNotIn("left", told[0])  # of one look nothing follows
        left = [int(m[1]) * 60 + int(m[2]) for m in (re.search(r"(\d+):(\d\d) left", line) for line in told) if m]
        self.assertTrue(left, told)
        self.assertLess(left[0], 60)
        self.assertLessEqual(left[-1], left[0])
        self.assertLessEqual(left[-1], 3)
        self.assertNotIn("$", told[-1])  # there is no price

    def test_stays_on_one_line(self):
        for line in self.run_checks(n=10, columns=40):
            self.assertLessEqual(len(line), 39)

    def test_of_records_knows_the_share_that_was_read(self):
        steps = [f"{i} * 3 = {3 * i}" for i in range(1000)]
        name = self.write("in.jsonl", lines(*[chain(id=str(i), steps=steps) for i in range(400)]))
        _, out = on_terminal("check", name, "-o", self.path("out.jsonl"), columns=100)
        told = [line.split("\x1b")[0] for line in out.split("\r") if " %)" in line]
        if not told:
            self.skipTest("it was done before there was anything to show")
        shares = [int(re.match(r"\d+ records? \((\d+) %\)", line)[1]) for line in told]
        self.assertEqual(shares, sorted(shares))
        self.assertLessEqual(shares[-1], 100)

    def test_elsewhere_comes_as_plain_lines_every_ten_seconds(self):
        """What a pipe brings has no known end."""
        process = subprocess.Popen([PROGRAM, "check", "--progress", "-o", self.path("out.jsonl")],
                                   stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for i in range(24):
            process.stdin.write(lines(chain(id=str(i))))
            process.stdin.flush()
            time.sleep(0.5)
        _, err = process.communicate(timeout=SECONDS)
        told = err.splitlines()[:-2]  # the last two sum up: the verdicts, and what was read
        self.assertEqual(len(told), 1, err)
        self.assertRegex(told[0], r"^\d+ records, 1\d s$")
        self.assertNotIn("\r", err)


if __name__ == "__main__":
    unittest.main()
