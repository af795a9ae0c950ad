#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""List what the tests do not reach, from what `llvm-cov export` writes.

    tools/coverage.py EXPORT.json FOLDER

Writes FOLDER/rooms.txt (lines, branches and MC/DC of each room) and FOLDER/uncovered.txt: each outcome of a
branch in the rooms below that no test has, with the reason that tests/coverage/uncovered.md gives. Prints the
first, what has no reason, and each reason whose branch is gone; then the exit status is 1. A branch that has a
reason and is covered is only counted: some are reached or not by the order in which things happen.

A branch is a condition with its two outcomes, or a label of a switch. It is known by its file, its function and
its text, so that a reason does not depend on line numbers.
"""
import collections
import json
import pathlib
import re
import sys

PROJECT = pathlib.Path(__file__).resolve().parents[1]
REASONS = PROJECT / "tests/coverage/uncovered.md"

# The rooms whose branches are all covered or have a reason. Votes are a part of the room score.
LISTED = ("src/plan/", "src/answer/", "src/grade/", "src/run/", "server/", "src/score/")

# "- `src/run/call.c` `calls_wait`: `!grown` is never true"
REASON = re.compile(r"^- `([^`]+)` `([^`]+)`: `([^`]+)` is never (true|false|reached)$")

Branch = collections.namedtuple("Branch", "file function text never")


def say(branch):
    return f"`{branch.file}` `{branch.function}`: `{branch.text}` is never {branch.never}"


def room_of(name):
    """The folder of a room: src/run, server, cli."""
    parts = name.split("/")
    return "/".join(parts[:2]) if parts[0] == "src" else parts[0]


def text_between(lines, start, end):
    """The source between two places (line, column), from 1, in one line."""
    (first, left), (last, right) = start, end
    part = lines[first - 1:last]
    rest = part[-1][right - 1:]
    part[-1] = part[-1][:right - 1]
    part[0] = part[0][left - 1:]
    text = re.sub(r"\s+", " ", " ".join(part)).strip()
    return text + arguments(rest) if re.fullmatch(r"!?\w*", text) else text


def arguments(rest):
    """The arguments of a macro, whose region ends with its name or before it."""
    name = re.match(r"\w*\(", rest)
    if not name:
        return ""
    depth, at = 1, name.end()
    while depth and at < len(rest):
        depth += {"(": 1, ")": -1}.get(rest[at], 0)
        at += 1
    return rest[:at]


def is_missing_default(lines, start):
    """A switch without a default has a branch to none of its labels, at its condition. It needs no test:
    every switch of ours lists all values of an enum, and the compiler's -Wswitch checks this."""
    return lines[start[0] - 1][:start[1] - 1].endswith("switch (")


class Functions:
    """Which function a line of a file is in."""

    def __init__(self, exported, root):
        self.of = collections.defaultdict(list)
        for function in exported:
            name = function["name"].split(":")[-1]
            spans = collections.defaultdict(list)
            for region in function["regions"]:
                if region[5] == 0:  # of the function's own file, not of a macro
                    spans[function["filenames"][0]].append((region[0], region[2]))
            for file, lines in spans.items():
                file = relative(file, root)
                self.of[file].append((min(a for a, _ in lines), max(b for _, b in lines), name))

    def at(self, file, line):
        inside = [(end - start, name) for start, end, name in self.of[file] if start <= line <= end]
        return min(inside)[1] if inside else "-"


def relative(file, root):
    path = pathlib.Path(file)
    return str(path.relative_to(root)) if path.is_relative_to(root) else str(path)


def outcomes_of(exported, sources, functions, root):
    """Yield (line, Branch, count) for each outcome in the listed rooms."""
    for file in exported["files"]:
        name = relative(file["filename"], root)
        if not name.startswith(LISTED):
            continue
        lines = sources(name)
        counts = collections.defaultdict(lambda: [0, 0])  # an inline function of a header has several copies
        for branch in file["branches"]:
            both = counts[tuple(branch[0:4])]
            both[:] = both[0] + branch[4], both[1] + branch[5]
        for place, (true, false) in sorted(counts.items()):
            start, end = place[0:2], place[2:4]
            if is_missing_default(lines, start):
                continue
            text = text_between(lines, start, end)
            function = functions.at(name, start[0])
            if text.startswith(("case ", "default")):
                yield start[0], Branch(name, function, text.rstrip(":"), "reached"), true
                continue
            yield start[0], Branch(name, function, text, "true"), true
            yield start[0], Branch(name, function, text, "false"), false


def reasons_of(text):
    """Branch -> the heading it stands under."""
    heading, found = "", {}
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("#"):
            heading = line.lstrip("# ")
        elif line.startswith("- `"):
            match = REASON.match(line)
            if not match:
                sys.exit(f"{REASONS}:{number}: not of the form: {say(Branch('FILE', 'FUNCTION', 'TEXT', 'true'))}")
            found[Branch(*match.groups())] = heading
    return found


def figure(of):
    if not of["count"]:
        return "       -"
    return f"{of['covered']:>6} of {of['count']:>6} {100 * of['covered'] / of['count']:6.2f} %"


def rooms_table(exported, root):
    rooms = collections.defaultdict(lambda: {what: {"count": 0, "covered": 0} for what in ("lines", "branches", "mcdc")})
    for file in exported["files"]:
        room = room_of(relative(file["filename"], root))
        for of in (rooms[room], rooms["all"]):
            for what, sums in of.items():
                for key in sums:
                    sums[key] += file["summary"].get(what, sums)[key] if what in file["summary"] else 0
    order = sorted(room for room in rooms if room != "all") + ["all"]
    lines = [f"{'room':<12} {'lines':>25} {'branches':>25} {'MC/DC':>25}"]
    lines += [f"{room:<12} " + " ".join(f"{figure(rooms[room][what]):>25}" for what in ("lines", "branches", "mcdc"))
              for room in order]
    return "\n".join(lines) + "\n"


def main(export, folder):
    exported = json.loads(pathlib.Path(export).read_text())["data"][0]
    folder = pathlib.Path(folder)
    table = rooms_table(exported, PROJECT)
    (folder / "rooms.txt").write_text(table)
    print(table)

    functions = Functions(exported["functions"], PROJECT)
    outcomes = list(outcomes_of(exported, lambda name: (PROJECT / name).read_text().splitlines(), functions, PROJECT))
    uncovered = [(line, branch) for line, branch, count in outcomes if not count]
    reasons = reasons_of(REASONS.read_text())
    with (folder / "uncovered.txt").open("w") as out:
        for line, branch in uncovered:
            print(f"{branch.file}:{line}: {branch.function}: `{branch.text}` is never {branch.never}: "
                  f"{reasons.get(branch, 'NO REASON')}", file=out)
    unnamed = [(line, branch) for line, branch in uncovered if branch not in reasons]
    for line, branch in unnamed:
        print(f"no test, no reason: {branch.file}:{line}: {branch.function}: `{branch.text}` is never {branch.never}")
    gone = sorted(set(reasons) - {branch for _, branch, _ in outcomes})
    for branch in gone:
        print(f"{REASONS.relative_to(PROJECT)}: gone: {say(branch)}")
    by_reason = collections.Counter(reasons[branch] for _, branch in uncovered if branch in reasons)
    for reason, n in by_reason.most_common():
        print(f"{n:>5}  {reason}")
    covered = set(reasons) - {branch for _, branch in uncovered} - set(gone)
    print(f"{len(uncovered)} outcomes of branches are not covered, {len(unnamed)} of them without a reason; "
          f"{len(covered)} that have a reason were covered this time")
    return 1 if unnamed or gone else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
