#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What a start of the program costs, beside `git --version`: processor time, and shared objects.

  bench/start.py PROGRAM [--runs N]

A pair is graded, a chain of a file is checked, and one is checked with a server that refuses the connection. All take turns,
so that what else the machine does counts for all. A row has the median of the runs' processor times (user and system), how
many times that of git it is, and the shared objects that were loaded, the kernel's own not counted."""
import argparse
import os
import pathlib
import re
import statistics
import subprocess
import tempfile

HERE = pathlib.Path(__file__).parent


def milliseconds(command):
    """Processor time of one run of it, whatever it prints."""
    files = [(os.POSIX_SPAWN_OPEN, fd, "/dev/null", os.O_RDWR, 0) for fd in (0, 1, 2)]
    _, _, used = os.wait4(os.posix_spawnp(command[0], command, os.environ, file_actions=files), 0)
    return 1000 * (used.ru_utime + used.ru_stime)


def objects(command):
    done = subprocess.run(command, env=os.environ | {"LD_DEBUG": "files"}, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                          stderr=subprocess.PIPE, text=True, errors="replace", check=False)
    return len(set(re.findall(r"calling init: (\S+\.so\S*)", done.stderr)))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--runs", type=int, default=200)
    options = parser.parse_args()
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.write((HERE / "../examples/chains.jsonl").read_text(encoding="utf-8").splitlines(keepends=True)[0])
        file.flush()
        check = [options.program, "check", "-q", file.name]
        rows = {
            "git --version": ["git", "--version"],
            "grade": [options.program, "grade", "--answer", "1/2", "--gold", "0.5"],
            "check FILE": check + ["-m", "calculations"],
            "check -M URL": check + ["-m", "global", "-M", "http://127.0.0.1:9/v1#none", "--retries", "0"],
        }
        times = {name: [] for name in rows}
        for _ in range(options.runs):
            for name, command in rows.items():
                times[name].append(milliseconds(command))
        of_git = statistics.median(times["git --version"])
        print("| | ms | times git | shared objects |\n| --- | --- | --- | --- |")
        for name, command in rows.items():
            median = statistics.median(times[name])
            print(f"| `{name}` | {median:.2f} | {median / of_git:.1f} | {objects(command)} |")


if __name__ == "__main__":
    main()
