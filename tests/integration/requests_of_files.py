# SPDX-License-Identifier: Apache-2.0
"""What a model is asked of the first record of every published file: files for a person to read.

tests/golden/requests.txt has the requests of the records of tests/golden/formats, our own in the published forms, whole.
tests/golden/requests-published.txt has those of the published files themselves, where RDV_SHARED has them: the data sets' texts
are masked (<question>, <step>, <option>), so that the words around them are left, and files with the same requests stand
together. Both are written anew, and then read, with

    RDV_SOURCE=. RDV_PROGRAM=build/cli/rederive RDV_SHARED=../shared/data python3 tests/integration/requests_of_files.py --write
"""
import collections
import functools
import gzip
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import unittest

from support import Case, lines, rederive

GOLDEN = pathlib.Path(os.environ["RDV_SOURCE"]) / "tests/golden"
OURS, PUBLISHED = GOLDEN / "requests.txt", GOLDEN / "requests-published.txt"
SHARED = pathlib.Path(os.environ.get("RDV_SHARED", ""))
SHARED_IS_THERE = (SHARED / "big-bench-mistake").is_dir()
READ = (".jsonl", ".json", ".jsonl.gz", ".json.gz")
# A question says what to do: it asks, or tells to do something, or breaks off where the answer goes on.
ASKS = re.compile(r"[?？]|=\s*$|\bthe\s*(?:\n|$)|\.\.\.|_{3,}|\b(?:find|what|how|which|who|where|when|why|determine|compute|calculate|"
                  r"evaluate|solve|simplify|express|prove|show|give|write|list|sort|close|complete|take|choose|estimate|use|is|"
                  r"are|fill|let|suppose|consider|given|select|if|in)\b|[求是多少]", re.IGNORECASE)


def records_of(path, folder):
    """The file's first record as the program reads it, and with it those of our own files to which the reader added something."""
    name = pathlib.Path(folder) / path.name.removesuffix(".gz")
    data = gzip.decompress(path.read_bytes()) if path.suffix == ".gz" else path.read_bytes()
    whole = name.suffix == ".json" and data.lstrip()[:1] in (b"[", b"{") and b"\n{" not in data[:200000]
    ours = path.parent == GOLDEN / "formats"
    name.write_bytes(data if whole or ours else data.split(b"\n", 1)[0] + b"\n")
    ended = rederive("check", "-q", "-m", "calculations", str(name))
    name.unlink()
    read = [record for record in map(json.loads, ended.out.splitlines()) if "question" in record]
    return read[:1] + [record for record in read[1:] if "question_prefix" in record]


COMMANDS = {"solve": ["solve", "-n", "1", "-m", "none"], "direct-trace": ["check", "-m", "direct-trace"],
            "global": ["check", "-m", "global"]}


def first_requests(command, records, folder):
    """The last turn of what a model is asked first of each record. One run asks of all, in their order, once of what is the
    same; where it asks more or less often, each half is asked of alone."""
    with tempfile.TemporaryDirectory(dir=folder) as room:
        rederive(*command, "-q", "-M", "openai:model", "--batch-out", f"{room}/asked.jsonl", "--journal", f"{room}/journal",
                 stdin=lines(*records))
        made = sorted(pathlib.Path(room).glob("asked-*.jsonl"))
        bodies = [json.loads(line)["body"] for path in made for line in path.read_text(encoding="utf-8").splitlines()]
    asked = [body["messages"][-1]["content"] for body in bodies]
    same = [json.dumps([record["question"], record.get("options"), command[0] == "check" and record["id"]]) for record in records]
    kinds = list(dict.fromkeys(same))
    if len(asked) == len(kinds):
        return [asked[kinds.index(kind)] for kind in same]
    if len(records) == 1:
        return asked[:1] or ["(nothing is asked)"]
    half = len(records) // 2
    return first_requests(command, records[:half], folder) + first_requests(command, records[half:], folder)


def requests(records, folder):
    """For each record [(method, the last turn)] of what a model is asked first, for the chain and for its question."""
    asked = [[] for _ in records]
    kept = [{name: value for name, value in record.items() if name not in ("error", "checks", "verdicts")} | {"id": str(i)}
            for i, record in enumerate(records)]
    for method, command in COMMANDS.items():
        of = [i for i, record in enumerate(records) if command[0] == "solve" or record.get("steps")]
        for i, request in zip(of, first_requests(command, [kept[i] for i in of], folder)):
            asked[i].append((method, request))
    return asked


def texts_of(record):
    """Each line of the record's texts, and what it is a line of."""
    prefix = record.get("question_prefix", "")
    lines_of = {}
    for what, texts in (("option", record.get("options", [])), ("step", record.get("steps", [])),
                        ("question", [record["question"][len(prefix):]])):
        for text in texts:
            for line in str(text).splitlines():
                if line.strip():
                    lines_of[line.strip()] = what
    return lines_of


LABEL = re.compile(r"(Q: |Problem: |Question: |Thought \d+: |\(Step \d+\) |\([A-Z]\) )?(.*)", re.DOTALL)


def masked_line(line, prefix, lines_of):
    """The line with the record's text masked, behind the prompt's label and what the reader added."""
    quoted = "> " if line.startswith("> ") else ""
    bare = line.removeprefix("> ")
    label, rest = LABEL.fullmatch(bare).groups()
    for label, rest in (("", bare), (label or "", rest)):
        added = prefix if prefix and rest.startswith(prefix) else ""
        what = lines_of.get(rest[len(added):].strip())
        if label.startswith(("Thought", "(Step")) and not rest.strip():
            what = "step"  # it begins with an empty line
        if what:
            return f"{quoted}{re.sub(r'[0-9]+', 'N', label)}{added}<{what}>"
    return line


def masked(request, record):
    """The request with the record's texts masked; several masked lines of the same kind are one."""
    prefix, lines_of, out = record.get("question_prefix", ""), texts_of(record), []
    for line in request.splitlines():
        line = re.sub(r"^\([A-Z]\) <option>", "(A) <option>", masked_line(line, prefix, lines_of))
        kind = re.search(r"<(question|step|option)>$", line)
        if kind and out and (out[-1] == line or (line == kind[0] and out[-1].endswith(line))):
            continue
        out.append(line)
    text, shorter = "\n".join(out), None
    while shorter != text:  # a text of several paragraphs is one
        text, shorter = re.sub(r"(<(\w+)>)\n(?:\s*\n)*(?:(?:Thought N: |\(Step N\) )?<\2>)(?=\n|$)", r"\1", text), text
    return text


def published():
    for path in sorted(SHARED.rglob("*")):
        if path.is_file() and path.name.endswith(READ) and "generation_prompts" not in path.parts:
            yield path


def render_ours(folder):
    read = [(path.name, records_of(path, folder)) for path in sorted((GOLDEN / "formats").glob("*.json*"))]
    asked = iter(requests([record for _, records in read for record in records], folder))
    out = []
    for name, records in read:
        out.append(f"@file {name}\n")
        for _ in records:
            out += (f"@asked {method}\n{request}\n" for method, request in next(asked))
    return "".join(out)


@functools.cache
def first_published():
    """The first record of every published file: [(path, record)]."""
    with tempfile.TemporaryDirectory() as folder:
        return [(path, record) for path in published() for record in records_of(path, folder)[:1]]


def render_published(folder):
    read = first_published()
    same = collections.defaultdict(list)
    for (path, record), asked in zip(read, requests([record for _, record in read], folder)):
        text = "".join(f"@asked {method}\n{masked(request, record)}\n" for method, request in asked)
        same[text].append(str(path.relative_to(SHARED)))
    return "".join("".join(f"@file {name}\n" for name in sorted(names)) + asked
                   for asked, names in sorted(same.items(), key=lambda item: min(item[1])))


class Requests(Case):
    def test_of_our_records(self):
        self.assertEqual(render_ours(self.folder), OURS.read_text(encoding="utf-8"))

    @unittest.skipUnless(SHARED_IS_THERE, "no recorded data: RDV_SHARED names no folder with big-bench-mistake")
    def test_of_published_files(self):
        self.assertEqual(render_published(self.folder), PUBLISHED.read_text(encoding="utf-8"))

    @unittest.skipUnless(SHARED_IS_THERE, "no recorded data: RDV_SHARED names no folder with big-bench-mistake")
    def test_every_published_file_says_what_to_do(self):
        """The texts are masked in the file that people read, so a question that asks nothing does not show there."""
        for path, record in first_published():
            if not record.get("options"):
                with self.subTest(path=str(path)):
                    self.assertRegex(record["question"], ASKS)

    @unittest.skipUnless(SHARED_IS_THERE, "no recorded data: RDV_SHARED names no folder with big-bench-mistake")
    def test_every_published_trace_says_what_to_do(self):
        """All records, not only the first: a bare list of words or brackets asks nothing."""
        for path in sorted((SHARED / "big-bench-mistake").glob("*.jsonl")):
            ended = rederive("check", "-q", "-m", "calculations", str(path))
            self.assertGreater(len(ended.records), 100)
            for record in ended.records:
                self.assertRegex(record["question"], ASKS)
                self.assertEqual("question_prefix" in record, path.stem in ("word_sorting", "dyck_languages"))


if __name__ == "__main__":
    if sys.argv[1:] == ["--write"]:
        room = tempfile.mkdtemp()
        OURS.write_text(render_ours(room), encoding="utf-8")
        if SHARED_IS_THERE:
            PUBLISHED.write_text(render_published(room), encoding="utf-8")
        shutil.rmtree(room)
    else:
        unittest.main()
