# SPDX-License-Identifier: Apache-2.0
"""The figures of eval --tables: they draw what their CSV file says, which is what the table says, and a browser
shows every part of them."""
import csv
import io
import json
import math
import os
import re
import unittest
import xml.etree.ElementTree as xml

import chromium
from recipe_inputs import RECIPES, write_inputs
from support import Case, lines, rederive

SVG = "{http://www.w3.org/2000/svg}"
HEAD = ["panel", "measure", "series", "x", "value", "low", "high"]
PIXEL = 0.11  # coordinates are written with one digit
NEEDS_CHROMIUM = unittest.skipUnless(chromium.PROGRAM, "chromium is not installed (tools/setup.sh check installs it)")

# The columns that each figure draws: x, and the values of each row of panels.
COLUMNS = {
    "selfcheck:table2": ("check", [["tpr", "tnr", "balanced_accuracy"]]),
    "selfcheck:fig2": ("n_chains", [["accuracy.majority", "accuracy.weighted"], ["gain.weighted"]]),
    "selfcheck:fig3": ("threshold", [["precision_accepted"]]),
    "selfcheck:fig4": ("fpr", [["tpr"]]),
    "selfcheck:fig5": ("n_chains", [["accuracy.majority", "accuracy.weighted"], ["gain.weighted"]]),
    "selfcheck:fig6": ("n_chains", [["accuracy.majority", "accuracy.weighted"], ["gain.weighted"]]),
    "selfcheck:v2fig3": ("threshold", [["tpr", "tnr"], ["balanced_accuracy"]]),
    "selfcheck:v2fig4": ("threshold", [["precision_accepted", "precision_rejected"]]),
    "general:fig3": ("n_chains", [["accuracy.random", "accuracy.perplexity", "accuracy.best"]]),
    "general:fig4": ("first_share", [["accuracy"]]),
    "general:fig5": ("score", [["pearson_r"]]),
    "general:fig6": ("n_chains", [["accuracy.random", "accuracy.perplexity", "accuracy.best"]]),
    "general:fig7": ("n_chains", [["accuracy.majority", "accuracy.weighted"]]),
    "general:fig8": ("first_steps", [["accuracy"]]),
    "general:fig13": ("score", [["pearson_r"]]),
    "general:table6": ("correlation", [["score", "paper"]]),
    "mistakes:fig1": ("check", [["without_mistake", "with_mistake"]]),
    "mistakes:fig2": ("accuracy", [["delta.correct", "delta.incorrect"]]),
}


def number(text):
    """A tick's number."""
    text = text.strip()
    times = {"%": 0.01, "k": 1e3, "M": 1e6}.get(text[-1], 1)
    return float(text.rstrip("%kM")) * times


class Panel:
    """A panel's drawn points, mapped back from pixels to values by its ticks."""

    def __init__(self, group, points_in_percent):
        self.group = group
        grid = [float(line.get("y1")) for line in group.findall(SVG + "line") if line.get("class") == "grid"]
        ticks = [text for text in group.findall(SVG + "text") if text.get("class") == "tick"]
        labels = [text.text for text in ticks if text.get("text-anchor") == "end" and not text.get("transform")]
        ys = [number(label) * (0.01 if points_in_percent else 1) for label in labels]
        self.y0, self.y1, self.v0, self.v1 = grid[0], grid[-1], ys[0], ys[-1]
        self.numeric = [(float(text.get("x")), text.text) for text in ticks if text.get("text-anchor") == "middle"]
        self.headings = [text.text for text in group.findall(SVG + "text") if text.get("class") == "heading"]

    def y(self, pixel):
        return self.v0 + (pixel - self.y0) / (self.y1 - self.y0) * (self.v1 - self.v0)

    def tolerance(self):
        return abs(PIXEL / (self.y1 - self.y0) * (self.v1 - self.v0)) + 1e-9

    def lines(self):
        """The points of each line in pixels."""
        for path in self.group.findall(SVG + "path"):
            if "line" in path.get("class").split():
                yield [tuple(map(float, point.split())) for point in re.split("[ML]", path.get("d")) if point]

    def bars(self):
        return [tuple(float(rect.get(name)) for name in ("x", "y", "width", "height"))
                for rect in self.group.findall(SVG + "rect") if "bar" in rect.get("class").split()]

    def x(self, pixel):
        (p0, t0), (p1, t1) = self.numeric[0], self.numeric[-1]
        return number(t0) + (pixel - p0) / (p1 - p0) * (number(t1) - number(t0))


class Figures(Case):
    def setUp(self):
        super().setUp()
        write_inputs(self.folder)

    def draw(self, recipe, *args):
        ended = rederive("eval", "-q", "--recipe", recipe, *(args or RECIPES[recipe]), "--tables", "out", cwd=self.folder,
                         seconds=240)  # general:table6 simulates for half a minute with sanitizers
        self.assert_ended(ended, 0)
        return self.load("out/figure")

    def has_figure(self, recipe):
        """Whether the recipe has a figure; those that are figures of a paper must."""
        self.assert_ended(rederive("eval", "-q", "--recipe", recipe, *RECIPES[recipe], "--tables", "out", cwd=self.folder), 0)
        drawn = os.path.exists(self.path("out/figure.svg"))
        self.assertTrue(drawn or ":fig" not in recipe and "v2fig" not in recipe)
        return drawn

    def load(self, name):
        """The panels of a figure, and the rows of its CSV file by panel."""
        text = self.read(name + ".svg")
        self.assertNotRegex(text, r"(?i)\bnan\b|\binf\b")
        root = xml.fromstring(text)
        with open(self.path(name + ".csv"), newline="", encoding="utf-8") as file:
            rows = list(csv.reader(io.StringIO(file.read()), strict=True))
        self.assertEqual(rows[0], HEAD)
        groups = {}
        for row in rows[1:]:
            groups.setdefault((row[0], row[1]), {}).setdefault(row[2], []).append(row[3:])
        panels = [group for group in root.findall(SVG + "g") if group.get("class") == "panel"]
        self.assertEqual(len(panels), len(groups))
        labels = [[text.text for text in panel.findall(SVG + "text") if text.get("class") == "label"][0] for panel in panels]
        order = sorted(groups, key=lambda key: (labels.index(key[1]), key[0]))
        drawn = {}
        for panel, label in zip(panels, labels):
            one = Panel(panel, "(points)" in label)
            drawn[(one.headings or [""])[0], label] = one
        self.assertEqual(sorted(drawn), sorted(order))
        return drawn, groups


def finite(points):
    return [point for point in points if point[0] != "" and point[1] != ""]


class Drawn(Figures):
    def test_a_figure_draws_exactly_the_points_of_its_file(self):
        for recipe in RECIPES:
            with self.subTest(recipe=recipe):
                if not self.has_figure(recipe):
                    continue
                drawn, groups = self.load("out/figure")
                for key, panel in drawn.items():
                    series = {name: finite(points) for name, points in groups[key].items()}
                    if panel.bars():
                        self.assert_bars(panel, series)
                    else:
                        self.assert_lines(panel, [points for points in series.values() if points])

    def assert_bars(self, panel, series):
        bars, at = panel.bars(), 0
        self.assertEqual(len(bars), sum(map(len, series.values())))
        zero = panel.y0 + (0 - panel.v0) / (panel.v1 - panel.v0) * (panel.y1 - panel.y0)
        for points in series.values():
            xs = []
            for _, value, _, _ in points:
                x, y, _, height = bars[at]
                end = y if float(value) >= 0 else y + height
                self.assertAlmostEqual(panel.y(end), float(value), delta=panel.tolerance())
                self.assertLess(abs((y + height if float(value) >= 0 else y) - zero), 2 * PIXEL)
                xs.append(x)
                at += 1
            self.assertEqual(xs, sorted(xs))

    def assert_lines(self, panel, series):
        drawn = list(panel.lines())
        self.assertEqual(len(drawn), len(series))
        for line, points in zip(drawn, series):
            self.assertEqual(len(line), len(points))
            for (x, y), (said, value, _, _) in zip(line, points):
                self.assertAlmostEqual(panel.y(y), float(value), delta=panel.tolerance())
                nearest = min(panel.numeric, key=lambda tick, x=x: abs(tick[0] - x))[1]
                try:
                    self.assertAlmostEqual(panel.x(x), float(said), delta=0.002 * max(1, abs(panel.x(x))))
                except ValueError:  # a category
                    self.assertEqual(nearest, said)

    def test_intervals_are_those_of_the_file(self):
        drawn, groups = self.draw("selfcheck:fig2")
        for key, panel in drawn.items():
            said = [(float(low), float(high)) for points in groups[key].values() for _, _, low, high in points if low]
            paths = [path.get("d") for path in panel.group.findall(SVG + "path") if "interval" in path.get("class").split()]
            ours = [re.match(r"M[-\d.]+ ([-\d.]+)V([-\d.]+)m", path).groups() for path in paths]
            self.assertEqual(len(ours), len(said))
            for (low, high), (theirs_low, theirs_high) in zip(ours, said):
                self.assertAlmostEqual(panel.y(float(low)), theirs_low, delta=panel.tolerance())
                self.assertAlmostEqual(panel.y(float(high)), theirs_high, delta=panel.tolerance())


class Data(Figures):
    """The points of a figure are the cells of its table."""

    def table(self):
        said = json.loads(self.read("out/table.json"))
        if "series" in said:
            return [row for series in said["series"] for row in series["rows"]] if said["recipe"] != "selfcheck:table2" else \
                [{**series, **row} for series in said["series"] for row in series["rows"]]
        return said["rows"]

    def test_every_cell_is_drawn_once(self):
        for recipe, (x, panels) in COLUMNS.items():
            with self.subTest(recipe=recipe):
                _, groups = self.draw(recipe)
                rows = self.table()
                wanted = []
                for columns in panels:
                    for column in columns:
                        for row in rows:
                            value = row[column]
                            is_ = value if isinstance(value, dict) else {"value": value, "ci_low": None, "ci_high": None}
                            place = row[x]["value"] if isinstance(row[x], dict) else row[x]
                            wanted.append((str(place), is_["value"], is_["ci_low"], is_["ci_high"]))
                ours = []
                for series in groups.values():
                    for points in series.values():
                        ours += [(place if not re.fullmatch(r"-?[\d.e-]+", place) else str(json.loads(place)),
                                  *(float(part) if part else None for part in rest)) for place, *rest in points]
                wanted = [(place, *rest) for place, *rest in wanted]
                if recipe == "selfcheck:fig6":  # the majority of all checks is one line
                    wanted = list(set(wanted))
                    ours = list(set(ours))
                key = [sorted(repr((place_of(p), *(None if v is None else float(v) for v in rest))) for p, *rest in side)
                       for side in (ours, wanted)]
                self.assertEqual(*key)


def place_of(text):
    try:
        return float(text)
    except ValueError:
        return text


class Series(Figures):
    """Rows that differ in a column of text are series or panels of their own."""

    def test_many_models_are_small_multiples(self):
        records = [json.loads(line) for line in self.read("selfcheck.jsonl").splitlines()]
        many = [{**record, "generator": f"model-{n}", "question_id": f"{n}/{record['question_id']}"}
                for n in range(10) for record in records[:60]]
        self.write("many.jsonl", lines(*many))
        drawn, groups = self.draw("selfcheck:fig3", "many.jsonl")
        self.assertEqual(len(drawn), 10)
        self.assertEqual({heading for heading, _ in groups}, {f"model-{n}" for n in range(10)})

    def test_a_few_models_share_a_panel(self):
        records = [json.loads(line) for line in self.read("selfcheck.jsonl").splitlines()]
        few = [{**record, "generator": f"model-{n}", "question_id": f"{n}/{record['question_id']}"}
               for n in range(3) for record in records[:60]]
        self.write("few.jsonl", lines(*few))
        drawn, groups = self.draw("selfcheck:fig4", "few.jsonl")
        (series,) = groups.values()
        self.assertEqual([name.split(",")[0] for name in series], ["model-0", "model-1", "model-2"])
        said = json.loads(self.read("out/table.json"))["series"]
        for name, one in zip(series, said):
            self.assertEqual(name.split(" ")[-1], f"{one['auc']['value']:.3f}")
        self.assertEqual(len(drawn), 1)

    def test_hostile_names_are_escaped(self):
        hostile = "</svg><script>1</script>\"'&\u202e" + "x" * 200
        records = [{**json.loads(line), "generator": [hostile, "b"][i % 2]}
                   for i, line in enumerate(self.read("selfcheck.jsonl").splitlines())]
        self.write("h.jsonl", lines(*records))
        _, groups = self.draw("selfcheck:fig3", "h.jsonl")
        text = self.read("out/figure.svg")
        self.assertNotIn("<script", text)
        self.assertNotIn("\u202e", text)
        self.assertNotIn("x" * 100, text)
        self.assertEqual({name for series in groups.values() for name in series}, {hostile, "b"})

    def test_a_series_without_data_is_said(self):
        records = [json.loads(line) for line in self.read("general.jsonl").splitlines()]
        self.write("p.jsonl", lines(*[record for record in records
                                      if "logprobs" not in record and "perplexity" not in record.get("checks", {})]))
        self.draw("general:fig3", "p.jsonl")
        self.assertTrue("lowest perplexity (no data)" in self.read("out/figure.svg"))


OVERLAPS = """(() => {
  const out = [];
  for (const svg of document.querySelectorAll('svg.plot')) {
    const box = svg.getBoundingClientRect();
    const boxes = [...svg.querySelectorAll('text')].map(text => [text, text.getBoundingClientRect()]);
    for (const [text, b] of boxes)
      if (b.left < box.left - 1 || b.right > box.right + 1 || b.top < box.top - 1 || b.bottom > box.bottom + 1)
        out.push('cut: ' + text.textContent);
    const upright = boxes.filter(([text]) => !text.getAttribute('transform'));
    for (const [i, [text, a]] of upright.entries())
      for (const [other, b] of upright.slice(i + 1))
        if (a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 3 && b.top < a.bottom - 3)
          out.push('over each other: ' + text.textContent + ' | ' + other.textContent);
  }
  return out;
})()"""


@NEEDS_CHROMIUM
class Looked(Figures):
    def test_every_page_in_a_browser(self):
        with chromium.Browser() as browser:
            for recipe in [*RECIPES, None]:
                with self.subTest(recipe=recipe):
                    args = ("--recipe", recipe, *RECIPES[recipe]) if recipe else ("selfcheck.jsonl",)
                    self.assert_ended(rederive("eval", "-q", *args, "--tables", "out", cwd=self.folder), 0)
                    browser.open(self.path("out/table.html"), scripts=False)
                    self.assertEqual(browser.faults(), [])
                    self.assertEqual(browser.requests(), [])
                    browser.send("Emulation.setScriptExecutionDisabled", value=False)
                    drawn = os.path.exists(self.path("out/figure.svg"))
                    self.assertEqual(browser.evaluate("document.querySelector('svg.plot') !== null"), drawn)
                    self.assertEqual(browser.evaluate(OVERLAPS), [])
                    self.assertTrue(browser.evaluate("document.documentElement.scrollWidth <= window.innerWidth"))
                    if not drawn:
                        continue
                    browser.open(self.path("out/figure.svg"), scripts=False)
                    self.assertEqual(browser.faults(), [])
                    self.assertEqual(browser.requests(), [])

    def test_in_grey_series_still_differ(self):
        self.draw("selfcheck:fig6")
        root = xml.fromstring(self.read("out/figure.svg"))
        first = [path for path in root.iter(SVG + "path") if "line" in path.get("class", "").split() and "h20" in path.get("d")]
        self.assertEqual(len(first), 6)
        self.assertEqual(len({path.get("stroke-dasharray") for path in first}), 6)


class Reports(Figures):
    def test_the_report_of_a_recipe_has_its_figure_once(self):
        for recipe, name in (("selfcheck:fig2", "selfcheck-fig2"), ("mistakes:fig1", "mistakes-fig1")):
            self.draw(recipe)
            ended = rederive("eval", "-q", "--recipe", recipe, *RECIPES[recipe], "--html", "r.html", cwd=self.folder)
            self.assert_ended(ended, 0)
            page = self.read("r.html")
            self.assertEqual(page.count(f'<figure id="figure-{name}">'), 1)
            self.assertIn(self.read("out/figure.svg").strip(), page)

    def test_the_report_of_an_evaluation_has_its_curves_once(self):
        ended = rederive("eval", "-q", "selfcheck.jsonl", "--html", "r.html", cwd=self.folder)
        self.assert_ended(ended, 0)
        names = re.findall(r'<figure id="figure-([\w-]+)">', self.read("r.html"))
        self.assertEqual(names[:3], ["accuracy", "roc", "thresholds"])
        self.assertEqual(len(set(names)), len(names))


if __name__ == "__main__":
    unittest.main()
