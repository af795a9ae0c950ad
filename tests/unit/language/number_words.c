/* SPDX-License-Identifier: Apache-2.0 */
/* Every number word has its value. */
#include "language/number_words.h"
#include "language/word_class.h"

#include "../test.h"

typedef bool (*reader)(rdv_str word, unsigned *out);

/* The words, separated by blanks, mean from, from + step, from + 2 step ... */
static size_t assert_count(reader read, const char *words, unsigned from, unsigned step)
{
    size_t n = 0;
    rdv_str rest = rdv_str_of(words);
    for (; rest.len; n++) {
        size_t blank = rdv_find_char(rest, ' ', 0);
        rdv_str word = rdv_slice(rest, 0, blank);
        unsigned value;
        if (!read(word, &value) || value != from + n * step)
            fail_msg("%.*s is not read as %zu", RDV_FMT(word), from + n * step);
        rest = blank == RDV_NOT_FOUND ? (rdv_str){0} : rdv_slice(rest, blank + 1, rest.len);
    }
    return n;
}

static size_t count(number_words_kind kind)
{
    size_t n = 0;
    while (number_words_at(kind, n).p)
        n++;
    return n;
}

static void test_numbers(void **state)
{
    (void)state;
    size_t n = assert_count(number_word,
                            "zero one two three four five six seven eight nine ten eleven twelve "
                            "thirteen fourteen fifteen sixteen seventeen eighteen nineteen",
                            0, 1);
    n += assert_count(number_word, "twenty thirty forty fifty sixty seventy eighty ninety", 20, 10);
    assert_int_equal(n, count(NUMBER_WORDS));
}

static void test_fractions(void **state)
{
    (void)state;
    size_t n = assert_count(fraction_word,
                            "half third quarter fifth sixth seventh eighth ninth tenth", 2, 1);
    n += assert_count(fraction_word,
                      "halves thirds quarters fifths sixths sevenths eighths ninths tenths", 2, 1);
    n += assert_count(fraction_word, "fourth fourths", 4, 0);
    n += assert_count(fraction_word, "twelfth twelfths", 12, 0);
    n += assert_count(fraction_word, "fifteenth fifteenths", 15, 0);
    n += assert_count(fraction_word, "sixteenth sixteenths", 16, 0);
    n += assert_count(fraction_word, "twentieth twentieths", 20, 0);
    n += assert_count(fraction_word, "hundredth hundredths", 100, 0);
    n += assert_count(fraction_word, "thousandth thousandths", 1000, 0);
    assert_int_equal(n, count(FRACTION_WORDS));
}

static void test_multiples(void **state)
{
    (void)state;
    size_t n = assert_count(multiple_word, "twice thrice quadruple", 2, 1);
    n += assert_count(multiple_word, "double triple", 2, 1);
    n += assert_count(multiple_word, "doubling tripling", 2, 1);
    assert_int_equal(n, count(MULTIPLE_WORDS));
}

static void test_ordinals(void **state)
{
    (void)state;
    size_t n = assert_count(ordinal_word,
                            "first second third fourth fifth sixth seventh eighth ninth tenth "
                            "eleventh twelfth thirteenth fourteenth fifteenth sixteenth "
                            "seventeenth eighteenth nineteenth twentieth",
                            1, 1);
    assert_int_equal(n, count(ORDINAL_WORDS));
    assert_string_equal(number_word_of(ORDINAL_WORDS, 3), "third");
    assert_string_equal(number_word_of(NUMBER_WORDS, 0), "zero");
    assert_null(number_word_of(ORDINAL_WORDS, 21));
}

static void test_factors(void **state)
{
    (void)state;
    size_t n = assert_count(factor_word, "halved tripled", 2, 1);
    n += assert_count(factor_word, "doubled triples", 2, 1);
    n += assert_count(factor_word, "doubles pair pairs couple", 2, 0);
    n += assert_count(factor_word, "dozen dozens", 12, 0);
    n += assert_count(factor_word, "hundred", 100, 0);
    assert_int_equal(n, count(GROUP_WORDS));
    assert_count(factor_word, "half third quarter", 2, 1);
    assert_count(factor_word, "twice thrice quadruple", 2, 1);
}

static void test_words__of_other_kinds(void **state)
{
    unsigned value;
    (void)state;
    assert_true(number_word(RDV_STR("Twelve"), &value));
    assert_int_equal(value, 12);
    assert_false(number_word(RDV_STR("twelfth"), &value));
    assert_false(number_word(RDV_STR("half"), &value));
    assert_false(fraction_word(RDV_STR("two"), &value));
    assert_false(multiple_word(RDV_STR("two"), &value));
    assert_false(number_word(RDV_STR(""), &value));
}

static void test_scales(void **state)
{
    unsigned power;
    (void)state;
    assert_true(scale_word(RDV_STR("Crores"), &power));
    assert_int_equal(power, 7);
    assert_false(scale_word(RDV_STR("millions"), &power));
    assert_int_equal(scale_word_in(RDV_STR("a hundred Millions"), 0), 2);
    assert_int_equal(scale_word_in(RDV_STR("a hundred Millions"), 3), 6);
    assert_int_equal(scale_word_in(RDV_STR("a dozen"), 0), 0);
    assert_true(rdv_str_eq(scale_of_letters(RDV_STR("Bn")), RDV_STR("billion")));
    assert_null(scale_of_letters(RDV_STR("km")).p);
}

/* Texts are searched for numbers in words by these classes. */
static void test_classes(void **state)
{
    static const unsigned classes[] = {[NUMBER_WORDS] = WORD_NUMBER,
                                       [FRACTION_WORDS] = WORD_FRACTION,
                                       [MULTIPLE_WORDS] = WORD_MULTIPLE,
                                       [GROUP_WORDS] = WORD_GROUP};
    unsigned value;
    (void)state;
    for (size_t k = 0; k < sizeof classes / sizeof *classes; k++)
        for (size_t i = 0; classes[k] && number_words_at(k, i).p; i++) {
            rdv_str word = number_words_at(k, i);
            bool factor = word_find(word) & (WORD_FRACTION | WORD_MULTIPLE | WORD_GROUP);
            assert_true(word_find(word) & classes[k]);
            assert_int_equal(factor, factor_word(word, &value));
        }
    assert_false(word_find(RDV_STR("first")) & (WORD_FRACTION | WORD_GROUP));
    assert_false(word_find(RDV_STR("thousand")) & WORD_GROUP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),   cmocka_unit_test(test_fractions),
        cmocka_unit_test(test_multiples), cmocka_unit_test(test_ordinals),
        cmocka_unit_test(test_factors),   cmocka_unit_test(test_words__of_other_kinds),
        cmocka_unit_test(test_scales),    cmocka_unit_test(test_classes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
