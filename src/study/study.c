/* SPDX-License-Identifier: Apache-2.0 */
/* Shared parts of the studies: tables of their own columns, and the questions of their chains. */
#include "study/study.h"

#include "base/arena.h"
#include "base/str.h"
#include "study/list.h"

/* ---- tables ---------------------------------------------------------------------------------- */

rdv_study_table study_table(const rdv_study *s)
{
    rdv_study_table table = table_new(s->arena, "rows", s->entry->columns, s->entry->n_columns);
    table.name = s->entry->info.name;
    table.summary = s->entry->info.summary;
    return table;
}

int study_put(rdv_study *s, rdv_study_table *table, rdv_error *err)
{
    int r = table_close(table, err);
    if (r == RDV_OK && !RDV_PUSH_ROOM(s->arena, s->tables, s->n_tables, s->cap_tables))
        r = rdv_no_memory(err);
    if (r == RDV_OK)
        s->tables[s->n_tables++] = *table;
    return r;
}

/* ---- questions ------------------------------------------------------------------------------- */

static int find_question(rdv_study *s, size_t group, rdv_str id, size_t *out)
{
    rdv_digest key = rdv_digest_of(&s->question_ids, group, id);
    if (!RDV_PUSH_ROOM_LARGE(s->arena, s->questions, s->n_questions, s->cap_questions) ||
        rdv_digest_map_add(&s->question_ids, key, s->n_questions, out) < 0)
        return RDV_E_NOMEM;
    if (*out == s->n_questions)
        s->questions[s->n_questions++] =
            (study_question){.group = (uint32_t)group, .hash = rdv_hash(id, s->options.seed)};
    return RDV_OK;
}

/* The number of an answer among those of its question. */
static int find_answer(rdv_study *s, size_t question, rdv_str key, uint32_t *out)
{
    study_question *q = &s->questions[question];
    size_t answer;
    rdv_digest digest = rdv_digest_of(&s->answer_keys, question, key);
    if (rdv_digest_map_add(&s->answer_keys, digest, q->n_answers, &answer) < 0)
        return RDV_E_NOMEM;
    q->n_answers += answer == q->n_answers;
    *out = (uint32_t)answer;
    return RDV_OK;
}

int study_vote_of(rdv_study *s, size_t group, rdv_str question_id, const rdv_grade *grade,
                  double weight, study_vote *out)
{
    size_t question;
    *out = (study_vote){
        .ballot = {.answer = TALLY_UNREAD, .weight = weight, .correct = grade->correct}};
    if (find_question(s, group, question_id, &question) < 0)
        return RDV_E_NOMEM;
    out->question = (uint32_t)question;
    return grade->key.p ? find_answer(s, question, grade->key, &out->ballot.answer) : RDV_OK;
}

static const study_vote *vote_at(const void *items, size_t i, size_t size)
{
    return (const study_vote *)((const char *)items + i * size);
}

/* Numbers the questions of the items in order of appearance, and counts the chains of each. */
static size_t number_questions(const rdv_study *s, const void *items, size_t n, size_t size,
                               uint32_t *number, study_lot *lots)
{
    uint32_t found = 0;
    for (size_t i = 0; i < n; i++) {
        size_t question = vote_at(items, i, size)->question;
        if (number[question] == 0) {
            lots[found] = (study_lot){.question = &s->questions[question]};
            number[question] = ++found;
        }
        lots[number[question] - 1].n++;
    }
    return found;
}

/* Determines whether the correctness of all answers is known; see study_sort(). `known` has room
 * for all answers. */
static bool settle(study_lot *lot, int *known)
{
    bool all = true, read = false, any = false;
    for (size_t i = 0; i < lot->question->n_answers; i++)
        known[i] = -1;
    for (size_t i = 0; i < lot->n; i++) {
        const tally_ballot *b = &lot->ballots[i];
        if (b->answer != TALLY_UNREAD && known[b->answer] < 0)
            known[b->answer] = b->correct;
        any = any || b->correct >= 0;
    }
    for (size_t i = 0; i < lot->n; i++) {
        tally_ballot *b = &lot->ballots[i];
        b->correct = b->answer == TALLY_UNREAD ? 0 : known[b->answer];
        read = read || b->answer != TALLY_UNREAD;
        all = all && b->correct >= 0;
    }
    return read ? all : any;
}

static int sort(const rdv_study *s, const void *items, size_t n, size_t size, bool indexed,
                rdv_arena *arena, study_lots *out, rdv_error *err)
{
    study_lots all = {.lots = RDV_NEW_ARRAY(arena, study_lot, s->n_questions)};
    tally_ballot *ballots = RDV_NEW_ARRAY(arena, tally_ballot, n);
    uint32_t *indices = indexed ? RDV_NEW_ARRAY(arena, uint32_t, n) : NULL;
    uint32_t *number = RDV_NEW_ARRAY(arena, uint32_t, s->n_questions);
    size_t at = 0;
    if (!all.lots || !ballots || (indexed && !indices) || !number)
        return rdv_no_memory(err);
    all.n = number_questions(s, items, n, size, number, all.lots);
    for (size_t q = 0; q < all.n; q++) {
        study_lot *lot = &all.lots[q];
        lot->ballots = ballots + at;
        lot->items = indexed ? indices + at : NULL;
        at += lot->n;
        all.most_chains = lot->n > all.most_chains ? lot->n : all.most_chains;
        if (lot->question->n_answers > all.most_answers)
            all.most_answers = lot->question->n_answers;
        lot->n = 0;
    }
    for (size_t i = 0; i < n; i++) {
        const study_vote *vote = vote_at(items, i, size);
        study_lot *lot = &all.lots[number[vote->question] - 1];
        if (indexed)
            lot->items[lot->n] = (uint32_t)i;
        lot->ballots[lot->n] = vote->ballot;
        lot->ballots[lot->n++].weight = cast_weight(vote->standing, vote->ballot.weight);
    }
    int *known = RDV_NEW_ARRAY(arena, int, all.most_answers);
    if (!known)
        return rdv_no_memory(err);
    for (size_t q = 0; q < all.n; q++)
        all.lots[q].graded = settle(&all.lots[q], known);
    *out = all;
    return RDV_OK;
}

int study_sort(const rdv_study *s, const void *items, size_t n, size_t size, rdv_arena *arena,
               study_lots *out, rdv_error *err)
{
    return sort(s, items, n, size, false, arena, out, err);
}

int study_sort_items(const rdv_study *s, const void *items, size_t n, size_t size, rdv_arena *arena,
                     study_lots *out, rdv_error *err)
{
    return sort(s, items, n, size, true, arena, out, err);
}
