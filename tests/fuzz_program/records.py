#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Records of every shape, right and broken, through the commands that read them.

    records.py [--seconds N] [--from SEED] [--seed SEED]

RDV_PROGRAM is the program: of a build with sanitizers, RDV_SANITIZE says so. A seed makes a file: our own chains, the exports
of other tools (from tests/golden/formats) or pairs for grade; with members of wrong types, left out, doubled, unknown, deeply
nested, huge numbers, broken UTF-8, repeated ids; in lines, in a list, compressed, cut, with any bytes changed. The commands
check, vote, eval, audit, convert and grade read it, and what check wrote is read by the others. Then this holds:

- the program ends with a documented status, and no sanitizer complains;
- each fault is one line, in UTF-8 and without control characters, and is what the error record says;
- what is written is valid by docs/schemas; summaries count what was written;
- nothing is lost: of lines, each is a chain or an error (or several, if it has several replies), and unbroken ones come out in
  their order, with their unknown members;
- a step that is wrong, undecided or states no calculation is no support, is labelled right by no conversion, and certifies
  nothing; answers that differ are not correct."""
import csv
import functools
import gzip
import io
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from seeds import ROOT, Broken, read_options, require, run_seeds

import schemas  # noqa: E402  (of tests/integration, which seeds has put on the path)

PROGRAM = os.environ["RDV_PROGRAM"]
SECONDS = 120
LONGEST = 4096  # bytes of a message

RIGHT = ("2 + 3 = 5", "So 4 * 5 = 20.", "Then 10 / 4 = 2.5 each.", "\\frac{1}{2} + \\frac{1}{2} = 1", "There are 24 × 17 = 408 rolls.")
WRONG = ("2 + 3 = 6", "So 4 * 5 = 21.", "There are 24 × 17 = 398 rolls.", "1 + 1 = 3, and 2 + 2 = 4.", "10 - 4 = -6")
UNDECIDED = ("9^9^9^9^9 = 1", "2^(10^9) = 7", "100000000! = 3", "1 / 0 = 5")
SILENT = ("So the answer is five.", "", "We are done.", "?!", "2 + 3 =", "= 5", "x", "(" * 300 + "1", "\u202e2 + 3\u202c")
STEPS = (RIGHT, WRONG, UNDECIDED, SILENT)
NEVER_SUPPORT = frozenset(WRONG + UNDECIDED + SILENT)
KNOWN = NEVER_SUPPORT | frozenset(RIGHT)  # beside others these may be right: 2 + 3 = 6 if the 2 was said to be 2.5, rounded
MATH_NEVER_SUPPORT = frozenset(WRONG + UNDECIDED)  # the paper's verifier: a step without a calculation has no wrong one
SAME = (("5", "5"), ("0.5", "1/2"), ("\\frac{3}{4}", "0.75"), ("1,000", "1000"), ("-3", "-3.0"), (7, "7"))
DIFFERENT = (("5", "6"), ("1/2", "0.49"), ("-3", "3"), ("10", "1"), ("x+1", "x+2"), ("", "5"), (None, "0"), ("12.5", "12"))
ODD_TEXTS = ("", " ", "\0", "\x1b[31m", "\u202e", "\ufeff", "é" * 50, "\U0001f600", "\n\n", "\\", '"', "a" * 5000, "NaN", "null", "../..", "%s%n")
RAW = ("1e999999", "-1e-999999", "123456789012345678901234567890", "0.1" + "0" * 300 + "1", "-0", "NaN", "-Infinity", '"\\ud800"',
       '"\\u0000"', "[" * 40 + "]" * 40, "[" * 600 + "]" * 600, '{"a":' * 600 + "1" + "}" * 600, '{"a":1,"a":2}', "01", "tru", "'a'", "", '"\\x"')
NAMES = ("question", "steps", "solution", "answer", "gold", "options", "label", "step_labels", "scores", "logprobs", "correct", "id",
         "question_id", "answer_type", "incomplete_reason", "reasoning", "error", "verdicts", "confidence", "checks", "method",
         "rederive_schema", "messages", "response", "completion", "first_error", "accepted", "certificate", "unknown\u00e9", "__proto__", "")
CHECKS = ((), ("--accepted",), ("--certify",), ("--threshold", "0.5"), ("--lambda", "3,0.1"), ("--unknown", "null"),
          ("-m", "math", "--math", "native"), ("-m", "arithmetic"), ("-m", "values"), ("-m", "calculations,dyck,sorting,deduction"),
          ("-m", "general", "--verifiers", "math", "--math", "native"), ("--fail-on-wrong", "--fail-on-unknown"), ("--as-labels",),
          ("-m", "reward:" + str(ROOT / "models" / "reward-math.rdvm")))
GUESSES = ("reward:", "general")  # their verdicts are shares and chances, not proofs: what they support may be wrong
WRITTEN = {"checked-chain": {"rederive_schema", "steps", "method", "verdicts", "confidence", "first_error", "n_unknown", "n_calls", "prompt_tokens",
                             "completion_tokens", "checks", "accepted", "acceptance", "certificate"},
           "graded": {"rederive_schema", "same_as", "why", "reason", "answer_read", "answer_as", "gold_as"}}
CONVERSIONS = ("trl", "prm800k", "inspect", "label-studio", "phoenix", "csv", "jsonl")
EXPORTS = sorted(p for p in (ROOT / "tests" / "golden" / "formats").iterdir() if p.suffix in (".jsonl", ".json"))

counts = {"records": 0, "runs": 0}


# ---- what is read --------------------------------------------------------------------------------


def make_value(rng, depth=0):
    kind = rng.randrange(8 if depth < 3 else 6)
    if kind == 6:
        return [make_value(rng, depth + 1) for _ in range(rng.randrange(4))]
    if kind == 7:
        return {rng.choice(NAMES): make_value(rng, depth + 1) for _ in range(rng.randrange(4))}
    return (None, rng.random() < 0.5, rng.randrange(-3, 100), rng.uniform(-1e9, 1e9), rng.choice(ODD_TEXTS),
            rng.choice(rng.choice(STEPS)))[kind]


def make_chain(rng, i):
    steps = [rng.choice(rng.choice(STEPS)) for _ in range(rng.randrange(1, 6))]
    chain = {"id": f"c{i if rng.random() < 0.9 else 0}", "question_id": f"q{i // 3}", "question": "How many are 2 and 3 of 10?",
             "steps": steps, "answer": rng.choice(("5", "6", "20", None, "banana")), "mark": i}
    if rng.random() < 0.5:
        chain["gold"] = "5"
    if rng.random() < 0.4:
        chain["label"] = rng.choice((None, rng.randrange(len(steps))))
    if rng.random() < 0.3:
        chain["scores"] = {"prm": [rng.random() for _ in steps]}
    if rng.random() < 0.1:  # what an earlier check concluded
        chain |= {"accepted": True, "acceptance": {"rule": "no_error"}, "certificate": {"method": "dyck", "certified": True, "gaps": []}}
    if rng.random() < 0.2:
        chain["step_labels"] = [{"annotator": "a", "criterion": "correct", "labels": [rng.choice((True, False, None)) for _ in steps]}]
    return chain


def make_pair(rng, i):
    answer, gold = rng.choice(rng.choice((SAME, DIFFERENT)))
    return {"id": f"p{i}", "answer": answer, "gold": gold, "mark": i}


def places_of(value):
    """(container, key) of everything in a value."""
    if isinstance(value, (dict, list)):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from places_of(value[key])


def break_tree(rng, value):
    """The value's text, after some changes."""
    value, raw = json.loads(json.dumps(value)), []
    for _ in range(rng.randrange(1, 4)):
        places = list(places_of(value))
        container, key = rng.choice(places) if places else (value, None)
        way = rng.randrange(5)
        if way == 0 and places:
            del container[key]
        elif way == 1 and isinstance(value, dict):
            value[rng.choice(NAMES)] = make_value(rng)
        elif way == 2 and places:
            raw.append(rng.choice(RAW))
            container[key] = f"@raw{len(raw) - 1}@"
        elif places:
            container[key] = make_value(rng)
    text = json.dumps(value, ensure_ascii=rng.random() < 0.5)
    for i, part in enumerate(raw):
        text = text.replace(f'"@raw{i}@"', part)
    return text.encode("utf-8", "surrogatepass")


def break_bytes(rng, data, avoid=b""):
    """Some bytes changed, put in, taken out, or the rest cut off; none of `avoid` is put in."""
    data = bytearray(data)
    for _ in range(rng.randrange(1, 5)):
        at = rng.randrange(len(data) + 1)
        new = bytes(b for b in rng.choice((b"\xff", b"\xc3(", b"\0", b'"', b"{", b"}]", b",", b"\\", b"\r", b"\xed\xa0\x80", b"\x1b[2J",
                                           bytes([rng.randrange(256)]), b"\n")) if b not in avoid)
        way = rng.randrange(4)
        if way == 0:
            data[at:at] = new
        elif way == 1:
            data[at:at + len(new)] = new
        elif way == 2:
            taken = data[at:at + rng.randrange(1, 9)]
            if not any(b in avoid for b in taken):
                del data[at:at + len(taken)]
        elif rng.random() < 0.2:
            del data[at:]
    return bytes(data)


def make_lines(rng, make):
    """A file of lines, and those that are unbroken: the number of the line, and what it holds."""
    rows, unbroken = [], {}
    for i in range(rng.randrange(2, 40)):
        record = make(rng, i)
        way = 0 if i == 0 else rng.randrange(6)
        if way < 3:
            unbroken[i] = record
            row = json.dumps(record).encode()
        elif way < 5:
            row = break_tree(rng, record)
        else:
            row = break_bytes(rng, json.dumps(record).encode(), avoid=b"\n\r")
        rows.append(row if row.strip() else b"0")
    ending = rng.choice((b"\n", b"\n", b"\r\n", b"\n\n"))
    return ending.join(rows) + (ending if rng.random() < 0.9 else b""), len(rows), unbroken


def make_any(rng):
    """A file of any layout, and of any bytes."""
    if rng.random() < 0.5:
        data = rng.choice(EXPORTS).read_bytes()
        rows = [r for r in data.splitlines() if r.startswith(b"{") and r.endswith(b"}")]
        try:
            data = b"\n".join(break_tree(rng, json.loads(r)) if rng.random() < 0.7 else r for r in rows) or data
        except ValueError:
            pass
    else:
        data = make_lines(rng, rng.choice((make_chain, make_pair)))[0]
    if rng.random() < 0.3:
        rows = [r for r in data.split(b"\n") if r.strip()]
        data = rng.choice((b"[" + b",\n".join(rows) + b"]", b'{"a":[' + b",".join(rows) + b"]}", b"\xef\xbb\xbf" + data,
                           b"id,question,solution,answer\n1,q," + RIGHT[0].encode() + b",5\n" + data[:500]))
    if rng.random() < 0.7:
        data = break_bytes(rng, data)
    if rng.random() < 0.2:
        data = gzip.compress(data, mtime=0)
        data = break_bytes(rng, data) if rng.random() < 0.5 else data
    return data


# ---- what is written -----------------------------------------------------------------------------


class Ended:
    def __init__(self, args, done):
        self.args, self.status, self.out = args, done.returncode, done.stdout
        require(b"Sanitizer" not in done.stderr and b"runtime error" not in done.stderr, args, done.stderr[-3000:])
        try:
            self.text, self.err = done.stdout.decode(), done.stderr.decode()
        except UnicodeDecodeError as e:
            raise Broken(args, f"writes what is no UTF-8: {e}") from e
        *self.messages, self.summary = self.err.splitlines() or [""]
        try:
            self.summary = json.loads(self.summary)
        except ValueError:
            self.messages.append(self.summary)
            self.summary = None

    def faults(self):
        return [m for m in self.messages if m.startswith("rederive: ")]


def run(args, name, allowed=()):
    """The command on a file, and what holds for each."""
    done = subprocess.run([PROGRAM, *args, name.name], capture_output=True, timeout=SECONDS, cwd=name.parent, check=False)
    counts["runs"] += 1
    ended = Ended(args, done)
    require(ended.status in (0, 1, 3, *allowed), args, f"ended with {ended.status}:", ended.err[-1000:])
    for message in ended.messages:
        require(len(message.encode()) <= LONGEST, args, "a message is too long:", message)
        require(message.isprintable() or not any(ord(c) < 32 or 127 <= ord(c) < 160 or c in "\u202e\u2066" for c in message), args,
                "a message has control characters:", repr(message))
    require(ended.status == 0 or ended.faults() or ended.status in allowed, args, f"ended with {ended.status} without a message:", ended.err)
    return ended


@functools.lru_cache(None)
def validator(place):
    return schemas.validator(place)


def require_valid(value, place, written=None):
    """By docs/schemas. written: the members that are the command's own; the others are the input's, carried as they are."""
    for error in validator(place).iter_errors(value):
        if not written or not error.path or error.path[0] in written:
            raise Broken(f"{place}: {error.json_path}: {error.message[:500]}\n{json.dumps(value)[:2000]}")


def plain(message):
    """Without what records and standard error show in different ways: control characters."""
    return re.sub(r"\\x[0-9a-f]{2}|\\u[0-9a-f]{4}|[\0-\x1f\x7f-\x9f\u202e\u202c\ufeff]", "", message)


def is_told(error, ended):
    """Is it the reason of a record that failed? Another one may be a member of what was read."""
    return isinstance(error, str) and any(plain(m).endswith(plain(error)) for m in ended.messages)


def read_records(ended, place):
    """The records, of which the failed ones are told on standard error, in the same words; as many as the summary says."""
    good, records = 0, []
    for row in ended.text.split("\n")[:-1]:
        try:
            record = json.loads(row)
        except ValueError as e:
            raise Broken(ended.args, f"writes what is no JSON: {e}: {row[:500]}") from e
        records.append(record)
        is_error = is_told(record.get("error"), ended) or "error" in record and "verdicts" not in record and "same_as" not in record
        good += not is_error
        if set(record) == {"rederive_schema", "error"}:
            require_valid(record, "error")
            require(is_told(record["error"], ended), ended.args, "is not told:", record["error"], ended.messages[:5])
        elif not is_error:
            require_valid(record, place, WRITTEN[place])
    counts["records"] += len(records)
    require(ended.text == "" or ended.text.endswith("\n"), ended.args, "the last line has no end")
    return records, good


def judge_verdicts(record, guesses):
    """Nothing undecided is support."""
    known = KNOWN.issuperset(s for s in record.get("steps", ()) if isinstance(s, str))
    for check in [record, *record.get("checks", {}).values()]:
        verdicts = check.get("verdicts")
        if not isinstance(verdicts, list) or not isinstance(check.get("method"), str):
            continue
        for v in verdicts:
            require((v["verdict"] == "unknown") == (v["score"] is None) or "n_samples" in v or guesses, "score of an unknown verdict:", v)
            text = record["steps"][v["step"]] if v["step"] is not None and v["step"] < len(record["steps"]) else None
            never = MATH_NEVER_SUPPORT if check["method"] == "math" else NEVER_SUPPORT
            require(v["verdict"] != "support" or guesses or not known or text not in never, f"support of {text!r}:", check["method"], v)
        unknown = sum(v["verdict"] == "unknown" for v in verdicts)
        wrong = sum(v["verdict"] == "contradict" for v in verdicts)
        require(check.get("n_unknown", unknown) == unknown, "n_unknown:", check)
        require(check.get("accepted") is not True or not (unknown or wrong) or "threshold" in json.dumps(check.get("acceptance")) or guesses,
                "accepted with an unknown or a wrong step:", check)
        certificate = check.get("certificate") or {}
        require(not certificate.get("certified") or not wrong and not unknown and not (known and set(WRONG).intersection(map(str, record.get("steps", ())))),
                "certified:", record)


def check_file(rng, name, n_lines, unbroken):
    """The records that check writes."""
    words = rng.choice(CHECKS)
    guesses = any(w.startswith(GUESSES) for w in words)
    ended = run(("check", "--json", *words), name, (4, 5) if "--fail-on-wrong" in words else ())
    records, good = read_records(ended, "checked-chain")
    summary = ended.summary
    if summary:
        require_valid(summary, "summary/$defs/check")
        require(summary["n_chains"] == good, ended.args, f"{good} chains are written:", summary)
        require(summary["n_failed"] >= len(records) - good, ended.args, f"{len(records) - good} failed:", summary)
        require(ended.status == 4 or (summary["n_failed"] > 0) == (ended.status in (1, 3)), ended.args, f"status {ended.status}:", summary)
    for record in records:
        if "verdicts" in record:
            judge_verdicts(record, guesses)
    if n_lines is not None:
        require(len(records) >= n_lines, ended.args, f"{n_lines} lines, {len(records)} records")
        kept = iter(records)
        for i, chain in unbroken.items():  # a broken one before may have become several replies, of which each is a record
            wanted = {k: chain[k] for k in ("mark", "id", "steps")}
            require(any(all(r.get(k) == v for k, v in wanted.items()) for r in kept), f"line {i + 1} is lost, or not where it was:", chain)
        require(len(records) == n_lines or any("/" in str(r.get("id")) for r in records), ended.args, f"{n_lines} lines, {len(records)} records")
    return ended, records


def vote_on(name, chains=None, failed=None):
    ended = run(("vote", "--json"), name)
    results, _ = read_votes(ended)
    if ended.summary:
        require_valid(ended.summary, "summary/$defs/vote")
        require(sum(r["n_chains"] for r in results) == ended.summary["n_chains"], "vote: chains are lost:", ended.summary)
        if chains is not None:
            require(ended.summary["n_chains"] == chains and ended.summary["n_failed"] == failed,
                    f"vote: of {chains} chains and {failed} failed:", ended.summary)
    for r in results:
        require(sum(a["n_chains"] for a in r["answers"].values()) + r["n_unparsed"] == r["n_chains"], "vote: votes are lost:", r)
        require((r["answer"] is None) == (not r["answers"]), "vote: the answer is nobody's:", r)
        require(r["correct"] is not True or r["answer"] is not None, "vote: no answer is correct:", r)


def read_votes(ended):
    results = [json.loads(row) for row in ended.text.splitlines()]
    for r in results:
        require_valid(r, "result")
    return results, len(results)


def evaluate(name, total=None):
    ended = run(("eval", "--json"), name, (2,))
    require(ended.status != 2 or "would count twice" in ended.err, ended.args, "ended with 2:", ended.err)
    if not ended.text:
        return
    report = json.loads(ended.text)
    require_valid(report, "report")
    if total is not None:
        require(report["n_chains"] + report["n_failed"] + report["n_votes"] == total, f"eval: of {total} records:", ended.text[:300])
    for figure, v in report["figures"].items():
        require(v["value"] is None or v["ci_low"] is None or v["ci_low"] - 1e-9 <= v["value"] <= v["ci_high"] + 1e-9, figure, v)
        require(not figure.startswith("accuracy") or v["value"] is None or 0 <= v["value"] <= 1, figure, v)


def audit(name):
    ended = run(("audit", "--json"), name)
    for row in ended.text.splitlines():
        conflict = json.loads(row)
        require_valid(conflict, "label-conflict")
        require(conflict["text"] not in (NEVER_SUPPORT if conflict["conflict"] == "right" else RIGHT), "audit: no proof:", conflict)


def convert(rng, name, checked):
    to = rng.choice(CONVERSIONS)
    ended = run(("convert", "--to", to), name)
    if to in ("trl", "prm800k"):
        for row in ended.text.splitlines():
            if checked:
                judge_labels(to, json.loads(row))
    elif to == "csv":
        list(csv.reader(io.StringIO(ended.text)))
    elif ended.text:
        for part in ended.text.splitlines() if to == "jsonl" else [ended.text]:
            json.loads(part)


def judge_labels(to, record):
    if to == "trl":
        steps = record["completions"]
        right = [text for text, label in zip(record["completions"], record["labels"]) if label]
    else:
        steps = [s["completions"][0] for s in record["label"]["steps"]]
        right = [s["text"] for s in steps if s["rating"] == 1]
        steps = [s["text"] for s in steps]
    for text in right:
        require(text not in NEVER_SUPPORT or not KNOWN.issuperset(steps), f"convert: {text!r} is labelled right:", record)


def grade(name, n_lines=None, unbroken=None):
    ended = run(("grade", "--json"), name)
    records, _ = read_records(ended, "graded")
    different = {(json.dumps(a), json.dumps(g)) for a, g in DIFFERENT}
    for r in records:
        require("error" in r or r["correct"] in (True, False, None), "grade:", r)
        known = json.dumps(r.get("answer")), json.dumps(r.get("gold"))
        require(r.get("correct") is not True or known not in different or "options" in r or "steps" in r or "text" in r, "grade: is correct:", r)
    if n_lines is not None:
        require(len(records) == n_lines, f"grade: {n_lines} lines, {len(records)} records")
        for i, pair in unbroken.items():
            require(records[i].get("mark") == i, f"line {i + 1} is not where it was:", records[i])
            require(records[i]["correct"] is ((pair["answer"], pair["gold"]) in SAME), "grade:", records[i])


# ---- a seed --------------------------------------------------------------------------------------


def run_lines(rng, folder):
    """Chains in lines: each is accounted for, through check and what reads its records."""
    data, n, unbroken = make_lines(rng, make_chain)
    name = folder / "in.jsonl"
    name.write_bytes(data)
    ended, records = check_file(rng, name, n, unbroken)
    proven = not any(w.startswith((*GUESSES, "math")) for w in ended.args)
    checked = folder / "checked.jsonl"
    checked.write_bytes(ended.out)
    read = rng.randrange(3)
    if read == 0:
        failed = sum("error" in r for r in records)
        vote_on(checked, len(records) - failed, failed)
    elif read == 1:
        evaluate(checked, len(records))
    else:
        convert(rng, checked, proven)
    audit(name)


def run_pairs(rng, folder):
    data, n, unbroken = make_lines(rng, make_pair)
    name = folder / "pairs.jsonl"
    name.write_bytes(data)
    grade(name, n, unbroken)


def run_any(rng, folder):
    name = folder / "any"
    name.write_bytes(make_any(rng))
    read = rng.randrange(6)
    if read == 0:
        vote_on(name)
    elif read == 1:
        evaluate(name)
    elif read == 2:
        audit(name)
    elif read == 3:
        convert(rng, name, False)
    elif read == 4:
        grade(name)
    else:
        check_file(rng, name, None, {})


def run_seed(_, rng):
    with tempfile.TemporaryDirectory(prefix="rederive-fuzz-") as folder:
        try:
            rng.choices((run_lines, run_pairs, run_any), (4, 1, 5))[0](rng, pathlib.Path(folder))
        except subprocess.TimeoutExpired as e:
            raise Broken(f"{e.cmd}: more than {SECONDS} s") from e


if __name__ == "__main__":
    sys.exit(1 if run_seeds(read_options(__doc__.partition("\n")[0]), run_seed,
                            lambda: f"{counts['records']} records written, {counts['runs']} runs of the program") else 0)
