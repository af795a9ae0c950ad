# SPDX-License-Identifier: Apache-2.0
"""From data and a model to the papers' tables, in one command."""
import glob
import hashlib
import json
import math
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
import unittest

from scripted import SELFCHECK, SOLVE, Server
from support import PROGRAM, SECONDS, Case, lines, rederive
from tiny import write_model

sys.path.insert(0, os.path.join(os.environ["RDV_SOURCE"], "tests", "reference"))
import chains as selfcheck_chains  # noqa: E402

LONG = 4 * SECONDS
Z = statistics.NormalDist().inv_cdf(0.975)
QUESTIONS = [{"question_id": f"q{i}", "question": f"What is 2 + {i}?", "gold": str(2 + i)} for i in range(12)]
VARIANTS = [*SELFCHECK, {"contains": "", "reply": "It adds two numbers.\nCorrect"}]


def figures(folder):
    """The bytes of all results in a folder, by path."""
    found = {}
    for path in sorted(glob.glob(os.path.join(folder, "**"), recursive=True)):
        name = os.path.relpath(path, folder)
        if os.path.isfile(path) and "journal" not in name:
            with open(path, "rb") as file:
                found[name] = file.read()
    return found


class Listing(Case):
    def test_says_what_each_needs(self):
        listed = json.loads(rederive("reproduce", "--list", "--json").out)["reproductions"]
        self.assertEqual(len({r["name"] for r in listed}), len(listed))
        for r in listed:
            self.assertEqual(set(r), {"name", "section", "data", "methods", "n_questions", "n_chains", "n_calls"})
            self.assertTrue(r["data"] and r["methods"])
        recipes = {line.split()[0] for line in rederive("eval", "--recipe", "list").out.splitlines()}
        self.assertEqual(recipes, {r["name"] for r in listed} | {"prmbench:table3"})  # of a benchmark, not of the three papers

    def test_prints_the_papers_figures(self):
        text = rederive("reproduce", "--list", "selfcheck:table2", "mistakes:table4").out
        for row in (r"MathQA +GPT-3.5 +selfcheck +balanced_accuracy +% +66.7",
                    r"dyck_languages \(drawn\) +GPT-4 +cot-step +location +% +41 +300\n",
                    r"mean +GPT-4 +direct-step +location +% +52.87"):
            self.assertRegex(text, row)

    def test_calls_are_those_of_a_dry_run(self):
        self.write("q.jsonl", lines(QUESTIONS[0]))
        for r in json.loads(rederive("reproduce", "--list", "--json").out)["reproductions"]:
            if r["data"] != "questions with answers":
                continue
            dry = rederive("reproduce", r["name"], "--data", self.path("q.jsonl"), "--profile", "paper", "--dry-run",
                           "--json", "-q")
            self.assert_ended(dry, 0)
            self.assertEqual(json.loads(dry.out)["n_calls"], r["n_calls"], r["name"])


class Profiles(Case):
    """By default the table is by the paper's rules, and where the default of the other commands differs it stands beside it."""

    def reproduce(self, server, *args):
        self.write("d.jsonl", lines(*QUESTIONS))
        return rederive("reproduce", "-q", "selfcheck:table2", "--data", "d.jsonl", "--limit", "3", "--chains", "2", "--no-fit", "-M",
                        server.url, *([] if "--out" in args else ["--out", "out"]), *args, cwd=self.folder, seconds=LONG)

    def test_both(self):
        # Read by the paper's rule alone: "contradict" stands in its last line, and no sentence concludes.
        differs = {"contains": "The following are 2 solutions", "reply": "Whatever contradicts whatever."}
        with Server(rules=[*SOLVE[:1], differs, *VARIANTS]) as server:
            ended = self.reproduce(server)
            self.assertIn(ended.status, (0, 1), ended.err)
            asked = server.asked()
            server.forget()
            self.reproduce(server, "--profile", "paper", "--out", "alone")
            alone = server.asked()
        rows = {name: json.loads(self.read(f"{name}table.json"))["series"] for name in ("out/", "out/robust/")}
        self.assertEqual({row["profile"] for row in rows["out/"]}, {"paper"})
        self.assertEqual({row["profile"] for row in rows["out/robust/"]}, {"robust"})
        text = self.read("out/profiles.txt")
        self.assertIn("Where the profile robust, the default elsewhere, differs", text)
        self.assertRegex(text, r"selfcheck, .*  +\S+  +\S+  +\S+")
        self.assertIn(text.splitlines()[-1], ended.out)
        # the journal answers what both ask: only what reads otherwise is asked for again
        self.assertEqual(sum("What specific action" in text for text in asked), sum("What specific action" in text for text in alone))
        self.assertLess(len(asked), 1.5 * len(alone))

    def test_no_difference(self):
        with Server(rules=[*SOLVE[:1], *VARIANTS]) as server:
            self.assert_ended(self.reproduce(server), 0)
        self.assertIn("has the same figures", self.read("out/profiles.txt"))

    def test_one_profile(self):
        with Server(rules=[*SOLVE[:1], *VARIANTS]) as server:
            self.assert_ended(self.reproduce(server, "--profile", "robust"), 0)
        self.assertFalse(os.path.exists(self.path("out/profiles.txt")))
        self.assertEqual({row["profile"] for row in json.loads(self.read("out/table.json"))["series"]}, {"robust"})

    def test_whose_prompts(self):
        """Those of BIG-Bench Mistake are ours; --prompt-dir's are named with their source."""
        self.write("word_sorting.jsonl", lines({"input": "fig ash", "target": "ash fig", "answer": "ash fig", "mistake_index": None,
                                                "steps": ["The answer is ash fig"]}))
        os.makedirs(self.path("theirs/mistakes/direct-trace"))
        prompt = ("---\nid: mistakes/direct-trace/word_sorting\nsource: the authors\nprofile: both\nvariables: input, options[text], "
                  "steps[text, number]\n---\n## user\n{{input}}{{#options}}{{text}}{{/options}}{{#steps}}{{number}}{{text}}{{/steps}}\n")
        self.write("theirs/mistakes/direct-trace/word_sorting.md", prompt)
        with Server(rules=[{"contains": "", "reply": "No"}]) as server:
            for out, more, said in (("ours", [], "Prompts: other prompts than the authors'"),
                                    ("own", ["--prompt-dir", "theirs"], "Prompts: 1 of --prompt-dir theirs, from: the authors. All")):
                self.assert_ended(rederive("reproduce", "-q", "mistakes:table4", "--data", "word_sorting.jsonl", "-M", server.url,
                                           "--out", out, *more, cwd=self.folder, seconds=LONG), 0)
                self.assertIn(said, self.read(f"{out}/paper.txt"))
        with Server(rules=[*SOLVE[:1], *VARIANTS]) as server:
            self.assert_ended(self.reproduce(server, "--profile", "paper"), 0)
        self.assertNotIn("Prompts:", self.read("out/paper.txt"))


class Sample(Case):
    def sample(self, *args):
        ended = rederive("sample", *args, seconds=LONG)
        self.assert_ended(ended, 0)
        return [r["question_id"] for r in ended.records]

    def test_does_not_depend_on_the_order(self):
        one = self.write("d.jsonl", lines(*QUESTIONS))
        two = self.write("e.jsonl", lines(*reversed(QUESTIONS)))
        five = self.sample("--limit", "5", one)
        self.assertEqual(len(five), 5)
        self.assertEqual(sorted(five), sorted(self.sample("--limit", "5", two)))
        self.assertLessEqual(set(self.sample("--limit", "3", one)), set(five), "a larger choice contains a smaller one")
        self.assertNotEqual(sorted(five), sorted(self.sample("--limit", "5", "--seed", "1", one)))

    def test_every_question_has_the_same_chance(self):
        path = self.write("d.jsonl", lines(*QUESTIONS))
        counts = dict.fromkeys((q["question_id"] for q in QUESTIONS), 0)
        for seed in range(120):
            for name in self.sample("-q", "--limit", "3", "--seed", str(seed), path):
                counts[name] += 1
        self.assertEqual(sum(counts.values()), 360)
        self.assertTrue(all(14 <= n <= 49 for n in counts.values()), counts)  # 30 expected, 4 standard deviations

    def test_is_no_half_of_a_split(self):
        """eval --split half also draws by hashes of ids and the seed: both halves have to be in a sample."""
        made = list(selfcheck_chains.records(questions=400, chains=1))
        self.write("d.jsonl", lines(*made))
        self.assert_ended(rederive("sample", "-q", "--limit", "60", self.path("d.jsonl"), "--out", self.path("s.jsonl")), 0)
        ended = rederive("eval", "--recipe", "selfcheck:table2", "--split", "half", "--json", self.path("s.jsonl"))
        self.assert_ended(ended, 0)
        half = json.loads(ended.out)["series"][0]["n_questions"]
        self.assertTrue(15 <= half <= 45, half)

    def test_data_sets_are_drawn_from_one_by_one(self):
        one = self.write("first.jsonl", lines(*QUESTIONS))
        two = self.write("second.jsonl", lines(*({**q, "question_id": "r" + q["question_id"]} for q in QUESTIONS),
                                               {"question_id": "x", "question": "1?", "dataset": "third"}))
        ended = rederive("sample", "--limit", "2", one, two)
        self.assertEqual([r["dataset"] for r in ended.records].count("first"), 2)
        self.assertEqual([r["dataset"] for r in ended.records].count("second"), 2)
        self.assertEqual([r["dataset"] for r in ended.records].count("third"), 1)

    def test_a_pipe_has_no_name(self):
        given = lines(QUESTIONS[0], {**QUESTIONS[1], "dataset": "own"})
        names = [r.get("dataset") for r in rederive("sample", "--limit", "1", stdin=given).records]
        self.assertEqual(names, [None, "own"])
        named = rederive("sample", "--dataset", "mine", stdin=given).records
        self.assertEqual([r["dataset"] for r in named], ["mine", "own"])

    def test_questions_once_without_solutions(self):
        chains = [{**QUESTIONS[0], "id": f"c{i}", "steps": ["2 + 0 = 2"], "answer": "2", "label": 0, "own": 7} for i in range(3)]
        path = self.write("c.jsonl", lines(*chains))
        self.assertEqual(len(rederive("sample", path).records), 3)
        [record] = rederive("sample", "--questions", path).records
        self.assertEqual(record["own"], 7)
        self.assertFalse({"steps", "answer", "label"} & set(record), record)

    def test_no_question_is_lost_under_the_id_of_another(self):
        """Two data sets with ids of their own, in files of one name, as gsm8k/test.jsonl and math/test.jsonl."""
        other = [{**q, "question": q["question"].replace("+", "*")} for q in QUESTIONS]
        one, two = self.write("test.jsonl", lines(*QUESTIONS)), os.path.join(self.folder, "math", "test.jsonl")
        os.mkdir(self.path("math"))
        self.write("math/test.jsonl", lines(*other))
        ended = rederive("sample", "--questions", one, two)
        self.assert_ended(ended, 2)
        self.assertIn('would both be the data set "test"; rename one of them, or give each record a "dataset"', ended.err)
        named = [self.write(os.path.join(name, "test.jsonl"), lines(*({**q, "dataset": name} for q in made)))
                 for name, made in (("math", other), (".", QUESTIONS))]
        self.assertEqual(len(rederive("sample", "--questions", *named).records), 2 * len(QUESTIONS))
        mixed = rederive("sample", "--questions", self.write("mixed.jsonl", lines(*QUESTIONS, other[1], QUESTIONS[2])))
        self.assert_ended(mixed, 1)
        self.assertEqual(len(mixed.records), len(QUESTIONS))
        self.assertIn('mixed.jsonl:13: another question of the data set "mixed" has the id "q1"', mixed.err)

    def test_a_published_file_has_the_name_of_its_data_set(self):
        """By most of its records: some of GSM8K's solutions have no calculator notes. Another file has its own name."""
        gsm = [{"question": f"How much is {i} and 1?", "answer": f"It is {i}+1={note % i}{i + 1}.\n#### {i + 1}"}
               for i, note in enumerate(["", "<<%s+1>>", "<<%s+1>>"]) for note in [note or "%.0s"]]
        forms = {"gsm8k": gsm, "mathqa": [{"Problem": "1 + 1?", "options": "a ) 2 , b ) 3", "correct": "a"}],
                 "math": [{"problem": "1 + 1?", "solution": "\\boxed{2}", "level": "Level 1", "type": "Algebra"}],
                 "svamp": [{"Body": "One and one.", "Question": "How many?", "Answer": 2}],
                 "strategyqa": [{"qid": "a", "question": "Is one odd?", "answer": True}],
                 "commonsenseqa": [{"question": {"stem": "What?", "choices": [{"label": c, "text": c} for c in "ABCDE"]}, "answerKey": "A"}]}
        paths = []
        for name, records in forms.items():
            os.mkdir(self.path(name))
            paths.append(self.write(name + "/test.jsonl", lines(*records)))
        ended = rederive("sample", "-q", "--questions", *paths)
        self.assert_ended(ended, 0)
        self.assertEqual([r["dataset"] for r in ended.records], [name for name, records in forms.items() for _ in records])
        for name, records in (("sums", [{**q, "answer": "2\n#### 2"} for q in gsm]), ("other", [{"problem": "1?", "solution": "1"}]),
                              ("arc", [{"question": "What?", "choices": {"label": [*"ABCD"], "text": [*"abcd"]}, "answerKey": "A"}])):
            named = rederive("sample", "-q", self.write(name + ".jsonl", lines(*records))).records
            self.assertEqual({r["dataset"] for r in named}, {name})
        self.assertEqual({r["dataset"] for r in rederive("sample", "-q", "--dataset", "mine", paths[0]).records}, {"mine"})

    def test_two_files_of_one_data_set_lose_no_question(self):
        made = [{"problem": f"1 + {i}?", "solution": "", "answer": "1", "level": 1, "unique_id": "test/1"} for i in range(2)]
        for name, records in (("one", made[:1]), ("two", made[1:])):
            os.mkdir(self.path(name))
            self.write(name + "/test.jsonl", lines(*records))
        ended = rederive("sample", "one/test.jsonl", "two/test.jsonl", cwd=self.folder)
        self.assert_ended(ended, 2)
        self.assertIn('are both of the data set "math", and have different questions with the id "test/1"', ended.err)

    def test_what_has_no_question_fails(self):
        path = self.write("c.jsonl", lines({"error": "it failed"}, QUESTIONS[0]))
        ended = rederive("sample", path)
        self.assert_ended(ended, 1)
        self.assertIn("c.jsonl:1: failed before: it failed", ended.err)


class Annotators(Case):
    def test_mark_what_the_label_says_and_slip(self):
        chains = rederive("tasks", "-q", "-n", "30", "--mistakes", "0.5", "--annotators", "3").records
        right = total = 0
        for chain in chains:
            self.assertEqual(len(chain["step_labels"]), 12)
            for marks in chain["step_labels"]:
                self.assertRegex(marks["annotator"], "^simulated-[123]$")
                if marks["criterion"] != "correct":
                    self.assertNotIn(None, marks["labels"])
                    continue
                for step, mark in enumerate(marks["labels"]):
                    total += mark is not None
                    right += mark is not None and mark == (step != chain["label"])
                    if mark is False:
                        self.assertTrue(all(m is None for m in marks["labels"][step + 1:]))
                        break
        self.assertAlmostEqual(right / total, 0.98, delta=0.01)  # of some 4,000 marks: 4.5 standard deviations

    def test_need_solutions(self):
        ended = rederive("tasks", "--annotators", "3")
        self.assert_ended(ended, 2)
        self.assertIn("--annotators needs solutions to annotate", ended.err)


class OneTable(Case):
    def setUp(self):
        super().setUp()
        self.data = self.write("test.jsonl", lines(*QUESTIONS))

    def command(self, server, out="out", *more):
        return ["reproduce", "selfcheck:table2", "--data", self.data, "--limit", "3", "--chains", "2", "--no-fit",
                "-M", server.url, "--out", self.path(out), *more]

    def test_files_and_the_papers_figures(self):
        with Server(rules=[*SOLVE, *VARIANTS]) as server:
            ended = rederive(*self.command(server), seconds=LONG)
            self.assert_ended(ended, 0)
            for name in ("table.txt", "table.csv", "table.json", "table.html", "paper.txt", "commands.sh", "reproduce.json"):
                self.assertTrue(os.path.getsize(self.path("out/" + name)), name)
            self.assertRegex(ended.out, r"MathQA +GPT-3.5 +selfcheck +balanced_accuracy +% +66.7 +")
            series = json.loads(self.read("out/table.json"))["series"]
            self.assertEqual([s["check"] for s in series],
                             ["selfcheck", "global", "single-stage", "error-check", "error-check-1shot"])
            self.assertEqual({s["n_chains"] for s in series}, {6})
            asked = len(server.requests())
            again = rederive(*self.command(server))
            self.assert_ended(again, 0)
            self.assertEqual(len(server.requests()), asked, "what is complete is not asked again")

    def test_own_methods_stand_in_the_table(self):
        os.mkdir(self.path("mine"))
        self.write("mine/honest.method", '---\nmethod: honest\nsource: ours\nsummary: is the step right\nconclude: verdict\n---\n## judge\n'
                   'per: step\nread: choice "Correct" = support, "Wrong" = contradict\nexample: "Correct"\n')
        os.mkdir(self.path("mine/honest"))
        self.write("mine/honest/judge.md", '---\nid: honest/judge\nsource: ours\nprofile: both\nvariables: question, step\ntemperature: 0\n'
                   'max_tokens: 20\nanswers: "Correct", "Wrong"\n---\n## user\nQuestion: {{question}}\nStep: {{step}}\nIs it right?\n')
        with Server(rules=[*SOLVE, *VARIANTS]) as server:
            command = self.command(server, "out", "--method", "selfcheck,honest", "--method-dir", self.path("mine"), "--baseline", "selfcheck")
            self.assert_ended(rederive(*command, "--dry-run", "-q"), 0)
            self.assert_ended(rederive(*command, seconds=LONG), 0)
            table = json.loads(self.read("out/table.json"))
            self.assertEqual([s["check"] for s in table["series"]], ["selfcheck", "honest"])
            self.assertEqual(table["series"][1]["rows"][0]["baseline"], "selfcheck")
            self.assertEqual(table["series"][1]["rows"][0]["delta.balanced_accuracy"]["n"], 3)
            asked = len(server.requests())
            self.assert_ended(rederive(*command), 0)
            self.assertEqual(len(server.requests()), asked)
            for option, says in (("--method", 'begun with --method "selfcheck,honest", not null'), ("--baseline", "--baseline")):
                at = command.index(option)
                fewer = [w for i, w in enumerate(command) if i not in (at, at + 1) and (option != "--method" or w not in ("--method-dir", self.path("mine")))]
                ended = rederive(*fewer)
                self.assert_ended(ended, 2)
                self.assertIn(says, ended.err)

    def test_own_verifiers_stand_in_a_table_of_general(self):
        os.mkdir(self.path("mine"))
        self.write("mine/honest.method", '---\nmethod: honest\nsource: ours\nsummary: is the step right\nconclude: verdict\n---\n## judge\n'
                   'per: step\nread: choice "Correct" = support, "Wrong" = contradict\nexample: "Correct"\n')
        os.mkdir(self.path("mine/honest"))
        self.write("mine/honest/judge.md", '---\nid: honest/judge\nsource: ours\nprofile: both\nvariables: question, step\ntemperature: 0\n'
                   'max_tokens: 20\nanswers: "Correct", "Wrong"\n---\n## user\nQuestion: {{question}}\nStep: {{step}}\nIs it honest?\n')
        rules = [{"contains": "Is it honest", "reply": "Correct"}, {"contains": "step by step", "reply": "2 and 1 are 3.\nThe answer is 3"},
                 {"contains": "", "reply": "It is so.\nYes"}]
        for methods, verifiers in (("general,honest", "all,honest"), ("relevance,honest", "relevance,honest")):
            with self.subTest(methods), Server(rules=rules) as server:
                out = methods.replace(",", "-")
                ended = rederive("reproduce", "-q", "general:table4", "--data", self.data, "--limit", "3", "--chains", "2", "-M", server.url,
                                 "--profile", "paper", "--out", self.path(out), "--method", methods, "--method-dir", self.path("mine"),
                                 "--baseline", "none", seconds=LONG)
                self.assertIn(ended.status, (0, 1), ended.err)
                rows = {r["verifiers"]: r for r in json.loads(self.read(out + "/table.json"))["rows"]}
                self.assertIn("honest", rows)
                self.assertEqual(rows["honest"]["baseline"], "none")
                self.assertIn(f"--verifiers {verifiers}", self.read(out + "/commands.sh"))

    def test_no_fit_may_be_given_later(self):
        with Server(rules=[*SOLVE, *VARIANTS]) as server:
            given = [a for a in self.command(server) if a != "--no-fit"]
            ended = rederive(*given, seconds=LONG)  # with so few chains there is nothing to fit on
            self.assertIn("the same command with --no-fit makes it", ended.err)
            asked = len(server.requests())
            self.assert_ended(rederive(*self.command(server), seconds=LONG), 0)
            self.assertEqual(len(server.requests()), asked, "the checks are not asked for again")
            self.assertIn("not fitted", self.read("out/table.txt"))

    def test_the_script_gives_the_same(self):
        with Server(rules=[*SOLVE, *VARIANTS]) as server:
            self.assert_ended(rederive(*self.command(server), seconds=LONG), 0)
            table = self.read("out/table.json")
            shutil.rmtree(self.path("out/work"))
            os.mkdir(self.path("out/work"))
            os.mkdir(self.path("bin"))
            os.symlink(PROGRAM, self.path("bin/rederive"))
            done = subprocess.run(["sh", self.path("out/commands.sh")], cwd=self.folder, capture_output=True, check=False,
                                  env={**os.environ, "PATH": self.path("bin") + ":" + os.environ["PATH"]})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(self.read("out/table.json"), table)

    def test_other_settings_are_refused(self):
        with Server(rules=[*SOLVE, *VARIANTS]) as server:
            self.assert_ended(rederive(*self.command(server), seconds=LONG), 0)
            before = figures(self.path("out"))
            for more, says in ((["--seed", "1"], "--seed 0, not 1"), (["--limit", "4"], "--limit 3, not 4"),
                               (["--checker", "builtin"], '--checker [], not ["builtin"]'),
                               (["selfcheck:fig6"], 'begun with ["selfcheck:table2"]')):
                ended = rederive(*self.command(server), *more)
                self.assert_ended(ended, 2)
                self.assertIn(says, ended.err)
                self.assertIn("give the same settings, or another folder", ended.err)
            self.write("test.jsonl", lines(*QUESTIONS[1:]))
            ended = rederive(*self.command(server))
            self.assert_ended(ended, 2)
            self.assertIn("--data", ended.err)
            self.assertEqual(figures(self.path("out")), before)

    def test_a_dry_run_tells_the_whole(self):
        with Server(rules=[*SOLVE, *VARIANTS]) as server:
            dry = rederive(*self.command(server), "--dry-run", "--json", "--price-in", "1", "--price-out", "2")
            self.assert_ended(dry, 0)
            self.assertFalse(os.path.exists(self.path("out")))
            self.assertEqual(server.requests(), [])
            said = json.loads(dry.out)
            self.assert_ended(rederive(*self.command(server), seconds=LONG), 0)
            asked = len(server.requests())
            self.assertTrue(said["least"]["n_calls"] <= asked <= said["most"]["n_calls"], (asked, said))
            self.assertGreater(said["cost_usd"], 0)
            after = rederive(*self.command(server), "--dry-run", "--json")
            self.assertEqual(json.loads(after.out)["n_calls"], 0, "everything is answered")

    def test_a_dry_run_with_chains_is_exact(self):
        """Where nothing stops early and no reply is asked for again, the estimate of checks is what is asked."""
        with Server(rules=[*SOLVE, *VARIANTS]) as server:
            self.assert_ended(rederive(*self.command(server), seconds=LONG), 0)
            asked = len(server.requests())
            shutil.copytree(self.path("out"), self.path("copy"))
            for name in glob.glob(self.path("out/work/checked*")) + glob.glob(self.path("out/*journal*")):
                os.remove(name)
            dry = rederive(*self.command(server), "--dry-run", "--json")
            self.assertEqual(json.loads(dry.out)["n_calls"], asked - 6, "all but the 6 generations")

    def test_failures_are_told_and_tried_again(self):
        with Server(rules=[{"contains": "directly follow from?", "status": 400}, *SOLVE, *VARIANTS]) as server:
            ended = rederive(*self.command(server), seconds=LONG)
            self.assert_ended(ended, 1)
            self.assertRegex(ended.err, "selfcheck:table2: some records of .*checked-variants.* failed or are incomplete; "
                                        "the same command tries them again")
        with Server(rules=[*SOLVE, *VARIANTS]) as server:
            manifest = json.loads(self.read("out/reproduce.json"))
            manifest["model"] = [server.url]
            self.write("out/reproduce.json", json.dumps(manifest, separators=(",", ":")) + "\n")
            self.assert_ended(rederive(*self.command(server), seconds=LONG), 0)

    def test_killed_and_interrupted_runs_go_on(self):
        # At two calls at a time the run takes seconds, so that each signal comes before its end on a busy machine too.
        with Server(rules=[*SOLVE, *VARIANTS], delay=0.04) as server:
            self.assert_ended(rederive(*self.command(server, "out"), seconds=LONG), 0)
            whole = figures(self.path("out"))
            calls = len(server.requests())
            server.forget()
            for number, after in ((signal.SIGINT, 4), (signal.SIGKILL, 30), (signal.SIGINT, 60), (signal.SIGKILL, 90)):
                before = len(server.requests())
                process = subprocess.Popen([PROGRAM, *self.command(server, "cut"), "-j", "2"], stderr=subprocess.PIPE,
                                           stdout=subprocess.DEVNULL, text=True)
                while process.poll() is None and len(server.requests()) < after:
                    time.sleep(0.002)
                process.send_signal(number)
                err = process.communicate(timeout=LONG)[1]
                self.assertGreaterEqual(len(server.requests()), before)
                if number == signal.SIGINT:
                    self.assertEqual(process.returncode, 130, err)
                    self.assertIn("the same command goes on", err)
            self.assert_ended(rederive(*self.command(server, "cut"), seconds=LONG), 0)
            cut = {name: text.replace(b"/cut", b"/out") for name, text in figures(self.path("cut")).items()}
            self.assertEqual({n: hashlib.sha256(t).hexdigest() for n, t in cut.items() if "html" not in n},
                             {n: hashlib.sha256(t).hexdigest() for n, t in whole.items() if "html" not in n})
            # In flight when the run was killed: at most two of each of the four times.
            self.assertLessEqual(len(server.requests()), calls + 4 * 2)

    def test_recorded_chains_are_checked_by_another_model(self):
        """A transcript answers for nobody else: it generates, and the checker alone is asked, into the shared journal."""
        with Server(rules=[*SOLVE, *VARIANTS]) as server:
            self.assert_ended(rederive(*self.command(server), seconds=LONG), 0)
            checks = len(server.requests()) - 6
            server.forget()
            command = self.command(server, "again")
            command[command.index("-M") + 1] = "transcript:" + self.path("out/replies.journal") + "#fake"
            command += ["--checker", server.base + "/v1#other"]
            self.assert_ended(rederive(*command, "--dry-run", "-q"), 0)
            self.assert_ended(rederive(*command, seconds=LONG), 0)
            self.assertEqual(len(server.requests()), checks)
            self.assert_ended(rederive(*command), 0)
            self.assertEqual(len(server.requests()), checks)
        self.assertTrue(os.path.exists(self.path("again/replies.journal")))
        self.assertEqual({(s["generator"], s["checker"]) for s in json.loads(self.read("again/table.json"))["series"]}, {("fake", "other")})

    def test_two_data_sets_and_two_models(self):
        other = self.write("other.jsonl", lines(*({**q, "question_id": "o" + q["question_id"]} for q in QUESTIONS)))
        with Server(rules=[*SOLVE, *VARIANTS]) as server:
            ended = rederive("reproduce", "selfcheck:table1", "--data", self.data, "--data", other, "--limit", "2",
                             "-M", server.url, "-M", "builtin", "--out", self.path("two"), seconds=LONG,
                             env={"RDV_MODEL": write_model(self.path("tiny.gguf"))})
            self.assertIn(ended.status, (0, 1), ended.err)  # the tiny model's replies are noise
            series = json.loads(self.read("two/table.json"))["series"]
            self.assertEqual({s["generator"] for s in series if s["generator"]} & {"fake"}, {"fake"})
            self.assertEqual(len({(s["generator"], s["group"]) for s in series}), 4, "a row for each model and data set")
            self.assertEqual({s["group"] for s in series}, {"test", "other"})
            questions = [json.loads(line) for line in self.read("two/work/questions-2.jsonl").splitlines()]
            self.assertEqual(sorted(q["dataset"] for q in questions), ["other", "other", "test", "test"])


    def test_traces_are_checked_by_several_models(self):
        for task in ("word_sorting", "dyck_languages"):
            made = rederive("tasks", "-q", "-t", task, "-n", "6", "--mistakes", "0.85").out
            self.write(task + ".jsonl", made)
        rules = [{"contains": "", "reply": "No"}]
        with Server(rules=rules) as server:
            models = [server.base + "/v1#one", server.base + "/v1#two"]
            ended = rederive("reproduce", "mistakes:table4", "--data", self.path("word_sorting.jsonl"), "--data",
                             self.path("dyck_languages.jsonl"), "-M", models[0], "-M", models[1],
                             "--out", self.path("out"), "-q", seconds=LONG)
            self.assert_ended(ended, 0)
        rows = [r for r in json.loads(self.read("out/table.json"))["rows"] if r["task"] == "word_sorting" and not r["subsampled"]]
        self.assertEqual({r["checker"] for r in rows}, {"one", "two"})
        self.assertEqual({r["n"] for r in rows}, {6}, "models are not pooled")
        self.assertRegex(self.read("out/paper.txt"), r"word_sorting +GPT-4 +direct-trace +location +% +35 +300 +- +- +-")

    def test_repairs_start_from_all_locators(self):
        made = rederive("tasks", "-q", "-t", "last_letters", "-n", "3", "--mistakes", "1").out
        self.write("t.jsonl", made)
        with Server(rules=[{"contains": "", "reply": " So the answer is x."}]) as server:
            ended = rederive("reproduce", "mistakes:table6", "mistakes:fig2", "--data", self.path("t.jsonl"), "-M", server.url,
                             "--out", self.path("out"), "-q", seconds=LONG)
            self.assert_ended(ended, 0)
        self.assertEqual({r["locator"] for r in json.loads(self.read("out/mistakes-table6/table.json"))["rows"]}, {"gold", "random"})
        located = {r["locator"] for r in json.loads(self.read("out/mistakes-fig2/table.json"))["rows"]}
        self.assertEqual(located, {"simulated:" + x for x in ("0.5", "0.6", "0.65", "0.7", "0.8", "0.9", "1")})


def cells_of(text):
    """The lines of paper.txt as dictionaries, by their columns."""
    head, *rest = text.splitlines()[1:]
    names = head.split()
    return [dict(zip(names, re.split("  +", line))) for line in rest[1:] if len(re.split("  +", line)) == len(names)]


def wilson(p, n):
    middle, half = p + Z * Z / (2 * n), Z * math.sqrt(p * (1 - p) / n + Z * Z / (4 * n * n))
    return (middle - half) / (1 + Z * Z / n), (middle + half) / (1 + Z * Z / n)


TASKS = ("word_sorting", "tracking_shuffled_objects", "logical_deduction", "multistep_arithmetic", "dyck_languages")


def published_traces(task, n, mistakes):
    """Traces of ours in the form in which BIG-Bench Mistake is published."""
    made = rederive("tasks", "-q", "-t", task, "-n", str(n), "--mistakes", str(mistakes)).out
    return lines(*({"input": r["question"], "steps": r["steps"], "answer": r["answer"], "target": r["gold"], "mistake_index": r["label"]}
                   for r in map(json.loads, made.splitlines())))


class Compared(Case):
    """paper.txt sets a figure beside those of its own data set, with the difference."""

    def located(self, out, *data):
        with Server(rules=[{"contains": "", "reply": "No"}]) as server:
            ended = rederive("reproduce", "mistakes:table4", *(word for path in data for word in ("--data", path)), "-M", server.url,
                             "--limit", "8", "--profile", "paper", "--out", self.path(out), "-q", seconds=LONG)
            self.assert_ended(ended, 0)
        return self.read(out + "/paper.txt")

    def test_generated_traces_are_not_the_papers(self):
        text = self.located("made")
        self.assertEqual({c["here"] for c in cells_of(text)}, {"-"})
        self.assertIn("Data: generated by 'rederive tasks'", text)
        self.assertIn("The paper has no figures here of: word_sorting (other traces than BIG-Bench Mistake's)", text)
        made = self.write("word_sorting.jsonl", rederive("tasks", "-q", "-t", "word_sorting", "-n", "6", "--mistakes", "0.8").out)
        text = self.located("given", made)
        self.assertEqual({c["here"] for c in cells_of(text)}, {"-"}, "the name of a task is not its traces")
        self.assertNotIn("Data: generated", text)

    def test_published_traces_are_not_called_others(self):
        """Of the projected accuracies the paper prints those of one task; the traces of the others are still its own."""
        data = [self.write(task + ".jsonl", published_traces(task, 4, 0.8)) for task in ("tracking_shuffled_objects", "word_sorting")]
        with Server(rules=[{"contains": "", "reply": "So the answer is 1"}]) as server:
            ended = rederive("reproduce", "mistakes:table6", *(word for path in data for word in ("--data", path)), "-M", server.url,
                             "--profile", "paper", "--out", self.path("out"), "-q", seconds=LONG)
            self.assert_ended(ended, 0)
        text = self.read("out/paper.txt")
        found = {(c["data"], c["column"]) for c in cells_of(text) if c["here"] != "-"}
        self.assertIn(("word_sorting", "mean_steps"), found)
        self.assertIn(("tracking_shuffled_objects", "after.50"), found)
        self.assertNotIn("The paper has no figures here of", text)

    def test_a_mean_only_with_that_of_the_same_tasks(self):
        data = [self.write(task + ".jsonl", published_traces(task, 8, 0.8)) for task in TASKS]
        for n in (2, 5):
            found = cells_of(self.located(f"of{n}", *data[:n]))
            for task in TASKS:
                here = {c["here"] for c in found if c["data"].startswith(task)}
                self.assertEqual("-" not in here, task in TASKS[:n], (task, here))
            means = {c["here"] for c in found if c["data"] == "mean"}
            self.assertEqual(means == {"-"}, n == 2, means)
        other = self.write("last_letters.jsonl", published_traces("last_letters", 8, 0.8))
        means = {c["here"] for c in cells_of(self.located("six", *data, other)) if c["data"] == "mean"}
        self.assertEqual(means, {"-"}, "a sixth task")

    def test_a_mean_only_with_that_of_the_same_data_sets(self):
        names = ("date_understanding", "commonsenseqa", "commonsenseqa2", "strategyqa", "coin_flip", "last_letters_2", "gsm8k", "svamp",
                 "addsub")
        with Server(rules=[{"contains": "", "reply": "So the answer is 1."}]) as server:
            for used, compared in ((names[6:8], False), (names, True)):
                data = [self.write(d + ".jsonl", lines(*({**q, "question_id": d + q["question_id"]} for q in QUESTIONS[:4]))) for d in used]
                out = self.path(f"out{len(used)}")
                ended = rederive("reproduce", "general:table1", *(word for path in data for word in ("--data", path)), "-M", server.url,
                                 "--limit", "2", "--chains", "2", "--profile", "paper", "--out", out, "-q", seconds=LONG)
                self.assertIn(ended.status, (0, 1), ended.err)
                text = self.read(f"out{len(used)}/paper.txt")
                means = [c["here"] for c in cells_of(text) if c["data"] == "mean" and "random" in c["row"]]
                self.assertEqual(len(means), 2)
                self.assertEqual("-" not in means, compared, text)

    def test_only_with_the_same_data_set(self):
        data = [self.write(name + ".jsonl", lines(*QUESTIONS)) for name in ("GSM-8K", "math", "sums")]
        with Server(rules=[*SOLVE, *VARIANTS]) as server:
            ended = rederive("reproduce", "selfcheck:table1", *(word for path in data for word in ("--data", path)), "--limit", "8",
                             "-M", server.url, "--out", self.path("out"), "-q", seconds=LONG)
            self.assert_ended(ended, 0)
        text = self.read("out/paper.txt")
        self.assertIn("The paper has no figures here of: math, sums.\n", text)
        rows = {s["group"]: s["rows"][0] for s in json.loads(self.read("out/table.json"))["series"]}
        found = cells_of(text)
        self.assertEqual(len(found), 9 * 6)
        for cell in found:
            if cell["data"] != "GSM8K":
                self.assertEqual((cell["here"], cell["of"], cell["difference"]), ("-", "-", "-"))
                continue
            ours = rows["GSM-8K"][cell["column"]]
            paper, *error = (float(x) / 100 for x in cell["paper"].split(" ± "))
            limits = (paper - Z * error[0], paper + Z * error[0]) if error else wilson(paper, int(cell["n"]))
            self.assertEqual(cell["n"], "-" if error else "500")
            d = ours["value"] - paper
            low = d - math.hypot(ours["value"] - ours["ci_low"], limits[1] - paper)
            high = d + math.hypot(ours["ci_high"] - ours["value"], paper - limits[0])
            self.assertEqual(cell["difference"], f"{100 * d:+.1f} [{100 * low:.1f}, {100 * high:.1f}]", cell)
            self.assertIn("GSM-8K", cell["of"])

    def test_drawn_traces_are_compared_with_drawn_ones(self):
        self.write("dyck_languages.jsonl", published_traces("dyck_languages", 40, 0.5))
        ended = rederive("reproduce", "mistakes:table2", "--data", self.path("dyck_languages.jsonl"), "--out", self.path("out"), "-q")
        self.assert_ended(ended, 0)
        ours = {r["subsampled"]: str(float(r["n_correct"])) for r in json.loads(self.read("out/table.json"))["rows"]}
        found = [(c["data"], c["paper"], c["here"]) for c in cells_of(self.read("out/paper.txt")) if c["column"] == "n_correct"]
        self.assertEqual(found[-2:], [("dyck_languages", "482", ours[False]), ("dyck_languages (drawn)", "88", ours[True])])

    def test_the_papers_numbers_agree_with_each_other(self):
        """Sections 4.2 and 4.4 follow from Tables 1 and 5; and a share of n observations is a multiple of 1/n."""
        def listed(name):
            return cells_of("\n" + rederive("reproduce", "--list", name).out.split("The paper's figures:\n")[1])

        def values(name, row):
            return [float(c["paper"].split(" ± ")[0]) for c in listed(name) if c["row"] == row and c["column"] == "accuracy"]
        said = {(c["row"], c["column"]): float(c["paper"]) for c in listed("general:table1") if c["data"] == "mean"}
        random, likely, best = (values("general:table1", row) for row in ("random", "lowest perplexity", "best score"))
        for name, with_ in (("random", random), ("lowest perplexity", likely)):
            gains = [a - b for a, b in zip(best, with_, strict=True)]
            self.assertAlmostEqual(said[f"best score - {name}", "mean"], statistics.mean(gains), delta=0.015)
            self.assertAlmostEqual(said[f"best score - {name}", "better"], 100 * sum(g > 0 for g in gains) / 9, delta=0.01)
        steps = [values("general:table5", k) for k in "012"]
        for k, row in ((1, "1 - 0"), (2, "2 - 0")):
            share, = (float(c["paper"]) for c in listed("general:table5") if c["row"] == row)
            self.assertAlmostEqual(share, 100 * sum(a > b for a, b in zip(steps[k], steps[0], strict=True)) / 9, delta=0.01)
        n = 0
        for name in ("selfcheck:table1", "mistakes:table4", "mistakes:table6", "mistakes:table9"):
            for cell in (c for c in listed(name) if c["n"] != "-"):
                hits = float(cell["paper"]) * int(cell["n"]) / 100
                part = 2 if "accuracy" in cell["column"] else 1  # a tie of two answers counts half
                self.assertAlmostEqual(hits * part, round(hits * part), delta=0.0101 * part * int(cell["n"]) / 100 * (10 if part == 2 else 1), msg=cell)
                n += 1
        self.assertGreater(n, 150)


class HeldOut(Case):
    """Tables 7 and 8: no task is trained on and reported, whatever the files are called."""
    NAMES = ("mine, a#b.jsonl", "$(touch PWNED)`touch PWNED`'\"\n<b>.jsonl")

    def test_traces_are_held_out_by_their_file(self):
        for name, task in zip(self.NAMES, ("word_sorting", "dyck_languages")):
            self.write(name, rederive("tasks", "-q", "-t", task, "-n", "12", "--mistakes", "0.85").out)
        data = [word for name in self.NAMES for word in ("--data", name)]
        ended = rederive("reproduce", "mistakes:table8", *data, "--out", "out", "-q", cwd=self.folder, seconds=LONG)
        self.assert_ended(ended, 0)
        rows = json.loads(self.read("out/table.json"))["rows"]
        self.assertEqual([(r["task"], r["n"]) for r in rows], [("word_sorting", 12), ("dyck_languages", 12)])
        text = self.read("out/paper.txt")
        self.assertIn(("dyck_languages", "10000", "-"), [(c["data"], c["paper"], c["here"]) for c in cells_of(text)])
        self.assertNotIn("The paper has no figures here of", text, "it has both tasks; the classifiers are not compared")
        with Server(rules=[{"contains": "", "reply": "No"}]) as server:
            ended = rederive("reproduce", "mistakes:table7", *data, "-M", server.url, "--out", "seven", "-q", cwd=self.folder,
                             seconds=LONG)
            self.assert_ended(ended, 0)
        os.mkdir(self.path("bin"))
        os.symlink(PROGRAM, self.path("bin/rederive"))
        done = subprocess.run(["sh", "out/commands.sh"], cwd=self.folder, capture_output=True, check=False,
                              env={**os.environ, "PATH": self.path("bin") + ":" + os.environ["PATH"]})
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertFalse([name for name in os.listdir(self.folder) if name.startswith("PWNED")])

    def test_names_that_cannot_be_told_apart(self):
        os.mkdir(self.path("other"))
        for name in ("t.jsonl", "other/t.jsonl"):
            self.write(name, rederive("tasks", "-q", "-t", "word_sorting", "-n", "4", "--mistakes", "1").out)
        for recipe in ("mistakes:table2", "mistakes:table8"):
            ended = rederive("reproduce", recipe, "--data", "t.jsonl", "--data", "other/t.jsonl", "--out", "out", cwd=self.folder)
            self.assert_ended(ended, 2)
            self.assertIn('would both be the data set "t"', ended.err)
        ended = rederive("reproduce", "mistakes:table7", "-M", "builtin", "--out", "a,b", cwd=self.folder)
        self.assert_ended(ended, 2)
        self.assertIn("--out a,b: the path of a classifier", ended.err)

    def test_names_that_look_like_options(self):
        self.write("-n.jsonl", rederive("tasks", "-q", "-t", "word_sorting", "-n", "4", "--mistakes", "1").out)
        ended = rederive("reproduce", "mistakes:table2", "--data", "-n.jsonl", "--out", "-o", "-q", cwd=self.folder)
        self.assert_ended(ended, 0)
        self.assertEqual(json.loads(self.read("-o/table.json"))["rows"][0]["n_traces"], 4)


class Killed(Case):
    def test_a_table_is_marked_until_all_its_files_are_there(self):
        command = [PROGRAM, "reproduce", "general:table6", "mistakes:table2", "--limit", "2", "--out", self.path("out"), "-q"]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            while process.poll() is None and not os.path.exists(self.path("out/general-table6/table.json.incomplete")):
                time.sleep(0.001)
            process.kill()
        self.assertTrue(os.path.exists(self.path("out/general-table6/table.json.incomplete")))


class Folders(Case):
    def test_a_table_whose_folder_cannot_be_made_is_no_success(self):
        command = ("reproduce", "mistakes:table2", "mistakes:table3", "--limit", "2", "--out", self.path("out"), "-q")
        self.assert_ended(rederive(*command), 0)
        shutil.rmtree(self.path("out/mistakes-table2"))
        self.write("out/mistakes-table2", "a file")
        ended = rederive(*command)
        self.assert_ended(ended, 1)
        self.assertIn("mistakes:table2: no table, as a stage failed", ended.err)
        self.assertTrue(os.path.exists(self.path("out/mistakes-table3/table.json")))

    def test_somebody_elses_files_are_not_replaced(self):
        os.mkdir(self.path("mine"))
        self.write("mine/table.txt", "mine\n")
        command = ("reproduce", "mistakes:table2", "--limit", "2", "--out", "mine", "-q")
        for more in ((), ("--dry-run",)):
            ended = rederive(*command, *more, cwd=self.folder)
            self.assert_ended(ended, 2)
            self.assertEqual(ended.err, "rederive: reproduce: --out mine: has files, such as table.txt, and no reproduce.json, so "
                                        "nothing was begun in it; name a new or an empty folder\n")
        self.assertEqual((os.listdir(self.path("mine")), self.read("mine/table.txt")), (["table.txt"], "mine\n"))
        os.remove(self.path("mine/table.txt"))
        self.write("mine/reproduce.json.partial", "{")  # of a run that was killed at once
        self.assert_ended(rederive(*command, cwd=self.folder), 0)
        shutil.rmtree(self.path("mine/work"))  # as if killed before it was made
        self.assert_ended(rederive(*command, cwd=self.folder), 0)

    def test_the_reason_is_that_of_the_system(self):
        self.write("file", "")
        os.symlink(self.path("nowhere"), self.path("link"))
        for arguments in (("reproduce", "mistakes:table2", "--out"), ("eval", "--recipe", "mistakes:table2", "--tables")):
            ended = rederive(*arguments, self.path("link"))
            self.assert_ended(ended, 3)
            self.assertIn("File exists", ended.err)


class Mistakes(Case):
    CASES = [
        ([], "name a table or figure"),
        (["selfcheck:table9", "--out", "x"], "there is no such table or figure"),
        (["selfcheck:table2"], "--out DIR is required"),
        (["selfcheck:table2", "--out", "x"], "selfcheck:table2 needs a model"),
        (["general:table6", "--json", "--out", "x"], "--json has no effect"),
        (["mistakes:table7", "--data", "a.jsonl", "-M", "builtin", "--out", "x"], "trains on all tasks but one"),
        (["general:table6", "--data", "a.jsonl", "--out", "x"], "--data has no effect on general:table6"),
        (["mistakes:table4", "--chains", "2", "-M", "builtin", "--out", "x"], "--chains has no effect on mistakes:table4"),
        (["general:table6", "--jobs", "3", "--out", "x"], "--jobs has no effect on general:table6"),
        (["mistakes:table2", "--prompt-dir", "none", "--out", "x"], "--prompt-dir has no effect on mistakes:table2"),
        (["general:table6", "--price-out", "3", "--out", "x"], "--price-out has no effect without --dry-run"),
        (["selfcheck:fig2", "--no-fit", "-M", "builtin", "--out", "x"], "--no-fit has no effect on selfcheck:fig2"),
        (["mistakes:table6", "--checker", "builtin", "-M", "builtin", "--out", "x"], "--checker has no effect on mistakes:table6"),
        (["mistakes:table3", "mistakes:table2", "-M", "builtin", "--out", "x"], "--model has no effect on mistakes:table2 and the others"),
        (["mistakes:table6", "--method", "direct-trace", "-M", "builtin", "--out", "x"], "--method has no effect on mistakes:table6"),
        (["selfcheck:fig3", "--baseline", "x", "-M", "builtin", "--out", "x"], "--baseline has no effect on selfcheck:fig3"),
        (["selfcheck:fig2", "--method-dir", "x", "-M", "builtin", "--out", "x"], "--method-dir has no effect without --method"),
        (["--list", "--limit", "3"], "--limit has no effect on --list"),
        (["--list", "selfcheck:fig2", "--dry-run"], "--dry-run has no effect on --list"),
        (["--list", "-M", "builtin"], "--model has no effect on --list"),
        (["general:table1", "--data", "none.jsonl", "-M", "builtin", "--out", "x"], "--data none.jsonl: cannot be read"),
    ]

    def test_each_has_one_line(self):
        for arguments, says in self.CASES:
            ended = rederive("reproduce", *arguments, cwd=self.folder)
            self.assertIn(ended.status, (2, 3), arguments)
            self.assertEqual(len(ended.err.splitlines()), 1, ended.err)
            self.assertIn(says, ended.err)
        self.assertEqual(os.listdir(self.folder), [])

    def test_without_a_model(self):
        ended = rederive("reproduce", "general:table6", "mistakes:table3", "--limit", "4", "--out", self.path("out"), "-q", seconds=LONG)
        self.assert_ended(ended, 0)
        self.assertIn("simulated", self.read("out/index.html"))
        self.assertRegex(self.read("out/mistakes-table3/paper.txt"), r"word_sorting +annotators +- +alpha.location +% +97.9 +")


if __name__ == "__main__":
    unittest.main()
