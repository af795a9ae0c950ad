# SPDX-License-Identifier: Apache-2.0
"""Two programs, an old and a new one, on the same recorded chains, step beside step.

What the format of records says of unread text is read here alone (`unread_of`), since that format changes."""

import hashlib
import multiprocessing
import re
from bisect import bisect_right
from itertools import accumulate

import calc_sources
from answers_measured import kept_aside

UNREAD = re.compile(r"not read(?:, because of the unit (?P<unit>.*?))?: (?P<text>.*)", re.S)
NOTHING = {"verdict": "missing"}  # a step that the other program does not have
VERDICTS = ("support", "contradict", "unknown", "unrelated", "missing")
PROCESSES = 2


def unread_of(verdict):
    """What a verdict says was not read, as texts; empty: nothing is said."""
    listed = (verdict.get("evidence") or {}).get("not_read") or []
    listed = [each if isinstance(each, str) else each.get("text", "") for each in listed]
    found = UNREAD.search(verdict.get("explanation") or "")
    return listed or ([found["text"]] if found else [])


def calculations_of(verdict):
    return (verdict.get("evidence") or {}).get("calculations") or []


def is_decided(verdict):
    """Was all that looks like a calculation in the step read and decided?"""
    return not unread_of(verdict) and all(c["outcome"] != "undecided" for c in calculations_of(verdict))


def said(verdict):
    """The explanation, and each calculation that is not simply right."""
    notes = [f"{c['text']} [{c['outcome']}{', ' + c['note'] if c.get('note') else ''}]" for c in calculations_of(verdict)
             if c["outcome"] not in ("right",) or c.get("note")]
    return "; ".join(filter(None, [verdict.get("explanation"), *notes])) or "-"


def reason(verdict):
    """Why a step has its verdict, without its numbers and texts, to group by."""
    unread = unread_of(verdict)
    if unread and not calculations_of(verdict):
        return "not read"
    for outcome in ("wrong", "undecided", "rounded"):
        for c in calculations_of(verdict):
            if c["outcome"] == outcome:
                return f"{outcome}: {re.sub(r'[0-9][0-9.,]*', 'N', c.get('note') or 'no note')[:100]}"
    return "right" if calculations_of(verdict) else "nothing found"


def order(text):
    """A number that draws a text in the same way whenever it stands in the data."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()


def drawn(items, number, key):
    """A sample that depends on the items' keys alone, in random order."""
    return sorted(items, key=lambda item: order(key(item)))[:number]


def ends_of(steps):
    """How many characters that are no blanks stand before the end of each step."""
    return list(accumulate(len("".join(step.split())) for step in steps))


def beside(old, new):
    """[(step, verdict of old, verdict of new)] for each step of the old chain. Where the new program cuts the text otherwise, a
    step is held against that in which its middle stands."""
    steps = list(zip(old.steps, old.verdicts))
    if old.steps == new.steps:
        return [(step, a, b) for (step, a), b in zip(steps, new.verdicts)]
    before, after = ends_of(old.steps), ends_of(new.steps)
    total_old, total_new = before[-1] if before else 0, after[-1] if after else 0
    found = []
    for i, (step, a) in enumerate(steps):
        middle = ((before[i - 1] if i else 0) + before[i]) // 2
        if total_old != total_new:  # text was left out or repeated: the same step, if there is one
            at = new.steps.index(step) if step in new.steps else len(new.steps)
        else:
            at = bisect_right(after, middle)
        found.append((step, a, new.verdicts[at] if at < len(new.verdicts) else NOTHING))
    return found


def chains(source, program):
    """The chains of a source on both sides of the split, those that are wrong by their answer too."""
    found = calc_sources.chains(source, None, program, True)
    for chain in found:
        chain.aside = kept_aside(chain.question)
    return found


def pairs(source, old, new):
    """[(chain as the old program has it, as the new one has it), ...]"""
    first, second = chains(source, old), chains(source, new)
    if len(first) != len(second):
        raise SystemExit(f"{source}: {len(first)} chains by {old}, {len(second)} by {new}")
    return list(zip(first, second))


def over_sources(work, arguments):
    """(source, work(source, *arguments)) for all sources, in their order, several at a time."""
    with multiprocessing.get_context("fork").Pool(PROCESSES) as pool:
        left = [(source, pool.apply_async(work, (source, *arguments))) for source in calc_sources.SOURCES]
        for source, result in left:
            yield source, result.get()


def shorten(text, most=700):
    text = text.strip()
    return text if len(text) <= most else text[:most // 2] + " [...] " + text[-most // 2:]
