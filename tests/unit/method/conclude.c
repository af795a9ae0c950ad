/* SPDX-License-Identifier: Apache-2.0 */
/* What is concluded from the results of a method's last stage: kinds, scores and evidence. */
#include "scripted_check.h"

/* The number of the pieces of evidence of each of the three verdicts, without the rule by which the
 * reply was read. */
static void check_evidence(const char *reply, const size_t wanted[3])
{
    const rdv_method *method = method_of("direct-trace-0shot");
    rdv_plan_options o = options_of(&method);
    rdv_chain chain = chain_of((rdv_str){0});
    rdv_plan *plan = run(&chain, &o, (line[]){{"", "", reply}, {0}}, 0, NULL);
    const rdv_check *check = check_of(plan, "direct-trace-0shot");
    assert_int_equal(check->n_verdicts, 3);
    for (size_t i = 0; i < 3; i++) {
        const rdv_evidence *map = check->verdicts[i].evidence;
        size_t n = 0;
        for (const rdv_evidence *e = rdv_evidence_first(map); e; e = e->next)
            n += !rdv_str_eq(e->name, RDV_STR("rule"));
        if (n != wanted[i])
            fail_msg("\"%s\": step %zu has %zu pieces of evidence", reply, i, n);
    }
    rdv_plan_free(&plan);
}

/* What was replied of the whole chain stands with the step it is about: the first mistake, or the
 * first step if there is none. */
static void test_location__has_its_evidence(void **state)
{
    (void)state;
    check_evidence("No", (size_t[]){1, 0, 0});
    check_evidence("Thought 1", (size_t[]){1, 0, 0});
    check_evidence("Thought 2", (size_t[]){0, 1, 0});
    check_evidence("Thought 3", (size_t[]){0, 0, 1});
}

/* Neither right nor wrong is in the middle, and what is not read has no score. */
static void test_verdict__has_the_score_of_its_kind(void **state)
{
    static const struct {
        const char *compared;
        rdv_verdict_kind is;
        double score;
    } cases[] = {
        {"Therefore, Solution 1 supports the conclusion in Solution 2.", RDV_SUPPORT, 1},
        {"Therefore, Solution 1 contradicts the conclusion in Solution 2.", RDV_CONTRADICT, 0},
        {"Therefore, Solution 1 is not directly related to the conclusion in Solution 2.",
         RDV_UNRELATED, 0.5},
        {NULL, RDV_UNKNOWN, NAN},
    };
    const rdv_method *method = method_of("selfcheck");
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_plan_options o = options_of(&method);
        rdv_chain chain = chain_of((rdv_str){0});
        const line script[] = {{"/compare", "", cases[i].compared},
                               {"/collect", "", "It follows from Information 0."},
                               {"/variables", "", "No."},
                               {"", "", "We add both. So it is 4."},
                               {0}};
        rdv_plan *plan = run(&chain, &o, script, 0, NULL);
        const rdv_verdict *v = &check_of(plan, "selfcheck")->verdicts[0];
        assert_int_equal(v->kind, cases[i].is);
        assert_true(isnan(cases[i].score) ? isnan(v->score) : v->score == cases[i].score);
        rdv_plan_free(&plan);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_location__has_its_evidence),
        cmocka_unit_test(test_verdict__has_the_score_of_its_kind),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
