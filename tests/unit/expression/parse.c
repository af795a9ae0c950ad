/* SPDX-License-Identifier: Apache-2.0 */
/* Trees as the parser builds them, where each expression ends, and the readings that it offers. */
#include "expression/parse.h"

#include "../test.h"
#include "base/buf.h"

/* The tree in prefix form: "(+ 2 (* 3 4))". */
static void write_tree(rdv_buf *b, const tokens *t, const node *n)
{
    static const char *const names[] = {
        [N_PI] = "pi",      [N_NEGATE] = "neg",     [N_ADD] = "+",       [N_SUBTRACT] = "-",
        [N_MULTIPLY] = "*", [N_DIVIDE] = "/",       [N_POWER] = "^",     [N_FACTORIAL] = "!",
        [N_PERCENT] = "%",  [N_ROOT] = "root",      [N_ABS] = "abs",     [N_FLOOR] = "floor",
        [N_CEIL] = "ceil",  [N_BINOMIAL] = "binom", [N_MIXED] = "mixed", [N_UNIT] = "unit",
    };
    if (n->is == N_NUMBER || n->is == N_LETTER) {
        for (size_t i = n->begin; i < n->end; i++)
            rdv_buf_add(b, tok_text(t, i));
        return;
    }
    rdv_buf_printf(b, n->a ? "(%s" : "%s", names[n->is]);
    const node *children[] = {n->a, n->b};
    for (size_t i = 0; i < 2 && children[i]; i++) {
        rdv_buf_lit(b, " ");
        write_tree(b, t, children[i]);
    }
    if (n->a)
        rdv_buf_lit(b, ")");
}

typedef struct parse_case {
    const char *text, *tree, *rest; /* tree NULL: no expression begins here */
    unsigned readings;
} parse_case;

static const parse_case cases[] = {
    {"2 + 3 * 4", "(+ 2 (* 3 4))", "", 0},
    {"2 - 3 - 4", "(- (- 2 3) 4)", "", 0},
    {"2 ^ 3 ^ 4", "(^ 2 (^ 3 4))", "", 0},
    {"(2 + 3) * 4", "(* (+ 2 3) 4)", "", 0},
    {"2(3)", "(* 2 3)", "", 0},
    {"2x + 1", "(+ (* 2 x) 1)", "", 0},
    {"x_1 x_{12}", "(* x_1 x_{12})", "", 0},
    {"\\frac12", "(/ 1 2)", "", 0},
    {"\\frac{1}{2}3", "(/ 1 2)", "3", 0},
    {"\\sqrt[3]{8}", "(root 8 3)", "", 0},
    {"\\binom{5}{2}", "(binom 5 2)", "", 0},
    {"|2 - 3|", "(abs (- 2 3))", "", 0},
    {"\\lfloor 2 \\rfloor", "(floor 2)", "", 0},
    {"\\pi", "pi", "", READ_PI_AS_3_14 | READ_PI_AS_22_7},
    {"3 1/2", "(mixed 3 (/ 1 2))", "", READ_MIXED_AS_PRODUCT},
    {"3\\frac12", "(mixed 3 (/ 1 2))", "", READ_MIXED_AS_PRODUCT},
    {"-3^2", "(neg (^ 3 2))", "", READ_NEGATIVE_BASE},
    {"5! so", "(! 5)", "so", READ_BANG_AS_PROSE},
    {"50% of 8", "(* (% 50) 8)", "", READ_PERCENT_AS_NUMBER | READ_OF_AS_PROSE},
    {"8 + 50%", "(+ 8 (% 50))", "", READ_PERCENT_AS_NUMBER | READ_PERCENT_OF_LEFT},
    {"1/2(3)", "(* (/ 1 2) 3)", "", 0},
    {"1 / 2(3)", "(* (/ 1 2) 3)", "", READ_IMPLICIT_FIRST},
    {"6 / 1/3", "(/ 6 (/ 1 3))", "", READ_LEFT_TO_RIGHT},
    {"10 (5)", "(* 10 5)", "", READ_ASIDE},
    {"3 hours + 2 hours", "(+ (unit 3) (unit 2))", "", READ_UNITS},
    {"7 pens are", "7", "pensare", 0},
    {"2 + + = 3", "2", "++=3", 0},
    {"2 + ", "2", "+", 0},
    {"2 \\unknown", "2", "\\unknown", 0},
    {"(2 + 3", NULL, NULL, 0},
    {"(2 + ]", NULL, NULL, 0},
    {"\\frac{1}", NULL, NULL, 0},
    {"101_2", NULL, NULL, 0},
    {"pens", NULL, NULL, 0},
    {"", NULL, NULL, 0},
};

static void check_tree(const parse_case *c, const tokens *t, const expression *e, rdv_arena *arena)
{
    rdv_buf tree, rest;
    rdv_buf_init(&tree, arena, 0);
    rdv_buf_init(&rest, arena, 0);
    write_tree(&tree, t, e->root);
    for (size_t i = e->end; i < t->n; i++)
        rdv_buf_add(&rest, tok_text(t, i));
    if (!rdv_str_eq(rdv_buf_str(&tree), rdv_str_of(c->tree)))
        fail_msg("%s: the tree is %.*s", c->text, RDV_FMT(rdv_buf_str(&tree)));
    if (!rdv_str_eq(rdv_buf_str(&rest), rdv_str_of(c->rest)))
        fail_msg("%s: the rest is %.*s", c->text, RDV_FMT(rdv_buf_str(&rest)));
    if (e->readings != c->readings)
        fail_msg("%s: the readings are %u", c->text, e->readings);
}

static void test_parse_expression__trees(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        tokens t;
        expression e;
        assert_int_equal(lex(rdv_str_of(cases[i].text), arena, &t), RDV_OK);
        int r = parse_expression(&t, 0, arena, &e);
        if (r != (cases[i].tree ? RDV_OK : RDV_NONE))
            fail_msg("%s: returns %d", cases[i].text, r);
        if (r == RDV_OK)
            check_tree(&cases[i], &t, &e, arena);
    }
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parse_expression__trees),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
