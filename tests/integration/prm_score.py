# SPDX-License-Identifier: Apache-2.0
"""PRMBench's score against an independent computation, on records of ours."""
import json
import os
import random
import sys
import unittest

from support import Case, lines, rederive

sys.path.insert(0, os.path.join(os.environ["RDV_SOURCE"], "tests", "reference"))
import prmbench as reference  # noqa: E402

TYPES = [of for types in reference.CATEGORIES.values() for of in types]


def records(seed=1, problems=20, types=TYPES):
    """Each problem in each type; "multi_solutions" has no wrong step; two checks that know a little, some of whose verdicts are unread."""
    rng = random.Random(seed)
    for of in types:
        for i in range(problems):
            n = rng.randint(2, 6)
            right = [of == "multi_solutions" or rng.random() < 0.7 for _ in range(n)]
            checks = {}
            for method, knows in (("one", 0.8), ("two", 0.6)):
                verdicts = []
                for k, is_right in enumerate(right):
                    told = rng.random() < knows
                    kind = rng.choice(("unknown",) if rng.random() < 0.1 else ("support",) if told == is_right else ("contradict", "unrelated"))
                    verdicts.append({"step": k, "verdict": kind, "score": None if kind == "unknown" else rng.random()})
                checks[method] = {"method": method, "confidence": 0.5, "first_error": None, "n_unknown": 0, "n_calls": 0, "prompt_tokens": 0,
                                  "completion_tokens": 0, "verdicts": verdicts}
            yield {"id": f"{of}/{i}", "question": f"Problem {i}?", "source_id": f"p{i}", "error_type": of, "steps": [f"Step {k}." for k in range(n)],
                   "answer": "1", "step_labels": [{"annotator": "source", "criterion": "correct", "labels": right}], "checks": checks}


class Score(Case):
    def eval(self, *args):
        ended = rederive("eval", "-q", "--json", "--recipe", "prmbench:table3", *args, "in.jsonl", cwd=self.folder)
        self.assert_ended(ended, 0)
        return {(r["check"], r["error_type"]): r for r in json.loads(ended.out)["rows"]}

    def compare(self, made, *args, threshold=None):
        self.write("in.jsonl", lines(*made))
        ours = self.eval(*args)
        seen = set()
        for method in ("one", "two"):
            for name, theirs in reference.rows(made, method, threshold).items():
                row = ours[method, name]
                seen.add((method, name))
                for column, value in theirs.items():
                    given = row[column] if column == "n_steps" else row[column]["value"]
                    if value is None:
                        self.assertIsNone(given)
                    else:
                        self.assertAlmostEqual(given, value, delta=1e-9, msg=f"{method} {name} {column}")
        self.assertEqual(seen, set(ours))
        return ours

    def test_all_types(self):
        made = list(records())
        ours = self.compare(made)
        self.assertEqual([name for check, name in ours if check == "one"], [*TYPES, *reference.CATEGORIES, "all"])
        for name, types in (*reference.CATEGORIES.items(), ("deception", ["deception"]), ("all", [None])):
            error = ours["one", name]["prm_score"]["stderr"]
            self.assertAlmostEqual(error, reference.jackknife(made, "one", types), delta=0.06 * error)
        self.assertIsNone(ours["one", "multi_solutions"]["f1.wrong"]["value"])

    def test_by_a_threshold(self):
        made = list(records(2))
        self.assertNotEqual(self.compare(made, "--threshold", "0.7", threshold=0.7), self.compare(made))

    def test_what_is_not_read_is_never_right(self):
        """A check that says nothing has a score of 0, on right and on wrong steps."""
        made = list(records(3, 4))
        for record in made:
            for verdict in record["checks"]["one"]["verdicts"]:
                verdict.update(verdict="unknown", score=None)
        ours = self.compare(made)
        self.assertEqual(ours["one", "all"]["prm_score"]["value"], 0)
        self.assertEqual(ours["one", "all"]["n_unread"], ours["one", "all"]["n_steps"])

    def test_a_category_needs_all_its_types(self):
        ours = self.compare(list(records(4, 5, ["redundency", "circular", "deception"])))
        self.assertEqual({name for check, name in ours if check == "one"}, {"redundency", "circular", "deception", "simplicity", "all"})

    def test_records_that_state_no_type(self):
        made = [{k: v for k, v in r.items() if k not in ("error_type", "source_id")} for r in records(6, 5)]
        self.assertEqual(set(self.compare(made)), {("one", "all"), ("two", "all")})

    def test_no_chain_counts_twice(self):
        made = list(records(5, 3))
        self.write("in.jsonl", lines(*made, made[0]))
        ended = rederive("eval", "--recipe", "prmbench:table3", "in.jsonl", cwd=self.folder)
        self.assert_ended(ended, 2)
        self.assertIn("would count twice", ended.err)

    def test_nothing_to_compute(self):
        self.write("in.jsonl", lines({"question": "1?", "steps": ["1"], "answer": "1"}))
        ended = rederive("eval", "--recipe", "prmbench:table3", "in.jsonl", cwd=self.folder)
        self.assert_ended(ended, 3)
        self.assertIn("step_labels", ended.err)

    def test_the_published_files(self):
        folder = os.path.join(os.environ["RDV_SHARED"], "prmbench/mr_eval/tasks/prmtest_classified/data")
        if not os.path.isdir(folder):
            self.skipTest("no recorded data")
        file = os.path.join(folder, "prm800k_test_p1_4o_circular.jsonl")
        checked = rederive("check", "-q", "-m", "calculations,reward:" + os.path.join(os.environ["RDV_SOURCE"], "models/reward-traces.rdvm"), file)
        self.assert_ended(checked, 0)
        self.write("in.jsonl", checked.out)
        made = [json.loads(line) for line in checked.out.splitlines()]
        ours = self.eval()
        for method in {m for m, _ in ours}:
            for name, theirs in reference.rows(made, method).items():
                self.assertAlmostEqual(ours[method, name]["prm_score"]["value"], theirs["prm_score"], delta=1e-9)
        self.assertEqual({name for _, name in ours}, {"circular", "all"})


if __name__ == "__main__":
    unittest.main()
