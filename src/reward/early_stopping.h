/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The number of trees, chosen by questions that are left out for it (appendix C of "LLMs cannot
 * find reasoning errors": the checkpoint with the best validation results). */
#include "reward/trainer.h"

/* Is the example's question one of the fifth that training parts leave out to choose the number of
 * trees? */
bool early_stopping_leaves_out(const example *e);
/* The number of trees, at least 1, with the least log loss on the validation examples among those
 * in folds other than `without`; `trees` were grown from the rest. Of equal numbers the smallest.
 * Without validation examples: all trees. */
size_t early_stopping_choose(const learning *l, size_t without, const forest *trees,
                             rdv_reward_after after, double *losses);
