# SPDX-License-Identifier: Apache-2.0
"""read, calculations and methods."""
import gzip
import os
import tempfile
import time
import unittest
import warnings

import rederive
from program import CHAINS, SOURCE, as_lines, program


class Reading(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name

    def write(self, name, data):
        path = os.path.join(self.folder, name)
        with open(path, 'wb') as file:
            file.write(data)
        return path

    def test_every_example_is_read_as_the_program_reads_it(self):
        for name in sorted(os.listdir(os.path.join(SOURCE, 'examples'))):
            if not name.endswith('.jsonl'):
                continue
            path = os.path.join(SOURCE, 'examples', name)
            with self.subTest(name):
                lines = list(rederive.read(path, errors='keep').lines())
                chains = [line for line in lines if b'"steps"' in line]
                if chains:
                    self.assertEqual(list(rederive.check(chains, errors='keep').lines())[0][:40], chains[0][:40])

    def test_lines_are_those_of_the_file(self):
        path = self.write('chains.jsonl.gz', gzip.compress(as_lines(CHAINS)))
        records = list(rederive.read(path))
        self.assertEqual([r['steps'] for r in records], [c['steps'] for c in CHAINS])
        self.assertEqual(records[1]['mine'], CHAINS[1]['mine'])
        self.assertEqual(list(rederive.check(rederive.read(path).lines()).lines())[1:], program('check', '-q')[1:])

    def test_a_large_file_is_streamed(self):
        path = self.write('many.jsonl', as_lines(CHAINS) * 5000)
        reader = rederive.read(path)
        self.assertEqual(sum(1 for _ in reader), 5000 * len(CHAINS))

    def test_bad_lines(self):
        path = self.write('bad.jsonl', as_lines(CHAINS[:1]) + b'{"question": \n' + as_lines(CHAINS[1:2]))
        reader = rederive.read(path)
        self.assertEqual(next(reader)['question'], CHAINS[0]['question'])
        with self.assertRaises(rederive.Error) as caught:
            next(reader)
        self.assertEqual((caught.exception.path, caught.exception.line), (path, 2))
        kept = list(rederive.read(path, errors='keep'))
        self.assertEqual(['error' in r for r in kept], [False, True, False])

    def test_files_that_cannot_be_read(self):
        with self.assertRaises(rederive.Error) as caught:
            rederive.read(os.path.join(self.folder, 'none.jsonl'))
        self.assertEqual(caught.exception.code, 'io')
        with self.assertRaises(rederive.ArgumentError):
            list(rederive.read(self.write('x.jsonl', b'{}\n'), format='nothing'))
        with self.assertRaises(rederive.Error) as caught:
            list(rederive.read(self.write('y.jsonl', b'{"a":1}\n' * 3)))
        self.assertIn(caught.exception.code, ('input', 'format'))

    def test_arguments_that_cannot_be_used(self):
        path = self.write('z.jsonl', b'{"question":"q","steps":["1"]}\n')
        for call in (lambda: rederive.read(path + '\0x'), lambda: rederive.read(path, errors='skip'),
                     lambda: rederive.read(path, format='jsonl\0'), lambda: rederive.check([], errors='skip'),
                     lambda: rederive.check([], 'calculations\0x')):
            with self.assertRaises(rederive.ArgumentError):
                call()

    def test_parts_by_name_and_notes(self):
        path = self.write('own.jsonl', b'{"q": "What is 1 + 1?", "out": [{"t": "1 + 1 = 3."}], "x": NaN}\n')
        with warnings.catch_warnings(record=True) as noted:
            warnings.simplefilter('always')
            [record] = rederive.read(path, question_from='q', steps_from='out[0].t')
        self.assertEqual(record['steps'], ['1 + 1 = 3.'])
        self.assertTrue(any(isinstance(w.message, rederive.NoteWarning) for w in noted))


class Calculations(unittest.TestCase):
    def test_places_are_those_of_the_text(self):
        text = '\U0001f600é: 2 × 3 = 7, and 10 / 4 = 2.5, 1/3 = 0.33'
        found = rederive.calculations(text)
        self.assertEqual([(c.kind, text[c.begin:c.end]) for c in found],
                         [('wrong', '2 × 3 = 7'), ('right', '10 / 4 = 2.5'), ('rounded', '1/3 = 0.33')])
        self.assertEqual((found[0].left, found[0].right, found[0].value), ('2 × 3', '7', '6'))

    def test_time_grows_with_the_text(self):
        text = 'é 1 + 1 = 3. ' * 40000
        begun = time.process_time()
        found = rederive.calculations(text)
        self.assertLess(time.process_time() - begun, 10)  # 30 where each place was counted from the beginning
        self.assertEqual((len(found), text[found[-1].begin:found[-1].end]), (40000, '1 + 1 = 3'))

    def test_any_text(self):
        for text in ('', '\0', '\ud800 = 3', '=' * 1000, '1+' * 5000 + '1=2'):
            self.assertIsInstance(rederive.calculations(text), list)


class Methods(unittest.TestCase):
    def test_the_programs_methods(self):
        listed = b''.join(program('methods', records=[])).decode()
        for method in rederive.methods():
            self.assertIn(f'{method.name} ', listed)
        self.assertTrue({'calculations', 'selfcheck', 'general'} <= {m.name for m in rederive.methods()})
