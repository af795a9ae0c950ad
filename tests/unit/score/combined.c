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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_read__a_list),
        cmocka_unit_test(test_measure__probabilities_and_log_odds),
        cmocka_unit_test(test_measure__a_step_without_a_score_leaves_its_chain_without_a_value),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
