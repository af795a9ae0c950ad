/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Sets of real numbers: unions of intervals and points, with exact ends. */
#include "grade/value.h"

#define REAL_SET_MAX 32 /* intervals, or items of a list; what goes over it is refused */

typedef struct real_bound {
    int infinite; /* -1, 1, or 0: the number `at` */
    rdv_str at;
    bool closed;
} real_bound;

typedef struct real_interval {
    real_bound low, high;
} real_interval;

/* Disjoint intervals that do not touch, from the lowest to the highest. */
typedef struct real_set {
    real_interval at[REAL_SET_MAX];
    size_t n;
    rdv_str letter; /* whose values they are; p == NULL: not said */
} real_set;

/* The set that a value is: an interval, a union, the empty set, a number or a list of them, or the
 * solutions of inequalities in one letter. RDV_NONE: it is none, or its ends cannot be put in
 * order. RDV_E_NOMEM. */
int real_set_of(value_reader *r, const answer_value *v, real_set *out);

/* Are they the same, into *same? RDV_NONE: it cannot be told. */
int real_set_compare(value_reader *r, const real_set *a, const real_set *b, bool *same);
