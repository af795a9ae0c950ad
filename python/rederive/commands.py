# SPDX-License-Identifier: Apache-2.0
"""The program's commands, run inside Python: the same options, records and messages."""
from __future__ import annotations

import difflib
import html
import json
import os
import re
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

from rederive.errors import PLACE, ArgumentError, Error, in_record, placed
from rederive.given import Many, Record as Given, line_of, records_of
from rederive.options import names_of
from rederive.records import RecordLines, RecordT
from rederive.values import number_text

Errors = Literal['raise', 'keep']

_TICK = 50  # milliseconds, after which Python looks for Ctrl-C
_PIECE = 1 << 16  # bytes of records that are handed over at a time
# What belongs to a terminal or to a process of its own.
_NOT_HERE = {'out', 'html', 'view', 'list', 'list_unread', 'json', 'quiet', 'progress', 'color', 'strict', 'dry_run', 'help',
             'fail_on_wrong', 'fail_on_unknown', 'in'}
_REPEATED = {'join', 'labels', 'disable_rule'}
_USAGE, _NOTHING_DONE, _SOME_FAILED = 2, 3, 1


# ---- options -------------------------------------------------------------------------------------

def _value(name: str, value: object) -> str:
    text = os.fspath(value) if isinstance(value, (str, os.PathLike)) else number_text(value)
    if not isinstance(text, str):
        raise ArgumentError(f'{name} is a {type(value).__name__}; a text, a number, a truth value or a list of '
                            'them is wanted', code='argument')
    if '\0' in text:
        raise ArgumentError(f'{name} has a NUL, which no option has', code='argument')
    return text


# What functions take beside the options of their commands.
_NAMED = {'check': {'method', 'model'}, 'solve': {'method', 'model'}, 'repair': {'model'}, 'convert': {'to'}}
_OPTION = re.compile(r'(?<![\w-])--([a-z][a-z-]*[a-z])')


def _names(verb: str) -> frozenset[str]:
    return names_of(verb) | _NAMED.get(verb, set())


def known(verb: str, options: Mapping[str, object]) -> None:
    """Raise an ArgumentError where the command has no such option."""
    names = _names(verb)
    for name, value in options.items():
        if not names or value is None or name in names or name.rstrip('_') in _NOT_HERE:
            continue
        near = difflib.get_close_matches(name, names, 1)
        raise ArgumentError(f'{verb} has no option {name}{f"; did you mean {near[0]}?" if near else ""}', code='argument')


def as_python(message: str, verb: str) -> str:
    """The program's message with the names of Python: --max-calls is max_calls."""
    names = _names(verb)

    def name_of(found: re.Match[str]) -> str:
        name = found[1].replace('-', '_')
        return name if name in names else f'{name}_' if f'{name}_' in names else found[0]

    return _OPTION.sub(name_of, message)


def arguments(verb: str, options: Mapping[str, object]) -> list[str]:
    """The options of a command as its arguments: prm_layout='qwen' is --prm-layout=qwen.

    True is an option without a value; None and False leave it out; a list is joined by commas.
    """
    made = ['--quiet']
    known(verb, options)
    for name, value in options.items():
        if name.rstrip('_') in _NOT_HERE:  # in_ is in, since that is a word of Python's
            raise ArgumentError(f'{name}: the Python package has no such option: results are returned, and '
                                'errors are exceptions', code='argument')
        option = '--' + name.rstrip('_').replace('_', '-')
        if value is None or value is False:
            continue
        if value is True:
            made.append(option)
        elif isinstance(value, (list, tuple, set, frozenset)):
            texts = [_value(name, one) for one in value]
            made += [f'{option}={text}' for text in (texts if name in _REPEATED else [','.join(texts)])]
        else:
            made.append(f'{option}={_value(name, value)}')
    return made


def errors_named(errors: Errors) -> None:
    """Raise an ArgumentError if there is no such way to treat errors."""
    if errors not in ('raise', 'keep'):
        raise ArgumentError(f'errors={errors!r}: must be "raise" or "keep"', code='argument')


# ---- running -------------------------------------------------------------------------------------

def owned(ffi: Any, made: Any, free: Callable[[Any], None]) -> Any:
    """`made`, which `free` releases in this process: in a fork of it the thread is not that ends it."""
    def release(it: Any, pid: int = os.getpid(), now: Callable[[], int] = os.getpid) -> None:
        if now() == pid:
            free(it)

    return ffi.gc(made, release)


class Results(RecordLines[RecordT]):
    """What a command writes, one record at a time as it comes.

    Iterating may be left at any time: the command is stopped when this object is closed or goes.

    Attributes:
        messages: what the program would have written to standard error; complete at the end.
    """

    def __init__(self, module: Any, verb: str, words: list[str],
                 records: Given | Many, errors: Errors) -> None:
        super().__init__()
        errors_named(errors)
        self.messages: list[str] = []
        self._ffi, self._lib, self._errors = module.ffi, module.lib, errors
        self._records, self._n_fed = iter(records_of(records)), 0
        self._verb = verb
        ffi = self._ffi
        kept = [ffi.new('char[]', word.encode('utf-8', 'surrogateescape')) for word in words]
        made = self._lib.binding_command_new(verb.encode(), ffi.new('char *[]', kept), len(kept))
        if not made:
            raise MemoryError
        self._command = owned(ffi, made, self._lib.binding_command_free)
        self._ready: Iterator[bytes] = iter(())
        self._over = False
        self._closer: int | None = None  # the thread that closed this before its end
        self.after: Callable[[bytes], bytes] | None = None
        if not self._start():
            raise MemoryError('no thread can be started')

    def _start(self) -> bool:
        return bool(self._lib.binding_command_start(self._command))

    def _wait(self) -> Any:
        return self._lib.binding_command_wait(self._command, _TICK)

    def _feed(self) -> None:
        """Hand over some records; from a list many at a time, from a generator one."""
        piece = []
        size = 0
        many = hasattr(self._records, '__length_hint__')
        for record in self._records:
            line = self._line_of(record)
            piece.append(line)
            size += len(line)
            if not many or size >= _PIECE:
                break
        if piece:
            text = b''.join(piece)
            if not self._lib.binding_command_feed(self._command, text, len(text)):
                raise MemoryError
        else:
            self._lib.binding_command_end_input(self._command)

    def _line_of(self, record: Given) -> bytes:
        """Its line. One that JSON cannot hold is an error of this record, as the program finds it."""
        self._n_fed += 1
        try:
            return line_of(record)
        except ArgumentError as fault:
            if self._errors == 'raise' or not isinstance(record, Mapping):
                raise in_record(fault, 'input', self._n_fed) from None
            return json.dumps(fault.message).encode() + b'\n'

    def _take(self) -> list[bytes]:
        n = self._ffi.new('size_t *')
        text = self._lib.binding_command_lines(self._command, n)
        return bytes(self._ffi.buffer(text, n[0])).splitlines(keepends=True)

    def _next_line(self) -> bytes | None:
        try:
            while (line := next(self._ready, None)) is None:
                if self._over:
                    if self._closer not in (None, threading.get_ident()):
                        raise Error('the results were closed before their end', code='argument')
                    return None
                event = self._wait()
                if event == self._lib.BINDING_LINES:
                    self._ready = iter(self._take())
                elif event == self._lib.BINDING_WANTS_INPUT:
                    self._feed()
                elif event == self._lib.BINDING_ENDED:
                    self._end()
            self._look(line)
            return line if self.after is None else self.after(line)
        except BaseException:
            self._stop()
            raise

    def _said(self) -> list[str]:
        n = self._ffi.new('size_t *')
        text = self._lib.binding_command_said(self._command, n)
        said = bytes(self._ffi.buffer(text, n[0])).decode('utf-8', 'replace').splitlines() if text else []
        return [as_python(one, self._verb) for one in said]

    def _look(self, line: bytes) -> None:
        """Raise the error of a record that failed, where errors are raised."""
        if self._errors == 'keep' or b'"error":' not in line:
            return
        record = json.loads(line)
        if isinstance(record.get('error'), str):
            self._stop()
            why = as_python(record['error'], self._verb)
            for said in self.messages:
                if why in said:
                    raise placed(said)
            raise Error(why)

    def _end(self) -> None:
        self._over = True
        self.messages = self._said()
        status = self._lib.binding_command_status(self._command)
        if status == _USAGE:
            raise ArgumentError(_without_verb(self.messages, self._verb), code='argument')
        failed = [said for said in self.messages if PLACE.match(said)]
        if failed and self._errors == 'raise':
            raise placed(failed[0])
        if status == _NOTHING_DONE and not failed:
            raise Error(self.messages[0] if self.messages else 'out of memory', code='io')

    def close(self) -> None:
        """Stop the command, and wait until it has stopped. What was not taken is lost. Another thread that takes
        it gets an Error: the end that it would see is none."""
        if not self._over and self._closer is None:
            self._closer = threading.get_ident()
        self._stop()

    def _stop(self) -> None:
        if self._over or self._pid != os.getpid():
            return
        lib = self._lib
        lib.binding_command_stop(self._command)  # first, so that a thread that waits for a record ends soon
        lib.binding_command_end_input(self._command)
        with self._lock:
            if self._over:
                return
            self._over = True
            self._ready = iter(())
            while lib.binding_command_wait(self._command, _TICK) != lib.BINDING_ENDED:
                self._take()
            self.messages = self._said()

    def __enter__(self) -> Results[RecordT]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f'<rederive.{type(self).__name__} of {self._verb}: {self._state()}>'

    def _state(self) -> str:
        if self._over:
            return 'ended'
        return f'{self._n_fed} records given, more to come; iterate to take the results'

    def _repr_html_(self) -> str:
        return f'<code>{html.escape(repr(self))}</code>'


def _without_verb(messages: list[str], verb: str) -> str:
    return messages[0].removeprefix(verb + ': ') if messages else 'an option cannot be used'


def only(results: Iterable[RecordT]) -> RecordT:
    """The record of a command that was given one, when the command has ended well."""
    made = list(results)
    if len(made) != 1:
        raise Error(f'{len(made)} results where one is wanted', code='internal')
    return made[0]
