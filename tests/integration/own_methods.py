#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Methods of a user's own (--method-dir): the one of docs/methods.md, those of examples/methods and
others, from the list and the estimate to the journal, a vote and a measurement; and folders with faults."""
import json
import os
import pathlib
import re
import shutil
import textwrap
import unittest

from scripted import Server
from support import Case, chain, lines, rederive
from tiny import SECONDS, write_model

ROOT = pathlib.Path(os.environ["RDV_SOURCE"])
EXAMPLES = str(ROOT / "examples/methods")
HEAD = "---\nmethod: {}\nsource: ours\nsummary: a test of {}\nconclude: {}\n---\n"
PROMPT = "---\nid: {}\nsource: ours\nprofile: both\nvariables: {}\ntemperature: 0\nmax_tokens: 20\n{}---\n## user\n{}\n"
CHAINS = lines(chain(id="a", question_id="q", steps=["2 + 3 = 5.", "So it is 5."], label=None),
               chain(id="b", question_id="q", steps=["2 + 3 = 6.", "So it is 6."], answer="6", label=0))
# What is wrong stands in step 0 of chain b; it is asked of each step whether it is polite.
POLITE = [{"regex": r"Next step: .*6\.\n", "reply": "Answer: rude"}, {"reply": "Polite."}]


def page_blocks():
    """The files that docs/methods.md shows, by their names."""
    text = (ROOT / "docs/methods.md").read_text(encoding="utf-8")
    found = re.findall(r"^`(mine/[\w./]+)`[^\n]*:\n\n((?:    [^\n]*\n|\n)+)", text, re.MULTILINE)
    return {name: textwrap.dedent(block).strip("\n") + "\n" for name, block in found}


class Own(Case):
    def file(self, name, text):
        os.makedirs(os.path.dirname(self.path(name)), exist_ok=True)
        return self.write(name, text)

    def setUp(self):
        super().setUp()
        for name, text in page_blocks().items():
            self.file(name, text)
        self.mine = ("--method-dir", self.path("mine"), "-m", "polite")

    def check(self, server, *args, stdin=CHAINS, status=0, command="check"):
        ended = rederive(command, *self.mine, "-M", server.url, *args, stdin=stdin)
        self.assert_ended(ended, status)
        return ended

    def fault(self, message, folder="mine", method="polite"):
        """Told in one line, before anything is asked."""
        for args in (("methods",), ("check", "-m", method, "-M", "http://127.0.0.1:9/v1#x")):
            ended = rederive(*args, "--method-dir", folder, stdin=CHAINS, cwd=self.folder)
            self.assert_ended(ended, 2)
            self.assertEqual([ended.err, ended.out], [f"rederive: {message}\n", ""])


class Whole(Own):
    def test_the_page_shows_both_files(self):
        self.assertEqual(sorted(page_blocks()), ["mine/polite.method", "mine/polite/check.md"])

    def test_the_page_shows_a_whole_table_of_several_stages(self):
        table = (ROOT / "examples/methods/chain-of-verification.method").read_text(encoding="utf-8")
        shown = textwrap.indent(table, "    ")
        self.assertIn(f"\n\n{shown}\n", (ROOT / "docs/methods.md").read_text(encoding="utf-8"))

    def test_without_answers_the_reminder_names_the_words_that_are_read(self):
        text = page_blocks()["mine/polite/check.md"]
        self.file("mine/polite/check.md", text.replace('answers: "polite", "rude"\n', ""))
        with Server(rules=[{"contains": "write nothing behind it", "reply": "polite"}, {"reply": "I like it."}]) as server:
            record = self.check(server, "-q", stdin=CHAINS.splitlines()[0] + "\n").records[0]
            self.assertRegex(server.asked()[-1], r'\n\nEnd your reply with one of these, and write nothing behind it: '
                             r'"polite", "rude"\.$')
        self.assertEqual([v["verdict"] for v in record["verdicts"]], ["support"] * 2)

    def test_items_are_asked_for_again_at_temperature_0(self):
        self.file("mine/polite.method", HEAD.format("polite", "polite", "verdict") + "## cited\nread: items\n"
                  "## check\nafter: cited\nread: choice yes-no\n")
        self.file("mine/polite/cited.md", PROMPT.format("polite/cited", "step", "", "What does it rest on? {{step}}"))
        self.file("mine/polite/check.md", PROMPT.format("polite/check", "information[text]", "",
                                                        "Is it so?{{#information}}\n{{index}}: {{text}}{{/information}}"))
        with Server(rules=[{"contains": "which count from 0", "reply": "Information 0"},
                           {"contains": "What does it rest on?", "reply": "On much."}, {"reply": "Yes"}]) as server:
            record = self.check(server, "-q", stdin=CHAINS.splitlines()[0] + "\n").records[0]
            self.assertEqual(sum("count from 0" in text for text in server.asked()), 2)
        self.assertEqual([v["verdict"] for v in record["verdicts"]], ["support"] * 2)

    def test_a_stage_of_the_question_is_asked_once_for_its_chains(self):
        self.file("mine/polite.method", HEAD.format("polite", "polite", "verdict") + "## hint\nper: question\n"
                  "## check\nper: chain\nafter: hint\nread: choice yes-no\n")
        self.file("mine/polite/hint.md", PROMPT.format("polite/hint", "question", "", "A hint for {{question}}"))
        self.file("mine/polite/check.md", PROMPT.format("polite/check", "hint, steps[text]", "",
                                                        "Is it so, by {{hint}}?{{#steps}}\n{{text}}{{/steps}}"))
        with Server(rules=[{"contains": "A hint for", "reply": "Add."}, {"reply": "Yes"}]) as server:
            records = self.check(server, "-q", "-j", "1", "-o", self.path("out.jsonl"), "--json", stdin=CHAINS)
            self.assert_ended(records, 0)
            asked = server.asked()
        self.assertEqual(sum(text.startswith("A hint for") for text in asked), 1)
        self.assertEqual(sum("by Add." in text for text in asked), len(CHAINS.splitlines()))
        self.file("mine/polite/hint.md", PROMPT.format("polite/hint", "question, step", "", "{{question}} {{step}}"))
        self.fault('mine/polite/hint.md:5: step is of a chain, and the stage is asked "per: question"')

    def test_a_stage_that_failed_is_named(self):
        self.file("mine/polite.method", HEAD.format("polite", "polite", "mean") + "## premises\nread: choice yes-no\n"
                  "## other\nafter: premises\n## check\nsamples: 3\nafter: other\nread: choice yes-no\n")
        for name in ("premises", "other", "check"):
            self.file(f"mine/polite/{name}.md", PROMPT.format(f"polite/{name}", "step", "", "Is it so? {{step}}").replace(
                "temperature: 0", "temperature: 1"))
        with Server(rules=[{"reply": "I like it."}]) as server:
            verdict = self.check(server, "-q", stdin=CHAINS.splitlines()[0] + "\n").records[0]["verdicts"][0]
        self.assertEqual(verdict["verdict"], "unknown")
        self.assertRegex(verdict["explanation"], "^premises: .")
        self.assertNotIn("n_unparsed", verdict["evidence"])

    def test_the_list(self):
        ended = rederive("methods", *self.mine[:2])
        self.assert_ended(ended, 0)
        self.assertRegex(ended.out, r"(?m)^polite +ask of each step whether it is polite$")
        self.assertEqual(len(ended.out.splitlines()), len(rederive("methods").out.splitlines()) + 1)

    def test_check(self):
        with Server(rules=POLITE) as server:
            good, bad = self.check(server, "-q").records
            self.assertEqual(len(server.asked()), 4)
            self.assertEqual(server.asked()[1], "Problem: What is 2 + 3?\n2 + 3 = 5.\nNext step: So it is 5.\n\n"
                             "Is the next step polite or rude? Reply with one word.")
        self.assertEqual([v["verdict"] for v in good["verdicts"]], ["support"] * 2)
        self.assertEqual([v["verdict"] for v in bad["verdicts"]], ["contradict"] * 2)
        self.assertEqual([good["method"], good["first_error"], good["n_calls"]], ["polite", None, 2])
        self.assertEqual(bad["first_error"], 0)
        self.assertGreater(good["confidence"], bad["confidence"])
        self.assertEqual(good["verdicts"][0]["evidence"], {"check": "Polite."})

    def test_dry_run_tells_the_calls_that_are_made(self):
        with Server(rules=[{"reply": "polite"}]) as server:
            for more in ((), ("--profile", "paper"), ("--first-steps", "1"), ("--structured",)):
                ended = self.check(server, "--dry-run", "--json", *more)
                self.assertEqual(server.requests(), [])
                told = json.loads(ended.out)
                self.assertEqual([s["stage"] for s in told["stages"]], ["polite/check"])
                self.check(server, *more)
                self.assertEqual(told["n_calls"], len(server.requests()), more)
                server.forget()

    def test_structured(self):
        with Server(rules=[{"reply": "polite"}], differences=["schema"]) as server:
            self.check(server, "-q", "--structured")
            self.assertIn("rude", json.dumps(server.requests()[0]["body"]["response_format"]))
        with Server(rules=POLITE) as server:
            self.check(server, "-q")
            self.assertNotIn("response_format", server.requests()[0]["body"])

    def test_journal_and_resume(self):
        out = ("-q", "--journal", self.path("j"), "-o", self.path("out.jsonl"))
        with Server(rules=POLITE) as server:
            self.check(server, *out, "-j", "1", "--max-calls", "3", status=1)
            first = len(server.asked())
            self.check(server, *out)
            self.assertEqual([first, len(server.asked())], [3, 4])
            self.assertEqual(len(set(server.asked())), 4)
            whole = self.read("out.jsonl")
            os.unlink(self.path("out.jsonl"))
            self.check(server, *out)
            self.assertEqual([len(server.asked()), self.read("out.jsonl")], [4, whole])
        kept = rederive("journal", "export", self.path("j")).records
        self.assertEqual({row["stage"] for row in kept}, {"polite/check"})

    def test_another_prompt_is_another_question(self):
        """The journal answers for what was asked, not for the method's name."""
        out = ("-q", "--journal", self.path("j"))
        with Server(rules=POLITE) as server:
            self.check(server, *out)
            text = page_blocks()["mine/polite/check.md"]
            self.file("mine/polite/check.md", text.replace("Reply with", "Answer with"))
            self.check(server, *out)
            self.assertEqual(len(server.asked()), 8)

    def test_prompt_dir_replaces_the_prompts_of_own_methods_too(self):
        text = page_blocks()["mine/polite/check.md"]
        self.file("others/polite/check.md", text.replace("Reply with", "Answer with"))
        with Server(rules=POLITE) as server:
            ended = rederive("check", *self.mine, "--prompt-dir", self.path("others"), "-M", server.url,
                             stdin=CHAINS)
            self.assert_ended(ended, 0)
            self.assertIn("Answer with", server.asked()[0])

    def test_vote_and_eval(self):
        with Server(rules=POLITE) as server:
            checked = self.check(server, "-q").out
        voted = rederive("vote", "-q", "-w", "confidence:polite", stdin=checked)
        self.assert_ended(voted, 0)
        self.assertEqual(voted.records[0]["answer"], "5")
        ended = rederive("eval", stdin=checked)
        self.assert_ended(ended, 0)
        self.assertRegex(ended.out, r"(?m)^location +1\.0000 ")

    def test_solve(self):
        rules = [{"contains": "Solve the following", "reply": "Step 1: 2 + 3 = 5\n\nStep 2: So the answer is 5."}]
        with Server(rules=rules + POLITE) as server:
            ended = self.check(server, "-q", "-n", "2", "--stop", "none", command="solve",
                               stdin=lines({"question_id": "q", "question": "What is 2 + 3?"}))
            self.assertEqual(len(server.asked()), 2 + 2 * 2)
        self.assertEqual([ended.records[0]["answer"], ended.records[0]["n_calls"]], ["5", 6])

    def test_solve_step_by_step_with_a_mean(self):
        """A search keeps the verdicts of the steps that a shorter solution had."""
        self.file("mine/fit.method", HEAD.format("fit", "a search", "mean") + "## check\nsamples: option\n"
                  'read: choice "yes" = support, "no" = contradict\nexample: "yes"\n')
        self.file("mine/fit/check.md", PROMPT.format("fit/check", "step", "", "Does it fit? {{step}}").replace("temperature: 0", "temperature: 1"))
        rules = [{"contains": "Does it fit?", "reply": "yes"},
                 {"regex": "Step 0:$", "reply": " 2 + 3 = 5."},
                 {"regex": "Step 1:$", "reply": " So the answer is 5."}]
        with Server(rules=rules) as server:
            ended = rederive("solve", "-q", *self.mine[:2], "-m", "fit", "--samples", "2", "--beam-search", "-n", "1",
                             "--beam-width", "1", "--expansions", "1", "-M", server.url,
                             stdin=lines({"question": "What is 2 + 3?"}))
            self.assert_ended(ended, 0)
            fits = [text for text in server.asked() if "Does it fit?" in text]
        self.assertEqual([ended.records[0]["answer"], len(fits)], ["5", 4])

    def test_repair(self):
        rules = [{"regex": r"Next step: .*6\.\n", "reply": "rude"}, {"contains": "Next step:", "reply": "polite"},
                 {"regex": "Thought 1:$", "reply": " 2 + 3 = 5."},
                 {"regex": "Thought 2:$", "reply": " So the answer is 5."}]
        with Server(rules=rules) as server:
            ended = rederive("repair", "-q", *self.mine[:2], "-l", "polite", "-M", server.url, "--max-steps", "3",
                             stdin=CHAINS)
            self.assert_ended(ended, 0)
        kept, mended = ended.records
        self.assertEqual([kept["answer"], kept["steps"][0]], ["5", "2 + 3 = 5."])
        self.assertEqual([mended["answer"], mended["steps"][0]], ["5", "2 + 3 = 5."])

    def test_beside_built_in_methods(self):
        with Server(rules=POLITE) as server:
            ended = rederive("check", "-q", *self.mine[:2], "-m", "calculations,polite", "-M", server.url,
                             stdin=CHAINS)
            self.assert_ended(ended, 0)
        self.assertEqual(list(ended.records[1]["checks"]), ["calculations", "polite"])

    def test_what_cannot_be_read_is_unknown(self):
        with Server(rules=[{"reply": "It is polite, I suppose."}]) as server:
            record = self.check(server, "-q", stdin=CHAINS.splitlines()[0] + "\n").records[0]
            self.assertEqual(len(server.asked()), 4)  # each once more
        self.assertEqual([record["confidence"], record["n_unknown"], record["first_error"]], [None, 2, "unknown"])
        self.assertEqual(record["verdicts"][0]["evidence"], {"check": "It is polite, I suppose."})

    def test_a_name_that_is_not_there(self):
        ended = rederive("check", "--method-dir", self.path("mine"), "-m", "polit", "-M", "http://127.0.0.1:9/v1#x",
                         stdin=CHAINS)
        self.assert_ended(ended, 2)
        self.assertIn("did you mean polite?", ended.err)


class Numbers(Own):
    """A method that reads numbers: G-Eval's mean of samples, and what is asked again at temperature 0."""
    def setUp(self):
        super().setUp()
        self.mine = ("--method-dir", self.path("mine"), "-m", "fit")

    def method(self, conclude, samples, temperature):
        self.file("mine/fit.method", HEAD.format("fit", "fit", conclude) + f"## check\nsamples: {samples}\n"
                  'read: number 0 to 10\nexample: "7"\n')
        prompt = PROMPT.format("fit/check", "step", "", "Does it fit? {{step}}")
        self.file("mine/fit/check.md", prompt.replace("temperature: 0", f"temperature: {temperature}"))

    def first(self, *pool, **more):
        with Server(rules=[{"pool": [{"reply": reply} for reply in pool]}]) as server:
            record = self.check(server, "-q", stdin=lines(chain(id="a", question_id="q", steps=["2 + 3 = 5."], label=None)),
                                **more).records[0]
            self.asked = server.asked()
        return record["verdicts"][0], record

    def test_the_mean_of_samples(self):
        self.method("mean", 4, 1)
        verdict, record = self.first("9")
        self.assertEqual([verdict["verdict"], verdict["score"], len(self.asked)], ["support", 0.9, 4])
        self.assertEqual(verdict["evidence"]["samples"], [{"satisfied": True, "score": 0.9, "conclusion": "9"}] * 4)
        verdict, record = self.first("2 out of 10")
        self.assertEqual([verdict["verdict"], verdict["score"]], ["contradict", 0.2])
        verdict, record = self.first("5")
        self.assertEqual([verdict["verdict"], verdict["score"]], ["unrelated", 0.5])
        verdict, record = self.first("Quite well.")
        self.assertEqual([verdict["verdict"], verdict["score"], record["confidence"]], ["unknown", None, None])

    def test_a_sample_that_is_not_read_counts_a_half(self):
        self.method("mean", 2, 1)
        by_sample = [{"reply": "9", "times": 1}, {"reply": "Quite well."}]
        with Server(rules=by_sample) as server:
            verdict = self.check(server, "-q", "-j", "1", stdin=lines(chain(id="a", question_id="q", steps=["2 + 3 = 5."],
                                                                          label=None))).records[0]["verdicts"][0]
        self.assertEqual([verdict["score"], verdict["verdict"], verdict["evidence"]["n_unparsed"]], [0.7, "support", 1])

    def test_a_threshold_says_score(self):
        self.method("threshold", 1, 1)
        verdict, _ = self.first("Score: 7/10")
        self.assertEqual([verdict["verdict"], verdict["score"], verdict["explanation"]], ["support", 0.7, "score 0.7"])

    def test_at_temperature_0_the_second_question_reminds(self):
        self.method("threshold", 1, 0)
        verdict, _ = self.first("Quite well.")
        self.assertEqual(verdict["verdict"], "unknown")
        self.assertEqual(self.asked, ["Does it fit? 2 + 3 = 5.", "Does it fit? 2 + 3 = 5.\n\nEnd your reply with a line "
                                      "that holds only a number from 0 to 10."])


class WholeChain(Own):
    """One graded or sampled verdict on the whole solution: its mean is the confidence, by which votes weigh."""
    def setUp(self):
        super().setUp()
        self.mine = ("--method-dir", self.path("mine"), "-m", "judge")

    def method(self, read, samples, temperature=1, conclude="mean"):
        self.file("mine/judge.method", HEAD.format("judge", "judge", conclude) + f"## check\nper: chain\nsamples: {samples}\nread: {read}\n")
        prompt = PROMPT.format("judge/check", "question, steps[text]", "", "{{question}}{{#steps}} {{text}}{{/steps}} Is it right?")
        self.file("mine/judge/check.md", prompt.replace("temperature: 0", f"temperature: {temperature}"))

    def judged(self, *rules, n=1, args=()):
        with Server(rules=rules) as server:
            records = self.check(server, "-q", "-j", "1", *args, stdin="".join(CHAINS.splitlines(True)[:n])).records
            self.asked, self.sent = server.asked(), [request["body"]["messages"] for request in server.requests()]
        return records

    def test_a_grade_is_the_confidence(self):
        self.method("number 0 to 100", 1)
        for reply, confidence, verdict in (("I am quite sure.\n80", 0.8, "support"), ("51", 0.51, "support"), ("20", 0.2, "contradict")):
            record, = self.judged({"reply": reply})
            self.assertEqual([record["confidence"], [(v["step"], v["verdict"], v["score"]) for v in record["verdicts"]]],
                             [confidence, [(None, verdict, confidence)]])
            self.assertEqual(len(self.asked), 1)

    def test_the_share_of_samples_is_the_confidence(self):
        self.method('choice "Right" = support, "Wrong" = contradict', 4)
        record, = self.judged({"reply": "Right", "times": 3}, {"reply": "Wrong"})
        self.assertEqual([record["confidence"], record["n_calls"], len(self.asked)], [0.75, 4, 4])
        self.assertEqual([s["satisfied"] for s in record["verdicts"][0]["evidence"]["samples"]], [True, True, True, False])

    def test_nothing_unread_counts_as_support(self):
        self.method('choice "Right" = support, "Wrong" = contradict', 2)
        record, = self.judged({"reply": "Right", "times": 1}, {"reply": "Who knows."})
        self.assertEqual([record["confidence"], record["verdicts"][0]["evidence"]["n_unparsed"]], [0.75, 1])
        record, = self.judged({"reply": "Who knows."})
        self.assertEqual([record["confidence"], record["verdicts"][0]["verdict"]], [None, "unknown"])
        record, = self.judged({"reply": "Who knows."}, args=("--unknown", "contradict"))
        self.assertEqual(record["confidence"], 0)

    def test_votes_weigh_by_it(self):
        self.method("number 0 to 100", 1)
        records = self.judged({"contains": "2 + 3 = 6", "reply": "90"}, {"reply": "60"}, n=2)
        vote = rederive("vote", "-w", "confidence:judge", stdin=lines(*records)).records[0]
        self.assertEqual(vote["answer"], "6")
        records = self.judged({"contains": "2 + 3 = 6", "reply": "60"}, {"reply": "90"}, n=2)
        self.assertEqual(rederive("vote", "-w", "confidence:judge", stdin=lines(*records)).records[0]["answer"], "5")

    def test_the_pages_example(self):
        """docs/methods.md: how sure, from 0 to 100."""
        text = (ROOT / "docs/methods.md").read_text(encoding="utf-8")
        for name in ("sure.method", "sure/ask.md"):
            block, *self.with_example = re.findall(rf"`{re.escape(name)}`[^\n]*:\n\n((?:    [^\n]*\n|\n)+)", text)
            self.file("page/" + name, textwrap.dedent(block).strip("\n") + "\n")
        self.mine = ("--method-dir", self.path("page"), "-m", "sure")
        record, = self.judged({"reply": "All is right.\n90", "times": 2}, {"reply": "30"})
        self.assertEqual([round(record["confidence"], 9), len(self.asked)], [0.7, 3])
        self.assertEqual(rederive("methods", "--method-dir", self.path("page")).status, 0)
        plain = self.sent[0]
        block, = self.with_example
        self.file("page/sure/ask.md", textwrap.dedent(block).strip("\n") + "\n")
        self.judged({"reply": "90"})
        shot = self.sent[0]
        self.assertEqual([m["role"] for m in shot], ["user", "assistant", "user"])
        self.assertEqual(shot[-1], plain[-1], "the example changes nothing of what is asked")

    def test_dry_run_tells_the_calls(self):
        self.method("number 0 to 100", "option")
        ended = rederive("check", *self.mine, "--samples", "3", "--dry-run", "--json", stdin=CHAINS)
        self.assertEqual(json.loads(ended.out)["least"]["n_calls"], 2 * 3)


class Rubric(Case):
    """The method rubric, whose criteria are a text file of the user."""
    GIVEN = "# what I look at\n\n  It answers the question.\r\nEach calculation is right.\n"

    def check(self, *args, text=GIVEN, status=0, rules=({"reply": "1. Yes.\n2. Yes.\n9"},)):
        self.write("mine.txt", text)
        with Server(rules=list(rules)) as server:
            ended = rederive("check", "-q", "-m", "rubric", "-M", server.url, *args, stdin=CHAINS.splitlines(True)[0], cwd=self.folder)
            self.assert_ended(ended, status)
            self.asked = server.asked()
        return ended

    def test_the_model_is_told_the_criteria(self):
        record, = self.check("--rubric", "mine.txt", "--samples", "2").records
        self.assertEqual([record["confidence"], len(self.asked)], [0.9, 2])
        self.assertIn("\n1. It answers the question.\n2. Each calculation is right.\n\nQuestion: ", self.asked[0])
        self.assertNotIn("what I look at", self.asked[0])

    def test_own_prompts_may_have_them_too(self):
        os.mkdir(self.path("mine"))
        self.write("mine/met.method", HEAD.format("met", "met", "mean") + "## check\nper: chain\nread: choice yes-no\n")
        os.mkdir(self.path("mine/met"))
        self.write("mine/met/check.md", PROMPT.format("met/check", "criteria[text]", "", "Are these met?{{#criteria}}\n- {{text}}{{/criteria}}"))
        record, = self.check("--method-dir", "mine", "-m", "met", "--rubric", "mine.txt", rules=({"reply": "Yes"},)).records
        self.assertEqual([record["confidence"], self.asked], [1, ["Are these met?\n- It answers the question.\n- Each calculation is right."]])

    def test_faults_have_one_line(self):
        long = "x" * 1001
        for text, says in (("", "--rubric mine.txt:1: a rubric has a criterion a line, and none is there"),
                           ("ok\na\x01b\n", "--rubric mine.txt:2: a criterion has no control characters"),
                           ("ok\n\n" + long, "--rubric mine.txt:3: a criterion has at most 1000 bytes"),
                           ("a\n" * 101, "--rubric mine.txt:101: a rubric has at most 100 criteria")):
            ended = self.check("--rubric", "mine.txt", text=text, status=2)
            self.assertEqual([ended.err, self.asked], [f"rederive: check: {says}\n", []])
        for args, says in (((), "check: --method rubric needs --rubric FILE, a text with one criterion a line"),
                           (("--rubric", "none.txt"), "check: --rubric none.txt: cannot be read: there is no such file"),
                           (("-m", "global", "--rubric", "mine.txt"), "check: --rubric has no effect: no prompt of the method has criteria (that of rubric has)")):
            ended = self.check(*args, status=2)
            self.assertEqual([ended.err, self.asked], [f"rederive: {says}\n", []])

    def test_stands_in_a_papers_table(self):
        self.write("mine.txt", self.GIVEN)
        self.write("q.jsonl", lines({"question_id": "q", "question": "What is 2 + 3?", "gold": "5"}))
        with Server(rules=[{"contains": "by these criteria", "reply": "9"}, {"reply": "Step 1: 2 + 3 = 5\nSo the answer is 5."}]) as server:
            ended = rederive("reproduce", "selfcheck:table1", "--data", "q.jsonl", "--method", "rubric", "--rubric", "mine.txt",
                             "-M", server.url, "--out", "out", "-q", cwd=self.folder, seconds=SECONDS)
            self.assert_ended(ended, 0)
        series, = json.loads(self.read("out/table.json"))["series"]
        self.assertEqual([series["check"], series["rows"][0]["accuracy.weighted"]["value"]], ["rubric", 1])


class Examples(Case):
    def test_each_runs_on_a_model_in_the_program(self):
        model = "builtin:" + write_model(self.path("tiny.gguf"))
        given = "".join((ROOT / "examples/chains.jsonl").read_text(encoding="utf-8").splitlines(True)[:4])
        for name in ("critique", "conclude-again", "chain-of-verification"):
            ended = rederive("check", "-q", "--method-dir", EXAMPLES, "-m", name, "-M", model,
                             stdin=given, seconds=SECONDS)
            self.assertIn(ended.status, (0, 1), ended.err)
            self.assertEqual([r["method"] for r in ended.records], [name] * 4)
            # Random words support nothing.
            self.assertEqual([r["confidence"] for r in ended.records], [None] * 4, name)

    def test_each_concludes_from_whole_replies(self):
        whole = {"critique": [{"contains": "Write a short critique", "reply": "Thought 1 is wrong."},
                              {"reply": "Thought 1"}],
                 "conclude-again": [{"contains": "Conclusion B", "reply": "No"}, {"reply": "So it is 7."}],
                 "chain-of-verification": [{"contains": "Inconsistent", "reply": "They differ.\nInconsistent"},
                                           {"reply": "1. What is 2 + 3?"}]}
        for name, rules in whole.items():
            with Server(rules=rules) as server:
                ended = rederive("check", "-q", "--method-dir", EXAMPLES, "-m", name, "-M", server.url, stdin=CHAINS)
                self.assert_ended(ended, 0)
                told = rederive("check", "--method-dir", EXAMPLES, "-m", name, "--dry-run", "--json", stdin=CHAINS)
                self.assertEqual(json.loads(told.out)["n_calls"], len(server.requests()), name)
            for record in ended.records:
                self.assertIn("contradict", [v["verdict"] for v in record["verdicts"]], name)
                self.assertEqual(record["n_unknown"], name == "critique", name)


class Faults(Own):
    def test_in_the_table(self):
        text = page_blocks()["mine/polite.method"]
        self.file("mine/polite.method", text.replace("choice", "choise"))
        self.fault('mine/polite.method:9: there is no reader "choise "polite" = support, "rude" = contradict"; '
                   "docs/methods.md lists them")
        self.file("mine/polite.method", text.replace("per: step", "per: steps"))
        told = "mine/polite.method:8: per is one of: chain, step, later step, step in turn, question"
        self.fault(told)
        self.assertIn(f"    rederive: {told}\n", (ROOT / "docs/methods.md").read_text(encoding="utf-8"))

    def test_in_a_folder_within(self):
        self.file("mine/deep/er/other.method", "---\n")
        self.fault('mine/deep/er/other.method:1: the head has no end, a second line "---"', method="other")

    def test_of_several_the_list_tells_all_and_a_run_those_it_was_to_use(self):
        for name in ("a", "z"):
            self.file(f"mine/{name}.method", name)
        self.file("mine/z/prompt.md", "no prompt")
        told = [f'rederive: mine/{name}.method:1: a method begins with a line "---"' for name in ("a", "z")]
        ended = rederive("methods", "--method-dir", "mine", cwd=self.folder)
        self.assertEqual([ended.status, ended.out, ended.err.splitlines()], [2, "", told])
        with Server(rules=POLITE) as server:
            self.check(server, "-q")
            ended = rederive("check", "--method-dir", "mine", "-m", "polite,z", "-M", server.url, stdin=CHAINS,
                             cwd=self.folder)
            self.assert_ended(ended, 2)
            self.assertEqual(ended.err, told[1] + "\n")

    def test_files_that_no_table_names_are_no_prompts(self):
        self.file("mine/notes.md", "What I thought of.")
        self.file("mine/global.md", PROMPT.format("global", "question", "", "{{question}}"))
        with Server(rules=POLITE) as server:
            self.check(server, "-q")

    def test_a_missing_prompt(self):
        os.unlink(self.path("mine/polite/check.md"))
        self.fault("mine/polite.method:7: there is no file polite/check.md in the folder, and no built-in prompt "
                   "polite/check")

    def test_a_variable_that_nothing_gives(self):
        text = page_blocks()["mine/polite/check.md"]
        self.file("mine/polite/check.md", text.replace("step", "setp"))
        self.fault("mine/polite/check.md:5: setp is neither a variable of docs/methods.md nor the name of a stage in "
                   "`after` (none)")

    def test_a_list_that_is_declared_as_a_text(self):
        text = page_blocks()["mine/polite/check.md"].replace("previous[text]", "previous")
        self.file("mine/polite/check.md", text.replace("{{#previous}}\n{{text}}\n", "{{#previous}}\n{{previous}}\n"))
        self.fault("mine/polite/check.md:5: previous is a list: declare previous[text]")

    def test_answers_are_the_words_that_are_read(self):
        text = page_blocks()["mine/polite/check.md"]
        for answers in ('"polite"', '"polite", "rude", "neither"', '"polite", "rough"'):
            self.file("mine/polite/check.md", text.replace('answers: "polite", "rude"', "answers: " + answers))
            self.fault('mine/polite.method:7: the answers of the prompt polite/check are not the words of "read: '
                       'choice"')
        self.file("mine/polite/check.md", text.replace('answers: "polite", "rude"', 'answers: "Rude", "Polite"'))
        self.assert_ended(rederive("methods", "--method-dir", self.path("mine")), 0)

    def test_an_example_that_cannot_be_read(self):
        text = page_blocks()["mine/polite.method"]
        for example, why in (("It is polite, I suppose.", "the last line is none of the words asked for"), (" ", "it is empty, or has not its form")):
            self.file("mine/polite.method", text.replace('example: "polite"', f'example: "{example}"'))
            self.fault('mine/polite.method:10: the example is no reply that its "read" can read: ' + why)

    def test_a_prompt_that_does_not_fit_its_stage(self):
        """Answers that are no grades ("@1" is the number of a step), and samples that would all be the same."""
        table, prompt = page_blocks()["mine/polite.method"], page_blocks()["mine/polite/check.md"]
        graded = table.replace('choice "polite" = support, "rude" = contradict', "number 1 to 10").replace("conclude: verdict", "conclude: mean").replace(
            'example: "polite"', 'example: "7"')
        self.file("mine/polite.method", graded)
        for answers in ('"@1"', '"1", "11"', '"1 to 10"', '"good"'):
            self.file("mine/polite/check.md", prompt.replace('answers: "polite", "rude"', "answers: " + answers))
            ended = rederive("methods", "--method-dir", self.path("mine"))
            self.assert_ended(ended, 2)
            self.assertRegex(ended.err, r"polite.method:7: .*an answer of the prompt polite/check, is no number from 1 to 10")
        self.file("mine/polite/check.md", prompt.replace('answers: "polite", "rude"', 'answers: "1", "5.5", "10"'))
        self.assert_ended(rederive("methods", "--method-dir", self.path("mine")), 0)
        self.file("mine/polite.method", graded.replace("per: step", "per: step\nsamples: 3"))
        self.fault("mine/polite.method:7: samples need a temperature above 0, and the prompt polite/check has 0")
        self.file("mine/polite/check.md", prompt.replace('answers: "polite", "rude"\n', "").replace("temperature: 0", "temperature: 1"))
        self.assert_ended(rederive("methods", "--method-dir", self.path("mine")), 0)

    def test_options_with_letters(self):
        """A word's own marks do not count: the options of a paper can be written as they are asked for."""
        self.file("mine/polite.method", page_blocks()["mine/polite.method"].replace(
            'choice "polite" = support, "rude" = contradict', 'choice "(A) True" = support, "(B) False" = contradict').replace(
            'example: "polite"', 'example: "(A) True"'))
        self.file("mine/polite/check.md", page_blocks()["mine/polite/check.md"].replace('answers: "polite", "rude"', 'answers: "(A) True", "(B) False"'))
        for reply, verdict in (("(A) True", "support"), ("A) true.", "support"), ("**(A) True**", "support"), ("Answer: (B) False", "contradict"),
                               ("(A)", "unknown"), ("True", "unknown"), ("(A) True or (B) False", "unknown"), ("The answer is: (A) True", "unknown")):
            with Server(rules=[{"contains": "", "reply": reply}]) as server:
                ended = rederive("check", "-q", "--method-dir", self.path("mine"), "-m", "polite", "-M", server.url, stdin=lines(chain(steps=["Please."])))
                self.assertEqual([v["verdict"] for v in json.loads(ended.out)["verdicts"]], [verdict], reply)

    def test_the_summary_of_verdicts_on_whole_solutions(self):
        self.file("mine/polite.method", page_blocks()["mine/polite.method"].replace("per: step", "per: chain"))
        self.file("mine/polite/check.md", page_blocks()["mine/polite/check.md"])
        for reply, said in (("polite", "2 of 2 solutions judged right."), ("rude", "2 of 2 solutions judged wrong."),
                            ("hm", "Nothing was decided in 2 solutions.")):
            with Server(rules=[{"contains": "", "reply": reply}]) as server:
                ended = rederive("check", "--method-dir", self.path("mine"), "-m", "polite", "-M", server.url,
                                 stdin=lines(chain(steps=["Please."]), chain(id="other", question="Why?", steps=["Please."])))
                self.assertIn(said, ended.err)

    def test_a_fault_in_a_prompt(self):
        self.file("mine/polite/check.md", page_blocks()["mine/polite/check.md"].replace("id: ", "di: "))
        ended = rederive("methods", "--method-dir", "mine", cwd=self.folder)
        self.assert_ended(ended, 2)
        self.assertRegex(ended.err, r"^rederive: .*polite/check.*2.*\n$")

    def test_the_same_name_twice(self):
        shutil.copy(self.path("mine/polite.method"), self.path("mine/rude.method"))
        self.fault(method="polite", message="mine/rude.method:1: there is a method polite already")

    def test_the_name_of_a_built_in_method(self):
        text = page_blocks()["mine/polite.method"].replace("method: polite", "method: selfcheck")
        self.file("mine/polite.method", text.replace("## check\n", "## check\nprompt: polite/check\n"))
        self.fault("mine/polite.method:1: there is a method selfcheck already", method="selfcheck")

    def test_the_id_of_a_built_in_prompt(self):
        self.file("mine/global.md", PROMPT.format("global", "question", "", "{{question}}"))
        self.file("mine/polite.method", page_blocks()["mine/polite.method"].replace("## check\n", "## check\nprompt: global\n"))
        ended = rederive("methods", "--method-dir", "mine", cwd=self.folder)
        self.assert_ended(ended, 2)
        self.assertRegex(ended.err, r"^rederive: .*global.*\n$")

    def test_folders(self):
        os.mkdir(self.path("empty"))
        self.fault("--method-dir empty: there is no method (NAME.method)", "empty")
        self.fault("--method-dir: none: No such file or directory", "none")
        self.file("file", "")
        self.fault("--method-dir: file: Not a directory", "file")

    def test_other_files_are_passed_over(self):
        for name in ("README.md", "polite/README.md", ".hidden.method", ".md", "notes.txt", "polite.method~"):
            self.file("mine/" + name, "\x00 nothing that could be read")
        self.assert_ended(rederive("methods", "--method-dir", self.path("mine")), 0)

    def test_too_many(self):
        text = page_blocks()["mine/polite.method"].replace("## check\n", "## check\nprompt: polite/check\n")
        for i in range(200):
            self.file(f"many/m{i}.method", text.replace("method: polite", f"method: m{i}"))
        shutil.copytree(self.path("mine/polite"), self.path("many/polite"))
        ended = rederive("methods", "--method-dir", "many", cwd=self.folder)
        self.assert_ended(ended, 2)
        self.assertRegex(ended.err, r"^rederive: --method-dir many: a folder has at most \d+ methods\n$")


if __name__ == "__main__":
    unittest.main()
