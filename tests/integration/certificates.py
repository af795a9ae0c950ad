# SPDX-License-Identifier: Apache-2.0
"""check --certify: what is certified, what is missing, and that no planted error is ever certified."""
import json
import random
import unittest
from fractions import Fraction

from support import Case, chain, lines, rederive

PLANTED = 10000
PENS = "Ann has 3 boxes of 12 pens and gives 8 away. How many are left?"
RIGHT = chain(id="a", question=PENS, steps=["3 boxes * 12 pens = 36 pens.", "36 - 8 = 28", "The answer is 28."],
              answer="28", gold="28")
NOWHERE = dict(RIGHT, id="b", steps=["3 boxes * 12 pens = 36 pens.", "46 - 8 = 38"], answer="38")
SWAPS = "Ann has a cup and Ben has a jug. First, Ann and Ben swap. At the end, Ben has the"
FOLLOWED = ["At the start: Ann: cup, Ben: jug.", "Ann and Ben swap: Ann: jug, Ben: cup.",
            "At the end, Ben has the cup. So the answer is cup"]


def certificates(records, args=()):
    ended = rederive("check", "-q", "--json", "--certify", *args, stdin=lines(*records))
    return [record["certificate"] for record in ended.records]


class Certificates(Case):
    def test_certifies(self):
        [made] = certificates([RIGHT])
        self.assertEqual(made, {"method": "calculations", "certified": True, "gaps": []})

    def test_says_what_is_missing(self):
        [made] = certificates([NOWHERE])
        self.assertEqual(made["gaps"], [{"step": 1, "explanation": "46 is not in the question, and was not found; "
                                         "the latest result before is 36"}])
        self.assertFalse(made["certified"])

    def test_values_says_it_of_the_step(self):
        wrong = dict(NOWHERE, id="c", steps=["3 boxes * 12 pens = 36 pens.", "36 - 8 = 29", "Let x + 3 = 8."])
        ended = rederive("check", "-q", "--json", "-m", "values", stdin=lines(RIGHT, NOWHERE, wrong))
        said = [[(v["verdict"], v.get("explanation")) for v in record["verdicts"]] for record in ended.records]
        self.assertEqual(said[0], [("support", None), ("support", None), ("unrelated", None)])
        self.assertEqual(said[1][1], ("unrelated", "46 is not in the question, and was not found; the latest result before is 36"))
        self.assertEqual(said[2][1:], [("contradict", "36 - 8 is 28, not 29"), ("unknown", "not read: Let x + 3 = 8.")])
        self.assertEqual([record["first_error"] for record in ended.records], [None, None, 1])

    def test_of_a_task(self):
        cut = dict(RIGHT, question=SWAPS, steps=FOLLOWED[:2], answer="cup", gold="cup")
        unread = dict(cut, steps=[FOLLOWED[0], "Something happens to Ann.", FOLLOWED[2]])
        made = certificates([dict(cut, steps=FOLLOWED), cut, unread], ["-m", "shuffled-objects"])
        self.assertEqual([m["certified"] for m in made], [True, False, False])
        self.assertEqual(made[1]["gaps"], [{"step": None, "explanation": "the last step states no answer"}])

    def test_summary(self):
        ended = rederive("check", "--certify", stdin=lines(RIGHT, NOWHERE))
        self.assertIn("; 1 certified; ", ended.err)
        self.assertIn('"certificate":{"method":"calculations","certified":true', ended.out)

    def test_has_an_effect_or_is_refused(self):
        for args, why in ((["-m", "relevance", "-M", "builtin"], "no effect with --method relevance"),
                          (["-m", "calculations,selfcheck", "-M", "builtin"], "no effect with --method selfcheck"),
                          (["--view"], "cannot be combined with --view"), (["--list"], "cannot be combined with --list")):
            ended = rederive("check", "--certify", *args, stdin=lines(RIGHT))
            self.assertEqual((ended.status, ended.out), (2, ""))
            self.assertIn(why, ended.err)

    def test_goes_when_the_steps_change(self):
        made = rederive("check", "-q", "--json", "--certify", stdin=lines(NOWHERE)).out
        checked = rederive("check", "-q", "--json", "--certify", stdin=made).records
        self.assertEqual(len(checked[0]["certificate"]["gaps"]), 1)
        record = dict(json.loads(made), label=1)
        ended = rederive("repair", "-q", "-l", "gold", "-M", "builtin", stdin=lines(record))
        for repaired in ended.records:
            if repaired["steps"] != record["steps"]:
                self.assertNotIn("certificate", repaired)


# ---- a generator of chains, and of one wrong calculation in each ---------------------------------

OPERATORS = {"+": lambda a, b: a + b, "-": lambda a, b: a - b, "*": lambda a, b: a * b, "/": lambda a, b: Fraction(a, b)}
SAID = ("{a} {op} {b} = {c}", "So there are {a} {op} {b} = {c} of them.", "That is {a} {op} {b} = <<{a}{op}{b}={c}>>{c} pens.",
        "Now we have ${a} {op} ${b} = ${c}.", "{a} pens {op} {b} pens = {c} pens", "We get \\({a} {op} {b} = {c}\\).")


def generated(rng):
    """(question, [(a, operator, b, c)]): each a is the result before, each b a number of the question."""
    numbers = [rng.randint(2, 60) for _ in range(rng.randint(3, 6))]
    steps, value = [], numbers[0]
    for b in numbers[1:]:
        fitting = [op for op in OPERATORS if (op != "/" or value % b == 0) and (op != "-" or value > b) and
                   (op != "*" or value < 10000)]
        op = rng.choice(fitting)
        result = int(OPERATORS[op](value, b))
        steps.append((value, op, b, result))
        value = result
    listed = ", ".join(map(str, numbers))
    return f"There are boxes of {listed} pens, which are put together as the teacher says. How many are there?", steps


def told(rng, question, steps):
    texts = [rng.choice(SAID).format(a=a, op=op, b=b, c=c) for a, op, b, c in steps]
    answer = str(steps[-1][3])
    return chain(question=question, steps=[*texts, f"The answer is {answer}."], answer=answer, gold=answer)


def planted(rng, steps):
    """The steps with one calculation made wrong; from there on either as before, or carried on."""
    at, kind = rng.randrange(len(steps)), rng.choice(("number", "operator", "result"))
    a, op, b, c = steps[at]
    while True:
        wrong = {"number": (a, op, rng.choice([b + 1, b + 10, 2 * b, *(s[2] for s in steps)]), c),
                 "operator": (a, rng.choice("+-*/"), b, c),
                 "result": (a, op, b, rng.choice([c + 1, c + 10, 10 * c, c - 1, *(s[2] for s in steps)]))}[kind]
        if OPERATORS[wrong[1]](wrong[0], wrong[2]) != wrong[3] and abs(
                OPERATORS[wrong[1]](wrong[0], wrong[2]) - wrong[3]) >= 1:
            break
        kind = "result"
    out, value = [*steps[:at], wrong], wrong[3]
    for a, op, b, c in steps[at + 1:]:
        exact = OPERATORS[op](value, b)
        if wrong[3] == steps[at][3] or exact.denominator != 1:
            out.append((a, op, b, c))
        else:
            out.append((value, op, b, int(exact)))
        value = out[-1][3]
    return out


class Planted(Case):
    def test_no_planted_error_is_certified(self):
        rng = random.Random(18)
        made = [generated(rng) for _ in range(PLANTED)]
        clean = certificates([told(rng, *one) for one in made])
        self.assertGreater(sum(c["certified"] for c in clean), 0.99 * PLANTED)
        wrong = [told(rng, question, planted(rng, steps)) for question, steps in made]
        passed = [record for record, c in zip(wrong, certificates(wrong)) if c["certified"]]
        self.assertEqual(passed, [])


if __name__ == "__main__":
    unittest.main()
