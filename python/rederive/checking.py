# SPDX-License-Identifier: Apache-2.0
"""Checking by methods that compute: one record at a time, in the thread that asks."""
from __future__ import annotations

import html
import json
from collections.abc import Iterable, Iterator, Mapping

from rederive._core import ffi, lib
from rederive.commands import Errors, as_python
from rederive.own import OwnMethod
from rederive.errors import ArgumentError, Error, error_of, in_record
from rederive.given import Many, Record, line_of, records_of
from rederive.records import RecordLines, error_line
from rederive.types import CheckedChain


class Checker:
    """The methods and settings of a check. Used by one thread at a time."""

    def __init__(self, words: list[str]) -> None:
        kept = [ffi.new('char[]', word.encode('utf-8', 'surrogateescape')) for word in words]
        self._error = ffi.new('rdv_error *')
        made = lib.binding_checker_new(ffi.new('char *[]', kept), len(kept), self._error)
        if not made:
            raise self._fault(self._error.code, True)
        self._checker = ffi.gc(made, lib.binding_checker_free)
        self._n, self._line = ffi.new('size_t *'), ffi.new('rdv_str *')
        self.asks = bool(lib.binding_checker_asks(made))

    def _fault(self, code: int, raised: bool) -> Exception:
        """What is raised has Python's names for options, what is kept the words that the program writes."""
        message = ffi.string(self._error.msg).decode('utf-8', 'replace')
        return error_of(code, as_python(message, 'check') if raised else message)

    def lines(self, record: bytes, number: int, errors: Errors, own: OwnMethod | None = None) -> Iterator[bytes]:
        """The lines of JSON of a record's chains with their checks, or with that of a method in Python."""
        code = lib.binding_checker_read(self._checker, record, len(record), number, self._n, self._error)
        if code != 0:
            yield self._failed(code, number, errors, None)
            return
        for i in range(self._n[0]):
            code = self._check(i, own)
            if code == 0:
                yield self._made()
            else:  # out of memory there is no line
                yield self._failed(code, number, errors, None if code == lib.RDV_E_NOMEM else self._made())

    def _check(self, i: int, own: OwnMethod | None) -> int:
        if own is None:
            return int(lib.binding_checker_check(self._checker, i, self._line, self._error))
        code = lib.binding_checker_chain(self._checker, i, self._line, self._error)
        if code == 0:
            made = own.record(json.loads(self._made()))
            code = lib.binding_checker_own(self._checker, i, made, len(made), self._line, self._error)
        return int(code)

    def _made(self) -> bytes:
        return bytes(ffi.buffer(self._line.p, self._line.len))

    def _failed(self, code: int, number: int, errors: Errors, line: bytes | None) -> bytes:
        """Raise the error of a record, or give the line that the program writes for it."""
        fault = self._fault(code, errors == 'raise')
        if isinstance(fault, Error):
            fault = in_record(fault, 'input', number + 1)
        if not isinstance(fault, Error) or errors == 'raise':
            raise fault
        return error_line(str(fault)) if line is None else line


class OwnStage:
    """A method in Python as a stage of a check: lines in, lines out. Used by one thread at a time."""

    def __init__(self, checker: Checker, own: OwnMethod, errors: Errors) -> None:
        self._checker, self._own, self._errors, self._number = checker, own, errors, 0

    def lines(self, line: bytes) -> Iterator[bytes]:
        """The lines of a record's chains with the check; a record that failed before stays as it is."""
        number, self._number = self._number, self._number + 1
        if self._errors == 'keep' and b'"error":' in line and 'error' in json.loads(line):
            return iter([line])
        return self._checker.lines(line, number, self._errors, self._own)


class Checked(RecordLines[CheckedChain]):
    """The records of chains with their checks, as the chains come."""

    def __init__(self, checker: Checker, chains: Record | Many, errors: Errors, own: OwnMethod | None = None) -> None:
        super().__init__()
        self._n = 0
        self._made = self._all(checker, records_of(chains), errors, own)

    def _all(self, checker: Checker, chains: Iterable[Record], errors: Errors, own: OwnMethod | None) -> Iterator[bytes]:
        stage = OwnStage(checker, own, errors) if own is not None else None
        for number, chain in enumerate(chains):
            try:
                line = line_of(chain)
            except ArgumentError as fault:  # of this record alone
                placed = in_record(fault, 'input', number + 1)
                if errors == 'raise' or not isinstance(chain, Mapping):
                    raise placed from None
                yield error_line(str(placed))
                continue
            yield from stage.lines(line) if stage is not None else checker.lines(line, number, errors)

    def __repr__(self) -> str:
        return f'<rederive results of check: {self._n} taken; iterate for the next>'

    def _repr_html_(self) -> str:
        return f'<code>{html.escape(repr(self))}</code>'

    def _next_line(self) -> bytes | None:
        line = next(self._made, None)
        self._n += line is not None
        return line
