# SPDX-License-Identifier: Apache-2.0
"""The command of the wheel, and what happens beside the distribution that is named rederive."""
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import zipfile

import rederive
import rederive_llm
from program import PROGRAM, SOURCE

COMMAND = os.path.join(os.path.dirname(sys.executable), 'rederive')
FOREIGN = '"""Reproducible, traceable analysis pipelines."""\n'


def run(*words, **more):
    done = subprocess.run(words, capture_output=True, text=True, timeout=120, check=False, **more)
    return done.returncode, done.stdout, done.stderr


class Command(unittest.TestCase):
    def test_it_is_the_program(self):
        for words in ([COMMAND], [sys.executable, '-P', '-m', 'rederive'], [sys.executable, '-P', '-m', 'rederive_llm']):
            self.assertEqual(run(*words, 'version'), run(PROGRAM, 'version'))
            self.assertEqual(run(*words, 'check', '--list', '-q', input='Half of 48 is 25.'),
                             run(PROGRAM, 'check', '--list', '-q', input='Half of 48 is 25.'))
            self.assertEqual(run(*words, 'grade', '--answer', '1', '--gold', '2')[0], 4)
        self.assertEqual(run(COMMAND, '--help'), run(PROGRAM, '--help'))

    def test_it_has_the_built_in_model(self):
        status, out, _ = run(COMMAND, 'models', '--model', 'builtin', '--json', env={'PATH': os.environ['PATH']})
        self.assertEqual(status, 0)
        self.assertIn('"model"', out)

    def test_it_opens_the_libraries_of_the_wheel(self):
        """A server that is not there is asked by libcurl, of which the machine may have none."""
        with tempfile.TemporaryDirectory() as folder:
            status, _, err = run(COMMAND, 'check', '-q', '-m', 'selfcheck', '-M', 'http://127.0.0.1:9/v1#m', '--retries', '0',
                                 '--journal', os.path.join(folder, 'journal'), input='{"question":"?","steps":["1 + 1 = 2"]}',
                                 env={**os.environ, 'LD_DEBUG': 'files'})
        opened = re.findall(r'calling init: (\S*libcurl\S*)', err)
        self.assertTrue(opened and all('rederive_llm.libs' in path for path in opened), opened)
        self.assertNotEqual(status, 0)


class Version(unittest.TestCase):
    def test_all_agree(self):
        said = run(COMMAND, 'version')[1].split()[1]
        self.assertEqual(said, rederive.__version__)
        self.assertEqual(said, rederive_llm.__version__)
        self.assertEqual(said, importlib.metadata.version('rederive-llm'))
        with open(os.path.join(SOURCE, 'meson.build'), encoding='utf-8') as file:
            self.assertIn(f"version: '{said}',", file.read())
        with open(os.path.join(SOURCE, 'CHANGELOG.md'), encoding='utf-8') as file:
            self.assertEqual(re.search(r'^## \[(\d\S*)\]', file.read(), re.M).group(1), said)


class Beside(unittest.TestCase):
    """The distribution named rederive has one file, rederive/__init__.py, which it puts in the place of ours."""

    def setUp(self):
        site = os.path.dirname(os.path.dirname(rederive_llm.__file__))
        self.site = tempfile.mkdtemp(prefix='rederive-beside-')
        self.addCleanup(shutil.rmtree, self.site)
        for name in ('rederive', 'rederive_llm'):
            shutil.copytree(os.path.join(site, name), os.path.join(self.site, name))
        os.symlink(os.path.join(site, 'rederive_llm.libs'), os.path.join(self.site, 'rederive_llm.libs'))
        self.init = os.path.join(self.site, 'rederive', '__init__.py')

    def python(self, *words):
        return run(sys.executable, *words, env={**os.environ, 'PYTHONPATH': self.site})

    def assert_works(self, says):
        code = "import rederive_llm as r; print(r.__file__, r.grade('1/2', '0.5').outcome, len(r.methods()) > 3)"
        self.assertEqual(self.python('-c', code), (0, f'{self.site}/rederive_llm/__init__.py same True\n', ''))
        status, out, err = self.python('-m', 'rederive_llm', 'version')
        self.assertEqual((status, out), (0, f'rederive {rederive.__version__}\n'))
        self.assertIn(says, err)
        self.assertEqual(bool(says), bool(err))

    def test_ours_alone(self):
        self.assert_works('')

    def test_theirs_in_the_place_of_ours(self):
        with open(self.init, 'w', encoding='utf-8') as file:
            file.write(FOREIGN)
        self.assert_works('is of another distribution; import rederive_llm instead')

    def test_theirs_removed_with_ours(self):
        os.remove(self.init)
        os.remove(self.init + 'i')
        self.assert_works('is missing; import rederive_llm instead')


class Names(unittest.TestCase):
    def test_both_modules_have_all(self):
        from rederive import api
        for module in (rederive, rederive_llm):
            self.assertEqual(module.__all__, api.__all__)
            self.assertLessEqual(set(api.__all__), set(dir(module)))
            for name in api.__all__:
                self.assertIs(getattr(module, name), getattr(api, name))
            self.assertEqual(module.rewards.__name__, 'rederive.rewards')
            with self.assertRaisesRegex(AttributeError, "has no attribute 'chekc'"):
                module.chekc

    def test_nothing_is_loaded_before_it_is_asked_for(self):
        code = 'import sys, rederive, rederive_llm; print([m for m in sys.modules if m.startswith(("rederive", "cffi"))])'
        self.assertEqual(run(sys.executable, '-P', '-c', code)[1], "['rederive_llm', 'rederive']\n")

    def test_who_grades_loads_what_grades_alone(self):
        code = 'import sys; from rederive import grade; print(sorted(m for m in sys.modules if m.startswith("rederive.")))'
        self.assertEqual(run(sys.executable, '-P', '-c', code)[1],
                         "['rederive._core', 'rederive._core.lib', 'rederive.answers', 'rederive.errors', 'rederive.values']\n")

    def test_a_function_is_no_module_of_its_name(self):
        code = 'import rederive.session, rederive; print(rederive.methods()[0].name)'
        self.assertEqual(run(sys.executable, '-P', '-c', code), (0, 'calculations\n', ''))


class Wheel(unittest.TestCase):
    def test_what_it_says_of_itself(self):
        wheel = os.environ['RDV_WHEEL']
        self.assertRegex(os.path.basename(wheel), r'^rederive_llm-[\d.]+-cp311-abi3-manylinux_2_3[0-6]_x86_64\.whl$')
        with zipfile.ZipFile(wheel) as file:
            names = file.namelist()
            about = file.read(next(n for n in names if n.endswith('.dist-info/METADATA'))).decode()
            program = file.getinfo('rederive_llm/rederive')
        self.assertTrue(program.external_attr >> 16 & 0o111)
        for line in ('Name: rederive-llm', 'License-Expression: Apache-2.0', 'Keywords: ', 'Author: ', 'Requires-Python: >=3.11'):
            self.assertIn('\n' + line, about)
        page = about.split('\n\n', 1)[1]
        self.assertNotRegex(page, r'\]\((?!https?:)', 'a relative link leads nowhere on PyPI')
        self.assertIn('# Rederive', page)

    def test_it_fits_every_later_python(self):
        """By abi3audit: it uses nothing beside the stable ABI of CPython 3.11, which 3.12 and its successors keep."""
        status, out, err = run(os.environ['RDV_ABI3AUDIT'], '--strict', '--report', os.environ['RDV_WHEEL'])
        self.assertEqual(status, 0, out + err)
        (about,) = json.loads(out)['specs'].values()
        found = {module['name']: module['result'] for module in about['wheel']}
        self.assertGreaterEqual(set(found), {'_core.abi3.so', '_run.abi3.so'})
        for name, result in found.items():
            self.assertTrue(result['is_abi3'] and result['is_abi3_baseline_compatible'], f'{name}: {result}')

    def test_nothing_is_compiled_twice(self):
        with zipfile.ZipFile(os.environ['RDV_WHEEL']) as file:
            size = {os.path.basename(i.filename): i.file_size for i in file.infolist()}
        library = size['librederive-python.so']
        for name in ('rederive', '_core.abi3.so', '_run.abi3.so'):
            self.assertLess(size[name], library / 8, name)

    def test_the_program_is_stripped(self):
        with open(os.path.join(os.path.dirname(rederive_llm.__file__), 'rederive'), 'rb') as file:
            self.assertNotIn(b'\0.symtab\0', file.read())
