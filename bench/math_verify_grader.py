# SPDX-License-Identifier: Apache-2.0
"""Grade pairs by Math-Verify, as its README says: gold and answer parsed, then verified. Reads lines of JSON with "gold" and "answer"
or "text"; writes a line of JSON: the verdicts, and the seconds of processor time after the first ten pairs, which load sympy."""
import json
import sys
import time

from math_verify import parse, verify

WARM = 10


def grade(pair):
    try:
        return bool(verify(parse(pair["gold"]), parse(pair["answer"] if "answer" in pair else pair["text"])))
    except Exception:  # as trainers treat it: no reward
        return False


def main():
    pairs = [json.loads(line) for line in sys.stdin]
    for pair in pairs[:WARM]:
        grade(pair)
    began = time.process_time()
    verdicts = [grade(pair) for pair in pairs]
    print(json.dumps({"seconds": time.process_time() - began, "verdicts": verdicts}))


if __name__ == "__main__":
    main()
