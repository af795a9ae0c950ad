/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/voters.h"

#include "base/arena.h"
#include "base/str.h"
#include "data/members.h"
#include "method/standing.h"
#include "score/score.h"
#include "study/source.h"

#include <inttypes.h>

#define SHOWN_ID 80 /* bytes of an id in a message */

void voters_init(struct voters *voters, rdv_arena *arena)
{
    *voters = (struct voters){.arena = arena};
    interner_init(&voters->ids, arena);
    interner_init(&voters->texts, arena);
    rdv_map_init(&voters->seen, arena);
}

int voters_refuse_again(struct voters *v, const rdv_chain *chain, rdv_arena *arena, rdv_error *err)
{
    chain_identity is = identity_of(chain, false);
    rdv_str generator = {0};
    if (!chain->id.p)
        return RDV_OK;
    if (rdv_chain_text(chain, RDV_STR("generator"), arena, &generator) < 0)
        return rdv_no_memory(err);
    rdv_str key = rdv_str_printf(v->arena, "%016" PRIx64 "%016" PRIx64 "%.*s", is.hash[0],
                                 is.hash[1], RDV_FMT(generator));
    if (key.p && rdv_map_get(&v->seen, key) != RDV_MAP_MISSING)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "chain \"%.*s\" was read before and would vote twice; leave one of them "
                        "out, or give different chains different ids",
                        RDV_FMT(rdv_slice(chain->id, 0, SHOWN_ID)));
    return key.p && rdv_map_put(&v->seen, key, 1) >= 0 ? RDV_OK : rdv_no_memory(err);
}

/* The question of that id, created if missing; NULL when out of memory. */
static struct question_voters *question_of(struct voters *v, rdv_str id)
{
    size_t i;
    if (!RDV_PUSH_ROOM(v->arena, v->questions, v->n, v->cap) || interner_add(&v->ids, id, &i) < 0)
        return NULL;
    if (i == v->n)
        v->questions[v->n++] = (struct question_voters){.id = v->ids.texts[i]};
    return &v->questions[i];
}

/* Store a text once; *out is the shared copy. */
static bool keep_text(struct voters *v, rdv_str text, rdv_str *out)
{
    size_t i;
    if (interner_add(&v->texts, text, &i) < 0)
        return false;
    *out = v->texts.texts[i];
    return true;
}

static bool push(struct voters *v, struct question_voters *q, rdv_ballot ballot, struct voter voter)
{
    if (!RDV_PUSH_ROOM(v->arena, q->ballots, q->n, q->cap_ballots) ||
        !RDV_PUSH_ROOM(v->arena, q->voters, q->n, q->cap_voters))
        return false;
    q->ballots[q->n] = ballot;
    q->voters[q->n++] = voter;
    return true;
}

/* Measure the combined scorers; false: out of memory. */
static bool measure(const struct voters *v, const rdv_chain *chain, scorer_values **out)
{
    *out = NULL;
    if (!v->combined)
        return true;
    *out = RDV_NEW_ARRAY(v->arena, scorer_values, v->combined->n);
    for (size_t i = 0; *out && i < v->combined->n; i++)
        (*out)[i] = scorer_measure(&v->combined->scorers[i].scorer, chain);
    return *out != NULL;
}

int voters_add(struct voters *v, const rdv_chain *chain, const rdv_grade *grade,
               const vote_weight *weight, rdv_error *err)
{
    const rdv_check *check = vote_weight_check(weight, chain);
    rdv_ballot ballot = {.weight = standing_weight_of(weight, chain), .correct = grade->correct};
    struct voter voter = {.calls = check ? check->calls : 0,
                          .perplexity = vote_weight_perplexity(chain),
                          .failed = !grade->key.p && !chain->n_steps && chain->unfinished.p};
    struct question_voters *question = question_of(v, chain->question.id);
    bool ok = question != NULL && measure(v, chain, &voter.values);
    if (ok && grade->key.p)
        ok = keep_text(v, grade->key, &ballot.key) && keep_text(v, grade->shown, &voter.shown);
    if (!ok || !push(v, question, ballot, voter))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory; the votes of %zu questions are held",
                        v->n);
    return RDV_OK;
}

/* Number the answers of the question, and count the chains of each. */
static int count_answers(const struct question_voters *q, rdv_arena *arena, size_t *answer,
                         size_t *chains, size_t *read)
{
    rdv_map map;
    size_t n_answers = 0;
    rdv_map_init(&map, arena);
    *read = 0;
    for (size_t i = 0; i < q->n; i++) {
        if (!q->ballots[i].key.p)
            continue;
        if (interner_number(&map, q->ballots[i].key, &n_answers, &answer[i]) < 0)
            return RDV_E_NOMEM;
        chains[answer[i]]++;
        ++*read;
    }
    return RDV_OK;
}

int voters_weigh(const struct voters *v, struct question_voters *q, rdv_arena *arena,
                 rdv_error *err)
{
    size_t read, *answer = RDV_NEW_ARRAY(arena, size_t, q->n);
    size_t *chains = RDV_NEW_ARRAY(arena, size_t, q->n);
    if (!answer || !chains || count_answers(q, arena, answer, chains, &read) < 0)
        return rdv_no_memory(err);
    for (size_t i = 0; i < q->n; i++) {
        for (size_t k = 0; k < v->combined->n && q->ballots[i].key.p; k++)
            if (v->combined->scorers[k].scorer.is == SCORER_MAJORITY)
                q->voters[i].values[k] = scorer_share(chains[answer[i]], read);
        q->ballots[i].weight = combined_weight(v->combined, q->voters[i].values);
    }
    return RDV_OK;
}
