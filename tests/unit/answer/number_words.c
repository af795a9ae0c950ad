/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers in words: what a speller writes is read back. */
#include "../test.h"
#include "answer/digits.h"
#include "answer/number_words.h"
#include "language/number_words.h"

#include <stdio.h>
#include <string.h>

#define ROOM 400

static void add(char *out, const char *word)
{
    size_t len = strlen(out);
    snprintf(out + len, ROOM - len, "%s%s", len ? " " : "", word);
}

static void spell_below_100(char *out, unsigned n)
{
    static const char *const small[] = {"zero",    "one",     "two",       "three",    "four",
                                        "five",    "six",     "seven",     "eight",    "nine",
                                        "ten",     "eleven",  "twelve",    "thirteen", "fourteen",
                                        "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"};
    static const char *const tens[] = {"twenty", "thirty",  "forty",  "fifty",
                                       "sixty",  "seventy", "eighty", "ninety"};
    char word[40];
    if (n < 20)
        snprintf(word, sizeof word, "%s", small[n]);
    else
        snprintf(word, sizeof word, "%s%s%s", tens[n / 10 - 2], n % 10 ? "-" : "",
                 n % 10 ? small[n % 10] : "");
    add(out, word);
}

static void spell_below_1000(char *out, unsigned n, bool and)
{
    if (n >= 100) {
        spell_below_100(out, n / 100);
        add(out, "hundred");
    }
    if (n >= 100 && n % 100 && and)
        add(out, "and");
    if (n < 100 || n % 100)
        spell_below_100(out, n % 100);
}

static void spell(char *out, uint64_t n, bool and)
{
    static const char *const scales[] = {"trillion", "billion", "million", "thousand"};
    uint64_t scale = 1000000000000;
    *out = '\0';
    for (size_t i = 0; i < 4; i++, scale /= 1000)
        if (n >= scale) {
            spell_below_1000(out, (unsigned)(n / scale), and);
            add(out, scales[i]);
            n %= scale;
        }
    if (n || !*out)
        spell_below_1000(out, (unsigned)n, and);
}

static void test_number_words__are_read_back(void **state)
{
    (void)state;
    char words[ROOM];
    for (uint64_t i = 0; i < 40000; i++) {
        uint64_t n = i < 20000 ? i : i * 49999999 % 1000000000000000, got = 0;
        spell(words, n, i % 2);
        if (!number_words_read(rdv_str_of(words), &got) || got != n)
            fail_msg("\"%s\" is %llu, read %llu", words, (unsigned long long)n,
                     (unsigned long long)got);
    }
}

static void test_number_words__limits(void **state)
{
    (void)state;
    uint64_t got = 0;
    assert_true(number_words_read(
        RDV_STR("nine hundred ninety-nine trillion nine hundred ninety-nine thousand"), &got));
    assert_true(got == 999000000999000);
    assert_false(number_words_read(RDV_STR("one thousand trillion"), &got));
    assert_false(number_words_read(RDV_STR("five thousand million"), &got));
    assert_false(number_words_read(RDV_STR("five six"), &got));
    assert_false(number_words_read(RDV_STR("hundred five hundred"), &got));
    assert_false(number_words_read(RDV_STR(""), &got));
}

static rdv_str digits_in(const char *format, rdv_str word, rdv_arena *arena)
{
    size_t from = 0;
    return digits_of_words(rdv_str_printf(arena, format, RDV_FMT(word)), &from, arena);
}

static void test_digits__are_read_for_each_number_word(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; number_words_at(NUMBER_WORDS, i).p; i++) {
        rdv_str word = number_words_at(NUMBER_WORDS, i), got;
        unsigned value;
        assert_true(number_word(word, &value));
        got = digits_in("She has %.*s apples.", word, arena);
        assert_true(value == 1 || /* "one" may be a pronoun */
                    rdv_str_eq(got, rdv_str_printf(arena, "She has %u apples.", value)));
        got = digits_in("%.*s minutes past the clock", word, arena); /* a time of day */
        assert_true(rdv_starts(got, word));
    }
    for (size_t i = 0; number_words_at(SCALE_WORDS, i).p; i++)
        assert_true(
            rdv_has_digit(digits_in("It costs a %.*s.", number_words_at(SCALE_WORDS, i), arena)));
    rdv_str plain = RDV_STR("The shop sells 51 * 99 + 8 = 5056 pens, often to tense men.");
    size_t from = 0;
    assert_ptr_equal(digits_of_words(plain, &from, arena).p, plain.p);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_number_words__are_read_back),
        cmocka_unit_test(test_number_words__limits),
        cmocka_unit_test(test_digits__are_read_for_each_number_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
