#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Rederive with a real model on a real server: SmolLM2-135M-Instruct on llama.cpp with four slots.

    real_measured.py PROGRAM WORK [--part scores|votes|replies|busy|papers]...

tools/measure_real.sh runs it: it makes the virtual environment with server and model. Prints the
tables of docs/measured/real-model.md. WORK keeps what was asked, so that a run that is cut goes on."""
import argparse
import json
import random

import calc_sources
import general_native
import real_busy
import real_papers
import real_replies
from real_work import BUILTIN, ROOT, Served, Work, bootstrap, exact_copy, print_table, lines_of, write_lines

EXAMPLES = ROOT / "examples/chains.jsonl"


# ---- scores by a grammar of tokens ----------------------------------------------------------------

def tokens_of(work, name, model):
    """The tokens of each text that was scored, with their log-probabilities."""
    journal, out = work.without(name + ".journal", name + ".jsonl")
    work.rederive("check", "-q", "-m", "perplexity", "-M", model, "--journal", journal, "-o", out, EXAMPLES)
    return {json.dumps([r["request"]["messages"], r["request"]["prompt"]]): r["response"]["logprobs"]
            for r in work.replies(journal)}


def differences(work, name, file, *options):
    with Served(work, name, "--alias", name, "--model", file, *options) as served:
        theirs = tokens_of(work, name, served.url)
    ours = tokens_of(work, name + "-ours", f"builtin:{file}")
    gaps, same = [], 0
    for text, tokens in theirs.items():
        mine = ours[text]
        if [t for t, *_ in tokens] != [t for t, *_ in mine]:
            continue
        same += 1
        gaps += [abs(a[1] - b[1]) for a, b in zip(tokens, mine) if a[1] is not None and b[1] is not None]
    return {"texts": len(ours), "scored": len(theirs), "same": same, "gaps": sorted(gaps)}


def scores(work):
    print("## Scores by a grammar of tokens, compared with our own engine\n")
    rows = []
    for name, what, file, options in (
            ("exact", "weights, cache and attention in f32", exact_copy(work), ["--exact"]),
            ("f32", "weights in f32; cache f16, flash attention", exact_copy(work), []),
            ("shipped", "as it ships (q8_0), cache and attention in f32", BUILTIN, ["--exact"]),
            ("usual", "as it ships (q8_0); cache f16, flash attention", BUILTIN, [])):
        found = work.kept(f"scores-{name}.json", lambda: differences(work, name, file, *options))
        gaps = found["gaps"]
        rows.append([what, found["texts"], found["scored"], found["same"], len(gaps),
                     f"{sum(gaps) / len(gaps):.1e}", f"{gaps[int(0.99 * len(gaps))]:.1e}", f"{gaps[-1]:.1e}"])
    print_table(["the built-in model's file", "texts", "scored by the server", "of the same tokens", "tokens",
                 "mean difference", "99 % below", "largest"], rows)


# ---- perplexity as a weight -----------------------------------------------------------------------

WAYS = [("majority", []), ("weighted by 1/perplexity", ["-w", "confidence:perplexity"]),
        ("best of N: the lowest perplexity", ["-s", "best", "-w", "confidence:perplexity"]),
        ("majority of the 3 of lowest perplexity", ["--subset-size", "3", "--subset-by", "weight", "-w",
                                                    "confidence:perplexity"]),
        ("majority of 3 random ones", ["--subset-size", "3"]), ("a random chain", ["-s", "random"])]


def drawn_chains(work):
    """Chains of questions drawn by a seed, without the probabilities that were recorded with them."""
    questions, _ = general_native.pools()
    drawn = random.Random(work.args.seed).sample(sorted(questions), work.args.questions)
    return [{k: v for k, v in chain.items() if k != "logprobs"} for q in drawn for chain in questions[q]]


def scored_chains(work):
    source = write_lines(work.path("votes-chains.jsonl"), drawn_chains(work))
    with Served(work, "smollm2") as served:
        work.rederive("check", "-q", "-m", "perplexity", "-M", served.url, "--journal",
                      work.path("votes.journal"), "-o", work.path("votes-checked.jsonl"), source)
    return lines_of(work.path("votes-checked.jsonl"))


def votes(work):
    print("## Perplexity under SmolLM2 as a weight and as the best of N\n")
    try:
        checked = work.kept("votes.json", lambda: scored_chains(work))
    except calc_sources.Missing as missing:
        print(f"Left out: {missing} is not there.\n")
        return
    unscored = {c["question_id"] for c in checked if c["confidence"] is None}
    vote_table(work, "All questions", checked)
    vote_table(work, "Those whose chains all have a score", [c for c in checked if c["question_id"] not in unscored])


def vote_table(work, what, checked):
    without = sum(c["confidence"] is None for c in checked)
    tokens = sum(v.get("evidence", {}).get("n_tokens", 0) for c in checked for v in c["verdicts"])
    text = "".join(json.dumps(c) + "\n" for c in checked)
    right = {}
    for name, options in WAYS:
        results = [json.loads(line) for line in work.rederive("vote", "-q", *options, stdin=text).stdout.splitlines()]
        right[name] = [r["expected_correct"] for r in results]
    print(f"{what}: {len(right['majority'])} questions, {len(checked)} chains, {tokens} tokens scored; {without} chains "
          "have no score.\n")
    print_table(["the answer of", "right, %", "less majority"],
                [[name, bootstrap(values), "" if name == "majority" else
                  bootstrap([a - b for a, b in zip(values, right["majority"])])]
                 for name, values in right.items()])


PARTS = {"scores": scores, "votes": votes, "replies": real_replies.replies, "busy": real_busy.busy, "papers": real_papers.papers}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("work", help="folder of journals and records: a run that is cut goes on")
    parser.add_argument("--part", action="append", choices=PARTS)
    parser.add_argument("--questions", type=int, default=40, help="questions of the vote [%(default)s]")
    parser.add_argument("--examples", type=int, default=6, help="chains of ours whose replies are counted [%(default)s]")
    parser.add_argument("--recorded", type=int, default=6, help="recorded chains of the same [%(default)s]")
    parser.add_argument("--reply-tokens", type=int, default=120, help="the longest reply of these [%(default)s]")
    parser.add_argument("--before", help="a source tree, built in its build/, from before --structured: its replies are counted too")
    parser.add_argument("--ways", default="before,plain,--structured", help="those of the same that are run [%(default)s]")
    parser.add_argument("--method", action="append", help="methods whose replies are counted [all that ask for words]")
    parser.add_argument("--pairs", type=int, default=5, help="runs beside the plain client [%(default)s]")
    parser.add_argument("--client", help="the Python that has httpx")
    parser.add_argument("--seed", type=int, default=12)
    args = parser.parse_args()
    work = Work(args)
    for part in args.part or PARTS:
        PARTS[part](work)


if __name__ == "__main__":
    main()
