/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* One solution to a question, generated in the way that the plan's options say, into the plan's
 * chain of that index. */
#include "search/continue_chain.h"

/* "steps", "thoughts", "zero-shot" into *out; RDV_NONE when there is no such name. */
int rdv_generate_named(rdv_str name, rdv_generate_kind *out);

typedef struct generation generation;
struct generation {
    rdv_plan *plan;
    const rdv_question *question;
    size_t chain_index;
    node *node;             /* of a solution in one reply */
    continuation *thoughts; /* of one thought by thought */
    uint64_t calls;         /* that it took, once it is done */
    bool absent;            /* the run ended before it was there */
    int (*done)(generation *, rdv_error *);
    void *data;
};

/* Begin. `done` is called once, when plan->chains[chain_index] has its steps and answer, or what
 * there is of them. */
int generation_start(generation **out, rdv_plan *plan, const rdv_question *question,
                     size_t chain_index, int (*done)(generation *, rdv_error *), void *data,
                     rdv_error *err);
/* It is no longer needed: `done` is never called. */
int generation_drop(generation *g, rdv_error *err);
