/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Ratings made ready for counting: the units that have a pair, their values as category numbers. */
#include "score/agree.h"

typedef struct rdv_coded {
    size_t n_units;   /* with at least two ratings */
    size_t *start;    /* of each unit in `code`; n_units + 1 of them */
    uint32_t *code;   /* category of each rating, ascending within a unit */
    double *category; /* the value of each, ascending */
    size_t n_categories;
    size_t *cluster; /* of each unit, from 0 */
    size_t n_clusters;
    size_t per_unit; /* ratings of every unit; 0: they differ */
    /* scratch */
    double *count; /* of each category */
    double *place; /* where it lies, for the measures that need an order */
} rdv_coded;

/* RDV_OK, RDV_E_NOMEM, RDV_E_ARGUMENT as rdv_agreement(). */
int rdv_code_ratings(const rdv_ratings *ratings, rdv_arena *arena, rdv_coded *out, rdv_error *err);
/* The measure where unit u counts times[cluster of u] times. */
double rdv_coded_agreement(const rdv_coded *coded, rdv_agreement_kind is, const uint32_t *times);
