/* SPDX-License-Identifier: Apache-2.0 */
/* What is passed over: texts that look like calculations. */
#include "../score/near.h"

#include "base/str.h"
#include "method/unread_calculation.h"

#include <stdio.h>

static void test_unread__by_hand(void **state)
{
    (void)state;
    static const struct {
        const char *step, *text, *unit;
    } cases[] = {
        {"So 150 / 2.5 = 61 km/h.", "150 / 2.5 = 61 km/h", "km/h"},
        {"So 150 / 2.5 = 61 /h.", "150 / 2.5 = 61 /h", "/h"},
        {"18 m/s * 10 s = 190 m", "18 m/s * 10 s = 190", NULL},
        {"9 \xc2\xb0\x43 + 5 \xc2\xb0\x43 = 15 \xc2\xb0\x43",
         "9 \xc2\xb0\x43 + 5 \xc2\xb0\x43 = 15 \xc2\xb0\x43", "\xc2\xb0\x43"},
        {"Now 48 plus 24 is 71.", "48 plus 24 is 71", NULL},
        {"20% of 50 is $12", "20% of 50 is $12", NULL},
        {"3 \\times 4 = 13", "3 \\times 4 = 13", NULL},
        {"340 / 7 is about 48.57, so 48.", "340 / 7 is about 48.57", NULL},
        {"5% interest on $200 is $30", "5% interest on $200 is $30", NULL},
        {"12 more than 30 is 40 or so", "12 more than 30 is 40", NULL},
        {"So she is 12 years old.", NULL, NULL},
        {"A 5-day trip, and x = 3.", NULL, NULL},
        {"f(x) = 2x + 1", NULL, NULL},
        {"From 10-12 there is 1 hour", NULL, NULL},
        {"a = 3; 2 + 2; b = 4", NULL, NULL},
        {"3 + 4 <= 9", NULL, NULL},
        {"3 + 4 == 7", NULL, NULL},
        {"3 + \"4\" = 7", NULL, NULL},
        {"3 + 4 = #7", NULL, NULL},
        {"3 + ($4) = -7", "3 + ($4) = -7", NULL},
        {"", NULL, NULL},
        {"=", NULL, NULL},
        {"1 + 2 =", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_str unit = RDV_STR("of before");
        rdv_str text = unread_calculation(rdv_str_of(cases[i].step), NULL, 0, &unit);
        if (!rdv_str_eq(text, rdv_str_of(cases[i].text)) ||
            !rdv_str_eq(unit, rdv_str_of(cases[i].unit)))
            fail_msg("%s: \"%.*s\", unit \"%.*s\"", cases[i].step, RDV_FMT(text), RDV_FMT(unit));
    }
}

/* What stands far before the sign is no part of its calculation. */
static void test_unread__within_a_distance(void **state)
{
    (void)state;
    char step[256];
    rdv_str unit;
    snprintf(step, sizeof step, "5%*s + 3 is 9", 100, "b");
    assert_non_null(unread_calculation(rdv_str_of(step), NULL, 0, &unit).p);
    snprintf(step, sizeof step, "5%*s + 3 is 9", 130, "b");
    assert_null(unread_calculation(rdv_str_of(step), NULL, 0, &unit).p);
}

/* A calculation that was read is not told again; one behind it is. */
static void test_unread__beside_others(void **state)
{
    (void)state;
    rdv_str unit, step = RDV_STR("2 + 2 = 4 and 6 / 2 = 4 kg/m");
    const rdv_calc first = {.begin = 0, .end = 9};
    rdv_str text = unread_calculation(step, &first, 1, &unit);
    assert_true(rdv_ends(text, RDV_STR("6 / 2 = 4 kg/m")));
    const rdv_calc both[] = {{.begin = 0, .end = 9}, {.begin = 14, .end = 23}};
    assert_null(unread_calculation(step, both, 2, &unit).p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unread__by_hand),
        cmocka_unit_test(test_unread__within_a_distance),
        cmocka_unit_test(test_unread__beside_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
