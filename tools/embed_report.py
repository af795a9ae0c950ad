#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turn the style sheet and the scripts of a report into one C file, with the hashes that the report's
security policy names.

    tools/embed_report.py OUT.c report.css report.js katex-licence.txt [katex.js]

Without katex.js, formulas are not drawn.
"""
import base64
import hashlib
import pathlib
import sys

from embed_prompts import c_string


def c_file(parts):
    """parts: (name, bytes)."""
    out = ["/* Made by tools/embed_report.py from src/report/. */\n", '#include "report/html_parts.h"\n']
    for name, data in parts:
        if any(end in data.lower() for end in (b"</script", b"</style", b"<!--")):
            sys.exit(f"report, {name}: it holds the end of its own element")
        digest = base64.b64encode(hashlib.sha256(data).digest()).decode()
        out.append(f"\nconst char html_{name}[] =\n{c_string(data)};\n"
                   f'const char html_{name}_hash[] = "sha256-{digest}";\n')
    return "".join(out)


def with_licence(licence, library):
    return b"/*\n" + licence + b"*/\n" + library if library else b""


def main(out, css, js, licence, *katex):
    css, js, licence, *katex = [pathlib.Path(path).read_bytes() for path in (css, js, licence, *katex)]
    katex = with_licence(licence, b"".join(katex))
    pathlib.Path(out).write_text(c_file([("css", css), ("js", js), ("katex", katex)]), encoding="ascii")


if __name__ == "__main__":
    if len(sys.argv) not in (5, 6):
        sys.exit(__doc__)
    main(*sys.argv[1:])
