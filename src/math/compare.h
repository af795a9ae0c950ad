/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* How near two values are, given how one of them is shown. */
#include "math/eval.h"

/* From the nearest to the farthest. */
typedef enum closeness {
    CLOSE_EQUAL,
    CLOSE_ROUNDED,   /* equal after rounding to the digits shown */
    CLOSE_OTHER_WAY, /* a whole number next to the value, but not the nearest */
    CLOSE_ROUGH,     /* "about", within a tenth */
    CLOSE_NOT
} closeness;

/* Do they agree to 50 significant digits? For values that are not rational this is the only
 * possible test of equality; the caller decides what it means. */
bool compare_to_50_digits(const fmpq_t l, const fmpq_t r);

/* The unit of the number to whose digits compare_values() rounds, where it has one, or NULL. */
const measure *compare_unit(const tokens *t, const expression *lhs, const expression *rhs,
                            unsigned readings);

/* Compare the values l and r of two terms under a reading; with READ_UNITS, in compare_unit().
 * `about`: the text says that they are only about the same. */
closeness compare_values(const tokens *t, const expression *lhs, const expression *rhs,
                         const fmpq_t l, const fmpq_t r, unsigned readings, bool about);

/* Is the number that one side shows the next one above (1) or below (-1) the value of the other
 * side, at the digits shown? 0: neither. Such a number is right only where the text says how it was
 * rounded. */
int compare_neighbour(const tokens *t, const expression *lhs, const expression *rhs, const fmpq_t l,
                      const fmpq_t r);

/* Is |l| = |r| * factor exactly, or after rounding to the digits shown? */
bool compare_differ_by_factor(const tokens *t, const expression *lhs, const expression *rhs,
                              const fmpq_t l, const fmpq_t r, ulong num, ulong den);
