#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turn rule files into one C file.

    tools/embed_rules.py OUT.c FILE...

A file's name is that of its folder's entry. Whether its rows are well formed is seen by
unit/language/rule, which reads them as the program does."""
import pathlib
import sys

from embed_prompts import c_string


def main(out, files):
    paths = sorted(map(pathlib.Path, files), key=lambda path: path.name)
    rows = "".join(f'    {{"{path.name}",\n{c_string(path.read_bytes())}}},\n' for path in paths)
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
