/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"

#include "base/map.h"

#include <stdio.h>

static void test_get__of_an_empty_map(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_map map;
    rdv_map_init(&map, arena);
    assert_int_equal(rdv_map_get(&map, RDV_STR("a")), RDV_MAP_MISSING);
    assert_int_equal(rdv_map_get(&map, (rdv_str){0}), RDV_MAP_MISSING);
    rdv_arena_free(&arena);
}

static void test_put__keys_that_look_alike(void **state)
{
    (void)state;
    static const rdv_str keys[] = {
        {"a", 1},        {"a\0", 2},        {"a\0\0", 3}, {"", 0},     {"\0", 1},
        {"12345678", 8}, {"12345678\0", 9}, {"A", 1},     {"\xff", 1}, {"\xff\xff", 2},
    };
    size_t n = sizeof keys / sizeof *keys;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_map map;
    rdv_map_init(&map, arena);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(rdv_map_put(&map, keys[i], i), RDV_OK);
    assert_int_equal(map.n, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(rdv_map_get(&map, keys[i]), i);
    rdv_arena_free(&arena);
}

static void test_put__absent_key_is_the_empty_one(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_map map;
    rdv_map_init(&map, arena);
    assert_int_equal(rdv_map_put(&map, (rdv_str){0}, 5), RDV_OK);
    assert_int_equal(rdv_map_get(&map, RDV_STR("")), 5);
    rdv_arena_free(&arena);
}

static void test_put__replaces(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_map map;
    rdv_map_init(&map, arena);
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(rdv_map_put(&map, RDV_STR("same"), i), RDV_OK);
    assert_int_equal(map.n, 1);
    assert_int_equal(rdv_map_get(&map, RDV_STR("same")), 99);
    rdv_arena_free(&arena);
}

static bool put_many(rdv_arena *arena, rdv_map *map, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        rdv_str key = rdv_str_printf(arena, "key %zu", i);
        if (!key.p || rdv_map_put(map, key, i) != RDV_OK)
            return false;
    }
    return true;
}

static void assert_many(const rdv_map *map, size_t n)
{
    char text[32];
    for (size_t i = 0; i < n; i++) {
        rdv_str key = {text, (size_t)snprintf(text, sizeof text, "key %zu", i)};
        assert_int_equal(rdv_map_get(map, key), i);
    }
}

static void test_put__many(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_map map;
    rdv_map_init(&map, arena);
    assert_true(put_many(arena, &map, 0, 50000));
    assert_int_equal(map.n, 50000);
    assert_many(&map, 50000);
    assert_int_equal(rdv_map_get(&map, RDV_STR("key 50000")), RDV_MAP_MISSING);
    rdv_arena_free(&arena);
}

static void test_no_memory__leaves_the_map_whole(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_map map;
    rdv_map_init(&map, arena);
    /* Each failed round goes on where the last one stopped. */
    assert_survives_no_memory(put_many(arena, &map, map.n, 200), assert_many(&map, map.n));
    assert_many(&map, 200);
    rdv_arena_free(&arena);
}

static void test_hash__is_the_same_everywhere(void **state)
{
    (void)state;
    rdv_str text = RDV_STR("The quick brown fox");
    assert_true(rdv_hash(text, 1) == rdv_hash(text, 1));
    assert_true(rdv_hash(text, 1) != rdv_hash(text, 2));
    assert_true(rdv_hash(RDV_STR("ab"), 1) != rdv_hash(RDV_STR("ba"), 1));
    /* Computed apart, in Python: no machine may differ. */
    assert_true(rdv_hash(text, 1) == 3830096832347495254u);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_get__of_an_empty_map),
        cmocka_unit_test(test_put__keys_that_look_alike),
        cmocka_unit_test(test_put__absent_key_is_the_empty_one),
        cmocka_unit_test(test_put__replaces),
        cmocka_unit_test(test_put__many),
        cmocka_unit_test(test_no_memory__leaves_the_map_whole),
        cmocka_unit_test(test_hash__is_the_same_everywhere),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
