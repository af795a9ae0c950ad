/* SPDX-License-Identifier: Apache-2.0 */
#include "reward/measure.h"
#include "reward/reward.h"

#include "base/arena.h"
#include "base/map.h"

#include <rederive/text.h>

#include <math.h>

#define REWARD_FEATURE(name, family, kind, about)                                                  \
    {#name, about, RDV_FEATURE_##family, FEATURE_##kind == FEATURE_FAULT},
static const rdv_feature features[N_FEATURES] = {REWARD_FEATURES(REWARD_FEATURE)};

#define REWARD_KIND(name, family, kind, about) FEATURE_##kind,
static const feature_kind kind_of[N_FEATURES] = {REWARD_FEATURES(REWARD_KIND)};

feature_kind reward_feature_kind(size_t feature)
{
    return kind_of[feature];
}

const rdv_feature *rdv_features(size_t *n)
{
    *n = N_FEATURES;
    return features;
}

size_t reward_feature_named(rdv_str name)
{
    size_t i = 0;
    while (i < N_FEATURES && !rdv_str_eq(name, rdv_str_of(features[i].name)))
        i++;
    return i;
}

/* ---- the question ---------------------------------------------------------------------------- */

static int begin_sentences(measuring *m, rdv_str text, rdv_error *err)
{
    rdv_str *sentences;
    int r = rdv_split_sentences(text, m->arena, &sentences, &m->n_sentences, err);
    for (size_t i = 0; r == RDV_OK && i < m->n_sentences && i < 64; i++) {
        tokens t;
        r = scan_text(sentences[i], m->arena, &t);
        for (size_t k = 0; r == RDV_OK && k < t.n; k++) {
            if (t.of[k].is != TOKEN_WORD)
                continue;
            size_t bits = feature_set_last(&m->in_sentence, t.of[k].hash);
            bits = bits == FEATURE_SET_NEVER ? 0 : bits;
            m->sentence_words[i]++;
            r = feature_set_add(&m->in_sentence, t.of[k].hash, bits | (size_t)1 << i);
        }
    }
    return r;
}

static int begin(measuring *m, rdv_error *err)
{
    rdv_str text = m->chain->question.text;
    text = text.p ? text : RDV_STR("");
    if (scan_text(text, m->arena, &m->question) < 0)
        return RDV_E_NOMEM;
    const tokens *q = &m->question;
    for (size_t i = 0; i < q->n; i++)
        if (feature_set_add(&m->asked, q->of[i].hash, 0) < 0 ||
            (i + 2 < q->n && feature_set_add(&m->asked_grams, gram_at(q, i), 0) < 0))
            return RDV_E_NOMEM;
    check_lists_begin(&m->listings, q);
    m->calculator = rdv_calculator_new(m->arena, m->chain->question.text);
    const rdv_chain *chain = m->chain;
    rdv_decimal sign = rdv_decimal_found(chain->question.text, chain->steps, chain->n_steps);
    return m->calculator && rdv_calculator_set_decimal(m->calculator, sign) == RDV_OK &&
                   check_brackets_begin(&m->brackets, q, m->arena) == RDV_OK
               ? begin_sentences(m, text, err)
               : RDV_E_NOMEM;
}

/* ---- checks ---------------------------------------------------------------------------------- */

static int measure_calculations(measuring *m, size_t i, float *row, tally *out, rdv_error *err)
{
    rdv_calc *calcs;
    size_t n;
    double is[4] = {0};
    int r = rdv_calculator_step(m->calculator, m->chain->steps[i], &calcs, &n, err);
    if (r < 0)
        return r;
    for (size_t k = 0; k < n; k++)
        is[calcs[k].kind]++;
    row[F_calc_right] = (float)is[RDV_CALC_RIGHT];
    row[F_calc_rounded] = (float)is[RDV_CALC_ROUNDED];
    row[F_calc_wrong] = (float)is[RDV_CALC_WRONG];
    row[F_calc_undecided] = (float)is[RDV_CALC_UNDECIDED];
    row[F_calc_before] = (float)m->calcs_sum;
    *out = (tally){is[RDV_CALC_RIGHT] + is[RDV_CALC_ROUNDED], is[RDV_CALC_WRONG]};
    m->calcs_sum += out->held + out->broken;
    return RDV_OK;
}

static tally assignment_tally(const assignment_found *a, float *row)
{
    if (!a->n)
        return (tally){0};
    row[F_assigned] = (float)a->n;
    row[F_assigned_twice] = (float)a->twice;
    row[F_assigned_held] = (float)a->held;
    row[F_rank_held] = (float)a->rank.held;
    row[F_rank_broken] = (float)a->rank.broken;
    row[F_rank_unfounded] = (float)a->unfounded;
    if (a->compared) {
        row[F_assigned_lost] = (float)a->lost;
        row[F_assigned_unsaid] = (float)a->unsaid;
        row[F_assigned_kept] = (float)a->kept;
        row[F_assigned_new] = (float)a->added;
    }
    return (tally){a->held, a->twice + a->lost + a->unsaid + a->kept + a->added};
}

static void sum_up(measuring *m, const tally *of, size_t n, float *row)
{
    double held = 0, broken = 0, kinds = 0;
    for (size_t i = 0; i < n; i++) {
        held += of[i].held;
        broken += of[i].broken;
        kinds += of[i].broken > 0;
    }
    row[F_held] = (float)held;
    row[F_broken] = (float)broken;
    row[F_broken_kinds] = (float)kinds;
    row[F_broken_share] = share(broken, held + broken);
    row[F_broken_before] = (float)m->broken_sum;
    row[F_broken_first] = broken > 0 && m->broken_sum == 0;
    m->broken_sum += kinds;
}

static int measure_consistency(measuring *m, size_t i, const tokens *t, float *row, rdv_error *err)
{
    tally calcs, bracket;
    listing_found l;
    assignment_found a;
    int r = measure_calculations(m, i, row, &calcs, err);
    if (r < 0)
        return r;
    if (check_lists_step(&m->listings, t, m->arena, &l) < 0 ||
        check_assignments_step(&m->assignments, t, &m->tokens, m->arena, &a) < 0 ||
        check_brackets_step(&m->brackets, t, m->arena, &bracket) < 0)
        return rdv_no_memory(err);
    row[F_order_held] = (float)l.order.held;
    row[F_order_broken] = (float)l.order.broken;
    row[F_listing_held] = (float)(l.same.held + l.answer.held);
    row[F_listing_broken] = (float)(l.same.broken + l.answer.broken);
    row[F_spelling_held] = (float)l.spelling.held;
    row[F_spelling_broken] = (float)l.spelling.broken;
    row[F_bracket_held] = (float)bracket.held;
    row[F_bracket_broken] = (float)bracket.broken;
    a.rank.broken += a.unfounded;
    const tally all[] = {calcs,  l.order, l.same, l.answer, l.spelling, assignment_tally(&a, row),
                         a.rank, bracket};
    sum_up(m, all, sizeof all / sizeof *all, row);
    return RDV_OK;
}

/* ---- steps ----------------------------------------------------------------------------------- */

static void measure_position(const measuring *m, size_t i, float *row)
{
    row[F_index] = (float)i;
    row[F_first] = i == 0;
    row[F_index_by_asked] = share((double)i, (double)m->n_sentences);
    row[F_tokens_before] = (float)m->tokens_sum;
    row[F_numbers_before] = (float)m->numbers_sum;
    row[F_answered_before] = m->answered;
}

static void measure_probability(measuring *m, size_t i, float *row)
{
    const rdv_logprobs *p = m->chain->logprobs ? &m->chain->logprobs[i] : NULL;
    double sum = 0, least = 0;
    if (!p || !p->n)
        return;
    for (size_t k = 0; k < p->n; k++) {
        sum += p->token[k];
        least = p->token[k] < least ? p->token[k] : least;
    }
    if (!isfinite(sum))
        return;
    row[F_logprob_mean] = share(sum, (double)p->n);
    row[F_logprob_least] = (float)least;
    if (m->logprob_n > 0)
        row[F_logprob_by_before] = (float)(sum / (double)p->n - m->logprob_sum / m->logprob_n);
    m->logprob_sum += sum;
    m->logprob_n += (double)p->n;
}

/* What the step leaves for the later ones. */
static int leave(measuring *m, size_t i, const tokens *t, uint64_t whole)
{
    for (size_t k = 0; k < t->n; k++) {
        if (feature_set_add(&m->tokens, t->of[k].hash, i) < 0 ||
            (k + 2 < t->n && feature_set_add(&m->grams, gram_at(t, k), i) < 0))
            return RDV_E_NOMEM;
        m->numbers_sum += t->of[k].is == TOKEN_NUMBER;
    }
    m->tokens_sum += (double)t->n;
    m->answered = m->answered || form_answer_at(t) < t->n;
    m->before = *t;
    return feature_set_add(&m->steps, whole, i);
}

static int measure_step(measuring *m, size_t i, float *row, rdv_error *err)
{
    tokens t;
    for (size_t k = 0; k < N_FEATURES; k++)
        row[k] = NAN;
    if (scan_text(m->chain->steps[i], m->arena, &t) < 0)
        return rdv_no_memory(err);
    uint64_t whole = rdv_hash(rdv_trim(m->chain->steps[i]), 2);
    size_t when = feature_set_last(&m->steps, whole);
    row[F_same_as_before] = i ? when == i - 1 : NAN;
    row[F_same_as_earlier] = i ? when != FEATURE_SET_NEVER : NAN;
    form_measure(m, i, &t, row);
    agreement_measure(m, i, &t, row);
    measure_position(m, i, row);
    measure_probability(m, i, row);
    int r = measure_consistency(m, i, &t, row, err);
    if (r == RDV_OK && leave(m, i, &t, whole) < 0)
        r = rdv_no_memory(err);
    return r;
}

int rdv_features_measure(const rdv_chain *chain, rdv_arena *arena, float **out, rdv_error *err)
{
    float *rows = rdv_calloc(arena, chain->n_steps, N_FEATURES * sizeof *rows);
    measuring *m = RDV_NEW(arena, measuring);
    if (!rows || !m)
        return rdv_no_memory(err);
    *m = (measuring){.arena = arena, .chain = chain, .nearest = -1};
    feature_set *const sets[] = {&m->asked, &m->in_sentence, &m->tokens,
                                 &m->grams, &m->asked_grams, &m->steps};
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        sets[i]->arena = arena;
    int r = begin(m, err);
    for (size_t i = 0; i < chain->n_steps && r == RDV_OK; i++)
        r = measure_step(m, i, rows + i * N_FEATURES, err);
    rdv_calculator_free(&m->calculator);
    if (r == RDV_OK)
        *out = rows;
    return r == RDV_E_NOMEM ? rdv_no_memory(err) : r;
}
