/* SPDX-License-Identifier: Apache-2.0 */
/* Certificates: numbers as they are written, where they come from, and what is missing. */
#include "../score/near.h"

#include "method/certificate.h"
#include "method/number_token.h"

#include "base/arena.h"
#include "base/str.h"

#include <rederive/method.h>

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* The keys of all numbers of the text, separated by blanks. */
static const char *keys_of(const char *text, char *room, size_t size)
{
    number_token number;
    size_t used = 0;
    room[0] = '\0';
    for (size_t at = 0; number_token_next(rdv_str_of(text), &at, &number);)
        used += (size_t)snprintf(room + used, size - used, "%s%s", used ? " " : "", number.key);
    return room;
}

/* A run of hyphens is read in linear time: quadratic, it would take hours. */
static void test_numbers__time(void **state)
{
    enum { BYTES = 2 << 20 };
    char *text = malloc(BYTES);
    number_token number;
    size_t at = 0;
    clock_t begun = clock();
    assert_non_null(text);
    for (size_t i = 0; i < BYTES; i++)
        text[i] = i % 2 ? '-' : 'x';
    assert_false(number_token_next((rdv_str){text, BYTES}, &at, &number));
    assert_true(clock() - begun < 20 * CLOCKS_PER_SEC);
    free(text);
}

static void test_numbers(void **state)
{
    static const char *const cases[][2] = {
        {"48", "48E0"},
        {"1,200 and 1,20 and 12,345,678", "12E2 1E0 2E1 12345678E0"},
        {"$0.50, .5 and 05.0", "5E-1 5E-1 5E0"},
        {"0 00 0.0", "0E0 0E0 0E0"},
        {"x2 H2O 2x 3rd", "2E0 3E0"},
        {"Twelve boxes, twenty-five, a fifty-dollar bill", "12E0 25E0 5E1"},
        {"half, twice and thirds of a dozen", "2E0 2E0 3E0 12E0"},
        {"someone listens often", ""},
        {"12. 5", "12E0 5E0"},
        {"1 200, 1*200, 1$200", "1E0 2E2 1E0 2E2 1E0 2E2"},
        {"\xc2\xbd \xe2\x85\x93 \xe2\x85\x94 \xc2\xbc \xc2\xbe", "2E0 3E0 3E0 4E0 4E0"},
        {"\xe2\x85\x95 \xe2\x85\x96 \xe2\x85\x97 \xe2\x85\x98", "5E0 5E0 5E0 5E0"},
        {"\xe2\x85\x99 \xe2\x85\x9a \xe2\x85\x9b \xe2\x85\x9c \xe2\x85\x9d \xe2\x85\x9e",
         "6E0 6E0 8E0 8E0 8E0 8E0"},
        {"\xef\xbc\x90.\xef\xbc\x91\xef\xbc\x98\xef\xbc\x99", "189E-3"},
        {"two thousand and five, ninety six, a hundred", "2005E0 96E0 1E2"},
        {"thirty and six, one two, twelve-", "3E1 6E0 1E0 2E0 12E0"},
        {"2.5 million, 3 hundred, three millions", "25E5 3E2 3E0"},
        {"1e3, 2E-1, 4ever, 5e, 6e7x", "1E3 2E-1 4E0 5E0 6E0"},
        {"\xe3\x81\x95 5, \xef\xbc\x9a 6, \xef\xbd\x95",
         "5E0 6E0"}, /* a syllable, a colon, a letter */
        {"\xef\xbc\x94\xef\xbc\x96, 4\xef\xbc\x96", "46E0 46E0"},
        {"\xc2\xbd and \xc2\xbe", "2E0 4E0"},
        {"", ""},
    };
    char room[200];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(keys_of(cases[i][0], room, sizeof room), cases[i][1]);
    assert_int_equal(
        strncmp(keys_of("1111111111111111111111111111111111111111111", room, sizeof room), "long",
                4),
        0);
}

/* The gaps of a chain of at most three steps, separated by "; ". unfinished: why the chain is not
 * whole; NULL: it is. */
static const char *gaps_of(const char *question, const char *const steps[3], const char *answer,
                           const char *unfinished, char *room, size_t size)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str texts[3];
    rdv_chain chain = {.question = {.text = rdv_str_of(question)}, .steps = texts};
    if (unfinished)
        chain.unfinished = rdv_str_of(unfinished);
    for (; chain.n_steps < 3 && steps[chain.n_steps]; chain.n_steps++)
        texts[chain.n_steps] = rdv_str_of(steps[chain.n_steps]);
    rdv_check_options options;
    rdv_check check;
    rdv_error err;
    certificate made;
    rdv_check_options_default(&options, sizeof options);
    assert_int_equal(rdv_check_chain(rdv_method_named(RDV_STR("calculations")), &chain, &options,
                                     arena, &check, &err),
                     RDV_OK);
    assert_int_equal(certificate_of(&chain, &check, &(rdv_check_options){0},
                                    answer ? rdv_str_of(answer) : (rdv_str){0}, arena, &made, &err),
                     RDV_OK);
    assert_int_equal(made.certified, made.n_gaps == 0);
    size_t used = 0;
    room[0] = '\0';
    for (size_t i = 0; i < made.n_gaps; i++)
        used += (size_t)snprintf(room + used, size - used, "%s%d: %.*s", used ? "; " : "",
                                 made.gaps[i].step == RDV_WHOLE_CHAIN ? -1 : (int)made.gaps[i].step,
                                 RDV_FMT(made.gaps[i].why));
    rdv_arena_free(&arena);
    return room;
}

#define PENS "Ann has 3 boxes of twelve pens, gives 8 away, and sells 20% of the rest."
#define HEFTE "Anna kauft 6 Hefte zu 1,35 \xe2\x82\xac und 2 Stifte zu 0,50 \xe2\x82\xac."
#define ASSERTS_NOT "-1: the last step does not assert that the answer is 36"
#define NOT_FOUND_36 " is not in the question, and was not found; the latest result before is 36"
#define NOWHERE(number) number " is not in the question"

static void test_gaps(void **state)
{
    static const struct {
        const char *question, *steps[3], *answer, *gaps;
    } cases[] = {
        {PENS, {"3 * 12 = 36", "36 - 8 = 28", "The answer is 28."}, "28", ""},
        {PENS, {"1. 3 * 12 = 36", "Step 2: 36 - 8 = <<36-8=28>>28 pens", "n = 28"}, "$28.00", ""},
        {PENS, {"36 = 3 boxes * 12", "36 - 8 = 28", "28 * 0.2 = 5.6"}, "5.6", ""},
        {PENS, {"There are 36 pens (3 * 12 = 36).", "36 - 8 = 30 - 2 = 28"}, "28", ""},
        {PENS,
         {"3 * 12 = 36", "46 - 8 = 38", "The answer is 38."},
         "38",
         "1: 46 is not in the question, and was not found; the latest result before is 36"},
        {PENS, {"3 * 12 = $36", "There are 96 in all."}, "36", "1: 96" NOT_FOUND_36},
        {PENS, {"3 * 14 = 42"}, "42", "0: " NOWHERE("14")},
        /* decimal commas, which the answer may have too */
        {HEFTE, {"6 * 1,35 = 8,10", "2 * 0,50 = 1,00", "8,10 + 1,00 = 9,10"}, "9,10", ""},
        {HEFTE, {"6 * 1,35 = 8,10", "2 * 0,50 = 1,00", "8,10 + 1,00 = 9,10"}, "9.1", ""},
        {HEFTE,
         {"6 * 1,35 = 8,10", "7,10 + 1 = 8,10"},
         "8,10",
         "1: 7,10 is not in the question, and was not found; the latest result before is 8,10"},
        {PENS, {"36 = 4 * 9"}, "36", "0: " NOWHERE("4")},
        {PENS, {"3 * 12 = 36 and 5 are lost."}, "36", "0: " NOWHERE("5")},
        {PENS, {"3 * 12 = 38"}, "38", "0: 3 * 12 is 36, not 38"},
        {PENS,
         {"3 * 12 = 36", "36 + 24 = 60 in 24 hours"},
         "60",
         "1: 24 is not in the question, and was not found; the latest result before is 36"},
        {PENS, {"3 * 12 = 36", "36 / 24 = 1.5 in 24 hours"}, "1.5", ""}, /* a unit's, as a factor */
        {PENS, {"3 * 12 = 36", "36 - 20% = 28.8", "28.8 * 100% = 28.8"}, "28.8", ""},
        {PENS,
         {"3 * 12 = 36", "36 + 100 = 136"},
         "136",
         "1: 100 is not in the question, and was not found; the latest result before is 36"},
        {PENS, {"3 * 12 = 36", "Let x + 3 = 8."}, "36", "1: not read: Let x + 3 = 8."},
        /* what relates numbers in words that were not read is no support */
        {PENS,
         {"3 * 12 = 36", "A 20% share of 12 is 8."},
         "36",
         "1: not read: A 20% share of 12 is 8"},
        {PENS,
         {"3 * 12 = 36", "One box is 12, and 8 are left."},
         "36",
         "-1: the last step does not assert that the answer is 36"},
        {PENS, {"3 * 12 = 36", "There are 12 million pens."}, "36", "1: 12 million" NOT_FOUND_36},
        {PENS, {"3 * 12 = 36", "The total is\n96."}, "36", "1: 96" NOT_FOUND_36},
        {PENS,
         {"3 * 12 = 36", "36 + 8 \xe2\x86\x92 12"},
         "36",
         "1: not read: 36 + 8 \xe2\x86\x92 12"},
        {PENS,
         {"3 * 12 = 36", "So the answer is 12."},
         "36",
         "-1: the answer is 36, and the last step says that it is 12."},
        {PENS, {"3 * 12 = 36", "So the answer is 36 pens."}, "36", ""},
        {PENS, {"3 * 12 = 36", "The answer is 36 - 8 = 28 pens."}, "28", ""},
        {PENS, {"3 * 12 = 36", "36 + 8 \\to 12"}, "36", "1: not read: 36 + 8 \\to 12"},
        {PENS,
         {"3 * 12 = 36", "36 + 8, which is 12"},
         "36",
         "1: 36 + 8 is 44, not 12; -1: the answer is 36, and the latest result is 12"},
        {PENS, {"3 * 12 = 36", "20% of 36, which is 0.2 * 36 = 7.2"}, "7.2", ""},
        {PENS,
         {"\xef\xbc\x94\xef\xbc\x96 - 8 = 38"},
         "38",
         "0: " NOWHERE("\xef\xbc\x94\xef\xbc\x96")},
        /* a unit is a word, and a percentage is no number of a unit */
        {"3 footballers of Miles are centered.",
         {"3 * 12 = 36", "3 * 100 = 300"},
         "300",
         "0: " NOWHERE("12") "; 1: 100" NOT_FOUND_36},
        {"3 inches, feet, weekly hours",
         {"3 * 12 = 36", "36 * 7 = 252", "252 / 60 = 4.2"},
         "4.2",
         ""},
        {"300 dollars for a year", {"12% of 300 = 36"}, "36", "0: " NOWHERE("12")},
        {"5 quarters for a year", {"5 * 25 cents = 125 cents"}, "125 cents", ""},
        /* the answer is a value, not the last digits */
        {PENS, {"3/12 = 1/4"}, "0.25", ""},
        {PENS, {"3/12 = 1/4"}, "4", "-1: the answer is 4, and the latest result is 1/4"},
        {PENS, {"12/8 = 1 1/2"}, "2", "-1: the answer is 2, and the latest result is 1 1/2"},
        {PENS, {"3 * 12 = 30 + 6"}, "6", "-1: the answer is 6, and the latest result is 30 + 6"},
        {PENS,
         {"3 * 12 = 36 (12 + 12 + 12)"},
         "36",
         "0: undecided: 3 * 12 = 36 (12 + 12 + 12): right only with the bracket read as an aside"},
        {PENS, {"3 * 12 = 36 (12 three times)"}, "36", ASSERTS_NOT},
        {PENS, {"3 * 12 = 36", "The answer is not 36."}, "36", ASSERTS_NOT},
        {PENS, {"3 * 12 = 36", "Is the answer 36?"}, "36", ASSERTS_NOT},
        {PENS, {"3 * 12 = 36", "If we are right, the answer is 36."}, "36", ASSERTS_NOT},
        {PENS, {"3 * 12 = 36", "The answer is 36. No, that is wrong."}, "36", ASSERTS_NOT},
        {PENS, {"3 * 12 = 36. The answer cannot be 36."}, "36", ASSERTS_NOT},
        {PENS, {"3 * 12 = 36", "The slip has \"36\" on it."}, "36", ASSERTS_NOT},
        {PENS,
         {"3 * 12 = 36", "The slip has \xe2\x80\x9c"
                         "36\xe2\x80\x9d."},
         "36",
         ASSERTS_NOT},
        {PENS, {"3 * 12 = 36 pens that are not sold."}, "36", ""},
        {PENS, {"3 * 12 = 36 pens in all of them"}, "36", ""},
        {PENS, {"8 - 12 = -4 pens"}, "4", "-1: the answer is 4, and the latest result is -4"},
        {PENS, {"8 - 12 = -4 pens"}, "-4", ""},
        {PENS,
         {"3 * 12 = 36 minutes"},
         "36 hours",
         "-1: the answer is 36 hours, and the latest result is 36 minutes"},
        {PENS,
         {"3 * 12 = 36"},
         "36 thousand",
         "-1: the answer is 36 thousand, and the latest result is 36"},
        {PENS,
         {"3 * 12 = 36"},
         "more than 36",
         "-1: the answer is more than 36, and the latest result is 36"},
        {PENS, {"3 * 12 = 36"}, "28", "-1: the answer is 28, and the latest result is 36"},
        {PENS, {"3 * 12 = 36"}, NULL, "-1: there is no answer that could be read"},
        {PENS, {"She has 3."}, "3", "-1: there is no calculation"},
        {PENS, {NULL}, "3", "-1: there is no step; -1: there is no calculation"},
        {"",
         {"3 * 12 = 36"},
         "36",
         "-1: the question is not known; 0: 3 was not found, and there is no question"},
    };
    char room[600];
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_string_equal(
            gaps_of(cases[i].question, cases[i].steps, cases[i].answer, NULL, room, sizeof room),
            cases[i].gaps);
}

/* A last step asserts the answer in a closed form alone. */
static void test_gaps__of_the_last_step(void **state)
{
    static const char *const asserting[] = {
        "The answer is 28.", "So the answer is 28 pens.",
        "Therefore, the final answer is \\boxed{28}.", "Answer: 28", "#### 28",
        "<answer>28</answer>", "The answer is: **28 pens**.", "28", "n = 28", "28 pens are left.",
        "Ann now has 28 pens.", "So the number of pens that Ben bought back is 28.",
        "Thus, after Ben leaves, there are 28 pens in the 3 boxes.",
        "Hence she has a total of 28 pens to sell.", "The answer is\n28.",
        /* 答案是28。 */
        ("\xe7\xad\x94\xe6\xa1\x88\xe6\x98\xaf"
         "28\xe3\x80\x82")};
    static const char *const others[] = {"The answer is far from 28.",
                                         "28 is too many.",
                                         "28 fails.",
                                         "So 28 pens are too many.",
                                         "The answer is 28%",
                                         "The answer is 28 less than that.",
                                         "The answer is at least 28.",
                                         "The answer is 28 at most.",
                                         "The answer is half of 28.",
                                         "The answer is 28 or 29.",
                                         "The answer is 27, 28.",
                                         "The answer is 28 and a half.",
                                         "The answer is 28 dozen.",
                                         "The answer is 28 hours and 30 minutes.",
                                         "The answer is 28/3.",
                                         "The answer is 28x.",
                                         "The answer is > 28.",
                                         "Answer \\neq 28",
                                         "So he overshoots 28.",
                                         "The answer is 28. That is too many.",
                                         "The answer is 28. It fails.",
                                         "The answer is 28. Or 30."};
    char room[600];
    (void)state;
    for (size_t i = 0; i < sizeof asserting / sizeof *asserting; i++) {
        const char *const steps[3] = {"3 * 12 = 36", "36 - 8 = 28", asserting[i]};
        assert_string_equal(gaps_of(PENS, steps, "28", NULL, room, sizeof room), "");
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        const char *const steps[3] = {"3 * 12 = 36", "36 - 8 = 28", others[i]};
        assert_string_not_equal(gaps_of(PENS, steps, "28", NULL, room, sizeof room), "");
    }
}

/* What is missing may have taken everything back. */
static void test_gaps__of_a_chain_that_is_not_whole(void **state)
{
    static const char *const reasons[] = {"the reply was cut off before its end",
                                          "the labelling ended before the solution did"};
    static const char *const steps[3] = {"3 * 12 = 36", "36 - 8 = 28", "The answer is 28."};
    char room[200];
    (void)state;
    assert_string_equal(gaps_of(PENS, steps, "28", NULL, room, sizeof room), "");
    for (size_t i = 0; i < 2; i++)
        assert_string_equal(gaps_of(PENS, steps, "28", reasons[i], room, sizeof room),
                            "-1: the chain was cut off");
}

/* A check that reads a task's steps in full certifies only a chain of which it decided each. */
static void test_gaps__of_steps_that_were_not_checked(void **state)
{
    rdv_str steps[] = {RDV_STR("( ["), RDV_STR("( [ ]"), RDV_STR("So the answer is )."), {0}};
    rdv_chain chain = {
        .question = {.text = RDV_STR("Complete ( [.")}, .steps = steps, .n_steps = 3};
    (void)state;
    for (size_t n = 0; n <= 3; n++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_verdict verdicts[3];
        rdv_check check = {.method = RDV_STR("dyck"),
                           .verdicts = verdicts,
                           .n_verdicts = n,
                           .first_error = RDV_NO_STEP};
        certificate made;
        for (size_t i = 0; i < 3; i++)
            verdicts[i] = (rdv_verdict){.step = i, .kind = RDV_SUPPORT};
        assert_int_equal(certificate_of(&chain, &check, &(rdv_check_options){0}, RDV_STR(")"),
                                        arena, &made, NULL),
                         RDV_OK);
        assert_int_equal(made.certified, n == 3);
        assert_int_equal(made.n_gaps, n < 3);
        if (n < 3)
            assert_text(made.gaps[0].why, "not every step was checked");
        rdv_arena_free(&arena);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_numbers__time),
        cmocka_unit_test(test_gaps),
        cmocka_unit_test(test_gaps__of_the_last_step),
        cmocka_unit_test(test_gaps__of_a_chain_that_is_not_whole),
        cmocka_unit_test(test_gaps__of_steps_that_were_not_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
