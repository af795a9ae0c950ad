# SPDX-License-Identifier: Apache-2.0
"""The place of a finding: opened in the file, it is where the text stands, for every format, layout and packing, and for
the annotations of GitHub and the results of SARIF too."""
import csv
import gzip
import io
import json
import os
import pathlib
import re
import shutil
import unittest
import zipfile

from support import Case, lines, rederive

SOURCE = pathlib.Path(os.environ["RDV_SOURCE"])
FORMATS = SOURCE / "tests/golden/formats"
TOOL_FILES = SOURCE / "tests/golden/tool-files"
LISTED = re.compile(r"(?P<file>.*?)(?:!(?P<member>.*?))?:(?P<line>\d+):(?P<column>\d+): .*? step \d+: (?P<text>.*), should be -?[\d/]+.* \[calculations\]$")
SOLUTION = "Caf\u00e9 \u4e2d \U0001f600: 1 + 1 = 2.\n\n\"So\" \\( 2 + 2 = 5 \\), and 3 + 3 = 7.\n\n\tThen 4 + 4 = 9."
WRONG = ["2 + 2 = 5", "3 + 3 = 7", "4 + 4 = 9"]


def opened(name, member=None):
    """The text that an editor shows of the file, or of its member."""
    data = zipfile.ZipFile(name).read(member) if member else pathlib.Path(name).read_bytes()
    if data.startswith(b"\x1f\x8b"):
        data = gzip.decompress(data)
    return data.decode("utf-8-sig")


def at(text, line, column):
    """What stands from that place on, where LF ends a line."""
    return text.split("\n")[line - 1][column - 1:]


def doctored(value, n):
    """The JSON value with a wrong calculation of its own number behind each text that may be a solution."""
    if isinstance(value, dict):
        return {k: doctored(v, n) for k, v in value.items()}
    if isinstance(value, list):
        return [doctored(v, n) for v in value]
    if not isinstance(value, str) or " " not in value and "\n" not in value and "=" not in value:
        return value
    if value.lstrip().startswith(("{", "[")):
        try:
            return json.dumps(doctored(json.loads(value), n))
        except ValueError:
            pass
    n.append(len(n) + 100)
    return f"{value} Also, {n[-1]} + {n[-1]} = 7."


def write_archive(name):
    """A log of inspect_ai as a zip file, of the samples of the tool's log in JSON: Python unpacks no zstd."""
    log = json.loads((TOOL_FILES / "inspect.json").read_text())
    with zipfile.ZipFile(name, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", "{}")
        for sample in log["samples"]:
            if not sample.get("error"):
                archive.writestr(f"samples/{sample['id']}_epoch_{sample['epoch']}.json", json.dumps(sample, indent=1))
    return name


class Places(Case):
    def found(self, *args, at_least=1):
        """The calculations that are listed, each of which was opened at its place and stands there."""
        ended = rederive("check", "--list", "-q", "--check-reasoning", *args)
        texts = []
        for line in ended.out.splitlines():
            match = LISTED.match(line)
            if not match:
                continue
            there = at(opened(match["file"], match["member"]), int(match["line"]), int(match["column"]))
            text = match["text"]
            if os.path.basename(match["file"]).startswith("stream-"):  # of a text in pieces the first has the place
                there = there.split('"')[0]
                self.assertTrue(there and text.startswith(there), (line, there))
                there = text
            shown = [text] + [json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1]]
            self.assertTrue(there.startswith(tuple(shown)), (line, there[:60]))
            texts.append(text)
        self.assertGreaterEqual(len(texts), at_least, (args, ended.out, ended.err))
        return texts

    def test_of_every_format(self):
        """Each text of a record gets a calculation of its own, so that the right text is told from its like."""
        found = 0
        for name in sorted(FORMATS.glob("*.json*")):
            with self.subTest(name.name):
                text, n = name.read_text(), []
                try:
                    made = json.dumps(doctored(json.loads(text), n), indent=1, ensure_ascii=False)
                except ValueError:
                    made = []
                    for line in text.splitlines():
                        try:
                            made.append(json.dumps(doctored(json.loads(line), n)))
                        except ValueError:
                            made.append(line)
                    made = "\n".join(made) + "\n"
                numbers = [re.search(r"(\d+) \+ \1 = 7$", each) for each in self.found(self.write(name.name, made), at_least=0)]
                found += any(numbers)
        self.assertGreaterEqual(found, 25)

    def test_of_every_tool(self):
        for name in sorted(TOOL_FILES.iterdir()):
            if name.name not in ("inspect.eval", "openai-batch-requests.jsonl"):
                with self.subTest(name.name):
                    shutil.copy(name, self.folder)
                    self.found(self.path(name.name))

    def test_of_texts(self):
        for name, text in (("a.txt", SOLUTION), ("a.md", "# Title\n\n" + SOLUTION), ("a.tex", "\\section{One}\n" + SOLUTION + "\n"),
                           ("mark.txt", "\ufeff" + SOLUTION), ("crlf.md", SOLUTION.replace("\n", "\r\n")),
                           ("think.txt", f"Hm.\n<think>\n{SOLUTION}\n</think>\nSo it is."), ("several.txt", f"1 + 1 = 2\n---\n\n{SOLUTION}\n---\n")):
            with self.subTest(name):
                self.assertEqual(self.found("--separator", "---", self.write(name, text)), WRONG)

    def test_of_every_layout_of_json(self):
        record = {"question": "Caf\u00e9?", "id": "a", "solution": SOLUTION}
        other = {"question": "\u00e9", "id": "b", "steps": ["1 + 1 = 2"]}
        layouts = {"lines": lines(other, record), "utf8": json.dumps(record, ensure_ascii=False),
                   "one-line": json.dumps([other, record, other], ensure_ascii=False), "pretty": json.dumps([other, record], indent=2),
                   "values": json.dumps(other, indent=1) + "\n" + json.dumps(record, indent=1, ensure_ascii=False),
                   "object": json.dumps({"a": other, "b": record}, indent=3), "mark": "\ufeff\n " + json.dumps(record),
                   "nan": '{"x":NaN,"y":[-Infinity],' + json.dumps(record)[1:], "crlf": "\r\n" + json.dumps(record, indent=1).replace("\n", "\r\n")}
        for name, text in layouts.items():
            with self.subTest(name):
                self.assertEqual(self.found(self.write(name + ".json", text)), WRONG)
                packed = self.write(name + ".json.gz", gzip.compress(text.encode()))
                self.assertEqual(self.found(packed), WRONG)

    def test_of_tables(self):
        for separator, end in ((",", "\r\n"), ("\t", "\n"), (";", "\n")):
            out = io.StringIO(newline="")
            table = csv.writer(out, delimiter=separator, lineterminator=end)
            table.writerows([["question", "solution", "note"], ["\u00e9 q", SOLUTION, "x"], ["q", "'=1 + 1 = 2", "\"\""]])
            with self.subTest(separator):
                self.assertEqual(self.found(self.write("t.csv", out.getvalue())), WRONG)

    def test_of_a_member_of_an_archive(self):
        self.assertEqual(sorted(self.found(write_archive(self.path("a.eval")))), ["14 * 9 = 116", "150 - 18 = 142", "24 \u00d7 17 = 398"])

    def test_of_one_of_several_replies(self):
        """Two replies, one of which quotes the other, and a question that says the same."""
        same = "So 2 + 2 = 5."
        text = json.dumps({"messages": [{"role": "user", "content": same}], "response": {"choices": [
            {"message": {"role": "assistant", "content": same}}, {"message": {"role": "assistant", "content": "Hm.\n\n" + same}}]}}, indent=1)
        name = self.write("two.json", text)
        ended = rederive("check", "--list", "-q", name)
        rows = [int(re.search(r"json:(\d+):", line)[1]) for line in ended.out.splitlines()]
        written = [n for n, line in enumerate(text.split("\n"), 1) if same in line]
        self.assertEqual(rows, written[1:])

    def test_of_a_text_of_more_escapes_than_are_followed(self):
        """Memory is bounded: what stands behind a million escapes is listed where its record begins."""
        record = json.dumps({"id": "x", "question": "q", "steps": ["2 + 2 = 5" + "\t\n" * 1_000_000 + "3 + 3 = 7"]})
        ended = rederive("check", "--list", "-q", self.write("long.jsonl", lines({"question": "q", "steps": ["1"]}, record)))
        self.assertEqual([line.split("long.jsonl:")[1].split(": x")[0] for line in ended.out.splitlines()],
                         [f"2:{record.index('2 + 2') + 1}", "2:1"])

    def test_of_a_folder_and_of_standard_input(self):
        os.mkdir(self.path("notes"))
        self.write("notes/a.tex", SOLUTION)
        self.write("notes/b.md", SOLUTION)
        self.assertEqual(self.found(self.path("notes")), WRONG * 2)
        ended = rederive("check", "--list", "-q", stdin=SOLUTION)
        self.assertTrue(ended.out.startswith("standard input:3:9: input/0 step 1: 2 + 2 = 5"), ended.out)


class Forms(Case):
    """What other programs read: the same findings at the same places."""

    def setUp(self):
        super().setUp()
        self.name = self.write("a b.md", SOLUTION)
        self.packed = write_archive(self.path("a.eval"))

    def test_sarif(self):
        ended = rederive("check", "--list=sarif", "--list-unread", "-q", "a b.md", self.packed, cwd=self.folder)
        self.assert_ended(ended, 0)
        log = json.loads(ended.out)
        [run] = log["runs"]
        self.assertEqual((log["version"], run["columnKind"], len(run["results"])), ("2.1.0", "unicodeCodePoints", 6))
        rules = [rule["id"] for rule in run["tool"]["driver"]["rules"]]
        self.assertEqual(rules, ["calculations"])
        for result in run["results"]:
            place = result["locations"][0]["physicalLocation"]
            uri, region = place["artifactLocation"]["uri"], place["region"]
            name, _, member = uri.partition("!")
            text = opened(self.name if uri == "a%20b.md" else self.packed, member or None)
            self.assertIn(result["ruleId"], rules)
            self.assertEqual(uri == "a%20b.md" or name.startswith("file:///"), True)
            line = text.split("\n")[region["startLine"] - 1]
            self.assertEqual(region["startLine"], region["endLine"])
            named = line[region["startColumn"] - 1:region["endColumn"] - 1]
            shown = json.loads(f'"{named}"') if member else named
            self.assertIn(" " + shown + ",", result["message"]["text"])
            self.assertEqual(text.encode()[region["byteOffset"]:][:region["byteLength"]].decode(), named)

    def test_a_log_without_findings_is_whole(self):
        log = json.loads(rederive("check", "--list=sarif", "-q", stdin="2 + 2 = 4").out)
        self.assertEqual((log["runs"][0]["results"], log["runs"][0]["tool"]["driver"]["rules"]), ([], []))

    def test_a_log_of_what_was_not_read_or_decided(self):
        log = json.loads(rederive("check", "--list=sarif", "--list-unread", "--fail-on-unknown", "-q",
                                  stdin="so 100 -6 60 = 40\n\n9^9^9^9 = 3\n\n2 + 2 = 5").out)
        levels = [result["level"] for result in log["runs"][0]["results"]]
        self.assertEqual(sorted(set(levels)), ["error", "note", "warning"])

    def test_annotations_of_github(self):
        ended = rederive("check", "--list=github", "-q", "a b.md", cwd=self.folder)
        found = [re.match(r"::error file=a b\.md,line=(\d+),col=(\d+),title=calculations::a b/0 step \d+: (.*), should", line).groups()
                 for line in ended.out.splitlines()]
        self.assertEqual([text for _, _, text in found], WRONG)
        for line, column, text in found:
            self.assertTrue(at(SOLUTION, int(line), int(column)).startswith(text))

    def test_the_form_is_named_behind_an_equals_sign(self):
        self.assertEqual(rederive("check", "--list=text", "-q", self.name).out, rederive("check", "--list", "-q", self.name).out)
        ended = rederive("check", "--list=xml", self.name)
        self.assert_ended(ended, 2)
        self.assertIn("--list xml: must be one of text|github|sarif", ended.err)


if __name__ == "__main__":
    unittest.main()
