# SPDX-License-Identifier: Apache-2.0
"""Write samples of lm-evaluation-harness (0.4.13), which a model of ours answers:

    python3 tests/tools/make_lm_eval_file.py tests/golden/tool-files"""
import glob
import json
import os
import shutil
import sys
import tempfile

from lm_eval import simple_evaluate
from lm_eval.api.model import LM
from lm_eval.loggers import EvaluationTracker
from lm_eval.tasks import TaskManager

from make_api_files import BAD, GOLD, GOOD, QUESTIONS

TASK = """task: made_up
dataset_path: json
dataset_kwargs:
  data_files:
    test: {data}
output_type: generate_until
test_split: test
doc_to_text: "Question: {{{{question}}}}\\nAnswer:"
doc_to_target: "{{{{answer}}}}"
repeats: 2
generation_kwargs:
  until: ["Question:"]
  do_sample: true
filter_list:
  - name: strict-match
    filter: &filter
      - function: regex
        regex_pattern: "The answer is (\\\\-?[0-9]+)"
      - function: take_first
  - name: flexible-extract
    filter: *filter
metric_list:
  - metric: exact_match
    aggregation: mean
    higher_is_better: true
"""


class Model(LM):
    """Replies wrongly first, then rightly."""

    def generate_until(self, requests, disable_tqdm=False):
        seen, replies = set(), []
        for request in requests:
            i = next(i for i, q in enumerate(QUESTIONS) if q in request.args[0])
            replies.append(" " + (GOOD if i in seen else BAD)[i])
            seen.add(i)
        return replies

    def loglikelihood(self, requests):
        raise NotImplementedError

    loglikelihood_rolling = loglikelihood


def main():
    with tempfile.TemporaryDirectory() as folder:
        data = os.path.join(folder, "data.jsonl")
        with open(data, "w", encoding="utf-8") as file:
            for question, good, gold in zip(QUESTIONS, GOOD, GOLD):
                file.write(json.dumps({"question": question, "answer": good + "\n#### " + gold}) + "\n")
        with open(os.path.join(folder, "made_up.yaml"), "w", encoding="utf-8") as file:
            file.write(TASK.format(data=data))
        results = simple_evaluate(model=Model(), tasks=["made_up"], log_samples=True, bootstrap_iters=0,
                                  task_manager=TaskManager(include_path=folder, include_defaults=False))
        tracker = EvaluationTracker(output_path=os.path.join(folder, "out"))
        samples = results.pop("samples")
        tracker.save_results_aggregated(results=results, samples=samples)
        tracker.save_results_samples(task_name="made_up", samples=samples["made_up"])
        found, = glob.glob(os.path.join(folder, "out/**/samples_*.jsonl"), recursive=True)
        shutil.copy(found, os.path.join(sys.argv[1], "lm-eval-samples.jsonl"))


if __name__ == "__main__":
    main()
