#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check the order of the rooms: a room includes only from itself and from the rooms below it.

    tools/check_layers.py [ROOT]

The list `rooms` in src/meson.build defines the rooms and their order, from the bottom up; server/, mcp/ and cli/ are
above them. The table in CONTRIBUTING.md must show the same rooms in the same order. A folder of src/ that is not in the list
is named but not checked. Public headers include public headers and the standard library. Only the rooms named below
may include a third-party library, so that replacing it is a change in few places.

Every room has a folder of unit tests, tests/unit/ROOM. A test there may include the private headers that its room may
include, and helper headers of the tests.

Files that use each other's functions or tables, directly or through others, form a circle: none of them can be read
without the rest. Only the circles named below may exist, at most four. A folder of src/ holds at most 60 files.
"""
import pathlib
import re
import sys

# Header (or its folder) of a third-party library -> the rooms that may include it; cli: to open the library late.
THIRD_PARTY = {
    "jansson.h": {"data", "model"},
    "zlib.h": {"data", "report", "cli"},
    "curl": {"run", "cli"},
    "uv.h": {"run", "server"},
    "llhttp.h": {"server"},
    "sqlite3.h": {"run", "cli"},
    "pthread.h": {"base", "lm"},
    "dlfcn.h": {"reward", "cli"},
    "xgboost": {"reward"},
    "arb.h": {"expression", "algebra", "decide"},
    "flint": {"notation", "expression", "algebra", "claims", "decide"},
}

# The circles that may exist: their files, and why they are not opened.
CIRCLES = {
    ("expression/call.c", "expression/parse.c", "expression/parse_measure.c", "expression/parse_words.c"):
        "one grammar by recursive descent, divided into operators, functions, words and units",
    ("algebra/formula.c", "algebra/formula_functions.c"):
        "one grammar by recursive descent, divided into operators and functions",
    ("algebra/field_eval.c", "algebra/field_exponentials.c", "algebra/field_functions.c", "algebra/field_roots.c"):
        "one recursive evaluation: the argument of each kind of function may hold all others",
    ("cli/program.c", "cli/reproduce/cmd_reproduce.c", "cli/reproduce/run.c"):
        "reproduce is a command that runs commands, and program.c has the table of all",
}
MOST_CIRCLES = 4
MOST_FILES = 60

ROOM_LIST = re.compile(r"^rooms = \[([^]]*)\]", re.MULTILINE)
ROOM_ROW = re.compile(r"^\| `(?:src/)?(\w+)/` \|", re.MULTILINE)
TOP = ("mcp", "server", "cli")
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def ranks_of(root):
    """The rank of each room from the bottom up; the command line is the last."""
    rooms = ROOM_LIST.search((root / "src/meson.build").read_text(encoding="utf-8")).group(1)
    return {room: rank for rank, room in enumerate((*re.findall(r"\w+", rooms), *TOP))}


def table_complaint(root, ranks):
    """What is wrong with the table of rooms in CONTRIBUTING.md, or None."""
    rows = ROOM_ROW.findall((root / "CONTRIBUTING.md").read_text(encoding="utf-8"))
    rows = [room for room in rows if room != "include"]
    if rows == list(ranks):
        return None
    return f"the table of rooms must be {', '.join(ranks)}, as in src/meson.build; it is {', '.join(rows)}"


def test_complaint(ranks, room, mark, header):
    """Why a unit test of `room` may not include this, or None."""
    if mark == "<" or "/" not in header or header.startswith("../"):
        return None
    return complaint(ranks, room, mark, header)


def test_includes(root, ranks):
    """Yield (path, line number, complaint) of the unit tests and of their folders."""
    unit = root / "tests/unit"
    for room in ranks:
        if room != "cli" and not (unit / room / "meson.build").exists():
            yield unit / room, 0, "the room has no unit tests"
    for folder in sorted(path for path in unit.iterdir() if path.is_dir()):
        if folder.name not in ranks:
            yield folder, 0, "it is not named after a room"
            continue
        for path in sorted(folder.glob("*.[ch]")):
            for number, mark, header in includes_of(path):
                why = test_complaint(ranks, folder.name, mark, header)
                if why:
                    yield path, number, why


def includes_of(path):
    """Yield (line number, '<' or '"', what is included)."""
    text = path.read_text(encoding="utf-8", errors="replace")
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        if match:
            yield number, match.group(1), match.group(2)


def owners_of(header):
    """The rooms that may include this third-party header, or None when it is not one of them."""
    return THIRD_PARTY.get(header) or THIRD_PARTY.get(header.split("/")[0])


def complaint(ranks, room, mark, header):
    """Why a file of `room` ("" for a public header) may not include this, or None."""
    if header.startswith("rederive/"):
        return None
    if mark == "<":
        owners = owners_of(header)
        if owners is None or room in owners:
            return None
        return f"<{header}> is known to {', '.join(sorted(owners))} only"
    if not room:
        return f'a public header may not include the private "{header}"'
    if "/" not in header:
        return None if room == "cli" else f'"{header}" should be named with its room'
    other = header.split("/")[0]
    if other not in ranks:
        return f'"{header}" is in no room'
    if ranks[other] > ranks[room]:
        return f'{room} may not know {other} ("{header}")'
    return None


def files_of(root, ranks):
    """Yield (room, path) of every C file that the rule is about; room "" is the public headers."""
    places = [("", root / "include"), *((room, root / room) for room in TOP)]
    places += [(room, root / "src" / room) for room in ranks if room not in TOP]
    for room, place in places:
        for path in sorted(place.rglob("*.[ch]")):
            yield room, path


def unbuilt(root, ranks):
    """The folders under src/ that are no rooms of the build."""
    return sorted(d.name for d in (root / "src").iterdir() if d.is_dir() and d.name not in ranks)


def crowded(root):
    """Yield (folder, how many files it holds) for the folders of src/ that hold too many."""
    for folder in sorted(path for path in (root / "src").rglob("*") if path.is_dir()):
        count = sum(path.suffix in (".c", ".h") for path in folder.iterdir())
        if count > MOST_FILES:
            yield folder, count


# ---- circles ----

NO_CODE = re.compile(r'/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|^\s*#[^\n]*(?:\\\n[^\n]*)*', re.DOTALL | re.MULTILINE)
FUNCTION = re.compile(r"^(?!static\b|typedef\b|extern\b|return\b)[A-Za-z_][\w \t*\n]*?\b(\w+)\s*\([^;{}]*\)\s*\{", re.MULTILINE)
TABLE = re.compile(r"^const [\w *]+?\b(\w+)(?:\[[^]]*\])*\s*=", re.MULTILINE)
OWN = re.compile(r"^static\b[^;={]*?\b(\w+)\s*\(", re.MULTILINE)
NAME = re.compile(r"\b[A-Za-z_]\w*\b")


def uses_of(root):
    """Which source file uses functions or tables that which other one defines: {path: {path: names}}."""
    places = [root / "src", *(root / top for top in TOP)]
    code = {path: NO_CODE.sub(" ", path.read_text(encoding="utf-8")) for place in places for path in sorted(place.rglob("*.c"))}
    owner = {name: path for path, text in code.items() for rule in (FUNCTION, TABLE) for name in rule.findall(text)}
    uses = {path: {} for path in code}
    for path, text in code.items():
        for name in sorted(set(NAME.findall(text)) - set(OWN.findall(text))):
            if owner.get(name, path) != path:
                uses[path].setdefault(owner[name], []).append(name)
    return uses


def circles_of(uses):
    """The sets of files that reach each other, by Tarjan's algorithm, without recursion."""
    index, low, stack, found = {}, {}, [], []
    for start in uses:
        work = [] if start in index else [(start, iter(uses[start]))]
        while work:
            node, rest = work[-1]
            if node not in index:
                index[node] = low[node] = len(index)
                stack.append(node)
            after = next(rest, None)
            if after is None:
                work.pop()
                if work:
                    low[work[-1][0]] = min(low[work[-1][0]], low[node])
                if low[node] == index[node]:
                    at = stack.index(node)
                    if len(stack) - at > 1:
                        found.append(sorted(stack[at:]))
                    for done in stack[at:]:
                        low[done] = len(uses)
                    del stack[at:]
            elif after not in index:
                work.append((after, iter(uses[after])))
            elif after in stack:
                low[node] = min(low[node], index[after])
    return found


def circle_complaints(root, uses):
    """Yield what is wrong with the circles of files: those that are not named above, and too many of them."""
    circles = circles_of(uses)
    for circle in circles:
        names = {path.relative_to(root).as_posix().removeprefix("src/") for path in circle}
        if any(names <= set(files) for files in CIRCLES):
            continue
        ties = (f"{a.name} -> {b.name} ({', '.join(uses[a][b][:3])})" for a in circle for b in circle if b in uses[a])
        yield f"a circle of {len(circle)} files: {'; '.join(ties)}"
    if len(circles) > MOST_CIRCLES:
        yield f"{len(circles)} circles of files, more than {MOST_CIRCLES}"


def main(root):
    ranks = ranks_of(root)
    bad = count = 0
    for room in unbuilt(root, ranks):
        print(f"src/{room}: not in the build yet, not checked")
    for room, path in files_of(root, ranks):
        count += 1
        for number, mark, header in includes_of(path):
            why = complaint(ranks, room, mark, header)
            if why:
                print(f"{path.relative_to(root)}:{number}: {why}")
                bad += 1
    for path, number, why in test_includes(root, ranks):
        print(f"{path.relative_to(root)}:{number}: {why}")
        bad += 1
    for folder, files in crowded(root):
        print(f"{folder.relative_to(root)}: {files} files, more than {MOST_FILES}")
        bad += 1
    uses = uses_of(root)
    for why in circle_complaints(root, uses):
        print(why)
        bad += 1
    why = table_complaint(root, ranks)
    if why:
        print(f"CONTRIBUTING.md: {why}")
        bad += 1
    print(f"layers: {count} files, {len(circles_of(uses))} circles of files, {bad} complaints")
    return 1 if bad or not count else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
