# SPDX-License-Identifier: Apache-2.0
"""Files that other programs write, read as they are: logs of inspect_ai, tables, plain text, and records whose parts
the user names. What is not read is said in one line."""
import gzip
import io
import json
import os
import random
import re
import struct
import unittest
import zipfile

from support import Case, SANITIZED, chain, lines, rederive

TOOL_FILES = os.path.join(os.environ["RDV_SOURCE"], "tests", "golden", "tool-files")
WRONG = "24 × 17 = 398."
SAMPLE = {"id": "q", "epoch": 1, "input": "How many rolls are 24 trays of 17?", "target": "408", "messages": [],
          "output": {"model": "m", "choices": [{"message": {"role": "assistant", "content": "24 × 17 = 398."},
                                                "stop_reason": "stop"}]}}


def contradicted(record):
    return [v["step"] for v in record["verdicts"] if v["verdict"] == "contradict"]


def sample(**more):
    return json.dumps({**SAMPLE, **more})


def zipped(members, method=zipfile.ZIP_DEFLATED):
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", method) as file:
        for name, text in members:
            file.writestr(name, text)
    return out.getvalue()


class DataCase(Case):
    def assert_one_line(self, ended, *words):
        """The file is refused in one line of standard error, and no record is written."""
        self.assert_ended(ended, 3)
        self.assertEqual(ended.out, "")
        told = [line for line in ended.err.splitlines() if line.startswith("rederive: ")]
        self.assertEqual(len(told), 1, ended.err[:3000])
        for word in words:
            self.assertIn(word, told[0])

    def refused(self, name, content, *words, options=()):
        ended = rederive("check", *options, self.write(name, content))
        self.assert_one_line(ended, name, *words)

    def checked(self, name, content, *options, status=0):
        ended = rederive("check", *options, self.write(name, content))
        self.assert_ended(ended, status)
        return ended.records


# ---- logs of inspect_ai --------------------------------------------------------------------------


class Inspect(DataCase):
    """Both formats of a log that inspect_ai 0.3.285 wrote (tests/tools/make_inspect_files.py)."""
    WRONG_STEPS = {"bakery_epoch_2": [0], "tank_epoch_3": [1], "3_epoch_2": [0]}

    def records(self, form):
        ended = rederive("check", os.path.join(TOOL_FILES, "inspect." + form))
        self.assert_ended(ended, 1)  # a sample failed in inspect_ai
        return {record["id"]: record for record in ended.records}, ended

    def test_wrong_steps_and_no_right_ones(self):
        for form in ("json", "eval"):
            records, _ = self.records(form)
            self.assertEqual(len(records), 9)
            for name, record in records.items():
                if "error" not in record:
                    self.assertEqual(contradicted(record), self.WRONG_STEPS.get(name, []), name)

    def test_a_sample_that_failed_is_no_chain(self):
        for form in ("json", "eval"):
            records, ended = self.records(form)
            failed = records["tank_epoch_2"]
            self.assertNotIn("verdicts", failed)
            self.assertIn("the model's server hung up", failed["error"])
            self.assertEqual(ended.err.count("hung up"), 1)

    def test_what_the_log_says(self):
        for form in ("json", "eval"):
            records, _ = self.records(form)
            tank = records["tank_epoch_1"]
            self.assertEqual(tank["question"], "A tank holds 150 litres and 12 % of it leaks. How many litres are left?")
            self.assertEqual((tank["question_id"], tank["epoch"], tank["gold"]), ("tank", 1, "132"))
            self.assertEqual(tank["targets"], ["132", "132 litres"])
            self.assertEqual(tank["generator"], "mockllm/model")
            self.assertEqual(tank["source_scores"]["match"]["value"], "C")
            self.assertIs(tank["correct"], True)
            self.assertIs(records["tank_epoch_3"]["correct"], False)
            self.assertEqual(records["3_epoch_1"]["reasoning"], "14 * 9 = 126, and the programme is 5 more.")

    def test_epochs_vote_together(self):
        ended = rederive("vote", os.path.join(TOOL_FILES, "inspect.eval"))
        self.assert_ended(ended, 1)
        answers = {r["question_id"]: (r["answer"], r["n_chains"], r["correct"]) for r in ended.records}
        self.assertEqual(answers["bakery"], ("50", 3, True))
        self.assertEqual(answers["3"], ("131", 3, True))
        self.assertEqual(answers["tank"][1], 2)

    def test_what_convert_writes(self):
        text = lines(chain(id="a", question_id="q", steps=["2 + 3 = 6", "So it is 6."], answer="6"),
                     chain(id="b", question_id="q", steps=["2 + 3 = 5", "So it is 5."]))
        name = self.path("log.json")
        self.assert_ended(rederive("convert", "--to", "inspect", self.write("x.jsonl", text), "-o", name), 0)
        ended = rederive("check", name)
        self.assertEqual([contradicted(r) for r in ended.records], [[0], []])
        self.assertEqual({r["question_id"] for r in ended.records}, {"q"})

    def test_from_a_pipe_and_packed(self):
        with open(os.path.join(TOOL_FILES, "inspect.eval"), "rb") as file:
            data = file.read()
        for given in (data, gzip.compress(data)):
            ended = rederive("check", "-q", stdin=given)
            self.assertEqual(len(ended.records), 9)

    def test_every_end_of_the_file(self):
        """A log that is cut off anywhere is refused in one line: its directory is at its end."""
        with open(os.path.join(TOOL_FILES, "inspect.eval"), "rb") as file:
            data = file.read()
        for size in range(4, len(data), len(data) // (9 if SANITIZED else 40)):
            self.refused("cut.eval", data[:size], "zip file", "whole")

    def test_the_last_of_a_name_counts(self):
        first, second = sample(), sample(target="7")
        with self.assertWarns(UserWarning):
            data = zipped([("samples/q_epoch_1.json", first), ("samples/q_epoch_1.json", second)])
        records = self.checked("x.eval", data)
        self.assertEqual([r["gold"] for r in records], ["7"])

    def test_any_order_of_members_and_names(self):
        data = zipped([("summaries.json", "[]"), ("samples/b.json", sample(id="b")), ("../samples/c.json", "{}"),
                       ("samples/../../d.json", "{}"), ("header.json", "{}"), ("samples/a.json", sample(id="a"))])
        self.assertEqual([r["question_id"] for r in self.checked("x.eval", data)], ["b", "a"])

    def test_wrong_json_inside_is_that_samples_fault(self):
        data = zipped([("samples/a.json", "{\"id\":1,"), ("samples/b.json", sample()), ("samples/c.json", "null"),
                       ("samples/d.json", "{\"x\":1}")])
        ended = rederive("check", self.write("x.eval", data))
        self.assert_ended(ended, 1)
        self.assertEqual(len([r for r in ended.records if "verdicts" in r]), 1)
        for name in ("x.eval: samples/a.json", "x.eval: samples/c.json", "x.eval: samples/d.json"):
            self.assertEqual(ended.err.count(name), 1, ended.err)

    def test_a_sample_without_an_answer(self):
        tools = {"model": "m", "choices": [{"message": {"role": "assistant", "content": ""}, "stop_reason": "tool_calls"}]}
        data = zipped([("samples/a.json", sample(output=tools))])
        records = self.checked("x.eval", data, status=3)
        self.assertIn("the reply has no text", records[0]["error"])
        said = [{"role": "assistant", "content": WRONG}, {"role": "tool", "content": "398"}]
        data = zipped([("samples/a.json", sample(output=tools, messages=said))])
        self.assertEqual(contradicted(self.checked("x.eval", data)[0]), [0])

    def test_a_reply_that_was_cut_off_has_no_answer(self):
        output = {"choices": [{"message": {"content": "24 × 17 = 408. The answer is 408."}, "stop_reason": "max_tokens"}]}
        record = self.checked("x.eval", zipped([("samples/a.json", sample(output=output))]))[0]
        self.assertIsNone(record["answer"])
        self.assertEqual(record["incomplete_reason"], "the reply was cut off before its end")

    def test_scorers_that_differ_leave_it_open(self):
        for scores, correct in (({"a": {"value": "C"}, "b": {"value": "I"}}, None), ({"a": {"value": 1.0}}, True),
                                ({"a": {"value": "P"}}, None), ({"a": {"value": {"x": 1}}}, None),
                                ({"a": {"value": "I"}, "b": {"value": 0}}, False)):
            record = self.checked("x.eval", zipped([("samples/a.json", sample(scores=scores))]))[0]
            self.assertIs(record.get("correct"), correct, scores)

    def test_a_log_without_samples(self):
        self.refused("x.eval", zipped([("header.json", "{}")]), "inspect_ai", "without samples")

    def test_chunked_samples_are_said(self):
        records = self.checked("x.eval", zipped([("samples/q_epoch_1/sample.json", sample())]), status=3)
        self.assertIn("in chunks", records[0]["error"])

    def test_a_large_json_log_is_read_as_a_stream(self):
        """A log larger than a record may be: what is not a sample is passed over, not held."""
        pad = {"version": 2, "status": "success", "eval": {"task": "t"}, "plan": {"x": "y" * (70 << 20)}}
        text = json.dumps(pad)[:-1] + ',"samples":[' + sample() + "," + sample(epoch=2) + "]}"
        self.assertEqual(len(self.checked("big.json", text, "-q")), 2)


# ---- zip files that mean harm --------------------------------------------------------------------


class HostileZip(DataCase):
    def test_a_bomb_is_refused_in_one_line(self):
        bomb = zipped([(f"samples/{i}.json", b" " * (40 << 20)) for i in range(3)])
        self.refused("bomb.eval", bomb, "zip bomb")

    def test_a_member_that_declares_other_bytes(self):
        data = bytearray(zipped([("samples/a.json", sample())]))
        entry = data.index(b"PK\1\2")
        for at, value in ((24, 0), (24, 1 << 30), (16, 7)):  # size; size; checksum
            changed = bytearray(data)
            changed[entry + at:entry + at + 4] = struct.pack("<I", value)
            ended = rederive("check", self.write("x.eval", bytes(changed)))
            self.assert_ended(ended, 3)
            self.assertIn("size or checksum", ended.err)

    def test_overlapping_members_are_refused(self):
        data = bytearray(zipped([("samples/a.json", sample()), ("samples/b.json", sample(id="b"))]))
        entry = data.index(b"PK\1\2")
        second = data.index(b"PK\1\2", entry + 4)
        data[second + 42:second + 46] = data[entry + 42:entry + 46]
        self.refused("x.eval", bytes(data), "overlap")

    def test_encrypted_members(self):
        data = bytearray(zipped([("samples/a.json", sample())]))
        data[data.index(b"PK\1\2") + 8] |= 1
        ended = rederive("check", self.write("x.eval", bytes(data)))
        self.assert_ended(ended, 3)
        self.assertIn("encrypted", ended.err)

    def test_other_methods_are_named(self):
        ended = rederive("check", self.write("x.eval", zipped([("samples/a.json", sample())], zipfile.ZIP_LZMA)))
        self.assertIn("method 14", ended.err)

    def test_a_zip_within_a_zip_is_no_log(self):
        inner = zipped([("samples/a.json", sample())])
        self.refused("x.zip", zipped([("log.eval", inner)]), "log.eval", "unpack")

    def test_very_many_members(self):
        data = zipped([(f"x/{i}", b"") for i in range(100_000)] + [("samples/a.json", sample())], zipfile.ZIP_STORED)
        self.assertEqual(len(self.checked("x.eval", data)), 1)

    def test_a_byte_anywhere(self):
        """Changed bytes are refused, reported, or were not used; nothing crashes."""
        data = zipped([("samples/a.json", sample()), ("samples/b.json", sample(id="b"))])
        for at in range(0, len(data), 7 if SANITIZED else 2):
            changed = bytearray(data)
            changed[at] ^= 0x41
            ended = rederive("check", "-q", stdin=bytes(changed))
            self.assertIn(ended.status, (0, 1, 3), (at, ended.err))
            self.assertNotIn("Sanitizer", ended.err)


# ---- tables --------------------------------------------------------------------------------------


class Tables(DataCase):
    def test_what_pandas_writes(self):
        """tests/tools/make_table_files.py; an empty cell is no gold answer."""
        for name in ("pandas.csv", "pandas.tsv"):
            ended = rederive("check", os.path.join(TOOL_FILES, name))
            self.assert_ended(ended, 0)
            self.assertEqual([contradicted(r) for r in ended.records], [[0], [], []])
            self.assertEqual([r.get("gold") for r in ended.records], ["408.0", "130.0", None])
            self.assertIn('"in all"?', ended.records[0]["question"])

    def test_csv(self):
        text = ('id,question,solution,gold\r\n'
                'a,"How many, in all?","24 × 17 = 398.\n\nSo ""398"".",408\r\n'
                'b,Second?,12 * 2 = 24.,24\r\n')
        for name, content in (("x.csv", text), ("x.csv", "\ufeff" + text), ("unnamed", text),
                              ("x.tsv", "id\tquestion\tsolution\na\tQ?\t24 × 17 = 398.\nb\tR?\t12 * 2 = 24.\n"),
                              ("x.csv", "id;question;solution\na;Q, now?;24 × 17 = 398.\nb;R?;12 * 2 = 24.\n")):
            records = self.checked(name, content)
            self.assertEqual([(r["id"], contradicted(r)) for r in records], [("a", [0]), ("b", [])], content)
        self.assertEqual(self.checked("x.csv", text)[0]["steps"], ["24 × 17 = 398.", 'So "398".'])
        self.assertEqual(self.checked("x.csv", text)[0]["gold"], "408")

    def test_cells_with_json(self):
        text = 'question,steps,label\nQ?,"[""1 + 1 = 3"", ""So 3.""]",0\nR?,1 + 1 = 2,\n'
        first, second = self.checked("x.csv", text)
        self.assertEqual((first["steps"], first["label"]), (["1 + 1 = 3", "So 3."], 0))
        self.assertEqual(second["steps"], ["1 + 1 = 2"])

    def test_a_bad_row_is_that_rows_fault(self):
        ended = rederive("check", self.write("x.csv", "question,solution\nQ?,1 + 1 = 2\nR?\nS?,1 + 1 = 3\n"))
        self.assert_ended(ended, 1)
        self.assertIn("x.csv:3: a row of 1 cells, where the header has 2", ended.err)
        self.assertEqual(len(ended.records), 3)

    def test_unknown_columns_are_named_once(self):
        text = "q,trace,truth\n" + "Q?,1 + 1 = 3,2\n" * 500
        self.refused("x.csv", text, "q, trace, truth", "--steps-from", "500 rows")
        records = self.checked("x.csv", text, "--question-from", "q", "--steps-from", "trace", "--gold-from", "truth")
        self.assertEqual(len(records), 500)
        self.assertEqual((records[0]["question"], records[0]["gold"], contradicted(records[0])), ("Q?", "2", [0]))

    def test_a_header_alone(self):
        self.assertEqual(self.checked("x.csv", "question,solution\n"), [])

    def test_one_column(self):
        self.assertEqual(contradicted(self.checked("x.csv", "log\n1 + 1 = 3\n", "--steps-from", "log",
                                                   "--question-from", "log")[0]), [0])

    def test_a_long_second_row(self):
        text = "question\tsolution\nQ?\t" + "as it is, " * 9_000 + "1 + 1 = 3\n"
        self.assertEqual(len(self.checked("unnamed", text)), 1)

    def test_a_header_that_cannot_be_used(self):
        self.refused("x.csv", "question,question\na,b\n", "two columns")
        self.refused("x.csv", "1,2\n3,4\n", "without a header")


# ---- plain text ----------------------------------------------------------------------------------


class Texts(DataCase):
    TEXT = "First, 24 × 17 = 398.\r\n\r\nThen 398 - 58 = 340.\n"

    def test_a_file_is_a_solution(self):
        for name in ("a.txt", "a.md", "answer"):
            record = self.checked(name, self.TEXT)[0]
            self.assertEqual(record["steps"], ["First, 24 × 17 = 398.", "Then 398 - 58 = 340."], name)
            self.assertEqual(contradicted(record), [0])
        ended = rederive("check", "-q", stdin=self.TEXT)
        self.assertEqual(contradicted(ended.records[0]), [0])

    def test_with_a_question(self):
        record = self.checked("a.txt", self.TEXT, "--question", "How many?")[0]
        self.assertEqual(record["question"], "How many?")

    def test_several_solutions_in_a_file(self):
        text = "1 + 1 = 3\n---\n1 + 1 = 2\n---\n\n"
        records = self.checked("a.md", text, "--separator", "---", "--question", "Q?")
        self.assertEqual([contradicted(r) for r in records], [[0], []])
        self.assertEqual([r["id"] for r in records], ["a/0", "a/1"])
        ended = rederive("vote", self.path("a.md"), "--separator", "---", "--question", "Q?")
        self.assertEqual(ended.records[0]["n_chains"], 2)

    def test_text_that_begins_with_a_bracket(self):
        self.assertEqual(contradicted(self.checked("a.txt", "[Step 1] We add: 1 + 1 = 3\n")[0]), [0])

    def test_a_table_by_its_content(self):
        self.assertEqual(len(self.checked("x.json", "question,solution\nQ?,1 + 1 = 3\n")), 1)

    def test_prose_with_commas_is_no_table(self):
        self.assertEqual(len(self.checked("x", "First, 1 + 1 = 3\nThen, she left\n")), 1)


# ---- what is not read ----------------------------------------------------------------------------


class Unread(DataCase):
    def test_each_kind_is_one_line(self):
        for name, content, *words in (
                ("x.parquet", b"PAR1" + bytes(range(256)) * 1200, "Parquet", "read_parquet", "x.parquet"),
                ("x.feather", b"ARROW1\0\0" + bytes(999), "Arrow", "read_feather"),
                ("x.arrow", b"\xff\xff\xff\xff" + bytes(999), "Arrow stream", "from_file"),
                ("x.db", b"SQLite format 3\0" + bytes(9999), "SQLite", "sqlite3 -json"),
                ("x.pdf", b"%PDF-1.7\n" + bytes(range(256)) * 9, "PDF", "pdftotext"),
                ("x.png", b"\x89PNG\r\n\x1a\n" + bytes(9999), "PNG"),
                ("x.zst", b"\x28\xb5\x2f\xfd" + bytes(999), "zstd"),
                ("x.gz", gzip.compress(gzip.compress(b"{}")), "twice"),
                ("y.gz", gzip.compress(b"PAR1" + bytes(999)), "Parquet"),
                ("x.bin", random.Random(1).randbytes(300_000), "no known kind"),
                ("z.jsonl", random.Random(3).randbytes(300_000), "no known kind"),
                ("log.json", "INFO loading the model\nINFO done\n" * 500, "not JSON"),
                ("y.bin", b"[" + random.Random(2).randbytes(300_000), "no known kind"),
                ("x.zip", zipped([("a.txt", "b")]), "zip file", "a.txt"),
                ("x.html", "<!DOCTYPE html>\n<p>1 + 1 = 3", "HTML"),
                ("u.txt", "1 + 1 = 3\n".encode("utf-16"), "UTF-16", "iconv"),
                ("u32.txt", "1 + 1 = 3\n".encode("utf-32"), "UTF-32", "iconv -f UTF-32 "),
                ("16le.txt", "So é 1 + 1 = 3\n".encode("utf-16-le"), "UTF-16", "iconv -f UTF-16LE"),
                ("16be.json", '{"question": "é"}'.encode("utf-16-be"), "UTF-16", "iconv -f UTF-16BE"),
                ("32le.json", '{"question": "é"}'.encode("utf-32-le"), "UTF-32", "iconv -f UTF-32LE"),
                ("32be.txt", "So é 1 + 1 = 3\n".encode("utf-32-be"), "UTF-32", "iconv -f UTF-32BE"),
                ("x.rtf", "{\\rtf1 1 + 1 = 3}", "RTF"),
                ("r.yaml", "evalId: e\nresults:\n  output: 1 + 1 = 3\n", "promptfoo", "promptfoo export"),
                ("y.yml", "steps:\n- 1 + 1 = 3\n", "YAML", "yaml.safe_load"),
                ("l.txt", "Grüße: 1 + 1 = 3\n".encode("latin-1"), "UTF-8", "iconv"),
                ("x.jsonl", "{'question': 'Q?'}\n" * 1000, "json.dumps")):
            with self.subTest(name):
                self.refused(name, content, *words)

    def test_what_begins_like_a_container_is_never_prose(self):
        """Whatever its name is: it is read as what it is, or refused."""
        stream = 'data: {"choices":[{"index":0,"delta":{"content":"1 + 1 = 3"}}]}\n\ndata: [DONE]\n'
        for name in ("s.txt", "s.md", "s", "s.log"):
            for text in (stream, ": ping\n\n" + stream, "event: x\nid: 7\n" + stream.replace("\n", "\r\n"), "\ufeff" + stream):
                ended = rederive("check", "--json", self.write(name, text))
                self.assertEqual([r["steps"] for r in ended.records], [["1 + 1 = 3"]], (name, text))
        for name in ("s.txt", "s.md"):
            for text in ('[\n {"a": "1 + 1 = 3"}]', '{\n "a": "1 + 1 = 3"}', 'data: {"a": "1 + 1 = 3"}\n', 'data: {"a": "1 + 1 = 3\n'):
                ended = rederive("check", "--json", self.write(name, text))
                self.assertEqual([r for r in ended.records if "steps" in r], [], (name, text))
                self.assertNotEqual(ended.status, 0)
        for text in ("data: 1 + 1 = 3\n", "event: the first\n1 + 1 = 3\n", "[1] So 1 + 1 = 3\n"):
            self.assertEqual(len(rederive("check", "--list", "-q", self.write("p.txt", text)).out.splitlines()), 1, text)

    def test_a_stream_that_is_cut_or_broken(self):
        chunk = 'data: {"choices":[{"index":0,"delta":{"content":"1 + 1 = 3."}}]}\n\n'
        [record] = rederive("check", "--json", stdin=chunk).records
        self.assertEqual(record["incomplete_reason"], "the reply was cut off before its end")
        ended = rederive("check", "--json", stdin=chunk + 'data: {"choices":[,]}\n\ndata: [DONE]\n\n' + chunk + "data: [DONE]\n")
        self.assertIn("standard input:3:19: the data of this event: a value is missing", ended.err)
        self.assertEqual([len(r.get("steps", [])) for r in ended.records], [0, 1])
        failed = 'data: {"error":{"message":"Overloaded"}}\n\n'
        self.assertIn("Overloaded", rederive("check", "--json", stdin=failed).records[0]["error"])

    def test_a_flood_of_faults_is_counted(self):
        name = self.write("flood.json", "[" * 1_000_000)
        ended = rederive("check", "-q", "--json", name)
        self.assertEqual((len(ended.err.splitlines()), len(ended.records)), (1, 1), ended.err[:500])
        name = self.write("bad.jsonl", "x\n" * 250 + lines(chain()))
        ended = rederive("check", "-q", "--json", name)
        self.assertEqual(len(ended.err.splitlines()), 101)
        self.assertIn("bad.jsonl: 150 more records failed, which are not told one by one\n", ended.err)
        self.assertEqual(sum("error" in r for r in ended.records), 250)  # each is in the output
        many = self.write("questions.jsonl", lines(*[{"question": "Q"}] * 250))
        ended = rederive("check", "-q", name, many)
        self.assertEqual(len(ended.err.splitlines()), 101 + 2)
        self.assertIn("questions.jsonl: 249 more records failed for the same reason: lines 2, 3, 4, 5, 6, 7, 8, 9 and so on\n", ended.err)

    def test_the_same_reason_is_told_once_a_file(self):
        """With the names of the members, and the option that says which of them is wanted."""
        table = "question,model_answer,gold\n" + "".join(f"q{i},{i},{i}\n" for i in range(55))
        name = self.write("answers.csv", table)
        for command, wanted in (("grade", "--answer-from"), ("check", "--steps-from"), ("vote", "--steps-from")):
            ended = rederive(command, "-q", name)
            self.assertEqual(len(ended.err.splitlines()), 2, ended.err)
            self.assertIn("(members: question, model_answer, gold)", ended.err)
            self.assertIn(wanted, ended.err)
            self.assertIn("54 more records failed for the same reason", ended.err)
        ended = rederive("grade", "-q", name, "--answer-from", "model_answer")
        self.assertEqual((ended.status, ended.err, sum(r["correct"] for r in ended.records)), (0, "", 55))

    def test_different_reasons_are_told_each(self):
        """Of each file, in the order of the records, with the lines of those that are not told."""
        mixed = lines({"question": "a"}, chain(), {"question": "b", "x": 1}, {"question": "c"}, {"question": "d", "x": 1})
        told = rederive("check", "-q", self.write("one.jsonl", mixed), self.write("two.jsonl", mixed)).err.splitlines()
        self.assertEqual([re.sub(r".*/(\w+\.jsonl:.{12}).*", r"\1", line) for line in told],
                         ["one.jsonl:1: a questio", "one.jsonl:3: a questio", "one.jsonl: 2 more reco",
                          "two.jsonl:1: a questio", "two.jsonl:3: a questio", "two.jsonl: 2 more reco"])
        self.assertIn("for the same reasons: lines 4, 5", told[2])

    def test_records_without_a_known_form_are_one_line(self):
        record = json.dumps({"prompt_id": 1, "trace": "1 + 1 = 3", "verdict": "x"})
        self.refused("x.jsonl", (record + "\n") * 1160, "prompt_id, trace, verdict", "--steps-from", "1000 records")
        self.refused("x.json", "[" + ",".join([record] * 3) + "]", "any of its 3 records")
        self.refused("one.json", record, "prompt_id, trace, verdict")

    def test_a_bad_record_among_good_ones_keeps_its_line(self):
        bad = json.dumps({"a": 1})
        for text, bad_lines in ((lines(chain(), bad, chain()), [2]), (lines(bad, bad, chain()), [1, 2]),
                                (lines("nonsense", chain(), bad), [1, 3])):
            ended = rederive("check", self.write("x.jsonl", text))
            self.assert_ended(ended, 1)
            for line in bad_lines:
                self.assertEqual(ended.err.count(f"x.jsonl:{line}:"), 1, ended.err)
            self.assertEqual(len([r for r in ended.records if "error" in r]), len(bad_lines))

    def test_the_other_files_are_read(self):
        ended = rederive("check", self.write("x.png", b"\x89PNG"), self.write("x.jsonl", lines(chain())))
        self.assert_ended(ended, 1)
        self.assertEqual(len(ended.records), 1)
        self.assertIn("1 record failed", ended.err)


# ---- paths ---------------------------------------------------------------------------------------


class Paths(DataCase):
    RECORD = {"doc": {"q": "How many?", "a/b": ["7", "8"]}, "runs": [{"text": "x"}, {"text": "1 + 1 = 3\n\nSo 3."}],
              "meta.key": {"n": 7}, "key": 12.50}

    def test_both_notations(self):
        for question, steps in (("/doc/q", "/runs/1/text"), ("doc.q", "runs.1.text"), ("doc.q", "runs[1].text"),
                                ("doc.q", "runs[-1].text")):
            record = self.checked("x.jsonl", lines(self.RECORD), "--question-from", question, "--steps-from", steps,
                                  "--gold-from", "/doc/a~1b", "--id-from", "key")[0]
            self.assertEqual(record["question"], "How many?")
            self.assertEqual(record["steps"], ["1 + 1 = 3", "So 3."])
            self.assertEqual(record["gold"], "7")
            self.assertEqual(record["id"], "12.5")

    def test_a_list_of_steps(self):
        record = self.checked("x.jsonl", lines({"q": "Q?", "s": ["1 + 1 = 3", "So\n\n3."]}), "--question-from", "q",
                              "--steps-from", "s")[0]
        self.assertEqual(record["steps"], ["1 + 1 = 3", "So\n\n3."])

    def test_what_is_not_mapped_comes_from_the_format(self):
        record = self.checked("x.jsonl", lines({"question": "Q?", "answer": "2", "trace": "1 + 1 = 3"}),
                              "--steps-from", "trace")[0]
        self.assertEqual((record["question"], record["gold"], contradicted(record)), ("Q?", "2", [0]))

    def test_a_record_that_only_looks_like_a_format(self):
        record = self.checked("x.jsonl", lines({"question": {"stem": "Q?"}, "answer": {"x": 2}, "trace": "1 + 1 = 3"}),
                              "--steps-from", "trace", "--question-from", "question.stem")[0]
        self.assertEqual((record["question"], contradicted(record)), ("Q?", [0]))

    def test_labels_of_other_steps_are_dropped(self):
        text = lines(chain(steps=["a", "b"], label=1, trace="1 + 1 = 3"))
        record = self.checked("x.jsonl", text, "--steps-from", "trace")[0]
        self.assertNotIn("label", record)
        self.assertEqual(record["steps"], ["1 + 1 = 3"])

    def test_a_path_that_no_record_has(self):
        text = lines(*[{"question": "Q?", "trace": "1 + 1 = 3"}] * 50)
        self.refused("x.jsonl", text, "steps", "traces", "none of its 50 records", "question, trace",
                     options=("--steps-from", "traces"))

    def test_a_path_that_leaves_every_record_half_way(self):
        text = lines(*[{"runs": {"log": "1 + 1 = 3"}, "question": "Q?"}] * 3)
        self.refused("x.jsonl", text, "runs.trace", "none of its 3 records", options=("--steps-from", "runs.trace"))

    def test_a_path_that_some_records_lack(self):
        text = lines({"question": "Q?"}, {"question": "Q?", "trace": "1 + 1 = 3"}, {"question": "R?"})
        ended = rederive("check", "--steps-from", "trace", self.write("x.jsonl", text))
        self.assert_ended(ended, 1)
        self.assertEqual([("error" in r) for r in ended.records], [True, False, True])
        self.assertIn("x.jsonl:3: the path of the steps, \"trace\", is not in the record", ended.err)

    def test_an_object_of_objects_is_a_record_where_paths_say_so(self):
        """Without them it is a file, whose members are the records."""
        text = lines({"task": {"text": "Q?"}, "runs": [{"log": ["1 + 1 = 3"]}]})
        records = self.checked("x.jsonl", text, "--question-from", "task.text", "--steps-from", "runs[0].log")
        self.assertEqual([contradicted(r) for r in records], [[0]])

    def test_null_is_no_step(self):
        records = self.checked("x.jsonl", lines({"q": "Q?", "s": None}), "--question-from", "q", "--steps-from", "s",
                               status=3)
        self.assertIn("null", records[0]["error"])

    def test_what_is_no_path(self):
        for path in ("", "a..b", "a[0", "a[]", ".a", "a.", "/" + "x/" * 40):
            ended = rederive("check", "--steps-from", path, stdin=lines(chain()))
            self.assert_ended(ended, 2)
            self.assertEqual(len(ended.err.splitlines()), 1, ended.err)


if __name__ == "__main__":
    unittest.main()
