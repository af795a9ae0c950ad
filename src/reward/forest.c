/* SPDX-License-Identifier: Apache-2.0 */
#include "reward/forest.h"

#include <math.h>

static const node *leaf_of(const node *nodes, const node *at, const float *row)
{
    while (at->feature != NO_FEATURE) {
        float x = row[at->feature];
        bool left = isnan(x) ? at->missing_left : x < at->at;
        at = &nodes[at->left + !left];
    }
    return at;
}

float forest_leaf(const forest *f, size_t tree, const float *row)
{
    return leaf_of(f->nodes, &f->nodes[f->roots[tree]], row)->at;
}

float forest_margin(const forest *f, const float *row)
{
    float sum = 0;
    for (size_t i = 0; i < f->n_trees; i++)
        sum += forest_leaf(f, i, row);
    return sum;
}

double forest_chance(float margin)
{
    float x = -margin < 88.7f ? -margin : 88.7f;
    return 1.0f / (expf(x) + 1.0f + 1e-16f);
}
