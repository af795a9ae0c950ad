/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"

#include "base/digest_map.h"

#include <malloc.h>
#include <stdio.h>

static size_t add(rdv_digest_map *map, uint64_t scope, rdv_str text, size_t value)
{
    size_t out = SIZE_MAX;
    assert_int_equal(rdv_digest_map_add(map, rdv_digest_of(map, scope, text), value, &out), RDV_OK);
    return out;
}

static void test_add__keeps_the_first_value(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_digest_map map;
    rdv_digest_map_init(&map, arena);
    assert_int_equal(add(&map, 0, RDV_STR("a"), 7), 7);
    assert_int_equal(add(&map, 0, RDV_STR("a"), 8), 7);
    assert_int_equal(add(&map, 0, RDV_STR("b"), 8), 8);
    assert_int_equal(map.n, 2);
    rdv_arena_free(&arena);
}

/* Texts that are like each other, in scopes that are, have keys of their own. */
static void test_of__scopes_and_texts(void **state)
{
    (void)state;
    static const rdv_str texts[] = {{"", 0}, {"\0", 1}, {"1", 1}, {"1\0", 2}, {"12345678", 8}};
    size_t n = sizeof texts / sizeof *texts;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_digest_map map;
    rdv_digest_map_init(&map, arena);
    for (size_t scope = 0; scope < 20; scope++)
        for (size_t i = 0; i < n; i++)
            assert_int_equal(add(&map, scope, texts[i], scope * n + i), scope * n + i);
    assert_int_equal(add(&map, UINT64_MAX, texts[0], 5000), 5000);
    assert_int_equal(map.n, 20 * n + 1);
    rdv_arena_free(&arena);
}

/* Keys of which one half is the same are different keys. */
static void test_add__keys_with_an_equal_half(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_digest_map map;
    rdv_digest_map_init(&map, arena);
    for (size_t i = 0; i < 100; i++) {
        size_t first, second;
        assert_int_equal(rdv_digest_map_add(&map, (rdv_digest){{1, i + 2}}, i, &first), RDV_OK);
        assert_int_equal(rdv_digest_map_add(&map, (rdv_digest){{i + 2, 1}}, 100 + i, &second),
                         RDV_OK);
        assert_true(first == i && second == 100 + i);
    }
    rdv_arena_free(&arena);
}

static bool add_many(rdv_digest_map *map, size_t n)
{
    for (size_t i = map->n; i < n; i++) {
        char text[32];
        size_t out = 0;
        rdv_str key = {text, (size_t)snprintf(text, sizeof text, "key %zu", i)};
        if (rdv_digest_map_add(map, rdv_digest_of(map, 1, key), i, &out) < 0)
            return false;
        assert_int_equal(out, i);
    }
    return true;
}

static void assert_many(rdv_digest_map *map, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        char text[32];
        rdv_str key = {text, (size_t)snprintf(text, sizeof text, "key %zu", i)};
        assert_int_equal(add(map, 1, key, 99), i);
    }
    assert_int_equal(map->n, n);
}

static void test_add__many(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_digest_map map;
    rdv_digest_map_init(&map, arena);
    assert_true(add_many(&map, 50000));
    assert_many(&map, 50000);
    rdv_arena_free(&arena);
}

/* Values are kept apart from the first that is not its entry's index, with or without memory. */
static bool add_others(rdv_digest_map *map, size_t n)
{
    for (size_t i = map->n; i < n; i++) {
        size_t out;
        if (rdv_digest_map_add(map, (rdv_digest){{i, 7}}, i < 100 ? i : 2 * i, &out) < 0)
            return false;
    }
    return true;
}

static void test_add__values_that_are_no_indices(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_digest_map map;
    rdv_digest_map_init(&map, arena);
    assert_true(add_others(&map, 100));
    assert_null(map.values);
    assert_survives_no_memory(add_others(&map, 300), (void)0);
    for (size_t i = 0, out; i < 300; i++) {
        assert_int_equal(rdv_digest_map_add(&map, (rdv_digest){{i, 7}}, 1, &out), RDV_OK);
        assert_int_equal(out, i < 100 ? i : 2 * i);
    }
    rdv_arena_free(&arena);
}

static void test_no_memory__leaves_the_map_whole(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_digest_map map;
    rdv_digest_map_init(&map, arena);
    assert_survives_no_memory(add_many(&map, 200), (void)0);
    assert_many(&map, 200);
    rdv_arena_free(&arena);
}

static void test_add__a_value_that_is_too_large(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_digest_map map;
    rdv_digest_map_init(&map, arena);
    size_t out;
    rdv_digest key = rdv_digest_of(&map, 0, RDV_STR("a"));
    assert_int_equal(rdv_digest_map_add(&map, key, RDV_DIGEST_MAP_MOST + 1, &out), RDV_E_NOMEM);
    assert_int_equal(rdv_digest_map_add(&map, key, RDV_DIGEST_MAP_MOST, &out), RDV_OK);
    assert_true(out == RDV_DIGEST_MAP_MOST);
    rdv_arena_free(&arena);
}

/* How much malloc() has given out; 0 where a sanitizer has its own. */
static size_t held(void)
{
    struct mallinfo2 m = mallinfo2();
    return m.uordblks + m.hblkhd;
}

static void test_drop__gives_back_most(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_digest_map map;
    rdv_digest_map_init(&map, arena);
    for (size_t i = 0; i < 100000; i++)
        add(&map, i, RDV_STR("x"), i + 1);
    size_t full = held();
    rdv_digest_map_drop(&map);
    assert_true(SANITIZED || full - held() > 100000 * 24);
    assert_int_equal(map.n, 0);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_add__keeps_the_first_value),
        cmocka_unit_test(test_of__scopes_and_texts),
        cmocka_unit_test(test_add__keys_with_an_equal_half),
        cmocka_unit_test(test_add__many),
        cmocka_unit_test(test_add__values_that_are_no_indices),
        cmocka_unit_test(test_no_memory__leaves_the_map_whole),
        cmocka_unit_test(test_add__a_value_that_is_too_large),
        cmocka_unit_test(test_drop__gives_back_most),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
