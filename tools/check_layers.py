#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check the order of the rooms: a room includes only from itself and from the rooms below it.

    tools/check_layers.py [ROOT]

The list `rooms` in src/meson.build defines the rooms and their order, from the bottom up; server/ and cli/ are above
them. The table in CONTRIBUTING.md must show the same rooms in the same order. A folder of src/ that is not in the list
is named but not checked. Public headers include public headers and the standard library. Only the rooms named below
may include a third-party library, so that replacing it is a change in few places.

Every room has a folder of unit tests, tests/unit/ROOM. A test there may include the private headers that its room may
include, and helper headers of the tests.
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
    "pthread.h": {"lm"},
    "dlfcn.h": {"reward", "cli"},
    "xgboost": {"reward"},
    "gmp.h": {"math"},
    "mpfr.h": {"math"},
    "arb.h": {"math"},
    "flint": {"math"},
}

ROOM_LIST = re.compile(r"^rooms = \[([^]]*)\]", re.MULTILINE)
ROOM_ROW = re.compile(r"^\| `(?:src/)?(\w+)/` \|", re.MULTILINE)
TOP = ("server", "cli")
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
    why = table_complaint(root, ranks)
    if why:
        print(f"CONTRIBUTING.md: {why}")
        bad += 1
    print(f"layers: {count} files, {bad} complaints")
    return 1 if bad or not count else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
