# SPDX-License-Identifier: Apache-2.0
"""Rederive checks the reasoning of language models, step by step.

>>> import rederive
>>> rederive.grade('1/2', '0.5').outcome
'same'
"""
from rederive.answers import Grade, grade, grade_many, grade_text
from rederive.errors import ArgumentError, Error

__all__ = ['ArgumentError', 'Error', 'Grade', 'grade', 'grade_many', 'grade_text']
