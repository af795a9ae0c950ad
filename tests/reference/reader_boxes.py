# SPDX-License-Identifier: Apache-2.0
"""Replies of a critic that is to end in \\boxed{index}, made by rule: with an index that is claimed, and
with one that is not. The frames are those of reader_texts.py, and so is the part kept apart. Where
recorded critiques of other models are at hand, an index is put before or behind them."""
import gzip
import json
import random

import reader_texts
from reader_texts import case, fill

# The index in the text, and what is to be read: -1 is "none".
CLAUSES = [
    (r"the index is \boxed{2}", "2"), (r"the answer is $\boxed{3}$", "3"),
    (r"the earliest error is in paragraph \boxed{1}", "1"), (r"the final answer is **\boxed{4}**", "4"),
    (r"the index of the earliest error is \boxed{0}", "0"), (r"the answer is \( \boxed{2} \)", "2"),
    (r"the earliest error occurs in paragraph 1 (\boxed{1})", "1"), (r"the critique ends with \boxed{3}", "3"),
    (r"paragraph 2 is the first with an error: \boxed{2}", "2"), (r"the answer is \boxed{Paragraph 2}", "2"),
    (r"the index to return is \boxed{-1}", "none"), (r"the answer is $\boxed{-1}$", "none"),
    (r"there is no error, which gives \boxed{-1}", "none"), (r"I return \boxed{-1}", "none"),
    (r"all paragraphs are correct, which means \boxed{-1}", "none"),
    (r"the solution is right throughout: \boxed{-1}", "none"),
    (r"paragraph 3 should have 8: \boxed{3}", "3"), (r"there is a slip in paragraph 0, hence \boxed{0}", "0"),
    (r"each paragraph holds: $\boxed{-1}$", "none"), (r"nothing is amiss and I return \boxed{-1}", "none"),
    (r"the sum in paragraph 4 is off (\boxed{4})", "4"), (r"every step is justified, giving \boxed{-1}", "none"),
    (r"no mistake was found and the final answer is \(\boxed{-1}\)", "none"),
]
ALONE = [
    (r"\boxed{2}", "2"), (r"$\boxed{2}$", "2"), (r"\[ \boxed{3} \]", "3"), (r"$$\boxed{-1}$$", "none"),
    (r"**\boxed{3}**", "3"), (r"\boxed{ 2 }", "2"), (r"\boxed{\text{2}}", "2"), (r"\boxed{Paragraph 2}", "2"),
    (r"\boxed{paragraph_1}", "1"), (r"\boxed{\text{Paragraph 3}}", "3"), (r"\boxed{\mathbf{-1}}", "none"),
    (r"Answer: \boxed{4}", "4"), (r"Final answer: $\boxed{-1}$", "none"), (r"\fbox{2}", "2"),
    ("\\boxed{\u22121}", "none"), (r"\boxed{\text{-1}}", "none"), ("### Final Answer\n\\boxed{0}", "0"),
    (r"`\boxed{1}`", "1"), (r"\boxed{0}", "0"), (r"\boxed{-1}", "none"), (r"\boxed {1}", "1"),
]
FINDS = ["{S}, because 3 + 4 is not 8.", "Is 3 + 4 equal to 8? It is not. So {s}.", "{S}. The sum should be 7."]
ENDORSES = {
    "some": reader_texts.LOCATED_ALSO + [
        "Paragraph 1 is right, but a later one is not. {S}.", "Wait, the units matter too. They differ. So {s}.",
        "The student ends with \\boxed{42}, which is wrong. {S}.", "Not \\boxed{-1}: {s}.",
        "At first I would have said \\boxed{-1}. The sum is wrong, however. Therefore, {s}."],
    "none": [f for f in reader_texts.LOCATED_ALSO if f not in FINDS] + [
        "{S}. Every sum holds.", "{S}, since each paragraph follows from the one before.",
        "Is paragraph 2 wrong? No, it is right. Therefore, {s}.", "There are no mistakes. {S}.",
        "The student ends with \\boxed{42}, which is right. {S}.", "Wait, the units matter too. They agree. So {s}."],
}
BEFORE = {
    "some": ["", "", "**Paragraph 0**: 3 + 4 = 7 is right.\n\n**Paragraph 1**: 7 + 5 = 13 is wrong; it is 12.\n\n",
             "Paragraph 0 reads the question wrongly. The price is 3, not 4.\n\n", "The sum does not hold. ",
             "<paragraph_0>\nThe answer is \\boxed{7}.\n</paragraph_0>\nThis is wrong.\n\n"],
    "none": ["", "", "**Paragraph 0**: 3 + 4 = 7 is right.\n\n**Paragraph 1**: 7 + 5 = 12 is right, too.\n\n",
             "Each paragraph was checked. No sum is wrong.\n\n", "The steps follow from each other. ",
             "<paragraph_0>\nThe answer is \\boxed{7}.\n</paragraph_0>\nThis is right.\n\n"],
}
OPPOSITE = {
    "some": ["there is no error in the solution", "every paragraph is right", r"the answer is \boxed{-1}"],
    "none": ["paragraph 2 is wrong", "there is an error in paragraph 3", "the sum in paragraph 1 is not right",
             "paragraph 0 contains a mistake", r"the answer is \boxed{3}"],
}
# No index, or none that is claimed.
ABOUT = [
    r"\boxed{}", r"\boxed{?}", r"\boxed{12 \text{ apples}}", r"\boxed{\frac{1}{2}}", r"\boxed{3.5}",
    r"\boxed{1, 2}", r"\boxed{2-3}", r"\boxed{x = 2}", r"\boxed{2x}", r"\boxed{5\%}", r"\boxed{\$5}",
    r"\boxed{5^\circ}", r"\boxed{A}", r"\boxed{\sqrt{4}}", r"\boxed{1{,}000}", r"\boxed{2^3}", r"\boxed{2", r"boxed: 2",
    r"\boxed{99999999999999999999}", r"\boxed{--1}", r"\boxed{- - 1}", r"\boxed{1 2}", r"\boxed{2 or 3}",
    r"\boxed{not 2}", r"\boxed{Paragraph 2 and 3}", r"\boxed{Paragraph}", r"\boxed{index}", r"\boxed{\text{None}}",
    r"\boxed{2 dollars}", r"\boxed{2\text{ m}}", r"\boxed{(2, 3)}", r"\boxed{-1, 0}", r"\boxed{0x2}",
    r"\boxed{2} or \boxed{3}", r"Either \boxed{0} or \boxed{-1}.", r"\boxed{-1} / \boxed{2}",
    r"\boxed{2}? \boxed{3}?", r"Somewhere between \boxed{1} and \boxed{3}.",
    r"Return \boxed{-1} if there is no error, else the index.", r"The final answer goes in \boxed{-1} form.",
    r"I have to put the index in \boxed{}.", r"The student's answer is \boxed{4}.",
    r"The student's final answer, \boxed{4}, is right.", r"The solution ends with \boxed{3}.",
    r"The last paragraph has \boxed{3}.", r"The solution claims \boxed{-1}.",
    "<paragraph_4>\nSo the answer is \\boxed{3}.\n</paragraph_4>",
    "<paragraph_4>\nSo x is \\boxed{-1}.\n</paragraph_4>\n\nThis paragraph is right.",
    r"It should have been \boxed{3}.", r"The correct answer is \boxed{36}, not \boxed{35}.",
    r"Replace \boxed{4} by \boxed{5}.", r"What should be in \boxed{-1}?", r"No \boxed{2}.", r"Never \boxed{-1}.",
]
# The last that is claimed counts.
CORRECTED = [
    (r"I first thought \boxed{3}. But paragraph 1 has an error already. \boxed{1}", "1"),
    (r"\boxed{3}. Wait, paragraph 1 is wrong already. The answer is \boxed{1}.", "1"),
    (r"Not \boxed{3} but \boxed{1}.", "1"), (r"\boxed{-1}. Hold on, 3 + 4 is not 8. So \boxed{2}.", "2"),
    (r"\boxed{2}. No, sorry: paragraph 2 is right. The answer is \boxed{-1}.", "none"),
    ("The index is \\boxed{2}.\n\n\\boxed{2}", "2"), (r"\boxed{2}, that is, \boxed{2}.", "2"),
    ("\\boxed{0}\n\nParagraph 0 is wrong: it adds 4 for 5.", "0"),
    ("\\boxed{2}\n\nExplanation: 3 + 4 is 7, and paragraph 2 has 8, which is incorrect.", "2"),
    ("\\boxed{-1}\n\nThere are no errors in the solution.", "none"),
    ("\\boxed{-1}\n\nNo paragraph is wrong.", "none"), ("\\boxed{-1}\n\nNothing is missing or incorrect.", "none"),
]


def made():
    """As reader_texts.of_locations()."""
    rng = random.Random(1)
    for wording, where in CLAUSES:
        side = "none" if where == "none" else "some"
        for frame in ENDORSES[side]:
            yield case("box", "endorses", rng.choice(BEFORE[side]) + fill(frame, wording), where,
                       wording, frame)
        for kind, frames in reader_texts.FRAMES.items():
            for frame in frames if kind != "hedged" or side == "none" else ():
                yield case("box", kind, fill(frame, wording), None, wording, frame)
        for opposite in OPPOSITE[side]:
            for frame in reader_texts.TURNS:
                yield case("box", "opposite", fill(frame, wording, opposite), None,
                           wording, frame, opposite) | {"not": where}
    for wording, where in ALONE:
        for frame in ("{S}", "{S}.", "Paragraph 0 was read.\n\n{S}", "So, all in all: {S}"):
            yield case("box", "endorses", frame.replace("{S}", wording), where, wording, frame)
        for kind in ("question", "denied", "quoted", "retracted", "conditioned", "attributed"):
            for frame in reader_texts.WORD_FRAMES[kind] if "\n" not in wording else ():
                yield case("box", kind, fill(frame, wording), None, wording, frame)
    for text in ABOUT:
        for start in ("", "Paragraph 1 was read. "):
            yield case("box", "about", start + text, None, text)
    for text, where in CORRECTED:
        yield case("box", "corrected", text, where, text)


def critiques(shared):
    """The replies of models that named the first wrong step of a solution (MR-GSM8K), and that step."""
    for path in sorted((shared / "mr-gsm8k/eval_results/gpt4-grading").glob("*")):
        with (gzip.open if path.suffix == ".gz" else open)(path, "rt", encoding="utf-8") as file:
            for row in map(json.loads, file):
                judged = next(v for k, v in row.items() if k.endswith("_eval_output"))
                step = "".join(c for c in str(judged["error_step_pred"]) if c.isdigit())
                if step and len(step) == 1:
                    yield judged["response"], step


def recorded(shared):
    """Each names an error, so that no index of -1 before it stands."""
    for reply, step in critiques(shared):
        analysis = reply[reply.rfind("Error Analysis:"):]
        for kind, text, where in (
                ("behind", f"{reply}\n\nThe index of the earliest error is \\boxed{{{step}}}.", step),
                ("before", f"\\boxed{{{step}}}\n\n{analysis}", step),
                ("of another", f"{reply}\n\nThe student's answer is \\boxed{{{step}}}.", None),
                ("unlike", f"\\boxed{-1}\n\n{reply}", None)):
            yield case("box", f"recorded, {kind}", text, where, reply)


def texts(shared):
    seen, out = set(), []
    for c in list(made()) + list(recorded(shared)):
        if c["reply"] not in seen:
            seen.add(c["reply"])
            out.append(c)
    return out
