#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Would the tests notice? Mutation testing of the library's rooms with their fast tests.

    tools/mutate.py [--number N] [--seed S] [--rooms plan,run,...] [--seconds T] [--work DIR]

Mutants are drawn by the seed from what universalmutator (pinned, in a virtual environment of its own) makes of
the sources: each is one line changed. A mutant counts if it compiles and its object differs from the original's.
It is killed if one of the room's tests fails, or takes ten times as long as without it. DIR/results.jsonl keeps
every result, so the same command goes on; survivors are printed with their change.

The sources are those of HEAD, copied to DIR/tree, so the work tree is not touched. Exit status: 0; 1: fewer than
90 % are killed; 2: it could not be measured."""

import argparse
import hashlib
import json
import os
import random
import subprocess
import sys
import time
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
MUTATOR = "universalmutator==1.14.1"

# The tests that are run for a room, by the beginning of their names, in this order.
TESTS = {
    "plan": ["unit/plan/", "unit/method/plans", "unit/method/table", "unit/search/", "prop/arrival", "simulate"],
    "run": ["unit/run/", "simulate"],
    "method": ["unit/method/", "prop/arrival", "prop/unread"],
    "score": ["unit/score/", "prop/votes", "prop/stopping"],
    "answer": ["unit/answer/"],
    "math": ["unit/math/", "unit/answer/", "unit/method/calculations"],
    "search": ["unit/search/", "prop/arrival", "prop/repairing", "simulate"],
}
SLOW = {"unit/math/hostile", "unit/score/pools"}  # not among the fast tests
SIMULATED = "60"  # worlds


def run(*command, **given):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, **given)


class Tree:
    """A copy of the sources that is built and mutated."""

    def __init__(self, work):
        self.source = work / "tree"
        self.build = work / "build"
        head = run("git", "-C", str(PROJECT), "rev-parse", "HEAD").stdout.decode().strip()
        mark = work / "commit"
        if not mark.exists() or mark.read_text() != head:
            subprocess.run(["rm", "-rf", str(self.source)], check=True)
            self.source.mkdir(parents=True)
            archive = subprocess.Popen(["git", "-C", str(PROJECT), "archive", head], stdout=subprocess.PIPE)
            subprocess.run(["tar", "x", "-C", str(self.source)], stdin=archive.stdout, check=True)
            archive.wait()
            mark.write_text(head)
        if not (self.build / "build.ninja").exists():
            done = run("meson", "setup", str(self.build), str(self.source), "-Dtests=enabled", "-Ddebug=false")
            if done.returncode:
                sys.exit(done.stdout.decode()[-2000:])
        self.tests = {t["name"]: t for t in self.introspect("tests")}
        self.files = {t["id"]: t["filename"] for t in self.introspect("targets")}

    def introspect(self, what):
        return json.loads(run("meson", "introspect", "--" + what, str(self.build)).stdout)

    def tests_of(self, room):
        return [t for start in TESTS[room] for name, t in sorted(self.tests.items())
                if name.startswith(start) and name not in SLOW]

    def ninja(self, *targets):
        return run("ninja", "-C", str(self.build), *targets).returncode == 0

    def programs(self, tests):
        """What ninja has to make for them: the programs, and the files that they read."""
        made = [path for t in tests for depends in t["depends"] for path in self.files.get(depends, [])]
        return [os.path.relpath(path, self.build) for path in [t["cmd"][0] for t in tests] + made]

    def try_test(self, test, limit):
        """(whether it passed, seconds)"""
        command = [test["cmd"][0], "--seeds", SIMULATED] if test["name"] == "simulate" else test["cmd"]
        begun = time.monotonic()
        try:
            done = run(*command, env={**os.environ, **test["env"]}, cwd=test.get("workdir") or str(self.build), timeout=limit)
            passed = done.returncode in (0, 77)
        except subprocess.TimeoutExpired:
            passed = False
        return passed, time.monotonic() - begun


def object_of(build, source):
    """The object file that ninja makes of a source."""
    name = source.name + ".o"
    found = list(build.glob(f"src/{source.parent.name}/*.p/{name}"))
    return found[0] if found else None


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def mutants_of(source, work, mutator):
    """What universalmutator makes of a source: paths, in an order that does not depend on the machine."""
    folder = work / "mutants" / source.parent.name / source.stem
    if not folder.exists():
        folder.mkdir(parents=True)
        run(str(mutator), str(source), "--noCheck", "--mutantDir", str(folder), cwd=str(work))
    return sorted(folder.glob("*.c"), key=lambda p: int(p.stem.split(".")[-1]))


def change_of(original, mutant):
    for number, (a, b) in enumerate(zip(original, mutant), 1):
        if a != b:
            return number, a.strip(), b.strip()
    return 0, "", ""


def is_code(line):
    text = line.strip()
    return bool(text) and not text.startswith(("/*", "*", "//", "#include"))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--number", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", default=",".join(TESTS))
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--work", type=Path, default=PROJECT / "build" / "mutate")
    args = parser.parse_args()
    work = args.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    mutator = work / "venv/bin/mutate"
    if not mutator.exists():
        subprocess.run([sys.executable, "-m", "venv", str(work / "venv")], check=True)
        subprocess.run([str(work / "venv/bin/pip"), "install", "--quiet", MUTATOR], check=True)
    tree = Tree(work)
    rooms = args.rooms.split(",")
    usual = {}
    for room in rooms:
        tests = tree.tests_of(room)
        if not tests or not tree.ninja(*tree.programs(tests)):
            sys.exit(f"mutate: the tests of {room} cannot be built")
        for test in tests:
            if test["name"] not in usual:
                passed, usual[test["name"]] = tree.try_test(test, 600)
                if not passed:
                    sys.exit(f"mutate: {test['name']} fails without a mutant")

    results = work / "results.jsonl"
    known = {}
    if results.exists():
        for line in results.read_text().splitlines():
            r = json.loads(line)
            known[r["file"], r["line"], r["after"]] = r
    sources = [(room, p) for room in rooms for p in sorted((tree.source / "src" / room).glob("*.c"))]
    weights = [len(p.read_text().splitlines()) for _, p in sources]
    rng = random.Random(args.seed)
    begun, counted, tried = time.monotonic(), [], set()
    while len(counted) < args.number and time.monotonic() - begun < args.seconds:
        room, source = rng.choices(sources, weights)[0]
        made = mutants_of(source, work, mutator)
        if not made:
            continue
        mutant = rng.choice(made)
        original = source.read_text().splitlines()
        line, before, after = change_of(original, mutant.read_text().splitlines())
        key = (f"{room}/{source.name}", line, after)
        if key in tried or not is_code(before):
            continue
        tried.add(key)
        result = known.get(key) or judge(tree, room, source, mutant, usual, key, before)
        if key not in known:
            with results.open("a") as out:
                out.write(json.dumps(result) + "\n")
        if result["outcome"] in ("killed", "survived"):
            counted.append(result)
            if result["outcome"] == "survived":
                print(f"{key[0]}:{line}: survives\n    {before}\n    {after}", flush=True)
    return tell(counted, rooms)


def judge(tree, room, source, mutant, usual, key, before):
    text = source.read_text()
    target = object_of(tree.build, source)
    result = {"file": key[0], "line": key[1], "before": before, "after": key[2], "outcome": "invalid"}
    tree.ninja(os.path.relpath(target, tree.build))
    was = digest(target)
    try:
        source.write_text(mutant.read_text())
        if not tree.ninja(os.path.relpath(target, tree.build)):
            return result
        if digest(target) == was:
            result["outcome"] = "equivalent"
            return result
        tests = tree.tests_of(room)
        if not tree.ninja(*tree.programs(tests)):
            return result
        result["outcome"] = "survived"
        for test in tests:
            passed, took = tree.try_test(test, 5 + 10 * usual[test["name"]])
            if not passed:
                result.update(outcome="killed", by=test["name"], seconds=round(took, 2))
                break
        return result
    finally:
        source.write_text(text)


def tell(counted, rooms):
    killed = 0
    for room in rooms:
        of_room = [r for r in counted if r["file"].startswith(room + "/")]
        n = sum(r["outcome"] == "killed" for r in of_room)
        killed += n
        if of_room:
            print(f"{room:<8} {n} of {len(of_room)} killed, {100 * n / len(of_room):.0f} %")
    if not counted:
        return 2
    print(f"all      {killed} of {len(counted)} killed, {100 * killed / len(counted):.0f} %")
    return 0 if killed >= 0.9 * len(counted) else 1


if __name__ == "__main__":
    sys.exit(main())
