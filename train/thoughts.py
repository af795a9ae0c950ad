# SPDX-License-Identifier: Apache-2.0
"""What the model is taught of traces: to write them stepwise, and to find their first
mistake when asked for it in the three ways of BIG-Bench Mistake."""
from prompts import has_prompt, render
from tasks.problem import pairs


def thoughts(folder, trace, **values):
    """A prompt of ../prompts/mistakes; the task's own where there is one (src/method/thoughts.c)."""
    name = "mistakes/%s/%s" % (folder, trace.task)
    if not has_prompt(name):
        name = "mistakes/%s/other" % folder
    return render(name, question=trace.question, options=trace.options, **values)


def numbered(texts):
    return [{"number": i + 1, "text": text} for i, text in enumerate(texts)]


def trace_line(t, rng):
    i = rng.choice([0, rng.randrange(len(t.right))])
    reply = " " + t.right[i]
    for k in range(i + 1, len(t.right)):
        reply += "\nThought %d: %s" % (k + 1, t.right[k])
    return thoughts("trace", t, steps=numbered(t.right[:i]), next=i + 1), reply


def zero_shot(t, rng):
    return render("zero-shot", question=t.question, options=t.options), "\n".join(t.right)


def direct_trace(t, rng):
    wrong = t.label is not None and rng.random() < 0.7
    return (thoughts("direct-trace", t, steps=numbered(t.wrong if wrong else t.right)),
            str(t.label + 1) if wrong else "No")


def one_step(t, rng):
    """(steps up to the one asked of, is it right): as often wrong as right."""
    if t.label is not None and rng.random() < 0.5:
        return t.wrong[:t.label + 1], False
    n = rng.randrange(len(t.right))
    return t.right[:n + 1], True


def direct_step(t, rng):
    shown, right = one_step(t, rng)
    return (thoughts("direct-step", t, steps=numbered(shown), next=len(shown)),
            "Yes" if right else "No")


def cot_step(t, rng):
    shown, right = one_step(t, rng)
    return (thoughts("cot-step", t, steps=numbered(shown), next=len(shown)),
            "%s. Answer: %s" % (pairs(t.right[len(shown) - 1], shown[-1]),
                                "Yes" if right else "No"))


OF_TRACE = {"trace": trace_line, "zero-shot": zero_shot, "direct-trace": direct_trace,
            "direct-step": direct_step, "cot-step": cot_step}

# Their prompts are long and nearly all exemplars, so they are drawn seldom.
MIXTURE = {"trace": 0.9, "zero-shot": 2.5, "direct-trace": 0.2, "direct-step": 0.3, "cot-step": 0.6}

TASKS = ["word_sorting", "tracking_shuffled_objects", "logical_deduction", "multistep_arithmetic",
         "dyck_languages", "other"]
PROMPT_IDS = ["zero-shot"] + ["mistakes/%s/%s" % (folder, task) for folder in
                              ("trace", "direct-trace", "direct-step", "cot-step")
                              for task in TASKS]
