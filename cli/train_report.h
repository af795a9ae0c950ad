/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The results of training, for people or as JSON. */
#include "reward/reward.h"

/* *out: in `arena`. RDV_E_NOMEM. */
int train_report_text(const rdv_training *t, rdv_arena *arena, rdv_str *out);
int train_report_json(const rdv_training *t, rdv_arena *arena, rdv_str *out);
