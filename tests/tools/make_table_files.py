#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Make tests/golden/tool-files/pandas.csv and pandas.tsv: tables that pandas itself writes (3.1.1 made the files that are
committed), with and without its index.

    make_table_files.py OUT
"""
import os
import sys

import pandas

ROWS = [
    {"prompt": "A baker fills 24 trays with 17 rolls each. How many are that, \"in all\"?",
     "response": "There are 24 × 17 = 398 rolls.\n\nThe answer is 398.", "gold": 408},
    {"prompt": "A tank of 150 litres loses 18, then 2.\nWhat is left?",
     "response": "150 - 18 = 132, then 132 - 2 = 130.\n\nThe answer is 130.", "gold": 130},
    {"prompt": "What do 14 tickets of 9 euros cost?", "response": "14 * 9 = 126\n\nThe answer is 126.", "gold": None},
]


def main():
    out = sys.argv[1]
    frame = pandas.DataFrame(ROWS)
    frame.to_csv(os.path.join(out, "pandas.csv"))
    frame.to_csv(os.path.join(out, "pandas.tsv"), sep="\t", index=False)
    return 0


if __name__ == "__main__":
    sys.exit(main())
