# SPDX-License-Identifier: Apache-2.0
"""What --dry-run says before and what is asked then: the calls made lie between the least and the
most, for every method, for several, and for whatever may stop early."""
import json
import os
import pathlib
import unittest

import golden_methods as golden
from scripted import Server
from support import Case, lines, rederive


# Every reply is in the form that its question asks for: fewer calls than the least need a reply that
# cannot be read.
READABLE = golden.RULES + [{"regex": end, "pool": [{"reply": reply} for reply in replies]}
                           for end, replies in golden.FORMS]
FOUND_OUT = 4  # calls that a server refuses before it is known what it can do


def dry(*command, stdin):
    return rederive(*command, "--dry-run", "--json", stdin=stdin)


class Bounds(Case):
    maxDiff = 2000

    def made(self, command, url, given):
        ended = rederive(*command, "-M", url, "--retries", "0", "--separate-samples", "--json", "-o", self.path("out.jsonl"),
                         "--journal", self.path("journal"), stdin=given)
        self.remove("out.jsonl", "journal")
        return json.loads(ended.err.splitlines()[-1])["n_calls"]

    def remove(self, *names):
        for name in names:
            for path in pathlib.Path(self.folder).glob(name + "*"):
                path.unlink()

    def test_calls_lie_between_the_bounds(self):
        worlds = golden.WORLDS | {"whole": READABLE}
        servers = {name: Server(rules=rules, differences=["schema"]) for name, rules in worlds.items()}
        tried = 0
        with servers["mixed"], servers["whole"]:
            for name, world, given, command in golden.cases():
                said = json.loads(dry(*command, "-M", servers[world].url, stdin=given).out or "null")
                if not said:
                    continue  # nothing is asked
                made = self.made(command, servers[world].url, given)
                with self.subTest(name):
                    self.assertLessEqual(made, said["most"]["n_calls"] + FOUND_OUT)
                    self.assertLessEqual(said["least"]["n_calls"], said["n_calls"])
                    self.assertLessEqual(said["n_calls"], said["most"]["n_calls"])
                    if world == "whole":
                        self.assertLessEqual(said["least"]["n_calls"], made)
                tried += 1
        self.assertGreater(tried, 100)


class Variants(Case):
    ALL = "selfcheck,global,single-stage,error-check,error-check-1shot"

    def test_all_variants_of_selfcheck_are_told_exactly(self):
        """They share what they collect: 7 calls a step and 2 a chain, where each alone says 9 and 2."""
        for n in (1, 3, 4, 5):
            given = lines({"question": f"What is {n} + 3?", "steps": [f"{n} + {k} = {n + k}." for k in range(n)]})
            with self.subTest(n=n), Server(rules=READABLE) as server:
                command = ["check", "-m", self.ALL, "-M", server.url, "--json"]
                said = json.loads(rederive(*command, "--dry-run", stdin=given).out)
                ended = rederive(*command, "--retries", "0", stdin=given)
                made = json.loads(ended.err.splitlines()[-1])["n_calls"]
                self.assertEqual((said["n_calls"], said["least"]["n_calls"]), (7 * n + 2,) * 2)
                self.assertLessEqual(said["n_calls"], made)
                self.assertLessEqual(made, said["n_calls"] + FOUND_OUT)


class Repairs(Case):
    """A model that writes several lines and never an answer makes a repair as long as it may be."""
    TALK = [{"reply": "Let me think about {hash}.\nThen I go on.\nAnd on."}]
    CHAINS = lines(*({"id": f"c{i}", "question": "What is 2 + 3?", "gold": "5", "label": i % 3,
                      "steps": ["2 + 3 = 6.", "6 + 0 = 6.", "So the answer is 6."]} for i in range(4)))

    def test_no_more_is_asked_than_was_said(self):
        for locator in ("gold", "random", "simulated:0.5", "calculations", "global", "direct-step", "direct-trace", "selfcheck", "general"):
            for more in ([], ["--rounds", "3", "--accept", "new"], ["--max-steps", "5"]):
                with self.subTest(locator=locator, more=more), Server(rules=self.TALK) as server:
                    command = ["repair", "-l", locator, *more, "-M", server.url, "--json"]
                    command += ["--locations", self.write("labelled.jsonl", self.CHAINS)] if ":" in locator else []
                    said = json.loads(rederive(*command, "--dry-run", stdin=self.CHAINS).out)
                    ended = rederive(*command, stdin=self.CHAINS)
                    told = json.loads(ended.err.splitlines()[-1])
                    self.assertLessEqual(told["n_calls"], said["most"]["n_calls"] + FOUND_OUT)
                    for record in ended.records:
                        for done in record["repairs"]:
                            if "explanation" in done:
                                self.assertRegex(done["explanation"], "no answer within (5|14) steps")

    def test_a_chain_ends_as_it_stands_with_the_reason(self):
        with Server(rules=self.TALK) as server:
            ended = rederive("repair", "-l", "gold", "-M", server.url, stdin=self.CHAINS)
        self.assert_ended(ended, 0)
        self.assertIn("4 rounds ended at --max-steps", ended.err)
        for record in ended.records:
            self.assertEqual(len(record["steps"]), 2 * 3 + 8)
            self.assertIsNone(record["answer"])
            self.assertEqual(record["repairs"][0]["explanation"], "no answer within 14 steps, the most it may have")

    def test_the_bounds_are_said_in_words(self):
        ended = rederive("repair", "-l", "gold", "-M", "http://localhost:1/v1#m", "--dry-run", stdin=self.CHAINS)
        said = json.loads(dry("repair", "-l", "gold", "-M", "http://localhost:1/v1#m", stdin=self.CHAINS).out)
        self.assertIn(f"expected: {said['n_calls']} calls; at least {said['least']['n_calls']}, "
                      f"at most {said['most']['n_calls']} ", ended.err)

    def test_a_stage_of_the_question_counts_once(self):
        self.write("own.method", Examples.HEAD.format("verdict") + "## hint\nper: question\nread: text\n"
                   "## judge\nper: chain\nafter: hint\nread: choice yes-no\nexample: \"Yes\"\n")
        os.mkdir(self.path("own"))
        self.write("own/hint.md", "---\nid: own/hint\nsource: ours\nprofile: both\nvariables: question\n---\n## user\nHint: {{question}}\n")
        self.write("own/judge.md", "---\nid: own/judge\nsource: ours\nprofile: both\nvariables: hint\n---\n## user\nIs it right? {{hint}}\n")
        said = json.loads(dry("check", "--method-dir", self.folder, "-m", "own", "-M", "http://localhost:1/v1#m", stdin=self.CHAINS).out)
        self.assertEqual({s["stage"]: s["n_calls"] for s in said["stages"]}, {"own/hint": 1, "own/judge": 4})


class Examples(Case):
    """The example of a stage gives the length of a reply, and nothing else: whatever it is, or where there is none, the
    calls told are those that whole replies make."""
    HEAD = "---\nmethod: own\nsource: ours\nsummary: a test\nconclude: {}\n---\n"
    PROMPT = "---\nid: own/{}\nsource: ours\nprofile: both\nvariables: step\n{}---\n## user\nAsk {}: {{{{step}}}}\n"
    CHAINS = lines({"id": "a", "question": "What is 2 + 3?", "steps": ["2 + 3 = 5.", "So it is 5.", "It is."]})
    YES = "read: choice yes-no\n"
    NUMBER = "read: number 0 to 10\n"
    CLAIMS = '[{"lhs": "2 + 3", "op": "=", "rhs": "5"}]'
    # What concludes, the stages, an example of each reader that supports nothing, whole replies.
    TABLES = [
        ("verdict", "## a\n{0}## b\nafter: a\nread: choice yes-no\n{1}", ["", "No"], {"a": "Words.", "b": "Yes"}),
        ("verdict", "## a\nread: items\n{0}## b\nafter: a\nread: choice yes-no\n{1}",
         ["Step 0, Information 1", "No"], {"a": "Information 0", "b": "Yes"}),
        ("verdict", "## a\nper: chain\nread: definitions\n{0}## b\nper: step in turn\nafter: a\nread: choice yes-no\n{1}",
         ["None.", "No"], {"a": "1. x is a number.", "b": "Yes"}),
        ("verdict", "## a\nper: step in turn\nread: number 0 to 10\n{0}## b\nafter: a\nper: step in turn\n"
         "read: choice yes-no\n{1}", ["0", "No"], {"a": "7", "b": "Yes"}),
        ("verdict", "## a\nread: claims\n{0}## b\nafter: a\nread: choice yes-no\n{1}", ["[]", "No"],
         {"a": CLAIMS, "b": "Yes"}),
        ("verdict", "## a\nper: chain\nread: location thought\n{0}## b\nafter: a\nread: choice yes-no\n{1}",
         ["Thought 9", "No"], {"a": "No", "b": "Yes"}),
        ("mean", "## a\nper: chain\nread: location box\n{0}## b\nafter: a\nsamples: 3\nread: choice yes-no\n{1}",
         ["\\\\boxed{{9}}", "No"], {"a": "\\boxed{-1}", "b": "Yes"}),
    ]

    def written(self, conclude, stages, examples):
        given = [f'example: "{e}"\n' if e else "" for e in examples]
        self.write("own.method", self.HEAD.format(conclude) + stages.format(*given))
        os.makedirs(self.path("own"), exist_ok=True)
        for name in "ab":
            self.write(f"own/{name}.md", self.PROMPT.format(name, "temperature: 1\n", name))

    def test_whatever_they_are_calls_are_those_of_whole_replies(self):
        for conclude, stages, against, whole in self.TABLES:
            with Server(rules=[{"contains": f"Ask {name}:", "reply": reply} for name, reply in whole.items()]) as server:
                command = ("check", "--method-dir", self.folder, "-m", "own", "-M", server.url)
                for examples in (["", ""], against):
                    with self.subTest(stages, examples=examples):
                        self.written(conclude, stages, examples)
                        server.forget()
                        told = json.loads(dry(*command, stdin=self.CHAINS).out)
                        self.assertEqual(server.requests(), [])
                        self.assert_ended(rederive(*command, "-q", stdin=self.CHAINS), 0)
                        self.assertEqual(told["n_calls"], len(server.requests()))
                        self.assertEqual(told["most"]["n_calls"], 2 * told["n_calls"])


class Limits(Case):
    QUESTIONS = lines({"question_id": "q", "question": "What is 2 + 3?"})

    def warned(self, *limit):
        ended = dry("solve", "-m", "global", "-n", "5", "-M", "openai:m", "--price-in", "1", "--price-out", "1", *limit,
                    stdin=self.QUESTIONS)
        self.assert_ended(ended, 0)
        return json.loads(ended.out), ended.err

    def test_a_limit_below_the_most_is_warned_of(self):
        said, _ = self.warned()
        for option, most in (("--max-calls", said["most"]["n_calls"]), ("--max-cost", said["most"]["cost_usd"]),
                             ("--max-tokens", said["most"]["prompt_tokens"] + said["most"]["completion_tokens"])):
            with self.subTest(option):
                whole = option != "--max-cost"
                self.assertIn(option, self.warned(option, str(most - 1 if whole else most * 0.99))[1])
                self.assertNotIn(option, self.warned(option, str(most if whole else most * 1.01))[1])


if __name__ == "__main__":
    unittest.main()
