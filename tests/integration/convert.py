# SPDX-License-Identifier: Apache-2.0
"""rederive convert: the formats of other tools, and what becomes of steps that are not decided."""
import csv
import io
import json
import os
import signal
import subprocess
import time
import unittest

from support import PROGRAM, Case, chain, lines, rederive

FORMATS = ["csv", "inspect", "jsonl", "label-studio", "phoenix", "prm800k", "trl"]

WRONG = chain(id="q1/0", question_id="q1", span_id="00ab", steps=["2 + 3 = 5", "5 * 2 = 11", "So 11."],
              answer="11", gold="10", question="What is (2 + 3) * 2?")
RIGHT = chain(id="q1/1", question_id="q1", span_id="00ac", steps=["2 + 3 = 5", "5 * 2 = 10"], answer="10",
              gold="10", question="What is (2 + 3) * 2?")


def checked(verdicts, **more):
    """A record with the verdicts of a check by hand."""
    record = chain(steps=[f"step {i}" for i in range(len(verdicts))], method="by-hand",
                   verdicts=[{"step": i, "verdict": v, "score": None} for i, v in enumerate(verdicts)],
                   confidence=0.5, first_error=None, n_unknown=verdicts.count("unknown"), n_calls=0,
                   prompt_tokens=0, completion_tokens=0)
    return {**record, **more}


def located(first_error, kind):
    """The record of a locator, whose one verdict is on the whole chain."""
    return checked(["support"] * 3, first_error=first_error) | {
        "verdicts": [{"step": None, "verdict": kind, "score": None}]}


def convert(to, *records, args=()):
    return rederive("convert", "--to", to, *args, stdin=lines(*records))


class Formats(Case):
    def setUp(self):
        super().setUp()
        self.checked = rederive("check", "-q", stdin=lines(WRONG, RIGHT)).out

    def converted(self, to, *args):
        ended = rederive("convert", "-t", to, *args, stdin=self.checked)
        self.assert_ended(ended, 0)
        self.assertIn("2 chains written", ended.err)
        return ended.out

    def test_trl(self):
        rows = [json.loads(line) for line in self.converted("trl", "--unrelated", "wrong").splitlines()]
        self.assertEqual(rows[0], {"prompt": WRONG["question"], "completions": WRONG["steps"],
                                   "labels": [True, False, False]})
        self.assertEqual(rows[1]["labels"], [True, True])

    def test_an_unfinished_chain_stays_without_an_answer(self):
        cut = chain(id="cut", steps=["2 + 3 = 5", "The answer is 5"], answer=None, incomplete_reason="the reply was cut off before its end",
                    gold="5")
        none = chain(id="none", steps=["2 + 3 = 5", "The answer is 5"], answer=None, gold="5")
        own = chain(id="own", steps=["2 + 3 = 5", "The answer is 5"], answer="6", gold="5")
        name = self.path("log.json")
        self.assert_ended(convert("inspect", cut, none, own, args=["-o", name]), 0)
        read = rederive("check", name).records
        self.assertEqual([(r["id"], r["answer"], r.get("incomplete_reason")) for r in read],
                         [("cut", None, "the reply was cut off before its end"), ("none", None, None), ("own", "6", None)])
        checked = rederive("check", "-q", stdin=lines(cut, none)).out
        rated = rederive("convert", "--to", "prm800k", "--unrelated", "right", stdin=checked).out.splitlines()
        self.assertEqual([json.loads(line)["label"]["finish_reason"] for line in rated], [None, "solution"])

    def test_prm800k(self):
        first = json.loads(self.converted("prm800k").splitlines()[0])
        self.assertEqual(first["question"], {"problem": WRONG["question"], "ground_truth_answer": "10",
                                             "pre_generated_answer": "11"})
        steps = first["label"]["steps"]
        self.assertEqual([step["completions"][0]["rating"] for step in steps], [1, -1, 0])
        self.assertEqual([step["completions"][0]["text"] for step in steps], WRONG["steps"])
        self.assertEqual(first["label"]["finish_reason"], "solution")
        ended = json.loads(convert("prm800k", chain(steps=["a", "b", "c"], label=1)).out)["label"]
        self.assertEqual([s["completions"][0]["rating"] for s in ended["steps"]], [1, -1, None])
        self.assertEqual(ended["finish_reason"], "found_error")

    def test_inspect(self):
        log = json.loads(self.converted("inspect"))
        self.assertEqual([(s["id"], s["epoch"]) for s in log["samples"]], [("q1", 1), ("q1", 2)])
        sample = log["samples"][0]
        self.assertEqual((sample["input"], sample["target"]), (WRONG["question"], "10"))
        score = sample["scores"]["calculations"]
        self.assertEqual(score["value"]["n_contradict"], 1)
        self.assertEqual(score["explanation"], "step 1: 5 * 2 is 10, not 11")
        self.assertEqual(score["metadata"]["verdicts"][1]["evidence"]["calculations"][0]["value"], "10")
        self.assertEqual(sample["scores"]["correct"]["value"], "I")
        self.assertEqual(log["samples"][1]["scores"]["correct"]["value"], "C")

    def test_inspect_states_the_time_that_source_date_epoch_says(self):
        ended = rederive("convert", "-t", "inspect", stdin=self.checked, env={"SOURCE_DATE_EPOCH": "86400"})
        self.assertEqual(json.loads(ended.out)["eval"]["created"], "1970-01-02T00:00:00+00:00")

    def test_label_studio(self):
        task = json.loads(self.converted("label-studio"))[0]
        spans = [(r["value"]["labels"], r["value"]["text"]) for r in task["predictions"][0]["result"]]
        self.assertEqual(spans, [(["wrong step"], "5 * 2 = 11"), (["wrong calculation"], "5 * 2 = 11")])
        for r in task["predictions"][0]["result"]:
            value = r["value"]
            self.assertEqual(task["data"]["solution"][value["start"]:value["end"]], value["text"])

    def test_label_studio_counts_characters_and_not_bytes(self):
        ended = convert("label-studio", *rederive("check", "-q", stdin=lines(
            chain(steps=["\U0001f600 é", "\U0001f600 So: 2 + 2 = 5 = 6."]))).records)
        task = json.loads(ended.out)[0]
        spans = [r["value"] for r in task["predictions"][0]["result"]]
        self.assertEqual([s["text"] for s in spans], ["\U0001f600 So: 2 + 2 = 5 = 6.", "2 + 2 = 5", " = 6"])
        for s in spans:
            self.assertEqual(task["data"]["solution"][s["start"]:s["end"]], s["text"])

    def test_label_studio_predicts_nothing_where_nothing_is_known(self):
        self.assertEqual(json.loads(convert("label-studio", WRONG).out)[0]["predictions"], [])

    def test_phoenix(self):
        data = json.loads(self.converted("phoenix"))["data"]
        self.assertEqual([a["name"] for a in data],
                         ["calculations"] + 3 * ["calculations.step"] + ["calculations"] + 2 * ["calculations.step"])
        self.assertEqual(data[0]["span_id"], "00ab")
        self.assertEqual(data[0]["result"]["label"], "wrong")
        self.assertEqual(data[2]["result"], {"label": "contradict", "score": 0, "explanation": "5 * 2 is 10, not 11"})
        self.assertEqual(len({(a["span_id"], a["name"], a["identifier"]) for a in data}), len(data))

    def test_phoenix_needs_spans_and_a_check(self):
        ended = convert("phoenix", {**checked(["support"]), "trace": "1f"})
        self.assert_ended(ended, 3)
        self.assertIn('no "span_id"', ended.err)
        self.assertEqual(json.loads(ended.out), {"data": []})
        ended = convert("phoenix", {**checked(["support"]), "trace": "1f"}, args=["--span-from", "trace"])
        self.assertEqual(json.loads(ended.out)["data"][0]["span_id"], "1f")
        self.assertIn("run 'rederive check' first", convert("phoenix", WRONG).err)

    def test_phoenix_says_once_for_a_file_that_it_has_no_spans(self):
        records = [{**checked(["support"]), "id": str(i)} for i in range(3)]
        names = [self.write(name, lines(*records)) for name in ("a.jsonl", "b.jsonl")]
        ended = rederive("convert", "--to", "phoenix", *names)
        self.assert_ended(ended, 3)
        self.assertEqual(ended.err.count("--span-from names another member"), 2)
        self.assertIn("6 records failed", ended.err)
        one = {**records[0], "span_id": "1f"}
        ended = convert("phoenix", *records, one)
        self.assert_ended(ended, 1)
        self.assertEqual(json.loads(ended.out)["data"][0]["span_id"], "1f")

    def test_phoenix_annotates_the_spans_of_opentelemetry(self):
        messages = [{"role": "assistant", "parts": [{"type": "text", "content": "2 + 3 = 6"}]}]
        span = {"spanId": "00f067aa0ba902b7", "attributes": [
            {"key": "gen_ai.output.messages", "value": {"stringValue": json.dumps(2 * messages)}}]}
        trace = lines({"resourceSpans": [{"scopeSpans": [{"spans": [span]}]}]})
        ended = rederive("convert", "-q", "--to", "phoenix", stdin=rederive("check", "-q", stdin=trace).out)
        self.assert_ended(ended, 0)
        self.assertEqual([a["span_id"] for a in json.loads(ended.out)["data"]], 4 * ["00f067aa0ba902b7"])

    def test_csv(self):
        text = self.converted("csv")
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        self.assertEqual(text.count("\r\n"), 6)
        self.assertEqual([r["verdict"] for r in rows], ["support", "contradict", "unrelated", "support", "support"])
        self.assertEqual(rows[1]["explanation"], "5 * 2 is 10, not 11")
        self.assertEqual((rows[1]["id"], rows[1]["step"], rows[1]["first_error"]), ("q1/0", "1", "1"))

    def test_csv_has_no_formulas(self):
        cells = ["=HYPERLINK(\"http://x\")", "+1", "-2 \"quoted\"", "@SUM(A1)", "\tx", "a,b\nc"]
        text = convert("csv", chain(steps=cells)).out
        rows = list(csv.DictReader(io.StringIO(text, newline="")))
        self.assertEqual([r["text"] for r in rows], ["'" + c for c in cells[:5]] + cells[5:])

    def test_jsonl_is_what_check_writes(self):
        self.assertEqual(self.converted("jsonl"), self.checked)

    def test_every_format_writes_nothing_of_nothing(self):
        for to in FORMATS:
            with self.subTest(to=to):
                ended = convert(to)
                self.assert_ended(ended, 0)
                if to in ("inspect", "label-studio", "phoenix"):
                    json.loads(ended.out)


class Undecided(Case):
    """A step that is not known to be right never becomes a right one."""

    def labels(self, record, *args):
        ended = convert("trl", record, args=args)
        self.assert_ended(ended, 0)
        return [r["labels"] for r in ended.records], ended.err

    def test_unknown_ends_the_solution(self):
        record = checked(["support", "unknown", "support"])
        for unrelated in ("cut", "wrong", "right"):
            labels, told = self.labels(record, "--unrelated", unrelated)
            self.assertEqual(labels, [[True]])
            self.assertIn("1 of them cut before the first step", told)

    def test_unknown_at_the_beginning_leaves_the_chain_out(self):
        labels, told = self.labels(checked(["unknown", "support"]))
        self.assertEqual(labels, [])
        self.assertIn("0 chains written; 1 left out", told)

    def test_unrelated(self):
        record = checked(["support", "unrelated", "contradict"])
        for unrelated, expected in (("cut", [True]), ("wrong", [True, False, False]),
                                    ("right", [True, True, False])):
            self.assertEqual(self.labels(record, "--unrelated", unrelated)[0], [expected])

    def test_steps_without_a_verdict(self):
        record = checked(["support", "support", "support"])
        del record["verdicts"][1]
        self.assertEqual(self.labels(record)[0], [[True]])
        ratings = json.loads(convert("prm800k", record).out)["label"]
        self.assertEqual([s["completions"][0]["rating"] for s in ratings["steps"]], [1, None, 1])
        self.assertIsNone(ratings["finish_reason"])

    def test_a_locator_says_nothing_of_the_steps_after_the_error(self):
        self.assertEqual(self.labels(located(1, "contradict"))[0], [[True, False]])
        self.assertEqual(self.labels(located(None, "support"))[0], [[True, True, True]])
        self.assertEqual(self.labels(located("unknown", "unknown"))[0], [])
        self.assertEqual(self.labels(located(None, "contradict"))[0], [])

    def test_labels(self):
        record = chain(steps=["a", "b", "c"], label=1)
        self.assertEqual(self.labels(record)[0], [[True, False]])
        self.assertEqual(self.labels({**record, "label": None})[0], [[True, True, True]])
        del record["label"]
        self.assertEqual(self.labels(record)[0], [])

    def test_step_labels_go_before_the_label_and_have_to_agree(self):
        one = {"annotator": "a", "criterion": "correct", "labels": [True, None, False]}
        two = {"annotator": "b", "criterion": "correct", "labels": [True, True, False]}
        other = {"annotator": "b", "criterion": "relevance", "labels": [False, False, False]}
        record = chain(steps=["a", "b", "c"], label=2, step_labels=[one, other])
        self.assertEqual(self.labels(record)[0], [[True]])
        record["step_labels"] = [two, other]
        self.assertEqual(self.labels(record)[0], [[True, True, False]])
        record["step_labels"] = [two, {**two, "annotator": "c", "labels": [True, False, False]}]
        self.assertEqual(self.labels(record)[0], [[True]])

    def test_method(self):
        record = checked(["contradict", "support"])
        check = {name: record[name] for name in ("verdicts", "confidence", "first_error")}
        other = {**check, "verdicts": [{"step": 0, "verdict": "support", "score": 1}]}
        record["checks"] = {"other": other, "by-hand": check}
        self.assertEqual(self.labels(record)[0], [[False, True]])
        self.assertEqual(self.labels(record, "--method", "other")[0], [[True]])
        ended = convert("trl", record, args=["-m", "selfcheck"])
        self.assert_ended(ended, 3)
        self.assertIn("no check by selfcheck", ended.err)
        ended = convert("trl", record, args=["-m", "other", "--label-source", "label"])
        self.assert_ended(ended, 2)

    def test_label_source(self):
        record = checked(["contradict", "support"], label=None)
        self.assertEqual(self.labels(record)[0], [[False, True]])
        self.assertEqual(self.labels(record, "--label-source", "label")[0], [[True, True]])


class RoundTrips(Case):
    """What convert wrote is read again as the same question, steps and opinions."""

    def again(self, to, *args):
        checked = rederive("check", "-q", stdin=lines(WRONG, RIGHT)).out
        name = self.write("made.json", rederive("convert", "-q", "-t", to, *args, stdin=checked).out)
        ended = rederive("convert", "-q", "-t", "jsonl", name)
        self.assert_ended(ended, 0)
        return ended.records

    def assert_same(self, again, labels):
        for was, now, label in zip((WRONG, RIGHT), again, labels):
            self.assertEqual((now["question"], now["steps"]), (was["question"], was["steps"]))
            self.assertEqual(now["step_labels"][0]["labels"], label)
            self.assertEqual(now["label"], label.index(False) if False in label else None)

    def test_trl(self):
        self.assert_same(self.again("trl", "--unrelated", "wrong"), ([True, False, False], [True, True]))

    def test_inspect(self):
        made = lines(dict(WRONG, label=1, steps=["Step 1: 2 + 3 = 5\n\nGood.", "5 * 2 = 11", "So 11."]), RIGHT)
        log = json.loads(rederive("convert", "-q", "-t", "inspect", stdin=made).out)
        again = rederive("convert", "-q", "-t", "jsonl", self.write("log.json", json.dumps(log))).records
        for was, now in zip(map(json.loads, made.splitlines()), again):
            for name in ("id", "question_id", "question", "steps", "answer", "gold", "label"):
                self.assertEqual(now.get(name, "none"), was.get(name, "none"), name)
            self.assertNotIn("generator", now)
        log["samples"][0]["output"]["choices"][0]["message"]["content"] = "Another reply.\nSo 10."
        again = rederive("convert", "-q", "-t", "jsonl", self.write("log.json", json.dumps(log))).records
        self.assertEqual(again[0]["steps"], ["Another reply.", "So 10."])
        self.assertNotIn("label", again[0])

    def test_prm800k(self):
        again = self.again("prm800k")
        self.assert_same(again, ([True, False, None], [True, True]))
        self.assertEqual([(r["gold"], r["answer"]) for r in again], [("10", "11"), ("10", "10")])


class Runs(Case):
    def test_failed_records_are_told_and_left_out(self):
        ended = rederive("convert", "-t", "trl", stdin=lines(chain(label=None), "{", {"question": "q"}))
        self.assert_ended(ended, 1)
        self.assertEqual(len(ended.records), 1)
        self.assertIn("a question without steps", ended.err)
        self.assertIn("2 records failed", ended.err)

    def test_usage(self):
        self.assertIn("--to FORMAT is required", rederive("convert", stdin="").err)
        self.assertIn("must be one of " + "|".join(FORMATS), rederive("convert", "-t", "xml").err)

    def test_labelling_config(self):
        ended = rederive("convert", "--labelling-config")
        self.assert_ended(ended, 0)
        self.assertIn('<Text name="solution" value="$solution"/>', ended.out)

    def test_the_right_answer_is_shown_or_left_out(self):
        given = lines(chain(gold="5"))
        shown, blind = (json.loads(rederive("convert", "-t", "label-studio", *args, stdin=given).out)[0]["data"]
                        for args in ([], ["--no-target"]))
        self.assertEqual(shown.pop("gold"), "5")
        self.assertEqual(shown, blind)
        shown, blind = (rederive("convert", "--labelling-config", *args).out for args in ([], ["--no-target"]))
        self.assertIn('value="$gold"', shown)
        self.assertIn("may contain a wrong step", shown)
        self.assertNotIn("$gold", blind)
        ended = rederive("convert", "-t", "csv", "--no-target", stdin=given)
        self.assert_ended(ended, 2)
        self.assertIn("--no-target has no effect with --to csv", ended.err)

    def test_an_interrupted_list_can_be_read(self):
        out = self.path("tasks.json")
        run = subprocess.Popen([PROGRAM, "convert", "-t", "label-studio", "-o", out], stdin=subprocess.PIPE,
                               stderr=subprocess.PIPE)
        run.stdin.write(lines(*[chain(id=str(i)) for i in range(3)]).encode())
        run.stdin.flush()
        time.sleep(0.5)
        run.send_signal(signal.SIGINT)
        run.stdin.close()
        run.stderr.read()
        run.stderr.close()
        self.assertEqual(run.wait(), 130)
        self.assertFalse(os.path.exists(out))
        self.assertLessEqual(len(json.loads(self.read("tasks.json.partial"))), 3)


if __name__ == "__main__":
    unittest.main()
