# SPDX-License-Identifier: Apache-2.0
"""Recipes and fitted settings, against an independent computation on simulated checks."""
import functools
import json
import math
import os
import re
import sys
import unittest

from support import Case, chain, lines, rederive

sys.path.insert(0, os.path.join(os.environ["RDV_SOURCE"], "tests", "reference"))
import chains as simulation  # noqa: E402
import general_chains  # noqa: E402
import paired  # noqa: E402
import quoted  # noqa: E402
import recipes as reference  # noqa: E402

NAMES = ("table1", "table2", "fig2", "fig3", "fig4", "fig5", "fig6", "v2fig3", "v2fig4")


@functools.cache
def recorded():
    """Chains, and others of other questions, as text: each test reads its own, which it may change."""
    return (lines(*simulation.records(questions=30, skip=0.02, unchecked=0.02)),
            lines(*simulation.records(questions=30, first=100)))


class Recipes(Case):
    def setUp(self):
        super().setUp()
        for name, text in zip(("chains.jsonl", "others.jsonl"), recorded()):
            self.write(name, text)
        self.records, self.others = ([json.loads(line) for line in text.splitlines()] for text in recorded())

    def eval(self, *args):
        ended = rederive("eval", "-q", "--json", *args, "chains.jsonl", cwd=self.folder)
        self.assert_ended(ended, 0)
        return json.loads(ended.out)

    def compare(self, *args, names=NAMES, **options):
        for name in names:
            with self.subTest(recipe=name):
                ours = self.eval("--recipe", "selfcheck:" + name, *args)
                theirs = reference.compute(name, self.records, **options)
                self.assertTrue(theirs["series"] and theirs["series"][0]["rows"])
                if not theirs["fits"]:
                    del theirs["fits"]
                self.assert_has(ours, theirs, name)

    def test_as_recorded(self):
        self.compare()

    def test_other_seed(self):
        self.compare("--seed", "7", names=("fig2",), seed=7)

    def test_fitted_on_a_file(self):
        self.compare("--fit", "others.jsonl", names=("table1", "table2", "fig4"), learned=self.others)

    def test_split(self):
        self.compare("--split", "half", names=("table2", "fig3"), split="half")
        self.compare("--split", "3", names=("table1", "table2"), split="3")

    def test_split_with_a_file_that_shares_questions(self):
        self.compare("--split", "3", "--fit", "chains.jsonl", names=("table2",), split="3",
                     learned=self.records)

    def test_step_scores(self):
        self.compare("--weight", "scores:prm", "--fit", "others.jsonl", names=("table1", "table2"),
                     learned=self.others, scores="prm")

    def mine(self, record, i):
        """The record with a check of the user's, of some chains."""
        if i % 7 == 0:
            return record
        checks = {**record["checks"], "mine": {**record["checks"]["global"], "confidence": (i * 37 % 101) / 101}}
        return {**record, "checks": checks}

    def test_own_checks_stand_beside_the_papers(self):
        """Of every check that the records hold, whether all chains have it, whichever comes first, and with no check at the top."""
        before = {name: self.eval("--recipe", "selfcheck:" + name)["series"] for name in ("table1", "table2", "fig6")}
        records = [self.mine(r, i) if "selfcheck" in r.get("checks", {}) else r for i, r in enumerate(self.records)]
        for record in records:  # as if somebody else had written them
            for name in ("method", "verdicts", "confidence", "first_error", "n_unknown", "skipped"):
                record.pop(name, None)
        self.write("chains.jsonl", lines(*records))
        for name, series in before.items():
            own = {s["check"]: s for s in self.eval("--recipe", "selfcheck:" + name)["series"]}
            self.assertEqual(list(own.values())[:len(series)], series, "the paper's rows are as before")
            self.assertEqual(set(own) - {s["check"] for s in series}, {"mine"})
            mine = own["mine"]
            self.assertEqual(mine["n_chains"], series[0]["n_chains"])
            self.assertEqual(mine["n_unchecked"], sum("mine" not in r.get("checks", {}) for r in records))
        alone = self.eval("--recipe", "selfcheck:table2", "-w", "confidence:mine")["series"]
        self.assertEqual(alone[0]["rows"], self.eval("--recipe", "selfcheck:table2")["series"][-1]["rows"])

    @staticmethod
    def accepts(check):
        """A method of one's own accepts by its verdicts; None: a step was not read, or none is supported."""
        kinds = [v["verdict"] for v in check["verdicts"]]
        if "contradict" in kinds:
            return False
        return None if "unknown" in kinds or "support" not in kinds else True

    def test_what_is_not_read_accepts_nothing(self):
        """A chain of which half is unread is neither accepted nor rejected by a user's check, whatever its confidence."""
        def record(i, kinds, answer):
            check = {"method": "mine", "confidence": 0.6, "first_error": None, "n_unknown": 0, "n_calls": 0, "prompt_tokens": 0,
                     "completion_tokens": 0, "verdicts": [{"step": k, "verdict": kind, "score": None} for k, kind in enumerate(kinds)]}
            return chain(id=f"c{i}", question_id=f"q{i}", question=f"{i}?", steps=["a", "b"], gold="1", answer=answer, checks={"mine": check})
        self.write("chains.jsonl", lines(record(0, ["support", "unknown"], "2"), record(1, ["support", "support"], "2"),
                                         record(2, ["support", "contradict"], "2"), record(3, ["support", "support"], "1")))
        row, = (s["rows"][0] for s in self.eval("--recipe", "selfcheck:table2")["series"] if s["check"] == "mine")
        self.assertEqual((row["tnr"]["value"], row["tnr"]["n"], row["tpr"]["value"]), (0.5, 2, 1))

    def test_difference_to_a_baseline(self):
        """Table 2's point: by how much a check is better than another on the same chains."""
        records = [self.mine(r, i) if "selfcheck" in r.get("checks", {}) else r for i, r in enumerate(self.records)]
        self.write("chains.jsonl", lines(*records))
        ours = {s["check"]: s["rows"][0] for s in self.eval("--recipe", "selfcheck:table2", "--baseline", "selfcheck")["series"]}
        self.assertNotIn("baseline", ours["selfcheck"])
        for name in ("global", "error-check", "mine"):
            pairs = {True: {}, False: {}}
            for r in records:
                checks = r.get("checks", {})
                both = [checks.get(c, {}) for c in ("selfcheck", name)]
                if any(c.get("skipped") or c.get("confidence") is None for c in both):
                    continue
                right = r["answer"] == r["gold"]
                accepted = [both[0]["confidence"] >= 0.55, self.accepts(both[1]) if name == "mine" else both[1]["confidence"] >= 0.55]
                if accepted[1] is None:
                    continue
                pair = pairs[right].setdefault(r["question_id"], [0, 0, 0, 0])
                for k in (0, 1):
                    pair[2 * k] += accepted[k] == right
                    pair[2 * k + 1] += 1
            row, parts = ours[name], []
            self.assertEqual(row["baseline"], "selfcheck")
            for rate, right in (("tpr", True), ("tnr", False)):
                theirs = paired.compare([tuple(p) for p in pairs[right].values()])
                theirs.pop("p_value")
                self.assert_has(row["delta." + rate], theirs, f"{name} {rate}")
                parts.append(theirs["value"])
            self.check_balanced(row["delta.balanced_accuracy"], pairs, parts, row)
        unread = [{**r, "checks": {k: {**c, "confidence": None} for k, c in r["checks"].items()}} for r in records if "mine" in r.get("checks", {})]
        self.write("chains.jsonl", lines(*unread))  # both are there, and no chain is accepted or rejected by both
        row = self.eval("--recipe", "selfcheck:table2", "--baseline", "global")["series"][0]["rows"][0]
        self.assertEqual((row["baseline"], row.get("delta.tpr")), ("global", None))
        for args, says in ((("--baseline", "none"), "nothing to compare"),):
            ended = rederive("eval", "--recipe", "selfcheck:table2", *args, "chains.jsonl", cwd=self.folder)
            self.assert_ended(ended, 3)
            self.assertIn(says, ended.err)

    def test_votes_beside_a_baseline(self):
        """By how much more often votes that one check weighs are right than those that another weighs, question by question."""
        records = [{**r, "checks": {**r["checks"], "mine": {**r["checks"]["global"], "confidence": (i * 37 % 101) / 101}}}
                   if "global" in r.get("checks", {}) else r for i, r in enumerate(self.records)]
        self.write("chains.jsonl", lines(*records))

        def values(method, source, n):
            questions, out = {}, {}
            for c in (reference.chain_of(r, method, None) for r in records):
                if c["source"] == source:
                    questions.setdefault(c["question"], []).append(c)
            for q, some in questions.items():
                if len(some) >= n and all(c["checked"] and not c["skipped"] for c in some):
                    out[q] = reference.votes_of_question(some, n, q, 0)["accuracy.weighted"]
            return out

        for name, checks in (("table1", ["mine"]), ("fig2", ["mine"]), ("fig6", ["global", "single-stage", "mine"])):
            series = self.eval("--recipe", "selfcheck:" + name, "--baseline", "selfcheck")["series"]
            self.assertFalse([row for s in series if s["check"] == "selfcheck" for row in s["rows"] if "baseline" in row])
            for s in (s for s in series if s["check"] in checks):
                source = tuple(s[k] for k in reference.SOURCE)
                for row in (r for r in s["rows"] if r["n_chains"] in (1, 2, 9, 10)):
                    before, after = (values(c, source, row["n_chains"]) for c in ("selfcheck", s["check"]))
                    theirs = paired.gain(*([of[q] for q in after if q in before] for of in (before, after)))
                    self.assertEqual(row["baseline"], "selfcheck")
                    self.assert_has(row["delta.accuracy.weighted"], theirs, f"{name} {s['check']} {row['n_chains']}")
                    self.assertTrue(theirs["stderr"] or row["n_chains"] == 1)
            self.assertLessEqual(set(checks), {s["check"] for s in series})

    def votes_of(self, questions, baseline, mine):
        """Table 1's row of `mine`, beside `baseline`: two chains a question, of which the first is right."""
        def check(confidence):
            return {"verdicts": [{"step": 0, "verdict": "support"}], "confidence": confidence}
        self.write("chains.jsonl", lines(*(
            {"id": f"q{q}/{c}", "question_id": f"q{q}", "question": f"{q}?", "gold": "1", "answer": str(c + 1), "steps": ["a"],
             "checks": {"selfcheck": check(baseline[c]), "mine": check(mine[c])}, "method": "mine", **check(mine[c])}
            for q in range(questions) for c in range(2))))
        row, = (s["rows"][0] for s in self.eval("--recipe", "selfcheck:table1", "--baseline", "selfcheck")["series"] if s["check"] == "mine")
        return row

    def test_equal_differences_of_few_questions_have_no_interval(self):
        for questions in (3, 5, 6, 40):
            row = self.votes_of(questions, (0.5, 0.9), (0.9, 0.5))
            delta = row["delta.accuracy.weighted"]
            self.assertEqual((delta["value"], delta["n"], delta["stderr"]), (1, questions, 0))
            self.assertEqual(delta["ci_low"] is None, questions < 6, "the sign test of five has p = .0625")
            self.assertEqual(row["gain.weighted"]["ci_low"] is None, questions < 6)
            if questions >= 6:
                self.assertTrue(0 < delta["ci_low"] < 1, "equal differences have an interval with a width")

    def test_an_undefined_vote_has_no_difference(self):
        for baseline, mine in (((None, None), (0.9, 0.5)), ((0.5, 0.9), (None, None))):
            row = self.votes_of(8, baseline, mine)
            self.assertEqual((row["baseline"], row.get("delta.accuracy.weighted")), ("selfcheck", None), row)

    def check_balanced(self, balanced, pairs, parts, row):
        """The mean of both differences, with the error by leaving out each question in turn (the jackknife)."""
        def mean(left_out=None):
            sums = []
            for by in pairs.values():
                some = [p for q, p in by.items() if q != left_out]
                sums.append(sum(p[2] - p[0] for p in some) / sum(p[1] for p in some))
            return sum(sums) / 2
        questions = sorted({q for by in pairs.values() for q in by})
        values = [mean(q) for q in questions]
        n = len(values)
        se = math.sqrt((n - 1) / n * sum((v - sum(values) / n) ** 2 for v in values))
        self.assertAlmostEqual(balanced["value"], sum(parts) / 2)
        self.assertEqual(balanced["n"], n)
        self.assertAlmostEqual(balanced["stderr"], se, delta=0.05 * se)
        self.assertTrue(balanced["ci_low"] < balanced["value"] < balanced["ci_high"])
        for limit, sign in (("ci_low", -1), ("ci_high", 1)):
            far = [abs(row["delta." + rate][limit] - row["delta." + rate]["value"]) for rate in ("tpr", "tnr")]
            self.assertTrue(abs(far[0] - far[1]) / 2 - 1e-9 <= sign * (balanced[limit] - balanced["value"]) <= sum(far) / 2 + 1e-9)

    def test_more_than_50_chains(self):
        self.records = list(simulation.records(questions=4, chains=55))
        self.write("chains.jsonl", lines(*self.records))
        self.compare(names=("fig5",))

    def test_what_the_text_quotes(self):
        self.records = list(simulation.records(questions=40, skip=0.02, unchecked=0.02))
        self.write("chains.jsonl", lines(*self.records))
        for name in quoted.QUOTED:
            with self.subTest(recipe=name):
                ours = self.eval("--recipe", "selfcheck:" + name)
                self.assert_has(ours["quoted"], quoted.points(name, self.records), name)
                self.assertEqual("verdict_positions" in ours, name == "fig4")

    def test_where_verdicts_stand(self):
        records = list(simulation.records(questions=40))
        for record in records[::3]:  # some long chains, whose later steps are counted together
            record["steps"] = record["steps"] * 4
            record.pop("scores", None)
            for check in record["checks"].values():
                n = len(check["verdicts"])
                if check["verdicts"][0]["step"] is not None:  # not a verdict on the whole chain
                    check["verdicts"] = [{**v, "step": v["step"] + n * k} for k in range(4) for v in check["verdicts"]]
            record.update(record["checks"][record["method"]])
        self.write("chains.jsonl", lines(*records))
        ours = self.eval("--recipe", "selfcheck:fig4")["verdict_positions"]
        theirs = quoted.positions(records)
        self.assertIn("10+", {row["position"] for row in theirs})
        self.assert_has(ours, theirs, "verdict_positions")

    def test_only_the_first_check_of_figure_4_is_fitted_and_drawn(self):
        ours = self.eval("--recipe", "selfcheck:fig4", "--fit", "others.jsonl")
        self.assertEqual({series["check"] for series in ours["series"]}, {"selfcheck"})
        self.assertEqual([fit["check"] for fit in ours["fits"]], ["selfcheck"])
        self.assertEqual({row["check"] for row in ours["quoted"]}, set(reference.VARIANTS))

    def test_figures_use_fitted_settings(self):
        fitted = self.eval("--fit", "others.jsonl", "-w", "confidence:selfcheck")
        theirs = reference.compute("table2", self.records, learned=self.others)
        self.assert_has(fitted["figures"], theirs["series"][0]["rows"][0], "figures")
        self.assertEqual(len(fitted["fits"]), 1)

    def test_lambda_is_used_and_kept(self):
        given = self.eval("--recipe", "selfcheck:fig2", "--lambda", "2,0.1")
        self.assertEqual(given["settings"]["lambda_contradict"], 2)
        fitted = self.eval("--recipe", "selfcheck:fig2", "--lambda", "2,0.1", "--fit", "others.jsonl")
        self.assertEqual(fitted["series"], given["series"])
        self.assertFalse(fitted["fits"][0]["fitted_weights"])
        self.assertNotEqual(given["series"], self.eval("--recipe", "selfcheck:fig2")["series"])


class Documented(Case):
    def test_examples_run(self):
        self.write("chains.jsonl", lines(*simulation.records(questions=20)))
        self.write("others.jsonl", lines(*simulation.records(questions=20, first=100)))
        self.write("verified.jsonl", lines(*general_chains.records(questions=10)))
        self.write("verified-others.jsonl", lines(*general_chains.records(questions=6, prefix="other")))
        with open(os.path.join(os.environ["RDV_SOURCE"], "docs", "recipes.md"), encoding="utf-8") as file:
            examples = [line.split() for line in file
                        if line.startswith("rederive ") and "mistakes:" not in line]
        self.assertGreater(len(examples), 17)
        for example in examples:
            with self.subTest(example=" ".join(example)):
                ended = rederive(*example[1:], cwd=self.folder)
                self.assert_ended(ended, 0)
                self.assertTrue(ended.out or "--out" in example)


class Listed(Case):
    """The list of studies is what the documents are held to."""

    def test_every_recipe_is_documented_with_its_place(self):
        ended = rederive("eval", "--recipe", "list")
        self.assert_ended(ended, 0)
        with open(os.path.join(os.environ["RDV_SOURCE"], "docs", "recipes.md"), encoding="utf-8") as file:
            rows = [line.split("|")[1:3] for line in file if line.startswith("| `")]
        places = {name: place for names, place in rows for name in re.findall(r"`([a-z]+:\w+)`", names)}
        listed = re.findall(r"^(\S+)\s+((?:Table|Figs?\.|v2 Fig\.|(?:v2 )?section) [\d.]+)", ended.out, re.M)
        self.assertEqual(len(listed), len(ended.out.splitlines()))
        self.assertEqual({name for name, _ in listed}, set(places))
        for name, place in listed:
            number = place.rsplit(" ", 1)[1]
            self.assertIn(number, places[name], name)

    def test_names_that_are_no_recipe(self):
        for name, says in (("table1", "--recipe list"), ("evaluation", "--recipe list"), (":", "--recipe list"),
                           ("selfcheck:table9", "of selfcheck: there are table1, table2,")):
            ended = rederive("eval", "--recipe", name, stdin="")
            self.assert_ended(ended, 2)
            self.assertIn(says, ended.err)


class Refused(Case):
    def setUp(self):
        super().setUp()
        self.write("chains.jsonl", lines(*simulation.records(questions=6)))

    def assert_says(self, status, says, *args):
        ended = rederive("eval", *args, "chains.jsonl", cwd=self.folder)
        self.assert_ended(ended, status)
        self.assertIn(says, ended.err)
        self.assertEqual(ended.out, "")

    def test_fitted_and_reported_on_one_question(self):
        self.assert_says(2, "both fitted on and reported on", "--fit", "chains.jsonl")

    def test_nothing_to_fit_on(self):
        self.write("right.jsonl", lines(chain(question_id="other")))
        self.assert_says(3, "not both right and wrong", "--fit", "right.jsonl")
        self.assert_says(3, "missing.jsonl", "--fit", "missing.jsonl")
        self.assert_says(3, "of the 0 chains to fit on", "--fit", os.devnull)

    def test_standard_input_twice(self):
        ended = rederive("eval", "--fit", "-", cwd=self.folder)
        self.assert_ended(ended, 2)
        self.assertIn("cannot be both", ended.err)
        self.assert_says(2, "cannot be both", "--fit", "-", "-")

    def test_checks_that_are_not_there(self):
        self.assert_says(3, "no chain has the data for selfcheck:fig2: calculations",
                         "--recipe", "selfcheck:fig2", "-w", "confidence:calculations")

    def test_tables_without_a_baseline_say_why(self):
        n = 0
        for line in rederive("eval", "--recipe", "list").out.splitlines():
            name = line.split()[0]
            ended = rederive("eval", "--recipe", name, "--baseline", "x", *(() if name == "general:table6" else (os.devnull,)))
            if "--baseline has no effect" in ended.err and not name.startswith("prmbench"):
                self.assertRegex(ended.err, rf"--baseline has no effect on {name}: it")
                n += 1
        self.assertEqual(n, 23)

    def test_options(self):
        self.assert_says(2, "selfcheck:table1", "--recipe", "table1")
        for split in ("1", "1001", "", "two", "3x", "-2"):
            self.assert_says(2, "--split", "--split", split)
        self.assert_says(2, "L1 > L0", "--lambda", "0.2,0.5")
        self.assert_says(2, "--lambda", "--lambda", "2,0.5", "-w", "scores:prm")


class Tables(Case):
    def test_what_is_left_out_is_said(self):
        self.write("chains.jsonl", lines(*simulation.records(questions=12, skip=0.05, unchecked=0.05)))
        ended = rederive("eval", "-q", "-w", "confidence:selfcheck", "chains.jsonl", cwd=self.folder)
        self.assertIn("'solve --stop none' checks every chain", ended.out)
        ended = rederive("eval", "-q", "--recipe", "selfcheck:table1", "chains.jsonl", cwd=self.folder)
        self.assert_ended(ended, 0)
        for text in ("skipped by the check", "'solve --stop none' checks every chain", "without this check", "excluded", "±"):
            self.assertIn(text, ended.out)
        ended = rederive("eval", "-q", "--recipe", "selfcheck:table2", "chains.jsonl", cwd=self.folder)
        self.assertIn("and not fitted", ended.out)
        ended = rederive("eval", "-q", "--recipe", "selfcheck:table2", "--split", "2", "chains.jsonl",
                         cwd=self.folder)
        self.assertIn("fitted on the other parts of the input", ended.out)
        self.assertNotIn("and not fitted", ended.out)

    def test_makers_as_far_as_the_records_say(self):
        records = list(simulation.records(questions=4))
        for i, record in enumerate(records):
            del record["checker"]
            record["generator"] = "abc"[i // 20]
        self.write("chains.jsonl", lines(*records))
        ended = rederive("eval", "-q", "--json", "--recipe", "selfcheck:table1", "chains.jsonl",
                         cwd=self.folder)
        self.assert_ended(ended, 0)
        rows = [(s["generator"], s["checker"], s["n_questions"]) for s in json.loads(ended.out)["series"]]
        self.assertEqual(rows, [("a", None, 2), ("b", None, 2)])


if __name__ == "__main__":
    unittest.main()
