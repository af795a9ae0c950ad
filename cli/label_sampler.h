/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The locations of first errors in a data set, by task, from which a simulated locator draws. */
#include "settings.h"

#include "score/interner.h"

#include <rederive/repair.h>

struct label_sampler {
    interner tasks;
    rdv_locations *of; /* one per task */
    size_t cap;
};

/* Read the labels of --locations, or of the input itself. Records that cannot be read are skipped.
 * RDV_E_ARGUMENT: the source cannot be read twice, or has no label; RDV_E_IO, RDV_E_NOMEM. */
int label_sampler_read(struct label_sampler *sampler, const struct settings *settings,
                       rdv_arena *keep, rdv_error *err);
/* The locations for the chain's task; NULL: there are none. */
const rdv_locations *label_sampler_of(const struct label_sampler *sampler, const rdv_chain *chain,
                                      rdv_arena *scratch);
