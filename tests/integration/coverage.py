# SPDX-License-Identifier: Apache-2.0
"""What a check without a model did not read: told beside every confidence, and what a null confidence means."""
import json
import re
import unittest

from support import Case, chain, lines, place_of, rederive

UNREAD = "100 -6 60 = 40"  # garbled: nobody can read it
PROVEN = chain(id="q1/0", steps=["2 + 3 = 5", "The answer is 5."], answer="5", gold="5")
WRONG = chain(id="q1/1", steps=["2 + 3 = 6", "The answer is 6."], answer="6", gold="5")
PASSED_OVER = chain(id="q1/2", steps=[f"So caf\u00e9: {UNREAD}", "The answer is 4."], answer="4", gold="5")
SILENT = chain(id="q1/3", steps=["Well.", "The answer is 4."], answer="4", gold="5")
PARTLY = chain(id="q1/4", steps=["2 + 3 = 5", UNREAD, UNREAD, UNREAD, UNREAD, UNREAD, "The answer is 7."], answer="7",
               gold="5")
ALL = lines(PROVEN, WRONG, PASSED_OVER, SILENT, PARTLY)
SAID = "3 of 9 calculations checked; 6 not read: 6 others"
COUNTED = {"n_calculations": 9, "n_checked": 3, "n_undecided": 0, "n_not_read": 6, "not_read": {"other": 6}}


class Told(Case):
    def test_records(self):
        records = rederive("check", "-q", stdin=ALL).records
        self.assertEqual([r["coverage"]["n_not_read"] for r in records], [0, 0, 1, 0, 5])
        self.assertEqual([r["confidence"] is None for r in records], [False, False, True, True, False])
        self.assertEqual(records[2]["verdicts"][0]["evidence"]["not_read"],
                         [{"text": UNREAD, "reason": "other", "start": 10, "end": 10 + len(UNREAD)}])
        again = rederive("check", "-q", "-m", "values", stdin=lines(*records)).records  # the first check is carried
        self.assertEqual(again[4]["checks"]["calculations"]["coverage"], records[4]["coverage"])

    def test_summaries(self):
        told = rederive("check", stdin=ALL).err
        self.assertIn("; 3 of 9 calculations checked.\n", told)
        self.assertIn("calculations: 6 not read: 6 others; --list-unread lists them\n", told)
        self.assertEqual(json.loads(rederive("check", "--json", stdin=ALL).err.splitlines()[-1])["coverage"], COUNTED)
        checked = rederive("check", "-q", stdin=ALL).out
        self.assertIn(SAID + "\n", rederive("vote", "-w", "confidence", stdin=checked).err)
        told = json.loads(rederive("vote", "--json", "-w", "confidence", stdin=checked).err.splitlines()[-1])
        self.assertEqual(told["coverage"], COUNTED)
        self.assertNotIn("calculations checked", rederive("vote", "-s", "majority", stdin=checked).err)
        self.assertNotIn("calculation", rederive("check", stdin=lines(SILENT)).err)

    def test_views_and_reports(self):
        shown = rederive("check", "-q", "--view", stdin=lines(PASSED_OVER)).out
        self.assertIn("nothing was decided", shown)
        self.assertNotIn("confidence", shown)
        self.assertIn("0 of 1 calculation checked; 1 not read: 1 other", " ".join(shown.split()))
        page = self.path("r.html")
        self.assert_ended(rederive("check", "-q", "-o", self.path("o.jsonl"), "--html", page, stdin=ALL), 0)
        with open(page, encoding="utf-8") as file:
            text = re.sub(r"<[^>]*>", "", file.read())
        self.assertIn("3 of 9 checked", text)
        self.assertIn("1 of 6 calculations checked; 5 not read: 5 others", text)
        self.assertIn("∅ not read", text)
        self.assertNotIn("confidence", text[text.index("q1/2"):text.index("q1/3")])

    def test_a_step_with_a_right_and_an_open_calculation(self):
        shown = " ".join(rederive("check", "-q", "--view", stdin=lines(chain(steps=["2 + 3 = 5, so he has 8 left."]))).out.split())
        self.assertIn("no step was decided as a whole 1 of 2 calculations checked", shown)
        self.assertNotIn("nothing was decided", shown)

    def test_a_list_of_what_was_not_read(self):
        name = self.write("in.jsonl", ALL)
        ended = rederive("check", "-q", "--list-unread", name)
        self.assert_ended(ended, 0)
        self.assertEqual(ended.out.splitlines()[:2], [place_of(name, 3, UNREAD) + f": q1/2 step 0: not read: {UNREAD} [calculations]",
                                                      place_of(name, 5, UNREAD) + f": q1/4 step 1: not read: {UNREAD} [calculations]"])
        self.assertEqual(len(ended.out.splitlines()), 6)
        both = rederive("check", "-q", "--list", "--list-unread", "-m", "calculations,values", name).out
        self.assertIn(place_of(name, 2, "2 + 3 = 6") + ": q1/1 step 0: 2 + 3 = 6, should be 5 [calculations]\n", both)
        self.assertEqual(both.count("not read: " + UNREAD), 6)
        undecided = self.write("undecided.jsonl", lines(chain(id="q", steps=["With the bonus: $500 + 300 km = $800."])))
        ended = rederive("check", "--list-unread", undecided)
        self.assertEqual(ended.out, place_of(undecided, 1, "500 +") + ": q step 0: undecided (an amount of money and a length are added): 500 + 300 km = $800 [calculations]\n")
        self.assertIn("calculations: 1 undecided; ", ended.err.replace("\n", "; "))
        for other in ("--json", "--view", "--certify"):
            ended = rederive("check", "--list-unread", other, name)
            self.assert_ended(ended, 2)
            self.assertIn("--list-unread", ended.err)


class Null(Case):
    """A chain of which nothing was decided has no confidence."""

    def test_accepted(self):
        for more in (["--accepted"], ["-t", "0"], ["-t", "0.9"]):
            records = rederive("check", "-q", *more, stdin=lines(PASSED_OVER, SILENT)).records
            self.assertEqual([r["accepted"] for r in records], [None, None])

    def test_evaluation(self):
        checked = rederive("check", "-q", stdin=ALL).out
        report = json.loads(rederive("eval", "--json", stdin=checked).out)
        self.assertEqual(report["n_null_confidence"], 2)
        self.assertEqual(report["figures"]["auc"]["n"], 3)
        self.assertEqual(report["acceptance"]["n_rejected"], 1)
        fit = json.loads(rederive("eval", "--json", "-t", "0", stdin=checked).out)
        self.assertEqual(fit["n_null_confidence"], 2)
        compared = json.loads(rederive("eval", "--json", "--compare", self.write("a", checked), self.write("b", checked)).out)
        self.assertEqual(compared["figures"]["accuracy.weighted"]["after"]["value"], 1)

    def test_certificates_and_labels(self):
        for text in (PASSED_OVER, SILENT):
            [record] = rederive("check", "-q", "--certify", stdin=lines(text)).records
            self.assertFalse(record["certificate"]["certified"])
            [record] = rederive("check", "-q", "--as-labels", stdin=lines(text)).records
            self.assertNotIn("label", record)

    def test_votes(self):
        """Two of which nothing was decided do not outvote a proven one; each weighs more than a wrong one, and less than
        one of which only a part was read."""
        checked = rederive("check", "-q", stdin=ALL).out
        [result] = rederive("vote", "-q", "-w", "confidence", stdin=checked).records
        weights = {name: one["weight"] for name, one in result["answers"].items()}
        self.assertEqual(result["answer"], "5")
        self.assertEqual(weights["5"], 1)
        self.assertLess(weights["6"], weights["4"] / 2)
        self.assertGreater(weights["7"], weights["4"] / 2)
        [best] = rederive("vote", "-q", "-s", "best", "-w", "confidence", stdin=lines(
            *[r for r in rederive("check", "-q", stdin=ALL).records if r["id"] in ("q1/1", "q1/3")])).records
        self.assertEqual(best["answer"], "4")
        only = rederive("check", "-q", stdin=lines(SILENT)).out
        [alone] = rederive("vote", "-q", "-w", "confidence", stdin=only).records
        self.assertEqual((alone["answer"], alone["weight_share"]), ("4", 1))
        [none] = rederive("vote", "-q", "-w", "confidence", stdin=only.replace('"calculations"', '"selfcheck"')).records
        self.assertIsNone(none["answer"])

    def test_stopping_early(self):
        """The neutral weight lies within the bounds, so the rule changes no answer."""
        records = rederive("check", "-q", stdin=ALL).records
        for first in range(len(records)):
            text = lines(*(records[first:] + records[:first]))
            [whole] = rederive("vote", "-q", "-w", "confidence", stdin=text).records
            [part] = rederive("vote", "-q", "-w", "confidence", "--stop", "certain", stdin=text).records
            self.assertEqual(part["answer"], whole["answer"])


if __name__ == "__main__":
    unittest.main()
