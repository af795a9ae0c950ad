#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Stepwise generation of solutions and locators that ask, against a scripted server; and the exemplars of
their prompts, against the programs."""
import json
import os
import pathlib
import re
import unittest

from scripted import Server
from support import Case, chain, lines, rederive

PROMPTS = pathlib.Path(os.environ["RDV_SOURCE"]) / "prompts/mistakes"
PROGRAMS = {"word_sorting": "sorting", "tracking_shuffled_objects": "shuffled-objects",
            "logical_deduction": "deduction", "multistep_arithmetic": "arithmetic",
            "dyck_languages": "dyck"}
QUESTION = lines({"question_id": "q", "gold": ") ]", "answer_type": "text", "question":
                  "Close the brackets that are still open, in the right order: [ ("})


def thought(number, reply):
    return {"regex": rf"Thought {number}:$", "reply": reply}


SOLUTION = [thought(1, " stack: empty"), thought(2, " [ ; stack: ["),
            thought(3, " So the answer is ) ]")]


class Thoughts(Case):
    def test_a_step_a_call(self):
        with Server(rules=SOLUTION) as server:
            ended = rederive("solve", "-M", server.url, "-g", "thoughts", "-n", "1", "-m", "none",
                             "--chains-out", self.path("chains.jsonl"), stdin=QUESTION)
            self.assert_ended(ended, 0)
            bodies = [request["body"] for request in server.requests()]
        self.assertEqual([b["messages"][-1]["content"].count("Thought") for b in bodies], [1, 2, 3])
        for body in bodies:
            self.assertEqual(body["messages"][-1]["role"], "assistant")
            self.assertEqual(body["stop"], ["\n"])
            self.assertEqual(body["temperature"], 0)
            self.assertTrue(body["continue_final_message"])
        made = json.loads(self.read("chains.jsonl"))
        self.assertEqual(made["steps"], ["stack: empty", "[ ; stack: [", "So the answer is ) ]"])
        self.assertEqual([made["answer"], ended.records[0]["correct"]], [") ]", True])
        self.assertEqual(ended.records[0]["n_calls"], 3)

    def test_servers_that_cannot_go_on_with_a_turn(self):
        with Server(rules=SOLUTION, differences=["no-prefix", "alternate"]) as server:
            ended = rederive("solve", "-M", server.url, "-g", "thoughts", "-n", "1", "-m", "none",
                             stdin=QUESTION)
            self.assert_ended(ended, 0)
            last = server.requests()[-1]["body"]["messages"][-1]
        self.assertEqual(ended.records[0]["answer"], ") ]")
        self.assertEqual(last["role"], "user")
        self.assertIn("Continue the text below", last["content"])

    def test_no_more_steps_than_allowed(self):
        with Server(rules=[{"reply": "and on"}]) as server:
            ended = rederive("solve", "-M", server.url, "-g", "thoughts", "--max-steps", "4", "-n",
                             "1", "-m", "none", stdin=QUESTION)
            self.assert_ended(ended, 0)
            self.assertEqual(len(server.asked()), 4)
        self.assertEqual([ended.records[0]["answer"], ended.records[0]["n_unparsed"]], [None, 1])

    def test_goes_on_from_the_journal(self):
        args = ("solve", "-g", "thoughts", "-n", "1", "-m", "none", "--out", self.path("a.jsonl"))
        with Server(rules=SOLUTION) as server:
            ended = rederive(*args, "-M", server.url, "--max-calls", "3", stdin=QUESTION)
            self.assertNotEqual(ended.status, 0)
            self.assertEqual(len(server.asked()), 2)
            server.forget()
            ended = rederive(*args, "-M", server.url, stdin=QUESTION)
            self.assert_ended(ended, 0)
            self.assertEqual(len(server.asked()), 1)
        self.assertEqual(json.loads(self.read("a.jsonl"))["answer"], ") ]")

    def test_zero_shot(self):
        with Server(rules=[{"contains": "Let's think step by step.",
                            "reply": "2 + 3 = 5\nSo the answer is 5."}]) as server:
            ended = rederive("solve", "-M", server.url, "-g", "zero-shot", "-n", "1", "-m", "none",
                             "--chains-out", self.path("chains.jsonl"),
                             stdin=lines({"question": "What is 2 + 3?", "gold": "5"}))
            self.assert_ended(ended, 0)
            self.assertEqual(server.requests()[0]["body"]["temperature"], 0.7)
        self.assertEqual(json.loads(self.read("chains.jsonl"))["steps"],
                         ["2 + 3 = 5", "So the answer is 5."])

    def test_estimates(self):
        ended = rederive("solve", "--dry-run", "-g", "thoughts", "-n", "1", "-m", "direct-step",
                         stdin=QUESTION)
        self.assert_ended(ended, 0)
        self.assertIn("solve/thought", ended.out)
        self.assertIn("direct-step", ended.out)


def judged(number, reply, **more):
    return {"contains": f"Is Thought {number} right?", "reply": reply, **more}


CHAIN = lines(chain(steps=["2 + 3 = 5", "5 + 5 = 11", "11 - 1 = 10", "So the answer is 10"]))


class Locators(Case):
    def locate(self, *args, rules):
        with Server(rules=rules) as server:
            ended = rederive("check", "-q", "--checker", server.url, *args, stdin=CHAIN)
            self.assert_ended(ended, 0)
            return ended.records[0], server.asked()

    def test_direct_trace(self):
        record, asked = self.locate("-m", "direct-trace", rules=[{"reply": "Thought 2"}])
        self.assertEqual([record["first_error"], record["n_calls"], len(asked)], [1, 1, 1])
        self.assertEqual([v["verdict"] for v in record["verdicts"]],
                         ["support", "contradict", "unknown", "unknown"])

    def test_direct_trace_to_the_letter(self):
        record, _ = self.locate("-m", "direct-trace", "--profile", "paper",
                                rules=[{"reply": "Thought 2"}])
        self.assertEqual([record["first_error"], record["n_unknown"], record["confidence"]],
                         ["unknown", 4, None])

    def test_direct_step(self):
        record, asked = self.locate("-m", "direct-step",
                                    rules=[judged(1, "Yes"), judged(2, "No"), judged(3, "Yes")])
        self.assertEqual([record["first_error"], record["n_calls"], len(asked)], [1, 2, 2])

    def test_unread_is_asked_again_with_a_reminder_of_the_form(self):
        """At temperature 0 the same words would have the same reply."""
        record, asked = self.locate("-m", "direct-step", rules=[
            {"contains": "with nothing else", "reply": "No"}, judged(1, "Well.")])
        self.assertEqual([record["first_error"], record["n_calls"]], [0, 2])
        self.assertEqual(asked[1], asked[0] + "\n\nReply with one of these, and with nothing else: "
                         '"Yes", "No".')
        record, asked = self.locate("-m", "direct-trace", rules=[{"reply": "Well."}])
        self.assertEqual([record["n_unknown"], len(asked)], [4, 2])
        self.assertIn('else: "No", "1" to "4".', asked[1])
        record, asked = self.locate("-m", "prm:generative-critic", rules=[{"reply": "Well."}])
        self.assertIn(r'behind it: "\boxed{-1}", "\boxed{0}" to "\boxed{3}".', asked[1])

    def test_structured(self):
        """A server that holds replies to a schema is read whatever its model says."""
        for method, n in (("direct-step", 4), ("direct-trace", 1), ("cot-step", 4), ("global", 1),
                          ("single-stage", 4), ("relevance", 4), ("prm:generative-critic", 1)):
            rules = [{"reply": "The sum is 10."}]
            with Server(rules=rules, differences=["schema"]) as server:
                ended = rederive("check", "-m", method, "--structured", "-M", server.url,
                                 *(["--samples", "1"] if method == "relevance" else []),
                                 stdin=CHAIN)
                asked = server.requests()
            self.assert_ended(ended, 0)
            record = ended.records[0]
            self.assertIsNotNone(record["confidence"], method)
            self.assertLessEqual(len(asked), n, method)
            self.assertTrue(all("response_format" in r["body"] for r in asked), method)
            self.assertIn("holds replies of one word or number to a JSON schema", ended.err)

    def test_structured_where_the_server_passes_it_over(self):
        with Server(rules=[{"reply": "Yes"}]) as server:
            ended = rederive("check", "-m", "direct-step", "--structured", "-M", server.url,
                             stdin=CHAIN)
            asked = server.requests()
        self.assert_ended(ended, 0)
        self.assertEqual(ended.records[0]["confidence"], 1)
        self.assertFalse(any("response_format" in r["body"] for r in asked))
        self.assertIn("does not hold replies to a JSON schema", ended.err)

    def test_replies_of_a_run_that_is_not_structured_do_not_answer_one_that_is(self):
        with Server(rules=[{"reply": "Yes"}], differences=["schema"]) as server:
            for args, calls in (([], 4), (["--structured"], 4), (["--structured"], 0), ([], 0)):
                server.forget()
                rederive("check", "-m", "direct-step", *args, "-M", server.url, "--journal",
                         self.path("j"), stdin=CHAIN)
                self.assertEqual(len(server.requests()), calls, args)

    def test_steps_ahead_change_nothing_in_the_record(self):
        rules = [judged(1, "Yes", delay=0.3), judged(2, "No", delay=0.2), judged(3, "No"),
                 judged(4, "No")]
        in_turn, asked = self.locate("-m", "cot-step", rules=rules)
        ahead, more = self.locate("-m", "cot-step", "--lookahead", "4", rules=rules)
        self.assertEqual(in_turn, ahead)
        self.assertEqual([len(asked), len(more)], [2, 4])

    def test_no_mistake(self):
        for method, reply in (("direct-trace", "No"), ("direct-step", "Yes"),
                              ("cot-step", "5 + 5 = 10 is what is asked. Answer: Yes")):
            record, _ = self.locate("-m", method, rules=[{"reply": reply}])
            self.assertEqual([record["first_error"], record["confidence"]], [None, 1], method)

    def test_zero_shot_asks_the_last_turn_alone(self):
        """The zero-shot baseline differs from the three-shot prompt by the examples and nothing else."""
        given = rederive("tasks", "--task", "tracking_shuffled_objects", "-n", "1", "--traces").out
        for method, reply in (("direct-trace", "2"), ("direct-step", "No"), ("cot-step", "So. Answer: No")):
            found, asked = {}, {}
            for shots in ("", "-0shot"):
                with Server(rules=[{"reply": reply}]) as server:
                    ended = rederive("check", "-m", method + shots, "-M", server.url, stdin=given)
                    asked[shots] = server.requests()[0]["body"]
                self.assert_ended(ended, 0)
                found[shots] = ended.records[0]["first_error"]
            turns = asked[""].pop("messages")
            self.assertEqual(asked["-0shot"].pop("messages"), turns[-1:], method)
            self.assertEqual(len(turns), 7)
            self.assertEqual(asked[""], asked["-0shot"], method)
            self.assertEqual(found, {shots: 1 if reply == "2" else 0 for shots in found}, method)


# ---- exemplars -------------------------------------------------------------------------------------

def turns(path):
    body = path.read_text(encoding="utf-8").split("---\n", 2)[2]
    parts = re.split(r"^## (user|assistant)\n", body, flags=re.MULTILINE)[1:]
    return list(zip(parts[::2], parts[1::2]))


def trace_of(text):
    """The record of "Q: ...", options and thoughts."""
    question, *steps = re.split(r"^Thought \d+: ", text.split("\n\n", 1)[0], flags=re.MULTILINE)
    question, _, options = question.removeprefix("Q: ").partition("\nOptions:\n")
    return {"question": question.strip(), "steps": [step.strip() for step in steps],
            "options": re.findall(r"^\(\w\) (.*)$", options, re.MULTILINE) or None}


class Exemplars(Case):
    def found_by_program(self, task, records):
        records = [{k: v for k, v in record.items() if v is not None} for record in records]
        ended = rederive("check", "-q", "-m", PROGRAMS[task], stdin=lines(*records))
        self.assert_ended(ended, 0)
        self.assertTrue(all(record["n_unknown"] == 0 or record["first_error"] is not None
                            for record in ended.records), ended.out)
        return [record["first_error"] for record in ended.records]

    def test_traces_are_right(self):
        for task in PROGRAMS:
            (_, text), _ = turns(PROMPTS / "trace" / f"{task}.md")
            records = [trace_of("Q: " + part) for part in text.split("\nQ: ")[1:4]]
            self.assertEqual(self.found_by_program(task, records), [None] * 3, task)

    def test_locations_are_right(self):
        for task in PROGRAMS:
            said = turns(PROMPTS / "direct-trace" / f"{task}.md")[:6]
            records = [trace_of(text) for _, text in said[::2]]
            wanted = [None if reply.strip() == "No" else int(reply) - 1 for _, reply in said[1::2]]
            self.assertEqual(self.found_by_program(task, records), wanted, task)
            self.assertEqual(wanted.count(None), 1)

    def test_judgements_of_steps_are_right(self):
        for method in ("direct-step", "cot-step"):
            for task in PROGRAMS:
                said = turns(PROMPTS / method / f"{task}.md")[:6]
                records = [trace_of(text) for _, text in said[::2]]
                wanted = [None if reply.strip().endswith("Yes") else len(record["steps"]) - 1
                          for record, (_, reply) in zip(records, said[1::2])]
                self.assertEqual(self.found_by_program(task, records), wanted, (method, task))


if __name__ == "__main__":
    unittest.main()
