#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What two programs say of all recorded data, of the examples, and of drawn texts and answers, beside each other.

    tools/compare.py OLD_PROGRAM NEW_PROGRAM [options]
    --show N       differences of each kind that are listed (20)
    --source S     only sources whose name contains S
    --method M     only methods whose name contains M
    --kind K       list only kinds that contain K: "support -> unknown", "confidence", "other words" ...
    --all          list differences of the third that is kept aside too; else they are only counted
    --expect none  exit with 1 if anything differs

Compared are: `check` (calculations, values, certificates) over every chain, with its confidence; the methods that follow a task, on BIG-Bench
Mistake; `grade` over recorded answers; the readers of replies, which are given recorded and made replies by a server; the
commands of the examples; and chains and answers that tests/reference/drawn.py draws. The data is RDV_SHARED, or ../shared/data
beside the project; what is not there is passed over and named. A step that NEW cuts otherwise is held against that in which its
middle stands. Members of records that only one of the programs writes are named once a source. Of OLD no more is asked than it
knows: a method or an option that it does not have is left out of both. A source that a program fails on is a difference. Exits
with 0 whatever differs, but for --expect; with 2 if a program cannot be run."""

import argparse
import asyncio
import json
import multiprocessing
import operator
import os
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from dataclasses import replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
os.environ.setdefault("RDV_SHARED", str(ROOT.parent / "shared/data"))
sys.path.insert(0, str(ROOT / "tests/reference"))

import answers_measured  # noqa: E402
import calc_sources  # noqa: E402
import drawn as drawing  # noqa: E402
import programs  # noqa: E402
import reader_boxes  # noqa: E402
import reader_texts  # noqa: E402
import readers  # noqa: E402
import recorded_replies  # noqa: E402
import two_programs  # noqa: E402
from two_programs import VERDICTS, beside, drawn, said, shorten  # noqa: E402

MOST = 400  # differences of a kind and source that are kept to be listed
CHECKS = (("-m", "values,calculations", "--certify"), ("-m", "values,calculations"), ("-m", "calculations"))
LONG = ("mmlu-pro", "reasoningflow-answers", "reasoningflow-thinking", "mot-cascade", "gsm8k-human", "date-models", "eic-corrected")
# Chains that no other measurement reads.
MORE = {
    "date-models": ["llm-mot-cascade/GPT3_result/date_cot1_40.jsonl*", "faithful-cot/output_dir/date/test/*/predictions.jsonl*"],
    "verify_cot": ["verify_cot/results/*/natural_program/*.jsonl*", "verify_cot/data/human_annotation/*.jsonl*"],
    "reasoneval-others": ["reasoneval/dataset/*redundant_errors.jsonl*", "reasoneval/dataset/perturbation.jsonl*"],
    "prm800k": ["prm800k/*.jsonl*"],
    "prmbench-others": ["prmbench/mr_eval/tasks/prmtest_classified_subset400/data/*.jsonl*", "prmbench/train/*.jsonl*"],
    "mr-ben-others": [f"mr-ben/data/{subject}.jsonl*" for subject in ("medicine", "coding", "biology")],
    "mr-gsm8k-shots": ["mr-gsm8k/dataset/*.jsonl*"],
    "eic-corrected": ["eic/evaluation/closed_source_model/*/*/*/correction_simple/*/eval.jsonl*"],
    "tree-of-thoughts-others": ["tree-of-thoughts/logs/game24/*_propose*.jsonl*", "tree-of-thoughts/logs/game24/*_naive*.jsonl*"],
}
calc_sources.SOURCES |= MORE
LISTED = re.compile(r"confidence|first_error|certificate")  # members of a record that are counted by themselves


class Found:
    """The differences of one method and source."""

    def __init__(self, method, source):
        self.method, self.source = method, source
        self.compared, self.matrix = Counter(), Counter()  # of what how many; (old verdict, new verdict) -> how many
        self.counts, self.texts = Counter(), defaultdict(list)  # (kind, aside) -> how many, texts
        self.only = Counter()  # (a member of a record, which program writes it) -> how many

    def count(self, what, number=1):
        self.compared[what] += number

    def differ(self, kind, aside, text):
        self.counts[kind, aside] += 1
        self.texts[kind, aside].append(text)

    def done(self):
        """Members that one program alone writes are one difference each; only so many texts as may be listed go on."""
        for (name, which), number in self.only.items():
            self.differ(f"member {name}, in {which} alone", False, f"{self.source}: {number} records")
        self.texts = {key: drawn(texts, MOST, str) for key, texts in self.texts.items()}
        return self


# ---- chains --------------------------------------------------------------------------------------

def common(a, b, only):
    """Two values without the members of objects that only one of them has, whose names go to `only`."""
    if isinstance(a, dict) and isinstance(b, dict):
        only |= {name for name in {*a} ^ {*b} if (a.get(name) or b.get(name)) not in (None, [], {})}
        pairs = {name: common(a[name], b[name], only) for name in a if name in b}
        return {name: pair[0] for name, pair in pairs.items()}, {name: pair[1] for name, pair in pairs.items()}
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        pairs = [common(x, y, only) for x, y in zip(a, b)]
        return [pair[0] for pair in pairs], [pair[1] for pair in pairs]
    return a, b


def compare_verdicts(found, old, new, aside, where, check=""):
    """Verdicts, step beside step; those that are the same with another score, explanation or evidence."""
    for step, a, b in beside(old, new):
        only = set()
        if not check:
            found.count("steps")
            found.matrix[a["verdict"], b["verdict"]] += 1
        if a["verdict"] != b["verdict"]:
            kind = f"{a['verdict']} -> {b['verdict']}"
        elif operator.ne(*common(a, b, only)) or (a.get("explanation"), a.get("score")) != (b.get("explanation"), b.get("score")):
            kind = "same verdict, other words"
        elif only:
            kind = f"same verdict, only in one: {', '.join(sorted(only))}"
        else:
            continue
        found.differ(check + kind, aside, f"{where}: {shorten(step)}\n    old {said(a)}\n    new {said(b)}")
    if not check and old.steps != new.steps:
        found.differ("steps cut otherwise", aside, f"{where}\n    old {old.steps}\n    new {new.steps}"[:1500])


def compare_members(found, old, new, aside, where):
    """The other members of the records, those of earlier methods among them."""
    checks = [chain.rest.pop("checks", {}) for chain in (old, new)]
    for name in sorted({*checks[0]} & {*checks[1]} - {old.rest.get("method")}):
        earlier = [replace(chain, verdicts=each[name]["verdicts"]) for chain, each in zip((old, new), checks)]
        compare_verdicts(found, *earlier, aside, where, f"{name}: ")
    for name in sorted({*old.rest} ^ {*new.rest}):
        found.only[name, "old" if name in old.rest else "new"] += 1
    for name in sorted({*old.rest} & {*new.rest}):
        a, b = old.rest[name], new.rest[name]
        if a != b:
            kind = name if LISTED.match(name) else f"member {name}"
            found.differ(kind, aside, f"{where}\n    old {json.dumps(a)[:600]}\n    new {json.dumps(b)[:600]}")


def knows(program, *options):
    """Whether `check` takes these options."""
    line = json.dumps({"question": "", "steps": ["1 + 1 = 2"]})
    return subprocess.run([program, "check", "-q", "--json", *options], input=line, text=True, capture_output=True, check=False).returncode == 0


def of_chains(source, check, old, new):
    """`check` over a source."""
    found = Found("calculations", source)
    both = [calc_sources.chains(source, None, program, True, check) for program in (old, new)]
    for a, b in zip(*both):
        aside, where = answers_measured.kept_aside(a.question), f"{source} {a.id or a.record}"
        found.count("chains")
        compare_verdicts(found, a, b, aside, where)
        compare_members(found, a, b, aside, where)
    if len(both[0]) != len(both[1]):
        found.differ("chains missing", False, f"{len(both[0])} and {len(both[1])}")
    return found.done()


def of_programs(task, old, new):
    """A method that follows a task, on its traces."""
    found = Found(task, f"bbm {task}")
    path = next(iter(calc_sources.SHARED.glob(f"big-bench-mistake/{programs.TASKS[task]}.jsonl*")), None)
    if not path:
        raise calc_sources.Missing(task)
    both = [calc_sources.check(path, "-m", task, program=program) for program in (old, new)]
    for number, (a, b) in enumerate(zip(*both)):
        chains = [calc_sources.chain_of("bbm", path, number, r) for r in (a, b)]
        found.count("chains")
        aside = answers_measured.kept_aside(chains[0].question)
        compare_verdicts(found, *chains, aside, f"{task} {number}")
        compare_members(found, *chains, aside, f"{task} {number}")
    return found.done()


# ---- answers -------------------------------------------------------------------------------------

def compare_grades(found, each, a, b, aside):
    """A result is [correct, why, reason, answer read, read as, gold as], or the text of a fault."""
    found.count("answers")
    a, b = (x if isinstance(x, list) else [f"fault: {x}"] for x in (a, b))
    if a == b:
        return
    if a[0] != b[0]:
        kind = f"grade {json.dumps(a[0])} -> {json.dumps(b[0])}"
    else:
        kind = "same grade, another answer read" if a[3:4] != b[3:4] else "same grade, other words"
    text = json.dumps({name: value if len(str(value)) < 500 else "[...] " + str(value)[-500:] for name, value in each.items()}, ensure_ascii=False)
    found.differ(kind, aside, f"{text}\n    old {json.dumps(a, ensure_ascii=False)}\n    new {json.dumps(b, ensure_ascii=False)}")


def of_answers(source, old, new):
    found, inputs, asides = Found("grade", source), [], []
    for each in answers_measured.SOURCES[source]():
        if each["solution"]:
            asides.append(answers_measured.kept_aside(each["question"]))
            inputs.append({"text": each["solution"], "gold": each["gold"]} |
                          {new_name: each[name] for name, new_name in (("answer_type", "kind"), ("options", "options")) if name in each})
    for each, a, b, aside in zip(inputs, drawing.answers(inputs, old), drawing.answers(inputs, new), asides):
        compare_grades(found, each, a, b, aside)
    return found.done()


# ---- drawn texts and answers ---------------------------------------------------------------------

def of_drawn(name, old, new):
    found, kind = Found("calculations" if name == "calculations" else "grade", f"drawn {name}"), drawing.KINDS[name]
    inputs = drawing.inputs_of(kind)
    for each, a, b in zip(inputs, kind.results(inputs, old), kind.results(inputs, new)):
        if name == "answers":
            compare_grades(found, each, a, b, False)
        else:
            compare_drawn(found, each, a, b)
    return found.done()


def compare_drawn(found, each, a, b):
    if isinstance(a, str) or isinstance(b, str):  # a fault
        a, b = (x if isinstance(x, list) else [[f"fault: {x}"]] for x in (a, b))
    for i in range(max(len(a), len(b))):
        was, now = (x[i] if i < len(x) else ["missing"] for x in (a, b))
        found.count("steps")
        found.matrix[was[0], now[0]] += 1
        if was != now:
            kind = f"{was[0]} -> {now[0]}" if was[0] != now[0] else "same verdict, other words"
            found.differ(kind, False, f"{json.dumps(each, ensure_ascii=False)}\n    old {was}\n    new {now}")


# ---- replies -------------------------------------------------------------------------------------

READERS = {"location": ("location", "location thought"), "box": ("location", "location box"), "yesno": ("verdict", "choice yes-no"),
           "conclusion": ("verdict", "choice correctness"), "comparison": ("verdict", "choice comparison"),
           "relevance": ("verdict", "choice relevance"), "consistency": ("verdict", "choice consistency"),
           "number": ("mean", "number 0 to 100")}
TABLE = """---
method: read-{name}
source: ours
summary: read a reply that is given
conclude: {conclude}
---
## read
prompt: read/reply
per: {per}
read: {read}
"""
PROMPT = """---
id: read/reply
source: ours
profile: both
variables: question
temperature: 0
max_tokens: 4000
---
## user
{{question}}
"""


def cot_uq():
    """What a model says of its confidence: a number of percent, then a comment."""
    for path in sorted((answers_measured.SHARED / "cot-uq-hirt").glob("**/output_v1_self-probing-allsteps.jsonl*")):
        for row in recorded_replies.load(path):
            for name, text in (("conclusion", row["probing response"]), ("number", row["probing response"].split("\n")[0].rstrip("%"))):
                yield {"set": "CoT-UQ, self-probing", "as": name, "reply": text, "steps": 1, "question": row["question"]}


def reasoneval():
    """Judgements of whole solutions, as of MR-GSM8K; the solution stands in another file."""
    solutions = {str(row["id"]): row for path in (answers_measured.SHARED / "reasoneval/dataset").glob("mr-math_invalid_errors.jsonl*")
                 for row in recorded_replies.load(path)}
    for path in sorted((answers_measured.SHARED / "reasoneval/eval_results").glob("*/gpt*_eval_results.jsonl*")):
        for row in recorded_replies.load(path):
            of = solutions[str(row["id"])]
            yield {"set": f"ReasonEval, {path.name.split('_eval')[0]}", "as": "location", "reply": row["response"],
                   "steps": len(of["model_output_step_format"]), "question": of["question"]}


def made_replies():
    for each in [*reader_texts.texts(), *reader_boxes.texts(answers_measured.SHARED), *readers.by_hand()]:
        yield {**each, "set": f"made, {each['kind']}", "aside": each["unseen"]}


def recorded():
    for folder, replies in (("mr-gsm8k", recorded_replies.mr_gsm8k), ("eic", recorded_replies.eic), ("verify_cot", recorded_replies.verify_cot),
                            ("cot-uq-hirt", cot_uq), ("reasoneval", reasoneval)):
        if (answers_measured.SHARED / folder).is_dir():
            yield from replies()


REPLIES = {"recorded replies": recorded, "made replies": made_replies}


class Server(asyncio.Protocol):
    """Answers "reply N" with the N-th of `texts`, as an OpenAI-compatible server; one connection."""

    texts = []

    def connection_made(self, transport):
        self.transport, self.data = transport, b""

    def data_received(self, data):
        self.data += data
        while True:
            head, end, rest = self.data.partition(b"\r\n\r\n")
            length = re.search(rb"(?i)content-length: *(\d+)", head)
            size = int(length[1]) if length else 0
            if not end or len(rest) < size:
                return
            self.data = rest[size:]
            asked = re.search(rb"reply (\d+)", rest[:size])
            self.send(json.dumps({"id": "r", "object": "chat.completion", "created": 1, "model": "m", "choices": [
                {"index": 0, "message": {"role": "assistant", "content": self.texts[int(asked[1])]}, "finish_reason": "stop"}],
                "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}} if asked else
                {"object": "list", "data": [{"id": "m", "object": "model"}]}).encode())

    def send(self, body):
        self.transport.write(b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(body) + body)


def serve(texts):
    """The port of a server of these texts, in a thread of its own."""
    loop, kind = asyncio.new_event_loop(), type("Texts", (Server,), {"texts": texts})
    server = loop.run_until_complete(loop.create_server(kind, "127.0.0.1", 0))
    threading.Thread(target=loop.run_forever, daemon=True).start()
    return server.sockets[0].getsockname()[1]


def write_methods(folder):
    (folder / "read").mkdir()
    (folder / "read/reply.md").write_text(PROMPT)
    for name, (conclude, read) in READERS.items():
        table = TABLE.format(name=name, conclude=conclude, read=read, per="step" if conclude == "mean" else "chain")
        (folder / f"read-{name}.method").write_text(table)


def readings(program, rows, profile):
    """The verdicts of each reply: [[verdict, explanation], ...], and the first error."""
    results = [None] * len(rows)
    port = serve([row["reply"] for row in rows])
    with tempfile.TemporaryDirectory() as folder:
        write_methods(Path(folder))
        for name in READERS:
            these = [i for i, row in enumerate(rows) if row["as"] == name]
            path = Path(folder) / "asked.jsonl"
            path.write_text("".join(json.dumps({"question": f"reply {i}", "steps": ["A step."] * max(1, rows[i]["steps"])}) + "\n" for i in these))
            done = subprocess.run([program, "check", "-q", "--method-dir", folder, "-m", f"read-{name}", "--profile", profile,
                                   "-M", f"http://127.0.0.1:{port}/v1#m", str(path)], stdout=subprocess.PIPE, check=False) if these else None
            lines = done.stdout.splitlines() if these else []
            if len(lines) != len(these):
                raise SystemExit(f"{program}: {len(lines)} records of {len(these)} replies for {name}")
            for i, record in zip(these, map(json.loads, lines)):
                results[i] = [reading(record), [(v["verdict"], v.get("explanation"), v.get("score")) for v in record["verdicts"]]]
    return results


def reading(record):
    """A word for what was read: a verdict, or a step."""
    if record["method"] in ("read-location", "read-box"):
        first = record["first_error"]
        return "none" if first is None else "?" if first == "unknown" and record["verdicts"][0]["verdict"] == "unknown" else f"{first}"
    return {"unknown": "?"}.get(record["verdicts"][0]["verdict"], record["verdicts"][0]["verdict"])


def of_replies(name, profile, old, new):
    found = Found("readers", f"{name}, {profile}")
    rows = [row for row in REPLIES[name]() if row["reply"].strip()]
    for row, a, b in zip(rows, readings(old, rows, profile), readings(new, rows, profile)):
        aside = row["aside"] if "aside" in row else answers_measured.kept_aside(row["question"])
        found.count("replies")
        if a != b:
            kind = f"{row['as']} {a[0]} -> {b[0]}" if a[:1] != b[:1] else f"{row['as']}, same reading, other words"
            found.differ(kind, aside, f"{row['set']}: {shorten(row['reply'])}\n    old {a}\n    new {b}"[:2500])
    return found.done()


# ---- the examples --------------------------------------------------------------------------------

EXAMPLES = ["check -q examples/chains.jsonl", "check -q -m values,calculations --certify examples/chains.jsonl",
            "check -q --check-reasoning examples/chains.jsonl", "vote -q examples/chains.jsonl", "vote -q -w scores:prm -a min examples/chains.jsonl",
            "check -q examples/chains.jsonl | vote -q -w confidence", "check -q examples/chains.jsonl | eval",
            "check -q examples/chains.jsonl | convert --to trl",
            "audit examples/chains.jsonl", "check examples/chains.jsonl", "check -q -m selfcheck --dry-run examples/chains.jsonl",
            "check --method-dir examples/methods -m critique,chain-of-verification,conclude-again --dry-run examples/chains.jsonl",
            "solve --dry-run examples/problems.jsonl", "methods --method-dir examples/methods", "formats"]


def run_example(program, line):
    """Status and output of a line of commands; seconds are left out."""
    data, status = b"", 0
    for command in line.split(" | "):
        done = subprocess.run([program, *command.split()], input=data, capture_output=True, cwd=ROOT, check=False)
        data, status = done.stdout, done.returncode
    return re.sub(rb"\d+(\.\d+)? s\b", b"... s", data + done.stderr).decode(errors="replace"), status


def of_examples(old, new):
    found = Found("examples", "examples")
    for line in EXAMPLES:
        (a, was), (b, now) = run_example(old, line), run_example(new, line)
        a, b = a.split("\n"), b.split("\n")
        found.count("lines", len(a))
        changed = [(x, y) for x, y in zip(a, b) if x != y] + [(x, "-") for x in a[len(b):]] + [("-", y) for y in b[len(a):]]
        for x, y in changed:
            found.differ("output", False, f"{line}\n    old {x[:1000]}\n    new {y[:1000]}")
        if was != now:
            found.differ("exit status", False, f"{line}: {was}, {now}")
    return found.done()


# ---- all of them ---------------------------------------------------------------------------------

def works(args, old, new):
    """(method, source, function, arguments), the longest first."""
    check = next((check for check in CHECKS if knows(old, *check) and knows(new, *check)), ())
    found = [("grade", "drawn answers", of_drawn, ("answers",)), ("calculations", "drawn calculations", of_drawn, ("calculations",))]
    found += [("readers", f"{name}, {profile}", of_replies, (name, profile)) for name in REPLIES for profile in ("robust", "paper")
              if (name, profile) != ("made replies", "paper")]
    found += [("calculations", source, of_chains, (source, check)) for source in sorted(calc_sources.SOURCES, key=lambda s: s not in LONG)]
    found += [("grade", source, of_answers, (source,)) for source in answers_measured.SOURCES]
    found += [(task, f"bbm {task}", of_programs, (task,)) for task in programs.TASKS if knows(old, "-m", task)]
    found += [("examples", "examples", of_examples, ())]
    return [each for each in found if args.method in each[0] and args.source in each[1]]


def work(method, source, function, arguments, old, new):
    found = Found(method, source)
    try:
        return function(*arguments, old, new)
    except (calc_sources.Missing, FileNotFoundError):
        pass
    except (SystemExit, KeyError, OSError, ValueError, subprocess.CalledProcessError) as fault:  # a worker's exit would be waited for without end
        found.count("sources that fail")
        found.differ("cannot be compared", False, f"{source}: {type(fault).__name__} {fault}")
    return found


def show_matrix(results):
    matrix = sum((each.matrix for each in results), Counter())
    print(f"\n## Verdicts of steps without a model, old (down) and new (across)\n{'':<12}" + "".join(f"{name:>12}" for name in VERDICTS))
    for a in VERDICTS:
        if any(matrix[a, b] for b in VERDICTS):
            print(f"{a:<12}" + "".join(f"{matrix[a, b]:>12}" for b in VERDICTS))


def show_counts(results):
    """A line for each method, source and kind: at hand, and kept aside."""
    print(f"\n## Differences\n{'method':<16} {'source':<40} {'kind':<40} {'at hand':>8} {'kept aside':>10}")
    for each in results:
        for kind in dict.fromkeys(kind for kind, _ in sorted(each.counts)):
            print(f"{each.method:<16} {each.source:<40} {kind:<40} {each.counts[kind, False]:>8} {each.counts[kind, True]:>10}")


def show_texts(results, args):
    kinds = defaultdict(list)
    for each in results:
        for (kind, aside), texts in each.texts.items():
            if args.kind in kind and (args.all or not aside):
                kinds[each.method, kind] += texts
    for (method, kind), texts in sorted(kinds.items()):
        print(f"\n## {method}: {kind}")
        for text in drawn(texts, args.show, str):
            print("- " + text.replace("\n", "\n  "))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--show", type=int, default=20)
    parser.add_argument("--source", default="")
    parser.add_argument("--method", default="")
    parser.add_argument("--kind", default="")
    parser.add_argument("--all", action="store_true")
    parser.add_argument("--expect", choices=["none"])
    args = parser.parse_args()
    args.kind = re.sub(r"\s*->\s*", " -> ", args.kind)
    old, new = (str(Path(program).resolve()) for program in (args.old, args.new))
    for program in (old, new):
        if not os.access(program, os.X_OK) or not knows(program):
            print(f"compare: {program} is no program that checks a chain", file=sys.stderr)
            return 2
    begin, results = time.monotonic(), []
    with multiprocessing.get_context("fork").Pool(two_programs.PROCESSES, maxtasksperchild=8) as pool:
        left = [pool.apply_async(work, (*each, old, new)) for each in works(args, old, new)]
        for each in left:
            results.append(each.get())
            if sys.stderr.isatty():
                print(f"\r{len(results)} of {len(left)}", end="\n" if len(results) == len(left) else "", file=sys.stderr, flush=True)
    for each in results:
        if not each.compared:
            print(f"not compared, there is no such data: {each.method} {each.source}")
    show_matrix(results)
    show_counts(results)
    show_texts(results, args)
    compared = sum((each.compared for each in results), Counter())
    differ = sum((each.counts for each in results), Counter())
    at_hand, aside = (sum(n for (_, is_aside), n in differ.items() if is_aside == side) for side in (False, True))
    print(f"\ncompared: {', '.join(f'{n} {what}' for what, n in compared.items())}; {at_hand} differences at hand, {aside} kept aside; "
          f"{time.monotonic() - begin:.0f} s")
    return 1 if args.expect and (at_hand or aside or not compared) else 0


if __name__ == "__main__":
    sys.exit(main())
