# SPDX-License-Identifier: Apache-2.0
"""docs/papers.md: every table and figure of the papers has a row, every recipe has one, and every command, option and
recipe that the page names exists."""
import os
import re
import sys
import unittest

sys.path.insert(0, os.path.join(os.environ["RDV_SOURCE"], "tests", "reference"))
import chains as simulation  # noqa: E402
import general_chains  # noqa: E402
from support import Case, lines, rederive  # noqa: E402

PAPERS = {  # of each section of the page: the tables, the figures, and those of v2
    "SelfCheck": (2, 6, 1, 6),
    "General-purpose verification": (6, 14, 0, 0),
    "BIG-Bench Mistake": (9, 3, 0, 0),
    "Beside the three papers": (0, 0, 0, 0),
}


def page():
    with open(os.path.join(os.environ["RDV_SOURCE"], "docs", "papers.md"), encoding="utf-8") as file:
        return file.read()


def sections():
    """The rows of each section: (item, recipe or command, state)."""
    for part in page().split("\n## ")[1:]:
        title, *lines = part.splitlines()
        rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines if line.startswith("| ")]
        yield title, [row for row in rows if row[0] not in ("item", "---")]


def items(text):
    """What a row is about: {("Table", 1), ("v2 Fig.", 3)}."""
    found = set()
    for v2, kind, numbers in re.findall(r"(v2 )?(Table|Fig)s?\.? ((?:\d+)(?:, \d+)*)", text):
        found |= {((v2 or "") + kind, int(n)) for n in numbers.split(", ")}
    return found


def recipes():
    """Those of eval, and what only reproduce makes."""
    told = rederive("eval", "--recipe", "list").out + rederive("reproduce", "--list").out
    return set(re.findall(r"(?m)^(\w+:\w+)", told))


class Page(Case):
    def test_every_table_and_figure_has_a_row(self):
        for title, rows in sections():
            counts = next(counts for name, counts in PAPERS.items() if title.startswith(name))
            wanted = {(kind, n) for kind, most in zip(("Table", "Fig", "v2 Table", "v2 Fig"), counts) for n in range(1, most + 1)}
            self.assertEqual(wanted, set().union(*(items(row[0]) for row in rows)) & wanted, title)

    def test_every_row_has_a_command_and_a_state(self):
        for _, rows in sections():
            for row in rows:
                self.assertEqual(len(row), 3, row)
                self.assertTrue("`" in row[1] or row[1] == "none", row)
                self.assertRegex(row[2], r"^\*\*(works|differs|not here)\*\*", row)

    def test_recipes_exist_and_all_are_named(self):
        named = set(re.findall(r"\b(?:selfcheck|general|mistakes|prmbench):[a-z0-9]+", page()))
        self.assertEqual(named - recipes(), set())
        self.assertEqual(recipes() - named, set())

    def test_commands_and_their_options_exist(self):
        commands = re.findall(r"`rederive ([^`]*)`", page())
        self.assertGreater(len(commands), 15)
        for command in commands:
            name, *words = command.split()
            told = rederive("help", name)
            self.assertEqual(told.status, 0, command)
            for option in (word for word in words if word.startswith("-")):
                self.assertRegex(told.out, rf"(?m)^\s+(-\w, )?{option}\b|^\s+{option}\b", command)

    def test_commands_run(self):
        """Each, with a small input; those that ask a model with a dry run."""
        for command in re.findall(r"`rederive ([^`]*)`", page()):
            name, *words = command.split()
            if name in INPUTS:
                words = [word for word in words if not word.endswith(".jsonl") and word != "--data"]
                words = [self.path("out") if word == "DIR" else word for word in words]
                more = [] if name == "reproduce" or {"--p", "guidelines"} & set(words) else [self.write("in.jsonl", VERIFIED if "general:" in command else INPUTS[name][0])]
                asks = INPUTS[name][1:] if "--as-labels" not in words else ["-q"]
                ended = rederive(name, *words, *asks, *more, cwd=os.environ["RDV_SOURCE"])
                self.assertEqual(ended.status, 0, (command, ended.err))


CHAINS = lines(*simulation.records(questions=12))
VERIFIED = lines(*general_chains.records(questions=6))
TRACE = lines({"id": "t", "question": "What is 2 + 3?", "steps": ["2 + 3 = 6.", "The answer is 6."], "answer": "6",
               "gold": "5", "label": 0})
INPUTS = {  # what each command reads, and what is added to it
    "check": (TRACE, "-q", "-M", "builtin", "--dry-run"),
    "solve": (lines({"question": "What is 2 + 3?", "gold": "5"}), "-q", "-M", "builtin", "--dry-run"),
    "repair": (TRACE, "-q", "-M", "builtin", "--dry-run"),
    "eval": (CHAINS, "-q"),
    "annotate": (CHAINS,),
    "reproduce": (None, "-q", "--dry-run"),
}


if __name__ == "__main__":
    unittest.main()
