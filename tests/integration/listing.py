# SPDX-License-Identifier: Apache-2.0
"""check --list: findings one a line, as compilers write them, and the exit statuses for CI."""
import json
import re
import unittest

from scripted import COMPARE, SELFCHECK, Server
from support import Case, chain, lines, place_of, rederive

RIGHT = chain(id="q1/0", steps=["2 + 3 = 5"])
WRONG = chain(id="q1/1", steps=["Let us begin.", "Caf\u00e9 \u4e2d: 2 + 3 = 6, and 4 * 4 = 15."])
LATE = chain(id="q1/2", steps=["7 + 0 = 7", "5 - 1 = 3"])
NOTHING = chain(id="q1/3", steps=[])
# Its power has too many digits to be computed, so that the step stays unknown.
UNDECIDED = chain(id="q1/4", steps=["9^9^9^9 = 3"])
CONTRADICTS = dict(COMPARE, reply="They differ.\nSolution 1 contradicts the conclusion in Solution 2.")


class Listing(Case):
    def test_says_file_line_column_id_step_and_rule(self):
        name = self.write("in.jsonl", lines(RIGHT, WRONG, LATE, chain(id="h", steps=["Half of 48 is 25."])))
        ended = rederive("check", "--list", "-q", name)
        self.assert_ended(ended, 0)
        self.assertEqual(ended.out.splitlines(), [
            place_of(name, 2, "2 + 3 = 6") + ": q1/1 step 1: 2 + 3 = 6, should be 5 [calculations]",
            place_of(name, 2, "4 * 4 = 15") + ": q1/1 step 1: 4 * 4 = 15, should be 16 [calculations]",
            place_of(name, 3, "5 - 1 = 3") + ": q1/2 step 1: 5 - 1 = 3, should be 4 [calculations]",
            place_of(name, 4, "Half of") + ": h step 0: Half of 48 is 25, should be 24 [calculations/part]"])

    def test_a_mark_that_repeats_its_calculation_is_no_second_line(self):
        ended = rederive("check", "--list", "-q", stdin=lines(chain(id="q", steps=["The sum is 20 + 30 = $<<20+30=60>>60, and 2 * 2 = 5."])))
        self.assertEqual([line.split(": ", 2)[2] for line in ended.out.splitlines()],
                         ["20 + 30 = $<<20+30=60>>60, should be $50 [calculations]", "2 * 2 = 5, should be 4 [calculations]"])

    def test_a_calculation_ends_behind_the_brace_of_its_unit(self):
        ended = rederive("check", "--list", "-q", stdin=lines(chain(id="q", steps=[r"Twice: $2 \times 1.43 = 2.96\ \mathrm{s}$."])))
        self.assertEqual(ended.out.split(": ", 2)[2], "2 \\times 1.43 = 2.96\\ \\mathrm{s}, should be 2.86\\ \\mathrm{s} [calculations]\n")

    def test_money_and_formulas_are_quoted_whole(self):
        for step, says in (("It costs $12 * 4 = $49 in all.", "$12 * 4 = $49, should be $48 ["),
                           ("So $12 * 4 = 49$ dollars.", "12 * 4 = 49 dollars, should be 48 dollars ["),
                           ("So $12 * 4 = 49$.", "12 * 4 = 49, should be 48 ["),
                           ("17 ≡ 3 (mod 5)", "17 ≡ 3 (mod 5), should be 2 [")):
            out = rederive("check", "-q", "--list", stdin=lines(chain(steps=[step]))).out
            self.assertIn(": " + says, out)

    def test_a_value_that_rests_on_something_says_so(self):
        """Of what it is where that is not the left side, and on what it rests: in each place that shows what is right."""
        derived = chain(id="q1/5", steps=["2k - 10 = 12", "Adding 10 to both sides, we get 2k = 2", "3x + 4x = 9x"], label=0)
        of_k, of_x = "k is 11 (from the equation before)", "7x"
        listed = rederive("check", "--list", "-q", stdin=lines(derived)).out
        self.assertTrue(listed.endswith(f": 3x + 4x = 9x, should be {of_x} [calculations]\n"), listed)
        self.assertIn(f": 2k = 2: {of_k} [calculations]\n", listed)
        self.assertIn(f"2k = 2: {of_k}\n", rederive("check", "--view", "-q", stdin=lines(derived)).out)
        self.assertIn(f"2k = 2: {of_k}\n", rederive("audit", "-q", stdin=lines(dict(derived, label=2))).out)
        page = self.path("page.html")
        self.assert_ended(rederive("check", "-q", "--html", page, stdin=lines(derived)), 0)
        self.assertIn(f"2k = 2</del>: <ins>{of_k}</ins>", self.read(page))

    def test_hostile_ids_stay_on_their_line(self):
        ended = rederive("check", "--list", "-q", stdin=lines(dict(WRONG, id="a\n\x1b[2Jb")))
        self.assertEqual(len(ended.out.splitlines()), 2)
        self.assertIn(": a\\x0a\\x1b[2Jb step 1: ", ended.out)

    def test_colours_only_where_they_are_wanted(self):
        self.assertNotIn("\x1b", rederive("check", "--list", stdin=lines(WRONG)).out)
        self.assertIn("\x1b[31m2 + 3 = 6\x1b[0m",
                      rederive("check", "--list", "--color", "always", stdin=lines(WRONG)).out)

    def test_other_methods_give_their_reason_and_every_method_is_listed(self):
        a, b = self.write("a.jsonl", lines(RIGHT)), self.write("b.jsonl", lines(LATE))
        with Server(rules=[CONTRADICTS, *SELFCHECK]) as server:
            ended = rederive("check", "--list", "-q", "-m", "calculations,selfcheck", "-M", server.url, a, b)
        self.assert_ended(ended, 0)
        first, second = (re.escape(name) for name in (a, b))
        self.assertRegex(ended.out, rf"^{first}:1:\d+: q1/0 step 0: \S.* \[selfcheck\]\n"
                                    rf"{second}:1:\d+: q1/2 step 1: 5 - 1 = 3, should be 4 \[calculations\]\n"
                                    rf"{second}:1:\d+: q1/2 step 0: .* \[selfcheck\]\n")

    def test_goes_to_a_file(self):
        ended = rederive("check", "--list", "-o", self.path("found.txt"), stdin=lines(WRONG))
        self.assertEqual((ended.out, len(self.read("found.txt").splitlines())), ("", 2))

    def test_cannot_be_combined_with_other_forms(self):
        for other in ("--view", "--json"):
            ended = rederive("check", "--list", other, stdin=lines(RIGHT))
            self.assert_ended(ended, 2)
            self.assertIn("--list cannot be combined with " + other, ended.err)


class Status(Case):
    def check(self, *args, records, status):
        ended = rederive("check", "-q", *args, stdin=lines(*records))
        self.assert_ended(ended, status)
        return ended

    def test_of_wrong_steps(self):
        self.check(records=[RIGHT, WRONG], status=0)
        self.check("--fail-on-wrong", records=[RIGHT], status=0)
        ended = self.check("--fail-on-wrong", records=[RIGHT, WRONG], status=4)
        self.assertEqual(json.loads(ended.out.splitlines()[1])["first_error"], 1)
        self.check("--fail-on-wrong", "--view", records=[WRONG], status=4)
        self.check("--fail-on-wrong", "--list", records=[WRONG], status=4)

    def test_of_what_could_not_be_decided(self):
        for record in (UNDECIDED, NOTHING):
            ended = self.check("--fail-on-wrong", records=[RIGHT, record], status=0)
            self.assertEqual(ended.err, "rederive: check: 1 unknown step; --fail-on-unknown fails on it\n")
            self.check("--fail-on-wrong", "--fail-on-unknown", records=[RIGHT, record], status=5)
            self.check("--fail-on-wrong", "--fail-on-unknown", records=[WRONG, record], status=4)
            self.check("--fail-on-unknown", records=[WRONG], status=0)
            ended = self.check("--fail-on-unknown", "--list", records=[record], status=5)
            self.assertRegex(ended.out, r": undecided: .*\[calculations\]\n")

    def test_of_what_could_not_be_read_or_checked(self):
        """It never ends like a run that found everything right."""
        self.check("--fail-on-wrong", records=[RIGHT, "{"], status=1)
        self.check("--fail-on-wrong", records=[WRONG, "{"], status=4)
        ended = self.check("--fail-on-wrong", records=[], status=3)
        self.assertIn("there was no chain to check", ended.err)

    def test_of_replies_that_cannot_be_read(self):
        with Server(rules=[dict(COMPARE, reply="Hm."), *SELFCHECK]) as server:
            args = ("--fail-on-wrong", "-m", "selfcheck", "-M", server.url)
            ended = self.check(*args, records=[RIGHT], status=0)
            self.assertIn("1 unknown step", ended.err)
            self.check(*args, "--fail-on-unknown", records=[RIGHT], status=5)


if __name__ == "__main__":
    unittest.main()
