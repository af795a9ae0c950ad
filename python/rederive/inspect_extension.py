# SPDX-License-Identifier: Apache-2.0
"""An extension of inspect_ai: scorers and solvers that it finds by name once both are installed.

    inspect score log.eval --scorer rederive/grade

or in a task, `solver=[generate(), repair()], scorer=[grade(), check()]` (docs/python-tools.md).
"""
from __future__ import annotations

from copy import deepcopy
from functools import partial
from typing import Any

import anyio.to_thread
from inspect_ai.model import ChatMessageUser
from inspect_ai.scorer import (CORRECT, INCORRECT, NOANSWER, Metric, SampleScore, Score, Scorer, Target,
                               accuracy, mean, metric, scorer, stderr)
from inspect_ai.solver import Generate, Solver, TaskState, solver
from inspect_ai.util import collect

import rederive
from rederive.answers import Found, Kind, grade_text
from rederive.errors import Error

__all__ = ['check', 'grade', 'repair', 'solve', 'undecided']

Options = dict[str, Any]

_WRONG = """Step {number} of your solution is wrong:
{step}
{why}
Write the whole solution again: keep the steps before that one, mend it, and go on from there to the final answer."""


# ---- answers -------------------------------------------------------------------------------------

@metric
def undecided() -> Metric:
    """The share of samples for which it could not be told whether the answer is right; accuracy counts
    them as not right. Of a sample with several epochs the first counts here."""

    def share(scores: list[SampleScore]) -> float:
        found = [(one.score.metadata or {}).get('outcome') for one in scores]
        return found.count('cannot-tell') / len(found) if found else 0.0

    return share


@scorer(metrics=[accuracy(), stderr(), undecided()])
def grade(kind: Kind = 'auto', tolerance: float | str | None = None, decimals_as_shown: bool = False,
          relations_as_sets: bool = False, require: Found = 'last') -> Scorer:
    """Is the final answer of the completion the same as the target? By exact arithmetic and algebra.

    The value is "C" or "I" where that is proved. It is "N", which counts as not right, where no answer
    was read, or where it cannot be told: `reason` has which. A target that cannot be read leaves the
    sample unscored. Of several targets any is right. The arguments are those of `rederive.grade_text`.
    """

    async def score(state: TaskState, target: Target) -> Score:
        completion = state.output.completion
        options = [choice.value for choice in state.choices] or None
        try:
            found = grade_text(completion, list(target), kind=kind, options=options, tolerance=tolerance,
                               decimals_as_shown=decimals_as_shown, relations_as_sets=relations_as_sets,
                               require=require)
        except Error as error:
            if error.code == 'argument':
                raise
            return Score.unscored(reason='scoring_failed', explanation=f'target: {error}')
        evidence: dict[str, Any] = found._asdict()
        if found.answer is None:
            reason = 'invalid_response_format' if completion.strip() else 'no_response'
            return Score(value=NOANSWER, reason=reason, explanation=found.reason, metadata=evidence)
        explanation = found.reason or f'{found.answer_as} is the same as {found.gold_as} ({found.why})'
        if found.outcome == 'cannot-tell':
            return Score(value=NOANSWER, answer=found.answer, reason='cannot_tell', explanation=explanation,
                         metadata=evidence)
        return Score(value=CORRECT if found else INCORRECT, answer=found.answer, explanation=explanation,
                     metadata=evidence)

    return score


# ---- steps ---------------------------------------------------------------------------------------

async def _checked(state: TaskState, method: str, model: str | None, options: Options | None) -> dict[str, Any]:
    """The record of the completion as a chain, checked in a thread so that other samples go on."""
    chain = {'id': f'{state.sample_id}/{state.epoch}', 'question': state.input_text,
             'solution': state.output.completion}
    # The rule of the method says what is accepted, unless a threshold was chosen.
    given = {'accepted': True, **(options or {})}
    if 'threshold' in given:
        del given['accepted']
    made = await anyio.to_thread.run_sync(partial(rederive.check, chain, method, model, **given))
    record: dict[str, Any] = dict(made)
    return record


def _wrong_of(record: dict[str, Any]) -> dict[str, Any] | None:
    """The verdict on the first wrong step. None: none was found."""
    first = record.get('first_error')
    return next((one for one in record['verdicts'] if one['step'] == first), None) if isinstance(first, int) else None


def _told(record: dict[str, Any]) -> str:
    lines = [f"step {one['step'] + 1}: {one.get('explanation') or one['verdict']}" for one in record['verdicts']
             if one['verdict'] in ('contradict', 'unknown')]
    return '\n'.join(lines) or 'no wrong step was found'


@scorer(metrics={'accepted': [mean(), stderr()], 'wrong': [mean()], 'undecided': [mean()]})
def check(method: str = 'calculations', model: str | None = None, options: Options | None = None) -> Scorer:
    """Are the steps of the completion right?

    Args:
        method: a name of `rederive.methods()`.
        model: for methods that ask one, as for `rederive.check`; it is asked by Rederive, beside the
            model of the task.
        options: others of `rederive.check`: {"threshold": 0.7}, {"journal": "run.journal"}.

    The value has three numbers, each 0 or 1: `wrong`, a step is contradicted; `accepted`, the method's
    rule accepts the chain; `undecided`, it says neither. The explanation names the steps; the metadata is
    the record, with the evidence of each verdict. A completion that cannot be read is unscored.
    """

    async def score(state: TaskState, target: Target) -> Score:
        if not state.output.completion.strip():
            return Score.unscored(reason='no_response', explanation='there is no completion to check')
        try:
            record = await _checked(state, method, model, options)
        except Error as error:
            if error.code == 'argument':
                raise
            return Score.unscored(reason='scoring_failed', explanation=str(error))
        wrong, accepted = _wrong_of(record), record.get('accepted')
        value: dict[str, Any] = {'accepted': int(accepted is True), 'wrong': int(wrong is not None),
                                 'undecided': int(accepted is None and wrong is None)}
        answer = record['steps'][wrong['step']] if wrong else None
        return Score(value=value, answer=answer, explanation=_told(record), metadata=record)

    return score


@solver
def repair(method: str = 'calculations', model: str | None = None, rounds: int = 1,
           options: Options | None = None) -> Solver:
    """After `generate()`: while a step is found wrong, name it to the model and let it write again.

    Args:
        method, model, options: as for `check`.
        rounds: how often at most.

    What was told is in the sample's metadata, as `rederive_repairs`.
    """

    async def mend(state: TaskState, generate: Generate) -> TaskState:
        told: list[dict[str, Any]] = []
        for _ in range(rounds):
            if not state.output.completion.strip():
                break
            record = await _checked(state, method, model, options)
            wrong = _wrong_of(record)
            if wrong is None:
                break
            step = record['steps'][wrong['step']]
            told.append({'step': wrong['step'], 'text': step, 'explanation': wrong.get('explanation')})
            state.messages.append(ChatMessageUser(content=_WRONG.format(
                number=wrong['step'] + 1, step=step, why=wrong.get('explanation') or 'It does not follow.')))
            state = await generate(state)
        state.metadata['rederive_repairs'] = told
        return state

    return mend


@solver
def solve(chains: int = 5, method: str = 'calculations', model: str | None = None, weight: str = 'confidence',
          options: Options | None = None) -> Solver:
    """In the place of `generate()`: several solutions, each checked; their answers vote by confidence.

    Args:
        chains: how many are generated (set a temperature for the task's model).
        method, model, options: as for `check`.
        weight: as for `rederive.vote`.

    The output is the most confident solution with the answer that won; the vote is in the sample's metadata,
    as `rederive_vote`.
    """

    async def voted(state: TaskState, generate: Generate) -> TaskState:
        states = await collect(*[generate(deepcopy(state)) for _ in range(chains)])
        # Some of the same text are each one chain of the vote.
        made = [(one, await _checked(one, method, model, options)) for one in states if one.output.completion.strip()]
        if not made:
            return states[0]
        records = [{**record, 'id': f'{state.sample_id}/{i}', 'question_id': str(state.sample_id)}
                   for i, (_, record) in enumerate(made)]
        vote = dict(next(iter(rederive.vote(records, weight=weight))))
        winners = [(record.get('confidence') or 0.0, one) for one, record in made
                   if vote['answer'] is not None and record.get('answer') is not None
                   and rederive.grade(record['answer'], str(vote['answer']))]
        chosen = max(winners, key=lambda pair: pair[0])[1] if winners else made[0][0]
        chosen.metadata['rederive_vote'] = vote
        return chosen

    return voted
