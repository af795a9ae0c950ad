/* SPDX-License-Identifier: Apache-2.0 */
/* Verdict and admission: nothing unread, undecided or cut off is admitted, in any protocol. */
#include "../arena.h"
#include "../test.h"
#include "judge/judgement.h"

#include <math.h>

#define CHAT(text, finish)                                                                         \
    "{\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"" text           \
    "\"},\"finish_reason\":\"" finish "\"}]}"

static judgement judged(reply_protocol protocol, const char *body, judge_rule rule,
                        rdv_arena *arena)
{
    judgement j;
    rdv_error err;
    reply_choices reply;
    json_t *root;
    assert_int_equal(parse_json(rdv_str_of(body), true, &root, &err), RDV_OK);
    reply_choices_init(&reply, protocol, arena);
    int rc = reply_choices_whole(&reply, root, &err);
    json_decref(root);
    if (rc != RDV_OK)
        fail_msg("%s", err.msg);
    rc = judgement_of(&reply, (rdv_str){0}, &rule, arena, &j, &err);
    assert_int_equal(rc, RDV_OK);
    return j;
}

static const struct {
    reply_protocol protocol;
    const char *body;
    bool admitted;         /* by the default rule */
    bool admitted_unknown; /* where unknown is admitted */
} cases[] = {
    {REPLY_CHAT, CHAT("3 + 4 = 7.", "stop"), true, true},
    {REPLY_CHAT, CHAT("3 + 4 = 8.", "stop"), false, false},
    {REPLY_CHAT, CHAT("3 + 4 = 7.\\n\\nSo it is.", "stop"), true, true},
    {REPLY_CHAT, CHAT("It is so.", "stop"), true, true}, /* there is nothing to check */
    /* a step with a right calculation and one that is not read */
    {REPLY_CHAT, CHAT("3 + 4 = 7 and 12 / 5 is approximately 3.", "stop"), false, true},
    /* thinking that is given with the text */
    {REPLY_CHAT, CHAT("<think>3 + 4 = 8.</think>It is 7.", "stop"), false, false},
    {REPLY_CHAT, CHAT("<think>3 + 4 = 8. It is 7.", "stop"), false, false},
    /* cut off, in whatever words */
    {REPLY_CHAT, CHAT("3 + 4 = 7.", "length"), false, true},
    {REPLY_CHAT, CHAT("3 + 4 = 7.", "content_filter"), false, true},
    {REPLY_CHAT, CHAT("3 + 4 = 7.", "eos"), false, true},
    {REPLY_CHAT, CHAT("", "stop"), false, true},
    {REPLY_CHAT, "{\"choices\":[{\"message\":{\"content\":\"3 + 4 = 7\"}}]}", false, true},
    {REPLY_CHAT,
     "{\"choices\":[{\"message\":{\"content\":null,\"tool_calls\":[{\"id\":\"a\",\"function\":{"
     "\"name\":\"f\"}}]},\"finish_reason\":\"tool_calls\"}]}",
     true, true},
    /* text where nobody looks */
    {REPLY_CHAT,
     "{\"choices\":[{\"message\":{\"content\":\"7\",\"audio\":{\"transcript\":\"3+4=8\"}},"
     "\"finish_reason\":\"stop\"}]}",
     false, true},
    {REPLY_CHAT,
     "{\"choices\":[{\"message\":{\"content\":[{\"type\":\"odd\",\"text\":\"3+4=8\"}]},"
     "\"finish_reason\":\"stop\"}]}",
     false, true},
    {REPLY_CHAT,
     "{\"choices\":[{\"message\":{\"content\":\"7\"},\"text\":\"3+4=8\",\"finish_reason\":"
     "\"stop\"}]}",
     false, true},
    /* several choices: each counts */
    {REPLY_CHAT,
     "{\"choices\":[{\"index\":0,\"message\":{\"content\":\"3+4=7\"},\"finish_reason\":\"stop\"},{"
     "\"index\":1,\"message\":{\"content\":\"3+4=8\"},\"finish_reason\":\"stop\"}]}",
     false, false},
    {REPLY_TEXT, "{\"choices\":[{\"index\":0,\"text\":\"3 + 4 = 7\",\"finish_reason\":\"stop\"}]}",
     true, true},
    {REPLY_TEXT, "{\"choices\":[{\"index\":0,\"text\":\"3 + 4 = 8\",\"finish_reason\":\"stop\"}]}",
     false, false},
    {REPLY_RESPONSES,
     "{\"status\":\"completed\",\"error\":null,\"output\":[{\"type\":\"reasoning\",\"summary\":[]},"
     "{\"type\":\"message\",\"content\":[{\"type\":\"output_text\",\"text\":\"3 + 4 = 7\"}]}]}",
     true, true},
    {REPLY_RESPONSES,
     "{\"status\":\"completed\",\"output\":[{\"type\":\"message\",\"content\":[{\"type\":"
     "\"output_text\",\"text\":\"3 + 4 = 8\"}]}]}",
     false, false},
    {REPLY_RESPONSES,
     "{\"status\":\"completed\",\"output_text\":\"3 + 4 = 8\",\"output\":[{\"type\":\"message\","
     "\"content\":[{\"type\":\"output_text\",\"text\":\"3 + 4 = 7\"}]}]}",
     false, true},
    {REPLY_RESPONSES,
     "{\"status\":\"incomplete\",\"output\":[{\"type\":\"message\",\"content\":[{\"type\":"
     "\"output_text\",\"text\":\"3 + 4 = 7\"}]}]}",
     false, true},
    {REPLY_RESPONSES, "{\"status\":\"queued\",\"output\":[]}", false, true},
    {REPLY_RESPONSES, "{\"status\":\"completed\",\"output\":[{\"type\":\"odd\"}]}", false, true},
    {REPLY_MESSAGES,
     "{\"content\":[{\"type\":\"thinking\",\"thinking\":\"3+4=8\"},{\"type\":\"text\",\"text\":"
     "\"3 + 4 = 7\"}],\"stop_reason\":\"end_turn\"}",
     true, true},
    {REPLY_MESSAGES,
     "{\"content\":[{\"type\":\"text\",\"text\":\"3 + 4 = 8\"}],\"stop_reason\":\"end_turn\"}",
     false, false},
    {REPLY_MESSAGES,
     "{\"content\":[{\"type\":\"text\",\"text\":\"3 + 4 = 7\"}],\"stop_reason\":\"max_tokens\"}",
     false, true},
    {REPLY_MESSAGES, "{\"content\":[{\"type\":\"odd\"}],\"stop_reason\":\"end_turn\"}", false,
     true}};

static void test_admission(void **state)
{
    judge_rule rule = judge_rule_default(), lenient = rule;
    lenient.admits_unknown = true;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        judgement j = judged(cases[i].protocol, cases[i].body, rule, *state);
        if (j.admitted != cases[i].admitted)
            fail_msg("%s: %s", cases[i].body, judgement_says(&j, *state).p);
        j = judged(cases[i].protocol, cases[i].body, lenient, *state);
        if (j.admitted != cases[i].admitted_unknown)
            fail_msg("with unknown: %s: %s", cases[i].body, judgement_says(&j, *state).p);
    }
}

static void test_threshold(void **state)
{
    judge_rule rule = judge_rule_default();
    rule.threshold = 0.9;
    assert_true(judged(REPLY_CHAT, CHAT("3 + 4 = 7.", "stop"), rule, *state).admitted);
    /* nothing was checked, so there is no confidence */
    assert_false(judged(REPLY_CHAT, CHAT("It is so.", "stop"), rule, *state).admitted);
}

static void test_no_choice(void **state)
{
    judgement j;
    rdv_error err;
    reply_choices reply;
    judge_rule rule = judge_rule_default();
    reply_choices_init(&reply, REPLY_CHAT, *state);
    assert_int_equal(judgement_of(&reply, (rdv_str){0}, &rule, *state, &j, &err), RDV_OK);
    assert_false(j.admitted);
}

/* A text of the reply is quoted in part, and not at all where the reply is refused. */
static void test_quotes(void **state)
{
    rdv_buf body, b;
    rdv_buf_init(&body, *state, 0);
    rdv_buf_lit(&body, "{\"choices\":[{\"message\":{\"content\":\"1");
    for (int i = 0; i < 1000; i++)
        rdv_buf_lit(&body, " + 1");
    rdv_buf_lit(&body, " = 7\"},\"finish_reason\":\"stop\"}]}");
    rdv_buf_add_char(&body, '\0');
    judgement j = judged(REPLY_CHAT, body.p, judge_rule_default(), *state);
    rdv_buf_init(&b, *state, 0);
    judgement_write(&b, &j, true);
    assert_true(rdv_buf_ok(&b));
    assert_in_range(b.len, 500, 4000);
    assert_true(rdv_find(rdv_buf_str(&b), RDV_STR("1 + 1 + 1"), 0) != RDV_NOT_FOUND);
    rdv_buf_clear(&b);
    judgement_write(&b, &j, false);
    assert_true(rdv_find(rdv_buf_str(&b), RDV_STR("1 + 1"), 0) == RDV_NOT_FOUND);
    assert_true(rdv_find(rdv_buf_str(&b), RDV_STR("\"admitted\":false"), 0) != RDV_NOT_FOUND);
}

/* ---- a method that asks a model -------------------------------------------------------------- */

typedef struct said {
    rdv_verdict verdicts[4];
    double confidence;
    rdv_str unknown;
    bool fails;
} said;

static int say(void *of, const rdv_method *method, rdv_chain *chain, rdv_check *out,
               rdv_str *unknown, rdv_error *err)
{
    said *s = of;
    size_t n = sizeof s->verdicts / sizeof *s->verdicts;
    assert_string_equal(method->name, "selfcheck");
    assert_int_equal(chain->n_steps, n);
    if (s->fails)
        return rdv_fail(err, RDV_E_IO, "nobody is there");
    *out = (rdv_check){.method = rdv_str_of(method->name),
                       .verdicts = s->verdicts,
                       .n_verdicts = n,
                       .confidence = s->confidence,
                       .first_error = RDV_NO_STEP};
    for (size_t i = 0; i < n; i++) {
        s->verdicts[i].step = i;
        s->verdicts[i].score = NAN;
        out->n_unknown += s->verdicts[i].kind == RDV_UNKNOWN;
    }
    *unknown = s->unknown;
    return RDV_OK;
}

static judgement asked(const said *what, const judge_rule *rule, rdv_arena *arena)
{
    judgement j;
    rdv_error err;
    reply_choices reply;
    json_t *root;
    said s = *what;
    const judge_asker asker = {say, &s, {0}}, nobody = {NULL, NULL, RDV_STR("why not")};
    assert_int_equal(
        parse_json(RDV_STR(CHAT("A.\\n\\nB.\\n\\nC.\\n\\nD.", "stop")), true, &root, &err), RDV_OK);
    reply_choices_init(&reply, REPLY_CHAT, arena);
    assert_int_equal(reply_choices_whole(&reply, root, &err), RDV_OK);
    json_decref(root);
    bool none = isnan(what->confidence);
    assert_int_equal(
        judgement_by_asking(&reply, (rdv_str){0}, rule, none ? &nobody : &asker, arena, &j, &err),
        RDV_OK);
    return j;
}

#define ALL(what)                                                                                  \
    {                                                                                              \
        {.kind = what}, {.kind = what}, {.kind = what},                                            \
        {                                                                                          \
            .kind = what                                                                           \
        }                                                                                          \
    }

static void test_asking(void **state)
{
    static const struct {
        said said;
        bool admitted, admitted_unknown;
    } answers[] = {
        {{ALL(RDV_SUPPORT), 0.9, {0}, false}, true, true},
        {{ALL(RDV_SUPPORT), 0.54, {0}, false}, false, false}, /* by the method's measure */
        {{ALL(RDV_UNRELATED), 0.463, {0}, false}, false, false},
        {{ALL(RDV_UNRELATED), 0.6, {0}, false}, false, true}, /* nothing is right */
        {{ALL(RDV_UNKNOWN), 0.9, {0}, false}, false, true},
        {{{{.kind = RDV_SUPPORT},
           {.kind = RDV_CONTRADICT},
           {.kind = RDV_SUPPORT},
           {.kind = RDV_SUPPORT}},
          0.9,
          {0},
          false},
         false,
         false},
        {{{{.kind = RDV_SUPPORT},
           {.kind = RDV_UNKNOWN},
           {.kind = RDV_SUPPORT},
           {.kind = RDV_SUPPORT}},
          0.9,
          {0},
          false},
         false,
         true},
        {{ALL(RDV_SUPPORT), 0.9, {"late", 4}, false}, false, true},
        {{ALL(RDV_SUPPORT), 0.9, {0}, true}, false, true},
        {{ALL(RDV_SUPPORT), NAN, {0}, false}, false, true}, /* nobody is asked */
    };
    judge_rule rule = judge_rule_default();
    rule.method = rdv_method_named(RDV_STR("selfcheck"));
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        judge_rule lenient = rule, low = rule, high = rule;
        lenient.admits_unknown = true;
        low.threshold = 0.01; /* admits no more */
        high.threshold = 0.95;
        assert_int_equal(asked(&answers[i].said, &rule, *state).admitted, answers[i].admitted);
        assert_int_equal(asked(&answers[i].said, &low, *state).admitted, answers[i].admitted);
        assert_false(asked(&answers[i].said, &high, *state).admitted);
        assert_int_equal(asked(&answers[i].said, &lenient, *state).admitted,
                         answers[i].admitted_unknown);
    }
    judgement j = asked(&answers[9].said, &rule, *state);
    assert_true(rdv_str_eq(judgement_says(&j, *state), RDV_STR("choice 0: why not")));
}

static bool judge_with_little_memory(rdv_arena *arena)
{
    judgement j;
    rdv_error err;
    reply_choices reply;
    judge_rule rule = judge_rule_default();
    json_t *root;
    rdv_buf b;
    assert_int_equal(parse_json(RDV_STR(CHAT("3 + 4 = 8. 1 - 1 = 5", "stop")), true, &root, &err),
                     RDV_OK);
    reply_choices_init(&reply, REPLY_CHAT, arena);
    int rc = reply_choices_whole(&reply, root, &err);
    json_decref(root);
    if (rc == RDV_OK)
        rc = judgement_of(&reply, RDV_STR("How many?"), &rule, arena, &j, &err);
    if (rc != RDV_OK) {
        assert_int_equal(rc, RDV_E_NOMEM);
        return false;
    }
    assert_false(j.admitted);
    assert_int_equal(j.choices[0].n_contradicted, 1);
    rdv_buf_init(&b, arena, 0);
    judgement_write(&b, &j, true);
    return rdv_buf_ok(&b);
}

static void test_no_memory(void **state)
{
    assert_survives_no_memory(judge_with_little_memory(*state), (void)0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_admission, arena_set_up, arena_tear_down),
        cmocka_unit_test_setup_teardown(test_threshold, arena_set_up, arena_tear_down),
        cmocka_unit_test_setup_teardown(test_no_choice, arena_set_up, arena_tear_down),
        cmocka_unit_test_setup_teardown(test_asking, arena_set_up, arena_tear_down),
        cmocka_unit_test_setup_teardown(test_quotes, arena_set_up, arena_tear_down),
        cmocka_unit_test_setup_teardown(test_no_memory, arena_set_up, arena_tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
