/* SPDX-License-Identifier: Apache-2.0 */
/* Model text as HTML: examples, and what must hold of any text: no number or word is lost or moved,
 * every tag is closed, and the marks cover the bytes that they name. */
#include "report/html_markdown.h"

#include "base/arena.h"
#include "base/str.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <cmocka.h>

static const struct {
    const char *text, *html;
} examples[] = {
    {"plain", "<p>plain</p>"},
    {"a\nb\n\nc", "<p>a\nb</p><p>c</p>"},
    {"**bold** and *em* and `x*y`",
     "<p><strong>bold</strong> and <em>em</em> and <code>x*y</code></p>"},
    {"***both***", "<p><strong><em>both</em></strong></p>"},
    {"**12 + 3 = 15**.", "<p><strong>12 + 3 = 15</strong>.</p>"},
    /* a product is no emphasis */
    {"2*3*4 = 24", "<p>2*3*4 = 24</p>"},
    {"2**3**2", "<p>2**3**2</p>"},
    {"2 * 3 * 4", "<p>2 * 3 * 4</p>"},
    {"5 *3 + 4* 2", "<p>5 *3 + 4* 2</p>"},
    {"a*b + c*d", "<p>a*b + c*d</p>"},
    {"(2+1)*(3)*x", "<p>(2+1)*(3)*x</p>"},
    {"a_1_b and _em_", "<p>a_1_b and <em>em</em></p>"},
    {"\\*no\\* **open", "<p>\\*no\\* **open</p>"},
    /* signs and numbers of lists stay */
    {"- 3 = x\n  - y", "<ul class=\"md\"><li class=\"d0\"><span class=\"m\">-</span> 3 = x</li><li "
                       "class=\"d1\"><span "
                       "class=\"m\">-</span> y</li></ul>"},
    {"7. b\n   more\nend",
     "<ul class=\"md\"><li class=\"d0\"><span class=\"m\">7.</span> b\nmore</li></ul><p>end</p>"},
    {"2.5 is no item", "<p>2.5 is no item</p>"},
    {"-3 neither", "<p>-3 neither</p>"},
    {"## Step 1: *x*\ny", "<p class=\"h\">Step 1: <em>x</em></p><p>y</p>"},
    {"# of pens", "<p class=\"h\"><span class=\"m\">#</span> of pens</p>"},
    {"a\n---\nb", "<p>a</p><hr><p>b</p>"},
    {"| a | b |\n|---|--:|\n| 1 | **2** | 3\nc",
     "<div class=\"wide\"><table><thead><tr><th>a</th><th>b</th></tr></thead><tbody><tr><td>1</td>"
     "<td><strong>2</strong></td><td>3</td></tr></tbody></table></div><p>c</p>"},
    {"a | b\nc", "<p>a | b\nc</p>"},
    {"```py\nx = 2 ** 3\n```",
     "<pre class=\"code\"><span class=\"m\">py</span>\n<code>x = 2 ** 3</code></pre>"},
    {"```\nnever closed", "<p>```\nnever closed</p>"},
    /* HTML and links are text */
    {"<b>x</b> [a](javascript:1) ![i](u)", "<p>&lt;b&gt;x&lt;/b&gt; [a](javascript:1) ![i](u)</p>"},
    {"[x]: http://hidden", "<p>[x]: http://hidden</p>"},
    /* formulas */
    {"so $x^2*y*z$.", "<p>so <span class=\"tex\">$x^2*y*z$</span>.</p>"},
    {"$5 or $6", "<p>$5 or $6</p>"},
    {"\\(a\\) and\n$$\nb\n\nc\n$$", "<p><span class=\"tex\">\\(a\\)</span> and\n<span class=\"tex "
                                    "block\">$$\nb\n\nc\n$$</span></p>"},
    {"| $|x|$ |\n|--|",
     "<div class=\"wide\"><table><thead><tr><th><span "
     "class=\"tex\">$|x|$</span></th></tr></thead><tbody></tbody></table></div>"},
    {"`$x$` is code", "<p><code>$x$</code> is code</p>"},
    {"**$x$ is 2**", "<p><strong><span class=\"tex\">$x$</span> is 2</strong></p>"},
};

static rdv_str html_of(rdv_str text, const rdv_span *marks, size_t n, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    html_markdown(&b, text, marks, n);
    assert_true(rdv_buf_ok(&b));
    return rdv_buf_str(&b);
}

static void test_examples(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
        rdv_str html = html_of(rdv_str_of(examples[i].text), NULL, 0, arena);
        if (!rdv_str_eq(html, rdv_str_of(examples[i].html)))
            fail_msg("%s\n  is %.*s\n  not %s", examples[i].text, RDV_FMT(html), examples[i].html);
    }
    rdv_arena_free(&arena);
}

/* "[" and "]" stand around what is marked. */
static void test_marks(void **state)
{
    static const struct {
        const char *text, *marked, *html;
    } marks[] = {
        {"so **2 + 2 = 5** then", "2 + 2 = 5",
         "<p>so <strong><mark>2 + 2 = 5</mark></strong> then</p>"},
        {"**a** 2 + *2 = 5* b", "2 + *2 = 5",
         "<p><strong>a</strong> <mark>2 + </mark><em><mark>2 = 5</mark></em> b</p>"},
        {"- 2 + 2 = 5", "2 + 2 = 5",
         "<ul class=\"md\"><li class=\"d0\"><span class=\"m\">-</span> <mark>2 + 2 = "
         "5</mark></li></ul>"},
        {"x $2+2=5$ y", "2+2=5", "<p>x <mark><span class=\"tex\">$2+2=5$</span></mark> y</p>"},
        {"x $a=2+2=5$ y", "2+2=5", "<p>x <span class=\"tex\">$a=<mark>2+2=5</mark>$</span> y</p>"},
        {"| 2+2 = 5 |\n|---|", "2+2 = 5",
         "<div class=\"wide\"><table><thead><tr><th><mark>2+2 = "
         "5</mark></th></tr></thead><tbody></tbody></table></div>"},
    };
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        rdv_str text = rdv_str_of(marks[i].text), marked = rdv_str_of(marks[i].marked);
        size_t begin = rdv_find(text, marked, 0);
        rdv_span span = {begin, begin + marked.len};
        rdv_str html = html_of(text, &span, 1, arena);
        if (!rdv_str_eq(html, rdv_str_of(marks[i].html)))
            fail_msg("%s\n  is %.*s\n  not %s", marks[i].text, RDV_FMT(html), marks[i].html);
    }
    rdv_arena_free(&arena);
}

/* ---- any text -------------------------------------------------------------------------------- */

static const char *const pieces[] = {
    "*",     "**",         "***",      "_",     "`",     "``",     "```\n", "~~~", "$",    "$$",
    "\\(",   "\\)",        "\\",       "\\[",   "\\]",   "|",      "|--|",  "\n",  "\n\n", "\n- ",
    "\n1. ", "\n  + ",     "# ",       "\n## ", " ",     "  ",     "a",     "bc",  "12",   "3.5",
    "=",     "(",          ")",        "<b>",   "&",     "[x](y)", ">",     "---", "x^2",  "é",
    "第",    "\\begin{a}", "\\end{a}", "\t",    "[asy]", "[/asy]"};

#define N_PIECES (sizeof pieces / sizeof *pieces)

static uint32_t next_random(uint32_t *state)
{
    *state = *state * 1664525u + 1013904223u;
    return *state >> 8;
}

/* May a rule leave such a sign out? */
static bool may_go(char c)
{
    return rdv_is_space(c) || strchr("*_`|-:~#", c);
}

/* What is left of a text without the signs that may go. */
static rdv_str kept_of(rdv_str text, rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < text.len; i++)
        if (!may_go(text.p[i]))
            rdv_buf_add_char(&b, text.p[i]);
    return rdv_buf_str(&b);
}

/* The text of HTML, in which every tag must be closed. marked: only what is in <mark>. */
static rdv_str text_of(rdv_str html, bool marked, rdv_arena *arena)
{
    static const char *const references[][2] = {
        {"&amp;", "&"}, {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}};
    rdv_str open[64];
    size_t depth = 0, in_mark = 0;
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < html.len;) {
        if (html.p[i] == '<') {
            size_t end = rdv_find_char(html, '>', i);
            assert_true(end != RDV_NOT_FOUND);
            bool closes = html.p[i + 1] == '/';
            size_t name = i + 1 + closes, name_end = name;
            while (name_end < end && html.p[name_end] != ' ')
                name_end++;
            rdv_str tag = rdv_slice(html, name, name_end);
            if (closes) {
                assert_true(depth > 0 && rdv_str_eq(open[depth - 1], tag));
                depth--;
                in_mark -= rdv_str_eq(tag, RDV_STR("mark"));
            } else if (!rdv_str_eq(tag, RDV_STR("hr"))) {
                assert_true(depth < 64);
                open[depth++] = tag;
                in_mark += rdv_str_eq(tag, RDV_STR("mark"));
            }
            i = end + 1;
            continue;
        }
        size_t len = 1;
        const char *is = NULL;
        for (size_t r = 0; r < 5 && !is; r++)
            if (rdv_starts(rdv_slice(html, i, html.len), rdv_str_of(references[r][0]))) {
                is = references[r][1];
                len = strlen(references[r][0]);
            }
        if (!marked || in_mark)
            rdv_buf_add_char(&b, is ? *is : html.p[i]);
        i += len;
    }
    assert_int_equal(depth, 0);
    return rdv_buf_str(&b);
}

static void test_nothing_is_lost(void **state)
{
    uint32_t random = 45;
    rdv_arena *arena = rdv_arena_new(0);
    for (int i = 0; i < 50000; i++) {
        rdv_buf b;
        rdv_arena_reset(arena);
        rdv_buf_init(&b, arena, 0);
        for (size_t n = next_random(&random) % 40; n > 0; n--)
            rdv_buf_add(&b, rdv_str_of(pieces[next_random(&random) % N_PIECES]));
        rdv_str text = rdv_buf_str(&b);
        size_t from = text.len ? next_random(&random) % text.len : 0;
        size_t to = from + (text.len ? next_random(&random) % (text.len - from + 1) : 0);
        while (from > 0 && ((unsigned char)text.p[from] & 0xc0) == 0x80)
            from--;
        while (to > from && to < text.len && ((unsigned char)text.p[to] & 0xc0) == 0x80)
            to++;
        rdv_span span = {from, to};
        rdv_str html = html_of(text, &span, to > from, arena);
        rdv_str said = kept_of(text_of(html, false, arena), arena), kept = kept_of(text, arena);
        if (!rdv_str_eq(said, kept))
            fail_msg("%.*s\n  is %.*s", RDV_FMT(text), RDV_FMT(html));
        rdv_str marked = kept_of(text_of(html, true, arena), arena);
        rdv_str wanted = kept_of(rdv_slice(text, from, to), arena);
        bool formula = rdv_find(html, RDV_STR(HTML_FORMULA), 0) != RDV_NOT_FOUND;
        if (!formula && !rdv_str_eq(marked, wanted)) /* a formula is marked as a whole */
            fail_msg("%.*s\n  marked %.*s\n  in %.*s", RDV_FMT(text), RDV_FMT(wanted),
                     RDV_FMT(html));
    }
    rdv_arena_free(&arena);
}

/* What never closes must not be searched for again and again. */
static void test_long_texts_take_linear_time(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    for (size_t i = 0; i < N_PIECES; i++) {
        rdv_buf b;
        rdv_arena_reset(arena);
        rdv_buf_init(&b, arena, 0);
        for (size_t n = 0; n < 100000; n++) {
            rdv_buf_add(&b, rdv_str_of(pieces[i]));
            rdv_buf_lit(&b, "a ");
        }
        html_of(rdv_buf_str(&b), NULL, 0, arena);
    }
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_examples),
        cmocka_unit_test(test_marks),
        cmocka_unit_test(test_nothing_is_lost),
        cmocka_unit_test(test_long_texts_take_linear_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
