/* SPDX-License-Identifier: Apache-2.0 */
/* A study from its name to its tables. */
#include "study/list.h"

#include "base/arena.h"
#include "base/options.h"
#include "base/str.h"

/* ---- creation -------------------------------------------------------------------------------- */

int rdv_study_new(rdv_str name, const rdv_study_options *options, rdv_arena *arena, rdv_study **out,
                  rdv_error *err)
{
    const study_entry *entry = list_entry(name);
    if (!entry)
        return rdv_fail(err, RDV_E_ARGUMENT, "there is no study \"%.*s\"",
                        RDV_FMT(rdv_slice(name, 0, 64)));
    rdv_study *s = RDV_NEW(arena, rdv_study);
    if (!s)
        return rdv_no_memory(err);
    *s = (rdv_study){.arena = arena, .entry = entry};
    int r = rdv_options_take(&s->options, sizeof s->options, options, err);
    if (r != RDV_OK)
        return r;
    if ((s->options.fit && !entry->info.fits) || (s->options.parts && !entry->info.splits))
        return rdv_fail(err, RDV_E_ARGUMENT, "%s: nothing in it is fitted%s", entry->info.name,
                        entry->info.fits ? " on a part of the questions" : "");
    s->options.weight = s->options.weight ? s->options.weight : "confidence";
    s->options.group = s->options.group ? s->options.group : "dataset";
    s->options.threads = s->options.threads ? s->options.threads : 1;
    s->options.draws = s->options.draws ? s->options.draws : 200;
    rdv_digest_map_init(&s->question_ids, arena);
    rdv_digest_map_init(&s->answer_keys, arena);
    rdv_map_init(&s->learned_ids, arena);
    rdv_digest_map_init(&s->seen, arena);
    sources_init(&s->sources, arena);
    r = entry->family->begin ? entry->family->begin(s, err) : RDV_OK;
    if (r == RDV_OK)
        *out = s;
    return r;
}

/* ---- chains ---------------------------------------------------------------------------------- */

bool study_grades(const rdv_study *s)
{
    return !s->entry->family->ungraded;
}

int study_grade(const rdv_study *s, const rdv_chain *chain, rdv_arena *scratch, rdv_grade *out,
                rdv_error *err)
{
    *out = (rdv_grade){0};
    return study_grades(s) ? rdv_grade_chain(chain, &s->options.grading, scratch, out, err)
                           : RDV_OK;
}

static int take(rdv_study *s, const rdv_chain *chain, const rdv_grade *grade, bool learned,
                rdv_arena *scratch, rdv_error *err)
{
    study_chain one = {.chain = chain, .learned = learned, .scratch = scratch};
    int r = RDV_OK;
    if (grade)
        one.grade = *grade;
    else
        r = study_grade(s, chain, scratch, &one.grade, err);
    return r == RDV_OK && s->entry->family->add ? s->entry->family->add(s, &one, err) : r;
}

int rdv_study_learn(rdv_study *s, const rdv_chain *chain, rdv_arena *scratch, rdv_error *err)
{
    int r = take(s, chain, NULL, true, scratch, err);
    if (r < 0 || s->entry->family->compares)
        return r;
    rdv_str id = rdv_str_copy(s->arena, chain->question.id);
    if (!id.p || rdv_map_put(&s->learned_ids, id, 1) < 0)
        return rdv_no_memory(err);
    return RDV_OK;
}

int study_add_graded(rdv_study *s, const rdv_chain *chain, const rdv_grade *grade,
                     rdv_arena *scratch, rdv_error *err)
{
    rdv_str id = chain->question.id.p ? chain->question.id : RDV_STR("");
    if (s->options.parts == 0 && rdv_map_get(&s->learned_ids, id) != RDV_MAP_MISSING)
        return rdv_fail(err, RDV_E_ARGUMENT,
                        "question \"%.*s\" would be both fitted on and reported on%s",
                        RDV_FMT(rdv_slice(id, 0, 80)),
                        s->entry->info.splits ? ", unless the questions are split" : "");
    return take(s, chain, grade, false, scratch, err);
}

int rdv_study_add(rdv_study *s, const rdv_chain *chain, rdv_arena *scratch, rdv_error *err)
{
    return study_add_graded(s, chain, NULL, scratch, err);
}

int rdv_study_learn_result(rdv_study *s, const rdv_result *result, rdv_error *err)
{
    if (s->entry->family->learn_result)
        return s->entry->family->learn_result(s, result, err);
    return rdv_fail(err, RDV_E_INPUT, "the result of a vote, where a chain is wanted");
}

int rdv_study_add_result(rdv_study *s, const rdv_result *result, rdv_error *err)
{
    return s->entry->family->add_result ? s->entry->family->add_result(s, result, err) : RDV_OK;
}

int rdv_study_add_report(rdv_study *s, rdv_str report, rdv_arena *scratch, rdv_error *err)
{
    if (s->entry->family->add_report)
        return s->entry->family->add_report(s, report, scratch, err);
    return rdv_fail(err, RDV_E_ARGUMENT, "%s takes chains, not reports", s->entry->info.name);
}

/* What knows chains and questions again by their ids is done with, and large. */
static void forget_ids(rdv_study *s)
{
    rdv_digest_map_drop(&s->question_ids);
    rdv_digest_map_drop(&s->answer_keys);
    rdv_digest_map_drop(&s->seen);
}

int rdv_study_finish(rdv_study *s, rdv_study_tables *out, rdv_error *err)
{
    forget_ids(s);
    int r = s->entry->family->finish(s, err);
    if (r == RDV_OK)
        *out = (rdv_study_tables){s->tables, s->n_tables};
    return r;
}
