/* SPDX-License-Identifier: Apache-2.0 */
#pragma once
/* The vote of one question: which chains may vote, how many are needed, and which answer wins. */
#include "judge/voters.h"

#include "score/choose.h"
#include <rederive/score.h>

/* The same for all questions of a run. */
typedef struct vote_rule {
    rdv_select_kind select;
    rdv_stop stop;
    size_t most;               /* chains that may vote; 0: all */
    rdv_choose_kind chosen_by; /* which, by their weight, */
    bool by_perplexity;        /* or by their perplexity */
    uint64_t seed;
} vote_rule;

typedef struct vote_outcome {
    struct question_voters may; /* those that may vote, */
    size_t used;                /* of which the first were needed */
    rdv_str *shown;             /* the answers as the chains wrote them; keys only compare */
    rdv_vote vote;
    rdv_result result;
} vote_outcome;

/* The chains of a question, voted on. *out: in `arena`, and borrows from `all`. RDV_OK;
 * RDV_E_NOMEM, RDV_E_INPUT: as rdv_vote_decide(). */
int vote_question(const vote_rule *rule, const struct question_voters *all, rdv_arena *arena,
                  vote_outcome *out, rdv_error *err);
