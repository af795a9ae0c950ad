# SPDX-License-Identifier: Apache-2.0
"""What users of graders reported as graded wrongly: false accepts first. Each case names where it was reported (MV: Math-Verify's
issues on GitHub); the numbers are often ours. `same`: True, False, or None where it must not be called the same."""
import unittest

from support import Case, lines, rederive

# where, gold, answer, same
CASES = [
    ("MV 14", r"$\frac{1}{2004!}$", r"$\frac{1}{2006!}$", False),
    ("MV 14", "1/2004!", "1/2006!", False),
    ("MV 14", r"$\frac{1}{2^{99}}$", r"$\frac{1}{2^{98}}$", False),
    ("MV 14", r"$\frac{1}{3^{500}}$", r"$\frac{1}{3^{501}}$", False),
    ("MV 14", "$n=2, 3, 4$", "$n=1, 2, 3$", False),
    ("MV 14", "$D = (0, 1)$", "$D = (0, 1.5)$", False),
    ("MV 14", r"$F_n = \sum_{k=0}^{n-1} F_k F_{n-k-1}$", r"$F_n = \sum_{k=0}^{n-2} F_k F_{n-k-2}$", None),
    ("MV 14", r"$19, 46, \text{ and } 82$", "$21, 36, and 82$", False),
    ("MV 14", r"$\frac{2^{2005}+1}{3 \cdot 2^{2006}}$", r"$\frac{1}{3 \cdot 2^{2006}}$", False),
    ("MV 14, PR 82", r"$1 - \frac{1}{\mathrm{e}}$", r"$1 + \frac{1}{\mathrm{e}}$", False),
    ("PR 82", r"$2 - \frac{3}{\mathrm{e}^2}$", r"$2 + \frac{3}{\mathrm{e}^2}$", False),
    ("MV 14", r"$\pm 2021$", "$2021$", False),
    ("MV 14", "$12:00$", "$1:00$", None),
    ("MV 14", r"$1, 2, \ldots, n$", r"$1, 3, 5, \ldots, 2n-1$", None),
    ("MV 14", r"$1:2:3:\ldots$", r"$1:4:9:\ldots$", None),
    ("MV 41", "$4$", r"$4\sqrt(2)$", False),
    ("MV 41", "$4$", r"$4\sqrt2$", False),
    ("MV 60", "3*x-1*y+13=0", "3x + 4y + 14=0", False),
    ("MV 60", "2x + 3y = 5", "2x + 4y = 5", False),
    ("MV 47", "1331 and 1728", "1728", False),
    ("MV 69", r"e^{16} - 1", "-1 + exp(16)", True),
    ("MV 69", r"\dfrac{\pi}{2}", "pi/2", True),
    ("MV 69", "14 - i", "14.0 + -1.0i", True),
    ("MV 69", r"-2\pi", "-2*pi", True),
    ("MV 26", "$2x+4y-3=0$", r"$y = -\frac{1}{2}x + \frac{3}{4}$", True),
    ("MV 26", "$2x+4y-3=0$", r"$y = -\frac{1}{2}x - \frac{3}{4}$", False),
    ("MV 25", r"m \geq \sqrt{2}", r"m \in [\sqrt{2}, +\infty)", True),
    ("MV 37", "$13$", r"$\text{13}$", True),
    ("MV 2", r"$\frac{x+2}{7}$", r"$\frac{x}{7}+\frac{2}{7}$", True),
    ("MV 2", r"$\tan^2(y)+1$", r"$\sec^2(y)$", True),
    ("MV 2", "34x+45y-20z+100=0", "-34x-45y+20z-100=0", True),
    ("MV 2", r"(1,\frac{9}{2})", "(1,4.5)", True),
    ("ours", "0", "0.0000000000000000000000001", False),
    ("ours", "262537412640768744", r"e^{\pi\sqrt{163}}", False),
    ("ours", r"\pi", "3.14159265358979323846264338327950288419716939937510", False),
    ("ours", "1", "0.99999999999999999999999999999999999999", False),
    ("ours", "10^{20}", "10^{20}+1", False),
    ("ours", "-1147", "(2) + (-1{,}149)", True),
    ("ours", "3i - 1149", r"3i + (-1\,149)", True),
]

# where, gold, whole reply, same
REPLIES = [
    ("MV 76", "73", "Thus, the number of residents is **73**.\n\n---\n\nFinal Answer: **73**", True),
    ("MV 76", "73", "The sum is 234, and so it is **72**.\n\nFinal Answer: **72**", False),
    ("MV 44", "840", "therefore\\boxed{840}., but let me say it again.\n\n**Final Answer**\n\\boxed{840}", True),
    ("MV 44", "4", "the answer should be \\boxed{004}.\n\nThe last digits are 004. So, \\boxed{004} is it.\n\n**Final Answer**\n\\boxed{004}", True),
    ("MV 44", "840840", "therefore\\boxed{840}.\n\n**Final Answer**\n\\boxed{840}", False),
    ("ours", "7", "", False),
    ("ours", "7", "I do not know.", False),
]


class Reported(Case):
    def grade(self, member, cases):
        records = rederive("grade", "-q", stdin=lines(*({member: text, "gold": gold} for _, gold, text, _ in cases))).records
        self.assertEqual(len(records), len(cases))
        wrong = [f"{where}: {text!r} for {gold!r} is {r.get('correct', r.get('error'))} ({r.get('why')})"
                 for (where, gold, text, same), r in zip(cases, records)
                 if r.get("correct", "error") not in ((same,) if same is not None else (False, None))]
        self.assertEqual(wrong, [], "\n" + "\n".join(wrong))

    def test_answers(self):
        self.grade("answer", CASES)

    def test_replies(self):
        self.grade("text", REPLIES)


if __name__ == "__main__":
    unittest.main()
