/* SPDX-License-Identifier: Apache-2.0 */
/* Comparing formulas: tests/golden/same.txt, what must hold of every comparison, hostile texts. */
#include "algebra/same.h"

#include <rederive/math.h>

#include "../arena.h"
#include "../test.h"
#include "../text/golden.h"
#include "base/buf.h"
#include "base/str.h"

#include <pthread.h>
#include <time.h>

#define SECONDS 10 /* for one comparison, with sanitizers, on a busy machine */

typedef struct pair {
    rdv_str a, b;
} pair;

static const char *const names[] = {"DIFFERENT", "SAME", "CANNOT TELL", "NONE"};

/* What comparing found, as a line of the golden file says it. */
static const char *found(rdv_str a, rdv_str b)
{
    math_sameness same;
    int rc = math_same(a, b, NULL, &same, NULL);
    assert_true(rc == RDV_OK || rc == RDV_NONE);
    if (rc == RDV_NONE)
        return "NONE";
    assert_non_null(same.why);
    assert_non_null(same.reason);
    return names[same.is];
}

static rdv_str key_of(rdv_str text, rdv_arena *arena)
{
    rdv_str key = {0};
    assert_true(rdv_math_key(text, arena, &key, NULL) >= 0);
    return key;
}

/* One key for both is a proof that they are the same, and a difference one against it. */
static bool keys_agree(const pair *p, const char *is, rdv_arena *arena)
{
    rdv_str a = key_of(p->a, arena), b = key_of(p->b, arena);
    return !a.p || !b.p || !rdv_str_eq(a, b) || strcmp(is, "SAME") == 0;
}

static size_t check_pair(const pair *p, const char *want, rdv_arena *arena)
{
    const char *is = found(p->a, p->b), *turned = found(p->b, p->a);
    bool right = strcmp(is, want) == 0;
    if (!right)
        print_error("%.*s ;; %.*s: %s, not %s\n", RDV_FMT(p->a), RDV_FMT(p->b), is, want);
    if (strcmp(is, turned) != 0)
        print_error("%.*s ;; %.*s: %s, but turned %s\n", RDV_FMT(p->a), RDV_FMT(p->b), is, turned);
    bool agree = keys_agree(p, is, arena);
    if (!agree)
        print_error("%.*s ;; %.*s: one key, but %s\n", RDV_FMT(p->a), RDV_FMT(p->b), is);
    return !right || strcmp(is, turned) != 0 || !agree;
}

/* Each formula is the same as itself, or has no value. */
static size_t check_reflexive(rdv_str a)
{
    const char *is = found(a, a);
    bool right = strcmp(is, "DIFFERENT") != 0;
    if (!right)
        print_error("%.*s is not the same as itself\n", RDV_FMT(a));
    return !right;
}

static bool read_pair(rdv_str line, pair *p)
{
    size_t at = rdv_find(line, RDV_STR(" ;; "), 0);
    if (at == RDV_NOT_FOUND)
        return false;
    *p = (pair){rdv_slice(line, 0, at), rdv_slice(line, at + 4, line.len)};
    return true;
}

static void test_same__golden(void **state)
{
    rdv_arena *arena = *state;
    rdv_str rest = golden_text("same.txt", arena), line;
    const char *want = NULL;
    size_t n_wrong = 0, n = 0;
    while (rdv_next_line(&rest, &line)) {
        pair p;
        for (size_t i = 0; i < 4; i++)
            if (rdv_str_eq(line, rdv_str_of(names[i])))
                want = names[i];
        if ((line.len && line.p[0] == '#') || !read_pair(line, &p))
            continue;
        assert_non_null(want);
        n_wrong += check_pair(&p, want, arena) + check_reflexive(p.a) + check_reflexive(p.b);
        n++;
    }
    assert_true(n > 300); /* the file was read to its end */
    assert_int_equal(n_wrong, 0);
}

/* What "same" rests on is said. */
static void test_same__assumptions(void **state)
{
    static const struct {
        const char *a, *b, *assumption;
    } cases[] = {
        {"i^2", "-1", "i is the imaginary unit"},
        {"e^2 e", "e^3", "e is the base of natural logarithms"},
        {"\\log 100", "2", "log is the logarithm to base 10"},
        {"\\log e", "1", "log is the natural logarithm"},
        {"\\sqrt{xy}", "\\sqrt{x}\\sqrt{y}", NULL},
        {"x + 1", "1 + x", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        math_sameness same;
        assert_int_equal(
            math_same(rdv_str_of(cases[i].a), rdv_str_of(cases[i].b), NULL, &same, NULL), RDV_OK);
        assert_int_equal(same.is, MATH_SAME);
        if (cases[i].assumption)
            assert_string_equal(same.assumption, cases[i].assumption);
        else
            assert_null(same.assumption);
    }
}

/* ---- hostile texts --------------------------------------------------------------------------- */

/* `n` times `open`, `middle`, and `n` times `close`. */
static rdv_str nested(const char *open, const char *middle, const char *close, size_t n,
                      rdv_arena *arena)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    for (size_t i = 0; i < n; i++)
        rdv_buf_add(&b, rdv_str_of(open));
    rdv_buf_add(&b, rdv_str_of(middle));
    for (size_t i = 0; i < n; i++)
        rdv_buf_add(&b, rdv_str_of(close));
    assert_true(rdv_buf_ok(&b));
    return rdv_str_copy(arena, rdv_buf_str(&b));
}

static void assert_quick(rdv_str a, rdv_str b)
{
    math_sameness same;
    clock_t start = clock();
    assert_true(math_same(a, b, NULL, &same, NULL) >= 0);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    if (seconds > SECONDS)
        fail_msg("%.*s: %.1f s", (int)(a.len < 60 ? a.len : 60), a.p, seconds);
}

static void test_same__nested(void **state)
{
    static const struct {
        const char *open, *middle, *close;
    } patterns[] = {
        {"(", "1", ")"},
        {"{", "1", "}"},
        {"|", "1", "|"},
        {"\\sqrt{1+", "2", "}"},
        {"\\sqrt{x+", "2", "}"},
        {"\\sqrt{", "x+1", "+\\sqrt2}"},
        {"\\sqrt[3]{2+", "2", "}"},
        {"\\frac{1}{1+", "x", "}"},
        {"\\frac{1}{x+", "y", "}"},
        {"2^{", "2", "}"},
        {"x^{", "x", "}"},
        {"e^{", "x", "}"},
        {"\\sin(", "x", ")"},
        {"\\sin(", "1", ")"},
        {"\\ln(1+", "x", ")"},
        {"(x+1)^{", "2", "}"},
        {"\\sum_{k=1}^{9}", "k", ""},
        {"\\sum_{k=1}^{", "10", "} k"},
        {"10^", "10", ""},
        {"-", "1", ""},
        {"1+", "1", ""},
        {"x+", "1", ""},
        {"(x+1)", "", ""},
        {"\\sqrt2+", "1", ""},
        {"\\sqrt3\\cdot", "1", ""},
        {"9999999999999999999999999999999999999", "1", ""},
        {"", "9", "!"},
        {"", "30", "!!"},
        {"\\binom{", "90", "}{2}"},
        {"5000!+", "1", ""},
        {"\\gcd(2,", "4", ")"},
        {"\\overline{", "i", "}"},
        {"\\log_2 ", "9", ""},
    };
    static const size_t depths[] = {3, 8, 20, 60, 70, 1000, 6000};
    rdv_arena *arena = *state;
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
        for (size_t k = 0; k < sizeof depths / sizeof *depths; k++) {
            rdv_str a =
                nested(patterns[i].open, patterns[i].middle, patterns[i].close, depths[k], arena);
            rdv_str b = rdv_str_printf(arena, "%.*s+0x", RDV_FMT(a)), key;
            assert_quick(a, b);
            assert_true(rdv_math_key(a, arena, &key, NULL) >= 0);
        }
    /* Its conjugates would take minutes. */
    rdv_str large = RDV_STR("\\sqrt[3]{\\sinh(0.1) (i - 97!)}"), key;
    assert_int_equal(rdv_math_key(large, arena, &key, NULL), RDV_NONE);
    /* Zero denominators that only the algebra of roots shows. */
    rdv_str zero =
        RDV_STR("\\arctan(\\gcd(10,\\lfloor x\\rfloor)/\\sqrt{\\sin(\\sqrt[3]{0.1} 0)})");
    assert_true(rdv_math_key(zero, arena, &key, NULL) >= 0);
}

/* What is chained is compared on a small stack. */
static void *compare_chains(void *arena)
{
    static const char *const chains[][3] = {
        {"3", "", "!"},        {"3", "", "!!"},      {"x", "", "/2"},
        {"1", "", "-1"},       {"x", "", "^2"},      {"", "x", ""},
        {"\\sqrt2", "", "+x"}, {"\\sin(", "x", ")"}, {"x", "", "\\%"}};
    static const size_t lengths[] = {60, 200, 390, 2900};
    for (size_t i = 0; i < sizeof chains / sizeof *chains; i++)
        for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
            bool prefix = chains[i][1][0] != 0;
            rdv_str tail =
                nested(prefix ? chains[i][0] : "", chains[i][1], chains[i][2], lengths[k], arena);
            rdv_str a = rdv_str_printf(arena, "%s%.*s", prefix ? "" : chains[i][0], RDV_FMT(tail));
            rdv_str b = rdv_str_printf(arena, "%.*s+0x", RDV_FMT(a)), key;
            math_sameness same;
            math_same(a, b, NULL, &same, NULL);
            rdv_math_key(a, arena, &key, NULL);
        }
    rdv_math_thread_end();
    return NULL;
}

/* What the header promises is about programs without sanitizers, whose frames are larger. */
#define STACK (SANITIZED ? 4 << 20 : 256 << 10)

static void test_same__small_stack(void **state)
{
    pthread_attr_t attributes;
    pthread_t thread;
    assert_int_equal(pthread_attr_init(&attributes), 0);
    assert_int_equal(pthread_attr_setstacksize(&attributes, STACK), 0);
    assert_int_equal(pthread_create(&thread, &attributes, compare_chains, *state), 0);
    assert_int_equal(pthread_join(thread, NULL), 0);
    pthread_attr_destroy(&attributes);
}

/* Different by so little, or so large, that limits are met: never "same". */
static void test_same__near(void **state)
{
    static const char *const pairs[][2] = {
        {"\\sqrt{2+\\sqrt{3+\\sqrt{5}}}", "\\sqrt{2+\\sqrt{3+\\sqrt{5+10^{-400}}}}"},
        {"\\sqrt[7]{2}+\\sqrt[5]{3}+\\sqrt[3]{5}",
         "\\sqrt[3]{5+10^{-400}}+\\sqrt[5]{3}+\\sqrt[7]{2}"},
        {"e^{e^{e}}", "e^{e^{e}}+10^{-500000}"},
        {"\\pi", "\\pi+10^{-3000}"},
        {"\\sin(2^{100000})", "\\cos(2^{100000})"},
        {"3^{3^{3^3}}", "3^{3^{3^3}}+1"},
        {"100000!", "100000!+1"},
        {"\\prod_{k=1}^{89} \\tan(k^\\circ)", "1.0000000000000000000001"},
        {"x^{10^{30}}", "x^{10^{30}+1}"},
        {"\\ln(10^{4000}+1)", "\\ln(10^{4000})"},
        {"\\sin(\\pi + 10^{-3000})", "0"},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (strcmp(found(rdv_str_of(pairs[i][0]), rdv_str_of(pairs[i][1])), "SAME") == 0)
            fail_msg("%s is not %s", pairs[i][0], pairs[i][1]);
}

static void test_same__bytes(void **state)
{
    rdv_arena *arena = *state;
    char bytes[2] = {0};
    for (int c = 0; c < 256; c++) {
        bytes[0] = (char)c;
        rdv_str a = rdv_str_printf(arena, "x%.1s+1", bytes);
        assert_quick(a, (rdv_str){bytes, 1});
    }
    assert_quick((rdv_str){0}, RDV_STR(""));
}

static void test_same__no_memory(void **state)
{
    static const char *const texts[] = {"\\frac{x_{1}^2 - 1}{y'}", "\\sqrt{1 + \\sqrt{5}}", "1/3"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        math_sameness same;
        int r;
        assert_survives_no_memory((r = math_same(rdv_str_of(texts[i]), rdv_str_of(texts[i]), NULL,
                                                 &same, NULL)) == RDV_OK,
                                  assert_int_equal(r, RDV_E_NOMEM));
        assert_int_equal(same.is, MATH_SAME);
    }
}

/* Where nothing can be told, it is said why: without a value, or too large, is not unproved. */
static void test_same__says_why_it_cannot_tell(void **state)
{
    static const struct {
        const char *a, *b, *why;
    } cases[] = {
        {"1/0", "1/0", "undefined"},    {"\\ln 0", "1", "undefined"},
        {"1 + x/0", "x", "undefined"},  {"10^{10^{10^{10}}}", "10^{10^{10^{11}}}", "limit"},
        {"f(2x)", "2f(x)", "function"}, {"4\\arctan(1/5)-\\arctan(1/239)", "\\pi/4", "undecided"},
        {"|xy|", "xy", "assumption"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        math_sameness same;
        assert_int_equal(
            math_same(rdv_str_of(cases[i].a), rdv_str_of(cases[i].b), NULL, &same, NULL), RDV_OK);
        assert_int_equal(same.is, MATH_CANNOT_TELL);
        assert_string_equal(same.why, cases[i].why);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_same__golden, arena_set_up, arena_tear_down),
        cmocka_unit_test(test_same__assumptions),
        cmocka_unit_test(test_same__says_why_it_cannot_tell),
        cmocka_unit_test_setup_teardown(test_same__nested, arena_set_up, arena_tear_down),
        cmocka_unit_test_setup_teardown(test_same__small_stack, arena_set_up, arena_tear_down),
        cmocka_unit_test(test_same__near),
        cmocka_unit_test_setup_teardown(test_same__bytes, arena_set_up, arena_tear_down),
        cmocka_unit_test(test_same__no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
