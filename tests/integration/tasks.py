#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rederive tasks: every question is solved here again from its words, by other means, and every trace
is compared with the right one."""
import ast
import collections
import itertools
import re
import unittest

from support import Case, rederive

N = 150
TASKS = ("word_sorting", "tracking_shuffled_objects", "logical_deduction", "multistep_arithmetic",
         "dyck_languages", "coin_flip", "last_letters")
OPTIONS = ("tracking_shuffled_objects", "logical_deduction")
ORDINALS = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh")


def make(task, *more, n=N):
    ended = rederive("tasks", "--quiet", "--task", task, "-n", str(n), *more)
    if ended.status:
        raise AssertionError(ended.err)
    return ended.records


# ---- solvers ---------------------------------------------------------------------------------------

def word_sorting(record):
    return " ".join(sorted(record["question"].split(": ")[1].split()))


def dyck_languages(record):
    pairs = dict(zip("([{<", ")]}>"))
    stack = []
    for symbol in record["question"].split(": ")[1].split():
        if symbol in pairs:
            stack.append(symbol)
        elif not stack or pairs[stack.pop()] != symbol:
            raise AssertionError("a bracket closes what is not open")
    return " ".join(pairs[symbol] for symbol in reversed(stack))


def evaluate(node):
    if isinstance(node, ast.BinOp):
        a, b = evaluate(node.left), evaluate(node.right)
        return {ast.Add: a + b, ast.Sub: a - b, ast.Mult: a * b}[type(node.op)]
    if isinstance(node, ast.UnaryOp):
        return -evaluate(node.operand)
    return node.value


def multistep_arithmetic(record):
    return str(evaluate(ast.parse(record["question"].removesuffix(" =").strip(), mode="eval").body))


def coin_flip(record):
    turns = len(re.findall(r"\w+ turns the coin over", record["question"]))
    return "yes" if turns % 2 == 0 else "no"


def last_letters(record):
    return "".join(name[-1] for name in record["question"].split(": ")[1].split())


def letter(record, option):
    return f"({chr(65 + record['options'].index(option))})"


def tracking_shuffled_objects(record):
    told, swaps = record["question"].split("\n")
    start = told.split(". ", 1)[1].split(", ", 1)[1].rstrip(".")
    has = {}
    for part in re.split(r", and | and |, ", start):
        name, thing = re.fullmatch(r"(\w+) \w+ the (.+)", part).groups()
        has[name] = thing
    for a, b in re.findall(r"(?:First|Then|Finally), (\w+) and (\w+) (?:swap|switch) \w+\.", swaps):
        has[a], has[b] = has[b], has[a]
    asked = re.search(r"At the end of the \w+, (\w+) \w+ the$", swaps).group(1)
    return letter(record, has[asked])


# What stands before what, and how places are told: (before, after, first, last, counted from first,
# counted from last).
ROWS = (("is to the left of", "is to the right of", "is the leftmost", "is the rightmost",
         "is the %s from the left", "is the %s from the right"),
        ("came in before", "came in after", "came in first", "came in last", "came in %s",
         "came in %s to last"),
        ("is taller than", "is shorter than", "is the tallest", "is the shortest",
         "is the %s tallest", "is the %s shortest"),
        ("is cheaper than", "is dearer than", "is the cheapest", "is the dearest",
         "is the %s cheapest", "is the %s dearest"),
        ("is newer than", "is older than", "is the newest", "is the oldest", "is the %s newest",
         "is the %s oldest"))


def place_of(tail, row, n):
    for i in range(n):
        words = {row[2]} if i == 0 else {row[3]} if i == n - 1 else \
            {row[4] % ORDINALS[i], row[5] % ORDINALS[n - 1 - i]}
        if tail in words:
            return i
    return None


def holds(statement, place, n):
    statement = statement.rstrip(".").removeprefix("The ")
    thing = max((t for t in place if statement.startswith(t + " ")), key=len)
    tail = statement[len(thing) + 1:]
    for row in ROWS:
        at = place_of(tail, row, n)
        if at is not None:
            return place[thing] == at
        for sign, verb in ((1, row[0]), (-1, row[1])):
            if tail.startswith(verb + " "):
                other = tail[len(verb) + 1:].removeprefix("the ")
                return sign * (place[other] - place[thing]) > 0
    raise AssertionError(f"not understood: {statement}")


def logical_deduction(record):
    lines = [line[2:] for line in record["question"].split("\n") if line.startswith("- ")]
    things = [re.sub(r"^(and )?(a )?", "", t)
              for t in lines[0].split(": ")[1].rstrip(".").split(", ")]
    orders = [dict(zip(things, order)) for order in itertools.permutations(range(len(things)))]
    orders = [o for o in orders if all(holds(line, o, len(things)) for line in lines[1:])]
    if len(orders) != 1:
        raise AssertionError(f"{len(orders)} orders are possible")
    true = [o for o in record["options"] if holds(o, orders[0], len(things))]
    if len(true) != 1:
        raise AssertionError(f"{len(true)} options are true")
    return letter(record, true[0])


class Tasks(Case):
    def test_answers_are_right(self):
        for task in TASKS:
            for record in make(task):
                with self.subTest(task=task, id=record["id"]):
                    self.assertEqual(globals()[task](record), record["gold"])

    def test_small_and_large_ones_too(self):
        for task, least, most in (("word_sorting", 2, 60), ("tracking_shuffled_objects", 2, 9),
                                  ("logical_deduction", 2, 7), ("dyck_languages", 2, 400)):
            for record in make(task, "--min-size", str(least), "--max-size", str(most), n=40):
                with self.subTest(task=task, id=record["id"]):
                    self.assertEqual(globals()[task](record), record["gold"])

    def test_no_question_twice(self):
        for task in TASKS:
            texts = [record["question"] for record in make(task)]
            self.assertEqual(len(texts), N)
            self.assertEqual(len(set(texts)), N)

    def test_a_seed_makes_the_same(self):
        for task in TASKS:
            self.assertEqual(make(task, "--seed", "5"), make(task, "--seed", "5"))
            self.assertNotEqual(make(task, "--seed", "5"), make(task, "--seed", "6"))
            self.assertEqual(make(task, n=20), make(task)[:20])

    def test_traces_are_right(self):
        for task in TASKS:
            for record, plain in zip(make(task, "--traces"), make(task)):
                self.assertEqual(record["question"], plain["question"])
                self.assertEqual(record["answer"], record["gold"])
                self.assertIsNone(record["label"])
                self.assertRegex(record["steps"][-1],
                                 rf"[Tt]he answer is {re.escape(record['answer'])}$")
                self.assertNotIn("\n", "".join(record["steps"]))

    def test_mistakes_stand_where_the_label_says(self):
        for task in TASKS:
            at = collections.Counter()
            for wrong, right in zip(make(task, "--mistakes", "1"), make(task, "--traces")):
                label = wrong["label"]
                self.assertEqual(wrong["steps"][:label], right["steps"][:label])
                self.assertNotEqual(wrong["steps"][label], right["steps"][label], wrong["id"])
                self.assertIn(wrong["answer"], wrong["steps"][-1])
                at[label] += 1
            self.assertGreater(len(at), 2, task)  # not always the same step

    def test_the_share_of_mistakes(self):
        records = make("dyck_languages", "--mistakes", "0.3", n=1000)
        share = sum(record["label"] is not None for record in records) / 1000
        self.assertAlmostEqual(share, 0.3, delta=0.05)

    def test_programs_find_the_mistakes_made(self):
        made = rederive("tasks", "-q", "-t", "multistep_arithmetic", "-n", "50", "--mistakes", "0.5")
        found = rederive("check", "-q", "-m", "arithmetic", stdin=made.out)
        self.assertEqual(len(found.records), 50)
        for record in found.records:
            self.assertEqual(record["first_error"], record["label"], record["id"])

    def test_too_many_are_asked_for(self):
        ended = rederive("tasks", "-t", "dyck_languages", "-n", "100000", "--min-size", "2", "--max-size",
                         "2")
        self.assert_ended(ended, 3)
        self.assertIn("no more than", ended.err)

    def test_sizes_that_cannot_be(self):
        ended = rederive("tasks", "-t", "logical_deduction", "--min-size", "9", "--max-size", "11")
        self.assert_ended(ended, 2)
        self.assertIn("at most 7 objects", ended.err)


if __name__ == "__main__":
    unittest.main()
