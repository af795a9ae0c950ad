/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What training found, for people or as JSON. */
#include "reward/reward.h"

/* In `arena`. RDV_E_NOMEM. */
int train_report_text(const rdv_training *t, rdv_arena *arena, rdv_str *out);
int train_report_json(const rdv_training *t, rdv_arena *arena, rdv_str *out);
