/* SPDX-License-Identifier: Apache-2.0 */
/* What is passed over: texts that look like calculations. */
#include "../arena.h"
#include "../test.h"

#include "base/str.h"
#include "method/unread/unread_calculation.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct found {
    unread_calculation *at;
    size_t n;
} found;

static found find(const char *step, rdv_calc *calcs, size_t n, rdv_arena *arena)
{
    found f;
    calc_list list = {.at = calcs, .n = n};
    assert_int_equal(unread_calculations(rdv_str_of(step), &list, arena, &f.at, &f.n), RDV_OK);
    return f;
}

/* What looks like a calculation, its reason and what the reason is about. */
static void test_unread__by_hand(void **state)
{
    static const struct {
        const char *step, *text;
        rdv_unread_reason reason;
        const char *by;
    } cases[] = {
        {"So 150 / 2.5 = 61 km/h.", "150 / 2.5 = 61 km/h", RDV_UNREAD_UNIT, "km/h"},
        {"So 150 / 2.5 = 61 /h.", "150 / 2.5 = 61 /h", RDV_UNREAD_UNIT, "/h"},
        {"18 m/s * 10 s = 190 m", "18 m/s * 10 s = 190 m", RDV_UNREAD_UNIT, "m/s"},
        {"9 \xc2\xb0\x43 + 5 \xc2\xb0\x43 = 15 \xc2\xb0\x43",
         "9 \xc2\xb0\x43 + 5 \xc2\xb0\x43 = 15 \xc2\xb0\x43", RDV_UNREAD_UNIT, "\xc2\xb0\x43"},
        {"Er zahlt 120 \xc3\x97 4,50 Euro = 560 Euro.", "120 \xc3\x97 4,50 Euro = 560",
         RDV_UNREAD_DECIMAL_COMMA, "4,50"},
        {"0,125 * 8 = 1", "0,125 * 8 = 1", RDV_UNREAD_DECIMAL_COMMA, "0,125"},
        {"Now 48 plus 24 is 71.", "48 plus 24 is 71", RDV_UNREAD_WORDS, NULL},
        {"20% of 50 is $12", "20% of 50 is $12", RDV_UNREAD_WORDS, NULL},
        {"75 / 24 reduces to 25 / 8.", "75 / 24 reduces to 25 / 8", RDV_UNREAD_WORDS, NULL},
        {"A 20% surcharge on $50 is $12.", "20% surcharge on $50 is $12", RDV_UNREAD_WORDS, NULL},
        {"3 \\times 4 = 13", "3 \\times 4 = 13", RDV_UNREAD_MARKUP, NULL},
        {"340 / 7 is about 48.57, so 48.", "340 / 7 is about 48.57", RDV_UNREAD_APPROXIMATE, NULL},
        {"340 / 7 equals roughly 48.57", "340 / 7 equals roughly 48.57", RDV_UNREAD_APPROXIMATE,
         NULL},
        {"7 * 3 \xe2\x86\x92 21", "7 * 3 \xe2\x86\x92 21", RDV_UNREAD_ARROW, NULL},
        {"5% interest on $200 is $30", "5% interest on $200 is $30", RDV_UNREAD_WORDS, NULL},
        {"12 more than 30 is 40 or so", "12 more than 30 is 40", RDV_UNREAD_WORDS, NULL},
        {"So 4 * 4.2 * (350 - 300) = 850 J", "4 * 4.2 * (350 - 300) = 850 J", RDV_UNREAD_LETTERS,
         "J"},
        {"F = E/d = 98 J / 0.05 m = 1960 N", "98 J / 0.05 m = 1960 N", RDV_UNREAD_LETTERS, "J"},
        {"In plain A + plain B we have 2 + 3 = 5", "2 + 3 = 5", RDV_UNREAD_OTHER, NULL},
        {"2 for plain A + 3 for B = 6", "2 for plain A + 3 for B = 6", RDV_UNREAD_LETTERS, "A"},
        {"6 \\text{ jars} \\times 8 \\text{ eggs/jar} = 49 \\text{ eggs}",
         "6 \\text{ jars} \\times 8 \\text{ eggs/jar} = 49", RDV_UNREAD_MARKUP, NULL},
        {"h = (4.2e-16 eV\xc2\xb7s) / (10^-9 s) = 4.2e-7 eV",
         "4.2e-16 eV\xc2\xb7s) / (10^-9 s) = 4.2e-7", RDV_UNREAD_UNIT, "eV\xc2\xb7s"},
        {"k * E \xe2\x89\x88 1e7 * 1.5e-2 \xe2\x89\x88 1.6e5 J/K",
         "1e7 * 1.5e-2 \xe2\x89\x88 1.6e5 J/K", RDV_UNREAD_APPROXIMATE, NULL},
        {"2 * ( square root of 9 ) * 6 = 37", "2 * ( square root of 9 ) * 6 = 37", RDV_UNREAD_WORDS,
         NULL},
        {"3 + ($4) = -7", "3 + ($4) = -7", RDV_UNREAD_OTHER, NULL},
        {"20% of $25 is (2/100)*$25.", "20% of $25 is (2/100)*$25", RDV_UNREAD_WORDS, NULL},
        {"So 5 kg + 7 kg is 13 kg.", "5 kg + 7 kg is 13", RDV_UNREAD_WORDS, NULL},
        {"Ein Heft kostet 4,20 \xe2\x82\xac : 3 = 1,50 \xe2\x82\xac.",
         "4,20 \xe2\x82\xac : 3 = 1,50", RDV_UNREAD_DECIMAL_COMMA, "4,20"},
        {"Each gets 12 kg : 4 = 5 kg", "12 kg : 4 = 5", RDV_UNREAD_WORDS, NULL},
        {"2 times 4 h gives 9", "2 times 4 h gives 9", RDV_UNREAD_LETTERS, "h"},
        {"$\\overline{12} + 3 = 16$", "\\overline{12} + 3 = 16", RDV_UNREAD_MARKUP, NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_str step = rdv_str_of(cases[i].step);
        found f = find(cases[i].step, NULL, 0, *state);
        if (f.n != 1)
            fail_msg("%s: %zu texts", cases[i].step, f.n);
        rdv_str text = rdv_slice(step, f.at->begin, f.at->end);
        if (!rdv_str_eq(text, rdv_str_of(cases[i].text)) || f.at->reason != cases[i].reason)
            fail_msg("%s: \"%.*s\", reason %d", cases[i].step, RDV_FMT(text), (int)f.at->reason);
        if (cases[i].by && !rdv_str_eq(f.at->by, rdv_str_of(cases[i].by)))
            fail_msg("%s: by \"%.*s\"", cases[i].step, RDV_FMT(f.at->by));
    }
}

/* Equations, definitions, ranges, dates, names and lists are no calculations. */
static void test_unread__is_none(void **state)
{
    static const char *const steps[] = {
        "So she is 12 years old.",
        "The ratio at 5 km : 3 is fixed",
        "After 2-3 h is lunch, and 12 km is 3 h away",
        "A 5-day trip, and x = 3.",
        "f(x) = 2x + 1",
        "From 10-12 there is 1 hour",
        "Pages 2 - 3 pages is 5 words",
        "On 3/4 of May is 1 holiday",
        "Version 1.2-3 of it is 5 years old",
        "a = 3; 2 + 2; b = 4",
        "2x + 3 = 7",
        "2x - 5 = 0",
        "3 + x = 7",
        "x_1 + 3 = 7",
        "x + 16 + 18 = 48",
        "5a + 20 = 94 * 3",
        "65 + 2xy = 105",
        "3 * 4 = 2x",
        "0 + 8 = -8 + 8 + b",
        "1/4 \xc3\x97 48 = 1 \xc3\x97 y",
        "2 \\log_2 x + 3 = 9",
        "2x - 2\xce\xbb = 0",
        "(2-3, 4-1) = (-1, 3)",
        "the milk is 1/4 and water = 3/4",
        "dividing by 11/20 we get X = $1200",
        "A = (2 + 5) and B = (3 + 4)",
        "10 * (jar cost) + 16 * (half jar cost) = $98",
        "\\( a = 2 + 3 \\) or \\( b = 4 \\)",
        "He works M + 4 + 2 = 8 hours a day",
        "1/4 of the oranges = (1/4) * 240",
        "3/4 as much as a manicure = $100/3",
        "Multiplying 160 by 17/40 gives us 68",
        "3 * 53.25 = 10x 159.75 = 10x",
        "3 + 4 <= 9",
        "3 + 4 == 7",
        "3 + \"4\" = 7",
        "3 + 4 = #7",
        "",
        "=",
        "1 + 2 =",
    };
    for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
        found f = find(steps[i], NULL, 0, *state);
        if (f.n)
            fail_msg("%s: \"%.*s\"", steps[i],
                     RDV_FMT(rdv_slice(rdv_str_of(steps[i]), f.at->begin, f.at->end)));
    }
}

/* What stands far before the sign is no part of its calculation. */
static void test_unread__within_a_distance(void **state)
{
    char step[256];
    snprintf(step, sizeof step, "5%*s + 3 is 9", 100, "");
    assert_int_equal(find(step, NULL, 0, *state).n, 1);
    snprintf(step, sizeof step, "5%*s + 3 is 9", 130, "");
    assert_int_equal(find(step, NULL, 0, *state).n, 0);
}

/* A calculation that was read is not told again; the ones beside it are, each with its place. */
static void test_unread__beside_others(void **state)
{
    const char *step = "2 + 2 = 4 and 6 / 2 = 4 kg/m, then 7 * 2 = 15 m/s";
    rdv_calc first = {.begin = 0, .end = 9};
    found f = find(step, &first, 1, *state);
    assert_int_equal(f.n, 2);
    assert_true(rdv_str_eq(rdv_slice(rdv_str_of(step), f.at[0].begin, f.at[0].end),
                           RDV_STR("6 / 2 = 4 kg/m")));
    assert_true(rdv_str_eq(rdv_slice(rdv_str_of(step), f.at[1].begin, f.at[1].end),
                           RDV_STR("7 * 2 = 15 m/s")));
    rdv_str says = unread_calculations_say(f.at, f.n, rdv_str_of(step), *state);
    assert_true(rdv_str_eq(says, RDV_STR("not read (unit kg/m): 6 / 2 = 4 kg/m; and 1 more")));
    rdv_calc both[] = {{.begin = 0, .end = 9}, {.begin = 14, .end = 23}};
    assert_int_equal(find(step, both, 2, *state).n, 1);
    f = find(step, &both[1], 1, *state); /* before the one that is read, and behind it */
    assert_int_equal(f.n, 2);
    assert_int_equal(f.at[0].begin, 0);
    assert_true(f.at[1].begin > both[1].end);
}

/* Nothing behind the text is read, as the sanitizers see. */
static void test_unread__no_number(void **state)
{
    static const char *const texts[] = {"x", "no sign", "a = b"};
    rdv_arena *arena = *state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        found f;
        calc_list none = {0};
        size_t len = strlen(texts[i]);
        char *copy = malloc(len);
        assert_non_null(copy);
        memcpy(copy, texts[i], len);
        assert_int_equal(unread_calculations((rdv_str){copy, len}, &none, arena, &f.at, &f.n),
                         RDV_OK);
        assert_int_equal(f.n, 0);
        free(copy);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unread__by_hand),
        cmocka_unit_test(test_unread__is_none),
        cmocka_unit_test(test_unread__within_a_distance),
        cmocka_unit_test(test_unread__beside_others),
        cmocka_unit_test(test_unread__no_number),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
