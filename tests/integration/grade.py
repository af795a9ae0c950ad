# SPDX-License-Identifier: Apache-2.0
"""rederive grade: pairs and chains in, one record each out, in their order, whatever is wrong with one of them."""
import gzip
import json
import math
import os
import random
import subprocess
import tempfile
import unittest
from fractions import Fraction

from support import PROGRAM, SANITIZED, Case, chain, lines, rederive


def grade(*records, args=(), status=0):
    ended = rederive("grade", "-q", *args, stdin="".join(r if isinstance(r, str) else lines(r) for r in records))
    if ended.status != status:
        raise AssertionError(f"exit status {ended.status}: {ended.err}")
    return ended.records


def wilson(right, n, z=1.959963984540054):
    """Wilson's interval for `right` of n, as in any textbook."""
    p = right / n
    middle = (p + z * z / (2 * n)) / (1 + z * z / n)
    half = z / (1 + z * z / n) * math.sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    return middle - half, middle + half


class Arguments(Case):
    def test_grades_that_a_table_has_are_compared(self):
        table = self.write("class.csv", "nr,solution,sample,correct\n1,It is 5,5,1\n2,It is 6,5,1\n3,It is 7,5,0\n4,It is 5,5,\n")
        ended = rederive("grade", "--text-from", "solution", "--gold-from", "sample", "--id-from", "nr", table)
        self.assert_ended(ended, 0)
        self.assertEqual([(r["correct"], r.get("correct_before")) for r in ended.records], [(True, None), (False, True), (False, None), (True, None)])
        self.assertIn("as the records' own \"correct\" in 2 of 3;", ended.err)
        again = rederive("grade", "--json", stdin=lines(chain(answer="5", gold="5", correct=False)))
        self.assertEqual((again.records[0]["correct"], again.records[0]["correct_before"]), (True, False))
        told = json.loads(again.err.splitlines()[-1])
        self.assertEqual((told["n_graded_before"], told["n_agree"]), (1, 0))

    def test_a_column_of_gold_answers_is_no_grade(self):
        table = self.write("class.csv", "question,sample,correct\nOdd?,yes,True\nEven?,no,True\n")
        ended = rederive("grade", table, "--answer-from", "sample", "--gold-from", "correct")
        self.assertEqual([r["correct"] for r in ended.records], [True, False])
        self.assertNotIn("as the records' own", ended.err)
        self.assertRegex(rederive("grade", table, "--answer-from", "sample").err, r"no answer beside a gold answer .* --gold-from that of the gold answer")

    def test_an_empty_cell_of_the_reply_is_an_empty_answer(self):
        table = self.write("e.csv", "id,question,response,gold\na,How many?,,7\nb,How many?,\"\",7\nc,How many?,7,7\n")
        for options in ((), ("--text-from", "response")):
            told = [record["correct"] for record in rederive("grade", "-q", table, *options).records]
            self.assertEqual(told, [False, False, True])

    def test_a_value_that_cannot_be_used_is_named(self):
        for option, values in (("--tolerance", ["x", "-1", "1/2", "1e", "0x1"]), ("--kind", ["x", "numbers"]), ("--jobs", ["x", "-1"])):
            for value in values:
                ended = rederive("grade", "--answer", "1", "--gold", "1", option, value)
                self.assertEqual(ended.status, 2, (option, value))
                self.assertIn(value, ended.err, (option, value))
                self.assertEqual((ended.out, len(ended.err.splitlines())), ("", 1))


class Pairs(Case):
    def test_what_a_record_says(self):
        [same, other, several, absent] = grade(
            {"answer": "1/2", "gold": "0.5", "mine": [1, {"x": 1.50}]}, {"answer": 3, "gold": 4},
            {"answer": "7", "gold": [8, "7.0"]}, {"answer": None, "gold": 3})
        self.assertEqual((same["correct"], same["same_as"], same["why"]), (True, "0.5", "exact"))
        self.assertEqual((same["answer_as"], same["gold_as"], same["mine"]), ("1/2", "1/2", [1, {"x": 1.5}]))
        self.assertEqual((other["correct"], other["same_as"]), (False, None))
        self.assertEqual((several["correct"], several["same_as"]), (True, "7.0"))
        self.assertEqual((absent["correct"], absent["why"]), (False, "unread"))

    def test_whole_replies(self):
        told = grade({"text": "We get 3, so the answer is 7.", "gold": 7}, {"response": "The answer is 3.", "gold": 7},
                     {"text": "It is 7.", "answer": "8", "gold": 7}, {"text": "1/2", "gold": "2"}, {"text": "1/2", "gold": "0.5"},
                     {"text": "", "gold": "1"})
        self.assertEqual([r["correct"] for r in told], [True, False, False, False, True, False])
        self.assertEqual([r.get("answer_read") for r in told], ["7", "3", None, "1/2", "1/2", None])
        [read] = grade({"text": "It is 7.", "answer": "8", "gold": 7}, args=("--answer-source", "read"))
        self.assertTrue(read["correct"])

    def test_how_an_answer_was_found(self):
        found = ("So it is 5.", "**5**", "The answer is 5.", "#### 5", "\\boxed{5}", "<answer>5</answer>", "I don't know. 5 is odd.")
        for require, taken in (("last", 6), ("announced", 4), ("boxed", 2)):
            for records in ([{"text": text, "gold": "5"} for text in found],
                            [chain(question="?", steps=[text], gold="5") for text in found]):
                graded = grade(*records, args=("--require", require, "--answer-source", "read"))
                names = ["last", "last", "announced", "announced", "boxed", "boxed", None]
                self.assertEqual([r["correct"] for r in graded], [6 - taken <= i < 6 for i in range(7)], require)
                self.assertEqual([r.get("answer_found") for r in graded],
                                 [name if r["correct"] else None for name, r in zip(names, graded)])
                self.assertTrue(all(r["answer_read"] is None and r["why"] == "unread" for r in graded if not r["correct"]))

    def test_kinds_and_options(self):
        told = grade({"answer": "(B)", "gold": "three", "options": ["two", "three"]},
                     {"answer": "Paris", "gold": "paris", "kind": "text"}, {"answer": "true", "gold": "yes"},
                     {"answer": "true", "gold": "yes", "answer_type": "text"})
        self.assertEqual([r["correct"] for r in told], [True, False, True, False])
        [as_text] = grade({"answer": "0.50", "gold": "0.5"}, args=("--kind", "text"))
        self.assertFalse(as_text["correct"])

    def test_options_and_golds_as_data_sets_write_them(self):
        options = ["A. red", "B. green"]
        told = grade({"answer": "green", "gold": "B", "options": options}, {"answer": "B", "gold": "green", "options": options},
                     {"answer": "red", "gold": 0, "options": ["red", "green"]},
                     {"answer": "B", "gold": 0, "options": ["red", "green"]},
                     {"answer": "3", "gold": 3, "options": ["4", "3"]},
                     {"answer": "red", "gold": "A", "options": {"A": "red", "B": "green"}},
                     {"answer": "1", "gold": ["", None, "1"]})
        self.assertEqual([r["correct"] for r in told], [True, True, True, False, True, True, True])
        [beyond, named] = grade({"answer": "B", "gold": 2, "options": ["red", "green"]},
                                {"answer": "red", "gold": "A", "options": {"x": "red"}}, status=3)
        self.assertIn("gold answer is absent or cannot be read", beyond["error"])
        self.assertIn('named "A", "B"', named["error"])

    def test_chains(self):
        told = grade(chain(), chain(answer="6"), chain(answer="6", steps=["2 + 3 = 5", "The answer is 5."]),
                     {"question": "q", "answer": "2", "gold": ["1", "2"]})
        self.assertEqual([r["correct"] for r in told], [True, False, False, True])
        [read] = grade(chain(answer="6", steps=["2 + 3 = 5", "The answer is 5."]), args=("--answer-source", "read"))
        self.assertEqual((read["correct"], read["answer_read"], read["answer"]), (True, "5", "6"))

    def test_tables_lists_and_compressed_files(self):
        rows = "id,answer,gold\na,1/2,0.5\nb,\"1,200\",1200\nc,3,4\n"
        for name, content in (("t.csv", rows), ("t.tsv", rows.replace("\"1,200\"", "1200").replace(",", "\t")),
                              ("t.json", json.dumps([{"id": "a", "answer": "1/2", "gold": 0.5}, {"id": "b", "answer": "1,200", "gold": 1200},
                                                     {"id": "c", "answer": 3, "gold": 4}]))):
            with self.subTest(name=name):
                ended = rederive("grade", "-q", self.write(name, content))
                self.assertEqual([(r["id"], r["correct"]) for r in ended.records], [("a", True), ("b", True), ("c", False)])
        with gzip.open(self.path("t.csv.gz"), "wt") as file:
            file.write(rows)
        self.assertEqual(len(rederive("grade", "-q", self.path("t.csv.gz")).records), 3)

    def test_where_a_record_has_its_parts(self):
        record = {"doc": {"target": ["4", "5"]}, "out": [{"text": "So the answer is 5."}], "pred": 6, "n": 17}
        args = ("--gold-from", "doc.target", "--id-from", "n")
        [by_text] = grade(record, args=(*args, "--text-from", "/out/0/text"))
        [by_answer] = grade(record, args=(*args, "--answer-from", "pred"))
        self.assertEqual((by_text["correct"], by_text["same_as"], by_text["id"]), (True, "5", "17"))
        self.assertFalse(by_answer["correct"])
        ended = rederive("grade", "-q", "--answer-from", "prd", *args, stdin=lines(record))
        self.assertEqual(ended.status, 3)
        self.assertIn('the path of the answer, "prd", is not in the record', ended.err)
        ended = rederive("grade", stdin=lines({"pred": 1, "target": 2}))
        self.assertIn("name its parts with --gold-from and --answer-from or --text-from", ended.err)

    def test_members_of_json(self):
        fence = "Thinking.\n```json\n{\"x\": {\"y\": [\"a,]\", {\"z\": \"1/2\"}]}}\n```\nDone."
        args = ("--answer-member", "x.y[1].z")
        told = grade({"text": fence, "gold": "0.5"}, {"answer": '{"x":{"y":[0,{"z":0.50}]}}', "gold": "1/2"},
                     {"answer": 'It is {"x": {"y": [0, {"z": 3}]}}.', "gold": "3"}, {"answer": '{"x":{"y":[0]}}', "gold": "0"},
                     {"answer": "1/2", "gold": "1/2"}, {"answer": '{"x":{"y":[0,{"z":null}]}}', "gold": "0"},
                     {"answer": '{"x":', "gold": "0"}, args=args)
        self.assertEqual([r["correct"] for r in told], [True, True, True, False, False, False, False])
        self.assertEqual([r["answer_read"] for r in told], ["1/2", "0.50", "3", None, None, None, None])
        self.assertEqual([r["why"] for r in told[3:]], ["unread"] * 4)
        for record, reason in zip(told[3:], ('no member "x.y[1].z"', "no JSON object", "is null", "JSON is not read")):
            self.assertIn(reason, record["reason"])

    def test_members_keep_every_digit_and_both_sides_have_one(self):
        big = 9007199254740993
        [same, other] = grade({"answer": json.dumps({"a.b": big}), "gold": json.dumps({"g": [big]})},
                              {"answer": json.dumps({"a.b": big - 1}), "gold": json.dumps({"g": [big]})},
                              args=("--answer-member", "a.b", "--gold-member", "/g/0"))
        self.assertEqual((same["correct"], other["correct"], same["same_as"]), (True, False, str(big)))
        [surrogate] = grade({"answer": '{"a": "\\ud800"}', "gold": "5"}, args=("--answer-member", "a"))
        self.assertEqual((surrogate["why"], surrogate["answer_read"]), ("unread", None))
        ended = rederive("grade", "-q", "--gold-member", "g", stdin=lines({"answer": "5", "gold": "5"}, {"answer": "5", "gold": '{"g": 5}'}))
        self.assertEqual(ended.status, 1)
        self.assertIn("the gold answer: it holds no JSON object", ended.records[0]["error"])
        self.assertTrue(ended.records[1]["correct"])
        ended = rederive("grade", "--answer", '{"a": 5}', "--gold", "5", "--answer-member", "a")
        self.assertEqual(ended.status, 0)
        ended = rederive("grade", "--answer-member", "a..b", stdin="")
        self.assertEqual(ended.status, 2)
        self.assertIn("is no path", ended.err)

    def test_members_of_chains(self):
        record = chain(answer=None, steps=["2 + 3 = 5", 'Here: {"answer": "5"}'])
        [read] = grade(record, args=("--answer-source", "read", "--answer-member", "answer"))
        self.assertEqual((read["correct"], read["answer_read"]), (True, "5"))

    def test_other_commands_take_no_pairs(self):
        ended = rederive("vote", stdin=lines({"answer": "1/2", "gold": "0.5"}))
        self.assertEqual((ended.status, ended.out), (3, ""))
        self.assertIn("no known form of record", ended.err)


class Faults(Case):
    BROKEN = [{"answer": 1, "gold": 1}, '{"answer": "\\ud800", "gold": "5"}\n', "nonsense\n", {"answer": 1, "gold": None}, {"answer": [1], "gold": 1}, {"answer": 1, "gold": []},
              {"answer": 1, "gold": 1, "kind": "colour"}, {"answer": "1", "gold": {"a": 1}}, {"steps": ["a"], "question": "q"},
              {"answer": 2, "gold": 2}]
    REASONS = [None, "invalid Unicode", "a record must be a JSON object", '"gold" is empty', '"answer" must be a text', '"gold" is empty', "no kind",
               '"gold" must be a text', "no gold answer to grade by", None]

    def test_each_has_its_error_and_nothing_is_lost(self):
        stdin = "".join(r if isinstance(r, str) else lines(r) for r in self.BROKEN)
        for jobs in "1", "3":
            ended = rederive("grade", "-j", jobs, stdin=stdin)
            self.assertEqual(ended.status, 1)
            self.assertEqual(len(ended.records), len(self.BROKEN))
            for record, reason in zip(ended.records, self.REASONS):
                if reason is None:
                    self.assertTrue(record["correct"])
                    self.assertNotIn("error", record)
                else:
                    self.assertIn(reason, record["error"])
                    self.assertNotIn("correct", record)
                    self.assertEqual(ended.err.count(record["error"]), 1, record["error"])
            self.assertIn("8 records failed", ended.err)

    def test_strict_stops(self):
        ended = rederive("grade", "--strict", stdin="".join(r if isinstance(r, str) else lines(r) for r in self.BROKEN))
        self.assertEqual((ended.status, len(ended.records)), (1, 2))

    def test_mistakes_on_the_command_line(self):
        for args, status, said in (
                (["--answer", "1"], 2, "--answer requires --gold TEXT"),
                (["--gold", "1"], 2, "--gold requires one of --answer TEXT and --text TEXT"),
                (["--gold", "1", "--answer", "1", "--text", "1"], 2, "requires one of"),
                (["--gold", "1", "--answer", "1", "--jobs", "2"], 2, "--jobs has no effect with --gold"),
                (["--gold", "1", "--answer", "1", "x.jsonl"], 2, "exclude each other"),
                (["--kind", "colour"], 2, "--kind colour: there is no such kind"),
                (["--gold", "", "--answer", "1"], 2, "gold answer is absent or cannot be read")):
            ended = rederive("grade", *args)
            self.assertEqual(ended.status, status, args)
            self.assertIn(said, ended.err)


class Ends(Case):
    def test_two_answers_on_the_command_line(self):
        for args, status in ((["--answer", "1/2", "--gold", "0.5"], 0), (["--answer", "1/2", "--gold", "0.5", "--json"], 0), (["--answer", "1/2", "--gold", "0.6"], 4),
                             (["--answer", "1/2", "--gold", "0.6", "--gold", "0.50"], 0),
                             (["--text", "The answer is 7.", "--gold", "7"], 0), (["--text", "", "--gold", "7"], 4)):
            ended = rederive("grade", *args)
            self.assertEqual((ended.status, ended.err), (status, ""))
            self.assertEqual(ended.records[0]["correct"], status == 0)

    def test_statuses(self):
        right, wrong = {"answer": 1, "gold": 1}, {"answer": 1, "gold": 2}
        for records, status in (([right, wrong], 0), ([right], 0)):
            grade(*records, status=status)
        grade(right, wrong, args=["--fail-on-wrong"], status=4)
        grade(right, args=["--fail-on-wrong", "--fail-on-unknown"])

    def test_the_summary(self):
        stdin = lines(*({"answer": i % 4 and 1, "gold": 1} for i in range(40)), {"answer": None, "gold": 1})
        ended = rederive("grade", "--json", stdin=stdin)
        summary = json.loads(ended.err)
        self.assertEqual({k: summary[k] for k in ("n_pairs", "n_correct", "n_incorrect", "n_undecided", "n_unparsed", "n_failed")},
                         {"n_pairs": 41, "n_correct": 30, "n_incorrect": 11, "n_undecided": 0, "n_unparsed": 1, "n_failed": 0})
        low, high = wilson(30, 41)
        self.assertAlmostEqual(summary["accuracy"]["value"], 30 / 41, delta=1e-12)
        self.assertAlmostEqual(summary["accuracy"]["ci_low"], low, delta=1e-9)
        self.assertAlmostEqual(summary["accuracy"]["ci_high"], high, delta=1e-9)
        self.assertIn("41 pairs: 30 correct, 11 wrong (1 without a readable answer), 0 cannot be told; accuracy 0.7317",
                      rederive("grade", stdin=stdin).err)


def peak_mib(n):
    """The memory that n pairs of long tuples take at most, graded by one thread."""
    parts = ", ".join(map(str, range(1, 400)))
    pairs = [{"answer": f"({parts}, 5)", "gold": f"({parts}, {i})"} for i in range(n)]
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "pairs.jsonl")
        with open(path, "w") as out:
            out.write(lines(*pairs))
        run = subprocess.Popen([PROGRAM, "grade", "-q", "-j", "1", path, "-o", os.devnull])
        _, status, usage = os.wait4(run.pid, 0)
    if status:
        raise AssertionError(f"wait status {status}")
    return usage.ru_maxrss / 1024


class Memory(unittest.TestCase):
    @unittest.skipIf(SANITIZED, "the sanitizer keeps freed memory")
    def test_it_does_not_grow_with_the_records_of_a_round(self):
        self.assertLess(peak_mib(1000) - peak_mib(50), 50)


class Threads(Case):
    def test_any_number_gives_the_same_bytes(self):
        draw = random.Random(5)
        records, truth = [], []
        for i in range(9000):  # more than two rounds
            a, b = Fraction(draw.randint(-50, 50), draw.randint(1, 9)), Fraction(draw.randint(-50, 50), draw.randint(1, 9))
            a = b if draw.random() < 0.5 else a
            records.append({"id": i, "answer": str(a), "gold": f"\\frac{{{b.numerator}}}{{{b.denominator}}}"})
            truth.append(a == b)
        stdin = lines(*records)
        outputs = [rederive("grade", "-q", "-j", jobs, stdin=stdin).out for jobs in ("1", "2", "7")]
        self.assertEqual(outputs[0], outputs[1])
        self.assertEqual(outputs[0], outputs[2])
        self.assertEqual([json.loads(line)["correct"] for line in outputs[0].splitlines()], truth)

    def test_a_record_is_answered_before_the_next_arrives(self):
        import subprocess
        with subprocess.Popen([PROGRAM, "grade", "-q", "-j", "2"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as asked:
            asked.stdin.write(lines({"answer": 1, "gold": 1}, {"answer": 1, "gold": 2}))
            asked.stdin.flush()
            self.assertTrue(json.loads(asked.stdout.readline())["correct"])
            asked.stdin.write(lines({"answer": 3, "gold": 3}))
            asked.stdin.flush()
            self.assertFalse(json.loads(asked.stdout.readline())["correct"])
            asked.stdin.close()
            self.assertTrue(json.loads(asked.stdout.readline())["correct"])


if __name__ == "__main__":
    unittest.main()
