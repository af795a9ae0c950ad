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
    bool rounds; /* the right side is the left one's value, rounded, however far away that is */
    bool dash;   /* the left side begins with the dash before it, a minus */
    rdv_str value, claim, note; /* as in rdv_calc */
} decision;

/* The letters a to z of which the question or the text before says something, an equation or a
 * value: a bit for each, from the lowest on. */
typedef uint32_t related_letters;
#define RELATED_ALL ((related_letters)~0u)

/* What is known when an equality is decided. */
typedef struct knowledge {
    const tokens *t;
    rdv_arena *arena; /* for the texts of decisions */
    uint64_t *budget; /* of evaluation, for the whole step */
    const unrounded *rounds;
    size_t n_rounds;
    const binding *bindings;
    size_t n_bindings;
    const related_letters *related;     /* NULL: all */
    rdv_str question;                   /* p == NULL: not known */
    text_hints *hints, *question_hints; /* looked up when they are wanted */
    bool marked;                        /* the text is a calculator mark: all of it is a claim */
    bool wordless;                      /* no word stands in the text */
} knowledge;

/* Decide term[i] = term[i+1] of the chain. RDV_OK or RDV_E_NOMEM. */
int decide_equality(const knowledge *k, const equality *chain, size_t i, decision *out);

/* The value of a term read literally; EVAL_OK or why not. */
eval_is decide_term_value(const knowledge *k, const expression *e, fmpq_t out);
