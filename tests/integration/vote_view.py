# SPDX-License-Identifier: Apache-2.0
"""The table of vote and solve on a terminal: the majority's answer beside the selected one."""
import re
import unittest

from scripted import SELFCHECK, Server
from solve import solution
from support import Case, chain, lines, rederive
from terminal import on_terminal


def vote_of(question, *answers, gold="5"):
    """Chains of one question; each is (answer, confidence)."""
    return [chain(id=f"{question}/{i}", question_id=question, steps=["2 + 3 = 5"], answer=answer, gold=gold,
                  scores={"prm": [score]}) for i, (answer, score) in enumerate(answers)]


TURNED = vote_of("turned", ("6", 0.1), ("6", 0.1), ("5", 0.9))
SAME = vote_of("same", ("5", 0.5), ("5", 0.5), ("4", 0.1))
SPOILED = vote_of("spoiled", ("5", 0.1), ("5", 0.1), ("7", 0.9))
OPEN = vote_of("open", ("1", 0.1), ("1", 0.1), ("2", 0.9), gold=None)
TIED = vote_of("tied", ("5", 0.5), ("6", 0.5))


class VoteView(Case):
    def setUp(self):
        super().setUp()
        self.input = self.write("in.jsonl", lines(*TURNED, *SAME, *SPOILED, *OPEN, *TIED))

    def rows(self, out):
        return {line.split()[0]: re.split(r"  +", line)[1:] for line in out[:out.index("\n\n")].splitlines()}

    def test_shows_both_answers_and_where_the_weights_turned_the_vote(self):
        ended = rederive("vote", "-q", "--view", "-w", "scores:prm", self.input)
        self.assert_ended(ended, 0)
        self.assertEqual(self.rows(ended.out), {
            "question": ["chains", "by majority", "by scores:prm"],
            "turned": ["3", "6 WRONG", "5 right", "\u2190 turned"],
            "same": ["3", "5 right", "5 right"],
            "spoiled": ["3", "5 right", "7 WRONG", "\u2190 turned"],
            "open": ["3", "1", "2", "\u2190 changed"],
            "tied": ["2", "5 tied right", "5 tied right"]})
        self.assertIn("right: 3 of 4 by majority, 3 by scores:prm (1 turned to right, 1 to wrong)\n", ended.out)
        for sign in ("right, WRONG: ", "\u2190 turned: ", "\u2190 changed: ", "tied: "):
            self.assertEqual(ended.out.count("\n" + sign), 1, sign)

    def test_explains_only_the_signs_that_it_shows(self):
        ended = rederive("vote", "-q", "--view", "-w", "scores:prm", stdin=lines(*SAME))
        self.assertNotIn("turned:", ended.out)
        self.assertNotIn("tied:", ended.out)

    def test_of_the_majority_alone_has_one_answer(self):
        ended = rederive("vote", "-q", "--view", self.input)
        self.assertEqual(self.rows(ended.out)["turned"], ["3", "6 WRONG"])

    def test_is_the_default_on_a_terminal_only(self):
        _, out = on_terminal("vote", "-w", "scores:prm", self.input, "--color", "never", columns=80)
        self.assertIn("6 WRONG", out)
        self.assertNotIn('"question_id"', out)
        _, out = on_terminal("vote", "-w", "scores:prm", self.input, "--json", columns=80)
        self.assertIn('"question_id":"turned"', out)
        self.assertNotIn("WRONG", rederive("vote", "-w", "scores:prm", self.input).out)

    def test_keeps_to_the_width(self):
        long = vote_of("a-question-with-a-very-long-name" * 3, ("\u4e2d" * 60, 0.2), ("9" * 80, 0.9))
        name = self.write("long.jsonl", lines(*long))
        for columns in (30, 45, 60, 80, 120):
            for env in ({}, {"LC_ALL": "C"}):
                _, out = on_terminal("vote", "-q", "-w", "scores:prm", name, "--color", "never",
                                     columns=columns, env=env)
                for line in out.splitlines():
                    self.assertLessEqual(len(line) + line.count("\u4e2d"), columns, line)
                self.assertEqual(out.replace("\u4e2d", "").isascii(), env != {})

    def test_stays_readable_at_30_columns(self):
        _, out = on_terminal("vote", "-w", "scores:prm", self.input, "--color", "never", columns=30)
        self.assertIn("turned\n  chains        3\n  by majority   6 WRONG\n  by scores:prm 5 right\n", out)

    def test_hostile_answers_are_escaped(self):
        name = self.write("bad.jsonl", lines(*vote_of("q\x1b[2J", ("a\x1b[2Jb", 0.2))))
        self.assertNotIn("\x1b", rederive("vote", "--view", name).out)

    def test_failed_records_are_told_apart(self):
        ended = rederive("vote", "--view", stdin=lines(*SAME, "{"))
        self.assert_ended(ended, 1)
        self.assertIn("standard input:4:", ended.err)


class SolveView(Case):
    def test_shows_each_question(self):
        rules = [solution(5, times=1), solution(6), *SELFCHECK]
        question = lines({"question_id": "q1", "question": "What is 2 + 3?", "gold": "5"})
        with Server(rules=rules) as server:
            name = self.write("questions.jsonl", question)
            args = ("solve", "-m", "calculations", "-n", "3", "-j", "1", "--stop", "none", "-M", server.url, name)
            _, out = on_terminal(*args, "--color", "never", columns=80)
            records = rederive(*args)
        # Two solutions say 6, with a wrong calculation each; the third is right.
        self.assertRegex(out, r"\nq1 +3 +6 WRONG +(5 right +\u2190 turned|6 WRONG)")
        self.assertIn("\nright: 0 of 1 by majority, ", out)
        self.assertNotIn('"question_id"', out)
        self.assertEqual(records.records[0]["question_id"], "q1")


if __name__ == "__main__":
    unittest.main()
