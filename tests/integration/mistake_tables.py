# SPDX-License-Identifier: Apache-2.0
"""The recipes of the third paper, against an independent computation."""
import glob
import json
import math
import os
import random
import sys
import unittest

from support import Case, lines, rederive

sys.path.insert(0, os.path.join(os.environ["RDV_SOURCE"], "tests", "reference"))
import mistakes as reference  # noqa: E402
import paired  # noqa: E402

NAMES = ("table2", "table4", "table5", "table6", "table7", "table9", "fig1", "fig2")
RELEASE = os.path.join(os.environ["RDV_SHARED"], "big-bench-mistake")
NEAR = 1e-9


def check_of(rng, n, label):
    """Verdicts that know a little of the label; some of them unknown, some checks all of them."""
    verdicts, first = [], None
    silent = rng.random() < 0.1
    for step in range(n):
        wrong = rng.random() < (0.7 if step == label else 0.1)
        unknown = silent or rng.random() < 0.1
        verdicts.append({"step": step, "score": None if unknown else round(rng.random() * 4) / 4,
                         "verdict": "unknown" if unknown else "contradict" if wrong else "support"})
        if first is None and verdicts[-1]["verdict"] == "contradict":
            first = step
    return {"verdicts": verdicts, "first_error": first, "confidence": None if silent else 0.5}


def traces(seed, repaired=()):
    rng = random.Random(seed)
    for task, share in (("sums", 0.1), ("dyck_languages", 0.5), ("words", 0.28)):
        for i in range(40):
            n = rng.randint(1, 7)
            right = rng.random() < share
            label = rng.choice([None, *range(n)])
            record = {"id": f"{task}-{i}", "task": task, "question": f"{task} number {i}?",
                      "answer_type": "text", "steps": [f"step {k}" for k in range(n)],
                      "answer": "yes" if right else rng.choice(["no", "maybe"]), "gold": "yes",
                      "label": label}
            checks = {name: check_of(rng, n, label) for name in ("one", "two")
                      if rng.random() < 0.9}
            if checks:
                last = list(checks)[-1]
                record.update(checks=checks, method=last, **checks[last])
            yield record
            for locator in repaired:
                changed = rng.random() < 0.6
                after = rng.choice(["yes", "no"]) if changed else record["answer"]
                repair = {"locator": locator, "stop_reason": "rounds", "changed": changed,
                          "answer_before": record["answer"], "n_steps_before": n,
                          "n_calls": rng.randint(0, 20)}
                yield {**{k: record[k] for k in ("id", "task", "question", "answer_type", "gold", "steps")},
                       "answer": after, "repair": repair, "repairs": []}


class Comparing(Case):
    def eval(self, name, *args):
        ended = rederive("eval", "-q", "--json", "--recipe", "mistakes:" + name, *args, cwd=self.folder)
        self.assert_ended(ended, 0)
        return json.loads(ended.out)["rows"]

    def assert_same(self, ours, theirs, where):
        self.assertEqual([[r.get(name) for name in reference.LABELS] for r in ours],
                         [[r.get(name) for name in reference.LABELS] for r in theirs], where)
        for a, b in zip(ours, theirs):
            for name, value in b.items():
                if name in reference.LABELS:
                    continue
                here = f"{where} {b.get('check', b.get('locator'))} {b['task']} {name}"
                if isinstance(value, dict):
                    self.assertEqual(a[name]["n"], value["n"], here)
                    value, a = value["value"], {**a, name: a[name]["value"]}
                if isinstance(value, float) and a[name] is not None:
                    self.assertAlmostEqual(a[name], value, delta=NEAR, msg=here)
                else:
                    self.assertEqual(a[name], value, here)


class Tables(Comparing):
    def compare(self, records, names=NAMES, seed=0):
        self.write("in.jsonl", lines(*records))
        made = [reference.trace_of(r) for r in records]
        for name in names:
            with self.subTest(recipe=name):
                theirs = reference.compute("mistakes:" + name, made, seed)
                self.assertTrue(theirs)
                self.assert_same(self.eval(name, "--seed", str(seed), "in.jsonl"), theirs, name)

    def test_checks(self):
        self.compare(list(traces(1)), names=("table2", "table4", "table5", "table7", "table9", "fig1"))

    def test_another_seed_draws_others(self):
        self.compare(list(traces(2)), names=("table2", "table4"), seed=5)
        drawn = [self.eval("table4", "--seed", str(seed), "in.jsonl")[2] for seed in range(3)]
        self.assertGreater(len({row["location"]["value"] for row in drawn}), 1)

    def test_repairs(self):
        locators = ("gold", "random", "simulated:0.5", "simulated:75%", "simulated:0.25")
        some = [r for r in traces(3, locators) if "repair" in r]
        self.compare(some, names=("table6", "fig2"))
        rows = self.eval("fig2", "in.jsonl")
        self.assertEqual([row["accuracy"] for row in rows if row["task"] == "sums"],
                         [0.25, 0.5, 0.75])

    def test_repairs_beside_a_baseline(self):
        """By how much more often repairs by one locator end right than those by another, of the same traces."""
        some = [r for r in traces(6, ("gold", "random", "simulated:0.5")) if "repair" in r]
        some = [r for i, r in enumerate(some) if r["repair"]["locator"] != "random" or i % 7]  # not all by both
        self.write("in.jsonl", lines(*some))
        for name, others in (("table6", {"gold", "simulated:0.5"}), ("fig2", {"simulated:0.5"})):
            rows = self.eval(name, "--baseline", "random", "in.jsonl")
            plain = [{k: v for k, v in r.items() if k not in ("baseline", "delta.accuracy")} for r in rows]
            self.assertEqual(plain, self.eval(name, "in.jsonl"))
            for row in (r for r in rows if r["task"] and not r["subsampled"]):
                if row["locator"] == "random":
                    self.assertNotIn("baseline", row)
                    continue
                right = {locator: {r["id"]: r["answer"] == r["gold"] for r in some
                                   if (r["repair"]["locator"], r["task"]) == (locator, row["task"])} for locator in ("random", row["locator"])}
                both = [i for i in right["random"] if i in right[row["locator"]]]
                theirs = paired.gain(*([float(of[i]) for i in both] for of in right.values()))
                self.assertEqual(row["baseline"], "random")
                for k, v in theirs.items():
                    self.assertAlmostEqual(row["delta.accuracy"][k], v, msg=(name, row["locator"], k))
                others.discard(row["locator"])
            self.assertFalse(others)
        ended = rederive("eval", "-q", "--recipe", "mistakes:table6", "--baseline", "nobody", "in.jsonl", cwd=self.folder)
        self.assert_ended(ended, 3)
        self.assertIn("no trace was repaired by it and by another locator", ended.err)

    def test_projected_accuracies(self):
        """Section 4.1.2: 50 % becomes 68.6 % with the paper's changes; so do ours, with their errors."""
        self.write("in.jsonl", lines(*(r for r in traces(5, ("gold", "random")) if "repair" in r)))
        ended = rederive("eval", "-q", "--json", "--recipe", "mistakes:table6", "in.jsonl", cwd=self.folder)
        out = json.loads(ended.out)
        changes = {(r["locator"], r["task"]): (r["delta.correct"], r["delta.incorrect"]) for r in out["rows"]
                   if r["task"] and not r["subsampled"]}
        self.assertEqual({(r["locator"], r["task"]) for r in out["projected"]}, set(changes))
        for row in out["projected"]:
            lost, gained = changes[row["locator"], row["task"]]
            for share in (25, 50, 75, 90, 99):
                a, after = share / 100, row[f"after.{share}"]
                self.assertAlmostEqual(after["value"], a * (1 + lost["value"]) + (1 - a) * gained["value"])
                self.assertAlmostEqual(after["stderr"], math.hypot(a * lost["stderr"], (1 - a) * gained["stderr"]))
            a = row["break_even"]
            self.assertAlmostEqual(a * (1 + lost["value"]) + (1 - a) * gained["value"], a)
        self.assertAlmostEqual(0.5 * (1 - 0.0667) + 0.5 * 0.4392, 0.686, delta=5e-4)
        self.assertAlmostEqual(0.99 * (1 - 0.0667) + 0.01 * 0.4392, 0.928, delta=5e-4)

    def test_intervals_hold_their_values(self):
        self.write("in.jsonl", lines(*traces(4, ("gold",))))
        for name in ("table4", "table6"):
            for row in self.eval(name, "in.jsonl"):
                for cell in (c for c in row.values() if isinstance(c, dict) and c["stderr"] is not None):
                    self.assertLessEqual(cell["ci_low"], cell["value"])
                    self.assertLessEqual(cell["value"], cell["ci_high"])

    def test_agreement(self):
        """Three annotators: agreed on all but one location of four."""
        marks = [[0, 0, 0], [1, 1, 1], [None, None, None], [2, 2, 1]]
        records = [{"id": f"t/{i}", "question": f"q{i}", "steps": ["a", "b", "c"], "answer": "x",
                    "step_labels": [{"annotator": f"p{k}", "criterion": "correct",
                                     "labels": [s < (3 if m is None else m) for s in range(3)]}
                                    for k, m in enumerate(by)]} for i, by in enumerate(marks)]
        self.write("in.jsonl", lines(*records))
        row, = self.eval("table3", "in.jsonl")
        # 12 values, 0: 3, 1: 4, 2: 2, none: 3; 2 of 12 disagreeing pairs (weighted) observed
        expected = 1 - (12 - 1) * 2 / (144 - (9 + 16 + 4 + 9))
        self.assertAlmostEqual(row["alpha.location"]["value"], expected, places=12)
        self.assertEqual((row["n_annotators"], row["n"]), (3, 4))

    def renamed(self, seed, **names):
        for record in traces(seed):
            if "checks" in record:
                record["checks"] = {names.get(k, k): v for k, v in record["checks"].items()}
                record.update(method=names.get(record["method"], record["method"]), checker="M")
            yield record

    def test_difference_to_a_baseline(self):
        for args, names, recipe in ((("--baseline", "two"), {}, "table4"), (("--baseline", "one"), {}, "table7"),
                                    ((), {"two": "direct-trace-0shot"}, "table7"),
                                    ((), {"one": "cot-step", "two": "cot-step-0shot"}, "table7")):
            with self.subTest(args=args, names=names):
                records = list(self.renamed(5, **names))
                self.write("in.jsonl", lines(*records))
                made = [reference.trace_of(r) for r in records]
                baseline = args[1] if args else names["two"]
                rows = self.eval(recipe, *args, "in.jsonl")
                self.assertEqual({r.get("baseline") for r in rows if r["check"] == baseline}, {None})
                compared = [r for r in rows if r["check"] != baseline]
                self.assertEqual({r["baseline"] for r in compared}, {baseline})
                tasks = [r for r in compared if r["task"] and not r["subsampled"]]
                for row in tasks:
                    some = [t for t in made if t["task"][0] == row["task"]]
                    theirs = reference.difference(some, (row["check"], "M", None, None), (baseline, "M", None, None))
                    ours = row["delta.location"]
                    for name, value in theirs.items():
                        self.assertAlmostEqual(ours[name], value, delta=0.01 if name == "stderr" else NEAR, msg=name)
                    self.assertLessEqual(ours["ci_low"], ours["value"])
                    self.assertLessEqual(ours["value"], ours["ci_high"])
                mean, = (r["delta.location"] for r in compared if not r["task"] and not r["subsampled"])
                values = [r["delta.location"] for r in tasks]
                self.assertAlmostEqual(mean["value"], sum(v["value"] for v in values) / len(values), delta=NEAR)
                self.assertAlmostEqual(mean["stderr"], sum(v["stderr"] ** 2 for v in values) ** 0.5 / len(values), delta=NEAR)

    def test_the_other_tables_beside_a_baseline(self):
        """Table 9 and Fig. 1: of traces without and with a mistake; Table 5: of the weighted F1, with the jackknife's error."""
        records = list(self.renamed(5))
        self.write("in.jsonl", lines(*records))
        made = [reference.trace_of(r) for r in records]
        one, two = (("one", "M", None, None), ("two", "M", None, None))
        rows = {r["task"]: r for r in self.eval("table9", "--baseline", "two", "in.jsonl") if r["check"] == "one" and not r["subsampled"]}
        for task, row in rows.items():
            for part, has in (("without_mistake", False), ("with_mistake", True)):
                some = [t for t in made if t["task"][0] == task and t["labelled"] and (t["label"] is not None) == has]
                self.near(row["delta." + part], reference.difference(some, one, two))
        mean, = (r for r in self.eval("fig1", "--baseline", "two", "in.jsonl") if r["check"] == "one" and not r["subsampled"])
        for part in ("delta.without_mistake", "delta.with_mistake"):
            self.assertAlmostEqual(mean[part]["value"], sum(r[part]["value"] for r in rows.values()) / len(rows), delta=NEAR)
        self.assertEqual(mean["baseline"], "two")
        for row in self.eval("table5", "--baseline", "two", "in.jsonl"):
            if row["check"] != "one" or row["subsampled"]:
                self.assertTrue(row["subsampled"] or "baseline" not in row)
                continue
            some = [t for t in made if t["task"][0] == row["task"] and one in t["checks"] and two in t["checks"]]

            def f1(left_out=None, some=some):
                kept = [t for i, t in enumerate(some) if i != left_out]
                return [reference.weighted_f1([(t["right"], None if f == "nothing" else f is None) for t, f in
                                               ((t, reference.found(t["checks"][name], t["steps"])) for t in kept)])["value"]
                        for name in (two, one)]
            before, after = f1()
            drops = [a - b for b, a in (f1(i) for i in range(len(some)))]
            n, centre = len(drops), sum(drops) / len(drops)
            self.assertAlmostEqual(row["delta.weighted_f1"]["value"], after - before, delta=NEAR)
            self.assertAlmostEqual(row["delta.weighted_f1"]["stderr"], ((n - 1) / n * sum((d - centre) ** 2 for d in drops)) ** 0.5,
                                   delta=0.05 * row["delta.weighted_f1"]["stderr"])

    def near(self, ours, theirs):
        for name, value in theirs.items():
            self.assertAlmostEqual(ours[name], value, delta=0.01 if name == "stderr" else NEAR, msg=name)

    def test_the_baseline_of_table_7_is_the_best_zero_shot_prompt(self):
        """That with the highest mean over tasks, whichever was named first."""
        for one, two in (("direct-trace-0shot", "direct-step-0shot"), ("direct-step-0shot", "direct-trace-0shot")):
            records = list(self.renamed(6, one=one, two=two))
            for record in records:
                if one in record.get("checks", {}):
                    record["checks"] = {"reward:x": record["checks"][one], **record["checks"]}
            self.write("in.jsonl", lines(*records))
            rows = self.eval("table7", "in.jsonl")
            mean = {r["check"]: r["location"]["value"] for r in rows if not r["task"] and not r["subsampled"]}
            best = max((one, two), key=mean.get)
            self.assertNotEqual(mean[one], mean[two])
            self.assertEqual({r["baseline"] for r in rows if r["check"] == "reward:x"}, {best})

    def test_baselines_that_are_not_there(self):
        self.write("in.jsonl", lines(*traces(5)))
        self.assertNotIn("delta.location", self.eval("table7", "in.jsonl")[0])
        self.assertNotIn("delta.location", rederive("eval", "--recipe", "mistakes:table7", "in.jsonl", cwd=self.folder).out)
        ended = rederive("eval", "--recipe", "mistakes:table4", "--baseline", "three", "in.jsonl", cwd=self.folder)
        self.assert_ended(ended, 3)
        self.assertIn("--baseline three: nothing to compare", ended.err)

    def test_nothing_to_compute(self):
        self.write("in.jsonl", lines({"id": "a/1", "question": "q", "steps": ["s"], "answer": "1"}))
        for name in ("table3", "table4", "table5", "table6", "fig2"):
            ended = rederive("eval", "-q", "--recipe", "mistakes:" + name, "in.jsonl", cwd=self.folder)
            self.assert_ended(ended, 3)
            self.assertIn("it needs", ended.err)

    def test_an_option_is_the_same_with_brackets_and_without(self):
        self.write("in.jsonl", lines(*({"id": f"a/{n}", "task": "t", "question": f"q{n}", "steps": ["s"], "answer": answer,
                                        "gold": "(B)", "label": None, "answer_type": "option", "options": ["x", "y"]}
                                       for n, answer in enumerate(("B", "(B)", "(A)", "b)")))))
        row, = (r for r in self.eval("table2", "in.jsonl") if r["task"] == "t" and not r["subsampled"])
        self.assertEqual((row["n_traces"], row["n_correct"]), (4, 2))

    def test_what_does_not_go_together(self):
        self.write("in.jsonl", lines(*traces(1)))
        ended = rederive("eval", "--recipe", "mistakes:table4", "--split", "3", "in.jsonl",
                         cwd=self.folder)
        self.assert_ended(ended, 2)


@unittest.skipUnless(os.path.isdir(RELEASE), "the released traces are not here")
class Release(Comparing):
    """On what is at hand of the release, read as published."""

    FILES = sorted(glob.glob(os.path.join(RELEASE, "*.jsonl")))

    def test_table2(self):
        theirs = reference.compute("mistakes:table2", list(reference.read(self.FILES)))
        rows = self.eval("table2", *self.FILES)
        self.assert_same(rows, theirs, "table2")
        self.assertEqual(sum(row["n_traces"] for row in rows if not row["subsampled"]),
                         sum(1 for name in self.FILES for _ in open(name, encoding="utf-8")))


if __name__ == "__main__":
    unittest.main()
