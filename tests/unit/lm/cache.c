/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"

#include "lm/cache.h"

static void fill(uint32_t *tokens, uint32_t with)
{
    for (size_t i = 0; i < LM_BLOCK; i++)
        tokens[i] = with;
}

static cache make(rdv_arena *arena, uint32_t n)
{
    cache c;
    assert_int_equal(cache_init(&c, arena, n, 64, false, NULL), RDV_OK);
    return c;
}

/* A block of these tokens, held and settled. */
static uint32_t put(cache *c, uint64_t parent, uint32_t with)
{
    uint32_t tokens[LM_BLOCK], block = cache_new(c);
    fill(tokens, with);
    assert_int_not_equal(block, CACHE_NONE);
    return cache_settle(c, block, parent, tokens);
}

static uint32_t find(const cache *c, uint64_t parent, uint32_t with)
{
    uint32_t tokens[LM_BLOCK];
    fill(tokens, with);
    return cache_find(c, parent, tokens);
}

static void test_cache__finds_by_tokens_and_parent(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    cache c = make(arena, 8);
    uint32_t a = put(&c, 0, 1), b = put(&c, c.blocks[a].serial, 2);
    assert_int_equal(find(&c, 0, 1), a);
    assert_int_equal(find(&c, c.blocks[a].serial, 2), b);
    assert_int_equal(find(&c, 0, 2), CACHE_NONE);
    assert_int_equal(find(&c, c.blocks[b].serial, 1), CACHE_NONE);
    rdv_arena_free(&arena);
}

static void test_cache__the_same_twice_is_one(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    cache c = make(arena, 8);
    uint32_t a = put(&c, 0, 1), again = put(&c, 0, 1);
    assert_int_equal(a, again);
    assert_int_equal(c.blocks[a].users, 2);
    assert_int_equal(c.n_used, 1);
    rdv_arena_free(&arena);
}

static void test_cache__a_promise_is_found_but_not_ready(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    cache c = make(arena, 8);
    uint32_t tokens[LM_BLOCK], block = cache_new(&c);
    fill(tokens, 5);
    cache_promise(&c, block, 0, tokens, 7);
    assert_int_equal(find(&c, 0, 5), block);
    assert_int_equal(c.blocks[block].ready_after, 7);
    assert_int_equal(cache_settle(&c, block, 0, tokens), block);
    rdv_arena_free(&arena);
}

static void test_cache__longest_unused_goes_first(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    cache c = make(arena, 3);
    uint32_t blocks[3];
    for (uint32_t i = 0; i < 3; i++)
        blocks[i] = put(&c, 0, i);
    assert_int_equal(cache_new(&c), CACHE_NONE);
    cache_drop(&c, blocks[1]);
    cache_drop(&c, blocks[0]);
    assert_int_equal(c.n_kept, 2);
    cache_take(&c, blocks[1]); /* used again, and now the younger */
    cache_drop(&c, blocks[1]);
    assert_int_equal(cache_new(&c), blocks[0]);
    assert_int_equal(find(&c, 0, 0), CACHE_NONE);
    assert_int_equal(find(&c, 0, 1), blocks[1]);
    rdv_arena_free(&arena);
}

static void test_cache__new_blocks_are_zeroed(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    cache c = make(arena, 1);
    uint32_t block = cache_new(&c);
    cache_data(&c, block)[63] = 5;
    cache_drop(&c, block);
    assert_int_equal(cache_new(&c), block);
    assert_true(cache_data(&c, block)[63] == 0);
    assert_int_equal((uintptr_t)cache_data(&c, block) % LM_ALIGN, 0);
    rdv_arena_free(&arena);
}

static void test_cache__forgets(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    cache c;
    assert_int_equal(cache_init(&c, arena, 2, 64, true, NULL), RDV_OK);
    uint32_t block = put(&c, 0, 1);
    assert_int_equal(find(&c, 0, 1), CACHE_NONE);
    cache_drop(&c, block);
    assert_int_equal(c.n_kept, 0);
    rdv_arena_free(&arena);
}

static void test_cache__too_large(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    cache c;
    assert_int_equal(cache_init(&c, arena, UINT32_MAX / 2, SIZE_MAX / 8, false, NULL), RDV_E_NOMEM);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cache__finds_by_tokens_and_parent),
        cmocka_unit_test(test_cache__the_same_twice_is_one),
        cmocka_unit_test(test_cache__a_promise_is_found_but_not_ready),
        cmocka_unit_test(test_cache__longest_unused_goes_first),
        cmocka_unit_test(test_cache__new_blocks_are_zeroed),
        cmocka_unit_test(test_cache__forgets),
        cmocka_unit_test(test_cache__too_large),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
