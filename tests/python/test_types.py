# SPDX-License-Identifier: Apache-2.0
"""The package's types, checked by mypy --strict."""
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import rederive


class Types(unittest.TestCase):
    def test_the_package_is_strictly_typed(self):
        done = subprocess.run([os.environ['RDV_MYPY'], '--strict', '--ignore-missing-imports', '--config-file',
                               os.path.join(os.environ['RDV_SOURCE'], 'pyproject.toml'), '--cache-dir',
                               os.path.join(os.environ['RDV_BUILD'], 'python/mypy'),
                               *(os.path.join(os.environ['RDV_SOURCE'], 'python', name) for name in ('rederive', 'rederive_llm'))],
                              env={**os.environ, 'MYPYPATH': os.path.join(os.environ['RDV_SOURCE'], 'python')}, capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


HERE = Path(__file__).parent
SOURCE = os.environ['RDV_SOURCE']
# Each is refused by type checkers at its line, and at run time as soon as it is called.
MISSPELT = (
    "rederive.check([chain], max_cals=3)",
    "rederive.check(chain, 'calculations', lamda='2,1')",
    "rederive.check([chain], 'selfcheck', 'builtin', tempratur=1)",
    "rederive.vote([chain], wait='confidence')",
    "rederive.solve([chain], 'builtin', chain=3)",
    "rederive.repair([chain], 'builtin', round=2)",
    "rederive.evaluate([chain], receipe='selfcheck:table2')",
    "rederive.convert([chain], 'trl', unrelatd='wrong')",
    "rederive.Session('builtin', max_call=3)",
    "rederive.Session('builtin').check([chain], 'global', sample=3)",
    "rederive.Plan.check([chain], 'selfcheck', model='m', sample=3)",
    "rederive.Plan.solve([chain], model='m', chain=3)")
# Refused by type checkers alone: a member that records do not have, a word that is no choice.
WRONG = ("print(rederive.check(chain)['first_eror'])", "rederive.check([chain], decimal='dot')", "rederive.grade(['1'], '1')",
         "for one in rederive.vote([chain]): print(one['weightshare'])")
HEAD = "import rederive\nchain = {'question': 'What is 1 + 1?', 'steps': ['1 + 1 = 2.']}\n"


def mypy(path):
    done = subprocess.run([os.environ['RDV_MYPY'], '--strict', '--ignore-missing-imports', '--no-error-summary', '--cache-dir',
                           os.path.join(os.environ['RDV_BUILD'], 'python/mypy'), path], cwd=os.path.dirname(path), capture_output=True, text=True,
                          env={**os.environ, 'MYPYPATH': os.path.join(SOURCE, 'python')}, check=False)
    return {int(line.split(':')[1]): line for line in done.stdout.splitlines() if ': error: ' in line}


def pyright(path):
    done = subprocess.run([os.environ['RDV_PYRIGHT'], '--outputjson', path], cwd=os.path.dirname(path), capture_output=True, text=True,
                          check=False, env={**os.environ, 'PYTHONPATH': os.path.join(SOURCE, 'python')})
    return {one['range']['start']['line'] + 1: one['message'] for one in json.loads(done.stdout)['generalDiagnostics']
            if one['severity'] == 'error'}


class Examples(unittest.TestCase):
    """Strict type checkers accept what is documented, and refuse each misspelt option."""

    def checkers(self):
        yield mypy
        if os.environ.get('RDV_PYRIGHT') or shutil.which('pyright'):
            os.environ.setdefault('RDV_PYRIGHT', shutil.which('pyright') or '')
            yield pyright

    def setUp(self):
        self.folder = Path(self.enterContext(tempfile.TemporaryDirectory()))
        # Pyright looks for a package beside the file; a folder of its own has no settings of ours.
        os.symlink(os.path.join(SOURCE, 'python/rederive'), self.folder / 'rederive')
        os.symlink(os.path.join(SOURCE, 'python/rederive_llm'), self.folder / 'rederive_llm')

    def test_documented_ones_are_accepted(self):
        shutil.copy(HERE / 'typed_examples.py', self.folder)
        for checker in self.checkers():
            self.assertEqual(checker(str(self.folder / 'typed_examples.py')), {}, checker.__name__)

    def test_misspelt_ones_are_refused(self):
        file = self.folder / 'wrong.py'
        file.write_text(HEAD + '\n'.join(MISSPELT + WRONG) + '\n', encoding='utf-8')
        lines = set(range(3, 3 + len(MISSPELT + WRONG)))
        for checker in self.checkers():
            self.assertEqual(set(checker(str(file))), lines, checker.__name__)

    def test_misspelt_ones_are_refused_when_they_are_called(self):
        for call in MISSPELT:
            with self.assertRaisesRegex(rederive.ArgumentError, 'has no option .*; did you mean ', msg=call):
                eval(call, {'rederive': rederive, 'chain': {'question': 'What is 1 + 1?', 'steps': ['1 + 1 = 2.']}})

    def test_types_are_those_of_the_program(self):
        for what, name in (('options', 'options.py'), ('records', 'types.py')):
            made = subprocess.run(['python3', os.path.join(SOURCE, 'tools/python_types.py'), what], capture_output=True, text=True, check=True).stdout
            self.assertEqual(made, Path(SOURCE, 'python/rederive', name).read_text(encoding='utf-8'),
                             f'python3 tools/python_types.py {what} > python/rederive/{name}')


class Messages(unittest.TestCase):
    def test_have_the_names_of_python(self):
        chain = {'question': 'What is 1 + 1?', 'steps': ['1 + 1 = 2.']}
        for call, says in ((lambda: rederive.check(chain, lambda_='1,2'), 'lambda_ 1,2: lambda must'),
                           (lambda: list(rederive.vote([chain], aggregate='min')), 'aggregate has no effect without weight scores:NAME'),
                           (lambda: rederive.check({'question': 'And?'}), '; steps_from names the member'),
                           (lambda: rederive.evaluate([chain], floor=1), '^floor has no effect')):
            with self.assertRaisesRegex(rederive.Error, says) as raised:
                call()
            self.assertNotIn('--', str(raised.exception))
