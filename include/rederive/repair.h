/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* rederive/repair.h - locating a chain's first mistake, and backtracking from there (LLMs cannot
 * find reasoning errors, section 4; docs/repair.md). */
#include <rederive/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- locators -------------------------------------------------------------------------------- */

typedef enum rdv_locator_kind {
    RDV_LOCATE_METHOD = 0, /* the first error that a method finds */
    RDV_LOCATE_GOLD,       /* the chain's label (section 4.1) */
    RDV_LOCATE_RANDOM,   /* any step, or none, with equal probability (section 4.1, footnote 10) */
    RDV_LOCATE_SIMULATED /* a simulated reward model of the given accuracy (section 4.2) */
} rdv_locator_kind;

/* How often each location is the first mistake in a data set. Zero-initialise. */
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
    uint64_t seed;              /* RDV_LOCATE_RANDOM, RDV_LOCATE_SIMULATED */
    const rdv_locations *among; /* RDV_LOCATE_SIMULATED: the distribution of wrong locations */
} rdv_locator;

/* Reads "gold", "random", "simulated:X" (X in [0,1], or a percentage: "simulated:65%"), or the name
 * of a method. *out is untouched on failure; seed and among are left zero. RDV_E_ARGUMENT: there is
 * no such locator; the message lists those that exist. */
RDV_API int rdv_locator_named(rdv_str name, rdv_locator *out, rdv_error *err);

/* ---- repairing ------------------------------------------------------------------------------- */

/* How one of the samples of a step is chosen (section 4, step 4). */
typedef enum rdv_resample_kind {
    RDV_RESAMPLE_LOGPROB_SUM = 0, /* the most probable by the sum over its tokens */
    RDV_RESAMPLE_LOGPROB_MEAN     /* the most probable by the mean over its tokens */
} rdv_resample_kind;

/* Whether the old trace or the repaired one is kept. */
typedef enum rdv_keep_kind {
    RDV_KEEP_BETTER = 0, /* the trace with the larger confidence in the locator's check; if equal,
                            the one whose first mistake is later; otherwise the old one. A new trace
                            without an answer does not replace one with an answer. If the locator
                            cannot check (gold, random, simulated): the new one */
    RDV_KEEP_NEW         /* always the new one, as in the paper */
} rdv_keep_kind;

/* Initialise with rdv_repair_options_default(), then set members. Pointers are borrowed until the
 * plan is freed. */
typedef struct rdv_repair_options {
    size_t size; /* sizeof(rdv_repair_options) */
    rdv_locator locator;
    size_t resamples; /* samples of the step; 1 to 1000, default 8 */
    size_t rounds;    /* maximum; 1 to 100, default 1. gold, random, simulated: always 1 */
    rdv_resample_kind choose;
    rdv_keep_kind keep;
    size_t max_steps; /* maximum length of a chain; default: twice the chain's own plus 8 */
} rdv_repair_options;

/* Sets every member to the default stated above, or to zero. `size` is sizeof *options. */
RDV_API void rdv_repair_options_default(rdv_repair_options *options, size_t size);

/* The outcome of one round. */
typedef enum rdv_repair_kind {
    RDV_REPAIR_DONE = 0,   /* the chain was repaired and the repair is kept */
    RDV_REPAIR_NOT_BETTER, /* the old trace is kept: the check prefers it */
    RDV_REPAIR_ALL_EQUAL,  /* the old trace is kept: all samples equal the old step */
    RDV_REPAIR_FAILED      /* the old trace is kept: a necessary reply is missing */
} rdv_repair_kind;

typedef struct rdv_repair {
    size_t round; /* from 1 */
    size_t from_step;
    rdv_repair_kind kind;
    const rdv_str *before; /* the trace's steps from from_step on, before the round */
    size_t n_before;
    rdv_str answer_before; /* p == NULL: none */
    const rdv_str *after;  /* the steps that replaced them, or would have; NULL: none */
    size_t n_after;
    rdv_str answer_after;
    size_t tried, different; /* samples received, and those that differ from the old step */
    const char *chosen_by;   /* "logprob-sum", "logprob-mean", "frequency"; NULL: none. Static */
    double logprob;          /* of the chosen sample, as chosen_by states; NaN: not available */
    double confidence_before, confidence_after; /* of the locator's checks; NaN: none */
    rdv_str why; /* RDV_REPAIR_FAILED, or the new trace is `capped`: one line; else p == NULL */
    bool capped; /* the new trace reached the maximum length without an answer */
} rdv_repair;

/* Why the loop ended. */
typedef enum rdv_repair_end {
    RDV_REPAIR_PASSED = 0, /* the locator finds no mistake (any more) */
    RDV_REPAIR_ROUNDS,     /* the maximum number of rounds was reached */
    RDV_REPAIR_UNLOCATED,  /* the locator gives no location: see `why` */
    RDV_REPAIR_BROKEN      /* a round failed */
} rdv_repair_end;

typedef struct rdv_repaired {
    const rdv_repair *rounds;
    size_t n_rounds;
    rdv_repair_end end;
    rdv_str why;    /* RDV_REPAIR_UNLOCATED, RDV_REPAIR_BROKEN: one line; p == NULL: none */
    bool changed;   /* the chain differs from the original */
    uint64_t calls; /* calls for checks and generation that the result needed */
    uint64_t prompt_tokens, completion_tokens;
} rdv_repaired;

/* Creates a plan that repairs `chain` by backtracking: locate the first error; sample that step
 * again; drop the samples that equal it after stripping; choose the most probable, or, if the
 * server gives no log-probabilities, the most frequent of those that differ (the first if several
 * are equally frequent); regenerate the rest of the chain; and locate again, up to the maximum
 * number of rounds. A chain in which the locator finds no mistake is never changed.
 * rdv_plan_chains() has one chain, the resulting one, with its check by the locator's method; if it
 * was changed, its label and other checks are removed. Everything is borrowed until
 * rdv_plan_free(). As rdv_plan_check(). */
RDV_API int rdv_plan_repair(const rdv_chain *chain, const rdv_plan_options *options,
                            const rdv_repair_options *repair, rdv_plan **plan, rdv_error *err);
/* The result of a repair plan once it is done; NULL for another plan. Borrowed from the plan. */
RDV_API const rdv_repaired *rdv_plan_repaired(const rdv_plan *plan);

#ifdef __cplusplus
}
#endif
