# SPDX-License-Identifier: Apache-2.0
"""The program's commands, run inside Python: the same options, records and messages."""
from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Literal

from rederive.errors import PLACE, ArgumentError, Error, placed
from rederive.records import Record, RecordLines, number_text

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


def arguments(options: Mapping[str, object]) -> list[str]:
    """The options of a command as its arguments: prm_layout='qwen' is --prm-layout=qwen.

    True is an option without a value; None and False leave it out; a list is joined by commas.
    """
    made = ['--quiet']
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


def line_of(record: Mapping[str, Any] | bytes) -> bytes:
    """A record as a line of JSON; bytes are one already."""
    if isinstance(record, bytes):
        return record if record.endswith(b'\n') else record + b'\n'
    if not isinstance(record, Mapping):
        raise ArgumentError(f'a {type(record).__name__} is no record; a dict, or bytes of JSON, is wanted',
                            code='argument')
    try:
        return json.dumps(record, ensure_ascii=False, separators=(',', ':')).encode('utf-8', 'surrogatepass') + b'\n'
    except (TypeError, ValueError) as error:
        raise ArgumentError(f'a record that is not JSON: {error}', code='argument') from None


# ---- running -------------------------------------------------------------------------------------

def owned(ffi: Any, made: Any, free: Callable[[Any], None]) -> Any:
    """`made`, which `free` releases in this process: in a fork of it the thread is not that ends it."""
    def release(it: Any, pid: int = os.getpid(), now: Callable[[], int] = os.getpid) -> None:
        if now() == pid:
            free(it)

    return ffi.gc(made, release)


class Results(RecordLines):
    """What a command writes, one record at a time as it comes.

    Iterating may be left at any time: the command is stopped when this object is closed or goes.

    Attributes:
        messages: what the program would have written to standard error; complete at the end.
    """

    def __init__(self, module: Any, verb: str, words: list[str],
                 records: Iterable[Mapping[str, Any] | bytes], errors: Errors) -> None:
        super().__init__()
        errors_named(errors)
        self.messages: list[str] = []
        self._ffi, self._lib, self._errors = module.ffi, module.lib, errors
        self._records = iter(records)
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
            line = line_of(record)
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
        return bytes(self._ffi.buffer(text, n[0])).decode('utf-8', 'replace').splitlines() if text else []

    def _look(self, line: bytes) -> None:
        """Raise the error of a record that failed, where errors are raised."""
        if self._errors == 'keep' or b'"error":' not in line:
            return
        record = json.loads(line)
        if isinstance(record.get('error'), str):
            self._stop()
            for said in self.messages:
                if record['error'] in said:
                    raise placed(said)
            raise Error(record['error'])

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

    def __enter__(self) -> Results:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _without_verb(messages: list[str], verb: str) -> str:
    return messages[0].removeprefix(verb + ': ') if messages else 'an option cannot be used'


def only(results: Iterable[Record]) -> Record:
    """The record of a command that was given one, when the command has ended well."""
    made = list(results)
    if len(made) != 1:
        raise Error(f'{len(made)} results where one is wanted', code='internal')
    return made[0]
