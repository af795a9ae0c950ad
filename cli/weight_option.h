/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* --weight and --aggregate: what a chain's vote weighs. */
#include "settings.h"

#include "score/vote_weight.h"

/* RDV_OK; RDV_E_ARGUMENT: --weight is unknown. */
int weight_option_read(const struct settings *settings, vote_weight *out, rdv_error *err);
