# SPDX-License-Identifier: Apache-2.0
"""The recorded data that calculations are measured on, read and checked by the program itself.

A source is a name, and the files (glob patterns under RDV_SHARED, or ../shared/data beside the
project) that it stands in. What is known of a chain, its label and kind of error, is taken from the
records that `rederive check` writes, so the figures are those of the whole product: reader, finder
and verdicts. The program is RDV_PROGRAM, else build/rederive.

A chain is kept aside when sha256 of its question, modulo 3, is 2. Whoever works on the rules reads only
the others."""

import json
import os
import subprocess
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import calc_right
from answers_measured import kept_aside

PROJECT = Path(__file__).resolve().parents[2]
SHARED = Path(os.environ.get("RDV_SHARED") or PROJECT.parent / "shared/data")
PROGRAM = os.environ.get("RDV_PROGRAM") or str(PROJECT / "build/rederive")

GSM8K = "grade-school-math/grade_school_math/data"
SOURCES = {
    "bbm": ["big-bench-mistake/multistep_arithmetic.jsonl"],
    "gsm8k-human": [f"{GSM8K}/train.jsonl*", f"{GSM8K}/test.jsonl*"],
    "gsm8k-models": [f"{GSM8K}/example_model_solutions.jsonl*"],
    "processbench-gsm8k": ["processbench/code/dataset/gsm8k.jsonl*"],
    "processbench-math": ["processbench/code/dataset/math.jsonl*"],
    "processbench-olympiadbench": ["processbench/code/dataset/olympiadbench.jsonl*"],
    "processbench-omnimath": ["processbench/code/dataset/omnimath.jsonl*"],
    "parc-gsm8k": ["parc/datasets/gsm8k/*.jsonl*"],
    "parc-math": ["parc/datasets/math/*.jsonl*"],
    "parc-metamathqa": ["parc/datasets/metamathqa/*.jsonl*"],
    "parc-orca_math": ["parc/datasets/orca_math/*.jsonl*"],
    "eic-GSM8K": ["eic/data/generated_cases_GSM8K/*/*/*.jsonl*"],
    "eic-MathQA": ["eic/data/generated_cases_MathQA/*/*/*.jsonl*"],
    "stepverify": ["stepverify/dataset/dataset.jsonl*"],
    "mr-gsm8k": ["mr-gsm8k/eval_results/gpt4-grading/*.jsonl*"],
    "mr-ben-math": ["mr-ben/data/math.jsonl*"],
    "mr-ben-physics": ["mr-ben/data/physics.jsonl*"],
    "mr-ben-chemistry": ["mr-ben/data/chemistry.jsonl*"],
    "reasoneval": ["reasoneval/dataset/mr-math_invalid_errors.jsonl*"],
    "prmbench": ["prmbench/mr_eval/tasks/prmtest_classified/data/*.jsonl*"],
    "tree-of-thoughts": ["tree-of-thoughts/logs/game24/*_cot_*.jsonl*"],
    "factool": ["factool-math/datasets/math/math.jsonl*"],
    "reasoningflow-answers": ["reasoningflow/answers.jsonl*"],
    "reasoningflow-thinking": ["reasoningflow/thinking.jsonl*"],
    "reasoningflow-steps": ["reasoningflow/steps-judged.jsonl*"],
    "mmlu-pro": ["mmlu-pro/*.jsonl*"],
    "gsm-plus": ["gsm-plus/*.jsonl*"],
    "mathcheck": ["mathcheck/*.jsonl*"],
    "cogtutorbugs": ["cogtutorbugs/*.jsonl*"],
}
TEXTS = ("question", "solution", "steps", "verdicts")
OPTIONS = {"reasoningflow-answers": ["--check-reasoning"], "reasoningflow-thinking": ["--check-reasoning"]}
SOURCES.update({name: None for name in calc_right.SOURCES})  # their chains are taken from larger records
CHAINS_A_RECORD = {"eic-GSM8K": 2, "eic-MathQA": 2, "gsm8k-models": 4}


class Missing(Exception):
    """The recorded data, or the program, is not there."""


def status(main):
    """What main() returns, or 77, which counts as skipped, where a source is missing."""
    try:
        return main()
    except Missing as missing:
        print(f"skipped: {missing}")
        return 77


@dataclass
class Calculation:
    """One equality that the program found and decided."""

    step: int
    begin: int  # bytes of the step
    end: int
    text: str
    verdict: str  # right, rounded, wrong, undecided
    value: str = ""  # of the left side, where the program says it
    note: str = ""
    marked: bool = False  # from a calculator mark <<...>>


@dataclass
class Chain:
    source: str
    file: str
    record: int  # line of the file, from 0
    steps: list
    kind: str  # of its first error, as the source names it
    label: object  # index of the first wrong step from 0, None: it has none
    labelled: bool
    step_labels: list
    first_error: object
    calculations: list = field(default_factory=list)
    question: str = ""
    id: str = ""
    verdicts: list = field(default_factory=list)  # as the record has them
    confidence: object = None
    rest: dict = field(default_factory=dict)  # other members of the record
    right: bool = False  # labelled so, or by its answer, or by the hand of a person

    def wrong(self):
        return [c for c in self.calculations if c.verdict == "wrong"]


def files_of(source):
    """The files of a source that is read as it is."""
    found = [path for pattern in SOURCES[source] for path in sorted(SHARED.glob(pattern))]
    if not found:
        raise Missing(f"{SHARED}: no data of {source}")
    return found


def check(path, *options, program=None):
    """The records of `rederive check` for one file."""
    program = program or PROGRAM
    try:
        done = subprocess.run([program, "check", "--quiet", "--json", *options, str(path)],
                              stdout=subprocess.PIPE, check=False)
    except FileNotFoundError:
        raise Missing(f"{program}: no such program; build it, or set RDV_PROGRAM") from None
    if done.returncode not in (0, 1):
        raise SystemExit(f"{program} check {path}: status {done.returncode}")
    return [json.loads(line) for line in done.stdout.split(b"\n") if line]


def calculations_of(record):
    for verdict in record["verdicts"]:
        for c in verdict.get("evidence", {}).get("calculations", []):
            yield Calculation(verdict["step"], c["start"], c["end"], c["text"], c["outcome"],
                              c.get("value", ""), c.get("note", ""), c.get("annotation", False))


def found_in(record):
    """The first step that is called wrong; None: none is, whether or not all was decided."""
    return None if record["first_error"] == "unknown" else record["first_error"]


def chain_of(source, path, number, record):
    labels = record.get("step_labels") or [{"labels": []}]
    kind = record.get("error_type") or record.get("pair_error_type") or ""
    return Chain(source, path.name.split(".")[0], number // CHAINS_A_RECORD.get(source, 1),
                 record["steps"], kind if isinstance(kind, str) else kind[0], record.get("label"),
                 "label" in record, labels[0]["labels"], found_in(record),
                 list(calculations_of(record)), record.get("question", ""),
                 str(record.get("id", "")), record["verdicts"], record["confidence"],
                 {name: value for name, value in record.items() if name not in TEXTS}, is_right(source, record))


def is_right(source, record):
    """Is the chain known to have no error, by its labels or as a whole?"""
    if source in calc_right.SOURCES:
        return calc_right.is_right(record)
    if "label" in record:
        return record["label"] is None and record.get("answer_is_right") is not False
    return source == "gsm8k-human" or record.get("answer_is_right") is True


def records_of(source, program, whole=False, options=()):
    """(file, number, record) for each chain of a source; with `whole` also of those whose answer is not right."""
    if source not in calc_right.SOURCES:
        for path in files_of(source):
            for number, record in enumerate(check(path, *OPTIONS.get(source, []), *options, program=program)):
                yield path, number, record
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{source}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in calc_right.SOURCES[source]()))
        if not path.stat().st_size:
            raise Missing(f"{SHARED}: no data of {source}")
        for number, record in enumerate(check(path, *options, program=program)):
            if whole or calc_right.is_right(record):
                yield path, number, record


def chains(source, aside=False, program=None, whole=False, options=()):
    """The chains of a source on one side of the split (None: on both); of records that have one id (the same chain judged
    twice) the first. With `whole` those that are wrong by their answer, too."""
    seen, out = set(), []
    for path, number, record in records_of(source, program, whole, options):
        if "error" in record:
            raise SystemExit(f"{path}: {record['error']}")
        key = record["id"] if source == "mr-gsm8k" else (path, number)
        if key not in seen and aside in (None, kept_aside(record.get("question", ""))):
            seen.add(key)
            out.append(chain_of(source, path, number, record))
    return out
