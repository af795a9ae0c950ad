# SPDX-License-Identifier: Apache-2.0
"""Methods that are written in Python."""
import math
import unittest

import rederive
from program import CHAINS


def no_verdicts(chain):
    return [None] * len(chain['steps'])


class Own(unittest.TestCase):
    def test_verdicts_of_every_kind(self):
        @rederive.method
        def of_every_kind(chain):
            return [True, False, None, 0.75, 0.5, 0.25, 'unrelated',
                    {'verdict': 'unknown', 'explanation': 'why', 'evidence': {'a': [1, 'b', None]}}]

        record = rederive.check({'question': '?', 'steps': list('abcdefgh')}, of_every_kind)
        self.assertEqual([v['verdict'] for v in record['verdicts']],
                         ['support', 'contradict', 'unknown', 'support', 'unrelated', 'contradict', 'unrelated', 'unknown'])
        self.assertEqual([v.get('score') for v in record['verdicts']], [1, 0, None, 0.75, 0.5, 0.25, None, None])
        self.assertEqual(record['verdicts'][7]['evidence'], {'a': [1, 'b', None]})
        self.assertEqual((record['method'], record['first_error'], record['n_unknown']), ('of-every-kind', 1, 2))

    def test_confidence_is_that_of_the_integration(self):
        # SelfCheck 3.2: 2 sigmoid(-l1 contradictions - l0 unrelated steps), with weights 1 and 0.3.
        made = rederive.check({'question': '?', 'steps': ['a', 'b', 'c']},
                              rederive.method(lambda chain: ['contradict', 'unrelated', 'support'], 'three'))
        self.assertAlmostEqual(made['confidence'], 2 / (1 + math.exp(1.3)))
        other = rederive.check({'question': '?', 'steps': ['a', 'b', 'c']},
                               rederive.method(lambda chain: ['contradict', 'unrelated', 'support'], 'three'),
                               lambda_=(2, 0.5))
        self.assertAlmostEqual(other['confidence'], 2 / (1 + math.exp(2.5)))

    def test_what_is_not_decided_is_no_support(self):
        made = rederive.check(CHAINS[0], no_verdicts)
        self.assertEqual([v['verdict'] for v in made['verdicts']], ['unknown'] * 2)
        self.assertNotEqual(made['confidence'], 1)
        self.assertEqual(made['first_error'], 'unknown')

    def test_one_verdict_of_the_whole_chain(self):
        made = rederive.check(CHAINS[0], rederive.method(lambda chain: False, 'whole'))
        self.assertIsNone(made['verdicts'][0]['step'])

    def test_beside_other_methods(self):
        [one, *_] = rederive.check(CHAINS, ['calculations', no_verdicts, 'perplexity'])
        self.assertEqual(list(one['checks']), ['calculations', 'no-verdicts', 'perplexity'])
        self.assertEqual(one['method'], 'perplexity')
        alone = rederive.check(CHAINS[0])
        self.assertEqual(one['checks']['calculations']['verdicts'], alone['verdicts'])
        [asked, *_] = rederive.check(CHAINS[:1], ['global', no_verdicts], 'builtin')
        self.assertEqual((list(asked['checks']), asked['method']), (['global', 'no-verdicts'], 'no-verdicts'))

    def test_numbers_of_numpy(self):
        class Array:
            def __init__(self, held):
                self.tolist = lambda: held

        for given in (Array([True, 0.25]), [Array(True), Array(0.25)], [True, {'verdict': 'contradict', 'score': Array(0.25)}]):
            made = rederive.check(CHAINS[0], rederive.method(lambda chain, given=given: given, 'mine'))
            self.assertEqual([(v['verdict'], v['score']) for v in made['verdicts']], [('support', 1), ('contradict', 0.25)])

    def test_a_function_that_changes_its_chain(self):
        def changes(chain):
            chain['steps'].clear()
            return [True, True]

        self.assertEqual(rederive.check(CHAINS[0], changes)['confidence'], 1)

    def test_verdicts_that_cannot_be_used(self):
        for given in ([True, {'verdict': 'support', 'score': 'high'}], [True, {'verdict': 'support', 'score': 7}],
                      [True, {'verdict': 'support', 'explanation': 5}], [True, {'verdict': 'support', 'score': float('nan')}],
                      ['support'], [2, 2], [True, 'maybe'], [True, {'verdict': 'x'}], [True, {'score': 1}],
                      [True, math.nan], [True, object()], [True, {'verdict': 'support', 'evidence': {'x': math.inf}}],
                      [True, True, True]):
            with self.assertRaises(rederive.Error, msg=given) as caught:
                rederive.check(CHAINS[0], rederive.method(lambda chain, given=given: given, 'mine'))
            self.assertIn(caught.exception.code, ('argument', 'input'))

    def test_what_the_function_raises_is_raised(self):
        def fails(chain):
            raise ZeroDivisionError

        with self.assertRaises(ZeroDivisionError):
            rederive.check(CHAINS[0], fails)

    def test_names(self):
        for name in ('calculations', 'a b', '', '9', 'a,b'):
            with self.assertRaises(rederive.ArgumentError):
                rederive.method(no_verdicts, name)
        with self.assertRaises(rederive.ArgumentError):
            rederive.check(CHAINS[0], no_verdicts, model='builtin')
        with self.assertRaises(rederive.ArgumentError):
            rederive.check(CHAINS[0], [])
