/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What a sentence says are the roots of an equation in one letter: "the roots of x^2 - 5x + 6 = 0
 * are x = 2 and x = 3", "the solution of 2x + 3 = 11 is 4". */
#include "claims/find.h"

#define ROOTS_MAX 8

typedef struct roots_claim {
    size_t begin, end; /* tokens; end is the first one after it */
    size_t said;       /* the token at which the values begin */
    bool all;          /* "the roots", "the solution", not "a root" */
    equality equation; /* of two sides, in the arena */
    expression value[ROOTS_MAX];
    size_t n;
} roots_claim;

/* The first one at token `from` or after it. RDV_OK; RDV_NONE: there is none; RDV_E_NOMEM. Only a
 * whole clause is read. */
int roots_find(const tokens *t, size_t from, rdv_arena *arena, roots_claim *out);

/* May one be in the text? Most texts are passed over at a glance. */
bool roots_may_be_in(const tokens *t);
