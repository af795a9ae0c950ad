#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Steps that say that a true claim is false: none may be support, whichever reader read the claim (docs/adr/0084). Steps that only
doubt, or look again: each equality stays support.

    denied_claims.py [--show N]    supported ones listed (10)

Each frame denies its claim as a whole; a step that denies what is true is false. FRAMES_ASIDE was written with FRAMES and
looked at when the rules were done. Exits with 1 if a step is supported, and where no claim is read without a frame.
RDV_PROGRAM is the program."""

import argparse
import json
import os
import subprocess
import sys

PROGRAM = os.environ.get("RDV_PROGRAM", "build/rederive")

CLAIMS = [  # one of each reader at least; each is support alone
    "3 * 4 = 12", "2.5 + 1.5 = 4", "$\\frac{6}{4} = \\frac{3}{2}$", "17 ≡ 3 (mod 7)", "$24 \\equiv 3 \\pmod{7}$", "15 is divisible by 5",
    "7 divides 21", "9 is a perfect square", "13 is prime", "9:45 + 3:35 = 13:20", "2 hours = 120 minutes", "3 km = 3000 m",
    "the roots of x^2 - 5x + 6 = 0 are 2 and 3", "3 * 4 = 12 < 20", "7 is between 5 and 10", "3/4 > 2/3", "12 is 3 times 4",
    "the sum of 5 and 8 is 13", "(x + 1)^2 = x^2 + 2x + 1", "20% of 50 is 10",
]
EQUALITIES = ["3 * 4 = 12", "2.5 + 1.5 = 4", "$\\frac{6}{4} = \\frac{3}{2}$", "2 hours = 120 minutes", "3 km = 3000 m", "12 is 3 times 4", "the sum of 5 and 8 is 13", "(x + 1)^2 = x^2 + 2x + 1",
              "20% of 50 is 10"]
FRAMES = [
    "It is false that {c}.", "It is not true that {c}.", "It is not the case that {c}.", "It is wrong that {c}.", "{c} does not hold.",
    "{c} is false.", "{c} is wrong.", "{c} is not true.", "{c}, which is wrong.", "{c} cannot be right.", "{c}. That is false.",
    "We do not have {c}.", "It does not follow that {c}.", "{c} is incorrect.", "No, it is not so that {c}.",
]
FRAMES_ASIDE = [
    "It is incorrect that {c}.", "It cannot be that {c}.", "{c} isn't true.", "{c} never holds.", "{c}, which is not correct.",
    "{c} is a mistake.", "{c}. This is not right.", "I disagree that {c}.", "{c} fails to hold.", "One cannot say that {c}.",
]
DOUBTS = ["{c}. Hmm.", "{c}. Wait.", "{c}. Hold on.", "{c}. Let me recheck.", "{c}. Actually, it is what we need.", "{c}, which does not match.",
          "{c}. Hmm, that does not fit."]
FRAMES_LATER = [  # written when the two were done
    "It isn't the case that {c}.", "Nobody can claim that {c}.", "{c} turns out to be false.", "{c} would be wrong.", "{c} is simply untrue.",
    "The statement that {c} is false.", "By no means is it so that {c}.", "It would be an error to conclude that {c}.",
    "{c} (which is false).", "{c}, but that is not so.", "It's a mistake to say that {c}.", "{c}: this is wrong.",
]


def judged(steps):
    asked = "".join(json.dumps({"question": "?", "steps": [step]}) + "\n" for step in steps)
    ended = subprocess.run([PROGRAM, "check", "--json", "-q"], input=asked, capture_output=True, text=True, check=True)
    return [json.loads(line)["verdicts"][0]["verdict"] for line in ended.stdout.splitlines()]


def count(name, frames, show):
    steps = [frame.format(c=claim) for frame in frames for claim in CLAIMS]
    steps = [step[0].upper() + step[1:] for step in steps]
    verdicts = judged(steps)
    wrong = [step for step, verdict in zip(steps, verdicts, strict=True) if verdict == "support"]
    print(f"{name}: {len(steps)} denied claims, {len(wrong)} support")
    for step in wrong[:show]:
        print(f"  {step}")
    return len(wrong)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--show", type=int, default=10)
    show = parser.parse_args().show
    alone = [claim for claim, verdict in zip(CLAIMS, judged([f"{c[0].upper()}{c[1:]}." for c in CLAIMS])) if verdict != "support"]
    print(f"{len(CLAIMS) - len(alone)} of {len(CLAIMS)} claims are support where nobody denies them")
    for claim in alone:
        print(f"  not: {claim}")
    supported = count("frames", FRAMES, show) + count("aside", FRAMES_ASIDE, show) + count("later", FRAMES_LATER, show)
    doubted = [frame.format(c=claim) for frame in DOUBTS for claim in EQUALITIES]
    lost = [step for step, verdict in zip(doubted, judged(doubted), strict=True) if verdict != "support"]
    print(f"doubts: {len(doubted)} claims, {len(lost)} no support")
    for step in lost[:show]:
        print(f"  {step}")
    return 1 if supported or alone or lost else 0


if __name__ == "__main__":
    sys.exit(main())
