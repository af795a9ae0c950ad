/* SPDX-License-Identifier: Apache-2.0 */
/* Cutting streams into steps: what ends a step, what holds it, and that it does not matter where
 * the pieces of the text end. */
#include "text/step_stream.h"

#include "../test.h"
#include "base/buf.h"
#include "base/rng.h"
#include "golden.h"

#include <stdlib.h>

#define DRAWN SHARE(3000)

static step_stream read_whole(rdv_str text, rdv_arena *arena)
{
    step_stream s;
    rdv_error err = {0};
    step_stream_init(&s, RDV_SPLIT_MAX_STEPS, arena);
    if (step_stream_read(&s, text, true, &err) != RDV_OK)
        fail_msg("%s", err.msg);
    return s;
}

/* The bytes so far in memory of their own, so that a sanitizer sees what is read behind them. */
static void read_piece(step_stream *s, rdv_str so_far, bool ended)
{
    rdv_error err = {0};
    char *copy = malloc(so_far.len + 1);
    assert_non_null(copy);
    memcpy(copy, so_far.p, so_far.len);
    if (step_stream_read(s, (rdv_str){copy, so_far.len}, ended, &err) != RDV_OK)
        fail_msg("%s", err.msg);
    free(copy);
}

static void same_steps(const step_stream *got, const step_stream *whole, rdv_str text, size_t cut)
{
    for (size_t i = 0; i < got->n && i < whole->n; i++)
        if (got->steps[i].end != whole->steps[i].end ||
            !rdv_str_eq(got->steps[i].text, whole->steps[i].text))
            fail_msg(
                "cut at %zu, step %zu ends at %zu with \"%.*s\", not at %zu with \"%.*s\":\n%.*s",
                cut, i, got->steps[i].end, RDV_FMT(got->steps[i].text), whole->steps[i].end,
                RDV_FMT(whole->steps[i].text), RDV_FMT(text));
    if (got->n > whole->n)
        fail_msg("cut at %zu, %zu steps, not %zu:\n%.*s", cut, got->n, whole->n, RDV_FMT(text));
}

/* In two pieces, cut at byte `cut`: what is decided of the first stays. */
static void cut_once(rdv_str text, size_t cut, const step_stream *whole, rdv_arena *arena)
{
    step_stream s;
    step_stream_init(&s, RDV_SPLIT_MAX_STEPS, arena);
    read_piece(&s, rdv_slice(text, 0, cut), false);
    same_steps(&s, whole, text, cut);
    read_piece(&s, text, true);
    same_steps(&s, whole, text, cut);
    assert_int_equal(s.n, whole->n);
}

/* In pieces of up to `most` bytes. */
static void cut_often(rdv_str text, size_t most, rdv_rng *rng, const step_stream *whole,
                      rdv_arena *arena)
{
    step_stream s;
    step_stream_init(&s, RDV_SPLIT_MAX_STEPS, arena);
    for (size_t at = 0; at < text.len;) {
        at += 1 + rdv_rng_below(rng, most);
        at = at < text.len ? at : text.len;
        read_piece(&s, rdv_slice(text, 0, at), false);
        same_steps(&s, whole, text, at);
    }
    read_piece(&s, text, true);
    same_steps(&s, whole, text, text.len);
    assert_int_equal(s.n, whole->n);
}

static void cut_everywhere(rdv_str text, rdv_rng *rng)
{
    rdv_arena *arena = rdv_arena_new(0);
    step_stream whole = read_whole(text, arena);
    size_t end = whole.n ? whole.steps[whole.n - 1].end : 0;
    assert_int_equal(end, text.len);
    for (size_t cut = 0; cut <= text.len; cut++)
        cut_once(text, cut, &whole, arena);
    cut_often(text, 1, rng, &whole, arena);
    cut_often(text, 12, rng, &whole, arena);
    rdv_arena_free(&arena);
}

/* The texts of the steps, each in brackets. */
static rdv_str shown(const step_stream *s, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < s->n; i++)
        if (s->steps[i].text.len)
            rdv_buf_printf(&b, "[%.*s]", RDV_FMT(s->steps[i].text));
    return rdv_buf_str(&b);
}

/* ---- what is decided when -------------------------------------------------------------------- */

/* A text that has come, and how much of it is decided. */
static const struct {
    const char *text;
    size_t decided;
} moments[] = {
    {"One is 1.\n\n", 0},
    {"One is 1.\n\nT", 11},                    /* a paragraph ends before the next one */
    {"One is 1.\n\n  T", 11},                  /* behind its indentation */
    {"One is 1.\n\n  ", 0},                    /* which may be a blank line */
    {"One is 1.\n\n$", 0},                     /* a block would join it */
    {"One is 1.\n\n$$x$$\n", 0},               /* and does */
    {"One is 1.\n\n$5 are left, and\n\n", 11}, /* a price does not */
    {"One is 1:\n\nT", 0},                     /* what ends in a colon is joined */
    {"One is 1.\nTwo is 2.\nT", 0},            /* lines are steps if all are */
    {"Hello.\n\nT", 0},                        /* before a heading it would be no step */
    {"Hello.\n\nThe end\n", 8},                /* before a line it is one */
    {"```\na = 1\n\nb = 2\n\nc", 0},           /* a fence is open */
    {"```\na = 1\n\nb = 2\n```\n\nc", 22},     /* is closed */
    {"\\[ 1\n\n2\n\nThree", 0},                /* display maths */
    {"We pay \\(1 +\n2\nThree", 0},            /* inline maths */
    {"We pay \\(1 +\n\nThree", 14},            /* which a blank line ends */
    {"Step 1: one\nStep 2", 0},                /* of 2 or 20 */
    {"Step 1: one\nStep 2: ", 0},              /* an empty one is no step */
    {"Step 1: one\nStep 2: t", 12},
    {"Step 1: one\n\nand\n\nmore\n", 0},    /* blank lines end no step with a heading */
    {"Step 1: one\n```\nStep 2: two\n", 0}, /* no heading in a fence */
    {"1. one\n\nmore\n\n", 0},              /* a list is open after its first item */
    {"1. one\n2. two\n", 7},
    {"1. one\n2. two\n3. t", 14},
    {"1. one\n2. two\n5. five\n\nsix\n", 7}, /* a number that does not count */
    {"## One\n\na\n\nb\n\n", 0},
    {"## One\n\na\n\n## Two\n", 11},
    {"1. one\n2. two\n\nStep 1: three\n", 15}, /* a list before the steps */
    {"I think 1.<think>", 10},                 /* a mark ends a step */
    {"I think 1.<thin", 0},
    {"1 < 2\n\n<b>", 7},
};

static void test_what_is_decided_when(void **state)
{
    for (size_t i = 0; i < sizeof moments / sizeof *moments; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        step_stream s;
        step_stream_init(&s, RDV_SPLIT_MAX_STEPS, arena);
        read_piece(&s, rdv_str_of(moments[i].text), false);
        if (step_stream_decided(&s) != moments[i].decided)
            fail_msg("%zu bytes are decided, not %zu, of: %s", step_stream_decided(&s),
                     moments[i].decided, moments[i].text);
        rdv_arena_free(&arena);
    }
}

static const struct {
    const char *text, *steps;
} texts[] = {
    {"", ""},
    {" \n\n ", ""},
    {"One.\nTwo.\nThree:\nfour.", "[One.][Two.][Three:\nfour.]"},
    {"One.\nTwo.\n\nThree.", "[One.\nTwo.][Three.]"},
    {"We go.\n\nStep 1: one\nStep 2: two", "[one][two]"},
    {"We have 3.\n\nStep 1: one\nStep 2: two", "[We have 3.][one][two]"},
    {"A = 1.\n\nB = 2.\n\nStep 1: one", "[A = 1.][B = 2.][one]"}, /* finer than the whole text's */
    {"**Step 1: Title**\none\n**Step 2: Title**", "[Title\none][Title]"},
    {"Step 1:\nStep 2: two", "[two]"},
    {"1. only\n\nthen\n\nmore", "[1. only][then][more]"},
    {"The plan:\n1. one\n2. two\n\nStep 1: three", "[one][two][three]"},
    {"## A\n1. one\n2. two", "[one][two]"},
    {"## A\n1. one\n2. two\n## B\n1. one", "[A\n1. one\n2. two][B\n1. one]"},
    {"<think>One.\n\nTwo.</think>Three.\n\nFour.", "[One.][Two.][Three.][Four.]"},
    {"<think>Step 1: one\nStep 2: two</think>Three.\n\nFour.", "[one][two][Three.][Four.]"},
    {"One.\n\nTwo.</think>\n\nThree.", "[One.][Two.][Three.]"},
    {"One costs $5 and\ntwo costs $6.\n\nThree.", "[One costs $5 and\ntwo costs $6.][Three.]"},
};

static void test_steps(void **state)
{
    rdv_rng rng;
    rdv_rng_seed(&rng, 1);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_str text = rdv_str_of(texts[i].text);
        step_stream s = read_whole(text, arena);
        rdv_str got = shown(&s, arena);
        if (!rdv_str_eq(got, rdv_str_of(texts[i].steps)))
            fail_msg("\"%s\" makes %.*s, not %s", texts[i].text, RDV_FMT(got), texts[i].steps);
        cut_everywhere(text, &rng);
        rdv_arena_free(&arena);
    }
}

/* ---- where pieces end ------------------------------------------------------------------------ */

static void test_golden_texts(void **state)
{
    rdv_rng rng;
    rdv_arena *arena = rdv_arena_new(0);
    size_t n;
    golden_case *cases = golden_read("steps.txt", arena, &n);
    rdv_rng_seed(&rng, 2);
    for (size_t i = 0; i < n; i++)
        cut_everywhere(golden_need(&cases[i], "text")->text, &rng);
    assert_true(n > 50);
    rdv_arena_free(&arena);
}

/* Texts of what matters to the rules, put together by lot. */
static void test_drawn_texts(void **state)
{
    static const char *const parts[] = {
        "One is 1.",
        "Hello",
        "a",
        "\n",
        "\n\n",
        "\n",
        "\n\n",
        " \n",
        "  ",
        ":\n",
        "Step 1: ",
        "Step 2:",
        "**Step 3: T**\n",
        "Thought 1: ",
        "#1. ",
        "#2. (by #1) ",
        "1. ",
        "2. ",
        "3) ",
        "0. ",
        "## Title\n",
        "### 1. T\n",
        "# 5\n",
        "$",
        "$$",
        "$x$",
        "\\(",
        "\\)",
        "\\[",
        "\\]",
        "\\",
        "```",
        "```\n",
        "~~~",
        "\\begin{a}",
        "\\end{a}",
        "\\begin{",
        "[asy]",
        "[/asy]",
        "<think>",
        "</think>",
        "[THINK]",
        "<",
        "<|channel|>analysis",
        "<|message|>",
        "<|channel|>final",
        "Schritt 1: ",
        "2. Schritt: ",
        "\xe7\xac\xac\xe4\xb8\x80\xe6\xad\xa5\xef\xbc\x9a",
        "\xe4\xb8\x80\xe3\x80\x81",
        "It costs $5.",
        "x\n",
        "- ",
        "\r\n",
        "Step",
    };
    rdv_rng rng;
    rdv_rng_seed(&rng, 3);
    for (size_t i = 0; i < DRAWN; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_buf b;
        rdv_buf_init(&b, arena, 0);
        for (size_t k = 1 + rdv_rng_below(&rng, 24); k > 0; k--)
            rdv_buf_add(&b, rdv_str_of(parts[rdv_rng_below(&rng, sizeof parts / sizeof *parts)]));
        cut_everywhere(rdv_buf_str(&b), &rng);
        rdv_arena_free(&arena);
    }
}

/* ---- limits ---------------------------------------------------------------------------------- */

static void test_a_step_that_is_too_long(void **state)
{
    static const char *const forms[] = {"%s", "Step 1: %s", "One is 1.\n\n%s", "%s\n\nThe end."};
    char *filler = malloc(STEP_STREAM_MOST_HELD + 2);
    assert_non_null(filler);
    memset(filler, 'x', STEP_STREAM_MOST_HELD + 1);
    filler[STEP_STREAM_MOST_HELD + 1] = '\0';
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        for (size_t piece = 100; piece < 200000; piece *= 1000) {
            rdv_arena *arena = rdv_arena_new(0);
            rdv_error err = {0};
            rdv_buf b;
            rdv_buf_init(&b, arena, 0);
            const char *hole = strstr(forms[i], "%s");
            rdv_buf_add(&b, (rdv_str){forms[i], (size_t)(hole - forms[i])});
            rdv_buf_add(&b, rdv_str_of(filler));
            rdv_buf_add(&b, rdv_str_of(hole + 2));
            rdv_str text = rdv_buf_str(&b);
            step_stream s;
            step_stream_init(&s, RDV_SPLIT_MAX_STEPS, arena);
            int rc = RDV_OK;
            for (size_t at = 0; at < text.len && rc == RDV_OK;) {
                at = at + piece < text.len ? at + piece : text.len;
                rc = step_stream_read(&s, rdv_slice(text, 0, at), at == text.len, &err);
            }
            assert_int_equal(rc, RDV_E_LIMIT);
            assert_non_null(strstr(err.msg, "a step of more than 65536 bytes"));
            rdv_arena_free(&arena);
        }
    free(filler);
}

static void test_too_many_steps(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    step_stream s;
    rdv_error err = {0};
    step_stream_init(&s, 2, arena);
    assert_int_equal(step_stream_read(&s, RDV_STR("1 a\n\n2 b\n\n3 c"), true, &err), RDV_E_LIMIT);
    assert_string_equal(err.msg, "more than 2 steps");
    rdv_arena_free(&arena);
}

static bool reads(rdv_str text)
{
    rdv_error err;
    step_stream s;
    rdv_arena *arena = rdv_arena_new(0);
    if (!arena)
        return false;
    step_stream_init(&s, RDV_SPLIT_MAX_STEPS, arena);
    int rc = step_stream_read(&s, rdv_slice(text, 0, text.len / 2), false, &err);
    if (rc == RDV_OK)
        rc = step_stream_read(&s, text, true, &err);
    rdv_arena_free(&arena);
    assert_true(rc == RDV_OK || rc == RDV_E_NOMEM);
    return rc == RDV_OK;
}

static void test_no_memory(void **state)
{
    rdv_str text = RDV_STR("Hello you\n\n**Step 1: A**\none\n\n**Step 2: B**\ntwo<think>three\n"
                           "four</think>1. five\n2. six");
    assert_survives_no_memory(reads(text), );
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_decided_when),
        cmocka_unit_test(test_steps),
        cmocka_unit_test(test_golden_texts),
        cmocka_unit_test(test_drawn_texts),
        cmocka_unit_test(test_a_step_that_is_too_long),
        cmocka_unit_test(test_too_many_steps),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
