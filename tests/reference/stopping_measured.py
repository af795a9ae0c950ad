#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What early stopping saves and loses, for docs/measured/votes.md: the program's votes on the recorded pools, on the
third of the questions that combined_measured.py keeps aside, and on the others.

    stopping_measured.py REDERIVE > tables.md"""
import json
import statistics
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
from combined_measured import parts, strict_rows  # noqa: E402
from votes_measured import SETS, percent, rederive, weighing  # noqa: E402

RULES = ("certain", "posterior:0.05", "posterior:0.1", "posterior:0.2")


def vote(path, *options):
    Path(path).write_text(rederive("vote", "-q", "--json", "--answer-source", "read", *options), encoding="utf-8")
    return [json.loads(line) for line in Path(path).read_text(encoding="utf-8").splitlines()]


def main():
    with tempfile.TemporaryDirectory() as folder:
        whole_path, stopped_path = Path(folder) / "whole.jsonl", Path(folder) / "stopped.jsonl"
        print("| pool | questions | weights | rule | saved | answers changed | points gained or lost |")
        print("| --- | --- | --- | --- | --- | --- | --- |")
        for name in SETS:
            pool = parts(name, strict_rows(name), lambda row: row["candidates"][0]["problem"]["question"], folder)
            for part, path in zip(("two thirds", "the third"), pool):
                for weight, options in (("majority", ()), ("qwen_prm product", weighing(name, "qwen_prm", "product"))):
                    whole = vote(whole_path, *options, path)
                    for rule in RULES:
                        stopped = vote(stopped_path, *options, "--stop", rule, path)
                        saved = [1 - r["n_chains_used"] / r["n_chains"] for r in stopped]
                        changed = sum(a["answer"] != b["answer"] for a, b in zip(whole, stopped, strict=True))
                        out = json.loads(rederive("eval", "-q", "--json", "--compare", whole_path, stopped_path))
                        difference = next(iter(out["figures"].values()))["difference"]
                        print(f"| {name} | {part}, {len(whole)} | {weight} | {rule} | {100 * statistics.fmean(saved):.1f} ± "
                              f"{100 * statistics.stdev(saved) / len(saved) ** 0.5:.1f} % | {changed} "
                              f"| {percent(difference, True)} |", flush=True)


if __name__ == "__main__":
    main()
