# SPDX-License-Identifier: Apache-2.0
"""General-purpose verification: the verifiers as a user meets them, against a scripted server."""
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import unittest

from scripted import SOLVE, Server
from support import PROGRAM, SECONDS, Case, chain, lines, rederive

CHAIN = {"id": "a", "question": "Three boxes hold 4 pens each. How many pens?", "gold": "12",
         "steps": ["There are 3 boxes of 4 pens.", "3 * 4 = 13.", "So the answer is 13."]}
# What is found in the last message, which is the assistant's where it is left open.
RELEVANT = {"contains": "### Your evaluation of the draft step",
            "reply": "Yes, the solution is relevant."}
NOTHING = {"regex": "^```json$", "reply": "\n{[]}\n```"}
LISTED = {"regex": "^```json$",
          "reply": '\n{[{"lhs": "3 * 4", "op": "=", "rhs": "13"}, '
                   '{"lhs": "5 * 5", "op": "=", "rhs": "26"}]}\n```'}
CONSISTENT = {"contains": "we can conclude that the Last Step is",
              "reply": " consistent with the Previous Steps."}
RULES = [RELEVANT, NOTHING, CONSISTENT]


class Verifiers(Case):
    def test_general_without_a_model(self):
        given = dict(CHAIN, logprobs=[[-0.1, -0.3], [-1], [-0.5, -0.5]])
        ended = rederive("check", "-m", "general", "--verifiers", "math,perplexity", "--math",
                         "native", stdin=lines(given))
        self.assert_ended(ended, 0)
        record = ended.records[0]
        self.assertEqual(set(record["checks"]), {"math", "perplexity", "general"})
        self.assertEqual([v["score"] for v in record["checks"]["math"]["verdicts"]], [1, 0, 1])
        perplexity = record["checks"]["perplexity"]
        self.assertAlmostEqual(perplexity["confidence"], math.exp(-2.4 / 5))
        self.assertAlmostEqual(record["confidence"], (0.01 ** (1 / 3) + 2 * math.exp(-2.4 / 5)) / 3)
        self.assertEqual(record["first_error"], 1)
        self.assertEqual(record["verdicts"][1]["explanation"], "math: 3 * 4 is 12, not 13")

    def test_recorded_checks_as_verifiers(self):
        """A check that the record has is a verifier: its step scores, aggregated and weighted (docs/general.md)."""
        checked = rederive("check", "-q", stdin=lines(CHAIN)).out
        one, = json.loads(checked)["verdicts"][1:2]
        self.assertEqual((one["verdict"], one["score"]), ("contradict", 0))
        given = dict(json.loads(checked), logprobs=[[-0.1, -0.3], [-1], [-0.5, -0.5]])
        ended = rederive("check", "-q", "-m", "general", "--verifiers", "perplexity", "--recorded-verifiers",
                         "calculations=3", stdin=lines(given))
        self.assert_ended(ended, 0)
        record = ended.records[0]
        self.assertEqual(list(record["checks"]), ["calculations", "perplexity", "general"])
        scores = [v["score"] for v in record["checks"]["calculations"]["verdicts"]]
        kinds = [v["verdict"] for v in record["checks"]["calculations"]["verdicts"]]
        read = {"support": 1, "unrelated": 0.5, "contradict": 0, "unknown": None}
        scores = [read[kind] if score is None else score for kind, score in zip(kinds, scores)]
        self.assertNotIn(None, scores)
        mean = math.prod(max(score, 0.01) for score in scores) ** (1 / 3)
        self.assertAlmostEqual(record["confidence"], (3 * mean + 2 * math.exp(-2.4 / 5)) / 5)
        self.assertEqual((record["first_error"], record["verdicts"][1]["explanation"]),
                         (1, "calculations: 3 * 4 is 12, not 13"))

    def test_a_recorded_check_that_is_missing_is_no_support(self):
        ended = rederive("check", "-q", "-m", "general", "--verifiers", "none", "--recorded-verifiers", "other",
                         stdin=lines(CHAIN))
        self.assert_ended(ended, 0)
        record = ended.records[0]
        self.assertEqual({v["verdict"] for v in record["verdicts"]}, {"unknown"})
        self.assertEqual(record["verdicts"][0]["explanation"], "other: the chain has no check of that name")
        self.assertIsNone(record["confidence"])

    def test_recorded_checks_that_cannot_be_used(self):
        for more, says in ((("-m", "general", "--recorded-verifiers", "math"), "general computes math itself"),
                           (("-m", "general", "--recorded-verifiers", "a=x"), "a number, at least 0"),
                           (("-m", "general", "--recorded-verifiers", "a,a"), "named twice"),
                           (("-m", "general", "--recorded-verifiers", "a,"), "the name of a method"),
                           (("-m", "general", "--recorded-verifiers", ",".join("abcdefghi")), "at most 8"),
                           (("-m", "general", "--verifiers", "none"), "at least one verifier"),
                           (("-m", "general", "--verifiers", "none", "--recorded-verifiers", "a=0"), "weigh nothing"),
                           (("--recorded-verifiers", "a",), "has no effect"),
                           (("-m", "calculations,general", "--recorded-verifiers", "calculations"), "an earlier run")):
            ended = rederive("check", *more, stdin=lines(CHAIN))
            self.assert_ended(ended, 2)
            self.assertIn(says, ended.err)

    def test_the_papers_floor(self):
        ended = rederive("check", "-m", "math", "--math", "native", "--profile", "paper",
                         stdin=lines(CHAIN))
        self.assert_ended(ended, 0)
        self.assertEqual(ended.records[0]["confidence"], 0)

    def test_scores_are_means_of_samples(self):
        no = dict(RELEVANT, reply="No.", times=3)
        with Server(rules=[no] + RULES) as server:
            ended = rederive("check", "-m", "relevance", "--samples", "4", "-j", "1", "-M",
                             server.url, stdin=lines(CHAIN))
            self.assert_ended(ended, 0)
            self.assertEqual(len(server.asked()), 12)
        first = ended.records[0]["verdicts"][0]
        self.assertEqual([first["score"], first["n_samples"], first["verdict"]], [0.25, 4, "contradict"])
        self.assertAlmostEqual(first["stderr"], math.sqrt(0.25 * 0.75 / 3))

    def test_open_turns_where_the_server_goes_on_with_them(self):
        with Server(rules=RULES) as server:
            ended = rederive("check", "-m", "math,consistency", "--samples", "1", "-M", server.url,
                             stdin=lines(CHAIN))
            self.assert_ended(ended, 0)
            bodies = [r["body"] for r in server.requests()]
        self.assertEqual([b["messages"][-1]["role"] for b in bodies], ["assistant"] * 5)
        self.assertTrue(all(b["continue_final_message"] for b in bodies))
        checks = ended.records[0]["checks"]
        self.assertEqual([v["score"] for v in checks["consistency"]["verdicts"]], [1, 1, 1])
        self.assertEqual(checks["consistency"]["n_calls"], 2)

    def test_made_up_numbers_are_dropped(self):
        with Server(rules=[LISTED]) as server:
            ended = rederive("check", "-m", "math", "--samples", "2", "-M", server.url,
                             stdin=lines(CHAIN))
        self.assert_ended(ended, 0)
        verdicts = ended.records[0]["verdicts"]
        # 3 * 4 = 13 stands in the second step alone, 5 * 5 = 26 in none.
        self.assertEqual([v["evidence"]["n_dropped"] for v in verdicts], [4, 2, 4])
        self.assertEqual([v["score"] for v in verdicts], [None, 0, None])
        self.assertEqual(verdicts[0]["explanation"], "2 of the listed calculations are not in the step")
        self.assertEqual(verdicts[1]["evidence"]["samples"][0]["dropped"], [{"lhs": "5 * 5", "op": "=", "rhs": "26"}])
        self.assertEqual(verdicts[1]["evidence"]["samples"][0]["calculations"],
                         [{"lhs": "3 * 4", "op": "=", "rhs": "13", "outcome": "wrong", "value": "12"}])

    def test_perplexity_is_unavailable_where_nobody_gives_it(self):
        with Server(rules=RULES, differences=["no-completions", "no-prompt-logprobs"]) as server:
            ended = rederive("check", "-m", "perplexity", "-M", server.url, stdin=lines(CHAIN))
        verdict = ended.records[0]["verdicts"][0]
        self.assertEqual([verdict["verdict"], verdict["score"]], ["unknown", None])
        self.assertIn("unavailable", verdict["explanation"])
        self.assertIsNone(ended.records[0]["confidence"])

    def test_perplexity_of_a_text_that_the_server_scores(self):
        with Server(rules=RULES) as server:
            ended = rederive("check", "-m", "perplexity", "-M", server.url, stdin=lines(CHAIN))
            self.assertEqual(len(server.asked()), 1)
        self.assert_ended(ended, 0)
        for verdict in ended.records[0]["verdicts"]:
            self.assertEqual(verdict["verdict"], "unrelated")
            self.assertGreater(verdict["evidence"]["n_tokens"], 0)

    def test_first_steps(self):
        with Server(rules=RULES) as server:
            ended = rederive("check", "-m", "relevance", "--first-share", "0.5", "--samples", "1",
                             "-M", server.url, stdin=lines(CHAIN))
            self.assertEqual(len(server.asked()), 2)
        self.assert_ended(ended, 0)
        self.assertEqual([v["step"] for v in ended.records[0]["verdicts"]], [0, 1])
        self.assertEqual(len(ended.records[0]["steps"]), 3)

    def test_first_steps_are_asked_about_as_a_chain_of_them_alone(self):
        part = CHAIN | {"steps": CHAIN["steps"][:1]}
        methods = [line.split()[0] for line in rederive("methods").out.splitlines() if line.strip()]
        for method in methods:
            with self.subTest(method), Server(rules=[{"reply": "Yes"}]) as server:
                verdicts, asked = [], []
                for options, given in ((["--first-steps", "1"], CHAIN), ([], part)):
                    server.forget()
                    ended = rederive("check", "-m", method, *options, "-M", server.url,
                                     "--retries", "0", stdin=lines(given))
                    verdicts.append([r["verdicts"] for r in ended.records])
                    asked.append(sorted(str(r["body"]) for r in server.requests()))
                self.assertEqual(verdicts[0], verdicts[1])
                self.assertEqual(asked[0], asked[1])

    def test_options_that_cannot_be_used(self):
        for args in (["--verifiers", "relevance,logic"], ["--weights", "math=-1"],
                     ["--weights", "relevance=0,math=0,consistency=0,perplexity=0"],
                     ["--samples", "101"]):
            ended = rederive("check", "-m", "general", *args, stdin=lines(CHAIN))
            self.assertEqual(ended.status, 2, args)
            self.assertIn(args[0], ended.err)


class Online(Case):
    QUESTION = lines({"question_id": "q1", "question": "What is 2 + 3?", "gold": "5"})

    def rules(self):
        return [{"regex": "Step 0:$", "reply": " 2 + 3 = 6.", "times": 2},
                {"regex": "Step 0:$", "reply": " 2 + 3 = 5.\nStep 1: More."},
                {"regex": "Step 1:$", "reply": " So the answer is 5."}]

    def search(self, *more):
        with Server(rules=self.rules()) as server:
            ended = rederive("solve", "--beam-search", "--beam-width", "2", "--expansions", "2", "-M",
                             server.url, "-j", "1", *more, stdin=self.QUESTION)
            bodies = [r["body"] for r in server.requests()]
        self.assert_ended(ended, 0)
        return ended.records[0], bodies

    def test_the_right_prefix_goes_on(self):
        record, bodies = self.search("--chains-out", self.path("chains.jsonl"))
        chains = [json.loads(line) for line in self.read("chains.jsonl").splitlines()]
        # Both texts of the first step are prefixes of the beam; the right one is the better one.
        self.assertEqual(record["answer"], "5")
        self.assertTrue(record["correct"])
        self.assertEqual(chains[0]["steps"], ["2 + 3 = 5.", "So the answer is 5."])
        self.assertEqual(chains[0]["confidence"], 1)
        self.assertEqual(record["n_calls"], len(bodies))
        self.assertTrue(all(b["messages"][-1]["content"].startswith("Let's think step by step.")
                            for b in bodies))
        self.assertEqual({b["stop"][0] for b in bodies}, {"\n"})
        self.assertGreater(record["generator_completion_tokens"], 0)

    def test_tokens_are_told_of_whole_chains_too(self):
        with Server(rules=[{"reply": "Step 1: 2 + 3 = 5\n\nStep 2: So the answer is 5."}]) as server:
            ended = rederive("solve", "-n", "3", "-M", server.url, stdin=self.QUESTION)
        self.assert_ended(ended, 0)
        self.assertGreater(ended.records[0]["generator_completion_tokens"], 0)
        self.assertEqual(ended.records[0]["checker_completion_tokens"], 0)


class Choosing(Case):
    CHAINS = lines(*({**chain(answer=answer, steps=[f"So the answer is {answer}."]), "id": f"q/{i}",
                      "logprobs": [[-p]], "method": "general", "confidence": weight,
                      "verdicts": [{"step": 0, "verdict": "support", "score": weight}]}
                     for i, (answer, weight, p) in enumerate(
                         [("4", 0.9, 3.0), ("4", 0.1, 2.0), ("5", 0.8, 1.0), ("5", 0.7, 0.5)])))

    def vote(self, *args):
        ended = rederive("vote", *args, stdin=self.CHAINS)
        self.assert_ended(ended, 0)
        return ended.records[0]

    def test_by_score(self):
        one = self.vote("-w", "confidence", "--subset-size", "1", "--subset-by", "weight")
        self.assertEqual([one["answer"], one["n_chains"], one["n_chains_used"]], ["4", 4, 1])
        three = self.vote("-w", "confidence", "--subset-size", "3", "--subset-by", "weight")
        self.assertEqual(three["answers"], {"4": {"weight": 0.9, "n_chains": 1},
                                            "5": {"weight": 1.5, "n_chains": 2}})

    def test_by_perplexity(self):
        two = self.vote("--subset-size", "2", "--subset-by", "perplexity")
        self.assertEqual(two["answers"], {"5": {"weight": 2, "n_chains": 2}})

    def test_calls_are_those_of_the_chains_that_were_used(self):
        checked = lines(*({**chain(answer=answer, steps=["."]), "id": f"q/{i}", "method": "general", "confidence": 1, "n_calls": 5 + i,
                           "verdicts": [{"step": 0, "verdict": "support", "score": 1}]}
                          for i, answer in enumerate("4445")))
        ended = rederive("vote", "-w", "confidence", "--stop", "certain", stdin=checked)
        self.assert_ended(ended, 0)
        self.assertEqual([ended.records[0][name] for name in ("answer", "n_chains", "n_chains_used", "n_calls")], ["4", 4, 2, 11])

    def test_at_random(self):
        drawn = [self.vote("--subset-size", "2", "--seed", str(seed))["answers"] for seed in range(12)]
        self.assertTrue(all(sum(a["n_chains"] for a in answers.values()) == 2 for answers in drawn))
        self.assertGreater(len({json.dumps(answers) for answers in drawn}), 1)

    def test_weights_are_wanted(self):
        ended = rederive("vote", "--subset-size", "2", "--subset-by", "weight", stdin=self.CHAINS)
        self.assertEqual(ended.status, 2)
        self.assertIn("--subset-by weight", ended.err)


PAGE = pathlib.Path(os.environ["RDV_SOURCE"]) / "docs/general.md"


class Page(Case):
    """What docs/general.md shows is run, each command alone, and says what the page says."""

    def setUp(self):
        super().setUp()
        self.text = PAGE.read_text()
        self.write("pens.jsonl", re.search(r"```json\n(.*?)```", self.text, re.S).group(1))
        self.write("chains.jsonl", lines(CHAIN))
        self.write("checked.jsonl", Choosing.CHAINS)
        self.write("questions.jsonl", Online.QUESTION)
        os.mkdir(self.path("bin"))
        os.symlink(PROGRAM, self.path("bin/rederive"))
        self.server = self.enterContext(Server(rules=RULES + SOLVE))

    def run_line(self, command):
        command = command.replace("http://localhost:8000", self.server.base)
        env = {**os.environ, "PATH": self.path("bin") + ":" + os.environ["PATH"]}
        done = subprocess.run(["bash", "-o", "pipefail", "-c", command], text=True, env=env,
                              cwd=self.folder, capture_output=True, timeout=SECONDS, check=False)
        self.assertEqual(done.returncode, 0, command + "\n" + done.stderr)
        self.assertNotIn("rederive: ", done.stderr)
        return done.stdout

    def test_commands(self):
        blocks = re.findall(r"```sh\n(.*?)```(?:\n\n```text\n(.*?)```)?", self.text, re.S)
        self.assertGreater(len(blocks), 3)
        for commands, shown in blocks:
            for command in commands.splitlines():
                if "jq" in command and not shutil.which("jq"):
                    continue
                with self.subTest(command=command):
                    out = self.run_line(command)
                    if shown:
                        self.assertEqual(out, shown)


if __name__ == "__main__":
    unittest.main()
