/* SPDX-License-Identifier: Apache-2.0 */
/* What is looked up in a chain by its name. */
#include <rederive/chain.h>

#include "../test.h"

/* A record that was checked again by the same method holds both checks: the latest counts, by its
 * name and without one. */
static void test_check__the_latest_of_a_method(void **state)
{
    (void)state;
    rdv_check checks[] = {{.method = RDV_STR("calculations"), .confidence = 0.1},
                          {.method = RDV_STR("selfcheck"), .confidence = 0.2},
                          {.method = RDV_STR("calculations"), .confidence = 0.3},
                          {.method = RDV_STR("values"), .confidence = 0.4}};
    const rdv_chain chain = {.checks = checks, .n_checks = 4};
    assert_ptr_equal(rdv_chain_check(&chain, RDV_STR("calculations")), &checks[2]);
    assert_ptr_equal(rdv_chain_check(&chain, RDV_STR("selfcheck")), &checks[1]);
    assert_ptr_equal(rdv_chain_check(&chain, (rdv_str){0}), &checks[3]);
    assert_null(rdv_chain_check(&chain, RDV_STR("calculation")));
    assert_null(rdv_chain_check(&(rdv_chain){0}, (rdv_str){0}));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_check__the_latest_of_a_method),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
