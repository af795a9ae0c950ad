/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Explanations for a false equality, whose sides differ in every reading of their signs. Each
 * function returns the explanation in one line, or NULL. */
#include "claims/find.h"
#include "expression/knowledge.h"

struct rule;

/* The topics of the words near an equality, as bits. Those of CUE_OF_ARITHMETIC
 * are looked for in 300 bytes on each side and in the question, the others in 100 bytes. */
enum {
    CUE_IN_BASE = 1 << 0,
    CUE_MODULO = 1 << 1,
    CUE_MACHINE = 1 << 2,
    CUE_CYCLE = 1 << 3, /* of 10 (digits); the next four bits: of 12, 7, 360 or 26 */
    CUE_AT_RIGHT_ANGLES = 1 << 8,
    CUE_IN_PARALLEL = 1 << 9,
    CUE_BOTH_ENDS = 1 << 10,
    CUE_ODDS = 1 << 11,
    CUE_OUT_OF = 1 << 12,
    CUE_FOR_FREE = 1 << 13,
    CUE_MIXED = 1 << 14,
    CUE_BITS = 1 << 15,
    CUE_IN_BOTH = 1 << 16,
    CUE_PERCENT = 1 << 17,
    CUE_INSTEAD = 1 << 18,
    CUE_OF_ARITHMETIC = CUE_CYCLE - 1
};

typedef struct mismatch {
    const knowledge *k;
    const equality *chain; /* the sides are term[i] and term[i + 1] */
    size_t i;
    const expression *lhs, *rhs;
    const fmpq *l, *r; /* their values, read literally */
    bool measured;     /* every number has a unit, and both sides have the same dimension */
    unsigned cues;     /* CUE_ bits of what stands near them; mismatch_explained() sets it */
} mismatch;

/* True if the left side's value, or a number given in its place, is the right side as shown. */
bool mismatch_shows(const mismatch *m, const fmpq_t left);

/* So many bytes before the left side, and after the right one. */
rdv_str mismatch_before(const mismatch *m, size_t bytes);
rdv_str mismatch_after(const mismatch *m, size_t bytes);
/* What stands near both sides, up to 100 bytes away. */
rdv_str mismatch_near(const mismatch *m);
/* The tree without the units around it. */
const node *mismatch_bare(const node *n);
/* The value of a part of a side, into an initialised fmpq. False: it has none. */
bool mismatch_value(const mismatch *m, const node *n, fmpq_t out);
/* a op= b, of a sum, product or quotient; false: a division by zero. */
bool mismatch_combine(fmpq_t a, node_is sign, const fmpq_t b);
/* The whole number in token `i`; -1: there is none, or it has more than four digits. */
slong mismatch_whole_at(const tokens *t, size_t i);

/* regroup.c: another grouping, where brackets may have been left out. */
const char *mismatch_regrouped(const mismatch *m);
/* typesetting.c: exponents or fraction lines that were lost when the text was copied. */
const char *mismatch_typesetting(const mismatch *m);
/* counted.c: the sides count different things: things and their price, a share and its amount. */
const char *mismatch_counted(const mismatch *m);
/* custom.c: scores, clock times, odds, music and other customs of a trade or a game. */
const char *mismatch_customary(const mismatch *m);
/* noted.c: items, groups, values that the text sets right, accounts, round numbers. */
const char *mismatch_noted(const mismatch *m);
/* other_arithmetic.c: digits, clocks, other bases, remainders, operations of one's own. */
const char *mismatch_other_arithmetic(const mismatch *m);

/* "17 mod 5 = 3": the sides are not congruent. */
bool mismatch_of_residues(const mismatch *m);

/* The first of these that applies; or why the text does not assert the equality, and the rule of
 * language that says so into *by; or NULL. */
const char *mismatch_explained(mismatch *m, const struct rule **by);
