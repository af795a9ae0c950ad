# SPDX-License-Identifier: Apache-2.0
"""check, vote, solve, repair and evaluate: the records of the program, byte for byte."""
import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

import rederive
from program import CHAINS, as_lines, program

BAD = [CHAINS[0], {'question': 'No steps?'}, {'foo': 1}, CHAINS[1]]


class Computing(unittest.TestCase):
    def test_same_bytes_as_the_program(self):
        for method in ('calculations', 'sorting', 'calculations,perplexity', 'perplexity'):
            self.assertEqual(list(rederive.check(CHAINS, method).lines()), program('check', '-q', '-m', method), method)
        self.assertEqual(list(rederive.check(CHAINS, 'calculations', lambda_=(1, 0.5), unknown='contradict').lines()),
                         program('check', '-q', '--lambda', '1,0.5', '--unknown', 'contradict'))

    def test_options_of_the_command(self):
        self.assertEqual(list(rederive.check(CHAINS, accepted=True).lines()), program('check', '-q', '--accepted'))
        self.assertEqual(list(rederive.check(CHAINS, threshold=0.7).lines()), program('check', '-q', '--threshold', '0.7'))

    def test_checks_add_up_as_in_a_pipe(self):
        twice = rederive.check(rederive.check(CHAINS), ['calculations', 'perplexity'])
        piped = program('check', '-q', '-m', 'calculations,perplexity',
                        records=[json.loads(line) for line in program('check', '-q')])
        self.assertEqual(list(twice.lines()), piped)

    def test_no_network_library_is_loaded(self):
        script = ('import rederive, sys; rederive.check({"question":"?","steps":["1+1=2"]}); list(rederive.vote([]));'
                  'rederive.grade("1","2"); m = open("/proc/self/maps").read();'
                  'sys.exit("curl" in m or "sqlite" in m or "rederive._run" in sys.modules)')
        self.assertEqual(subprocess.run([sys.executable, '-P', '-c', script], check=False).returncode, 0)

    def test_a_bad_record_is_an_error_with_its_place(self):
        for options in ({}, {'accepted': True}):  # in this thread, and as a command
            made = []
            with self.assertRaises(rederive.Error) as caught:
                for record in rederive.check(BAD, **options):
                    made.append(record)
            self.assertEqual((caught.exception.path, caught.exception.line, caught.exception.code), ('input', 2, 'input'))
            self.assertIn('without steps', caught.exception.message)

    def test_bad_records_are_kept_where_asked(self):
        wanted = program('check', '-q', records=BAD, status=1)
        self.assertEqual(list(rederive.check(BAD, errors='keep').lines()), wanted)
        self.assertEqual(list(rederive.check(BAD, errors='keep', threshold=0.5).lines()),
                         program('check', '-q', '--threshold', '0.5', records=BAD, status=1))

    def test_bytes_that_are_no_json(self):
        records = [b'{"question":"?","steps":["a"]}', b'{"question": \n', b'[1]']
        for options in ({}, {'accepted': True}):
            made = list(rederive.check(records, errors='keep', **options))
            self.assertIn('input:2:13: ', made[1]['error'])
            with self.assertRaises(rederive.Error) as caught:
                list(rederive.check(records, **options))
            self.assertEqual((caught.exception.path, caught.exception.line, caught.exception.column), ('input', 2, 13))

    def test_results_come_while_the_input_goes_on(self):
        seen = []

        def chains():
            for chain in CHAINS:
                seen.append('in')
                yield chain

        for _ in rederive.check(chains()):
            seen.append('out')
        self.assertEqual(seen, ['in', 'out'] * len(CHAINS))


class Options(unittest.TestCase):
    def test_unknown_and_useless_options_are_errors(self):
        for call, word in ((lambda: rederive.check(CHAINS[0], metod='x'), 'did you mean method'),
                           (lambda: rederive.check(CHAINS[0], 'selfchek'), 'did you mean selfcheck'),
                           (lambda: rederive.check(CHAINS[0], 'selfcheck'), 'needs a model'),
                           (lambda: rederive.check(CHAINS[0], view=True), 'no such option'),
                           (lambda: list(rederive.vote(CHAINS, out_='x')), 'no such option'),
                           (lambda: rederive.check(CHAINS[0], in_='x'), 'no such option'),
                           (lambda: rederive.check(CHAINS[0], threshold={}), 'a text, a number'),
                           (lambda: list(rederive.vote(CHAINS, weight='mine')), 'weight'),
                           (lambda: list(rederive.vote(CHAINS, select='best')), 'compares weights'),
                           (lambda: list(rederive.check([3])), 'no record'),
                           (lambda: rederive.evaluate(CHAINS, recipe='x:y'), 'recipe')):
            with self.assertRaises(rederive.ArgumentError) as caught:
                call()
            self.assertIn(word, str(caught.exception))


class Votes(unittest.TestCase):
    def test_same_bytes_as_the_program(self):
        checked = list(rederive.check(CHAINS))
        self.assertEqual(list(rederive.vote(checked).lines()), program('vote', '-q', records=checked))
        self.assertEqual(list(rederive.vote(checked, weight='confidence', seed=3).lines()),
                         program('vote', '-q', '-w', 'confidence', '--seed', '3', records=checked))

    def test_a_record_that_is_no_chain(self):
        with self.assertRaises(rederive.Error) as caught:
            list(rederive.vote(BAD))
        self.assertEqual(caught.exception.line, 2)

    def test_tables(self):
        checked = list(rederive.check(CHAINS))
        self.assertEqual(rederive.evaluate(checked), json.loads(program('eval', '--json', records=checked)[0]))
        with self.assertRaisesRegex(rederive.Error, 'nothing was read'):
            rederive.evaluate([])

    def test_what_the_package_has_beside_functions(self):
        words = 'import rederive; print(rederive.__version__, rederive.rewards.compute_score("", "#### 3", "3"))'
        done = subprocess.run([sys.executable, '-P', '-c', words], capture_output=True, text=True, check=True)
        self.assertRegex(done.stdout, r'^[0-9]+\.[0-9.]+\w* 1\.0$')
        with self.assertRaises(AttributeError):
            rederive.nothing

    def test_one_record_is_taken_as_such(self):
        checked = rederive.check(CHAINS[0])
        self.assertEqual(list(rederive.vote(checked)), list(rederive.vote([checked])))
        self.assertEqual(rederive.evaluate(checked), rederive.evaluate([checked]))
        self.assertEqual(rederive.convert(checked, 'csv'), rederive.convert([checked], 'csv'))


class Asking(unittest.TestCase):
    """With the built-in model, which is in the wheel."""

    def compare(self, verb, made, *arguments, records=CHAINS):
        self.assertEqual(list(made.lines()), program(verb, '-q', '-M', 'builtin', *arguments, records=records))

    def test_check(self):
        self.compare('check', rederive.check(CHAINS, 'selfcheck', 'builtin'), '-m', 'selfcheck')
        self.compare('check', rederive.check(CHAINS, ['calculations', 'global'], 'builtin', seed=5),
                     '-m', 'calculations,global', '--seed', '5')

    def test_one_chain(self):
        self.assertEqual(rederive.check(CHAINS[1], 'global', 'builtin')['method'], 'global')

    def test_solve_and_repair(self):
        questions = [{'question': 'Sort the following words alphabetically: List: pear apple fig'}]
        self.compare('solve', rederive.solve(questions, 'builtin', chains=3), '-n', '3', '-m', 'calculations',
                     records=questions)
        self.compare('repair', rederive.repair(CHAINS, 'builtin', locator='calculations'), '--locator', 'calculations')

    def test_a_journal_answers_again(self):
        with tempfile.TemporaryDirectory() as folder:
            journal = os.path.join(folder, 'run.journal')
            first = list(rederive.check(CHAINS, 'global', 'builtin', journal=journal).lines())
            self.assertEqual(first, list(rederive.check(CHAINS, 'global', f'transcript:{journal}').lines()))

    def test_a_server_that_is_not_there(self):
        with self.assertRaises(rederive.Error) as caught:
            rederive.check(CHAINS[0], 'global', 'http://127.0.0.1:9/v1#m', retries=0)
        self.assertEqual(caught.exception.code, 'io')
        self.assertIn('cannot be reached', str(caught.exception))

    def test_what_is_left_is_stopped(self):
        results = rederive.check((CHAINS[i % 4] for i in range(100000)), 'selfcheck', 'builtin')
        next(results)
        began = time.monotonic()
        results.close()
        self.assertLess(time.monotonic() - began, 20)
        self.assertEqual(list(results), [])

    def test_an_error_of_the_source_is_raised(self):
        def chains():
            yield CHAINS[0]
            raise KeyError('mine')

        with self.assertRaises(KeyError):
            list(rederive.check(chains(), 'global', 'builtin'))

    def test_in_threads(self):
        wanted = program('check', '-q', '-m', 'global', '-M', 'builtin')
        made = [None] * 4

        def work(i):
            made[i] = list(rederive.check(CHAINS, 'global', 'builtin').lines())

        threads = [threading.Thread(target=work, args=[i]) for i in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(made, [wanted] * 4)


class CtrlC(unittest.TestCase):
    def interrupt(self, script):
        # A shell's command in the background ignores the signal, and so would the child.
        child = subprocess.Popen([sys.executable, '-P', '-u', '-c', script], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                 preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL))
        self.assertEqual(child.stdout.readline(), b'begun\n')
        time.sleep(0.3)
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=30)
        self.assertIn(b'KeyboardInterrupt', said)

    def test_while_a_model_works(self):
        self.interrupt('import rederive\n'
                       'c = {"question": "What is 2 + 2?", "steps": ["2 + 2 = 4."]}\n'
                       'r = rederive.check((c for i in range(10**6)), "selfcheck", "builtin")\n'
                       'next(r); print("begun")\n'
                       'for _ in r: pass\n')

    def test_while_answers_are_graded(self):
        self.interrupt('import rederive\nprint("begun")\n'
                       'for _ in rederive.grade_many((("1/2", "0.5") for i in range(10**8)), threads=2): pass\n')
