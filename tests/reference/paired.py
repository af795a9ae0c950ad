#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The paired difference of two shares, from the formulas of the papers.

    paired.py --self-test     against published figures
    paired.py --coverage      how often the interval holds the true difference, simulated

Single answers: Newcombe, "Improved confidence intervals for the difference between binomial proportions
based on paired data", Statistics in Medicine 17 (1998), 2635-2650, method 10, from the four counts.
Several answers a question: Zou and Donner, "Construction of confidence limits about effect measures",
Statistics in Medicine 27 (2008), 1693-1702, with Wilson's limits of each share for its effective size.
"""
import argparse
import math
import random
import statistics
import sys

LEAST = 6  # with fewer questions the exact sign test is never below .05, whatever the differences are
Z = statistics.NormalDist().inv_cdf(0.975)


def wilson(p, n):
    """Wilson's score limits of a share p of n."""
    middle = (2 * n * p + Z * Z) / (2 * (n + Z * Z))
    half = Z * math.sqrt(Z * Z + 4 * n * p * (1 - p)) / (2 * (n + Z * Z))
    return max(middle - half, 0.0), min(middle + half, 1.0)


def combine(before, after, limits_before, limits_after, phi):
    """The limits of after - before."""
    (l1, u1), (l2, u2) = limits_before, limits_after
    x, y = after - l2, u1 - before
    low = math.sqrt(max(x * x - 2 * phi * x * y + y * y, 0))
    x, y = u2 - after, before - l1
    high = math.sqrt(max(x * x - 2 * phi * x * y + y * y, 0))
    return after - before - low, after - before + high


def newcombe(both, fixed, broken, neither):
    """(difference, low, high) of single answers, from the counts of questions."""
    n = both + fixed + broken + neither
    p1, p2 = (both + broken) / n, (both + fixed) / n
    product = (both + broken) * (fixed + neither) * (both + fixed) * (broken + neither)
    numerator = both * neither - fixed * broken
    if numerator > 0:
        numerator = max(numerator - n / 2, 0)
    phi = numerator / math.sqrt(product) if product else 0
    return (p2 - p1, *combine(p1, p2, wilson(p1, n), wilson(p2, n), phi))


def mcnemar(fixed, broken):
    """The exact two-sided p: a binomial test of the questions that changed."""
    n, k = fixed + broken, min(fixed, broken)
    return min(1.0, 2 * sum(math.comb(n, i) for i in range(k + 1)) / 2 ** n)


def clustered(pairs):
    """(difference, low, high) from (sum, n) before and (sum, n) after for each question."""
    q = len(pairs)
    n1, n2 = sum(p[1] for p in pairs), sum(p[3] for p in pairs)
    p1, p2 = sum(p[0] for p in pairs) / n1, sum(p[2] for p in pairs) / n2
    a = [(p[0] - p1 * p[1]) / n1 for p in pairs]
    b = [(p[2] - p2 * p[3]) / n2 for p in pairs]
    aa, bb = math.fsum(x * x for x in a), math.fsum(x * x for x in b)
    ab = math.fsum(x * y for x, y in zip(a, b))

    def limits(share, squares):
        variance = squares * q / (q - 1) if q > 1 else 0
        return wilson(share, share * (1 - share) / variance if variance > 0 and 0 < share < 1 else q)

    phi, spread = 0, p1 * (1 - p1) * p2 * (1 - p2)
    if aa > 0 and bb > 0 and spread > 0:
        phi = ab / math.sqrt(aa * bb)
        # Newcombe's correction, n/2 of the counts, for the number of single answers with these variances.
        effective = math.sqrt(spread / (aa * bb))
        if phi > 0:
            phi = max(phi - 1 / (2 * effective * math.sqrt(spread)), 0)
    return (p2 - p1, *combine(p1, p2, limits(p1, aa), limits(p2, bb), max(phi, -1)))


def compare(pairs):
    """All figures of the pairs that have answers in both runs: a dictionary as the program's rows."""
    pairs = [p for p in pairs if p[1] and p[3]]
    single = all(p[1] == p[3] == 1 and p[0] in (0, 1) and p[2] in (0, 1) for p in pairs)
    fixed = sum(p[2] * p[1] > p[0] * p[3] for p in pairs)
    broken = sum(p[2] * p[1] < p[0] * p[3] for p in pairs)
    if single:
        both = sum(p[0] == p[2] == 1 for p in pairs)
        is_ = newcombe(both, fixed, broken, len(pairs) - both - fixed - broken)
    else:
        is_ = clustered(pairs)
    few = len(pairs) < LEAST
    return {"value": is_[0], "ci_low": None if few else is_[1], "ci_high": None if few else is_[2], "p_value": mcnemar(fixed, broken),
            "n": len(pairs)}


def gain(before, after):
    """The mean difference of values in [0,1], one a question, as the program's rows have it."""
    n = len(before)
    if n == 0:
        return {"value": None, "stderr": None, "ci_low": None, "ci_high": None, "n": 0}
    is_ = compare([(a, 1, b, 1) for a, b in zip(before, after, strict=True)])
    is_.pop("p_value")
    return {**is_, "stderr": statistics.stdev([b - a for a, b in zip(before, after)]) / math.sqrt(n) if n > 1 else None}


# ---- published figures ----------------------------------------------------------------------------


def self_test():
    # Fagerland, Lydersen and Laake, "Recommended tests and confidence intervals for paired binomial
    # proportions", Statistics in Medicine 33 (2014), of Bentur's data: -0.507 to -0.026.
    value, low, high = newcombe(1, 7, 1, 12)
    assert (round(value, 3), round(low, 3), round(high, 3)) == (0.286, 0.026, 0.507), (value, low, high)
    assert round(mcnemar(7, 1), 4) == 0.0703
    assert mcnemar(LEAST - 1, 0) > 0.05 > mcnemar(LEAST, 0)
    assert gain([0.2] * 3, [0.9] * 3)["ci_low"] is None
    assert newcombe(5, 0, 0, 5)[0] == 0 and newcombe(5, 0, 0, 5)[1] < 0 < newcombe(5, 0, 0, 5)[2]
    # With one answer a question the two agree but for the variance's n - 1.
    pairs = [(1, 1, 1, 1)] * 300 + [(0, 1, 1, 1)] * 120 + [(1, 1, 0, 1)] * 50 + [(0, 1, 0, 1)] * 200
    for ours, theirs in zip(clustered(pairs), newcombe(300, 120, 50, 200)):
        assert abs(ours - theirs) < 1e-4
    print("paired: as published")


# ---- coverage -------------------------------------------------------------------------------------


def simulate(rng, questions, chains, spread, shift):
    """Pairs of two runs: each question has a difficulty; the second run is shifted by a logit."""
    pairs, truth = [], 0.0
    for _ in range(questions):
        skill = rng.gauss(0.5, spread)
        p1, p2 = (1 / (1 + math.exp(-x)) for x in (skill, skill + shift))
        truth += p2 - p1
        pairs.append((sum(rng.random() < p1 for _ in range(chains)) / chains, 1,
                      sum(rng.random() < p2 for _ in range(chains)) / chains, 1))
    return pairs


def true_difference(spread, shift):
    """The mean over the population of questions, by quadrature."""
    total = weight = 0.0
    for i in range(-4000, 4001):
        z = i / 1000 * 1.5
        w = math.exp(-z * z / 2)
        a = 0.5 + spread * z
        total += w * (1 / (1 + math.exp(-a - shift)) - 1 / (1 + math.exp(-a)))
        weight += w
    return total / weight


def coverage(runs, seed):
    rng = random.Random(seed)
    print("| questions | chains | spread of questions | difference | covered | mean width | value ± 1.96 se covers |")
    print("| ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for questions in (10, 30, 100, 400):
        for chains in (1, 8):
            for spread, shift in ((0, 0.5), (2, 0.5), (4, 1.0)):
                true, held, normal, width = true_difference(spread, shift), 0, 0, 0.0
                for _ in range(runs):
                    pairs = simulate(rng, questions, chains, spread, shift)
                    is_ = compare(pairs)
                    held += is_["ci_low"] <= true <= is_["ci_high"]
                    width += is_["ci_high"] - is_["ci_low"]
                    d = [p[2] - p[0] for p in pairs]
                    normal += abs(is_["value"] - true) <= Z * statistics.stdev(d) / math.sqrt(questions)
                print(f"| {questions} | {chains} | {spread} | {100 * true:.1f} | {100 * held / runs:.1f} % | "
                      f"{100 * width / runs:.1f} | {100 * normal / runs:.1f} % |", flush=True)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--self-test", action="store_true")
    parser.add_argument("--coverage", action="store_true")
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    if args.self_test:
        self_test()
    if args.coverage:
        coverage(args.runs, args.seed)
    return 0 if args.self_test or args.coverage else 2


if __name__ == "__main__":
    sys.exit(main())
