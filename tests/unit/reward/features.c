/* SPDX-License-Identifier: Apache-2.0 */
/* What is measured of steps: each family on steps written for it, and what holds for all. */
#include "chain.h"

#include "base/rng.h"
#include "reward/reward.h"

#include <math.h>
#include <stdio.h>
#include <time.h>

#define STEPS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* ---- what holds for all ---------------------------------------------------------------------- */

static void test_features__named_once_and_described(void **state)
{
    size_t n;
    const rdv_feature *f = rdv_features(&n);
    assert_true(n > 50);
    for (size_t i = 0; i < n; i++) {
        assert_true(strlen(f[i].about) > 3);
        assert_int_equal(feature_at(f[i].name), i);
    }
}

static const char *const walk[] = {
    "At the start: Ann: red, Bob: blue, Cy: green.",
    "Ann and Bob swap: Ann: blue, Bob: red, Cy: green.",
    "So 3 * 4 = 12, and \"ape\" < \"bee\" < [\"cat\" ? \"cow\"].",
    "",
    "The answer is 12.",
    NULL,
};

static void test_measure__a_row_knows_nothing_of_later_steps(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_chain chain = chain_of(arena, "Ann, Bob and Cy swap 3 balls. Who has the red one?", walk);
    size_t n;
    rdv_features(&n);
    float *all = measured(&chain, arena);
    for (size_t k = 1; k < chain.n_steps; k++) {
        rdv_chain part = chain;
        part.n_steps = k;
        float *rows = measured(&part, arena);
        assert_memory_equal(rows, all, k * n * sizeof *rows);
    }
    rdv_arena_free(&arena);
}

static void assert_finite(const float *rows, size_t n)
{
    for (size_t i = 0; i < n; i++)
        assert_false(isinf(rows[i]));
}

static void test_measure__any_bytes_give_finite_numbers(void **state)
{
    static const char alphabet[] = "aAb 1.,:;\"?()[]{}<>=\n\\^-'%\x80\xc3\xa9\xff";
    rdv_rng rng;
    size_t n;
    rdv_features(&n);
    rdv_rng_seed(&rng, 7);
    for (size_t k = 0; k < 300; k++) {
        char text[4][120];
        rdv_str steps[3];
        rdv_arena *arena = rdv_arena_new(0);
        for (size_t s = 0; s < 4; s++)
            for (size_t i = 0; i < sizeof text[s]; i++)
                text[s][i] = alphabet[rdv_rng_below(&rng, sizeof alphabet - 1)];
        for (size_t s = 0; s < 3; s++)
            steps[s] = (rdv_str){text[s], rdv_rng_below(&rng, sizeof text[s])};
        rdv_chain chain = {.question = {.text = {text[3], 60}}, .steps = steps, .n_steps = 3};
        assert_finite(measured(&chain, arena), 3 * n);
        rdv_arena_free(&arena);
    }
}

static void test_measure__no_question_and_no_steps(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_chain chain = {0};
    measured(&chain, arena);
    rdv_str step = RDV_STR("2 + 2 = 5");
    chain = (rdv_chain){.steps = &step, .n_steps = 1};
    assert_value(measured(&chain, arena), 0, "calc_wrong", 1);
    rdv_arena_free(&arena);
}

static void test_measure__every_failing_allocation_is_told(void **state)
{
    rdv_arena *arena = rdv_arena_new(0), *made = rdv_arena_new(0);
    rdv_chain chain = chain_of(made, "Ann, Bob and Cy swap 3 balls. Who has the red one?", walk);
    float *rows;
    assert_survives_no_memory(rdv_features_measure(&chain, arena, &rows, NULL) == RDV_OK,
                              rdv_arena_reset(arena));
    rdv_arena_free(&arena);
    rdv_arena_free(&made);
}

/* ---- agreement and form ---------------------------------------------------------------------- */

static void test_measure__numbers_from_nowhere(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_chain chain =
        chain_of(arena, "A box holds 1,200 pens. How many are in 3 boxes?",
                 STEPS("There are 3 boxes of 1200 pens.", "That is 3600.0 and 77.", "3600 it is."));
    float *rows = measured(&chain, arena);
    assert_value(rows, 0, "numbers", 2);
    assert_value(rows, 0, "numbers_new", 0);
    assert_value(rows, 0, "numbers_asked_share", 1);
    assert_value(rows, 1, "numbers_new", 2);
    assert_value(rows, 2, "numbers_new", 0); /* the same number however it is written */
    assert_value(rows, 2, "result_used", 0); /* the last one was 77 */
    rdv_arena_free(&arena);
}

static void test_measure__repetition(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_chain chain = chain_of(
        arena, "Why?",
        STEPS("one two three four", "five six seven", "one two three four", "one two three four"));
    float *rows = measured(&chain, arena);
    assert_true(isnan(value_of(rows, 0, "same_as_before")));
    assert_value(rows, 1, "same_as_earlier", 0);
    assert_value(rows, 2, "same_as_before", 0);
    assert_value(rows, 2, "same_as_earlier", 1);
    assert_value(rows, 3, "same_as_before", 1);
    assert_value(rows, 2, "trigrams_earlier", 1);
    assert_value(rows, 2, "trigrams_before", 0);
    rdv_arena_free(&arena);
}

static void test_measure__log_probabilities(void **state)
{
    double token[] = {-1, -3};
    rdv_logprobs logprobs[] = {{token, 2}, {NULL, 0}};
    rdv_arena *arena = rdv_arena_new(0);
    rdv_chain chain = chain_of(arena, "Why?", STEPS("a b", "c d"));
    chain.logprobs = logprobs;
    float *rows = measured(&chain, arena);
    assert_value(rows, 0, "logprob_mean", -2);
    assert_value(rows, 0, "logprob_least", -3);
    assert_true(isnan(value_of(rows, 1, "logprob_mean")));
    rdv_arena_free(&arena);
}

/* ---- consistency ----------------------------------------------------------------------------- */

static void test_consistency__swaps(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_chain chain = chain_of(arena, "Ann, Bob and Cy hold balls.",
                               STEPS("At the start: Ann: red, Bob: blue, Cy: green.",
                                     "Ann and Bob swap: Ann: blue, Bob: red, Cy: green.",
                                     "Bob and Cy swap: Ann: red, Bob: green, Cy: blue.",
                                     "Ann and Cy swap: Ann: green, Bob: green, Cy: red.",
                                     "Ann and Bob swap: Ann: green, Bob: green, Cy: red."));
    float *rows = measured(&chain, arena);
    assert_value(rows, 1, "broken", 0);
    assert_value(rows, 1, "assigned_held", 3);
    assert_value(rows, 2, "assigned_unsaid", 1); /* Ann's */
    assert_value(rows, 2, "broken_first", 1);
    assert_value(rows, 3, "assigned_twice", 1);
    assert_value(rows, 3, "assigned_lost", 1); /* blue */
    assert_value(rows, 4, "assigned_kept", 2); /* they swap, and nothing changes */
    assert_value(rows, 4, "broken_first", 0);
    rdv_arena_free(&arena);
}

static void test_consistency__ranks(void **state)
{
    const char *rest = "then third, fourth, and fifth can be any book.";
    char well[200], wrong[200], unfounded[300], from_the_end[300];
    snprintf(well, sizeof well,
             "The red book is the leftmost. So: first is the red book, then second can be any "
             "book, %s",
             rest);
    snprintf(wrong, sizeof wrong,
             "The blue book is the second from the right. So: first is the red book, then second "
             "can be any book, then third can be any book, then fourth can be any book, then fifth "
             "is the blue book.");
    snprintf(unfounded, sizeof unfounded,
             "The gray book is to the left of the blue book. So: first is the red book, then "
             "second is the gray book, %s",
             rest);
    snprintf(from_the_end, sizeof from_the_end,
             "The blue book is the second from the right. So: first is the red book, then second "
             "can be any book, then third can be any book, then fourth is the blue book, and fifth "
             "can be any book.");
    rdv_arena *arena = rdv_arena_new(0);
    rdv_chain chain = chain_of(arena, "Five books, one red, one blue, one gray.",
                               STEPS(well, wrong, unfounded, from_the_end));
    float *rows = measured(&chain, arena);
    assert_value(rows, 0, "rank_held", 1);
    assert_value(rows, 0, "rank_broken", 0);
    assert_value(rows, 1, "rank_broken", 1);
    assert_value(rows, 2, "rank_unfounded", 1);
    assert_value(rows, 3, "rank_held", 1);
    assert_value(rows, 3, "rank_broken", 0);
    rdv_arena_free(&arena);
}

static void test_consistency__listings(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_chain chain =
        chain_of(arena, "cow ape bee axe",
                 STEPS("We have (1) [\"ape\" ? \"axe\"] < (2) \"bee\" < (3) \"cow\".",
                       "Look at [\"ape\" ? \"axe\"] by their second letters. The second letter: "
                       "\"ape\": \"p\" (16). \"axe\": \"x\" (23).",
                       "So (16) \"axe\" < (24) \"ape\" for the subpart.",
                       "Hence \"ape\" < \"axe\" < \"bee\".", "The answer is ape axe bee"));
    float *rows = measured(&chain, arena);
    assert_value(rows, 0, "order_held", 2);
    assert_value(rows, 0, "listing_held", 1);
    assert_value(rows, 1, "spelling_held", 1);
    assert_value(rows, 1, "spelling_broken", 1); /* x is the 24th */
    assert_value(rows, 2, "order_broken", 1);
    assert_value(rows, 2, "listing_held", 1);   /* the two of the step before */
    assert_value(rows, 3, "listing_broken", 1); /* cow is missing */
    assert_value(rows, 4, "listing_held", 1);   /* the answer says the latest chain */
    rdv_arena_free(&arena);
}

static void test_consistency__brackets(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_chain chain =
        chain_of(arena, "( [ ]",
                 STEPS("stack: empty", "( ; stack: (", "[ ; stack: ( [", "] ; stack: ( [",
                       "Now we have reached the end. The final stack is \"( [\".",
                       "We need \"]\", \")\". So the answer is ] )"));
    float *rows = measured(&chain, arena);
    assert_value(rows, 1, "bracket_broken", 0);
    assert_value(rows, 2, "bracket_broken", 0);
    assert_value(rows, 2, "bracket_held", 2);
    assert_value(rows, 3, "bracket_broken", 1); /* "]" was not cancelled */
    assert_value(rows, 4, "bracket_broken", 0); /* it says the run before, right or wrong */
    assert_value(rows, 5, "bracket_broken", 0);
    rdv_arena_free(&arena);
}

/* Articles are passed over before a value; 8 steps of 20000 would take minutes for each pair. */
static void test_measure__time_is_linear(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    static char text[40001];
    for (size_t i = 0; i < 40000; i += 2)
        memcpy(text + i, "a ", 2);
    rdv_chain chain =
        chain_of(arena, "Who?", STEPS(text, text, text, text, text, text, text, text));
    clock_t began = clock();
    measured(&chain, arena);
    assert_true((double)(clock() - began) / CLOCKS_PER_SEC < 5);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_features__named_once_and_described),
        cmocka_unit_test(test_measure__a_row_knows_nothing_of_later_steps),
        cmocka_unit_test(test_measure__any_bytes_give_finite_numbers),
        cmocka_unit_test(test_measure__no_question_and_no_steps),
        cmocka_unit_test(test_measure__every_failing_allocation_is_told),
        cmocka_unit_test(test_measure__time_is_linear),
        cmocka_unit_test(test_measure__numbers_from_nowhere),
        cmocka_unit_test(test_measure__repetition),
        cmocka_unit_test(test_measure__log_probabilities),
        cmocka_unit_test(test_consistency__swaps),
        cmocka_unit_test(test_consistency__ranks),
        cmocka_unit_test(test_consistency__listings),
        cmocka_unit_test(test_consistency__brackets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
