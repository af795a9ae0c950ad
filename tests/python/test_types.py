# SPDX-License-Identifier: Apache-2.0
"""The package's types, checked by mypy --strict."""
import os
import subprocess
import unittest


class Types(unittest.TestCase):
    def test_the_package_is_strictly_typed(self):
        done = subprocess.run([os.environ['RDV_MYPY'], '--strict', '--ignore-missing-imports', '--config-file',
                               os.path.join(os.environ['RDV_SOURCE'], 'pyproject.toml'), '--cache-dir',
                               os.path.join(os.environ['RDV_BUILD'], 'python/mypy'),
                               *(os.path.join(os.environ['RDV_SOURCE'], 'python', name) for name in ('rederive', 'rederive_llm'))],
                              env={**os.environ, 'MYPYPATH': os.path.join(os.environ['RDV_SOURCE'], 'python')}, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
