#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Check properties of files that a formatter does not check.

    tools/check_style.py [ROOT]

All text: UTF-8, LF, no tabs (but in makefiles), no trailing space, a final newline, no invisible
characters. C: at most 100 columns, none of the banned functions, no second list of the words that
src/language lists, of numbers and of denials. Code: an SPDX line.
Test data under tests/golden and fuzz/corpus is not checked. A C file of more than 700 lines is reported as
advice: a file should have one subject, and a subject should not be divided only because of its length.
Advice on Markdown pages: the longest sentences, long table cells and long list items (tools/prose.py).
"""
import os
import pathlib
import re
import subprocess
import sys
import unicodedata

import prose

MAX_COLUMNS = 100
LONG = 700
FREE = ("tests/golden/", "fuzz/corpus/")
BINARY = {".gguf", ".gz", ".png", ".jpg", ".pdf"}
CODE = {".c", ".h", ".py", ".sh"}

BANNED = {"strcpy", "strcat", "sprintf", "vsprintf", "strtok", "atoi", "atol", "atof", "gets"}
BANNED_IN_PRODUCT = BANNED | {"system", "popen"}

# Comments, string literals and character constants, which may name anything.
NOT_CODE = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.DOTALL)
CALL = re.compile(r"\b([A-Za-z_]\w*)\s*\(")

# Words that src/language lists once, with what is known of them. A list of others may hold two of a kind beside them.
LISTED = {
    "numbers": set("one two three four five six seven eight nine ten eleven twelve first second third fourth fifth sixth seventh "
                   "eighth ninth tenth half twice double triple couple dozen hundred thousand million billion trillion".split()),
    "denials": set("not no never cannot nor neither none nothing without isn't aren't wasn't doesn't don't n't".split()),
}
LISTED_MOST = 2
LIST = re.compile(r"=\s*\{(?:[^{}]|\{[^{}]*\})*\}|\{[^{}]*\}")  # of words, or of rows
LITERAL = re.compile(r'"((?:\\.|[^"\\\n])*)"')
LISTS = ("src/language/number_words.c", "src/language/word_class.c")
OTHER_LISTS = {
    "src/notation/units.c": "dozens and pairs are units, too",
    "src/claims/letter_product.c": "short words, which are no products of letters",
    "src/method/value_flow.c": "what words say that a number comes from a unit",
}


def files_of(root):
    """The project's files, relative to the root: git's idea of them, or all but builds."""
    listed = subprocess.run(
        ["git", "-C", str(root), "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        capture_output=True, check=False)
    if listed.returncode == 0:
        names = [os.fsdecode(name) for name in listed.stdout.split(b"\0") if name]
    else:
        paths = (path.relative_to(root) for path in root.rglob("*"))
        names = [str(path) for path in paths if not path.parts[0].startswith((".", "build"))]
    return sorted(name for name in names if (root / name).is_file())


def is_invisible(char):
    """Control, formatting and separator characters that an editor does not show."""
    return char not in "\n\t " and unicodedata.category(char) in {"Cc", "Cf", "Zl", "Zp", "Zs"}


def blank(match):
    """As many newlines as the text had, so that line numbers stay."""
    return "\n" * match.group().count("\n")


def check_text(name, text):
    """Yield (line number, complaint) for what holds of all text."""
    tabs_allowed = os.path.basename(name).startswith("Makefile") or name.endswith(".mk")
    for number, line in enumerate(text.split("\n"), 1):
        if "\t" in line and not tabs_allowed:
            yield number, "tab"
        if line != line.rstrip():
            yield number, "space at the end of the line"
        for char in line:
            if is_invisible(char):
                yield number, f"invisible character U+{ord(char):04X}"
    if text and not text.endswith("\n"):
        yield text.count("\n") + 1, "no newline at the end of the file"
    if text.endswith("\n\n"):
        yield text.count("\n"), "empty line at the end of the file"


def check_c(name, text):
    """Yield (line number, complaint) for what holds of C."""
    lines = text.splitlines()
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_COLUMNS:
            yield number, f"{len(line)} columns; {MAX_COLUMNS} are the limit"
    banned = BANNED_IN_PRODUCT if name.startswith(("src/", "cli/")) else BANNED
    for number, line in enumerate(NOT_CODE.sub(blank, text).splitlines(), 1):
        for function in CALL.findall(line):
            if function in banned:
                yield number, f"{function}() is not used here"


def check_lists(name, text):
    """Yield (line number, complaint) for lists of words of which src/language has the one list."""
    if not name.startswith("src/") or name in LISTS or name in OTHER_LISTS:
        return
    text = re.sub(r"/\*.*?\*/", blank, text, flags=re.DOTALL)
    for found in LIST.finditer(text):
        words = {word.strip().lower() for literal in LITERAL.findall(found.group()) for word in literal.split(";")}
        for kind, listed in LISTED.items():
            if len(words & listed) > LISTED_MOST:
                yield (text.count("\n", 0, found.start()) + 1,
                       f"a list of {kind} ({', '.join(sorted(words & listed))}); {' and '.join(LISTS)} have it")


def is_page(name):
    """Markdown that we write for readers; prompts quote the papers."""
    return name.endswith(".md") and not name.startswith(("prompts/", *FREE))


def advice(name, data):
    """Advice on a file, which is no complaint; None if there is none."""
    lines = data.count(b"\n")
    if name.endswith((".c", ".h")) and lines > LONG:
        return f"{lines} lines: has it more than one subject?"
    if is_page(name):
        return prose.advice(data.decode("utf-8", "replace"))
    return None


def longest_sentences(root, names):
    """Advice on the longest sentences of all pages, in lines."""
    pages = {name: (root / name).read_text(encoding="utf-8", errors="replace")
             for name in names if is_page(name)}
    return [f"{name}:{sentence.line}: advice: {sentence.words} words: {' '.join(sentence.text.split()[:8])} ..."
            for name, sentence in prose.longest(pages)]


def check_file(name, data):
    """Yield (line number, complaint) for one file."""
    suffix = os.path.splitext(name)[1]
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        yield data[:error.start].count(b"\n") + 1, "not UTF-8"
        return
    yield from check_text(name, text)
    is_code = suffix in CODE or text.startswith("#!")
    if is_code and "SPDX-License-Identifier: Apache-2.0" not in "".join(text.splitlines(True)[:3]):
        yield 1, "no SPDX-License-Identifier in the first three lines"
    if suffix in {".c", ".h"}:
        yield from check_c(name, text)
        yield from check_lists(name, text)


def main(root):
    bad = count = 0
    names = files_of(root)
    for name in names:
        if name.startswith(FREE) or os.path.splitext(name)[1] in BINARY:
            continue
        count += 1
        data = (root / name).read_bytes()
        for number, complaint in check_file(name, data):
            print(f"{name}:{number}: {complaint}")
            bad += 1
        if advice(name, data):
            print(f"{name}: advice: {advice(name, data)}")
    print("\n".join(longest_sentences(root, names)))
    print(f"style: {count} files, {bad} complaints")
    return 1 if bad or not count else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
