/* SPDX-License-Identifier: Apache-2.0 */
/* Each built-in rule fires in its own examples, and not in those that it leaves alone. */
#include "language/rule.h"

#include "../test.h"
#include "base/buf.h"
#include "base/str.h"
#include "language/assertion.h"
#include "language/embedded_rules.h"

static const rdv_str claim = {"3 * 4 = 13", 10};

static rule_set *read_all(rdv_arena *arena)
{
    rdv_error err;
    rule_set *set = rule_set_new(arena);
    for (size_t i = 0; i < RULES_CONTEXT; i++)
        if (rule_set_add(set, rdv_str_of(rules_context[i]), rules_embedded_text(rules_context[i]),
                         &err) != RDV_OK)
            fail_msg("%s", err.msg);
    return set;
}

static void test_examples(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rule_set *set = read_all(arena);
    size_t bad = 0;
    (void)state;
    for (size_t i = 0; i < set->n; i++) {
        const rule *r = &set->rules[i];
        for (size_t k = 0; k < r->n_fires + r->n_silent; k++) {
            const char *fault = rule_example_fault(set, r, k);
            if (fault)
                print_error("%.*s:%zu: %.*s: %s example %zu\n", RDV_FMT(r->file), r->line,
                            RDV_FMT(r->id), fault, k);
            bad += fault != NULL;
        }
    }
    assert_true(set->n > 20);
    rdv_arena_free(&arena);
    assert_int_equal(bad, 0);
}

/* A row without which another one does the same in all its examples is not needed. */
static void test_rows_are_needed(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rule_set *set = read_all(arena);
    size_t bad = 0;
    (void)state;
    for (size_t i = 0; i < set->n; i++) {
        rule *r = &set->rules[i];
        bool needed = r->effect < EFFECT_DENIED || r->effect > EFFECT_RETRACTED;
        r->off = true;
        for (size_t k = 0; k < r->n_fires && !needed; k++) {
            size_t begin = rdv_find(r->fires[k], claim, 0);
            needed = !assertion_not(set, r->fires[k], begin, begin + claim.len);
        }
        r->off = false;
        if (!needed)
            print_error("%.*s:%zu: %.*s is not needed by its examples\n", RDV_FMT(r->file), r->line,
                        RDV_FMT(r->id));
        bad += !needed;
    }
    rdv_arena_free(&arena);
    assert_int_equal(bad, 0);
}

/* Cues of other effects, however many, leave room for a denial. */
static void test_denial_among_many_cues(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    (void)state;
    for (int before = 0; before <= 60; before += 20) {
        rdv_buf text;
        rdv_buf_init(&text, arena, 0);
        for (int i = 0; i < before; i++)
            rdv_buf_lit(&text, "if ");
        rdv_buf_lit(&text, "it is not true ");
        for (int i = before; i < 60; i++)
            rdv_buf_lit(&text, "if ");
        rdv_buf_lit(&text, "that ");
        assert_true(rdv_buf_ok(&text));
        rdv_str s = rdv_buf_str(&text);
        assert_non_null(assertion_denied(NULL, s, s.len));
    }
    rdv_arena_free(&arena);
}

/* A text is passed over by the beginnings of its words: whatever stands beside the word of a cue,
 * and however it is written, the cue is found. */
static void test_found_whatever_stands_beside(void **state)
{
    static const char *const words[][2] = {{"zo", "zo"},
                                           {"zo", "ZO"},
                                           {"zo*", "zo"},
                                           {"zo*", "zob"},
                                           {"zo*", "Zombie"},
                                           {"zork", "zork"},
                                           {"zor*", "zorkish"},
                                           {"z\xc3\xb6rn", "z\xc3\xb6rn"},
                                           {"n't", "isn't"},
                                           {"n't", "isn\xe2\x80\x99t"},
                                           {"'s", "that's"},
                                           {"\\land", "\\land"},
                                           {"\xc3\x97", "\xc3\x97"}};
    static const char *const before[] = {
        "", "(", "5 ", "**", "\\\\", "\\( ", "~", "l'eau ", "\xc3\xa9t\xc3\xa9 ", "$x$, "};
    static const char *const behind[] = {" ", " $", "  (", " \""};
    rdv_arena *arena = rdv_arena_new(0);
    (void)state;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++) {
        rule_set *set = rule_set_new(arena);
        rdv_str row =
            rdv_str_printf(arena, "## a\ncue: %s _\neffect: denied\nfires: x\n", words[w][0]);
        assert_int_equal(rule_set_add(set, RDV_STR("my.rules"), row, NULL), RDV_OK);
        for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
            for (size_t k = 0; k < sizeof behind / sizeof *behind; k++) {
                rdv_str lead = rdv_str_printf(arena, "%s%s%s", before[i], words[w][1], behind[k]);
                rdv_str text = rdv_str_printf(arena, "%.*s3 * 4 = 13", RDV_FMT(lead));
                if (!assertion_not(set, text, lead.len, text.len))
                    fail_msg("%s is not found in %.*s", words[w][0], RDV_FMT(text));
                assert_null(assertion_not(set, rdv_slice(text, lead.len, text.len), 0, 10));
            }
        }
    }
    rdv_arena_free(&arena);
}

static void assert_fault(const char *text, const char *message)
{
    rdv_error err;
    rdv_arena *arena = rdv_arena_new(0);
    rule_set *set = rule_set_new(arena);
    assert_int_equal(rule_set_add(set, RDV_STR("my.rules"), rdv_str_of(text), &err), RDV_E_INPUT);
    if (!strstr(err.msg, message))
        fail_msg("\"%s\" is not said: %s", message, err.msg);
    rdv_arena_free(&arena);
}

static void test_faults(void **state)
{
    (void)state;
    assert_fault("cue: no\n", "my.rules:1: a row begins with \"## NAME\"");
    assert_fault("## A b\n", "my.rules:1: \"A b\" is no name");
    assert_fault("## a\nqueue: no\n", "my.rules:2: a: a line is \"key: value\"");
    assert_fault("## a\ncue: @x _\n", "my.rules:2: a: there is no list of words \"@x\" above");
    assert_fault("## a\ncue: _\n", "my.rules:2: a: a cue has a word that must stand there");
    assert_fault("## a\ncue: no _ _\n", "my.rules:2: a: a cue has at most one \"_\"");
    assert_fault("## a\ncue: no ...\n", "my.rules:2: a: a cue has words on both sides");
    assert_fault("## a\ncue: (_) no\n", "my.rules:2: a: \"_\" and \"...\" stand without brackets");
    assert_fault("## a\npattern: A plus B\n", "my.rules:2: a: a pattern is for built-in rows");
    assert_fault("## a\ncue: no <start>\n", "my.rules:2: a: <start> stands at the beginning");
    assert_fault("## a\ncue: a b c d e f g h i j k l m n o p q\n", "at most 16 words");
    assert_fault("## a\ncue: no;;\n", "my.rules:2: a: a cue is empty");
    assert_fault("## a\ncue: two(words) _\n", "my.rules:2: a: \"two(words)\" is not one word");
    assert_fault("## a\neffect: proven\n", "my.rules:2: a: effect \"proven\" is not known");
    assert_fault("## a\nwhere: there\n", "my.rules:2: a: where is before or behind");
    assert_fault("## a\nunless: ever\n", "my.rules:2: a: unless is followed by counting");
    assert_fault("## a\nwords: b\n", "my.rules:2: a: words belong to a list");
    assert_fault("## @a\ncue: b\n", "my.rules:2: @a: a list of words has only words");
    assert_fault("## a\ncue: no _\neffect: denied\n",
                 "my.rules:1: a: there is no example in which it fires");
    assert_fault("## a\ncue: no\neffect: denied\nfires: x\n", "or its row says where");
    assert_fault("## a\ncue: no _\nwhere: before clause\neffect: denied\nfires: x\n",
                 "or its row says where");
    assert_fault("## a\neffect: denied\nfires: x\n", "my.rules:1: a: there is no cue");
    assert_fault("## a\ncue: no _\nfires: x\n", "my.rules:1: a: there is no effect");
    assert_fault("## a\ncue: no _\neffect: denied\nfires: x\n## a\n",
                 "my.rules:5: a stands in my.rules:1 already");
    assert_fault("## @a\nwords: x\n## @a\n", "my.rules:3: @a stands twice");
    assert_fault("## a\ncue: \xff _\n", "my.rules: byte 10 is not UTF-8");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_rows_are_needed),
        cmocka_unit_test(test_denial_among_many_cues),
        cmocka_unit_test(test_found_whatever_stands_beside),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
