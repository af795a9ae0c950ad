/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Where the first mistakes of a data set are, task by task: what a simulated locator draws from. */
#include "settings.h"

#include "base/map.h"

#include <rederive/repair.h>

struct locations {
    rdv_map by_task;
    rdv_locations *of; /* n of them */
    size_t n, cap;
};

/* Read the labels of --locations, or of the input itself. RDV_E_ARGUMENT: neither can be read twice
 * or has a label; RDV_E_IO, RDV_E_NOMEM. Records that cannot be read are skipped. */
int locations_read(struct locations *l, const struct settings *settings, rdv_arena *keep,
                   rdv_error *err);
/* Those of the chain's task; NULL: it has none. */
const rdv_locations *locations_of(const struct locations *l, const rdv_chain *chain,
                                  rdv_arena *scratch);
