/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Ratings prepared for counting: the units with at least two ratings, their values as category
 * numbers. */
#include "score/agree.h"

typedef struct rdv_coded {
    size_t n_units;   /* units with at least two ratings */
    size_t *start;    /* start of each unit in `code`; n_units + 1 entries */
    uint32_t *code;   /* category of each rating, in ascending order within a unit */
    double *category; /* the value of each category, in ascending order */
    size_t n_categories;
    uint32_t *cluster; /* cluster of each unit, from 0 */
    size_t n_clusters;
    size_t per_unit; /* number of ratings of every unit; 0: it differs between units */
    /* scratch */
    double *count; /* ratings in each category */
    double *place; /* position of each category, for measures that need an order */
} rdv_coded;

/* Converts ratings to this form. RDV_OK, RDV_E_NOMEM, RDV_E_ARGUMENT as rdv_agreement(). */
int rdv_code_ratings(const rdv_ratings *ratings, rdv_arena *arena, rdv_coded *out, rdv_error *err);
/* Computes the measure, with unit u counted times[cluster of u] times. */
double rdv_coded_agreement(const rdv_coded *coded, rdv_agreement_kind is, const uint32_t *times);
