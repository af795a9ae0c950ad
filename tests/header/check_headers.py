#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compile each public header alone, as the first thing a user's file includes."""
import argparse
import pathlib
import subprocess
import sys

STRICT = ["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-pedantic", "-Werror", "-fsyntax-only"]


def compiles(compiler, language, standard, include, header):
    """Whether a file that includes only `header` compiles; says why not on standard error."""
    command = [*compiler, *STRICT, "-std=" + standard, "-I", str(include),
               "-include", header, "-x", language, "/dev/null"]
    done = subprocess.run(command, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        print(f"{header} as {standard}:\n{done.stderr}", file=sys.stderr)
    return done.returncode == 0


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("include", type=pathlib.Path)
    parser.add_argument("--cc", nargs="+", required=True)
    parser.add_argument("--cxx", nargs="+")
    options = parser.parse_args()

    headers = sorted(str(h.relative_to(options.include)) for h in options.include.rglob("*.h"))
    if not headers:
        sys.exit(f"no headers in {options.include}")
    good = True
    for header in headers:
        good &= compiles(options.cc, "c", "c17", options.include, header)
        if options.cxx:
            good &= compiles(options.cxx, "c++", "c++17", options.include, header)
    print(f"{len(headers)} headers")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
