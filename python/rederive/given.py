# SPDX-License-Identifier: Apache-2.0
"""What functions take: a record, records, a table of pandas, polars or Arrow, a data set, the path of a file."""
from __future__ import annotations

import importlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from datetime import date, time
from decimal import Decimal
from typing import Any, TypeAlias

from rederive.errors import ArgumentError
from rederive.values import is_missing

Record: TypeAlias = Mapping[str, Any] | bytes
"""A record, or its line of JSON."""
Many: TypeAlias = Iterable[Mapping[str, Any] | bytes] | str | os.PathLike[str]
"""Records; a table of pandas, polars or pyarrow, or another that has Arrow's stream, and a data set are such, row by
row. The path of a file is what it holds: Parquet, or any format that `read` knows."""

_PARQUET = (b'PAR1', '.parquet')


def of_module(value: object, name: str) -> bool:
    """Whether the value's class is one of that package."""
    return type(value).__module__.partition('.')[0] == name


def is_one(given: object) -> bool:
    """Whether it is a single record."""
    return isinstance(given, (Mapping, bytes))


def records_of(given: Record | Many) -> Iterable[Record]:
    """The records of what was given, one at a time."""
    if isinstance(given, (Mapping, bytes)):
        return [given]
    if isinstance(given, (str, os.PathLike)):
        return _of_file(os.fspath(given))
    frame: Any = given
    if of_module(given, 'pandas') and hasattr(frame, 'columns'):
        return _rows(list(frame.columns), frame)
    if of_module(given, 'polars'):
        frame = frame.collect() if hasattr(frame, 'collect') else frame
        if hasattr(frame, 'iter_rows'):
            return (filled(row) for row in frame.iter_rows(named=True))
    if of_module(given, 'datasets'):
        return map(filled, frame)
    if hasattr(given, '__arrow_c_stream__'):
        return _of_arrow(given)
    if not isinstance(given, Iterable):
        raise ArgumentError(f'a {type(given).__name__} is no record; a dict, a list of them, a table or a path is wanted', code='argument')
    return given


def _rows(names: list[Any], frame: Any) -> Iterator[Record]:
    for row in zip(*(frame[name] for name in names)):
        yield filled({str(name): value for name, value in zip(names, row)})


def filled(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row without what is missing in it, as a record that never had it: null says something in some members, such as
    `label`. A question that is missing is null, so that the error says so."""
    return {name: None if is_missing(value) else _inside(value) for name, value in row.items()
            if name == 'question' or not is_missing(value)}


def _inside(value: Any) -> Any:
    if hasattr(value, 'tolist'):
        value = value.tolist()
    if isinstance(value, Mapping):
        return filled(value)
    return [_inside(one) for one in value] if isinstance(value, list) else value


def _of_arrow(table: Any) -> Iterator[Record]:
    pyarrow = importlib.import_module('pyarrow')
    for batch in pyarrow.RecordBatchReader.from_stream(table):
        yield from map(filled, batch.to_pylist())


def _of_file(path: str) -> Iterable[Record]:
    if path.endswith(_PARQUET[1]) or _begins(path) == _PARQUET[0]:
        parquet = importlib.import_module('pyarrow.parquet')
        return (filled(row) for batch in parquet.ParquetFile(path).iter_batches() for row in batch.to_pylist())
    reading = importlib.import_module('rederive.reading')
    lines: Iterator[bytes] = reading.read(path).lines()
    return lines


def _begins(path: str) -> bytes:
    try:
        with open(path, 'rb') as file:
            return file.read(4)
    except OSError:
        return b''  # `read` says what is wrong


# ---- as JSON -------------------------------------------------------------------------------------

def _plain(value: Any) -> Any:
    """What json.dumps does not know: numbers and arrays of numpy, mappings, dates."""
    if is_missing(value):
        return None
    if isinstance(value, Mapping):
        return dict(value)
    if hasattr(value, 'tolist'):
        return value.tolist()
    if isinstance(value, (date, time)):
        return value.isoformat()
    if isinstance(value, Decimal):
        return float(value)
    raise TypeError(f'a {type(value).__name__} is not JSON')


def line_of(record: Record) -> bytes:
    """A record as a line of JSON; bytes are one already.

    Raises ArgumentError: it is no record, or it holds what JSON cannot.
    """
    if isinstance(record, bytes):
        return record if record.endswith(b'\n') else record + b'\n'
    if not isinstance(record, Mapping):
        raise ArgumentError(f'a {type(record).__name__} is no record; a dict, or bytes of JSON, is wanted',
                            code='argument')
    whole = record if isinstance(record, dict) else dict(record)
    try:
        return json.dumps(whole, ensure_ascii=False, separators=(',', ':'), default=_plain).encode('utf-8', 'surrogatepass') + b'\n'
    except (TypeError, ValueError) as error:
        raise ArgumentError(f'a record that is not JSON: {error}', code='argument') from None
