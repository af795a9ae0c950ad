/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the parts of fitting share. */
#include <rederive/fit.h>

/* Whether settings can be fitted on the chain: checked, not skipped, known to be right or wrong. */
static inline bool rdv_case_takes_part(const rdv_case *one)
{
    return one->fact.checked && !one->fact.skipped && one->fact.correct >= 0;
}

typedef struct rdv_likely {
    double l1, l0, scale;
    double mean; /* log-likelihood a chain */
    bool at_limit;
} rdv_likely;

/* The weights that make "right with chance scale * w" likeliest, as rdv_fit() says. `unknown` is
 * what an unknown verdict counts as. RDV_OK; RDV_NONE: there are not both right and wrong chains
 * with verdicts; RDV_E_NOMEM. */
int rdv_fit_weights(const rdv_case *cases, size_t n, rdv_unknown_as unknown, rdv_arena *arena,
                    rdv_likely *out);
