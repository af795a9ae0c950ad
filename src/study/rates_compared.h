/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The difference of two checks' rates on the same chains. */
#include "study/item.h"

/* Of a check, less those of another: in [-1,1], n: the questions with such chains. */
typedef struct rates_compared {
    rdv_estimate tpr, tnr, balanced;
} rates_compared;

/* Compares the `n` items of a check with the `n_before` of the other, chain by chain: those that
 * both accept or reject, and whose correctness is known. The intervals of both rates are those of
 * score/paired.h; that of their mean is from their limits and the correlation of what the questions
 * contribute to either (Zou and Donner 2008). RDV_OK or RDV_E_NOMEM. */
int rates_compare(const rdv_study *study, const rdv_eval_item *before, size_t n_before,
                  const rdv_eval_item *items, size_t n, rates_compared *out, rdv_error *err);
