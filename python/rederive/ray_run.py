# SPDX-License-Identifier: Apache-2.0
"""What the workers of one run over Ray share: what they may spend, and which journal has which rows."""
from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Mapping, Sequence
from contextlib import closing
from typing import Any

import ray

from rederive.errors import ArgumentError, Error

_LIMITS = ('max_calls', 'max_tokens', 'max_cost')
_LEAST: dict[str, float] = {'max_calls': 1, 'max_tokens': 1, 'max_cost': 1e-9}
_USAGE = ('n_calls', 'n_retries', 'n_cached', 'prompt_tokens', 'completion_tokens', 'cost_usd')
_PAUSE = 0.2  # seconds until a worker asks again for what others have not spent
_LONGEST_WAIT = 600.0  # seconds, after which what others hold counts as spent


class _Ledger:
    """The actor. It computes next to nothing, so that one serves all workers."""

    def __init__(self, limits: Mapping[str, float], workers: int, earlier: Sequence[str]) -> None:
        self._left = dict(limits)
        self._workers, self._earlier = workers, list(earlier)
        self._held: dict[str, dict[str, float]] = {}  # by worker: what was lent and not yet given back
        self._short: dict[str, dict[str, float]] = {}  # by worker: a part that held none of its calls
        self._used: dict[str, float] = dict.fromkeys(_USAGE, 0)
        self._names: list[str] = []
        self._begun: dict[str, int] = {}  # by row: the journal of who began with it last

    def enter(self, actor: str) -> tuple[str, list[str]]:
        """The name of a journal for a worker, and those that were there before the run. A worker that
        was started again is a new one: what it held is spent, since nobody knows how much of it."""
        self._held.pop(actor, None)
        name = f'{time.time_ns():x}-{len(self._names)}.journal'
        self._names.append(name)
        return name, self._earlier

    def begin(self, journal: str, rows: Sequence[str]) -> list[str]:
        """The journals of workers that began with any of these rows before."""
        mine = self._names.index(journal)
        before = {self._begun.get(row, mine) for row in rows} - {mine}
        self._begun.update(dict.fromkeys(rows, mine))
        return [self._names[i] for i in sorted(before)]

    def lend(self, actor: str) -> dict[str, float] | None:
        """A part of what is left. None: others hold all of it, so wait."""
        if not self._left:
            return {}
        if self._is_hopeless(actor):
            return None if self._held else dict.fromkeys(self._left, 0.0)
        lent = {}
        for name, left in self._left.items():
            part = left if actor in self._short else left / (2 * self._workers)
            if name != 'max_cost':
                part = float(max(1, int(part)))
            if left < _LEAST[name]:
                return None if self._held else dict.fromkeys(self._left, 0.0)  # wait, or nothing is left
            lent[name] = min(part, left)
        for name, part in lent.items():
            self._left[name] -= part
        self._held[actor] = dict(lent)
        return lent

    def spend(self, actor: str, used: Mapping[str, float], short: bool) -> bool:
        """Take back what was not spent. `short`: it held no further call. Whether there is more, now or
        when others give back."""
        held = self._held.pop(actor, {})
        for name, value in used.items():
            self._used[name] += value
        spent = {'max_calls': used['n_calls'], 'max_tokens': used['prompt_tokens'] + used['completion_tokens'],
                 'max_cost': used['cost_usd']}
        for name, part in held.items():
            self._left[name] += part - spent[name]
        self._short.pop(actor, None)
        if short and used['n_calls'] == 0:
            self._short[actor] = held
        some = all(left >= _LEAST[name] for name, left in self._left.items()) and not self._is_hopeless(actor)
        return some or bool(self._held)

    def _is_hopeless(self, actor: str) -> bool:
        """Whether all that is left is no more than what held none of its calls."""
        short = self._short.get(actor)
        return short is not None and all(left <= short[name] for name, left in self._left.items())

    def used(self) -> dict[str, float]:
        return dict(self._used)


class Budget:
    """What all workers of a run may spend together, held by one actor.

    Args:
        max_calls: calls to the model, with those that are repeated.
        max_tokens: tokens of prompts and replies.
        max_cost: dollars, by the options price_in and price_out of the stage.

    A worker borrows a part, and gives back what it did not spend. What a worker held that was killed
    counts as spent. Spending stays within the budget, as in the program. Each part begins with two short
    calls that find out whether the server holds replies to a form: with few calls to spend, give
    `no_structured=True`. A row that came too late has the `error` "over budget". A run with more,
    and the same journals, goes on.

    It belongs to one run of one dataset. The actor lives as long as this object or the dataset.
    """

    def __init__(self, *, max_calls: int | None = None, max_tokens: int | None = None,
                 max_cost: float | None = None) -> None:
        given = {'max_calls': max_calls, 'max_tokens': max_tokens, 'max_cost': max_cost}
        self._limits = {name: float(value) for name, value in given.items() if value is not None}
        for name, value in self._limits.items():
            if not value >= _LEAST[name]:
                raise ArgumentError(f'{name} is {value}; it is more than 0', code='argument')
        self._ledger: Any = None

    def started(self, workers: int, earlier: Sequence[str]) -> Budget:
        """Start the actor, in the process that makes the dataset."""
        if self._ledger is not None:
            raise ArgumentError('a Budget belongs to one stage; make another', code='argument')
        actor: Any = ray.remote(_Ledger)
        self._ledger = actor.options(num_cpus=0).remote(self._limits, workers, earlier)
        return self

    def used(self) -> dict[str, float]:
        """Calls, tokens and cost of the workers so far: n_calls, n_retries among them, n_cached (answered
        from a journal), prompt_tokens, completion_tokens, cost_usd."""
        if self._ledger is None:
            raise ArgumentError('the Budget was not given to a stage yet', code='argument')
        used: dict[str, float] = ray.get(self._ledger.used.remote())
        return used

    # ---- what workers call

    def enter(self, actor: str) -> tuple[str, list[str]]:
        self._actor = actor
        name: tuple[str, list[str]] = ray.get(self._ledger.enter.remote(actor))
        return name

    def begin(self, journal: str, rows: Sequence[str]) -> list[str]:
        before: list[str] = ray.get(self._ledger.begin.remote(journal, rows))
        return before

    def lend(self) -> dict[str, float] | None:
        """Options of the program for the next batch. None: nothing is left."""
        waited = 0.0
        while (lent := ray.get(self._ledger.lend.remote(self._actor))) is None and waited < _LONGEST_WAIT:
            time.sleep(_PAUSE)
            waited += _PAUSE
        if lent is None or not all(value > 0 for value in lent.values()):
            return None
        return {name: value if name == 'max_cost' else int(value) for name, value in lent.items()}

    def spend(self, lent: Mapping[str, float], usage: Mapping[str, Any], short: bool) -> bool:
        used = {name: usage.get(name, 0) for name in _USAGE}
        more: bool = ray.get(self._ledger.spend.remote(self._actor, used, short))
        return more and bool(lent)


# ---- journals ------------------------------------------------------------------------------------

def _has_parts(journal: str) -> bool:
    """Whether it stores parts of requests once, as journals since version 4 do."""
    with closing(sqlite3.connect(journal, timeout=5)) as base:
        return int(base.execute('PRAGMA user_version').fetchone()[0]) >= 4


def _copy_file(source: str, target: str) -> None:
    with closing(sqlite3.connect(source, timeout=5)) as old, closing(sqlite3.connect(target)) as new:
        old.backup(new)


def _copy_rows(source: str, target: str) -> None:
    """Parts too, which their content names. What is there stays."""
    with closing(sqlite3.connect(target, timeout=5)) as base:
        base.execute('ATTACH ? AS other', (source,))
        if _has_parts(source):
            base.execute('INSERT OR IGNORE INTO main.parts SELECT * FROM other.parts')
        base.execute('INSERT OR IGNORE INTO main.responses SELECT * FROM other.responses')
        base.commit()


def adopt(journal: str, other: str) -> None:
    """Copy the replies of another journal into a worker's own. Rows are copied as they are, with their
    checksums, which are tested when the journal is opened."""
    if not os.path.exists(other):
        return
    try:
        if not os.path.exists(journal):
            _copy_file(other, journal)
        elif _has_parts(other) and not _has_parts(journal):  # its rows do not fit into the older one
            newer = journal + '.adopting'
            _copy_file(other, newer)
            _copy_rows(journal, newer)
            os.replace(newer, journal)
        else:
            _copy_rows(other, journal)
    except sqlite3.Error as error:
        raise Error(f'{other}: its replies cannot be copied to {os.path.basename(journal)}: {error}',
                    code='io') from None
