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
from pathlib import Path

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
        opened = re.findall(r'calling init: (.*libcurl.*)', err)
        self.assertTrue(opened and all('rederive_llm.libs' in path for path in opened), opened)
        self.assertNotEqual(status, 0)


class Script(unittest.TestCase):
    """The command is a script of the shell, which finds the program below the folder that both were installed into."""

    def setUp(self):
        made = tempfile.TemporaryDirectory(prefix='rederive script ')
        self.addCleanup(made.cleanup)
        self.root = made.name
        self.prefix = os.path.join(self.root, 'the prefix')
        self.command = self.write('bin/rederive', Path(COMMAND).read_text(encoding='utf-8'))

    def write(self, name, text):
        path = os.path.join(self.prefix, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        Path(path).write_text(text, encoding='utf-8')
        os.chmod(path, 0o755)
        return path

    def install(self, site, version=rederive.__version__):
        """A program that says where it is, and its words."""
        os.makedirs(os.path.join(self.prefix, site, f'rederive_llm-{version}.dist-info'))
        self.write(os.path.join(site, 'rederive_llm/rederive'), f'#!/bin/sh\nprintf "%s|" "{site}" "$@"\nexit 5\n')

    def assert_starts(self, site, *command, **more):
        self.assertEqual(run(*(command or [self.command]), 'a  b', '', '*', **more), (5, f'{site}|a  b||*|', ''))

    def test_the_folders_that_installers_use(self):
        for site in ('lib/python3.14/site-packages', 'lib64/python3.12/site-packages', 'lib/python3/dist-packages', '.'):
            with self.subTest(site):
                self.install(site)
                self.assert_starts(site)
                shutil.rmtree(os.path.join(self.prefix, site, f'rederive_llm-{rederive.__version__}.dist-info'))

    def test_links_to_it(self):
        self.install('lib/python3.11/site-packages')
        first, second = os.path.join(self.root, 'first'), os.path.join(self.root, 'second')
        os.symlink('the prefix/bin/rederive', first)
        os.symlink(first, second)
        os.symlink(os.path.join(self.prefix, 'bin'), os.path.join(self.root, 'tools'))
        for path in (first, second, os.path.join(self.root, 'tools/rederive')):
            self.assert_starts('lib/python3.11/site-packages', path)
        self.assert_starts('lib/python3.11/site-packages', 'sh', 'rederive', cwd=os.path.join(self.prefix, 'bin'))

    def test_the_program_of_its_own_version(self):
        """After an update of the system's Python, --user leaves that of the older one where it was."""
        for number, version in enumerate(('0.0.1', rederive.__version__, '999.0')):
            self.install(f'lib/python3.{11 + number}/site-packages', version)
        self.assert_starts('lib/python3.12/site-packages')

    def test_python_is_not_started(self):
        self.install('lib/python3.11/site-packages')
        self.write('bin/python3', '#!/bin/sh\necho Python was started\n')
        self.assert_starts('lib/python3.11/site-packages')

    def test_python_knows_another_folder(self):
        self.write('bin/python3', '#!/bin/sh\nprintf "%s|" "$@"\n')
        self.assertEqual(run(self.command, 'check', 'a b'), (0, '-P|-m|rederive_llm|check|a b|', ''))

    def test_none(self):
        status, out, err = run(self.command, 'version')
        self.assertEqual((status, out), (3, ''))
        self.assertRegex(err, r'^rederive: rederive_llm [\d.]+ is not installed below .*the prefix/bin/\.\.; repair it: pip install .*\n$')

    def test_where_pip_installs(self):
        python = os.path.realpath(sys.executable)  # not that of the environment, which has no --user
        where = {'target': ['--target', self.root + '/target'], 'prefix': ['--prefix', self.root + '/prefix'], 'user': ['--user']}
        for name, words in where.items():
            with self.subTest(name):
                status, _, err = run(python, '-m', 'pip', 'install', '-q', '--no-deps', '--no-index', '--no-compile', '--ignore-installed',
                                     '--disable-pip-version-check', '--no-warn-script-location', *words, os.environ['RDV_WHEEL'],
                                     env={'PATH': os.environ['PATH'], 'PYTHONUSERBASE': self.root + '/user', 'PIP_BREAK_SYSTEM_PACKAGES': '1',
                                          'PYTHONPATH': os.path.dirname(os.path.dirname(rederive.__file__))})
                self.assertEqual(status, 0, err)
                [command] = Path(self.root, name).glob('**/bin/rederive')
                self.assertEqual(run(str(command), 'version'), (0, f'rederive {rederive.__version__}\n', ''))


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
