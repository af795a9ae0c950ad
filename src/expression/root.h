/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Roots of polynomials in one letter, each of which stands for an equation. */
#include "base/arena.h"

#include <flint/fmpq.h>
#include <flint/fmpz_poly.h>
#include <rederive/base.h>

/* The root of a polynomial of the first degree. */
void root_of_linear(const fmpz_poly_t p, fmpq_t out);

/* May the value that the next equation gives be a rounded solution of the one before? `decimals`:
 * there are some in one of the two. */
bool root_may_be_rounded(const fmpz_poly_t given, const fmpz_poly_t next, bool decimals);

/* "5", "2 or 3", "a root of x^2-3", in `arena`; p == NULL: out of memory. */
rdv_str root_solutions(rdv_arena *arena, const fmpz_poly_t p, rdv_str letter);
