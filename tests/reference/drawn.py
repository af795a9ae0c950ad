#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whether the program says of 80,000 drawn inputs what it said before.

    drawn.py calculations|answers [--write | --before PROGRAM]

The inputs are those that draw_snapshots.py draws, a few of each row of the golden files and of the generators; they are drawn
anew each time, and only digests of the results are kept, in tests/golden/snapshots/drawn_calculations.txt and
drawn_answers.txt: a line for each row, its digest and then, for each input, five digits of its own and four of its result.
The words that are drawn are those of the sources when the digests were written (words_calculations.jsonl, words_answers.jsonl).
An input that is not drawn any more, since its row or the next one has changed, is passed over. As a snapshot it
asserts that nothing changes unseen. Where both sides are plain arithmetic (calc_exact.py) it asserts the truth too: what is
called right is equal, what is called wrong is not.
--before shows what another program, that of the state before, says of the inputs whose result differs. --write writes the
digests again.
Program: RDV_PROGRAM, or build/rederive. Exits with 1 if an input has another result, or an untrue one, or if too few could be compared."""
import argparse
import hashlib
import json
import random
import re
import sys

import calc_contexts
import calc_exact
import draw_snapshots
import formulas
import functions
import records
import snapshots
import value_forms

FILES = {"calculations": "drawn_calculations.txt", "answers": "drawn_answers.txt"}
WORDS = {"calculations": "words_calculations.jsonl", "answers": "words_answers.jsonl"}  # a list of a source in each line
OF_GOLDEN, OF_GENERATED = 14, 2  # inputs drawn of each row; a golden row mostly stands for a rule of its own
OF_INPUT, OF_RESULT, OF_LINE = 5, 4, 8  # hexadecimal digits
COMPARED = 0.8  # the share of the digests that must be compared
SHOWN = 20  # differences that are printed
FORMULAS = 800
CALCULATION = re.compile(r"(\d+)-(\d+) (right|wrong)\b")  # of a text of snapshots.py
INTRODUCTIONS = ["The answer is {}.", "#### {}", "So the final answer is {}", "Thus, we get {}.", "Answer: {}", "**{}**",
                 "{} is the answer", "I think it is {}, not 5.", "After that: {}\nDone.", "The answer is 3. Wait, no: {}"]


def formula_pairs(rng, n):
    """Formulas, each with another that has its value or not."""
    trees = [formulas.make(rng, rng.randint(1, 4), rng.random() < 0.5) for _ in range(n)]
    return [(formulas.write(rng, tree), formulas.write(rng, rng.choice([formulas.rewrite, formulas.change])(rng, tree))) for tree in trees]


def function_pairs(rng, n):
    return [(a, b) for a, b, _ in functions.pairs(rng, n)]


def digest(what, digits):
    return hashlib.blake2b(repr(what).encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()[:digits]


def equal(texts):
    """Whether texts are plain arithmetic of one value; None: they are not plain."""
    if any("/" in text.partition("/")[2] or "," in text for text in texts):  # 6 / 1/2 is 12; 0,5 may be 1/2
        return None
    try:
        values = [calc_exact.value_of(text) for text in texts]
    except calc_exact.NotArithmetic:
        return None
    return values[0] == values[1]


class Calculations(draw_snapshots.Calculations):
    def generated(self):
        rows = super().generated()
        rows += [{"question": "", "steps": text.split(" || ")} for _, _, text in calc_contexts.sentences(1000, 1, False)]
        rows += [{"question": question, "steps": steps} for question, steps, _ in value_forms.walks(random.Random(1), 100)]
        rows += [{"question": "", "steps": [f"{a} = {b}"]}
                 for a, b in formula_pairs(random.Random(1), FORMULAS) + function_pairs(random.Random(1), FORMULAS)]
        return rows

    def drawn(self, each, seeds, rng, changer):
        drawn = super().drawn(each, seeds, rng, changer)
        if rng.random() < 0.1:  # a chain that goes on with another
            drawn["steps"] = [*drawn["steps"], *seeds[0]["steps"]][:6]
        return drawn

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


class Answers(draw_snapshots.Answers):
    def generated(self):
        rows = super().generated()
        rows += [{"kind": "latex" if i % 2 else "auto", "gold": a, "answer": b}
                 for i, (a, b) in enumerate(formula_pairs(random.Random(2), FORMULAS) + function_pairs(random.Random(2), FORMULAS))]
        return rows

    def drawn(self, each, seeds, rng, changer):
        drawn = super().drawn(each, seeds, rng, changer)
        way = rng.random()
        if way < 0.05:
            drawn["gold"] = str(seeds[0]["gold"])
        elif way < 0.15 and "answer" in drawn:
            drawn["text"] = rng.choice(INTRODUCTIONS).format(drawn.pop("answer"))
        return drawn

    def truths(self, each, result):
        if "answer" in each and each.get("kind", "auto") in ("auto", "number", "latex") and not {"with", "options"} & set(each):
            if isinstance(result[0], bool):
                yield result[0], equal([each["answer"], each["gold"]])


KINDS = {"calculations": Calculations, "answers": Answers}


def draw(kind, words):
    """[(digest of a row, [input, ...]), ...]. What is drawn of a row depends on the row, the next one, and the words."""
    rows = {draw_snapshots.key(each): (each, number)
            for each, number in [*((each, OF_GOLDEN) for each in kind.golden()), *((each, OF_GENERATED) for each in kind.generated())]
            if max(len(str(text)) for text in kind.texts(each)) <= draw_snapshots.LONGEST}
    changer = draw_snapshots.Changer(None, words)
    keys, drawn = list(rows), []
    for row, after in zip(keys, [*keys[1:], keys[0]]):
        (each, number), beside = rows[row], [rows[after][0]]
        rng = changer.rng = random.Random(row)
        drawn.append((digest(row, OF_LINE), [kind.drawn(each, beside, rng, changer) for _ in range(number)]))
    return drawn


def lines_of(drawn, results):
    """The lines of the file."""
    left = iter(results)
    return sorted(row + " " + "".join(digest(draw_snapshots.key(each), OF_INPUT) + digest(next(left), OF_RESULT) for each in inputs)
                  for row, inputs in drawn)


def compare(drawn, results, lines):
    """(how many were compared, those of another result: [(input, result), ...])"""
    before = dict(line.split(" ") for line in lines)
    left, compared, differ = iter(results), 0, []
    for row, inputs in drawn:
        was = before.get(row, "")
        for i, each in enumerate(inputs):
            result, at = next(left), i * (OF_INPUT + OF_RESULT)
            if was[at:at + OF_INPUT] == digest(draw_snapshots.key(each), OF_INPUT):
                compared += 1
                if was[at + OF_INPUT:at + OF_INPUT + OF_RESULT] != digest(result, OF_RESULT):
                    differ.append((each, result))
    return compared, differ


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("kind", choices=sorted(FILES))
    parser.add_argument("--write", action="store_true", help="write the digests again")
    parser.add_argument("--before", metavar="PROGRAM", help="a program to show what was said before")
    args = parser.parse_args()
    kind, made, path = KINDS[args.kind](), snapshots.MADE[args.kind], snapshots.FOLDER / FILES[args.kind]
    words_path = snapshots.FOLDER / WORDS[args.kind]
    if args.write:
        words_path.write_text("".join(json.dumps(words, ensure_ascii=False) + "\n" for words in draw_snapshots.literal_lists(kind.room)),
                              encoding="utf-8")
    drawn = draw(kind, [tuple(json.loads(line)) for line in words_path.read_text(encoding="utf-8").split("\n") if line])
    inputs = [each for _, of_row in drawn for each in of_row]
    results = made(inputs)
    plain = [(each, said == true) for each, result in zip(inputs, results) if not isinstance(result, str)
             for said, true in kind.truths(each, result) if true is not None]
    untrue = [each for each, holds in plain if not holds]
    for each in untrue:
        print(f"untrue of: {json.dumps(each, ensure_ascii=False)}")
    if args.write:
        path.write_text("".join(line + "\n" for line in lines_of(drawn, results)))
    lines = path.read_text().splitlines()
    compared, differ = compare(drawn, results, lines)
    shown = differ[:SHOWN]
    if args.before:
        records.PROGRAM = args.before
    for (each, now), was in zip(shown, made([each for each, _ in shown]) if args.before else [None] * len(shown)):
        print(json.dumps(each, ensure_ascii=False), *([f"    was {json.dumps(was, ensure_ascii=False)}"] if args.before else []),
              f"    now {json.dumps(now, ensure_ascii=False)}", sep="\n")
    kept = sum(len(line.split(" ")[1]) // (OF_INPUT + OF_RESULT) for line in lines)
    print(f"{len(results)} inputs, {compared} of {kept} compared, {len(differ)} with another result; "
          f"{len(plain)} plain ones, {len(untrue)} untrue" +
          (f"; drawn.py {args.kind} --before PROGRAM shows what was said before; if it is as it should be: --write" if differ else ""))
    return 1 if differ or untrue or not plain or compared < COMPARED * kept or not kept else 0


if __name__ == "__main__":
    sys.exit(main())
