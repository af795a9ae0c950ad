#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measure the prose of Markdown pages.

    tools/prose.py PAGE...

Prints for each page: its sentences, their mean length in words, the longest one, the longest table cell in
characters, the longest list item in lines, and the mean length where only a full stop, question mark or
exclamation mark ends a sentence. Otherwise each paragraph, heading, list item and row of a table ends one
too. Code blocks are left out; a word is what stands between blanks and has a letter or digit.
tools/check_style.py lists what is over the limits below as advice.
"""
import re
import sys
from typing import NamedTuple

CELL = 200    # characters in a cell of a table
ITEM = 5      # lines of a list item
LONGEST = 10  # sentences that are listed

FENCE = re.compile(r"\s*(```|~~~)")
ITEM_START = re.compile(r"\s*([-*+]|\d+\.)\s+")
RULE = re.compile(r"\s*\|?[\s:|-]+\|?\s*$")
CODE = re.compile(r"(`+)(.+?)\1")
LINK = re.compile(r"\]\([^()\s]*\)")
END = re.compile(r"(?<=[.!?])[\"'”’)*_]*\s+")
WORD = re.compile(r"\S*\w\S*")
BAR = re.compile(r"(?<!\\)\|")


class Block(NamedTuple):
    line: int       # of its first line, from 1 on
    kind: str       # "text", "heading", "item" or "row"
    lines: list     # as written


class Sentence(NamedTuple):
    line: int
    words: int
    text: str


def blocks(page):
    """The page's blocks, in order."""
    found, fenced = [], False
    open_block = False
    for number, line in enumerate(page.split("\n"), 1):
        if FENCE.match(line):
            fenced = not fenced
            open_block = False
        elif fenced or not line.strip():
            open_block = False
        elif line.startswith("#"):
            found.append(Block(number, "heading", [line.lstrip("# ")]))
            open_block = False
        elif line.lstrip().startswith("|"):
            if not RULE.match(line):
                found.append(Block(number, "row", [line]))
            open_block = False
        elif ITEM_START.match(line):
            found.append(Block(number, "item", [line]))
            open_block = True
        elif open_block:
            found[-1].lines.append(line)
        else:
            found.append(Block(number, "text", [line]))
            open_block = True
    return found


def cells(block):
    """The cells of a row of a table."""
    shown = CODE.sub(lambda code: code.group().replace("|", "\\|"), block.lines[0].strip())
    return [cell.strip() for cell in BAR.split(shown.strip("|"))]


def words_of(block):
    """A block's text without what is no prose: marks, addresses, and stops within code."""
    text = "\n".join(block.lines)
    if block.kind == "item":
        text = ITEM_START.sub("", text, count=1)
    text = CODE.sub(lambda code: re.sub(r"[.!?]", "", code.group()), LINK.sub("]", text))
    return BAR.sub(" ", text) if block.kind == "row" else text


def sentences(page):
    """The page's sentences, in order."""
    found = []
    for block in blocks(page):
        text, at = words_of(block), 0
        for end in [*END.finditer(text), None]:
            part = text[at:end.start() if end else len(text)]
            words = len(WORD.findall(part))
            if words:
                line = block.line + text.count("\n", 0, at)
                found.append(Sentence(line, words, " ".join(part.split())))
            at = end.end() if end else at
    return found


def measure(page):
    """Sentences, mean words, longest sentence, longest cell, longest item, mean words between stops."""
    words = [sentence.words for sentence in sentences(page)]
    found = blocks(page)
    longest_cell = max((len(cell) for block in found if block.kind == "row" for cell in cells(block)),
                       default=0)
    longest_item = max((len(block.lines) for block in found if block.kind == "item"), default=0)
    text = "\n".join(words_of(block) for block in found)
    stops = sum(1 for part in END.split(text) if WORD.search(part))
    return (len(words), sum(words) / max(len(words), 1), max(words, default=0), longest_cell, longest_item,
            sum(words) / max(stops, 1))


def advice(page):
    """Rows and list items that are over the limits, in words; None if none is."""
    found = blocks(page)
    rows = [block.line for block in found
            if block.kind == "row" and any(len(cell) > CELL for cell in cells(block))]
    items = [block.line for block in found if block.kind == "item" and len(block.lines) > ITEM]
    told = []
    if rows:
        told.append(f"{len(rows)} rows with a cell of more than {CELL} characters, the first in line {rows[0]}")
    if items:
        told.append(f"{len(items)} list items of more than {ITEM} lines, the first in line {items[0]}")
    return "; ".join(told) or None


def longest(pages):
    """The longest sentences of pages {name: text}, as (name, sentence)."""
    found = [(name, sentence) for name, page in pages.items() for sentence in sentences(page)]
    return sorted(found, key=lambda each: -each[1].words)[:LONGEST]


def main(names):
    print(f"{'sentences':>9} {'mean':>5} {'longest':>7} {'cell':>5} {'item':>5} {'between stops':>13}")
    for name in names:
        with open(name, encoding="utf-8") as file:
            count, mean, most, cell, item, between = measure(file.read())
        print(f"{count:9} {mean:5.1f} {most:7} {cell:5} {item:5} {between:13.1f}  {name}")
    return 0 if names else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
