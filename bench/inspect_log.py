#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long it takes to read a log of inspect_ai: rederive, which also checks every calculation, next to inspect_ai's own
read_eval_log(). The log repeats the samples of tests/golden/tool-files/inspect.eval, with other ids.

    inspect_log.py PROGRAM [SAMPLES]      with a Python that has inspect_ai
"""
import json
import os
import subprocess
import sys
import tempfile
import time
import zipfile

import inspect_ai._util.zipfile as packing  # for zstd in zip files
from inspect_ai.log import read_eval_log

SOURCE = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "tests", "golden", "tool-files", "inspect.eval")


def make(path, samples):
    """The size of the log's samples, unpacked."""
    size = 0
    with zipfile.ZipFile(SOURCE) as source, zipfile.ZipFile(path, "w", **packing.zipfile_compress_kwargs) as log:
        originals = [json.loads(source.read(name)) for name in source.namelist() if name.startswith("samples/")]
        originals = [sample for sample in originals if not sample.get("error")]
        for i in range(samples):
            sample = {**originals[i % len(originals)], "id": i, "epoch": 1}
            text = json.dumps(sample)
            size += len(text)
            log.writestr(f"samples/{i}_epoch_1.json", text)
        log.writestr("header.json", source.read("header.json"))
    return size


def timed(what, function):
    began = time.monotonic()
    function()
    print(f"{what:<40} {time.monotonic() - began:7.2f} s")


def check(program, path):
    subprocess.run([program, "check", "-q", path], stdout=subprocess.DEVNULL, check=True)


def main():
    program, samples = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 10_000
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "log.eval")
        size = make(path, samples)
        print(f"{samples} samples, {os.path.getsize(path) / 1e6:.1f} MB, {size / 1e6:.1f} MB unpacked")
        timed("rederive check", lambda: check(program, path))
        timed("inspect_ai.log.read_eval_log", lambda: read_eval_log(path))


if __name__ == "__main__":
    main()
