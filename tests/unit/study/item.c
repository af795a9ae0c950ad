/* SPDX-License-Identifier: Apache-2.0 */
/* What the checks of millions of chains have in common is kept once. */
#include "items.h"

static item_check check_of(uint32_t support, uint16_t source)
{
    item_check check;
    memset(&check, 0, sizeof check);
    check.counts.support = support;
    check.source = source;
    item_check_accept_by(&check, acceptance_of_scores(0.5));
    return check;
}

static void test_item_checks__are_shared(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    item_checks checks;
    item_check is = check_of(3, 1), like = check_of(3, 1), other = check_of(3, 2);
    item_checks_init(&checks, arena);
    item_check *first = item_checks_find(&checks, &is), *second = item_checks_find(&checks, &other);
    assert_non_null(first);
    assert_ptr_equal(item_checks_find(&checks, &like), first);
    assert_ptr_not_equal(second, first);
    assert_ptr_equal(item_checks_find(&checks, &is), first); /* not the latest any more */
    assert_int_equal(checks.n, 2);
    like.own = true;
    item_check *own = item_checks_find(&checks, &like);
    assert_ptr_not_equal(own, first);
    assert_ptr_not_equal(item_checks_find(&checks, &like), own);
    rdv_arena_free(&arena);
}

/* A rule that one chain is given is not that of the chains that shared its check. */
static void test_item_accept_by__leaves_others(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    item_checks checks;
    item_check is = check_of(3, 1);
    item_checks_init(&checks, arena);
    rdv_eval_item a = {.check = item_checks_find(&checks, &is)}, b = a, c = a;
    assert_int_equal(item_accept_by(&checks, &a, acceptance_of_scores(0.9)), RDV_OK);
    assert_true(item_how(&a).threshold > 0.8);
    assert_true(item_how(&b).threshold < 0.6);
    assert_int_equal(a.check->counts.support, 3);
    assert_int_equal(item_accept_by(&checks, &c, acceptance_of_scores(0.9)), RDV_OK);
    assert_ptr_equal(c.check, a.check);

    is.own = true;
    b.check = item_checks_find(&checks, &is);
    item_check *before = b.check;
    assert_int_equal(item_accept_by(&checks, &b, acceptance_of_scores(0.9)), RDV_OK);
    assert_ptr_equal(b.check, before);
    assert_true(item_how(&b).threshold > 0.8);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_item_checks__are_shared),
        cmocka_unit_test(test_item_accept_by__leaves_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
