# SPDX-License-Identifier: Apache-2.0
"""grade on thousands of generated answers that are written in two ways: a value that is kept stays the same, or cannot be told, and
a value that is changed is never the same. tests/reference/rewritten.py makes them, and knows their values."""
import os
import sys
import unittest
from collections import Counter

from support import Case, lines, rederive

sys.path.insert(0, os.path.join(os.environ["RDV_SOURCE"], "tests", "reference"))
import rewritten  # noqa: E402

N = int(os.environ.get("RDV_PAIRS", "3000"))
SEED = int(os.environ.get("RDV_SEED", "1"))


class Rewritten(Case):
    def test_the_generator_makes_both(self):
        truths = Counter((name, same) for _, same, name in rewritten.pairs(2400, SEED))
        for name, *_ in rewritten.KINDS:
            self.assertGreater(min(truths[name, True], truths[name, False]), 50, name)

    def test_values_decide(self):
        made = list(rewritten.pairs(N, SEED))
        graded = rederive("grade", "-q", stdin=lines(*(record for record, _, _ in made)), seconds=300).records
        self.assertEqual(len(graded), N)
        told, wrong = Counter(), []
        for (record, same, name), result in zip(made, graded):
            self.assertEqual(result["id"], record["id"])
            told[name, same, result.get("correct", "error")] += 1
            if result.get("correct", "error") not in (same, None):
                wrong.append(f"{name}: {'same' if same else 'different'}, called {result.get('correct')} ({result.get('why')}): "
                             f"{record['answer']!r} and {record['gold']!r}")
        for (name, same, found), n in sorted(told.items(), key=str):
            print(f"{name}: {'same' if same else 'different'} called {found}: {n}", file=sys.stderr)
        self.assertEqual(wrong, [], "\n".join(wrong[:40]))


if __name__ == "__main__":
    unittest.main()
