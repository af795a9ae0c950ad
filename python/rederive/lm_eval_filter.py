# SPDX-License-Identifier: Apache-2.0
"""For tasks of lm-evaluation-harness: a filter that grades, and a metric (docs/python-tools.md).

    filter_list:
      - name: graded
        filter:
          - function: !function rederive.lm_eval_filter.GradeFilter
            gold: answer
          - function: take_first
"""
from __future__ import annotations

import logging
from collections.abc import Iterable, Sequence
from typing import Any

from lm_eval.api.filter import Filter

from rederive.answers import Kind, grade_text
from rederive.errors import ArgumentError, Error

__all__ = ['GradeFilter', 'same_answer']

NO_ANSWER = '[no answer]'
CANNOT_TELL = '[cannot tell]'
_log = logging.getLogger('rederive')


class GradeFilter(Filter):
    """Puts the gold answer in the place of each reply whose final answer is the same, so that `exact_match`
    counts it; in the place of others what was read: their answer, "[no answer]" or "[cannot tell]".

    Args:
        gold: the member of a document that has its gold answer, or a worked solution that ends with it. It has to
            be what `doc_to_target` gives.
        kind, tolerance: as for `rederive.grade`.
    """

    def __init__(self, gold: str = 'answer', kind: Kind = 'auto', tolerance: float | str | None = None) -> None:
        self._gold, self._kind, self._tolerance = gold, kind, tolerance
        grade_text('0', '0', kind=kind, tolerance=tolerance)  # a setting that cannot be used is told at once

    def apply(self, resps: Iterable[Sequence[str]], docs: Sequence[dict[str, Any]]) -> list[list[str]]:
        graded = []
        for replies, doc in zip(resps, docs):
            if self._gold not in doc:
                raise ArgumentError(f'a document has no {self._gold!r}; name the member with its gold answer: gold',
                                    code='argument')
            graded.append([self._graded(reply, doc[self._gold]) for reply in replies])
        undecided = sum(reply == CANNOT_TELL for replies in graded for reply in replies)
        if undecided:
            _log.warning('%d replies could not be told apart from wrong, and count as wrong', undecided)
        return graded

    def _graded(self, reply: Any, gold: Any) -> str:
        try:
            found = grade_text(reply if isinstance(reply, str) else '', gold, kind=self._kind, tolerance=self._tolerance)
        except Error:
            return CANNOT_TELL  # gold cannot be read
        if found:
            return str(gold)
        if found.outcome == 'cannot-tell':
            return CANNOT_TELL
        # A reply may repeat gold's text and still not give it as its answer.
        return found.answer if found.answer not in (None, str(gold)) else NO_ANSWER


def same_answer(references: Sequence[Any], predictions: Sequence[str], **_: object) -> float:
    """A metric: 1 if the final answer of the reply is one of the references, else 0.

        metric_list:
          - metric: !function rederive.lm_eval_filter.same_answer
            aggregation: mean
            higher_is_better: true
    """
    try:
        return float(bool(grade_text(predictions[0], list(references))))
    except Error:
        return 0.0
