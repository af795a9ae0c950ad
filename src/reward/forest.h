/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Boosted trees, flat: the nodes of all trees one after another, siblings side by side. */
#include "base/arena.h"
#include "base/buf.h"
#include "base/str.h"

#define MAX_TREES ((size_t)10000)
#define MAX_NODES ((size_t)1000000)
#define NO_FEATURE 0xffffu

typedef struct node {
    float at;         /* a split: below it goes left; a leaf: its value */
    float mean;       /* what the training rows that came here got on the average from here */
    uint32_t left;    /* the left child, always after its parent; the right one is the next */
    uint16_t feature; /* NO_FEATURE: a leaf */
    bool missing_left;
} node;

typedef struct forest {
    node *nodes;
    uint32_t *roots;
    size_t n_nodes, n_trees;
} forest;

/* The value of the leaf of tree number `tree` that the row comes to. */
float forest_leaf(const forest *f, size_t tree, const float *row);
/* The sum of the leaves that the row comes to, in float and in the order of the trees, as
 * libxgboost sums. */
float forest_margin(const forest *f, const float *row);
/* The chance of a margin, as libxgboost computes it. */
double forest_chance(float margin);
