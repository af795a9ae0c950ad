/* SPDX-License-Identifier: Apache-2.0 */
/* Judgements of many chains, gathered until they are compared. */
#include <rederive/agree.h>

#include "base/arena.h"
#include "base/map.h"
#include "base/str.h"
#include "score/ids.h"

#include <math.h>

#define MAX_RATINGS ((size_t)1 << 28)
#define MAX_ANNOTATORS                                                                             \
    1000                /* of one criterion, and judgements of one chain: looked through in turn */
#define NO_MISTAKE 1e12 /* comes after every step */

/* What one annotator said of one step or chain, on one criterion. */
typedef struct judgement {
    size_t unit; /* of its topic, from 0 */
    size_t annotator;
    double value;
} judgement;

typedef struct judgements {
    judgement *of;
    size_t n, cap;
    size_t *question; /* of each unit */
    size_t n_units, cap_units;
} judgements;

/* A criterion within a group. */
typedef struct topic {
    rdv_str group, criterion;
    judgements steps, chains;
    size_t *annotators; /* that judged, in order of appearance; the position is their column */
    size_t n_annotators, cap_annotators;
} topic;

struct rdv_annotators {
    rdv_arena *arena;
    uint64_t seed;
    size_t resamples;
    topic *topics;
    size_t n_topics, cap_topics;
    rdv_map topic_ids, annotator_ids, question_ids;
    rdv_str *names; /* of annotators */
    size_t n_names, cap_names, n_questions;
};

rdv_annotators *rdv_annotators_new(rdv_arena *arena, uint64_t seed, size_t resamples)
{
    rdv_annotators *a = RDV_NEW(arena, rdv_annotators);
    if (!a)
        return NULL;
    *a = (rdv_annotators){.arena = arena, .seed = seed, .resamples = resamples};
    rdv_map_init(&a->topic_ids, arena);
    rdv_map_init(&a->annotator_ids, arena);
    rdv_map_init(&a->question_ids, arena);
    return a;
}

/* ---- taking in ------------------------------------------------------------------------------- */

/* The number of a text, copied where it is new. */
static int number_of(rdv_annotators *a, rdv_map *map, rdv_str text, size_t *n, size_t *out)
{
    *out = rdv_map_get(map, text.p ? text : RDV_STR(""));
    if (*out != RDV_MAP_MISSING)
        return RDV_OK;
    rdv_str copy = rdv_str_copy(a->arena, text);
    return copy.p ? rdv_id_of(map, copy, n, out) : RDV_E_NOMEM;
}

static int annotator_of(rdv_annotators *a, rdv_str name, size_t *out)
{
    size_t n = a->n_names;
    if (!RDV_PUSH_ROOM(a->arena, a->names, a->n_names, a->cap_names) ||
        number_of(a, &a->annotator_ids, name, &n, out) < 0)
        return RDV_E_NOMEM;
    if (n > a->n_names)
        a->names[a->n_names++] = rdv_str_copy(a->arena, name);
    return a->names[*out].p ? RDV_OK : RDV_E_NOMEM;
}

static int topic_of(rdv_annotators *a, rdv_str group, rdv_str criterion, topic **out)
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
        rdv_id_of(&a->topic_ids, key, &n, &at) < 0)
        return RDV_E_NOMEM;
    topic *t = &a->topics[a->n_topics++];
    *t = (topic){.criterion = rdv_str_copy(a->arena, criterion)};
    if (group.p)
        t->group = rdv_str_copy(a->arena, group);
    *out = t;
    return t->criterion.p && (!group.p || t->group.p) ? RDV_OK : RDV_E_NOMEM;
}

static int column_of(rdv_annotators *a, topic *t, size_t annotator, size_t *out)
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

static int new_units(rdv_annotators *a, judgements *j, size_t n, size_t question)
{
    for (size_t i = 0; i < n; i++) {
        if (!RDV_PUSH_ROOM(a->arena, j->question, j->n_units, j->cap_units))
            return RDV_E_NOMEM;
        j->question[j->n_units++] = question;
    }
    return RDV_OK;
}

static int judge(rdv_annotators *a, judgements *j, judgement one)
{
    if (!RDV_PUSH_ROOM(a->arena, j->of, j->n, j->cap))
        return RDV_E_NOMEM;
    j->of[j->n++] = one;
    return RDV_OK;
}

/* One annotator's judgements of the chain whose units are the topic's last ones. */
static int take(rdv_annotators *a, topic *t, const rdv_step_labels *by, size_t n_steps)
{
    size_t annotator, column;
    int r = annotator_of(a, by->by, &annotator);
    if (r == RDV_OK)
        r = column_of(a, t, annotator, &column);
    if (r < 0)
        return r;
    size_t first = t->steps.n_units - n_steps;
    for (size_t i = 0; i < n_steps && i < by->n; i++) {
        if (by->is[i] >= 0 && judge(a, &t->steps, (judgement){first + i, column, by->is[i]}) < 0)
            return RDV_E_NOMEM;
    }
    rdv_label label = rdv_first_wrong(by, n_steps);
    if (label.is == RDV_LABEL_UNKNOWN)
        return RDV_OK;
    double place = label.is == RDV_LABEL_AT ? (double)label.step : NO_MISTAKE;
    return judge(a, &t->chains, (judgement){t->chains.n_units - 1, column, place});
}

static bool same_text(rdv_str a, rdv_str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.p, b.p, a.len) == 0);
}

/* Whether an earlier one of the labels has the same criterion (and annotator). */
static bool seen_before(const rdv_step_labels *labels, size_t i, bool annotator_too)
{
    for (size_t k = 0; k < i; k++)
        if (same_text(labels[k].of, labels[i].of) &&
            (!annotator_too || same_text(labels[k].by, labels[i].by)))
            return true;
    return false;
}

int rdv_annotators_add(rdv_annotators *a, rdv_str group, rdv_str question_id, size_t n_steps,
                       const rdv_step_labels *labels, size_t n, rdv_error *err)
{
    size_t question;
    int r = n > MAX_ANNOTATORS
                ? RDV_E_LIMIT
                : number_of(a, &a->question_ids, question_id, &a->n_questions, &question);
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

static int ratings_of(rdv_annotators *a, const topic *t, const judgements *j, rdv_ratings *out,
                      rdv_error *err)
{
    if (t->n_annotators && j->n_units > MAX_RATINGS / t->n_annotators)
        return rdv_fail(err, RDV_E_LIMIT, "%zu annotators of %zu units are too many to compare",
                        t->n_annotators, j->n_units);
    double *value = RDV_NEW_ARRAY(a->arena, double, j->n_units * t->n_annotators);
    if (!value)
        return rdv_fail(err, RDV_E_NOMEM, "out of memory");
    for (size_t i = 0; i < j->n_units * t->n_annotators; i++)
        value[i] = NAN;
    for (size_t i = 0; i < j->n; i++)
        value[j->of[i].unit * t->n_annotators + j->of[i].annotator] = j->of[i].value;
    *out = (rdv_ratings){value, j->n_units, t->n_annotators, j->question};
    return RDV_OK;
}

enum { AGREEING_GROUP, AGREEING_CRITERION, AGREEING_UNIT, AGREEING_ANNOTATORS, AGREEING_FIRST };

static const rdv_grid_column agreement_columns[] = {
    {"group", RDV_GRID_TEXT},           {"criterion", RDV_GRID_TEXT},
    {"unit", RDV_GRID_TEXT},           {"n_annotators", RDV_GRID_NUMBER},
    {"agreement", RDV_GRID_SHARE},     {"alpha.nominal", RDV_GRID_VALUE},
    {"alpha.ordinal", RDV_GRID_VALUE}, {"kappa", RDV_GRID_VALUE},
    {"n_units", RDV_GRID_NUMBER},
};
static const rdv_agreement_is agreement_measures[] = {RDV_AGREE, RDV_ALPHA_NOMINAL,
                                                      RDV_ALPHA_ORDINAL, RDV_KAPPA};
#define N_MEASURES (sizeof agreement_measures / sizeof *agreement_measures)

static int agreement_row(rdv_annotators *a, const topic *t, bool steps, rdv_grid *grid,
                         rdv_error *err)
{
    rdv_ratings ratings;
    rdv_estimate is[N_MEASURES];
    int r = ratings_of(a, t, steps ? &t->steps : &t->chains, &ratings, err);
    for (size_t i = 0; r == RDV_OK && i < N_MEASURES; i++)
        r = rdv_agreement(&ratings, agreement_measures[i], a->resamples, a->seed, a->arena, &is[i],
                          err);
    rdv_grid_cell *row = r == RDV_OK ? rdv_grid_row(grid) : NULL;
    if (!row)
        return r;
    row[AGREEING_GROUP].text = t->group;
    row[AGREEING_CRITERION].text = t->criterion;
    row[AGREEING_UNIT].text = steps ? RDV_STR("step") : RDV_STR("chain");
    row[AGREEING_ANNOTATORS].x = (double)t->n_annotators;
    for (size_t i = 0; i < N_MEASURES; i++)
        row[AGREEING_FIRST + i].is = is[i];
    row[AGREEING_FIRST + N_MEASURES].x = (double)is[0].n;
    return RDV_OK;
}

static int nobody(rdv_error *err)
{
    return rdv_fail(err, RDV_NONE, "no chain has step_labels");
}

/* A first wrong step is one of these criteria only. */
static bool of_correctness(rdv_str criterion)
{
    return rdv_str_eq(criterion, RDV_STR("correct")) || rdv_str_eq(criterion, RDV_STR("overall"));
}

int rdv_annotators_agreement(rdv_annotators *a, rdv_grid *out, rdv_error *err)
{
    rdv_grid grid =
        rdv_grid_new(a->arena, "agreement", "between annotators, of steps and of first wrong steps",
                     agreement_columns, sizeof agreement_columns / sizeof *agreement_columns);
    int r = a->n_topics ? RDV_OK : nobody(err);
    for (size_t i = 0; r == RDV_OK && i < a->n_topics; i++) {
        r = agreement_row(a, &a->topics[i], true, &grid, err);
        if (r == RDV_OK && of_correctness(a->topics[i].criterion))
            r = agreement_row(a, &a->topics[i], false, &grid, err);
    }
    if (r == RDV_OK)
        r = rdv_grid_ok(&grid, err);
    if (r == RDV_OK)
        *out = grid;
    return r;
}

static const rdv_grid_column pair_columns[] = {
    {"group", RDV_GRID_TEXT},       {"criterion", RDV_GRID_TEXT},
    {"annotator", RDV_GRID_TEXT},  {"other_annotator", RDV_GRID_TEXT},
    {"agreement", RDV_GRID_SHARE}, {"kappa", RDV_GRID_VALUE},
    {"n_steps", RDV_GRID_NUMBER},
};

static int pair_rows(rdv_annotators *a, const topic *t, rdv_grid *grid, rdv_error *err)
{
    rdv_ratings ratings;
    int r = ratings_of(a, t, &t->steps, &ratings, err);
    for (size_t i = 0; r == RDV_OK && i < t->n_annotators; i++) {
        for (size_t k = i + 1; r == RDV_OK && k < t->n_annotators; k++) {
            rdv_pair_agreement pair;
            r = rdv_agreement_between(&ratings, i, k, a->arena, &pair, err);
            rdv_grid_cell *row = r == RDV_OK && pair.agreement.n ? rdv_grid_row(grid) : NULL;
            if (!row)
                continue;
            row[0].text = t->group;
            row[1].text = t->criterion;
            row[2].text = a->names[t->annotators[i]];
            row[3].text = a->names[t->annotators[k]];
            row[4].is = pair.agreement;
            row[5].is = pair.kappa;
            row[6].x = (double)pair.agreement.n;
        }
    }
    return r;
}

int rdv_annotators_pairs(rdv_annotators *a, rdv_grid *out, rdv_error *err)
{
    rdv_grid grid =
        rdv_grid_new(a->arena, "agreement.pairs", "between annotators, two by two, of steps",
                     pair_columns, sizeof pair_columns / sizeof *pair_columns);
    int r = a->n_topics ? RDV_OK : nobody(err);
    for (size_t i = 0; r == RDV_OK && i < a->n_topics; i++)
        r = pair_rows(a, &a->topics[i], &grid, err);
    if (r == RDV_OK)
        r = rdv_grid_ok(&grid, err);
    if (r == RDV_OK)
        *out = grid;
    return r;
}
