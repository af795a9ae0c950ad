# SPDX-License-Identifier: Apache-2.0
"""What `rederive convert` wrote, opened with the other tool's own library. No server runs, and no
network is used."""
import csv
import json
import os
import subprocess
import sys
import unittest

sys.path.append(os.path.join(os.environ["RDV_SOURCE"], "tests/integration"))  # the last: it has a datasets.py
os.environ.update(HF_HUB_OFFLINE="1", HF_DATASETS_OFFLINE="1", HF_HUB_DISABLE_TELEMETRY="1",
                  HF_DATASETS_DISABLE_PROGRESS_BARS="1")

import datasets
import httpx
import pandas
from inspect_ai.log import read_eval_log
from label_studio_sdk.label_interface import LabelInterface
from phoenix.client import Client
from phoenix.client.__generated__ import v1

from support import Case, PROGRAM, chain, lines

HOSTILE = "=1+1, \"quoted\"\r\n</script>\u2028\U0001f600 \x1b[2J"

CHAINS = lines(
    chain(id="q1/0", question_id="q1", question="What is (2 + 3) * 2?", span_id="67f6740bbe1ddc3f", answer="11",
          gold="10", steps=["\U0001f600 First: 2 + 3 = 5", "Then: 5 * 2 = 11", "So 11."], label=1),
    chain(id="q1/1", question_id="q1", question="What is (2 + 3) * 2?", span_id="67f6740bbe1ddc40", answer="10",
          gold="10", steps=["2 + 3 = 5", "5 * 2 = 10"], label=None),
    chain(id="q2/0", question_id="q2", question=HOSTILE, span_id="67f6740bbe1ddc41", options=["4", HOSTILE],
          steps=["2 + 2 = 4", HOSTILE], answer="A", gold="A"))


class Converted(Case):
    def setUp(self):
        super().setUp()
        chains = self.write("chains.jsonl", CHAINS)
        self.checked = self.path("checked.jsonl")
        subprocess.run([PROGRAM, "check", "-q", chains, "--out", self.checked], check=True)

    def convert(self, to, name, *args):
        subprocess.run([PROGRAM, "convert", "-q", "--to", to, *args, self.checked, "--out", self.path(name)],
                       check=True)
        return self.path(name)

    def round_trip(self, name, *args):
        """The chains that rederive reads from a file."""
        done = subprocess.run([PROGRAM, "convert", "-q", "--to", "jsonl", *args, name], check=True,
                              capture_output=True, encoding="utf-8")
        return [json.loads(line) for line in done.stdout.splitlines()]


    def labels(self, annotations, *args):
        """What annotators said, by chain, that rederive reads from a file."""
        done = subprocess.run([PROGRAM, "annotate", "merge", self.checked, "-l", annotations, "--min-votes", "1", *args], check=True,
                              capture_output=True, encoding="utf-8")
        return {r["id"]: {label["annotator"]: label["labels"] for label in r["step_labels"] if label["annotator"]}
                for r in map(json.loads, done.stdout.splitlines())}


class Trl(Converted):
    def test_datasets_reads_the_columns_of_stepwise_supervision(self):
        name = self.convert("trl", "train.jsonl", "--unrelated", "wrong")
        rows = datasets.load_dataset("json", data_files=name, split="train", cache_dir=self.path("cache"))
        text, flag = datasets.Value("string"), datasets.Value("bool")
        self.assertEqual(dict(rows.features), {"prompt": text, "completions": datasets.List(text),
                                               "labels": datasets.List(flag)})
        self.assertEqual(rows["labels"][:2], [[True, False, False], [True, True]])
        for row in rows:
            self.assertEqual(len(row["completions"]), len(row["labels"]))
        self.assertEqual(rows[2]["prompt"], f"{HOSTILE}\n(A) 4\n(B) {HOSTILE}")


class Prm800k(Converted):
    def test_datasets_reads_the_shape(self):
        name = self.convert("prm800k", "phase.jsonl")
        rows = datasets.load_dataset("json", data_files=name, split="train", cache_dir=self.path("cache"))
        ratings = [[step["completions"][0]["rating"] for step in row["label"]["steps"]] for row in rows]
        self.assertEqual(ratings, [[1, -1, 0], [1, 1], [1, 0]])
        self.assertEqual(rows[0]["question"]["ground_truth_answer"], "10")


class Inspect(Converted):
    def setUp(self):
        super().setUp()
        self.name = self.convert("inspect", "log.json")

    def test_read_eval_log(self):
        log = read_eval_log(self.name)
        self.assertEqual((log.version, log.status, log.eval.task), (2, "success", "rederive"))
        self.assertEqual([(s.id, s.epoch, s.target) for s in log.samples],
                         [("q1", 1, "10"), ("q1", 2, "10"), ("q2", 1, "A")])
        sample = log.samples[0]
        self.assertEqual(sample.output.completion, "\U0001f600 First: 2 + 3 = 5\nThen: 5 * 2 = 11\nSo 11.")
        self.assertEqual(sample.messages[1].text, sample.output.completion)
        score = sample.scores["calculations"]
        self.assertEqual(score.explanation, "step 1: 5 * 2 is 10, not 11")
        self.assertEqual(score.value["n_contradict"], 1)
        self.assertEqual(score.metadata["verdicts"][1]["verdict"], "contradict")
        self.assertEqual([s.scores["correct"].value for s in log.samples], ["I", "C", "C"])
        self.assertEqual((log.samples[2].input, log.samples[2].choices), (HOSTILE, ["4", HOSTILE]))

    def test_its_head_is_read_alone(self):
        self.assertEqual(read_eval_log(self.name, header_only=True).eval.model, "none/none")


class LabelStudio(Converted):
    def test_tasks_and_predictions_fit_the_labelling_configuration(self):
        config = subprocess.run([PROGRAM, "convert", "--labelling-config"], check=True, capture_output=True,
                                encoding="utf-8").stdout
        interface = LabelInterface(config)
        interface.validate()
        with open(self.convert("label-studio", "tasks.json"), encoding="utf-8") as file:
            tasks = json.load(file)
        self.assertEqual(len(tasks), 3)
        for task in tasks:
            self.assertTrue(interface.validate_task({"data": task["data"]}))
            for prediction in task["predictions"]:
                self.assertEqual(interface.validate_prediction(prediction, return_errors=True), [])
                for region in prediction["result"]:
                    span = region["value"]
                    self.assertEqual(task["data"]["solution"][span["start"]:span["end"]], span["text"])
        self.assertEqual(len(tasks[0]["predictions"][0]["result"]), 2)


    def test_annotations_of_people_come_back(self):
        """A project's export with annotations that Label Studio's own types and configuration take."""
        config = subprocess.run([PROGRAM, "convert", "--labelling-config"], check=True, capture_output=True, encoding="utf-8").stdout
        interface = LabelInterface(config)
        with open(self.convert("label-studio", "tasks.json"), encoding="utf-8") as file:
            tasks = json.load(file)
        for number, task in enumerate(tasks):
            marked = [region for p in task["predictions"] for region in p["result"] if region["value"]["labels"] == ["wrong step"]]
            annotation = {"id": number, "completed_by": 7, "was_cancelled": False, "result": marked, "ground_truth": False}
            self.assertTrue(interface.validate_annotation(annotation))
            task.update(id=number + 1, annotations=[annotation])
        got = self.labels(self.write("export.json", json.dumps(tasks)))
        self.assertEqual(got, {"q1/0": {"7": [True, False, None]}, "q1/1": {"7": [True, True]}, "q2/0": {"7": [True, True]}})


class Phoenix(Converted):
    def test_what_people_say_comes_back(self):
        """Written and read by the client; the server keeps what it is sent, as its API's types have it."""
        kept = []

        def answer(request):
            if request.method == "POST":
                kept.extend({**one, "id": str(len(kept)), "source": "API", "user_id": None, "created_at": "2025-10-09T08:53:20+00:00",
                             "updated_at": "2025-10-09T08:53:20+00:00"} for one in json.loads(request.content)["data"])
            return httpx.Response(200, json={"data": kept if request.method == "GET" else [], "next_cursor": None})

        with open(self.convert("phoenix", "annotations.json"), encoding="utf-8") as file:
            program = json.load(file)["data"]
        people = [{**one, "name": "step " + str(one["metadata"]["step"]), "identifier": "ann", "annotator_kind": "HUMAN",
                   "result": {"label": "wrong" if one["result"]["label"] == "contradict" else "right"}}
                  for one in program if "step" in one["metadata"]]
        http = httpx.Client(transport=httpx.MockTransport(answer), base_url="http://phoenix.invalid")
        spans = Client(http_client=http).spans
        spans.log_span_annotations(span_annotations=program + people)
        got = spans.get_span_annotations(span_ids=["67f6740bbe1ddc3f"], project_identifier="default")
        self.assertEqual(len(got), 3 + 7 + 7)
        self.assertEqual(self.labels(self.write("back.json", json.dumps(got, default=str))),
                         {"q1/0": {"ann": [True, False, True]}, "q1/1": {"ann": [True, True]}, "q2/0": {"ann": [True, True]}})

    def test_the_client_sends_the_annotations(self):
        sent = []

        def answer(request):
            sent.append(request)
            return httpx.Response(200, json={"data": []})

        with open(self.convert("phoenix", "annotations.json"), encoding="utf-8") as file:
            body = json.load(file)
        http = httpx.Client(transport=httpx.MockTransport(answer), base_url="http://phoenix.invalid")
        Client(http_client=http).spans.log_span_annotations(span_annotations=body["data"])
        request = [r for r in sent if r.method == "POST"][-1]
        self.assertTrue(request.url.path.endswith("/v1/span_annotations"))
        self.assertEqual(json.loads(request.content), body)

    def test_the_body_has_the_members_of_the_clients_types_and_no_others(self):
        with open(self.convert("phoenix", "annotations.json"), encoding="utf-8") as file:
            body = json.load(file)
        self.assertEqual(len(body["data"]), 3 + 7)
        for annotation in body["data"]:
            self.assertLessEqual(set(annotation), set(v1.SpanAnnotationData.__annotations__))
            self.assertLessEqual(set(annotation["result"]), set(v1.AnnotationResult.__annotations__))
            self.assertIn(annotation["annotator_kind"], ("LLM", "CODE", "HUMAN"))
            for name, value in annotation["result"].items():
                self.assertIsInstance(value, (int, float) if name == "score" else str)


class Table(Converted):
    def test_pandas_and_the_csv_module_read_the_same_rows(self):
        name = self.convert("csv", "steps.csv")
        table = pandas.read_csv(name, keep_default_na=False, dtype=str)
        with open(name, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file, strict=True))
        self.assertEqual(table.to_dict("records"), rows)
        self.assertEqual([row["verdict"] for row in rows][:3], ["support", "contradict", "unrelated"])
        self.assertEqual(rows[6]["text"], "'" + HOSTILE)

    def test_a_table_that_pandas_wrote_again_comes_back(self):
        table = pandas.read_csv(self.convert("csv", "steps.csv"), keep_default_na=False, dtype=str)
        table["label"] = ["y", "n", "", "y", "y", "a", "n"]
        table.to_csv(self.path("filled.csv"), index=False)
        self.assertEqual(self.labels(self.path("filled.csv"), "--annotator", "ann"),
                         {"q1/0": {"ann": [True, False, None]}, "q1/1": {"ann": [True, True]}, "q2/0": {"ann": [None, False]}})


if __name__ == "__main__":
    unittest.main()
