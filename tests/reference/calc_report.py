# SPDX-License-Identifier: Apache-2.0
"""What the measurements of calculations print, and which floors they missed."""


from math import sqrt

Z = 1.959964  # of a 95 % interval


def wilson(part, whole):
    """The 95 % Wilson interval of a share."""
    if not whole:
        return 0.0, 1.0
    p, z2 = part / whole, Z * Z
    middle, off = p + z2 / (2 * whole), Z * sqrt(p * (1 - p) / whole + z2 / (4 * whole * whole))
    return (middle - off) / (1 + z2 / whole), (middle + off) / (1 + z2 / whole)


class Report:
    def __init__(self, lists=False, unseen=False):
        self.lists = lists  # print every single case too
        self.unseen = unseen  # the part that is kept aside: counts with intervals
        self.missed = []

    def title(self, text):
        print(f"\n## {text}")

    def figure(self, name, part, whole, note=""):
        share = f"{100 * part / whole:6.2f} %" if whole else "      - "
        if self.unseen and whole:
            low, high = wilson(part, whole)
            share += f" [{100 * low:.2f}, {100 * high:.2f}]"
        print(f"{name:<64} {part:>6} of {whole:<6} {share}{'  ' + note if note else ''}")

    def case(self, text):
        if self.lists:
            print(f"    {text}")

    def floor(self, name, reached):
        print(f"{'reached' if reached else 'MISSED '} {name}")
        if not reached:
            self.missed.append(name)


def self_test():
    """Known values: none of ten, and half of a hundred (Brown, Cai and DasGupta 2001 give the formula)."""
    for (part, whole), (low, high) in {(0, 10): (0, 0.27753), (50, 100): (0.40383, 0.59617)}.items():
        assert abs(wilson(part, whole)[0] - low) < 1e-5 and abs(wilson(part, whole)[1] - high) < 1e-5
