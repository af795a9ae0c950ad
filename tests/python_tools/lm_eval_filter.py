# SPDX-License-Identifier: Apache-2.0
"""The filter and the metric in a local task of lm-evaluation-harness, which runs for real."""
import json
import os
import unittest

os.environ.update(HF_HUB_OFFLINE='1', HF_DATASETS_OFFLINE='1', HF_DATASETS_DISABLE_PROGRESS_BARS='1')

from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.tasks import TaskManager

from support import Case

REPLIES = {'What is 2 + 3?': (5, 'First, 2 + 3 = 5. The answer is $5$.'),
           'What is a half?': ('0.5', r'It is \boxed{\frac{1}{2}}, or 50 %.'),
           'What is 6 * 7?': ('6 * 7 = 42\n#### 42', 'So the answer is 42.0.'),
           'What is 9 - 4?': ('5', 'The answer is 6.'),
           'What is 1 + 1?': ('2', ''),
           'What is x?': (r'\frac{1', 'The answer is 2.')}
RIGHT = 3

TASK = """task: graded
dataset_path: json
dataset_kwargs: {{data_files: {{test: {data}}}}}
test_split: test
output_type: generate_until
doc_to_text: "{{{{question}}}}"
doc_to_target: "{{{{answer}}}}"
generation_kwargs: {{until: ["Q:"], do_sample: false}}
filter_list:
  - name: graded
    filter:
      - function: !function rederive.lm_eval_filter.GradeFilter
        gold: answer
      - function: take_first
  - name: plain
    filter:
      - function: take_first
metric_list:
  - metric: exact_match
    aggregation: mean
    higher_is_better: true
  - metric: !function rederive.lm_eval_filter.same_answer
    aggregation: mean
    higher_is_better: true
metadata: {{version: 1}}
"""


class Recorded(LM):
    def generate_until(self, requests, disable_tqdm=False):
        return [REPLIES[request.args[0]][1] for request in requests]

    def loglikelihood(self, requests, disable_tqdm=False):
        raise NotImplementedError

    def loglikelihood_rolling(self, requests, disable_tqdm=False):
        raise NotImplementedError


class Task(Case):
    def test_the_filter_and_the_metric(self):
        data = self.write('data.jsonl', ''.join(json.dumps({'question': question, 'answer': str(gold)}) + '\n'
                                                for question, (gold, _) in REPLIES.items()))
        self.write('graded.yaml', TASK.format(data=data))
        made = simple_evaluate(Recorded(), tasks=['graded'], bootstrap_iters=0, log_samples=True,
                               task_manager=TaskManager(include_path=os.path.dirname(data), include_defaults=False))
        results = made['results']['graded']
        self.assertEqual(results['exact_match,graded'], RIGHT / len(REPLIES))
        self.assertEqual(results['exact_match,plain'], 0)
        self.assertEqual(results['same_answer,plain'], RIGHT / len(REPLIES))
        filtered = {sample['doc']['question']: sample['filtered_resps'][0] for sample in made['samples']['graded']
                    if sample['filter'] == 'graded'}
        self.assertEqual(filtered['What is 9 - 4?'], '6')
        self.assertEqual(filtered['What is 1 + 1?'], '[no answer]')
        self.assertEqual(filtered['What is x?'], '[cannot tell]')


if __name__ == '__main__':
    unittest.main()
