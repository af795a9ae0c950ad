/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* One solution to a question, generated in the way that the plan's options state, into the plan's
 * chain of that index. */
#include "search/continue_chain.h"

/* Reads "steps", "thoughts" or "zero-shot" into *out; RDV_NONE: there is no such name. */
int rdv_generate_named(rdv_str name, rdv_generate_kind *out);

typedef struct generation generation;
struct generation {
    rdv_plan *plan;
    const rdv_question *question;
    size_t chain_index;
    node *node;             /* for a solution in one reply */
    continuation *thoughts; /* for stepwise generation */
    uint64_t calls;         /* calls that it needed, once it is done */
    bool absent;            /* the run ended before it was generated */
    bool unanswered;        /* a call for it got no reply */
    int (*done)(generation *, rdv_error *);
    void *data;
};

/* Begins the generation. `done` is called once, when plan->chains[chain_index] has its steps and
 * answer, as far as they were generated. */
int generation_start(generation **out, rdv_plan *plan, const rdv_question *question,
                     size_t chain_index, int (*done)(generation *, rdv_error *), void *data,
                     rdv_error *err);
/* Drops a generation that is no longer needed: `done` is never called. */
int generation_drop(generation *g, rdv_error *err);
