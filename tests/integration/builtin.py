# SPDX-License-Identifier: Apache-2.0
"""--model builtin: a model file that the program runs itself. The models here have random weights."""
import json
import os
import signal
import subprocess
import time
import unittest

from support import PROGRAM, Case, chain, lines, rederive
from tiny import SECONDS, write_model

QUESTIONS = lines({"question_id": "q1", "question": "2 + 3?", "gold": "5"}, {"question_id": "q2", "question": "4 * 4?"})


CALLS = r"[1-9]\d* calls"


class Builtin(Case):
    def setUp(self):
        super().setUp()
        self.model = "builtin:" + write_model(self.path("tiny.gguf"))
        self.write("q.jsonl", QUESTIONS)

    def solve(self, *options, model=None, out="a.jsonl"):
        return rederive("solve", "-M", model or self.model, "-n", "3", "--stop", "none", "-m", "none", "--out",
                        self.path(out), *options, self.path("q.jsonl"))

    def test_a_solution_does_not_depend_on_its_company(self):
        for name, jobs in (("one", "1"), ("many", "64")):
            ended = self.solve("--jobs", jobs, "--chains-out", self.path(name), out=name + ".out")
            self.assert_ended(ended, 0)
        self.assertEqual(self.read("one"), self.read("many"))
        self.assertEqual(self.read("one.out"), self.read("many.out"))
        texts = {tuple(json.loads(line)["steps"]) for line in self.read("one").splitlines()}
        self.assertGreater(len(texts), 3)  # but on its place

    def test_another_seed_draws_others(self):
        self.assert_ended(self.solve("--chains-out", self.path("a")), 0)
        self.assert_ended(self.solve("--seed", "1", "--chains-out", self.path("b"), out="b.jsonl"), 0)
        self.assertNotEqual(self.read("a"), self.read("b"))

    def test_the_journal_answers_for_the_same_file_only(self):
        journal = ("--journal", self.path("j"))
        self.assertRegex(self.solve(*journal).err, CALLS)
        again = self.solve(*journal)
        self.assert_ended(again, 0)
        self.assertNotRegex(again.err, CALLS)
        other = "builtin:" + write_model(self.path("other.gguf"), seed=2)
        self.assertRegex(self.solve(*journal, model=other).err, CALLS)
        replayed = self.solve(model="transcript:" + self.path("j") + "#" + self.name_of(self.model), out="r.jsonl")
        self.assert_ended(replayed, 0)

    def name_of(self, model):
        return json.loads(rederive("models", "-M", model, "--json").out)["model"]

    def test_models_shows_facts_and_abilities(self):
        ended = rederive("models", "--model", self.model, "--json")
        self.assert_ended(ended, 0)
        shown = json.loads(ended.out)
        self.assertEqual((shown["context_length"], shown["file"]), (512, self.path("tiny.gguf")))
        self.assertEqual({name for name, can in shown["capabilities"].items() if can != "yes"},
                         {"token_grammar", "prefill_echo", "response_format", "choice", "top_k",
                          "stream"})
        self.assertRegex(shown["model"], r"^tiny@[0-9a-f]{12}$")
        self.assertIn("context: 512", rederive("models", "--model", self.model).out)

    def test_the_environment_names_the_default_file(self):
        ended = rederive("models", "-M", "builtin", "--json", env={"RDV_MODEL": self.path("tiny.gguf")})
        self.assert_ended(ended, 0)
        self.assertEqual(json.loads(ended.out)["file"], self.path("tiny.gguf"))

    def test_says_what_the_model_is(self):
        """The model of this program is small, and says so where it is used."""
        question = '{"question":"What is 12*13?"}\n'
        ended = rederive("solve", "-M", "builtin", "-n", "1", stdin=question)
        self.assertRegex(ended.err, r"is a model of 3\.3 M parameters for the tasks it was taught \(short stories")
        self.assertIn("its replies to other questions are not meaningful", ended.err)
        self.assertNotIn("parameters", rederive("solve", "-q", "-M", "builtin", "-n", "1", stdin=question).err)
        self.assertIn("3.3 M parameters", " ".join(rederive("solve", "--help").out.split()))

    def test_no_model_file(self):
        for path in (self.path("nothing.gguf"), self.write("bad.gguf", b"GGUF" + b"\xff" * 100), self.folder):
            ended = self.solve(model="builtin:" + path)
            self.assert_ended(ended, 3)
            self.assertEqual(len(ended.err.splitlines()), 1, ended.err)

    def test_budget_and_estimate(self):
        ended = self.solve("--max-calls", "2", "--jobs", "1")
        self.assert_ended(ended, 1)
        self.assertIn("the budget of calls is used up", ended.err)
        ended = self.solve("--dry-run", out="dry.jsonl")
        self.assert_ended(ended, 0)
        self.assertFalse(os.path.exists(self.path("dry.jsonl")))

    def test_a_prompt_that_does_not_fit_fails_alone(self):
        self.write("c.jsonl", lines(chain(id="long", steps=["word " * 2000]), chain(id="short", steps=["1 + 1 = 2"])))
        ended = rederive("check", "-m", "global", "-M", self.model, self.path("c.jsonl"))
        self.assert_ended(ended, 1)
        long, short = ended.records
        self.assertEqual(long["verdicts"][0]["verdict"], "unknown")
        self.assertIn("refused", long["verdicts"][0]["explanation"])
        self.assertNotIn("refused", short["verdicts"][0].get("explanation", ""))

    def test_what_it_was_not_trained_for_is_said_once(self):
        trained = "builtin:" + write_model(self.path("trained.gguf"), prompts=["generate"])
        self.assertNotIn("not trained", self.solve(model=trained).err)
        self.write("c.jsonl", lines(chain(id="a"), chain(id="b")))
        check = ("check", "-m", "global", "-M", trained, self.path("c.jsonl"))
        said = [line for line in rederive(*check).err.splitlines() if "not trained" in line]
        self.assertEqual(len(said), 1)
        self.assertIn('"global"', said[0])
        self.assertNotIn("not trained", rederive(*check, "--quiet").err)

    def test_two_models(self):
        other = "builtin:" + write_model(self.path("other.gguf"), seed=2)
        ended = rederive("solve", "-M", self.model, "--checker", other, "-n", "2", "-m", "global", "--out",
                         self.path("a.jsonl"), "--chains-out", self.path("c.jsonl"), self.path("q.jsonl"))
        self.assertIn(ended.status, (0, 1), ended.err)
        first = json.loads(self.read("c.jsonl").splitlines()[0])
        self.assertEqual((first["generator"], first["checker"]), (self.name_of(self.model), self.name_of(other)))

    def test_timeout(self):
        ended = self.solve("--timeout", "0.01", "--chains", "200")
        self.assertEqual(ended.status, 1, ended.err)
        self.assertRegex(ended.err, r"\b([1-9]\d*) failed \(\1 timed out\)")

    def test_interrupted(self):
        self.write("q.jsonl", lines(*({"question_id": f"q{i}", "question": f"{i} + {i}?"} for i in range(2000))))
        process = subprocess.Popen([PROGRAM, "solve", "-M", self.model, "-m", "none", "--stop", "none", "--out",
                                    self.path("a.jsonl"), self.path("q.jsonl")], stderr=subprocess.PIPE, text=True)
        time.sleep(1)
        process.send_signal(signal.SIGINT)
        err = process.communicate(timeout=SECONDS)[1]
        self.assertEqual(process.returncode, 130, err)
        self.assertIn("run the same command again", err)


if __name__ == "__main__":
    unittest.main()
