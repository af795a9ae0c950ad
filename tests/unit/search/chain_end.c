/* SPDX-License-Identifier: Apache-2.0 */
/* At which step a chain ends, and with which answer. */
#include "search/chain_end.h"

#include "../test.h"
#include "base/str.h"

#define STEPS_MOST 24
#define NOT_ENDED "(goes on)"

typedef struct ending {
    const char *steps;  /* one a line */
    const char *answer; /* with which the last ends the chain, none before it does; NOT_ENDED */
} ending;

static size_t cut(const char *lines, rdv_str *steps)
{
    rdv_str rest = rdv_str_of(lines), line;
    size_t n = 0;
    while (rdv_next_line(&rest, &line))
        steps[n++] = line;
    assert_true(n > 0 && n <= STEPS_MOST);
    return n;
}

/* The chain is written step by step: no step before the last ends it. */
static void assert_ends(rdv_profile profile, const rdv_question *question, const ending *e)
{
    rdv_str steps[STEPS_MOST];
    rdv_answer answer = {.text = RDV_STR(NOT_ENDED)};
    size_t n = cut(e->steps, steps);
    for (size_t i = 1; i < n; i++)
        if (chain_end_answer(profile, question, steps, i, &answer) != RDV_NONE)
            fail_msg("step %zu ends: %s", i, e->steps);
    int r = chain_end_answer(profile, question, steps, n, &answer);
    if (r != (strcmp(e->answer, NOT_ENDED) ? RDV_OK : RDV_NONE))
        fail_msg("%s: %s", r == RDV_OK ? "ends" : "goes on", e->steps);
    if (!rdv_str_eq(answer.text, rdv_str_of(e->answer)))
        fail_msg("\"%.*s\", not \"%s\"", RDV_FMT(answer.text), e->answer);
}

static const rdv_question plain = {.text = RDV_STR("How many pens are there?")},
                          word = {.text = RDV_STR("Which word?"), .kind = RDV_KIND_TEXT},
                          brackets = {.text = RDV_STR("Close the brackets that are still open, in "
                                                      "the right order: [ (")};

static void test_chain_end__announcements(void **state)
{
    static const ending endings[] = {
        {"3 + 4 = 7\nSo the answer is 7.", "7"},
        {"3 + 4 = 7\nThe final answer is 7 pens.", "7"},
        {"3 + 4 = 7\n**Answer:** 7", "7"},
        {"3 + 4 = 7\nFinal answer: 7", "7"},
        {"3 + 4 = 7\n#### 7", "7"},
        {"3 + 4 = 7\n\\[ \\boxed{7} \\]", "7"},
        {"3 + 4 = 7\n<answer>7</answer>", "7"},
        {"3 + 4 = 7\nDie Antwort lautet 7.", "7"},
        {"3 + 4 = 7\nSo the answer is 7. Let me check: 7 - 4 = 3.", "7"},
        {"3 + 4 = 7\nThe final answer is:\n7 pens", "7"},
        {"3 + 4 = 7\n### Final Answer\n7", "7"},
        {"3 + 4 = 7\nThe answer is:\n\\[\n\\boxed{7}\n\\]", "7"},
        {"3 + 4 = 7\nThe answer is:\n$$\n7\n$$", "7"},
        {"3 + 4 = 7\nThe answer is \\[\n7\n\\]", "7"},
        {"\\[\n3 + 4 = 7\n\\]\nThe answer is 7.", "7"},
        {"Answer: 7", "7"},
        {"Suppose the answer is 6.\nThat is too few.\nSo the answer is 7.", "7"},
    };
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        assert_ends(RDV_ROBUST, &plain, &endings[i]);
}

static void test_chain_end__goes_on(void **state)
{
    static const char *const steps[] = {
        "3 + 4 = 7",
        "So there are 7 pens.",
        "The answer is unknown.",
        "It cannot be determined how many there are.",
        "Suppose the answer is 7.",
        "Many would say that the answer is 7.",
        "So the answer is 7. But wait, I forgot the 3 others.",
        "The final answer is:",
        "**Answer:**",
        "Put it into \\(\\boxed{}\\).",
        "Answer: First, we add the 3 pens and the 4 pens that Ann has.",
        "Let us see.\n#### Case 1: Ann has 3 pens",
        "Let us see.\nWe now calculate the answer:\n1. Add 3 and 4.",
        "Let us see.\nThe answer is:\n\\[\n\\boxed{7}",
        "Let us see.\n### Final Answer\nThe amount in the remaining 24 liters is:",
        "A: red, B: blue, C: green",
        "- **A**: 5 pens",
        "So the answer is",
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
        assert_ends(RDV_ROBUST, &plain, &(ending){steps[i], NOT_ENDED});
    assert_ends(RDV_ROBUST, &word,
                &(ending){"Answer: First, we look at what the words of it say.", NOT_ENDED});
}

/* Of a chain whose earlier steps stand, only the last one ends it. */
static void test_chain_end__last_step_alone(void **state)
{
    static const rdv_str steps[] = {{"So the answer is 7.", 19}, {"We check it: 3 + 4 = 7.", 23}};
    rdv_answer answer;
    assert_int_equal(chain_end_answer(RDV_ROBUST, &plain, steps, 2, &answer), RDV_NONE);
    assert_int_equal(chain_end_answer(RDV_PAPER, &plain, steps, 2, &answer), RDV_NONE);
}

/* A box with a value that is none of the options is no choice yet. */
static void test_chain_end__options(void **state)
{
    static rdv_str options[] = {{"red", 3}, {"blue", 4}};
    const rdv_question q = {
        .text = RDV_STR("Which?"), .kind = RDV_KIND_OPTION, .options = options, .n_options = 2};
    assert_ends(RDV_ROBUST, &q,
                &(ending){"\\boxed{x = 7}\nThat is blue.\nThe answer is (B).", "B"});
}

/* What is open for longer than displays are was never meant to be closed. */
static void test_chain_end__display_never_closed(void **state)
{
    static const ending e = {"\\[\n1\n2\n3\n4\n5\n6\n7\n8\n9\n0\n1\n2\n3\n4\n5\n"
                              "The answer is 7",
                              "7"};
    assert_ends(RDV_ROBUST, &plain, &e);
}

static void test_chain_end__of_nothing(void **state)
{
    static const char *const announced[] = {"So the answer is", "The answer is", "the answer is "},
                             *const others[] = {"",
                                                "he answer is",
                                                "So he answer is",
                                                "She answer is",
                                                "xhe answer is",
                                                "an answer"};
    for (size_t i = 0; i < sizeof announced / sizeof *announced; i++) {
        assert_ends(RDV_PAPER, &plain, &(ending){announced[i], ""});
        assert_ends(RDV_ROBUST, &word, &(ending){announced[i], ""});
        assert_ends(RDV_ROBUST, &brackets, &(ending){announced[i], ""});
    }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        rdv_str step = rdv_str_of(others[i]);
        rdv_answer answer;
        assert_int_equal(chain_end_answer(RDV_PAPER, &word, &step, 1, &answer), RDV_NONE);
        assert_int_equal(chain_end_answer(RDV_ROBUST, &word, &step, 1, &answer), RDV_NONE);
    }
}

/* The paper's profile knows one phrase, whatever it says, and takes the rest of its line. */
static void test_chain_end__papers_words(void **state)
{
    static const ending endings[] = {
        {"3 + 4 = 7\nSo the answer is 7 pens.", "7 pens"},
        {"The answer is unknown.", "unknown"},
        {"Suppose the answer is 7.", "7"},
        {"The answer is: \\boxed{7}.", "\\boxed{7}"},
        {"The final answer is 7.", NOT_ENDED},
        {"Final answer: 7", NOT_ENDED},
        {"\\boxed{7}", NOT_ENDED},
        {"#### 7", NOT_ENDED},
        {"**Answer:** 7", NOT_ENDED},
    };
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        assert_ends(RDV_PAPER, &plain, &endings[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_chain_end__announcements),
        cmocka_unit_test(test_chain_end__goes_on),
        cmocka_unit_test(test_chain_end__last_step_alone),
        cmocka_unit_test(test_chain_end__options),
        cmocka_unit_test(test_chain_end__display_never_closed),
        cmocka_unit_test(test_chain_end__of_nothing),
        cmocka_unit_test(test_chain_end__papers_words),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
