# SPDX-License-Identifier: Apache-2.0
"""annotate: sheets for people, their marks back in, the majority's label, and how well they agree."""
import csv
import io
import json
import os
import unittest

from support import Case, chain, lines, rederive

# Krippendorff (2011), section C: four observers, twelve units, some missing.
OBSERVED = {"a": "1233214 12...", "b": "123322412 5.3", "c": ".333234225 1.", "d": "123324412 51."}
DATA = {by: [None if c == "." else int(c) for c in row.replace(" ", "")] for by, row in OBSERVED.items()}


def marks(n, first_wrong):
    return [i < first_wrong if i <= first_wrong else None for i in range(n)]


def labels_of(record):
    return {label["annotator"]: label["labels"] for label in record["step_labels"]}


class Sheet(Case):
    def test_a_filled_sheet_comes_back(self):
        steps = ["2 + 3 = 5", "=cmd()", 'She said "so,\nfive".']
        self.write("chains.jsonl", lines(chain(id="q/0", steps=steps), chain(id="q/1", steps=["one", "two"])))
        ended = rederive("annotate", "sheet", "chains.jsonl", "--annotator", "ann", "--count-from", "1", cwd=self.folder)
        self.assert_ended(ended, 0)
        rows = list(csv.DictReader(io.StringIO(ended.out)))
        self.assertEqual([r["step"] for r in rows], ["", "1", "2", "3", "", "1", "2"])
        self.assertEqual(rows[2]["text"], "'=cmd()")
        self.assertEqual(rows[3]["text"], steps[2])
        for row, mark in zip(rows, ("", "y", "y", "n", "", "y", "a")):
            row["label"] = mark
        text = io.StringIO()
        writer = csv.DictWriter(text, rows[0].keys())
        writer.writeheader()
        writer.writerows(rows)
        self.write("ann.csv", text.getvalue())
        merged = rederive("annotate", "merge", "-q", "--min-votes", "1", "-l", "ann.csv", "--count-from", "1",
                          "chains.jsonl", cwd=self.folder)
        self.assert_ended(merged, 0)
        first, second = merged.records
        self.assertEqual(labels_of(first), {"ann": [True, True, False]})
        self.assertEqual(first["label"], 2)
        self.assertEqual(first["steps"], steps)
        self.assertEqual(labels_of(second), {"ann": [True, None]})
        self.assertNotIn("label", second)


    def test_the_sheet_shows_the_question_as_it_was_asked_and_the_right_answer(self):
        given = lines(chain(id="q", question="Who has the cup?", options=["Ann", "Ben"], gold="B", steps=["Ben has it."]),
                      {"id": "r", "question": "Why?", "steps": ["So."]})
        shown = rederive("annotate", "sheet", stdin=given)
        self.assert_ended(shown, 0)
        first, step, second, _ = csv.DictReader(io.StringIO(shown.out))
        self.assertEqual((first["text"], first["target"]), ("Who has the cup?\n(A) Ann\n(B) Ben", "B"))
        self.assertEqual((step["target"], second["target"]), ("", ""))
        blind = rederive("annotate", "sheet", "--no-target", stdin=given)
        self.assertNotIn("target", next(csv.reader(io.StringIO(blind.out))))
        self.assertEqual([len(row) for row in csv.reader(io.StringIO(blind.out))], [6] * 5)


def answered(task, i, answer, **more):
    return chain(id=f"{task}/{i}", question=f"{task} {i}?", task=task, answer=answer, gold="yes", **more)


class Sample(Case):
    TRACES = [answered(task, i, "yes" if i % 4 == 0 else "Yes" if i % 4 == 1 else "no")
              for task in ("sorting", "coins") for i in range(80)]

    def sample(self, *args, traces=None, status=0):
        ended = rederive("annotate", "sample", *args, stdin=lines(*(traces or self.TRACES)))
        self.assert_ended(ended, status)
        return ended

    def test_of_each_task_so_many_with_the_right_answer(self):
        ended = self.sample("--limit", "40")
        for task in ("sorting", "coins"):
            drawn = [r for r in ended.records if r["task"] == task]
            right = [r for r in drawn if r["answer"] == r["gold"]]  # exactly: "Yes" is not "yes"
            self.assertEqual([len(drawn), len(right)], [40, 6], task)
            self.assertIn(f"{task}: 6 of 20 traces with the right answer, 34 of 60 with a wrong one", ended.err)
        ids = [t["id"] for t in self.TRACES]
        self.assertEqual([r["id"] for r in ended.records],
                         sorted((r["id"] for r in ended.records), key=ids.index))

    def test_the_sample_depends_on_ids_and_the_seed_alone(self):
        drawn = {r["id"] for r in self.sample("--limit", "20").records}
        backwards = {r["id"] for r in self.sample("--limit", "20", traces=self.TRACES[::-1]).records}
        self.assertEqual(drawn, backwards)
        self.assertLess(drawn, {r["id"] for r in self.sample("--limit", "40").records})
        self.assertNotEqual(drawn, {r["id"] for r in self.sample("--limit", "20", "--seed", "1").records})

    def test_shares(self):
        for right, n in (("0", 0), ("0.5", 10), ("1", 20), ("0.15", 3), ("0.199", 3)):
            records = self.sample("--limit", "20", "--right", right).records
            self.assertEqual(sum(r["answer"] == "yes" for r in records), 2 * n, right)

    def test_what_is_missing_is_said_and_not_replaced(self):
        traces = self.TRACES[:12] + [{"question": "Why?", "id": "sorting/x", "task": "sorting", "steps": ["So."]}]
        ended = self.sample("--limit", "100", traces=traces)
        self.assertEqual(sum(r["answer"] == "yes" for r in ended.records), 3)
        self.assertEqual(len(ended.records), 12)
        self.assertIn("sorting: missing for the sample: 12 with the right answer, 76 with a wrong one", ended.err)
        self.assertIn("sorting: 1 trace without a gold answer", ended.err)

    def test_options(self):
        for args, said in ((["sample"], "--limit N is required"), (["sheet", "--limit", "3"], "--limit has no effect"),
                           (["merge", "--right", "0.5"], "--right has no effect"),
                           (["sample", "--limit", "3", "--no-target"], "--no-target has no effect")):
            ended = rederive("annotate", *args, stdin=lines(*self.TRACES))
            self.assert_ended(ended, 2)
            self.assertIn(said, ended.err)

    @unittest.skipUnless(os.path.isdir(os.path.join(os.environ["RDV_SHARED"], "big-bench-mistake")), "no recorded traces")
    def test_the_paper_s_traces(self):
        folder = os.path.join(os.environ["RDV_SHARED"], "big-bench-mistake")
        files = [os.path.join(folder, f"{name}.jsonl") for name in ("word_sorting", "dyck_languages")]
        drawn = rederive("annotate", "sample", "--limit", "100", *files)
        self.assert_ended(drawn, 0)
        counts = rederive("eval", "--recipe", "mistakes:table2", "--json", stdin=drawn.out)
        self.assert_ended(counts, 0)
        self.assertEqual([(row["task"], row["n_correct"], row["n_incorrect"]) for row in json.loads(counts.out)["rows"]
                          if row["task"]], [("word_sorting", 15, 85), ("dyck_languages", 15, 85)])


class Guidelines(Case):
    def test_each_criterion(self):
        seen = set()
        for criterion in ("correct", "overall", "math", "consistency", "relevance"):
            ended = rederive("annotate", "guidelines", "--criterion", criterion)
            self.assert_ended(ended, 0)
            self.assertTrue(ended.out.startswith("# "))
            for letter in "yna":
                self.assertIn(f"| `{letter}` |", ended.out)
            seen.add(ended.out)
        self.assertEqual(len(seen), 5)
        self.assertIn("A solution with the right answer may contain a wrong step", rederive("annotate", "guidelines").out)

    def test_it_reads_nothing_and_knows_its_criteria(self):
        ended = rederive("annotate", "guidelines", "--criterion", "style")
        self.assert_ended(ended, 2)
        self.assertIn("correct, overall, math, consistency and relevance", ended.err)
        self.assert_ended(rederive("annotate", "guidelines", "chains.jsonl"), 2)


class Merge(Case):
    def merge(self, *args, status=0, **more):
        ended = rederive("annotate", "merge", *args, "chains.jsonl", cwd=self.folder, **more)
        self.assert_ended(ended, status)
        return ended

    def write_marks(self, *first_wrong, steps=4):
        """One chain, and what each annotator says of it."""
        self.write("chains.jsonl", lines(chain(id="q", steps=["s"] * steps)))
        self.write("marks.jsonl", lines(*({"id": "q", "annotator": f"a{i}", "first_error": step}
                                          for i, step in enumerate(first_wrong))))

    def label(self, *args):
        record, = self.merge("-q", "-l", "marks.jsonl", *args).records
        return record.get("label", "none")

    def test_majority(self):
        self.write_marks(1, 1, 3)
        self.assertEqual(self.label(), 1)
        self.write_marks(None, None, 0)
        self.assertIsNone(self.label())

    def test_ties(self):
        self.write_marks(1, 2, None)
        self.assertEqual(self.label(), "none")
        self.assertEqual(self.label("--ties", "first"), 1)
        self.assertIsNone(self.label("--ties", "last"))

    def test_too_few(self):
        self.write_marks(1, 1)
        self.assertEqual(self.label(), "none")
        self.assertEqual(self.label("--min-votes", "2"), 1)
        ended = self.merge("-l", "marks.jsonl")
        self.assertIn("1 with fewer than 3 annotators", ended.err)

    def test_other_members_keep_their_bytes(self):
        record = '{"rederive_schema":1,"id":"q","question":"Why?","steps":["s"],"label":null,"x":1.50,"label_by":"us"}'
        self.write("chains.jsonl", record + "\n")
        self.write("marks.jsonl", lines({"id": "q", "annotator": "a", "first_error": 0}))
        out = self.merge("-q", "--min-votes", "1", "-l", "marks.jsonl").out
        self.assertIn('"x":1.50', out)
        self.assertEqual(json.loads(out)["label"], 0)
        self.assertEqual(self.merge("-q").out, self.read("chains.jsonl"))

    def test_marks_twice_are_replaced(self):
        self.write_marks(1, 1, 2)
        once = self.merge("-q", "-l", "marks.jsonl").out
        self.write("chains.jsonl", once)
        self.assertEqual(self.merge("-q", "-l", "marks.jsonl").out, once)

    def test_what_cannot_be_used_is_told(self):
        self.write("chains.jsonl", lines(chain(id="q", steps=["s", "t"]), {"steps": 7}))
        self.write("marks.jsonl", lines({"id": "q", "annotator": "a", "first_error": 7}, {"id": "z", "annotator": "a", "first_error": 0},
                                        "nonsense", {"id": "q", "first_error": 0},
                                        {"id": "q", "annotator": "b", "first_error": 1}))
        ended = self.merge("-l", "marks.jsonl", "--min-votes", "1", status=1)
        for says in ("marks.jsonl:1: the first wrong step is 7, and the chain has 2 steps",
                     "marks.jsonl:2: no chain has the id z", "marks.jsonl:3: ",
                     'marks.jsonl:4: no annotator', "chains.jsonl:2: "):
            self.assertIn(says, ended.err)
        self.assertIn("1 chain and 4 annotations failed", ended.err)
        self.assertEqual(labels_of(ended.records[0]), {"b": [True, False]})
        self.assertIn("error", ended.records[1])
        self.merge("--strict", "-l", "marks.jsonl", status=1)

    def test_usage(self):
        self.write("chains.jsonl", lines(chain(id="q")))
        for args in ((), ("chains.jsonl",), ("mend", "chains.jsonl")):
            self.assert_ended(rederive("annotate", *args, cwd=self.folder), 2)
        self.write("bad.csv", "id,annotator\nq,a\n")
        ended = self.merge("-l", "bad.csv", status=3)
        self.assertIn("the first row has to name the columns", ended.err)
        self.merge("-l", "missing.csv", status=3)


class BackAgain(Case):
    """What people said in other tools, of what convert wrote for them."""

    def setUp(self):
        super().setUp()
        self.checked = self.path("checked.jsonl")
        self.chains = [chain(id="q/0", question_id="q", span_id="ab", steps=["\U0001f600 So 2 + 3 = 6", "Two\nlines", "So 6."]),
                       chain(id="q/1", question_id="q", span_id="cd", steps=["2 + 3 = 5", "So 5."])]
        rederive("check", "-q", "-o", self.checked, stdin=lines(*self.chains))

    def convert(self, to):
        return rederive("convert", "-q", "-t", to, self.checked).out

    def merged(self, content, *args, status=0):
        ended = rederive("annotate", "merge", self.checked, "-l", self.write("back", content), "--min-votes", "1", *args)
        self.assert_ended(ended, status)
        self.said = ended.err
        return {r["id"]: (labels_of(r) if "step_labels" in r else {}, r.get("label", "none")) for r in ended.records}

    def tasks(self):
        tasks = json.loads(self.convert("label-studio"))
        for number, task in enumerate(tasks):
            task.update(id=number + 1, project=1, annotations=[])
        return tasks

    def region(self, task, text, label):
        start = task["data"]["solution"].index(text)
        return {"id": "x", "from_name": "verdict", "to_name": "solution", "type": "labels",
                "value": {"start": start, "end": start + len(text), "text": text, "labels": [label]}}

    def test_of_label_studio(self):
        tasks = self.tasks()
        self.assertEqual(tasks[0]["data"]["step_starts"], [0, 15, 25])
        self.assertTrue(tasks[0]["predictions"][0]["result"])
        tasks[0]["annotations"] = [
            {"id": 1, "completed_by": {"id": 7, "email": "ann@x.org"}, "was_cancelled": False, "result": [self.region(tasks[0], "lines", "wrong step")]},
            {"id": 2, "completed_by": 8, "was_cancelled": False, "result": []},
            {"id": 3, "completed_by": 9, "was_cancelled": True, "result": [self.region(tasks[0], "So 6", "wrong step")]},
            {"id": 4, "completed_by": 10, "result": [self.region(tasks[0], "2 + 3", "unknown"), self.region(tasks[0], "So 6", "wrong calculation"),
                                                     {"type": "textarea", "value": {"text": ["2 + 2 = 5"]}}]}]
        got = self.merged(json.dumps(tasks), "--ties", "first")
        self.assertEqual(got["q/0"][0], {"ann@x.org": [True, False, None], "8": [True] * 3, "10": [None, True, False]})
        self.assertEqual(got["q/1"], ({}, "none"))  # a prediction is no annotation

    def test_what_cannot_be_used_of_label_studio(self):
        tasks = self.tasks()
        one = {"completed_by": 1, "result": [self.region(tasks[0], "So 6", "perhaps")]}
        for change, says in (({"step_starts": None}, 'no "step_starts"'), ({"step_starts": [5, 5, 5]}, "step_starts: numbers that count up"),
                             ({"step_starts": [0, 2]}, "judgements: 2, and the chain has 3 steps"), ({"id": None}, "no id"), ({}, 'label "perhaps"')):
            data = {**tasks[0]["data"], **change}
            result = one["result"] if not change else []
            self.merged(json.dumps([{**tasks[0], "data": data, "annotations": [{**one, "result": result}]}]), status=1)
            self.assertIn(says, self.said)
        two = [{"completed_by": 1, "result": []}] * 2
        self.merged(json.dumps([{**tasks[0], "annotations": two}]), status=1)
        self.assertIn("a second annotation of q/0 by 1", self.said)

    def test_of_phoenix(self):
        program = json.loads(self.convert("phoenix"))["data"]
        person = [{**a, "annotator_kind": "HUMAN", "user_id": "ann", "result": {"label": label}} for a, label in zip(program[1:4], ("right", "wrong", "unknown"))]
        whole = {"span_id": "cd", "name": "correct", "annotator_kind": "HUMAN", "identifier": "ben", "result": {"label": "no error found"}, "metadata": {}}
        first = {**whole, "identifier": "eve", "result": {"score": 0}, "metadata": {"first_error": 1}}
        open_ = {**whole, "identifier": "joe", "result": {"label": "unknown"}}
        got = self.merged(json.dumps({"data": program + person + [whole, first, open_], "next_cursor": None}), "--ties", "first")
        self.assertEqual(got["q/0"], ({"ann": [True, False, None]}, 1))
        self.assertEqual(got["q/1"][0], {"ben": [True, True], "eve": [True, False]})  # by the span
        self.assertEqual(self.merged(json.dumps({"data": program}))["q/0"], ({}, "none"))
        self.merged(json.dumps({"data": [{**whole, "result": {"label": "wrong"}}]}), status=1)
        self.assertIn("no step is named", self.said)
        self.merged(json.dumps({"data": [{**whole, "result": {"label": "perhaps"}}]}), status=1)
        self.assertIn('label "perhaps": right, wrong or unknown is wanted', self.said)

    def test_of_our_own_table(self):
        rows = list(csv.DictReader(io.StringIO(self.convert("csv"))))
        self.assertEqual({row["label"] for row in rows}, {""})
        self.assertEqual(rows[0]["verdict"], "contradict")
        for row, mark in zip(rows, ("y", "n", "", "a", "")):
            row["label"] = mark
        out = io.StringIO()
        table = csv.DictWriter(out, list(rows[0]))
        table.writeheader()
        table.writerows(rows)
        got = self.merged(out.getvalue(), "--annotator", "ann")
        self.assertEqual(got["q/0"], ({"ann": [True, False, None]}, 1))
        self.assertEqual(got["q/1"][0], {"ann": [None, None]})
        untouched = self.merged(self.convert("csv"), "--annotator", "ann")
        self.assertEqual(untouched["q/0"], ({}, "none"))  # what the program said is no label


class Agreement(Case):
    def test_alpha_of_the_published_example(self):
        """The observers' values 1 to 5 as first wrong steps 0 to 4."""
        self.write("chains.jsonl", lines(*(chain(id=f"u{u}", question_id=f"u{u}", steps=["s"] * 5)
                                           for u in range(12))))
        self.write("marks.jsonl", lines(*({"id": f"u{u}", "annotator": by, "first_error": value - 1}
                                          for by, row in DATA.items() for u, value in enumerate(row)
                                          if value is not None)))
        ended = rederive("annotate", "agreement", "--json", "-q", "-l", "marks.jsonl", "chains.jsonl", cwd=self.folder)
        self.assert_ended(ended, 0)
        report, pairs = json.loads(ended.out)["tables"]
        row = next(r for r in report["rows"] if r["unit"] == "chain")
        self.assertAlmostEqual(row["alpha.nominal"]["value"], 0.743, delta=0.0005)
        self.assertAlmostEqual(row["alpha.ordinal"]["value"], 0.815, delta=0.0005)
        self.assertEqual([row["n_annotators"], row["n_units"]], [4, 11])
        self.assertLess(row["alpha.nominal"]["ci_low"], 0.743)
        self.assertEqual(len(pairs["rows"]), 6)

    def test_by_task(self):
        records = [chain(id=f"{task}{i}", task=task, question_id=f"{task}{i}", steps=["s"] * 4,
                         step_labels=[{"annotator": by, "criterion": "correct", "labels": marks(4, (i + k * (task == "b")) % 4)}
                                      for k, by in enumerate("xyz")]) for task in "ab" for i in range(8)]
        ended = rederive("annotate", "agreement", "--json", "-q", stdin=lines(*records))
        self.assert_ended(ended, 0)
        rows = {(r["group"], r["unit"]): r for r in json.loads(ended.out)["tables"][0]["rows"]}
        self.assertEqual(rows["a", "chain"]["alpha.nominal"]["value"], 1)
        self.assertLess(rows["b", "chain"]["alpha.nominal"]["value"], 0)

    def test_nobody(self):
        ended = rederive("annotate", "agreement", stdin=lines(chain()))
        self.assert_ended(ended, 3)
        self.assertIn("no chain has step_labels", ended.err)


class Documented(Case):
    def test_examples_run(self):
        self.write("chains.jsonl", lines(*(chain(id=f"q/{i}", steps=["2 + 3 = 5", "So 5."]) for i in range(4))))
        self.write("ann.csv", "id,step,label\n" + "".join(f"q/{i},0,y\nq/{i},1,n\n" for i in range(4)))
        self.write("ben.csv", "id,annotator,first_error\n" + "".join(f"q/{i},ben,{i % 2}\n" for i in range(4)))
        self.write("marks.jsonl", lines(*({"id": f"q/{i}", "annotator": "cat", "first_error": None if i else 1}
                                          for i in range(4))))
        self.write("traces.jsonl", rederive("tasks", "-t", "dyck_languages", "-n", "8", "--mistakes", "0.5").out)
        with open(os.path.join(os.environ["RDV_SOURCE"], "docs", "annotate.md"), encoding="utf-8") as file:
            examples = [line.split() for line in file if line.startswith("rederive ")]
        self.assertGreater(len(examples), 4)
        for example in examples:
            with self.subTest(example=" ".join(example)):
                ended = rederive(*example[1:], cwd=self.folder)
                self.assert_ended(ended, 0)
                self.assertTrue(ended.out or "--out" in example)


if __name__ == "__main__":
    unittest.main()
