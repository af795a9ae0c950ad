/* SPDX-License-Identifier: Apache-2.0 */
/* An explanation holds for the number that it explains and for no other: each text with the number,
 * and with one beside it. */
#include "explain/mismatch.h"

#include "../test.h"
#include "base/arena.h"
#include "base/str.h"
#include "expression/reading_eval.h"

static const struct {
    const char *text, *right, *wrong;
} texts[] = {
    /* other_arithmetic.c */
    {"In base 8, 5 + 4 = %s.", "11", "12"},
    {"On a clock, 9 + 8 = %s o'clock.", "5", "4"},
    /* noted.c */
    {"4 walls of 5 m x 2.5 m = %s.", "50 m^2", "40 m^2"},
    /* counted.c */
    {"3 wins + 5 draws = %s points.", "14", "7"},
    /* custom.c */
    {"Odds of 3-1 = %s.", "25%", "30%"},
    {"The team's record is 12-4 = %s.", "0.75", "0.65"},
    /* regroup.c */
    {"25 + 75 / 2 = %s", "50", "51"},
    /* typesetting.c */
    {"32 + 42 = %s", "25", "26"},
};

/* Is the only equality of the text explained? */
static bool is_explained(rdv_arena *arena, rdv_str text)
{
    uint64_t budget = 1 << 20;
    text_hints hints = {0}, none = {0};
    tokens t;
    equalities found = {0};
    assert_int_equal(lex(text, arena, &t), RDV_OK);
    assert_int_equal(find_equalities(&t, arena, &found), RDV_OK);
    assert_int_equal(found.n, 1);
    knowledge k = {
        .t = &t, .arena = arena, .budget = &budget, .hints = &hints, .question_hints = &none};
    fmpq_t l, r;
    fmpq_init(l);
    fmpq_init(r);
    const equality *e = &found.at[0];
    assert_int_equal(reading_eval_term_value(&k, &e->term[0], l), EVAL_OK);
    assert_int_equal(reading_eval_term_value(&k, &e->term[1], r), EVAL_OK);
    mismatch m = {.k = &k, .chain = e, .lhs = &e->term[0], .rhs = &e->term[1], .l = l, .r = r};
    const struct rule *by = NULL;
    bool explained = mismatch_explained(&m, &by) != NULL;
    fmpq_clear(l);
    fmpq_clear(r);
    return explained;
}

static void test_explanation__of_one_number(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        if (!is_explained(arena, rdv_str_printf(arena, texts[i].text, texts[i].right)))
            fail_msg("%s with %s is not explained", texts[i].text, texts[i].right);
        if (is_explained(arena, rdv_str_printf(arena, texts[i].text, texts[i].wrong)))
            fail_msg("%s with %s is explained", texts[i].text, texts[i].wrong);
        rdv_arena_free(&arena);
    }
}

static void test_combine__divides_by_no_zero(void **state)
{
    (void)state;
    fmpq_t a, b;
    fmpq_init(a);
    fmpq_init(b);
    fmpq_set_ui(a, 6, 1);
    assert_false(mismatch_combine(a, N_DIVIDE, b));
    fmpq_set_ui(b, 4, 1);
    assert_true(mismatch_combine(a, N_DIVIDE, b));
    fmpq_set_ui(b, 3, 2);
    assert_true(fmpq_equal(a, b));
    fmpq_clear(a);
    fmpq_clear(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_explanation__of_one_number),
        cmocka_unit_test(test_combine__divides_by_no_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
