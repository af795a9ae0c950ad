/* SPDX-License-Identifier: Apache-2.0 */
#include "near.h"

#include "score/score.h"

static rdv_verdict_counts counts(size_t contradict, size_t unrelated, size_t support,
                                 size_t unknown)
{
    return (rdv_verdict_counts){contradict, unrelated, support, unknown};
}

static void test_integrate__the_papers_formula(void **state)
{
    (void)state;
    static const struct {
        rdv_verdict_counts counts;
        double w;
    } cases[] = {
        {{0, 0, 1, 0}, 1},
        {{0, 0, 9, 0}, 1},
        {{1, 0, 0, 0}, 0.53788284273999},  /* 2 / (1 + e) */
        {{1, 0, 5, 0}, 0.53788284273999},  /* supports do not make up for it */
        {{0, 1, 0, 0}, 0.851114966376682}, /* 2 / (1 + e^0.3) */
        {{2, 3, 1, 0}, 0.104307126156836}, /* 2 / (1 + e^2.9) */
        {{4000, 0, 1, 0}, 0},
    };
    rdv_integration how = rdv_integration_default();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_near(rdv_integrate(&how, cases[i].counts), cases[i].w, 1e-12);
}

static void test_integrate__nothing_read_has_no_confidence(void **state)
{
    (void)state;
    for (int as = RDV_UNKNOWN_NEUTRAL; as <= RDV_UNKNOWN_NULL; as++) {
        rdv_integration how = rdv_integration_default();
        how.unknown = (rdv_unknown_as)as;
        assert_nan(rdv_integrate(&how, counts(0, 0, 0, 0)));
        assert_nan(rdv_integrate(&how, counts(0, 0, 0, 3)));
    }
}

static void test_integrate__unknown_counts_as_told(void **state)
{
    (void)state;
    rdv_integration how = rdv_integration_default();
    assert_near(rdv_integrate(&how, counts(0, 0, 2, 3)), rdv_integrate(&how, counts(0, 3, 2, 0)),
                0);
    how.unknown = RDV_UNKNOWN_CONTRADICT;
    assert_near(rdv_integrate(&how, counts(0, 0, 2, 3)), rdv_integrate(&how, counts(3, 0, 2, 0)),
                0);
    how.unknown = RDV_UNKNOWN_NULL;
    assert_nan(rdv_integrate(&how, counts(0, 0, 2, 1)));
    assert_near(rdv_integrate(&how, counts(0, 0, 2, 0)), 1, 0);
}

/* For every setting, an unknown in the place of a support makes the confidence smaller. */
static void test_integrate__unknown_never_weighs_like_a_support(void **state)
{
    (void)state;
    static const double l1[] = {1e-3, 0.1, 0.3, 1, 5}, l0[] = {0, 1e-4, 0.05, 0.29, 0.9};
    for (size_t i = 0; i < sizeof l1 / sizeof *l1; i++) {
        for (size_t j = 0; j < sizeof l0 / sizeof *l0; j++) {
            for (int as = RDV_UNKNOWN_NEUTRAL; as <= RDV_UNKNOWN_CONTRADICT; as++) {
                rdv_integration how = {l1[i], l0[j], (rdv_unknown_as)as};
                if (rdv_integration_check(&how, NULL) < 0)
                    continue;
                double unknown = rdv_integrate(&how, counts(0, 1, 3, 1));
                assert_true(unknown < rdv_integrate(&how, counts(0, 1, 4, 0)));
                /* nor worse than a contradict */
                assert_true(unknown >= rdv_integrate(&how, counts(1, 1, 3, 0)));
            }
        }
    }
}

static void test_integrate__unrelated_is_free_where_l0_is_0(void **state)
{
    (void)state;
    rdv_integration how = {.l1 = 1, .l0 = 0};
    assert_near(rdv_integrate(&how, counts(0, 7, 0, 0)), 1, 0);
    assert_near(rdv_integrate(&how, counts(0, 7, 0, 1)), 0.851114966376682, 1e-12);
}

static void test_check__refuses_other_lambdas(void **state)
{
    (void)state;
    static const rdv_integration bad[] = {
        {.l1 = 0.3, .l0 = 0.3}, {.l1 = 0, .l0 = 0},          {.l1 = 0.3, .l0 = 1},
        {.l1 = 1, .l0 = -0.1},  {.l1 = INFINITY, .l0 = 0.3}, {.l1 = NAN, .l0 = 0.3},
        {.l1 = 1, .l0 = NAN},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        rdv_error err = {0};
        assert_int_equal(rdv_integration_check(&bad[i], &err), RDV_E_ARGUMENT);
        assert_true(strlen(err.msg) > 0);
    }
    rdv_integration good = rdv_integration_default();
    assert_int_equal(rdv_integration_check(&good, NULL), RDV_OK);
}

static void test_count_verdicts(void **state)
{
    (void)state;
    static const rdv_verdict verdicts[] = {
        {.kind = RDV_SUPPORT}, {.kind = RDV_CONTRADICT}, {.kind = RDV_UNKNOWN},
        {.kind = RDV_UNKNOWN}, {.kind = RDV_SUPPORT},    {.kind = RDV_UNRELATED},
        {.kind = RDV_SUPPORT},
    };
    rdv_verdict_counts c = rdv_count_verdicts(verdicts, 7);
    assert_int_equal(c.support, 3);
    assert_int_equal(c.contradict, 1);
    assert_int_equal(c.unrelated, 1);
    assert_int_equal(c.unknown, 2);
    c = rdv_count_verdicts(NULL, 0);
    assert_int_equal(c.support + c.contradict + c.unrelated + c.unknown, 0);
}

static void test_classify(void **state)
{
    (void)state;
    assert_int_equal(rdv_classify(0.5, 0.5), 1);
    assert_int_equal(rdv_classify(nextafter(0.5, 0), 0.5), 0);
    assert_int_equal(rdv_classify(NAN, 0), -1);
}

static void test_unknown_named(void **state)
{
    (void)state;
    rdv_unknown_as as = RDV_UNKNOWN_NEUTRAL;
    assert_int_equal(rdv_unknown_named(RDV_STR("null"), &as), RDV_OK);
    assert_int_equal(as, RDV_UNKNOWN_NULL);
    assert_int_equal(rdv_unknown_named(RDV_STR("Null"), &as), RDV_NONE);
    assert_int_equal(rdv_unknown_named((rdv_str){0}, &as), RDV_NONE);
    assert_int_equal(as, RDV_UNKNOWN_NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_integrate__the_papers_formula),
        cmocka_unit_test(test_integrate__nothing_read_has_no_confidence),
        cmocka_unit_test(test_integrate__unknown_counts_as_told),
        cmocka_unit_test(test_integrate__unknown_never_weighs_like_a_support),
        cmocka_unit_test(test_integrate__unrelated_is_free_where_l0_is_0),
        cmocka_unit_test(test_check__refuses_other_lambdas),
        cmocka_unit_test(test_count_verdicts),
        cmocka_unit_test(test_classify),
        cmocka_unit_test(test_unknown_named),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
