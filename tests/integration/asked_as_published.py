# SPDX-License-Identifier: Apache-2.0
"""What a model is asked: the options of a question, and the prompts of BIG-Bench Mistake's authors, turned by tools/mistake_prompts.py."""
import json
import os
import pathlib
import subprocess
import sys
import unittest

from support import Case, chain, lines, rederive

TOOL = pathlib.Path(os.environ["RDV_SOURCE"]) / "tools/mistake_prompts.py"
SHARED = pathlib.Path(os.environ["RDV_SHARED"]) / "big-bench-mistake"
QUESTION = chain(question="Which is even?", options=["three", "four"], answer="B", gold="B",
                 steps=["4 = 2 * 2, so four is even.", "So the answer is (B)."])
# A clone as the authors published theirs, in words of our own.
FINDING = '''"""Prompts."""
import textwrap

DIRECT_TEMPLATE = (
    "Task: Put these words in order: {input}\\n{steps}\\nQ: Is"
    " there a mistake? Say No or N."
)
DIRECT_MESSAGES = (
    {"role": "user", "content": ("Find the first" " mistake.")},
    {"role": "user", "content": textwrap.dedent(
        """\\
        Task: Put these words in order: fig ash
        Thought 1: The answer is fig ash
        Q: Is there a mistake? Say No or N.""")},
    {"role": "assistant", "content": "1"},
)
DIRECT_PERSTEP_TEMPLATE = "Task: Put these words in order: {input}\\n{steps}\\n\\nIs Thought {current_step} correct?"
DIRECT_PERSTEP_MESSAGES = ({"role": "user", "content": "Judge."},)
COT_TEMPLATE = "Task: Put these words in order: {input}\\n{steps}\\nQ: Is there a mistake? Show your reasoning."
COT_MESSAGES = ({"role": "user", "content": "Judge in writing."},)
'''
GENERATING = """Put words in order.

Q: Put these words in order: List: fig ash
Thought 1: The answer is ash fig

Q: Put these words in order: List: oak elm
Thought 1: The answer is elm oak"""
TRACE = {"input": "fig elm ash", "target": "ash elm fig", "answer": "ash fig elm", "mistake_index": 1,
         "steps": ["I look at the first letters.", "The answer is ash fig elm"]}


class Asked(Case):
    def asked(self, *command, given):
        """The messages of all requests of the first round."""
        for old in pathlib.Path(self.folder).glob("requests*"):
            old.unlink()
        ended = rederive(*command, "-q", "-M", "openai:model", "--batch-out", self.path("requests.jsonl"), "--journal",
                         self.path("requests.journal"), stdin=given, cwd=self.folder)
        self.assert_ended(ended, 6)
        text = self.read("requests-001.jsonl")
        return [json.loads(line)["body"]["messages"] for line in text.splitlines()]

    def test_options_in_the_robust_profile(self):
        shown = "Options:\n(A) three\n(B) four\n"
        for method in ("selfcheck", "global", "single-stage", "error-check", "error-check-1shot"):
            with self.subTest(method=method):
                robust = self.asked("check", "-m", method, given=lines(QUESTION))
                paper = self.asked("check", "-m", method, "--profile", "paper", given=lines(QUESTION))
                self.assertEqual(len(robust), len(paper))
                without = [m for messages in robust for m in messages if shown not in m["content"]]
                # only the variables are asked for without them
                self.assertTrue(all("Are there variables" in m["content"] for m in without), without)
                self.assertFalse([m for messages in paper for m in messages if "(A) three" in m["content"]])

    def clone(self):
        folder = pathlib.Path(self.folder) / "clone"
        (folder / "mistake_finding_prompts").mkdir(parents=True)
        (folder / "generation_prompts").mkdir()
        (folder / "mistake_finding_prompts/word_sorting_prompts.py").write_text(FINDING)
        (folder / "generation_prompts/word_sorting_prompt.txt").write_text(GENERATING)
        return folder

    def turned(self, clone, out="authors"):
        done = subprocess.run([sys.executable, TOOL, clone, self.path(out)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_authors_prompts(self):
        self.assertIn("4 prompts", self.turned(self.clone()))
        steps = "Thought 1: I look at the first letters.\nThought 2: The answer is ash fig elm\n"
        ours = ["--prompt-dir", "authors/prompts"]
        [messages] = self.asked("check", "-m", "direct-trace", *ours, given=lines(TRACE))
        self.assertEqual([m["role"] for m in messages], ["user", "user", "assistant", "user"])
        self.assertEqual(messages[0]["content"], "Find the first mistake.")
        self.assertEqual(messages[1]["content"].splitlines()[0], "Task: Put these words in order: fig ash")
        self.assertEqual(messages[3]["content"],
                         "Task: Put these words in order: fig elm ash\n" + steps + "Q: Is there a mistake? Say No or N.")
        [messages] = self.asked("check", "-m", "direct-step", *ours, given=lines(TRACE))
        self.assertEqual(messages[1]["content"], "Task: Put these words in order: fig elm ash\nThought 1: I look at the "
                         "first letters.\n\nIs Thought 1 correct?")
        [messages] = self.asked("check", "-m", "cot-trace", "--method-dir", "authors/methods", given=lines(TRACE))
        self.assertEqual(messages[1]["content"],
                         "Task: Put these words in order: fig elm ash\n" + steps + "Q: Is there a mistake? Show your reasoning.")
        messages = self.asked("solve", "-g", "thoughts", "-m", "none", *ours, given=lines(TRACE))[0]
        self.assertTrue(messages[0]["content"].startswith(GENERATING + "\n\nQ: Put these words in order: List: fig elm ash\n"))

    def test_a_folder_without_prompts(self):
        os.mkdir(self.path("empty"))
        done = subprocess.run([sys.executable, TOOL, self.path("empty"), self.path("out")], capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no mistake_finding_prompts", done.stderr)

    @unittest.skipUnless((SHARED / "mistake_finding_prompts.json").is_file(), "no recorded prompts: RDV_SHARED has no big-bench-mistake")
    def test_every_prompt_of_the_authors(self):
        """Word for word, but for a line that begins as the prompt's last one does, which is quoted."""
        self.assertIn("21 prompts", self.turned(SHARED))
        published = json.loads((SHARED / "mistake_finding_prompts.json").read_text())
        methods = {"DIRECT": "direct-trace", "DIRECT_PERSTEP": "direct-step", "COT_PERSTEP": "cot-step", "COT": "cot-trace"}
        n = 0
        for task, prompts in published.items():
            record = json.loads((SHARED / f"{task}.jsonl").read_text().split("\n", 1)[0])
            for name, method in methods.items():
                if name + "_TEMPLATE" not in prompts:
                    continue
                shown = record["steps"] if name in ("DIRECT", "COT") else record["steps"][:1]
                steps = "\n".join(f"Thought {i}: {step}" for i, step in enumerate(shown, 1))
                wanted = prompts[name + "_MESSAGES"] + [{"role": "user", "content": prompts[name + "_TEMPLATE"].format(
                    input=record["input"], steps=steps, current_step=1)}]
                folder = ["--method-dir", "authors/methods"] if name == "COT" else ["--prompt-dir", "authors/prompts"]
                for profile in ("robust", "paper"):
                    with self.subTest(task=task, method=method, profile=profile):
                        [messages] = self.asked("check", "-m", method, "--profile", profile, *folder, given=lines(record))
                        self.assertEqual([m["role"] for m in messages], [m["role"] for m in wanted])
                        for ours, theirs in zip(messages, wanted):
                            self.assertEqual(ours["content"].replace("\n> Q: Given", "\nQ: Given"), theirs["content"])
                n += 1
        self.assertEqual(n, 16)


if __name__ == "__main__":
    unittest.main()
