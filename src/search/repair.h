/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Locators that send no requests, and the names of repair outcomes; complements the public
 * header. */
#include "score/eval.h"

#include <rederive/repair.h>

#define RDV_LOCATIONS_MAX ((size_t)1 << 20)

/* Counts one more label. A label that is unknown or beyond RDV_LOCATIONS_MAX is skipped. Memory
 * comes from `arena`, which must be the same for all labels. RDV_E_NOMEM. */
int rdv_locations_add(rdv_locations *locations, rdv_label label, rdv_arena *arena);

/* True if the locator needs only the chain's label. Then rdv_locate() computes the location, and
 * the locator gives none for a chain that was changed. */
bool rdv_locator_is_drawn(const rdv_locator *locator);

/* The location of the first mistake of `chain` by a gold, random or simulated locator. The same
 * chain (its id, or without one its question), seed and locator give the same location. Simulated
 * locators of different accuracies draw from the same numbers, so a sweep changes as few locations
 * as possible.
 * - gold: no location if the label is unknown.
 * - random: each of the chain's steps, and "no mistake", with equal probability.
 * - simulated: the label with probability `accuracy`; otherwise a wrong location, drawn from
 *   `among` restricted to steps that the chain has; if none of those is left, uniformly from all
 *   wrong ones. No location if the label is unknown.
 * RDV_E_ARGUMENT: the locator is a method, or `accuracy` or `among` cannot be used. */
int rdv_locate(const rdv_locator *locator, const rdv_chain *chain, rdv_label *out, rdv_error *err);

/* Returns "repaired", "not better", "all equal" or "failed". Static. */
const char *rdv_repair_name(rdv_repair_kind is);

/* Returns "passed", "rounds", "not located" or "failed". Static. */
const char *rdv_repair_end_name(rdv_repair_end end);
