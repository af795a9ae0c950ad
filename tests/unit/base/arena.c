/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"

#include <malloc.h>
#include <stdalign.h>
#include <string.h>

#define BLOCK ((size_t)32 * 1024) /* arena.c: what one ordinary block holds */

static void test_alloc__is_aligned_and_apart(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    char *p[200];
    for (size_t i = 0; i < 200; i++) {
        p[i] = rdv_alloc(arena, i);
        assert_non_null(p[i]);
        assert_int_equal((uintptr_t)p[i] % alignof(max_align_t), 0);
        memset(p[i], (int)i, i);
    }
    for (size_t i = 0; i < 200; i++)
        for (size_t k = 0; k < i; k++)
            assert_int_equal((unsigned char)p[i][k], i);
    rdv_arena_free(&arena);
}

static void test_alloc__empty_pieces_differ(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    void *a = rdv_alloc(arena, 0), *b = rdv_alloc(arena, 0);
    assert_non_null(a);
    assert_ptr_not_equal(a, b);
    rdv_arena_free(&arena);
}

static void test_alloc__larger_than_a_block(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    char *small = rdv_alloc(arena, 16);
    memset(small, 's', 16);
    char *large = rdv_alloc(arena, 10 * BLOCK);
    memset(large, 'l', 10 * BLOCK);
    char *after = rdv_alloc(arena, 16);
    memset(after, 'a', 16);
    assert_int_equal(small[15], 's');
    assert_int_equal(large[10 * BLOCK - 1], 'l');
    assert_int_equal(rdv_arena_used(arena), 10 * BLOCK + 32);
    rdv_arena_free(&arena);
}

static void test_alloc__impossible_sizes(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    assert_null(rdv_alloc(arena, SIZE_MAX));
    assert_null(rdv_alloc(arena, SIZE_MAX - 7));
    assert_null(rdv_calloc(arena, SIZE_MAX / 2, 4));
    assert_null(rdv_calloc(arena, 4, SIZE_MAX / 2));
    assert_null(rdv_regrow(arena, rdv_alloc(arena, 8), 8, SIZE_MAX - 1));
    assert_non_null(rdv_alloc(arena, 8));
    rdv_arena_free(&arena);
}

static void test_calloc__is_zeroed_in_reused_memory(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    memset(rdv_alloc(arena, 4096), 0xff, 4096);
    rdv_arena_reset(arena);
    const char *p = rdv_calloc(arena, 64, 64);
    for (size_t i = 0; i < 4096; i++)
        assert_int_equal(p[i], 0);
    rdv_arena_free(&arena);
}

static void test_limit__is_exact_and_comes_back(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(64);
    assert_non_null(rdv_alloc(arena, 48));
    assert_null(rdv_alloc(arena, 17));
    assert_non_null(rdv_alloc(arena, 16));
    assert_null(rdv_alloc(arena, 1));
    rdv_arena_reset(arena);
    assert_int_equal(rdv_arena_used(arena), 0);
    assert_non_null(rdv_alloc(arena, 64));
    rdv_arena_free(&arena);
}

static void test_limit__also_holds_growth_in_place(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(64);
    char *p = rdv_alloc(arena, 16);
    assert_ptr_equal(rdv_regrow(arena, p, 16, 64), p);
    assert_null(rdv_regrow(arena, p, 64, 65));
    assert_int_equal(rdv_arena_used(arena), 64);
    rdv_arena_free(&arena);
}

static void test_regrow__latest_stays_in_place(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    char *p = rdv_alloc(arena, 10);
    memcpy(p, "0123456789", 10);
    assert_ptr_equal(rdv_regrow(arena, p, 10, 1000), p);
    char *other = rdv_alloc(arena, 10);
    memset(other, 'x', 10);
    char *moved = rdv_regrow(arena, p, 1000, 2000);
    assert_ptr_not_equal(moved, p);
    assert_memory_equal(moved, "0123456789", 10);
    assert_memory_equal(other, "xxxxxxxxxx", 10);
    rdv_arena_free(&arena);
}

static void test_regrow__from_nothing_and_over_a_block(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    char *p = rdv_regrow(arena, NULL, 0, 100);
    assert_non_null(p);
    memset(p, 'p', 100);
    p = rdv_regrow(arena, p, 100, 3 * BLOCK);
    assert_non_null(p);
    assert_int_equal(p[99], 'p');
    memset(p, 'q', 3 * BLOCK);
    rdv_arena_free(&arena);
}

static void test_rewind__gives_back_what_came_after(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    char *kept = rdv_alloc(arena, 100);
    memset(kept, 'k', 100);
    size_t used = rdv_arena_used(arena);
    rdv_mark mark = rdv_arena_mark(arena);
    char *next = rdv_alloc(arena, 100);
    for (int i = 0; i < 50; i++)
        memset(rdv_alloc(arena, BLOCK), 'z', BLOCK);
    rdv_arena_rewind(arena, mark);
    assert_int_equal(rdv_arena_used(arena), used);
    assert_ptr_equal(rdv_alloc(arena, 100), next);
    assert_int_equal(kept[99], 'k');
    rdv_arena_free(&arena);
}

static void test_rewind__to_the_very_start(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_mark mark = rdv_arena_mark(arena);
    assert_non_null(rdv_alloc(arena, 3 * BLOCK));
    rdv_arena_rewind(arena, mark);
    assert_int_equal(rdv_arena_used(arena), 0);
    assert_non_null(rdv_alloc(arena, 1));
    rdv_arena_free(&arena);
}

static void test_reset__keeps_one_block_at_most(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_arena_reset(arena); /* nothing was allocated yet */
    void *first = rdv_alloc(arena, 8);
    assert_non_null(rdv_alloc(arena, 5 * BLOCK));
    rdv_arena_reset(arena);
    assert_ptr_equal(rdv_alloc(arena, 8), first);
    rdv_arena_reset(NULL);
    rdv_arena_free(&arena);
}

static void test_free__accepts_null(void **state)
{
    (void)state;
    rdv_arena *arena = NULL;
    rdv_arena_free(NULL);
    rdv_arena_free(&arena);
    arena = rdv_arena_new(0);
    rdv_arena_free(&arena);
    assert_null(arena);
}

static void test_fail_at__fails_from_there_on(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_alloc_fail_at(3);
    assert_non_null(rdv_alloc(arena, 8));
    assert_non_null(rdv_alloc(arena, 8));
    assert_null(rdv_alloc(arena, 8));
    assert_null(rdv_calloc(arena, 1, 8));
    rdv_alloc_fail_at(0);
    char *p = rdv_alloc(arena, 16);
    rdv_alloc_fail_at(1);
    assert_null(rdv_regrow(arena, p, 16, 64)); /* growth in place counts as an allocation */
    rdv_alloc_fail_at(0);
    rdv_arena_free(&arena);
}

static void test_push_room__grows_and_survives_failure(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    uint32_t *items = NULL;
    size_t n = 0, cap = 0;
    for (uint32_t i = 0; i < 1000; i++) {
        assert_true(RDV_PUSH_ROOM(arena, items, n, cap));
        items[n++] = i;
        assert_non_null(rdv_alloc(arena, 1)); /* so that it has to move */
    }
    while (n < cap)
        items[n++] = 7;
    uint32_t *before = items;
    size_t cap_before = cap;
    rdv_alloc_fail_at(1);
    assert_false(RDV_PUSH_ROOM(arena, items, n, cap));
    rdv_alloc_fail_at(0);
    assert_ptr_equal(items, before);
    assert_int_equal(cap, cap_before);
    for (uint32_t i = 0; i < 1000; i++)
        assert_int_equal(items[i], i);
    rdv_arena_free(&arena);
}

/* How much malloc() has given out; 0 where a sanitizer has its own. */
static size_t held(void)
{
    struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
}

/* The copies that were replaced are given back: what is held is little more than the array. */
static void test_push_room_large__gives_back_what_it_replaced(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    size_t n = 0, cap = 0, before = held();
    unsigned *items = NULL;
    for (unsigned i = 0; i < 1000000; i++) {
        assert_true(RDV_PUSH_ROOM_LARGE(arena, items, n, cap));
        items[n++] = i;
        if (i % 1000 == 0) /* others between, so that nothing grows in place */
            memset(rdv_alloc(arena, 10), 1, 10);
    }
    for (unsigned i = 0; i < 1000000; i++)
        assert_int_equal(items[i], i);
    assert_true(SANITIZED || held() - before < cap * sizeof *items * 5 / 4);
    rdv_arena_free(&arena);
}

/* Growing it counts as the bytes by which it grew, so that an array may take the whole limit. */
static void test_push_room_large__takes_the_limit_once(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(11 * BLOCK);
    size_t n = 0, cap = 0;
    char *items = NULL;
    while (n < 8 * BLOCK) {
        assert_true(RDV_PUSH_ROOM_LARGE(arena, items, n, cap));
        items[n] = (char)(n % 100);
        n++;
    }
    size_t used = rdv_arena_used(arena);
    assert_false(RDV_PUSH_ROOM_LARGE(arena, items, n, cap));
    assert_true(rdv_arena_is_full(arena));
    assert_int_equal(rdv_arena_used(arena), used);
    memset(rdv_alloc(arena, 100), 1, 100); /* what is left is still there */
    for (size_t i = 0; i < n; i++)
        assert_int_equal(items[i], i % 100);
    rdv_arena_free(&arena);
}

static void test_regrow_large__survives_failure(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    char *large = rdv_alloc(arena, 3 * BLOCK), *other = rdv_alloc(arena, 100);
    memset(large, 5, 3 * BLOCK);
    memset(other, 6, 100);
    rdv_alloc_fail_at(1);
    assert_null(rdv_regrow_large(arena, large, 3 * BLOCK, 6 * BLOCK));
    rdv_alloc_fail_at(0);
    assert_int_equal(large[3 * BLOCK - 1], 5);
    large = rdv_regrow_large(arena, large, 3 * BLOCK, 6 * BLOCK);
    memset(rdv_alloc(arena, 100), 7, 100);
    assert_int_equal(large[3 * BLOCK - 1], 5);
    assert_int_equal(other[99], 6);
    rdv_arena_free(&arena);
}

static void test_give_back__leaves_what_shares_a_block(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    char *small = rdv_alloc(arena, 100);
    memset(small, 7, 100);
    char *large = rdv_alloc(arena, 3 * BLOCK);
    rdv_give_back(arena, large, 3 * BLOCK); /* the newest: it may have room that is in use */
    memset(large, 8, 3 * BLOCK);
    rdv_give_back(arena, small, 100);
    assert_int_equal(small[99], 7);
    char *other = rdv_alloc(arena, 100);
    memset(other, 9, 100);
    rdv_give_back(arena, large, 3 * BLOCK);
    rdv_give_back(arena, NULL, 0);
    assert_int_equal(other[99], 9);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_alloc__is_aligned_and_apart),
        cmocka_unit_test(test_alloc__empty_pieces_differ),
        cmocka_unit_test(test_alloc__larger_than_a_block),
        cmocka_unit_test(test_alloc__impossible_sizes),
        cmocka_unit_test(test_calloc__is_zeroed_in_reused_memory),
        cmocka_unit_test(test_limit__is_exact_and_comes_back),
        cmocka_unit_test(test_limit__also_holds_growth_in_place),
        cmocka_unit_test(test_regrow__latest_stays_in_place),
        cmocka_unit_test(test_regrow__from_nothing_and_over_a_block),
        cmocka_unit_test(test_rewind__gives_back_what_came_after),
        cmocka_unit_test(test_rewind__to_the_very_start),
        cmocka_unit_test(test_reset__keeps_one_block_at_most),
        cmocka_unit_test(test_free__accepts_null),
        cmocka_unit_test(test_fail_at__fails_from_there_on),
        cmocka_unit_test(test_push_room__grows_and_survives_failure),
        cmocka_unit_test(test_push_room_large__gives_back_what_it_replaced),
        cmocka_unit_test(test_push_room_large__takes_the_limit_once),
        cmocka_unit_test(test_regrow_large__survives_failure),
        cmocka_unit_test(test_give_back__leaves_what_shares_a_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
