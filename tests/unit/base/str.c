/* SPDX-License-Identifier: Apache-2.0 */
#include "../test.h"

#include "base/rng.h"

static const rdv_str absent = {0};

static void test_head__whole_characters(void **state)
{
    const rdv_str s = RDV_STR("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80");
    const size_t lengths[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 10};
    for (size_t max = 0; max < sizeof lengths / sizeof *lengths; max++)
        assert_int_equal(rdv_str_head(s, max).len, lengths[max]);
    assert_int_equal(rdv_str_head(RDV_STR("\x80\x80\x80\x80\x80\x80\x80\x80"), 6).len, 3);
}

static void test_slice__clips(void **state)
{
    (void)state;
    rdv_str s = RDV_STR("hello");
    assert_text(rdv_slice(s, 1, 3), "el");
    assert_text(rdv_slice(s, 0, 99), "hello");
    assert_text(rdv_slice(s, 4, 2), "");
    assert_text(rdv_slice(s, 99, 100), "");
    assert_text(rdv_slice(s, SIZE_MAX, SIZE_MAX), "");
    assert_null(rdv_slice(absent, 0, 5).p);
    assert_int_equal(rdv_slice(absent, 3, 5).len, 0);
}

/* In memory, not as equal bytes; an absent text lies in none, not even in another. */
static void test_lies_in__places_not_bytes(void **state)
{
    rdv_str whole = RDV_STR("abcabc");
    char apart[] = "abc";
    assert_true(rdv_lies_in(rdv_slice(whole, 3, 6), whole));
    assert_true(rdv_lies_in(rdv_slice(whole, 6, 6), whole));
    assert_false(rdv_lies_in(whole, rdv_slice(whole, 0, 5)));
    assert_false(rdv_lies_in(rdv_str_of(apart), whole));
    assert_false(rdv_lies_in(absent, whole));
    assert_false(rdv_lies_in(absent, absent));
}

static void test_eq__bytes_not_places(void **state)
{
    (void)state;
    char copy[] = "a\0b";
    assert_true(rdv_str_eq(RDV_STR("a\0b"), (rdv_str){copy, 3}));
    assert_false(rdv_str_eq(RDV_STR("a\0b"), RDV_STR("a\0c")));
    assert_false(rdv_str_eq(RDV_STR("a"), RDV_STR("A")));
    assert_true(rdv_str_eq(absent, RDV_STR("")));
    assert_true(rdv_str_ieq(RDV_STR("StEp 1"), RDV_STR("sTeP 1")));
    assert_false(rdv_str_ieq(RDV_STR("step"), RDV_STR("step ")));
    assert_false(rdv_str_ieq(RDV_STR("@"), RDV_STR("`")));               /* 32 apart, not letters */
    assert_false(rdv_str_ieq(RDV_STR("\xc3\x84"), RDV_STR("\xc3\xa4"))); /* ASCII only */
    assert_true(rdv_str_ieq(absent, absent));
}

static void test_cmp__orders_bytes_then_length(void **state)
{
    (void)state;
    static const rdv_str in_order[] = {{NULL, 0},  {"\0", 1}, {"A", 1},   {"a", 1},
                                       {"a\0", 2}, {"aa", 2}, {"\xff", 1}};
    size_t n = sizeof in_order / sizeof *in_order;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n; k++) {
            int c = rdv_str_cmp(in_order[i], in_order[k]);
            assert_int_equal((c > 0) - (c < 0), (i > k) - (i < k));
        }
}

static void test_starts_ends(void **state)
{
    (void)state;
    rdv_str s = RDV_STR("Step 1: add");
    assert_true(rdv_starts(s, RDV_STR("Step")));
    assert_false(rdv_starts(s, RDV_STR("step")));
    assert_true(rdv_istarts(s, RDV_STR("step")));
    assert_true(rdv_starts(s, RDV_STR("")));
    assert_true(rdv_starts(s, s));
    assert_false(rdv_starts(RDV_STR("St"), RDV_STR("Step")));
    assert_false(rdv_istarts(absent, RDV_STR("s")));
    assert_true(rdv_starts(absent, absent));
    assert_true(rdv_ends(s, RDV_STR("add")));
    assert_true(rdv_ends(s, RDV_STR("")));
    assert_false(rdv_ends(RDV_STR("dd"), RDV_STR("add")));
    assert_false(rdv_ends(absent, RDV_STR("a")));
}

static void test_find(void **state)
{
    (void)state;
    rdv_str s = RDV_STR("aXa\0aXb");
    assert_int_equal(rdv_find(s, RDV_STR("aX"), 0), 0);
    assert_int_equal(rdv_find(s, RDV_STR("aX"), 1), 4);
    assert_int_equal(rdv_find(s, RDV_STR("aX"), 5), RDV_NOT_FOUND);
    assert_int_equal(rdv_find(s, RDV_STR("\0"), 0), 3);
    assert_int_equal(rdv_find(s, RDV_STR(""), 7), 7);
    assert_int_equal(rdv_find(s, RDV_STR(""), 8), RDV_NOT_FOUND);
    assert_int_equal(rdv_find_by(s, RDV_STR("aX"), 0), 0);
    assert_int_equal(rdv_find_by(s, RDV_STR("aX"), 1), 0);
    assert_int_equal(rdv_find_by(s, RDV_STR("aXa and more"), 1), RDV_NOT_FOUND);
    assert_int_equal(rdv_find_by((rdv_str){0}, RDV_STR("aX"), 1), RDV_NOT_FOUND);
    assert_int_equal(rdv_find_by(RDV_STR("vrederivrederive"), RDV_STR("rederive"), 6), 8);
    assert_int_equal(rdv_find_by(RDV_STR("rederiv"), RDV_STR("rederive"), 6), RDV_NOT_FOUND);
    assert_int_equal(rdv_find(s, RDV_STR("aXa and more"), 0), RDV_NOT_FOUND);
    assert_int_equal(rdv_ifind(s, RDV_STR("AxB"), 0), 4);
    assert_int_equal(rdv_ifind(s, RDV_STR("AxB"), 5), RDV_NOT_FOUND);
    assert_int_equal(rdv_find_last(s, RDV_STR("aX")), 4);
    assert_int_equal(rdv_find_last(s, RDV_STR("aX\0")), RDV_NOT_FOUND);
    assert_int_equal(rdv_find_last(s, RDV_STR("")), 7);
    assert_true(rdv_str_eq(rdv_stem(RDV_STR("a.d/b.jsonl.gz")), RDV_STR("b")));
    assert_true(rdv_str_eq(rdv_stem(RDV_STR(".hidden")), RDV_STR(".hidden")));
    assert_true(rdv_str_eq(rdv_stem(RDV_STR("a/")), RDV_STR("")));
    assert_int_equal(rdv_find_char(s, 'X', 2), 5);
    assert_int_equal(rdv_find_char(s, 'X', 6), RDV_NOT_FOUND);
}

/* Short texts and long ones are searched in two ways. */
static void test_find__lengths(void **state)
{
    char text[600];
    (void)state;
    for (size_t len = 2; len <= sizeof text; len++) {
        memset(text, 'a', sizeof text);
        text[len - 1] = 'b';
        rdv_str s = {text, len};
        assert_int_equal(rdv_find(s, RDV_STR("ab"), 0), len - 2);
        assert_int_equal(rdv_find(s, RDV_STR("ab"), len - 2), len - 2);
        assert_int_equal(rdv_find(s, RDV_STR("ab"), len - 1), RDV_NOT_FOUND);
        assert_int_equal(rdv_find(s, RDV_STR("ba"), 0), RDV_NOT_FOUND); /* it is behind the end */
        assert_int_equal(rdv_find(s, s, 0), 0);
    }
}

/* The places where a text begins, whatever the case, compared one by one. */
static void test_ifind__as_one_by_one(void **state)
{
    static const char letters[] = "aAbB1 \xc3[{@`";
    char text[40], part[4];
    rdv_rng rng;
    (void)state;
    rdv_rng_seed(&rng, 5);
    for (int round = 0; round < 20000; round++) {
        rdv_str s = {text, rdv_rng_below(&rng, sizeof text + 1)};
        rdv_str needle = {part, 1 + rdv_rng_below(&rng, sizeof part)};
        for (size_t i = 0; i < s.len; i++)
            text[i] = letters[rdv_rng_below(&rng, sizeof letters)];
        for (size_t i = 0; i < needle.len; i++)
            part[i] = letters[rdv_rng_below(&rng, sizeof letters)];
        size_t from = rdv_rng_below(&rng, sizeof text + 2), at = from;
        while (at + needle.len <= s.len && !rdv_str_ieq(rdv_slice(s, at, at + needle.len), needle))
            at++;
        assert_int_equal(rdv_ifind(s, needle, from), at + needle.len <= s.len ? at : RDV_NOT_FOUND);
    }
}

static void test_find__nowhere(void **state)
{
    (void)state;
    rdv_str s = RDV_STR("abc");
    assert_int_equal(rdv_find(absent, RDV_STR("a"), 0), RDV_NOT_FOUND);
    assert_int_equal(rdv_ifind(absent, RDV_STR("a"), 0), RDV_NOT_FOUND);
    assert_int_equal(rdv_find_last(absent, RDV_STR("a")), RDV_NOT_FOUND);
    assert_int_equal(rdv_find_char(absent, 'a', 0), RDV_NOT_FOUND);
    assert_true(rdv_has_letter(RDV_STR("1 + z")));
    assert_false(rdv_has_letter(RDV_STR("1 + 2 \xc3\xa9")));
    assert_false(rdv_has_letter(absent));
    /* From where an earlier search found nothing. */
    assert_int_equal(rdv_find(s, RDV_STR("a"), RDV_NOT_FOUND), RDV_NOT_FOUND);
    assert_int_equal(rdv_ifind(s, RDV_STR("a"), RDV_NOT_FOUND), RDV_NOT_FOUND);
    assert_int_equal(rdv_ifind(s, RDV_STR(""), RDV_NOT_FOUND), RDV_NOT_FOUND);
    assert_int_equal(rdv_find_char(s, 'a', RDV_NOT_FOUND), RDV_NOT_FOUND);
}

static void test_trim(void **state)
{
    (void)state;
    assert_text(rdv_trim(RDV_STR(" \t\r\n\v\fa b \n")), "a b");
    assert_text(rdv_trim(RDV_STR(" \n ")), "");
    assert_text(rdv_trim(RDV_STR("")), "");
    assert_text(rdv_trim_end(RDV_STR(" a ")), " a");
    assert_text(rdv_trim(RDV_STR("\0 ")), "\0"); /* NUL is not white space */
    assert_null(rdv_trim(absent).p);
}

static void test_next_line(void **state)
{
    (void)state;
    static const struct {
        rdv_str text;
        const char *lines[4];
    } cases[] = {
        {{NULL, 0}, {NULL}},
        {{"", 0}, {"", NULL}},
        {{"\n", 1}, {"", NULL}},
        {{"a", 1}, {"a", NULL}},
        {{"a\n", 2}, {"a", NULL}},
        {{"a\n\nb", 4}, {"a", "", "b", NULL}},
        {{"a\r\nb\r", 5}, {"a", "b", NULL}},
        {{"a\rb", 3}, {"a\rb", NULL}},
        {{"\n\n", 2}, {"", "", NULL}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_str rest = cases[i].text, line = {0};
        const char *const *want = cases[i].lines;
        while (rdv_next_line(&rest, &line)) {
            assert_non_null(*want);
            assert_true(rdv_str_eq(line, rdv_str_of(*want)));
            want++;
        }
        assert_null(*want);
    }
}

static void test_copy(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    char text[] = "a\0b";
    rdv_str copy = rdv_str_copy(arena, (rdv_str){text, 3});
    text[0] = 'z';
    assert_text(copy, "a\0b");
    assert_int_equal(copy.p[3], '\0');
    assert_text(rdv_str_copy(arena, absent), "");
    assert_string_equal(rdv_cstring(arena, RDV_STR("abc")), "abc");
    assert_text(rdv_str_printf(arena, "%d/%s", 3, "x"), "3/x");
    assert_text(rdv_str_printf(arena, "%s", ""), "");
    rdv_arena_free(&arena);
}

static void test_copy__without_memory(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_alloc_fail_at(1);
    rdv_str copy = rdv_str_copy(arena, RDV_STR("abc"));
    assert_null(copy.p);
    assert_int_equal(copy.len, 0);
    assert_null(rdv_cstring(arena, RDV_STR("abc")));
    assert_null(rdv_str_printf(arena, "%d", 3).p);
    rdv_alloc_fail_at(0);
    rdv_arena_free(&arena);
}

static void test_is_in__as_strchr(void **state)
{
    const char set[] = " \t\n@A_`az{~\x7f";
    (void)state;
    for (int c = -128; c < 128; c++) {
        const char one[] = {(char)c, 'x'};
        bool is = c && strchr(set, c);
        assert_int_equal(RDV_IS_IN(c, " \t\n@A_`az{~\x7f"), is);
        assert_int_equal(rdv_skip_any(((rdv_str){one, 2}), 0, " \t\n@A_`az{~\x7f"), is);
    }
    assert_true(RDV_IS_IN('f', "0123456789abcdef"));
    assert_false(RDV_IS_IN('f', ""));
}

static void test_char_classes__are_ascii(void **state)
{
    (void)state;
    for (int c = -128; c < 128; c++) {
        char ch = (char)c;
        assert_int_equal(rdv_is_digit(ch), c >= '0' && c <= '9');
        assert_int_equal(rdv_is_space(ch), c > 0 && strchr(" \t\n\v\f\r", c) != NULL);
        assert_int_equal(rdv_is_alpha(ch), (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'));
        assert_int_equal(rdv_is_alnum(ch), rdv_is_alpha(ch) || rdv_is_digit(ch));
        assert_int_equal(rdv_lower(ch), c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
    }
}

/* From each place of texts of each length, with each byte at each place: as byte by byte. */
static void test_skip_letters_find_digit__as_one_by_one(void **state)
{
    char text[20];
    for (size_t len = 0; len <= sizeof text; len++)
        for (size_t at = 0; at < len; at++)
            for (int c = 0; c < 256; c++)
                for (int letters = 0; letters < 2; letters++) {
                    memset(text, letters ? 'q' : ' ', len);
                    text[at] = (char)c;
                    for (size_t i = 0; i <= len + 1; i += 3) {
                        size_t end = i, digit = i;
                        while (end < len && rdv_is_alpha(text[end]))
                            end++;
                        while (digit < len && !rdv_is_digit(text[digit]))
                            digit++;
                        rdv_str s = {text, len};
                        assert_int_equal(rdv_skip_letters(s, i), end);
                        assert_int_equal(rdv_find_digit(s, i), digit);
                    }
                }
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_head__whole_characters),
        cmocka_unit_test(test_slice__clips),
        cmocka_unit_test(test_lies_in__places_not_bytes),
        cmocka_unit_test(test_eq__bytes_not_places),
        cmocka_unit_test(test_cmp__orders_bytes_then_length),
        cmocka_unit_test(test_starts_ends),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_find__lengths),
        cmocka_unit_test(test_ifind__as_one_by_one),
        cmocka_unit_test(test_find__nowhere),
        cmocka_unit_test(test_trim),
        cmocka_unit_test(test_next_line),
        cmocka_unit_test(test_copy),
        cmocka_unit_test(test_copy__without_memory),
        cmocka_unit_test(test_is_in__as_strchr),
        cmocka_unit_test(test_char_classes__are_ascii),
        cmocka_unit_test(test_skip_letters_find_digit__as_one_by_one),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
