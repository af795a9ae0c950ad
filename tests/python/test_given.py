# SPDX-License-Identifier: Apache-2.0
"""What functions take beside dicts and lists, and what results say of themselves."""
import asyncio
import json
import types
import unittest
from collections import ChainMap, UserDict
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

import rederive

WRONG = {'question': 'What is 6 × 7?', 'steps': ['6 × 7 = 48.']}
RIGHT = {'question': 'What is 6 × 7?', 'steps': ['6 × 7 = 42.'], 'gold': '42', 'answer': '42'}


class Given(unittest.TestCase):
    def test_any_mapping(self):
        for mapping in (ChainMap({'gold': 1}, WRONG), types.MappingProxyType(WRONG), UserDict({**WRONG, 'task': UserDict(a=1)})):
            self.assertEqual(rederive.check(mapping)['first_error'], 0)
            self.assertEqual([one['first_error'] for one in rederive.check([mapping, RIGHT])], [0, None])
        self.assertEqual(next(rederive.vote(ChainMap({}, RIGHT)))['answer'], '42')

    def test_what_is_no_json_is_an_error_of_its_record(self):
        for odd in ({1, 2}, object(), 1j):
            records = [WRONG, {**WRONG, 'odd': odd}, RIGHT]
            for method in ('calculations', ['calculations', rederive.method(lambda chain: [None] * len(chain['steps']), 'own')]):
                made = list(rederive.check(records, method, errors='keep'))
                self.assertEqual([('error' in one) for one in made], [False, True, False], made)
                self.assertIn('not JSON', made[1]['error'])
            with self.assertRaisesRegex(rederive.ArgumentError, 'input:2: a record that is not JSON'):
                list(rederive.check(records))
            votes = rederive.vote(records, errors='keep')
            self.assertEqual([one['answer'] for one in votes], ['48'])
            self.assertRegex(' '.join(votes.messages), 'input:2:1: ')
            with self.assertRaisesRegex(rederive.ArgumentError, 'input:2: a record that is not JSON'):
                list(rederive.vote(records))
        self.assertEqual(rederive.check({**WRONG, 'made': date(2026, 11, 28)})['made'], '2026-11-28')
        with self.assertRaisesRegex(rederive.ArgumentError, 'a int is no record'):
            list(rederive.check([WRONG, 3], errors='keep'))

    def test_the_path_of_a_file(self):
        with TemporaryDirectory() as folder:
            path = Path(folder, 'run.jsonl')
            path.write_text(json.dumps(WRONG) + '\n' + json.dumps(RIGHT) + '\n', encoding='utf-8')
            for given in (path, str(path)):
                self.assertEqual([one['first_error'] for one in rederive.check(given)], [0, None])
                self.assertEqual(rederive.evaluate(given)['n_chains'], 2)
            with self.assertRaisesRegex(rederive.Error, 'none.parquet|No such file'):
                list(rederive.check(folder + '/none.jsonl'))


class Said(unittest.TestCase):
    def test_results_say_what_they_are(self):
        checked = rederive.check([WRONG, RIGHT])
        self.assertIn('0 taken', repr(checked))
        next(checked)
        self.assertIn('1 taken', checked._repr_html_())
        voted = rederive.vote([RIGHT])
        self.assertRegex(repr(voted), r'^<rederive.Results of vote: .* more to come')
        list(voted)
        self.assertEqual(repr(voted), '<rederive.Results of vote: ended>')

    def test_an_evaluation_shows_its_figures(self):
        made = rederive.evaluate([rederive.check(RIGHT)])
        self.assertIn('figures.accuracy.chain: 1 [0.2065, 1], n = 1', repr(made))
        self.assertIn('<td>figures.accuracy.chain</td>', made._repr_html_())
        self.assertEqual(json.loads(json.dumps(made)), made)

    def test_a_session(self):
        with rederive.Session('builtin', max_calls=10) as session:
            run = session.check([WRONG], 'global')
            self.assertRegex(repr(session), 'a run under way>$')
            list(run)
            self.assertRegex(repr(session), r'^<rederive.Session of builtin:\S+: 1 calls, 0 from the journal>$')
            self.assertIn('<td>calls</td><td>1</td>', session._repr_html_())

    def test_a_session_in_asyncio(self):
        async def asked():
            async with rederive.Session('builtin') as session:
                run = session.check([WRONG] * 3, 'global')
                async for record in run:
                    return record, run
        record, run = asyncio.run(asked())
        self.assertEqual(record['method'], 'global')
        self.assertTrue(run.over, 'it was closed')


if __name__ == '__main__':
    unittest.main()
