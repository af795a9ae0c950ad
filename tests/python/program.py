# SPDX-License-Identifier: Apache-2.0
"""The program, whose records those of the Python package must equal byte for byte."""
import json
import os
import subprocess

PROGRAM = os.environ['RDV_PROGRAM']
SOURCE = os.environ['RDV_SOURCE']

CHAINS = [
    {'question': 'What is 12 boxes of 48?', 'steps': ['12 × 48 = 586.', 'The answer is 586.'], 'gold': '576'},
    {'id': 'b/1', 'question_id': 'b', 'question': 'What is 6 × 7?',
     'steps': ['6 × 7 = 42.', 'So \U0001f600 the answer is 42.'], 'gold': 42, 'mine': [1.50, None, {'é': '\u2028'}]},
    {'id': 'b/2', 'question_id': 'b', 'question': 'What is 6 × 7?', 'steps': ['6 × 7 = 48.', 'The answer is 48.'],
     'gold': 42},
    {'id': 'b/3', 'question_id': 'b', 'question': 'What is 6 × 7?', 'steps': ['About 42 I guess.'], 'gold': 42},
]


def as_lines(records):
    return b''.join(json.dumps(r, ensure_ascii=False, separators=(',', ':')).encode() + b'\n' for r in records)


def program(*arguments, records=CHAINS, status=0):
    """The lines that the program writes for the records on its standard input."""
    done = subprocess.run([PROGRAM, *arguments], input=as_lines(records), capture_output=True, timeout=300)
    assert done.returncode == status, (done.returncode, done.stderr)
    # Standard input has no name, and neither have records in Python.
    return done.stdout.replace(b'standard input:', b'input:').splitlines(keepends=True)
