/* SPDX-License-Identifier: Apache-2.0 */
/* A long list of calculations, of which few are in memory, is one array to its callers. */
#include "decide/calc_list.h"

#include "../test.h"
#include "base/rng.h"
#include "base/str.h"

#include <stdlib.h>
#include <string.h>

#define MOST 3000      /* calculations */
#define ACTS 4000      /* on a list */
#define LONG_LIST 2200 /* in pages */

/* As one of a text: near the one before, but for rare ones. */
static rdv_calc drawn(rdv_rng *rng, size_t i)
{
    static const char text[] = "12 + 30 = 42 and 7 is what 3 + 4 gives";
    rdv_calc calc = {.begin = 6 * i + rdv_rng_below(rng, 40), .kind = RDV_CALC_RIGHT};
    calc.end = calc.begin + 5;
    calc.lhs = (rdv_str){text + rdv_rng_below(rng, 20), 3};
    calc.rhs = (rdv_str){text + rdv_rng_below(rng, 20), 2};
    if (rdv_rng_below(rng, 9) == 0) {
        calc.kind = (rdv_calc_kind)rdv_rng_below(rng, RDV_CALC_UNUSED + 1);
        calc.value = calc.note = RDV_STR("a note");
        calc.marked = rdv_rng_below(rng, 2);
        calc.corrected.step = (size_t)0 - rdv_rng_below(rng, 3);
        calc.corrected.end = calc.end << rdv_rng_below(rng, 40);
    }
    return calc;
}

static bool same(const rdv_calc *a, const rdv_calc *b)
{
    return a->begin == b->begin && a->end == b->end && a->lhs.p == b->lhs.p &&
           a->lhs.len == b->lhs.len && a->rhs.p == b->rhs.p && a->kind == b->kind &&
           a->value.p == b->value.p && a->note.len == b->note.len && a->marked == b->marked &&
           a->corrected.step == b->corrected.step && a->corrected.end == b->corrected.end;
}

static int by_begin(const void *a, const void *b)
{
    const rdv_calc *x = a, *y = b;
    return x->begin != y->begin ? (x->begin > y->begin) - (x->begin < y->begin)
                                : (x->corrected.begin > y->corrected.begin) -
                                      (x->corrected.begin < y->corrected.begin);
}

static void sort_both(calc_list *list, rdv_calc *all, rdv_arena *arena)
{
    for (size_t i = 0; i < list->n; i++) /* those at one place stay in order */
        calc_list_at(list, i)->corrected.begin = all[i].corrected.begin = i;
    assert_int_equal(calc_list_sort(list, arena), RDV_OK);
    qsort(all, list->n, sizeof *all, by_begin);
}

static void test_is_an_array(void **state)
{
    rdv_rng rng;
    (void)state;
    rdv_rng_seed(&rng, 46);
    rdv_calc *all = calloc(MOST + 1, sizeof *all);
    assert_non_null(all);
    for (size_t round = 0; round < 8; round++) {
        rdv_arena *arena = rdv_arena_new(0);
        calc_list list = {0};
        for (size_t act = 0; act < ACTS; act++) {
            size_t is = rdv_rng_below(&rng, 1000), at = list.n ? rdv_rng_below(&rng, list.n) : 0;
            if (list.n < MOST && (is < 900 || !list.n)) {
                all[list.n] = drawn(&rng, list.n);
                assert_int_equal(calc_list_put(&list, arena, &all[list.n]), RDV_OK);
            } else if (is < 997) {
                *calc_list_at(&list, at) = all[at] = drawn(&rng, at);
            } else if (is < 998) {
                sort_both(&list, all, arena);
            } else if (is < 999) {
                calc_list_cut(&list, list.n - rdv_rng_below(&rng, 1 + list.n / 4));
            } else {
                assert_int_equal(calc_list_keep(&list), RDV_OK);
            }
            at = list.n ? rdv_rng_below(&rng, list.n) : 0;
            assert_true(!list.n || same(calc_list_see(&list, at), &all[at]));
        }
        assert_non_null(list.pages);
        assert_int_equal(calc_list_keep(&list), RDV_OK);
        rdv_calc *array = calc_list_array(&list, arena);
        for (size_t i = 0; i < list.n; i++)
            assert_true(same(&array[i], &all[i]) && same(calc_list_see(&list, i), &all[i]));
        rdv_arena_free(&arena);
    }
    free(all);
}

/* What was not kept is told, and then nothing is read from elsewhere. */
static bool makes_and_changes(rdv_arena *arena)
{
    rdv_rng rng;
    calc_list list = {0};
    rdv_rng_seed(&rng, 3);
    for (size_t i = 0; i < LONG_LIST; i++) {
        rdv_calc calc = drawn(&rng, LONG_LIST - i);
        if (calc_list_put(&list, arena, &calc) < 0)
            return false;
    }
    for (size_t i = 0; i < LONG_LIST; i += 7)
        calc_list_at(&list, i)->corrected.begin = SIZE_MAX / (i + 1);
    if (calc_list_sort(&list, arena) < 0 || calc_list_keep(&list) < 0)
        return false;
    for (size_t i = 1; i < LONG_LIST; i++)
        assert_true(calc_list_see(&list, i - 1)->begin <= calc_list_see(&list, i)->begin);
    return true;
}

static void test_no_memory(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    (void)state;
    assert_survives_no_memory(makes_and_changes(arena), rdv_arena_reset(arena));
    rdv_arena_free(&arena);
}

/* A thousand like the one before take a few bytes each. */
static void test_takes_little(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    calc_list list = {0};
    (void)state;
    for (size_t i = 0; i < LONG_LIST; i++)
        assert_int_equal(calc_list_put(&list, arena, &(rdv_calc){.begin = 6 * i}), RDV_OK);
    size_t before = rdv_arena_used(arena);
    for (size_t i = 0; i < 100 * LONG_LIST; i++)
        assert_int_equal(calc_list_put(&list, arena, &(rdv_calc){.begin = 6 * i}), RDV_OK);
    assert_true(rdv_arena_used(arena) - before < (size_t)10 * 100 * LONG_LIST);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_is_an_array),
        cmocka_unit_test(test_no_memory),
        cmocka_unit_test(test_takes_little),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
