/* SPDX-License-Identifier: Apache-2.0 */
#include <rederive/score.h>

#include "base/arena.h"
#include "base/map.h"
#include "score/score.h"
#include "score/interner.h"

#include <math.h>

/* The counts of answers by their displayed form. Different answers may have the same form where the
 * chains of one question were read as different kinds; a record holds them as one member. */
typedef struct tallies {
    rdv_map map;
    rdv_answer_count *at;
    size_t n;
} tallies;

static int add(tallies *t, rdv_str shown, const rdv_vote_answer *a)
{
    size_t before = t->n, id;
    int r = interner_number(&t->map, shown, &t->n, &id);
    if (r < 0)
        return r;
    if (t->n > before)
        t->at[id] = (rdv_answer_count){shown, a->weight, a->chains};
    else {
        t->at[id].weight += a->weight;
        t->at[id].chains += a->chains;
    }
    return RDV_OK;
}

void result_unanswered(rdv_result *result, size_t n)
{
    result->unanswered = n;
    result->unread -= n;
}

bool result_is_graded(const rdv_result *result)
{
    return !isnan(result->expected_correct);
}

const char *result_lacks(const rdv_result *result)
{
    if (result->answer.p || result->chains_used == 0)
        return NULL;
    if (result->unanswered)
        return "failed";
    return result->unread == result->chains_used ? "unparsed" : "unweighed";
}

int rdv_vote_result(const rdv_vote *vote, const rdv_str *shown, rdv_arena *arena,
                    rdv_result *result, rdv_error *err)
{
    tallies t = {.at = RDV_NEW_ARRAY(arena, rdv_answer_count, vote->n_answers)};
    rdv_str *tied = RDV_NEW_ARRAY(arena, rdv_str, vote->n_answers);
    size_t n_tied = 0;
    int r = t.at && tied ? RDV_OK : RDV_E_NOMEM;
    rdv_map_init(&t.map, arena);
    for (size_t i = 0; i < vote->n_answers && r == RDV_OK; i++) {
        const rdv_vote_answer *a = &vote->answers[i];
        r = add(&t, shown[a->first], a);
        if (a->tied)
            tied[n_tied++] = shown[a->first];
    }
    if (r < 0)
        return rdv_no_memory(err);
    result->answer = (rdv_str){0};
    if (vote->winner != RDV_NO_ANSWER)
        result->answer = shown[vote->answers[vote->winner].first];
    result->answers = t.at;
    result->n_answers = t.n;
    result->tied = tied;
    result->n_tied = n_tied;
    result->weight_share = vote->weight_share;
    result->correct = result->answer.p ? vote->correct : -1;
    result->expected_correct = vote->expected_correct;
    result->unread = vote->unread;
    return RDV_OK;
}
