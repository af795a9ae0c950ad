/* SPDX-License-Identifier: Apache-2.0 */
/* What chains weigh in a vote by a check without a model. */
#include "near.h"

#include "score/cast_weight.h"
#include "score/score.h"

/* A supported chain weighs more than an undecided one and a contradicted one less, whatever else
 * was not read and whatever the weights of the integration are. */
static void test_cast_weight__order(void **state)
{
    (void)state;
    const double neutral = cast_weight(CAST_UNDECIDED, NAN);
    const rdv_integration hows[] = {{1, 0.3, RDV_UNKNOWN_NEUTRAL},
                                    {1, 0, RDV_UNKNOWN_NEUTRAL},
                                    {0.01, 0, RDV_UNKNOWN_CONTRADICT},
                                    {9, 0, RDV_UNKNOWN_NEUTRAL}};
    for (size_t h = 0; h < sizeof hows / sizeof *hows; h++)
        for (size_t unknown = 0; unknown < 40; unknown++) {
            double up = rdv_integrate(&hows[h], (rdv_verdict_counts){0, 0, 1, unknown});
            double down = rdv_integrate(&hows[h], (rdv_verdict_counts){1, 0, 9, unknown});
            assert_true(cast_weight(CAST_SUPPORTED, up) > neutral);
            assert_true(cast_weight(CAST_CONTRADICTED, down) < neutral);
        }
    assert_near(cast_weight(CAST_SUPPORTED, 1), 1, 0);
    assert_true(2 * neutral < 1); /* two of which nothing is known do not outvote a proven one */
}

static void test_cast_weight__other_checks(void **state)
{
    (void)state;
    assert_near(cast_weight(CAST_BY_CONFIDENCE, 0.3), 0.3, 0);
    assert_nan(cast_weight(CAST_BY_CONFIDENCE, NAN));
    assert_nan(cast_weight(CAST_SUPPORTED, NAN)); /* --unknown null */
    assert_nan(cast_weight(CAST_CONTRADICTED, NAN));
    assert_near(cast_weight(CAST_UNDECIDED, NAN), CAST_NEUTRAL, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cast_weight__order),
        cmocka_unit_test(test_cast_weight__other_checks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
