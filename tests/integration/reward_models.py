# SPDX-License-Identifier: Apache-2.0
"""Process reward models over HTTP, in four ways: what is sent, and what becomes of what comes."""
import json
import math
import unittest

from scripted import Server
from support import Case, chain, lines, rederive

STEPS = ["3 * 4 = 12.", "12 + 5 = 18.", "So the answer is 18."]
RECORD = chain(id="pens/1", question="How many?", steps=STEPS, answer="18", gold="17", label=1)


def pooled(*pairs):
    """vLLM's PoolingResponse (vllm/entrypoints/openai/protocol.py)."""
    return {"id": "pool-1", "object": "list", "created": 1, "model": "fake",
            "data": [{"index": 0, "object": "pooling", "data": [list(p) for p in pairs]}],
            "usage": {"prompt_tokens": 40, "total_tokens": 40, "completion_tokens": 0}}


def embedded(*values):
    """OpenAI's embeddings, with a value a token (Skywork's plugin)."""
    return {"object": "list", "model": "fake", "usage": {"prompt_tokens": 60, "total_tokens": 60},
            "data": [{"object": "embedding", "index": i, "embedding": list(v)}
                     for i, v in reversed(list(enumerate(values)))]}


def says(path, body):
    return {"path": path, "status": 200, "body": body}


def chosen(*alternatives):
    """A chat completion of one token, with its alternatives."""
    listed = [{"token": t, "logprob": p, "bytes": None} for t, p in alternatives]
    return {"choices": [{"index": 0, "finish_reason": "length",
                         "message": {"role": "assistant", "content": alternatives[0][0]},
                         "logprobs": {"content": [{**listed[0], "top_logprobs": listed}]}}],
            "usage": {"prompt_tokens": 9, "completion_tokens": 1}}


class RewardModels(Case):
    def check(self, way, rules, *args, status=0, **script):
        self.write("in.jsonl", lines(RECORD))
        with Server(rules=rules, **script) as server:
            ended = rederive("check", "-q", "-m", "prm:" + way, "-M", server.url, *args,
                             "--retries", "1", "in.jsonl", cwd=self.folder)
            self.requests = server.requests()
        self.assert_ended(ended, status)
        return ended.records[0]

    def verdicts(self, record):
        return [v["verdict"] for v in record["verdicts"]]

    def scores(self, record):
        return [v["score"] for v in record["verdicts"]]

    def assert_near(self, ours, wanted):
        for a, b in zip(ours, wanted, strict=True):
            self.assertAlmostEqual(a, b, places=9)


class Pairs(RewardModels):
    BODY = pooled((0.125, 0.875), (0.75, 0.25), (0.5, 0.5))

    def test_qwen(self):
        record = self.check("pooling-pairs", [says("/pooling", self.BODY)])
        self.assert_near(self.scores(record), [0.875, 0.25, 0.5])
        self.assertEqual(self.verdicts(record), ["support", "contradict", "support"])
        self.assertEqual((record["first_error"], record["n_calls"], record["prompt_tokens"]), (1, 1, 40))
        request, = self.requests
        self.assertEqual(request["path"], "/pooling")
        self.assertEqual(request["body"]["messages"][2]["content"], "<extra_0>".join(STEPS + [""]))

    def test_shepherd_the_other_way_round(self):
        record = self.check("pooling-pairs", [says("/pooling", self.BODY)], "--prm-layout", "shepherd")
        self.assert_near(self.scores(record), [0.125, 0.75, 0.5])
        self.assertEqual(record["first_error"], 0)
        self.assertEqual(self.requests[0]["body"]["input"].count(" ки"), 3)

    def test_threshold(self):
        record = self.check("pooling-pairs", [says("/pooling", self.BODY)], "--prm-threshold", "0.2")
        self.assertIsNone(record["first_error"])

    def test_too_few(self):
        record = self.check("pooling-pairs", [says("/pooling", pooled((0.1, 0.9)))])
        self.assertEqual(self.verdicts(record), ["unknown"] * 3)
        self.assertEqual(record["verdicts"][0]["explanation"], "1 rewards came for 3 steps")
        self.assertIsNone(record["confidence"])

    def test_what_is_no_pair_is_unknown(self):
        record = self.check("pooling-pairs", [says("/pooling", pooled((0.1, 0.9), (1,), (0.9, 0.1)))])
        self.assertEqual(self.verdicts(record), ["support", "unknown", "contradict"])
        self.assertEqual(record["first_error"], 2)

    def test_a_server_without_it(self):
        record = {"error": {"message": "Not Found"}}
        self.write("in.jsonl", lines(RECORD))
        with Server(rules=[{"path": "/pooling", "status": 404, "body": record}]) as server:
            ended = rederive("check", "-q", "-m", "prm:pooling-pairs", "-M", server.url, "in.jsonl",
                             cwd=self.folder)
        self.assert_ended(ended, 3)
        self.assertIn("does not know this address or model", ended.err)

    def test_what_is_no_reply(self):
        for body in ("no JSON", "[]", {"data": "AAAA"}, {"data": []}, {"data": [{"data": "AAAA"}]}):
            record = self.check("pooling-pairs", [says("/pooling", body)], status=1)
            self.assertEqual(self.verdicts(record), ["unknown"] * 3)
            self.assertIn("unreadable", record["verdicts"][0]["explanation"])

    def test_a_web_page_ends_the_run(self):
        record = self.check("pooling-pairs", [says("/pooling", "<html>")], status=3)
        self.assertEqual(self.verdicts(record), ["unknown"] * 3)


class Values(RewardModels):
    def test_the_last_value_of_each_prefix(self):
        record = self.check("embeddings-token-values",
                            [says("/v1/embeddings", embedded([9, 2], [-1], [5, 5, 0]))])
        self.assert_near(self.scores(record), [1 / (1 + math.exp(-x)) for x in (2, -1, 0)])
        self.assertEqual(record["first_error"], 1)
        request, = self.requests
        self.assertEqual(request["body"]["input"],
                         ["How many?\n" + "".join(s + "\n" for s in STEPS[:i + 1]) for i in range(3)])


class PlusMinus(RewardModels):
    def test_the_share_of_plus(self):
        rules = [{"path": "/v1/chat/completions", "contains": STEPS[i], "status": 200, "body": body}
                 for i, body in enumerate((chosen(("+", -0.5), ("-", -1.5), ("?", -4)),
                                           chosen(("-", -0.25), ("x", -2), ("+", -3)),
                                           chosen(("+", -0.25), ("x", -2.25))))]
        record = self.check("chat-plus-minus", rules)
        self.assert_near(self.scores(record), [1 / (1 + math.exp(-1)), 1 / (1 + math.exp(2.75)),
                                               1 / (1 + math.exp(-2))])
        self.assertEqual((record["first_error"], record["n_calls"]), (1, 3))
        last = [r["body"] for r in self.requests if len(r["body"]["messages"]) == 5][0]
        self.assertEqual([m["content"] for m in last["messages"]],
                         ["How many?\n\n" + STEPS[0], "+", STEPS[1], "+", STEPS[2]])
        self.assertEqual((last["max_tokens"], last["temperature"], last["top_logprobs"]), (1, 0, 10))

    def test_without_log_probabilities(self):
        rules = [{"contains": STEPS[0], "reply": "+"}, {"contains": STEPS[1], "reply": "-"},
                 {"contains": STEPS[2], "reply": "Hm"}]
        for difference in ("no-logprobs", "ignore-logprobs"):
            record = self.check("chat-plus-minus", rules, differences=[difference])
            self.assertEqual(self.verdicts(record), ["support", "contradict", "unknown"])
            self.assertEqual(self.scores(record), [1, 0, None])
        record = self.check("chat-plus-minus", rules, "--profile", "paper",
                            differences=["no-logprobs"])
        self.assertEqual(self.verdicts(record), ["support", "contradict", "contradict"])

    def test_the_sign_that_was_written_is_never_turned(self):
        """One sign is listed alone, or below what else the model would have said."""
        for sign, verdict, alone, below in (("-", "contradict", 0.0952, 0), ("+", "support", 0.9048, 1)):
            body = chosen((sign, -0.1))
            body["choices"][0]["logprobs"]["content"][0]["top_logprobs"] = []
            record = self.check("chat-plus-minus", [says("/v1/chat/completions", body)])
            self.assertEqual(self.verdicts(record), [verdict] * 3)
            self.assertAlmostEqual(record["verdicts"][0]["score"], alone, places=4)
            body = chosen((sign, -9), ("The", -0.5), ("So", -1))
            listed = body["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
            for top in (listed, listed[1:]):
                listed = top
                record = self.check("chat-plus-minus", [says("/v1/chat/completions", body)])
                self.assertEqual(self.verdicts(record), [verdict] * 3)
                self.assertEqual(self.scores(record), [below] * 3)

    def test_held_to_the_signs(self):
        """A model that would say something else is held to + and -, where the server can."""
        for server in ("llama.cpp", "vllm", "plain"):
            held = server != "plain"
            with Server(rules=[{"contains": STEPS[1], "reply": "No: -"}, {"reply": "Yes, + of course"}],
                        server=server) as running:
                ended = rederive("check", "-m", "prm:chat-plus-minus", "--structured", "-M",
                                 running.url, stdin=lines(RECORD))
                bodies = [r["body"] for r in running.requests()]
            self.assert_ended(ended, 0)
            self.assertEqual([self.verdicts(r) for r in ended.records],
                             [["support", "contradict", "support"] if held else ["unknown"] * 3])
            self.assertEqual([b.get("structured_outputs") for b in bodies],
                             [{"choice": ["+", "-"]} if held else None] * 3)
            self.assertIn("holds replies to one of a few texts" if held else
                          "does not hold replies to one of a few texts", ended.err)

    def test_neither_sign(self):
        rules = [{"path": "/v1/chat/completions", "status": 200, "body": chosen(("a", -0.5), ("b", -1))}]
        record = self.check("chat-plus-minus", rules)
        self.assertEqual(self.verdicts(record), ["unknown"] * 3)
        self.assertEqual(record["n_calls"], 3)  # none once more: at temperature 0 it says the same


class Critic(RewardModels):
    def test_an_index(self):
        record = self.check("generative-critic", [{"reply": "Look: \\boxed{0} is fine.\n\\boxed{1}"}])
        self.assertEqual(self.verdicts(record), ["support", "contradict", "unknown"])
        self.assertEqual((record["first_error"], record["n_unknown"]), (1, 1))
        prompt = self.requests[0]["body"]["messages"][0]["content"]
        self.assertIn(f"<paragraph_2>\n{STEPS[2]}\n</paragraph_2>\n\nYour task", prompt)

    def test_no_mistake(self):
        record = self.check("generative-critic", [{"reply": "All is well: $\\boxed{ -1 }$."}])
        self.assertEqual(self.verdicts(record), ["support"] * 3)
        self.assertIsNone(record["first_error"])

    def test_what_cannot_be_read(self):
        for reply in ("It is wrong.", "\\boxed{}", "\\boxed{3}", "\\boxed{-2}", "\\boxed{two}",
                      "\\boxed{1", "\\boxed{99999999999999999999}", "\\boxed{1.0}"):
            record = self.check("generative-critic", [{"reply": reply}])
            self.assertEqual(self.verdicts(record), ["unknown"] * 3, reply)
            self.assertIsNone(record["confidence"])


class DryRun(Case):
    def test_all_four(self):
        for way, calls in (("pooling-pairs", 1), ("embeddings-token-values", 1),
                           ("chat-plus-minus", 3), ("generative-critic", 1)):
            ended = rederive("check", "--dry-run", "--json", "-m", "prm:" + way, stdin=lines(RECORD))
            self.assert_ended(ended, 0)
            self.assertEqual(json.loads(ended.out)["n_calls"], calls)


if __name__ == "__main__":
    unittest.main()
