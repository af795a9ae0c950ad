/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A model in memory, and as the text of its file. */
#include "reward/feature.h"
#include "reward/forest.h"
#include "reward/reward.h"

struct rdv_reward {
    rdv_arena *arena;
    rdv_reward_card card;
    forest trees;
};

/* The file of a model. *out in `arena`; RDV_OK, RDV_E_NOMEM, or RDV_E_LIMIT: it could not be read.
 */
int model_write(const rdv_reward *model, rdv_arena *arena, rdv_str *out);
/* The checksum of what stands before the last line of a file. */
uint64_t model_check(rdv_str bytes);
/* Where a rule locates the first error among `n` steps with these chances. */
size_t rule_locate(rdv_reward_rule rule, double at, const double *wrong, size_t n);
