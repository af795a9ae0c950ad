/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"

#include "base/ordered_pool.h"

#include <stdatomic.h>
#include <time.h>

#define SLOTS 8
#define ITEMS 2000

/* Numbers that are squared, by threads that need longer for some. */
struct squares {
    uint64_t number[SLOTS], square[SLOTS];
    atomic_size_t done, by_others;
    bool slow;
};

static void square(void *payload, size_t slot, size_t worker)
{
    struct squares *s = payload;
    if (s->slow && s->number[slot] % 7 == 0)
        nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
    s->square[slot] = s->number[slot] * s->number[slot];
    atomic_fetch_add(&s->done, 1);
    atomic_fetch_add(&s->by_others, worker > 0);
}

static ordered_pool *pool_of(struct squares *s, size_t threads, size_t slots)
{
    ordered_pool *pool;
    ordered_pool_options options = {
        .threads = threads, .slots = slots, .work = square, .payload = s};
    assert_int_equal(ordered_pool_new(&options, &pool), RDV_OK);
    return pool;
}

static void take_oldest(struct squares *s, ordered_pool *pool, uint64_t *taken)
{
    size_t slot = ordered_pool_oldest(pool, true);
    assert_int_not_equal(slot, ORDERED_POOL_NONE);
    assert_int_equal(s->number[slot], *taken);
    assert_int_equal(s->square[slot], *taken * *taken);
    ordered_pool_take(pool);
    ++*taken;
}

static void test_take__in_the_order_of_give(void **state)
{
    (void)state;
    for (size_t threads = 1; threads <= 5; threads += 2) {
        struct squares s = {.slow = true};
        ordered_pool *pool = pool_of(&s, threads, SLOTS);
        uint64_t taken = 0;
        for (uint64_t i = 0; i < ITEMS; i++) {
            while (ordered_pool_free_slot(pool) == ORDERED_POOL_NONE)
                take_oldest(&s, pool, &taken);
            s.number[ordered_pool_free_slot(pool)] = i;
            ordered_pool_give(pool);
        }
        while (taken < ITEMS)
            take_oldest(&s, pool, &taken);
        assert_int_equal(ordered_pool_oldest(pool, true), ORDERED_POOL_NONE);
        assert_int_equal(s.done, ITEMS);
        assert_int_equal(s.by_others > 0, threads > 1);
        ordered_pool_free(&pool);
        assert_null(pool);
    }
}

static void test_oldest__does_not_wait_unless_asked(void **state)
{
    (void)state;
    struct squares s = {.number = {3}};
    ordered_pool *pool = pool_of(&s, 1, 1);
    assert_int_equal(ordered_pool_oldest(pool, false), ORDERED_POOL_NONE);
    ordered_pool_give(pool);
    assert_int_equal(ordered_pool_free_slot(pool), ORDERED_POOL_NONE);
    assert_int_equal(ordered_pool_oldest(pool, false), ORDERED_POOL_NONE);
    assert_int_equal(s.done, 0);
    assert_int_equal(ordered_pool_oldest(pool, true), 0);
    assert_int_equal(ordered_pool_oldest(pool, false), 0);
    assert_int_equal(s.square[0], 9);
    ordered_pool_take(pool);
    assert_int_equal(ordered_pool_free_slot(pool), 0);
    ordered_pool_free(&pool);
}

static void test_free__leaves_what_was_not_begun(void **state)
{
    (void)state;
    struct squares s = {0};
    ordered_pool *pool = pool_of(&s, 1, SLOTS);
    for (size_t i = 0; i < SLOTS; i++)
        ordered_pool_give(pool);
    ordered_pool_free(&pool);
    assert_int_equal(s.done, 0);
    ordered_pool_free(&pool);
    ordered_pool_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_take__in_the_order_of_give),
        cmocka_unit_test(test_oldest__does_not_wait_unless_asked),
        cmocka_unit_test(test_free__leaves_what_was_not_begun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
