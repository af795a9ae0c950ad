/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Polynomials as a person would write them: "x^2 + 2x + 1", "x/2 - 3". */
#include "expression/eval.h"

typedef enum polynomial_style {
    POLYNOMIAL_TERMS,
    POLYNOMIAL_DECIMALS, /* terms with decimals where they are exact, "2.7x" */
    POLYNOMIAL_FACTORED
} polynomial_style;

/* The polynomial, in `arena`; p == NULL: out of memory. */
rdv_str polynomial_text(const fmpz_mpoly_t p, const letters *names, const fmpz_mpoly_ctx_t ctx,
                        rdv_arena *arena);

/* num/den, in lowest terms, likewise. */
rdv_str polynomial_quotient_text(const fmpz_mpoly_t num, const fmpz_mpoly_t den,
                                 polynomial_style style, const letters *names,
                                 const fmpz_mpoly_ctx_t ctx, rdv_arena *arena);
