# SPDX-License-Identifier: Apache-2.0
"""Every option of eval has an effect on a study, or is refused there: all recipes by all options."""
import json
import os
import unittest

from recipe_inputs import RECIPES, write_inputs
from support import Case, rederive

# What is added to a command line, and to a line that makes room for it; one of them has to change the table.
OPTIONS = {
    "--threshold": [((), ("0.9",)), ((), ("0.1",))],
    "--weight": [((), ("majority",)), ((), ("confidence:global",))],
    "--lambda": [((), ("3,0.1",))],
    "--unknown": [((), ("contradict",)), (("--lambda", "1,0.3"), ("contradict",)), ((), ("null",))],
    "--aggregate": [((), ("mean",)), (("--weight", "scores:prm"), ("mean",))],
    "--group": [((), ("question_id",)), ((), ("task",)), ((), ("nothing",)), ((), ("answer",))],
    "--verifiers": [((), ("relevance",))],
    "--weights": [((), ("perplexity=7,relevance=0.1",))],
    "--floor": [((), ("0.6",))],
    "--perplexity-over": [((), ("steps",)), (("--verifiers", "perplexity"), ("steps",))],
    "--perplexity-power": [((), ("9",))],
    "--profile": [((), ("paper",)), (("--verifiers", "perplexity"), ("paper",))],
    "--answer-source": [((), ("read",))],
    "--correct-from": [((), ("source",))],
    "--seed": [((), ("7",)), ((), ("8",))],
    "--curves": [((), ())],
    "--baseline": [((), ("one",)), ((), ("selfcheck",)), ((), ("perplexity",))],
    "--fit": [((), ("others.jsonl",))],
    "--split": [((), ("half",))],
}
REFUSED = "has no effect"
MANY = ("general:fig3", "general:fig6", "general:fig7")  # of more subsets of a question's chains than are counted some are drawn, by --seed


class Options(Case):
    """Records on which every option has something to act on: some know better than the gold answer what is right, and
    some steps say another answer than the record."""

    def setUp(self):
        super().setUp()
        write_inputs(self.folder)
        self.write("many.jsonl", self.read("general.jsonl"))
        for name in ("selfcheck", "general", "mistakes", "repaired", "many"):
            records = [json.loads(line) for line in self.read(name + ".jsonl").splitlines()][:150 if name == "selfcheck" else None]
            others = []
            if name in ("selfcheck", "many"):  # 20 chains of one question
                for record in records[10:20]:
                    record.update({k: records[0][k] for k in ("question_id", "question", "gold")})
            for i, record in enumerate(records):
                record["correct"] = i % 3 == 0
                if i % 4 == 0:
                    record["steps"][-1] += " So the answer is 100."
                if i % 5 == 0:
                    for check in record.get("checks", {}).values():
                        for verdict in check["verdicts"][-1:]:
                            verdict.update(verdict="unknown", score=None)
                others.append({**record, "question_id": "other " + str(record.get("question_id", i))})
            for to, some in ((name, records), ("others-" + name, others)):
                self.write(to + ".jsonl", "".join(json.dumps(r) + "\n" for r in some))

    def inputs(self, recipe):
        return ("many.jsonl",) if recipe in MANY else RECIPES.get(recipe, ("selfcheck.jsonl",))

    def run_eval(self, recipe, *args):
        inputs = self.inputs(recipe)
        args = [f"others-{inputs[0]}" if a == "others.jsonl" and inputs else a for a in args]
        named = () if recipe == "evaluation" else ("--recipe", recipe)
        output = () if "--curves" in args else ("--json",)
        ended = rederive("eval", "-q", *output, *named, *args, *inputs, cwd=self.folder, seconds=120)
        if ended.status or not output:
            return ended, ended.out
        said = json.loads(ended.out)
        return ended, {k: v for k, v in said.items() if k not in ("notes", "settings", "fits", "split", "acceptance")}

    def test_an_option_has_an_effect_or_is_refused(self):
        plain, refused, effective = {}, set(), set()

        def without(recipe, context, shown):
            key = recipe, context, shown
            if key not in plain:
                named = () if recipe == "evaluation" else ("--recipe", recipe)
                plain[key] = (rederive("eval", "-q", *named, *self.inputs(recipe), cwd=self.folder).out if shown else self.run_eval(recipe, *context)[1])
            return plain[key]

        for recipe in ("evaluation", *RECIPES):
            for option, trials in OPTIONS.items():
                with self.subTest(recipe=recipe, option=option):
                    ends = []
                    for context, value in trials:
                        if "changed" in ends:
                            break
                        before = without(recipe, context, option == "--curves")
                        ended, after = self.run_eval(recipe, *context, option, *value)
                        if ended.status == 2:
                            self.assertEqual(ended.out, "")
                            self.assertEqual(ended.err.count("\n"), 1, ended.err)
                            self.assertRegex(ended.err, f"{option}|{context[0] if context else option}|--split")
                        ends.append("refused" if ended.status == 2 else
                                    "changed" if ended.status or after != before else "same")
                    self.assertTrue("changed" in ends or set(ends) == {"refused"}, ends)
                    (effective if "changed" in ends else refused).add((recipe, option))
        self.assertTrue(effective and refused)
        for pair in (("general:table1", "--threshold"), ("selfcheck:fig2", "--floor"), ("evaluation", "--group"),
                     ("mistakes:table4", "--weights"), ("general:fig5", "--profile"), ("general:fig11", "--baseline")):
            self.assertIn(pair, refused)

    def test_options_that_need_others(self):
        for args, says in ((("--aggregate", "mean"), "--aggregate has no effect without --weight scores:NAME"),
                           (("--unknown", "null"), "--unknown has no effect on recorded confidences"),
                           (("--fit", "others-selfcheck.jsonl", "--threshold", "0.5"), "--threshold has no effect on fitted"),
                           (("--split", "2", "-w", "scores:prm", "-a", "mean"), "--aggregate has no effect on fitted"),
                           (("--recipe", "general:table1", "-a", "min", "--floor", "0.1"), "--floor has no effect on"),
                           (("--compare", "selfcheck.jsonl", "--verifiers", "math"), "--verifiers has no effect on --compare")):
            ended = rederive("eval", *args, "selfcheck.jsonl", cwd=self.folder)
            self.assert_ended(ended, 2)
            self.assertIn(says, ended.err)


if __name__ == "__main__":
    unittest.main()
