# SPDX-License-Identifier: Apache-2.0
"""Tables of the papers made with a real model, each run interrupted once as by Ctrl-C and gone on with."""
import json
import os
import shutil
import signal
import sqlite3
import subprocess
import time
import urllib.request
from pathlib import Path

import calc_sources
from real_work import Served, print_table
from served import short_prompts

REPLY, SOLUTION = 60, 150  # the most tokens of a reply, and of a solution: this model writes until it meets a limit
QUESTIONS = "grade-school-math/grade_school_math/data/test.jsonl"
TRACES = [f"big-bench-mistake/{task}.jsonl" for task in
          ("multistep_arithmetic",)]
# Names of one run, its data, its options, and how many tasks the server has begun when it is interrupted.
RUNS = {"selfcheck": (["selfcheck:table1", "selfcheck:table2", "selfcheck:fig2"], [QUESTIONS],
                      ["--chains", "2", "--no-fit", "--structured", "--profile", "paper"], 400),
        "mistakes": (["mistakes:table4", "mistakes:table6"], TRACES, ["--profile", "paper"], 100)}
POLLING = 1  # seconds between two looks at the journal


def begun(port):
    """The tasks that the server has begun so far."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/slots") as reply:
        return max(slot.get("id_task", -1) for slot in json.load(reply)) + 1


def kept(journal):
    """The replies of a journal that no program has open."""
    with sqlite3.connect(f"file:{journal}?mode=ro", uri=True) as db:
        return db.execute("SELECT count(*) FROM responses").fetchone()[0]


def ends(command, port, at=None):
    """The exit status. With `at` it is interrupted once the server has begun so many tasks."""
    def heeds():  # also where this was started in the background, which ignores it
        signal.signal(signal.SIGINT, signal.SIG_DFL)

    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, preexec_fn=heeds) as run:
        while at and run.poll() is None and begun(port) < at:
            time.sleep(POLLING)
        if at and run.poll() is None:
            run.send_signal(signal.SIGINT)
        said = run.communicate()[1].strip().splitlines()
    return run.returncode, said[-1] if said else ""


def interrupted(work, name, served):
    names, data, options, at = RUNS[name]
    prompts, out = work.path("papers-prompts"), work.path(f"papers-{name}")
    shutil.rmtree(out, ignore_errors=True)
    short_prompts(prompts, REPLY, SOLUTION)
    files = [calc_sources.SHARED / path for path in data]
    command = [work.args.program, "reproduce", *names, *(x for file in files for x in ("--data", str(file))), "-M", served.url,
               "--limit", "3", "--seed", "0", *options, "--prompt-dir", str(prompts), "-q", "--out", str(out)]
    journal = out / "replies.journal"
    found = {"command": " ".join(["rederive", *command[1:]])}
    before = 0
    for what, interrupted_at in (("first", at), ("second", None)):
        began = time.time()
        status, last = ends(command, served.model.port, interrupted_at)
        found[what] = {"status": status, "said": last, "replies": kept(journal) - before, "seconds": time.time() - began}
        before += found[what]["replies"]
    found["tables"] = {table: (out / table.replace(":", "-") / "table.txt").read_text(encoding="utf-8") for table in names}
    return found


def public(command, work):
    """The command without the paths of this machine."""
    return command.replace(str(work.folder.resolve()) + os.sep, "").replace(str(work.folder) + os.sep, "") \
        .replace(str(calc_sources.SHARED) + os.sep, "")


def papers(work):
    print("## Tables of the papers with a real model, interrupted and resumed\n")
    missing = [path for path in [QUESTIONS, *TRACES] if not (Path(calc_sources.SHARED) / path).exists()]
    if missing:
        print(f"Left out: {missing[0]} is not there.\n")
        return
    rows, shown = [], []
    for name in RUNS:
        def run(name=name):
            with Served(work, "smollm2", "--alias", "smollm2") as served:
                return interrupted(work, name, served)
        found = work.kept(f"papers-{name}.json", run)
        for what, which in (("interrupted", "first"), ("the same command again", "second")):
            done = found[which]
            rows.append([name, what, done["status"], done["replies"], f"{done['seconds']:.0f}"])
        shown.append((public(found["command"], work), found["tables"]))
    print_table(["run", "", "exit status", "replies", "seconds"], rows)
    for command, tables in shown:
        print(f"```sh\n{command}\n```\n")
        for table, text in tables.items():
            print(f"`{table}`:\n\n```text\n{text.rstrip()}\n```\n")
