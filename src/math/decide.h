/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Is one equality of a chain right? The rules are in docs/calculations.md; the first of them: an
 * equality is reported as wrong only if it is wrong under every reading. */
#include "math/context.h"
#include "math/eval.h"
#include "math/find.h"

#include <rederive/math.h>

typedef struct decision {
    bool
        is_calculation; /* false: a definition, an equation or a conversion, which is not checked */
    rdv_calc_kind kind;
    rdv_str value, claim, note; /* as in rdv_calc */
} decision;

/* What is known when an equality is decided. */
typedef struct knowledge {
    const tokens *t;
    rdv_arena *arena; /* for the texts of decisions */
    uint64_t *budget; /* of evaluation, for the whole step */
    const unrounded *rounds;
    size_t n_rounds;
    const binding *bindings;
    size_t n_bindings;
    rdv_str question;                   /* p == NULL: not known */
    text_hints *hints, *question_hints; /* looked up when they are wanted */
    bool marked;                        /* the text is a calculator mark: all of it is a claim */
    bool wordless;                      /* no word stands in the text */
} knowledge;

/* Decide term[i] = term[i+1] of the chain. RDV_OK or RDV_E_NOMEM. */
int decide_equality(const knowledge *k, const equality *chain, size_t i, decision *out);

/* The value of a term read literally; EVAL_OK or why not. */
eval_is decide_term_value(const knowledge *k, const expression *e, fmpq_t out);

/* Are both terms equal for all values of their letters? False also if this cannot be decided. */
bool identity_holds(const knowledge *k, const expression *lhs, const expression *rhs);

/* Are the terms different for all values of their letters, or equal only where both are zero:
 * "x^3 - 1 = (x + 1)(x^2 - x + 1)", "0.6x + 2.1x = 2.9x"? No equation to be solved is such.
 * `worked_out`: the text works the left side out, so that it is no equation; then sides that differ
 * in how often they hold one term count too: "2(r + 3) + 4r = 8r + 6". */
bool identity_never_holds(const knowledge *k, const expression *lhs, const expression *rhs,
                          bool worked_out);
