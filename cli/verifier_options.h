/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The command-line settings of verifiers and of the step range. */
#include "settings.h"

#include <rederive/method.h>

/* Read the settings into *options; its other members are unchanged. RDV_OK, or RDV_E_ARGUMENT with
 * the option in the message. */
int verifier_options_read(const struct settings *settings, rdv_check_options *options,
                          rdv_error *err);
/* Whether the profile is that of the paper. */
bool verifier_options_paper(const struct settings *settings);
/* What the perplexity is over, where the step scores are aggregated in that way. */
rdv_perplexity_over verifier_options_over(const struct settings *settings,
                                          rdv_aggregate_kind aggregate);
