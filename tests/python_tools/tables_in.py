# SPDX-License-Identifier: Apache-2.0
"""Tables of pandas, polars and Arrow, Parquet files and data sets as what is checked; `Dataset.map`."""
import os
import unittest

os.environ.update(HF_HUB_OFFLINE='1', HF_DATASETS_OFFLINE='1', HF_DATASETS_DISABLE_PROGRESS_BARS='1')

import datasets
import pandas
import pyarrow
import pyarrow.parquet

import rederive
from support import Case

try:
    import polars
except ModuleNotFoundError:
    polars = None

ROWS = [
    {'question': 'What is 6 × 7?', 'steps': ['6 × 7 = 48.'], 'gold': None},
    {'question': 'What is 6 × 7?', 'steps': ['6 × 7 = 42.', 'So 42.'], 'gold': 42.0},
    {'question': 'A gap?', 'steps': None, 'gold': float('nan')},
    {'question': None, 'steps': ['1 + 1 = 2.'], 'gold': None},
    {'question': 'And what?', 'steps': ['3 hours * 60 minutes = 180 hours.'], 'gold': None}]
FOUND = [0, None, 'error', 'error', 'unknown']
FEATURES = {'method': 'string', 'confidence': 'float64', 'first_error': 'int64', 'n_unknown': 'int64', 'verdicts': 'string',
            'explanation': 'string', 'error': 'string'}


def found(records):
    return ['error' if 'error' in one else one['first_error'] for one in records]


class Tables(Case):
    def tables(self):
        table = pyarrow.Table.from_pylist(ROWS)
        frame = pandas.DataFrame(ROWS)
        path = self.path('rows.parquet')
        pyarrow.parquet.write_table(table, path)
        yield 'pandas', frame
        yield 'pandas of arrow', table.to_pandas(types_mapper=pandas.ArrowDtype)
        yield 'pyarrow', table
        yield 'record batches', table.to_batches(max_chunksize=2)[0]
        yield 'reader', pyarrow.RecordBatchReader.from_stream(table)
        yield 'parquet', path
        os.rename(path, self.path('rows.data'))
        yield 'parquet by its content', self.path('rows.data')
        yield 'dataset', datasets.Dataset(table)
        yield 'iterable dataset', datasets.Dataset(table).to_iterable_dataset()
        if polars:
            yield 'polars', polars.from_arrow(table)
            yield 'lazy polars', polars.from_arrow(table).lazy()

    def test_each_row_is_a_record(self):
        wanted = found(rederive.check([{k: v for k, v in row.items() if v is not None and v == v} for row in ROWS], errors='keep'))
        self.assertEqual(wanted, [*FOUND[:3], None, *FOUND[4:]])  # steps without a question are checked by themselves
        for name, table in self.tables():  # where the column has a gap, the question was lost
            some = FOUND[:2] if name == 'record batches' else FOUND
            self.assertEqual(found(rederive.check(table, errors='keep')), some, name)
        for name, table in self.tables():
            if name == 'record batches':
                continue
            with self.assertRaisesRegex(rederive.Error, '^input:3: a question without steps', msg=name):
                list(rederive.check(table))

    def test_other_functions_take_them(self):
        frame = pandas.DataFrame(ROWS[:2])
        self.assertEqual(rederive.evaluate(frame)['n_chains'], 2)
        self.assertEqual([one['answer'] for one in rederive.vote(frame)], ['48'])
        self.assertEqual(len(rederive.convert(frame, 'jsonl').splitlines()), 2)
        with rederive.Session('builtin') as session:
            self.assertEqual(len(list(session.check(frame, 'global'))), 2)
        self.assertEqual(len(list(rederive.Plan.check(frame, 'global', model='m').ready())), 2)

    def test_a_label_that_is_missing_says_nothing(self):
        """null says "no mistake" in a record, and nothing in a column with gaps."""
        frame = pandas.DataFrame([{**ROWS[1], 'label': 0.0}, {**ROWS[1], 'label': None}])
        self.assertNotIn('label', list(rederive.check(frame))[1])

    def test_a_column_with_gaps_is_graded(self):
        frame = pandas.DataFrame({'answer': ['1', None, float('nan'), pandas.NA, '3'], 'gold': ['1', '2', None, '3', pandas.NA]})
        made = frame.apply(lambda row: rederive.grade(row.answer, row.gold).outcome, axis=1)
        self.assertEqual(made.tolist(), ['same', 'different', 'cannot-tell', 'different', 'cannot-tell'])
        self.assertEqual([isinstance(one, rederive.Error) for one in rederive.grade_many(zip(frame.answer, frame.gold))],
                         [False, True, True, True, True])


class Map(unittest.TestCase):
    """`Dataset.map(rederive.check)`: the same columns and types in every row, whichever come first."""

    def mapped(self, rows, batched, size, **more):
        given = datasets.Dataset(pyarrow.Table.from_pylist(rows, schema=pyarrow.schema(
            {'question': pyarrow.string(), 'steps': pyarrow.list_(pyarrow.string()), 'gold': pyarrow.float64()})))
        return given.map(rederive.check, load_from_cache_file=False, writer_batch_size=size,
                         **({'batched': True, 'batch_size': size} if batched else {}), **more)

    def test_columns_and_types(self):
        for rows in (ROWS, ROWS[::-1], ROWS[2:3] * 3 + ROWS, ROWS[1:2] * 3 + ROWS):
            for batched in (False, True):
                for size in (1, 2, 1000):
                    made = self.mapped(rows, batched, size)
                    types = {name: made.features[name].dtype for name in FEATURES}
                    self.assertEqual(types, FEATURES, (batched, size))
                    self.assertEqual(len(made), len(rows))
                    for row, one in zip(rows, made):
                        self.assertNotIn(None, [one[name] for name in FEATURES])
                        failed = row['question'] is None or row['steps'] is None
                        self.assertEqual((one['error'] != '', one['first_error'] == -2), (failed, failed or row is ROWS[4]), one)
                        if row is ROWS[0]:
                            self.assertEqual((one['first_error'], one['verdicts']), (0, 'contradict'))
                        if row is ROWS[1]:
                            self.assertEqual((one['first_error'], one['verdicts'][:7]), (-1, 'support'))

    def test_options_processes_and_removed_columns(self):
        made = self.mapped(ROWS, False, 1000, fn_kwargs={'method': 'calculations,values'}, num_proc=2)
        self.assertEqual(made['method'][:2], ['values', 'values'])
        made = self.mapped(ROWS, True, 2, remove_columns=['gold', 'steps'])
        self.assertEqual(set(made.column_names), {'question', *FEATURES})

    def test_a_row_of_several_chains(self):
        rows = [{'question': 'What is 6 × 7?', 'generations': ['6 × 7 = 48.', '6 × 7 = 42.']}]
        [one] = datasets.Dataset.from_list(rows).map(rederive.check, load_from_cache_file=False)
        self.assertIn('2 chains in a row', one['error'])
        self.assertEqual(one['first_error'], -2)


if __name__ == '__main__':
    unittest.main()
