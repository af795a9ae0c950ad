#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Build the program, with one line that says how far it is and how long the rest takes.

    tools/build.py [FOLDER]        FOLDER: build

Configures the folder first, if it is new. What meson and ninja say goes to FOLDER/build.log; its end is shown if they
fail. Where standard output is no terminal, a line is printed at each fifth of the way.
"""
import pathlib
import re
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
STEP = re.compile(r"\[(\d+)/(\d+)\]")
WIDTH = 40  # of the bar


def fail(log, what):
    sys.exit("".join(log.read_text(errors="replace").splitlines(keepends=True)[-25:]) + f"build: {what} failed; all of it is in {log}")


def configure(folder):
    if (folder / "build.ninja").exists():
        return
    done = subprocess.run(["meson", "setup", str(folder)], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "build.log").write_text(done.stdout)
    if done.returncode:
        fail(folder / "build.log", "meson")


def seconds(n):
    return f"{n / 60:.0f} min" if n >= 90 else f"{n:.0f} s"


class Bar:
    def __init__(self):
        self.began = time.monotonic()
        self.terminal = sys.stdout.isatty()
        self.told = 0

    def show(self, done, total):
        share = done / total
        spent = time.monotonic() - self.began
        left = f", {seconds(spent / share - spent)} left" if share > 0.02 and done < total else ""
        line = f"Compiling [{'#' * int(share * WIDTH):{WIDTH}}] {done} of {total}{left}"
        if self.terminal:
            print(f"\r{line:78}", end="", flush=True)
        elif share * 5 >= self.told + 1 or done == total:
            self.told = int(share * 5)
            print(line, flush=True)

    def end(self, text):
        print(f"\r{text:78}" if self.terminal else text, flush=True)


def main():
    folder = ROOT / (sys.argv[1] if len(sys.argv) > 1 else "build")
    configure(folder)
    bar, log = Bar(), folder / "build.log"
    with open(log, "w", encoding="utf-8") as file, subprocess.Popen(
            ["ninja", "-C", str(folder), "program"], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace") as ninja:
        for line in ninja.stdout:
            file.write(line)
            step = STEP.match(line)
            if step:
                bar.show(int(step[1]), int(step[2]))
    if ninja.returncode:
        bar.end("")
        fail(log, "ninja")
    bar.end(f"Built {folder.name}/rederive in {seconds(time.monotonic() - bar.began)}")


if __name__ == "__main__":
    main()
