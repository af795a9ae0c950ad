/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"

#include "lm/pool.h"

#include <stdatomic.h>

typedef struct tally {
    _Atomic uint32_t done[POOL_MAX_ITEMS];
    _Atomic size_t strangers; /* items done by a worker that there is not */
    size_t threads;
} tally;

static void mark(void *payload, size_t item, size_t worker)
{
    tally *t = payload;
    atomic_fetch_add(&t->done[item], 1);
    if (worker >= t->threads)
        atomic_fetch_add(&t->strangers, 1);
}

static void run(size_t threads, size_t rounds)
{
    static tally t;
    rdv_arena *arena = rdv_arena_new(0);
    pool *p = pool_new(arena, threads);
    assert_non_null(p);
    assert_int_equal(pool_threads(p), threads);
    for (size_t round = 0; round < rounds; round++) {
        size_t n = round * 37 % 300;
        if (round % 5 == 0)
            pool_wake(p);
        for (size_t i = 0; i < n; i++)
            t.done[i] = 0;
        t.threads = threads;
        pool_run(p, mark, &t, n);
        for (size_t i = 0; i < n; i++)
            assert_int_equal(t.done[i], 1);
        if (round % 5 == 4)
            pool_rest(p);
    }
    pool_run(p, mark, &t, POOL_MAX_ITEMS);
    assert_int_equal(t.strangers, 0);
    pool_end(p);
    rdv_arena_free(&arena);
}

static void test_pool__does_each_item_once(void **state)
{
    run(1, 20);
    run(2, 500);
    run(5, 500);
}

static void test_pool__ends_unused(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    for (int i = 0; i < 20; i++)
        pool_end(pool_new(arena, 4));
    pool_end(NULL);
    rdv_arena_free(&arena);
}

static _Atomic size_t n_last;

static void count_last(void)
{
    atomic_fetch_add(&n_last, 1);
}

static void test_pool__each_thread_ends_once(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    for (int i = 0; i < 20; i++) {
        pool *p = pool_new(arena, 4);
        assert_non_null(p);
        pool_at_end(p, count_last);
        pool_end(p);
        assert_int_equal(n_last, 3 * (i + 1)); /* the caller is no thread of the pool */
    }
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pool__does_each_item_once),
        cmocka_unit_test(test_pool__ends_unused),
        cmocka_unit_test(test_pool__each_thread_ends_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
