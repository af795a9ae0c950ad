/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* Studies and chains that are made by hand. */
#include "../score/near.h"

#include "study/item.h"

/* A study, or NULL when out of memory. */
static inline rdv_study *study_of(rdv_arena *arena, const char *name,
                                  const rdv_study_options *options)
{
    rdv_study *study = NULL;
    return rdv_study_new(rdv_str_of(name), options, arena, &study, NULL) == RDV_OK ? study : NULL;
}

/* A checked chain with that answer (NULL: not read) and confidence. */
static inline rdv_eval_item item(rdv_study *study, const char *question, const char *key,
                                 int correct, double confidence)
{
    rdv_grade grade = {.key = rdv_str_of(key), .correct = correct};
    rdv_eval_item one = {.check = RDV_NEW(study->arena, item_check)};
    assert_non_null(one.check);
    *one.check = (item_check){.checked = true,
                              .rule = ACCEPT_CONFIDENCE,
                              .threshold = 0.5,
                              .found = {.kind = RDV_LABEL_NO_MISTAKE},
                              .counts = {.support = 4}};
    assert_int_equal(study_vote_of(study, 0, rdv_str_of(question), &grade, confidence, &one.vote),
                     RDV_OK);
    return one;
}

/* The cell of a table in the column of that name, for programs or people. */
static inline const rdv_cell *cell_of(const rdv_study_table *table, size_t row, const char *column)
{
    for (size_t c = 0; c < table->n_columns; c++) {
        const rdv_column *is = &table->columns[c];
        if ((is->name && strcmp(is->name, column) == 0) ||
            (!is->name && is->head && strcmp(is->head, column) == 0))
            return &table->cells[row * table->n_columns + c];
    }
    fail_msg("no column %s", column);
    return NULL;
}

static inline double value_of(const rdv_study_table *table, size_t row, const char *column)
{
    return cell_of(table, row, column)->is.value;
}
