# SPDX-License-Identifier: Apache-2.0
"""The last letters of some words, put together."""
from .problem import Problem, Step, pick
from .words import NAMES, SORTED

ASK = ['Take the last letters of the words in "{w}" and concatenate them.',
       'Take the last letter of each word in "{w}" and put the letters together.',
       'Put together the last letters of the words in "{w}".',
       'Take the last letter of each word in "{w}" and concatenate them.',
       'Concatenate the last letters of the words in "{w}".',
       '~Take the last letters of the words in "{w}" and put the letters together.']
LETTER = ['The last letter of "{w}" is "{c}".', '"{w}" ends with "{c}".']
LETTER_AIM = ['It finds the last letter of "{w}".', 'Find the letter at the end of "{w}".']
TOGETHER = ['Concatenating them gives "{r}".', 'Put together, they are "{r}".']
TOGETHER_AIM = ["It puts the letters together.", "Find what the letters are together."]


def make(rng, split="train", slip=False, steps=None):
    n = steps or rng.randint(2, 3)
    words = [w.capitalize() for w in rng.sample(SORTED + NAMES, n)]
    slip_at = rng.randrange(n + 1) if slip else None
    made, letters = [], []
    for i, w in enumerate(words):
        right = w[-1].lower()
        said = right
        while i == slip_at and said == right:
            said = rng.choice(w.lower() + "abcdefghijklmnopqrstuvwxyz")
        pattern = rng.choice(LETTER)
        made.append(Step(pattern.format(w=w, c=said), rng.choice(LETTER).format(w=w, c=right),
                         rng.choice(LETTER_AIM).format(w=w), [0], [], said, right,
                         lambda results, right=right: right))
        letters.append(said)
    right = "".join(letters)
    said = right
    while slip_at == n and said == right:
        shuffled = letters[:]
        if rng.random() < 0.6:
            rng.shuffle(shuffled)
        else:
            shuffled[rng.randrange(n)] = rng.choice("abcdefghijklmnopqrstuvwxyz")
        said = "".join(shuffled)
        if len(set(letters)) == 1 and said == right:
            said = right + right[0]
    made.append(Step(rng.choice(TOGETHER).format(r=said), rng.choice(TOGETHER).format(r=right),
                     rng.choice(TOGETHER_AIM), [], list(range(n)), said, right,
                     lambda results: "".join(results[:n])))
    question = pick(rng, ASK, split).format(w=" ".join(words))
    return Problem("last_letters", [question], made, said,
                   "".join(w[-1].lower() for w in words), "text")
