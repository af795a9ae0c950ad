#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check that the shared library exports what the public headers declare, no more and no less.

    check_exports.py INCLUDE LIBRARY [HEADER...]

What the HEADERs named declare may still be missing; one whose functions are all there is named in vain.
"""
import pathlib
import re
import subprocess
import sys

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
DECLARATION = re.compile(r"^RDV_API\b[^;{]*?\b(rdv_\w+)\s*[(\[;]", re.MULTILINE)


def declared_in(header):
    """The names that a public header marks RDV_API."""
    return set(DECLARATION.findall(COMMENT.sub("", header.read_text(encoding="utf-8"))))


def exported_by(library):
    """The names of ours that the library exports; the compiler's own are left out."""
    listed = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", library],
                            stdout=subprocess.PIPE, text=True, check=True)
    names = {line.split()[0] for line in listed.stdout.splitlines()}
    return {name for name in names if name.startswith("rdv_")}


def complaints(declared, exported, planned):
    """Yield what is wrong; `declared` has the names by header."""
    for header, names in sorted(declared.items()):
        missing = sorted(names - exported)
        if header not in planned:
            yield from (f"{name}: {header} declares it, but the library does not have it" for name in missing)
        elif names and not missing:
            yield f"{header}: planned no longer, the library has all of it"
    for name in sorted(exported.difference(*declared.values())):
        yield f"{name}: exported, but no public header declares it"


def main(include, library, *planned):
    declared = {header.name: declared_in(header) for header in pathlib.Path(include).rglob("*.h")}
    exported = exported_by(library)
    bad = list(complaints(declared, exported, planned))
    print(*bad, f"{sum(map(len, declared.values()))} declared, {len(exported)} exported")
    return 0 if exported and not bad else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
