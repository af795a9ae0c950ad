/* SPDX-License-Identifier: Apache-2.0 */
#include "near.h"

#include "score/score.h"

#define MISSING NAN
#define NOTHING NAN /* expected: no score */

static const struct {
    const char *name;
    rdv_unknown_as unknown;
    double floor;
    size_t n;
    double scores[4];
    double expected[RDV_N_AGGREGATES]; /* min, product, geometric, mean, last */
} cases[] = {
    {"one", RDV_UNKNOWN_NEUTRAL, 0, 1, {0.25}, {0.25, 0.25, 0.25, 0.25, 0.25}},
    {"three", RDV_UNKNOWN_NEUTRAL, 0, 3, {0.5, 1, 0.25}, {0.25, 0.125, 0.5, 7.0 / 12, 0.25}},
    {"a zero", RDV_UNKNOWN_NEUTRAL, 0, 2, {0, 1}, {0, 0, 0, 0.5, 1}},
    {"a zero above the floor", RDV_UNKNOWN_NEUTRAL, 0.01, 2, {0, 1}, {0, 0, 0.1, 0.5, 1}},
    {"none", RDV_UNKNOWN_NEUTRAL, 0, 0, {0}, {NOTHING, NOTHING, NOTHING, NOTHING, NOTHING}},
    {"logits", RDV_UNKNOWN_NEUTRAL, 0, 3, {-2, 3, 5}, {-2, NOTHING, NOTHING, 2, 5}},
    {"above 1", RDV_UNKNOWN_NEUTRAL, 0, 2, {2, 8}, {2, 16, 4, 5, 8}},
    /* The product of the two read is 0.25: the missing one is taken as their geometric mean, 0.5.
     */
    {"missing, neutral",
     RDV_UNKNOWN_NEUTRAL,
     0,
     3,
     {0.25, MISSING, 1},
     {0.25, 0.125, 0.5, 0.625, 1}},
    {"missing last, neutral", RDV_UNKNOWN_NEUTRAL, 0, 2, {1, MISSING}, {1, 1, 1, 1, NOTHING}},
    {"infinite is missing",
     RDV_UNKNOWN_NEUTRAL,
     0,
     2,
     {0.5, INFINITY},
     {0.5, 0.25, 0.5, 0.5, NOTHING}},
    {"missing, contradict", RDV_UNKNOWN_CONTRADICT, 0, 2, {1, MISSING}, {0, 0, 0, 0.5, 0}},
    {"missing, null",
     RDV_UNKNOWN_NULL,
     0,
     3,
     {1, MISSING, 1},
     {NOTHING, NOTHING, NOTHING, NOTHING, NOTHING}},
    {"all there, null", RDV_UNKNOWN_NULL, 0, 2, {0.25, 1}, {0.25, 0.25, 0.5, 0.625, 1}},
    {"all missing",
     RDV_UNKNOWN_NEUTRAL,
     0,
     2,
     {MISSING, MISSING},
     {NOTHING, NOTHING, NOTHING, NOTHING, NOTHING}},
};

/* null looks at every score, for the last one too: a chain with a step that was not scored has
 * none. */
static void test_aggregate(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        for (size_t a = 0; a < RDV_N_AGGREGATES; a++) {
            rdv_aggregation how = {(rdv_aggregate_kind)a, cases[i].floor, cases[i].unknown};
            double got = rdv_aggregate(&how, cases[i].scores, cases[i].n);
            double expected = cases[i].expected[a];
            if (isnan(got) != isnan(expected) || fabs(got - expected) > 1e-12)
                fail_msg("%s, %s: %g instead of %g", cases[i].name, rdv_aggregate_name(how.kind),
                         got, expected);
        }
    }
}

static void test_aggregate__of_very_many_small_scores(void **state)
{
    (void)state;
    enum { N = 5000 };
    static double scores[N];
    for (size_t i = 0; i < N; i++)
        scores[i] = 0.5;
    rdv_aggregation geometric = {.kind = RDV_AGGREGATE_GEOMETRIC};
    assert_near(rdv_aggregate(&geometric, scores, N), 0.5, 1e-12);
    rdv_aggregation product = {.kind = RDV_AGGREGATE_PRODUCT};
    assert_near(rdv_aggregate(&product, scores, N), 0, 0);
}

static void test_names__there_and_back(void **state)
{
    (void)state;
    for (size_t a = 0; a < RDV_N_AGGREGATES; a++) {
        const char *name = rdv_aggregate_name((rdv_aggregate_kind)a);
        rdv_aggregate_kind is = RDV_AGGREGATE_MIN;
        assert_int_equal(rdv_aggregate_named((rdv_str){name, strlen(name)}, &is), RDV_OK);
        assert_int_equal(is, a);
    }
    rdv_aggregate_kind is;
    assert_int_equal(rdv_aggregate_named(RDV_STR("median"), &is), RDV_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_aggregate),
        cmocka_unit_test(test_aggregate__of_very_many_small_scores),
        cmocka_unit_test(test_names__there_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
