/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The options of eval --recipe selfcheck:v2bound. */
#include "settings.h"

#include <rederive/study.h>

/* Whether the chances of the answers are given, so that no chains are read. */
bool majority_is_given(const struct settings *settings);
/* Read --p, --q and --n into *out; the chances are allocated in `arena`. RDV_E_ARGUMENT: they are
 * no chances, or the study is another; RDV_E_NOMEM. */
int majority_options(const struct settings *settings, const rdv_study_info *info, rdv_arena *arena,
                     rdv_study_options *out, rdv_error *err);
