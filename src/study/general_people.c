/* SPDX-License-Identifier: Apache-2.0 */
/* Scores of steps compared with annotators' judgements: section 4.6 and appendix G.2. */
#include "study/general.h"

#include "score/agree.h"

#include "base/arena.h"
#include "base/str.h"
#include "score/estimate.h"
#include "score/interner.h"
#include "score/combine.h"

#include <math.h>

/* The criterion that a score is compared with. "overall" is another name of "correct". */
typedef struct subject {
    rdv_str score;
    const char *criterion;
    unsigned verifiers;
} subject;

#define PERPLEXITY (1u << RDV_VERIFIER_PERPLEXITY)
#define N_PRINCIPLES 3 /* the number of principles, which are the first subjects */

/* The subject of that number: the principles, the verifiers of one's own, which are compared with
 * the overall judgement, then all of them and perplexity. */
static subject subject_at(const general *g, size_t i)
{
    static const char *const principles[] = {"relevance", "math", "consistency"};
    size_t own = i - N_PRINCIPLES, last = own - g->own.n;
    unsigned all = (1u << g->n_verifiers) - 1;
    if (i < N_PRINCIPLES)
        return (subject){rdv_str_of(principles[i]), principles[i], 1u << i};
    if (own < g->own.n)
        return (subject){g->own.name[own], "correct", 1u << (RDV_N_VERIFIERS + own)};
    return last == 0   ? (subject){RDV_STR("all but perplexity"), "correct", all & ~PERPLEXITY}
           : last == 1 ? (subject){RDV_STR("all"), "correct", all}
                       : (subject){RDV_STR("perplexity"), "correct", PERPLEXITY};
}

static size_t n_subjects(const general *g)
{
    return N_PRINCIPLES + g->own.n + 3;
}

static bool is_on(const rdv_step_labels *labels, const char *criterion)
{
    rdv_str of = rdv_str_of(criterion);
    return rdv_str_eq(labels->of, of) ||
           (rdv_str_eq(of, RDV_STR("correct")) && rdv_str_eq(labels->of, RDV_STR("overall")));
}

static int8_t said(const rdv_step_labels *labels, size_t step)
{
    return step < labels->n ? labels->is[step] : -1;
}

/* ---- scores of one step ---------------------------------------------------------------------- */

/* A score of the whole chain is none of a step. */
static double verifier_score(const rdv_verified *chain, size_t verifier, size_t step)
{
    if (chain->whole >> verifier & 1)
        return NAN;
    if (verifier == RDV_VERIFIER_PERPLEXITY && chain->tokens)
        return rdv_perplexity_score(rdv_perplexity(chain->tokens[step]), chain->power);
    return chain->step[verifier] ? chain->step[verifier][step] : NAN;
}

/* The weighted mean over the verifiers that take part, as for a chain. */
static double step_score(const general *g, const general_item *row, unsigned verifiers, size_t step)
{
    rdv_combination how = g->how;
    double score[RDV_MOST_VERIFIERS];
    how.verifiers &= verifiers;
    for (size_t v = 0; v < RDV_MOST_VERIFIERS; v++)
        score[v] = verifier_score(&row->is, v, step);
    return rdv_combine_scores(&how, score);
}

/* ---- correlation ----------------------------------------------------------------------------- */

/* The annotators' score of a step: the mean of those that judged it, or that of one annotator. */
static double people_score(const general_item *row, const char *criterion, rdv_str by, size_t step)
{
    double yes = 0, n = 0;
    for (size_t i = 0; i < row->n_labels; i++) {
        const rdv_step_labels *labels = &row->labels[i];
        if (!is_on(labels, criterion) || (by.p && !rdv_str_eq(labels->by, by)) ||
            said(labels, step) < 0)
            continue;
        yes += said(labels, step);
        n++;
    }
    return n > 0 ? yes / n : NAN;
}

static bool in_group(const general *g, const general_item *row, size_t group)
{
    return g->study->questions[row->vote.question].group == group;
}

static size_t steps_of(const general *g, size_t group)
{
    size_t n = 0;
    for (size_t i = 0; i < g->added.n; i++)
        n += in_group(g, &g->added.items[i], group) ? g->added.items[i].is.n_steps : 0;
    return n;
}

/* Adds a row of one score against one criterion, by one annotator (p == NULL: the mean of all). */
static int correlate(general *g, size_t group, const subject *s, rdv_str by, rdv_study_table *table,
                     rdv_error *err)
{
    rdv_correlation c;
    size_t n = 0;
    rdv_paired *pairs = RDV_NEW_ARRAY(g->arena, rdv_paired, steps_of(g, group));
    if (!pairs)
        return rdv_no_memory(err);
    for (size_t i = 0; i < g->added.n; i++) {
        const general_item *row = &g->added.items[i];
        for (size_t k = 0; in_group(g, row, group) && k < row->is.n_steps; k++) {
            double x = step_score(g, row, s->verifiers, k);
            double y = people_score(row, s->criterion, by, k);
            if (!isnan(x) && !isnan(y))
                pairs[n++] = (rdv_paired){x, y, row->vote.question};
        }
    }
    if (n == 0)
        return RDV_OK;
    int r = rdv_pearson(pairs, n, g->arena, &c, err);
    if (r == RDV_OK)
        TABLE_ADD(table, GENERAL_SOURCE(general_source(g, group)), table_text(s->score),
                  table_text(rdv_str_of(s->criterion)), table_text(by.p ? by : RDV_STR("mean")),
                  table_estimate(c.is), table_number(c.p), table_number(c.p_questions),
                  table_count(c.is.n), table_count(c.questions));
    return r;
}

/* Whether a verifier of the subject takes part. */
static bool applies(const general *g, const subject *s)
{
    return (g->how.verifiers & s->verifiers) != 0;
}

/* The first `n` subjects against the annotators' mean. */
static int against_mean(general *g, size_t group, size_t n, rdv_study_table *table, rdv_error *err)
{
    int r = RDV_OK;
    for (size_t i = 0; r == RDV_OK && i < n; i++) {
        subject s = subject_at(g, i);
        if (applies(g, &s))
            r = correlate(g, group, &s, (rdv_str){0}, table, err);
    }
    return r;
}

int general_fig5(general *g, size_t group, rdv_study_table *table, rdv_error *err)
{
    return against_mean(g, group, n_subjects(g), table, err);
}

/* As fig5, without perplexity alone. */
int general_fig14(general *g, size_t group, rdv_study_table *table, rdv_error *err)
{
    return against_mean(g, group, n_subjects(g) - 1, table, err);
}

int general_fig13(general *g, size_t group, rdv_study_table *table, rdv_error *err)
{
    interner names; /* the annotators of the group */
    size_t id;
    int r = RDV_OK;
    interner_init(&names, g->arena);
    for (size_t i = 0; i < g->added.n; i++) {
        const general_item *row = &g->added.items[i];
        for (size_t k = 0; in_group(g, row, group) && k < row->n_labels; k++)
            if (interner_add(&names, row->labels[k].by, &id) < 0)
                return rdv_no_memory(err);
    }
    for (size_t i = 0; i < n_subjects(g); i++) {
        subject s = subject_at(g, i);
        for (size_t k = 0; r == RDV_OK && applies(g, &s) && k < names.n; k++)
            r = correlate(g, group, &s, names.texts[k], table, err);
    }
    return r;
}

/* ---- errors that are not covered ------------------------------------------------------------- */

/* 1: the annotator also marked one of the principles "no"; 0: judged at least one, and none "no";
 * -1: judged none. */
static int covered_by_people(const general_item *row, rdv_str by, size_t step)
{
    int covered = -1;
    for (size_t i = 0; i < row->n_labels; i++) {
        const rdv_step_labels *labels = &row->labels[i];
        for (size_t p = 0; p < N_PRINCIPLES; p++) {
            if (!is_on(labels, rdv_verifier_name((rdv_verifier_kind)p)) ||
                !rdv_str_eq(labels->by, by) || said(labels, step) < 0)
                continue;
            if (said(labels, step) == 0)
                return 1;
            covered = 0;
        }
    }
    return covered;
}

/* The same for the verifiers, all but perplexity, with a score below the threshold as "no". */
static int covered_by_verifiers(const general *g, const general_item *row, size_t step)
{
    int covered = -1;
    for (size_t v = 0; v < g->n_verifiers; v++) {
        double score = v == RDV_VERIFIER_PERPLEXITY ? NAN : step_score(g, row, 1u << v, step);
        if (score < g->threshold)
            return 1;
        covered = isnan(score) ? covered : 0;
    }
    return covered;
}

/* Per question: uncovered errors, and all errors. */
typedef struct error_counts {
    double *open, *all;
    size_t n;
} error_counts;

static void count_errors(general *g, const general_item *row, bool people, error_counts *counts)
{
    for (size_t i = 0; i < row->n_labels; i++) {
        const rdv_step_labels *labels = &row->labels[i];
        for (size_t k = 0; is_on(labels, "correct") && k < row->is.n_steps; k++) {
            if (said(labels, k) != 0)
                continue;
            int covered =
                people ? covered_by_people(row, labels->by, k) : covered_by_verifiers(g, row, k);
            if (covered < 0)
                continue;
            counts->open[row->vote.question] += covered == 0;
            counts->all[row->vote.question]++;
        }
    }
}

/* A ratio of sums over questions, with its standard error to first order. */
static rdv_estimate share_of(const error_counts *c, size_t *errors)
{
    double open = 0, all = 0, squares = 0;
    size_t questions = 0;
    for (size_t q = 0; q < c->n; q++) {
        open += c->open[q];
        all += c->all[q];
        questions += c->all[q] > 0;
    }
    *errors = (size_t)all;
    if (!(all > 0))
        return rdv_estimate_none(0);
    for (size_t q = 0; q < c->n; q++) {
        double moved = (c->open[q] - open / all * c->all[q]) / all;
        squares += moved * moved;
    }
    double n = (double)questions, se = n > 1 ? sqrt(squares * n / (n - 1)) : NAN;
    return rdv_estimate_unit(open / all, se, *errors, questions);
}

int general_errors(general *g, size_t group, rdv_study_table *table, rdv_error *err)
{
    for (int people = 1; people >= 0; people--) {
        size_t errors;
        error_counts c = {RDV_NEW_ARRAY(g->arena, double, g->study->n_questions),
                          RDV_NEW_ARRAY(g->arena, double, g->study->n_questions),
                          g->study->n_questions};
        if (!c.open || !c.all)
            return rdv_no_memory(err);
        for (size_t i = 0; i < g->added.n; i++)
            if (in_group(g, &g->added.items[i], group))
                count_errors(g, &g->added.items[i], people, &c);
        rdv_estimate share = share_of(&c, &errors);
        if (errors)
            TABLE_ADD(table, GENERAL_SOURCE(general_source(g, group)),
                      table_text(people ? RDV_STR("people's principles") : RDV_STR("verifiers")),
                      table_estimate(share), table_count(errors));
    }
    return RDV_OK;
}
