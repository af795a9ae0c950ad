/* SPDX-License-Identifier: Apache-2.0 */
/* What is found and how it is decided: tests/golden/calculations.txt; and in contexts in which an
 * equality is no claim, or not what it seems: calculation_contexts.txt; and in words:
 * calculation_words.txt; and functions: calculation_functions.txt; and equations:
 * calculation_equations.txt; and decimal commas: calculation_decimals.txt; and times of day:
 * calculation_times.txt. */
#include <rederive/math.h>

#include "../test.h"
#include "../text/golden.h"
#include "base/buf.h"

#include <stdlib.h>

/* The cases of the file, read line by line. */
typedef struct reader {
    rdv_arena *arena;
    rdv_str question;
    rdv_buf step, expected;
    size_t line, step_line;
    rdv_calculator *calculator; /* of the case being read, once its first step was decided */
    size_t n_steps, n_wrong;
    char **texts; /* of the steps, n_texts of them */
    size_t n_texts, texts_cap;
} reader;

/* "\n" inside a side is shown as a space: an expectation is one line. */
static void add_on_one_line(rdv_buf *b, rdv_str text)
{
    for (size_t i = 0; i < text.len; i++)
        rdv_buf_add_char(b, text.p[i] == '\n' ? ' ' : text.p[i]);
}

static void describe(rdv_buf *b, const rdv_calc *c)
{
    if (c->marked)
        rdv_buf_lit(b, "<<");
    add_on_one_line(b, c->lhs);
    rdv_buf_lit(b, " = ");
    add_on_one_line(b, c->rhs);
    if (c->marked)
        rdv_buf_lit(b, ">>");
    rdv_buf_printf(b, " : %s", rdv_calc_name(c->kind));
    if (c->kind == RDV_CALC_WRONG)
        rdv_buf_printf(b, " %.*s", RDV_FMT(c->value));
    rdv_buf_add_char(b, '\n');
}

/* What was found lies in the text, and its right side, where it is quoted, in what was found. */
static void check_place(const rdv_calc *c, rdv_str text)
{
    assert_true(c->begin < c->end && c->end <= text.len);
    bool quoted = c->rhs.p >= text.p && c->rhs.p < text.p + text.len;
    if (quoted)
        assert_true(c->rhs.p >= text.p + c->begin && c->rhs.p + c->rhs.len <= text.p + c->end);
}

/* The text of the step that was read, in memory of its size: the sanitizers notice what is read
 * beside it. */
static rdv_str text_of_step(reader *r)
{
    rdv_str step = rdv_trim_end(rdv_buf_str(&r->step));
    assert_true(RDV_PUSH_ROOM(r->arena, r->texts, r->n_texts, r->texts_cap));
    char *text = malloc(step.len);
    assert_non_null(text);
    memcpy(text, step.p, step.len);
    r->texts[r->n_texts++] = text;
    return (rdv_str){text, step.len};
}

/* Decide the step that was read, if there is one, and compare. */
static void end_step(reader *r)
{
    if (r->step_line == 0)
        return;
    rdv_calc *calcs;
    size_t n;
    rdv_buf got;
    rdv_str text = text_of_step(r);
    if (!r->calculator) {
        r->calculator = rdv_calculator_new(r->arena, r->question);
        assert_non_null(r->calculator);
        rdv_decimal sign = rdv_decimal_found(r->question, &text, 1);
        assert_int_equal(rdv_calculator_set_decimal(r->calculator, sign), RDV_OK);
    }
    assert_int_equal(rdv_calculator_step(r->calculator, text, &calcs, &n, NULL), RDV_OK);
    rdv_buf_init(&got, r->arena, 0);
    for (size_t i = 0; i < n; i++) {
        describe(&got, &calcs[i]);
        check_place(&calcs[i], text);
    }
    if (n == 0)
        rdv_buf_lit(&got, "none\n");
    if (!rdv_str_eq(rdv_buf_str(&got), rdv_buf_str(&r->expected))) {
        print_error("line %zu: %.*s\n  expected\n%.*s  found\n%.*s", r->step_line, RDV_FMT(text),
                    RDV_FMT(rdv_buf_str(&r->expected)), RDV_FMT(rdv_buf_str(&got)));
        r->n_wrong++;
    }
    r->n_steps++;
    r->step_line = 0;
    rdv_buf_init(&r->step, r->arena, 0);
    rdv_buf_init(&r->expected, r->arena, 0);
}

static void end_case(reader *r)
{
    end_step(r);
    rdv_calculator_free(&r->calculator);
    r->question = (rdv_str){0};
}

static void read_line(reader *r, rdv_str line)
{
    rdv_str rest = rdv_slice(line, 2, line.len);
    if (line.len == 0) {
        end_case(r);
    } else if (line.p[0] == '?') {
        r->question = rest;
    } else if (line.p[0] == '>') {
        if (r->expected.len)
            end_step(r);
        if (r->step_line == 0)
            r->step_line = r->line;
        rdv_buf_add(&r->step, rest);
        rdv_buf_add_char(&r->step, '\n');
    } else if (line.p[0] != '#') {
        rdv_buf_add(&r->expected, line);
        rdv_buf_add_char(&r->expected, '\n');
    }
}

/* Every case of the file. */
static void check_file(const char *file, size_t least)
{
    reader r = {.arena = rdv_arena_new(0)};
    rdv_str rest = golden_text(file, r.arena), line;
    rdv_buf_init(&r.step, r.arena, 0);
    rdv_buf_init(&r.expected, r.arena, 0);
    while (rdv_next_line(&rest, &line)) {
        r.line++;
        read_line(&r, line);
    }
    end_case(&r);
    assert_true(r.n_steps > least);
    if (r.n_wrong)
        fail_msg("%zu of %zu steps are not decided as expected", r.n_wrong, r.n_steps);
    for (size_t i = 0; i < r.n_texts; i++)
        free(r.texts[i]);
    rdv_arena_free(&r.arena);
}

static void test_calculator_step__golden(void **state)
{
    check_file("calculations.txt", 200);
}

static void test_calculator_step__contexts(void **state)
{
    check_file("calculation_contexts.txt", 50);
}

static void test_calculator_step__words(void **state)
{
    check_file("calculation_words.txt", 50);
}

static void test_calculator_step__functions(void **state)
{
    check_file("calculation_functions.txt", 40);
}

static void test_calculator_step__decimals(void **state)
{
    check_file("calculation_decimals.txt", 40);
}

static void test_calculator_step__times(void **state)
{
    check_file("calculation_times.txt", 20);
}

static void test_calculator_step__equations(void **state)
{
    check_file("calculation_equations.txt", 30);
}

/* "12 but -5 + 7 = 2" begins a calculation of its own; "12 pens - 5 + 7" does not. */
static void test_calculator_step__words_that_join_count_nothing(void **state)
{
    static const char *const words[] = {
        "after", "also", "and",   "as",    "because",   "before", "but",   "each",
        "for",   "from", "here",  "if",    "it",        "let",    "next",  "now",
        "or",    "she",  "since", "so",    "therefore", "then",   "there", "thus",
        "they",  "we",   "when",  "where", "with",      "which",  "while"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_calculator *calculator = rdv_calculator_new(arena, (rdv_str){0});
        rdv_calc *calcs;
        size_t n;
        rdv_str step = rdv_str_printf(arena, "3 * 4 = 12 %s -5 + 7 = 2", words[i]);
        assert_int_equal(rdv_calculator_step(calculator, step, &calcs, &n, NULL), RDV_OK);
        if (n != 2 || calcs[0].kind != RDV_CALC_RIGHT || calcs[1].kind != RDV_CALC_RIGHT)
            fail_msg("%s joins two calculations", words[i]);
        rdv_calculator_free(&calculator);
        rdv_arena_free(&arena);
    }
}

/* Write `text`, in which '@' stands for the command, with each of the commands in turn: each time
 * `n` calculations are found, and the last of them is `last`. */
static void check_commands(const char *const *commands, size_t n_commands, const char *text,
                           size_t n_expected, rdv_calc_kind last)
{
    for (size_t i = 0; i < n_commands; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_calculator *calculator = rdv_calculator_new(arena, (rdv_str){0});
        rdv_calc *calcs;
        size_t n;
        rdv_buf step;
        rdv_buf_init(&step, arena, 0);
        for (const char *c = text; *c; c++)
            if (*c == '@')
                rdv_buf_add(&step, rdv_str_printf(arena, "\\%s", commands[i]));
            else
                rdv_buf_add_char(&step, *c);
        assert_int_equal(rdv_calculator_step(calculator, rdv_buf_str(&step), &calcs, &n, NULL),
                         RDV_OK);
        if (n != n_expected || (n && calcs[n - 1].kind != last))
            fail_msg("\\%s: %zu calculations", commands[i], n);
        rdv_calculator_free(&calculator);
        rdv_arena_free(&arena);
    }
}

/* LaTeX commands of one kind are read alike, and take no digit behind them as an argument, but a
 * fraction, which takes two. */
static void test_calculator_step__commands_of_a_kind_are_read_alike(void **state)
{
    static const char *const separate[] = {"Leftrightarrow",
                                           "Longleftrightarrow",
                                           "Longrightarrow",
                                           "Rightarrow",
                                           "because",
                                           "iff",
                                           "implies",
                                           "longrightarrow",
                                           "qquad",
                                           "quad",
                                           "rightarrow",
                                           "therefore",
                                           "to"};
    static const char *const letters[] = {
        "Delta", "Gamma",  "Lambda",     "Omega",  "Phi",      "Psi",     "Sigma", "Theta", "Xi",
        "alpha", "beta",   "chi",        "delta",  "ell",      "epsilon", "eta",   "gamma", "iota",
        "kappa", "lambda", "mu",         "nu",     "omega",    "phi",     "psi",   "rho",   "sigma",
        "tau",   "theta",  "varepsilon", "varphi", "vartheta", "xi",      "zeta"};
    static const char *const compare[] = {"equiv", "gg",     "in",     "ll",      "mid",
                                          "notin", "propto", "subset", "subseteq"};
    static const char *const less[] = {"le", "leq", "leqslant", "lt", "ne", "neq"};
    static const char *const more[] = {"ge", "geq", "geqslant", "gt"};
    static const char *const about[] = {"approx", "cong", "doteq", "sim", "simeq"};
    static const char *const multiply[] = {"ast", "cdot", "times"};
    static const char *const divide[] = {"cfrac", "dfrac", "frac", "tfrac"};
    static const char *const functions[] = {"gcd", "max", "min", "prod", "sum"};
    check_commands(separate, sizeof separate / sizeof *separate, "2 + 3 = 5 @ 12 + 13 = 26", 2,
                   RDV_CALC_WRONG);
    check_commands(compare, sizeof compare / sizeof *compare, "2 + 3 = 5 @ 12 + 13 = 26", 2,
                   RDV_CALC_WRONG);
    check_commands(compare, sizeof compare / sizeof *compare, "12 + 13 @ 26", 0, RDV_CALC_WRONG);
    check_commands(less, sizeof less / sizeof *less, "2 + 3 = 5 @ 12 + 13 = 26", 3, RDV_CALC_WRONG);
    check_commands(less, sizeof less / sizeof *less, "12 + 13 @ 26", 1, RDV_CALC_RIGHT);
    check_commands(more, sizeof more / sizeof *more, "so 12 + 13 @ 26", 1, RDV_CALC_WRONG);
    check_commands(letters, sizeof letters / sizeof *letters, "2@ + 13@ = 15@", 1, RDV_CALC_RIGHT);
    check_commands(letters, sizeof letters / sizeof *letters, "2@ + 13@ = 16@", 1, RDV_CALC_WRONG);
    check_commands(about, sizeof about / sizeof *about, "12 * 13 @ 157", 1, RDV_CALC_UNDECIDED);
    check_commands(multiply, sizeof multiply / sizeof *multiply, "12 @ 13 = 156", 1,
                   RDV_CALC_RIGHT);
    check_commands(functions, sizeof functions / sizeof *functions, "so $@$ $12 + 13 = 26$", 1,
                   RDV_CALC_WRONG);
    check_commands(divide, sizeof divide / sizeof *divide, "@12 + 34 = 34.5", 1, RDV_CALC_RIGHT);
    check_commands(divide, sizeof divide / sizeof *divide, "so $@12$ $34 + 1 = 36$", 1,
                   RDV_CALC_WRONG);
    /* a half times 4, as TeX reads it, and not a 24th */
    check_commands(divide, sizeof divide / sizeof *divide, "12 + @124 = 12 + 3", 0, RDV_CALC_WRONG);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_calculator_step__words_that_join_count_nothing),
        cmocka_unit_test(test_calculator_step__commands_of_a_kind_are_read_alike),
        cmocka_unit_test(test_calculator_step__golden),
        cmocka_unit_test(test_calculator_step__contexts),
        cmocka_unit_test(test_calculator_step__words),
        cmocka_unit_test(test_calculator_step__functions),
        cmocka_unit_test(test_calculator_step__equations),
        cmocka_unit_test(test_calculator_step__times),
        cmocka_unit_test(test_calculator_step__decimals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
