/* SPDX-License-Identifier: Apache-2.0 */
/* A request may make the rule stricter, and never looser: each way to loosen it is refused. */
#include "../test.h"
#include <stdio.h>

#include "judge/rule.h"

static json_t *parsed(const char *text)
{
    json_t *out;
    rdv_error err;
    assert_int_equal(parse_json(rdv_str_of(text), true, &out, &err), RDV_OK);
    return out;
}

static judge_rule rule_of(const char *text)
{
    judge_rule rule = judge_rule_default();
    rdv_error err;
    json_t *object = parsed(text);
    assert_int_equal(judge_rule_read(object, &rule, &rule, &err), RDV_OK);
    json_decref(object);
    return rule;
}

static int tighten(const char *policy, const char *asked, judge_rule *out, rdv_error *err)
{
    judge_rule rule = rule_of(policy);
    json_t *object = asked ? parsed(asked) : NULL;
    int rc = judge_rule_tighten(&rule, object, out, err);
    json_decref(object);
    return rc;
}

static void test_default(void **state)
{
    judge_rule rule = rule_of("{}");
    assert_true(!rule.judges_plain && rule.mode == JUDGE_AFTER && !rule.admits_unknown &&
                !rule.refuses && rule.threshold == 0);
}

static void test_policy_faults(void **state)
{
    static const char *const faults[][2] = {
        {"[]", "object"},
        {"{\"mode\":\"stric\"}", "\"after\" or \"whole\" or \"strict\""},
        {"{\"mode\":1}", "\"after\" or \"whole\" or \"strict\""},
        {"{\"mode\":\"strict\",\"not_admitted\":\"mark\"}", "\"mark\" cannot be used"},
        {"{\"reasoning\":\"keep\"}", "\"pass\" or \"hold\" or \"drop\""},
        {"{\"repair\":101}", "rounds from 0 to 100"},
        {"{\"repair\":true}", "rounds from 0 to 100"},
        {"{\"methods\":[\"perplexity\"]}", "asks a model"},
        {"{\"methods\":\"selfcheck\"}", "a list"},
        {"{\"method\":\"rubric\"}", "asks a model"},
        {"{\"method\":\"dyck\"}", "calculations"},
        {"{\"checker\":\"\"}", "name of a model"},
        {"{\"tokens_per_check\":0}", "a whole number from 1"},
        {"{\"seconds_per_check\":1.5}", "a whole number from 1"},
        {"{\"threshold\":1.5}", "0 to 1"},
        {"{\"threshold\":\"0\"}", "0 to 1"},
        {"{\"mode\":\"after\",\"not_admitted\":\"refuse\"}", "needs 'mode' \"whole\""},
        {"{\"unknown\":null}", "reject"}};
    for (size_t i = 0; i < sizeof faults / sizeof *faults; i++) {
        judge_rule rule = judge_rule_default();
        rdv_error err;
        json_t *object = parsed(faults[i][0]);
        assert_int_equal(judge_rule_read(object, &rule, &rule, &err), RDV_E_INPUT);
        assert_non_null(strstr(err.msg, faults[i][1]));
        json_decref(object);
    }
}

#define STRICT                                                                                     \
    "{\"plain\":\"judge\",\"mode\":\"whole\",\"not_admitted\":\"refuse\",\"threshold\":0.5}"

static void test_loosening_is_refused(void **state)
{
    static const char *const tries[][2] = {
        {"{\"mode\":\"after\",\"not_admitted\":\"mark\"}", "the mode is at least whole"},
        {"{\"mode\":\"after\"}", "looser than the rule"},
        {"{\"unknown\":\"admit\"}", "is not admitted"},
        {"{\"not_admitted\":\"mark\"}", "is refused"},
        {"{\"repair\":1}", "no repairs"},
        {"{\"threshold\":0}", "the threshold"},
        {"{\"threshold\":0.49}", "the threshold"},
        {"{\"plain\":\"pass\"}", "'plain' is not known"},
        {"{\"methods\":[\"selfcheck\"]}", "'methods' is not known"},
        {"{\"checker\":\"big\"}", "'checker' is not known"},
        {"{\"method\":\"selfcheck\"}", "the method is calculations"},
        {"null", "object"},
        {"[]", "object"},
        {"\"after\"", "object"}};
    judge_rule rule;
    rdv_error err;
    for (size_t i = 0; i < sizeof tries / sizeof *tries; i++) {
        assert_int_equal(tighten(STRICT, tries[i][0], &rule, &err), RDV_E_INPUT);
        if (!strstr(err.msg, tries[i][1]))
            fail_msg("%s: %s", tries[i][0], err.msg);
    }
    assert_int_equal(tighten(STRICT, "{}", &rule, &err), RDV_OK);
    assert_true(rule.mode == JUDGE_WHOLE && rule.refuses && rule.threshold == 0.5);
}

static void test_tightening(void **state)
{
    judge_rule rule;
    rdv_error err;
    assert_int_equal(tighten("{\"unknown\":\"admit\"}", "{\"unknown\":\"reject\"}", &rule, &err),
                     RDV_OK);
    assert_false(rule.admits_unknown);
    assert_int_equal(tighten("{}", "{\"not_admitted\":\"refuse\"}", &rule, &err), RDV_OK);
    assert_true(rule.refuses && rule.mode == JUDGE_WHOLE); /* refusing needs it */
    assert_int_equal(tighten("{}", "{\"threshold\":0.7,\"mode\":\"whole\"}", &rule, &err), RDV_OK);
    assert_true(rule.threshold == 0.7 && rule.mode == JUDGE_WHOLE && !rule.refuses);
    assert_int_equal(tighten("{}", NULL, &rule, &err), RDV_OK);
    assert_int_equal(rule.mode, JUDGE_AFTER);
}

/* By what of a rejected reply can reach the client: all, all with the verdict, the steps before,
 * nothing. */
static void test_the_order_of_modes(void **state)
{
    static const char *const order[] = {
        "{\"mode\":\"after\"}", "{\"mode\":\"whole\",\"not_admitted\":\"mark\"}",
        "{\"mode\":\"strict\"}", "{\"mode\":\"whole\",\"not_admitted\":\"refuse\"}"};
    judge_rule rule;
    rdv_error err;
    for (size_t i = 0; i < 4; i++)
        for (size_t k = 0; k < 4; k++)
            assert_int_equal(tighten(order[i], order[k], &rule, &err),
                             k >= i ? RDV_OK : RDV_E_INPUT);
    assert_int_equal(tighten(order[0], order[2], &rule, &err), RDV_OK);
    assert_true(rule.mode == JUDGE_STRICT && rule.refuses);
    assert_int_equal(tighten(order[2], "{\"mode\":\"whole\"}", &rule, &err), RDV_OK);
    assert_true(rule.mode == JUDGE_WHOLE && rule.refuses);
    assert_int_equal(tighten("{\"mode\":\"strict\",\"reasoning\":\"hold\"}",
                             "{\"reasoning\":\"pass\"}", &rule, &err),
                     RDV_E_INPUT);
    static const char *const words[] = {"pass", "hold", "drop"};
    for (size_t i = 0; i < 3; i++) {
        for (size_t k = 0; k < 3; k++) {
            char is[60], asked[60];
            snprintf(is, sizeof is, "{\"mode\":\"strict\",\"reasoning\":\"%s\"}", words[i]);
            snprintf(asked, sizeof asked, "{\"reasoning\":\"%s\"}", words[k]);
            assert_int_equal(tighten(is, asked, &rule, &err), k >= i ? RDV_OK : RDV_E_INPUT);
        }
    }
    assert_int_equal(rule.reasoning, JUDGE_REASONING_DROP);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_default), cmocka_unit_test(test_policy_faults),
        cmocka_unit_test(test_loosening_is_refused), cmocka_unit_test(test_tightening),
        cmocka_unit_test(test_the_order_of_modes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
