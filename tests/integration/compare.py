# SPDX-License-Identifier: Apache-2.0
"""tools/compare.py on two programs: the one that was built, and one that says something else."""
import json
import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from support import PROGRAM

COMPARE = Path(__file__).resolve().parents[2] / "tools/compare.py"
CHAINS = [{"question": "How many pens?", "steps": ["2 + 3 = 5", "5 + 4 = 8", "So there are 8 pens."], "id": "a"},
          {"question": "How many jars?", "steps": ["7 * 6 = 42", "42 / 4 = 10.5"], "id": "b"}]
REPLIES = [{"uuid": "1", "question": "How many pens?", "model_output_steps": ["2 + 3 = 5", "5 + 4 = 8"], "ground_truth_answer": "9",
            "m_eval_output": {"response": "Step 2 adds wrongly.\nFinal Judgement: wrong\nFirst Error Step: 2", "error_step_pred": "2"}}]
SAYS_NO_WRONG = "s/\"verdict\": *\"contradict\"/\"verdict\":\"unknown\"/g"


class Compare(unittest.TestCase):
    def setUp(self):
        made = tempfile.TemporaryDirectory()
        self.addCleanup(made.cleanup)
        self.folder = Path(made.name)
        self.write("mathcheck/gsm.jsonl", CHAINS)
        self.write("mr-gsm8k/eval_results/gpt4-grading/m.jsonl", REPLIES)

    def write(self, name, rows):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(json.dumps(row) + "\n" for row in rows))

    def other(self, script):
        """The program, with what it writes changed by sed."""
        path = self.folder / "other"
        path.write_text(f"#!/bin/bash\nset -o pipefail\n\"{PROGRAM}\" \"$@\" | sed '{script}'\n")
        path.chmod(0o755)
        return path

    def compare(self, new, *options):
        """(exit status, output)"""
        done = subprocess.run([sys.executable, str(COMPARE), PROGRAM, str(new), *options], capture_output=True, text=True,
                              env={**os.environ, "RDV_SHARED": str(self.folder)}, check=False)
        self.assertNotIn("Traceback", done.stderr)
        return done.returncode, done.stdout

    def differs(self, script, options, *kinds):
        """Each kind is counted and shown; the status is 0, and 1 only where none is expected."""
        new = self.other(script)
        status, said = self.compare(new, *options)
        self.assertEqual(status, 0, said)
        for kind in kinds:
            self.assertIn(kind, said)
        self.assertEqual(self.compare(new, *options, "--expect", "none")[0], 1)
        return said

    def test_a_program_and_itself(self):
        for options in (("--source", "mathcheck"), ("--source", "recorded"), ("--source", "MR-GSM8K"), ("--method", "examples")):
            status, said = self.compare(PROGRAM, "--expect", "none", *options)
            self.assertEqual(status, 0, said)
            self.assertRegex(said, r"compared: .*[1-9]\d* \w+; 0 differences at hand, 0 kept aside", options)

    def test_nothing_compared_is_no_success(self):
        status, said = self.compare(PROGRAM, "--expect", "none", "--source", "prm800k")
        self.assertEqual(status, 1, said)
        self.assertIn("not compared, there is no such data: calculations prm800k", said)

    def test_verdicts(self):
        said = self.differs(SAYS_NO_WRONG, ("--source", "mathcheck"), "## calculations: contradict -> unknown", "5 + 4 = 8")
        self.assertRegex(said, r"calculations +mathcheck +contradict -> unknown +1 +0\n")
        self.assertRegex(said, r"\ncontradict +0 +0 +1 +0 +0\n")

    def test_words_and_members(self):
        self.differs("s/\"explanation\": *\"/&Really, /g", ("--source", "mathcheck"), "## calculations: same verdict, other words")
        self.differs("s/\"outcome\":/\"rule\":\"sum\",&/g", ("--source", "mathcheck"), "same verdict, only in one: rule")
        self.differs("s/\"confidence\": *[^,}]*/\"confidence\":0.125/g", ("--source", "mathcheck"), "## calculations: confidence")
        said = self.differs("s/\"first_error\":/\"age\":7,&/g", ("--source", "mathcheck"), "member age, in new alone")
        self.assertIn("2 records", said)

    def test_grades(self):
        self.differs("s/\"correct\": *false/\"correct\":true/g", ("--source", "MR-GSM8K"), "## grade: grade false -> true")

    def test_replies(self):
        self.differs("s/\"first_error\": *1/\"first_error\":0/g", ("--source", "recorded"), "## readers: location 1 -> 0", "Step 2 adds wrongly")

    def test_examples(self):
        self.differs("s/calculations/sums/g", ("--method", "examples"), "## examples: output")

    def test_a_program_that_fails(self):
        broken = self.folder / "broken"
        broken.write_text(f"#!/bin/bash\n[ -t 0 ] || case \"$*\" in *.jsonl) exit 9;; esac\nexec \"{PROGRAM}\" \"$@\"\n")
        broken.chmod(0o755)
        status, said = self.compare(broken, "--source", "mathcheck", "--expect", "none")
        self.assertEqual(status, 1, said)
        self.assertIn("cannot be compared", said)
        self.assertEqual(self.compare("/bin/false", "--source", "mathcheck")[0], 2)


if __name__ == "__main__":
    unittest.main()
