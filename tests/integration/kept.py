# SPDX-License-Identifier: Apache-2.0
"""No command takes away what it reads, nor what an earlier run left where it has nothing to put in its place. Over all commands that
write, all options that write, all that read, and each way to name a file twice."""
import json
import os
import re
import subprocess
import unittest
from pathlib import Path

from support import Case, PROGRAM, chain, lines, rederive

# Every option whose value is a file or a folder, by whether it writes: a new one is to be put in its place here.
WRITES = {"--out", "--html", "--chains-out", "--journal", "--batch-out", "--fit-out", "--features-out", "--tables"}
READS = {"--in", "--join", "--rubric", "--prompt-dir", "--method-dir", "--rules-dir", "--locations", "--fit", "--compare", "--labels",
         "--data", "--baseline", "--policy", "--prices", "--keys"}
# What a command needs besides its input; those that ask are never to come so far as to ask.
COMMANDS = {"check": [], "solve": ["--model", "builtin"], "repair": ["--model", "builtin"], "vote": [], "eval": [], "train": [],
            "convert": ["--to", "prm800k"], "sample": [], "grade": [], "audit": [], "annotate": ["merge"]}
NEEDED = {"--fit-out": ["--scorers", "scores:a,scores:b", "--split", "2"]}  # what an option needs beside it
WITHOUT_INPUT = {"tasks", "journal", "reproduce", "serve", "mcp", "methods", "rules", "models"}
RECORDS = lines(chain(), chain(steps=["2 + 3 = 6"]))
FAILING = lines('{"steps": 3}', '{"steps": 4}')


def options_of(command):
    """The options of a command whose value is a file or a folder, without their short names."""
    return re.findall(r"^ +(?:-\w, )?(--[a-z-]+) (?:NAME=|\[?NAME=\]?)?(?:FILE|DIR)\b", rederive(command, "--help").out, re.M)


def all_commands():
    return re.findall(r"^  ([a-z]+) ", rederive("--help").out, re.M)


class Kept(Case):
    def setUp(self):
        super().setUp()
        os.chdir(self.folder)
        self.addCleanup(os.chdir, "/")

    def files(self):
        return {str(path): path.read_bytes() for path in sorted(Path().rglob("*")) if path.is_file()}

    def refused(self, command, *args, stdin=b""):
        before = self.files()
        ended = rederive(command, *COMMANDS[command], *args, stdin=stdin)
        self.assertEqual((ended.status, ended.out, len(ended.err.splitlines())), (2, "", 1), (command, args, ended.err))
        self.assertRegex(ended.err, "which is read; name another f", (command, args))
        self.assertEqual(self.files(), before, (command, args))

    def outputs(self):
        for command in COMMANDS:
            for option in options_of(command):
                if option in WRITES - {"--tables"}:
                    yield command, option

    def test_every_option_of_a_file_is_known_to_read_or_to_write(self):
        for command in all_commands():
            self.assertLessEqual(set(options_of(command)), WRITES | READS | {"--hold-out"}, command)
        # A command that takes --out and reads records is tested below.
        with_out = {c for c in all_commands() if "--out" in options_of(c)}
        self.assertEqual(with_out - WITHOUT_INPUT, set(COMMANDS))

    def test_an_output_that_is_an_input(self):
        self.write("in.jsonl", RECORDS)
        Path("link").symlink_to("in.jsonl")
        Path("folder").mkdir()
        Path("folder/inner.jsonl").write_text(RECORDS, encoding="utf-8")
        os.link("in.jsonl", "hard")
        for command, option in self.outputs():
            for name in ("in.jsonl", "link", "hard", "./in.jsonl", str(Path("in.jsonl").absolute())):
                self.refused(command, "in.jsonl", option, name)
            self.refused(command, "link", option, "hard")
            self.refused(command, "-i", "hard", option, "in.jsonl")
            self.refused(command, "folder", option, "folder/inner.jsonl")

    def test_an_output_that_is_standard_input(self):
        self.write("in.jsonl", RECORDS)
        before = self.files()
        for command, option in self.outputs():
            for name in ((), ("-",)):
                with open("in.jsonl", encoding="utf-8") as file:
                    ended = subprocess.run([PROGRAM, command, *COMMANDS[command], *name, option, "in.jsonl"], stdin=file,
                                           capture_output=True, text=True, check=False)
                self.assertEqual(ended.returncode, 2, (command, option, ended.stderr))
                self.assertIn("would replace standard input", ended.stderr)
                self.assertEqual(self.files(), before)

    def test_an_output_that_another_option_reads(self):
        self.write("in.jsonl", RECORDS)
        self.write("other", RECORDS)
        for command, option in self.outputs():
            for reads in sorted(set(options_of(command)) & READS - {"--prompt-dir", "--method-dir", "--rules-dir"}):
                self.refused(command, "in.jsonl", reads, "other", option, "other")
        for value in (["--model", "transcript:other"], ["--model", "transcript:other#name"], ["--method", "reward:other"],
                      ["--method", "calculations,reward:other"], ["--model", "builtin:other"]):
            self.refused("check", "in.jsonl", *value, "-o", "other")
        self.refused("eval", "in.jsonl", "--weight", "combined:other", "-o", "other")

    def test_what_lies_beside_an_output(self):
        """PATH.partial is removed by a complete run, PATH.writing by the next one."""
        for beside in (".partial", ".writing"):
            self.write("out" + beside, RECORDS)
            for command, option in self.outputs():
                self.refused(command, "out" + beside, option, "out")

    def test_the_folder_of_tables(self):
        Path("folder").mkdir()
        for name in ("table.csv", "figure.csv", "table-2.csv"):
            Path("folder", name).write_text("question,steps,gold\n2 + 3?,2 + 3 = 5,5\n", encoding="utf-8")
            self.refused("eval", "folder/" + name, "--tables", "folder")
        Path("folder/mine.jsonl").write_text(RECORDS, encoding="utf-8")
        self.assertEqual(rederive("eval", "folder/mine.jsonl", "--tables", "folder").status, 0)

    def test_two_outputs_in_one_file(self):
        self.write("in.jsonl", RECORDS)
        before = self.files()
        for command, option in self.outputs():
            for other in sorted(set(options_of(command)) & WRITES - {"--tables", option}):
                ended = rederive(command, *COMMANDS[command], "in.jsonl", option, "one", other, "one")
                self.assertEqual((ended.status, self.files()), (2, before), (command, option, other, ended.err))
                self.assertIn("name one file, one; name two", ended.err)

    def test_nothing_read_leaves_what_was_there(self):
        """No record, no file of that name, or records of which each fails: the results of an earlier run stay, also those of one that
        was ended early."""
        self.write("empty.jsonl", "")
        self.write("blank.jsonl", "\n\n")
        self.write("failing.jsonl", FAILING)
        self.write("page.html", "\0\1\2 no records")
        for command, option in self.outputs():
            if option in ("--journal", "--batch-out"):
                continue
            for earlier in (True, False):
                for name in ("out", "out.partial"):
                    Path(name).unlink(missing_ok=True)
                    if earlier:
                        self.write(name, "earlier results\n")
                before = self.files()
                for name in ("empty.jsonl", "blank.jsonl", "failing.jsonl", "page.html", "missing.jsonl"):
                    ended = rederive(command, *COMMANDS[command], *NEEDED.get(option, []), name, option, "out", "--quiet")
                    after = {path: text for path, text in self.files().items() if not re.search(r"\.journal", path)}
                    self.assertEqual(after, before, (command, option, name))
                    self.assertEqual(ended.status, 3, (command, option, name, ended.err))
                    self.assertTrue(ended.err, (command, option, name))
                    for path in Path().glob("out.journal*"):
                        path.unlink()

    def test_tables_of_nothing(self):
        Path("folder").mkdir()
        for name in ("table.json", "table.csv", "figure.svg"):
            Path("folder", name).write_text("earlier", encoding="utf-8")
        self.write("empty.jsonl", "")
        self.write("failing.jsonl", FAILING)
        before = self.files()
        for name in ("empty.jsonl", "failing.jsonl"):
            ended = rederive("eval", name, "--tables", "folder")
            self.assertEqual((ended.status, self.files()), (3, before), ended.err)

    def test_without_an_output_an_empty_input_is_no_fault(self):
        for command in ("check", "vote", "eval", "sample", "grade", "audit"):
            ended = rederive(command)
            self.assertEqual(ended.status, 0, (command, ended.err))
            self.assertIn("nothing was read", ended.err)

    def test_one_record_of_use_is_written(self):
        """So that the tests above cannot pass by writing nothing at all."""
        self.write("in.jsonl", RECORDS + FAILING)
        self.write("out", "earlier results\n")
        self.write("out.partial", "earlier results\n")
        ended = rederive("check", "in.jsonl", "--out", "out", "--html", "page")
        self.assertEqual(ended.status, 1, ended.err)
        self.assertEqual(len(Path("out").read_text(encoding="utf-8").splitlines()), 4)
        self.assertFalse(Path("out.partial").exists())
        self.assertTrue(Path("page").exists())
        self.assertEqual(len([json.loads(line) for line in Path("out").read_text(encoding="utf-8").splitlines()]), 4)


if __name__ == "__main__":
    unittest.main()
