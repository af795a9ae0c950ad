# SPDX-License-Identifier: Apache-2.0
"""Training a step classifier, and using it, from the command line."""
import csv
import glob
import hashlib
import itertools
import json
import os
import shlex
import unittest

from support import Case, chain, lines, rederive

PROCESSBENCH = os.path.join(os.environ.get("RDV_SHARED", ""), "processbench", "code", "dataset")
FAST = ("--trees", "20", "--no-cross-validation")


def made(seed="0", share="0.5"):
    """Traces of all tasks, about half of them with a mistake."""
    return rederive("tasks", "-n", "20", "--mistakes", share, "--seed", seed).out


class Train(Case):
    def train(self, *args, stdin=None, status=0):
        ended = rederive("train", *args, stdin=made() if stdin is None else stdin, cwd=self.folder)
        self.assert_ended(ended, status)
        return ended

    def test_a_model_judges_other_chains(self):
        self.train("--out", "judge.rdvm", *FAST)
        self.write("others.jsonl", made("7", "1"))
        ended = rederive("check", "-q", "--method", "calculations,reward:judge.rdvm", "others.jsonl", cwd=self.folder)
        self.assert_ended(ended, 0)
        located = sum(record["first_error"] == record["label"] for record in ended.records)
        self.assertGreater(located, len(ended.records) / 2)
        for record in ended.records:
            self.assertEqual(record["method"], "reward:judge.rdvm")
            self.assertEqual(len(record["verdicts"]), len(record["steps"]))
            self.assertTrue(0 <= record["confidence"] <= 1)
            if isinstance(record["first_error"], int):
                self.assertIn("P(wrong)", record["verdicts"][record["first_error"]]["explanation"])

    def test_figures(self):
        ended = self.train("--json", "--trees", "20", "--folds", "tasks", "--hold-out", "word_sorting")
        report = json.loads(ended.out)
        held = [task["task"] for task in report["tasks"] if task["held_out"]]
        self.assertEqual(held, ["word_sorting"])
        self.assertEqual(len(report["tasks"]), 7)
        self.assertEqual(sum(row["n"] for row in report["calibration_bins"]),
                         sum(task["n_steps"] for task in report["tasks"] if not task["held_out"]))
        self.assertAlmostEqual(sum(report["feature_importances"].values()), 1)

    def test_a_name_that_holds_nothing_out_is_an_error(self):
        """Otherwise the task would be trained on, and reported as if it were not."""
        ended = self.train("--out", "judge.rdvm", *FAST, "--hold-out", "word_sorting", "--hold-out", "sorting", status=2)
        self.assertIn("--hold-out sorting has no effect: no labelled chain is of a task or file of that name", ended.err)
        self.assertFalse(os.path.exists(self.path("judge.rdvm")))

    def test_trees_chosen_by_validation(self):
        report = json.loads(self.train("--json", "--trees", "200", "--folds", "tasks", "--early-stopping").out)
        self.assertTrue(0 < report["n_trees"] <= 200)
        chosen = {task["task"]: task["n_trees"] for task in report["tasks"]}
        self.assertEqual(len(chosen), 7)
        self.assertTrue(all(0 < n <= 200 for n in chosen.values()), chosen)
        self.assertGreater(len({report["n_trees"], *chosen.values()}), 1)
        plain = json.loads(self.train("--json", "--trees", "10", "--folds", "tasks").out)
        self.assertEqual({10}, {plain["n_trees"], *(task["n_trees"] for task in plain["tasks"])})
        folds = json.loads(self.train("--json", "--trees", "10", "--early-stopping").out)
        self.assertEqual({task["n_trees"] for task in folds["tasks"]}, {None})
        out = self.train("--trees", "200", "--folds", "tasks", "--early-stopping").out
        self.assertIn(f"{chosen['word_sorting']:5} without word_sorting", out)

    def test_figures_for_people(self):
        out = self.train("--trees", "10").out
        for word in ("location", "Calibration", "Rule: threshold", "broken"):
            self.assertIn(word, out)

    def test_the_same_again(self):
        self.train("--out", "a.rdvm", "--name", "x", *FAST)
        self.train("--out", "b.rdvm", "--name", "x", *FAST)
        self.assertEqual(self.read("a.rdvm"), self.read("b.rdvm"))

    def test_families_left_out(self):
        report = json.loads(self.train("--json", "--no-position", "--without", "form,agreement", *FAST).out)
        self.assertFalse({"index", "tokens", "words_new"} & set(report["feature_importances"]))
        self.assertTrue(report["feature_importances"])

    def test_features_out(self):
        self.train("--features-out", "f.csv", *FAST, stdin=made() + lines(chain(id="no-label")))
        with open(self.path("f.csv"), encoding="utf-8") as file:
            rows = list(csv.DictReader(file))
        self.assertEqual(len({row["chain"] for row in rows}), 140)
        self.assertEqual({row["task"] for row in rows} >= {"word_sorting", "coin_flip"}, True)
        self.assertTrue(all(float(row["broken"]) >= 0 for row in rows))

    def test_settings_that_cannot_be_used(self):
        for args, word in ((("--folds", "2"), "--folds 2"), (("--folds", "some"), "--folds some"),
                           (("--without", "luck"), "--without luck"), (("--post-error-labels", "never"), "--post-error-labels"),
                           (("--trees", "0"), "--trees")):
            ended = self.train(*args, status=2)
            self.assertIn(word, ended.err)
            self.assertEqual(ended.err.count("\n"), 1, ended.err)

    def test_nothing_to_learn_from(self):
        ended = self.train("--out", "m.rdvm", stdin=lines(chain(label=None), chain(question="Why?", label=0)), status=3)
        self.assertIn("nothing to learn from", ended.err)
        self.assertRaises(FileNotFoundError, self.read, "m.rdvm")

    def test_models_that_come_with_the_program(self):
        """Each names its training data and their licences, and judges every step of a chain."""
        models = sorted(glob.glob(os.path.join(os.environ["RDV_SOURCE"], "models", "*.rdvm")))
        self.assertEqual([os.path.basename(m) for m in models], ["reward-math.rdvm", "reward-processbench.rdvm", "reward-traces.rdvm"])
        for model in models:
            with open(model, encoding="ascii") as file:
                head = [next(file).rstrip("\n") for _ in range(3)]
            self.assertEqual(head[1], "name " + os.path.basename(model)[:-len(".rdvm")])
            self.assertRegex(head[2], "^sources .*(MIT|Apache-2.0|rederive tasks)")
            with open(os.path.join(os.environ["RDV_SOURCE"], "docs", "reward.md"), encoding="utf-8") as file:
                self.assertIn(f"| `models/{os.path.basename(model)}` |", file.read())
            ended = rederive("check", "-q", "-m", "reward:" + model, stdin=lines(chain(steps=["1 + 1 = 3.", "So it is 3."])))
            verdicts = json.loads(ended.out)["verdicts"]
            self.assertEqual([v["verdict"] in ("support", "contradict", "unrelated") for v in verdicts], [True, True])

    def test_a_model_says_how_it_was_made(self):
        """By its options, and by the bytes of its files; a file without that line, of before, is read too."""
        self.train("--out", "a.rdvm", *FAST)
        self.write("chains.jsonl", made())
        self.train("--out", "b.rdvm", *FAST, "chains.jsonl")
        first, second = (self.read(f"{name}.rdvm").splitlines()[3] for name in "ab")
        self.assertRegex(first, "^made rederive train --rule threshold .* --seed [0-9]+ .*; sha256 of the files together: not known of standard input; ")
        with open(self.path("chains.jsonl"), "rb") as file:
            digest = hashlib.sha256(file.read()).hexdigest()
        self.assertRegex(second, f" chains.jsonl; sha256 of the files together: {digest}; rederive [0-9.]+$")

    @unittest.skipUnless(os.path.isdir(PROCESSBENCH), "no recorded data")
    def test_the_documented_command_made_the_model(self):
        root = os.environ["RDV_SOURCE"]
        with open(os.path.join(root, "models", "reward-processbench.rdvm"), encoding="ascii") as file:
            record = [next(file) for _ in range(4)][3]
        with open(os.path.join(root, "docs", "reward.md"), encoding="utf-8") as file:
            command = next(shlex.split(line) for line in file if line.startswith("rederive train") and "reward-processbench.rdvm" in line)
        files = [word for word in command if word.endswith(".jsonl")]
        digest = hashlib.sha256()
        for name in files:
            with open(os.path.join(PROCESSBENCH, name), "rb") as file:
                digest.update(file.read())
        self.assertIn(" ".join(files) + f"; sha256 of the files together: {digest.hexdigest()}; ", record)
        for option, value in itertools.pairwise(command):
            if option in ("--rule", "--post-error-labels", "--objective"):
                self.assertIn(f" {option} {value} ", record)

    def test_files_that_are_no_models(self):
        self.train("--out", "judge.rdvm", *FAST)
        text = self.read("judge.rdvm")
        self.write("cut.rdvm", text[:len(text) // 2])
        self.write("other.rdvm", text.replace("rederive-reward 2", "rederive-reward 9"))
        self.write("text.rdvm", "hello\n")
        for name, word in (("cut", "train the model again"), ("other", "version"), ("text", "no reward model"),
                           ("missing", "No such file")):
            ended = rederive("check", "--method", f"reward:{name}.rdvm", stdin=lines(chain()), cwd=self.folder)
            self.assertEqual(ended.status, 2, name)
            self.assertIn(word, ended.err)
            self.assertIn(f"{name}.rdvm", ended.err)


if __name__ == "__main__":
    unittest.main()
