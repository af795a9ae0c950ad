#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Calculations and answers that are drawn, and the truth of those that are plain arithmetic.

    drawn.py calculations|answers [--seed N] [--seeds FOLDER | --replay PROGRAM]

Rows of the golden files and of the generators are changed in one to three tokens at random: a number by another, a word by
another of the same list of the sources, a sign by another, one left out, doubled, or two texts joined. 14 inputs are drawn of
each golden row and two of each generated one. Asserted is the truth where both sides are plain arithmetic (calc_exact.py):
what is called right is equal, what is called wrong is not. tools/compare.py runs two programs over all of them.
--seeds writes every third row and one input of each as those of the fuzz target `calculations` or `grade`, a file each; --replay runs
such a target, built without libFuzzer, on them.
Program: RDV_PROGRAM, or build/rederive. Exits with 1 if a result is untrue, or none could be judged."""
import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import answer_forms
import calc_contexts
import calc_exact
import calc_forms
import formulas
import functions
import value_forms
from records import records

PROJECT = Path(__file__).resolve().parents[2]
GOLDEN = PROJECT / "tests/golden"
OF_GOLDEN, OF_GENERATED = 14, 2  # inputs drawn of each row; a golden row mostly stands for a rule of its own
FORMULAS = 800
LONGEST = 240  # characters of a text
TOKEN = re.compile(r"\d+(?:[.,]\d+)*|\\?[^\W\d_]+|\s+|.", re.DOTALL)
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)+)"')
CALCULATION = re.compile(r"(\d+)-(\d+) (right|wrong)\b")  # of calculation_line()
NUMBERS = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "15", "16", "20", "24", "25", "30", "32", "48",
           "50", "59", "60", "64", "72", "90", "99", "100", "101", "120", "180", "255", "360", "365", "999", "1000", "1001", "1024",
           "1,000", "1,000,000", "12,34", "1000000000", "18446744073709551616", "0.1", "0.25", "0.5", "0.333", "0.334", "0.67", "1.5",
           "2.50", "3.14", "3.1416", "33.3", "33.34", "99.99", "007", "1e3", "2.5e-3", "-1", "-3", "1/2", "1/3", "2/3", "3/4", "7/0"]
SIGNS = ["+", "-", "*", "/", "=", "<", ">", "≤", "≠", "≈", "×", "÷", "−", "^", "(", ")", "[", "]", "{", "}", "|", ":", ";", ",", ".",
         "!", "?", "%", "$", "€", "°", "√", "π", "²", "~", "&", "_", "'", '"', "\n", " ", "  ", "…", "=>", "→", "==", "\\"]
OPTIONS = [[], [], [], ["--tolerance", "0.001"], ["--decimals-as-shown"], ["--relations-as-sets"]]
TYPES = ["auto", "number", "option", "yesno", "text", "latex", "date", "date-day-first", "time", "money", "yesno-maybe",
         "phrase"]  # in the order of rdv_kind
INTRODUCTIONS = ["The answer is {}.", "#### {}", "So the final answer is {}", "Thus, we get {}.", "Answer: {}", "**{}**",
                 "{} is the answer", "I think it is {}, not 5.", "After that: {}\nDone.", "The answer is 3. Wait, no: {}"]


# ---- what the program says -----------------------------------------------------------------------

def calculation_line(c):
    """One calculation as text: its bytes, its outcome, and what is said of it."""
    said = [f"{name} {c[name]}" for name in ("value", "of", "note", "from") if name in c]
    return "; ".join([f"{c['start']}-{c['end']} {c['outcome']}", *said])


def calculations(inputs, program=None):
    """For each chain, for each step, its verdict and a text for each of its calculations; or the text of a fault."""
    return [[[v["verdict"], *map(calculation_line, (v.get("evidence") or {}).get("calculations", []))] for v in r["verdicts"]]
            if "verdicts" in r else r["error"]
            for r in records(["check", "--quiet", "--json", "--method", "calculations"], inputs, program)]


def answers(inputs, program=None):
    """For each pair, whether it is the same, why, and how both were read; or the text of a fault. An input may name options of
    the command."""
    results = [None] * len(inputs)
    for options in dict.fromkeys(tuple(each.get("with", [])) for each in inputs):
        these = [i for i, each in enumerate(inputs) if tuple(each.get("with", [])) == options]
        pairs = [{name: value for name, value in inputs[i].items() if name != "with"} for i in these]
        for i, r in zip(these, records(["grade", "--quiet", *options], pairs, program)):
            results[i] = [r.get(name) for name in ("correct", "why", "reason", "answer_read", "answer_as", "gold_as")] \
                if "correct" in r else r["error"]
    return results


# ---- tokens --------------------------------------------------------------------------------------

def rooms():
    """The rooms that read texts: those that src/meson.build names before `chain`."""
    listed = re.search(r"^rooms = \[(.*?)\]", (PROJECT / "src/meson.build").read_text(), re.M | re.S)[1]
    names = re.findall(r"'(\w+)'", listed)
    return [name for name in names[:names.index("chain")] if name != "base"]


def literal_lists():
    """The strings of each source of these rooms that hold a word, a list for each source."""
    lists = []
    for path in sorted((path for room in rooms() for path in (PROJECT / "src" / room).rglob("*.c")), key=lambda path: path.name):
        code = re.sub(r"^#include.*$", "", path.read_text(), flags=re.MULTILINE)
        literals = [each for text in LITERAL.findall(code) for each in re.split(r"(?<!\\);|(?<!\\)\\n", text)]  # one may be a list of phrases
        texts = {text.replace("\\\\", "\\").strip() for text in literals if "%" not in text}
        texts = {text for text in texts if words_in([text]) and len(text) < 40}
        if texts:
            lists.append(tuple(sorted(texts)))
    return lists


def words_in(texts):
    return {token for text in texts for token in TOKEN.findall(text) if token.strip("\\").isalpha()}


class Changer:
    def __init__(self, lists):
        self.rng, self.beside = None, {}
        for literals in lists:
            for word in sorted({*literals, *words_in(literals)}):
                self.beside.setdefault(word, []).append(literals)
        self.words = sorted({literal for literals in lists for literal in literals})

    def other_word(self, word):
        """Another string of a source in which it stands, or of any."""
        lists = self.beside.get(word) or self.beside.get(word.lower())
        return self.rng.choice(self.rng.choice(lists) if lists and self.rng.random() < 0.8 else self.words)

    def other(self, token):
        if token[0].isdecimal():
            n = re.sub(r"[^0-9]", "", token) or "0"
            return self.rng.choice([self.rng.choice(NUMBERS), str(int(n) + self.rng.choice([-1, 1]))])
        if token.strip("\\").isalpha():
            return self.rng.choice([self.other_word(token), self.other_word(token), token.capitalize(), token.upper()])
        return self.rng.choice(SIGNS)

    def change(self, text):
        tokens = TOKEN.findall(text)
        for _ in range(self.rng.choice([1, 1, 1, 2, 2, 3])):
            if not tokens:
                return text
            i = self.rng.randrange(len(tokens))
            way = self.rng.random()
            if way < 0.6:
                tokens[i] = self.other(tokens[i])
            elif way < 0.75:
                del tokens[i]
            elif way < 0.9:
                tokens.insert(i, self.rng.choice([self.rng.choice(NUMBERS), self.rng.choice(SIGNS), " " + self.rng.choice(self.words) + " "]))
            else:
                tokens.insert(i, tokens[self.rng.randrange(len(tokens))])
        return "".join(tokens)[:LONGEST]


# ---- calculations and answers --------------------------------------------------------------------

def formula_pairs(rng, n):
    """Formulas, each with another that has its value or not."""
    trees = [formulas.make(rng, rng.randint(1, 4), rng.random() < 0.5) for _ in range(n)]
    return [(formulas.write(rng, tree), formulas.write(rng, rng.choice([formulas.rewrite, formulas.change])(rng, tree))) for tree in trees]


def function_pairs(rng, n):
    return [(a, b) for a, b, _ in functions.pairs(rng, n)]


def equal(texts):
    """Whether texts are plain arithmetic of one value; None: they are not plain."""
    if any("/" in text.partition("/")[2] or "," in text for text in texts):  # 6 / 1/2 is 12; 0,5 may be 1/2
        return None
    try:
        values = [calc_exact.value_of(text) for text in texts]
    except calc_exact.NotArithmetic:
        return None
    return values[0] == values[1]


class Calculations:
    results = staticmethod(calculations)

    def golden(self):
        found, question, step = [], "", []
        for path in sorted(GOLDEN.glob("calculation*.txt")):
            for line in [*path.read_text().splitlines(), ""]:
                if line.startswith("? "):
                    question = line[2:]
                elif line.startswith("> "):
                    step.append(line[2:])
                elif not line and step:
                    found.append({"question": question, "steps": ["\n".join(step)]})
                    question, step = "", []
        return found

    def generated(self):
        rows = [{"question": case.question, "steps": case.steps}
                for form in calc_forms.FORMS for case in form(random.Random(f"drawn {form.__name__}"))]
        rows += [{"question": "", "steps": text.split(" || ")} for _, _, text in calc_contexts.sentences(1000, 1, False)]
        rows += [{"question": question, "steps": steps} for question, steps, _ in value_forms.walks(random.Random(1), 100)]
        rows += [{"question": "", "steps": [f"{a} = {b}"]}
                 for a, b in formula_pairs(random.Random(1), FORMULAS) + function_pairs(random.Random(1), FORMULAS)]
        return rows

    def texts(self, each):
        return each["steps"]

    def drawn(self, each, after, rng, changer):
        steps = list(each["steps"])
        if rng.random() < 0.15:
            i = rng.randrange(len(steps))
            steps[i] += rng.choice([" ", ", ", ". ", "\n", " and ", ", so "]) + rng.choice(after["steps"])
        i = rng.randrange(len(steps))
        steps[i] = changer.change(steps[i]) or "0"
        if rng.random() < 0.1:  # a chain that goes on with another
            steps = [*steps, *after["steps"]][:6]
        return {"question": each["question"], "steps": steps}

    def truths(self, each, result):
        """[(whether it is called right, whether it is), ...] of plain calculations; a note says how others are read."""
        commas = any(re.search(r"\d,\d\d?(?!\d)", step) for step in each["steps"])  # then 1.250 is not 1.25
        for step, (_, *said) in zip(each["steps"], result):
            for text in said:
                found = CALCULATION.match(text)
                if found and "; note " not in text and not commas:
                    sides = step.encode()[int(found[1]):int(found[2])].decode().split("=")
                    if len(sides) == 2:
                        yield found[3] == "right", equal(sides)

    def fuzz_input(self, each):
        """As fuzz/calculations.c reads it."""
        return "\0".join([each["question"], *each["steps"]]).encode()


class Answers:
    results = staticmethod(answers)

    def golden(self):
        found = []
        for path in sorted((GOLDEN / "answers").glob("*.tsv")):
            for line in path.read_text().splitlines():
                parts = line.split("\t")
                if line.startswith("#") or len(parts) < 4:
                    continue
                kind, *options = parts[0].split("|")
                each = {"kind": kind, "gold": parts[1]}
                if options:
                    each["options"] = options
                each["text" if path.name == "replies.tsv" else "answer"] = parts[2].replace("↵", "\n")
                found.append(each)
        return found

    def generated(self):
        rows = [{**pair.record, **({"with": list(pair.options)} if pair.options else {})}
                for form in answer_forms.FORMS for pair in form(random.Random(f"drawn {form.__name__}"))]
        rows += [{"kind": "latex" if i % 2 else "auto", "gold": a, "answer": b}
                 for i, (a, b) in enumerate(formula_pairs(random.Random(2), FORMULAS) + function_pairs(random.Random(2), FORMULAS))]
        return rows

    def texts(self, each):
        return [str(each.get("text", each.get("answer"))), str(each["gold"])]

    def drawn(self, each, after, rng, changer):
        answer, gold = self.texts(each)
        if rng.random() < 0.1:
            answer += rng.choice([" ", ", ", ". ", "\n", " and ", " or "]) + self.texts(after)[0]
        if rng.random() < 2 / 3:
            answer = changer.change(answer) or "0"
        else:
            gold = changer.change(gold) or "0"
        each = {**each, "text" if "text" in each else "answer": answer, "gold": gold}
        if rng.random() < 0.1:
            each["kind"] = rng.choice(TYPES)
        if rng.random() < 0.3:
            each.pop("with", None)
            options = rng.choice(OPTIONS)
            if options:
                each["with"] = options
        way = rng.random()
        if way < 0.05:
            each["gold"] = str(after["gold"])
        elif way < 0.15 and "answer" in each:
            each["text"] = rng.choice(INTRODUCTIONS).format(each.pop("answer"))
        return each

    def truths(self, each, result):
        if "answer" in each and each.get("kind", "auto") in ("auto", "number", "latex") and not {"with", "options"} & set(each):
            if isinstance(result[0], bool):
                yield result[0], equal([each["answer"], each["gold"]])

    def fuzz_input(self, each):
        """As fuzz/grade.c reads it."""
        options, kind = each.get("with", []), each.get("kind", "auto")
        flags = (1 if "--tolerance" in options else 0) | (2 if "--decimals-as-shown" in options else 0) | \
            (4 if "--relations-as-sets" in options else 0) | (8 if "options" in each else 0) | TYPES.index(kind) << 4
        return bytes([flags]) + f"{each.get('text', each.get('answer'))}\n%%\n{each['gold']}".encode()


KINDS = {"calculations": Calculations(), "answers": Answers()}


def draw(kind, seed=1, most=OF_GOLDEN):
    """[(a row, [an input drawn of it, ...]), ...], at most `most` inputs a row; they depend on the row, the next one, the words of the sources and the seed."""
    rows = {repr(sorted(each.items())): (each, number)
            for each, number in [*((each, OF_GOLDEN) for each in kind.golden()), *((each, OF_GENERATED) for each in kind.generated())]
            if max(map(len, kind.texts(each))) <= LONGEST}
    changer, found = Changer(literal_lists()), []
    keys = list(rows)
    for key, after in zip(keys, [*keys[1:], keys[0]]):
        each, number = rows[key]
        rng = changer.rng = random.Random(f"{seed} {key}")
        found.append((each, [kind.drawn(each, rows[after][0], rng, changer) for _ in range(min(number, most))]))
    return found


def inputs_of(kind, seed=1):
    return [each for _, of_row in draw(kind, seed) for each in of_row]


def write_seeds(kind, seed, folder):
    """Every third row, and one input of each of these."""
    folder.mkdir(parents=True, exist_ok=True)
    for i, each in enumerate(each for row, of_row in draw(kind, seed, 1)[::3] for each in (row, *of_row)):
        (folder / f"drawn-{i:05}").write_bytes(kind.fuzz_input(each))


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("kind", choices=sorted(KINDS))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seeds", type=Path, metavar="FOLDER")
    parser.add_argument("--replay", type=Path, metavar="PROGRAM")
    args = parser.parse_args()
    kind = KINDS[args.kind]
    if args.seeds:
        write_seeds(kind, args.seed, args.seeds)
        return 0
    if args.replay:
        with tempfile.TemporaryDirectory() as folder:
            write_seeds(kind, args.seed, Path(folder))
            return 0 if subprocess.run([str(args.replay), folder], check=False).returncode == 0 else 1
    inputs = inputs_of(kind, args.seed)
    plain = [(each, said == true) for each, result in zip(inputs, kind.results(inputs)) if not isinstance(result, str)
             for said, true in kind.truths(each, result) if true is not None]
    untrue = [each for each, holds in plain if not holds]
    for each in untrue:
        print(f"untrue of: {json.dumps(each, ensure_ascii=False)}")
    print(f"{len(inputs)} inputs, {len(plain)} of plain arithmetic, {len(untrue)} untrue")
    return 1 if untrue or not plain else 0


if __name__ == "__main__":
    sys.exit(main())
