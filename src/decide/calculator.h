/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What is kept from step to step while the calculations of a chain are decided. */
#include "base/arena.h"
#include "decide/results.h"
#include "expression/variables.h"

#define CALCULATOR_ROUNDS_MAX 64
#define CALCULATOR_BOUND_MAX 64
#define CALCULATOR_STEPS_MAX 64 /* that are looked at for where a number comes from */

struct rdv_calculator {
    rdv_arena *arena;   /* results */
    rdv_arena *scratch; /* tokens and trees of one step */
    const struct rule_set *rules; /* of language */
    rdv_str question;   /* folded, as the steps are, where numbers have decimal commas */
    bool commas;        /* they have */
    bool thought;       /* the next step is reasoning */
    bool by_hand;       /* or rests on it */
    text_hints question_hints;
    moduli moduli; /* that the steps named, with this one */
    unrounded rounds[CALCULATOR_ROUNDS_MAX];
    size_t n_rounds;
    binding bound[CALCULATOR_BOUND_MAX];
    size_t n_bound;
    related_letters related;             /* by the question and the steps before */
    bool question_read;                  /* for these */
    rdv_str steps[CALCULATOR_STEPS_MAX]; /* before this one */
    size_t n_steps;                      /* of the chain; the first CALCULATOR_STEPS_MAX are kept */
    chain_letters letters;               /* of the question and these steps */
    rdv_str equation; /* in letters, at the end of a step before; p == NULL: there is none */
    bool alone;       /* that step has no words, and the question has the equation */
    rdv_str between;  /* the step after it, which only says what is done to it; or p == NULL */
    size_t derived;   /* of this step, the equation that says the same as that above it */
    uint64_t budget;
    uint64_t step_ns; /* processor time that a step may take; 0: no limit */
    uint64_t late_at; /* when this step has taken it, by the clock of the thread; 0: never */
};

/* Has the step taken its time? Readers ask before each claim, which takes a bounded time. */
bool calculator_is_late(const rdv_calculator *c);

/* What every calculation of the tokens is decided with; the caller adds what was rounded and bound
 * before. `hints` is borrowed. */
static inline knowledge calculator_knowledge(rdv_calculator *c, const tokens *t, text_hints *hints)
{
    return (knowledge){.t = t,
                       .arena = c->arena,
                       .budget = &c->budget,
                       .question = c->question,
                       .moduli = &c->moduli,
                       .thought = c->thought,
                       .by_hand = c->by_hand,
                       .hints = hints,
                       .question_hints = &c->question_hints};
}

/* lex() of a text of the chain. */
static inline int calculator_lex(const rdv_calculator *c, rdv_str text, tokens *out)
{
    int r = lex(text, c->scratch, out);
    if (r == RDV_OK)
        out->rules = c->rules;
    return r;
}
