# SPDX-License-Identifier: Apache-2.0
"""Rederive checks the reasoning of language models, step by step.

>>> import rederive
>>> rederive.grade('1/2', '0.5').outcome
'same'
"""
import importlib
from typing import Any

from rederive.answers import Grade, grade, grade_many, grade_text
from rederive.calculating import Calculation, calculations
from rederive.commands import Results
from rederive.converting import convert
from rederive.display import View, show
from rederive.drivers import Stop, drive, drive_batches
from rederive.errors import ArgumentError, Error
from rederive.methods import Method, methods
from rederive.own import OwnMethod, OwnVerifier, method, verifier
from rederive.plan import Plan, Request
from rederive.reading import NoteWarning, Records, read
from rederive.session import Session, SessionResults, Totals
from rederive.tables import ArrowTable, to_arrow, to_pandas
from rederive.verbs import check, evaluate, repair, solve, vote

__all__ = ['ArgumentError', 'ArrowTable', 'Calculation', 'Error', 'Grade', 'Method', 'NoteWarning', 'OwnMethod',
           'OwnVerifier', 'Plan', 'Records', 'Request', 'Results', 'Session', 'SessionResults', 'Stop', 'Totals', 'View',
           'calculations', 'check', 'convert', 'drive', 'drive_batches', 'evaluate', 'grade', 'grade_many', 'grade_text',
           'method', 'methods', 'read', 'repair', 'show', 'solve', 'to_arrow', 'to_pandas', 'verifier', 'vote']


def __getattr__(name: str) -> Any:
    """What is loaded when it is first asked for."""
    if name == '__version__':
        return importlib.import_module('importlib.metadata').version('rederive')
    if name in ('ray', 'rewards'):
        return importlib.import_module(f'rederive.{name}')
    raise AttributeError(f"module 'rederive' has no attribute {name!r}")
