# SPDX-License-Identifier: Apache-2.0
"""`rederive vote` on the recorded pools of sampled chains, against tests/reference/vote.py.

Every set, scorer, aggregation and selection, on every 16th question: accuracies within 1e-12, and the same
number of chains where `certain` stops. Then the pool as it is published, read by our own reader. Exits with
77 where the data is not there."""
import os
import pathlib
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["RDV_SOURCE"], "tests/reference"))
import vote as reference  # noqa: E402
from support import Case, lines, rederive  # noqa: E402

ROOT = pathlib.Path(os.environ["RDV_SHARED"]) / "strictprmbench"
POOL = "pools/bon_candidates/gsm8k_full_500.jsonl.gz"
SCORES = "scores/aggregation_sweep_cache/step_scores_cache/qwen_prm_gsm8k.jsonl.gz"
EVERY = 16


def records_of(question, chains, scores):
    """Our own records of one question's chains. Answers are compared as texts, as the reference has them."""
    for i, (answer, right) in enumerate(chains):
        by_name = {name: table[question][i] for name, table in scores.items() if i in table.get(question, {})}
        steps = max(map(len, by_name.values()), default=0)
        yield {"question_id": question, "answer_type": "text", "steps": ["."] * steps, "answer": answer,
               "correct": right, "scores": by_name}


def mean_of(results):
    return sum(r["expected_correct"] for r in results) / len(results)


class Pools(Case):
    def vote(self, path, *options):
        ended = rederive("vote", "-q", "--correct-from", "source", *options, path)
        self.assert_ended(ended, 0)
        return ended.records

    def assert_equals_reference(self, path, questions, scorer, aggregation):
        weighed = ("-w", f"scores:{scorer}", "-a", aggregation)
        for selection, decide in (("weighted", reference.vote), ("best", reference.best)):
            ours = self.vote(path, *weighed, "-s", selection)
            theirs = reference.mean(map(decide, questions))
            self.assertAlmostEqual(mean_of(ours), theirs, delta=1e-12, msg=(scorer, aggregation, selection))
        stopped = self.vote(path, *weighed, "--stop", "certain")
        self.assertEqual([r["n_chains_used"] for r in stopped],
                         [reference.used_by(ballots, True) for ballots in questions], (scorer, aggregation))
        whole = self.vote(path, *weighed)
        self.assertEqual([r["answer"] for r in stopped], [r["answer"] for r in whole])

    def test_every_combination_on_some_questions(self):
        for name in reference.SETS:
            pool = dict(list(reference.load_pool(ROOT, name).items())[::EVERY])
            scores = reference.load_scores(ROOT, name)
            text = lines(*(r for q, chains in pool.items() for r in records_of(q, chains, scores)))
            path = self.write("chains.jsonl", text)
            ballots = [reference.count_each(chains) for chains in pool.values()]
            self.assertAlmostEqual(mean_of(self.vote(path)), reference.mean(map(reference.vote, ballots)),
                                   delta=1e-12, msg=name)
            self.assertEqual([r["n_chains_used"] for r in self.vote(path, "--stop", "certain")],
                             [reference.used_by(b, False) for b in ballots], name)
            for scorer, table in scores.items():
                some = {question: steps for question, steps in table.items() if question in pool}
                for aggregation in reference.AGGREGATIONS:
                    questions = list(reference.weighted_questions(pool, some, aggregation))
                    self.assert_equals_reference(path, questions, scorer, aggregation)

    def test_the_published_pool(self):
        pool = reference.load_pool(ROOT, "gsm8k/numbers")
        ballots = [reference.count_each(chains) for chains in pool.values()]
        self.assertAlmostEqual(mean_of(self.vote(ROOT / POOL)), reference.mean(map(reference.vote, ballots)),
                               delta=1e-12)
        table = reference.load_scores(ROOT, "gsm8k")["qwen_prm"]
        questions = reference.weighted_questions(pool, table, "product")
        ours = self.vote(ROOT / POOL, "--join", ROOT / SCORES, "-w", "scores:qwen_prm", "-a", "product")
        self.assertAlmostEqual(mean_of(ours), reference.mean(map(reference.vote, questions)), delta=1e-12)


if __name__ == "__main__":
    if not ROOT.is_dir():
        print(f"skipped: {ROOT} is not there")
        sys.exit(77)
    unittest.main()
