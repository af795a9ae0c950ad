/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What is known when the equalities of a step are decided: its text, what was rounded before, and
 * the letters that have values. */
#include "expression/eval.h"
#include "language/context.h"
#include "language/modulus.h"

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
    moduli *moduli;                     /* that the chain named, up to this step; NULL: none */
    text_hints *hints, *question_hints; /* looked up when they are wanted */
    bool marked;                        /* the text is a calculator mark: all of it is a claim */
    bool wordless;                      /* no word stands in the text */
    bool thought;                       /* the text is reasoning */
    bool by_hand;                       /* it is, or rests on one that calculates by hand */
} knowledge;
