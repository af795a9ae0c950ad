/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* --dry-run: an estimate of the requests that a command would send. */
#include "plan_source.h"

#include "base/map.h"

#define ESTIMATE_BOUNDS 3

/* The requests of several dry runs together, by rdv_bound: settings->estimate points to it. */
struct estimate_sums {
    struct usage_table of[ESTIMATE_BOUNDS];
    rdv_map seen; /* bound and key of requests that are made once */
    /* Those of RDV_BOUND_NONE, at servers that give several replies to one call. */
    struct usage_row shared;
};

void estimate_sums_init(struct estimate_sums *sums, rdv_arena *arena);

/* Their table for people, or as one line of JSON, as estimate_run() writes it. *out is in the
 * tables' arena. RDV_E_NOMEM. */
int estimate_sums_print(const struct estimate_sums *sums, struct prices prices,
                        const rdv_view_options *view, bool json, rdv_str *out, rdv_error *err);
/* Say on standard error what its three rows mean. */
void estimate_sums_tell(const struct estimate_sums *sums);

/* Read every record, make its plan with source->begin, and write the requests of all plans, by
 * stage, with their least and greatest number. With settings->estimate, add them to it instead; a
 * request that an earlier one of them has made is not counted again, as the journal answers it.
 * source->run then holds how the run ended. */
void estimate_run(struct plan_source *source);
