/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the Python package calls beside the installed headers: functions that do in one call what
 * would be many from Python. Each is called without Python's lock, and calls no Python. */
#include <rederive/answer.h>

/* ---- grading --------------------------------------------------------------------------------- */

/* Memory for one call at a time, kept between calls. */
typedef struct binding_grader binding_grader;

binding_grader *binding_grader_new(void); /* NULL: out of memory */
void binding_grader_free(binding_grader *grader);

typedef struct binding_grade {
    int code; /* RDV_OK, or a fault with `error` */
    rdv_same is;
    const char *why;
    rdv_str answer; /* as given or read; p == NULL: none */
    rdv_str gold;   /* that it is the same as, else the first */
    rdv_str reason, answer_as, gold_as;
    rdv_error error;
} binding_grade;

/* Grade an answer (a whole reply if `reply`) by n gold answers, of which any is right. The result
 * is valid until the grader's next call. */
const binding_grade *binding_grade_pair(binding_grader *grader, const char *answer, size_t length,
                                        bool reply, const rdv_str *golds, size_t n_golds,
                                        const rdv_answer_form *form,
                                        const rdv_compare_options *how);
/* The same by one gold answer and without options. */
const binding_grade *binding_grade_plain(binding_grader *grader, const char *answer, size_t length,
                                         bool reply, const char *gold, size_t gold_length);
