/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage, counted and told. */
#include "chain/coverage.h"

#include "../arena.h"
#include "../test.h"

#include "base/buf.h"
#include "base/str.h"

static void test_coverage__says(void **state)
{
    rdv_coverage c = {0};
    assert_text(coverage_says(&c, *state), "");
    c.checked = 1;
    assert_text(coverage_says(&c, *state), "1 of 1 calculation checked");
    c.unread[RDV_UNREAD_UNIT] = 1;
    rdv_coverage sum = {.checked = 30, .undecided = 4};
    sum.unread[RDV_UNREAD_DECIMAL_COMMA] = 11;
    coverage_add(&sum, &c);
    coverage_add(&sum, NULL);
    assert_int_equal(coverage_all(&sum), 47);
    assert_int_equal(coverage_unread(&sum), 12);
    assert_text(coverage_says(&sum, *state), "31 of 47 calculations checked; 4 undecided; 12 not "
                                             "read: 11 decimal commas, 1 unit");
}

/* What a calculation has, "with markup", or what it is, "decimal comma". */
static void test_coverage__lacks_by_each_reason(void **state)
{
    static const char *const says[RDV_N_UNREAD_REASONS][2] = {
        [RDV_UNREAD_DECIMAL_COMMA] = {"1 decimal comma", "2 decimal commas"},
        [RDV_UNREAD_UNIT] = {"1 unit", "2 units"},
        [RDV_UNREAD_APPROXIMATE] = {"1 approximate sign", "2 approximate signs"},
        [RDV_UNREAD_ARROW] = {"1 arrow", "2 arrows"},
        [RDV_UNREAD_MARKUP] = {"1 with markup", "2 with markup"},
        [RDV_UNREAD_LETTERS] = {"1 with letters", "2 with letters"},
        [RDV_UNREAD_WORDS] = {"1 with words", "2 with words"},
        [RDV_UNREAD_OTHER] = {"1 other", "2 others"},
    };
    for (size_t i = 0; i < RDV_N_UNREAD_REASONS; i++)
        for (size_t n = 1; n <= 2; n++) {
            rdv_coverage c = {0};
            c.unread[i] = n;
            rdv_str want = rdv_str_printf(*state, "%zu not read: %s", n, says[i][n - 1]);
            assert_true(rdv_str_eq(coverage_lacks(&c, *state), want));
        }
}

/* Each count of its own size, so that none is left out or taken for another. */
static void test_coverage__of_two_chains(void **state)
{
    (void)state;
    rdv_coverage sum = {.checked = 1, .undecided = 2}, one = {.checked = 10, .undecided = 20};
    for (size_t i = 0; i < RDV_N_UNREAD_REASONS; i++) {
        sum.unread[i] = 100 * i;
        one.unread[i] = 1000 * i + 7;
    }
    coverage_add(&sum, &one);
    assert_int_equal(sum.checked, 11);
    assert_int_equal(sum.undecided, 22);
    for (size_t i = 0; i < RDV_N_UNREAD_REASONS; i++)
        assert_int_equal(sum.unread[i], 1100 * i + 7);
}

static void test_coverage__reasons_by_name(void **state)
{
    (void)state;
    static const char *const names[RDV_N_UNREAD_REASONS] = {
        "decimal_comma", "unit", "approximate_sign", "arrow", "markup", "letters", "words", "other",
    }; /* as docs/schemas has them */
    for (int i = 0; i < RDV_N_UNREAD_REASONS; i++) {
        rdv_unread_reason is = RDV_N_UNREAD_REASONS;
        const char *name = coverage_reason_name((rdv_unread_reason)i);
        assert_string_equal(name, names[i]);
        assert_int_equal(coverage_reason_named(rdv_str_of(name), &is), RDV_OK);
        assert_int_equal(is, i);
    }
    rdv_unread_reason is = RDV_UNREAD_UNIT;
    assert_int_equal(coverage_reason_named(RDV_STR("of before"), &is), RDV_NONE);
    assert_int_equal(is, RDV_UNREAD_UNIT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_coverage__says),
        cmocka_unit_test(test_coverage__lacks_by_each_reason),
        cmocka_unit_test(test_coverage__of_two_chains),
        cmocka_unit_test(test_coverage__reasons_by_name),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
