/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of rules/words.rules: each has a phrase in its examples, and none where it is silent. */

#include "../test.h"
#include "language/embedded_rules.h"
#include "language/phrase.h"
#include "language/rule.h"

#include <stdio.h>
#include <stdlib.h>

static size_t bad_examples_of(const rule *row)
{
    char phrases[ROW_ID_MOST + 2];
    size_t bad = 0;
    snprintf(phrases, sizeof phrases, "@%.*s", RDV_FMT(row->id));
    phrase_list list = {phrases};
    for (size_t k = 0; k < row->n_fires + row->n_silent; k++) {
        bool must = k < row->n_fires;
        rdv_str text = must ? row->fires[k] : row->silent[k - row->n_fires];
        if (phrase_in(text, &list) == must)
            continue;
        print_error("%.*s: %s: %.*s\n", RDV_FMT(row->id), must ? "does not fire" : "fires",
                    RDV_FMT(text));
        bad++;
    }
    free(list.index);
    return bad + !row->n_fires + !row->n_silent;
}

static void test_rows__examples(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_error err = {0};
    rule_set *set = rule_set_new(arena);
    assert_non_null(set);
    rdv_str text = rules_embedded_text("words.rules");
    if (rule_set_list(set, EFFECT_CLASS, RDV_STR("words.rules"), text, &err) != RDV_OK)
        fail_msg("%s", err.msg);
    size_t bad = 0;
    for (size_t i = 0; i < set->n; i++)
        bad += bad_examples_of(&set->rules[i]);
    assert_true(set->n > 0);
    assert_int_equal(bad, 0);
    rdv_arena_free(&arena);
}

/* A list may have rows and phrases of its own, in classes. */
static void test_list__of_rows(void **state)
{
    static phrase_list list = {"@concluding;in short\n@of-a-reason"};
    assert_int_equal(phrase_classes_in(RDV_STR("Hence 3"), &list), 1);
    assert_int_equal(phrase_classes_in(RDV_STR("In short, 3"), &list), 1);
    assert_int_equal(phrase_classes_in(RDV_STR("thus 3, because 4"), &list), 3);
    assert_int_equal(phrase_classes_in(RDV_STR("@concluding"), &list), 0);
}

static void test_phrase_is__the_whole_text(void **state)
{
    static phrase_list list = {"is;is not;divid*"}; /* a shorter one stands first */
    assert_true(phrase_is(RDV_STR("Is"), &list));
    assert_true(phrase_is(RDV_STR("is not"), &list));
    assert_true(phrase_is(RDV_STR("dividing"), &list));
    assert_false(phrase_is(RDV_STR("is it"), &list));
    assert_false(phrase_is(RDV_STR("it is"), &list));
    assert_false(phrase_is(RDV_STR(""), &list));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows__examples),
        cmocka_unit_test(test_list__of_rows),
        cmocka_unit_test(test_phrase_is__the_whole_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
