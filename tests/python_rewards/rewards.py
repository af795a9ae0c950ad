# SPDX-License-Identifier: Apache-2.0
"""Rewards in verifiers, a scanner in Inspect Scout and assertions in pytest, each run by the tool itself."""
import asyncio
import os
import subprocess
import sys
import unittest

os.environ.update(SCOUT_DISPLAY='none', INSPECT_DISPLAY='none')

import inspect_ai
import verifiers.v1 as vf
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate
from inspect_scout import scan, scan_results_df, transcripts_from
from verifiers.v1.trace import Trace

from rederive_llm.scout_scanner import wrong_steps
from support import Case

QUESTION = 'What is 6 × 7?'
# reply: the reward of the answer, of the steps, undecided; the value of the scanner
REPLIES = {'6 × 7 = 42. So the answer is 42.': (1, 1, 0, 0), 'It is 42.': (1, 0, 0, None), '6 × 7 = 48, so 48.': (0, 0, 0, 1),
           '6 × 7 = 42.\n\n42 + 1 = 44.\n\nThe answer is 44.': (0, 1 / 3, 0, 1), 'The answer is \\frac{1': (0, 0, 0, None)}


class Data(vf.TaskData):
    answer: str = ''


class Numbers(vf.Task[Data, vf.State, vf.TaskConfig]):
    pass


class Verifiers(unittest.TestCase):
    def scored(self, reply, gold='42'):
        functions = {name: f'rederive.verifiers_rewards:{name}' for name in ('answer_reward', 'step_reward', 'undecided')}
        config = vf.TaskConfig(rewards={'answer': vf.RewardFunctionConfig(fn=functions['answer_reward']),
                                        'steps': vf.RewardFunctionConfig(fn=functions['step_reward'], weight=0.2)},
                               metrics={'undecided': vf.DecoratedFunctionConfig(fn=functions['undecided'])})
        task = Numbers(Data(idx=0, prompt=QUESTION, answer=gold), config)
        trace = Trace.model_construct(task=None, root_reply=reply, rewards={}, metrics={}, nodes=[], errors=[])
        asyncio.run(task.score(trace))
        self.assertEqual(trace.errors, [])
        return trace

    def test_rewards_of_a_task(self):
        for reply, (answer, steps, undecided, _) in REPLIES.items():
            trace = self.scored(reply)
            self.assertEqual((trace.rewards['answer'].score, trace.metrics['undecided']), (answer, undecided), reply)
            self.assertAlmostEqual(trace.rewards['steps'].score, steps, msg=reply)
            self.assertAlmostEqual(trace.reward, answer + 0.2 * steps)

    def test_what_is_not_decided_earns_nothing(self):
        trace = self.scored('The answer is 42.', gold='')
        self.assertEqual((trace.reward, trace.metrics['undecided']), (0, 1))


class Scout(Case):
    def test_a_scan(self):
        outputs = []
        for reply in REPLIES:
            outputs.append(ModelOutput.from_content('mockllm/model', reply))
            outputs[-1].usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else it fetches a tokenizer
        [log] = inspect_ai.eval(inspect_ai.Task(dataset=[Sample(input=QUESTION, target='42', id=i) for i in range(len(REPLIES))],
                                                solver=generate()), model=get_model('mockllm/model', custom_outputs=outputs, memoize=False),
                                log_dir=self.path('logs'), max_samples=1, max_connections=1)
        self.assertEqual(log.status, 'success')
        status = scan(transcripts=transcripts_from(self.path('logs')), scanners=[wrong_steps()], scans=self.path('scans'), max_processes=1)
        self.assertEqual((status.complete, status.errors), (True, []))
        rows = scan_results_df(status.location).scanners['wrong_steps'].to_dict('records')
        values = sorted(str(row['value']) for row in rows)
        self.assertEqual(values, sorted(str(value) for *_, value in REPLIES.values()))
        said = {row['explanation'] for row in rows if str(row['value']) == '1'}
        self.assertEqual(said, {'[M2] step 0: 6 × 7 is 42, not 48', '[M2] step 1: 42 + 1 is 43, not 44'})
        self.assertEqual({row['scanner_package_version'] is None for row in rows}, {False})
        for row in rows:
            self.assertEqual(row['message_references'] == '[]', str(row['value']) != '1')


TESTS = """
import rederive.testing as t

def test_right():
    t.assert_no_wrong_step('What is 6 × 7?', '6 × 7 = 42.')
    t.assert_supported('What is 6 × 7?', '6 × 7 = 42.')
    t.assert_same_answer('So the answer is 42.', 42)

def test_wrong_step():
    t.assert_no_wrong_step('What is 6 × 7?', '6 × 7 = 48.')

def test_nothing_decided():
    t.assert_no_wrong_step('What is 6 × 7?', 'It is 42.')
    t.assert_supported('What is 6 × 7?', 'It is 42.')

def test_other_answer():
    t.assert_same_answer('So the answer is 41.', 42)

def test_not_told():
    t.assert_same_answer('So the answer is 41.', None)
"""


class Pytest(Case):
    def test_what_fails_says_why(self):
        self.write('test_model.py', TESTS)
        ended = subprocess.run([sys.executable, '-P', '-m', 'pytest', '-q', '-p', 'no:cacheprovider', self.path('test_model.py')],
                               capture_output=True, text=True, check=False, cwd=self.folder)
        self.assertIn('4 failed, 1 passed', ended.stdout, ended.stdout + ended.stderr)
        for why in ("step 0: '6 × 7 = 48.': contradict: 6 × 7 is 42, not 48", 'no step is supported by calculations',
                    'different: 41 is not 42', 'cannot-tell: there is no gold answer'):
            self.assertIn('AssertionError: ' + why, ended.stdout)
        self.assertNotIn('rederive/testing.py', ended.stdout, 'the line of the test is shown, not ours')


if __name__ == '__main__':
    unittest.main()
