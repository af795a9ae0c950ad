/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The table of votes on a terminal, a row for each question: the answer of the majority, the answer
 * that was chosen by another rule, whether each is right, and where the rule turned the vote. Rows
 * are written as they come, so the columns follow from the width alone; below 60 columns the two
 * answers of a question are on lines of their own. */
#include "report/report.h"

typedef struct rdv_votes_side {
    rdv_str answer; /* p == NULL: no answer */
    int correct;    /* 1, 0, -1 not known */
    bool tied;      /* it shares the first place with another answer */
} rdv_votes_side;

typedef struct rdv_votes_row {
    rdv_str question;                /* its id */
    size_t chains, used;             /* given, and needed for the vote */
    rdv_votes_side majority, chosen; /* `chosen` is unused where rdv_votes.chosen_by is NULL */
    bool differ;                     /* the two are different answers */
} rdv_votes_row;

/* Set the first two members, zero the others. */
typedef struct rdv_votes {
    const char *chosen_by; /* "confidence": the head of the chosen answers; NULL: the majority is
                              all there is */
    rdv_view_options options;
    /* counted by rdv_votes_add() */
    size_t n, graded, right_majority, right_chosen, turned_right, turned_wrong, changed, tied;
} rdv_votes;

/* The text of one question's row, with the heads before the first. *out: in `arena`, untouched on
 * failure. Faults: RDV_E_NOMEM. */
int rdv_votes_add(rdv_votes *votes, const rdv_votes_row *row, rdv_arena *arena, rdv_str *out,
                  rdv_error *err);
/* What is below the rows: how many answers are right, and what the signs mean. As above; empty
 * where there is no row. */
int rdv_votes_end(const rdv_votes *votes, rdv_arena *arena, rdv_str *out, rdv_error *err);
