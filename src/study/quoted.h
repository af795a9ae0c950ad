/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the text of a paper quotes of its figures of verification: the rates at a few thresholds,
 * and where in the chains the verdicts stand that tell wrong chains from right ones, or mislead. */
#include "study/item.h"

typedef struct quotes {
    rdv_study *study;
    bool positions_too;
    rdv_study_table points, positions;
} quotes;

void quotes_begin(rdv_study *study, bool positions_too, quotes *out);
/* Quote the chains of one series; labels: the first cells of its rows, QUOTES_LABELS of them.
 * RDV_OK or RDV_E_NOMEM. */
#define QUOTES_LABELS 5
int quotes_add(quotes *quotes, const rdv_cell *labels, const rdv_eval_item *items, size_t n,
               bool points_only, rdv_error *err);
/* Add the tables to the study. RDV_OK or RDV_E_NOMEM. */
int quotes_put(quotes *quotes, rdv_error *err);

/* The kinds of a check's verdicts by step, in the study's arena; NULL: it has none of steps, or out
 * of memory (*failed). */
const int8_t *quotes_kinds(rdv_study *study, const rdv_check *check, size_t n_steps, bool *failed);
