/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Number literals: "1,200.50", "1{,}200", "1.5e3", vulgar fractions. */
#include "notation/lex.h"

#include <flint/fmpq.h>

/* The literal in token `i` into `out`, an initialised fmpq, and in *decimals how many digits stand
 * after its point. False: it has more than 4,900 digits, or an exponent beyond 4,000. */
bool literal_value(const tokens *t, size_t i, fmpq_t out, long *decimals);
/* Does a literal have digits after its point? Then the last one stands for 10^-scale: 3 in
 * "0.125", -2 in "1.25e4". */
bool literal_is_decimal(rdv_str s, long *scale);

/* The same as *num / *den, which is not in lowest terms, where it is written in at most 18 bytes
 * without an exponent. False: it is not, and they are left undefined. */
bool literal_small(const tokens *t, size_t i, uint64_t *num, uint64_t *den, long *decimals);

/* Where the number stands in the text from byte `from` on, as written and not as a part of another
 * one; RDV_NOT_FOUND: nowhere. */
size_t literal_find(rdv_str text, rdv_str number, size_t from);
bool literal_stands_in(rdv_str text, rdv_str number);
