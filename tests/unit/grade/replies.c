/* SPDX-License-Identifier: Apache-2.0 */
/* Whole replies graded: the cases of tests/golden/answers/replies.tsv. */
#include <rederive/answer.h>

#include "../test.h"
#include "../text/golden.h"
#include "base/buf.h"
#include "base/rng.h"
#include "base/str.h"
#include "../answer/form.h"

static rdv_str next_field(rdv_str *rest)
{
    size_t tab = rdv_find_char(*rest, '\t', 0);
    rdv_str field = rdv_slice(*rest, 0, tab);
    *rest = tab == RDV_NOT_FOUND ? (rdv_str){0} : rdv_slice(*rest, tab + 1, rest->len);
    return field;
}

/* With a newline for each U+21B5. */
static rdv_str with_newlines(rdv_str text, rdv_arena *arena)
{
    rdv_str mark = RDV_STR("\xe2\x86\xb5");
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < text.len;) {
        bool ends = rdv_starts(rdv_slice(text, i, text.len), mark);
        rdv_buf_add_char(&b, ends ? '\n' : text.p[i]);
        i += ends ? mark.len : 1;
    }
    assert_true(rdv_buf_ok(&b));
    return rdv_buf_str(&b);
}

/* Out of memory at a place that is drawn, then at later ones, until there is enough. */
static void check_without_memory(rdv_str line, rdv_str text, rdv_str gold, rdv_answer_form form,
                                 const rdv_text_grade *whole, rdv_arena *arena)
{
    static rdv_rng rng = {{1, 2, 3, 4}};
    int rc = RDV_E_NOMEM;
    for (size_t n = 1; rc != RDV_OK; n += 1 + rdv_rng_below(&rng, n)) {
        rdv_answer_form own = form;
        rdv_text_grade got = {0};
        rdv_mark mark = rdv_arena_mark(arena);
        rdv_alloc_fail_at(n);
        rc = rdv_grade_text(text, gold, &own, NULL, arena, &got, NULL);
        rdv_alloc_fail_at(0);
        if (rc != RDV_OK ? rc != RDV_E_NOMEM || got.comparison.is == RDV_SAME
                         : got.comparison.is != whole->comparison.is)
            fail_msg("%.*s: allocation %zu fails: %d, %s", RDV_FMT(line), n, rc,
                     rdv_same_name(got.comparison.is));
        rdv_arena_rewind(arena, mark);
    }
}

/* One line: KIND or KIND|OPTION|OPTION, GOLD, TEXT and RESULT. */
static bool check_line(rdv_str line, rdv_arena *arena)
{
    rdv_str rest = line, kind = next_field(&rest), gold = next_field(&rest);
    rdv_str text = with_newlines(next_field(&rest), arena);
    size_t bar = rdv_find_char(kind, '|', 0);
    rdv_str options = bar == RDV_NOT_FOUND ? (rdv_str){0} : rdv_slice(kind, bar + 1, kind.len);
    bool stated = !rdv_str_eq(kind, RDV_STR("auto"));
    rdv_answer_form form =
        stated ? form_of(rdv_slice(kind, 0, bar), options, arena) : (rdv_answer_form){0};
    rdv_text_grade got;
    rdv_error err = {0};
    rdv_answer_form given = form;
    if (rdv_grade_text(text, gold, &form, NULL, arena, &got, &err) != RDV_OK)
        fail_msg("%.*s: %s", RDV_FMT(line), err.msg);
    check_without_memory(line, text, gold, given, &got, arena);
    bool same = rdv_str_eq(rest, RDV_STR("=")), never = rdv_str_eq(rest, RDV_STR("never"));
    if (!same && !never && !rdv_str_eq(rest, RDV_STR("!=")))
        fail_msg("no result: %.*s", RDV_FMT(line));
    rdv_same is = got.comparison.is;
    if (same ? is == RDV_SAME : never ? is != RDV_SAME : is == RDV_DIFFERENT)
        return true;
    print_error("%.*s: read \"%.*s\", %s, %s\n", RDV_FMT(line), RDV_FMT(got.answer),
                rdv_same_name(is), got.comparison.why);
    return false;
}

static void test_replies__cases(void **state)
{
    (void)state;
    size_t n = 0, wrong = 0;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str rest = golden_text("answers/replies.tsv", arena), line;
    while (rdv_next_line(&rest, &line))
        if (line.len && line.p[0] != '#') {
            wrong += !check_line(line, arena);
            n++;
        }
    rdv_arena_free(&arena);
    assert_int_equal(wrong, 0);
    assert_true(n >= 120);
}

/* "3 + 4" is not 4, however it is written: the last number of an operation, drawn with its
 * operator, its blanks and its frame, is never found the same as the reply. */
static void test_replies__an_operand_is_no_answer(void **state)
{
    /* A hyphen after a word may be a pause, and a ratio is of two numbers. */
    static const char *const operators[] = {
        ":",        "-",        " - ",      "*",
        "/",        " x ",      "+",        "\xc3\x97",
        "\xc2\xb7", "\xc3\xb7", "\\times ", "\\cdot ",
        "\\div ",   " plus ",   " times ",  " divided by ",
    };
    enum { FIRST_AFTER_BRACKET = 1, FIRST_AFTER_WORD = 6 };
    static const char *const frames[] = {"The answer is %s.",        "So there are %s in all.",
                                         "Answer: %s apples",        "The answer is $%s$.",
                                         "Thus the total is %s = ?", "#### %s"};
    /* No operation of a prime with another number gives that number. */
    static const char *const primes[] = {"3", "7", "53", "1009", "1,009", "$2,003"};
    static const char *const units[] = {"", "", " dollars", "%", ")"};
    static const char *const kinds[] = {"number", "latex"};
    rdv_rng rng = {{5, 6, 7, 8}};
    (void)state;
    for (int i = 0; i < 20000; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        size_t sign = rdv_rng_below(&rng, sizeof operators / sizeof *operators);
        const char *frame = frames[rdv_rng_below(&rng, sizeof frames / sizeof *frames)];
        const char *unit = units[rdv_rng_below(&rng, sizeof units / sizeof *units)];
        const char *first = primes[rdv_rng_below(&rng, sizeof primes / sizeof *primes)];
        unsigned last = 2 + (unsigned)rdv_rng_below(&rng, 99);
        if (sign < (*unit == ' ' ? FIRST_AFTER_WORD : FIRST_AFTER_BRACKET))
            unit = "";
        const char *blank = sign >= FIRST_AFTER_BRACKET && rdv_rng_below(&rng, 2) ? " " : "";
        rdv_str operation = rdv_str_printf(arena, "%s%s%s%s%s%s%u", *unit == ')' ? "(" : "", first,
                                           unit, blank, operators[sign], blank, last);
        rdv_str text = rdv_str_printf(arena, frame, operation.p);
        rdv_str gold = rdv_str_printf(arena, "%u", last);
        const char *kind = kinds[rdv_rng_below(&rng, 2)];
        rdv_answer_form form = form_of(rdv_str_of(kind), (rdv_str){0}, arena);
        rdv_text_grade got = {0};
        assert_int_equal(rdv_grade_text(text, gold, &form, NULL, arena, &got, NULL), RDV_OK);
        if (got.comparison.is == RDV_SAME)
            fail_msg("%s, \"%.*s\": %u, read \"%.*s\"", kind, RDV_FMT(text), last,
                     RDV_FMT(got.answer));
        rdv_arena_free(&arena);
    }
}

/* A reply that states several numbers, and nothing else, states none of them. */
static void test_replies__one_of_a_list_is_no_answer(void **state)
{
    static const char *const frames[] = {"The answer is %s.",  "Answer: %s", "The answer is (%s).",
                                         "The answer is $%s$", "#### %s",    "The answer is [%s]"};
    static const char *const joins[] = {", ", " and ", "; ", ", and ", "$, $", "$ and $"};
    rdv_rng rng = {{9, 10, 11, 12}};
    (void)state;
    for (int i = 0; i < 5000; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        unsigned n = 2 + (unsigned)rdv_rng_below(&rng, 3), gold = 0;
        rdv_str list = {0};
        for (unsigned k = 0; k < n; k++) {
            gold += 1 + (unsigned)rdv_rng_below(&rng, 500);
            const char *join = k ? joins[rdv_rng_below(&rng, sizeof joins / sizeof *joins)] : "";
            list = rdv_str_printf(arena, "%.*s%s%u", RDV_FMT(list), join, gold);
        }
        const char *frame = frames[rdv_rng_below(&rng, sizeof frames / sizeof *frames)];
        rdv_str text = rdv_str_printf(arena, frame, list.p);
        rdv_answer_form form = form_of(RDV_STR("number"), (rdv_str){0}, arena);
        rdv_text_grade got = {0};
        assert_int_equal(
            rdv_grade_text(text, rdv_str_printf(arena, "%u", gold), &form, NULL, arena, &got, NULL),
            RDV_OK);
        if (got.comparison.is == RDV_SAME)
            fail_msg("\"%.*s\": %u, read \"%.*s\"", RDV_FMT(text), gold, RDV_FMT(got.answer));
        rdv_arena_free(&arena);
    }
}

/* Where one allocation fails and there is memory again for what follows, sets that differ are not
 * found the same for want of the part that was lost. */
static void test_replies__one_allocation_fails(void **state)
{
    static const char *const differ[][2] = {
        {"\\{\\emptyset\\}", "\\{\\emptyset, 1\\}"},
        {"x < 1 or x > 5", "x < 1 or 2 < x < 3 or x > 5"},
        {"(-\\infty, 1) \\cup (5, \\infty)", "x < 1, 2 < x < 3 or x > 5"},
        {"\\{1, 5\\}", "\\{1, 3, 5\\}"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof differ / sizeof *differ; i++) {
        size_t failed = 0;
        for (size_t n = 1; n < 2000; n++) {
            rdv_arena *arena = rdv_arena_new(0);
            rdv_answer_form form = form_of(RDV_STR("latex"), (rdv_str){0}, arena);
            rdv_text_grade got = {0};
            rdv_alloc_fail_once(n);
            int rc = rdv_grade_text(rdv_str_of(differ[i][1]), rdv_str_of(differ[i][0]), &form, NULL,
                                    arena, &got, NULL);
            rdv_alloc_fail_at(0);
            failed += rc == RDV_E_NOMEM;
            if (rc == RDV_OK && got.comparison.is == RDV_SAME)
                fail_msg("%s, allocation %zu", differ[i][1], n);
            rdv_arena_free(&arena);
        }
        assert_true(failed > 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_replies__cases),
                                       cmocka_unit_test(test_replies__an_operand_is_no_answer),
                                       cmocka_unit_test(test_replies__one_of_a_list_is_no_answer),
                                       cmocka_unit_test(test_replies__one_allocation_fails)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
