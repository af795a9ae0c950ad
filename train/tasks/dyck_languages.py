# SPDX-License-Identifier: Apache-2.0
"""Closing brackets, in the manner of BIG-bench's dyck_languages."""
from .problem import Problem, Step, pick

PAIRS = {"(": ")", "[": "]", "{": "}", "<": ">"}
ASK = ["Complete the rest of the sequence, making sure that the parentheses are closed properly.",
       "Close the brackets of the sequence in the right order.",
       "Close the brackets of the sequence.",
       "Complete the sequence, so that the parentheses are closed in the right order.",
       "~Complete the sequence, making sure that the brackets are closed in the right order."]


def stack_text(stack):
    return " ".join(stack) if stack else "empty"


def stack_of(text):
    return [] if text == "empty" else text.split()


def redo_stack(i, symbol):
    def redo(results):
        stack = stack_of(results[i])
        return stack_text(stack + [symbol] if symbol in PAIRS else stack[:-1])
    return redo


def quoted(symbols):
    return ", ".join('"%s"' % s for s in symbols)


def spoil(rng, stack):
    while True:
        out = list(stack)
        kind = rng.randrange(3)
        if kind == 0 and out:
            out.pop()
        elif kind == 1:
            out.append(rng.choice("([{<"))
        elif out:
            out[rng.randrange(len(out))] = rng.choice("([{<")
        if out != stack:
            return out


def make(rng, split="train", slip=False, steps=None):
    length = steps or rng.randint(3, 8)
    symbols, depth = [], []
    while len(symbols) < length or not depth:
        if depth and rng.random() < 0.4:
            symbols.append(PAIRS[depth.pop()])
        else:
            depth.append(rng.choice("([{<"))
            symbols.append(depth[-1])
    sentences = [pick(rng, ASK, split), "Input: " + " ".join(symbols)]
    slip_at = rng.randrange(len(symbols) + 1) if slip else None
    made = [Step("We should process each input one by one and keep track of the stack. "
                 "stack: empty", "We should process each input one by one and keep track of the "
                 "stack. stack: empty", "It starts with an empty stack.", [0], [], "empty",
                 "empty", lambda results: "empty")]
    stack = []
    for i, symbol in enumerate(symbols):
        if symbol in PAIRS:
            right = stack + [symbol]
        else:
            right = stack[:-1] if stack else []
        said = spoil(rng, right) if i == slip_at else right
        text = "%s ; stack: %s"
        made.append(Step(text % (symbol, stack_text(said)), text % (symbol, stack_text(right)),
                         "It finds the stack after the next input %s" % symbol, [1], [i],
                         stack_text(said), stack_text(right), redo_stack(i, symbol)))
        stack = said
    closing = [PAIRS[s] for s in reversed(stack)]
    said = spoil_close(rng, closing) if slip_at == len(symbols) else closing
    text = 'The end is reached. The final stack is "%s", so we need %s.'
    made.append(Step(text % (stack_text(stack), quoted(said)),
                     text % (stack_text(stack), quoted(closing)),
                     "It finds what closes the final stack.", [], [len(symbols)], " ".join(said),
                     " ".join(closing),
                     lambda results: " ".join(PAIRS.get(s, "?") for s in
                                              reversed(stack_of(results[len(symbols)])))))
    gold = [PAIRS[s] for s in reversed(depth)]
    return Problem("dyck_languages", sentences, made, " ".join(said), " ".join(gold), "text",
                   joiner="\n\n", ending="So the answer is {}")


def spoil_close(rng, closing):
    while True:
        out = list(closing)
        kind = rng.randrange(3)
        if kind == 0 and len(out) > 1:
            out.reverse()
        elif kind == 1 and len(out) > 1:
            out.pop()
        elif out:
            out[rng.randrange(len(out))] = rng.choice(")]}>")
        else:
            out.append(rng.choice(")]}>"))
        if out != closing:
            return out
