/* SPDX-License-Identifier: Apache-2.0 */
#include "near.h"

#include "base/str.h"
#include "score/combined.h"

static void test_read__a_list(void **state)
{
    (void)state;
    scorer s[COMBINED_SCORERS_MAX];
    size_t n, features;
    assert_int_equal(scorers_read(RDV_STR("scores:a, confidence:math,majority"), s, &n, NULL),
                     RDV_OK);
    assert_int_equal(n, 3);
    assert_true(rdv_str_eq(s[0].weight.name, RDV_STR("a")));
    assert_string_equal(scorer_features(&s[0], &features)[3], "product");
    assert_int_equal(features, 4);
    assert_true(rdv_str_eq(s[1].weight.name, RDV_STR("math")));
    assert_int_equal(s[2].is, SCORER_MAJORITY);
    const char *const bad[] = {
        "", "a", "majority", "length,majority", "scores:a,", "scores:a,scores:a"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(scorers_read(rdv_str_of(bad[i]), s, &n, NULL), RDV_E_ARGUMENT);
}

static void test_measure__probabilities_and_log_odds(void **state)
{
    (void)state;
    scorer s;
    size_t n;
    double steps[] = {0.8, 0.5}, logits[] = {2, -1};
    rdv_scores both[] = {{RDV_STR("p"), steps, 2}, {RDV_STR("z"), logits, 2}};
    rdv_chain chain = {.scores = both, .n_scores = 2, .n_steps = 2};
    scorers_read(RDV_STR("scores:p"), &s, &n, NULL);
    scorer_values v = scorer_measure(&s, &chain);
    assert_false(v.beyond);
    assert_near(v.of[0][0], 0, 1e-12);
    assert_near(v.of[0][1], log(0.65 / 0.35), 1e-12);
    assert_near(v.of[0][3], log(0.4 / 0.6), 1e-12);
    scorers_read(RDV_STR("scores:z"), &s, &n, NULL);
    v = scorer_measure(&s, &chain);
    assert_true(v.beyond);
    assert_false(scorer_has(&s, &v, false));
    assert_near(v.of[1][0], -1, 1e-9);
    assert_near(v.of[1][2], -1, 1e-9);
    double p = 1 / (1 + exp(-2)) / (1 + exp(1));
    assert_near(v.of[1][3], log(p / (1 - p)), 1e-9);
    scorers_read(RDV_STR("scores:none"), &s, &n, NULL);
    v = scorer_measure(&s, &chain);
    assert_false(scorer_has(&s, &v, false));
    assert_near(scorer_share(3, 4).of[0][0], log(3.5 / 1.5), 1e-12);
}

static void test_read__more_than_there_may_be(void **state)
{
    (void)state;
    scorer s[COMBINED_SCORERS_MAX];
    size_t n;
    rdv_error err;
    const char *seventeen = "scores:a,scores:b,scores:c,scores:d,scores:e,scores:f,scores:g,"
                            "scores:h,scores:i,scores:j,scores:k,scores:l,scores:m,scores:n,"
                            "scores:o,scores:p,scores:q";
    assert_int_equal(scorers_read(rdv_str_of(seventeen), s, &n, &err), RDV_E_ARGUMENT);
    assert_string_equal(err.msg, "more than 16 scorers");
    rdv_str sixteen = {seventeen, strlen(seventeen) - strlen(",scores:q")};
    assert_int_equal(scorers_read(sixteen, s, &n, &err), RDV_OK);
    assert_int_equal(n, 16);
}

/* What a chain does not have is no value: it is never taken for 0 or 1. */
static void test_measure__each_kind(void **state)
{
    (void)state;
    scorer s[4];
    size_t n, features;
    double token[] = {-0.5, -1.5};
    rdv_logprobs logprobs[] = {{token, 2}};
    rdv_check check = {.method = RDV_STR("math"), .confidence = 0.8};
    rdv_chain chain = {.n_steps = 1, .logprobs = logprobs, .checks = &check, .n_checks = 1},
              bare = {0};
    assert_int_equal(scorers_read(RDV_STR("confidence,perplexity,length,scores:p"), s, &n, NULL),
                     RDV_OK);
    assert_int_equal(n, 4);
    assert_string_equal(*scorer_features(&s[0], &features), "confidence");
    assert_string_equal(*scorer_features(&s[1], &features), "perplexity");
    assert_string_equal(*scorer_features(&s[2], &features), "n_steps");
    assert_int_equal(features, 1);
    assert_near(scorer_measure(&s[0], &chain).of[0][0], log(0.8 / 0.2), 1e-12);
    assert_near(scorer_measure(&s[1], &chain).of[0][0], -1, 1e-12);
    assert_near(scorer_measure(&s[2], &chain).of[0][0], 0, 0);
    for (size_t i = 0; i < 4; i++) {
        scorer_values v = scorer_measure(&s[i], &bare);
        assert_false(scorer_has(&s[i], &v, false));
    }
    const double beyond[] = {-0.1, 1.1};
    for (size_t i = 0; i < 2; i++) {
        check.confidence = beyond[i];
        assert_nan(scorer_measure(&s[0], &chain).of[0][0]);
    }
    rdv_scores empty = {.name = RDV_STR("p")};
    chain.scores = &empty;
    chain.n_scores = 1;
    scorer_values v = scorer_measure(&s[3], &chain);
    assert_false(scorer_has(&s[3], &v, false));
}

static void test_measure__a_step_without_a_score_leaves_its_chain_without_a_value(void **state)
{
    (void)state;
    scorer s;
    size_t n;
    double without[][2] = {{0.8, NAN}, {NAN, 0.8}};
    for (size_t i = 0; i < 2; i++) {
        rdv_scores scores = {RDV_STR("p"), without[i], 2};
        rdv_chain chain = {.scores = &scores, .n_scores = 1, .n_steps = 2};
        scorers_read(RDV_STR("scores:p"), &s, &n, NULL);
        scorer_values v = scorer_measure(&s, &chain);
        assert_false(scorer_has(&s, &v, false));
        assert_false(scorer_has(&s, &v, true));
    }
}

/* ---- fitting --------------------------------------------------------------------------------- */

#define N_ROWS 9

/* Question 1 has six pairs, question 2 has one, and question 3 none. The chain without a value is
 * left out. */
static const struct {
    double value;
    size_t question;
    bool right;
} fitted[N_ROWS] = {{2, 1, true},    {-1, 1, false},  {0.5, 1, true}, {1, 1, false}, {-2, 1, false},
                    {-0.5, 2, true}, {NAN, 2, false}, {0, 2, false},  {3, 3, true}};

static combined_model fit(rdv_arena *arena)
{
    static scorer_values values[N_ROWS];
    combined_row rows[N_ROWS];
    scorer s;
    size_t n;
    combined_model model;
    assert_int_equal(scorers_read(RDV_STR("confidence"), &s, &n, NULL), RDV_OK);
    for (size_t i = 0; i < N_ROWS; i++) {
        values[i].of[0][0] = values[i].of[1][0] = fitted[i].value;
        rows[i] = (combined_row){&values[i], fitted[i].question, fitted[i].question << 32,
                                 fitted[i].right};
    }
    assert_int_equal(combined_fit(&s, 1, rows, N_ROWS, arena, &model, NULL), RDV_OK);
    return model;
}

static void test_fit__standardises_by_all_chains_with_a_value(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    combined_model model = fit(arena);
    double sum = 0, squares = 0, n = N_ROWS - 1;
    for (size_t i = 0; i < N_ROWS; i++)
        sum += isnan(fitted[i].value) ? 0 : fitted[i].value;
    for (size_t i = 0; i < N_ROWS; i++)
        squares += isnan(fitted[i].value) ? 0 : pow(fitted[i].value - sum / n, 2);
    assert_near(model.scorers[0].features[0].mean, sum / n, 1e-12);
    assert_near(model.scorers[0].features[0].deviation, sqrt(squares / n), 1e-12);
    rdv_arena_free(&arena);
}

/* Over all pairs of a right and a wrong chain of one question; each question weighs the same. */
static void test_fit__is_the_minimum_that_is_stated(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    combined_model model = fit(arena);
    const combined_feature *f = &model.scorers[0].features[0];
    double slope = 0, likelihood = 0, weights = 0;
    for (size_t i = 0; i < N_ROWS; i++)
        for (size_t k = 0; k < N_ROWS; k++) {
            bool both = fitted[i].question == fitted[k].question && fitted[i].right &&
                        !fitted[k].right && !isnan(fitted[k].value);
            if (!both)
                continue;
            double weight = fitted[i].question == 1 ? 1.0 / 6 : 1;
            double d = (fitted[i].value - fitted[k].value) / f->deviation;
            double p = 1 / (1 + exp(-f->coefficient * d));
            weights += weight;
            likelihood += weight * log(p);
            slope += weight * (1 - p) * d;
        }
    assert_near(weights, 2, 1e-12);
    assert_near(slope / weights, model.strength * f->coefficient, 1e-6);
    assert_near(model.log_likelihood, likelihood / weights, 1e-12);
    assert_int_equal(model.n_questions, 2);
    assert_int_equal(model.n_chains, 7);
    assert_true(model.strength >= 1e-4 && model.strength <= 1);
    rdv_arena_free(&arena);
}

static void test_fit__needs_a_question_with_right_and_wrong_chains(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    scorer_values values = {0};
    combined_row rows[] = {{&values, 1, 1, true}, {&values, 2, 2, false}};
    scorer s;
    size_t n;
    combined_model model;
    assert_int_equal(scorers_read(RDV_STR("confidence"), &s, &n, NULL), RDV_OK);
    assert_int_equal(combined_fit(&s, 1, rows, 2, arena, &model, NULL), RDV_E_INPUT);
    rows[1].question = 1;
    assert_int_equal(combined_fit(&s, 1, rows, 2, arena, &model, NULL), RDV_OK);
    assert_near(model.scorers[0].features[0].deviation, 1, 0); /* of equal values */
    assert_near(model.log_likelihood, log(0.5), 1e-12);
    assert_near(model.strength, 1, 0); /* none is better than another */
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read__a_list),
        cmocka_unit_test(test_read__more_than_there_may_be),
        cmocka_unit_test(test_measure__each_kind),
        cmocka_unit_test(test_measure__probabilities_and_log_odds),
        cmocka_unit_test(test_measure__a_step_without_a_score_leaves_its_chain_without_a_value),
        cmocka_unit_test(test_fit__standardises_by_all_chains_with_a_value),
        cmocka_unit_test(test_fit__is_the_minimum_that_is_stated),
        cmocka_unit_test(test_fit__needs_a_question_with_right_and_wrong_chains),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
