# SPDX-License-Identifier: Apache-2.0
"""How many replies of a real model each method can read, asked with --structured and without.

Run as a program, it counts replies that were made up."""
import json
import re
from collections import Counter
from pathlib import Path

import calc_sources
from real_work import ROOT, Served, print_table, lines_of, wilson, write_lines

RECORDED = "processbench/code/dataset/gsm8k*"
UNASKED = ("perplexity", "prm:pooling-pairs", "prm:embeddings-token-values")  # for no words, or by another route

FREE = ("math", "consistency")  # their replies are no choice of a few: --structured adds nothing
ONE_TOKEN = ("prm:chat-plus-minus",)  # of which every reply ends at its limit
UNREAD = ("the reply could not be read", "neither + nor - was said")


def recorded_chains(work, n):
    paths = sorted(calc_sources.SHARED.glob(RECORDED))
    if not paths:
        return []
    read = [json.loads(line) for line in
            work.rederive("check", "-q", "-m", "calculations", paths[0]).stdout.splitlines()]
    wanted = ("id", "question_id", "question", "answer_type", "gold", "steps", "answer", "label")
    return [{k: c[k] for k in wanted if k in c} for c in read if "error" not in c][:n]


def chains(work):
    """Of ours one chain a question first, then others; and recorded ones."""
    firsts, others, seen = [], [], set()
    for chain in lines_of(ROOT / "examples/chains.jsonl"):
        (others if chain["question_id"] in seen else firsts).append(chain)
        seen.add(chain["question_id"])
    return (firsts + others)[:work.args.examples] + recorded_chains(work, work.args.recorded)


def short_prompts(work, root):
    """The prompts with replies that are no longer than a slow machine can write."""
    source, most = Path(root) / "prompts", work.args.reply_tokens
    folder = work.path("prompts" if root == ROOT else "prompts-before")
    for path in source.rglob("*.md"):
        text = re.sub(r"^max_tokens: (\d+)$", lambda m: f"max_tokens: {min(int(m[1]), most)}",
                      path.read_text(encoding="utf-8"), flags=re.MULTILINE)
        copy = folder / path.relative_to(source)
        copy.parent.mkdir(parents=True, exist_ok=True)
        copy.write_text(text, encoding="utf-8")
    return folder


def methods(work, source):
    """Those that ask a model for words, by the program's own list."""
    listed = [line.split()[0] for line in work.rederive("methods").stdout.splitlines() if line.strip()]
    return [m for m in listed if m not in UNASKED and m in (work.args.method or listed) and
            work.rederive("check", "--dry-run", "-m", m, source, faults=True).returncode == 0]


def draw_of(row):
    """Which question it is, and which try: a reply that could not be read is asked for once more."""
    draw, number = row["sample_id"].rsplit(", try ", 1)
    return (row["stage"], draw), int(number)


def not_asked_again(records, tries):
    """The replies that had another form and were not asked for again, which is not done at temperature 0 where a
    prompt has no reminder: the last that were asked for about a step that stayed unknown, or, where none was about it
    alone, about its chain. One of these leaves all steps of its chain unknown."""
    found = set()
    for record in records:
        for verdict in record["verdicts"]:
            if verdict.get("explanation") not in UNREAD:
                continue
            chain = f"chain {record['id']}, "
            step = chain if verdict["step"] is None else f"{chain}step {verdict['step']}, "
            of = [draw for draw in tries if draw[1].startswith(step)] or [draw for draw in tries if draw[1].startswith(chain)]
            if all(len(tries[draw]) == 1 for draw in of):
                found.update(of[-1:])
    return found


def counted(method, rows, records):
    """A first reply was read where it is whole, no second one was asked for, and its step's verdict does not say
    otherwise."""
    tries = {}
    for row in (r for r in rows if r["operation"] != "score"):
        draw, number = draw_of(row)
        tries.setdefault(draw, {})[number] = row
    count = Counter(first=len(tries), second=sum(len(t) - 1 for t in tries.values()))
    read = set()
    for draw, replies in tries.items():
        first = replies.get(0)
        whole = first and (first["response"]["finish_reason"] == "stop" or method in ONE_TOKEN)
        if whole and len(replies) == 1:
            read.add(draw)
        count["cut off"] += bool(first and not whole and first["response"]["finish_reason"] == "length")
        count["form"] += bool(whole and len(replies) > 1)
    silent = read & not_asked_again(records, tries)
    count["read"] = len(read - silent)
    count["form"] += len(silent)
    verdicts = [v for r in records for v in r["verdicts"]]
    count["verdicts"] = len(verdicts)
    count["decided"] = sum(v["verdict"] != "unknown" for v in verdicts)
    return count


def ways(work, method):
    """How it is asked: by which program, with which prompts and options."""
    args, found = work.args, {}
    if args.before:
        found["before"] = (Path(args.before) / "build/cli/rederive", short_prompts(work, args.before), [])
    now = (args.program, short_prompts(work, ROOT))
    found["plain"] = (*now, [])
    if method not in FREE:
        found["--structured"] = (*now, ["--structured"])
    return {name: way for name, way in found.items() if name in args.ways.split(",")}


def asked_once(work, url, method, name, way, source):
    program, prompts, options = way
    journal, out = work.without(name + ".journal", name + ".jsonl")
    # Of other methods' samples one is enough: it is replies that are counted.
    done = work.rederive("check", "-m", method, "--samples", "1", "--json", "--first-steps", "2", "--prompt-dir",
                         prompts, *options, "-M", url, "--journal", journal, "-o", out, source, program=program)
    said = [line for line in done.stderr.splitlines() if line.startswith("{")]
    return {"rows": work.replies(journal), "records": lines_of(out), "summary": json.loads(said[-1])}


def row_of(found, method, way):
    count, summary = counted(method, found["rows"], found["records"]), found["summary"]
    return [method, way, wilson(count["read"], count["first"]), count["cut off"], count["form"], count["second"],
            wilson(count["decided"], count["verdicts"]), summary["n_calls"], summary["prompt_tokens"],
            summary["completion_tokens"], f"{summary['seconds']:.0f}"]


def replies(work):
    source = write_lines(work.path("replies-chains.jsonl"), chains(work))
    records = lines_of(source)
    print("## Replies that could be read\n")
    print(f"{len(records)} chains, steps up to the second; replies of at most {work.args.reply_tokens} tokens.\n")
    rows = []
    with Served(work, "smollm2") as served:
        for method in methods(work, source):
            for name, way in ways(work, method).items():
                file = f"replies-{method.replace(':', '-')}-{name.strip('-')}"
                found = work.kept(file + ".json", lambda: asked_once(work, served.url, method, file, way, source))
                rows.append(row_of(found, method, name))
    print_table(["method", "asked", "first replies read", "unread: cut off", "unread: form", "asked again",
                 "verdicts decided", "calls", "tokens asked", "tokens answered", "seconds"], rows)


def try_counts():
    """One reply about a chain leaves the verdicts of all its steps unknown, and counts once."""
    def reply(draw, number, finish="stop"):
        return {"operation": "chat", "stage": "s", "sample_id": f"chain c, {draw}, try {number}", "response": {"finish_reason": finish}}
    unread = [{"step": i, "verdict": "unknown", "explanation": UNREAD[0]} for i in range(4)]
    decided = [{"step": 0, "verdict": "support"}]
    for name, rows, verdicts, expected in (
            ("of a chain", [reply("sample 0", 0)], unread, (0, 0, 1)),
            ("of a chain, asked again", [reply("sample 0", 0), reply("sample 0", 1)], unread, (0, 0, 1)),
            ("of a chain, cut off", [reply("sample 0", 0, "length")], unread, (0, 1, 0)),
            ("of each step", [reply(f"step {i}, sample 0", 0) for i in range(4)], unread, (0, 0, 4)),
            ("of one of two steps", [reply(f"step {i}, sample 0", 0) for i in range(2)], decided + unread[1:2], (1, 0, 1)),
            ("read", [reply("step 0, sample 0", 0)], decided, (1, 0, 0))):
        count = counted("any", rows, [{"id": "c", "verdicts": verdicts}])
        found = (count["read"], count["cut off"], count["form"])
        assert found == expected and sum(found) == count["first"], (name, found, expected)
        wilson(count["read"], count["first"])
    print("6 counts as expected")


if __name__ == "__main__":
    try_counts()
