# SPDX-License-Identifier: Apache-2.0
"""check, vote, solve, repair and evaluate: records in, records out, with the options of the program."""
from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Unpack, overload

from rederive import _core
from rederive.checking import Checked, Checker
from rederive.commands import Errors, Results, arguments, errors_named, known, only
from rederive.data_sets import checked_rows, is_row
from rederive.errors import ArgumentError, Error
from rederive.evaluation import Evaluation
from rederive.given import Many, Record as Given, is_one
from rederive.options import CheckOptions, EvalOptions, RepairOptions, SolveOptions, VoteOptions
from rederive.own import OwnMethod
from rederive.records import Record, RecordLines
from rederive.stages import OF_METHODS, MethodName, own_checker, stages_of
from rederive.types import CheckedChain, RepairedChain, VoteResult

_WEIGHTS = Path(__file__).with_name('rederive.gguf')


def _run() -> Any:
    """The module that asks models; it loads the network, and a program that asks none never does."""
    return importlib.import_module('rederive._run')


def model_named(name: str | None) -> str | None:
    """The built-in model's file is in the package."""
    if name == 'builtin' or (name or '').startswith('builtin#'):
        return f'builtin:{_WEIGHTS}{(name or "")[len("builtin"):]}'
    return name


def _results(module: Any, verb: str, given: Given | Many, errors: Errors, options: Mapping[str, object]) -> Any:
    results: Results[Any] = Results(module, verb, arguments(verb, options), given, errors)
    return only(results) if is_one(given) else results


def _computing(method: str, model: str | None, options: Mapping[str, object]) -> Checker | None:
    """The checker of methods that compute; None: a model is asked, or the command has more to do."""
    if model is not None or not OF_METHODS.issuperset(options):
        return None
    checker = Checker(arguments('check', {'method': method, **options}))
    return None if checker.asks else checker


def _check(chains: Given | Many, method: MethodName | Sequence[MethodName], model: str | None,
           errors: Errors, options: Mapping[str, object]) -> RecordLines[CheckedChain]:
    """Check by each stage in turn: checks of a record are kept, as in a pipe of the program."""
    errors_named(errors)
    known('check', options)
    stages = stages_of(method, options)
    alone = len(stages.all) == 1
    made: RecordLines[CheckedChain] | None = None
    for stage in stages.all:
        given = chains if made is None else made.lines()
        if isinstance(stage, OwnMethod):
            if alone and model is not None:
                raise ArgumentError('a method in Python asks no model', code='argument')
            made = Checked(own_checker(stage, stages.own_options(alone)), given, errors, stage)
            continue
        of_stage = stages.options_of(stage)
        checker = _computing(stage, model, of_stage)
        made = Checked(checker, given, errors) if checker else _asked(given, stage, model, errors, of_stage)
    assert made is not None
    return made


def _asked(chains: Given | Many, method: str, model: str | None, errors: Errors,
           options: Mapping[str, object]) -> Results[CheckedChain]:
    given: dict[str, object] = {'method': method, 'model': model_named(model), **options}
    if isinstance(options.get('checker'), str):
        given['checker'] = model_named(str(options['checker']))
    return Results(_run(), 'check', arguments('check', given), chains, errors)


@overload
def check(chain: Given, method: MethodName | Sequence[MethodName] = ..., model: str | None = ..., *,
          errors: Errors = ..., **options: Unpack[CheckOptions]) -> CheckedChain: ...
@overload
def check(chain: Many, method: MethodName | Sequence[MethodName] = ..., model: str | None = ..., *,
          errors: Errors = ..., **options: Unpack[CheckOptions]) -> RecordLines[CheckedChain]: ...
def check(chain: Given | Many, method: MethodName | Sequence[MethodName] = 'calculations', model: str | None = None, *,
          errors: Errors = 'raise', **options: Unpack[CheckOptions]) -> Any:
    """Find wrong steps: the records of the chains, with a verdict for each step.

    Args:
        chain: a chain, or any number of them: a mapping with "question" and "steps" (docs/records.md) in any
            format that `read` knows. One gives its record; several give an iterator of theirs. A table of pandas,
            polars or pyarrow, a data set and the path of a file are several. A row or batch of `Dataset.map` gives
            new columns (docs/python.md).
        method: a name of `methods()`, a function (see `method`), or several, of which the last is at the top
            of the record.
        model: None for methods that ask none; "builtin", "http://HOST/v1#NAME", "openai:NAME" or
            "transcript:FILE".
        errors: a chain that cannot be checked raises its Error, with its number as `line` ("raise"), or
            gives its record with "error" ("keep").
        options: those of `rederive check`, with underscores: journal="run.journal", max_calls=1000,
            profile="paper", accepted=True (docs/cli.md). Among `verifiers`, which general combines, may be
            functions (see `verifier`).

    Raises:
        ArgumentError: an option that cannot be used or has no effect.
        Error: a chain that cannot be read, or a server that cannot be reached.

    A step that could not be read or decided is "unknown", with a reason, and never counts as support.

    >>> record = rederive.check({'question': 'What is 12 boxes of 48?',
    ...                          'steps': ['12 × 48 = 586.', 'The answer is 586.']})
    >>> record['first_error'], record['verdicts'][0]['verdict']
    (0, 'contradict')
    """
    if is_row(chain):
        return checked_rows(chain, lambda rows: _check(rows, method, model, 'keep', options))
    made = _check(chain, method, model, errors, options)
    return only(made) if is_one(chain) else made


def vote(chains: Given | Many, *, errors: Errors = 'raise', **options: Unpack[VoteOptions]) -> Results[VoteResult]:
    """One answer for each question, from the answers of its chains.

    Args:
        chains: with "steps" that state the answer, or an "answer" beside them; those of one question share its
            text, or a "question_id".
        options: those of `rederive vote`: weight="confidence", select="best", stop="certain" (docs/voting.md).

    >>> chains = [{'question': 'What is 6 × 7?', 'steps': [f'The answer is {a}.']} for a in ('42', '42.0', '48')]
    >>> [result] = rederive.vote(chains)
    >>> result['answer'], result['weight_share']
    ('42', 0.6666666666666666)
    """
    return Results(_core, 'vote', arguments('vote', options), chains, errors)


@overload
def solve(question: Given, model: str, method: str | Sequence[str] = ..., *, errors: Errors = ...,
          **options: Unpack[SolveOptions]) -> VoteResult: ...
@overload
def solve(question: Many, model: str, method: str | Sequence[str] = ..., *, errors: Errors = ...,
          **options: Unpack[SolveOptions]) -> Results[VoteResult]: ...
def solve(question: Given | Many, model: str, method: str | Sequence[str] = 'calculations', *,
          errors: Errors = 'raise', **options: Unpack[SolveOptions]) -> Any:
    """Answer questions with several checked solutions: the results of their votes.

    Args:
        question: a dict with "question", or any number of them.
        model: as in `check`; it writes the solutions and checks them.
        method: how they are checked; "none": not at all.
        options: those of `rederive solve`: chains=10, stop="certain", chains_out="chains.jsonl".
    """
    return _results(_run(), 'solve', question, errors, {'method': method, 'model': model_named(model), **options})


@overload
def repair(chain: Given, model: str, *, errors: Errors = ..., **options: Unpack[RepairOptions]) -> RepairedChain: ...
@overload
def repair(chain: Many, model: str, *, errors: Errors = ...,
           **options: Unpack[RepairOptions]) -> Results[RepairedChain]: ...
def repair(chain: Given | Many, model: str, *, errors: Errors = 'raise', **options: Unpack[RepairOptions]) -> Any:
    """Rewrite chains from their first error on: the records of the new chains, with "repairs".

    Args:
        chain: a dict with "question" and "steps", or any number of them.
        model: as in `check`; it writes the new steps.
        options: those of `rederive repair`: locator="calculations", rounds=2, accept="better" (docs/repair.md).
    """
    return _results(_run(), 'repair', chain, errors, {'model': model_named(model), **options})


def evaluate(records: Given | Many = (), **options: Unpack[EvalOptions]) -> Evaluation:
    """Measure answers and checks against gold data: the tables of `rederive eval --json` as a dict.

    Args:
        records: checked chains and results of votes.
        options: those of `rederive eval`: recipe="selfcheck:table1", threshold=0.7, weight="confidence",
            compare="other.jsonl" (docs/recipes.md).

    >>> chain = {'question': 'What is 6 × 7?', 'steps': ['6 × 7 = 42.'], 'answer': '42', 'gold': '42'}
    >>> rederive.evaluate([rederive.check(chain)])['figures']['accuracy.chain']['value']
    1
    """
    results: Results[Record] = Results(_core, 'eval', [*arguments('eval', options), '--json'], records, 'raise')
    made = list(results)
    if not made:
        raise Error((results.messages or ['nothing was read: there are no records'])[0].removeprefix('eval: '))
    return Evaluation(made[0])
