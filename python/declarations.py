#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Print what cffi is to know of C headers: `declarations.py CC INCLUDE HEADER...`.

The headers are the only source: declarations are what the preprocessor leaves of them, and every
macro that is a whole number is a constant, whose value the C compiler finds.
"""
import re
import subprocess
import sys
from pathlib import Path

OURS = re.compile(r'^#\s*include\s*[<"]((?:rederive|binding)/\w+\.h)[>"]', re.M)
ANY_INCLUDE = re.compile(r'^#\s*(?:include|pragma)\b.*$', re.M)
MACRO = re.compile(r'^#define[ \t]+(RDV_\w+)[ \t]+(\(?\(?[^"{}\n]*?[0-9])\)?\)?[ \t]*(?:<<[ \t]*[0-9]+\))?'
                   r'[ \t]*(?:/\*.*)?$', re.M)


def texts_of(folders: list[Path], header: str, seen: dict[str, str]) -> None:
    """The text of `header` and of those of ours that it includes, each once and in order."""
    if header in seen:
        return
    path = next(folder / header for folder in folders if (folder / header).exists())
    text = path.read_text(encoding='utf-8')
    seen[header] = ''  # its place is after what it includes
    for included in OURS.findall(text):
        texts_of(folders, included, seen)
    del seen[header]
    seen[header] = text


def declarations(compiler: list[str], folders: list[Path], headers: list[str]) -> str:
    """The declarations of all `headers`, as cffi's cdef() takes them."""
    seen: dict[str, str] = {}
    for header in headers:
        texts_of(folders, header, seen)
    source = ANY_INCLUDE.sub('', '\n'.join(seen.values()))
    # Without __GNUC__ the headers declare no attributes, which cffi does not read.
    done = subprocess.run([*compiler, '-E', '-P', '-U__GNUC__', '-x', 'c', '-'], input=source,
                          capture_output=True, text=True, check=True)
    constants = dict.fromkeys(m[1] for text in seen.values() for m in MACRO.finditer(text))
    return done.stdout + ''.join(f'#define {name} ...\n' for name in constants)


def main() -> None:
    compiler, folders, headers = sys.argv[1], sys.argv[2], sys.argv[3:]
    print(declarations(compiler.split(), [Path(f) for f in folders.split(':')], headers))


if __name__ == '__main__':
    main()
