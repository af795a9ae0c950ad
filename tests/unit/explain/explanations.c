/* SPDX-License-Identifier: Apache-2.0 */
/* Rows that explain a mismatch: each row explains its own examples and leaves the others wrong, and
 * a faulty row is told with its place. */
#include "explain/explanation.h"

#include "../test.h"
#include "base/str.h"
#include "language/embedded_rules.h"
#include "language/rule.h"

#include <rederive/math.h>

/* Has a calculation of the text this outcome, by this rule (p == NULL: whichever)? */
static bool has(const rdv_rules *rules, rdv_str text, rdv_calc_kind kind, rdv_str id)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_calculator *c = rdv_calculator_new(arena, (rdv_str){0});
    rdv_calc *calcs;
    size_t n;
    bool found = false;
    assert_non_null(c);
    rdv_calculator_set_rules(c, rules);
    assert_int_equal(rdv_calculator_step(c, text, &calcs, &n, NULL), RDV_OK);
    for (size_t i = 0; i < n; i++)
        found |= calcs[i].kind == kind && (!id.p || rdv_str_eq(calcs[i].rule, id));
    rdv_calculator_free(&c);
    rdv_arena_free(&arena);
    return found;
}

static size_t complain(const rule *row, const char *what, rdv_str text)
{
    print_error("%.*s:%zu: %.*s %s \"%.*s\"\n", RDV_FMT(row->file), row->line, RDV_FMT(row->id),
                what, RDV_FMT(text));
    return 1;
}

/* Before the others: rows that cannot be read are none at all for the program. */
static void test_built_in_rows_are_read(void **state)
{
    rdv_error err;
    rdv_arena *arena = rdv_arena_new(0);
    explanations *all = explanations_new(arena);
    (void)state;
    assert_non_null(all);
    for (size_t i = 0; i < RULES_EXPLAIN; i++)
        if (explanations_add(all, rdv_str_of(rules_explain[i]),
                             rules_embedded_text(rules_explain[i]), &err) != RDV_OK)
            fail_msg("%s", err.msg);
    rdv_arena_free(&arena);
}

static void test_examples(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rule_set *set = rdv_rules_new(arena);
    const explanations *all = explanations_built_in();
    size_t bad = 0;
    (void)state;
    assert_non_null(set);
    assert_non_null(all);
    assert_true(all->n > 50);
    assert_int_equal(set->explanations.n, all->n);
    for (size_t i = 0; i < all->n; i++) {
        rule *row = &set->rules[set->explanations.first + i];
        assert_true(rdv_str_eq(row->id, all->at[i].id));
        assert_true(row->n_fires > 0);
        assert_true(row->n_silent > 0 || all->at[i].check);
        for (size_t k = 0; k < row->n_fires; k++) {
            if (!has(set, row->fires[k], RDV_CALC_UNDECIDED, row->id))
                bad += complain(row, "does not explain", row->fires[k]);
            row->off = true;
            if (has(set, row->fires[k], RDV_CALC_UNDECIDED, row->id))
                bad += complain(row, "is switched off, and explains", row->fires[k]);
            row->off = false;
        }
        for (size_t k = 0; k < row->n_silent; k++)
            if (!has(set, row->silent[k], RDV_CALC_WRONG, (rdv_str){0}))
                bad += complain(row, "leaves nothing wrong in", row->silent[k]);
    }
    rdv_arena_free(&arena);
    assert_int_equal(bad, 0);
}

static void assert_fault(const char *text, const char *message)
{
    rdv_error err;
    rdv_arena *arena = rdv_arena_new(0);
    explanations *all = explanations_new(arena);
    assert_int_equal(explanations_add(all, RDV_STR("my.rules"), rdv_str_of(text), &err),
                     RDV_E_INPUT);
    if (!strstr(err.msg, message))
        fail_msg("\"%s\" is not said: %s", message, err.msg);
    rdv_arena_free(&arena);
}

static void test_faults(void **state)
{
    (void)state;
    assert_fault("## a\ncue: b\n",
                 "my.rules:2: a: a line is \"key: value\", with one of words, why, said");
    assert_fault("## a\nshape: a +\n", "my.rules:2: a: \"a +\" is no formula");
    assert_fault("## a\nshape: a + b = c +\n", "my.rules:2: a: \"c +\" is no formula");
    assert_fault("## a\nholds: l\n", "my.rules:2: a: \"l\" is no condition");
    assert_fault("## a\nholds: whole\n", "my.rules:2: a: \"whole\" is no condition");
    assert_fault("## a\nholds: l = r;\n", "my.rules:2: a: \"\" is no condition");
    assert_fault("## a\nholds: l <= \n", "my.rules:2: a: \"\" is no formula");
    assert_fault("## a\nsides: both\n", "my.rules:2: a: sides is \"either\"");
    assert_fault("## a\ncheck: all\n", "my.rules:2: a: check \"all\" is not known");
    assert_fault("## a\nnear: ...\n", "my.rules:2: a: a cue has words on both sides");
    assert_fault("## a\nwhy: b\n", "my.rules:1: a: nothing has to hold");
    assert_fault("## a\nholds: l = r\n", "my.rules:1: a: there is no \"why\"");
    assert_fault("## a\nwhy: b\nholds: n = r\n", "my.rules:1: a: no cue has a number, \"#\"");
    assert_fault("## a\nwhy: b\nshape: a\nholds: b = r\n",
                 "my.rules:1: a: the shape has no letter \"b\"");
    assert_fault("## a\nwhy: b\nholds: 2 * l = r\n## a\n", "my.rules:4: a stands twice");
}

static void test_combine__divides_by_no_zero(void **state)
{
    (void)state;
    fmpq_t a, b;
    fmpq_init(a);
    fmpq_init(b);
    fmpq_set_ui(a, 6, 1);
    assert_false(mismatch_combine(a, N_DIVIDE, b));
    fmpq_set_ui(b, 4, 1);
    assert_true(mismatch_combine(a, N_DIVIDE, b));
    fmpq_set_ui(b, 3, 2);
    assert_true(fmpq_equal(a, b));
    fmpq_clear(a);
    fmpq_clear(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_built_in_rows_are_read),
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_faults),
        cmocka_unit_test(test_combine__divides_by_no_zero),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
