# SPDX-License-Identifier: Apache-2.0
"""What every method makes of scripted replies, record by record, and what it asks, key by key.

The server's reply to a question is drawn from a list by a hash of the question, so that every run
has the same replies, right, wrong, unreadable, cut off and failed ones, in whatever order calls are
made. The records and the journal's keys are compared with tests/golden/methods.jsonl, which a
change of the engine must leave as it is. What has to differ is written anew and declared:

    RDV_SOURCE=. RDV_PROGRAM=build/cli/rederive python3 tests/integration/golden_methods.py --write
"""
import contextlib
import json
import os
import pathlib
import sqlite3
import sys
import unittest

from scripted import Server
from support import Case, lines, rederive

RUBRIC = os.path.join(os.environ["RDV_SOURCE"], "examples/rubric.txt")
GOLDEN = pathlib.Path(os.environ["RDV_SOURCE"]) / "tests/golden/methods.jsonl"
LISTED = '\n{[{"lhs": "3 * 4", "op": "=", "rhs": "%s"}]}\n```'
CHAINS = lines(
    {"id": "pens", "question": "Three boxes hold 4 pens each, and 5 are given away. How many pens are left?",
     "kind": "number", "gold": "7", "answer": "7", "label": None,
     "steps": ["3 boxes of 4 pens are 3 * 4 = 12 pens.", "5 are given away: 12 - 5 = 7.", "So the answer is 7."]},
    {"id": "tram", "question": "A tram leaves at 9 and needs 2 hours. Is it there by 10?",
     "kind": "yesno", "gold": "no", "answer": "yes", "label": 1,
     "steps": ["It leaves at 9.", "9 + 2 = 10, so it arrives at 10.", "So the answer is yes."]})
QUESTIONS = lines(
    {"question_id": "pens", "question": "Three boxes hold 4 pens each. How many pens?", "gold": "12"},
    {"question_id": "sum", "question": "What is 2 + 3?", "gold": "5"})

# By what a question ends with: right and wrong replies in the form that it asks for.
FORMS = [
    ("Solution 2. Pay special", ["Solution 1 supports the conclusion in Solution 2.",
                                 "Solution 1 contradicts the conclusion in Solution 2.",
                                 "Solution 1 is not directly related to the conclusion in Solution 2."]),
    ("directly follow from", ["Step 0, Information 0", "Information 0, Information 1", "Step 0 and Step 1"]),
    ("single sentence", ["To compute the number of pens.", "To add the hours."]),
    ("achieve the target", ["3 * 4 = 12, so there are 12 pens.", "9 + 2 = 11, so it arrives at 11."]),
    ("is defined as", ["1. x is defined as the number of pens.", "There are no variables."]),
    ("Not Sure", ["The step is right.\nCorrect", "9 + 2 is 11.\nWrong", "It cannot be told.\nNot Sure"]),
    ("yes. or .no", ["It follows.\nYes", "9 + 2 is 11, so no.\nNo"]),
    ("evaluation of the draft step", ["Yes, the step is relevant.", "No, the step is not relevant."]),
    ("```json$", [LISTED % "12", LISTED % "13", "\n{[]}\n```"]),
    ("Last Step is$", [" consistent with the Previous Steps.", " contradictory to the Previous Steps."]),
    ("boxed", ["All is right.\n\\boxed{-1}", "The second paragraph is wrong.\n\\boxed{1}"]),
    ("first thought with a mistake", ["No", "2", "3"]),
    ("Answer .Yes. or .No.|Answer: No", ["Yes", "No", "It is right. Answer: Yes", "9 + 2 is 11. Answer: No"]),
    ("Step (\\d+):$", [" 3 * 4 = 12.", " 2 + 3 = 6.", " So the answer is 12.", " So the answer is 5."]),
    ("Thought (\\d+):$", [" 3 * 4 = 12.", " 2 + 3 = 6.", " So the answer is 12.", " So the answer is no."]),
    ("So the answer is \\.\\.\\.|step by step", [
        "Step 1: 3 * 4 = 12.\nStep 2: So the answer is 12.", "Step 1: 2 + 3 = 6.\nStep 2: So the answer is 6.",
        "2 + 3 = 5.\nSo the answer is 5."]),
    ("", ["+", "-"])]
OTHERS = [{"reply": reply} for reply in ("Well, I am not sure what you mean.", "", "Is it right? No.", "Yes")]
FAULTS = [{"status": 400, "body": {"error": {"message": "refused by a filter"}}}, {"reply": "Yes", "do": "length"},
          {"reply": "Yes", "do": "refusal"}, {"reply": "Yes", "do": "null-content"}]
REWARDS = {"usage": {"prompt_tokens": 40, "total_tokens": 40}}
POOLED = REWARDS | {"data": [{"index": 0, "data": [[0.1, 0.9], [0.8, 0.2], [0.4, 0.6]]}]}
EMBEDDED = REWARDS | {"data": [{"index": i, "embedding": [value]} for i, value in enumerate((2, -1, 0.5))]}
RULES = [{"path": "/pooling", "status": 200, "body": POOLED},
         {"path": "/v1/embeddings", "status": 200, "body": EMBEDDED}]


def world(more):
    """Each question has four replies in its form to one of the others."""
    pools = [(end, [{"reply": reply} for reply in replies]) for end, replies in FORMS]
    return RULES + [{"regex": end, "pool": (len(more) * 4 // len(pool)) * pool + more} for end, pool in pools]


WORLDS = {"mixed": world(OTHERS + FAULTS), "whole": world(OTHERS[:1])}


PROGRAMS = {"dyck": "dyck_languages", "sorting": "word_sorting", "arithmetic": "multistep_arithmetic",
            "shuffled-objects": "tracking_shuffled_objects", "deduction": "logical_deduction"}


# A server that holds replies to a schema is asked to by default; the other cases ask for free text.
CONCLUDING = ("selfcheck", "single-stage", "relevance", "direct-step", "direct-trace-0shot", "prm:generative-critic")


def methods():
    return [line.split()[0] for line in rederive("methods").out.splitlines() if line.strip()]


def cases():
    """Name, world, input, command."""
    for method, task in PROGRAMS.items():
        traces = rederive("tasks", "--task", task, "-n", "3", "--mistakes", "0.5").out
        yield f"{method}, traces", "whole", traces, ["check", "-m", method]
    for method in methods():
        offered = ["check", "-m", method, "--samples", "2", *(["--rubric", RUBRIC] if method == "rubric" else [])]
        check = offered + ["--no-structured"]
        yield f"{method}", "mixed", CHAINS, check
        yield f"{method}, whole replies", "whole", CHAINS, check
        yield f"{method}, paper", "mixed", CHAINS, check + ["--profile", "paper"]
        yield f"{method}, first steps", "whole", CHAINS, check + ["--first-steps", "2", "--seed", "7"]
        yield f"{method}, structured", "whole", CHAINS, offered + ["--structured"]
        if method in CONCLUDING:
            yield f"{method}, offered", "whole", CHAINS, offered
    free = ["--no-structured"]
    yield "several", "mixed", CHAINS, ["check", "-m", "calculations,selfcheck,global,general,direct-step"] + free
    for generate in ("steps", "thoughts", "zero-shot"):
        solve = ["solve", "-g", generate, "-n", "3", "--max-steps", "4", "--temperature", "1"] + free
        for method in ("none", "calculations", "selfcheck"):
            yield f"solve {generate}, {method}", "whole", QUESTIONS, solve + ["-m", method]
        yield f"solve {generate}, mixed", "mixed", QUESTIONS, solve + ["-m", "relevance", "--stop", "none"]
    for method in ("calculations", "general", "direct-step"):
        yield f"search, {method}", "whole", QUESTIONS, [
            "solve", *free, "--beam-search", "--beam-width", "2", "--expansions", "2", "--max-steps", "3", "-m", method]
    for locator in ("gold", "calculations", "direct-trace", "selfcheck", "random"):
        for world in WORLDS:
            yield f"repair {locator}, {world}", world, CHAINS, [
                "repair", *free, "-l", locator, "--resamples", "2", "--max-steps", "5", "--rounds",
                "1" if locator in ("gold", "random") else "2"]


def run(servers, folder, world, given, command):
    """What came out, and what stands in the journal, which is read without the program: half as many processes."""
    out, journal = os.path.join(folder, "out.jsonl"), os.path.join(folder, "journal")
    for path in (out, journal, out + ".partial"):
        pathlib.Path(path).unlink(missing_ok=True)
    ended = rederive(*command, "-q", "-M", servers[world].url, "--retries", "0", "--journal", journal, "-o", out,
                     stdin=given)
    records = pathlib.Path(out).read_text().splitlines() if ended.status in (0, 1) else []
    asked = []
    if os.path.exists(journal):
        with contextlib.closing(sqlite3.connect(journal)) as rows:
            asked = sorted([sample, stage, key.hex()] for sample, stage, key in
                           rows.execute("SELECT sample_id, stage, key FROM responses"))
    return {"status": ended.status, "records": [json.loads(r) for r in records], "asked": asked}


def all_of(folder):
    servers = {name: Server(rules=rules, differences=["schema"]) for name, rules in WORLDS.items()}
    for server in servers.values():
        server.__enter__()
    try:
        for name, *case in cases():
            yield {"case": name} | run(servers, folder, *case)
    finally:
        for server in servers.values():
            server.__exit__()


class Golden(Case):
    maxDiff = 4000

    def test_methods(self):
        golden = {line["case"]: line for line in map(json.loads, GOLDEN.read_text().splitlines())}
        for line in all_of(self.folder):
            with self.subTest(line["case"]):
                self.assertIn(line["case"], golden, "it has no golden records: run this file with --write, look at "
                              "what it added to tests/golden/methods.jsonl, and commit that")
                self.assertEqual(line, golden.pop(line["case"]))
        self.assertEqual(sorted(golden), [], "nothing has made these golden records")


def write():
    case = Golden("test_methods")
    case.setUp()
    GOLDEN.write_text("".join(json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
                              for line in all_of(case.folder)))
    case.doCleanups()


if __name__ == "__main__":
    write() if sys.argv[1:] == ["--write"] else unittest.main()
