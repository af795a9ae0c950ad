/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Two numbers, or calculations of numbers, with a sign of order between them: "3 * 4 > 15". */
#include "claims/find.h"

typedef struct comparison {
    expression side[2];
    size_t sign;    /* its token */
    bool bare;      /* both are numbers, which may be names that are ranked: "4 < 2 < 6" */
    bool of_result; /* the left side is the result of a calculation: "3 + 4 = 7 > 9" */
} comparison;

typedef struct comparisons {
    comparison *at;
    size_t n, cap;
} comparisons;

/* Append those of the text to `out` in `arena`, in order: each side is whole, has no letters and no
 * units. RDV_OK or RDV_E_NOMEM. */
int comparison_find(const tokens *t, rdv_arena *arena, comparisons *out);

/* May one be in the text? */
bool comparison_may_be_in(rdv_str text);
