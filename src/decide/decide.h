/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Is one equality of a chain right? The rules are in docs/calculations.md; the first of them: an
 * equality is reported as wrong only if it is wrong under every reading. */
#include "claims/find.h"
#include "expression/knowledge.h"

#include <rederive/math.h>

struct rule;

typedef struct decision {
    bool is_calculation;
#define DIFFERENT_NUMBERS "two numbers that differ" /* why "12 = 15" alone is undecided */

    /* false: a definition, an equation or a conversion, which is not checked */
    rdv_calc_kind kind;
    bool rounds; /* the right side is the left one's value, rounded, however far away that is */
    bool dash;   /* the left side begins with the dash before it, a minus */
    rdv_str value, claim, note, rule; /* as in rdv_calc */
} decision;

/* Leave it undecided, by that rule of language. */
void decision_withhold(decision *d, const struct rule *by);
/* Decide term[i] = term[i+1] of the chain. RDV_OK or RDV_E_NOMEM. */
int decide_equality(const knowledge *k, const equality *chain, size_t i, decision *out);
