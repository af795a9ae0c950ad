/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The closeness of two values, of which one is rounded as it is shown. */
#include "expression/eval.h"

/* From the nearest to the farthest. */
typedef enum closeness {
    CLOSE_EQUAL,
    CLOSE_ROUNDED, /* to the nearest or cut off in the last digit shown, at most 1 % away */
    CLOSE_FAR,     /* to the nearest or cut off, but further away: "1/7 = 0.14" */
    CLOSE_ROUGH,   /* neither, but within what `tolerance` leaves open */
    CLOSE_NOT
} closeness;

/* How exact the text says the equality is. */
typedef enum tolerance {
    TOLERANCE_NONE,
    TOLERANCE_ABOUT,    /* "≈", "about": a number rounded to the digits shown may be far away */
    TOLERANCE_CONVERTED /* units of two systems: one percent is rounding, ten are left open */
} tolerance;

/* Do they agree to 50 significant digits? For values that are not rational this is the only
 * possible test of equality; the caller decides what it means. */
bool compare_to_50_digits(const fmpq_t l, const fmpq_t r);

/* Is r at most 1 % of l away from l? Numbers with enough digits are rounded by no more. */
bool compare_to_one_percent(const fmpq_t l, const fmpq_t r);

/* The unit of the number to whose digits compare_values() rounds, where it has one, or NULL. */
const measure *compare_unit(const tokens *t, const expression *lhs, const expression *rhs,
                            unsigned readings);

/* Compare the values l and r of two terms under a reading; with READ_UNITS, in compare_unit().
 * Percents are of l. With TOLERANCE_ABOUT the zeros that end a whole number may stand for
 * digits. */
closeness compare_values(const tokens *t, const expression *lhs, const expression *rhs,
                         const fmpq_t l, const fmpq_t r, unsigned readings, tolerance near);

/* Is the number that one side shows the next one above (1) or below (-1) the value of the other
 * side, at the digits shown? 0: neither. Such a number is right only where the text says how it was
 * rounded. */
int compare_neighbour(const tokens *t, const expression *lhs, const expression *rhs, const fmpq_t l,
                      const fmpq_t r);

/* Is |l| = |r| * factor exactly, or after rounding to the digits shown? */
bool compare_differ_by_factor(const tokens *t, const expression *lhs, const expression *rhs,
                              const fmpq_t l, const fmpq_t r, ulong num, ulong den);
