/* SPDX-License-Identifier: Apache-2.0 */
#include <rederive/score.h>

#include "base/arena.h"

int rdv_vote_result(const rdv_vote *vote, const rdv_str *shown, rdv_arena *arena,
                    rdv_result *result, rdv_error *err)
{
    rdv_answer_count *answers = RDV_NEW_ARRAY(arena, rdv_answer_count, vote->n_answers);
    rdv_str *tied = RDV_NEW_ARRAY(arena, rdv_str, vote->n_answers);
    if (!answers || !tied)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory while listing answers");
    result->n_tied = 0;
    for (size_t i = 0; i < vote->n_answers; i++) {
        const rdv_vote_answer *a = &vote->answers[i];
        answers[i] = (rdv_answer_count){shown[a->first], a->weight, a->chains};
        if (a->tied)
            tied[result->n_tied++] = answers[i].answer;
    }
    result->answer =
        vote->winner == RDV_NO_ANSWER ? (rdv_str){0} : answers[vote->winner].answer;
    result->answers = answers;
    result->n_answers = vote->n_answers;
    result->tied = tied;
    result->weight_share = vote->weight_share;
    result->correct = vote->correct;
    result->expected_correct = vote->expected_correct;
    result->unread = vote->unread;
    return RDV_OK;
}
