# SPDX-License-Identifier: Apache-2.0
"""Records as types. Written by tools/python_types.py from docs/schemas; members that are not here are yours."""
from __future__ import annotations

from typing import Any, Literal, NotRequired, TypedDict

__all__ = ['Check', 'CheckedChain', 'RepairedChain', 'Verdict', 'VoteResult']


class Verdict(TypedDict):
    """What a method says of a step."""

    evidence: NotRequired[dict[str, Any]]
    explanation: NotRequired[str]
    n_samples: NotRequired[int]
    score: float | None
    stderr: NotRequired[float]
    step: int | None
    verdict: Literal['support', 'unrelated', 'contradict', 'unknown']


class Check(TypedDict):
    """What a method says of a chain; of one that it skipped, `skipped`."""

    checker: NotRequired[str]
    completion_tokens: int
    confidence: float | None
    coverage: NotRequired[dict[str, Any]]
    first_error: int | None | Literal['unknown']
    n_calls: int
    n_unknown: int
    profile: NotRequired[str]
    prompt_tokens: int
    skipped: NotRequired[Literal[True]]
    verdicts: list[Verdict]


class CheckedChain(TypedDict):
    """A chain with its checks. Where it failed and errors are kept it has its `error`, and none of the check."""

    acceptance: NotRequired[dict[str, Any]]
    accepted: NotRequired[bool | None]
    answer: NotRequired[str | float | None]
    answer_type: NotRequired[Literal['number', 'option', 'yesno', 'yesno-maybe', 'text', 'phrase', 'latex', 'date', 'date-day-first', 'time', 'money']]
    certificate: NotRequired[dict[str, Any]]
    checker: NotRequired[str | None]
    checks: NotRequired[dict[str, Check]]
    completion_tokens: int
    confidence: float | None
    correct: NotRequired[bool | None]
    coverage: NotRequired[dict[str, Any]]
    dataset: NotRequired[str]
    epoch: NotRequired[Any]
    error: NotRequired[str]
    error_reason: NotRequired[Any]
    error_type: NotRequired[Any]
    error_types: NotRequired[Any]
    filter: NotRequired[Any]
    filtered_resps: NotRequired[Any]
    finish_reason: NotRequired[Any]
    first_error: int | None | Literal['unknown']
    generator: NotRequired[str | None]
    gold: NotRequired[str | float | None | list[Any]]
    id: str | float
    incomplete_reason: NotRequired[str]
    label: NotRequired[int | None]
    label_source: NotRequired[dict[str, Any]]
    level: NotRequired[Any]
    logprobs: NotRequired[list[list[float | None]]]
    method: str
    n_calls: int
    n_reasoning_steps: NotRequired[int]
    n_unknown: int
    options: NotRequired[list[str | float]]
    pair_error_type: NotRequired[Any]
    parent_id: NotRequired[Any]
    partial: NotRequired[bool]
    premises: NotRequired[Any]
    profile: NotRequired[str | None]
    prompt_tokens: int
    question: str
    question_id: NotRequired[str | float]
    question_prefix: NotRequired[str]
    question_type: NotRequired[Any]
    rating: NotRequired[Any]
    reasoning: NotRequired[Any]
    rectified_step: NotRequired[Any]
    rederive_schema: Literal[1]
    response: NotRequired[Any]
    scores: NotRequired[dict[str, float | list[float | None]]]
    session_id: NotRequired[Any]
    skipped: NotRequired[Literal[True]]
    solution: NotRequired[str]
    sound: NotRequired[Any]
    source_id: NotRequired[Any]
    source_scores: NotRequired[Any]
    span_id: NotRequired[Any]
    statement_ids: NotRequired[Any]
    statements: NotRequired[Any]
    step_labels: NotRequired[list[dict[str, Any]]]
    steps: list[str]
    subject: NotRequired[Any]
    system_prompt: NotRequired[Any]
    tags: NotRequired[Any]
    targets: NotRequired[Any]
    task: NotRequired[str]
    timestamp: NotRequired[Any]
    trace_id: NotRequired[Any]
    variant: NotRequired[Any]
    verdicts: list[Verdict]
    verify_correct: NotRequired[Any]
    verify_model_results: NotRequired[Any]


class RepairedChain(TypedDict):
    """A chain that `repair` went over."""

    answer: NotRequired[str | float | None]
    answer_type: NotRequired[Literal['number', 'option', 'yesno', 'yesno-maybe', 'text', 'phrase', 'latex', 'date', 'date-day-first', 'time', 'money']]
    checker: NotRequired[str | None]
    correct: NotRequired[bool | None]
    dataset: NotRequired[str]
    epoch: NotRequired[Any]
    error: NotRequired[str]
    error_reason: NotRequired[Any]
    error_type: NotRequired[Any]
    error_types: NotRequired[Any]
    filter: NotRequired[Any]
    filtered_resps: NotRequired[Any]
    finish_reason: NotRequired[Any]
    generator: NotRequired[str | None]
    gold: NotRequired[str | float | None | list[Any]]
    id: str | float
    incomplete_reason: NotRequired[str]
    label: NotRequired[int | None]
    label_source: NotRequired[dict[str, Any]]
    level: NotRequired[Any]
    logprobs: NotRequired[list[list[float | None]]]
    n_reasoning_steps: NotRequired[int]
    options: NotRequired[list[str | float]]
    pair_error_type: NotRequired[Any]
    parent_id: NotRequired[Any]
    partial: NotRequired[bool]
    premises: NotRequired[Any]
    profile: NotRequired[str | None]
    question: str
    question_id: NotRequired[str | float]
    question_prefix: NotRequired[str]
    question_type: NotRequired[Any]
    rating: NotRequired[Any]
    reasoning: NotRequired[Any]
    rectified_step: NotRequired[Any]
    rederive_schema: Literal[1]
    repair: dict[str, Any]
    repairs: list[dict[str, Any]]
    response: NotRequired[Any]
    scores: NotRequired[dict[str, float | list[float | None]]]
    session_id: NotRequired[Any]
    solution: NotRequired[str]
    sound: NotRequired[Any]
    source_id: NotRequired[Any]
    source_scores: NotRequired[Any]
    span_id: NotRequired[Any]
    statement_ids: NotRequired[Any]
    statements: NotRequired[Any]
    step_labels: NotRequired[list[dict[str, Any]]]
    steps: list[str]
    subject: NotRequired[Any]
    system_prompt: NotRequired[Any]
    tags: NotRequired[Any]
    targets: NotRequired[Any]
    task: NotRequired[str]
    timestamp: NotRequired[Any]
    trace_id: NotRequired[Any]
    variant: NotRequired[Any]
    verify_correct: NotRequired[Any]
    verify_model_results: NotRequired[Any]


class VoteResult(TypedDict):
    """The answer to a question, by `vote` or `solve`."""

    answer: str | None
    answers: dict[str, dict[str, Any]]
    checker_completion_tokens: NotRequired[int]
    correct: bool | None
    error: NotRequired[str]
    expected_correct: float | None
    generator_completion_tokens: NotRequired[int]
    n_calls: int
    n_chains: int
    n_chains_used: int
    n_unanswered: NotRequired[int]
    n_unparsed: int
    no_answer: NotRequired[Literal['failed', 'unparsed', 'unweighed']]
    partial: NotRequired[Literal[True]]
    question_id: str
    rederive_schema: Literal[1]
    tied_answers: list[str]
    weight_share: float | None
