/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Are two formulas the same? "Same" and "different" are proofs; everything else is "cannot tell".
 * Two formulas with letters are the same when they have the same value wherever both have one. */
#include "algebra/work.h"

typedef enum math_same_is { MATH_DIFFERENT, MATH_SAME, MATH_CANNOT_TELL } math_same_is;

typedef struct math_sameness {
    math_same_is is;
    /* same: "identical", "exact", "algebra"; different: "exact", "algebra", "bounds"; cannot tell:
     * "limit", "undefined", "function", "undecided", "assumption" (the same for positive letters,
     * or for letters that stand for numbers) */
    const char *why;
    const char *reason;     /* one line for people, static */
    const char *assumption; /* what "same" rests on ("i is the imaginary unit"), or NULL; static */
    bool narrower;          /* same only for letters that a, and not b, needs to be positive: b has
                               values where a has none, as \ln(x^2) against 2\ln x */
} math_sameness;

/* Compare the formulas a and b, in plain notation or LaTeX, each the whole of its text. Time and
 * memory are bounded for any bytes; what it computes is taken from *work (NULL: no bound). *out is
 * untouched unless RDV_OK. RDV_NONE: one of them is not a formula (formula.h). Faults: RDV_E_NOMEM.
 */
int math_same(rdv_str a, rdv_str b, math_work *work, math_sameness *out, rdv_error *err);
