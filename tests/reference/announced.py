#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Whole replies that announce an answer, or that there is none, graded: the truth is known of each.

    announced.py [--seed N] [--replies N] [--kind K] [--posed text|answer]

Kinds: `none` announces a non-answer, with numbers before and behind it; `announced` announces an answer and goes on with
other numbers; `formula` gives a value as a formula, of which no number by itself is the answer; `object` states a tuple, an interval, a set, a vector or a matrix without announcing it; `aside` says more of a
value behind it; `several` states two values of one name, a list of roots or a ratio; `disowned` announces an answer that is wrong,
supposed or another's; `options` names several options or excluded ones, `yes or no` says "no" beside a noun, `parts` gives two
numbers of different things; and `withdrawn` takes one back behind: of these no answer that the reply does not stand by may be graded
the same, and none that it gives in its place different. Of each kind N replies are drawn (3,000), of `none` 10,000. No number that the reply does not give as its
answer may be graded the same; the answer must be. Program: RDV_PROGRAM, or build/rederive. Exits with 1 if one differs."""
import argparse
import json
import os
import random
import subprocess
import sys
from collections import Counter
from fractions import Fraction

THINGS = ["apples", "sides", "pages", "dollars", "cases", "students", "km", "boxes"]
# How an answer is announced; {} stands for it.
ANNOUNCE = ["The answer is {}.", "So the answer is {}.", "Final answer: {}.", "Answer: {}.", "Therefore, the final answer is {}.",
            "**Answer:** {}.", "The correct answer would be {}.", "The answer to the question is {}.", "ans = {}.",
            "The answer (in units) is {}."]
FOREIGN = ["Die Antwort lautet {}.", "Die Antwort ist {}.", "Lösung: {}.", "La réponse est {}.", "La réponse finale est {}.",
           "La respuesta es {}.", "La respuesta final es {}.", "A resposta é {}.", "La risposta è {}.", "Het antwoord is {}.",
           "Svaret är {}.", "Ответ: {}.", "Odpowiedź: {}.", "Cevap: {}.", "Jawabannya adalah {}.", "Jibu ni {}.", "Đáp án là {}.",
           "答案是 {}。", "最终答案为：{}。", "答えは {} です。", "正解は {}。", "정답은 {} 입니다.", "คำตอบคือ {}\n", "उत्तर है {}।"]
# What no number answers, behind an announcement; the second half stands in no row of rules/answers.rules.
NOTHING = ["unknown", "none", "no solution", "impossible", "impossible to tell", "cannot be determined", "undefined", "infinitely many",
           "not enough information", "there is no such number", "that it cannot be known", "indeterminate", "unclear", "does not exist",
           "nobody's business", "a mystery", "left to the reader", "anybody's guess", "irrational", "beyond what I can say", "open",
           "still to be found", "something else", "red", "whatever you like", "complicated", "not a number", "it depends"]
# Sentences that say by themselves that there is no answer.
SENTENCES = ["I don't know.", "I do not know the answer.", "We don't know.", "I have no idea.", "It cannot be determined.",
             "This can't be determined from what is given.", "There is not enough information.", "There isn't enough data to say.",
             "It is impossible to determine.", "It is not possible to say.", "I cannot answer that.", "Insufficient information.",
             "Ich weiß es nicht.", "Das kann nicht bestimmt werden.", "Je ne sais pas.", "No lo sé.", "No se puede determinar.",
             "Non lo so.", "Não sei.", "Ik weet het niet.", "Я не знаю.", "Nie wiem.", "我不知道。", "无法确定。", "わかりません。"]
# Parts of such sentences: who, what cannot be done, and to what.
WHO = ["I", "We", "I'm afraid I", "Sorry, but I", "As things are, we"]
UNABLE = ["cannot {do} {what}.", "can't {do} {what}.", "could not {do} {what}.", "couldn't {do} {what}.", "was not able to {do} {what}.",
          "was unable to {do} {what}.", "failed to {do} {what}.", "will not {do} {what}."]
DO = ["solve", "answer", "determine", "compute", "find", "calculate"]
WHAT = ["this", "it", "that", "the answer", "this problem", "the value", "a solution", "an answer", "any result"]
GIVEN = ["The problem does not say how many there are.", "The text doesn't give the price.", "The question does not specify which one is meant.",
         "No answer could be found.", "No solution was found.", "There is no solution.", "There is no way to tell.", "There's no way of knowing.",
         "More information is needed.", "The information given is not enough.", "It is unclear how many are left.", "The problem has no solution.",
         "The question is unanswerable.", "No one knows.", "We give up.", "I did not find an answer.", "No value can be computed.",
         "It is impossible to calculate.", "Unable to solve.", "It depends on the price.", "The answer is \\boxed{}.", "Final answer: ???",
         "Answer: N/A (see above)"]
FOREIGN_NOTHING = [("Die Antwort ist unbekannt.", ), ("La respuesta es desconocida.", ), ("La réponse est inconnue.", ),
                   ("La risposta è sconosciuta.", ), ("A resposta é desconhecida.", ), ("Ответ: неизвестен.", ), ("答案是未知。", ),
                   ("答案：无法确定。", ), ("Het antwoord is onbekend.", ), ("Cevap: bilinmiyor.", ), ("答えは不明です。", )]


def counted(rng):
    number = rng.choice([rng.randint(2, 99), rng.randint(100, 9999)])
    return number, f"{number} {rng.choice(THINGS)}"


def behind(rng):
    """A sentence with a number, and the number."""
    number, thing = counted(rng)
    other = rng.randint(2, 40)
    return number, rng.choice([
        f"We have {thing}.", f"I checked {thing}.", f"It has {thing}.", f"There are {thing}.", f"So there are {thing}.",
        f"(It was problem {number})", f"See step {number}.", f"See Table {number}.", f"Confidence: {number}", f"Source: page {number}",
        f"E.g. {number}", f"For example, {other} + {number - other} = {number}.", f"That would be {thing} in all.", f"Hence x = {number}.",
        f"Tom has {thing} and Ann has {thing}.", f"${number}$", f"**{number}**"])


def none(rng):
    way = rng.random()
    if way < 0.5:
        said = rng.choice(ANNOUNCE).format(rng.choice(NOTHING))
    elif way < 0.65:
        said = rng.choice(SENTENCES)
    elif way < 0.75:
        said = f"{rng.choice(WHO)} {rng.choice(UNABLE).format(do=rng.choice(DO), what=rng.choice(WHAT))}"
    elif way < 0.85:
        said = rng.choice(GIVEN)
    elif way < 0.95:
        said = rng.choice(FOREIGN_NOTHING)[0]
    else:
        said = rng.choice(["\\boxed{}", "\\boxed{\\text{no solution}}", "<answer>unknown</answer>", "#### unknown", "\\boxed{?}"])
    opening = f"Tom has {counted(rng)[1]}. " if rng.random() < 0.6 else ""
    number, tail = behind(rng)
    last = rng.random()
    reply = opening + said + (f"{rng.choice([' ', ' ', chr(10), chr(10) * 2])}{tail}" if last < 0.8 else "")
    if last >= 0.8:  # only what stands before it
        number = int("".join(c for c in opening if c.isdigit()) or number)
    return [(reply, str(number), False)]


def announced(rng):
    (answer, text), (other, tail) = counted(rng), behind(rng)
    way = rng.choice(ANNOUNCE + FOREIGN)
    value = str(answer) if way in FOREIGN else rng.choice([str(answer), text, f"${answer}$"])
    reply = f"Tom has {counted(rng)[1]}. {way.format(value)}{rng.choice([' ', chr(10)])}{tail}"
    return [(reply, str(answer), True), (reply, str(other), other == answer)]


def items(rng, n):
    return [rng.choice([str(rng.randint(0, 99)), str(-rng.randint(1, 20)), f"{rng.randint(1, 9)}.{rng.randint(1, 9)}"]) for _ in range(n)]


def whole(rng):
    kind = rng.choice(["tuple", "interval", "set", "matrix", "union", "decimals"])
    low, high = sorted(rng.sample(range(-9, 90), 2))
    if kind == "interval":
        left, right = rng.choice("(["), rng.choice(")]")
        first = rng.choice([str(low), str(low), "-\\infty" if left == "(" else str(low)])
        gold, end = f"{left}{first}, {high}{right}", str(high)
        shown = rng.choice([gold, gold.replace("-\\infty", "-∞"), gold.replace(", ", ",")])
        lead = rng.choice(["So the interval is", "The domain is", "Hence x in", "So the range is"])
    elif kind == "union":
        gold, end = f"(-\\infty, {low}) \\cup ({high}, \\infty)", str(high)
        shown, lead = rng.choice([gold, f"(-∞, {low}) ∪ ({high}, ∞)"]), rng.choice(["The domain is", "So the solution is"])
    elif kind == "set":
        numbers = sorted(set(rng.sample(range(1, 60), rng.randint(2, 4))))
        gold, end = "\\{" + ", ".join(map(str, numbers)) + "\\}", str(numbers[-1])
        shown, lead = rng.choice([gold.replace("\\", ""), gold, f"${gold}$"]), rng.choice(["The set is", "So the solution set is"])
    elif kind == "matrix":
        numbers = items(rng, 2)
        gold, end = f"\\begin{{pmatrix}} {numbers[0]} \\\\ {numbers[1]} \\end{{pmatrix}}", numbers[1]
        shown, lead = rng.choice([gold, f"${gold}$"]), rng.choice(["So the vector is", "Hence it is"])
    elif kind == "decimals":
        a, b = rng.randint(1, 9), rng.randint(1, 9)
        gold, end, shown, lead = f"({a},{b})", f"{a}.{b}", rng.choice([f"({a},{b})", f"({a}, {b})", f"$({a},{b})$"]), "So the point is"
    else:
        numbers = items(rng, rng.choice([2, 2, 3]))
        gold, end = "(" + ", ".join(numbers) + ")", numbers[-1]
        shown = rng.choice([gold, gold, f"${gold}$", f"\\({gold}\\)"])
        lead = rng.choice(["So the pair is", "The point is at", "so", "The triple is", "It goes through"])
    reply = f"{rng.choice(['', 'We add 3 and 4 first. '])}{lead} {shown}{rng.choice(['', '.', '.'])}"
    return [(reply, gold, True), (reply, end, False)]


def aside(rng):
    a, b = rng.randint(2, 60), rng.randint(2, 60)
    c, n = a + b, rng.choice([n for n in range(2, 30) if n != a + b])
    total, thing = c * rng.randint(2, 9), rng.choice(THINGS)
    reply = rng.choice([
        f"Total = {a} + {b} = {c} (see Table {n})", f"So {c} {thing} ({n}% of {total})", f"He has {c} left, out of {total}.",
        f"So there are {c} {thing} (see page {n}).", f"{a} + {b} = {c} (by Lemma {n}).", f"So she has {c} {thing} (see step {n}).",
        f"It is {a} + {b} = {c}, see Figure {n}.", f"So {c} {thing} are left (after {n} days).", f"So they paid {c} {thing} (not {n})."])
    return [(reply, str(c), True), (reply, str(n if str(n) in reply else total), False)]


def several(rng):
    """Values of one name, a list of roots, a ratio: the last of them alone is not the answer."""
    a, b, c = rng.sample(range(2, 60), 3)
    name, join = rng.choice(["x", "n", "k", "t", "a_1"]), rng.choice(["or", "and"])
    one, two = rng.choice([(f"{a}", f"{b}"), (f"-{a}", f"{b}"), (f"{a}", f"-{b}"), (f"{a}/{c}", f"{b}"), (rf"\sqrt{{{a}}}", f"{b}")])
    mark = rng.choice(["", "$"]) if "\\" not in one else "$"
    lead = rng.choice(["So ", "Hence ", "We add 3 and 4 first. So ", "This gives ", "", "The answer is "])
    if rng.random() < 0.3:
        blank, b = rng.choice(["", " "]), rng.randint(2, 9)  # "19:56" may be a time
        ratio, a = f"{a + b * b}{blank}:{blank}{b}", a + b * b
        reply = f"{rng.choice(['We get a ratio of', 'The ratio is', 'It is'])} {ratio}."
        return [(reply, f"{a}:{b}", True), (reply, str(b), False)]
    if rng.random() < 0.4:
        who = rng.choice(["The roots are", "The solutions are", "Thus the values of x are", "So the roots are"])
        reply = f"{who} {mark}{one}{mark} and {mark}{two}{mark}."
        if "\\" in one:
            return []
    elif rng.random() < 0.3:
        reply = f"{lead}{mark}{name} = {one}{mark}, {mark}{name} = {c}{mark}, {join} {mark}{name} = {two}{mark}."
        return [(reply, f"{one}, {c}, {two}", True), (reply, two, False)]
    else:
        reply = f"{lead}{mark}{name} = {one}{mark} {join} {mark}{name} = {two}{mark}."
    return [(reply, f"{one}, {two}", True), (reply, two, False)]


# Announcements that the author does not stand by; {} stands for a number.
NAMED_WRONG = ["The answer is wrong: {}.", "Die Antwort ist falsch: {}.", "Vielleicht {}.", "Suppose x is {}.", "If x were {}, we would have a contradiction."]
DISOWNED = ["The wrong answer is {}.", "The incorrect answer is {}.", "Many would say the answer is {}.", "The student's answer is {}.",
            "A common mistake is to say the answer is {}.", "Suppose the answer is {}.", "Assume the answer is {}.", "Let us say the answer is {}.",
            "The previous answer is {}.", "The initial answer was {}.", "Some people think the answer is {}.", "My friend says that the answer is {}.",
            "It would be wrong to say the answer is {}.", "If the answer is {}, it fails.", "Imagine the answer is {}.",
            "Tom claims that the answer is {}.", "The careless answer is {}.", "The pupil wrote: the answer is {}.", "Nobody says that the answer is {}.",
            "It is not true that the answer is {}.", "One might say the answer is {}.", "The naive answer is {}."]
OWNED = ["My answer is {}.", "I think the answer is {}.", "I would say that the answer is {}.", "So I believe that the answer is {}.", "I'd say the answer is {}.",
         "The correct answer is {}.", "After correcting the mistake, the answer is {}.", "If each has 4, the answer is {}.", "We find that the answer is {}."]
TAKEN_BACK = ["But wait, I forgot the extra ones.", "Hmm, let me double check that.", "But that is wrong.", "Sorry, I made a mistake.", "Oops.", "Wait.",
              "No, wait.", "Hold on.", "Scratch that.", "Let me recheck this.", "Actually, no.", "I take that back.", "On second thought, no.",
              "That can't be right.", "I misread the question.", "Correction."]
GIVEN_THEN = ["The total is {}.", "So it's {}.", "Thus {}.", "It should be {}.", "So it is {} in all.", "Hence {}.", "It must be {}.", "That makes {}.", "We get {}."]


def disowned(rng):
    number, other = rng.sample(range(2, 999), 2)
    way = rng.random()
    said = rng.choice(DISOWNED + (NAMED_WRONG if way < 0.4 else [])).format(number)
    opening = rng.choice(["", "", "We have 3 boxes. ", "Tom has 12 apples and eats 5. "])
    if way < 0.4:
        return [(opening + said + rng.choice(["", " Then it fails.", " That is for another day.", " The sky is blue."]), str(number), False)]
    owned = rng.choice(OWNED + ANNOUNCE).format(other)
    reply = opening + (f"{owned} {said}" if way < 0.6 else f"{said} {owned}")
    return [(reply, str(number), False), (reply, str(other), None)]


def withdrawn(rng):
    number, other = rng.sample(range(2, 999), 2)
    back = rng.choice(TAKEN_BACK)
    opening = rng.choice(["", "", "We have 3 boxes. "]) + rng.choice(["So the answer is {}. ", "The answer is {}.\n", "Answer: {}. ", "Therefore, the answer is {}. "]).format(number)
    way = rng.random()
    if way < 0.2:
        return [(opening + back, str(number), False)]
    if way < 0.4:  # what the words of it count is no answer
        return [(f"{opening}{back} I forgot the {other} extra ones.", str(other), False), (f"{opening}{back} I forgot the {other} extra ones.", str(number), False)]
    if way < 0.5:
        reply = f"Ich denke, die Antwort ist {number}. Nein, {other}." if way < 0.45 else opening + f"Sorry, {other}."
    else:
        reply = opening + back + " " + rng.choice(GIVEN_THEN).format(other)
    return [(reply, str(number), False), (reply, str(other), None)]


# Replies that name several options, or only what is excluded; {} stands for two or three letters.
NO_CHOICE = ["Both {} are correct.", "{}", "Options {} are wrong.", "I can exclude {}", "Incorrect options: {}", "The options are {}.", "I am between {}.",
             "It has the angles {}.", "I would rule out {}.", "The rest is {}.", "Either {}.", "Perhaps {}, who knows.", "We can rule out {}."]
# What says "no" without answering.
NO_NO = ["No doubt it is {}.", "No problem! The statement is {}.", "There is no question that it is {}.", "No wonder it is {}.", "There is no error, so it is {}."]
NO_ANSWER = ["There is no answer.", "I have no answer to this", "No comment.", "It is unclear: yes in some cases, no in others."]


def options(rng):
    letters = rng.sample("ABCDE", rng.choice([2, 2, 3]))
    shown = [rng.choice([c, f"({c})"]) for c in letters] if rng.random() < 0.4 else letters
    listed = ", ".join(shown[:-1]) + rng.choice([" and ", " or ", ", "][:len(shown)]) + shown[-1]
    reply = rng.choice(NO_CHOICE).format(listed)
    right = rng.choice([c for c in "ABCDE" if c not in letters])
    chosen = f"{reply} {rng.choice(['So it is {}.', 'Therefore {}.', 'That leaves {}.', 'The answer is {}.']).format(right)}"
    alike = sorted(letters + [right]) == list("ABCDE"[:len(letters) + 1])  # each letter once: a list of all options
    return [(reply, letters[-1], False), (reply, letters[0], False)] + ([] if alike else [(chosen, right, True), (chosen, letters[-1], False)])


def yes_or_no(rng):
    true = rng.random() < 0.5
    reply = rng.choice(NO_NO).format("true" if true else "false")
    said = rng.choice(["No, it is not.", "No.", "No, 7 is odd.", "Absolutely not.", "Definitely not.", "No it is not.", "So no."])
    return [(reply, "yes", true), (reply, "no", not true), (rng.choice(NO_ANSWER), "no", False), (said, "no", True), (said, "yes", False)]


def parts(rng):
    a, b = rng.sample(range(2, 40), 2)
    one, two = rng.choice([("hours", "minutes"), ("dogs", "cats"), ("red", "blue"), ("boys", "girls"), ("feet", "inches"), ("red pens", "blue pens")])
    lead = rng.choice(["The answer is ", "", "He needs ", "So she has ", "Answer: ", "There are "])
    if rng.random() < 0.3:
        reply = f"{rng.choice(['The answer is ', 'So it is ', 'Answer: '])}{a}+{rng.choice(['', '.', ' years', ' of them.'])}"
        return [(reply, str(a), False)]
    reply = f"{lead}{a} {one} and {b} {two}{rng.choice(['', '.'])}"
    return [(reply, str(a), False), (reply, str(b), False)]


# A value as a formula, the numbers in it that are not the value, and the value where a number is it.
def formula(rng):
    a, b, c = rng.sample(range(2, 30), 3)
    root = rng.choice([2, 3, 5, 6, 7, 10, 11, 13, 15])
    fraction = rng.choice(["\\frac", "\\dfrac"])
    text, inner, value = rng.choice([
        (f"{fraction}{{\\sqrt{{{root}}}}}{{{b}}}", b, None), (f"{fraction}{{{a}+\\sqrt{{{root}}}}}{{{b}}}", b, None), (f"{fraction}{{\\pi}}{{{b}}}", b, None),
        (f"{fraction}{{{a}}}{{x}}", a, None), (f"{fraction}{{x}}{{{b}}}", b, None), (f"\\log_{{{a}}}{{{a ** 2}}}", a ** 2, 2), (f"{a}^{{{b % 4 + 2}}}", b % 4 + 2, a ** (b % 4 + 2)),
        (f"{a}.\\overline{{{root % 9 + 1}}}", root % 9 + 1, f"{a * 9 + root % 9 + 1}/9" if root % 9 != 8 else None), (f"\\sqrt[3]{{{a ** 3}}}", a ** 3, a), (f"\\sqrt{{{a * a}}}", a * a, a),
        (f"\\binom{{{b + 1}}}{{2}}", 2, b * (b + 1) // 2), (f"|-{a}|", -a, a), (f"\\lfloor {a}.7 \\rfloor", f"{a}.7", a), (f"\\lceil {a}.2 \\rceil", f"{a}.2", a + 1),
        (f"\\sum_{{i=1}}^{{{a}}} i", a, a * (a + 1) // 2), (f"\\Gamma({a + 3})", a + 3, None), (f"\\mp {a}", a, None), (f"\\tan^{{-1}}({a})", a, None),
        (f"{a} \\cdot {b}", b, a * b), (f"{a}\\sqrt{{{root}}}", root, None), (f"\\sqrt{{{root}}} + {b}", b, None), (f"e^{{{a}}}", a, None), (f"({a})({b})", b, a * b)])
    if rng.random() < 0.25:  # nothing but a number, with what belongs to it
        text, inner, value = rng.choice([(f"{a} \\text{{ cm}}", c, a), (f"{a}\\%", c, f"{a}%"), (f"\\${a}", c, a), (f"{a}^\\circ", c, a), (f"{a}\\,\\mathrm{{km}}", c, a),
                                         (f"\\mathbf{{{a}}}", c, a), (f"{fraction}{{{a}}}{{{b}}}", b, f"{a}/{b}"), (f"{a},{b % 10}50", c, f"{a}{b % 10}50"), (f"{c} + {a} = {a + c}", c, a + c)])
    shown = rng.choice(["The answer is ${}$.", "The answer is ${}$", "#### {}", "<answer>${}$</answer>", "Final answer: \\({}\\)", "Thus $x = {}$.", "So we get \\(x = {}\\).",
                        "Therefore the total is ${}$.", "We add 3 and 4. Hence\n\\[ x = {} \\]", "The answer is {}."]).format(text)
    if "{" not in text and "$" not in shown and "\\(" not in shown and "\\[" not in shown:
        shown = f"The answer is ${text}$."  # without a command, it is words
    known = isinstance(value, int) or (value and "%" not in value)
    cases = [] if known and Fraction(value) == Fraction(inner) else [(shown, str(inner), False)]
    return cases + ([(shown, str(value), True)] if value is not None else [])


KINDS = {"formula": formula, "options": options, "yes or no": yes_or_no, "parts": parts, "disowned": disowned, "withdrawn": withdrawn,
         "several": several, "none": none, "announced": announced, "object": whole, "aside": aside}


def graded(cases, member="text"):
    program = os.environ.get("RDV_PROGRAM", "build/rederive")
    lines = "".join(json.dumps({member: reply, "gold": gold}) + "\n" for reply, gold, _ in cases)
    done = subprocess.run([program, "grade", "-q"], input=lines, capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--replies", type=int, default=3000)
    parser.add_argument("--kind", choices=KINDS)
    parser.add_argument("--posed", default="text", choices=("text", "answer"), help="the member that the reply stands in")
    parser.add_argument("--show", type=int, default=5)
    given = parser.parse_args()
    bad = 0
    for name in [given.kind] if given.kind else KINDS:
        rng = random.Random(f"{given.seed} {name}")
        wanted = given.replies * 10 // 3 if name == "none" else given.replies
        cases = [case for _ in range(wanted) for case in KINDS[name](rng)]
        told, wrong = Counter(), []
        for (reply, gold, same), record in zip(cases, graded(cases, given.posed)):
            found = record.get("correct", "error")
            told["not the same" if same is False else "same", found] += 1
            if found is False if same is None else (found is True) != same:
                wrong.append(f"    {reply!r} gold {gold!r}: {found}, {record.get('why')}, read {record.get('answer_read')!r}")
        print(f"{name}: {wanted} replies, {len(wrong)} wrong; "
              + ", ".join(f"{truth} called {found}: {n}" for (truth, found), n in sorted(told.items(), key=str)))
        print("\n".join(wrong[:given.show]), end="\n" if wrong else "")
        bad += len(wrong)
    return bad > 0


if __name__ == "__main__":
    sys.exit(main())
