# SPDX-License-Identifier: Apache-2.0
"""Fills in the prompts of ../prompts as the program does (docs/prompts.md)."""
import re
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent / "prompts"
TAG = re.compile(r"\{\{([#?^/]?)(\w+)\}\}")
ALONE = re.compile(r"^\{\{[#?^/]\w+\}\}$")


@lru_cache(maxsize=None)
def parsed(name):
    """[(role, tree)] of a prompt file."""
    body = (ROOT / (name + ".md")).read_text().split("\n---\n", 1)[1]
    messages, role, lines = [], None, []
    for line in body.split("\n") + ["## end"]:
        if line.startswith("## "):
            if role:
                messages.append((role, tree("".join(lines).strip("\n"))))
            role, lines = line[3:], []
        else:
            lines.append(line if ALONE.match(line) else line + "\n")
    return messages


def has_prompt(name):
    return (ROOT / (name + ".md")).exists()


def tree(text):
    """Nested [text | ('var', name) | (sign, name, children)]."""
    stack = [[]]
    at = 0
    for m in TAG.finditer(text):
        stack[-1].append(text[at:m.start()])
        at = m.end()
        sign, name = m.groups()
        if sign in ("#", "?", "^"):
            node = (sign, name, [])
            stack[-1].append(node)
            stack.append(node[2])
        elif sign == "/":
            stack.pop()
        else:
            stack[-1].append(("var", name))
    stack[-1].append(text[at:])
    return stack[0]


def fill(nodes, values, item=None):
    out = []
    for node in nodes:
        if isinstance(node, str):
            out.append(node)
        elif node[0] == "var":
            name = node[1]
            if item is not None and name in item:
                out.append(str(item[name]))
            else:
                out.append(str(values.get(name, "")))
        else:
            sign, name, inside = node
            value = values.get(name) or ""
            if sign == "?" and value or sign == "^" and not value:
                out.append(fill(inside, values, item))
            elif sign == "#" and isinstance(value, list):
                for i, text in enumerate(value):
                    one = {"index": i, "letter": chr(65 + i)}
                    one.update(text if isinstance(text, dict) else {"text": text})
                    out.append(fill(inside, values, one))
            elif sign == "#" and value:
                out.append(fill(inside, values, item))
    return "".join(out)


def render(name, **values):
    """[(role, text)] of a prompt with these values; a list is one of texts, or of fields."""
    return [(role, fill(nodes, values).strip("\n")) for role, nodes in parsed(name)]


def literals(name):
    """The texts between the tags of a prompt, line by line."""
    def walk(nodes):
        for node in nodes:
            if isinstance(node, str):
                yield from node.split("\n")
            elif node[0] != "var":
                yield from walk(node[2])
    for _, nodes in parsed(name):
        yield from walk(nodes)
