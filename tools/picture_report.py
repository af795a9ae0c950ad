#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make docs/report.png, the picture of a report, from the examples.

    tools/picture_report.py PROGRAM [OUT.png]
"""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests/integration"))
from chromium import Browser  # noqa: E402  pylint: disable=wrong-import-position

WIDTH, HEIGHT = 1120, 860


def main(program, out):
    with tempfile.TemporaryDirectory() as scratch, Browser() as browser:
        checked = subprocess.run([program, "check", "-q", ROOT / "examples/chains.jsonl"], check=True, capture_output=True)
        report = pathlib.Path(scratch) / "report.html"
        subprocess.run([program, "vote", "-q", "-w", "confidence", "--html", report], input=checked.stdout, check=True,
                       stdout=subprocess.DEVNULL)
        browser.open(report, width=WIDTH, height=HEIGHT)
        browser.screenshot(out)


if __name__ == "__main__":
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    main(sys.argv[1], sys.argv[2] if len(sys.argv) == 3 else ROOT / "docs/report.png")
