# SPDX-License-Identifier: Apache-2.0
"""Rewards and a metric for the tasks of `verifiers`: the final answer, the steps, and what was not decided.

    --env.taskset.task.rewards.answer.fn rederive.verifiers_rewards:answer_reward
    --env.taskset.task.rewards.steps.fn rederive.verifiers_rewards:step_reward --env.taskset.task.rewards.steps.weight 0.2
    --env.taskset.task.metrics.undecided.fn rederive.verifiers_rewards:undecided

or in a task of your own: `answer = vf.reward(weight=1.0)(...)` that awaits them.
"""
from __future__ import annotations

from typing import Any

from rederive.rewards import GOLD_COLUMNS, UNDECIDED, Found, Reward
from rederive.step_rewards import StepReward, share_of

_reward = Reward()
_steps = StepReward()


def _member(task: Any, names: tuple[str, ...]) -> Any:
    """The first of these members that the task's data has; of its `info` else."""
    more = getattr(task, 'info', None)
    for name in names:
        value = getattr(task, name, None)
        if value is None and isinstance(more, dict):
            value = more.get(name)
        if value is not None:
            return value
    return None


def _question(task: Any) -> str:
    prompt = getattr(task, 'prompt', '')
    return prompt if isinstance(prompt, str) else ''


def _found(task: Any, trace: Any) -> Found:
    return _reward.found(trace.last_reply, _member(task, GOLD_COLUMNS))


async def answer_reward(task: Any, trace: Any) -> float:
    """1 where the final answer of the last reply is proved to be the same as the task's gold answer, else 0.

    The gold answer is the task's `gold`, `ground_truth`, `answer`, `solution` or another name that `rederive.rewards.Reward`
    knows. Nothing that a model writes raises or waits.
    """
    return float(_found(task, trace) == 'same')


async def step_reward(task: Any, trace: Any) -> float:
    """The share of the steps of the last reply that earn (rederive.step_rewards), from 0 to 1."""
    return share_of(_steps.steps(_question(task), trace.last_reply))


async def undecided(task: Any, trace: Any) -> float:
    """1 where it could not be told whether the answer is right, which earns 0."""
    return float(_found(task, trace) in UNDECIDED)
