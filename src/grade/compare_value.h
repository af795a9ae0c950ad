/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Two values: same, different, or it cannot be told; and why. */
#include "grade/value.h"

#include <rederive/answer.h>

/* One comparison of an answer with gold. */
typedef struct comparer {
    value_reader reader;
    rdv_compare_options how;
    size_t left;   /* pairs of values that may still be compared */
    unsigned rank; /* of `why`: the most that "same" rests on */
    const char *why;
    rdv_str reason; /* where they differ, or what cannot be told */
    int fault;      /* RDV_E_NOMEM, or 0 */
} comparer;

/* Pairs of values that one comparison looks at; over it nothing can be told. */
#define COMPARE_PAIRS_MAX 512

rdv_same value_compare(comparer *c, const answer_value *answer, const answer_value *gold);
