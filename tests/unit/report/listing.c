/* SPDX-License-Identifier: Apache-2.0 */
#include "report/listing.h"

#include "base/arena.h"
#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

static const rdv_listing_place place = {"in.jsonl", 7};

static rdv_str steps[] = {RDV_STR("One."), RDV_STR("Two.")};
static const rdv_chain two_steps = {.steps = steps, .n_steps = 2, .correct = -1};

/* What is listed of these verdicts. */
static rdv_str list(rdv_arena *arena, rdv_verdict *verdicts, size_t n, size_t first_error,
                    rdv_listed *listed)
{
    rdv_check check = {
        .method = RDV_STR("m"), .verdicts = verdicts, .n_verdicts = n, .first_error = first_error};
    rdv_str out = {0};
    assert_int_equal(
        rdv_list_check(&place, &two_steps, &check, true, NULL, arena, listed, &out, NULL), RDV_OK);
    return rdv_str_of(rdv_cstring(arena, out));
}

static void test_listing__reasons(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_listed listed;
    rdv_verdict said[] = {
        {.step = 0, .kind = RDV_CONTRADICT, .why = RDV_STR(" Too\nmuch. ")},
        {.step = 1, .kind = RDV_UNKNOWN, .why = RDV_STR("not read")},
    };
    (void)state;
    assert_string_equal(list(arena, said, 2, 0, &listed).p,
                        "in.jsonl:7:-:0:1: m: Too\\x0amuch.\n"
                        "in.jsonl:7:-:1:1: m: unknown: not read\n");
    assert_int_equal(listed.wrong, 1);
    assert_int_equal(listed.undecided, 1);
    rdv_arena_free(&arena);
}

static void test_listing__whole_chain(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_listed listed;
    rdv_verdict wrong = {.step = RDV_WHOLE_CHAIN, .kind = RDV_CONTRADICT};
    (void)state;
    assert_string_equal(list(arena, &wrong, 1, RDV_STEP_UNKNOWN, &listed).p,
                        "in.jsonl:7:-:-:-: m: contradict\n");
    assert_int_equal(listed.wrong, 1);
    rdv_arena_free(&arena);
}

/* A chain of which nothing was checked is undecided, and never clean. */
static void test_listing__without_verdicts(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_listed listed;
    (void)state;
    assert_string_equal(list(arena, NULL, 0, RDV_NO_STEP, &listed).p,
                        "in.jsonl:7:-:-:-: m: unknown: no step was checked\n");
    assert_int_equal(listed.wrong, 0);
    assert_int_equal(listed.undecided, 1);
    rdv_arena_free(&arena);
}

/* A first error by a method's own rule counts although no verdict contradicts. */
static void test_listing__first_error_of_its_own(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_listed listed;
    rdv_verdict right = {.step = 0, .kind = RDV_SUPPORT};
    (void)state;
    assert_string_equal(list(arena, &right, 1, 1, &listed).p, "in.jsonl:7:-:1:1: m: contradict\n");
    assert_int_equal(listed.wrong, 1);
    rdv_arena_free(&arena);
}

static void test_listing__every_allocation_may_fail(void **state)
{
    rdv_verdict wrong = {.step = 0, .kind = RDV_CONTRADICT, .why = RDV_STR("why")};
    rdv_check check = {.method = RDV_STR("m"), .verdicts = &wrong, .n_verdicts = 1};
    int code = RDV_E_NOMEM;
    size_t n = 1;
    (void)state;
    for (; code != RDV_OK && n < 1000; n++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_str out = RDV_STR("untouched");
        rdv_listed listed;
        rdv_alloc_fail_at(n);
        code = rdv_list_check(&place, &two_steps, &check, true, NULL, arena, &listed, &out, NULL);
        rdv_alloc_fail_at(0);
        assert_true(code == RDV_OK || rdv_str_eq(out, RDV_STR("untouched")));
        rdv_arena_free(&arena);
    }
    assert_int_equal(code, RDV_OK);
    assert_true(n > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_listing__reasons),
        cmocka_unit_test(test_listing__whole_chain),
        cmocka_unit_test(test_listing__without_verdicts),
        cmocka_unit_test(test_listing__first_error_of_its_own),
        cmocka_unit_test(test_listing__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
