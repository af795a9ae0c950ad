# SPDX-License-Identifier: Apache-2.0
"""A right trace in which one stated fact is changed gets no support for that step.

The traces are those of `rederive tasks --traces`, and the same in shorter wordings. One bracket, name,
thing, word, letter or number of one step is replaced by another of the same kind. Where the changed step
still says something true, by a computation of this file alone, it is left out."""

import json
import os
import random
import re
import subprocess
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["RDV_SOURCE"], "tests/reference"))
from calc_exact import NotArithmetic, value_of  # noqa: E402

PROGRAM = os.environ["RDV_PROGRAM"]
CHANGES = 400  # changed traces of each task
ORDINALS = "first second third fourth fifth sixth seventh".split()


def run(*args, stdin=""):
    done = subprocess.run([PROGRAM, *args], input=stdin, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def traces(task, number):
    return run("tasks", "-q", "-t", task, "-n", str(number), "--traces", "--seed", "16")


def replaced(rng, text, pattern, others):
    """The text with one match of the pattern replaced by another of `others`, or None."""
    found = list(re.finditer(pattern, text))
    if not found:
        return None
    at = rng.choice(found)
    choice = [other for other in others if other.lower() != at.group().lower()]
    return text[:at.start()] + rng.choice(choice) + text[at.end():] if choice else None


def words_of(question):
    return question.partition(": ")[2].split()


def any_of(words):
    return r"\b(?:" + "|".join(map(re.escape, sorted(words, key=len, reverse=True))) + r")\b"


# ---- one task each: the changed step, or None --------------------------------------------------

def change_dyck(rng, record, step):
    return replaced(rng, step, r"[][(){}<>]", "[](){}<>")


def change_sorting(rng, record, step):
    if rng.random() < 0.5:  # not the number of the whole part, which a group's first number may be
        part = re.search(r'\(\d+\) "(\w)', step)
        return replaced(rng, step, r"\d+", [str(n) for n in range(1, 27)
                                            if not part or n != ord(part.group(1)) - ord("a") + 1])
    words = words_of(record["question"])
    return replaced(rng, step, any_of(words), words)


def people_and_things(question):
    told = re.findall(r"(\w+) (?:tends|prepares|has|holds|wears) the (\w+)", question.partition("\n")[0])
    return [name for name, _ in told], [thing for _, thing in told]


def change_shuffled(rng, record, step):
    names, things = people_and_things(record["question"])
    kind = names if rng.random() < 0.3 else things
    return replaced(rng, step, any_of(kind), kind)


def change_arithmetic(rng, record, step):
    """Only where a side of an equality, or the first formula's value, is another than before."""
    changed = replaced(rng, step, r"\d+", [str(n) for n in range(10)])
    return None if changed is None or still_true(step, changed) else changed


def still_true(step, changed):
    def values(text):
        out = []
        for side in re.split("=", text):
            try:
                out.append(value_of(side.strip(" .")))
            except NotArithmetic:
                out.append(side)
        return out
    return values(step) == values(changed)


def change_deduction(rng, record, step):
    objects = re.findall(r"an? (\w+)", record["question"].partition(":")[2].partition(".")[0])
    kind = ORDINALS[:len(objects)] if rng.random() < 0.4 else objects
    changed = replaced(rng, step, any_of(kind), kind)
    return None if changed is None or true_of(places(record, objects), step, changed) else changed


def places(record, objects):
    """The place of each object, from 0, by the order that the right trace ends in."""
    order = next(step for step in reversed(record["steps"]) if "first is" in step)
    return {name: at for at, name in enumerate(re.findall(any_of(objects), order))}


def true_of(place, step, changed):
    """Does the changed step still say what holds in the one true order, of a relation and places alone?"""
    premise, _, conclusion = changed.partition(", so ")
    before, after = (re.findall(any_of(place), text.partition(", so ")[0]) for text in (step, changed))
    if before != after and (len(before) != 2 or after[0] == after[1] or
                            (place[before[0]] < place[before[1]]) != (place[after[0]] < place[after[1]])):
        return False
    claims = re.findall(f"({any_of(place)})" r"(?: \w+)? (?:can only|must) be ((?:\w+(?:, | or )?)+)", conclusion)
    return bool(claims) and all(
        ORDINALS[place[name]] in re.findall(any_of(ORDINALS), said) for name, said in claims)


TASKS = {
    "dyck_languages": ("dyck", change_dyck),
    "word_sorting": ("sorting", change_sorting),
    "tracking_shuffled_objects": ("shuffled-objects", change_shuffled),
    "multistep_arithmetic": ("arithmetic", change_arithmetic),
    "logical_deduction": ("deduction", change_deduction),
}


def changed_traces(task, change, records):
    """(record with one changed step, index of it)"""
    rng = random.Random(16)
    while True:
        record = rng.choice(records)
        at = rng.randrange(len(record["steps"]))
        step = change(rng, record, record["steps"][at])
        if step is not None:
            yield {"question": record["question"], "options": record.get("options"),
                   "steps": record["steps"][:at] + [step] + record["steps"][at + 1:]}, at, record["steps"][at]


def verdicts(method, records):
    text = "".join(json.dumps({k: v for k, v in r.items() if v}) + "\n" for r in records)
    return [r["verdicts"] for r in run("check", "-q", "--json", "-m", method, stdin=text)]


class ChangedFacts(unittest.TestCase):
    def hold(self, task):
        method, change = TASKS[task]
        made = [r for r, _ in zip(changed_traces(task, change, traces(task, 60)), range(CHANGES))]
        said = verdicts(method, [record for record, _, _ in made])
        supported = [(old, record["steps"][at], record["question"]) for (record, at, old), v in
                     zip(made, said) if v[at]["verdict"] == "support"]
        self.assertEqual(supported, [])

    def test_brackets(self):
        self.hold("dyck_languages")

    def test_sorted_words(self):
        self.hold("word_sorting")

    def test_shuffled_objects(self):
        self.hold("tracking_shuffled_objects")

    def test_arithmetic(self):
        self.hold("multistep_arithmetic")

    def test_deduction(self):
        self.hold("logical_deduction")

    def test_short_wordings(self):
        """A pair, and what both have, without a verb: `C D: C Black, D White`."""
        question = ("Cleo and Dan are at a party, and so is Eve. Cleo has a white ball, Dan has a black ball, "
                    "and Eve has a purple ball. First, Cleo and Dan swap balls. Then, Eve and Cleo swap "
                    "balls. At the end, Eve has the")
        right = ["C D: C Black, D White", "E C: E Black, C Purple"]
        wrong = [["C D: C Black, D White", "E C: E White, C White"],
                 ["C D: C White, D White"], ["C D: C Black, D Black"], ["C D: C Black, E White"],
                 ["C D: C Black, D White", "E C: E Black, C not Purple"],
                 ["C D: C Black, D White", "E C: Eve has anything but the black ball"]]
        said = verdicts("shuffled-objects", [{"question": question, "steps": steps} for steps in [right, *wrong]])
        self.assertEqual([v["verdict"] for v in said[0]], ["support", "support"])
        for steps, verdict in zip(wrong, said[1:]):
            self.assertNotEqual(verdict[-1]["verdict"], "support", steps)


if __name__ == "__main__":
    unittest.main()
