#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The prompts of BIG-Bench Mistake's authors, all 16 in both profiles: docs/measured/authors-prompts.md.

    RDV_PROGRAM=build/rederive RDV_SHARED=../shared/data python3 tests/reference/authors_prompts_measured.py

tools/mistake_prompts.py turns them into folders. A scripted server then answers each request about a published trace with what the
authors' own examples answer, and the records tell what was read. Exits 77 where there is no recorded data."""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
SHARED = pathlib.Path(os.environ.get("RDV_SHARED", ROOT.parent / "shared/data")) / "big-bench-mistake"
os.environ.setdefault("RDV_SOURCE", str(ROOT))
os.environ.setdefault("RDV_PROGRAM", str(ROOT / "build/rederive"))
sys.path.insert(0, str(ROOT / "tests/integration"))
from scripted import Server  # noqa: E402
from support import rederive  # noqa: E402

KINDS = {"DIRECT": "direct-trace", "DIRECT_PERSTEP": "direct-step", "COT_PERSTEP": "cot-step", "COT": "cot-trace"}
PROFILES = ("paper", "robust")


def meant(kind, reply):
    """The first wrong step, from 0, that the last word of an example's reply names; None: no mistake. A reply about one step is given
    to each step, so its "No" names the first."""
    word = re.search(r"(\w+)\W*$", reply)[1]
    if kind in ("DIRECT", "COT"):
        return None if word == "No" else int(word) - 1
    return {"Yes": None, "No": 0}[word]


def trace_for(task, steps):
    """The first published trace of the task with so many steps, or the longest."""
    traces = [json.loads(line) for line in (SHARED / f"{task}.jsonl").read_text(encoding="utf-8").splitlines()]
    return next((t for t in traces if len(t["steps"]) > steps), max(traces, key=lambda t: len(t["steps"])))


def read(folder, kind, profile, trace, reply):
    """What the record says: its first error, or "not read"."""
    where = ["--method-dir", "authors/methods"] if kind == "COT" else ["--prompt-dir", "authors/prompts"]
    pathlib.Path(folder, "in.jsonl").write_text(json.dumps(trace) + "\n", encoding="utf-8")
    with Server(rules=[{"contains": "", "reply": reply}]) as server:
        ended = rederive("check", "-q", "-m", KINDS[kind], "--profile", profile, *where, "-M", server.url, "in.jsonl", cwd=folder)
    record = json.loads(ended.out)
    unread = all(v["verdict"] == "unknown" for v in record["verdicts"])
    return "not read" if unread else record["first_error"]


def tokens_of(folder, kind, trace):
    where = ["--method-dir", "authors/methods"] if kind == "COT" else ["--prompt-dir", "authors/prompts"]
    pathlib.Path(folder, "in.jsonl").write_text(json.dumps(trace) + "\n", encoding="utf-8")
    dry = rederive("check", "-q", "-m", KINDS[kind], *where, "--dry-run", "--json", "in.jsonl", cwd=folder)
    told = json.loads(dry.out)
    return told["n_calls"], round(told["prompt_tokens"] / told["n_calls"])


def main():
    file = SHARED / "mistake_finding_prompts.json"
    if not file.is_file():
        print(f"authors_prompts_measured: no recorded prompts in {SHARED}", file=sys.stderr)
        return 77
    published = json.loads(file.read_text(encoding="utf-8"))
    total = dict.fromkeys(PROFILES, 0)
    of = n = 0
    print("| task | prompt | calls of the first trace | prompt tokens of a call, estimated | "
          "replies of the examples read as meant: paper | robust |\n| --- | --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, ROOT / "tools/mistake_prompts.py", SHARED, pathlib.Path(folder, "authors")], check=True,
                       stdout=subprocess.DEVNULL)
        for task, prompts in published.items():
            for kind, method in KINDS.items():
                if kind + "_MESSAGES" not in prompts:
                    continue
                replies = [m["content"] for m in prompts[kind + "_MESSAGES"] if m["role"] == "assistant"]
                right = dict.fromkeys(PROFILES, 0)
                for reply in replies:
                    wanted = meant(kind, reply)
                    trace = trace_for(task, wanted or 0)
                    for profile in PROFILES:
                        right[profile] += read(folder, kind, profile, trace, reply) == wanted
                calls, tokens = tokens_of(folder, kind, trace_for(task, 0))
                print(f"| {task} | `{method}` | {calls} | {tokens} | " +
                      " | ".join(f"{right[p]} of {len(replies)}" for p in PROFILES) + " |", flush=True)
                n, of = n + 1, of + len(replies)
                for profile in PROFILES:
                    total[profile] += right[profile]
    print(f"| all | {n} prompts | | | " + " | ".join(f"{total[p]} of {of}" for p in PROFILES) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
