# SPDX-License-Identifier: Apache-2.0
"""rederive.rewards as trainers call it: in threads, forked and spawned processes, on anything."""
import doctest
import inspect
import logging
import multiprocessing
import os
import pickle
import threading
import unittest
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path

from rederive import ArgumentError, grade_text
from rederive.rewards import Reward, accuracy_reward, compute_score, compute_scores

PAIRS = [(f'2 times {i} is {2 * i}. The answer is {2 * i + (i % 3 == 0)}.', str(2 * i)) for i in range(60)]
EXPECTED = [float(i % 3 != 0) for i in range(60)]


def rewards(_=None):
    """Called in other processes, which find it by its name."""
    return accuracy_reward(completions=[text for text, _ in PAIRS], solution=[gold for _, gold in PAIRS])


def scores(_=None):
    return [compute_score('maths', text, gold) for text, gold in PAIRS]


def chat(text):
    return [{'role': 'assistant', 'content': text}]


class Called(unittest.TestCase):
    def test_as_trl_calls_it(self):
        # trl 1.16.0, GRPOTrainer._calculate_rewards: tests/tools/trainers.py compares with its source.
        logged = {}
        got = accuracy_reward(
            prompts=['1/2?'] * 3, completions=['It is 0.5.', 'It is 0.6.', 'I do not know.'],
            completion_ids=[[1], [2], [3]], answer=[r'\frac12'] * 3, trainer_state=object(),
            log_extra=lambda column, values: None, log_metric=logged.__setitem__)
        self.assertEqual(got, [1.0, 0.0, 0.0])
        self.assertEqual(logged, {'rederive/undecided': 0.0})
        self.assertEqual(accuracy_reward.__name__, 'accuracy_reward')
        self.assertFalse(inspect.iscoroutinefunction(accuracy_reward.__call__))

    def test_messages(self):
        tool = [{'role': 'assistant', 'content': None, 'tool_calls': [{}]}, {'role': 'tool', 'content': '8'},
                {'role': 'assistant', 'content': [{'type': 'text', 'text': 'The answer '},
                                                  {'type': 'text', 'text': 'is 8.'}]}]
        got = Reward()(completions=[chat('The answer is 8.'), chat('The answer is 9.'), tool, tool[:2], []],
                       gold=[8] * 5)
        self.assertEqual(got, [1.0, 0.0, 1.0, 0.0, 0.0])

    def test_as_verl_calls_it(self):
        # verl 0.9.1, its reward managers naive and batch: tests/tools/trainers.py compares, too.
        self.assertEqual(compute_score(data_source='openai/gsm8k', solution_str='#### 36', ground_truth='36',
                                       extra_info={'num_turns': None, 'rollout_reward_scores': {}}), 1.0)
        self.assertEqual(compute_scores(data_sources=['a', 'a'], solution_strs=['#### 36', '#### 37'],
                                        ground_truths=['36', '36'], extra_infos=[{}, {}]), [1.0, 0.0])
        self.assertEqual(compute_score('a', 'The answer is 1.', r'\frac{1', details=True),
                         {'score': 0.0, 'acc': 0.0, 'undecided': 1.0, 'no_answer': 0.0})

    def test_gold_may_be_a_worked_solution_or_several(self):
        reward = Reward()
        self.assertEqual(reward(completions=['The answer is 42.'] * 3,
                                solution=[r'So $x=\boxed{42}$.', 'A lot.\n#### 42', ['41', '42']]), [1.0] * 3)

    def test_only_what_is_announced(self):
        texts = ['So it is 5.', 'The answer is 5.', '\\boxed{5}', "I don't know. It has 5 sides."]
        for require, right in (('last', [1.0, 1.0, 1.0, 0.0]), ('announced', [0.0, 1.0, 1.0, 0.0]), ('boxed', [0.0, 0.0, 1.0, 0.0])):
            reward = Reward(require=require)
            self.assertEqual(reward(completions=texts, gold=['5'] * 4), right)
            self.assertEqual(reward.counts()['no_answer'], 4 - sum(right))
        self.assertEqual(grade_text('The answer is 5.', '5').found, 'announced')
        with self.assertRaises(ArgumentError):
            Reward(require='boxes')

    def test_the_columns_of_gold(self):
        texts = ['The answer is 3.']
        self.assertEqual(Reward()(completions=texts, solution=['4'], answer=['3']), [1.0])
        self.assertEqual(Reward(gold='solution')(completions=texts, solution=['4'], answer=['3']), [0.0])
        with self.assertRaisesRegex(ArgumentError, 'no column key with gold answers among answer'):
            Reward(gold='key')(completions=texts, answer=['3'])
        with self.assertRaisesRegex(ArgumentError, 'Reward.gold='):
            Reward()(completions=texts, difficulty=[1])

    def test_a_setting_that_cannot_be_used_is_told_at_once(self):
        with self.assertRaises(ArgumentError):
            Reward(kind='nonsense')
        with self.assertRaises(TypeError):
            Reward(goald='solution')


class Undecided(unittest.TestCase):
    class Odd:
        def __getattr__(self, name):
            raise RuntimeError(f'asked for {name}')

    def test_nothing_in_a_row_raises_and_all_is_counted(self):
        reward = Reward(cannot_tell=-0.25)
        rows = [('The answer is 2.', '2'), ('The answer is 3.', '2'), ('', '2'), ('The answer is x.', r'\frac{1'),
                ('The answer is 2.', None), ('The answer is 2.', ''), ('The answer is 2.', []),
                ('The answer is 2.', {'a': 1}), ('The answer is 2.', float('nan')), ('The answer is 2.', [['2']]),
                (None, '2'), (7, '2'), (chat(None)[0], '2'), ([{'content': [None]}], '2'), (self.Odd(), '2'),
                ('The answer is 2.', self.Odd()), ('\ud800 The answer is 2.', '2'), ('(' * 100000, '2'),
                ('The answer is ' + '9' * 200000 + '.', '2')]
        with self.assertLogs('rederive', logging.WARNING) as logged:
            got = reward(completions=[row[0] for row in rows], gold=[row[1] for row in rows])
        counts = reward.counts()
        self.assertEqual(len(got), len(rows))
        self.assertEqual(sum(counts.values()), len(rows))
        self.assertEqual(got[:6], [1.0, 0.0, 0.0, -0.25, -0.25, -0.25])
        self.assertEqual(got[16], 1.0)
        self.assertEqual((counts['gold_unread'], counts['failed']), (7, 4))
        self.assertGreaterEqual(counts['cannot_tell'], 1)
        # Once for each way, however many rows.
        self.assertEqual(len(logged.records), len({r.args[0] for r in logged.records}))
        with self.assertNoLogs('rederive', logging.WARNING):
            reward(completions=['The answer is 2.'], gold=[None])
        self.assertEqual(reward.counts()['gold_unread'], 8)
        reward.reset()
        self.assertEqual(sum(reward.counts().values()), 0)

    def test_a_gold_answer_where_a_column_is_wanted(self):
        # The first letter of "42" is none of the gold answers.
        for gold in ('42', b'42', 42):
            with self.assertRaisesRegex(ArgumentError, 'in a list'):
                Reward()(completions=['The answer is 4.'], answer=gold)

    def test_a_column_that_is_too_short(self):
        reward = Reward()
        with self.assertLogs('rederive'):
            self.assertEqual(reward(completions=['The answer is 2.'] * 2, gold=['2']), [1.0, 0.0])
        self.assertEqual(reward.counts()['gold_unread'], 1)

    def test_trl_leaves_out_what_has_no_reward(self):
        with self.assertLogs('rederive'):
            self.assertEqual(Reward(cannot_tell=None)(completions=['The answer is 2.'], gold=[None]), [None])


class Elsewhere(unittest.TestCase):
    """A grader that bounds its time by a signal gives 0 to everybody outside of the main thread."""

    def test_in_threads(self):
        reward = Reward()
        texts, golds = [text for text, _ in PAIRS], [gold for _, gold in PAIRS]
        with ThreadPoolExecutor(8) as pool:
            for got in pool.map(lambda _: reward(completions=texts, gold=golds), range(40)):
                self.assertEqual(got, EXPECTED)
        self.assertEqual(reward.counts()['same'], 40 * sum(EXPECTED))
        self.assertEqual(reward.counts()['different'], 40 * (60 - sum(EXPECTED)))

    def in_processes(self, way):
        with ProcessPoolExecutor(3, mp_context=multiprocessing.get_context(way)) as pool:
            for got in [*pool.map(rewards, range(6)), *pool.map(scores, range(6))]:
                self.assertEqual(got, EXPECTED)

    def test_in_forked_processes(self):
        self.assertEqual(rewards(), EXPECTED)  # the parent has graded before it forks
        self.in_processes('fork')

    def test_in_spawned_processes(self):
        self.in_processes('spawn')

    def test_a_fork_while_a_thread_grades(self):
        reward, ended = Reward(), threading.Event()
        busy = [threading.Thread(target=self.grade_until, args=(reward, ended)) for _ in range(3)]
        for thread in busy:
            thread.start()
        try:
            for _ in range(30):
                child = os.fork()
                if child == 0:
                    right = reward(completions=['The answer is 2.'], gold=['2']) == [1.0]
                    os._exit(0 if right and reward.counts() else 1)
                self.assertEqual(os.waitpid(child, 0)[1], 0)
        finally:
            ended.set()
            for thread in busy:
                thread.join()

    @staticmethod
    def grade_until(reward, ended):
        while not ended.is_set():
            reward(completions=['The answer is 2.'], gold=['2'])

    def test_pickled(self):
        reward = pickle.loads(pickle.dumps(Reward(gold='key', right=2.0)))
        self.assertEqual(reward(completions=['The answer is 2.'], key=['2']), [2.0])


def load_tests(loader, tests, pattern):
    page = Path(__file__).parents[2] / 'docs/python-tools.md'
    tests.addTests(doctest.DocFileSuite(str(page), module_relative=False, encoding='utf-8'))
    return tests


if __name__ == '__main__':
    unittest.main()
