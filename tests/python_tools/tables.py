# SPDX-License-Identifier: Apache-2.0
"""Records as tables of pandas and of Arrow, read by pyarrow and polars without a copy and released once.

Where polars is not installed, its readings are those of pyarrow.
"""
import ctypes
import gc
import json
import random
import threading
import unittest

import pandas
import pyarrow

import rederive
from rederive._core import lib

try:
    import polars
except ModuleNotFoundError:
    polars = None

CHAINS = [
    {"id": "a/0", "question": "What is 6 × 7?", "steps": ["6 × 7 = 48.", "The answer is 48."], "gold": "42"},
    {"id": "a/1", "question": "What is 6 × 7?", "steps": ["6 × 7 = 42, “so” 42 ✓"], "gold": "42"},
    {"id": "b/0", "question": "Is it \0 empty?", "steps": []}]


def rows(table):
    return [tuple(row.values()) for row in table.to_pylist()]


def rows_by_polars(table):
    return polars.DataFrame(table).rows() if polars else rows(pyarrow.table(table))


class Tables(unittest.TestCase):

    def setUp(self):
        gc.collect()
        self.assertEqual(lib.binding_tables(), 0)

    def tearDown(self):
        gc.collect()
        self.assertEqual(lib.binding_tables(), 0, "something that was read was not released")

    def test_steps(self):
        checked = list(rederive.check(CHAINS))
        expected = [(c["id"], c.get("question_id"), v["step"], c["steps"][v["step"]], c["method"], v["verdict"],
                     v["score"], v.get("explanation")) for c in checked for v in c["verdicts"]]
        self.assertEqual(len(expected), 3)
        table = pyarrow.table(rederive.to_arrow(checked))
        table.validate(full=True)
        self.assertEqual(rows(table), expected)
        self.assertEqual([str(t) for t in table.schema.types],
                         ["string", "string", "int64", "string", "string", "string", "double", "string"])
        self.assertEqual(rows_by_polars(rederive.to_arrow(checked)), expected)
        self.same_as_pandas(checked, "steps", expected)

    def same_as_pandas(self, records, which, expected):
        frame = rederive.to_pandas(records, which)
        self.assertEqual([tuple(None if value is pandas.NA else value for value in row)
                          for row in frame.itertuples(index=False)], expected)

    def test_steps_of_several_checks_and_of_the_whole_chain(self):
        plan = rederive.Plan.check(CHAINS[:1], "calculations,global", model="m")
        [record] = rederive.drive_batches(plan, lambda requests: ["It is. Wrong"] * len(requests))
        table = rows(pyarrow.table(rederive.to_arrow(record)))
        self.assertEqual([(row[2], row[4], row[5]) for row in table],
                         [(0, "calculations", "contradict"), (1, "calculations", "unrelated"), (None, "global", "contradict")])

    def test_members_of_other_types(self):
        """What another tool wrote under our names is left out."""
        for odd in ({"verdicts": [3]}, {"verdicts": 3}, {"verdicts": [{"step": [1]}]}, {"checks": [3]}, {"checks": {"a": 3}}):
            self.assertEqual(rows(pyarrow.table(rederive.to_arrow({"steps": ["a"], **odd}))),
                             [(None, None, 0, "a", None, None, None, None)], odd)

    def test_chains(self):
        checked = list(rederive.check(CHAINS, "calculations,dyck"))
        names = rederive.to_arrow([], "chains").column_names
        for table in (pyarrow.table(rederive.to_arrow(checked, "chains")).to_pylist(),
                      [dict(zip(names, row)) for row in rows_by_polars(rederive.to_arrow(checked, table="chains"))]):
            self.assertEqual([row["id"] for row in table], ["a/0", "a/1", "b/0"])
            self.assertEqual([row["n_steps"] for row in table], [2, 1, 0])
            self.assertEqual([(row["first_error"], row["first_error_known"]) for row in table[:2]], [(None, False)] * 2)
            self.assertEqual([row["question"] for row in table], [c["question"] for c in CHAINS])
        [first] = pyarrow.table(rederive.to_arrow(rederive.check(CHAINS[0]), "chains")).to_pylist()
        self.assertEqual((first["first_error"], first["first_error_known"], first["partial"]), (0, True, False))

    def test_votes(self):
        results = list(rederive.vote(list(rederive.check(CHAINS[:2]))))
        [row] = pyarrow.table(rederive.to_arrow(results, "votes")).to_pylist()
        self.assertEqual((row["question_id"], row["n_chains"], row["n_tied"], row["correct"]),
                         (results[0]["question_id"], 2, len(results[0]["tied_answers"]), results[0]["correct"]))
        self.assertEqual(len(rederive.to_arrow(results, "steps")), 0)

    def test_empty(self):
        for which in ("steps", "chains", "votes"):
            table = pyarrow.table(rederive.to_arrow([], which))
            table.validate(full=True)
            self.assertEqual(table.num_rows, 0)
            self.assertEqual(rows_by_polars(rederive.to_arrow([], which)), [])
            self.assertEqual(rederive.to_pandas([], which).shape, (0, table.num_columns))

    def test_many_rows_with_nulls(self):
        """10^5 rows and more, whose nulls fall in every place of a byte."""
        drawn = random.Random(5)
        verdicts = ["support", "contradict", "unknown", None]
        records = [{"id": None if drawn.random() < 0.3 else f"q/{i}", "method": "m",
                    "steps": [drawn.choice(["", "é", "a" * 40, "🙂"]) for _ in range(drawn.randrange(25))]}
                   for i in range(9000)]
        for record in records:
            record["verdicts"] = [{"step": i, "verdict": drawn.choice(verdicts), "score": drawn.choice([None, 0.0, 0.25])}
                                  for i in range(len(record["steps"]))]
        expected = [(r["id"], None, v["step"], r["steps"][v["step"]], "m", v["verdict"], v["score"], None)
                    for r in records for v in r["verdicts"]]
        self.assertGreater(len(expected), 10**5)
        table = pyarrow.table(rederive.to_arrow(records))
        table.validate(full=True)
        self.assertEqual(rows(table), expected)
        self.assertEqual(table["score"].null_count, sum(row[6] is None for row in expected))
        self.assertEqual(rows_by_polars(rederive.to_arrow(records)), expected)

    def test_without_a_copy(self):
        """The bytes that pyarrow and a second reading of the same table see are the same bytes."""
        table = rederive.to_arrow(list(rederive.check(CHAINS)))
        first, second = pyarrow.table(table), pyarrow.table(table)
        for name in table.column_names:
            addresses = [[buffer.address for buffer in one[name].chunk(0).buffers() if buffer] for one in (first, second)]
            self.assertEqual(*addresses)

    def test_what_was_read_outlives_the_table(self):
        table = rederive.to_arrow(rederive.check(CHAINS[0]))
        read = pyarrow.table(table)
        column = read["text"]
        del table, read
        gc.collect()
        self.assertEqual(lib.binding_tables(), 1)
        self.assertEqual(column.to_pylist(), CHAINS[0]["steps"])

    def test_capsules_that_nobody_reads(self):
        table = rederive.to_arrow(rederive.check(CHAINS[0]))
        stream, schema = table.__arrow_c_stream__(), table.__arrow_c_schema__()
        self.assertIn("arrow_array_stream", repr(stream))
        self.assertIn("arrow_schema", repr(schema))
        del table
        gc.collect()
        self.assertEqual(lib.binding_tables(), 1)  # the capsules hold it
        del stream, schema

    def test_a_stream_that_is_read_in_part(self):
        reader = pyarrow.RecordBatchReader.from_stream(rederive.to_arrow(rederive.check(CHAINS[0])))
        self.assertEqual(reader.schema.names[0], "id")
        del reader

    def test_a_schema_alone(self):
        schema = pyarrow.schema(rederive.to_arrow([], "chains"))
        self.assertEqual(schema.field("first_error").type, pyarrow.int64())
        self.assertTrue(schema.field("first_error").nullable)

    def test_capsules_have_one_owner(self):
        """A reference too many would keep each capsule, one too few would end it twice."""
        table = rederive.to_arrow(rederive.check(CHAINS[0]))
        capsule = table.__arrow_c_stream__()
        count = ctypes.c_ssize_t.from_address(id(capsule)).value
        self.assertEqual(count, 1)
        for _ in range(1000):
            pyarrow.table(table)

    def test_threads(self):
        table = rederive.to_arrow(list(rederive.check(CHAINS)))
        found = []

        def read():
            for _ in range(100):
                found.append(len(rows_by_polars(table)) + pyarrow.table(table).num_rows)
        threads = [threading.Thread(target=read) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(set(found), {6})

    def test_bad_use(self):
        with self.assertRaisesRegex(rederive.ArgumentError, "must be \"steps\", \"chains\" or \"votes\""):
            rederive.to_arrow([], "step")
        with self.assertRaisesRegex(rederive.ArgumentError, "a str is no record"):
            rederive.to_pandas(["x"])
        odd = {"id": 7, "steps": ["a", None], "verdicts": [{"step": 0, "verdict": 1, "score": "high"}],
               "n_calls": 2**70, "partial": "yes", "confidence": True}
        self.assertEqual(rows(pyarrow.table(rederive.to_arrow(odd)))[0], ("7", None, 0, "a", None, "1", None, None))
        [chain] = pyarrow.table(rederive.to_arrow(odd, "chains")).to_pylist()
        self.assertEqual((chain["n_calls"], chain["confidence"]), (None, None))
        lone = pyarrow.table(rederive.to_arrow({"id": "x", "steps": [json.loads('"\\ud800"')]}))
        lone.validate(full=True)


if __name__ == "__main__":
    unittest.main()
