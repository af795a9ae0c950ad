# SPDX-License-Identifier: Apache-2.0
"""Methods that are written in Python."""
import json
import math
import unittest

import golden_methods
import rederive
from program import CHAINS
from scripted import Server
from test_plans import post


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

    def test_a_chain_that_failed_keeps_its_id(self):
        given = [{'id': 'mine', 'question': 'Why?', 'answer': '4'}, CHAINS[1]]
        one, other = rederive.check(given, no_verdicts, errors='keep')
        self.assertEqual(one['id'], 'mine')
        self.assertIn('steps', one['error'])
        self.assertEqual((other['id'], other['method']), (CHAINS[1]['id'], 'no-verdicts'))
        # as a method of the program keeps it
        self.assertEqual(one, next(rederive.check(given, errors='keep')))


def mean_of(weights, scores):
    return sum(w * s for w, s in zip(weights, scores)) / sum(weights)


def of_chain(steps):
    """The geometric mean with the floor 0.01; what is not known counts as 1/2 beside what is."""
    known = [0.5 if s is None else max(s, 0.01) for s in steps]
    return math.exp(sum(map(math.log, known)) / len(known)) if any(s is not None for s in steps) else 0.5


class Verifiers(unittest.TestCase):
    CHAIN = {'id': 'p/0', 'question': 'Three boxes hold 4 pens each. How many pens?', 'gold': '12',
             'steps': ['There are 3 boxes of 4 pens.', '3 * 4 = 12.', 'So the answer is 12.']}

    def checked(self, given, *, weight=1, chain=None, **options):
        verifier = rederive.verifier(lambda chain: given, 'mine', weight=weight)
        return rederive.check(chain or self.CHAIN, 'general', math='native', verifiers=['math', verifier], **options)

    def test_scores_are_joined_by_weight(self):
        for scores in ([0.9, 0.2, 0.7], [0.9, None, 0.7], [1, 0, 1], [True, 0.5, 0.001]):
            for weight in (0, 0.5, 3):
                made = self.checked(scores, weight=weight)
                self.assertEqual(list(made['checks']), ['mine', 'math', 'general'])
                mine = of_chain([None if s is None else float(s) for s in scores])
                self.assertAlmostEqual(made['confidence'], mean_of([1, weight], [1, mine]))
                for verdict, score in zip(made['verdicts'], scores):
                    if score is None:
                        self.assertEqual((verdict['verdict'], verdict['score']), ('unknown', None))
                    else:
                        self.assertAlmostEqual(verdict['score'], mean_of([1, weight], [1, float(score)]))
                    self.assertEqual(verdict['evidence'], {'math': 1, 'recorded': {'mine': None if score is None else float(score)}})

    def test_what_it_contradicts_is_wrong(self):
        made = self.checked([True, {'verdict': 'contradict', 'explanation': 'twice said'}, True])
        self.assertEqual((made['first_error'], made['verdicts'][1]['explanation']), (1, 'mine: twice said'))

    def test_what_it_left_unknown_is_no_support(self):
        for given in ([None] * 3, None, True):  # a verdict on the whole chain says nothing of a step
            made = self.checked(given)
            self.assertEqual([v['verdict'] for v in made['verdicts']], ['unknown'] * 3)
            self.assertEqual(made['first_error'], 'unknown')
            self.assertAlmostEqual(made['confidence'], 0.75)  # like neither for nor against
        self.assertIn('whole chain', made['verdicts'][0]['explanation'])
        self.assertAlmostEqual(self.checked([None] * 3, unknown='contradict')['confidence'], mean_of([1, 1], [1, 0.01]))
        self.assertIsNone(self.checked([None] * 3, unknown='null')['confidence'])

    def test_several_and_alone(self):
        def quarter(chain):
            return [0.25] * 3

        made = rederive.check(self.CHAIN, 'general', verifiers=[quarter, rederive.method(lambda chain: [1, 1, 0.5], 'half')])
        self.assertEqual(list(made['checks']), ['quarter', 'half', 'general'])
        self.assertAlmostEqual(made['confidence'], mean_of([1, 1], [0.25, of_chain([1, 1, 0.5])]))

    def test_what_cannot_be_used(self):
        verifier = rederive.verifier(no_verdicts)
        for call in (lambda: rederive.check(self.CHAIN, verifiers=[verifier]),
                     lambda: rederive.check(self.CHAIN, 'general', verifiers=['none of them', verifier]),
                     lambda: rederive.check(self.CHAIN, 'general', verifiers=[verifier, verifier]),
                     lambda: rederive.solve([self.CHAIN], 'builtin', 'general', verifiers=[verifier]),
                     lambda: rederive.verifier(no_verdicts, 'math'),
                     lambda: rederive.verifier(no_verdicts, weight=-1),
                     lambda: rederive.verifier(no_verdicts, weight=math.inf),
                     lambda: rederive.verifier(no_verdicts, weight=True),
                     lambda: rederive.check(self.CHAIN, 'general', verifiers=[rederive.verifier(no_verdicts, weight=0)])):
            with self.assertRaises(rederive.ArgumentError):
                call()


class AroundAModel(unittest.TestCase):
    """Methods and verifiers in Python, where a model is asked: a plan and a session give what `check` gives."""

    def setUp(self):
        self.server = Server(rules=golden_methods.WORLDS['mixed'])
        self.server.__enter__()
        self.addCleanup(self.server.__exit__)

    def ways(self, method, **options):
        def chains():
            return iter(CHAINS)

        made = rederive.check(chains(), method, self.server.url, retries=0, **options)
        with rederive.Session(self.server.url, retries=0) as session:
            plan = rederive.Plan.check(chains(), method, model=self.server.url, **options)
            planned = rederive.drive_batches(plan, lambda requests: [post(self.server.base, r) for r in requests])
            return list(made.lines()), list(session.check(chains(), method, **options).lines()), list(planned.lines())

    def test_before_and_after(self):
        def even(chain):
            return [len(step) % 2 == 0 for step in chain['steps']]

        def odd(chain):
            return [len(step) % 2 == 1 for step in chain['steps']]

        for method in ([even, 'global'], ['global', odd], [even, 'calculations', 'global', odd]):
            made, by_session, by_plan = self.ways(method, lambda_=(2, 0.5))
            self.assertEqual(len(made), len(CHAINS))
            self.assertEqual(by_session, made)
            self.assertEqual(by_plan, made)

    def test_verifiers(self):
        verifier = rederive.verifier(lambda chain: [0.25] * len(chain['steps']), 'quarter', weight=2)
        made, by_session, by_plan = self.ways('general', verifiers=['relevance', verifier])
        self.assertEqual(list(json.loads(made[0])['checks']), ['quarter', 'relevance', 'general'])
        self.assertEqual(by_session, made)
        self.assertEqual(by_plan, made)

    def test_finished_records_have_what_comes_after(self):
        plan = rederive.Plan.check(CHAINS, ['global', no_verdicts], model='mine')
        while requests := plan.ready():
            for request in requests:
                plan.reply(request.id, 'All is right. Right')
        self.assertEqual([list(record['checks'])[-1] for record in plan.finished()], ['no-verdicts'] * len(CHAINS))

    def test_what_a_run_cannot_do(self):
        for method in (no_verdicts, ['global', no_verdicts, 'selfcheck']):
            with rederive.Session(self.server.url) as session:
                for call in (lambda: session.check(CHAINS, method), lambda: rederive.Plan.check(CHAINS, method, model='m')):
                    with self.assertRaisesRegex(rederive.ArgumentError, 'rederive.check'):
                        call()
