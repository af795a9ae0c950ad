/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Search during generation (rdv_plan_options.beam_search): a beam search over partial chains.
 *
 * In each round every prefix in the beam is continued by several draws of its next step. The new
 * prefixes are checked, and the best of them form the next beam. A prefix that gives its answer
 * leaves the beam together with its place, so the search yields as many solutions as the beam is
 * wide, and the draws of a round always go to the prefixes that remain. Decisions are made only
 * when a round is complete, from scores and indices alone, so the order of replies does not
 * matter. */
#include "plan/plan.h"

/* Begins the search in a new plan. Errors: RDV_E_NOMEM; RDV_E_INPUT (a prompt). */
int beam_search_start(rdv_plan *plan, const rdv_question *question, rdv_error *err);
/* Checks that the options of a search are usable. RDV_OK or RDV_E_ARGUMENT. */
int beam_search_possible(const rdv_plan_options *options, rdv_error *err);
