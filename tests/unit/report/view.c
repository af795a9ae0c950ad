/* SPDX-License-Identifier: Apache-2.0 */
#include "report/report.h"

#include "base/arena.h"
#include "base/str.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <cmocka.h>

/* A chain of two steps, the second with a wrong calculation that `begin` and `end` point at. */
typedef struct sample {
    rdv_arena *arena;
    rdv_chain chain;
    rdv_check check;
    rdv_str steps[2];
    rdv_verdict verdicts[2];
} sample;

static void make(sample *s, rdv_str second, double begin, double end)
{
    *s = (sample){.arena = rdv_arena_new(0)};
    s->steps[0] = RDV_STR("There are 2 eggs.");
    s->steps[1] = second;
    s->chain = (rdv_chain){.id = RDV_STR("q7/3"),
                           .question = {.text = RDV_STR("How many?"), .gold = RDV_STR("6")},
                           .steps = s->steps,
                           .n_steps = 2,
                           .answer = RDV_STR("7"),
                           .correct = -1};
    rdv_evidence *evidence = rdv_evidence_map(s->arena, NULL, (rdv_str){0});
    rdv_evidence *list = rdv_evidence_list(s->arena, evidence, RDV_STR("calculations"));
    rdv_evidence *calc = rdv_evidence_map(s->arena, list, (rdv_str){0});
    rdv_evidence_number(s->arena, calc, RDV_STR("start"), begin);
    rdv_evidence_number(s->arena, calc, RDV_STR("end"), end);
    rdv_evidence_text(s->arena, calc, RDV_STR("outcome"), RDV_STR("wrong"));
    rdv_evidence_text(s->arena, calc, RDV_STR("value"), RDV_STR("6"));
    s->verdicts[0] = (rdv_verdict){.step = 0, .kind = RDV_UNRELATED, .score = 0.5};
    s->verdicts[1] = (rdv_verdict){.step = 1, .kind = RDV_CONTRADICT, .evidence = evidence};
    s->check = (rdv_check){.method = RDV_STR("calculations"),
                           .verdicts = s->verdicts,
                           .n_verdicts = 2,
                           .confidence = 0.54,
                           .first_error = 1};
}

static rdv_str view(sample *s, const rdv_check *check, const rdv_view_options *options)
{
    rdv_str out = {0};
    rdv_error err = {0};
    rdv_grade wrong = {.correct = 0};
    assert_int_equal(rdv_view_chain(&s->chain, check, &wrong, options, s->arena, &out, &err),
                     RDV_OK);
    return out;
}

static bool has(rdv_str text, const char *needle)
{
    bool found = rdv_find(text, rdv_str_of(needle), 0) != RDV_NOT_FOUND;
    if (!found)
        fprintf(stderr, "no \"%s\" in:\n%.*s", needle, RDV_FMT(text));
    return found;
}

static void test_view__whole_chain_of_everything(void **state)
{
    sample s;
    make(&s, RDV_STR("So 2*3 = 7 of them."), 3, 10);
    rdv_str out = view(&s, &s.check, NULL);
    assert_string_equal(rdv_cstring(s.arena, out), "q7/3  calculations\n"
                                                   "  How many?\n"
                                                   "\n"
                                                   "\xc2\xb7 0  There are 2 eggs.\n"
                                                   "\xe2\x9c\x97 1  So 2*3 = 7 of them.\n"
                                                   "        ^^^^^^^\n"
                                                   "       2*3 = 7, should be 6\n"
                                                   "\n"
                                                   "  step 1 (counted from 0) is proven wrong\n"
                                                   "  answer 7  gold 6  wrong\n");
    rdv_arena_free(&s.arena);
}

static void test_view__colours_replace_carets(void **state)
{
    sample s;
    make(&s, RDV_STR("So 2*3 = 7 of them."), 3, 10);
    rdv_str out = view(&s, &s.check, &(rdv_view_options){.colour = true});
    assert_true(has(out, "So \x1b[4;31m2*3 = 7\x1b[0m of them."));
    assert_int_equal(rdv_find(out, RDV_STR("^"), 0), RDV_NOT_FOUND);
    rdv_arena_free(&s.arena);
}

static void test_view__hostile_text_is_escaped(void **state)
{
    static const struct {
        const char *text;
        const char *shown;
    } cases[] = {
        {"\x1b[2Jgone", "\\x1b[2Jgone"},
        {"a\rb", "a\\x0db"},
        {"\x08\x07", "\\x08\\x07"},
        {"\xc2\x9b"
         "31m",
         "\\x9b31m"},
        {"\xe2\x80\xaetxt", "\\u202etxt"},
        {"bad \xff\xfe bytes", "bad \\xff\\xfe bytes"},
        {"\x7f", "\\x7f"},
        {"two\r\nlines", "two\n     lines"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sample s;
        make(&s, rdv_str_of(cases[i].text), 0, 0);
        s.chain.id = s.chain.answer = s.chain.question.text = s.steps[1];
        s.verdicts[1].kind = RDV_UNKNOWN;
        s.verdicts[1].why = s.check.method = s.steps[1];
        rdv_str out = view(&s, &s.check, NULL);
        assert_true(has(out, cases[i].shown));
        for (size_t k = 0; k < out.len; k++)
            assert_true(out.p[k] == '\n' || (unsigned char)out.p[k] >= 0x20);
        assert_int_equal(rdv_find(out, RDV_STR("\xe2\x80\xae"), 0), RDV_NOT_FOUND);
        rdv_arena_free(&s.arena);
    }
}

static void test_view__evidence_out_of_range_is_passed_over(void **state)
{
    static const double cases[][2] = {{-1, 5}, {0, 1e300}, {7, 3}, {NAN, 4}, {3, NAN}, {20, 21}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        sample s;
        make(&s, RDV_STR("So 2*3 = 7."), cases[i][0], cases[i][1]);
        s.verdicts[1].why = RDV_STR("a reason");
        rdv_str out = view(&s, &s.check, NULL);
        assert_int_equal(rdv_find(out, RDV_STR("^"), 0), RDV_NOT_FOUND);
        assert_true(has(out, "a reason"));
        rdv_arena_free(&s.arena);
    }
}

static void test_view__lines_keep_to_the_width(void **state)
{
    char *text = malloc(5000);
    assert_non_null(text);
    for (size_t i = 0; i < 5000; i++)
        text[i] = i < 2500 && i % 7 == 6 ? ' ' : (char)('a' + i % 26);
    for (size_t width = 0; width <= 120; width += 40) {
        sample s;
        make(&s, (rdv_str){text, 5000}, 100, 400);
        size_t limit = width ? width : 80;
        rdv_str rest = view(&s, &s.check, &(rdv_view_options){.width = width, .ascii = true}), line;
        assert_true(has(rest, "(1000 more bytes)"));
        while (rdv_next_line(&rest, &line))
            if (rdv_find(line, RDV_STR("more bytes"), 0) == RDV_NOT_FOUND)
                assert_true(line.len <= limit);
        rdv_arena_free(&s.arena);
    }
    free(text);
}

static void test_view__cut_falls_between_characters(void **state)
{
    sample s;
    make(&s, RDV_STR("\xc3\xa4\xc3\xa4\xc3\xa4"), 0, 0);
    rdv_str out = view(&s, &s.check, &(rdv_view_options){.max_text = 3});
    assert_true(has(out, "1  \xc3\xa4 (4 more bytes)"));
    rdv_arena_free(&s.arena);
}

static void test_view__bare_and_unusual_chains(void **state)
{
    sample s;
    make(&s, RDV_STR(""), 0, 0);
    assert_true(has(view(&s, NULL, NULL), "answer 7"));
    s.check.n_verdicts = 1;
    s.verdicts[0] = (rdv_verdict){.step = RDV_WHOLE_CHAIN, .kind = RDV_SUPPORT};
    s.check.confidence = NAN;
    s.chain.n_steps = 0;
    s.chain.answer = (rdv_str){0};
    rdv_str out = view(&s, &s.check, &(rdv_view_options){.ascii = true});
    assert_true(has(out, "+ the whole solution: right"));
    assert_int_equal(rdv_find(out, RDV_STR("confidence"), 0), RDV_NOT_FOUND);
    assert_true(has(out, "none read"));
    s.check.skipped = true;
    s.check.n_verdicts = 0;
    assert_true(has(view(&s, &s.check, NULL), "could no longer matter"));
    rdv_arena_free(&s.arena);
}

static void test_view__every_allocation_may_fail(void **state)
{
    sample s;
    make(&s, RDV_STR("So 2*3 = 7 of them."), 3, 10);
    int code = RDV_E_NOMEM;
    size_t n = 1;
    for (; code != RDV_OK && n < 1000; n++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_str out = RDV_STR("untouched");
        rdv_alloc_fail_at(n);
        code = rdv_view_chain(&s.chain, &s.check, &(rdv_grade){0}, NULL, arena, &out, NULL);
        rdv_alloc_fail_at(0);
        assert_true(code == RDV_OK || rdv_str_eq(out, RDV_STR("untouched")));
        rdv_arena_free(&arena);
    }
    assert_int_equal(code, RDV_OK);
    assert_true(n > 2);
    rdv_arena_free(&s.arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_view__whole_chain_of_everything),
        cmocka_unit_test(test_view__colours_replace_carets),
        cmocka_unit_test(test_view__hostile_text_is_escaped),
        cmocka_unit_test(test_view__evidence_out_of_range_is_passed_over),
        cmocka_unit_test(test_view__lines_keep_to_the_width),
        cmocka_unit_test(test_view__cut_falls_between_characters),
        cmocka_unit_test(test_view__bare_and_unusual_chains),
        cmocka_unit_test(test_view__every_allocation_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
