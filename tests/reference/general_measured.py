#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of docs/measured/general-model.md: the verifiers of general-purpose verification and the
search, with the built-in model as generator and verifier, on questions worded in ways that its training
never saw (train/questions.py).

    general_measured.py REDERIVE WORK [--model builtin] [--n 20] [--chains 20] [--samples 3]
                        [--beam-width 4] [--expansions 4] [--seed 900] [--task NAME]... > tables.md

WORK keeps journals and records: a run that is cut goes on, and says no seconds of what was cut. Seconds
are of processor time, reading, writing and starting included. Truth of a step is what programs know of it
(train/judge.py): the outcome it should have, given what the earlier steps say."""
import argparse
import json
import math
import random
import re
import resource
import sys
from collections import Counter, defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "train"))
from examples import TASKS  # noqa: E402
from judge import judge  # noqa: E402
from measured_work import Work, lines_of, print_table, write_lines  # noqa: E402
from questions import make, record  # noqa: E402

DEFAULT_TASKS = ["stories", "multistep_arithmetic", "coin_flip", "last_letters", "tracking_shuffled_objects",
                 "logical_deduction"]
VERIFIERS = ["relevance", "math", "consistency", "perplexity"]


class Verified(Work):
    def asked(self, name, *arguments):
        """As kept(), of a command that asks the model; its seconds are kept, unless it goes on a cut one."""
        def command(part):
            journal = self.folder / f"{name}.journal"
            whole, before = not journal.exists(), processor_seconds()
            self.rederive(*arguments, "-q", "--model", self.args.model, "--seed", self.args.seed, "--journal",
                          journal, "--out", part)
            seconds = processor_seconds() - before
            write_lines(self.folder / f"{name}.seconds", [seconds if whole else None])
        return self.kept(name, command)

    def seconds_of(self, name):
        return lines_of(self.folder / f"{name}.seconds")[0]

    def recipe(self, name, path, *arguments):
        return json.loads(self.rederive("eval", "-q", "--json", "--recipe", "general:" + name, *arguments, path))


def processor_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


# ---- questions, chains, checks ------------------------------------------------------------------------

def ask_questions(work):
    a = work.args

    def write(out):
        seen, records = set(), []
        for task in a.task:
            for k in range(10 * a.n):
                item = record(f"{task}-test-{a.seed}-{k}")
                if item["question"] not in seen and sum(r["task"] == task for r in records) < a.n:
                    seen.add(item["question"])
                    records.append(item)
        write_lines(out, records)

    return work.kept("questions.jsonl", write)


def checked_chains(work):
    """Chains with the check by general and all verifiers, of their task, with the tokens they cost."""
    a = work.args
    questions = ask_questions(work)
    bare = work.folder / "chains.bare.jsonl"
    votes = work.asked("votes.jsonl", "solve", "-m", "perplexity", "--stop", "none", "-n", a.chains,
                       "--temperature", "0.7", "--chains-out", bare, questions)
    tokens = generated_tokens(work, votes)

    def name_tasks(out):
        chains = lines_of(bare)
        for chain in chains:
            chain["task"] = chain["question_id"].rsplit("-", 3)[0]
            chain["generated_tokens"] = tokens[chain["question"], int(chain["id"].rsplit("/", 1)[1])]
        write_lines(out, [c for c in chains if c["steps"]])

    chains = work.kept("chains.jsonl", name_tasks)
    return work.asked("checked.jsonl", "check", "-m", "general", "--math", "native", "--samples", a.samples, chains)


def generated_tokens(work, votes):
    """What was answered for each (question, number of a chain), by the journal."""
    by_text = {r["question"]: r for r in lines_of(ask_questions(work))}
    export = work.rederive("journal", "export", str(votes) + ".journal")
    tokens = Counter()
    for line in export.splitlines():
        reply = json.loads(line)
        text = reply["request"]["messages"][0]["content"].split("\nProblem: ", 1)[1]
        question = text if text in by_text else text.split("\nOptions:\n")[0]
        number = int(re.search(r"\bchain (\d+)", reply["sample_id"]).group(1))
        tokens[question.strip(), number] += reply["response"]["completion_tokens"]
    return tokens


def verdict_of(chain, verifier, step):
    verdicts = chain["checks"].get(verifier, {}).get("verdicts", [])
    return next((v for v in verdicts if v["step"] == step), None)


# ---- printing -----------------------------------------------------------------------------------------

def percent(cell, sign=False):
    if cell is None or cell["value"] is None:
        return "-"
    return f"{100 * cell['value']:{'+' if sign else ''}.1f} ± {100 * cell['stderr']:.1f}"


def cell(name, value):
    if name.startswith("std"):
        return "-" if value is None else f"{100 * value:.1f}"
    if isinstance(value, dict):
        return percent(value, name.startswith("gain"))
    if name == "first_share":
        return f"{100 * value:.0f}"
    return f"{value:g}" if isinstance(value, float) else str(value)


def recipe_table(work, title, name, path, *arguments):
    said = work.recipe(name, path, *arguments)
    columns = [c for c in said["rows"][0] if c != "group" or "--group" in arguments]
    print(f"### {title} (`general:{name}`)\n")
    print_table([f"{c}, %" if c.split(".")[0] in ("accuracy", "std", "gain", "first_share") else c for c in columns],
                [[cell(c, row[c]) for c in columns] for row in said["rows"]])
    for note in said["notes"]:
        print(f"{note}.")
    print()


def selection(work, path):
    print("## Choosing and voting\n\n± is the standard error over questions, std the standard deviation over "
          "repeated draws; gains are paired over questions.\n")
    figures = json.loads(work.rederive("eval", "-q", "--json", path))["figures"]
    print(f"Questions of which any chain is right: {percent(figures.get('accuracy.oracle'))} %.")
    empty = sum(not c["steps"] for c in lines_of(work.folder / "chains.bare.jsonl"))
    print(f"Replies without a step, which are no chains: {empty}.\n")
    recipe_table(work, "One chain", "table1", path)
    recipe_table(work, "One chain, by task", "table1", path, "--group", "task")
    recipe_table(work, "Each verifier", "table2", path)
    recipe_table(work, "Every subset", "table4", path)
    recipe_table(work, "The first steps", "table5", path)
    recipe_table(work, "The first part", "fig4", path)
    recipe_table(work, "Votes of chosen chains", "fig3", path)
    recipe_table(work, "Votes of random chains", "fig7", path)


def fitted(work, path):
    """Weights fitted on every other question, reported on the rest."""
    order = {r["question_id"]: k for k, r in enumerate(lines_of(work.folder / "questions.jsonl"))}
    for part in (0, 1):
        work.kept(f"half{part}.jsonl", lambda out, part=part: write_lines(
            out, [c for c in lines_of(path) if order[c["question_id"]] % 2 == part]))
    halves = [work.folder / f"half{part}.jsonl" for part in (0, 1)]
    print("## Weights fitted on every other question\n")
    recipe_table(work, "The rest, weights 1, 1, 1, 2", "table1", halves[1])
    recipe_table(work, "The rest, fitted weights", "table1", halves[1], "--fit", halves[0])


# ---- scores of steps against the truth ----------------------------------------------------------------

def known_steps(path):
    """(question, chain, step, right) of each step of which programs know whether it is right."""
    for chain in lines_of(path):
        for i, (said, due) in enumerate(judge(make(chain["question_id"]), chain["steps"])):
            if said is not None and due is not None:
                yield chain["question_id"], chain, i, said == due


def pearson(pairs):
    n = len(pairs)
    if n < 3:
        return None
    mx, my = (sum(p[k] for p in pairs) / n for k in (0, 1))
    xx, yy = (sum((p[k] - m) ** 2 for p in pairs) for k, m in ((0, mx), (1, my)))
    return sum((x - mx) * (y - my) for x, y in pairs) / math.sqrt(xx * yy) if xx * yy > 1e-18 else None


def bootstrapped(groups, draws=300):
    """Pearson's r of all pairs with its standard error over questions."""
    r = pearson([p for pairs in groups.values() for p in pairs])
    if r is None:
        return "-"
    rng, names = random.Random(1), list(groups)
    rs = [pearson([p for _ in names for p in groups[rng.choice(names)]]) for _ in range(draws)]
    rs = [x for x in rs if x is not None]
    mean = sum(rs) / len(rs)
    return f"{r:.3f} ± {math.sqrt(sum((x - mean) ** 2 for x in rs) / (len(rs) - 1)):.3f}"


def truth(path, verifiers, get=verdict_of):
    rows = []
    for verifier in verifiers:
        groups, count, accused = defaultdict(list), Counter(), Counter()
        for question, chain, step, right in known_steps(path):
            verdict = get(chain, verifier, step)
            if verdict and verdict["score"] is not None:
                groups[question].append((verdict["score"], float(right)))
                count[right] += 1
                accused[right] += verdict["verdict"] == "contradict"
        rows.append([verifier, count[True], count[False], bootstrapped(groups) if count else "-",
                     share(accused[False], count[False]), share(accused[True], count[True])])
    print_table(["verifier", "right steps scored", "wrong steps scored", "r", "wrong steps called wrong",
                 "right steps called wrong"], rows)


def share(part, whole):
    return f"{100 * part / whole:.1f} % ({part} of {whole})" if whole else "-"


def truth_of_steps(work, path):
    del work
    print("## Scores of steps against what programs know\n\nr is Pearson's, with its standard error by a bootstrap "
          "over questions. Steps behind one that cannot be followed take no part.\n")
    truth(path, VERIFIERS + ["general"])


# ---- search against whole chains ----------------------------------------------------------------------

def as_many(chains, tokens):
    """Whole chains in the order they were drawn, as long as they cost no more than tokens; one at least."""
    out, spent = [], 0
    for chain in chains:
        spent += chain["generated_tokens"]
        if out and spent > tokens:
            break
        out.append(chain)
    return out


def paired(differences):
    n = len(differences)
    mean = sum(differences) / n
    se = math.sqrt(sum((d - mean) ** 2 for d in differences) / (n - 1) / n) if n > 1 else 0
    return f"{100 * mean:+.1f} ({100 * (mean - 1.96 * se):+.1f} to {100 * (mean + 1.96 * se):+.1f})"


def search(work, path):
    a = work.args
    name = "online.jsonl"
    online = lines_of(work.asked(name, "solve", "--beam-search", "--beam-width", a.beam_width, "--expansions", a.expansions, "-m",
                                 "general", "--math", "native", "--samples", a.samples, ask_questions(work)))
    chains = defaultdict(list)
    for chain in lines_of(path):
        chains[chain["question_id"]].append(chain)
    online = [r for r in online if chains[r["question_id"]]]
    chosen = {r["question_id"]: as_many(chains[r["question_id"]], r["generator_completion_tokens"]) for r in online}
    short = sum(len(chosen[q]) == len(chains[q]) for q in chosen)
    few = work.folder / "equal.jsonl"
    write_lines(few, [c for r in online for c in chosen[r["question_id"]]])
    n, whole = len(online), [c for some in chosen.values() for c in some]
    ways = {"majority": [], "weighted by general": ["-w", "confidence:general"],
            "best by general": ["-s", "best", "-w", "confidence:general"]}
    votes = {}
    for way, arguments in ways.items():
        said = work.rederive("vote", "-q", *arguments, few)
        votes[way] = {r["question_id"]: r["expected_correct"] or 0 for r in map(json.loads, said.splitlines())}
    found = {r["question_id"]: r["expected_correct"] or 0 for r in online}
    print("## Search against whole chains at equal generated tokens\n")
    print(f"The search: `--beam-search --beam-width {a.beam_width} --expansions {a.expansions}`, {n} questions. Against it, for each "
          "question, its whole chains in the order they were drawn, as long as all of them together cost no more "
          f"generated tokens than its search (at least one): {len(whole) / n:.1f} on average. For {short} questions all "
          "chains that there are cost less. Differences are the search's less the vote's, paired over questions, with "
          "95 % intervals.\n")
    by_task = defaultdict(list)
    for q in found:
        by_task[q.rsplit("-", 3)[0]].append(q)
    groups = [*by_task.items(), ("all", list(found))]
    print_table(["task", "search"] + [w for way in votes for w in (way, "search less this")],
                [[task, f"{100 * sum(found[q] for q in qs) / len(qs):.1f}"] +
                 [x for way in votes.values() for x in (f"{100 * sum(way[q] for q in qs) / len(qs):.1f}",
                                                        paired([found[q] - way[q] for q in qs]))]
                 for task, qs in groups])
    solve, check, total = work.seconds_of("votes.jsonl"), work.seconds_of("checked.jsonl"), sum(map(len, chains.values()))
    rows = [["search", f"{sum(r['n_calls'] for r in online) / n:.0f}",
             f"{sum(r['generator_completion_tokens'] for r in online) / n:.0f}",
             f"{sum(r['checker_completion_tokens'] for r in online) / n:.0f}", per(work.seconds_of(name), n)],
            ["whole chains, not checked", f"{len(whole) / n:.0f}",
             f"{sum(c['generated_tokens'] for c in whole) / n:.0f}", 0,
             per(solve and solve * len(whole) / total, n)],
            ["whole chains, checked", f"{sum(1 + c['checks']['general']['n_calls'] for c in whole) / n:.0f}",
             f"{sum(c['generated_tokens'] for c in whole) / n:.0f}",
             f"{sum(c['checks']['general']['completion_tokens'] for c in whole) / n:.0f}",
             per(solve and check and (solve + check) * len(whole) / total, n)]]
    print_table(["a question", "calls", "tokens generated", "tokens answered in checks", "seconds of processor time"], rows)


def per(seconds, n):
    return "-" if seconds is None else f"{seconds / n:.3g}"


# ---- what each verifier costs, and how much of it could be read ---------------------------------------

def one_chain_each(work, path, tasks=None, most=None):
    first = {}
    for chain in lines_of(path):
        if tasks is None or chain["task"] in tasks:
            first.setdefault(chain["question_id"], {k: v for k, v in chain.items() if k in (
                "id", "question_id", "question", "options", "answer_type", "gold", "steps", "answer", "logprobs", "task")})
    return list(first.values())[:most]


def costs(work, path):
    a = work.args
    part = work.kept("part.jsonl", lambda out: write_lines(out, one_chain_each(work, path)))
    mathematical = work.kept("part-math.jsonl", lambda out: write_lines(out, one_chain_each(
        work, path, ("stories", "multistep_arithmetic"), a.math_chains)))
    runs = {"relevance": (part, []), "consistency": (part, []), "perplexity": (part, []),
            "math, model": (mathematical, ["--math", "model"])}
    rows, seconds = [], {}
    for name, (source, options) in runs.items():
        file = f"cost-{name.replace(', ', '-')}.jsonl"
        checked = lines_of(work.asked(file, "check", "-m", name.split(",")[0], "--samples", a.samples, *options, source))
        rows.append(cost_row(name, checked, work.seconds_of(file)))
        seconds[name] = (work.seconds_of(file), sum(len(c["steps"]) for c in checked))
    before = processor_seconds()
    many = [json.loads(line) for line in work.rederive("check", "-q", "-m", "math", "--math", "native",
                                                       *20 * [mathematical]).splitlines()]
    native = processor_seconds() - before
    seconds["math, native"] = (native, sum(len(c["steps"]) for c in many))
    rows.append(cost_row("math, native", many, native))
    print(f"## What each verifier costs\n\nOf one chain a question, {a.samples} samples a step.\n")
    print_table(["verifier", "chains", "steps a chain", "calls", "tokens asked", "tokens answered",
                 "seconds of processor time", "of a step, in native ones"],
                [row + ["-" if None in (seconds[row[0]][0], native) else
                        f"{seconds[row[0]][0] / seconds[row[0]][1] / (native / seconds['math, native'][1]):.0f}"]
                 for row in rows])
    return work.folder / "cost-math-model.jsonl"


def cost_row(name, checked, seconds):
    n = len(checked)
    return [name, n, f"{sum(len(c['steps']) for c in checked) / n:.1f}"] + [
        f"{sum(c[k] for c in checked) / n:.1f}" for k in ("n_calls", "prompt_tokens", "completion_tokens")] + [
            per(seconds, n)]


def replies(path, asked_math):
    print("## Replies that could be read\n\nA reply that cannot be read is asked for once more.\n")
    rows = []
    for name, source in (("relevance", path), ("consistency", path), ("math", asked_math)):
        count = Counter()
        for chain in lines_of(source):
            check = chain["checks"].get(name, chain) if "checks" in chain else chain
            count["replies"] += check["n_calls"]
            for verdict in check["verdicts"]:
                evidence = verdict.get("evidence", {})
                samples = evidence.get("samples", [])
                count["steps"] += bool(samples) or verdict["verdict"] == "unknown"
                count["unknown"] += verdict["verdict"] == "unknown"
                count["read"] += len(samples)
                for key in ("undecided", "dropped"):
                    count[key] += evidence.get("n_" + key, 0)
        rows.append([name, count["replies"], share(count["read"], count["replies"]),
                     share(count["unknown"], count["steps"]), count["undecided"], count["dropped"]])
    print_table(["verifier", "replies", "read", "steps left unknown", "undecided lists", "dropped calculations"], rows)


def model_lists(path):
    """`math --math model` and `--math native` on the same steps."""
    print("## Who finds the calculations\n\n`--math model` and, on the same steps, `--math native`.\n")
    native = path.with_name("part-math-native.jsonl")
    truth(path, ["math, model"], lambda c, _, i: c["verdicts"][i])
    truth(native, ["math, native"], lambda c, _, i: c["verdicts"][i])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("work")
    parser.add_argument("--model", default="builtin")
    parser.add_argument("--n", type=int, default=20, help="questions of each task")
    parser.add_argument("--chains", type=int, default=20)
    parser.add_argument("--samples", type=int, default=3)
    parser.add_argument("--beam-width", type=int, default=4)
    parser.add_argument("--expansions", type=int, default=4)
    parser.add_argument("--math-chains", type=int, default=16, help="chains whose calculations the model lists")
    parser.add_argument("--seed", type=int, default=900)
    parser.add_argument("--task", action="append", choices=TASKS)
    args = parser.parse_args()
    args.task = args.task or DEFAULT_TASKS
    work = Verified(args)
    path = checked_chains(work)
    selection(work, path)
    fitted(work, path)
    truth_of_steps(work, path)
    asked_math = costs(work, path)
    work.kept("part-math-native.jsonl", lambda out: work.rederive(
        "check", "-q", "-m", "math", "--math", "native", "--out", out, work.folder / "part-math.jsonl"))
    replies(path, asked_math)
    model_lists(asked_math)
    search(work, path)


if __name__ == "__main__":
    main()
