# SPDX-License-Identifier: Apache-2.0
"""Records from files of every format that the program reads."""
from __future__ import annotations

import os
import warnings
from collections.abc import Iterator, Sequence
from typing import Any, Literal

from rederive._core import ffi, lib
from rederive.commands import errors_named
from rederive.errors import ArgumentError, error_of
from rederive.records import Record, RecordLines, error_line

_END = 1  # RDV_NONE
_PATHS = ('question_from', 'steps_from', 'gold_from', 'id_from', 'answer_from', 'text_from')
_FINAL = (-1, -4, -7)  # after which every call returns the same


class NoteWarning(UserWarning):
    """A remark on a file that is no fault, such as "run.csv:3: NaN was read as null"."""


class Records(RecordLines[Record]):
    """The records of a file, one at a time, as dicts; `lines` gives them as the program writes them."""

    def __init__(self, path: str, options: dict[str, Any], keep_errors: bool) -> None:
        super().__init__()
        self._kept: list[Any] = []
        self._keep_errors = keep_errors
        self._reader = self._open(path, options)
        self._ready: Iterator[bytes] = iter(())
        self._over = False

    def _text(self, value: str) -> Any:
        if '\0' in value:
            raise ArgumentError(f'{value!r} has a NUL, which no path and no option has', code='argument')
        made = ffi.new('char[]', os.fsencode(value))
        self._kept.append(made)
        return made

    def _open(self, path: str, options: dict[str, Any]) -> Any:
        given, error = ffi.new('rdv_read_options *'), ffi.new('rdv_error *')
        given.size = ffi.sizeof('rdv_read_options')
        join = options.pop('join')
        if join:
            given.join = files = ffi.new('char *[]', [self._text(os.fspath(name)) for name in join])
            given.n_join = len(join)
            self._kept.append(files)
        for name, value in options.items():
            if value is not None:
                setattr(given, name, self._text(value) if isinstance(value, str) else value)
        made = lib.binding_reader_open(self._text(path), given, error)
        if not made:
            raise error_of(error.code, ffi.string(error.msg).decode('utf-8', 'replace'))
        return ffi.gc(made, lib.binding_reader_close)

    def _more(self) -> bool:
        """Read some more. False: there is no more."""
        lines, notes, error = ffi.new('rdv_str *'), ffi.new('rdv_str *'), ffi.new('rdv_error *')
        code = lib.binding_reader_lines(self._reader, lines, notes, error)
        for note in bytes(ffi.buffer(notes.p, notes.len)).decode('utf-8', 'replace').splitlines() if notes.p else ():
            warnings.warn(note, NoteWarning, stacklevel=5)
        if code == _END:
            return False
        if code == 0:
            self._ready = iter(bytes(ffi.buffer(lines.p, lines.len)).splitlines(keepends=True))
            return True
        message = ffi.string(error.msg).decode('utf-8', 'replace')
        self._over = code in _FINAL
        if not self._keep_errors or self._over:
            raise error_of(code, message)
        self._ready = iter([error_line(message)])
        return True

    def _next_line(self) -> bytes | None:
        while (line := next(self._ready, None)) is None:
            if self._over or not self._more():
                self._over = True
                return None
        return line


def read(path: str | os.PathLike[str], *, format: str | None = None, errors: Literal['raise', 'keep'] = 'raise',
         join: Sequence[str | os.PathLike[str]] = (), check_reasoning: bool = False,
         question_from: str | None = None, steps_from: str | None = None, gold_from: str | None = None,
         id_from: str | None = None, question: str | None = None, separator: str | None = None,
         pairs: bool = False, answer_from: str | None = None, text_from: str | None = None) -> Records:
    """The records of a file, whatever its format: logs of inspect_ai, samples of lm-evaluation-harness,
    API replies, chats, training data, JSON Lines, CSV, plain text (docs/your-data.md).

    Args:
        path: the file, which may be packed with gzip.
        format: read every record as this format; None: recognised by its content.
        errors: a record that cannot be read raises its Error ("raise"; the next call goes on after it),
            or gives {"error": ...} in its place ("keep").
        join: further files, whose scores, questions or requests are joined by id.
        question_from, steps_from, gold_from, id_from, answer_from, text_from: where a record has its
            parts: "choices[0].text" or "/choices/0/text".
        question, separator: the question of plain-text solutions, and the line between two of them.
        check_reasoning: the steps of `reasoning` come before the solution's own.
        pairs: an answer beside its gold answer is a record too, as `rederive grade` reads them.

    Raises:
        Error: with `path` and `line`, where the file cannot be opened or a record cannot be read.

    Reading streams: one record is in memory at a time. Remarks that are no faults are NoteWarning.
    Source: rdv_reader_open() of rederive/data.h.

    >>> import tempfile, pathlib
    >>> file = pathlib.Path(tempfile.mkdtemp()) / 'run.txt'
    >>> _ = file.write_text('Step 1: 2 + 2 = 4.\\nStep 2: The answer is 4.\\n')
    >>> [record] = rederive.read(file, question='What is 2 + 2?')
    >>> record['steps']
    ['2 + 2 = 4.', 'The answer is 4.']
    """
    options = {name: value for name, value in locals().items() if name not in ('path', 'errors')}
    errors_named(errors)
    return Records(os.fsdecode(path), options, errors == 'keep')
