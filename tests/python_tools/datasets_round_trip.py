# SPDX-License-Identifier: Apache-2.0
"""TRL's stepwise supervision format: written by rederive.convert, loaded, stored and read again as users do."""
import json
import os
import unittest

os.environ.update(HF_HUB_OFFLINE='1', HF_DATASETS_OFFLINE='1', HF_DATASETS_DISABLE_PROGRESS_BARS='1')

import datasets
import pandas

import rederive
from support import Case

CHAINS = [{'id': 'a', 'question': 'What is 3 + 4 + 1?', 'steps': ['3 + 4 = 7.', '7 + 1 = 9.', 'The answer is 9.']},
          {'id': 'b', 'question': 'What is 2 + 2?', 'steps': ['2 + 2 = 4.', '4 * 1 = 4.']},
          {'id': 'c', 'question': 'Unicode \U0001f600?\u2028', 'steps': ['1 + 1 = 3.']}]
WANTED = [[True, False], [True, True], [False]]  # up to the first step of which nothing is known; by hand


class RoundTrip(Case):
    def written(self):
        return self.write('train.jsonl', rederive.convert(rederive.check(CHAINS), 'trl'))

    def test_datasets_and_back(self):
        rows = datasets.load_dataset('json', data_files=self.written(), split='train', cache_dir=self.path('cache'))
        self.assertEqual(rows['labels'][:], WANTED)
        rows.to_json(self.path('again.jsonl'))
        rows.to_parquet(self.path('train.parquet'))
        read = list(rederive.read(self.path('again.jsonl')))
        self.assertEqual([chain['question'] for chain in read], [chain['question'] for chain in CHAINS])
        again = rederive.convert(read, 'trl')
        self.assertEqual([json.loads(line)['labels'] for line in again.split('\n')[:-1]], rows['labels'][:])
        table = pandas.read_parquet(self.path('train.parquet'))
        self.assertEqual([list(labels) for labels in table['labels']], rows['labels'][:])
        self.assertEqual(list(table['prompt']), [chain['question'] for chain in CHAINS])

    def test_from_rows_of_a_dataset(self):
        rows = datasets.Dataset.from_list([{**chain, 'gold': None} for chain in CHAINS])
        checked = list(rederive.check([{k: v for k, v in row.items() if v is not None} for row in rows]))
        self.assertEqual([one['first_error'] for one in checked], [1, None, 0])


if __name__ == '__main__':
    unittest.main()
