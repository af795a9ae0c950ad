# SPDX-License-Identifier: Apache-2.0
"""All names of the package: `rederive` and `rederive_llm` have them."""
from rederive.answers import Grade, grade, grade_many, grade_text
from rederive.calculating import Calculation, calculations
from rederive.commands import Results
from rederive.converting import convert
from rederive.display import View, show
from rederive.drivers import Stop, drive, drive_batches
from rederive.errors import ArgumentError, Error
from rederive.method_list import Method, methods
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
