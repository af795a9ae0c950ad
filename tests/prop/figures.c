/* SPDX-License-Identifier: Apache-2.0 */
/* What votes, stopping, choices, agreement and the figures of evaluations give does not change
 * unseen. A seed draws small numbers with many ties, missing values and limits; each line of
 * tests/golden/figures.tsv is what one function makes of them, to eight digits.
 *
 *     prop_figures              compares
 *     prop_figures --write      writes the file, after a change that is meant */
#include "../unit/test.h"
#include "golden_lines.h"

#include "base/rng.h"
#include "score/aggregate.h"
#include "score/agree.h"
#include "score/choose.h"
#include "score/combine.h"
#include "score/combined.h"
#include "score/eval.h"
#include "score/score.h"
#include "score/vote_weight.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CASES 100 /* of each figure */
#define MOST 24

typedef struct figure {
    rdv_rng rng;
    rdv_arena *arena;
    char *line;
    size_t at;
} figure;

static size_t below(figure *f, size_t n)
{
    return (size_t)rdv_rng_below(&f->rng, n);
}

static bool one_in(figure *f, size_t n)
{
    return below(f, n) == 0;
}

/* One of few numbers, so that there are ties; sometimes none. */
static double number(figure *f)
{
    static const double of[] = {0, 0.25, 0.5, 0.5, 0.75, 1, 0.1, 0.9, 0.3};
    return one_in(f, 12) ? NAN : of[below(f, sizeof of / sizeof *of)];
}

static double known(figure *f)
{
    double x = number(f);
    return isnan(x) ? 0.6 : x;
}

static void put(figure *f, double x)
{
    int n = snprintf(f->line + f->at, LINE_BYTES - f->at, isnan(x) ? "\t-" : "\t%.8g", x);
    f->at += f->at + (size_t)n < LINE_BYTES ? (size_t)n : 0;
}

static void put_size(figure *f, size_t n)
{
    put(f, n == (size_t)-1 ? -1 : n == (size_t)-2 ? -2 : (double)n);
}

static void put_text(figure *f, const char *text)
{
    int n = snprintf(f->line + f->at, LINE_BYTES - f->at, "\t%s", text);
    f->at += f->at + (size_t)n < LINE_BYTES ? (size_t)n : 0;
}

static void put_estimate(figure *f, const rdv_estimate *e)
{
    put(f, e->value);
    put(f, e->se);
    put(f, e->low);
    put(f, e->high);
    put_size(f, e->n);
}

/* RDV_OK, or why not. */
static bool holds(figure *f, int rc, const rdv_error *err)
{
    if (rc != RDV_OK)
        put_text(f, rc == RDV_NONE ? "none" : err->msg);
    return rc == RDV_OK;
}

/* ---- votes ----------------------------------------------------------------------------------- */

static const rdv_str keys[] = {{0}, {"7", 1}, {"8", 1}, {"9", 1}, {"7", 1}, {"10", 2}};

static size_t draw_ballots(figure *f, rdv_ballot *ballots)
{
    size_t n = below(f, 12);
    for (size_t i = 0; i < n; i++) {
        ballots[i] = (rdv_ballot){.key = keys[below(f, 6)]};
        ballots[i].weight = number(f);
        ballots[i].correct = (int)below(f, 3) - 1;
    }
    return n;
}

static void vote(figure *f)
{
    rdv_ballot ballots[MOST];
    rdv_str shown[MOST];
    rdv_vote v;
    rdv_result r = {0};
    size_t n = draw_ballots(f, ballots);
    rdv_select_kind how = (rdv_select_kind)below(f, 5);
    assert_int_equal(rdv_vote_decide(how, ballots, n, f->arena, &v, NULL), RDV_OK);
    for (size_t i = 0; i < n; i++)
        shown[i] = ballots[i].key;
    assert_int_equal(rdv_vote_result(&v, shown, f->arena, &r, NULL), RDV_OK);
    put_text(f, rdv_select_name(how));
    const size_t sizes[] = {n,        v.n_answers, v.winner, v.chain,
                            v.n_tied, v.chains,    v.cast,   v.unread};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        put_size(f, sizes[i]);
    put(f, v.weight_share);
    put(f, v.correct);
    put(f, v.expected_correct);
    for (size_t i = 0; i < v.n_answers; i++) {
        put(f, v.answers[i].weight);
        put_size(f, v.answers[i].chains * 100 + v.answers[i].first);
        put(f, v.answers[i].in_running * 2 + v.answers[i].tied + 10 * v.answers[i].correct);
    }
    put(f, r.weight_share);
    put_size(f, r.n_answers * 100 + r.n_tied * 10 + r.unread);
}

static void stopping(figure *f)
{
    rdv_ballot ballots[MOST];
    rdv_error err = {0};
    rdv_stop rule = {.kind = (rdv_stop_kind)below(f, 3)};
    rdv_tally *tally;
    size_t n = draw_ballots(f, ballots), most = n + below(f, 3), after = 0;
    rule.p = one_in(f, 12) ? 0.7 : 0.05 + (double)below(f, 4) / 10;
    if (one_in(f, 4)) {
        rule.low = -(double)below(f, 3) / 2;
        rule.high = (double)below(f, 3);
    }
    rule.answers_known = rule.kind == RDV_STOP_CERTAIN && one_in(f, 2);
    most = rule.answers_known ? n : most;
    rdv_select_kind how = (rdv_select_kind)below(f, one_in(f, 8) ? 5 : 2);
    if (!holds(f, rdv_tally_new(how, &rule, most, f->arena, &tally, &err), &err))
        return;
    for (size_t i = 0; i < n && rule.answers_known; i++)
        holds(f, rdv_tally_expect(tally, ballots[i].key, &err), &err);
    for (size_t i = 0; i < n; i++) {
        holds(f, rdv_tally_add(tally, &ballots[i], &err), &err);
        put(f, rdv_tally_settled(tally));
    }
    if (holds(f, rdv_stop_after(how, &rule, ballots, n, f->arena, &after, &err), &err))
        put_size(f, after);
}

static void choosing(figure *f)
{
    double by[MOST];
    size_t chosen[MOST], n = below(f, 10), m = below(f, 8), n_chosen;
    for (size_t i = 0; i < n; i++)
        by[i] = number(f);
    rdv_choose_kind how = (rdv_choose_kind)below(f, 3);
    assert_int_equal(rdv_choose(how, by, n, m, below(f, 9), f->arena, chosen, &n_chosen, NULL),
                     RDV_OK);
    put_size(f, (size_t)how);
    for (size_t i = 0; i < n_chosen; i++)
        put_size(f, chosen[i]);
}

static void majority(figure *f)
{
    double wrong[4], out = NAN, p = (double)below(f, 9) / 10;
    size_t n_wrong = below(f, 4), n = below(f, 14);
    rdv_error err = {0};
    for (size_t i = 0; i < n_wrong; i++)
        wrong[i] = (double)below(f, 4) / 30;
    if (holds(f, rdv_majority_failure(p, wrong, n_wrong, n, f->arena, &out, &err), &err))
        put(f, out);
    put(f, rdv_majority_bound(p, n_wrong ? wrong[0] : 0, n_wrong, n));
    double q = (double)below(f, 11) / 10;
    put(f, rdv_beta_cdf(q, 0.5 + (double)below(f, 40), 0.5 + n));
    put(f, rdv_student_p((double)below(f, 60) / 10, (double)(1 + n)));
}

/* ---- verdicts and scores --------------------------------------------------------------------- */

static void integrating(figure *f)
{
    double scores[MOST];
    size_t n = below(f, 7);
    rdv_integration how = rdv_integration_default();
    rdv_verdict_counts counts = {0};
    counts.contradict = below(f, 3);
    counts.unrelated = below(f, 3);
    counts.support = below(f, 4);
    counts.unknown = below(f, 3);
    how.unknown = (rdv_unknown_as)below(f, 3);
    how.l1 = 0.5 + (double)below(f, 4) / 2;
    how.l0 = one_in(f, 3) ? 0 : how.l0;
    put(f, rdv_integrate(&how, counts));
    rdv_aggregation over = {.unknown = (rdv_unknown_as)below(f, 3)};
    over.kind = (rdv_aggregate_kind)below(f, RDV_N_AGGREGATES);
    over.floor = one_in(f, 2) ? 0.01 : 0;
    for (size_t i = 0; i < n; i++)
        scores[i] = one_in(f, 9) ? -1.5 : number(f);
    put(f, rdv_aggregate(&over, scores, n));
    put(f, aggregate_with(&over, scores, n, 0.5));
    put(f, rdv_classify(number(f), 0.5));
}

static void combining(figure *f)
{
    static const char *const names[] = {
        "all",   "none", "relevance,math",   "math,math", "perplexity",
        "wrong", "",     "consistency, math"};
    static const char *const weights[] = {"perplexity=3,math=0.5", "math=-1",    "math", "other=1",
                                          "relevance=0",           "math=1e400", ""};
    rdv_combination how = rdv_combination_default();
    rdv_error err = {0};
    double scores[RDV_N_VERIFIERS][6];
    rdv_tokens tokens[6] = {{0}};
    rdv_verified chain = {.n_steps = below(f, 6)};
    chain.power = (double)below(f, 3);
    how.aggregation.unknown = (rdv_unknown_as)below(f, 3);
    how.aggregation.kind = (rdv_aggregate_kind)below(f, RDV_N_AGGREGATES);
    if (one_in(f, 2))
        holds(f,
              rdv_combination_verifiers(rdv_str_of(names[below(f, 8)]), NULL, &how.verifiers, &err),
              &err);
    if (one_in(f, 2))
        holds(f, rdv_combination_weights(rdv_str_of(weights[below(f, 7)]), NULL, how.weight, &err),
              &err);
    holds(f, rdv_combination_check(&how, &err), &err);
    for (size_t v = 0; v < RDV_N_VERIFIERS; v++) {
        for (size_t i = 0; i < chain.n_steps; i++)
            scores[v][i] = number(f);
        chain.step[v] = one_in(f, 4) ? NULL : scores[v];
    }
    for (size_t i = 0; i < chain.n_steps; i++) {
        tokens[i].n = below(f, 4);
        tokens[i].logprob = -(double)below(f, 9) / 4;
    }
    chain.tokens = one_in(f, 2) ? tokens : NULL;
    rdv_step_range extent = {.steps = one_in(f, 3) ? below(f, 5) : 0};
    extent.share = one_in(f, 3) ? (double)below(f, 5) / 4 : 0;
    put_size(f, rdv_step_range_steps(extent, chain.n_steps));
    for (size_t v = 0; v < RDV_N_VERIFIERS; v++)
        put(f, rdv_combine_verifier(&how, &chain, v, extent));
    put(f, rdv_combine_chain(&how, &chain, extent));
    put(f, rdv_perplexity(tokens[0]));
}

/* ---- figures of evaluations ------------------------------------------------------------------ */

static size_t draw_scored(figure *f, rdv_scored *s)
{
    size_t n = below(f, MOST);
    for (size_t i = 0; i < n; i++) {
        s[i].score = known(f);
        s[i].right = one_in(f, 2);
        s[i].question = below(f, 6);
    }
    return n;
}

static void curves(figure *f)
{
    rdv_scored s[MOST];
    rdv_roc_point *points;
    rdv_rates rates;
    rdv_estimate e;
    size_t n = draw_scored(f, s), n_points;
    assert_int_equal(rdv_auc(s, n, f->arena, &e, NULL), RDV_OK);
    put_estimate(f, &e);
    assert_int_equal(rdv_rates_at(s, n, known(f), f->arena, &rates, NULL), RDV_OK);
    put_estimate(f, &rates.tpr);
    put_estimate(f, &rates.tnr);
    put_estimate(f, &rates.balanced);
    put_estimate(f, &rates.precision_accepted);
    put_estimate(f, &rates.precision_rejected);
    if (rdv_roc(s, n, f->arena, &points, &n_points, NULL) != RDV_OK)
        return;
    for (size_t i = 0; i < n_points; i++) {
        put(f, points[i].threshold);
        put(f, points[i].fpr);
        put(f, points[i].tpr);
    }
}

static void means(figure *f)
{
    double x[MOST], y[MOST];
    size_t n = below(f, 12);
    rdv_estimate e;
    for (size_t i = 0; i < n; i++) {
        x[i] = number(f);
        y[i] = known(f);
    }
    e = rdv_mean(x, n, true);
    put_estimate(f, &e);
    e = rdv_mean(x, n, false);
    put_estimate(f, &e);
    size_t resamples = 1 + below(f, 40);
    uint64_t seed = below(f, 5);
    const double *series = y;
    assert_int_equal(rdv_bootstrap(&series, 1, n, resamples, seed, 1, f->arena, &e, NULL), RDV_OK);
    put_estimate(f, &e);
}

static rdv_label draw_label(figure *f, size_t kinds)
{
    rdv_label label = {.kind = (rdv_label_kind)(3 - kinds + below(f, kinds))};
    label.step = label.kind == RDV_LABEL_AT ? below(f, 3) : 0;
    return label;
}

static void mistakes(figure *f)
{
    rdv_located l[MOST];
    rdv_detected d[MOST];
    rdv_location score;
    rdv_estimate e;
    size_t n = below(f, MOST);
    for (size_t i = 0; i < n; i++) {
        l[i].truth = draw_label(f, 2);
        l[i].found = draw_label(f, 3);
        l[i].question = d[i].question = below(f, 6);
        d[i].found = draw_label(f, 3).kind;
        d[i].right = one_in(f, 2);
    }
    assert_int_equal(rdv_locate_score(l, n, f->arena, &score, NULL), RDV_OK);
    put_estimate(f, &score.overall);
    put_estimate(f, &score.with_mistake);
    put_estimate(f, &score.without_mistake);
    put_estimate(f, &score.f1);
    put_size(f, score.no_prediction);
    assert_int_equal(rdv_weighted_f1(d, n, f->arena, &e, NULL), RDV_OK);
    put_estimate(f, &e);
}

static void agreement(figure *f)
{
    double value[MOST * 3];
    uint32_t cluster[MOST];
    rdv_estimate e;
    rdv_pair_agreement pair;
    rdv_error err = {0};
    rdv_ratings r = {.value = value, .n_units = below(f, 9), .n_raters = 1 + below(f, 3)};
    for (size_t i = 0; i < r.n_units * r.n_raters; i++)
        value[i] = one_in(f, 60) ? INFINITY : one_in(f, 6) ? NAN : (double)below(f, 3);
    for (size_t i = 0; i < r.n_units; i++)
        cluster[i] = (uint32_t)below(f, 4);
    r.cluster = one_in(f, 2) ? cluster : NULL;
    rdv_agreement_kind is = (rdv_agreement_kind)below(f, RDV_N_AGREEMENTS);
    put_size(f, (size_t)is);
    size_t resamples = 1 + below(f, 30);
    uint64_t seed = below(f, 4);
    if (holds(f, rdv_agreement(&r, is, resamples, seed, f->arena, &e, &err), &err))
        put_estimate(f, &e);
    size_t other = below(f, r.n_raters);
    if (holds(f, rdv_agreement_between(&r, 0, other, f->arena, &pair, &err), &err)) {
        put_estimate(f, &pair.agreement);
        put_estimate(f, &pair.kappa);
    }
}

static void labels(figure *f)
{
    rdv_label of[MOST];
    rdv_majority m;
    int8_t is[6];
    size_t n = below(f, 8), n_is = below(f, 7);
    for (size_t i = 0; i < n; i++)
        of[i] = draw_label(f, 3);
    for (size_t i = 0; i < n_is; i++)
        is[i] = one_in(f, 8) ? -1 : (int8_t)!one_in(f, 5);
    rdv_tie_kind ties = (rdv_tie_kind)below(f, 3);
    assert_int_equal(rdv_majority_label(of, n, ties, f->arena, &m, NULL), RDV_OK);
    rdv_step_labels by = {.is = is, .n = n_is};
    rdv_label first = rdv_first_wrong(&by, below(f, 7));
    const size_t sizes[] = {(size_t)m.label.kind, m.label.step, m.votes, m.won, m.tied,
                            (size_t)first.kind,   first.step};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        put_size(f, sizes[i]);
}

static void correlation(figure *f)
{
    rdv_paired pairs[MOST];
    rdv_correlation c;
    rdv_error err = {0};
    size_t n = below(f, MOST);
    for (size_t i = 0; i < n; i++) {
        pairs[i].x = number(f);
        pairs[i].y = one_in(f, 3) ? pairs[i].x : number(f);
        pairs[i].question = below(f, 7);
    }
    if (!holds(f, rdv_pearson(pairs, n, f->arena, &c, &err), &err))
        return;
    put_estimate(f, &c.is);
    const double numbers[] = {c.t, c.p, c.low, c.high, c.p_questions};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        put(f, numbers[i]);
    put_size(f, c.questions);
}

/* ---- combined scorers ------------------------------------------------------------------------ */

static const char *const lists[] = {"scores:prm,majority",
                                    "confidence,length",
                                    "scores:prm,confidence:other,perplexity",
                                    "majority",
                                    "scores:prm",
                                    "scores:prm,scores:prm",
                                    "confidence,nothing",
                                    "perplexity,length,majority"};

static rdv_chain draw_scored_chain(figure *f)
{
    rdv_chain c = {.n_steps = 1 + below(f, 4), .n_scores = !one_in(f, 6), .n_checks = below(f, 3)};
    double *scores = RDV_NEW_ARRAY(f->arena, double, c.n_steps);
    rdv_scores *list = RDV_NEW(f->arena, rdv_scores);
    rdv_check *checks = RDV_NEW_ARRAY(f->arena, rdv_check, 2);
    rdv_logprobs *logprobs = RDV_NEW_ARRAY(f->arena, rdv_logprobs, c.n_steps);
    for (size_t i = 0; i < c.n_steps; i++) {
        scores[i] = one_in(f, 30) ? 2.5 : number(f);
        logprobs[i].token = RDV_NEW_ARRAY(f->arena, double, 2);
        logprobs[i].n = below(f, 3);
        for (size_t k = 0; k < logprobs[i].n; k++)
            logprobs[i].token[k] = -(double)below(f, 20) / 8;
    }
    *list = (rdv_scores){RDV_STR("prm"), scores, c.n_steps};
    for (size_t i = 0; i < 2; i++)
        checks[i] = (rdv_check){.method = i ? RDV_STR("other") : RDV_STR("calculations"),
                                .confidence = number(f)};
    c.scores = list;
    c.checks = checks;
    c.logprobs = one_in(f, 3) ? NULL : logprobs;
    return c;
}

static void combined(figure *f)
{
    scorer scorers[COMBINED_SCORERS_MAX];
    combined_row rows[MOST];
    combined_model model;
    rdv_error err = {0};
    size_t n, n_rows = 4 + below(f, MOST - 4), question = 0;
    if (!holds(f, scorers_read(rdv_str_of(lists[below(f, 8)]), scorers, &n, &err), &err))
        return;
    for (size_t i = 0; i < n_rows; i++) {
        rdv_chain chain = draw_scored_chain(f);
        scorer_values *values = RDV_NEW_ARRAY(f->arena, scorer_values, n);
        for (size_t k = 0; k < n; k++)
            values[k] = scorers[k].is == SCORER_MAJORITY ? scorer_share(1 + below(f, 3), 4)
                                                         : scorer_measure(&scorers[k], &chain);
        question += one_in(f, 3);
        rows[i] = (combined_row){values, question, question * 0x9e3779b97f4a7c15u, one_in(f, 2)};
    }
    if (!holds(f, combined_fit(scorers, n, rows, n_rows, f->arena, &model, &err), &err))
        return;
    put(f, model.strength);
    put_size(f, model.n_questions * 100 + model.n_chains);
    for (size_t i = 0; i < n_rows && i < 8; i++) {
        double weight = combined_weight(&model, rows[i].values);
        put(f, isnan(weight) ? NAN : rint(weight * 1e5) / 1e5); /* where Newton's steps end */
    }
}

static void weights(figure *f)
{
    static const char *const texts[] = {"majority", "confidence", "confidence:other", "scores:prm",
                                        "scores:",  "perplexity", "confidence:none",  "wrong"};
    rdv_chain chain = draw_scored_chain(f);
    vote_weight weight;
    rdv_error err = {0};
    rdv_aggregate_kind kind = (rdv_aggregate_kind)below(f, RDV_N_AGGREGATES);
    put(f, vote_weight_perplexity(&chain));
    if (!holds(f, vote_weight_read(rdv_str_of(texts[below(f, 8)]), kind, &weight, &err), &err))
        return;
    put(f, vote_weight_of(&weight, &chain));
    put(f, vote_weight_check(&weight, &chain) != NULL);
}

/* ---- the file -------------------------------------------------------------------------------- */

static const struct {
    const char *name;
    void (*draw)(figure *f);
} figures[] = {
    {"vote", vote},
    {"stopping", stopping},
    {"choosing", choosing},
    {"majority", majority},
    {"integrating", integrating},
    {"combining", combining},
    {"curves", curves},
    {"means", means},
    {"mistakes", mistakes},
    {"agreement", agreement},
    {"labels", labels},
    {"correlation", correlation},
    {"combined", combined},
    {"weights", weights},
};

#define N_FIGURES (sizeof figures / sizeof *figures)

static void make_line(uint64_t i, bool tell, char *line)
{
    figure f = {.arena = rdv_arena_new(0), .line = line};
    (void)tell; /* the line has it all */
    rdv_rng_seed(&f.rng, i);
    f.at = (size_t)snprintf(line, LINE_BYTES, "%s %zu", figures[i % N_FIGURES].name, (size_t)i);
    figures[i % N_FIGURES].draw(&f);
    snprintf(line + f.at, LINE_BYTES - f.at, "\n");
    rdv_arena_free(&f.arena);
}

static const golden_lines golden = {"figures.tsv", NULL, 0, CASES * N_FIGURES, make_line};

static void test_figures__are_what_they_were(void **state)
{
    (void)state;
    golden_compare(&golden);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_figures__are_what_they_were)};
    return argc > 1 ? golden_answer(&golden, argv[1]) : cmocka_run_group_tests(tests, NULL, NULL);
}
