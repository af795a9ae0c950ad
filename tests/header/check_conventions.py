#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check that the public headers keep the conventions of docs/adr/0028.

    check_conventions.py INCLUDE [--later HEADER...]

Options begin with their size. An object that is made is not the first parameter; the rdv_error is the last one. The headers
named after --later do not keep them yet; one that does is named in vain.
"""
import argparse
import pathlib
import re
import sys

COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
OPTIONS = re.compile(r"^typedef struct (rdv_\w*options) \{\s*([^;]*);", re.MULTILINE)
FUNCTION = re.compile(r"^RDV_API\b[^;{]*?\b(rdv_\w+)\(([^;{]*?)\)\s*(?:RDV_PRINTF\([^)]*\))?;", re.MULTILINE | re.DOTALL)


def complaints(text):
    """Yield what is wrong in one header."""
    text = COMMENT.sub("", text)
    for name, first in OPTIONS.findall(text):
        if first.split() != ["size_t", "size"]:
            yield f"{name} does not begin with `size_t size`"
    for name, listed in FUNCTION.findall(text):
        parameters = [" ".join(p.split()) for p in listed.split(",")]
        if "**" in parameters[0] and not name.endswith(("_free", "_close")):
            yield f"{name}(): a result comes after what is given"
        if any("rdv_error *" in p for p in parameters[:-1]) and "..." not in parameters:
            yield f"{name}(): the rdv_error is the last parameter"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("include", type=pathlib.Path)
    parser.add_argument("--later", nargs="*", default=[])
    options = parser.parse_args()

    bad = 0
    for header in sorted(options.include.rglob("*.h")):
        wrong = list(complaints(header.read_text(encoding="utf-8")))
        if header.name in options.later:
            wrong = [] if wrong else ["keeps the conventions: name it no longer after --later"]
        for why in wrong:
            print(f"{header.name}: {why}")
            bad += 1
    print(f"{bad} complaints")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
