# SPDX-License-Identifier: Apache-2.0
"""Rewards of steps, by rules and not by a model, to stand beside a reward of the outcome (docs/python-tools.md).

    GRPOTrainer(reward_funcs=[accuracy_reward, StepReward()], ...)                      # TRL: one number a completion
    reward.reward_manager.module.path=pkg://rederive.verl_steps                           # verl: at the end of each step

A step earns where the check supports it, it is not behind a wrong one, and its calculations are not all those of an earlier
step. Nothing is below 0, so that a solution without calculations never earns more than one with.
"""
from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from rederive.records import Record
from rederive.rewards import text_of
from rederive.verbs import check

__all__ = ['Earned', 'StepReward', 'steps_of']

_log = logging.getLogger('rederive')


class Earned(NamedTuple):
    """A step of a completion."""

    end: int
    """The character of the completion behind its last one; -1: the step is not found in it."""
    verdict: str
    """"support", "contradict", "unrelated" or "unknown"."""
    earns: bool


def _calculations(verdict: Mapping[str, Any]) -> set[str]:
    """The calculations of a step, without blanks."""
    evidence = verdict.get('evidence')
    found = evidence.get('calculations', ()) if isinstance(evidence, Mapping) else ()
    return {''.join(str(one.get('text', '')).split()) for one in found if isinstance(one, Mapping)}


def _earned(record: Mapping[str, Any], text: str) -> list[Earned]:
    verdicts = {one['step']: one for one in record['verdicts'] if one['step'] is not None}
    made: list[Earned] = []
    seen: set[str] = set()
    at, wrong = 0, False
    for i, step in enumerate(record['steps']):
        verdict = verdicts.get(i, {'verdict': 'unknown'})
        place = text.find(step, at)
        at = place + len(step) if place >= 0 else at
        wrong = wrong or verdict['verdict'] == 'contradict'
        found = _calculations(verdict)
        repeated = bool(found) and found <= seen
        seen |= found
        made.append(Earned(at if place >= 0 else -1, verdict['verdict'], verdict['verdict'] == 'support' and not wrong and not repeated))
    return made


def steps_of(question: str, completion: str, method: str | Sequence[str] = 'calculations', **options: Any) -> list[Earned]:
    """The steps of a completion, with what each is found to be.

    Args:
        question: what was asked; a method may rest on it.
        completion: the text of the solution.
        method, options: as for `rederive.check`.

    Raises Error where the text cannot be checked.

    >>> steps_of('What is 6 × 7 + 1?', '6 × 7 = 42.\\n\\nThen 42 + 1 = 44.\\n\\nSo it is 44.')
    [Earned(end=11, verdict='support', earns=True), Earned(end=30, verdict='contradict', earns=False), Earned(end=44, verdict='unrelated', earns=False)]
    """
    if not completion.strip():
        return []
    return _earned(check({'question': question or '-', 'solution': completion}, method, **options), completion)


class StepReward:
    """TRL's reward function for steps: the share of a completion's steps that earn, from 0 to 1.

    Args:
        method: how steps are checked, as for `rederive.check`.
        options: those of `rederive.check`: model=…, rules_dir=….

    It raises nothing: a completion that cannot be checked gets 0, and is counted. It is to stand beside the outcome, with a
    smaller weight (`reward_weights`): alone it pays for any true calculation, needed or not.

    >>> StepReward()(prompts=['What is 6 × 7?'] * 3, completions=['6 × 7 = 42.', '6 × 7 = 48.', 'It is 42.'])
    [1.0, 0.0, 0.0]
    """

    def __init__(self, method: str | Sequence[str] = 'calculations', **options: Any) -> None:
        self._method, self._options = method, options
        steps_of('What is 1 + 1?', '1 + 1 = 2.', method, **options)  # a setting that cannot be used is told before the training
        self._failed, self._lock = 0, threading.Lock()
        self.__name__ = 'step_reward'  # what trainers log it by

    def __reduce__(self) -> tuple[object, ...]:
        return _again, (self._method, self._options)

    @property
    def failed(self) -> int:
        """How many completions could not be checked, in this process."""
        return self._failed

    def steps(self, prompt: Any, completion: Any) -> list[Earned]:
        """The steps of one completion; none where it cannot be checked, which is counted."""
        try:
            return steps_of(text_of(prompt, 'user'), text_of(completion), self._method, **self._options)
        except Exception as error:
            with self._lock:
                self._failed += 1
                first = self._failed == 1
            if first:
                _log.warning('the steps of a completion could not be checked: %s; later ones are counted only: failed', str(error)[:300])
            return []

    def __call__(self, prompts: Sequence[Any] | None = None, completions: Sequence[Any] = (),
                 log_metric: Callable[[str, float], None] | None = None, **columns: Any) -> list[float]:
        """TRL's signature: a reward for each completion, a text or a list of messages."""
        asked = prompts or [''] * len(completions)
        steps = [self.steps(prompt, completion) for prompt, completion in zip(asked, completions)]
        if log_metric is not None and steps:
            log_metric('rederive/wrong_step', sum(any(one.verdict == 'contradict' for one in some) for some in steps) / len(steps))
        return [share_of(some) for some in steps]


def share_of(steps: Sequence[Earned]) -> float:
    """The share of the steps that earn; 0 without any."""
    return sum(one.earns for one in steps) / len(steps) if steps else 0.0


def _again(method: str | Sequence[str], options: dict[str, Any]) -> StepReward:
    return StepReward(method, **options)
