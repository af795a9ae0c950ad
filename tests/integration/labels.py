# SPDX-License-Identifier: Apache-2.0
"""check --as-labels: what a method found becomes labels, and what needs labels takes them."""
import json
import os
import pathlib
import unittest

from support import Case, chain, lines, rederive

DATA = pathlib.Path(os.environ["RDV_SHARED"]) / "big-bench-mistake"
VERSION = rederive("--version").out.split()[1]
QUESTION = "Complete the rest of the sequence, making sure that the parentheses are closed properly. Input: [ ("
RIGHT = ["We should process each input one by one.", "stack: empty", "[ ; stack: [", "( ; stack: [ (",
         "Now, we have reached the end. The final stack is \"[ (\".",
         "We will need to pop out \"(\", \"[\" one by one in that order.", "So we need \")\", \"]\". So the answer is ) ]"]
WRONG = RIGHT[:3] + ["( ; stack: ("] + RIGHT[4:]
UNREAD = RIGHT[:3] + ["Something happens to the brackets (."] + RIGHT[4:]


def trace(steps, **more):
    """As a program in the paper's manner writes it: no mistake is known yet."""
    return {"input": QUESTION, "steps": steps, "answer": ") ]", "target": ") ]", **more}


class AsLabels(Case):
    def check(self, *records, args=(), status=0):
        ended = rederive("check", "-m", "dyck", "--as-labels", *args, stdin=lines(*records))
        self.assert_ended(ended, status)
        return ended

    def test_findings_become_labels(self):
        ended = self.check(trace(RIGHT), trace(WRONG), trace(UNREAD), args=["--json"])
        right, wrong, unread = ended.records
        self.assertEqual([right["label"], wrong["label"]], [None, 3])
        for record in (right, wrong):
            self.assertEqual(record["label_source"], {"method": "dyck", "rederive_version": VERSION})
        self.assertNotIn("label", unread)
        self.assertNotIn("label_source", unread)
        summary = json.loads(ended.err.splitlines()[-1])
        self.assertEqual([summary[f"n_{name}"] for name in
                          ("labelled", "labels_kept", "label_conflicts", "unlabelled")], [2, 0, 0, 1])

    def test_without_the_option_there_is_no_label(self):
        ended = rederive("check", "-m", "dyck", "--json", stdin=lines(trace(WRONG)))
        self.assertNotIn("label", ended.records[0])
        self.assertEqual(ended.records[0]["first_error"], 3)

    def test_a_check_of_the_first_steps_does_not_say_that_there_is_no_mistake(self):
        for n, label in (("4", 3), ("3", "none given")):
            record = self.check(trace(WRONG), args=["--first-steps", n]).records[0]
            self.assertEqual(record.get("label", "none given"), label)

    def test_a_label_that_is_there_stays(self):
        labelled = trace(WRONG, mistake_index=2), trace(WRONG, mistake_index=3)
        kept = self.check(*labelled)
        self.assertEqual([r["label"] for r in kept.records], [2, 3])
        self.assertFalse(any("label_source" in r for r in kept.records))
        self.assertIn("standard input:1: input/0: its label is step 2, dyck finds step 3; the label is kept "
                      "(--replace-labels replaces it)", kept.err)
        self.assertIn("0 labelled, 2 with a label before, 1 conflict, 0 without a label", kept.err)
        taken = self.check(*labelled, args=["--replace-labels"])
        self.assertEqual([r["label"] for r in taken.records], [3, 3])
        self.assertEqual([r["label_source"]["method"] for r in taken.records], ["dyck", "dyck"])
        self.assertIn("the label is replaced", taken.err)
        undecided = self.check(trace(UNREAD, mistake_index=2), args=["--replace-labels"])
        self.assertEqual(undecided.records[0]["label"], 2)

    def test_conflicts_are_not_listed_without_end(self):
        err = self.check(*[trace(WRONG, mistake_index=1)] * 14).err
        self.assertEqual(err.count("the label is kept"), 10)
        self.assertIn("and so for 4 more", err)

    def test_options_without_effect(self):
        for args, says in ((["--view"], "--as-labels writes records"), (["--list"], "--as-labels writes records")):
            self.assertIn(says, self.check(trace(RIGHT), args=args, status=2).err)
        ended = rederive("check", "--replace-labels", stdin=lines(chain()))
        self.assertEqual(ended.status, 2)
        self.assertIn("--replace-labels has no effect without --as-labels", ended.err)

    def test_the_model_that_was_asked_is_named(self):
        ended = rederive("check", "-m", "direct-step-0shot", "-M", "builtin", "--profile", "paper", "--as-labels",
                         "-q", stdin=lines(trace(RIGHT)))
        record = ended.records[0]
        decided = all(v["verdict"] == "support" for v in record["verdicts"][:record["first_error"] or len(RIGHT)])
        if decided and record["first_error"] != "unknown":
            self.assertEqual(record["label_source"], {"method": "direct-step-0shot", "rederive_version": VERSION,
                                                      "checker": record["checker"], "profile": "paper"})
        else:
            self.assertNotIn("label", record)

    def test_annotators_replace_the_label_and_its_source(self):
        self.write("labelled.jsonl", self.check(trace(WRONG), trace(RIGHT)).out)
        marks = lines(*({"id": "input/0", "annotator": by, "first_error": 4} for by in "abc"))
        self.write("marks.jsonl", marks)
        merged = rederive("annotate", "merge", "-l", "marks.jsonl", "labelled.jsonl", cwd=self.folder)
        self.assert_ended(merged, 0)
        people, method = merged.records
        self.assertEqual([people["label"], people["label_source"]], [4, {"criterion": "correct", "n_annotators": 3}])
        self.assertEqual([method["label"], method["label_source"]["method"]], [None, "dyck"])

    def test_a_foreign_record_brings_no_provenance_of_ours(self):
        """A log of requests with members of our names: they would be read as what our commands wrote."""
        log = {"prompt": "What is 2 + 3?", "response": "2 + 3 = 5. The answer is 5.", "label_source": {"method": "dyck"}, "label": 0,
               "checker": "x", "profile": "paper", "repair": {"changed": True, "first_generator": "y"}, "repairs": [], "mine": 1}
        ended = rederive("check", "-q", stdin=lines(log))
        self.assert_ended(ended, 0)
        [record] = ended.records
        self.assertFalse({"label_source", "label", "checker", "profile", "repair", "repairs"} & set(record), record)
        self.assertEqual(record["mine"], 1)

    def test_repair_takes_the_label_and_drops_it_with_the_old_steps(self):
        labelled = self.check(trace(WRONG), trace(RIGHT), trace(UNREAD)).out
        ended = rederive("repair", "--locator", "gold", "-M", "builtin", stdin=labelled)
        self.assert_ended(ended, 0)
        self.assertIn("1 without a location", ended.err)
        wrong, right, unread = ended.records
        self.assertEqual([r["repair"]["stop_reason"] for r in (wrong, right, unread)],
                         ["rounds", "passed", "not located"])
        self.assertEqual(wrong["repairs"][0]["step"], 3)
        if wrong["repair"]["changed"]:
            self.assertNotIn("label_source", wrong)
        self.assertIn("label_source", right)


class Traces(Case):
    """Generated traces, and the paper's own."""

    def table2(self, records):
        ended = rederive("eval", "--recipe", "mistakes:table2", "--json", stdin=records)
        self.assert_ended(ended, 0)
        return {row["task"]: row for row in json.loads(ended.out)["rows"] if row["task"] and not row["subsampled"]}

    def test_generated_traces(self):
        for task, method in (("dyck_languages", "dyck"), ("word_sorting", "sorting")):
            made = rederive("tasks", "-t", task, "-n", "40", "--mistakes", "0.5").records
            bare = lines(*({k: v for k, v in r.items() if k != "label"} for r in made))
            ended = rederive("check", "-m", method, "--as-labels", stdin=bare)
            self.assert_ended(ended, 0)
            self.assertEqual([r["label"] for r in ended.records], [r["label"] for r in made], task)

    @unittest.skipUnless(DATA.is_dir(), "no recorded traces: RDV_SHARED names no folder with big-bench-mistake")
    def test_the_paper_s_dyck_traces(self):
        with open(DATA / "dyck_languages.jsonl", encoding="utf-8") as file:
            released = [json.loads(line) for line in file]
        bare = lines(*({k: v for k, v in r.items() if k != "mistake_index"} for r in released))
        ended = rederive("check", "-m", "dyck", "--as-labels", stdin=bare)
        self.assert_ended(ended, 0)
        self.assertEqual([r["label"] for r in ended.records], [r["mistake_index"] for r in released])
        row = self.table2(ended.out)["dyck_languages"]
        self.assertEqual(row["n_with_mistake"], sum(r["mistake_index"] is not None for r in released))
        before = rederive("check", "-m", "dyck", stdin=bare)
        self.assertFalse(any("label" in r for r in before.records))


if __name__ == "__main__":
    unittest.main()
