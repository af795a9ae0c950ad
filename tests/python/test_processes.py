# SPDX-License-Identifier: Apache-2.0
"""Threads and forks: the same results, and no memory lost."""
import multiprocessing
import os
import pickle
import tempfile
import threading
import unittest

import rederive
from program import CHAINS, as_lines

GRADES = int(os.environ.get('RDV_GRADES', '40000'))  # `make check-python-long`: a million
THREADS = 8
PAIRS = [(f'\\frac{{{i}}}{{{i + 1}}}', f'{i}/{i + 1}' if i % 3 else f'{i + 1}/{i + 2}') for i in range(1, 200)]
PAIRS += [(f'\\sqrt{{{i}}} + {i}', f'{i} + \\sqrt{{{i}}}') for i in range(2, 40)]


def outcomes(_=None):
    return [rederive.grade(answer, gold).outcome for answer, gold in PAIRS]


def resident():
    """Bytes of memory of this process."""
    with open('/proc/self/statm', encoding='ascii') as file:
        return int(file.read().split()[1]) * os.sysconf('SC_PAGE_SIZE')


class Threads(unittest.TestCase):
    def test_the_same_results_and_flat_memory(self):
        wanted = outcomes()
        wrong = []
        rounds = GRADES // THREADS // len(PAIRS) + 1
        sizes = []

        def work():
            for _ in range(rounds):
                if outcomes() != wanted:
                    wrong.append(1)

        for _ in range(4):  # threads end in between: what FLINT keeps for them must be released
            threads = [threading.Thread(target=work) for _ in range(THREADS)]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            rounds = max(rounds // 4, 1)
            sizes.append(resident())
        if GRADES >= 1000000:  # what docs/python.md states
            print(f'{GRADES} grades in {THREADS} threads, then a quarter and so on: MiB of memory after each',
                  [round(size / (1 << 20), 1) for size in sizes])
        self.assertEqual(wrong, [])
        self.assertLess(sizes[-1] - sizes[0], 8 << 20, sizes)

    def test_many_short_threads_lose_nothing(self):
        def work():
            rederive.grade('\\sqrt{8}', '2\\sqrt{2}')
            rederive.calculations('2 + 2 = 4')

        def spell(n):
            for _ in range(n):
                thread = threading.Thread(target=work)
                thread.start()
                thread.join()

        spell(300)
        before = resident()
        spell(1500)
        self.assertLess(resident() - before, 6 << 20)


class Forks(unittest.TestCase):
    def test_forked_workers_grade_right(self):
        wanted = outcomes()
        busy = threading.Event()

        def work():
            while not busy.is_set():
                outcomes()

        threads = [threading.Thread(target=work) for _ in range(3)]
        for thread in threads:
            thread.start()
        try:  # forked while other threads grade
            with multiprocessing.get_context('fork').Pool(4) as pool:
                self.assertEqual(pool.map(outcomes, range(8)), [wanted] * 8)
        finally:
            busy.set()
            for thread in threads:
                thread.join()

    def test_threads_share_an_iterator(self):
        """Each record goes to one of them."""
        chains = [{'question': f'What is {i} + 1?', 'steps': [f'{i} + 1 = {i + 1}.']} for i in range(4000)]
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, 'chains.jsonl')
            with open(path, 'wb') as file:
                file.write(as_lines(chains))
            for shared in (rederive.read(path), rederive.check(chains), rederive.vote(chains)):
                taken, broken = [], []

                def take():
                    try:
                        for record in shared:
                            taken.append(record.get('question') or record['question_id'])
                    except Exception as error:
                        broken.append(error)

                threads = [threading.Thread(target=take) for _ in range(8)]
                for thread in threads:
                    thread.start()
                for thread in threads:
                    thread.join()
                self.assertEqual(broken, [])
                self.assertEqual(sorted(taken), sorted(chain['question'] for chain in chains))

    def test_results_of_the_parent_are_not_taken_in_a_child(self):
        results = rederive.check(CHAINS, accepted=True)
        context = multiprocessing.get_context('fork')
        receive, send = context.Pipe()

        def child():
            try:
                next(results)
            except rederive.Error as error:
                send.send(str(error))

        process = context.Process(target=child)
        process.start()
        self.assertIn('fork', receive.recv())
        process.join(30)
        self.assertEqual(process.exitcode, 0)
        self.assertEqual(len(list(results)), len(CHAINS))

    def test_a_model_is_asked_in_a_child(self):
        with multiprocessing.get_context('fork').Pool(2) as pool:
            made = pool.map(checked, range(2))
        self.assertEqual(made[0], made[1])
        self.assertEqual(made[0], checked())


def checked(_=None):
    return list(rederive.check(CHAINS, 'global', 'builtin').lines())


class Pickles(unittest.TestCase):
    def test_grades_and_errors(self):
        grade = rederive.grade('1', '2')
        self.assertEqual(pickle.loads(pickle.dumps(grade)), grade)
        error = pickle.loads(pickle.dumps(rederive.Error('x', path='a', line=3, code='io')))
        self.assertEqual((str(error), error.path, error.line, error.code), ('a:3: x', 'a', 3, 'io'))
