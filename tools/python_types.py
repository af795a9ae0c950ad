#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Print types of Python: of the program's options, from its --help, and of records, from docs/schemas.

    RDV_PROGRAM=build/rederive python3 tools/python_types.py options > python/rederive/options.py
    python3 tools/python_types.py records > python/rederive/types.py

A test compares both files with what this prints.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

COMMANDS = ('check', 'vote', 'solve', 'repair', 'eval', 'convert')
# What belongs to a terminal or to a process of its own, and what functions name themselves.
NOT_HERE = {'out', 'html', 'view', 'list', 'list-unread', 'json', 'quiet', 'progress', 'color', 'strict', 'dry-run', 'help',
            'fail-on-wrong', 'fail-on-unknown', 'in', 'model', 'method', 'to'}
NAMED = {'solve': {'question'}}  # parameters of the functions
NUMBERS = {'N', 'K', 'T', 'X', 'P', 'B', 'M', 'DOLLARS', 'SECONDS', 'SHARE'}
PATHS = {'FILE', 'DIR'}
SEVERAL_PATHS = {'join'}
SEVERAL = {'disable_rule', 'labels'}
OWN = {'verifiers': 'Verifiers'}
OPTION = re.compile(r'^ {2,6}(?:-\w, )?--(?P<name>[\w-]+)(?P<value>\[=\S+\]| [^ ]\S*)?(?=  |$| $)')

HEAD = '''# SPDX-License-Identifier: Apache-2.0
"""The options of the program's commands, by the names of Python. Written by tools/python_types.py from --help."""
from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

if TYPE_CHECKING:
    from rederive.own import OwnVerifier

__all__ = [{names}]

PathName = str | os.PathLike[str]
Number = float | str
"""A number, or what the program reads as one, such as "half"."""
Many = str | Sequence[str | float]
"""Several values: a list, or a text with commas."""
Verifiers: TypeAlias = 'str | Sequence[str | Callable[..., Any] | OwnVerifier]'
'''
TAIL = '''

_ALL: Mapping[str, type] = {{{table}}}


def names_of(verb: str) -> frozenset[str]:
    """The names of a command's options; none: they are not known here."""
    options = _ALL.get(verb)
    return frozenset(options.__annotations__ if options else ())
'''


def options_of(command):
    """(name, placeholder) of each option of the command's help, in its order."""
    text = subprocess.run([os.environ['RDV_PROGRAM'], command, '--help'], capture_output=True, text=True, check=True).stdout
    for line in text.split('\nExit status:')[0].splitlines():
        found = OPTION.match(line)
        if found and found['name'] not in NOT_HERE | NAMED.get(command, set()):
            yield found['name'], (found['value'] or '').strip()


def type_of(name, value):
    if name in OWN:
        return OWN[name]
    if not value:
        return 'bool'
    choices = value.removeprefix('[=').removesuffix(']').split('|')
    if len(choices) > 1 and all(re.fullmatch('[a-z0-9-]+', one) for one in choices):
        return f'Literal[{", ".join(map(repr, choices))}]' + (' | bool' if value.startswith('[=') else '')
    if name in SEVERAL_PATHS:
        return 'PathName | Sequence[PathName]'
    if value in PATHS:
        return 'PathName'
    if value in NUMBERS or value == 'K|half':
        return 'Number'
    if name in SEVERAL or ',' in value or value == 'LIST':
        return 'Many'
    return 'str'


def class_of(command):
    return f'{command.capitalize()}Options'


def session_options():
    """Of checking and solving those that concern models, but for what a session names itself."""
    named = {'journal', 'max-calls', 'max-cost', 'jobs'}
    help_of = {command: dict(options_of(command)) for command in ('check', 'solve', 'repair')}
    return [one for one in help_of['check'].items() if one[0] not in named and all(one[0] in of for of in help_of.values())]


def print_class(name, what, options):
    print(f'\n\nclass {name}(TypedDict, total=False):\n    """{what}"""\n')
    for option, value in sorted(options):
        python = option.replace('-', '_')
        print(f'    {python}{"_" if python == "lambda" else ""}: {type_of(python, value)} | None')


def print_options():
    names = [*map(class_of, COMMANDS), 'SessionOptions']
    print(HEAD.replace('{names}', ', '.join(map(repr, names))), end='')
    for command in COMMANDS:
        print_class(class_of(command), f'Those of `rederive {command}`.', options_of(command))
    print_class('SessionOptions', 'Those of models, which all runs of a session share.', session_options())
    print(TAIL.format(table=', '.join(f'{command!r}: {name}' for command, name in zip(COMMANDS, names))), end='')


# ---- records -------------------------------------------------------------------------------------

SCHEMAS = pathlib.Path(__file__).parent.parent / 'docs/schemas'
RECORDS_HEAD = '''# SPDX-License-Identifier: Apache-2.0
"""Records as types. Written by tools/python_types.py from docs/schemas; members that are not here are yours."""
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

__all__ = ['Check', 'CheckedChain', 'RepairedChain', 'Verdict', 'VoteResult']
'''
# The objects that have a type of their own, by the end of their place; others are dicts.
CLASSES = {'definitions.schema.json#/$defs/verdict': 'Verdict', 'definitions.schema.json#/$defs/check': 'Check'}
PLAIN = {'string': 'str', 'integer': 'int', 'number': 'float', 'boolean': 'bool', 'null': 'None', 'object': 'dict[str, Any]',
         'array': 'list[Any]'}


def resolved(schema, file):
    """The schema that a reference names, and its file."""
    while '$ref' in schema and len(schema) <= 2 and 'properties' not in schema:
        place, _, inside = schema['$ref'].partition('#')
        file = place or file
        schema = json.loads((SCHEMAS / file).read_text(encoding='utf-8'))
        for part in filter(None, inside.split('/')):
            schema = schema[part]
    return schema, file


def python_type(schema, file):
    if '$ref' in schema:
        place = (schema['$ref'] if not schema['$ref'].startswith('#') else file + schema['$ref'])
        if place in CLASSES:
            return CLASSES[place]
    schema, file = resolved(schema, file)
    if 'anyOf' in schema:
        parts = [python_type(one, file) for one in schema['anyOf']]
        return ' | '.join(sorted(set(parts), key=parts.index))
    if 'const' in schema or 'enum' in schema:
        values = schema.get('enum', [schema.get('const')])
        return f'Literal[{", ".join(repr(one) for one in values)}]'
    if schema.get('type') == 'array' and 'items' in schema:
        return f'list[{python_type(schema["items"], file)}]'
    if schema.get('type') == 'object' and isinstance(schema.get('additionalProperties'), dict):
        return f'dict[str, {python_type(schema["additionalProperties"], file)}]'
    kinds = schema.get('type', [])
    return ' | '.join(PLAIN[one] for one in ([kinds] if isinstance(kinds, str) else kinds)) or 'Any'


def members_of(schema, file):
    """The members of an object and of what it is made of, with their types."""
    found = {}
    whole = {**schema}
    for part in whole.get('allOf', []) + ([{'$ref': whole['$ref']}] if '$ref' in whole else []):
        found.update(members_of(*resolved(part, file)))
    for name, member in whole.get('properties', {}).items():
        found[name] = python_type(member, file)
    return found


def required_of(schema, file):
    """The members that are always there."""
    found = set(schema.get('required', ()))
    for part in schema.get('allOf', []) + ([{'$ref': schema['$ref']}] if '$ref' in schema else []):
        found |= required_of(*resolved(part, file))
    return found


def print_record(name, what, place, more=None, always=()):
    schema, file = resolved({'$ref': place}, '')
    required = required_of(schema, file) | set(always)
    print(f'\n\nclass {name}(TypedDict):\n    """{what}"""\n')
    for member, kind in sorted({**members_of(schema, file), **(more or {})}.items()):
        print(f'    {member}: {kind if member in required else f"NotRequired[{kind}]"}')


def print_records():
    print(RECORDS_HEAD, end='')
    error = {'error': 'str', 'steps': 'list[str]'}
    print_record('Verdict', 'What a method says of a step.', 'definitions.schema.json#/$defs/verdict')
    print_record('Check', 'What a method says of a chain; of one that it skipped, `skipped`.', 'definitions.schema.json#/$defs/check', None,
                 ('verdicts', 'confidence', 'first_error', 'n_unknown'))
    print_record('CheckedChain', 'A chain with its checks. Where it failed and errors are kept it has its `error`, and none of the check.',
                 'checked-chain.schema.json', error, ('question', 'steps', 'verdicts', 'confidence', 'first_error', 'n_unknown'))
    print_record('RepairedChain', 'A chain that `repair` went over.', 'repaired-chain.schema.json', error, ('question', 'steps'))
    print_record('VoteResult', 'The answer to a question, by `vote` or `solve`.', 'result.schema.json', {'error': 'str'})


if __name__ == '__main__':
    sys.exit({'options': print_options, 'records': print_records}[sys.argv[1]]())
