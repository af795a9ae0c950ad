# SPDX-License-Identifier: Apache-2.0
"""What goes wrong, as exceptions."""
from __future__ import annotations

import re

_PLACE = re.compile(r'(?P<path>[^:\n]+):(?P<line>[0-9]+): ')


class Error(Exception):
    """Something that Rederive cannot do, in one line.

    Attributes:
        message: the line, without path and line number.
        path: the file that it is about, or None.
        line: the line of that file, counted from 1, or None.
        code: "input", "limit", "io", "argument", "format", "internal" or "memory".
    """

    def __init__(self, message: str, *, path: str | None = None, line: int | None = None,
                 code: str = 'input') -> None:
        place = f'{path}:{line}: ' if path and line else f'{path}: ' if path else ''
        super().__init__(place + message)
        self.message, self.path, self.line, self.code = message, path, line, code

    def __reduce__(self) -> tuple[object, ...]:
        return (_again, (type(self), self.message, self.path, self.line, self.code))


class ArgumentError(Error, ValueError):
    """An argument or option that cannot be used, or that has no effect."""


_CODES = {-1: 'memory', -2: 'input', -3: 'limit', -4: 'io', -5: 'argument', -6: 'internal', -7: 'format'}


def _again(kind: type[Error], message: str, path: str | None, line: int | None, code: str) -> Error:
    return kind(message, path=path, line=line, code=code)


def error_of(code: int, message: str) -> Exception:
    """The exception for a fault of the library, whose message may begin with "FILE:LINE: "."""
    if code == -1:
        return MemoryError(message)
    place = _PLACE.match(message)
    kind = ArgumentError if code == -5 else Error
    if place:
        return kind(message[place.end():], path=place['path'], line=int(place['line']), code=_CODES[code])
    return kind(message, code=_CODES.get(code, 'internal'))
