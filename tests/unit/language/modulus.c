/* SPDX-License-Identifier: Apache-2.0 */
/* The numbers that a chain counts modulo. */
#include "language/modulus.h"

#include "../test.h"

static void assert_read(const char *text, size_t n, const unsigned long *is)
{
    moduli of = {0};
    moduli_add(&of, rdv_str_of(text));
    moduli_kept(&of);
    if (of.n != n)
        fail_msg("%zu moduli in \"%s\", not %zu", of.n, text, n);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(of.at[i], is[i]);
}

static void test_words(void **state)
{
    static const char *const texts[] = {"mod 7",
                                        "modulo 7",
                                        "m md mod modulus is $7$",
                                        "Mod 7",
                                        "Z_7",
                                        "\\mathbb{Z}/7",
                                        "\xe2\x84\xa4/7",
                                        "\xc3\xa4\xe2\x84\xa2 \xe2\x84\xa4_7",
                                        "\\mathbb{F}_7",
                                        "is divisible by 7",
                                        "a vivid proof: divisible by 7",
                                        "Divisible by 7 and divisible by 7"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_read(texts[i], 1, (const unsigned long[]){7});
}

static void test_none(void **state)
{
    static const char *const texts[] = {
        "",      "mod",      "mo",          "v",   "visible by 7", "mod p",
        "mod 1", "modern 7", "a mod b = 7", "Z 7", "7 divides 14"};
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        assert_read(texts[i], 0, NULL);
}

/* Those of one word in the order of the text, and words in the order of their list. */
static void test_order(void **state)
{
    (void)state;
    assert_read("mod 5, mod 7, mod 5", 3, (const unsigned long[]){5, 7, 5});
    assert_read("mod5modulo6modulus7mod mod 8", 4, (const unsigned long[]){5, 6, 7, 8});
    assert_read("Z_3, then mod 5", 2, (const unsigned long[]){5, 3});
}

/* The last ones are kept, however many texts there are. */
static void test_many_texts(void **state)
{
    moduli of = {0};
    (void)state;
    moduli_add(&of, RDV_STR("mod 4"));
    for (size_t i = 0; i < 3 * MODULI_TEXTS; i++)
        moduli_add(&of, i % 2 ? RDV_STR("mod 6") : RDV_STR("mod 5"));
    assert_int_equal(moduli_kept(&of), MODULI_MOST);
    assert_int_equal(of.n, 1 + 3 * MODULI_TEXTS);
    assert_int_equal(of.at[0], 6); /* the last one, in the place of the first */
    moduli_add(&of, RDV_STR("mod 9"));
    moduli_kept(&of);
    assert_int_equal(of.at[1], 9);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_words),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_many_texts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
