# SPDX-License-Identifier: Apache-2.0
"""The type of question in SelfCheck's prompts: by the option, the data set, the question's form, else "math"."""
import re
import unittest

from scripted import SELFCHECK, SOLVE, Server
from support import Case, chain, lines, rederive

TASKS = {"word_sorting": "word sorting", "tracking_shuffled_objects": "shuffled-object tracking",
         "logical_deduction": "logical deduction", "multistep_arithmetic": "math", "dyck_languages": "bracket matching",
         "coin_flip": "coin flip", "last_letters": "last letter concatenation"}
STATED = re.compile(r"(?:This is|solution to|solutions to|solving) an? (.+?) (?:question|problem)")


class QuestionType(Case):
    def types(self, given, *args, command="check", method="selfcheck"):
        """The types that the prompts of a run state, and how many prompts state one."""
        with Server(rules=SOLVE if command == "solve" else SELFCHECK) as server:
            ended = rederive(command, "-m", method, "-M", server.url, "-q", *args, stdin=given)
            self.assert_ended(ended, 0)
            texts = [message["content"] for request in server.requests()
                     for message in request["body"].get("messages", [])]
        stated = [match[1] for text in texts for match in [STATED.search(text)] if match]
        self.assertTrue(stated)
        return set(stated)

    def test_each_task_by_its_form(self):
        for task, kind in TASKS.items():
            given = rederive("tasks", "-t", task, "-n", "2", "--traces").out
            self.assertEqual(self.types(given), {kind}, task)

    def test_everything_else_is_mathematical(self):
        for more in ({}, {"answer_type": "yesno", "gold": "no"}, {"options": ["none of these", "5 km"], "gold": "B"},
                     {"dataset": "gsm8k"}, {"dataset": "mine", "task": 7}):
            self.assertEqual(self.types(lines(chain(**more))), {"math"}, more)

    def test_the_data_set_decides(self):
        for more, kind in (({"dataset": "StrategyQA"}, "commonsense"), ({"task": "date_understanding"}, "date understanding"),
                           ({"dataset": "Coin-Flip"}, "coin flip"), ({"dataset": "strategyqa2"}, "math")):
            self.assertEqual(self.types(lines(chain(**more))), {kind}, more)
        published = lines({"qid": "1", "question": "Did Aristotle use a laptop?", "answer": False})
        self.assertEqual(self.types(published, "-n", "2", "--stop", "none", command="solve"), {"commonsense"})

    def test_the_option_decides_before_all(self):
        given = lines(chain(dataset="StrategyQA"))
        self.assertEqual(self.types(given, "--question-type", "physics"), {"physics"})

    def test_an_option_without_effect(self):
        for command in (["check", "-m", "calculations"], ["check", "-m", "direct-step", "-M", "builtin"],
                        ["solve", "-m", "none", "-M", "builtin"], ["repair", "-l", "gold", "-M", "builtin"]):
            ended = rederive(*command, "--question-type", "physics", stdin=lines(chain()))
            self.assert_ended(ended, 2)
            self.assertIn("--question-type has no effect", ended.err)
        for text in ("", "x" * 61, "two\nlines"):
            ended = rederive("check", "-m", "selfcheck", "-M", "builtin", "--question-type", text, stdin=lines(chain()))
            self.assert_ended(ended, 2)
            self.assertIn("takes one line", ended.err)

    def test_the_built_in_model_is_asked_what_it_was_taught(self):
        given = rederive("tasks", "-t", "coin_flip", "-n", "1", "--traces").out
        rederive("check", "-m", "selfcheck", "-M", "builtin", "--journal", self.path("j"), "-q", stdin=given)
        texts = [row["request"]["messages"][0]["content"] for row in rederive("journal", "export", self.path("j")).records]
        self.assertEqual({m[1] for text in texts for m in [STATED.search(text)] if m}, {"math"})


if __name__ == "__main__":
    unittest.main()
