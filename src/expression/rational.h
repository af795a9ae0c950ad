/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Operations on rationals whose results may be undefined, not rational or too large; the size of a
 * result is bounded before it is computed. `out` may be an operand. */
#include "expression/eval.h"

/* The k-th root, when it is rational; EVAL_IRRATIONAL otherwise. The odd root of a negative number
 * is real. k is at most 1000, unless it is larger than the bits of x: then no root is rational. */
eval_is rational_root(fmpq_t out, const fmpq_t x, ulong k);

/* Results are at most `max_bits` long; 0^0 is undefined. */
eval_is rational_integer_power(fmpq_t out, const fmpq_t base, const fmpz_t exponent,
                               uint64_t max_bits);
eval_is rational_power(fmpq_t out, const fmpq_t base, const fmpq_t exponent, uint64_t max_bits);

/* Of natural numbers up to `max`. */
eval_is rational_factorial(fmpq_t out, const fmpq_t x, ulong max);
eval_is rational_binomial(fmpq_t out, const fmpq_t n, const fmpq_t k, ulong max);
