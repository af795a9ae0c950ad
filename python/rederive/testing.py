# SPDX-License-Identifier: Apache-2.0
"""Assertions for tests of what a model wrote, with pytest or without it.

    from rederive.testing import assert_no_wrong_step, assert_same_answer

    def test_reply():
        reply = my_model('What is 6 × 7?')
        assert_no_wrong_step('What is 6 × 7?', reply)
        assert_same_answer(reply, 42)
"""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rederive.answers import Answer, grade, grade_text
from rederive.errors import Error
from rederive.verbs import check

__all__ = ['assert_no_wrong_step', 'assert_same_answer', 'assert_supported']


def _checked(question: str | Mapping[str, Any], solution: str | None, method: str | Sequence[str], options: Mapping[str, Any]) -> Any:
    chain = question if isinstance(question, Mapping) else {'question': question, 'solution': solution or ''}
    try:
        return check(chain, method, **options)
    except Error as error:
        raise AssertionError(f'the solution cannot be checked: {error}') from None


def _said(record: Mapping[str, Any], kinds: Sequence[str]) -> list[str]:
    return [f'step {one["step"]}: {record["steps"][one["step"]]!r}: {one["verdict"]}: {one.get("explanation", "no reason")}'
            if one['step'] is not None else f'the solution: {one["verdict"]}: {one.get("explanation", "no reason")}'
            for one in record['verdicts'] if one['verdict'] in kinds]


def assert_no_wrong_step(question: str | Mapping[str, Any], solution: str | None = None,
                         method: str | Sequence[str] = 'calculations', **options: Any) -> None:
    """No step is found wrong. What was not read or decided passes: it is not known to be wrong.

    Args:
        question: the question, with its `solution` as a text; or a chain.
        method, options: as for `rederive.check`.

    >>> assert_no_wrong_step('What is 6 × 7?', '6 × 7 = 48.')
    Traceback (most recent call last):
        ...
    AssertionError: step 0: '6 × 7 = 48.': contradict: 6 × 7 is 42, not 48
    """
    __tracebackhide__ = True
    wrong = _said(_checked(question, solution, method, options), ('contradict',))
    if wrong:
        raise AssertionError('\n'.join(wrong))


def assert_supported(question: str | Mapping[str, Any], solution: str | None = None,
                     method: str | Sequence[str] = 'calculations', **options: Any) -> None:
    """No step is found wrong or was left unread, and at least one is supported: what is not known fails.

    >>> assert_supported('What is 6 × 7?', 'It is 42.')
    Traceback (most recent call last):
        ...
    AssertionError: no step is supported by calculations
    """
    __tracebackhide__ = True
    record = _checked(question, solution, method, options)
    said = _said(record, ('contradict', 'unknown'))
    if said:
        raise AssertionError('\n'.join(said))
    if not any(one['verdict'] == 'support' for one in record['verdicts']):
        raise AssertionError(f'no step is supported by {record["method"]}')


def assert_same_answer(answer: Answer | None, gold: Answer | Sequence[Answer], **options: Any) -> None:
    """The answer, or that of a whole reply, is proved to be the same as gold; what cannot be told fails.

    Args:
        answer: a reply or an answer.
        gold, options: as for `rederive.grade`.

    >>> assert_same_answer('So it is 41.', 42)
    Traceback (most recent call last):
        ...
    AssertionError: different: 41 is not 42
    """
    __tracebackhide__ = True
    found = grade_text(answer, gold, **options) if isinstance(answer, str) else grade(answer, gold, **options)
    if not found:
        raise AssertionError(f'{found.outcome}: {found.reason or found.why}')
