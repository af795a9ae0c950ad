#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rules of language of a user's own (--rules-dir, --disable-rule, rederive rules): the file of docs/rules.md, that of
examples/rules, and folders with faults. Faults of built-in rows, which end the build."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import textwrap
import unittest

from scripted import Server
from support import Case, chain, lines, rederive

ROOT = pathlib.Path(os.environ["RDV_SOURCE"])
EXAMPLES = str(ROOT / "examples/rules")
ROW = ("## slip\ncue: i slipped there\neffect: retracted\nwhere: behind next\nfires: 3 * 4 = 13. I slipped there.\n"
       "silent: 3 * 4 = 13. She slipped there.\n")
TAKEN_BACK = lines(chain(id="a", steps=["3 * 4 = 13. I slipped there. 2 + 2 = 4.", "So it is 12."]))


def page_files():
    """The files that docs/rules.md shows, by their names."""
    text = (ROOT / "docs/rules.md").read_text(encoding="utf-8")
    found = re.findall(r"^`(mine/[\w./-]+)`[^\n]*:\n\n((?:    [^\n]*\n|\n)+)", text, re.MULTILINE)
    return {name: textwrap.dedent(block).strip("\n") + "\n" for name, block in found}


class Rules(Case):
    def folder_of(self, **files):
        os.makedirs(self.path("mine"), exist_ok=True)
        for name, text in files.items():
            self.write(f"mine/{name}.rules", text)
        return "mine"

    def run_it(self, *args, status=0, **more):
        ended = rederive(*args, cwd=self.folder, **more)
        self.assert_ended(ended, status)
        return ended

    def check(self, *args, stdin=TAKEN_BACK):
        [record] = map(json.loads, self.run_it("check", "-q", "--json", *args, stdin=stdin).out.splitlines())
        return record["verdicts"]


class Excusing(Rules):
    def test_a_wrong_calculation_is_undecided_and_its_step_unknown(self):
        self.assertEqual(self.check()[0]["verdict"], "contradict")
        first = self.check("--rules-dir", self.folder_of(own=ROW))[0]
        self.assertEqual([first["verdict"], first["explanation"]],
                         ["unknown", "3 * 4 = 13: the text after it takes it back [slip]"])
        wrong, right = first["evidence"]["calculations"]
        self.assertEqual([wrong["outcome"], wrong["rule"], right["outcome"]], ["undecided", "slip", "right"])

    def test_lists_views_and_reports_name_the_rule(self):
        own = ("--rules-dir", self.folder_of(own=ROW))
        listed = self.run_it("check", "--list", "--fail-on-unknown", *own, status=5, stdin=TAKEN_BACK).out
        self.assertTrue(listed.splitlines()[0].endswith(": 3 * 4 = 13: the text after it takes it back [calculations/slip]"), listed)
        self.assertIn("[slip]", self.run_it("check", "--view", *own, stdin=TAKEN_BACK).out)
        self.run_it("check", "-q", "--html", "r.html", *own, stdin=TAKEN_BACK)
        self.assertIn("[slip]", self.read("r.html"))

    def test_methods_with_calculations_inside_take_the_rules(self):
        own = ("--rules-dir", self.folder_of(own=ROW))
        for method in (("-m", "values"), ("-m", "math", "--math", "native"),
                       ("-m", "general", "--verifiers", "math", "--math", "native")):
            with self.subTest(method=method):
                self.assertEqual(self.check(*method)[0]["verdict"], "contradict")
                self.assertEqual(self.check(*method, *own)[0]["verdict"], "unknown")
        record = self.run_it("check", "-q", "--json", "--certify", *own, stdin=TAKEN_BACK).out
        self.assertIn("the text after it takes it back [slip]", json.loads(record)["certificate"]["gaps"][0]["explanation"])

    def test_a_conclusion_of_a_model_is_unreadable_where_a_rule_fires_around_it(self):
        step = lines(chain(id="a", steps=["3 * 4 = 12."]))
        own = ("--rules-dir", self.folder_of(own=ROW.replace("i slipped there", "all of it is right")
                                             .replace("I slipped there", "All of it is right")))
        with Server(rules=[{"reply": "The step is right. All of it is right."}]) as server:
            check = ("-m", "direct-step", "--model", server.url)
            self.assertEqual(self.check(*check, stdin=step)[0]["verdict"], "support")
            [verdict] = self.check(*check, *own, stdin=step)
            self.assertEqual([verdict["verdict"], verdict["explanation"]], ["unknown", "the text after it takes it back [slip]"])

    def test_a_built_in_rule_is_switched_off(self):
        supposed = lines(chain(id="a", steps=["Suppose 3 * 4 = 13."]))
        [verdict] = self.check(stdin=supposed)
        self.assertEqual([verdict["verdict"], verdict["evidence"]["calculations"][0]["rule"]], ["unknown", "supposed"])
        self.assertEqual(self.check("--disable-rule", "supposed", stdin=supposed)[0]["verdict"], "contradict")

    def test_a_built_in_row_that_reads_is_switched_off(self):
        said = lines(chain(id="a", steps=["Half of 48 is 25."]))
        [verdict] = self.check(stdin=said)
        self.assertEqual([verdict["verdict"], verdict["evidence"]["calculations"][0]["read_by"]], ["contradict", "part"])
        self.assertEqual(self.check("--disable-rule", "part", stdin=said)[0]["verdict"], "unrelated")

    def test_a_row_that_reads_replies_is_switched_off(self):
        """What it alone reads is not read then; the list of rules shows it so."""
        for reply, before, after in (("Correct", "support", "unknown"), ("The step is wrong.", "contradict", "contradict")):
            with self.subTest(reply), Server(rules=[{"reply": reply}]) as server:
                model = ("check", "-m", "single-stage", "-M", server.url, "--no-structured")
                kept, off = (json.loads(self.run_it(*model, *args, stdin=lines(chain(id="a", steps=["3 + 4 = 7"]))).out)["verdicts"][0]
                             for args in ([], ["--disable-rule", "is-right"]))
            self.assertEqual([kept["verdict"], off["verdict"]], [before, after])
        self.assertRegex(self.run_it("rules", "--disable-rule", "is-right", "is-right").out, r"^# replies\.rules:\d+, disabled\n## is-right\n")

    def test_one_s_own_rule_is_switched_off(self):
        own = ("--rules-dir", self.folder_of(own=ROW, second=ROW.replace("## slip", "## slip-too")))
        self.assertEqual(self.check(*own, "--disable-rule", "slip")[0]["evidence"]["calculations"][0]["rule"], "slip-too")
        verdict = self.check(*own, "--disable-rule", "slip", "--disable-rule=slip-too")[0]
        self.assertEqual(verdict["verdict"], "contradict")


class Listing(Rules):
    def test_every_rule_has_a_line(self):
        rules = json.loads(self.run_it("rules", "--json").out)["rules"]
        listed = self.run_it("rules").out.splitlines()[2:]
        self.assertEqual(len(rules), len(listed))
        for rule, line in zip(rules, listed):
            self.assertTrue(line.startswith(rule["id"] + " ") and line.endswith(rule["fires"][0]), line)
            self.assertIn(f"{rule['file']}:{rule['line']} ", line)
            self.assertFalse(rule["added"] or rule["disabled"])

    def test_a_row_is_shown_as_it_is_written(self):
        rules = json.loads(self.run_it("rules", "--json").out)["rules"]
        for rule in rules[::7]:
            shown = self.run_it("rules", rule["id"]).out
            place, row = shown.split("\n", 1)
            self.assertEqual(place, f"# {rule['file']}:{rule['line']}")
            self.assertIn("\n" + row, "\n" + (ROOT / "rules" / rule["file"]).read_text(encoding="utf-8"))

    def test_the_example_and_the_page(self):
        self.run_it("rules", "--rules-dir", EXAMPLES, "retracted-slip")
        files = page_files()
        self.assertEqual(sorted(files), ["mine/slips.rules"])
        self.folder_of(slips=files["mine/slips.rules"])
        self.run_it("rules", "--rules-dir", "mine")
        self.folder_of(slips=files["mine/slips.rules"].replace("(@soon)", "(@so)"))
        ended = self.run_it("rules", "--rules-dir", "mine", status=2)
        self.assertIn(f"    {ended.err}", (ROOT / "docs/rules.md").read_text(encoding="utf-8"))

    def test_a_disabled_rule_says_so(self):
        ended = self.run_it("rules", "--disable-rule", "supposed", "supposed")
        self.assertRegex(ended.out, r"^# context\.rules:\d+, disabled\n## supposed\n")
        self.assertIn("supposed (disabled)", self.run_it("rules", "--disable-rule", "supposed").out)


class Faults(Rules):
    def fault(self, message, *args, folder="mine", commands=("rules", "check")):
        for command in commands:
            ended = self.run_it(command, "--rules-dir", folder, *args, status=2, stdin=TAKEN_BACK)
            self.assertEqual([ended.err, ended.out], [f"rederive: {message}\n", ""])

    def test_folders(self):
        os.mkdir(self.path("empty"))
        self.write("file", "")
        self.fault("--rules-dir empty: there is no file of rules (NAME.rules)", folder="empty")
        self.fault("--rules-dir: none: No such file or directory", folder="none")
        self.fault("--rules-dir: file: Not a directory", folder="file")

    def test_rows(self):
        self.folder_of(own=ROW + "\n## b\ncue: b ...\n")
        self.fault('mine/own.rules:9: b: a cue has words on both sides of "..."')
        self.folder_of(own=ROW.replace("slip\n", "supposed\n", 1))
        line = json.loads(self.run_it("rules", "--json", "supposed").out)["rules"][0]["line"]
        self.fault(f"mine/own.rules:1: supposed stands in context.rules:{line} already")
        self.folder_of(own=ROW.replace("retracted", "nothing"))
        self.fault("mine/own.rules:3: slip: effect nothing is for built-in rows: it could make a claim support, and a row of "
                   "your own may only excuse one")
        self.folder_of(own=ROW, second=ROW)
        self.fault("mine/second.rules:1: slip stands in mine/own.rules:1 already")

    def test_files(self):
        self.folder_of(own="#" * (1 << 20) + "\n")
        self.fault("--rules-dir: mine/own.rules: larger than 1 MiB", commands=())
        ended = self.run_it("rules", "--rules-dir", "mine", status=2)
        self.assertRegex(ended.err, r"^rederive: [^\n]*mine/own\.rules[^\n]*\n$")
        with open(self.path("mine/own.rules"), "wb") as file:
            file.write(b"## a\ncue: \xff\n")
        self.fault("mine/own.rules: byte 10 is not UTF-8")

    def test_examples_are_the_test_of_a_row(self):
        self.folder_of(own=ROW.replace("silent: 3 * 4 = 13. She", "silent: 3 * 4 = 13. I").replace("13. I slipped there.\n", "13.\n", 1))
        ended = self.run_it("rules", "--rules-dir", "mine", status=2)
        self.assertEqual(ended.err, "rederive: mine/own.rules:1: slip: it does not fire in: 3 * 4 = 13.\n"
                                    "rederive: mine/own.rules:1: slip: it fires in: 3 * 4 = 13. I slipped there.\n")
        self.folder_of(own=ROW.replace("She slipped", "").replace("silent: 3 * 4 = 13", "silent: 1 + 1 = 2"))
        ended = self.run_it("rules", "--rules-dir", "mine", status=2)
        self.assertIn('slip: there is no "3 * 4 = 13" in: 1 + 1 = 2', ended.err)

    def test_unknown_ids(self):
        for args in (("rules", "denied-thta"), ("rules", "--disable-rule", "denied-thta"),
                     ("check", "--disable-rule", "denied-thta")):
            ended = self.run_it(*args, status=2, stdin=TAKEN_BACK)
            self.assertRegex(ended.err, r"^rederive: (--disable-rule denied-thta: )?there is no rule denied-thta; did you mean "
                                        r"denied-that\?\n$")


class BuiltIn(Case):
    def test_a_broken_row_of_any_file_ends_the_build(self):
        check = os.path.join(os.environ["RDV_BUILD"], "src/check_rules")
        for path in (ROOT / "rules").rglob("*.rules"):
            file = str(path.relative_to(ROOT))
            with self.subTest(file):
                rules = self.path(f"broken {path.parent.name} {path.stem}")
                shutil.copytree(ROOT / "rules", f"{rules}/rules")
                text = path.read_text(encoding="utf-8")
                (pathlib.Path(rules) / file).write_text(f"{text}\n## broken\nno such line\n", encoding="utf-8")
                ended = subprocess.run([check, f"{rules}/rules", f"{rules}/stamp"], capture_output=True, text=True, check=False)
                self.assertEqual(ended.returncode, 1)
                self.assertRegex(ended.stderr, rf"^{re.escape(file)}:{len(text.splitlines()) + 3}: broken: [^\n]+\n$")
                self.assertFalse(os.path.exists(f"{rules}/stamp"))


if __name__ == "__main__":
    unittest.main()
