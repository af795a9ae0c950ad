# SPDX-License-Identifier: Apache-2.0
"""The command line itself: help, mistakes, completion."""
import os
import re
import subprocess
import unittest

from support import Case, chain, lines, rederive

COMMANDS = ["check", "solve", "vote", "eval", "convert", "models", "journal", "methods", "formats",
            "completion"]


class Help(Case):
    def test_of_every_command(self):
        for command in COMMANDS:
            ended = rederive(command, "--help")
            self.assert_ended(ended, 0)
            for part in ("Usage: rederive " + command, "Examples:", "\nOutput:\n", "Exit status:", "--help"):
                self.assertIn(part, ended.out)
            self.assertEqual(ended.out, rederive("help", command).out)
            for line in ended.out.splitlines():
                if not line.startswith("  rederive") and not line.startswith("  eval"):
                    self.assertLessEqual(len(line), 80, line)

    def test_of_the_program(self):
        ended = rederive("--help")
        self.assert_ended(ended, 0)
        for command in COMMANDS:
            self.assertIn("\n  " + command + " ", ended.out)
        self.assertEqual(ended.out, rederive("help").out)

    def test_no_command_is_a_mistake_and_shows_help(self):
        ended = rederive()
        self.assert_ended(ended, 2)
        self.assertEqual(ended.out, "")
        self.assertIn("Usage:", ended.err)

    def test_an_option_has_one_letter_in_all_commands(self):
        letters = {}
        for command in COMMANDS + ["annotate", "repair", "serve", "tasks", "train"]:
            for letter, name in re.findall(r"^  (?:(-\w), |    )--([\w-]+)", rederive(command, "--help").out, re.M):
                self.assertEqual(letters.setdefault(name, letter), letter, (command, name))
        self.assertEqual((letters["aggregate"], letters["help"]), ("-a", "-h"))

    def test_version(self):
        self.assertRegex(rederive("--version").out, r"^rederive \d+\.\d+\.\d+\n$")
        self.assertEqual(rederive("version").out, rederive("--version").out)


class Mistakes(Case):
    # arguments, and what the one line on standard error has to say
    CASES = [
        (["chekc"], "did you mean check"),
        (["frobnicate"], "unknown command frobnicate; the commands are help, version, check, solve, "),
        (["nope"], "unknown command nope; the commands are"),
        (["help", "nope"], "unknown command nope; the commands are"),
        (["help", "hlep"], "did you mean help?"),
        (["trian"], "did you mean train?"),
        (["ver"], "did you mean version?"),
        (["models", "-M", "foo"], "models: --model: no such model 'foo'"),
        (["check", "-m", "selfcheck", "--checker", "foo"], "check: --checker: no such model 'foo'"),
        (["check", "-m", "selfcheck", "-M", "builtin", "--checker", "foo"], "check: --checker: no such model"),
        (["solve", "-M", "http://host/v1"], "solve: --model: a model has no name"),
        (["help", "vot"], "did you mean vote"),
        (["check", "--metod", "x"], "unknown option --metod; did you mean --method?"),
        (["check", "--frobnicate"], "unknown option --frobnicate; see 'rederive check --help'"),
        (["check", "--modle", "x"], "unknown option --modle; did you mean --model?"),
        (["vote", "--subset-sise", "2"], "did you mean --subset-size?"),
        (["check", "--aggregate", "median"], "one of geometric|min|product|mean|last"),
        (["check", "-Z"], "unknown option -Z"),
        (["check", "--out"], "--out requires a value: --out FILE"),
        (["check", "--view=yes"], "--view takes no value"),
        (["check", "--lambda", "1"], "two numbers joined by a comma"),
        (["check", "--lambda", "0.3,1"], "--lambda 0.3,1"),
        (["check", "--lambda", "nan,0"], "two numbers"),
        (["check", "--threshold", "2"], "must be a number from 0 to 1"),
        (["check", "--unknown", "maybe"], "must be one of neutral|contradict|null"),
        (["check", "--color=purple"], "one of auto|always|never"),
        (["check", "--method", "calculation"], "did you mean calculations"),
        (["check", "--method", "calculations,"], "unknown method"),
        (["check", "--format", "nonsense"], "unknown format"),
        (["vote", "--weight", "gold"], "majority, confidence, confidence:METHOD or scores:NAME"),
        (["vote", "--weight", "scores:"], "majority, confidence"),
        (["vote", "--seed", "-1"], "a whole number is required"),
        (["vote", "--seed", "99999999999999999999999"], "a whole number is required"),
        (["vote", "--stop", "soon"], "soon"),
        (["vote", "--stop", "posterior:2"], "posterior"),
        (["vote", "--select", "best"], "add --weight"),
        (["vote", "--select", "random", "--stop", "certain"], "requires --select weighted"),
        (["eval", "--aggregate", "max"], "one of min|product|geometric|mean|last"),
        (["completion"], "bash or zsh"),
        (["completion", "fish"], "bash or zsh"),
        (["methods", "extra"], "unexpected argument extra"),
    ]

    def test_each_is_one_clear_line(self):
        for args, says in self.CASES:
            with self.subTest(args=args):
                ended = rederive(*args)
                self.assert_ended(ended, 2)
                self.assertEqual(ended.out, "")
                self.assertIn(says, ended.err)
                self.assertEqual(ended.err.count("\n"), 1, ended.err)

    def test_hostile_argument_is_escaped(self):
        ended = rederive("check", "--method", "\x1b[2J")
        self.assertNotIn("\x1b", ended.err)


class NoInput(Case):
    def test_eval_says_that_nothing_was_read(self):
        ended = rederive("eval")
        self.assert_ended(ended, 0)
        self.assertEqual((ended.out, ended.err), ("", "rederive: eval: nothing was read: the input has no records\n"))


class Forms(Case):
    def test_of_options_and_files(self):
        name = self.write("-odd.jsonl", lines(chain()))
        for args in (["--in", name], ["--in=" + name], ["-i", name], ["-i" + name], [name],
                     ["--", "-odd.jsonl"]):
            ended = rederive("check", "-q", *args, cwd=self.folder)
            self.assert_ended(ended, 0)
            self.assertEqual(len(ended.records), 1)

    def test_several_inputs_are_read_in_their_order(self):
        a = self.write("a.jsonl", lines(chain(id="1")))
        b = self.write("b.jsonl", lines(chain(id="3")))
        ended = rederive("check", "-q", a, "-", "--in", b, stdin=lines(chain(id="2")))
        self.assertEqual([r["id"] for r in ended.records], ["1", "2", "3"])


class Completion(Case):
    def complete(self, *words):
        script = rederive("completion", "bash").out + (
            'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rederive; printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", script, "bash", *words], capture_output=True, text=True,
                              check=True)
        return done.stdout.split()

    def test_bash(self):
        self.assertEqual(self.complete("rederive", "ch"), ["check"])
        self.assertEqual(self.complete("rederive", "vote", "--sel"), ["--select"])
        self.assertEqual(self.complete("rederive", "vote", "--select", "b"), ["best"])
        self.assertEqual(self.complete("rederive", "check", "--color", "n"), ["never"])
        self.assertEqual(self.complete("rederive", "help", "ev"), ["eval"])
        self.assertIn("--aggregate", self.complete("rederive", "vote", "--"))

    def test_zsh_names_every_option(self):
        script = rederive("completion", "zsh").out
        self.assertIn("'--aggregate[", script)
        self.assertIn("#compdef rederive", script)


class ManPages(Case):
    def test_say_what_help_says(self):
        pages = os.path.join(os.environ["RDV_BUILD"], "docs")
        source = os.path.join(pages, "rederive-check.1.scd")
        if not os.path.exists(source):
            self.skipTest("the man pages were not built")
        with open(source, encoding="utf-8") as file:
            page = file.read()
        for part in ("# EXAMPLES", "# EXIT STATUS", "*--lambda*", "*-m*, *--method*"):
            self.assertIn(part, page)


if __name__ == "__main__":
    unittest.main()
