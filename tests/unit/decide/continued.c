/* SPDX-License-Identifier: Apache-2.0 */
/* Steps that are only an equation, each of which goes on with the one before. */
#include <rederive/math.h>

#include <stdio.h>

#include "../test.h"
#include "base/str.h"

#define ASKED "Solve for x in the equation: "

/* The outcome of the last calculation of the second step; "none": it has none. */
static const char *outcome(const char *question, const char *first, const char *second)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_calculator *c = rdv_calculator_new(arena, rdv_str_of(question));
    rdv_calc *calcs;
    size_t n;
    assert_non_null(c);
    assert_int_equal(rdv_calculator_step(c, rdv_str_of(first), &calcs, &n, NULL), RDV_OK);
    assert_int_equal(rdv_calculator_step(c, rdv_str_of(second), &calcs, &n, NULL), RDV_OK);
    const char *is = n ? rdv_calc_name(calcs[n - 1].kind) : "none";
    rdv_calculator_free(&c);
    rdv_arena_free(&arena);
    return is;
}

static void test_steps(void **state)
{
    static const struct {
        const char *question, *first, *second, *is;
    } rows[] = {
        /* one side stays, and the other is another one */
        {ASKED "50=-7x", "50 = -7x", "50 = 7x", "wrong"},
        {ASKED "3/-8+x=-3/-4", "3/-8+x = -3/-4", "3/8+x = -3/-4", "wrong"},
        {ASKED "50=-7x", "50 = -7x", "-50 = 7x", "none"},
        /* not the question's equation, so it may be a case of another one */
        {"Solve |7x| = 50.", "50 = -7x", "50 = 7x", "none"},
        {ASKED "3s=200", "3s = 200", "3s = 240", "wrong"},
        /* a word may say more */
        {ASKED "50=-7x", "50 = -7x", "Case 2: 50 = 7x", "none"},
        /* the letter is lost */
        {ASKED "-5y+4-4=-2", "-5y+4-4 = -2", "-5 = -2", "wrong"},
        {ASKED "8=8+x-8", "8 = 8+x-8", "8 = 16-8", "undecided"},
        {"How many?", "8 = 8+x-8", "8 = 16-8", "right"},
        {ASKED "8=8+x-8", "8 = 8+x-8", "2 + 2 = 4", "right"},
        /* a bracket that was not opened */
        {ASKED "(-7-7)*-6=y/-6*-6", "(-7-7)*-6 = y/-6*-6", "(-7-7)*-6 = y]*-6", "none"},
    };
    (void)state;
    size_t bad = 0;
    static const char *const labels[][2] = {
        {"", ""}, {"Step 4: ", "Step 5: "}, {"**Step 9:** ", "**Step 10:** "}, {"", "Step 2: "}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        for (size_t l = 0; l < sizeof labels / sizeof *labels; l++) {
            char first[64], second[64];
            snprintf(first, sizeof first, "%s%s", labels[l][0], rows[i].first);
            snprintf(second, sizeof second, "%s%s", labels[l][1], rows[i].second);
            const char *is = outcome(rows[i].question, first, second);
            if (strcmp(is, rows[i].is) != 0) {
                print_error("%s: %s, then %s: %s, not %s\n", rows[i].question, first, second, is,
                            rows[i].is);
                bad++;
            }
        }
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_steps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
