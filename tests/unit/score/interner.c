/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"

#include "score/interner.h"

static void test_interner__numbers_and_copies(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    interner in;
    char text[] = "one";
    size_t a, b, c, again;
    interner_init(&in, arena);
    assert_int_equal(interner_add(&in, rdv_str_of(text), &a), RDV_OK);
    text[0] = 'x'; /* what is kept is a copy */
    assert_int_equal(interner_add(&in, (rdv_str){0}, &b), RDV_OK);
    assert_int_equal(interner_add(&in, RDV_STR(""), &again), RDV_OK);
    assert_int_equal(interner_add(&in, RDV_STR("xne"), &c), RDV_OK);
    assert_true(a == 0 && b == 1 && again == b && c == 2 && in.n == 3);
    assert_text(in.texts[0], "one");
    rdv_arena_free(&arena);
}

static void test_number_within__scopes_are_apart(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_map map;
    size_t n = 0, other = 7, id;
    rdv_map_init(&map, arena);
    assert_int_equal(interner_number_within(&map, 1, RDV_STR("2:x"), &n, &id), RDV_OK);
    assert_int_equal(id, 0);
    assert_int_equal(interner_number_within(&map, 12, RDV_STR(":x"), &other, &id), RDV_OK);
    assert_int_equal(id, 7);
    assert_int_equal(interner_number_within(&map, 1, RDV_STR("x"), &n, &id), RDV_OK);
    assert_int_equal(id, 1);
    assert_int_equal(interner_number_within(&map, 1, RDV_STR("2:x"), &n, &id), RDV_OK);
    assert_true(id == 0 && n == 2 && other == 8);
    assert_int_equal(interner_number_within(&map, 1, RDV_STR(""), &n, &id), RDV_OK);
    assert_int_equal(id, 2);
    assert_int_equal(interner_number_within(&map, 1, (rdv_str){0}, &n, &id), RDV_OK);
    assert_true(id == 2 && n == 3);
    rdv_arena_free(&arena);
}

/* Numbers in a row are looked up in a table, others in a map: with the same result. */
static void test_dense__near_and_far_numbers(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    uint32_t near[500], far[500];
    size_t n_a, n_b;
    for (uint32_t i = 0; i < 500; i++) {
        near[i] = i * 37 % 101;
        far[i] = near[i] * 1000003;
    }
    assert_int_equal(interner_dense(near, 500, arena, &n_a), RDV_OK);
    assert_int_equal(interner_dense(far, 500, arena, &n_b), RDV_OK);
    assert_int_equal(n_a, 101);
    assert_int_equal(n_b, 101);
    for (size_t i = 0; i < 500; i++)
        assert_int_equal(near[i], far[i]);
    assert_int_equal(near[1], 1);
    rdv_arena_free(&arena);
}

static void test_dense__in_order_of_appearance(void **state)
{
    (void)state;
    static const uint32_t near[] = {9, 3, 9, 0}, far[] = {9000, 3, 9000, 0};
    static const uint32_t expected[] = {0, 1, 0, 2};
    rdv_arena *arena = rdv_arena_new(0);
    uint32_t ids[4];
    size_t n;
    for (size_t i = 0; i < 2; i++) {
        const uint32_t *from = i ? far : near;
        assert_survives_no_memory(
            (memcpy(ids, from, sizeof ids), interner_dense(ids, 4, arena, &n) == RDV_OK),
            rdv_arena_reset(arena));
        assert_int_equal(n, 3);
        assert_memory_equal(ids, expected, sizeof expected);
    }
    rdv_arena_free(&arena);
}

static bool adds(rdv_arena *arena)
{
    interner in;
    size_t id, n = 0;
    interner_init(&in, arena);
    return interner_add(&in, RDV_STR("a"), &id) == RDV_OK &&
           interner_number_within(&in.map, 3, RDV_STR("b"), &n, &id) == RDV_OK;
}

static void test_out_of_memory(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    assert_survives_no_memory(adds(arena), rdv_arena_reset(arena));
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_interner__numbers_and_copies),
        cmocka_unit_test(test_number_within__scopes_are_apart),
        cmocka_unit_test(test_dense__in_order_of_appearance),
        cmocka_unit_test(test_dense__near_and_far_numbers),
        cmocka_unit_test(test_out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
