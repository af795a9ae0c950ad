/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Checks that a chain has already, as further verifiers of `general` (docs/adr/0060). */
#include <rederive/method.h>

/* Checks `recorded` and `verifiers` of the options. RDV_OK or RDV_E_ARGUMENT. */
int recorded_verifiers_check(const rdv_check_options *options, rdv_error *err);
/* Reads "NAME" or "NAME=WEIGHT", separated by commas, into `recorded`. The names are parts of
 * `list`. RDV_OK or RDV_E_ARGUMENT. */
int recorded_verifiers_read(rdv_str list, rdv_check_options *options, rdv_error *err);
/* What that check says of the chain's first n steps, as a verifier's check: *out has a verdict with
 * its score for each, and the chain's score as the confidence. A chain without the check, a check
 * of the whole chain, and a step that it lacks give unknown verdicts with the reason. RDV_OK or
 * RDV_E_NOMEM. */
int recorded_verifier_take(const rdv_recorded_verifier *recorded, const rdv_chain *chain,
                           const rdv_combination *how, rdv_arena *arena, rdv_check *out,
                           rdv_error *err);
