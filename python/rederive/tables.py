# SPDX-License-Identifier: Apache-2.0
"""Records as tables: of steps, of chains and of votes, for pandas, polars and everything that reads Arrow."""
from __future__ import annotations

import importlib
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import accumulate
from typing import Any, Literal

from rederive._core import ffi, lib
from rederive.errors import ArgumentError

Which = Literal['steps', 'chains', 'votes']
Type = Literal['text', 'integer', 'number', 'flag']
Row = tuple[Any, ...]

# Named as the members of records (docs/records.md).
_STEPS: dict[str, Type] = {
    'id': 'text', 'question_id': 'text', 'step': 'integer', 'text': 'text', 'method': 'text', 'verdict': 'text',
    'score': 'number', 'explanation': 'text'}
_CHAINS: dict[str, Type] = {
    'id': 'text', 'question_id': 'text', 'question': 'text', 'n_steps': 'integer', 'answer': 'text', 'gold': 'text',
    'method': 'text', 'confidence': 'number', 'first_error': 'integer', 'first_error_known': 'flag',
    'n_unknown': 'integer', 'n_calls': 'integer', 'prompt_tokens': 'integer', 'completion_tokens': 'integer',
    'generator': 'text', 'checker': 'text', 'partial': 'flag', 'error': 'text'}
_VOTES: dict[str, Type] = {
    'question_id': 'text', 'answer': 'text', 'weight_share': 'number', 'no_answer': 'text', 'correct': 'flag',
    'n_chains': 'integer', 'n_chains_used': 'integer', 'n_unparsed': 'integer', 'n_tied': 'integer', 'n_calls': 'integer', 'partial': 'flag'}

Record = Mapping[str, Any]


def _checks_of(record: Record) -> list[tuple[str | None, Record]]:
    """Every check of a chain with its method; the one at the top of the record comes last."""
    checks = record.get('checks')
    top = record.get('method')
    made: list[tuple[str | None, Record]] = [
        (name, check) for name, check in (checks.items() if isinstance(checks, Mapping) else ())
        if name != top and isinstance(check, Mapping)]
    return [*made, (top, record)]


def _step_rows(record: Record) -> Iterator[Row]:
    steps = record.get('steps')
    if not isinstance(steps, list):
        return
    names = (record.get('id'), record.get('question_id'))
    for method, check in _checks_of(record):
        given = check.get('verdicts')
        verdicts = {verdict.get('step'): verdict for verdict in (given if isinstance(given, list) else ())
                    if isinstance(verdict, Mapping) and isinstance(verdict.get('step'), int | None)}
        if None in verdicts:  # on the chain as a whole
            yield (*names, None, None, method, *_said(verdicts[None]))
            continue
        for i, text in enumerate(steps):
            yield (*names, i, text, method, *_said(verdicts.get(i, {})))


def _said(verdict: Record) -> Row:
    return (verdict.get('verdict'), verdict.get('score'), verdict.get('explanation'))


def _chain_rows(record: Record) -> Iterator[Row]:
    steps = record.get('steps')
    if not isinstance(steps, list) and 'error' not in record:
        return
    first = record.get('first_error')
    given = {**{name: record.get(name) for name in _CHAINS}, 'n_steps': len(steps or ()),
             'first_error': None if first == 'unknown' else first,
             'first_error_known': first != 'unknown' if 'first_error' in record else None,
             'partial': bool(record.get('partial'))}
    yield tuple(given.values())


def _vote_rows(record: Record) -> Iterator[Row]:
    if 'weight_share' in record:
        yield tuple({**{name: record.get(name) for name in _VOTES}, 'n_tied': len(record.get('tied_answers') or ()),
                     'partial': bool(record.get('partial'))}.values())


_TABLES: dict[Which, tuple[dict[str, Type], Callable[[Record], Iterator[Row]]]] = {
    'steps': (_STEPS, _step_rows), 'chains': (_CHAINS, _chain_rows), 'votes': (_VOTES, _vote_rows)}


def _columns(records: Record | Iterable[Record], table: Which) -> tuple[dict[str, Type], list[list[Any]]]:
    if table not in _TABLES:
        raise ArgumentError(f'table={table!r}: must be "steps", "chains" or "votes"', code='argument')
    types, rows_of = _TABLES[table]
    columns: list[list[Any]] = [[] for _ in types]
    for record in [records] if isinstance(records, Mapping) else records:
        if not isinstance(record, Mapping):
            raise ArgumentError(f'a {type(record).__name__} is no record; a dict is wanted', code='argument')
        for row in rows_of(record):
            for column, value in zip(columns, row):
                column.append(value)
    return types, [[_value(value, wanted) for value in column] for column, wanted in zip(columns, types.values())]


def _value(value: object, wanted: Type) -> object:
    """A value of that type, or None: what another tool put in its place is left out."""
    if value is None:
        return None
    if wanted == 'text':
        return value if isinstance(value, str) else str(value)
    if wanted == 'flag':
        return value if isinstance(value, bool) else None
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    if wanted == 'number':
        return float(value)
    return value if isinstance(value, int) and -2**63 <= value < 2**63 else None


# ---- pandas --------------------------------------------------------------------------------------

_DTYPES: dict[Type, str] = {'text': 'string', 'integer': 'Int64', 'number': 'Float64', 'flag': 'boolean'}


def to_pandas(records: Record | Iterable[Record], table: Which = 'steps') -> Any:
    """Records as a pandas.DataFrame, whose types have a null of their own.

    Args:
        records: as `check`, `vote` and `solve` give them.
        table: "steps": a row for each step and method, with its verdict; where a method judges the chain as a
            whole, one row without a step. "chains": a row for each chain; `first_error` is null where there is
            none, and where `first_error_known` is false. "votes": a row for each result of a vote.
            Records without such rows are left out.

    Needs pandas (`pip install rederive-llm[pandas]`).

    ::

        frame = rederive.to_pandas(rederive.check(chains))
        frame[frame.verdict == 'contradict'].groupby('id').size()
    """
    pandas = importlib.import_module('pandas')
    types, columns = _columns(records, table)
    return pandas.DataFrame({name: pandas.array(column, dtype=_DTYPES[wanted])
                             for (name, wanted), column in zip(types.items(), columns)})


# ---- Arrow ---------------------------------------------------------------------------------------

class ArrowTable:
    """A table that everything with Arrow's PyCapsule interface reads without a copy.

    ::

        pyarrow.table(rederive.to_arrow(records))
        polars.DataFrame(rederive.to_arrow(records, table='chains'))

    It may be read any number of times, and what was read stays when it is gone.
    """

    def __init__(self, types: Mapping[str, Type], columns: list[list[Any]]) -> None:
        rows = len(columns[0])
        made = lib.binding_table_new(len(columns), rows)
        if not made:
            raise MemoryError
        self._table = ffi.gc(made, lib.binding_table_free)
        self.column_names, self.num_rows = list(types), rows
        for i, ((name, wanted), column) in enumerate(zip(types.items(), columns)):
            form, buffers = _FORMS[wanted](column)
            nulls = column.count(None)
            parts: list[Any] = []
            for part in (_bits([value is not None for value in column]) if nulls else None, *buffers):
                parts += [ffi.NULL, 0] if part is None else [ffi.from_buffer(part), len(part)]
            if not lib.binding_table_column(made, i, name.encode(), form, nulls, *parts):
                raise MemoryError

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """A capsule "arrow_array_stream" of the whole table. Another schema that is asked for is not made."""
        return _object(lib.binding_table_stream(self._table))

    def __arrow_c_schema__(self) -> object:
        """A capsule "arrow_schema"."""
        return _object(lib.binding_table_schema(self._table))

    def __len__(self) -> int:
        return self.num_rows

    def __repr__(self) -> str:
        return f'<rederive.ArrowTable: {self.num_rows} rows of {", ".join(self.column_names)}>'


def to_arrow(records: Record | Iterable[Record], table: Which = 'steps') -> ArrowTable:
    """Records as a table of Arrow: `pyarrow.table(to_arrow(records))`, `polars.DataFrame(to_arrow(records))`.

    Arguments as in `to_pandas`. Needs no other package.

    >>> import rederive
    >>> rederive.to_arrow(rederive.check({'question': 'What is 6 × 7?', 'steps': ['6 × 7 = 48.']}))
    <rederive.ArrowTable: 1 rows of id, question_id, step, text, method, verdict, score, explanation>
    """
    return ArrowTable(*_columns(records, table))


def _object(address: Any) -> object:
    """The Python object to which C made a reference."""
    if not address:
        raise MemoryError
    pointer = int(ffi.cast('uintptr_t', address))
    import ctypes  # not above: seldom needed
    found: object = ctypes.cast(pointer, ctypes.py_object).value
    ctypes.pythonapi.Py_DecRef(ctypes.py_object(found))
    return found


Buffers = tuple[bytes, tuple[bytes | None, bytes]]


def _bits(values: list[bool]) -> bytes:
    """A bit for each value, the first the lowest."""
    digits = ''.join('1' if value else '0' for value in reversed(values))
    return int(digits or '0', 2).to_bytes((len(values) + 7) // 8, 'little')


def _texts(column: list[str | None]) -> Buffers:
    texts = [b'' if text is None else text.encode('utf-8', 'replace') for text in column]
    data = b''.join(texts)
    large = len(data) >= 2**31
    offsets = array('q' if large else 'i', accumulate((len(text) for text in texts), initial=0))
    return b'U' if large else b'u', (offsets.tobytes(), data)


def _integers(column: list[int | None]) -> Buffers:
    return b'l', (None, array('q', [value or 0 for value in column]).tobytes())


def _numbers(column: list[float | None]) -> Buffers:
    return b'g', (None, array('d', [0.0 if value is None else value for value in column]).tobytes())


def _flags(column: list[bool | None]) -> Buffers:
    return b'b', (None, _bits([bool(value) for value in column]))


_FORMS: dict[Type, Callable[[list[Any]], Buffers]] = {
    'text': _texts, 'integer': _integers, 'number': _numbers, 'flag': _flags}
