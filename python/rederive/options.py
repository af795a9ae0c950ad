# SPDX-License-Identifier: Apache-2.0
"""The options of the program's commands, by the names of Python. Written by tools/python_types.py from --help."""
from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypedDict

if TYPE_CHECKING:
    from rederive.own import OwnVerifier

__all__ = ['CheckOptions', 'VoteOptions', 'SolveOptions', 'RepairOptions', 'EvalOptions', 'ConvertOptions', 'SessionOptions']

PathName = str | os.PathLike[str]
Number = float | str
"""A number, or what the program reads as one, such as "half"."""
Many = str | Sequence[str | float]
"""Several values: a list, or a text with commas."""
Verifiers: TypeAlias = 'str | Sequence[str | Callable[..., Any] | OwnVerifier]'


class CheckOptions(TypedDict, total=False):
    """Those of `rederive check`."""

    accepted: bool | None
    aggregate: Literal['geometric', 'min', 'product', 'mean', 'last'] | None
    anyway: bool | None
    api_key_env: str | None
    as_labels: bool | None
    batch_again: bool | None
    batch_discount: Number | None
    batch_out: PathName | None
    batch_server: Literal['openai', 'openai-reasoning', 'vllm'] | None
    batch_size: Number | None
    certify: bool | None
    check_reasoning: bool | None
    checker: str | None
    decimal: Literal['found', 'point', 'comma'] | None
    disable_rule: Many | None
    first_share: Number | None
    first_steps: Number | None
    floor: Number | None
    format: str | None
    gold_from: str | None
    id_from: str | None
    jobs: Number | None
    join: PathName | Sequence[PathName] | None
    journal: PathName | None
    lambda_: Many | None
    lookahead: Number | None
    math: Literal['model', 'native', 'both'] | None
    mathematical: Literal['auto', 'yes', 'no'] | None
    max_calls: Number | None
    max_cost: Number | None
    max_seconds: Number | None
    max_tokens: Number | None
    method_dir: PathName | None
    no_structured: bool | None
    perplexity_over: Literal['tokens', 'steps'] | None
    perplexity_power: Number | None
    price_in: Number | None
    price_out: Number | None
    prm_layout: Literal['qwen', 'shepherd'] | None
    prm_threshold: Number | None
    profile: Literal['robust', 'paper'] | None
    prompt_dir: PathName | None
    question: str | None
    question_from: str | None
    question_type: str | None
    recorded_verifiers: Many | None
    replace_labels: bool | None
    retries: Number | None
    rpm: Number | None
    rubric: PathName | None
    rules_dir: PathName | None
    samples: Number | None
    seed: Number | None
    separate_samples: bool | None
    separator: str | None
    steps_from: str | None
    structured: bool | None
    temperature: Number | None
    threads: Number | None
    threshold: Number | None
    timeout: Number | None
    tpm: Number | None
    trust_unfinished: bool | None
    unknown: Literal['neutral', 'contradict', 'null'] | None
    verifiers: Verifiers | None
    weights: Many | None


class VoteOptions(TypedDict, total=False):
    """Those of `rederive vote`."""

    aggregate: Literal['min', 'product', 'geometric', 'mean', 'last'] | None
    answer_source: Literal['given', 'read'] | None
    correct_from: Literal['gold', 'source'] | None
    format: str | None
    gold_from: str | None
    id_from: str | None
    join: PathName | Sequence[PathName] | None
    question: str | None
    question_from: str | None
    seed: Number | None
    select: Literal['weighted', 'best', 'random', 'perplexity'] | None
    separator: str | None
    steps_from: str | None
    stop: str | None
    subset_by: Literal['random', 'perplexity', 'weight'] | None
    subset_size: Number | None
    threads: Number | None
    weight: str | None


class SolveOptions(TypedDict, total=False):
    """Those of `rederive solve`."""

    aggregate: Literal['geometric', 'min', 'product', 'mean', 'last'] | None
    anyway: bool | None
    api_key_env: str | None
    batch_again: bool | None
    batch_discount: Number | None
    batch_out: PathName | None
    batch_server: Literal['openai', 'openai-reasoning', 'vllm'] | None
    batch_size: Number | None
    beam_search: bool | None
    beam_width: Number | None
    chains: Number | None
    chains_out: PathName | None
    checker: str | None
    decimal: Literal['found', 'point', 'comma'] | None
    disable_rule: Many | None
    expansions: Number | None
    floor: Number | None
    format: str | None
    generate: Literal['steps', 'thoughts', 'zero-shot'] | None
    generated_tokens: Number | None
    gold_from: str | None
    id_from: str | None
    jobs: Number | None
    join: PathName | Sequence[PathName] | None
    journal: PathName | None
    lambda_: Many | None
    lookahead: Number | None
    math: Literal['model', 'native', 'both'] | None
    mathematical: Literal['auto', 'yes', 'no'] | None
    max_calls: Number | None
    max_cost: Number | None
    max_seconds: Number | None
    max_steps: Number | None
    max_tokens: Number | None
    method_dir: PathName | None
    no_structured: bool | None
    perplexity_over: Literal['tokens', 'steps'] | None
    perplexity_power: Number | None
    price_in: Number | None
    price_out: Number | None
    prm_layout: Literal['qwen', 'shepherd'] | None
    prm_threshold: Number | None
    profile: Literal['robust', 'paper'] | None
    prompt_dir: PathName | None
    question_from: str | None
    question_type: str | None
    retries: Number | None
    rpm: Number | None
    rubric: PathName | None
    rules_dir: PathName | None
    samples: Number | None
    seed: Number | None
    select: Literal['weighted', 'majority', 'best'] | None
    separate_samples: bool | None
    separator: str | None
    steps_from: str | None
    stop: str | None
    structured: bool | None
    temperature: Number | None
    timeout: Number | None
    tpm: Number | None
    trust_unfinished: bool | None
    unknown: Literal['neutral', 'contradict', 'null'] | None
    verifiers: Verifiers | None
    weights: Many | None


class RepairOptions(TypedDict, total=False):
    """Those of `rederive repair`."""

    accept: Literal['better', 'new'] | None
    anyway: bool | None
    api_key_env: str | None
    batch_again: bool | None
    batch_discount: Number | None
    batch_out: PathName | None
    batch_server: Literal['openai', 'openai-reasoning', 'vllm'] | None
    batch_size: Number | None
    checker: str | None
    choose: Literal['sum', 'mean'] | None
    format: str | None
    gold_from: str | None
    id_from: str | None
    jobs: Number | None
    join: PathName | Sequence[PathName] | None
    journal: PathName | None
    lambda_: Many | None
    locations: PathName | None
    locator: str | None
    lookahead: Number | None
    max_calls: Number | None
    max_cost: Number | None
    max_seconds: Number | None
    max_steps: Number | None
    max_tokens: Number | None
    method_dir: PathName | None
    no_structured: bool | None
    price_in: Number | None
    price_out: Number | None
    prm_layout: Literal['qwen', 'shepherd'] | None
    prm_threshold: Number | None
    profile: Literal['robust', 'paper'] | None
    prompt_dir: PathName | None
    question: str | None
    question_from: str | None
    question_type: str | None
    resamples: Number | None
    retries: Number | None
    rounds: Number | None
    rpm: Number | None
    rubric: PathName | None
    seed: Number | None
    separate_samples: bool | None
    separator: str | None
    steps_from: str | None
    structured: bool | None
    temperature: Number | None
    timeout: Number | None
    tpm: Number | None
    trust_unfinished: bool | None
    unknown: Literal['neutral', 'contradict', 'null'] | None


class EvalOptions(TypedDict, total=False):
    """Those of `rederive eval`."""

    aggregate: Literal['min', 'product', 'geometric', 'mean', 'last'] | None
    answer_source: Literal['given', 'read'] | None
    baseline: str | None
    compare: PathName | None
    correct_from: Literal['gold', 'source'] | None
    curves: bool | None
    fit: PathName | None
    fit_out: PathName | None
    floor: Number | None
    format: str | None
    gold_from: str | None
    group: str | None
    id_from: str | None
    join: PathName | Sequence[PathName] | None
    lambda_: Many | None
    n: str | None
    p: Number | None
    perplexity_over: Literal['tokens', 'steps'] | None
    perplexity_power: Number | None
    profile: Literal['robust', 'paper'] | None
    q: Many | None
    question: str | None
    question_from: str | None
    recipe: str | None
    scorers: Many | None
    seed: Number | None
    separator: str | None
    split: Number | None
    steps_from: str | None
    tables: PathName | None
    threads: Number | None
    threshold: Number | None
    unknown: Literal['neutral', 'contradict', 'null'] | None
    verifiers: Verifiers | None
    weight: str | None
    weights: Many | None


class ConvertOptions(TypedDict, total=False):
    """Those of `rederive convert`."""

    format: str | None
    gold_from: str | None
    id_from: str | None
    join: PathName | Sequence[PathName] | None
    label_source: Literal['check', 'label'] | None
    labelling_config: bool | None
    no_target: bool | None
    question: str | None
    question_from: str | None
    separator: str | None
    span_from: str | None
    steps_from: str | None
    threads: Number | None
    unrelated: Literal['cut', 'wrong', 'right'] | None


class SessionOptions(TypedDict, total=False):
    """Those of models, which all runs of a session share."""

    anyway: bool | None
    api_key_env: str | None
    batch_again: bool | None
    batch_discount: Number | None
    batch_out: PathName | None
    batch_server: Literal['openai', 'openai-reasoning', 'vllm'] | None
    batch_size: Number | None
    checker: str | None
    format: str | None
    gold_from: str | None
    id_from: str | None
    join: PathName | Sequence[PathName] | None
    lambda_: Many | None
    lookahead: Number | None
    max_seconds: Number | None
    max_tokens: Number | None
    method_dir: PathName | None
    no_structured: bool | None
    price_in: Number | None
    price_out: Number | None
    prm_layout: Literal['qwen', 'shepherd'] | None
    prm_threshold: Number | None
    profile: Literal['robust', 'paper'] | None
    prompt_dir: PathName | None
    question_from: str | None
    question_type: str | None
    retries: Number | None
    rpm: Number | None
    rubric: PathName | None
    seed: Number | None
    separate_samples: bool | None
    separator: str | None
    steps_from: str | None
    structured: bool | None
    temperature: Number | None
    timeout: Number | None
    tpm: Number | None
    trust_unfinished: bool | None
    unknown: Literal['neutral', 'contradict', 'null'] | None


_ALL: Mapping[str, type] = {'check': CheckOptions, 'vote': VoteOptions, 'solve': SolveOptions, 'repair': RepairOptions, 'eval': EvalOptions, 'convert': ConvertOptions}


def names_of(verb: str) -> frozenset[str]:
    """The names of a command's options; none: they are not known here."""
    options = _ALL.get(verb)
    return frozenset(options.__annotations__ if options else ())
