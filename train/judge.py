# SPDX-License-Identifier: Apache-2.0
"""What programs know of a solution that a model wrote to one of our problems: which outcome each
of its steps has, and which it should have, given what the earlier steps say."""
import re


def last_number(text):
    found = re.findall(r"= (-?\d+)(?![\d.]*\s*[-+*/=)])", text)
    return found[-1] if found else None


def search(pattern, text):
    m = re.search(pattern, text)
    return m.group(1) if m else None


def arithmetic(text):
    return search(r'written as "(.*?)"', text) or last_number(text)


def tracking(text):
    return search(r"(?:swap|start): (.*)\.", text) or search(r" has (.*?)\.", text)


def dyck(text):
    need = search(r"so we need (.*)\.", text)
    if need is not None:
        return " ".join(re.findall(r'"(.)"', need))
    return search(r"stack: (.*)", text)


def sorting(text):
    return (search(r"letter: (.*)", text) or search(r"We now have: (.*?)(?: for the subpart)?\.$", text)
            or search(r"The order is (.*)\.", text))


def deduction(text):
    return search(r"from left to right: (.*)\.", text) or search(r" is the (\w+)(?: book)?\.", text)


OUTCOME = {
    "stories": last_number,
    "coin_flip": lambda text: (re.findall(r"heads|tails", text) or [None])[-1],
    "last_letters": lambda text: (re.findall(r'"(\w*)"', text) or [None])[-1],
    "tracking_shuffled_objects": tracking,
    "dyck_languages": dyck,
    "multistep_arithmetic": arithmetic,
    "word_sorting": sorting,
    "logical_deduction": deduction,
}


def outcome(task, text):
    """The outcome of a step; None where it has none in the form that was taught."""
    return OUTCOME[task](text.split("\n\n")[0].strip())


def judge(problem, texts):
    """(outcome said, outcome due) of each step; due is None behind the first step that cannot be
    read or is one too many: nothing more is known then."""
    said, out, lost = [], [], False
    for i, text in enumerate(texts):
        result = outcome(problem.task, text)
        due = None
        if not lost and i < len(problem.steps):
            try:
                due = problem.steps[i].redo(said)
            except (ValueError, IndexError, KeyError, TypeError):
                due = None
        lost = lost or due is None or result is None
        out.append((result, due))
        said.append(result if result is not None else "")
    return out


def first_error(problem, texts):
    """The first step whose outcome is not the one due; None when each is."""
    for i, (said, due) in enumerate(judge(problem, texts)):
        if due is None or said != due:
            return i
    return None if len(texts) == len(problem.steps) else len(texts) - 1
