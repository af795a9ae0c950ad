# SPDX-License-Identifier: Apache-2.0
"""The methods of a check in order: the program's, and functions in Python before, between and after them."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from rederive.checking import Checked, Checker, OwnStage
from rederive.commands import Errors, arguments
from rederive.errors import ArgumentError
from rederive.given import Many, Record as Given
from rederive.own import OwnMethod, OwnVerifier, method as own_method, verifier as own_verifier
from rederive.records import Record
from rederive.values import number_text

Chain = Mapping[str, Any]
MethodName = str | OwnMethod | Callable[[Record], Any]

# Options of the methods themselves, which need no command to run.
OF_METHODS = {'unknown', 'lambda_', 'verifiers', 'recorded_verifiers', 'weights', 'floor', 'power', 'math', 'mathematical',
              'aggregate', 'perplexity_over', 'method_dir', 'first_steps', 'first_share', 'decimal', 'rules_dir', 'disable_rule'}
_OF_VERDICTS = {'unknown', 'lambda_'}  # what an own method among others takes: how its verdicts count


class Stages(NamedTuple):
    """What checks the chains."""

    all: list[str | OwnMethod]
    """In order; names that stand together are one stage, joined by commas."""
    options: dict[str, object]

    def options_of(self, stage: str) -> dict[str, object]:
        """Those of a stage of the program's methods: only general combines recorded checks."""
        combined = 'general' in stage.split(',')
        return {name: value for name, value in self.options.items() if combined or name != 'recorded_verifiers'}

    def own_options(self, alone: bool) -> dict[str, object]:
        """Those of a method in Python: all of them, if there is no other stage."""
        return {name: value for name, value in self.options.items() if alone or name in _OF_VERDICTS}


def stages_of(method: MethodName | Sequence[MethodName], options: Mapping[str, object]) -> Stages:
    """The stages of a check, and its options. Verifiers in Python come first: general finds their checks in the
    record."""
    stages: list[str | OwnMethod] = []
    verifiers, given = _verifiers(options)
    stages += verifiers
    for one in [method] if isinstance(method, str) or callable(method) else method:
        if not isinstance(one, str):
            stages.append(one if isinstance(one, OwnMethod) else own_method(one))
        elif stages and isinstance(stages[-1], str):
            stages[-1] += ',' + one
        else:
            stages.append(one)
    if not stages[len(verifiers):]:
        raise ArgumentError('method is an empty list; at least one method is wanted', code='argument')
    if verifiers and not any(isinstance(one, str) and 'general' in one.split(',') for one in stages):
        raise ArgumentError('verifiers in Python are combined by general, which is not among the methods',
                            code='argument')
    return Stages(stages, given)


def _verifiers(options: Mapping[str, object]) -> tuple[list[OwnVerifier], dict[str, object]]:
    """The verifiers in Python among `verifiers`, and the options by which general finds them in the records."""
    given = options.get('verifiers')
    named = list(given) if isinstance(given, (list, tuple)) else [given]
    own = [one if isinstance(one, OwnVerifier) else own_verifier(one) for one in named if callable(one)]
    if not own:
        return [], dict(options)
    rest = [one for one in named if not callable(one)]
    recorded = options.get('recorded_verifiers')
    others = list(recorded) if isinstance(recorded, (list, tuple)) else [recorded] if recorded else []
    weights = [f'{one.name}={number_text(one.weight)}' for one in own]
    return own, {**options, 'verifiers': rest or 'none', 'recorded_verifiers': others + weights}


def own_checker(stage: OwnMethod, options: Mapping[str, object]) -> Checker:
    """The checker that writes the records of a method in Python."""
    if not OF_METHODS.issuperset(options):
        raise ArgumentError('a method in Python asks no model, and takes only options such as lambda_ and unknown',
                            code='argument')
    return Checker(arguments('check', {'method': 'calculations', **options}))


class Around(NamedTuple):
    """The methods in Python around those of one run of the program."""

    before: list[OwnMethod]
    names: str
    """The program's methods, joined by commas."""
    after: list[OwnMethod]
    stages: Stages

    @property
    def options(self) -> dict[str, object]:
        return {**self.stages.options_of(self.names), 'method': self.names}

    def given(self, chains: Given | Many, errors: Errors) -> Given | Many:
        """The chains with the checks of what comes before, as they come."""
        for own in self.before:
            chains = Checked(own_checker(own, self.stages.own_options(False)), chains, errors, own).lines()
        return chains

    def made(self, errors: Errors) -> Callable[[bytes], bytes] | None:
        """What adds to a record's line the checks of what comes after. None: nothing does."""
        stages = [OwnStage(own_checker(own, self.stages.own_options(False)), own, errors) for own in self.after]

        def add(line: bytes) -> bytes:
            for stage in stages:
                [line] = stage.lines(line)
            return line

        return add if stages else None


def around(method: MethodName | Sequence[MethodName], options: Mapping[str, object]) -> Around:
    """For a run of the program with methods in Python before and after it, as a plan and a session are."""
    stages = stages_of(method, options)
    at = [i for i, one in enumerate(stages.all) if isinstance(one, str)]
    if len(at) != 1:
        raise ArgumentError('methods in Python alone ask no model: use rederive.check' if not at else
                            'a method in Python between others takes two runs: use rederive.check, or two runs',
                            code='argument')
    own = [one for one in stages.all if isinstance(one, OwnMethod)]
    return Around(own[:at[0]], str(stages.all[at[0]]), own[at[0]:], stages)
