/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Formulas in rows of rules: expressions of single letters, "a / (b * c)" (docs/rules.md). */
#include "expression/parse.h"
#include "language/row.h"

typedef struct row_formula {
    tokens t;
    const node *root; /* in the reader's arena; NULL: there is none */
} row_formula;

/* Read the whole text as a formula. RDV_E_INPUT: with the fault at the reader's line;
 * RDV_E_NOMEM. */
int formula_read(const row_reader *r, rdv_str text, row_formula *out);
/* The next letter at or after token *at, which is moved behind it; false: there is none. */
bool formula_next_letter(const row_formula *f, size_t *at, rdv_str *letter);
