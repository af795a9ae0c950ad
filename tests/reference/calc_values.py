# SPDX-License-Identifier: Apache-2.0
"""What the method `values` says of steps whose calculations are right: a number comes from nowhere. Of the
labelled first errors, how many steps it says it of; of right chains, of how many steps."""

from collections import defaultdict

import calc_sources

LABELLED = ("eic-GSM8K", "eic-MathQA", "parc-gsm8k", "parc-orca_math", "processbench-gsm8k", "stepverify", "mr-gsm8k")
SAID = "is not in the question"


def said_of(record):
    """The steps of which a number comes from nowhere, and those that are wrong by calculation."""
    said, wrong = set(), set()
    for v in record["verdicts"]:
        if v["verdict"] == "contradict":
            wrong.add(v["step"])
        elif v["verdict"] == "unrelated" and SAID in v.get("explanation", ""):
            said.add(v["step"])
    return said, wrong


def records(source, aside):
    """As calc_sources.chains() has them: a chain of MR-GSM8K that was judged twice counts once."""
    seen = set()
    for path in calc_sources.files_of(source):
        for number, record in enumerate(calc_sources.check(path, "--method", "values")):
            key = record["id"] if source == "mr-gsm8k" else (path, number)
            if key not in seen and calc_sources.kept_aside(record.get("question", "")) == aside:
                seen.add(key)
                yield record


def measure(report):
    report.title("Numbers from nowhere (method values): labelled first errors, and right chains")
    steps = flagged = 0
    for source in LABELLED:
        kinds = defaultdict(lambda: [0, 0, 0])
        for record in records(source, report.unseen):
            said, wrong = said_of(record)
            if record.get("label") is not None:
                kind = record.get("error_type") or record.get("pair_error_type") or "an error"
                counts = kinds[kind if isinstance(kind, str) else kind[0]]
                counts[0] += 1
                counts[1] += record["label"] in said
                counts[2] += record["label"] in wrong
            elif "label" in record:
                steps, flagged = steps + len(record["steps"]), flagged + len(said)
        for kind, (n, said, wrong) in sorted(kinds.items()):
            if n >= 10:
                report.figure(f"{source}: {kind}", said, n, f"wrong by calculation: {wrong}")
        total = [sum(counts[i] for counts in kinds.values()) for i in range(3)]
        report.figure(f"{source}: all", total[1], total[0], f"wrong by calculation: {total[2]}")
    report.figure("steps of chains labelled as right", flagged, steps)
    people = [(len(record["steps"]), said_of(record)[0]) for record in records("gsm8k-human", report.unseen)]
    report.figure("steps of GSM8K's own solutions", sum(len(said) for _, said in people), sum(n for n, _ in people))
    report.figure("GSM8K's own solutions with such a step", sum(bool(said) for _, said in people), len(people))
