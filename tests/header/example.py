#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What examples/check_calculations.c does, built against the public headers.

    example.py PROGRAM
"""
import subprocess
import sys
import unittest

PROGRAM = sys.argv.pop()


def checked(text):
    done = subprocess.run([PROGRAM], input=text, capture_output=True, encoding="utf-8", check=False)
    return done.returncode, done.stdout, done.stderr


class Example(unittest.TestCase):
    def test_wrong_calculations_are_printed(self):
        self.assertEqual(checked("There are 17 * 24 = 398 rolls.\nGood.\n3 + 4 = 8, 1 + 1 = 2\n"),
                         (1, "1: 17 * 24 is 408, not 398\n3: 3 + 4 is 7, not 8\n", ""))

    def test_nothing_is_wrong(self):
        self.assertEqual(checked("2 + 2 = 4"), (0, "", ""))
        self.assertEqual(checked(""), (0, "", ""))


if __name__ == "__main__":
    unittest.main()
