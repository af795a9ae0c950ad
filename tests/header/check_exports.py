#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check that the shared libraries export what the public headers declare, no more and no less, and how much that is.

    check_exports.py --most N INCLUDE LIBRARY...

Each declared function is exported by one of the libraries; there are at most N of them.
"""
import argparse
import collections
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


def complaints(declared, exported, most):
    """Yield what is wrong; `declared` has the names by header, `exported` the libraries by name."""
    for header, names in sorted(declared.items()):
        missing = sorted(names - exported.keys())
        yield from (f"{name}: {header} declares it, but no library has it" for name in missing)
    for name in sorted(exported.keys() - set().union(*declared.values())):
        yield f"{name}: exported, but no public header declares it"
    for name, libraries in sorted(exported.items()):
        if len(libraries) > 1:
            yield f"{name}: exported by {' and '.join(libraries)}"
    total = sum(map(len, declared.values()))
    if total > most:
        yield (f"{total} public functions, more than {most}: declare what no program outside needs in src/ROOM/, "
               "without RDV_API (docs/adr/0028)")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--most", type=int, required=True)
    parser.add_argument("include", type=pathlib.Path)
    parser.add_argument("library", nargs="+", type=pathlib.Path)
    options = parser.parse_args()

    declared = {header.name: declared_in(header) for header in options.include.rglob("*.h")}
    exported = collections.defaultdict(list)
    for library in options.library:
        for name in exported_by(library):
            exported[name].append(library.name)
    bad = list(complaints(declared, exported, options.most))
    for header, names in sorted(declared.items()):
        print(f"{len(names):4} {header}")
    print(*bad, f"{sum(map(len, declared.values()))} declared, {len(exported)} exported", sep="\n")
    return 0 if exported and not bad else 1


if __name__ == "__main__":
    sys.exit(main())
