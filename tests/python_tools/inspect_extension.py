# SPDX-License-Identifier: Apache-2.0
"""The extension of inspect_ai: `inspect eval` and `inspect score` run for real on a model that gives recorded
texts, and their log is read by inspect_ai's own reader."""
import os
import subprocess
import sys
import unittest
from pathlib import Path

from inspect_ai import Task, eval as inspect_eval
from inspect_ai.dataset import Sample
from inspect_ai.log import read_eval_log
from inspect_ai.model import ModelOutput, ModelUsage, get_model
from inspect_ai.solver import generate

from rederive.inspect_extension import check, grade, repair, solve
from support import Case

# question, target, completion, value of grade, wrong step
TEN = [('What is 2 + 2?', '4', '2 + 2 = 4. The answer is 4.', 'C', None),
       ('What is a half?', '0.5', r'It is \boxed{\frac{1}{2}}.', 'C', None),
       ('What is 3 + 4?', '7', '3 + 4 = 8. The answer is 8.', 'I', 0),
       ('What is 6 * 7?', '42', '6 * 7 = 42.\nThe answer is 42.', 'C', None),
       ('What is 5 * 5 + 1?', '26', '5 * 5 = 25.\n25 + 1 = 27.\nThe answer is 27.', 'I', 1),
       ('What is 9 - 4?', '5', '', 'N', None),
       ('What is x?', r'\frac{1', 'The answer is 2.', 'N', None),
       ('What is 10 / 4?', '5/2', '10 / 4 = 2.5. The answer is 2.5.', 'C', None),
       ('What is 1 + 1?', '2', '1 + 1 = 3. The answer is 2.', 'C', 0),
       ('No target?', '', 'The answer is 2.', None, None)]

TASK = """from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.solver import generate

@task
def ten():
    return Task(dataset=[Sample(id=1, input='What is 2 + 2?', target='4')], solver=generate())
"""


def written(text):
    made = ModelOutput.from_content('mockllm/model', text)
    made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # else it fetches a tokenizer
    return made


def samples():
    return [Sample(id=i + 1, input=question, target=target) for i, (question, target, *_) in enumerate(TEN)]


class Inspect(Case):
    def evaluated(self, task, texts):
        model = get_model('mockllm/model', custom_outputs=[written(text) for text in texts], memoize=False)
        made = inspect_eval(task, model=model, log_dir=self.path('logs'), display='none', max_samples=1,
                            max_connections=1)[0]
        self.assertEqual(made.status, 'success', made.error and made.error.message)
        return read_eval_log(made.location)

    def metrics(self, log):
        return {(one.scorer, one.name, name): metric.value for one in log.results.scores
                for name, metric in one.metrics.items()}

    def test_ten_samples(self):
        log = self.evaluated(Task(dataset=samples(), solver=generate(), scorer=[grade(), check()]),
                             [text for _, _, text, _, _ in TEN])
        got = {sample.id: sample.scores for sample in log.samples}
        names = set(next(iter(got.values())))
        grade_name, check_name = (next(name for name in names if name.endswith(end)) for end in ('grade', 'check'))
        for i, (_, _, text, value, wrong) in enumerate(TEN):
            graded, checked = got[i + 1][grade_name], got[i + 1][check_name]
            with self.subTest(text):
                if value is None:
                    self.assertEqual((graded.value == graded.value, graded.reason), (False, 'scoring_failed'))
                else:
                    self.assertEqual(graded.value, value)
                if text:
                    self.assertEqual(checked.value['wrong'], int(wrong is not None))
                    self.assertEqual(checked.metadata['first_error'], wrong)
                else:
                    self.assertEqual((graded.reason, checked.reason), ('no_response', 'no_response'))
        self.assertEqual(got[7][grade_name].reason, 'cannot_tell')
        self.assertEqual(got[5][check_name].answer, '25 + 1 = 27.')
        self.assertIn('step 2: 25 + 1 is 26, not 27', got[5][check_name].explanation)
        self.assertEqual(got[5][check_name].metadata['verdicts'][1]['evidence']['calculations'][0]['value'], '26')
        # By hand: 5 of the 9 with a target are right, 1 of them could not be told; 3 of 9 with a text are wrong.
        metrics = self.metrics(log)
        self.assertAlmostEqual(metrics[grade_name, grade_name, 'accuracy'], 5 / 9)
        self.assertAlmostEqual(metrics[grade_name, grade_name, 'undecided'], 1 / 9)
        self.assertAlmostEqual(metrics[check_name, 'wrong', 'mean'], 3 / 9)

    def test_a_choice(self):
        sample = Sample(id=1, input='Which is even?', choices=['3', '4'], target='B')
        log = self.evaluated(Task(dataset=[sample], solver=generate(), scorer=grade()), ['The answer is 4.'])
        self.assertEqual([score.value for score in log.samples[0].scores.values()], ['C'])

    def test_repair_names_the_wrong_step_once(self):
        log = self.evaluated(Task(dataset=[Sample(id=1, input='What is 3 + 4?', target='7')],
                                  solver=[generate(), repair(rounds=3)], scorer=grade()),
                             ['3 + 4 = 8. The answer is 8.', '3 + 4 = 7. The answer is 7.'])
        sample = log.samples[0]
        self.assertEqual([m.role for m in sample.messages], ['user', 'assistant', 'user', 'assistant'])
        self.assertIn('3 + 4 is 7, not 8', sample.messages[2].text)
        self.assertEqual([told['step'] for told in sample.metadata['rederive_repairs']], [0])
        self.assertEqual(sample.output.completion, '3 + 4 = 7. The answer is 7.')

    def test_solve_takes_the_answer_that_the_check_supports(self):
        log = self.evaluated(Task(dataset=[Sample(id=1, input='What is 3 + 4?', target='7')], solver=solve(chains=2),
                                  scorer=grade()),
                             ['3 + 4 = 8. The answer is 8.', '3 + 4 = 7. The answer is 7.'])
        sample = log.samples[0]
        self.assertEqual(sample.metadata['rederive_vote']['answer'], '7')
        self.assertEqual([score.value for score in sample.scores.values()], ['C'])

    def test_found_by_name_on_the_command_line(self):
        log = self.evaluated(Task(dataset=[Sample(id=1, input='What is 2 + 2?', target='4')], solver=generate(),
                                  name='ten'), ['2 + 2 = 4. The answer is 4.'])
        self.write('task.py', TASK)
        inspect = str(Path(sys.executable).with_name('inspect'))
        for name in ('grade', 'check'):
            done = subprocess.run([inspect, 'score', log.location, '--scorer', f'rederive/{name}', '--action',
                                   'append', '--output-file', self.path(f'{name}.eval')], capture_output=True,
                                  text=True, check=False, cwd=os.path.dirname(self.path('task.py')))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            scored = read_eval_log(self.path(f'{name}.eval'))
            [score] = scored.samples[0].scores.values()
            self.assertEqual(score.value if name == 'grade' else score.value['wrong'], 'C' if name == 'grade' else 0)


if __name__ == '__main__':
    unittest.main()
