#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs are killed at random moments and started again until they are done.

    crashes.py [--kills N] [--seed N] [--work NAME]...

Each start of the program is a session, which asks the scripted server below a path of its own, so that each request is
known to be of that session. What must hold:
- the outputs are those of an undisturbed run, byte for byte, and there is none before it is complete;
- a session asks nothing that was in the journal before it began, and nothing twice;
- what it asked and did not leave in the journal was in flight: at most as many as --jobs.
"""
import argparse
import collections
import concurrent.futures
import contextlib
import json
import pathlib
import random
import shutil
import sqlite3
import struct
import subprocess
import sys
import tempfile
import time

sys.path[:0] = [str(pathlib.Path(__file__).resolve().parents[1] / "integration")]
from scripted import COLLECT, COMPARE, GENERATE, REGENERATE, STEP, TARGET, VARIABLES, Server  # noqa: E402
from support import PROGRAM, SECONDS, chain, lines  # noqa: E402

JOBS = 3
DELAY = 0.01  # seconds for a reply
KILLS_A_ROUND = 12  # then the work is let end, and begun anew
MOST_ROUNDS = 200  # of a work that is never killed between its first call and its last
RULES = [COMPARE, dict(REGENERATE, reply="2 + 3 = 5, by {hash}"), COLLECT, dict(TARGET, reply="The step adds {hash}."),
         VARIABLES, {"regex": r"Thought [0-9]+:\s*$", "reply": " 2 + 3 = 5. So the answer is 5.\n"}, GENERATE, STEP]
IN_USE = "is in use by another process"


def chains(first, last):
    return lines(*(chain(id=f"c{i}", question=f"What is 2 + 3, asked {i} times?", label=0,
                         steps=[f"{i} times 2 + 3 = 6", f"So the answer of {i} is 6."]) for i in range(first, last)))


QUESTIONS = lines(*({"question_id": f"q{i}", "question": f"What is 2 + {i}?"} for i in range(8)))
INPUTS = {"c.jsonl": chains(0, 10), "d.jsonl": chains(6, 16), "q.jsonl": QUESTIONS}
ASKING = ["-q", "-j", str(JOBS), "--journal", "journal"]

# Name: the commands that run at the same time.
WORKS = {
    "check": [["check", "-m", "selfcheck", "c.jsonl", "-o", "out.jsonl"]],
    "solve": [["solve", "-m", "selfcheck", "-n", "3", "q.jsonl", "-o", "out.jsonl", "--chains-out", "solutions.jsonl"]],
    "repair": [["repair", "--locator", "gold", "--resamples", "4", "c.jsonl", "-o", "out.jsonl"]],
    "search": [["solve", "--beam-search", "--beam-width", "2", "--expansions", "3", "-m", "calculations", "q.jsonl",
                "-o", "out.jsonl", "--chains-out", "solutions.jsonl"]],
    "two processes": [["check", "-m", "selfcheck", "c.jsonl", "-o", "out.jsonl"],
                      ["check", "-m", "selfcheck", "d.jsonl", "-o", "other.jsonl"]],
}


class Wrong(Exception):
    """Something that must hold did not."""


def text_of(request):
    messages = request.get("messages")
    return json.dumps([[m["role"], m["content"]] for m in messages] if messages else request.get("prompt"))


def kept_in(folder):
    """How often the journal answers each text. A copy is read: the program itself has to recover what is there."""
    kept = collections.Counter()
    with tempfile.TemporaryDirectory() as other:
        for path in folder.glob("journal*"):
            if not path.name.endswith("-shm"):
                shutil.copy(path, other)
        if not (folder / "journal").exists():
            return kept
        with contextlib.closing(sqlite3.connect(pathlib.Path(other) / "journal")) as base:
            if base.execute("SELECT count(*) FROM sqlite_master WHERE name = 'responses'").fetchone()[0]:
                parts = {struct.pack("<q", name): text for name, text in base.execute("SELECT name, text FROM parts")}
                for names, in base.execute("SELECT request FROM responses"):
                    request = "".join(parts[names[i:i + 8]] for i in range(0, len(names), 8))
                    kept[text_of(json.loads(request))] += 1
    return kept


class Work:
    """A work, killed in rounds."""

    def __init__(self, name, seed):
        self.name, self.commands = name, WORKS[name]
        self.rng = random.Random(f"{name} {seed}")
        self.session = self.kills = self.rounds = self.asked = self.repeated = self.refused = self.midway = 0

    def start(self, command, folder):
        self.session += 1
        url = f"{self.server.base}/s{self.session}/v1#fake"
        process = subprocess.Popen([PROGRAM, *command, *ASKING, "-M", url], cwd=folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True)
        process.session = self.session
        return process

    def asked_by(self, session):
        return collections.Counter(text_of(line["body"]) for line in self.server.requests()
                                   if line["path"].startswith(f"/s{session}/"))

    def run_undisturbed(self):
        with tempfile.TemporaryDirectory(prefix="crashes-") as top:
            folder = self.new_folder(top)
            began = time.monotonic()
            for command in self.commands:
                self.finish(self.start(command, folder))
            self.seconds = time.monotonic() - began
            self.expected = self.outputs(folder)
            self.whole = kept_in(folder)
        asked = sum((self.asked_by(s) for s in range(1, self.session + 1)), collections.Counter())
        if asked != self.whole:
            raise Wrong("the journal has not what was asked")

    def new_folder(self, top):
        folder = pathlib.Path(top)
        for name, text in INPUTS.items():
            (folder / name).write_text(text)
        return folder

    def outputs(self, folder):
        return {path.name: path.read_bytes() for path in sorted(folder.glob("*.jsonl")) if path.name not in INPUTS}

    def finish(self, process):
        """True: it is done. False: another process has the journal."""
        err = process.communicate(timeout=SECONDS * 4)[1]
        if process.returncode == 3 and err.count("\n") == 1 and IN_USE in err and len(self.commands) > 1:
            self.refused += 1
            return False
        if process.returncode != 0:
            raise Wrong(f"it ended with {process.returncode}: {err[-1000:]}")
        return True

    def run_round(self, kills):
        """Kill so often, and then let it end."""
        self.server.forget()
        with tempfile.TemporaryDirectory(prefix="crashes-") as top:
            folder = self.new_folder(top)
            left, sessions = list(self.commands), []
            while left:
                before = kept_in(folder)
                running = [(command, self.start(command, folder)) for command in left]
                killed = kills > 0
                if killed:  # soon, or at any moment: what starts slowly has asked nothing in its first third
                    time.sleep(self.rng.uniform(0, self.seconds * self.rng.choice((1 / 3, 1))))
                for command, process in running:
                    if killed and process.poll() is None:
                        process.kill()
                        process.communicate()
                        kills -= 1
                        self.kills += 1
                    elif self.finish(process):
                        left.remove(command)
                after = kept_in(folder)
                self.midway += sum(before.values()) < sum(after.values()) < sum(self.whole.values())
                sessions.append((before, after, [process.session for _, process in running]))
                self.check_outputs(folder, left)
            if self.outputs(folder) != self.expected:
                raise Wrong("another output")
            self.account(sessions)
        self.rounds += 1

    def check_outputs(self, folder, left):
        for name, data in self.outputs(folder).items():
            if data != self.expected[name]:
                raise Wrong(f"{name} is there and is not complete; {len(left)} left")

    def account(self, sessions):
        """After the last session all requests have reached the server: it serves them as they come."""
        total = collections.Counter()
        for before, after, numbers in sessions:
            asked = sum(map(self.asked_by, numbers), collections.Counter())
            if asked - (self.whole - before):
                raise Wrong(f"what is in the journal was asked again: {list(asked - (self.whole - before))[:3]}")
            lost = asked - (after - before)
            if sum(lost.values()) > JOBS * len(numbers):
                raise Wrong(f"{sum(lost.values())} calls are not in the journal, of {JOBS} in flight")
            if (after - before) - asked:
                raise Wrong("the journal has what was not asked")
            total += asked
        self.asked += sum(total.values())
        self.repeated += sum((total - self.whole).values())

    def run(self, kills):
        with Server(rules=RULES, delay=DELAY) as self.server:
            self.run_undisturbed()
            while self.kills < kills:
                self.run_round(min(KILLS_A_ROUND, kills - self.kills))
            while not self.midway and self.rounds < MOST_ROUNDS:
                self.run_round(KILLS_A_ROUND)
        return self


def run_work(name, seed, kills):
    work = Work(name, seed)
    try:
        return work.run(kills), None
    except Wrong as why:
        return work, str(why)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--work", action="append", choices=WORKS)
    options = parser.parse_args()
    names = options.work or list(WORKS)
    each = -(-options.kills // len(names))
    began, faults = time.monotonic(), 0
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        done = list(pool.map(lambda name: run_work(name, options.seed, each), names))
    for work, fault in done:
        faults += fault is not None
        print(f"{work.name}: {work.kills} kills in {work.rounds} rounds, {work.midway} of them midway; {work.asked} calls, {work.repeated} of them "
              f"repeated; {work.refused} refused the journal" + (f"; WRONG: {fault}" if fault else ""))
    works = [work for work, _ in done]
    print(f"{sum(w.kills for w in works)} kills, {sum(w.asked for w in works)} calls, {sum(w.repeated for w in works)} repeated, "
          f"{faults} works wrong, seed {options.seed}, {time.monotonic() - began:.0f} s")
    return 1 if faults or not all(work.midway for work in works) else 0


if __name__ == "__main__":
    sys.exit(main())
