/* SPDX-License-Identifier: Apache-2.0 */
/* Options of programs that were compiled with older and with newer headers. */
#include "base/options.h"
#include "../test.h"

#include <rederive/text.h>

typedef struct first_options {
    size_t size;
    size_t jobs;
} first_options;

typedef struct own_options {
    size_t size;
    size_t jobs;
    double limit;
} own_options;

typedef struct later_options {
    size_t size;
    size_t jobs;
    double limit;
    const char *added;
} later_options;

static const own_options defaults = {sizeof defaults, 64, 0.5};

static void test_take__nothing_is_all_defaults(void **state)
{
    own_options own = defaults;
    assert_int_equal(rdv_options_take(&own, sizeof own, NULL, NULL), RDV_OK);
    assert_int_equal(own.jobs, 64);
    assert_true(own.limit == 0.5);
}

static void test_take__an_older_header_keeps_the_default_of_what_it_lacks(void **state)
{
    own_options own = defaults;
    first_options given = {.size = sizeof given, .jobs = 3};
    assert_int_equal(rdv_options_take(&own, sizeof own, &given, NULL), RDV_OK);
    assert_int_equal(own.jobs, 3);
    assert_true(own.limit == 0.5);
    assert_int_equal(own.size, sizeof own);
}

static void test_take__a_newer_header_may_not_ask_for_more(void **state)
{
    own_options own = defaults;
    later_options given = {.size = sizeof given, .jobs = 3, .limit = 2};
    rdv_error err = {0};
    assert_int_equal(rdv_options_take(&own, sizeof own, &given, &err), RDV_OK);
    assert_true(own.limit == 2);
    assert_int_equal(own.size, sizeof own);
    own = defaults;
    given.added = "x";
    assert_int_equal(rdv_options_take(&own, sizeof own, &given, &err), RDV_E_ARGUMENT);
    assert_int_equal(own.jobs, 64);
}

static void test_take__a_size_that_was_not_set(void **state)
{
    own_options own = defaults, given = {.jobs = 3};
    rdv_error err = {0};
    assert_int_equal(rdv_options_take(&own, sizeof own, &given, &err), RDV_E_ARGUMENT);
    assert_string_equal(err.msg, "options without their size: set the member `size`");
    given.size = (size_t)-1;
    assert_int_equal(rdv_options_take(&own, sizeof own, &given, &err), RDV_E_ARGUMENT);
    assert_int_equal(own.jobs, 64);
}

static void test_fill__writes_no_further_than_the_caller_has_room(void **state)
{
    first_options given[2] = {{7, 7}, {7, 7}};
    rdv_options_fill(&given[0], sizeof given[0], &defaults, sizeof defaults);
    assert_int_equal(given[0].size, sizeof given[0]);
    assert_int_equal(given[0].jobs, 64);
    assert_int_equal(given[1].size, 7);
    later_options more = {.added = "x"};
    rdv_options_fill(&more, sizeof more, &defaults, sizeof defaults);
    assert_int_equal(more.size, sizeof more);
    assert_true(more.limit == 0.5);
    assert_null(more.added);
}

/* A public function, called with the options of a header that had the first member only. */
static void test_split__with_the_options_of_an_older_header(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    const struct {
        size_t size;
        rdv_split_mode mode;
    } given = {sizeof given, RDV_SPLIT_LINES};
    rdv_steps steps;
    assert_int_equal(rdv_split_steps(RDV_STR("a\n\nb\nc"), (const rdv_split_options *)&given, arena,
                                     &steps, NULL),
                     RDV_OK);
    assert_int_equal(steps.n, 3);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_take__nothing_is_all_defaults),
        cmocka_unit_test(test_take__an_older_header_keeps_the_default_of_what_it_lacks),
        cmocka_unit_test(test_take__a_newer_header_may_not_ask_for_more),
        cmocka_unit_test(test_take__a_size_that_was_not_set),
        cmocka_unit_test(test_fill__writes_no_further_than_the_caller_has_room),
        cmocka_unit_test(test_split__with_the_options_of_an_older_header),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
