# SPDX-License-Identifier: Apache-2.0
"""Nested sums and products of small numbers, in the manner of multistep_arithmetic."""
from .problem import Problem, Step, pick, wrong_number

ASK = ["Compute {e} =", "What is {e} ?", "What is the value of {e} ?", "~Compute the value of {e} ="]
AIM = ["It computes {x}.", "Find the value of {x}."]


def number(rng):
    return rng.choice([-1, 1, 1]) * rng.randint(0, 5)


def show(v):
    return str(v)


def combine(a, op, b):
    return a + b if op == "+" else a - b if op == "-" else a * b


def part(rng, terms):
    values = [number(rng) for _ in range(terms)]
    ops = [rng.choice("++-*") for _ in range(terms - 1)]
    return values, ops


def written(values, ops):
    out = show(values[0])
    for op, v in zip(ops, values[1:]):
        out += " %s %s" % (op, show(v))
    return out


def reduce_once(values, ops):
    """The first product, else the first operation."""
    i = next((k for k, op in enumerate(ops) if op == "*"), 0)
    value = combine(values[i], ops[i], values[i + 1])
    return values[:i] + [value] + values[i + 2:], ops[:i] + ops[i + 1:], i


def worked(rng, values, ops, slip):
    """The equalities down to a number; with `slip` one of them goes wrong."""
    chain = ["(%s)" % written(values, ops)]
    wrong_at = rng.randrange(len(ops)) if slip and ops else None
    n = 0
    while ops:
        values, ops, i = reduce_once(values, ops)
        if n == wrong_at:
            values[i] = wrong_number(rng, values[i])
        chain.append("(%s)" % written(values, ops) if ops else show(values[0]))
        n += 1
    return " = ".join(chain), values[0]


def make(rng, split="train", slip=False, steps=None):
    n = 2
    parts = [part(rng, rng.choice([2, 2, 3])) for _ in range(n)]
    names = "AB"
    op = rng.choice("+-")
    texts = ["(%s)" % written(*p) for p in parts]
    expression = "(%s %s %s)" % (texts[0], op, texts[1])
    slip_at = rng.randrange(3) if slip else None
    plan = 'This equation can be written as "A %s B", where A = %s and B = %s.' % (
        op, texts[0], texts[1])
    made = [Step(plan, plan, "It names the parts of the equation.", [0], [], "A %s B" % op,
                 "A %s B" % op, lambda results: "A %s B" % op)]
    values, true = [], []
    for k in range(n):
        right_text, right = worked(rng, *parts[k], slip=False)
        text, said = worked(rng, *parts[k], slip=k == slip_at)
        if k == slip_at and said == right:
            return make(rng, split, slip, steps)
        say = "Let's calculate %s = %s."
        made.append(Step(say % (names[k], text), say % (names[k], right_text),
                         rng.choice(AIM).format(x=names[k]), [], [0], str(said), str(right),
                         lambda results, right=str(right): right))
        values.append(said)
        true.append(right)
    right = combine(values[0], op, values[1])
    said = wrong_number(rng, right) if slip_at == 2 else right
    say = "Then, the final equation is A %s B = %d %s %d = %d."
    made.append(Step(say % (op, values[0], op, values[1], said),
                     say % (op, values[0], op, values[1], right),
                     "It puts the values into the equation.", [], [0, 1, 2], str(said), str(right),
                     lambda results: str(combine(int(results[1]), op, int(results[2])))))
    question = pick(rng, ASK, split).format(e=expression)
    return Problem("multistep_arithmetic", [question], made, str(said),
                   str(combine(true[0], op, true[1])))
