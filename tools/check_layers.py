#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check that includes go one way only: a room includes itself and the rooms below it.

    tools/check_layers.py [ROOT]

The rooms and their order, from the ground up, are the list in src/meson.build; server/ and cli/ stand on top. A room that is
not in it is not built yet: it is named, and not checked. Public headers include public headers and the standard
library. A third-party library is known to the rooms named below, so that replacing it stays a change of one room.
"""
import pathlib
import re
import sys

# Header (or its folder) of a third-party library -> the rooms that may include it.
THIRD_PARTY = {
    "jansson.h": {"data", "model"},
    "zlib.h": {"data"},
    "curl": {"run"},
    "uv.h": {"run", "server"},
    "microhttpd.h": {"server"},
    "sqlite3.h": {"run"},
    "pthread.h": {"lm"},
    "dlfcn.h": {"reward"},
    "xgboost": {"reward"},
    "gmp.h": {"math"},
    "mpfr.h": {"math"},
    "arb.h": {"math"},
    "flint": {"math"},
}

ROOM_LIST = re.compile(r"^foreach room : \[([^]]*)\]", re.MULTILINE)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]')


def ranks_of(root):
    """Each room's place from the ground up, the command line being the last."""
    rooms = ROOM_LIST.search((root / "src/meson.build").read_text(encoding="utf-8")).group(1)
    return {room: rank for rank, room in enumerate(re.findall(r"\w+", rooms) + ["server", "cli"])}


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
    top = ("server", "cli")
    places = [("", root / "include"), *((room, root / room) for room in top)]
    places += [(room, root / "src" / room) for room in ranks if room not in top]
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
    print(f"layers: {count} files, {bad} complaints")
    return 1 if bad or not count else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
