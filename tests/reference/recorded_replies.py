#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Read recorded replies of models that were asked to find mistakes, with the library's readers.

    RDV_SHARED=../shared/data tests/reference/recorded_replies.py READER [--write]

READER is the program reply_reader. Beside most replies stands what their publishers read in them, or
what the model said in a field of its own; the share of replies that are read, and of those the share
that agrees, are printed, and with --write go to docs/measured/recorded-replies.md. As a test it fails
when fewer are read or agree than AT_LEAST says. Skipped (77) without the data.
"""
import collections
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("RDV_SHARED", ROOT / "../shared/data"))
PAGE = ROOT / "docs/measured/recorded-replies.md"


def load(path):
    with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def number(value):
    """The step that the publishers read: "Step 3", 3, "none". None: nothing."""
    text = str(value).strip()
    if re.match(r"(none|no|n/?a)\b", text, re.IGNORECASE):
        return "none"
    found = re.search(r"\d+", text)
    return str(int(found.group())) if found and not re.search(r"\d\.[1-9]", text) else None


def mr_gsm8k():
    """A whole solution judged: evaluation, "Final Judgement", "First Error Step", analysis."""
    for path in sorted((SHARED / "mr-gsm8k/eval_results/gpt4-grading").iterdir()):
        for row in load(path):
            key = next(k for k in row if k.endswith("_eval_output"))
            judged = row[key]
            yield {"set": "MR-GSM8K, " + key[:-len("_eval_output")], "as": "location",
                   "reply": judged["response"], "steps": len(row["model_output_steps"]),
                   "beside": number(judged["error_step_pred"]), "question": row["question"]}


def eic():
    """The explanation in words; the model's verdict stands in another field of the same reply."""
    top = SHARED / "eic/evaluation/closed_source_model"
    for path in sorted(top.glob("eval_main_results_*/*/*/step_simple/*/eval.jsonl*")):
        model = path.parts[len(top.parts) + 1]
        for row in load(path):
            yield {"set": f"EIC, which step, {model}", "as": "location",
                   "reply": row["step_explanation"] or "",
                   "steps": len(row["transformed_solution"].split("\n"))
                   if isinstance(row["transformed_solution"], str)
                   else len(row["transformed_solution"]),
                   "beside": number(row["pred_wrong_step"]), "question": row["question"]}
    for path in sorted(top.glob("eval_main_results_*/*/*/any/*/eval.jsonl*")):
        model = path.parts[len(top.parts) + 1]
        for row in load(path):
            yield {"set": f"EIC, any error, {model}", "as": "conclusion",
                   "reply": row["any_explanation"] or "", "steps": 0,
                   "beside": {"yes": "right", "no": "wrong"}.get(row["is_correct"]), "question": row["question"]}


def verify_cot():
    """Checks of single steps that were asked to end in yes or no; the publishers kept the sentence
    that says it. One that says neither, or both, has no judgement."""
    for path in sorted((SHARED / "verify_cot/results/chatgpt3.5/verification").glob("*/*")):
        for row in load(path):
            for chain, results in zip(row["verify_model_results"], row.get("verify_result") or []):
                for step, said in zip(chain or [], results or []):
                    for read in verify_cot_step(path.parent.name, step, said):
                        yield read | {"question": row.get("question", "")}


def verify_cot_step(kind, step, said):
    if not step:
        return
    names = [name for name in step if name.endswith("_outputs")]
    lists = [said] if said and isinstance(said[0], str) else said or []
    for name, kept in zip(names, lists):
        for reply, sentence in zip(step[name], kept):
            words = set(re.findall(r'answer is "(yes|no)"', sentence or ""))
            yield {"set": f"verify_cot, {kind}, {name[:-len('_outputs')].replace('_', ' ')}",
                   "as": "yesno", "reply": reply, "steps": 0,
                   "beside": {"yes": "right", "no": "wrong"}[words.pop()]
                   if len(words) == 1 else None}


def read_all(reader, rows):
    """What the two profiles read of each row."""
    asked = "".join(json.dumps({k: row[k] for k in ("as", "reply", "steps")}) + "\n" for row in rows)
    done = subprocess.run([reader], input=asked, capture_output=True, text=True, check=True)
    return [line.split("\t") for line in done.stdout.splitlines()]


class Count:
    def __init__(self):
        self.replies = self.beside = 0
        self.read = [0, 0]
        self.both = [0, 0]  # read, and a judgement stands beside
        self.agree = [0, 0]

    def add(self, row, said):
        self.replies += 1
        self.beside += row["beside"] is not None
        for k in range(2):
            read = said[k] != "?"
            self.read[k] += read
            self.both[k] += read and row["beside"] is not None
            self.agree[k] += read and said[k] == row["beside"]


def share(part, whole):
    return f"{100 * part / whole:.1f} %" if whole else "-"


def table(counts):
    lines = ["| replies | n | judged | read | agree | read (paper) | agree (paper) |",
             "|---|--:|--:|--:|--:|--:|--:|"]
    for name, c in counts.items():
        lines.append(f"| {name} | {c.replies} | {c.beside} | {share(c.read[0], c.replies)} | "
                     f"{share(c.agree[0], c.both[0])} of {c.both[0]} | "
                     f"{share(c.read[1], c.replies)} | {share(c.agree[1], c.both[1])} of {c.both[1]} |")
    return "\n".join(lines)


def page(counts):
    return f"""# Recorded replies, read

    RDV_SHARED=../shared/data tests/reference/recorded_replies.py build/tests/reference/reply_reader --write

These are replies of real models that were asked to find errors, read by the readers of `direct-trace`
(location) and of the yes-or-no checks. "read": a verdict was found. "judged": the data set has a judgement of
the reply. "agree": the share of the replies that are read and judged in which both are the same. The last two columns
use the paper's profile, which accepts a location only as a number or "No" alone; the two before them use the
robust profile.

The prompts were those of the data sets, not ours: the table measures reading, not finding.

{table(counts)}

- MR-GSM8K: evaluations of whole solutions that end in a labelled first error step, compared with
  the publishers' reading. Their files contain only replies that named the correct step.
- EIC: only the explanation is recorded as text. The step, or whether there is an error, was a separate field
  in the same reply, and agreement is between the explanation and that field. Most explanations
  name no step, or state no conclusion, and are not read; the prompt did not request this. For
  "any error?" GPT-4 stated a conclusion in three. The paper's rule for a conclusion looks for the word "correct"
  or "incorrect" anywhere in the last line, where these explanations have it.
- The rules for sentences were written before these replies were examined. Two of them (for "each"
  and for "this error affects Step 3") came from misread replies of EIC, so EIC's figures are for
  development data.
- verify_cot: each check had to end in "yes" or "no". It is compared with the sentence that the
  publishers kept, judged by the answer that it quotes.
"""


# Set (by its beginning) -> least share read, least share of agreement, in the robust profile.
AT_LEAST = {"MR-GSM8K": (0.93, 0.99), "EIC, which step, gpt-3.5": (0.50, 0.98), "EIC, which step, gpt-4": (0.30, 0.98),
            "EIC, any error, gpt-3.5": (0.90, 0.98), "EIC, any error, gpt-4": (0.80, 0.98),
            "verify_cot, sequential, reasoning": (0.95, 0.99), "verify_cot, simultaneous": (0.95, 0.99)}


def main():
    if not (SHARED / "mr-gsm8k").is_dir():
        print(f"no recorded data in {SHARED}: skipped")
        return 77
    rows = [*mr_gsm8k(), *eic(), *verify_cot()]
    counts = collections.defaultdict(Count)
    for row, said in zip(rows, read_all(sys.argv[1], rows)):
        counts[row["set"]].add(row, said)
        if "--show" in sys.argv and row["set"].startswith(sys.argv[-1]) and \
                row["beside"] is not None and said[0] not in ("?", row["beside"]):
            print(said[0], row["beside"], json.dumps(row["reply"][-400:]))
    print(table(counts))
    if "--write" in sys.argv:
        PAGE.write_text(page(counts), encoding="utf-8")
    bad = [name for name, c in counts.items() for begin, (read, agree) in AT_LEAST.items()
           if name.startswith(begin)
           and (c.read[0] < read * c.replies or c.agree[0] < agree * c.both[0])]
    for name in bad:
        print(f"{name}: fewer are read, or agree, than before")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
