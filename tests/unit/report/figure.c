/* SPDX-License-Identifier: Apache-2.0 */
/* Figures: ticks, what is drawn, and data. */
#include "../arena.h"

#include "base/str.h"
#include "report/figure.h"
#include "report/html_text.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static rdv_str svg_of(rdv_arena *arena, const rdv_figure *figure)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_figure_svg(figure, &b);
    assert_true(rdv_buf_ok(&b));
    return rdv_buf_str(&b);
}

static size_t count(rdv_str text, const char *what)
{
    size_t n = 0;
    for (size_t at = 0; (at = rdv_find(text, rdv_str_of(what), at)) != RDV_NOT_FOUND; at++)
        n++;
    return n;
}

static void test_ticks(void **state)
{
    assert_true(rdv_figure_tick(0, 1, 5, false) == 0.2);
    assert_true(rdv_figure_tick(0, 100, 5, false) == 20);
    assert_true(rdv_figure_tick(0, 3, 6, true) == 1);
    assert_true(rdv_figure_tick(1, 1, 5, false) == 1);
    assert_true(rdv_figure_tick(0, INFINITY, 5, false) == 1);
    assert_true(rdv_figure_tick(0, 0.003, 5, false) == 0.001);
}

static void test_points_without_a_value_are_not_drawn(void **state)
{
    const rdv_figure_point points[] = {{0, 0.5, NAN, NAN}, {1, NAN, NAN, NAN}, {2, 0.7, 0.6, 0.8}};
    const rdv_figure_series series = {RDV_STR("one"), points, 3};
    const rdv_figure figure = {.name = "f",
                               .title = "F",
                               .x = {.label = "x"},
                               .y = {.label = "y", .high = 1},
                               .series = &series,
                               .n_series = 1};
    rdv_str svg = svg_of(*state, &figure);
    assert_int_equal(count(svg, "translate("), 2); /* marks */
    assert_int_equal(count(svg, "interval"), 1);
    assert_int_equal(count(svg, "nan"), 0);
}

/* Series with intervals at one x stand three apart, the middle one over the x: none hides another.
 */
static void test_intervals_of_one_x_are_set_apart(void **state)
{
    const rdv_figure_point point[] = {{1, 0.5, 0.4, 0.6}, {2, NAN, NAN, NAN}};
    const rdv_figure_series series[] = {
        {RDV_STR("a"), point, 2}, {RDV_STR("b"), point, 2}, {RDV_STR("c"), point, 2}};
    const rdv_figure figure = {.name = "f",
                               .title = "F",
                               .x = {.label = "x", .high = 2},
                               .y = {.label = "y", .high = 1},
                               .series = series,
                               .n_series = 3};
    rdv_str svg = svg_of(*state, &figure);
    double x[3], mark = NAN;
    size_t at = 0;
    for (size_t s = 0; s < 3; s++) {
        at = rdv_find(svg, RDV_STR(" interval\""), at) + 1;
        size_t path = rdv_find(svg, RDV_STR(" d=\"M"), at) + 5;
        x[s] = strtod(svg.p + path, NULL);
        if (s == 1)
            mark = strtod(svg.p + rdv_find(svg, RDV_STR("translate("), at) + 10, NULL);
    }
    assert_float_equal(x[1] - x[0], 3, 0.11); /* they are rounded to a tenth */
    assert_float_equal(x[2] - x[1], 3, 0.11);
    assert_float_equal(x[1], mark, 0.11);
}

static void test_a_figure_without_points(void **state)
{
    const rdv_figure figure = {.name = "f", .title = "F", .x = {.label = "x"}, .y = {.label = "y"}};
    rdv_str svg = svg_of(*state, &figure);
    assert_int_equal(count(svg, "nan"), 0);
    assert_int_equal(count(svg, "inf"), 0);
}

static void test_bars_are_stacked(void **state)
{
    const rdv_figure_point low[] = {{0, 1, NAN, NAN}, {1, 3, NAN, NAN}};
    const rdv_figure_point high[] = {{0, 1, NAN, NAN}, {1, 0, NAN, NAN}};
    const rdv_figure_series series[] = {{RDV_STR("a"), low, 2}, {RDV_STR("b"), high, 2}};
    const rdv_str categories[] = {RDV_STR("p"), RDV_STR("q")};
    const rdv_figure figure = {.name = "f",
                               .title = "F",
                               .kind = RDV_FIGURE_BARS,
                               .x = {.label = "x"},
                               .y = {.label = "y"},
                               .categories = categories,
                               .n_categories = 2,
                               .series = series,
                               .n_series = 2};
    rdv_str svg = svg_of(*state, &figure);
    assert_int_equal(count(svg, " bar\""), 3 + 2); /* bars of 0 are left out; the legend has two */
    assert_int_equal(count(svg, "url(#hatch-f-1)"), 1 + 1);
}

static void test_texts_are_escaped(void **state)
{
    const rdv_figure_point point = {0, 1, NAN, NAN};
    const rdv_figure_series series[] = {{RDV_STR("<b>\"=1\","), &point, 1},
                                        {RDV_STR("=1+1"), &point, 1}};
    const rdv_figure figure = {.name = "f",
                               .title = "<i>",
                               .x = {.label = "<x>"},
                               .y = {.label = "<y>"},
                               .series = series,
                               .n_series = 2};
    rdv_str svg = svg_of(*state, &figure);
    rdv_buf b;
    assert_int_equal(count(svg, "<b>") + count(svg, "<i>") + count(svg, "<x>"), 0);
    rdv_buf_init(&b, *state, 0);
    rdv_figure_csv(&figure, &b);
    rdv_str csv = rdv_buf_str(&b);
    assert_int_equal(count(csv, "\"<b>\"\"=1\"\",\",0,1,,\r\n"), 1);
    assert_int_equal(count(csv, "\"'=1+1\",0,1,,\r\n"), 1);
}

static rdv_str escaped(rdv_arena *arena, void (*how)(rdv_buf *, rdv_str), rdv_str text)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    how(&b, text);
    assert_true(rdv_buf_ok(&b));
    return rdv_buf_str(&b);
}

#define ASSERT_TEXT(got, wanted) assert_true(rdv_str_eq((got), RDV_STR(wanted)))

static void test_text_in_html(void **state)
{
    ASSERT_TEXT(escaped(*state, html_text, RDV_STR("a<b>&\"'c")), "a&lt;b&gt;&amp;&quot;&#39;c");
    ASSERT_TEXT(escaped(*state, html_text, RDV_STR("a\nb\tc\r\nd")), "a\nb\tc\nd");
    ASSERT_TEXT(escaped(*state, html_text, RDV_STR("a\0b\x1f\xff")), "a\\x00b\\x1f\\xff");
    ASSERT_TEXT(escaped(*state, html_prose, RDV_STR("\xe2\x80\xae")),
                "<span class=\"esc\">\\u202e</span>");
    ASSERT_TEXT(escaped(*state, html_text, RDV_STR("\xc3\x97 \xf0\x9f\x98\x80")),
                "\xc3\x97 \xf0\x9f\x98\x80");
    ASSERT_TEXT(escaped(*state, html_anchor, RDV_STR("a/1:0 \"<")), "a/1~3a0~20~22~3c");
    ASSERT_TEXT(escaped(*state, html_percent, RDV_STR("a,\"\n")), "a%2C%22%0A");
    ASSERT_TEXT(escaped(*state, html_plain, RDV_STR("a\nb\x1e")), "a b\\x1e");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ticks),
        cmocka_unit_test(test_points_without_a_value_are_not_drawn),
        cmocka_unit_test(test_intervals_of_one_x_are_set_apart),
        cmocka_unit_test(test_a_figure_without_points),
        cmocka_unit_test(test_bars_are_stacked),
        cmocka_unit_test(test_texts_are_escaped),
        cmocka_unit_test(test_text_in_html),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
