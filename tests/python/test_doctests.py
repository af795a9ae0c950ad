# SPDX-License-Identifier: Apache-2.0
"""The examples in the package's docstrings, of the pages of docs, and of the page on PyPI."""
import doctest
import importlib
import os
import pkgutil
import unittest

import rederive

# What modules for other tools need, and the clean environment lacks.
OTHERS = {'anyio', 'datasets', 'inspect_ai', 'lm_eval', 'numpy', 'pandas', 'pyarrow', 'ray', 'verl'}


class Modules(unittest.TestCase):
    def test_every_module_has_no_heavy_dependency(self):
        self.assertGreater(len(list(pkgutil.iter_modules(rederive.__path__))), 8)


def load_tests(loader, tests, pattern):
    names = [m.name for m in pkgutil.iter_modules(rederive.__path__) if m.name != '__main__']
    for module in ['rederive', 'rederive_llm', *(f'rederive.{name}' for name in names)]:
        try:
            found = importlib.import_module(module)
        except ModuleNotFoundError as error:
            if (error.name or '').split('.')[0] not in OTHERS:
                raise
            continue
        try:
            tests.addTests(doctest.DocTestSuite(found, extraglobs={'rederive': rederive}))
        except ValueError:
            continue  # it has no docstrings
    for name in ('docs/python.md', 'docs/python-plans.md', 'python/PYPI.md'):
        page = os.path.join(os.environ['RDV_SOURCE'], name)
        tests.addTests(doctest.DocFileSuite(page, module_relative=False, encoding='utf-8'))
    return tests
