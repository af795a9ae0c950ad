/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Search while solutions are being written (rdv_plan_options.beam_search): a beam over partial
 * chains.
 *
 * In a round every prefix of the beam is continued by several draws of its next step; the new
 * prefixes are checked, and the best of them make the next beam. One that says its answer leaves
 * the beam with its place, so that as many solutions come of it as it is wide, and the draws of a
 * round always go to the prefixes that are still in it. What is decided is decided once a whole
 * round is there, from scores and places alone: the order of replies does not matter. */
#include "plan/plan.h"

/* Begin the search in a new plan. Faults: RDV_E_NOMEM; RDV_E_INPUT (a prompt). */
int beam_search_start(rdv_plan *plan, const rdv_question *question, rdv_error *err);
/* Are the options of a search usable? RDV_OK or RDV_E_ARGUMENT. */
int beam_search_possible(const rdv_plan_options *options, rdv_error *err);
