#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Accuracy of votes over sampled chains, computed apart from the C code.

Reads the strictprmbench pools (data/README.md) under RDV_SHARED, or ../shared/data beside the project:
questions with sampled chains, each with the pool's own extracted answer and whether that is right,
and step scores of several reward models. Python's standard library only; sums of weights are
fractions, so ties are exact. The set "gsm8k/numbers" has the same chains, with the pool's answers grouped
as numbers (54.0 and $54 are one answer) as `rederive vote` does; in "gsm8k/reread" they are read again from
the text (the last box, else the last number, commas understood), and compared as numbers.

    vote.py                 one JSON object a line, sorted by set, scorer, method and aggregation:
                            {"set", "scorer", "aggregation", "method", "accuracy", "n"}
                            method: chain, majority, oracle (scorer and aggregation null), weighted, best
    vote.py --saved         {"set", "scorer", "aggregation", "method", "rule", "saved", "n"}: the share
                            of chains that the rule `certain` leaves out, the answers known beforehand
                            ("certain-known") or not ("certain"); method majority or weighted
    vote.py --ballots       tab-separated: set, scorer, question, answer ("-" and the answer, or
                            nothing: unread), 1 or 0 for right or wrong, step scores with commas;
                            the input of tests/unit/score/pools.c
    vote.py --self-test     checks itself on cases worked out by hand; needs no data

A tie counts as the share of it that is right: among tied answers in a vote, among tied chains in best
of N. A chain without an answer casts no vote. Exits with 77 when the data is not there."""

import argparse
import bisect
import functools
import gzip
import json
import math
import operator
import os
import re
import sys
from fractions import Fraction
from pathlib import Path

SETS = ("gsm8k", "gsm8k/numbers", "gsm8k/reread", "math500")
NUMBER = re.compile(r"-?\d[\d,]*(?:\.\d+)?|-?\.\d+")


def total(values):
    """Plain addition from left to right: sum() compensates for rounding since Python 3.12, and whether
    two chains tie for the best score hangs on the last bit."""
    return functools.reduce(operator.add, values)


AGGREGATIONS = {
    "min": min,
    "product": math.prod,
    "geometric": lambda s: 0.0 if min(s) <= 0 else math.exp(total(map(math.log, s)) / len(s)),
    "mean": lambda s: total(s) / len(s),
    "last": lambda s: s[-1],
}


def lines(path):
    with gzip.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def number(text):
    """The last number of a text as a fraction, or None."""
    found = NUMBER.findall(text)
    return Fraction(found[-1].replace(",", "")) if found else None


def reread(candidate):
    """(answer, right), read from the chain's text behind the chat template."""
    text = candidate["raw_text"].rpartition("assistant\n")[2]
    _, box, boxed = text.rpartition("\\boxed{")
    value = number(boxed.partition("}")[0]) if box else None
    if value is None:
        value = number(text)
    return str(value) if value is not None else None, value == number(candidate["problem"]["ground_truth"])


def shipped(candidate):
    """(answer, right), as the pool has them."""
    answer = candidate["extracted_answer"]
    return " ".join(answer.split()) if answer else None, bool(candidate["is_correct"])


def shipped_number(candidate):
    """The same, with answers made one that hold one number, and the same one (54.0, \\$54)."""
    answer, right = shipped(candidate)
    one = answer and len(NUMBER.findall(answer)) == 1
    return str(number(answer)) if one else answer, right


READINGS = {"": shipped, "numbers": shipped_number, "reread": reread}


def load_pool(root, name):
    """{question: [(answer or None, right), ...]} in the order of the chains."""
    base, _, reading = name.partition("/")
    path = root / f"pools/bon_candidates/{base}_full_500.jsonl.gz"
    read = READINGS[reading]
    return {problem["problem_id"]: [read(c) for c in problem["candidates"]] for problem in lines(path)}


def load_scores(root, name):
    """{scorer: {question: {chain: step scores}}}"""
    folder = root / "scores/aggregation_sweep_cache/step_scores_cache"
    base = name.partition("/")[0]
    scorers = {}
    for path in sorted(folder.glob(f"*_{base}.jsonl.gz")):
        table = scorers.setdefault(path.name.removesuffix(f"_{base}.jsonl.gz"), {})
        for row in lines(path):
            table.setdefault(row["problem_id"], {})[row["candidate_index"]] = row["step_scores"]
    return scorers


# ---- votes -----------------------------------------------------------------------------------------


def sums(ballots):
    """{answer: sum of weights} in order of first appearance; ballots are (answer, right, weight)."""
    result = {}
    for answer, _, weight in ballots:
        if answer is not None and weight is not None:
            result[answer] = result.get(answer, 0) + Fraction(weight)
    return result


def right_answers(ballots):
    """{answer: right}; the first chain of an answer speaks for all."""
    right = {}
    for answer, is_right, _ in ballots:
        right.setdefault(answer, is_right)
    return right


def vote(ballots):
    weights, right = sums(ballots), right_answers(ballots)
    if not weights:
        return 0.0
    top = max(weights.values())
    tied = [answer for answer in weights if weights[answer] == top]
    return sum(right[answer] for answer in tied) / len(tied)


def best(ballots):
    right = right_answers(ballots)
    cast = [(weight, answer) for answer, _, weight in ballots if answer is not None and weight is not None]
    if not cast:
        return 0.0
    top = max(weight for weight, _ in cast)
    tied = [right[answer] for weight, answer in cast if weight == top]
    return sum(tied) / len(tied)


def winner(ballots):
    weights = sums(ballots)
    return max(weights, key=lambda answer: weights[answer], default=None)  # max keeps the first


def settled(ballots, used, known):
    """Whether no completion of ballots[used:] by weights in [0,1] can change the answer."""
    seen, rest = sums(ballots[:used]), ballots[used:]
    if not seen:
        return not rest
    leader = max(seen, key=lambda answer: seen[answer])
    if known:
        reach = {answer: seen.get(answer, 0) for answer, _, _ in ballots if answer is not None}
        for answer, _, _ in rest:
            if answer is not None:
                reach[answer] += 1
    else:
        reach = {answer: weight + len(rest) for answer, weight in seen.items()}
        reach[None] = len(rest)
    rivals = [reach[answer] for answer in reach if answer != leader]
    return not rest or all(seen[leader] > rival for rival in rivals)


def used_by(ballots, known):
    """What is settled stays settled, so the first such prefix can be found by bisection."""
    return bisect.bisect_left(range(len(ballots) + 1), True, key=lambda n: settled(ballots, n, known))


# ---- tables ----------------------------------------------------------------------------------------


def weigh(chains, steps, aggregation):
    """Ballots of one question: the aggregated score is the weight."""
    weights = [AGGREGATIONS[aggregation](s) if s else None for s in steps]
    return [(answer, right, weight) for (answer, right), weight in zip(chains, weights, strict=True)]


def count_each(chains):
    return [(answer, right, 1) for answer, right in chains]


def mean(values):
    values = list(values)
    return math.fsum(values) / len(values)


def plain_rows(name, pool):
    measures = {
        "chain": lambda chains: mean(right and answer is not None for answer, right in chains),
        "majority": lambda chains: vote(count_each(chains)),
        "oracle": lambda chains: float(any(right for answer, right in chains if answer is not None)),
    }
    for method, measure in measures.items():
        yield dict(set=name, scorer=None, aggregation=None, method=method,
                   accuracy=mean(map(measure, pool.values())), n=len(pool))


def weighted_questions(pool, table, aggregation):
    for question, steps in table.items():
        chains = pool[question]
        yield weigh(chains, [steps.get(i) for i in range(len(chains))], aggregation)


def accuracies(root):
    for name in SETS:
        pool = load_pool(root, name)
        yield from plain_rows(name, pool)
        for scorer, table in load_scores(root, name).items():
            for aggregation in AGGREGATIONS:
                questions = list(weighted_questions(pool, table, aggregation))
                for method, decide in (("weighted", vote), ("best", best)):
                    yield dict(set=name, scorer=scorer, aggregation=aggregation, method=method,
                               accuracy=mean(map(decide, questions)), n=len(questions))


def share_saved(questions, known):
    used = sum(used_by(ballots, known) for ballots in questions)
    return 1 - used / sum(len(ballots) for ballots in questions)


def savings(root):
    for name in SETS:
        pool = load_pool(root, name)
        row = dict(set=name, scorer=None, aggregation=None, method="majority", rule="certain")
        questions = [count_each(chains) for chains in pool.values()]
        yield row | dict(saved=share_saved(questions, False), n=len(questions))
        for scorer, table in load_scores(root, name).items():
            for aggregation in AGGREGATIONS:
                questions = list(weighted_questions(pool, table, aggregation))
                for rule in ("certain", "certain-known"):
                    yield dict(set=name, scorer=scorer, aggregation=aggregation, method="weighted",
                               rule=rule, saved=share_saved(questions, rule == "certain-known"),
                               n=len(questions))


def ballot_lines(root):
    for name in SETS:
        pool = load_pool(root, name)
        for scorer, table in load_scores(root, name).items():
            for question, steps in table.items():
                for i, (answer, right) in enumerate(pool[question]):
                    key = "" if answer is None else "-" + answer
                    scores = ",".join(map(repr, steps.get(i, [])))
                    yield "\t".join((name, scorer, question, key, str(int(right)), scores))


# ---- self-test -------------------------------------------------------------------------------------


def self_test():
    a, b = ("a", False), ("b", True)
    three_to_two = [a, b, b, a, a]
    assert vote(count_each(three_to_two)) == 0
    assert vote(count_each([a, b])) == 0.5
    assert vote([("a", False, 0.3), ("b", True, 0.1), ("b", True, 0.2)]) == 1  # exactly more than 0.3
    assert vote([(None, False, 1), ("b", True, None)]) == 0
    assert best([("a", False, 0.9), ("b", True, 0.9), ("b", True, 0.9)]) == 2 / 3
    assert best([(None, False, 1.0), ("b", True, 0.1)]) == 1
    assert winner(count_each([b, a])) == "b"
    assert used_by(count_each([a] * 4), False) == 3
    assert used_by(count_each([a, a, a, b, b, b, b]), False) == 7
    half = [("a", False, 0.5)] * 7 + [("b", True, 0.5)]
    assert used_by(half, True) == 3 and used_by(half, False) == 6
    assert weigh([a], [[0.5, 0.25]], "product") == [("a", False, 0.125)]
    assert weigh([a], [[]], "min") == [("a", False, None)]
    chain = {"problem": {"ground_truth": "1200"}}
    assert reread(chain | {"raw_text": "user\n7\nassistant\n3 so \\boxed{\\$1,200.0} and 5"}) == ("1200", True)
    assert reread(chain | {"raw_text": "assistant\nthe answer is -1,200."}) == ("-1200", False)
    assert reread(chain | {"raw_text": "12 assistant\nnone"}) == (None, False)
    chain = {"extracted_answer": "54.0", "is_correct": True}
    assert shipped(chain) == ("54.0", True) and shipped_number(chain) == ("54", True)
    assert shipped_number(chain | {"extracted_answer": "\\$1,200"}) == ("1200", True)
    assert shipped_number(chain | {"extracted_answer": "5 of 7"}) == ("5 of 7", True)
    assert shipped_number(chain | {"extracted_answer": None}) == (None, True)
    assert AGGREGATIONS["geometric"]([0.25, 1.0]) == 0.5
    assert AGGREGATIONS["geometric"]([0.0, 1.0]) == 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    what = parser.add_mutually_exclusive_group()
    for name in ("saved", "ballots", "self-test"):
        what.add_argument("--" + name, action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        self_test()
        return 0
    beside = Path(__file__).resolve().parents[2] / "../shared/data"
    root = Path(os.environ.get("RDV_SHARED", beside)) / "strictprmbench"
    if not root.is_dir():
        print(f"skipped: {root} is not there", file=sys.stderr)
        return 77
    if arguments.ballots:
        rows = ballot_lines(root)
    else:
        rows = map(json.dumps, savings(root) if arguments.saved else accuracies(root))
    for row in rows:
        print(row)
    return 0


if __name__ == "__main__":
    sys.exit(main())
