/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A plan that draws one step of a chain: that which replaces a rejected one, or the next, in the
 * way of a repair (search/repairing.h). For who judges each step before the next one is asked for.
 */
#include <rederive/repair.h>

/* Where the chain stands. Everything is borrowed until the plan is freed. */
typedef struct next_step_from {
    rdv_question question;
    const rdv_str *kept; /* n_kept steps that stand before it */
    size_t n_kept;
    const rdv_str *rejected; /* n_rejected texts that it must not be. 0: it is written once, at the
                                prompt's temperature; else it is sampled as a repair does */
    size_t n_rejected;
    rdv_str sample; /* names the draw: "round 1" */
} next_step_from;

typedef struct next_step {
    rdv_str text;          /* in the plan; p == NULL: there is none, for the reason `why` */
    bool answers;          /* it announces the answer: the chain ends with it */
    size_t n_samples;      /* received, */
    size_t n_different;    /* and those that are none of the rejected ones */
    const char *selection; /* how one was chosen, as rdv_repair.chosen_by. Static */
    rdv_str why;
} next_step;

/* Make the plan. *out: filled in when the plan is done, and until then in the caller's keeping.
 * RDV_OK, or a fault as rdv_plan_check(). */
int next_step_plan(const next_step_from *from, const rdv_plan_options *options, rdv_plan **plan,
                   next_step *out, rdv_error *err);
