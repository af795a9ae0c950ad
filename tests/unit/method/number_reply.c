/* SPDX-License-Identifier: Apache-2.0 */
/* Replies that are a number of a range, which a method of the user's own may ask for. */
#include "scripted_check.h"

#include <stdio.h>

/* A method of the user's own; `head`: its conclusion; `stage`: its prompt and what it asks about.
 */
static const rdv_method *read_method(const char *head, const char *stage, const char *range,
                                     rdv_prompts **prompts, rdv_arena *arena)
{
    char text[300];
    const rdv_method *method;
    rdv_error err = {0};
    snprintf(text, sizeof text,
             "---\nmethod: t\nsource: ours\nsummary: a test\nconclude: %s\n---\n"
             "## check\n%s\nread: number %s\n",
             head, stage, range);
    assert_int_equal(rdv_prompts_new(NULL, 0, prompts, NULL), RDV_OK);
    if (rdv_method_read(rdv_str_of(text), *prompts, arena, &method, &err) != RDV_OK)
        fail_msg("%s", err.msg);
    return method;
}

/* The first verdict of a check by such a method whose replies are all this text. */
static rdv_verdict verdict_by(const char *head, const char *stage, const char *range,
                              const char *reply)
{
    rdv_arena *arena = rdv_arena_new(0);
    rdv_prompts *prompts;
    const rdv_method *method = read_method(head, stage, range, &prompts, arena);
    rdv_plan_options o = options_of(&method);
    o.prompts = prompts;
    checking.samples = 1;
    rdv_chain chain = chain_of((rdv_str){0});
    rdv_plan *plan = run(&chain, &o, (line[]){{"check", "", reply}, {0}}, 0, NULL);
    rdv_verdict found = check_of(plan, "t")->verdicts[0];
    rdv_plan_free(&plan);
    rdv_prompts_free(&prompts);
    rdv_arena_free(&arena);
    return found;
}

static rdv_verdict verdict_of(const char *range, const char *reply)
{
    return verdict_by("mean", "prompt: general/consistency\nper: step", range, reply);
}

/* A number that is asked for of a whole chain is its one verdict. */
static void test_number__of_a_whole_chain(void **state)
{
    (void)state;
    rdv_verdict v = verdict_by("threshold", "prompt: zero-shot\nper: chain", "0 to 10", "7");
    assert_true(v.step == RDV_WHOLE_CHAIN);
    assert_near(v.score, 0.7);
    v = verdict_by("threshold", "prompt: general/consistency\nper: step", "0 to 10", "7");
    assert_int_equal(v.step, 0);
}

static void test_number__is_a_share_of_its_range(void **state)
{
    static const struct {
        const char *range, *reply;
        double share;
    } cases[] = {
        {"0 to 10", "7", 0.7},
        {"0 to 10", "7.5", 0.75},
        {"0 to 10", "7.25", 0.725},
        {"0 to 10", "0", 0},
        {"0 to 10", "10", 1},
        {"0 to 10", "**4**", 0.4},
        {"0 to 10", "Score: 7/10", 0.7},
        {"0 to 10", "7 out of 10", 0.7},
        {"0 to 1", "0.85", 0.85},
        {"0 to 1", ".5", 0.5},
        {"1 to 5", "4", 0.75},
        {"-1 to 1", "-0.5", 0.25},
        {"0 to 10", "It has 3 parts.\n6.5", 0.65},
    };
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        rdv_verdict v = verdict_of(cases[i].range, cases[i].reply);
        if (!(fabs(v.score - cases[i].share) < 1e-12))
            fail_msg("%s, %s: %g", cases[i].range, cases[i].reply, v.score);
        assert_int_equal(v.kind, cases[i].share > 0.5   ? RDV_SUPPORT
                                 : cases[i].share < 0.5 ? RDV_CONTRADICT
                                                        : RDV_UNRELATED);
    }
}

static void test_number__that_is_not_read_is_unknown(void **state)
{
    static const char *const replies[] = {"7 or 8", "7/100", "70%",  "11", "-1",    "seven",
                                          "",       ".",     "7..5", "-",  "1.2.3", "7\nI think."};
    (void)state;
    for (size_t i = 0; i < sizeof replies / sizeof *replies; i++) {
        rdv_verdict v = verdict_of("0 to 10", replies[i]);
        if (v.kind != RDV_UNKNOWN || !isnan(v.score))
            fail_msg("%s: %g", replies[i], v.score);
    }
}

/* A reward is a chance: what is none, from whoever it comes, says nothing of its step. */
static void test_reward__that_is_no_chance_is_unknown(void **state)
{
    (void)state;
    static const double rewards[] = {1, 1.5, -0.25};
    const rdv_reply reply = {.rewards = rewards, .n_rewards = 3, .finish = RDV_FINISH_STOP};
    const rdv_method *method = method_of("prm:pooling-pairs");
    rdv_plan_options o = options_of(&method);
    rdv_chain chain = chain_of((rdv_str){0});
    rdv_plan *plan;
    rdv_request request;
    assert_int_equal(rdv_plan_check(&chain, 1, &o, &plan, NULL), RDV_OK);
    assert_int_equal(rdv_plan_next(plan, &request, NULL), RDV_OK);
    assert_int_equal(rdv_plan_reply(plan, request.id, &reply, NULL), RDV_OK);
    const rdv_check *check = check_of(plan, "prm:pooling-pairs");
    assert_int_equal(check->verdicts[0].kind, RDV_SUPPORT);
    for (size_t i = 1; i < 3; i++) {
        assert_int_equal(check->verdicts[i].kind, RDV_UNKNOWN);
        assert_true(isnan(check->verdicts[i].score));
        assert_text(check->verdicts[i].why, "the model gave no number from 0 to 1");
    }
    rdv_plan_free(&plan);
}

/* Where a budget ends a run between the samples of a step, those that were not asked for weigh
 * against the one that was read, as unread ones do: 1 of 3 is no full support. */
static void test_number__of_a_sample_that_was_not_asked_for(void **state)
{
    (void)state;
    rdv_arena *arena = rdv_arena_new(0);
    rdv_prompts *prompts;
    const rdv_method *method = read_method(
        "mean", "prompt: general/consistency\nper: step\nsamples: 3", "0 to 10", &prompts, arena);
    rdv_plan_options o = options_of(&method);
    o.prompts = prompts;
    rdv_chain chain = chain_of((rdv_str){0});
    rdv_plan *plan;
    rdv_request request;
    const rdv_reply reply = {.text = RDV_STR("10"), .finish = RDV_FINISH_STOP};
    assert_int_equal(rdv_plan_check(&chain, 1, &o, &plan, NULL), RDV_OK);
    assert_int_equal(rdv_plan_next(plan, &request, NULL), RDV_OK);
    assert_int_equal(rdv_plan_reply(plan, request.id, &reply, NULL), RDV_OK);
    assert_int_equal(rdv_plan_close(plan, RDV_FAIL_BUDGET, NULL), RDV_OK);
    const rdv_check *check = check_of(plan, "t");
    assert_near(check->verdicts[0].score, (1 + 0.5 + 0.5) / 3);
    assert_near(noted(&check->verdicts[0], "n_samples"), 1);
    assert_int_equal(check->verdicts[1].kind, RDV_UNKNOWN);
    assert_int_equal(check->calls, 1);
    rdv_plan_free(&plan);
    rdv_prompts_free(&prompts);
    rdv_arena_free(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_number__is_a_share_of_its_range),
        cmocka_unit_test(test_number__of_a_whole_chain),
        cmocka_unit_test(test_number__that_is_not_read_is_unknown),
        cmocka_unit_test(test_number__of_a_sample_that_was_not_asked_for),
        cmocka_unit_test(test_reward__that_is_no_chance_is_unknown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
