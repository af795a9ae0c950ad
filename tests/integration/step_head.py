# SPDX-License-Identifier: Apache-2.0
"""Steps that a step head of the built-in model judges, against a second implementation in Python."""
import json
import math
import os
import pathlib
import random
import sys
import unittest

from support import Case, lines, rederive

ROOT = pathlib.Path(os.environ["RDV_SOURCE"])
sys.path += [str(ROOT / "tests"), str(ROOT / "tests/reference"), str(ROOT / "train")]
import lm  # noqa: E402
import make_lm  # noqa: E402
import step_chains  # noqa: E402
import step_figures  # noqa: E402

CHAINS = [
    {"id": "a", "question": "Tom has 3 apples and eats one. How many are left?",
     "steps": ["Tom has 3 apples.", "3 - 1 = 2", "So 2 are left."]},
    {"id": "b", "question": "the apples", "steps": ["<|end|>", "an apple\n\nand the other", "caf\u00e9"]},
]


class Pieces:
    """The second implementation's tokenizer, as the training asks SentencePiece's."""

    def __init__(self, metadata):
        self.tokenizer, self.pieces = lm.Tokenizer(metadata), metadata["tokenizer.ggml.tokens"]

    def encode(self, text):
        return self.tokenizer.encode(text.encode())

    def piece_to_id(self, piece):
        return self.pieces.index(piece.encode())


def expected(path, chain):
    """P(right) of each step, in double precision."""
    reader = lm.Reader(path)
    layout = step_chains.Layout(Pieces(reader.metadata), reader.metadata["llama.context_length"])
    tokens, ends = layout.tokens(chain["question"], chain["steps"])
    model = lm.Model(reader)
    head, bias = reader.tensors["step_head.weight"][0], reader.metadata["rederive.step_head.bias"]
    states = [model.state(token, at) for at, token in enumerate(tokens)]
    return [1 / (1 + math.exp(lm.dot(states[at], head) + bias)) for at in ends]


class StepHead(Case):
    def setUp(self):
        super().setUp()
        self.file = self.path("steps.gguf")
        pathlib.Path(self.file).write_bytes(make_lm.make("f32", steps=True))
        self.model = "builtin:" + self.file
        self.write("chains.jsonl", lines(*CHAINS))

    def check(self, *args, method="prm:pooling-pairs", status=0):
        ended = rederive("check", "-q", "-m", method, "-M", self.model, *args, "chains.jsonl", cwd=self.folder)
        self.assert_ended(ended, status)
        return ended

    def scores(self, **how):
        return [[verdict.get("score") for verdict in record["verdicts"]] for record in self.check(**how).records]

    def test_the_scores_are_those_of_the_second_implementation(self):
        said = self.scores()
        for chain, scores in zip(CHAINS, said):
            for ours, theirs in zip(scores, expected(self.file, chain)):
                self.assertAlmostEqual(ours, theirs, delta=1e-5)
        self.assertGreater(len({round(score, 3) for scores in said for score in scores}), 3)
        self.assertEqual(said, self.scores(method="prm:embeddings-token-values"))

    def test_the_threshold_decides(self):
        low, high = sorted(self.scores()[0])[0::2]
        records = self.check("--prm-threshold", str((low + high) / 2)).records
        kinds = {verdict["verdict"] for verdict in records[0]["verdicts"]}
        self.assertEqual(kinds, {"support", "contradict"})

    def test_the_journal_answers_the_second_time(self):
        self.check("--journal", "j.jsonl", "--out", "a.jsonl")
        self.check("--journal", "j.jsonl", "--out", "b.jsonl", "--max-calls", "1")
        self.assertEqual(self.read("a.jsonl"), self.read("b.jsonl"))

    def test_a_locator_and_a_weight(self):
        self.write("chains.jsonl", lines(*({**CHAINS[0], "answer": str(i), "gold": "0"} for i in range(3))))
        ended = rederive("vote", "-q", "-w", "confidence:prm:pooling-pairs", stdin=self.check().out)
        self.assert_ended(ended, 0)
        self.assertNotIn("no weight", ended.err)
        ended = rederive("repair", "-q", "--locator", "prm:pooling-pairs", "--prm-threshold", "1", "-M", self.model,
                         stdin=lines({**CHAINS[0], "gold": "2"}))
        self.assertEqual(ended.records[0]["first_error"], 0)
        self.assertEqual(ended.records[0]["repairs"][0]["step"], 0)  # whatever the tiny model then writes

    def test_steps_beyond_the_context_are_unknown(self):
        chain = {"id": "c", "question": "the apples", "steps": ["Tom has 3 apples."] * 40}
        self.write("chains.jsonl", lines(chain))
        verdicts = self.check(status=0).records[0]["verdicts"]
        kinds = [verdict["verdict"] for verdict in verdicts]
        known = kinds.index("unknown")
        self.assertTrue(0 < known < 40)
        self.assertEqual(set(kinds[known:]), {"unknown"})

    def test_a_model_without_a_head_gives_no_rewards(self):
        pathlib.Path(self.file).write_bytes(make_lm.make("f32"))
        ended = rederive("check", "-q", "-m", "prm:pooling-pairs", "-M", self.model, "chains.jsonl", cwd=self.folder)
        self.assertNotIn("support", {v["verdict"] for r in ended.records for v in r.get("verdicts", [])})
        self.assertIn("no step head", ended.out + ended.err)

    def test_the_model_says_that_it_judges_steps(self):
        ended = rederive("models", "-M", self.model, "--json")
        self.assertIs(json.loads(ended.out)["step_head"], True)


class Training(unittest.TestCase):
    def test_the_first_step_that_reaches_the_threshold_is_the_location(self):
        self.assertEqual(step_chains.locate([0.1, 0.5, 0.9], 0.5), 1)
        self.assertEqual(step_chains.locate([0.1, math.nan, 0.9], 0.5), 2)
        self.assertEqual(step_chains.locate([0.1, 0.2], 0.5), -1)

    def test_the_threshold_reaches_the_most(self):
        chains = [step_chains.Chain("t", str(i), "q", ["a", "b"], label, False, step_chains.VALIDATION)
                  for i, label in enumerate((0, 1, -1))]
        at, reached = step_chains.fit_threshold(chains, [[0.8, 0.9], [0.3, 0.7], [0.1, 0.4]])
        self.assertTrue(0.4 < at < 0.7)
        self.assertEqual(reached, 100)

    def test_questions_are_divided_by_their_text_alone(self):
        parts = [step_chains.part_of(f"question {i}") for i in range(3000)]
        self.assertEqual(parts[7], step_chains.part_of("  Question   7 "))
        self.assertAlmostEqual(parts.count(step_chains.REPORT) / 3000, 1 / 3, delta=0.05)
        self.assertAlmostEqual(parts.count(step_chains.VALIDATION) / 3000, 2 / 15, delta=0.05)

    def test_a_chain_that_is_cut(self):
        layout = step_chains.Layout(Pieces(lm.Reader(self.model()).metadata), 60)
        tokens, ends = layout.tokens("the apples", ["Tom has 3 apples."] * 5)
        self.assertLess(len(tokens), 61)
        self.assertTrue(0 < len(ends) < 5)
        self.assertEqual(ends[-1], len(tokens) - 1)

    def model(self):
        path = pathlib.Path(os.environ["RDV_BUILD"]) / "tests/tiny_f32.gguf"
        if not path.exists():
            self.skipTest("the build's tiny models are not made")
        return path


class WithPyTorch(Case):
    """What train/ computes and writes; skipped without the libraries of train/README.md."""

    def setUp(self):
        super().setUp()
        try:
            import gguf_read
            import sentencepiece  # noqa: F401
            import step_file
            import step_model
            import torch
        except ImportError as missing:
            self.skipTest(str(missing))
        torch.manual_seed(1)
        self.torch, self.step_model, self.step_file = torch, step_model, step_file
        pathlib.Path(self.path("lm.gguf")).write_bytes(make_lm.make("f32"))
        self.file = gguf_read.File(self.path("lm.gguf"))
        self.layout = step_chains.Layout(gguf_read.tokenizer(self.file.vocabulary()), self.file.config()["context_length"])
        self.batch = [self.layout.tokens(c["question"], c["steps"]) for c in CHAINS]

    def test_upper_blocks_upon_kept_states_are_the_whole_model(self):
        with self.torch.no_grad():
            whole = self.step_model.StepModel(self.file).llama
            expected = self.torch.cat([whole.hidden(self.torch.tensor([tokens]))[0, ends] for tokens, ends in self.batch])
            for blocks in (None, *range(self.file.config()["block_count"] + 1)):
                model = self.step_model.StepModel(self.file, blocks)
                kept = [(model.lower(tokens) if model.first else tokens, ends) for tokens, ends in self.batch]
                for batch in (self.batch, kept):
                    self.assertLess((model.states(batch) - expected).abs().max().item(), 1e-4)

    def test_the_program_gives_the_scores_that_were_trained(self):
        model = self.step_model.StepModel(self.file, 1)
        self.torch.nn.init.normal_(model.head.weight)
        self.step_file.write(self.path("steps.gguf"), self.file, model, 0.3, kind="f32")
        self.write("chains.jsonl", lines(*CHAINS))
        ended = rederive("check", "-q", "-m", "prm:pooling-pairs", "-M", "builtin:" + self.path("steps.gguf"), "chains.jsonl",
                         cwd=self.folder)
        self.assert_ended(ended, 0)
        with self.torch.no_grad():
            logits = (model(self.batch) - math.log(0.3 / 0.7)).tolist()
        said = [verdict["score"] for record in ended.records for verdict in record["verdicts"]]
        self.assertEqual(len(said), len(logits))
        for score, logit in zip(said, logits):
            self.assertAlmostEqual(score, 1 / (1 + math.exp(logit)), delta=1e-4)


def chain(name, label, n=3):
    return step_chains.Chain("t", name, name, ["a"] * n, label, False, step_chains.REPORT)


class Figures(unittest.TestCase):
    def test_steps_after_the_first_mistake_do_not_count(self):
        chains = [chain("a", 1), chain("b", -1)]
        self.assertEqual(step_figures.area(chains, [[0.1, 0.9, 0.0], [0.2, 0.3, 0.4]]), 1)
        self.assertEqual(step_figures.area(chains, [[0.1, 0.3, 0.9], [0.2, 0.3, 0.4]]), (2 + 0.5) / 4)

    def test_the_place_alone_knows_nothing_at_equal_place(self):
        chains = [chain("a", 2), chain("b", 1), chain("c", -1)]
        place = [[0.1, 0.2, 0.3]] * 3
        self.assertGreater(step_figures.area(chains, place), 0.7)
        self.assertEqual(step_figures.area_at_equal_place(chains, place), 0.5)
        # Step 1: b's mistake before a's and c's right steps; step 2: a's mistake before c's.
        self.assertEqual(step_figures.area_at_equal_place(
            chains, [[0.9, 0.1, 0.3], [0.9, 0.5, 0.0], [0.9, 0.7, 0.2]]), (1 + 0 + 1) / 3)

    def test_the_most_likely_first_mistake(self):
        self.assertEqual(step_figures.most_likely([0.1, 0.6, 0.9]), 1)
        self.assertEqual(step_figures.most_likely([0.1, 0.2, 0.9]), 2)
        self.assertEqual(step_figures.most_likely([math.nan, 0.2, 0.1]), 1)

    def test_the_standard_error_of_a_mean(self):
        chains = [chain(str(i), i) for i in range(10)]
        found = step_figures.standard_error(lambda some, _: sum(c.label for c in some) / len(some), chains, [[]] * 10)
        self.assertAlmostEqual(found, math.sqrt(82.5 / 9 / 10))  # the standard deviation of 0 to 9, over the root of 10

    def test_the_harmonic_mean_and_its_interval(self):
        chains = [chain("a", 0), chain("b", 1), chain("c", -1), chain("d", -1)]
        scores = [[0.9, 0, 0], [0.9, 0, 0], [0, 0, 0], [0, 0, 0]]
        self.assertAlmostEqual(step_figures.f1(chains, scores, 0.5), 200 / 3)
        low, high = step_figures.f1_interval(chains, [0, 0, -1, -1], random.Random(1), 200)
        self.assertEqual((low, high), (0, 100))


if __name__ == "__main__":
    unittest.main()
