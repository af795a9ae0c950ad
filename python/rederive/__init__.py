# SPDX-License-Identifier: Apache-2.0
"""Rederive checks the reasoning of language models, step by step.

>>> import rederive
>>> rederive.grade('1/2', '0.5').outcome
'same'
"""
from rederive.answers import Grade, grade, grade_many, grade_text
from rederive.calculating import Calculation, calculations
from rederive.commands import Results
from rederive.errors import ArgumentError, Error
from rederive.methods import Method, methods
from rederive.own import OwnMethod, method
from rederive.reading import NoteWarning, Records, read
from rederive.verbs import check, evaluate, repair, solve, vote

__all__ = ['ArgumentError', 'Calculation', 'Error', 'Grade', 'Method', 'NoteWarning', 'OwnMethod', 'Records', 'Results',
           'calculations', 'check', 'evaluate', 'grade', 'grade_many', 'grade_text', 'method', 'methods', 'read', 'repair',
           'solve', 'vote']
