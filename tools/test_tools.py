#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Tests of the checks themselves: each complains about what it is for, and only about that."""
import contextlib
import io
import json
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

import check_layers
import check_style
import coverage
import mutant_tree
import mutate
import prose
import run_documents
import summary

sys.path.append(str(pathlib.Path(__file__).parent.parent / "tests/integration"))
import results


class Coverage(unittest.TestCase):
    SOURCE = ["static int f(int a)", "{", "    if (a > 0 && isfinite(a))", "        return 1;", "    switch (a) {",
              "    case 3:", "        return 2;", "    }", "    return 0;", "}"]
    # line, column, end line, end column, true, false
    BRANCHES = [[3, 9, 3, 14, 4, 0], [3, 18, 3, 26, 0, 2], [5, 13, 5, 14, 0, 3], [6, 5, 6, 12, 0, 3]]

    def outcomes(self, name="src/run/f.c", copies=1):
        files = [{"filename": "/p/" + name, "branches": [b + [0, 0, 4] for b in self.BRANCHES] * copies}]
        functions = coverage.Functions([{"name": "f.c:f", "filenames": ["/p/" + name],
                                         "regions": [[2, 1, 10, 2, 1, 0, 0, 0]]}], "/p")
        found = coverage.outcomes_of({"files": files}, lambda _: self.SOURCE, functions, "/p")
        return [(line, branch.function, branch.text, branch.never, count) for line, branch, count in found]

    def test_outcomes(self):
        """A macro is shown with its arguments; a switch without a default has no branch to none."""
        expected = [(3, "f", "a > 0", "true", 4), (3, "f", "a > 0", "false", 0), (3, "f", "isfinite(a)", "true", 0),
                    (3, "f", "isfinite(a)", "false", 2), (6, "f", "case 3", "reached", 0)]
        self.assertEqual(self.outcomes(), expected)
        self.assertEqual(self.outcomes(copies=2), [(*rest, 2 * count) for *rest, count in expected])
        self.assertEqual(self.outcomes("src/math/f.c"), [])

    def test_reasons(self):
        branch = coverage.Branch("src/run/f.c", "f", "a > 0", "false")
        self.assertEqual(coverage.reasons_of(f"# All\n## Not tried\n\n- {coverage.say(branch)}\n"), {branch: "Not tried"})
        with self.assertRaises(SystemExit):
            coverage.reasons_of("## Not tried\n- `src/run/f.c`: `a > 0`\n")

    def test_rooms(self):
        summary = {what: {"count": 4, "covered": 3} for what in ("lines", "branches")}
        files = [{"filename": "/p/" + name, "summary": summary} for name in ("src/run/a.c", "src/run/b.c", "cli/c.c")]
        table = coverage.rooms_table({"files": files}, "/p").splitlines()
        self.assertEqual([line.split()[:6] for line in table[1:]],
                         [["cli", "3", "of", "4", "75.00", "%"], ["src/run", "6", "of", "8", "75.00", "%"],
                          ["all", "9", "of", "12", "75.00", "%"]])


class CheckLayers(unittest.TestCase):
    RANKS = {"base": 0, "text": 1, "expression": 2, "chain": 3, "score": 4, "data": 5, "report": 6, "cli": 7}

    def test_complaints(self):
        cases = [
            ("expression", '"', "text/scan.h", False),
            ("expression", '"', "expression/value.h", False),
            ("text", '"', "expression/value.h", True),
            ("report", '"', "cli/opt.h", True),
            ("cli", '"', "opt.h", False),
            ("base", '"', "buf.h", True),
            ("chain", '"', "../expression/value.h", True),
            ("base", "<", "rederive/base.h", False),
            ("", "<", "rederive/base.h", False),
            ("", "<", "jansson.h", True),
            ("", '"', "base/str.h", True),
            ("data", "<", "jansson.h", False),
            ("report", "<", "jansson.h", True),
            ("expression", "<", "flint/fmpq.h", False),
            ("score", "<", "math.h", False),
        ]
        for room, mark, header, is_wrong in cases:
            with self.subTest(room=room, header=header):
                found = check_layers.complaint(self.RANKS, room, mark, header)
                self.assertEqual(found is not None, is_wrong)

    def project(self, folder):
        """A project of three rooms with their unit tests and their table."""
        root = pathlib.Path(folder)
        rooms = ("base", "text", "report")
        for place in ("include/rederive", "cli", "src/text"):
            (root / place).mkdir(parents=True)
        for room in (*rooms, "server", "mcp"):
            (root / "tests/unit" / room).mkdir(parents=True)
            (root / "tests/unit" / room / "meson.build").write_text("")
        (root / "src/meson.build").write_text("rooms = ['base', 'text', 'report']\n")
        rows = [f"| `src/{room}/` | |\n" for room in rooms] + ["| `mcp/` | |\n", "| `server/` | |\n", "| `cli/` | |\n"]
        (root / "CONTRIBUTING.md").write_text("| `include/rederive/` | |\n" + "".join(rows))
        (root / "src/text/scan.c").write_text('#include "base/str.h"\n')
        return root

    def fails_with(self, name, text):
        """Whether a project with this file is refused, after one without it was not."""
        with tempfile.TemporaryDirectory() as folder:
            root = self.project(folder)
            self.assertEqual(run(check_layers.main, root), 0)
            (root / name).parent.mkdir(exist_ok=True)
            (root / name).write_text(text)
            return run(check_layers.main, root) == 1

    def test_include_of_a_higher_room(self):
        self.assertTrue(self.fails_with("src/text/scan.c", '#  include "report/table.h"\n'))

    def test_folder_that_is_no_room_is_not_checked(self):
        self.assertFalse(self.fails_with("src/attic/old.c", '#include "report/table.h"\n'))

    def test_unit_tests(self):
        self.assertFalse(self.fails_with("tests/unit/text/scan.c", '#include "../test.h"\n#include "text/scan.h"\n'))
        self.assertTrue(self.fails_with("tests/unit/text/scan.c", '#include "report/table.h"\n'))
        self.assertTrue(self.fails_with("tests/unit/attic/old.c", ""))
        with tempfile.TemporaryDirectory() as folder:
            root = self.project(folder)
            (root / "tests/unit/base/meson.build").unlink()
            self.assertEqual(run(check_layers.main, root), 1)

    CIRCLE = {"src/text/scan.c": "int scan(void)\n{\n    return other();\n}\n",
              "src/text/other.c": "int other(void)\n{\n    return scan();\n}\n"}

    def test_circle_of_files(self):
        with tempfile.TemporaryDirectory() as folder:
            root = self.project(folder)
            for name, text in self.CIRCLE.items():
                (root / name).write_text(text)
            self.assertEqual(run(check_layers.main, root), 1)
            for harmless in ("/* scan() */ ", 'char text[] = "scan()"; ', "static int scan(void);\n"):
                (root / "src/text/other.c").write_text(harmless + "int other(void)\n{\n    return 1;\n}\n")
                self.assertEqual(run(check_layers.main, root), 0, harmless)

    def test_circle_that_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            root = self.project(folder)
            for name, text in self.CIRCLE.items():
                (root / name).write_text(text)
            known = {("text/other.c", "text/scan.c", "text/third.c"): "a reason"}
            with mock.patch.object(check_layers, "CIRCLES", known):
                self.assertEqual(run(check_layers.main, root), 0)
            with mock.patch.object(check_layers, "CIRCLES", known), mock.patch.object(check_layers, "MOST_CIRCLES", 0):
                self.assertEqual(run(check_layers.main, root), 1)

    def test_circle_of_several_files_is_one(self):
        uses = {"a": {"b": []}, "b": {"c": [], "d": []}, "c": {"a": []}, "d": {"e": []}, "e": {"d": []}, "f": {"a": []}}
        self.assertEqual(sorted(check_layers.circles_of(uses)), [["a", "b", "c"], ["d", "e"]])

    def test_folder_with_too_many_files(self):
        with tempfile.TemporaryDirectory() as folder:
            root = self.project(folder)
            for i in range(check_layers.MOST_FILES):
                (root / f"src/text/f{i}.h").write_text("")
            self.assertEqual(run(check_layers.main, root), 1)

    def test_table_of_rooms(self):
        self.assertTrue(self.fails_with("CONTRIBUTING.md", "| `src/base/` | |\n| `cli/` | |\n"))


class CheckStyle(unittest.TestCase):
    HEAD = "/* SPDX-License-Identifier: Apache-2.0 */\n"

    def complaints(self, name, text):
        data = text if isinstance(text, bytes) else text.encode()
        return [what for _, what in check_style.check_file(name, data)]

    def test_clean(self):
        text = self.HEAD + '/* strcpy(a, b) */\nint x = snprintf(p, n, "atoi(%d)", gets_it());\n'
        self.assertEqual(self.complaints("src/base/a.c", text), [])
        self.assertEqual(self.complaints("Makefile", "all:\n\ttrue\n"), [])
        self.assertEqual(self.complaints("tests/unit/a.c", self.HEAD + "FILE *f = popen(c, m);\n"),
                         [])

    def test_each_complaint(self):
        cases = {
            "tab": "int\tx;\n",
            "space": "int x; \n",
            "no newline": "int x;",
            "empty line": "int x;\n\n",
            "invisible character U+200B": "int x;\u200b\n",
            "invisible character U+00A0": "int\u00a0x;\n",
            "invisible character U+000D": "int x;\r\n",
            "101 columns": "/*" + "-" * 97 + "*/\n",
            "strcpy()": "strcpy(a, b);\n",
            "strtok()": '"/*" "*/"; strtok (a, b);\n',
            "system()": "system(a);\n",
        }
        for what, text in cases.items():
            with self.subTest(what=what):
                found = self.complaints("src/base/a.c", self.HEAD + text)
                self.assertTrue(any(what in complaint for complaint in found), found)
        self.assertEqual(self.complaints("a.md", b"\xff\n"), ["not UTF-8"])
        self.assertEqual(len(self.complaints("tools/a.sh", "#!/bin/sh\n")), 1)

    def test_length_is_advice(self):
        text = (self.HEAD + "int x;\n" * 700).encode()
        self.assertEqual(self.complaints("src/a.c", text), [])
        self.assertIn("701 lines", check_style.advice("src/a.c", text))
        self.assertIsNone(check_style.advice("src/a.c", text[:-7]))
        self.assertIsNone(check_style.advice("a.md", text))

    def test_second_lists_of_words(self):
        numbers = 'static const struct { const char *w; } n[] = {{"one"}, {"two"}, {"three"}};\n'
        denials = 'static phrase_list p = {"not;never;if"\n    ";cannot"};\n'
        self.assertIn("a list of numbers (one, three, two)", self.complaints("src/a/a.c", self.HEAD + numbers)[0])
        self.assertIn("a list of denials (cannot, never, not)", self.complaints("src/a/a.c", self.HEAD + denials)[0])
        for name, text in (("src/language/number_names.c", numbers), ("tests/a.c", numbers),
                           ("src/a/a.c", 'const char *const w[] = {"the", "two", "not", "no"};\n')):
            self.assertEqual(self.complaints(name, self.HEAD + text), [])

    def test_lists_of_english(self):
        words = ["apple", "pear", "plum", "fig", "cherry"]
        lists = ['const char *const w[] = {"' + '", "'.join(words) + '"};', 'phrase_list w = {"' + ";".join(words) + '"};',
                 'phrase_list w = {"' + ";".join(words[:3]) + '"\n    ";fig\\ncherry"};',
                 'char w[] = {"' + "|".join(words) + '"};', 'const char *w[] = {" ' + " ".join(words) + ' "};',
                 'struct { const char *at[2]; int n; } w[] = {{{"apple", "pear"}, 1}, {{"plum", "fig"}, 2}, {{"cherry"}, 3}};',
                 'bool f(rdv_str w)\n{\n    return words_in(w, "' + " ".join(words[:2]) + ' "\n "' + " ".join(words[2:]) + '");\n}']
        for text in lists:
            with self.subTest(text=text):
                self.assertEqual([phrases for _, _, phrases in check_style.english_lists(text)], [words])
        self.assertEqual([name for _, name, _ in check_style.english_lists(lists[0])], ["w"])
        for text in (lists[1].replace("fig", "@fig"), lists[0].replace("cherry", "fig"), 'fail("no list of five words or more");',
                     "void f(void)\n{\n" + "".join(f'    g("{word}");\n' for word in words) + "}"):
            self.assertEqual(list(check_style.english_lists(text)), [])
        self.assertEqual(list(check_style.english_lists(lists[0], {"plum"})), [])

    def test_the_longest_sentences_are_advice(self):
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            (root / "prompts").mkdir()
            (root / "a.md").write_text("# A\n\nOne two. " + "word " * 60 + "end.\n")
            (root / "prompts/b.md").write_text("word " * 70 + "end.\n")
            told = check_style.longest_sentences(root, ["a.md", "prompts/b.md"])
            self.assertEqual(told[0], "a.md:3: advice: 61 words: " + "word " * 8 + "...")
            self.assertEqual(len(told), 3)
            self.assertEqual(run(check_style.main, root), 0)
        cell = b"| a | " + b"x" * 201 + b" |\n"
        self.assertIn("1 rows with a cell", check_style.advice("a.md", cell))
        self.assertIsNone(check_style.advice("prompts/a.md", cell))
        self.assertIsNone(check_style.advice("a.md", cell.replace(b"xx", b"", 1)))

    def test_comments_keep_line_numbers(self):
        text = self.HEAD + "/* one\n two */\ngets(p);\n"
        self.assertEqual(list(check_style.check_file("src/a.c", text.encode())),
                         [(4, "gets() is not used here")])


class Prose(unittest.TestCase):
    PAGE = ("# A page\n\nOne two three. Four `a. b` five!\n\n```sh\nnot. a. sentence\n```\n\n"
            "| a head | b |\n| --- | --- |\n| `x \\| y` | six. Seven |\n\n- an item\n  of\n  three lines\n- b\n")

    def test_sentences(self):
        self.assertEqual([(each.line, each.words) for each in prose.sentences(self.PAGE)],
                         [(1, 2), (3, 3), (3, 4), (9, 3), (11, 3), (11, 1), (13, 5), (16, 1)])

    def test_measure(self):
        count, mean, most, cell, item, between = prose.measure(self.PAGE)
        self.assertEqual((count, mean, most, cell, item), (8, 22 / 8, 5, 10, 3))
        self.assertEqual(between, 22 / 4)

    def test_advice(self):
        self.assertIsNone(prose.advice(self.PAGE))
        self.assertIn("1 list items of more than 5 lines, the first in line 2",
                      prose.advice("- a\n- b\n" + "  c\n" * 5))

    def test_nothing(self):
        self.assertEqual(prose.measure(""), (0, 0.0, 0, 0, 0, 0.0))


class Summary(unittest.TestCase):
    def summary(self, *builds):
        with tempfile.TemporaryDirectory() as folder:
            names = []
            for number, results in enumerate(builds):
                build = pathlib.Path(folder) / str(number)
                (build / "meson-logs").mkdir(parents=True)
                if results is not None:
                    lines = [json.dumps({"name": "t", "result": r}) + "\n" for r in results]
                    (build / "meson-logs/testlog.json").write_text("".join(lines))
                names.append(str(build))
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                status = summary.main(names)
            return status, out.getvalue().replace(folder, "")

    def test_sums(self):
        self.assertEqual(self.summary(["OK", "OK"], ["OK"]), (0, "3 passed, 0 failed\n"))
        self.assertEqual(self.summary(["OK", "SKIP"]), (0, "1 passed, 0 failed, 1 skipped\n"))
        self.assertEqual(self.summary(["OK", "FAIL", "TIMEOUT", "ERROR"]),
                         (1, "FAIL: t (/0)\nTIMEOUT: t (/0)\nERROR: t (/0)\n1 passed, 3 failed\n"))

    def test_a_failed_test_shows_the_end_of_its_outputs(self):
        with tempfile.TemporaryDirectory() as folder:
            log = pathlib.Path(folder, "meson-logs", "testlog.json")
            log.parent.mkdir()
            said = "".join(f"line {n}\n" for n in range(30))
            log.write_text(json.dumps({"name": "t", "result": "FAIL", "stdout": said, "stderr": "why\n"}) + "\n")
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                self.assertEqual(summary.main([folder]), 1)
        self.assertEqual(out.getvalue().splitlines(),
                         [f"FAIL: t ({folder})", *(f"    line {n}" for n in range(10, 30)), "    why", "0 passed, 1 failed"])

    def test_a_file_of_results(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "real.jsonl"
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                file.write_text('{"result":"OK"}\n{"result":"SKIP"}\n{"name":"t","result":"FAIL"}\n')
                self.assertEqual(summary.main([str(file)]), 1)
                file.write_text('{"result":"OK"}\n')
                self.assertEqual(summary.main([str(file)]), 0)
                file.unlink()
                self.assertEqual(summary.main([str(file)]), 1)
        self.assertEqual(out.getvalue(), f"FAIL: t ({file})\n1 passed, 1 failed, 1 skipped\n1 passed, 0 failed\n"
                                         f"{file}: no test results\n0 passed, 1 failed\n")

    def test_nothing_ran(self):
        self.assertEqual(self.summary(["OK"], None), (1, "/1: no test results\n1 passed, 1 failed\n"))
        self.assertEqual(self.summary(["SKIP"]), (1, "0 passed, 0 failed, 1 skipped\n"))
        self.assertEqual(self.summary(), (1, "0 passed, 0 failed\n"))


class Suites(unittest.TestCase):
    """A module or class that cannot begin has failed, and a test that was skipped has not passed."""

    class Some(unittest.TestCase):
        def test_passes(self):
            pass

        def test_is_skipped(self):
            self.skipTest("for a reason")

    class CannotBegin(unittest.TestCase):
        @classmethod
        def setUpClass(cls):
            raise OSError("no server")

        def test_never_runs(self):
            pass

    def test_what_is_told(self):
        module = types.ModuleType("suites")
        module.Some, module.CannotBegin = self.Some, self.CannotBegin
        file, out = io.StringIO(), io.StringIO()
        with contextlib.redirect_stdout(out):
            told = results.run_suite([module], (), file)
            self.assertEqual(results.sum_up(told), 1)
        self.assertEqual(out.getvalue().splitlines()[-1], "1 passed, 1 failed, 1 skipped")
        self.assertEqual(sorted(json.loads(line)["result"] for line in file.getvalue().splitlines()),
                         ["FAIL", "OK", "SKIP"])


class Mutate(unittest.TestCase):
    SOURCE = """#define MOST (2)
static const struct {
    int a;
} table[] = {
    {1},
};
enum kind { ONE };
static __attribute__((noinline)) int first(int a,
                                           int b)
{
    if (a)
        b++;
    if (b)
        b++;
    return b;
}

int second(void)
{
    return 0;
}
"""
    NAMED = "# All\n\nfirst\n@ 2\n- b++;\n+ b--;\n  Equivalent: nobody\n  looks.\n\nsecond\n- return 0;\n+ return 1;\n  Why not.\n"

    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.root = pathlib.Path(made.name)
        self.list = self.root / "survivors.txt"
        self.list.write_text(self.NAMED)

    def source(self, name, text=SOURCE):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return mutate.Source(path, name)

    def test_owners(self):
        """A line belongs to a function, a table, a type or a macro."""
        owners = self.source("src/math/a.c").owners
        lines = self.SOURCE.splitlines()
        self.assertEqual([owners[lines.index(line)] for line in ("#define MOST (2)", "    {1},", "enum kind { ONE };", "    if (b)", "    return 0;")],
                         ["MOST", "table", "kind", "first", "second"])

    def test_named_wherever_the_function_stands(self):
        """In another file, in another folder, behind other functions; not in another function, and no other line of it."""
        other = "static int before(int b)\n{\n    b++;\n    return b;\n}\n\n"
        for name, text in (("src/math/a.c", self.SOURCE), ("src/claims/deep/b.c", other + self.SOURCE)):
            source = self.source(name, text)
            changed = [mutate.Mutant(source, number, "b--;\n", sum(source.owners[i] == source.owners[number - 1] and "b++" in source.lines[i]
                                                                   for i in range(number - 1)))
                       for number, line in enumerate(source.lines, 1) if "b++" in line]
            named = mutate.Named(self.list)
            self.assertEqual([named.reason(m) for m in changed if m.function == "first"], ["", "Equivalent: nobody looks."], name)
            self.assertEqual([named.reason(m) for m in changed if m.function == "before"], [""] * (text != self.SOURCE), name)
            self.assertEqual([*named.stale(self.root)], [])
            (self.root / name).unlink()

    def test_stale(self):
        """An entry whose line is gone, and one that two functions could be; that one says its file, or is of neither."""
        self.source("src/math/a.c", "int second(void)\n{\n    return 0;\n}\n")
        self.source("src/text/b.c", "int second(void)\n{\n    return 0;\n}\n")
        self.assertEqual([*mutate.Named(self.list).stale(self.root)],
                         ["first: b++; (nowhere)", "second: return 0; (src/math/a.c, src/text/b.c)"])
        self.list.write_text("second in b.c\n- return 0;\n+ return 1;\n  Why not.\n")
        named = mutate.Named(self.list)
        self.assertEqual([*named.stale(self.root)], [])
        mutants = [mutate.Mutant(mutate.Source(self.root / name, name), 3, "return 1;\n", 0) for name in ("src/math/a.c", "src/text/b.c")]
        self.assertEqual([named.reason(m) for m in mutants], ["", "Why not."])

    def test_list_that_cannot_be_read(self):
        for text in ("first\n- a;\n+ b;\n", "- a;\n+ b;\n  Why.\n", "first\n+ b;\n  Why.\n", "src/math/a.c\n- a;\n+ b;\n  Why.\n",
                     "first\n- a;\n+ b;\n  Why.\n- a;\n+ b;\n  Why.\n"):
            self.list.write_text(text)
            with self.assertRaises(mutate.Failed, msg=text):
                mutate.Named(self.list)

    def test_the_list_of_the_project(self):
        """Each entry is one line of one function."""
        named = mutate.Named(mutate.PROJECT / mutate.NAMED)
        self.assertGreater(len(named.reasons), 100)
        self.assertEqual([*named.stale(mutate.PROJECT)], [])

    def test_object_of_a_file_in_a_folder(self):
        tree = types.SimpleNamespace(commands={"src/math/librdv_math.a.p/a.c.o": "", "src/math/librdv_math.a.p/deep_b.c.o": ""})
        found = [mutant_tree.Tree.object_of(tree, name)[0] for name in ("src/math/a.c", "src/math/deep/b.c")]
        self.assertEqual(found, list(tree.commands))
        with self.assertRaises(mutate.Failed):
            mutant_tree.Tree.object_of(tree, "src/text/a.c")

    def test_the_program_of_a_script(self):
        """Is what is linked, not a file of its that a script writes."""
        tree = types.SimpleNamespace(is_script=lambda name: True, commands={"tests/a.gguf": "python3 make.py tests/a.gguf",
                                                                            "tests/run": "cc  -o tests/run a.o"})
        for files, program in ((["tests/a.gguf", "tests/run"], "tests/run"), (["tests/a.gguf"], mutant_tree.PROGRAM)):
            tree.tests = {"reference/a": {"cmd": ["python3", "a.py", *files]}}
            self.assertEqual(mutant_tree.Tree.program(tree, "reference/a"), program)

    def test_a_killer_that_is_gone(self):
        """A mutant is tried again if the test that killed it is there no longer."""
        source = self.source("src/math/a.c")
        mutant = mutate.Mutant(source, 12, "b--;\n", 0)
        results = mutate.Results(self.root / "results.jsonl")
        results.add({"key": mutant.key, "file": "f", "outcome": "killed", "by": "unit/a"})
        for tests, outcome in (({"unit/a": "1"}, "killed"), ({"unit/b": "1"}, "survived")):
            suite = types.SimpleNamespace(digests=tests, outcome=lambda *_, tests=tests: {"outcome": "survived", "passed": tests})
            self.assertEqual(mutate.judge(suite, mutant, results, "f")["outcome"], outcome)


    def test_help_is_the_whole_text(self):
        with contextlib.redirect_stdout(io.StringIO()) as out, mock.patch.object(sys, "argv", ["mutate.py", "--help"]):
            self.assertRaises(SystemExit, mutate.main)
        self.assertIn(mutate.__doc__, out.getvalue())

    def test_a_room_s_tests_that_are_gone_are_told(self):
        """A test that was renamed would not be run for its room, and nobody would see it."""
        tree = types.SimpleNamespace(tests=["unit/search/locate", "unit/score/pools", "unit/score/roc", "unit/score/vote"], left_out={"unit/score/roc"})
        with mock.patch.dict(mutant_tree.TESTS, {"score": ["unit/score/"], "search": ["unit/search/", "prop/plans"]}):
            self.assertEqual(mutant_tree.Tree.tests_of(tree, "score"), ["unit/score/vote"])
            self.assertRaisesRegex(mutant_tree.Failed, "search: .* prop/plans", mutant_tree.Tree.tests_of, tree, "search")


class RunDocuments(unittest.TestCase):
    def complaints(self, text):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "a.md"
            path.write_text(text)
            return list(run_documents.check_document(path, pathlib.Path("/bin/echo")))

    def test_as_shown(self):
        self.assertEqual(self.complaints(
            "```console\n$ build/rederive 'a b' \\\n  c\na b c\n$ true\n```\n"
            "```console\n$ seq 5\n1\n...\n5\n$ echo took 3 s\ntook ... s\n```\n"
            "```sh\nfalse\n```\n"), [])

    def test_links(self):
        self.assertEqual(self.complaints("[a](a.md) [b](https://x.org/b) [c](#c) [d](a.md#d)\n"), [])
        self.assertEqual(len(self.complaints("[a](b.md)\n[b](../nowhere/c.md#d)\n")), 2)

    def test_not_as_shown(self):
        for block in ("$ echo a\nb\n", "$ echo a\n", "$ true\na\n", "$ seq 5\n1\n...\n4\n"):
            with self.subTest(block=block):
                self.assertEqual(len(self.complaints(f"```console\n{block}```\n")), 1)


class Makefile(unittest.TestCase):
    def commands(self, *arguments):
        """What make would do, on one line."""
        done = subprocess.run(["make", "-n", "BUILD=built", *arguments], capture_output=True, check=True,
                              cwd=run_documents.ROOT, encoding="utf-8")
        return " ".join(done.stdout.split())

    def test_install_configures_the_prefix_that_is_given(self):
        self.assertRegex(self.commands("install", "PREFIX=/x/y"),
                         "meson setup --reconfigure built -Dprefix=/x/y .*meson install -C built")
        self.assertNotIn("-Dprefix", self.commands("install"))


def run(function, *arguments):
    """The result of a call whose output is of no interest."""
    with contextlib.redirect_stdout(io.StringIO()):
        return function(*arguments)


if __name__ == "__main__":
    unittest.main()
