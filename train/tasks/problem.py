# SPDX-License-Identifier: Apache-2.0
"""A problem with its step-by-step solution, and what a program knows about each step."""
from dataclasses import dataclass, field


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
    noise: bool = False  # says nothing that helps

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
    ending: str = "So the answer is {}."

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
    def first_slip(self):
        return next((i for i, s in enumerate(self.steps) if s.slips), None)


def pick(rng, items, split):
    """One of the items; those that begin with ~ are held out for tests, which use no others."""
    held = [i[1:] for i in items if i.startswith("~")]
    if split == "test" and held:
        return rng.choice(held)
    return rng.choice([i for i in items if not i.startswith("~")])


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
