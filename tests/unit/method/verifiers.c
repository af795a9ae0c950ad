/* SPDX-License-Identifier: Apache-2.0 */
/* Relevance, consistency and calculations, each alone, with scripted replies. */
#include "../arena.h"
#include "scripted_check.h"

static void test_relevance__mean_and_standard_error(void **state)
{
    (void)state;
    static const line script[] = {{"relevance", "step 1, sample 0", "No."},
                                  {"relevance", "step 1, sample 3", "no, step 1 failed"},
                                  {"relevance", "step 2, sample 2", "hm"},
                                  {"relevance", "", "Yes, the solution is relevant."},
                                  {0}};
    const rdv_method *method = method_of("relevance");
    rdv_plan_options o = options_of(&method);
    rdv_chain chain = chain_of((rdv_str){0});
    size_t asked;
    rdv_plan *plan = run(&chain, &o, script, 0, &asked);
    const rdv_check *check = check_of(plan, "relevance");
    assert_int_equal(asked, 3 * 5 + 1); /* one was asked again */
    assert_int_equal(check->calls, 16);
    assert_int_equal(check->prompt_tokens, 160);
    assert_int_equal(check->n_verdicts, 3);
    assert_near(check->verdicts[0].score, 1);
    assert_near(noted(&check->verdicts[0], "stderr"), 0);
    assert_near(check->verdicts[1].score, 0.6);
    assert_near(noted(&check->verdicts[1], "stderr"), sqrt(0.6 * 0.4 / 4));
    assert_int_equal(check->verdicts[1].kind, RDV_SUPPORT);
    assert_near(noted(&check->verdicts[2], "n_samples"), 4);
    assert_near(noted(&check->verdicts[2], "n_unparsed"), 1);
    assert_near(check->verdicts[2].score, 0.9); /* the unread one is neither for nor against */
    assert_near(check->confidence, cbrt(0.6 * 0.9));
    rdv_plan_free(&plan);
}

static void test_relevance__nothing_read_is_unknown(void **state)
{
    (void)state;
    static const line script[] = {{"relevance", "step 1", "hm"}, {"relevance", "", "Yes."}, {0}};
    const rdv_method *method = method_of("relevance");
    rdv_plan_options o = options_of(&method);
    rdv_chain chain = chain_of((rdv_str){0});
    rdv_plan *plan = run(&chain, &o, script, 0, NULL);
    const rdv_verdict *v = &check_of(plan, "relevance")->verdicts[1];
    assert_int_equal(v->kind, RDV_UNKNOWN);
    assert_true(isnan(v->score));
    assert_text(v->why, "the reply could not be read");
    assert_near(check_of(plan, "relevance")->confidence, cbrt(0.5)); /* not as if it were right */
    rdv_plan_free(&plan);
}

static void test_consistency__first_step_needs_no_call(void **state)
{
    (void)state;
    static const line script[] = {{"consistency", "step 1", "not contradicting any information."},
                                  {"consistency", "step 2", "contradicting step 1."},
                                  {0}};
    const rdv_method *method = method_of("consistency");
    rdv_plan_options o = options_of(&method);
    checking.samples = 2;
    rdv_chain chain = chain_of((rdv_str){0});
    size_t asked;
    rdv_plan *plan = run(&chain, &o, script, 0, &asked);
    const rdv_check *check = check_of(plan, "consistency");
    assert_int_equal(asked, 4);
    assert_near(check->verdicts[0].score, 1);
    assert_int_equal(check->first_error, 2);
    assert_text(check->verdicts[2].why, "contradicting step 1.");
    assert_near(check->confidence, cbrt(0.01)); /* the floor */
    rdv_plan_free(&plan);
}

#define WRONG "{[{\"lhs\": \"3 * 4\", \"op\": \"=\", \"rhs\": \"13\"}]}\n```"
#define MADE_UP "{[{\"lhs\": \"5 + 5\", \"op\": \"=\", \"rhs\": \"11\"}]}\n```"
#define RIGHT "{[{\"lhs\": \"3 * 4\", \"op\": \"<\", \"rhs\": \"13\"}]}\n```"
#define UNSURE "{[{\"lhs\": \"3^(4^(13^13))\", \"op\": \"=\", \"rhs\": \"4\"}]}\n```"
#define UNSURE_AND_RIGHT                                                                           \
    "{[{\"lhs\": \"3^(4^(13^13))\", \"op\": \"=\", \"rhs\": \"4\"}, "                              \
    "{\"lhs\": \"3 * 4\", \"op\": \"<\", \"rhs\": \"13\"}]}\n```"
#define RIGHT_AND_MADE_UP                                                                          \
    "{[{\"lhs\": \"3 * 4\", \"op\": \"<\", \"rhs\": \"13\"}, "                                     \
    "{\"lhs\": \"5 + 5\", \"op\": \"=\", \"rhs\": \"10\"}]}\n```"
#define NOTHING "{[]}\n```"

static const line math_script[] = {{"math", "step 1, sample 0", WRONG},
                                   {"math", "step 1, sample 1", MADE_UP},
                                   {"math", "step 1, sample 2", "I cannot."},
                                   {"math", "step 1", NOTHING},
                                   {"math", "", NOTHING},
                                   {0}};

static void test_math__lists_are_decided(void **state)
{
    (void)state;
    const rdv_method *method = method_of("math");
    rdv_plan_options o = options_of(&method);
    checking.samples = 3;
    rdv_chain chain = chain_of((rdv_str){0});
    rdv_plan *plan = run(&chain, &o, math_script, 0, NULL);
    const rdv_check *check = check_of(plan, "math");
    const rdv_verdict *v = &check->verdicts[1];
    assert_near(v->score, 1.0 / 3); /* one wrong, one of which nothing remains, one unread */
    assert_int_equal(v->kind, RDV_CONTRADICT);
    assert_near(noted(v, "n_undecided"), 1);
    assert_near(noted(v, "n_dropped"), 1);
    assert_near(noted(v, "n_unparsed"), 1);
    assert_text(v->why, "3 * 4 is 12, not 13");
    assert_near(check->verdicts[0].score, 1);
    rdv_plan_free(&plan);
}

/* Calculations that cannot be decided are no support, whatever is right beside them. */
static void test_math__undecided_is_no_support(void **state)
{
    static const line alone[] = {{"math", "step 1", UNSURE}, {"math", "", NOTHING}, {0}};
    static const line beside[] = {{"math", "step 1", UNSURE_AND_RIGHT}, {"math", "", NOTHING}, {0}};
    const rdv_method *method = method_of("math");
    rdv_plan_options o = options_of(&method);
    checking.samples = 3;
    rdv_chain chain = chain_of((rdv_str){0});
    rdv_plan *plan = run(&chain, &o, alone, 0, NULL);
    const rdv_verdict *v = &check_of(plan, "math")->verdicts[1];
    assert_int_equal(v->kind, RDV_UNKNOWN);
    assert_true(isnan(v->score));
    assert_near(noted(v, "n_undecided"), 3);
    rdv_plan_free(&plan);
    plan = run(&chain, &o, beside, 0, NULL);
    assert_int_equal(check_of(plan, "math")->verdicts[1].kind, RDV_UNKNOWN);
    rdv_plan_free(&plan);
}

/* Of a list from which something was dropped nothing follows, nor of an empty one where the step
 * holds a calculation; in the paper's profile everything that is not wrong is satisfied. */
static void test_math__nothing_read_is_nothing(void **state)
{
    static const line dropped[] = {
        {"math", "step 1", RIGHT_AND_MADE_UP}, {"math", "", NOTHING}, {0}};
    static const line empty[] = {{"math", "", NOTHING}, {0}};
    const rdv_method *method = method_of("math");
    rdv_plan_options o = options_of(&method);
    checking.samples = 2;
    rdv_chain chain = chain_of((rdv_str){0});
    (void)state;
    for (int paper = 0; paper < 2; paper++) {
        o.profile = paper ? RDV_PAPER : RDV_ROBUST;
        rdv_plan *plan = run(&chain, &o, dropped, 0, NULL);
        const rdv_verdict *v = &check_of(plan, "math")->verdicts[1];
        assert_int_equal(v->kind, paper ? RDV_SUPPORT : RDV_UNKNOWN);
        assert_near(noted(v, "n_dropped"), 2);
        const rdv_evidence *samples = rdv_evidence_get(v->evidence, RDV_STR("samples"));
        assert_non_null(rdv_evidence_get(rdv_evidence_first(samples), RDV_STR("dropped")));
        if (!paper)
            assert_text(v->why, "1 of the listed calculations is not in the step");
        rdv_plan_free(&plan);
        plan = run(&chain, &o, empty, 0, NULL);
        v = &check_of(plan, "math")->verdicts[1];
        assert_int_equal(v->kind, paper ? RDV_SUPPORT : RDV_UNKNOWN);
        if (!paper)
            assert_text(v->why, "no calculation is listed, and the step holds one");
        assert_int_equal(check_of(plan, "math")->verdicts[0].kind, RDV_SUPPORT);
        rdv_plan_free(&plan);
    }
}

static void test_math__both(void **state)
{
    (void)state;
    const rdv_method *method = method_of("math");
    rdv_plan_options o = options_of(&method);
    checking.samples = 3;
    checking.math = RDV_MATH_BOTH;
    rdv_chain chain = chain_of((rdv_str){0});
    rdv_plan *plan = run(&chain, &o, math_script, 0, NULL);
    const rdv_check *check = check_of(plan, "math");
    assert_near(check->verdicts[1].score, 0); /* we find it, whatever was listed */
    assert_non_null(rdv_evidence_get(check->verdicts[1].evidence, RDV_STR("native_calculations")));
    assert_near(check->verdicts[0].score, 1);
    rdv_plan_free(&plan);
}

static void test_math__both_without_a_reply(void **state)
{
    (void)state;
    static const line script[] = {{"math", "", NULL}, {0}};
    const rdv_method *method = method_of("math");
    rdv_plan_options o = options_of(&method);
    checking.math = RDV_MATH_BOTH;
    rdv_chain chain = chain_of((rdv_str){0});
    rdv_plan *plan = run(&chain, &o, script, 0, NULL);
    assert_near(check_of(plan, "math")->verdicts[1].score, 0);
    assert_int_equal(check_of(plan, "math")->verdicts[0].kind, RDV_UNKNOWN); /* we find nothing */
    rdv_plan_free(&plan);
}

static void test_math__native_asks_nothing(void **state)
{
    const rdv_method *method = method_of("math");
    rdv_plan_options o = options_of(&method);
    checking.math = RDV_MATH_NATIVE;
    rdv_chain chain = chain_of((rdv_str){0});
    size_t asked;
    rdv_plan *plan = run(&chain, &o, (line[]){{0}}, 0, &asked);
    const rdv_check *check = check_of(plan, "math");
    assert_int_equal(asked, 0);
    assert_int_equal(check->first_error, 1);
    assert_text(check->verdicts[1].why, "3 * 4 is 12, not 13");
    rdv_check alone;
    assert_false(rdv_method_needs_model(method, &checking));
    assert_int_equal(rdv_check_chain(method, &chain, &checking, *state, &alone, NULL), RDV_OK);
    assert_near(alone.confidence, check->confidence);
    rdv_plan_free(&plan);
}

static void test_math__native_supports_no_number_without_a_calculation(void **state)
{
    const rdv_method *method = method_of("math");
    rdv_check_options o;
    rdv_str steps[] = {RDV_STR("3 + 4 = 7, so he has 9 left."), RDV_STR("9 + 1 = 10")};
    rdv_chain chain = {
        .question.text = RDV_STR("How many are left?"), .steps = steps, .n_steps = 2};
    rdv_check check;
    rdv_check_options_default(&o, sizeof o);
    o.math = RDV_MATH_NATIVE;
    assert_int_equal(rdv_check_chain(method, &chain, &o, *state, &check, NULL), RDV_OK);
    assert_int_equal(check.verdicts[0].kind, RDV_UNKNOWN);
    assert_text(check.verdicts[0].why, "not read (words): so he has 9");
    assert_int_equal(check.verdicts[1].kind, RDV_SUPPORT); /* the text before has it */
    chain.question.text = RDV_STR("There are 9. How many are left?");
    assert_int_equal(rdv_check_chain(method, &chain, &o, *state, &check, NULL), RDV_OK);
    assert_int_equal(check.verdicts[0].kind, RDV_SUPPORT);
}

static void test_math__model_is_needed(void **state)
{
    rdv_check_options o;
    rdv_check_options_default(&o, sizeof o);
    rdv_chain chain = chain_of((rdv_str){0});
    rdv_check check;
    rdv_error err = {0};
    assert_int_equal(rdv_check_chain(method_of("math"), &chain, &o, *state, &check, &err),
                     RDV_E_ARGUMENT);
    assert_string_equal(err.msg, "math asks a model: it needs a plan");
}

/* Each method whose scores are averaged refuses options of verifiers that cannot be used. */
static void test_options__of_every_verifier(void **state)
{
    static const char *const names[] = {"relevance", "consistency", "math", "perplexity",
                                        "general"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const rdv_method *method = method_of(names[i]);
        rdv_plan_options o = options_of(&method);
        rdv_chain chain = chain_of((rdv_str){0});
        rdv_plan *plan = NULL;
        checking.samples = 0;
        assert_int_equal(rdv_plan_check(&chain, 1, &o, &plan, NULL), RDV_E_ARGUMENT);
    }
    (void)state;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_relevance__mean_and_standard_error),
        cmocka_unit_test(test_options__of_every_verifier),
        cmocka_unit_test(test_relevance__nothing_read_is_unknown),
        cmocka_unit_test(test_consistency__first_step_needs_no_call),
        cmocka_unit_test(test_math__lists_are_decided),
        cmocka_unit_test(test_math__undecided_is_no_support),
        cmocka_unit_test(test_math__nothing_read_is_nothing),
        cmocka_unit_test(test_math__both),
        cmocka_unit_test(test_math__both_without_a_reply),
        cmocka_unit_test(test_math__native_asks_nothing),
        cmocka_unit_test(test_math__native_supports_no_number_without_a_calculation),
        cmocka_unit_test(test_math__model_is_needed),
    };
    return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
