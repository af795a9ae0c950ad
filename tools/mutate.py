#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Would the tests notice? Mutation testing of the library's rooms with their fast tests.

    tools/mutate.py [--number N] [--seed S] [--rooms plan,run,...] [--seconds T] [--work DIR]

Mutants are what universalmutator (pinned, in a virtual environment of its own) makes of the sources: each is one
line changed. The seed puts the mutants of each room in an order; the first ones are tried, the same number of each
room. A mutant counts if it compiles, its object differs from the original's (compiled as it is tested, and with
-O2), and tests/mutants/survivors.txt does not name it as equivalent (such a one is not tried). It is killed if one of the room's fast tests
fails or does not end. One that none of them kills is tried once more with the address sanitizer and that of undefined behaviour, by the quickest
tests that fit in what is left of 30 s. DIR/results.jsonl keeps the results, so that the same command goes
on; later, a mutant that survived is tried with the tests that have changed since.

The sources are those of HEAD, copied to DIR/tree, so the work tree is not touched. Exit status: 0; 1: fewer than
90 % are killed; 2: it could not be measured."""

import argparse
import collections
import hashlib
import json
import math
import subprocess
import sys
import time
from pathlib import Path

from mutant_tree import LINK, PROJECT, SECONDS, TESTS, Change, Failed, Tree, copy_of_head, processor_seconds

MUTATOR = "universalmutator==1.14.1"
NAMED = Path("tests/mutants/survivors.txt")
WANTED = 0.9
SANITIZED = "sanitized "  # before the name of a test

# Prints [[line number, changed line], ...] for each file named: what universalmutator does to C, without its files.
MUTATE = """
import contextlib, io, json, sys
from universalmutator import mutator
made = {}
with contextlib.redirect_stdout(io.StringIO()):
    for name in sys.argv[1:]:
        lines = open(name).readlines()
        found = mutator.mutants_regexp(lines, ["universal.rules", "c.rules", "c_like.rules"], ignorePatterns=[],
                                       ignoreStringOnly=True)
        made[name] = [[m[0], m[1]] for m in found]
json.dump(made, sys.stdout)
"""


class Mutant:
    """One line of a source changed. Its key does not depend on the other lines."""

    def __init__(self, source, lines, number, after, nth):
        self.source, self.line, self.after, self.nth = source, number, after, nth
        self.lines = lines
        self.key = "\t".join([source, str(nth), self.before_text(), self.after_text()])

    def before_text(self):
        return self.lines[self.line - 1].strip()

    def after_text(self):
        return " ".join(self.after.split())

    def text(self):
        return "".join([*self.lines[:self.line - 1], self.after, *self.lines[self.line:]])

    def order(self, seed):
        return hashlib.sha256(f"{seed}\t{self.key}".encode()).digest()


def mutants_of(tree, room, python):
    """Every mutant of a room."""
    sources = sorted((tree.source / "src" / room).rglob("*.c"))
    made = json.loads(subprocess.run([str(python), "-c", MUTATE, *map(str, sources)], stdout=subprocess.PIPE,
                                     check=True).stdout)
    found = []
    for source in sources:
        lines = source.read_text().splitlines(keepends=True)
        earlier = collections.Counter()
        for number, after in made[str(source)]:
            change = lines[number - 1].strip(), " ".join(after.split())
            if change[0].startswith("#include"):
                continue
            found.append(Mutant(str(source.relative_to(tree.source)), lines, number, after, earlier[change]))
            earlier[change] += 1
    return found


class Named:
    """The survivors that the project names with a reason; the format is in the file itself."""

    def __init__(self, path):
        self.reasons = {}
        source = before = key = None
        nth = 1
        for number, line in enumerate(path.read_text().splitlines() if path.exists() else [], 1):
            if line.startswith("src/"):
                source = line.strip()
            elif line.startswith("@ "):
                nth = int(line[2:])
            elif line.startswith("- "):
                before = line[2:].strip()
            elif line.startswith("+"):
                key = source, nth, before, line[1:].strip()
                self.reasons[key] = []
                nth = 1
            elif line.startswith("  ") and key:
                self.reasons[key].append(line.strip())
            elif line and not line.startswith("#"):
                raise Failed(f"{path}:{number}: neither a file, nor '@ ', '- ', '+ ' or a reason")
        for key, reason in self.reasons.items():
            if not reason:
                raise Failed(f"{path}: no reason for {key}")

    def reason(self, mutant):
        key = mutant.source, mutant.nth + 1, mutant.before_text(), mutant.after_text()
        return " ".join(self.reasons.get(key, []))

    def stale(self, root):
        """The entries whose line is not in the source."""
        for source, _, before, _ in self.reasons:
            path = root / source
            if not path.exists() or before not in [line.strip() for line in path.read_text().splitlines()]:
                yield f"{source}: {before}"


class Results:
    """What became of each mutant, in a file that grows."""

    def __init__(self, path):
        self.path, self.known = path, {}
        self.first = {}  # whether a mutant was killed when it was first tried
        self.killers = collections.defaultdict(collections.Counter)
        for line in path.read_text().splitlines() if path.exists() else []:
            self.remember(json.loads(line))

    def remember(self, result):
        self.known[result["key"]] = result
        self.first.setdefault(result["key"], result["outcome"] == "killed")
        if result["outcome"] == "killed":
            self.killers[result["key"].split("\t")[0]][result["by"]] += 1

    def add(self, result):
        with self.path.open("a") as out:
            out.write(json.dumps(result) + "\n")
        self.remember(result)

    def of(self, mutant, file_digest):
        """The result of an earlier run, if the file has not changed since; or None."""
        result = self.known.get(mutant.key)
        return result if result and result["file"] == file_digest else None

    def order(self, mutant, names, usual):
        """The tests in the order in which they are likely to kill."""
        own = self.killers[mutant.source]
        stem = Path(mutant.source).stem
        return sorted(names, key=lambda name: (-own[name], name.split("/")[-1] != stem, usual[name]))


class Suite:
    """The fast tests of a room: those of the plain build, and those of the sanitized one for which time is left."""

    def __init__(self, plain, sanitized, room):
        self.plain, self.sanitized = plain, sanitized
        self.seconds = plain.prepare(room)
        self.names = plain.tests_of(room)
        sanitized.prepare(room)
        self.quick = sanitized.quickest(room, SECONDS - self.seconds)
        self.digests = {**{name: plain.digests[name] for name in self.names},
                        **{SANITIZED + name: sanitized.digests[name] for name in self.quick}}

    def outcome(self, mutant, results, passed):
        """What becomes of a mutant that has passed some tests before, as members of its result."""
        left = [name for name, digest in self.digests.items() if passed.get(name) != digest]
        change = Change(self.plain, mutant.source, mutant.text())
        if not change.compiles():
            return {"outcome": "invalid"}
        if not change.differs():
            return {"outcome": "equivalent"}
        names = [name for name in self.names if name in left]
        failed = change.first_failure(results.order(mutant, names, self.plain.usual))
        if not failed and not change.differs_optimised():
            return {"outcome": "equivalent"}
        if not failed:
            change = Change(self.sanitized, mutant.source, mutant.text())
            names = [name for name in self.quick if SANITIZED + name in left]
            failed = change.first_failure(names) if change.compiles() else ("", LINK, 0)
            failed = failed and (SANITIZED + failed[0], *failed[1:])
        if not failed:
            return {"outcome": "survived", "passed": self.digests}
        by, what, seconds = failed
        return {"outcome": "invalid"} if what == LINK else {"outcome": "killed", "by": by, "what": what, "seconds": round(seconds, 2)}


def judge(suite, mutant, results, file_digest):
    """What becomes of a mutant. One that survived is tried with the tests that have changed since."""
    result = results.of(mutant, file_digest)
    passed = result.get("passed", {}) if result else {}
    if result and (result["outcome"] != "survived" or passed == suite.digests):
        return result
    begun = processor_seconds()
    result = {"key": mutant.key, "line": mutant.line, "file": file_digest, **suite.outcome(mutant, results, passed)}
    result["took"] = round(processor_seconds() - begun, 2)
    results.add(result)
    return result


def show(mutant, reason):
    print(f"{mutant.source}:{mutant.line}: survives{': ' + reason if reason else ''}\n" +
          (f"@ {mutant.nth + 1}\n" if mutant.nth else "") +
          f"- {mutant.before_text()}\n+ {mutant.after_text()}", flush=True)


def measure(args, tree, sanitized, python, named):
    """Results by room, of the mutants that count or are named: [(outcome, reason, killed at first), ...]"""
    results = Results(args.work / "results.jsonl")
    rooms = args.rooms.split(",")
    queues, counted, suites, digests = {}, {room: [] for room in rooms}, {}, {}
    for room in rooms:
        suites[room] = suite = Suite(tree, sanitized, room)
        print(f"{room}: the tests take {suite.seconds:.1f} s of processor time; {len(suite.quick)} of {len(suite.names)} are run "
              "with the sanitizers too", flush=True)
        queues[room] = iter(sorted(mutants_of(tree, room, python), key=lambda m: m.order(args.seed)))
    begun = time.monotonic()
    wanted = {room: args.number // len(rooms) + (i < args.number % len(rooms)) for i, room in enumerate(rooms)}
    waiting = list(rooms)
    while waiting and time.monotonic() - begun < args.seconds:
        room = waiting.pop(0)
        mutant = next(queues[room], None)
        if not mutant:
            continue
        reason = named.reason(mutant)
        if reason.startswith("Equivalent"):
            counted[room].append(("survived", reason, False))
            waiting.append(room)
            continue
        if mutant.source not in digests:
            digests[mutant.source] = hashlib.sha256((tree.source / mutant.source).read_bytes()).hexdigest()[:16]
        result = judge(suites[room], mutant, results, digests[mutant.source])
        if result["outcome"] == "survived":
            show(mutant, reason)
        if result["outcome"] == "killed" or result["outcome"] == "survived":
            counted[room].append((result["outcome"], reason, results.first[mutant.key]))
        done = sum(not reason.startswith("Equivalent") for _, reason, _ in counted[room])
        if done < wanted[room]:
            waiting.append(room)
    return counted


def wilson(k, n):
    """The bounds of the 95 % interval of a share, in percent."""
    z = 1.959964
    middle, half = k + z * z / 2, z * math.sqrt(k * (n - k) / n + z * z / 4)
    return f"{100 * (middle - half) / (n + z * z):.0f} to {100 * (middle + half) / (n + z * z):.0f} %"


def tell(counted):
    """Print the score by room, as a table; the exit status."""
    rows = {**counted, "all": sum(counted.values(), [])}
    print("| room | counted | killed when first tried | 95 % interval | killed now | named | equivalent |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for room, found in rows.items():
        count = [row for row in found if row[0] == "killed" or not row[1].startswith("Equivalent")]
        n, first = len(count), sum(row[2] for row in count)
        killed = sum(row[0] == "killed" for row in count)
        named = sum(row[0] == "survived" and bool(row[1]) for row in count)
        if n:
            print(f"| {room} | {n} | {first} | {wilson(first, n)} | {killed}, {100 * killed / n:.0f} % | {named} | "
                  f"{len(found) - n} |")
    if not n:
        return 2
    return 0 if killed >= WANTED * n else 1


def python_with_mutator(work):
    python = work / "venv/bin/python"
    if not (work / "venv/bin/mutate").exists():
        subprocess.run([sys.executable, "-m", "venv", str(work / "venv")], check=True)
        subprocess.run([str(python), "-m", "pip", "install", "--quiet", MUTATOR], check=True)
    return python


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--number", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", default=",".join(TESTS))
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--work", type=Path, default=PROJECT / "build" / "mutate")
    args = parser.parse_args()
    args.work = work = args.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    try:
        python = python_with_mutator(work)
        with copy_of_head(work):
            tree, sanitized = Tree(work), Tree(work, sanitized=True)
            named = Named(PROJECT / NAMED)
            for entry in named.stale(tree.source):
                print(f"{NAMED}: no such line: {entry}")
            return tell(measure(args, tree, sanitized, python, named))
    except (Failed, subprocess.CalledProcessError) as fault:
        print(f"mutate: {fault}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
