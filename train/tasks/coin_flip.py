# SPDX-License-Identifier: Apache-2.0
"""Is the coin still heads up?"""
from .problem import Problem, Step, pick
from .words import NAMES

FLIPS = ["{n} flips the coin.", "{n} turns the coin over.", "The coin is flipped by {n}.",
         "{n} has turned over the coin.", "Then {n} flips the coin.", "{n} turns it over.",
         "The coin gets flipped by {n}.", "Now the coin is turned over by {n}, too.",
         "{n} flips it.", "~The coin is turned over by {n}."]
KEEPS = ["{n} does not flip the coin.", "{n} does not turn the coin over.",
         "The coin is not flipped by {n}.", "{n} has not turned over the coin.",
         "Then {n} does not flip the coin.", "{n} does not turn it over.",
         "The coin does not get flipped by {n}.", "The coin is now not turned over by {n}.",
         "{n} does not flip it.", "~The coin is not turned over by {n}."]
START = ["A coin is heads up.", "A coin lies heads up.", "A coin is lying heads up.",
         "There is a coin, heads up.", "This coin is heads up.", "~The coin is heads up."]
ASK = ["Is the coin still heads up?", "Is the coin heads up in the end?",
       "In the end, is the coin heads up?", "Is the coin now heads up?", "Is it still heads up?",
       "Is it heads up in the end?", "Now, is the coin heads up?", "~Is the coin heads up now?"]
AIM = ["It finds which side is up after {n}.", "Find how the coin lies after {n} had it."]


def say(rng, name, flips, side):
    if flips:
        return rng.choice(["{n} flips it, so the coin is now {s} up.",
                           "{n} turns it over, and it is {s} up."]).format(n=name, s=side)
    return rng.choice(["{n} does not flip it, so the coin is still {s} up.",
                       "{n} leaves it, and it is {s} up."]).format(n=name, s=side)


def redo_flip(i, flips):
    def redo(results):
        before = results[i - 1] if i else "heads"
        return turned(before) if flips else before
    return redo


def turned(side):
    return "tails" if side == "heads" else "heads"


def make(rng, split="train", slip=False, steps=None):
    # Tests ask for the largest sizes that are taught: of the smaller ones hardly a solution is wrong.
    n = steps or rng.randint(4 if split == "test" else 2, 6)
    names = rng.sample(NAMES, n)
    slip_at = rng.randrange(n) if slip else None
    sentences, made, side, true = [pick(rng, START, split)], [], "heads", "heads"
    for i, name in enumerate(names):
        flips = rng.random() < 0.5
        sentences.append(pick(rng, FLIPS if flips else KEEPS, split).format(n=name))
        right = turned(side) if flips else side
        true = turned(true) if flips else true
        said = turned(right) if i == slip_at else right
        said_flips = flips
        if i == slip_at and rng.random() < 0.5:
            said_flips = not flips
        made.append(Step(say(rng, name, said_flips, said), say(rng, name, flips, right),
                         rng.choice(AIM).format(n=name), [i + 1] if i else [0, 1],
                         [i - 1] if i else [], said, right, redo_flip(i, flips)))
        side = said
    sentences.append(pick(rng, ASK, split))
    answer = {"heads": "yes", "tails": "no"}
    return Problem("coin_flip", sentences, made, answer[side], answer[true], "yesno")
