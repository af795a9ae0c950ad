# SPDX-License-Identifier: Apache-2.0
"""eval --tables: every recipe's tables as files, which say the same as the terminal and --json."""
import csv
import io
import json
import os
import unittest

from recipe_inputs import RECIPES, write_inputs
from support import Case, chain, lines, rederive

PARTS = ("value", "stderr", "ci_low", "ci_high", "n")


def flat(row):
    """A row of the JSON output as cells of a CSV file."""
    out = {}
    for name, value in row.items():
        if isinstance(value, dict):
            out.update({f"{name}.{part}": value[part] for part in PARTS})
        elif not isinstance(value, list):
            out[name] = value
    return out


def rows_of(said):
    """The rows of a recipe's JSON output, each with the members of its series before it."""
    if "series" in said:
        return [{**{f"series.{name}" if name in row else name: value for name, value in flat(series).items()}, **flat(row)}
                for series in said["series"] for row in series["rows"]]
    return [flat(row) for row in said["rows"]]


def cell(text, like):
    """A cell read as the JSON value that it stands for."""
    if text == "":
        return None
    if isinstance(like, bool):
        return {"true": True, "false": False}[text]
    return float(text) if isinstance(like, (int, float)) else text


class Folders(Case):
    def setUp(self):
        super().setUp()
        write_inputs(self.folder)

    def tables(self, *args, status=0):
        """Run eval with --tables out."""
        ended = rederive("eval", "-q", *args, "--tables", "out", cwd=self.folder)
        self.assert_ended(ended, status)
        return ended

    def csv(self, name):
        with open(self.path(os.path.join("out", name)), newline="", encoding="utf-8") as file:
            text = file.read()
        self.assertTrue(text.endswith("\r\n"))
        rows = list(csv.reader(io.StringIO(text), strict=True))
        self.assertEqual({len(row) for row in rows}, {len(rows[0])})
        self.assertEqual(len(set(rows[0])), len(rows[0]))
        return [dict(zip(rows[0], row)) for row in rows[1:]]


class EveryRecipe(Folders):
    def test_the_files_say_what_the_program_says(self):
        self.assertGreater(len(RECIPES), 30)
        for recipe in RECIPES:
            with self.subTest(recipe=recipe):
                args = ("--recipe", recipe, *RECIPES[recipe])
                said = json.loads(rederive("eval", "-q", "--json", *args, cwd=self.folder).out)
                plain = rederive("eval", "-q", *args, cwd=self.folder).out
                self.assertEqual(self.tables(*args).out, plain)
                self.assertEqual(self.read("out/table.txt"), plain)
                self.assertEqual(json.loads(self.read("out/table.json")), said)
                rows = rows_of(said)
                self.assertTrue(rows)
                table = self.csv("table.csv")
                self.assertEqual(len(table), len(rows))
                for ours, theirs in zip(table, rows):
                    self.assertEqual({name: cell(ours[name], value) for name, value in theirs.items()}, theirs)
                page = self.read("out/table.html")
                self.assertIn(f'<span class="title">{recipe}</span>', page)
                self.assertNotIn("<script", page)
                self.assertFalse([name for name in os.listdir(self.path("out")) if "writing" in name])


class Evaluations(Folders):
    def test_figures_and_curves(self):
        said = json.loads(rederive("eval", "-q", "--json", "selfcheck.jsonl", cwd=self.folder).out)
        self.tables("selfcheck.jsonl")
        figures = {row["figure"]: row for row in self.csv("table.csv")}
        self.assertEqual(set(figures), set(said["figures"]))
        for name, is_ in said["figures"].items():
            for part in PARTS:
                self.assertEqual(cell(figures[name][part], 0.0), is_[part], name)
        points = [(name, point["x"], point["value"]) for name, curve in said["curves"].items() for point in curve["points"]]
        ours = [(row["curve"], cell(row["x"], 0.0), cell(row["value"], 0.0)) for row in self.csv("table-curves.csv")]
        self.assertEqual(ours, points)

    def test_a_comparison(self):
        self.tables("--compare", "selfcheck.jsonl", "selfcheck.jsonl")
        self.assertEqual({float(row["difference.value"]) for row in self.csv("table.csv")}, {0})


class Writing(Folders):
    def test_what_an_earlier_run_left_is_replaced_and_nothing_else(self):
        os.mkdir(self.path("out"))
        for name in ("table.json", "figure.svg", "figure-2.csv", "table-quoted.csv", "table.csv", "notes.csv", "figures.svg"):
            self.write("out/" + name, "old")
        self.tables("--recipe", "selfcheck:table1", "selfcheck.jsonl")
        for name in ("notes.csv", "figures.svg"):
            self.assertEqual(self.read("out/" + name), "old")
        for name in ("figure-2.csv", "table-quoted.csv"):
            self.assertFalse(os.path.exists(self.path("out/" + name)))
        self.assertIn("accuracy.majority.value", self.read("out/table.csv"))

    def test_nothing_is_removed_where_no_run_wrote_before(self):
        os.mkdir(self.path("out"))
        for name in ("figure-mine.svg", "table-mine.csv"):
            self.write("out/" + name, "mine")
        self.tables("--recipe", "selfcheck:table1", "selfcheck.jsonl")
        for name in ("figure-mine.svg", "table-mine.csv"):
            self.assertEqual(self.read("out/" + name), "mine")

    def test_no_file_appears_if_one_cannot_be_written(self):
        os.makedirs(self.path("out/table.json.writing"))
        ended = self.tables("--recipe", "selfcheck:table1", "selfcheck.jsonl", status=3)
        self.assertIn("table.json.writing", ended.err)
        self.assertEqual(os.listdir(self.path("out")), ["table.json.writing"])

    def test_a_folder_that_cannot_be_made_is_said_before_the_work(self):
        self.write("out", "a file")
        ended = self.tables("selfcheck.jsonl", status=3)
        self.assertIn("--tables out: cannot be made: ", ended.err)
        self.assertEqual(ended.out, "")

    def test_nothing_is_written_without_a_table(self):
        self.write("none.jsonl", lines(chain()))
        self.tables("--recipe", "selfcheck:table1", "none.jsonl", status=3)
        self.assertEqual(os.listdir(self.path("out")), [])

    def test_hostile_names_are_escaped(self):
        hostile = "</style><script>1</script>,\"\n\u202e"
        self.write("h.jsonl", lines(*[{**json.loads(line), "generator": hostile}
                                      for line in self.read("selfcheck.jsonl").splitlines()]))
        self.tables("--recipe", "selfcheck:fig2", "h.jsonl")
        self.assertEqual({row["generator"] for row in self.csv("table.csv")}, {hostile})
        self.assertNotIn("<script", self.read("out/table.html"))
        self.assertNotIn("\u202e", self.read("out/table.html"))


if __name__ == "__main__":
    unittest.main()
