# SPDX-License-Identifier: Apache-2.0
"""The recipes of general-purpose verification, against an independent computation on simulated checks."""
import functools
import json
import math
import os
import random
import statistics
import sys
import unittest
from unittest import mock

from support import Case, chain, lines, rederive

sys.path.insert(0, os.path.join(os.environ["RDV_SOURCE"], "tests", "reference"))
import general as reference  # noqa: E402
import general_chains as simulation  # noqa: E402
import paired  # noqa: E402

NAMES = ("table1", "table2", "table4", "table5", "fig3", "fig4", "fig5", "fig7", "fig8", "fig9", "fig10", "fig11",
         "fig12", "fig14", "errors")
PAPER = {0: 0.19, 0.075: 0.22, 0.1: 0.23, 0.15: 0.26, 0.25: 0.31, 0.5: 0.48, 0.75: 0.72, 1: 0.98}


@functools.cache
def recorded():
    """The chains as text: each test reads its own, which it may change."""
    return lines(*simulation.records())


class Recipes(Case):
    def setUp(self):
        super().setUp()
        self.records = [json.loads(line) for line in recorded().splitlines()]
        self.write("verified.jsonl", recorded())

    def eval(self, name, *args, status=0):
        ended = rederive("eval", "-q", "--json", "--recipe", "general:" + name, *args, "verified.jsonl",
                         cwd=self.folder)
        self.assert_ended(ended, status)
        return json.loads(ended.out)

    def compare(self, *args, names=NAMES, **options):
        for name in names:
            with self.subTest(recipe=name):
                theirs = reference.compute(name, self.records, **options)
                self.assertTrue(theirs["rows"])
                self.assert_has(self.eval(name, *args), theirs, name)

    def test_as_recorded(self):
        self.compare()

    def test_other_settings(self):
        self.compare("--seed", "7", names=("fig3",), seed=7)
        self.compare("--floor", "0", names=("table1", "fig4"), floor=0)
        self.compare("--weights", "perplexity=0.5,math=3", names=("table4", "fig5"),
                     weights={"perplexity": 0.5, "math": 3})

    def test_profile_of_the_paper(self):
        """Section 3.5.1: no floor, and perplexity by the geometric mean of its step scores."""
        self.compare("--profile", "paper", names=("table1", "table2", "table4", "table5", "fig3", "fig4", "fig7"),
                     floor=0, over="steps")
        self.compare("--perplexity-over", "steps", names=("table2",), over="steps")
        self.compare("--profile", "paper", "--floor", "0.01", "--perplexity-over", "tokens", names=("table2",))
        self.assertNotEqual(self.eval("table2")["rows"], self.eval("table2", "--perplexity-over", "steps")["rows"])
        for args, says in (((), "profile robust; steps: geometric, floor 0.01; perplexity: over all tokens"),
                           (("--profile", "paper"), "profile paper; steps: geometric, floor 0; perplexity: over steps"),
                           (("-a", "min"), "profile robust; steps: min; perplexity: over steps")):
            self.assertIn(says, self.eval("table1", *args)["notes"])

    def test_the_verifiers_are_named_with_their_weights(self):
        """Two tables that combine others look the same but for their figures."""
        for args, says in (((), "relevance=1,math=1,consistency=1,perplexity=2"),
                           (("--verifiers", "math,perplexity", "--weights", "math=3"), "math=3,perplexity=2")):
            for name in ("table1", "table5", "fig3"):
                self.assertIn(f"weights of the verifiers: {says}", self.eval(name, *args)["notes"])
        without = [record for record in self.records if record.get("method") != "math"]
        for record in without:
            record["checks"].pop("math", None)
        self.write("verified.jsonl", lines(*without))
        self.assertIn("weights of the verifiers: relevance=1,consistency=1,perplexity=2", self.eval("table1")["notes"])

    def test_fitted_weights(self):
        others = list(simulation.records(questions=8, seed=5, prefix="other"))
        self.write("others.jsonl", lines(*others))
        weights = reference.fit(others)
        self.assertNotEqual(weights, reference.WEIGHTS)
        self.compare("--fit", "others.jsonl", names=("table1", "fig7"), weights=weights)
        note, = (n for n in self.eval("table1", "--fit", "others.jsonl")["notes"] if "fitted" in n)
        for name, weight in weights.items():
            self.assertIn(f"{name}={weight:g}", note)

    def test_nothing_is_reported_on_what_it_was_fitted_on(self):
        for args, says in ((("--fit", "verified.jsonl"), "both fitted on and reported on"),
                           (("--split", "half"), "takes no --split")):
            ended = rederive("eval", "--recipe", "general:table1", *args, "verified.jsonl", cwd=self.folder)
            self.assert_ended(ended, 2)
            self.assertIn(says, ended.err)

    def test_over_the_data_sets(self):
        """Sections 4.2 to 4.5: mean gains and the share of cases that gain, from the rows themselves."""
        for name, what, pairs in (("table1", "selection", [("best score", "random"), ("best score", "lowest perplexity")]),
                                  ("table2", "verifiers", [("perplexity", "none"), (None, "none")]),
                                  ("table5", "first_steps", [("1", "0"), ("2", "0"), (None, "0")])):
            out = self.eval(name)
            said = {r["comparison"]: r for r in out["data_sets"]}
            at = {(r["group"], r[what]): r["accuracy"]["value"] for r in out["rows"]}
            for a, b in pairs:
                gains = [value - at[group, b] for (group, key), value in at.items() if key == a or (a is None and key != b)]
                self.check_sets(said[f"{a or 'any'} - {b}"], gains)
        out = self.eval("fig7")
        row, = out["data_sets"]
        self.assertEqual(row["comparison"], "any - majority")
        self.check_sets(row, [r["accuracy.weighted"]["value"] - r["accuracy.majority"]["value"] for r in out["rows"] if r["n_chains"] > 1])
        self.assertNotIn("data_sets", self.eval("table1", "--group", "none"), "one data set has no mean over several")

    def check_sets(self, row, gains):
        self.assertEqual((row["n_cases"], row["n_better"]), (len(gains), sum(g > 1e-12 for g in gains)))
        self.assertAlmostEqual(row["better"], row["n_better"] / len(gains))
        self.assertAlmostEqual(row["mean"]["value"], statistics.mean(gains))
        self.assertAlmostEqual(row["mean"]["stderr"], statistics.stdev(gains) / math.sqrt(len(gains)))

    def test_figure_6_is_figure_3_of_all_data(self):
        self.assertEqual(self.eval("fig6")["rows"], self.eval("fig3")["rows"])

    def test_fewer_verifiers(self):
        rows = self.eval("table4", "--verifiers", "math,relevance")["rows"]
        self.assertEqual([r["verifiers"] for r in rows if r["group"] == "sums"],
                         ["none", "relevance", "math", "relevance + math"])
        best = self.eval("table1", "--verifiers", "math,relevance")["rows"]
        self.assertEqual(best[2]["accuracy"], rows[3]["accuracy"])

    def own(self):
        """The records with two checks of the user's: "tone" of steps, not all with a score, and "sure" of the whole chain."""
        rng = random.Random(3)
        for record in self.records:
            steps = record["steps"]
            if rng.random() < 0.1 or "checks" not in record:
                continue
            said = simulation.check("tone", steps, [rng.choice((None, 0, 0.4, 1, 1)) for _ in steps])
            for verdict in said["verdicts"]:
                verdict["score"] = verdict["score"] if rng.random() < 0.7 else None
            sure = {**simulation.check("sure", [], []), "confidence": rng.choice((None, 0.2, 0.9, rng.random())),
                    "verdicts": [{"step": None, "verdict": rng.choice(("support", "contradict", "unknown")), "score": None}]}
            record["checks"] = {**record["checks"], "tone": said, **({"sure": sure} if rng.random() < 0.9 else {})}
        self.write("verified.jsonl", lines(*self.records))
        names = (*reference.VERIFIERS, "tone", "sure")
        return mock.patch.multiple(reference, VERIFIERS=names, WEIGHTS={**reference.WEIGHTS, "tone": 1, "sure": 1})

    def test_own_verifiers(self):
        """A check of the user's stands beside the four in every table; one of the whole chain where the whole is scored."""
        with self.own():
            self.compare("--verifiers", "all,tone,sure", names=[n for n in NAMES if n not in ("fig9", "fig10", "fig11", "fig12")])
            self.compare("--verifiers", "all,tone,sure", "--weights", "tone=3,sure=0.5", names=("table1", "fig5"),
                         weights={"tone": 3, "sure": 0.5})
        rows = self.eval("table4", "--verifiers", "math,tone")["rows"]
        self.assertEqual([r["verifiers"] for r in rows if r["group"] == "sums"], ["none", "math", "tone", "math + tone"])
        self.assertIn("judges", " ".join(self.eval("table5", "--verifiers", "all,sure")["notes"]))

    def test_weights_of_own_verifiers_are_fitted(self):
        with self.own():
            others, self.records = self.records, list(simulation.records(questions=8, seed=5, prefix="other"))
            self.own()
            fitted, self.records = self.records, others
            self.write("others.jsonl", lines(*fitted))
            self.write("verified.jsonl", lines(*others))
            with mock.patch.object(reference, "VERIFIERS", ("math", "consistency", "tone")):
                weights = reference.fit(fitted)
                self.compare("--verifiers", "math,consistency,tone", "--fit", "others.jsonl", names=("table2",), weights=weights)
        ended = rederive("eval", "--recipe", "general:table1", "--verifiers", "math,tone,a", "--fit", "others.jsonl",
                         "verified.jsonl", cwd=self.folder)
        self.assert_ended(ended, 3)  # of a there is no check

    def test_own_verifiers_that_are_not_there(self):
        for args, status, says in ((("--verifiers", "all,nobody"), 3, 'no chain has a check by "nobody"'),
                                   (("--verifiers", "a,b,c,d,e"), 2, "at most 4 can be named"),
                                   (("--verifiers", "all,math"), 2, "math is named twice"),
                                   (("--weights", "tone=2"), 2, "is no verifier"),
                                   (("--baseline", "tone"), 2, "is none of the verifiers")):
            ended = rederive("eval", "--recipe", "general:table1", *args, "verified.jsonl", cwd=self.folder)
            self.assert_ended(ended, status)
            self.assertIn(says, ended.err)

    def test_an_own_verifier_of_which_nothing_was_read(self):
        """Its row says so, and the table of the others is as without it."""
        for r in self.records:
            r.setdefault("checks", {})["mute"] = {"verdicts": [{"step": i, "verdict": "unknown"} for i in range(len(r["steps"]))],
                                                  "confidence": None}
        self.write("verified.jsonl", lines(*self.records))
        for name in ("table1", "table2", "table4", "table5", "fig3", "fig4", "fig5", "fig7", "fig13", "fig14", "errors"):
            with_it, without = self.eval(name, "--verifiers", "all,mute"), self.eval(name)
            own = [r for r in with_it["rows"] if "mute" in (r.get("verifiers"), r.get("score"), r.get("detector"))]
            self.assertEqual([r for r in with_it["rows"] if r not in own], without["rows"], name)
            if name in ("table2", "table4"):
                self.assertEqual({r["accuracy"] and r["accuracy"]["value"] for r in own}, {None})
                self.assertTrue(own, name)
            if name in ("table1", "table4", "fig7"):
                self.assertIn("mute: nothing was read of its checks, so it takes no part", with_it["notes"])

    def test_difference_to_a_baseline(self):
        """By how much the choice by some verifiers is better than that by others, on the same questions."""
        options = {"floor": 0.01, "weights": reference.WEIGHTS, "over": "tokens"}

        def scored(name, there):
            of = {"random": (), "none": (), "best score": there}.get(name, tuple(name.split(" + ")))
            if name == "lowest perplexity":
                return lambda c: reference.verifier_score(c, "perplexity", c["steps"], 0)
            return (lambda c: reference.score(c, of, options)) if of else reference.nothing

        for recipe, what, asked, baseline in (("table2", "verifiers", "perplexity", "perplexity"),
                                              ("table4", "verifiers", "relevance,consistency", "relevance + consistency"),
                                              ("table4", "verifiers", "none", "none"),
                                              ("table1", "selection", "perplexity", "lowest perplexity")):
            rows = self.eval(recipe, "--baseline", asked)["rows"]
            for source, chains in reference.groups_of(self.records).items():
                questions, there = reference.questions_of(chains), reference.available(chains)
                before = reference.single(questions, scored(baseline, there))
                for row in (r for r in rows if r["group"] == source[0]):
                    if row[what] == baseline:
                        self.assertNotIn("baseline", row)
                        continue
                    after = reference.single(questions, scored(row[what], there))
                    self.assertEqual(row["baseline"], "perplexity" if recipe == "table1" else baseline)
                    self.assert_has(row["delta.accuracy"], paired.gain(before, after), row)
            self.assertNotIn("delta.accuracy", self.eval(recipe)["rows"][0])

    def test_one_group(self):
        self.assertEqual({r["group"] for r in self.eval("table1", "--group", "none")["rows"]}, {None})

    def test_each_annotator(self):
        rows = self.eval("fig13")["rows"]
        self.assertEqual([r["annotator"] for r in rows[:3]], ["ann", "ben", "cat"])
        self.assertEqual({r["criterion"] for r in rows}, {"relevance", "math", "consistency", "correct"})

    def test_by_the_program_s_own_checks(self):
        """What check writes is what the recipes read: math without a model, perplexity from the chain."""
        self.records = [{k: v for k, v in r.items() if k not in ("checks", "method", "verdicts")}
                        for r in self.records if "logprobs" in r]
        for i, record in enumerate(self.records):
            record["steps"] = ["2 + 2 = 4" if i % 3 else "2 + 2 = 5" for _ in record["steps"]]
        self.write("chains.jsonl", lines(*self.records))
        checked = rederive("check", "-q", "-m", "math,perplexity", "--math", "native", "--out", "verified.jsonl",
                           "chains.jsonl", cwd=self.folder)
        self.assert_ended(checked, 0)
        self.records = [json.loads(line) for line in self.read("verified.jsonl").splitlines()]
        self.compare(names=("table1", "table4"))
        verifiers = {r["verifiers"] for r in self.eval("table4")["rows"]}
        self.assertEqual(verifiers, {"none", "math", "perplexity", "math + perplexity"})


class Simulation(Case):
    def test_table_6(self):
        """Every figure within 0.02 of the paper's, and in its order; without any input."""
        outputs = set()
        for seed in ("0", "1"):
            ended = rederive("eval", "--json", "--recipe", "general:table6", "--seed", seed)
            self.assert_ended(ended, 0)
            outputs.add(ended.out)
            rows = json.loads(ended.out)["rows"]
            self.assertEqual({r["correlation"]: r["paper"] for r in rows}, PAPER)
            scores = [r["score"]["value"] for r in rows]
            self.assertEqual(scores, sorted(scores))
            for row in rows:
                self.assertLessEqual(abs(row["score"]["value"] - row["paper"]), 0.02)
                self.assertLess(row["score"]["stderr"], 0.003)
        self.assertEqual(len(outputs), 2)

    def test_either_correlation(self):
        """Of the normal variables of the copula, Pearson's r of the scores is 6/pi asin(rho/2); with 2 sin(pi r/6) it is r."""
        rows = json.loads(rederive("eval", "--json", "--recipe", "general:table6").out)["rows"]
        normal, rng, n = statistics.NormalDist(), random.Random(1), 1000
        for row in rows:
            self.assertAlmostEqual(row["pearson_r"], 6 / math.pi * math.asin(row["correlation"] / 2), delta=0.01)
            self.assertAlmostEqual(row["difference.pearson"], row["score.pearson"]["value"] - row["paper"])
        row, = (r for r in rows if r["correlation"] == 0.5)
        rho, chance, right, pairs = 2 * math.sin(math.pi * 0.5 / 6), 0.19 ** 0.25, 0, []
        for _ in range(n):
            best = (-1, False)
            for _ in range(40):
                steps = [(h, normal.cdf(rho * h + math.sqrt(1 - rho * rho) * rng.gauss(0, 1))) for h in (rng.gauss(0, 1) for _ in range(4))]
                best = max(best, (math.prod(v for _, v in steps), all(normal.cdf(h) > 1 - chance for h, _ in steps)))
            pairs += [(normal.cdf(h), v) for h, v in steps]
            right += best[1]
        self.assertAlmostEqual(statistics.correlation(*zip(*pairs)), 0.5, delta=4 / math.sqrt(len(pairs)))
        self.assertAlmostEqual(right / n, row["score.pearson"]["value"], delta=4 * math.sqrt(0.25 / n))
        self.assertGreater(row["score.pearson"]["value"], row["score"]["value"] + 0.005)


class Refused(Case):
    def assert_says(self, says, *args, status=2, records=None):
        self.write("chains.jsonl", lines(*(records or [chain()])))
        ended = rederive("eval", *args, "chains.jsonl", cwd=self.folder)
        self.assert_ended(ended, status)
        self.assertIn(says, ended.err)

    def test_unknown_answers(self):
        """Chains without an answer of which nothing is known are no wrong answers."""
        records = list(simulation.records(questions=4))
        for record in records:
            if record["question_id"] == records[0]["question_id"]:
                record.update(answer=None, gold=None)
        self.write("chains.jsonl", lines(*records))
        ended = rederive("eval", "--json", "--recipe", "general:table1", "chains.jsonl", cwd=self.folder)
        self.assert_ended(ended, 0)
        self.assertIn("1 questions of which it is not known which chains are right, left out",
                      json.loads(ended.out)["notes"])

    def test_usage(self):
        self.assert_says("which fits nothing", "--recipe", "general:fig9", "--fit", "chains.jsonl")
        self.assert_says("of general: there are table1", "--recipe", "general:table9")
        self.assert_says('no chain has a check by "relevant"', "--recipe", "general:table1", "--verifiers", "relevant", status=3,
                         records=list(simulation.records(questions=2)))
        self.assert_says("is no verifier", "--recipe", "general:table1", "--verifiers", "math,,perplexity")
        self.assert_says("weigh nothing", "--recipe", "general:table1", "--verifiers", "math", "--weights", "math=0")

    def test_nothing_to_compute(self):
        self.assert_says("no chain has what general:table1 needs", "--recipe", "general:table1", status=3)
        self.assert_says("step_labels", "--recipe", "general:fig5", status=3)
        self.assert_says("no chain has step_labels", "--recipe", "general:fig9", status=3)

    def test_unavailable_is_no_number(self):
        records = [r for r in simulation.records(questions=3) if "relevance" in r.get("checks", {})]
        for record in records:
            record.pop("logprobs", None)
            record["checks"].pop("perplexity", None)
            record.update(record["checks"]["relevance"])  # the last check stands at the top
        self.write("chains.jsonl", lines(*records))
        ended = rederive("eval", "--json", "--recipe", "general:table1", "chains.jsonl", cwd=self.folder)
        self.assert_ended(ended, 0)
        lowest = json.loads(ended.out)["rows"][1]
        self.assertEqual(lowest["selection"], "lowest perplexity")
        self.assertIsNone(lowest["accuracy"]["value"])
        self.assertIn("perplexity: unavailable", " ".join(json.loads(ended.out)["notes"]))


if __name__ == "__main__":
    unittest.main()
