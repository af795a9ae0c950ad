# SPDX-License-Identifier: Apache-2.0
"""Methods of checking that are written in Python."""
from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rederive.errors import ArgumentError
from rederive.method_list import methods
from rederive.records import Record

Verdict = str | bool | float | None | Mapping[str, Any]
Check = Callable[[Record], Sequence[Verdict] | Verdict]

_NAME = re.compile('[a-z][a-z0-9_-]{0,63}')
_VERDICTS = ('support', 'unrelated', 'contradict', 'unknown')
_MEMBERS = {'verdict', 'score', 'explanation', 'evidence'}


class OwnMethod:
    """A function as a method of `check`; made by `method` or `verifier`."""

    def __init__(self, check: Check, name: str) -> None:
        self.check, self.name = check, name

    def __call__(self, chain: Record) -> Sequence[Verdict] | Verdict:
        return self.check(chain)

    def __repr__(self) -> str:
        return f'<rederive method {self.name}>'

    def record(self, chain: Record) -> bytes:
        """The verdicts on a chain, as a record of its steps with this check."""
        steps = len(chain.get('steps', []))  # the function may change its chain
        given = _plain(self.check(chain))
        if isinstance(given, Sequence) and not isinstance(given, str):
            verdicts = [_verdict(one, i, self.name) for i, one in enumerate(given)]
        else:
            verdicts = [_verdict(given, None, self.name)]
        check = {'question': '', 'steps': [''] * steps, 'method': self.name, 'verdicts': verdicts}
        try:
            return json.dumps(check, ensure_ascii=False, allow_nan=False).encode('utf-8', 'replace')
        except (TypeError, ValueError) as error:
            raise ArgumentError(f'the method {self.name} gave evidence that is not JSON: {error}',
                                code='argument') from None


def _plain(given: Any) -> Any:
    """What numpy's and torch's arrays and numbers hold."""
    return given.tolist() if hasattr(given, 'tolist') else given


def _is_score(given: object) -> bool:
    return isinstance(given, (int, float)) and 0 <= given <= 1


def _verdict(given: Verdict, step: int | None, name: str) -> dict[str, Any]:
    """A verdict as a record has it."""
    given = _plain(given)
    if isinstance(given, Mapping):
        unknown = set(given) - _MEMBERS
        if unknown or given.get('verdict') not in _VERDICTS:
            raise ArgumentError(f'the method {name} gave {dict(given)!r}; "verdict" must be one of '
                                f'{", ".join(_VERDICTS)}, with {", ".join(sorted(_MEMBERS))} beside it',
                                code='argument')
        score, explanation = _plain(given.get('score')), given.get('explanation')
        if not (score is None or _is_score(score)) or not isinstance(explanation, str | None):
            raise ArgumentError(f'the method {name} gave {dict(given)!r}; "score" is from 0 to 1, and "explanation" '
                                'is a text', code='argument')
        return {'step': step, **given, **({} if score is None else {'score': float(score)})}
    if given is None:
        return {'step': step, 'verdict': 'unknown', 'explanation': f'{name} gave no verdict'}
    if isinstance(given, bool):
        return {'step': step, 'verdict': 'support' if given else 'contradict', 'score': int(given)}
    if isinstance(given, str) and given in _VERDICTS:
        return {'step': step, 'verdict': given}
    if isinstance(given, (int, float)) and _is_score(given):
        is_ = 'support' if given > 0.5 else 'contradict' if given < 0.5 else 'unrelated'
        return {'step': step, 'verdict': is_, 'score': given}
    raise ArgumentError(f'the method {name} gave {given!r}; a verdict is one of {", ".join(_VERDICTS)}, True, False, '
                        'None, a score from 0 to 1, or a dict', code='argument')


def method(check: Check, name: str | None = None) -> OwnMethod:
    """A Python function as a method of `check`.

    Args:
        check: takes a chain (its record as a dict, with "question" and "steps"), and gives a verdict for
            each step, or a single one of the whole chain. A verdict is "support", "unrelated",
            "contradict" or "unknown"; True or False; None, which is unknown; a score from 0 to 1; or a
            dict with "verdict", and "score", "explanation" and "evidence" where there are any.
        name: under which records name it; default: the function's.

    The confidence and the first error follow from the verdicts as for other methods (docs/selfcheck.md).
    What the function raises is not caught. It may be a decorator:

    >>> @rederive.method
    ... def short_steps(chain):
    ...     return [len(step) < 20 for step in chain['steps']]
    >>> record = rederive.check({'question': 'What is 6 × 7?', 'steps': ['6 × 7 = 42.']}, short_steps)
    >>> record['method'], record['verdicts'][0]['verdict'], record['confidence']
    ('short-steps', 'support', 1)
    """
    return OwnMethod(check, _named(check, name))


class OwnVerifier(OwnMethod):
    """A function as a verifier of `general`; made by `verifier`."""

    def __init__(self, check: Check, name: str, weight: float) -> None:
        super().__init__(check, name)
        self.weight = weight


def verifier(check: Check, name: str | None = None, *, weight: float = 1) -> OwnVerifier:
    """A Python function as a verifier of the method `general`.

    Args:
        check, name: as for `method`; a verdict for each step.
        weight: its weight in the mean over the verifiers, at least 0; perplexity has 2, the others 1.

    Its check stands in the record under its name, like those of the other verifiers. A step that it
    contradicts is contradicted. A step that it left unknown, and a single verdict on the whole chain, are
    unread: they never count as support.

    >>> def short(chain):
    ...     return [len(step) < 20 for step in chain['steps']]
    >>> record = rederive.check({'question': 'What is 6 × 7?', 'steps': ['6 × 7 = 42.', 'It is 43, or so I guess.']},
    ...                         'general', math='native', verifiers=['math', rederive.verifier(short, weight=2)])
    >>> list(record['checks']), record['verdicts'][1]['verdict']
    (['short', 'math', 'general'], 'contradict')
    """
    if isinstance(weight, bool) or not isinstance(weight, (int, float)) or not 0 <= weight < math.inf:
        raise ArgumentError(f'weight is {weight!r}; a number, at least 0, is wanted', code='argument')
    if isinstance(check, OwnMethod):
        return OwnVerifier(check.check, name if name is not None else check.name, weight)
    return OwnVerifier(check, _named(check, name), weight)


def _named(check: Check, name: str | None) -> str:
    """The name of a method: the function's, where there is none."""
    named = (name if name is not None else getattr(check, '__name__', 'own').replace('_', '-')).lower()
    if not _NAME.fullmatch(named):
        raise ArgumentError(f'name {named!r}: a method\'s name has a letter and then letters, digits, - and _',
                            code='argument')
    if any(named == other.name for other in methods()):
        raise ArgumentError(f'name {named!r}: there is a method of that name already', code='argument')
    return named
