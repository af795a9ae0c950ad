/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Numbers that were rounded: may that be why the sides of an equality differ? */
#include "claims/find.h"
#include "expression/reading_eval.h"

/* "100 / 3 = 33.4, rounded up": the note, or NULL. */
const char *rounding_as_said(const reading_eval *t);

/* "20 / 3 = 6, rounded up": does the text say that the number is rounded the other way? */
bool rounding_is_otherwise(const reading_eval *t);

/* True if rounded decimals, or decimals that stand for longer numbers, may make the sides equal. */
bool rounding_may_explain(const reading_eval *t);

/* "5 / \sqrt{0.010898} = 5 / 0.1044": is the right side a calculation, and the left one's value
 * what it comes to where only numbers of three digits that the left side does not have were
 * rounded? */
bool rounding_of_numbers(const reading_eval *t);

/* "452 / 1.05^14 = 452 / 1.98 = 228.29": the right side is rounded from the side before the left
 * one, whose decimals were rounded from that too. */
bool rounding_of_side_before(const reading_eval *t, const equality *chain, size_t i);

/* Does a number with a decimal point stand in the tree? */
bool rounding_has_decimal(const tokens *t, const node *n);

/* Does nobody know the left side's value but by rounding? */
bool rounding_is_inexact(const reading_eval *t);

/* "1 / 177.99 = 0.005620" in reasoning, or in the reply to it: does the result differ in its last
 * digit alone, by at most five, or in those of a long number, where it cannot be shown in full: by
 * a thousandth of it or less? */
bool rounding_misses_last_digits(const reading_eval *t);

/* "8.314 * 298 = 2480": what is measured has significant digits, and zeros may stand for others.
 * Two of them at least must be shown, or it is rounded by at most one percent. */
bool rounding_leaves_out_digits(const reading_eval *t);
