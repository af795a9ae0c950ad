/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A label that contradicts what is proven, on one line with its proof:
 *
 *   chains.jsonl:3:94: bakery/1 step 0: the label names step 2, but 17 × 24 = 398, should be 408
 *   traces.jsonl:9:71: t/8 step 1: the label names no step, but Ben should have "cup", not "jug":
 * ANN ...
 *
 * The place is as in a list of wrong steps (report/list/listing.h). */
#include "method/label_conflict.h"
#include "report/list/listing.h"

/* *out: in `arena`, with its line end; untouched on failure. Faults: RDV_E_NOMEM. */
int rdv_conflict_line(const rdv_listing_place *place, const rdv_chain *chain,
                      const label_conflict *conflict, const rdv_view_options *options,
                      rdv_arena *arena, rdv_str *out, rdv_error *err);
