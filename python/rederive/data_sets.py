# SPDX-License-Identifier: Apache-2.0
"""`Dataset.map` of datasets: a row or a batch in, columns out, of the same names and types in every row."""
from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from rederive.commands import as_python
from rederive.given import filled, of_module
from rederive.records import RecordLines

_ROW = 'rederive_row'  # a member by which a result is known to be of its row
_PLACE = re.compile(r'input:([0-9]+)(?::[0-9]+)?: ')

NONE, UNKNOWN = -1, -2
"""`first_error` of a chain without a wrong step, as ProcessBench has it, and of one of which that is not known."""

# The columns of a row that cannot be checked. None of them is ever null or a list: datasets takes a column's type from the
# first rows that are written, where all may be null or empty.
_EMPTY: dict[str, str | float | int] = {
    'method': '', 'confidence': math.nan, 'first_error': UNKNOWN, 'n_unknown': 0, 'verdicts': '', 'explanation': '', 'error': ''}


def is_row(given: object) -> bool:
    """Whether it is what `Dataset.map` gives its function: a row, or a batch of columns."""
    return of_module(given, 'datasets') and isinstance(given, Mapping)


def checked_rows(given: Any, check: Callable[[Iterable[Mapping[str, Any]]], RecordLines[Any]]) -> dict[str, Any]:
    """The new columns of a row, or of each row of a batch. A row that cannot be checked has its `error`."""
    batch = type(given).__name__ == 'LazyBatch'
    columns = dict(given)
    rows = [dict(zip(columns, values)) for values in zip(*columns.values())] if batch else [columns]
    found: list[list[dict[str, Any]]] = [[] for _ in rows]
    marked = ({**filled(row), _ROW: i} for i, row in enumerate(rows))
    for line in check(marked).lines():
        record = json.loads(line)
        place = _PLACE.match(record.get('error', ''))
        at = record[_ROW] if _ROW in record else int(place[1]) - 1 if place else None
        if at is not None:
            found[at].append(record)
    made = [_row_of(records) for records in found]
    return {name: [row[name] for row in made] for name in _EMPTY} if batch else dict(made[0])


def _row_of(records: list[dict[str, Any]]) -> dict[str, str | float | int]:
    if len(records) != 1:
        return _failed(f'{len(records)} chains in a row, where one is wanted: rederive.check(dataset) gives a record for each')
    [record] = records
    if 'verdicts' not in record:
        return _failed(_PLACE.sub('', record.get('error', 'the row could not be checked'), count=1))
    verdicts, confidence = record['verdicts'], record.get('confidence')
    first = record.get('first_error', 'unknown')
    why = [one.get('explanation', '') for one in verdicts if one['verdict'] in ('contradict', 'unknown')]
    return {**_EMPTY, 'method': record['method'], 'confidence': math.nan if confidence is None else float(confidence),
            'first_error': NONE if first is None else UNKNOWN if first == 'unknown' else first, 'n_unknown': record.get('n_unknown', 0),
            'verdicts': ' '.join(one['verdict'] for one in verdicts), 'explanation': why[0] if why else ''}


def _failed(why: str) -> dict[str, str | float | int]:
    return {**_EMPTY, 'error': as_python(why, 'check')}
