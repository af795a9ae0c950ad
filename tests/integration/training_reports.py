# SPDX-License-Identifier: Apache-2.0
"""mistakes:table8: what 'train --json' reports of held-out tasks, as a table like the others."""
import json
import unittest

from support import Case, lines, rederive


def report(held_out, trees, chains=20, **more):
    return {"n_trees": trees, "tasks": [{"task": task, "held_out": task in held_out, "n_chains": chains} for task in "abc"], **more}


class Reports(Case):
    def table(self, *args, stdin=b"", status=0):
        ended = rederive("eval", "--recipe", "mistakes:table8", "-q", *args, stdin=stdin, cwd=self.folder)
        self.assert_ended(ended, status)
        return ended

    def test_what_train_prints(self):
        self.write("t.jsonl", "".join(rederive("tasks", "-q", "-t", t, "-n", "12", "--mistakes", "0.8").out
                                      for t in ("word_sorting", "coin_flip")))
        expected = []
        for task in ("word_sorting", "coin_flip"):
            trained = rederive("train", "--json", "--early-stopping", "--no-cross-validation", "--hold-out", task, "-q",
                               "--out", "judge.rdvm", "t.jsonl", cwd=self.folder)
            self.assert_ended(trained, 0)
            self.write(task + ".json", trained.out)
            expected.append({"task": task, "training_steps": json.loads(trained.out)["n_trees"], "n": 12})
        self.assertEqual(json.loads(self.table("--json", "word_sorting.json", "coin_flip.json").out)["rows"], expected)
        self.table("--tables", "of", stdin=self.read("word_sorting.json") + "\n" + self.read("coin_flip.json"))
        self.assertEqual(json.loads(self.read("of/table.json"))["rows"], expected)
        self.assertIn("word_sorting", self.read("of/table.html"))
        self.assertEqual(self.read("of/table.csv").splitlines()[1:],
                         [f"{r['task']},{r['training_steps']},{r['n']}" for r in expected])

    def test_no_report_counts_twice(self):
        ended = self.table(stdin=lines(report("a", 5), report("b", 6), report("a", 5)), status=2)
        self.assertEqual(ended.out, "")
        self.assertIn('standard input:3: a report that held out the task "a" was read before and would count twice', ended.err)

    def test_what_is_no_report(self):
        ended = self.table("--json", stdin=lines(report("", 5), "x", report("b", 7), {"question": "1?", "steps": ["1"]}), status=1)
        self.assertEqual([r["task"] for r in json.loads(ended.out)["rows"]], ["b"])
        self.assertEqual(json.loads(ended.out)["n_failed"], 3)
        self.assertIn("input:1: no report on a task that was held out; 'rederive train --hold-out TASK", ended.err)
        self.assertIn("input:2: is no JSON", ended.err)
        self.assertEqual(self.table(stdin=lines(report("", 5)), status=3).out, "")
        self.assertIn("no such file", self.table("none.json", status=3).err)

    def test_a_number_that_is_not_reported_is_absent(self):
        for trees in (None, "many", -1, 1e300, [3]):
            rows = json.loads(self.table("--json", stdin=lines(report("a", trees))).out)["rows"]
            self.assertEqual(rows, [{"task": "a", "training_steps": None, "n": 20}])

    def test_options_without_effect(self):
        for args in (("--join", "x"), ("--format", "gsm8k"), ("--seed", "1"), ("--gold-from", "x")):
            self.assertIn(f"{args[0]} has no effect on mistakes:table8", self.table(*args, status=2).err)
        for args, says in ((("--format", "gsm8k"), "--format has no effect on general:table6"), (("--strict",), "--strict has no effect"),
                           (("x.jsonl",), "x.jsonl: general:table6 takes no input")):
            ended = rederive("eval", "--recipe", "general:table6", *args)
            self.assert_ended(ended, 2)
            self.assertIn(says, ended.err)


if __name__ == "__main__":
    unittest.main()
