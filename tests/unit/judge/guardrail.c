/* SPDX-License-Identifier: Apache-2.0 */
/* The guard of a gateway: what it answers by each rule, and that nothing that was not read, or
 * could not be, is let through. */
#include "judge/guardrail.h"

#include "../test.h"
#include "base/json.h"

#include <rederive/method.h>

#define RESPONSE "{\"input_type\":\"response\",\"texts\":"

/* What of the rule is not the default. */
typedef enum by { DEFAULT, ADMITS_UNKNOWN, STRICT, ASKS } by;

static judge_rule rule_of(by is)
{
    judge_rule rule = judge_rule_default();
    rule.admits_unknown = is == ADMITS_UNKNOWN;
    if (is == STRICT) {
        rule.mode = JUDGE_STRICT;
        rule.refuses = true;
    }
    if (is == ASKS)
        rule.method = rdv_method_named(RDV_STR("selfcheck"));
    return rule;
}

static int answer(const char *body, by is, rdv_arena *arena, rdv_str *out, rdv_error *err)
{
    const judge_rule rule = rule_of(is);
    rdv_buf b;
    rdv_buf_init(&b, arena, 0);
    int rc = guardrail_answer(rdv_str_of(body), &rule, arena, &b, err);
    *out = rdv_buf_str(&b);
    return rc;
}

static const struct {
    by rule;
    const char *body, *answer;
} answers[] = {
    {DEFAULT, RESPONSE "[\"3 + 4 = 7.\"]}", "{\"action\":\"NONE\"}"},
    {DEFAULT, RESPONSE "[\"3 + 4 = 8.\"]}",
     "{\"action\":\"BLOCKED\",\"blocked_reason\":\"The reply is not admitted by the rule: choice "
     "0: 1 "
     "step is wrong.\"}"},
    {DEFAULT, RESPONSE "[\"3 + 4 = 7.\",\"12 / 5 is approximately 3.\"]}",
     "{\"action\":\"BLOCKED\",\"blocked_reason\":\"The reply is not admitted by the rule: choice "
     "1: 1 "
     "step is unknown.\"}"},
    {ADMITS_UNKNOWN, RESPONSE "[\"12 / 5 is approximately 3.\"]}", "{\"action\":\"NONE\"}"},
    {DEFAULT, RESPONSE "[],\"tool_calls\":[{}]}", "{\"action\":\"NONE\"}"},
    {DEFAULT, RESPONSE "null}", "{\"action\":\"NONE\"}"},
    {DEFAULT, RESPONSE "[\"\"]}", "{\"action\":\"NONE\"}"},
    {DEFAULT, RESPONSE "[\"a\"],\"images\":[\"x\"]}",
     "{\"action\":\"BLOCKED\",\"blocked_reason\":\"The reply is not admitted by the rule: choice "
     "1: "
     "not read: an image.\"}"},
    {DEFAULT, "{\"input_type\":\"request\",\"texts\":[\"3 + 4 = 8.\"]}", "{\"action\":\"NONE\"}"},
    /* a method that asks a model is not asked here */
    {ASKS, RESPONSE "[\"3 + 4 = 7.\"]}",
     "{\"action\":\"BLOCKED\",\"blocked_reason\":\"The reply is not admitted by the rule: choice "
     "0: no "
     "model is asked.\"}"},
    /* what has not ended for sure is held back, in characters, */
    {STRICT, RESPONSE "[\"3 + 4 = 7.\"]}", "{\"action\":\"NONE\",\"stream_holdback_chars\":[10]}"},
    {STRICT, RESPONSE "[\"3 + 4 = 7.\\n\\nCaf\\u00e9 \\ud83d\\ude00\",\"\"]}",
     "{\"action\":\"NONE\",\"stream_holdback_chars\":[6,0]}"},
    /* left out where it would be wrong if it had ended, */
    {STRICT, RESPONSE "[\"3 + 4 = 7.\\n\\n3 + 4 = 1\"]}",
     "{\"action\":\"GUARDRAIL_INTERVENED\",\"texts\":[\"3 + 4 = 7.\\n\\n\"]}"},
    /* and what has ended and is wrong blocks */
    {STRICT, RESPONSE "[\"3 + 4 = 8.\\n\\nS\"]}",
     "{\"action\":\"BLOCKED\",\"blocked_reason\":\"The reply is not admitted by the rule: choice "
     "0: 1 "
     "step is wrong.\"}"},
    {DEFAULT,
     RESPONSE "[\"3 + 4 = 7.\"],\"additional_provider_specific_params\":{\"rederive\":"
              "{\"mode\":\"strict\"}}}",
     "{\"action\":\"NONE\",\"stream_holdback_chars\":[10]}"},
};

static void test_answers(void **state)
{
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_error err = {0};
        rdv_str out;
        if (answer(answers[i].body, answers[i].rule, arena, &out, &err) != RDV_OK)
            fail_msg("%s: %s", answers[i].body, err.msg);
        if (!rdv_str_eq(out, rdv_str_of(answers[i].answer)))
            fail_msg("%s\ngets %.*s", answers[i].body, RDV_FMT(out));
        rdv_arena_free(&arena);
    }
}

static void test_what_is_no_request(void **state)
{
    static const char *const faults[][2] = {
        {"", "cut off"},
        {"{", "JSON"},
        {"[]", "no JSON object"},
        {"null", "no JSON object"},
        {"{\"texts\":[\"3 + 4 = 7.\"]}", "'input_type'"},
        {"{\"input_type\":\"other\"}", "'input_type'"},
        {RESPONSE "\"3 + 4 = 7.\"}", "must be a list"},
        {RESPONSE "[7]}", "no text"},
        {RESPONSE "[null]}", "no text"},
        {RESPONSE "[[\"3 + 4 = 7.\"]]}", "no text"},
        {RESPONSE
         "[\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\","
         "\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\",\"a\","
         "\"a\",\"a\",\"a\",\"a\",\"a\"]}",
         "more than 32 texts"},
        {RESPONSE
         "[],\"additional_provider_specific_params\":{\"rederive\":{\"unknown\":\"admit\"}}}",
         "would loosen the rule"},
        {RESPONSE "[],\"additional_provider_specific_params\":{\"rederive\":{\"odd\":1}}}",
         "'odd' is not known"},
    };
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        rdv_arena *arena = rdv_arena_new(0);
        rdv_error err = {0};
        rdv_str out;
        assert_int_equal(answer(faults[i][0], DEFAULT, arena, &out, &err), RDV_E_INPUT);
        if (!strstr(err.msg, faults[i][1]))
            fail_msg("%s: %s", faults[i][0], err.msg);
        rdv_arena_free(&arena);
    }
}

/* A text that comes piece by piece: what the gateway may send of it only grows, and is never more
 * than the steps before the first that is wrong. */
static void test_a_text_that_grows(void **state)
{
    static const char *const texts[] = {"1 + 1 = 2.\n\n12 + 3 = 15.\n\n3 + 4 = 8.\n\nSo 8.",
                                        "Step 1: 1 + 1 = 2.\nStep 2: 3 + 4 = 8.\nStep 3: 2 = 2."};
    const judge_rule rule = rule_of(STRICT);
    for (size_t k = 0; k < 2; k++) {
        rdv_str text = rdv_str_of(texts[k]);
        size_t wrong = rdv_find(text, k ? RDV_STR("Step 2") : RDV_STR("3 + 4"), 0), sent = 0;
        bool blocked = false;
        for (size_t n = 0; n <= text.len; n++) {
            rdv_arena *arena = rdv_arena_new(0);
            rdv_error err;
            rdv_buf body, out;
            rdv_buf_init(&body, arena, 0);
            rdv_buf_init(&out, arena, 0);
            rdv_buf_lit(&body, RESPONSE "[");
            rdv_json_text(&body, rdv_slice(text, 0, n));
            rdv_buf_lit(&body, "]}");
            assert_int_equal(guardrail_answer(rdv_buf_str(&body), &rule, arena, &out, &err),
                             RDV_OK);
            json_t *said;
            assert_int_equal(parse_json(rdv_buf_str(&out), true, &said, &err), RDV_OK);
            const json_t *held = json_array_get(json_object_get(said, "stream_holdback_chars"), 0);
            rdv_str kept = parse_text(json_array_get(json_object_get(said, "texts"), 0));
            bool blocks =
                rdv_str_eq(parse_text(json_object_get(said, "action")), RDV_STR("BLOCKED"));
            assert_true(blocks || !blocked);
            blocked = blocks;
            size_t may = blocks ? sent : held ? n - (size_t)json_integer_value(held) : kept.len;
            assert_true(may >= sent && may <= wrong);
            sent = may;
            json_decref(said);
            rdv_arena_free(&arena);
        }
        assert_true(blocked);
        assert_int_equal(sent, wrong);
    }
}

static bool answers_without_memory(size_t i)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_error err;
    rdv_str out;
    int rc = arena ? answer(answers[i].body, answers[i].rule, arena, &out, &err) : RDV_E_NOMEM;
    rdv_arena_free(&arena);
    assert_true(rc == RDV_OK || rc == RDV_E_NOMEM);
    return rc == RDV_OK;
}

static void test_no_memory(void **state)
{
    static const size_t some[] = {1, 7, 12, 13};
    for (size_t i = 0; i < sizeof some / sizeof *some; i++)
        assert_survives_no_memory(answers_without_memory(some[i]), );
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_what_is_no_request),
        cmocka_unit_test(test_a_text_that_grows),
        cmocka_unit_test(test_no_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
