/* SPDX-License-Identifier: Apache-2.0 */
/* Keys of expressions: tests/golden/keys.txt, limits, lack of memory. */
#include <rederive/math.h>

#include "../test.h"
#include "../text/golden.h"
#include "algebra/key.h"
#include "base/map.h"

#include <time.h>

#define SECONDS 10.0 /* of processor time that a key may take, with sanitizers too */

static rdv_str key_of(rdv_str text, rdv_arena *arena)
{
    rdv_str key = {0};
    int r = rdv_math_key(text, arena, &key, NULL);
    assert_true(r == RDV_OK || r == RDV_NONE);
    if ((r == RDV_OK) != (key.p != NULL))
        fail_msg("%.*s: a key without a result or the other way", RDV_FMT(text));
    return key;
}

/* One block of the file: its first line that has a key, and that key. */
typedef struct block {
    size_t index;
    bool none;
    rdv_str first, key;
} block;

static size_t check_line(block *b, rdv_str line, rdv_map *keys, rdv_arena *arena)
{
    rdv_str key = key_of(line, arena);
    if (b->none) {
        if (key.p)
            print_error("%.*s has the key %.*s\n", RDV_FMT(line), RDV_FMT(key));
        return key.p != NULL;
    }
    if (!key.p) {
        print_error("%.*s has no key\n", RDV_FMT(line));
        return 1;
    }
    if (b->key.p) {
        bool same = rdv_str_eq(key, b->key);
        if (!same)
            print_error("%.*s has the key %.*s, unlike %.*s\n", RDV_FMT(line), RDV_FMT(key),
                        RDV_FMT(b->first));
        return !same;
    }
    *b = (block){.index = b->index, .first = line, .key = key};
    bool taken = rdv_map_get(keys, key) != RDV_MAP_MISSING;
    if (taken)
        print_error("%.*s has the key of another block\n", RDV_FMT(line));
    assert_int_equal(rdv_map_put(keys, key, b->index), RDV_OK);
    return taken;
}

static void test_math_key__golden(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str rest = golden_text("keys.txt", arena), line;
    rdv_map keys;
    rdv_map_init(&keys, arena);
    block b = {0};
    size_t n_wrong = 0;
    while (rdv_next_line(&rest, &line)) {
        if (line.len && line.p[0] == '#')
            continue;
        if (rdv_str_eq(line, RDV_STR("NONE")))
            b = (block){.none = true};
        else if (line.len)
            n_wrong += check_line(&b, line, &keys, arena);
        else if (!b.none)
            b = (block){.index = b.index + 1};
    }
    assert_true(b.none); /* the last block; the file was read to its end */
    assert_int_equal(n_wrong, 0);
    rdv_arena_free(&arena);
}

/* Each function has keys of its own: a vote would count answers of one key as the same answer. */
static void test_math_key__of_each_function(void **state)
{
    (void)state;
    static const char *const formulas[] = {"\\sin x",
                                           "\\cos x",
                                           "\\tan x",
                                           "\\cot x",
                                           "\\sec x",
                                           "\\csc x",
                                           "\\arcsin x",
                                           "\\arccos x",
                                           "\\arctan x",
                                           "\\sinh x",
                                           "\\cosh x",
                                           "\\tanh x",
                                           "arcsinh(x)",
                                           "arccosh(x)",
                                           "arctanh(x)",
                                           "\\ln x",
                                           "|x|",
                                           "\\lfloor x \\rfloor",
                                           "\\lceil x \\rceil",
                                           "x!",
                                           "x!!",
                                           "\\gcd(x, y)",
                                           "lcm(x, y)",
                                           "\\max(x, y)",
                                           "\\min(x, y)",
                                           "\\binom{x}{y}",
                                           "e^x",
                                           "x^y",
                                           "\\sqrt{x}",
                                           "\\overline{z}"};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_map keys;
    rdv_map_init(&keys, arena);
    for (size_t i = 0; i < sizeof formulas / sizeof *formulas; i++) {
        rdv_str key = key_of(rdv_str_of(formulas[i]), arena);
        assert_non_null(key.p);
        size_t other = rdv_map_get(&keys, key);
        if (other != RDV_MAP_MISSING)
            fail_msg("%s and %s have the key %.*s", formulas[other], formulas[i], RDV_FMT(key));
        assert_int_equal(rdv_map_put(&keys, key, i), RDV_OK);
    }
    rdv_arena_free(&arena);
}

/* The key of a number is a number that has that key. */
static void test_math_key__key_of_key(void **state)
{
    static const char *const texts[] = {"1/2", "-3.75", "2^100", "22/7", "0", "1e-300"};
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        rdv_str key = key_of(rdv_str_of(texts[i]), arena);
        assert_true(rdv_str_eq(key_of(key, arena), key));
    }
    rdv_arena_free(&arena);
}

static void test_math_key__form(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    assert_text(key_of(RDV_STR("0.75"), arena), "3/4");
    assert_text(key_of(RDV_STR("-6/3"), arena), "-2");
    assert_text(key_of(RDV_STR("\\sqrt{2}"), arena), "sqrt(2)");
    rdv_arena_free(&arena);
}

static void test_math_key__bytes(void **state)
{
    static const char nul[] = "1\0002", broken[] = "1 \xff\xfe 2";
    rdv_arena *arena = rdv_arena_new(0);
    assert_null(key_of((rdv_str){nul, 3}, arena).p);
    assert_null(key_of(rdv_str_of(broken), arena).p);
    assert_null(key_of(RDV_STR(""), arena).p);
    assert_null(key_of((rdv_str){0}, arena).p);
    rdv_arena_free(&arena);
}

/* A root of a negative number times a large power: the minimal polynomial's coefficients have the
 * bits of both. No key may take long, whatever the sizes. */
static void test_math_key__roots_of_many_bits(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    for (int index = 6; index <= 180; index += 12) {
        for (int power = 3; power <= 203; power += 40) {
            rdv_str text = rdv_str_printf(arena, "e(-8)^{1/%d}(-8)^{%d}ed", index, power);
            clock_t begun = clock();
            key_of(text, arena);
            double seconds = (double)(clock() - begun) / CLOCKS_PER_SEC;
            if (seconds > SECONDS)
                fail_msg("%.*s took %.1f s", RDV_FMT(text), seconds);
        }
    }
    rdv_arena_free(&arena);
}

/* The number of a root is its place in the order of the conjugates: real ones first, descending. */
static void test_math_key__conjugates(void **state)
{
    static const char *const cases[][2] = {
        {"\\sqrt{2}+\\sqrt{3}", "root(1,0,-10,0,1;0)"},
        {"\\sqrt{3}-\\sqrt{2}", "root(1,0,-10,0,1;1)"},
        {"\\sqrt{2}-\\sqrt{3}", "root(1,0,-10,0,1;2)"},
        {"-\\sqrt{2}-\\sqrt{3}", "root(1,0,-10,0,1;3)"},
        {"-\\sqrt[4]{2}", "root(-2,0,0,0,1;1)"},
        {"i\\sqrt[4]{2}", "root(-2,0,0,0,1;2)"},
        {"-i\\sqrt[4]{2}", "root(-2,0,0,0,1;3)"},
        {"\\sqrt[3]{2}", "root(-2,0,0,1;0)"},
    };
    rdv_arena *arena = rdv_arena_new(0);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(rdv_str_eq(key_of(rdv_str_of(cases[i][0]), arena), rdv_str_of(cases[i][1])));
    rdv_arena_free(&arena);
}

/* One comparison keeps the texts of some numbers: each key is the one that it has alone. */
static void test_math_key__known_numbers(void **state)
{
    static const char *const texts[] = {"\\sqrt{2}+\\sqrt{3}",
                                        "\\sqrt{3}-\\sqrt{2}",
                                        "\\sqrt{2}-\\sqrt{3}",
                                        "\\sqrt[4]{2}",
                                        "i\\sqrt[4]{2}",
                                        "-i\\sqrt[4]{2}",
                                        "\\frac{\\sqrt{2}+\\sqrt{3}}{1+\\sqrt{5}}",
                                        "\\frac{\\sqrt{3}-\\sqrt{2}}{1+\\sqrt{5}}",
                                        "\\frac{\\sqrt[4]{2}}{1+\\sqrt{5}}"};
    enum { N = sizeof texts / sizeof *texts };
    rdv_arena *arena = rdv_arena_new(0);
    math_work work = {.left = MATH_WORK_MAX};
    (void)state;
    for (size_t i = 0; i < 5 * N; i++) {
        rdv_str text = rdv_str_of(texts[i < 2 * N ? i / 2 : i * i % N]), key;
        assert_int_equal(math_key(text, &work, arena, &key, NULL), RDV_OK);
        assert_true(rdv_str_eq(key, key_of(text, arena)));
    }
    assert_in_range(work.n_known, N, 5 * N - N);
    rdv_arena_free(&arena);
}

static void test_math_key__no_memory(void **state)
{
    static const char *const texts[] = {"\\frac{x^2 - 1}{x_1 + y}", "(1 + \\sqrt{5})/2", "1/3"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_error err;
        rdv_str key = {0};
        int r;
        assert_survives_no_memory((r = rdv_math_key(rdv_str_of(texts[i]), arena, &key, &err)) ==
                                      RDV_OK,
                                  assert_int_equal(r, RDV_E_NOMEM));
        assert_non_null(key.p);
        rdv_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_math_key__golden),
        cmocka_unit_test(test_math_key__of_each_function),
        cmocka_unit_test(test_math_key__key_of_key),
        cmocka_unit_test(test_math_key__form),
        cmocka_unit_test(test_math_key__bytes),
        cmocka_unit_test(test_math_key__conjugates),
        cmocka_unit_test(test_math_key__known_numbers),
        cmocka_unit_test(test_math_key__no_memory),
        cmocka_unit_test(test_math_key__roots_of_many_bits),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
