# SPDX-License-Identifier: Apache-2.0
"""repair: backtracking from every kind of locator, against a scripted server."""
import json
import os
import unittest

from scripted import Server
from support import Case, chain, lines, rederive

QUESTION = "Ann has 3 bags with 4 pens each and buys 5 pens. How many pens has she?"
FIRST = "There are 3 bags with 4 pens each."
WRONG = "The bags hold 3 * 4 = 13 pens."
FIXED = "The bags hold 3 * 4 = 12 pens."
LONGER = "All of the bags together hold 3 * 4 = 12 pens in the end."
LAST_WRONG = "With those she buys that is 13 + 5 = 18. So the answer is 18."
LAST = "With those she buys that is 12 + 5 = 17. So the answer is 17."


def trace(**more):
    return chain(**{"question": QUESTION, "steps": [FIRST, WRONG, LAST_WRONG], "answer": "18",
                    "gold": "17", "id": "pens/1", "label": 1, **more})


def thought(number, reply, **more):
    """The step that is asked for as `number`, counted from 1."""
    return {"regex": rf"Thought {number}:\s*$", "reply": " " + reply + "\n", **more}


def draws(number, *replies):
    return [thought(number, reply, times=1) for reply in replies]


class Repairs(Case):
    def repair(self, server, *args, records=None, status=0):
        self.write("in.jsonl", lines(*(records or [trace()])))
        ended = rederive("repair", "-q", "-j", "1", "-M", server.url, *args, "in.jsonl",
                         cwd=self.folder)
        self.assert_ended(ended, status)
        return ended.records

    def one(self, server, *args, **more):
        return self.repair(server, *args, **more)[0]


class Backtracking(Repairs):
    """The paper's five steps."""

    SAMPLES = [WRONG, "  " + WRONG + " ", LONGER, FIXED, WRONG, LONGER, LONGER, WRONG]

    def test_the_most_probable_of_those_that_differ(self):
        with Server(rules=draws(2, *self.SAMPLES) + [thought(3, LAST)]) as server:
            record = self.one(server, "--locator", "gold")
            bodies = [r["body"] for r in server.requests()]
        self.assertEqual(record["steps"], [FIRST, FIXED, LAST])
        self.assertEqual(record["answer"], "17")
        self.assertNotIn("label", record)
        self.assertEqual(len(record["repairs"]), 1)
        done = record["repairs"][0]
        self.assertEqual((done["round"], done["step"], done["n_samples"], done["n_different"]),
                         (1, 1, 8, 4))
        self.assertEqual((done["accepted"], done["outcome"], done["selection"]),
                         (True, "repaired", "logprob-sum"))
        self.assertEqual((done["steps_before"], done["answer_before"]), ([WRONG, LAST_WRONG], "18"))
        self.assertEqual(record["repair"],
                         {"locator": "gold", "generator": "fake", "profile": "robust", "accept": "new", "stop_reason": "rounds", "changed": True, "answer_before": "18",
                          "n_steps_before": 3, "n_calls": 9,
                          "prompt_tokens": record["repair"]["prompt_tokens"],
                          "completion_tokens": record["repair"]["completion_tokens"]})
        self.assertEqual([body["temperature"] for body in bodies], [1] * 8 + [0])
        self.assertTrue(all(body["logprobs"] for body in bodies[:8]))
        self.assertNotIn("logprobs", bodies[8])
        shown = bodies[8]["messages"][-1]["content"]
        self.assertTrue(shown.endswith(f"Thought 1: {FIRST}\nThought 2: {FIXED}\nThought 3:"), shown)

    def test_the_mean_takes_the_first_of_equals(self):
        """The scripted server gives every token the same log-probability."""
        with Server(rules=draws(2, *self.SAMPLES) + [thought(3, LAST)]) as server:
            record = self.one(server, "--locator", "gold", "--choose", "mean")
        self.assertEqual(record["steps"][1], LONGER)
        self.assertEqual(record["repairs"][0]["selection"], "logprob-mean")
        self.assertEqual(record["repairs"][0]["logprob"], -0.5)

    def test_without_log_probabilities_the_most_frequent(self):
        for difference in ("no-logprobs", "ignore-logprobs"):
            with Server(rules=draws(2, *self.SAMPLES) + [thought(3, LAST)],
                        differences=[difference]) as server:
                record = self.one(server, "--locator", "gold")
            self.assertEqual(record["steps"], [FIRST, LONGER, LAST])
            self.assertEqual(record["repairs"][0]["selection"], "frequency")
            self.assertNotIn("logprob", record["repairs"][0])

    def test_all_equal_to_the_old_step(self):
        with Server(rules=[thought(2, WRONG)]) as server:
            record = self.one(server, "--locator", "gold")
        self.assertEqual(record["steps"], [FIRST, WRONG, LAST_WRONG])
        self.assertEqual(record["label"], 1)
        done = record["repairs"][0]
        self.assertEqual((done["accepted"], done["outcome"], done["n_samples"], done["n_different"]),
                         (False, "all equal", 8, 0))
        self.assertFalse(record["repair"]["changed"])

    def test_a_server_that_continues_no_turn(self):
        with Server(rules=draws(2, *self.SAMPLES) + [thought(3, LAST)],
                    differences=["no-prefix", "alternate"]) as server:
            record = self.one(server, "--locator", "gold")
            roles = [m["role"] for m in server.requests()[-1]["body"]["messages"]]
        self.assertEqual(record["steps"], [FIRST, FIXED, LAST])
        self.assertEqual(roles[-1], "user")

    def test_a_trace_that_never_ends(self):
        with Server(rules=[thought(r"\d+", "Let us think about pens again.")]) as server:
            record = self.one(server, "--locator", "gold", "--max-steps", "6")
            self.assertEqual(len(server.requests()), 8 + 4)
        self.assertEqual(len(record["steps"]), 6)
        self.assertIsNone(record.get("answer"))
        self.assertTrue(record["repair"]["changed"])

    def test_a_step_that_gives_the_answer_is_the_last(self):
        with Server(rules=[thought(2, "It is 12 + 5 = 17. So the answer is 17.")]) as server:
            record = self.one(server, "--locator", "gold")
            self.assertEqual(len(server.requests()), 8)
        self.assertEqual(record["steps"], [FIRST, "It is 12 + 5 = 17. So the answer is 17."])
        self.assertEqual(record["answer"], "17")

    def test_nothing_is_repaired_where_no_mistake_is_seen(self):
        with Server(rules=[]) as server:
            records = self.repair(server, "--locator", "gold",
                                  records=[trace(label=None, more=[1.50])])
            self.assertEqual(server.requests(), [])
        record = records[0]
        self.assertEqual(record["repairs"], [])
        self.assertEqual(record["repair"]["stop_reason"], "passed")
        self.assertEqual((record["steps"], record["label"], record["more"]),
                         ([FIRST, WRONG, LAST_WRONG], None, [1.5]))

    def test_a_chain_without_a_label(self):
        record = trace()
        del record["label"]
        with Server(rules=[]) as server:
            said = self.one(server, "--locator", "gold", records=[record])["repair"]
        self.assertEqual((said["stop_reason"], said["explanation"]), ("not located", "the chain has no label"))

    def test_replies_that_do_not_come(self):
        with Server(rules=[{"status": 400}]) as server:
            record = self.one(server, "--locator", "gold", status=1)
        self.assertEqual(record["steps"], [FIRST, WRONG, LAST_WRONG])
        self.assertEqual((record["repair"]["stop_reason"], record["repairs"][0]["outcome"]),
                         ("failed", "failed"))
        self.assertIn("refused", record["repairs"][0]["explanation"])

    def test_the_rest_does_not_come(self):
        with Server(rules=draws(2, *self.SAMPLES) + [{"status": 400}]) as server:
            record = self.one(server, "--locator", "gold", status=1)
        self.assertEqual(record["steps"], [FIRST, WRONG, LAST_WRONG])
        self.assertEqual(record["repair"]["stop_reason"], "failed")

    def test_it_goes_on_where_it_ended(self):
        rules = draws(2, *self.SAMPLES) + [thought(3, LAST)]
        with Server(rules=rules) as server:
            first = self.repair(server, "--locator", "gold", "--journal", "j")
            asked = len(server.requests())
            again = self.repair(server, "--locator", "gold", "--journal", "j")
            self.assertEqual(len(server.requests()), asked)
            other = self.repair(server, "--locator", "gold", "--journal", "j", "--seed", "2")
            self.assertGreater(len(server.requests()), asked)
        self.assertEqual(first, again)
        self.assertEqual(len(other), 1)


class Loop(Repairs):
    """The iterated loop, with a method that computes as locator."""

    WORSE = "The bags hold 3 * 4 = 14 pens, and 5 + 5 = 11."

    def test_look_again_until_nothing_is_seen(self):
        bad = LAST_WRONG.replace("13", "12")
        rules = draws(2, WRONG, FIXED) + draws(3, bad, bad, LAST)
        with Server(rules=rules) as server:
            record = self.one(server, "--resamples", "2", "--rounds", "5")
        self.assertEqual(record["steps"], [FIRST, FIXED, LAST])
        self.assertEqual(record["repair"]["stop_reason"], "passed")
        self.assertEqual([r["step"] for r in record["repairs"]], [1, 2])
        self.assertEqual([r["accepted"] for r in record["repairs"]], [True, True])
        self.assertEqual(record["first_error"], None)
        self.assertEqual(record["method"], "calculations")

    def test_the_better_trace_stands(self):
        """The new trace has as many wrong steps, the first of them no later: the old one stands."""
        bad = "That is 14 + 5 = 18. So the answer is 18."
        rules = draws(2, self.WORSE, self.WORSE) + draws(3, bad) + draws(2, FIXED, FIXED) + \
            draws(3, LAST)
        with Server(rules=rules) as server:
            record = self.one(server, "--resamples", "2", "--rounds", "2")
        self.assertEqual([r["outcome"] for r in record["repairs"]], ["not better", "repaired"])
        self.assertEqual(record["repairs"][0]["steps_after"], [self.WORSE, bad])
        self.assertEqual(record["repairs"][1]["steps_before"], [WRONG, LAST_WRONG])
        self.assertEqual(record["steps"], [FIRST, FIXED, LAST])

    def test_a_trace_without_an_answer_is_not_better(self):
        with Server(rules=[thought(2, FIXED), thought(r"\d+", "So there are pens.")]) as server:
            record = self.one(server, "--resamples", "1", "--max-steps", "5")
        done = record["repairs"][0]
        self.assertEqual((done["outcome"], done["confidence_after"]), ("not better", 1))
        self.assertEqual(record["answer"], "18")

    def test_a_trace_with_an_empty_answer_is_not_better(self):
        with Server(rules=draws(2, FIXED) + draws(3, r"That is 14 + 5 = 19. So the answer is \boxed{}.")) as server:
            record = self.one(server, "--resamples", "1")
        self.assertEqual((record["repairs"][0]["outcome"], record["answer"]), ("not better", "18"))

    def test_a_trace_of_which_nothing_is_decided_is_not_better(self):
        """Its steps are all unrelated: it has no confidence, and no step of it was found right."""
        with Server(rules=[thought(2, "There are many. So the answer is z.")]) as server:
            record = self.one(server, "--resamples", "1")
        done = record["repairs"][0]
        self.assertEqual((done["outcome"], done["accepted"]), ("not better", False))
        self.assertNotIn("confidence_after", done)
        self.assertEqual(record["steps"], [FIRST, WRONG, LAST_WRONG])

    def test_a_trace_of_which_nothing_is_read_is_not_better(self):
        """Neither has a confidence; of the old one it is known where the mistake is."""
        rules = [{"regex": r"13 pens\.\s+Is Thought 2 right", "reply": "No"},
                 {"regex": r"Is Thought \d right\?[^?]*$", "reply": "Hm."},
                 thought(2, FIXED), thought(3, LAST)]
        with Server(rules=rules) as server:
            record = self.one(server, "-l", "direct-step", "--unknown", "null", "--resamples", "1")
        self.assertEqual([r["outcome"] for r in record["repairs"]], ["not better"])
        self.assertEqual(record["steps"], [FIRST, WRONG, LAST_WRONG])

    def test_the_new_trace_stands_where_that_is_wanted(self):
        bad = "That is 14 + 5 = 18. So the answer is 18."
        rules = draws(2, self.WORSE, self.WORSE) + draws(3, bad)
        with Server(rules=rules) as server:
            record = self.one(server, "--resamples", "2", "--accept", "new")
        self.assertEqual(record["steps"], [FIRST, self.WORSE, bad])
        self.assertNotIn("first_error", record)  # it was not looked at again

    def test_no_more_rounds_than_allowed(self):
        bad = "That is 14 + 5 = 18. So the answer is 18."
        with Server(rules=[thought(2, self.WORSE), thought(3, bad)]) as server:
            record = self.one(server, "--resamples", "1", "--rounds", "3")
        self.assertEqual(len(record["repairs"]), 3)
        self.assertEqual(record["repair"]["stop_reason"], "rounds")
        self.assertEqual(record["steps"], [FIRST, WRONG, LAST_WRONG])

    def test_what_the_locator_passes_is_not_touched(self):
        good = chain(question=QUESTION, steps=[FIRST, FIXED, LAST], answer="17", gold="17")
        with Server(rules=[]) as server:
            record = self.one(server, "--rounds", "9", records=[good])
            self.assertEqual(server.requests(), [])
        self.assertEqual((record["repairs"], record["repair"]["stop_reason"]), ([], "passed"))

    def test_a_method_that_asks(self):
        rules = [{"contains": "Your task is to review", "reply": "Wrong.\n\\boxed{1}", "times": 1},
                 {"contains": "Your task is to review", "reply": "Fine.\n\\boxed{-1}"},
                 thought(2, FIXED), thought(3, LAST)]
        with Server(rules=rules) as server:
            record = self.one(server, "-l", "prm:generative-critic", "--rounds", "2")
        self.assertEqual(record["steps"], [FIRST, FIXED, LAST])
        self.assertEqual(record["repair"]["stop_reason"], "passed")
        self.assertEqual(record["repair"]["n_calls"], 2 + 8 + 1)
        self.assertEqual((record["generator"], record["checker"]), ("fake", "fake"))


class Golden(Repairs):
    """tests/golden/repair.json: what is read, what the server says, the bytes that are written."""

    def test_records(self):
        name = os.path.join(os.environ["RDV_SOURCE"], "tests", "golden", "repair.json")
        with open(name, encoding="utf-8") as file:
            cases = json.load(file)
        for case in cases:
            with self.subTest(case["name"]), \
                    Server(rules=case["rules"], differences=["no-usage"]) as server:
                self.write("in.jsonl", lines(case["in"]))
                ended = rederive("repair", "-q", "-j", "1", "-M", server.url, *case["args"],
                                 "in.jsonl", cwd=self.folder)
                self.assert_ended(ended, 0)
                self.assertEqual(ended.out, case["out"] + "\n")


class Locators(Repairs):
    def test_gold_goes_one_round(self):
        with Server(rules=[thought(2, FIXED), thought(3, LAST)]) as server:
            record = self.one(server, "-l", "gold", "--rounds", "4")
        self.assertEqual(len(record["repairs"]), 1)

    def test_random_and_simulated_are_seeded(self):
        traces = [trace(id=f"pens/{i}") for i in range(40)]
        with Server(rules=[thought(r"\d+", LAST)]) as server:
            for locator in ("random", "simulated:50%"):
                runs = [self.repair(server, "-l", locator, "--seed", seed, "--resamples", "1",
                                    records=traces) for seed in ("1", "1", "2")]
                places = [[[r["step"] for r in record["repairs"]] for record in run]
                          for run in runs]
                self.assertEqual(places[0], places[1])
                self.assertNotEqual(places[0], places[2])
                if locator == "random":
                    self.assertEqual({tuple(p) for p in places[0]}, {(), (0,), (1,), (2,)})

    def test_simulated_with_a_file_of_no_known_kind(self):
        good, bad = self.write("a.jsonl", lines(chain(label=None))), self.write("x.parquet", "PAR1 and more")
        for args, status in ((["--locations", bad, good], 3), ([bad, good], 1)):
            ended = rederive("repair", "-l", "simulated:1", "-M", "builtin", *args)
            self.assert_ended(ended, status)
            self.assertIn("a Parquet file", ended.err)

    def test_simulated_needs_labels_beforehand(self):
        ended = rederive("repair", "-l", "simulated:0.5", "-M", "http://127.0.0.1:1/v1#m",
                         stdin=lines(trace()))
        self.assert_ended(ended, 2)
        self.assertIn("--locations FILE", ended.err)

    def test_simulated_draws_from_the_labels_of_the_task(self):
        others = [trace(id=f"boxes/{i}", label=2) for i in range(9)]
        self.write("labels.jsonl", lines(*others, trace(id="pens/9", label=None)))
        with Server(rules=[]) as server:
            record = self.one(server, "-l", "simulated:0", "--locations", "labels.jsonl")
        self.assertEqual(record["repairs"], [])  # "no mistake" is the only other location of pens

    def test_what_cannot_be(self):
        for locator, said in (("golden", "unknown method"), ("simulated:2", "an accuracy"),
                              ("calculations,global", "one method")):
            ended = rederive("repair", "-l", locator, "-M", "http://127.0.0.1:1/v1#m",
                             stdin=lines(trace()))
            self.assert_ended(ended, 2)
            self.assertIn(said, ended.err)

    def test_dry_run(self):
        self.write("in.jsonl", lines(trace()))
        ended = rederive("repair", "--dry-run", "--json", "-l", "gold", "in.jsonl", cwd=self.folder)
        self.assert_ended(ended, 0)
        stages = {row["stage"]: row for row in json.loads(ended.out)["stages"]}
        self.assertEqual(stages["repair/step"]["n_calls"], 8)
        self.assertGreaterEqual(stages["repair/rest"]["n_calls"], 1)


class Accuracies(Repairs):
    """Several simulated locators in one run."""

    TRACES = [trace(id=f"pens/{i}", label=i % 3) for i in range(9)]
    RULES = [thought(r"\d+", LAST)]
    LIST = ("0", "0.5", "0.75", "1")

    def many(self, server, *args, **more):
        return self.repair(server, "--resamples", "2", *args, records=self.TRACES, **more)

    def together(self, server, journal="together"):
        self.many(server, "-l", "simulated:" + ",".join(self.LIST), "-o", self.path(journal + ".jsonl"),
                  "--journal", self.path(journal))
        return [json.loads(line) for line in self.read(journal + ".jsonl").splitlines()]

    def test_each_has_the_records_that_it_has_alone(self):
        with Server(rules=self.RULES) as server:
            found = self.together(server)
            n_together = len(server.requests())
        self.assertEqual([(r["id"], r["repair"]["locator"]) for r in found],
                         [(t["id"], f"simulated:{x}") for t in self.TRACES for x in self.LIST])
        n_alone = 0
        for i, x in enumerate(self.LIST):
            with Server(rules=self.RULES) as server:
                self.assertEqual(self.many(server, "-l", f"simulated:{x}"), found[i::len(self.LIST)], x)
                n_alone += len(server.requests())
        with Server(rules=self.RULES) as server:
            for x in self.LIST:
                self.many(server, "-l", f"simulated:{x}", "--journal", self.path("one after the other"))
            self.assertEqual(len(server.requests()), n_together)
        self.assertLess(n_together, n_alone)

    def test_no_call_is_made_twice_and_an_interrupted_run_goes_on(self):
        with Server(rules=self.RULES) as server:
            self.many(server, "-l", "simulated:0,0.5,0.75,1", "-o", self.path("cut.jsonl"), "--max-calls", "7", status=1)
            whole = self.together(server, "cut")
            asked = [json.dumps(r["body"], sort_keys=True) for r in server.requests()]
            again = len(asked)
            self.together(server, "cut")
            self.assertEqual(len(server.requests()), again)
        rows = rederive("journal", "export", self.path("cut")).records
        self.assertEqual(len({row["key"] for row in rows}), len(rows))
        self.assertEqual(len(whole), len(self.TRACES) * len(self.LIST))

    def test_dry_run_counts_shared_calls_once(self):
        self.write("in.jsonl", lines(*self.TRACES))
        command = ["repair", "-l", "simulated:" + ",".join(self.LIST), "--resamples", "2", "in.jsonl"]
        dry = rederive(*command, "--dry-run", "--json", cwd=self.folder)
        self.assert_ended(dry, 0)
        steps = {row["stage"]: row["n_calls"] for row in json.loads(dry.out)["stages"]}["repair/step"]
        with Server(rules=self.RULES) as server:
            self.together(server)
        rows = rederive("journal", "export", self.path("together")).records
        self.assertEqual(steps, sum(row["stage"] == "repair/step" for row in rows))

    def test_figure_2_has_a_row_for_each(self):
        with Server(rules=self.RULES) as server:
            found = self.together(server)
        ended = rederive("eval", "--recipe", "mistakes:fig2", "--json", stdin=lines(*found))
        self.assert_ended(ended, 0)
        rows = json.loads(ended.out)["rows"]
        self.assertEqual([row["locator"] for row in rows], [f"simulated:{x}" for x in self.LIST])
        self.assertEqual([row["n"] for row in rows], [9] * 4)

    def test_a_record_that_fails_fails_once(self):
        with Server(rules=self.RULES) as server:
            found = self.repair(server, "-l", "simulated:0.5,1", "--journal", self.path("j"), status=1,
                                records=[trace(), {"question": "Who?"}, trace(id="pens/2")])
        self.assertEqual(["error" in r for r in found], [False, False, True, False, False])

    def test_what_cannot_be(self):
        for locator, said in (("simulated:0.5,2", "an accuracy"), ("simulated:0.5,", "an accuracy"),
                              ("simulated:0.5,50%", "twice"), ("simulated:0.5,gold", "an accuracy"),
                              ("simulated:" + "0.5," * 200, "twice"),
                              ("simulated:" + ",".join(f"0.{i:03}" for i in range(102)), "more than 101"),
                              ("simulated:0.5,0.6", "--journal FILE")):
            ended = rederive("repair", "-l", locator, "-M", "http://127.0.0.1:1/v1#m", stdin=lines(trace()))
            self.assert_ended(ended, 2)
            self.assertIn(said, ended.err)


class Accepting(Repairs):
    """Which trace is kept: the paper keeps every new one."""

    RULES = [thought(2, "Then 3 * 4 = 14 pens, and 3 * 5 = 16."), thought(3, LAST_WRONG)]

    def test_the_profile_paper_takes_every_new_trace(self):
        for profile, outcome, accept in (("robust", "not better", "better"), ("paper", "repaired", "new")):
            with Server(rules=self.RULES) as server:
                record = self.one(server, "-l", "calculations", "--profile", profile, "--resamples", "1")
            self.assertEqual([record["repairs"][0]["outcome"], record["repair"]["accept"]], [outcome, accept])
        with Server(rules=self.RULES) as server:
            record = self.one(server, "-l", "calculations", "--profile", "paper", "--accept", "better", "--resamples", "1")
        self.assertEqual([record["repairs"][0]["outcome"], record["repair"]["accept"]], ["not better", "better"])

    def test_table_6_says_which_rule_applied(self):
        with Server(rules=self.RULES) as server:
            better = self.one(server, "-l", "calculations", "--resamples", "1")
            new = self.one(server, "-l", "gold", "--resamples", "1")
        ended = rederive("eval", "--recipe", "mistakes:table6", stdin=lines(better, new))
        self.assert_ended(ended, 0)
        self.assertIn("gold: every new trace was taken (1 trace, --accept new)", ended.out)
        self.assertIn("calculations: a new trace was taken only if its check was better (1 trace, --accept better)",
                      ended.out)

    def test_a_locator_that_checks_nothing_cannot_prefer(self):
        for locator in ("gold", "random", "simulated:0.5"):
            ended = rederive("repair", "-l", locator, "--accept", "better", "-M", "builtin", stdin=lines(trace()))
            self.assert_ended(ended, 2)
            self.assertIn("the new trace is always kept", ended.err)


class FirstGenerator(Case):
    def test_who_wrote_the_trace_is_kept(self):
        """The steps up to the repaired one are still theirs, however often the trace is repaired."""
        given = chain(id="c", steps=["2 + 3 = 6", "The answer is 6."], answer="6", label=0, generator="author")
        with Server(rules=[{"contains": "", "reply": " 2 + 3 = 5. So the answer is 5."}]) as server:
            for model in ("one", "two"):
                ended = rederive("repair", "-q", "--locator", "gold", "--accept", "new", "-M", f"{server.base}/v1#{model}",
                                 stdin=lines(given))
                self.assert_ended(ended, 0)
                [given] = ended.records
                self.assertTrue(given["repair"]["changed"], given)
                self.assertEqual((given["generator"], given["repair"]["generator"], given["repair"]["first_generator"]),
                                 (model, model, "author"))
                given.update(label=0, answer="7", steps=["2 + 3 = 7", "The answer is 7."])
        same = rederive("repair", "-q", "--locator", "gold", "-M", "builtin", stdin=lines(chain(id="c", label=None, generator="author")))
        self.assertNotIn("first_generator", same.records[0]["repair"])


if __name__ == "__main__":
    unittest.main()
