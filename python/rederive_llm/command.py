# SPDX-License-Identifier: Apache-2.0
"""`python -m rederive`: the program that stands beside this file takes the place of Python.

It imports nothing of the package, and no module that Python has not loaded itself, so that it starts at once.
"""
import os
import sys


def main() -> None:
    program = os.path.join(os.path.dirname(os.path.abspath(__file__)), 'rederive')
    os.execv(program, ['rederive', *sys.argv[1:]])


if __name__ == '__main__':
    main()
