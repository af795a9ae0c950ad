/* SPDX-License-Identifier: Apache-2.0 */
/* The hedge of an answer, and the answer without it. */
#include "answer/hedge.h"

#include "../test.h"

#define TEXT(literal)                                                                              \
    {                                                                                              \
        literal, sizeof(literal) - 1                                                               \
    }

static void test_hedge_of__cases(void **state)
{
    static const struct {
        rdv_str answer;
        hedge is;
        rdv_str bare;
    } cases[] = {
        {TEXT("5"), HEDGE_NONE, TEXT("5")},
        {TEXT("maybe 5"), HEDGE_DOUBT, TEXT("5")},
        {TEXT("about 5"), HEDGE_NEAR, TEXT("5")},
        {TEXT("about 5.39"), HEDGE_NONE, TEXT("5.39")},
        {TEXT("probably 5"), HEDGE_NONE, TEXT("probably 5")},
        {TEXT("5?"), HEDGE_DOUBT, TEXT("5")},
        {TEXT("5ish"), HEDGE_NEAR, TEXT("5")},
        {TEXT("5, maybe"), HEDGE_DOUBT, TEXT("5")},
        {TEXT("5 (maybe)"), HEDGE_DOUBT, TEXT("5")},
        {TEXT("5 - or so"), HEDGE_NEAR, TEXT("5")},
        {TEXT("about 5, I guess"), HEDGE_DOUBT, TEXT("5")},
        {TEXT("5 maybe?"), HEDGE_DOUBT, TEXT("5")},
        /* without an answer there is no hedge of it */
        {TEXT("(maybe)"), HEDGE_NONE, TEXT("(maybe)")},
        {TEXT("-maybe"), HEDGE_NONE, TEXT("-maybe")},
        {TEXT("maybe"), HEDGE_NONE, TEXT("maybe")},
        {TEXT(""), HEDGE_NONE, TEXT("")},
        /* a byte of an answer is not dropped with the blanks */
        {TEXT("5\0 maybe"), HEDGE_DOUBT, TEXT("5\0")},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_str bare;
        hedge is = hedge_of(cases[i].answer, &bare);
        if (is != cases[i].is || !rdv_str_eq(bare, cases[i].bare))
            fail_msg("%.*s: %d, \"%.*s\"", RDV_FMT(cases[i].answer), is, RDV_FMT(bare));
    }
}

/* What follows the last words that take back; where nothing does, their "no" or all of it. */
static void test_hedge_after_withdrawal__cases(void **state)
{
    static const struct {
        rdv_str text;
        rdv_kind kind;
        rdv_str after;
    } cases[] = {
        {TEXT("5. Wait, no, 6"), RDV_KIND_NUMBER, TEXT("6")},
        {TEXT("yes. Wait, no."), RDV_KIND_YESNO, TEXT("no.")},
        {TEXT("5. Wait, no."), RDV_KIND_NUMBER, TEXT("5. Wait, no.")},
        {TEXT("5, scratch that"), RDV_KIND_NUMBER, TEXT("5, scratch that")},
        {TEXT("a scratch that heals"), RDV_KIND_NUMBER, TEXT("heals")},
        {TEXT("5, make that 6"), RDV_KIND_NUMBER, TEXT("6")},
        {TEXT("make that a habit: 5"), RDV_KIND_NUMBER, TEXT("make that a habit: 5")},
        {TEXT("yes. Actually, no."), RDV_KIND_YESNO, TEXT("no.")},
        {TEXT("5. I actually no longer know"), RDV_KIND_NUMBER,
         TEXT("5. I actually no longer know")},
        {TEXT("5"), RDV_KIND_NUMBER, TEXT("5")},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(
            rdv_str_eq(hedge_after_withdrawal(cases[i].text, cases[i].kind), cases[i].after));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_hedge_of__cases),
        cmocka_unit_test(test_hedge_after_withdrawal__cases),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
