#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""A hook for coding agents: checks the calculations of a text file that the agent has just written.

The agent runs it after a tool that writes, with the call as JSON on standard input, as Claude Code does
(PostToolUse). What is wrong goes to standard error with status 2, which shows it to the model. Silence with status 0
says only that nothing was proven wrong. README.md beside this file has the settings.
"""
import json
import os
import subprocess
import sys

TEXTS = (".md", ".markdown", ".txt", ".tex", ".rst")
WRONG = 4  # the status of rederive check --fail-on-wrong
PROGRAM = os.environ.get("REDERIVE", "rederive")


def written(call):
    """The file that a call wrote; None: none, or no text."""
    path = call.get("tool_input", {}).get("file_path")
    if not isinstance(path, str) or not path.lower().endswith(TEXTS) or not os.path.isfile(path):
        return None
    return os.path.join(call.get("cwd") or "", path)


def main():
    path = written(json.load(sys.stdin))
    if path is None:
        return 0
    try:
        checked = subprocess.run([PROGRAM, "check", "-q", "--list", "--fail-on-wrong", path], capture_output=True,
                                 text=True, errors="replace", timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        print(f"check_written: {error}", file=sys.stderr)
        return 1  # is shown to the user, and stops nothing
    if checked.returncode != WRONG:
        sys.stderr.write(checked.stderr)
        return 0 if checked.returncode == 0 else 1
    print(f"Calculations that are wrong (FILE:LINE:COLUMN):\n{checked.stdout}", end="", file=sys.stderr)
    return 2


if __name__ == "__main__":
    sys.exit(main())
