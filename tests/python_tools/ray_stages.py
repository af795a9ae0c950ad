# SPDX-License-Identifier: Apache-2.0
"""The stages of Ray Data, on a Ray of several workers: the program's own records, no lost row, what is asked
when workers are killed in the middle, and one budget."""
import collections
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest
import unittest.mock

os.environ.update(RAY_USAGE_STATS_ENABLED='0', RAY_DATA_DISABLE_PROGRESS_BARS='1',
                  RAY_raylet_start_wait_time_s='240', RAY_agent_register_timeout_ms='240000')  # under load

import psutil
import ray

import rederive.ray
from rederive import ArgumentError
from rederive.rewards import Reward, compute_score
from scripted import Server
from support import PROGRAM, Case

METHOD = 'direct-step'  # a call for each step
CHAINS = [{'id': f'c{i}', 'question_id': f'q{i // 2}', 'question': f'What is {i // 2} + 1?',
           'steps': [f'{i // 2} + 1 = {i // 2 + 1 + i % 2}.', f'The answer is {i // 2 + 1 + i % 2}.']}
          for i in range(24)]
LINES = [json.dumps(chain, separators=(',', ':')) for chain in CHAINS]
REPLIES = [{'reply': 'Yes', 'delay': 0.15}]


def starts():
    """Whether Ray itself starts and runs something, of which nothing is ours: else its reason."""
    global folder
    folder = tempfile.TemporaryDirectory(prefix='rdv-ray', dir='/tmp')  # its sockets need a short path
    try:
        ray.init(num_cpus=3, include_dashboard=False, logging_level='ERROR', log_to_driver=False,
                 _temp_dir=folder.name)
    except Exception as error:  # it raises that very class, too
        tearDownModule()
        return error
    try:
        ray.get(ray.remote(lambda: None).remote(), timeout=240)
        return None
    except ray.exceptions.RayError as error:
        tearDownModule()
        return error


def setUpModule():
    for _ in range(2):
        why = starts()
        if why is None:
            return
    raise unittest.SkipTest(f'Ray does not start here: {why}')


def tearDownModule():
    ray.shutdown()
    folder.cleanup()


def program(verb, lines, *options):
    done = subprocess.run([PROGRAM, verb, '-q', *options], input='\n'.join(lines) + '\n', capture_output=True,
                          encoding='utf-8', check=False)
    return sorted(done.stdout.splitlines())


def records(rows):
    return sorted(row['record'] for row in rows)


def texts():
    return ray.data.from_items([{'text': line} for line in LINES]).repartition(6)


def works(process):
    try:
        return any('MapWorker' in word for word in process.cmdline()[:1])
    except psutil.Error:  # it has just ended
        return False


def drawn(requests):
    """How often each request was sent."""
    return collections.Counter(json.dumps(line['body'], sort_keys=True) for line in requests)


class Computing(Case):
    def test_check_and_vote_give_the_program_s_records(self):
        checked = rederive.ray.check(texts(), column='text', batch_size=5).materialize()
        expected = program('check', LINES)
        self.assertEqual(records(checked.take_all()), expected)
        voted = rederive.ray.vote(checked, weight='confidence', partitions=20).take_all()
        self.assertEqual(records(voted), program('vote', expected, '-w', 'confidence'))

    def test_every_row_comes_back_with_its_columns(self):
        rows = [{'n': 0, 'answer': '1/2', 'gold': '0.5'}, {'n': 1, 'answer': '7', 'gold': '8'},
                {'n': 2, 'answer': '7', 'gold': None}, {'n': 3, 'answer': None, 'gold': '8'}]
        graded = {row['n']: row for row in rederive.ray.grade(ray.data.from_items(rows * 3)).take_all()}
        self.assertEqual([json.loads(graded[n]['record'])['correct'] for n in (0, 1)], [True, False])
        self.assertIsNone(graded[2]['record'])
        self.assertIn('no known form of record', graded[2]['error'])
        self.assertEqual(graded[0]['answer'], '1/2')
        self.assertRegex(graded[0]['id'], 'sha256:[0-9a-f]{24}$')
        bad = ray.data.from_items([{'text': LINES[0]}, {'text': '{"question":'}, {'text': None}, {'text': '[]'}])
        got = rederive.ray.check(bad, column='text').take_all()
        self.assertEqual([row['error'] is None for row in got], [True, False, False, False])
        # What failed in a stage is not asked for in the next, and keeps its error.
        again = rederive.ray.check(rederive.ray.check(bad, column='text')).take_all()
        self.assertEqual([row['error'] for row in again], [row['error'] for row in got])

    def test_a_row_of_several_chains_beside_rows_of_none(self):
        """Each row has its own records, also where there are as many of them as rows."""
        several = json.dumps({'id': 'm', 'question': 'What is 1 + 1?', 'choices': [
            {'message': {'content': text}} for text in ('1 + 1 = 2.', '1 + 1 = 3.')]})
        texts = [several, ' ', LINES[0], '3', '<html>', '[' * 100000, '[]', 'Step 1: 1 + 1 = 2.']
        rows = [{'n': n, 'text': text} for n, text in enumerate(texts)]
        got = rederive.ray.check(ray.data.from_items(rows).repartition(1), column='text').take_all()
        found = sorted((row['n'], json.loads(row['record'])['id']) for row in got if row['record'])
        self.assertEqual(found, [(0, 'm/0'), (0, 'm/1'), (2, 'c0')])
        failed = {row['n']: row['error'] for row in got if row['error']}
        self.assertEqual(sorted(failed), [1, 3, 4, 5, 6, 7])
        for error in failed.values():
            self.assertRegex(error, '^a record must be a JSON object')  # without a place in the batch

    def test_rewards_in_workers(self):
        pairs = [(f'The answer is {i}/2.', str(i / 2 + i % 2)) for i in range(40)]
        reward = Reward(wrong=-1.0)

        def score(part):
            texts, golds = zip(*part)
            return [compute_score('maths', text, gold) for text, gold in part], reward(completions=texts, gold=golds)

        made = ray.get([ray.remote(score).remote(pairs[i:i + 10]) for i in range(0, 40, 10)], timeout=240)
        self.assertEqual([one for scores, _ in made for one in scores], [1.0, 0.0] * 20)
        self.assertEqual([one for _, scores in made for one in scores], [1.0, -1.0] * 20)

    def test_what_cannot_be_used_is_told_before_anything_runs(self):
        for call, words in ((lambda: rederive.ray.check(texts(), 'nonsense'), 'nonsense'),
                            (lambda: rederive.ray.check(texts(), rpm=3), 'no model is asked'),
                            (lambda: rederive.ray.check(texts(), 'selfcheck', 'builtin'), 'journals'),
                            (lambda: rederive.ray.check(texts(), 'selfcheck', 'builtin', journals='j',
                                                        max_calls=3), 'Budget'),
                            (lambda: rederive.ray.check(texts(), 'selfcheck', 'builtin', journals='j', rpm=1,
                                                        concurrency=2), 'rpm')):
            with self.assertRaisesRegex(ArgumentError, words):
                call()


class Dying(rederive.ray._Stage):
    """A worker that ends in the middle of a batch, as often as there are files in `deaths` to take away."""

    deaths = ''

    def __call__(self, table):
        for name in sorted(os.listdir(self.deaths)):
            try:
                os.unlink(os.path.join(self.deaths, name))
            except FileNotFoundError:  # another worker was first
                continue
            how, me = name.split('-')[0], ray.get_runtime_context().current_actor
            ends = {'exit': lambda: os._exit(1), 'kill': lambda: ray.kill(me, no_restart=False),
                    'killforgood': lambda: ray.kill(me)}
            threading.Timer(0.2, ends[how]).start()
            break
        return super().__call__(table)


class Asking(Case):
    def alone(self):
        """The records of one machine, and what it asked."""
        with Server(rules=REPLIES) as server:
            lines = program('check', LINES, '-m', METHOD, '-M', server.url)
            return lines, drawn(server.requests())

    def staged(self, server, **more):
        return rederive.ray.check(texts(), METHOD, server.url, column='text', concurrency=2, batch_size=4, jobs=2,
                                  journals=self.path('journals'), num_cpus=0.5, no_structured=True, **more)

    def journals(self):
        return [os.path.join(self.path('journals'), name) for name in os.listdir(self.path('journals'))
                if name.endswith('.journal')]

    def test_workers_are_killed_in_the_middle(self):
        expected, asked = self.alone()
        with Server(rules=REPLIES) as server:
            ended = threading.Event()
            killed = []

            def kill():
                while not ended.is_set() and len(killed) < 2:
                    workers = [p for p in psutil.Process().children(recursive=True)
                               if p.pid not in killed and works(p)]
                    if workers and len(server.requests()) > 10 * (len(killed) + 1):
                        killed.append(workers[0].pid)
                        os.kill(workers[0].pid, signal.SIGKILL)
                    time.sleep(0.1)

            killer = threading.Thread(target=kill)
            killer.start()
            try:
                rows = self.staged(server).take_all()
            finally:
                ended.set()
                killer.join()
            sent = drawn(server.requests())
        self.assertEqual(len(killed), 2)
        self.assertEqual(records(rows), expected)
        self.assertEqual([row['error'] for row in rows], [None] * len(CHAINS))
        # Two calls of each killed worker were in flight: they alone may be asked twice.
        self.assertEqual(set(sent), set(asked))
        self.assertLessEqual(sum(sent.values()) - sum(asked.values()), 2 * len(killed))
        # A later run with the same journals asks for nothing, from one journal too.
        with Server(rules=REPLIES) as server:
            self.assertEqual(records(self.staged(server).take_all()), expected)
            self.assertEqual(server.requests(), [])

    def dies(self, how):
        """The rows of a run in which two workers end in the middle, and what it asked."""
        os.mkdir(self.path('deaths'))
        for i in range(2):
            self.write(f'deaths/{how}-{i}', '')
        ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
        dying = type('Dying', (Dying,), {'deaths': self.path('deaths')})
        with unittest.mock.patch.object(rederive.ray, '_Stage', dying), Server(rules=REPLIES) as server:
            rows = self.staged(server).take_all()
            self.assertEqual(os.listdir(self.path('deaths')), [])
            return rows, drawn(server.requests())

    def test_workers_that_end_by_themselves_or_by_ray(self):
        """os._exit and ray.kill: nothing is lost, and only what was in flight is asked twice."""
        expected, asked = self.alone()
        for how in ('exit', 'kill'):
            with self.subTest(how):
                rows, sent = self.dies(how)
                self.assertEqual(records(rows), expected)
                self.assertEqual([row['error'] for row in rows], [None] * len(CHAINS))
                self.assertEqual(set(sent), set(asked))
                self.assertLessEqual(sum(sent.values()) - sum(asked.values()), 2 * 2)
                shutil.rmtree(self.path('deaths'))
                shutil.rmtree(self.path('journals'))

    def test_one_budget_over_all_workers(self):
        expected, asked = self.alone()
        most = sum(asked.values()) // 2
        with Server(rules=REPLIES) as server:
            budget = rederive.ray.Budget(max_calls=most)
            rows = self.staged(server, budget=budget).take_all()
            self.assertLessEqual(len(server.requests()), most)
            self.assertGreater(len(server.requests()), most - 3)
            self.assertEqual(budget.used()['n_calls'], len(server.requests()))
            self.assertEqual(len(rows), len(CHAINS))
            self.assertIn('over budget', {row['error'] for row in rows})
            # With more, it goes on: nothing is asked twice.
            rest = rederive.ray.Budget(max_calls=10 * most)
            self.assertEqual(records(self.staged(server, budget=rest).take_all()), expected)
            self.assertEqual(drawn(server.requests()), asked)


if __name__ == '__main__':
    unittest.main()
