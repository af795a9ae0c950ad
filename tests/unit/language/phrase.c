/* SPDX-License-Identifier: Apache-2.0 */
#include "language/phrase.h"

#include "../test.h"
#include "base/str.h"
#include "language/number_words.h"
#include "language/word_class.h"

static void test_phrase_in__whole_words_in_any_case(void **state)
{
    static phrase_list list = {"no;not true;n't;x;\\ne"};
    assert_true(phrase_in(RDV_STR("Oh No, 3"), &list));
    assert_true(phrase_in(RDV_STR("it is NOT TRUE"), &list));
    assert_true(phrase_in(RDV_STR("5x"), &list));
    assert_true(phrase_in(RDV_STR("a\\ne b"), &list));
    assert_false(phrase_in(RDV_STR("note another piano"), &list));
    assert_false(phrase_in(RDV_STR("isn't"), &list));
    assert_false(phrase_in(RDV_STR("box next"), &list));
    assert_false(phrase_in(RDV_STR("not"), &list));
    assert_false(phrase_in(RDV_STR(""), &list));
}

static void test_phrase_in__stars_are_the_rest_of_a_word(void **state)
{
    static phrase_list list = {"assum*;*n't;*half*;***"};
    assert_true(phrase_in(RDV_STR("we Assumed it"), &list));
    assert_true(phrase_in(RDV_STR("isn't"), &list));
    assert_true(phrase_in(RDV_STR("behalves, halfway"), &list));
    assert_true(phrase_in(RDV_STR("a*b"), &list));
    assert_false(phrase_in(RDV_STR("reassumed"), &list));
    assert_false(phrase_in(RDV_STR("isn'tt"), &list));
}

static void test_phrase_classes_in__a_bit_for_each(void **state)
{
    static phrase_list list = {"base;in base\n"
                               "mod;modulo\n"
                               "base two"};
    assert_int_equal(phrase_classes_in(RDV_STR("the base"), &list), 1);
    assert_int_equal(phrase_classes_in(RDV_STR("modulo 5"), &list), 2);
    assert_int_equal(phrase_classes_in(RDV_STR("in base two, mod 5"), &list), 7);
    assert_int_equal(phrase_classes_in(RDV_STR("model"), &list), 0);
}

static void test_phrase_at__the_longest(void **state)
{
    static phrase_list list = {"or;rather;rather than;, since"};
    rdv_str text = RDV_STR("5, since 4 or rather than");
    size_t end;
    assert_int_equal(phrase_at(text, 14, &list), 11);
    assert_int_equal(phrase_at(text, 15, &list), 0);
    assert_int_equal(phrase_find(text, 0, &list, &end), 1);
    assert_int_equal(end, 8);
    assert_int_equal(phrase_find(text, 12, &list, &end), 14);
    assert_int_equal(phrase_find(text, 15, &list, &end), text.len);
    assert_int_equal(phrase_before(text, &list), 14);
    assert_int_equal(phrase_before(rdv_slice(text, 0, 13), &list), 11);
    assert_int_equal(phrase_before(rdv_slice(text, 0, 12), &list), 12);
}

static void test_word_find__number_words(void **state)
{
    unsigned value;
    for (size_t i = 0; number_words_at(NUMBER_WORDS, i).p; i++) {
        rdv_str word = number_words_at(NUMBER_WORDS, i);
        assert_true(number_word(word, &value));
        assert_true(word_find(word) & WORD_NUMBER);
    }
    assert_true(word_find(RDV_STR("Halves")) & WORD_FRACTION);
    assert_true(word_find(RDV_STR("TWICE")) & WORD_MULTIPLE);
    assert_int_equal(word_class(RDV_STR("thirteen")), 0);
    assert_int_equal(word_class(RDV_STR("Dozen")), WORD_BINDS_AFTER | WORD_BINDS_BEFORE);
    assert_int_equal(word_class(RDV_STR("K")), WORD_BINDS_BEFORE);
    assert_int_equal(word_find(RDV_STR("incomprehensibilities")), 0);
    assert_int_equal(word_find(RDV_STR("pencil")), 0);
    assert_int_equal(word_find(RDV_STR("")), 0);
}

static void test_word_find__each_letter_counts(void **state)
{
    static const char *const words[] = {"is",      "two",      "five",         "seven",
                                        "divided", "subtract", "factorization"};
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        char text[24];
        size_t n = strlen(words[w]);
        for (size_t i = 0; i < n; i++) {
            memcpy(text, words[w], n);
            text[i] = (char)(text[i] - 'a' + 'A');
            assert_int_equal(word_find((rdv_str){text, n}), word_find(rdv_str_of(words[w])));
            text[i] = 'q';
            assert_int_equal(word_find((rdv_str){text, n}), 0);
        }
        text[n] = 'q';
        assert_int_equal(word_find((rdv_str){text, n + 1}), 0);
    }
    assert_int_equal(word_class(RDV_STR("k")), WORD_BINDS_BEFORE);
    assert_int_not_equal(word_find(RDV_STR("a")), word_find(RDV_STR("A")));
}

/* A word that is one of the phrases may be among the words of a text that has it; most others are
 * not. */
static void test_phrase_may_be_among__each_that_is_one(void **state)
{
    static phrase_list lists[] = {{"no;not true;x;assumption"},
                                  {"assum*;yes"},
                                  {"no*"},
                                  {"*half;zero"},
                                  {"@root-noun"},
                                  {"of;to;a"}};
    static const char *const words[] = {"no",    "NO",     "not",  "nothing", "x",    "X",
                                        "of",    "Of",     "to",   "a",       "yes",  "assume",
                                        "half",  "behalf", "zero", "Zeros",   "root", "solution",
                                        "apple", "th",     "xx",   "isn't",   "e",    "assumption"};
    size_t none = 0;
    (void)state;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
            rdv_str word = rdv_str_of(words[i]);
            word_slots text = {{0}};
            word_slots_add(&text, word_slot(word));
            bool may = phrase_may_be_among(&text, &lists[k]);
            if (phrase_is(word, &lists[k]) && !may)
                fail_msg("%s of \"%s\"", words[i], lists[k].phrases);
            none += !may;
        }
    assert_true(none > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_phrase_in__whole_words_in_any_case),
        cmocka_unit_test(test_phrase_in__stars_are_the_rest_of_a_word),
        cmocka_unit_test(test_phrase_classes_in__a_bit_for_each),
        cmocka_unit_test(test_phrase_may_be_among__each_that_is_one),
        cmocka_unit_test(test_phrase_at__the_longest),
        cmocka_unit_test(test_word_find__number_words),
        cmocka_unit_test(test_word_find__each_letter_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
