# SPDX-License-Identifier: Apache-2.0
"""Every table and figure of the papers, on generated data with the built-in model."""
import json
import os
import unittest

from support import Case, rederive

NO_LIMIT = None  # meson's ends it: that one knows how slow the build is


def names():
    """The tables and figures, as --list has them."""
    return [r["name"] for r in json.loads(rederive("reproduce", "--list", "--json").out)["reproductions"]]


class Everything(Case):
    def test_all_on_the_built_in_model(self):
        # Of the two questions of this seed one chain is right and one is wrong, which a ROC curve needs.
        ended = rederive("reproduce", "all", "--limit", "2", "--chains", "2", "--seed", "5", "--no-fit", "-M", "builtin", "-q",
                         "--out", self.path("all"), seconds=NO_LIMIT)
        self.assertIn(ended.status, (0, 1), ended.err)  # prompts that are too long for its context fail
        index = self.read("all/index.html")
        for name in names():
            folder = self.path("all/" + name.replace(":", "-"))
            for file in ("table.txt", "table.csv", "table.json", "paper.txt"):
                self.assertTrue(os.path.getsize(os.path.join(folder, file)), (name, file))
            with open(os.path.join(folder, "table.json"), encoding="utf-8") as file:
                table = json.load(file)
            rows = table.get("rows") or [row for series in table.get("series", []) for row in series["rows"]]
            self.assertTrue(rows, name)
            self.assertIn(f"<h2>{name}</h2>", index)
            if ":fig" in name or ":v2fig" in name:
                self.assertTrue(os.path.getsize(os.path.join(folder, "figure.svg")), name)
        self.assertNotIn("no table, as a stage failed", ended.err)


if __name__ == "__main__":
    unittest.main()
