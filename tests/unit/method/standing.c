/* SPDX-License-Identifier: Apache-2.0 */
/* What a check found of its chain, and what the chain weighs. */
#include "../arena.h"
#include "../score/near.h"

#include "base/str.h"
#include "method/standing.h"

static rdv_check check_with(const char *method, rdv_verdict *v, size_t n, double confidence)
{
    return (rdv_check){
        .method = rdv_str_of(method), .verdicts = v, .n_verdicts = n, .confidence = confidence};
}

static void test_standing__of_a_method_that_computes(void **state)
{
    (void)state;
    rdv_verdict v[] = {{.kind = RDV_UNRELATED},
                       {.kind = RDV_UNKNOWN},
                       {.kind = RDV_SUPPORT},
                       {.kind = RDV_CONTRADICT}};
    static const char *const methods[] = {"calculations", "values", "dyck", "sorting"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        rdv_check none = check_with(methods[i], v, 2, NAN), up = check_with(methods[i], v, 3, 0.8),
                  down = check_with(methods[i], v, 4, 0.5),
                  empty = check_with(methods[i], v, 0, NAN);
        assert_int_equal(standing_of(&none), CAST_UNDECIDED);
        assert_int_equal(standing_of(&up), CAST_SUPPORTED);
        assert_int_equal(standing_of(&down), CAST_CONTRADICTED);
        assert_int_equal(standing_of(&empty), CAST_BY_CONFIDENCE);
        assert_near(standing_weight(&none), CAST_NEUTRAL, 0);
        assert_nan(standing_weight(&empty));
        up.confidence = NAN; /* --unknown null */
        assert_nan(standing_weight(&up));
        none.skipped = true;
        assert_nan(standing_weight(&none));
    }
    assert_nan(standing_weight(NULL));
}

/* A check that asked a model, or that another program made, casts its confidence, or nothing. */
static void test_standing__of_other_methods(void **state)
{
    (void)state;
    rdv_verdict v[] = {{.kind = RDV_UNKNOWN}, {.kind = RDV_CONTRADICT}};
    static const char *const methods[] = {"selfcheck", "math", "general", "mine", "perplexity"};
    for (size_t i = 0; i < sizeof methods / sizeof *methods; i++) {
        rdv_check none = check_with(methods[i], v, 1, NAN);
        rdv_check down = check_with(methods[i], v, 2, 0.9);
        assert_nan(standing_weight(&none));
        assert_near(standing_weight(&down), 0.9, 0);
    }
}

/* `math` without a model says how much it read. */
static void test_standing__of_claims_without_a_model(void **state)
{
    (void)state;
    rdv_verdict v[] = {{.kind = RDV_SUPPORT}};
    rdv_coverage coverage = {0};
    rdv_check check = check_with("math", v, 1, NAN);
    check.coverage = &coverage;
    assert_near(standing_weight(&check), CAST_NEUTRAL, 0);
    coverage.checked = 1;
    check.confidence = 1;
    assert_near(standing_weight(&check), 1, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_standing__of_a_method_that_computes),
        cmocka_unit_test(test_standing__of_other_methods),
        cmocka_unit_test(test_standing__of_claims_without_a_model),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
