# SPDX-License-Identifier: Apache-2.0
"""Records that come one at a time."""
from __future__ import annotations

import json
import os
import threading
from abc import abstractmethod
from collections.abc import Iterator
from typing import Any, Generic, TypeVar, cast

from rederive._core import ffi, lib
from rederive.errors import Error


RecordT = TypeVar('RecordT')


class Record(dict[str, Any]):
    """A dict, which a notebook shows as the report does."""

    def _repr_html_(self) -> str | None:
        from rederive.display import View
        try:
            return View([self])._repr_html_()
        except Error:  # it is neither a chain nor a vote, and is shown as a dict
            return None


def free_arena(arena: Any) -> None:
    """Release an arena of the library."""
    lib.rdv_arena_free(ffi.new('rdv_arena **', arena))


def error_line(message: str) -> bytes:
    """The line that the program writes for input that gave no record."""
    arena = ffi.gc(lib.rdv_arena_new(0), free_arena)
    text, line = ffi.new('char[]', message.encode('utf-8', 'replace')), ffi.new('rdv_str *')
    if not arena or lib.rdv_error_write((text, len(text) - 1), arena, line, ffi.NULL) != 0:
        raise MemoryError
    return bytes(ffi.buffer(line.p, line.len))


class RecordLines(Iterator[RecordT], Generic[RecordT]):
    """An iterator over records as dicts; `lines` gives them as the bytes that the program writes.

    Threads may share it: each record goes to one of them.
    """

    def __init__(self) -> None:
        self._lock, self._pid = threading.RLock(), os.getpid()

    @abstractmethod
    def _next_line(self) -> bytes | None:
        """The next record as a line of JSON with a newline, None at the end; `_lock` is held."""

    def lines(self) -> Iterator[bytes]:
        """The records not yet taken, each as the line of JSON that the program writes, with a newline."""
        while (line := self._taken()) is not None:
            yield line

    def _taken(self) -> bytes | None:
        if self._pid != os.getpid():  # where another thread may have held the lock
            raise Error('results are taken in the process that asked for them, not in a fork of it',
                        code='argument')
        with self._lock:
            return self._next_line()

    def __next__(self) -> RecordT:
        line = self._taken()
        if line is None:
            raise StopIteration
        return cast(RecordT, Record(json.loads(line)))
