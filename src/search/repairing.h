/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A chain while it is repaired. */
#include <rederive/repair.h>

#include "search/continue_chain.h"
#include "method/check_set.h"

typedef struct repairing {
    rdv_plan *plan; /* its chains: the one that came, then each round's candidate */
    rdv_repair_options how;
    size_t most_steps;
    size_t current;         /* the chain that stands */
    const rdv_check *check; /* of that, by the locator; NULL: none yet, or it does not check */
    rdv_repair *rounds;
    size_t round; /* begun; that is also the index of its candidate */
    rdv_str sample;
    rdv_repaired result;
} repairing;

/* Of the samples of a step, drop those that equal `old` after stripping, and choose one of the
 * others: the most probable, or where one of them has no log-probability, the most frequent; the
 * first of equals. *out: NULL where all equal the old one. Fills in what *repair says of it.
 * RDV_OK or RDV_E_NOMEM. */
int resample_select(const generated_step *samples, size_t n, rdv_str old, rdv_resample_kind how,
                    rdv_arena *arena, rdv_repair *repair, const generated_step **out);
