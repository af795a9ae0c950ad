# SPDX-License-Identifier: Apache-2.0
"""Rederive checks the reasoning of language models, step by step.

>>> import rederive
>>> rederive.grade('1/2', '0.5').outcome
'same'

Its names are those of `rederive.api`; the module that has a name is loaded when the name is asked for.
"""
from rederive_llm import names_of

__getattr__, __dir__ = names_of(__name__)
