#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turn rule files into one C file.

    tools/embed_rules.py OUT.c FILE...

A file is called as its path under rules/. Whether its rows are well formed is seen by
tools/check_rules.c, which reads them as the program does."""
import pathlib
import sys

from embed_prompts import c_string


def name_of(path):
    """"context.rules", "rare/verbal.rules"."""
    parts = path.parts
    return "/".join(parts[len(parts) - parts[::-1].index("rules"):])


def main(out, files):
    paths = sorted(map(pathlib.Path, files), key=name_of)
    rows = "".join(f'    {{"{name_of(path)}",\n{c_string(path.read_bytes())}}},\n' for path in paths)
    pathlib.Path(out).write_text(
        "/* Made by tools/embed_rules.py from the files of rules/. */\n"
        '#include "language/embedded_rules.h"\n\n'
        f"const rules_file rules_embedded[] = {{\n{rows}}};\n"
        f"const size_t rules_n_embedded = {len(paths)};\n", encoding="ascii")
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
