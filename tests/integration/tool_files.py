# SPDX-License-Identifier: Apache-2.0
"""Files that real tools wrote are read as they are: the wrong calculations are found, and no right one is called wrong.

tests/tools/make_*.py made the files of tests/golden/tool-files; their solutions are wrong exactly where WRONG says."""
import json
import os
import sys
import unittest

from support import Case, lines, rederive

ROOT = os.environ["RDV_SOURCE"]
FOLDER = os.path.join(ROOT, "tests/golden/tool-files")
sys.path.insert(0, os.path.join(ROOT, "tests/tools"))
from make_api_files import BAKERY, GOLD, SYSTEM, THOUGHT, TRAIN, WRONG  # noqa: E402

# Of each file: its chains, the records that fail, and whether it has the questions.
FILES = {
    "openai-chat.jsonl": (4, 0, False),
    "openai-chat-array.json": (4, 0, False),
    "openai-chat-pretty.json": (4, 0, False),
    "openai-pairs.jsonl": (2, 0, True),
    "openai-responses.jsonl": (2, 0, False),
    "openai-batch-output.jsonl": (2, 1, False),
    "reasoning-content.jsonl": (2, 0, False),
    "think-tags.jsonl": (2, 0, False),
    "anthropic-messages.jsonl": (2, 0, False),
    "anthropic-pairs.jsonl": (2, 0, True),
    "anthropic-batch.jsonl": (1, 1, False),
    "messages.jsonl": (2, 0, True),
    "sharegpt.jsonl": (2, 0, True),
    "prompt-completion.jsonl": (2, 0, True),
    "conversational.jsonl": (2, 0, True),
    "alpaca.jsonl": (2, 0, True),
    "generations.jsonl": (4, 0, True),
    "verl.jsonl": (2, 0, True),
    "trl-stepwise.jsonl": (2, 0, True),
    "otel-genai.jsonl": (2, 0, True),
    "lm-eval-samples.jsonl": (4, 0, True),
    "stream-chat.txt": (2, 0, False),
    "stream-messages.txt": (2, 0, False),
    "stream-responses.txt": (2, 0, False),
    "claude-code-transcript.jsonl": (2, 0, False),
    "claude-code-stream.jsonl": (2, 0, False),
    "codex-rollout.jsonl": (2, 0, False),
    "codex-exec.jsonl": (2, 0, False),
    "promptfoo-results.json": (2, 1, True),
    "promptfoo-rows.jsonl": (2, 1, True),
    "langfuse-observations.json": (2, 0, True),
    "langsmith-runs.jsonl": (2, 0, True),
    "phoenix-spans.json": (2, 0, True),
    "phoenix-frame.jsonl": (2, 0, True),
    "weave-calls.jsonl": (2, 0, True),
}
SESSIONS = ["claude-code-transcript.jsonl", "claude-code-stream.jsonl", "codex-rollout.jsonl", "codex-exec.jsonl",
            "langfuse-observations.json", "langsmith-runs.jsonl", "phoenix-spans.json", "phoenix-frame.jsonl", "weave-calls.jsonl"]
REASONING = ["reasoning-content.jsonl", "stream-responses.txt", "stream-messages.txt", "think-tags.jsonl", "openai-responses.jsonl", "anthropic-messages.jsonl", "otel-genai.jsonl"]


def is_wrong(step):
    return any(wrong in step for wrong in WRONG)


class ToolFiles(Case):
    def check(self, name, *options, status=0):
        ended = rederive("check", name, *options, cwd=FOLDER)
        self.assert_ended(ended, status)
        return [r for r in ended.records if "error" not in r], [r for r in ended.records if "error" in r], ended.err

    def test_each_file_of_the_folder_is_in_the_table(self):
        asked = {"openai-batch-requests.jsonl"}  # only questions
        others = {n for n in os.listdir(FOLDER) if n.startswith(("inspect", "pandas"))}  # logs and tables have tests of their own
        self.assertEqual(set(os.listdir(FOLDER)) - asked - others, set(FILES))

    def test_wrong_steps_are_found_and_no_others(self):
        for name, (n_chains, n_failed, asks) in FILES.items():
            with self.subTest(file=name):
                chains, failed, said = self.check(name, status=1 if n_failed else 0)
                self.assertEqual((len(chains), len(failed)), (n_chains, n_failed))
                found = 0
                for chain in chains:
                    for step, verdict in zip(chain["steps"], chain["verdicts"], strict=True):
                        self.assertEqual(verdict["verdict"] == "contradict", is_wrong(step), step)
                        found += is_wrong(step)
                self.assertGreater(found, 0)
                self.assertEqual(all("question" in c for c in chains), asks)
                self.assertEqual(said.count("a reply without its question"), 0 if asks else 1)  # once a file

    def test_records_of_all_kinds_in_one_file(self):
        """As lines and as one list, each record twice: what is read does not depend on its neighbours."""
        records = []
        for name in FILES:
            if name.endswith(".jsonl"):
                with open(os.path.join(FOLDER, name), encoding="utf-8") as file:
                    records += [json.loads(line) for line in file] * 2
        want = [2 * sum(FILES[n][k] for n in FILES if n.endswith(".jsonl")) for k in (0, 1)]
        self.write("lines.jsonl", lines(*records))
        self.write("list.json", json.dumps(records))
        for name in ("lines.jsonl", "list.json"):
            with self.subTest(file=name):
                ended = rederive("check", name, cwd=self.folder)
                failed = [r for r in ended.records if "error" in r]
                self.assertEqual([len(ended.records) - len(failed), len(failed)], want)
                self.assertEqual(ended.err.count("a reply without its question"), 1)

    def test_the_questions_gold_answers_and_models(self):
        for name in ("openai-pairs.jsonl", "messages.jsonl", "sharegpt.jsonl", "prompt-completion.jsonl", "verl.jsonl",
                     "anthropic-pairs.jsonl", "otel-genai.jsonl"):
            with self.subTest(file=name):
                self.assertEqual([c["question"] for c in self.check(name)[0]], [BAKERY, TRAIN])
        for name in ("openai-pairs.jsonl", "messages.jsonl", "anthropic-pairs.jsonl", "otel-genai.jsonl"):
            with self.subTest(file=name):
                self.assertEqual({c["system_prompt"] for c in self.check(name)[0]}, {SYSTEM})
        for name in ("generations.jsonl", "verl.jsonl", "lm-eval-samples.jsonl"):
            with self.subTest(file=name):
                self.assertEqual(sorted({c["gold"] for c in self.check(name)[0]}), GOLD)
        self.assertEqual({c["generator"] for c in self.check("otel-genai.jsonl")[0]}, {"made-up-1"})

    def test_replies_to_one_question_vote_together(self):
        for name in ("openai-chat.jsonl", "generations.jsonl", "lm-eval-samples.jsonl"):
            with self.subTest(file=name):
                ended = rederive("vote", "-q", name, cwd=FOLDER)
                self.assertEqual([r["n_chains"] for r in ended.records], [2, 2])

    def test_labels_of_steps(self):
        for chain in self.check("trl-stepwise.jsonl")[0]:
            self.assertEqual(chain["label"], chain["first_error"])

    def test_what_others_than_models_said_is_told_once_and_never_checked(self):
        """Of users, tools, what is given to tools, and what an application repeats."""
        for name in FILES:
            with self.subTest(file=name):
                ended = rederive("check", "--list", name, cwd=FOLDER)
                self.assertEqual(ended.err.count("what is no reply of a model"), name in SESSIONS)
                self.assertNotIn("2 + 2 = 5", ended.out)
                self.assertNotIn("3 + 3 = 7", ended.out)

    # ---- batches ----

    def test_batch_and_its_requests_in_any_order(self):
        output, requests = "openai-batch-output.jsonl", "openai-batch-requests.jsonl"
        for files in ([output, requests], [requests, output], [output, "--join", requests]):
            with self.subTest(files=files):
                ended = rederive("check", *files, cwd=FOLDER)
                self.assert_ended(ended, 1)
                self.assertEqual([r.get("question") for r in ended.records], [BAKERY, TRAIN, None])
                self.assertEqual([r["id"] for r in ended.records], ["bakery", "train", "late"])
                self.assertEqual([r.get("first_error") for r in ended.records], [0, 2, None])
                self.assertIn("could not be executed", ended.records[2]["error"])
                self.assertNotIn("verdicts", ended.records[2])
                self.assertIn("1 record failed", ended.err)
                self.assertNotIn("without its question", ended.err)  # a request that failed has no reply

    def test_gold_answers_are_joined_beside_the_requests(self):
        self.write("gold.jsonl", lines({"id": "bakery", "question": BAKERY, "answer": "350"}))
        ended = rederive("check", "openai-batch-output.jsonl", "openai-batch-requests.jsonl", "--join", self.path("gold.jsonl"),
                         cwd=FOLDER)
        self.assertEqual(ended.records[0]["gold"], "350")
        self.assertEqual(ended.records[0]["system_prompt"], SYSTEM)

    def test_requests_alone_are_questions(self):
        ended = rederive("solve", "--dry-run", "openai-batch-requests.jsonl", cwd=FOLDER)
        self.assert_ended(ended, 0)
        self.assertIn("2", ended.err + ended.out)

    # ---- reasoning ----

    def test_reasoning_is_kept_apart_and_checked_when_asked(self):
        for name in REASONING:
            with self.subTest(file=name):
                plain, checked = self.check(name)[0], self.check(name, "--check-reasoning")[0]
                for one, both in zip(plain, checked, strict=True):
                    self.assertEqual(one["reasoning"], THOUGHT)
                    self.assertNotIn("n_reasoning_steps", one)
                    n = both["n_reasoning_steps"]
                    self.assertGreater(n, 0)
                    self.assertEqual("\n".join(both["steps"][:n]), THOUGHT)
                    self.assertEqual(both["steps"][n:], one["steps"])
                    self.assertEqual(both["answer"], one["answer"])
                    self.assertEqual(both["first_error"], one["first_error"] + n)

    def test_views_mark_the_steps_of_the_reasoning(self):
        self.write("one.jsonl", lines({"prompt": "q", "completion": "<think>2+2=4</think>1+1=2"}))
        seen = rederive("check", "--view", "--check-reasoning", "one.jsonl", cwd=self.folder).out
        self.assertIn("2+2=4  [reasoning]", seen)
        self.assertEqual(seen.count("[reasoning]"), 1)

    def test_the_count_of_reasoning_is_kept_as_it_is(self):
        record = {"question": "q", "steps": ["2+2=4", "1+1=3"], "n_reasoning_steps": 1}
        kept, = rederive("check", "-q", stdin=lines(record)).records
        self.assertEqual(kept["n_reasoning_steps"], 1)
        for odd in (3, -1, "x", None, 1.5):  # carried along, as unknown members are
            found, = rederive("check", "-q", stdin=lines({**record, "n_reasoning_steps": odd})).records
            self.assertEqual(found["n_reasoning_steps"], odd)

    def test_own_records_with_reasoning(self):
        first = rederive("check", "-q", "think-tags.jsonl", cwd=FOLDER)
        again = rederive("check", "-q", "--check-reasoning", stdin=first.out)
        direct = rederive("check", "-q", "--check-reasoning", "think-tags.jsonl", cwd=FOLDER)
        for a, b in zip(again.records, direct.records, strict=True):
            self.assertEqual(a["steps"], b["steps"])
            self.assertEqual(a["verdicts"], b["verdicts"])
        third = rederive("check", "-q", "--check-reasoning", stdin=direct.out)  # not put before twice
        self.assertEqual(third.out, direct.out)

    def test_labels_move_with_the_steps(self):
        record = {"question": "q", "steps": ["1+1=2", "1+1=3"], "reasoning": "2+2=4", "label": 1, "scores": {"prm": [0.9, 0.1]},
                  "step_labels": [{"annotator": "a", "criterion": "correct", "labels": [True, False]}], "logprobs": [[-1], [-2]]}
        found, = rederive("check", "-q", "--check-reasoning", stdin=lines(record)).records
        self.assertEqual(found["steps"], ["2+2=4", "1+1=2", "1+1=3"])
        self.assertEqual((found["label"], found["first_error"]), (2, 2))
        self.assertEqual(found["scores"], {"prm": [None, 0.9, 0.1]})
        self.assertEqual(found["step_labels"][0]["labels"], [None, True, False])
        self.assertEqual(found["logprobs"], [[], [-1], [-2]])

    def test_a_reply_of_reasoning_alone(self):
        self.write("cut.jsonl", lines({"prompt": "What is 2+2?", "completion": "<think>2+2=4 and"}))
        ended = rederive("check", "cut.jsonl", cwd=self.folder)
        self.assert_ended(ended, 3)
        self.assertIn("--check-reasoning", ended.err)
        self.assertNotIn("verdicts", ended.records[0])
        found, = rederive("check", "--check-reasoning", "cut.jsonl", cwd=self.folder).records
        self.assertEqual(found["verdicts"][0]["verdict"], "support")
        self.assertIsNone(found["answer"])  # what was only thought is no answer
        self.assertIn("no answer text", found["incomplete_reason"])

    # ---- NaN ----

    def test_nan_is_null_and_said_once(self):
        text = "\n".join(json.dumps({"question": "q", "steps": ["1+1=3"], "x": x}) for x in (float("nan"), float("-inf"), 1.0))
        self.write("nan.jsonl", text + "\n")
        self.write("nan.json", "[\n" + ",\n".join(text.split("\n")) + "\n]")
        for name in ("nan.jsonl", "nan.json"):
            with self.subTest(file=name):
                ended = rederive("check", name, cwd=self.folder)
                self.assert_ended(ended, 0)
                self.assertEqual([r["x"] for r in ended.records], [None, None, 1])
                self.assertEqual(ended.err.count("NaN"), 1)
                self.assertEqual(rederive("check", "-q", name, cwd=self.folder).err, "")

    # ---- hostile ----

    def test_many_replies_and_many_spans_take_linear_time(self):
        choices = [{"message": {"role": "assistant", "content": "1+1=3"}}] * 10000
        span = {"spanId": "x", "attributes": [{"key": "gen_ai.output.messages", "value": {"stringValue": json.dumps(
            [{"role": "assistant", "parts": [{"type": "text", "content": "1+1=3"}]}])}}]}
        self.write("many.jsonl", lines({"object": "chat.completion", "choices": choices},
                                       {"resourceSpans": [{"scopeSpans": [{"spans": [span] * 10000}]}]}))
        ended = rederive("check", "many.jsonl", cwd=self.folder)
        self.assertEqual(len(ended.records), 20000)
        self.write("more.jsonl", lines({"object": "chat.completion", "choices": choices + choices}))
        ended = rederive("check", "more.jsonl", cwd=self.folder)
        self.assert_ended(ended, 3)
        self.assertIn("20000 chains, more than 10000", ended.err)

    def test_unclosed_tags_take_linear_time(self):
        for text in ("</think>" * 200000, "<think>" * 200000, "<think>a</think>" * 100000 + "1+1=3"):
            self.write("tags.jsonl", lines({"prompt": "q", "completion": text}))
            rederive("check", "tags.jsonl", cwd=self.folder)


if __name__ == "__main__":
    unittest.main()
