/* SPDX-License-Identifier: Apache-2.0 */
/* Splitting into steps: tests/golden/steps.txt, limits, hostile texts. */
#include <rederive/text.h>

#include "../test.h"
#include "golden.h"

static const char *const families[] = {"none", "step", "thought", "hash", "number", "markdown"};

static rdv_steps split(rdv_str text, const rdv_split_options *options, rdv_arena *arena)
{
    rdv_steps steps;
    rdv_error err = {0};
    if (rdv_split_steps(text, options, arena, &steps, &err) != RDV_OK)
        fail_msg("%s", err.msg);
    return steps;
}

/* "5 by 1 2": the number of a step's heading and its premises; nothing expected of an empty one. */
static rdv_str described(const rdv_heading *h, rdv_arena *arena)
{
    if (h->number == RDV_NO_NUMBER)
        return RDV_STR("-");
    rdv_str s = rdv_str_printf(arena, "%zu", h->number);
    for (size_t i = 0; i < h->n_premises; i++)
        s = rdv_str_printf(arena, "%.*s%s %zu", RDV_FMT(s), i ? "" : " by", h->premises[i]);
    return s;
}

static void check_case(const golden_case *c, rdv_arena *arena)
{
    const golden_section *text = golden_find(c, "text"), *by = golden_find(c, "by");
    assert_non_null(text);
    rdv_split_options options = {.size = sizeof options,
                                 .mode =
                                     golden_find(c, "lines") ? RDV_SPLIT_LINES : RDV_SPLIT_STEPS};
    rdv_steps got = split(text->text, &options, arena);
    size_t n = 0;
    for (size_t i = 0; i < c->n; i++) {
        const golden_section *s = &c->sections[i];
        if (!rdv_str_eq(s->name, RDV_STR("step")))
            continue;
        if (n >= got.n)
            fail_msg("%.*s: only %zu steps", RDV_FMT(c->name), got.n);
        if (!rdv_str_eq(got.text[n], rdv_trim(s->text)))
            fail_msg("%.*s: step %zu is\n%.*s", RDV_FMT(c->name), n, RDV_FMT(got.text[n]));
        rdv_str heading = described(&got.headings[n], arena);
        if (s->rest.len && !rdv_str_eq(heading, s->rest))
            fail_msg("%.*s: step %zu is headed %.*s", RDV_FMT(c->name), n, RDV_FMT(heading));
        n++;
    }
    if (n != got.n)
        fail_msg("%.*s: %zu steps, not %zu", RDV_FMT(c->name), got.n, n);
    if (by && !rdv_str_eq(by->rest, rdv_str_of(families[got.by])))
        fail_msg("%.*s: split by %s", RDV_FMT(c->name), families[got.by]);
}

static void test_split_steps__golden(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    size_t n;
    golden_case *cases = golden_read("steps.txt", arena, &n);
    for (size_t i = 0; i < n; i++)
        check_case(&cases[i], arena);
    assert_true(n > 30);
    rdv_arena_free(&arena);
}

static void test_split_steps__limits(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_steps steps = {.n = 77};
    rdv_error err = {0};
    rdv_split_options few = {.size = sizeof few, .max_steps = 2},
                      small = {.size = sizeof small, .max_bytes = 5};
    assert_int_equal(rdv_split_steps(RDV_STR("a\nb\nc"), &few, arena, &steps, &err), RDV_E_LIMIT);
    assert_string_equal(err.msg, "more than 2 steps");
    assert_int_equal(rdv_split_steps(RDV_STR("a\nb\nc\n"), &small, arena, &steps, NULL),
                     RDV_E_LIMIT);
    assert_int_equal(steps.n, 77);
    assert_int_equal(split(RDV_STR("a\nb"), &few, arena).n, 2);
    rdv_arena_free(&arena);
}

/* A quarter of a megabyte of one piece again and again: what takes quadratic time does not come to
 * an end. */
static void test_split_steps__hostile(void **state)
{
    static const char *const pieces[] = {
        "Step ", "Step 1: a\n", "\\[",      "\\begin{a} ", "\\end{a}\n", "$$ ",
        "```\n", "<think>",     "</think>", "\n\n",        "1. ",        "**",
        "#",     "(by #1 ",     "x:\n\n",   "[asy]",       "\\\\[",      "\xff\xfe\n"};
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t k = 0; k < sizeof pieces / sizeof *pieces; k++) {
        size_t len = strlen(pieces[k]), n = (1u << 18) / len;
        char *p = rdv_alloc(arena, n * len);
        assert_non_null(p);
        for (size_t i = 0; i < n * len; i++)
            p[i] = pieces[k][i % len];
        rdv_split_options options = {.size = sizeof options, .max_steps = 1u << 22};
        split((rdv_str){p, n * len}, &options, arena);
        options.mode = RDV_SPLIT_LINES;
        split((rdv_str){p, n * len}, &options, arena);
        rdv_arena_reset(arena);
    }
    rdv_arena_free(&arena);
}

static void test_split_steps__out_of_memory(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_steps steps = {.n = 77};
    rdv_str text = RDV_STR("So x.\n#1. (by #2) a <think>b</think>c\n#2. d");
    assert_survives_no_memory(rdv_split_steps(text, NULL, arena, &steps, NULL) == RDV_OK,
                              assert_int_equal(steps.n, 77));
    assert_int_equal(steps.n, 3);
    rdv_arena_free(&arena);
}

/* The word stands before the number, behind it, or around it, as the language has it. */
static void test_split_steps__marks_of_other_languages(void **state)
{
    (void)state;
    static const char *const marks[][2] = {
        {"Schritt 3:", "Schritt 4:"},   {"3. Schritt:", "4. Schritt:"},
        {"Paso 3:", "Paso 4:"},         {"Étape 3 :", "Étape 4 :"},
        {"Passo 3:", "Passo 4:"},       {"Шаг 3:", "Шаг 4:"},
        {"第三步，", "第四步，"},       {"步骤3：", "步骤4："},
        {"ステップ3：", "ステップ4："}, {"3단계:", "4단계:"},
        {"الخطوة ٣:", "الخطوة ٤:"},     {"चरण ३:", "चरण ४:"},
    };
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        rdv_str text =
            rdv_str_printf(arena, "%s one apple\n%s two pears", marks[i][0], marks[i][1]);
        rdv_steps steps = split(text, NULL, arena);
        if (steps.n != 2)
            print_error("%s: %zu steps\n", marks[i][0], steps.n);
        assert_int_equal(steps.n, 2);
        assert_text(steps.text[0], "one apple");
        assert_text(steps.text[1], "two pears");
        assert_int_equal(steps.headings[0].number, 3);
        assert_int_equal(steps.headings[1].number, 4);
    }
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_split_steps__golden),
        cmocka_unit_test(test_split_steps__limits),
        cmocka_unit_test(test_split_steps__marks_of_other_languages),
        cmocka_unit_test(test_split_steps__hostile),
        cmocka_unit_test(test_split_steps__out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
