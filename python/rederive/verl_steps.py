# SPDX-License-Identifier: Apache-2.0
"""verl's reward manager with rewards of steps, each at the last token of its step.

    reward.reward_manager.source=importlib
    reward.reward_manager.name=StepRewardManager
    reward.reward_manager.module.path=pkg://rederive.verl_steps
    reward.custom_reward_function.path=pkg://rederive.rewards
    reward.custom_reward_function.name=compute_score

The outcome stays at the last token. A step that earns (rederive.step_rewards) adds `WEIGHT` over the number of steps. Where
verl asks for the reward while it still generates it takes one number a completion: the sum.
"""
from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

from rederive.step_rewards import Earned, StepReward

WEIGHT = 0.2
"""What all steps of a completion can earn together; a right answer earns 1."""

_base: Any = importlib.import_module('verl.experimental.reward_loop.reward_manager.naive').NaiveRewardManager


class StepScore(float):
    """The reward of a completion as one number, with the tokens at which its parts stand."""

    at: tuple[tuple[int, float], ...]

    def __new__(cls, outcome: float, at: Sequence[tuple[int, float]]) -> StepScore:
        made = super().__new__(cls, outcome + sum(value for _, value in at))
        made.outcome, made.at = outcome, tuple(at)
        return made

    outcome: float

    def __reduce__(self) -> tuple[object, ...]:
        return StepScore, (self.outcome, self.at)


def token_of(end: int, n_tokens: int, text_of: Callable[[int], str]) -> int:
    """The number of the token with which the first `end` characters are complete; text_of(n) is the text of n tokens."""
    low, high = 1, n_tokens
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if len(text_of(middle)) >= end else (middle + 1, high)
    return low - 1


def rewards_at(steps: Sequence[Earned], n_tokens: int, text_of: Callable[[int], str], weight: float = WEIGHT) -> list[tuple[int, float]]:
    """(token, reward) of each step that earns and is found in the text."""
    return [(token_of(one.end, n_tokens, text_of), weight / len(steps)) for one in steps if one.earns and one.end > 0]


class StepRewardManager(_base):  # type: ignore[misc]
    """The manager "naive" with rewards of steps."""

    def __init__(self, config: Any, tokenizer: Any, compute_score: Any, *args: Any, **more: Any) -> None:
        super().__init__(config, tokenizer, compute_score, *args, **more)
        self.step_reward = StepReward()

    async def run_single(self, data: Any) -> dict[str, Any]:
        """The reward of one completion: that of the manager, with what its steps earn."""
        made: dict[str, Any] = await super().run_single(data)
        item = data[-1:][0]
        response = item.batch['responses']
        n_tokens = int(item.batch['attention_mask'][-response.shape[-1]:].sum())

        def text_of(n: int) -> str:
            return str(self.tokenizer.decode(response[:n], skip_special_tokens=True))

        steps = await self.loop.run_in_executor(None, lambda: self.step_reward.steps('', text_of(n_tokens)))
        at = rewards_at(steps, n_tokens, text_of)
        extra = made['reward_extra_info']
        return {'reward_score': StepScore(made['reward_score'], at),
                'reward_extra_info': {**extra, 'step_share': sum(one.earns for one in steps) / len(steps) if steps else 0.0,
                                      'wrong_step': float(any(one.verdict == 'contradict' for one in steps))}}

    @classmethod
    def assemble_rm_scores(cls, data: Any, scores: Sequence[float]) -> Any:
        """The outcomes at the last tokens, and the rewards of steps at theirs."""
        made = super().assemble_rm_scores(data, [getattr(score, 'outcome', score) for score in scores])
        for i, score in enumerate(scores):
            for token, value in getattr(score, 'at', ()):
                made[i, token] += value
        return made
