/* SPDX-License-Identifier: Apache-2.0 */
/* A cleaned answer without blanks, and the names of the left side of "NAME = VALUE". */
#include "../test.h"
#include "grade/clean.h"
#include "grade/name.h"
#include "base/arena.h"

static rdv_str squeezed(const char *cleaned, void (*squeeze)(rdv_str, rdv_buf *), rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    squeeze(rdv_str_of(cleaned), &b);
    assert_true(rdv_buf_ok(&b));
    return rdv_buf_str(&b);
}

/* Blanks of each kind go, at the end too; one between two words stays for text that is not read. */
static void test_answer_squeeze__blanks(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    assert_text(squeezed(" x\t+ 1\n", clean_squeeze, arena), "x+1");
    assert_text(squeezed("a cat \t", clean_squeeze_words, arena), "a cat");
    assert_text(squeezed("2 a\tcat", clean_squeeze_words, arena), "2 a cat");
    rdv_arena_free(&arena);
}

/* A fraction of two names in their braces is a quantity; what closes or opens alone is none. */
static void test_answer_is_quantity__braces(void **state)
{
    (void)state;
    assert_true(name_is_quantity(RDV_STR("\\frac{NO}{BO}")));
    assert_true(name_is_quantity(RDV_STR("\\frac{N_{1}}{B_{1}}")));
    assert_false(name_is_quantity(RDV_STR("\\frac}{NO}{BO}")));
    assert_false(name_is_quantity(RDV_STR("\\frac{{NO}{BO}")));
    assert_false(name_is_quantity(RDV_STR("\\frac{NO}")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answer_squeeze__blanks),
        cmocka_unit_test(test_answer_is_quantity__braces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
