/* SPDX-License-Identifier: Apache-2.0 */
/* The value of a calculation without a result: exact, or none. */
#include "decide/value_of.h"

#include "../test.h"

typedef struct row {
    const char *text, *value; /* NULL: it has none */
    const char *more;         /* its decimal; of none, a part of the reason */
} row;

static const row rows[] = {
    {"17 * 24", "408", NULL},
    {"17*24 =", "408", NULL},
    {"$17 \\times 24$", "408", NULL},
    {"$3 + $4", "7", NULL},
    {"2**10", "1024", NULL},
    {"15% of 80", "12", NULL},
    {"half of 48", "24", NULL},
    {"1,200 * 3", "3600", NULL},
    {"\\frac{1}{3}+\\frac16", "0.5", NULL},
    {"10/3", "10/3", "3.33333333333..."},
    {"(1+0.05)^10", "16679880978201/10240000000000", "1.62889462678..."},
    {"sqrt(2)", "1.41421356237...", NULL},
    {"7 mod 3", "1", NULL},
    {"10//3", "3", NULL},
    {"20!", "2432902008176640000", NULL},
    /* What can be read in more than one way, or not at all, has none. */
    {"8 / 1/4", NULL, "from left to right"},
    {"6/2(1+2)", NULL, "divisor"},
    {"-3^2", NULL, "negative number"},
    {"50 + 10%", NULL, "percentage"},
    {"3 hours + 20 minutes", NULL, "units"},
    {"60 km/h * 30 min", NULL, "units"},
    {"1/0", NULL, "not defined"},
    {"9^(9^9)", NULL, "limits"},
    {"log(100)", NULL, "limits"},
    {"10 % 3", NULL, "not read"},
    {"0x1F", NULL, "not read"},
    {"2 +", NULL, "not read"},
    {"x + 1", NULL, "not read"},
    {"three apples", NULL, "not read"},
    {"2 + 3 = 5", NULL, "states a result"},
    {"2 + 3\n4", NULL, "line"},
    {"  ", NULL, "empty"},
};

static void test_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        value_of_text out = {0};
        const char *why = NULL;
        int code = value_of(rdv_str_of(rows[i].text), arena, &out, &why, NULL);
        if (code != (rows[i].value ? RDV_OK : RDV_NONE))
            fail_msg("%s: %.*s (%s)", rows[i].text, RDV_FMT(out.value), why ? why : "");
        if (!rows[i].value && !strstr(why, rows[i].more))
            fail_msg("%s: %s", rows[i].text, why);
        if (rows[i].value) {
            bool rounded = rdv_ends(out.value, RDV_STR("..."));
            if (!rdv_str_eq(out.value, rdv_str_of(rows[i].value)) || out.exact == rounded)
                fail_msg("%s: %.*s", rows[i].text, RDV_FMT(out.value));
            assert_true(rdv_str_eq(out.decimal, rdv_str_of(rows[i].more)));
        }
        rdv_arena_free(&arena);
    }
}

static void test_a_long_text_has_none(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    char *text = rdv_alloc(arena, VALUE_OF_MAX + 2);
    value_of_text out;
    const char *why;
    memset(text, '1', VALUE_OF_MAX + 1);
    rdv_str sum = {text, VALUE_OF_MAX + 1};
    assert_int_equal(value_of(sum, arena, &out, &why, NULL), RDV_NONE);
    assert_non_null(strstr(why, "longer"));
    rdv_arena_free(&arena);
}

static void test_survives_no_memory(void **state)
{
    (void)state;
    value_of_text out;
    const char *why;
    rdv_arena *arena = rdv_arena_new(0);
    assert_survives_no_memory(value_of(RDV_STR("10/3 + 1"), arena, &out, &why, NULL) == RDV_OK,
                              rdv_arena_reset(arena));
    assert_text(out.value, "13/3");
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows),
        cmocka_unit_test(test_a_long_text_has_none),
        cmocka_unit_test(test_survives_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
