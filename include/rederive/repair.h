/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/repair.h - where a chain's first mistake is said to be, and backtracking from there
 * (LLMs cannot find reasoning errors, section 4; docs/repair.md). */
#include <rederive/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- locators -------------------------------------------------------------------------------- */

typedef enum rdv_locator_kind {
    RDV_LOCATE_METHOD = 0, /* what a method of checking finds */
    RDV_LOCATE_GOLD,       /* the chain's label (section 4.1) */
    RDV_LOCATE_RANDOM,     /* any step, or none, each as likely (section 4.1, footnote 10) */
    RDV_LOCATE_SIMULATED   /* a reward model of stated accuracy (section 4.2) */
} rdv_locator_kind;

/* How often each location is a data set's first mistake. Zero-initialise. */
typedef struct rdv_locations {
    size_t *at; /* per step, n of them */
    size_t n, cap;
    size_t none; /* chains without a mistake */
} rdv_locations;

/* Borrowed, plain data. */
typedef struct rdv_locator {
    rdv_locator_kind kind;
    const rdv_method *method;   /* RDV_LOCATE_METHOD */
    double accuracy;            /* RDV_LOCATE_SIMULATED: in [0,1] */
    uint64_t seed;              /* of random and simulated ones */
    const rdv_locations *among; /* RDV_LOCATE_SIMULATED: what wrong ones are drawn from */
} rdv_locator;

/* Read "gold", "random", "simulated:X" (X in [0,1], or a percentage: "simulated:65%"), or the name
 * of a method. *out is untouched on failure; seed and among are left zero. RDV_E_ARGUMENT: there is
 * no such locator, the message says what there is. */
RDV_API int rdv_locator_named(rdv_str name, rdv_locator *out, rdv_error *err);

/* ---- repairing ------------------------------------------------------------------------------- */

/* How one of the samples of a step is chosen (section 4, step 4). */
typedef enum rdv_resample_kind {
    RDV_RESAMPLE_LOGPROB_SUM = 0, /* the most probable: the sum over its tokens */
    RDV_RESAMPLE_LOGPROB_MEAN     /* the mean over its tokens */
} rdv_resample_kind;

/* Which of the old trace and the repaired one stands. */
typedef enum rdv_keep_kind {
    RDV_KEEP_BETTER = 0, /* that with the larger confidence of the locator's check; of equal ones
                            that whose first mistake is later, and else the old one. A new trace
                            without an answer does not replace one that has one. Where the locator
                            cannot check (gold, random, simulated): the new one */
    RDV_KEEP_NEW         /* the new one, as in the paper */
} rdv_keep_kind;

/* Fill with rdv_repair_options_default(), then set. What it points to is borrowed until the plan is
 * freed. */
typedef struct rdv_repair_options {
    size_t size; /* sizeof(rdv_repair_options) */
    rdv_locator locator;
    size_t resamples; /* of the step; 1 to 1000, default 8 */
    size_t rounds;    /* at most; 1 to 100, default 1. gold, random, simulated: always 1 */
    rdv_resample_kind choose;
    rdv_keep_kind keep;
    size_t max_steps; /* no chain gets longer; default 64 steps more than the chain had */
} rdv_repair_options;

/* Sets every member: what stands above, otherwise zero. `size`: sizeof *options. */
RDV_API void rdv_repair_options_default(rdv_repair_options *options, size_t size);

/* What one round did. */
typedef enum rdv_repair_kind {
    RDV_REPAIR_DONE = 0,   /* the chain was repaired and the repair stands */
    RDV_REPAIR_NOT_BETTER, /* the old trace stands: the check prefers it */
    RDV_REPAIR_ALL_EQUAL,  /* the old trace stands: all samples equal the old step */
    RDV_REPAIR_FAILED      /* the old trace stands: a reply that was needed did not come */
} rdv_repair_kind;

typedef struct rdv_repair {
    size_t round; /* from 1 */
    size_t from_step;
    rdv_repair_kind kind;
    const rdv_str *before; /* the trace's steps from from_step on, before the round */
    size_t n_before;
    rdv_str answer_before; /* p == NULL: none */
    const rdv_str *after;  /* and what took, or would have taken, their place; NULL: nothing */
    size_t n_after;
    rdv_str answer_after;
    size_t tried, different; /* samples that came, and those that do not equal the old step */
    const char *chosen_by; /* "logprob-sum", "logprob-mean", "frequency"; NULL: none was. Static */
    double logprob;        /* of the chosen sample, as chosen_by; NaN: not to be had */
    double confidence_before, confidence_after; /* of the locator's checks; NaN: none */
    rdv_str why;                                /* RDV_REPAIR_FAILED: one line */
} rdv_repair;

/* Why the loop ended. */
typedef enum rdv_repair_end {
    RDV_REPAIR_PASSED = 0, /* the locator sees no mistake (any more) */
    RDV_REPAIR_ROUNDS,     /* as many rounds as there may be */
    RDV_REPAIR_UNLOCATED,  /* the locator says nothing: see `why` */
    RDV_REPAIR_BROKEN      /* a round failed */
} rdv_repair_end;

typedef struct rdv_repaired {
    const rdv_repair *rounds;
    size_t n_rounds;
    rdv_repair_end end;
    rdv_str why;    /* RDV_REPAIR_UNLOCATED, RDV_REPAIR_BROKEN: one line; p == NULL: none */
    bool changed;   /* the chain is no longer the one that came */
    uint64_t calls; /* that the result needed, checks and generation */
    uint64_t prompt_tokens, completion_tokens;
} rdv_repaired;

/* A plan that repairs `chain` by backtracking: locate; sample the step there anew; drop the samples
 * that equal it after stripping; take the most probable, or where the server gives no
 * log-probabilities the most frequent of those that differ (of equally frequent ones the first);
 * write the rest of the chain; look again, up to the bound. What the locator passes is never
 * touched. rdv_plan_chains() has one chain: as it became, with the check of it by the locator's
 * method; where it was changed, its label and its other checks are gone. Everything is borrowed
 * until rdv_plan_free(). As rdv_plan_check(). */
RDV_API int rdv_plan_repair(const rdv_chain *chain, const rdv_plan_options *options,
                            const rdv_repair_options *repair, rdv_plan **plan, rdv_error *err);
/* What a repair plan did, once it is done; NULL for another plan. Borrowed from the plan. */
RDV_API const rdv_repaired *rdv_plan_repaired(const rdv_plan *plan);

#ifdef __cplusplus
}
#endif
