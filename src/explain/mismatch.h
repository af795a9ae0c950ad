/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A false equality, whose sides differ in every reading of their signs. */
#include "claims/find.h"
#include "expression/knowledge.h"

typedef struct mismatch {
    const knowledge *k;
    const equality *chain; /* the sides are term[i] and term[i + 1] */
    size_t i;
    const expression *lhs, *rhs;
    const fmpq *l, *r; /* their values, read literally */
    bool measured;     /* every number has a unit, and both sides have the same dimension */
} mismatch;

/* True if the left side's value, or a number given in its place, is the right side as shown. */
bool mismatch_shows(const mismatch *m, const fmpq_t left);

/* So many bytes before the left side, and after the right one. */
rdv_str mismatch_before(const mismatch *m, size_t bytes);
rdv_str mismatch_after(const mismatch *m, size_t bytes);
/* The tree without the units around it. */
const node *mismatch_bare(const node *n);
/* The value of a part of a side, into an initialised fmpq. False: it has none. */
bool mismatch_value(const mismatch *m, const node *n, fmpq_t out);
/* a op= b, of a sum, product or quotient; false: a division by zero. */
bool mismatch_combine(fmpq_t a, node_is sign, const fmpq_t b);

/* Why the text does not assert the equality, or what may explain it, and the rule that says so into
 * *rule_id (docs/rules.md); or NULL. */
const char *mismatch_explained(const mismatch *m, rdv_str *rule_id);
