/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Which options of eval have an effect on which study. */
#include "settings.h"

#include "score/vote_weight.h"
#include <rederive/study.h>

/* RDV_OK, or RDV_E_ARGUMENT naming an option that was given without an effect on the study. */
int eval_options_check(const struct settings *settings, const rdv_study_info *info,
                       const vote_weight *weight, rdv_error *err);
