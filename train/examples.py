# SPDX-License-Identifier: Apache-2.0
"""What the model is taught: pairs of a prompt and its reply.

Every reply depends on nothing but what its prompt shows. A check is shown a chain in which a step
may slip; the truth is known, and the reply is what a careful reader of that prompt would say."""
import importlib
import json
import random
import re

import thoughts
from drills import DRILLS
from prompts import render
from tasks.problem import pairs

TASKS = ["stories", "word_sorting", "tracking_shuffled_objects", "logical_deduction",
         "multistep_arithmetic", "dyck_languages", "coin_flip", "last_letters"]
KIND = "math"  # what the program says of every question if the built-in model checks (docs/prompts.md)
MAKE = {t: importlib.import_module("tasks." + t).make for t in TASKS}


def generate(p, rng):
    reply = p.written + "\n\n" + p.ending.format(p.answer)
    return render("generate", question=p.question, options=p.options), reply


def lines_of(p):
    """The steps a line each; the last line says the answer."""
    out = [s.says for s in p.steps]
    out[-1] += " " + p.ending.format(p.answer)
    return out


def step_line(p, rng):
    """Zero-shot, a step a line: some next line, and what follows it."""
    lines = lines_of(p)
    i = rng.choice([0, rng.randrange(len(lines))])
    reply = " " + lines[i]
    for k in range(i + 1, len(lines)):
        reply += "\nStep %d: %s" % (k, lines[k])
    return render("general/step", question=p.question, options=p.options, previous=lines[:i],
                  number=i), reply


def target(p, rng, i):
    return render("selfcheck/target", question=p.question, options=p.options, steps=p.texts[:i + 1],
                  step=p.texts[i]), p.steps[i].aim


def joined(ids):
    text = [str(i) for i in ids]
    return text[0] if len(text) == 1 else ", ".join(text[:-1]) + " and " + text[-1]


def collected(step):
    parts = []
    if step.info:
        parts.append("Information " + joined(step.info))
    if step.prev:
        parts.append(("Step " if len(step.prev) == 1 else "Steps ") + joined(step.prev))
    return "It follows from " + " and ".join(parts) + "."


def collect(p, rng, i):
    return render("selfcheck/collect", kind=KIND, question=p.question, options=p.options, information=p.sentences,
                  previous=p.texts[:i], step=p.texts[i]), collected(p.steps[i])


def needed(p, rng, i, more=True):
    """The items that a step needs; at times with one that it does not."""
    info, prev = list(p.steps[i].info), list(p.steps[i].prev)
    if more and rng.random() < 0.25:
        spare = [k for k in range(len(p.sentences)) if k not in info]
        if spare:
            info.append(rng.choice(spare))
    if more and rng.random() < 0.15:
        spare = [k for k in range(i) if k not in prev]
        if spare:
            prev.append(rng.choice(spare))
    return [p.sentences[k] for k in sorted(info)], [p.texts[k] for k in sorted(prev)]


def regenerate(p, rng, i):
    info, prev = needed(p, rng, i)
    named = definitions(p) if i and rng.random() < 0.7 else ""
    return render("selfcheck/regenerate", kind=KIND, options=p.options, variables=named, information=info,
                  previous=prev,
                  target=p.steps[i].aim), p.steps[i].right


SUPPORTS = "Solution 1 supports the conclusion in Solution 2."
CONTRADICTS = "Solution 1 contradicts the conclusion in Solution 2."
UNRELATED = "Solution 1 is not directly related to the conclusion in Solution 2."


def comparison(step_result, other_result):
    return "%s\nTherefore, %s" % (pairs(other_result, step_result),
                                  SUPPORTS if step_result == other_result else CONTRADICTS)


def compare(p, rng, i):
    step = p.steps[i]
    text, kind = p.texts[i], rng.random()
    if kind < 0.1 and len(p.steps) > 2:
        k = rng.choice([k for k in range(len(p.steps)) if k != i])
        if p.steps[k].right_result != step.result and k not in step.prev:
            return render("selfcheck/compare", kind=KIND, options=p.options, regenerated=p.steps[k].right,
                          step=text), "Therefore, " + UNRELATED
    if kind < 0.3 and not step.slips:  # the re-derivation is what slips
        other = MAKE[p.task](rng, "train", slip=True)
        k = other.first_slip
        return render("selfcheck/compare", kind=KIND, options=p.options, regenerated=other.steps[k].says,
                      step=other.steps[k].right), comparison(other.steps[k].right_result,
                                                                 other.steps[k].result)
    if step.slips and rng.random() < 0.25:  # the re-derivation slips in the same way
        return render("selfcheck/compare", kind=KIND, options=p.options, regenerated=step.says,
                      step=text), comparison(step.result, step.result)
    return render("selfcheck/compare", kind=KIND, options=p.options, regenerated=step.right,
                  step=text), comparison(step.result, step.right_result)


def definitions(p):
    """The variables of a chain, a line each; empty when it has none."""
    if p.task != "multistep_arithmetic":
        return ""
    parts = p.steps[0].says.rstrip(".").split("where ")[1].split(" and ")
    return "\n".join("%d. %s is defined as %s." % (k + 1, "AB"[k], part.split(" = ")[1])
                     for k, part in enumerate(parts))


def variables(p, rng):
    reply = definitions(p) or "There are no variables in the solution."
    return render("selfcheck/variables", kind=KIND, question=p.question, steps=p.texts), reply


def judged(step, wrong="Wrong", correct="Correct"):
    return "%s\n%s\n%s" % (step.right, pairs(step.result, step.right_result),
                           wrong if step.slips else correct)


def single_stage(p, rng, i):
    return render("single-stage", question=p.question, options=p.options, previous=p.texts[:i],
                  step=p.texts[i]), judged(p.steps[i])


def error_check(p, rng, i):
    info, prev = needed(p, rng, i)
    return render("error-check", options=p.options, information=info, previous=prev,
                  step=p.texts[i]), judged(p.steps[i])


def error_check_1shot(p, rng, i):
    info, prev = needed(p, rng, i)
    reply = judged(p.steps[i], 'So the answer is "no".', 'So the answer is "yes".')
    return render("error-check-1shot", options=p.options, information=info, previous=prev, step=p.texts[i]), reply


def whole(p, rng):
    lines = []
    for i, s in enumerate(p.steps):
        lines.append("(Step %d) %s\n%s" % (i, s.right, pairs(s.result, s.right_result)))
        if s.slips:
            lines.append("Wrong")
            break
    else:
        lines.append("Correct")
    return render("global", question=p.question, options=p.options, steps=p.texts), "\n".join(lines)


def relevance(p, rng, i):
    lines = lines_of(p)
    step, yes = lines[i], True
    if rng.random() < 0.5:
        task = p.task if rng.random() < 0.5 else rng.choice(TASKS)
        other = MAKE[task](rng, "train")
        step, yes = rng.choice(other.steps).says, False
        if any(step == s.says for s in p.steps):
            yes = True
    reply = "yes, the solution is relevant" if yes else "no, the draft step is not about the problem"
    return render("general/relevance", question=p.question, options=p.options,
                  previous=lines[:i], step=step), reply


def consistency(p, rng, i):
    step = p.steps[i]
    bad = step.contradicts
    reply = " contradicting the Previous Steps." if bad else " not contradicting the Previous Steps."
    return render("general/consistency", previous=lines_of(p)[:i], step=lines_of(p)[i]), reply


def calculations(p, rng, i):
    """The calculations of a step as JSON, in the form of the prompt's examples."""
    found = []
    text = p.steps[i].says
    if p.task == "stories":
        for m in re.finditer(r"(\d+ [-+*/] \d+) = (\d+)", text):
            found.append(m.groups())
    elif p.task == "multistep_arithmetic" and i:
        parts = text.rstrip(".").split(" = ")[1:]
        found = list(zip(parts, parts[1:]))
    listed = ", ".join('{"lhs": %s, "op": "=", "rhs": %s}' % (json.dumps(a), json.dumps(b))
                       for a, b in found)
    return render("general/math", step=lines_of(p)[i]), "\n{[%s]}\n```" % listed


OF_STEP = {"target": target, "collect": collect, "regenerate": regenerate, "compare": compare,
           "single-stage": single_stage, "error-check": error_check,
           "error-check-1shot": error_check_1shot, "relevance": relevance,
           "consistency": consistency, "math": calculations}
OF_CHAIN = {"generate": generate, "step": step_line, "variables": variables, "global": whole}

# The kinds that know which slips contradict an earlier step.
CONTRADICTING = ["stories", "tracking_shuffled_objects", "logical_deduction"]

# How often each is drawn. The two long prompts come seldom: their texts hardly change.
MIXTURE = {"generate": 34, "step": 7, "target": 4, "collect": 6, "regenerate": 32, "compare": 17,
           "variables": 1, "global": 7, "single-stage": 5, "error-check": 8,
           "error-check-1shot": 1.5, "relevance": 4, "consistency": 3, "math": 0.5}
WEIGHT = {"stories": 5, "word_sorting": 4, "tracking_shuffled_objects": 3,
          "logical_deduction": 3.5, "multistep_arithmetic": 2, "dyck_languages": 1.5,
          "coin_flip": 1.5, "last_letters": 2}


def draw(rng, mixture=MIXTURE, split="train", traces=None):
    """(name, task, messages, reply) of one example; `traces`: those that thoughts.py asks of."""
    name = rng.choices(list(mixture), list(mixture.values()))[0]
    if name in DRILLS:
        return (name, name) + DRILLS[name](rng)
    if name in thoughts.OF_TRACE:
        trace = rng.choice(traces)
        messages, reply = thoughts.OF_TRACE[name](trace, rng)
        return name, trace.task, messages, reply
    task = rng.choices(TASKS, [WEIGHT[t] for t in TASKS])[0]
    writes = name in ("generate", "step")
    slip = not writes and rng.random() < (0.6 if name in OF_STEP else 0.5)
    if name == "consistency" and task not in CONTRADICTING:
        slip = False  # whether such a slip contradicts a step is not known
    p = MAKE[task](rng, split, slip=slip)
    if name in OF_CHAIN:
        messages, reply = OF_CHAIN[name](p, rng)
    else:
        i = rng.randrange(len(p.steps))
        if slip and name != "collect" and rng.random() < 0.6:
            i = p.first_slip
        if name == "consistency" and i == 0:
            i = len(p.steps) - 1
        messages, reply = OF_STEP[name](p, rng, i)
    return name, task, messages, reply


# The ids of the prompts that the model was taught to answer, for its file.
PROMPT_IDS = ["generate", "general/step", "selfcheck/variables", "selfcheck/target",
              "selfcheck/collect", "selfcheck/regenerate", "selfcheck/compare", "global",
              "single-stage", "error-check", "error-check-1shot", "general/relevance",
              "general/consistency", "general/math"] + thoughts.PROMPT_IDS


if __name__ == "__main__":
    rng = random.Random(1)
    for _ in range(12):
        name, task, messages, reply = draw(rng)
        print("=====", name, task)
        for role, text in messages[-2:]:
            print("[%s] %s" % (role, text[-1200:]))
        print("--> " + reply)
