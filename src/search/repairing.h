/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A chain while it is repaired. */
#include <rederive/repair.h>

#include "search/continue_chain.h"
#include "method/check_set.h"

#define RESAMPLING_TEMPERATURE 1 /* section 4, step 3 */
#define REPAIR_MORE_STEPS 8      /* default, beyond twice the chain's own steps */

typedef struct repairing {
    rdv_plan *plan; /* its chains: the original, then each round's candidate */
    rdv_repair_options how;
    size_t most_steps;
    size_t current;         /* the current chain */
    const rdv_check *check; /* of that chain, by the locator; NULL: none (yet) */
    rdv_repair *rounds;
    size_t round; /* rounds begun; also the index of the candidate */
    rdv_str sample;
    rdv_repaired result;
} repairing;

/* From the samples of a step, drops those that equal one of `olds`, of n_olds, after stripping and
 * chooses one of the others: the most probable, or the most frequent if any of them has no
 * log-probability; the first of equals. *out: NULL if all equal the old one. Fills in the members
 * of *repair about the samples. RDV_OK or RDV_E_NOMEM. */
int resample_select(const generated_step *samples, size_t n, const rdv_str *olds, size_t n_olds,
                    rdv_resample_kind how, rdv_arena *arena, rdv_repair *repair,
                    const generated_step **out);
