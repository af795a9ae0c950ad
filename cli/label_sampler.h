/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Where the first mistakes of a data set are, task by task: what a simulated locator draws from. */
#include "settings.h"

#include "score/interner.h"

#include <rederive/repair.h>

struct label_sampler {
    interner tasks;
    rdv_locations *of; /* of each task */
    size_t cap;
};

/* Read the labels of --locations, or of the input itself. RDV_E_ARGUMENT: neither can be read twice
 * or has a label; RDV_E_IO, RDV_E_NOMEM. Records that cannot be read are skipped. */
int label_sampler_read(struct label_sampler *sampler, const struct settings *settings,
                       rdv_arena *keep, rdv_error *err);
/* Those of the chain's task; NULL: it has none. */
const rdv_locations *label_sampler_of(const struct label_sampler *sampler, const rdv_chain *chain,
                                      rdv_arena *scratch);
