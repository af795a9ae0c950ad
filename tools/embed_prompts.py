#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Turn prompt files into one C file, refusing those that break a rule of docs/prompts.md.

    tools/embed_prompts.py ROOT OUT.c FILE...

A prompt's id is its path below ROOT without ".md". A fault is told as "FILE:LINE: what is wrong", and
no C is written. The rules are those of src/prompt, word for word: both are held to
tests/golden/prompt-faults.txt.
"""
import hashlib
import pathlib
import re
import sys

MAX_BYTES = 64 * 1024
MAX_DEPTH = 8
MAX_VARIABLES = 32
MAX_STOPS = 4
MAX_ANSWERS = 8

MEMBERS = ("id", "source", "profile", "variables", "robust_only", "temperature", "max_tokens", "stop",
           "answers", "reasoned", "notes")
REQUIRED = ("id", "source", "profile", "variables")
PROFILES = ("paper", "robust", "both")
ROLES = ("## system", "## user", "## assistant")
BUILT_IN = ("index", "letter")
MEMBER = re.compile(r"([a-z_]+):[ ]*(.*)", re.ASCII)
NAME = re.compile(r"[a-z][a-z0-9_]*", re.ASCII)
STOP = re.compile(r'"(?:[^"\\]|\\[n"\\])+"')
STOPS = re.compile(rf"{STOP.pattern}(?:, *{STOP.pattern})*")
TEMPERATURE = re.compile(r"[0-9](?:\.[0-9]{1,6})?", re.ASCII)
MAX_TOKENS = re.compile(r"[1-9][0-9]{0,6}", re.ASCII)


class Fault(Exception):
    """What is wrong, and in which line."""

    def __init__(self, line, message):
        super().__init__(message)
        self.line = line


class Variable:
    """A text, or a list whose items have texts of their own, its fields."""

    def __init__(self, name, fields):
        self.name = name
        self.fields = fields
        self.unused = {name, *(fields or ())}


def split_head(text):
    """The lines of the head, and the number of the first line behind it."""
    lines = text.split("\n")
    if lines[0] != "---":
        raise Fault(1, 'a prompt begins with a line "---"')
    for number, line in enumerate(lines[1:], 2):
        if line == "---":
            return lines[1:number - 1], number + 1
    raise Fault(1, 'the head has no end, a second line "---"')


def read_members(lines):
    """The head's members: name -> (line, value). Notes go on in lines that begin with a blank."""
    members = {}
    name = None
    for number, line in enumerate(lines, 2):
        if line.startswith(" ") and name == "notes":
            continue
        match = MEMBER.fullmatch(line)
        if not match:
            raise Fault(number, 'a line of the head is "name: value"')
        name = match.group(1)
        if name not in MEMBERS:
            raise Fault(number, f"{name} is not a member of the head")
        if name in members:
            raise Fault(number, f"{name} stands twice in the head")
        members[name] = (number, match.group(2).rstrip(" "))
    for name in REQUIRED:
        if not members.get(name, (0, ""))[1]:
            raise Fault(1, f"the head has no {name}")
    return members


def read_name(text, line, taken):
    if not NAME.fullmatch(text) or text in BUILT_IN:
        raise Fault(line, f'"{text}" is not a name')
    if text in taken:
        raise Fault(line, f"{text} is declared twice")
    return text


def read_fields(text, line):
    fields = []
    for field in text.split(","):
        fields.append(read_name(field.strip(" "), line, fields))
    return fields


def read_variables(line, value):
    """"question, steps[text]": name -> Variable."""
    variables = {}
    for piece in re.split(r",(?![^\[]*\])", value):
        name, bracket, rest = piece.strip(" ").partition("[")
        if bracket and not rest.endswith("]"):
            raise Fault(line, 'a list is declared as "name[field, ...]"')
        name = read_name(name, line, variables)
        variables[name] = Variable(name, read_fields(rest[:-1], line) if bracket else None)
    if len(variables) > MAX_VARIABLES:
        raise Fault(line, f"more than {MAX_VARIABLES} variables")
    return variables


def check_robust_only(members, variables):
    if "robust_only" not in members:
        return
    line, value = members["robust_only"]
    for name in value.split(","):
        if name.strip(" ") not in variables:
            raise Fault(line, f'"{name.strip(" ")}" is not declared')


def check_sampling(members):
    line, value = members.get("temperature", (0, "0"))
    if not TEMPERATURE.fullmatch(value) or float(value) > 2:
        raise Fault(line, "temperature is a number from 0 to 2, with at most 6 decimals")
    line, value = members.get("max_tokens", (0, "1"))
    if not MAX_TOKENS.fullmatch(value):
        raise Fault(line, "max_tokens is a whole number from 1 to 9999999")
    line, value = members.get("stop", (0, '"-"'))
    if not STOPS.fullmatch(value) or len(STOP.findall(value)) > MAX_STOPS:
        raise Fault(line, f"stop is a list of up to {MAX_STOPS} texts in double quotes")
    line, value = members.get("answers", (0, '"-"'))
    if not STOPS.fullmatch(value) or len(STOP.findall(value)) > MAX_ANSWERS:
        raise Fault(line, f"answers is a list of up to {MAX_ANSWERS} texts in double quotes")
    line, value = members.get("reasoned", (0, "yes"))
    if value != "yes":
        raise Fault(line, "reasoned is yes, or is left out")
    line, value = members["profile"]
    if value not in PROFILES:
        raise Fault(line, "profile is paper, robust or both")


class Body:
    """The messages of a prompt. Only checked: it is parsed for use when a program starts."""

    def __init__(self, variables):
        self.variables = variables
        self.open = []  # (line, name, the Variable when it repeats a list)

    def list_open(self):
        return next((variable for _, _, variable in self.open if variable), None)

    def variable(self, name, line):
        """The variable of that name, now used."""
        if name not in self.variables:
            raise Fault(line, f"{name} is not a variable here")
        self.variables[name].unused.discard(name)
        return self.variables[name]

    def insert(self, name, line):
        items = self.list_open()
        if items and name in BUILT_IN:
            return
        if items and name in items.fields:
            items.unused.discard(name)
        elif self.variable(name, line).fields:
            raise Fault(line, f"{name} is a list and has to be a section")

    def begin(self, sign, name, line):
        variable = self.variable(name, line)
        repeats = sign == "#" and variable.fields
        if repeats and self.list_open():
            raise Fault(line, f"{name} is a list inside a list")
        if len(self.open) == MAX_DEPTH:
            raise Fault(line, f"sections are nested deeper than {MAX_DEPTH}")
        self.open.append((line, name, variable if repeats else None))

    def end(self, name, line):
        if not self.open or self.open[-1][1] != name:
            raise Fault(line, f"{name} is not the section that is open here")
        self.open.pop()

    def tag(self, text, line):
        sign = text[:1] if text[:1] in ("#", "?", "^", "/") else ""
        name = text[len(sign):]
        if not NAME.fullmatch(name):
            raise Fault(line, f'"{{{{{text}}}}}" is not a tag')
        if not sign:
            self.insert(name, line)
        elif sign == "/":
            self.end(name, line)
        else:
            self.begin(sign, name, line)

    def line(self, text, line):
        at = text.find("{{")
        while at >= 0:
            end = text.find("}}", at + 2)
            if end < 0:
                raise Fault(line, "a tag has no end in its line")
            self.tag(text[at + 2:end], line)
            at = text.find("{{", end + 2)

    def message_end(self):
        if self.open:
            line, name, _ = self.open[-1]
            raise Fault(line, f"the section {name} is not closed")


def check_body(lines, first, variables):
    body = Body(variables)
    role = None  # the line of the message's heading
    empty = True
    for number, line in enumerate(lines, first):
        if line.startswith("## "):
            body.message_end()
            if role and empty:
                raise Fault(role, "a message is empty")
            if line not in ROLES:
                raise Fault(number, "a message begins with ## system, ## user or ## assistant")
            role, empty = number, True
        elif line.strip(" "):
            if not role:
                raise Fault(number, "a message begins with ## system, ## user or ## assistant")
            body.line(line, number)
            empty = False
    body.message_end()
    if not role:
        raise Fault(1, "there is no message")
    if empty:
        raise Fault(role, "a message is empty")


def check(text):
    """The prompt's id; raises Fault where a rule is broken."""
    if len(text.encode()) > MAX_BYTES:
        raise Fault(1, f"a prompt has at most {MAX_BYTES} bytes")
    head, first = split_head(text)
    members = read_members(head)
    check_sampling(members)
    line, declared = members["variables"]
    variables = read_variables(line, declared)
    check_robust_only(members, variables)
    check_body(text.split("\n")[first - 1:], first, variables)
    for variable in variables.values():
        for name in (variable.name, *(variable.fields or ())):
            if name in variable.unused:
                raise Fault(line, f"the variable {name} is not used")
    return members["id"][1]


def check_id(prompt_id, path):
    if prompt_id != path:
        raise Fault(2, f"the id is {path}, as the file is called")


def c_string(data):
    """The bytes as lines of C string literals."""
    def escape(byte):
        if byte in b'"\\':
            return "\\" + chr(byte)
        return chr(byte) if 32 <= byte < 127 and byte != ord("?") else f"\\{byte:03o}"
    return "\n".join(f'     "{"".join(map(escape, line))}"' for line in data.splitlines(True))


def c_file(prompts):
    """prompts: (id, bytes), sorted by id."""
    rows = [
        "    {" + f'"{name}",\n     "{hashlib.sha256(data).hexdigest()}",\n     {len(data)},\n'
        + c_string(data) + "},\n" for name, data in prompts]
    return (
        "/* Made by tools/embed_prompts.py from the files of prompts/. */\n"
        '#include "prompt/embedded.h"\n\n'
        "const prompt_embedded prompt_all[] = {\n" + "".join(rows) + "};\n"
        f"const size_t prompt_n_all = {len(prompts)};\n")


def main(root, out, files):
    prompts = []
    bad = 0
    for name in files:
        data = pathlib.Path(name).read_bytes()
        try:
            prompt_id = check(data.decode("utf-8"))
            path = pathlib.Path(name).resolve().relative_to(pathlib.Path(root).resolve())
            check_id(prompt_id, path.with_suffix("").as_posix())
            prompts.append((prompt_id, data))
        except (Fault, UnicodeDecodeError) as fault:
            print(f"{name}:{getattr(fault, 'line', 1)}: {fault}", file=sys.stderr)
            bad += 1
    if bad:
        return 1
    pathlib.Path(out).write_text(c_file(sorted(prompts)), encoding="ascii")
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2], sys.argv[3:]))
