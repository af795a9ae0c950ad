# SPDX-License-Identifier: Apache-2.0
"""Models, a journal and budgets for several runs."""
from __future__ import annotations

import html
import importlib
import json
import sys
from collections.abc import AsyncIterator, Mapping, Sequence, Sized
from typing import Any, NamedTuple, Unpack, cast

from rederive.commands import Errors, Results, arguments, known
from rederive.errors import ArgumentError, Error
from rederive.given import Many
from rederive.options import CheckOptions, RepairOptions, SessionOptions, SolveOptions
from rederive.records import Record, RecordT
from rederive.stages import Around, MethodName, around
from rederive.types import CheckedChain, RepairedChain, VoteResult
from rederive.verbs import model_named

_MICRO = 1e6


class Totals(NamedTuple):
    """What a session has used so far."""

    calls: int = 0
    """Sent, with those that were tried again."""
    retries: int = 0
    cached: int = 0
    """Requests that the journal answered, without a call."""
    failed: int = 0
    """Requests that got no reply."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cost: float = 0.0
    """In US dollars, by `price_in` and `price_out`."""
    seconds: float = 0.0
    """In which runs were under way."""

    def plus(self, other: Totals) -> Totals:
        """Both together."""
        return Totals(self.calls + other.calls, self.retries + other.retries, self.cached + other.cached,
                      self.failed + other.failed, self.prompt_tokens + other.prompt_tokens,
                      self.completion_tokens + other.completion_tokens, self.cost + other.cost,
                      self.seconds + other.seconds)


class SessionResults(Results[RecordT]):
    """The records of a run, one at a time as they come: `for` or `async for`."""

    def __init__(self, verb: str, words: list[str], records: Many,
                 errors: Errors) -> None:
        self._bar: Any = None  # from the beginning, which may be an end too
        super().__init__(importlib.import_module('rederive._run'), verb, words, records, errors)

    def _start(self) -> bool:
        self._told = self._lib.binding_totals_new(self._command)  # the command's
        if not self._told:
            raise MemoryError
        return super()._start()

    def show(self, bar: Any) -> None:
        """Show the progress in a bar of tqdm's; None: nowhere."""
        self._bar = bar

    def cancel(self) -> None:
        """End the run soon; from any thread. Iterating ends, and the journal keeps every reply."""
        self._lib.binding_command_stop(self._command)
        self._lib.binding_command_end_input(self._command)

    def _end(self) -> None:
        try:
            super()._end()
        finally:
            self._tell(True)

    def _stop(self) -> None:
        super()._stop()
        self._tell(True)

    def _wait(self) -> Any:
        self._tell(False)
        return super()._wait()

    async def __aiter__(self) -> AsyncIterator[RecordT]:
        import asyncio  # not above, as in drivers.py
        lines = self.lines()
        try:
            while (line := await asyncio.to_thread(next, lines, None)) is not None:
                yield cast(RecordT, Record(json.loads(line)))
        except (asyncio.CancelledError, GeneratorExit):
            self.cancel()  # what waits in the thread ends soon
            raise

    def _now(self) -> Any:
        totals = self._ffi.new('rdv_run_totals *')
        self._lib.binding_totals_now(self._told, totals)
        return totals

    @property
    def totals(self) -> Totals:
        """What this run has used so far."""
        now = self._now()
        return Totals(now.sent, now.retries, now.cached, now.failed, now.prompt_tokens, now.completion_tokens,
                      now.cost_microusd / _MICRO, now.seconds)

    @property
    def over(self) -> bool:
        """The run has ended, or was closed."""
        return self._over

    def _tell(self, last: bool) -> None:
        if self._bar is None:
            return
        now = self._now()
        said = {'calls': now.sent, 'cached': now.cached, 'failed': now.failed}
        if now.cost_microusd:
            said['cost'] = f'${now.cost_microusd / _MICRO:.2f}'
        self._bar.set_postfix({name: value for name, value in said.items() if value}, refresh=False)
        self._bar.update(now.plans_done - self._bar.n)
        if last:
            self._bar.close()
            self._bar = None


class Session:
    """Models, a journal and budgets that several runs share; our own driver asks, in a thread of its own.

    ::

        with rederive.Session('http://localhost:8000/v1#my-model', journal='run.journal', max_calls=10000) as session:
            for record in session.check(chains, method='selfcheck'):     # or: async for
                ...
            print(session.totals)

    Args:
        model: as in `rederive.check`.
        journal: a file that keeps every reply. A run that was ended, by Ctrl-C too, goes on from it when it is
            started again, and asks nothing twice. None: nothing is kept.
        max_calls, max_cost: budgets of all runs of the session together. Once one is used up nothing further is
            asked: what the run lacks is unknown, and the next run is refused. A cost in US dollars needs
            price_in and price_out, per million tokens.
        concurrency: calls under way at a time for each server; 64 by default.
        progress: a bar, if tqdm is installed; nothing where standard error is no terminal.
        options: those of `rederive check` that concern models: checker, temperature, seed, profile, rpm, tpm,
            timeout, retries, max_tokens, max_seconds, api_key_env (docs/servers.md).

    `async with` closes it without holding up the loop. One run at a time. Different sessions are independent, also in threads.
    """

    def __init__(self, model: str, *, journal: str | None = None, max_calls: int | None = None,
                 max_cost: float | None = None, concurrency: int | None = None, progress: bool = False,
                 **options: Unpack[SessionOptions]) -> None:
        known('check', options)
        for name, budget in (('max_calls', max_calls), ('max_cost', max_cost), ('concurrency', concurrency)):
            if budget is not None and budget <= 0:
                raise ArgumentError(f'{name} is {budget}; more than 0 is wanted', code='argument')
        if 'jobs' in options:
            raise ArgumentError('jobs is called concurrency here', code='argument')
        self.progress = progress
        self.max_calls, self.max_cost = max_calls, max_cost
        self._options = {**options, 'model': model_named(model), 'journal': journal, 'jobs': concurrency}
        checker = options.get('checker')
        self._options['checker'] = model_named(checker if isinstance(checker, str) else None)
        self._used = Totals()
        self._run: SessionResults[Any] | None = None

    @property
    def totals(self) -> Totals:
        """What all runs so far have used."""
        return self._used.plus(self._run.totals) if self._run else self._used

    def check(self, chains: Many, method: MethodName | Sequence[MethodName] = 'calculations',
              *, errors: Errors = 'raise', **options: Unpack[CheckOptions]) -> SessionResults[CheckedChain]:
        """Find wrong steps, as `rederive.check` with a list; functions in Python come before and after the methods
        of the session's model, or are among `verifiers`."""
        return self._begin('check', chains, errors, {}, around(method, {**self._options, **options}))

    def solve(self, questions: Many, method: str | Sequence[str] = 'calculations', *,
              errors: Errors = 'raise', **options: Unpack[SolveOptions]) -> SessionResults[VoteResult]:
        """Answer questions with several checked solutions, as `rederive.solve` with a list."""
        return self._begin('solve', questions, errors, {'method': method, **options})

    def repair(self, chains: Many, *, errors: Errors = 'raise',
               **options: Unpack[RepairOptions]) -> SessionResults[RepairedChain]:
        """Rewrite chains from their first error on, as `rederive.repair` with a list."""
        return self._begin('repair', chains, errors, options)

    def _begin(self, verb: str, records: Many, errors: Errors,
               options: Mapping[str, object], stages: Around | None = None) -> SessionResults[Any]:
        if isinstance(records, (Mapping, bytes)):
            raise ArgumentError('a session takes a list of records, or another iterable of them', code='argument')
        self._settle()
        known(verb, options)
        given = {**self._options, **(stages.options if stages else options), **self._budgets()}
        total = len(records) if isinstance(records, Sized) else None
        run: SessionResults[Any] = SessionResults(verb, arguments(verb, given), cast(Many, stages.given(records, errors)) if stages else records, errors)
        run.after = stages.made(errors) if stages else None
        run.show(_bar_of(self.progress, verb, total))
        self._run = run
        return run

    def _settle(self) -> None:
        """Add up the run before, which must have ended."""
        if self._run is None:
            return
        if not self._run.over:
            raise ArgumentError('a run of this session is under way; take all its records, or close() it',
                                code='argument')
        self._used = self._used.plus(self._run.totals)
        self._run = None

    def _budgets(self) -> dict[str, object]:
        """What is left of them."""
        left: dict[str, object] = {}
        if self.max_calls is not None:
            left['max_calls'] = self.max_calls - self._used.calls
            if self._used.calls >= self.max_calls:
                raise Error(f'the budget of {self.max_calls} calls is used up', code='limit')
        if self.max_cost is not None:
            left['max_cost'] = self.max_cost - self._used.cost
            if self._used.cost >= self.max_cost:
                raise Error(f'the budget of ${self.max_cost:g} is used up', code='limit')
        return left

    def cancel(self) -> None:
        """End the run that is under way, if any; from any thread."""
        if self._run is not None:
            self._run.cancel()

    def close(self) -> None:
        """End the run that is under way, and wait for its end. A thread that takes its records gets an Error."""
        if self._run is not None:
            self._run.close()
            self._settle()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    async def __aenter__(self) -> Session:
        return self

    async def __aexit__(self, *_: object) -> None:
        import asyncio
        await asyncio.to_thread(self.close)

    def __repr__(self) -> str:
        used = self.totals
        running = ', a run under way' if self._run is not None and not self._run.over else ''
        return f'<rederive.Session of {self._options["model"]}: {used.calls} calls, {used.cached} from the journal{running}>'

    def _repr_html_(self) -> str:
        rows = ''.join(f'<tr><td>{name}</td><td>{value:g}</td></tr>' for name, value in self.totals._asdict().items())
        return f'<table class="rederive"><caption>{html.escape(repr(self))}</caption><tbody>{rows}</tbody></table>'


def _bar_of(wanted: bool, verb: str, total: int | None) -> Any:
    """A bar of tqdm's; None: none is wanted, or tqdm is not installed."""
    if not wanted:
        return None
    try:
        tqdm = importlib.import_module('tqdm.autonotebook').tqdm
    except ImportError:
        return None
    # In a notebook standard error is no terminal.
    return tqdm(total=total, desc=verb, disable=False if 'ipykernel' in sys.modules else None)
