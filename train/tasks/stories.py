# SPDX-License-Identifier: Apache-2.0
"""Arithmetic word problems of two to six steps.

A story is a line of amounts: each sentence makes a new one from the last, and at times two of them
are put together. Sentences, steps and questions come in several wordings; those that begin with ~
are kept for tests."""
from .problem import Problem, Step, pick, wrong_number
from .words import NAMES, THINGS

START = ["{n} (has|owns|starts with|begins with) {a} {o}.", "{n} has a (box|bag) with {a} {o}.",
         "(In the morning|At the start|At first|Today) {n} (has|owns) {a} {o}.",
         "There are {a} {o} (in {n}'s box|in {n}'s bag|on {n}'s table|in {n}'s room).",
         "{n}'s (box|bag) has {a} {o} in it.", "First {n} has {a} {o}.",
         "(In the morning|Today) there are {a} {o} (on {n}'s table|in {n}'s room).",
         "~At the start there are {a} {o} in {n}'s box."]

MORE = ["(|Then |Later |After that |Next ){n} (buys|finds|collects) {b} {o}.",
        "(|Then |After that |Next ){n} (buys|finds|collects|gets) {b} (more|new) {o}.",
        "Later {n} (finds|collects|gets) {b} more {o}.", "Then {n} gets {b} {o}.",
        "A friend (gives|sends) {n} {b} (|more ){o}.",
        "(|Then |Later |After that ){m} (gives|sends) {n} {b} (|more ){o}.",
        "{n} gets {b} {o} from (a friend|{m}).", "{n} gets {b} (more|new) {o} from (a friend|{m}).",
        "Later {n} gets {b} {o} from {m}.", "{n} then (buys|finds|gets|collects) {b} (|more ){o}.",
        "{b} (more|new) {o} are given to {n}.", "(|Then |Later ){m} gives {b} (|more ){o} to {n}.",
        "{n} (buys|gets) another {b} {o}.", "~Then {n} gets {b} {o} from a friend.",
        "~Later {n} buys {b} more {o}."]
MORE_STEP = ["Now {n} has {v} + {b} = {r} {o}.", "With {b} more, {n} has {v} + {b} = {r} {o}.",
             "After getting {b} more, {n} has {v} + {b} = {r} {o}."]
MORE_AIM = ["Find how many {o} {n} has after getting {b} more.",
            "It works out how many {o} {n} has with the new ones."]

LESS = ["(|Then |Later |After that ){n} (gives|sends) {b} {o} to {m}.",
        "(|Then |Later |Next ){n} (loses|gives away|throws away|sells) {b} {o}.",
        "(|Then |After that ){n} (loses|gives away|throws away|sells) {b} of the {o}.",
        "{n} (sells|loses|gives away|throws away) {b} of them.",
        "(|Then |Later ){m} (takes|buys) {b} of the {o}.",
        "(|Then |Later |After that ){m} (takes|buys) {b} {o} from {n}.",
        "{n} then (loses|gives away|throws away) {b} {o}.", "{n} then gives {b} {o} to a friend.",
        "{b} of the {o} are (sold|lost|given away|given to {m}).", "{n} sells {b} {o} to {m}.",
        "{n} (gives|sends) {m} {b} {o}.", "{n} gives {b} of them to {m}.",
        "~{n} then sells {b} {o}.", "~{b} {o} are sold to {m}."]
LESS_STEP = ["Now {n} has {v} - {b} = {r} {o}.", "{n} is left with {v} - {b} = {r} {o}.",
             "After that, {n} has {v} - {b} = {r} {o} left."]
LESS_AIM = ["Find how many {o} {n} has left after {b} are gone.",
            "It works out how many {o} {n} still has."]

TIMES = ["Each of the {o} (costs|sells for) {b} dollars.", "(Each|Every) one costs {b} dollars.",
         "{n} sells (all the|the) {o} for {b} dollars each.",
         "The {o} (cost|sell for) {b} dollars each.", "All the {o} are sold for {b} dollars each.",
         "{n} (sells|buys) each of the {o} for {b} dollars.",
         "The price of each of the {o} is {b} dollars.", "The {o} are sold, each for {b} dollars.",
         "(Each|Every) one is sold for {b} dollars.", "~Each of the {o} is sold for {b} dollars."]
TIMES_STEP = ["All the {o} cost {v} * {b} = {r} dollars.",
              "At {b} dollars each, that is {v} * {b} = {r} dollars."]
TIMES_AIM = ["Find how many dollars all the {o} cost.", "It works out what the {o} cost in all."]

SHARE = ["{n} (shares|divides) the {o} equally among {b} (friends|people).",
         "(The|All the) {o} are put into {b} (bags|boxes), the same number in each.",
         "The {o} are (shared|divided) equally among {b} (friends|people).",
         "{n} puts (the|all the) {o} into {b} (bags|boxes), the same number in each.",
         "{b} (friends|people) share the {o} equally.",
         "The {o} are (shared|divided) among {b} (friends|people), the same number for each.",
         "{n} gives the {o} to {b} (friends|people), the same number to each.",
         "~{n} shares the {o} among {b} friends, the same number for each."]
SHARE_STEP = ["Each one gets {v} / {b} = {r} {o}.", "That makes {v} / {b} = {r} {o} for each."]
SHARE_AIM = ["Find how many {o} each one gets.", "It works out how many {o} there are for each."]

MANY = ["{m} (has|owns) {b} times as many {o} as {n}.", "{m} (has|owns) {b} times the {o} that {n} has.",
        "{m} (has|owns) {b} times as many(| {o}).", "{m} owns {b} times as many {o} as {n} does.",
        "As for {m}, there are {b} times as many {o}.",
        "{m} has as many {o} as {n}, {b} times over.", "~{m} has {b} times as many as {n}."]
MANY_STEP = ["{m} has {v} * {b} = {r} {o}.", "So {m} has {b} times as many, {v} * {b} = {r} {o}."]
MANY_AIM = ["Find how many {o} {m} has.", "It works out the {o} of {m}."]

ABOVE = ["{m} (has|owns) {b} more {o} than {n}(| has| does).", "{m} (has|owns) {b} {o} more.",
         "Compared with {n}, {m} has {b} (more {o}|{o} more).", "{m} has {b} more than {n}(| has).",
         "{m} has as many {o} as {n} and {b} more.", "{m} owns {b} {o} more than {n} does.",
         "~{m} has {b} {o} more than {n}."]
ABOVE_STEP = ["{m} has {v} + {b} = {r} {o}.", "So {m} has {b} more, {v} + {b} = {r} {o}."]
BELOW = ["{m} (has|owns) {b} fewer {o} than {n}(| has| does).", "{m} (has|owns) {b} {o} fewer.",
         "Compared with {n}, {m} has {b} (fewer {o}|{o} fewer).", "{m} has {b} fewer than {n}(| has).",
         "{m} is {b} {o} short of what {n} has.", "{m} owns {b} {o} fewer than {n} does.",
         "~{m} has {b} {o} fewer than {n}."]
BELOW_STEP = ["{m} has {v} - {b} = {r} {o}.", "So {m} has {b} fewer, {v} - {b} = {r} {o}."]

BOTH_STEP = ["Together {n} and {m} have {v} + {b} = {r} {o}.",
             "In all, {n} and {m} have {v} + {b} = {r} {o}."]
BOTH_AIM = ["Find how many {o} {n} and {m} have together.",
            "It works out the {o} of {n} and {m} together."]

IDLE = ["{n} is {x} years old.", "{m} lives at number {x} in the street.",
        "It is {x} in the morning.", "{n} and {m} have been friends for {x} years.",
        "{n} is {x} years old today.", "{m} and {n} are both {x} years old.",
        "{m} is a friend who is {x} years old.", "~For {x} years {m} and {n} have been friends."]

ASK_HAS = ["How many {o} does {n} (have|own) now?", "How many {o} does {n} have in the end?",
           "In the end, how many {o} does {n} have?", "How many {o} are left for {n}(| now)?",
           "What number of {o} does {n} have (now|in the end)?", "How many {o} does {n} have(| left)?",
           "So how many {o} does {n} have(|, in all)?", "~Now how many {o} does {n} have?"]
ASK_EACH = ["How many {o} does each one get?", "How many {o} are there for each?",
            "For each one, how many {o} are there?", "What number of {o} does each one get?",
            "How many {o} does each of them get?", "How many {o} for each one?",
            "~How many {o} for each are there?"]
ASK_MONEY = ["How many dollars is that in all?", "How much do all the {o} cost?",
             "How many dollars do all the {o} cost?", "How many dollars do the {o} cost in all?",
             "In all, how much do the {o} cost?", "What do all the {o} cost?",
             "~How much do the {o} cost in all?"]
ASK_BOTH = ["How many {o} do {n} and {m} have together?", "How many {o} do they have in all?",
            "Together, how many {o} do they have?", "How many {o} do {n} and {m} have?",
            "{n} and {m} together have how many {o}?", "In all, how many {o} do {n} and {m} have?",
            "How many {o} do the two of them have together?",
            "~How many {o} do {n} and {m} have in all?"]


def calculate(a, sign, b):
    return {"+": a + b, "-": a - b, "*": a * b, "/": a // b if b else 0}[sign]


class Story:
    def __init__(self, rng, split):
        self.rng, self.split = rng, split
        self.names = {"n": rng.choice(NAMES)}
        self.names["m"] = rng.choice([x for x in NAMES if x != self.names["n"]])
        self.names["o"] = rng.choice(THINGS)
        self.sentences, self.steps, self.made = [], [], []

    def tell(self, wordings, **values):
        self.sentences.append(pick(self.rng, wordings, self.split).format(**self.names, **values))
        return len(self.sentences) - 1

    def step(self, wordings, aims, v, b, sign, info, prev, slip, v_at=None, b_at=None):
        """One calculation v sign b, which are outcomes of the steps v_at and b_at where these are
        given; `slip`: None, or how it goes wrong."""
        rng = self.rng
        right = calculate(v, sign, b)
        values = self.names
        says = rng.choice(wordings)
        right_text = rng.choice(wordings).format(v=v, b=b, r=right, **values)
        said, contradicts = right, False
        if slip is None:
            text = says.format(v=v, b=b, r=said, **values)
            if rng.random() < 0.5:
                right_text = text
        else:
            sv, sb, ssign = v, b, sign
            if slip == "result":
                said = wrong_number(rng, right)
            elif slip == "sign":
                ssign = {"+": "-", "-": "+", "*": "+", "/": "*"}[sign]
            elif slip == "copied":
                sv, contradicts = max(1, wrong_number(rng, v)), bool(prev)
            else:
                sb = max(1, wrong_number(rng, b))
            if slip != "result":
                said = calculate(sv, ssign, sb)
            if said == right or said < 0:
                said, sv, sb, ssign, contradicts = wrong_number(rng, right), v, b, sign, False
            text = says.replace(" %s {b} =" % sign, " %s {b} =" % ssign)
            text = text.format(v=sv, b=sb, r=said, **values)
        def redo(results):
            first = v if v_at is None else int(results[v_at])
            return str(calculate(first, sign, b if b_at is None else int(results[b_at])))

        self.steps.append(Step(text, right_text, rng.choice(aims).format(b=b, **values), info,
                               list(prev), str(said), str(right), redo, contradicts))
        return said, right


def ways_on(value, rest, total):
    ways = []
    if value < 80:
        ways += ["more"] * 3
    if value > 6:
        ways += ["less"] * 3
    if 2 <= value <= 24:
        ways += ["many"]
    if 4 < value < 80:
        ways += ["above", "below"]
    if rest == 1 and 2 <= value <= 20:
        ways += ["times"] * 2
    if rest <= 2 and total > 2 and value <= 24:
        ways += ["both"] * 4
    if any(value % k == 0 and value > k for k in range(2, 11)) and rest == 1:
        ways += ["share"] * 3
    return ways


def make(rng, split="train", slip=False, steps=None):
    """A story; with `slip` one of its steps goes wrong and the later ones follow from that."""
    wanted = steps or rng.choice([2, 2, 2, 3, 3, 3, 4, 4, 5, 6])
    while True:
        problem = attempt(rng, split, wanted, slip)
        if problem:
            return problem


def attempt(rng, split, wanted, slip):
    story = Story(rng, split)
    slip_at = rng.randrange(wanted) if slip else None
    true = value = rng.randint(4, 30)
    info, prev = [story.tell(START, a=value)], []
    ask = ASK_HAS
    if rng.random() < 0.15:
        story.tell(IDLE, x=rng.randint(5, 12))
    while len(story.steps) < wanted:
        rest = wanted - len(story.steps)
        how = rng.choice(ways_on(value, rest, wanted) or ["less"])
        slip_now = rng.choice(["result", "result", "sign", "copied", "other"]) \
            if len(story.steps) == slip_at else None
        if how == "both":
            outcome = both(story, value, true, info, prev, rest, slip_at)
            if outcome is None:
                continue
            value, true, ask = outcome
            if len(story.steps) == wanted:
                break
            prev = [len(story.steps) - 1]
        value, true, ask, told = onward(story, how, value, true, info, prev, slip_now)
        if value is None:
            return None
        info, prev = [], [len(story.steps) - 1]
        if how in ("many", "above", "below"):
            story.names["n"], story.names["m"] = story.names["m"], rng.choice(
                [x for x in NAMES if x not in (story.names["n"], story.names["m"])])
        if how in ("times", "share"):
            break
        if not 1 <= value <= 150 or not 1 <= true <= 150:
            return None
    if len(story.steps) != wanted:
        return None
    story.tell(ask)
    if slip and not any(s.slips for s in story.steps):
        return None
    return Problem("stories", story.sentences, story.steps, str(value), str(true))


def onward(story, how, value, true, info, prev, slip):
    rng = story.rng
    at = prev[-1] if prev else None
    if how == "more":
        b = rng.randint(2, 20)
        told = story.tell(MORE, b=b)
        said, _ = story.step(MORE_STEP, MORE_AIM, value, b, "+", info + [told], prev, slip,
                             v_at=at)
        return said, true + b, ASK_HAS, told
    if how == "less":
        b = rng.randint(1, min(value - 1, 20)) if value > 1 else 1
        told = story.tell(LESS, b=b)
        said, _ = story.step(LESS_STEP, LESS_AIM, value, b, "-", info + [told], prev, slip, v_at=at)
        return said, true - b, ASK_HAS, told
    if how in ("above", "below"):
        b = rng.randint(2, min(value - 2, 20)) if value > 4 else 2
        told = story.tell(ABOVE if how == "above" else BELOW, b=b)
        said, _ = story.step(ABOVE_STEP if how == "above" else BELOW_STEP, MANY_AIM, value, b,
                             "+" if how == "above" else "-", info + [told], prev, slip,
                             v_at=at)
        return said, true + b if how == "above" else true - b, ASK_HAS, told
    if how == "many":
        b = rng.randint(2, 4)
        told = story.tell(MANY, b=b)
        said, _ = story.step(MANY_STEP, MANY_AIM, value, b, "*", info + [told], prev, slip, v_at=at)
        return said, true * b, ASK_HAS, told
    if how == "times":
        b = rng.randint(2, 5)
        told = story.tell(TIMES, b=b)
        said, _ = story.step(TIMES_STEP, TIMES_AIM, value, b, "*", info + [told], prev, slip, v_at=at)
        return said, true * b, ASK_MONEY, told
    ways = [k for k in range(2, 11) if value % k == 0 and value > k]
    if not ways or true % 1:
        return None, None, None, None
    b = rng.choice(ways)
    if true % b:
        return None, None, None, None
    told = story.tell(SHARE, b=b)
    said, _ = story.step(SHARE_STEP, SHARE_AIM, value, b, "/", info + [told], prev, slip, v_at=at)
    return said, true // b, ASK_EACH, told


def both(story, value, true, info, prev, rest, slip_at):
    """Another person's amount, and the two together: two steps."""
    if rest != 2:
        return None
    rng = story.rng
    how = rng.choice(["many", "above", "below"] if value > 4 else ["many", "above"])
    kinds = ["result", "result", "sign", "copied", "other"]
    slip = rng.choice(kinds) if len(story.steps) == slip_at else None
    first = value
    other, true_other, _, told = onward(story, how, value, true, info, prev, slip)
    made = len(story.steps) - 1
    slip = rng.choice(kinds) if len(story.steps) == slip_at else None
    said, _ = story.step(BOTH_STEP, BOTH_AIM, first, other, "+", list(info), list(prev) + [made],
                         slip, v_at=prev[-1] if prev else None, b_at=made)
    return said, true + true_other, ASK_BOTH
