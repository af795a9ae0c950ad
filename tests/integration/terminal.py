# SPDX-License-Identifier: Apache-2.0
"""What a terminal gets: views, colours, width, progress."""
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import unittest

from support import PROGRAM, SECONDS, Case, chain, lines

WRONG = chain(id="q7/3", steps=["There are 2 and 3 of them, which makes 2 + 3 = 6 in all."],
              answer="6")


def on_terminal(*args, columns=60, env=None):
    """What the program writes when standard output and error are a terminal of that width."""
    try:
        ours, theirs = pty.openpty()
    except OSError as why:  # a container without /dev/pts
        raise unittest.SkipTest("no pseudo-terminal: %s" % why)
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    clean = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS")}
    process = subprocess.Popen([PROGRAM, *args], stdin=subprocess.DEVNULL, stdout=theirs,
                               stderr=theirs, env={**clean, "TERM": "xterm", "LC_ALL": "C.UTF-8",
                                                   **(env or {})})
    os.close(theirs)
    out = b""
    while select.select([ours], [], [], SECONDS)[0]:
        try:
            piece = os.read(ours, 65536)
        except OSError:  # the other end is closed
            break
        if not piece:
            break
        out += piece
    os.close(ours)
    process.wait(SECONDS)
    return process.returncode, out.decode("utf-8").replace("\r\n", "\n")


class Terminal(Case):
    def setUp(self):
        super().setUp()
        self.input = self.write("in.jsonl", lines(WRONG, chain(id="q7/4")))

    def test_gets_the_view_wrapped_and_in_colour(self):
        status, out = on_terminal("check", self.input)
        self.assertEqual(status, 0)
        self.assertIn("\u2717", out)
        self.assertIn("\x1b[4;31m", out)
        self.assertIn("should be", out)
        self.assertIn("1 wrong step in 1 of 2 solutions; ", out)
        self.assertIn("step 0 (counted from 0) is proven wrong", out)
        self.assertNotIn('"verdicts"', out)

    def test_no_color_and_never(self):
        for args, env in ((("--color", "never"), {}), ((), {"NO_COLOR": "1"}),
                          ((), {"TERM": "dumb"})):
            _, out = on_terminal("check", self.input, *args, env=env)
            self.assertNotIn("\x1b", out)
            self.assertIn("^^^", out)
            for line in out[:out.index("1 wrong step in")].splitlines():
                self.assertLessEqual(len(line), 60)

    def test_marks_of_a_terminal_without_utf8(self):
        _, out = on_terminal("check", self.input, "--color", "never", env={"LC_ALL": "C"})
        self.assertTrue(out.isascii(), out)
        self.assertIn("\nx 0  There", out)

    def test_says_once_what_the_marks_mean(self):
        other = self.write("other.jsonl", lines(WRONG, chain(id="q8", steps=["Let us begin.", "2 + 3 = 5"])))
        for env, mark in (({}, "\u00b7"), ({"LC_ALL": "C"}, ".")):
            _, out = on_terminal("check", other, "--color", "never", env=env)
            self.assertEqual(out.count("\n%s nothing to check: the step has nothing" % mark), 1, out)
            self.assertEqual(out.count("wrong: the check found the step wrong"), 1, out)
            self.assertNotIn("undecided: the check could not", out)  # a mark that is not shown

    def test_words_stay_whole_at_30_columns(self):
        words = "There are several unusually long explanations between these calculations".split()
        text = self.write("long.jsonl", lines(chain(id="q7/3", steps=[" ".join(words) + ", 2 + 3 = 6"])))
        _, out = on_terminal("check", text, "--color", "never", columns=30)
        view = out[:out.rindex("1 wrong step in")]
        for line in view.splitlines():
            self.assertLessEqual(len(line), 30, line)
        for word in words:
            self.assertIn(word, view.split())

    def test_wide_characters_count_by_their_width(self):
        text = self.write("wide.jsonl", lines(chain(
            id="q", question="\u4e2d\u6587" * 20, steps=["\U0001f950 \u6bcf\u7bb1e\u0301: 2 + 3 = 6"])))
        _, out = on_terminal("check", text, "--color", "never", columns=60)
        question = [line for line in out.splitlines() if "\u4e2d" in line]
        self.assertEqual([len(line.strip()) for line in question], [29, 11])  # of two columns each
        step, marks = out.splitlines()[out.splitlines().index("") + 1:][:2]
        # Before it are 5 columns, the emoji (2), a space, two wide (4), e with its accent (1), ": ".
        self.assertEqual((step.index("2 + 3"), marks.index("^")), (13, 15))

    def test_json_gives_records_there_too(self):
        _, out = on_terminal("check", "--json", self.input)
        self.assertIn('"verdicts"', out)

    def test_no_input_is_asked_for_at_a_terminal(self):
        ours, theirs = pty.openpty()
        done = subprocess.run([PROGRAM, "check"], stdin=theirs, capture_output=True, text=True,
                              timeout=SECONDS, check=False)
        os.close(ours)
        os.close(theirs)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no input", done.stderr)

    def test_colour_always_in_a_pipe(self):
        done = subprocess.run([PROGRAM, "check", "--view", "--color", "always", self.input],
                              capture_output=True, timeout=SECONDS, check=True)
        self.assertIn(b"\x1b[", done.stdout)


if __name__ == "__main__":
    unittest.main()
