/* SPDX-License-Identifier: Apache-2.0 */
#include "reward/early_stopping.h"

#include <math.h>

#define ONE_IN 5

/* Other bits of the hash than those that choose the fold. */
bool early_stopping_leaves_out(const example *e)
{
    return (e->question >> 32) % ONE_IN == 0;
}

/* Add the log loss of a row after each number of trees. */
static void add_losses(const forest *trees, const float *row, bool wrong, double *losses)
{
    float margin = 0;
    for (size_t i = 0; i < trees->n_trees; i++) {
        margin += forest_leaf(trees, i, row);
        losses[i] += log1p(exp(wrong ? -(double)margin : (double)margin));
    }
}

size_t early_stopping_choose(const learning *l, size_t without, const forest *trees,
                             rdv_reward_after after, double *losses)
{
    const rdv_trainer *t = l->of;
    size_t best = trees->n_trees, n = 0;
    memset(losses, 0, trees->n_trees * sizeof *losses);
    for (size_t k = 0; k < t->n_examples; k++) {
        const example *e = &t->examples[k];
        if (l->fold[k] == NO_FOLD || l->fold[k] == without || !early_stopping_leaves_out(e))
            continue;
        for (size_t i = 0; i < e->n; i++) {
            int is = learn_row_class(e, i, after);
            if (is < 0)
                continue;
            add_losses(trees, t->rows + (e->first + i) * N_FEATURES, is, losses);
            n++;
        }
    }
    for (size_t i = trees->n_trees; n && i-- > 0;)
        if (losses[i] <= losses[best - 1])
            best = i + 1;
    return best;
}
