# SPDX-License-Identifier: Apache-2.0
"""pint with exact numbers, wherever it is installed: Debian's python3-pint (tools/setup.sh) belongs to
/usr/bin/python3, which need not be the python that runs the tests."""
import os
import subprocess
import sys
from fractions import Fraction

SYSTEM = "/usr/bin/python3"


def registry():
    try:
        import pint
    except ImportError:
        run_with_system_python()
    return pint.UnitRegistry(non_int_type=Fraction)


def run_with_system_python():
    """Run this program again with the system's python; exit with 77 (skipped) where it has no pint."""
    tried = subprocess.run([SYSTEM, "-c", "import pint"], stderr=subprocess.DEVNULL, check=False) \
        if os.path.exists(SYSTEM) and not os.environ.get("RDV_PINT") else None
    if not tried or tried.returncode:
        print("skipped: python3-pint is not installed (tools/setup.sh check)")
        sys.exit(77)
    os.environ["RDV_PINT"] = "tried"
    os.execv(SYSTEM, [SYSTEM, *sys.argv])
