/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Checks of one chain of three steps, the second of which is wrong, with scripted replies. */
#include <rederive/plan.h>

#include "../test.h"

#include <math.h>

#define assert_near(a, b) assert_true(fabs((a) - (b)) < 1e-12)

/* A reply by what is asked: the first line whose two texts stand in the request's stage and sample.
 */
typedef struct line {
    const char *stage, *sample, *reply; /* reply NULL: the request fails */
} line;

/* The line for a request; that there is one is asserted. */
const line *line_for(const line *script, const rdv_request *request);

/* The chain; gold: the question's right answer, p == NULL: not known. Static texts. */
rdv_chain chain_of(rdv_str gold);
/* Log-probabilities of its steps: -0.1 and -0.3; -1; -0.5 and -0.5. */
extern rdv_logprobs logprobs[];

/* The method of that name; that there is one is asserted. */
const rdv_method *method_of(const char *name);
/* Plans that check with the method and with `checking`, which is reset; both must outlive them. */
rdv_plan_options options_of(const rdv_method *const *method);
extern rdv_check_options checking;

/* Answers all requests of the plan, those that are out in an order by the seed: how many. */
size_t answer_all(rdv_plan *plan, const line *script, uint64_t seed);
/* The plan that checked the chain; to be freed with rdv_plan_free(). *asked, which may be NULL: how
 * many requests it had. */
rdv_plan *run(const rdv_chain *chain, const rdv_plan_options *o, const line *script, uint64_t seed,
              size_t *asked);
/* The check that the method made of the plan's first chain. */
const rdv_check *check_of(const rdv_plan *plan, const char *method);
/* A number of the verdict's evidence; NaN: there is none of that name. */
double noted(const rdv_verdict *v, const char *name);
