/* SPDX-License-Identifier: Apache-2.0 */
/* Each row of rules/statements.rules reads its examples, and no row those that it leaves alone. */
#include <rederive/math.h>

#include "../test.h"
#include "base/str.h"
#include "claims/verbal_grammar.h"
#include "language/rule.h"

static bool is_statement(const verbal_grammar *g, rdv_str id)
{
    for (size_t i = 0; i < g->n; i++)
        if (rdv_str_eq(g->rows[i].id, id))
            return g->rows[i].states != STATES_NOTHING;
    return false;
}

/* "right" or "wrong VALUE" of the statements of the text, and their row into *row. */
static rdv_str what_is_stated(const verbal_grammar *g, rdv_str text, rdv_arena *arena, rdv_str *row)
{
    rdv_calc *calcs;
    size_t n;
    rdv_error err;
    rdv_calculator *c = rdv_calculator_new(arena, RDV_STR("How many?"));
    rdv_str out = RDV_STR("nothing");
    *row = (rdv_str){0};
    assert_non_null(c);
    assert_int_equal(rdv_calculator_step(c, text, &calcs, &n, &err), RDV_OK);
    for (size_t i = 0; i < n; i++) {
        if (!is_statement(g, calcs[i].read_by))
            continue;
        *row = calcs[i].read_by;
        if (calcs[i].kind == RDV_CALC_WRONG)
            out = rdv_str_printf(arena, "wrong %.*s", RDV_FMT(calcs[i].value));
        else if (rdv_str_eq(out, RDV_STR("nothing")))
            out = rdv_str_of(rdv_calc_name(calcs[i].kind));
    }
    rdv_calculator_free(&c);
    return out;
}

static size_t complain(const rule *row, rdv_str text, rdv_str got, rdv_str by)
{
    print_error("%.*s:%zu: %.*s: \"%.*s\" is read as %.*s by \"%.*s\"\n", RDV_FMT(row->file),
                row->line, RDV_FMT(row->id), RDV_FMT(text), RDV_FMT(got), RDV_FMT(by));
    return 1;
}

static void test_examples(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    const verbal_grammar *g = verbal_grammar_built_in();
    const rule_set *set = rdv_rules_new(arena);
    size_t bad = 0, rows = 0;
    rdv_str by;
    (void)state;
    assert_non_null(g);
    assert_non_null(set);
    for (size_t i = 0; i < g->n; i++) {
        const rule *row = &set->rules[set->verbal.first + i];
        if (!g->rows[i].states)
            continue;
        rows++;
        assert_true(row->n_fires > 0);
        for (size_t k = 0; k < row->n_fires; k++) {
            size_t colon = rdv_find_last(row->fires[k], RDV_STR(" : "));
            assert_true(colon != RDV_NOT_FOUND);
            rdv_str got = what_is_stated(g, rdv_slice(row->fires[k], 0, colon), arena, &by);
            if (!rdv_str_eq(by, row->id) ||
                !rdv_str_eq(got, rdv_slice(row->fires[k], colon + 3, row->fires[k].len)))
                bad += complain(row, row->fires[k], got, by);
        }
        for (size_t k = 0; k < row->n_silent; k++) {
            rdv_str got = what_is_stated(g, row->silent[k], arena, &by);
            if (by.p)
                bad += complain(row, row->silent[k], got, by);
        }
    }
    rdv_arena_free(&arena);
    assert_true(rows > 5);
    assert_int_equal(bad, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_examples)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
