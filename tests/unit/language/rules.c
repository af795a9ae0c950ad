/* SPDX-License-Identifier: Apache-2.0 */
/* Sets of rules as a program makes them: what may be added, what is switched off, and the limits of
 * files from outside. */
#include <rederive/rules.h>

#include "../test.h"
#include "base/buf.h"
#include "language/assertion.h"
#include "language/rule.h"

#include <time.h>

#define FILE_MOST ((size_t)1 << 20)

static const char row[] = "## slip\n"
                          "cue: i slipped there\n"
                          "effect: retracted\n"
                          "where: behind next\n"
                          "fires: 3 * 4 = 13. I slipped there.\n"
                          "silent: 3 * 4 = 13. She slipped there.\n";

static int make(void **state)
{
    return !(*state = rdv_arena_new(0));
}

static int drop(void **state)
{
    rdv_arena_free((rdv_arena **)state);
    return 0;
}

static int add(rdv_rules *rules, rdv_str text, rdv_error *err)
{
    return rdv_rules_add(rules, RDV_STR("mine.rules"), text, err);
}

static void assert_refused(rdv_rules *rules, rdv_str text, int code, const char *message)
{
    rdv_error err = {0};
    size_t n = rdv_rules_count(rules);
    assert_int_equal(add(rules, text, &err), code);
    if (!strstr(err.msg, message))
        fail_msg("\"%s\" is not said: %s", message, err.msg);
    assert_int_equal(rdv_rules_count(rules), n);
}

static void test_add(void **state)
{
    rdv_rules *rules = rdv_rules_new(*state);
    size_t n = rdv_rules_count(rules);
    char text[sizeof row];
    memcpy(text, row, sizeof text);
    assert_true(n > 20);
    assert_int_equal(add(rules, (rdv_str){text, sizeof text - 1}, NULL), RDV_OK);
    memset(text, 'x', sizeof text); /* it was copied */
    assert_int_equal(rdv_rules_count(rules), n + 1);
    rdv_rule added = rdv_rules_at(rules, n), first = rdv_rules_at(rules, 0);
    assert_text(added.id, "slip");
    assert_text(added.file, "mine.rules");
    assert_int_equal(added.line, 1);
    assert_string_equal(added.effect, "retracted");
    assert_string_equal(added.reason, "the text after it takes it back");
    assert_text(added.fires[0], "3 * 4 = 13. I slipped there.");
    assert_true(added.added && !added.off && added.n_fires == 1 && added.n_silent == 1);
    assert_true(rdv_starts(added.text, RDV_STR("## slip\ncue: i slipped there\n")));
    assert_true(rdv_ends(added.text, RDV_STR("She slipped there.")));
    assert_true(!first.added && rdv_ends(first.file, RDV_STR(".rules")));
    /* the built-in lists of words may be used */
    assert_int_equal(add(rules,
                         RDV_STR("## mine\ncue: @says _ (@adverb) loudly\neffect: reported\n"
                                 "fires: x\n"),
                         NULL),
                     RDV_OK);
}

/* An added row says nothing by itself: it is asked last, of what is wrong. */
static void test_excuses_only(void **state)
{
    rdv_rules *rules = rdv_rules_new(*state);
    rdv_str text = RDV_STR("3 * 4 = 13. I slipped there.");
    assert_null(assertion_excused(rules, text, 0, 10));
    assert_int_equal(add(rules, rdv_str_of(row), NULL), RDV_OK);
    assert_null(assertion_not(rules, text, 0, 10));
    assert_text(assertion_excused(rules, text, 0, 10)->id, "slip");
    assert_int_equal(rdv_rules_disable(rules, RDV_STR("slip"), NULL), RDV_OK);
    assert_null(assertion_excused(rules, text, 0, 10));
}

static void test_disable(void **state)
{
    rdv_error err;
    rdv_rules *rules = rdv_rules_new(*state);
    rdv_str text = RDV_STR("It is not true that 3 * 4 = 13.");
    assert_text(assertion_not(rules, text, 20, 30)->id, "denied-that");
    assert_int_equal(rdv_rules_disable(rules, RDV_STR("denied-that"), NULL), RDV_OK);
    assert_int_equal(rdv_rules_disable(rules, RDV_STR("denied"), NULL), RDV_OK);
    assert_null(assertion_not(rules, text, 20, 30));
    assert_text(assertion_not(NULL, text, 20, 30)->id,
                "denied-that"); /* of others nothing changed */
    assert_int_equal(rdv_rules_disable(rules, RDV_STR("denied-taht"), &err), RDV_E_INPUT);
    assert_string_equal(err.msg, "there is no rule denied-taht; did you mean denied-that?");
    assert_int_equal(rdv_rules_disable(rules, RDV_STR("wholly other"), &err), RDV_E_INPUT);
    assert_string_equal(err.msg, "there is no rule wholly other");
}

static void test_refused(void **state)
{
    rdv_rules *rules = rdv_rules_new(*state);
    assert_int_equal(add(rules, rdv_str_of(row), NULL), RDV_OK);
    assert_refused(rules, rdv_str_of(row), RDV_E_INPUT,
                   "mine.rules:1: slip stands in mine.rules:1");
    assert_refused(rules, RDV_STR("\n## denied-that\n"), RDV_E_INPUT,
                   "mine.rules:2: denied-that stands in ");
    assert_refused(rules, RDV_STR("## @says\nwords: b\n"), RDV_E_INPUT, "@says stands twice");
    assert_refused(rules, RDV_STR("## a\ncue: b c\neffect: nothing\n"), RDV_E_INPUT,
                   "mine.rules:3: a: effect nothing is for built-in rows");
    assert_refused(rules, RDV_STR("## a\ncue: b c\neffect: clause\n"), RDV_E_INPUT,
                   "effect clause");
    assert_refused(rules, RDV_STR("## a\ncue: b c\neffect: rounded up\n"), RDV_E_INPUT,
                   "effect rounded up");
    /* what was read before the fault is gone, and its names are free */
    assert_refused(rules, RDV_STR("## b\ncue: b _\neffect: denied\nfires: b\n## c\ncue: _\n"),
                   RDV_E_INPUT, "mine.rules:6: c: a cue has a word");
    assert_int_equal(add(rules, RDV_STR("## b\ncue: b _\neffect: denied\nfires: b\n"), NULL),
                     RDV_OK);
}

/* ---- limits ---------------------------------------------------------------------------------- */

static rdv_str repeated(rdv_arena *arena, const char *head, const char *part, size_t n)
{
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    rdv_buf_add(&b, rdv_str_of(head));
    for (size_t i = 0; i < n; i++)
        rdv_buf_add(&b, rdv_str_of(part));
    return rdv_buf_str(&b);
}

static void test_limits(void **state)
{
    rdv_rules *rules = rdv_rules_new(*state);
    assert_refused(rules, repeated(*state, "", "#\n", FILE_MOST / 2 + 1), RDV_E_LIMIT,
                   "at most 1048576 bytes");
    assert_refused(rules, repeated(*state, "## @w\nwords:", " w", 1001), RDV_E_LIMIT,
                   "mine.rules:2: @w: a list has at most 1000 words");
    assert_refused(rules, repeated(*state, "## a\ncue: b", "; b", 20000), RDV_E_LIMIT,
                   "more than 20000 cues");
    rdv_str list = repeated(*state, "## @w\nwords:", " w", 1000);
    assert_int_equal(add(rules, list, NULL), RDV_OK);
    assert_refused(rules, repeated(*state, "## a\ncue: b @w @w", "; b @w @w @w", 1000), RDV_E_LIMIT,
                   "at most 1000000 words");
    rdv_buf b;
    rdv_buf_init(&b, *state, 0);
    for (size_t i = 0; i < 4000; i++)
        rdv_buf_printf(&b, "## r%zu\ncue: b _\neffect: denied\nfires: b\n", i);
    assert_refused(rules, rdv_buf_str(&b), RDV_E_LIMIT, "more than 4000 rules");
}

static double seconds_of(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}

/* A file of 1 MiB, of the cues that take longest: each word of the text is in each, what may stand
 * there stands there, and the number at the end does not. */
static void test_hostile_file(void **state)
{
    rdv_rules *rules = rdv_rules_new(*state);
    rdv_str rows =
        repeated(*state, "## a\neffect: denied\nfires: x\nwhere: before sentence\ncue: a #",
                 "; a (a) ... (a) (a) (a) (a) a a a ... (a) (a) a a #", 19000);
    rdv_str words = repeated(*state, "", "a ", 400), step;
    rows =
        rdv_str_printf(*state, "%.*s\n#%*s\n", RDV_FMT(rows), (int)(FILE_MOST - rows.len - 3), "");
    double begin = seconds_of();
    assert_int_equal(rows.len, FILE_MOST);
    assert_int_equal(add(rules, rows, NULL), RDV_OK);
    double read = seconds_of() - begin;
    step = rdv_str_printf(*state, "%.*s3 * 4 = 13.", RDV_FMT(words));
    for (size_t i = 0; i < 5; i++)
        assert_null(assertion_excused(rules, step, words.len, words.len + 10));
    double took = (seconds_of() - begin - read) / 5;
    print_message("1 MiB read in %.3f s; %.3f s a claim\n", read, took);
    assert_true(read < 2 && took < 2);
}

static void test_no_memory(void **state)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_rules *rules = rdv_rules_new(*state);
    size_t n = rdv_rules_count(rules);
    assert_survives_no_memory((rules = rdv_rules_new(arena)) != NULL, {
        rdv_arena_free(&arena); /* whose room would hide the next allocation */
        arena = rdv_arena_new(0);
    });
    assert_survives_no_memory(add(rules, rdv_str_of(row), NULL) == RDV_OK,
                              assert_int_equal(rdv_rules_count(rules), n));
    assert_int_equal(rdv_rules_count(rules), n + 1);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_add, make, drop),
        cmocka_unit_test_setup_teardown(test_excuses_only, make, drop),
        cmocka_unit_test_setup_teardown(test_disable, make, drop),
        cmocka_unit_test_setup_teardown(test_refused, make, drop),
        cmocka_unit_test_setup_teardown(test_limits, make, drop),
        cmocka_unit_test_setup_teardown(test_hostile_file, make, drop),
        cmocka_unit_test_setup_teardown(test_no_memory, make, drop),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
