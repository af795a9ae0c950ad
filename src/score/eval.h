/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* What the parts of an evaluation share: the table of chains, and where figures go. */
#include <rederive/eval.h>

#include "base/arena.h"
#include "base/map.h"
#include "score/poll.h"

typedef struct rdv_eval_row {
    size_t question;
    rdv_slip slip; /* a skipped chain has no weight */
    bool checked, skipped;
    rdv_label label;
    rdv_found found;
    size_t verdicts, unknown;
    double threshold;
} rdv_eval_row;

typedef struct rdv_eval_question {
    uint64_t seed; /* from the id and the option: subsets do not depend on other questions */
    size_t n_chains, n_answers;
} rdv_eval_question;

struct rdv_eval {
    rdv_arena *arena;
    rdv_eval_options options;
    rdv_map ids, answers;
    rdv_eval_question *questions;
    size_t n_questions, cap_questions;
    rdv_eval_row *rows;
    size_t n_rows, cap_rows;
};

/* The slips of all chains, those of a question together and in order. */
typedef struct rdv_eval_slips {
    rdv_slip *slips;
    size_t *start;           /* of each question; n_questions + 1 of them */
    bool *judged;            /* each question: it is known which of its answers are right */
    rdv_standing *standings; /* scratch: enough for any question */
    size_t most_chains;
    bool weights; /* any chain has one */
} rdv_eval_slips;

/* Figures and curves being collected; failure sticks. */
typedef struct rdv_eval_sheet {
    rdv_eval *eval;
    rdv_figures out;
    size_t cap_figures, cap_curves;
    bool failed; /* out of memory */
} rdv_eval_sheet;

void rdv_sheet_figure(rdv_eval_sheet *sheet, const char *name, const char *of, rdv_estimate is);
/* A new curve with room for `n` points (zeroed); NULL when out of memory. Borrowed until the next.
 */
rdv_curve *rdv_sheet_curve(rdv_eval_sheet *sheet, const char *name, const char *x, const char *of,
                           size_t n);

/* The parts. RDV_OK or RDV_E_NOMEM. */
int rdv_eval_accuracy(rdv_eval_sheet *sheet, const rdv_eval_slips *slips, rdv_error *err);
int rdv_eval_verification(rdv_eval_sheet *sheet, rdv_error *err);
