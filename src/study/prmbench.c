/* SPDX-License-Identifier: Apache-2.0 */
/* PRMBench (Song and others 2025, arXiv 2501.03124), Table 3: how well a check tells right steps
 * from wrong ones. PRMScore is the mean of two F1: that of the right steps and that of the wrong
 * ones, over all steps of a type of error; of a type without a wrong step it is the first alone. */
#include "study/list.h"

#include <rederive/data.h>

#include "base/arena.h"
#include "base/str.h"
#include "score/counts.h"
#include "score/interner.h"
#include "score/paired.h"

#include <math.h>

#define NO_TYPE ((size_t)-1)

/* Steps of a chain: right or wrong by their label, and right or wrong as the check says. */
enum { RIGHT_HIT, RIGHT_MISSED, WRONG_HIT, WRONG_MISSED, COLUMNS };

/* A check of a chain. */
typedef struct judged {
    uint32_t question; /* for RDV_COUNTS_NEW */
    size_t check, source, type;
    double steps[COLUMNS];
    size_t unread;
} judged;

typedef struct bench {
    interner checks, types, questions;
    judged *of;
    size_t n, cap;
} bench;

/* The categories of the paper and their types, by the names in its files. */
static const struct category {
    const char *name;
    const char *types[4];
} categories[] = {
    {"simplicity", {"redundency", "circular"}},
    {"soundness", {"counterfactual", "step_contradiction", "domain_inconsistency", "confidence"}},
    {"sensitivity", {"missing_condition", "deception", "multi_solutions"}},
};
#define N_CATEGORIES (sizeof categories / sizeof *categories)

static int begin(rdv_study *s, rdv_error *err)
{
    bench *b = RDV_NEW(s->arena, bench);
    if (!b)
        return rdv_no_memory(err);
    interner_init(&b->checks, s->arena);
    interner_init(&b->types, s->arena);
    interner_init(&b->questions, s->arena);
    s->of = b;
    return RDV_OK;
}

/* ---- a chain --------------------------------------------------------------------------------- */

static const rdv_step_labels *labels_of(const rdv_chain *chain)
{
    for (size_t i = 0; i < chain->n_step_labels; i++)
        if (rdv_str_eq(chain->step_labels[i].of, RDV_STR("correct")))
            return &chain->step_labels[i];
    return NULL;
}

/* Whether the verdict says that the step is right: 1, 0; -1: nothing. With a threshold its score
 * says so where it has one. */
static int says_right(const rdv_verdict *v, double threshold)
{
    if (!v || v->kind == RDV_UNKNOWN)
        return -1;
    if (threshold > 0 && !isnan(v->score))
        return v->score >= threshold;
    return v->kind == RDV_SUPPORT;
}

/* Counts the steps. One that was not read is told wrongly, whatever it is. */
static int count_steps(const rdv_chain *chain, const rdv_step_labels *labels,
                       const rdv_check *check, double threshold, rdv_arena *scratch, judged *out)
{
    const rdv_verdict **on = RDV_NEW_ARRAY(scratch, const rdv_verdict *, chain->n_steps);
    if (!on)
        return RDV_E_NOMEM;
    for (size_t i = 0; i < check->n_verdicts; i++)
        if (check->verdicts[i].step < chain->n_steps)
            on[check->verdicts[i].step] = &check->verdicts[i];
    for (size_t i = 0; i < chain->n_steps && i < labels->n; i++) {
        int said = says_right(on[i], threshold);
        if (labels->is[i] < 0)
            continue;
        out->unread += said < 0;
        if (labels->is[i])
            out->steps[said == 1 ? RIGHT_HIT : RIGHT_MISSED]++;
        else
            out->steps[said == 0 ? WRONG_HIT : WRONG_MISSED]++;
    }
    return RDV_OK;
}

/* Texts of one problem stand in several types; they have its id in common. */
static int question_of(bench *b, const study_chain *one, size_t *out)
{
    rdv_str id = {0};
    if (rdv_record_text(one->chain->raw, RDV_STR("source_id"), one->scratch, &id) < 0)
        return RDV_E_NOMEM;
    if (!id.p)
        id = one->chain->question.id.p ? one->chain->question.id : one->chain->question.text;
    return interner_add(&b->questions, id, out);
}

static int add_check(rdv_study *s, const study_chain *one, const rdv_check *check,
                     const rdv_step_labels *labels, const study_source *chain, judged *item,
                     rdv_error *err)
{
    bench *b = s->of;
    study_source source = source_of_check(chain, check);
    chain_identity identity = identity_of(one->chain, false);
    size_t at = b->n;
    int r = sources_find(&s->sources, &source, &item->source, err);
    if (r == RDV_OK && interner_add(&b->checks, check->method, &item->check) < 0)
        r = rdv_no_memory(err);
    if (r == RDV_OK &&
        count_steps(one->chain, labels, check, s->options.threshold, one->scratch, item) < 0)
        r = rdv_no_memory(err);
    if (r == RDV_OK && one->chain->id.p &&
        study_seen(s, &identity, item->check * SOURCES_MAX + item->source, b->n, &at) < 0)
        r = rdv_no_memory(err);
    if (r == RDV_OK && at < b->n)
        return study_refuse_again(one, &source, check->method, err);
    if (r == RDV_OK && !RDV_PUSH_ROOM(s->arena, b->of, b->n, b->cap))
        r = rdv_no_memory(err);
    if (r == RDV_OK)
        b->of[b->n++] = *item;
    return r;
}

static int add(rdv_study *s, const study_chain *one, rdv_error *err)
{
    bench *b = s->of;
    const rdv_chain *chain = one->chain;
    const rdv_step_labels *labels = labels_of(chain);
    judged item = {.type = NO_TYPE};
    study_source source;
    rdv_str type = {0};
    size_t question = 0;
    if (!labels)
        return RDV_OK;
    int r = source_of_chain(s, one, &source, err);
    if (r == RDV_OK &&
        (question_of(b, one, &question) < 0 ||
         rdv_record_text(chain->raw, RDV_STR("error_type"), one->scratch, &type) < 0))
        r = rdv_no_memory(err);
    item.question = (uint32_t)question;
    if (r == RDV_OK && type.p && interner_add(&b->types, type, &item.type) < 0)
        r = rdv_no_memory(err);
    for (size_t i = 0; r == RDV_OK && i < chain->n_checks; i++) {
        judged of = item;
        if (!chain->checks[i].skipped)
            r = add_check(s, one, &chain->checks[i], labels, &source, &of, err);
    }
    return r;
}

/* ---- the figures ----------------------------------------------------------------------------- */

static double f1(double hit, double missed, double false_hit)
{
    return 2 * hit + missed + false_hit > 0 ? 2 * hit / (2 * hit + missed + false_hit) : 0;
}

static double of_right(const double *c)
{
    return f1(c[RIGHT_HIT], c[RIGHT_MISSED], c[WRONG_MISSED]);
}

static double of_wrong(const double *c)
{
    return c[WRONG_HIT] + c[WRONG_MISSED] > 0 ? f1(c[WRONG_HIT], c[WRONG_MISSED], c[RIGHT_MISSED])
                                              : NAN;
}

static double prm_score(const double *c)
{
    double wrong = of_wrong(c);
    return isnan(wrong) ? of_right(c) : (of_right(c) + wrong) / 2;
}

/* The items of one check and source. */
typedef struct part {
    rdv_study *study;
    const judged *of;
    size_t n, check;
    const study_source *source;
    rdv_study_table *table;
    rdv_estimate *scores; /* of each type; n == 0: it has none */
    double **moves;       /* by how much each question moves them */
    size_t questions;
} part;

static void put(const part *p, const char *row, rdv_str type, const rdv_estimate *score,
                const rdv_estimate *right, const rdv_estimate *wrong, size_t steps, size_t unread)
{
    const bench *b = p->study->of;
    TABLE_ADD(p->table, table_text(b->checks.texts[p->check]), GENERAL_SOURCE(p->source),
              table_text(row ? rdv_str_of(row) : type), table_estimate(*score),
              table_estimate(*right), table_estimate(*wrong), table_count(steps),
              table_count(unread));
}

/* Adds the row of one type, or of all steps (NO_TYPE), and keeps its score. */
static int add_type(part *p, size_t type, rdv_error *err)
{
    const bench *b = p->study->of;
    size_t steps = 0, unread = 0, chains = 0;
    rdv_counts counts;
    int r = RDV_COUNTS_NEW(judged, p->of, p->n, COLUMNS, p->study->arena, &counts, err);
    for (size_t i = 0; r >= 0 && i < p->n; i++) {
        const judged *j = &p->of[i];
        if (type != NO_TYPE && j->type != type)
            continue;
        double *row = rdv_counts_row(&counts, i);
        for (size_t c = 0; c < COLUMNS; c++) {
            row[c] += j->steps[c];
            steps += (size_t)j->steps[c];
        }
        unread += j->unread;
        chains++;
    }
    if (r < 0 || chains == 0)
        return r < 0 ? r : RDV_OK;
    rdv_estimate score = rdv_counts_estimate(&counts, prm_score, steps);
    rdv_estimate right = rdv_counts_estimate(&counts, of_right, steps);
    rdv_estimate wrong = rdv_counts_estimate(&counts, of_wrong, steps);
    put(p, type == NO_TYPE ? "all" : NULL, type == NO_TYPE ? (rdv_str){0} : b->types.texts[type],
        &score, &right, &wrong, steps, unread);
    if (type == NO_TYPE)
        return RDV_OK;
    p->questions = counts.n;
    p->scores[type] = score;
    p->moves[type] = RDV_NEW_ARRAY(p->study->arena, double, counts.n);
    if (!p->moves[type])
        return rdv_no_memory(err);
    rdv_counts_moves(&counts, prm_score, p->moves[type]);
    return RDV_OK;
}

/* Adds the mean over the types of a category, if all of them are there. The same problems stand in
 * all of them, so the error is from what each problem moves the mean. */
static void add_category(const part *p, const struct category *category)
{
    const bench *b = p->study->of;
    size_t of[4], n = 0, wanted = 0, steps = 0;
    double sum = 0, squares = 0;
    for (; wanted < 4 && category->types[wanted]; wanted++)
        for (size_t t = 0; t < b->types.n; t++)
            if (p->scores[t].n &&
                rdv_str_eq(b->types.texts[t], rdv_str_of(category->types[wanted])))
                of[n++] = t;
    if (n < wanted)
        return;
    for (size_t i = 0; i < n; i++) {
        sum += p->scores[of[i]].value;
        steps += p->scores[of[i]].n;
    }
    for (size_t q = 0; q < p->questions; q++) {
        double moved = 0;
        for (size_t i = 0; i < n; i++)
            moved += p->moves[of[i]][q] / (double)n;
        squares += moved * moved;
    }
    double k = (double)p->questions, se = k > 1 ? sqrt(squares * k / (k - 1)) : NAN;
    rdv_estimate score = rdv_estimate_unit(sum / (double)n, se, steps, p->questions);
    rdv_estimate none = rdv_estimate_none(0);
    put(p, category->name, (rdv_str){0}, &score, &none, &none, steps, 0);
}

static int add_part(part *p, rdv_error *err)
{
    const bench *b = p->study->of;
    rdv_arena *arena = p->study->arena;
    p->scores = RDV_NEW_ARRAY(arena, rdv_estimate, b->types.n);
    p->moves = RDV_NEW_ARRAY(arena, double *, b->types.n);
    int r = p->scores && p->moves ? RDV_OK : rdv_no_memory(err);
    for (size_t t = 0; r == RDV_OK && t < b->types.n; t++)
        r = add_type(p, t, err);
    for (size_t i = 0; r == RDV_OK && i < N_CATEGORIES; i++)
        add_category(p, &categories[i]);
    return r == RDV_OK ? add_type(p, NO_TYPE, err) : r;
}

/* Adds the rows of one check: those of each source. */
static int add_check_rows(rdv_study *s, size_t check, judged *room, rdv_study_table *table,
                          rdv_error *err)
{
    const bench *b = s->of;
    int r = RDV_OK;
    for (size_t source = 0; source < s->sources.n && r == RDV_OK; source++) {
        size_t n = 0;
        for (size_t i = 0; i < b->n; i++)
            if (b->of[i].check == check && b->of[i].source == source)
                room[n++] = b->of[i];
        part p = {.study = s, .of = room, .n = n, .check = check, .table = table};
        p.source = &s->sources.of[source];
        r = n ? add_part(&p, err) : RDV_OK;
    }
    return r;
}

static int finish(rdv_study *s, rdv_error *err)
{
    const bench *b = s->of;
    rdv_study_table table = study_table(s);
    judged *room = RDV_NEW_ARRAY(s->arena, judged, b->n);
    int r = room ? RDV_OK : rdv_no_memory(err);
    if (r == RDV_OK && b->n == 0)
        return rdv_fail(err, RDV_NONE,
                        "no chain has the data for %s: \"step_labels\" on the criterion correct, "
                        "beside a check",
                        s->entry->info.name);
    for (size_t check = 0; r == RDV_OK && check < b->checks.n; check++)
        r = add_check_rows(s, check, room, &table, err);
    static const char *const heads[] = {"group", "generator", "checker", "profile"};
    for (size_t i = 0; r == RDV_OK && i < sizeof heads / sizeof *heads; i++)
        r = source_hide(&table, heads[i], false, err);
    return r == RDV_OK ? study_put(s, &table, err) : r;
}

const study_family study_prmbench = {
    .ungraded = true, .begin = begin, .add = add, .finish = finish};
