#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check that the shared library exports what the public headers declare, no more and no less.

    check_exports.py INCLUDE LIBRARY
"""
import pathlib
import re
import subprocess
import sys

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
DECLARATION = re.compile(r"^RDV_API\b[^;{]*?\b(rdv_\w+)\s*[(\[;]", re.MULTILINE)


def declared_in(include):
    """The names that the public headers mark RDV_API."""
    names = set()
    for header in include.rglob("*.h"):
        names.update(DECLARATION.findall(COMMENT.sub("", header.read_text(encoding="utf-8"))))
    return names


def exported_by(library):
    """The names of ours that the library exports; the compiler's own are left out."""
    listed = subprocess.run(["nm", "-D", "--defined-only", "--format=posix", library],
                            stdout=subprocess.PIPE, text=True, check=True)
    names = {line.split()[0] for line in listed.stdout.splitlines()}
    return {name for name in names if name.startswith("rdv_")}


def main(include, library):
    declared, exported = declared_in(pathlib.Path(include)), exported_by(library)
    for name in sorted(declared - exported):
        print(f"{name}: declared, but the library does not have it")
    for name in sorted(exported - declared):
        print(f"{name}: exported, but no public header declares it")
    print(f"{len(declared)} declared, {len(exported)} exported")
    return 0 if declared and declared == exported else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
