/* SPDX-License-Identifier: Apache-2.0 */
#include "data/export/export.h"
#include "reading.h"

#include "base/arena.h"
#include "base/str.h"

#include <math.h>

static rdv_str steps[] = {RDV_STR("3 + 4 = 8"), RDV_STR("\xc3\xa9 =1"), RDV_STR("So 8.")};
static rdv_str options[] = {RDV_STR("7"), RDV_STR("8")};
static rdv_verdict verdicts[] = {{0, RDV_CONTRADICT, 0, {"3 + 4 is 7", 10}, NULL},
                                 {1, RDV_UNKNOWN, NAN, {"unread", 6}, NULL},
                                 {2, RDV_SUPPORT, 1, {0}, NULL}};
static rdv_check check = {.method = {"m", 1},
                          .verdicts = verdicts,
                          .n_verdicts = 3,
                          .confidence = 0.25,
                          .first_error = 0,
                          .n_unknown = 1,
                          .calls = 2};

static rdv_chain a_chain(void)
{
    return (rdv_chain){.id = RDV_STR("c/0"),
                       .question = {.id = RDV_STR("q"),
                                    .text = RDV_STR("3 + 4?"),
                                    .options = options,
                                    .n_options = 2,
                                    .gold = RDV_STR("A")},
                       .steps = steps,
                       .n_steps = 3,
                       .answer = RDV_STR("B"),
                       .correct = -1,
                       .label = {RDV_LABEL_AT, 1},
                       .checks = &check,
                       .n_checks = 1,
                       .raw = RDV_STR("{\"span_id\":\"ab\"}")};
}

static void begin(rdv_export *x, const char *format, bool from_label, rdv_arena *keep)
{
    rdv_export_begin(
        x, format, &(rdv_export_options){.from_label = from_label, .span_member = "span_id"}, keep);
    x->file = "in.jsonl";
}

static void exports(const char *format, bool from_label, const char *expected)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_chain chain = a_chain();
    rdv_export x;
    rdv_str text;
    char out[4096];
    begin(&x, format, from_label, arena);
    assert_int_equal(rdv_export_chain(&x, &chain, arena, &text, NULL), RDV_OK);
    snprintf(out, sizeof out, "%.*s", RDV_FMT(text));
    assert_string_equal(out, expected);
    rdv_arena_free(&arena);
}

#define PROMPT "\"prompt\":\"3 + 4?\\n(A) 7\\n(B) 8\""

static void test_trl__ends_before_an_unknown_step(void **state)
{
    (void)state;
    exports("trl", false, "{" PROMPT ",\"completions\":[\"3 + 4 = 8\"],\"labels\":[false]}\n");
    exports("trl", true,
            "{" PROMPT ",\"completions\":[\"3 + 4 = 8\",\"\xc3\xa9 =1\"],"
            "\"labels\":[true,false]}\n");
}

static void test_csv__a_row_for_each_step(void **state)
{
    (void)state;
    exports("csv", false,
            "in.jsonl,c/0,q,0,3 + 4 = 8,m,contradict,0,3 + 4 is 7,0,0.25,B,A,,\r\n"
            "in.jsonl,c/0,q,1,\xc3\xa9 =1,m,unknown,,unread,0,0.25,B,A,,\r\n"
            "in.jsonl,c/0,q,2,So 8.,m,support,1,,0,0.25,B,A,,\r\n");
}

static void test_phoenix__kind_of_annotator(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_chain chain = a_chain();
    rdv_export x;
    rdv_str text;
    begin(&x, "phoenix", false, arena);
    assert_int_equal(rdv_export_chain(&x, &chain, arena, &text, NULL), RDV_OK);
    assert_true(rdv_find(text, RDV_STR("\"annotator_kind\":\"LLM\""), 0) != RDV_NOT_FOUND);
    begin(&x, "phoenix", true, arena);
    assert_int_equal(rdv_export_chain(&x, &chain, arena, &text, NULL), RDV_E_INPUT);
    rdv_arena_free(&arena);
}

/* The items of two chains of one question, with what stands between them. */
static int export_twice(const char *format, rdv_arena *arena, rdv_str *text)
{
    rdv_chain chain = a_chain();
    rdv_export x;
    rdv_error err = {0};
    begin(&x, format, false, arena);
    int code = rdv_export_head(&x, arena, text, &err);
    for (int i = 0; i < 2 && code == RDV_OK; i++)
        code = rdv_export_chain(&x, &chain, arena, text, &err);
    rdv_str tail;
    return code == RDV_OK ? rdv_export_tail(&x, arena, &tail, &err) : code;
}

static void test_each_allocation_may_fail(void **state)
{
    (void)state;
    const rdv_export_format *format;
    for (size_t i = 0; (format = rdv_export_format_at(i)); i++) {
        size_t n = 0;
        int code;
        do {
            rdv_arena *arena = rdv_arena_new(0);
            rdv_str text;
            assert_non_null(arena);
            rdv_alloc_fail_at(++n);
            code = export_twice(format->name, arena, &text);
            rdv_alloc_fail_at(0);
            assert_true(code == RDV_OK || code == RDV_E_NOMEM);
            rdv_arena_free(&arena);
        } while (code != RDV_OK);
    }
}

static void test_inspect__epochs(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_str text;
    assert_int_equal(export_twice("inspect", arena, &text), RDV_OK);
    assert_true(rdv_find(text, RDV_STR(",\n{\"id\":\"q\",\"epoch\":2,"), 0) == 0);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_trl__ends_before_an_unknown_step),
        cmocka_unit_test(test_csv__a_row_for_each_step),
        cmocka_unit_test(test_phoenix__kind_of_annotator),
        cmocka_unit_test(test_each_allocation_may_fail),
        cmocka_unit_test(test_inspect__epochs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
