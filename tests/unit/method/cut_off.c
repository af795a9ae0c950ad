/* SPDX-License-Identifier: Apache-2.0 */
/* What a text that is cut off says at its end. */
#include "../test.h"

#include <rederive/method.h>

static rdv_verdict_kind verdict_of(const char *step, const char *unfinished, rdv_arena *arena)
{
    rdv_str steps[] = {RDV_STR("3 * 4 = 12"), rdv_str_of(step)};
    rdv_chain chain = {.steps = steps, .n_steps = 2};
    rdv_check check;
    if (unfinished)
        chain.unfinished = rdv_str_of(unfinished);
    assert_int_equal(rdv_check_chain(rdv_method_named(RDV_STR("calculations")), &chain, NULL, arena,
                                     &check, NULL),
                     RDV_OK);
    return check.verdicts[1].kind;
}

static void test_cut_off__asserts_nothing_at_its_end(void **state)
{
    static const struct {
        const char *step, *unfinished;
        rdv_verdict_kind is;
    } cases[] = {
        {"so 3 * 4 = 1", NULL, RDV_CONTRADICT}, /* most steps end without a stop */
        {"so 3 * 4 = 1", "the reply was cut off before its end", RDV_UNKNOWN},
        {"so 3 * 4 = 12", "the reply was cut off before its end", RDV_UNKNOWN},
        {"so 3 * 4 = 1.", "the reply was cut off before its end", RDV_CONTRADICT},
        {"so 3 * 4 = 13, and then", "the reply was cut off before its end", RDV_CONTRADICT},
        {"so 3 * 4 = 1", "the labelling ended before the solution did", RDV_CONTRADICT},
        {"so $x = 3 * 4 = 1", NULL, RDV_UNKNOWN},
        {"so $x = 3 * 4 = 1$", NULL, RDV_CONTRADICT},
        {"so $x = 3 * 4 = 12", NULL, RDV_SUPPORT},
        {"so it is 3 * $4 = $1", NULL, RDV_CONTRADICT},
        {"so \\(3 * 4 = 1", NULL, RDV_UNKNOWN},
        {"so \\[3 * 4 = 1", NULL, RDV_UNKNOWN},
        {"so \\[3 * 4 = 1\\]", NULL, RDV_CONTRADICT},
        {"so \\begin{align}3 * 4 = 1", NULL, RDV_UNKNOWN},
        {"that is more (3 * 4 = 1", NULL, RDV_UNKNOWN},
        {"that is more (3 * 4 = 1)", NULL, RDV_CONTRADICT},
        {"a) 3 * 4 = 1", NULL, RDV_CONTRADICT},
    };
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_verdict_kind is = verdict_of(cases[i].step, cases[i].unfinished, arena);
        if (is != cases[i].is)
            fail_msg("%s (%s): %d", cases[i].step, cases[i].unfinished, (int)is);
    }
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cut_off__asserts_nothing_at_its_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
