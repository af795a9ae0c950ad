/* SPDX-License-Identifier: Apache-2.0 */
/* An endorsement whose own calculation is wrong is no evidence, in the robust profile. */
#include "scripted_check.h"

static void check_first(const char *method_name, rdv_profile profile, const char *reply,
                        rdv_verdict_kind wanted, const char *why)
{
    const rdv_method *method = method_of(method_name);
    rdv_plan_options o = options_of(&method);
    o.profile = profile;
    rdv_chain chain = chain_of((rdv_str){0});
    rdv_plan *plan = run(&chain, &o, (line[]){{"", "", reply}, {0}}, 0, NULL);
    const rdv_verdict *v = &check_of(plan, method_name)->verdicts[0];
    if (v->kind != wanted)
        fail_msg("%s, \"%s\": verdict %d", method_name, reply, (int)v->kind);
    if (why)
        assert_true(rdv_find(v->why, rdv_str_of(why), 0) != RDV_NOT_FOUND);
    rdv_plan_free(&plan);
}

static void test_endorsement__with_a_wrong_calculation(void **state)
{
    static const char why[] = "its own calculation is wrong: 17 - 8 = 8";
    (void)state;
    check_first("global", RDV_ROBUST, "Correct. 17 - 8 = 9.", RDV_SUPPORT, NULL);
    check_first("global", RDV_ROBUST, "Correct. 17 - 8 = 8.", RDV_UNKNOWN, why);
    check_first("single-stage", RDV_ROBUST, "17 - 8 = 8.\n\nCorrect", RDV_UNKNOWN, why);
    check_first("relevance", RDV_ROBUST, "Yes, the solution is relevant. 17 - 8 = 8.", RDV_UNKNOWN,
                why);
    check_first("direct-trace-0shot", RDV_ROBUST, "There is no mistake. 17 - 8 = 8.", RDV_UNKNOWN,
                why);
    check_first("prm:generative-critic", RDV_ROBUST, "17 - 8 = 8.\n\nThe index is \\boxed{-1}.",
                RDV_UNKNOWN, why);
}

/* What a reply reports is not its own, and an accusation needs no right reason. */
static void test_calculation__that_is_not_its_own(void **state)
{
    (void)state;
    check_first("global", RDV_ROBUST, "Somebody said that 17 - 8 = 8. It is 9.\n\nCorrect",
                RDV_SUPPORT, NULL);
    check_first("global", RDV_ROBUST, "17 - 8 = 8.\n\nWrong", RDV_CONTRADICT, NULL);
    check_first("direct-trace-0shot", RDV_ROBUST, "17 - 8 = 8. The mistake is in Thought 1.",
                RDV_CONTRADICT, NULL);
}

static void test_paper__reads_as_before(void **state)
{
    (void)state;
    check_first("global", RDV_PAPER, "17 - 8 = 8.\n\nCorrect", RDV_SUPPORT, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_endorsement__with_a_wrong_calculation),
        cmocka_unit_test(test_calculation__that_is_not_its_own),
        cmocka_unit_test(test_paper__reads_as_before),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
