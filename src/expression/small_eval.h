/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The values of most trees, sums and products of short numbers, on machine words. They are those of
 * eval_exact(), and cost a fraction of its time. */
#include "expression/eval.h"

/* The value of `n` into `out`, an initialised fmpq, where the tree is read literally, holds nothing
 * but short literals, letters with values, signs, sums, products, quotients, whole powers,
 * percentages and units, and all parts of it have numerators and denominators below 2^63. It takes
 * as much of the budget as eval_exact() does. False: it is no such tree, or has no value, or the
 * budget does not suffice; then `out` and the budget are untouched. Under READ_LOST_POWERS or
 * READ_LOST_BARS, which know no powers and letters, also where no number of three digits or more
 * can be read so: too many equalities of shorter ones would hold. */
bool small_eval(evaluation *ev, const node *n, fmpq_t out);

/* Have both trees, without powers and letters, one value? Takes nothing of the budget where they
 * have not. */
bool small_eval_agree(const tokens *t, const node *a, const node *b, uint64_t *budget);

/* The value of a tree without powers and letters as num / den in lowest terms, read literally, and
 * the bits that it takes of the budget added to *bits. */
bool small_eval_fraction(const tokens *t, const node *n, int64_t *num, int64_t *den,
                         uint64_t *bits);
