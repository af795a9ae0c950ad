# SPDX-License-Identifier: Apache-2.0
"""Chains that are right as a whole: solutions that people wrote and published, and models' solutions
whose answer is the gold answer. Right by answer is not right by step, so that a step called wrong here
is looked at, and is a slip of the text or a misreading of ours.

Each source yields records (`question`, `solution`, and `gold` where a model wrote it)."""

import json
import re
from fractions import Fraction

import answers_measured
from answers_measured import SHARED, reply, rows

CHAT = re.compile(r"^.*?\nassistant\n", re.S)  # the prompt before a reply of a whole chat


def math_people():
    seen = set()
    for path in ("math/data/math/test.jsonl", "math/data/math_oai/test.jsonl"):
        for row in rows(SHARED / path):
            if row["problem"] not in seen:
                seen.add(row["problem"])
                yield {"question": row["problem"], "solution": row["solution"]}


def aqua_people():
    for part in ("dev", "test"):
        for row in rows(SHARED / f"aqua/{part}.jsonl"):
            yield {"question": row["question"], "solution": row["rationale"]}


def mathqa_people():
    for part in ("dev", "test", "challenge_test"):
        for row in rows(SHARED / f"mathqa/data/MathQA/{part}.jsonl"):
            yield {"question": row["Problem"], "solution": row["Rationale"].strip('"')}


def zeroeval():
    """Replies in JSON: what stands under "reasoning" is the chain."""
    for record in answers_measured.zeroeval():
        try:
            said = json.loads(record["solution"])
            yield {**record, "solution": f"{said['reasoning']}\nThe answer is {said['answer']}."}
        except (ValueError, KeyError, TypeError):
            continue


def pool(name):
    for record in answers_measured.pool(name):
        yield {**record, "solution": CHAT.sub("", record["solution"])}


SOURCES = {
    "math-people": math_people,
    "aqua-people": aqua_people,
    "mathqa-people": mathqa_people,
    "zeroeval": zeroeval,
    "mot-cascade": answers_measured.cascade_gsm8k,
    "faithful-gsm8k": lambda: answers_measured.faithful("GSM8K"),
    "faithful-multiarith": lambda: answers_measured.faithful("MultiArith"),
    "faithful-aqua": lambda: answers_measured.faithful("AQUA"),
    "cot-uq": answers_measured.cot_uq,
    "strictprmbench-gsm8k": lambda: pool("gsm8k"),
    "strictprmbench-math": lambda: pool("math500"),
    "qwen-math": answers_measured.qwen_math,
}


def number(text):
    text = str(text).replace(",", "").strip(" $%.")
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):
        return None


def is_right(record):
    """Is the chain a person's, or its answer the gold one?"""
    if "gold" not in record:
        return True
    answer, gold = record.get("answer"), record["gold"]
    if answer is None:
        return False
    return answer.lower() == gold.lower() if number(gold) is None else number(answer) == number(gold)
