# SPDX-License-Identifier: Apache-2.0
"""Everything that the program writes as JSON is as docs/schemas says, and so are the examples in the
documentation. A member that is written and not declared there makes a test fail."""
import copy
import glob
import json
import os
import re
import sys
import unittest

import combined
import mistake_tables
import prm_score
import repair
import reward_models
import verifiers
from mistake_tables import NAMES as MISTAKES
from scripted import SELFCHECK, SOLVE, Server
from support import Case, chain, lines, rederive
from tiny import Serve, write_model
from verifying import CHAT, QUESTION, RIGHT, UNREAD, WRONG, events, whole
from upstream import Reply, Upstream

sys.path.insert(0, os.path.join(os.environ["RDV_SOURCE"], "tests", "reference"))
import chains as selfcheck_chains  # noqa: E402
import general_chains  # noqa: E402

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("python3-jsonschema is not installed")
    sys.exit(77)

SOURCE = os.environ["RDV_SOURCE"]
FOLDER = os.path.join(SOURCE, "docs", "schemas")
ENDING = ".schema.json"


# ---- the schemas ---------------------------------------------------------------------------------


def load():
    """Each schema by its name, with references that stay within one document that holds all."""
    found = {}
    for path in glob.glob(os.path.join(FOLDER, "*")):
        with open(path, encoding="utf-8") as file:
            found[os.path.basename(path).removesuffix(ENDING)] = json.load(file)

    def placed(value, name):
        if isinstance(value, list):
            return [placed(v, name) for v in value]
        if not isinstance(value, dict):
            return value
        value = {k: placed(v, name) for k, v in value.items() if k != "$id"}
        if "$ref" in value:
            file, _, place = value["$ref"].partition("#")
            value["$ref"] = f"#/$defs/{file.removesuffix(ENDING) or name}{place}"
        return value

    return {name: placed(schema, name) for name, schema in found.items()}


SCHEMAS = load()


def validator(place):
    """Of a schema, "result", or of a part of one, "summary/$defs/check"."""
    return Draft202012Validator({"$ref": "#/$defs/" + place, "$defs": SCHEMAS})


def resolved(place):
    schema = SCHEMAS
    for part in place.removeprefix("#/$defs/").split("/"):
        schema = schema[part]
    return schema


def declared(schema):
    """The members of the object itself that a schema names."""
    names = set(schema.get("properties", {}))
    for part in [*schema.get("allOf", []), *(schema[k] for k in ("then", "else") if k in schema)]:
        names |= declared(part)
    if "$ref" in schema:
        names |= declared(resolved(schema["$ref"]))
    return names


# What is open: a record, which carries members of its source; members that map names to numbers;
# what data sets hold.
RECORDS = ("question", "chain", "checked-chain", "repaired-chain", "graded")
OPEN = {"scores", "feature_importances", "recorded"} | {
    name for name, member in SCHEMAS["chain"]["properties"].items() if member.get("description", "").startswith("From a data set")}


def objects_of(value, path=()):
    """The way to every object within the value."""
    if isinstance(value, dict):
        yield path
        for name, child in value.items():
            if name not in OPEN:
                yield from objects_of(child, (*path, name))
    elif isinstance(value, list):
        for i, child in enumerate(value):
            yield from objects_of(child, (*path, i))


class Checked(Case):
    def setUp(self):
        super().setUp()
        self.closed = set()

    def assert_valid(self, value, place, carried=()):
        """carried: the members of its source that a record carries."""
        for error in sorted(validator(place).iter_errors(value), key=str):
            self.fail(f"{place}: {error.json_path}: {error.message[:500]}\n{json.dumps(value)[:3000]}")
        if place in RECORDS:
            self.assertEqual(set(value) - declared(SCHEMAS[place]) - set(carried), set(), place)
        self.assert_closed({k: v for k, v in value.items() if k not in carried}, place)

    def assert_closed(self, value, place):
        """One more member makes it invalid, wherever it stands. Places that are alike are tried once."""
        check = validator(place)
        for path in objects_of(value):
            kind = (place, *(part for part in path if isinstance(part, str)))
            if kind in self.closed or place in RECORDS and not path:
                continue
            self.closed.add(kind)
            more = copy.deepcopy(value)
            inner = more
            for part in path:
                inner = inner[part]
            inner["undeclared"] = 1
            self.assertFalse(check.is_valid(more), f"{place}: {path} takes a member that is not declared")

    def run_it(self, *args, status=0, stdin=""):
        ended = rederive(*args, stdin=stdin, cwd=self.folder)
        self.assert_ended(ended, status)
        return ended

    def records(self, place, *args, carried=(), **more):
        """The records that a command writes, each valid, and its summary, where it has one."""
        ended = self.run_it(*args, **more)
        for record in ended.records:
            failed = "error" in record and ("steps" in record or "question" in record and "question" or "error")
            self.assert_valid(record, failed if isinstance(failed, str) else place, carried)
        if "--json" in args:
            self.assert_valid(json.loads(ended.err.splitlines()[-1]), f"summary/$defs/{args[0]}")
        return ended.records

    def report(self, part, *args, **more):
        """The one object that a command writes."""
        found = json.loads(self.run_it(*args, "--json", **more).out)
        self.assert_valid(found, part)
        self.assertTrue(validator(part.split("/")[0]).is_valid(found))
        return found


class Themselves(unittest.TestCase):
    def test_are_schemas(self):
        self.assertGreater(len(SCHEMAS), 9)
        for name, schema in SCHEMAS.items():
            with self.subTest(schema=name):
                Draft202012Validator.check_schema(schema)
                self.assertEqual(schema["$schema"], "https://json-schema.org/draft/2020-12/schema")
                with open(os.path.join(FOLDER, name + ENDING), encoding="utf-8") as file:
                    self.assertEqual(json.load(file)["$id"], name + ENDING)
                self.assertTrue(schema["title"] and schema["description"])

    def test_refer_to_what_is_there(self):
        def walk(value):
            if isinstance(value, dict):
                if "$ref" in value:
                    self.assertTrue(resolved(value["$ref"]))
                for child in value.values():
                    walk(child)
            elif isinstance(value, list):
                for child in value:
                    walk(child)
        walk(SCHEMAS)

    def test_refuse_what_is_not_declared(self):
        result = {"rederive_schema": 1, "question_id": "q", "answer": None, "weight_share": None, "answers": {},
                  "tied_answers": [], "correct": None, "expected_correct": None, "n_unparsed": 0, "n_chains": 0,
                  "n_chains_used": 0, "n_calls": 0}
        self.assertTrue(validator("result").is_valid(result))
        for change in ({"n_more": 1}, {"rederive_schema": 2}, {"n_calls": -1}, {"answers": {"5": {"weight": 1}}}):
            self.assertFalse(validator("result").is_valid({**result, **change}), change)


# ---- what commands write -------------------------------------------------------------------------

ANSWERS = [{"contains": "relevant", "reply": "Yes, it is relevant."},
           {"regex": r"Is Thought 1 right", "reply": "Yes"}, {"regex": r"Is Thought \d right", "reply": "No"},
           {"contains": "first mistake", "reply": "Thought 2"},
           {"contains": "Your task is to review", "reply": "It is paragraph 1.\n\\boxed{1}"},
           *verifiers.RULES, *SELFCHECK, {"reply": "The step is right.\nCorrect"}]
SOLUTIONS = lines(*(chain(id=f"q/{i}", question_id="q", steps=["2 + 3 = 5", "So it is 5."], label=None) for i in range(2)),
                  chain(id="q/2", question_id="q", steps=["2 + 3 = 6", "<<1+1=2>> It is 10/3 = 3.3."], answer="6", label=0,
                        logprobs=[[-0.1, -0.2], [-0.3]], scores={"prm": [0.5, None]}, generator="m"))
QUESTIONS = lines({"question_id": "q", "question": "What is 2 + 3?", "gold": "5"},
                  {"question_id": "r", "question": "What is 2 + 3, again?"})
BAD = "nonsense\n"
EVIDENCE = [name for name in SCHEMAS["definitions"]["$defs"] if name.startswith("evidence_of_")]


class Checks(Checked):
    def setUp(self):
        super().setUp()
        self.seen = set()

    def check(self, *args, **more):
        records = self.records("checked-chain", "check", "--json", *args, **more)
        for record in records:
            for check in [record, *record.get("checks", {}).values()]:
                for verdict in check.get("verdicts", []):
                    self.seen |= {name for name in EVIDENCE if "evidence" in verdict and
                                  validator("definitions/$defs/" + name).is_valid(verdict["evidence"])}
        return records

    def test_every_method(self):
        methods = [line.split()[0] for line in self.run_it("methods").out.splitlines()]
        self.assertGreater(len(methods), 20)
        pools = {"prm:pooling-pairs": reward_models.pooled((0.9, 0.1), (0.2, 0.8)),
                 "prm:embeddings-token-values": reward_models.embedded((0.5, 1.0), (0.5, -1.0)),
                 "prm:chat-plus-minus": reward_models.chosen(("+", -0.1), ("-", -2.5))}
        paths = {"prm:pooling-pairs": "/pooling", "prm:embeddings-token-values": "/v1/embeddings"}
        for method in [*methods, "reward:" + os.path.join(SOURCE, "models", "reward-math.rdvm")]:
            with self.subTest(method=method):
                rules = ANSWERS
                if method in pools:
                    path = {"path": paths[method]} if method in paths else {}
                    rules = [{**path, "status": 200, "body": pools[method]}, *ANSWERS]
                with Server(rules=rules) as server:
                    rubric = ["--rubric", os.path.join(SOURCE, "examples/rubric.txt")] if method == "rubric" else []
                    records = self.check("-m", method, "-M", server.url, "--threshold", "0.5", "--samples", "2", *rubric,
                                         stdin=SOLUTIONS)
                self.assertEqual(len(records), 3)
        with Server(rules=ANSWERS) as server:
            self.check("-m", "math", "--math", "both", "-M", server.url, stdin=lines(verifiers.CHAIN))
        self.check("-m", "math", "--math", "native", stdin=SOLUTIONS)
        self.check("-m", "general", "--verifiers", "math", "--math", "native", "--recorded-verifiers", "calculations,no",
                   stdin=self.run_it("check", stdin=SOLUTIONS).out)
        left_out = {"question": "Ann has a cup, Ben has a jug, Cleo has a bowl, and Dan has a pan. First, Ann and Ben swap. At the end, Ann has the",
                    "steps": ["At the start: Ann: cup, Ben: jug, Cleo: bowl, Dan: pan.", "Ann and Ben swap: Ann: jug, Ben: cup, Cleo: bowl."]}
        self.check("-m", "shuffled-objects", stdin=lines(left_out))
        self.assertEqual(sorted(self.seen), sorted(EVIDENCE))

    def test_several_methods_and_what_goes_wrong(self):
        text = SOLUTIONS + BAD + lines({"question": "q"}, chain(id="own", note=1))
        with Server(rules=[{"contains": "2 + 3 = 6", "status": 400, "body": {}}, *ANSWERS]) as server:
            records = self.check("-m", "calculations,selfcheck,relevance", "-M", server.url, "--retries", "0",
                                 "--price-in", "1", stdin=text, status=1, carried=("note",))
            self.assertEqual(sum("error" in r for r in records), 2)
            self.assertTrue(any(r.get("n_unknown") for r in records))
        with Server(rules=ANSWERS) as server:
            records = self.check("-m", "selfcheck", "-M", server.url, "--max-calls", "5", "-j", "1",
                                 stdin=SOLUTIONS, status=1)
            self.assertTrue(any(r.get("partial") for r in records))
            part = self.run_it("check", "-m", "selfcheck", "--dry-run", "--json", "--price-out", "2", stdin=SOLUTIONS)
            self.assert_valid(part.records[0], "summary/$defs/estimate")

    def test_formats(self):
        """Records made from public data sets."""
        folder = os.path.join(SOURCE, "tests", "golden", "formats")
        files = sorted(glob.glob(os.path.join(folder, "*.json*")))
        self.assertGreater(len(files), 30)
        own = {"extra", "huge", "nested", "dataset", "shelf",  # what records of ours, questions with a reply and chats carry along
               "x", "y", "z", "custom_id", "messages", "model", "predicted_answer", "target", "data_source", "reward_model", "ground_truth"}
        for path in files:
            with self.subTest(path=path):
                ended = rederive("check", path)
                for record in ended.records:
                    if "error" not in record:
                        self.assert_valid(record, "checked-chain", own)

    def test_findings_as_labels(self):
        text = lines(chain(id="wrong", steps=["2 + 3 = 6"]), chain(id="labelled", label=0))
        records = self.check("-m", "calculations", "--as-labels", stdin=text)
        self.assertIn("label_source", records[0])
        with Server(rules=[{"reply": "Yes"}]) as server:
            records = self.check("-m", "direct-step-0shot", "-M", server.url, "--as-labels", stdin=text)
        self.assertEqual(sorted(records[0]["label_source"]), ["checker", "method", "profile", "rederive_version"])
        summary = self.run_it("check", "-m", "calculations", "--as-labels", "--json", stdin=text).err.splitlines()[-1]
        self.assert_valid(json.loads(summary), "summary/$defs/check")

    def test_a_reply_without_text(self):
        self.check("-m", "calculations", stdin=lines({"idx": 4, "ys": ["Answer: 1", None], "usage_so_far": 1}))
        self.check("-m", "calculations", stdin=lines({"idx": 4, "ys": [""], "usage_so_far": 1}))

    def test_a_chain_without_steps(self):
        records = self.check("-m", "calculations", stdin=lines({"question": "What is 2 + 3?", "answer": "6", "gold": "5"}))
        self.assertEqual((records[0]["verdicts"], records[0]["confidence"]), ([], None))

    def test_made_questions(self):
        self.records("question", "tasks", "-q", "-n", "1")
        self.records("chain", "tasks", "-q", "-n", "1", "--mistakes", "0.5")


class Votes(Checked):
    def test_vote(self):
        self.records("result", "vote", "--json", stdin=SOLUTIONS + BAD, status=1)
        self.records("result", "vote", "--json", "-w", "confidence", "--stop", "certain",
                     stdin=self.run_it("check", "-q", stdin=SOLUTIONS).out)

    def test_solve(self):
        thoughts = [{"regex": "Thought 1:$", "reply": " 2 + 3 = 5."},
                    {"regex": "Thought 2:$", "reply": " So the answer is 5."}]
        for way in ("steps", "thoughts", "zero-shot", "online"):
            with self.subTest(way=way), Server(rules=thoughts + ANSWERS[:4] + verifiers.RULES + SOLVE) as server:
                generate = ["--beam-search", "-m", "relevance,consistency"] if way == "online" else ["-g", way, "-n", "3"]
                if way == "steps":
                    generate += ["-m", "selfcheck"]
                self.records("result", "solve", "--json", *generate, "-M", server.url, "--chains-out",
                             f"{way}.jsonl", stdin=QUESTIONS + BAD, status=1)
            for line in self.read(f"{way}.jsonl").splitlines():
                self.assert_valid(json.loads(line), "checked-chain" if '"method"' in line else "chain")

    def test_solve_is_cut_off(self):
        with Server(rules=[{"contains": "step by step", "reply": "2 + 3 = 5", "do": "length"}]) as server:
            self.records("result", "solve", "--json", "-M", server.url, "-n", "2", "-m", "none", "--chains-out",
                         "cut.jsonl", "--max-calls", "3", "-j", "1", stdin=QUESTIONS, status=1)
        cut = [json.loads(line) for line in self.read("cut.jsonl").splitlines()]
        self.assertTrue(all("incomplete_reason" in c for c in cut if c["steps"]))
        for record in cut:
            self.assert_valid(record, "checked-chain" if "method" in record else "chain")


class Repairs(Checked):
    def test_repair(self):
        seen = set()
        with open(os.path.join(SOURCE, "tests", "golden", "repair.json"), encoding="utf-8") as file:
            cases = json.load(file)
        for case in cases:
            with self.subTest(case=case["name"]), Server(rules=case["rules"]) as server:
                record, = self.records("repaired-chain", "repair", "--json", *case["args"], "-M", server.url,
                                       stdin=lines(case["in"]), carried=("note",))
                seen.add(record["repair"]["stop_reason"])
        with Server(rules=[{"status": 400, "body": {}}]) as server:
            record, = self.records("repaired-chain", "repair", "--json", "-l", "gold", "-M", server.url, "--retries", "0",
                                   stdin=lines(repair.trace()), status=1, carried=("more",))
            seen.add(record["repair"]["stop_reason"])
            unlabelled = {k: v for k, v in repair.trace().items() if k != "label"}
            record, = self.records("repaired-chain", "repair", "--json", "-l", "gold", "-M", server.url,
                                   stdin=lines(unlabelled), carried=("more",))
            seen.add(record["repair"]["stop_reason"])
        self.assertEqual(seen, {"passed", "rounds", "not located", "failed"})


class Reports(Checked):
    def test_annotations(self):
        self.write("chains.jsonl", SOLUTIONS)
        marks = [{"id": f"q/{i}", "annotator": by, "first_error": i % 2 or None} for i in range(3) for by in ("a", "b", "c")]
        for mark in marks:
            self.assert_valid(mark, "annotation")
        self.write("marks.jsonl", lines(*marks))
        self.write("merged.jsonl", self.run_it("annotate", "merge", "chains.jsonl", "-q", "-l", "marks.jsonl").out)
        self.records("chain", "annotate", "merge", "chains.jsonl", "-q", "-l", "marks.jsonl")
        for line in self.run_it("annotate", "export", "merged.jsonl").out.splitlines():
            self.assert_valid(json.loads(line), "annotation")
        self.report("report/$defs/tables", "annotate", "agreement", "merged.jsonl")

    def test_figures(self):
        self.write("a.jsonl", lines(*selfcheck_chains.records(questions=12)))
        self.write("b.jsonl", lines(*selfcheck_chains.records(questions=12, first=50)))
        vote = self.run_it("vote", "-q", "a.jsonl").out
        self.write("votes.jsonl", vote)
        for more in ([], ["-w", "confidence:selfcheck"], ["--fit", "b.jsonl", "-w", "confidence:selfcheck"],
                     ["-w", "scores:prm"], ["votes.jsonl"]):
            self.report("report/$defs/figures", "eval", "-q", *more, "a.jsonl")

    def test_comparison(self):
        self.write("a.jsonl", lines(*selfcheck_chains.records(questions=12)))
        self.write("b.jsonl", lines(*selfcheck_chains.records(questions=12, first=3, seed=1)))
        self.report("report/$defs/comparison", "eval", "-q", "--compare", "a.jsonl", "b.jsonl")

    def test_combined_scorers(self):
        self.write("a.jsonl", lines(*combined.chains(30)))
        for split in ("3", "half"):
            self.report("report/$defs/combined", "eval", "-q", "--scorers", ",".join(combined.SCORERS), "--split", split,
                        "--fit-out", "all.json", "a.jsonl")
        self.assert_valid(json.loads(self.read("all.json")), "combined")

    def test_recipes_of_selfcheck(self):
        self.write("a.jsonl", lines(*selfcheck_chains.records(questions=12)))
        self.write("b.jsonl", lines(*selfcheck_chains.records(questions=12, first=50)))
        for name in ("table1", "table2", "fig2", "fig3", "fig4", "fig5", "fig6", "v2fig3", "v2fig4"):
            for more in ([], ["--fit", "b.jsonl"], ["--split", "3"]):
                self.report("report/$defs/series_of_table", "eval", "-q", "--recipe", "selfcheck:" + name, *more, "a.jsonl")
        for name in ("table2", "fig6"):
            self.report("report/$defs/series_of_table", "eval", "-q", "--recipe", "selfcheck:" + name, "--baseline", "global", "a.jsonl")

    def test_recipes_of_general(self):
        self.write("a.jsonl", lines(*general_chains.records(questions=8)))
        for name in ("table1", "table2", "table4", "table5", "table6", "fig3", "fig4", "fig5", "fig6", "fig7", "fig8", "fig9",
                     "fig10", "fig11", "fig12", "fig13", "fig14", "errors"):
            with self.subTest(recipe=name):
                self.report("report/$defs/table", "eval", "-q", "--recipe", "general:" + name,
                            *(["a.jsonl"] if name != "table6" else []))

        self.report("report/$defs/table", "eval", "-q", "--recipe", "general:table4", "--baseline", "none", "a.jsonl")

    def test_prmbench(self):
        self.write("a.jsonl", lines(*prm_score.records()))
        self.report("report/$defs/table", "eval", "-q", "--recipe", "prmbench:table3", "a.jsonl")

    def test_recipes_of_mistakes(self):
        self.write("a.jsonl", lines(*mistake_tables.traces(3, ("gold", "simulated:0.5"))))
        labels = [{"annotator": f"p{k}", "criterion": "correct", "labels": [True, k > 0]} for k in range(3)]
        self.write("b.jsonl", lines(*(chain(id=f"t/{i}", question=f"q{i}", steps=["a", "b"], task="t", step_labels=labels)
                                      for i in range(3))))
        for name in MISTAKES:
            self.report("report/$defs/table", "eval", "-q", "--recipe", "mistakes:" + name, "a.jsonl")
        self.report("report/$defs/table", "eval", "-q", "--recipe", "mistakes:table3", "b.jsonl")
        for name in ("table4", "table5", "table9", "fig1"):
            self.report("report/$defs/table", "eval", "-q", "--recipe", "mistakes:" + name, "--baseline", "two", "a.jsonl")
        self.report("report/$defs/table", "eval", "-q", "--recipe", "mistakes:table6", "--baseline", "gold", "a.jsonl")

    def test_training(self):
        self.write("a.jsonl", self.run_it("tasks", "-q", "-n", "25", "--mistakes", "0.5").out)
        self.report("report/$defs/training", "train", "-q", "--out", "judge.rdvm", "a.jsonl")

    def test_rules(self):
        self.assert_valid(json.loads(self.run_it("rules", "--json").out), "rules")
        added = json.loads(self.run_it("rules", "--json", "--rules-dir", os.path.join(SOURCE, "examples", "rules")).out)
        self.assert_valid(added, "rules")
        self.assertEqual([rule["added"] for rule in added["rules"]].count(True), 1)

    def test_reproductions(self):
        self.assert_valid(json.loads(self.run_it("reproduce", "--list", "--json").out), "reproduction/$defs/list")
        self.run_it("reproduce", "mistakes:table8", "mistakes:table3", "--limit", "4", "--out", "o", "-q")
        self.assert_valid(json.loads(self.read("o/reproduce.json")), "reproduction/$defs/settings")
        self.assert_valid(json.loads(self.read("o/mistakes-table8/table.json")), "report/$defs/table")
        self.write("q.jsonl", lines({"question_id": "q", "question": "What is 2 + 3?", "gold": "5"}))
        self.run_it("sample", "q.jsonl", "--out", "s.jsonl", "-q")
        self.assert_valid(json.loads(self.read("s.jsonl")), "question", carried=("dataset",))

    def test_grades(self):
        pairs = lines({"answer": "1/2", "gold": "0.5"}, {"text": "The answer is 7.", "gold": ["8", 7], "kind": "number"},
                      {"response": "(B)", "gold": "A", "options": ["2", "3"], "answer_type": "option"}, {"answer": None, "gold": 3},
                      {"answer": "1", "gold": None}, {"answer": "2^{10^{10^{10}}}", "gold": "x^{x^{x^2}}"},
                      chain(id="q/0", question_id="q"))
        graded = self.records("graded", "grade", "--json", status=1, stdin=pairs + BAD)
        self.assertEqual(len(graded), 8)
        [typed] = self.records("graded", "grade", "--text", "it is 5", "--gold", "5")
        self.assertEqual(typed["answer_read"], "5")

    def test_certificates(self):
        made = self.records("checked-chain", "check", "--json", "--certify", stdin=SOLUTIONS)
        self.assertEqual([r["certificate"]["certified"] for r in made], [True, True, False])

    def test_label_conflicts(self):
        wrong = chain(id="q/0", steps=["2 + 3 = 6", "So 4 * 4 = 15."], label=1,
                      step_labels=[{"annotator": "ann", "criterion": "correct", "labels": [True, True]}])
        ended = self.run_it("audit", "--json", stdin=lines(wrong, chain(id="q/1", steps=["2 + 3 = 6"], label=None)))
        self.assertEqual([r["conflict"] for r in ended.records], ["earlier", "missing", "step"])
        for record in ended.records:
            self.assert_valid(record, "label-conflict")
        self.assert_valid(json.loads(ended.err), "summary/$defs/audit")

    def test_models_and_journals(self):
        with Server(rules=ANSWERS, models=["fake"]) as server:
            self.report("report/$defs/model", "models", "-M", server.url)
            self.run_it("check", "-q", "-m", "selfcheck,math,perplexity", "-M", server.url, "-o", "out.jsonl",
                        stdin=SOLUTIONS)
        with Server(rules=ANSWERS) as one, Server(rules=ANSWERS) as two:
            both = f"{one.url},{two.url}"
            self.records("checked-chain", "check", "--json", "-m", "selfcheck", "-M", both, stdin=SOLUTIONS)
            for record in self.run_it("models", "--json", "-M", both).records:
                self.assert_valid(record, "report/$defs/model")
        round = self.run_it("check", "--json", "-m", "selfcheck", "-M", "http://127.0.0.1:9/v1#m", "--batch-out", "r.jsonl",
                            "-o", "b.jsonl", stdin=SOLUTIONS, status=6)
        self.assert_valid(json.loads(round.err.splitlines()[-1]), "summary/$defs/check")
        self.assertIn("batch", self.report("summary/$defs/journal_info", "journal", "info", "b.jsonl.journal"))
        model = write_model(self.path("tiny.gguf"))
        self.report("report/$defs/model", "models", "-M", "builtin:" + model)
        self.report("report/$defs/model", "models", "-M", "transcript:out.jsonl.journal")
        self.report("summary/$defs/journal_info", "journal", "info", "out.jsonl.journal")
        self.report("summary/$defs/journal_merge", "journal", "merge", "all.journal", "out.jsonl.journal")
        self.report("summary/$defs/journal_compact", "journal", "compact", "all.journal")
        export = self.run_it("journal", "export", "out.jsonl.journal").records
        self.assertEqual({line["operation"] for line in export}, {"chat", "continue", "score"})
        pool = [{"path": "/pooling", "status": 200, "body": reward_models.pooled((0.9, 0.1), (0.2, 0.8))}]
        with Server(rules=pool) as server:
            self.run_it("check", "-q", "-m", "prm:pooling-pairs", "-M", server.url, "-o", "prm.jsonl", stdin=SOLUTIONS)
        export += self.run_it("journal", "export", "prm.jsonl.journal").records
        for line in export:
            self.assert_valid(line, "journal-line")


class Judgements(Checked):
    """What `rederive serve` adds to replies, and the file with its rule."""

    def test_of_replies(self):
        with Upstream() as upstream, Serve(None, "-M", f"big={upstream.url}#m") as server:
            for reply in (whole(CHAT, RIGHT), whole(CHAT, WRONG), whole(CHAT, UNREAD), whole(CHAT, "So."), whole(CHAT, RIGHT, "length"),
                          whole(CHAT, "3 + 4 = 8, so 3 + 4 = 7."), whole(CHAT, None, "tool_calls", tool_calls=[{"function": {"name": "f"}}]),
                          whole(CHAT, "No.", refusal="No."), whole(CHAT, "")):
                upstream.answer(Reply.json(reply))
                answer = server.chat(model="rederive/check/big")[1]
                self.assert_valid(answer["rederive"], "judgement")
                refused = server.chat(model="big", rederive={"not_admitted": "refuse"})[1]
                self.assert_valid(refused["rederive"], "judgement")

    def test_of_repaired_streams(self):
        rule = {"mode": "strict", "repair": 1, "reasoning": "drop"}
        policy = self.path("policy.json")
        with open(policy, "w", encoding="utf-8") as file:
            json.dump({"default": rule}, file)
        self.assert_valid({"default": rule}, "policy")
        with Upstream() as upstream, Serve(None, "-M", f"big={upstream.url}#m", "--policy", policy) as server:
            for drawn in (RIGHT, WRONG, "5 + 4 = 8.", ""):
                step = Reply.json(whole(CHAT, f"{drawn} The answer is 7." if drawn == RIGHT else drawn))
                upstream.answer(lambda request, step=step: Reply.stream(events(CHAT, WRONG)) if b'"stream": true' in request.raw else step)
                raw = server.ask("POST", CHAT, {"model": "rederive/check/big", "stream": True, **QUESTION[CHAT]}, raw=True)[1]
                said = [e for e in (json.loads(raw) for raw in re.findall(rb"^(?:data: )?({.*})$", raw, re.MULTILINE)) if "rederive" in e]
                self.assertEqual(said[-1]["rederive"]["admitted"], drawn == RIGHT)
                self.assertIn("repair", said[-1]["rederive"])
                self.assert_valid(said[-1]["rederive"], "judgement")

    def test_of_the_log(self):
        with Serve(None, "--log-json") as server:
            server.chat(max_tokens=1)
            server.ask("GET", "/nothing")
            lines = [json.loads(line) for line in server.stop()[1].splitlines() if line.startswith("{")]
        self.assertEqual(len(lines), 2)
        for line in lines:
            self.assert_valid(line, "request-line")

    def test_of_policies(self):
        strict = {"default": {"plain": "judge", "method": "calculations", "mode": "whole", "unknown": "reject", "not_admitted": "refuse",
                              "threshold": 0.5}}
        self.assert_valid({**strict, "keys": {"one": {"per_minute": 5, "at_once": 2, "unknown": "admit"}}}, "policy")
        self.assert_valid(strict, "policy")
        self.assertFalse(validator("policy").is_valid({"default": {"mode": "off"}}))


# ---- examples in the documentation ---------------------------------------------------------------


def examples_of(path):
    """The JSON that a document shows: fenced as such, and the whole lines that commands print."""
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for block in re.findall(r"^```json\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        yield json.loads(block)
    for line in re.sub(r"^```json\n.*?^```", "", text, flags=re.MULTILINE | re.DOTALL).splitlines():
        if line.startswith('{"') and "..." not in line:
            yield json.loads(line)


def place_of(example):
    for member, place in (("rederive_journal", "journal-line"), ("answers", "result"), ("annotator", "annotation"),
                          ("repair", "repaired-chain"), ("same_as", "graded"), ("conflict", "label-conflict"), ("default", "policy"), ("seconds", "request-line"), ("admitted", "judgement"), ("method", "checked-chain"), ("steps", "chain"),
                          ("question", "question"), ("n_chains", "summary"), ("error", "error")):
        if member in example:
            return place
    return "report"


# They show what other tools read and write; tests/tools opens those formats. The results in mcp.md are as the tools' own
# schemas say, to which mcp_server.py holds them.
OF_OTHER_TOOLS = ("convert.md", "your-data.md", "mcp.md")


class Documentation(Checked):
    def test_examples(self):
        found = {}
        for path in [os.path.join(SOURCE, "README.md"), *glob.glob(os.path.join(SOURCE, "docs", "*.md")),
                     *glob.glob(os.path.join(SOURCE, "examples", "*.md"))]:
            if os.path.basename(path) in OF_OTHER_TOOLS:
                continue
            for example in examples_of(path):
                with self.subTest(path=path, example=example):
                    self.assert_valid(example, place_of(example))
                found.setdefault(place_of(example), set()).add(path)
        self.assertGreaterEqual(set(found), {"chain", "checked-chain", "result", "journal-line"})

    def test_files_of_examples(self):
        for name, place in (("chains.jsonl", "chain"), ("problems.jsonl", "question")):
            with open(os.path.join(SOURCE, "examples", name), encoding="utf-8") as file:
                for line in file:
                    self.assertTrue(validator(place).is_valid(json.loads(line)), line)


if __name__ == "__main__":
    unittest.main()
