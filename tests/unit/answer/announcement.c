/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of rules/answers.rules: each fires in its examples, and in none that it is silent in. */

#include "../test.h"
#include "answer/announcement.h"
#include "language/embedded_rules.h"

static void test_rows__are_read(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_error err = {0};
    rule_set *set = rule_set_new(arena);
    assert_non_null(set);
    if (rule_set_add(set, RDV_STR("answers.rules"), rules_embedded_text("answers.rules"), &err) !=
        RDV_OK)
        fail_msg("%s", err.msg);
    assert_true(set->n > 15);
    assert_non_null(announcement_rows());
    rdv_arena_free(&arena);
}

static void test_rows__examples(void **state)
{
    const rule_set *set = announcement_rows();
    size_t bad = 0;
    for (size_t i = 0; set && i < set->n; i++) {
        const rule *row = &set->rules[i];
        for (size_t k = 0; k < row->n_fires + row->n_silent; k++) {
            bool must = k < row->n_fires;
            rdv_str text = must ? row->fires[k] : row->silent[k - row->n_fires];
            if (announcement_row_says(row, text) == must)
                continue;
            print_error("%.*s: %s: %.*s\n", RDV_FMT(row->id), must ? "does not fire" : "fires",
                        RDV_FMT(text));
            bad++;
        }
    }
    assert_non_null(set);
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows__are_read),
        cmocka_unit_test(test_rows__examples),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
