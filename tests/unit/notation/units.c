/* SPDX-License-Identifier: Apache-2.0 */
#include "notation/units.h"

#include "../test.h"
#include "base/str.h"

/* No glance at the first letters may hide one. */
static void test_unit_find__each_spelling(void **state)
{
    (void)state;
    unit_meaning m;
    rdv_str word;
    for (size_t i = 0; (word = unit_spelling(i)).p; i++)
        if (!unit_find(word, &m))
            fail_msg("not found: %.*s", RDV_FMT(word));
    assert_true(unit_find(RDV_STR("miles"), &m) && unit_find(RDV_STR("Inches"), &m));
}

static void test_unit_find__prefixes(void **state)
{
    static const struct {
        const char *word;
        int ten;
    } cases[] = {{"kPa", 3},         {"KB", 3},           {"mL", -3},          {"MHz", 6},
                 {"GPa", 9},         {"TB", 12},          {"\xc2\xb5m", -6},   {"\xce\xbcs", -6},
                 {"us", -6},         {"nF", -9},          {"pF", -12},         {"fs", -15},
                 {"hPa", 2},         {"dL", -1},          {"cm", -2},          {"kilometres", 3},
                 {"Megawatts", 6},   {"MILLILITERS", -3}, {"nanoseconds", -9}, {"microPa", -6},
                 {"centimeter", -2}, {"gigabytes", 9},    {"terajoule", 12},   {"hectopascals", 2}};
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        unit_meaning m;
        if (!unit_find(rdv_str_of(cases[i].word), &m) || m.ten != cases[i].ten)
            fail_msg("not found, or of another power: %s", cases[i].word);
    }
}

static void test_unit_find__no_unit(void **state)
{
    static const char *const words[] = {"",  "apples", "kapples", "kfoot", "kilo metres",
                                        "q", "xyz"};
    (void)state;
    unit_meaning m;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (unit_find(rdv_str_of(words[i]), &m))
            fail_msg("a unit: %s", words[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unit_find__each_spelling),
        cmocka_unit_test(test_unit_find__prefixes),
        cmocka_unit_test(test_unit_find__no_unit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
