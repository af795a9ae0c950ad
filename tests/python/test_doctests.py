# SPDX-License-Identifier: Apache-2.0
"""The examples in the package's docstrings and in docs/python.md."""
import doctest
import importlib
import os
import pkgutil
import unittest

import rederive

# Of modules that need a package which the clean environment lacks.
NEEDS = {'arrow': 'pyarrow', 'pandas': 'pandas', 'ray': 'ray', 'inspect': 'inspect_ai', 'lm_eval': 'lm_eval'}


class Modules(unittest.TestCase):
    def test_every_module_has_no_heavy_dependency(self):
        self.assertGreater(len(list(pkgutil.iter_modules(rederive.__path__))), 8)


def load_tests(loader, tests, pattern):
    for module in [rederive.__name__, *(f'rederive.{m.name}' for m in pkgutil.iter_modules(rederive.__path__))]:
        try:
            found = importlib.import_module(module)
        except ModuleNotFoundError as error:
            if (error.name or '').split('.')[0] not in NEEDS.values():
                raise
            continue
        try:
            tests.addTests(doctest.DocTestSuite(found, extraglobs={'rederive': rederive}))
        except ValueError:
            continue  # it has no docstrings
    for name in ('python.md', 'python-plans.md'):
        page = os.path.join(os.environ['RDV_SOURCE'], 'docs', name)
        tests.addTests(doctest.DocFileSuite(page, module_relative=False, encoding='utf-8'))
    return tests
