/* SPDX-License-Identifier: Apache-2.0 */
/* Every verb with every word that may stand with it: each claims what 340 - 17 is. */
#include "claims/connective.h"

#include "../test.h"
#include "base/arena.h"
#include "base/str.h"

#include <rederive/math.h>

#include <string.h>

static const char *const verbs[] = {"is",
                                    "=",
                                    "\xe2\x89\x88",
                                    "equals",
                                    "is equal to",
                                    "is equivalent to",
                                    "is the same as",
                                    "gives",
                                    "gives us",
                                    "makes",
                                    "yields",
                                    "yields us",
                                    "leaves",
                                    "leaves us",
                                    "leaves us with",
                                    "leaves with",
                                    "results in",
                                    "amounts to",
                                    "comes to",
                                    "comes out to",
                                    "comes out to be",
                                    "turns out to be",
                                    "works out to",
                                    "adds up to",
                                    "totals"};
static const char *const hedges[] = {"",        "about",  "approximately", "approx", "approx.",
                                     "roughly", "around", "nearly",        "almost"};
static const char *const operations[] = {"340 - 17", "340 minus 17"};

#define COUNT(table) (sizeof(table) / sizeof *(table))

/* What the only calculation of the text is; -1: there is none, or more than one. */
static int outcome(rdv_arena *arena, rdv_str text)
{
    rdv_calculator *calculator = rdv_calculator_new(arena, (rdv_str){0});
    rdv_calc *calcs;
    size_t n;
    assert_non_null(calculator);
    assert_int_equal(rdv_calculator_step(calculator, text, &calcs, &n, NULL), RDV_OK);
    int is = n == 1 ? (int)calcs[0].kind : -1;
    rdv_calculator_free(&calculator);
    return is;
}

static void check(const char *operation, const char *verb, const char *hedge)
{
    static const char *const after[] = {"", " with", " us"};
    rdv_arena *arena = rdv_arena_new(0);
    const char *blank = *hedge ? " " : "";
    rdv_str right = rdv_str_printf(arena, "%s %s%s%s 323.", operation, verb, blank, hedge);
    rdv_str wrong = rdv_str_printf(arena, "%s %s%s%s 403.", operation, verb, blank, hedge);
    if (outcome(arena, right) != RDV_CALC_RIGHT || outcome(arena, wrong) != RDV_CALC_WRONG)
        fail_msg("%.*s", RDV_FMT(right));
    for (size_t i = 0; i < COUNT(after); i++) { /* what is not the result's number */
        rdv_str text = rdv_str_printf(arena, "%s %s%s%s%s twice 403.", operation, verb, blank,
                                      hedge, after[i]);
        if (outcome(arena, text) != -1)
            fail_msg("%.*s", RDV_FMT(text));
    }
    rdv_arena_free(&arena);
}

static void test_connective__each_verb_with_each_hedge(void **state)
{
    for (size_t i = 0; i < COUNT(operations); i++)
        for (size_t k = 0; k < COUNT(verbs); k++)
            for (size_t h = 0; h < COUNT(hedges); h++)
                check(operations[i], verbs[k], hedges[h]);
}

/* A verb claims only what an operation comes to. A sign beside two numbers claims something that
 * may be meant as a contradiction. */
static void test_connective__a_number_alone_claims_nothing(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t k = 0; k < COUNT(verbs); k++)
        if (outcome(arena, rdv_str_printf(arena, "So 340 %s 17.", verbs[k])) !=
            (strcmp(verbs[k], "=") == 0 ? (int)RDV_CALC_UNDECIDED : -1))
            fail_msg("%s", verbs[k]);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_connective__each_verb_with_each_hedge),
        cmocka_unit_test(test_connective__a_number_alone_claims_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
