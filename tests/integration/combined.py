# SPDX-License-Identifier: Apache-2.0
"""eval --scorers and vote --weight combined:FILE, against tests/reference/combined_scorers.py."""
import json
import math
import os
import random
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["RDV_SOURCE"], "tests/reference"))
import combined_scorers as reference  # noqa: E402
from support import Case, lines, rederive  # noqa: E402

SCORERS = ["scores:good", "scores:weak", "scores:logits", "majority", "length"]


def clipped(x):
    return min(max(x, 0.001), 0.999)


def chains(questions, first=0, seed=0):
    """Chains whose scores know something: one scorer much, one little, one in log-odds and only for some chains."""
    draw = random.Random(1000 * seed + first)
    out = []
    for q in range(first, first + questions):
        ease = draw.random()
        for i in range(6):
            right = draw.random() < ease
            n = draw.randint(1, 4)
            answer = "5" if right else str(draw.randint(6, 7))
            scores = {"good": [clipped(draw.gauss(0.65 if right else 0.45, 0.2)) for _ in range(n)],
                      "weak": [clipped(draw.gauss(0.55 if right else 0.5, 0.3)) for _ in range(n)]}
            if draw.random() < 0.7:
                scores["logits"] = [draw.gauss(1.0 if right else -0.5, 2) for _ in range(n)]
            out.append({"question_id": f"q{q}", "id": f"q{q}/{i}", "question": f"What is 2 + 3, no. {q}?",
                        "steps": ["The answer follows."] * n, "answer": answer, "gold": "5", "correct": right,
                        "scores": scores})
    return out


class Combined(Case):
    def setUp(self):
        super().setUp()
        self.learned, self.seen = chains(60), chains(40, first=500)
        self.fit = self.write("fit.jsonl", lines(*self.learned))
        self.test = self.write("test.jsonl", lines(*self.seen))
        self.file = self.path("combined.json")

    def eval(self, *options, scorers=SCORERS, status=0):
        ended = rederive("eval", "-q", "--json", "--scorers", ",".join(scorers), *options)
        self.assert_ended(ended, status)
        return json.loads(ended.out)

    def model(self):
        with open(self.file, encoding="utf-8") as file:
            return json.load(file)

    def ballots(self, model, of):
        rows = reference.table_of([s["scorer"] for s in model["scorers"]], of)
        by_question = {}
        for question, right, answer, values in rows:
            by_question.setdefault(question, []).append((reference.weight(model, values), right, answer))
        return by_question

    def test_coefficients_are_the_minimum(self):
        out = self.eval("--fit", self.fit, "--fit-out", self.file, self.test)
        model = self.model()
        rows = reference.table_of(SCORERS, self.learned)
        standard = reference.standards(SCORERS, rows)
        for scorer, columns in zip(model["scorers"], standard):
            for feature, (mean, deviation) in zip(scorer["features"], columns):
                self.assertAlmostEqual(feature["mean"], mean, delta=1e-9)
                self.assertAlmostEqual(feature["deviation"], deviation, delta=1e-9)
        self.assertEqual([s["logits"] for s in model["scorers"]], [False, False, True, False, False])
        coefficients = [c for s in model["scorers"] for c in [f["coefficient"] for f in s["features"]] + [s["missing"]]]
        pairs = reference.pairs_of(rows, standard)
        far = reference.optimality(pairs, model["strength"], coefficients, reference.bounds(standard))
        self.assertLess(far, 1e-6)
        self.assertGreater(max(map(abs, coefficients)), 0.1)
        self.assertTrue(all(s["missing"] <= 0 for s in model["scorers"]))
        self.assertEqual(out["fits"][-1]["strength"], model["strength"])

    def test_votes(self):
        out = self.eval("--fit", self.fit, "--fit-out", self.file, self.test)
        row = next(r for r in out["scorers"] if r["scorer"] == "combined")
        majority = next(r for r in out["scorers"] if r["scorer"] == "majority")
        questions = self.ballots(self.model(), self.seen)
        self.assertEqual(row["n_questions"], len(questions))
        plain = {q: reference.vote([(1, *b[1:]) for b in bs]) for q, bs in questions.items()}
        for name, best in (("best", True), ("weighted", False)):
            mine = {q: reference.vote(bs, best) for q, bs in questions.items()}
            self.assertAlmostEqual(row["accuracy." + name]["value"], sum(mine.values()) / len(mine), delta=1e-12)
            gain = sum(mine[q] - plain[q] for q in mine) / len(mine)
            self.assertAlmostEqual(row["gain." + name]["value"], gain, delta=1e-12)
        self.assertAlmostEqual(majority["accuracy.weighted"]["value"], sum(plain.values()) / len(plain), delta=1e-12)
        self.assertGreater(row["accuracy.weighted"]["value"], majority["accuracy.weighted"]["value"])

    def test_vote_uses_the_file(self):
        out = self.eval("--fit", self.fit, "--fit-out", self.file, self.test)
        row = next(r for r in out["scorers"] if r["scorer"] == "combined")
        for select in ("weighted", "best"):
            ended = rederive("vote", "-q", "--json", "-w", "combined:" + self.file, "-s", select, self.test)
            self.assert_ended(ended, 0)
            mean = sum(r["expected_correct"] for r in ended.records) / len(ended.records)
            self.assertAlmostEqual(mean, row["accuracy." + select]["value"], delta=1e-12)
        stopped = rederive("vote", "-q", "--json", "-w", "combined:" + self.file, "--stop", "certain", self.test)
        whole = rederive("vote", "-q", "--json", "-w", "combined:" + self.file, self.test)
        self.assertEqual([r["answer"] for r in stopped.records], [r["answer"] for r in whole.records])
        self.assertLess(sum(r["n_chains_used"] for r in stopped.records), len(self.seen))

    def test_no_question_is_fitted_on_and_reported(self):
        """With folds, each part's coefficients are those of the other parts alone; the file has all of them."""
        folds = self.eval("--split", "3", "--fit-out", self.file, self.fit)
        self.assertEqual([f.get("fold") for f in folds["fits"]], [0, 1, 2, None])
        self.assertEqual(sum(f["n_questions"] for f in folds["fits"][:3]), 2 * folds["fits"][3]["n_questions"])
        half = self.eval("--split", "half", self.fit)
        self.assertLess(half["n_questions"], 60)
        ended = rederive("eval", "-q", "--scorers", "scores:good", "--fit", self.fit, self.fit)
        self.assert_ended(ended, 2)
        self.assertIn("would be both fitted on and reported on", ended.err)

    def test_what_is_missing_never_supports(self):
        """Where missing scores mark right chains in the data, the coefficient of missing is 0 and no more."""
        for chain in self.learned:
            chain["scores"] = {k: v for k, v in chain["scores"].items() if k == "good" and not chain["correct"]}
            chain["scores"]["weak"] = [0.5]
            chain["steps"] = ["."]
            if "good" in chain["scores"]:
                chain["scores"]["good"] = [0.5]
        path = self.write("missing.jsonl", lines(*self.learned))
        self.eval("--fit", path, "--fit-out", self.file, self.test, scorers=["scores:good", "scores:weak"])
        self.assertEqual(self.model()["scorers"][0]["missing"], 0)

    def test_what_is_missing_may_count_against(self):
        """Where missing scores mark wrong chains, the coefficient of missing is negative."""
        for c in self.learned:
            c["scores"] = {"good": [0.5], "weak": [0.5]} if c["correct"] else {"weak": [0.5]}
            c["steps"] = ["."]
        path = self.write("missing.jsonl", lines(*self.learned))
        self.eval("--fit", path, "--fit-out", self.file, self.test, scorers=["scores:good", "scores:weak"])
        self.assertLess(self.model()["scorers"][0]["missing"], -0.1)

    def test_a_missing_score_is_never_worth_more_than_one_as_usual(self):
        """Whatever was fitted: of two chains that differ in that alone, the one without the score never has more weight."""
        draw = random.Random(5)
        usual = math.log(0.7 / 0.3)  # of a step with the score 0.7, by each aggregate
        for _ in range(40):
            scorers = [{"scorer": "scores:" + name, "logits": False, "missing": -draw.choice([0, draw.random() * 3]),
                        "features": [{"feature": a, "mean": usual, "deviation": 0.5 + draw.random(), "coefficient": draw.gauss(0, 1)}
                                     for a in ("min", "mean", "last", "product")]} for name in "ab"]
            self.write("combined.json", json.dumps({"rederive_combined": 1, "strength": 1, "scorers": scorers}))
            rest = {"question": "1?", "question_id": "q", "steps": ["."], "gold": "1"}
            one = draw.random()
            for without in ({}, {"b": [None]}):
                records = [{**rest, "id": "full", "answer": "1", "scores": {"a": [one], "b": [0.7]}},
                           {**rest, "id": "less", "answer": "2", "scores": {"a": [one], **without}}]
                ended = rederive("vote", "-q", "-w", "combined:" + self.file, "-s", "best", stdin=lines(*records))
                self.assert_ended(ended, 0)
                [vote] = ended.records
                full, less = (vote["answers"][answer]["weight"] for answer in "12")
                if scorers[1]["missing"] == 0:
                    self.assertAlmostEqual(full, less, delta=1e-12)
                else:
                    self.assertGreater(full, less)

    def test_the_share_of_an_answer_is_of_the_chains_that_were_read(self):
        scorers = [{"scorer": "scores:a", "logits": False, "missing": 0,
                    "features": [{"feature": a, "mean": 0, "deviation": 1, "coefficient": 0}
                                 for a in ("min", "mean", "last", "product")]},
                   {"scorer": "majority", "logits": False, "missing": 0,
                    "features": [{"feature": "share", "mean": 0, "deviation": 1, "coefficient": 1}]}]
        self.write("combined.json", json.dumps({"rederive_combined": 1, "strength": 1, "scorers": scorers}))
        records = [{"question": "1?", "question_id": "q", "id": str(i), "steps": ["."], "scores": {"a": [0.5]}, "answer": answer}
                   for i, answer in enumerate(("1", None, "1", None))]
        ended = rederive("vote", "-q", "-w", "combined:" + self.file, "-s", "best", stdin=lines(*records))
        self.assert_ended(ended, 0)
        self.assertAlmostEqual(ended.records[0]["answers"]["1"]["weight"], 2.5 / 3, delta=1e-12)  # log-odds of the share

    def test_chains_without_any_score_cast_no_vote(self):
        bare = [{k: v for k, v in c.items() if k != "scores"} for c in self.seen]
        self.eval("--fit", self.fit, "--fit-out", self.file, self.test)
        ended = rederive("vote", "-q", "--json", "-w", "combined:" + self.file, stdin=lines(*bare))
        self.assert_ended(ended, 0)
        self.assertEqual({r["answer"] for r in ended.records}, {None})
        self.assertIn("no value of any scorer", ended.err)

    def test_mistakes_are_told(self):
        for options, why in ((["--scorers", "scores:good", self.test], "add --fit FILE or --split K"),
                             (["--scorers", "majority,length", "--split", "2", self.test], "no scorer looks at the steps"),
                             (["--scorers", "good", "--split", "2", self.test], "\"good\": a scorer is scores:NAME"),
                             (["--scorers", "scores:a,scores:a", "--split", "2", self.test], "named twice"),
                             (["--scorers", "scores:good", "-w", "scores:good", self.test], "--scorers cannot be combined with --weight"),
                             (["--scorers", "scores:good", "--recipe", "selfcheck:table1", self.test], "with --recipe"),
                             (["--scorers", "scores:good", "--split", "2", "--group", "x", self.test], "--group has no effect on --scorers"),
                             (["--fit-out", "x", self.test], "add --scorers")):
            ended = rederive("eval", "-q", *options)
            self.assertEqual(ended.status, 2, ended.err)
            self.assertIn(why, ended.err)
        ended = rederive("eval", "-q", "--scorers", "scores:none", "--split", "2", self.test)
        self.assertEqual(ended.status, 3)
        self.assertIn("no chain to fit on has a value of scores:none", ended.err)

    def test_an_aggregate_without_effect_is_an_error(self):
        self.eval("--fit", self.fit, "--fit-out", self.file, self.test)
        for arguments in (("-w", "combined:" + self.file), ("-w", "confidence"), ()):
            ended = rederive("vote", "-q", *arguments, "--aggregate", "mean", self.test)
            self.assert_ended(ended, 2)
            self.assertIn("--aggregate has no effect without --weight scores:NAME", ended.err)

    def test_bad_files_are_refused(self):
        self.eval("--fit", self.fit, "--fit-out", self.file, self.test)
        good = self.model()
        for change, why in ((lambda m: m.pop("rederive_combined"), "it is no file of combined scorers"),
                            (lambda m: m.update(rederive_combined=2), "its version is not 1"),
                            (lambda m: m["scorers"][0].update(missing=1), "\"missing\" must not be positive"),
                            (lambda m: m["scorers"][0].pop("logits"), "\"logits\" must be true or false"),
                            (lambda m: m["scorers"][0].update(logits="no"), "\"logits\" must be true or false"),
                            (lambda m: m["scorers"][0]["features"].pop(), "has 4 features"),
                            (lambda m: m["scorers"][0]["features"][0].update(deviation=0), "must be positive"),
                            (lambda m: m["scorers"][0].update(scorer="x"), "a scorer is scores:NAME"),
                            (lambda m: m.update(scorers=[]), "must be a list of 1 to 16")):
            model = json.loads(json.dumps(good))
            change(model)
            path = self.write("bad.json", json.dumps(model))
            ended = rederive("vote", "-q", "-w", "combined:" + path, self.test)
            self.assertEqual(ended.status, 2, ended.err)
            self.assertIn(why, ended.err)
            self.assertIn("bad.json", ended.err)
        ended = rederive("vote", "-q", "-w", "combined:" + self.path("none.json"), self.test)
        self.assertIn("No such file", ended.err)


if __name__ == "__main__":
    unittest.main()
