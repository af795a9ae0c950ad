/* SPDX-License-Identifier: Apache-2.0 */
/* Collects the judgements of many chains and compares the annotators. */
#include "study/list.h"

#include "score/agree.h"
#include <rederive/data.h>

#include "base/arena.h"
#include "base/str.h"
#include "data/members.h"
#include "score/interner.h"
#include "study/task_name.h"

#include <math.h>

#define MAX_RATINGS ((size_t)1 << 28)
#define MAX_ANNOTATORS                                                                             \
    1000 /* limit of annotators of one criterion and of judgements of one chain, which are         \
            searched linearly */
#define NO_MISTAKE 1e12 /* position after every step */

/* One annotator's judgement of one step or chain, on one criterion. */
typedef struct judgement {
    size_t unit; /* unit of its topic, from 0 */
    size_t annotator;
    double value;
} judgement;

typedef struct judgements {
    judgement *of;
    size_t n, cap;
    uint32_t *question; /* question of each unit */
    size_t n_units, cap_units;
} judgements;

/* A criterion within a group. */
typedef struct topic {
    rdv_str group, criterion;
    judgements steps, chains;
    size_t *annotators; /* annotators of this topic in order of appearance; the position is the
                           column */
    size_t n_annotators, cap_annotators;
} topic;

typedef struct annotators {
    rdv_arena *arena;
    uint64_t seed;
    topic *topics;
    size_t n_topics, cap_topics;
    rdv_map topic_ids;
    interner names, questions; /* names of annotators; ids of questions */
} annotators;

static int begin(rdv_study *s, rdv_error *err)
{
    annotators *a = RDV_NEW(s->arena, annotators);
    if (!a)
        return rdv_no_memory(err);
    *a = (annotators){.arena = s->arena, .seed = s->options.seed};
    rdv_map_init(&a->topic_ids, s->arena);
    interner_init(&a->names, s->arena);
    interner_init(&a->questions, s->arena);
    s->of = a;
    return RDV_OK;
}

/* ---- collecting ------------------------------------------------------------------------------ */

static int topic_of(annotators *a, rdv_str group, rdv_str criterion, topic **out)
{
    size_t n = a->n_topics, at;
    rdv_mark mark = rdv_arena_mark(a->arena);
    rdv_str key =
        rdv_str_printf(a->arena, "%zu:%.*s%.*s", group.len, RDV_FMT(group), RDV_FMT(criterion));
    if (!key.p)
        return RDV_E_NOMEM;
    at = rdv_map_get(&a->topic_ids, key);
    if (at != RDV_MAP_MISSING) {
        rdv_arena_rewind(a->arena, mark);
        *out = &a->topics[at];
        return RDV_OK;
    }
    if (!RDV_PUSH_ROOM(a->arena, a->topics, a->n_topics, a->cap_topics) ||
        interner_number(&a->topic_ids, key, &n, &at) < 0)
        return RDV_E_NOMEM;
    topic *t = &a->topics[a->n_topics++];
    *t = (topic){.criterion = rdv_str_copy(a->arena, criterion)};
    if (group.p)
        t->group = rdv_str_copy(a->arena, group);
    *out = t;
    return t->criterion.p && (!group.p || t->group.p) ? RDV_OK : RDV_E_NOMEM;
}

static int column_of(annotators *a, topic *t, size_t annotator, size_t *out)
{
    for (*out = 0; *out < t->n_annotators; ++*out)
        if (t->annotators[*out] == annotator)
            return RDV_OK;
    if (t->n_annotators == MAX_ANNOTATORS)
        return RDV_E_LIMIT;
    if (!RDV_PUSH_ROOM(a->arena, t->annotators, t->n_annotators, t->cap_annotators))
        return RDV_E_NOMEM;
    t->annotators[t->n_annotators++] = annotator;
    return RDV_OK;
}

static int new_units(annotators *a, judgements *j, size_t n, size_t question)
{
    for (size_t i = 0; i < n; i++) {
        if (!RDV_PUSH_ROOM(a->arena, j->question, j->n_units, j->cap_units))
            return RDV_E_NOMEM;
        j->question[j->n_units++] = (uint32_t)question;
    }
    return RDV_OK;
}

static int add_judgement(annotators *a, judgements *j, judgement one)
{
    if (!RDV_PUSH_ROOM(a->arena, j->of, j->n, j->cap))
        return RDV_E_NOMEM;
    j->of[j->n++] = one;
    return RDV_OK;
}

/* Takes one annotator's judgements of a chain, whose units are the last ones of the topic. */
static int take(annotators *a, topic *t, const rdv_step_labels *by, size_t n_steps)
{
    size_t annotator, column = 0;
    int r = interner_add(&a->names, by->by, &annotator);
    if (r == RDV_OK)
        r = column_of(a, t, annotator, &column);
    if (r < 0)
        return r;
    size_t first = t->steps.n_units - n_steps;
    for (size_t i = 0; i < n_steps && i < by->n; i++) {
        if (by->is[i] >= 0 &&
            add_judgement(a, &t->steps, (judgement){first + i, column, by->is[i]}) < 0)
            return RDV_E_NOMEM;
    }
    rdv_label label = rdv_first_wrong(by, n_steps);
    if (label.kind == RDV_LABEL_UNKNOWN)
        return RDV_OK;
    double place = label.kind == RDV_LABEL_AT ? (double)label.step : NO_MISTAKE;
    return add_judgement(a, &t->chains, (judgement){t->chains.n_units - 1, column, place});
}

static bool same_text(rdv_str a, rdv_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0);
}

/* Whether an earlier label has the same criterion (and annotator). */
static bool seen_before(const rdv_step_labels *labels, size_t i, bool annotator_too)
{
    for (size_t k = 0; k < i; k++)
        if (same_text(labels[k].of, labels[i].of) &&
            (!annotator_too || same_text(labels[k].by, labels[i].by)))
            return true;
    return false;
}

/* The group of a chain's rows: the value of a member of the record, or the task. */
static int group_of(rdv_study *s, const study_chain *one, rdv_str *out)
{
    if (!s->entry->agreement.by_member)
        return task_name(one->chain, one->scratch, out);
    *out = (rdv_str){0};
    return rdv_chain_text(one->chain, rdv_str_of(s->options.group), one->scratch, out);
}

static int add(rdv_study *s, const study_chain *one, rdv_error *err)
{
    annotators *a = s->of;
    const rdv_step_labels *labels = one->chain->step_labels;
    size_t question, n = one->chain->n_step_labels, n_steps = one->chain->n_steps;
    rdv_str group;
    chain_identity identity = identity_of(one->chain, false);
    int r = group_of(s, one, &group);
    if (r >= 0 && n && one->chain->id.p) {
        size_t before = s->seen.n, at;
        if (study_seen(s, &identity, 0, before, &at) < 0)
            return rdv_no_memory(err);
        if (at < before)
            return study_refuse_again(one, &(study_source){.group = group}, (rdv_str){0}, err);
    }
    if (r >= 0)
        r = n > MAX_ANNOTATORS ? RDV_E_LIMIT
                               : interner_add(&a->questions, one->chain->question.id, &question);
    for (size_t i = 0; r == RDV_OK && i < n; i++) {
        topic *t;
        r = topic_of(a, group, labels[i].of, &t);
        if (r == RDV_OK && !seen_before(labels, i, false))
            r = new_units(a, &t->steps, n_steps, question);
        if (r == RDV_OK && !seen_before(labels, i, false))
            r = new_units(a, &t->chains, 1, question);
        if (r == RDV_OK && !seen_before(labels, i, true))
            r = take(a, t, &labels[i], n_steps);
    }
    if (r == RDV_E_LIMIT)
        return rdv_fail(
            err, r,
            "step_labels: more than %d annotators of one criterion, or judgements of one chain",
            MAX_ANNOTATORS);
    return r < 0 ? rdv_fail(err, r, "out of memory") : RDV_OK;
}

/* ---- comparing ------------------------------------------------------------------------------- */

static int ratings_of(annotators *a, const topic *t, const judgements *j, rdv_ratings *out,
                      rdv_error *err)
{
    if (t->n_annotators && j->n_units > MAX_RATINGS / t->n_annotators)
        return rdv_fail(err, RDV_E_LIMIT, "%zu annotators of %zu units are too many to compare",
                        t->n_annotators, j->n_units);
    double *value = RDV_NEW_ARRAY(a->arena, double, j->n_units * t->n_annotators);
    if (!value)
        return rdv_no_memory(err);
    for (size_t i = 0; i < j->n_units * t->n_annotators; i++)
        value[i] = NAN;
    for (size_t i = 0; i < j->n; i++)
        value[j->of[i].unit * t->n_annotators + j->of[i].annotator] = j->of[i].value;
    *out = (rdv_ratings){value, j->n_units, t->n_annotators, j->question};
    return RDV_OK;
}

static const rdv_agreement_kind agreement_measures[] = {RDV_AGREE, RDV_ALPHA_NOMINAL,
                                                        RDV_ALPHA_ORDINAL, RDV_KAPPA};
#define N_MEASURES (sizeof agreement_measures / sizeof *agreement_measures)

static int agreement_row(annotators *a, const topic *t, bool steps, rdv_study_table *table,
                         rdv_error *err)
{
    rdv_ratings ratings;
    rdv_estimate is[N_MEASURES];
    int r = ratings_of(a, t, steps ? &t->steps : &t->chains, &ratings, err);
    for (size_t i = 0; r == RDV_OK && i < N_MEASURES; i++)
        r = rdv_agreement(&ratings, agreement_measures[i], 0, a->seed, a->arena, &is[i], err);
    if (r == RDV_OK)
        TABLE_ADD(table, table_text(t->group), table_text(t->criterion),
                  table_text(steps ? RDV_STR("step") : RDV_STR("chain")),
                  table_count(t->n_annotators), table_estimate(is[0]), table_estimate(is[1]),
                  table_estimate(is[2]), table_estimate(is[3]), table_count(is[0].n));
    return r;
}

/* A first wrong step exists only for these criteria. */
static bool of_correctness(rdv_str criterion)
{
    return rdv_str_eq(criterion, RDV_STR("correct")) || rdv_str_eq(criterion, RDV_STR("overall"));
}

static int pair_rows(annotators *a, const topic *t, rdv_study_table *table, rdv_error *err)
{
    rdv_ratings ratings;
    int r = ratings_of(a, t, &t->steps, &ratings, err);
    for (size_t i = 0; r == RDV_OK && i < t->n_annotators; i++) {
        for (size_t k = i + 1; r == RDV_OK && k < t->n_annotators; k++) {
            rdv_pair_agreement pair;
            r = rdv_agreement_between(&ratings, i, k, a->arena, &pair, err);
            if (r == RDV_OK && pair.agreement.n)
                TABLE_ADD(table, table_text(t->group), table_text(t->criterion),
                          table_text(a->names.texts[t->annotators[i]]),
                          table_text(a->names.texts[t->annotators[k]]),
                          table_estimate(pair.agreement), table_estimate(pair.kappa),
                          table_count(pair.agreement.n));
        }
    }
    return r;
}

/* Agreement on the steps of each topic and, where possible, on its chains by their first wrong
 * steps. */
static int put_agreement(rdv_study *s, rdv_error *err)
{
    annotators *a = s->of;
    rdv_study_table table = study_table(s);
    int r = RDV_OK;
    table.notes_are_members = true;
    for (size_t i = 0; r == RDV_OK && i < a->n_topics; i++) {
        r = agreement_row(a, &a->topics[i], true, &table, err);
        if (r == RDV_OK && of_correctness(a->topics[i].criterion))
            r = agreement_row(a, &a->topics[i], false, &table, err);
    }
    return r == RDV_OK ? study_put(s, &table, err) : r;
}

static const rdv_column pair_columns[] = {
    COLUMN("group", TEXT),           COLUMN("criterion", TEXT),  COLUMN("annotator", TEXT),
    COLUMN("other_annotator", TEXT), COLUMN("agreement", SHARE), COLUMN("kappa", VALUE),
    COLUMN("n_steps", COUNT),
};

/* "overall" is another name of "correct". */
static bool is_wanted(const char *criterion, rdv_str is)
{
    return !criterion || rdv_str_eq(is, rdv_str_of(criterion)) ||
           (strcmp(criterion, "correct") == 0 && rdv_str_eq(is, RDV_STR("overall")));
}

/* Agreement of each pair of annotators on the steps that both judged. */
static int put_pairs(rdv_study *s, rdv_study_table *table, rdv_error *err)
{
    annotators *a = s->of;
    int r = RDV_OK;
    table->columns = pair_columns;
    table->n_columns = sizeof pair_columns / sizeof *pair_columns;
    table->notes_are_members = true;
    for (size_t i = 0; r == RDV_OK && i < a->n_topics; i++)
        if (is_wanted(s->entry->agreement.criterion, a->topics[i].criterion))
            r = pair_rows(a, &a->topics[i], table, err);
    if (r == RDV_OK && table->n_rows == 0 && s->entry->agreement.criterion)
        return rdv_fail(err, RDV_NONE, "no two annotators judged the same step by the criterion %s",
                        s->entry->agreement.criterion);
    return r == RDV_OK ? study_put(s, table, err) : r;
}

static int finish(rdv_study *s, rdv_error *err)
{
    rdv_study_table pairs = study_table(s);
    if (((const annotators *)s->of)->n_topics == 0)
        return rdv_fail(err, RDV_NONE, "no chain has step_labels");
    if (s->entry->agreement.criterion)
        return put_pairs(s, &pairs, err);
    pairs.name = "agreement.pairs";
    pairs.summary = "between annotators, two by two, of steps";
    int r = put_agreement(s, err);
    return r == RDV_OK ? put_pairs(s, &pairs, err) : r;
}

const study_family study_agreement = {
    .ungraded = true, .begin = begin, .add = add, .finish = finish};
