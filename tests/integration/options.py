# SPDX-License-Identifier: Apache-2.0
"""The command line itself: help, mistakes, completion."""
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import time
import unittest

from support import Case, chain, lines, rederive

COMMANDS = ["check", "solve", "vote", "eval", "convert", "models", "journal", "methods", "rules", "formats",
            "completion", "grade", "sample", "reproduce", "audit", "mcp"]


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

    def test_the_short_help_fits_a_screen(self):
        for args in ([], ["-h"]):
            shown = rederive(*args)
            self.assertLessEqual(max(map(len, (shown.out + shown.err).splitlines())), 80)
            self.assertLessEqual(len((shown.out + shown.err).splitlines()), 24)
        names = re.findall(r"^  (\w+) ", rederive("--help").out.split("Examples:")[0], re.M)
        self.assertEqual(len(names), 21)
        for name in names:
            self.assertIn(name, rederive("-h").out)
            short = rederive(name, "-h")
            self.assert_ended(short, 0)
            self.assertLessEqual(len(short.out.splitlines()), 24, name)
            self.assertLessEqual(max(map(len, short.out.splitlines())), 80, name)
            whole = rederive(name, "--help").out
            self.assertGreater(len(whole), len(short.out))
            options = re.findall(r"--([\w-]+) ", whole.split("Exit status:")[0])
            for option in re.findall(r"^  (?:-\w,|   ) --([\w-]+)", short.out, re.M):
                self.assertIn(option, options, name)

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
        (["check", "--ouput", "x"], "unknown option --ouput; did you mean --out?"),
        (["serve", "--adress", "x"], "unknown option --adress; did you mean --listen?"),
        (["check", "-x"], "unknown option -x; those of one letter are -m -t"),
        (["check", "-M", "foo"], "check: --model: no such model 'foo'"),
        (["check", "--checker", "http://host/v1"], "check: --checker: a model has no name"),
        (["check", "--frobnicate"], "unknown option --frobnicate; see 'rederive check --help'"),
        (["reproduce", "--batch-out", "x"], "unknown option --batch-out, which 'rederive check' has; see 'rederive reproduce --help'"),
        (["check", "--modle", "x"], "unknown option --modle; did you mean --model?"),
        (["vote", "--subset-sise", "2"], "did you mean --subset-size?"),
        (["check", "--aggregate", "median"], "one of geometric|min|product|mean|last"),
        (["check", "--log-level", "x"], "unknown option --log-level; did you mean --quiet?"),
        (["check", "--output", "x"], "did you mean --out?"), (["check", "--workers", "4"], "did you mean --jobs?"),
        (["check", "--base-url", "x"], "did you mean --model?"), (["grade", "--reference", "x"], "did you mean --gold?"),
        (["serve", "--host", "x"], "did you mean --listen?"), (["serve", "--prt", "1"], "did you mean --port?"),
        (["serve", "--port", "0", "--listen", "127.0.0.1:0"], "--port cannot be combined with --listen"),
        (["serve", "--port", "70000"], "--port 70000: must be a whole number from 0 to 65535"),
        (["check", "-Z"], "unknown option -Z"),
        (["check", "--out"], "--out requires a value: --out FILE"),
        (["check", "--view=yes"], "--view takes no value"),
        (["check", "--lambda", "1"], "two numbers joined by a comma"),
        (["check", "--lambda", "0.3,1"], "--lambda 0.3,1"),
        (["check", "--lambda", "nan,0"], "two numbers"),
        (["check", "--threshold", "2"], "must be a number from 0 to 1"),
        (["eval", "--recipe", "general:table1", "-t", "0.6"], "--threshold has no effect on general:table1"),
        (["eval", "--recipe", "mistakes:table4", "-t", "0.6"], "--threshold has no effect on mistakes:table4"),
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
        (["vote", "--select", "random", "--weight", "confidence"], "--weight has no effect on --select random"),
        (["vote", "--select", "random", "--weight", "combined:x"], "--weight has no effect on --select random"),
        (["eval", "--curves", "--json"], "--curves has no effect with --json"),
        (["eval", "--aggregate", "max"], "one of min|product|geometric|mean|last"),
        (["completion"], "bash, zsh or fish"),
        (["completion", "tcsh"], "bash, zsh or fish"),
        (["methods", "extra"], "unexpected argument extra"),
        (["models", "http://localhost:8000/v1"], "unexpected argument http://localhost:8000/v1; -M names a server"),
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
    def test_each_command_says_that_nothing_was_read(self):
        empty = self.write("none.jsonl", "")
        for args in (["vote"], ["check"], ["check", "--list"], ["eval", "--compare"],
                     ["repair", "--model", "http://127.0.0.1:9/v1#m"]):
            ended = rederive(*args, empty)
            self.assert_ended(ended, 0)
            says = f"rederive: {args[0]}: nothing was read: the input has no records\n"
            self.assertEqual(ended.err.count(says), 1, ended.err)
            self.assertNotIn("nothing was read", rederive(*args, "-q", empty).err)

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
            'COMP_LINE="$*"; COMP_POINT=${#COMP_LINE}; _rederive; printf "%s\\n" "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", script, "bash", *words], capture_output=True, text=True,
                              check=True, cwd=self.folder)
        return done.stdout.split()

    def test_bash(self):
        self.assertEqual(self.complete("rederive", "ch"), ["check"])
        self.assertEqual(self.complete("rederive", "vote", "--sel"), ["--select"])
        self.assertEqual(self.complete("rederive", "vote", "--select", "b"), ["best"])
        self.assertEqual(self.complete("rederive", "check", "--color", "n"), ["never"])
        self.assertEqual(self.complete("rederive", "help", "ev"), ["eval"])
        self.assertIn("--aggregate", self.complete("rederive", "vote", "--"))

    def test_values_that_are_no_closed_list(self):
        self.write("calc.jsonl", "")
        methods = [line.split()[0] for line in rederive("methods").out.splitlines()]
        self.assertEqual(self.complete("rederive", "check", "--method", ""), ["reward:", *methods])
        self.assertEqual(self.complete("rederive", "check", "-m", "calc"), ["calculations"])
        self.assertEqual(self.complete("rederive", "solve", "--method", "n"), ["none"])
        self.assertEqual(self.complete("rederive", "repair", "-l", "gol"), ["gold"])
        self.assertEqual(self.complete("rederive", "vote", "--weight", "c"), ["confidence", "confidence:", "combined:"])
        self.assertEqual(self.complete("rederive", "vote", "--weight=m"), ["majority"])
        formats = [line.split()[0] for line in rederive("formats").out.splitlines()]
        self.assertEqual(self.complete("rederive", "check", "--format", ""), formats)
        self.assertEqual(self.complete("rederive", "convert", "--to", "t"), ["trl"])
        self.assertEqual(self.complete("rederive", "check", "-M", "bui"), ["builtin", "builtin:"])

    def test_recipes_whose_names_have_colons(self):
        """Bash replaces what stands behind the colon only."""
        self.assertIn("selfcheck:fig2", self.complete("rederive", "eval", "--recipe", "selfch"))
        self.assertIn("fig2", self.complete("rederive", "eval", "--recipe", "selfcheck:f"))

    def test_words_of_commands(self):
        self.assertEqual(self.complete("rederive", "annotate", ""), ["sample", "guidelines", "sheet", "merge", "export", "agreement"])
        self.assertEqual(self.complete("rederive", "journal", "e"), ["export"])
        self.assertEqual(self.complete("rederive", "completion", ""), ["bash", "zsh", "fish"])

    @unittest.skipUnless(shutil.which("fish"), "fish is not installed")
    def test_in_fish(self):
        script = self.write("rederive.fish", rederive("completion", "fish").out)

        def complete(line):
            done = subprocess.run(["fish", "--no-config", "-c", f"source {script}; complete -C $argv[1]", line], capture_output=True,
                                  text=True, check=True, cwd=self.folder, env={**os.environ, "HOME": self.folder})
            self.assertEqual(done.stderr, "")
            return [found.split("\t")[0] for found in done.stdout.splitlines()]

        self.write("calc.jsonl", "")
        self.assertEqual(complete("rederive ch"), ["check"])
        self.assertEqual(complete("rederive vote --sel"), ["--select"])
        self.assertEqual(complete("rederive check --color n"), ["never"])
        self.assertEqual(complete("rederive help ev"), ["eval"])
        self.assertEqual(complete("rederive check --in calc"), ["calc.jsonl"])
        self.assertEqual(sorted(complete("rederive journal e")), ["export"])
        self.assertIn("calculations", complete("rederive check --method calc"))

    @unittest.skipUnless(shutil.which("zsh"), "zsh is not installed")
    def test_in_zsh(self):
        """Typed at a terminal: what the line is after the tab."""
        self.write("_rederive", rederive("completion", "zsh").out)
        self.write("calc.jsonl", "")
        self.write("setup", "PS1=; PROMPT_EOL_MARK=; unsetopt zle_bracketed_paste 2>/dev/null\nautoload -Uz compinit; compinit -u -D\n"
                            "source ./_rederive\nshow() { print -r -- \"<$BUFFER>\"; BUFFER=; zle reset-prompt; }\n"
                            "zle -N show; bindkey '^X' show\nprint ready\n")

        def complete(line):
            pid, terminal = pty.fork()
            if pid == 0:
                os.chdir(self.folder)
                os.execvpe("zsh", ["zsh", "-f", "-i"], {**os.environ, "TERM": "dumb", "HOME": self.folder})
            try:
                os.write(terminal, b"source ./setup\n")
                seen = self.read_until(terminal, b"\nready")
                os.write(terminal, line.encode() + b"\t\x18")
                seen = self.read_until(terminal, b">\r")
                return re.findall(r"<(.*)>", seen.decode(errors="replace"))[-1]
            finally:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                os.close(terminal)

        for typed, becomes in (("rederive ch", "rederive check "), ("rederive vote --sel", "rederive vote --select "),
                               ("rederive check --color n", "rederive check --color never "),
                               ("rederive check calc", "rederive check calc.jsonl "),
                               ("rederive journal ex", "rederive journal export ")):
            self.assertEqual(complete(typed), becomes)

    def read_until(self, terminal, end):
        seen, began = b"", time.monotonic()
        while end not in seen:
            ready = select.select([terminal], [], [], 1)[0]
            if ready:
                seen += os.read(terminal, 65536)
            if time.monotonic() - began > 60:
                raise AssertionError(f"no {end} in {seen}")
        return seen

    def test_files_only_where_there_are_files(self):
        self.write("calc.jsonl", "")
        for words in (["check", "c"], ["check", "--out", "c"], ["annotate", "merge", "c"], ["check", "-i", "c"]):
            self.assertEqual(self.complete("rederive", *words), ["calc.jsonl"], words)
        for words in (["check", "--seed", "c"], ["check", "--api-key-env", "c"], ["vote", "--stop", "ca"]):
            self.assertEqual(self.complete("rederive", *words), [], words)

    def test_fish_names_every_option_and_value(self):
        script = rederive("completion", "fish").out
        for part in ("-a check -d 'find wrong steps", "from vote' -l weight -s w -x -a 'majority confidence",
                     "from annotate' -a 'sample guidelines sheet merge export agreement'", "-l out -s o -r -F",
                     "from convert' -l to -s t -x -a 'csv inspect"):
            self.assertIn(part, script)
        for name in ("check", "eval", "serve"):
            for option in re.findall(r"--([\w-]+) ", re.sub(r"(?s).*Usage", "", rederive(name, "--help").out)):
                if f"\n      --{option} " in rederive(name, "--help").out:
                    self.assertIn(f"from {name}' -l {option} ", script)

    def test_zsh_names_every_option(self):
        script = rederive("completion", "zsh").out
        self.assertIn("{-a,--aggregate}'[", script)
        self.assertIn("'--answer-source[", script)
        self.assertIn("selfcheck\\:fig2", script)  # a colon would begin the next part
        self.assertIn("'1:argument:(sample guidelines sheet merge export agreement)'", script)
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
