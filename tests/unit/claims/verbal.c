/* SPDX-License-Identifier: Apache-2.0 */
/* Each row of rules/verbal.rules reads its own examples, and none of those that it leaves alone. */
#include "../test.h"
#include "base/str.h"
#include "claims/verbal.h"
#include "claims/verbal_reading.h"
#include "expression/eval.h"
#include "expression/print.h"
#include "language/embedded_rules.h"

static verbal_grammar *read_grammar(rdv_arena *arena)
{
    rdv_error err;
    verbal_grammar *g = verbal_grammar_new(arena);
    assert_non_null(g);
    for (size_t i = 0; i < RULES_VERBAL; i++)
        if (verbal_grammar_add(g, rdv_str_of(rules_verbal[i]), rules_embedded_text(rules_verbal[i]),
                               &err) != RDV_OK)
            fail_msg("%s", err.msg);
    return g;
}

static bool value_of(const tokens *t, const node *n, fmpq_t out)
{
    uint64_t budget = 1000000;
    evaluation ev = {.t = t, .budget = &budget};
    return eval_exact(&ev, n, out) == EVAL_OK;
}

/* "right" or "wrong VALUE" of the first claim that is read in the text; its row into *row. */
static rdv_str what_is_read(const verbal_grammar *g, rdv_str text, rdv_arena *arena,
                            const verbal_row **row)
{
    tokens t;
    verbal_claim c;
    fmpq_t said, claimed;
    rdv_str out = RDV_STR("nothing");
    *row = NULL;
    assert_int_equal(lex(text, arena, &t), RDV_OK);
    if (verbal_first_claim(g, &t, arena, &c) != RDV_OK)
        return out;
    *row = c.row;
    fmpq_init(said);
    fmpq_init(claimed);
    if (value_of(&t, c.sides[c.inverted].root, said) &&
        value_of(&t, c.sides[!c.inverted].root, claimed))
        out = fmpq_equal(said, claimed)
                  ? RDV_STR("right")
                  : rdv_str_printf(arena, "wrong %.*s", RDV_FMT(print_value(said, arena)));
    fmpq_clear(said);
    fmpq_clear(claimed);
    return out;
}

static size_t complain(const rule *row, rdv_str text, rdv_str got, const verbal_row *by)
{
    print_error("%.*s:%zu: %.*s: \"%.*s\" is read as %.*s by %.*s\n", RDV_FMT(row->file), row->line,
                RDV_FMT(row->id), RDV_FMT(text), RDV_FMT(got),
                RDV_FMT(by ? by->id : RDV_STR("no row")));
    return 1;
}

/* The rules list the rows of the grammar, in its order. */
static void test_examples(void **state)
{
    const verbal_row *by;
    rdv_arena *arena = rdv_arena_new(0);
    const verbal_grammar *g = read_grammar(arena);
    const rule_set *set = rdv_rules_new(arena);
    size_t bad = 0;
    (void)state;
    assert_true(g->n > 50);
    assert_non_null(set);
    assert_int_equal(set->verbal.n, g->n);
    for (size_t i = 0; i < g->n; i++) {
        const rule *row = &set->rules[set->verbal.first + i];
        assert_true(rdv_str_eq(row->id, g->rows[i].id));
        assert_true(row->n_fires > 0);
        if (g->rows[i].states)
            continue; /* unit/decide/statements tries them */
        for (size_t k = 0; k < row->n_fires; k++) {
            size_t colon = rdv_find_last(row->fires[k], RDV_STR(" : "));
            assert_true(colon != RDV_NOT_FOUND);
            rdv_str text = rdv_slice(row->fires[k], 0, colon);
            rdv_str got = what_is_read(g, text, arena, &by);
            if (by != &g->rows[i] ||
                !rdv_str_eq(got, rdv_slice(row->fires[k], colon + 3, row->fires[k].len)))
                bad += complain(row, row->fires[k], got, by);
            assert_true(verbal_may_be_in(text));
        }
        for (size_t k = 0; k < row->n_silent; k++) {
            rdv_str got = what_is_read(g, row->silent[k], arena, &by);
            if (by)
                bad += complain(row, row->silent[k], got, by);
        }
    }
    rdv_arena_free(&arena);
    assert_int_equal(bad, 0);
}

static void assert_fault(const char *text, const char *message)
{
    rdv_error err;
    rdv_arena *arena = rdv_arena_new(0);
    verbal_grammar *g = verbal_grammar_new(arena);
    assert_int_equal(verbal_grammar_add(g, RDV_STR("my.rules"), rdv_str_of(text), &err),
                     RDV_E_INPUT);
    if (!strstr(err.msg, message))
        fail_msg("\"%s\" is not said: %s", message, err.msg);
    rdv_arena_free(&arena);
}

static void test_faults(void **state)
{
    (void)state;
    assert_fault("## a\ncue: b\n",
                 "my.rules:2: a: a line is \"key: value\", with one of words, pattern");
    assert_fault("## a\npattern: A plus Y\n", "my.rules:2: a: \"Y\" stands for nothing");
    assert_fault("## a\npattern: A (B)\n", "\"B\" stands for nothing, or in brackets");
    assert_fault("## a\npattern: (a)\n", "my.rules:2: a: a pattern is empty");
    assert_fault("## a\npattern: A plus B;\n", "my.rules:2: a: a pattern is empty");
    assert_fault("## a\npattern: a a a a a a a a a a a a a a a a a\n", "at most 16 elements");
    assert_fault("## a\nvalue: A +\n", "my.rules:2: a: \"A +\" is no formula");
    assert_fault("## a\nis: verb verse\n", "my.rules:2: a: is \"verse\" is not known");
    assert_fault("## a\ncounts: AB\n", "my.rules:2: a: counts is a capital letter");
    assert_fault("## a\nunless: @b\n", "my.rules:2: a: there is no list of words \"@b\" above");
    assert_fault("## a\npattern: A plus B\nvalue: A + V\n",
                 "my.rules:1: a: a pattern has each letter of the formulas");
    assert_fault("## a\nvalue: 2\n", "my.rules:1: a: there is no pattern");
    assert_fault("## a\npattern: A plus B\n", "my.rules:1: a: there is no value");
    assert_fault("## a\npattern: A b\nvalue: A\n## a\n", "my.rules:4: a stands twice");
}

/* A row that states something of a number which its pattern does not have is refused: the number
 * would be read where none is. */
static void test_statement__has_each_letter(void **state)
{
    static const struct {
        const char *states, *whole, *lacks;
    } cases[] = {
        {"prime", "N is prime", "it is prime"},
        {"composite", "N is composite", "it is composite"},
        {"square", "N is square", "it is square"},
        {"even", "N is even", "it is even"},
        {"odd", "N is odd", "it is odd"},
        {"positive", "N is positive", "it is positive"},
        {"negative", "N is negative", "it is negative"},
        {"whole", "N is whole", "it is whole"},
        {"multiple", "N divides by M", "N divides by it"},
        {"multiple", "N divides by K", "it divides by K"},
        {"remainder", "N over M leaves R", "N over M leaves it"},
        {"remainder", "N over M leaves R", "N over it leaves R"},
        {"quotient", "N over M is Q and leaves R", "N over M is Q and leaves it"},
        {"quotient", "N over M is Q and leaves R", "N over M is it and leaves R"},
        {"more", "N exceeds M", "N exceeds it"},
        {"less", "N undercuts M", "it undercuts M"},
        {"at-least", "N reaches M", "N reaches it"},
        {"at-most", "N reaches M", "it reaches M"},
        {"between", "N between M and Q", "N between M and it"},
    };
    rdv_arena *arena = rdv_arena_new(0);
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int lacks = 0; lacks < 2; lacks++) {
            verbal_grammar *g = verbal_grammar_new(arena);
            rdv_error err = {0};
            rdv_str text = rdv_str_printf(arena, "## row\nstates: %s\npattern: %s\n",
                                          cases[i].states, lacks ? cases[i].lacks : cases[i].whole);
            assert_non_null(g);
            int rc = verbal_grammar_add(g, RDV_STR("mine.rules"), text, &err);
            if ((rc == RDV_OK) == lacks)
                fail_msg("%.*s: %d, %s", RDV_FMT(text), rc, err.msg);
            assert_true(!lacks || strstr(err.msg, "lacks a letter"));
        }
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_statement__has_each_letter),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
