/* SPDX-License-Identifier: Apache-2.0 */
/* SelfCheck v2, section 5.1: how often majority voting fails, exactly, beside the bound that the
 * paper states and one that holds. The chances of the answers are given, or each question's are
 * the shares of its chains. */
#include "study/study.h"

#include "base/arena.h"
#include "base/str.h"
#include "score/estimate.h"
#include "score/eval.h"
#include "study/source.h"

#include <math.h>
#include <string.h>

#define N_DEFAULT 20

typedef struct items {
    study_vote *votes;
    size_t n, cap;
} items;

/* The chances of one question's answers. */
typedef struct chances {
    double p;
    double *wrong;
    size_t n_wrong;
} chances;

/* What is computed for each question, at one number of chains. */
enum { P, Q, FAILURE, STATED, BOUND, HOLDS, N_VALUES };

static int begin(rdv_study *s, rdv_error *err)
{
    const rdv_study_options *o = &s->options;
    s->options.n_from = o->n_from ? o->n_from : 1;
    s->options.n_to = o->n_to ? o->n_to : N_DEFAULT;
    if (s->options.n_from > s->options.n_to)
        return rdv_fail(err, RDV_E_ARGUMENT, "the numbers of chains are reversed: %zu to %zu",
                        s->options.n_from, s->options.n_to);
    s->of = RDV_NEW(s->arena, items);
    return s->of ? RDV_OK : rdv_no_memory(err);
}

/* A question's chances are those of one model's chains, and its row is that of its data set. */
static int add(rdv_study *s, const study_chain *one, rdv_error *err)
{
    items *all = s->of;
    study_source by = {0};
    study_vote vote;
    size_t at;
    int r = study_refuse_seen(s, one, err);
    if (r == RDV_OK)
        r = source_of_chain(s, one, &by, err);
    by = (study_source){.generator = by.generator, .group = by.group};
    if (r == RDV_OK)
        r = sources_find(&s->sources, &by, &at, err);
    if (r != RDV_OK)
        return r;
    if (study_vote_of(s, at, one->chain->question.id, &one->grade, 1, &vote) < 0 ||
        !RDV_PUSH_ROOM(s->arena, all->votes, all->n, all->cap))
        return rdv_fail(err, RDV_E_NOMEM, "out of memory; %zu chains are held", all->n);
    all->votes[all->n++] = vote;
    return RDV_OK;
}

/* ---- one question ---------------------------------------------------------------------------- */

/* The paper's bound, at most 1; NaN where it is not stated: no wrong answer has a chance. */
static double stated_bound(double p, double q, size_t n)
{
    if (!(q > 0))
        return NAN;
    if (q >= p)
        return 1;
    return fmin(1, ceil((1 - p) / q) * pow(q / p, ceil((double)n / 2)));
}

static int compute(const chances *c, size_t n, rdv_arena *scratch, double *out, rdv_error *err)
{
    rdv_arena_reset(scratch);
    out[P] = c->p;
    out[Q] = 0;
    for (size_t i = 0; i < c->n_wrong; i++)
        out[Q] = fmax(out[Q], c->wrong[i]);
    int r = rdv_majority_failure(c->p, c->wrong, c->n_wrong, n, scratch, &out[FAILURE], err);
    out[STATED] = stated_bound(c->p, out[Q], n);
    /* Unread chains are an answer that is never right: without another wrong one they win where all
     * are unread, (1 - p)^n. */
    out[BOUND] =
        c->n_wrong ? rdv_majority_bound(c->p, out[Q], c->n_wrong, n) : pow(1 - c->p, (double)n);
    out[HOLDS] = isnan(out[STATED]) ? NAN : out[STATED] >= out[FAILURE] - 1e-12;
    return r;
}

/* The shares of a question's chains as chances. */
static int shares_of(const study_lot *lot, rdv_arena *arena, chances *out, rdv_error *err)
{
    size_t n_answers = lot->question->n_answers, right = 0;
    size_t *count = RDV_NEW_ARRAY(arena, size_t, n_answers);
    *out = (chances){.wrong = RDV_NEW_ARRAY(arena, double, n_answers)};
    if (!count || !out->wrong)
        return rdv_no_memory(err);
    for (size_t i = 0; i < lot->n; i++) {
        const tally_ballot *b = &lot->ballots[i];
        if (b->answer == TALLY_UNREAD)
            continue;
        if (b->correct == 1)
            right++;
        else
            count[b->answer]++;
    }
    out->p = (double)right / (double)lot->n;
    for (size_t i = 0; i < n_answers; i++)
        if (count[i] > 0)
            out->wrong[out->n_wrong++] = (double)count[i] / (double)lot->n;
    return RDV_OK;
}

/* ---- the table ------------------------------------------------------------------------------- */

/* The questions of one source. */
typedef struct questions {
    study_source source;
    chances *of;
    size_t n;
} questions;

typedef struct gathered {
    questions *by_source;
    size_t n_sources, n, ungraded; /* n: questions of all sources */
} gathered;

/* The chances that the options give, in place of chains. */
static int given_chances(const rdv_study *s, gathered *out, rdv_error *err)
{
    const rdv_study_options *o = &s->options;
    out->by_source = RDV_NEW_ARRAY(s->arena, questions, 1);
    chances *only = RDV_NEW_ARRAY(s->arena, chances, 1);
    if (!out->by_source || !only)
        return rdv_no_memory(err);
    *only = (chances){o->p, (double *)o->q, o->n_q};
    out->by_source[0] = (questions){.of = only, .n = 1};
    out->n_sources = out->n = 1;
    return RDV_OK;
}

/* The chances of the graded questions of each source. */
static int sort_chances(rdv_study *s, const study_lots *lots, gathered *out, rdv_error *err)
{
    int r = RDV_OK;
    out->n_sources = s->sources.n;
    out->by_source = RDV_NEW_ARRAY(s->arena, questions, s->sources.n);
    chances *all = RDV_NEW_ARRAY(s->arena, chances, lots->n);
    if (!out->by_source || !all)
        return rdv_no_memory(err);
    for (size_t source = 0; source < s->sources.n; source++) {
        questions *to = &out->by_source[source];
        *to = (questions){.source = s->sources.of[source], .of = all + out->n};
        for (size_t i = 0; r == RDV_OK && i < lots->n; i++)
            if (lots->lots[i].graded && lots->lots[i].question->group == source)
                r = shares_of(&lots->lots[i], s->arena, &to->of[to->n++], err);
        out->n += to->n;
    }
    for (size_t i = 0; i < lots->n; i++)
        out->ungraded += !lots->lots[i].graded;
    return r;
}

static int gather(rdv_study *s, gathered *out, rdv_error *err)
{
    const items *all = s->of;
    study_lots lots;
    if (s->options.q)
        return given_chances(s, out, err);
    int r = study_sort(s, all->votes, all->n, sizeof *all->votes, s->arena, &lots, err);
    if (r == RDV_OK)
        r = sort_chances(s, &lots, out, err);
    if (r == RDV_OK && out->n == 0)
        return rdv_fail(err, RDV_NONE,
                        "no question has answers that are known to be right or wrong; or give the "
                        "chances by --p and --q");
    return r;
}

static int add_row(rdv_study *s, const questions *all, size_t n, double *values, rdv_arena *scratch,
                   rdv_study_table *table, rdv_error *err)
{
    double one[N_VALUES];
    rdv_cell cells[3 + N_VALUES] = {table_text(all->source.group),
                                    table_text(all->source.generator), table_count(n)};
    for (size_t i = 0; i < all->n; i++) {
        int r = compute(&all->of[i], n, scratch, one, err);
        if (r < 0)
            return r;
        for (size_t v = 0; v < N_VALUES; v++)
            values[v * all->n + i] = one[v];
    }
    for (size_t v = 0; v < N_VALUES; v++)
        cells[3 + v] = table_estimate(
            s->options.q
                ? (rdv_estimate){.value = one[v], .se = NAN, .low = NAN, .high = NAN, .n = 1}
                : rdv_mean(values + v * all->n, all->n, true));
    table_add(table, cells, 3 + N_VALUES);
    return RDV_OK;
}

static void note(const rdv_study *s, const gathered *all, rdv_study_table *table)
{
    table_note(table,
               "failure: exact, a tie by its share of wrong answers; p, q: the chances of the "
               "right answer and of the most frequent wrong one");
    table_note(table,
               "stated_bound: the paper's, ceil((1-p)/q) (q/p)^ceil(n/2), at most 1. It does "
               "not hold: with p = .6, q = .4 and n = 11 it is .088, and the failure .247");
    table_note(table,
               "bound: Chernoff's, which holds: (wrong answers) (1 - (sqrt p - sqrt q)^2)^n, "
               "at most 1");
    if (s->options.q)
        return;
    table_note(table,
               "means over %zu question%s; a question's chances are the shares of its chains, so "
               "votes are drawn from them with replacement",
               all->n, table_plural(all->n));
    table_note_count(table, all->ungraded, "question",
                     "left out: the answers are not all known to be right or wrong");
}

static int finish(rdv_study *s, rdv_error *err)
{
    gathered all = {0};
    rdv_study_table table = study_table(s);
    rdv_arena *scratch = rdv_arena_new(0);
    int r = scratch ? gather(s, &all, err) : rdv_no_memory(err);
    double *values = r == RDV_OK ? RDV_NEW_ARRAY(s->arena, double, N_VALUES *all.n) : NULL;
    if (r == RDV_OK && !values)
        r = rdv_no_memory(err);
    for (size_t i = 0; r == RDV_OK && i < all.n_sources; i++)
        for (size_t n = s->options.n_from;
             r == RDV_OK && all.by_source[i].n && n <= s->options.n_to; n++)
            r = add_row(s, &all.by_source[i], n, values, scratch, &table, err);
    rdv_arena_free(&scratch);
    if (r == RDV_OK)
        r = source_hide(&table, "group", false, err);
    if (r == RDV_OK)
        r = source_hide(&table, "generator", false, err);
    if (r != RDV_OK)
        return r;
    table.decimals = 2;
    table.notes_are_members = true;
    note(s, &all, &table);
    return study_put(s, &table, err);
}

const study_family study_majority = {.begin = begin, .add = add, .finish = finish};
