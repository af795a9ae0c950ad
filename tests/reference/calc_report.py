# SPDX-License-Identifier: Apache-2.0
"""What the measurements of calculations print, and which floors they missed."""


class Report:
    def __init__(self, lists=False, unseen=False):
        self.lists = lists  # print every single case too
        self.unseen = unseen  # data that the adjudications do not know: figures only
        self.missed = []

    def title(self, text):
        print(f"\n## {text}")

    def figure(self, name, part, whole, note=""):
        share = f"{100 * part / whole:6.2f} %" if whole else "      - "
        print(f"{name:<64} {part:>6} of {whole:<6} {share}{'  ' + note if note else ''}")

    def case(self, text):
        if self.lists:
            print(f"    {text}")

    def floor(self, name, reached):
        print(f"{'reached' if reached else 'MISSED '} {name}")
        if not reached:
            self.missed.append(name)
