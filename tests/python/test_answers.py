# SPDX-License-Identifier: Apache-2.0
"""grade, grade_text and grade_many."""
import enum
import itertools
import unittest
from decimal import Decimal
from fractions import Fraction

import rederive
from program import program

PAIRS = [('1/2', '0.5'), ('5 cm', '5 m'), (r'\frac{1}{2}', '0.50'), ('x = 3', 3), ('7', ['6', '7.0']),
         ('', '3'), ('100 cm', '1 m'), ('\U0001f600', 'é'), ('[1,2)', r'[1, 2]'), (0.5, '50%')]


class Grading(unittest.TestCase):
    def test_the_program_finds_the_same(self):
        records = [{'answer': answer, 'gold': gold} for answer, gold in PAIRS]
        import json
        for (answer, gold), line in zip(PAIRS, program('grade', '-q', records=records), strict=True):
            record, grade = json.loads(line), rederive.grade(answer, gold)
            self.assertEqual((grade.correct, grade.why, grade.answer_as, grade.gold_as, grade.reason),
                             (record['correct'], record['why'], record.get('answer_as'), record.get('gold_as'),
                              record.get('reason')), (answer, gold))

    def test_options(self):
        self.assertEqual(rederive.grade('3.14', r'\pi').outcome, 'cannot-tell')
        self.assertTrue(rederive.grade('3.14', '3.1415', tolerance=0.01))
        self.assertEqual(rederive.grade('1/3', '0.33', decimals_as_shown=True).why, 'shown')
        self.assertTrue(rederive.grade('x > 3', r'(3, \infty)', relations_as_sets=True))
        self.assertTrue(rederive.grade('red', 'B', kind='option', options=['blue', 'red']))
        self.assertFalse(rederive.grade('blue', 'B', options=['blue', 'red']))

    def test_only_the_same_is_true(self):
        unread = rederive.grade('f(x) = g(y) \\foo', 'h(z) \\bar')
        self.assertFalse(unread)
        self.assertIs(rederive.grade('2', '3').correct, False)
        self.assertIsNone(rederive.Grade('cannot-tell', 'limit', None, 'a', 'b', None, None).correct)
        self.assertFalse(rederive.Grade('cannot-tell', 'limit', None, 'a', 'b', None, None))
        self.assertFalse(rederive.grade(None, '3'))

    def test_arguments_that_cannot_be_used(self):
        for call in (lambda: rederive.grade('1', '1', kind='numbr'), lambda: rederive.grade('1', '1', tolerance='x'),
                     lambda: rederive.grade(True, '1'), lambda: rederive.grade('1', []),
                     lambda: rederive.grade([1], '1'), lambda: rederive.grade_many([], threads=0)):
            with self.assertRaises(rederive.ArgumentError) as caught:
                call()
            self.assertEqual(caught.exception.code, 'argument')
            self.assertIsInstance(caught.exception, ValueError)

    def test_numbers_of_every_type(self):
        class Number(float):  # as numpy's float64, whose repr() is np.float64(0.5)
            def __repr__(self):
                return f'Number({float(self)})'

        class Three(enum.IntEnum):
            THREE = 3

        half = (Number(0.5), Fraction(1, 2), Decimal('0.5'), 0.5)
        for answer, gold in [*itertools.product(half, half), (Three.THREE, '3'), ('3', [Three.THREE])]:
            self.assertTrue(rederive.grade(answer, gold), (answer, gold))
        self.assertTrue(rederive.grade('1', '1.01', tolerance=Number(0.1)))

    def test_what_is_missing_is_the_same_as_nothing(self):
        nan = float('nan')
        for answer, gold in (('50', b'2'), ('50', {'50': 1}), ('1', 10**5000), ('1', 1j), ('1', [None])):
            with self.assertRaises(rederive.ArgumentError):
                rederive.grade(answer, gold)
        for answer, gold, outcome in ((nan, nan, 'cannot-tell'), ('nan', nan, 'cannot-tell'), ('1', None, 'cannot-tell'),
                                      (None, None, 'cannot-tell'), (nan, '1', 'different'), (None, '1', 'different')):
            for one in (rederive.grade(answer, gold), rederive.grade(answer, gold, kind='number'), rederive.grade_text(answer, gold)):
                self.assertEqual((one.outcome, bool(one)), (outcome, False), (answer, gold))
        with self.assertRaises(rederive.ArgumentError):
            rederive.grade('A', 'A', options='xyz')

    def test_gold_that_cannot_be_read(self):
        with self.assertRaises(rederive.Error) as caught:
            rederive.grade('1', '')
        self.assertEqual(caught.exception.code, 'input')

    def test_any_text_is_taken(self):
        for text in ('\ud800', 'a\0b', '\\' * 10000, '(' * 100000, '9' * 20000):
            self.assertIn(rederive.grade_text(text, '1').outcome, ('different', 'cannot-tell'))


class Many(unittest.TestCase):
    def test_order_and_errors_are_kept(self):
        pairs = [(str(i), '' if i % 7 == 0 else str(i - i % 2)) for i in range(3000)]
        for threads in (1, 4):
            grades = list(rederive.grade_many(pairs, threads=threads))
            self.assertEqual(len(grades), len(pairs))
            for i, grade in enumerate(grades):
                if i % 7 == 0:
                    self.assertIsInstance(grade, rederive.Error)
                else:
                    self.assertEqual(grade.outcome, 'same' if i % 2 == 0 else 'different')

    def test_a_gap_is_an_error_of_its_row(self):
        nan = float('nan')
        for text in (False, True):
            made = list(rederive.grade_many([('1', '1'), ('2', None), (nan, '2'), (None, nan), ('', '2'), (Decimal('NaN'), '3')], text=text))
            self.assertEqual([getattr(one, 'outcome', None) for one in made], ['same', None, None, None, 'different', None])
            self.assertEqual([str(one) for one in made if isinstance(one, rederive.Error)],
                             ['the pair has no gold answer', *['the pair has no answer'] * 3])

    def test_an_endless_source_is_taken_as_needed(self):
        taken = []

        def pairs():
            for i in itertools.count():
                taken.append(i)
                yield str(i), str(i)

        graded = rederive.grade_many(pairs(), threads=2)
        self.assertEqual(len([g for g, _ in zip(graded, range(1000), strict=False)]), 1000)
        graded.close()
        self.assertLess(len(taken), 5000)
