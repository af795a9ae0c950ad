/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The dimension of a tree: what its units come to in sums, products, quotients, powers and square
 * roots, and what else it may be because a number leaves its unit out. */
#include "expression/parse.h"

typedef enum dimension_is {
    DIMENSION_PURE, /* numbers without a unit */
    DIMENSION_KNOWN,
    DIMENSION_UNKNOWN,
    DIMENSION_MISFIT /* different dimensions are added */
} dimension_is;

typedef struct dimension {
    dimension_is is;
    int power[MEASURE_BASES];
    /* In "36 / 5 hours" the hours may belong to the divisor, or to the whole quotient. `power` is
     * that of the first meaning; `power` + `of_quotient` is that of the second. */
    int of_quotient[MEASURE_BASES];
    int seen[MEASURE_BASES]; /* how many units in the tree have each base */
    /* The powers of each base in units of the tree that have no other base: what a factor may be
     * counted per. */
    int simple[MEASURE_BASES];
    bool product;            /* of numbers of which one or more have a unit */
    bool open;               /* a factor has no unit: "12 km * 3" */
    bool divided;            /* a divisor has a unit: "$60 / $12" */
} dimension;

/* Two dimensions that are not the same. */
typedef struct dimension_pair {
    bool is; /* false: there are none */
    int a[MEASURE_BASES], b[MEASURE_BASES];
} dimension_pair;

/* The pair of what two trees, or two terms, come to. */
dimension_pair dimension_pair_of(const dimension *a, const dimension *b);

/* What is seen on the way through a tree, whose units are read as `readings` say. */
typedef struct dimension_walk {
    const tokens *t;
    unsigned readings;
    bool bare;               /* a number without a unit was seen */
    bool product;            /* a product or quotient was seen */
    const measure *first;    /* the first unit that was seen */
    bool converts;           /* its dimension has units of different sizes */
    bool sums_differ;        /* units of different sizes are added */
    bool assumed;            /* a term that is added is taken to leave a unit out */
    dimension_pair added;    /* numbers of different dimensions are added */
    dimension_pair products; /* the same, of which one is a product that leaves no unit out */
} dimension_walk;

void dimension_of(dimension_walk *w, const node *n, dimension *out);

/* "pairs", "km/miles": nothing but a number. */
bool dimension_is_number(const int *power);

/* "a length", "a speed"; NULL: it has no name of its own. */
const char *dimension_kind(const int *power);

/* The unit of an N_UNIT in the meaning that the readings say; NULL: they read it as none. */
const measure *dimension_unit(const node *n, unsigned readings);

/* "$5 + $3 = $8 per hour", "1 hour + 2 hours = 3 hours per week": is all that tells the dimensions
 * apart a base that one of them is counted per, and the other one leaves out? */
bool dimension_leaves_out_per(const int *a, const int *b);

/* May a product come to that dimension because its numbers leave units out? A factor may leave out
 * what it is counted per ("3 hours * $5 = $15"), and one without a unit may be an amount ("60 km/h
 * * 2 = 120 km") or a rate of one kind of amount to another ("12 months * 5 = $60"). */
bool dimension_may_become(const dimension *d, const int *power);
