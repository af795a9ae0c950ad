/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What has one positive root of each index, for the files that compute roots, exponentials and
 * logarithms in the field. */
#include "algebra/field.h"

#include <flint/fmpz_factor.h>

/* A whole number, or a positive generator. */
typedef struct field_atom {
    const fmpz *prime; /* NULL: the generator */
    size_t generator;
} field_atom;

/* Multiply *out by atom^(num/den). */
eval_is field_times_atom(field *f, const field_atom *a, slong num, ulong den, quotient *out);
/* Multiply *out by x^(sign/k), for a positive whole number x. */
eval_is field_times_whole_root(field *f, const fmpz_t x, slong sign, ulong k, quotient *out);
/* Factors of a positive whole number; of a large one, what small primes leave is one factor. */
void field_factor(fmpz_factor_t out, const fmpz_t x);
/* Is p one term of positive generators with a positive coefficient? */
bool field_is_positive_term(field *f, const fmpz_mpoly_t p);
/* The generator of a constant, made if there is none; or FIELD_FULL. */
size_t field_constant_generator(field *f, generator_is is);
bool generator_is_unreal(const generator *g);
