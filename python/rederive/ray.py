# SPDX-License-Identifier: Apache-2.0
"""Checks over many machines, as stages of Ray Data (docs/ray.md).

    chains = ray.data.read_text("chains.jsonl")
    checked = rederive.ray.check(chains, "selfcheck", "http://gpu:8000/v1#qwen", column="text",
                                 concurrency=8, journals="/shared/journals")
    checked.write_parquet("/shared/checked")

Each stage keeps every row and its columns, and adds three: `id`; `record`, the line of JSON that the
program writes for it; and `error`, what went wrong, else null. Ray starts, restarts and feeds the
workers; Rederive has no scheduler of its own.
"""
from __future__ import annotations

import hashlib
import importlib
import json
import logging
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import ray

from rederive.commands import Results, arguments
from rederive.errors import ArgumentError, Error
from rederive.ray_run import Budget, adopt
from rederive.verbs import model_named

__all__ = ['Budget', 'check', 'grade', 'repair', 'solve', 'vote']

Concurrency = int | tuple[int, int] | None
_ADDED = ('id', 'record', 'error')
_ASKS, _COMPUTES = 32, 512  # rows of a batch
_log = logging.getLogger('rederive')
_PLACE = re.compile(r'^(?:input|standard input):[0-9]+(?::[0-9]+)?: ')
_SPENT = 'the budget of '  # how the program's message of a spent budget begins


# ---- rows and records ----------------------------------------------------------------------------

def _id_of(text: bytes) -> str:
    return 'sha256:' + hashlib.sha256(text).hexdigest()[:24]


def _plain(value: object) -> object:
    """What Arrow has for a missing member is left out: a record's null means something."""
    if isinstance(value, Mapping):
        return {name: _plain(one) for name, one in value.items() if one is not None}
    return [_plain(one) for one in value] if isinstance(value, list) else value


def _record_of(row: dict[str, Any], column: str | None) -> tuple[str, bytes]:
    """The id and the line of a row. A record without an id gets one of its content, which does not
    depend on where the row stands: the draws of a model are named after it."""
    name = column or ('record' if isinstance(row.get('record'), str) else None)
    if name is None:
        record: Any = {key: _plain(value) for key, value in row.items()
                       if value is not None and key not in ('record', 'error')}
        line = json.dumps(record, ensure_ascii=False, separators=(',', ':')).encode('utf-8', 'surrogatepass')
    else:
        if not isinstance(row.get(name), str):
            raise ArgumentError(f'the column {name} has no text in this row', code='argument')
        line = row[name].encode('utf-8', 'surrogatepass')
        # Anything else would be taken for a file of another format, with the rows beside it.
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise Error(f'a record must be a JSON object: {error}') from None
        if not isinstance(record, dict):
            raise Error('a record must be a JSON object')
    if isinstance(record.get('id'), str):
        return record['id'], line.replace(b'\n', b' ') if name else line
    if 'id' in record:
        return str(record['id']), line.replace(b'\n', b' ') if name else line
    record['id'] = _id_of(line)
    return record['id'], json.dumps(record, ensure_ascii=False, separators=(',', ':')).encode('utf-8', 'surrogatepass')


Found = tuple[str | None, str | None]  # a record, and an error


def _found_of(line: bytes) -> Found:
    text = line.decode('utf-8', 'replace').rstrip('\n')
    if '"error":' not in text:
        return text, None
    record = json.loads(text)
    if record.get('error') is None:
        return text, None
    # Where the record stands in its batch says nothing: a record of that alone is none.
    error = _PLACE.sub('', str(record['error']))
    return (text if record.keys() - {'rederive_schema', 'error'} else None), error


def _is_of(record: str | None, name: str) -> bool:
    """Whether a record may be that of the row of this id: one of several has another."""
    given = None if record is None else json.loads(record).get('id')
    return given is None or str(given) == name


def _table_of(table: pa.Table, ids: list[str], found: list[list[Found]]) -> pa.Table:
    """The table with the columns that a stage adds. A row with several records is there as often."""
    rows = [i for i, records in enumerate(found) for _ in records]
    kept = table.drop_columns([name for name in _ADDED if name in table.column_names])
    if len(rows) != table.num_rows:
        kept = kept.take(pa.array(rows))
    flat = [one for records in found for one in records]
    for name, values in zip(_ADDED, ([ids[i] for i in rows], [record for record, _ in flat],
                                     [error for _, error in flat])):
        kept = kept.append_column(name, pa.array(values, pa.string()))
    return kept


# ---- a stage -------------------------------------------------------------------------------------

class _Stage:
    """What a worker does with its batches. It has what the worker keeps from batch to batch."""

    def __init__(self, verb: str, options: Mapping[str, object], column: str | None = None,
                 budget: Budget | None = None, journals: str = '') -> None:
        self._verb, self._options, self._column = verb, dict(options), column
        self._module = importlib.import_module('rederive._core' if verb in ('vote', 'grade') else 'rederive._run')
        self._budget, self._folder = budget, journals
        self._journal = ''
        self._adopted: set[str] = set()
        if budget is not None:
            self._journal, earlier = budget.enter(ray.get_runtime_context().get_actor_id() or '')
            self._adopt(earlier)

    def _adopt(self, journals: Sequence[str]) -> None:
        for name in journals:
            if name in self._adopted:
                continue
            try:
                adopt(os.path.join(self._folder, self._journal), os.path.join(self._folder, name))
                self._adopted.add(name)
            except Error as error:  # a row is rather asked again than lost
                _log.warning('%s', error)

    def __call__(self, table: pa.Table) -> pa.Table:
        rows = table.to_pylist()
        ids: list[str] = [''] * len(rows)
        found: list[list[Found]] = [[] for _ in rows]
        asked: list[tuple[int, bytes]] = []
        for i, row in enumerate(rows):
            try:
                ids[i], line = _record_of(row, self._column)
            except (Error, TypeError, ValueError, RecursionError) as error:
                ids[i] = str(row.get('id') or _id_of(repr(sorted(row.items(), key=lambda one: one[0])).encode()))
                found[i] = [(None, str(error))]
                continue
            if row.get('error') is not None and 'record' in row:  # it failed in an earlier stage
                ids[i], found[i] = str(row.get('id') or ids[i]), [(row['record'], row['error'])]
            else:
                asked.append((i, line))
        for i, one in self._answered(asked, ids):
            found[i] = one
        return _table_of(table, ids, found)

    def _answered(self, asked: list[tuple[int, bytes]], ids: list[str]) -> Iterator[tuple[int, list[Found]]]:
        """What the program writes for each record. One that makes several, or none, is asked alone."""
        if not asked:
            return
        if self._budget is not None:
            self._adopt(self._budget.begin(self._journal, [ids[i] for i, _ in asked]))
        found = self._found([line for _, line in asked])
        if len(found) == len(asked) and all(_is_of(record, ids[i]) for (i, _), (record, _) in zip(asked, found)):
            yield from ((i, [one]) for (i, _), one in zip(asked, found))
            return
        for i, line in asked:
            yield i, self._found([line]) or [(None, 'nothing was written for this row')]

    def _found(self, records: list[bytes]) -> list[Found]:
        try:
            if self._budget is None:
                return [_found_of(line) for line in self._results(records, self._options, quiet=True).lines()]
            return self._paid(records, self._budget)
        except ArgumentError:
            raise  # a setting that cannot be used fails every row: the run is to end
        except Exception as error:
            return [(None, f'{type(error).__name__}: {error}')] * len(records)

    def _results(self, records: list[bytes], options: Mapping[str, object], quiet: bool) -> Results[Any]:
        words = arguments(self._verb, options)
        if not quiet:
            words = ['--json', *words[1:]]
        return Results(self._module, self._verb, words, records, 'keep')

    def _paid(self, records: list[bytes], budget: Budget) -> list[Found]:
        """Ask within what the budget lends, again while it lends more: what was answered is in the
        journal, and is not asked again."""
        journal = os.path.join(self._folder, self._journal)
        while (lent := budget.lend()) is not None:
            results = self._results(records, {**self._options, **lent, 'journal': journal}, quiet=False)
            found = [_found_of(line) for line in results.lines()]
            usage: dict[str, Any] = next((json.loads(said) for said in reversed(results.messages)
                                          if said.startswith('{"n_')), {})
            short = any(said.startswith(_SPENT) for said in results.messages)
            more = budget.spend(lent, usage, short)
            if not short:
                return found
            if not more:  # what the end of the budget left undone says so
                return [(record, 'over budget' if '"over budget"' in (record or '') else error)
                        for record, error in found]
        return [(None, 'over budget')] * len(records)


def _staged(dataset: Any, stage: tuple[Any, ...], concurrency: Concurrency, batch_size: int, num_cpus: float) -> Any:
    """Workers that keep what they have need actors of Ray; others are its tasks."""
    if stage[3] is None:
        most = concurrency[1] if isinstance(concurrency, tuple) else concurrency
        return dataset.map_batches(_Stage(*stage[:3]), batch_size=batch_size, batch_format='pyarrow', num_cpus=num_cpus,
                                   compute=ray.data.TaskPoolStrategy(size=most))
    sizes = concurrency if isinstance(concurrency, tuple) else (concurrency or 1,) * 2
    return dataset.map_batches(_Stage, fn_constructor_args=stage, batch_size=batch_size, batch_format='pyarrow',
                               num_cpus=num_cpus, compute=ray.data.ActorPoolStrategy(min_size=sizes[0], max_size=sizes[1]))


def _asking(dataset: Any, verb: str, model: str, options: dict[str, object], column: str | None,
            concurrency: Concurrency, journals: str | os.PathLike[str] | None, budget: Budget | None,
            rpm: int | None, batch_size: int | None, num_cpus: float) -> Any:
    for name in ('journal', 'max_calls', 'max_tokens', 'max_cost'):
        if name in options:
            raise ArgumentError(f'{name}: workers have a journal each, in the folder `journals`, and one Budget',
                                code='argument')
    if journals is None:
        raise ArgumentError('journals: a folder that all workers reach is wanted, for the replies: a worker that '
                            'takes the place of one that ended asks for nothing twice', code='argument')
    folder = os.path.abspath(os.fspath(journals))
    os.makedirs(folder, exist_ok=True)
    workers = concurrency[1] if isinstance(concurrency, tuple) else concurrency or 1
    if rpm is not None:
        if rpm < workers:
            raise ArgumentError(f'rpm={rpm} is shared by {workers} workers; give at least 1 to each', code='argument')
        options['rpm'] = rpm // workers
    _try(verb, {**options, 'model': model})
    earlier = sorted(name for name in os.listdir(folder) if name.endswith('.journal'))
    begun = (budget or Budget()).started(workers, earlier)
    return _staged(dataset, (verb, {**options, 'model': model_named(model)}, column, begun, folder), concurrency,
                   batch_size or _ASKS, num_cpus)


def _try(verb: str, options: Mapping[str, object]) -> None:
    """Tell a setting that cannot be used here, and not in a worker."""
    module = importlib.import_module('rederive._core' if verb in ('vote', 'grade') else 'rederive._run')
    model = options.get('model')
    given = {**options, **({'model': model_named(str(model))} if model is not None else {})}
    try:
        list(Results(module, verb, arguments(verb, given), [], 'keep').lines())
    except ArgumentError:
        raise
    except Error:
        pass  # there is nothing in it


# ---- the stages ----------------------------------------------------------------------------------

def grade(dataset: Any, *, column: str | None = None, concurrency: Concurrency = None, batch_size: int | None = None,
          num_cpus: float = 1, **options: object) -> Any:
    """Is each answer the same as its gold answer? The records of `rederive grade`.

    Args:
        dataset: a ray.data.Dataset of pairs: with columns answer (or text) and gold, or with a `column`
            of lines of JSON. Without `column`, a column `record` of an earlier stage is read if there is one.
        concurrency: how many workers at a time; None: as many as Ray has processors.
        batch_size: rows that a worker takes at a time.
        options: those of `rederive grade`.

    Columns whose value is null are taken as absent. Returns a Dataset; nothing runs before it is used.
    """
    _try('grade', options)
    return _staged(dataset, ('grade', options, column, None), concurrency, batch_size or _COMPUTES, num_cpus)


def check(dataset: Any, method: str | Sequence[str] = 'calculations', model: str | None = None, *,
          column: str | None = None, concurrency: Concurrency = None, journals: str | os.PathLike[str] | None = None,
          budget: Budget | None = None, rpm: int | None = None, batch_size: int | None = None, num_cpus: float = 1,
          **options: object) -> Any:
    """Find wrong steps: the records of `rederive check`.

    Args:
        dataset: a ray.data.Dataset of chains, as for `grade`.
        method, model: as for `rederive.check`.
        concurrency: how many workers ask at a time, or the least and the most.
        journals: where a model is asked: a folder that all workers reach. Each has its journal in it
            (`rederive journal merge` makes one of them). A run with the folder of an earlier one asks
            for nothing that was answered.
        budget: what all workers may spend together.
        rpm: calls per minute of all workers together; each gets an equal part.
        options: those of `rederive check`.

    A chain without an `id` gets one of its content. See `grade` for the rest.
    """
    given: dict[str, object] = {'method': method, **options}
    if model is None:
        for name, value in (('journals', journals), ('budget', budget), ('rpm', rpm)):
            if value is not None:
                raise ArgumentError(f'{name}: no model is asked', code='argument')
        _try('check', given)
        return _staged(dataset, ('check', given, column, None), concurrency, batch_size or _COMPUTES, num_cpus)
    return _asking(dataset, 'check', model, given, column, concurrency, journals, budget, rpm, batch_size, num_cpus)


def solve(dataset: Any, model: str, method: str | Sequence[str] = 'calculations', *, column: str | None = None,
          concurrency: Concurrency = None, journals: str | os.PathLike[str] | None = None,
          budget: Budget | None = None, rpm: int | None = None, batch_size: int | None = None, num_cpus: float = 1,
          **options: object) -> Any:
    """Answer questions with several checked solutions: the records of `rederive solve`. As `check`."""
    return _asking(dataset, 'solve', model, {'method': method, **options}, column, concurrency, journals, budget, rpm,
                   batch_size, num_cpus)


def repair(dataset: Any, model: str, *, column: str | None = None, concurrency: Concurrency = None,
           journals: str | os.PathLike[str] | None = None, budget: Budget | None = None, rpm: int | None = None,
           batch_size: int | None = None, num_cpus: float = 1, **options: object) -> Any:
    """Rewrite chains from their first error on: the records of `rederive repair`. As `check`."""
    return _asking(dataset, 'repair', model, dict(options), column, concurrency, journals, budget, rpm, batch_size,
                   num_cpus)


class _Voting:
    """The vote of the rows of one question, as one row."""

    def __init__(self, options: Mapping[str, object], column: str | None) -> None:
        self._options, self._column = dict(options), column

    def __call__(self, table: pa.Table) -> pa.Table:
        stage = _Stage('vote', self._options, self._column)
        lines, failed = [], 0
        for row in table.to_pylist():
            try:
                if row.get('error') is not None:
                    raise Error(str(row['error']))
                lines.append(_record_of(row, self._column)[1])
            except (Error, TypeError, ValueError, RecursionError):
                failed += 1
        # In one order, whatever the order in which the workers were ready.
        made = stage._found(sorted(lines)) if lines else [(None, 'no chain of this question can vote')]
        n = len(made)
        return pa.table({'question_id': pa.array([table['question_id'][0].as_py()] * n, pa.string()),
                         'n_left_out': pa.array([failed] * n, pa.int64()),
                         'record': pa.array([record for record, _ in made], pa.string()),
                         'error': pa.array([error for _, error in made], pa.string())})


class _Question:
    """Adds the column `question_id` that rows are grouped by."""

    def __init__(self, column: str | None) -> None:
        self._column = column

    def __call__(self, table: pa.Table) -> pa.Table:
        names = [self._of(row) for row in table.to_pylist()]
        kept = table.drop_columns(['question_id']) if 'question_id' in table.column_names else table
        return kept.append_column('question_id', pa.array(names, pa.string()))

    def _of(self, row: dict[str, Any]) -> str:
        try:
            record = json.loads(_record_of(row, self._column)[1])
            if record.get('question_id') is not None:
                return str(record['question_id'])
            return _id_of(json.dumps(record.get('question'), sort_keys=True).encode())
        except (Error, TypeError, ValueError, RecursionError, AttributeError):
            return _id_of(b'unread')


def vote(dataset: Any, *, column: str | None = None, partitions: int = 16, num_cpus: float = 1,
         **options: object) -> Any:
    """One answer for each question, from the answers of its chains: the records of `rederive vote`.

    Args:
        dataset: chains, or what `check` made of them. Those of one question share `question_id`, or the question.
        partitions: into how many parts Ray divides the questions to bring their chains together.
        options: those of `rederive vote`: weight="confidence".

    A row for each question: `question_id`, `record`, `error`, and `n_left_out`, how many of its rows had an
    error and no vote. The rows of a question come together in one worker, in the order of their lines.
    """
    _try('vote', options)
    named = dataset.map_batches(_Question(column), batch_format='pyarrow', num_cpus=num_cpus)
    grouped = named.groupby('question_id', num_partitions=partitions)
    voting = _Voting(options, column)

    def voted(table: pa.Table) -> pa.Table:
        return voting(table)

    return grouped.map_groups(voted, batch_format='pyarrow', num_cpus=num_cpus)
