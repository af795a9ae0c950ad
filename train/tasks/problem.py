# SPDX-License-Identifier: Apache-2.0
"""A problem with its step-by-step solution, and what a program knows about each step."""
import itertools
import re
from dataclasses import dataclass, field

ENDING = "So the answer is {}."
CHOICE = re.compile(r"\(([^()]*\|[^()]*)\)")


@dataclass
class Step:
    says: str  # as it stands in the chain
    right: str  # as it follows from its premises; the same unless this step slips
    aim: str  # what it does, without its outcome
    info: list  # sentences of the question that it directly follows from
    prev: list  # earlier steps that it directly follows from
    result: str  # its outcome as said, for comparing
    right_result: str
    redo: object = None  # (outcomes of the earlier steps as said) -> the right outcome of this one
    contradicts: bool = False  # says something that an earlier step denies

    @property
    def slips(self):
        return self.result != self.right_result


@dataclass
class Problem:
    task: str
    sentences: list  # of the question, as the program splits it
    steps: list
    answer: str  # of the chain
    gold: str
    kind: str = "number"
    options: list = field(default_factory=list)
    joiner: str = " "  # between two sentences
    ending: str = ENDING

    @property
    def question(self):
        return self.joiner.join(self.sentences)

    @property
    def texts(self):
        """The steps as the program cuts them: the last one ends with the answer."""
        out = [s.says for s in self.steps]
        out[-1] += "\n\n" + self.ending.format(self.answer)
        return out

    @property
    def written(self):
        """The steps as a reply to the prompt `generate` has them."""
        return "\n\n".join("Step :: " + s.says for s in self.steps)

    @property
    def first_slip(self):
        return next((i for i, s in enumerate(self.steps) if s.slips), None)


def pick(rng, items, split):
    """One of the wordings. Those that begin with ~ are held out for tests, which use no others; of
    (this|that) one is picked, too."""
    taught = [i for i in items if not i.startswith("~")]
    held = [i[1:] for i in items if i.startswith("~")]
    wording = rng.choice(held if split == "test" and held else taught)
    return CHOICE.sub(lambda m: rng.choice(m.group(1).split("|")), wording)


def told_apart(one, two):
    """Two things side by side, where a model can see whether they are the same."""
    return "%s and %s: %s" % (one, two, "supports" if one == two else "contradicts")


def pairs(one, two):
    """Two outcomes part by part, to the first one that differs."""
    said = []
    parts = [re.split(r", | < |(?<=\.) ", result) for result in (one, two)]
    for a, b in itertools.zip_longest(*parts, fillvalue="no more"):
        said.append(told_apart(a, b))
        if a != b:
            break
    return ", ".join(said)


def letter(options, said):
    """An option as an answer names it."""
    return "(%s)" % "ABCDEFG"[options.index(said)]


def chosen(options, said):
    """How a solution ends that goes through its options, up to the one that it is. To see at once
    the letter of an option that stands somewhere above is more than a small model learns."""
    upto = options[:options.index(said) + 1]
    return "%s. %s" % (", ".join("%s %s" % (letter(options, o), told_apart(o, said)) for o in upto),
                       ENDING.format(letter(options, said)))


def wrong_number(rng, right):
    """A number as a small model would get it wrong."""
    while True:
        kind = rng.randrange(4)
        if kind == 0:
            wrong = right + rng.choice([-1, 1])
        elif kind == 1:
            wrong = right + rng.choice([-10, 10])
        elif kind == 2:
            wrong = right + rng.choice([-2, 2, -3, 3, 5, -5, 20, -20])
        else:
            digits = list(str(right))
            digits[rng.randrange(len(digits))] = str(rng.randrange(10))
            try:
                wrong = int("".join(digits))
            except ValueError:
                continue
        if wrong != right and (wrong >= 0 or right < 0 or rng.random() < 0.1):
            return wrong
