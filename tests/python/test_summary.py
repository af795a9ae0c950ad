# SPDX-License-Identifier: Apache-2.0
"""The summary of a command that asks, as a message to the program that runs it: stages of Ray read usage from it."""
import json
import unittest

from rederive import _run
from rederive.commands import Results
from rederive.verbs import model_named

CHAIN = {'id': 'a', 'question': 'What is 2 + 2?', 'steps': ['2 + 2 = 4.', 'The answer is 4.']}


class Summary(unittest.TestCase):
    def test_it_is_a_message(self):
        for verb, options, members in (('check', ['--method=selfcheck', '--max-calls=2'], {'n_calls', 'n_cached', 'prompt_tokens'}),
                                       ('solve', ['--chains=1'], {'n_calls', 'n_questions'}),
                                       ('repair', ['--locator=calculations'], {'n_calls', 'n_rounds'})):
            with self.subTest(verb):
                results = Results(_run, verb, ['--json', f'--model={model_named("builtin")}', *options], [CHAIN], 'keep')
                list(results.lines())
                [said] = [json.loads(said) for said in results.messages if said.startswith('{')]
                self.assertLessEqual(members, said.keys())
                if verb == 'check':
                    self.assertEqual(said['n_calls'], 2)
                    self.assertTrue(any(one.startswith('the budget of ') for one in results.messages))


if __name__ == '__main__':
    unittest.main()
