# SPDX-License-Identifier: Apache-2.0
"""eval --compare: two runs side by side, against an independent computation on generated runs."""
import collections
import json
import math
import os
import random
import sys
import unittest

from support import Case, chain, lines, rederive

sys.path.insert(0, os.path.join(os.environ["RDV_SOURCE"], "tests", "reference"))
import paired as reference  # noqa: E402


def generate(seed, questions, chains, checked=False):
    """A run: chains with answers that are right by chance, some questions left out; with `checked`, also
    labels and the verdicts of a check that errs."""
    rng = random.Random(seed)
    for q in range(questions):
        if rng.random() < 0.1:
            continue
        skill = random.Random(f"skill {q}").random()
        for i in range(rng.randint(1, chains)):
            wrong = random.Random(f"label {q} {i}").choice((None, 0, 1))
            record = chain(id=f"q{q}/{i}", question_id=f"q{q}", question=f"Question {q}?", gold="5",
                           steps=["One.", "Two."], answer=rng.choice(["5"] if rng.random() < skill else ["6", "7"]))
            if checked:
                found = wrong if rng.random() < 0.7 else rng.choice((None, 0, 1))
                said = ["contradict" if found == k else "support" for k in range(2)]
                record.update(label=wrong, method="selfcheck", confidence=rng.random(), first_error=found, n_unknown=0,
                              n_calls=0, prompt_tokens=0, completion_tokens=0,
                              verdicts=[{"step": k, "verdict": v, "score": None} for k, v in enumerate(said)])
            yield record


def by_question(records):
    found = collections.defaultdict(list)
    for record in records:
        found[record["question_id"]].append(record)
    return found


def share_right(records):
    return sum(r["answer"] == "5" for r in records) / len(records), 1


def voted(weight):
    """The share of right answers among those that share the first place."""
    def of(records):
        sums = collections.defaultdict(float)
        for r in records:
            sums[r["answer"]] += weight(r)
        first = [answer for answer, total in sums.items() if abs(total - max(sums.values())) < 1e-12]
        return first.count("5") / len(first), 1
    return of


def located(keep):
    def of(records):
        kept = [r for r in records if keep(r)]
        return sum(r["label"] == r["first_error"] for r in kept), len(kept)
    return of


def rate(right):
    """Of right chains those that SelfCheck accepts, of wrong ones those that it rejects; undecided ones are left out."""
    def of(records):
        kept = [r for r in records if (r["answer"] == r["gold"]) == right
                and (r["confidence"] < 0.55 or any(v["verdict"] == "support" for v in r["verdicts"]))]
        return sum((r["confidence"] >= 0.55) == right for r in kept), len(kept)
    return of


FIGURES = {"accuracy.chain": share_right, "accuracy.majority": voted(lambda r: 1),
           "accuracy.weighted": voted(lambda r: r["confidence"]), "location": located(lambda r: True),
           "location.with_mistake": located(lambda r: r["label"] is not None),
           "location.without_mistake": located(lambda r: r["label"] is None), "tpr": rate(True), "tnr": rate(False)}
MOVED = {"balanced_accuracy", "auc"}


def cluster_moves(records):
    """The AUC by all pairs, and by how much each question moves it (Obuchowski 1997)."""
    right, wrong = ([r for r in records if (r["answer"] == r["gold"]) == is_] for is_ in (True, False))

    def over(a, b):
        return 1 if a["confidence"] > b["confidence"] else 0.5 if a["confidence"] == b["confidence"] else 0
    auc = sum(over(a, b) for a in right for b in wrong) / len(right) / len(wrong)
    moves = collections.defaultdict(float)
    for a in right:
        moves[a["question_id"]] += (sum(over(a, b) for b in wrong) / len(wrong) - auc) / len(right)
    for b in wrong:
        moves[b["question_id"]] += (sum(over(a, b) for a in right) / len(right) - auc) / len(wrong)
    return auc, moves


def rate_moves(records, questions):
    """The mean of both rates, and by how much each question moves it."""
    value, moves = 0, collections.defaultdict(float)
    for right in (True, False):
        found = {q: rate(right)(some) for q, some in by_question(records).items() if q in questions[right]}
        n = sum(f[1] for f in found.values())
        share = sum(f[0] for f in found.values()) / n
        value += share / 2
        for q, (good, of) in found.items():
            moves[q] += (good - share * of) / n / 2
    return value, moves


class Comparison(Case):
    def compare(self, before, after, *args, status=0):
        names = self.write("before.jsonl", lines(*before)), self.write("after.jsonl", lines(*after))
        ended = rederive("eval", "-q", "--compare", *names, *args)
        self.assert_ended(ended, status)
        return ended

    def figures(self, before, after):
        return json.loads(self.compare(before, after, "--json").out)

    def expected(self, figure, before, after):
        a, b = by_question(before), by_question(after)
        return reference.compare([(*FIGURES[figure](a[q]), *FIGURES[figure](b[q])) for q in a if q in b])

    def check_figures(self, before, after, names):
        told = self.figures(before, after)["figures"]
        self.assertEqual(set(told) - MOVED, set(names))
        for name in names:
            theirs = self.expected(name, before, after)
            ours = {**told[name]["difference"], "p_value": told[name]["p_value"]}
            for member in ("value", "ci_low", "ci_high", "p_value", "n"):
                self.assertAlmostEqual(ours[member], theirs[member], delta=1e-9, msg=(name, member))

    def test_single_answers_as_newcombe(self):
        for questions in (4, 40, 400):
            self.check_figures(list(generate(1, questions, 1)), list(generate(2, questions, 1)), ["accuracy.chain"])

    def test_several_chains_as_zou_and_donner(self):
        for questions in (5, 60):
            before, after = list(generate(3, questions, 6)), list(generate(4, questions, 6))
            self.check_figures(before, after, ["accuracy.chain", "accuracy.majority"])

    def test_detection_where_there_are_labels(self):
        before, after = (list(generate(seed, 50, 5, checked=True)) for seed in (5, 6))
        self.check_figures(before, after, FIGURES)

    def test_balanced_accuracy_and_auc(self):
        """Differences of figures that are no share of the questions: by what each question moves them in both runs."""
        before, after = (list(generate(seed, 60, 5, checked=True)) for seed in (11, 12))
        told = self.figures(before, after)["figures"]
        a, b = by_question(before), by_question(after)
        both = set(a) & set(b)
        with_rate = {right: {q for q in both if rate(right)(a[q])[1] and rate(right)(b[q])[1]} for right in (True, False)}
        runs = [[r for r in run if r["question_id"] in both] for run in (before, after)]
        for name, of in (("auc", cluster_moves), ("balanced_accuracy", lambda records: rate_moves(records, with_rate))):
            (va, ma), (vb, mb) = map(of, runs)
            questions = both if name == "auc" else with_rate[True] | with_rate[False]
            n, ours = len(questions), told[name]
            self.assertAlmostEqual(ours["before"]["value"], va)
            self.assertAlmostEqual(ours["after"]["value"], vb)
            d = ours["difference"]
            self.assertEqual((d["n"], ours["p_value"]), (n, None))
            self.assertAlmostEqual(d["value"], vb - va)
            se = math.sqrt(sum((mb[q] - ma[q]) ** 2 for q in questions) * n / (n - 1))
            self.assertAlmostEqual(d["stderr"], se)
            r = sum(ma[q] * mb[q] for q in questions) / math.sqrt(sum(x * x for x in ma.values()) * sum(x * x for x in mb.values()))
            for limit, x, y, sign in (("ci_low", vb - ours["after"]["ci_low"], ours["before"]["ci_high"] - va, -1),
                                      ("ci_high", ours["after"]["ci_high"] - vb, va - ours["before"]["ci_low"], 1)):
                self.assertAlmostEqual(d[limit], d["value"] + sign * math.sqrt(x * x - 2 * r * x * y + y * y))

    def test_says_what_became_of_each_question(self):
        before = [chain(question_id=q, answer=a, gold=g) for q, a, g in
                  (("a", "5", "5"), ("b", "4", "5"), ("c", "5", "5"), ("d", "4", "5"), ("e", "5", "5"), ("g", "5", None))]
        after = [chain(question_id=q, answer=a, gold=g) for q, a, g in
                 (("a", "5", "5"), ("b", "5", "5"), ("c", "6", "5"), ("d", "6", "5"), ("f", "5", "5"), ("g", "6", None))]
        told = self.figures(before, after)
        self.assertEqual([[q["question_id"], q["change"], q["answer.before"], q["answer.after"]]
                          for q in told["questions"]],
                         [["b", "fixed", "4", "5"], ["c", "broken", "5", "6"], ["e", "only_before", "5", None],
                          ["f", "only_after", None, "5"], ["g", "ungraded", "5", "6"], ["d", "both_wrong", "4", "6"],
                          ["a", "both_right", "5", "5"]])
        for name in ("fixed", "broken", "only_before", "only_after", "ungraded", "both_wrong", "both_right"):
            self.assertEqual(told["n_" + name], 1)
        out = self.compare(before, after).out
        self.assertIn("\n1 fixed, 1 broken, 1 both right, 1 both wrong\n", out)
        self.assertRegex(out, r"\nb +fixed +4 +5\n")
        self.assertNotIn("both_right", out)  # only what changed
        self.assertIn("both_right", self.compare(before, after, "--curves").out)

    def test_results_of_votes(self):
        a, b = (self.write(f"{seed}.jsonl", rederive("vote", "-q", stdin=lines(*generate(seed, 40, 5))).out)
                for seed in (7, 8))
        ended = rederive("eval", "-q", "--json", "--compare", a, b)
        self.assert_ended(ended, 0)
        chains = self.figures(list(generate(7, 40, 5)), list(generate(8, 40, 5)))
        told = ended.records[0]
        self.assertEqual(told["figures"]["vote.accuracy"], chains["figures"]["accuracy.majority"])
        self.assertEqual(told["questions"], chains["questions"])

    def test_of_a_run_with_itself_nothing_changed(self):
        run = list(generate(9, 30, 3, checked=True))
        told = self.figures(run, run)
        self.assertEqual((told["n_fixed"], told["n_broken"]), (0, 0))
        for figure in told["figures"].values():
            self.assertEqual(figure["difference"]["value"], 0)
            self.assertIn(figure["p_value"], (1, None))  # None: no figure of single questions
            self.assertLessEqual(figure["difference"]["ci_low"], 0)
            self.assertGreaterEqual(figure["difference"]["ci_high"], 0)
        self.assertNotIn("questions that changed", self.compare(run, run).out)

    def test_runs_without_a_common_question(self):
        ended = self.compare([chain(question_id="a")], [chain(question_id="b")], status=3)
        self.assertIn("no question in common", ended.err)

    def test_a_record_that_cannot_be_read_is_named_by_its_file(self):
        ended = self.compare([chain(question_id="a"), "{"], [chain(question_id="a")], status=1)
        self.assertIn("before.jsonl:2", ended.err)

    def test_a_file_of_no_known_kind_is_told_once(self):
        for option in ("--compare", "--fit"):
            for name, content in (("x.jsonl", '{"x":1}\n' * 3), ("x.parquet", "PAR1 and more")):
                ended = rederive("eval", option, self.write(name, content), self.write("a.jsonl", lines(chain(question_id="a"))))
                self.assert_ended(ended, 3)
                self.assertEqual(len([line for line in ended.err.splitlines() if name in line]), 1, ended.err[:1000])

    def test_mistakes(self):
        for args, says in ((["--recipe", "selfcheck:table1"], "--compare cannot be combined with --recipe"),
                           (["--fit", "x"], "cannot be combined with --fit"),
                           (["--split", "2"], "cannot be combined with --split"),
                           (["--threshold", "0.9"], "cannot be combined with --threshold"),
                           (["--compare", "-"], "standard input cannot be both --compare and the input")):
            ended = rederive("eval", "--compare", "x.jsonl", *args)
            self.assert_ended(ended, 2)
            self.assertIn(says, ended.err)


if __name__ == "__main__":
    unittest.main()
