# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as exceptions."""
from __future__ import annotations

import re

PLACE = re.compile(r'(?P<path>[^:\n]+):(?P<line>[0-9]+)(?::(?P<column>[0-9]+))?: ')
_IN_LINE = re.compile(r'line 1, column (?P<column>[0-9]+): ')


class Error(Exception):
    """Something that Rederive cannot do, in one line.

    Attributes:
        message: the line, without path and line number.
        path: the file that it is about, or None.
        line: the line of that file, counted from 1, or None.
        column: the byte of that line, counted from 1, or None.
        code: "input", "limit", "io", "argument", "format", "internal" or "memory".
    """

    def __init__(self, message: str, *, path: str | None = None, line: int | None = None,
                 column: int | None = None, code: str = 'input') -> None:
        place = ':'.join(str(part) for part in (path, line, column) if part)
        super().__init__(f'{place}: {message}' if place else message)
        self.message, self.path, self.line, self.column, self.code = message, path, line, column, code

    def __reduce__(self) -> tuple[object, ...]:
        return (_again, (type(self), self.message, self.path, self.line, self.column, self.code))


class ArgumentError(Error, ValueError):
    """An argument or option that cannot be used, or that has no effect."""


_CODES = {-1: 'memory', -2: 'input', -3: 'limit', -4: 'io', -5: 'argument', -6: 'internal', -7: 'format'}


def _again(kind: type[Error], message: str, path: str | None, line: int | None, column: int | None,
           code: str) -> Error:
    return kind(message, path=path, line=line, column=column, code=code)


def placed(said: str, kind: type[Error] = Error, code: str = 'input') -> Error:
    """The error of a message that may begin with its place, "FILE:LINE: " or "FILE:LINE:COLUMN: "."""
    place = PLACE.match(said)
    if not place:
        return kind(said, code=code)
    column = int(place['column']) if place['column'] else None
    return kind(said[place.end():], path=place['path'], line=int(place['line']), column=column, code=code)


def in_record(fault: Error, path: str, line: int) -> Error:
    """The error of a record that was read from memory, with the place of the record."""
    at = _IN_LINE.match(fault.message)
    return type(fault)(fault.message[at.end():] if at else fault.message, path=path, line=line,
                       column=int(at['column']) if at else None, code=fault.code)


def error_of(code: int, message: str) -> Exception:
    """The exception for a fault of the library, whose message may begin with "FILE:LINE: "."""
    if code == -1:
        return MemoryError(message)
    return placed(message, ArgumentError if code == -5 else Error, _CODES.get(code, 'internal'))
