/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The table of vote and solve on a terminal (report/votes.h), written row by row. */
#include "run.h"

#include "report/votes.h"

#include <rederive/score.h>

struct vote_view {
    bool shown;
    rdv_votes votes;
};

/* The votes of one question. */
struct vote_view_row {
    rdv_str question;
    const rdv_ballot *ballots; /* of the majority */
    const rdv_str *answers;    /* of the same `n` chains, for people */
    size_t n;
    size_t chains, used; /* for the chosen answer */
    rdv_str chosen_key;  /* p == NULL: none was chosen */
    rdv_votes_side chosen;
};

/* Begin where the settings or the terminal ask for views; `select` and `weight` are the choice that
 * is shown beside the majority's, the name of which lives in run->keep. */
void vote_view_begin(struct vote_view *view, struct run *run, rdv_select_kind select,
                     const char *weight);
/* Write a row. RDV_OK; RDV_E_NOMEM, RDV_E_INPUT: as rdv_vote_decide(). */
int vote_view_add(struct vote_view *view, struct run *run, const struct vote_view_row *row,
                  rdv_arena *arena, rdv_error *err);
/* Write what is below the rows. Errors stop the run. */
void vote_view_end(const struct vote_view *view, struct run *run);
