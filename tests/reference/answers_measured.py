#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Answers read from real replies, by source: the table of docs/measured/answers-read.md.

    answers_measured.py                         the part that may be looked at
    answers_measured.py --unseen                the third that is kept aside
    answers_measured.py --before PROGRAM        a second program beside ours, for what changed
    answers_measured.py --changed N             list N replies a source that the two read differently

A question is kept aside when sha256 of its text, modulo 3, is 2: whoever works on the readers looks only
at the others. Each reply is one record with its text as `solution`; the program reads it (`vote
--answer-source read`). "Right" is by the gold answer. Exits 77 where RDV_SHARED has no such data."""

import argparse
import gzip
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

import dataset_replies

PROJECT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("RDV_SHARED") or PROJECT.parent / "shared/data")
PROGRAM = os.environ.get("RDV_PROGRAM", "rederive")
SAMPLES = 4  # of the replies that a sampled source has for each question


def rows(path):
    for name in (path, path.with_name(path.name + ".gz")):
        if name.exists():
            with (gzip.open if name.suffix == ".gz" else open)(name, "rt", encoding="utf-8") as file:
                yield from (json.loads(line) for line in file if line.strip())
            return


def kept_aside(question):
    return int(hashlib.sha256(question.encode()).hexdigest(), 16) % 3 == 2


def marked(answer):
    return answer.rpartition("####")[2].strip()


def reply(question, text, gold, kind=None, options=None):
    record = {"question": question, "solution": text, "gold": str(gold), "answer_type": kind, "options": options}
    return {name: value for name, value in record.items() if value is not None}


def cascade_gsm8k():
    for name in ("gsm_cot1", "gsm_cot2"):
        for row in rows(SHARED / f"llm-mot-cascade/GPT4_result/{name}.jsonl"):
            yield from (reply(row["question"], text, row["answer"]) for text in row["generated"][:SAMPLES])


def cascade_dates():
    for name in ("GPT3_result/date_cot1", "llama2_13B_result/date_cot1"):
        for row in rows(SHARED / f"llm-mot-cascade/{name}.jsonl"):
            gold = row["answer"]
            if not isinstance(gold, str):
                gold = next(date for date, right in gold.items() if right)
            yield from (reply(row["question"], text, gold) for text in row["generated"][:SAMPLES])


def faithful(task):
    asked = {row["id"]: row for row in rows(SHARED / f"faithful-cot/data/{task}/test.jsonl")}
    for folder in sorted((SHARED / f"faithful-cot/output_dir/{task}/test").glob("*_COT")):
        for row in rows(folder / "predictions.jsonl"):
            question = asked[row["id"]]
            options = [o.partition(")")[2] for o in question["options"]] if "options" in question else None
            yield reply(question["question"], row["completion"], marked(question["answer"]), options=options)


def zeroeval():
    for path in sorted((SHARED / "zeroeval/result_dirs/gsm").glob("*.jsonl.gz")):
        for row in rows(path):
            yield reply(row["question"], row["output"][0], row["answer"].lstrip("# "))


def rereading():
    for path in sorted((SHARED / "rereading/results").glob("*.jsonl.gz")):
        for row in rows(path):
            for way in ("vanilla", "cot"):
                if (row.get(way) or {}).get("generation"):
                    yield reply(row["input"], row[way]["generation"][0], row["target"])


def zero_shot(name, file, kind):
    for chain, _ in dataset_replies.log_chains(file, kind):
        yield reply(chain["question"], "\n".join(chain["steps"]), chain["gold"], kind, chain.get("options"))


def pool(name):
    gold = {row["problem"]: row["answer"] for row in rows(SHARED / "math/data/math_oai/test.jsonl")}
    for row in rows(SHARED / f"strictprmbench/pools/bon_candidates/{name}_full_500.jsonl"):
        for candidate in row["candidates"][:SAMPLES]:
            problem = candidate["problem"]
            right = problem["ground_truth"] if name == "gsm8k" else gold.get(problem["question"])
            if right is not None:
                yield reply(problem["question"], candidate["raw_text"], right,
                            None if name == "gsm8k" else "latex")


def cot_uq():
    for run in range(5):
        path = SHARED / f"cot-uq-hirt/Results_Analysis/Data/CoT/raw/run_{run}/llama3-1_8B/gsm8k/output_v1_w_labels.jsonl"
        for row in rows(path):
            gold = row["correct answer"]
            yield reply(row["question"], row["llm response"], int(gold) if gold == int(gold) else gold)


def autorace():
    for name in ("gsm8k", "strategyqa", "cosmos"):
        for row in rows(SHARED / f"autorace/autorace/data/eval_model/{name}.jsonl"):
            yield reply(row["question"], row["reasoning_chain"], row["answer"])


def processbench(name):
    if name == "gsm8k":
        gold = {row["question"]: marked(row["answer"])
                for row in rows(SHARED / "grade-school-math/grade_school_math/data/test.jsonl")}
    else:
        gold = {row["problem"]: row["solution"] for row in rows(SHARED / "math/data/math/test.jsonl")}
    for row in rows(SHARED / f"processbench/code/dataset/{name}.jsonl"):
        right = gold.get(row["problem"])
        if right is not None:
            boxed = re.search(r"\\boxed\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}", right)
            right = boxed[1] if boxed else right
            yield reply(row["problem"], "\n".join(row["steps"]), right)


def big_bench_hard():
    for path in sorted((SHARED / "big-bench-hard/code-davinci-002-outputs/code-davinci-002-cot").glob("*.gz")):
        for row in rows(path):
            question = row["input"].rpartition("\n\nQ: ")[2].partition("\nA: Let's think")[0]
            options = re.findall(r"^\([A-Z]\) (.*)$", question, re.MULTILINE) or None
            yield reply(question, row["prediction"], row["target"], options=options)


def last_letters():
    for row in rows(SHARED / "esc/GPT3.5_result/last_letters/T0.7.jsonl"):
        yield from (reply(row["question"], text, row["answer"], "text")
                    for text in row["generated_answer"][:SAMPLES] if text)


def model_solutions():
    for row in rows(SHARED / "grade-school-math/grade_school_math/data/example_model_solutions.jsonl"):
        gold = row["ground_truth"].rpartition("A:")[2].strip()
        for name in ("6b_finetuning", "6b_verification", "175b_finetuning", "175b_verification"):
            yield reply(row["question"], row[name]["solution"], gold)


def gaokao():
    for row in rows(SHARED / "hs-math-gai/outputs_cot/prediction_with_uncertainties_cot.jsonl"):
        yield reply(row["question"], row["raw_text"], row["expected_answer"][0], "option")


def qwen_math():
    for row in rows(SHARED / "qwen25-math-rm/evaluation/data/eval_rm_maj_example/math_cot_100.jsonl"):
        yield from (reply(row["question"], text, row["answer"]) for text in row["code"][:SAMPLES])


def mr_gsm8k():
    seen = set()
    for path in sorted((SHARED / "mr-gsm8k/eval_results/gpt4-grading").glob("*")):
        for row in rows(path):
            if row["uuid"] not in seen:
                seen.add(row["uuid"])
                yield reply(row["question"], "\n".join(row["model_output_steps"]), row["ground_truth_answer"])


SOURCES = {
    "GSM8K, GPT-4 (MoT cascade)": cascade_gsm8k,
    "Date Understanding (MoT cascade)": cascade_dates,
    "GSM8K, six models (Faithful CoT)": lambda: faithful("GSM8K"),
    "MultiArith (Faithful CoT)": lambda: faithful("MultiArith"),
    "AQuA (Faithful CoT)": lambda: faithful("AQUA"),
    "Date Understanding (Faithful CoT)": lambda: faithful("date"),
    "GSM8K as JSON (ZeroEval)": zeroeval,
    "GSM8K (Rereading)": rereading,
    "GSM8K (zero-shot CoT)": lambda: zero_shot(*dataset_replies.LOGS[0]),
    "MultiArith (zero-shot CoT)": lambda: zero_shot(*dataset_replies.LOGS[1]),
    "last letters (zero-shot CoT)": lambda: zero_shot(*dataset_replies.LOGS[2]),
    "shuffled objects (zero-shot CoT)": lambda: zero_shot(*dataset_replies.LOGS[3]),
    "GSM8K, whole chats (StrictPRMBench)": lambda: pool("gsm8k"),
    "MATH-500, whole chats (StrictPRMBench)": lambda: pool("math500"),
    "GSM8K, Llama 3.1 (CoT-UQ)": cot_uq,
    "GSM8K, StrategyQA, Cosmos (AutoRace)": autorace,
    "GSM8K (ProcessBench)": lambda: processbench("gsm8k"),
    "MATH (ProcessBench)": lambda: processbench("math"),
    "17 tasks (BIG-Bench Hard)": big_bench_hard,
    "last letters (ESC)": last_letters,
    "GSM8K, GPT-3 (example solutions)": model_solutions,
    "Gaokao as JSON (HS-MATH-GAI)": gaokao,
    "MATH (Qwen2.5-Math)": qwen_math,
    "GSM8K (MR-GSM8K)": mr_gsm8k,
}


def read(program, records):
    """(answer or None, right or not) of each."""
    lines = "".join(json.dumps({**record, "question_id": str(i)}) + "\n" for i, record in enumerate(records))
    done = subprocess.run([program, "vote", "-q", "--answer-source", "read"], input=lines, capture_output=True,
                          text=True, check=True)
    return [(row["answer"], row["correct"] is True) for row in map(json.loads, done.stdout.splitlines())]


def share(n, total):
    return f"{n} ({100 * n / total:.1f} %)" if total else "-"


def show_changed(name, records, before, after, most):
    changed = [(r, b, a) for r, b, a in zip(records, before, after) if b != a]
    changed.sort(key=lambda c: (c[1][1] <= c[2][1], c[0]["question"]))  # what became wrong comes first
    for record, b, a in changed[:most]:
        print(f"--- {name}: gold {record['gold']!r}, before {b}, after {a}\n{record['solution'][-600:]}\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--unseen", action="store_true")
    parser.add_argument("--before", metavar="PROGRAM")
    parser.add_argument("--changed", type=int, default=0, metavar="N")
    parser.add_argument("--wrong", type=int, default=0, metavar="N", help="list N replies a source that are not right")
    parser.add_argument("--only", default="", help="sources whose name contains this")
    given = parser.parse_args()
    if given.unseen and (given.changed or given.wrong):
        sys.exit("answers_measured.py: replies that are kept aside are counted, not shown")
    if not (SHARED / "zero-shot-cot/log").is_dir():
        print("RDV_SHARED has no recorded replies: skipped")
        sys.exit(77)
    print("| source | replies | read before | right before | read | right | became right | became wrong |\n"
          "| --- | --: | --: | --: | --: | --: | --: | --: |")
    total = [0] * 7
    for name, source in SOURCES.items():
        if given.only not in name:
            continue
        records = [r for r in source() if r["solution"] and kept_aside(r["question"]) == given.unseen]
        after = read(PROGRAM, records)
        before = read(given.before, records) if given.before else after
        n = len(records)
        counts = [n, *(sum(x) for x in (
            (b[0] is not None for b in before), (b[1] for b in before), (a[0] is not None for a in after),
            (a[1] for a in after), (a[1] and not b[1] for b, a in zip(before, after)),
            (b[1] and not a[1] for b, a in zip(before, after))))]
        total = [x + y for x, y in zip(total, counts)]
        print(f"| {name} | {n} | " + " | ".join(share(c, n) for c in counts[1:5]) + f" | {counts[5]} | {counts[6]} |",
              flush=True)
        show_changed(name, records, before, after, given.changed)
        for record, a in [x for x in zip(records, after) if not x[1][1]][:given.wrong]:
            print(f"--- {name}: gold {record['gold']!r}, read {a}\n{record['solution'][-600:]}\n")
    n = total[0]
    print(f"| all | {n} | " + " | ".join(share(c, n) for c in total[1:5]) + f" | {total[5]} | {total[6]} |")


if __name__ == "__main__":
    main()
