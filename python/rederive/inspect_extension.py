# SPDX-License-Identifier: Apache-2.0
"""An extension of inspect_ai: scorers and solvers that it finds by name once both are installed.

    inspect score log.eval --scorer rederive/grade

or in a task, `scorer=rederive.inspect_extension.grade()` (docs/tools-python.md).
"""
from __future__ import annotations

from typing import Any

from inspect_ai.scorer import (CORRECT, INCORRECT, NOANSWER, Metric, SampleScore, Score, Scorer, Target,
                               accuracy, metric, scorer, stderr)
from inspect_ai.solver import TaskState

from rederive.answers import Kind, grade_text
from rederive.errors import Error

__all__ = ['grade', 'undecided']


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
          relations_as_sets: bool = False) -> Scorer:
    """Is the final answer of the completion the same as the target? By exact arithmetic and algebra.

    The value is "C" or "I" where that is proved. It is "N", which counts as not right, where no answer
    was read, or where it cannot be told: `reason` has which. A target that cannot be read leaves the
    sample unscored. Of several targets any is right. The arguments are those of `rederive.grade`.
    """

    async def score(state: TaskState, target: Target) -> Score:
        completion = state.output.completion
        options = [choice.value for choice in state.choices] or None
        try:
            found = grade_text(completion, list(target), kind=kind, options=options, tolerance=tolerance,
                               decimals_as_shown=decimals_as_shown, relations_as_sets=relations_as_sets)
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
