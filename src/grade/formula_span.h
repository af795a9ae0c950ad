/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* A whole formula in prose, of which one number is known. */
#include <rederive/base.h>

/* The formula with bytes `begin` to `end` of a text, to the words and stops on both sides: "3 +
 * 2(n-1)" for the 1 of "The n-th term reads 3 + 2(n-1).", all of an equation with its names. Looks
 * 400 bytes to each side. False: there is nothing but these bytes. */
bool formula_span_with(rdv_str text, size_t begin, size_t end, rdv_str *out);
/* What follows its last '='; all of it where there is none. */
rdv_str formula_span_result(rdv_str formula);
/* Is the number at byte `begin` said to be a rounding of a formula directly before it: "√74, which
 * is roughly 8.60", "20π (≈ 62.83)"? *exact: that formula. */
bool formula_span_rounded(rdv_str text, size_t begin, rdv_str *exact);
