# SPDX-License-Identifier: Apache-2.0
"""Rewards for reinforcement learning: is the final answer of a completion right?

TRL calls a reward function with columns, verl with one completion:

    trainer = GRPOTrainer(reward_funcs=[rederive.rewards.accuracy_reward], ...)   # docs/rewards.md

    reward.custom_reward_function.path=pkg://rederive.rewards
    reward.custom_reward_function.name=compute_score

Nothing that a model writes or a row contains makes a reward raise or wait: grading has bounded
time, without signals, in any thread and process. What could not be told apart from wrong is counted.
"""
from __future__ import annotations

import logging
import os
import threading
import weakref
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, get_args

from rederive import answers
from rederive.answers import Answer, Kind, grade_text
from rederive.errors import ArgumentError, Error

__all__ = ['Found', 'Reward', 'accuracy_reward', 'compute_score', 'compute_scores', 'counts']

Found = Literal['same', 'different', 'no_answer', 'cannot_tell', 'gold_unread', 'failed']
"""What was found of a completion. "same" and "different" are proved. "no_answer": none was read, which
is wrong. The others could not be told apart from wrong: "cannot_tell": the two answers could not be
compared; "gold_unread": the gold answer is absent or cannot be read; "failed": anything else."""

_FOUND: tuple[Found, ...] = get_args(Found)
UNDECIDED: tuple[Found, ...] = ('cannot_tell', 'gold_unread', 'failed')
GOLD_COLUMNS = ('gold', 'ground_truth', 'gold_answer', 'gold_solution', 'reference_answer', 'reference_solution', 'reference',
                 'target', 'expected_answer', 'answer', 'solution')
_log = logging.getLogger('rederive')

# A child of fork() has the lock as it was: it needs one of its own, in case a thread held it.
_counted: weakref.WeakSet[Reward] = weakref.WeakSet()


def _renew_locks() -> None:
    for reward in list(_counted):
        reward._lock = threading.Lock()


os.register_at_fork(after_in_child=_renew_locks)


class Reward:
    """A reward function: 1 for a right final answer, 0 for a wrong one.

    Args:
        gold: the column of gold answers; None: the first of gold, ground_truth, gold_answer, gold_solution,
            reference_answer, reference_solution, reference, target, expected_answer, answer, solution that
            there is. A gold answer may be a worked solution, whose final answer is read.
        right, wrong: the rewards of an answer that is the same as gold, and of one that is not.
        cannot_tell: the reward where that was not decided. None: TRL leaves the completion out.
        kind, tolerance, decimals_as_shown, relations_as_sets: as for `rederive.grade`.
        require: "announced" or "boxed": an answer that the completion does not announce, or box, counts as
            none; "last": the last value may be it.

    It can be pickled, and called in threads, forked and spawned processes and workers of Ray. Each
    process counts for itself: `counts`.

    >>> reward = Reward()
    >>> reward(completions=['The answer is 0.5.', 'The answer is 2.'], answer=['1/2', '1/2'])
    [1.0, 0.0]
    >>> reward.counts()['different']
    1
    """

    def __init__(self, *, gold: str | None = None, right: float = 1.0, wrong: float = 0.0,
                 cannot_tell: float | None = 0.0, kind: Kind = 'auto', tolerance: float | str | None = None,
                 decimals_as_shown: bool = False, relations_as_sets: bool = False,
                 require: answers.Found = 'last') -> None:
        self._settings: dict[str, Any] = {
            'gold': gold, 'right': right, 'wrong': wrong, 'cannot_tell': cannot_tell, 'kind': kind,
            'tolerance': tolerance, 'decimals_as_shown': decimals_as_shown,
            'relations_as_sets': relations_as_sets, 'require': require}
        self._grading = {name: self._settings[name] for name in
                         ('kind', 'tolerance', 'decimals_as_shown', 'relations_as_sets', 'require')}
        grade_text('0', '0', **self._grading)  # a setting that cannot be used is told before the training
        self._values: dict[Found, float | None] = {
            'same': right, 'different': wrong, 'no_answer': wrong, 'cannot_tell': cannot_tell,
            'gold_unread': cannot_tell, 'failed': cannot_tell}
        self._counts: dict[Found, int] = dict.fromkeys(_FOUND, 0)
        self._lock = threading.Lock()
        _counted.add(self)
        self.__name__ = 'accuracy_reward'  # what trainers log it by

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self._settings,)

    def counts(self) -> dict[Found, int]:
        """How many completions were found to be what, in this process since the start or `reset`."""
        with self._lock:
            return dict(self._counts)

    def reset(self) -> None:
        """Count from 0 again."""
        with self._lock:
            self._counts = dict.fromkeys(_FOUND, 0)

    def __call__(self, prompts: Sequence[Any] | None = None, completions: Sequence[Any] = (),
                 log_metric: Callable[[str, float], None] | None = None, **columns: Any) -> list[float | None]:
        """TRL's signature: a reward for each completion, a text or a list of messages.

        `log_metric` is given by TRL: it gets the share of completions that were not decided.

        Raises ArgumentError if there is no column of gold answers, or a single one that is no list: no
        reward could be right.
        """
        golds = self._column(columns)
        found = [self.found(completion, golds[i] if i < len(golds) else None)
                 for i, completion in enumerate(completions)]
        if log_metric is not None and found:
            log_metric('rederive/undecided', sum(one in UNDECIDED for one in found) / len(found))
        return [self._values[one] for one in found]

    def _column(self, columns: Mapping[str, Any]) -> Sequence[Any]:
        wanted = self._settings['gold']
        names = (wanted,) if wanted is not None else GOLD_COLUMNS
        for name in names:
            if columns.get(name) is not None:
                column: Sequence[Any] = columns[name]
                if isinstance(column, (str, bytes)) or not hasattr(column, '__getitem__'):
                    raise ArgumentError(f'{name} is a {type(column).__name__}; a gold answer for each completion, in '
                                        'a list, is wanted', code='argument')
                return column
        raise ArgumentError(f'no column {" or ".join(names)} with gold answers among '
                            f'{", ".join(sorted(columns)) or "none"}: name yours with Reward(gold=...)',
                            code='argument')

    def found(self, completion: Any, gold: Any) -> Found:
        """What one completion is found to be, which is counted. It raises nothing."""
        found, why = self._found(completion, gold)
        with self._lock:
            self._counts[found] += 1
            first = self._counts[found] == 1
        if first and why is not None:
            _log.warning('a reward was not decided (%s): %s; later ones are counted only: '
                         'rederive.rewards, counts()', found.replace('_', ' '), why[:300])
        return found

    def _found(self, completion: Any, gold: Any) -> tuple[Found, str | None]:
        try:
            text = text_of(completion)
        except Exception as error:  # of an object that only looks like a list of messages, too
            return 'failed', str(error) or type(error).__name__
        try:
            golds = _golds_of(gold)
        except Exception as error:
            return 'gold_unread', str(error) or type(error).__name__
        try:
            grade = grade_text(text, golds, **self._grading)
        except Error as error:
            return ('gold_unread' if error.code == 'input' else 'failed'), str(error)
        except Exception as error:
            return 'failed', f'{type(error).__name__}: {error}'
        if grade.outcome == 'same':
            return 'same', None
        if grade.outcome == 'different':
            return ('no_answer' if grade.answer is None else 'different'), None
        return 'cannot_tell', grade.reason or grade.why


def _again(settings: dict[str, Any]) -> Reward:
    return Reward(**settings)


def text_of(completion: Any, role: str = 'assistant') -> str:
    """The text of a completion: of messages, that of the last one that the assistant, or another role, wrote."""
    if isinstance(completion, str):
        return completion
    messages = [completion] if isinstance(completion, Mapping) else completion
    for message in reversed(messages):
        if message.get('role', role) != role:
            continue
        content = message.get('content')
        if isinstance(content, str):
            return content
        if content is not None:
            return ''.join(part['text'] for part in content if part.get('type', 'text') == 'text')
        return ''  # a call of a tool and nothing else
    return ''


def _is_answer(gold: Any) -> bool:
    return isinstance(gold, (str, int, float)) and not isinstance(gold, bool) and gold == gold


def _golds_of(gold: Any) -> Answer | list[Answer]:
    """Gold answers as `grade_text` takes them; of numpy's arrays and numbers, what is inside."""
    if hasattr(gold, 'tolist'):
        gold = gold.tolist()
    if _is_answer(gold):
        answer: Answer = gold
        return answer
    if isinstance(gold, (list, tuple)) and gold and all(_is_answer(one) for one in gold):
        return list(gold)
    if gold is None or gold != gold:  # pandas has NaN where there is nothing
        raise TypeError('there is no gold answer')
    raise TypeError(f'the gold answer is a {type(gold).__name__}; a text, a number or a list of them is wanted')


accuracy_reward = Reward()
"""The reward function for TRL with the settings that are the default:
`GRPOTrainer(reward_funcs=[accuracy_reward])`, or `trl grpo --reward_funcs rederive.rewards.accuracy_reward`."""

_rewards: dict[tuple[object, ...], Reward] = {}  # of compute_score, by their settings


def _reward_of(right: float, wrong: float, cannot_tell: float, kind: Kind,
               tolerance: float | str | None, require: answers.Found) -> Reward:
    settings = (right, wrong, cannot_tell, kind, tolerance, require)
    if settings not in _rewards:
        _rewards.setdefault(settings, Reward(right=right, wrong=wrong, cannot_tell=cannot_tell, kind=kind,
                                             tolerance=tolerance, require=require))
    return _rewards[settings]


def compute_score(data_source: Any, solution_str: str, ground_truth: Any, extra_info: Any = None, *,
                  right: float = 1.0, wrong: float = 0.0, cannot_tell: float = 0.0, kind: Kind = 'auto',
                  tolerance: float | str | None = None, require: answers.Found = 'last', details: bool = False,
                  reward_router_address: Any = None, reward_model_tokenizer: Any = None,
                  ) -> float | dict[str, float]:
    """verl's signature: the reward of one completion. `data_source`, `extra_info` and what verl gives for
    reward models are not used.

    The settings stand in verl's `reward_kwargs`. With `details` the result is a dict, whose members verl
    reports beside `score`: `acc`, and how many were not decided and had no answer, for each completion
    0 or 1. So they are counted over all processes.

    >>> compute_score('gsm8k', 'So the answer is 36.', '36')
    1.0
    >>> compute_score('gsm8k', 'So the answer is 37.', '36', details=True)
    {'score': 0.0, 'acc': 0.0, 'undecided': 0.0, 'no_answer': 0.0}
    """
    reward = _reward_of(right, wrong, cannot_tell, kind, tolerance, require)
    found = reward.found(solution_str, ground_truth)
    score = reward._values[found]
    assert score is not None
    if not details:
        return score
    return {'score': score, 'acc': float(found == 'same'), 'undecided': float(found in UNDECIDED),
            'no_answer': float(found == 'no_answer')}


def compute_scores(data_sources: Sequence[Any], solution_strs: Sequence[str], ground_truths: Sequence[Any],
                   extra_infos: Sequence[Any] | None = None, **settings: Any) -> list[float | dict[str, float]]:
    """verl's signature for a batch (its reward manager `batch`): `compute_score` of each."""
    return [compute_score(source, text, truth, **settings)
            for source, text, truth in zip(data_sources, solution_strs, ground_truths)]


def counts() -> dict[Found, int]:
    """The counts of `accuracy_reward` and `compute_score` in this process."""
    totals: dict[Found, int] = dict.fromkeys(_FOUND, 0)
    for reward in (accuracy_reward, *_rewards.values()):
        for found, number in reward.counts().items():
            totals[found] += number
    return totals
