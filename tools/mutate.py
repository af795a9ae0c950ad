#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Would the tests notice? Mutation testing of the library's rooms with their fast tests.

    tools/mutate.py [--number N] [--seed S] [--rooms plan,run,...] [--seconds T] [--work DIR] [--without-sanitizers]

Mutants are what universalmutator (pinned, in a virtual environment of its own) makes of the sources: each is one
line changed. The seed puts the mutants of each room in an order; the first ones are tried, the same number of each
room. A mutant counts if it compiles, its object differs from the original's (compiled as it is tested, and with
-O2), and tests/mutants/survivors.txt does not name it as equivalent (such a one is not tried). It is killed if one of the room's fast tests
fails or does not end. One that none of them kills is tried once more with the address sanitizer and that of undefined behaviour, by the quickest
tests that fit in what is left of 30 s, unless --without-sanitizers is given, which spares their build. DIR/results.jsonl keeps the results, so that the same command goes
on; later, a mutant that survived is tried with the tests that have changed since.

The sources are those of HEAD, copied to DIR/tree, so the work tree is not touched. Exit status: 0; 1: fewer than
90 % are killed; 2: it could not be measured."""

import argparse
import collections
import hashlib
import json
import math
import re
import subprocess
import sys
import time
from pathlib import Path

from mutant_tree import LINK, PROJECT, SECONDS, TESTS, Change, Failed, Tree, copy_of_head, processor_seconds

MUTATOR = "universalmutator==1.14.1"
NAMED = Path("tests/mutants/survivors.txt")
WANTED = 0.9
SANITIZED = "sanitized "  # before the name of a test
MACRO = re.compile(r"#\s*define (\w+)")
OWNER = re.compile(r"(\w+)\s*[(\[;={]")  # the name of what begins in the first column
WORD = re.compile(r"(\w+)")
ATTRIBUTE = re.compile(r"__attribute__\(\(\w+\)\)")
MOST_LINES = 12  # of what stands before its bracket
FUNCTION = re.compile(r"\w+(?: in \w+\.c)?")  # a line of survivors.txt

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


class Source:
    """A file of the tree; each of its lines belongs to a function, a table, a type or a macro."""

    def __init__(self, path, name):
        self.name, self.base = name, path.name
        self.lines = path.read_text().splitlines(keepends=True)
        self.owners = owners_of(self.lines)

    def digest(self):
        return hashlib.sha256("".join(self.lines).encode()).hexdigest()[:16]


def owners_of(lines):
    """For each line the name of the function, table, type or macro that it belongs to; what is between these belongs to
    the one before. Our sources begin each of them, and nothing else, in the first column."""
    owners, owner = [], ""
    for i, line in enumerate(lines):
        if MACRO.match(line):
            owner = MACRO.match(line)[1]
        elif line[0].isalpha() or line[0] == "_":
            head = re.split("[{;=]", ATTRIBUTE.sub("", "".join(lines[i:i + MOST_LINES])))[0] + ";"
            owner = (OWNER.search(head) or WORD.search(head))[1]
        elif line.startswith("} "):  # a type without a name of its own, then the table of its rows
            owner = OWNER.search(line)[1]
        owners.append(owner)
    return owners


class Mutant:
    """One line of a source changed. Its key depends neither on the other functions nor on the folder of the file."""

    def __init__(self, source, number, after, nth):
        self.source, self.line, self.after, self.nth = source, number, after, nth
        self.function = source.owners[number - 1]
        self.key = "\t".join([source.base, self.function, str(nth), self.before_text(), self.after_text()])

    def before_text(self):
        return self.source.lines[self.line - 1].strip()

    def after_text(self):
        return " ".join(self.after.split())

    def text(self):
        lines = self.source.lines
        return "".join([*lines[:self.line - 1], self.after, *lines[self.line:]])

    def order(self, seed):
        return hashlib.sha256(f"{seed}\t{self.key}".encode()).digest()


def mutants_of(tree, room, python):
    """Every mutant of a room."""
    sources = tree.sources_of(room)
    made = json.loads(subprocess.run([str(python), "-c", MUTATE, *map(str, sources)], stdout=subprocess.PIPE,
                                     check=True).stdout)
    found = []
    for path in sources:
        source = Source(path, str(path.relative_to(tree.source)))
        earlier = collections.Counter()
        for number, after in made[str(path)]:
            change = source.owners[number - 1], source.lines[number - 1].strip(), " ".join(after.split())
            if change[1].startswith("#include"):
                continue
            found.append(Mutant(source, number, after, earlier[change]))
            earlier[change] += 1
    return found


class Named:
    """The survivors that the project names with a reason; the format is in the file itself. An entry is found by its
    function and its text, wherever the function stands."""

    def __init__(self, path):
        self.reasons = {}
        function = before = key = None
        nth = 1
        for number, line in enumerate(path.read_text().splitlines() if path.exists() else [], 1):
            if line.startswith("@ "):
                nth = int(line[2:])
            elif line.startswith("- "):
                before = line[2:].strip()
            elif line.startswith("+"):
                key = function, nth, before, line[1:].strip()
                if key in self.reasons or not function or not before:
                    raise Failed(f"{path}:{number}: named twice, or without a function or what is changed")
                self.reasons[key] = []
                nth = 1
            elif line.startswith("  ") and key:
                self.reasons[key].append(line.strip())
            elif FUNCTION.fullmatch(line):
                function, before, key = line, None, None
            elif line and not line.startswith("#"):
                raise Failed(f"{path}:{number}: neither a function, nor '@ ', '- ', '+ ' or a reason")
        for key, reason in self.reasons.items():
            if not reason:
                raise Failed(f"{path}: no reason for {key}")

    def reason(self, mutant):
        change = mutant.nth + 1, mutant.before_text(), mutant.after_text()
        return " ".join(self.reasons.get((mutant.function, *change)) or
                        self.reasons.get((f"{mutant.function} in {mutant.source.base}", *change), []))

    def stale(self, root):
        """The entries whose line stands in no function of that name, and those that two functions could be."""
        found = collections.defaultdict(set)
        for path in sorted((root / "src").rglob("*.c")):
            source = Source(path, str(path.relative_to(root)))
            for function, line in zip(source.owners, source.lines):
                found[function, line.strip()].add(source.name)
                found[f"{function} in {source.base}", line.strip()].add(source.name)
        for function, _, before, _ in self.reasons:
            if len(found[function, before]) != 1:
                yield f"{function}: {before} ({', '.join(sorted(found[function, before])) or 'nowhere'})"


def file_of(key):
    return key.split("\t")[0]


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
            self.killers[file_of(result["key"])][result["by"]] += 1

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
        own = self.killers[mutant.source.base]
        stem, room = Path(mutant.source.base).stem, mutant.source.name.split("/")[1]
        return sorted(names, key=lambda name: (-own[name], name.split("/")[-1] != stem, not name.startswith(f"unit/{room}/"), usual[name]))


class Suite:
    """The fast tests of a room: those of the plain build, and those of the sanitized one for which time is left."""

    def __init__(self, plain, sanitized, room):
        self.plain, self.sanitized = plain, sanitized
        self.seconds = plain.prepare(room)
        self.names = plain.tests_of(room)
        self.quick = []
        if sanitized:
            sanitized.prepare(room)
            self.quick = sanitized.quickest(room, SECONDS - self.seconds)
        self.digests = {**{name: plain.digests[name] for name in self.names},
                        **{SANITIZED + name: sanitized.digests[name] for name in self.quick}}

    def outcome(self, mutant, results, passed):
        """What becomes of a mutant that has passed some tests before, as members of its result."""
        left = [name for name, digest in self.digests.items() if passed.get(name) != digest]
        change = Change(self.plain, mutant.source.name, mutant.text())
        if not change.compiles():
            return {"outcome": "invalid"}
        if not change.differs():
            return {"outcome": "equivalent"}
        names = [name for name in self.names if name in left]
        failed = change.first_failure(results.order(mutant, names, self.plain.usual))
        if not failed and not change.differs_optimised():
            return {"outcome": "equivalent"}
        if not failed and self.quick:
            change = Change(self.sanitized, mutant.source.name, mutant.text())
            names = [name for name in self.quick if SANITIZED + name in left]
            failed = change.first_failure(names) if change.compiles() else ("", LINK, 0)
            failed = failed and (SANITIZED + failed[0], *failed[1:])
        if not failed:
            return {"outcome": "survived", "passed": self.digests}
        by, what, seconds = failed
        return {"outcome": "invalid"} if what == LINK else {"outcome": "killed", "by": by, "what": what, "seconds": round(seconds, 2)}


def judge(suite, mutant, results, file_digest):
    """What becomes of a mutant. One that survived is tried with the tests that have changed since, and one whose killer is
    gone with all."""
    result = results.of(mutant, file_digest)
    passed = result.get("passed", {}) if result else {}
    outcome = result["outcome"] if result else None
    if outcome in ("invalid", "equivalent") or outcome == "killed" and result["by"] in suite.digests or \
            outcome == "survived" and passed == suite.digests:
        return result
    begun = processor_seconds()
    result = {"key": mutant.key, "line": mutant.line, "file": file_digest, **suite.outcome(mutant, results, passed)}
    result["took"] = round(processor_seconds() - begun, 2)
    results.add(result)
    return result


def show(mutant, reason):
    print(f"{mutant.source.name}:{mutant.line}: survives{': ' + reason if reason else ''}\n{mutant.function}\n" +
          (f"@ {mutant.nth + 1}\n" if mutant.nth else "") +
          f"- {mutant.before_text()}\n+ {mutant.after_text()}", flush=True)


def measure(args, tree, sanitized, python, named):
    """Results by room, of the mutants that count or are named: [(outcome, reason, killed at first), ...]"""
    results = Results(args.work / "results.jsonl")
    rooms = args.rooms.split(",")
    queues, counted, suites = {}, {room: [] for room in rooms}, {}
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
        result = judge(suites[room], mutant, results, mutant.source.digest())
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
    parser = argparse.ArgumentParser(usage=__doc__.replace("%", "%%"))
    parser.add_argument("--number", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rooms", default=",".join(TESTS))
    parser.add_argument("--seconds", type=float, default=float("inf"))
    parser.add_argument("--without-sanitizers", action="store_true")
    parser.add_argument("--work", type=Path, default=PROJECT / "build" / "mutate")
    args = parser.parse_args()
    args.work = work = args.work.resolve()
    work.mkdir(parents=True, exist_ok=True)
    try:
        python = python_with_mutator(work)
        with copy_of_head(work):
            tree, sanitized = Tree(work), None if args.without_sanitizers else Tree(work, sanitized=True)
            named = Named(PROJECT / NAMED)
            for entry in named.stale(tree.source):
                print(f"{NAMED}: no such line: {entry}")
            return tell(measure(args, tree, sanitized, python, named))
    except (Failed, subprocess.CalledProcessError) as fault:
        print(f"mutate: {fault}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
