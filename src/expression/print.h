/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Exact values as text. */
#include <rederive/base.h>

#include <flint/fmpq.h>

/* "12", "3.75" where a decimal of at most 12 places is exact, else "10/3"; a number of more than
 * 200 digits as "a number of N digits". p == NULL when out of memory. */
rdv_str print_value(const fmpq_t x, rdv_arena *arena);
/* A value that is not rational, to 12 significant digits: "1.41421356237...". */
rdv_str print_real(const fmpq_t x, rdv_arena *arena);
/* "p" or "p/q", whatever the size. */
rdv_str print_fraction(const fmpq_t x, rdv_arena *arena);
/* `digits` significant digits in scientific notation, rounded to nearest: "1.4142e0". */
rdv_str print_digits(const fmpq_t x, unsigned digits, rdv_arena *arena);
