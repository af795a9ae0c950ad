#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Draws the inputs of tests/golden/snapshots, and writes them with what the program makes of them (snapshots.py).

    draw_snapshots.py calculations|answers BUILD_CLANG [--seed N] [--drawn N] [--work DIR]

The seeds are rows of the golden files and of the generators. One to three of their tokens are changed at random: a number by
another, a word by another of the same list of the source, a sign by another, one left out, doubled, or two texts joined.
Of what is drawn, an input is kept if
  - libFuzzer finds that it reaches a branch that none before it reaches (BUILD_CLANG/fuzz/libfuzzer_NAME -merge=1), or
  - it has a word that stands in a string of the source, and another in its place has another result (two inputs for each word).
Program: RDV_PROGRAM, or build/rederive."""
import argparse
import functools
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import answer_forms
import calc_forms
import snapshots

PROJECT = Path(__file__).resolve().parents[2]
GOLDEN = PROJECT / "tests/golden"
TOKEN = re.compile(r"\d+(?:[.,]\d+)*|\\?[^\W\d_]+|\s+|.", re.DOTALL)
LITERAL = re.compile(r'"((?:[^"\\\n]|\\.)+)"')
NUMBERS = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12", "13", "15", "16", "20", "24", "25", "30", "32", "48",
           "50", "59", "60", "64", "72", "90", "99", "100", "101", "120", "180", "255", "360", "365", "999", "1000", "1001", "1024",
           "1,000", "1,000,000", "12,34", "1000000000", "18446744073709551616", "0.1", "0.25", "0.5", "0.333", "0.334", "0.67", "1.5",
           "2.50", "3.14", "3.1416", "33.3", "33.34", "99.99", "007", "1e3", "2.5e-3", "-1", "-3", "1/2", "1/3", "2/3", "3/4", "7/0"]
SIGNS = ["+", "-", "*", "/", "=", "<", ">", "≤", "≠", "≈", "×", "÷", "−", "^", "(", ")", "[", "]", "{", "}", "|", ":", ";", ",", ".",
         "!", "?", "%", "$", "€", "°", "√", "π", "²", "~", "&", "_", "'", '"', "\n", " ", "  ", "…", "=>", "→", "==", "\\"]
NONSENSE = "blorf"
LONGEST = 240  # characters of a text
OPTIONS = [[], [], [], ["--tolerance", "0.001"], ["--decimals-as-shown"], ["--relations-as-sets"]]


def literal_lists(room):
    """The strings of each source of the room that hold a word, a list for each source."""
    lists = []
    for path in sorted((PROJECT / "src" / room).rglob("*.c")):
        code = re.sub(r"^#include.*$", "", path.read_text(), flags=re.MULTILINE)
        literals = [each for text in LITERAL.findall(code) for each in re.split(r"(?<!\\);|(?<!\\)\\n", text)]  # one may be a list of phrases
        texts = {text.replace("\\\\", "\\").strip() for text in literals if "%" not in text}
        texts = {text for text in texts if words_in([text]) and len(text) < 40}
        if texts:
            lists.append(tuple(sorted(texts)))
    return lists


class Changer:
    def __init__(self, rng, lists):
        self.rng, self.beside = rng, {}
        for literals in lists:
            for word in {*literals, *words_in(literals)}:
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


@functools.cache
def words_of(literals):
    return words_in(literals)


def words_in(texts):
    return {token for text in texts for token in TOKEN.findall(text) if token.strip("\\").isalpha()}


class Kind:
    def seeds(self):
        return self.golden() + self.generated()


class Calculations(Kind):
    room, target = "math", "calculations"

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
        return [{"question": case.question, "steps": case.steps}
                for form in calc_forms.FORMS for case in form(random.Random(f"snapshot {form.__name__}"))]

    def texts(self, each):
        return each["steps"]

    def with_texts(self, each, texts):
        return {"question": each["question"], "steps": texts}

    def drawn(self, each, seeds, rng, changer):
        texts = list(each["steps"])
        if rng.random() < 0.15:
            i = rng.randrange(len(texts))
            texts[i] = texts[i] + rng.choice([" ", ", ", ". ", "\n", " and ", ", so "]) + rng.choice(rng.choice(seeds)["steps"])
        i = rng.randrange(len(texts))
        texts[i] = changer.change(texts[i]) or "0"
        return self.with_texts(each, texts)


class Answers(Kind):
    room, target = "answer", "grade"

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
        return [{**pair.record, **({"with": list(pair.options)} if pair.options else {})}
                for form in answer_forms.FORMS for pair in form(random.Random(f"snapshot {form.__name__}"))]

    def texts(self, each):
        return [each.get("text", each.get("answer")), each["gold"]]

    def with_texts(self, each, texts):
        return {**each, "text" if "text" in each else "answer": texts[0], "gold": texts[1]}

    def drawn(self, each, seeds, rng, changer):
        texts = [t if isinstance(t, str) else str(t) for t in self.texts(each)]
        if rng.random() < 0.1:
            texts[0] += rng.choice([" ", ", ", ". ", "\n", " and ", " or "]) + str(self.texts(rng.choice(seeds))[0])
        i = rng.choice([0, 0, 1])
        texts[i] = changer.change(texts[i]) or "0"
        each = self.with_texts(each, texts)
        if rng.random() < 0.1:
            each["kind"] = rng.choice(snapshots.KINDS)
        if rng.random() < 0.3:
            each.pop("with", None)
            options = rng.choice(OPTIONS)
            if options:
                each["with"] = options
        return each


def key(each):
    return repr(sorted(each.items()))


def of_new_branches(fuzz_input, inputs, fuzzer, work):
    """Those that libFuzzer keeps."""
    given, kept = work / "given", work / "kept"
    for folder in (given, kept):
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    content = {}
    for i, each in enumerate(inputs):
        data = fuzz_input(each)
        content.setdefault(data, each)
        (given / f"{i:06}").write_bytes(data)
    with (work / "merge.log").open("w") as log:
        # An input that fails is left out, and stored in the work folder.
        subprocess.run([str(fuzzer), "-merge=1", "-use_counters=0", f"-artifact_prefix={work}/", str(kept), str(given)], stdout=log, stderr=log, check=False)
    for path in sorted(work.glob("crash-*")):
        print(f"fails: {fuzzer} {path}")
    return [content[path.read_bytes()] for path in sorted(kept.iterdir())]


def masked(result, word):
    """A result without the word, so that a text that is only repeated in it is no difference."""
    return re.sub(r"\d+-\d+ ", "", repr(result).replace(word, NONSENSE))


def of_each_word(kind, inputs, words, made, each_word):
    """(inputs of which a word is the only cause of their result, a few for each word; the words without one)"""
    tries = []
    for each in inputs:
        for word in sorted(words_in(kind.texts(each)) & words):
            pattern = re.compile(rf"(?<![^\W\d_]){re.escape(word)}(?![^\W\d_])")
            tries.append((word, each, kind.with_texts(each, [pattern.sub(NONSENSE, text) for text in kind.texts(each)])))
    before, after = made([t[1] for t in tries]), made([t[2] for t in tries])
    found = {}
    for (word, each, _), a, b in zip(tries, before, after):
        if masked(a, word) != masked(b, word):
            found.setdefault(word, {}).setdefault(masked(a, word), each)
    return [each for word in sorted(found) for each in list(found[word].values())[:each_word]], words - set(found)


def drawn_for(word, kind, seeds, rng, changer, number):
    """Inputs with the word, or with a string of a source in which it stands, in the place of a string of that source."""
    lists = changer.beside[word]
    near = {literals: [each for each in seeds if words_in(map(str, kind.texts(each))) & words_of(literals)] for literals in lists}
    found = []
    for _ in range(number):
        literals = rng.choice(lists)
        put = rng.choice([word, *[literal for literal in literals if word in words_in([literal])]])
        each = rng.choice(near[literals] or seeds)
        texts = [str(text) for text in kind.texts(each)]
        i = rng.randrange(len(texts))
        tokens = TOKEN.findall(texts[i])
        same = [j for j, token in enumerate(tokens) if token in words_of(literals)]
        if same and rng.random() < 0.7:
            tokens[rng.choice(same)] = put
        else:
            tokens.insert(rng.randrange(len(tokens) + 1), f" {put} ")
        texts[i] = "".join(tokens)[:LONGEST]
        found.append(kind.with_texts(each, texts))
    return found


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("kind", choices=sorted(snapshots.FILES))
    parser.add_argument("build", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--drawn", type=int, default=60000)
    parser.add_argument("--each-word", type=int, default=2)
    parser.add_argument("--for-word", type=int, default=100, help="inputs that are drawn for a word that none shows")
    parser.add_argument("--work", type=Path)
    args = parser.parse_args()
    kind = {"calculations": Calculations, "answers": Answers}[args.kind]()
    made_here = None if args.work else tempfile.TemporaryDirectory()  # removed at the end
    work = args.work or Path(made_here.name)
    rng = random.Random(f"{args.seed} {args.kind}")
    lists = literal_lists(kind.room)
    changer = Changer(rng, lists)
    seeds = [each for each in kind.seeds() if max(len(str(t)) for t in kind.texts(each)) <= LONGEST]
    inputs = {}
    while len(inputs) < args.drawn:
        each = kind.drawn(rng.choice(seeds), seeds, rng, changer)
        inputs.setdefault(key(each), each)
    inputs = list(inputs.values())
    made = snapshots.MADE[args.kind]
    chosen = {key(each): each for each in of_new_branches(snapshots.FUZZ_INPUTS[args.kind], inputs, args.build / f"fuzz/libfuzzer_{kind.target}", work)}
    branches = len(chosen)
    showing, left = of_each_word(kind, inputs, {word for literals in lists for word in words_in(literals)}, made, args.each_word)
    more = [each for word in sorted(left) for each in drawn_for(word, kind, seeds, rng, changer, args.for_word)]
    showing_left, left = of_each_word(kind, more, left, made, args.each_word)
    chosen.update((key(each), each) for each in showing + showing_left)
    print("no input shows these words of the sources: " + " ".join(sorted(left)))
    snapshots.write(args.kind, list(chosen.values()), made(list(chosen.values())))
    print(f"{len(seeds)} seeds, {len(inputs)} drawn; {branches} kept for a branch, {len(chosen) - branches} more for a word")
    return 0


if __name__ == "__main__":
    sys.exit(main())
