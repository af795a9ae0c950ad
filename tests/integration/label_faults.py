# SPDX-License-Identifier: Apache-2.0
"""check --as-labels, for every method that asks a model: a reply that did not come, came in part, or says nothing makes no label.

Each method checks a right and a wrong solution with replies that decide everything. The run is then replayed from its
journal for copies of the solution, with the replies to another question spoilt for each copy."""
import json
import os
import re
import unittest

from golden_methods import FORMS, PROGRAMS, RULES, methods
from scripted import Server
from support import Case, lines, rederive

WRONG = 1  # the step that is called wrong
STEPS = ["3 boxes of 4 pens are 3 * 4 = 12 pens.", "So there are 3 * 4 = %d pens.", "With 3 * 4 = 12 pens the rest is 7.",
         "As 3 * 4 = 12, the answer is 7."]
SOLUTION = {"question": "Three boxes hold 4 pens each, and 5 are given away. How many pens are left?", "gold": "7", "answer": "7"}
POOLED = {**RULES[0]["body"], "data": [{"index": 0, "data": [[0.1, 0.9]] * len(STEPS)}]}
EMBEDDED = {**RULES[1]["body"], "data": [{"index": i, "embedding": [2]} for i in range(len(STEPS))]}
DECIDED = [{"path": "/pooling", "status": 200, "body": POOLED}, {"path": "/v1/embeddings", "status": 200, "body": EMBEDDED},
           *({"regex": end, "reply": replies[0]} for end, replies in FORMS)]
PREPARING = {"variables", "target", "collect", "regenerate"}  # stages without a verdict
WITHOUT_LABELS = {"calculations", "values", "global", "rubric", "perplexity"}  # they do not decide each step


def with_response(row, **members):
    return {**row, "response": {**row["response"], **members}}


def said(row):
    return row["response"].get("content", "")


# A reply of one token ends there, and numbers have no end, so cutting off leaves nothing of them.
NUMBERS = {"rewards": [], "logprobs": []}
FAULTS = {"missing": lambda row: None,
          "cut off": lambda row: with_response(row, content=said(row)[:len(said(row)) // 2], finish_reason="length", **NUMBERS),
          "refused": lambda row: with_response(row, finish_reason="other", native_finish_reason="content_filter"),
          "empty": lambda row: with_response(row, content=" ", **NUMBERS),
          "meaningless": lambda row: with_response(row, content="That depends on it.", rewards=[None] * len(STEPS),
                                                   logprobs=[["That", -0.1, ["It", -2.5]]])}


def may_do_without(method, profile, stage):
    """Perplexity is a weight, and says of no step that it is right or wrong. In the robust profile steps are derived again
    without definitions of variables where those are unknown; what is derived is compared all the same."""
    return stage == "perplexity" or (method, profile, stage) == ("selfcheck", "robust", "selfcheck/variables")


def step_of(row):
    """None: the question is about the whole solution."""
    found = re.search(r"step (\d+)", row["sample_id"])
    return int(found[1]) if found else None


def question_of(row):
    """All samples and tries of a stage at a step are one question."""
    return row["stage"], step_of(row)


def finding_a_mistake(row):
    """The row, saying that step WRONG is wrong if it is about that."""
    if row["response"].get("rewards"):
        rewards = list(row["response"]["rewards"])
        rewards[WRONG] = 0.01
        return with_response(row, rewards=rewards)
    if row["stage"].split("/")[-1] in PREPARING or step_of(row) not in (None, WRONG):
        return row
    asked = row["request"]["messages"][-1]["content"] if "messages" in row["request"] else ""
    reply = next(replies for end, replies in FORMS if re.search(end, asked))[1]
    return with_response(row, content=reply, logprobs=[[reply, -0.1, ["+", -2.5]]])


class Faults(Case):
    def check(self, method, profile, model, records, *args):
        ended = rederive("check", "-m", method, "--as-labels", "-q", "--profile", profile, "-M", model, *args, stdin=lines(*records))
        self.assertIn(ended.status, (0, 1), ended.err)
        return {r["id"]: r.get("label", "none") for r in ended.records}

    def rows(self, server, method, profile, records):
        """What was asked of the server, with its replies. Without its checksum a row may be changed."""
        journal = self.path("replies.journal")
        if os.path.exists(journal):
            os.remove(journal)
        self.check(method, profile, server.url, records, "--journal", journal)
        return [{k: v for k, v in row.items() if k != "sha256"} for row in rederive("journal", "export", journal).records]

    def one(self, server, method, profile, wrong):
        solution = {**SOLUTION, "steps": [s.replace("%d", "13" if wrong else "12") for s in STEPS]}
        questions = sorted({question_of(r) for r in self.rows(server, method, profile, [{**solution, "id": "c"}])}, key=str)
        copies = [{**solution, "id": f"c{i}"} for i in range(len(questions) + 2)]  # nothing is spoilt for the last two
        copies[-1]["incomplete_reason"] = "length"
        rows = self.rows(server, method, profile, copies)
        rows = [finding_a_mistake(row) for row in rows] if wrong else rows
        right = WRONG if wrong else None
        for name, spoil in FAULTS.items():
            kept = (spoil(row) if f"c{questions.index(question_of(row))}," in row["sample_id"] else row for row in rows)
            path = self.write("replies.jsonl", lines(*(row for row in kept if row)))
            labels = self.check(method, profile, "transcript:" + path, copies)
            self.assertEqual(labels[copies[-2]["id"]], right, f"{method}, {profile}")
            self.assertEqual(labels[copies[-1]["id"]], right if wrong else "none", "the solution itself was cut off")
            for copy, (stage, step) in zip(copies, questions):
                after = wrong and step is not None and step > WRONG
                allowed = {right} if after or may_do_without(method, profile, stage) else {"none"}
                if wrong and method == "general" and step == WRONG:
                    allowed = {WRONG, "none"}  # its other verifiers contradict the step too
                if (method, profile, name) == ("prm:chat-plus-minus", "paper", "meaningless") and not after:
                    allowed = {step}  # ProcessBench's rule: a token other than + says that the step is wrong
                with self.subTest(method=method, profile=profile, wrong=wrong, fault=name, stage=stage, step=step):
                    self.assertIn(labels[copy["id"]], allowed)

    def test_every_question_of_every_method(self):
        asked = [m for m in methods() if m not in PROGRAMS and m not in WITHOUT_LABELS]
        self.assertGreaterEqual(len(asked), 15)
        with Server(rules=DECIDED, differences=["schema"]) as server:
            for method in asked:
                for profile in ("robust", "paper"):
                    for wrong in (False, True):
                        self.one(server, method, profile, wrong)

    def test_a_solution_that_was_cut_off_is_not_free_of_mistakes(self):
        """What a program has read of it is right; the rest is not there."""
        for method, task in PROGRAMS.items():
            traces = [{k: v for k, v in r.items() if k != "label"} for r in rederive("tasks", "-t", task, "-n", "5", "--mistakes", "0").records]
            for cut_off, label in (({}, None), ({"incomplete_reason": "length"}, "none")):
                ended = rederive("check", "-m", method, "--as-labels", "-q", stdin=lines(*({**t, **cut_off} for t in traces)))
                self.assertEqual({r.get("label", "none") for r in ended.records}, {label}, method)


if __name__ == "__main__":
    unittest.main()
