# SPDX-License-Identifier: Apache-2.0
"""What the program makes of records that a test wrote."""
import json
import os
import subprocess
import sys

PROGRAM = os.environ.get("RDV_PROGRAM") or "build/rederive"


def records(command, inputs, program=None):
    """The record that a command ([name, option...], which reads standard input) writes for each of the inputs (dicts)."""
    lines = "".join(json.dumps(each) + "\n" for each in inputs)
    done = subprocess.run([program or PROGRAM, *command], input=lines, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    written = [json.loads(line) for line in done.stdout.split("\n") if line]  # a text may hold U+2028, a line's end to splitlines
    if len(written) != len(inputs):
        sys.exit(f"{len(written)} records of {len(inputs)}; exit status {done.returncode}; {done.stderr[-500:]}")
    return written
