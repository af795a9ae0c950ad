#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Run the commands that documents show, compare with the output that they show, and see that the
files they link to are there.

    tools/run_documents.py PROGRAM FILE...

In a block fenced as ```console, a line that begins with "$ " is a command for bash (a following line
joins it after a backslash) and the lines up to the next command are its output, standard error
included. A line "..." stands for any lines, "..." within a line for any text, and the seconds that end a
summary's line for any seconds. Commands run in the
project's root, with "build/rederive" taken to be PROGRAM and other files in "build/" to be in a
temporary folder. Other blocks are not run.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"\]\((?!\w+:|#)([^)#]+)")
SECONDS = re.compile(r"; \d+\.\d\d s$")
BLOCK = re.compile(r"^```console\n(.*?)^```", re.MULTILINE | re.DOTALL)


def commands_of(block):
    """Yield (command, lines of output) of one block."""
    command, output = None, []
    for line in block.splitlines():
        if command is not None and command.endswith("\\"):
            command = command[:-1] + line.strip()
        elif line.startswith("$ "):
            if command is not None:
                yield command, output
            command, output = line[2:], []
        else:
            output.append(line)
    if command is not None:
        yield command, output


def pattern_of(lines):
    """The regular expression that the output shown stands for."""
    parts = []
    for line in lines:
        if line.strip() == "...":
            parts.append(r"(?:[^\n]*\n)*?")
        else:
            line = SECONDS.sub("; ... s", line)
            parts.append(".*?".join(re.escape(part) for part in line.split("...")) + r"[ ]*\n")
    return re.compile("".join(parts))


def run(command, program, folder):
    """What a reader of the document would see."""
    command = re.sub(r"build/(?!rederive\b)", folder + "/", command).replace("build/rederive", str(program))
    done = subprocess.run(["bash", "-c", command],
                          cwd=ROOT, encoding="utf-8", check=False, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    return done.stdout + ("" if done.stdout.endswith("\n") or not done.stdout else "\n")


def check_document(path, program):
    """Run one document; yields nothing when all is as shown, else what is not."""
    text = path.read_text(encoding="utf-8")
    for link in LINK.findall(BLOCK.sub("", text)):
        if not (path.parent / link).exists():
            yield f"{path.name}: links to {link}, which is not there"
    with tempfile.TemporaryDirectory() as folder:
        for command, lines in (each for block in BLOCK.findall(text) for each in commands_of(block)):
            got = run(command, program, folder)
            if not pattern_of(lines).fullmatch(got):
                shown = "\n".join(lines)
                yield f"{path.name}: $ {command}\n--- shown\n{shown}\n--- got\n{got}"


def main(program, paths):
    bad = count = 0
    for path in paths:
        count += len(BLOCK.findall(path.read_text(encoding="utf-8")))
        for complaint in check_document(path, program):
            print(complaint)
            bad += 1
    print(f"documents: {count} blocks, {bad} complaints")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1]).resolve(),
                  [pathlib.Path(name) for name in sys.argv[2:]]))
