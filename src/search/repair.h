/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Locators that ask nobody, and the names of what a repair did, beside what the public header has.
 */
#include "score/eval.h"

#include <rederive/repair.h>

#define RDV_LOCATIONS_MAX ((size_t)1 << 20)

/* Count one more label; one that is not known, or beyond RDV_LOCATIONS_MAX, is skipped. Memory
 * is `arena`'s, the same for all labels. RDV_E_NOMEM. */
int rdv_locations_add(rdv_locations *locations, rdv_label label, rdv_arena *arena);

/* Does the locator need no more than the chain's label? Then rdv_locate() asks it, and it has
 * nothing to say of a chain that was changed. */
bool rdv_locator_is_drawn(const rdv_locator *locator);

/* Where a gold, random or simulated locator sees the first mistake of `chain`. The same chain (its
 * id, or without one its question), seed and locator give the same location; simulated ones of
 * other accuracies draw from the same numbers, so that a sweep changes as few of them as it can.
 * - gold: nothing where the label is not known.
 * - random: each of the chain's steps, and "no mistake", with the same chance.
 * - simulated: with chance `accuracy` the label; else a wrong location, drawn from `among` as far
 * as the chain has such a step; where none of those is left, from all wrong ones uniformly. Nothing
 *   where the label is not known.
 * RDV_E_ARGUMENT: the locator is a method, or `accuracy` or `among` cannot be used. */
int rdv_locate(const rdv_locator *locator, const rdv_chain *chain, rdv_label *out, rdv_error *err);

/* "repaired", "not better", "all equal", "failed": a static string. */
const char *rdv_repair_name(rdv_repair_kind is);

/* "passed", "rounds", "not located", "failed": a static string. */
const char *rdv_repair_end_name(rdv_repair_end end);
