/* SPDX-License-Identifier: Apache-2.0 */
/* The rows of rules/answers.rules: each fires in its examples, and in none that it is silent in. */

#include "../test.h"
#include "answer/announcement.h"
#include "language/embedded_rules.h"

#include <stdio.h>
#include <string.h>

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

/* The row of the effect that the word behind `before` is found by. */
static const rule *row_behind(const char *before, rdv_str word, rule_effect effect)
{
    char text[200];
    size_t end;
    snprintf(text, sizeof text, "%s%.*s 5", before, RDV_FMT(word));
    return announcement_row_at(rdv_str_of(text), strlen(before), 1u << effect, &end);
}

/* A cue of one word is found without tokens where its word follows a blank, and by tokens
 * elsewhere: both find the same row, and none within another token. */
static void test_row_at__of_one_word(void **state)
{
    static const char *const same[] = {"", " ", "5 ", "one\n", "(", "5-"};
    static const char *const within[] = {"\\", "\xc3\xa9", "x"};
    const rule_set *set = announcement_rows();
    size_t n = 0;
    assert_non_null(set);
    for (size_t i = 0; i < set->n_anchors; i++) {
        const cue *c = &set->cues[set->anchors[i].cue].pattern;
        rdv_str word = set->anchors[i].word;
        rule_effect effect = set->rules[set->cues[set->anchors[i].cue].rule].effect;
        bool letters = word.len > 2 && rdv_skip_letters(word, 0) == word.len;
        if (!letters || c->n != 1 || effect < EFFECT_TURNED || effect == EFFECT_CLASS)
            continue;
        const rule *row = row_behind(" ", word, effect);
        assert_non_null(row);
        for (size_t k = 0; k < sizeof same / sizeof *same; k++)
            assert_ptr_equal(row_behind(same[k], word, effect), row);
        for (size_t k = 0; k < sizeof within / sizeof *within; k++)
            assert_null(row_behind(within[k], word, effect));
        n++;
    }
    assert_true(n > 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_rows__are_read),
        cmocka_unit_test(test_rows__examples),
        cmocka_unit_test(test_row_at__of_one_word),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
